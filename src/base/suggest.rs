//! "Did you mean …?": the most similar of the names that would have been possible.

/// Longer names are not compared: the table grows with the square.
const LONGEST: usize = 64;

/// The candidate that is most similar to `name`, if one is similar enough; the first of equally similar ones
/// in alphabetical order.
pub fn closest<'a>(name: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
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
    let length = b.chars().count();
    if a.chars().count().abs_diff(length) > limit {
        return None;
    }
    // Insertions, deletions, replacements, swaps of neighbours. Something must be left of the name.
    Some(strsim::osa_distance(a, b)).filter(|&d| d <= limit && d < length)
}

#[cfg(test)]
mod tests {
    use super::*;

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
