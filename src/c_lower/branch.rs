//! Loops and `switch`.

use super::jump::leaves;
use super::{Lowered, Lowerer, Targets, refuse};
use base::source::Span;
use c::typed::{Case, ExprId as CExprId, StmtId, StmtKind as S};
use ir::lower::Lower;
use ir::{BinaryOp, ExprId, LoopId, StmtKind, Types};

impl Lowerer<'_> {
    /// Leaves a loop unless the condition holds.
    fn leave_unless(&mut self, id: LoopId, cond: Option<CExprId>) -> Lowered<()> {
        let Some(cond) = cond else { return Ok(()) };
        let span = self.unit[cond].span;
        let outer = std::mem::replace(&mut self.body.span, span);
        let cond = self.condition(cond)?;
        if !self.build.is_true(cond) {
            self.unless(cond, |l| l.emit(StmtKind::Break(id)));
        }
        self.body.span = outer;
        Ok(())
    }

    fn body_within(&mut self, body: StmtId, own: Targets) -> Lowered<()> {
        let outer = std::mem::replace(&mut self.body.targets, own);
        let done = self.statement(body);
        self.body.targets = outer;
        done
    }

    fn targets(&self, on_break: LoopId, on_continue: (LoopId, bool)) -> Targets {
        Targets {
            on_break: Some(on_break),
            on_continue: Some(on_continue),
            labels: self.body.targets.labels.clone(),
        }
    }

    pub(super) fn while_loop(&mut self, cond: CExprId, body: StmtId) -> Lowered<()> {
        let id = self.new_loop();
        let targets = self.targets(id, (id, false));
        let (block, ()) = self.apart(|l| {
            l.unless_entered(&[body], |l| l.leave_unless(id, Some(cond)))?;
            l.body_within(body, targets)
        })?;
        self.body.span = self.unit[cond].span;
        self.endless(id, block);
        Ok(())
    }

    /// Lowers the body of a loop as a block of its own, which `continue` leaves.
    fn turn(&mut self, id: LoopId, body: StmtId) -> Lowered<()> {
        let turn = self.new_loop();
        let targets = self.targets(id, (turn, true));
        let (mut block, ()) = self.apart(|l| l.body_within(body, targets))?;
        if leaves(&block, turn) {
            self.once(turn, &mut block);
        } else {
            self.body.block.append(&mut block);
        }
        Ok(())
    }

    pub(super) fn do_loop(&mut self, body: StmtId, cond: CExprId) -> Lowered<()> {
        let id = self.new_loop();
        let (block, ()) = self.apart(|l| {
            l.turn(id, body)?;
            l.leave_unless(id, Some(cond))
        })?;
        if self.unit.constant(cond) == Some(0) {
            let mut block = block;
            self.once(id, &mut block);
        } else {
            self.endless(id, block);
        }
        Ok(())
    }

    pub(super) fn for_loop(
        &mut self,
        cond: Option<CExprId>,
        step: Option<CExprId>,
        body: StmtId,
    ) -> Lowered<()> {
        let id = self.new_loop();
        let (block, ()) = self.apart(|l| {
            l.unless_entered(&[body], |l| l.leave_unless(id, cond))?;
            l.turn(id, body)?;
            step.map_or(Ok(()), |step| l.effect(step))
        })?;
        if let Some(cond) = cond {
            self.body.span = self.unit[cond].span;
        }
        self.endless(id, block);
        Ok(())
    }

    /// Lowers a `switch`: the statements behind a case run if this case or an earlier one is met.
    pub(super) fn switch(
        &mut self,
        value: CExprId,
        body: StmtId,
        cases: &[Case],
        span: Span,
    ) -> Lowered<()> {
        let unit = self.unit;
        let S::Block(statements) = &unit[body].kind else {
            return refuse(span, "a `switch` without a block is");
        };
        let own = statements
            .iter()
            .filter(|&&s| matches!(unit[s].kind, S::Case))
            .count();
        let first_is_case = statements
            .first()
            .is_none_or(|&s| matches!(unit[s].kind, S::Case));
        if own != cases.len() || !first_is_case {
            return refuse(span, "a `switch` with cases in inner blocks is");
        }
        if statements
            .iter()
            .any(|&s| matches!(unit[s].kind, S::Label(_)))
        {
            return refuse(span, "a label in a `switch` is");
        }
        let value = self.value(value)?;
        let value = self.keep(value);
        let met = self.temporary(Types::BOOL);
        let place = self.local_place(met);
        let off = self.build.bool(false);
        self.store_place(place.clone(), off);
        let id = self.new_loop();
        let mut targets = self.body.targets.clone();
        targets.on_break = Some(id);
        let outer = std::mem::replace(&mut self.body.targets, targets);
        let done = self.apart(|l| {
            let mut rest: &[StmtId] = statements;
            while !rest.is_empty() {
                let marks = rest
                    .iter()
                    .take_while(|&&s| matches!(unit[s].kind, S::Case))
                    .count();
                let (marks, after) = rest.split_at(marks);
                let len = after
                    .iter()
                    .take_while(|&&s| !matches!(unit[s].kind, S::Case))
                    .count();
                let (part, after) = after.split_at(len);
                rest = after;
                let here = l.met_by(marks, cases, value)?;
                let before = l.read_local(met);
                let now = l.build.binary(BinaryOp::Or, before, here);
                l.store_place(place.clone(), now);
                let now = l.read_local(met);
                l.when(now, |l| l.sequence(part))?;
            }
            Ok(())
        });
        self.body.targets = outer;
        let (mut block, ()) = done?;
        self.once(id, &mut block);
        Ok(())
    }

    /// Makes the condition that a value meets one of these cases.
    fn met_by(&mut self, marks: &[StmtId], cases: &[Case], value: ExprId) -> Lowered<ExprId> {
        let mut met = self.build.bool(false);
        for &mark in marks {
            let Some(case) = cases.iter().find(|c| c.at == mark) else {
                return refuse(self.unit[mark].span, "this case is");
            };
            let here = match case.values {
                Some(range) => self.in_range(value, range),
                None => {
                    let mut other = self.build.bool(false);
                    for range in cases.iter().filter_map(|c| c.values) {
                        let one = self.in_range(value, range);
                        other = self.build.binary(BinaryOp::Or, other, one);
                    }
                    self.build.not(other)
                }
            };
            met = self.build.binary(BinaryOp::Or, met, here);
        }
        Ok(met)
    }

    fn in_range(&mut self, value: ExprId, (least, most): (i128, i128)) -> ExprId {
        let ty = self.build.ty(value);
        let types = self.build.types();
        let least = ir::arith::convert(types, ty, least);
        let most = ir::arith::convert(types, ty, most);
        if least == most {
            let only = self.build.scalar(least, ty);
            return self.build.binary(BinaryOp::Eq, value, only);
        }
        self.build.within(value, Some(least), Some(most))
    }
}
