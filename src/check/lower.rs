//! From typed expressions to expressions of the program.
//!
//! Expressions of the program are pure and total. Anything else becomes
//! statements before them: a check of an index or a divisor, a choice for `*`,
//! in mode `access` a load for each read of a global. `&&`, `||`, `==>` and
//! `if-then-else` evaluate lazily: a check of an operand is made only if the
//! operand is needed (`guard ==> check`). If an operand needs more than checks,
//! the operator becomes control flow.

use base::diagnostic::Diagnostic;
use base::source::Span;
use ir::lower::Lower;
use ir::{BinaryOp, ErrorKind, ExprId, ExprKind, StmtKind, Type, TypeId, Types, UnaryOp, walk};

use super::Checker;
use super::body::Place;
use super::ranges;
use super::typed::{Bounds, Derived, Kind, NodeId, Ty};
use ir::lower::build::read_as;

#[derive(Clone, Copy, Debug)]
pub(super) struct Val {
    pub id: ExprId,
    /// The bounds of the value, if it is a number.
    pub bounds: Bounds,
}

impl Checker<'_> {
    /// The type of a node whose typing went well.
    pub(super) fn known_type(&self, node: NodeId) -> TypeId {
        match self.ty(node) {
            Ty::Value(ty) => ty,
            other => unreachable!("an expression was lowered whose type is {other:?}"),
        }
    }

    /// A value known by its type only.
    pub(super) fn plain(&self, id: ExprId) -> Val {
        let bounds = match self.build.literal(id) {
            Some(n) => Some((n, n)),
            None => ranges::of_type(self.build.types(), self.build.ty(id)),
        };
        Val { id, bounds }
    }

    /// Lowers an expression of a statement without errors.
    pub(super) fn lower(&mut self, node: NodeId) -> Val {
        let value = self.lower_kind(node);
        self.quote(node, value.id);
        value
    }

    /// Keeps where an expression stands, for people. Leaves are shared, so they have no place; constants have none either.
    fn quote(&mut self, node: NodeId, id: ExprId) {
        let named = matches!(self.nodes[node.0 as usize].kind, Kind::Known(..));
        let whole = !walk::operands(self.build.program.expr(id)).is_empty();
        if whole && !named {
            let span = self.span(node);
            self.build.program.quotes.put(id, span);
        }
    }

    fn lower_kind(&mut self, node: NodeId) -> Val {
        let kind = self.nodes[node.0 as usize].kind.clone();
        match kind {
            Kind::Error => unreachable!("an expression with errors was lowered"),
            Kind::Star => self.lower_choice(node),
            Kind::Number(value) => {
                let ty = self.known_type(node);
                let id = self.build.int(value, ty);
                self.plain(id)
            }
            Kind::Known(id, bounds) => self.with_bounds(id, bounds),
            Kind::Local(local, bounds) => {
                let id = self.read_local(local);
                Val {
                    id,
                    bounds: bounds.or_else(|| self.plain(id).bounds),
                }
            }
            Kind::Global(..) | Kind::Index(..) | Kind::Field(..) => self.lower_part(node),
            Kind::Unary(op, operand) => self.lower_unary(op, operand),
            Kind::Binary(op @ (BinaryOp::And | BinaryOp::Or | BinaryOp::Implies), l, r) => {
                self.lower_lazy(op, l, r)
            }
            Kind::Binary(op, l, r) => self.lower_binary(op, l, r),
            Kind::Derived(op, l, r) => self.lower_derived(op, l, r),
            Kind::Ite(cond, yes, no) => self.lower_ite(node, cond, yes, no),
            Kind::Array(elements) => {
                let (ty, element) = self.literal_types(node);
                let values = elements
                    .iter()
                    .map(|&e| self.lower_into(e, element))
                    .collect();
                let id = self.build.add(ExprKind::Array(values), ty);
                self.plain(id)
            }
            Kind::Repeat(value, _) | Kind::Fill(value) => {
                // Evaluated once: all elements are equal.
                let (ty, element) = self.literal_types(node);
                let value = self.lower_into(value, element);
                let id = self.build.add(ExprKind::Fill(value), ty);
                self.plain(id)
            }
            Kind::Record(values, order) => self.lower_record(node, &values, &order),
            Kind::Convert(operand) => {
                let to = self.known_type(node);
                let operand = self.lower(operand);
                let id = self.build.convert(operand.id, to);
                Val {
                    id,
                    bounds: ranges::converted(self.build.types(), to, operand.bounds),
                }
            }
        }
    }

    /// Lowers an expression whose value is stored into a place of that type: checks its range.
    pub(super) fn lower_into(&mut self, node: NodeId, ty: TypeId) -> ExprId {
        let value = self.lower(node);
        let span = self.span(node);
        self.fit(value, ty, span);
        value.id
    }

    /// Checks that a value can be stored into a place of that type.
    pub(super) fn fit(&mut self, value: Val, ty: TypeId, span: Span) {
        if let Type::Range(lo, hi) = *self.build.types().get(ty) {
            self.check_within(value, lo, hi, ErrorKind::Range, span, || {
                format!("value outside of {lo}..{hi}")
            });
        }
    }

    /// Checks that a number lies in a range, unless its bounds say so already.
    fn check_within(
        &mut self,
        value: Val,
        lo: i128,
        hi: i128,
        kind: ErrorKind,
        span: Span,
        message: impl FnOnce() -> String,
    ) {
        let ty = self.build.operand_type(value.id);
        let whole = self.build.types().bounds(ty);
        // A limit beyond the type's bounds has no literal of the type, and no value passes it.
        let below = value.bounds.is_none_or(|b| b.0 < lo) && whole.is_none_or(|w| w.0 < lo);
        let above = value.bounds.is_none_or(|b| b.1 > hi) && whole.is_none_or(|w| w.1 > hi);
        let (least, most) = (below.then_some(lo), above.then_some(hi));
        let cond = self.build.within(value.id, least, most);
        self.check(kind, cond, span, message);
    }

    /// Emits a check of a condition. Under lazy operators the condition must hold only if their guards do.
    pub(super) fn check(
        &mut self,
        kind: ErrorKind,
        cond: ExprId,
        span: Span,
        message: impl FnOnce() -> String,
    ) {
        let cond = match self.body.guard {
            Some(guard) => self.build.binary(BinaryOp::Implies, guard, cond),
            None => cond,
        };
        if self.build.is_true(cond) {
            return;
        }
        match self.body.place {
            Place::Procedure => {
                let check = StmtKind::Check(kind, cond, message().into());
                self.at(span, |c| c.emit(check));
            }
            // In a constant everything is known, unless a parameter of an object type is in it.
            Place::Constant if !self.build.is_false(cond) => {}
            Place::Constant => self.constant_error(span, message(), "in a constant expression"),
            Place::Initial => self.constant_error(span, message(), "in an initial value"),
        }
    }

    fn constant_error(&mut self, span: Span, message: String, label: &str) {
        self.report(Diagnostic::error("constant-error", span, message).label(label));
    }

    fn lower_choice(&mut self, node: NodeId) -> Val {
        let ty = self.known_type(node);
        let id = self.any(ty);
        self.plain(id)
    }

    /// A variable or a part of something: one access if it is a global's.
    fn lower_part(&mut self, node: NodeId) -> Val {
        let (part, global) = self.lower_path(node);
        self.quote(node, part);
        let part = if global { self.load(part) } else { part };
        self.plain(part)
    }

    /// A part of something as an expression, and whether it is part of a global that is still to be read.
    fn lower_path(&mut self, node: NodeId) -> (ExprId, bool) {
        match self.nodes[node.0 as usize].kind.clone() {
            Kind::Global(global, indices) => {
                let mut part = self.build.global(global);
                for &index in &indices {
                    part = self.build.index(part, index);
                }
                (part, true)
            }
            Kind::Index(base, index) => {
                let (base, global) = self.lower_path(base);
                let index = self.lower_index(self.build.ty(base), index);
                (self.build.index(base, index), global)
            }
            Kind::Field(base, field) => {
                let (base, global) = self.lower_path(base);
                (self.build.field(base, field), global)
            }
            _ => (self.lower(node).id, false),
        }
    }

    /// An index into a value of that type, checked.
    pub(super) fn lower_index(&mut self, base: TypeId, index: NodeId) -> ExprId {
        let value = self.lower(index);
        let span = self.span(index);
        match *self.build.types().get(base) {
            Type::Array(len, _) => self.check_index(value, len, span),
            Type::Map(key, _) => {
                if let Type::Range(lo, hi) = *self.build.types().get(key) {
                    self.check_within(value, lo, hi, ErrorKind::Index, span, || {
                        format!("index outside of {lo}..{hi}")
                    });
                }
            }
            ref other => unreachable!("{other:?} has no elements"),
        }
        value.id
    }

    /// Checks an index into an array of that length.
    pub(super) fn check_index(&mut self, value: Val, len: u32, span: Span) {
        let last = i128::from(len) - 1;
        self.check_within(value, 0, last, ErrorKind::Index, span, || {
            format!("index out of bounds: the length is {len}")
        });
    }

    fn lower_unary(&mut self, op: UnaryOp, operand: NodeId) -> Val {
        let operand = self.lower(operand);
        let id = self.build.unary(op, operand.id);
        let bounds = match op {
            UnaryOp::Neg => ranges::negated(self.build.types(), self.build.ty(id), operand.bounds),
            _ => None,
        };
        self.with_bounds(id, bounds)
    }

    /// A value whose bounds may be known better than from its type.
    fn with_bounds(&self, id: ExprId, bounds: Bounds) -> Val {
        match self.build.literal(id) {
            Some(_) => self.plain(id),
            None => Val {
                id,
                bounds: bounds.or_else(|| self.plain(id).bounds),
            },
        }
    }

    fn lower_binary(&mut self, op: BinaryOp, l: NodeId, r: NodeId) -> Val {
        let divisor = r;
        let (l, r) = (self.lower(l), self.lower(r));
        if let BinaryOp::Div | BinaryOp::Rem = op {
            self.check_divisor(r, divisor);
        }
        let id = self.build.binary(op, l.id, r.id);
        let ty = self.build.ty(id);
        let bounds = if ty == Types::BOOL {
            None
        } else {
            ranges::binary(self.build.types(), op, ty, l.bounds, r.bounds)
        };
        self.with_bounds(id, bounds)
    }

    fn check_divisor(&mut self, divisor: Val, node: NodeId) {
        if divisor.bounds.is_some_and(|b| b.0 > 0 || b.1 < 0) {
            return;
        }
        let cond = self.build.nonzero(divisor.id);
        let span = self.span(node);
        self.check(ErrorKind::Division, cond, span, || {
            "division by zero".to_owned()
        });
    }

    fn lower_derived(&mut self, op: Derived, l: NodeId, r: NodeId) -> Val {
        let (l, r) = (self.lower(l).id, self.lower(r).id);
        let id = match op {
            Derived::Gt => self.build.binary(BinaryOp::Lt, r, l),
            Derived::Ge => self.build.binary(BinaryOp::Le, r, l),
            Derived::Ne => {
                let equal = self.build.binary(BinaryOp::Eq, l, r);
                self.build.not(equal)
            }
        };
        self.plain(id)
    }

    /// `l && r`, `l || r`, `l ==> r`: the right side is evaluated if the left side does not decide.
    fn lower_lazy(&mut self, op: BinaryOp, l: NodeId, r: NodeId) -> Val {
        let left = self.lower(l).id;
        let needed = if op == BinaryOp::Or {
            self.build.not(left)
        } else {
            left
        };
        if self.build.is_false(needed) {
            let id = self.build.bool(op != BinaryOp::And);
            return self.plain(id);
        }
        let id = if self.needs_flow(self.effects(r)) && !self.build.is_true(needed) {
            let decided = self.build.bool(op != BinaryOp::And);
            self.flow(needed, Types::BOOL, |c| c.lower(r).id, |_| decided)
        } else {
            let right = self.guarded(needed, |c| c.lower(r).id);
            self.build.binary(op, left, right)
        };
        self.plain(id)
    }

    /// Lowers an operand that is evaluated only if `needed` holds and emits nothing but checks.
    fn guarded<T>(&mut self, needed: ExprId, operand: impl FnOnce(&mut Self) -> T) -> T {
        let outer = self.body.guard;
        let both = match outer {
            Some(guard) => self.build.binary(BinaryOp::And, guard, needed),
            None => needed,
        };
        self.body.guard = Some(both);
        let result = operand(self);
        self.body.guard = outer;
        result
    }

    /// A value that is computed in one of two ways, by statements.
    fn flow(
        &mut self,
        cond: ExprId,
        ty: TypeId,
        yes: impl FnOnce(&mut Self) -> ExprId,
        no: impl FnOnce(&mut Self) -> ExprId,
    ) -> ExprId {
        let temp = self.temporary(ty);
        let outer = self.body.guard.take();
        let yes = self.branch(temp, yes);
        let no = self.branch(temp, no);
        self.body.guard = outer;
        let lazy = &mut self.build.program.scope.lazy;
        for branch in [&yes, &no] {
            walk::each(branch, &mut |stmt| {
                if matches!(stmt.kind, StmtKind::Check(..)) {
                    lazy.insert(stmt.span);
                }
            });
        }
        // This branch needs no outer guard: an outer operator with such an operand is a branch itself, or its guard holds.
        self.emit(StmtKind::If(cond, yes, no));
        self.read_local(temp)
    }

    fn branch(&mut self, temp: ir::LocalId, value: impl FnOnce(&mut Self) -> ExprId) -> ir::Block {
        let (block, ()) = self.in_block(|c| {
            let value = value(c);
            c.store_local(temp, value);
        });
        block
    }

    fn lower_ite(&mut self, node: NodeId, cond: NodeId, yes: NodeId, no: NodeId) -> Val {
        let cond = self.lower(cond).id;
        match self.build.literal(cond) {
            Some(0) => return self.lower(no),
            Some(_) => return self.lower(yes),
            None => {}
        }
        if self.needs_flow(self.effects(yes).and(self.effects(no))) {
            let ty = read_as(self.build.types(), self.known_type(node));
            let mut bounds = (None, None);
            let (first, second) = (&mut bounds.0, &mut bounds.1);
            let id = self.flow(
                cond,
                ty,
                |c| remember(c.lower(yes), first),
                |c| remember(c.lower(no), second),
            );
            return self.with_bounds(id, ranges::union(bounds.0, bounds.1));
        }
        let otherwise = self.build.not(cond);
        let yes = self.guarded(cond, |c| c.lower(yes));
        let no = self.guarded(otherwise, |c| c.lower(no));
        let id = self.build.ite(cond, yes.id, no.id);
        self.with_bounds(id, ranges::union(yes.bounds, no.bounds))
    }

    /// The types of a literal array or map and of its elements.
    fn literal_types(&self, node: NodeId) -> (TypeId, TypeId) {
        let ty = self.known_type(node);
        (
            ty,
            self.element_type(ty)
                .expect("literals of arrays and maps have elements"),
        )
    }

    fn lower_record(&mut self, node: NodeId, values: &[NodeId], order: &[u32]) -> Val {
        let ty = self.known_type(node);
        let Type::Record(record) = self.build.types().get(ty).clone() else {
            unreachable!("a record has a record type")
        };
        let mut lowered = vec![None; values.len()];
        // Evaluated in the order in which they are written.
        for &field in order {
            let field = field as usize;
            lowered[field] = Some(self.lower_into(values[field], record.fields[field].1));
        }
        let id = self.build.add(
            ExprKind::Record(lowered.into_iter().flatten().collect()),
            ty,
        );
        self.plain(id)
    }
}

fn remember(value: Val, bounds: &mut Bounds) -> ExprId {
    *bounds = value.bounds;
    value.id
}
