//! From text to tree.

use lalrpop_util::ParseError;

use super::builder::Builder;
use super::lexer::{Lexer, Spanned, TooDeep};
use super::recover::{MAX_ERRORS, Recovery};
use super::tree::Ast;
use crate::diagnostic::Diagnostic;
use crate::source::Span;

#[allow(
    clippy::all,
    clippy::pedantic,
    clippy::allow_attributes_without_reason,
    dead_code,
    missing_docs,
    unused_qualifications,
    unused_lifetimes,
    unused_imports,
    reason = "written by lalrpop"
)]
mod grammar {
    include!(concat!(env!("OUT_DIR"), "/async.rs"));
}

/// Parses a text whose first byte has the offset `start` in the source map.
///
/// There is always a tree; what could not be understood is missing from it or
/// an `Error` node, and in the diagnostics.
#[must_use]
pub fn parse(text: &str, start: u32) -> (Ast, Vec<Diagnostic>) {
    let mut builder = Builder::new(text, start);
    let mut lexer = Lexer::new(text, start);
    let mut recovery = Recovery::default();
    // Items without an error are read straight from the text; an error costs only its item.
    while let Err(stopped) = run(&mut builder, &mut lexer) {
        let mended = match stopped {
            Stopped::TooDeep(error) => Err(error),
            Stopped::Unexpected { .. } => recovery.item(&mut lexer, &mut builder),
        };
        if let Err(TooDeep(span)) = mended {
            builder.roll_back();
            builder.report_depth(span);
            break;
        }
        if recovery.exhausted() {
            break;
        }
    }
    let (mut ast, mistakes, dropped) = builder.finish_tree();
    ast.comments = std::mem::take(&mut lexer.comments);
    ast.lost = std::mem::take(&mut recovery.lost);
    ast.lost.sort_unstable();
    ast.lost.dedup();
    let diagnostics = gather(mistakes, dropped, lexer, recovery);
    ast.broken = !diagnostics.is_empty();
    (ast, diagnostics)
}

/// Why the grammar stopped before the end.
#[derive(Debug)]
pub(super) enum Stopped {
    /// Nested too deeply.
    TooDeep(TooDeep),
    /// The token read last does not fit, or one is missing at the end.
    Unexpected {
        /// Whether it is the end that does not fit.
        end: bool,
        /// What would have fitted.
        expected: Vec<String>,
    },
}

/// Reads items from tokens.
pub(super) fn run(
    builder: &mut Builder<'_>,
    tokens: impl Iterator<Item = Result<Spanned, TooDeep>>,
) -> Result<(), Stopped> {
    grammar::ProgramParser::new()
        .parse(builder, tokens)
        .map_err(|error| match error {
            ParseError::User { error } => Stopped::TooDeep(error),
            ParseError::UnrecognizedEof { expected, .. } => Stopped::Unexpected {
                end: true,
                expected,
            },
            ParseError::UnrecognizedToken { expected, .. } => Stopped::Unexpected {
                end: false,
                expected,
            },
            ParseError::InvalidToken { .. } | ParseError::ExtraToken { .. } => {
                Stopped::Unexpected {
                    end: false,
                    expected: Vec::new(),
                }
            }
        })
}

/// All diagnostics in the order of the text; of too many only the number.
fn gather(
    mistakes: Vec<Diagnostic>,
    dropped: usize,
    lexer: Lexer<'_>,
    recovery: Recovery,
) -> Vec<Diagnostic> {
    let mut all = lexer.diagnostics;
    all.extend(mistakes);
    all.extend(recovery.diagnostics);
    all.sort_by_key(|d| d.span);
    let more = dropped + lexer.dropped + recovery.uncounted + all.len().saturating_sub(MAX_ERRORS);
    all.truncate(MAX_ERRORS);
    if more > 0 {
        let last = all.last().and_then(|d| d.span).unwrap_or_default();
        let message = match (recovery.uncounted, more) {
            (0, 1) => "there is one more syntax error".to_owned(),
            (0, _) => format!("there are {more} more syntax errors"),
            _ => "there are more syntax errors after this".to_owned(),
        };
        all.push(Diagnostic::error(
            "syntax",
            Span::new(last.end, last.end),
            message,
        ));
    }
    all
}
