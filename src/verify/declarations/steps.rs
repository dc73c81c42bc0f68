//! The two steps of a question: whether each can be made, making it, and taking it back.

use base::source::Span;
use ir::{
    BinaryOp, Block, ExprId, ExprKind, GlobalId, LocalId, Place, Root, Step, StmtKind, Type, Types,
};
use thin_vec::thin_vec;

use super::copy::RAN;
use super::question::{Runner, Went, Writer};

impl Writer<'_> {
    /// Whether a step can be made. It can if its guard fails a check: then the step fails.
    pub(super) fn enabled(&mut self, side: usize) -> ExprId {
        let Runner {
            guard,
            args,
            spurious,
            ..
        } = self.runners[side].clone();
        let Some(guard) = guard else {
            return self.copy.to.bool(true);
        };
        self.turn(side);
        let holds = self.local(Types::BOOL);
        self.call(Some(holds), guard, args);
        let holds_now = self.copy.local(holds, Types::BOOL);
        let ran = self.copy.to.is(self.copy.own.ended, RAN);
        let fails = self.not(ran);
        let mut enabled = self.copy.to.binary(BinaryOp::Or, holds_now, fails);
        if let Some((counter, times)) = spurious {
            let count = self.element(counter, side);
            let times = self.int(times);
            let spare = self.copy.to.binary(BinaryOp::Lt, count, times);
            enabled = self.copy.to.binary(BinaryOp::Or, enabled, spare);
        }
        // The answer is kept: it must not change with the state.
        let kept = self.keep(enabled, Types::BOOL);
        self.copy.local(kept, Types::BOOL)
    }

    /// Makes a step. If it fails, what it has written is undone.
    pub(super) fn run(&mut self, side: usize, mark: u32) -> Went {
        let before = self.save();
        let Runner {
            guard,
            body,
            args,
            spurious,
        } = self.runners[side].clone();
        let body = body.expect("set in the beginning");
        let result = self.copy.to.program.proc(body).result;
        let went = Went {
            ended: self.local(Types::INT),
            result: result.map(|ty| {
                let value = self.copy.to.program.plain_value(ty);
                self.keep(value, ty)
            }),
        };
        self.turn(side);
        let holds = guard.map(|guard| {
            let holds = self.local(Types::BOOL);
            self.call(Some(holds), guard, args.clone());
            holds
        });
        let outside = std::mem::take(&mut self.body);
        if let (Some((counter, _)), Some(holds)) = (spurious, holds) {
            self.count(counter, holds, side);
        }
        self.call(went.result, body, args);
        let step = std::mem::replace(&mut self.body, outside);
        let ran = self.copy.to.is(self.copy.own.ended, RAN);
        self.push(StmtKind::If(ran, step, Block::new()));
        let outside = std::mem::take(&mut self.body);
        self.restore(&before);
        let undo = std::mem::replace(&mut self.body, outside);
        self.push(StmtKind::If(ran, Block::new(), undo));
        let ended = self.copy.to.global(self.copy.own.ended);
        let place = Place::local(went.ended, Types::INT);
        self.push(StmtKind::Assign(place, ended));
        self.mark_step(mark, went);
        went
    }

    /// Counts a step that is made although its guard does not hold.
    fn count(&mut self, counter: GlobalId, holds: LocalId, side: usize) {
        let count = self.element(counter, side);
        let one = self.int(1);
        let more = self.copy.to.binary(BinaryOp::Add, count, one);
        let path = self.elements[side].iter().map(|&i| Step::Index(i));
        let place = Place {
            root: Root::Global(counter),
            path: path.collect(),
            ty: self.copy.to.program.ty(count),
        };
        let holds = self.copy.local(holds, Types::BOOL);
        let counts = StmtKind::Assign(place, more).at(Span::default());
        self.push(StmtKind::If(holds, Block::new(), thin_vec![counts]));
    }

    /// The part of a variable that belongs to the object.
    fn element(&mut self, global: GlobalId, side: usize) -> ExprId {
        let mut value = self.copy.to.global(global);
        for index in self.elements[side].clone() {
            let (Type::Array(_, ty) | Type::Map(_, ty)) = *self
                .copy
                .to
                .program
                .types
                .get(self.copy.to.program.ty(value))
            else {
                return value;
            };
            value = self.copy.to.program.add(ExprKind::Index(value, index), ty);
        }
        value
    }

    /// Lets the task of that side run, from its first choice.
    pub(super) fn turn(&mut self, side: usize) {
        let own = self.copy.own;
        let values = [
            (own.me, side as i128 + 1),
            (own.ended, RAN),
            (own.chosen, 0),
        ];
        for (global, value) in values {
            let value = self.int(value);
            let set = self.copy.to.set(global, value);
            self.body.push(set);
        }
    }

    pub(super) fn save(&mut self) -> Vec<LocalId> {
        let globals = self.copy.touched.clone();
        let save = |(_, global): (GlobalId, GlobalId)| {
            let value = self.copy.to.global(global);
            self.keep(value, self.copy.to.program.ty(value))
        };
        globals.into_iter().map(save).collect()
    }

    pub(super) fn restore(&mut self, saved: &[LocalId]) {
        for ((_, global), &local) in self.copy.touched.clone().into_iter().zip(saved) {
            let ty = self.copy.to.program.globals[global.index()].ty;
            let value = self.copy.local(local, ty);
            let set = self.copy.to.set(global, value);
            self.body.push(set);
        }
    }
}
