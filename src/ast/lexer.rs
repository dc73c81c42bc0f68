//! Text to tokens with spans, one at a time, as the grammar asks for them.
//!
//! Comments are set aside. Text that is no token is reported, and skipped or
//! read as what its author meant. Nesting is bounded here, before the parser's
//! stack has to hold it.

use logos::Logos;

use super::MAX_DEPTH;
use super::token::{LexError, Tok};
use base::diagnostic::{Diagnostic, character};
use base::source::Span;

/// How many complaints are kept while reading; further ones are only counted.
pub const MAX_COMPLAINTS: usize = 100;

/// How many tokens are read ahead to tell the type `[2]int` from the array `[2]`.
const BRACKET_TOKENS: usize = 64;

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
    before: Tok,
    /// Comments and errors before this offset are noted already. After a [`Lexer::rewind`] they come again, and are dropped.
    noted: u32,
    pub comments: Vec<Span>,
    /// The complaints that were kept about text that is no token.
    pub diagnostics: Vec<Diagnostic>,
    /// How many complaints were not kept.
    pub dropped: usize,
}

impl<'i> Lexer<'i> {
    /// Reads `text`, whose first byte has the offset `base`.
    #[must_use]
    pub fn new(text: &'i str, base: u32) -> Self {
        let inner = Tok::lexer(text);
        Self {
            inner,
            base,
            depth: 0,
            before: Tok::Semi,
            noted: base,
            comments: Vec::new(),
            diagnostics: Vec::new(),
            dropped: 0,
        }
    }

    /// Goes on at an offset, outside of all brackets.
    pub fn rewind(&mut self, offset: u32) {
        self.inner = Tok::lexer(self.inner.source());
        self.inner.bump((offset - self.base) as usize);
        self.depth = 0;
        self.before = Tok::Semi;
    }

    /// Whether something in a part of the text is no token.
    #[must_use]
    pub fn complained_in(&self, part: Span) -> bool {
        let within = |s: Span| part.start <= s.start && s.end <= part.end;
        self.diagnostics.iter().any(|d| d.span.is_some_and(within))
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

    /// Whether the current token is seen for the first time.
    fn first_time(&mut self, span: Span) -> bool {
        let new = span.end > self.noted;
        self.noted = self.noted.max(span.end);
        new
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

    /// Whether a statement begins with the word `cover` that was just read: the word is a name everywhere else.
    fn cover_begins(&self) -> bool {
        let begins = matches!(self.before, Tok::Semi | Tok::LBrace | Tok::RBrace);
        let mut ahead = self
            .inner
            .clone()
            .filter(|t| !matches!(t, Ok(Tok::LineComment | Tok::BlockComment)));
        begins && matches!(ahead.next(), Some(Ok(t)) if t.begins_condition())
    }

    /// Whether the `[` that was just read begins a type among arguments: then a type stands behind its `]`.
    fn type_follows(&self) -> bool {
        if !matches!(self.before, Tok::LParen | Tok::Comma) {
            return false;
        }
        // Whether a value or a range of values may begin behind the brackets. A `..` says that it is a range.
        let mut open = false;
        let mut depth = 1_usize;
        let ahead = self.inner.clone().map(|t| t.unwrap_or(Tok::Invalid));
        let ahead = ahead.filter(|t| !matches!(t, Tok::LineComment | Tok::BlockComment));
        for token in ahead.take(BRACKET_TOKENS) {
            match token {
                _ if depth > 0 => {}
                Tok::DotDot if open => return true,
                Tok::Comma => return false,
                token if token.closes() => return false,
                Tok::Minus | Tok::Tilde | Tok::LParen => open = true,
                token if !open && token != Tok::LBracket => {
                    let compound = matches!(token, Tok::Enum | Tok::Record | Tok::Number);
                    return compound || token.is_name() || token.is_simple_type();
                }
                _ => {}
            }
            depth += usize::from(token.opens());
            depth -= usize::from(token.closes());
        }
        false
    }

    /// Counts open brackets; fails if there are too many.
    fn nest(&mut self, token: Tok) -> Result<(), TooDeep> {
        if token.opens() {
            self.depth += 1;
            if self.depth > MAX_DEPTH {
                return Err(TooDeep(self.span()));
            }
        } else if token.closes() {
            self.depth = self.depth.saturating_sub(1);
        }
        Ok(())
    }

    fn comment(&mut self) {
        let span = self.span();
        if self.first_time(span) {
            self.comments.push(span);
        }
    }

    /// Reports text that is no token; returns the token that was meant, if that is clear.
    fn mend(&mut self, error: LexError) -> Option<Tok> {
        let (token, diagnostic) = match error {
            LexError::Unknown => self.unknown(),
            LexError::UnterminatedComment => {
                let Span { start, .. } = self.span();
                let diagnostic = Diagnostic::error(
                    "syntax",
                    Span::new(start, start + 2),
                    "the comment is not closed",
                );
                (
                    None,
                    diagnostic
                        .label("it begins here")
                        .note("close it with `*/`; comments do not nest"),
                )
            }
            LexError::UnterminatedString => {
                let diagnostic =
                    Diagnostic::error("syntax", self.span(), "the string is not closed");
                (
                    Some(Tok::Text),
                    diagnostic
                        .label("it begins here")
                        .note("a string ends on its line, with `\"`"),
                )
            }
        };
        self.complain(diagnostic);
        token
    }

    /// Keeps a complaint about the current token; neighbouring unknown characters are one.
    fn complain(&mut self, diagnostic: Diagnostic) {
        let span = self.span();
        if !self.first_time(span) {
            return;
        }
        if let (Some(last), Some(new)) = (self.diagnostics.last_mut(), diagnostic.span)
            && let Some(before) = &mut last.span
            && before.end == new.start
            && last.code == diagnostic.code
        {
            before.end = new.end;
        } else if self.diagnostics.len() < MAX_COMPLAINTS {
            self.diagnostics.push(diagnostic);
        } else {
            self.dropped += 1;
        }
    }

    /// A character that begins no token.
    fn unknown(&mut self) -> (Option<Tok>, Diagnostic) {
        let c = self.inner.slice().chars().next().unwrap_or(' ');
        if c.is_alphabetic() {
            return (Some(Tok::Ident), self.foreign_name());
        }
        let complaint = Diagnostic::error(
            "unknown-character",
            self.span(),
            format!("{} is no part of the language", character(c)),
        );
        if matches!(c, '“' | '”' | '„' | '«' | '»') {
            self.skip_quoted();
            return (
                Some(Tok::Text),
                complaint.note("strings stand in plain quotes: `\"…\"`"),
            );
        }
        if let Some((token, plain)) = lookalike(c) {
            return (
                Some(token),
                complaint
                    .label(format!("read as `{plain}`"))
                    .note(format!("write `{plain}`")),
            );
        }
        (
            None,
            match hint(c, self.inner.remainder()) {
                Some(hint) => complaint.note(hint),
                None => complaint,
            },
        )
    }

    /// Reads to the end of a name with letters that names cannot have.
    fn foreign_name(&mut self) -> Diagnostic {
        let rest = self.inner.remainder();
        let length = rest
            .find(|c: char| !c.is_alphanumeric() && c != '_')
            .unwrap_or(rest.len());
        self.inner.bump(length);
        let message = "names are made of the letters a to z, digits and `_`";
        Diagnostic::error("name-characters", self.span(), message)
    }

    /// Skips a string in typographic quotes, to its end or that of the line.
    fn skip_quoted(&mut self) {
        let rest = self.inner.remainder();
        let end = rest
            .find(['“', '”', '"', '«', '»', '\n'])
            .unwrap_or(rest.len());
        let quote = rest[end..].chars().next().filter(|&c| c != '\n');
        self.inner.bump(end + quote.map_or(0, char::len_utf8));
    }

    /// The next token without comments and errors.
    fn token(&mut self) -> Option<Tok> {
        loop {
            match self.inner.next()? {
                Ok(Tok::LineComment | Tok::BlockComment) => self.comment(),
                Ok(Tok::Ident) if self.inner.remainder().starts_with(char::is_alphabetic) => {
                    let diagnostic = self.foreign_name();
                    self.complain(diagnostic);
                    return Some(Tok::Ident);
                }
                Ok(Tok::Ident) if self.record_follows() => return Some(Tok::RecordName),
                Ok(Tok::Cover) if self.cover_begins() => return Some(Tok::CoverThat),
                Ok(Tok::LBracket) if self.type_follows() => return Some(Tok::TypeBracket),
                Ok(token) => return Some(token),
                Err(error) => match self.mend(error) {
                    Some(token) => return Some(token),
                    None => continue,
                },
            }
        }
    }
}

impl Iterator for Lexer<'_> {
    type Item = Result<Spanned, TooDeep>;

    fn next(&mut self) -> Option<Self::Item> {
        let token = self.token()?;
        self.before = token;
        let Span { start, end } = self.span();
        Some(self.nest(token).map(|()| (start, token, end)))
    }
}

/// Characters that stand for a token elsewhere: in papers, in word processors, on other keyboards.
fn lookalike(c: char) -> Option<(Tok, &'static str)> {
    Some(match c {
        '∧' | '＆' => (Tok::AndAnd, "&&"),
        '∨' => (Tok::OrOr, "||"),
        '¬' | '！' => (Tok::Not, "!"),
        '≤' => (Tok::LessEq, "<="),
        '≥' => (Tok::GreaterEq, ">="),
        '≠' => (Tok::NotEq, "!="),
        '⇒' | '⟹' => (Tok::Implies, "==>"),
        '⇔' | '⟺' => (Tok::Iff, "<==>"),
        '≔' => (Tok::Assign, ":="),
        '−' | '–' | '—' => (Tok::Minus, "-"),
        '×' | '·' => (Tok::Star, "*"),
        '÷' => (Tok::Slash, "/"),
        '；' => (Tok::Semi, ";"),
        '，' => (Tok::Comma, ","),
        '：' => (Tok::Colon, ":"),
        '（' => (Tok::LParen, "("),
        '）' => (Tok::RParen, ")"),
        _ => return None,
    })
}

/// Advice about a character that has a meaning elsewhere.
fn hint(c: char, behind: &str) -> Option<&'static str> {
    let line = behind.lines().next().unwrap_or("").trim_start();
    let directives = [
        "include", "define", "undef", "if", "pragma", "error", "line",
    ];
    let is_directive = directives.iter().any(|d| line.starts_with(d));
    Some(match c {
        '#' if is_directive && !line.contains(".async") => {
            "a program in C is read from a file whose name ends in `.c` or `.i`"
        }
        '#' => {
            "a comment begins with `//`; the library is made known with `use sync;`, another file with `use \"file.async\";`"
        }
        '?' => "a choice is written `if c then a else b`",
        '\'' => "there are no characters; messages are strings: `\"…\"`",
        '@' | '$' | '\\' | '`' => "names are made of the letters a to z, digits and `_`",
        '\0' => "this does not look like a text",
        _ => return None,
    })
}
