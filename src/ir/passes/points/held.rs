//! Finds the variables that threads only touch while they hold a certain mutex, so that no other thread can come between.
//!
//! Lipton's reduction: an access to such a variable commutes with all steps of other threads meanwhile. Giving the
//! mutex back commutes with their steps before it. Neither needs a point before it. A mutex counts if only its
//! holder gives it back. Giving it back needs no point only if no thread looks at the mutex without waiting.
//!
//! At each statement: the mutexes that are held on every way to it. A fixed point over procedures, from all mutexes downwards.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use crate::calls::Calls;
use crate::{
    Await, ExprId, ExprKind, GlobalId, Loop, LoopId, Place, ProcId, Program, Root, Step, Stmt,
    StmtKind, Type, TypeId, walk,
};

/// A mutex: the global in which it lies, and the way to it by fields and constant indices.
type Lock = (u32, Vec<i128>);
type Locks = BTreeSet<Lock>;

/// The facts about mutexes.
#[derive(Debug, Default)]
pub(super) struct Held {
    /// The globals that threads only touch while they hold a certain mutex.
    pub guarded: Vec<GlobalId>,
    /// The mutexes that threads give back without a point.
    quiet: Locks,
}

impl Held {
    /// Whether a statement gives back a mutex, and needs no point for it.
    pub fn releases(&self, program: &Program, kind: &StmtKind) -> bool {
        let StmtKind::Assign(place, value) = kind else {
            return false;
        };
        let lock = lock(program, place);
        is_free(program, *value) && lock.is_some_and(|lock| self.quiet.contains(&lock))
    }
}

/// Whether a type is that of a mutex or spin lock without a kind.
pub(super) fn is_lock(program: &Program, ty: TypeId) -> bool {
    let Type::Enum(ty) = program.types.get(ty) else {
        return false;
    };
    ty.members.first().is_some_and(|m| m == "unlocked")
}

fn is_free(program: &Program, value: ExprId) -> bool {
    program.expr(value).kind == ExprKind::int(0)
}

/// The mutex at a place, if the place is one with constant indices.
fn lock(program: &Program, place: &Place) -> Option<Lock> {
    let Root::Global(global) = place.root else {
        return None;
    };
    if !is_lock(program, place.ty) {
        return None;
    }
    let step = |step: &Step| match step {
        Step::Field(field) => Some(i128::from(*field)),
        Step::Index(e) => match program.expr(*e).kind {
            ExprKind::Int(index) => Some(index.0),
            _ => None,
        },
    };
    let path: Option<Vec<i128>> = place.path.iter().map(step).collect();
    Some((global.0, path?))
}

/// Finds the guarded globals and the quiet mutexes. Other threads may run beside the statements `threads` of `main`.
pub(super) fn held(program: &Program, threads: Range<usize>) -> Held {
    let mut walk = Walk::new(program, threads);
    walk.settle();
    walk.record();
    let sound = |lock: &&Lock| !walk.broken.contains(*lock) && !walk.vague.contains(&lock.0);
    let guarded = walk
        .guards
        .iter()
        .filter(|(_, locks)| locks.iter().any(|l| sound(&l)));
    let guarded = guarded.map(|(&global, _)| GlobalId(global)).collect();
    let quiet = walk.taken.iter().filter(sound);
    let quiet = quiet
        .filter(|l| !walk.watched.contains(*l))
        .cloned()
        .collect();
    Held { guarded, quiet }
}

/// The mutexes that are held at a statement; `None` where control does not come (yet).
type Here = Option<Locks>;

fn meet(to: &mut Here, from: &Here) {
    match (&mut *to, from) {
        (_, None) => {}
        (None, from) => to.clone_from(from),
        (Some(to), Some(from)) => to.retain(|l| from.contains(l)),
    }
}

struct Walk<'p> {
    program: &'p Program,
    threads: Range<usize>,
    /// By procedure: whether it may run after the first thread was made.
    late: Vec<bool>,
    started: Vec<bool>,
    /// By procedure: the mutexes that are held at all its calls, and at all its returns.
    entry: Vec<Here>,
    exit: Vec<Here>,
    /// By procedure: the mutexes that it, or a procedure that it calls, may give back.
    gives: Vec<Locks>,
    /// By procedure: its callers.
    callers: Vec<BTreeSet<usize>>,
    /// Procedures that are to be looked at again.
    open: BTreeSet<usize>,
    here: Here,
    /// By loop of the procedure: the mutexes that are held at its breaks, and at its continues.
    breaks: BTreeMap<LoopId, Here>,
    continues: BTreeMap<LoopId, Here>,
    returns: Here,
    /// Whether `main` runs alone at the current statement.
    early: bool,
    recording: bool,
    guards: BTreeMap<u32, Locks>,
    taken: Locks,
    /// Mutexes that a thread may give back without holding them.
    broken: Locks,
    /// Globals in which some mutex is written, if the pass does not know which.
    vague: BTreeSet<u32>,
    /// Mutexes at which a thread looks without waiting.
    watched: Locks,
}

impl<'p> Walk<'p> {
    fn new(program: &'p Program, threads: Range<usize>) -> Self {
        let count = program.procs.len();
        let (late, started) = late(program, threads.clone());
        let (gives, callers) = given_back(program);
        Self {
            program,
            threads,
            late,
            started,
            entry: vec![None; count],
            exit: vec![None; count],
            gives,
            callers,
            open: BTreeSet::new(),
            here: None,
            breaks: BTreeMap::new(),
            continues: BTreeMap::new(),
            returns: None,
            early: false,
            recording: false,
            guards: BTreeMap::new(),
            taken: Locks::new(),
            broken: Locks::new(),
            vague: BTreeSet::new(),
            watched: Locks::new(),
        }
    }

    /// Looks at procedures until nothing changes.
    fn settle(&mut self) {
        let all = 0..self.program.procs.len();
        self.open = all.filter(|&p| self.begins(p)).collect();
        while let Some(index) = self.open.pop_first() {
            self.procedure(index);
        }
    }

    /// Looks at each procedure once more, to note the variables that it touches.
    fn record(&mut self) {
        self.recording = true;
        for index in 0..self.program.procs.len() {
            self.procedure(index);
        }
    }

    /// Whether a thread begins with a procedure.
    fn begins(&self, index: usize) -> bool {
        self.program.main.index() == index || self.started[index]
    }

    fn procedure(&mut self, index: usize) {
        let apart = self.program.init.index() == index
            || self.program.finally.is_some_and(|f| f.index() == index);
        if apart {
            return;
        }
        let main = self.program.main.index() == index;
        self.here = if self.begins(index) {
            Some(Locks::new())
        } else {
            self.entry[index].clone()
        };
        self.returns = None;
        let body = &self.program.procs[index].body;
        let threads = if main {
            self.threads.clone()
        } else {
            0..body.len()
        };
        self.early = true;
        self.block(&body[..threads.start]);
        self.early = !main && !self.late[index];
        self.block(&body[threads.clone()]);
        self.early = true;
        self.block(&body[threads.end..]);
        let end = self.here.take();
        meet(&mut self.returns, &end);
        let mut exit = self.exit[index].clone();
        meet(&mut exit, &self.returns);
        if exit != self.exit[index] {
            self.exit[index] = exit;
            let again = self.callers[index].iter().copied();
            self.open.extend(again);
        }
    }

    fn block(&mut self, block: &[Stmt]) {
        for stmt in block {
            self.statement(stmt);
        }
    }

    fn statement(&mut self, stmt: &Stmt) {
        if self.recording {
            let waits = matches!(stmt.kind, StmtKind::Await(_));
            for e in walk::exprs(stmt) {
                self.read(e, waits);
            }
        }
        match &stmt.kind {
            StmtKind::Assign(place, value) => self.write(place, Some(*value), false),
            StmtKind::Havoc(place, _) => self.write(place, None, false),
            StmtKind::If(_, yes, no) => {
                let before = self.here.clone();
                self.block(yes);
                let after = std::mem::replace(&mut self.here, before);
                self.block(no);
                meet(&mut self.here, &after);
            }
            StmtKind::Loop(l) => self.turns(l),
            StmtKind::Await(wait) => self.wait(wait),
            StmtKind::Atomic(_, inner) => self.block(inner),
            StmtKind::Break(id) => {
                let here = self.here.take();
                meet(self.breaks.entry(*id).or_default(), &here);
            }
            StmtKind::Continue(id) => {
                let here = self.here.take();
                meet(self.continues.entry(*id).or_default(), &here);
            }
            StmtKind::Return(_) => {
                let here = self.here.take();
                meet(&mut self.returns, &here);
            }
            StmtKind::Call(_, proc, _) => self.call(*proc),
            StmtKind::Assume(_)
            | StmtKind::Check(..)
            | StmtKind::Post(..)
            | StmtKind::Preempt(_)
            | StmtKind::Mark(..) => {}
        }
    }

    fn turns(&mut self, l: &Loop) {
        loop {
            let head = self.here.clone();
            self.breaks.remove(&l.id);
            self.continues.remove(&l.id);
            self.block(&l.pre);
            if self.recording {
                self.read(l.cond, false);
            }
            let out = self.here.clone();
            self.block(&l.body);
            let on = self.continues.remove(&l.id).flatten();
            meet(&mut self.here, &on);
            self.block(&l.step);
            let mut again = head.clone();
            meet(&mut again, &self.here);
            if again == head {
                let endless = matches!(self.program.expr(l.cond).kind, ExprKind::Bool(true));
                self.here = if endless { None } else { out };
                let out = self.breaks.remove(&l.id).flatten();
                meet(&mut self.here, &out);
                return;
            }
            self.here = again;
        }
    }

    fn wait(&mut self, wait: &Await) {
        self.block(&wait.checks);
        for stmt in &wait.body {
            match &stmt.kind {
                StmtKind::Assign(place, value) if is_lock(self.program, place.ty) => {
                    self.write(place, Some(*value), true);
                }
                _ => self.statement(stmt),
            }
        }
    }

    fn call(&mut self, proc: ProcId) {
        if self.here.is_none() {
            return;
        }
        let mut entry = self.entry[proc.index()].clone();
        meet(&mut entry, &self.here);
        if entry != self.entry[proc.index()] {
            self.entry[proc.index()] = entry;
            self.open.insert(proc.index());
        }
        let (Some(here), Some(exit)) = (&mut self.here, &self.exit[proc.index()]) else {
            // No return of the callee is known yet.
            self.here = None;
            return;
        };
        here.retain(|l| !self.gives[proc.index()].contains(l));
        here.extend(exit.iter().cloned());
    }

    fn write(&mut self, place: &Place, value: Option<ExprId>, waited: bool) {
        let (program, Root::Global(global)) = (self.program, place.root) else {
            return;
        };
        let Some(lock) = lock(program, place) else {
            if is_lock(program, place.ty) && !self.early {
                self.vague.insert(global.0);
            }
            if !is_lock(program, place.ty) {
                self.touch(global.0);
                if has_lock(program, place.ty) && !self.early && self.here.is_some() {
                    self.vague.insert(global.0);
                }
            }
            return;
        };
        let Some(here) = &mut self.here else { return };
        if value.is_some_and(|value| is_free(program, value)) {
            if !here.remove(&lock) && !self.early && self.recording {
                self.broken.insert(lock);
            }
        } else if waited {
            here.insert(lock.clone());
            self.taken.insert(lock);
        } else if self.recording {
            // The mutex is taken without waiting, or gets any value.
            self.watched.insert(lock.clone());
            if value.is_none() {
                self.broken.insert(lock);
            }
        }
    }

    fn read(&mut self, e: ExprId, waits: bool) {
        let program = self.program;
        let expr = program.expr(e);
        // A wait looks at a mutex to take it. All other looks count.
        if is_lock(program, expr.ty) && !waits {
            self.look(e);
            return;
        }
        if is_lock(program, expr.ty) {
            return;
        }
        if let ExprKind::Global(global) = expr.kind {
            self.touch(global.0);
        }
        for part in walk::operands(expr) {
            self.read(part, waits);
        }
    }

    /// Notes that a thread looks at a mutex without waiting; all mutexes of its global count.
    fn look(&mut self, e: ExprId) {
        let mut at = e;
        while let ExprKind::Field(whole, _) | ExprKind::Index(whole, _) = self.program.expr(at).kind
        {
            at = whole;
        }
        if let ExprKind::Global(global) = self.program.expr(at).kind {
            let own: Vec<Lock> = self
                .taken
                .iter()
                .filter(|l| l.0 == global.0)
                .cloned()
                .collect();
            self.watched.extend(own);
        }
    }

    fn touch(&mut self, global: u32) {
        let (Some(here), false, true) = (&self.here, self.early, self.recording) else {
            return;
        };
        match self.guards.get_mut(&global) {
            Some(locks) => locks.retain(|l| here.contains(l)),
            None => {
                self.guards.insert(global, here.clone());
            }
        }
    }
}

/// Whether a type holds mutexes.
pub(super) fn has_lock(program: &Program, ty: TypeId) -> bool {
    match program.types.get(ty) {
        Type::Array(_, element) | Type::Map(_, element) => has_lock(program, *element),
        Type::Record(record) => record.fields.iter().any(|f| has_lock(program, f.1)),
        _ => is_lock(program, ty),
    }
}

/// By procedure: whether it may run after the first thread was made, and whether threads begin with it.
fn late(program: &Program, threads: Range<usize>) -> (Vec<bool>, Vec<bool>) {
    let count = program.procs.len();
    let (mut late, mut started) = (vec![false; count], vec![false; count]);
    for proc in &program.procs {
        walk::each(&proc.body, &mut |stmt| {
            if let StmtKind::Post(_, begins, _) = stmt.kind {
                started[begins.index()] = true;
                late[begins.index()] = true;
            }
        });
    }
    let late_calls = &program.proc(program.main).body[threads];
    walk::each(late_calls, &mut |stmt| {
        if let StmtKind::Call(_, callee, _) = stmt.kind {
            late[callee.index()] = true;
        }
    });
    (Calls::of(program).to_callees(late), started)
}

/// By procedure: the mutexes that it, or a procedure that it calls, may give back; and its callers.
fn given_back(program: &Program) -> (Vec<Locks>, Vec<BTreeSet<usize>>) {
    let mut gives = vec![Locks::new(); program.procs.len()];
    for (index, proc) in program.procs.iter().enumerate() {
        walk::each(&proc.body, &mut |stmt| match &stmt.kind {
            StmtKind::Assign(place, value) if is_free(program, *value) => {
                gives[index].extend(lock(program, place));
            }
            _ => {}
        });
    }
    let calls = Calls::of(program);
    (calls.united(gives), calls.callers())
}
