//! Text to tokens with spans, one at a time, as the grammar asks for them.
//!
//! Comments are set aside, what is no token is reported and skipped (or read as
//! what its author meant), and nesting is bounded here, before the parser's
//! stack has to hold it.

use logos::Logos;

use super::MAX_DEPTH;
use super::token::{LexError, Tok};
use crate::diagnostic::Diagnostic;
use crate::source::Span;

/// Why the parser was told to stop before the end of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooDeep(pub Span);

/// A token between its offsets, as the grammar wants it.
pub type Spanned = (u32, Tok, u32);

/// The tokens of a text.
pub struct Lexer<'i> {
    inner: logos::Lexer<'i, Tok>,
    /// Offset of the text's first byte in the source map.
    base: u32,
    /// Brackets open at this point.
    depth: usize,
    /// Comments so far.
    pub comments: Vec<Span>,
    /// What is no token.
    pub diagnostics: Vec<Diagnostic>,
}

impl<'i> Lexer<'i> {
    /// Reads `text`, whose first byte has the offset `base`.
    #[must_use]
    pub fn new(text: &'i str, base: u32) -> Self {
        Self {
            inner: Tok::lexer(text),
            base,
            depth: 0,
            comments: Vec::new(),
            diagnostics: Vec::new(),
        }
    }

    /// Where the current token stands.
    fn span(&self) -> Span {
        let range = self.inner.span();
        #[allow(
            clippy::cast_possible_truncation,
            reason = "the source map refuses texts of 4 GiB"
        )]
        Span::new(self.base + range.start as u32, self.base + range.end as u32)
    }

    /// Whether `{ name :` follows: no statement begins so, a record literal does.
    fn record_follows(&self) -> bool {
        let rest = self.inner.remainder().trim_start();
        if !rest.starts_with(['{', '/']) {
            return false;
        }
        let mut ahead = self
            .inner
            .clone()
            .filter(|t| !matches!(t, Ok(Tok::LineComment | Tok::BlockComment)));
        ahead.next() == Some(Ok(Tok::LBrace))
            && matches!(ahead.next(), Some(Ok(t)) if t.is_name())
            && ahead.next() == Some(Ok(Tok::Colon))
    }

    /// Counts brackets; says whether there are too many.
    fn nest(&mut self, token: Tok) -> Result<(), TooDeep> {
        match token {
            Tok::LParen | Tok::LBracket | Tok::LBrace => {
                self.depth += 1;
                if self.depth > MAX_DEPTH {
                    Err(TooDeep(self.span()))
                } else {
                    Ok(())
                }
            }
            Tok::RParen | Tok::RBracket | Tok::RBrace => {
                self.depth = self.depth.saturating_sub(1);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    /// Reports what is no token; the token that was meant, if that is clear.
    fn mend(&mut self, error: LexError) -> Option<Tok> {
        let span = self.span();
        let message = match error {
            LexError::Unknown => format!("`{}` is no part of the language", self.inner.slice()),
            LexError::UnterminatedComment => "the comment is not closed".to_owned(),
            LexError::UnterminatedString => "the string is not closed".to_owned(),
        };
        self.diagnostics
            .push(Diagnostic::error("syntax", span, message));
        (error == LexError::UnterminatedString).then_some(Tok::Text)
    }
}

impl Iterator for Lexer<'_> {
    type Item = Result<Spanned, TooDeep>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let token = match self.inner.next()? {
                Ok(Tok::LineComment | Tok::BlockComment) => {
                    let span = self.span();
                    self.comments.push(span);
                    continue;
                }
                Ok(Tok::Ident) if self.record_follows() => Tok::RecordName,
                Ok(token) => token,
                Err(error) => match self.mend(error) {
                    Some(token) => token,
                    None => continue,
                },
            };
            let Span { start, end } = self.span();
            return Some(self.nest(token).map(|()| (start, token, end)));
        }
    }
}
