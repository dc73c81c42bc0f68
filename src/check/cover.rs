//! `cover e;`: whether some execution comes there with the condition true. It changes nothing of the program; who asks about one
//! gets the program in which it alone fails.

use crate::ast::tree::{ExprId, StringId};
use crate::ir::walk::each_mut;
use crate::ir::{BinaryOp, ErrorKind, ExprKind, Program, StmtKind, Types, UnaryOp};

use super::Checker;

impl Checker<'_> {
    pub(super) fn cover(&mut self, cond: ExprId, message: Option<StringId>) {
        let span = self.body.span;
        let here = self.body.block.len();
        let lowered = self.condition(cond);
        let asked = self.asked == Some(span);
        if !asked {
            self.body.block.truncate(here);
        }
        let Some(cond) = lowered else { return };
        let text = match message {
            Some(id) => self.modules[self.names.module].ast.strings[id.0 as usize].clone(),
            None => String::new(),
        };
        if asked {
            // Not simplified: a trace tells the condition.
            let not = ExprKind::Unary(UnaryOp::Not, cond);
            let not = self.build.program.add(not, Types::BOOL);
            self.emit(StmtKind::Check(ErrorKind::Cover, not, text.clone()));
        }
        let covers = &mut self.build.program.covers;
        if !covers.iter().any(|(at, _)| *at == span) {
            covers.push((span, text));
        }
    }
}

/// The program in which nothing fails but that: what would fail, or wait for something that would, comes to no end.
pub(super) fn only(mut program: Program) -> Program {
    program.scope.deadlocks = false;
    let mut procs = std::mem::take(&mut program.procs);
    for proc in &mut procs {
        each_mut(&mut proc.body, &mut |stmt| match &mut stmt.kind {
            StmtKind::Check(ErrorKind::Cover, ..) => {}
            StmtKind::Check(_, cond, _) => stmt.kind = StmtKind::Assume(*cond),
            StmtKind::Await(at) => {
                for check in std::mem::take(&mut at.checks).into_iter().rev() {
                    if let StmtKind::Check(_, cond, _) | StmtKind::Assume(cond) = check.kind {
                        let both = ExprKind::Binary(BinaryOp::And, cond, at.cond);
                        at.cond = program.add(both, Types::BOOL);
                    }
                }
            }
            _ => {}
        });
    }
    program.procs = procs;
    program
}
