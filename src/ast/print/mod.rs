//! The standard format: the same tokens and comments, with the space between them set by rule.
//!
//! The printer does not use the tree. It cuts the text into logical lines ([`lines`]). It lays each line out ([`layout`]),
//! with spaces by the kinds of its tokens ([`pieces`]). So the output has the tokens of the input (but for a comma before a
//! bracket that closes on the same line). It has all comments, and no depth of nesting is a danger. The layout depends on
//! tokens, on comments (of their own line, or behind something), on blank lines, and on a line break after the bracket that
//! opens a type or value. The output has all of these where the input has them, so formatting it again changes nothing.

mod layout;
mod lines;
mod pieces;

use super::parser::parse;
use base::diagnostic::Diagnostic;

/// Columns of a line; longer ones are broken where that is possible.
pub const WIDTH: usize = 100;

/// The text in the standard format. Offsets in diagnostics begin at `start`.
///
/// # Errors
/// The complaints about the text: only programs that parse are formatted.
pub fn format(text: &str, start: u32) -> Result<String, Vec<Diagnostic>> {
    let (_, diagnostics) = parse(text, start);
    if !diagnostics.is_empty() {
        return Err(diagnostics);
    }
    let pieces = pieces::pieces(text);
    let mut out = String::with_capacity(text.len() + text.len() / 8);
    for line in lines::lines(&pieces) {
        layout::line(&line, &pieces, &mut out);
    }
    Ok(out)
}
