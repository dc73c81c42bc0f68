//! The program that every engine reads.
//!
//! Typed, names resolved to dense ids, every implicit thing made explicit:
//! preemption points and awaits are statements, run-time checks (ranges,
//! indices, divisions) are [`StmtKind::Check`] statements before the place
//! that needs them, expressions are pure and total, `*` has become
//! [`StmtKind::Havoc`] of a variable, operations of objects have become awaits,
//! and each procedure that is called inside `atomic` exists in a version
//! without preemption points. Loops are structured, with ids that `break` and
//! `continue` name.
//!
//! This module knows no syntax: a second front end can build the same program.

pub mod arith;
pub mod calls;
mod declared;
pub mod edit;
pub mod lower;
mod map;
mod objects;
mod order;
pub mod passes;
mod print;
mod program;
mod scope;
pub mod silent;
pub mod text;
pub mod turns;
mod types;
mod validate;
mod value;
pub mod walk;

pub use declared::*;
pub use objects::*;
pub use order::*;
pub use program::*;
pub use scope::*;
pub use text::Dialect;
pub use types::*;
pub use validate::checked;
pub use validate::{read_unset, validate};
pub use value::*;
