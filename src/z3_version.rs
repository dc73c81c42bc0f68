//! Which Z3 this crate is made for, and which one it runs with.
//!
//! An older library links without complaint and then misbehaves, because the numbers
//! behind Z3's enumerations moved. So the program compares before it trusts an answer.

use std::fmt;

/// The version that the build fetches, the tests ran with, and `z3-sys` was told about.
pub const PINNED: &str = "5.4.0";

/// The linked Z3 is not the pinned one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mismatch {
    /// What the linked library calls itself.
    pub linked: String,
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "linked with {}, but this program was made for Z3 {PINNED}",
            self.linked
        )
    }
}

impl std::error::Error for Mismatch {}

/// What the linked library calls itself, for example `Z3 5.4.0.0`.
pub fn linked() -> &'static str {
    z3::full_version()
}

/// Compares the linked library with [`PINNED`].
///
/// ```
/// println!("{}", dbverify::z3_version::linked());
/// ```
pub fn compare() -> Result<(), Mismatch> {
    if is_pinned(linked()) {
        Ok(())
    } else {
        Err(Mismatch {
            linked: linked().to_owned(),
        })
    }
}

/// Whether `name` is [`PINNED`], possibly with a fourth number, a hash or a word before it.
fn is_pinned(name: &str) -> bool {
    name.split_whitespace().any(|word| {
        word.strip_prefix(PINNED)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use z3::{SatResult, Solver, ast::Int};

    #[test]
    fn the_linked_library_solves() {
        let x = Int::new_const("x");
        let solver = Solver::new();
        solver.assert(x.gt(1));
        assert_eq!(solver.check(), SatResult::Sat);
        solver.assert(x.lt(2));
        assert_eq!(solver.check(), SatResult::Unsat);
    }

    // A library of the user's own choice may be another one; `compare` then says so.
    #[cfg(not(feature = "vendored"))]
    #[test]
    fn the_linked_library_is_the_pinned_one() {
        if option_env!("Z3_LIB_DIR").is_none() {
            assert_eq!(compare(), Ok(()));
        }
    }

    #[test]
    fn names_are_compared_by_number() {
        assert!(is_pinned("Z3 5.4.0.0"));
        assert!(is_pinned("5.4.0"));
        assert!(!is_pinned("Z3 5.4.01"));
        assert!(!is_pinned("Z3 4.8.12.0"));
    }

    #[test]
    fn every_place_that_names_the_version_agrees() {
        let requirements = include_str!("../build/z3-requirements.txt");
        assert!(requirements.contains(&format!("z3-solver=={PINNED}.")));
        let config = include_str!("../.cargo/config.toml");
        assert!(config.contains(&format!("Z3_SYS_Z3_VERSION = \"{PINNED}\"")));
    }
}
