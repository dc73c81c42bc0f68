//! What is different between two texts, as `diff -u` shows it.

use diffy::DiffOptions;

/// How many lines of a difference are shown at most.
const MOST_LINES: usize = 200;

/// The lines that differ, with those around them; empty if there are none.
#[must_use]
pub fn unified(old: &str, new: &str, names: (&str, &str)) -> String {
    if old == new {
        return String::new();
    }
    let text = DiffOptions::new()
        .set_original_filename(names.0.to_owned())
        .set_modified_filename(names.1.to_owned())
        .create_patch(old, new)
        .to_string();
    let all = text.lines().count();
    if all <= MOST_LINES {
        return text;
    }
    let shown: Vec<&str> = text.lines().take(MOST_LINES).collect();
    format!(
        "{}\n… and {} lines more\n",
        shown.join("\n"),
        all - MOST_LINES
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_texts_have_no_difference() {
        assert_eq!(unified("a\n", "a\n", ("x", "y")), "");
    }

    #[test]
    fn a_difference_is_shown_with_its_place() {
        let shown = unified("a\nb\nc\n", "a\nB\nc\n", ("x", "y"));
        assert_eq!(shown, "--- x\n+++ y\n@@ -1,3 +1,3 @@\n a\n-b\n+B\n c\n");
    }

    #[test]
    fn long_ones_are_cut() {
        let new: String = (0..1000).map(|i| format!("{i}\n")).collect();
        let shown = unified("", &new, ("x", "y"));
        assert!(shown.lines().count() == MOST_LINES + 1 && shown.ends_with("lines more\n"));
    }
}
