//! The place of a syntax error: the tokens of the broken item and what the grammar expected.
//!
//! Answers the questions that messages and repairs ask: which bracket is open here, where
//! does this statement begin and end, does a new line begin.

use std::ops::Range;

use crate::lexer::Spanned;
use crate::token::Tok;
use base::source::Span;

/// Where and why the grammar gave up.
#[derive(Debug)]
pub struct Failure {
    /// Index of the token that does not fit; the number of tokens if one is missing at the end.
    pub at: usize,
    /// The tokens that would have fitted, by the names that the grammar gives them.
    pub expected: Vec<String>,
}

/// A syntax error in its surroundings.
#[derive(Debug)]
pub struct Site<'a> {
    text: &'a str,
    base: u32,
    tokens: &'a [Spanned],
    /// Index of the token that does not fit.
    pub at: usize,
    expected: &'a [String],
    /// Indices of the brackets that are open before `at`.
    open: Vec<usize>,
    /// Index of the first token of the statement, member or item that `at` belongs to.
    pub start: usize,
}

impl<'a> Site<'a> {
    /// The place of `failure` among the tokens of an item of `text`.
    #[must_use]
    pub fn new(text: &'a str, base: u32, tokens: &'a [Spanned], failure: &'a Failure) -> Self {
        let at = failure.at;
        let open = open_brackets(&tokens[..at]);
        let mut site = Self {
            text,
            base,
            tokens,
            at,
            expected: &failure.expected,
            open,
            start: 0,
        };
        site.start = site.statement_start();
        site
    }

    /// The tokens of the item.
    #[must_use]
    pub fn tokens(&self) -> &'a [Spanned] {
        self.tokens
    }

    /// The token at an index.
    #[must_use]
    pub fn tok(&self, index: usize) -> Option<Tok> {
        self.tokens.get(index).map(|t| t.1)
    }

    /// The token that does not fit; none at the end.
    #[must_use]
    pub fn found(&self) -> Option<Tok> {
        self.tok(self.at)
    }

    /// The token `n` before the one that does not fit.
    #[must_use]
    pub fn before(&self, n: usize) -> Option<Tok> {
        self.tok(self.at.checked_sub(n)?)
    }

    /// The token `n` after the one that does not fit.
    #[must_use]
    pub fn after(&self, n: usize) -> Option<Tok> {
        self.tok(self.at + n)
    }

    /// Whether a token of this name would have fitted.
    #[must_use]
    pub fn wants(&self, name: &str) -> bool {
        self.expected.iter().any(|e| e.trim_matches('"') == name)
    }

    /// Whether an operand would have fitted.
    #[must_use]
    pub fn wants_expression(&self) -> bool {
        self.wants("a number")
    }

    /// Whether a statement could begin here.
    #[must_use]
    pub fn wants_statement(&self) -> bool {
        self.wants("skip")
    }

    /// The names of the tokens that would have fitted.
    pub fn expected(&self) -> impl Iterator<Item = &str> {
        self.expected.iter().map(|e| e.trim_matches('"'))
    }

    /// Where a token stands; behind the last one for an index after the end.
    #[must_use]
    pub fn span(&self, index: usize) -> Span {
        match self.tokens.get(index) {
            Some(&(start, _, end)) => Span::new(start, end),
            None => self.behind(self.tokens.len()),
        }
    }

    /// The place right behind the token before an index.
    #[must_use]
    pub fn behind(&self, index: usize) -> Span {
        let end = index
            .checked_sub(1)
            .and_then(|i| self.tokens.get(i))
            .map_or(self.base, |t| t.2);
        Span::new(end, end)
    }

    /// The text of a token, or the beginning of a very long one.
    #[must_use]
    pub fn word(&self, index: usize) -> &'a str {
        let Span { start, end } = self.span(index);
        let end = end.min(start + 60);
        // Only strings and misspelt names have other than ASCII characters.
        self.text
            .get((start - self.base) as usize..(end - self.base) as usize)
            .unwrap_or("…")
    }

    /// The text between two tokens.
    fn gap(&self, index: usize) -> &'a str {
        let from = self.behind(index).start.max(self.base) - self.base;
        let to = self.span(index).start.max(self.base) - self.base;
        self.text.get(from as usize..to as usize).unwrap_or("")
    }

    /// Whether a token is the first of its line.
    #[must_use]
    pub fn begins_line(&self, index: usize) -> bool {
        index >= self.tokens.len() || index == 0 || self.gap(index).contains('\n')
    }

    /// Whether two tokens follow each other without a gap.
    #[must_use]
    pub fn touches(&self, index: usize) -> bool {
        index < self.tokens.len() && self.gap(index).is_empty()
    }

    /// The innermost bracket that is open at the error.
    #[must_use]
    pub fn innermost(&self) -> Option<usize> {
        self.open.last().copied()
    }

    /// The brackets that are open at the error, outermost first.
    #[must_use]
    pub fn open(&self) -> &[usize] {
        &self.open
    }

    /// Columns before the first character of the line in which a token stands.
    fn indent(&self, index: usize) -> usize {
        let offset = (self.span(index).start - self.base) as usize;
        let line = self.text[..offset].rfind('\n').map_or(0, |n| n + 1);
        self.text[line..]
            .find(|c| c != ' ' && c != '\t')
            .unwrap_or(0)
    }

    /// The brace that most likely has no partner: one whose `}` is
    /// indented less than the line of its `{`, or the innermost open one.
    #[must_use]
    pub fn suspicious_brace(&self) -> Option<usize> {
        let mut stack = Vec::new();
        for (i, &(_, tok, _)) in self.tokens.iter().enumerate() {
            match tok {
                Tok::LBrace => stack.push(i),
                Tok::RBrace => {
                    let Some(opening) = stack.pop() else { continue };
                    if self.begins_line(i) && self.indent(i) < self.indent(opening) {
                        return Some(opening);
                    }
                }
                _ => {}
            }
        }
        stack.pop()
    }

    /// Whether every brace of the item has a partner.
    #[must_use]
    pub fn is_balanced(&self) -> bool {
        open_brackets(self.tokens).is_empty()
    }

    /// Whether the error follows an operand inside of an expression.
    #[must_use]
    pub fn in_expression(&self) -> bool {
        let operand = match self.before(1) {
            Some(
                Tok::Number | Tok::True | Tok::False | Tok::Star | Tok::RParen | Tok::RBracket,
            ) => true,
            Some(t) => t.is_name(),
            None => false,
        };
        let bracketed = self
            .innermost()
            .is_some_and(|i| i >= self.start && self.tok(i) != Some(Tok::LBrace));
        let first = if self.tok(self.start) == Some(Tok::Else) {
            self.start + 1
        } else {
            self.start
        };
        let header = matches!(
            self.tok(first),
            Some(
                Tok::If
                    | Tok::While
                    | Tok::For
                    | Tok::Await
                    | Tok::Assert
                    | Tok::Assume
                    | Tok::Return
                    | Tok::Op
            )
        );
        operand && (header || bracketed || self.value_in(self.start..self.at).is_some())
    }

    /// The text from the beginning of the line in which the statement begins up to the error.
    #[must_use]
    pub fn statement_so_far(&self) -> Span {
        let start = self.span(self.start).start;
        let line = self.text[..(start - self.base) as usize]
            .rfind('\n')
            .map_or(0, |n| n + 1);
        let end = if self.found().is_none() {
            u32::MAX
        } else {
            self.span(self.at).end
        };
        #[allow(clippy::cast_possible_truncation, reason = "at most `start`")]
        Span::new(self.base + line as u32, end)
    }

    /// Whether the `{` at an index belongs to a type or a value, not to a block.
    #[must_use]
    pub fn holds_data(&self, index: usize) -> bool {
        let before = index.checked_sub(1).and_then(|i| self.tok(i));
        matches!(before, Some(Tok::Enum | Tok::Record | Tok::RecordName))
    }

    fn statement_start(&self) -> usize {
        let block = self
            .open
            .iter()
            .rev()
            .find(|&&i| self.tok(i) == Some(Tok::LBrace) && !self.holds_data(i));
        let first = block.map_or(0, |&i| i + 1);
        let mut start = first;
        let mut depth = 0_usize;
        for i in first..self.at {
            let tok = self.tokens[i].1;
            if tok.opens() {
                depth += 1;
            } else if tok.closes() {
                depth = depth.saturating_sub(1);
            }
            let ends = match tok {
                Tok::Semi => depth == 0,
                Tok::Invalid => i == start,
                Tok::RBrace => depth == 0 && self.ends_with_brace(i),
                _ => false,
            };
            if ends {
                start = i + 1;
            }
        }
        start
    }

    /// Whether a statement or member ends with the `}` at an index: nothing follows that continues it.
    fn ends_with_brace(&self, index: usize) -> bool {
        use Tok::{Assign, Else, Enqueue, Equals, LBrace, Semi, Spurious, When};
        !matches!(
            self.tok(index + 1),
            Some(Else | When | Enqueue | Spurious | LBrace | Semi | Assign | Equals)
        ) && self
            .tok(index + 1)
            .is_none_or(|t| t != Tok::Comma && !t.closes() || t == Tok::RBrace)
    }

    /// Index one past the last token of the statement or member that begins at `from`; not before `at`.
    #[must_use]
    pub fn statement_end(&self, from: usize, at: usize) -> usize {
        let mut open: Vec<Tok> = Vec::new();
        let mut braces = 0_usize;
        for i in from..self.tokens.len() {
            let tok = self.tokens[i].1;
            match tok {
                Tok::Semi if i >= at && braces == 0 && open.last() != Some(&Tok::LBracket) => {
                    return i + 1;
                }
                Tok::RBrace if braces == 0 && i >= at => return i,
                Tok::RBrace if braces == 0 => {}
                Tok::RBrace => {
                    while open.pop().is_some_and(|t| t != Tok::LBrace) {}
                    braces -= 1;
                    if i >= at && open.is_empty() && self.ends_with_brace(i) {
                        return i + 1;
                    }
                }
                _ if tok.opens() => {
                    open.push(tok);
                    braces += usize::from(tok == Tok::LBrace);
                }
                _ if tok.closes() => drop(open.pop_if(|t| t.closing() == tok)),
                _ if i > at && braces == 0 && self.begins_line(i) && self.begins_anew(i) => {
                    return i;
                }
                _ => {}
            }
        }
        self.tokens.len()
    }

    /// Whether the word at an index begins a statement, member or item.
    fn begins_anew(&self, index: usize) -> bool {
        self.tok(index).is_some_and(|t| {
            t.begins_statement()
                || t.begins_item()
                || matches!(t, Tok::If | Tok::Call | Tok::Post | Tok::Op)
        })
    }

    /// Index of the `{` of a block between two indices, outside of brackets.
    #[must_use]
    pub fn block_in(&self, range: Range<usize>) -> Option<usize> {
        let mut depth = 0_usize;
        for i in range {
            let tok = self.tok(i)?;
            if tok == Tok::LBrace && depth == 0 && !self.holds_data(i) {
                return Some(i);
            }
            if tok.opens() {
                depth += 1;
            } else if tok.closes() {
                depth = depth.checked_sub(1)?;
            }
        }
        None
    }

    /// Index of the last `when` between two indices.
    #[must_use]
    pub fn guard_in(&self, range: Range<usize>) -> Option<usize> {
        range.rev().find(|&i| self.tok(i) == Some(Tok::When))
    }

    /// Index of the `:=` or `=` that gives a declaration its value, between two indices.
    #[must_use]
    pub fn value_in(&self, range: Range<usize>) -> Option<usize> {
        let mut depth = 0_usize;
        for i in range {
            let tok = self.tok(i)?;
            if depth == 0 && matches!(tok, Tok::Assign | Tok::Equals) {
                return Some(i);
            }
            if tok.opens() {
                depth += 1;
            } else if tok.closes() {
                depth = depth.saturating_sub(1);
            }
        }
        None
    }
}

/// Indices of the brackets that some tokens leave open.
#[must_use]
pub fn open_brackets(tokens: &[Spanned]) -> Vec<usize> {
    let mut open: Vec<usize> = Vec::new();
    for (i, &(_, tok, _)) in tokens.iter().enumerate() {
        if tok.opens() {
            open.push(i);
        } else if tok.closes() {
            // A bracket that closes no open one of its kind is ignored.
            if let Some(n) = open.iter().rposition(|&o| tokens[o].1.closing() == tok) {
                open.truncate(n);
            }
        }
    }
    open
}
