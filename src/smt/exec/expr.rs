//! Expressions and assignments on a path.

use ir::{ExprId, GlobalId, LocalId, ProcId};

use super::{Exec, Leaves, State, Stop};
use crate::expr::{Eval, Scope};
use crate::layout::Rows;
use crate::term::{Term, Terms};

/// The values on a path.
pub(super) struct OnPath<'a> {
    state: &'a State,
    rows: &'a Rows,
    proc: ProcId,
}

impl Scope for OnPath<'_> {
    fn global(&self, global: GlobalId) -> &[Term] {
        &self.state.globals[self.rows.global(global)]
    }

    fn local(&self, local: LocalId) -> &[Term] {
        &self.state.locals[self.rows.local(self.proc, local)]
    }

    fn knows(&self, terms: &Terms, term: Term) -> Option<bool> {
        self.state.path.knows(terms, term)
    }
}

impl<'p> Exec<'p> {
    /// Makes the terms of expressions on a path.
    pub(super) fn evaluator<'a>(&'a mut self, state: &'a State) -> Eval<'a, 'p, OnPath<'a>> {
        let proc = self.frame().proc;
        Eval {
            program: self.program,
            layouts: &self.layouts,
            terms: &mut self.terms,
            scope: OnPath {
                state,
                rows: &self.rows,
                proc,
            },
        }
    }

    /// A truth value, decided by what the path knows if possible.
    pub(super) fn truth(&mut self, expr: ExprId, state: &State) -> Result<Term, Stop> {
        self.evaluator(state).truth(expr)
    }

    /// A value with one leaf.
    pub(super) fn scalar(&mut self, expr: ExprId, state: &State) -> Result<Term, Stop> {
        self.evaluator(state).scalar(expr)
    }

    pub(super) fn eval(&mut self, expr: ExprId, state: &State) -> Result<Leaves, Stop> {
        self.evaluator(state).eval(expr)
    }
}
