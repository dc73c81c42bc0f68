//! From preprocessed text back to the files that it was made of.
//!
//! The preprocessor says of each line which line of which file it comes from (`# 12 "file.c" 2`), and nothing of
//! columns: macros have moved them. So a token is looked for in that line, from left to right; a token that does not
//! stand there came out of a macro, and its place is the word at which the search has arrived, the macro's name, or
//! else the token before.

use std::ops::Range;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use base::{
    source,
    source::{SourceFile, SourceMap, Span},
};

/// A file that a marker names.
pub struct Loaded {
    pub owner: source::Origin,
    /// The name to show.
    pub name: String,
    pub text: String,
}

/// Gives the file that a marker names; `None` if there is no such file.
pub type Load<'a> = dyn Fn(&str) -> Option<Loaded> + Sync + 'a;

/// Where the tokens of a text come from.
pub enum Origin<'a> {
    /// The text itself, whose first byte has this offset.
    Itself(u32),
    /// The files that its line markers name.
    Markers(Box<Markers<'a>>),
}

/// A file that tokens come from.
#[derive(Clone)]
struct File {
    index: usize,
    start: u32,
    text: Arc<str>,
}

/// The line markers read so far.
pub struct Markers<'a> {
    sources: &'a mut SourceMap,
    load: &'a Load<'a>,
    files: FxHashMap<String, Option<File>>,
    file: Option<File>,
    /// The line (from 1) of the file in which the text now is.
    line: u32,
    /// That line, as bytes of the file; set when the first token of it asks.
    range: Option<Range<usize>>,
    /// Up to where tokens have been found in it.
    cursor: usize,
    last: Span,
}

impl<'a> Markers<'a> {
    /// Before the first marker of a file of the map. Others are loaded.
    pub fn new(file: &SourceFile, sources: &'a mut SourceMap, load: &'a Load<'a>) -> Self {
        let own = known(sources, &file.name, &file.text);
        Self {
            files: FxHashMap::from_iter([(file.name.clone(), own)]),
            sources,
            load,
            file: None,
            line: 1,
            range: None,
            cursor: 0,
            last: Span::default(),
        }
    }

    /// Reads a line such as `# 12 "file.c" 2` or `#line 12 "file.c"`; says whether it was one.
    fn marker(&mut self, directive: &str) -> bool {
        let Some((line, name)) = parse_marker(directive) else {
            return false;
        };
        self.line = line.wrapping_sub(1);
        self.range = None;
        if let Some(name) = name {
            if !self.files.contains_key(name) {
                let file = self.open(name);
                self.files.insert(name.to_owned(), file);
            }
            self.file = self.files.get(name).cloned().flatten();
        }
        true
    }

    fn open(&mut self, name: &str) -> Option<File> {
        let Loaded { owner, name, text } = (self.load)(name)?;
        // Another file of the program has read it, too.
        if let Some(known) = known(self.sources, &name, &text) {
            return Some(known);
        }
        let text: Arc<str> = text.into();
        let start = self.sources.add_of(owner, name, Arc::clone(&text)).ok()?;
        let index = self.sources.files().len() - 1;
        Some(File { index, start, text })
    }

    fn lines_passed(&mut self, lines: u32) {
        if lines > 0 {
            self.line = self.line.wrapping_add(lines);
            self.range = None;
        }
    }

    /// The place of a token of the current line.
    fn place(&mut self, token: &str) -> Span {
        let Some(file) = &self.file else {
            return self.last;
        };
        let range = self.range.get_or_insert_with(|| {
            let range = self.sources.files()[file.index].line_range(self.line);
            self.cursor = range.start;
            range
        });
        let rest = &file.text[self.cursor..range.end];
        let skipped = rest.len() - rest.trim_start().len();
        let found = find_token(&rest[skipped..], token);
        let (from, to) = match found {
            Some(at) => (skipped + at, skipped + at + token.len()),
            None => (skipped, skipped + word_length(&rest[skipped..])),
        };
        let (from, to) = (self.cursor + from, self.cursor + to);
        if found.is_some() {
            self.cursor = to;
        }
        let at = |offset: usize| file.start + u32::try_from(offset).unwrap_or(0);
        if found.is_some() || from < to {
            self.last = Span::new(at(from), at(to));
        } else if self.last.start < at(range.start) || self.last.end > at(range.end) {
            // A macro of an earlier line goes on here.
            self.last = Span::new(at(from), at(from));
        }
        self.last
    }
}

/// The file of a name and a text that a map has.
fn known(sources: &SourceMap, name: &str, text: &str) -> Option<File> {
    let files = sources.files();
    let index = (files.iter()).position(|file| file.name == name && *file.text == *text)?;
    Some(File {
        index,
        start: files[index].start,
        text: Arc::clone(&files[index].text),
    })
}

impl Origin<'_> {
    /// Reads a line of the preprocessor; says whether it marks a line.
    pub fn marker(&mut self, directive: &str) -> bool {
        match self {
            Self::Itself(_) => parse_marker(directive).is_some(),
            Self::Markers(markers) => markers.marker(directive),
        }
    }

    /// The place of a token at a range of the text, given what was skipped before it.
    pub fn place(&mut self, skipped: &str, token: &str, range: Range<usize>) -> Span {
        match self {
            #[allow(
                clippy::cast_possible_truncation,
                reason = "the source map refuses texts of 4 GiB"
            )]
            Self::Itself(base) => Span::new(*base + range.start as u32, *base + range.end as u32),
            Self::Markers(markers) => {
                markers.skip(skipped);
                markers.place(token)
            }
        }
    }

    /// Passes over text that holds no token.
    pub fn skip(&mut self, text: &str) {
        if let Self::Markers(markers) = self {
            markers.skip(text);
        }
    }
}

impl Markers<'_> {
    fn skip(&mut self, text: &str) {
        let breaks = text.bytes().filter(|&b| b == b'\n').count();
        self.lines_passed(u32::try_from(breaks).unwrap_or(u32::MAX));
    }
}

/// The line and the file of `# 12 "file.c"`, `#line 12 "file.c"` or `#line 12`.
fn parse_marker(directive: &str) -> Option<(u32, Option<&str>)> {
    let rest = directive.strip_prefix('#')?.trim_start();
    let rest = rest.strip_prefix("line").unwrap_or(rest).trim_start();
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let line = rest[..digits].parse().ok()?;
    let name = rest[digits..].trim_start().strip_prefix('"');
    let name = name.and_then(|n| n.rsplit_once('"')).map(|(name, _)| name);
    Some((line, name))
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '$')
}

/// How long the word is that a text begins with.
fn word_length(text: &str) -> usize {
    text.find(|c| !is_word(c)).unwrap_or(text.len())
}

/// Where a token stands in the rest of its line: at once, or further on if it is a word.
fn find_token(rest: &str, token: &str) -> Option<usize> {
    let begins = token.chars().next()?;
    if !is_word(begins) {
        return rest.starts_with(token).then_some(0);
    }
    let mut from = 0;
    while let Some(at) = rest.get(from..)?.find(token) {
        let at = from + at;
        let free_before = !rest[..at].ends_with(is_word);
        let free_after = !rest[at + token.len()..].starts_with(is_word);
        if free_before && free_after {
            return Some(at);
        }
        from = at + begins.len_utf8();
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markers_are_read() {
        assert_eq!(parse_marker("# 12 \"a.c\" 2 3"), Some((12, Some("a.c"))));
        assert_eq!(
            parse_marker("#line 7 \"b\\\"c\""),
            Some((7, Some("b\\\"c")))
        );
        assert_eq!(parse_marker("# 7"), Some((7, None)));
        assert_eq!(parse_marker("#pragma once"), None);
        assert_eq!(parse_marker("# 99999999999 \"a\""), None);
    }

    #[test]
    fn tokens_are_found_in_their_line() {
        let text = "int x;\n  CHECK(x == 1, x);\n";
        let load = |_: &str| {
            Some(Loaded {
                owner: source::Origin::User,
                name: "a.c".to_owned(),
                text: text.to_owned(),
            })
        };
        let mut sources = SourceMap::new();
        sources.add("main.c", "").expect("it fits");
        let main = sources.files()[0].clone();
        let mut markers = Markers::new(&main, &mut sources, &load);
        assert!(markers.marker("# 2 \"a.c\""));
        markers.skip("\n");
        let found: Vec<_> = ["if", "(", "x", "==", "1", ")", "fail", ";"]
            .iter()
            .map(|t| markers.place(t))
            .collect();
        let start = sources.files()[1].start;
        let found: Vec<_> = (found.iter())
            .map(|s| &text[(s.start - start) as usize..(s.end - start) as usize])
            .collect();
        // What follows the argument comes out of the macro, too: its place is the token before.
        assert_eq!(found, ["CHECK", "CHECK", "x", "==", "1", "1", "1", "1"]);
    }
}
