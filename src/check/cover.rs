//! `cover e;` asks whether some execution comes there with the condition true. It does not change the
//! program. A question about one `cover` is about the program in which [it alone](ir::passes::cover) fails.

use ast::tree::{ExprId, StringId};
use ir::lower::Lower;
use ir::{ErrorKind, ExprKind, StmtKind, Types, UnaryOp};

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
            // The negation is not simplified, because a trace shows the condition.
            let not = ExprKind::Unary(UnaryOp::Not, cond);
            let not = self.build.program.add(not, Types::BOOL);
            self.emit(StmtKind::Check(ErrorKind::Cover, not, text.as_str().into()));
        }
        let covers = &mut self.build.program.covers;
        if !covers.iter().any(|(at, _)| *at == span) {
            covers.push((span, text));
        }
    }
}
