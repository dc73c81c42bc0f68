//! Which variables may hold the numbers by which tasks are told apart: a guess from the program's text.
//!
//! `post philosopher(i)` gives a number. Variables that it is copied to or compared with, and indices that it is used as, get
//! the same kind. The guess passes over literals, loops and sizes: not the guess decides whether numbers can be exchanged, but
//! running segments does (`check`).

use ena::unify::{InPlaceUnificationTable, UnifyKey};
use rustc_hash::FxHashMap;

use ir::{BinaryOp, Expr, ExprId, ExprKind, Place, ProcId, Program, Root, Step, StmtKind, TypeId};
use ir::{Type, Types, walk};

use super::super::code::{Code, Domain, Repr};
use super::roles::{MOST, Role, Roles};
use crate::{Shared, lock};

/// A set of values that may be equal to each other: those of a scalar, or the indices of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Kind(u32);

impl UnifyKey for Kind {
    type Value = ();

    fn index(&self) -> u32 {
        self.0
    }

    fn from_index(index: u32) -> Self {
        Self(index)
    }

    fn tag() -> &'static str {
        "Kind"
    }
}

/// The kinds of a value's parts.
#[derive(Clone, Debug)]
enum Parts {
    Scalar(Kind),
    Record(Vec<usize>),
    List { index: Kind, element: usize },
}

struct Guess<'p> {
    program: &'p Program,
    table: InPlaceUnificationTable<Kind>,
    /// The finite range of each kind, where it has one.
    ranges: Vec<Option<(i64, i64)>>,
    parts: Vec<Parts>,
    globals: Vec<usize>,
    locals: Vec<Vec<usize>>,
    results: Vec<Option<usize>>,
    /// The kinds of the arguments with which tasks are posted.
    given: Vec<Kind>,
    tasks: Kind,
    /// Sums: the kind of the sum, the kind of the number in it, and what is added to that number.
    sums: Vec<(Kind, Kind, i64)>,
    proc: ProcId,
    /// The parts of the procedure's expressions that were looked at.
    known: FxHashMap<ExprId, Option<usize>>,
}

/// Returns the roles of each kind of numbers that tasks are given, the kind with the most numbers first. If tasks are numbered
/// themselves, `pending` tells which number goes with which task, and the numbers of tasks are a kind, too.
pub(super) fn guess(program: &Program, shared: &Shared, pending: &[u32]) -> Vec<Roles> {
    let code = &shared.code;
    let mut guess = Guess::new(program);
    for index in 0..program.procs.len() {
        guess.procedure(ProcId::from_index(index));
    }
    let mut kinds: Vec<Kind> = Vec::new();
    for given in guess.given.clone() {
        let kind = guess.table.find(given);
        if !kinds.contains(&kind) {
            kinds.push(kind);
        }
    }
    let mut all: Vec<Roles> = Vec::new();
    for kind in kinds {
        let found = guess.roles(kind, code, None);
        if !code.handles {
            all.extend(found);
        } else if let Some(added) = found.and_then(|roles| goes_with(&roles, shared, pending)) {
            all.extend(guess.roles(kind, code, Some(added)));
        }
    }
    // `main` is task 1, so the others begin at 2.
    let last = pending.iter().map(|&local| shared.number(local)).max();
    if let Some(last @ 3..) = last.filter(|_| code.handles) {
        let kind = guess.table.find(guess.tasks);
        guess.ranges[guess.tasks.0 as usize] = Some((2, last.into()));
        all.extend(guess.roles(kind, code, Some(0)));
    }
    all.sort_by_key(|roles| std::cmp::Reverse(roles.count));
    all
}

/// Returns what to add to the number that a task holds to get the task's own number. Most of the pending tasks decide.
fn goes_with(roles: &Roles, shared: &Shared, pending: &[u32]) -> Option<i64> {
    let mut said: Vec<i64> = Vec::new();
    for &local in pending {
        let own = i64::from(shared.number(local));
        let bytes = lock(&shared.tables).locals.get(local).to_vec();
        shared.with_values(&bytes, |pc, values| {
            let roles_here = &roles.registers[shared.code.proc_of[pc as usize] as usize];
            for (&register, &value) in shared.code.live(pc).iter().zip(&*values) {
                let role = roles_here.get(register as usize);
                let number = role.and_then(|role| roles.held(role, value));
                said.extend(number.map(|number| own - roles.value(number)));
            }
        });
    }
    let times = |added: &i64| said.iter().filter(|other| *other == added).count();
    let most = said.iter().max_by_key(|added| (times(added), **added))?;
    (times(most) > 1).then_some(*most)
}

impl<'p> Guess<'p> {
    fn new(program: &'p Program) -> Self {
        let mut guess = Self {
            program,
            table: InPlaceUnificationTable::new(),
            ranges: Vec::new(),
            parts: Vec::new(),
            globals: Vec::new(),
            locals: Vec::new(),
            results: Vec::new(),
            given: Vec::new(),
            tasks: Kind(0),
            sums: Vec::new(),
            proc: program.main,
            known: FxHashMap::default(),
        };
        guess.tasks = guess.kind(None);
        guess.globals = program.globals.iter().map(|g| guess.fresh(g.ty)).collect();
        for proc in &program.procs {
            let locals = proc.locals.iter().map(|l| guess.fresh(l.ty)).collect();
            guess.locals.push(locals);
            let result = proc.result.map(|ty| guess.fresh(ty));
            guess.results.push(result);
        }
        guess
    }

    fn kind(&mut self, bounds: Option<(i128, i128)>) -> Kind {
        let range =
            bounds.and_then(|(lo, hi)| Some((i64::try_from(lo).ok()?, i64::try_from(hi).ok()?)));
        self.ranges.push(range);
        self.table.new_key(())
    }

    /// New parts for a type.
    fn fresh(&mut self, ty: TypeId) -> usize {
        let types = &self.program.types;
        let parts = match types.get(ty) {
            Type::Record(record) => {
                let fields = record.fields.iter().map(|&(_, ty)| self.fresh(ty));
                Parts::Record(fields.collect())
            }
            Type::Array(len, element) => Parts::List {
                index: self.kind(Some((0, i128::from(*len) - 1))),
                element: self.fresh(*element),
            },
            Type::Map(Types::TASK, element) => Parts::List {
                index: self.tasks,
                element: self.fresh(*element),
            },
            Type::Map(key, element) => Parts::List {
                index: self.kind(types.bounds(*key)),
                element: self.fresh(*element),
            },
            Type::Bool => Parts::Scalar(self.kind(None)),
            Type::Task => Parts::Scalar(self.tasks),
            _ => Parts::Scalar(self.kind(types.bounds(ty))),
        };
        self.parts.push(parts);
        self.parts.len() - 1
    }

    fn unite(&mut self, a: usize, b: usize) {
        match (self.parts[a].clone(), self.parts[b].clone()) {
            (Parts::Scalar(a), Parts::Scalar(b)) => self.table.union(a, b),
            (Parts::Record(a), Parts::Record(b)) => {
                a.into_iter().zip(b).for_each(|(a, b)| self.unite(a, b));
            }
            (
                Parts::List { index, element },
                Parts::List {
                    index: other,
                    element: inner,
                },
            ) => {
                self.table.union(index, other);
                self.unite(element, inner);
            }
            _ => {}
        }
    }

    fn unite_some(&mut self, a: Option<usize>, b: Option<usize>) -> Option<usize> {
        if let (Some(a), Some(b)) = (a, b) {
            self.unite(a, b);
        }
        a.or(b)
    }

    fn procedure(&mut self, id: ProcId) {
        self.proc = id;
        self.known.clear();
        let program = self.program;
        walk::each(&program.proc(id).body, &mut |stmt| match &stmt.kind {
            StmtKind::Assign(place, value) => {
                let (place, value) = (self.place(place), self.expr(*value));
                self.unite_some(place, value);
            }
            StmtKind::Call(into, proc, args) => {
                self.give(*proc, args);
                let into = into.map(|local| self.locals[id.index()][local.index()]);
                self.unite_some(into, self.results[proc.index()]);
            }
            StmtKind::Post(_, proc, args) => {
                self.give(*proc, args);
                for &param in &self.locals[proc.index()][..args.len()] {
                    if let Parts::Scalar(kind) = self.parts[param] {
                        self.given.push(kind);
                    }
                }
            }
            StmtKind::Return(value) => {
                let value = value.and_then(|value| self.expr(value));
                self.unite_some(self.results[id.index()], value);
            }
            _ => walk::exprs(stmt).into_iter().for_each(|e| {
                self.expr(e);
            }),
        });
    }

    fn give(&mut self, proc: ProcId, args: &[ExprId]) {
        for (param, &arg) in args.iter().enumerate() {
            let param = self.locals[proc.index()].get(param).copied();
            let arg = self.expr(arg);
            self.unite_some(param, arg);
        }
    }

    fn place(&mut self, place: &Place) -> Option<usize> {
        let mut at = self.root(place.root);
        for step in &place.path {
            at = match (*step, self.parts[at].clone()) {
                (Step::Field(field), Parts::Record(fields)) => *fields.get(field as usize)?,
                (Step::Index(by), Parts::List { index, element }) => {
                    self.index(index, by);
                    element
                }
                _ => return None,
            };
        }
        Some(at)
    }

    fn root(&self, root: Root) -> usize {
        match root {
            Root::Global(global) => self.globals[global.index()],
            Root::Local(local) => self.locals[self.proc.index()][local.index()],
        }
    }

    /// Notes that an expression is an index of an array.
    fn index(&mut self, kind: Kind, by: ExprId) {
        if let Some(by) = self.expr(by)
            && let Parts::Scalar(by) = self.parts[by]
        {
            self.table.union(kind, by);
        }
    }

    /// The parts of an expression's value, if they are those of some variable.
    fn expr(&mut self, id: ExprId) -> Option<usize> {
        if let Some(&known) = self.known.get(&id) {
            return known;
        }
        let parts = self.look_at(id);
        self.known.insert(id, parts);
        parts
    }

    fn look_at(&mut self, id: ExprId) -> Option<usize> {
        let expr = self.program.expr(id);
        match &expr.kind {
            ExprKind::Local(local) => Some(self.root(Root::Local(*local))),
            ExprKind::Global(global) => Some(self.root(Root::Global(*global))),
            ExprKind::Index(array, by) => {
                let array = self.expr(*array)?;
                let Parts::List { index, element } = self.parts[array] else {
                    return None;
                };
                self.index(index, *by);
                Some(element)
            }
            ExprKind::Field(record, field) => {
                let record = self.expr(*record)?;
                match &self.parts[record] {
                    Parts::Record(fields) => fields.get(*field as usize).copied(),
                    _ => None,
                }
            }
            ExprKind::Record(_) | ExprKind::Array(_) | ExprKind::Fill(_) => Some(self.whole(expr)),
            ExprKind::Ite(cond, a, b) => {
                self.expr(*cond);
                let (a, b) = (self.next_to(*a), self.next_to(*b));
                self.unite_some(a, b)
            }
            ExprKind::Binary(BinaryOp::Eq, a, b) => {
                let (a, b) = (self.expr(*a), self.expr(*b));
                self.unite_some(a, b);
                None
            }
            ExprKind::Binary(BinaryOp::Rem, a, _) => self.next_to(*a),
            ExprKind::Convert(a) => self.expr(*a),
            ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, ..) => self.sum(expr),
            _ => {
                for part in walk::operands(expr) {
                    self.expr(part);
                }
                None
            }
        }
    }

    /// Makes a kind for the sum of a number and a literal.
    fn sum(&mut self, sum: &Expr) -> Option<usize> {
        let ExprKind::Binary(op, a, b) = sum.kind else {
            return None;
        };
        let (of, other) = (self.expr(a), self.expr(b));
        let (of, added) = match (self.literal(a), self.literal(b)) {
            (None, Some(added)) if op == BinaryOp::Sub => (of, added.checked_neg()?),
            (None, Some(added)) => (of, added),
            (Some(added), None) if op == BinaryOp::Add => (other, added),
            _ => return None,
        };
        let &Parts::Scalar(of) = &self.parts[of?] else {
            return None;
        };
        let kind = self.kind(None);
        self.sums.push((kind, of, added));
        self.parts.push(Parts::Scalar(kind));
        Some(self.parts.len() - 1)
    }

    fn literal(&self, id: ExprId) -> Option<i64> {
        match &self.program.expr(id).kind {
            ExprKind::Int(value) => i64::try_from(value.0).ok(),
            ExprKind::Convert(a) => self.literal(*a),
            _ => None,
        }
    }

    /// A record or array that is written out.
    fn whole(&mut self, expr: &Expr) -> usize {
        let whole = self.fresh(expr.ty);
        for (at, part) in walk::operands(expr).into_iter().enumerate() {
            let element = match &self.parts[whole] {
                Parts::Record(fields) => fields.get(at).copied(),
                Parts::List { element, .. } => Some(*element),
                Parts::Scalar(_) => None,
            };
            let part = self.expr(part);
            self.unite_some(element, part);
        }
        whole
    }

    /// Like [`Self::expr`], but `i + 1` has the parts of `i`: a neighbour's number, before it is brought back into its range.
    fn next_to(&mut self, id: ExprId) -> Option<usize> {
        match self.program.expr(id).kind {
            ExprKind::Binary(BinaryOp::Add | BinaryOp::Sub, a, b) => {
                let (a, b) = (self.next_to(a), self.next_to(b));
                a.or(b)
            }
            _ => self.expr(id),
        }
    }

    /// Where the numbers of a kind lie; nothing if there are none, or too many.
    fn roles(&mut self, kind: Kind, code: &Code, tasks: Option<i64>) -> Option<Roles> {
        let all = 0..u32::try_from(self.ranges.len()).ok()?;
        let same: Vec<Kind> = (all.map(Kind))
            .filter(|&k| self.table.find(k) == kind)
            .collect();
        let ranges = same.iter().filter_map(|kind| self.ranges[kind.0 as usize]);
        let ranges: Vec<(i64, i64)> = ranges.collect();
        let &(lo, hi) = ranges.iter().min_by_key(|(lo, hi)| hi.abs_diff(*lo))?;
        let count = usize::try_from(hi.checked_sub(lo)?).ok()? + 1;
        let inside = ranges.iter().all(|&(from, to)| from <= lo && hi <= to);
        // Wide slots hold small numbers as they are.
        if !inside || !(2..=MOST).contains(&count) || lo.unsigned_abs() > 1 << 20 {
            return None;
        }
        let mut added = self.added(kind, (lo, hi));
        if let Some(of_tasks) = tasks {
            added.insert(self.table.find(self.tasks), of_tasks);
        }
        let mut lay = Lay {
            code,
            added,
            numbers: (lo, count),
            guess: self,
        };
        let globals = (0..lay.guess.globals.len())
            .map(|g| (lay.guess.globals[g], lay.guess.program.globals[g].ty));
        let slots = lay.all(globals.collect());
        let mut registers = Vec::new();
        for (proc, locals) in lay.guess.program.procs.iter().zip(lay.guess.locals.clone()) {
            let types = proc.locals.iter().map(|local| local.ty);
            registers.push(lay.all(locals.into_iter().zip(types).collect()));
        }
        let mut roles = Roles {
            lo,
            count,
            slots,
            moving: Vec::new(),
            registers,
            tasks,
        };
        roles.note_moving();
        Some(roles)
    }

    /// Returns the kinds that hold some numbers, each with what is added there: this kind, and sums whose ranges allow it.
    fn added(&mut self, kind: Kind, (lo, hi): (i64, i64)) -> FxHashMap<Kind, i64> {
        let mut all: FxHashMap<Kind, i64> = FxHashMap::from_iter([(kind, 0)]);
        let mut known = 0;
        while known < all.len() {
            known = all.len();
            for (sum, of, added) in self.sums.clone() {
                let (sum, of) = (self.table.find(sum), self.table.find(of));
                if let Some(more) = all.get(&of).and_then(|all| all.checked_add(added)) {
                    all.entry(sum).or_insert(more);
                } else if let Some(less) = all.get(&sum).and_then(|all| all.checked_sub(added)) {
                    all.entry(of).or_insert(less);
                }
            }
        }
        for index in 0..u32::try_from(self.ranges.len()).unwrap_or(0) {
            let root = self.table.find(Kind(index));
            let range = self.ranges[index as usize];
            let fits = |&added: &i64| {
                let ends = lo.checked_add(added).zip(hi.checked_add(added));
                ends.is_some_and(|(lo, hi)| range.is_none_or(|(from, to)| from <= lo && hi <= to))
            };
            if root != kind && all.get(&root).is_some_and(|added| !fits(added)) {
                all.remove(&root);
            }
        }
        all
    }
}

/// Lays roles out as the code lays out variables.
struct Lay<'g, 'p> {
    code: &'g Code,
    /// The kinds of these numbers, each with what is added to them there.
    added: FxHashMap<Kind, i64>,
    /// The least number, and how many there are.
    numbers: (i64, usize),
    guess: &'g mut Guess<'p>,
}

impl Lay<'_, '_> {
    /// Returns the roles of variables that lie one behind the other.
    fn all(&mut self, variables: Vec<(usize, TypeId)>) -> Vec<Role> {
        let mut roles = Vec::new();
        for (parts, ty) in variables {
            self.value(parts, ty, &Role::default(), &mut roles);
        }
        roles
    }

    /// What is added to the numbers, if a kind is one of these.
    fn added(&mut self, kind: Kind) -> Option<i64> {
        let kind = self.guess.table.find(kind);
        self.added.get(&kind).copied()
    }

    fn value(&mut self, parts: usize, ty: TypeId, outer: &Role, out: &mut Vec<Role>) {
        let code = self.code;
        match (self.guess.parts[parts].clone(), code.layout.repr(ty)) {
            (Parts::Scalar(kind), Repr::Scalar(Domain::Small { .. } | Domain::Wide)) => {
                let holds = self.added(kind);
                out.push(Role {
                    holds,
                    ..outer.clone()
                });
            }
            (Parts::Record(parts), Repr::Record(fields)) => {
                for (part, &(_, ty)) in parts.into_iter().zip(fields) {
                    self.value(part, ty, outer, out);
                }
            }
            (
                Parts::List { index, element },
                &Repr::Flat {
                    elem,
                    len,
                    stride,
                    lo,
                },
            ) => {
                let added = self.added(index);
                for key in 0..len {
                    let mut role = outer.clone();
                    let digit = added.and_then(|added| {
                        usize::try_from(lo + i64::from(key) - added - self.numbers.0).ok()
                    });
                    if let Some(digit) = digit.filter(|&digit| digit < self.numbers.1) {
                        role.digits.push((digit, stride));
                    }
                    self.value(element, elem, &role, out);
                }
            }
            _ => {
                let slots = code.layout.slots(ty) as usize;
                out.extend(std::iter::repeat_n(outer.clone(), slots));
            }
        }
    }
}
