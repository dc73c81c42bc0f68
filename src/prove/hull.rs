//! The strongest affine equations that the clauses preserve, by symbolic abstraction.
//!
//! Each hull begins without any point. As long as some clause leads out of the hull of its head, the point to which it leads is
//! added. A hull grows at most once more than its predicate has arguments, so this comes to an end. The answer is a guess that
//! the certificate checks, like everything else.

use std::time::Duration;

use smt::z3::patient;
use solver::z3::ast::{Ast, Bool, Dynamic, Int};
use solver::z3::{SatResult, Solver};

use super::linear::{Equation, Hull};
use super::segment::either;
use super::system::{Head, System};
use super::value::{as_bool, as_int};
use super::z3run::Watched;
use base::clock::Instant;

/// How long one question may take.
const QUESTION: Duration = Duration::from_secs(2);

/// The hulls of all predicates.
#[derive(Debug)]
pub struct Hulls {
    /// The equations of each predicate, over the arguments that count.
    pub of: Vec<Vec<Equation>>,
    /// The numbers of the arguments of each predicate that count: integers and truth values.
    pub columns: Vec<Vec<usize>>,
}

impl Hulls {
    /// Hulls without equations.
    #[must_use]
    pub fn none(system: &System) -> Self {
        Self {
            of: vec![Vec::new(); system.predicates.len()],
            columns: columns(system),
        }
    }

    /// What the equations say of some arguments.
    #[must_use]
    pub fn holds(&self, predicate: usize, args: &[Dynamic]) -> Vec<Bool> {
        let args = numbers(args, &self.columns[predicate]);
        self.of[predicate].iter().map(|e| equal(e, &args)).collect()
    }
}

/// Computes the hulls; `None` if the time of `watch` is over before.
#[must_use]
pub fn hulls(system: &System, watch: &Watched<'_>) -> Option<Hulls> {
    let columns = columns(system);
    let mut hulls = vec![Hull::Empty; system.predicates.len()];
    let mut pending: Vec<bool> = vec![true; system.clauses.len()];
    let left = watch.end.saturating_duration_since(Instant::now());
    let question = QUESTION.min(left / 4);
    let solver = patient(question);
    // In turn, so that a clause is asked again only after the others have had their say.
    let mut last = 0;
    while let Some(next) = (last..pending.len()).chain(0..last).find(|&c| pending[c]) {
        pending[next] = false;
        last = next;
        let clause = &system.clauses[next];
        let Head::Holds(head) = &clause.head else {
            continue;
        };
        if clause
            .body
            .iter()
            .any(|a| hulls[a.predicate] == Hull::Empty)
        {
            continue;
        }
        solver.push();
        solver.assert(&clause.guard);
        for atom in &clause.body {
            for fact in system.facts(atom) {
                solver.assert(fact);
            }
            for part in parts(&hulls[atom.predicate], &atom.args, &columns[atom.predicate]) {
                solver.assert(part);
            }
        }
        let args = numbers(&head.args, &columns[head.predicate]);
        let mut grown = false;
        while let Some(point) = outside(watch, &solver, &hulls[head.predicate], &args) {
            if watch.is_over() {
                return None;
            }
            match point {
                Some(point) => grown |= hulls[head.predicate].add(&point),
                None => {
                    hulls[head.predicate].give_up();
                    grown = true;
                    break;
                }
            }
        }
        solver.pop(1);
        if grown {
            for (i, other) in system.clauses.iter().enumerate() {
                pending[i] |= other.body.iter().any(|a| a.predicate == head.predicate);
            }
        }
    }
    let of = hulls.iter().map(Hull::solved).collect();
    Some(Hulls { of, columns })
}

/// A point to which a clause leads, out of a hull; `Some(None)` if it is not known whether there is one.
#[allow(clippy::option_option, reason = "none, one, or not known")]
fn outside(
    watch: &Watched<'_>,
    solver: &Solver,
    hull: &Hull,
    args: &[Int],
) -> Option<Option<Vec<i128>>> {
    let leaves: Vec<Bool> = match hull {
        Hull::Empty => vec![Bool::from_bool(true)],
        Hull::Points(equations) => equations.iter().map(|e| equal(e, args).not()).collect(),
    };
    if leaves.is_empty() {
        return None;
    }
    solver.push();
    solver.assert(either(&leaves));
    let found = match watch.check(solver) {
        SatResult::Unsat => None,
        SatResult::Unknown => Some(None),
        SatResult::Sat => Some(solver.get_model().and_then(|model| {
            let values = args.iter().map(|a| model.eval(a, true)?.as_i128());
            values.collect::<Option<Vec<_>>>()
        })),
    };
    solver.pop(1);
    found
}

fn parts(hull: &Hull, args: &[Dynamic], columns: &[usize]) -> Vec<Bool> {
    let args = numbers(args, columns);
    match hull {
        Hull::Empty => vec![Bool::from_bool(false)],
        Hull::Points(equations) => equations.iter().map(|e| equal(e, &args)).collect(),
    }
}

/// The arguments that are numbers, or truth values as 0 and 1.
fn columns(system: &System) -> Vec<Vec<usize>> {
    let of = |args: &[super::system::Argument]| {
        let count = |a: &Dynamic| a.as_int().is_some() || a.as_bool().is_some();
        let all = args.iter().enumerate();
        all.filter(|(_, a)| count(&a.constant))
            .map(|(i, _)| i)
            .collect()
    };
    system.predicates.iter().map(|p| of(&p.args)).collect()
}

fn numbers(args: &[Dynamic], columns: &[usize]) -> Vec<Int> {
    let number = |a: &Dynamic| {
        if a.as_bool().is_some() {
            as_bool(a).ite(&Int::from_i64(1), &Int::from_i64(0))
        } else {
            as_int(a)
        }
    };
    columns.iter().map(|&c| number(&args[c])).collect()
}

/// An equation of some terms, sums on both sides without a minus.
fn equal(equation: &Equation, args: &[Int]) -> Bool {
    let side = |sign: i128| {
        let mut sum = Vec::new();
        for (&a, x) in equation.coefficients.iter().zip(args) {
            match a.checked_mul(sign) {
                Some(1) => sum.push(x.clone()),
                Some(a) if a > 0 => sum.push(Int::mul(&[Int::from_i128(a), x.clone()])),
                _ => {}
            }
        }
        if let Some(n) = equation.constant.checked_mul(sign).filter(|n| *n > 0) {
            sum.push(Int::from_i128(n));
        }
        if sum.is_empty() {
            Int::from_i64(0)
        } else {
            Int::add(&sum)
        }
    };
    side(1).eq(side(-1)).simplify()
}
