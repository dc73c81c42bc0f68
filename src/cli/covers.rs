//! `cover e;`: which there are, and whether they are reached.

use answer::{Answer, Note, Verdict};
use base::source::{SourceMap, Span};
use base::work;
use check::CheckOptions;
use ir::{ErrorKind, Program};
use options::Limits;
use verify::declarations::prove;

use super::args::CommonArgs;
use super::asking::{Input, Job};

/// The `cover` of a line.
///
/// # Errors
/// When there is none; where there are some.
pub fn in_line(program: &Program, sources: &SourceMap, line: u32) -> Result<Span, String> {
    // A line is one of the program's first file.
    let first = |span: &Span| sources.file_of(span.start).is_some_and(|f| f.start == 0);
    let own = program.covers.iter().map(|(span, _)| *span).filter(first);
    let mut lines: Vec<u32> = own.clone().map(|span| sources.line(span)).collect();
    let mut found = own.filter(|&span| sources.line(span) == line);
    if let Some(span) = found.next() {
        return Ok(span);
    }
    lines.sort_unstable();
    lines.dedup();
    let lines: Vec<String> = lines.iter().map(u32::to_string).collect();
    Err(match &lines[..] {
        [] => "the program has no `cover e;`".to_owned(),
        [one] => format!("no `cover` stands in line {line}; there is one in line {one}"),
        _ => format!(
            "no `cover` stands in line {line}; there are some in the lines {}",
            lines.join(", ")
        ),
    })
}

/// The program that is asked about a `cover`.
#[must_use]
pub fn asked(common: &CommonArgs, input: &Input, cover: Span) -> Option<Program> {
    let options = CheckOptions {
        preempt: common.preempt.map(Into::into),
    };
    compile::compile_cover((common.folder(), &input.name), &input.text, &options, cover).program
}

/// Makes the answer one to the question about a `cover`.
pub fn asks(answer: &mut Answer, line: u32) {
    let reached = answer.bugs.first().map(|bug| bug.kind);
    match (&answer.verdict, reached) {
        (Verdict::Bug, Some(ErrorKind::Cover)) => {
            answer.summary = format!("an execution comes to line {line} with the condition true");
        }
        (Verdict::Safe | Verdict::Proved, _) => {
            let looked = &answer.summary;
            answer.summary = format!(
                "no execution comes to line {line} with the condition true (as a bug: {looked})"
            );
        }
        _ => return,
    }
    answer.asks_cover = true;
}

impl Job<'_> {
    /// Says beside a verdict without bug which `cover` is reached.
    pub fn tell_covers(
        &self,
        answer: &mut Answer,
        limits: &Limits,
        mut ask: impl FnMut(&Program, &SourceMap) -> Answer,
    ) {
        if !matches!(answer.verdict, Verdict::Safe | Verdict::Proved) || answer.asks_cover {
            return;
        }
        for &(span, _) in &self.program.covers {
            if work::stopping() {
                return;
            }
            let Some(mut program) = asked(&self.common, &self.input, span) else {
                continue;
            };
            let line = self.sources.line(span);
            work::enter("asking what is covered");
            // Declarations are used where they are proved; that none is false is known already.
            let _ = prove(&mut program, &self.sources, limits);
            let found = ask(&program, &self.sources);
            let message = match &found.verdict {
                Verdict::Bug => format!("covered: `--cover {line}` shows an execution"),
                Verdict::Safe | Verdict::Proved if found.exhaustive && !found.budget_spent => {
                    "never covered: no execution comes here with the condition true".to_owned()
                }
                Verdict::Safe | Verdict::Proved => {
                    "not covered: no execution within the bounds comes here with the condition true"
                        .to_owned()
                }
                Verdict::Inconclusive(reason) => {
                    format!(
                        "it is not known whether this is covered: {}",
                        reason.words()
                    )
                }
            };
            let span = Some(span);
            answer.notes.push(Note { message, span });
        }
    }
}
