//! What often excludes what: two facts about the shared state of which one always holds.
//!
//! Such as that nobody is past the test once the stop has been told, or that two places are never taken at the same time. A fact is
//! that nobody rests at a place, that a flag is set or is not, that a number is zero or is not.

use z3::ast::{Bool, Int};

use super::system::System;

/// More pairs than these are not tried.
const MOST: usize = 1500;

/// The guesses about the shared state: of any two facts at least one holds, and at most one task rests at a place.
pub fn exclusions(system: &System) -> Vec<Bool> {
    let state = &system.predicates[0].args;
    let zero = Int::from_i64(0);
    let is_count = |at: &usize| system.counts.contains(at);
    let counts = system.counts.iter();
    let counts: Vec<Int> = counts.filter_map(|&c| state[c].constant.as_int()).collect();
    let nobody: Vec<Bool> = counts.iter().map(|n| n.eq(&zero)).collect();
    let others = (0..state.len()).filter(|at| !is_count(at));
    let flags = others.filter_map(|at| {
        let constant = &state[at].constant;
        let number = constant.as_int().map(|n| n.eq(&zero));
        constant.as_bool().or(number)
    });
    let flags: Vec<Bool> = flags.collect();
    let mut facts = nobody;
    facts.extend(flags.iter().flat_map(|flag| [flag.clone(), flag.not()]));
    let one = Int::from_i64(1);
    let alone = counts.iter().map(|n| n.le(&one));
    let pairs = facts.iter().enumerate().flat_map(|(i, a)| {
        let rest = facts[i + 1..].iter();
        rest.map(move |b| Bool::or(&[a, b]))
    });
    alone.chain(pairs).take(MOST).collect()
}
