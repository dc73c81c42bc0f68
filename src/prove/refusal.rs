//! What a proof cannot handle, with its place.

use base::source::Span;

/// Something that is not handled, and so not proved.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    pub span: Span,
    pub reason: String,
    /// Only the time ran out.
    pub late: bool,
}

impl Refusal {
    pub fn new(span: Span, reason: impl Into<String>) -> Self {
        Self {
            span,
            reason: reason.into(),
            late: false,
        }
    }

    /// The time ran out at a place.
    pub fn late(span: Span) -> Self {
        Self {
            late: true,
            ..Self::new(span, "the time ran out on the ways through it")
        }
    }
}
