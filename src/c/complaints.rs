//! Complaints about a C program, up to as many as a person reads.

use base::diagnostic::Diagnostic;
use base::source::Span;

/// How many complaints are kept. Further ones are only counted.
pub const MOST: usize = 50;

#[derive(Debug, Default)]
pub struct Complaints {
    kept: Vec<Diagnostic>,
    dropped: usize,
}

impl Complaints {
    /// Adds a complaint, unless it repeats the last one at the same place. After [`MOST`], it is only counted.
    pub fn add(&mut self, diagnostic: Diagnostic) {
        if self
            .kept
            .last()
            .is_some_and(|last| last.span == diagnostic.span && last.message == diagnostic.message)
        {
            return;
        }
        if self.kept.len() < MOST {
            self.kept.push(diagnostic);
        } else {
            self.dropped += 1;
        }
    }

    /// Whether nothing is wrong.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.kept.is_empty()
    }

    /// The number of complaints, kept or not.
    #[must_use]
    pub fn count(&self) -> usize {
        self.kept.len() + self.dropped
    }

    /// Whether further complaints are only counted.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.kept.len() >= MOST
    }

    /// Returns the kept complaints in the order of the text. A last one says whether others were dropped.
    #[must_use]
    pub fn finish(mut self) -> Vec<Diagnostic> {
        self.kept.sort_by_key(|d| d.span);
        if self.dropped > 0 {
            let end = self
                .kept
                .last()
                .and_then(|d| d.span)
                .unwrap_or_default()
                .end;
            let message = "there are more errors after this".to_owned();
            self.kept
                .push(Diagnostic::error("syntax", Span::new(end, end), message));
        }
        self.kept
    }
}
