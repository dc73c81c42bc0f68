//! Statements into instructions.

use rustc_hash::FxHashMap;

use base::source::Span;
use ir::walk;
use ir::{
    Await, AwaitKind, Block, ErrorKind, ExprId, ExprKind, GlobalId, Loop, LoopId, Place,
    PreemptKind, ProcId, Program, Root, Step, Stmt, StmtKind, TypeId,
};

use super::instr::{Instr, Operand, Reg};
use super::layout::{Domain, Layout, Repr};
use super::{Code, First, Landmark, Live, ProcCode, Reached, Site, SlotInfo, Within, is_wide};

/// A place in the code that is not known yet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Label(u32);

/// Havocs of globals with more values than this wait until the value is needed.
const AT_ONCE: u32 = 256;

/// Where a loop's `break` and `continue` go.
struct Targets {
    id: LoopId,
    end: Label,
    step: Label,
}

/// A compiler: the program, the code so far, and the procedure at hand.
pub(super) struct Compiler<'p> {
    pub program: &'p Program,
    pub code: Code,
    consts: FxHashMap<i64, u32>,
    /// By global: when it gets its first value; [`First::Chosen`] for those behind the end.
    first: &'p [First],
    /// Globals that may be without a value.
    undefined: Vec<bool>,
    labels: Vec<Option<u32>>,
    loops: Vec<Targets>,
    proc: ProcId,
    /// The first register of each local.
    locals: Vec<Reg>,
    /// Locals that may be without a value.
    undefined_locals: Vec<bool>,
    /// The next free register. `frame` is the most that were in use.
    pub next: Reg,
    frame: Reg,
    span: Span,
    /// Whether the code notes to which statements executions come.
    covers: bool,
    /// By procedure: how it is called.
    called: Vec<Within>,
    /// How many blocks that no other task interrupts enclose the statement at hand.
    whole: u32,
    /// Whether the statement at hand is an invariant, which is part of no task.
    apart: bool,
}

/// Compiles a program. If `keep`, states keep locals that no longer matter. If `covers`, the code notes to which statements
/// executions come.
pub fn compile(program: &Program, keep: bool, covers: bool) -> Code {
    compile_with(program, keep, covers, &[])
}

/// Compiles a program as [`compile`] does, where `first` says when globals get their first values.
pub fn compile_with(program: &Program, keep: bool, covers: bool, first: &[First]) -> Code {
    let mut compiler = Compiler::new(program, first);
    compiler.covers = covers;
    for index in 0..program.procs.len() {
        compiler.procedure(ProcId(u32::try_from(index).unwrap_or(u32::MAX)));
    }
    let mut code = compiler.code;
    code.keep = keep;
    code.live = Live::new(&code);
    code
}

/// Checks whether a statement stands in the text as a statement of its own.
pub fn is_written(program: &Program, stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::Check(kind, e, _) => program.is_claim(*kind, *e, stmt.span),
        StmtKind::Preempt(PreemptKind::Implicit) | StmtKind::Atomic(..) | StmtKind::Mark(..) => {
            false
        }
        _ => true,
    }
}

impl<'p> Compiler<'p> {
    fn new(program: &'p Program, first: &'p [First]) -> Self {
        let layout = Layout::new(&program.types);
        let mut globals = Vec::new();
        let mut slots = Vec::new();
        let undefined = undefined_globals(program, &layout, first);
        for (i, g) in program.globals.iter().enumerate() {
            globals.push(index(slots.len()));
            slots.extend(slot_infos((program, &layout), g.ty, undefined[i], index(i)));
        }
        globals.push(index(slots.len()));
        let handles = program
            .exprs
            .iter()
            .any(|e| matches!(e.kind, ExprKind::SelfTask))
            || walk::anywhere(program, |s| matches!(s.kind, StmtKind::Post(Some(_), ..)));
        let code = Code {
            instrs: Vec::new(),
            spans: Vec::new(),
            procs: Vec::new(),
            proc_of: Vec::new(),
            within: Vec::new(),
            consts: Vec::new(),
            sites: Vec::new(),
            landmarks: Vec::new(),
            offsets: Vec::new(),
            maps: Vec::new(),
            blanks: Vec::new(),
            blank_types: Vec::new(),
            layout,
            globals,
            slots,
            live: Live::default(),
            keep: false,
            deadlocks: program.scope.deadlocks,
            handles,
            undefined: undefined.contains(&true),
            operations: FxHashMap::default(),
        };
        Self {
            program,
            code,
            consts: FxHashMap::default(),
            first,
            undefined,
            labels: Vec::new(),
            loops: Vec::new(),
            proc: ProcId(0),
            locals: Vec::new(),
            undefined_locals: Vec::new(),
            next: 0,
            frame: 0,
            span: Span::default(),
            covers: false,
            called: called(program),
            whole: 0,
            apart: false,
        }
    }

    fn procedure(&mut self, id: ProcId) {
        let proc = self.program.proc(id);
        self.proc = id;
        self.span = proc.span;
        self.undefined_locals = vec![false; proc.locals.len()];
        walk::each(&proc.body, &mut |stmt| {
            if let StmtKind::Havoc(to, _) = &stmt.kind
                && let Root::Local(l) = to.root
            {
                self.undefined_locals[l.index()] = true;
            }
        });
        self.code.undefined |= self.undefined_locals.contains(&true);
        self.locals.clear();
        let mut infos = Vec::new();
        for (i, local) in proc.locals.iter().enumerate() {
            self.locals.push(index(infos.len()));
            let undefined = self.undefined_locals[i];
            let context = (self.program, &self.code.layout);
            infos.extend(slot_infos(context, local.ty, undefined, index(i)));
        }
        let params = self.locals.get(proc.params as usize).copied();
        let params = params.unwrap_or(index(infos.len()));
        self.next = index(infos.len());
        self.frame = self.next;
        let (entry, first_label) = (self.here(), self.labels.len());
        self.block(&proc.body);
        if proc.result.is_none() {
            self.emit(Instr::Return { src: 0, n: 0 });
        } else {
            // Every path returns a value; this is never reached.
            self.emit(Instr::Drop);
        }
        self.patch(entry, first_label);
        let waits = proc.first_await().is_some();
        self.code.procs.push(ProcCode {
            entry,
            start: entry + u32::from(waits),
            frame: self.frame,
            params,
            result: proc.result.map_or(0, |t| self.code.layout.slots(t)),
            locals: infos,
        });
    }

    /// Replaces the labels in jumps by the places to which they are bound.
    fn patch(&mut self, entry: u32, first: usize) {
        for instr in &mut self.code.instrs[entry as usize..] {
            if let Instr::Jump { to } | Instr::Branch { to, .. } | Instr::Compare { to, .. } = instr
            {
                *to = self.labels[*to as usize].unwrap_or(entry);
            }
        }
        debug_assert!(self.labels[first..].iter().all(Option::is_some));
    }

    pub fn here(&self) -> u32 {
        index(self.code.instrs.len())
    }

    pub fn emit(&mut self, instr: Instr) {
        self.code.instrs.push(instr);
        self.code.spans.push(self.span);
        self.code.proc_of.push(self.proc.0);
        let called = self.called[self.proc.index()];
        self.code.within.push(Within {
            whole: !self.apart && (self.whole > 0 || called.whole),
            open: !self.apart && self.whole == 0 && called.open,
            name: false,
        });
    }

    /// Marks the last instruction as one that fetches or stores the name of a tree.
    pub fn is_name(&mut self) {
        if let Some(last) = self.code.within.last_mut() {
            last.name = true;
        }
    }

    pub fn label(&mut self) -> Label {
        self.labels.push(None);
        Label(index(self.labels.len() - 1))
    }

    pub fn bind(&mut self, label: Label) {
        self.labels[label.0 as usize] = Some(self.here());
    }

    pub fn jump(&mut self, label: Label) {
        self.emit(Instr::Jump { to: label.0 });
    }

    pub fn target(label: Label) -> u32 {
        label.0
    }

    pub fn temp(&mut self, n: u32) -> Reg {
        let reg = self.next;
        self.next += n;
        self.frame = self.frame.max(self.next);
        reg
    }

    pub fn constant(&mut self, value: i64) -> Operand {
        let consts = &mut self.code.consts;
        let new = index(consts.len());
        let id = *self.consts.entry(value).or_insert_with(|| {
            consts.push(value);
            new
        });
        Operand::constant(id)
    }

    pub fn slots(&self, ty: TypeId) -> u32 {
        self.code.layout.slots(ty)
    }

    pub fn local(&self, id: ir::LocalId) -> (Reg, bool) {
        (self.locals[id.index()], self.undefined_locals[id.index()])
    }

    pub fn global(&self, id: GlobalId) -> (u32, bool) {
        (self.code.globals[id.index()], self.undefined[id.index()])
    }

    pub fn root_type(&self, root: Root) -> TypeId {
        self.program.root_type(self.proc, root)
    }

    fn block(&mut self, block: &Block) {
        for stmt in block {
            self.stmt(stmt);
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        let (span, temps) = (self.span, self.next);
        self.span = stmt.span;
        if !matches!(stmt.kind, StmtKind::Await(_)) {
            self.cover(stmt);
        }
        match &stmt.kind {
            StmtKind::Assign(to, e) => self.assign(to, *e),
            StmtKind::Havoc(to, _) => self.havoc(to),
            StmtKind::Assume(e) => self.assume(*e),
            StmtKind::Check(kind, e, _) => {
                if self.program.is_claim(*kind, *e, stmt.span) {
                    self.reach(Reached::Check);
                }
                self.apart = self.program.scope.is_invariant(stmt.span);
                self.check(*kind, *e);
                self.apart = false;
            }
            StmtKind::If(cond, yes, no) => self.branches(*cond, yes, no),
            StmtKind::Loop(l) => self.cycle(l),
            StmtKind::Break(id) => self.leave(*id, true),
            StmtKind::Continue(id) => self.leave(*id, false),
            StmtKind::Return(e) => {
                let n = e.map_or(0, |e| self.slots(self.program.ty(e)));
                let src = e.map_or(0, |e| self.range(e));
                self.emit(Instr::Return { src, n });
            }
            StmtKind::Call(into, proc, args) => {
                let args = self.arguments(args);
                let into = into.map(|l| self.local(l).0);
                self.emit(Instr::Call {
                    proc: proc.0,
                    args,
                    into,
                });
            }
            StmtKind::Post(into, proc, args) => {
                self.reach(Reached::Post);
                let args = self.arguments(args);
                let into = into.map(|l| self.local(l).0);
                self.emit(Instr::Post {
                    proc: proc.0,
                    args,
                    into,
                });
            }
            StmtKind::Preempt(kind) => self.emit(Instr::Preempt { kind: *kind }),
            StmtKind::Await(at) => self.wait(at, stmt),
            StmtKind::Atomic(_, block) => {
                self.whole += 1;
                self.block(block);
                self.whole -= 1;
            }
            StmtKind::Mark(..) => {}
        }
        (self.span, self.next) = (span, temps);
    }

    /// Notes that an execution comes to a statement, if that is asked.
    fn cover(&mut self, stmt: &Stmt) {
        if self.covers && is_written(self.program, stmt) {
            self.reach(Reached::Statement);
        }
    }

    fn wait(&mut self, at: &Await, stmt: &Stmt) {
        self.emit(Instr::Await);
        // Not before the `Await`: a task that begins with an `await` is posted behind this instruction.
        self.cover(stmt);
        self.whole += 1;
        if let AwaitKind::Op(op) | AwaitKind::Enqueue(op) = at.kind {
            self.code
                .operations
                .insert(index(self.code.instrs.len()), op);
        }
        for check in &at.checks {
            if let StmtKind::Check(kind, e, _) = &check.kind {
                let (span, temps) = (self.span, self.next);
                self.span = check.span;
                self.check(*kind, *e);
                (self.span, self.next) = (span, temps);
            }
        }
        let cond = self.operand(at.cond);
        self.emit(Instr::Guard { cond });
        if at.kind != AwaitKind::Turn {
            self.reach(Reached::Past);
        }
        self.block(&at.body);
        self.whole -= 1;
    }

    fn assume(&mut self, cond: ExprId) {
        let go_on = self.label();
        self.branch(cond, true, go_on);
        self.reach(Reached::Dropped);
        self.emit(Instr::Drop);
        self.bind(go_on);
        self.reach(Reached::Past);
    }

    /// Adds a landmark here. In the library, only what drops executions gets one.
    fn reach(&mut self, what: Reached) {
        if what == Reached::Dropped || self.program.is_own(self.span) {
            let landmark = index(self.code.landmarks.len());
            self.code.landmarks.push(Landmark {
                what,
                span: self.span,
                proc: self.proc.0,
            });
            self.emit(Instr::Reach { landmark });
        }
    }

    /// Emits an instruction that runs unless a condition holds.
    fn unless(&mut self, cond: ExprId, instr: Instr) {
        let go_on = self.label();
        self.branch(cond, true, go_on);
        self.emit(instr);
        self.bind(go_on);
    }

    fn check(&mut self, kind: ErrorKind, e: ExprId) {
        let site = index(self.code.sites.len());
        let span = self.span;
        self.code.sites.push(Site { kind, span });
        self.unless(e, Instr::Fail { site });
    }

    fn branches(&mut self, cond: ExprId, yes: &Block, no: &Block) {
        let (otherwise, end) = (self.label(), self.label());
        self.branch(cond, false, otherwise);
        self.block(yes);
        if !no.is_empty() {
            self.jump(end);
        }
        self.bind(otherwise);
        self.block(no);
        self.bind(end);
    }

    fn cycle(&mut self, l: &Loop) {
        let (begin, step, end) = (self.label(), self.label(), self.label());
        self.loops.push(Targets {
            id: l.id,
            end,
            step,
        });
        self.bind(begin);
        self.block(&l.pre);
        self.branch(l.cond, false, end);
        self.block(&l.body);
        self.bind(step);
        self.block(&l.step);
        self.jump(begin);
        self.bind(end);
        self.loops.pop();
    }

    fn leave(&mut self, id: LoopId, end: bool) {
        let found = self.loops.iter().rev().find(|t| t.id == id);
        if let Some(label) = found.map(|t| if end { t.end } else { t.step }) {
            self.jump(label);
        }
    }

    /// Puts arguments into registers, one after the other.
    fn arguments(&mut self, args: &[ExprId]) -> Reg {
        let total = args.iter().map(|&e| self.slots(self.program.ty(e))).sum();
        let regs = self.temp(total);
        let mut next = regs;
        for &e in args {
            self.put_in(e, next);
            next += self.slots(self.program.ty(e));
        }
        regs
    }

    fn assign(&mut self, to: &Place, e: ExprId) {
        let local = match to.root {
            Root::Local(l) if to.path.is_empty() => Some(self.local(l).0),
            _ => None,
        };
        match local {
            // A scalar may be computed in place: operands are read before the result is written.
            Some(reg) if matches!(self.code.layout.repr(to.ty), Repr::Scalar(_)) => {
                self.put_in(e, reg);
            }
            _ => {
                let src = self.range(e);
                self.store(to, src);
            }
        }
    }

    fn havoc(&mut self, to: &Place) {
        match to.root {
            Root::Global(global)
                if at_once(&self.code.layout, to)
                    && first_of(self.first, global) == First::Chosen =>
            {
                self.choose(to);
            }
            _ => self.forget(to),
        }
    }
}

/// By procedure: whether it may be called where no other task interrupts, and where one may.
fn called(program: &Program) -> Vec<Within> {
    let mut calls: Vec<(usize, bool, usize)> = Vec::new();
    let mut called = vec![Within::default(); program.procs.len()];
    called[program.main.index()].open = true;
    for (by, proc) in program.procs.iter().enumerate() {
        let mut open = vec![(&proc.body, false)];
        while let Some((block, whole)) = open.pop() {
            for stmt in block {
                let inner = matches!(stmt.kind, StmtKind::Atomic(..) | StmtKind::Await(_));
                open.extend(walk::children(stmt).map(|block| (block, whole || inner)));
                match stmt.kind {
                    StmtKind::Call(_, to, _) => calls.push((by, whole, to.index())),
                    StmtKind::Post(_, to, _) => called[to.index()].open = true,
                    _ => {}
                }
            }
        }
    }
    let mut changed = true;
    while changed {
        changed = false;
        for &(by, whole, to) in &calls {
            let (before, caller) = (called[to], called[by]);
            let runs = caller.whole || caller.open;
            called[to].whole |= runs && (whole || caller.whole);
            called[to].open |= !whole && caller.open;
            changed |= called[to] != before;
        }
    }
    called
}

pub(super) fn index(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

/// The globals that some havoc may leave without a value.
fn undefined_globals(program: &Program, layout: &Layout, first: &[First]) -> Vec<bool> {
    let mut undefined = vec![false; program.globals.len()];
    for proc in &program.procs {
        walk::each(&proc.body, &mut |stmt| {
            if let StmtKind::Havoc(to, _) = &stmt.kind
                && let Root::Global(g) = to.root
            {
                let ty = program.globals[g.index()].ty;
                undefined[g.index()] |= match first_of(first, g) {
                    First::Chosen => !at_once(layout, to) || in_tree(program, layout, to, ty),
                    First::Needed => true,
                    First::Given => false,
                };
            }
        });
    }
    undefined
}

fn first_of(first: &[First], global: GlobalId) -> First {
    (first.get(global.index()).copied()).unwrap_or(First::Chosen)
}

/// Checks whether a havoc of a global chooses its value at once, if [`First`] does not say otherwise.
fn at_once(layout: &Layout, to: &Place) -> bool {
    let domain = layout.repr(to.ty);
    matches!(domain, Repr::Scalar(Domain::Small { count, .. }) if *count <= AT_ONCE)
}

/// Whether a place lies in a tree.
fn in_tree(program: &Program, layout: &Layout, to: &Place, mut ty: TypeId) -> bool {
    for step in &to.path {
        ty = match (step, layout.repr(ty)) {
            (_, Repr::Tree { .. }) => return true,
            (Step::Field(f), Repr::Record(fields)) => fields[*f as usize].1,
            (_, Repr::Flat { elem, .. }) => *elem,
            _ => return false,
        };
    }
    debug_assert_eq!(program.types.get(ty), program.types.get(to.ty));
    false
}

/// The slots of a variable, by number.
fn slot_infos(
    (program, layout): (&Program, &Layout),
    ty: TypeId,
    undefined: bool,
    variable: u32,
) -> impl Iterator<Item = SlotInfo> + use<> {
    let wide = is_wide(program, ty);
    domains(layout, ty).into_iter().map(move |domain| SlotInfo {
        domain,
        undefined,
        wide,
        variable,
    })
}

/// The domains of a type's slots.
pub(super) fn domains(layout: &Layout, ty: TypeId) -> Vec<Domain> {
    match layout.repr(ty) {
        Repr::Scalar(domain) => vec![*domain],
        Repr::Record(fields) => (fields.iter())
            .flat_map(|&(_, ty)| domains(layout, ty))
            .collect(),
        Repr::Flat { elem, len, .. } => domains(layout, *elem).repeat(*len as usize),
        Repr::Tree { .. } => vec![Domain::Tree],
    }
}
