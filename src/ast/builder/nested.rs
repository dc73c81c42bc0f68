//! Builds types and expressions that nest. They are read from the left: the parser's stack does not grow with the nesting.

use super::{BracketKey, Builder, Chain, Mark, Stacks, height, settle};
use crate::MAX_DEPTH;
use crate::lexer::TooDeep;
use crate::literal;
use crate::tree::*;
use base::source::Span;

/// The result of an action of the grammar that can fail.
type Stop<R, T> = Result<R, lalrpop_util::ParseError<u32, T, TooDeep>>;

impl Builder<'_> {
    /// `enum { A, B }`
    pub fn enumeration(&mut self, mark: Mark, start: u32, end: u32) -> TypeId {
        let names = self.names(mark);
        self.ty(TypeKind::Enum(names), start, end)
    }

    /// `record { f: T }`
    pub fn record(&mut self, mark: Mark, start: u32, end: u32) -> TypeId {
        let fields = self.fields(mark);
        self.ty(TypeKind::Record(fields), start, end)
    }

    /// `lo..hi`
    pub fn range(&mut self, low: Chain, high: ExprId) -> TypeKind {
        TypeKind::Range(self.finish(low), high)
    }

    /// The first `[key]` of a type.
    pub fn first_bracket(&mut self, key: BracketKey, start: u32) -> Mark {
        self.stacks.brackets.push((key, start));
        Mark(height(&self.stacks.brackets) - 1)
    }

    /// Another `[key]` of a type.
    ///
    /// # Errors
    /// When there are too many.
    pub fn next_bracket<T>(&mut self, mark: Mark, key: BracketKey, start: u32) -> Stop<Mark, T> {
        self.stacks.brackets.push((key, start));
        self.bounded(mark, self.stacks.brackets.len(), start)
    }

    /// `[k1][k2]T` from its brackets and its `T`.
    pub fn bracket_type(&mut self, mark: Mark, element: TypeId) -> TypeId {
        let end = self.ast.ty(element).span.end;
        let mut ty = element;
        while self.stacks.brackets.len() > mark.0 as usize {
            let Some((key, start)) = self.stacks.brackets.pop() else {
                break;
            };
            let kind = match key {
                BracketKey::Type(key) => TypeKind::Map(key, ty),
                BracketKey::Expr(key) => match self.ast.expr(key) {
                    Expr {
                        kind: ExprKind::Name(symbol),
                        span,
                    } => TypeKind::Bracket(Name { symbol, span }, ty),
                    _ => TypeKind::Array(key, ty),
                },
            };
            ty = self.ty(kind, start, end);
        }
        ty
    }

    fn bounded<T>(&mut self, mark: Mark, height: usize, start: u32) -> Stop<Mark, T> {
        if height - mark.0 as usize > MAX_DEPTH {
            let error = TooDeep(Span::new(start, start + 1));
            return Err(lalrpop_util::ParseError::User { error });
        }
        Ok(mark)
    }

    // ---- Expressions ----

    /// The first operator before an operand.
    pub fn first_prefix(&mut self, op: UnaryOp, start: u32) -> Mark {
        self.stacks.prefixes.push((op, start));
        Mark(height(&self.stacks.prefixes) - 1)
    }

    /// Another operator before an operand.
    ///
    /// # Errors
    /// When there are too many.
    pub fn next_prefix<T>(&mut self, mark: Mark, op: UnaryOp, start: u32) -> Stop<Mark, T> {
        self.stacks.prefixes.push((op, start));
        self.bounded(mark, self.stacks.prefixes.len(), start)
    }

    /// `!!-x` from its operators and its operand.
    pub fn unary(&mut self, mark: Mark, operand: ExprId) -> ExprId {
        let end = self.ast.expr(operand).span.end;
        let mut expr = operand;
        while self.stacks.prefixes.len() > mark.0 as usize {
            let Some((op, start)) = self.stacks.prefixes.pop() else {
                break;
            };
            expr = self.expr(ExprKind::Unary(op, expr), start, end);
        }
        expr
    }

    /// `e[i]`, `e.f`, `e.op()`
    pub fn suffix(&mut self, kind: ExprKind, base: ExprId, end: u32) -> ExprId {
        let start = self.ast.expr(base).span.start;
        self.expr(kind, start, end)
    }

    /// The first operand of a chain.
    pub fn begin(&mut self, operand: ExprId) -> Chain {
        let chain = Chain {
            operands: height(&self.stacks.operands),
            operators: height(&self.stacks.operators),
        };
        self.stacks.operands.push(operand);
        chain
    }

    /// Another operator and operand of a chain.
    pub fn extend(&mut self, chain: Chain, op: BinaryOp, operand: ExprId) -> Chain {
        while let Some(&before) = self.stacks.operators[chain.operators as usize..].last() {
            if before.precedence() < op.precedence()
                || (before == BinaryOp::Implies && op == BinaryOp::Implies)
            {
                break;
            }
            if before.is_comparison() && op.is_comparison() {
                self.chained_comparison(before, op, operand);
            }
            self.combine();
        }
        self.stacks.operators.push(op);
        self.stacks.operands.push(operand);
        chain
    }

    /// Joins the last two operands.
    fn combine(&mut self) {
        let Stacks {
            operands,
            operators,
            ..
        } = &mut self.stacks;
        if let (Some(op), Some(right), Some(left)) =
            (operators.pop(), operands.pop(), operands.pop())
        {
            let span = self.ast.expr(left).span.to(self.ast.expr(right).span);
            let id = self.expr(ExprKind::Binary(op, left, right), span.start, span.end);
            self.stacks.operands.push(id);
        }
    }

    /// Ends a chain and returns its expression.
    pub fn finish(&mut self, chain: Chain) -> ExprId {
        while self.stacks.operators.len() > chain.operators as usize {
            self.combine();
        }
        let id = self.stacks.operands[chain.operands as usize];
        self.stacks.operands.truncate(chain.operands as usize);
        id
    }

    pub fn number(&mut self, start: u32, end: u32) -> ExprId {
        match literal::number(self.slice(start, end)) {
            Ok(value) => {
                let id = IntId(height(&self.ast.ints));
                self.ast.ints.push(value);
                self.expr(ExprKind::Int(id), start, end)
            }
            Err(message) => {
                self.error(start, end, message);
                self.expr(ExprKind::Error, start, end)
            }
        }
    }

    pub fn string(&mut self, start: u32, end: u32) -> StringId {
        let text = literal::string(self.slice(start, end)).unwrap_or_else(|message| {
            self.error(start, end, message);
            String::new()
        });
        self.ast.strings.push(text);
        StringId(height(&self.ast.strings) - 1)
    }

    /// `Name { f: e }`
    pub fn record_literal(&mut self, name: Name, mark: Mark, start: u32, end: u32) -> ExprId {
        let (from, len) = settle(&mut self.stacks.inits, mark, &mut self.ast.init_pool);
        self.expr(
            ExprKind::RecordLit(name, InitList { start: from, len }),
            start,
            end,
        )
    }
}
