//! Floating numbers in programs where one decides something. Each number is the bits of a double; functions of our header compute
//! with these. A `float` is rounded after each operation. A number that is not computed (`sin`, `long double`) is `UNKNOWN`.

use super::library::Call;
use super::{Lowered, Lowerer};
use base::source::Span;
use c::typed::{BinaryOp as COp, CompareOp, ExprId as CExprId, ExprKind as C};
use c::types::{FloatKind, Type as CType, TypeId as CTypeId};
use c_memory::COMPUTED;
use ir::lower::Lower;
use ir::{BinaryOp, Bits, ExprId, ExprKind, RecordType, Type, TypeId, Types, UnaryOp};

/// The bits that stand for a number that is not computed; our header uses the same.
const UNKNOWN: u64 = 0x7ff8_dead_0000_0001;
const SIGN: u64 = 1 << 63;
/// Functions whose result is not computed.
const OPEN: &str = "acos acosh asin asinh atan atan2 atanh cbrt cos cosh erf exp exp2 exp10 expm1 fma hypot ldexp lgamma log log10 log1p log2 remainder sin sinh tan tanh tgamma drand48 difftime";
const DECIDES: &str = "a floating number decides here that is not computed";

impl Lowerer<'_> {
    fn float_bits(&mut self) -> TypeId {
        let bits = Bits {
            width: 64,
            signed: false,
        };
        self.build.program.types.intern(Type::Bits(bits))
    }

    /// The type of floating numbers that are computed.
    pub(super) fn double_type(&mut self) -> TypeId {
        let fields = vec![("bits".to_owned(), self.float_bits())];
        let name = "double".to_owned();
        let ty = Type::Record(RecordType { name, fields });
        self.build.program.types.intern(ty)
    }

    pub(super) fn unknown_double(&mut self) -> ExprId {
        self.double_of(UNKNOWN)
    }

    fn double_of(&mut self, bits: u64) -> ExprId {
        let ty = self.float_bits();
        let bits = self.build.int(i128::from(bits), ty);
        self.double(bits)
    }

    fn double(&mut self, bits: ExprId) -> ExprId {
        let ty = self.double_type();
        self.build
            .add(ExprKind::Record([bits].into_iter().collect()), ty)
    }

    fn float_kind(&self, ty: CTypeId) -> Option<FloatKind> {
        match self.unit.types.shape(ty) {
            CType::Float(kind) => Some(*kind),
            _ => None,
        }
    }

    /// Calls a function of our header.
    fn float_call(&mut self, name: &str, args: Vec<ExprId>, span: Span) -> Lowered<ExprId> {
        let Some(function) = c_memory::own_function(self.unit, name) else {
            self.decides(span);
            return Ok(self.build.int(0, Types::INT));
        };
        let params = self.unit[function]
            .params
            .iter()
            .map(|&p| self.unit[p].ty.ty);
        let params: Vec<CTypeId> = params.collect();
        let mut values = Vec::new();
        for (arg, ty) in args.into_iter().zip(params) {
            let ty = self.scalar_type(ty, span)?;
            values.push(self.converted(arg, ty, span)?);
        }
        // The statements of the header are no steps of the program.
        let inside = self.unit[function].span;
        let value = self.at(inside, |l| l.run(function, values, inside))?;
        Ok(value.unwrap_or_else(|| self.build.int(0, Types::INT)))
    }

    /// The result of a function of floating numbers: our header computes some of them.
    pub(super) fn function_of_numbers(&mut self, call: Call<'_>) -> Lowered<Option<ExprId>> {
        let ty = self.unit[call.e].ty.ty;
        let name = call.name.strip_prefix("__builtin_").unwrap_or(call.name);
        let base = match self.float_kind(ty) {
            None => return Ok(None),
            Some(FloatKind::Double) => name,
            Some(FloatKind::Float) => name.strip_suffix('f').unwrap_or(name),
            Some(_) => name.strip_suffix('l').unwrap_or(name),
        };
        let header = format!("{COMPUTED}{base}");
        let computed = c_memory::own_function(self.unit, &header).is_some();
        if computed && self.doubles {
            let values = match *call.args {
                [one] => vec![self.value(one)?],
                [l, r] => <[_; 2]>::from(self.pair(l, r)?).to_vec(),
                _ => return Ok(None),
            };
            let bits = values.into_iter().map(|v| self.bits_of_double(v)).collect();
            let bits = self.float_call(&header, bits, call.span)?;
            return self.as_type(bits, ty, call.span).map(Some);
        }
        if !computed && OPEN.split(' ').all(|open| open != base) {
            return Ok(None);
        }
        self.effects(call.args)?;
        Ok(Some(self.floating()))
    }

    fn bits_of_double(&mut self, value: ExprId) -> ExprId {
        let value = self.keep(value);
        self.build.field(value, 0)
    }

    /// Returns the bits of a number that is to be written in decimal.
    pub(super) fn written_bits(&mut self, value: ExprId, span: Span) -> Lowered<ExprId> {
        if self.doubles {
            return self.computed_bits(value, DECIDES, span);
        }
        self.decides(span);
        let ty = self.float_bits();
        Ok(self.build.int(0, ty))
    }

    /// Returns the bits of a number. Executions end here if it is not computed.
    fn computed_bits(&mut self, value: ExprId, what: &str, span: Span) -> Lowered<ExprId> {
        let bits = self.bits_of_double(value);
        let bits = self.keep(bits);
        let unknown = self.build.int(i128::from(UNKNOWN), self.build.ty(bits));
        let unknown = self.build.binary(BinaryOp::Eq, bits, unknown);
        if !self.build.is_false(unknown) {
            let known = self.build.not(unknown);
            self.at(span, |l| l.cut_unless(known, what.to_owned()))?;
        }
        Ok(bits)
    }

    /// Returns the bits of a number in a union. Executions end here if it is not computed, since any member may be read.
    pub(super) fn stored_bits(&mut self, value: ExprId, ty: TypeId, span: Span) -> Lowered<ExprId> {
        let what = "the bits of a floating number that is not computed are taken here";
        let bits = self.computed_bits(value, what, span)?;
        if ty == self.float_bits() {
            return Ok(bits);
        }
        let bits = self.float_call("__float_in_32", vec![bits], span)?;
        self.converted(bits, ty, span)
    }

    /// The number that lies in a union with these bits.
    pub(super) fn double_in_bits(&mut self, bits: ExprId, span: Span) -> Lowered<ExprId> {
        let bits = if self.build.ty(bits) == self.float_bits() {
            bits
        } else {
            self.float_call("__float_from_32", vec![bits], span)?
        };
        let bits = self.keep(bits);
        Ok(self.double(bits))
    }

    /// Returns the bits of a constant in a place of `size` bytes.
    pub(super) fn constant_bits(&mut self, value: ExprId, size: u64) -> Option<i128> {
        let bits = self.build.field(value, 0);
        let bits = u64::try_from(self.build.literal(bits)?).ok();
        let bits = bits.filter(|&bits| bits != UNKNOWN)?;
        match size {
            8 => Some(bits.into()),
            4 => Some((f64::from_bits(bits) as f32).to_bits().into()),
            _ => None,
        }
    }

    /// Rounds a result to its type.
    fn as_type(&mut self, bits: ExprId, ty: CTypeId, span: Span) -> Lowered<ExprId> {
        let bits = match self.float_kind(ty) {
            Some(FloatKind::Double) => bits,
            Some(FloatKind::Float) => self.float_call("__float_short", vec![bits], span)?,
            _ => return Ok(self.unknown_double()),
        };
        let bits = self.keep(bits);
        Ok(self.double(bits))
    }

    /// Computes the floating value of an expression.
    pub(super) fn computed_double(&mut self, e: CExprId) -> Lowered<ExprId> {
        let unit = self.unit;
        let (ty, span) = (unit[e].ty.ty, unit[e].span);
        if let Some(known) = self.unit.float_constant(e) {
            return Ok(self.double_of(known.to_bits()));
        }
        match unit[e].kind {
            C::Convert(_, of) if self.is_floating(unit[of].ty.ty) => {
                let value = self.value(of)?;
                let bits = self.bits_of_double(value);
                if self.float_kind(unit[of].ty.ty) == Some(FloatKind::Float)
                    && self.float_kind(ty) == Some(FloatKind::Double)
                {
                    return Ok(value);
                }
                self.as_type(bits, ty, span)
            }
            C::Convert(_, of) => {
                let value = self.value(of)?;
                self.double_of_integer(value, ty, span)
            }
            C::Unary(_, of) => {
                let value = self.value(of)?;
                Ok(self.minus_double(value))
            }
            C::Binary(op, l, r) => {
                let (left, right) = self.pair(l, r)?;
                self.double_arithmetic(op, (left, right), ty, span)
            }
            _ => Ok(self.unknown_double()),
        }
    }

    fn double_of_integer(&mut self, value: ExprId, ty: CTypeId, span: Span) -> Lowered<ExprId> {
        let own = self.float_bits();
        let wide = Bits {
            width: 64,
            signed: true,
        };
        let wide = self.build.program.types.intern(Type::Bits(wide));
        let from = self.build.ty(value);
        let signed = matches!(self.build.types().get(from), Type::Bits(bits) if bits.signed);
        let (size, below) = if signed {
            let value = self.converted(value, wide, span)?;
            let value = self.keep(value);
            let zero = self.build.int(0, wide);
            let below = self.build.binary(BinaryOp::Lt, value, zero);
            let minus = self.build.unary(UnaryOp::Neg, value);
            let size = self.build.ite(below, minus, value);
            (self.build.convert(size, own), below)
        } else {
            (self.converted(value, own, span)?, self.build.bool(false))
        };
        let short = match self.float_kind(ty) {
            Some(FloatKind::Double) => false,
            Some(FloatKind::Float) => true,
            _ => return Ok(self.unknown_double()),
        };
        let short = self.build.bool(short);
        let bits = self.float_call("__float_of", vec![size, below, short], span)?;
        let bits = self.keep(bits);
        Ok(self.double(bits))
    }

    fn minus_double(&mut self, value: ExprId) -> ExprId {
        let bits = self.bits_of_double(value);
        let ty = self.build.ty(bits);
        let (unknown, sign) = (
            self.build.int(i128::from(UNKNOWN), ty),
            self.build.int(i128::from(SIGN), ty),
        );
        let turned = self.build.binary(BinaryOp::BitXor, bits, sign);
        let same = self.build.binary(BinaryOp::Eq, bits, unknown);
        let bits = self.build.ite(same, bits, turned);
        let bits = self.keep(bits);
        self.double(bits)
    }

    pub(super) fn double_arithmetic(
        &mut self,
        op: COp,
        (left, right): (ExprId, ExprId),
        ty: CTypeId,
        span: Span,
    ) -> Lowered<ExprId> {
        let name = match op {
            COp::Add => "__float_add",
            COp::Sub => "__float_subtract",
            COp::Mul => "__float_multiply",
            COp::Div => "__float_divide",
            _ => return Ok(self.unknown_double()),
        };
        let (left, right) = (self.bits_of_double(left), self.bits_of_double(right));
        let bits = self.float_call(name, vec![left, right], span)?;
        self.as_type(bits, ty, span)
    }

    pub(super) fn compared_doubles(
        &mut self,
        op: CompareOp,
        left: ExprId,
        right: ExprId,
        span: Span,
    ) -> Lowered<ExprId> {
        let left = self.computed_bits(left, DECIDES, span)?;
        let right = self.computed_bits(right, DECIDES, span)?;
        let mut call = |name, l, r| {
            let value = self.float_call(name, vec![l, r], span)?;
            self.truth(value, span)
        };
        let equal = "__float_equal";
        match op {
            CompareOp::Eq => call(equal, left, right),
            CompareOp::Ne => {
                let same = call(equal, left, right)?;
                Ok(self.build.not(same))
            }
            CompareOp::Lt => call("__float_less", left, right),
            CompareOp::Gt => call("__float_less", right, left),
            CompareOp::Le | CompareOp::Ge => {
                let (l, r) = if op == CompareOp::Le {
                    (left, right)
                } else {
                    (right, left)
                };
                let (less, same) = (call("__float_less", l, r)?, call(equal, l, r)?);
                Ok(self.build.binary(BinaryOp::Or, less, same))
            }
        }
    }

    pub(super) fn same_bits(&mut self, l: ExprId, r: ExprId, span: Span) -> Lowered<ExprId> {
        let [l, r] = [l, r].map(|value| self.written_bits(value, span));
        Ok(self.build.binary(BinaryOp::Eq, l?, r?))
    }

    /// Whether a floating number is not zero.
    pub(super) fn double_is_not_zero(&mut self, value: ExprId, span: Span) -> Lowered<ExprId> {
        let zero = self.double_of(0);
        self.compared_doubles(CompareOp::Ne, value, zero, span)
    }

    /// A floating number as an integer of a type.
    pub(super) fn whole_of_double(
        &mut self,
        value: ExprId,
        ty: TypeId,
        span: Span,
    ) -> Lowered<ExprId> {
        if ty == Types::BOOL {
            return self.double_is_not_zero(value, span);
        }
        let &Type::Bits(own) = self.build.types().get(ty) else {
            self.decides(span);
            return Ok(self.zero(ty));
        };
        let bits = self.computed_bits(value, DECIDES, span)?;
        let width = self.build.int(i128::from(own.width), Types::INT);
        let signed = self.build.bool(own.signed);
        let whole = self.float_call("__float_whole", vec![bits, width, signed], span)?;
        self.converted(whole, ty, span)
    }

    /// `place op= value`, where the operation is one of floating numbers.
    pub(super) fn updated_double(
        &mut self,
        op: COp,
        (old, value): (ExprId, ExprId),
        (own, compute): (CTypeId, CTypeId),
        span: Span,
    ) -> Lowered<ExprId> {
        let floating = self.is_floating(own);
        if !self.doubles {
            if floating {
                return Ok(self.floating());
            }
            self.decides(span);
            return Ok(old);
        }
        let old = if floating {
            old
        } else {
            self.double_of_integer(old, compute, span)?
        };
        let new = self.double_arithmetic(op, (old, value), compute, span)?;
        if floating {
            let bits = self.bits_of_double(new);
            return self.as_type(bits, own, span);
        }
        let ty = self.scalar_type(own, span)?;
        self.whole_of_double(new, ty, span)
    }
}
