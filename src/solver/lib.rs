//! The solver Z3: the one room that is linked with it. Without the feature `z3` it says that there is none.

#[cfg_attr(not(feature = "z3"), path = "without_z3.rs")]
pub mod z3_version;

#[cfg(feature = "z3")]
pub use z3;
