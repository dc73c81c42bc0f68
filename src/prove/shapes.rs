//! Guesses about tasks that are alike: formulas of a few shapes. Those that every clause preserves are kept.
//!
//! Guesses about [numbers](super::numbers) by themselves come first, whether tasks are alike or not.
//!
//! Examples: no task has a ticket that was not given out; no two have the same one; the task whose turn it is has not been
//! served. All formulas are guessed. As long as a clause leads from the remaining ones to a state in which one of them is false,
//! that one is dropped. What remains is inductive. Like the equations it is a guess that the certificate checks.

use std::time::Duration;

use rustc_hash::FxHashSet;
use smt::z3::patient;
use solver::z3::ast::{Bool, Dynamic, Int};
use solver::z3::{SatResult, Solver};

use super::exclusions::exclusions;
use super::hull::Hulls;
use super::segment::all;
use super::system::{Alike, Argument, Atom, Clause, Head, System};
use super::z3run::Watched;

/// How long one question may take.
const QUESTION: Duration = Duration::from_millis(500);

/// More formulas of a predicate than these are not tried.
const MOST: usize = 600;

/// Adds to the facts of the predicates the guesses that can be kept: first those about single numbers, then those about tasks
/// that are alike, then those about what excludes what.
pub fn add_shapes(system: &mut System, hulls: &Hulls, watch: &Watched<'_>) {
    let mut single = singles(system);
    if !single.is_empty() && keep(system, hulls, &mut single, false, watch) {
        add(system, hulls, single, watch);
    }
    let mut alike: Vec<Vec<Bool>> = vec![Vec::new(); system.predicates.len()];
    for kind in &system.alike {
        alike[kind.predicate] = shapes(system, kind);
    }
    if keep(system, hulls, &mut alike, false, watch) {
        add(system, hulls, alike, watch);
    }
    let mut shared = vec![exclusions(system); system.predicates.len()];
    if keep(system, hulls, &mut shared, true, watch) {
        add(system, hulls, shared, watch);
    }
}

fn add(system: &mut System, hulls: &Hulls, kept: Vec<Vec<Bool>>, watch: &Watched<'_>) {
    for (number, kept) in kept.into_iter().enumerate() {
        let predicate = &mut system.predicates[number];
        let args: Vec<Dynamic> = predicate.args.iter().map(|a| a.constant.clone()).collect();
        let known = [&predicate.facts[..], &hulls.holds(number, &args)].concat();
        let lean = lean(&known, kept, watch);
        predicate.facts.extend_from_slice(&lean);
        predicate.shapes.extend(lean);
    }
}

/// Drops the formulas that follow from others and from what is known, as far as there is time to ask.
fn lean(known: &[Bool], formulas: Vec<Bool>, watch: &Watched<'_>) -> Vec<Bool> {
    let solver = patient(QUESTION);
    known.iter().for_each(|fact| solver.assert(fact));
    solver.push();
    let mut made: Vec<Bool> = Vec::new();
    for formula in formulas {
        if watch.is_over() || !follows(watch, &solver, &formula) {
            solver.assert(&formula);
            made.push(formula);
        }
    }
    solver.pop(1);
    for i in (0..made.len()).rev() {
        if watch.is_over() {
            break;
        }
        solver.push();
        let others = made.iter().enumerate().filter(|(j, _)| *j != i);
        others.for_each(|(_, other)| solver.assert(other));
        let needless = follows(watch, &solver, &made[i]);
        solver.pop(1);
        if needless {
            made.remove(i);
        }
    }
    made
}

/// Whether a formula follows from what a solver knows.
fn follows(watch: &Watched<'_>, solver: &Solver, formula: &Bool) -> bool {
    solver.push();
    solver.assert(formula.not());
    let answer = watch.check(solver);
    solver.pop(1);
    answer == SatResult::Unsat
}

/// The guesses about each number by itself: of the globals, and of the locals of the tasks at a place.
///
/// Each predicate about tasks begins with the arguments of the first one. Those of a sequential program do not: no guesses there.
fn singles(system: &System) -> Vec<Vec<Bool>> {
    if system.counts.is_empty() {
        return Vec::new();
    }
    let counted = |at: &usize| system.counts.iter().flatten().any(|c| c == at);
    let shared = (0..system.predicates[0].args.len()).filter(|at| !counted(at));
    let number = |predicate: usize, at: usize| {
        let args: &[Argument] = &system.predicates[predicate].args;
        args[at].constant.as_int()
    };
    let shared = shared.filter_map(|at| Some(system.numbers.guesses(&number(0, at)?)));
    let mut guesses = vec![shared.flatten().collect::<Vec<_>>(); system.predicates.len()];
    let zero = Int::from_i64(0);
    for alike in &system.alike {
        let predicate = alike.predicate;
        let places = alike.values.end..system.predicates[predicate].args.len();
        let nobody: Vec<Bool> = places
            .filter_map(|at| Some(number(predicate, at)?.eq(&zero)))
            .collect();
        for v in alike.values.clone().filter_map(|at| number(predicate, at)) {
            for guess in system.numbers.guesses(&v) {
                guesses[predicate].extend(nobody.iter().map(|n| Bool::or(&[n, &guess])));
            }
        }
    }
    guesses
}

/// The guesses about a predicate.
fn shapes(system: &System, alike: &Alike) -> Vec<Bool> {
    let args = &system.predicates[alike.predicate].args;
    let ints = |range: std::ops::Range<usize>| -> Vec<Int> {
        args[range]
            .iter()
            .filter_map(|a| a.constant.as_int())
            .collect()
    };
    let globals = ints(0..alike.globals);
    let zero = Int::from_i64(0);
    let flags = args[..alike.globals].iter().filter_map(|a| {
        let number = a.constant.as_int().map(|x| x.eq(&zero));
        a.constant.as_bool().or(number)
    });
    let flags: Vec<Bool> = flags.flat_map(|b| [b.not(), b]).collect();
    let named = ints(alike.values.clone());
    let numbers = ints(alike.values.end..args.len());
    let one = Int::from_i64(1);
    let some = Int::add(&numbers).ge(&one);
    let mut shapes = vec![Int::add(&numbers).le(&one)];
    'guesses: for v in &named {
        let mut when = Vec::new();
        for x in &globals {
            when.extend([v.lt(x), v.le(x), v.ge(x), v.gt(x), v.eq(x), v.eq(x).not()]);
            when.extend(flags.iter().map(|b| Bool::and(&[&v.eq(x), b])));
        }
        for n in &numbers {
            let room = MOST.saturating_sub(shapes.len());
            let guesses = when.iter().map(|w| w.implies(n.eq(&zero)));
            shapes.extend(guesses.take(room));
        }
        for x in &globals {
            // Guesses beyond the limit are not even made: a large program has millions of them.
            if shapes.len() >= MOST {
                break 'guesses;
            }
            for y in globals.iter().filter(|y| *y != x) {
                let between = Bool::and(&[x.le(v), v.lt(y)]);
                shapes.push(between.implies(&some));
                shapes.push(Bool::and(&[x.lt(v), v.lt(y)]).implies(&some));
                let but = |b: &Bool| Bool::or(&[&some, &Bool::and(&[&v.eq(x), b])]);
                shapes.extend(flags.iter().map(|b| between.implies(but(b))));
            }
        }
    }
    shapes.truncate(MOST);
    shapes
}

/// Drops what some clause does not preserve; says whether that came to an end.
///
/// Formulas about the shared state alone are the same for all predicates: each step has a clause for the first one.
fn keep(
    system: &System,
    hulls: &Hulls,
    kept: &mut [Vec<Bool>],
    shared: bool,
    watch: &Watched<'_>,
) -> bool {
    let solver = patient(QUESTION);
    loop {
        let mut dropped = false;
        for clause in &system.clauses {
            let Head::Holds(head) = &clause.head else {
                continue;
            };
            if shared && head.predicate != 0 {
                continue;
            }
            while let Some(wrong) = broken((watch, &solver), (system, hulls), kept, (clause, head))
            {
                if watch.is_over() {
                    return false;
                }
                let mut wrong = wrong.into_iter();
                kept[head.predicate].retain(|_| !wrong.next().unwrap_or(true));
                if shared {
                    let left = kept[0].clone();
                    kept[1..].fill(left);
                }
                dropped = true;
            }
        }
        if !dropped {
            return true;
        }
    }
}

/// Returns which formulas a clause does not preserve, if there are any. What is not known counts as not preserved.
fn broken(
    (watch, solver): (&Watched<'_>, &Solver),
    (system, hulls): (&System, &Hulls),
    kept: &[Vec<Bool>],
    (clause, head): (&Clause, &Atom),
) -> Option<Vec<bool>> {
    let goals = system.said(&kept[head.predicate], head);
    let known = clause.body.iter().flat_map(|atom| {
        let facts = system.facts(atom).into_iter();
        let hull = hulls.holds(atom.predicate, &atom.args);
        facts
            .chain(hull)
            .chain(system.said(&kept[atom.predicate], atom))
    });
    let known: Vec<Bool> = known.collect();
    // A formula about what the step does not change is known before and after it.
    let before: FxHashSet<&Bool> = known.iter().collect();
    let asked = goals.iter().filter(|goal| !before.contains(goal));
    let open: Vec<Bool> = asked.cloned().collect();
    if open.is_empty() {
        return None;
    }
    // Between the two, Z3 asks its core at once: what it does beforehand to formulas by themselves takes longer than the answer.
    solver.push();
    solver.assert(&clause.guard);
    known.iter().for_each(|fact| solver.assert(fact));
    solver.assert(all(&open).not());
    let said = watch.check(solver);
    let model = (said == SatResult::Sat)
        .then(|| solver.get_model())
        .flatten();
    let holds = |goal: &Bool| {
        let value = model.as_ref().and_then(|m| m.eval(goal, true));
        value.and_then(|v| v.as_bool()) == Some(true)
    };
    let broken = goals
        .iter()
        .map(|goal| !before.contains(goal) && !holds(goal));
    let broken = (said != SatResult::Unsat).then(|| broken.collect());
    solver.pop(1);
    broken
}
