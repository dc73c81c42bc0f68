//! THE definition of the language: what a program may do, read straight off its statements.
//!
//! A slow machine that is easy to believe. It walks the statements as they stand, keeps exact integers and whole
//! values, and has the paper's schedulers in the paper's words: `config` is a configuration, `queue` the schedulers,
//! `exec` a segment of a task, `eval` expressions, `place` stores, `touch` what is accessed; `play` drives it,
//! one visit to the dispatcher after another. What happens it tells as
//! data (`happening`). Every engine is tested against it, and every counterexample is run by it before a person sees
//! it. It knows nothing of schedules, engines or reports.

mod config;
mod eval;
mod exec;
mod happening;
pub(crate) mod limits;
mod place;
mod play;
mod queue;
mod touch;

pub(crate) use config::{Config, Control, Frame, Task};
pub(crate) use eval::PathStep;
pub(crate) use exec::{End, Env, Machine, Seen, Stop};
pub use happening::{Change, Ended, Happening, StepKind, Title};
pub(crate) use place::{Variable, diff, name_of};
pub(crate) use play::{Failure, refuse};
pub(crate) use queue::Queue;
pub(crate) use touch::{Touch, What};
