//! Where text comes from: files laid end to end in one space of offsets.
//!
//! A [`Span`] is two offsets into that space, so that a place in the standard
//! library and a place in the user's file are told apart without a file id in
//! every node. This module knows bytes and lines, and nothing of the language.

use std::io::{self, Read};
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

/// Bytes that are no text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotText {
    /// What is wrong, with its place in words.
    pub message: String,
    /// Line of the first wrong byte, from 1.
    pub line: u32,
    /// Its offset in the file.
    pub offset: usize,
}

/// Larger files are refused before they fill the memory.
const MOST_BYTES: u64 = 1 << 30;

/// The bytes of a file.
///
/// # Errors
/// When it cannot be read, is a folder, or is larger than 1 GiB.
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    if std::fs::metadata(path)?.is_dir() {
        return Err(io::Error::other("it is a directory"));
    }
    read_from(std::fs::File::open(path)?)
}

/// Returns the bytes of a file that is open already.
///
/// # Errors
/// When it cannot be read, or is larger than 1 GiB.
pub fn read_from(file: impl Read) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.take(MOST_BYTES + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > MOST_BYTES {
        return Err(io::Error::other("it is larger than 1 GiB"));
    }
    Ok(bytes)
}

/// The text of a file's bytes: UTF-8, without a byte order mark. Line ends may be those of Windows.
///
/// # Errors
/// When the bytes are a compiled program (ELF), are not UTF-8, or contain NUL.
pub fn decode(bytes: Vec<u8>) -> Result<String, NotText> {
    if bytes.starts_with(b"\x7fELF") {
        return Err(NotText {
            message: "the file is a compiled program: `dbverify run` runs it".to_owned(),
            line: 1,
            offset: 0,
        });
    }
    let mut text = String::from_utf8(bytes).map_err(|error| {
        let offset = error.utf8_error().valid_up_to();
        not_text(
            error.as_bytes(),
            offset,
            "the file is not UTF-8: a wrong byte",
        )
    })?;
    check(&text)?;
    if text.starts_with('\u{feff}') {
        text.drain(..'\u{feff}'.len_utf8());
    }
    Ok(text)
}

fn not_text(bytes: &[u8], offset: usize, what: &str) -> NotText {
    let line = 1 + bytes[..offset].iter().filter(|&&b| b == b'\n').count();
    let message = format!("{what} in line {line}, at byte {offset}");
    NotText {
        message,
        line: u32::try_from(line).unwrap_or(u32::MAX),
        offset,
    }
}

/// Checks whether characters are those of a text.
///
/// # Errors
/// When there is a NUL.
pub fn check(text: &str) -> Result<(), NotText> {
    match text.find('\0') {
        Some(offset) => Err(not_text(
            text.as_bytes(),
            offset,
            "the file is no text: a NUL byte",
        )),
        None => Ok(()),
    }
}

/// A half-open range of byte offsets in a [`SourceMap`].
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    Hash,
    PartialOrd,
    Ord,
    serde::Serialize,
    serde::Deserialize,
)]
pub struct Span {
    /// Offset of the first byte.
    pub start: u32,
    /// Offset one past the last byte.
    pub end: u32,
}

impl Span {
    /// The range `start..end`.
    #[must_use]
    pub const fn new(start: u32, end: u32) -> Self {
        Self { start, end }
    }

    /// The smallest span that covers both.
    #[must_use]
    pub fn to(self, other: Self) -> Self {
        Self {
            start: self.start.min(other.start),
            end: self.end.max(other.end),
        }
    }
}

/// Whose text a file is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    User,
    /// A file of a library that dbverify carries.
    Library,
}

/// One file of the program.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// The name to show: the path as the user gave it, `<stdin>` or `std/sync.async`.
    pub name: String,
    pub text: Arc<str>,
    pub origin: Origin,
    /// Offset of the file's first byte in the map.
    pub start: u32,
    /// Offsets of the first byte of each line, relative to the file.
    line_starts: Vec<u32>,
}

impl SourceFile {
    /// Returns the name without folders; a library's name also loses its extension.
    #[must_use]
    pub fn short_name(&self) -> &str {
        let path = Path::new(&self.name);
        let name = match self.origin {
            Origin::User => path.file_name(),
            Origin::Library => path.file_stem(),
        };
        name.and_then(|n| n.to_str()).unwrap_or(&self.name)
    }

    /// Offset one past the last byte in the map.
    #[must_use]
    pub fn end(&self) -> u32 {
        self.start + u32::try_from(self.text.len()).unwrap_or(u32::MAX)
    }

    /// The line (from 1) in which a byte of the file lies.
    #[must_use]
    pub fn line_at(&self, local: usize) -> u32 {
        let lines = self.line_starts.partition_point(|&s| s as usize <= local);
        u32::try_from(lines).unwrap_or(u32::MAX)
    }

    /// The bytes of a line (from 1), with its line break; empty after the last.
    #[must_use]
    pub fn line_range(&self, line: u32) -> Range<usize> {
        let start = |line: usize| {
            self.line_starts
                .get(line)
                .map_or(self.text.len(), |&n| n as usize)
        };
        start((line as usize).saturating_sub(1))..start(line as usize)
    }

    /// The text of a line (from 1), without its line break.
    #[must_use]
    pub fn line_text(&self, line: u32) -> &str {
        self.text[self.line_range(line)].trim_end_matches(['\n', '\r'])
    }
}

/// A place that a person can find: file, line and column (both from 1, the column in characters).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    pub file: String,
    pub line: u32,
    /// Column in characters, from 1.
    pub column: u32,
}

/// All files of one program.
#[derive(Clone, Debug, Default)]
pub struct SourceMap {
    files: Vec<SourceFile>,
}

impl SourceMap {
    /// A map with nothing in it.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a file of the user's; returns the offset of its first byte.
    ///
    /// # Errors
    /// When all files together would not fit into 32-bit offsets.
    pub fn add(
        &mut self,
        name: impl Into<String>,
        text: impl Into<Arc<str>>,
    ) -> Result<u32, String> {
        self.add_of(Origin::User, name, text)
    }

    /// Adds a file; returns the offset of its first byte.
    ///
    /// # Errors
    /// When all files together would not fit into 32-bit offsets.
    pub fn add_of(
        &mut self,
        origin: Origin,
        name: impl Into<String>,
        text: impl Into<Arc<str>>,
    ) -> Result<u32, String> {
        let text = text.into();
        // One byte between files: the end of one is never the start of the next.
        let start = self.files.last().map_or(0, |f| f.end().saturating_add(1));
        if u32::try_from(text.len())
            .ok()
            .and_then(|n| n.checked_add(start))
            .is_none_or(|end| end == u32::MAX)
        {
            return Err("the program is larger than 4 GiB".to_owned());
        }
        let breaks = text.bytes().enumerate().filter(|&(_, b)| b == b'\n');
        #[allow(
            clippy::cast_possible_truncation,
            reason = "the length was checked above"
        )]
        let line_starts = std::iter::once(0)
            .chain(breaks.map(|(i, _)| i as u32 + 1))
            .collect();
        self.files.push(SourceFile {
            name: name.into(),
            text,
            origin,
            start,
            line_starts,
        });
        Ok(start)
    }

    /// All files, in the order of their offsets.
    #[must_use]
    pub fn files(&self) -> &[SourceFile] {
        &self.files
    }

    /// Returns the user's files without the first one, which uses them.
    pub fn used(&self) -> impl Iterator<Item = &SourceFile> {
        let others = self.files.iter().skip(1);
        others.filter(|file| file.origin == Origin::User)
    }

    /// The file that holds an offset.
    #[must_use]
    pub fn file_of(&self, offset: u32) -> Option<&SourceFile> {
        let after = self.files.partition_point(|f| f.start <= offset);
        self.files.get(after.checked_sub(1)?)
    }

    /// Whether a span lies in a file of the user's.
    #[must_use]
    pub fn is_users(&self, span: Span) -> bool {
        let file = self.file_of(span.start);
        file.is_some_and(|f| f.origin == Origin::User) && span != Span::default()
    }

    /// Where a span begins.
    #[must_use]
    pub fn locate(&self, span: Span) -> Option<Location> {
        let file = self.file_of(span.start)?;
        let local = (span.start - file.start).min(u32::try_from(file.text.len()).ok()?);
        let line = file.line_at(local as usize);
        let from = file.line_range(line).start;
        let column = file
            .text
            .get(from..local as usize)
            .map_or(0, |t| t.chars().count())
            + 1;
        Some(Location {
            file: file.name.clone(),
            line,
            column: u32::try_from(column).ok()?,
        })
    }

    /// The line (from 1) in which a span begins; 0 for a span of no file.
    #[must_use]
    pub fn line(&self, span: Span) -> u32 {
        self.locate(span).map_or(0, |l| l.line)
    }

    /// The name of a file, with its folders only where another file has the same name.
    #[must_use]
    pub fn clear_name<'s>(&'s self, file: &'s SourceFile) -> &'s str {
        let short = file.short_name();
        let mut others = self.files.iter().filter(|other| other.name != file.name);
        match others.any(|other| other.short_name() == short) {
            true => &file.name,
            false => short,
        }
    }

    /// The line in words, with its file if that is not the first one of the user's.
    #[must_use]
    pub fn line_in_words(&self, span: Span) -> String {
        let line = self.line(span);
        match self.file_of(span.start) {
            Some(file) if !self.is_in_first(span) => format!("line {line} of {}", file.name),
            _ => format!("line {line}"),
        }
    }

    /// Whether a span lies in the first file of the user's.
    #[must_use]
    pub fn is_in_first(&self, span: Span) -> bool {
        let mut own = self.files.iter().filter(|f| f.origin == Origin::User);
        let (first, file) = (own.next(), self.file_of(span.start));
        first
            .zip(file)
            .is_some_and(|(first, file)| first.start == file.start)
    }

    /// The text under a span; empty if it lies in no file.
    #[must_use]
    pub fn text(&self, span: Span) -> &str {
        self.file_of(span.start)
            .and_then(|f| {
                f.text
                    .get((span.start - f.start) as usize..span.end.checked_sub(f.start)? as usize)
            })
            .unwrap_or("")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_of_two_files_are_told_apart() {
        let mut map = SourceMap::new();
        assert_eq!(map.add("a", "one\ntwo"), Ok(0));
        let b = map.add("b", "drei\nvier").unwrap();
        assert_eq!(b, 8);
        let at = |s, e| {
            map.locate(Span::new(s, e))
                .map(|l| (l.file, l.line, l.column))
        };
        assert_eq!(at(4, 7), Some(("a".into(), 2, 1)));
        assert_eq!(at(b + 6, b + 7), Some(("b".into(), 2, 2)));
        assert_eq!(map.text(Span::new(b + 5, b + 9)), "vier");
        assert_eq!(map.files()[0].line_text(1), "one");
        assert_eq!(map.files()[1].line_text(2), "vier");
    }

    #[test]
    fn only_text_is_decoded() {
        assert_eq!(
            decode(b"\xef\xbb\xbfvar x: int;\r\n".to_vec()).as_deref(),
            Ok("var x: int;\r\n")
        );
        let error = decode(b"one\ntwo\n\xff".to_vec()).unwrap_err();
        assert_eq!((error.line, error.offset), (3, 8));
        let error = decode(b"one\ntw\0o".to_vec()).unwrap_err();
        assert_eq!(
            error.message,
            "the file is no text: a NUL byte in line 2, at byte 6"
        );
    }

    #[test]
    fn columns_count_characters() {
        let mut map = SourceMap::new();
        map.add("a", "äöü x").unwrap();
        assert_eq!(map.locate(Span::new(7, 8)).unwrap().column, 5);
    }
}
