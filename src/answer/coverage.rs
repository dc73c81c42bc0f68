//! Which statements of the user's text the executions of a search come to.

use std::collections::BTreeMap;

use base::source::{SourceMap, Span};

/// How much was looked at. This tells what it means that a statement was not reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Looked {
    Everywhere,
    /// All executions within a budget.
    WithinBounds,
    /// One of all executions that come to the same.
    OneOfEach,
    /// The search has ended at its first bug.
    UntilABug,
    /// A limit ended the search, or only some executions were asked for.
    InPart,
}

/// The statements, each with whether an execution comes to it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coverage {
    /// In the order of the text.
    pub statements: BTreeMap<Span, bool>,
    /// How much was looked at.
    pub looked: Looked,
}

/// The lines of a file that statements begin in, each with whether an execution comes to one of them.
pub type Lines = BTreeMap<u32, bool>;

impl Coverage {
    /// Adds the statements that another search of the program has come to.
    pub fn add(&mut self, other: &Self) {
        for (&span, &reached) in &other.statements {
            *self.statements.entry(span).or_insert(false) |= reached;
        }
    }

    /// The lines of each file.
    #[must_use]
    pub fn lines(&self, sources: &SourceMap) -> Vec<(String, Lines)> {
        let mut files: Vec<(String, Lines)> = Vec::new();
        for (&span, &reached) in &self.statements {
            let Some(at) = sources.locate(span) else {
                continue;
            };
            // The statements of one file follow each other.
            if files.last().is_none_or(|(name, _)| *name != at.file) {
                files.push((at.file, Lines::new()));
            }
            if let Some((_, lines)) = files.last_mut() {
                *lines.entry(at.line).or_insert(false) |= reached;
            }
        }
        files
    }
}

/// Returns ranges of lines that are not reached, first and last. No line within a range has a statement that is reached.
#[must_use]
pub fn unreached(lines: &Lines) -> Vec<(u32, u32)> {
    let mut ranges: Vec<(u32, u32)> = Vec::new();
    let mut goes_on = false;
    for (&line, &reached) in lines {
        match ranges.last_mut() {
            _ if reached => {}
            Some(last) if goes_on => last.1 = line,
            _ => ranges.push((line, line)),
        }
        goes_on = !reached;
    }
    ranges
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_between_two_unreached_ones_belong_to_them() {
        let lines = [(3, true), (4, false), (6, false), (8, true), (9, false)];
        assert_eq!(unreached(&lines.into()), [(4, 6), (9, 9)]);
        assert_eq!(unreached(&[(1, true)].into()), []);
    }
}
