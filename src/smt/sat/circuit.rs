//! Circuits: functions of bit-vectors as clauses.
//!
//! A truth value is a literal of the SAT solver, a bit-vector a row of literals, the lowest first. Equal gates are one gate, and
//! constants are folded; Tseitin's translation makes clauses of the rest. A function without a circuit, such as a quotient, or a
//! mathematical integer is noted: then the caller must ask another solver.

use std::rc::Rc;

use batsat::{Lit, Solver, SolverInterface, lbool};
use rustc_hash::FxHashMap;

use super::Patience;
use crate::encode::{Backend, Fun, SmtSort};

/// The most bits of a variable: its values must fit into an `i128`.
const WIDEST: u32 = 120;

/// A truth value or a bit-vector.
#[derive(Clone, Debug)]
pub enum Wire {
    Truth(Lit),
    /// A bit-vector, the lowest bit first.
    Bits(Rc<[Lit]>),
}

impl Wire {
    /// The literal of a truth value.
    pub fn truth(&self) -> Lit {
        match self {
            Self::Truth(lit) => *lit,
            Self::Bits(_) => unreachable!("terms are well-sorted"),
        }
    }

    fn bits(&self) -> &[Lit] {
        match self {
            Self::Bits(bits) => bits,
            Self::Truth(_) => unreachable!("terms are well-sorted"),
        }
    }
}

/// A gate with two or three inputs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Gate {
    And(Lit, Lit),
    Xor(Lit, Lit),
    Ite(Lit, Lit, Lit),
}

/// The gates, and the solver that knows their clauses.
pub struct Circuit {
    pub solver: Solver<Patience>,
    /// Whether something was asked for that has no circuit.
    pub incomplete: bool,
    /// Up to how many bits products of two unknowns have a circuit.
    pub multiplies: usize,
    gates: FxHashMap<Gate, Lit>,
    /// For the bits of a negated number, the bits before the negation: to add the first is to subtract the second.
    negatives: FxHashMap<Rc<[Lit]>, Rc<[Lit]>>,
    yes: Lit,
}

impl Circuit {
    pub fn new(patience: Patience) -> Self {
        let mut solver = Solver::new(batsat::SolverOpts::default(), patience);
        let yes = Lit::new(solver.new_var_default(), true);
        solver.add_clause_reuse(&mut vec![yes]);
        Self {
            solver,
            incomplete: false,
            multiplies: 0,
            gates: FxHashMap::default(),
            negatives: FxHashMap::default(),
            yes,
        }
    }

    /// A literal of which nothing is known.
    pub fn input(&mut self) -> Lit {
        Lit::new(self.solver.new_var(lbool::UNDEF, true), true)
    }

    fn constant(&self, value: bool) -> Lit {
        if value { self.yes } else { !self.yes }
    }

    fn known(&self, lit: Lit) -> Option<bool> {
        (lit.var() == self.yes.var()).then_some(lit == self.yes)
    }

    fn clause(&mut self, literals: &[Lit]) {
        self.solver.add_clause_reuse(&mut literals.to_vec());
    }

    /// The output of a gate, with its clauses if it is new.
    fn gate(&mut self, gate: Gate) -> Lit {
        if let Some(&known) = self.gates.get(&gate) {
            return known;
        }
        let out = self.input();
        self.gates.insert(gate, out);
        match gate {
            Gate::And(a, b) => {
                self.clause(&[!out, a]);
                self.clause(&[!out, b]);
                self.clause(&[out, !a, !b]);
            }
            Gate::Xor(a, b) => {
                self.clause(&[!out, a, b]);
                self.clause(&[!out, !a, !b]);
                self.clause(&[out, !a, b]);
                self.clause(&[out, a, !b]);
            }
            Gate::Ite(c, a, b) => {
                self.clause(&[!c, !a, out]);
                self.clause(&[!c, a, !out]);
                self.clause(&[c, !b, out]);
                self.clause(&[c, b, !out]);
                // These two follow from the others, and let the solver propagate more.
                self.clause(&[!a, !b, out]);
                self.clause(&[a, b, !out]);
            }
        }
        out
    }

    fn and(&mut self, a: Lit, b: Lit) -> Lit {
        match (self.known(a), self.known(b)) {
            (Some(true), _) => b,
            (_, Some(true)) => a,
            (Some(false), _) | (_, Some(false)) => self.constant(false),
            _ if a == b => a,
            _ if a == !b => self.constant(false),
            _ => self.gate(Gate::And(a.min(b), a.max(b))),
        }
    }

    fn or(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(!a, !b)
    }

    fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        match (self.known(a), self.known(b)) {
            (Some(known), _) => b.apply_sign(!known),
            (_, Some(known)) => a.apply_sign(!known),
            _ if a == b => self.constant(false),
            _ if a == !b => self.constant(true),
            _ => {
                let negated = a.sign() != b.sign();
                let (a, b) = (a.apply_sign(a.sign()), b.apply_sign(b.sign()));
                self.gate(Gate::Xor(a.min(b), a.max(b)))
                    .apply_sign(!negated)
            }
        }
    }

    fn ite(&mut self, c: Lit, a: Lit, b: Lit) -> Lit {
        if let Some(known) = self.known(c) {
            return if known { a } else { b };
        }
        if a == b {
            return a;
        }
        if a == !b {
            return !self.xor(c, a);
        }
        match (self.known(a), self.known(b)) {
            (Some(true), _) => self.or(c, b),
            (Some(false), _) => self.and(!c, b),
            (_, Some(true)) => self.or(!c, a),
            (_, Some(false)) => self.and(c, a),
            _ if a == c => self.or(c, b),
            _ if a == !c => self.and(!c, b),
            _ if b == c => self.and(c, a),
            _ if b == !c => self.or(!c, a),
            _ if c.sign() => self.gate(Gate::Ite(c, a, b)),
            _ => self.gate(Gate::Ite(!c, b, a)),
        }
    }

    fn each(&mut self, a: &[Lit], b: &[Lit], f: fn(&mut Self, Lit, Lit) -> Lit) -> Wire {
        Wire::Bits(a.iter().zip(b).map(|(&a, &b)| f(self, a, b)).collect())
    }

    fn choice(&mut self, c: Lit, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
        a.iter().zip(b).map(|(&a, &b)| self.ite(c, a, b)).collect()
    }

    /// `a + b + carry`
    fn sum(&mut self, a: &[Lit], b: &[Lit], mut carry: Lit) -> Vec<Lit> {
        let mut sum = Vec::with_capacity(a.len());
        for (&a, &b) in a.iter().zip(b) {
            let half = self.xor(a, b);
            sum.push(self.xor(half, carry));
            carry = self.ite(half, carry, a);
        }
        sum
    }

    /// `a - b`, which is `a + not b + 1`
    fn difference(&mut self, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
        let inverse: Vec<Lit> = b.iter().map(|&bit| !bit).collect();
        self.sum(a, &inverse, self.yes)
    }

    /// `a * b`, as the sum of the shifted `a`s for which `b` has a bit.
    fn product(&mut self, a: &[Lit], b: &[Lit]) -> Vec<Lit> {
        let no = self.constant(false);
        let mut sum = vec![no; a.len()];
        for (shift, &bit) in b.iter().enumerate() {
            let mut row = vec![no; a.len()];
            for (to, &from) in row.iter_mut().skip(shift).zip(a) {
                *to = self.and(bit, from);
            }
            sum = self.sum(&sum, &row, no);
        }
        sum
    }

    fn equal(&mut self, a: &Wire, b: &Wire) -> Lit {
        match (a, b) {
            (Wire::Truth(a), Wire::Truth(b)) => !self.xor(*a, *b),
            (Wire::Bits(a), Wire::Bits(b)) => {
                let mut equal = self.constant(true);
                for (&a, &b) in a.iter().zip(b.iter()) {
                    let same = !self.xor(a, b);
                    equal = self.and(equal, same);
                }
                equal
            }
            _ => unreachable!("terms are well-sorted"),
        }
    }

    /// `a <= b` if `below` is true, else `a < b`.
    fn at_most(&mut self, a: &[Lit], b: &[Lit], below: bool) -> Lit {
        let mut at_most = self.constant(below);
        for (&a, &b) in a.iter().zip(b) {
            let differ = self.xor(a, b);
            at_most = self.ite(differ, b, at_most);
        }
        at_most
    }

    /// The same in two's complement: compares as unsigned, with the sign bits flipped.
    fn signed_at_most(&mut self, a: &[Lit], b: &[Lit], below: bool) -> Lit {
        let turned = |bits: &[Lit]| {
            let mut bits = bits.to_vec();
            if let Some(sign) = bits.last_mut() {
                *sign = !*sign;
            }
            bits
        };
        self.at_most(&turned(a), &turned(b), below)
    }

    /// Shifts by each power of two for which the amount has a bit. `at(to, step)` is the place from which bit `to` comes.
    fn shifted(
        &mut self,
        bits: &[Lit],
        amount: &[Lit],
        fill: Lit,
        at: fn(usize, usize) -> Option<usize>,
    ) -> Wire {
        let mut bits = bits.to_vec();
        for (i, &by) in amount.iter().enumerate() {
            let step = 1usize.checked_shl(u32::try_from(i).unwrap_or(u32::MAX));
            let from = |to: usize| step.and_then(|step| at(to, step));
            let moved: Vec<Lit> = (0..bits.len())
                .map(|to| {
                    let source = from(to).and_then(|from| bits.get(from));
                    source.copied().unwrap_or(fill)
                })
                .collect();
            bits = self.choice(by, &moved, &bits);
        }
        Wire::Bits(bits.into())
    }

    fn is_constant(&self, bits: &[Lit]) -> bool {
        bits.iter().all(|&bit| self.known(bit).is_some())
    }

    /// Notes that there is no circuit, and returns any wire.
    fn none(&mut self) -> Wire {
        self.incomplete = true;
        Wire::Truth(self.constant(false))
    }

    fn of_vectors(&mut self, fun: &Fun, args: &[Wire]) -> Wire {
        let no = self.constant(false);
        match (fun, args) {
            (Fun::BvNeg, [a]) => {
                let zero = vec![no; a.bits().len()];
                let negative: Rc<[Lit]> = self.difference(&zero, a.bits()).into();
                self.negatives.insert(negative.clone(), a.bits().into());
                Wire::Bits(negative)
            }
            (Fun::BvAdd, [a, b]) => {
                let sum = if let Some(b) = self.negatives.get(b.bits()).cloned() {
                    self.difference(a.bits(), &b)
                } else if let Some(a) = self.negatives.get(a.bits()).cloned() {
                    self.difference(b.bits(), &a)
                } else {
                    self.sum(a.bits(), b.bits(), no)
                };
                Wire::Bits(sum.into())
            }
            (Fun::BvMul, [a, b]) if a.bits().len() <= self.multiplies => {
                Wire::Bits(self.product(a.bits(), b.bits()).into())
            }
            // A product of two unknowns is for a solver that knows some algebra.
            (Fun::BvMul, [a, b]) if self.is_constant(b.bits()) => {
                Wire::Bits(self.product(a.bits(), b.bits()).into())
            }
            (Fun::BvMul, [a, b]) if self.is_constant(a.bits()) => {
                Wire::Bits(self.product(b.bits(), a.bits()).into())
            }
            (Fun::BvAnd, [a, b]) => self.each(a.bits(), b.bits(), Self::and),
            (Fun::BvOr, [a, b]) => self.each(a.bits(), b.bits(), Self::or),
            (Fun::BvXor, [a, b]) => self.each(a.bits(), b.bits(), Self::xor),
            (Fun::BvShl, [a, b]) => self.shifted(a.bits(), b.bits(), no, usize::checked_sub),
            (Fun::BvLshr, [a, b]) => self.shifted(a.bits(), b.bits(), no, usize::checked_add),
            (Fun::BvAshr, [a, b]) => {
                let sign = a.bits().last().copied().unwrap_or(no);
                self.shifted(a.bits(), b.bits(), sign, usize::checked_add)
            }
            (Fun::BvUle, [a, b]) => Wire::Truth(self.at_most(a.bits(), b.bits(), true)),
            (Fun::BvSle, [a, b]) => Wire::Truth(self.signed_at_most(a.bits(), b.bits(), true)),
            (Fun::BvSlt, [a, b]) => Wire::Truth(self.signed_at_most(a.bits(), b.bits(), false)),
            (Fun::Extract(high, low), [a]) => {
                let (high, low) = (*high as usize, *low as usize);
                Wire::Bits(a.bits()[low..=high].into())
            }
            (Fun::ZeroExtend(more), [a]) => extended(a.bits(), *more, no),
            (Fun::SignExtend(more), [a]) => {
                extended(a.bits(), *more, a.bits().last().copied().unwrap_or(no))
            }
            _ => self.none(),
        }
    }
}

fn extended(bits: &[Lit], more: u32, with: Lit) -> Wire {
    let new = std::iter::repeat_n(with, more as usize);
    Wire::Bits(bits.iter().copied().chain(new).collect())
}

impl Backend for Circuit {
    type Ast = Wire;

    fn declare(&mut self, _: &str, sort: &SmtSort) -> Wire {
        match sort {
            SmtSort::Bool => Wire::Truth(self.input()),
            SmtSort::Bits(width) if *width <= WIDEST => {
                Wire::Bits((0..*width).map(|_| self.input()).collect())
            }
            SmtSort::Bits(_) | SmtSort::Int | SmtSort::Array(..) => self.none(),
        }
    }

    fn truth(&mut self, value: bool) -> Wire {
        Wire::Truth(self.constant(value))
    }

    fn int(&mut self, _: i128) -> Wire {
        self.none()
    }

    fn bits(&mut self, value: i128, width: u32) -> Wire {
        // All bits beyond the 128 of the number are its sign.
        let bit = |i: u32| value >> i.min(127) & 1 == 1;
        Wire::Bits((0..width).map(|i| self.constant(bit(i))).collect())
    }

    fn apply(&mut self, fun: &Fun, args: &[Wire]) -> Wire {
        if self.incomplete {
            return self.none();
        }
        match (fun, args) {
            (Fun::Not, [a]) => Wire::Truth(!a.truth()),
            (Fun::And, _) => {
                let all = self.constant(true);
                Wire::Truth(args.iter().fold(all, |all, a| self.and(all, a.truth())))
            }
            (Fun::Or, _) => {
                let any = self.constant(false);
                Wire::Truth(args.iter().fold(any, |any, a| self.or(any, a.truth())))
            }
            (Fun::Ite, [c, Wire::Truth(a), Wire::Truth(b)]) => {
                Wire::Truth(self.ite(c.truth(), *a, *b))
            }
            (Fun::Ite, [c, a, b]) => Wire::Bits(self.choice(c.truth(), a.bits(), b.bits()).into()),
            (Fun::Eq, [a, b]) => Wire::Truth(self.equal(a, b)),
            _ => self.of_vectors(fun, args),
        }
    }
}
