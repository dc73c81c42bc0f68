//! Proofs without bounds, by the room that is linked with Z3.

pub use prove::{answer, within};
