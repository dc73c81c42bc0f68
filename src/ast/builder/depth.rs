//! How deep the tree is below a node, from the depths of its children.

use super::Builder;
use crate::tree::*;

impl Builder<'_> {
    fn depth_of_expr(&self, id: ExprId) -> u16 {
        self.expr_depth[id.0 as usize]
    }

    fn depth_of_exprs(&self, list: ExprList) -> u16 {
        self.ast
            .expr_list(list)
            .iter()
            .map(|&e| self.depth_of_expr(e))
            .max()
            .unwrap_or(0)
    }

    fn depth_of_block(&self, block: Block) -> u16 {
        self.ast
            .stmt_list(block.stmts)
            .iter()
            .map(|&s| self.stmt_depth[s.0 as usize])
            .max()
            .unwrap_or(0)
    }

    /// How deep the tree is below an expression of this kind.
    pub(super) fn depth_below_expr(&self, kind: &ExprKind) -> u16 {
        use ExprKind::*;
        let of = |id| self.depth_of_expr(id);
        match *kind {
            Error | Star | Bool(_) | Int(_) | Name(_) => 0,
            Paren(e) | Unary(_, e) | Field(e, _) | Fill(e) | Convert(_, e) => of(e),
            Binary(_, a, b) | Index(a, b) | ArrayRepeat(a, b) => of(a).max(of(b)),
            IfThenElse(a, b, c) => of(a).max(of(b)).max(of(c)),
            ArrayLit(list) | Apply(_, list) => self.depth_of_exprs(list),
            Type(ty) => self.type_depth[ty.0 as usize],
            Method(e, _, list) => of(e).max(self.depth_of_exprs(list)),
            RecordLit(_, inits) => self
                .ast
                .inits(inits)
                .iter()
                .map(|i| of(i.value))
                .max()
                .unwrap_or(0),
        }
    }

    /// The depth of statements below one of this kind: expressions have their own bound.
    pub(super) fn depth_below_stmt(&self, kind: &StmtKind) -> u16 {
        match *kind {
            StmtKind::If(_, then, otherwise) => {
                let other = otherwise.map_or(0, |s| self.stmt_depth[s.0 as usize]);
                self.depth_of_block(then).max(other)
            }
            StmtKind::While(_, block)
            | StmtKind::For(_, _, _, block)
            | StmtKind::Block(block)
            | StmtKind::Await(_, Some(block))
            | StmtKind::Atomic(block) => self.depth_of_block(block),
            _ => 0,
        }
    }

    pub(super) fn depth_below_type(&self, kind: &TypeKind) -> u16 {
        let of = |id: TypeId| self.type_depth[id.0 as usize];
        match *kind {
            TypeKind::Record(fields) => self
                .ast
                .fields(fields)
                .iter()
                .map(|f| of(f.ty))
                .max()
                .unwrap_or(0),
            TypeKind::Array(_, t) | TypeKind::Bracket(_, t) => of(t),
            TypeKind::Map(k, t) => of(k).max(of(t)),
            TypeKind::Named(_, args) => self.depth_of_exprs(args),
            _ => 0,
        }
    }
}
