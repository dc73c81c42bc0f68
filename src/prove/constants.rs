//! Which locals have the same value whenever a task comes to a place: a fixed point over its instructions.
//!
//! Only the task changes its locals, so what other tasks do does not matter. For example, a flag that says whether the task
//! jumps out of a loop has one value wherever the task rests.

use std::cell::RefCell;

use solver::z3::ast::{Ast, AstKind, Bool, Dynamic};
use solver::z3::{DeclKind, Sort};

use base::clock::Instant;
use base::work;
use ir::{ExprId, Place, Program, Root, walk};

use super::code::{Instr, Line, Pc, TaskCode};
use super::expr::{Env, Eval};
use super::refusal::Refusal;
use super::value::{Row, as_bool, fresh, simplified};

/// For each local its value, if it is known.
type Known = Vec<Option<Row>>;

/// Returns for each place the values of the locals that have the same value whenever the task is there.
///
/// # Errors
/// When the time is over: what is known half-way may still turn out to be wrong.
pub fn constants(
    program: &Program,
    code: &TaskCode,
    inputs: &Env,
    end: Instant,
) -> Result<Vec<Known>, Refusal> {
    let unknown: Known = vec![None; code.locals.len()];
    let mut at: Vec<Option<Known>> = vec![None; code.lines.len()];
    at[0] = Some(unknown.clone());
    let env = RefCell::new(inputs.clone());
    let mut open = vec![0];
    while let Some(pc) = open.pop() {
        if work::stopping() || Instant::now() >= end {
            return Err(Refusal::late(code.lines[pc].span));
        }
        let Some(before) = at[pc].clone() else {
            continue;
        };
        let look = Look {
            program,
            code,
            inputs,
            env: &env,
            frame: code.lines[pc].frame,
        };
        let (after, next) = look.step(pc, &code.lines[pc], before);
        for to in next {
            if join(&mut at[to], &after) {
                open.push(to);
            }
        }
    }
    // No way leads to the other places.
    let known = at.into_iter();
    Ok(known
        .map(|known| known.unwrap_or_else(|| unknown.clone()))
        .collect())
}

/// Keeps the values that both agree on; returns whether `into` has changed.
fn join(into: &mut Option<Known>, other: &Known) -> bool {
    let Some(known) = into else {
        *into = Some(other.clone());
        return true;
    };
    let mut less = false;
    for (a, b) in known.iter_mut().zip(other) {
        if a.is_some() && a != b {
            *a = None;
            less = true;
        }
    }
    less
}

struct Look<'a> {
    program: &'a Program,
    code: &'a TaskCode,
    inputs: &'a Env,
    /// The values of an evaluation: a local that it reads has its known value, or stands for any value.
    env: &'a RefCell<Env>,
    frame: usize,
}

impl Look<'_> {
    /// What is known behind an instruction, and where the task can go.
    fn step(&self, pc: Pc, line: &Line, mut known: Known) -> (Known, Vec<Pc>) {
        let mut next: Vec<Pc> = self.code.successors(pc).collect();
        match &line.instr {
            Instr::Set(local, e) => known[*local] = self.value(&known, *e),
            Instr::Assign(to, e) => self.store(&mut known, to, Some(*e)),
            Instr::Havoc(to) => self.store(&mut known, to, None),
            Instr::Branch(e, to) => match self.answer(&known, *e) {
                Some(true) => next = vec![pc + 1],
                Some(false) => next = vec![*to],
                None => {}
            },
            Instr::Assume(e) | Instr::Wait(_, e) => {
                if self.answer(&known, *e) == Some(false) {
                    next.clear();
                }
            }
            Instr::Check(check) => {
                if self.answer(&known, check.cond) == Some(false) {
                    next.clear();
                }
            }
            Instr::Post(_, _, Some(into)) | Instr::Call(_, _, Some(into)) => known[*into] = None,
            Instr::Post(..) | Instr::Call(..) => {}
            Instr::Start | Instr::Point(_) | Instr::Head | Instr::Jump(_) => {}
            Instr::Cut | Instr::End => {}
        }
        (known, next)
    }

    /// The local that a place is, or is a part of.
    fn local(&self, to: &Place) -> Option<usize> {
        match to.root {
            Root::Local(local) => Some(self.frame + local.index()),
            Root::Global(global) => self.code.own.get(&global).copied(),
        }
    }

    fn store(&self, known: &mut Known, to: &Place, value: Option<ExprId>) {
        let Some(local) = self.local(to) else { return };
        let whole = known[local].take();
        let Some(value) = value else { return };
        let is_whole = to.path.len() == usize::from(matches!(to.root, Root::Global(_)));
        let made = if is_whole {
            self.value(known, value)
        } else if let Some(whole) = whole {
            known[local] = Some(whole.clone());
            let reads: Vec<ExprId> = walk::indices(to).chain([value]).collect();
            self.with(known, &reads, |eval| {
                let value = eval.row(value)?;
                eval.stored(to, &whole, &value)
            })
        } else {
            None
        };
        known[local] = made;
    }

    fn value(&self, known: &Known, e: ExprId) -> Option<Row> {
        self.with(known, &[e], |eval| eval.row(e))
    }

    /// Gives the locals that an expression reads their values.
    fn set(&self, known: &Known, e: ExprId) {
        walk::reads(self.program, e, &mut |root| {
            let local = match root {
                Root::Local(local) => Some(self.frame + local.index()),
                Root::Global(global) => self.code.own.get(&global).copied(),
            };
            if let Some(local) = local {
                let value = known[local].as_ref();
                let value = value.unwrap_or(&self.inputs.locals[local]);
                self.env.borrow_mut().locals[local].clone_from(value);
            }
            false
        });
    }

    fn answer(&self, known: &Known, e: ExprId) -> Option<bool> {
        let row = self.value(known, e)?;
        as_bool(row.first()?).as_bool()
    }

    /// Evaluates `f`, which reads these expressions; returns the result if it is the same for all values that are not known.
    fn with(
        &self,
        known: &Known,
        reads: &[ExprId],
        f: impl FnOnce(&Eval<'_>) -> Result<Row, String>,
    ) -> Option<Row> {
        for &e in reads {
            self.set(known, e);
        }
        let env = self.env.borrow();
        let finished = |_: &Dynamic| as_bool(&fresh("finished", &Sort::bool()));
        let row = f(&Eval {
            program: self.program,
            code: self.code,
            env: &env,
            frame: self.frame,
            finished: &finished,
            chosen: &|_: Bool| {},
            stays: None,
        });
        let row: Row = row.ok()?.iter().map(simplified).collect();
        row.iter().all(is_constant).then_some(row)
    }
}

fn is_constant(term: &Dynamic) -> bool {
    match term.kind() {
        AstKind::Numeral => true,
        AstKind::App => matches!(term.decl().kind(), DeclKind::True | DeclKind::False),
        _ => false,
    }
}
