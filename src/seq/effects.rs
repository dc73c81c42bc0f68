//! The effects of the original program's statements on its globals.

use ir::{BinaryOp, Expr, ExprId, ExprKind, GlobalId, Program, Root, Stmt, StmtKind};

use super::versions::{Role, Versions};
use super::walk;

/// Whether a global is read or written.
///
/// Operands that are not evaluated are not read: `done || x > 0` reads `x` only if it must.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Touch {
    #[default]
    No,
    /// It depends on the values of operands.
    Maybe,
    /// Yes, whenever this is executed.
    Yes,
}

impl Touch {
    /// The touch of two things that both happen.
    fn and(self, other: Self) -> Self {
        match (self, other) {
            (Self::Yes, _) | (_, Self::Yes) => Self::Yes,
            (Self::No, Self::No) => Self::No,
            _ => Self::Maybe,
        }
    }

    /// The touch of one of two things, where it is not known which one happens.
    fn or(self, other: Self) -> Self {
        if self == other { self } else { Self::Maybe }
    }
}

/// Which expressions read globals, and which globals tasks write.
pub struct Effects {
    reads: Vec<Touch>,
    /// The globals that a task may write: the fields of the record of globals, in order. The others keep their
    /// initial values while tasks run, so they need no guesses.
    pub shared: Vec<GlobalId>,
    field_of: Vec<Option<u32>>,
}

impl Effects {
    /// Finds the effects in a whole program.
    pub fn of(program: &Program, versions: &Versions) -> Self {
        let mut reads: Vec<Touch> = Vec::with_capacity(program.exprs.len());
        for expr in &program.exprs {
            reads.push(reads_of(expr, &reads));
        }
        let mut field_of = vec![None; program.globals.len()];
        for version in versions.list.iter().filter(|v| v.role != Role::Final) {
            walk::each(&program.proc(version.proc).body, &mut |stmt| {
                if let Some(global) = written(stmt) {
                    field_of[global.index()] = Some(0);
                }
            });
        }
        let shared: Vec<_> = (0u32..)
            .map(GlobalId)
            .zip(&field_of)
            .filter(|(_, f)| f.is_some())
            .map(|(g, _)| g)
            .collect();
        for (field, global) in (0u32..).zip(&shared) {
            field_of[global.index()] = Some(field);
        }
        Self {
            reads,
            shared,
            field_of,
        }
    }

    /// The field of a global in the record, if a task may write it.
    pub fn field(&self, global: GlobalId) -> Option<u32> {
        self.field_of[global.index()]
    }

    /// The field that a statement may write.
    pub fn written(&self, stmt: &Stmt) -> Option<u32> {
        written(stmt).and_then(|global| self.field(global))
    }

    /// Whether an expression reads a global.
    pub fn reads(&self, expr: ExprId) -> Touch {
        self.reads[expr.index()]
    }

    /// Whether a statement reads or writes a global in its own expressions, not counting the statements inside it.
    /// The test of a loop is left out, because it has a node of its own in the graph.
    pub fn touches(&self, stmt: &Stmt) -> Touch {
        match &stmt.kind {
            StmtKind::Post(..) | StmtKind::Await(_) => return Touch::Yes,
            StmtKind::Loop(_) => return Touch::No,
            StmtKind::Assign(place, _) | StmtKind::Havoc(place, _)
                if matches!(place.root, Root::Global(_)) =>
            {
                return Touch::Yes;
            }
            _ => {}
        }
        walk::exprs(stmt)
            .iter()
            .fold(Touch::No, |touch, &e| touch.and(self.reads(e)))
    }
}

/// Whether an expression reads a global, from what is known of its operands.
fn reads_of(expr: &Expr, reads: &[Touch]) -> Touch {
    let of = |e: ExprId| reads[e.index()];
    match expr.kind {
        ExprKind::Global(_) => Touch::Yes,
        ExprKind::Binary(BinaryOp::And | BinaryOp::Or | BinaryOp::Implies, a, b) => {
            of(a).and(of(b).or(Touch::No))
        }
        ExprKind::Ite(c, a, b) => of(c).and(of(a).or(of(b))),
        _ => walk::operands(expr)
            .iter()
            .fold(Touch::No, |touch, &e| touch.and(of(e))),
    }
}

fn written(stmt: &Stmt) -> Option<GlobalId> {
    match &stmt.kind {
        StmtKind::Assign(place, _) | StmtKind::Havoc(place, _) => match place.root {
            Root::Global(global) => Some(global),
            Root::Local(_) => None,
        },
        _ => None,
    }
}
