//! The ways through a sequential program from one place to the next, with all that lead to the same place as one.
//!
//! Instructions are taken in the order in which they stand. All jumps go forward, except for those to the head of a loop. So when
//! it is a place's turn, all ways to it have come there. They are joined: each value is one or the other by what holds on each
//! way. Ways that have called different things stay apart, since what a call has done is a premise of its own.

use std::collections::BTreeMap;

use solver::z3::ast::{Ast, Bool, Dynamic};

use base::source::Span;
use ir::{ErrorKind, ProcId};

use super::super::code::{Instr, Line, Pc, TaskCode};
use super::super::expr::{Env, choice};
use super::super::refusal::Refusal;
use super::super::segment::{Executor, Inputs, Segments, Walk, Way, all};
use super::super::value::{Row, as_bool, fresh, leaves, simplified, truth};

/// A call on a way.
#[derive(Clone, Debug)]
pub struct Called {
    pub proc: ProcId,
    /// The globals and arguments with which it begins.
    pub before: Vec<Dynamic>,
    /// The globals and the result with which it ends.
    pub after: Vec<Dynamic>,
}

/// Where a way comes to.
#[derive(Clone, Debug)]
pub enum Goal {
    Place(Pc, Env),
    End(Env),
    /// To a call, the last of the way.
    Call,
    /// To a check that fails, or to where an execution is followed no further.
    Wrong(ErrorKind, Span),
}

/// All ways from one place to another that have called the same.
#[derive(Clone, Debug)]
pub struct Passage {
    pub from: Pc,
    pub goal: Goal,
    /// When one of them is taken.
    pub guard: Bool,
    pub calls: Vec<Called>,
}

/// The most instructions on the ways from one place: questions about more of them are not decided.
const MOST_STEPS: usize = 50_000;

/// The passages of a procedure from all places that are reached, and these places.
///
/// # Errors
/// What is not handled.
pub fn sweep(
    executor: &Executor<'_>,
    code: &TaskCode,
    inputs: &Inputs,
) -> Result<(Vec<Passage>, Vec<Pc>), Refusal> {
    let (mut passages, mut places) = (Vec::new(), vec![0]);
    let mut next = 0;
    while next < places.len() {
        let mut found = Segments::new();
        let walk = Walk {
            executor,
            code,
            from: places[next],
            found: &mut found,
            open: vec![Way::new(places[next], inputs)],
        };
        let mut sweep = Sweep {
            walk,
            calls: Vec::new(),
            open: BTreeMap::new(),
            passages: Vec::new(),
        };
        sweep.run()?;
        for passage in sweep.passages {
            if let Goal::Place(at, _) = passage.goal
                && !places.contains(&at)
            {
                places.push(at);
            }
            passages.push(passage);
        }
        next += 1;
    }
    Ok((passages, places))
}

/// What a way has called, by numbers.
type Calls = Vec<usize>;

struct Sweep<'w, 'p> {
    walk: Walk<'w, 'p>,
    /// All calls on ways from here.
    calls: Vec<Called>,
    /// The ways that go on, by the place that they have come to.
    open: BTreeMap<(Pc, Calls), Way>,
    passages: Vec<Passage>,
}

impl Sweep<'_, '_> {
    fn run(&mut self) -> Result<(), Refusal> {
        let mut calls = Calls::new();
        let mut steps = 0;
        loop {
            for way in std::mem::take(&mut self.walk.open) {
                self.arrive(way, calls.clone());
            }
            let Some(((pc, own), way)) = self.open.pop_first() else {
                return Ok(());
            };
            calls = own;
            steps += 1;
            let line = &self.walk.code.lines[pc];
            if steps > MOST_STEPS {
                let reason = "too many steps lead from one loop to the next";
                return Err(Refusal::new(line.span, reason));
            }
            self.go_on(line, way, &mut calls, steps == 1)?;
        }
    }

    /// Executes an instruction of a way.
    fn go_on(
        &mut self,
        line: &Line,
        way: Way,
        calls: &mut Calls,
        first: bool,
    ) -> Result<(), Refusal> {
        match &line.instr {
            Instr::Head if !first => {
                let goal = Goal::Place(way.pc, way.env);
                self.passage(goal, &way.guard, calls);
            }
            Instr::End => self.passage(Goal::End(way.env), &way.guard, calls),
            Instr::Cut => {
                let goal = Goal::Wrong(ErrorKind::Stuck, line.span);
                self.passage(goal, &way.guard, calls);
            }
            Instr::Call(proc, args, into) => {
                let way = self.call(line, way, (*proc, args, *into), calls)?;
                self.walk.open.push(way);
            }
            _ => {
                let next = self.walk.step(line, way)?;
                self.walk.open.extend(next);
                for failure in std::mem::take(&mut self.walk.found.failures) {
                    let goal = Goal::Wrong(failure.kind, failure.span);
                    self.passage(goal, &[failure.guard], calls);
                }
            }
        }
        Ok(())
    }

    fn passage(&mut self, goal: Goal, guard: &[Bool], calls: &Calls) {
        self.passages.push(Passage {
            from: self.walk.from,
            goal,
            guard: all(guard),
            calls: calls.iter().map(|&c| self.calls[c].clone()).collect(),
        });
    }

    /// A call: what it has done is only known by its summary.
    fn call(
        &mut self,
        line: &Line,
        mut way: Way,
        (proc, args, into): (ProcId, &[ir::ExprId], Option<usize>),
        calls: &mut Calls,
    ) -> Result<Way, Refusal> {
        let program = self.walk.executor.program;
        let mut before = way.env.globals.concat();
        for &arg in args {
            before.extend(self.walk.row(line, &mut way, arg)?);
        }
        let mut after = Vec::new();
        for row in &mut way.env.globals {
            *row = anew(row);
            after.extend_from_slice(row);
        }
        if let Some(ty) = program.proc(proc).result {
            let all = leaves(program, ty)
                .ok_or_else(|| Refusal::new(line.span, "the result has too many parts"))?;
            let result: Row = all
                .iter()
                .map(|l| fresh("result", &l.sort(program)))
                .collect();
            after.extend_from_slice(&result);
            if let Some(into) = into {
                way.env.locals[into] = result;
            }
        }
        calls.push(self.calls.len());
        self.calls.push(Called {
            proc,
            before,
            after,
        });
        self.passage(Goal::Call, &way.guard, calls);
        way.pc += 1;
        Ok(way)
    }

    /// Takes a way to its place; joins it with the way that is there, if there is one.
    fn arrive(&mut self, way: Way, calls: Calls) {
        let key = (way.pc, calls);
        let joined = match self.open.remove(&key) {
            None => way,
            Some(other) => joined(other, way),
        };
        self.open.insert(key, joined);
    }
}

fn anew(row: &Row) -> Row {
    row.iter().map(|v| fresh("any", &v.get_sort())).collect()
}

/// Two ways as one. What both have in common comes first; of the rest one or the other holds, never both.
fn joined(mut one: Way, other: Way) -> Way {
    let pairs = one.guard.iter().zip(&other.guard);
    let common = pairs.take_while(|(a, b)| a == b).count();
    let this = all(&one.guard[common..]);
    let that = all(&other.guard[common..]);
    let rows = one.env.globals.iter_mut().chain(&mut one.env.locals);
    for (row, others) in rows.zip(other.env.globals.iter().chain(&other.env.locals)) {
        if row != others {
            *row = choice(&this, row, others).iter().map(simplified).collect();
        }
    }
    one.guard.truncate(common);
    let either = as_bool(&simplified(&truth(&Bool::or(&[this, that]))));
    if either.as_bool() != Some(true) {
        one.guard.push(either);
    }
    one
}
