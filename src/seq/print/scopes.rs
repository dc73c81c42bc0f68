//! Where locals are declared: as late and as deep as their uses allow, with their first value where that is possible.
//!
//! When the text is read back, a declaration without a value is a choice. So a local gets a value where it is declared: the first
//! one that it gets anyway, or any constant where nothing better is at hand (it is never read).

use ir::walk::operands;
use ir::{Block, ExprId, ExprKind, LocalId, LoopId, Place, Program, Root, Stmt, StmtKind};

use super::super::walk;

/// The places where the locals of a block are declared.
pub struct Scope {
    /// Before which statement each local is declared, and whether that statement gives the first value.
    pub declared: Vec<(LocalId, usize, bool)>,
    /// Locals that belong to a block inside a statement: the local, the statement, the block inside it.
    pub inner: Vec<(LocalId, usize, usize)>,
}

/// Answers where locals are used.
pub struct Uses<'p> {
    program: &'p Program,
}

impl<'p> Uses<'p> {
    pub fn new(program: &'p Program) -> Self {
        Self { program }
    }

    /// Decides where to declare the locals that only this block uses.
    pub fn scope(&self, block: &Block, locals: &[LocalId]) -> Scope {
        let mut scope = Scope {
            declared: Vec::new(),
            inner: Vec::new(),
        };
        for &local in locals {
            let users: Vec<_> = (0..block.len())
                .filter(|&i| self.stmt(&block[i], local))
                .collect();
            let Some(&first) = users.first() else {
                continue;
            };
            match self
                .inside(&block[first], local)
                .filter(|_| users.len() == 1)
            {
                Some(inner) => scope.inner.push((local, first, inner)),
                None => scope
                    .declared
                    .push((local, first, self.defines(&block[first], local))),
            }
        }
        scope
    }

    /// The only block inside a statement that uses a local, if it may be declared there.
    fn inside(&self, stmt: &Stmt, local: LocalId) -> Option<usize> {
        if self.own(stmt, local) {
            return None;
        }
        let mut users = walk::children(stmt)
            .enumerate()
            .filter(|(_, b)| self.block(b, local));
        let (index, block) = users.next()?;
        if users.next().is_some() {
            return None;
        }
        // In a loop, a value must not be carried from one turn to the next.
        let first = block.iter().find(|s| self.stmt(s, local))?;
        let fresh = !matches!(stmt.kind, StmtKind::Loop(_)) || self.defines(first, local);
        fresh.then_some(index)
    }

    /// Whether a block gives a local a value in any case before it looks at it.
    pub fn fresh(&self, block: &[Stmt], local: LocalId) -> bool {
        let mut users = block.iter().filter(|s| self.stmt(s, local));
        let Some(first) = users.next() else {
            return true;
        };
        let mut inside = || {
            let mut blocks = walk::children(first);
            users.next().is_none()
                && !self.own(first, local)
                && blocks.all(|b| self.fresh(b, local))
        };
        self.defines(first, local) || inside()
    }

    /// Whether statements outside of a loop use a local.
    pub fn elsewhere(&self, block: &[Stmt], id: LoopId, local: LocalId) -> bool {
        block.iter().any(|stmt| match &stmt.kind {
            StmtKind::Loop(l) if l.id == id => false,
            _ => {
                self.own(stmt, local) || walk::children(stmt).any(|b| self.elsewhere(b, id, local))
            }
        })
    }

    fn block(&self, block: &Block, local: LocalId) -> bool {
        block.iter().any(|s| self.stmt(s, local))
    }

    /// Whether a statement, or one inside it, uses a local. Marks are not printed.
    pub fn stmt(&self, stmt: &Stmt, local: LocalId) -> bool {
        self.own(stmt, local) || walk::children(stmt).any(|b| self.block(b, local))
    }

    fn own(&self, stmt: &Stmt, local: LocalId) -> bool {
        if matches!(stmt.kind, StmtKind::Mark(..)) {
            return false;
        }
        target(stmt) == Some(local) || walk::exprs(stmt).iter().any(|&e| self.expr(e, local))
    }

    fn expr(&self, expr: ExprId, local: LocalId) -> bool {
        let expr = self.program.expr(expr);
        expr.kind == ExprKind::Local(local) || operands(expr).iter().any(|&e| self.expr(e, local))
    }

    /// Whether a statement gives a whole local a value without looking at it.
    fn defines(&self, stmt: &Stmt, local: LocalId) -> bool {
        let whole = match &stmt.kind {
            StmtKind::Assign(place, _) | StmtKind::Havoc(place, _) => whole(place) == Some(local),
            StmtKind::Call(to, ..) | StmtKind::Post(to, ..) => *to == Some(local),
            _ => false,
        };
        whole && !walk::exprs(stmt).iter().any(|&e| self.expr(e, local))
    }
}

/// The local that a statement stores into.
pub fn target(stmt: &Stmt) -> Option<LocalId> {
    match &stmt.kind {
        StmtKind::Assign(
            Place {
                root: Root::Local(local),
                ..
            },
            _,
        ) => Some(*local),
        StmtKind::Havoc(
            Place {
                root: Root::Local(local),
                ..
            },
            _,
        ) => Some(*local),
        StmtKind::Call(to, ..) | StmtKind::Post(to, ..) => *to,
        _ => None,
    }
}

/// The local, if the place is all of it.
fn whole(place: &Place) -> Option<LocalId> {
    match place.root {
        Root::Local(local) if place.path.is_empty() => Some(local),
        _ => None,
    }
}
