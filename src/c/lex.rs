//! Text to tokens with their places, one at a time.
//!
//! The lexer drops comments, markers and words without meaning. It reports and skips text that is no token.

use std::hash::Hasher;

use logos::Logos;
use rustc_hash::FxHasher;

use super::complaints::Complaints;
use super::literal;
use super::origin::Origin;
use super::pragma::Packing;
use super::token::{LexError, Tok};
use base::diagnostic::{Diagnostic, character};
use base::source::Span;

/// A token where it stands.
#[derive(Clone, Copy, Debug)]
pub struct Token {
    pub tok: Tok,
    /// Its first byte in the text that is read.
    pub from: u32,
    /// One past its last byte there.
    pub to: u32,
    /// Its place in the user's file.
    pub span: Span,
    /// The alignment that `#pragma pack` sets here.
    pub pack: u8,
}

/// The tokens of a text.
pub struct Lexer<'i> {
    inner: logos::Lexer<'i, Tok>,
    origin: Origin<'i>,
    /// The offset up to which the text has been read.
    done: usize,
    last: Span,
    packing: Packing<'i>,
}

impl<'i> Lexer<'i> {
    /// Reads a text of less than 4 GiB; `origin` knows the files that it comes from.
    #[must_use]
    pub fn new(text: &'i str, origin: Origin<'i>) -> Self {
        Self {
            inner: Tok::lexer(text),
            origin,
            done: 0,
            last: Span::default(),
            packing: Packing::default(),
        }
    }

    #[must_use]
    pub fn text(&self, token: Token) -> &'i str {
        &self.inner.source()[token.from as usize..token.to as usize]
    }

    /// The hash of a part of the text. White space and lines that begin with `#` do not change it.
    #[must_use]
    pub fn shape(&self, from: u32, to: u32) -> u64 {
        let part = self.inner.source().get(from as usize..to as usize);
        let mut hasher = FxHasher::default();
        let lines = part
            .unwrap_or_default()
            .lines()
            .filter(|line| !line.starts_with('#'));
        for c in lines.flat_map(str::split_whitespace).flat_map(str::bytes) {
            hasher.write_u8(c);
        }
        hasher.finish()
    }

    /// The next token; at the end of the text, [`Tok::End`] for ever.
    pub fn next(&mut self, complaints: &mut Complaints) -> Token {
        loop {
            let Some(read) = self.inner.next() else {
                return self.end();
            };
            let range = self.inner.span();
            let skipped = &self.inner.source()[self.done..range.start];
            self.done = range.end;
            if let Ok(Tok::Directive) = read {
                self.origin.skip(skipped);
                self.directive(complaints);
                continue;
            }
            if let Ok(Tok::LineComment | Tok::BlockComment) = read {
                self.origin.skip(skipped);
                self.origin.skip(self.inner.slice());
                continue;
            }
            let written = match read {
                Ok(Tok::Ident) => literal::name(self.inner.slice()),
                _ => self.inner.slice().into(),
            };
            let span = self.origin.place(skipped, &written, range.clone());
            self.last = span;
            let tok = match read {
                Ok(Tok::Idle) => continue,
                Ok(tok) => tok,
                Err(error) => match self.mend(error, span, complaints) {
                    Some(tok) => tok,
                    None => continue,
                },
            };
            return self.token(tok, range, span);
        }
    }

    #[allow(
        clippy::cast_possible_truncation,
        reason = "texts are smaller than 4 GiB"
    )]
    fn token(&self, tok: Tok, range: std::ops::Range<usize>, span: Span) -> Token {
        Token {
            tok,
            from: range.start as u32,
            to: range.end as u32,
            span,
            pack: self.packing.most,
        }
    }

    /// Returns [`Tok::End`], placed just after the last token.
    fn end(&self) -> Token {
        let end = self.inner.source().len();
        let span = Span::new(self.last.end, self.last.end);
        self.token(Tok::End, end..end, span)
    }

    fn directive(&mut self, complaints: &mut Complaints) {
        let text = self.inner.slice();
        if self.origin.marker(text) {
            return;
        }
        let word = text[1..].trim_start();
        let pragma = word.strip_prefix("pragma").map(str::trim);
        let obeyed = pragma.is_some_and(|pragma| self.packing.obeys(pragma));
        if obeyed || word.starts_with("ident") || word.trim().is_empty() {
            return;
        }
        let span = self.origin.place("", "#", self.inner.span());
        complaints.add(if let Some(pragma) = pragma {
            let message = format!("`#pragma {pragma}` is not supported");
            Diagnostic::error("unsupported", span, message)
        } else {
            let word: String = word
                .chars()
                .take_while(|c| c.is_alphanumeric())
                .take(20)
                .collect();
            Diagnostic::error("syntax", span, format!("`#{word}` in preprocessed text"))
                .note("a file that is not preprocessed yet is called `.c`, not `.i`")
        });
    }

    /// Reports text that is no token; gives the token that was meant, if that is clear.
    fn mend(&mut self, error: LexError, span: Span, complaints: &mut Complaints) -> Option<Tok> {
        let error_at = |message: &str| Diagnostic::error("syntax", span, message);
        let (token, complaint) = match error {
            LexError::Unknown => {
                let c = self.inner.slice().chars().next().unwrap_or(' ');
                let message = format!("{} is no part of a C program", character(c));
                (None, Diagnostic::error("unknown-character", span, message))
            }
            LexError::UnterminatedComment => {
                let start = Span::new(span.start, span.end.min(span.start + 2));
                let complaint = Diagnostic::error("syntax", start, "the comment is not closed");
                (None, complaint.note("close it with `*/`"))
            }
            LexError::UnterminatedString => (Some(Tok::Text), error_at("the string is not closed")),
            LexError::UnterminatedChar => {
                (Some(Tok::Char), error_at("the character is not closed"))
            }
        };
        complaints.add(complaint);
        token
    }
}
