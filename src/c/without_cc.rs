//! Takes the place of `preprocess` in builds that cannot run a compiler: every attempt fails.

use super::Options;
use super::origin::Loaded;
use base::diagnostic::Diagnostic;
use base::source::{SourceFile, Span};

/// Never constructed, because no text is preprocessed here.
#[derive(Debug)]
pub struct Preprocessed {
    pub text: String,
}

impl Preprocessed {
    /// Returns `None`: there are no files here.
    #[must_use]
    pub fn load(&self, _: &str) -> Option<Loaded> {
        None
    }
}

/// Fails, and says what the user can do instead.
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
