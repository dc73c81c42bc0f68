//! `dbverify prove`: from arguments to exit status.

use std::path::Path;

use answer::NamedBound;
use base::clock::Instant;
use verify::road::Question;

use super::args::{Format, ProveArgs};
use super::doctor;
use super::input::{self, Failed};
use super::job::{Files, Job};
use super::output;
use super::progress::Progress;
use super::watchdog::Promise;

/// Proves a program.
pub fn run(args: &ProveArgs) -> Result<u8, Failed> {
    let options = args.options();
    doctor::finds(options.solver.as_deref())
        .map_err(|missing| input::refuse(&args.common, &missing))?;
    let mut question = Question::Proof(options);
    let (begin, timeout) = (Instant::now(), question.limits().timeout);
    let files = Files {
        trace: args.trace_out.as_deref(),
        html: args.html.as_deref(),
        steps: args.shown.steps(),
        ..Files::default()
    };
    files.check(&args.common, &[])?;
    if let Some(path) = &args.certificate {
        check_target(args, path)?;
    }
    let bounds = vec![NamedBound::Delays(None)];
    Promise::new(&args.common, question.engine(), bounds, timeout).watch();
    let progress = Progress::start(args.common.format == Format::Text);
    let mut job = Job::load(&args.common)?;
    question.limits_mut().latest = begin.checked_add(timeout);
    let answer = job.ask(&question);
    drop(progress);
    let status = job.finish(&answer, question.scheduler_of(&answer), files)?;
    if let Some(path) = &args.certificate {
        write(path, answer.certificate)?;
    }
    Ok(status)
}

/// Checks before the work begins whether the certificate can be written without harm to inputs and other outputs.
fn check_target(args: &ProveArgs, path: &Path) -> Result<(), Failed> {
    let mut others: Vec<(&Path, &str)> = Vec::new();
    if args.common.file != "-" {
        others.push((Path::new(&args.common.file), "the program"));
    }
    others.extend(
        args.common
            .more
            .iter()
            .map(|f| (Path::new(f), "the program")),
    );
    let written = [
        (args.trace_out.as_deref(), "the file of the trace"),
        (args.html.as_deref(), "the page"),
    ];
    others.extend(written.into_iter().filter_map(|(p, what)| Some((p?, what))));
    output::check_target(path, &others).map_err(|m| input::refuse(&args.common, &m))
}

/// Writes the certificate, if there is one.
fn write(path: &Path, certificate: Option<String>) -> Result<(), Failed> {
    let Some(text) = certificate else {
        let shown = path.display();
        output::print_error(&format!("no proof: {shown} is not written\n"));
        return Ok(());
    };
    output::write_file(path, &text).map_err(|message| {
        output::print_error(&format!("error: {message}\n"));
        Failed
    })
}
