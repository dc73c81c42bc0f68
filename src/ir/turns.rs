//! How often loops turn whose bounds are constants: a bound on unrolling must not be less.

use rustc_hash::FxHashMap;

use super::program::{
    BinaryOp, Block, ExprId, ExprKind, LocalId, Loop, LoopId, Place, Proc, Program, Root, Stmt,
    StmtKind,
};
use super::walk;

/// How often heads of loops are passed at most from where an outermost one is entered until it is left, if loops of which it is
/// not known turn `unroll` times: what a bound must allow that counts loops inside loops together, also those in called procedures.
pub fn together(program: &Program, unroll: u64) -> u64 {
    let count = Together {
        program,
        turns: program
            .procs
            .iter()
            .map(|p| Turns::new(program, p))
            .collect(),
        unroll,
    };
    let each = |index: usize| {
        let mut most = 0;
        walk::each(&program.procs[index].body, &mut |stmt| {
            if let StmtKind::Loop(l) = &stmt.kind {
                most = most.max(count.enclosed(l, index, &mut vec![index]));
            }
        });
        most
    };
    (0..program.procs.len()).map(each).max().unwrap_or(0)
}

/// More than this is as good as no bound.
const MOST_TOGETHER: u64 = 100_000;

struct Together<'p> {
    program: &'p Program,
    turns: Vec<Turns>,
    unroll: u64,
}

impl Together<'_> {
    fn enclosed(&self, l: &Loop, proc: usize, open: &mut Vec<usize>) -> u64 {
        let turns = self.turns[proc].of(l.id).unwrap_or(self.unroll);
        let inside: u64 = [&l.pre, &l.body, &l.step]
            .into_iter()
            .map(|part| self.block(part, proc, open))
            .sum();
        let heads = turns.saturating_add(1);
        heads
            .saturating_add(turns.saturating_mul(inside))
            .min(MOST_TOGETHER)
    }

    fn block(&self, block: &Block, proc: usize, open: &mut Vec<usize>) -> u64 {
        block
            .iter()
            .map(|stmt| self.stmt(stmt, proc, open))
            .fold(0, u64::saturating_add)
            .min(MOST_TOGETHER)
    }

    fn stmt(&self, stmt: &Stmt, proc: usize, open: &mut Vec<usize>) -> u64 {
        match &stmt.kind {
            StmtKind::Loop(l) => self.enclosed(l, proc, open),
            StmtKind::Call(_, callee, _) => {
                let callee = callee.index();
                // Recursion has a bound of its own.
                if open.contains(&callee) {
                    return 0;
                }
                open.push(callee);
                let inside = self.block(&self.program.procs[callee].body, callee, open);
                open.pop();
                inside
            }
            _ => walk::children(stmt)
                .map(|inner| self.block(inner, proc, open))
                .fold(0, u64::saturating_add),
        }
    }
}

/// The loops of a procedure that turn at most a known number of times: `i` counts up by one, from a constant to a
/// constant, and is given no value elsewhere.
pub struct Turns {
    of: FxHashMap<LoopId, u64>,
    /// The same of loops whose counter is part of the body.
    inside: FxHashMap<LoopId, u64>,
}

impl Turns {
    pub fn new(program: &Program, proc: &Proc) -> Self {
        // A parameter has any value at first.
        let mut assigned: Assigned = (0..proc.params).map(|p| (LocalId(p), vec![None])).collect();
        walk::each(&proc.body, &mut |stmt| {
            if let Some((local, value)) = assignment(program, stmt) {
                assigned.entry(local).or_default().push(value);
            }
        });
        let (mut of, mut inside) = (FxHashMap::default(), FxHashMap::default());
        walk::each(&proc.body, &mut |stmt| {
            if let StmtKind::Loop(l) = &stmt.kind {
                if let Some(turns) = turns(program, &assigned, (l.cond, &l.step)) {
                    of.insert(l.id, turns);
                } else if let Some(counted) = counted_inside(program, l)
                    && let Some(turns) = turns(program, &assigned, counted)
                {
                    inside.insert(l.id, turns);
                }
            }
        });
        Self { of, inside }
    }

    /// Whether a loop turns at most a known number of times, each time that it is reached, in whichever form it is.
    pub fn end(&self, id: LoopId) -> bool {
        self.of.contains_key(&id) || self.inside.contains_key(&id)
    }

    /// How often a loop turns at most, each time that it is reached, in whichever form it is.
    pub fn most(&self, id: LoopId) -> Option<u64> {
        self.of(id).or_else(|| self.inside.get(&id).copied())
    }

    /// How often a loop turns at most, each time that it is reached.
    pub fn of(&self, id: LoopId) -> Option<u64> {
        self.of.get(&id).copied()
    }
}

/// The values that locals are given: constants, or others.
type Assigned = FxHashMap<LocalId, Vec<Option<i128>>>;

/// The condition of each turn and its statements, if each turn comes to its end: the condition is the loop's, or stands at the
/// beginning, as in loops of C.
fn counted_inside<'p>(program: &Program, l: &'p Loop) -> Option<(ExprId, &'p Block)> {
    if walk::any(&l.body, |stmt| stmt.kind == StmtKind::Continue(l.id)) {
        return None;
    }
    if program.expr(l.cond).kind != ExprKind::Bool(true) {
        return Some((l.cond, &l.body));
    }
    let StmtKind::If(cond, then, otherwise) = &l.body.first()?.kind else {
        return None;
    };
    let leaves = matches!(&otherwise[..], [only] if only.kind == StmtKind::Break(l.id));
    (then.is_empty() && leaves).then_some((*cond, &l.body))
}

fn turns(program: &Program, assigned: &Assigned, (cond, step): (ExprId, &Block)) -> Option<u64> {
    let ExprKind::Binary(op @ (BinaryOp::Lt | BinaryOp::Le), i, hi) = program.expr(cond).kind
    else {
        return None;
    };
    let ExprKind::Local(counter) = program.expr(i).kind else {
        return None;
    };
    let lo = match assigned.get(&counter).map(Vec::as_slice) {
        Some([Some(lo), None] | [None, Some(lo)]) if counts(program, assigned, step, counter) => {
            *lo
        }
        _ => return None,
    };
    let hi = constant(program, assigned, hi)?;
    // At the largest number of its type a counter may begin anew.
    let largest = program.types.bounds(program.expr(i).ty);
    if op == BinaryOp::Le && largest.is_some_and(|(_, most)| hi >= most) {
        return None;
    }
    let turns = hi
        .checked_sub(lo)?
        .checked_add(i128::from(op == BinaryOp::Le))?;
    u64::try_from(turns.max(0)).ok()
}

fn constant(program: &Program, assigned: &Assigned, e: ExprId) -> Option<i128> {
    match program.expr(e).kind {
        ExprKind::Int(i) => Some(i.0),
        ExprKind::Local(l) => match assigned.get(&l).map(Vec::as_slice) {
            Some([Some(i)]) => Some(*i),
            _ => None,
        },
        _ => None,
    }
}

/// The local that a statement gives a value, with the value if it is a constant.
fn assignment(program: &Program, stmt: &Stmt) -> Option<(LocalId, Option<i128>)> {
    match &stmt.kind {
        StmtKind::Assign(
            Place {
                root: Root::Local(l),
                ..
            },
            e,
        ) => match program.expr(*e).kind {
            ExprKind::Int(i) => Some((*l, Some(i.0))),
            _ => Some((*l, None)),
        },
        StmtKind::Havoc(
            Place {
                root: Root::Local(l),
                ..
            },
            _,
        ) => Some((*l, None)),
        StmtKind::Call(Some(l), ..) | StmtKind::Post(Some(l), ..) => Some((*l, None)),
        _ => None,
    }
}

/// Whether a step is `i := i + 1`, also by way of other locals.
fn counts(program: &Program, assigned: &Assigned, step: &Block, i: LocalId) -> bool {
    given(step, i).is_some_and(|(before, e)| above(program, assigned, before, e, i) == Some(1))
}

/// How much larger than `i` a value is behind statements that leave `i` alone.
fn above(
    program: &Program,
    assigned: &Assigned,
    before: &[Stmt],
    e: ExprId,
    i: LocalId,
) -> Option<i128> {
    match program.expr(e).kind {
        ExprKind::Local(l) if l == i => Some(0),
        ExprKind::Local(l) if assigned.get(&l)?.len() == 1 => {
            let (before, e) = given(before, l)?;
            above(program, assigned, before, e, i)
        }
        ExprKind::Binary(BinaryOp::Add, a, b) => match program.expr(b).kind {
            ExprKind::Int(more) => above(program, assigned, before, a, i)?.checked_add(more.0),
            _ => None,
        },
        _ => None,
    }
}

/// The value that a local is given as a whole, and what stands before that.
fn given(block: &[Stmt], local: LocalId) -> Option<(&[Stmt], ExprId)> {
    block
        .iter()
        .enumerate()
        .find_map(|(at, stmt)| match &stmt.kind {
            StmtKind::Assign(place, e) if place.root == Root::Local(local) => {
                place.path.is_empty().then_some((&block[..at], *e))
            }
            _ => None,
        })
}
