//! The complaints of one run: collected in any order, shown in the order of the text, each once.

use base::diagnostic::{Diagnostic, Severity};
use base::source::Span;

/// How many errors a person is shown.
const SHOWN: usize = 1_000;
/// How many errors are collected before sorting. Further ones are only counted.
const COLLECTED: usize = 20_000;
/// How many unknown names get a search for similar ones, since each search looks at every name in scope.
const SEARCHES: u32 = 50;

/// The complaints of one run.
#[derive(Debug)]
pub(super) struct Diagnostics {
    list: Vec<Diagnostic>,
    dropped: usize,
    searches: u32,
    errors: usize,
    incomplete: bool,
}

impl Diagnostics {
    pub(super) fn new() -> Self {
        Self {
            list: Vec::new(),
            dropped: 0,
            searches: SEARCHES,
            errors: 0,
            incomplete: false,
        }
    }

    pub(super) fn push(&mut self, diagnostic: Diagnostic) {
        self.errors += usize::from(diagnostic.severity == Severity::Error);
        if self.list.len() < COLLECTED {
            self.list.push(diagnostic);
        } else {
            self.dropped += 1;
        }
    }

    /// How many errors there are so far; warnings do not count.
    pub(super) fn errors(&self) -> usize {
        self.errors
    }

    /// Notes that some code was not read. Its error is reported elsewhere.
    pub(super) fn incomplete(&mut self) {
        self.incomplete = true;
    }

    /// Whether everything was read so far.
    pub(super) fn complete(&self) -> bool {
        !self.incomplete
    }

    /// Forgets that code was not read, if [`Self::complete`] was true before.
    pub(super) fn restore(&mut self, complete: bool) {
        self.incomplete = !complete;
    }

    /// Whether the program is refused.
    pub(super) fn failed(&self) -> bool {
        self.errors > 0 || self.incomplete
    }

    /// Takes one search for similar names from the budget. Returns whether it may be made.
    pub(super) fn may_search(&mut self) -> bool {
        self.searches = self.searches.saturating_sub(1);
        self.searches > 0
    }

    /// All complaints, sorted by place. Code that is checked several times (for several objects,
    /// or with and without preemption points) complains once.
    pub(super) fn finish(mut self) -> Vec<Diagnostic> {
        self.list
            .sort_by_key(|d| d.span.map_or((0, 0), |s| (s.start, s.end)));
        let mut kept: Vec<Diagnostic> = Vec::with_capacity(self.list.len());
        for diagnostic in self.list {
            let same_place = kept.iter().rev().take_while(|k| k.span == diagnostic.span);
            if !same_place
                .into_iter()
                .any(|k| k.code == diagnostic.code && k.message == diagnostic.message)
            {
                kept.push(diagnostic);
            }
        }
        let hidden = self.dropped + kept.len().saturating_sub(SHOWN);
        if hidden > 0 {
            kept.truncate(SHOWN);
            let span = kept.last().and_then(|d| d.span).unwrap_or(Span::new(0, 0));
            let count = if self.dropped > 0 {
                format!("more than {hidden}")
            } else {
                hidden.to_string()
            };
            kept.push(Diagnostic::error(
                "too-many-errors",
                span,
                format!("{count} further errors are not shown"),
            ));
        }
        kept
    }
}
