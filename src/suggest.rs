//! "Did you mean …?": the most similar of the names that would have been possible.

/// Longer names are not compared: the table grows with the square.
const LONGEST: usize = 64;

/// The candidate that is most similar to `name`, if one is similar enough; the first of equally similar ones
/// in alphabetical order.
pub(crate) fn closest<'a>(
    name: &str,
    candidates: impl Iterator<Item = &'a str>,
) -> Option<&'a str> {
    // One letter is like any other: only its case may differ.
    let length = name.chars().count();
    let limit = if length < 2 { 0 } else { (length / 3).max(1) };
    candidates
        .filter(|c| *c != name && c.len().abs_diff(name.len()) <= LONGEST)
        .filter_map(|c| Some((similarity(name, c, limit)?, c)))
        .min()
        .map(|(_, c)| c)
}

/// How far apart two names are, if that is at most `limit`; names that differ in case only are near.
fn similarity(a: &str, b: &str, limit: usize) -> Option<usize> {
    if a.len() > LONGEST || b.len() > LONGEST {
        return None;
    }
    if a.eq_ignore_ascii_case(b) {
        return Some(0);
    }
    // Most names are told apart by their length.
    if a.is_ascii() && b.is_ascii() && a.len().abs_diff(b.len()) > limit {
        return None;
    }
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    if a.len().abs_diff(b.len()) > limit {
        return None;
    }
    // Something must be left of the name.
    Some(distance(&a, &b)).filter(|&d| d <= limit && d < b.len())
}

/// The least number of insertions, deletions, replacements and swaps of neighbours (Damerau's distance with
/// no part edited twice).
fn distance(a: &[char], b: &[char]) -> usize {
    let mut rows = [
        (0..=b.len()).collect::<Vec<_>>(),
        vec![0; b.len() + 1],
        vec![0; b.len() + 1],
    ];
    for i in 1..=a.len() {
        // rows: the previous, the one before it (from the second round on), the one to fill
        let [above, twice, row] = &mut rows;
        row[0] = i;
        for j in 1..=b.len() {
            let replace = above[j - 1] + usize::from(a[i - 1] != b[j - 1]);
            row[j] = replace.min(above[j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                row[j] = row[j].min(twice[j - 2] + 1);
            }
        }
        rows.rotate_right(1); // filled row first, then what was the previous
    }
    rows[0][b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chars(s: &str) -> Vec<char> {
        s.chars().collect()
    }

    #[test]
    fn distances() {
        for (a, b, d) in [
            ("", "abc", 3),
            ("abc", "abc", 0),
            ("abc", "acb", 1),
            ("kitten", "sitting", 3),
            ("ab", "", 2),
        ] {
            assert_eq!(distance(&chars(a), &chars(b)), d, "{a} {b}");
            assert_eq!(distance(&chars(b), &chars(a)), d, "{b} {a}");
        }
    }

    #[test]
    fn only_similar_names_are_suggested() {
        let names = ["held", "help", "owner", "Pending"];
        let of = |n| closest(n, names.into_iter());
        assert_eq!(of("hled"), Some("held"));
        assert_eq!(of("hel"), Some("held"));
        assert_eq!(of("pending"), Some("Pending"));
        assert_eq!(of("x"), None);
        assert_eq!(of("completely"), None);
    }
}
