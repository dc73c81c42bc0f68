//! The parts of the translation that a program needs. The sequential program has no others.

use ir::calls::Calls;
use ir::walk::operands;
use ir::{Await, Block, ExprKind, Program, Stmt, StmtKind};

use super::graph::{self, Does};
use super::versions::{Role, Version, Versions};
use super::walk;
use ir::turns::Turns;

/// The largest number of tasks for which handles get a range of their own.
const MOST_TASKS: u32 = 1000;

/// The parts of the translation that a program needs.
pub struct Needs {
    /// A task may fail a check: the execution may stop early.
    pub checks: bool,
    /// For each version: whether it may end its task before it returns.
    pub may_stop: Vec<bool>,
    /// For each version: what it may do to segments.
    pub does: Vec<Does>,
    /// A task can be blocked.
    pub waits: bool,
    /// Something asks whether a task has finished.
    pub join: bool,
    /// A task asks for its own handle.
    pub own_handle: bool,
    /// Something can hold the handle of a task.
    pub handles: bool,
    /// For each procedure: whether anything can hold the handle of a task that begins with it.
    pub tracked: Vec<bool>,
    /// How many tasks there can be, `main` included, if that is known and not large.
    pub tasks: Option<u32>,
    /// How many awaits an execution can reach, if that is known. Only awaits that can block count.
    awaits: Option<u32>,
}

impl Needs {
    /// Finds the needs of a whole program.
    pub fn of(program: &Program, versions: &Versions) -> Self {
        let does = graph::what_versions_do(program, versions);
        let checks = in_tasks(program, versions, |stmt| {
            matches!(stmt.kind, StmtKind::Check(..))
        });
        let waits = in_tasks(program, versions, |stmt| blocks(program, stmt));
        let may_stop = may_stop(program, versions, &does, checks, waits);
        let join = program
            .exprs
            .iter()
            .any(|e| matches!(e.kind, ExprKind::Finished(_)));
        let tracked = tracked(program, versions);
        let own_handle = program
            .exprs
            .iter()
            .any(|e| matches!(e.kind, ExprKind::SelfTask));
        let handles = tracked.iter().any(|&t| t);
        Self {
            checks,
            may_stop,
            does,
            waits,
            join,
            own_handle,
            handles,
            tracked,
            tasks: count(program, versions, None, |stmt| {
                matches!(stmt.kind, StmtKind::Post(..))
            })
            .and_then(|n| n.checked_add(1))
            .filter(|&n| n <= MOST_TASKS),
            awaits: awaits(program, versions, None),
        }
    }

    /// How many rounds suffice for all executions, except deadlocks: these show in the last round. Without waiting, each delay
    /// opens a round. With waiting, call a round after the first idle if no task passes an await in it. There are at most as many
    /// other rounds as awaits that are passed, and a deadlock leaves one await that is not passed. An idle round begins with a
    /// task that was delayed in the round before though it does not wait, or all that happens in it is that tasks at awaits are
    /// delayed. So each idle round has a delay of its own.
    pub fn rounds(&self, delays: u32) -> Option<u32> {
        let awaits = if self.waits { self.awaits? } else { 0 };
        delays.checked_add(1)?.checked_add(awaits)
    }
}

/// Whether an await can block a task.
pub fn can_block(program: &Program, a: &Await) -> bool {
    program.expr(a.cond).kind != ExprKind::Bool(true)
}

fn blocks(program: &Program, stmt: &Stmt) -> bool {
    matches!(&stmt.kind, StmtKind::Await(a) if can_block(program, a))
}

fn in_tasks(program: &Program, versions: &Versions, mut f: impl FnMut(&Stmt) -> bool) -> bool {
    let tasks = versions.list.iter().filter(|v| v.role != Role::Final);
    tasks
        .into_iter()
        .any(|v| walk::any(&program.proc(v.proc).body, &mut f))
}

/// For each version: whether `own` holds for it, or for one that it calls, directly or not.
fn closure(
    program: &Program,
    versions: &Versions,
    own: impl Fn(usize, Version) -> bool,
) -> Vec<bool> {
    let mut holds: Vec<_> = versions
        .list
        .iter()
        .enumerate()
        .map(|(i, &v)| own(i, v))
        .collect();
    loop {
        let before = holds.clone();
        for (i, &version) in versions.list.iter().enumerate() {
            walk::each(&program.proc(version.proc).body, &mut |stmt| {
                if let StmtKind::Call(_, callee, _) = stmt.kind {
                    holds[i] = holds[i] || holds[versions.called(version, callee)];
                }
            });
        }
        if holds == before {
            return holds;
        }
    }
}

/// A task stops early where a check fails, where it is dispatched in a state in which one has failed, and where it would have
/// to be dispatched after the last round.
fn may_stop(
    program: &Program,
    versions: &Versions,
    does: &[Does],
    checks: bool,
    waits: bool,
) -> Vec<bool> {
    let own = |i: usize, version: Version| {
        if version.role == Role::Final {
            return false;
        }
        let fails = || {
            walk::any(&program.proc(version.proc).body, |s| {
                matches!(s.kind, StmtKind::Check(..))
            })
        };
        let dispatched = does[i].ends || version.role == Role::Waiting;
        waits && dispatched || checks && (does[i].ends || fails())
    };
    closure(program, versions, own)
}

/// For each procedure: whether a poster of a task that begins with it, or the task itself, can hold the task's handle.
fn tracked(program: &Program, versions: &Versions) -> Vec<bool> {
    let mut own_handle: Vec<bool> = Vec::with_capacity(program.exprs.len());
    for expr in &program.exprs {
        let inside = operands(expr).iter().any(|e| own_handle[e.index()]);
        own_handle.push(inside || matches!(expr.kind, ExprKind::SelfTask));
    }
    let asks = closure(program, versions, |_, version| {
        let body = &program.proc(version.proc).body;
        walk::any(body, |stmt| {
            walk::exprs(stmt).iter().any(|e| own_handle[e.index()])
        })
    });
    let mut tracked = vec![false; program.procs.len()];
    for version in &versions.list {
        walk::each(&program.proc(version.proc).body, &mut |stmt| {
            if let StmtKind::Post(Some(_), callee, _) = stmt.kind {
                tracked[callee.index()] = true;
            }
        });
    }
    let main = Version {
        proc: program.main,
        role: Role::Task,
    };
    tracked[program.main.index()] |= asks[versions.index(main)];
    for &proc in &versions.posted {
        tracked[proc.index()] |= asks[versions.entry(program, proc)];
    }
    tracked
}

/// How many awaits an execution can reach, if that is known. Only awaits that can block count. Loops without constant bounds turn
/// `unroll` times.
pub fn awaits(program: &Program, versions: &Versions, unroll: Option<u32>) -> Option<u32> {
    count(program, versions, unroll, |stmt| blocks(program, stmt))
}

/// How many statements of a kind an execution can reach. `None` if it is not known: for recursion, and loops without bounds.
fn count(
    program: &Program,
    versions: &Versions,
    unroll: Option<u32>,
    counted: impl Fn(&Stmt) -> bool,
) -> Option<u32> {
    let mut count = Count {
        counted,
        unroll,
        of: vec![Some(0); program.procs.len()],
    };
    let all = || versions.list.iter().map(|version| version.proc.index());
    let calls = Calls::and_posts(program);
    let own = program
        .procs
        .iter()
        .map(|proc| walk::any(&proc.body, &count.counted));
    let reaches = calls.to_callers(own.collect());
    for proc in all().filter(|&proc| reaches[proc]) {
        count.of[proc] = None;
    }
    // A procedure is counted after all procedures that it calls and posts. So a recursive one is never counted.
    let mut known = usize::MAX;
    while count.of.iter().flatten().count() != known {
        known = count.of.iter().flatten().count();
        for proc in all().rev().filter(|&proc| reaches[proc]) {
            let turns = Turns::new(program, &program.procs[proc]);
            count.of[proc] =
                count.of[proc].or_else(|| count.block(&program.procs[proc].body, &turns));
        }
    }
    count.of[program.main.index()]
}

/// How many such statements a run of each procedure, with all that it posts, can reach.
struct Count<F> {
    counted: F,
    unroll: Option<u32>,
    of: Vec<Option<u32>>,
}

impl<F: Fn(&Stmt) -> bool> Count<F> {
    fn block(&self, block: &Block, turns: &Turns) -> Option<u32> {
        block
            .iter()
            .try_fold(0u32, |sum, stmt| sum.checked_add(self.stmt(stmt, turns)?))
    }

    fn stmt(&self, stmt: &Stmt, turns: &Turns) -> Option<u32> {
        let inside = match &stmt.kind {
            StmtKind::Post(_, proc, _) | StmtKind::Call(_, proc, _) => self.of[proc.index()]?,
            StmtKind::If(_, then, otherwise) => {
                self.block(then, turns)?.max(self.block(otherwise, turns)?)
            }
            StmtKind::Loop(l) => {
                let test = self.block(&l.pre, turns)?;
                let turn = self
                    .block(&l.body, turns)?
                    .checked_add(self.block(&l.step, turns)?)?;
                match turns.of(l.id) {
                    _ if test == 0 && turn == 0 => 0,
                    turns => {
                        let turns = turns.or(self.unroll.map(u64::from))?;
                        let turns = u32::try_from(turns).ok()?;
                        let all = turn.checked_add(test)?.checked_mul(turns)?;
                        all.checked_add(test)?
                    }
                }
            }
            _ => walk::children(stmt)
                .try_fold(0u32, |sum, b| sum.checked_add(self.block(b, turns)?))?,
        };
        inside.checked_add(u32::from((self.counted)(stmt)))
    }
}
