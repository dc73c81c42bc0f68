//! The command line: what the user typed, what is done about it, how the answer gets out.

pub mod args;
