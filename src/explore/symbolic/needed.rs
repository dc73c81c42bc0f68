//! Which globals may still be read: what the others hold is no part of a state.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::ir::{Await, Block, ProcId, Program, Root, Stmt, StmtKind, walk};

use super::mutants::Mutant;
use super::state::{Address, Control, Task};

/// For each global whether it may be read.
type Read = Vec<bool>;

/// What may be read from some place in the program on, whatever comes of conditions.
pub(super) struct Needed<'p> {
    program: &'p Program,
    /// By procedure, with all that it calls and posts.
    procs: Vec<Read>,
    /// What `finally` reads: at the end of every execution.
    pub last: Read,
    known: FxHashMap<Address, Rc<Read>>,
}

impl<'p> Needed<'p> {
    pub fn new(program: &'p Program) -> Self {
        let nothing = vec![false; program.globals.len()];
        let mut needed = Self {
            program,
            procs: vec![nothing.clone(); program.procs.len()],
            last: nothing,
            known: FxHashMap::default(),
        };
        // What a procedure calls or posts may do the same in turn.
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

    /// For each global whether a task may read it that rests.
    pub fn of(&mut self, task: &Task<'p>) -> Box<[bool]> {
        let mut all = vec![false; self.program.globals.len()];
        if let Some((at, _)) = task.at {
            join(&mut all, &self.waiting(at));
        }
        for control in task.frames.iter().flat_map(|f| &f.control) {
            let own = match self.known.get(&control.address()) {
                Some(known) => known.clone(),
                None => self.rest(*control),
            };
            join(&mut all, &own);
        }
        all.into()
    }

    fn rest(&mut self, control: Control<'p>) -> Rc<Read> {
        let mut read = vec![false; self.program.globals.len()];
        match control {
            Control::Block(block, next) => {
                (block[next..].iter()).for_each(|stmt| self.stmt(stmt, &mut read));
            }
            Control::Loop(l, ..) => {
                self.look(l.cond, &mut read);
                for part in [&l.pre, &l.body, &l.step] {
                    self.block(part, &mut read);
                }
            }
        }
        let read = Rc::new(read);
        self.known.insert(control.address(), read.clone());
        read
    }

    fn waiting(&mut self, at: &'p Await) -> Rc<Read> {
        let place = Address::of_await(at);
        if let Some(known) = self.known.get(&place) {
            return known.clone();
        }
        let mut read = vec![false; self.program.globals.len()];
        self.look(at.cond, &mut read);
        self.block(&at.checks, &mut read);
        self.block(&at.body, &mut read);
        let read = Rc::new(read);
        self.known.insert(place, read.clone());
        read
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

    fn look(&self, expr: crate::ir::ExprId, read: &mut Read) {
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
