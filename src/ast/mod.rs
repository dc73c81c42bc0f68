//! What the user wrote: tokens, the tree with spans, and its standard printing.
//!
//! Knows the syntax and nothing else: names and types are `check`'s.

pub mod symbol;
pub mod tree;
