//! What is wrong with a C program, up to as many complaints as a person reads.

use base::diagnostic::Diagnostic;
use base::source::Span;

/// Complaints that are kept; of more only the number.
pub const MOST: usize = 50;

#[derive(Debug, Default)]
pub struct Complaints {
    kept: Vec<Diagnostic>,
    dropped: usize,
}

impl Complaints {
    /// Keeps a complaint, unless there are enough or it says what the one before it said of the same place.
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

    /// How many there were.
    #[must_use]
    pub fn count(&self) -> usize {
        self.kept.len() + self.dropped
    }

    /// Whether more would not be shown.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.kept.len() >= MOST
    }

    /// All of them, in the order of the text, with a word about those that were dropped.
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
