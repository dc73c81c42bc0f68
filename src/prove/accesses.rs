//! What the instructions of tasks touch, and what of it two tasks may touch at once.
//!
//! Accesses of two tasks *conflict* if they may touch the same part and one of them writes. They may *race* unless both order
//! tasks, as `explore --races` sees it: inside `atomic`, in a condition that a task waits for, or in an await. Left out are
//! accesses that no two tasks make at once: before the first post, after the last task, to a thread's own part, under a known
//! lock, and to the global that says that the program has ended.

use std::collections::BTreeSet;

use ir::walk::{asks_who_finished, indices, operands};
use ir::{ExprId, ExprKind, GlobalId, Place, Program, Root, Step};
use semantics::PathStep;
use trace::race::Cells;

use super::code::{Instr, Line, TaskCode};

/// A step from a global inwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    Field(u32),
    At(i128),
    /// The element that an expression over the task's locals names.
    Named(ExprId),
    Any,
}

/// An access to a global or a part of one.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Access {
    pub global: GlobalId,
    pub path: Vec<Part>,
    pub write: bool,
    /// Whether the access orders tasks.
    pub sync: bool,
}

impl Access {
    /// Whether both accesses may touch the same part, and one of them writes.
    fn conflicts(&self, other: &Self) -> bool {
        self.global == other.global && (self.write || other.write) && self.meets(other)
    }

    fn meets(&self, other: &Self) -> bool {
        let mut pairs = self.path.iter().zip(&other.path);
        pairs.all(|(a, b)| match (a, b) {
            (Part::Field(a), Part::Field(b)) => a == b,
            (Part::At(a), Part::At(b)) => a == b,
            _ => true,
        })
    }

    /// Whether the two accesses may race if two tasks make them.
    #[must_use]
    pub fn may_race(&self, other: &Self) -> bool {
        self.conflicts(other) && !(self.sync && other.sync)
    }
}

/// What an instruction shares with other tasks.
#[derive(Clone, Debug, Default)]
pub struct Shares {
    /// Accesses that may race.
    pub races: Vec<Access>,
    /// The instruction sees what other tasks do.
    pub learns: bool,
    /// Other tasks see what the instruction does.
    pub tells: bool,
}

/// A task's code, and when it runs.
pub struct Runs<'c> {
    pub code: &'c mut TaskCode,
    /// There is never more than one such task.
    pub once: bool,
    /// The task runs after all others.
    pub last: bool,
}

pub struct Look<'p> {
    program: &'p Program,
    cells: Cells,
    /// The globals of which each thread only touches its own part.
    apart: &'p BTreeSet<GlobalId>,
}

impl<'p> Look<'p> {
    /// Looks at a program in which each thread touches only its own part of the globals in `apart`.
    pub fn new(program: &'p Program, apart: &'p BTreeSet<GlobalId>) -> Self {
        Self {
            program,
            cells: Cells::new(program),
            apart,
        }
    }

    /// Notes at each instruction of the tasks what it shares with others; returns the accesses that may race. `main` comes first.
    pub fn mark(&self, tasks: &mut [Runs<'_>]) -> BTreeSet<Access> {
        let mut all: Vec<Vec<Vec<Access>>> = Vec::new();
        for (number, task) in tasks.iter().enumerate() {
            let alone = number == 0 && task.once;
            let beside = beside_others(task.code, alone);
            let lines = task.code.lines.iter().zip(beside);
            let of = |(line, beside): (&Line, bool)| match beside && !task.last {
                true => self.of(line),
                false => Vec::new(),
            };
            all.push(lines.map(of).collect());
        }
        let each: Vec<BTreeSet<&Access>> =
            all.iter().map(|t| t.iter().flatten().collect()).collect();
        let mut racing = BTreeSet::new();
        for (number, task) in tasks.iter_mut().enumerate() {
            let once = task.once;
            let others = || {
                let all = each.iter().enumerate();
                let others = all.filter(move |(other, _)| *other != number || !once);
                others.flat_map(|(_, accesses)| accesses.iter().copied())
            };
            for (line, own) in task.code.lines.iter_mut().zip(&all[number]) {
                let conflicts = |a: &&Access| others().any(|b| a.conflicts(b));
                let told = |a: &Access| a.write && conflicts(&a);
                let races = own.iter().filter(|a| others().any(|b| a.may_race(b)));
                line.shares = Shares {
                    races: races.cloned().collect(),
                    learns: asks(self.program, &line.instr)
                        || own.iter().any(|a| !a.write && conflicts(&a)),
                    tells: matches!(line.instr, Instr::Post(..)) || own.iter().any(told),
                };
                racing.extend(line.shares.races.iter().cloned());
            }
        }
        racing
    }

    /// What an instruction touches. What an invariant reads is no access of a task.
    fn of(&self, line: &Line) -> Vec<Access> {
        let mut all = Vec::new();
        if matches!(&line.instr, Instr::Check(check) if self.program.scope.is_invariant(check.span))
        {
            return all;
        }
        let (read, written) = touched(&line.instr);
        for e in read {
            self.reads(e, line.whole, &mut all);
        }
        if let Some(place) = written {
            self.place(place, line.whole, &mut all);
        }
        all
    }

    /// If a statement that reads and writes these touches one of some parts, returns the expressions that name its elements.
    pub fn touched(
        &self,
        read: &[ExprId],
        written: Option<&Place>,
        of: &BTreeSet<Access>,
    ) -> Option<Vec<ExprId>> {
        let mut all = Vec::new();
        read.iter().for_each(|&e| self.reads(e, false, &mut all));
        written
            .into_iter()
            .for_each(|to| self.place(to, false, &mut all));
        all.retain(|a| of.iter().any(|b| a.global == b.global && a.meets(b)));
        let named = |part: &Part| match part {
            Part::Named(e) => Some(*e),
            _ => None,
        };
        let names = all.iter().flat_map(|a| a.path.iter().filter_map(named));
        (!all.is_empty()).then(|| names.collect())
    }

    /// Adds all that an expression may read, skipped operands too: what other tasks do meanwhile may decide which it skips.
    fn reads(&self, e: ExprId, whole: bool, all: &mut Vec<Access>) {
        let mut path = Vec::new();
        let mut at = e;
        loop {
            match self.program.expr(at).kind {
                ExprKind::Field(inner, field) => {
                    path.push(Part::Field(field));
                    at = inner;
                }
                ExprKind::Index(inner, index) => {
                    self.reads(index, whole, all);
                    path.push(self.part(index));
                    at = inner;
                }
                ExprKind::Global(global) => {
                    path.reverse();
                    self.access(global, path, (false, whole), all);
                    return;
                }
                _ => break,
            }
        }
        for part in operands(self.program.expr(at)) {
            self.reads(part, whole, all);
        }
    }

    fn place(&self, to: &Place, whole: bool, all: &mut Vec<Access>) {
        indices(to).for_each(|e| self.reads(e, whole, all));
        let Root::Global(global) = to.root else {
            return;
        };
        let step = |step: &Step| match step {
            Step::Field(field) => Part::Field(*field),
            Step::Index(e) => self.part(*e),
        };
        self.access(
            global,
            to.path.iter().map(step).collect(),
            (true, whole),
            all,
        );
    }

    fn part(&self, index: ExprId) -> Part {
        match self.program.expr(index).kind {
            ExprKind::Int(number) => Part::At(number.0),
            _ if self.is_local(index) => Part::Named(index),
            _ => Part::Any,
        }
    }

    /// Whether an expression has the same value whatever other tasks do.
    fn is_local(&self, e: ExprId) -> bool {
        let expr = self.program.expr(e);
        let shared = matches!(expr.kind, ExprKind::Global(_) | ExprKind::Finished(_));
        !shared && operands(expr).into_iter().all(|e| self.is_local(e))
    }

    fn access(
        &self,
        global: GlobalId,
        path: Vec<Part>,
        (write, whole): (bool, bool),
        all: &mut Vec<Access>,
    ) {
        let scope = &self.program.scope;
        if self.apart.contains(&global)
            // Of the globals that are apart within the bounds, only guarded ones are sure to stay apart in memory beyond the bounds.
            || scope.guarded.contains(&global)
            || scope.ended == Some(global)
        {
            return;
        }
        let step = |part: &Part| match part {
            Part::Field(field) => PathStep::Field(*field),
            Part::At(_) | Part::Named(_) | Part::Any => PathStep::Key(ir::Value::Any),
        };
        let steps: Vec<PathStep> = path.iter().map(step).collect();
        all.push(Access {
            global,
            path,
            write,
            sync: whole || self.cells.is_awaited(global, &steps),
        });
    }
}

/// For each instruction, whether another task may run beside it. In the first task this holds only behind a post.
fn beside_others(code: &TaskCode, first: bool) -> Vec<bool> {
    let mut beside = vec![!first; code.lines.len()];
    if first {
        let posts =
            (0..code.lines.len()).filter(|&pc| matches!(code.lines[pc].instr, Instr::Post(..)));
        let mut open: Vec<usize> = posts.flat_map(|pc| code.successors(pc)).collect();
        while let Some(pc) = open.pop() {
            if !std::mem::replace(&mut beside[pc], true) {
                open.extend(code.successors(pc));
            }
        }
    }
    beside
}

/// Returns the place that an instruction writes, and the expressions that it evaluates without those in the place.
fn touched(instr: &Instr) -> (Vec<ExprId>, Option<&Place>) {
    match instr {
        Instr::Assign(to, e) => (vec![*e], Some(to)),
        Instr::Havoc(to) => (Vec::new(), Some(to)),
        Instr::Set(_, e) | Instr::Assume(e) | Instr::Branch(e, _) => (vec![*e], None),
        Instr::Check(check) => (vec![check.cond], None),
        Instr::Wait(checks, cond) => {
            let conditions = checks.iter().map(|c| c.cond);
            (conditions.chain([*cond]).collect(), None)
        }
        Instr::Post(_, args, _) | Instr::Call(_, args, _) => (args.clone(), None),
        Instr::Start | Instr::Point(_) | Instr::Head | Instr::Jump(_) => (Vec::new(), None),
        Instr::Cut | Instr::End => (Vec::new(), None),
    }
}

/// Whether an instruction looks whether some task has finished.
fn asks(program: &Program, instr: &Instr) -> bool {
    let (read, written) = touched(instr);
    let mut all = read
        .into_iter()
        .chain(written.into_iter().flat_map(indices));
    all.any(|e| asks_who_finished(program, e))
}
