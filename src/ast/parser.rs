//! From text to tree.

use lalrpop_util::ParseError;

use super::builder::Builder;
use super::lexer::{Lexer, TooDeep};
use super::token::Tok;
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
    let result = grammar::ProgramParser::new().parse(&mut builder, &mut lexer);
    if let Err(error) = result {
        report(&mut builder, error, text, start);
    }
    let mut diagnostics = builder.diagnostics;
    diagnostics.append(&mut lexer.diagnostics);
    diagnostics.sort_by_key(|d| d.span);
    let mut ast = builder.ast;
    ast.comments = lexer.comments;
    (ast, diagnostics)
}

fn report(builder: &mut Builder<'_>, error: ParseError<u32, Tok, TooDeep>, text: &str, base: u32) {
    let diagnostic = match error {
        ParseError::User {
            error: TooDeep(span),
        } => return builder.report_depth(span),
        ParseError::InvalidToken { location } | ParseError::UnrecognizedEof { location, .. } => {
            Diagnostic::error(
                "syntax",
                Span::new(location, location),
                "unexpected end of the file",
            )
        }
        ParseError::UnrecognizedToken {
            token: (l, _, r),
            expected,
        } => {
            let found = &text[(l - base) as usize..(r - base) as usize];
            Diagnostic::error("syntax", Span::new(l, r), format!("unexpected `{found}`"))
                .note(format!("expected {}", expected.join(", ")))
        }
        ParseError::ExtraToken { token: (l, _, r) } => {
            Diagnostic::error("syntax", Span::new(l, r), "unexpected text")
        }
    };
    builder.diagnostics.push(diagnostic);
}
