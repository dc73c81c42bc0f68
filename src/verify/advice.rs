//! What to try when nothing was settled: one line, computed from the program, the question and the reason.

use crate::answer::{Answer, NOTHING_ENDED, Verdict};
use crate::ir::{Dialect, Program};
use crate::options::{ExploreOptions, Limits, Scheduler, Strategy, VerifyOptions};
use crate::smt::limit::{Bound, Hit, Place, Which};
use crate::source::{SourceMap, Span};
use crate::work;

use super::closed;

/// Why nothing was settled, as far as advice depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cause<'a> {
    /// A fault of ours, or somebody who did not want to wait: there is nothing to try.
    Other,
    /// The value of that variable was needed, and may be any of too many.
    Open(&'a str),
    /// The limit was hit where that was unrolled again and again.
    Unrolled(Place, Which),
    /// The time ran out.
    Time,
    /// The memory.
    Memory,
    /// An execution is longer than is followed.
    Long,
    /// No execution came to its end.
    Nothing,
    /// A bound cut what had to be exhaustive.
    Cut,
}

impl<'a> Cause<'a> {
    fn of(reason: &'a str, limit: Option<Hit>) -> Self {
        let says = |words: &str| reason.contains(words);
        if work::stopping() || says("internal error") || says("fault of dbverify") {
            Self::Other
        } else if says("--require-exhaustive") {
            Self::Cut
        } else if says(NOTHING_ENDED) {
            Self::Nothing
        } else if let Some(name) = open(reason) {
            Self::Open(name)
        } else if let Some(hit) = limit {
            Self::behind(hit)
        } else if says("memory") {
            Self::Memory
        } else if says("time ran out") {
            Self::Time
        } else if says("execution is longer than") {
            Self::Long
        } else {
            Self::Other
        }
    }

    fn behind(hit: Hit) -> Self {
        match (hit.which, hit.explodes) {
            (Which::Interrupt, _) => Self::Other,
            (which, Some(place)) if place.span != Span::default() => Self::Unrolled(place, which),
            (Which::Time, _) => Self::Time,
            (Which::Memory, _) => Self::Memory,
            (Which::Depth, _) => Self::Other,
        }
    }
}

/// The variable of which a reason says that it may have any value.
fn open(reason: &str) -> Option<&str> {
    let (before, _) = reason.split_once("` may be any `")?;
    before.rsplit('`').next().filter(|name| *name != "*")
}

/// Advice beside an answer of verification, if it settles nothing.
pub(super) fn verification(
    program: &Program,
    sources: &SourceMap,
    options: &VerifyOptions,
    answer: &Answer,
) -> Option<String> {
    let Verdict::Inconclusive(reason) = &answer.verdict else {
        return None;
    };
    let bounds = || smaller(options);
    match Cause::of(reason, answer.limit) {
        Cause::Other | Cause::Long => None,
        Cause::Open(name) => Some(range(name, &type_of(program, name))),
        Cause::Unrolled(place, which) => Some(unrolled(place, which, sources, options)),
        Cause::Time => closed::wide_choice(program)
            .map(|open| range(&open.name, &open.ty))
            .or_else(|| Some(format!("{}, or {}", bounds()?, longer(&options.limits))))
            .or_else(|| Some(longer(&options.limits))),
        Cause::Memory => Some(match bounds() {
            Some(bounds) => format!("{bounds}, or {}", roomier(&options.limits)),
            None => roomier(&options.limits),
        }),
        Cause::Nothing => Some(format!(
            "--delays {} allows more executions; `dbverify explore` looks at every schedule",
            options.delays_to + 2
        )),
        Cause::Cut => Some(cut(options, answer)),
    }
}

/// Advice beside an answer of exploration, if it settles nothing.
#[must_use]
pub fn exploration(program: &Program, options: &ExploreOptions, answer: &Answer) -> Option<String> {
    let Verdict::Inconclusive(reason) = &answer.verdict else {
        return None;
    };
    let limits = &options.limits;
    match Cause::of(reason, answer.limit) {
        Cause::Other | Cause::Unrolled(..) => None,
        Cause::Open(_) if program.types.dialect == Dialect::C => Some(
            "`dbverify FILE` lets the solver take all values at once; or --nondet 0..3 tries few values, and says so".to_owned(),
        ),
        Cause::Open(name) => Some(format!(
            "`dbverify FILE` lets the solver take all values at once; or {}",
            range(name, &type_of(program, name))
        )),
        // Bounds of schedules are not for terms.
        Cause::Time if has_terms(answer) => Some(longer(limits)),
        Cause::Memory if has_terms(answer) => Some(roomier(limits)),
        Cause::Time => Some(format!("{}, or {}", fewer(options), longer(limits))),
        Cause::Memory => Some(match (options.strategy, options.compact) {
            (Strategy::Stateful, None) if !options.fair && !options.divergence => format!(
                "--compact 64 keeps 8 bytes of each state; or {}",
                roomier(limits)
            ),
            _ => roomier(limits),
        }),
        Cause::Long => Some(format!(
            "--max-steps {} follows executions further; if they never end, --fair looks for livelocks",
            options.max_steps.saturating_mul(10).max(100)
        )),
        Cause::Nothing => Some(
            "a larger budget allows more executions; without one, every schedule is looked at"
                .into(),
        ),
        Cause::Cut => Some(format!(
            "leave out {}, which cuts this verdict",
            answer
                .cut_by
                .iter()
                .map(|by| option(by))
                .collect::<Vec<_>>()
                .join(" and ")
        )),
    }
}

/// Whether values were terms.
fn has_terms(answer: &Answer) -> bool {
    answer.bounds.iter().any(|bound| bound.0 == "values")
}

/// The option behind a word of `cut_by`.
fn option(cut_by: &str) -> &'static str {
    match cut_by {
        "copies" => "--scheduler bounded-bag",
        "compact" => "--compact",
        "unroll" => "--unroll",
        "runs" => "random walks",
        "fair" => "--fair",
        _ => "what cut it",
    }
}

/// A variable with a range has values that can be tried; of an array each element.
fn range(name: &str, ty: &str) -> String {
    let (dimensions, element) = ty.split_at(ty.rfind(']').map_or(0, |at| at + 1));
    let advice = match (dimensions, is_number(element)) {
        (_, false) => "ranges instead of numbers in it, if those are enough, have fewer".to_owned(),
        ("", true) => format!("declared as `{name}: 0..15`, if that is enough, it has 16"),
        (_, true) => format!(
            "declared as `{name}: {dimensions}0..15`, if that is enough, each element has 16"
        ),
    };
    format!("`{name}: {ty}` has too many values to try each; {advice}")
}

fn is_number(ty: &str) -> bool {
    let width = ty.strip_prefix(['i', 'u']);
    ty == "int" || ty.contains("..") || width.is_some_and(|width| width.parse::<u8>().is_ok())
}

/// What was unrolled most, and how to make less of it.
fn unrolled(place: Place, which: Which, sources: &SourceMap, options: &VerifyOptions) -> String {
    let line = sources.line(place.span);
    let what = match place.bound {
        Bound::Recursion => format!("the procedure at line {line}, which calls or posts itself,"),
        Bound::Loop | Bound::Rounds => format!("the loop at line {line}"),
    };
    let fewer = match options.unroll {
        2.. => format!("; --unroll {} follows it less far", options.unroll / 2),
        _ => String::new(),
    };
    let more = match which {
        Which::Time => format!(", or {}", longer(&options.limits)),
        Which::Memory => format!(", or {}", roomier(&options.limits)),
        Which::Depth | Which::Interrupt => String::new(),
    };
    format!("{what} is unrolled most{fewer}{more}")
}

fn type_of(program: &Program, name: &str) -> String {
    let globals = program.globals.iter().map(|g| (&g.name, g.ty));
    let locals = (program.procs.iter()).flat_map(|p| p.locals.iter().map(|l| (&l.name, l.ty)));
    let found = globals.chain(locals).find(|(known, _)| *known == name);
    found.map_or_else(|| "int".to_owned(), |(_, ty)| program.types.name(ty))
}

/// Smaller bounds than those that were asked for, if there are any.
fn smaller(options: &VerifyOptions) -> Option<String> {
    if options.any_delays {
        return Some("--delays 2 asks about fewer schedules".to_owned());
    }
    match (options.delays_to, options.unroll) {
        (delays @ 1.., _) => Some(format!(
            "--delays {} asks about fewer schedules",
            delays - 1
        )),
        (0, unroll @ 2..) => Some(format!("--unroll {} follows loops less far", unroll / 2)),
        _ => None,
    }
}

fn fewer(options: &ExploreOptions) -> String {
    let plain = options.scheduler == Scheduler::Bag && !options.fair && !options.divergence;
    let bounded = options.preemptions.is_some() || options.switches.is_some();
    match (options.strategy, options.delays) {
        (_, Some(delays @ 1..)) => format!("--delays {} asks about fewer schedules", delays - 1),
        (Strategy::Stateful | Strategy::Stateless, _) if plain && !bounded => {
            "--preemptions 2 asks about the schedules with few preemptions".to_owned()
        }
        (Strategy::Dpor, _) => "--strategy stateful visits each state once".to_owned(),
        _ => "--strategy random samples the schedules".to_owned(),
    }
}

fn longer(limits: &Limits) -> String {
    format!(
        "--timeout {} gives it more time",
        limits.timeout.as_secs_f64() * 2.0
    )
}

fn roomier(limits: &Limits) -> String {
    format!("--memory {} gives it more room", (limits.memory >> 20) * 2)
}

fn cut(options: &VerifyOptions, answer: &Answer) -> String {
    if answer.cut_by.contains(&"rounds") {
        let rounds = options.rounds.unwrap_or(options.delays_to + 8) * 2;
        return format!(
            "--rounds {rounds} lets tasks wait longer; `dbverify explore` counts no rounds"
        );
    }
    let unroll = options.unroll.saturating_mul(2).max(1);
    format!("--unroll {unroll} follows loops further; `dbverify explore` unrolls nothing")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::smt::limit::Phase;

    #[test]
    fn reasons_are_understood() {
        for (reason, cause) in [
            (
                "`x` may be any `int`: too many values to try each",
                Cause::Open("x"),
            ),
            (
                "the time ran out while the solver was deciding; the explicit engine: `a.b` may be any `int`: too many",
                Cause::Open("a.b"),
            ),
            ("a `*` may be any `int`: too many values", Cause::Other),
            ("time ran out after 3 s", Cause::Time),
            (
                "the unrolled program takes more memory than the limit",
                Cause::Memory,
            ),
            ("an execution is longer than 5 steps", Cause::Long),
            ("nothing was checked to its end", Cause::Nothing),
            (
                "internal error: a counterexample does not replay",
                Cause::Other,
            ),
        ] {
            assert_eq!(Cause::of(reason, None), cause, "{reason}");
        }
    }

    #[test]
    fn ranges_are_where_numbers_are() {
        for (ty, says) in [
            (
                "int",
                "declared as `x: 0..15`, if that is enough, it has 16",
            ),
            ("u32", "declared as `x: 0..15`"),
            ("0..1000", "declared as `x: 0..15`"),
            (
                "[5]int",
                "declared as `x: [5]0..15`, if that is enough, each element has 16",
            ),
            ("[2][3]i16", "declared as `x: [2][3]0..15`"),
            ("Item", "ranges instead of numbers in it"),
            ("[4]Item", "ranges instead of numbers in it"),
        ] {
            assert!(range("x", ty).contains(says), "{}", range("x", ty));
        }
    }

    #[test]
    fn limits_say_more_than_reasons() {
        let place = Place {
            span: Span::new(3, 7),
            bound: Bound::Loop,
        };
        let exploding = Hit {
            explodes: Some(place),
            ..Hit::of(Which::Memory, Phase::Unrolling)
        };
        let of = |hit| Cause::of("whatever the reason says", Some(hit));
        assert_eq!(of(exploding), Cause::Unrolled(place, Which::Memory));
        let deciding = |which| Hit::of(which, Phase::Deciding);
        assert_eq!(of(deciding(Which::Time)), Cause::Time);
        assert_eq!(of(deciding(Which::Interrupt)), Cause::Other);
        let open = "the explicit engine: `x` may be any `int`: too many";
        assert_eq!(Cause::of(open, Some(exploding)), Cause::Open("x"));
    }
}
