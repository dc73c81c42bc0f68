//! Stands in for `z3_version` in builds without Z3.

use std::fmt;

/// Z3 was left out when the crate was built.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Missing;

impl fmt::Display for Missing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("this needs Z3, which this build of dbverify is without")
    }
}

impl std::error::Error for Missing {}

/// Whether Z3 may be called. Every caller of Z3 asks this first.
///
/// # Errors
/// Always.
pub fn present() -> Result<(), Missing> {
    Err(Missing)
}

/// The message where Z3 is missing.
#[must_use]
pub fn missing() -> String {
    Missing.to_string()
}
