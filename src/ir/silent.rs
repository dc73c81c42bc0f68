//! Loops that a task may run through for ever within one step. Then no other task gets a turn.

use std::collections::BTreeSet;

use rustc_hash::FxHashMap;

use base::source::Span;

use crate::{
    BinaryOp, Block, ExprId, ExprKind, GlobalId, LocalId, Loop, LoopId, Proc, Program, Root, Stmt,
    StmtKind, TypeId, UnaryOp, walk,
};

/// Follows ways on which no step ends. Conditions may have any value.
#[derive(Default)]
pub struct Way<'a> {
    /// By procedure: whether such a way leads through it. A procedure that is not listed has none.
    calls: &'a [bool],
    /// The program, and its global that is true when it has ended. Statements after the end are on no way.
    ended: Option<(&'a Program, GlobalId)>,
    /// The loops that a way leaves.
    leaves: BTreeSet<LoopId>,
    /// The loops that a way continues by `continue`.
    goes_on: BTreeSet<LoopId>,
    /// Whether a way leaves the procedure.
    returns: bool,
}

impl<'a> Way<'a> {
    fn new(program: &'a Program, exited: GlobalId, calls: &'a [bool]) -> Self {
        Self {
            calls,
            ended: Some((program, exited)),
            ..Self::default()
        }
    }

    fn has_ended(&self, cond: ExprId) -> bool {
        (self.ended)
            .is_some_and(|(program, exited)| program.expr(cond).kind == ExprKind::Global(exited))
    }

    /// Whether there is a way around a loop.
    pub fn around(&mut self, l: &Loop) -> bool {
        let around = self.through(&l.pre) && self.through(&l.body) || self.goes_on.contains(&l.id);
        around && self.through(&l.step)
    }

    /// Whether there is a way to the end of a block.
    fn through(&mut self, block: &Block) -> bool {
        block.iter().all(|stmt| match &stmt.kind {
            StmtKind::Preempt(_) | StmtKind::Await(_) => false,
            StmtKind::Return(_) => {
                self.returns = true;
                false
            }
            StmtKind::Call(_, callee, _) => self.calls.get(callee.index()) == Some(&true),
            StmtKind::Break(id) => {
                self.leaves.insert(*id);
                false
            }
            StmtKind::Continue(id) => {
                self.goes_on.insert(*id);
                false
            }
            StmtKind::If(cond, _, no) if self.has_ended(*cond) => self.through(no),
            StmtKind::If(_, yes, no) => {
                let yes = self.through(yes);
                self.through(no) || yes
            }
            StmtKind::Loop(l) => {
                let head = self.through(&l.pre);
                let around = head && self.through(&l.body);
                head && around || self.leaves.contains(&l.id)
            }
            StmtKind::Atomic(_, inner) => self.through(inner),
            _ => true,
        })
    }
}

/// By procedure: whether a way leads through it on which no step ends. Tasks look at `exited` to see whether the program has ended.
#[must_use]
pub fn ways(program: &Program, exited: GlobalId) -> Vec<bool> {
    let mut known = vec![false; program.procs.len()];
    loop {
        let through = program.procs.iter().map(|proc| {
            let mut way = Way::new(program, exited, &known);
            way.through(&proc.body) || way.returns
        });
        let more: Vec<bool> = through.collect();
        if more == known {
            return known;
        }
        known = more;
    }
}

/// A loop that may go on without end although no step ends in it.
#[derive(Clone, Copy, Debug)]
pub struct Silent {
    pub id: LoopId,
    pub span: Span,
    /// Whether something leaves it, beside the end of the program.
    pub has_exit: bool,
}

/// The silent loops of a procedure.
#[must_use]
pub fn loops(program: &Program, proc: &Proc, ways: &[bool], exited: GlobalId) -> Vec<Silent> {
    let mut found = Vec::new();
    walk::each(&proc.body, &mut |stmt| {
        // Where executions are cut, the program says nothing of later statements.
        if let StmtKind::Loop(l) = &stmt.kind
            && program.scope.cut(stmt.span).is_none()
            && Way::new(program, exited, ways).around(l)
            && !Descent::new(program, l).ends()
        {
            let ends = |e: ExprId| program.expr(e).kind == ExprKind::Global(exited);
            let always = program.expr(l.cond).kind == ExprKind::Bool(true);
            let has_exit = !always || leaves(&l.body, &mut vec![l.id], &ends);
            let (id, span) = (l.id, stmt.span);
            found.push(Silent { id, span, has_exit });
        }
    });
    found
}

/// Whether a statement leaves the loop `inside[0]`. Statements under the conditions that `skips` names do not count.
fn leaves(block: &Block, inside: &mut Vec<LoopId>, skips: &impl Fn(ExprId) -> bool) -> bool {
    block.iter().any(|stmt| match &stmt.kind {
        StmtKind::Return(_) => true,
        StmtKind::Break(id) => *id == inside[0] || !inside.contains(id),
        StmtKind::Continue(id) => !inside.contains(id),
        StmtKind::If(cond, _, no) if skips(*cond) => leaves(no, inside, skips),
        StmtKind::Loop(l) => {
            inside.push(l.id);
            let found = [&l.pre, &l.body, &l.step]
                .into_iter()
                .any(|part| leaves(part, inside, skips));
            inside.pop();
            found
        }
        _ => walk::children(stmt).any(|part| leaves(part, inside, skips)),
    })
}

/// A loop that ends because a local comes nearer to a bound in each turn.
struct Descent<'p> {
    program: &'p Program,
    l: &'p Loop,
    /// By local: the values that the loop assigns. `None` if one is unknown, or not assigned in each turn.
    given: FxHashMap<LocalId, Vec<Option<ExprId>>>,
    /// Whether the loop may write a global.
    writes: bool,
}

/// How a local changes from turn to turn.
enum Change {
    By(i128),
    /// The local is divided.
    Less,
}

impl<'p> Descent<'p> {
    fn new(program: &'p Program, l: &'p Loop) -> Self {
        let mut made = Self {
            program,
            l,
            given: FxHashMap::default(),
            writes: false,
        };
        for stmt in [&l.pre, &l.body, &l.step].into_iter().flatten() {
            made.note(stmt, true);
            for inner in walk::children(stmt) {
                walk::each(inner, &mut |stmt| made.note(stmt, false));
            }
        }
        made
    }

    /// Notes the values that a statement assigns. `always` says whether each turn comes there.
    fn note(&mut self, stmt: &Stmt, always: bool) {
        let (place, value) = match &stmt.kind {
            StmtKind::Assign(place, e) if place.path.is_empty() && always => (place, Some(*e)),
            StmtKind::Assign(place, _) | StmtKind::Havoc(place, _) => (place, None),
            StmtKind::Call(to, ..) | StmtKind::Post(to, ..) => {
                self.writes = true;
                if let Some(to) = to {
                    self.given.entry(*to).or_default().push(None);
                }
                return;
            }
            _ => return,
        };
        match place.root {
            Root::Local(l) => self.given.entry(l).or_default().push(value),
            Root::Global(_) => self.writes = true,
        }
    }

    fn ends(&self) -> bool {
        let goes_on = |stmt: &Stmt| stmt.kind == StmtKind::Continue(self.l.id);
        if walk::any(&self.l.body, goes_on) {
            return false;
        }
        let leaves = |block: &Block| {
            block.iter().any(|s| {
                matches!(s.kind, StmtKind::Break(id) if id == self.l.id)
                    || matches!(s.kind, StmtKind::Return(_))
            })
        };
        self.stays(self.l.cond, true)
            || self.l.body.iter().any(|stmt| match &stmt.kind {
                StmtKind::If(c, _, no) if leaves(no) => self.stays(*c, true),
                StmtKind::If(c, yes, _) if leaves(yes) => self.stays(*c, false),
                _ => false,
            })
    }

    /// Whether a condition has this value in a limited number of turns only.
    fn stays(&self, e: ExprId, value: bool) -> bool {
        match (&self.program.expr(e).kind, value) {
            (ExprKind::Unary(UnaryOp::Not, e), _) => self.stays(*e, !value),
            (ExprKind::Binary(BinaryOp::And, a, b), true) => {
                self.stays(*a, true) || self.stays(*b, true)
            }
            (ExprKind::Binary(BinaryOp::Or, a, b), false) => {
                self.stays(*a, false) || self.stays(*b, false)
            }
            (ExprKind::Binary(BinaryOp::Lt, a, b), true)
            | (ExprKind::Binary(BinaryOp::Le, b, a), false) => self.less(*a, *b),
            (ExprKind::Binary(BinaryOp::Le, a, b), true)
            | (ExprKind::Binary(BinaryOp::Lt, b, a), false) => {
                self.has_more(*a, *b) && self.less(*a, *b)
            }
            (ExprKind::Binary(BinaryOp::Eq, a, b), false) => {
                let wraps = self
                    .program
                    .types
                    .bounds(self.program.expr(*a).ty)
                    .is_some();
                let by_one = |change| wraps && matches!(change, Change::By(1 | -1));
                let zero = |e: ExprId| self.program.expr(e).kind == ExprKind::int(0);
                let meets = |a, b| {
                    self.is_fixed(b)
                        && self
                            .change(a)
                            .is_some_and(|c| matches!(c, Change::Less) && zero(b) || by_one(c))
                };
                meets(*a, *b) || meets(*b, *a)
            }
            // The local holds a condition that the turn computes.
            (ExprKind::Local(_), _) => self.only(e).is_some_and(|e| self.stays(e, value)),
            _ => false,
        }
    }

    /// Whether `a < b` holds in a limited number of turns only. A number that goes beyond its type begins anew, so a step must not lead
    /// past the bound and out of the type.
    fn less(&self, a: ExprId, b: ExprId) -> bool {
        let bounds = self.program.types.bounds(self.program.expr(a).ty);
        let (least, most) = bounds.unwrap_or((i128::MIN, i128::MAX));
        let up = match self.change(a) {
            Some(Change::By(1)) => true,
            Some(Change::By(by)) => {
                by > 0 && self.int(b).is_some_and(|b| b <= most.saturating_sub(by))
            }
            _ => false,
        };
        let down = match self.change(b) {
            Some(Change::By(-1)) => true,
            Some(Change::By(by)) => {
                by < 0 && self.int(a).is_some_and(|a| a >= least.saturating_sub(by))
            }
            // The division brings `b` down to zero, and `a` is not less than zero.
            Some(Change::Less) => self.is_positive(a),
            None => false,
        };
        up && self.is_fixed(b) || down && self.is_fixed(a)
    }

    fn is_unsigned(&self, e: ExprId) -> bool {
        let bounds = self.program.types.bounds(self.program.expr(e).ty);
        bounds.is_some_and(|(least, _)| least >= 0)
    }

    fn is_positive(&self, e: ExprId) -> bool {
        self.int(e).is_some_and(|i| i >= 0)
    }

    /// Whether the type of both has a number greater than `b`, or one less than `a`.
    fn has_more(&self, a: ExprId, b: ExprId) -> bool {
        let Some((least, most)) = self.program.types.bounds(self.program.expr(a).ty) else {
            return true;
        };
        self.int(b).is_some_and(|b| b < most) || self.int(a).is_some_and(|a| a > least)
    }

    fn int(&self, e: ExprId) -> Option<i128> {
        match self.program.expr(e).kind {
            ExprKind::Int(i) => Some(i.0),
            _ => None,
        }
    }

    /// The value that the loop assigns to a local, if it assigns exactly one.
    fn only(&self, e: ExprId) -> Option<ExprId> {
        let ExprKind::Local(l) = self.program.expr(e).kind else {
            return None;
        };
        match self.given.get(&l).map(Vec::as_slice) {
            Some([value]) => *value,
            _ => None,
        }
    }

    /// How a value changes from turn to turn.
    fn change(&self, e: ExprId) -> Option<Change> {
        match self.program.expr(e).kind {
            ExprKind::Local(l) => {
                let next = self.only(e)?;
                // The local may be a copy of a counter.
                let own = (l, self.program.expr(e).ty);
                self.change_of(next, own, 8).or_else(|| self.change(next))
            }
            _ => None,
        }
    }

    /// How `e` differs from the value that the local `own` of this type had before.
    fn change_of(&self, e: ExprId, own: (LocalId, TypeId), deep: u32) -> Option<Change> {
        let deep = deep.checked_sub(1)?;
        match self.program.expr(e).kind {
            ExprKind::Local(same) if same == own.0 => Some(Change::By(0)),
            ExprKind::Local(_) => self.change_of(self.only(e)?, own, deep),
            // In a smaller type the counter may begin again.
            ExprKind::Convert(_) if self.is_smaller(e, own.1) => None,
            ExprKind::Convert(inner) => self.change_of(inner, own, deep),
            ExprKind::Binary(op, a, b) => match (op, self.change_of(a, own, deep)?, self.int(b)?) {
                // Division rounds down: a negative number never comes to zero.
                (BinaryOp::Div | BinaryOp::Shr, ..) if !self.is_unsigned(e) => None,
                (BinaryOp::Add, Change::By(n), more) => Some(Change::By(n.checked_add(more)?)),
                (BinaryOp::Sub, Change::By(n), less) => Some(Change::By(n.checked_sub(less)?)),
                (BinaryOp::Div, Change::By(0), 2..) | (BinaryOp::Shr, Change::By(0), 1..) => {
                    Some(Change::Less)
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// Whether the type of a value has fewer values than another one.
    fn is_smaller(&self, e: ExprId, other: TypeId) -> bool {
        let types = &self.program.types;
        let size = |ty| types.size(ty).unwrap_or(u128::MAX);
        size(self.program.expr(e).ty) < size(other)
    }

    /// Whether a value is the same in each turn.
    fn is_fixed(&self, e: ExprId) -> bool {
        !walk::reads(self.program, e, &mut |root| match root {
            Root::Local(l) => !self.is_fixed_local(l),
            Root::Global(_) => self.writes,
        })
    }

    fn is_fixed_local(&self, l: LocalId) -> bool {
        match self.given.get(&l).map(Vec::as_slice) {
            None => true,
            // Each turn makes this copy again.
            Some([Some(e)]) => {
                !matches!(self.program.expr(*e).kind, ExprKind::Local(same) if same == l)
                    && !walk::reads(self.program, *e, &mut |root| match root {
                        Root::Local(inner) => self.given.contains_key(&inner),
                        Root::Global(_) => self.writes,
                    })
            }
            Some(_) => false,
        }
    }
}
