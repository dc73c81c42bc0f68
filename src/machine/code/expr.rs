//! Expressions into instructions.

use ir::{BinaryOp, ExprId, ExprKind, TypeId, UnaryOp};

use super::compile::{Compiler, Label};
use super::instr::{Instr, Num, Operand, Reg};
use super::layout::Repr;

impl Compiler<'_> {
    fn num(&self, e: ExprId) -> Num {
        Num::of(self.program.types.get(self.program.ty(e)))
    }

    fn is_scalar(&self, ty: TypeId) -> bool {
        matches!(self.code.layout.repr(ty), Repr::Scalar(_))
    }

    /// Returns an operand for a value of one slot.
    pub fn operand(&mut self, e: ExprId) -> Operand {
        match &self.program.expr(e).kind {
            ExprKind::Bool(b) => self.constant(i64::from(*b)),
            ExprKind::NoTask => self.constant(0),
            ExprKind::Int(i) => self.number(i.0, self.num(e)),
            _ => Operand::reg(self.range(e)),
        }
    }

    /// A number as the machine holds it.
    fn number(&mut self, i: i128, num: Num) -> Operand {
        let value = match num {
            Num::Bits(64, false) => u64::try_from(i).map(u64::cast_signed).ok(),
            _ => i64::try_from(i).ok(),
        };
        match value {
            Some(v) if v != super::UNDEF => self.constant(v),
            _ => {
                self.emit(Instr::TooLarge);
                self.constant(0)
            }
        }
    }

    /// Returns consecutive registers that hold a value of any type. They may be those of a variable.
    pub fn range(&mut self, e: ExprId) -> Reg {
        let expr = self.program.expr(e);
        if let ExprKind::Local(_)
        | ExprKind::Global(_)
        | ExprKind::Index(..)
        | ExprKind::Field(..) = expr.kind
        {
            let access = self.access(e);
            return self.load(&access, expr.ty);
        }
        let dst = self.temp(self.slots(expr.ty));
        self.put_in(e, dst);
        dst
    }

    /// Puts a value of any type into registers. For scalars only, they may be those of a variable.
    pub fn put_in(&mut self, e: ExprId, dst: Reg) {
        let program = self.program;
        let expr = program.expr(e);
        match &expr.kind {
            ExprKind::Bool(_) | ExprKind::Int(_) | ExprKind::NoTask => {
                let src = self.operand(e);
                self.emit(Instr::Copy { dst, src });
            }
            ExprKind::SelfTask => self.emit(Instr::Me { dst }),
            ExprKind::Local(_)
            | ExprKind::Global(_)
            | ExprKind::Index(..)
            | ExprKind::Field(..) => {
                let access = self.access(e);
                self.load_into(&access, expr.ty, dst);
            }
            ExprKind::Unary(op, a) => self.unary(*op, *a, dst),
            ExprKind::Binary(op, a, b) => self.binary(*op, *a, *b, dst),
            ExprKind::Ite(c, t, f) => self.either(*c, *t, *f, dst),
            ExprKind::Record(parts) | ExprKind::Array(parts) => self.parts(expr.ty, parts, dst),
            ExprKind::Fill(part) => self.fill(expr.ty, *part, dst),
            ExprKind::Convert(a) => {
                let (from, to) = (self.num(*a), self.num(e));
                let a = self.operand(*a);
                self.emit(Instr::Convert { from, to, dst, a });
            }
            ExprKind::Finished(a) => {
                let a = self.operand(*a);
                self.emit(Instr::Finished { dst, a });
            }
        }
    }

    fn unary(&mut self, op: UnaryOp, a: ExprId, dst: Reg) {
        let num = self.num(a);
        let a = self.operand(a);
        self.emit(Instr::Unary { op, num, dst, a });
    }

    fn binary(&mut self, op: BinaryOp, a: ExprId, b: ExprId, dst: Reg) {
        match op {
            BinaryOp::And | BinaryOp::Or | BinaryOp::Implies => {
                // The left operand may stand in `dst`'s own variable: decide before writing.
                let (yes, end) = (self.label(), self.label());
                self.logic(op, a, b, true, yes);
                let (no, one) = (self.constant(0), self.constant(1));
                self.emit(Instr::Copy { dst, src: no });
                self.jump(end);
                self.bind(yes);
                self.emit(Instr::Copy { dst, src: one });
                self.bind(end);
            }
            BinaryOp::Eq if !self.is_scalar(self.program.ty(a)) => {
                let n = self.slots(self.program.ty(a));
                let (a, b) = (self.range(a), self.range(b));
                self.emit(Instr::Same { dst, a, b, n });
            }
            _ => {
                if let Some((known, other)) = self.beyond(op, a, b) {
                    self.operand(other);
                    let src = self.constant(i64::from(known));
                    return self.emit(Instr::Copy { dst, src });
                }
                let num = self.num(a);
                let (a, b) = (self.operand(a), self.operand(b));
                self.emit(Instr::Binary { op, num, dst, a, b });
            }
        }
    }

    /// Returns the answer of a comparison with a number beyond 64 bits, and the other operand. Any operand that fits 64 bits
    /// gives this answer. The operand has to be computed all the same: it may be larger or have no value yet, and the
    /// machine refuses then.
    fn beyond(&self, op: BinaryOp, a: ExprId, b: ExprId) -> Option<(bool, ExprId)> {
        if self.num(a) != Num::Int {
            return None;
        }
        let sign = |e: ExprId| match self.program.expr(e).kind {
            ExprKind::Int(i) if i64::try_from(i.0).is_err() => Some(i.0 > 0),
            _ => None,
        };
        match (op, sign(a), sign(b)) {
            (BinaryOp::Eq, Some(_), None) => Some((false, b)),
            (BinaryOp::Eq, None, Some(_)) => Some((false, a)),
            (BinaryOp::Lt | BinaryOp::Le, None, Some(above)) => Some((above, a)),
            (BinaryOp::Lt | BinaryOp::Le, Some(above), None) => Some((!above, b)),
            _ => None,
        }
    }

    fn either(&mut self, c: ExprId, t: ExprId, f: ExprId, dst: Reg) {
        // The parts may read the variable that `dst` belongs to; each is computed before it is written.
        let (no, end) = (self.label(), self.label());
        self.branch(c, false, no);
        self.put_in(t, dst);
        self.jump(end);
        self.bind(no);
        self.put_in(f, dst);
        self.bind(end);
    }

    fn parts(&mut self, ty: TypeId, parts: &[ExprId], dst: Reg) {
        let Repr::Tree { .. } = self.code.layout.repr(ty) else {
            let mut next = dst;
            for &part in parts {
                self.put_in(part, next);
                next += self.slots(self.program.ty(part));
            }
            return;
        };
        // A large array: its first element everywhere, then one by one.
        let info = self.map_info(ty, None);
        for (i, &part) in parts.iter().enumerate() {
            let temps = self.mark();
            let src = self.range(part);
            if i == 0 {
                self.emit(Instr::MapFill { dst, src, info });
            } else {
                let key = self.constant(i64::try_from(i).unwrap_or(i64::MAX));
                let map = dst;
                self.emit(Instr::MapSet {
                    dst,
                    map,
                    key,
                    src,
                    info,
                });
            }
            self.release(temps);
        }
    }

    fn fill(&mut self, ty: TypeId, part: ExprId, dst: Reg) {
        let src = self.range(part);
        match *self.code.layout.repr(ty) {
            Repr::Flat { len, stride, .. } => self.emit(Instr::Repeat {
                dst,
                src,
                n: stride,
                times: len,
            }),
            _ => {
                let info = self.map_info(ty, None);
                self.emit(Instr::MapFill { dst, src, info });
            }
        }
    }

    /// Goes to a label if a truth value is `want`.
    pub fn branch(&mut self, e: ExprId, want: bool, to: Label) {
        match self.program.expr(e).kind {
            ExprKind::Bool(b) => {
                if b == want {
                    self.jump(to);
                }
            }
            ExprKind::Unary(UnaryOp::Not, inner) => self.branch(inner, !want, to),
            ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or | BinaryOp::Implies), a, b) => {
                self.logic(op, a, b, want, to);
            }
            ExprKind::Binary(op @ (BinaryOp::Lt | BinaryOp::Le | BinaryOp::Eq), a, b)
                if self.is_scalar(self.program.ty(a)) =>
            {
                let Some((known, other)) = self.beyond(op, a, b) else {
                    return self.compare(op, a, b, want, to);
                };
                self.operand(other);
                if known == want {
                    self.jump(to);
                }
            }
            _ => {
                let cond = self.operand(e);
                let to = Self::target(to);
                self.emit(Instr::Branch { cond, want, to });
            }
        }
    }

    fn compare(&mut self, op: BinaryOp, a: ExprId, b: ExprId, want: bool, to: Label) {
        let num = self.num(a);
        let (a, b) = (self.operand(a), self.operand(b));
        let to = Self::target(to);
        self.emit(Instr::Compare {
            op,
            num,
            a,
            b,
            want,
            to,
        });
    }

    /// `&&`, `||` and `==>`: the right operand is looked at only if it decides.
    fn logic(&mut self, op: BinaryOp, a: ExprId, b: ExprId, want: bool, to: Label) {
        // a && b is decided false by a false a, a || b true by a true a, a ==> b true by a false a.
        let (deciding, result) = match op {
            BinaryOp::And => (false, false),
            BinaryOp::Or => (true, true),
            _ => (false, true),
        };
        if result == want {
            self.branch(a, deciding, to);
            self.branch(b, want, to);
        } else {
            let end = self.label();
            self.branch(a, deciding, end);
            self.branch(b, want, to);
            self.bind(end);
        }
    }
}
