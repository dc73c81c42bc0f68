//! `--reproduce`: a counterexample of a program in C as a file in C that makes the program itself fail.

use std::path::Path;
use std::time::Duration;

use ::run::Reproduction;
use answer::Bug;
use ir::ErrorKind;
use report::Subject;
use trace::{Happening, TraceStep};

use super::args::CommonArgs;
use super::asking::Job;
use super::c_args::Model;

/// The file that is asked for, and how long it may take.
#[derive(Clone, Copy)]
pub struct Asked<'a> {
    /// The file.
    pub path: &'a Path,
    /// The longest time.
    pub timeout: Duration,
}

/// Why the file cannot be written, as far as can be seen before there is a counterexample.
pub fn refusal(path: &Path, common: &CommonArgs) -> Option<String> {
    let shown = path.display();
    if !c::is_c(&common.file) {
        return Some("--reproduce is for programs in C".to_owned());
    }
    if path.extension().is_none_or(|e| e != "c") {
        return Some(format!(
            "--reproduce {shown}: it is a file in C, whose name ends in .c"
        ));
    }
    if common.memory.is_weak() {
        return Some(
            "--reproduce runs the program at sequential consistency: leave out --memory".to_owned(),
        );
    }
    if common.c.data_model == Model::Ilp32 {
        return Some(
            "--reproduce runs the program on this machine: leave out --data-model ILP32".to_owned(),
        );
    }
    None
}

/// The file's text.
///
/// # Errors
/// When the program cannot be made to fail; the reason.
pub fn text(
    job: &Job<'_>,
    subject: &Subject<'_>,
    bug: &Bug,
    asked: Asked<'_>,
) -> Result<String, String> {
    let given = &job.common.c;
    let told = || std::env::var("CC").unwrap_or_default();
    let compiler = given.cc.clone().unwrap_or_else(told);
    let mut compiler: Vec<String> = compiler.split_whitespace().map(str::to_owned).collect();
    if compiler.is_empty() {
        compiler.push("cc".to_owned());
    }
    let mut options = Vec::new();
    let mut files = vec![job.input.name.clone()];
    files.extend(job.input.more.iter().map(|(name, _)| name.clone()));
    let known = given.options();
    for told in files.iter().flat_map(|file| known.told(file)) {
        let both = [told.flag.clone(), told.value.clone()];
        if !options.windows(2).any(|pair| pair == both) {
            options.extend(both);
        }
    }
    options.extend(given.preprocessor(str::to_owned));
    let args: Vec<String> = given.args.split_whitespace().map(str::to_owned).collect();
    let output = asked.path.to_string_lossy();
    let reproduced = ::run::reproduce(&Reproduction {
        files: &files,
        compiler,
        options,
        args: &args,
        kind: bug.kind.name(),
        places: places(subject, bug),
        inputs: bug
            .trace
            .steps
            .iter()
            .filter_map(|s| input(subject, s))
            .collect(),
        chosen: bug.trace.steps.iter().any(|step| {
            matches!(step.happening, Happening::Chosen { .. }) && input(subject, step).is_none()
        }),
        spurious: given.spurious > 0,
        output: &output,
        timeout: asked.timeout,
    });
    reproduced.map_err(|why| format!("{output} is not written: {why}"))
}

/// Returns the lines in which the error is seen.
fn places(subject: &Subject<'_>, bug: &Bug) -> Vec<(String, u32)> {
    let races = |step: &&TraceStep| matches!(step.happening, Happening::Raced { .. });
    let mut spans: Vec<_> = bug.span.into_iter().collect();
    if bug.kind == ErrorKind::Race {
        spans.extend(bug.trace.steps.iter().filter(races).filter_map(|s| s.span));
    }
    let located = spans.into_iter().filter_map(|span| {
        let file = subject.sources.file_of(span.start)?;
        Some((file.name.clone(), subject.sources.line(span)))
    });
    located.collect()
}

/// The input that a step brings: the thread that asks for it, the function that gives it, and its value.
fn input(subject: &Subject<'_>, step: &TraceStep) -> Option<(usize, String, i128)> {
    let Happening::Chosen { value, .. } = &step.happening else {
        return None;
    };
    let text = subject.sources.text(step.span?);
    let name: String = text
        .chars()
        .take_while(|c| c.is_alphanumeric() || *c == '_')
        .collect();
    if !name.contains("nondet") {
        return None;
    }
    let value = match value.as_str() {
        "true" => 1,
        "false" => 0,
        number => number.parse().ok()?,
    };
    Some((step.task as usize - 1, name, value))
}
