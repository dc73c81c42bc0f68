//! A declaration as a sequential program that fails exactly if the declaration is false.
//!
//! Two tasks, 1 and 2, stand before two operations of one object. For `independent a, b`:
//!
//! ```text
//! havoc state, arguments;  assume condition && enabled(a) && enabled(b);
//! s := state;  run a;  assert enabled(b);  run b;  t := state;
//! state := s;  run b;  assert enabled(a);  run a;
//! assert both ended as before && both results are as before && state == t;
//! ```
//!
//! and for `exclusive a, b`: `havoc state, arguments;  assume enabled(a);  assert !enabled(b);`. An operation with an `enqueue`
//! part has two steps, and each of them has to commute. Only the guarded step may be disabled. For an array of objects the
//! claim is about any one of them. The solver is also asked about two different ones, because an engine that uses the claim does
//! not see which they are. The state is every variable that an operation touches, private or not; nothing else can differ.

use base::source::Span;
use ir::{
    BinaryOp, Block, ChoiceKind, Declared, DeclaredKind, DeclaredOp, ErrorKind, ExprId, ExprKind,
    GlobalId, Local, LocalId, Place, ProcId, Program, Root, StmtKind, Type, TypeId, Types,
};

use super::copy::{Copy, RAN, Refused};

/// A step of an operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// Its `enqueue` part.
    Enqueue,
    Guarded,
}

/// What may be wrong with a declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    Together,
    /// After this one the other is no longer enabled.
    Disables(usize),
    /// This one ends in another way when it comes second.
    Ends(usize),
    /// This one returns something else when it comes second.
    Returns(usize),
    /// The state in the end depends on the order: this variable of the original program.
    Leaves(GlobalId),
}

/// A question for a solver.
pub(super) struct Question<'p> {
    pub claim: &'p Declared,
    /// The steps of the two operations that are compared.
    pub parts: [Part; 2],
    /// Whether they are operations of two different objects of an array. Nothing is claimed of these.
    pub apart: bool,
    pub program: Program,
    /// The fault that each check looks for, with the check's condition.
    pub faults: Vec<(ExprId, Fault)>,
    /// The variables of the original program that the marks show.
    pub state: Vec<GlobalId>,
}

impl Question<'_> {
    /// Whether an operation touches another object: what is true of this object may then be false of others of its type.
    pub fn meets_others(&self, program: &Program) -> bool {
        let counters = [self.claim.a.spurious, self.claim.b.spurious];
        self.state.iter().any(|global| {
            let own = self.claim.state.contains(global)
                || counters
                    .iter()
                    .flatten()
                    .any(|counter| counter.0 == *global);
            !own && program.globals[global.index()].state_of.is_some()
        })
    }
}

/// The mark of the arguments and of the state in the beginning.
pub(super) const BEGIN: u32 = 0;
/// The marks after the steps, in both orders, each with its side. They show the state, how the step ended and what it returns.
pub(super) const STEPS: [(u32, usize); 4] = [(1, 0), (2, 1), (3, 1), (4, 0)];

/// All questions about a declaration. It is true if the answer to each is that nothing fails.
pub(super) fn questions<'p>(
    program: &'p Program,
    claim: &'p Declared,
) -> Result<Vec<Question<'p>>, Refused> {
    let guarded = [Part::Guarded; 2];
    let ask = |parts, apart| Writer::new(program, claim, parts, apart).write();
    if claim.kind == DeclaredKind::Exclusive {
        return Ok(vec![ask(guarded, false)?]);
    }
    let steps = |op: &DeclaredOp| match op.enqueue {
        Some(_) => vec![Part::Guarded, Part::Enqueue],
        None => vec![Part::Guarded],
    };
    let mut all = Vec::new();
    for a in steps(&claim.a) {
        for b in steps(&claim.b) {
            all.push(ask([a, b], false)?);
            if claim.indices > 0 {
                all.push(ask([a, b], true)?);
            }
        }
    }
    Ok(all)
}

/// One of the two steps, in the copy.
#[derive(Clone, Debug, Default)]
pub(super) struct Runner {
    pub(super) guard: Option<ProcId>,
    pub(super) body: Option<ProcId>,
    pub(super) args: Vec<ExprId>,
    pub(super) spurious: Option<(GlobalId, i128)>,
}

/// How a step went: locals that say how it ended and what it returned.
#[derive(Clone, Copy)]
pub(super) struct Went {
    pub(super) ended: LocalId,
    pub(super) result: Option<LocalId>,
}

pub(super) struct Writer<'p> {
    from: &'p Program,
    pub(super) claim: &'p Declared,
    parts: [Part; 2],
    apart: bool,
    /// For both operations, the indices of the object in its array.
    pub(super) elements: [Vec<ExprId>; 2],
    pub(super) copy: Copy<'p>,
    pub(super) runners: [Runner; 2],
    pub(super) locals: Vec<Local>,
    pub(super) body: Block,
    faults: Vec<(ExprId, Fault)>,
}

impl<'p> Writer<'p> {
    fn new(from: &'p Program, claim: &'p Declared, parts: [Part; 2], apart: bool) -> Self {
        Self {
            from,
            claim,
            parts,
            apart,
            elements: <[Vec<ExprId>; 2]>::default(),
            copy: Copy::new(from),
            runners: <[Runner; 2]>::default(),
            locals: Vec::new(),
            body: Block::new(),
            faults: Vec::new(),
        }
    }

    fn write(mut self) -> Result<Question<'p>, Refused> {
        self.begin();
        let condition = self.claim.condition.map(|c| self.copy.proc(c));
        self.copy.finish()?;
        self.copy.touched.sort_unstable();
        self.choose_state();
        self.condition(condition);
        match self.claim.kind {
            DeclaredKind::Exclusive => self.exclusive(),
            DeclaredKind::Independent => self.independent(),
        }
        let Copy { to, touched, .. } = self.copy;
        let mut to = to.program;
        let main = &mut to.procs[to.main.index()];
        (main.body, main.locals) = (self.body, self.locals);
        Ok(Question {
            claim: self.claim,
            parts: self.parts,
            apart: self.apart,
            program: to,
            faults: self.faults,
            state: touched.into_iter().map(|(original, _)| original).collect(),
        })
    }

    /// The two operations and their arguments.
    fn begin(&mut self) {
        let first = self.choose_element();
        let second = if self.apart {
            let second = self.choose_element();
            let mut same = self.copy.to.bool(true);
            for (&a, &b) in first.iter().zip(&second) {
                let equal = self.copy.to.binary(BinaryOp::Eq, a, b);
                same = self.copy.to.binary(BinaryOp::And, same, equal);
            }
            let differ = self.not(same);
            self.push(StmtKind::Assume(differ));
            second
        } else {
            first.clone()
        };
        self.elements = [first, second];
        let ops = [self.claim.a, self.claim.b];
        for (side, (op, part)) in ops.into_iter().zip(self.parts).enumerate() {
            let body = match (part, op.enqueue) {
                (Part::Enqueue, Some(enqueue)) => enqueue,
                _ => op.body,
            };
            let guarded = part == Part::Guarded;
            let args = self.arguments(body, side);
            self.runners[side] = Runner {
                guard: guarded.then(|| self.copy.proc(op.guard)),
                body: Some(self.copy.proc(body)),
                args,
                spurious: (op.spurious.filter(|_| guarded)).map(|(g, n)| (self.copy.global(g), n)),
            };
        }
    }

    /// Any object of the array, by its indices.
    fn choose_element(&mut self) -> Vec<ExprId> {
        let mut array = self
            .claim
            .state
            .first()
            .map(|g| self.from.globals[g.index()].ty);
        let mut element = Vec::new();
        for _ in 0..self.claim.indices {
            let local = self.local(Types::INT);
            self.any(Place::local(local, Types::INT));
            let index = self.copy.local(local, Types::INT);
            let zero = self.int(0);
            let above = self.copy.to.binary(BinaryOp::Le, zero, index);
            self.push(StmtKind::Assume(above));
            if let Some(Type::Array(len, ty)) = array.map(|ty| self.from.types.get(ty)) {
                let len = self.int(i128::from(*len));
                let below = self.copy.to.binary(BinaryOp::Lt, index, len);
                self.push(StmtKind::Assume(below));
                array = Some(*ty);
            }
            element.push(index);
        }
        element
    }

    /// Any arguments for a procedure.
    fn arguments(&mut self, proc: ProcId, side: usize) -> Vec<ExprId> {
        let proc = self.from.proc(proc);
        let mut args = Vec::new();
        for (index, param) in proc.locals[..proc.params as usize].iter().enumerate() {
            if index < self.claim.indices as usize {
                args.push(self.elements[side][index]);
                continue;
            }
            let ty = self.copy.ty(param.ty);
            let local = self.local(ty);
            self.any(Place::local(local, ty));
            let value = self.copy.local(local, ty);
            self.at_least_zero(param.ty, value);
            args.push(value);
        }
        args
    }

    /// Chooses any state, any choices, and any tasks that have finished beside these two.
    fn choose_state(&mut self) {
        for (original, global) in self.copy.touched.clone() {
            self.any_global(global);
            let value = self.copy.to.global(global);
            self.at_least_zero(self.from.globals[original.index()].ty, value);
        }
        for (_, table) in self.copy.tables.clone() {
            self.any_global(table);
        }
        let finished = self.copy.own.finished;
        self.any_global(finished);
        for task in 0..=2 {
            let (finished, task) = (self.copy.to.global(finished), self.int(task));
            let done = self
                .copy
                .to
                .program
                .add(ExprKind::Index(finished, task), Types::BOOL);
            let running = self.not(done);
            self.push(StmtKind::Assume(running));
        }
    }

    fn any_global(&mut self, global: GlobalId) {
        let ty = self.copy.to.program.globals[global.index()].ty;
        self.any(Place::whole(Root::Global(global), ty));
    }

    fn any(&mut self, place: Place) {
        self.push(StmtKind::Havoc(place, ChoiceKind::User));
    }

    /// Assumes that a task is no negative number. (In parts of values any numbers will do: tasks are only told apart.)
    fn at_least_zero(&mut self, original: TypeId, value: ExprId) {
        if *self.from.types.get(original) == Type::Task {
            let zero = self.int(0);
            let holds = self.copy.to.binary(BinaryOp::Le, zero, value);
            self.push(StmtKind::Assume(holds));
        }
    }

    /// Assumes that the claim's own condition holds, and that no check in it fails.
    fn condition(&mut self, condition: Option<ProcId>) {
        let Some(condition) = condition else { return };
        self.turn(0);
        let indices = self.claim.indices as usize;
        let mut args = self.runners[0].args.clone();
        args.extend(&self.runners[1].args[indices..]);
        let holds = self.local(Types::BOOL);
        self.call(Some(holds), condition, args);
        let ran = self.copy.to.is(self.copy.own.ended, RAN);
        let holds = self.copy.local(holds, Types::BOOL);
        self.push(StmtKind::Assume(ran));
        self.push(StmtKind::Assume(holds));
    }

    fn exclusive(&mut self) {
        let first = self.enabled(0);
        self.push(StmtKind::Assume(first));
        self.mark_begin();
        let second = self.enabled(1);
        let not = self.not(second);
        self.check(not, Fault::Together);
    }

    fn independent(&mut self) {
        for side in [0, 1] {
            let enabled = self.enabled(side);
            self.push(StmtKind::Assume(enabled));
        }
        let begin = self.save();
        self.mark_begin();
        let one = self.in_order(0);
        let end = self.save();
        self.restore(&begin);
        let other = self.in_order(1);
        for side in [0, 1] {
            let ends = self.same(one[side].ended, other[side].ended);
            self.check(ends, Fault::Ends(side));
        }
        for side in [0, 1] {
            if let (Some(a), Some(b)) = (one[side].result, other[side].result) {
                let returns = self.same(a, b);
                self.check(returns, Fault::Returns(side));
            }
        }
        for ((original, global), saved) in self.copy.touched.clone().into_iter().zip(end) {
            let now = self.copy.to.global(global);
            let then = self.copy.local(saved, self.copy.to.program.ty(now));
            let same = self.copy.to.binary(BinaryOp::Eq, now, then);
            self.check(same, Fault::Leaves(original));
        }
    }

    /// Runs both steps, this one first; says how each went.
    fn in_order(&mut self, first: usize) -> [Went; 2] {
        let marks = &STEPS[first * 2..][..2];
        let one = self.run(first, marks[0].0);
        let enabled = self.enabled(1 - first);
        self.check(enabled, Fault::Disables(first));
        let other = self.run(1 - first, marks[1].0);
        if first == 0 {
            [one, other]
        } else {
            [other, one]
        }
    }

    fn mark_begin(&mut self) {
        let indices = self.claim.indices as usize;
        let mut values: Vec<ExprId> = self.elements[0].clone();
        for runner in &self.runners {
            values.extend(&runner.args[indices..]);
        }
        values.extend(self.state());
        self.push(StmtKind::Mark(BEGIN, values.into()));
    }

    pub(super) fn mark_step(&mut self, mark: u32, went: Went) {
        let mut values = self.state();
        values.push(self.copy.local(went.ended, Types::INT));
        if let Some(result) = went.result {
            let ty = self.locals[result.index()].ty;
            values.push(self.copy.local(result, ty));
        }
        self.push(StmtKind::Mark(mark, values.into()));
    }

    fn state(&mut self) -> Vec<ExprId> {
        let globals = self.copy.touched.clone();
        (globals.into_iter())
            .map(|(_, global)| self.copy.to.global(global))
            .collect()
    }

    fn same(&mut self, a: LocalId, b: LocalId) -> ExprId {
        let ty = self.locals[a.index()].ty;
        let (a, b) = (self.copy.local(a, ty), self.copy.local(b, ty));
        self.copy.to.binary(BinaryOp::Eq, a, b)
    }

    fn check(&mut self, condition: ExprId, fault: Fault) {
        self.faults.push((condition, fault));
        let check = StmtKind::Check(ErrorKind::Object, condition, "".into());
        self.push(check);
    }

    pub(super) fn keep(&mut self, value: ExprId, ty: TypeId) -> LocalId {
        let local = self.local(ty);
        let place = Place::local(local, ty);
        self.push(StmtKind::Assign(place, value));
        local
    }

    pub(super) fn call(&mut self, into: Option<LocalId>, proc: ProcId, args: Vec<ExprId>) {
        self.body
            .push(StmtKind::Call(into, proc, args.into()).at(Span::default()));
    }

    pub(super) fn push(&mut self, kind: StmtKind) {
        self.body.push(kind.at(Span::default()));
    }

    pub(super) fn local(&mut self, ty: TypeId) -> LocalId {
        Local::hidden("", ty).declared_in(&mut self.locals)
    }

    pub(super) fn int(&mut self, value: i128) -> ExprId {
        self.copy.to.int(value)
    }

    pub(super) fn not(&mut self, a: ExprId) -> ExprId {
        self.copy.to.not(a)
    }
}
