//! Loops for languages that have only `while`, and `break` and `continue` of the innermost one.
//!
//! `loop { pre; if !cond { break }; body; 'continue: step }` becomes a loop with
//! neither `pre` nor `step`; leaving an outer loop becomes a flag.

use crate::{
    Block, ExprKind, Local, LocalId, Loop, LoopId, Place, Proc, Program, Stmt, StmtKind, Types,
    UnaryOp, checked,
};
use thin_vec::thin_vec;

/// The program with such loops only.
#[must_use]
pub fn of(program: &Program) -> Program {
    let mut plain = program.clone();
    plain.procs = (program.procs.iter())
        .map(|proc| self::proc(&mut plain, proc))
        .collect();
    checked(plain, "making loops plain")
}

/// A procedure whose loops have no `pre` and no `step`, and are left from inside themselves only. Adds expressions to
/// the program.
fn proc(program: &mut Program, proc: &Proc) -> Proc {
    let mut lowering = Lowering {
        program,
        locals: proc.locals.clone(),
        loops: Vec::new(),
    };
    let body = lowering.block(&proc.body);
    Proc {
        locals: lowering.locals,
        body,
        ..proc.clone()
    }
}

/// A way out of a loop.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Exit {
    Break(LoopId),
    Continue(LoopId),
}

impl Exit {
    fn target(self) -> LoopId {
        match self {
            Self::Break(id) | Self::Continue(id) => id,
        }
    }
}

/// A loop around the statement.
struct Around {
    id: LoopId,
    step: Block,
    /// Exits of outer loops from inside this one, each with its flag.
    through: Vec<(Exit, LocalId)>,
}

struct Lowering<'p> {
    program: &'p mut Program,
    locals: Vec<Local>,
    loops: Vec<Around>,
}

impl Lowering<'_> {
    fn block(&mut self, block: &Block) -> Block {
        let mut out = Block::with_capacity(block.len());
        for stmt in block {
            self.stmt(stmt, &mut out);
        }
        out
    }

    fn stmt(&mut self, stmt: &Stmt, out: &mut Block) {
        let at = |kind: StmtKind| kind.at(stmt.span);
        match &stmt.kind {
            StmtKind::If(c, then, otherwise) => {
                let (then, otherwise) = (self.block(then), self.block(otherwise));
                out.push(at(StmtKind::If(*c, then, otherwise)));
            }
            StmtKind::Loop(l) => self.enclosed(l, stmt, out),
            StmtKind::Break(id) => self.exit(Exit::Break(*id), stmt, out),
            StmtKind::Continue(id) => self.exit(Exit::Continue(*id), stmt, out),
            StmtKind::Atomic(order, body) => {
                let body = self.block(body);
                out.push(at(StmtKind::Atomic(*order, body)));
            }
            StmtKind::Await(a) => {
                let mut a = a.clone();
                a.body = self.block(&a.body);
                out.push(at(StmtKind::Await(a)));
            }
            _ => out.push(stmt.clone()),
        }
    }

    fn enclosed(&mut self, l: &Loop, stmt: &Stmt, out: &mut Block) {
        let at = |kind: StmtKind| kind.at(stmt.span);
        let step = self.block(&l.step);
        self.loops.push(Around {
            id: l.id,
            step: step.clone(),
            through: Vec::new(),
        });
        let mut body = self.block(&l.pre);
        let mut cond = l.cond;
        if !l.pre.is_empty() {
            let fails = self
                .program
                .add(ExprKind::Unary(UnaryOp::Not, cond), Types::BOOL);
            body.push(at(StmtKind::If(
                fails,
                thin_vec![at(StmtKind::Break(l.id))],
                Block::new(),
            )));
            cond = self.program.add(ExprKind::Bool(true), Types::BOOL);
        }
        body.extend(self.block(&l.body));
        if !matches!(
            body.last().map(|s| &s.kind),
            Some(StmtKind::Continue(_) | StmtKind::Break(_))
        ) {
            body.extend(step);
        }
        let around = self.loops.pop().expect("pushed above");
        for &(_, flag) in &around.through {
            out.push(self.set(flag, false, stmt));
        }
        let plain = Loop {
            id: l.id,
            pre: Block::new(),
            cond,
            body,
            step: Block::new(),
        };
        out.push(at(StmtKind::Loop(Box::new(plain))));
        for (exit, flag) in around.through {
            let cond = self.program.add(ExprKind::Local(flag), Types::BOOL);
            let mut then = Block::new();
            self.exit(exit, stmt, &mut then);
            out.push(at(StmtKind::If(cond, then, Block::new())));
        }
    }

    fn exit(&mut self, exit: Exit, stmt: &Stmt, out: &mut Block) {
        let at = |kind: StmtKind| kind.at(stmt.span);
        let Some(innermost) = self.loops.last() else {
            return;
        };
        if innermost.id == exit.target() {
            return match exit {
                Exit::Break(id) => out.push(at(StmtKind::Break(id))),
                Exit::Continue(id) => {
                    out.extend(innermost.step.iter().cloned());
                    out.push(at(StmtKind::Continue(id)));
                }
            };
        }
        let id = innermost.id;
        let flag = self.flag(exit);
        out.push(self.set(flag, true, stmt));
        out.push(at(StmtKind::Break(id)));
    }

    /// The flag of an exit through the innermost loop.
    fn flag(&mut self, exit: Exit) -> LocalId {
        let around = self.loops.last_mut().expect("asked for inside a loop");
        if let Some(&(_, flag)) = around.through.iter().find(|(e, _)| *e == exit) {
            return flag;
        }
        let flag = Local::hidden("leaves", Types::BOOL).declared_in(&mut self.locals);
        around.through.push((exit, flag));
        flag
    }

    fn set(&mut self, flag: LocalId, value: bool, stmt: &Stmt) -> Stmt {
        let value = self.program.add(ExprKind::Bool(value), Types::BOOL);
        let place = Place::local(flag, Types::BOOL);
        StmtKind::Assign(place, value).at(stmt.span)
    }
}
