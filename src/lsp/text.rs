//! A text with its places as the protocol counts them: lines from 0, columns in UTF-16 units.
//!
//! A place that the text does not have (behind a line's end, in the middle of a character) means the nearest place before it,
//! as the protocol says.

use std::sync::Arc;

use lsp_types::{Position, Range, TextDocumentContentChangeEvent};

use base::source::Span;

/// A mark is kept after every this many bytes, so that no place needs a walk over a long line.
const STRIDE: usize = 1024;

/// A text, its lines and its columns.
#[derive(Clone, Debug)]
pub struct Text {
    pub text: Arc<str>,
    lines: Vec<usize>,
    /// How many UTF-16 units stand before every `STRIDE`th byte (or the next character's first).
    marks: Vec<usize>,
}

impl Text {
    /// Counts lines and columns.
    #[must_use]
    pub fn new(text: impl Into<Arc<str>>) -> Self {
        let text = text.into();
        let bytes = text.as_bytes();
        let ends = bytes.iter().enumerate().filter(|&(at, &byte)| {
            byte == b'\n' || byte == b'\r' && bytes.get(at + 1) != Some(&b'\n')
        });
        let lines = std::iter::once(0)
            .chain(ends.map(|(at, _)| at + 1))
            .collect();
        let mut marks = Vec::with_capacity(text.len() / STRIDE + 1);
        let mut units = 0;
        for (at, c) in text.char_indices() {
            if at >= marks.len() * STRIDE {
                marks.push(units);
            }
            units += c.len_utf16();
        }
        Self { text, lines, marks }
    }

    /// Returns the first offset at or after a byte at which a character begins.
    fn ceil(&self, mut at: usize) -> usize {
        while !self.text.is_char_boundary(at) {
            at += 1;
        }
        at.min(self.text.len())
    }

    /// How many units stand before an offset.
    fn units(&self, offset: usize) -> usize {
        let Some(last) = self.marks.len().checked_sub(1) else {
            return 0;
        };
        let mark = (offset / STRIDE).min(last);
        // The mark of a stride may stand behind the offset by a part of a character.
        let mark = if self.ceil(mark * STRIDE) > offset {
            mark - 1
        } else {
            mark
        };
        let from = self.ceil(mark * STRIDE);
        let rest = self.text.get(from..offset).unwrap_or("");
        self.marks[mark] + rest.chars().map(char::len_utf16).sum::<usize>()
    }

    /// The offset before which that many units stand.
    fn at_units(&self, units: usize) -> usize {
        let mark = self.marks.partition_point(|&m| m <= units);
        let Some(mark) = mark.checked_sub(1) else {
            return 0;
        };
        let from = self.ceil(mark * STRIDE);
        let mut left = units - self.marks[mark];
        for (at, c) in self.text[from..].char_indices() {
            if c.len_utf16() > left {
                return from + at;
            }
            left -= c.len_utf16();
        }
        self.text.len()
    }

    /// Where a line's text ends, without its line break.
    fn line_end(&self, line: usize) -> usize {
        let end = self.lines.get(line + 1).copied().unwrap_or(self.text.len());
        let start = self.lines[line];
        start + self.text[start..end].trim_end_matches(['\n', '\r']).len()
    }

    /// Whether only blanks stand before an offset in its line.
    #[must_use]
    pub fn begins_line(&self, offset: usize) -> bool {
        let line = self.lines.partition_point(|&s| s <= offset) - 1;
        self.text[self.lines[line]..offset].trim().is_empty()
    }

    #[must_use]
    pub fn offset(&self, place: Position) -> usize {
        let line = place.line as usize;
        let Some(&start) = self.lines.get(line) else {
            return self.text.len();
        };
        let units = self.units(start).saturating_add(place.character as usize);
        self.at_units(units).min(self.line_end(line))
    }

    /// As [`Self::offset`], with the numbers of the tree.
    #[must_use]
    pub fn offset32(&self, place: Position) -> u32 {
        u32::try_from(self.offset(place)).unwrap_or(u32::MAX)
    }

    #[must_use]
    pub fn place(&self, offset: usize) -> Position {
        let mut offset = offset.min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        let line = self.lines.partition_point(|&s| s <= offset) - 1;
        let column = self.units(offset) - self.units(self.lines[line]);
        let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        Position::new(number(line), number(column))
    }

    /// The place of a span.
    #[must_use]
    pub fn range(&self, span: Span) -> Range {
        Range::new(
            self.place(span.start as usize),
            self.place(span.end as usize),
        )
    }

    /// The text after a change.
    #[must_use]
    pub fn changed(&self, change: TextDocumentContentChangeEvent) -> Self {
        let Some(range) = change.range else {
            return Self::new(change.text);
        };
        let (start, end) = (self.offset(range.start), self.offset(range.end));
        let (start, end) = (start.min(end), end.max(start));
        Self::new([&self.text[..start], &change.text, &self.text[end..]].concat())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_count_utf16_units() {
        let text = Text::new("a\u{1F600}b\r\näöü x\nlast");
        for (offset, place) in [
            (0, (0, 0)),
            (1, (0, 1)),
            (5, (0, 3)),
            (6, (0, 4)),
            (8, (1, 0)),
            (14, (1, 3)),
            (17, (2, 0)),
            (21, (2, 4)),
        ] {
            let place = Position::new(place.0, place.1);
            assert_eq!(text.place(offset), place, "{offset}");
            assert_eq!(text.offset(place), offset, "{place:?}");
        }
        // In the middle of a character, behind a line, behind the text.
        assert_eq!(text.offset(Position::new(0, 2)), 1);
        assert_eq!(text.offset(Position::new(0, 99)), 6);
        assert_eq!(text.offset(Position::new(9, 0)), 21);
        assert_eq!(text.offset(Position::new(u32::MAX, u32::MAX)), 21);
    }

    #[test]
    fn long_lines_and_every_offset_go_there_and_back() {
        for piece in ["ab", "é", "\u{1F600}", "x\u{1F600}é€\n", "\r", "\r\nz"] {
            let text = Text::new(piece.repeat(2000));
            for (offset, _) in text.text.char_indices() {
                let behind_return =
                    text.text[..offset].ends_with('\r') && text.text[offset..].starts_with('\n');
                if !behind_return {
                    assert_eq!(text.offset(text.place(offset)), offset, "{piece:?}");
                }
            }
        }
    }

    #[test]
    fn changes_replace_what_they_name() {
        let change = |from: (u32, u32), to: (u32, u32), new: &str| TextDocumentContentChangeEvent {
            range: Some(Range::new(
                Position::new(from.0, from.1),
                Position::new(to.0, to.1),
            )),
            range_length: None,
            text: new.to_owned(),
        };
        let text = Text::new("one\ntwo\n");
        let text = text.changed(change((1, 0), (1, 3), "\u{1F600}2"));
        assert_eq!(&*text.text, "one\n\u{1F600}2\n");
        let text = text.changed(change((1, 2), (1, 3), "3"));
        assert_eq!(&*text.text, "one\n\u{1F600}3\n");
        // Wrong ranges do something, but never harm.
        let text = text.changed(change((7, 0), (0, 0), "x"));
        assert_eq!(&*text.text, "x");
    }
}
