//! Preprocessing where no compiler can be run: it cannot be done.

use super::Options;
use super::origin::Loaded;
use base::diagnostic::Diagnostic;
use base::source::{SourceFile, Span};

/// Preprocessed text: there is none.
#[derive(Debug)]
pub struct Preprocessed {
    pub text: String,
}

impl Preprocessed {
    /// The file that a line marker names: there are no files.
    #[must_use]
    pub fn load(&self, _: &str) -> Option<Loaded> {
        None
    }
}

/// Says that it cannot be done, and what can.
///
/// # Errors
/// Always.
pub fn preprocess(_: &SourceFile, _: &Options) -> Result<Preprocessed, Box<Diagnostic>> {
    let message = "a C program is preprocessed by a C compiler, and there is none here";
    Err(Box::new(Diagnostic {
        span: None,
        ..Diagnostic::error("preprocessor", Span::default(), message)
            .note("a file that is preprocessed already needs none: `cc -E program.c > program.i`")
    }))
}
