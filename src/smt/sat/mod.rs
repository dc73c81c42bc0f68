//! The SAT solver, in process, for conditions over truth values and bit-vectors alone.
//!
//! It is several times faster than Z3 on most of them. Z3 decides everything else, and what this solver has not decided after a
//! number of conflicts (a number, not a time, so that equal runs give equal answers).

mod circuit;
#[cfg(test)]
mod tests;

use std::cell::Cell;

use batsat::{Callbacks, ClauseKind, Lit, SolverInterface, lbool};

use super::encode::{Encoder, Plan};
use super::model::Shape;
use super::solve::{Outcome, Session, Unknown};
use super::term::{Assignment, Datum, Term, Terms};
use base::clock::Instant;
use base::memory::resident;
use base::work;

use circuit::{Circuit, Wire};

/// After so many conflicts it is another solver's turn.
const MOST_CONFLICTS: u32 = 300_000;

/// The most bits of a product of two unknowns in a trial. The product has twice as many bits as its operands.
const WIDEST_PRODUCT: usize = 32;

/// How long the solver may go on.
#[derive(Debug)]
pub struct Patience {
    conflicts: u32,
    deadline: Instant,
    /// By how many bytes the process may grow, and what it held at the beginning.
    memory: u64,
    resident: u64,
    /// How often the solver has asked whether to stop. Every 1024th time, this looks at the memory.
    asked: Cell<u32>,
    full: Cell<bool>,
}

impl Patience {
    fn new(deadline: Instant, memory: u64) -> Self {
        Self {
            conflicts: 0,
            deadline,
            memory,
            resident: resident().unwrap_or(0),
            asked: Cell::new(0),
            full: Cell::new(false),
        }
    }
}

impl Callbacks for Patience {
    fn on_new_clause(&mut self, _: &[Lit], kind: ClauseKind) {
        self.conflicts += u32::from(kind == ClauseKind::Learnt);
    }

    fn stop(&self) -> bool {
        self.asked.set(self.asked.get().wrapping_add(1));
        if self.asked.get().is_multiple_of(1024) {
            let grown = resident().map(|now| now.saturating_sub(self.resident));
            self.full
                .set(grown.is_some_and(|grown| grown > self.memory));
        }
        self.full.get()
            || self.conflicts >= MOST_CONFLICTS
            || work::stopping()
            || Instant::now() >= self.deadline
    }
}

/// A session with the SAT solver.
pub struct SatSession<'t> {
    terms: &'t Terms,
    encoder: Encoder<'t, Circuit>,
}

impl<'t> SatSession<'t> {
    /// A session about terms that these roots need, until the deadline and within that many bytes; `None` if they are not
    /// for a SAT solver.
    #[must_use]
    pub fn about(terms: &'t Terms, roots: &[Term], deadline: Instant, memory: u64) -> Option<Self> {
        let circuit = Circuit::new(Patience::new(deadline, memory));
        let encoder = Encoder::new(terms, roots, circuit).until(deadline);
        let finite = encoder.plan().is_finite(terms);
        finite.then_some(Self { terms, encoder })
    }

    /// The same with integers that have no bounds [within a width](crate::encode), if they can be.
    #[must_use]
    pub fn within(
        terms: &'t Terms,
        roots: &[Term],
        width: u32,
        deadline: Instant,
        memory: u64,
    ) -> Option<Self> {
        let plan = Plan::new(terms, roots).within(terms, width)?;
        let mut circuit = Circuit::new(Patience::new(deadline, memory));
        circuit.multiplies = WIDEST_PRODUCT;
        let encoder = Encoder::with(terms, plan, circuit).until(deadline);
        let finite = encoder.plan().is_finite(terms);
        finite.then_some(Self { terms, encoder })
    }

    /// Whether it is another solver's turn.
    #[must_use]
    pub fn gives_up(&self) -> bool {
        self.encoder.backend.solver.cb().conflicts >= MOST_CONFLICTS
    }

    fn encoded(&mut self, term: Term) -> Lit {
        let lit = self.encoder.term(term).truth();
        self.take_axioms();
        lit
    }

    fn take_axioms(&mut self) {
        for axiom in self.encoder.take_axioms() {
            self.require(axiom.truth());
        }
    }

    /// Makes a literal under which one of these terms holds.
    fn one_of(&mut self, terms: &[Term]) -> Lit {
        let mut clause: Vec<Lit> = terms.iter().map(|&t| self.encoded(t)).collect();
        let chosen = self.encoder.backend.input();
        clause.push(!chosen);
        self.encoder.backend.solver.add_clause_reuse(&mut clause);
        chosen
    }

    fn require(&mut self, lit: Lit) {
        self.encoder.backend.solver.add_clause_reuse(&mut vec![lit]);
    }

    fn value(&self, wire: &Wire, shape: &Shape) -> Datum {
        let holds = |lit: Lit| self.encoder.backend.solver.value_lit(lit) == lbool::TRUE;
        match wire {
            Wire::Truth(lit) => Datum::Bool(holds(*lit)),
            Wire::Bits(bits) => {
                let bits = bits.iter().rev();
                let number = bits.fold(0, |number, &bit| number << 1 | i128::from(holds(bit)));
                Datum::Int(shape.element(number))
            }
        }
    }
}

impl Session for SatSession<'_> {
    fn assert(&mut self, term: Term) {
        let lit = self.encoded(term);
        self.require(lit);
    }

    fn check(&mut self, all: &[Term], any: &[Term]) -> Outcome {
        let mut literals: Vec<Lit> = all.iter().map(|&t| self.encoded(t)).collect();
        if !any.is_empty() {
            literals.push(self.one_of(any));
        }
        let encoder = &mut self.encoder;
        if encoder.is_late() {
            return Outcome::Unknown(Unknown::Time);
        }
        if encoder.backend.incomplete || encoder.problem().is_some() {
            let reason = "the question is not for a SAT solver".to_owned();
            return Outcome::Unknown(Unknown::Incomplete(reason));
        }
        let assumed: Vec<Lit> = encoder.assumptions().map(Wire::truth).collect();
        literals.extend(&assumed);
        let solver = &mut encoder.backend.solver;
        solver.cb_mut().conflicts = 0;
        match solver.solve_limited(&literals) {
            answer if answer == lbool::TRUE => Outcome::Sat,
            answer if answer == lbool::FALSE => {
                let leaves = |lit: &Lit| solver.unsat_core_contains_var(lit.var());
                if assumed.iter().any(leaves) {
                    let reason = "there may be a model with greater numbers".to_owned();
                    return Outcome::Unknown(Unknown::Incomplete(reason));
                }
                Outcome::Unsat
            }
            _ if solver.cb().full.get() => Outcome::Unknown(Unknown::Memory),
            _ => Outcome::Unknown(Unknown::Time),
        }
    }

    fn model(&mut self) -> Option<Assignment> {
        let mut assignment = Assignment::default();
        for (var, wire) in &self.encoder.vars {
            let shape = Shape::of(self.terms, self.encoder.plan(), self.terms.var(*var).term);
            assignment.set(*var, self.value(wire, &shape));
        }
        Some(assignment)
    }

    fn exclude(&mut self, values: &[(Term, Datum)]) {
        let mut clause = Vec::new();
        for (term, datum) in values {
            let wire = self.encoder.term(*term);
            match (wire, datum) {
                (Wire::Truth(lit), Datum::Bool(holds)) => clause.push(lit.apply_sign(!*holds)),
                (Wire::Bits(bits), Datum::Int(number)) => {
                    let bits = bits.iter().zip(0u32..);
                    clause
                        .extend(bits.map(|(bit, i)| bit.apply_sign(number >> i.min(127) & 1 == 0)));
                }
                _ => {}
            }
        }
        self.take_axioms();
        self.encoder.backend.solver.add_clause_reuse(&mut clause);
    }
}
