//! From text to tree.

use lalrpop_util::ParseError;

use super::builder::Builder;
use super::lexer::{Lexer, Spanned, TooDeep};
use super::recover::{MAX_ERRORS, Recovery};
use super::tree::Ast;
use base::diagnostic::Diagnostic;
use base::source::Span;

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
/// There is always a tree. Text that could not be understood is reported, and is missing from the tree or an `Error` node.
#[must_use]
pub fn parse(text: &str, start: u32) -> (Ast, Vec<Diagnostic>) {
    parse_files(&[(text, start)])
}

/// Parses several texts into one tree, in this order, as if they were one text.
#[must_use]
pub fn parse_files(files: &[(&str, u32)]) -> (Ast, Vec<Diagnostic>) {
    let mut builder = Builder::new("", 0);
    let mut said = Said::default();
    let (mut comments, mut lost) = (Vec::new(), Vec::new());
    for &(text, start) in files {
        builder.go_on_with(text, start);
        let (mut lexer, mut recovery) = items(&mut builder, text, start);
        comments.append(&mut lexer.comments);
        lost.append(&mut recovery.lost);
        said.hear(lexer, recovery);
    }
    let (mut ast, mistakes, dropped) = builder.finish_tree();
    lost.sort_unstable();
    lost.dedup();
    (ast.comments, ast.lost) = (comments, lost);
    said.diagnostics.extend(mistakes);
    said.dropped += dropped;
    let diagnostics = said.gather();
    ast.broken = !diagnostics.is_empty();
    (ast, diagnostics)
}

/// Reads the items of a text into the tree.
fn items<'i>(builder: &mut Builder<'i>, text: &'i str, start: u32) -> (Lexer<'i>, Recovery) {
    let mut lexer = Lexer::new(text, start);
    let mut recovery = Recovery::default();
    // Items without an error are read straight from the text; an error costs only its item.
    while let Err(stopped) = run(builder, &mut lexer) {
        let mended = match stopped {
            Stopped::TooDeep(error) => Err(error),
            Stopped::Unexpected { .. } => recovery.item(&mut lexer, builder),
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
    (lexer, recovery)
}

/// Why the grammar stopped before the end.
#[derive(Debug)]
pub(super) enum Stopped {
    TooDeep(TooDeep),
    /// The token read last does not fit, or one is missing at the end.
    Unexpected {
        /// Whether a token is missing at the end.
        end: bool,
        /// The tokens that would have fitted.
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

/// The complaints about all texts.
#[derive(Default)]
struct Said {
    diagnostics: Vec<Diagnostic>,
    /// How many further complaints were not kept.
    dropped: usize,
    /// How many broken items were only counted: each has at least one error.
    uncounted: usize,
}

impl Said {
    fn hear(&mut self, lexer: Lexer<'_>, recovery: Recovery) {
        self.diagnostics.extend(lexer.diagnostics);
        self.diagnostics.extend(recovery.diagnostics);
        self.dropped += lexer.dropped;
        self.uncounted += recovery.uncounted;
    }

    /// The diagnostics in the order of the text; beyond [`MAX_ERRORS`] only their number.
    fn gather(self) -> Vec<Diagnostic> {
        let mut all = self.diagnostics;
        all.sort_by_key(|d| d.span);
        let more = self.dropped + self.uncounted + all.len().saturating_sub(MAX_ERRORS);
        all.truncate(MAX_ERRORS);
        if more > 0 {
            let last = all.last().and_then(|d| d.span).unwrap_or_default();
            let message = match (self.uncounted, more) {
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
}
