//! The base of every room: texts and their places, diagnostics, clocks, limits of memory, big stacks.

pub mod child;
pub mod clock;
pub mod diagnostic;
pub mod interned;
pub mod memory;
pub mod portions;
pub mod source;
pub mod stack;
pub mod suggest;
pub mod work;
