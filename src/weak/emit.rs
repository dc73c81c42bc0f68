//! The body of a task with its buffer.
//!
//! A store goes into the buffer, which is a step that no other task notices: its point is left out. Stores leave the buffer at the
//! points of the task, before it reads memory, and each leaves in a step of its own.

use base::source::Span;
use ir::{
    Await, BinaryOp, Block, ChoiceKind, ErrorKind, ExprId, ExprKind, Local, LocalId, Loop, LoopId,
    Place, PreemptKind, Program, Root, Slot, Step, Stmt, StmtKind, Type, TypeId, Types, UnaryOp,
    walk,
};
use options::Memory;

use super::Part;
use super::flow::{Class, Facts, Flow, Here, Pending, Shape, Store, chain, join, longest};
use super::stale::{self, Effect, Load};

/// A preemption point, and the statement after it that leaves if the program has ended.
#[derive(Clone)]
struct Point {
    stmt: Stmt,
    leave: Option<Stmt>,
}

/// The locals of a place of the buffer.
struct Cell {
    site: LocalId,
    indices: Vec<(LocalId, TypeId)>,
    values: Vec<(TypeId, LocalId)>,
    /// A fence stands between this store and those before it.
    fenced: LocalId,
}

pub(crate) struct Emit<'a> {
    pub program: &'a mut Program,
    facts: &'a Facts,
    stores: &'a [Store],
    locals: Vec<Local>,
    loops: u32,
    cells: Vec<Cell>,
    /// The type of a number of a store.
    number: TypeId,
    /// Whether a store leaves the buffer now. `which` is the place of that store in the buffer, counted from 1.
    chosen: LocalId,
    which: LocalId,
    /// A fence was passed since the last store.
    barrier: LocalId,
    done: LocalId,
    /// The task has freed memory while stores waited.
    freed: LocalId,
    /// The number of the load that is the last step which others notice, counted from 1; 0 if there is none.
    last: LocalId,
    loads: Vec<Load>,
    span: Span,
}

/// What a body needs of a buffer.
pub(crate) struct Needs {
    pub slots: u32,
    /// The most indices of a place. `longest` is the largest length of an array, or 0 if there are maps.
    pub indices: usize,
    pub longest: u32,
    pub values: Vec<TypeId>,
    pub loads: Vec<Load>,
}

impl<'a> Emit<'a> {
    pub fn new(
        program: &'a mut Program,
        (facts, stores): (&'a Facts, &'a [Store]),
        (locals, loops): (Vec<Local>, u32),
        needs: &Needs,
    ) -> Self {
        let count = i128::try_from(stores.len()).unwrap_or(i128::MAX);
        let number = program.types.intern(Type::Range(0, count));
        let place = program.types.intern(Type::Range(0, needs.slots.into()));
        let index = match needs.longest {
            0 => Types::INT,
            n => program.types.intern(Type::Range(0, i128::from(n) - 1)),
        };
        let mut locals = locals;
        let mut hidden = |name: String, ty| Local::hidden(name, ty).declared_in(&mut locals);
        let cells = (0..needs.slots)
            .map(|i| Cell {
                site: hidden(format!("store{i}"), number),
                indices: (0..needs.indices)
                    .map(|k| (hidden(format!("index{i}_{k}"), index), index))
                    .collect(),
                values: (needs.values.iter())
                    .map(|&ty| (ty, hidden(format!("value{i}"), ty)))
                    .collect(),
                fenced: hidden(format!("fenced{i}"), Types::BOOL),
            })
            .collect();
        let chosen = hidden("flush".to_owned(), Types::BOOL);
        let which = hidden("which".to_owned(), place);
        let barrier = hidden("fence".to_owned(), Types::BOOL);
        let done = hidden("done".to_owned(), Types::BOOL);
        let freed = hidden("freed".to_owned(), Types::BOOL);
        let count = i128::try_from(needs.loads.len()).unwrap_or(i128::MAX);
        let load = program.types.intern(Type::Range(0, count));
        let last = hidden("last".to_owned(), load);
        Self {
            program,
            facts,
            stores,
            locals,
            loops,
            cells,
            number,
            chosen,
            which,
            barrier,
            done,
            freed,
            last,
            loads: needs.loads.clone(),
            span: Span::default(),
        }
    }

    /// The body, its locals and its loops.
    pub fn body(mut self, flow: &mut Flow<'_>, body: &Block) -> (Block, Vec<Local>, u32) {
        self.span = body.first().map_or(Span::default(), |s| s.span);
        let mut here = Some(Pending::default());
        let mut made = self.block(flow, body, &mut here);
        if let Some(pending) = &here {
            self.drain(pending, None, &mut made);
        }
        // A task that begins with a wait is pending at the wait, which therefore stays first.
        let at = usize::from(matches!(
            made.first().map(|s| &s.kind),
            Some(StmtKind::Await(_))
        ));
        let mut begin = Block::new();
        self.clear(0..self.cells.len(), &mut begin);
        let (no, zero) = (self.bool(false), self.int(0));
        self.set(self.barrier, no, &mut begin);
        self.set(self.freed, no, &mut begin);
        self.set(self.last, zero, &mut begin);
        // The rule of stale loads reads these locals where they may have no value yet.
        for (_, local) in self.loads.clone() {
            let plain = (self.program).plain_value(self.locals[local.index()].ty);
            self.set(local, plain, &mut begin);
        }
        made.splice(at..at, begin);
        (made, self.locals, self.loops)
    }

    /// The buffer as data.
    pub fn slots(&self) -> Vec<Slot> {
        let slot = |cell: &Cell| Slot {
            site: cell.site,
            indices: cell.indices.iter().map(|(local, _)| *local).collect(),
            values: cell.values.iter().map(|(_, local)| *local).collect(),
        };
        self.cells.iter().map(slot).collect()
    }

    fn block(&mut self, flow: &mut Flow<'_>, block: &[Stmt], here: &mut Here) -> Block {
        let mut made = Block::new();
        let (mut held, mut number, mut index) = (None, 0, 0);
        while let Some(stmt) = block.get(index) {
            index += 1;
            match &stmt.kind {
                StmtKind::Preempt(kind) => {
                    if let Some(point) = held.take() {
                        self.chance(point, here, &mut made);
                    }
                    let leave = block.get(index);
                    let leave = leave.filter(|next| crate::leaves(flow.program, next));
                    index += usize::from(leave.is_some());
                    let point = Point {
                        stmt: stmt.clone(),
                        leave: leave.cloned(),
                    };
                    match kind {
                        PreemptKind::Implicit => held = Some(point),
                        _ => {
                            self.noticed(here, &mut made);
                            self.chance(point, here, &mut made);
                        }
                    }
                }
                StmtKind::Mark(site, _) => number = *site,
                _ if crate::leaves(flow.program, stmt) => made.push(stmt.clone()),
                _ => {
                    let number = std::mem::take(&mut number);
                    self.stmt(flow, (stmt, number), held.take(), here, &mut made);
                }
            }
        }
        if let Some(point) = held {
            self.chance(point, here, &mut made);
        }
        made
    }

    fn stmt(
        &mut self,
        flow: &mut Flow<'_>,
        (stmt, number): (&Stmt, u32),
        point: Option<Point>,
        here: &mut Here,
        made: &mut Block,
    ) {
        self.span = stmt.span;
        let Some(pending) = here.clone() else {
            raw(point, made);
            made.push(stmt.clone());
            return;
        };
        let delayed = number > 0 && flow.is_delayed(number);
        let parts = (flow.program, self.facts, self.stores, flow.params);
        let effect = stale::effect(parts, stmt, &pending, delayed);
        let pointed = point.is_some();
        match self.facts.class(stmt) {
            Class::Control => return self.control(flow, stmt, point, here, made),
            Class::Nothing | Class::Load | Class::AtOnce => {
                self.chance_at(point, here, made);
                if self.frees(stmt) && !pending.sites.is_empty() {
                    let waits = self.waits(0);
                    self.set(self.freed, waits, made);
                }
                let stmt = self.read(stmt, &pending);
                made.push(stmt);
            }
            Class::Barrier => {
                self.chance_at(point, here, made);
                if self.facts.memory == Memory::Pso && !pending.sites.is_empty() {
                    let waits = self.waits(0);
                    self.set(self.barrier, waits, made);
                }
                made.push(stmt.clone());
            }
            Class::Fence => {
                if !crate::without(Part::Drain) {
                    self.drain(&pending, point.as_ref(), made);
                }
                raw(point, made);
                made.push(stmt.clone());
            }
            Class::Wait => self.wait(stmt, point, here, made),
            Class::Store { .. } => {
                self.store((stmt, number), delayed, point, &pending, made);
            }
        }
        match effect {
            Effect::Load(load) if pointed => self.loaded(load, made),
            Effect::None => {}
            _ => self.noticed(&mut here.clone(), made),
        }
        *here = flow.stmt(stmt, number, here.take());
    }

    fn store(
        &mut self,
        (stmt, number): (&Stmt, u32),
        delayed: bool,
        point: Option<Point>,
        pending: &Pending,
        made: &mut Block,
    ) {
        let count = longest(stmt, self.facts);
        if delayed && count as usize <= self.cells.len() {
            self.room(pending, count, point.as_ref(), made);
            self.delay(stmt, &mut (number, &mut pending.clone()), made);
        } else if self.facts.memory == Memory::Pso && number > 0 && !delayed {
            self.chance_at(point, &Some(pending.clone()), made);
            let stmt = self.read(stmt, pending);
            made.push(stmt);
        } else {
            self.drain(pending, point.as_ref(), made);
            raw(point, made);
            made.push(stmt.clone());
        }
    }

    fn control(
        &mut self,
        flow: &mut Flow<'_>,
        stmt: &Stmt,
        point: Option<Point>,
        here: &mut Here,
        made: &mut Block,
    ) {
        let Some(pending) = here.clone() else { return };
        if let StmtKind::Return(value) = &stmt.kind {
            self.drain(&pending, point.as_ref(), made);
            raw(point, made);
            made.push(StmtKind::Return(*value).at(stmt.span));
            *here = None;
            return;
        }
        self.chance_at(point, here, made);
        let kind = match &stmt.kind {
            StmtKind::If(cond, yes, no) => {
                if self.facts.is_noticed(*cond) {
                    self.noticed(here, made);
                }
                let cond = self.value(*cond, &pending);
                let mut other = here.clone();
                let yes = self.block(flow, yes, here);
                let no = self.block(flow, no, &mut other);
                join(here, &other);
                StmtKind::If(cond, yes, no)
            }
            StmtKind::Loop(l) => {
                let mut at = flow.turns(l, here.take());
                let mut pre = self.block(flow, &l.pre, &mut at.head);
                if self.facts.is_noticed(l.cond) {
                    self.noticed(&mut at.head, &mut pre);
                }
                let tested = at.tested.clone().unwrap_or_default();
                let cond = self.value(l.cond, &tested);
                let body = self.block(flow, &l.body, &mut at.tested);
                let step = self.block(flow, &l.step, &mut at.step);
                *here = at.out;
                StmtKind::Loop(Box::new(Loop {
                    id: l.id,
                    pre,
                    cond,
                    body,
                    step,
                }))
            }
            kind => {
                *here = None;
                kind.clone()
            }
        };
        made.push(kind.at(stmt.span));
    }

    /// A wait in which stores may leave the buffer, also while its condition does not hold.
    fn wait(&mut self, stmt: &Stmt, point: Option<Point>, here: &Here, made: &mut Block) {
        let StmtKind::Await(wait) = &stmt.kind else {
            return;
        };
        raw(point, made);
        let mut here = here.clone();
        self.noticed(&mut here, made);
        let pending = here.unwrap_or_default();
        let checks = self.read_all(&wait.checks, &pending);
        let holds = self.value(wait.cond, &pending);
        let own = self.read_all(&wait.body, &pending);
        let level = self.level(&pending);
        if level == 0 {
            let same = Await {
                kind: wait.kind,
                checks,
                cond: holds,
                body: own,
            };
            made.push(StmtKind::Await(Box::new(same)).at(stmt.span));
            return;
        }
        let waits = self.waits(0);
        let cond = self.binary(BinaryOp::Or, holds, waits);
        self.program.quotes.show_as(cond, wait.cond);
        let (yes, no) = (self.bool(true), self.bool(false));
        let (mut body, mut may, mut must) = (Block::new(), Block::new(), Block::new());
        self.set(self.done, yes, &mut body);
        may.push(self.choice());
        self.set(self.chosen, yes, &mut must);
        let mut flush = Block::new();
        self.set(self.done, no, &mut flush);
        self.forced(level, &pending, &mut flush);
        let chosen = self.local(self.chosen, Types::BOOL);
        let part = vec![
            self.when(holds, may, must),
            self.when(chosen, flush, Block::new()),
        ];
        body.push(self.when(waits, part.into(), Block::new()));
        let done = self.local(self.done, Types::BOOL);
        body.push(self.when(done, own, Block::new()));
        let again = Await {
            kind: wait.kind,
            checks,
            cond,
            body,
        };
        let again = StmtKind::Await(Box::new(again)).at(stmt.span);
        made.push(self.until(done, again));
    }

    /// Does something again and again until a condition holds.
    fn until(&mut self, done: ExprId, again: Stmt) -> Stmt {
        let (id, span) = (LoopId(self.loops), again.span);
        self.loops += 1;
        let leave: Block = vec![StmtKind::Break(id).at(span)].into();
        let turn = vec![again, self.when(done, leave, Block::new())];
        let turns = Loop {
            id,
            pre: Block::new(),
            cond: self.bool(true),
            body: turn.into(),
            step: Block::new(),
        };
        StmtKind::Loop(Box::new(turns)).at(span)
    }

    // Points.

    fn chance_at(&mut self, point: Option<Point>, here: &Here, made: &mut Block) {
        if let Some(point) = point {
            self.chance(point, here, made);
        }
    }

    /// A point at which stores may leave the buffer.
    fn chance(&mut self, point: Point, here: &Here, made: &mut Block) {
        let pending = here.clone().unwrap_or_default();
        let level = self.level(&pending);
        self.chances(&point, level, &pending, made);
    }

    fn chances(&mut self, point: &Point, level: u32, pending: &Pending, made: &mut Block) {
        raw(Some(point.clone()), made);
        if level == 0 {
            return;
        }
        let next = Point {
            stmt: StmtKind::Preempt(PreemptKind::Implicit).at(point.stmt.span),
            leave: point.leave.clone(),
        };
        let mut flush = Block::new();
        let in_order = self.facts.memory == Memory::Tso && !crate::without(Part::InOrder);
        if in_order || level == 1 {
            self.flush(0, level, pending, &mut flush);
            self.chances(&next, level - 1, &pending.after_flush(), &mut flush);
            let chosen = self.local(self.chosen, Types::BOOL);
            let part = vec![self.choice(), self.when(chosen, flush, Block::new())];
            let waits = self.waits(0);
            made.push(self.when(waits, part.into(), Block::new()));
            return;
        }
        self.choose(0, level, pending, made);
        self.flush_chosen(level, pending, &mut flush);
        self.chances(&next, level - 1, &pending.after_flush(), &mut flush);
        let none = self.which_is(0);
        made.push(self.when(none, Block::new(), flush));
    }

    /// All stores leave the buffer.
    fn drain(&mut self, pending: &Pending, point: Option<&Point>, made: &mut Block) {
        let level = self.level(pending);
        let leave = point.and_then(|p| p.leave.clone());
        self.drained(level, pending, leave.as_ref(), made);
    }

    fn drained(&mut self, level: u32, pending: &Pending, leave: Option<&Stmt>, made: &mut Block) {
        if level == 0 {
            return;
        }
        let mut flush = Block::new();
        self.forced(level, pending, &mut flush);
        self.drained(level - 1, &pending.after_flush(), leave, &mut flush);
        let part = self.pointed(leave, flush);
        let waits = self.waits(0);
        made.push(self.when(waits, part, Block::new()));
    }

    /// A point, and what comes behind it unless the program has ended.
    fn pointed(&mut self, leave: Option<&Stmt>, then: Block) -> Block {
        let mut part: Block = vec![StmtKind::Preempt(PreemptKind::Implicit).at(self.span)].into();
        match (leave, self.program.scope.ended) {
            (Some(leave), _) => part.push(leave.clone()),
            (None, Some(ended)) => {
                let ended = self.program.add(ExprKind::Global(ended), Types::BOOL);
                part.push(self.when(ended, Block::new(), then));
                return part;
            }
            (None, None) => {}
        }
        part.extend(then);
        part
    }

    /// Stores leave the buffer until there is room for others.
    fn room(&mut self, pending: &Pending, count: u32, point: Option<&Point>, made: &mut Block) {
        let size = u32::try_from(self.cells.len()).unwrap_or(u32::MAX);
        if pending.most + count <= size {
            return;
        }
        let leave = point.and_then(|p| p.leave.clone());
        for _ in 0..count.min(size) {
            let mut flush = Block::new();
            self.forced(size, pending, &mut flush);
            let part = self.pointed(leave.as_ref(), flush);
            let full = self.waits((size - count.min(size)) as usize);
            made.push(self.when(full, part, Block::new()));
        }
    }

    // What leaves.

    fn level(&self, pending: &Pending) -> u32 {
        let size = u32::try_from(self.cells.len()).unwrap_or(u32::MAX);
        pending.most.min(size)
    }

    /// One store leaves: the oldest one, or a chosen one of those that may.
    fn forced(&mut self, level: u32, pending: &Pending, made: &mut Block) {
        if self.facts.memory == Memory::Tso || level == 1 {
            return self.flush(0, level, pending, made);
        }
        self.choose(1, level, pending, made);
        self.flush_chosen(level, pending, made);
    }

    /// Chooses a store that may leave, not in the first `from` places. Sets `which` to its place plus one, or to 0 for none.
    fn choose(&mut self, from: u32, level: u32, pending: &Pending, made: &mut Block) {
        let zero = self.int(0);
        self.set(self.which, zero, made);
        for at in from..level {
            let number = self.int(i128::from(at) + 1);
            let mut take = Block::new();
            self.set(self.which, number, &mut take);
            let chosen = self.local(self.chosen, Types::BOOL);
            let part = vec![self.choice(), self.when(chosen, take, Block::new())];
            let none = self.which_is(0);
            let may = self.may_leave(at as usize, pending);
            let both = self.binary(BinaryOp::And, none, may);
            made.push(self.when(both, part.into(), Block::new()));
        }
    }

    fn flush_chosen(&mut self, level: u32, pending: &Pending, made: &mut Block) {
        let mut other = Block::new();
        self.flush(0, level, pending, &mut other);
        for at in 1..level {
            let mut own = Block::new();
            self.flush(at as usize, level, pending, &mut own);
            let is = self.which_is(i128::from(at) + 1);
            other = vec![self.when(is, own, other)].into();
        }
        made.extend(other);
    }

    /// Whether the store in a place may leave before those that are older.
    fn may_leave(&mut self, at: usize, pending: &Pending) -> ExprId {
        let mut may = self.waits(at);
        if at == 0 {
            return may;
        }
        for &site in &pending.sites {
            if self.stores[site as usize - 1].release {
                let is = self.site_is(at, site);
                may = self.and_not(may, is);
            }
        }
        for older in 1..=at {
            let fenced = self.local(self.cells[older].fenced, Types::BOOL);
            may = self.and_not(may, fenced);
        }
        for older in 0..at {
            let same = self.same_place(older, at, pending);
            if let Some(same) = same {
                may = self.and_not(may, same);
            }
        }
        may
    }

    /// Whether two stores in the buffer write the same place.
    fn same_place(&mut self, a: usize, b: usize, pending: &Pending) -> Option<ExprId> {
        let mut shapes: Vec<&Shape> = Vec::new();
        for &site in &pending.sites {
            let shape = &self.stores[site as usize - 1].shape;
            if !shapes.contains(&shape) {
                shapes.push(shape);
            }
        }
        let mut any = None;
        for shape in shapes {
            let own = |&&site: &&u32| self.stores[site as usize - 1].shape == *shape;
            let sites: Vec<u32> = pending.sites.iter().filter(own).copied().collect();
            let (one, other) = (self.is_among(a, &sites), self.is_among(b, &sites));
            let mut both = self.binary(BinaryOp::And, one, other);
            for index in 0..shape.1.iter().filter(|step| step.is_none()).count() {
                let [(x, ty), (y, _)] = [a, b].map(|at| self.cells[at].indices[index]);
                let (x, y) = (self.local(x, ty), self.local(y, ty));
                let equal = self.binary(BinaryOp::Eq, x, y);
                both = self.binary(BinaryOp::And, both, equal);
            }
            any = Some(match any {
                Some(any) => self.binary(BinaryOp::Or, any, both),
                None => both,
            });
        }
        any
    }

    fn is_among(&mut self, at: usize, sites: &[u32]) -> ExprId {
        let mut any = self.bool(false);
        for (index, &site) in sites.iter().enumerate() {
            let is = self.site_is(at, site);
            any = if index == 0 {
                is
            } else {
                self.binary(BinaryOp::Or, any, is)
            };
        }
        any
    }

    /// Writes the store in a place to memory.
    fn flush(&mut self, at: usize, level: u32, pending: &Pending, made: &mut Block) {
        self.not_stale(pending, made);
        let mut other = Block::new();
        for &site in &pending.sites {
            let store = &self.stores[site as usize - 1];
            let (mut place, span) = (store.place.clone(), store.span);
            let mut indices = self.cells[at].indices.clone().into_iter();
            for step in &mut place.path {
                if let Step::Index(index) = step
                    && let Some((local, ty)) = indices.next()
                {
                    *index = self.program.add(ExprKind::Local(local), ty);
                }
            }
            let value = self.cell_value(at, place.ty);
            let lives = self.lives(&place);
            let mut write: Block = vec![StmtKind::Assign(place, value).at(span)].into();
            write.extend(lives.map(|check| check.at(span)));
            let is = self.site_is(at, site);
            other = vec![self.when(is, write, other)].into();
        }
        made.extend(other);
        let last = level as usize - 1;
        for to in at..last {
            self.move_cell(to, made);
        }
        self.clear(last..last + 1, made);
    }

    /// Whether a statement frees memory.
    fn frees(&self, stmt: &Stmt) -> bool {
        let freed = &self.program.scope.freed;
        walk::any(std::slice::from_ref(stmt), |stmt| {
            let root = walk::written(stmt).map(|place| place.root);
            freed.iter().any(|f| root == Some(Root::Global(f.1)))
        })
    }

    /// The check that memory which a store reaches was not freed meanwhile. There is no check for a task that frees memory
    /// itself while its stores wait: such a task may have freed the memory after it stored there.
    fn lives(&mut self, place: &Place) -> Option<StmtKind> {
        let scope = &self.program.scope;
        let freed = scope.freed.iter();
        let mut freed = freed.filter(|f| scope.gone.contains(&f.1));
        let &(_, flags) = freed.find(|f| place.root == Root::Global(f.0))?;
        let Some(&Step::Index(number)) = place.path.first() else {
            return None;
        };
        let ty = self.program.globals[flags.index()].ty;
        let all = self.program.add(ExprKind::Global(flags), ty);
        let gone = ExprKind::Index(all, number);
        let gone = self.program.add(gone, Types::BOOL);
        let own = self.local(self.freed, Types::BOOL);
        let no = self.bool(false);
        let lives = self.binary(BinaryOp::Eq, gone, no);
        let fine = self.binary(BinaryOp::Or, own, lives);
        let what = "the memory that this store reaches was freed before";
        Some(StmtKind::Check(ErrorKind::Deref, fine, what.into()))
    }

    fn move_cell(&mut self, to: usize, made: &mut Block) {
        let pairs = |cells: &[Cell], number| {
            let (to, from) = (&cells[to], &cells[to + 1]);
            let mut pairs = vec![(to.site, from.site, number)];
            let indices = to.indices.iter().zip(&from.indices);
            pairs.extend(indices.map(|(to, from)| (to.0, from.0, to.1)));
            let values = to.values.iter().zip(&from.values);
            pairs.extend(values.map(|(to, from)| (to.1, from.1, to.0)));
            pairs
        };
        for (to, from, ty) in pairs(&self.cells, self.number) {
            let value = self.local(from, ty);
            self.set(to, value, made);
        }
        if self.facts.memory == Memory::Pso {
            let fenced = match to {
                0 => self.bool(false),
                _ => self.local(self.cells[to + 1].fenced, Types::BOOL),
            };
            self.set(self.cells[to].fenced, fenced, made);
        }
    }

    /// Empties these places of the buffer.
    fn clear(&mut self, cells: std::ops::Range<usize>, made: &mut Block) {
        let zero = self.int(0);
        let no = self.bool(false);
        for at in cells {
            let cell = &self.cells[at];
            let (site, fenced) = (cell.site, cell.fenced);
            let indices: Vec<LocalId> = cell.indices.iter().map(|(local, _)| *local).collect();
            let values = cell.values.clone();
            for (ty, local) in values {
                let plain = self.program.plain_value(ty);
                self.set(local, plain, made);
            }
            for local in indices {
                self.set(local, zero, made);
            }
            self.set(site, zero, made);
            self.set(fenced, no, made);
        }
    }

    // The rule of stale loads.

    /// Notes that a load is the last step that others notice, if a store waits.
    fn loaded(&mut self, load: Load, made: &mut Block) {
        let number = self.loads.binary_search(&load).map_or(0, |at| at + 1);
        let number = self.int(i128::try_from(number).unwrap_or(0));
        let (zero, waits) = (self.int(0), self.waits(0));
        let kind = ExprKind::Ite(waits, number, zero);
        let last = self.program.add(kind, Types::INT);
        self.set(self.last, last, made);
    }

    /// Notes that no load is the last step that others notice.
    fn noticed(&mut self, here: &mut Here, made: &mut Block) {
        if let Some(pending) = here
            && !pending.last.is_empty()
        {
            pending.last.clear();
            let zero = self.int(0);
            self.set(self.last, zero, made);
        }
    }

    /// Follows the execution only if the variable that was loaded last has another value by now.
    fn not_stale(&mut self, pending: &Pending, made: &mut Block) {
        if crate::without(Part::Stale) {
            return;
        }
        for &(global, local) in &pending.last {
            let number = self.loads.binary_search(&(global, local));
            let number = self.int(number.map_or(0, |at| at as i128 + 1));
            let last = self.local(self.last, self.locals[self.last.index()].ty);
            let own = self.local(local, self.locals[local.index()].ty);
            let is = self.binary(BinaryOp::Eq, last, number);
            let same = self.binary(BinaryOp::Eq, own, global);
            let stale = self.binary(BinaryOp::And, is, same);
            let fresh = self
                .program
                .add(ExprKind::Unary(UnaryOp::Not, stale), Types::BOOL);
            // The assumption has no place in the program, because it is not the user's.
            made.push(StmtKind::Assume(fresh).at(Span::default()));
        }
        self.noticed(&mut Some(pending.clone()), made);
    }

    // What comes in.

    /// The stores of a statement go into the buffer.
    fn delay(&mut self, stmt: &Stmt, at: &mut (u32, &mut Pending), made: &mut Block) {
        match &stmt.kind {
            StmtKind::Assign(place, value) if self.facts.is_candidate(place.root) => {
                let value = self.value(*value, at.1);
                self.push(place, value, at, made);
            }
            StmtKind::Havoc(place, kind) if self.facts.is_candidate(place.root) => {
                let any = Local::hidden("any", place.ty).declared_in(&mut self.locals);
                let own = Place::local(any, place.ty);
                made.push(StmtKind::Havoc(own, *kind).at(stmt.span));
                let value = self.local(any, place.ty);
                self.push(place, value, at, made);
            }
            StmtKind::Atomic(_, body) => {
                for stmt in body {
                    self.delay(stmt, at, made);
                }
            }
            StmtKind::If(cond, yes, no) => {
                let cond = self.value(*cond, at.1);
                let (mut then, mut other) = (Block::new(), Block::new());
                for stmt in yes {
                    self.delay(stmt, at, &mut then);
                }
                for stmt in no {
                    self.delay(stmt, at, &mut other);
                }
                made.push(StmtKind::If(cond, then, other).at(stmt.span));
            }
            _ => {
                let stmt = self.read(stmt, at.1);
                made.push(stmt);
            }
        }
    }

    fn push(
        &mut self,
        place: &Place,
        value: ExprId,
        (site, pending): &mut (u32, &mut Pending),
        made: &mut Block,
    ) {
        let indices: Vec<ExprId> = walk::indices(place).collect();
        let indices: Vec<ExprId> = indices.iter().map(|&e| self.value(e, pending)).collect();
        let last = (pending.most as usize).min(self.cells.len() - 1);
        let mut other = Block::new();
        for at in (0..=last).rev() {
            let mut own = Block::new();
            let slot = self.cells[at].values.iter().find(|(ty, _)| *ty == place.ty);
            let slot = slot.map_or(self.chosen, |(_, local)| *local);
            self.set(slot, value, &mut own);
            let cells = self.cells[at].indices.clone();
            for (&index, (local, _)) in indices.iter().zip(cells) {
                let number = self.number_of(index);
                self.set(local, number, &mut own);
            }
            if self.facts.memory == Memory::Pso {
                let fenced = match at {
                    0 => self.bool(false),
                    _ => self.local(self.barrier, Types::BOOL),
                };
                self.set(self.cells[at].fenced, fenced, &mut own);
            }
            let number = self.int((*site).into());
            self.set(self.cells[at].site, number, &mut own);
            if at == last {
                other = own;
                continue;
            }
            let taken = self.waits(at);
            other = vec![self.when(taken, other, own)].into();
        }
        made.extend(other);
        if self.facts.memory == Memory::Pso {
            let no = self.bool(false);
            self.set(self.barrier, no, made);
        }
        pending.sites.insert(*site);
        pending.most += 1;
        *site += 1;
    }

    // Reading.

    /// The statement with reads that see the task's own stores.
    fn read(&mut self, stmt: &Stmt, pending: &Pending) -> Stmt {
        if self.level(pending) == 0 {
            return stmt.clone();
        }
        let mut stmt = stmt.clone();
        self.read_in(&mut stmt, pending);
        stmt
    }

    fn read_all(&mut self, block: &Block, pending: &Pending) -> Block {
        block.iter().map(|stmt| self.read(stmt, pending)).collect()
    }

    fn read_in(&mut self, stmt: &mut Stmt, pending: &Pending) {
        match &mut stmt.kind {
            StmtKind::Assign(place, value) => {
                *value = self.value(*value, pending);
                self.read_indices(place, pending);
            }
            StmtKind::Havoc(place, _) => self.read_indices(place, pending),
            StmtKind::Assume(e) | StmtKind::Check(_, e, _) | StmtKind::If(e, ..) => {
                *e = self.value(*e, pending);
            }
            StmtKind::Return(Some(e)) => *e = self.value(*e, pending),
            StmtKind::Call(_, _, args) | StmtKind::Post(_, _, args) | StmtKind::Mark(_, args) => {
                for e in args {
                    *e = self.value(*e, pending);
                }
            }
            StmtKind::Loop(l) => l.cond = self.value(l.cond, pending),
            StmtKind::Await(wait) => wait.cond = self.value(wait.cond, pending),
            _ => {}
        }
        for block in walk::children_mut(stmt) {
            for stmt in block {
                self.read_in(stmt, pending);
            }
        }
    }

    fn read_indices(&mut self, place: &mut Place, pending: &Pending) {
        for step in &mut place.path {
            if let Step::Index(e) = step {
                *e = self.value(*e, pending);
            }
        }
    }

    /// The value of an expression for the task.
    fn value(&mut self, e: ExprId, pending: &Pending) -> ExprId {
        if !self.facts.reads(e) || self.level(pending) == 0 {
            return e;
        }
        if let Some((shape, indices)) = chain(self.program, e)
            && self.facts.candidate[shape.0.index()]
            && !crate::without(Part::Forward)
        {
            return self.load(e, &shape, &indices, pending);
        }
        let old = self.program.expr(e).clone();
        let kind = walk::with_operands(&old.kind, |part| self.value(part, pending));
        if kind == old.kind {
            return e;
        }
        let new = self.program.add(kind, old.ty);
        self.program.quotes.show_as(new, e);
        new
    }

    /// What a part of a global is for the task: its newest store in the buffer, or what is in memory.
    fn load(&mut self, e: ExprId, shape: &Shape, own: &[ExprId], pending: &Pending) -> ExprId {
        let indices: Vec<ExprId> = own.iter().map(|&e| self.value(e, pending)).collect();
        let mut value = self.with_indices(e, &mut indices.iter().rev().copied());
        let ty = self.program.ty(e);
        let mut found = false;
        for at in 0..self.level(pending) as usize {
            for &site in &pending.sites {
                let store = &self.stores[site as usize - 1];
                let inner = shape.1.strip_prefix(store.shape.1.as_slice());
                let Some(inner) = inner.filter(|_| store.shape.0 == shape.0) else {
                    continue;
                };
                let (inner, stored) = (inner.to_vec(), store.place.ty);
                let common = store.shape.1.iter().filter(|step| step.is_none()).count();
                let mut is = self.site_is(at, site);
                for (index, &e) in indices.iter().enumerate().take(common) {
                    let (local, ty) = self.cells[at].indices[index];
                    let (mine, theirs) = (self.local(local, ty), self.number_of(e));
                    let equal = self.binary(BinaryOp::Eq, mine, theirs);
                    is = self.binary(BinaryOp::And, is, equal);
                }
                let mut new = self.cell_value(at, stored);
                let mut rest = indices[common..].iter();
                for step in inner {
                    new = self.part(new, step, &mut rest);
                }
                value = self.program.add(ExprKind::Ite(is, new, value), ty);
                found = true;
            }
        }
        if found {
            self.program.quotes.show_as(value, e);
        }
        value
    }

    /// The same part of a global with other indices, the innermost first.
    fn with_indices(&mut self, e: ExprId, indices: &mut impl Iterator<Item = ExprId>) -> ExprId {
        let old = self.program.expr(e).clone();
        let kind = match old.kind {
            ExprKind::Field(whole, field) => {
                ExprKind::Field(self.with_indices(whole, indices), field)
            }
            ExprKind::Index(whole, own) => {
                let index = indices.next().unwrap_or(own);
                ExprKind::Index(self.with_indices(whole, indices), index)
            }
            _ => return e,
        };
        if kind == old.kind {
            return e;
        }
        let new = self.program.add(kind, old.ty);
        self.program.quotes.show_as(new, e);
        new
    }

    fn part(
        &mut self,
        whole: ExprId,
        step: Option<u32>,
        indices: &mut std::slice::Iter<'_, ExprId>,
    ) -> ExprId {
        let ty = match (self.program.types.get(self.program.ty(whole)), step) {
            (Type::Record(record), Some(field)) => record.fields[field as usize].1,
            (Type::Array(_, element) | Type::Map(_, element), None) => *element,
            _ => unreachable!("a step into a value without parts"),
        };
        let kind = match step {
            Some(field) => ExprKind::Field(whole, field),
            None => {
                let index = indices.next().expect("an element has an index");
                ExprKind::Index(whole, *index)
            }
        };
        self.program.add(kind, ty)
    }

    // Pieces.

    fn cell_value(&mut self, at: usize, ty: TypeId) -> ExprId {
        let found = self.cells[at].values.iter().find(|(own, _)| *own == ty);
        let local = found.expect("a buffer has a local for each type").1;
        self.local(local, ty)
    }

    fn number_of(&mut self, index: ExprId) -> ExprId {
        match self.program.types.get(self.program.ty(index)) {
            Type::Bits(_) => self.program.add(ExprKind::Convert(index), Types::INT),
            _ => index,
        }
    }

    fn waits(&mut self, at: usize) -> ExprId {
        let free = self.site_is(at, 0);
        self.program
            .add(ExprKind::Unary(UnaryOp::Not, free), Types::BOOL)
    }

    fn site_is(&mut self, at: usize, site: u32) -> ExprId {
        let own = self.local(self.cells[at].site, self.number);
        let number = self.int(site.into());
        self.binary(BinaryOp::Eq, own, number)
    }

    fn which_is(&mut self, number: i128) -> ExprId {
        let ty = self.locals[self.which.index()].ty;
        let (own, number) = (self.local(self.which, ty), self.int(number));
        self.binary(BinaryOp::Eq, own, number)
    }

    fn and_not(&mut self, a: ExprId, b: ExprId) -> ExprId {
        let not = self
            .program
            .add(ExprKind::Unary(UnaryOp::Not, b), Types::BOOL);
        self.binary(BinaryOp::And, a, not)
    }

    fn binary(&mut self, op: BinaryOp, a: ExprId, b: ExprId) -> ExprId {
        self.program.add(ExprKind::Binary(op, a, b), Types::BOOL)
    }

    fn bool(&mut self, value: bool) -> ExprId {
        self.program.add(ExprKind::Bool(value), Types::BOOL)
    }

    fn int(&mut self, value: i128) -> ExprId {
        self.program.add(ExprKind::int(value), Types::INT)
    }

    fn local(&mut self, local: LocalId, ty: TypeId) -> ExprId {
        self.program.add(ExprKind::Local(local), ty)
    }

    fn set(&self, local: LocalId, value: ExprId, made: &mut Block) {
        let place = Place::local(local, self.locals[local.index()].ty);
        made.push(StmtKind::Assign(place, value).at(self.span));
    }

    fn choice(&self) -> Stmt {
        let place = Place::local(self.chosen, Types::BOOL);
        StmtKind::Havoc(place, ChoiceKind::Memory).at(self.span)
    }

    fn when(&self, cond: ExprId, yes: Block, no: Block) -> Stmt {
        StmtKind::If(cond, yes, no).at(self.span)
    }
}

fn raw(point: Option<Point>, made: &mut Block) {
    if let Some(point) = point {
        made.push(point.stmt);
        made.extend(point.leave);
    }
}
