//! Every expression of the table: its parts come before it and have the right types.

use crate::{BinaryOp, Expr, ExprId, ExprKind, Program, Type, TypeId, Types, UnaryOp};

pub(super) fn check(program: &Program) -> Result<(), String> {
    for (index, expr) in program.exprs.iter().enumerate() {
        let table = Table {
            program,
            before: index,
        };
        table
            .expr(expr)
            .map_err(|e| format!("expression {index} ({:?}): {e}", expr.kind))?;
    }
    Ok(())
}

/// The expressions before the one at hand.
struct Table<'a> {
    program: &'a Program,
    before: usize,
}

fn require(holds: bool, message: &str) -> Result<(), String> {
    if holds {
        Ok(())
    } else {
        Err(message.to_owned())
    }
}

impl Table<'_> {
    fn types(&self) -> &Types {
        &self.program.types
    }

    fn ty(&self, id: ExprId) -> Result<TypeId, String> {
        require(id.index() < self.before, "a part comes after the whole")?;
        Ok(self.program.ty(id))
    }

    fn has(&self, id: ExprId, ty: TypeId) -> Result<(), String> {
        let found = self.ty(id)?;
        if compatible(self.types(), found, ty) {
            return Ok(());
        }
        Err(format!(
            "expected `{}`, found `{}`",
            self.types().name(ty),
            self.types().name(found)
        ))
    }

    fn integer(&self, ty: TypeId) -> Result<(), String> {
        require(is_integer(self.types(), ty), "not an integer type")
    }

    fn expr(&self, expr: &Expr) -> Result<(), String> {
        let ty = expr.ty;
        let whole = self.types().get(ty);
        match &expr.kind {
            ExprKind::Bool(_) => require(ty == Types::BOOL, "a truth value of another type"),
            ExprKind::Int(n) => self.number(n.0, ty),
            ExprKind::NoTask | ExprKind::SelfTask => {
                require(ty == Types::TASK, "a task of another type")
            }
            // The procedure decides which locals there are.
            ExprKind::Local(_) => Ok(()),
            ExprKind::Global(g) => match self.program.globals.get(g.index()) {
                Some(global) => require(global.ty == ty, "not the global's type"),
                None => Err("no such global".into()),
            },
            ExprKind::Unary(op, e) => self.unary(*op, *e, ty),
            ExprKind::Binary(op, l, r) => self.binary(*op, *l, *r, ty),
            ExprKind::Ite(c, a, b) => {
                self.has(*c, Types::BOOL)?;
                self.has(*a, ty)?;
                self.has(*b, ty)
            }
            ExprKind::Index(base, index) => self.index(*base, *index, ty),
            ExprKind::Field(base, field) => match self.types().get(self.ty(*base)?) {
                Type::Record(r) => match r.fields.get(*field as usize) {
                    Some(&(_, t)) => require(t == ty, "not the field's type"),
                    None => Err("no such field".into()),
                },
                _ => Err("a field of what is no record".into()),
            },
            ExprKind::Record(values) => match whole {
                Type::Record(r) => {
                    require(r.fields.len() == values.len(), "not a value for each field")?;
                    values
                        .iter()
                        .zip(&r.fields)
                        .try_for_each(|(&v, &(_, t))| self.has(v, t))
                }
                _ => Err("a record of another type".into()),
            },
            ExprKind::Array(values) => match *whole {
                Type::Array(len, element) => {
                    require(len as usize == values.len(), "not a value for each element")?;
                    values.iter().try_for_each(|&v| self.has(v, element))
                }
                _ => Err("an array of another type".into()),
            },
            ExprKind::Fill(value) => match *whole {
                Type::Array(_, element) | Type::Map(_, element) => self.has(*value, element),
                _ => Err("a fill of another type".into()),
            },
            ExprKind::Convert(e) => {
                self.integer(ty)?;
                self.integer(self.ty(*e)?)
            }
            ExprKind::Finished(e) => {
                require(ty == Types::BOOL, "a truth value of another type")?;
                self.has(*e, Types::TASK)
            }
        }
    }

    fn number(&self, n: i128, ty: TypeId) -> Result<(), String> {
        let fits = match self.types().get(ty) {
            Type::Int => true,
            Type::Range(..) | Type::Bits(_) | Type::Enum(_) => self
                .types()
                .bounds(ty)
                .is_some_and(|(lo, hi)| lo <= n && n <= hi),
            _ => false,
        };
        require(fits, "a number that its type does not have")
    }

    fn unary(&self, op: UnaryOp, e: ExprId, ty: TypeId) -> Result<(), String> {
        self.has(e, ty)?;
        match op {
            UnaryOp::Not => require(ty == Types::BOOL, "not a truth value"),
            UnaryOp::Neg => self.arithmetic(ty),
            UnaryOp::BitNot => self.bits(ty),
        }
    }

    /// Arithmetic on ranges is arithmetic on `int`.
    fn arithmetic(&self, ty: TypeId) -> Result<(), String> {
        require(
            matches!(self.types().get(ty), Type::Int | Type::Bits(_)),
            "arithmetic on what is no number",
        )
    }

    fn bits(&self, ty: TypeId) -> Result<(), String> {
        require(
            matches!(self.types().get(ty), Type::Bits(_)),
            "bits of what is no machine integer",
        )
    }

    fn binary(&self, op: BinaryOp, l: ExprId, r: ExprId, ty: TypeId) -> Result<(), String> {
        let operands = self.ty(l)?;
        self.has(r, operands)?;
        let comparison = || require(ty == Types::BOOL, "a comparison is no truth value");
        match op {
            BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div | BinaryOp::Rem => {
                self.has(l, ty)?;
                self.arithmetic(ty)
            }
            BinaryOp::BitAnd
            | BinaryOp::BitOr
            | BinaryOp::BitXor
            | BinaryOp::Shl
            | BinaryOp::Shr => {
                self.has(l, ty)?;
                self.bits(ty)
            }
            BinaryOp::Lt | BinaryOp::Le => {
                comparison()?;
                self.integer(operands)
            }
            BinaryOp::Eq => comparison(),
            BinaryOp::And | BinaryOp::Or | BinaryOp::Implies => {
                comparison()?;
                require(
                    operands == Types::BOOL,
                    "a connective of what is no truth value",
                )
            }
        }
    }

    fn index(&self, base: ExprId, index: ExprId, ty: TypeId) -> Result<(), String> {
        match *self.types().get(self.ty(base)?) {
            Type::Array(_, element) => {
                self.integer(self.ty(index)?)?;
                require(element == ty, "not the elements' type")
            }
            Type::Map(key, value) => {
                self.has(index, key)?;
                require(value == ty, "not the elements' type")
            }
            _ => Err("an element of what is no array and no map".into()),
        }
    }
}

pub(super) fn is_integer(types: &Types, ty: TypeId) -> bool {
    matches!(types.get(ty), Type::Int | Type::Range(..) | Type::Bits(_))
}

/// Whether two types are equal, where `int` and ranges count as one.
pub(super) fn compatible(types: &Types, from: TypeId, to: TypeId) -> bool {
    from == to || (types.is_int(from) && types.is_int(to))
}
