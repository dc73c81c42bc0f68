//! Invariants of the user's: checked in every state in which another task may run.
//!
//! A task stops at a preemption point, at a wait, and at its end. The check stands right before the stop, so a
//! trace ends with the step that breaks the invariant. If nothing was written since the last stop there is no
//! check, so the points stay where they were. The first state is the one in which `main` stops for the first time.
//!
//! A point of the mode is no stop before `main` has touched anything. In a loop, or in a procedure that
//! `main` calls, this pass cannot know that: then a hidden variable says whether `main` has begun.
//! Where `main` may not have begun, it calls a copy of the procedure that looks at the variable.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::{
    Block, ExprId, ExprKind, Loop, Place, PreemptKind, Proc, ProcId, Program, Root, Stmt, StmtKind,
    Types, walk,
};
use base::source::Span;

/// Writes the checks wherever a task stops.
///
/// A procedure that is both posted and called becomes two: the one that is posted ends a task.
pub fn place(program: &mut Program, checks: &[Stmt]) {
    let (posted, called) = uses(program);
    let reads = walk::all_reads(program, |root| matches!(root, Root::Global(_)));
    let own = program.procs.len();
    let main = begin(program, checks, &reads);
    let mut tasks: FxHashMap<ProcId, ProcId> = FxHashMap::default();
    for id in (0..own).map(ProcId::from_index) {
        if Some(id) == program.finally || id == program.init {
            continue;
        }
        let proc = &program.procs[id.index()];
        let is_task = posted.contains(&id);
        let task = is_task.then(|| match id == program.main {
            true => main.clone(),
            false => Placing::task((checks, &reads), &proc.body),
        });
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

/// Whether `main` has touched anything.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Begun {
    No,
    Maybe,
    Yes,
}

/// The facts about the time before `main` has begun.
#[derive(Default)]
struct Setup {
    /// The variable that says whether `main` has begun, as a condition, and the statement that sets it.
    flag: Option<(ExprId, Stmt)>,
    /// Whether some check needs `flag`.
    asked: bool,
    /// The procedures that touch something or stop; empty if the program has no points of the mode.
    touching: FxHashSet<ProcId>,
    /// The copies of procedures that are called before `main` has begun.
    copies: FxHashMap<ProcId, ProcId>,
    /// The originals of the copies, in the order of the copies. The first copy has the id `behind`.
    copied: Vec<ProcId>,
    behind: usize,
}

impl Setup {
    /// The procedure that `main` calls in the place of `proc` where it may not have begun.
    fn called(&mut self, proc: ProcId) -> ProcId {
        if !self.touching.contains(&proc) {
            return proc;
        }
        self.asked = true;
        *self.copies.entry(proc).or_insert_with(|| {
            self.copied.push(proc);
            ProcId::from_index(self.behind + self.copied.len() - 1)
        })
    }
}

/// Writes the checks into `main`, and into copies of the procedures that it calls before it is known to have begun.
fn begin(program: &mut Program, checks: &[Stmt], reads: &[bool]) -> Block {
    let mut setup = Setup {
        touching: touching(program, reads),
        behind: program.procs.len(),
        ..Setup::default()
    };
    let main = program.main.index();
    let body = Placing::main((checks, reads), &program.procs[main].body, &mut setup);
    if !setup.asked {
        return body;
    }
    let flag = program.declare("begun", Types::BOOL);
    program.globals[flag.index()].hidden = true;
    let place = Place::whole(Root::Global(flag), Types::BOOL);
    let [no, yes] = [false, true].map(|value| {
        let value = program.add(ExprKind::Bool(value), Types::BOOL);
        StmtKind::Assign(place.clone(), value).at(Span::default())
    });
    let init = program.init.index();
    program.procs[init].body.insert(0, no);
    let begun = program.add(ExprKind::Global(flag), Types::BOOL);
    setup.flag = Some((begun, yes));
    setup.copies.clear();
    setup.copied.clear();
    let body = Placing::main((checks, reads), &program.procs[main].body, &mut setup);
    let mut next = 0;
    while let Some(&original) = setup.copied.get(next) {
        let original = program.procs[original.index()].clone();
        let body = Placing::first((checks, reads), &original.body, &mut setup);
        program.procs.push(Proc { body, ..original });
        next += 1;
    }
    body
}

/// The procedures that touch something or stop, or call one that does. None if the program has no points of the mode.
fn touching(program: &Program, reads: &[bool]) -> FxHashSet<ProcId> {
    let mut found = FxHashSet::default();
    let is_point = |stmt: &Stmt| matches!(stmt.kind, StmtKind::Preempt(PreemptKind::Implicit));
    if !walk::anywhere(program, is_point) {
        return found;
    }
    loop {
        let before = found.len();
        for (proc, id) in program.procs.iter().zip((0..).map(ProcId)) {
            let touches = |stmt: &Stmt| match &stmt.kind {
                StmtKind::Preempt(_) | StmtKind::Await(_) | StmtKind::Post(..) => true,
                StmtKind::Call(_, callee, _) if found.contains(callee) => true,
                _ => {
                    let writes = walk::written(stmt).map(|place| place.root);
                    matches!(writes, Some(Root::Global(_)))
                        || walk::exprs(stmt).iter().any(|e| reads[e.index()])
                }
            };
            if walk::any(&proc.body, touches) {
                found.insert(id);
            }
        }
        if found.len() == before {
            return found;
        }
    }
}

/// Writes the checks into a procedure.
struct Placing<'c> {
    checks: &'c [Stmt],
    /// Which expressions read globals.
    reads: &'c [bool],
    /// Whether the procedure's end is the end of a task.
    ends: bool,
    /// Whether nothing was written since another task could run.
    clean: bool,
    /// Whether the task has touched something visible since another task could run. If not, it passes through points of the mode.
    touched: bool,
    /// Whether `main` has touched anything yet.
    begun: Begun,
    setup: Option<&'c mut Setup>,
}

impl<'c> Placing<'c> {
    /// The state at the start of a procedure whose callers are unknown.
    fn new((checks, reads): (&'c [Stmt], &'c [bool])) -> Self {
        Self {
            checks,
            reads,
            ends: false,
            clean: false,
            touched: true,
            begun: Begun::Yes,
            setup: None,
        }
    }

    fn task(known: (&'c [Stmt], &'c [bool]), body: &Block) -> Block {
        let placing = Self {
            ends: true,
            clean: true,
            touched: false,
            ..Self::new(known)
        };
        placing.with_its_end(body)
    }

    /// The body of the first task, which begins before the first state.
    fn main(known: (&'c [Stmt], &'c [bool]), body: &Block, setup: &'c mut Setup) -> Block {
        let placing = Self {
            ends: true,
            touched: false,
            begun: Begun::No,
            setup: Some(setup),
            ..Self::new(known)
        };
        placing.with_its_end(body)
    }

    /// The body of a procedure that the first task calls, perhaps before it has begun.
    fn first(known: (&'c [Stmt], &'c [bool]), body: &Block, setup: &'c mut Setup) -> Block {
        let mut placing = Self {
            begun: Begun::Maybe,
            setup: Some(setup),
            ..Self::new(known)
        };
        placing.block(body)
    }

    /// The body of a procedure that is called.
    fn part(known: (&'c [Stmt], &'c [bool]), body: &Block) -> Block {
        Self::new(known).block(body)
    }

    fn with_its_end(mut self, body: &Block) -> Block {
        let mut made = self.block(body);
        if !matches!(made.last().map(|s| &s.kind), Some(StmtKind::Return(_))) {
            self.stop(&mut made);
        }
        made
    }

    /// Handles a stop: the checks stand before it, unless nothing was written.
    fn stop(&mut self, made: &mut Block) {
        if !self.clean {
            made.extend_from_slice(self.checks);
        }
        self.begins(made);
        self.clean = true;
        self.touched = false;
    }

    /// Handles a point of the mode: it is no stop if nothing was touched.
    fn point(&mut self, made: &mut Block) {
        match self.begun {
            _ if !self.touched => {}
            Begun::Yes => self.stop(made),
            Begun::No => self.touched = false,
            Begun::Maybe => {
                self.touched = false;
                let Some(setup) = &mut self.setup else { return };
                setup.asked = true;
                if let (Some((begun, _)), false) = (&setup.flag, self.clean) {
                    let span = self.checks.first().map_or_else(Span::default, |c| c.span);
                    let checks = self.checks.iter().cloned().collect();
                    made.push(StmtKind::If(*begun, checks, Block::new()).at(span));
                }
            }
        }
    }

    /// Notes that `main` has begun, because what follows may touch something.
    fn begins(&mut self, made: &mut Block) {
        if self.begun == Begun::Yes {
            return;
        }
        self.begun = Begun::Yes;
        let flag = self.setup.as_ref().and_then(|setup| setup.flag.as_ref());
        made.extend(flag.map(|(_, begins)| begins.clone()));
    }

    /// Forgets all facts: anything may have happened.
    fn unknown(&mut self) {
        self.clean = false;
        self.touched = true;
    }

    /// Forgets all facts, also whether `main` has begun.
    fn anything(&mut self) {
        self.unknown();
        if self.begun == Begun::No {
            self.begun = Begun::Maybe;
        }
    }

    fn block(&mut self, block: &Block) -> Block {
        let mut made = Block::new();
        for stmt in block {
            let mut stmt = stmt.clone();
            let reads = walk::exprs(&stmt).iter().any(|&e| self.reads[e.index()]);
            if reads && !matches!(stmt.kind, StmtKind::Loop(_) | StmtKind::Await(_)) {
                self.begins(&mut made);
            }
            match &mut stmt.kind {
                StmtKind::Preempt(PreemptKind::Implicit) => self.point(&mut made),
                StmtKind::Preempt(_) => self.stop(&mut made),
                StmtKind::Await(at) => {
                    self.stop(&mut made);
                    self.clean = at.body.is_empty();
                    self.touched = true;
                    at.body = self.block(&at.body);
                }
                StmtKind::If(_, yes, no) => {
                    self.touched |= reads;
                    self.branches(yes, no);
                }
                StmtKind::Loop(l) => self.cycle(l),
                StmtKind::Atomic(_, body) => {
                    *body = self.block(body);
                    self.unknown();
                }
                StmtKind::Return(_) if self.ends => self.stop(&mut made),
                StmtKind::Assign(place, _) | StmtKind::Havoc(place, _) => {
                    let global = matches!(place.root, Root::Global(_));
                    self.writes(global, reads, &mut made);
                }
                StmtKind::Call(_, proc, _) => {
                    if let (Some(setup), false) = (&mut self.setup, self.begun == Begun::Yes) {
                        *proc = setup.called(*proc);
                    }
                    self.anything();
                }
                StmtKind::Post(..) => {
                    self.begins(&mut made);
                    self.touched = true;
                }
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

    fn writes(&mut self, global: bool, reads: bool, made: &mut Block) {
        if global {
            self.begins(made);
        }
        self.clean &= !global;
        self.touched |= global || reads;
    }

    fn cycle(&mut self, l: &mut Loop) {
        self.anything();
        l.pre = self.block(&l.pre);
        let begun = self.begun;
        if self.reads[l.cond.index()] {
            self.begins(&mut l.pre);
        }
        l.body = self.block(&l.body);
        self.anything();
        l.step = self.block(&l.step);
        self.begun = begun;
        self.anything();
    }

    fn branches(&mut self, yes: &mut Block, no: &mut Block) {
        let before = (self.clean, self.touched, self.begun);
        *yes = self.block(yes);
        let after = (self.clean, self.touched, self.begun);
        (self.clean, self.touched, self.begun) = before;
        *no = self.block(no);
        self.clean &= after.0;
        self.touched |= after.1;
        if self.begun != after.2 {
            self.begun = Begun::Maybe;
        }
    }
}
