//! The semantics, read straight off the program: a slow machine that is easy to believe.
//!
//! It walks the statements as they stand, keeps exact integers and whole values,
//! and has the paper's schedulers in the paper's words. Every counterexample
//! that any engine finds is run by it before a person sees it, and the fast
//! machine of `explore` is tested against it. It knows nothing of that machine,
//! of strategies or of stores.

mod config;
mod eval;
mod exec;
mod place;
mod queue;
mod touch;

pub(crate) use config::{Config, Control, Frame, Task};
pub(crate) use eval::PathStep;
pub(crate) use exec::{End, Env, Machine, Seen, Stop};
pub(crate) use place::{Variable, diff};
pub(crate) use queue::Queue;
pub(crate) use touch::{Touch, What};
