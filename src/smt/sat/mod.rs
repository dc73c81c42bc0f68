//! The SAT solver, in process, for conditions over truth values and bit-vectors alone.
//!
//! It is several times faster on most of them than Z3, which decides everything else, and what this solver has not
//! decided after a number of conflicts (a number, not a time, so that equal runs give equal answers).

mod circuit;
#[cfg(test)]
mod tests;

use std::cell::Cell;
use std::time::Instant;

use batsat::{Callbacks, ClauseKind, Lit, SolverInterface, lbool};

use super::encode::Encoder;
use super::model::Shape;
use super::solve::{Outcome, Session, Unknown};
use super::term::{Assignment, Datum, Term, Terms};
use crate::memory::resident;
use crate::work;

use circuit::{Circuit, Wire};

/// After so many conflicts it is another solver's turn.
const MOST_CONFLICTS: u32 = 30_000;

/// How long the solver may go on.
#[derive(Debug)]
pub struct Patience {
    conflicts: u32,
    deadline: Instant,
    /// By how many bytes the process may grow, and what it held at the beginning.
    memory: u64,
    resident: u64,
    /// How often it was asked: the operating system is asked now and then.
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
    /// A session in which something is asserted, until the deadline and within that many bytes; `None` if it is not
    /// for a SAT solver.
    #[must_use]
    pub fn about(terms: &'t Terms, goal: Term, deadline: Instant, memory: u64) -> Option<Self> {
        let circuit = Circuit::new(Patience::new(deadline, memory));
        let encoder = Encoder::new(terms, &[goal], circuit);
        if !encoder.plan().is_finite(terms) {
            return None;
        }
        let mut session = Self { terms, encoder };
        session.assert(goal);
        let encoder = &session.encoder;
        (!encoder.backend.incomplete && encoder.problem().is_none()).then_some(session)
    }

    /// Whether it is another solver's turn.
    #[must_use]
    pub fn gives_up(&self) -> bool {
        self.encoder.backend.solver.cb().conflicts >= MOST_CONFLICTS
    }

    fn encoded(&mut self, term: Term) -> Lit {
        let lit = self.encoder.term(term).truth();
        for axiom in self.encoder.take_axioms() {
            self.require(axiom.truth());
        }
        lit
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
                Datum::Int(Some(shape.element(number)))
            }
        }
    }
}

impl Session for SatSession<'_> {
    fn assert(&mut self, term: Term) {
        let lit = self.encoded(term);
        self.require(lit);
    }

    fn check(&mut self, assumptions: &[Term]) -> Outcome {
        let literals: Vec<Lit> = assumptions.iter().map(|&t| self.encoded(t)).collect();
        if self.encoder.backend.incomplete {
            let reason = "an assumption is not for a SAT solver".to_owned();
            return Outcome::Unknown(Unknown::Incomplete(reason));
        }
        let solver = &mut self.encoder.backend.solver;
        match solver.solve_limited(&literals) {
            answer if answer == lbool::TRUE => Outcome::Sat,
            answer if answer == lbool::FALSE => Outcome::Unsat,
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
}
