//! "Did you mean …?": the most similar of the names that would have been possible.

/// Longer names are not compared: the time for the distance grows with the square of the length.
const LONGEST: usize = 64;

/// The candidate that is most similar to `name`, if one is similar enough; the first of equally similar ones
/// in alphabetical order.
pub fn closest<'a>(name: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    // A single letter resembles every other one, so only its case may differ.
    let length = name.chars().count();
    let limit = if length < 2 { 0 } else { (length / 3).max(1) };
    candidates
        .filter(|c| *c != name && c.len().abs_diff(name.len()) <= LONGEST)
        .filter_map(|c| Some((similarity(name, c, limit)?, c)))
        .min()
        .map(|(_, c)| c)
}

/// Returns the distance of two names, if it is at most `limit`. Names that differ only in case have distance 0.
fn similarity(a: &str, b: &str, limit: usize) -> Option<usize> {
    if a.len() > LONGEST || b.len() > LONGEST {
        return None;
    }
    if a.eq_ignore_ascii_case(b) {
        return Some(0);
    }
    // The lengths alone exclude most names, and cheaply.
    if a.is_ascii() && b.is_ascii() && a.len().abs_diff(b.len()) > limit {
        return None;
    }
    let length = b.chars().count();
    if a.chars().count().abs_diff(length) > limit {
        return None;
    }
    // Counts insertions, deletions, replacements and swaps of neighbours. At least one letter of the name must stay.
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
