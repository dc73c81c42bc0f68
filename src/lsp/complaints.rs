//! The diagnostics of the checker and of counterexamples, as the protocol wants them.

use lsp_types::{
    Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity, DiagnosticTag, Location,
    NumberOrString, Uri,
};

use base::source::Span;
use base::{diagnostic, diagnostic::Severity};
use ir::Dialect;
use report::words;
use trace::{Bug, Change, StepKind, TraceStep};

use super::text::Text;
use names::unused;

/// The origin of diagnostics, as an editor shows it.
const SOURCE: &str = "dbverify";
/// The most steps of a trace that are shown beside its diagnostic; the whole trace is a command away.
const STEPS: usize = 200;

/// A document to which diagnostics belong.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    pub uri: &'a Uri,
    pub text: &'a Text,
    /// Whether the client shows other places.
    pub related: bool,
}

impl Place<'_> {
    /// Whether a span lies in the document, and not in the library behind it.
    fn holds(&self, span: Span) -> bool {
        span.end as usize <= self.text.text.len()
    }

    fn other(&self, span: Span, message: String) -> DiagnosticRelatedInformation {
        DiagnosticRelatedInformation {
            location: Location::new(self.uri.clone(), self.text.range(span)),
            message,
        }
    }

    /// Makes a diagnostic of the checker's.
    #[must_use]
    pub fn complaint(&self, found: &diagnostic::Diagnostic) -> Diagnostic {
        let mut message = found.message.clone();
        let words = std::iter::once(&found.label).filter(|l| !l.is_empty());
        for line in words.chain(&found.notes) {
            message.push('\n');
            message.push_str(line);
        }
        let related = found.related.iter().filter(|(span, _)| self.holds(*span));
        let others = related.map(|(span, text)| self.other(*span, text.clone()));
        let severity = match found.severity {
            Severity::Error => DiagnosticSeverity::ERROR,
            Severity::Warning => DiagnosticSeverity::WARNING,
        };
        let span = found.span.filter(|&s| self.holds(s)).unwrap_or_default();
        self.diagnostic(span, severity, found.code, message, others.collect())
    }

    /// A bug at its failing line, with the [steps](Self::steps) that lead there.
    #[must_use]
    pub fn bug(&self, bug: &Bug, steps: Vec<DiagnosticRelatedInformation>) -> Diagnostic {
        let message = format!("{}: {}", bug.kind.name(), report::message(bug));
        let code = bug.kind.name();
        let severity = DiagnosticSeverity::ERROR;
        self.diagnostic(self.failing(bug), severity, code, message, steps)
    }

    /// Where a bug fails.
    fn failing(&self, bug: &Bug) -> Span {
        let steps = bug.trace.steps.iter().rev();
        // A failure in the library is shown where the program called the library.
        let caller = || steps.filter_map(|s| s.span).find(|&s| self.holds(s));
        let failing = bug.span.filter(|&s| self.holds(s)).or_else(caller);
        failing.unwrap_or_default()
    }

    /// The steps that lead to a bug, each at its place.
    #[must_use]
    pub fn steps(&self, bug: &Bug) -> Vec<DiagnosticRelatedInformation> {
        let steps = &bug.trace.steps;
        let failing = self.failing(bug);
        let mut place = failing;
        let others = steps.iter().take(STEPS).map(|step| {
            // A step of the dispatcher has no place of its own, so it stands where the last step was.
            place = step.span.filter(|&s| self.holds(s)).unwrap_or(place);
            self.other(place, describe(step, bug.trace.dialect))
        });
        let mut others: Vec<_> = others.collect();
        if steps.len() > STEPS {
            let more = format!("and {} more steps", steps.len() - STEPS);
            others.push(self.other(failing, more));
        }
        others
    }

    fn diagnostic(
        &self,
        span: Span,
        severity: DiagnosticSeverity,
        code: &str,
        message: String,
        others: Vec<DiagnosticRelatedInformation>,
    ) -> Diagnostic {
        Diagnostic {
            range: self.text.range(span),
            severity: Some(severity),
            code: Some(NumberOrString::String(code.to_owned())),
            source: Some(SOURCE.to_owned()),
            message,
            // Editors show it faded.
            tags: (code == unused::CODE).then(|| vec![DiagnosticTag::UNNECESSARY]),
            related_information: (self.related && !others.is_empty()).then_some(others),
            ..Diagnostic::default()
        }
    }
}

/// A step in a line.
fn describe(step: &TraceStep, dialect: Dialect) -> String {
    let action = words::action(step, dialect);
    if step.kind() == StepKind::Title {
        return action;
    }
    let mut line = format!("task {} {}: {action}", step.task, step.proc);
    let mut values = Change::told(&step.changed.iter().collect::<Vec<_>>(), None);
    let looked_at = step.values.iter();
    values.extend(looked_at.map(|(name, value)| format!("{name} = {value}")));
    if !values.is_empty() {
        line.push_str("  [");
        line.push_str(&values.join(", "));
        line.push(']');
    }
    line
}
