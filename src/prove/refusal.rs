//! What a proof cannot handle, with its place.

use crate::source::Span;

/// Something that is not handled, and so not proved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// Where.
    pub span: Span,
    /// What.
    pub reason: String,
}

impl Refusal {
    /// At a place.
    pub fn new(span: Span, reason: impl Into<String>) -> Self {
        Self {
            span,
            reason: reason.into(),
        }
    }
}
