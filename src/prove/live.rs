//! Which locals of a task still matter at a place: the usual equations, from the end backwards.

use rustc_hash::FxHashMap;

use ir::walk::{indices, operands};
use ir::{ExprId, ExprKind, Place, Program, Root};

use super::beside::Beside;
use super::code::{Instr, Line, Pc, TaskCode};

/// The locals that matter at each place, sorted; the task's own handle has the number behind the last.
#[must_use]
pub fn live(program: &Program, code: &TaskCode, beside: &Beside) -> Vec<Vec<usize>> {
    let mut uses = Uses {
        program,
        code,
        beside,
        me: code.locals.len(),
        known: FxHashMap::default(),
    };
    let facts: Vec<(Option<usize>, Vec<usize>)> =
        code.lines.iter().map(|line| uses.line(line)).collect();
    let mut before: Vec<Vec<bool>> = vec![vec![false; code.locals.len() + 1]; code.lines.len()];
    let mut changed = true;
    while changed {
        changed = false;
        for pc in (0..code.lines.len()).rev() {
            let next = step(code, pc, &facts[pc], &before);
            if next != before[pc] {
                before[pc] = next;
                changed = true;
            }
        }
    }
    let sets = before.into_iter().map(|set| {
        let numbers = set.iter().enumerate().filter(|(_, live)| **live);
        numbers.map(|(i, _)| i).collect()
    });
    sets.collect()
}

/// What matters before an instruction, from what matters behind it.
fn step(
    code: &TaskCode,
    pc: Pc,
    (kills, uses): &(Option<usize>, Vec<usize>),
    before: &[Vec<bool>],
) -> Vec<bool> {
    let mut set = vec![false; code.locals.len() + 1];
    for next in code.successors(pc) {
        for (mine, theirs) in set.iter_mut().zip(&before[next]) {
            *mine |= theirs;
        }
    }
    if let Some(killed) = kills {
        // The instruction only gives a local its value. If the local does not matter, nothing that the instruction reads matters.
        let only_sets = matches!(code.lines[pc].instr, Instr::Set(..) | Instr::Assign(..));
        if only_sets && !set[*killed] {
            return set;
        }
        set[*killed] = false;
    }
    for &used in uses {
        set[used] = true;
    }
    set
}

/// What an expression reads.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Used {
    /// A local, counted from the frame.
    InFrame(usize),
    /// A local of the task.
    InTask(usize),
}

struct Uses<'p> {
    program: &'p Program,
    code: &'p TaskCode,
    beside: &'p Beside,
    /// The number of the task's own handle.
    me: usize,
    /// What each expression reads.
    known: FxHashMap<ExprId, Vec<Used>>,
}

impl Uses<'_> {
    /// The local that an instruction gives a value, and those that it reads.
    fn line(&mut self, line: &Line) -> (Option<usize>, Vec<usize>) {
        let (mut kills, mut exprs) = (None, Vec::new());
        let own = &self.code.own;
        let mut whole = |to: &Place| match to.root {
            Root::Local(l) if to.path.is_empty() => kills = Some(line.frame + l.index()),
            Root::Global(g) if to.path.len() == 1 => kills = own.get(&g).copied(),
            _ => {}
        };
        // An access to a thread's own variable does not look at the number of the thread.
        let indices = |to: &Place| -> Vec<ExprId> {
            let is_own = matches!(to.root, Root::Global(g) if own.contains_key(&g));
            indices(to).skip(usize::from(is_own)).collect()
        };
        match &line.instr {
            Instr::Set(local, e) => {
                kills = Some(*local);
                exprs.push(*e);
            }
            Instr::Assign(to, _) if matches!(to.root, Root::Global(g) if self.beside.any.contains(&g)) =>
                {}
            Instr::Assign(to, e) => {
                whole(to);
                exprs.push(*e);
                exprs.extend(indices(to));
            }
            Instr::Havoc(to) if matches!(to.root, Root::Global(g) if self.beside.any.contains(&g)) =>
                {}
            Instr::Havoc(to) => {
                whole(to);
                exprs.extend(indices(to));
            }
            Instr::Assume(e) | Instr::Branch(e, _) => exprs.push(*e),
            Instr::Check(check) => exprs.push(check.cond),
            Instr::Wait(checks, cond) => {
                exprs.extend(checks.iter().map(|c| c.cond));
                exprs.push(*cond);
            }
            Instr::Post(_, args, into) | Instr::Call(_, args, into) => {
                kills = *into;
                exprs.extend(args);
            }
            Instr::Start | Instr::Point(_) | Instr::Head | Instr::Jump(_) => {}
            Instr::Cut | Instr::End => {}
        }
        let mut uses: Vec<usize> = Vec::new();
        for e in exprs {
            uses.extend(self.of(e).iter().map(|used| match used {
                Used::InFrame(local) => line.frame + local,
                Used::InTask(local) => *local,
            }));
        }
        let any = &self.beside.any_locals;
        uses.retain(|&local| {
            let of = self.code.locals.get(local).and_then(|l| l.of);
            of.is_none_or(|of| !any.contains(&of))
        });
        (kills, uses)
    }

    fn of(&mut self, e: ExprId) -> &[Used] {
        if !self.known.contains_key(&e) {
            let mut all = Vec::new();
            let mut open = vec![e];
            let mut seen = rustc_hash::FxHashSet::default();
            while let Some(e) = open.pop() {
                if !seen.insert(e) {
                    continue;
                }
                match &self.program.expr(e).kind {
                    ExprKind::Local(l) => all.push(Used::InFrame(l.index())),
                    ExprKind::SelfTask => all.push(Used::InTask(self.me)),
                    ExprKind::Index(array, _)
                        if let ExprKind::Global(global) = self.program.expr(*array).kind
                            && !self.beside.shares(global) =>
                    {
                        all.extend(self.code.own.get(&global).copied().map(Used::InTask));
                    }
                    _ => open.extend(operands(self.program.expr(e))),
                }
            }
            all.sort_unstable();
            all.dedup();
            self.known.insert(e, all);
        }
        &self.known[&e]
    }
}
