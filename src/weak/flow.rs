//! What is still in a buffer at each statement, and which stores may be overtaken.
//!
//! A forward analysis over the body of a task. It over-estimates which stores wait, how many wait, and which may be overtaken.

use std::collections::BTreeSet;

use ir::passes::points;
use ir::{
    Await, AwaitKind, Block, Dialect, ExprId, ExprKind, GlobalId, Loop, LoopId, MemoryOrder, Order,
    Place, ProcId, Program, Root, Step, Stmt, StmtKind, Type, walk,
};
use options::Memory;
use rustc_hash::{FxHashMap, FxHashSet};

use super::stale::{self, Effect, Load};

/// A variable, and the way into it: fields, and elements without their indices.
pub(crate) type Shape = (GlobalId, Vec<Option<u32>>);

/// A store that may be delayed.
#[derive(Clone, Debug)]
pub(crate) struct Store {
    pub place: Place,
    pub shape: Shape,
    /// Whether the store reaches memory after all stores before it.
    pub release: bool,
    pub span: base::source::Span,
    /// The number of the first store of its statement.
    pub group: u32,
}

/// What waits in the buffer.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Pending {
    pub sites: BTreeSet<u32>,
    /// The sites since the last fence that orders stores among each other.
    late: BTreeSet<u32>,
    /// The most stores that wait at once.
    pub most: u32,
    /// The loads that may be the last step of the task that others notice.
    pub last: BTreeSet<Load>,
}

impl Pending {
    /// What may wait after a store has reached memory. No load is the last noticed step then.
    pub fn after_flush(&self) -> Self {
        Self {
            last: BTreeSet::new(),
            ..self.clone()
        }
    }
}

/// What waits at a place in the body; `None` where control does not come.
pub(crate) type Here = Option<Pending>;

/// More than any buffer holds.
const MANY: u32 = 32;

pub(crate) fn join(to: &mut Here, from: &Here) {
    match (&mut *to, from) {
        (_, None) => {}
        (None, from) => to.clone_from(from),
        (Some(to), Some(from)) => {
            to.sites.extend(&from.sites);
            to.late.extend(&from.late);
            to.most = to.most.max(from.most);
            to.last.extend(&from.last);
        }
    }
}

/// What a statement is for the memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Class {
    Nothing,
    /// The statement reads memory.
    Load,
    /// The statement writes memory, perhaps as a release. An atomic one may hold several stores.
    Store {
        release: bool,
    },
    /// Nothing passes the statement.
    Fence,
    /// No store passes the statement.
    Barrier,
    /// The statement takes effect at once, for all tasks.
    AtOnce,
    /// A wait that reads memory.
    Wait,
    /// A branch, a loop, a jump.
    Control,
}

/// What does not change while a program is looked at.
pub(crate) struct Facts {
    pub memory: Memory,
    pub dialect: Dialect,
    /// Whether the rule of stale loads leaves executions out.
    pub reduced: bool,
    /// By global: whether stores to it may be delayed.
    pub candidate: Vec<bool>,
    /// By global: whether it tells which objects are gone.
    gone: Vec<bool>,
    /// The global that operations write to say that they are fences.
    fence: Option<GlobalId>,
    /// By global: whether it holds locks.
    lock: Vec<bool>,
    /// By expression: whether it reads a candidate.
    pub reads: Vec<bool>,
    /// By expression: whether it reads any global.
    reads_global: Vec<bool>,
    /// By global: whether other tasks may notice an access.
    pub noticed: Vec<bool>,
    /// By expression: whether it reads a global of which other tasks may notice an access.
    reads_noticed: Vec<bool>,
    /// By procedure: whether it, or what it calls, touches candidates or orders memory.
    pub touches: Vec<bool>,
}

impl Facts {
    pub fn new(program: &Program, memory: Memory, candidate: Vec<bool>) -> Self {
        let all = program.globals.iter();
        let lock = all.map(|g| points::has_lock(program, g.ty) || super::is_library(program, g.ty));
        let lock = lock.collect();
        let mut gone = vec![false; program.globals.len()];
        let mut noticed = match program.types.dialect {
            Dialect::C => vec![true; program.globals.len()],
            Dialect::Async => points::shared(program),
        };
        for global in &program.scope.apart {
            noticed[global.index()] = false;
        }
        for global in &program.scope.gone {
            gone[global.index()] = true;
        }
        Self {
            memory,
            dialect: program.types.dialect,
            reduced: true,
            candidate,
            gone,
            fence: program.scope.fence,
            lock,
            reads: Vec::new(),
            reads_global: Vec::new(),
            noticed,
            reads_noticed: Vec::new(),
            touches: Vec::new(),
        }
    }

    /// Makes all stores to a variable fences.
    pub fn keep(&mut self, global: GlobalId) {
        self.lock[global.index()] = true;
    }

    /// Looks at the expressions that there are now.
    pub fn look(&mut self, program: &Program) {
        self.reads = walk::all_reads(
            program,
            |root| matches!(root, Root::Global(g) if self.candidate[g.index()]),
        );
        self.reads_global = walk::all_reads(program, |root| matches!(root, Root::Global(_)));
        self.reads_noticed = walk::all_reads(
            program,
            |root| matches!(root, Root::Global(g) if self.noticed[g.index()]),
        );
    }

    pub fn reads(&self, e: ExprId) -> bool {
        self.reads.get(e.index()).copied().unwrap_or(false)
    }

    /// Whether other tasks may notice that an expression is read.
    pub fn is_noticed(&self, e: ExprId) -> bool {
        self.reads_noticed.get(e.index()).copied().unwrap_or(true)
    }

    pub fn is_candidate(&self, root: Root) -> bool {
        matches!(root, Root::Global(g) if self.candidate[g.index()])
    }

    pub fn class(&self, stmt: &Stmt) -> Class {
        let loads = || walk::exprs(stmt).iter().any(|&e| self.reads(e));
        match &stmt.kind {
            StmtKind::Assign(place, _) | StmtKind::Havoc(place, _) => self.write(place, loads()),
            StmtKind::Atomic(order, body) => self.atomic(*order, body),
            StmtKind::Await(wait) => self.wait(wait),
            StmtKind::Post(..) => Class::Fence,
            StmtKind::Call(_, callee, _) if self.touches[callee.index()] => Class::Fence,
            StmtKind::If(..) | StmtKind::Loop(_) => Class::Control,
            StmtKind::Break(_) | StmtKind::Continue(_) | StmtKind::Return(_) => Class::Control,
            _ if loads() => Class::Load,
            _ => Class::Nothing,
        }
    }

    fn write(&self, place: &Place, loads: bool) -> Class {
        match place.root {
            Root::Global(g) if self.candidate[g.index()] => Class::Store { release: false },
            Root::Global(g) if self.lock[g.index()] => Class::Fence,
            Root::Global(g) if self.gone[g.index()] => Class::AtOnce,
            _ if loads => Class::Load,
            _ => Class::Nothing,
        }
    }

    fn atomic(&self, order: Order, body: &[Stmt]) -> Class {
        let named = match order {
            Order::Named(named, _) => named,
            Order::Volatile => MemoryOrder::Relaxed,
            Order::Whole | Order::Foreign => return self.whole(body),
        };
        if body.is_empty() {
            return match named {
                MemoryOrder::SeqCst => Class::Fence,
                MemoryOrder::Release | MemoryOrder::AcqRel => Class::Barrier,
                _ => Class::Nothing,
            };
        }
        let (mut reads, mut writes, mut fence) = (false, false, false);
        // The operation is a fence even if no other task sees the variable.
        let (mut takes, mut gives) = (false, false);
        walk::each(body, &mut |stmt| {
            if let Some(Root::Global(global)) = walk::written(stmt).map(|place| place.root) {
                gives = true;
                fence |= Some(global) == self.fence;
            }
            let global = |e: &ExprId| self.reads_global.get(e.index()).copied().unwrap_or(false);
            takes |= matches!(&stmt.kind, StmtKind::Assign(_, value) if global(value));
            match self.class(stmt) {
                Class::Store { .. } => writes = true,
                Class::Fence | Class::Wait | Class::Barrier => fence = true,
                Class::Nothing | Class::Load | Class::AtOnce | Class::Control => {}
            }
            reads |= walk::exprs(stmt).iter().any(|&e| self.reads(e));
            fence |= matches!(stmt.kind, StmtKind::Loop(_));
        });
        match (reads, writes) {
            _ if fence || gives && (takes || named == MemoryOrder::SeqCst) => Class::Fence,
            (true, _) => Class::Load,
            (false, true) => Class::Store {
                release: named.releases(),
            },
            (false, false) => Class::Nothing,
        }
    }

    /// An atomic section is a fence if it touches anything that tasks share.
    fn whole(&self, body: &[Stmt]) -> Class {
        let (mut at_once, mut fence) = (false, false);
        walk::each(body, &mut |stmt| {
            let reads = walk::exprs(stmt).iter().any(|&e| self.reads(e));
            let calls = matches!(stmt.kind, StmtKind::Call(..));
            match self.class(stmt) {
                Class::Nothing | Class::Control => {}
                Class::AtOnce => at_once = true,
                Class::Load => fence = true,
                Class::Store { .. } | Class::Fence | Class::Barrier | Class::Wait => fence = true,
            }
            fence |= reads || calls;
        });
        match (fence, at_once) {
            (true, _) => Class::Fence,
            (false, true) => Class::AtOnce,
            (false, false) => Class::Nothing,
        }
    }

    /// In C only functions of the library wait, and these order memory.
    fn wait(&self, wait: &Await) -> Class {
        let plain = wait.kind == AwaitKind::Await && self.dialect == Dialect::Async;
        let writes = walk::any(&wait.body, |stmt| {
            let global = |place: &Place| matches!(place.root, Root::Global(_));
            walk::written(stmt).is_some_and(global)
                || matches!(stmt.kind, StmtKind::Call(..) | StmtKind::Post(..))
        });
        if plain && !writes {
            Class::Wait
        } else {
            Class::Fence
        }
    }

    /// The places that an expression reads, as far as stores to them may be delayed.
    pub fn shapes(&self, program: &Program, e: ExprId, found: &mut Vec<Shape>) {
        if !self.reads(e) {
            return;
        }
        if let Some((shape, indices)) = chain(program, e)
            && self.candidate[shape.0.index()]
        {
            found.push(shape);
            for index in indices {
                self.shapes(program, index, found);
            }
            return;
        }
        for part in walk::operands(program.expr(e)) {
            self.shapes(program, part, found);
        }
    }
}

/// The part of a global that an expression is, with its indices, outermost first. A floating number has no parts, only bits.
pub(crate) fn chain(program: &Program, mut e: ExprId) -> Option<(Shape, Vec<ExprId>)> {
    let (mut path, mut indices) = (Vec::new(), Vec::new());
    loop {
        match program.expr(e).kind {
            ExprKind::Field(whole, _) if program.types.is_double(program.ty(whole)) => return None,
            ExprKind::Field(whole, field) => {
                path.push(Some(field));
                e = whole;
            }
            ExprKind::Index(whole, index) => {
                path.push(None);
                indices.push(index);
                e = whole;
            }
            ExprKind::Global(global) => {
                path.reverse();
                indices.reverse();
                return Some(((global, path), indices));
            }
            _ => return None,
        }
    }
}

/// The place of a store without the values of indices; `None` for a local.
pub(crate) fn shape(place: &Place) -> Option<Shape> {
    let Root::Global(global) = place.root else {
        return None;
    };
    let step = |step: &Step| match step {
        Step::Field(field) => Some(*field),
        Step::Index(_) => None,
    };
    Some((global, place.path.iter().map(step).collect()))
}

/// Whether all keys within a place are numbers.
pub(crate) fn has_plain_keys(program: &Program, place: &Place) -> bool {
    let Root::Global(global) = place.root else {
        return false;
    };
    let mut ty = program.globals[global.index()].ty;
    for step in &place.path {
        ty = match (program.types.get(ty), step) {
            (Type::Record(record), Step::Field(field)) => record.fields[*field as usize].1,
            (Type::Array(_, element), Step::Index(_)) => *element,
            (Type::Map(key, element), Step::Index(_)) => {
                if !matches!(program.types.get(*key), Type::Int | Type::Range(..)) {
                    return false;
                }
                *element
            }
            _ => return false,
        };
    }
    true
}

/// The analysis of one task.
pub(crate) struct Flow<'a> {
    pub program: &'a Program,
    pub facts: &'a Facts,
    pub stores: &'a [Store],
    /// The number of parameters of the task.
    pub params: usize,
    /// The stores that are delayed; `None` means all, before [`Self::settle`] has found them.
    pub delayed: Option<FxHashSet<u32>>,
    /// The stores that may be overtaken.
    pub overtaken: FxHashSet<u32>,
    /// Stores that would reach memory at once and must not pass those before them.
    pub held_up: FxHashSet<u32>,
    /// The loads to which the rule of stale loads applies.
    pub loads: BTreeSet<Load>,
    /// The largest number of stores that wait, and where it comes about.
    pub largest: (u32, base::source::Span),
    breaks: FxHashMap<LoopId, Here>,
    continues: FxHashMap<LoopId, Here>,
}

impl<'a> Flow<'a> {
    pub fn new(program: &'a Program, facts: &'a Facts, stores: &'a [Store], task: ProcId) -> Self {
        Self {
            program,
            facts,
            stores,
            params: program.proc(task).params as usize,
            delayed: None,
            overtaken: FxHashSet::default(),
            held_up: FxHashSet::default(),
            loads: BTreeSet::new(),
            largest: (0, base::source::Span::default()),
            breaks: FxHashMap::default(),
            continues: FxHashMap::default(),
        }
    }

    /// Finds the stores that must be delayed.
    pub fn settle(&mut self, body: &Block) {
        self.block(body, Some(Pending::default()));
        let mut delayed: FxHashSet<u32> = FxHashSet::default();
        let mut more = std::mem::take(&mut self.overtaken);
        while !more.is_empty() {
            delayed.extend(more.iter().map(|&s| self.group(s)));
            self.delayed = Some(delayed.clone());
            self.held_up.clear();
            self.loads.clear();
            self.largest = (0, base::source::Span::default());
            self.block(body, Some(Pending::default()));
            more = std::mem::take(&mut self.held_up);
            more.retain(|&s| !delayed.contains(&self.group(s)));
        }
        self.delayed = Some(delayed);
    }

    fn group(&self, site: u32) -> u32 {
        self.stores[site as usize - 1].group
    }

    pub fn is_delayed(&self, site: u32) -> bool {
        let group = self.group(site);
        self.delayed.as_ref().is_none_or(|d| d.contains(&group))
    }

    pub fn block(&mut self, block: &[Stmt], mut here: Here) -> Here {
        let mut number = 0;
        for stmt in block {
            if let StmtKind::Mark(site, _) = stmt.kind {
                number = site;
                continue;
            }
            if crate::leaves(self.program, stmt) {
                continue;
            }
            here = self.stmt(stmt, std::mem::take(&mut number), here);
        }
        here
    }

    pub fn stmt(&mut self, stmt: &Stmt, number: u32, here: Here) -> Here {
        let mut pending = here?;
        let delayed = number > 0 && self.is_delayed(number);
        let parts = (self.program, self.facts, self.stores, self.params);
        match stale::effect(parts, stmt, &pending, delayed) {
            _ if self.facts.class(stmt) == Class::Control => {}
            Effect::None => {}
            Effect::Noticed => pending.last.clear(),
            Effect::Load(load) => {
                self.loads.insert(load);
                pending.last = BTreeSet::from([load]);
            }
        }
        match self.facts.class(stmt) {
            Class::Control => return self.control(stmt, pending),
            Class::Nothing => {}
            Class::Load => {
                self.load(stmt, &pending);
                // The result of a call goes into a local, so the call stores nothing in memory.
            }
            Class::Wait => self.passes(&pending, &[]),
            Class::AtOnce => self.passes(&pending, &[]),
            Class::Fence => pending = Pending::default(),
            Class::Barrier => pending.late.clear(),
            // A store without a number: no other task runs there.
            Class::Store { .. } if number == 0 => pending = Pending::default(),
            Class::Store { release } => {
                self.load(stmt, &pending);
                self.store(stmt, number, release, &mut pending);
            }
        }
        self.leaves_within(stmt, &pending);
        Some(pending)
    }

    /// Notes the jumps out of a statement that is one step.
    fn leaves_within(&mut self, stmt: &Stmt, pending: &Pending) {
        if !matches!(stmt.kind, StmtKind::Atomic(..) | StmtKind::Await(_)) {
            return;
        }
        walk::each(std::slice::from_ref(stmt), &mut |inner| {
            let to = match inner.kind {
                StmtKind::Break(id) => self.breaks.entry(id),
                StmtKind::Continue(id) => self.continues.entry(id),
                _ => return,
            };
            join(to.or_default(), &Some(pending.clone()));
        });
    }

    fn store(&mut self, stmt: &Stmt, number: u32, release: bool, pending: &mut Pending) {
        let own: Vec<u32> = sites_of(stmt, number, self.stores);
        if self.facts.memory == Memory::Pso && !release {
            for &site in &pending.late {
                if own.iter().any(|&o| self.may_differ(o, site)) {
                    self.overtaken.insert(site);
                }
            }
        }
        if own.iter().any(|&site| self.is_delayed(site)) {
            pending.sites.extend(&own);
            pending.late.extend(&own);
            pending.most = (pending.most + longest(stmt, self.facts)).min(MANY);
            if pending.most > self.largest.0 {
                self.largest = (pending.most, stmt.span);
            }
            return;
        }
        if self.facts.memory == Memory::Tso {
            *pending = Pending::default();
            return;
        }
        let waits = |&site: &u32| release || own.iter().any(|&o| self.may_be_same(o, site));
        if pending.sites.iter().any(waits) || pending.sites.len() != pending.late.len() {
            self.held_up.extend(&own);
        }
    }

    /// Whether two stores may write different places.
    fn may_differ(&self, a: u32, b: u32) -> bool {
        let (a, b) = (&self.stores[a as usize - 1], &self.stores[b as usize - 1]);
        a.shape != b.shape || a.shape.1.contains(&None)
    }

    fn may_be_same(&self, a: u32, b: u32) -> bool {
        self.stores[a as usize - 1].shape == self.stores[b as usize - 1].shape
    }

    /// Notes that what is read may overtake the stores that wait.
    fn load(&mut self, stmt: &Stmt, pending: &Pending) {
        let mut found = Vec::new();
        let (program, facts) = (self.program, self.facts);
        walk::each(std::slice::from_ref(stmt), &mut |s| {
            for e in walk::exprs(s) {
                facts.shapes(program, e, &mut found);
            }
        });
        if !found.is_empty() {
            self.passes(pending, &found);
        }
    }

    fn passes(&mut self, pending: &Pending, read: &[Shape]) {
        for &site in &pending.sites {
            let own = &self.stores[site as usize - 1].shape;
            let same = |shape: &Shape| shape == own && !own.1.contains(&None);
            if read.is_empty() || !read.iter().all(same) {
                self.overtaken.insert(site);
            }
        }
    }

    fn control(&mut self, stmt: &Stmt, mut pending: Pending) -> Here {
        match &stmt.kind {
            StmtKind::If(cond, yes, no) => {
                self.condition(*cond, &mut pending);
                let mut after = self.block(yes, Some(pending.clone()));
                let other = self.block(no, Some(pending));
                join(&mut after, &other);
                after
            }
            StmtKind::Loop(l) => self.turns(l, Some(pending)).out,
            StmtKind::Break(id) => {
                join(self.breaks.entry(*id).or_default(), &Some(pending));
                None
            }
            StmtKind::Continue(id) => {
                join(self.continues.entry(*id).or_default(), &Some(pending));
                None
            }
            // A task ends with an empty buffer.
            _ => None,
        }
    }

    fn condition(&mut self, cond: ExprId, pending: &mut Pending) {
        if self.facts.is_noticed(cond) {
            pending.last.clear();
        }
        let mut found = Vec::new();
        self.facts.shapes(self.program, cond, &mut found);
        if !found.is_empty() {
            self.passes(pending, &found);
        }
    }

    /// Computes what waits at the parts of a loop, as a fixed point.
    pub fn turns(&mut self, l: &Loop, here: Here) -> Turns {
        let mut head = here;
        loop {
            self.breaks.remove(&l.id);
            self.continues.remove(&l.id);
            let mut tested = self.block(&l.pre, head.clone());
            if let Some(pending) = &mut tested {
                self.condition(l.cond, pending);
            }
            let mut step = self.block(&l.body, tested.clone());
            join(&mut step, &self.continues.remove(&l.id).flatten());
            let again = self.block(&l.step, step.clone());
            let mut next = head.clone();
            join(&mut next, &again);
            if next == head {
                let endless = self.program.expr(l.cond).kind == ExprKind::Bool(true);
                let mut out = if endless { None } else { tested.clone() };
                join(&mut out, &self.breaks.remove(&l.id).flatten());
                return Turns {
                    head,
                    tested,
                    step,
                    out,
                };
            }
            head = next;
        }
    }
}

/// What waits at the parts of a loop.
pub(crate) struct Turns {
    pub head: Here,
    pub tested: Here,
    pub step: Here,
    pub out: Here,
}

/// The stores of a statement, the first of which has the number.
pub(crate) fn sites_of(stmt: &Stmt, number: u32, stores: &[Store]) -> Vec<u32> {
    if !matches!(stmt.kind, StmtKind::Atomic(..)) {
        return vec![number];
    }
    let own = |&site: &u32| {
        stores
            .get(site as usize - 1)
            .is_some_and(|s| s.group == number)
    };
    (number..).take_while(own).collect()
}

/// Most stores on a way through a statement.
pub(crate) fn longest(stmt: &Stmt, facts: &Facts) -> u32 {
    let all = |block: &Block| block.iter().map(|s| longest(s, facts)).sum::<u32>();
    match &stmt.kind {
        StmtKind::Assign(place, _) | StmtKind::Havoc(place, _) => {
            u32::from(facts.is_candidate(place.root))
        }
        StmtKind::If(_, yes, no) => all(yes).max(all(no)),
        StmtKind::Atomic(_, body) => all(body),
        _ => 0,
    }
}
