//! How often loops with constant bounds turn: a bound on unrolling must not be less.

use rustc_hash::{FxHashMap, FxHashSet};

use super::calls::Calls;
use super::program::{
    BinaryOp, Block, ExprId, ExprKind, LocalId, Loop, LoopId, Place, Proc, ProcId, Program, Root,
    Stmt, StmtKind,
};
use super::walk;

/// The loops that make tasks, for which no constant says how often they turn.
#[must_use]
pub fn endless_makers(program: &Program) -> FxHashSet<(ProcId, LoopId)> {
    let posts = |s: &Stmt| matches!(s.kind, StmtKind::Post(..));
    let own = program.procs.iter().map(|p| walk::any(&p.body, posts));
    let makers = Calls::of(program).to_callers(own.collect());
    let makes = |s: &Stmt| match s.kind {
        StmtKind::Post(..) => true,
        StmtKind::Call(_, callee, _) => makers[callee.index()],
        _ => false,
    };
    let mut found = FxHashSet::default();
    for (index, proc) in program.procs.iter().enumerate() {
        let id = ProcId::from_index(index);
        let turns = Turns::new(program, proc);
        walk::each(&proc.body, &mut |stmt| match &stmt.kind {
            StmtKind::Loop(l) if !turns.end(l.id) && walk::any(&l.body, makes) => {
                found.insert((id, l.id));
            }
            _ => {}
        });
    }
    found
}

/// The loops of a procedure that turn at most a known number of times: `i` counts up by one, from a constant to a
/// constant, and is given no value elsewhere.
pub struct Turns {
    of: FxHashMap<LoopId, u64>,
    /// Like `of`, for loops that count in their body instead of their step.
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

    /// Whether a loop of either form turns at most a known number of times, each time that it is reached.
    pub fn end(&self, id: LoopId) -> bool {
        self.of.contains_key(&id) || self.inside.contains_key(&id)
    }

    /// How often a loop of either form turns at most, each time that it is reached.
    pub fn most(&self, id: LoopId) -> Option<u64> {
        self.of(id).or_else(|| self.inside.get(&id).copied())
    }

    /// How often a loop that counts in its step turns at most, each time that it is reached.
    pub fn of(&self, id: LoopId) -> Option<u64> {
        self.of.get(&id).copied()
    }
}

/// By local: the values that it is given; `None` for one that is no constant.
type Assigned = FxHashMap<LocalId, Vec<Option<i128>>>;

/// The condition of a loop and its body, if no `continue` shortens a turn. The
/// condition is the loop's, or stands at the start of the body, as in loops of C.
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

/// The value that a block gives to a local as a whole, and the statements before that.
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
