//! What the memory orders of atomic operations mean for an answer about data races, and for one about sequentially consistent
//! executions.
//!
//! *Races.* A search of states finds two tasks side by side before accesses that race. It finds all races if each read of another
//! task's write makes the reader come after the writer: an acquire reads a release. If an operation [leaks](WeakOrders::leaks)
//! values, two accesses may race although one always comes first. `dpor` then follows each trace with the clocks of `trace::race`.
//!
//! *Other executions.* If nothing races in any sequentially consistent execution, and two atomic operations without an order are
//! both `seq_cst`, then C11 has no other executions (Lahav, Vafeiadis, Kang, Hur and Dreyer, PLDI 2017, Theorem 4).

use answer::{Answer, Cause, NamedBound, Note, Reason, Verdict, WeakRace};
use base::source::{SourceMap, Span};
use base::work;
use ir::{Behind, Dialect, ErrorKind, ExprKind, MemoryOrder, Program, StmtKind, WeakOrders, walk};
use options::{ExploreOptions, Limits, Memory, Sought, Strategy};

use super::engines::{Clock, explored};
use super::plan::ONE_TURN;

/// What executions show of a program in whose states nothing races.
pub(super) enum Followed {
    Raced(Box<Answer>),
    /// Nothing races but these.
    Whole(Vec<WeakRace>),
    Open,
}

/// Whether a search of states may miss races of a program.
pub(super) fn leak(program: &Program) -> bool {
    !WeakOrders::of(program).leaks.is_empty()
}

/// Follows executions with so much work.
pub(super) fn follow(program: &Program, limits: &Limits, most: Option<u64>) -> Followed {
    work::enter("looking at memory orders");
    let asked = ExploreOptions {
        sought: Sought::Races,
        strategy: Strategy::Dpor,
        work: most,
        limits: *limits,
        ..ExploreOptions::default()
    };
    let mut answer = explored(program, &asked);
    answer.bugs.retain(|bug| bug.kind == ErrorKind::Race);
    match answer.weak.take() {
        _ if !answer.bugs.is_empty() => Followed::Raced(Box::new(answer)),
        Some(weak) if answer.verdict == Verdict::Safe => Followed::Whole(weak),
        _ => Followed::Open,
    }
}

/// Adds what memory orders say to an answer that nothing races.
#[must_use]
pub(super) fn settle(
    program: &Program,
    (clock, limits): (&Clock, &Limits),
    mut answer: Answer,
) -> Answer {
    let good = matches!(answer.verdict, Verdict::Safe | Verdict::Proved);
    if !good || !answer.races || answer.weak.is_some() {
        return answer;
    }
    let orders = WeakOrders::of(program);
    // Executions of one task have no races to look for.
    if !walk::posts(program) || orders.all.is_empty() && !assumes(program) {
        answer.weak = Some(Vec::new());
        return answer;
    }
    let leak = !orders.leaks.is_empty();
    let most = (!leak).then_some(ONE_TURN);
    match follow(program, &clock.limits(limits, clock.left()), most) {
        Followed::Raced(mut raced) => {
            if answer.bounds.contains(&NamedBound::Delays(None)) {
                raced.bounds.insert(0, NamedBound::Delays(None));
            }
            return *raced;
        }
        Followed::Whole(weak) => answer.weak = Some(weak),
        Followed::Open if leak => {
            answer.races = false;
            let why = "whether accesses race that are never side by side is open: atomic operations order less than `seq_cst`, and not all executions were followed";
            answer.unsettle(Reason::new(Cause::Steps, why));
        }
        Followed::Open => {}
    }
    answer
}

/// Says of an answer that nothing races whether it holds for C11's memory.
pub(super) fn say(program: &Program, sources: &SourceMap, answer: &mut Answer) {
    let good = matches!(answer.verdict, Verdict::Safe | Verdict::Proved);
    let weak = matches!(&program.scope.weak, Some(weak) if weak.looked);
    if !good || weak || !answer.races || program.types.dialect != Dialect::C {
        return;
    }
    // A single task reads what it has written, whatever the memory.
    if !walk::posts(program) {
        answer.c11 = Some(true);
        return;
    }
    let orders = WeakOrders::of(program);
    let errors = program.scope.cuts.iter();
    let mut errors = errors.filter(|cut| cut.behind == Behind::Error);
    let against = match (&answer.weak, errors.next()) {
        (_, Some(cut)) if answer.verdict == Verdict::Proved => {
            let line = sources.line_in_words(cut.span);
            let why = format!("what an error at {line} does is not looked at");
            Some((why, Some(cut.span)))
        }
        (Some(weak), _) => stands_against(&orders, weak, sources),
        (None, _) => Some(may_stand_against(&orders, sources)),
    };
    let within = match answer.cut_by.is_empty() {
        true => "",
        false => " within the bounds",
    };
    answer.c11 = Some(against.is_none());
    // The user asked about that memory, and only sequentially consistent executions were followed.
    if let (Some(weak), Some((why, _))) = (&program.scope.weak, &against)
        && weak.asked.memory == Memory::C11
        && !weak.followed
    {
        let why = format!("whether the verdict holds in C11's memory is open: {why}");
        answer.unsettle(Reason::new(Cause::Other, why));
        return;
    }
    let (message, span) = match against {
        Some((why, span)) => (format!("not said of C11's memory: {why}"), span),
        None => {
            let why = "nothing races, and all atomics that race are seq_cst";
            (format!("holds for C11's memory too{within}: {why}"), None)
        }
    };
    answer.notes.push(Note::new(message, span));
}

/// Whether an assumption may drop executions. A race in their last steps is no bug, but C11 may continue from there.
fn assumes(program: &Program) -> bool {
    let drops = |e| program.expr(e).kind != ExprKind::Bool(true);
    walk::anywhere(
        program,
        |stmt| matches!(stmt.kind, StmtKind::Assume(e) if drops(e)),
    )
}

/// Why the theorem does not apply, and where.
fn stands_against(
    orders: &WeakOrders,
    weak: &[WeakRace],
    sources: &SourceMap,
) -> Option<(String, Option<Span>)> {
    if let Some((span, _)) = orders.all.iter().find(|(_, order)| order.is_foreign()) {
        let why = "is one step that is no atomic operation of C11";
        return Some((
            format!("{} {why}", sources.line_in_words(*span)),
            Some(*span),
        ));
    }
    let race = weak.first()?;
    let at = [race.first, race.second];
    let [one, other] = at.map(|(span, _)| sources.line_in_words(span));
    let lines = match at.map(|(span, _)| sources.is_in_first(span)) {
        _ if one == other => format!("{one} races with itself"),
        [true, true] => {
            let [one, other] = at.map(|(span, _)| sources.line(span));
            format!("lines {one} and {other} race")
        }
        _ => format!("{one} and {other} race"),
    };
    let what = &race.what;
    let why = match at.map(|(_, order)| order.map(MemoryOrder::name)) {
        [Some(a), Some(b)] if a == b && one == other => format!("and is {a}"),
        [Some(a), Some(b)] if a == b => format!("and are {a}"),
        [Some(a), Some(b)] if one == other => format!("and its accesses are {a} and {b}"),
        [Some(a), Some(b)] => format!("and are {a} and {b}"),
        _ => "where an assumption does not hold".to_owned(),
    };
    Some((format!("{lines} on {what} {why}"), Some(race.first.0)))
}

/// The same where not all executions were followed: an operation that may race.
fn may_stand_against(orders: &WeakOrders, sources: &SourceMap) -> (String, Option<Span>) {
    let Some((span, order)) = orders.all.first() else {
        let why = "whether something races where an assumption does not hold is open";
        return (why.to_owned(), None);
    };
    let (line, name) = (sources.line_in_words(*span), order.name());
    let why = format!("{line} is {name}, and may race");
    (why, Some(*span))
}
