//! Typing expressions bottom-up: names resolved, operators matched with their operands.

use ast::symbol::Symbol;
use ast::{tree, tree::ExprKind};
use base::diagnostic::Diagnostic;
use base::source::Span;
use ir::{BinaryOp, Type, TypeId, Types, UnaryOp};

use super::Checker;
use super::names::{Bound, Found};
use super::typed::{Derived, Effects, Kind, Node, NodeId, Ty};
use ir::lower::build::read_as;

impl Checker<'_> {
    pub(super) fn node(&mut self, kind: Kind, ty: Ty, effects: Effects, span: Span) -> NodeId {
        let id = NodeId(self.nodes.len() as u32);
        self.nodes.push(Node {
            kind,
            ty,
            effects,
            span,
        });
        id
    }
    pub(super) fn ty(&self, node: NodeId) -> Ty {
        self.nodes[node.0 as usize].ty
    }
    pub(super) fn effects(&self, node: NodeId) -> Effects {
        self.nodes[node.0 as usize].effects
    }
    pub(super) fn span(&self, node: NodeId) -> Span {
        self.nodes[node.0 as usize].span
    }

    /// A node in the place of an expression whose error is reported.
    pub(super) fn wrong(&mut self, span: Span) -> NodeId {
        self.broken = true;
        self.diagnostics.incomplete();
        self.node(Kind::Error, Ty::Error, Effects::NONE, span)
    }

    pub(super) fn is_integer(&self, ty: TypeId) -> bool {
        matches!(
            self.build.types().get(ty),
            Type::Int | Type::Range(..) | Type::Bits(_)
        )
    }

    /// Types an expression fully: with type `ty`, or with the type that it has by itself.
    pub(super) fn typed(&mut self, expr: tree::ExprId, ty: Option<TypeId>) -> NodeId {
        let node = self.synth(expr);
        match ty {
            Some(ty) => self.check_against(node, ty),
            None => self.settle(node),
        }
        node
    }

    /// Types an expression bottom-up. Its type may stay open.
    pub(super) fn synth(&mut self, id: tree::ExprId) -> NodeId {
        let tree::Expr { kind, span } = self.modules[self.names.module].ast.expr(id);
        match kind {
            ExprKind::Error => self.wrong(span),
            ExprKind::Star => self.node(Kind::Star, Ty::Any, Effects::CHOOSES, span),
            ExprKind::Bool(value) => {
                let value = self.build.bool(value);
                self.node(
                    Kind::Known(value, None),
                    Ty::Value(Types::BOOL),
                    Effects::NONE,
                    span,
                )
            }
            ExprKind::Int(id) => {
                let value = self.modules[self.names.module].ast.ints[id.0 as usize];
                self.node(Kind::Number(value), Ty::Number, Effects::NONE, span)
            }
            ExprKind::Name(symbol) => self.name(symbol, span),
            ExprKind::Paren(inner) => self.synth(inner),
            ExprKind::Unary(op, operand) => self.unary(op, operand, span),
            ExprKind::Binary(op, left, right) => self.binary(op, left, right, span),
            ExprKind::IfThenElse(cond, yes, no) => self.if_then_else(cond, yes, no, span),
            ExprKind::Index(base, index) => self.index(base, index, span),
            ExprKind::Field(base, name) => self.field(base, name, span),
            ExprKind::ArrayLit(elements) => self.array_literal(elements, span),
            ExprKind::ArrayRepeat(value, len) => self.repeat(value, len, span),
            ExprKind::Fill(value) => self.fill(value, span),
            ExprKind::RecordLit(name, inits) => self.record_literal(name, inits, span),
            ExprKind::Convert(ty, operand) => self.conversion(ty, operand, span),
            ExprKind::Method(..) => self.misplaced_operation(span),
            ExprKind::Apply(name, args) => self.apply(name, args, span),
            ExprKind::Type(_) => self.type_as_value(span),
        }
    }

    fn name(&mut self, symbol: Symbol, span: Span) -> NodeId {
        let Some(found) = self.find(symbol) else {
            self.unknown_value(symbol, span);
            return self.wrong(span);
        };
        match found {
            Found::Bound(Bound::Local { id, ty, bounds, .. }) => {
                self.node(Kind::Local(id, bounds), Ty::Value(ty), Effects::LOCAL, span)
            }
            Found::Bound(Bound::Known(value, bounds)) => {
                let ty = Ty::Value(self.build.ty(value));
                self.node(Kind::Known(value, bounds), ty, Effects::LOCAL, span)
            }
            Found::Known(value) => self.known(value, Effects::NONE, span),
            Found::Bound(Bound::Bad) | Found::Bad => self.wrong(span),
            Found::Bound(Bound::Object(_)) | Found::Object(_) => self.object_as_value(symbol, span),
            Found::Global(global, indices) => {
                let mut ty = self.build.program.globals[global.index()].ty;
                for _ in &indices {
                    ty = self.element_type(ty).unwrap_or(ty);
                }
                self.node(
                    Kind::Global(global, indices.into()),
                    Ty::Value(ty),
                    Effects::READS,
                    span,
                )
            }
            Found::Const(index) => match self.const_value(index) {
                Some(value) => self.known(value, Effects::NONE, span),
                None => self.wrong(span),
            },
            Found::Unknown(global) => {
                let value = self.build.global(global);
                self.known(value, Effects::UNKNOWN, span)
            }
            Found::SelfTask => self.self_task(span),
            Found::NotYet => self.variable_in_constant(symbol, span),
        }
    }

    fn known(&mut self, value: ir::ExprId, effects: Effects, span: Span) -> NodeId {
        let ty = Ty::Value(self.build.ty(value));
        self.node(Kind::Known(value, None), ty, effects, span)
    }

    fn self_task(&mut self, span: Span) -> NodeId {
        if !self.names.has_self {
            self.report(
                Diagnostic::error(
                    "self-misplaced",
                    span,
                    "`self` is the running task, and no task runs here",
                )
                .label("only in procedures and operations"),
            );
            return self.wrong(span);
        }
        self.uses_self(span);
        let value = self.build.self_task();
        self.known(value, Effects::LOCAL, span)
    }

    fn variable_in_constant(&mut self, symbol: Symbol, span: Span) -> NodeId {
        let name = self.symbol(symbol).to_owned();
        self.report(
            Diagnostic::error("not-constant", span, "a constant expression is needed here")
                .label(format!("`{name}` is a variable")),
        );
        self.wrong(span)
    }

    /// The type of the elements of an array or map.
    pub(super) fn element_type(&self, ty: TypeId) -> Option<TypeId> {
        match *self.build.types().get(ty) {
            Type::Array(_, element) | Type::Map(_, element) => Some(element),
            _ => None,
        }
    }

    fn unary(&mut self, op: tree::UnaryOp, operand: tree::ExprId, span: Span) -> NodeId {
        let node = self.synth(operand);
        let effects = self.effects(node);
        if op == tree::UnaryOp::Not {
            self.check_against(node, Types::BOOL);
            return self.node(
                Kind::Unary(UnaryOp::Not, node),
                Ty::Value(Types::BOOL),
                effects,
                span,
            );
        }
        if let (tree::UnaryOp::Neg, Kind::Number(n)) = (op, &self.nodes[node.0 as usize].kind) {
            // A minus and a number are one literal: the least number of a signed type has no positive counterpart.
            let value = n.wrapping_neg();
            return self.node(Kind::Number(value), Ty::Number, Effects::NONE, span);
        }
        let (needed, sign) = match op {
            tree::UnaryOp::Neg => (Operands::Numbers, "-"),
            _ => (Operands::Bits, "~"),
        };
        let ty = match self.ty(node) {
            _ if !self.operand(node, needed, sign) => Ty::Error,
            Ty::Value(ty) => Ty::Value(read_as(self.build.types(), ty)),
            Ty::Any => Ty::Number,
            other => other,
        };
        let op = if op == tree::UnaryOp::Neg {
            UnaryOp::Neg
        } else {
            UnaryOp::BitNot
        };
        self.node(Kind::Unary(op, node), ty, effects, span)
    }

    fn binary(
        &mut self,
        op: tree::BinaryOp,
        left: tree::ExprId,
        right: tree::ExprId,
        span: Span,
    ) -> NodeId {
        use tree::BinaryOp as Op;
        let (l, r) = (self.synth(left), self.synth(right));
        let effects = self.effects(l).and(self.effects(r));
        if let Op::And | Op::Or | Op::Implies | Op::Iff = op {
            self.check_against(l, Types::BOOL);
            self.check_against(r, Types::BOOL);
            return self.node(kind(op, l, r), Ty::Value(Types::BOOL), effects, span);
        }
        let ty = self.operator(op, l, r);
        self.node(kind(op, l, r), ty, effects, span)
    }

    fn if_then_else(
        &mut self,
        cond: tree::ExprId,
        yes: tree::ExprId,
        no: tree::ExprId,
        span: Span,
    ) -> NodeId {
        let cond = self.synth(cond);
        self.check_against(cond, Types::BOOL);
        let (yes, no) = (self.synth(yes), self.synth(no));
        let effects = self
            .effects(cond)
            .and(self.effects(yes))
            .and(self.effects(no));
        let ty = self.unify(yes, no, "if-then-else");
        self.node(Kind::Ite(cond, yes, no), ty, effects, span)
    }

    /// The common type of two operands; open if both are.
    fn unify(&mut self, l: NodeId, r: NodeId, what: &str) -> Ty {
        match (self.ty(l), self.ty(r)) {
            (Ty::Error, other) | (other, Ty::Error) => {
                // The other side gets no complaint either: its type would have come from here.
                if let Ty::Value(_) = other {
                    other
                } else {
                    Ty::Error
                }
            }
            (Ty::Value(a), Ty::Value(b)) => {
                let (a, b) = (
                    read_as(self.build.types(), a),
                    read_as(self.build.types(), b),
                );
                if a == b {
                    return Ty::Value(a);
                }
                self.different_operands(l, a, r, b, what);
                Ty::Error
            }
            (Ty::Value(a), _) => {
                let a = read_as(self.build.types(), a);
                self.check_against(r, a);
                Ty::Value(a)
            }
            (_, Ty::Value(b)) => {
                let b = read_as(self.build.types(), b);
                self.check_against(l, b);
                Ty::Value(b)
            }
            (Ty::Any, other) | (other, Ty::Any) => other,
            (a, b) if a == b => a,
            _ => {
                self.settle(l);
                if let Ty::Value(a) = self.ty(l) {
                    self.check_against(r, a);
                }
                Ty::Error
            }
        }
    }

    /// Gives two operands of a comparison a type if both are open.
    fn settle_both(&mut self, common: Ty, l: NodeId, r: NodeId) {
        match common {
            Ty::Error | Ty::Value(_) => {}
            Ty::Number => {
                self.check_against(l, Types::INT);
                self.check_against(r, Types::INT);
            }
            Ty::Any | Ty::Literal => {
                let (first, second) = if self.ty(l) == Ty::Any {
                    (r, l)
                } else {
                    (l, r)
                };
                self.settle(first);
                match self.ty(first) {
                    Ty::Value(ty) => self.check_against(second, ty),
                    _ => self.broken = true,
                }
            }
        }
    }

    /// The type of the result of an operator on two values.
    fn operator(&mut self, op: tree::BinaryOp, l: NodeId, r: NodeId) -> Ty {
        use tree::BinaryOp as Op;
        let (operands, comparison) = match op {
            Op::Eq | Op::Ne => (Operands::Any, true),
            Op::Lt | Op::Le | Op::Gt | Op::Ge => (Operands::Numbers, true),
            Op::Add | Op::Sub | Op::Mul | Op::Div | Op::Rem => (Operands::Numbers, false),
            _ => (Operands::Bits, false),
        };
        let fit = self.operand(l, operands, op.text()) & self.operand(r, operands, op.text());
        let common = if fit {
            self.unify(l, r, op.text())
        } else {
            Ty::Error
        };
        if comparison {
            self.settle_both(common, l, r);
            return Ty::Value(Types::BOOL);
        }
        // Arithmetic on choices gives a number.
        if common == Ty::Any {
            Ty::Number
        } else {
            common
        }
    }

    /// Complains if an operand does not have a type that its operator takes.
    fn operand(&mut self, node: NodeId, needed: Operands, op: &str) -> bool {
        let found = self.ty(node);
        let (fits, words) = match (needed, found) {
            (Operands::Any, _) | (_, Ty::Any | Ty::Number | Ty::Error) => (true, ""),
            (Operands::Numbers, Ty::Value(ty)) => (self.is_integer(ty), "numbers"),
            (Operands::Bits, Ty::Value(ty)) => {
                let bits = matches!(self.build.types().get(ty), Type::Bits(_));
                (bits, "machine integers (`u8`, `i32`, …)")
            }
            (Operands::Numbers | Operands::Bits, Ty::Literal) => (false, "numbers"),
        };
        if !fits {
            self.wrong_operand(found, op, words, self.span(node));
        }
        fits
    }

    fn index(&mut self, base: tree::ExprId, index: tree::ExprId, span: Span) -> NodeId {
        let base = self.synth(base);
        self.settle(base);
        let index = self.synth(index);
        let effects = self.effects(base).and(self.effects(index));
        let element = match self.ty(base) {
            Ty::Value(ty) => match *self.build.types().get(ty) {
                Type::Array(_, element) => {
                    self.settle(index);
                    self.require_number(index);
                    Ty::Value(element)
                }
                Type::Map(key, value) => {
                    self.check_against(index, key);
                    Ty::Value(value)
                }
                _ => {
                    self.no_elements(base, ty);
                    Ty::Error
                }
            },
            _ => Ty::Error,
        };
        self.node(Kind::Index(base, index), element, effects, span)
    }

    fn field(&mut self, base: tree::ExprId, name: tree::Name, span: Span) -> NodeId {
        if self.names_object(base) {
            return self.private_state(base, name, span);
        }
        let base = self.synth(base);
        self.settle(base);
        let effects = self.effects(base);
        let Ty::Value(ty) = self.ty(base) else {
            return self.wrong(span);
        };
        let text = self.text(name);
        let position = match self.build.types().get(ty) {
            Type::Record(r) => r
                .fields
                .iter()
                .position(|(n, _)| n == text)
                .map(|i| (i as u32, r.fields[i].1)),
            _ => None,
        };
        match position {
            Some((field, ty)) => self.node(Kind::Field(base, field), Ty::Value(ty), effects, span),
            None => {
                self.unknown_field(ty, name);
                self.wrong(span)
            }
        }
    }
}

/// The operands that an operator takes.
#[derive(Clone, Copy)]
enum Operands {
    Any,
    Numbers,
    Bits,
}

/// The node of an operator.
fn kind(op: tree::BinaryOp, l: NodeId, r: NodeId) -> Kind {
    use tree::BinaryOp as Op;
    match op {
        Op::Mul => Kind::Binary(BinaryOp::Mul, l, r),
        Op::Div => Kind::Binary(BinaryOp::Div, l, r),
        Op::Rem => Kind::Binary(BinaryOp::Rem, l, r),
        Op::Add => Kind::Binary(BinaryOp::Add, l, r),
        Op::Sub => Kind::Binary(BinaryOp::Sub, l, r),
        Op::Shl => Kind::Binary(BinaryOp::Shl, l, r),
        Op::Shr => Kind::Binary(BinaryOp::Shr, l, r),
        Op::BitAnd => Kind::Binary(BinaryOp::BitAnd, l, r),
        Op::BitXor => Kind::Binary(BinaryOp::BitXor, l, r),
        Op::BitOr => Kind::Binary(BinaryOp::BitOr, l, r),
        Op::Lt => Kind::Binary(BinaryOp::Lt, l, r),
        Op::Le => Kind::Binary(BinaryOp::Le, l, r),
        // Equality of truth values.
        Op::Eq | Op::Iff => Kind::Binary(BinaryOp::Eq, l, r),
        Op::And => Kind::Binary(BinaryOp::And, l, r),
        Op::Or => Kind::Binary(BinaryOp::Or, l, r),
        Op::Implies => Kind::Binary(BinaryOp::Implies, l, r),
        Op::Gt => Kind::Derived(Derived::Gt, l, r),
        Op::Ge => Kind::Derived(Derived::Ge, l, r),
        Op::Ne => Kind::Derived(Derived::Ne, l, r),
    }
}
