//! Choices, guesses and assumptions.
//!
//! An assumption compares a guess of the sequentialization with the value that it stands for (`assume g == g_guess`). This
//! equation *defines* the guess (see [`crate::guess`]) and is not left to the solver: that saves a variable, and constants flow
//! through.

use rustc_hash::{FxHashMap, FxHashSet};

use ir::{BinaryOp, ChoiceKind, ExprId, ExprKind, Place, Root, Stmt, TypeId};

use super::{Event, Exec, Leaves, State, Stop, What};
use crate::layout::Leaf;
use crate::term::{Interval, MAX_CASES, Node, Sort, Term, Var};

/// How many choices of guesses one comparison takes apart.
const LONGEST_CHOICE: usize = 64;

/// The definitions of guesses.
#[derive(Clone, Debug, Default)]
pub struct Definitions {
    of: FxHashMap<Var, Guess>,
    /// The guesses in the order in which they were made.
    pub order: Vec<Var>,
    /// How often something was guessed. Several values that are guessed at once count once.
    pub moments: usize,
}

#[derive(Clone, Debug)]
pub struct Guess {
    /// The path on which it was guessed.
    pub made: Term,
    /// The values that it is compared with: each is a path and the value on it.
    pub values: Vec<(Term, Term)>,
    /// Whether it is compared in a way that does not define it.
    pub refused: bool,
}

impl Definitions {
    fn add_guess(&mut self, var: Var, made: Term) {
        let guess = Guess {
            made,
            values: Vec::new(),
            refused: false,
        };
        self.of.insert(var, guess);
        self.order.push(var);
    }

    fn is_guess(&self, var: Var) -> bool {
        self.of.contains_key(&var)
    }

    /// The definition of a guess.
    #[must_use]
    pub fn guess(&self, var: Var) -> Option<&Guess> {
        self.of.get(&var)
    }

    /// Whether a guess must stay a variable.
    #[must_use]
    pub fn is_refused(&self, var: Var) -> bool {
        self.of.get(&var).is_some_and(|guess| guess.refused)
    }

    /// The values that a guess is compared with: each is a path and the value on it.
    #[must_use]
    pub fn of(&self, var: Var) -> &[(Term, Term)] {
        self.of.get(&var).map_or(&[], |guess| &guess.values)
    }
}

impl<'p> Exec<'p> {
    pub(super) fn havoc(
        &mut self,
        stmt: &'p Stmt,
        place: &'p Place,
        kind: ChoiceKind,
        states: Vec<State>,
    ) -> Result<Vec<State>, Stop> {
        if kind == ChoiceKind::Probe {
            return self.probe(place, states);
        }
        // A choice that is not a guess of a state is the same variable in all states that are kept
        // apart: an execution is in one of them only.
        let leaves = self.layouts.leaves(place.ty).to_vec();
        let scalar = place.path.is_empty() && self.program.types.is_scalar(place.ty);
        let shared = matches!(kind, ChoiceKind::User | ChoiceKind::Memory) || scalar;
        let common = if shared {
            Some(self.shared(stmt, place, &leaves))
        } else {
            None
        };
        let states = self.each(states, |exec, mut state| {
            let value = match &common {
                Some(value) => value.clone(),
                None => exec.guesses(place, &leaves, state.path.term()),
            };
            exec.events.push(Event {
                guard: state.path.term(),
                what: What::Choice(kind, place.ty, value.clone()),
            });
            exec.write(place, &mut state, &value)?;
            Ok(Some(state))
        })?;
        Ok(self.keep_apart(place, states))
    }

    /// Writes into the place of a probe whether unrolling stops here.
    fn probe(&mut self, place: &'p Place, states: Vec<State>) -> Result<Vec<State>, Stop> {
        let frame = self.frame();
        let over = frame.loops.last().map_or(frame.over, |l| l.over);
        self.each(states, |exec, mut state| {
            exec.write(place, &mut state, &[Term::of_bool(over)])?;
            Ok(Some(state))
        })
    }

    fn shared(&mut self, stmt: &Stmt, place: &Place, leaves: &[Leaf]) -> Leaves {
        let instance = self.instance(std::ptr::from_ref(stmt) as usize);
        let name = self.name(place);
        (0..leaves.len())
            .map(|i| {
                let key = (instance, i);
                if let Some(&term) = self.chosen.get(&key) {
                    return term;
                }
                let term = self.choose(&name, leaves[i]);
                self.chosen.insert(key, term);
                term
            })
            .collect()
    }

    /// Makes any value of a leaf. Truth values choose between few numbers.
    fn choose(&mut self, name: &str, leaf: Leaf) -> Term {
        match leaf.interval.bounds() {
            Some((lo, hi)) if leaf.sort == Sort::Int && hi - lo < MAX_CASES as i128 => {
                let mut chosen = self.terms.int(hi);
                for value in (lo..hi).rev() {
                    let this =
                        self.terms
                            .fresh(format!("{name} is {value}"), Sort::Bool, Interval::ALL);
                    let number = self.terms.int(value);
                    chosen = self.terms.ite(this, number, chosen);
                    if value == lo {
                        self.least.push(this);
                    }
                }
                chosen
            }
            _ => self.terms.fresh(name, leaf.sort, leaf.interval),
        }
    }

    /// A guess: a variable for each leaf.
    fn guesses(&mut self, place: &Place, leaves: &[Leaf], made: Term) -> Leaves {
        let name = self.name(place);
        self.definitions.moments += 1;
        leaves
            .iter()
            .map(|leaf| {
                let term = self.terms.fresh(&name, leaf.sort, leaf.interval);
                if let Node::Var(var) = self.terms.get(term) {
                    self.definitions.add_guess(var, made);
                }
                term
            })
            .collect()
    }

    /// The name of a place's variable, for people.
    fn name(&self, place: &Place) -> String {
        match place.root {
            Root::Global(global) => self.program.globals[global.index()].name.clone(),
            Root::Local(local) => {
                let proc = self.frames.last().map(|f| self.program.proc(f.proc));
                proc.map_or_else(String::new, |p| p.locals[local.index()].name.to_string())
            }
        }
    }

    /// Requires a condition; an equality of a guess with its value defines the guess.
    pub(super) fn assume(
        &mut self,
        condition: ExprId,
        state: State,
    ) -> Result<Option<State>, Stop> {
        match self.program.expr(condition).kind {
            ExprKind::Binary(BinaryOp::And, a, b) => match self.assume(a, state)? {
                Some(state) => self.assume(b, state),
                None => Ok(None),
            },
            ExprKind::Binary(BinaryOp::Eq, a, b) => {
                let ty = self.program.ty(a);
                let (a, b) = (self.eval(a, &state)?, self.eval(b, &state)?);
                let equal = self.equal_but_guesses(ty, &a, &b, &state)?;
                Ok(self.assumed(equal, state))
            }
            _ => {
                let condition = self.truth(condition, &state)?;
                Ok(self.assumed(condition, state))
            }
        }
    }

    fn assumed(&mut self, condition: Term, mut state: State) -> Option<State> {
        self.require(&state.path, condition);
        if condition == Term::FALSE {
            self.kill(&state);
            return None;
        }
        state.path = state.path.knowing(&mut self.terms, condition);
        Some(state)
    }

    /// Lets an equality define guesses. Returns what is left of it to require.
    fn equal_but_guesses(
        &mut self,
        ty: TypeId,
        a: &[Term],
        b: &[Term],
        state: &State,
    ) -> Result<Term, Stop> {
        let mut left = a.to_vec();
        for (i, &y) in b.iter().enumerate() {
            if a[i] != y && self.define(a[i], y, state.path.term()) {
                left[i] = y;
            }
        }
        self.evaluator(state).equal(ty, &left, b)
    }

    /// Lets a comparison on a path define guesses. Returns whether nothing is left of it to require.
    ///
    /// Where states have met, a side of the comparison may be a choice: `x == (c ? guess : y)` defines the guess where `c` holds.
    fn define(&mut self, a: Term, b: Term, path: Term) -> bool {
        // An earlier check that can fail could have depended on another value of the guess.
        if !self.failures.is_empty() {
            self.refuse(a);
            self.refuse(b);
            return false;
        }
        let mut open = vec![(a, b, path)];
        let mut budget = LONGEST_CHOICE;
        let mut found = Vec::new();
        while let Some((a, b, path)) = open.pop() {
            if a == b || path == Term::FALSE {
                continue;
            }
            let Some(next) = budget.checked_sub(1) else {
                self.refuse(a);
                self.refuse(b);
                return false;
            };
            budget = next;
            if let Some(var) = self.guess(b) {
                found.push((var, path, if b.negated() { !a } else { a }));
            } else if let Some(var) = self.guess(a) {
                found.push((var, path, if a.negated() { !b } else { b }));
            } else if let Some((c, yes, no)) = self.branches(b) {
                open.push((a, no, self.terms.and(path, !c)));
                open.push((a, yes, self.terms.and(path, c)));
            } else if let Some((c, yes, no)) = self.branches(a) {
                open.push((no, b, self.terms.and(path, !c)));
                open.push((yes, b, self.terms.and(path, c)));
            } else {
                let same = self.terms.same(a, b);
                let required = self.terms.implies(path, same);
                self.feasible = self.terms.and(self.feasible, required);
            }
        }
        for (var, path, value) in found {
            if let Some(guess) = self.definitions.of.get_mut(&var) {
                guess.values.push((path, value));
            }
        }
        true
    }

    /// The guess that a term is, if it is one: perhaps negated or narrowed.
    fn guess(&self, term: Term) -> Option<Var> {
        match self.terms.get(term) {
            Node::Var(var) if self.definitions.is_guess(var) => Some(var),
            Node::Narrow(_, inner) => self.guess(inner),
            _ => None,
        }
    }

    /// A term as a choice, if one of its branches leads to a guess: the condition and both branches.
    fn branches(&self, term: Term) -> Option<(Term, Term, Term)> {
        let signed = |t: Term| if term.negated() { !t } else { t };
        let (c, yes, no) = match self.terms.get(term) {
            Node::Ite(c, a, b) => (c, a, b),
            // `a and b` is `a ? b : false`, and `b ? a : false`.
            Node::And(a, b) if self.leads_to_guess(b) => (a, b, Term::FALSE),
            Node::And(a, b) => (b, a, Term::FALSE),
            Node::Narrow(_, inner) => return self.branches(inner),
            _ => return None,
        };
        (self.leads_to_guess(yes) || self.leads_to_guess(no)).then(|| (c, signed(yes), signed(no)))
    }

    fn leads_to_guess(&self, term: Term) -> bool {
        !self.guesses_behind(term).is_empty()
    }

    /// The guesses to which choices lead.
    fn guesses_behind(&self, term: Term) -> Vec<Var> {
        let (mut found, mut open, mut seen) =
            (Vec::new(), vec![term.positive()], FxHashSet::default());
        while let Some(top) = open.pop() {
            if !seen.insert(top) {
                continue;
            }
            match self.terms.get(top) {
                Node::Var(var) if self.definitions.is_guess(var) => found.push(var),
                Node::Ite(_, a, b) | Node::And(a, b) => open.extend([a.positive(), b.positive()]),
                Node::Narrow(_, a) => open.push(a),
                _ => {}
            }
        }
        found
    }

    /// Marks the guesses behind a term: a comparison does not define them, so they stay variables.
    fn refuse(&mut self, term: Term) {
        for var in self.guesses_behind(term) {
            if let Some(guess) = self.definitions.of.get_mut(&var) {
                guess.refused = true;
            }
        }
    }
}
