//! Constants: evaluated when first needed, each once, whatever their order.

use ast::{tree, tree::Name};
use base::diagnostic::Diagnostic;
use base::source::Span;
use ir::{ExprId, TypeId};

use super::Checker;
use super::body::{Body, Place};
use super::items::ConstIndex;
use super::names::{Bound, Found, Names};
use super::typed::{Effects, NodeId, Ty};

/// A constant of the program.
#[derive(Clone, Debug)]
pub(super) struct Const {
    module: usize,
    name: Name,
    ty: Option<tree::TypeId>,
    value: tree::ExprId,
    state: State,
}

#[derive(Clone, Copy, Debug)]
enum State {
    Waiting,
    Busy,
    Done(ExprId),
    Failed,
}

impl Const {
    pub(super) fn new(
        module: usize,
        name: Name,
        ty: Option<tree::TypeId>,
        value: tree::ExprId,
    ) -> Self {
        Self {
            module,
            name,
            ty,
            value,
            state: State::Waiting,
        }
    }
}

impl Checker<'_> {
    /// Evaluates all constants, also those that nothing uses.
    pub(super) fn evaluate_constants(&mut self) {
        for index in 0..self.consts.len() as u32 {
            self.const_value(ConstIndex(index));
        }
    }

    pub(super) fn const_value(&mut self, index: ConstIndex) -> Option<ExprId> {
        let constant = &mut self.consts[index.index()];
        let name = constant.name;
        match constant.state {
            State::Done(value) => Some(value),
            State::Failed => None,
            State::Busy => {
                constant.state = State::Failed;
                let text = self.modules[self.consts[index.index()].module]
                    .ast
                    .text(name.symbol)
                    .to_owned();
                self.report(
                    Diagnostic::error(
                        "recursive-constant",
                        name.span,
                        format!("the constant `{text}` needs itself"),
                    )
                    .label("its value depends on its value"),
                );
                None
            }
            State::Waiting => {
                constant.state = State::Busy;
                let value = self.evaluate(index);
                let state = &mut self.consts[index.index()].state;
                // A cycle through this constant has made it fail already.
                if let State::Failed = state {
                    return None;
                }
                *state = value.map_or(State::Failed, State::Done);
                value
            }
        }
    }

    fn evaluate(&mut self, index: ConstIndex) -> Option<ExprId> {
        let Const {
            module,
            name,
            ty,
            value,
            ..
        } = self.consts[index.index()].clone();
        let names = std::mem::replace(&mut self.names, Names::new(module, None));
        let result = if self.too_deep(name) {
            None
        } else {
            self.depth += 1;
            let ty = ty.map(|ty| self.value_type(ty, "a constant"));
            let result = if ty == Some(None) {
                None
            } else {
                self.constant(value, ty.flatten())
            };
            self.depth -= 1;
            result
        };
        self.names = names;
        result
    }

    /// The value of a constant expression, of that type if one is given.
    pub(super) fn constant(&mut self, expr: tree::ExprId, ty: Option<TypeId>) -> Option<ExprId> {
        let broken = std::mem::replace(&mut self.broken, false);
        let mark = self.nodes.len();
        let node = self.typed(expr, ty);
        let value = if self.broken {
            None
        } else {
            self.constant_node(node, ty)
        };
        self.nodes.truncate(mark);
        self.broken |= broken;
        value
    }

    /// The value of a typed expression that must be constant.
    fn constant_node(&mut self, node: NodeId, ty: Option<TypeId>) -> Option<ExprId> {
        let effects = self.effects(node);
        if effects.has(Effects::CHOOSES.and(Effects::READS).and(Effects::LOCAL)) {
            self.not_constant(node);
            return None;
        }
        let body = std::mem::replace(&mut self.body, Body::new(Place::Constant));
        let value = match ty {
            Some(ty) => self.lower_into(node, ty),
            None => self.lower(node).id,
        };
        self.body = body;
        if self.build.is_constant(value) {
            return Some(value).filter(|_| !self.broken);
        }
        if !effects.has(Effects::UNKNOWN) && !self.broken {
            // All operands are known, and operators on known operands are folded unless the result is too large.
            let span = self.span(node);
            self.report(
                Diagnostic::error(
                    "constant-overflow",
                    span,
                    "the value of a constant does not fit into 128 bits",
                )
                .label("too large"),
            );
        }
        None
    }

    fn not_constant(&mut self, node: NodeId) {
        let span = self.nodes[node.0 as usize].span;
        self.report(
            Diagnostic::error("not-constant", span, "a constant expression is needed here")
                .label("this is known only when the program runs")
                .note("literals, constants, members of enums and operators on them are constant"),
        );
    }

    /// The value of a constant expression of type `int` (or another integer type).
    pub(super) fn constant_int(&mut self, expr: tree::ExprId) -> Option<i128> {
        let value = self.constant(expr, None)?;
        let span = self.modules[self.names.module].ast.expr(expr).span;
        self.known_int(value, span)
    }

    fn known_int(&mut self, value: ExprId, span: Span) -> Option<i128> {
        let ty = self.build.ty(value);
        if self.is_integer(ty) {
            return self.build.literal(value);
        }
        self.expected_number(Ty::Value(ty), span);
        None
    }

    /// The number that a name stands for, where a number must be known.
    pub(super) fn constant_named(&mut self, name: Name) -> Option<i128> {
        match self.find(name.symbol) {
            None => self.unknown_value(name.symbol, name.span),
            Some(Found::Const(index)) => {
                let value = self.const_value(index)?;
                return self.known_int(value, name.span);
            }
            Some(Found::Known(value)) => return self.known_int(value, name.span),
            Some(Found::Bad | Found::Unknown(_) | Found::Bound(Bound::Bad)) => {}
            Some(_) => self.report(
                Diagnostic::error(
                    "not-constant",
                    name.span,
                    "a constant expression is needed here",
                )
                .label(format!("`{}` is no constant", self.text(name))),
            ),
        }
        None
    }
}
