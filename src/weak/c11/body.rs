//! The body of a task on C11's memory.
//!
//! Views hold numbers of messages: a thread's view of a variable is its newest message that the thread must know of. Where
//! messages are only added at the end of the order, their numbers are also their places in it.

use base::source::Span;
use ir::{
    Await, BinaryOp, Block, ChoiceKind, ErrorKind, ExprId, ExprKind, GlobalId, Local, LocalId,
    Loop, MemoryOrder, Order, Place, PreemptKind, Program, Root, Step, Stmt, StmtKind, Type,
    TypeId, Types, UnaryOp, walk,
};
use thin_vec::thin_vec;

use ir::text::Names;

use super::plan::{Plan, Variable};
use crate::Part;
use crate::flow::{chain, shape};

/// A thread's view, by variable.
type View = Vec<LocalId>;

/// What is read within an operation that may also write: which variable, and which message.
#[derive(Clone, Copy)]
struct Read {
    variable: LocalId,
    message: LocalId,
    value: LocalId,
    /// The expression that is read.
    what: ExprId,
    /// Whether the operation reads it on every way to here.
    sure: bool,
}

/// The orders of the operation at hand: for a run in which it writes, and for one in which it does not.
#[derive(Clone, Copy)]
struct Orders {
    writes: MemoryOrder,
    fails: MemoryOrder,
    /// Whether the operation writes on every way, if it writes at all.
    always: bool,
    atomic: bool,
}

const PLAIN: Orders = Orders {
    writes: MemoryOrder::Relaxed,
    fails: MemoryOrder::Relaxed,
    always: false,
    atomic: false,
};

/// What a body becomes.
pub(super) struct Made {
    pub body: Block,
    pub locals: Vec<Local>,
}

pub(super) struct Body<'a> {
    pub program: &'a mut Program,
    pub plan: &'a Plan,
    pub locals: Vec<Local>,
    pub now: View,
    /// The views that an acquire fence will add, and those of the last release fence.
    acquired: Option<View>,
    released: Option<View>,
    /// By variable: the view of the thread's last release of it.
    own: Vec<Option<View>>,
    /// The number of the thread, if the program joins threads.
    number: Option<LocalId>,
    position: LocalId,
    from: LocalId,
    chosen: LocalId,
    created: LocalId,
    span: Span,
}

impl<'a> Body<'a> {
    pub fn new(
        program: &'a mut Program,
        plan: &'a Plan,
        mut locals: Vec<Local>,
        (now, number): (Option<View>, Option<LocalId>),
        needs: &super::plan::Needs,
    ) -> Self {
        let count = plan.variables.len();
        let ids = plan.ids;
        let mut one = |name: &str, ty| Local::hidden(name.to_owned(), ty).declared_in(&mut locals);
        let position = one("position", plan.ids);
        let from = one("from", plan.ids);
        let chosen = one("chosen", Types::BOOL);
        let created = one("created", plan.ids);
        let mut view = |name: &str| -> View {
            let each = |i| Local::hidden(format!("{name}{i}"), ids).declared_in(&mut locals);
            (0..plan.views).map(each).collect()
        };
        let now = now.unwrap_or_else(|| view("view"));
        let acquired = needs.acquires.then(|| view("acquired"));
        let released = needs.releases.then(|| view("released"));
        let own = (0..count).map(|x| needs.own.contains(&x).then(|| view("own")));
        let own = own.collect();
        Self {
            program,
            plan,
            locals,
            now,
            acquired,
            released,
            own,
            number,
            position,
            from,
            chosen,
            created,
            span: Span::default(),
        }
    }

    /// The body. The first statements of the first task run alone, on memory as it is.
    pub fn body(mut self, body: &Block, alone: usize, main: bool) -> Made {
        let mut made: Block = body[..alone].into();
        self.span = body.first().map_or(Span::default(), |s| s.span);
        let first = match main {
            true => self.now.clone(),
            false => View::new(),
        };
        let views = [&self.acquired, &self.released];
        let views = views.into_iter().chain(&self.own).flatten().flatten();
        let all: Vec<LocalId> = first.into_iter().chain(views.copied()).collect();
        let mut begin = Block::new();
        for local in all {
            let zero = self.int(0);
            self.set(local, zero, &mut begin);
        }
        if main {
            let plan = self.plan;
            for variable in &plan.variables {
                if let Some(values) = variable.values {
                    self.put(values, 0, variable.now, &mut begin);
                }
            }
            made.extend(begin);
        } else {
            let at = usize::from(matches!(
                body.first().map(|s| &s.kind),
                Some(StmtKind::Await(_))
            ));
            debug_assert_eq!(alone, 0);
            made.extend(begin);
            if at == 1 {
                // A task that begins with a wait is pending there. The wait touches none of these views.
                let rest = self.block(&body[..1]);
                made.splice(0..0, rest);
            }
            let rest = self.block(&body[at..]);
            made.extend(rest);
            self.end(&mut made);
            return Made {
                body: made,
                locals: self.locals,
            };
        }
        let rest = self.block(&body[alone..]);
        made.extend(rest);
        Made {
            body: made,
            locals: self.locals,
        }
    }

    /// Keeps the view of the thread at its end, for threads that join it.
    fn end(&mut self, made: &mut Block) {
        let Some(number) = self.number else { return };
        let mut put = Block::new();
        for x in 0..self.now.len() {
            let value = self.local(self.now[x]);
            let index = self.local(number);
            self.put_at(self.plan.ends[x], index, value, &mut put);
        }
        match self.program.scope.ended {
            Some(ended) => {
                let ended = self.global(ended);
                made.push(self.when(ended, Block::new(), put));
            }
            None => made.extend(put),
        }
    }

    fn block(&mut self, block: &[Stmt]) -> Block {
        let mut made = Block::new();
        for stmt in block {
            self.stmt(stmt, &mut made);
        }
        made
    }

    fn stmt(&mut self, stmt: &Stmt, made: &mut Block) {
        if stmt.span != Span::default() {
            self.span = stmt.span;
        }
        if crate::leaves(self.program, stmt) {
            made.push(stmt.clone());
            return;
        }
        match &stmt.kind {
            StmtKind::If(cond, yes, no) => {
                let cond = self.value(*cond, made);
                let (yes, no) = (self.block(yes), self.block(no));
                made.push(StmtKind::If(cond, yes, no).at(stmt.span));
            }
            StmtKind::Loop(l) => {
                let mut pre = self.block(&l.pre);
                let cond = self.value(l.cond, &mut pre);
                let body = self.block(&l.body);
                let step = self.block(&l.step);
                let kind = StmtKind::Loop(Box::new(Loop {
                    id: l.id,
                    pre,
                    cond,
                    body,
                    step,
                }));
                made.push(kind.at(stmt.span));
            }
            StmtKind::Return(value) => {
                let value = value.map(|e| self.value(e, made));
                self.end(made);
                made.push(StmtKind::Return(value).at(stmt.span));
            }
            StmtKind::Atomic(Order::Named(order, _), inner) if inner.is_empty() => {
                self.fence(*order, made);
                made.push(stmt.clone());
            }
            StmtKind::Atomic(Order::Named(writes, fails), inner) if self.plan.touches(inner) => {
                let own = self.atomic((*writes, *fails), inner);
                made.push(StmtKind::Atomic(Order::Named(*writes, *fails), own).at(stmt.span));
            }
            StmtKind::Atomic(order, inner) => {
                let own = self.section(inner);
                made.push(StmtKind::Atomic(*order, own).at(stmt.span));
            }
            StmtKind::Await(wait) => {
                let wait = self.wait(stmt, wait);
                made.push(StmtKind::Await(Box::new(wait)).at(stmt.span));
            }
            _ => self.simple(stmt, made),
        }
    }

    /// An atomic operation of C11.
    fn atomic(&mut self, (writes, fails): (MemoryOrder, MemoryOrder), inner: &[Stmt]) -> Block {
        let orders = Orders {
            writes,
            fails,
            always: !walk::any(inner, |s| matches!(s.kind, StmtKind::If(..))),
            atomic: true,
        };
        let has = |s: &Stmt| walk::written(s).is_some_and(|p| self.plan.has(p.root));
        let writes = walk::any(inner, has);
        let (mut reads, mut own, mut begin) = (Vec::new(), Block::new(), Block::new());
        self.operation(inner, (orders, writes), &mut reads, &mut own);
        let mut strong = Vec::new();
        walk::each(inner, &mut |s| {
            strong.extend(self.plan.exchanged(self.program, s));
        });
        strong.sort_unstable();
        strong.dedup();
        self.exchange(&strong, &mut begin);
        self.exchange(&strong, &mut own);
        for read in reads.iter().filter(|read| !read.sure) {
            let none = self.int(self.plan.variables.len() as i128);
            self.set(read.variable, none, &mut begin);
            let first = self.int(0);
            self.set(read.message, first, &mut begin);
        }
        own.splice(0..0, begin);
        own
    }

    fn wait(&mut self, stmt: &Stmt, wait: &Await) -> Await {
        let leaves = |s: &Stmt| crate::leaves(self.program, s);
        let at = usize::from(wait.body.first().is_some_and(leaves));
        let mut body: Block = wait.body[..at].into();
        let strong = self.plan.exchanged(self.program, stmt);
        self.exchange(&strong, &mut body);
        let inner = self.section(&wait.body[at..]);
        body.extend(inner);
        self.joined(wait.cond, &mut body);
        Await {
            kind: wait.kind,
            checks: wait.checks.clone(),
            cond: wait.cond,
            body,
        }
    }

    /// A statement without others inside, which is no atomic operation.
    fn simple(&mut self, stmt: &Stmt, made: &mut Block) {
        let strong = self.plan.exchanged(self.program, stmt);
        self.exchange(&strong, made);
        if matches!(stmt.kind, StmtKind::Post(..)) {
            return self.post(stmt, made);
        }
        let mut stmt = stmt.clone();
        if let StmtKind::Assign(place, value) = &mut stmt.kind
            && self.plan.has(place.root)
        {
            let value = self.value(*value, made);
            let place = self.place(place, made);
            self.store(&place, value, PLAIN, None, made);
            return;
        }
        if let StmtKind::Havoc(place, kind) = &stmt.kind
            && self.plan.has(place.root)
        {
            let place = self.place(place, made);
            let any = Local::hidden("any", place.ty).declared_in(&mut self.locals);
            made.push(StmtKind::Havoc(Place::local(any, place.ty), *kind).at(stmt.span));
            let value = self.local(any);
            self.store(&place, value, PLAIN, None, made);
            return;
        }
        match &mut stmt.kind {
            StmtKind::Assign(place, value) => {
                *value = self.value(*value, made);
                *place = self.place(place, made);
            }
            StmtKind::Havoc(place, _) => *place = self.place(place, made),
            // What an invariant reads is no access of a thread.
            StmtKind::Assume(_) | StmtKind::Check(..)
                if self.program.scope.is_invariant(self.span) => {}
            StmtKind::Assume(e) | StmtKind::Check(_, e, _) => *e = self.value(*e, made),
            StmtKind::Call(_, _, args) | StmtKind::Mark(_, args) => {
                for e in args {
                    *e = self.value(*e, made);
                }
            }
            _ => {}
        }
        made.push(stmt);
    }

    /// The statements of an atomic operation.
    fn operation(
        &mut self,
        block: &[Stmt],
        (orders, writes): (Orders, bool),
        reads: &mut Vec<Read>,
        made: &mut Block,
    ) {
        for stmt in block {
            match &stmt.kind {
                StmtKind::Assign(place, value) if self.plan.has(place.root) => {
                    let place = self.place(place, made);
                    let read = reads.iter().rev().copied();
                    let read = { read }.find(|read| self.is_of(read, &place));
                    self.store(&place, *value, orders, read, made);
                }
                StmtKind::Assign(place, value) if self.plan.reads(*value) => {
                    // The value is a variable and nothing more: `check` has made sure.
                    let mut seen = reads.iter();
                    let value = match seen
                        .find(|read| read.sure && super::same(self.program, read.what, *value))
                    {
                        Some(read) => self.local(read.value),
                        None => {
                            let read = self.load(*value, orders, writes, made);
                            reads.push(read);
                            self.local(read.value)
                        }
                    };
                    made.push(StmtKind::Assign(place.clone(), value).at(stmt.span));
                }
                StmtKind::If(cond, yes, no) => {
                    let (mut then, mut other) = (Block::new(), Block::new());
                    let before = reads.len();
                    self.operation(yes, (orders, writes), reads, &mut then);
                    reads[before..].iter_mut().for_each(|r| r.sure = false);
                    self.operation(no, (orders, writes), reads, &mut other);
                    reads[before..].iter_mut().for_each(|r| r.sure = false);
                    made.push(StmtKind::If(*cond, then, other).at(stmt.span));
                }
                _ => made.push(stmt.clone()),
            }
        }
    }

    /// A step that is atomic for all tasks: it reads the newest values, and nothing comes between.
    fn section(&mut self, block: &[Stmt]) -> Block {
        let mut made = Block::new();
        let touched = self.plan.touched(self.program, block);
        let mut strong: Vec<usize> = Vec::new();
        walk::each(block, &mut |stmt| {
            strong.extend(self.plan.exchanged(self.program, stmt));
        });
        if !touched.is_empty() {
            strong.extend(self.plan.section);
        }
        strong.sort_unstable();
        strong.dedup();
        self.exchange(&strong, &mut made);
        for &x in &touched {
            let variable = &self.plan.variables[x];
            if variable.plain {
                continue;
            }
            let last = self.global(variable.last);
            let newest = self.at_place(x, last);
            self.set(self.now[x], newest, &mut made);
            let message = self.local(self.now[x]);
            self.learn(x, message, true, &mut made);
        }
        let inner = self.inside(block);
        made.extend(inner);
        if !touched.is_empty() {
            self.exchange(&strong, &mut made);
        }
        made
    }

    fn inside(&mut self, block: &[Stmt]) -> Block {
        let mut made = Block::new();
        for stmt in block {
            let mut stmt = stmt.clone();
            match &stmt.kind {
                StmtKind::Post(..) => self.post(&stmt, &mut made),
                StmtKind::Assign(place, value) if self.plan.has(place.root) => {
                    self.append(place, *value, &mut made);
                }
                StmtKind::Havoc(place, kind) if self.plan.has(place.root) => {
                    let any = Local::hidden("any", place.ty).declared_in(&mut self.locals);
                    made.push(StmtKind::Havoc(Place::local(any, place.ty), *kind).at(stmt.span));
                    let value = self.local(any);
                    self.append(place, value, &mut made);
                }
                _ => {
                    for block in walk::children_mut(&mut stmt) {
                        *block = self.inside(&std::mem::take(block));
                    }
                    match &mut stmt.kind {
                        StmtKind::Loop(l) => self.races_of(l.cond, &mut l.pre),
                        _ => {
                            for e in walk::exprs(&stmt) {
                                self.races_of(e, &mut made);
                            }
                        }
                    }
                    made.push(stmt);
                }
            }
        }
        made
    }

    /// Checks what an expression reads in a section for races.
    fn races_of(&mut self, e: ExprId, made: &mut Block) {
        if !self.plan.reads(e) || self.program.scope.is_invariant(self.span) {
            return;
        }
        if let Some((of, indices)) = chain(self.program, e) {
            for &index in &indices {
                self.races_of(index, made);
            }
            self.dispatch(&of, &indices, made, &mut |this, x, made| {
                this.races(x, (false, true), made);
            });
            return;
        }
        for part in walk::operands(self.program.expr(e)) {
            self.races_of(part, made);
        }
    }

    /// Checks that an access comes after all earlier ones that it conflicts with, and may watch it for the sake of later ones.
    fn races(&mut self, x: usize, (write, atomic): (bool, bool), made: &mut Block) {
        let plan = self.plan;
        let variable = &plan.variables[x];
        if variable.plain && !crate::without(Part::Race) {
            let (own, last) = (self.local(self.now[x]), self.global(variable.last));
            let knows = self.binary(BinaryOp::Eq, own, last);
            self.race(x, knows, write, (false, true), made);
        }
        let Some((view, watched)) = variable.watch.filter(|_| !crate::without(Part::Watch)) else {
            return;
        };
        // 1: a plain read, 2: a plain write, 3: an atomic read, 4: an atomic write.
        let kind = 1 + u32::from(write) + 2 * u32::from(atomic && !variable.plain);
        let conflicts: &[i128] = match (write, kind > 2) {
            _ if variable.plain && !write => &[],
            _ if variable.plain => &[1],
            (false, false) => &[2, 4],
            (true, false) => &[1, 2, 3, 4],
            (false, true) => &[2],
            (true, true) => &[1, 2],
        };
        for &other in conflicts {
            let (is, number) = (self.global(watched), self.int(other));
            let same = self.binary(BinaryOp::Eq, is, number);
            let differs = self.not(same);
            let (own, one) = (self.local(self.now[view]), self.int(1));
            let knows = self.binary(BinaryOp::Eq, own, one);
            let fine = self.binary(BinaryOp::Or, differs, knows);
            self.race(x, fine, write, (other % 2 == 1, other % 2 == 0), made);
        }
        if variable.plain && write {
            return;
        }
        let (is, none) = (self.global(watched), self.int(0));
        let free = self.binary(BinaryOp::Eq, is, none);
        let (mut choose, mut begin) = (Block::new(), Block::new());
        let number = self.int(kind.into());
        self.set_global(watched, number, &mut begin);
        let one = self.int(1);
        self.set(self.now[view], one, &mut begin);
        let any = Place::local(self.chosen, Types::BOOL);
        choose.push(StmtKind::Havoc(any, ChoiceKind::Memory).at(self.span));
        let chosen = self.local(self.chosen);
        choose.push(self.when(chosen, begin, Block::new()));
        made.push(self.when(free, choose, Block::new()));
    }

    fn race(
        &mut self,
        x: usize,
        fine: ExprId,
        write: bool,
        (reads, writes): (bool, bool),
        made: &mut Block,
    ) {
        let variable = &self.plan.variables[x];
        let proc = self.program.proc(self.program.main);
        let names = Names {
            program: self.program,
            proc,
            values: &[],
        };
        let name = ir::text::place(names, &variable.place);
        let mut others = Vec::new();
        let sites = self.plan.sites.get(&variable.shape);
        for (is, word) in [(reads, "read"), (writes, "written")] {
            let spans = sites.filter(|_| is).into_iter().flat_map(|own| match word {
                "read" => &own.reads,
                _ => &own.writes,
            });
            let lines = spans.filter_map(|&span| self.program.quotes.line(span));
            let lines: std::collections::BTreeSet<u32> = lines.collect();
            let lines: Vec<String> = lines.iter().map(u32::to_string).collect();
            if !lines.is_empty() {
                let word_for = if lines.len() == 1 { "line" } else { "lines" };
                others.push(format!("{word} at {word_for} {}", lines.join(", ")));
            }
        }
        let own = if write { "written" } else { "read" };
        let others = others.join(", ");
        let message = format!(
            "`{name}` is {own} here and {others} by another thread, and nothing orders the two"
        );
        self.program.quotes.show_as(fine, variable.now);
        made.push(StmtKind::Check(ErrorKind::Race, fine, message.into()).at(self.span));
    }

    // Threads.

    fn post(&mut self, stmt: &Stmt, made: &mut Block) {
        let StmtKind::Post(to, proc, args) = &stmt.kind else {
            return;
        };
        let mut args = args.clone();
        for e in &mut args {
            *e = self.value(*e, made);
        }
        if !self.plan.wrapped[proc.index()] {
            made.push(StmtKind::Post(*to, *proc, args).at(stmt.span));
            return;
        }
        for x in 0..self.now.len() {
            let own = self.local(self.now[x]);
            args.push(own);
        }
        let Some((count, tasks)) = self.plan.made else {
            let none = self.int(0);
            args.push(none);
            made.push(StmtKind::Post(*to, *proc, args).at(stmt.span));
            return;
        };
        if self.plan.bounded_tasks {
            let own = self.global(count);
            let most = self.int(i128::from(self.plan.tasks));
            let fits = self.binary(BinaryOp::Lt, own, most);
            drop_unless(fits, made);
        }
        let own = self.global(count);
        self.set(self.created, own, made);
        let created = self.local(self.created);
        args.push(created);
        let more = self.plus_one(created);
        self.set_global(count, more, made);
        let to =
            to.unwrap_or_else(|| Local::hidden("task", Types::TASK).declared_in(&mut self.locals));
        made.push(StmtKind::Post(Some(to), *proc, args).at(stmt.span));
        let task = self.local(to);
        self.put_at(tasks, created, task, made);
    }

    /// A thread that has waited for a task knows what the task knew at its end.
    fn joined(&mut self, cond: ExprId, made: &mut Block) {
        let Some((count, tasks)) = self.plan.made else {
            return;
        };
        let mut handles = Vec::new();
        finished(self.program, cond, &mut handles);
        for handle in handles {
            for number in 0..self.plan.tasks {
                let index = self.int(number.into());
                let (task, own) = (self.element(tasks, index), self.global(count));
                let is = self.binary(BinaryOp::Eq, task, handle);
                let is_made = self.binary(BinaryOp::Lt, index, own);
                let both = self.binary(BinaryOp::And, is_made, is);
                let mut learn = Block::new();
                for x in 0..self.now.len() {
                    let end = self.element(self.plan.ends[x], index);
                    self.join(x, self.now[x], end, &mut learn);
                }
                made.push(self.when(both, learn, Block::new()));
            }
        }
    }

    /// The thread learns what earlier threads knew when they touched these globals, and leaves its view for later threads.
    fn exchange(&mut self, strong: &[usize], made: &mut Block) {
        for &which in strong {
            for x in 0..self.now.len() {
                let view = self.plan.exchanges[which][x];
                let other = self.global(view);
                self.join(x, self.now[x], other, made);
                let own = self.local(self.now[x]);
                self.set_global(view, own, made);
            }
        }
    }

    fn fence(&mut self, order: MemoryOrder, made: &mut Block) {
        let sc = order == MemoryOrder::SeqCst;
        if sc && !self.plan.newest.is_empty() {
            made.push(StmtKind::Preempt(PreemptKind::Implicit).at(self.span));
            if let Some(ended) = self.program.scope.ended {
                let ended = self.global(ended);
                let back: Block = thin_vec![StmtKind::Return(None).at(self.span)];
                made.push(self.when(ended, back, Block::new()));
            }
        }
        if order.acquires()
            && let Some(view) = self.acquired.clone()
        {
            for (x, local) in view.into_iter().enumerate() {
                let other = self.local(local);
                self.join(x, self.now[x], other, made);
                let zero = self.int(0);
                self.set(local, zero, made);
            }
        }
        if sc {
            for x in 0..self.plan.variables.len().min(self.plan.newest.len()) {
                // A seq_cst fence does not order plain accesses.
                if self.plan.variables[x].plain || crate::without(Part::SeqCst) {
                    continue;
                }
                let newest = self.plan.newest[x];
                let other = self.global(newest);
                self.join(x, self.now[x], other, made);
                let own = self.local(self.now[x]);
                self.set_global(newest, own, made);
            }
        }
        if order.releases()
            && let Some(view) = self.released.clone()
        {
            for (x, local) in view.into_iter().enumerate() {
                let own = self.local(self.now[x]);
                self.set(local, own, made);
            }
        }
    }

    // Reading.

    /// The value of an expression. The variables in it are read in statements before it.
    fn value(&mut self, e: ExprId, made: &mut Block) -> ExprId {
        if !self.plan.reads(e) {
            return e;
        }
        if chain(self.program, e).is_some() {
            let read = self.load(e, PLAIN, false, made);
            return self.local(read.value);
        }
        let old = self.program.expr(e).clone();
        let kind = walk::with_operands(&old.kind, |part| self.value(part, made));
        let new = self.program.add(kind, old.ty);
        self.program.quotes.show_as(new, e);
        new
    }

    /// The place with other indices. The variables in them are read in statements before it.
    fn place(&mut self, place: &Place, made: &mut Block) -> Place {
        let mut place = place.clone();
        for step in &mut place.path {
            if let Step::Index(e) = step {
                *e = self.value(*e, made);
            }
        }
        place
    }

    /// Reads a message of the variable that is meant.
    fn load(&mut self, e: ExprId, orders: Orders, writes: bool, made: &mut Block) -> Read {
        let ty = self.program.ty(e);
        let mut hidden =
            |name: &str, ty| Local::hidden(name.to_owned(), ty).declared_in(&mut self.locals);
        let read = Read {
            variable: hidden("variable", self.plan.which),
            message: hidden("message", self.plan.ids),
            value: hidden("read", ty),
            what: e,
            sure: true,
        };
        let (of, mut indices) = chain(self.program, e).expect("a variable");
        for index in &mut indices {
            *index = self.value(*index, made);
        }
        self.dispatch(&of, &indices, made, &mut |this, x, made| {
            this.load_of(x, (orders, writes), read, made);
        });
        read
    }

    fn load_of(
        &mut self,
        x: usize,
        (orders, writes): (Orders, bool),
        read: Read,
        made: &mut Block,
    ) {
        let variable = &self.plan.variables[x];
        let number = self.int(x as i128);
        self.races(x, (false, orders.atomic), made);
        if variable.plain {
            self.set(read.value, variable.now, made);
            return;
        }
        self.set(read.variable, number, made);
        let sc = orders.fails == MemoryOrder::SeqCst;
        let zero = self.int(0);
        self.begin(x, sc, made);
        let last = self.global(variable.last);
        self.set(self.position, last, made);
        let no = self.bool(false);
        self.set(self.chosen, no, made);
        for place in (0..variable.most).rev() {
            let (at, from) = (self.int(place.into()), self.local(self.from));
            let last = self.global(variable.last);
            let seen = self.binary(BinaryOp::Le, from, at);
            let older = self.binary(BinaryOp::Lt, at, last);
            let mut may = self.binary(BinaryOp::And, seen, older);
            if writes && orders.always {
                let next = self.int(i128::from(place) + 1);
                let taken = self.is_followed(x, next);
                let free = self.not(taken);
                may = self.binary(BinaryOp::And, may, free);
            }
            self.choose(may, place, made);
        }
        let position = self.local(self.position);
        let message = self.at_place(x, position);
        self.set(read.message, message, made);
        let message = self.local(read.message);
        let values = variable.values.expect("messages");
        let value = self.element(values, message);
        self.set(read.value, value, made);
        if !crate::without(Part::Coherence) {
            self.set(self.now[x], message, made);
        }
        self.learn(x, message, orders.fails.acquires(), made);
        self.set(self.position, zero, made);
        self.set(self.from, zero, made);
    }

    /// Sets `from`: the place from which on messages may be read, and behind which they may be written.
    fn begin(&mut self, x: usize, sc: bool, made: &mut Block) {
        let own = self.local(self.now[x]);
        let from = self.place_of(x, own);
        self.set(self.from, from, made);
        if sc && let Some(&newest) = self.plan.newest.get(x) {
            let newest = self.global(newest);
            let (newest, own) = (self.place_of(x, newest), self.local(self.from));
            let later = self.binary(BinaryOp::Lt, own, newest);
            let mut up = Block::new();
            self.set(self.from, newest, &mut up);
            made.push(self.when(later, up, Block::new()));
        }
    }

    fn choose(&mut self, may: ExprId, place: u32, made: &mut Block) {
        let chosen = self.local(self.chosen);
        let open = self.not(chosen);
        let may = self.binary(BinaryOp::And, open, may);
        let mut take = Block::new();
        let number = self.int(place.into());
        self.set(self.position, number, &mut take);
        let any = Place::local(self.chosen, Types::BOOL);
        let part = thin_vec![
            StmtKind::Havoc(any, ChoiceKind::Memory).at(self.span),
            self.when(chosen, take, Block::new()),
        ];
        made.push(self.when(may, part, Block::new()));
    }

    /// Adds the view of a message to the thread's view, or to `acquired`, which a later fence adds.
    fn learn(&mut self, x: usize, message: ExprId, acquire: bool, made: &mut Block) {
        let plan = self.plan;
        let acquire = acquire && !crate::without(Part::Acquire);
        for (y, view) in plan.variables[x].views.iter().enumerate() {
            let Some(view) = view else { continue };
            let other = self.element(*view, message);
            if acquire {
                self.join(y, self.now[y], other, made);
            } else if let Some(acquired) = &self.acquired {
                let own = acquired[y];
                self.join(y, own, other, made);
            }
        }
    }

    // Writing.

    fn store(
        &mut self,
        place: &Place,
        value: ExprId,
        orders: Orders,
        read: Option<Read>,
        made: &mut Block,
    ) {
        let of = shape(place).expect("a global");
        let indices: Vec<ExprId> = walk::indices(place).collect();
        self.dispatch(&of, &indices, made, &mut |this, x, made| {
            let Some(read) = read else {
                return this.store_in(x, value, orders, made);
            };
            if read.sure {
                return this.update(x, value, orders, read, made);
            }
            let (mut update, mut store) = (Block::new(), Block::new());
            this.update(x, value, orders, read, &mut update);
            this.store_in(x, value, orders, &mut store);
            let (own, number) = (this.local(read.variable), this.int(x as i128));
            let is = this.binary(BinaryOp::Eq, own, number);
            made.push(this.when(is, update, store));
        });
    }

    /// Whether a read is one of this place.
    fn is_of(&self, read: &Read, place: &Place) -> bool {
        let indices: Vec<ExprId> = walk::indices(place).collect();
        let of = chain(self.program, read.what);
        of.is_some_and(|(of, own)| {
            shape(place).as_ref() == Some(&of) && super::same_all(self.program, &own, &indices)
        })
    }

    /// Stores a message anywhere behind the newest one that the thread knows of.
    fn store_in(&mut self, x: usize, value: ExprId, orders: Orders, made: &mut Block) {
        let variable = &self.plan.variables[x];
        self.races(x, (true, orders.atomic), made);
        self.room(x, made);
        let last = self.global(variable.last);
        let end = self.plus_one(last);
        self.set(self.position, end, made);
        if !variable.appended {
            self.begin(x, orders.writes == MemoryOrder::SeqCst, made);
            let no = self.bool(false);
            self.set(self.chosen, no, made);
            for place in (1..variable.most).rev() {
                let (at, from) = (self.int(place.into()), self.local(self.from));
                let last = self.global(variable.last);
                let behind = self.binary(BinaryOp::Lt, from, at);
                let inside = self.binary(BinaryOp::Le, at, last);
                let taken = self.is_followed(x, at);
                let free = self.not(taken);
                let may = self.binary(BinaryOp::And, behind, inside);
                let may = self.binary(BinaryOp::And, may, free);
                self.choose(may, place, made);
            }
        }
        self.create(x, value, orders, None, made);
    }

    /// Stores a message directly behind the one that was read.
    fn update(&mut self, x: usize, value: ExprId, orders: Orders, read: Read, made: &mut Block) {
        let message = self.local(read.message);
        let place = self.place_of(x, message);
        let next = self.plus_one(place);
        self.races(x, (true, orders.atomic), made);
        self.room(x, made);
        if !orders.always {
            // Only here the machine learns that the operation writes.
            let last = self.global(self.plan.variables[x].last);
            let newest = self.binary(BinaryOp::Eq, place, last);
            let taken = self.is_followed(x, next);
            let free = self.not(taken);
            let may = self.binary(BinaryOp::Or, newest, free);
            drop_unless(may, made);
        }
        if orders.writes != orders.fails {
            if orders.writes == MemoryOrder::SeqCst
                && let Some(&newest) = self.plan.newest.get(x)
            {
                let newest = self.global(newest);
                let newest = self.place_of(x, newest);
                let known = self.binary(BinaryOp::Le, newest, place);
                drop_unless(known, made);
            }
            if orders.writes.acquires() && !orders.fails.acquires() {
                self.learn(x, message, true, made);
            }
        }
        self.set(self.position, next, made);
        self.create(x, value, orders, Some(message), made);
    }

    /// Stores a message at the end of the order, in a step that is atomic for all tasks.
    fn append(&mut self, place: &Place, value: ExprId, made: &mut Block) {
        let of = shape(place).expect("a global");
        let indices: Vec<ExprId> = walk::indices(place).collect();
        let orders = Orders {
            writes: MemoryOrder::Release,
            atomic: true,
            ..PLAIN
        };
        self.dispatch(&of, &indices, made, &mut |this, x, made| {
            this.races(x, (true, true), made);
            this.room(x, made);
            let variable = &this.plan.variables[x];
            let last = this.global(variable.last);
            let end = this.plus_one(last);
            this.set(this.position, end, made);
            let before = this.local(this.now[x]);
            this.create(x, value, orders, Some(before), made);
        });
    }

    fn room(&mut self, x: usize, made: &mut Block) {
        let variable = &self.plan.variables[x];
        if variable.bounded {
            let (last, most) = (self.global(variable.last), self.int(variable.most.into()));
            let fits = self.binary(BinaryOp::Lt, last, most);
            drop_unless(fits, made);
        }
    }

    /// Makes a new message at the place `position`. It stands directly behind the message `read`, if that is given.
    fn create(
        &mut self,
        x: usize,
        value: ExprId,
        orders: Orders,
        read: Option<ExprId>,
        made: &mut Block,
    ) {
        let variable: &Variable = &self.plan.variables[x];
        let last = self.global(variable.last);
        let next = self.plus_one(last);
        self.set(self.created, next, made);
        let created = self.local(self.created);
        let Some(values) = variable.values else {
            made.push(StmtKind::Assign(variable.place.clone(), value).at(self.span));
            self.set_global(variable.last, created, made);
            self.set(self.now[x], created, made);
            let zero = self.int(0);
            for local in [self.position, self.created] {
                self.set(local, zero, made);
            }
            return;
        };
        self.put_at(values, created, value, made);
        self.insert(x, made);
        if let Some(follows) = variable.follows {
            let is = self.bool(read.is_some());
            self.put_at(follows, created, is, made);
        }
        let (at, end) = (self.local(self.position), self.local(self.created));
        self.set_global(variable.last, created, made);
        let newest = self.binary(BinaryOp::Eq, at, end);
        let assign: Block =
            thin_vec![StmtKind::Assign(variable.place.clone(), value).at(self.span)];
        match variable.appended {
            true => made.extend(assign),
            false => {
                // An assignment that changes nothing shows in traces that the store is older than others.
                let same = StmtKind::Assign(variable.place.clone(), variable.now);
                let same = thin_vec![same.at(self.span)];
                made.push(self.when(newest, assign, same));
            }
        }
        self.set(self.now[x], created, made);
        self.publish(x, orders.writes.releases(), (created, read), made);
        if orders.writes == MemoryOrder::SeqCst
            && let Some(&newest) = self.plan.newest.get(x)
        {
            self.set_global(newest, created, made);
        }
        let zero = self.int(0);
        for local in [self.position, self.created, self.from] {
            self.set(local, zero, made);
        }
    }

    /// The new message comes to its place, and those behind it move on.
    fn insert(&mut self, x: usize, made: &mut Block) {
        let variable = &self.plan.variables[x];
        let (Some(places), Some(ids)) = (variable.places, variable.ids) else {
            return;
        };
        for at in (1..=variable.most).rev() {
            let here = self.int(at.into());
            let (from, last) = (self.local(self.position), self.local(self.created));
            let behind = self.binary(BinaryOp::Lt, from, here);
            let inside = self.binary(BinaryOp::Le, here, last);
            let moves = self.binary(BinaryOp::And, behind, inside);
            let mut shift = Block::new();
            let before = self.int(i128::from(at) - 1);
            let moved = self.element(ids, before);
            self.put(ids, at, moved, &mut shift);
            self.put_at(places, moved, here, &mut shift);
            made.push(self.when(moves, shift, Block::new()));
        }
        let (position, created) = (self.local(self.position), self.local(self.created));
        self.put_at(ids, position, created, made);
        self.put_at(places, created, position, made);
    }

    /// Sets the view of the new message: what a thread learns that reads it with acquire.
    fn publish(
        &mut self,
        x: usize,
        release: bool,
        (created, read): (ExprId, Option<ExprId>),
        made: &mut Block,
    ) {
        let release = release && !crate::without(Part::Release);
        if release && let Some(own) = self.own[x].clone() {
            for (y, local) in own.into_iter().enumerate() {
                let view = self.local(self.now[y]);
                self.set(local, view, made);
            }
        }
        for (y, view) in self.plan.variables[x].views.iter().enumerate() {
            let Some(view) = *view else { continue };
            let knows = Local::hidden("knows", self.plan.ids).declared_in(&mut self.locals);
            let first = match release {
                true => self.local(self.now[y]),
                false => self.int(0),
            };
            self.set(knows, first, made);
            if !release {
                let views = [self.released.clone(), self.own[x].clone()];
                for view in views.into_iter().flatten() {
                    let other = self.local(view[y]);
                    self.join(y, knows, other, made);
                }
            }
            if let Some(read) = read {
                let before = self.element(view, read);
                self.join(y, knows, before, made);
            }
            let knows = self.local(knows);
            self.put_at(view, created, knows, made);
        }
    }

    // Pieces.

    /// Does something with the variable that a place is.
    fn dispatch(
        &mut self,
        of: &crate::flow::Shape,
        indices: &[ExprId],
        made: &mut Block,
        then: &mut dyn FnMut(&mut Self, usize, &mut Block),
    ) {
        let number = |e: &ExprId| match self.program.expr(*e).kind {
            ExprKind::Int(n) => Some(n.0),
            _ => None,
        };
        let known: Vec<Option<i128>> = indices.iter().map(number).collect();
        let fits = |variable: &Variable| {
            variable.shape == *of
                && (known.iter().zip(&variable.indices))
                    .all(|(known, &own)| known.is_none_or(|known| known == i128::from(own)))
        };
        let all = self.plan.variables.iter().enumerate();
        let fit: Vec<usize> = all.filter(|(_, v)| fits(v)).map(|(x, _)| x).collect();
        if known.iter().all(Option::is_some) {
            for x in fit {
                then(self, x, made);
            }
            return;
        }
        // Indices are within bounds: checks stand before.
        let mut other = Block::new();
        for (from_last, x) in fit.into_iter().rev().enumerate() {
            let mut own = Block::new();
            then(self, x, &mut own);
            if from_last == 0 {
                other = own;
                continue;
            }
            let mut is = self.bool(true);
            for (at, &index) in indices.iter().enumerate() {
                if known[at].is_some() {
                    continue;
                }
                let number = self.plan.variables[x].indices[at];
                let (index, number) = (self.number_of(index), self.int(number.into()));
                let equal = self.binary(BinaryOp::Eq, index, number);
                is = self.binary(BinaryOp::And, is, equal);
            }
            other = thin_vec![self.when(is, own, other)];
        }
        made.extend(other);
    }

    fn number_of(&mut self, index: ExprId) -> ExprId {
        match self.program.types.get(self.program.ty(index)) {
            Type::Bits(_) => self.program.add(ExprKind::Convert(index), Types::INT),
            _ => index,
        }
    }

    /// The view of a variable becomes the newer one of two.
    fn join(&mut self, x: usize, to: LocalId, other: ExprId, made: &mut Block) {
        let own = self.local(to);
        let (a, b) = (self.place_of(x, own), self.place_of(x, other));
        let newer = self.binary(BinaryOp::Lt, a, b);
        let mut take = Block::new();
        self.set(to, other, &mut take);
        made.push(self.when(newer, take, Block::new()));
    }

    /// The place of a message in the order of the variable. `at_place` is the reverse.
    fn place_of(&mut self, x: usize, message: ExprId) -> ExprId {
        match self.plan.variables.get(x).and_then(|own| own.places) {
            Some(places) => self.element(places, message),
            None => message,
        }
    }

    fn at_place(&mut self, x: usize, place: ExprId) -> ExprId {
        match self.plan.variables[x].ids {
            Some(ids) => self.element(ids, place),
            None => place,
        }
    }

    /// Whether the message at a place must stay directly behind the one before it.
    fn is_followed(&mut self, x: usize, place: ExprId) -> ExprId {
        match self.plan.variables[x].follows {
            Some(follows) => {
                let message = self.at_place(x, place);
                self.element(follows, message)
            }
            None => self.bool(self.plan.variables[x].chained),
        }
    }

    fn element(&mut self, array: GlobalId, index: ExprId) -> ExprId {
        let ty = element(self.program, array);
        let whole = self.global(array);
        self.program.add(ExprKind::Index(whole, index), ty)
    }

    fn put(&mut self, array: GlobalId, index: u32, value: ExprId, made: &mut Block) {
        let index = self.int(index.into());
        self.put_at(array, index, value, made);
    }

    fn put_at(&mut self, array: GlobalId, index: ExprId, value: ExprId, made: &mut Block) {
        let place = Place {
            root: Root::Global(array),
            path: thin_vec![Step::Index(index)],
            ty: element(self.program, array),
        };
        made.push(StmtKind::Assign(place, value).at(self.span));
    }

    fn plus_one(&mut self, e: ExprId) -> ExprId {
        let one = self.int(1);
        self.program
            .add(ExprKind::Binary(BinaryOp::Add, e, one), Types::INT)
    }

    fn binary(&mut self, op: BinaryOp, a: ExprId, b: ExprId) -> ExprId {
        self.program.add(ExprKind::Binary(op, a, b), Types::BOOL)
    }

    fn not(&mut self, e: ExprId) -> ExprId {
        self.program
            .add(ExprKind::Unary(UnaryOp::Not, e), Types::BOOL)
    }

    fn bool(&mut self, value: bool) -> ExprId {
        self.program.add(ExprKind::Bool(value), Types::BOOL)
    }

    fn int(&mut self, value: i128) -> ExprId {
        self.program.add(ExprKind::int(value), Types::INT)
    }

    fn local(&mut self, local: LocalId) -> ExprId {
        let ty = self.locals[local.index()].ty;
        self.program.add(ExprKind::Local(local), ty)
    }

    fn global(&mut self, global: GlobalId) -> ExprId {
        let ty = self.program.globals[global.index()].ty;
        self.program.add(ExprKind::Global(global), ty)
    }

    fn set(&self, local: LocalId, value: ExprId, made: &mut Block) {
        let place = Place::local(local, self.locals[local.index()].ty);
        made.push(StmtKind::Assign(place, value).at(self.span));
    }

    fn set_global(&self, global: GlobalId, value: ExprId, made: &mut Block) {
        let ty = self.program.globals[global.index()].ty;
        let place = Place::whole(Root::Global(global), ty);
        made.push(StmtKind::Assign(place, value).at(self.span));
    }

    fn when(&self, cond: ExprId, yes: Block, no: Block) -> Stmt {
        StmtKind::If(cond, yes, no).at(self.span)
    }
}

/// Drops executions. The assumption has no place in the program, because it is not the user's.
fn drop_unless(cond: ExprId, made: &mut Block) {
    made.push(StmtKind::Assume(cond).at(Span::default()));
}

fn element(program: &Program, array: GlobalId) -> TypeId {
    match program.types.get(program.globals[array.index()].ty) {
        Type::Array(_, element) => *element,
        _ => unreachable!("an array"),
    }
}

/// The tasks whose end an expression asks for.
fn finished(program: &Program, e: ExprId, found: &mut Vec<ExprId>) {
    match program.expr(e).kind {
        ExprKind::Finished(task) => found.push(task),
        _ => {
            for part in walk::operands(program.expr(e)) {
                finished(program, part, found);
            }
        }
    }
}
