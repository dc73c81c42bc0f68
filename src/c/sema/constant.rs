//! Constant expressions: their values, and what may initialise static storage.

use super::Sema;
use crate::typed::{
    BinaryOp, CompareOp, Conversion, ExprId, ExprKind, Init, InitId, Lifetime, UnaryOp, Unit, VarId,
};
use crate::types::{FloatKind, Length, Type, TypeId};

/// NaN, without a sign.
pub(super) const NO_NUMBER: f64 = f64::from_bits(0x7ff8 << 48);

impl Unit {
    /// The value of a constant integer expression; `None` if it is not constant, or not computable (division by zero).
    #[must_use]
    pub fn constant(&self, e: ExprId) -> Option<i128> {
        let ty = self[e].ty.ty;
        if matches!(self.types.shape(ty), Type::Float(_)) {
            return None;
        }
        let value = match &self[e].kind {
            ExprKind::Int(number) => self[*number],
            ExprKind::Convert(Conversion::Bool, of) => match self.constant(*of) {
                Some(value) => i128::from(value != 0),
                None => i128::from(self.float_constant(*of)? != 0.0),
            },
            ExprKind::Convert(Conversion::Integer | Conversion::Null | Conversion::Same, of) => {
                self.constant(*of)?
            }
            ExprKind::Convert(Conversion::IntToPointer | Conversion::Pointer, of) => {
                self.constant(*of)?
            }
            ExprKind::Convert(Conversion::PointerToInt, of) => self.address(*of)?,
            #[allow(
                clippy::cast_possible_truncation,
                reason = "a number that does not fit is undefined in C, too"
            )]
            ExprKind::Convert(Conversion::Float, of) => self.float_constant(*of)? as i128,
            ExprKind::Unary(op, of) => {
                let of = self.constant(*of)?;
                match op {
                    UnaryOp::Neg => of.checked_neg()?,
                    UnaryOp::BitNot => !of,
                }
            }
            ExprKind::Not(of) => i128::from(!self.truth(*of)?),
            ExprKind::Binary(op, l, r) => computed(*op, self.constant(*l)?, self.constant(*r)?)?,
            ExprKind::Compare(op, l, r) => i128::from(self.compare_constant(*op, *l, *r)?),
            ExprKind::And(l, r) => i128::from(self.truth(*l)? && self.truth(*r)?),
            ExprKind::Or(l, r) => i128::from(self.truth(*l)? || self.truth(*r)?),
            ExprKind::Conditional(c, a, b) => {
                return self.constant(if self.truth(*c)? { *a } else { *b });
            }
            ExprKind::Difference(l, r) => {
                let size = self
                    .types
                    .layout(self.types.pointee(self[*l].ty.ty)?.ty)?
                    .size;
                (self.address(*l)? - self.address(*r)?) / i128::from(size.max(1))
            }
            _ => return None,
        };
        Some(self.types.wrap(ty, value))
    }

    /// Whether a constant scalar is not zero.
    fn truth(&self, e: ExprId) -> Option<bool> {
        if let Some(value) = self.constant(e) {
            return Some(value != 0);
        }
        if let Some(value) = self.address(e) {
            return Some(value != 0);
        }
        self.float_constant(e).map(|value| value != 0.0)
    }

    /// The value of an integer expression of constants, and of `const` variables that begin with one. Looks `depth` levels deep.
    #[must_use]
    pub(super) fn lasting(&self, e: ExprId, depth: u8) -> Option<i128> {
        if let Some(value) = self.constant(e) {
            return Some(value);
        }
        let deeper = depth.checked_sub(1)?;
        let value = match self[e].kind {
            ExprKind::Load(place) => {
                let ExprKind::Var(variable) = self[place].kind else {
                    return None;
                };
                let quals = self[variable].ty.quals;
                let Init::Value(init) = self[self[variable].init?] else {
                    return None;
                };
                let keeps = quals.constant && !quals.volatile;
                keeps.then(|| self.lasting(init, deeper))?
            }
            ExprKind::Convert(Conversion::Integer | Conversion::Same, of) => {
                self.lasting(of, deeper)
            }
            ExprKind::Binary(op, l, r) => {
                computed(op, self.lasting(l, deeper)?, self.lasting(r, deeper)?)
            }
            _ => None,
        }?;
        Some(self.types.wrap(self[e].ty.ty, value))
    }

    fn compare_constant(&self, op: CompareOp, l: ExprId, r: ExprId) -> Option<bool> {
        let order = match (self.constant(l), self.constant(r)) {
            (Some(l), Some(r)) => l.cmp(&r),
            _ => match (self.float_constant(l)?).partial_cmp(&self.float_constant(r)?) {
                Some(order) => order,
                // NaN compares only as unequal.
                None => return Some(op == CompareOp::Ne),
            },
        };
        Some(match op {
            CompareOp::Lt => order.is_lt(),
            CompareOp::Le => order.is_le(),
            CompareOp::Gt => order.is_gt(),
            CompareOp::Ge => order.is_ge(),
            CompareOp::Eq => order.is_eq(),
            CompareOp::Ne => order.is_ne(),
        })
    }

    /// The value of a constant floating expression; `None` also where it is a `long double`, whose numbers are not computed.
    #[must_use]
    pub fn float_constant(&self, e: ExprId) -> Option<f64> {
        let Type::Float(kind) = self.types.shape(self[e].ty.ty) else {
            return None;
        };
        let value = match &self[e].kind {
            ExprKind::Float(value) => Some(*value),
            #[allow(clippy::cast_precision_loss, reason = "so C does")]
            ExprKind::Convert(Conversion::Float, of) => match self.constant(*of) {
                Some(value) if *kind == FloatKind::Float => Some(f64::from(value as f32)),
                Some(value) => Some(value as f64),
                None => self.float_constant(*of),
            },
            ExprKind::Unary(UnaryOp::Neg, of) => Some(-self.float_constant(*of)?),
            ExprKind::Binary(op, l, r) => {
                let (l, r) = (self.float_constant(*l)?, self.float_constant(*r)?);
                let value = match op {
                    BinaryOp::Mul => l * r,
                    BinaryOp::Div => l / r,
                    BinaryOp::Add => l + r,
                    BinaryOp::Sub => l - r,
                    _ => return None,
                };
                // Rust leaves the sign of NaN open. Compilers give no sign to an invalid operation on constants.
                let passed = [l, r].into_iter().find(|of| of.is_nan());
                Some(match value.is_nan() {
                    true => passed.unwrap_or(NO_NUMBER),
                    false => value,
                })
            }
            _ => None,
        }?;
        match kind {
            FloatKind::Float => Some(f64::from(value as f32)),
            FloatKind::Double => Some(value),
            FloatKind::LongDouble | FloatKind::Float128 => None,
        }
    }

    /// The value of a constant pointer that is made from a number, as in `(size_t)&((T *)0)->member`.
    fn address(&self, e: ExprId) -> Option<i128> {
        match &self[e].kind {
            ExprKind::AddressOf(place) | ExprKind::Decay(place) => self.place_address(*place),
            ExprKind::Convert(Conversion::Pointer | Conversion::Same, of) => self.address(*of),
            ExprKind::Convert(Conversion::Null | Conversion::IntToPointer, of) => {
                self.constant(*of)
            }
            ExprKind::Offset { pointer, by, back } => {
                let by = self.constant(*by)? * self.element_size(*pointer)?;
                let base = self.address(*pointer)?;
                Some(if *back { base - by } else { base + by })
            }
            _ => None,
        }
    }

    fn element_size(&self, pointer: ExprId) -> Option<i128> {
        let to = self.types.pointee(self[pointer].ty.ty)?.ty;
        // Pointers to `void` and to functions count bytes, as in GNU C.
        Some(self.types.layout(to).map_or(1, |l| i128::from(l.size)))
    }

    fn place_address(&self, place: ExprId) -> Option<i128> {
        match &self[place].kind {
            ExprKind::Deref(pointer) => self.address(*pointer),
            ExprKind::Index(pointer, by) => {
                let by = self.constant(*by)? * self.element_size(*pointer)?;
                Some(self.address(*pointer)? + by)
            }
            ExprKind::Member(record, field) => {
                let id = self.types.record(self[*record].ty.ty)?;
                let field = self.types[id].fields.as_ref()?.get(*field as usize)?;
                Some(self.place_address(*record)? + i128::from(field.offset))
            }
            _ => None,
        }
    }

    /// Whether a value is known before the program runs: a number, or the address of something in static storage.
    #[must_use]
    pub fn is_static(&self, e: ExprId) -> bool {
        match &self[e].kind {
            ExprKind::Error | ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Function(_) => true,
            ExprKind::AddressOf(place) | ExprKind::Decay(place) => self.is_static_place(*place),
            ExprKind::Convert(_, of) | ExprKind::Unary(_, of) | ExprKind::Not(of) => {
                self.is_static(*of)
            }
            ExprKind::Binary(_, l, r) | ExprKind::Compare(_, l, r) | ExprKind::Difference(l, r) => {
                self.is_static(*l) && self.is_static(*r)
            }
            ExprKind::And(l, r) => match self.truth(*l) {
                Some(false) => true,
                _ => self.is_static(*l) && self.is_static(*r),
            },
            ExprKind::Or(l, r) => match self.truth(*l) {
                Some(true) => true,
                _ => self.is_static(*l) && self.is_static(*r),
            },
            ExprKind::Offset { pointer, by, .. } => self.is_static(*pointer) && self.is_static(*by),
            ExprKind::Conditional(c, a, b) => match self.truth(*c) {
                Some(true) => self.is_static(*a),
                Some(false) => self.is_static(*b),
                None => [*c, *a, *b].iter().all(|&e| self.is_static(e)),
            },
            // GNU C: a literal in static storage, and the value of a constant that has one.
            ExprKind::Load(place) => match self[*place].kind {
                ExprKind::Literal(_) => self.is_static_place(*place),
                ExprKind::Var(var) => self[var].ty.quals.constant && self.is_static_place(*place),
                _ => self.is_static_place(*place) && self[*place].ty.quals.constant,
            },
            _ => false,
        }
    }

    fn is_static_place(&self, place: ExprId) -> bool {
        match &self[place].kind {
            ExprKind::Error | ExprKind::Text(_) => true,
            ExprKind::Var(var) | ExprKind::Literal(var) => self[*var].lifetime == Lifetime::Static,
            ExprKind::Member(record, _) => self.is_static_place(*record),
            ExprKind::Deref(pointer) => self.is_static(*pointer),
            ExprKind::Index(pointer, by) => self.is_static(*pointer) && self.is_static(*by),
            _ => false,
        }
    }

    /// The length of an array type, if it is known.
    #[must_use]
    pub fn array_length(&self, ty: TypeId) -> Option<u64> {
        match self.types.shape(ty) {
            Type::Array(_, Length::Known(n)) => Some(*n),
            _ => None,
        }
    }
}

impl Sema<'_> {
    /// Static and thread storage is initialised by constants only.
    pub(super) fn check_constant_init(&mut self, var: VarId) {
        if !matches!(self.unit[var].lifetime, Lifetime::Static | Lifetime::Thread) {
            return;
        }
        if let Some(init) = self.unit[var].init
            && let Some(bad) = self.not_static(init)
        {
            let span = self.span(bad);
            let message = "the initialiser of something static is not constant";
            self.error("not-constant", span, message);
        }
    }

    fn not_static(&self, init: InitId) -> Option<ExprId> {
        match &self.unit[init] {
            Init::Value(e) => (!self.unit.is_static(*e)).then_some(*e),
            Init::Text(_) => None,
            Init::Parts(parts) => parts.iter().find_map(|p| self.not_static(p.init)),
        }
    }
}

fn computed(op: BinaryOp, l: i128, r: i128) -> Option<i128> {
    match op {
        BinaryOp::Mul => l.checked_mul(r),
        BinaryOp::Div => l.checked_div(r),
        BinaryOp::Rem => l.checked_rem(r),
        BinaryOp::Add => l.checked_add(r),
        BinaryOp::Sub => l.checked_sub(r),
        BinaryOp::Shl => l.checked_shl(u32::try_from(r).ok()?),
        BinaryOp::Shr => l.checked_shr(u32::try_from(r).ok()?),
        BinaryOp::BitAnd => Some(l & r),
        BinaryOp::BitXor => Some(l ^ r),
        BinaryOp::BitOr => Some(l | r),
    }
}
