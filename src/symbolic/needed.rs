//! Which globals may still be read: what the others hold is no part of a state.

use std::collections::BTreeSet;

use ir::calls::Calls;
use ir::{Block, ExprId, GlobalId, ProcId, Program, Root, Stmt, StmtKind, walk};

use super::mutants::Mutant;
use super::state::{Control, Task};

/// For each global whether it may be read.
type Read = Vec<bool>;

/// Computes which globals may be read from a place in the program on, whatever its conditions come to.
pub(super) struct Needed<'p> {
    program: &'p Program,
    /// For each procedure the globals that it may read, with all that it calls and posts.
    procs: Vec<Read>,
    /// For each procedure the globals that it may write, with all that it calls and posts.
    writes: Vec<BTreeSet<GlobalId>>,
    /// The globals that `finally` reads, at the end of every execution.
    pub last: Read,
}

impl<'p> Needed<'p> {
    pub fn new(program: &'p Program) -> Self {
        let nothing = vec![false; program.globals.len()];
        let mut needed = Self {
            program,
            procs: vec![nothing.clone(); program.procs.len()],
            writes: Calls::and_posts(program).written(program),
            last: nothing,
        };
        // Repeats until nothing grows: a procedure may read what the procedures that it calls or posts read.
        loop {
            let mut grown = false;
            for (number, proc) in program.procs.iter().enumerate() {
                let mut read = needed.procs[number].clone();
                needed.block(&proc.body, &mut read);
                grown |= read != needed.procs[number];
                needed.procs[number] = read;
            }
            if !grown {
                break;
            }
        }
        if let Some(finally) = program.finally {
            needed.last.clone_from(&needed.procs[finally.index()]);
        }
        needed
    }

    /// For each global, whether a task that rests may read it.
    pub fn of(&self, task: &Task<'p>) -> Box<[bool]> {
        let mut all = vec![false; self.program.globals.len()];
        if let Some((at, _)) = task.at {
            self.look(at.cond, &mut all);
            self.block(&at.checks, &mut all);
            self.block(&at.body, &mut all);
        }
        self.following(task, 0, all)
    }

    /// The same for a task that rests before the test of a loop and leaves the loop there; the test itself still reads.
    pub fn leaving(&self, task: &Task<'p>) -> Option<Box<[bool]>> {
        let l = task.tests()?;
        let mut all = vec![false; self.program.globals.len()];
        self.look(l.cond, &mut all);
        Some(self.following(task, 1, all))
    }

    /// Whether a task may write something that an expression reads.
    pub fn disturbs(&self, task: &Task<'p>, expr: ExprId) -> bool {
        let writes = |global: GlobalId| {
            let mut frames = task.frames.iter();
            frames.any(|f| self.writes[f.proc.index()].contains(&global))
        };
        let reads = |root| matches!(root, Root::Global(global) if writes(global));
        walk::reads(self.program, expr, &mut { reads })
    }

    /// Adds what the remaining parts of a task read, without the `but` innermost ones.
    fn following(&self, task: &Task<'p>, but: usize, mut all: Read) -> Box<[bool]> {
        let inner = task.frames.iter().rev();
        for control in inner.flat_map(|f| f.control.iter().rev()).skip(but) {
            match *control {
                Control::Block(block, next) => {
                    (block[next..].iter()).for_each(|stmt| self.stmt(stmt, &mut all));
                }
                Control::Loop(l, ..) => {
                    self.look(l.cond, &mut all);
                    for part in [&l.pre, &l.body, &l.step] {
                        self.block(part, &mut all);
                    }
                }
            }
        }
        all.into()
    }

    fn block(&self, block: &Block, read: &mut Read) {
        block.iter().for_each(|stmt| self.stmt(stmt, read));
    }

    fn stmt(&self, stmt: &Stmt, read: &mut Read) {
        for expr in walk::exprs(stmt) {
            self.look(expr, read);
        }
        let unborn = matches!(stmt.kind, StmtKind::Post(..));
        if let StmtKind::Call(_, proc, _) | StmtKind::Post(_, proc, _) = stmt.kind
            && !(unborn && Mutant::TheUnbornReadNothing.is_on())
        {
            join(read, &self.procs[ProcId::index(proc)]);
        }
        walk::children(stmt).for_each(|block| self.block(block, read));
    }

    fn look(&self, expr: ExprId, read: &mut Read) {
        let reads = |root| {
            if let Root::Global(global) = root {
                read[global.index()] = true;
            }
            false
        };
        walk::reads(self.program, expr, &mut { reads });
    }
}

fn join(read: &mut [bool], other: &[bool]) {
    for (own, other) in read.iter_mut().zip(other) {
        *own |= other;
    }
}
