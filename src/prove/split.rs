//! Places are split by truth values that a task keeps there.
//!
//! For tasks with different locals only numbers are known, and most equations are about how many tasks rest at a place. So a
//! place at which a task keeps `ok` becomes two: one for the tasks with `ok`, and one for the others. The code exists once for
//! each value. Where the local gets a value, the task goes on in the code of that value. Behind each place to rest the local is
//! set to the value of that code: then no place keeps it.

use ir::{ExprId, ExprKind, Place, Program, Root, Types};

use super::accesses::Shares;
use super::beside::Beside;
use super::code::{Instr, Line, Pc, TaskCode};
use super::live::live;

/// The most locals by which the places of a task are split: each doubles its code.
const LOCALS: usize = 3;
/// The most instructions of the split code.
const INSTRUCTIONS: usize = 2_000;

/// The same task with more places, and fewer locals that matter there.
#[must_use]
pub fn split(program: &Program, mut code: TaskCode, beside: &Beside) -> TaskCode {
    for _ in 0..LOCALS {
        let live = live(program, &code, beside);
        let rests = (1..code.lines.len()).filter(|&pc| code.rests(pc));
        let kept: Vec<usize> = rests.flat_map(|pc| live[pc].iter().copied()).collect();
        let mut locals = 0..code.locals.len();
        let next = locals.find_map(|local| {
            let values = Values::of(program, &code, local)?;
            kept.contains(&local).then_some(values)
        });
        let Some(values) = next.filter(|_| code.lines.len() * 2 <= INSTRUCTIONS) else {
            break;
        };
        let given = live[0].contains(&values.local);
        code = values.split(code, given);
    }
    code
}

/// A local, and the program's expressions that are needed to speak of it.
struct Values {
    local: usize,
    /// The first local of the frame in which `read` is evaluated.
    frame: usize,
    read: ExprId,
    /// False and true.
    constants: [ExprId; 2],
}

impl Values {
    /// Finds these for a local that is a truth value.
    fn of(program: &Program, code: &TaskCode, local: usize) -> Option<Self> {
        let (_, number) = code.locals[local].of?;
        let find = |wanted: ExprKind| {
            let mut ids = (0..program.exprs.len()).map(ExprId::from_index);
            ids.find(|&id| {
                let expr = program.expr(id);
                expr.ty == Types::BOOL && expr.kind == wanted
            })
        };
        (code.locals[local].ty == Types::BOOL).then_some(())?;
        Some(Self {
            local,
            frame: local - number.index(),
            read: find(ExprKind::Local(number))?,
            constants: [find(ExprKind::Bool(false))?, find(ExprKind::Bool(true))?],
        })
    }

    /// Whether an instruction gives the local a value.
    fn is_written(&self, line: &Line) -> bool {
        let is_it =
            |to: &Place| matches!(to.root, Root::Local(l) if line.frame + l.index() == self.local);
        match &line.instr {
            Instr::Set(local, _) => *local == self.local,
            Instr::Assign(to, _) | Instr::Havoc(to) => is_it(to),
            Instr::Post(.., into) | Instr::Call(.., into) => *into == Some(self.local),
            _ => false,
        }
    }

    /// The code once for each value. The task begins in the code of false, unless the local is `given` to it.
    fn split(&self, code: TaskCode, given: bool) -> TaskCode {
        let mut lines: Vec<Line> = Vec::with_capacity(code.lines.len() * 3);
        // For each value, where each instruction stands; and each jump with the value and the instruction that it goes to.
        let mut places = [Vec::new(), Vec::new()];
        let mut open: Vec<(Pc, usize, Pc)> = Vec::new();
        for (value, &constant) in self.constants.iter().enumerate() {
            for (pc, line) in code.lines.iter().enumerate() {
                places[value].push(lines.len());
                lines.push(line.clone());
                if let Instr::Branch(_, to) | Instr::Jump(to) = line.instr {
                    open.push((lines.len() - 1, value, to));
                }
                let more = |instr: Instr, frame: usize| Line {
                    instr,
                    frame,
                    shares: Shares::default(),
                    ..line.clone()
                };
                if self.is_written(line) || (pc == 0 && given) {
                    lines.push(more(Instr::Branch(self.read, 0), self.frame));
                    open.push((lines.len() - 1, 0, pc + 1));
                    lines.push(more(Instr::Jump(0), self.frame));
                    open.push((lines.len() - 1, 1, pc + 1));
                } else if pc > 0 && code.rests(pc) {
                    let known = Instr::Set(self.local, constant);
                    lines.push(more(known, line.frame));
                }
            }
        }
        for (at, value, goal) in open {
            match &mut lines[at].instr {
                Instr::Branch(_, to) | Instr::Jump(to) => *to = places[value][goal],
                _ => {}
            }
        }
        without_unreached(TaskCode { lines, ..code })
    }
}

/// Removes the instructions to which no task comes, so that no task rests there.
fn without_unreached(mut code: TaskCode) -> TaskCode {
    let mut reached = vec![false; code.lines.len()];
    let mut open = vec![0];
    while let Some(pc) = open.pop() {
        if !std::mem::replace(&mut reached[pc], true) {
            open.extend(code.successors(pc));
        }
    }
    for (line, reached) in code.lines.iter_mut().zip(reached) {
        if !reached {
            line.instr = Instr::End;
        }
    }
    code
}
