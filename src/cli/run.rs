//! The commands, each from arguments to exit status.

use std::ffi::OsString;
use std::io::IsTerminal;
use std::process::ExitCode;

use answer::{Engine, Note};
use base::clock::Instant;

use ::seq::print::{About, emit_boogie, emit_seq};
use base::stack::on_big_stack;
use base::work;
use smt::decide::NoAnswer;
use verify::emit_smt;
use verify::road::Question;

use super::args::{Color, Format, VerifyArgs};
use super::cluster::Without;
use super::commands::{Cli, Command, ExplainArgs, asked_format};
use super::explore_args::ExploreArgs;
use super::input::{self, Failed};
use super::job::{Files, Job};
use super::progress::Progress;
use super::reproduce::Asked;
use super::status::{BUG, INCONCLUSIVE, INTERRUPTED, SAFE, WRONG_INPUT};
use super::svcomp;
use super::watchdog::{self, Promise};
use super::{
    bundle, check, dap, doctor, emit, explain, fmt, merge, native, option_rules, output, pages,
    prove, replay, simulate, status, test,
};

/// Runs a command line and says how it went.
#[must_use]
pub fn main(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    let args: Vec<OsString> = args.into_iter().collect();
    let mut cli = match Cli::read(args.iter().cloned()) {
        Ok(cli) => cli,
        Err(error) if error.use_stderr() => {
            refuse_words(&args, &error);
            return answered(WRONG_INPUT).into();
        }
        Err(help) => {
            output::printed(help.print());
            return answered(SAFE).into();
        }
    };
    if let Err(message) = svcomp::resolve(&mut cli.command) {
        let _ = match cli.command.common() {
            Some(common) => input::refuse(common, &message),
            None => complain(message),
        };
        return answered(WRONG_INPUT).into();
    }
    if matches!(
        cli.command,
        Command::Verify(_)
            | Command::Explore(_)
            | Command::Prove(_)
            | Command::Replay(_)
            | Command::Test(_)
            | Command::Run(_)
    ) {
        watchdog::listen();
    }
    stay_with_parent();
    let run = || std::panic::catch_unwind(|| dispatch(&cli));
    let status = on_big_stack(run).unwrap_or_else(|_| internal_error());
    answered(status).into()
}

/// Says what is wrong with a command line that cannot be read: to people, and as data too if its words ask for that.
fn refuse_words(args: &[OsString], error: &clap::Error) {
    // There is no other place for the text.
    drop(error.print());
    let Some(format) = asked_format(args) else {
        return;
    };
    // The parser of the command line gives its message in no other way.
    let text = error.to_string();
    let message = text.trim().trim_start_matches("error: ");
    if args.get(1).is_some_and(|command| command == "test") {
        test::refuse_words(format, message);
    } else if Format::from(format) != Format::Text {
        input::refuse_words(format.into(), message);
    }
}

/// Returns the exit status, or [`WRONG_INPUT`] if the user did not get the answer.
fn answered(status: u8) -> u8 {
    if output::is_lost() {
        WRONG_INPUT
    } else {
        status
    }
}

/// If another dbverify has started this process, ends it with the other one: the pipe on its standard input closes then.
fn stay_with_parent() {
    if work::has_parent() {
        std::thread::spawn(|| {
            drop(std::io::copy(&mut std::io::stdin(), &mut std::io::sink()));
            watchdog::leave(INTERRUPTED);
        });
    }
}

fn dispatch(cli: &Cli) -> u8 {
    let done = match &cli.command {
        Command::Verify(args) => run_verify(args),
        Command::Explore(args) => run_explore(args),
        Command::Prove(args) => prove::run(args),
        Command::Replay(args) if args.native => {
            native::replay(args).map_err(|message| input::refuse(&args.common, &message))
        }
        Command::Replay(args) => replay::run(args),
        Command::Simulate(args) => simulate::run(args),
        Command::Test(args) => test::run(args),
        Command::Merge(args) => match merge::run(args) {
            Ok((text, status)) => {
                output::print(&text);
                Ok(status)
            }
            Err(message) => {
                let how = (args.format.into(), Color::Auto);
                let file = args.answers[0].to_string_lossy();
                Err(input::refuse_about(&file, how, &message))
            }
        },
        Command::Run(args) => native::run(args).map_err(|message| {
            let how = (args.format, Color::Auto);
            input::refuse_about(&args.program[0], how, &message)
        }),
        Command::Cc(args) => native::cc(args).map_err(complain),
        Command::Check(args) => Ok(check::run(args)),
        Command::Fmt(args) => fmt::run(args),
        Command::Lsp(_) => Ok(lsp::run()),
        Command::Dap(_) => Ok(dap::run()),
        Command::Emit(args) => emit::run(args).map(|same| if same { SAFE } else { BUG }),
        Command::Explain(args) => run_explain(args),
        Command::Completions(args) => {
            output::print(&pages::completions(args.shell));
            Ok(SAFE)
        }
        Command::Man(args) => pages::man(args).map(|()| SAFE).map_err(complain),
        Command::Bundle(args) => bundle::run(args).map(|()| SAFE).map_err(complain),
        Command::Doctor => Ok(run_doctor()),
    };
    done.unwrap_or(WRONG_INPUT)
}

/// Complains about a command line that concerns no program.
fn complain(message: String) -> Failed {
    output::print_error(&format!("error: {message}\n"));
    Failed
}

fn run_explain(args: &ExplainArgs) -> Result<u8, Failed> {
    let text = match &args.kind {
        None => Ok(explain::list()),
        Some(kind) if args.example => explain::example(kind),
        Some(kind) => explain::explain(kind),
    };
    output::print(&text.map_err(complain)?);
    Ok(SAFE)
}

fn run_doctor() -> u8 {
    let (findings, well) = doctor::examine();
    output::print(&findings);
    if well { SAFE } else { BUG }
}

/// A panic is a fault of ours, never of the input; its message is on standard error already.
fn internal_error() -> u8 {
    output::print_error(
        "dbverify: internal error: this is a fault of dbverify, not of your program.\n\
         Please report it with the program, the command line and the lines above.\n",
    );
    INCONCLUSIVE
}

fn run_verify(args: &VerifyArgs) -> Result<u8, Failed> {
    if let Some(reason) = option_rules::verification(args) {
        return Err(input::refuse(&args.common, &reason));
    }
    doctor::finds(args.solver.as_deref())
        .map_err(|missing| input::refuse(&args.common, &missing))?;
    let mut question = Question::Delays(args.options());
    let (begin, timeout) = (Instant::now(), question.limits().timeout);
    let files = Files {
        trace: args.trace_out.as_deref(),
        witness: args.witness.as_deref(),
        html: args.html.as_deref(),
        reproduce: args
            .reproduce
            .as_deref()
            .map(|path| Asked { path, timeout }),
        steps: args.shown.steps(),
        ..Files::default()
    };
    files.check(&args.common, &[])?;
    let emits = args.emit_seq || args.emit_boogie || args.emit_smt;
    Promise::new(&args.common, question.engine(), args.bounds(), timeout)
        .emitting(emits)
        .watch();
    let progress = Progress::start(args.common.format == Format::Text);
    let mut job = Job::load(&args.common)?;
    files.check_used(&job)?;
    question.limits_mut().latest = begin.checked_add(timeout);
    if emits {
        return emit(args, job);
    }
    let mut answer = job.ask(&question);
    if let Some(command) = args.solver.as_ref()
        && answer.engine == Engine::Explicit
    {
        let message = format!("`{command}` was not asked: the explicit engine answers");
        answer.notes.push(Note::new(message, None));
    }
    drop(progress);
    job.finish(&answer, question.scheduler_of(&answer), files)
}

/// Prints a translation. If the user gave a range of delays, the greatest counts.
fn emit(args: &VerifyArgs, mut job: Job<'_>) -> Result<u8, Failed> {
    let options = args.options();
    job.refuse_false_claims()?;
    let sequential = seq::sequentialize(
        &job.program,
        seq::Budget::unrolled(
            &job.program,
            options.delays_to,
            options.rounds,
            options.unroll,
        ),
        options.scheduler,
    );
    let about = About {
        file: &job.input.name,
        sources: &job.sources,
    };
    let text = if args.emit_seq {
        emit_seq(&sequential, about)
    } else if args.emit_boogie {
        emit_boogie(&sequential, about, options.unroll)
    } else {
        let file = &job.input.name;
        match emit_smt(file, &job.program, &job.sources, &options) {
            Ok(script) => script,
            Err(NoAnswer::Reason(reason)) => return Err(input::refuse(&args.common, &reason)),
            Err(NoAnswer::Limit(hit)) => {
                watchdog::answering();
                output::print_error(&format!("{file}: inconclusive: {hit}\n"));
                return Ok(INCONCLUSIVE);
            }
        }
    };
    watchdog::answering();
    output::print(&text);
    Ok(SAFE)
}

fn run_explore(args: &ExploreArgs) -> Result<u8, Failed> {
    let progress = args.common.format == Format::Text && std::io::stderr().is_terminal();
    let options = args
        .options(progress)
        .map_err(|message| input::refuse(&args.common, &message))?;
    let mut question = Question::Schedules(options);
    let (begin, timeout) = (Instant::now(), question.limits().timeout);
    let files = Files {
        trace: args.trace_out.as_deref(),
        witness: args.witness.as_deref(),
        html: args.html.as_deref(),
        reproduce: args
            .reproduce
            .as_deref()
            .map(|path| Asked { path, timeout }),
        coverage: args.coverage.as_deref(),
        graph: args.graph.as_deref().map(|path| (path, args.budget())),
        steps: args.shown.steps(),
        ..Files::default()
    };
    files.check(&args.common, &args.cluster.inputs())?;
    Promise::new(&args.common, question.engine(), args.bounds(), timeout).watch();
    let mut job = Job::load(&args.common)?;
    files.check_used(&job)?;
    question.limits_mut().latest = begin.checked_add(timeout);
    let mut farewell = None;
    let answer = if args.cluster.are_given() {
        let mut together =
            |program: &_, options: &_| args.cluster.explore(program, options, &mut farewell);
        job.ask_with(&question, &mut together)
    } else {
        Ok(job.ask(&question))
    };
    let mut answer = match answer {
        Ok(answer) => answer,
        Err(Without::Refused(reason)) => return Err(input::refuse(&args.common, &reason)),
        Err(Without::Answer(status)) => {
            watchdog::answering();
            return Ok(status);
        }
    };
    if !args.cluster.is_first() {
        // A claim is false: nothing was run, and the first process says so.
        return Ok(status::of(&answer));
    }
    if let Some(shard) = &mut answer.shard {
        shard.question = args.question(&job.program);
    }
    let status = job.finish(&answer, question.scheduler_of(&answer), files);
    if let Some(farewell) = farewell {
        farewell.say(*status.as_ref().unwrap_or(&WRONG_INPUT));
    }
    status
}
