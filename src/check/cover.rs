//! `cover e;` asks whether some execution comes there with the condition true. It does not change the
//! program. A question about the covers of a line is about the program in which [they alone](ir::passes::cover) fail.

use ast::tree::{ExprId, StringId};
use base::source::Span;
use ir::lower::Lower;
use ir::{BinaryOp, Block, ErrorKind, ExprKind, StmtKind, Types, UnaryOp, walk};

use super::Checker;

impl Checker<'_> {
    pub(super) fn cover(&mut self, cond: ExprId, message: Option<StringId>) {
        let span = self.body.span;
        let (evaluation, lowered) = self.in_block(|c| c.condition(cond));
        let Some(cond) = lowered else { return };
        let text = match message {
            Some(id) => self.modules[self.names.module].ast.strings[id.0 as usize].clone(),
            None => String::new(),
        };
        if self.asks(span) {
            // The negation is not simplified, because a trace shows the condition.
            let not = ExprKind::Unary(UnaryOp::Not, cond);
            let not = self.build.program.add(not, Types::BOOL);
            let defined = self.defined(evaluation);
            self.when(defined, |c| {
                c.emit(StmtKind::Check(ErrorKind::Cover, not, text.as_str().into()));
            });
        }
        let covers = &mut self.build.program.covers;
        if !covers.iter().any(|(at, _)| *at == span) {
            covers.push((span, text));
        }
    }

    /// Whether the question is about the `cover` at a place.
    fn asks(&self, cover: Span) -> bool {
        self.asked
            .is_some_and(|asked| asked.start <= cover.start && cover.end <= asked.end)
    }

    /// Emits the evaluation of a condition. An error in the condition ends nothing: the result says whether there was none.
    fn defined(&mut self, mut evaluation: Block) -> ir::ExprId {
        let defined = self.temporary(Types::BOOL);
        let value = self.read_local(defined);
        let place = self.local_place(defined);
        let yes = self.build.bool(true);
        self.assign_local(defined, yes);
        let program = &mut self.build.program;
        walk::each_mut(&mut evaluation, &mut |stmt| {
            if let StmtKind::Check(_, holds, _) = stmt.kind {
                let both = ExprKind::Binary(BinaryOp::And, value, holds);
                let both = program.add(both, Types::BOOL);
                stmt.kind = StmtKind::Assign(place.clone(), both);
            }
        });
        self.body.block.append(&mut evaluation);
        value
    }
}
