//! Loops that fill new memory with inputs, byte by byte. They are left out: new memory holds any values anyway.
//!
//! ```c
//! char *p = malloc(size);
//! for (unsigned i = 0; i < size; ++i)
//!   p[i] = __VERIFIER_nondet_char();
//! ```

use super::Lowerer;
use c::typed::{
    BinaryOp as COp, Callee, CompareOp, Conversion, ExprId as CExprId, ExprKind as C, Init, StmtId,
    StmtKind as S, UpdateOp, VarId,
};

impl Lowerer<'_> {
    /// Whether a statement makes memory, and the next one only fills it with inputs.
    pub(super) fn fills(&self, made: StmtId, next: StmtId) -> bool {
        let filled = || {
            let (pointer, size) = self.fresh(made)?;
            let S::For(begin, Some(cond), Some(step), body) = &self.unit[next].kind else {
                return None;
            };
            let &[begin] = begin.as_slice() else {
                return None;
            };
            let counter = self.begins_at_zero(begin)?;
            let C::Compare(CompareOp::Lt, l, r) = self.unit[*cond].kind else {
                return None;
            };
            let counts = self.only_widened(l)? == counter && self.only_widened(r)? == size;
            let all = counts && self.adds_one(*step, counter);
            let (to, at) = self.input_byte(*body)?;
            (all && to == pointer && at == counter).then_some(())
        };
        filled().is_some()
    }

    /// `T *p = malloc(size);`: both variables.
    fn fresh(&self, stmt: StmtId) -> Option<(VarId, VarId)> {
        let S::Declare(pointer) = self.unit[stmt].kind else {
            return None;
        };
        let Init::Value(value) = self.unit[self.unit[pointer].init?] else {
            return None;
        };
        let C::Call(Callee::Direct(function), args) = &self.unit[self.unconverted(value)].kind
        else {
            return None;
        };
        let called = &self.unit[*function];
        let &[size] = &*self.unit[*args] else {
            return None;
        };
        let made = called.body.is_none() && self.unit.name(called.name) == "malloc";
        made.then_some((pointer, self.only_widened(size)?))
    }

    /// `unsigned i = 0`
    fn begins_at_zero(&self, stmt: StmtId) -> Option<VarId> {
        let S::Declare(counter) = self.unit[stmt].kind else {
            return None;
        };
        let Init::Value(value) = self.unit[self.unit[counter].init?] else {
            return None;
        };
        (self.unit.constant(value) == Some(0)).then_some(counter)
    }

    /// The variable of an unsigned type that an expression reads, perhaps as a wider one.
    fn only_widened(&self, e: CExprId) -> Option<VarId> {
        let ty = self.unit[e].ty.ty;
        match self.unit[e].kind {
            C::Convert(Conversion::Integer | Conversion::Same, of) => {
                let size = |ty| c_memory::size_of(self.unit, ty);
                let wider = size(ty) >= size(self.unit[of].ty.ty);
                if wider { self.only_widened(of) } else { None }
            }
            C::Load(place) => match self.unit[place].kind {
                C::Var(v) if self.unit.types.int_kind(ty).is_some_and(|k| !k.signed()) => Some(v),
                _ => None,
            },
            _ => None,
        }
    }

    /// `i++`
    fn adds_one(&self, step: CExprId, counter: VarId) -> bool {
        let C::Update(update) = &self.unit[step].kind else {
            return false;
        };
        update.op == UpdateOp::Arithmetic(COp::Add)
            && self.unit.constant(update.value) == Some(1)
            && self.unit[update.place].kind == C::Var(counter)
    }

    /// `p[i] = __VERIFIER_nondet_char();`, perhaps in a block of its own: both variables.
    fn input_byte(&self, stmt: StmtId) -> Option<(VarId, VarId)> {
        let e = match &self.unit[stmt].kind {
            S::Expr(e) => *e,
            S::Block(all) => match all.as_slice() {
                &[only] => return self.input_byte(only),
                _ => return None,
            },
            _ => return None,
        };
        let C::Assign(to, value) = self.unit[e].kind else {
            return None;
        };
        let C::Call(Callee::Direct(function), args) = &self.unit[self.unconverted(value)].kind
        else {
            return None;
        };
        let name = self.unit.name(self.unit[*function].name);
        let input = self.unit[*args].is_empty()
            && matches!(name, "__VERIFIER_nondet_char" | "__VERIFIER_nondet_uchar");
        let C::Index(pointer, index) = self.unit[to].kind else {
            return None;
        };
        let byte = c_memory::size_of(self.unit, self.unit[to].ty.ty) == 1;
        let C::Load(place) = self.unit[pointer].kind else {
            return None;
        };
        let C::Var(pointer) = self.unit[place].kind else {
            return None;
        };
        (input && byte).then_some((pointer, self.only_widened(index)?))
    }
}
