//! The reduction against enumeration, on programs of its own kind.

mod cases;
mod counts;
pub mod oracle;
mod random;
mod toy;
