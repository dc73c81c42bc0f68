//! Expressions to which operators are applied, with the calls, indices and members after them.

use super::{Parsed, Parser};
use crate::token::Tok;
use crate::tree::{Choice, Designator, ExprId, ExprKind, List, Text, TypeNameId, UnaryOp, Width};
use crate::{literal, literal::Number};
use base::source::Span;

impl Parser<'_> {
    /// A name, a constant, something in brackets; with calls, indices and members after it.
    pub(super) fn primary(&mut self) -> Parsed<ExprId> {
        let start = self.here();
        let first = match self.tok() {
            Tok::Ident if matches!(self.text(), "__real__" | "__imag__") => {
                return self.part_of_complex();
            }
            Tok::Ident => {
                let kind = ExprKind::Name(self.now.symbol);
                self.advance();
                self.expr(kind, start)?
            }
            Tok::Number => self.number()?,
            Tok::Char => {
                let (width, values) = literal::characters(self.text());
                self.advance();
                let value = literal::char_value(width, &values);
                self.expr(ExprKind::Char(value, width), start)?
            }
            Tok::Text => self.strings()?,
            Tok::LParen => self.deeper(Self::in_brackets)?,
            Tok::Generic => self.deeper(Self::generic)?,
            Tok::Offsetof | Tok::VaArg | Tok::TypesCompatible | Tok::ChooseExpr => {
                self.deeper(Self::builtin)?
            }
            _ => return Err(self.expected("an expression")),
        };
        self.postfix(first)
    }

    fn part_of_complex(&mut self) -> Parsed<ExprId> {
        let start = self.here();
        let op = if self.text() == "__real__" {
            UnaryOp::Real
        } else {
            UnaryOp::Imag
        };
        self.advance();
        let operand = self.deeper(Self::primary)?;
        let span = self.since(start);
        self.expr(ExprKind::Unary(op, operand), span)
    }

    fn number(&mut self) -> Parsed<ExprId> {
        let span = self.here();
        let kind = match literal::number(self.text()) {
            Ok(Number::Int(value, suffix)) => ExprKind::Int(value, suffix),
            Ok(Number::Float(value, size)) => ExprKind::Float(value, size),
            Err(message) => {
                self.complain(span, message);
                ExprKind::Error
            }
        };
        self.advance();
        self.expr(kind, span)
    }

    /// `"a" "b"`
    fn strings(&mut self) -> Parsed<ExprId> {
        let start = self.here();
        let mut width = Width::Char;
        let mut all = Vec::new();
        while self.tok() == Tok::Text {
            let (this, values) = literal::characters(self.text());
            if this != Width::Char {
                width = this;
            }
            all.extend(values);
            self.advance();
        }
        let text = self.tree.texts(Text {
            width,
            values: all.into(),
        });
        let span = self.since(start);
        self.expr(ExprKind::Text(text), span)
    }

    /// `(e)`, `({ … })`
    fn in_brackets(&mut self) -> Parsed<ExprId> {
        let start = self.here();
        self.advance();
        if self.tok() != Tok::LBrace {
            let value = self.expression()?;
            self.expect(Tok::RParen, "`)`")?;
            return Ok(value);
        }
        let (block, inside) = self.measured(Self::block_in_expression)?;
        self.expect(Tok::RParen, "`)` after `}`")?;
        let span = self.since(start);
        self.expr_over(ExprKind::Block(block), span, inside)
    }

    /// `{ … }` after a type in brackets.
    pub(super) fn compound(&mut self, start: Span, ty: TypeNameId, inside: u16) -> Parsed<ExprId> {
        let (init, height) = self.measured(Self::initializer)?;
        let span = self.since(start);
        self.expr_over(ExprKind::Compound(ty, init), span, inside.max(height))
    }

    /// Calls, indices, members and steps after an expression.
    pub(super) fn postfix(&mut self, mut value: ExprId) -> Parsed<ExprId> {
        let start = self.tree[value].span;
        loop {
            let kind = match self.tok() {
                Tok::LParen => {
                    self.advance();
                    let args = self.deeper(Self::arguments)?;
                    ExprKind::Call(value, args)
                }
                Tok::ByTypes => {
                    self.advance();
                    let named = |e: ExprId| matches!(self.tree[e].kind, ExprKind::Name(_));
                    if !matches!(self.tree[value].kind, ExprKind::Call(f, _) if named(f)) {
                        self.skip_brackets();
                        continue;
                    }
                    self.expect(Tok::LParen, "`(`")?;
                    let written = self.deeper(Self::assignment)?;
                    self.expect(Tok::RParen, "`)`")?;
                    ExprKind::ByTypes(value, written)
                }
                Tok::LBracket => {
                    self.advance();
                    let index = self.deeper(Self::expression)?;
                    self.expect(Tok::RBracket, "`]`")?;
                    ExprKind::Index(value, index)
                }
                Tok::Dot => {
                    self.advance();
                    ExprKind::Member(value, self.name("the name of a member")?.symbol)
                }
                Tok::Arrow => {
                    self.advance();
                    ExprKind::Arrow(value, self.name("the name of a member")?.symbol)
                }
                Tok::PlusPlus | Tok::MinusMinus => {
                    let up = self.tok() == Tok::PlusPlus;
                    self.advance();
                    ExprKind::Step {
                        operand: value,
                        up,
                        before: false,
                    }
                }
                _ => return Ok(value),
            };
            let span = self.since(start);
            value = self.expr(kind, span)?;
        }
    }

    fn arguments(&mut self) -> Parsed<List<ExprId>> {
        let mut args = Vec::new();
        if self.eat(Tok::RParen) {
            return Ok(List::default());
        }
        loop {
            args.push(self.assignment()?);
            if !self.eat(Tok::Comma) {
                break;
            }
        }
        self.expect(Tok::RParen, "`,` or `)`")?;
        Ok(self.tree.list(args))
    }

    /// `_Generic(e, T: a, default: b)`
    fn generic(&mut self) -> Parsed<ExprId> {
        let start = self.here();
        self.advance();
        self.expect(Tok::LParen, "`(` after `_Generic`")?;
        let value = self.assignment()?;
        let mut choices = Vec::new();
        while self.eat(Tok::Comma) {
            let ty = if self.eat(Tok::Default) {
                None
            } else {
                Some(self.type_name()?)
            };
            self.expect(Tok::Colon, "`:`")?;
            let value = self.assignment()?;
            choices.push(Choice { ty, value });
        }
        self.expect(Tok::RParen, "`,` or `)`")?;
        let choices = self.tree.list(choices);
        let span = self.since(start);
        self.expr(ExprKind::Generic(value, choices), span)
    }

    /// Functions of the compiler whose arguments are no expressions.
    fn builtin(&mut self) -> Parsed<ExprId> {
        let start = self.here();
        let word = self.tok();
        self.advance();
        self.expect(Tok::LParen, "`(`")?;
        let (kind, inside) = self.measured(|p| p.builtin_arguments(word))?;
        self.expect(Tok::RParen, "`)`")?;
        let span = self.since(start);
        self.expr_over(kind, span, inside)
    }

    fn builtin_arguments(&mut self, word: Tok) -> Parsed<ExprKind> {
        Ok(match word {
            Tok::Offsetof => {
                let ty = self.type_name()?;
                self.expect(Tok::Comma, "`,`")?;
                let mut steps = vec![Designator::Field(self.name("a member")?)];
                steps.extend(self.designators()?);
                ExprKind::Offsetof(ty, self.tree.list(steps))
            }
            Tok::VaArg => {
                let list = self.assignment()?;
                self.expect(Tok::Comma, "`,`")?;
                ExprKind::VaArg(list, self.type_name()?)
            }
            Tok::TypesCompatible => {
                let first = self.type_name()?;
                self.expect(Tok::Comma, "`,`")?;
                ExprKind::TypesCompatible(first, self.type_name()?)
            }
            _ => {
                let condition = self.assignment()?;
                self.expect(Tok::Comma, "`,`")?;
                let then = self.assignment()?;
                self.expect(Tok::Comma, "`,`")?;
                ExprKind::Choose(condition, then, self.assignment()?)
            }
        })
    }
}
