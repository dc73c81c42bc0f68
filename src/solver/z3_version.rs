//! Which Z3 this crate is made for, and which one it runs with, if any.
//!
//! An older library links without complaint and then misbehaves, because the numbers
//! behind Z3's enumerations moved. So the program compares before it trusts an answer.

use std::fmt;
use std::sync::OnceLock;

/// The version that the build fetches, the tests ran with, and `z3-sys` was told about.
pub const PINNED: &str = "5.4.0";

/// The file name under which the program looks for its library; none where Z3 is a part of the program.
pub const NAME: Option<&str> = option_env!("DBVERIFY_Z3_NAME");

/// Where the build has kept that library.
pub const KEPT: Option<&str> = option_env!("DBVERIFY_Z3_LIBRARY");

/// The linked Z3 is not the pinned one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mismatch {
    /// The version that the linked library gives.
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

/// No library of Z3 was found. Everything that needs no solver works without it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Missing {
    /// The message of the system.
    pub why: String,
}

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "no library of Z3 that fits was found ({}); `dbverify doctor` says what to do",
            self.why
        )
    }
}

impl std::error::Error for Missing {}

/// Whether Z3 may be called. Every caller of Z3 asks this first.
///
/// # Errors
/// When its library was not found, or is one that would misbehave.
pub fn present() -> Result<(), Missing> {
    static ASKED: OnceLock<Result<(), Missing>> = OnceLock::new();
    let ask = || match stub::missing() {
        Some(why) => Err(Missing { why }),
        None if numbers(linked()) < LEAST => Err(Missing {
            why: format!("this is {}, which is too old", linked()),
        }),
        None => Ok(()),
    };
    ASKED.get_or_init(ask).clone()
}

const LEAST: [u32; 3] = [5, 3, 2];

/// The first three numbers of a version such as `Z3 5.4.0.0`.
fn numbers(name: &str) -> [u32; 3] {
    let digits = |word: &&str| word.starts_with(|c: char| c.is_ascii_digit());
    let version = name.split_whitespace().find(digits).unwrap_or_default();
    let mut parts = version.split('.').map(|part| part.parse().unwrap_or(0));
    std::array::from_fn(|_| parts.next().unwrap_or(0))
}

/// Says what to do where there is no library.
#[must_use]
pub fn help() -> String {
    let name = NAME.unwrap_or("libz3");
    format!(
        "put {name} of Z3 {PINNED} beside the program (the Python package z3-solver {PINNED} has it in z3/lib), \
         or name another place: DBVERIFY_LIBZ3=/a/folder/{name}"
    )
}

/// The stub that the program is really linked with. It looks for the library on request; see `build/z3_stub.c`.
#[cfg(not(feature = "vendored"))]
mod stub {
    use std::ffi::{CStr, c_char};
    use std::sync::OnceLock;

    #[allow(unsafe_code, reason = "declared as build/z3_stub.c defines it")]
    unsafe extern "C" {
        safe fn dbverify_z3_missing() -> *const c_char;
    }

    /// Why there is no library, if there is none. The first call looks for it.
    pub(super) fn missing() -> Option<String> {
        static MISSING: OnceLock<Option<String>> = OnceLock::new();
        MISSING.get_or_init(look).clone()
    }

    fn look() -> Option<String> {
        let why = dbverify_z3_missing();
        if why.is_null() {
            return None;
        }
        #[allow(
            unsafe_code,
            reason = "it ends with a zero, and nothing writes it afterwards: this is called once"
        )]
        let why = unsafe { CStr::from_ptr(why) };
        Some(why.to_string_lossy().into_owned())
    }
}

#[cfg(feature = "vendored")]
mod stub {
    /// Z3 is a part of the program.
    pub(super) fn missing() -> Option<String> {
        None
    }
}

/// The version that the library gives, for example `Z3 5.4.0.0`. Call it only where the library is [`present`].
pub fn linked() -> &'static str {
    stub::missing();
    z3::full_version()
}

/// Compares the library with [`PINNED`].
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

/// Whether `name` is [`PINNED`], with a fourth number or not. Other words may stand around it.
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
        present().expect("Z3 is there");
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
    fn old_libraries_are_known_by_their_numbers() {
        assert!(numbers("Z3 4.8.12.0") < LEAST);
        assert!(numbers("") < LEAST);
        assert!(numbers("Z3 5.4.0.0") >= LEAST);
        assert!(numbers("Z3 10.0") >= LEAST);
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
        let requirements = include_str!("build/z3-requirements.txt");
        assert!(requirements.contains(&format!("z3-solver=={PINNED}.")));
        let config = include_str!("../../.cargo/config.toml");
        assert!(config.contains(&format!("Z3_SYS_Z3_VERSION = \"{PINNED}\"")));
    }
}
