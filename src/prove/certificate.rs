//! The invariant of a proof, and its check.
//!
//! Spacer is not believed: for each clause, with the invariant in the place of its predicates, a fresh solver is asked whether it
//! can be violated. There is a proof only if none can. The questions can be written as SMT-LIB, for any other solver.

use std::fmt;

use solver::z3::ast::{Ast, Bool, Dynamic};
use solver::z3::{SatResult, Solver};

use super::hull::Hulls;
use super::script::script;
use super::segment::all;
use super::system::{Atom, Clause, Head, System};
use super::z3run::{self, Watched};
use base::clock::Instant;
use smt::z3::params;

/// An invariant: for each predicate a formula over its constants.
#[derive(Debug)]
pub struct Invariant {
    /// The formula of each predicate.
    pub of: Vec<Bool>,
    /// For each predicate, the part of its formula that Spacer found.
    pub found: Vec<Bool>,
}

/// What the check of an invariant came to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Checked {
    Holds,
    /// A clause does not hold, or that is not known.
    Fails(String),
}

impl Invariant {
    /// Joins, for each predicate, its facts, its equations, and what was found.
    #[must_use]
    pub fn new(system: &System, hulls: &Hulls, found: Vec<Bool>) -> Self {
        let of = found.iter().zip(&system.predicates).enumerate();
        let of = of.map(|(number, (found, predicate))| {
            let args: Vec<Dynamic> = predicate.args.iter().map(|a| a.constant.clone()).collect();
            let mut parts = predicate.facts.clone();
            parts.extend(hulls.holds(number, &args));
            parts.push(found.clone());
            all(&parts)
        });
        Self {
            of: of.collect(),
            found,
        }
    }

    /// Whether the invariant excludes all that must not happen.
    pub fn excludes_errors(&self, system: &System, watch: &Watched<'_>) -> bool {
        let mut wrong = system
            .clauses
            .iter()
            .filter(|c| matches!(c.head, Head::Wrong(_)));
        wrong.all(|clause| {
            let solver = self.violation(system, clause);
            // Z3's procedure for products of variables may not react to an interrupt. So its core is asked without that procedure.
            let mut params = params();
            params.set_bool("arith.nl.nra", false);
            params.set_u32("solver2_unknown", 0);
            solver.set_params(&params);
            solver.push();
            watch.check(&solver) == SatResult::Unsat
        })
    }

    fn says(&self, system: &System, atom: &Atom) -> Bool {
        let own: Vec<&Dynamic> = system.predicates[atom.predicate]
            .args
            .iter()
            .map(|a| &a.constant)
            .collect();
        let pairs: Vec<(&Dynamic, &Dynamic)> = own.into_iter().zip(&atom.args).collect();
        self.of[atom.predicate].substitute(&pairs)
    }

    /// Returns a solver that is asked whether a clause can be violated. If it cannot, the clause holds.
    fn violation(&self, system: &System, clause: &Clause) -> Solver {
        let solver = Solver::new();
        for atom in &clause.body {
            solver.assert(self.says(system, atom));
        }
        solver.assert(&clause.guard);
        if let Head::Holds(atom) = &clause.head {
            solver.assert(self.says(system, atom).not());
        }
        solver
    }

    #[must_use]
    pub fn check(&self, system: &System, deadline: Instant, memory: u64) -> Checked {
        for clause in &system.clauses {
            let solver = self.violation(system, clause);
            match z3run::check(&solver, deadline, memory) {
                SatResult::Unsat => {}
                SatResult::Sat => {
                    return Checked::Fails(format!("it does not hold {}", clause.says));
                }
                SatResult::Unknown => {
                    return Checked::Fails(format!("it is not known to hold {}", clause.says));
                }
            }
        }
        Checked::Holds
    }

    /// The questions as SMT-LIB: every answer is to be `unsat`.
    #[must_use]
    pub fn smtlib(&self, system: &System) -> Vec<Question> {
        let questions = system.clauses.iter().map(|clause| {
            let solver = self.violation(system, clause);
            Question {
                says: clause.says.clone(),
                script: script(&solver),
            }
        });
        questions.collect()
    }
}

/// A question of a certificate as SMT-LIB; its answer is to be "unsat".
#[derive(Debug)]
pub struct Question {
    /// Which clause it is about.
    pub says: String,
    script: String,
}

impl fmt::Display for Question {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "; {}\n{}", self.says, self.script)
    }
}
