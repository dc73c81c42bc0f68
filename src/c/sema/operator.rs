//! Operators: which operands they take, and in which type they compute.

use super::Sema;
use crate::typed::{BinaryOp, CompareOp, Conversion, ExprId, ExprKind, UnaryOp, Update, UpdateOp};
use crate::types::{QualType, Type, TypeId, Types};
use crate::{
    tree,
    tree::{BinaryOp as B, UnaryOp as U},
};
use base::source::Span;

/// The arithmetic that an operator stands for.
fn arithmetic(op: B) -> Option<BinaryOp> {
    Some(match op {
        B::Mul => BinaryOp::Mul,
        B::Div => BinaryOp::Div,
        B::Rem => BinaryOp::Rem,
        B::Add => BinaryOp::Add,
        B::Sub => BinaryOp::Sub,
        B::Shl => BinaryOp::Shl,
        B::Shr => BinaryOp::Shr,
        B::BitAnd => BinaryOp::BitAnd,
        B::BitXor => BinaryOp::BitXor,
        B::BitOr => BinaryOp::BitOr,
        _ => return None,
    })
}

fn comparison(op: B) -> Option<CompareOp> {
    Some(match op {
        B::Lt => CompareOp::Lt,
        B::Le => CompareOp::Le,
        B::Gt => CompareOp::Gt,
        B::Ge => CompareOp::Ge,
        B::Eq => CompareOp::Eq,
        B::Ne => CompareOp::Ne,
        _ => return None,
    })
}

impl Sema<'_> {
    pub(super) fn unary(&mut self, op: U, operand: tree::ExprId, span: Span) -> ExprId {
        match op {
            U::Deref => {
                let pointer = self.value(operand);
                self.deref(pointer, span)
            }
            U::Address => self.address_of(operand, span),
            U::Not => {
                let value = self.condition(operand);
                self.make(ExprKind::Not(value), Types::INT, span)
            }
            U::Real | U::Imag => {
                self.fail("unsupported", span, "complex numbers are not supported")
            }
            U::Plus | U::Neg | U::BitNot => {
                let value = self.value(operand);
                let ty = self.ty(value);
                let fits = if op == U::BitNot {
                    self.unit.types.is_integer(ty)
                } else {
                    self.unit.types.is_arithmetic(ty)
                };
                if ty == Types::ERROR {
                    return self.failed(span);
                }
                if !fits {
                    let message = format!("{} is no number", self.show(ty));
                    return self.fail("type-mismatch", span, message);
                }
                let value = self.promoted(value);
                let ty = self.ty(value);
                match op {
                    U::Neg => self.make(ExprKind::Unary(UnaryOp::Neg, value), ty, span),
                    U::BitNot => self.make(ExprKind::Unary(UnaryOp::BitNot, value), ty, span),
                    _ => value,
                }
            }
        }
    }

    fn address_of(&mut self, operand: tree::ExprId, span: Span) -> ExprId {
        let place = self.expr(operand);
        let ty = self.unit[place].ty;
        if ty.ty == Types::ERROR {
            return self.failed(span);
        }
        if matches!(self.unit.types.shape(ty.ty), Type::Function(_)) {
            return self.rvalue(place);
        }
        if !self.unit.is_place(place) || matches!(self.unit[place].kind, ExprKind::Temporary(_)) {
            return self.fail("no-place", span, "a value has no address");
        }
        if self.field_bits(place).is_some() {
            return self.fail("bit-field", span, "a bit-field has no address");
        }
        let pointer = self.unit.types.pointer(ty);
        self.make(ExprKind::AddressOf(place), pointer, span)
    }

    /// A place that may be changed; otherwise a complaint.
    pub(super) fn changeable(&mut self, e: tree::ExprId) -> Option<ExprId> {
        let place = self.expr(e);
        let span = self.span(place);
        let QualType { ty, quals } = self.unit[place].ty;
        if ty == Types::ERROR {
            return None;
        }
        let message = if !self.unit.is_place(place)
            || matches!(self.unit[place].kind, ExprKind::Temporary(_))
        {
            "a value cannot be changed"
        } else if quals.constant {
            "that is `const` and cannot be changed"
        } else if matches!(
            self.unit.types.shape(ty),
            Type::Array(..) | Type::Function(_)
        ) {
            "an array cannot be assigned"
        } else if !self.unit.types.is_complete(ty) {
            "the size of that is not known here"
        } else {
            return Some(place);
        };
        self.error("not-changeable", span, message);
        None
    }

    pub(super) fn assign(&mut self, l: tree::ExprId, r: tree::ExprId, span: Span) -> ExprId {
        let place = self.changeable(l);
        let value = self.value(r);
        let Some(place) = place else {
            return self.failed(span);
        };
        let ty = self.ty(place);
        let value = self.assigned(value, ty);
        let own = self.pointer_itself(place);
        let value = self.converted(value, self.ty(own));
        let result = self.make(ExprKind::Assign(own, value), self.ty(own), span);
        self.converted(result, ty)
    }

    /// Returns `p` for `*(void **)&p`, and any other place unchanged. Functions set a pointer of their caller in this way.
    fn pointer_itself(&self, place: ExprId) -> ExprId {
        let types = &self.unit.types;
        let leads = |e: ExprId| types.pointee(self.ty(e)).map(|to| types.shape(to.ty));
        let ExprKind::Deref(at) = self.unit[place].kind else {
            return place;
        };
        let ExprKind::Convert(Conversion::Pointer, of) = self.unit[at].kind else {
            return place;
        };
        match self.unit[of].kind {
            ExprKind::AddressOf(own)
                if leads(place) == Some(&Type::Void)
                    && self.unit[own].ty == QualType::plain(self.ty(own))
                    && leads(own).is_some_and(|to| !matches!(to, Type::Function(_))) =>
            {
                own
            }
            _ => place,
        }
    }

    /// `l op= r`
    pub(super) fn compound_assign(
        &mut self,
        op: B,
        l: tree::ExprId,
        r: tree::ExprId,
        span: Span,
    ) -> ExprId {
        let place = self.changeable(l);
        let value = self.value(r);
        match (place, arithmetic(op)) {
            (Some(place), Some(op)) => self.update(place, op, value, false, span),
            _ => self.failed(span),
        }
    }

    /// `++e`, `e--`
    pub(super) fn step(
        &mut self,
        operand: tree::ExprId,
        up: bool,
        before: bool,
        span: Span,
    ) -> ExprId {
        let Some(place) = self.changeable(operand) else {
            return self.failed(span);
        };
        let one = self.number(1, Types::INT, span);
        let op = if up { BinaryOp::Add } else { BinaryOp::Sub };
        self.update(place, op, one, !before, span)
    }

    fn update(
        &mut self,
        place: ExprId,
        op: BinaryOp,
        value: ExprId,
        old: bool,
        span: Span,
    ) -> ExprId {
        let ty = self.ty(place);
        if self.ty(value) == Types::ERROR {
            return self.failed(span);
        }
        let types = &self.unit.types;
        let value_ty = self.ty(value);
        if let Some(to) = types.pointee(ty) {
            let moves = matches!(op, BinaryOp::Add | BinaryOp::Sub);
            if !moves || !types.is_integer(value_ty) || !self.has_size(to.ty) {
                return self.bad_operands(ty, value_ty, span);
            }
            let update = Update {
                place,
                op: UpdateOp::Offset(op == BinaryOp::Sub),
                compute: ty,
                value: self.counted(value),
                old,
            };
            return self.make(ExprKind::Update(Box::new(update)), ty, span);
        }
        let integers = types.is_integer(ty) && types.is_integer(value_ty);
        let numbers = types.is_arithmetic(ty) && types.is_arithmetic(value_ty);
        if !numbers || wants_integers(op) && !integers {
            return self.bad_operands(ty, value_ty, span);
        }
        // A load of the place that is used only to find the type of the result.
        let sample = self.make(ExprKind::Load(place), ty, span);
        let (compute, value) = if matches!(op, BinaryOp::Shl | BinaryOp::Shr) {
            (self.promoted_type(sample), self.promoted(value))
        } else {
            let common = self.common_type(sample, value);
            (common, self.converted(value, common))
        };
        let update = Update {
            place,
            op: UpdateOp::Arithmetic(op),
            compute,
            value,
            old,
        };
        self.make(ExprKind::Update(Box::new(update)), ty, span)
    }

    fn bad_operands(&mut self, l: TypeId, r: TypeId, span: Span) -> ExprId {
        let message = format!(
            "the operator takes no {} and {}",
            self.show(l),
            self.show(r)
        );
        self.fail("type-mismatch", span, message)
    }

    pub(super) fn binary(&mut self, op: B, l: tree::ExprId, r: tree::ExprId, span: Span) -> ExprId {
        if matches!(op, B::And | B::Or) {
            let l = self.condition(l);
            let r = self.condition(r);
            let kind = if op == B::And {
                ExprKind::And(l, r)
            } else {
                ExprKind::Or(l, r)
            };
            return self.make(kind, Types::INT, span);
        }
        let l = self.value(l);
        let r = self.value(r);
        self.binary_values(op, l, r, span)
    }

    fn binary_values(&mut self, op: B, l: ExprId, r: ExprId, span: Span) -> ExprId {
        let (lt, rt) = (self.ty(l), self.ty(r));
        if lt == Types::ERROR || rt == Types::ERROR {
            return self.failed(span);
        }
        if let Some(compare) = comparison(op) {
            return self.compare(compare, l, r, span);
        }
        let types = &self.unit.types;
        match (op, types.pointee(lt), types.pointee(rt)) {
            (B::Add, Some(_), None) => return self.offset(l, r, false, span),
            (B::Add, None, Some(_)) => return self.offset(r, l, false, span),
            (B::Sub, Some(_), None) => return self.offset(l, r, true, span),
            (B::Sub, Some(a), Some(b)) if self.same(a.ty, b.ty) && self.has_size(a.ty) => {
                let ty = self.unit.types.difference_type();
                return self.make(ExprKind::Difference(l, r), ty, span);
            }
            _ => {}
        }
        let Some(op) = arithmetic(op) else {
            return self.failed(span);
        };
        let integers = types.is_integer(lt) && types.is_integer(rt);
        if wants_integers(op) && !integers || !types.is_arithmetic(lt) || !types.is_arithmetic(rt) {
            return self.bad_operands(lt, rt, span);
        }
        if matches!(op, BinaryOp::Shl | BinaryOp::Shr) {
            let (l, r) = (self.promoted(l), self.promoted(r));
            let ty = self.ty(l);
            return self.make(ExprKind::Binary(op, l, r), ty, span);
        }
        let ty = self.common_type(l, r);
        let [l, r] = [l, r].map(|e| self.converted_handle(e, ty));
        self.make(ExprKind::Binary(op, l, r), ty, span)
    }

    fn offset(&mut self, pointer: ExprId, by: ExprId, back: bool, span: Span) -> ExprId {
        let (ty, by_ty) = (self.ty(pointer), self.ty(by));
        let sized = self
            .unit
            .types
            .pointee(ty)
            .is_some_and(|to| self.has_size(to.ty));
        if !self.unit.types.is_integer(by_ty) || !sized {
            return self.bad_operands(ty, by_ty, span);
        }
        let by = self.counted(by);
        self.make(ExprKind::Offset { pointer, by, back }, ty, span)
    }

    fn compare(&mut self, op: CompareOp, l: ExprId, r: ExprId, span: Span) -> ExprId {
        let (lt, rt) = (self.ty(l), self.ty(r));
        let types = &self.unit.types;
        let ty = match (types.pointee(lt), types.pointee(rt)) {
            (None, None) if types.is_arithmetic(lt) && types.is_arithmetic(rt) => {
                self.common_type(l, r)
            }
            // Compilers warn of pointers to different things, and of numbers; both are compared as pointers.
            (Some(_), None) if types.is_integer(rt) => lt,
            (None, Some(_)) if types.is_integer(lt) => rt,
            (Some(a), Some(_)) => {
                if a.ty == Types::VOID {
                    lt
                } else {
                    rt
                }
            }
            _ => return self.bad_operands(lt, rt, span),
        };
        // Two handles are compared as handles, and so is a handle with a constant. A handle and a number are compared as numbers.
        let is_number = |e| !self.is_handle(self.ty(e)) && self.unit.constant(e).is_none();
        let mixed = self.is_handle(lt) != self.is_handle(rt) && (is_number(l) || is_number(r));
        let [l, r] = [l, r].map(|e| match mixed {
            true => self.converted_handle(e, ty),
            false => self.converted(e, ty),
        });
        self.make(ExprKind::Compare(op, l, r), Types::INT, span)
    }

    /// `c ? a : b`, `c ?: b`
    pub(super) fn conditional(
        &mut self,
        c: tree::ExprId,
        a: Option<tree::ExprId>,
        b: tree::ExprId,
        span: Span,
    ) -> ExprId {
        let condition = self.condition(c);
        let first = a.map_or(condition, |a| self.value(a));
        let second = self.value(b);
        let Some(ty) = self.branch_type(first, second) else {
            let (l, r) = (self.ty(first), self.ty(second));
            return self.bad_operands(l, r, span);
        };
        if ty == Types::ERROR {
            return self.failed(span);
        }
        let second = self.converted(second, ty);
        if a.is_none() {
            return self.make(ExprKind::Elvis(condition, second), ty, span);
        }
        let first = self.converted(first, ty);
        self.make(ExprKind::Conditional(condition, first, second), ty, span)
    }

    /// The type of `c ? a : b`.
    fn branch_type(&mut self, a: ExprId, b: ExprId) -> Option<TypeId> {
        let (at, bt) = (self.ty(a), self.ty(b));
        let types = &self.unit.types;
        if at == Types::ERROR || bt == Types::ERROR {
            return Some(Types::ERROR);
        }
        if types.is_arithmetic(at) && types.is_arithmetic(bt) {
            return Some(self.common_type(a, b));
        }
        match (types.pointee(at), types.pointee(bt)) {
            (Some(x), Some(y)) => {
                let to = if self.is_null(a) {
                    y
                } else if self.is_null(b) {
                    x
                } else if x.ty == Types::VOID || y.ty == Types::VOID {
                    QualType::plain(Types::VOID)
                } else {
                    x
                };
                let quals = x.quals.and(y.quals);
                return Some(self.unit.types.pointer(to.with(quals)));
            }
            (Some(_), None) if types.is_integer(bt) => return Some(at),
            (None, Some(_)) if types.is_integer(at) => return Some(bt),
            _ => {}
        }
        if at == Types::VOID || bt == Types::VOID {
            return Some(Types::VOID);
        }
        self.same(at, bt).then_some(at)
    }

    /// Whether a pointer value is a null pointer constant.
    fn is_null(&self, e: ExprId) -> bool {
        match self.unit[e].kind {
            ExprKind::Convert(Conversion::Null, of) => {
                self.unit.constant(of) == Some(0) && self.ty(e) != Types::ERROR && {
                    let to = self.unit.types.pointee(self.ty(e));
                    to.is_some_and(|to| to.ty == Types::VOID)
                }
            }
            _ => false,
        }
    }
}

fn wants_integers(op: BinaryOp) -> bool {
    use BinaryOp::{BitAnd, BitOr, BitXor, Rem, Shl, Shr};
    matches!(op, BitAnd | BitOr | BitXor | Rem | Shl | Shr)
}
