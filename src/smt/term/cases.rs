//! Integers that are one of few numbers, each under its condition.
//!
//! Rounds of a schedule, budgets of delays and members of enumerations are such integers. Exclusive conditions keep them out of
//! arithmetic: to compare one with a number *is* one of its conditions, and to add to one changes only its numbers.

use super::{Cases, Interval, Node, Sort, Term, Terms};

/// Integers with more cases than this are kept as choices between terms.
pub const MAX_CASES: usize = 12;

impl Terms {
    /// The cases of a term that is a number or one of several.
    #[must_use]
    pub fn as_cases(&self, term: Term) -> Option<Cases> {
        match self.get(term) {
            Node::Const(id) => Some([(self.number(id), Term::TRUE)].into()),
            Node::Cases(id) => Some(self.cases(id).clone()),
            _ => None,
        }
    }

    /// The number whose condition holds, if there are few. The conditions must exclude each other, and one must always hold.
    fn of_cases(&mut self, mut cases: Vec<(i128, Term)>) -> Option<Term> {
        cases.sort_by_key(|c| c.0);
        let mut merged: Vec<(i128, Term)> = Vec::with_capacity(cases.len());
        for (value, guard) in cases.into_iter().filter(|c| c.1 != Term::FALSE) {
            match merged.last_mut() {
                Some(last) if last.0 == value => last.1 = self.or(last.1, guard),
                _ => merged.push((value, guard)),
            }
        }
        match merged[..] {
            // If no case is left, the simplifier has found that no execution comes here, so any number will do.
            [] => Some(self.int(0)),
            [(value, _)] => Some(self.int(value)),
            _ if merged.iter().any(|c| c.1 == Term::TRUE) => merged
                .iter()
                .find(|c| c.1 == Term::TRUE)
                .map(|c| c.0)
                .map(|value| self.int(value)),
            _ if merged.len() > MAX_CASES => None,
            _ => {
                let interval = Interval::new(merged[0].0, merged[merged.len() - 1].0);
                let id = super::CasesId(self.cases.intern(merged.into_boxed_slice()));
                Some(self.node(Node::Cases(id), Sort::Int, interval))
            }
        }
    }

    /// The number whose condition holds. The cases must be as [`super::Cases`] demands.
    ///
    /// # Panics
    /// With more than [`MAX_CASES`] cases.
    pub fn one_of(&mut self, cases: Cases) -> Term {
        self.of_cases(cases.into_vec()).expect("few cases")
    }

    /// `c ? a : b`, if both are numbers or cases and few numbers come out.
    pub(super) fn ite_cases(&mut self, c: Term, a: Term, b: Term) -> Option<Term> {
        let (x, y) = (self.as_cases(a)?, self.as_cases(b)?);
        if x.len() + y.len() > 2 * MAX_CASES {
            return None;
        }
        let mut all = Vec::with_capacity(x.len() + y.len());
        // A number that is possible on both sides keeps its condition as a choice, which often simplifies.
        for &(value, guard) in &x {
            let other = y.iter().find(|o| o.0 == value).map_or(Term::FALSE, |o| o.1);
            all.push((value, self.ite_bool(c, guard, other)));
        }
        for &(value, guard) in y.iter().filter(|o| x.iter().all(|p| p.0 != o.0)) {
            all.push((value, self.and(!c, guard)));
        }
        self.of_cases(all)
    }

    /// Applies an operation to all combinations of cases, if few numbers come out.
    pub(super) fn map_cases(
        &mut self,
        a: Term,
        b: Term,
        f: impl Fn(i128, i128) -> Option<i128>,
    ) -> Option<Term> {
        let (x, y) = (self.as_cases(a)?, self.as_cases(b)?);
        if x.len() * y.len() > 2 * MAX_CASES {
            return None;
        }
        let mut all = Vec::with_capacity(x.len() * y.len());
        for &(p, g) in &x {
            for &(q, h) in &y {
                let guard = self.and(g, h);
                all.push((f(p, q)?, guard));
            }
        }
        self.of_cases(all)
    }

    /// Applies a function to the number of each case.
    pub(super) fn map_case(&mut self, a: Term, f: impl Fn(i128) -> i128) -> Option<Term> {
        let all = self.as_cases(a)?.iter().map(|&(v, g)| (f(v), g)).collect();
        self.of_cases(all)
    }

    /// Whether a relation holds between two numbers or cases.
    pub(super) fn relate_cases(
        &mut self,
        a: Term,
        b: Term,
        holds: impl Fn(i128, i128) -> bool,
    ) -> Option<Term> {
        let (x, y) = (self.as_cases(a)?, self.as_cases(b)?);
        let pairs = || x.iter().flat_map(|p| y.iter().map(move |q| (*p, *q)));
        let (yes, no): (Vec<_>, Vec<_>) = pairs().partition(|(p, q)| holds(p.0, q.0));
        // Exactly one combination holds, so either side alone decides: this takes the smaller one.
        let negate = no.len() < yes.len();
        let mut any = Term::FALSE;
        for ((_, g), (_, h)) in if negate { no } else { yes } {
            let both = self.and(g, h);
            any = self.or(any, both);
        }
        Some(any.negate_if(negate))
    }

    /// The value whose condition holds, of any sort. The conditions must exclude each other, and one must always hold. Without
    /// any possible arm the result is [`Term::FALSE`].
    pub fn switch(&mut self, arms: &[(Term, Term)]) -> Term {
        let arms: Vec<_> = arms
            .iter()
            .copied()
            .filter(|a| a.0 != Term::FALSE)
            .collect();
        let Some(usual) = most_frequent(&arms) else {
            return Term::FALSE;
        };
        let mut result = usual;
        for &(guard, value) in arms.iter().rev() {
            if value != usual {
                result = self.ite(guard, value, result);
            }
        }
        result
    }
}

/// The most frequent value of the arms; of several, the first.
fn most_frequent(arms: &[(Term, Term)]) -> Option<Term> {
    let count = |v: Term| arms.iter().filter(|a| a.1 == v).count();
    arms.iter().rev().map(|a| a.1).max_by_key(|&v| count(v))
}
