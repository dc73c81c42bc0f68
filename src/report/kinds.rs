//! The meaning of each kind of error, from the page that documents them all.

/// The page; a section for each kind, with a program that shows it.
const PAGE: &str = include_str!("errors.md");

/// The kinds in the order of the page, each with its section.
pub fn sections() -> impl Iterator<Item = (&'static str, &'static str)> {
    (PAGE.split("\n## ").skip(1)).filter_map(|section| section.split_once("\n\n"))
}

/// A section's first paragraph, on one line.
#[must_use]
pub fn paragraph(section: &str) -> String {
    let first = section.split("\n\n").next().unwrap_or_default();
    first.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// A section's first sentence.
#[must_use]
pub fn summary(section: &str) -> String {
    let words = section.split_whitespace().collect::<Vec<_>>().join(" ");
    let end = words.find(". ").map_or(words.len(), |at| at + 1);
    words[..end].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use ir::ErrorKind;

    #[test]
    fn every_kind_has_a_section() {
        for kind in ErrorKind::ALL {
            let found = sections().find(|(name, _)| *name == kind.name());
            let (_, section) = found.unwrap_or_else(|| panic!("{}", kind.name()));
            assert!(paragraph(section).starts_with(&summary(section)));
        }
    }
}
