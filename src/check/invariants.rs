//! `invariant e;`: a condition that holds in every state in which another task may run.
//!
//! Here the condition becomes checks; a [pass](ir::passes::invariants) writes them wherever such a state comes about.

use ast::tree::{ExprId, ItemKind, StringId};
use base::source::Span;
use ir::passes;
use ir::{ErrorKind, StmtKind};

use super::Checker;
use super::body::{Atomic, Body, Place};
use super::names::Names;

impl Checker<'_> {
    /// Lowers the invariants of the program.
    pub(super) fn lower_invariants(&mut self) {
        let ast = self.modules[0].ast;
        for item in &ast.items {
            if let ItemKind::Invariant(cond, message) = item.kind {
                self.lower_invariant(cond, message, item.span);
            }
        }
    }

    fn lower_invariant(&mut self, cond: ExprId, message: Option<StringId>, span: Span) {
        self.build.forget_locals();
        self.versions.current = None;
        self.names = Names::new(0, None);
        self.body = Body::new(Place::Procedure);
        self.body.atomic = Some(Atomic::Called);
        self.body.span = span;
        self.broken = false;
        let lowered = self.blocking_condition(cond, "an `invariant`");
        self.nodes.clear();
        let Some((checks, cond)) = lowered else {
            return;
        };
        let text = message.map_or_else(String::new, |id| {
            self.modules[0].ast.strings[id.0 as usize].clone()
        });
        self.invariants.extend(checks);
        let kind = StmtKind::Check(ErrorKind::Invariant, cond, text.into());
        self.invariants.push(kind.at(span));
    }

    /// Writes the checks into the program.
    pub(super) fn place_invariants(&mut self) {
        let checks = std::mem::take(&mut self.invariants);
        if !checks.is_empty() && !self.diagnostics.failed() {
            let program = &mut self.build.program;
            program.scope.invariants = checks.iter().map(|check| check.span).collect();
            program.scope.invariants.dedup();
            passes::run("invariants", program, |p| {
                passes::invariants::place(p, &checks);
            });
        }
    }
}
