//! Values and conditions, from left to right.

use super::{Lowered, Lowerer, refuse};
use base::source::Span;
use c::parts::{acts as acts_itself, operands};
use c::typed::{
    BinaryOp as COp, Builtin, Conversion, ExprId as CExprId, ExprKind as C, UnaryOp as CUnary, Unit,
};
use c::types::{Type as CType, TypeId as CTypeId};
use c_memory::{Memory, by_pointer};
use ir::lower::Lower;
use ir::{Behind, BinaryOp, Block, ErrorKind, ExprId, Type, TypeId, Types, UnaryOp, walk};

/// Returns, by expression, whether it does more than give a value. A part has a lower id than the whole, so one pass is enough.
pub(super) fn acting(unit: &Unit) -> Vec<bool> {
    let mut acts: Vec<bool> = Vec::with_capacity(unit.exprs.len());
    for expr in &unit.exprs {
        let mut own = acts_itself(&expr.kind);
        let part = |e: CExprId| own |= acts.get(e.index()).copied().unwrap_or(true);
        operands(unit, &expr.kind, &mut { part });
        acts.push(own);
    }
    acts
}

/// The operator of `ir` that does the same on machine integers.
pub(super) const fn operator(op: COp) -> BinaryOp {
    match op {
        COp::Mul => BinaryOp::Mul,
        COp::Div => BinaryOp::Div,
        COp::Rem => BinaryOp::Rem,
        COp::Add => BinaryOp::Add,
        COp::Sub => BinaryOp::Sub,
        COp::Shl => BinaryOp::Shl,
        COp::Shr => BinaryOp::Shr,
        COp::BitAnd => BinaryOp::BitAnd,
        COp::BitXor => BinaryOp::BitXor,
        COp::BitOr => BinaryOp::BitOr,
    }
}

/// Returns the operands of an expression that computes a floating number itself; `None` for one that only passes a value on.
fn computes(unit: &Unit, e: CExprId) -> Option<Vec<CExprId>> {
    match unit[e].kind {
        C::Float(_) => Some(Vec::new()),
        C::Convert(_, of) | C::Unary(_, of) => Some(vec![of]),
        C::Binary(_, l, r) => Some(vec![l, r]),
        _ => None,
    }
}

impl Lowerer<'_> {
    /// Whether a constant expression contains an address, which is no plain number.
    pub(super) fn points_somewhere(&self, e: CExprId) -> bool {
        match &self.unit[e].kind {
            C::AddressOf(_) | C::Decay(_) | C::Function(_) => true,
            C::Convert(_, e) | C::Unary(_, e) | C::Not(e) => self.points_somewhere(*e),
            C::Offset { .. } | C::Difference(..) => true,
            C::Binary(_, l, r) | C::Compare(_, l, r) | C::And(l, r) | C::Or(l, r) => {
                self.points_somewhere(*l) || self.points_somewhere(*r)
            }
            C::Conditional(c, a, b) => {
                self.points_somewhere(*c) || self.points_somewhere(*a) || self.points_somewhere(*b)
            }
            _ => false,
        }
    }

    /// Evaluates two operands. The first keeps its value, whatever the second does.
    pub(super) fn pair(&mut self, l: CExprId, r: CExprId) -> Lowered<(ExprId, ExprId)> {
        let mut left = self.value(l)?;
        if self.acts(r) {
            left = self.keep(left);
        }
        Ok((left, self.value(r)?))
    }

    pub(super) fn value(&mut self, e: CExprId) -> Lowered<ExprId> {
        let unit = self.unit;
        let expr = &unit[e];
        let outer = self.body.span;
        if expr.span != Span::default() && self.acts(e) {
            self.body.span = expr.span;
        }
        let value = self.value_of(e);
        self.body.span = outer;
        let value = value?;
        self.quote(e, value);
        Ok(value)
    }

    /// Notes where an expression stands, for people. Leaves get no note, since they are shared, and constants need none.
    pub(super) fn quote(&mut self, e: CExprId, id: ExprId) {
        let span = self.unit[e].span;
        let whole = !walk::operands(self.build.program.expr(id)).is_empty();
        if whole && span != Span::default() && !self.build.is_constant(id) {
            self.build.program.quotes.put(id, span);
        }
    }

    fn value_of(&mut self, e: CExprId) -> Lowered<ExprId> {
        let unit = self.unit;
        let (span, ty) = (unit[e].span, unit[e].ty.ty);
        if self.is_structure(ty)
            && let C::Load(place) | C::Assign(place, _) = unit[e].kind
        {
            if let C::Assign(to, from) = unit[e].kind {
                self.copy(to, from, span)?;
            }
            return self.structure(place, span);
        }
        if self.is_floating(ty)
            && let Some(operands) = computes(unit, e)
        {
            if self.doubles {
                return self.computed_double(e);
            }
            for operand in operands {
                self.value(operand)?;
            }
            return Ok(self.floating());
        }
        self.scalar(e, ty, span)
    }

    fn scalar(&mut self, e: CExprId, ty: CTypeId, span: Span) -> Lowered<ExprId> {
        let unit = self.unit;
        match &unit[e].kind {
            C::Int(number) => {
                let ty = self.scalar_type(ty, span)?;
                let value = unit[*number];
                if ty == Types::TASK && value != 0 {
                    return refuse(span, "a number as a thread's handle is");
                }
                Ok(self.build.scalar(value, ty))
            }
            C::Load(place) => self.loaded(*place, span),
            C::Convert(how, of) => self.conversion(e, *how, *of),
            C::Unary(op, of) => self.unary(*op, *of, span),
            C::Binary(op, l, r) => {
                let (left, right) = self.pair(*l, *r)?;
                self.arithmetic(*op, left, right, span)
            }
            C::Compare(..) | C::Not(_) | C::And(..) | C::Or(..) => {
                let cond = self.condition(e)?;
                let ty = self.scalar_type(ty, span)?;
                Ok(self.number(cond, ty))
            }
            C::Conditional(c, a, b) => self.conditional(*c, (*a, *b), ty, span),
            C::Comma(l, r) => {
                self.effect(*l)?;
                self.value(*r)
            }
            C::Assign(place, value) => self.assign(*place, *value),
            C::Update(update) => self.update(**update),
            C::Call(callee, args) => {
                let value = self.call(e, *callee, &unit[*args])?;
                value.map_or_else(|| refuse(span, "the value of this call is"), Ok)
            }
            C::Atomic(op, orders, operands) => {
                let value = self.atomic((*op, *orders), &unit[*operands], ty, span)?;
                value.map_or_else(|| refuse(span, "the value of this operation is"), Ok)
            }
            C::Block(statements, Some(value)) => {
                self.statement(*statements)?;
                self.value(*value)
            }
            C::AddressOf(place) | C::Decay(place) => self.address(*place),
            C::Function(function) => {
                let ty = self.pointer_type();
                let at = Memory::function_address(by_pointer(unit, *function));
                Ok(self.build.int(i128::from(at), ty))
            }
            C::Offset { pointer, by, back } => self.moved(*pointer, *by, *back, span),
            C::Difference(l, r) => self.difference(*l, *r, ty, span),
            C::Elvis(l, r) => self.elvis(*l, *r, ty, span),
            C::Builtin(Builtin::VaArg, list) => match *unit[*list] {
                [list] => self.next_argument(list, ty, span),
                _ => refuse(span, "this expression is"),
            },
            _ => refuse(span, "this expression is"),
        }
    }

    /// Reads the value in a place.
    fn loaded(&mut self, place: CExprId, span: Span) -> Lowered<ExprId> {
        let ty = self.unit[place].ty;
        let own = self.scalar_type(ty.ty, span)?;
        let bits = self.is_bit_field(place);
        let place = self.place(place)?;
        if place.ty != own && !bits {
            return refuse(span, "this value is");
        }
        let value = self.touched(ty.quals, |l| l.load(&place))?;
        self.converted(value, own, span)
    }

    fn unary(&mut self, op: CUnary, of: CExprId, span: Span) -> Lowered<ExprId> {
        let of = self.value(of)?;
        let op = match op {
            CUnary::Neg => UnaryOp::Neg,
            CUnary::BitNot => UnaryOp::BitNot,
        };
        self.machine(of, span)?;
        if op == UnaryOp::Neg {
            let zero = self.build.int(0, self.build.ty(of));
            self.stays(COp::Sub, zero, of, span);
        }
        Ok(self.build.unary(op, of))
    }

    /// `c ? a : b`
    fn conditional(
        &mut self,
        c: CExprId,
        (a, b): (CExprId, CExprId),
        ty: CTypeId,
        span: Span,
    ) -> Lowered<ExprId> {
        let ty = self.value_type(ty, span)?;
        let cond = self.condition(c)?;
        let yes = self.apart(|l| l.value(a))?;
        let no = self.apart(|l| l.value(b))?;
        self.either(cond, yes, no, ty, span)
    }

    /// `l ?: r`
    fn elvis(&mut self, l: CExprId, r: CExprId, ty: CTypeId, span: Span) -> Lowered<ExprId> {
        let ty = self.scalar_type(ty, span)?;
        let left = self.value(l)?;
        let left = self.keep(left);
        let cond = self.truth(left, span)?;
        let left = self.converted(left, ty, span)?;
        let rest = self.apart(|own| own.value(r))?;
        self.either(cond, (Block::new(), left), rest, ty, span)
    }

    pub(super) fn is_floating(&self, ty: CTypeId) -> bool {
        matches!(self.unit.types.shape(ty), CType::Float(_))
    }

    pub(super) fn floating(&mut self) -> ExprId {
        if self.doubles {
            return self.unknown_double();
        }
        let ty = self.floating_type();
        self.build.int(0, ty)
    }

    /// Ends all executions here: a floating number that is not computed decides how they go on.
    pub(super) fn decides(&mut self, span: Span) {
        let what = "a floating number decides here, and those are not computed";
        self.at(span, |l| l.unknown(what.to_owned(), Behind::Unknown));
    }

    /// The number of elements between two pointers.
    fn difference(&mut self, l: CExprId, r: CExprId, ty: CTypeId, span: Span) -> Lowered<ExprId> {
        let (left, right) = self.pair(l, r)?;
        let Some(pointee) = self.unit.types.pointee(self.unit[l].ty.ty) else {
            return refuse(span, "this difference is");
        };
        let ty = self.scalar_type(ty, span)?;
        let bytes = self.build.binary(BinaryOp::Sub, left, right);
        let bytes = self.converted(bytes, ty, span)?;
        let size = self.bytes_of(pointee.ty, ty, span)?;
        Ok(self.build.binary(BinaryOp::Div, bytes, size))
    }

    /// Refuses a value that is no machine integer: operators work on nothing else.
    pub(super) fn machine(&self, value: ExprId, span: Span) -> Lowered<()> {
        match self.build.types().get(self.build.ty(value)) {
            Type::Bits(_) => Ok(()),
            Type::Task => refuse(
                span,
                "arithmetic on a thread's handle (write `(unsigned long)` before it) is",
            ),
            _ => refuse(span, "arithmetic on this value is"),
        }
    }

    pub(super) fn arithmetic(
        &mut self,
        op: COp,
        left: ExprId,
        right: ExprId,
        span: Span,
    ) -> Lowered<ExprId> {
        self.machine(left, span)?;
        self.machine(right, span)?;
        let ty = self.build.ty(left);
        if matches!(op, COp::Div | COp::Rem) {
            let cond = self.build.nonzero(right);
            if !self.build.is_true(cond) {
                self.at(span, |l| {
                    l.expect(ErrorKind::Division, cond, "division by zero");
                });
            }
        }
        let right = match op {
            COp::Shl | COp::Shr => {
                self.shifts_within(left, right, span);
                self.build.convert(right, ty)
            }
            _ if self.build.ty(right) != ty => return refuse(span, "this operation is"),
            _ => right,
        };
        self.stays(op, left, right, span);
        Ok(self.build.binary(operator(op), left, right))
    }

    /// Checks that a number is shifted by fewer bits than it has, and not by a negative number of them.
    fn shifts_within(&mut self, left: ExprId, right: ExprId, span: Span) {
        let Type::Bits(bits) = *self.build.types().get(self.build.ty(left)) else {
            return;
        };
        let most = i128::from(bits.width) - 1;
        let cond = self.build.within(right, Some(0), Some(most));
        if !self.build.is_true(cond) {
            let what = format!(
                "a number of {} bits is shifted by less than 0 or more than {most}",
                bits.width
            );
            self.at(span, |l| l.expect(ErrorKind::Shift, cond, what));
        }
    }

    /// Checks that the result of signed numbers fits their type, if overflows are looked for. A quotient is always checked.
    pub(super) fn stays(&mut self, op: COp, left: ExprId, right: ExprId, span: Span) {
        let ty = self.build.ty(left);
        let &Type::Bits(bits) = self.build.types().get(ty) else {
            return;
        };
        let asked = self.options.wanted.has(ErrorKind::Overflow);
        if !bits.signed || !asked && !matches!(op, COp::Div | COp::Rem) {
            return;
        }
        let Some((least, most)) = self.build.types().bounds(ty) else {
            return;
        };
        let fits = match op {
            COp::Add | COp::Sub | COp::Mul if bits.width == 64 => {
                self.stays_within_64_bits(op, left, right)
            }
            COp::Add | COp::Sub | COp::Mul => {
                let l = self.build.convert(left, Types::INT);
                let r = self.build.convert(right, Types::INT);
                let exact = self.build.binary(operator(op), l, r);
                self.build.within(exact, Some(least), Some(most))
            }
            COp::Div | COp::Rem => {
                let (least, minus) = (self.build.int(least, ty), self.build.int(-1, ty));
                let l = self.build.binary(BinaryOp::Eq, left, least);
                let r = self.build.binary(BinaryOp::Eq, right, minus);
                let both = self.build.binary(BinaryOp::And, l, r);
                self.build.not(both)
            }
            COp::Shl => {
                let zero = self.build.int(0, ty);
                let width = self.build.int(i128::from(bits.width), ty);
                let most = self.build.int(most, ty);
                let room = self.build.binary(BinaryOp::Shr, most, right);
                let all = [(zero, left), (left, room), (zero, right)];
                let within = self.build.binary(BinaryOp::Lt, right, width);
                all.into_iter().fold(within, |all, (less, more)| {
                    let one = self.build.binary(BinaryOp::Le, less, more);
                    self.build.binary(BinaryOp::And, all, one)
                })
            }
            COp::Shr | COp::BitAnd | COp::BitXor | COp::BitOr => return,
        };
        if !self.build.is_true(fits) {
            let (kind, what) = if asked {
                (ErrorKind::Overflow, "this number leaves its type")
            } else {
                (ErrorKind::Division, "the quotient is larger than its type")
            };
            self.at(span, |l| l.expect(kind, fits, what));
        }
    }

    /// Makes the condition that a result of 64 bits is exact. It tests the wrapped result, and needs no wider numbers.
    fn stays_within_64_bits(&mut self, op: COp, left: ExprId, right: ExprId) -> ExprId {
        let ty = self.build.ty(left);
        let result = self.build.binary(operator(op), left, right);
        let (zero, minus) = (self.build.int(0, ty), self.build.int(-1, ty));
        if op == COp::Mul {
            // `r * l / l` is `r`, unless the least number was multiplied by -1.
            let none = self.build.binary(BinaryOp::Eq, left, zero);
            let one = self.build.int(1, ty);
            let divisor = self.build.ite(none, one, left);
            let back = self.build.binary(BinaryOp::Div, result, divisor);
            let same = self.build.binary(BinaryOp::Eq, back, right);
            let turned = self.build.binary(BinaryOp::Eq, left, minus);
            let least = self.build.int(i128::from(i64::MIN), ty);
            let least = self.build.binary(BinaryOp::Eq, right, least);
            let both = self.build.binary(BinaryOp::And, turned, least);
            let other = self.build.not(both);
            let fits = self.build.binary(BinaryOp::And, same, other);
            return self.build.binary(BinaryOp::Or, none, fits);
        }
        // A sum overflows if neither operand has its sign; a difference, if `left` has the sign of neither it nor `right`.
        let own = self.build.binary(BinaryOp::BitXor, left, result);
        let from = if op == COp::Add { result } else { left };
        let other = self.build.binary(BinaryOp::BitXor, right, from);
        let both = self.build.binary(BinaryOp::BitAnd, own, other);
        self.build.binary(BinaryOp::Le, zero, both)
    }

    fn conversion(&mut self, e: CExprId, how: Conversion, of: CExprId) -> Lowered<ExprId> {
        let span = self.unit[e].span;
        let ty = self.scalar_type(self.unit[e].ty.ty, span)?;
        if self.is_floating(self.unit[of].ty.ty) {
            let value = self.value(of)?;
            if self.doubles {
                return self.whole_of_double(value, ty, span);
            }
            self.decides(span);
            return Ok(self.zero(ty));
        }
        match how {
            Conversion::Bool => self.condition(of),
            Conversion::Null => Ok(self.build.int(0, ty)),
            Conversion::Integer
            | Conversion::IntToPointer
            | Conversion::PointerToInt
            | Conversion::Pointer
            | Conversion::Same => {
                let value = self.value(of)?;
                self.converted(value, ty, span)
            }
            Conversion::Float => refuse(span, "a floating number is"),
            Conversion::Void => refuse(span, "this value is"),
        }
    }

    /// Whether a place is a member of fewer bits than its type has.
    pub(super) fn is_bit_field(&self, e: CExprId) -> bool {
        let C::Member(of, field) = self.unit[e].kind else {
            return false;
        };
        let record = self.unit.types.record(self.unit[of].ty.ty);
        let member = record.and_then(|r| self.unit.types.member_at(r, field));
        member.is_some_and(|f| f.bits.is_some())
    }

    /// A value in another integer type.
    pub(super) fn converted(&mut self, value: ExprId, ty: TypeId, span: Span) -> Lowered<ExprId> {
        let from = self.build.ty(value);
        if from == ty {
            return Ok(value);
        }
        if ty == Types::BOOL {
            return self.truth(value, span);
        }
        if ty == Types::TASK || from == Types::TASK {
            return self.handle_as_number(value, ty, span);
        }
        if from == Types::BOOL {
            return Ok(self.number(value, ty));
        }
        Ok(self.build.convert(value, ty))
    }
}
