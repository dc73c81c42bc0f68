//! Invariants of the user's: checked in every state in which another task may run.
//!
//! Such a state comes about where a task stops: at a preemption point, where it waits, at its end. The check stands right before,
//! so a trace ends with the step that breaks it. Where nothing was written since the last such state there is none, so
//! that the points stay where they were. The first state is the one in which `main` stops for the first time.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::{Block, PreemptKind, Proc, ProcId, Program, Root, Stmt, StmtKind, walk};

/// Writes the checks wherever a task stops.
///
/// A procedure that is both posted and called ends a task or does not: that makes two of it.
pub fn place(program: &mut Program, checks: &[Stmt]) {
    let (posted, called) = uses(program);
    let reads = walk::all_reads(program, |root| matches!(root, Root::Global(_)));
    let mut tasks: FxHashMap<ProcId, ProcId> = FxHashMap::default();
    for id in (0..program.procs.len()).map(|i| ProcId(i as u32)) {
        if Some(id) == program.finally || id == program.init {
            continue;
        }
        let proc = &program.procs[id.index()];
        let is_task = posted.contains(&id);
        let task = is_task.then(|| Placing::task((checks, &reads), &proc.body, id == program.main));
        let part =
            (!is_task || called.contains(&id)).then(|| Placing::part((checks, &reads), &proc.body));
        let mut own = id;
        match (task, part) {
            (Some(task), Some(part)) => {
                own = ProcId::from_index(program.procs.len());
                let copy = program.procs[id.index()].clone();
                program.procs.push(Proc { body: task, ..copy });
                program.procs[id.index()].body = part;
            }
            (body, None) | (None, body) => {
                program.procs[id.index()].body = body.unwrap_or_default();
            }
        }
        tasks.insert(id, own);
    }
    let own = |id: ProcId| tasks.get(&id).copied().unwrap_or(id);
    program.main = own(program.main);
    for proc in &mut program.procs {
        walk::each_mut(&mut proc.body, &mut |stmt| {
            if let StmtKind::Post(_, proc, _) = &mut stmt.kind {
                *proc = own(*proc);
            }
        });
    }
}

/// The procedures that are posted, `main` among them, and those that are called.
fn uses(program: &Program) -> (FxHashSet<ProcId>, FxHashSet<ProcId>) {
    let (mut posted, mut called) = (FxHashSet::from_iter([program.main]), FxHashSet::default());
    for proc in &program.procs {
        walk::each(&proc.body, &mut |stmt| match stmt.kind {
            StmtKind::Post(_, proc, _) => _ = posted.insert(proc),
            StmtKind::Call(_, proc, _) => _ = called.insert(proc),
            _ => {}
        });
    }
    (posted, called)
}

/// Writes the checks into a procedure.
struct Placing<'c> {
    checks: &'c [Stmt],
    /// Which expressions read globals.
    reads: &'c [bool],
    /// A task ends with it.
    ends: bool,
    /// Nothing was written since another task could run.
    clean: bool,
    /// Something that others can see was done or seen since: before that a task passes through the points of the mode.
    touched: bool,
}

impl<'c> Placing<'c> {
    /// The body of a task. The first task begins before the first state.
    fn task((checks, reads): (&'c [Stmt], &'c [bool]), body: &Block, is_main: bool) -> Block {
        let mut placing = Self {
            checks,
            reads,
            ends: true,
            clean: !is_main,
            touched: false,
        };
        let mut made = placing.block(body);
        if !matches!(made.last().map(|s| &s.kind), Some(StmtKind::Return(_))) {
            placing.stop(&mut made);
        }
        made
    }

    /// The body of a procedure that is called.
    fn part((checks, reads): (&'c [Stmt], &'c [bool]), body: &Block) -> Block {
        let mut placing = Self {
            checks,
            reads,
            ends: false,
            clean: false,
            touched: true,
        };
        placing.block(body)
    }

    /// A task stops here.
    fn stop(&mut self, made: &mut Block) {
        if !self.clean {
            made.extend_from_slice(self.checks);
        }
        self.clean = true;
        self.touched = false;
    }

    /// Anything may have happened.
    fn unknown(&mut self) {
        self.clean = false;
        self.touched = true;
    }

    fn block(&mut self, block: &Block) -> Block {
        let mut made = Block::new();
        for stmt in block {
            let mut stmt = stmt.clone();
            let reads = walk::exprs(&stmt).iter().any(|&e| self.reads[e.index()]);
            match &mut stmt.kind {
                StmtKind::Preempt(PreemptKind::Implicit) if !self.touched => {}
                StmtKind::Preempt(_) => self.stop(&mut made),
                StmtKind::Await(at) => {
                    self.stop(&mut made);
                    self.clean = at.body.is_empty();
                    self.touched = true;
                    at.body = self.block(&at.body);
                }
                StmtKind::If(_, yes, no) => {
                    self.touched |= reads;
                    let before = (self.clean, self.touched);
                    *yes = self.block(yes);
                    let after = (self.clean, self.touched);
                    (self.clean, self.touched) = before;
                    *no = self.block(no);
                    self.clean &= after.0;
                    self.touched |= after.1;
                }
                StmtKind::Loop(l) => {
                    self.unknown();
                    l.pre = self.block(&l.pre);
                    l.body = self.block(&l.body);
                    self.unknown();
                    l.step = self.block(&l.step);
                    self.unknown();
                }
                StmtKind::Atomic(body) => {
                    *body = self.block(body);
                    self.unknown();
                }
                StmtKind::Return(_) if self.ends => self.stop(&mut made),
                StmtKind::Assign(place, _) | StmtKind::Havoc(place, _) => {
                    let global = matches!(place.root, Root::Global(_));
                    self.clean &= !global;
                    self.touched |= global || reads;
                }
                StmtKind::Call(..) => self.unknown(),
                StmtKind::Post(..) => self.touched = true,
                StmtKind::Assume(_)
                | StmtKind::Check(..)
                | StmtKind::Break(_)
                | StmtKind::Continue(_)
                | StmtKind::Return(_)
                | StmtKind::Mark(..) => self.touched |= reads,
            }
            made.push(stmt);
        }
        made
    }
}
