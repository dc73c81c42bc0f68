//! THE definition of the language: what a program may do, read straight off its statements.
//!
//! A slow machine that is easy to believe. It walks the statements as they stand, keeps exact integers and whole
//! values, and has the paper's schedulers in the paper's words. `config` is a configuration, `queue` the schedulers,
//! `exec` a segment of a task, `eval` expressions, `place` stores, `touch` what is accessed. `play` drives the machine,
//! one visit to the dispatcher after another. The machine tells what happens as data (`happening`). Every engine is tested
//! against it, and it runs every counterexample before a person sees it. It knows nothing of schedules, engines or reports.

pub mod config;
pub mod eval;
pub mod exec;
pub mod happening;
pub mod limits;
pub mod place;
pub mod play;
pub mod queue;
pub mod touch;

pub use config::{Config, Control, Frame, Task};
pub use eval::PathStep;
pub use exec::{End, Env, Machine, Seen, Stop};
pub use happening::{Change, Ended, Happening, StepKind, Title};
pub use place::{Variable, diff, name_of};
pub use play::{Failure, refuse};
pub use queue::Queue;
pub use touch::{Sync, Touch, What};
