//! Which globals may still be read: what the others hold is no part of a state.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::ir::{Await, Block, ProcId, Program, Root, Stmt, StmtKind, walk};

use super::state::{Control, Frame, State};

/// For each global whether it may be read.
type Read = Vec<bool>;

/// What may be read from some place in the program on, whatever comes of conditions.
pub(super) struct Needed<'p> {
    program: &'p Program,
    /// By procedure, with all that it calls and posts.
    procs: Vec<Read>,
    /// What `finally` reads: at the end of every execution.
    last: Read,
    known: FxHashMap<(usize, usize), Rc<Read>>,
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

    /// For each global whether an execution may read it that goes on from a state in which no task runs.
    pub fn of(&mut self, state: &State<'p>) -> Read {
        let mut all = self.last.clone();
        for task in &state.tasks {
            if let Some((at, _)) = task.at {
                let own = self.waiting(at);
                join(&mut all, &own);
            }
            for frame in &task.frames {
                self.frame(frame, &mut all);
            }
        }
        all
    }

    fn frame(&mut self, frame: &Frame<'p>, all: &mut Read) {
        for control in &frame.control {
            let own = match self.known.get(&control.identity()) {
                Some(known) => known.clone(),
                None => self.rest(*control),
            };
            join(all, &own);
        }
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
        self.known.insert(control.identity(), read.clone());
        read
    }

    fn waiting(&mut self, at: &'p Await) -> Rc<Read> {
        let place = (std::ptr::from_ref(at) as usize, usize::MAX);
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
        if let StmtKind::Call(_, proc, _) | StmtKind::Post(_, proc, _) = stmt.kind {
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

fn join(read: &mut Read, other: &Read) {
    for (own, other) in read.iter_mut().zip(other) {
        *own |= other;
    }
}
