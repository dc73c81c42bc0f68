//! From a question to its answer.

use std::path::Path;
use std::time::Instant;

use serde_json::{Value, json};

use super::lines::Lines;
use super::log::Ending;
use super::model::{Checker, Problem, steps};
use super::process::{Execution, Mode, Program, Request};
use super::search::{self, Bug, Finder, What};
use super::{Answer, Options, Strategy, binary, show};

const SAFE: u8 = 0;
const BUG: u8 = 1;
const INCONCLUSIVE: u8 = 3;

/// What came of the search.
pub(super) enum Outcome {
    /// No bug; how much that says.
    Safe(String),
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
    /// Accesses to memory in the program itself are seen.
    pub seen: bool,
    /// Libraries whose accesses are not.
    pub unseen: Vec<String>,
    pub visible: Vec<String>,
    pub lines: Lines,
}

pub(super) fn run(options: &Options) -> Result<Answer, String> {
    let begin = Instant::now();
    let mut options = options.clone();
    let path = binary::find(&options.program[0])?;
    let seen = binary::check(&path)?;
    options.program[0] = path.to_string_lossy().into_owned();
    let program = Program::start(&options)?;
    let lines = Lines::new(&program.maps);
    let mut checker = Checker::new(program, Mode::First);
    let (outcome, executions) = searched(&mut checker, &options, begin);
    let visible = checker.program.visible().iter().map(|&at| lines.name(at));
    let report = Report {
        outcome,
        executions,
        processes: checker.program.processes,
        seconds: begin.elapsed().as_secs_f64(),
        seen,
        unseen: unseen(&lines, &path),
        visible: visible.collect(),
        lines,
        options: &options,
    };
    let names = checker.program.names()?;
    if let (Some(file), Outcome::Bug(bug, _)) = (&options.trace_out, &report.outcome) {
        let text = format!(
            "{:#}\n",
            to_file(&options, bug, &names, checker.program.visible(), &path)?
        );
        std::fs::write(file, text)
            .map_err(|error| format!("cannot write {}: {error}", file.display()))?;
    }
    Ok(answer(report))
}

/// An answer from a report. Where the program's own accesses are not seen, no bug is no answer.
fn answer(mut report: Report<'_>) -> Answer {
    if let Outcome::Safe(bound) = &report.outcome
        && !report.seen
    {
        report.outcome = Outcome::Inconclusive(format!(
            "{bound} among those that differ in POSIX threads; atomics and accesses to memory are not seen, because the program is not built with `dbverify cc`"
        ));
    }
    let status = match report.outcome {
        Outcome::Safe(_) => SAFE,
        Outcome::Bug(..) => BUG,
        Outcome::Inconclusive(_) => INCONCLUSIVE,
    };
    let text = if report.options.json {
        format!("{:#}\n", show::json(&report))
    } else {
        show::text(&report)
    };
    Answer { text, status }
}

/// The libraries that do not report their accesses.
fn unseen(lines: &Lines, program: &Path) -> Vec<String> {
    let program = program.canonicalize().unwrap_or_default();
    let libraries = lines.files().filter(|f| Path::new(f) != program);
    let libraries = libraries.filter(|f| f.contains(".so") && !binary::instrumented(Path::new(f)));
    let names = libraries.filter_map(|f| f.rsplit('/').next());
    let ours = |n: &&str| !n.starts_with("libdbverify_run") && !n.starts_with("ld-");
    names.filter(ours).map(str::to_owned).collect()
}

/// Searches; begins again where something shared was found that concerns what was before.
fn searched(checker: &mut Checker, options: &Options, begin: Instant) -> (Outcome, u64) {
    let until = begin + options.timeout;
    let budgets = match options.strategy {
        Strategy::Delays(from, to) => from..=to,
        _ => 0..=0,
    };
    let mut executions = 0;
    for budget in budgets.clone() {
        let last = budget == *budgets.end();
        let (finder, stats, more) = loop {
            let mut finder = Finder::new(options, checker, until);
            let (mut stats, mut more) = (None, false);
            match options.strategy {
                Strategy::All => {
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
            if search::is_over(checker, &finder) || finder.late {
                break (finder, stats, more);
            }
            let mut raced = std::mem::take(&mut finder.raced);
            raced.iter_mut().for_each(|place| *place &= !7);
            raced.sort_unstable();
            raced.dedup();
            if let Err(problem) = checker.program.show(&raced) {
                return (Outcome::Inconclusive(problem), executions);
            }
        };
        executions = finder.executions;
        let cut = finder.cut;
        if let Some(bug) = finder.bug {
            return (confirmed(checker, bug), executions);
        }
        if finder.late {
            let reason = format!(
                "no bug in {executions} executions within {} s",
                options.timeout.as_secs()
            );
            return (Outcome::Inconclusive(reason), executions);
        }
        if let Some(Problem::Limit(problem)) = &checker.problem {
            return (Outcome::Inconclusive(problem.clone()), executions);
        }
        if stats.is_some_and(|s| s.asleep > 0) {
            let reason = "the reduction began an execution in vain: this is a fault of dbverify";
            return (Outcome::Inconclusive(reason.into()), executions);
        }
        if cut > 0 {
            let reason = format!(
                "no bug, but {cut} executions were longer than {} steps",
                options.max_steps
            );
            return (Outcome::Inconclusive(reason), executions);
        }
        if last || (matches!(options.strategy, Strategy::Delays(..)) && !more) {
            let bound = match options.strategy {
                Strategy::Random(runs) | Strategy::Priorities(runs, _) => {
                    format!("no bug in {runs} random schedules of this input; others may show one")
                }
                Strategy::Delays(..) if more => format!(
                    "no bug with at most {budget} delays for this input; a larger budget may show more"
                ),
                _ => "no bug in any schedule of this input, at sequential consistency".into(),
            };
            return (Outcome::Safe(bound), executions);
        }
    }
    (
        Outcome::Inconclusive("the range of delays is empty".into()),
        executions,
    )
}

/// A bug is shown after processes have shown it twice more.
fn confirmed(checker: &mut Checker, bug: Bug) -> Outcome {
    let request = Request {
        prefix: &bug.schedule,
        mode: Mode::First,
        seed: 0,
        changes: &[],
    };
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

const SCHEMA: &str = "dbverify-run/1";

/// A counterexample as a file.
fn to_file(
    options: &Options,
    bug: &Bug,
    names: &[u64],
    visible: &[u64],
    path: &Path,
) -> Result<Value, String> {
    Ok(json!({
        "schema": SCHEMA,
        "version": env!("CARGO_PKG_VERSION"),
        "program": options.program,
        "build": build(path)?,
        "env": options.env,
        "held_locks": options.held_locks,
        "exit_status": options.exit_status,
        "races": matches!(bug.what, What::Race(_)),
        "max_steps": options.max_steps,
        "threads": names,
        "visible": visible,
        "schedule": bug.schedule,
    }))
}

/// Tells one build of a program from another.
fn build(path: &Path) -> Result<String, String> {
    let bytes =
        std::fs::read(path).map_err(|error| format!("cannot read {}: {error}", path.display()))?;
    let mut hash = rustc_hash::FxHasher::default();
    std::hash::Hasher::write(&mut hash, &bytes);
    Ok(format!("{:016x}", std::hash::Hasher::finish(&hash)))
}

pub(super) fn replay(text: &str, look: report::style::Look) -> Result<Answer, String> {
    let file: Value =
        serde_json::from_str(text).map_err(|error| format!("this is no JSON: {error}"))?;
    if file["schema"] != SCHEMA {
        return Err(format!(
            "this is no counterexample of `dbverify run`: its schema is not {SCHEMA}"
        ));
    }
    let list = |key: &str| -> Result<Vec<u64>, String> {
        let array = file[key].as_array().ok_or(format!("{key} is missing"))?;
        Ok(array.iter().filter_map(Value::as_u64).collect())
    };
    let strings = |value: &Value| -> Vec<String> {
        let array = value.as_array().map_or(&[][..], Vec::as_slice);
        array
            .iter()
            .filter_map(|v| v.as_str().map(str::to_owned))
            .collect()
    };
    let env = file["env"].as_array().map_or(&[][..], Vec::as_slice);
    let env = env
        .iter()
        .map(strings)
        .filter_map(|pair| <[String; 2]>::try_from(pair).ok());
    let yes = |key: &str| file[key].as_bool().unwrap_or(false);
    let options = Options {
        program: strings(&file["program"]),
        strategy: Strategy::All,
        seed: 0,
        races: yes("races"),
        exit_status: yes("exit_status"),
        held_locks: yes("held_locks"),
        max_steps: file["max_steps"].as_u64().unwrap_or(10_000) as usize,
        timeout: std::time::Duration::from_secs(60),
        env: env.map(|[key, value]| (key, value)).collect(),
        json: false,
        trace_out: None,
        look,
    };
    let name = options.program.first().ok_or("the program is missing")?;
    let path = Path::new(name);
    if file["build"] != build(path)? {
        return Err(format!(
            "{name} has changed since the counterexample was found"
        ));
    }
    let seen = binary::check(path)?;
    let mut program = Program::start(&options)?;
    program.set_names(&list("threads")?)?;
    program.show(&list("visible")?)?;
    again(&options, program, &list("schedule")?, seen)
}

/// Runs a schedule; what was found on the way may ask for another try.
fn again(
    options: &Options,
    mut program: Program,
    schedule: &[u64],
    seen: bool,
) -> Result<Answer, String> {
    let begin = Instant::now();
    let schedule: Vec<u8> = schedule.iter().map(|&slot| (slot & 63) as u8).collect();
    let request = Request {
        prefix: &schedule,
        mode: Mode::First,
        seed: 0,
        changes: &[],
    };
    let mut execution = program.execute(&request)?;
    while execution.found {
        execution = program.execute(&request)?;
    }
    if let Ending::Left(step) = execution.ending {
        return Err(format!(
            "the schedule cannot be followed at step {step}: the program is not deterministic"
        ));
    }
    let steps = steps(&execution);
    let race = super::races::races(&steps)
        .into_iter()
        .min_by_key(|race| race.second.0);
    let what = match race.filter(|_| options.races) {
        Some(race) => What::Race(race),
        None => What::Ending(execution.ending.clone()),
    };
    let safe = match what {
        What::Ending(Ending::Exited(code)) => code == 0 || !options.exit_status,
        _ => false,
    };
    let lines = Lines::new(&program.maps);
    let path = options.program[0].clone();
    let outcome = if safe {
        Outcome::Inconclusive("the schedule ends without an error".into())
    } else {
        Outcome::Bug(Bug { schedule, what }, Box::new(execution))
    };
    Ok(answer(Report {
        outcome,
        executions: 1,
        processes: program.processes,
        seconds: begin.elapsed().as_secs_f64(),
        seen,
        unseen: unseen(&lines, Path::new(&path)),
        visible: program.visible().iter().map(|&at| lines.name(at)).collect(),
        lines,
        options,
    }))
}
