//! What to try when nothing was settled: one line, computed from the program, the question and the reason.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use answer::{Answer, Bound, Cause, CutBy, NamedBound, Place, Verdict, Which};
use base::source::SourceMap;
use base::work;
use ir::calls::Calls;
use ir::{Dialect, ExprKind, Loop, Program, Scope, Stmt, StmtKind, Type, TypeId, Types, walk};
use options::ProveOptions;
use options::{
    Buffered, EngineChoice, ExploreOptions, Limits, Scheduler, Sought, Store, Strategy,
    VerifyOptions,
};

use super::road::{Question, Target};
use super::{closed, orders, words};

/// Something to try: in words, and as what is typed.
struct Try {
    words: String,
    /// Options to give beside the others, in the place of the same option; or another command with its options.
    typed: Vec<String>,
}

impl Try {
    /// Options, and what they do.
    fn typed(options: impl Into<String>, does: &str) -> Self {
        let options = options.into();
        Self {
            words: format!("{options} {does}"),
            typed: vec![options],
        }
    }

    /// Another command, and what it does.
    fn command(line: &str, does: &str) -> Self {
        let typed = match line {
            "FILE" => "verify".to_owned(),
            _ => line.replace(" FILE", ""),
        };
        Self {
            words: format!("`dbverify {line}` {does}"),
            typed: vec![typed],
        }
    }

    /// Advice in words, without options to type.
    fn words(words: String) -> Self {
        Self {
            words,
            typed: Vec::new(),
        }
    }

    fn and(mut self, between: &str, other: Self) -> Self {
        self.words = format!("{}{between}{}", self.words, other.words);
        self.typed.extend(other.typed);
        self
    }

    fn or(self, other: Self) -> Self {
        self.and(", or ", other)
    }
}

/// A resumed search keeps the program and the bounds of the saved one. To change them, a user begins another search.
#[must_use]
pub fn from_the_start(words: &str) -> String {
    format!("begin again without --resume: {words}")
}

/// Puts advice beside an answer, if it settles nothing.
pub(super) fn give(question: &Question, target: &Target<'_>, answer: &mut Answer) {
    let Verdict::Inconclusive(reason) = &answer.verdict else {
        return;
    };
    // The user has stopped the run.
    if work::stopping() {
        return;
    }
    let program = target.program;
    let found = || match question {
        Question::Delays(options) => {
            verification(program, target.sources, options, (&reason.cause, answer))
        }
        Question::Schedules(options) => {
            let found = exploration(program, target.sources, options, (&reason.cause, answer));
            let same = matches!(reason.cause, Cause::Time | Cause::Steps | Cause::Memory);
            match options.store {
                Store::Resumed if !same => {
                    found.map(|found| Try::words(from_the_start(&found.words)))
                }
                _ => found,
            }
        }
        Question::Proof(_) if reason.cause == Cause::Nothing => {
            Some(weaker(program, target.sources))
        }
        Question::Proof(options) => Some(proof(program, options, &reason.cause)),
    };
    let found = more_stores(program, &reason.cause).or_else(found);
    let found = match stops_short(&reason.cause) && program.scope.lacks_arguments {
        true => Some(found.map_or_else(arguments, |found| found.and("; ", arguments()))),
        false => found,
    };
    let found = match runs(program, &reason.cause) {
        true => Some(found.map_or_else(run, |found| found.and("; ", run()))),
        false => found,
    };
    if let Some(Try { words, typed }) = found {
        answer.advice = Some(words);
        answer.tries = typed;
    }
}

/// Whether the search stopped because the program is too large for the limits.
fn stops_short(cause: &Cause) -> bool {
    matches!(
        cause,
        Cause::Time | Cause::Steps | Cause::Memory | Cause::Unrolled(..)
    )
}

/// Whether runs of the compiled program may find a bug where the search ended.
fn runs(program: &Program, cause: &Cause) -> bool {
    let ends = stops_short(cause) || matches!(cause, Cause::Unfollowed | Cause::Threads);
    let here = cfg!(all(target_os = "linux", target_env = "gnu"));
    here && ends && program.types.dialect == Dialect::C && walk::posts(program)
}

fn arguments() -> Try {
    let words = "`--args \"…\"` gives the program arguments, which may say that it does less";
    Try::words(words.to_owned())
}

fn run() -> Try {
    Try::words("`dbverify run` looks for bugs in the compiled program".to_owned())
}

/// Advice beside an answer of verification.
fn verification(
    program: &Program,
    sources: &SourceMap,
    options: &VerifyOptions,
    (cause, answer): (&Cause, &Answer),
) -> Option<Try> {
    let limits = &options.limits;
    let alone = options.engine != EngineChoice::Auto && options.solver.is_none();
    let others = || Try::typed("--engine auto", "asks the other engines as well");
    let fewer = |more: Try| match smaller(program, options) {
        Some(bounds) if !options.races => bounds.or(more),
        _ => more,
    };
    match cause {
        Cause::Other | Cause::Heap | Cause::Unheld | Cause::Long => alone.then(others),
        Cause::Threads if alone => Some(others()),
        Cause::Threads => Some(longer(limits)),
        Cause::Unfollowed => Some(unfollowed()),
        Cause::Endless => Some(endless(program, !alone)),
        Cause::Open(name, ty) => Some(range(&program.types, name, *ty)),
        Cause::Unrolled(place, which) => {
            Some(unrolled((*place, *which), &program.scope, sources, options))
        }
        // The solver tries no values.
        Cause::Time | Cause::Steps => Some(match closed::wide_choice(program) {
            Some(open) if options.engine != EngineChoice::Smt => {
                range(&program.types, &open.name, open.ty)
            }
            _ => fewer(longer(limits)),
        }),
        Cause::Memory => Some(fewer(roomier(limits))),
        Cause::Nothing if !answer.cut_by.is_empty() => cut(options, answer),
        Cause::Nothing if options.any_delays || !answer.budget_spent => {
            Some(weaker(program, sources))
        }
        Cause::Nothing => {
            let more = format!("--delays {}", options.delays_to + 2);
            let every = Try::command("explore", "looks at every schedule");
            Some(Try::typed(more, "allows more executions").and("; ", every))
        }
        Cause::Cut => cut(options, answer),
    }
    .map(|advice| match cause {
        Cause::Time | Cause::Steps | Cause::Memory | Cause::Unrolled(..) if alone => {
            advice.and("; ", others())
        }
        _ => advice,
    })
}

/// Advice beside an answer of exploration.
fn exploration(
    program: &Program,
    sources: &SourceMap,
    options: &ExploreOptions,
    (cause, answer): (&Cause, &Answer),
) -> Option<Try> {
    let limits = &options.limits;
    let failures = options.sought == Sought::Failures;
    let few_or = |other: &str, few: Try| match failures {
        true => Try::command("FILE", other).and("; or ", few),
        false => few,
    };
    let all_values = "lets the solver take all values at once";
    // Where values are terms, bounds of schedules are no advice.
    let terms = answer.bounds.contains(&NamedBound::Terms);
    let plain = options.scheduler == Scheduler::Bag && failures;
    let bounded = options.has_budget() || matches!(options.scheduler, Scheduler::BoundedBag(_));
    match cause {
        Cause::Other | Cause::Heap | Cause::Unrolled(..) => None,
        Cause::Unfollowed => Some(unfollowed()),
        Cause::Endless => Some(leave_loop(program, plain && !bounded)),
        Cause::Threads => Some(Try::command("prove FILE", "looks for a proof")),
        Cause::Open(name, ty) if program.types.dialect == Dialect::Async => {
            Some(few_or(all_values, range(&program.types, name, *ty)))
        }
        Cause::Open(..) => Some(few_or(all_values, few_values(program.types.dialect))),
        Cause::Unheld => Some(few_or(
            "asks the solver, which holds all values",
            few_values(program.types.dialect),
        )),
        Cause::Steps if options.sought == Sought::Races && orders::leak(program) => {
            Some(Try::typed("--memory c11", BY_C11))
        }
        Cause::Time | Cause::Steps | Cause::Memory
            if options.scheduler == Scheduler::Bag && closed::posts_without_bound(program) =>
        {
            Some(without_end(options.sought))
        }
        Cause::Time | Cause::Steps if terms || !walk::posts(program) => Some(longer(limits)),
        Cause::Memory if terms => Some(roomier(limits)),
        Cause::Time | Cause::Steps => {
            let others = [fewer(options), one_order(program, options)];
            let others = others.into_iter().flatten();
            Some(others.fold(longer(limits), |more, other| other.or(more)))
        }
        Cause::Memory => Some(smaller_states(options)),
        Cause::Long => Some(follow_further(options, plain)),
        Cause::Nothing if !bounded || !answer.budget_spent && answer.cut_by.is_empty() => {
            Some(weaker(program, sources))
        }
        Cause::Nothing => Some(larger(options)),
        Cause::Cut => Some(leave_out(answer)),
    }
}

/// Advice where executions are longer than they are followed.
fn follow_further(options: &ExploreOptions, plain: bool) -> Try {
    let further = options.max_steps.saturating_mul(10).max(100);
    let further = format!("--max-steps {further}");
    let further = Try::typed(further, "follows executions further");
    let other = match options.strategy {
        Strategy::Stateful if !plain || options.delays.is_some() => return further,
        Strategy::Stateful if options.store == Store::Own => {
            Try::typed("--fair", "looks for livelocks")
        }
        Strategy::Stateful => Try::words("--fair, in one process, looks for livelocks".to_owned()),
        _ => once_each(),
    };
    further.and("; if they never end, ", other)
}

/// Advice beside a proof that was not found.
fn proof(program: &Program, options: &ProveOptions, cause: &Cause) -> Try {
    let few = !closed::posts_without_bound(program) && !closed::is_open(program);
    let other = match (options.races, few) {
        (true, _) if orders::leak(program) => Try::command("explore FILE --memory c11", BY_C11),
        (true, _) => Try::command("explore FILE --races", "looks for races in every schedule"),
        (false, true) => Try::command("explore FILE", "looks at every schedule, state by state"),
        (false, false) => Try::command("FILE", "decides within 2 delays"),
    };
    match cause {
        Cause::Steps if options.races && orders::leak(program) => other,
        Cause::Time | Cause::Steps => other.or(longer(&options.limits)),
        Cause::Threads => longer(&options.limits),
        Cause::Unfollowed => unfollowed(),
        _ => other,
    }
}

/// Where no engine goes on, only another program helps.
fn unfollowed() -> Try {
    Try::words("no engine follows executions beyond that place: change what leads there".to_owned())
}

/// Larger bounds do not help where a step is too long to be followed. A proof may: it follows no loop. Most refuse recursion.
fn endless(program: &Program, proof_was_tried: bool) -> Try {
    let change = Try::words("change the loop or the recursion".to_owned());
    let recurs = Calls::of(program).recursive().contains(&true);
    match proof_was_tried || recurs {
        true => change,
        false => {
            let does = "looks for a proof, which takes it that the loop ends";
            Try::command("prove FILE", does).or(change)
        }
    }
}

/// What `--memory c11` does where open values keep one execution of each trace from coming to an end.
const BY_C11: &str = "looks for races in the executions that C11 allows";

fn leave_loop(program: &Program, may_be_fair: bool) -> Try {
    let change = endless(program, false);
    match may_be_fair && walk::posts(program) {
        true => change.and("; ", with_a_point(program.types.dialect)),
        false => change,
    }
}

/// What tells whether a task leaves a loop in which no step ends.
fn with_a_point(dialect: Dialect) -> Try {
    let point = match dialect {
        Dialect::Async => "yield;",
        Dialect::C => "sched_yield();",
    };
    Try::words(format!(
        "with `{point}` in the loop, `explore --fair` looks for executions that never leave it"
    ))
}

/// Advises the search that follows one order of steps that commute, where there are such steps, where it goes with the other
/// options, and where no task is meant to run for ever.
fn one_order(program: &Program, options: &ExploreOptions) -> Option<Try> {
    let goes_with = options.strategy == Strategy::Stateful
        && options.scheduler == Scheduler::Bag
        && options.store == Store::Own
        && !(options.has_budget() || options.compact.is_some() || own_search(options));
    let left = |l: &Loop| {
        walk::any(&l.body, |s| match &s.kind {
            StmtKind::Break(id) => *id == l.id,
            StmtKind::Return(_) => true,
            _ => false,
        })
    };
    let serves = |s: &Stmt| match &s.kind {
        StmtKind::Loop(l) => program.expr(l.cond).kind == ExprKind::Bool(true) && !left(l),
        _ => false,
    };
    let does = "follows one of the orders of steps that commute";
    let helps = goes_with && closed::has_tasks_apart(program) && !walk::anywhere(program, serves);
    helps.then(|| Try::typed("--strategy dpor", does))
}

/// Advises to try few values.
fn few_values(dialect: Dialect) -> Try {
    match dialect {
        Dialect::C => Try::typed("--nondet 0..3", "tries few values, and says so"),
        Dialect::Async => Try::words("give variables small types, such as `0..7`".to_owned()),
    }
}

/// Advises a range for a variable, so that its values can be tried; for an array, a range for its elements.
fn range(types: &Types, name: &str, ty: TypeId) -> Try {
    let (mut dimensions, mut element) = (String::new(), types.get(ty));
    loop {
        let (size, inner) = match element {
            Type::Array(len, inner) => (len.to_string(), inner),
            Type::Map(key, inner) => (types.name(*key), inner),
            _ => break,
        };
        let _ = write!(dimensions, "[{size}]");
        element = types.get(*inner);
    }
    if types.dialect == Dialect::C {
        return Try::typed("--nondet 0..15", "tries 16 values of each input");
    }
    let is_number = matches!(element, Type::Int | Type::Range(..) | Type::Bits(_));
    let advice = if !is_number {
        "use ranges in it if these are enough".to_owned()
    } else if dimensions.is_empty() {
        format!("declare `{name}: 0..15` if these are enough")
    } else {
        format!("declare `{name}: {dimensions}0..15` if these are enough")
    };
    let ty = types.name(ty);
    Try::words(format!(
        "`{name}: {ty}` has too many values to try each; {advice}"
    ))
}

/// Names the loop or procedure that was unrolled most, and advises to unroll it less.
fn unrolled(
    (place, which): (Place, Which),
    scope: &Scope,
    sources: &SourceMap,
    options: &VerifyOptions,
) -> Try {
    let what = match place.bound {
        Bound::Recursion => {
            let line = sources.line_in_words(place.span);
            format!("the procedure at {line}, which calls or posts itself,")
        }
        Bound::Loop | Bound::Rounds => words::loop_at(place.span, scope, sources),
    };
    let mut advice = Try::words(format!("{what} is unrolled most"));
    if options.unroll >= 2 {
        let fewer = format!("--unroll {}", options.unroll / 2);
        advice = advice.and("; ", Try::typed(fewer, "follows it less far"));
    }
    match which {
        Which::Time => advice.or(longer(&options.limits)),
        Which::Memory => advice.or(roomier(&options.limits)),
        Which::Depth | Which::Interrupt => advice,
    }
}

/// Smaller bounds than those that were asked for, if there are any.
fn smaller(program: &Program, options: &VerifyOptions) -> Option<Try> {
    let delays = |n| Try::typed(format!("--delays {n}"), "asks about fewer schedules");
    let others = walk::posts(program);
    match (options.delays_to, options.unroll) {
        _ if options.any_delays && others => Some(delays(2)),
        (most @ 1.., _) if others => Some(delays(most - 1)),
        (_, unroll @ 2..) => {
            let fewer = format!("--unroll {}", unroll / 2);
            Some(Try::typed(fewer, "follows loops less far"))
        }
        _ => None,
    }
}

/// Advises smaller states, or more memory.
fn smaller_states(options: &ExploreOptions) -> Try {
    let more = roomier(&options.limits);
    match (options.strategy, options.compact) {
        (Strategy::Stateful, None) if !own_search(options) && options.store == Store::Own => {
            Try::typed("--compact 64", "keeps 8 bytes of each state").and("; or ", more)
        }
        _ => more,
    }
}

/// Whether a search of its own looks for the property, and ignores most of the strategy.
fn own_search(options: &ExploreOptions) -> bool {
    matches!(options.sought, Sought::Livelocks | Sought::Divergences)
}

/// Advises the search that does not follow an execution again from a state it has visited.
fn once_each() -> Try {
    Try::typed("--strategy stateful", "visits each state once")
}

/// Fewer schedules than those that were asked for.
fn fewer(options: &ExploreOptions) -> Option<Try> {
    let plain = options.scheduler == Scheduler::Bag && !own_search(options);
    let bounded = options.preemptions.is_some() || options.switches.is_some();
    if options.store == Store::Resumed {
        return None;
    }
    match (options.strategy, options.delays, options.sought) {
        (_, _, Sought::Races | Sought::Divergences) | (Strategy::Random | Strategy::Pct, ..) => {
            None
        }
        (_, Some(delays @ 1..), _) => {
            let fewer = format!("--delays {}", delays - 1);
            Some(Try::typed(fewer, "asks about fewer schedules"))
        }
        (Strategy::Stateful | Strategy::Stateless, ..) if plain && !bounded => Some(Try::typed(
            "--preemptions 2",
            "asks about the schedules with few preemptions",
        )),
        (Strategy::Dpor, ..) => Some(once_each()),
        _ if options.store == Store::Kept => None,
        _ => Some(Try::typed("--strategy random", "samples the schedules")),
    }
}

/// A larger budget than the one that was asked for.
fn larger(options: &ExploreOptions) -> Try {
    let budgets = [
        ("--delays", options.delays),
        ("--preemptions", options.preemptions),
        ("--switches", options.switches),
    ];
    // The answer does not say which of several budgets is spent.
    let more = budgets.into_iter().filter_map(|(name, n)| {
        let more = n?.saturating_mul(2).max(1);
        Some(format!("{name} {more}"))
    });
    let more: Vec<String> = more.collect();
    let every = Try::words("without a budget, every schedule is looked at".to_owned());
    match more.is_empty() {
        true => every,
        false => Try::typed(more.join(" "), "allows more executions").and("; ", every),
    }
}

/// Advises a larger buffer of stores, if executions end because the buffer is full.
fn more_stores(program: &Program, cause: &Cause) -> Option<Try> {
    let more = larger_buffer(program, cause)?;
    Some(Try::typed(format!("--buffer {more}"), "allows more stores"))
}

/// How large a buffer of stores should be, if no execution comes to its end because the buffer is full.
#[must_use]
pub fn larger_buffer(program: &Program, cause: &Cause) -> Option<u32> {
    let weak = program.scope.weak.as_ref()?;
    let more = (weak.asked.buffer * 2).min(*Buffered::LENGTHS.end());
    let full = *cause == Cause::Nothing && weak.cut.is_some() && more > weak.asked.buffer;
    full.then_some(more)
}

/// Advises weaker assumptions: every schedule was looked at, and no execution came to its end.
fn weaker(program: &Program, sources: &SourceMap) -> Try {
    let mut lines = BTreeSet::new();
    for proc in &program.procs {
        walk::each(&proc.body, &mut |stmt| {
            if matches!(stmt.kind, StmtKind::Assume(_)) && sources.is_users(stmt.span) {
                lines.insert(sources.line(stmt.span));
            }
        });
    }
    let at = match Vec::from_iter(lines).as_slice() {
        [one] => format!(" (line {one})"),
        [one, two] => format!(" (lines {one} and {two})"),
        _ => String::new(),
    };
    Try::words(format!(
        "weaken the assumptions{at}: they drop the executions before their end"
    ))
}

/// Says why a search has no end, and names a proof that may answer in its place.
fn without_end(sought: Sought) -> Try {
    let why = "the program makes tasks in a loop or a recursion, so its states may have no end";
    let why = Try::words(why.to_owned());
    let proof = |line| Try::command(line, "looks for a proof");
    match sought {
        Sought::Failures => why.and("; ", proof("prove FILE")),
        Sought::Races => why.and("; ", proof("prove FILE --races")),
        Sought::Livelocks | Sought::Divergences => why,
    }
}

fn longer(limits: &Limits) -> Try {
    let twice = limits.timeout.as_secs_f64() * 2.0;
    Try::typed(format!("--timeout {twice}"), "gives it more time")
}

fn roomier(limits: &Limits) -> Try {
    let twice = (limits.memory >> 20) * 2;
    Try::typed(format!("--memory {twice}"), "gives it more room")
}

/// Advises to leave out the options that keep a verdict from being exhaustive.
fn leave_out(answer: &Answer) -> Try {
    let cut = answer.cut_by.iter().map(|by| by.option());
    let cut = cut.collect::<Vec<_>>().join(" and ");
    Try::words(format!("leave out {cut}, which cuts this verdict"))
}

fn cut(options: &VerifyOptions, answer: &Answer) -> Option<Try> {
    if answer.cut_by.contains(&CutBy::Rounds) {
        let rounds = options.rounds.unwrap_or(options.delays_to + 8) * 2;
        let rounds = Try::typed(format!("--rounds {rounds}"), "lets tasks wait longer");
        return Some(rounds.and("; ", Try::command("explore", "counts no rounds")));
    }
    if !answer.cut_by.contains(&CutBy::Unroll) {
        return Some(leave_out(answer));
    }
    let unroll = options.unroll.saturating_mul(2).max(1);
    let unroll = Try::typed(format!("--unroll {unroll}"), "follows loops further");
    Some(unroll.and("; ", Try::command("explore", "unrolls nothing")))
}

#[cfg(test)]
mod tests;
