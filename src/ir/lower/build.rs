//! Building expressions of the program: equal leaves are shared, known operands are folded.
//!
//! Sharing leaves keeps the program a fraction of the source's size; only
//! leaves are shared, so that a walk over an expression stays linear in its text.

use rustc_hash::FxHashMap;

use crate::{
    BinaryOp, ExprId, ExprKind, GlobalId, LocalId, Program, Root, Type, TypeId, Types, UnaryOp,
    arith, walk,
};

/// Leaves that exist already.
#[derive(Debug, Default)]
pub struct Leaves {
    globals: Vec<Option<ExprId>>,
    locals: Vec<Option<ExprId>>,
    numbers: FxHashMap<(i128, TypeId), ExprId>,
    others: FxHashMap<Other, ExprId>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Other {
    False,
    True,
    NoTask,
    SelfTask,
}

/// The slot of a table that grows as needed.
fn slot(table: &mut Vec<Option<ExprId>>, index: usize) -> &mut Option<ExprId> {
    if table.len() <= index {
        table.resize(index + 1, None);
    }
    &mut table[index]
}

/// A program under construction.
#[derive(Debug)]
pub struct Builder {
    pub program: Program,
    leaves: Leaves,
}

impl Builder {
    pub fn new(program: Program) -> Self {
        Self {
            program,
            leaves: Leaves::default(),
        }
    }

    /// Forgets the leaves that name locals, because another procedure begins.
    pub fn forget_locals(&mut self) {
        self.leaves.locals.clear();
    }

    pub fn types(&self) -> &Types {
        &self.program.types
    }
    pub fn ty(&self, id: ExprId) -> TypeId {
        self.program.ty(id)
    }
    pub fn kind(&self, id: ExprId) -> &ExprKind {
        &self.program.exprs[id.index()].kind
    }

    pub fn bool(&mut self, value: bool) -> ExprId {
        let key = if value { Other::True } else { Other::False };
        self.other(key, ExprKind::Bool(value), Types::BOOL)
    }
    pub fn no_task(&mut self) -> ExprId {
        self.other(Other::NoTask, ExprKind::NoTask, Types::TASK)
    }
    pub fn self_task(&mut self) -> ExprId {
        self.other(Other::SelfTask, ExprKind::SelfTask, Types::TASK)
    }
    fn other(&mut self, key: Other, kind: ExprKind, ty: TypeId) -> ExprId {
        let program = &mut self.program;
        *self
            .leaves
            .others
            .entry(key)
            .or_insert_with(|| program.add(kind, ty))
    }

    pub fn int(&mut self, value: i128, ty: TypeId) -> ExprId {
        // A literal of a range type is an `int`: ranges are for places.
        let ty = if self.types().is_int(ty) {
            Types::INT
        } else {
            ty
        };
        let program = &mut self.program;
        *self
            .leaves
            .numbers
            .entry((value, ty))
            .or_insert_with(|| program.add(ExprKind::int(value), ty))
    }
    pub fn global(&mut self, id: GlobalId) -> ExprId {
        let ty = self.program.globals[id.index()].ty;
        let program = &mut self.program;
        *slot(&mut self.leaves.globals, id.index())
            .get_or_insert_with(|| program.add(ExprKind::Global(id), ty))
    }
    pub fn local(&mut self, id: LocalId, ty: TypeId) -> ExprId {
        let program = &mut self.program;
        *slot(&mut self.leaves.locals, id.index())
            .get_or_insert_with(|| program.add(ExprKind::Local(id), ty))
    }

    /// The value of a literal truth value (0, 1), number or enum member.
    pub fn literal(&self, id: ExprId) -> Option<i128> {
        match *self.kind(id) {
            ExprKind::Bool(b) => Some(i128::from(b)),
            ExprKind::Int(n) => Some(n.0),
            _ => None,
        }
    }
    pub fn is_true(&self, id: ExprId) -> bool {
        matches!(self.kind(id), ExprKind::Bool(true))
    }
    pub fn is_false(&self, id: ExprId) -> bool {
        matches!(self.kind(id), ExprKind::Bool(false))
    }

    /// The literal of a scalar type for a number; for `task` that is always no task.
    pub fn scalar(&mut self, value: i128, ty: TypeId) -> ExprId {
        match ty {
            Types::BOOL => self.bool(value != 0),
            Types::TASK => self.no_task(),
            _ => self.int(value, ty),
        }
    }

    pub fn unary(&mut self, op: UnaryOp, operand: ExprId) -> ExprId {
        let ty = self.operand_type(operand);
        if let Some(value) = self
            .literal(operand)
            .and_then(|v| arith::unary(self.types(), op, ty, v))
        {
            return self.scalar(value, ty);
        }
        if let (UnaryOp::Not, &ExprKind::Unary(UnaryOp::Not, inner)) = (op, self.kind(operand)) {
            return inner;
        }
        self.program.add(ExprKind::Unary(op, operand), ty)
    }
    pub fn not(&mut self, operand: ExprId) -> ExprId {
        self.unary(UnaryOp::Not, operand)
    }

    pub fn binary(&mut self, op: BinaryOp, left: ExprId, right: ExprId) -> ExprId {
        let operands = self.operand_type(left);
        let ty = if is_arithmetic(op) {
            operands
        } else {
            Types::BOOL
        };
        if let (Some(l), Some(r)) = (self.literal(left), self.literal(right))
            && let Some(value) = arith::binary(self.types(), op, operands, l, r)
        {
            return self.scalar(value, ty);
        }
        if op == BinaryOp::Eq
            && let Some(equal) = self.equal_constants(left, right)
        {
            return self.bool(equal);
        }
        self.shortened(op, left, right)
            .unwrap_or_else(|| self.program.add(ExprKind::Binary(op, left, right), ty))
    }

    /// Whether two constants are equal; `None` unless both consist of literals only.
    fn equal_constants(&self, left: ExprId, right: ExprId) -> Option<bool> {
        match (self.kind(left), self.kind(right)) {
            (ExprKind::NoTask, ExprKind::NoTask) => Some(true),
            (ExprKind::Record(l), ExprKind::Record(r))
            | (ExprKind::Array(l), ExprKind::Array(r)) => {
                self.all_equal(l.iter().copied().zip(r.iter().copied()))
            }
            (ExprKind::Fill(l), ExprKind::Fill(r)) => self.equal_constants(*l, *r),
            (ExprKind::Array(values), &ExprKind::Fill(one))
            | (&ExprKind::Fill(one), ExprKind::Array(values)) => {
                self.all_equal(values.iter().map(|&v| (v, one)))
            }
            _ => Some(self.literal(left)? == self.literal(right)?),
        }
    }

    fn all_equal(&self, mut pairs: impl Iterator<Item = (ExprId, ExprId)>) -> Option<bool> {
        pairs.try_fold(true, |all, (l, r)| Some(self.equal_constants(l, r)? && all))
    }

    /// Simplifies a connective with a constant operand, such as `true && x`.
    fn shortened(&mut self, op: BinaryOp, left: ExprId, right: ExprId) -> Option<ExprId> {
        let (l, r) = (self.literal(left), self.literal(right));
        match (op, l, r) {
            (BinaryOp::And, Some(1), _)
            | (BinaryOp::Or, Some(0), _)
            | (BinaryOp::Implies, Some(1), _) => Some(right),
            (BinaryOp::And, _, Some(1)) | (BinaryOp::Or, _, Some(0)) => Some(left),
            (BinaryOp::And, Some(0), _) | (BinaryOp::And, _, Some(0)) => Some(self.bool(false)),
            (BinaryOp::Or, Some(1), _) | (BinaryOp::Or, _, Some(1)) => Some(self.bool(true)),
            (BinaryOp::Implies, Some(0), _) | (BinaryOp::Implies, _, Some(1)) => {
                Some(self.bool(true))
            }
            (BinaryOp::Implies, _, Some(0)) => Some(self.not(left)),
            _ => None,
        }
    }

    /// The condition that a number lies between two limits; a limit of `None` is not checked.
    pub fn within(&mut self, value: ExprId, least: Option<i128>, most: Option<i128>) -> ExprId {
        let ty = self.operand_type(value);
        let mut cond = self.bool(true);
        if let Some(least) = least {
            let least = self.int(least, ty);
            cond = self.binary(BinaryOp::Le, least, value);
        }
        if let Some(most) = most {
            let most = self.int(most, ty);
            let below = self.binary(BinaryOp::Le, value, most);
            cond = self.binary(BinaryOp::And, cond, below);
        }
        cond
    }

    /// The condition that a number is not zero.
    pub fn nonzero(&mut self, value: ExprId) -> ExprId {
        let ty = self.operand_type(value);
        let zero = self.int(0, ty);
        let equal = self.binary(BinaryOp::Eq, value, zero);
        self.not(equal)
    }

    /// `if cond then yes else no`; only one part of it if `cond` is a literal.
    pub fn ite(&mut self, cond: ExprId, yes: ExprId, no: ExprId) -> ExprId {
        match self.literal(cond) {
            Some(0) => no,
            Some(_) => yes,
            None => {
                let ty = self.operand_type(yes);
                self.program.add(ExprKind::Ite(cond, yes, no), ty)
            }
        }
    }

    /// An element of `base`. A known element of a literal is returned itself.
    pub fn index(&mut self, base: ExprId, index: ExprId) -> ExprId {
        let ty = match *self.types().get(self.ty(base)) {
            Type::Array(_, element) | Type::Map(_, element) => element,
            ref other => unreachable!("{other:?} has no elements"),
        };
        match self.kind(base) {
            ExprKind::Fill(value) => return *value,
            ExprKind::Array(values) => {
                let at = self.literal(index).and_then(|i| usize::try_from(i).ok());
                if let Some(&value) = at.and_then(|i| values.get(i)) {
                    return value;
                }
            }
            _ => {}
        }
        self.program.add(ExprKind::Index(base, index), ty)
    }

    pub fn field(&mut self, base: ExprId, field: u32) -> ExprId {
        if let ExprKind::Record(values) = self.kind(base) {
            return values[field as usize];
        }
        let ty = match self.types().get(self.ty(base)) {
            Type::Record(r) => r.fields[field as usize].1,
            other => unreachable!("{other:?} has no fields"),
        };
        self.program.add(ExprKind::Field(base, field), ty)
    }

    /// A number in another integer type.
    pub fn convert(&mut self, operand: ExprId, to: TypeId) -> ExprId {
        let from = self.operand_type(operand);
        if let Some(value) = self.literal(operand) {
            let value = arith::convert(self.types(), to, value);
            return self.int(value, to);
        }
        if from == to {
            operand
        } else {
            self.program.add(ExprKind::Convert(operand), to)
        }
    }

    pub fn add(&mut self, kind: ExprKind, ty: TypeId) -> ExprId {
        self.program.add(kind, ty)
    }

    /// The type of a value as an operand: ranges are read as `int`.
    pub fn operand_type(&self, id: ExprId) -> TypeId {
        read_as(self.types(), self.ty(id))
    }

    /// Whether an expression reads a variable for which `of` holds.
    pub fn reads(&self, id: ExprId, of: &impl Fn(Root) -> bool) -> bool {
        walk::reads(&self.program, id, &mut |root| of(root))
    }

    /// Whether an expression consists of literals only.
    pub fn is_constant(&self, id: ExprId) -> bool {
        match self.kind(id) {
            ExprKind::Bool(_) | ExprKind::Int(_) | ExprKind::NoTask => true,
            ExprKind::Record(parts) | ExprKind::Array(parts) => {
                parts.iter().all(|&p| self.is_constant(p))
            }
            ExprKind::Fill(value) => self.is_constant(*value),
            _ => false,
        }
    }
}

/// The type of a value of type `ty` when it is read: ranges are read as `int`.
pub fn read_as(types: &Types, ty: TypeId) -> TypeId {
    if types.is_int(ty) { Types::INT } else { ty }
}

/// Whether the result has the operands' type (and is not a truth value of a comparison).
fn is_arithmetic(op: BinaryOp) -> bool {
    !matches!(
        op,
        BinaryOp::Lt
            | BinaryOp::Le
            | BinaryOp::Eq
            | BinaryOp::And
            | BinaryOp::Or
            | BinaryOp::Implies
    )
}
