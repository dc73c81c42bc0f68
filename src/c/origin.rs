//! From preprocessed text back to the files that it was made of.
//!
//! The preprocessor names the file and the line that each line comes from (`# 12 "file.c" 2`). It does not give
//! columns, because macros move them. So [`Markers`] looks for each token in that line, from left to right. A token
//! that is not there came out of a macro. Its place is the word at which the search has arrived (the macro's name),
//! or else the token before. A line goes on while a parenthesis is open at its end: the preprocessor says that all
//! arguments of a macro come from the line of its name.

use std::borrow::Cow;
use std::collections::VecDeque;
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
    users: bool,
}

/// A marker that stands in the program's own text: a generator or a preprocessor wrote that text.
struct Written {
    /// The line behind it in that text.
    own: u32,
    line: u32,
    name: Option<String>,
    system: bool,
}

/// The place of text whose marker names a file that cannot be shown.
#[derive(Clone)]
struct Replaced {
    file: File,
    /// The distance from the line that the marker names to the file's own line.
    shift: i64,
    system: bool,
}

/// The line markers read so far.
pub struct Markers<'a> {
    sources: &'a mut SourceMap,
    load: &'a Load<'a>,
    files: FxHashMap<String, Option<File>>,
    /// The markers of the program's own text that are not read yet.
    written: VecDeque<Written>,
    /// The program's own text.
    own: Option<File>,
    /// The names for which the program's own text is shown.
    replaced: FxHashMap<String, Replaced>,
    file: Option<File>,
    /// The line (from 1) of the file in which the text now is.
    line: u32,
    /// Whether the text comes out of a macro of the library.
    inside: bool,
    /// The name of that macro, if it was seen.
    macro_name: Span,
    /// The line that was searched last: the index of its file, its number, and its range of bytes in the file.
    searched: Option<(usize, u32, Range<usize>)>,
    /// The byte of the file up to which tokens have been found.
    cursor: usize,
    last: Span,
}

impl<'a> Markers<'a> {
    /// Starts before the first marker of a file of the map. `load` gives all other files.
    pub fn new(file: &SourceFile, sources: &'a mut SourceMap, load: &'a Load<'a>) -> Self {
        let own = known(sources, &file.name, &file.text);
        Self {
            files: FxHashMap::from_iter([(file.name.clone(), own.clone())]),
            own,
            written: written(&file.text),
            replaced: FxHashMap::default(),
            sources,
            load,
            file: None,
            line: 1,
            inside: false,
            macro_name: Span::default(),
            searched: None,
            cursor: 0,
            last: Span::default(),
        }
    }

    /// Reads a line such as `# 12 "file.c" 2` or `#line 12 "file.c"`; says whether it was one.
    fn marker(&mut self, directive: &str) -> bool {
        let Some(Marker { line, name, flags }) = parse_marker(directive) else {
            return false;
        };
        self.line = line.wrapping_sub(1);
        let mut flags = flags.split_whitespace();
        let first = flags.next();
        if first == Some("1") {
            // A file that is included again is searched from its beginning.
            self.searched = None;
        }
        let mut system = false;
        if let Some(name) = name {
            if !self.files.contains_key(&*name) {
                let file = self.open(&name);
                self.files.insert(name.clone().into_owned(), file);
            }
            self.file = self.files.get(&*name).cloned().flatten();
            self.replace(line, &name);
            if let Some(replaced) = self.replaced.get(&*name) {
                let own = i64::from(self.line) + replaced.shift;
                self.line = u32::try_from(own).unwrap_or_default();
                self.file = Some(replaced.file.clone());
                system = replaced.system;
            }
        }
        let users = self.file.as_ref().is_some_and(|f| f.users);
        self.inside = first == Some("3") && users && !system;
        true
    }

    /// Notes that the program's own text is shown for a name, if a marker of that text names a file that is not there, is too
    /// short, is a header of another machine, or is this text.
    fn replace(&mut self, line: u32, name: &str) {
        let same = |w: &Written| w.line == line && w.name.as_deref().is_none_or(|n| n == name);
        let Some(at) = self.written.iter().position(same) else {
            return;
        };
        let written = self.written.drain(..=at).next_back();
        let (Some(written), Some(own)) = (written, self.own.clone()) else {
            return;
        };
        let index = self.file.as_ref().map(|file| file.index);
        let lines = self.file.as_ref().map_or(0, |f| f.text.lines().count());
        let shown = u32::try_from(lines).is_ok_and(|lines| line <= lines);
        if shown && !written.system && index != Some(own.index) {
            self.replaced.remove(name);
            return;
        }
        let replaced = Replaced {
            file: own,
            shift: i64::from(written.own) - i64::from(line),
            system: written.system,
        };
        self.replaced.insert(name.to_owned(), replaced);
    }

    fn open(&mut self, name: &str) -> Option<File> {
        let Loaded { owner, name, text } = (self.load)(name)?;
        // Another file of the program has loaded it already.
        if let Some(known) = known(self.sources, &name, &text) {
            return Some(known);
        }
        let text: Arc<str> = text.into();
        let start = self.sources.add_of(owner, name, Arc::clone(&text)).ok()?;
        let index = self.sources.files().len() - 1;
        let users = owner == source::Origin::User;
        Some(File {
            index,
            start,
            text,
            users,
        })
    }

    /// The place of a token of the current line.
    fn place(&mut self, token: &str) -> Span {
        let Some(file) = &self.file else {
            return self.last;
        };
        let key = (file.index, self.line);
        let range = match &self.searched {
            Some((index, line, range)) if (*index, *line) == key => range.clone(),
            before => {
                let range = self.sources.files()[file.index].line_range(self.line);
                let range = range.start..whole(&file.text, range);
                let goes_on = |(index, _, old): &(usize, u32, Range<usize>)| {
                    *index == file.index && old.start < range.start && range.contains(&self.cursor)
                };
                if !before.as_ref().is_some_and(goes_on) {
                    self.cursor = range.start;
                }
                self.searched = Some((key.0, key.1, range.clone()));
                range
            }
        };
        let rest = &file.text[self.cursor..range.end.max(self.cursor)];
        let skipped = rest.len() - rest.trim_start_matches(is_space).len();
        let word = word_length(&rest[skipped..]);
        let at = |offset: usize| file.start + u32::try_from(offset).unwrap_or(0);
        let name = Span::new(at(self.cursor + skipped), at(self.cursor + skipped + word));
        let found = (!self.inside).then(|| {
            find_token(&rest[skipped..], token).or_else(|| {
                // Skips the rest of a macro's use: its name, and the brackets around its arguments.
                let name = if self.macro_name == name { word } else { 0 };
                let left = &rest[skipped + name..];
                let behind = left.trim_start_matches(|c| "()".contains(c) || is_space(c));
                let behind_at = rest.len() - behind.len() - skipped;
                behind.starts_with(token).then_some(behind_at)
            })
        });
        let found = found.flatten();
        if let Some(found) = found {
            let from = self.cursor + skipped + found;
            self.cursor = from + token.len();
            self.last = Span::new(at(from), at(self.cursor));
        } else if word > 0 {
            self.last = name;
            if self.inside {
                self.macro_name = name;
            }
        } else if self.last.start < at(range.start) || self.last.end > at(range.end) {
            // The text of a macro from an earlier line goes on here.
            self.last = Span::new(name.start, name.start);
        }
        self.last
    }
}

/// The end of a line, or of the last line that it needs to close its parentheses.
fn whole(text: &str, line: Range<usize>) -> usize {
    let (mut open, mut quote) = (0, None);
    let mut bytes = text.bytes().enumerate().skip(line.start);
    while let Some((at, byte)) = bytes.next() {
        match (byte, quote) {
            (b'\n', _) if open == 0 => return at + 1,
            (b'\n', _) => quote = None,
            (b'\\', Some(_)) => drop(bytes.next()),
            (_, Some(q)) => quote = (byte != q).then_some(q),
            (b'"' | b'\'', None) => quote = Some(byte),
            (b'(', None) => open += 1,
            (b')', None) if open > 0 => open -= 1,
            // No argument has these: the parenthesis stood in a comment.
            (b';' | b'{', None) if open > 0 && at >= line.end => break,
            _ => {}
        }
    }
    line.end
}

/// The markers that a text has before it is preprocessed.
fn written(text: &str) -> VecDeque<Written> {
    let lines = (2..).zip(text.lines());
    let written = lines.filter_map(|(own, line)| {
        let Marker { line, name, flags } = parse_marker(line.trim_start())?;
        Some(Written {
            own,
            line,
            name: name.map(Cow::into_owned),
            system: flags.split_whitespace().any(|flag| flag == "3"),
        })
    });
    written.collect()
}

/// The file of the map that has this name and this text.
fn known(sources: &SourceMap, name: &str, text: &str) -> Option<File> {
    let files = sources.files();
    let index = (files.iter()).position(|file| file.name == name && *file.text == *text)?;
    Some(File {
        index,
        start: files[index].start,
        text: Arc::clone(&files[index].text),
        users: files[index].origin == source::Origin::User,
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
        self.line = (self.line).wrapping_add(u32::try_from(breaks).unwrap_or(u32::MAX));
    }
}

/// `# 12 "file.c" 2`, `#line 12 "file.c"` or `#line 12`.
#[derive(Debug, PartialEq, Eq)]
struct Marker<'a> {
    line: u32,
    name: Option<Cow<'a, str>>,
    flags: &'a str,
}

fn parse_marker(directive: &str) -> Option<Marker<'_>> {
    let rest = directive.strip_prefix('#')?.trim_start();
    let rest = rest.strip_prefix("line").unwrap_or(rest).trim_start();
    let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
    let line = rest[..digits].parse().ok()?;
    let name = rest[digits..].trim_start().strip_prefix('"');
    let (name, flags) = name.and_then(|n| n.rsplit_once('"')).unzip();
    let (name, flags) = (name.map(plain), flags.unwrap_or_default());
    Some(Marker { line, name, flags })
}

/// The name of a file without the backslashes that its marker has before quotes and backslashes.
fn plain(name: &str) -> Cow<'_, str> {
    if !name.contains('\\') {
        return name.into();
    }
    let (mut plain, mut rest) = (String::new(), name.chars());
    while let Some(char) = rest.next() {
        plain.extend(if char == '\\' {
            rest.next()
        } else {
            Some(char)
        });
    }
    plain.into()
}

/// Whether C skips a character between tokens.
fn is_space(c: char) -> bool {
    c.is_ascii() && c.is_whitespace()
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '$')
}

/// How long the word is that a text begins with.
fn word_length(text: &str) -> usize {
    text.find(|c| !is_word(c)).unwrap_or(text.len())
}

/// Whether a text ends a statement: then the text behind it is no argument of a macro before it.
fn ends_statement(text: &str) -> bool {
    let mut open = 0_u32;
    text.chars().any(|c| {
        match c {
            '(' => open += 1,
            ')' => open = open.saturating_sub(1),
            _ => {}
        }
        open == 0 && matches!(c, ';' | '{' | '}')
    })
}

/// Where a token stands in the rest of its line. Only a word, or a number of the same statement, may stand further on.
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
            // A number is looked for only within this statement. A name of a later statement ends what a macro has left.
            let stays = !begins.is_ascii_digit() || !ends_statement(&rest[..at]);
            return stays.then_some(at);
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
        let read = |text| parse_marker(text).map(|m| (m.line, m.name, m.flags));
        let named = |name: &'static str| Some(name.into());
        assert_eq!(read("# 12 \"a.c\" 2 3"), Some((12, named("a.c"), " 2 3")));
        assert_eq!(
            read("#line 7 \"b\\\"c\\\\d\""),
            Some((7, named("b\"c\\d"), ""))
        );
        assert_eq!(read("# 7"), Some((7, None, "")));
        assert_eq!(read("#pragma once"), None);
        assert_eq!(read("# 99999999999 \"a\""), None);
    }

    #[test]
    fn an_operator_of_a_macro_does_not_hide_the_next_name() {
        let found = placed(
            "TWICE(a) + b + c;\n",
            "# 1 \"a.c\"\n( ( a ) + ( a ) ) + b + c ;",
        );
        assert_eq!(found[10..], ["b", "+", "c", ";"]);
    }

    #[test]
    fn a_number_of_a_macro_is_not_one_of_another_statement() {
        let text = "int v = Z + Z; a[v] = 0;\n";
        let found = placed(text, "# 1 \"a.c\"\nint v = 0 + 0 ; a [ v ] = 0 ;");
        let expected = [
            "int", "v", "=", "Z", "Z", "Z", "Z", "a", "[", "v", "]", "=", "0", ";",
        ];
        assert_eq!(found, expected);
    }

    /// The text at the places of the tokens of a preprocessed text.
    fn placed(text: &str, preprocessed: &str) -> Vec<String> {
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
        let mut spans = Vec::new();
        for line in preprocessed.lines() {
            if !markers.marker(line) {
                spans.extend(line.split_whitespace().map(|t| markers.place(t)));
            }
            markers.skip("\n");
        }
        let start = sources.files()[1].start;
        let text = |s: &Span| text[(s.start - start) as usize..(s.end - start) as usize].to_owned();
        spans.iter().map(text).collect()
    }

    #[test]
    fn tokens_are_found_in_their_line() {
        let text = "int x;\n  CHECK(x == 1, x);\n";
        let found = placed(text, "# 2 \"a.c\"\nif ( x == 1 ) fail ;");
        // The tokens behind the argument come out of the macro, too: their place is the token before.
        assert_eq!(found, ["CHECK", "CHECK", "x", "==", "1", "1", "1", "1"]);
    }

    #[test]
    fn a_macro_of_the_library_interrupts_a_line() {
        let text = "int x = N; assert(x == 1); assert(x\n == 2); x = 3;\n";
        let condition = "# 1 \"a.c\" 3 4\n( (\n# 1 \"a.c\"\n";
        let end = "# 1 \"a.c\" 3 4\n) ? 0 : fail ( 1 ) )\n";
        let user = "# 1 \"a.c\"\n";
        let all = format!(
            "{user}int x =\n# 1 \"a.c\" 3 4\n7\n{user};\n{condition}x == 1\n{end}{user};\n\
             {condition}x == 2\n{end}# 2 \"a.c\"\n; x = 3 ;\n"
        );
        let found = placed(text, &all);
        let shown = found.iter().filter(|t| *t != "assert").cloned();
        let shown: Vec<_> = shown.collect();
        assert_eq!(shown[..4], ["int", "x", "=", "N"]);
        assert_eq!(shown[4..8], [";", "x", "==", "1"]);
        assert_eq!(shown[17..21], [";", "x", "==", "2"]);
        assert_eq!(shown[30..], [";", "x", "=", "3", ";"]);
        assert_eq!(found.iter().filter(|t| *t == "assert").count(), 4);
    }
}
