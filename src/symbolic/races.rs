//! Data races: two tasks come next to accesses that nothing orders.
//!
//! If an execution has a race, some schedule brings both tasks directly before their accesses: it leaves out the steps that
//! neither access comes after. So it is enough to look, in each state, at the next segment of each task. That fails for an
//! access that follows a post or a synchronisation in its segment: no state lies directly before it. If another task touches
//! the same global, a second search keeps in each state who comes after whom (`ordered`). It also runs where an assumption
//! fails, which may hold after the other access. A race is reported only if the replay sees it, too (`trace::race`).

use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use base::source::Span;
use ir::{
    BinaryOp, Block, ExprId, ExprKind, GlobalId, Place, Program, Root, Step, StmtKind, Value, walk,
};
use semantics::PathStep;
use smt::term::Term;
use trace::race::Cells;

use super::machine::Machine;
use super::run::{End, Run, Stop};
use super::state::{Control, State};

/// An access to a part of a global.
#[derive(Clone)]
pub(super) struct Access {
    pub global: GlobalId,
    pub path: SmallVec<[Part; 2]>,
    pub write: bool,
    /// Whether it orders tasks.
    pub sync: bool,
    /// Whether something earlier in the segment may order tasks: others may then come after that, but not after this access.
    late: bool,
    pub span: Span,
}

/// Something that a task does in a segment.
#[derive(Clone)]
pub(super) enum Act {
    /// Accesses a part of a global.
    Access(Access),
    /// Makes the task with that number.
    Posts(u32),
    /// Sees that the task with that number has ended.
    Joins(u32),
}

impl Act {
    pub fn access(&self) -> Option<&Access> {
        match self {
            Self::Access(access) => Some(access),
            Self::Posts(_) | Self::Joins(_) => None,
        }
    }
}

/// A step from a global inwards.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Field(u32),
    Index(Term),
}

/// The next segment of a task, in one of its ways.
pub(super) struct Coming {
    pub task: u32,
    pub way: u32,
    /// Whether its execution ends there, because an assumption does not hold.
    pub dropped: bool,
    pub accesses: Vec<Access>,
    /// The conditions of the way.
    pub literals: Rc<Vec<Term>>,
}

/// The condition under which two accesses conflict, the global, and the place in the text.
pub(super) type Conflict = (Term, GlobalId, Span);

/// The most values that a segment may choose: each task has a range of numbers for its variables.
pub(super) const CHOSEN: u32 = 1 << 10;

/// Whether a way is part of an execution.
pub(super) fn is_real(end: &End) -> bool {
    matches!(
        end,
        End::Finished | End::Suspended | End::Fails(..) | End::Met | End::Cut(_)
    )
}

/// Globals for which single states cannot always settle whether accesses race, and who touches them. If such accesses may
/// conflict, a second search tracks the global.
#[derive(Default)]
pub(super) struct Late {
    /// The globals with accesses that are late in their segments.
    late: FxHashSet<GlobalId>,
    /// By global: the tasks that touch it, whether they write, and whether that orders tasks.
    touched: FxHashMap<GlobalId, FxHashSet<(u32, bool, bool)>>,
}

impl Late {
    /// Notes the accesses of a segment.
    pub fn note(&mut self, run: &Run<'_>) {
        for access in run.acts.iter().filter_map(Act::access) {
            let touched = self.touched.entry(access.global).or_default();
            touched.insert((run.task.number, access.write, access.sync));
            if access.late {
                self.late.insert(access.global);
            }
        }
    }

    /// Notes that states do not tell whether these conflicts are races.
    pub fn doubt(&mut self, conflicts: &[Conflict]) {
        self.late.extend(conflicts.iter().map(|c| c.1));
    }

    /// The globals to be tracked.
    pub fn unsettled(&self) -> FxHashSet<GlobalId> {
        let conflicts = |all: &FxHashSet<(u32, bool, bool)>| {
            all.iter().any(|&(task, write, sync)| {
                all.iter().any(|&(other, writes, syncs)| {
                    other != task && (write || writes) && !(sync && syncs)
                })
            })
        };
        let touched = self.touched.iter();
        let unseen = touched.filter(|(global, _)| self.late.contains(global));
        let unsettled = unseen.filter(|(_, all)| conflicts(all));
        unsettled.map(|(&global, _)| global).collect()
    }
}

/// Which accesses order tasks.
pub(super) struct Orders {
    /// The addresses of the blocks that no other task interrupts.
    whole: FxHashSet<usize>,
    cells: Cells,
    /// The globals whose past accesses are a part of states; see `ordered`.
    pub tracked: FxHashSet<GlobalId>,
}

impl Orders {
    pub fn new(program: &Program) -> Self {
        let mut whole = FxHashSet::default();
        for proc in &program.procs {
            walk::each(&proc.body, &mut |stmt| match &stmt.kind {
                StmtKind::Atomic(_, body) => add(body, &mut whole),
                StmtKind::Await(at) => add(&at.body, &mut whole),
                _ => {}
            });
        }
        Self {
            whole,
            cells: Cells::new(program),
            tracked: FxHashSet::default(),
        }
    }

    fn awaited(&self, global: GlobalId, path: &[Part]) -> bool {
        let part = |part: &Part| match part {
            Part::Field(f) => PathStep::Field(*f),
            Part::Index(_) => PathStep::Key(Value::Any),
        };
        let path: Vec<PathStep> = path.iter().map(part).collect();
        self.cells.is_awaited(global, &path)
    }
}

fn add(block: &Block, whole: &mut FxHashSet<usize>) {
    whole.insert(std::ptr::from_ref(block) as usize);
}

impl<'p> Machine<'p> {
    /// Takes down what an expression reads.
    pub(super) fn reads(&mut self, run: &mut Run<'p>, e: ExprId, span: Span) -> Result<(), Stop> {
        if self.orders.is_none() || !(self.looks.may(e) || self.looks.joins(e)) {
            return Ok(());
        }
        let program = self.program;
        let mut path = SmallVec::new();
        let mut at = e;
        loop {
            match &program.expr(at).kind {
                ExprKind::Field(whole, field) => {
                    path.push(Part::Field(*field));
                    at = *whole;
                }
                ExprKind::Index(whole, index) => {
                    self.reads(run, *index, span)?;
                    let value = self.term(run, *index, span)?[0];
                    path.push(Part::Index(value));
                    at = *whole;
                }
                ExprKind::Global(global) => {
                    path.reverse();
                    self.accesses(run, *global, path, (false, span));
                    return Ok(());
                }
                _ => break,
            }
        }
        match &program.expr(at).kind {
            // An operand that is not computed is not read.
            ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or | BinaryOp::Implies), a, b) => {
                self.reads(run, *a, span)?;
                let value = self.term(run, *a, span)?[0].known();
                if value != Some(*op == BinaryOp::Or) {
                    self.reads(run, *b, span)?;
                }
            }
            ExprKind::Ite(cond, yes, no) => {
                self.reads(run, *cond, span)?;
                let value = self.term(run, *cond, span)?[0].known();
                if value != Some(false) {
                    self.reads(run, *yes, span)?;
                }
                if value != Some(true) {
                    self.reads(run, *no, span)?;
                }
            }
            _ => {
                for part in walk::operands(program.expr(at)) {
                    self.reads(run, part, span)?;
                }
                if let ExprKind::Finished(handle) = &program.expr(at).kind
                    && self.term(run, at, span)?[0] == Term::TRUE
                {
                    let handle = self.term(run, *handle, span)?[0];
                    let number = self.terms.as_const(handle);
                    let number = number.and_then(|n| u32::try_from(n).ok());
                    run.acts.extend(number.map(Act::Joins));
                }
            }
        }
        Ok(())
    }

    /// Takes down that a place is written.
    pub(super) fn writes(
        &mut self,
        run: &mut Run<'p>,
        to: &'p Place,
        span: Span,
    ) -> Result<(), Stop> {
        let (Some(_), Root::Global(global)) = (&self.orders, to.root) else {
            return Ok(());
        };
        let mut path = SmallVec::new();
        for step in &to.path {
            path.push(match step {
                Step::Field(field) => Part::Field(*field),
                Step::Index(index) => Part::Index(self.term(run, *index, span)?[0]),
            });
        }
        self.accesses(run, global, path, (true, span));
        Ok(())
    }

    fn accesses(
        &self,
        run: &mut Run<'p>,
        global: GlobalId,
        path: SmallVec<[Part; 2]>,
        (write, span): (bool, Span),
    ) {
        let Some(orders) = &self.orders else { return };
        // An access before the first post comes before all steps of other tasks.
        if run.begins || run.state.posted == 1 || !self.program.scope.may_race(global) {
            return;
        }
        let control = run.task.frames.iter().flat_map(|f| &f.control);
        let whole = |c: &Control<'_>| match c {
            Control::Block(block, _) => {
                (orders.whole).contains(&(std::ptr::from_ref::<Block>(block) as usize))
            }
            Control::Loop(..) => false,
        };
        let mut control = control;
        let sync = run.task.at.is_some() || control.any(whole) || orders.awaited(global, &path);
        let late = run.ordered.comes(!sync, sync);
        run.acts.push(Act::Access(Access {
            global,
            path,
            write,
            sync,
            late,
            span,
        }));
    }

    /// Gives the variables that a task chooses in its next segment numbers that other tasks do not use.
    pub(super) fn apart(&self, run: &mut Run<'p>, position: u32) {
        if self.orders.is_some() {
            run.state.next += position * CHOSEN;
        }
    }

    /// Returns where the next segments of two tasks race, if they do.
    ///
    /// # Errors
    /// When the solver does not say whether two parts are the same.
    pub(super) fn race(
        &mut self,
        state: &State<'p>,
        one: &Coming,
        other: &Coming,
    ) -> Result<Option<Span>, (String, Span)> {
        for (same, _, span) in self.conflicts(&one.accesses, &other.accesses) {
            let known = one.literals.iter().chain(other.literals.iter()).copied();
            let all: Vec<Term> = known.chain([same]).collect();
            let condition = self.terms.all(all);
            match self.oracle.holds(&self.terms, &state.path, condition) {
                Ok(None) => {}
                Ok(Some(_)) => return Ok(Some(span)),
                Err(reason) => return Err((reason, span)),
            }
        }
        Ok(None)
    }

    /// Returns the conflicts between accesses of two tasks that states can settle.
    pub(super) fn conflicts(&mut self, one: &[Access], other: &[Access]) -> Vec<Conflict> {
        let mut all = Vec::new();
        for a in one {
            for b in other {
                let rivals = a.global == b.global && (a.write || b.write) && !(a.sync && b.sync);
                // Accesses that are late in both segments may be ordered: the second search settles that.
                let tracked = (self.orders.as_ref()).is_some_and(|o| o.tracked.contains(&a.global));
                if rivals
                    && !(a.late && b.late)
                    && !tracked
                    && let Some(same) = self.overlap(&a.path, &b.path)
                {
                    all.push((same, a.global, a.span.max(b.span)));
                }
            }
        }
        all
    }

    /// The condition under which one part contains the other, if they can.
    fn overlap(&mut self, a: &[Part], b: &[Part]) -> Option<Term> {
        let mut same = Vec::new();
        for (a, b) in a.iter().zip(b) {
            match (*a, *b) {
                (Part::Field(a), Part::Field(b)) if a == b => {}
                (Part::Index(a), Part::Index(b)) => {
                    let equal = self.terms.eq(a, b);
                    if equal == Term::FALSE {
                        return None;
                    }
                    same.push(equal);
                }
                _ => return None,
            }
        }
        Some(self.terms.all(same))
    }
}
