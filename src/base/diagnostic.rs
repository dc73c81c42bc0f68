//! Errors and warnings about the input, as data. The room `report` renders them.

use crate::source::Span;

/// How bad it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Severity {
    /// The program cannot be used.
    Error,
    /// The program can be used, but probably does not mean what its author thinks.
    Warning,
}

/// A complaint about the input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// A stable name of the kind, such as `unknown-name` or `syntax`.
    pub code: &'static str,
    /// One line: what is wrong.
    pub message: String,
    /// Where; `None` for a file that cannot be read at all.
    pub span: Option<Span>,
    /// The words under the caret; may be empty.
    pub label: String,
    /// Other places that matter.
    pub related: Vec<(Span, String)>,
    /// What to do about it: complete sentences without a final full stop, such as "did you mean `held`?".
    pub notes: Vec<String>,
    /// A change of the text that mends it, if one is known.
    pub fix: Option<Fix>,
    /// Whether it says that a name is declared nowhere. Only a text that was read to its end shows that.
    pub undeclared: bool,
}

/// A change of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fix {
    pub span: Span,
    pub text: String,
}

/// A character for a message.
#[must_use]
pub fn character(c: char) -> String {
    if c.is_control()
        || c.is_whitespace()
        || matches!(
            c,
            '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}'
        )
    {
        format!("the invisible character U+{:04X}", u32::from(c))
    } else {
        format!("`{c}`")
    }
}

impl Diagnostic {
    /// An error at a place.
    #[must_use]
    pub fn error(code: &'static str, span: Span, message: impl Into<String>) -> Self {
        Self {
            severity: Severity::Error,
            code,
            message: message.into(),
            span: Some(span),
            label: String::new(),
            related: Vec::new(),
            notes: Vec::new(),
            fix: None,
            undeclared: false,
        }
    }

    /// An error at a name that is declared nowhere.
    #[must_use]
    pub fn undeclared(code: &'static str, name: Span, message: impl Into<String>) -> Self {
        Self {
            undeclared: true,
            ..Self::error(code, name, message)
        }
    }

    /// A warning at a place.
    #[must_use]
    pub fn warning(code: &'static str, span: Span, message: impl Into<String>) -> Self {
        Self {
            severity: Severity::Warning,
            ..Self::error(code, span, message)
        }
    }

    /// Sets the words under the caret.
    #[must_use]
    pub fn label(mut self, text: impl Into<String>) -> Self {
        self.label = text.into();
        self
    }

    #[must_use]
    pub fn related(mut self, span: Span, text: impl Into<String>) -> Self {
        self.related.push((span, text.into()));
        self
    }

    #[must_use]
    pub fn note(mut self, text: impl Into<String>) -> Self {
        self.notes.push(text.into());
        self
    }

    /// Suggests the name that was probably meant, in place of the name at the span.
    #[must_use]
    pub fn did_you_mean(mut self, near: &str) -> Self {
        self.fix = self.span.map(|span| Fix {
            span,
            text: near.to_owned(),
        });
        self.note(format!("did you mean `{near}`?"))
    }
}
