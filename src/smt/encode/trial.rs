//! Integers that have no bounds, tried within a number of bits.
//!
//! Each class of such integers gets a width and an assumption: *nothing in it leaves the width*. That is, no operation on
//! operands in two's complement overflows, and every variable lies within its own bounds. If a number that a class meets does not
//! fit, the width is not tried at all.
//!
//! *A model is real.* Where an assumption holds, every bit-vector of its class is the number that it stands for: variables and
//! numbers by definition, and the result of an operation because it does not overflow. So comparisons are what they are of
//! integers, and a model gives an execution.
//!
//! *Unsatisfiable* means less: wrapping keeps sums but not comparisons. On bits, `x + 1 > x` fails at the greatest number; on
//! integers it never fails. So every comparison in such a class, and every bound of a variable, is tied to the assumption. A new
//! truth value stands for a comparison: if the assumption holds it equals the comparison of the bits, otherwise it is free.
//! Suppose there is no model, and the assumptions had no part in that. Then there is none either with all those truth values
//! free. But an execution over all integers would give one, with the values of its comparisons. So there is no execution. If an
//! assumption had a part in it, nothing is known, and the next width or another solver has to say.

use super::{Backend, Encoder, Encoding, Fun, Plan, SmtSort};
use crate::term::{Interval, Node, Op, Sort, Term, Terms};

use super::plan::free;

impl Plan {
    /// Gives a width to every class of integers that has no bounds. `None` if there is no such class, if a map is needed, or if
    /// something in such a class cannot be tried within that width.
    #[must_use]
    pub fn within(mut self, terms: &Terms, width: u32) -> Option<Self> {
        let unbounded: Vec<bool> = (0..self.slots()).map(|c| self.is_unbounded(c)).collect();
        let range = Interval::new(-(1 << (width - 1)), (1 << (width - 1)) - 1);
        for term in (0..terms.len()).map(|i| terms.at(i)) {
            if !self.needs(term) {
                continue;
            }
            if matches!(terms.sort(term), Sort::Map { .. }) {
                return None;
            }
            if !self.fits(terms, term, range, &unbounded) {
                return None;
            }
        }
        if !unbounded.contains(&true) {
            return None;
        }
        self.try_within(&unbounded, width);
        Some(self)
    }

    /// Whether the numbers that a term brings into an unbounded class lie in a range, and its operation can be watched.
    fn fits(&self, terms: &Terms, term: Term, range: Interval, unbounded: &[bool]) -> bool {
        let class = match terms.get(term) {
            Node::Eq(a, b) | Node::Le(a, b) => self.class(if free(terms, a) { b } else { a }),
            _ if terms.sort(term) == Sort::Int && !free(terms, term) => self.class(term),
            _ => return true,
        };
        if !unbounded[class] {
            return true;
        }
        let mut numbers = true;
        terms.operands(term, |o| {
            numbers &= !free(terms, o) || range.contains(terms.interval(o));
        });
        let interval = terms.interval(term);
        let own = match terms.get(term) {
            Node::Var(_) => [interval.lo(), interval.hi()]
                .into_iter()
                .flatten()
                .all(|end| range.holds(end)),
            Node::Wrap(bits, _) => range.contains(bits.interval()),
            Node::Op(op, ..) => matches!(op, Op::Add | Op::Neg | Op::Mul),
            _ => true,
        };
        numbers && own
    }
}

impl<B: Backend> Encoder<'_, B> {
    /// The assumptions that nothing leaves the width of its class.
    pub fn assumptions(&self) -> impl Iterator<Item = &B::Ast> {
        self.assumptions.values()
    }

    /// The assumption of a term's class, if it is being tried.
    fn assumption(&mut self, term: Term) -> Option<B::Ast> {
        let class = self.plan.tried(term)?;
        if let Some(known) = self.assumptions.get(&class) {
            return Some(known.clone());
        }
        let name = format!("nothing leaves class {class}");
        let made = self.backend.declare(&name, &SmtSort::Bool);
        self.assumptions.insert(class, made.clone());
        Some(made)
    }

    /// Returns a comparison as it is or, in a class that is being tried, a truth value that is tied to it.
    pub(super) fn tied(&mut self, of: Term, compared: B::Ast) -> B::Ast {
        let Some(assumption) = self.assumption(of) else {
            return compared;
        };
        let name = format!("compared {}", self.assumed);
        let stands = self.backend.declare(&name, &SmtSort::Bool);
        let same = self.backend.apply(&Fun::Eq, &[stands.clone(), compared]);
        self.assume(&assumption, same);
        stands
    }

    /// Requires a condition; in a class that is being tried, only if the class's assumption holds.
    pub(super) fn require_in_class(&mut self, of: Term, condition: B::Ast) {
        match self.assumption(of) {
            Some(assumption) => self.assume(&assumption, condition),
            None => self.axioms.push(condition),
        }
    }

    fn assume(&mut self, assumption: &B::Ast, condition: B::Ast) {
        self.assumed += 1;
        let not = self
            .backend
            .apply(&Fun::Not, std::slice::from_ref(assumption));
        let axiom = self.backend.apply(&Fun::Or, &[not, condition]);
        self.axioms.push(axiom);
    }

    /// Requires that an operation does not overflow in a class that is being tried: with more bits it gives the same number.
    pub(super) fn watch(&mut self, of: Term, op: Op, args: &[B::Ast; 2], result: &B::Ast) {
        let Encoding::Bits { width, .. } = self.plan.encoding(of) else {
            return;
        };
        if self.plan.tried(of).is_none() {
            return;
        }
        let more = if op == Op::Mul { width } else { 1 };
        let wider = Fun::SignExtend(more);
        let wide = args
            .each_ref()
            .map(|arg| self.backend.apply(&wider, std::slice::from_ref(arg)));
        let exact = match op {
            Op::Neg => self.backend.apply(&Fun::BvNeg, &wide[..1]),
            Op::Mul => self.backend.apply(&Fun::BvMul, &wide),
            _ => self.backend.apply(&Fun::BvAdd, &wide),
        };
        let result = self.backend.apply(&wider, std::slice::from_ref(result));
        let same = self.backend.apply(&Fun::Eq, &[exact, result]);
        self.require_in_class(of, same);
    }
}
