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
        certificate: args.certificate.as_deref(),
        steps: args.shown.steps(),
        ..Files::default()
    };
    files.check(&args.common, &[])?;
    let bounds = vec![NamedBound::Delays(None)];
    Promise::new(&args.common, question.engine(), bounds, timeout).watch();
    let progress = Progress::start(args.common.format == Format::Text);
    let mut job = Job::load(&args.common)?;
    files.check_used(&job)?;
    question.limits_mut().latest = begin.checked_add(timeout);
    let answer = job.ask(&question);
    drop(progress);
    let status = job.finish(&answer, question.scheduler_of(&answer), files)?;
    if let Some(path) = &args.certificate {
        write(path, answer.certificate)?;
    }
    Ok(status)
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
