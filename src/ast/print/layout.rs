//! One logical line on as few lines of text as fit.
//!
//! A line that is too long is broken first before its loosest operators, then inside of
//! brackets, where each element gets its own line (numbers of an array fill lines). Comments
//! break lines where the input has them.

use super::WIDTH;
use super::lines::Line;
use super::pieces::{Kind, Piece, Role};
use crate::token::Tok;

/// Spaces for each block.
const STEP: usize = 2;

/// Further spaces where a line goes on.
const FURTHER: usize = 4;

/// Prints a logical line, with its line break.
pub fn line(line: &Line, pieces: &[Piece<'_>], out: &mut String) {
    let pieces = &pieces[line.pieces.clone()];
    if line.blank {
        out.push('\n');
    }
    let indent = line.depth * STEP;
    out.extend(std::iter::repeat_n(' ', indent));
    let mut layout = Layout {
        pieces,
        partner: partners(pieces),
        edge: edges(pieces),
        breaks: vec![false; pieces.len()],
        out,
        column: indent,
        indent,
        groups: vec![Group {
            close: pieces.len(),
            broken: true,
            fill: true,
            element: false,
            inner: indent + FURTHER,
            further: indent + FURTHER,
            outer: indent,
            last_comma: false,
        }],
    };
    layout.loosen(0);
    for index in 0..pieces.len() {
        layout.piece(index);
    }
    out.push('\n');
}

/// The inside of a bracket, or the line itself.
struct Group {
    /// Index of the closing bracket.
    close: usize,
    /// Whether its elements are on lines of their own.
    broken: bool,
    /// Whether the elements share lines as far as they fit.
    fill: bool,
    /// Whether the next piece begins an element.
    element: bool,
    /// Column of its elements.
    inner: usize,
    /// Column where an element goes on.
    further: usize,
    /// Column of the closing bracket.
    outer: usize,
    /// Whether a comma stands behind the last element too.
    last_comma: bool,
}

/// The content of a bracket.
#[derive(Default)]
struct Inside {
    /// Whether comments break the line there.
    forced: bool,
    /// Whether there are brackets in it.
    nested: bool,
    /// Whether it is `value; length`.
    repeats: bool,
}

struct Layout<'p, 'i, 'o> {
    pieces: &'p [Piece<'i>],
    /// The closing bracket of each opening one.
    partner: Vec<usize>,
    /// Where each piece would begin if all were on one line, and where the last ends.
    edge: Vec<usize>,
    /// Before which pieces the line is broken because it is too long.
    breaks: Vec<bool>,
    out: &'o mut String,
    column: usize,
    /// Column where the current line of text begins.
    indent: usize,
    groups: Vec<Group>,
}

/// Returns for each opening bracket the index of its closing one. Other pieces, and brackets that the line does not close, get the
/// number of pieces.
fn partners(pieces: &[Piece<'_>]) -> Vec<usize> {
    let mut partner = vec![pieces.len(); pieces.len()];
    let mut open = Vec::new();
    for (i, piece) in pieces.iter().enumerate() {
        match piece.tok() {
            Some(t) if t.opens() => open.push(i),
            Some(t) if t.closes() => {
                if let Some(opening) = open.pop() {
                    partner[opening] = i;
                }
            }
            _ => {}
        }
    }
    partner
}

/// Where pieces begin and end on one endless line.
fn edges(pieces: &[Piece<'_>]) -> Vec<usize> {
    let mut edge = Vec::with_capacity(pieces.len() + 1);
    let mut at = 0;
    edge.push(0);
    for (i, piece) in pieces.iter().enumerate() {
        // A comma before a closing bracket is not printed there.
        let width = if is_last_comma(pieces, i) {
            0
        } else {
            piece.text.chars().count()
        };
        at += usize::from(has_space(pieces, i)) + width;
        edge.push(at);
    }
    edge
}

/// Whether a space stands before a piece when both are on one line.
fn has_space(pieces: &[Piece<'_>], index: usize) -> bool {
    let Some(before) = index.checked_sub(1).map(|i| &pieces[i]) else {
        return false;
    };
    let piece = &pieces[index];
    let opens = matches!(before.tok(), Some(Tok::LParen | Tok::LBracket));
    if piece.is_comment() {
        !opens || piece.kind == Kind::LineComment
    } else if before.is_comment() {
        !matches!(
            piece.tok(),
            Some(Tok::Comma | Tok::Semi | Tok::RParen | Tok::RBracket)
        )
    } else {
        piece.space
    }
}

/// Whether a piece is a comma before the closing bracket.
fn is_last_comma(pieces: &[Piece<'_>], index: usize) -> bool {
    let next = || pieces[index + 1..].iter().find_map(Piece::tok);
    pieces[index].is(Tok::Comma) && next().is_some_and(Tok::closes)
}

/// Whether the input's comments break the line before a piece.
fn is_forced(pieces: &[Piece<'_>], index: usize) -> bool {
    let Some(before) = index.checked_sub(1).map(|i| &pieces[i]) else {
        return false;
    };
    let piece = &pieces[index];
    before.kind == Kind::LineComment
        || piece.is_comment() && piece.breaks > 0
        || before.is_comment() && before.breaks > 0 && piece.breaks > 0
}

impl Layout<'_, '_, '_> {
    fn piece(&mut self, index: usize) {
        let piece = self.pieces[index];
        let flat = self.groups.last().is_some_and(|g| !g.broken);
        if flat && is_last_comma(self.pieces, index) {
            return;
        }
        match self.column_for(index) {
            Some(column) => self.new_line(column),
            None if has_space(self.pieces, index) => self.write(" "),
            None => {}
        }
        let begins = self
            .groups
            .last_mut()
            .is_some_and(|g| g.element && !piece.is_comment());
        if begins {
            self.loosen(index);
        }
        if let Some(group) = self.groups.last_mut() {
            group.element &= piece.is_comment();
        }
        self.write(piece.text);
        if self.groups.last().is_some_and(|g| g.close == index) {
            self.groups.pop();
        } else if self.partner[index] < self.pieces.len() {
            return self.open(index);
        }
        if piece.is(Tok::Comma) {
            self.next_element();
        } else if !piece.is_comment() && self.ends_list(index) {
            self.write(",");
            self.next_element();
        }
    }

    fn next_element(&mut self) {
        if let Some(group) = self.groups.last_mut() {
            group.element = group.broken;
        }
    }

    /// The column of a piece if it begins a new line of text.
    fn column_for(&self, index: usize) -> Option<usize> {
        let piece = &self.pieces[index];
        let group = self.groups.last()?;
        let forced = is_forced(self.pieces, index);
        if group.close == index {
            return group.broken.then_some(group.outer);
        }
        if group.element {
            if piece.is_comment() && piece.breaks == 0 {
                return None;
            }
            // The first element stands on a line of its own even where lines are filled.
            let first = index > 0 && self.pieces[index - 1].tok().is_some_and(Tok::opens);
            let full = || self.column + 1 + self.element_width(index) > WIDTH;
            return (forced || first || !group.fill || full()).then_some(group.inner);
        }
        (forced || self.breaks[index]).then_some(group.further)
    }

    /// The width of the element that begins here, with its comma.
    fn element_width(&self, index: usize) -> usize {
        self.edge[self.element_end(index)] - self.edge[index] + 1
    }

    /// Index behind the last token of the element that begins here. Comments behind it do not count: a comma
    /// may come between.
    fn element_end(&self, index: usize) -> usize {
        let close = self.groups.last().map_or(self.pieces.len(), |g| g.close);
        let (mut i, mut end) = (index, index);
        while i < close && !self.pieces[i].is(Tok::Comma) {
            let comment = self.pieces[i].is_comment();
            i = if self.partner[i] < close {
                self.partner[i] + 1
            } else {
                i + 1
            };
            if !comment {
                end = i;
            }
        }
        end
    }

    /// Breaks an element that is too long before its loosest operators.
    fn loosen(&mut self, index: usize) {
        let end = self.element_end(index);
        if self.column + self.edge[end] - self.edge[index] <= WIDTH {
            return;
        }
        let mut loosest = Vec::new();
        let mut level = u8::MAX;
        let mut i = index + 1;
        while i < end {
            if let Some(operator) = self.pieces[i].operator
                && operator <= level
            {
                if operator < level {
                    loosest.clear();
                    level = operator;
                }
                loosest.push(i);
            }
            i = if self.partner[i] < end {
                self.partner[i] + 1
            } else {
                i + 1
            };
        }
        for i in loosest {
            self.breaks[i] = true;
        }
    }

    /// Whether this is the last token of a list that has a comma behind each element.
    fn ends_list(&self, index: usize) -> bool {
        let Some(group) = self.groups.last().filter(|g| g.last_comma) else {
            return false;
        };
        let next = self.pieces[index + 1..]
            .iter()
            .position(|p| !p.is_comment());
        next.is_some_and(|n| index + 1 + n == group.close)
    }

    /// Enters a bracket and decides whether its inside fits.
    fn open(&mut self, open: usize) {
        let close = self.partner[open];
        let role = self.pieces[open].role;
        let inside = self.inspect(open);
        let by_hand = matches!(role, Role::Data | Role::Array) && self.pieces[open + 1].breaks > 0;
        let can_break = !matches!(role, Role::Type | Role::Block | Role::Clause)
            && !self.is_index(open)
            && close > open + 1;
        let in_flat = self.groups.last().is_some_and(|g| !g.broken);
        let fits =
            self.column + self.edge[close + 1] - self.edge[open + 1] + self.tail(close) <= WIDTH;
        let broken = inside.forced || by_hand || can_break && !in_flat && !fits;
        self.groups.push(Group {
            close,
            broken,
            fill: role == Role::Array && !inside.nested,
            element: broken,
            inner: self.indent + STEP,
            further: self.indent + STEP + FURTHER,
            outer: self.indent,
            last_comma: broken && !inside.repeats && matches!(role, Role::Data | Role::Array),
        });
    }

    /// Looks at the pieces that stand directly in a bracket.
    fn inspect(&self, open: usize) -> Inside {
        let close = self.partner[open];
        let mut inside = Inside::default();
        let mut i = open + 1;
        while i <= close {
            inside.forced |= is_forced(self.pieces, i);
            inside.repeats |= self.pieces[i].is(Tok::Semi);
            if self.partner[i] < close {
                inside.nested = true;
                i = self.partner[i];
            }
            i += 1;
        }
        inside
    }

    /// Whether a bracket is an index: breaking there would be of no use.
    fn is_index(&self, open: usize) -> bool {
        self.pieces[open].is(Tok::LBracket) && self.pieces[open].role == Role::Plain
    }

    /// The width of the pieces that follow a bracket without a space, and of a `{` behind them.
    fn tail(&self, close: usize) -> usize {
        let mut end = close + 1;
        while end < self.pieces.len() && !has_space(self.pieces, end) {
            end += 1;
        }
        if self.pieces.get(end).is_some_and(|p| p.is(Tok::LBrace)) {
            end += 1;
        }
        self.edge[end] - self.edge[close + 1]
    }

    fn write(&mut self, text: &str) {
        if text.contains('\r') {
            self.out.push_str(&text.replace("\r\n", "\n"));
        } else {
            self.out.push_str(text);
        }
        match text.rfind('\n') {
            Some(n) => self.column = text[n + 1..].chars().count(),
            None => self.column += text.chars().count(),
        }
    }

    fn new_line(&mut self, column: usize) {
        self.out.push('\n');
        self.out.extend(std::iter::repeat_n(' ', column));
        self.column = column;
        self.indent = column;
    }
}
