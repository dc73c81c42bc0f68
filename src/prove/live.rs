//! Which locals of a task still matter at a place: the usual equations, from the end backwards.

use rustc_hash::FxHashMap;

use crate::ir::walk::{indices, operands};
use crate::ir::{ExprId, ExprKind, Place, Program, Root};

use super::code::{Instr, Line, Pc, TaskCode};

/// The locals that matter at each place, sorted; the task's own handle has the number behind the last.
#[must_use]
pub fn live(program: &Program, code: &TaskCode) -> Vec<Vec<usize>> {
    let mut uses = Uses {
        program,
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
        set[*killed] = false;
    }
    for &used in uses {
        set[used] = true;
    }
    set
}

struct Uses<'p> {
    program: &'p Program,
    /// The number of the task's own handle.
    me: usize,
    /// The locals of each expression, counted from its frame; `None` is the task's own handle.
    known: FxHashMap<ExprId, Vec<Option<usize>>>,
}

impl Uses<'_> {
    /// The local that an instruction gives a value, and those that it reads.
    fn line(&mut self, line: &Line) -> (Option<usize>, Vec<usize>) {
        let (mut kills, mut exprs) = (None, Vec::new());
        let mut whole = |to: &Place| match to.root {
            Root::Local(l) if to.path.is_empty() => kills = Some(line.frame + l.index()),
            _ => {}
        };
        match &line.instr {
            Instr::Set(local, e) => {
                kills = Some(*local);
                exprs.push(*e);
            }
            Instr::Assign(to, e) => {
                whole(to);
                exprs.push(*e);
                exprs.extend(indices(to));
            }
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
            let locals = self.of(e).to_vec();
            let number = |l: Option<usize>| l.map_or(self.me, |l| line.frame + l);
            uses.extend(locals.into_iter().map(number));
        }
        (kills, uses)
    }

    fn of(&mut self, e: ExprId) -> &[Option<usize>] {
        if !self.known.contains_key(&e) {
            let mut all = Vec::new();
            let mut open = vec![e];
            let mut seen = rustc_hash::FxHashSet::default();
            while let Some(e) = open.pop() {
                if !seen.insert(e) {
                    continue;
                }
                match &self.program.expr(e).kind {
                    ExprKind::Local(l) => all.push(Some(l.index())),
                    ExprKind::SelfTask => all.push(None),
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
