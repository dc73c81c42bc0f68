//! Where programs can be run: Linux with the GNU C library.

mod again;
mod binary;
mod lines;
mod log;
mod model;
mod process;
mod races;
mod search;
mod show;
mod verdict;

use super::{Answer, Format, Options, SCHEMA, Strategy};

pub(super) use again::{debug, replay};
pub(super) use process::library;
pub(super) use verdict::{check_determinism, run};
