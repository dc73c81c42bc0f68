//! Programs in C with threads, up to a typed tree: text → [`tree`] → [`typed`].
//!
//! | where | what it is |
//! |---|---|
//! | `preprocess` | `cc -E` with the headers in `include/c` |
//! | `token`, `lex`, `origin` | words with their places in the user's files |
//! | `parse` | recursive descent into the arena [`tree`] |
//! | `types`, `sema` | names, types, conversions, constants, layouts |
//! | `typed` | what lowering reads; its head says how |

pub mod complaints;
pub mod lex;
mod literal;
pub mod origin;
mod parse;
mod sema;
pub mod token;
pub mod tree;
pub mod typed;
pub mod types;

use crate::diagnostic::Diagnostic;
use crate::stack::on_big_stack;

/// A program that was read, and what is wrong with it.
#[derive(Debug)]
pub struct Checked {
    /// The typed tree, if nothing is wrong.
    pub unit: Option<typed::Unit>,
    /// What is wrong, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads preprocessed text of less than 4 GiB. Types are checked if the text can be parsed.
#[must_use]
pub fn check(text: &str, origin: origin::Origin<'_>, model: types::DataModel) -> Checked {
    let (tree, complaints) = on_big_stack(|| parse::parse(text, origin));
    if !complaints.is_empty() {
        return Checked {
            unit: None,
            diagnostics: complaints.finish(),
        };
    }
    let (unit, complaints) = on_big_stack(|| sema::check(tree, model));
    Checked {
        unit: complaints.is_empty().then_some(unit),
        diagnostics: complaints.finish(),
    }
}

#[cfg(test)]
mod tests;
