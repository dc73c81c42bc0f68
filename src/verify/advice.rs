//! What to try when nothing was settled: one line, computed from the program, the question and the reason.

use std::fmt::Write as _;

use answer::{Answer, Bound, Cause, CutBy, NamedBound, Place, Reason, Verdict, Which};
use base::source::SourceMap;
use base::work;
use ir::{Dialect, Program, Type, TypeId, Types};
use options::{ExploreOptions, Limits, Scheduler, Sought, Strategy, VerifyOptions};

use super::closed;
use super::road::{Question, Target};

/// Advice beside an answer, if it settles nothing.
pub(super) fn of(question: &Question, target: &Target<'_>, answer: &Answer) -> Option<String> {
    match question {
        Question::Delays(options) => verification(target.program, target.sources, options, answer),
        Question::Schedules(options) => exploration(target.program, options, answer),
        Question::Proof(_) => None,
    }
}

/// What is behind a reason, as far as there is something to try: not where somebody did not want to wait.
fn cause(reason: &Reason) -> &Cause {
    if work::stopping() {
        &Cause::Other
    } else {
        &reason.cause
    }
}

/// Advice beside an answer of verification, if it settles nothing.
fn verification(
    program: &Program,
    sources: &SourceMap,
    options: &VerifyOptions,
    answer: &Answer,
) -> Option<String> {
    let Verdict::Inconclusive(reason) = &answer.verdict else {
        return None;
    };
    let bounds = || smaller(options);
    match cause(reason) {
        Cause::Other | Cause::Long => None,
        Cause::Open(name, ty) => Some(range(&program.types, name, *ty)),
        Cause::Unrolled(place, which) => Some(unrolled(*place, *which, sources, options)),
        Cause::Time | Cause::Steps => closed::wide_choice(program)
            .map(|open| range(&program.types, &open.name, open.ty))
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
fn exploration(program: &Program, options: &ExploreOptions, answer: &Answer) -> Option<String> {
    let Verdict::Inconclusive(reason) = &answer.verdict else {
        return None;
    };
    let limits = &options.limits;
    match cause(reason) {
        Cause::Other | Cause::Unrolled(..) => None,
        Cause::Open(..) if program.types.dialect == Dialect::C => Some(
            "`dbverify FILE` lets the solver take all values at once; or --nondet 0..3 tries few values, and says so".to_owned(),
        ),
        Cause::Open(name, ty) => Some(format!(
            "`dbverify FILE` lets the solver take all values at once; or {}",
            range(&program.types, name, *ty)
        )),
        // Bounds of schedules are not for terms.
        Cause::Time | Cause::Steps if has_terms(answer) => Some(longer(limits)),
        Cause::Memory if has_terms(answer) => Some(roomier(limits)),
        Cause::Time | Cause::Steps => Some(format!("{}, or {}", fewer(options), longer(limits))),
        Cause::Memory => Some(match (options.strategy, options.compact) {
            (Strategy::Stateful, None) if !own_search(options) => format!(
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
                .map(|by| by.option())
                .collect::<Vec<_>>()
                .join(" and ")
        )),
    }
}

/// Whether values were terms.
fn has_terms(answer: &Answer) -> bool {
    answer.bounds.contains(&NamedBound::Terms)
}

/// A variable with a range has values that can be tried; of an array each element.
fn range(types: &Types, name: &str, ty: TypeId) -> String {
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
    let is_number = matches!(element, Type::Int | Type::Range(..) | Type::Bits(_));
    let advice = if types.dialect == Dialect::C {
        "with `--nondet 0..15`, if those are enough, inputs have 16".to_owned()
    } else if !is_number {
        "ranges instead of numbers in it, if those are enough, have fewer".to_owned()
    } else if dimensions.is_empty() {
        format!("declared as `{name}: 0..15`, if that is enough, it has 16")
    } else {
        format!("declared as `{name}: {dimensions}0..15`, if that is enough, each element has 16")
    };
    let ty = types.name(ty);
    format!("`{name}: {ty}` has too many values to try each; {advice}")
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

/// Whether what is looked for has a search of its own, to which little of the strategy belongs.
fn own_search(options: &ExploreOptions) -> bool {
    matches!(options.sought, Sought::Livelocks | Sought::Divergences)
}

fn fewer(options: &ExploreOptions) -> String {
    let plain = options.scheduler == Scheduler::Bag && !own_search(options);
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
    if answer.cut_by.contains(&CutBy::Rounds) {
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
    use ir::{Bits, RecordType};

    #[test]
    fn ranges_are_where_numbers_are() {
        let mut types = Types::new();
        let word = |width, signed| Type::Bits(Bits { width, signed });
        let (u32, i16) = (types.intern(word(32, false)), types.intern(word(16, true)));
        let item = types.intern(Type::Record(RecordType {
            name: "Item".to_owned(),
            fields: vec![("a".to_owned(), Types::INT)],
        }));
        let thousand = types.intern(Type::Range(0, 1000));
        let five = types.intern(Type::Array(5, Types::INT));
        let row = types.intern(Type::Array(3, i16));
        let table = types.intern(Type::Array(2, row));
        let items = types.intern(Type::Array(4, item));
        for (ty, says) in [
            (
                Types::INT,
                "`x: int` has too many values to try each; declared as `x: 0..15`, if that is enough, it has 16",
            ),
            (u32, "declared as `x: 0..15`"),
            (thousand, "declared as `x: 0..15`"),
            (
                five,
                "declared as `x: [5]0..15`, if that is enough, each element has 16",
            ),
            (table, "declared as `x: [2][3]0..15`"),
            (item, "ranges instead of numbers in it"),
            (
                items,
                "`x: [4]Item` has too many values to try each; ranges instead",
            ),
        ] {
            let said = range(&types, "x", ty);
            assert!(said.contains(says), "{said}");
        }
        types.dialect = Dialect::C;
        let said = range(&types, "x", u32);
        assert!(said.contains("`--nondet 0..15`"), "{said}");
    }
}
