//! The broken item: isolated, mended token by token, and read as far as it goes.
//!
//! The parser stops at the first token that does not fit. Then the item it stands in is cut
//! out of the text, and the grammar tries it again and again: each time the error is
//! reported and the tokens are edited ([`advice`]) so that the next attempt gets
//! further, until the item parses or the whole of it is given up.

mod advice;
mod expected;
mod expressions;
mod items;
mod site;
mod statements;

use self::advice::{Edit, advise, skip};
use self::site::{Failure, Site};
use super::builder::Builder;
use super::lexer::{Lexer, Spanned, TooDeep};
use super::parser::{Stopped, run};
use super::symbol::Symbol;
use super::token::Tok;
use base::diagnostic::Diagnostic;

/// How many syntax errors are reported; further ones are only counted.
pub const MAX_ERRORS: usize = 50;

/// How many further broken items are read, only to count them.
const MAX_COUNTED: usize = 1000;

/// The results of recovery so far.
#[derive(Debug, Default)]
pub struct Recovery {
    pub diagnostics: Vec<Diagnostic>,
    /// Broken items that were only counted.
    pub uncounted: usize,
    /// Names declared in text that was given up.
    pub lost: Vec<Symbol>,
    /// Tokens read again so far, and the limit of that: each item raises the limit by its length.
    spent: usize,
    budget: usize,
}

impl Recovery {
    /// Whether it is time to stop reading.
    #[must_use]
    pub fn exhausted(&self) -> bool {
        self.uncounted >= MAX_COUNTED
    }

    /// Reads the item behind the last complete one: repairs it until it parses, or gives it up.
    ///
    /// # Errors
    /// When it is nested too deeply.
    pub fn item(
        &mut self,
        lexer: &mut Lexer<'_>,
        builder: &mut Builder<'_>,
    ) -> Result<(), TooDeep> {
        let from = builder.roll_back();
        lexer.rewind(from);
        let item = isolate(lexer, builder)?;
        if let Some(&(.., end)) = item.last() {
            self.mend(item, lexer, builder)?;
            lexer.rewind(end);
        }
        Ok(())
    }

    fn mend(
        &mut self,
        mut tokens: Vec<Spanned>,
        lexer: &Lexer<'_>,
        builder: &mut Builder<'_>,
    ) -> Result<(), TooDeep> {
        self.budget += 4 * tokens.len() + 100_000;
        // The index up to which the last edit reaches, and how often an edit did not help.
        let mut edited: usize = 0;
        let mut stuck = 0;
        let mut done = builder.roll_back();
        loop {
            let Some(failure) = self.attempt(&tokens, builder)? else {
                return Ok(());
            };
            let before = std::mem::replace(&mut done, builder.roll_back());
            let complete = tokens[..failure.at].partition_point(|t| t.2 <= done);
            if before < done && complete > 0 {
                // The mended tokens are an item now, and in the tree. The rest begins another item.
                tokens.drain(..complete);
                edited = edited.saturating_sub(complete);
                continue;
            }
            let site = Site::new(builder.text(), builder.base(), &tokens, &failure);
            let edit = if self.diagnostics.len() >= MAX_ERRORS || self.spent > self.budget {
                self.uncounted += 1;
                whole(&tokens)
            } else if edited > 0
                && (failure.at < edited || failure.at == edited && failure.at != site.start)
            {
                stuck += 1;
                if stuck == 1 {
                    skip(&site)
                } else {
                    whole(&tokens)
                }
            } else {
                stuck = 0;
                let finding = advise(&site);
                // An error behind characters that the lexer left out is their consequence.
                if !lexer.complained_in(site.statement_so_far()) {
                    self.diagnostics.push(finding.diagnostic);
                }
                finding.edit
            };
            edited = self.apply(edit, &mut tokens, builder);
        }
    }

    /// Tries to read the tokens as items.
    fn attempt(
        &mut self,
        tokens: &[Spanned],
        builder: &mut Builder<'_>,
    ) -> Result<Option<Failure>, TooDeep> {
        let mut read = 0;
        let stream = tokens.iter().map(|&t| {
            read += 1;
            Ok(t)
        });
        let result = run(builder, stream);
        self.spent += read;
        match result {
            Ok(()) => Ok(None),
            Err(Stopped::TooDeep(error)) => Err(error),
            Err(Stopped::Unexpected {
                end: true,
                expected,
            }) => Ok(Some(Failure {
                at: tokens.len(),
                expected,
            })),
            Err(Stopped::Unexpected {
                end: false,
                expected,
            }) => Ok(Some(Failure {
                at: read - 1,
                expected,
            })),
        }
    }

    /// Applies an edit and remembers the names declared in tokens that are given up. Returns the index behind the edit.
    fn apply(&mut self, edit: Edit, tokens: &mut Vec<Spanned>, builder: &mut Builder<'_>) -> usize {
        let Edit { range, with } = edit;
        let behind = range.start + with.len();
        if with.iter().any(|t| t.1 == Tok::Invalid) {
            self.lost.extend(declared(&tokens[range.clone()], builder));
        }
        tokens.splice(range, with);
        behind
    }
}

/// Gives up all of an item.
fn whole(tokens: &[Spanned]) -> Edit {
    let start = tokens.first().map_or(0, |t| t.0);
    let end = tokens.last().map_or(start, |t| t.2);
    Edit {
        range: 0..tokens.len(),
        with: vec![(start, Tok::Invalid, end)],
    }
}

/// Names that tokens declare.
fn declared(tokens: &[Spanned], builder: &mut Builder<'_>) -> Vec<Symbol> {
    let mut names = Vec::new();
    let mut declares = false;
    for (i, &(start, tok, end)) in tokens.iter().enumerate() {
        declares = match tok {
            Tok::Var | Tok::Let | Tok::Const | Tok::Type | Tok::Proc | Tok::Object | Tok::For => {
                true
            }
            Tok::Enum => tokens.get(i + 1).is_some_and(|t| t.1 == Tok::LBrace),
            Tok::Op if !declares => tokens.get(i + 1).is_some_and(|t| t.1.is_name()),
            Tok::LBrace | Tok::Comma => declares,
            _ if tok.is_name() && declares => {
                names.push(builder.name(start, end).symbol);
                true
            }
            _ => false,
        };
    }
    names
}

/// The tokens of the item that begins where the lexer stands.
fn isolate(lexer: &mut Lexer<'_>, builder: &Builder<'_>) -> Result<Vec<Spanned>, TooDeep> {
    let mut item = Boundary::default();
    let mut tokens = Vec::new();
    let mut ahead = lexer.next().transpose()?;
    while let Some(token) = ahead {
        if item.ends_before(token, builder) {
            break;
        }
        tokens.push(token);
        ahead = lexer.next().transpose()?;
        if item.ends_after(token.1, ahead.map(|t| t.1)) {
            break;
        }
    }
    Ok(tokens)
}

/// Where an item ends, as far as tokens alone can say.
#[derive(Debug, Default)]
struct Boundary {
    first: Option<Tok>,
    /// Whether only the first token was read. The next one names the item, even if it is a word that begins items.
    unnamed: bool,
    depth: usize,
    /// The token before.
    last: Option<Tok>,
    /// Whether the parentheses of an object type's parameters are open.
    in_parameters: bool,
    /// Square brackets open: a `;` in them ends nothing.
    brackets: usize,
}

impl Boundary {
    /// Whether the next item begins with this token.
    fn ends_before(&self, (start, tok, _): Spanned, builder: &Builder<'_>) -> bool {
        let Some(first) = self.first else {
            return false;
        };
        if self.depth > 0 {
            // A brace is missing: nothing inside of an item begins like an item at the margin.
            return (tok.begins_only_items() || tok == Tok::Proc) && builder.at_margin(start);
        }
        if self.unnamed && first.names_next() && tok.is_keyword() && !builder.first_of_line(start) {
            return false;
        }
        // This `type` belongs to a parameter of an object type.
        if tok == Tok::Type
            && (self.last == Some(Tok::Colon) || self.in_parameters && !builder.at_margin(start))
        {
            return false;
        }
        let garbage = !first.begins_item();
        tok.begins_only_items()
            || tok == Tok::Proc
            || (tok == Tok::Var && (!garbage || builder.at_margin(start)))
    }

    /// Whether the item ends with this token.
    fn ends_after(&mut self, tok: Tok, next: Option<Tok>) -> bool {
        self.unnamed = self.first.is_none();
        let first = *self.first.get_or_insert(tok);
        self.last = Some(tok);
        self.in_parameters = first == Tok::Object
            && self.depth == 0
            && (tok == Tok::LParen || self.in_parameters && tok != Tok::RParen);
        match tok {
            Tok::LBrace => self.depth += 1,
            Tok::RBrace => {
                self.depth = self.depth.saturating_sub(1);
                let block = matches!(first, Tok::Proc | Tok::Object | Tok::Finally);
                return self.depth == 0 && block && next != Some(Tok::Else);
            }
            Tok::LBracket => self.brackets += 1,
            Tok::RBracket => self.brackets = self.brackets.saturating_sub(1),
            Tok::Semi => return self.depth == 0 && self.brackets == 0 && first.begins_item(),
            _ => {}
        }
        false
    }
}
