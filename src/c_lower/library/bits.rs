//! Functions of the compiler that look at the bits of a number: computed as an expression.

use super::{Call, Value};
use crate::{Lowered, Lowerer};
use ir::lower::Lower;
use ir::{BinaryOp, Bits, ExprId, Type, TypeId, UnaryOp};

impl Lowerer<'_> {
    pub(super) fn bits_call(&mut self, call: Call<'_>) -> Lowered<Option<Value>> {
        let name = call.name.trim_start_matches("__builtin_");
        let &[of] = call.args else { return Ok(None) };
        let what = name.trim_end_matches('l');
        let known = ["clz", "ctz", "popcount", "parity", "ffs"].contains(&what);
        let bare = name == call.name && what != "ffs";
        if bare || !known && !name.starts_with("bswap") {
            return Ok(None);
        }
        let number = self.value(of)?;
        let Type::Bits(bits) = *self.build.types().get(self.build.ty(number)) else {
            return Ok(None);
        };
        let bits = Bits {
            signed: false,
            ..bits
        };
        let ty = self.build.program.types.intern(Type::Bits(bits));
        let number = self.converted(number, ty, call.span)?;
        let number = self.keep(number);
        let value = match what {
            "popcount" => self.ones(number, bits.width),
            "parity" => {
                let all = self.ones(number, bits.width);
                self.computed(BinaryOp::BitAnd, all, 1)
            }
            "ctz" | "clz" => {
                let zero = self.build.int(0, ty);
                let none = self.build.binary(BinaryOp::Eq, number, zero);
                let some = self.build.not(none);
                self.cut_unless(some, format!("`{}(0)` has no value", call.name))?;
                if what == "ctz" {
                    self.zeros_below(number, bits.width)
                } else {
                    self.zeros_above(number, bits.width)
                }
            }
            "ffs" => {
                let below = self.zeros_below(number, bits.width);
                let first = self.computed(BinaryOp::Add, below, 1);
                let zero = self.build.int(0, ty);
                let none = self.build.binary(BinaryOp::Eq, number, zero);
                self.build.ite(none, zero, first)
            }
            _ => self.turned(number, ty, bits.width),
        };
        let result = self.scalar_type(self.unit[call.e].ty.ty, call.span)?;
        let value = self.converted(value, result, call.span)?;
        Ok(Some(Value(Some(value))))
    }

    /// Applies an operator to a number and a constant.
    fn computed(&mut self, op: BinaryOp, number: ExprId, by: u64) -> ExprId {
        let ty = self.build.ty(number);
        let by = ir::arith::convert(self.build.types(), ty, i128::from(by));
        let by = self.build.int(by, ty);
        self.build.binary(op, number, by)
    }

    /// How many bits are one: sums of neighbours, in fields that become twice as wide each time.
    fn ones(&mut self, mut number: ExprId, width: u8) -> ExprId {
        for (by, mask) in [(1, u64::MAX / 3), (2, u64::MAX / 5), (4, u64::MAX / 17)]
            .into_iter()
            .chain([
                (8, u64::MAX / 257),
                (16, u64::MAX / 65_537),
                (32, u64::MAX >> 32),
            ])
            .filter(|&(by, _)| by < u64::from(width))
        {
            let high = self.computed(BinaryOp::Shr, number, by);
            let high = self.computed(BinaryOp::BitAnd, high, mask);
            let low = self.computed(BinaryOp::BitAnd, number, mask);
            let sum = self.build.binary(BinaryOp::Add, low, high);
            number = self.keep(sum);
        }
        number
    }

    /// How many zeros stand below the lowest bit that is one.
    fn zeros_below(&mut self, number: ExprId, width: u8) -> ExprId {
        let less = self.computed(BinaryOp::Sub, number, 1);
        let other = self.build.unary(UnaryOp::BitNot, number);
        let below = self.build.binary(BinaryOp::BitAnd, less, other);
        let below = self.keep(below);
        self.ones(below, width)
    }

    /// How many zeros stand above the highest bit that is one.
    fn zeros_above(&mut self, mut number: ExprId, width: u8) -> ExprId {
        for by in [1, 2, 4, 8, 16, 32]
            .into_iter()
            .filter(|&by| by < u64::from(width))
        {
            let lower = self.computed(BinaryOp::Shr, number, by);
            let both = self.build.binary(BinaryOp::BitOr, number, lower);
            number = self.keep(both);
        }
        let above = self.build.unary(UnaryOp::BitNot, number);
        let above = self.keep(above);
        self.ones(above, width)
    }

    /// The same bytes in the reverse order.
    fn turned(&mut self, number: ExprId, ty: TypeId, width: u8) -> ExprId {
        let mut all = self.build.int(0, ty);
        for byte in 0..u64::from(width / 8) {
            let one = self.computed(BinaryOp::Shr, number, 8 * byte);
            let one = self.computed(BinaryOp::BitAnd, one, 0xff);
            let one = self.computed(BinaryOp::Shl, one, u64::from(width) - 8 - 8 * byte);
            all = self.build.binary(BinaryOp::BitOr, all, one);
        }
        all
    }
}
