//! Programs as text: in the language itself ([`print_async`]) and in Boogie ([`print_boogie`]).
//!
//! What both need stands here: [names](names::Names) that are unique and no
//! keywords, [loops](ir::passes::plain_loops) that are left in the plain ways only, the
//! [places](scopes) where locals are declared, [initial values](initial), comments.

mod async_expr;
mod async_text;
mod boogie_expr;
mod boogie_loops;
mod boogie_text;
mod bounds;
mod emit;
mod initial;
mod leaves;
mod names;
mod scopes;
mod stores;

pub use async_text::{list_async, print_async};
pub use boogie_text::print_boogie;
pub use bounds::Bounds;
pub use emit::{About, emit_boogie, emit_seq, list_seq};

use base::source::{SourceMap, Span};
use ir::{Stmt, StmtKind};

use super::map::{Map, MarkKind};

/// What the comments in the text say.
#[derive(Clone, Copy, Default)]
pub struct Comments<'a> {
    /// Above everything, line by line.
    pub header: &'a [String],
    /// The sources, to quote the lines that statements come from.
    pub sources: Option<&'a SourceMap>,
    /// What procedures and marks are for.
    pub map: Option<&'a Map>,
}

impl Comments<'_> {
    /// What a mark says to a reader.
    fn mark(&self, id: u32) -> Option<&'static str> {
        match self.map?.marks.get(id as usize)? {
            MarkKind::Note(text) => Some(text),
            _ => None,
        }
    }

    fn proc(&self, index: usize) -> &str {
        self.map
            .and_then(|m| m.docs.get(index))
            .map_or("", String::as_str)
    }

    fn global(&self, index: usize) -> &str {
        self.map
            .and_then(|m| m.global_docs.get(index))
            .map_or("", String::as_str)
    }
}

#[derive(Clone, Debug, Default)]
pub struct Listing {
    pub text: String,
    /// For each of its lines the line of the program's first file that it comes from, or 0.
    pub origins: Vec<u32>,
}

/// Lines of text, indented.
struct Writer<'a> {
    text: String,
    /// As in [`Listing`].
    origins: Vec<u32>,
    depth: usize,
    comments: Comments<'a>,
    /// The file and the line that were quoted last: all that a line has become stands under one quotation.
    quoted: Option<(u32, u32)>,
}

impl<'a> Writer<'a> {
    fn new(comments: Comments<'a>) -> Self {
        Self {
            text: String::new(),
            origins: Vec::new(),
            depth: 0,
            comments,
            quoted: None,
        }
    }

    fn line(&mut self, line: impl AsRef<str>) {
        let line = line.as_ref();
        if !line.is_empty() {
            self.text.extend(std::iter::repeat_n("  ", self.depth));
            self.text.push_str(line);
        }
        self.text.push('\n');
        let inside = self.quoted.filter(|&(file, _)| file == 0 && self.depth > 0);
        self.origins.push(inside.map_or(0, |(_, line)| line));
    }

    /// Writes a comment, with a line for each line of the text.
    fn comment(&mut self, text: &str) {
        for line in text.lines() {
            self.line(format!("// {line}").trim_end());
        }
    }

    fn open(&mut self, line: impl AsRef<str>) {
        self.line(line);
        self.depth += 1;
    }

    fn close(&mut self, line: impl AsRef<str>) {
        self.depth -= 1;
        self.line(line);
    }

    /// Quotes the line that a statement comes from, unless it was quoted just before. Marks count only if they are comments.
    fn quote(&mut self, stmt: &Stmt) {
        if matches!(stmt.kind, StmtKind::Mark(id, _) if self.comments.mark(id).is_none()) {
            return;
        }
        let Some(sources) = self.comments.sources else {
            return;
        };
        let Some(line) = line_of(sources, stmt.span) else {
            return;
        };
        if self.quoted == Some(line) {
            return;
        }
        self.quoted = Some(line);
        let Some(file) = sources.file_of(stmt.span.start) else {
            return;
        };
        let (number, text) = (line.1, file.line_text(line.1).trim());
        let name = if line.0 == 0 {
            String::new()
        } else {
            format!("{}:", file.name)
        };
        self.line(format!("// {name}{number}: {text}"));
    }
}

/// The file (by its first byte) and line of a span; nothing for what comes from no file.
fn line_of(sources: &SourceMap, span: Span) -> Option<(u32, u32)> {
    if span == Span::default() {
        return None;
    }
    let file = sources.file_of(span.start)?;
    let line = sources.line(span);
    (line > 0).then_some((file.start, line))
}
