//! Which versions of the original procedures the sequential program needs.
//!
//! A failed assertion is an early stop in a task and a plain error in
//! `finally`; and a task that begins with an await is pending at that await
//! from the start, while a call of the same procedure stops there first. So one
//! procedure may be translated up to three times.

use rustc_hash::FxHashMap;

use ir::{ProcId, Program, StmtKind};

use super::walk;

/// The role in which a procedure is translated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Role {
    /// Part of a task.
    Task,
    /// The first procedure of a task, where it begins with an await: the task waits there from the start.
    Waiting,
    /// Part of `finally`.
    Final,
}

/// A procedure of the original program in one of its roles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Version {
    pub proc: ProcId,
    pub role: Role,
}

/// All versions that can run.
pub struct Versions {
    /// Sorted: by procedure, then by role.
    pub list: Vec<Version>,
    /// The procedures that are posted, sorted.
    pub posted: Vec<ProcId>,
    index: FxHashMap<Version, usize>,
}

impl Versions {
    /// Follows calls and posts from `main` and `finally`.
    pub fn of(program: &Program) -> Self {
        let mut reach = Reach::default();
        reach.add(Version {
            proc: program.main,
            role: Role::Task,
        });
        if let Some(proc) = program.finally {
            reach.add(Version {
                proc,
                role: Role::Final,
            });
        }
        while let Some(version) = reach.open.pop() {
            reach.follow(program, version);
        }
        let mut list: Vec<_> = reach.seen.into_iter().collect();
        list.sort_unstable();
        let index = list.iter().enumerate().map(|(i, &v)| (v, i)).collect();
        Self {
            list,
            posted: reach.posted.into_iter().collect(),
            index,
        }
    }

    /// The index in the list.
    pub fn index(&self, version: Version) -> usize {
        self.index[&version]
    }

    /// The index of the version that runs when a version calls a procedure.
    pub fn called(&self, caller: Version, proc: ProcId) -> usize {
        self.index(Version {
            proc,
            role: callee_role(caller.role),
        })
    }

    /// The index of the version with which a task of a posted procedure begins.
    pub fn entry(&self, program: &Program, proc: ProcId) -> usize {
        self.index(entry(program, proc))
    }
}

/// How a posted procedure begins.
fn entry(program: &Program, proc: ProcId) -> Version {
    let waits = program.proc(proc).first_await().is_some();
    Version {
        proc,
        role: if waits { Role::Waiting } else { Role::Task },
    }
}

fn callee_role(caller: Role) -> Role {
    if caller == Role::Final {
        Role::Final
    } else {
        Role::Task
    }
}

#[derive(Default)]
struct Reach {
    seen: std::collections::BTreeSet<Version>,
    posted: std::collections::BTreeSet<ProcId>,
    open: Vec<Version>,
}

impl Reach {
    fn add(&mut self, version: Version) {
        if self.seen.insert(version) {
            self.open.push(version);
        }
    }

    fn follow(&mut self, program: &Program, version: Version) {
        walk::each(
            &program.proc(version.proc).body,
            &mut |stmt| match stmt.kind {
                StmtKind::Call(_, proc, _) => self.add(Version {
                    proc,
                    role: callee_role(version.role),
                }),
                StmtKind::Post(_, proc, _) => {
                    self.posted.insert(proc);
                    self.add(entry(program, proc));
                }
                _ => {}
            },
        );
    }
}
