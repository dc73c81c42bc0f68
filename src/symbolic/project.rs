//! Eliminates dead variables where that is exact.
//!
//! No task reads a dead variable: it only matters whether it has a value. If all conditions about it compare sums in which it
//! stands once, it has one exactly if each lower bound lies below each upper bound. (Fourier and Motzkin; exact for integers if
//! the variable has no factor.) A variable that equals a term is replaced by it.

use smt::term::{Node, Renaming, Sort, Term, Var};

use super::machine::Machine;
use super::mutants::Mutant;
use super::path::conjuncts;
use super::sum::{Sum, not_negative, sum};

/// The bounds of one variable, from all conditions.
#[derive(Default)]
struct Bounds {
    lower: Vec<Sum>,
    upper: Vec<Sum>,
}

impl Machine<'_> {
    /// Returns conditions that say the same of the living variables with fewer dead ones; `live` is sorted.
    pub fn without_dead(&mut self, literals: &[Term], live: &[Var]) -> Vec<Term> {
        let mut all = literals.to_vec();
        let mut dead: Vec<Var> = Vec::new();
        for &literal in literals {
            let vars = self.oracle.vars(&self.terms, literal);
            dead.extend(vars.iter().filter(|v| live.binary_search(v).is_err()));
        }
        dead.sort_unstable();
        dead.dedup();
        if Mutant::TheDeadAreForgotten.is_on() {
            return all;
        }
        for var in dead {
            if let Some(fewer) = self.without(&all, var) {
                all = fewer;
            }
        }
        all
    }

    /// Returns conditions without one variable that say the same, if that is exact and adds no conditions.
    fn without(&mut self, literals: &[Term], var: Var) -> Option<Vec<Term>> {
        let (mut about, mut rest) = (Vec::new(), Vec::new());
        for &literal in literals {
            let mentions = self.oracle.vars(&self.terms, literal).contains(&var);
            if mentions { &mut about } else { &mut rest }.push(literal);
        }
        let info = self.terms.var(var);
        let (term, interval) = (info.term, info.interval);
        if about.is_empty() || info.sort != Sort::Int {
            return None;
        }
        let ends = [interval.lo(), interval.hi()].map(|end| end.map(|n| self.terms.int(n)));
        if let Some(at) = about
            .iter()
            .position(|&l| self.equals(l, term, var).is_some())
        {
            let value = self.equals(about.remove(at), term, var)?;
            let mut new = Renaming::default();
            new.insert(term.index(), value);
            rest.extend(self.terms.renamed(&about, &mut new));
            rest.extend(ends[0].map(|lo| self.terms.le(lo, value)));
            rest.extend(ends[1].map(|hi| self.terms.le(value, hi)));
            return self.held(rest);
        }
        let mut bounds = Bounds::default();
        let before = about.len();
        for literal in about {
            self.bound(literal, var, &mut bounds)?;
        }
        bounds.lower.extend(interval.lo().map(Sum::of));
        bounds.upper.extend(interval.hi().map(Sum::of));
        if bounds.lower.len() * bounds.upper.len() > before + 1 {
            return None;
        }
        for lower in &bounds.lower {
            for upper in &bounds.upper {
                let between = upper.clone().plus(lower, -1)?;
                rest.push(self.at_least_0(&between)?);
            }
        }
        self.held(rest)
    }

    fn held(&self, literals: Vec<Term>) -> Option<Vec<Term>> {
        let mut parts = Vec::with_capacity(literals.len());
        for literal in literals {
            conjuncts(&self.terms, literal, &mut parts);
        }
        parts.retain(|&l| l != Term::TRUE);
        // A path has values, so no condition is false; if one seems to be, the variable stays.
        (!parts.contains(&Term::FALSE)).then_some(parts)
    }

    /// Returns the value that the variable equals according to a condition.
    fn equals(&mut self, literal: Term, term: Term, var: Var) -> Option<Term> {
        let Node::Eq(a, b) = self.terms.get(literal) else {
            return None;
        };
        if literal.negated() {
            return None;
        }
        if let Some(other) = self.other(a, b, term, var) {
            return Some(other);
        }
        let difference = sum(&self.terms, a)?.plus(&sum(&self.terms, b)?, -1)?;
        let (rest, sign) = self.alone(difference, var)?;
        let value = Sum::default().plus(&rest, -sign)?;
        Some(self.added(&value))
    }

    /// Adds a condition to the lower or the upper bounds of the variable.
    fn bound(&mut self, literal: Term, var: Var, bounds: &mut Bounds) -> Option<()> {
        let sum = not_negative(&self.terms, literal)?;
        let (rest, sign) = self.alone(sum, var)?;
        if sign > 0 {
            bounds.lower.push(Sum::default().plus(&rest, -1)?);
        } else {
            bounds.upper.push(rest);
        }
        Some(())
    }

    /// The other side of a comparison, where one side is the variable and the other does not mention it.
    fn other(&mut self, a: Term, b: Term, term: Term, var: Var) -> Option<Term> {
        let other = if a == term {
            b
        } else if b == term {
            a
        } else {
            return None;
        };
        let mentions = self.oracle.vars(&self.terms, other).contains(&var);
        (!mentions).then_some(other)
    }
}
