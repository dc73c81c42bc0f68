//! What the user wrote: tokens, the tree with spans, and its standard printing.
//!
//! Knows the syntax and nothing else: `check` deals with names and types.

pub mod builder;
pub mod lexer;
mod literal;
pub mod parser;
pub mod print;
mod recover;
pub mod symbol;
pub mod token;
pub mod tree;

#[cfg(test)]
mod tests;

/// How deeply expressions, statements, types and brackets may nest, each for itself.
///
/// Deeper nesting is a diagnostic, so code may walk the tree recursively on a stack of 256 MiB
/// ([`base::stack`]). A chain such as `1 + 1 + …` is a tree as deep as it is long, so its operands count.
pub const MAX_DEPTH: usize = 4096;
