//! Guesses about what excludes what: pairs of facts about the shared state. At least one of each pair always holds.
//!
//! Examples: no task is past the test once the stop has been told; two places are never taken at the same time; a task is pending
//! or has left its result. A fact says that no task rests at a place, that some task of a kind is pending, that a flag is set or
//! is not, that a number is zero or is not, or that two variables are equal.

use solver::z3::ast::{Bool, Dynamic, Int};

use super::system::System;

/// More pairs than these are not tried.
const MOST: usize = 1500;

/// More variables than these are not compared with each other.
const COMPARED: usize = 6;

/// The guesses about the shared state: of any two facts at least one holds, and at most one task rests at a place.
pub fn exclusions(system: &System) -> Vec<Bool> {
    if system.counts.is_empty() {
        return Vec::new();
    }
    let state = &system.predicates[0].args;
    let number = |at: &usize| state[*at].constant.as_int();
    let (zero, one) = (Int::from_i64(0), Int::from_i64(1));
    let counts: Vec<Int> = system.counts.iter().flatten().filter_map(number).collect();
    let others = (0..state.len()).filter(|at| !system.counts.iter().flatten().any(|c| c == at));
    let others: Vec<&Dynamic> = others.map(|at| &state[at].constant).collect();
    let flags = others.iter().filter_map(|constant| {
        let number = constant.as_int().map(|n| n.eq(&zero));
        constant.as_bool().or(number)
    });
    let pending = system.counts.iter().filter(|own| !own.is_empty());
    let pending = pending.map(|own| {
        let own: Vec<Int> = own.iter().filter_map(number).collect();
        Int::add(&own).ge(&one)
    });
    let mut facts: Vec<Bool> = counts.iter().map(|n| n.eq(&zero)).collect();
    facts.extend(flags.flat_map(|flag| [flag.not(), flag]));
    facts.extend(pending);
    facts.extend(equalities(&others));
    let alone = counts.iter().map(|n| n.le(&one));
    let pairs = facts.iter().enumerate().flat_map(|(i, a)| {
        let rest = facts[i + 1..].iter();
        rest.map(move |b| Bool::or(&[a, b]))
    });
    alone.chain(pairs).take(MOST).collect()
}

/// Returns that two variables are equal, for each pair of integers, if there are few.
fn equalities(variables: &[&Dynamic]) -> Vec<Bool> {
    let ints: Vec<Int> = variables.iter().filter_map(|v| v.as_int()).collect();
    if ints.len() > COMPARED {
        return Vec::new();
    }
    let pairs = ints.iter().enumerate();
    pairs
        .flat_map(|(i, a)| ints[i + 1..].iter().map(move |b| a.eq(b)))
        .collect()
}
