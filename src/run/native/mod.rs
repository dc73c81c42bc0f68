//! Where programs can be run: Linux with the GNU C library.

mod again;
mod binary;
mod lines;
mod log;
mod model;
mod order;
mod page;
mod process;
mod races;
mod reproduce;
mod rows;
mod search;
mod show;
mod template;
mod verdict;

use super::{Answer, Beside, Format, Options, Reproduction, SCHEMA, SCHEMAS, Strategy, cc};

pub(super) use again::{debug, replay};
pub(super) use process::library;
pub(super) use reproduce::reproduce;
pub(super) use verdict::{check_determinism, run};
