//! From a question to its answer.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use base::work;
use explore::dpor::Stats;
use rustc_hash::FxHashSet;

use super::binary::Seen;
use super::lines::{Lines, short};
use super::model::{Checker, Problem, steps};
use super::process::{Execution, Mode, Program, Request};
use super::races::races;
use super::search::{self, Bug, Finder};
use super::{Answer, Format, Options, Strategy, again, binary, page, show};

const SAFE: u8 = 0;
const BUG: u8 = 1;
const INCONCLUSIVE: u8 = 3;

/// The outcome of a search.
pub(super) enum Outcome {
    /// No bug, with words for what was covered, and whether no schedule was left out.
    Safe(String, bool),
    Bug(Bug, Box<Execution>),
    Inconclusive(String),
}

/// A finished search.
pub(super) struct Report<'a> {
    pub options: &'a Options,
    pub outcome: Outcome,
    pub executions: u64,
    pub processes: u64,
    pub seconds: f64,
    /// Whether accesses to memory in the program itself are seen.
    pub seen: Seen,
    /// Libraries whose accesses are not seen.
    pub unseen: Vec<String>,
    pub visible: Vec<String>,
    /// More than a word of memory was one step.
    pub whole: bool,
    pub lines: Lines,
}

pub(crate) fn run(options: &Options) -> Result<Answer, String> {
    let begin = Instant::now();
    let (mut options, path, seen) = prepared(options)?;
    let mut checker = Checker::new(Program::start(&options)?, Mode::First);
    let (mut outcome, mut executions) = searched(&mut checker, &options, begin);
    let mut processes = checker.program.processes;
    let open = matches!(outcome, Outcome::Inconclusive(_));
    let again = begin.elapsed() < options.timeout && !work::stopping();
    if open && checker.polls && !options.fair && again {
        options.fair = true;
        checker = Checker::new(Program::start(&options)?, Mode::First);
        let before = executions;
        (outcome, executions) = searched(&mut checker, &options, begin);
        executions += before;
        processes += checker.program.processes;
    }
    let lines = Lines::new(&checker.program.maps);
    let unseen = unseen(&lines, &path);
    if let Outcome::Inconclusive(reason) = &mut outcome
        && checker.differs
        && !options.races
    {
        let libraries = unseen.join(", ");
        *reason += &format!(
            "; or threads race for memory that a library writes, which is not seen ({libraries}): `--races` tells the races for what the program itself accesses"
        );
    }
    let report = Report {
        outcome,
        executions,
        processes,
        seconds: begin.elapsed().as_secs_f64(),
        seen,
        unseen,
        visible: visible(&lines, &checker.program),
        whole: checker.program.whole,
        lines,
        options: &options,
    };
    let counterexample = match &report.outcome {
        Outcome::Bug(bug, _) if options.beside.counterexample => {
            Some(again::file(&options, bug, &checker.program, &path)?)
        }
        _ => None,
    };
    Ok(Answer {
        counterexample,
        ..answer(report)
    })
}

/// Makes an answer from a report. If the program's own accesses are not seen, a search without a bug is inconclusive.
pub(super) fn answer(mut report: Report<'_>) -> Answer {
    if report.seen == Seen::All
        && let Some(library) = (report.lines.files()).find(|f| binary::hides_locks(Path::new(f)))
    {
        let name = short(library);
        report.seen = Seen::Part(format!(
            "atomics and accesses to memory in {name} are not seen, because it is written in Rust"
        ));
    }
    match &report.outcome {
        Outcome::Safe(bound, _) if report.seen != Seen::All => {
            report.outcome = Outcome::Inconclusive(match &report.seen {
                Seen::Part(reason) => {
                    format!("{bound}; only operations that are seen were reordered: {reason}")
                }
                _ => format!(
                    "{bound}; only calls of POSIX threads were reordered: atomics and accesses to memory are not seen, because the program is not built with `dbverify cc`"
                ),
            });
        }
        Outcome::Safe(bound, false) if report.options.require_exhaustive => {
            report.outcome = Outcome::Inconclusive(bound.clone());
        }
        Outcome::Inconclusive(reason) => {
            report.outcome = Outcome::Inconclusive(report.lines.in_words(reason));
        }
        _ => {}
    }
    let status = match report.outcome {
        Outcome::Safe(..) => SAFE,
        Outcome::Bug(..) => BUG,
        Outcome::Inconclusive(_) => INCONCLUSIVE,
    };
    let text = match report.options.format {
        Format::Text => show::text(&report),
        Format::Json => format!("{:#}\n", show::json(&report)),
        Format::Sarif => show::sarif(&report),
    };
    let beside = &report.options.beside;
    let page = (beside.page).then(|| page::page(&report, beside.command.as_deref()));
    Answer {
        text,
        status,
        counterexample: None,
        page,
    }
}

/// The libraries that do not report their accesses.
pub(super) fn unseen(lines: &Lines, program: &Path) -> Vec<String> {
    let program = program.canonicalize().unwrap_or_default();
    let libraries = lines.files().filter(|f| Path::new(f) != program);
    let libraries = libraries.filter(|f| binary::hides_accesses(Path::new(f)));
    let names = libraries.map(short);
    let ours = |n: &&str| !n.starts_with("libdbverify_run") && !n.starts_with("ld-");
    different(names.filter(ours).map(str::to_owned))
}

/// Leaves out repeated texts.
fn different(texts: impl Iterator<Item = String>) -> Vec<String> {
    let mut all: Vec<String> = texts.collect();
    let mut seen = FxHashSet::default();
    all.retain(|text| seen.insert(text.clone()));
    all
}

/// The variables in words of memory.
pub(super) fn visible(lines: &Lines, program: &Program) -> Vec<String> {
    different(program.visible().iter().map(|&at| lines.word(at)))
}

/// How many traces follow a search, and how often priorities change in the random schedules behind them. Below, how long each
/// of the two takes at most.
const TRACES: u64 = 150;
const CHANGES: u32 = 4;
const FURTHER: Duration = Duration::from_secs(10);

/// Searches. If schedules are left out, tries the first of all traces, then random schedules.
fn searched(checker: &mut Checker, options: &Options, begin: Instant) -> (Outcome, u64) {
    let until = begin + options.timeout;
    let (mut outcome, mut executions) = deepened(checker, options, until, 0);
    if options.walks > 0 && matches!(outcome, Outcome::Safe(_, false)) {
        let (further, more) = further(checker, options, until);
        outcome = further;
        executions += more;
    }
    if let (Outcome::Safe(said, _) | Outcome::Inconclusive(said), Some(name)) =
        (&outcome, &checker.channel)
    {
        outcome = Outcome::Inconclusive(format!(
            "{said}, but threads may hear of each other through `{name}`, which is not controlled: check a build in which they use mutexes, conditions, semaphores or a plain pipe instead"
        ));
    }
    (outcome, executions)
}

/// Looks among the first of all traces, then at random. Returns also how many executions ran to their end.
fn further(checker: &mut Checker, options: &Options, until: Instant) -> (Outcome, u64) {
    let seen = checker.program.visible().len();
    let (found, traces) = tried(checker, options, Strategy::First(TRACES), until);
    if let Some(found) = found {
        return (found, traces);
    }
    let walks = Strategy::Priorities(options.walks, CHANGES);
    let (found, walks) = tried(checker, options, walks, until);
    let ran = traces + walks;
    match found {
        Some(found) => (found, ran),
        // More accesses are steps now, so delays have more places.
        None if checker.program.visible().len() > seen => {
            let (outcome, executions) = deepened(checker, options, until, walks);
            (outcome, ran + executions)
        }
        None => (bounded(options, last_budget(options), true, walks), ran),
    }
}

/// Searches for a short time. Returns the outcome that ends the search, if there is one, and how many executions ran to their
/// end.
fn tried(
    checker: &mut Checker,
    options: &Options,
    strategy: Strategy,
    until: Instant,
) -> (Option<Outcome>, u64) {
    let options = Options {
        strategy,
        ..options.clone()
    };
    let until = until.min(Instant::now() + FURTHER);
    let polls = checker.polls;
    let (finder, stats, _) = match complete(checker, &options, until, 0, None) {
        Err(problem) => return (Some(Outcome::Inconclusive(problem)), 0),
        Ok(done) => done,
    };
    let ended = finder.executions - finder.cut;
    let unsettled = unsettled(checker, &options, &finder, stats).is_some();
    let full = finder.is_full();
    let outcome = match (finder.bug, checker.problem.clone(), strategy) {
        (Some(bug), ..) => Some(confirmed(checker, bug)),
        (_, Some(Problem::Limit(problem)), _) => Some(Outcome::Inconclusive(problem)),
        (_, _, Strategy::First(_)) => {
            // Random schedules can go on where a search of all traces has no end.
            checker.polls = polls;
            (!unsettled && !full).then(|| bounded(&options, 0, false, 0))
        }
        _ => None,
    };
    (outcome, ended)
}

fn last_budget(options: &Options) -> u32 {
    match options.strategy {
        Strategy::Delays(_, to) => to,
        _ => 0,
    }
}

/// Searches with larger and larger budgets.
fn deepened(
    checker: &mut Checker,
    options: &Options,
    until: Instant,
    walks: u64,
) -> (Outcome, u64) {
    let mut budget = match options.strategy {
        Strategy::Delays(from, _) => from,
        _ => 0,
    };
    loop {
        let (finder, stats, more) = match complete(checker, options, until, budget, None) {
            Ok(done) => done,
            Err(problem) => return (Outcome::Inconclusive(problem), 0),
        };
        let executions = finder.executions;
        let unsettled = unsettled(checker, options, &finder, stats);
        if let Some(bug) = finder.bug {
            let bug = shorter(checker, options, bug);
            return (confirmed(checker, bug), executions);
        }
        if let Some(reason) = unsettled {
            return (Outcome::Inconclusive(reason), executions);
        }
        if budget >= last_budget(options) || !more {
            return (bounded(options, budget, more, walks), executions);
        }
        budget += 1;
    }
}

/// Makes one search. Begins again if it finds something shared that concerns earlier steps. The flag says whether delays
/// beyond the budget were left out.
pub(super) fn complete<'a>(
    checker: &mut Checker,
    options: &'a Options,
    until: Instant,
    budget: u32,
    wanted: Option<&'a dyn Fn(&search::What) -> search::Fit>,
) -> Result<(Finder<'a>, Option<Stats>, bool), String> {
    loop {
        let mut finder = Finder::new(options, checker, until).looking_for(wanted);
        let (mut stats, mut more) = (None, false);
        match options.strategy {
            Strategy::All | Strategy::First(_) => {
                checker.again(Mode::First);
                stats = Some(search::all(checker, &mut finder));
            }
            Strategy::Delays(..) => {
                checker.again(Mode::Next);
                more = search::delays(checker, &mut finder, budget);
            }
            Strategy::Random(runs) => {
                checker.again(Mode::Random);
                search::random(checker, &mut finder, runs, None);
            }
            Strategy::Priorities(runs, changes) => {
                checker.again(Mode::Priorities);
                search::random(checker, &mut finder, runs, Some(changes));
            }
        }
        finder.look_at(checker);
        checker.polls |= finder.cut > 0 || finder.polls();
        if search::is_over(checker, &finder) || finder.late {
            return Ok((finder, stats, more));
        }
        let raced = std::mem::take(&mut finder.raced);
        checker.program.show(&words(raced))?;
    }
}

/// The words of memory in which these places lie.
fn words(mut places: Vec<u64>) -> Vec<u64> {
    places.iter_mut().for_each(|place| *place &= !7);
    places.sort_unstable();
    places.dedup();
    places
}

/// Returns why a search without a bug is inconclusive, if it is.
fn unsettled(
    checker: &Checker,
    options: &Options,
    finder: &Finder<'_>,
    stats: Option<Stats>,
) -> Option<String> {
    if let Some(Problem::Limit(problem)) = &checker.problem {
        return Some(problem.clone());
    }
    if work::stopping() {
        let reason = work::INTERRUPTED;
        return Some(format!(
            "{reason}: no bug in {} executions",
            finder.executions
        ));
    }
    if finder.late {
        let seconds = options.timeout.as_secs_f64();
        let executions = finder.executions;
        let advice = match checker.yields && !options.fair {
            true => "; threads yield: `--fair` ends executions in which they only poll",
            false => "",
        };
        let executions = show::counted(executions, "execution", "executions");
        return Some(format!("no bug in {executions} within {seconds} s{advice}"));
    }
    if stats.is_some_and(|s| s.asleep > 0) {
        let reason = "the reduction began an execution in vain: this is a fault of dbverify";
        return Some(reason.into());
    }
    if finder.cut == 0 && finder.polls() {
        return Some("no bug, but a thread may poll without an end".into());
    }
    (finder.cut > 0).then(|| {
        let steps = checker.program.max_steps();
        format!(
            "no bug, but {} longer than {steps} steps{}",
            match finder.cut {
                1 => "an execution was".to_owned(),
                cut => format!("{cut} executions were"),
            },
            match steps < options.max_steps {
                true => ": dbverify has no room for more",
                false => "",
            }
        )
    })
}

/// The outcome of a search without a bug.
fn bounded(options: &Options, budget: u32, more: bool, walks: u64) -> Outcome {
    let also = match walks {
        0 => String::new(),
        walks => format!(", and none in {walks} random schedules"),
    };
    let text = match options.strategy {
        Strategy::Random(runs) | Strategy::Priorities(runs, _) => {
            format!("no bug in {runs} random schedules of this input; others may show one")
        }
        Strategy::Delays(..) if more => format!(
            "no bug with at most {} for this input{also}; a larger budget may show more",
            show::counted(u64::from(budget), "delay", "delays")
        ),
        _ => "no bug in any schedule of this input, with sequentially consistent memory".into(),
    };
    let random = matches!(
        options.strategy,
        Strategy::Random(_) | Strategy::Priorities(..)
    );
    Outcome::Safe(text, !random && !more)
}

/// Runs a bug's schedule twice more. Shows the bug only if both processes show it.
fn confirmed(checker: &mut Checker, bug: Bug) -> Outcome {
    let request = Request::follow(&bug.schedule);
    let mut seen = None;
    for _ in 0..2 {
        let execution = match checker.program.execute(&request) {
            Ok(execution) => execution,
            Err(problem) => return Outcome::Inconclusive(problem),
        };
        if !search::shows(&bug.what, &steps(&execution), &execution.ending) {
            return Outcome::Inconclusive(format!(
                "a bug was seen, but its schedule, run again, ends otherwise ({:?}): the program is not deterministic",
                execution.ending
            ));
        }
        seen = Some(execution);
    }
    match seen {
        Some(execution) => Outcome::Bug(bug, Box::new(execution)),
        None => Outcome::Inconclusive("the bug was not run again".into()),
    }
}

/// Whether an execution shows the bug.
fn is_shown(checker: &mut Checker, bug: &Bug) -> bool {
    let execution = checker.program.execute(&Request::follow(&bug.schedule));
    execution.is_ok_and(|e| search::shows(&bug.what, &steps(&e), &e.ending))
}

/// Returns the same bug with few delays, if the search finds one soon.
fn shorter(checker: &mut Checker, options: &Options, bug: Bug) -> Bug {
    if matches!(options.strategy, Strategy::Delays(..)) {
        return bug;
    }
    let until = Instant::now() + SHORTENING;
    for budget in 0..=2 {
        let mut finder = Finder::new(options, checker, until);
        checker.again(Mode::Next);
        search::delays(checker, &mut finder, budget);
        // Accesses that race are no steps here, so the model may be wrong about other executions.
        let alike = |found: &Bug| found.what.resembles(&bug.what) && is_shown(checker, found);
        if let Some(found) = finder.bug.filter(alike) {
            return found;
        }
        if finder.late || checker.problem.is_some() {
            break;
        }
    }
    bug
}

const SHORTENING: Duration = Duration::from_secs(2);

/// How many schedules are run twice by `--check-determinism`.
const TWICE: u64 = 20;

pub(crate) fn check_determinism(options: &Options) -> Result<Answer, String> {
    let begin = Instant::now();
    let (options, path, seen) = prepared(options)?;
    let mut program = Program::start(&options)?;
    let (outcome, executions) = compared(&mut program, &options)?;
    let lines = Lines::new(&program.maps);
    Ok(answer(Report {
        outcome,
        executions,
        processes: program.processes,
        seconds: begin.elapsed().as_secs_f64(),
        seen,
        unseen: unseen(&lines, &path),
        visible: visible(&lines, &program),
        whole: program.whole,
        lines,
        options: &options,
    }))
}

/// Runs random schedules twice each, until one differs or ends in an error. Returns also how many were run.
fn compared(program: &mut Program, options: &Options) -> Result<(Outcome, u64), String> {
    for number in 0..TWICE {
        if work::stopping() {
            let reason = work::INTERRUPTED;
            let said =
                format!("{reason}: {number} random schedules, each run twice, were the same twice");
            return Ok((Outcome::Inconclusive(said), number));
        }
        let request = Request {
            prefix: &[],
            mode: Mode::Random,
            seed: options.seed.wrapping_add(number),
            changes: &[],
        };
        let execution = loop {
            let execution = match program.twice(&request) {
                Ok(execution) => execution,
                Err(reason) => return Ok((Outcome::Inconclusive(reason), number)),
            };
            let raced = races(&steps(&execution));
            let raced: Vec<u64> = raced.iter().map(|race| race.place).collect();
            if !execution.found && raced.is_empty() {
                break execution;
            }
            program.show(&words(raced))?;
        };
        if search::is_wrong(options, &execution.ending) {
            let what = search::What::Ending(execution.ending.clone());
            let bug = Bug::after(&steps(&execution), what);
            return Ok((Outcome::Bug(bug, Box::new(execution)), number + 1));
        }
    }
    let same = format!("{TWICE} random schedules, each run twice, were the same twice");
    Ok((Outcome::Safe(same, false), TWICE))
}

/// Finds the program's path, and checks that it can run under control. Returns also whether its accesses to memory are seen.
fn prepared(options: &Options) -> Result<(Options, PathBuf, Seen), String> {
    let mut options = options.clone();
    let path = binary::find(&options.program[0])?;
    let seen = binary::check(&path)?;
    options.program[0] = path.to_string_lossy().into_owned();
    Ok((options, path, seen))
}
