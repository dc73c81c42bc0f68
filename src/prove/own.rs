//! Variables of which each thread has its own.
//!
//! A front end lays them out as arrays with an element for each number of a thread, and follows executions only as long as
//! numbers last. If each thread touches only its own element of an array, that element is a local of the thread. If the numbers
//! serve for nothing else, there may be any number of threads.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use ir::{
    BinaryOp, Block, ExprId, ExprKind, GlobalId, LocalId, Place, ProcId, Program, Root, Step, Stmt,
    StmtKind, Type, TypeId,
};
use ir::{walk, walk::operands};

use super::beside::OfEach;

/// Returns what each thread has of its own, and the program in which no statement gives these variables their first values. It
/// does not count threads either, if it needs their numbers for nothing else.
#[must_use]
pub fn own(program: &Program) -> (Cow<'_, Program>, BTreeMap<GlobalId, OfEach>) {
    let nothing = || (Cow::Borrowed(program), BTreeMap::new());
    let Some(counter) = program.scope.numbers.filter(|_| program.finally.is_none()) else {
        return nothing();
    };
    let mut look = Look::new(program, counter);
    for proc in (0..program.procs.len()).map(ProcId::from_index) {
        look.proc(proc);
    }
    let own = look.own();
    let mut made = program.clone();
    let first = &mut made.procs[program.init.index()].body;
    first.retain(|stmt| !walk::written(stmt).is_some_and(|to| is_one_of(to, &own)));
    let only_indices = look.only_indices && look.indexed.iter().all(|g| own.contains_key(g));
    if look.handed_on && only_indices {
        let copies = std::mem::take(&mut look.copies);
        // The counter keeps its first value: nothing else would say what it is.
        let begin = program.init.index();
        let others = made.procs.iter_mut().enumerate();
        for (number, proc) in others.filter(|(number, _)| *number != begin) {
            let uncounted = |stmt: &Stmt| look.counts(stmt) || look.limits(number, &copies, stmt);
            without(&mut proc.body, &uncounted);
        }
    }
    (Cow::Owned(made), own)
}

fn is_one_of(to: &Place, own: &BTreeMap<GlobalId, OfEach>) -> bool {
    matches!(to.root, Root::Global(g) if own.contains_key(&g))
}

fn without(block: &mut Block, out: &impl Fn(&Stmt) -> bool) {
    block.retain(|stmt| !out(stmt));
    for stmt in block {
        for inner in walk::children_mut(stmt) {
            without(inner, out);
        }
    }
}

/// What the program does with the numbers of threads.
struct Look<'p> {
    program: &'p Program,
    counter: GlobalId,
    /// The locals in which a procedure has the running thread's number.
    numbers: BTreeSet<(usize, LocalId)>,
    /// The locals in which a procedure has the number of the thread that it makes.
    copies: BTreeSet<(usize, LocalId)>,
    /// Arrays that are touched elsewhere than at the thread's own number.
    shared: BTreeSet<GlobalId>,
    /// What an array is filled with at first.
    first: BTreeMap<GlobalId, OfEach>,
    /// Arrays that are touched at the thread's own number.
    indexed: BTreeSet<GlobalId>,
    /// Each thread is known to have its own number where a procedure has it.
    handed_on: bool,
    /// The program hands numbers on and uses them as indices, and for nothing else.
    only_indices: bool,
}

impl<'p> Look<'p> {
    fn new(program: &'p Program, counter: GlobalId) -> Self {
        let mut numbers = BTreeSet::new();
        let mut copies = BTreeSet::new();
        for (number, proc) in program.procs.iter().enumerate() {
            let mut written: BTreeMap<LocalId, Vec<Option<ExprId>>> = BTreeMap::new();
            walk::each(&proc.body, &mut |stmt| {
                let mut note = |local: LocalId, value| {
                    written.entry(local).or_default().push(value);
                };
                match &stmt.kind {
                    StmtKind::Assign(to, value) => match to.root {
                        Root::Local(l) if to.path.is_empty() => note(l, Some(*value)),
                        Root::Local(l) => note(l, None),
                        Root::Global(_) => {}
                    },
                    StmtKind::Havoc(to, _) => {
                        if let Root::Local(l) = to.root {
                            note(l, None);
                        }
                    }
                    StmtKind::Call(Some(l), ..) | StmtKind::Post(Some(l), ..) => note(*l, None),
                    _ => {}
                }
            });
            let is_main = ProcId::from_index(number) == program.main;
            let first = LocalId::from_index(0);
            if !is_main && proc.params > 0 && !written.contains_key(&first) {
                numbers.insert((number, first));
            }
            for (local, values) in written {
                let [Some(value)] = values[..] else { continue };
                let kind = &program.expr(value).kind;
                if is_main && local == first && *kind == ExprKind::int(0) {
                    numbers.insert((number, local));
                }
                if *kind == ExprKind::Global(counter) {
                    copies.insert((number, local));
                }
            }
        }
        Self {
            program,
            counter,
            numbers,
            copies,
            shared: BTreeSet::new(),
            first: BTreeMap::new(),
            indexed: BTreeSet::new(),
            handed_on: true,
            only_indices: true,
        }
    }

    /// What each thread has of its own.
    fn own(&self) -> BTreeMap<GlobalId, OfEach> {
        let all = self.first.iter().map(|(&g, &of)| (g, of));
        all.filter(|(g, _)| self.handed_on && !self.shared.contains(g))
            .collect()
    }

    fn proc(&mut self, proc: ProcId) {
        let program = self.program;
        let number = proc.index();
        walk::each(&program.proc(proc).body, &mut |stmt| {
            if self.counts(stmt) || self.limits(number, &self.copies, stmt) {
                return;
            }
            if proc == program.init && self.fills(stmt) {
                return;
            }
            match &stmt.kind {
                StmtKind::Assign(to, value) => {
                    if !self.copied(number, to, *value) && !self.gives_main_its_number(number, to) {
                        self.expr(number, *value);
                    }
                    self.place(number, to);
                }
                StmtKind::Havoc(to, _) => self.place(number, to),
                StmtKind::Call(_, _, args) => self.args(number, args, |l| &l.numbers),
                StmtKind::Post(_, _, args) => self.args(number, args, |l| &l.copies),
                _ => walk::exprs(stmt)
                    .into_iter()
                    .for_each(|e| self.expr(number, e)),
            }
        });
    }

    /// Looks at arguments; the first one has to hand a number on.
    fn args(
        &mut self,
        proc: usize,
        args: &[ExprId],
        handed: fn(&Self) -> &BTreeSet<(usize, LocalId)>,
    ) {
        let own = args.first().and_then(|&e| self.local(e));
        let hands_on = own.is_some_and(|l| handed(self).contains(&(proc, l)));
        if !hands_on {
            self.handed_on = false;
        }
        for &arg in &args[usize::from(hands_on)..] {
            self.expr(proc, arg);
        }
    }

    fn local(&self, e: ExprId) -> Option<LocalId> {
        match self.program.expr(e).kind {
            ExprKind::Local(local) => Some(local),
            _ => None,
        }
    }

    /// Whether an expression is the running thread's number.
    fn is_number(&self, proc: usize, e: ExprId) -> bool {
        let local = self.local(e);
        local.is_some_and(|l| self.numbers.contains(&(proc, l)))
    }

    /// Whether a statement counts the threads.
    fn counts(&self, stmt: &Stmt) -> bool {
        let to = walk::written(stmt);
        to.is_some_and(|to| to.root == Root::Global(self.counter) && to.path.is_empty())
    }

    /// Whether a statement cuts off threads beyond the last number.
    fn limits(&self, proc: usize, copies: &BTreeSet<(usize, LocalId)>, stmt: &Stmt) -> bool {
        let StmtKind::If(cond, within, beyond) = &stmt.kind else {
            return false;
        };
        let ExprKind::Binary(BinaryOp::Lt, number, most) = self.program.expr(*cond).kind else {
            return false;
        };
        let is_copy = self
            .local(number)
            .is_some_and(|l| copies.contains(&(proc, l)));
        let is_cut = matches!(&beyond[..], [only] if matches!(only.kind, StmtKind::Loop(_)));
        let is_known = matches!(self.program.expr(most).kind, ExprKind::Int(_));
        is_copy && is_known && within.is_empty() && is_cut
    }

    fn copied(&self, proc: usize, to: &Place, value: ExprId) -> bool {
        let counter = self.program.expr(value).kind == ExprKind::Global(self.counter);
        counter && matches!(to.root, Root::Local(l) if self.copies.contains(&(proc, l)))
    }

    fn gives_main_its_number(&self, proc: usize, to: &Place) -> bool {
        proc == self.program.main.index()
            && matches!(to.root, Root::Local(l) if self.numbers.contains(&(proc, l)))
    }

    /// Whether a statement fills an array with its first value, which is the same for all threads.
    fn fills(&mut self, stmt: &Stmt) -> bool {
        let StmtKind::Assign(to, value) = &stmt.kind else {
            return false;
        };
        let (Root::Global(global), true) = (to.root, to.path.is_empty()) else {
            return false;
        };
        let (ExprKind::Fill(one), Some(ty)) =
            (&self.program.expr(*value).kind, self.element(to.ty))
        else {
            return false;
        };
        if self.first.contains_key(&global) || !self.is_constant(*one) {
            self.shared.insert(global);
            return false;
        }
        self.first.insert(global, OfEach { ty, value: *one });
        true
    }

    fn element(&self, ty: TypeId) -> Option<TypeId> {
        match self.program.types.get(ty) {
            Type::Array(_, of) => Some(*of),
            _ => None,
        }
    }

    fn is_constant(&self, e: ExprId) -> bool {
        let expr = self.program.expr(e);
        let varies = matches!(
            expr.kind,
            ExprKind::Local(_) | ExprKind::Global(_) | ExprKind::SelfTask | ExprKind::Finished(_)
        );
        !varies && operands(expr).iter().all(|&e| self.is_constant(e))
    }

    fn place(&mut self, proc: usize, to: &Place) {
        let mut path = &to.path[..];
        if let Root::Global(global) = to.root {
            match path {
                [Step::Index(e), rest @ ..] if self.is_number(proc, *e) => {
                    self.indexed.insert(global);
                    path = rest;
                }
                _ => {
                    self.shared.insert(global);
                }
            }
        }
        for step in path {
            if let Step::Index(e) = step {
                self.expr(proc, *e);
            }
        }
    }

    fn expr(&mut self, proc: usize, e: ExprId) {
        let expr = self.program.expr(e);
        match expr.kind {
            ExprKind::Index(array, index)
                if let ExprKind::Global(global) = self.program.expr(array).kind
                    && self.is_number(proc, index) =>
            {
                self.indexed.insert(global);
            }
            ExprKind::Global(global) => {
                self.only_indices &= global != self.counter;
                self.shared.insert(global);
            }
            ExprKind::Local(local) => {
                let place = (proc, local);
                self.only_indices &=
                    !self.numbers.contains(&place) && !self.copies.contains(&place);
            }
            _ => operands(expr).iter().for_each(|&e| self.expr(proc, e)),
        }
    }
}
