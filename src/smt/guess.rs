//! Guesses, defined by what they are compared with.
//!
//! The sequentialization guesses states that are computed later, and assumes at the end
//! of a segment `g == g_guess` (sections 5.1 to 5.3 of the paper). In an execution that passes this assumption the
//! guess *is* that value, so each guess is replaced by it, and everything is simplified anew:
//!
//! ```text
//! F(guess) and (path => guess == value)   becomes   F(path ? value : guess)
//! ```
//!
//! Where the comparison does not happen (a segment fails, so that the execution stops) the guess stays free: the value
//! may be out of every range there, and what a failing segment began with is compared with something else.
//!
//! Some guesses would stand for a value that depends on the guess itself. Such a guess stays a variable in that value, and its
//! equation stays a constraint. In time order no state depends on itself, but a condition may look as if it did. The variable
//! lies where its value lies. [Bounds](super::guess_intervals) say where that is, so that its bits are known.

use rustc_hash::{FxHashMap, FxHashSet};

use super::exec::{self, Definitions, Unrolled, What};
use super::limit::{Bound, Which, late};
use super::term::{Cases, Interval, Node, Term, Terms, Var};

/// Replaces guesses by what they stand for.
#[derive(Debug)]
pub struct Replace {
    definitions: Definitions,
    /// The new term for each old one.
    done: Vec<Option<Term>>,
    /// The guesses that are being replaced.
    open: FxHashSet<Var>,
    /// The guesses that stay variables somewhere, and the variables that they are there.
    kept: Vec<Var>,
    inside: FxHashMap<Term, Term>,
    /// Where guesses lie in all executions that meet the constraints.
    bounds: FxHashMap<Var, Interval>,
    limits: exec::Bounds,
    steps: usize,
    hit: Option<Which>,
}

/// How many steps are made between two looks at the limits.
const STEPS: usize = 256;

/// A piece of work.
enum Task {
    Enter(Term),
    Leave(Term),
}

impl Replace {
    /// Makes a replacement by these definitions, within these limits.
    #[must_use]
    pub fn new(terms: &mut Terms, definitions: Definitions, limits: exec::Bounds) -> Self {
        Self {
            bounds: super::guess_intervals::of(terms, &definitions),
            inside: FxHashMap::default(),
            definitions,
            done: Vec::new(),
            open: FxHashSet::default(),
            kept: Vec::new(),
            limits,
            steps: 0,
            hit: None,
        }
    }

    /// The limit that was hit. What [`Self::term`] has returned since then means nothing.
    #[must_use]
    pub fn hit(&self) -> Option<Which> {
        self.hit
    }

    /// Looks at the limits now and then; says whether to go on.
    fn goes_on(&mut self, terms: &Terms) -> bool {
        self.steps += 1;
        if self.steps.is_multiple_of(STEPS) && self.hit.is_none() {
            let full = terms.len() > self.limits.terms;
            self.hit = late(self.limits.deadline).or(full.then_some(Which::Memory));
        }
        self.hit.is_none()
    }

    /// Replaces the guesses in a term, as far as possible.
    pub fn term(&mut self, terms: &mut Terms, term: Term) -> Term {
        let mut tasks = vec![Task::Enter(term)];
        while let Some(task) = tasks.pop() {
            if !self.goes_on(terms) {
                break;
            }
            match task {
                Task::Enter(term) => self.enter(terms, term, &mut tasks),
                Task::Leave(term) => self.leave(terms, term),
            }
        }
        self.known(term).unwrap_or(term)
    }

    fn known(&self, term: Term) -> Option<Term> {
        let done = self.done.get(term.index()).copied().flatten()?;
        Some(if term.negated() { !done } else { done })
    }

    fn set(&mut self, term: Term, value: Term) {
        if self.done.len() <= term.index() {
            self.done.resize(term.index() + 1, None);
        }
        self.done[term.index()] = Some(if term.negated() { !value } else { value });
    }

    fn enter(&mut self, terms: &mut Terms, term: Term, tasks: &mut Vec<Task>) {
        let term = term.positive();
        if self.known(term).is_some() {
            return;
        }
        let mut pushes = Vec::new();
        if let Node::Var(var) = terms.get(term) {
            let values = self.definitions.of(var);
            if values.is_empty() || self.definitions.is_refused(var) {
                return self.set(term, term);
            }
            if self.open.contains(&var) {
                return self.keep(terms, var);
            }
            pushes.extend(values.iter().flat_map(|&(path, value)| [value, path]));
            self.open.insert(var);
        } else {
            terms.operands(term, |o| pushes.push(o));
        }
        tasks.push(Task::Leave(term));
        tasks.extend(
            pushes
                .into_iter()
                .rev()
                .filter(|&o| self.known(o).is_none())
                .map(Task::Enter),
        );
    }

    /// A guess stays a variable inside its own definition.
    fn keep(&mut self, terms: &mut Terms, var: Var) {
        let info = terms.var(var);
        let (guess, sort, name) = (info.term, info.sort, info.name.clone());
        if self.inside.contains_key(&guess) {
            return;
        }
        self.kept.push(var);
        let variable = match self.bounds.get(&var) {
            Some(&bounds) => terms.fresh(name, sort, bounds),
            None => guess,
        };
        self.inside.insert(guess, variable);
    }

    fn leave(&mut self, terms: &mut Terms, term: Term) {
        if self.known(term).is_some() {
            return;
        }
        let value = match terms.get(term) {
            Node::Var(var) => {
                self.open.remove(&var);
                self.value(terms, var)
            }
            node => self.rebuild(terms, node),
        };
        self.set(term, value);
    }

    /// The value of a guess: that of the comparison that happens, or any value if none does.
    fn value(&self, terms: &mut Terms, var: Var) -> Term {
        let info = terms.var(var);
        // Where no comparison happens nothing depends on a guess that has bounds, so it may as well keep to them.
        let mut value = match self.bounds.get(&var) {
            Some(&bounds) => {
                let (name, sort) = (info.name.clone(), info.sort);
                terms.fresh(name, sort, bounds)
            }
            None => info.term,
        };
        for &(path, compared) in self.definitions.of(var).iter().rev() {
            let (path, compared) = (self.now(path), self.now(compared));
            value = terms.ite(path, compared, value);
        }
        value
    }

    /// The new term for an old one; for an open guess, the variable that it stays.
    fn now(&self, term: Term) -> Term {
        self.known(term).unwrap_or_else(|| {
            let variable = self.inside.get(&term.positive()).copied();
            let variable = variable.unwrap_or(term.positive());
            if term.negated() { !variable } else { variable }
        })
    }

    fn rebuild(&self, terms: &mut Terms, node: Node) -> Term {
        let now = |t| self.now(t);
        match node {
            Node::True => Term::TRUE,
            Node::Var(var) => terms.var(var).term,
            Node::And(a, b) => terms.and(now(a), now(b)),
            Node::Ite(c, a, b) => terms.ite(now(c), now(a), now(b)),
            Node::Eq(a, b) => terms.eq(now(a), now(b)),
            Node::Le(a, b) => terms.le(now(a), now(b)),
            Node::SameMap(a, b) => terms.same_map(now(a), now(b)),
            Node::Const(id) => {
                let number = terms.number(id);
                terms.int(number)
            }
            Node::Cases(id) => {
                let cases: Cases = terms
                    .cases(id)
                    .iter()
                    .map(|&(v, guard)| (v, now(guard)))
                    .collect();
                terms.one_of(cases)
            }
            Node::Op(op, a, b) => terms.op(op, now(a), now(b)),
            Node::Wrap(bits, a) => terms.wrap(bits, now(a)),
            Node::Narrow(range, a) => terms.narrow(terms.range(range), now(a)),
            Node::Fill(a) => terms.fill(now(a)),
            Node::Store(map, index, value) => terms.store(now(map), now(index), now(value)),
            Node::Select(map, index) => terms.select(now(map), now(index)),
        }
    }

    /// The equations that are still needed:
    /// - If a guess is compared more than once, its first comparison defines it, and each other one is required.
    /// - If a guess stays a variable somewhere, this variable equals the value that replaces the guess elsewhere.
    /// - If a guess was never replaced, all its comparisons are required.
    fn equations(&mut self, terms: &mut Terms) -> Term {
        let mut all = Term::TRUE;
        for var in self.definitions.order.clone() {
            let first = usize::from(!self.definitions.is_refused(var));
            for (path, value) in self.definitions.of(var).to_vec().into_iter().skip(first) {
                let guess = terms.var(var).term;
                let (path, value) = (self.term(terms, path), self.term(terms, value));
                let replaced = self.term(terms, guess);
                let same = terms.same(replaced, value);
                let required = terms.implies(path, same);
                all = terms.and(all, required);
            }
        }
        let mut next = 0;
        // An equation may keep more guesses.
        while let Some(&var) = self.kept.get(next) {
            let guess = terms.var(var).term;
            let variable = self.inside.get(&guess).copied().unwrap_or(guess);
            let replaced = self.term(terms, guess);
            let same = terms.same(variable, replaced);
            all = terms.and(all, same);
            next += 1;
        }
        all
    }
}

/// Replaces the guesses in everything that may be asked about. Returns the limit that was hit, if one was: then the results mean
/// nothing.
pub fn define(unrolled: &mut Unrolled, limits: exec::Bounds) -> Option<Which> {
    let Unrolled {
        terms,
        feasible,
        failures,
        cuts,
        events,
        globals,
        definitions,
        ..
    } = unrolled;
    let mut replace = Replace::new(terms, std::mem::take(definitions), limits);
    *feasible = replace.term(terms, *feasible);
    let conditions = failures.iter_mut().map(|failure| &mut failure.condition);
    let conditions = conditions.chain(cuts.iter_mut().map(|cut| &mut cut.condition));
    for term in conditions.chain(globals) {
        *term = replace.term(terms, *term);
    }
    for event in events {
        event.guard = replace.term(terms, event.guard);
        match &mut event.what {
            What::Mark(_, values) => {
                for leaf in values.iter_mut().flat_map(|value| &mut value.1) {
                    *leaf = replace.term(terms, *leaf);
                }
            }
            What::Choice(_, _, leaves) => {
                for leaf in leaves {
                    *leaf = replace.term(terms, *leaf);
                }
            }
        }
    }
    let equations = replace.equations(terms);
    *feasible = terms.and(*feasible, equations);
    for failure in failures {
        failure.condition = terms.and(failure.condition, equations);
    }
    // An execution that is cut for want of rounds has reached the end, where every guess was compared.
    for cut in cuts.iter_mut().filter(|cut| cut.bound == Bound::Rounds) {
        cut.condition = terms.and(cut.condition, equations);
    }
    replace.hit()
}
