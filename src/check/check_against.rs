//! Typing expressions top-down: the place gives its type to open expressions.

use base::diagnostic::Diagnostic;
use ir::{BinaryOp, Type, TypeId, Types, UnaryOp};

use super::Checker;
use super::typed::{Kind, NodeId, Ty};
use ir::lower::build::read_as;

impl Checker<'_> {
    /// Gives a node the type that its place asks for: open parts take it, others must have it.
    pub(super) fn check_against(&mut self, node: NodeId, ty: TypeId) {
        match self.ty(node) {
            Ty::Error => {}
            Ty::Value(found) => {
                if !self.compatible(found, ty) {
                    self.mismatch(node, found, ty);
                }
            }
            Ty::Number | Ty::Any | Ty::Literal => self.push_open(node, ty),
        }
    }

    /// Whether a value of one type may be stored in a place of another (perhaps after a check of its range).
    pub(super) fn compatible(&self, from: TypeId, to: TypeId) -> bool {
        from == to || (self.build.types().is_int(from) && self.build.types().is_int(to))
    }

    fn push_open(&mut self, node: NodeId, ty: TypeId) {
        // The node takes the type even if it does not fit: one complaint is enough.
        self.nodes[node.0 as usize].ty = Ty::Value(ty);
        match self.nodes[node.0 as usize].kind.clone() {
            Kind::Star => self.choice(node, ty),
            Kind::Number(value) => self.number(node, value, ty),
            Kind::Unary(op, operand) => {
                if self.operator_type(node, ty, op == UnaryOp::BitNot) {
                    self.check_against(operand, read_as(self.build.types(), ty));
                }
            }
            Kind::Binary(op, l, r) => {
                if self.operator_type(node, ty, is_bitwise(op)) {
                    let ty = read_as(self.build.types(), ty);
                    self.check_against(l, ty);
                    self.check_against(r, ty);
                }
            }
            Kind::Ite(_, yes, no) => {
                self.check_against(yes, ty);
                self.check_against(no, ty);
                self.nodes[node.0 as usize].ty = Ty::Value(read_as(self.build.types(), ty));
            }
            Kind::Array(elements) => self.array_elements(node, &elements, ty),
            Kind::Repeat(value, len) => self.repeated_element(node, value, len, ty),
            Kind::Fill(value) => match self.element_type(ty) {
                Some(element) => self.check_against(value, element),
                None => self.expected(node, "an array or a map", ty),
            },
            _ => unreachable!("only literals and operators on them are open"),
        }
    }

    /// Whether the result of an operator can have a type. Its operands then have the same type.
    fn operator_type(&mut self, node: NodeId, ty: TypeId, bitwise: bool) -> bool {
        let fits = if bitwise {
            matches!(self.build.types().get(ty), Type::Bits(_))
        } else {
            self.is_integer(ty)
        };
        if fits {
            self.nodes[node.0 as usize].ty = Ty::Value(read_as(self.build.types(), ty));
        } else if bitwise {
            self.expected_bits(node, ty);
        } else {
            self.expected(node, "a number", ty);
        }
        fits
    }

    fn choice(&mut self, node: NodeId, ty: TypeId) {
        if self.has_tasks(ty) {
            self.report(
                Diagnostic::error("task-choice", self.span(node), "`*` cannot choose a task")
                    .label(format!(
                        "a value of type `{}` is needed here",
                        self.build.types().name(ty)
                    ))
                    .note("`t := post p(…)` is how a task's handle comes into being"),
            );
        }
    }

    fn number(&mut self, node: NodeId, value: i128, ty: TypeId) {
        if !self.is_integer(ty) {
            self.expected(node, "a number", ty);
            return;
        }
        let read = read_as(self.build.types(), ty);
        self.nodes[node.0 as usize].ty = Ty::Value(read);
        if let (Type::Bits(_), Some((lo, hi))) =
            (self.build.types().get(ty), self.build.types().bounds(ty))
            && !(lo..=hi).contains(&value)
        {
            let name = self.build.types().name(ty);
            self.report(
                Diagnostic::error(
                    "literal-range",
                    self.span(node),
                    format!("`{value}` does not fit into `{name}`"),
                )
                .label(format!("must be from {lo} to {hi}"))
                .note(format!("`{name}({value})` keeps the low bits only")),
            );
        }
    }

    fn array_elements(&mut self, node: NodeId, elements: &[NodeId], ty: TypeId) {
        let &Type::Array(len, element) = self.build.types().get(ty) else {
            self.expected(node, "an array", ty);
            return;
        };
        self.literal_length(node, elements.len() as u32, len);
        for &e in elements {
            self.check_against(e, element);
        }
    }

    fn repeated_element(&mut self, node: NodeId, value: NodeId, count: u32, ty: TypeId) {
        let &Type::Array(len, element) = self.build.types().get(ty) else {
            self.expected(node, "an array", ty);
            return;
        };
        self.literal_length(node, count, len);
        self.check_against(value, element);
    }

    fn literal_length(&mut self, node: NodeId, found: u32, needed: u32) {
        if found != needed {
            self.report(
                Diagnostic::error(
                    "type-mismatch",
                    self.span(node),
                    format!("an array of {needed} elements is needed, and this one has {found}"),
                )
                .label("wrong length"),
            );
        }
    }

    /// Gives an open node a type of its own: numbers become `int`, literals take the type of their elements.
    pub(super) fn settle(&mut self, node: NodeId) {
        match self.ty(node) {
            Ty::Error | Ty::Value(_) => {}
            Ty::Number => self.check_against(node, Types::INT),
            Ty::Any => self.cannot_tell(node, "`*`"),
            Ty::Literal => self.settle_literal(node),
        }
    }

    fn settle_literal(&mut self, node: NodeId) {
        match self.nodes[node.0 as usize].kind.clone() {
            Kind::Array(elements) => {
                let len = elements.len() as u32;
                match self.element_by_itself(&elements) {
                    Some(element) => self.push_array(node, len, element),
                    None => self.unsettled(node),
                }
            }
            Kind::Repeat(value, len) => match self.element_by_itself(&[value]) {
                Some(element) => self.push_array(node, len, element),
                None => self.unsettled(node),
            },
            Kind::Ite(_, yes, no) => {
                let (first, second) = if self.ty(yes) == Ty::Any {
                    (no, yes)
                } else {
                    (yes, no)
                };
                self.settle(first);
                if let Ty::Value(ty) = self.ty(first) {
                    self.check_against(second, ty);
                }
                self.nodes[node.0 as usize].ty = self.ty(first);
            }
            _ => self.cannot_tell(node, "`[…; _]`"),
        }
    }

    fn push_array(&mut self, node: NodeId, len: u32, element: TypeId) {
        let ty = self.intern(Type::Array(len, element));
        self.check_against(node, ty);
    }

    /// The type of the elements of a literal array: that of the first one that has a type.
    fn element_by_itself(&mut self, elements: &[NodeId]) -> Option<TypeId> {
        let known = elements.iter().find_map(|&e| match self.ty(e) {
            Ty::Value(ty) => Some(read_as(self.build.types(), ty)),
            _ => None,
        });
        if known.is_some() {
            return known;
        }
        if elements.iter().any(|&e| self.ty(e) == Ty::Number) {
            return Some(Types::INT);
        }
        let &first = elements.iter().find(|&&e| self.ty(e) != Ty::Error)?;
        self.settle(first);
        match self.ty(first) {
            Ty::Value(ty) => Some(ty),
            _ => None,
        }
    }

    fn unsettled(&mut self, node: NodeId) {
        self.broken = true;
        self.nodes[node.0 as usize].ty = Ty::Error;
    }

    fn cannot_tell(&mut self, node: NodeId, what: &str) {
        self.report(
            Diagnostic::undeclared(
                "unknown-choice-type",
                self.span(node),
                format!("the type of {what} cannot be told"),
            )
            .label("no place here asks for a type")
            .note("store it in a variable of the type that is meant"),
        );
        self.unsettled(node);
    }
}

fn is_bitwise(op: BinaryOp) -> bool {
    matches!(
        op,
        BinaryOp::BitAnd | BinaryOp::BitOr | BinaryOp::BitXor | BinaryOp::Shl | BinaryOp::Shr
    )
}
