//! What an editor asks about a program, where nobody is served: names that are not used.

#[path = "language.rs"]
mod language;
#[path = "names/mod.rs"]
mod names;
#[path = "unused.rs"]
pub(crate) mod unused;
