//! How far integers without bounds have to be looked at, where they are only compared and moved by constants.
//!
//! The integers of such a class are variables, numbers, choices between such, and sums of such with numbers. In one execution all
//! choices are made. So each comparison says `x + k <= y + l` of two variables, or of a variable and a number. Together they are
//! a set of differences `x - y <= d`. The absolute value of `d` is at most `reach`: what both sides add, and one because
//! `not a <= b` is `b + 1 <= a`. The bounds of variables are such differences to 0.
//!
//! Differences that can hold together hold with shortest paths as values. Draw an edge of length `d` for each, and one of length
//! 0 from a new place to every variable and to 0. There is no cycle of negative length, since they hold together. So the
//! distances from the new place fulfil all of them. A shortest path visits nothing twice: with `n` variables it has at most `n`
//! edges that count, each at least `-reach`. So all distances lie between `-n * reach` and 0. Moved so that 0 is 0, all variables
//! lie between `-n * reach` and `n * reach`, and each comparison is as true or as false as it was.
//!
//! Classes share only conditions, and a goal consists of conditions. So a goal can be true of integers if and only if it can be
//! true of such small ones, and bit-vectors that hold those are exact. This does not say *which* values are possible: a class
//! whose values are to be listed is left alone.

use crate::term::{Interval, Node, Op, Sort, Term, Terms};

use super::plan::{Plan, free};

/// The facts about a class.
#[derive(Clone, Copy, Debug, Default)]
struct Class {
    /// Whether the class has other terms, or its values are to be listed.
    other: bool,
    variables: i128,
    /// The greatest difference that a comparison can demand.
    reach: i128,
    /// The most that is added to a variable, or the greatest number.
    offset: i128,
}

/// How far the variables and how far all terms of a class go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Small {
    /// How many bits its variables have.
    pub width: u32,
    /// Where all its terms lie.
    pub terms: Interval,
}

/// Numbers beyond this are too large to be reckoned with here.
const MOST: i128 = 1 << 100;

/// For each class, by its first slot, how far its integers have to be looked at; `None` if that is not known.
pub fn classes(plan: &Plan, terms: &Terms, roots: &[Term], needed: &[Term]) -> Vec<Option<Small>> {
    let mut classes = vec![Class::default(); plan.slots()];
    let mut offsets = vec![0; terms.len()];
    for &root in roots {
        if terms.sort(root) == Sort::Int {
            classes[plan.class(root)].other = true;
        }
    }
    for &term in needed {
        see(plan, terms, term, &mut classes, &mut offsets);
    }
    classes.into_iter().map(small).collect()
}

fn see(plan: &Plan, terms: &Terms, term: Term, classes: &mut [Class], offsets: &mut [i128]) {
    let class = |t: Term| plan.class(t);
    let offset = |t: Term| match terms.get(t) {
        Node::Const(_) | Node::Cases(_) => farthest(terms.interval(t)),
        _ => offsets[t.index()],
    };
    match terms.sort(term) {
        Sort::Map { depth, .. } => {
            for slot in plan.slots_of(term, depth) {
                classes[slot].other = true;
            }
            return;
        }
        Sort::Int if free(terms, term) => return,
        Sort::Bool | Sort::Int => {}
    }
    let own = match terms.get(term) {
        Node::Var(_) if terms.sort(term) == Sort::Int => {
            let class = &mut classes[class(term)];
            class.variables += 1;
            let interval = terms.interval(term);
            let ends = [interval.lo(), interval.hi()].into_iter().flatten();
            class.reach = ends.map(magnitude).fold(class.reach, i128::max);
            0
        }
        Node::Eq(a, b) | Node::Le(a, b) => {
            let met = if free(terms, a) { b } else { a };
            let class = &mut classes[class(met)];
            class.reach = class.reach.max(offset(a) + offset(b) + 1);
            return;
        }
        Node::Ite(_, a, b) if terms.sort(term) == Sort::Int => offset(a).max(offset(b)),
        Node::Op(Op::Add, a, b) if free(terms, a) || free(terms, b) => offset(a) + offset(b),
        Node::Narrow(_, a) => offset(a),
        _ if terms.sort(term) == Sort::Int => MOST,
        _ => return,
    };
    let class = &mut classes[class(term)];
    class.other |= own >= MOST;
    class.offset = class.offset.max(own);
    offsets[term.index()] = own.min(MOST);
}

fn farthest(interval: Interval) -> i128 {
    interval
        .bounds()
        .map_or(MOST, |(lo, hi)| magnitude(lo).max(magnitude(hi)))
}

fn magnitude(number: i128) -> i128 {
    number.checked_abs().unwrap_or(MOST).min(MOST)
}

fn small(class: Class) -> Option<Small> {
    if class.other || class.variables == 0 || class.reach >= MOST {
        return None;
    }
    let most = class.variables.checked_mul(class.reach)?;
    let width = Interval::new(-most, most).signed_width()?;
    if width > 100 {
        return None;
    }
    // Any value of these bits, and what is added to it. A number that is added to no variable is within the reach.
    let most = (1i128 << (width - 1)) + class.offset.max(class.reach);
    Some(Small {
        width,
        terms: Interval::new(-most, most),
    })
}
