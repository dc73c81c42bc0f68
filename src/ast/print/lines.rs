//! Logical lines: one for each statement, each head of a block, each `}`, each comment of its own line.

use std::ops::Range;

use super::pieces::{Kind, Piece, Role};
use crate::token::Tok;

/// Pieces that are printed together.
#[derive(Debug)]
pub struct Line {
    pub pieces: Range<usize>,
    pub depth: usize,
    /// Whether an empty line stands before it.
    pub blank: bool,
}

/// The logical lines of a text.
#[must_use]
pub fn lines(pieces: &[Piece<'_>]) -> Vec<Line> {
    let mut cutter = Cutter {
        pieces,
        lines: Vec::new(),
        start: 0,
        depth: 0,
        open: Vec::new(),
        block_begins: true,
    };
    for (index, piece) in pieces.iter().enumerate() {
        match piece.tok() {
            None => cutter.comment(index),
            Some(tok) => cutter.token(index, tok),
        }
    }
    cutter.end(pieces.len());
    let mut lines = cutter.lines;
    space_items(&mut lines, pieces);
    lines
}

struct Cutter<'p, 'i> {
    pieces: &'p [Piece<'i>],
    lines: Vec<Line>,
    /// The first piece that is in no line yet.
    start: usize,
    depth: usize,
    /// The roles of open brackets.
    open: Vec<Role>,
    /// Whether the next line is the first of its block.
    block_begins: bool,
}

impl Cutter<'_, '_> {
    /// Ends the line before a piece.
    fn end(&mut self, end: usize) {
        if self.start == end {
            return;
        }
        let first = &self.pieces[self.start];
        let joined = self.block_begins || matches!(first.tok(), Some(Tok::RBrace | Tok::Else));
        let blank = first.breaks >= 2 && !joined;
        self.lines.push(Line {
            pieces: self.start..end,
            depth: self.depth,
            blank,
        });
        self.start = end;
        self.block_begins = false;
    }

    fn comment(&mut self, index: usize) {
        if index > self.start {
            return;
        }
        let comment = &self.pieces[index];
        if comment.breaks == 0
            && let Some(before) = self.lines.last_mut()
        {
            before.pieces.end = index + 1;
            self.start = index + 1;
            return;
        }
        let next = self.pieces.get(index + 1);
        let alone = next.is_none_or(|n| n.breaks > 0 || n.is(Tok::RBrace));
        if comment.kind == Kind::LineComment || alone {
            self.end(index + 1);
        }
    }

    fn token(&mut self, index: usize, tok: Tok) {
        let role = self.pieces[index].role;
        if tok.opens() {
            self.open.push(role);
        } else if tok.closes() {
            self.open.pop();
        }
        match (tok, role) {
            (Tok::LBrace, Role::Block | Role::Clause) => self.open_block(index),
            (Tok::RBrace, Role::Block | Role::Clause) => self.close_block(index, role),
            (Tok::Semi, _)
                if matches!(self.open.last(), None | Some(Role::Block | Role::Clause)) =>
            {
                self.end(index + 1);
            }
            _ => {}
        }
    }

    fn open_block(&mut self, index: usize) {
        if self.empty_block(index).is_none() {
            self.end(index + 1);
            self.depth += 1;
            self.block_begins = true;
        }
    }

    /// Index of the `}` of a block that is `{}` or `{ /* a comment */ }`.
    fn empty_block(&self, open: usize) -> Option<usize> {
        let at = |n: usize| self.pieces.get(open + n);
        let comment = |p: &Piece<'_>| p.kind == Kind::BlockComment && p.breaks == 0;
        let closes = |p: &Piece<'_>| p.is(Tok::RBrace);
        if !at(0).is_some_and(|p| p.is(Tok::LBrace)) {
            None
        } else if at(1).is_some_and(closes) {
            Some(open + 1)
        } else if at(1).is_some_and(comment) && at(2).is_some_and(|p| closes(p) && p.breaks == 0) {
            Some(open + 2)
        } else {
            None
        }
    }

    fn close_block(&mut self, index: usize, role: Role) {
        if !(1..=2).any(|n| index >= n && self.empty_block(index - n) == Some(index)) {
            self.end(index);
            self.depth -= 1;
            self.block_begins = false;
        }
        if !self.goes_on(index, role) {
            self.end(index + 1);
        }
    }

    /// Whether the line goes on behind a `}`: with `else`, or with the head of the operation.
    fn goes_on(&self, index: usize, role: Role) -> bool {
        let inline = |p: &&Piece<'_>| p.kind == Kind::BlockComment && p.breaks == 0;
        let next = self.pieces[index + 1..].iter().find(|p| !inline(p));
        match next.and_then(Piece::tok) {
            Some(Tok::Else) => true,
            Some(_) => role == Role::Clause,
            None => false,
        }
    }
}

/// Puts an empty line before and after procedures, objects and `finally`; comments right above belong to them.
fn space_items(lines: &mut [Line], pieces: &[Piece<'_>]) {
    for index in 1..lines.len() {
        if lines[index].depth > 0 {
            continue;
        }
        let before = &lines[index - 1];
        let after_block = before.depth == 0 && ends_block(before, pieces);
        if after_block && !begins_with(&lines[index], pieces, &[Tok::RBrace, Tok::Else]) {
            lines[index].blank = true;
        }
        if begins_with(
            &lines[index],
            pieces,
            &[Tok::Proc, Tok::Object, Tok::Finally],
        ) {
            let first = first_comment(lines, pieces, index);
            lines[first].blank |= first > 0;
        }
    }
}

/// The first of the comments right above a line; the line itself if there is none.
fn first_comment(lines: &[Line], pieces: &[Piece<'_>], mut index: usize) -> usize {
    while index > 0 && !lines[index].blank {
        let before = &lines[index - 1];
        if before.depth > 0 || !pieces[before.pieces.clone()].iter().all(Piece::is_comment) {
            break;
        }
        index -= 1;
    }
    index
}

/// Whether a line's first token is one of some.
fn begins_with(line: &Line, pieces: &[Piece<'_>], tokens: &[Tok]) -> bool {
    pieces[line.pieces.clone()]
        .iter()
        .find_map(Piece::tok)
        .is_some_and(|t| tokens.contains(&t))
}

/// Whether a line's last token closes a block.
fn ends_block(line: &Line, pieces: &[Piece<'_>]) -> bool {
    let last = pieces[line.pieces.clone()]
        .iter()
        .rev()
        .find(|p| !p.is_comment());
    last.is_some_and(|p| p.is(Tok::RBrace) && p.role == Role::Block)
}
