//! Expressions: operators and their binding.

use super::{Parsed, Parser};
use crate::token::Tok;
use crate::tree::{BinaryOp, ExprId, ExprKind, UnaryOp};

/// An operator between two operands and how tightly it binds.
fn binary(tok: Tok) -> Option<(u8, BinaryOp)> {
    Some(match tok {
        Tok::OrOr => (1, BinaryOp::Or),
        Tok::AndAnd => (2, BinaryOp::And),
        Tok::Or => (3, BinaryOp::BitOr),
        Tok::Xor => (4, BinaryOp::BitXor),
        Tok::And => (5, BinaryOp::BitAnd),
        Tok::EqEq => (6, BinaryOp::Eq),
        Tok::NotEq => (6, BinaryOp::Ne),
        Tok::Less => (7, BinaryOp::Lt),
        Tok::Greater => (7, BinaryOp::Gt),
        Tok::LessEq => (7, BinaryOp::Le),
        Tok::GreaterEq => (7, BinaryOp::Ge),
        Tok::Shl => (8, BinaryOp::Shl),
        Tok::Shr => (8, BinaryOp::Shr),
        Tok::Plus => (9, BinaryOp::Add),
        Tok::Minus => (9, BinaryOp::Sub),
        Tok::Star => (10, BinaryOp::Mul),
        Tok::Slash => (10, BinaryOp::Div),
        Tok::Percent => (10, BinaryOp::Rem),
        _ => return None,
    })
}

/// The operator of an assignment: none for `=`.
fn assign(tok: Tok) -> Option<Option<BinaryOp>> {
    Some(match tok {
        Tok::Assign => None,
        Tok::MulAssign => Some(BinaryOp::Mul),
        Tok::DivAssign => Some(BinaryOp::Div),
        Tok::RemAssign => Some(BinaryOp::Rem),
        Tok::AddAssign => Some(BinaryOp::Add),
        Tok::SubAssign => Some(BinaryOp::Sub),
        Tok::ShlAssign => Some(BinaryOp::Shl),
        Tok::ShrAssign => Some(BinaryOp::Shr),
        Tok::AndAssign => Some(BinaryOp::BitAnd),
        Tok::XorAssign => Some(BinaryOp::BitXor),
        Tok::OrAssign => Some(BinaryOp::BitOr),
        _ => return None,
    })
}

impl Parser<'_> {
    /// `a, b`
    pub(super) fn expression(&mut self) -> Parsed<ExprId> {
        let mut left = self.assignment()?;
        while self.eat(Tok::Comma) {
            let right = self.assignment()?;
            left = self.joined(ExprKind::Comma(left, right), left, right)?;
        }
        Ok(left)
    }

    /// Adds an expression that reaches from one operand to another.
    fn joined(&mut self, kind: ExprKind, from: ExprId, to: ExprId) -> Parsed<ExprId> {
        let span = self.tree[from].span.to(self.tree[to].span);
        self.expr(kind, span)
    }

    /// `a = b`, and everything that binds more tightly
    pub(super) fn assignment(&mut self) -> Parsed<ExprId> {
        self.deeper(|p| {
            let left = p.conditional()?;
            let Some(op) = assign(p.tok()) else {
                return Ok(left);
            };
            p.advance();
            let right = p.assignment()?;
            p.joined(ExprKind::Assign(op, left, right), left, right)
        })
    }

    /// `c ? a : b`, and everything that binds more tightly
    pub(super) fn conditional(&mut self) -> Parsed<ExprId> {
        let condition = self.operators(1)?;
        if !self.eat(Tok::Question) {
            return Ok(condition);
        }
        self.deeper(|p| {
            let then = if p.tok() == Tok::Colon {
                None
            } else {
                Some(p.expression()?)
            };
            p.expect(Tok::Colon, "`:`")?;
            let other = p.conditional()?;
            p.joined(
                ExprKind::Conditional(condition, then, other),
                condition,
                other,
            )
        })
    }

    /// Reads operators of binding `least` or tighter. One loop takes the place of a function for each of ten levels.
    fn operators(&mut self, least: u8) -> Parsed<ExprId> {
        let mut left = self.cast()?;
        while let Some((binding, op)) = binary(self.tok()).filter(|&(b, _)| b >= least) {
            self.advance();
            let right = self.operators(binding + 1)?;
            left = self.joined(ExprKind::Binary(op, left, right), left, right)?;
        }
        Ok(left)
    }

    /// `(T)e`, `(T){ … }`, and everything that binds more tightly
    fn cast(&mut self) -> Parsed<ExprId> {
        if self.tok() != Tok::LParen {
            return self.unary();
        }
        // `(static T){ … }`
        let stored = matches!(
            self.next_tok(),
            Tok::Static | Tok::Register | Tok::ThreadLocal | Tok::Constexpr
        );
        if !stored && !self.type_follows() {
            return self.unary();
        }
        self.deeper(|p| {
            let start = p.here();
            p.advance();
            let (ty, inside) = p.measured(Self::type_name)?;
            p.expect(Tok::RParen, "`)`")?;
            if p.tok() == Tok::LBrace {
                let literal = p.compound(start, ty, inside)?;
                return p.postfix(literal);
            }
            if stored {
                return Err(p.expected("`{`"));
            }
            let value = p.cast()?;
            let span = p.since(start);
            p.expr_over(ExprKind::Cast(ty, value), span, inside)
        })
    }

    fn unary(&mut self) -> Parsed<ExprId> {
        let op = match self.tok() {
            Tok::Plus => UnaryOp::Plus,
            Tok::Minus => UnaryOp::Neg,
            Tok::Tilde => UnaryOp::BitNot,
            Tok::Not => UnaryOp::Not,
            Tok::Star => UnaryOp::Deref,
            Tok::And => UnaryOp::Address,
            Tok::PlusPlus | Tok::MinusMinus => return self.deeper(Self::step_before),
            Tok::Sizeof => return self.deeper(|p| p.size_of(true)),
            Tok::Alignof => return self.deeper(|p| p.size_of(false)),
            Tok::AndAnd => return self.label_address(),
            _ => return self.primary(),
        };
        self.deeper(|p| {
            let start = p.here();
            p.advance();
            let operand = p.cast()?;
            let span = p.since(start);
            p.expr(ExprKind::Unary(op, operand), span)
        })
    }

    fn step_before(&mut self) -> Parsed<ExprId> {
        let start = self.here();
        let up = self.tok() == Tok::PlusPlus;
        self.advance();
        let operand = self.unary()?;
        let span = self.since(start);
        let kind = ExprKind::Step {
            operand,
            up,
            before: true,
        };
        self.expr(kind, span)
    }

    /// `sizeof e`, `sizeof(T)`, `_Alignof(T)`
    fn size_of(&mut self, size: bool) -> Parsed<ExprId> {
        let start = self.here();
        self.advance();
        if self.tok() != Tok::LParen || !self.type_follows() {
            let value = self.unary()?;
            let span = self.since(start);
            let kind = if size {
                ExprKind::SizeofExpr(value)
            } else {
                ExprKind::AlignofExpr(value)
            };
            return self.expr(kind, span);
        }
        let open = self.here();
        self.advance();
        let (ty, inside) = self.measured(Self::type_name)?;
        self.expect(Tok::RParen, "`)`")?;
        if size && self.tok() == Tok::LBrace {
            let literal = self.compound(open, ty, inside)?;
            let value = self.postfix(literal)?;
            let span = self.since(start);
            return self.expr(ExprKind::SizeofExpr(value), span);
        }
        let kind = if size {
            ExprKind::SizeofType(ty)
        } else {
            ExprKind::AlignofType(ty)
        };
        let span = self.since(start);
        self.expr_over(kind, span, inside)
    }

    fn label_address(&mut self) -> Parsed<ExprId> {
        let start = self.here();
        self.advance();
        let label = self.name("a label")?;
        let span = self.since(start);
        self.expr(ExprKind::LabelAddress(label.symbol), span)
    }
}
