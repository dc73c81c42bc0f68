//! What a program needs on C11's memory: which variables have messages and how many, which of them carry views.

use std::collections::{BTreeMap, BTreeSet};

use base::source::Span;
use ir::passes::points;
use ir::{
    BinaryOp, Block, Dialect, ExprId, ExprKind, Global, GlobalId, Loop, MemoryOrder, Order, Place,
    Proc, ProcId, Program, Root, Step, Stmt, StmtKind, Type, TypeId, Types, WeakOrders, turns,
    walk,
};
use thin_vec::ThinVec;

use crate::flow::{Shape, chain, shape};

/// More than any bound.
pub(super) const MANY: u32 = 1000;
/// Most variables, most elements of an array, most threads.
const VARIABLES: usize = 16;
const ELEMENTS: u32 = 8;
const TASKS: u32 = 8;

/// A variable with messages: a part of a global that has no parts itself.
#[derive(Clone, Debug)]
pub(super) struct Variable {
    pub shape: Shape,
    pub indices: Vec<u32>,
    pub place: Place,
    /// The value that memory has now, and the value of the last store, as expressions.
    pub now: ExprId,
    pub stored: ExprId,
    /// Most stores, and whether there may be more.
    pub most: u32,
    pub bounded: bool,
    /// Whether new messages only come at the end of the order.
    pub appended: bool,
    /// Whether each message stays directly behind the one before it.
    pub chained: bool,
    /// The number of the last message.
    pub last: GlobalId,
    pub values: Option<GlobalId>,
    /// By message: its place in the order. `ids` is the reverse.
    pub places: Option<GlobalId>,
    pub ids: Option<GlobalId>,
    /// By message: whether nothing may come between it and the one before it.
    pub follows: Option<GlobalId>,
    /// By variable, by message: the view that a thread learns when it reads the message with acquire.
    pub views: Vec<Option<GlobalId>>,
    /// Whether it has no messages: its accesses are not atomic, and engines look for races. It has the number of its last store.
    pub plain: bool,
    /// If its accesses are watched: the entry of the view for that, and the global with the kind of the watched access.
    pub watch: Option<(usize, GlobalId)>,
}

/// What the body of a task needs.
#[derive(Clone, Debug, Default)]
pub(super) struct Needs {
    pub acquires: bool,
    pub releases: bool,
    /// Variables that the task writes both with release and without.
    pub own: BTreeSet<usize>,
}

impl Needs {
    /// Drops the needs for variables that carry no views.
    fn keep(&mut self, carries: &[bool]) {
        let any = carries.contains(&true);
        self.acquires &= any;
        self.releases &= any;
        self.own.retain(|&x| carries[x]);
    }
}

pub(super) struct Plan {
    pub variables: Vec<Variable>,
    /// How many entries the view of a thread has: see [`Kinds::views`].
    pub views: usize,
    /// Where variables are accessed.
    pub sites: BTreeMap<Shape, Sites>,
    /// By expression: whether it reads a variable with messages.
    reads: Vec<bool>,
    candidate: Vec<bool>,
    /// By global: the index in `exchanges` of the view that a thread takes over, and leaves, when it touches the global.
    strong: Vec<Option<usize>>,
    pub exchanges: Vec<Vec<GlobalId>>,
    /// The index in `exchanges` for steps that are atomic for all tasks.
    pub section: Option<usize>,
    /// By variable: the newest message that later seq_cst operations must know of. Empty if no operation is seq_cst.
    pub newest: Vec<GlobalId>,
    /// By procedure: whether tasks that begin with it take over a view.
    pub wrapped: Vec<bool>,
    /// How many threads were made, and their handles.
    pub made: Option<(GlobalId, GlobalId)>,
    pub tasks: u32,
    pub bounded_tasks: bool,
    /// By entry of the view: an array with the entry of each thread at its end.
    pub ends: Vec<GlobalId>,
    pub ids: TypeId,
    pub which: TypeId,
}

/// What the machine does not follow, and at which places.
pub(super) type Unsaid = Vec<(Span, String)>;

/// The globals by what is done with them.
pub(super) struct Kinds {
    pub candidate: Vec<bool>,
    pub strong: Vec<bool>,
    pub shapes: BTreeSet<Shape>,
    pub unsaid: Unsaid,
    /// How shapes are accessed, if races are looked for.
    pub sites: BTreeMap<Shape, Sites>,
    /// The shapes of which accesses are watched.
    watched: BTreeSet<Shape>,
}

/// Where a variable is accessed.
#[derive(Clone, Debug, Default)]
pub(super) struct Sites {
    pub reads: BTreeSet<Span>,
    pub writes: BTreeSet<Span>,
    plain_read: bool,
    plain_write: bool,
    atomic: bool,
}

impl Sites {
    fn is_plain(&self) -> bool {
        (self.plain_read || self.plain_write) && !self.atomic
    }
}

/// The statement in which an access stands.
#[derive(Clone, Copy, PartialEq)]
enum Within {
    Nothing,
    Operation,
    Section,
}

/// How often the parts of a loop run.
pub(super) fn turned(turns: &turns::Turns, l: &Loop, times: u32) -> u32 {
    let leaves = (l.body.last()).is_some_and(|last| last.kind == StmtKind::Break(l.id));
    if leaves && !walk::any(&l.body, |stmt| stmt.kind == StmtKind::Continue(l.id)) {
        // This is the loop with one turn that the inliner puts around a called procedure.
        return times;
    }
    let most = turns.most(l.id).and_then(|n| u32::try_from(n).ok());
    most.map_or(MANY, |n| times.saturating_mul(n).min(MANY))
}

/// Procedures that are part of tasks.
fn running(program: &Program) -> impl Iterator<Item = (ProcId, &Block)> {
    let all = (0..program.procs.len()).map(ProcId::from_index);
    let apart = |id: &ProcId| *id == program.init || program.finally == Some(*id);
    all.filter(move |id| !apart(id))
        .map(|id| (id, &program.proc(id).body))
}

/// How many statements of the first task run before there are other tasks.
pub(crate) fn alone(body: &[Stmt], posts: &[bool]) -> usize {
    let makes = |stmt: &Stmt| match &stmt.kind {
        StmtKind::Post(..) => true,
        StmtKind::Call(_, callee, _) => posts[callee.index()],
        _ => false,
    };
    let first = (body.iter()).position(|stmt| walk::any(std::slice::from_ref(stmt), makes));
    first.unwrap_or(body.len())
}

/// By procedure: whether it makes tasks.
pub(crate) fn posts(program: &Program) -> Vec<bool> {
    let own = |proc: &Proc| walk::any(&proc.body, |s| matches!(s.kind, StmtKind::Post(..)));
    let own = program.procs.iter().map(own).collect();
    ir::calls::Calls::of(program).to_callers(own)
}

impl Kinds {
    pub fn of(program: &Program, candidate: Vec<bool>) -> Self {
        let mut kinds = Self {
            strong: strong(program),
            candidate,
            shapes: BTreeSet::new(),
            unsaid: Unsaid::new(),
            sites: BTreeMap::new(),
            watched: BTreeSet::new(),
        };
        let posts = posts(program);
        let mut bad: Vec<(GlobalId, Span, &str)> = Vec::new();
        for (id, body) in running(program) {
            let from = if id == program.main {
                alone(body, &posts)
            } else {
                0
            };
            walk::each(&body[from..], &mut |stmt| {
                kinds.look(program, stmt, &mut bad);
            });
        }
        for (global, span, why) in bad {
            kinds.keep(program, global, span, why);
        }
        // The globals with the most variables lose their messages until few variables are left.
        loop {
            if kinds.count(program) <= VARIABLES {
                break;
            }
            let of = |g: GlobalId| {
                let own = kinds.shapes.iter().filter(|s| s.0 == g);
                own.map(|s| leaves(program, s).len()).sum::<usize>()
            };
            let largest = kinds.shapes.iter().map(|s| s.0).max_by_key(|&g| of(g));
            let Some(global) = largest else { break };
            let span = program.globals[global.index()].span;
            kinds.keep(program, global, span, "is one variable too many");
        }
        if program.scope.races && program.types.dialect == Dialect::C {
            kinds.look_for_races(program, &posts);
        }
        kinds
    }

    /// Finds the variables without messages: only a race could read an old value of them. Finds the watched accesses: plain reads
    /// that an unordered write may follow, and all accesses to a variable that has both plain and atomic ones.
    fn look_for_races(&mut self, program: &Program, posts: &[bool]) {
        let mut sites = all_used(program, posts);
        sites.retain(|shape, _| self.shapes.contains(shape));
        let leaks = !WeakOrders::of(program).leaks.is_empty();
        let watched = sites.iter().filter(|(_, own)| match own.is_plain() {
            true => leaks && own.plain_read && own.plain_write,
            false => own.plain_read || own.plain_write,
        });
        self.watched = watched.map(|(shape, _)| shape.clone()).collect();
        self.sites = sites;
    }

    fn is_plain(&self, shape: &Shape) -> bool {
        self.sites.get(shape).is_some_and(Sites::is_plain)
    }

    /// How many entries a view has: one for each variable, and one more for each whose accesses are watched.
    pub fn views(&self, program: &Program) -> usize {
        let watched = self.watched.iter().map(|s| leaves(program, s).len());
        self.count(program) + watched.sum::<usize>()
    }

    /// The variables, by their indices.
    fn parts(&self, program: &Program) -> Vec<(Shape, Vec<u32>)> {
        let each = |shape: &Shape| {
            let own = leaves(program, shape).into_iter();
            own.map(|indices| (shape.clone(), indices))
                .collect::<Vec<_>>()
        };
        self.shapes.iter().flat_map(each).collect()
    }

    /// How many variables have messages.
    pub fn count(&self, program: &Program) -> usize {
        self.shapes.iter().map(|s| leaves(program, s).len()).sum()
    }

    fn look(
        &mut self,
        program: &Program,
        stmt: &Stmt,
        bad: &mut Vec<(GlobalId, Span, &'static str)>,
    ) {
        let waits = matches!(stmt.kind, StmtKind::Await(_));
        let mut found = Vec::new();
        for e in walk::exprs(stmt) {
            parts(program, e, &mut found);
        }
        if let Some(place) = walk::written(stmt)
            && let Some(shape) = shape(place)
        {
            found.push((shape, place.ty));
        }
        for (shape, ty) in found {
            if !self.candidate[shape.0.index()] {
                continue;
            }
            let why = if waits {
                Some("is waited for")
            } else if !program.types.is_scalar(ty) && !program.types.is_double(ty) {
                Some("is read or written as a whole")
            } else if leaves(program, &shape).is_empty() {
                Some("is too large")
            } else {
                None
            };
            match why {
                Some(why) => bad.push((shape.0, stmt.span, why)),
                None => drop(self.shapes.insert(shape)),
            }
        }
    }

    /// Leaves a global without messages. If it is atomic, a thread that touches it comes after all that have touched it before.
    fn keep(&mut self, program: &Program, global: GlobalId, span: Span, why: &str) {
        if !std::mem::replace(&mut self.candidate[global.index()], false) {
            return;
        }
        self.shapes.retain(|shape| shape.0 != global);
        let atomic = running(program).any(|(_, body)| {
            walk::any(body, |stmt| {
                let StmtKind::Atomic(_, inner) = &stmt.kind else {
                    return false;
                };
                walk::any(inner, |s| {
                    let of = |root| root == Root::Global(global);
                    walk::written(s).is_some_and(|p| of(p.root))
                        || walk::exprs(s)
                            .iter()
                            .any(|&e| walk::reads(program, e, &mut { of }))
                })
            })
        });
        self.strong[global.index()] = atomic || program.types.dialect == Dialect::Async;
        let name = &program.globals[global.index()].name;
        let message = format!("`{name}` {why}: each read of it gives what was written last");
        self.unsaid.push((span, message));
    }
}

/// By global: whether it belongs to the library, and orders the threads that touch it.
fn strong(program: &Program) -> Vec<bool> {
    let mut gone = vec![false; program.globals.len()];
    for global in &program.scope.gone {
        gone[global.index()] = true;
    }
    let all = program.globals.iter().zip(gone);
    let is = |(global, gone): (&Global, bool)| {
        let library = points::has_lock(program, global.ty) || crate::is_library(program, global.ty);
        !gone && (library || global.state_of.is_some())
    };
    all.map(is).collect()
}

/// The largest parts of globals that an expression reads.
fn parts(program: &Program, e: ExprId, found: &mut Vec<(Shape, TypeId)>) {
    if let Some((shape, indices)) = chain(program, e) {
        found.push((shape, program.ty(e)));
        for index in indices {
            parts(program, index, found);
        }
        return;
    }
    for part in walk::operands(program.expr(e)) {
        parts(program, part, found);
    }
}

/// Whether threads write a variable, and some access to it is plain.
pub(super) fn share_plain(program: &Program, candidate: &[bool]) -> bool {
    let sites = all_used(program, &posts(program));
    let plain = |own: &Sites| own.plain_read || own.plain_write;
    let written = |global| (sites.iter()).any(|(s, own)| s.0 == global && !own.writes.is_empty());
    let mut all = sites.iter();
    all.any(|(shape, own)| candidate[shape.0.index()] && plain(own) && written(shape.0))
}

/// The accesses to each shape, except for those that come before there are other tasks.
fn all_used(program: &Program, posts: &[bool]) -> BTreeMap<Shape, Sites> {
    let mut sites = BTreeMap::new();
    for (id, body) in running(program) {
        let from = match id == program.main {
            true => alone(body, posts),
            false => 0,
        };
        used(program, &body[from..], Within::Nothing, &mut sites);
    }
    sites
}

fn used(program: &Program, block: &[Stmt], within: Within, sites: &mut BTreeMap<Shape, Sites>) {
    for stmt in block {
        let mut read = Vec::new();
        if !program.scope.is_invariant(stmt.span) {
            for e in walk::exprs(stmt) {
                parts(program, e, &mut read);
            }
        }
        for (shape, _) in read {
            let own = sites.entry(shape).or_default();
            own.reads.insert(stmt.span);
            own.plain_read |= within == Within::Nothing;
            own.atomic |= within == Within::Operation;
        }
        if let Some(shape) = walk::written(stmt).and_then(shape) {
            let own = sites.entry(shape).or_default();
            own.writes.insert(stmt.span);
            own.plain_write |= within == Within::Nothing;
            own.atomic |= within == Within::Operation;
        }
        let inside = match &stmt.kind {
            _ if within == Within::Section => within,
            StmtKind::Atomic(Order::Named(..), _) => Within::Operation,
            StmtKind::Atomic(..) | StmtKind::Await(_) => Within::Section,
            _ => within,
        };
        for inner in walk::children(stmt) {
            used(program, inner, inside, sites);
        }
    }
}

/// The variables of a shape, by their indices; none if there are too many.
fn leaves(program: &Program, shape: &Shape) -> Vec<Vec<u32>> {
    let mut all = vec![Vec::new()];
    let mut ty = program.globals[shape.0.index()].ty;
    for step in &shape.1 {
        ty = match (program.types.get(ty), step) {
            (Type::Record(record), Some(field)) => record.fields[*field as usize].1,
            (Type::Array(length, element), None) if *length <= ELEMENTS => {
                let with = |own: &Vec<u32>| {
                    let own = own.clone();
                    (0..*length).map(move |i| [own.clone(), vec![i]].concat())
                };
                all = all.iter().flat_map(with).collect();
                *element
            }
            _ => return Vec::new(),
        };
    }
    if all.len() > VARIABLES {
        return Vec::new();
    }
    all
}

/// A body of a task, with what it calls.
pub(super) struct Task {
    pub id: ProcId,
    pub proc: Proc,
    /// How many tasks run it at most.
    pub times: u32,
    /// How many statements at the beginning stay as they are, because no other task runs yet.
    pub alone: usize,
    pub needs: Needs,
}

/// An access to a variable, or a fence.
struct Access {
    of: Option<(Shape, Vec<Option<i128>>)>,
    reads: bool,
    writes: bool,
    order: Order,
    times: u32,
}

/// What is known of a variable.
#[derive(Clone, Debug, Default)]
struct Uses {
    stores: u32,
    writers: u32,
    /// Whether there are writes that are no updates.
    plain: bool,
    updated: bool,
    sc: bool,
    other: bool,
    releases: bool,
    acquires: bool,
}

impl Access {
    /// The orders of the access if it writes, and if it does not.
    fn orders(&self) -> (MemoryOrder, MemoryOrder) {
        match self.order {
            Order::Named(a, b) => (a, b),
            Order::Whole | Order::Foreign | Order::Volatile => {
                (MemoryOrder::AcqRel, MemoryOrder::AcqRel)
            }
        }
    }

    fn is_sc(&self) -> bool {
        let (writing, failing) = self.orders();
        writing == MemoryOrder::SeqCst || failing == MemoryOrder::SeqCst
    }
}

/// Whether an access may be one to a variable.
fn is_part((shape, indices): (&Shape, &[Option<i128>]), (own, at): &(Shape, Vec<u32>)) -> bool {
    let mut known = indices.iter().zip(at);
    own == shape && known.all(|(known, &at)| known.is_none_or(|known| known == i128::from(at)))
}

impl Uses {
    fn add(&mut self, access: &Access, section: bool, tasks: u32) {
        let (writing, failing) = access.orders();
        let is = |order| order == MemoryOrder::SeqCst;
        self.sc |= is(writing) || is(failing);
        self.other |= !is(writing) || !is(failing);
        if access.reads {
            self.acquires |= writing.acquires() || failing.acquires();
        }
        if access.writes {
            let stores = access.times.saturating_mul(tasks);
            self.stores = self.stores.saturating_add(stores).min(MANY);
            self.plain |= !access.reads && !section;
            self.updated |= access.reads || section;
            self.releases |= writing.releases();
        }
    }
}

impl Plan {
    pub fn has(&self, root: Root) -> bool {
        matches!(root, Root::Global(g) if self.candidate[g.index()])
    }

    pub fn reads(&self, e: ExprId) -> bool {
        self.reads.get(e.index()).copied().unwrap_or(false)
    }

    pub fn touches(&self, block: &[Stmt]) -> bool {
        walk::any(block, |s| {
            walk::written(s).is_some_and(|p| self.has(p.root))
                || walk::exprs(s).iter().any(|&e| self.reads(e))
        })
    }

    /// The indices in `exchanges` of the globals that a statement itself touches.
    pub fn exchanged(&self, program: &Program, stmt: &Stmt) -> Vec<usize> {
        let mut found = BTreeSet::new();
        for e in walk::exprs(stmt) {
            walk::reads(program, e, &mut |root| {
                if let Root::Global(global) = root {
                    found.extend(self.strong[global.index()]);
                }
                false
            });
        }
        if let Some(Root::Global(global)) = walk::written(stmt).map(|place| place.root) {
            found.extend(self.strong[global.index()]);
        }
        found.into_iter().collect()
    }

    /// The variables that statements may touch.
    pub fn touched(&self, program: &Program, block: &[Stmt]) -> Vec<usize> {
        let mut found = BTreeSet::new();
        walk::each(block, &mut |stmt| {
            let mut own = Vec::new();
            for e in walk::exprs(stmt) {
                parts(program, e, &mut own);
            }
            own.extend(walk::written(stmt).and_then(|p| Some((shape(p)?, p.ty))));
            for (x, variable) in self.variables.iter().enumerate() {
                if own.iter().any(|(shape, _)| *shape == variable.shape) {
                    found.insert(x);
                }
            }
        });
        found.into_iter().collect()
    }

    /// The plan, what of C11 it does not follow, and where a variable gets more stores than it may.
    pub fn new(
        program: &mut Program,
        kinds: &Kinds,
        tasks: &mut [Task],
        buffer: u32,
    ) -> (Self, Unsaid, Option<Span>) {
        let candidate = kinds.candidate.clone();
        let reads = walk::all_reads(
            program,
            |root| matches!(root, Root::Global(g) if candidate[g.index()]),
        );
        let parts = kinds.parts(program);
        let mut uses = vec![Uses::default(); parts.len()];
        let mut found = Found::default();
        for task in &mut *tasks {
            let (accesses, lazy) = accesses(program, &candidate, &reads, task);
            found.several = found.several.or(lazy);
            found.add(&accesses, task, (&parts, &mut uses), kinds);
            found.channels |= kinds.strong.contains(&true) || hands_on(program, task);
        }
        let most = uses.iter().map(|u| u.stores.clamp(1, buffer)).max();
        let ids = program
            .types
            .intern(Type::Range(0, most.unwrap_or(1).into()));
        let which = program.types.intern(Type::Range(0, parts.len() as i128));
        let cut = (parts.iter().zip(&uses)).find(|(_, own)| own.stores > buffer);
        let cut = cut.map(|((shape, _), _)| program.globals[shape.0.index()].span);
        let mut variables = Vec::new();
        for (x, part) in parts.into_iter().enumerate() {
            let plain = kinds.is_plain(&part.0);
            let made = Variable::new(program, part, (&uses[x], buffer, plain), ids);
            variables.push(made);
        }
        let mut plan = Self {
            variables,
            views: kinds.views(program),
            sites: kinds.sites.clone(),
            reads,
            candidate,
            strong: vec![None; kinds.strong.len()],
            exchanges: Vec::new(),
            section: None,
            newest: Vec::new(),
            wrapped: Vec::new(),
            made: None,
            tasks: 0,
            bounded_tasks: false,
            ends: Vec::new(),
            ids,
            which,
        };
        let carries = plan.variables.iter().zip(&uses);
        let carries = carries.map(|(own, uses)| !own.plain && found.carries(uses));
        let carries: Vec<bool> = carries.collect();
        plan.watch(program, kinds, found.tasks.values().any(Tasks::leaks));
        plan.give_views(program, kinds, &carries, &found);
        plan.give_tasks(program, tasks);
        let mut unsaid = kinds.unsaid.clone();
        let span = program.proc(program.main).span;
        let few = format!("at most {TASKS} threads are made");
        unsaid.extend(plan.bounded_tasks.then_some((span, few)));
        found.unsaid(&uses, &mut unsaid);
        for task in tasks {
            task.needs.keep(&carries);
        }
        (plan, unsaid, cut)
    }

    /// Gives variables their watches. Plain ones only have a watch if threads may hand on what they do not come after.
    fn watch(&mut self, program: &mut Program, kinds: &Kinds, leaks: bool) {
        let kind = program.types.intern(Type::Range(0, 4));
        let first = self.variables.len();
        let all = self.variables.iter_mut();
        let watched = all.filter(|v| kinds.watched.contains(&v.shape));
        for (view, variable) in (first..).zip(watched) {
            if leaks || !variable.plain {
                let name = format!("watched{view}");
                variable.watch = Some((view, hidden(program, name, kind)));
            }
        }
    }

    /// Makes the views that belong to no thread: those of messages, of seq_cst operations and of `exchanges`.
    fn give_views(
        &mut self,
        program: &mut Program,
        kinds: &Kinds,
        carries: &[bool],
        found: &Found,
    ) {
        let (count, ids) = (self.views, self.ids);
        for (x, variable) in self.variables.iter_mut().enumerate() {
            if !carries[x] {
                continue;
            }
            let ty = program.types.intern(Type::Array(variable.most + 1, ids));
            let mut view = |y| hidden(program, format!("{x}.view{y}"), ty);
            variable.views = (0..count).map(|y| (y != x).then(|| view(y))).collect();
        }
        let mut views = |name: &str| -> Vec<GlobalId> {
            let each = |x| hidden(program, format!("{name}.{x}"), ids);
            (0..count).map(each).collect()
        };
        if found.sc_at.is_some() {
            self.newest = views("seq_cst");
        }
        for (global, _) in kinds.strong.iter().enumerate().filter(|(_, is)| **is) {
            self.strong[global] = Some(self.exchanges.len());
            self.exchanges.push(views(&format!("of{global}")));
        }
        if found.section.is_some() {
            self.section = Some(self.exchanges.len());
            self.exchanges.push(views("section"));
        }
    }

    /// Makes the globals that tell about threads, if the program joins threads.
    fn give_tasks(&mut self, program: &mut Program, tasks: &[Task]) {
        let joins = tasks.iter().any(|task| {
            walk::any(&task.proc.body, |s| match &s.kind {
                StmtKind::Await(wait) => walk::asks_who_finished(program, wait.cond),
                _ => false,
            })
        });
        let own = tasks.iter().filter(|t| t.id != program.main);
        let made: u32 = own.map(|t| t.times).sum();
        if !joins || made == 0 || self.variables.is_empty() {
            return;
        }
        self.bounded_tasks = made > TASKS;
        self.tasks = made.min(TASKS);
        let number = program.types.intern(Type::Range(0, self.tasks.into()));
        let handles = Type::Array(self.tasks, Types::TASK);
        let handles = program.types.intern(handles);
        let count = hidden(program, "made.".to_owned(), number);
        self.made = Some((count, hidden(program, "tasks.".to_owned(), handles)));
        let ty = program.types.intern(Type::Array(self.tasks, self.ids));
        let each = |x| hidden(program, format!("end.{x}"), ty);
        self.ends = (0..self.views).map(each).collect();
    }
}

impl Variable {
    fn new(
        program: &mut Program,
        (shape, indices): (Shape, Vec<u32>),
        (uses, buffer, plain): (&Uses, u32, bool),
        ids: TypeId,
    ) -> Self {
        let most = uses.stores.clamp(1, buffer);
        let chained = uses.updated && !uses.plain;
        let appended = plain || uses.writers <= 1 || chained;
        let place = place(program, &shape, &indices);
        let mut name = program.globals[shape.0.index()].name.clone();
        let mut at = indices.iter();
        for step in &shape.1 {
            let part = step.as_ref().or_else(|| at.next()).copied();
            name = format!("{name}.{}", part.unwrap_or_default());
        }
        let mut array = |what: &str, ty| {
            let ty = program.types.intern(Type::Array(most + 1, ty));
            hidden(program, format!("{name}.{what}"), ty)
        };
        let values = (!plain).then(|| array("values", place.ty));
        let places = (!appended).then(|| array("places", ids));
        let order = (!appended).then(|| array("order", ids));
        let follows = (!appended && uses.updated).then(|| array("follows", Types::BOOL));
        let last = hidden(program, format!("{name}.last"), ids);
        let now = value_of(program, &place);
        let number = global(program, last);
        let stored = values.map_or(now, |values| {
            let array = global(program, values);
            program.add(ExprKind::Index(array, number), place.ty)
        });
        Self {
            shape,
            indices,
            place,
            now,
            stored,
            most,
            bounded: uses.stores > buffer,
            appended,
            chained,
            last,
            values,
            places,
            ids: order,
            follows,
            views: Vec::new(),
            plain,
            watch: None,
        }
    }
}

/// Whether a task may make others after it has read something or waited for others, or comes to a fence after that.
fn hands_on(program: &Program, task: &Task) -> bool {
    let follows = &task.proc.body[task.alone..];
    let joins = |s: &Stmt| match &s.kind {
        StmtKind::Await(wait) => walk::asks_who_finished(program, wait.cond),
        _ => false,
    };
    let posts = |s: &Stmt| matches!(s.kind, StmtKind::Post(..));
    let fences = |s: &Stmt| matches!(s.kind, StmtKind::Atomic(Order::Named(..), _));
    let (mut joined, mut found) = (false, false);
    walk::each(follows, &mut |stmt| {
        joined |= joins(stmt);
        found |= joined && posts(stmt) || fences(stmt) && walk::any(follows, posts);
        let inside = std::slice::from_ref(stmt);
        let both = walk::any(inside, joins) && walk::any(inside, posts);
        found |= both && matches!(stmt.kind, StmtKind::Loop(_));
    });
    found || walk::any(follows, joins) && walk::any(follows, fences) || {
        task.id != program.main && walk::any(follows, posts)
    }
}

/// Which tasks read and write a variable, and which of them without acquire and release.
#[derive(Default)]
struct Tasks {
    read: BTreeSet<ProcId>,
    write: BTreeSet<ProcId>,
    loose_read: BTreeSet<ProcId>,
    loose_write: BTreeSet<ProcId>,
    /// Whether several tasks run one body.
    many: bool,
}

impl Tasks {
    /// Whether a task may read what another one has written without coming after it.
    fn leaks(&self) -> bool {
        let meet = |a: &BTreeSet<ProcId>, b: &BTreeSet<ProcId>| {
            a.iter().any(|a| b.iter().any(|b| a != b || self.many))
        };
        meet(&self.loose_read, &self.write) || meet(&self.loose_write, &self.read)
    }
}

/// What is known of all accesses.
#[derive(Default)]
struct Found {
    tasks: BTreeMap<Shape, Tasks>,
    acquire_fence: bool,
    release_fence: bool,
    /// Where the first operation stands that is seq_cst, and how many threads have such operations.
    sc_at: Option<Span>,
    sc_threads: u32,
    sc_fence: bool,
    section: Option<Span>,
    odd: Option<Span>,
    several: Option<Span>,
    /// Whether something is read without acquire or written without release, and whether by a thread that may hand on what it reads.
    loose: bool,
    relays: bool,
    /// Whether locks, threads that are made or threads that are joined may hand on what a thread has read.
    channels: bool,
    /// How many threads touch variables.
    threads: u32,
}

impl Found {
    fn add(
        &mut self,
        accesses: &[(Access, Span)],
        task: &mut Task,
        (variables, uses): (&[(Shape, Vec<u32>)], &mut [Uses]),
        kinds: &Kinds,
    ) {
        if let Some((_, span)) = accesses.iter().find(|(access, _)| access.is_sc()) {
            self.sc_at.get_or_insert(*span);
            self.sc_threads = self.sc_threads.saturating_add(task.times);
        }
        let (mut reads, mut writes, mut loose) = (false, false, false);
        let (mut released, mut unreleased) = (BTreeSet::new(), BTreeSet::new());
        let mut written = BTreeSet::new();
        for (access, span) in accesses {
            let (writing, failing) = access.orders();
            let Some((shape, indices)) = &access.of else {
                self.sc_fence |= access.is_sc();
                self.acquire_fence |= writing.acquires();
                self.release_fence |= writing.releases();
                task.needs.acquires |= writing.acquires();
                task.needs.releases |= writing.releases();
                continue;
            };
            let section = !matches!(access.order, Order::Named(..));
            if section {
                self.section.get_or_insert(*span);
            }
            let odd = failing.acquires() && !writing.acquires()
                || failing == MemoryOrder::SeqCst && writing != MemoryOrder::SeqCst;
            if odd && access.writes && access.reads {
                self.odd.get_or_insert(*span);
            }
            reads |= access.reads;
            writes |= access.writes;
            // An access that reads must acquire, and one that writes must release.
            let tight = (!access.reads || writing.acquires() && failing.acquires())
                && (!access.writes || writing.releases());
            // A read of a plain variable comes after its write, or there is a race.
            let plain = kinds.is_plain(shape);
            loose |= !tight && !plain;
            if !plain {
                self.tell(shape, access, task);
            }
            for (x, variable) in variables.iter().enumerate() {
                if !is_part((shape, indices), variable) {
                    continue;
                }
                uses[x].add(access, section, task.times);
                if access.writes {
                    written.insert(x);
                    match writing.releases() {
                        true => released.insert(x),
                        false => unreleased.insert(x),
                    };
                }
            }
        }
        for &x in &written {
            uses[x].writers += task.times;
        }
        task.needs.own = released.intersection(&unreleased).copied().collect();
        self.loose |= loose;
        self.relays |= reads && writes && loose;
        if reads || writes {
            self.threads = self.threads.saturating_add(task.times);
        }
    }

    fn tell(&mut self, shape: &Shape, access: &Access, task: &Task) {
        let (writing, failing) = access.orders();
        let own = self.tasks.entry(shape.clone()).or_default();
        own.many |= task.times > 1;
        if access.reads {
            own.read.insert(task.id);
            if !writing.acquires() || !failing.acquires() {
                own.loose_read.insert(task.id);
            }
        }
        if access.writes {
            own.write.insert(task.id);
            if !writing.releases() {
                own.loose_write.insert(task.id);
            }
        }
    }

    /// Whether stores to the variable may order threads.
    fn carries(&self, uses: &Uses) -> bool {
        (uses.releases || self.release_fence) && (uses.acquires || self.acquire_fence)
    }

    /// Whether C11 has no executions beside those of the machine. In such an execution, a seq_cst operation comes before another
    /// one in the order of seq_cst, although the other one leads to it through writes and reads. One thread has no two such
    /// operations, as each variable is coherent.
    fn exact(&self, uses: &[Uses]) -> bool {
        if self.sc_threads <= 1 {
            return true;
        }
        let accessed = uses.iter().any(|u| u.sc);
        let mixed = uses.iter().any(|u| u.sc && u.other);
        match (accessed, self.sc_fence) {
            (false, false) => true,
            (false, true) => self.threads <= 2 || !self.relays && !self.channels,
            (true, _) => !mixed && !self.loose,
        }
    }

    fn unsaid(&self, uses: &[Uses], unsaid: &mut Unsaid) {
        let mut say = |at: Option<Span>, why: &str| {
            unsaid.push((at.unwrap_or_default(), why.to_owned()));
        };
        if !self.exact(uses) {
            say(
                self.sc_at,
                "operations that are seq_cst take effect in the order in which they run: C11 allows others beside weaker operations",
            );
        }
        if self.section.is_some() {
            say(
                self.section,
                "a step that is no atomic operation of C11 reads what was written last, and comes after all such steps before it",
            );
        }
        if self.odd.is_some() {
            say(
                self.odd,
                "an exchange that fails orders more than one that does not: both are taken to order as much",
            );
        }
        if self.several.is_some() {
            say(
                self.several,
                "all variables are read here, also where one would do",
            );
        }
    }
}

/// The accesses of a task, with the places where they stand.
fn accesses(
    program: &Program,
    candidate: &[bool],
    reads: &[bool],
    task: &Task,
) -> (Vec<(Access, Span)>, Option<Span>) {
    let mut walk = Walk {
        program,
        candidate,
        reads,
        turns: turns::Turns::new(program, &task.proc),
        found: Vec::new(),
        lazy: None,
    };
    let relaxed = Order::Named(MemoryOrder::Relaxed, MemoryOrder::Relaxed);
    walk.block(&task.proc.body[task.alone..], relaxed, 1);
    (walk.found, walk.lazy)
}

struct Walk<'p> {
    program: &'p Program,
    candidate: &'p [bool],
    reads: &'p [bool],
    turns: turns::Turns,
    found: Vec<(Access, Span)>,
    /// Where something is read that need not be.
    lazy: Option<Span>,
}

/// Whether an expression reads a variable only if another part has a certain value.
fn is_lazy(program: &Program, reads: &[bool], e: ExprId) -> bool {
    let read = |e: &ExprId| reads.get(e.index()).copied().unwrap_or(false);
    if !read(&e) {
        return false;
    }
    let own = match &program.expr(e).kind {
        ExprKind::Binary(BinaryOp::And | BinaryOp::Or | BinaryOp::Implies, _, b) => read(b),
        ExprKind::Ite(_, a, b) => read(a) || read(b),
        _ => false,
    };
    own || walk::operands(program.expr(e))
        .iter()
        .any(|&part| is_lazy(program, reads, part))
}

impl Walk<'_> {
    fn block(&mut self, block: &[Stmt], order: Order, times: u32) {
        for stmt in block {
            self.stmt(stmt, order, times);
        }
    }

    fn stmt(&mut self, stmt: &Stmt, order: Order, times: u32) {
        let mut found = Vec::new();
        for e in walk::exprs(stmt) {
            self.read(e, &mut found);
        }
        let lazy = |&e: &ExprId| is_lazy(self.program, self.reads, e);
        if self.lazy.is_none() && walk::exprs(stmt).iter().any(lazy) {
            self.lazy = Some(stmt.span);
        }
        for of in found {
            self.add((of, stmt.span), (true, false), order, times);
        }
        if let Some(place) = walk::written(stmt)
            && let Some(of) = self.of_place(place)
        {
            self.add((of, stmt.span), (false, true), order, times);
        }
        match &stmt.kind {
            // An operation in a larger step is part of that step.
            StmtKind::Atomic(_, inner) if !matches!(order, Order::Named(..)) => {
                self.block(inner, order, times);
            }
            StmtKind::Atomic(own @ Order::Named(..), inner) if inner.is_empty() => {
                let fence = Access {
                    of: None,
                    reads: false,
                    writes: false,
                    order: *own,
                    times,
                };
                self.found.push((fence, stmt.span));
            }
            StmtKind::Atomic(own @ Order::Named(..), inner) => self.operation(inner, *own, times),
            StmtKind::Atomic(own, inner) => self.block(inner, *own, times),
            StmtKind::Await(wait) => self.block(&wait.body, Order::Whole, times),
            StmtKind::Loop(l) => {
                let times = turned(&self.turns, l, times);
                for part in [&l.pre, &l.body, &l.step] {
                    self.block(part, order, times);
                }
            }
            _ => {
                for inner in walk::children(stmt) {
                    self.block(inner, order, times);
                }
            }
        }
    }

    /// Finds the accesses of an operation. A read and a write of one variable in one step are one access.
    fn operation(&mut self, inner: &[Stmt], order: Order, times: u32) {
        let from = self.found.len();
        self.block(inner, order, times);
        let all = self.found.split_off(from);
        let both = |of: &Option<(Shape, Vec<Option<i128>>)>| {
            let own = |(a, _): &&(Access, Span)| a.of == *of;
            all.iter().filter(own).any(|(a, _)| a.reads)
                && all.iter().filter(own).any(|(a, _)| a.writes)
        };
        for (access, span) in &all {
            let update = both(&access.of);
            if update && !access.writes {
                continue;
            }
            let access = Access {
                of: access.of.clone(),
                reads: access.reads || update,
                ..*access
            };
            self.found.push((access, *span));
        }
    }

    fn add(
        &mut self,
        (of, span): ((Shape, Vec<Option<i128>>), Span),
        (reads, writes): (bool, bool),
        order: Order,
        times: u32,
    ) {
        let access = Access {
            of: Some(of),
            reads,
            writes,
            order,
            times,
        };
        self.found.push((access, span));
    }

    fn known(&self, e: ExprId) -> Option<i128> {
        match self.program.expr(e).kind {
            ExprKind::Int(n) => Some(n.0),
            _ => None,
        }
    }

    fn of_place(&self, place: &Place) -> Option<(Shape, Vec<Option<i128>>)> {
        let of = shape(place)?;
        let known = walk::indices(place).map(|e| self.known(e)).collect();
        self.candidate[of.0.index()].then_some((of, known))
    }

    fn read(&self, e: ExprId, found: &mut Vec<(Shape, Vec<Option<i128>>)>) {
        if !self.reads.get(e.index()).copied().unwrap_or(false) {
            return;
        }
        if let Some((shape, indices)) = chain(self.program, e) {
            if self.candidate[shape.0.index()] {
                found.push((shape, indices.iter().map(|&e| self.known(e)).collect()));
            }
            for index in indices {
                self.read(index, found);
            }
            return;
        }
        for part in walk::operands(self.program.expr(e)) {
            self.read(part, found);
        }
    }
}

/// The place of a variable.
fn place(program: &mut Program, shape: &Shape, indices: &[u32]) -> Place {
    let mut indices = indices.iter();
    let mut ty = program.globals[shape.0.index()].ty;
    let mut path = ThinVec::new();
    for step in &shape.1 {
        let (own, step) = match (program.types.get(ty), step) {
            (Type::Record(record), Some(field)) => {
                (record.fields[*field as usize].1, Step::Field(*field))
            }
            (Type::Array(_, element), _) => {
                let element = *element;
                let index = indices.next().copied().unwrap_or(0);
                let index = program.add(ExprKind::int(index.into()), Types::INT);
                (element, Step::Index(index))
            }
            _ => unreachable!("a step into a value without parts"),
        };
        path.push(step);
        ty = own;
    }
    Place {
        root: Root::Global(shape.0),
        path,
        ty,
    }
}

fn global(program: &mut Program, global: GlobalId) -> ExprId {
    let ty = program.globals[global.index()].ty;
    program.add(ExprKind::Global(global), ty)
}

/// What memory has at a place of a global.
fn value_of(program: &mut Program, place: &Place) -> ExprId {
    let Root::Global(root) = place.root else {
        unreachable!("a variable that threads share")
    };
    let mut e = global(program, root);
    for step in &place.path {
        let (kind, ty) = match (program.types.get(program.ty(e)), step) {
            (Type::Record(record), Step::Field(field)) => {
                (ExprKind::Field(e, *field), record.fields[*field as usize].1)
            }
            (Type::Array(_, element), Step::Index(index)) => (ExprKind::Index(e, *index), *element),
            _ => unreachable!("a step into a value without parts"),
        };
        e = program.add(kind, ty);
    }
    e
}

/// A global of the pass's own, which begins with the plainest value.
fn hidden(program: &mut Program, name: String, ty: TypeId) -> GlobalId {
    let id = program.declare(&name, ty);
    program.globals[id.index()].hidden = true;
    let value = program.plain_value(ty);
    let place = Place::whole(Root::Global(id), ty);
    let init = program.init;
    let set = StmtKind::Assign(place, value).at(Span::default());
    program.procs[init.index()].body.push(set);
    id
}
