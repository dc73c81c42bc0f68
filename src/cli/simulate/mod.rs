//! `dbverify simulate`: one execution, to be looked at. It says nothing about the others.

mod hand;

use std::fmt;
use std::path::{Path, PathBuf};

use clap::{Args, ValueHint};

use answer::{Answer, Counted, Figure};
use base::clock::Instant;
use base::source::Span;
use base::stack::on_big_stack;
use ir::ErrorKind;
use options::Scheduler;
use report::Subject;
use report::style::Look;
use trace::Bug;
use trace::simulate::{Dice, Guide, Length, Outcome, Simulated, simulate};
use trace::state::steps_before;
use trace::{Ended, Trace, TraceStep, replay};

use super::args::{CommonArgs, Format, LimitArgs};
use super::explore_args::ExploreScheduler;
use super::help::{BOUNDS, OUTPUT};
use super::input::{self, Failed};
use super::job::{Files, Job};
use super::number_args::whole;
use super::output;
use super::replay::{followed, read_trace, refuted};
use super::status::{self, INCONCLUSIVE};

const EXAMPLES: &str = "\
Examples:
  dbverify simulate driver.async                   an execution at random, shown like a trace
  dbverify simulate driver.async --seed 7          another one
  dbverify simulate driver.async --by-hand         you say who goes on, and which values are chosen
  dbverify simulate driver.async --to 31           an execution up to line 31, if one is found
  dbverify simulate driver.async --trace bug.json  the execution that --trace-out wrote
  dbverify simulate driver.async --html run.html   as a page to step through

One execution says nothing about the others: use `dbverify explore` or `dbverify FILE` for a verdict.

Exit status: 0 the execution shows no bug, 1 it ends in a bug or does not reach the line of --cover,
2 wrong input or command line, 3 there is nothing to show: --to finds no such execution, or the
program assumes what does not hold.";

/// Options of `simulate`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct SimulateArgs {
    /// Program and answer.
    #[command(flatten)]
    pub common: CommonArgs,
    /// Which of the random executions [default: 0]
    #[arg(long, value_name = "N", conflicts_with_all = ["by_hand", "trace"], value_parser = whole::<u64>(0..=u64::MAX))]
    pub seed: Option<u64>,
    /// Ask you which task goes on, and for open values
    #[arg(long, conflicts_with = "trace")]
    pub by_hand: bool,
    /// The execution of a trace that --trace-out wrote
    #[arg(long, value_name = "F", value_hint = ValueHint::FilePath, conflicts_with_all = ["runs", "max_steps"])]
    pub trace: Option<PathBuf>,
    /// Stop at the first step on this line; at random, try executions until one gets there
    #[arg(long, value_name = "LINE", conflicts_with = "by_hand", value_parser = whole::<u32>(1..=u32::MAX.into()))]
    pub to: Option<u32>,
    /// How many random executions --to tries, and how often a false `assume` is tried again
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = whole::<u64>(1..=u64::MAX), help_heading = BOUNDS)]
    pub runs: u64,
    /// Most visits of the dispatcher
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = whole::<usize>(1..=1 << 24), help_heading = BOUNDS)]
    pub max_steps: usize,
    /// Which task may run next [default: bag]
    #[arg(long, value_enum, conflicts_with = "trace", help_heading = BOUNDS)]
    pub scheduler: Option<ExploreScheduler>,
    /// Write the execution to a file, for `dbverify replay`
    #[arg(long, value_name = "F", value_hint = ValueHint::FilePath, help_heading = OUTPUT)]
    pub trace_out: Option<PathBuf>,
    /// Write it as a page for a browser
    #[arg(long, value_name = "F", value_hint = ValueHint::FilePath, help_heading = OUTPUT)]
    pub html: Option<PathBuf>,
    /// Limits.
    #[command(flatten)]
    pub limits: LimitArgs,
}

/// Why there is no execution to show.
#[derive(PartialEq)]
enum Unmade {
    Late,
    Dropped,
    Stopped(Stopped),
}

/// Why an execution was stopped.
#[derive(PartialEq)]
struct Stopped {
    /// The reason that the machine gives.
    why: String,
    /// Whether more memory would help.
    lacks_heap: bool,
}

impl fmt::Display for Unmade {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Late => "the time ran out",
            Self::Dropped => "a condition that the program assumes does not hold",
            Self::Stopped(Stopped { why, .. }) => why,
        })
    }
}

/// If so many executions from the first on stop for the same reason, others would, too.
const ENOUGH: u64 = 50;

/// An execution to be shown.
pub struct Execution {
    pub scheduler: Scheduler,
    pub trace: Trace,
    pub bug: Option<Bug>,
    /// The whole execution, if only a part is shown.
    whole: Option<(Trace, Option<Bug>)>,
    /// How the execution ended, in a word.
    ended: &'static str,
    /// Why it was stopped before its end.
    stopped: Option<Stopped>,
    /// The seed that makes it again.
    seed: Option<u64>,
    /// Whether its steps have been shown while it was made.
    shown: bool,
}

impl Execution {
    /// The execution of a trace.
    pub fn of_trace(scheduler: Scheduler, trace: Trace, bug: Option<Bug>) -> Self {
        Self {
            scheduler,
            ended: if bug.is_some() { "bug" } else { "finished" },
            stopped: None,
            trace,
            bug,
            whole: None,
            seed: None,
            shown: false,
        }
    }
}

/// Shows an execution.
///
/// # Errors
/// When there is no execution to show; the user has been told why.
pub fn run(args: &SimulateArgs) -> Result<u8, Failed> {
    let refuse = |message: String| input::refuse(&args.common, &message);
    let files = Files {
        trace: args.trace_out.as_deref(),
        html: args.html.as_deref(),
        ..Files::default()
    };
    let trace = args.trace.as_deref();
    let inputs: Vec<(&Path, _)> = trace.map(|path| (path, "the trace")).into_iter().collect();
    files.check(&args.common, &inputs)?;
    if args.by_hand && args.common.file == "-" {
        return Err(refuse(
            "the program and your choices cannot both be standard input".to_owned(),
        ));
    }
    if let Some(path) = trace {
        let (mut job, file) = read_trace(&args.common, path)?;
        files.check_used(&job)?;
        there_is(args, &job).map_err(refuse)?;
        let refuted = refuted(&mut job, &file);
        let (trace, bug) = match refuted.and_then(|answer| answer.bugs.into_iter().next()) {
            Some(bug) => (bug.trace.clone(), Some(bug)),
            None => followed(&job, &file, path)?,
        };
        let mut execution = Execution::of_trace(file.scheduler, trace, bug);
        if !reached(args, &job, &mut execution) {
            return Ok(unreached(args, &job, "the trace does not get", ""));
        }
        let summary = summary(args, &job, &execution);
        return show(&job, &execution, summary, files);
    }
    let mut common = args.common.clone();
    common.memory.whole = true;
    let mut job = Job::load(&common)?;
    files.check_used(&job)?;
    there_is(args, &job).map_err(refuse)?;
    let found = if args.by_hand {
        by_hand(args, &job)
    } else {
        at_random(args, &mut job)
    };
    match found {
        Ok(execution) => {
            let summary = summary(args, &job, &execution);
            show(&job, &execution, summary, files)
        }
        Err(nothing) => Ok(nothing),
    }
}

/// Checks that the file has the line that the user names.
fn there_is(args: &SimulateArgs, job: &Job<'_>) -> Result<(), String> {
    let lines = job.input.text.lines().count();
    match args.to.filter(|&line| line as usize > lines) {
        Some(line) => Err(format!("line {line}: the file has {lines} lines")),
        None => Ok(()),
    }
}

/// The scheduler that was asked for.
fn scheduler(args: &SimulateArgs) -> Scheduler {
    args.scheduler
        .map_or(Scheduler::Bag, |wanted| wanted.with(1))
}

/// Makes an execution as a guide decides, until `end`.
fn made(
    args: &SimulateArgs,
    job: &Job<'_>,
    guide: &mut dyn Guide,
    end: Option<Instant>,
) -> Result<Execution, Unmade> {
    let scheduler = scheduler(args);
    let most = Length {
        visits: args.max_steps,
        end,
    };
    let Simulated {
        schedule,
        outcome,
        stopped,
    } = simulate(&job.program, scheduler, guide, most);
    if outcome == Outcome::Dropped {
        return Err(Unmade::Dropped);
    }
    let stopped = stopped.map(|(why, at)| Stopped {
        why: format!("{why}, at line {}", job.sources.line(at)),
        lacks_heap: job.program.scope.cut(at).is_some_and(|cut| cut.heap),
    });
    let empty = schedule.as_ref().is_none_or(|s| s.decisions.is_empty());
    if empty && matches!(outcome, Outcome::Stopped | Outcome::Late) {
        return Err(stopped.map_or(Unmade::Late, Unmade::Stopped));
    }
    let (trace, bug) = match schedule {
        Some(schedule) => replay(&job.program, scheduler, &schedule).map_err(|why| {
            let lacks_heap = false;
            Unmade::Stopped(Stopped { why, lacks_heap })
        })?,
        None => (Trace::default(), None),
    };
    let ended = match outcome {
        Outcome::Failed => "bug",
        Outcome::Ended | Outcome::Dropped => "finished",
        Outcome::Left => "left",
        Outcome::Long | Outcome::Stopped => "stopped",
        Outcome::Late => "late",
    };
    Ok(Execution {
        ended,
        stopped,
        ..Execution::of_trace(scheduler, trace, bug)
    })
}

/// Makes the execution of a seed, with more memory if it lacks memory and the user did not say how much there is.
fn made_of(
    seed: u64,
    args: &SimulateArgs,
    job: &mut Job<'_>,
    end: Option<Instant>,
) -> Result<Execution, Unmade> {
    loop {
        let found = on_big_stack(|| made(args, job, &mut Dice::new(seed), end));
        let stopped = match &found {
            Ok(execution) => execution.stopped.as_ref(),
            Err(Unmade::Stopped(stopped)) => Some(stopped),
            Err(_) => None,
        };
        let lacks = stopped.is_some_and(|s| s.lacks_heap) && args.common.c.heap.is_none();
        if !lacks || !job.grow() {
            return found;
        }
    }
}

/// Returns the first random execution that can be made and, if the user names a line, gets to that line.
fn at_random(args: &SimulateArgs, job: &mut Job<'_>) -> Result<Execution, u8> {
    let (first, begin) = (args.seed.unwrap_or(0), Instant::now());
    // Why the last one was stopped, and how many from the first on were stopped for that reason.
    let (mut last, mut alike) = (None, 0);
    let (mut runs, mut late) = (0, false);
    while runs < args.runs && alike < ENOUGH && !late {
        let left = args.limits.timeout.saturating_sub(begin.elapsed());
        let seed = first.wrapping_add(runs);
        // A replay shows the execution, and takes about as long again.
        let end = Instant::now().checked_add(left * 2 / 5);
        match made_of(seed, args, job, end) {
            Ok(mut execution) => {
                last = None;
                if reached(args, job, &mut execution) {
                    execution.seed = Some(seed);
                    return Ok(execution);
                }
            }
            // A lack of time says nothing about the program.
            Err(Unmade::Late) if last.is_some() => {}
            Err(why) => {
                let same = last.as_ref().is_none_or(|(_, before)| *before == why);
                alike += u64::from(same && alike == runs && why != Unmade::Dropped);
                last = Some((seed, why));
            }
        }
        runs += 1;
        late = begin.elapsed() >= args.limits.timeout;
    }
    let whose = match runs {
        _ if late => format!("the time ran out: none of {runs} executions gets"),
        1 => "the execution does not get".to_owned(),
        runs => format!("none of {runs} executions gets"),
    };
    let why = last.map(|(seed, why)| format!(" (seed {seed}: {why})"));
    Err(unreached(args, job, &whose, &why.unwrap_or_default()))
}

fn by_hand(args: &SimulateArgs, job: &Job<'_>) -> Result<Execution, u8> {
    let mut hand = hand::Hand::new(job, scheduler(args), args.runs);
    loop {
        let found = on_big_stack(|| made(args, job, &mut hand, None));
        if hand.goes_back() || found.is_err() && hand.tries_again() {
            continue;
        }
        let mut execution = found.map_err(|why| {
            unreached(args, job, "the execution does not get", &format!(": {why}"))
        })?;
        hand.show(&execution.trace);
        execution.shown = args.common.format == Format::Text;
        return Ok(execution);
    }
}

/// Checks whether an execution gets to the line that the user names. Cuts off what follows.
fn reached(args: &SimulateArgs, job: &Job<'_>, execution: &mut Execution) -> bool {
    let Some(line) = args.to else { return true };
    let own = &job.input.name;
    let is_there = |span: Span| {
        let at = job.sources.locate(span);
        at.is_some_and(|at| at.line == line && at.file == *own)
    };
    let (trace, scheduler) = (&mut execution.trace, execution.scheduler);
    let on_it = |step: &TraceStep| step.span.is_some_and(is_there);
    let step = trace.steps.iter().position(on_it);
    // Not every statement is a step.
    let before = steps_before(&job.program, scheduler, &trace.schedule, &is_there);
    let before = before.filter(|before| step.is_none_or(|step| *before < step));
    let Some(end) = before.or(step.map(|step| step + 1)) else {
        return false;
    };
    if end < trace.steps.len() || execution.bug.is_none() {
        execution.whole = Some((trace.clone(), execution.bug.clone()));
        trace.steps.truncate(end);
        trace.segments.retain(|s| s.first < end);
        if let Some(last) = trace.segments.last_mut() {
            last.end = Ended::Cut;
        }
        execution.bug = None;
        execution.ended = "line";
    }
    true
}

/// Says that there is nothing to show, and why.
fn unreached(args: &SimulateArgs, job: &Job<'_>, whose: &str, why: &str) -> u8 {
    let place = match args.to {
        Some(line) => format!("to line {line}"),
        None => "to its end".to_owned(),
    };
    let message = format!("{whose} {place}{why}");
    let answer = answer(message, None, 0);
    let subject = subject(job, &answer);
    let nothing = Trace::default();
    output::print(&match args.common.format {
        Format::Json => report::execution::json(&subject, &nothing, "nowhere", None),
        Format::Sarif => report::execution::sarif(&subject, Some(&answer.summary)),
        Format::Text => report::execution::ending(&subject, Look::default()),
    });
    INCONCLUSIVE
}

fn subject<'a>(job: &'a Job<'_>, answer: &'a Answer) -> Subject<'a> {
    Subject {
        file: &job.input.name,
        sources: &job.sources,
        program: &job.program,
        answer,
    }
}

/// An execution as an answer without a verdict.
fn answer(summary: String, bug: Option<Bug>, steps: usize) -> Answer {
    let mut answer = report::replayed(Trace::default(), bug);
    answer.summary = summary;
    answer.stats = vec![Figure::Count(Counted::Transitions, steps as u64)];
    answer
}

/// How an execution ended, in a sentence.
fn summary(args: &SimulateArgs, job: &Job<'_>, execution: &Execution) -> String {
    let which = match execution.seed {
        Some(seed) => format!("this execution (seed {seed})"),
        None => "this execution".to_owned(),
    };
    let kind = execution.bug.as_ref().map(|bug| bug.kind);
    match (execution.ended, job.common.cover) {
        (_, Some(line)) if kind == Some(ErrorKind::Cover) => {
            format!("{which} reaches line {line} with the condition true")
        }
        ("finished", Some(line)) => {
            format!(
                "{which} does not reach line {line} with the condition true, which says nothing about others"
            )
        }
        ("bug", _) => format!("{which} ends in an error"),
        ("line", _) => {
            let line = args.to.unwrap_or_default();
            format!("{which} gets to line {line}; what follows is not shown")
        }
        ("left", _) => format!("{which} was left before its end"),
        ("stopped", _) => match &execution.stopped {
            Some(Stopped { why, .. }) => format!("{which} is not followed further: {why}"),
            None => format!("{which} is longer than what is shown"),
        },
        ("late", _) => format!("the time ran out: {which} is longer than what is shown"),
        _ => format!("{which} ends without an error, which says nothing about others"),
    }
}

/// Shows an execution and writes its files.
///
/// # Errors
/// When one cannot be written; the user has been told.
pub fn show(
    job: &Job<'_>,
    execution: &Execution,
    summary: String,
    files: Files<'_>,
) -> Result<u8, Failed> {
    let steps = execution.trace.steps.len();
    let mut answer = answer(summary, execution.bug.clone(), steps);
    let covers = |bug: &Bug| bug.kind == ErrorKind::Cover;
    answer.asks_cover = job.common.cover.is_some() && answer.bugs.iter().all(covers);
    let subject = subject(job, &answer);
    let look = output::look(job.common.color);
    let trace = &execution.trace;
    let text = match job.common.format {
        Format::Json => report::execution::json(&subject, trace, execution.ended, execution.seed),
        Format::Sarif => report::execution::sarif(&subject, None),
        _ if execution.shown => report::execution::ending(&subject, look),
        _ => report::execution::text(&subject, trace, look),
    };
    let html = files.html.map(|path| {
        let command = output::command_line();
        let page = report::html::Page {
            trace: Some(trace),
            scheduler: execution.scheduler,
            sequential: None,
            command: command.as_deref(),
            decided: false,
            sample: None,
        };
        output::write_file(path, &report::html::page(&subject, &page))
    });
    let file = files.trace.map(|path| {
        let text = trace_text(job, execution);
        output::write_file(path, &text)
    });
    output::print(&text);
    let reproduced = files.reproduce.map(|asked| job.reproduce(&subject, asked));
    let failed = [html, file, reproduced]
        .into_iter()
        .flatten()
        .find_map(Result::err);
    if let Some(message) = failed {
        output::print_error(&format!("error: {message}\n"));
        return Err(Failed);
    }
    Ok(status::of(&answer))
}

/// The whole execution as a trace that can be replayed.
fn trace_text(job: &Job<'_>, execution: &Execution) -> String {
    let whole = execution.whole.as_ref();
    let (trace, bug) = whole.map_or((&execution.trace, &execution.bug), |(t, bug)| (t, bug));
    let answer = answer(String::new(), bug.clone(), 0);
    job.trace_text(&subject(job, &answer), trace, execution.scheduler)
}
