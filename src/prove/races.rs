//! Data races as clauses: no two tasks stand before accesses that race.
//!
//! The question is that of `explore --races` (`trace::race`): is there an execution in which nothing enforces the order of two
//! accesses to the same part, of which one writes and not both order tasks? These enforce an order: the order within a task, a
//! post, a join, and an access that orders tasks before a later one that conflicts with it.
//!
//! **Why it is enough to look at two tasks that stand before them.** Where races are looked for, tasks rest at more places
//! (`segment::stops`), which only adds executions: before each plain access that may race, and wherever something is read behind
//! what others may have read, or behind a post. So in each step all reads come before all that is passed on. What may race is the
//! first thing that the step does, or comes before anything that it passes on.
//! Take an execution with a race, and among its races the one whose second access comes first. Let A and B be the steps of its
//! accesses. Of the earlier steps keep those on which A or B depends: those before them in their tasks, those that made or ended
//! a task that is looked at, those that wrote what is read, and all on which these depend.
//! *A and B are not among them.* Otherwise a chain of steps leads from one to the other. Each reads what the one before wrote,
//! comes behind it in its task, was made by it or sees its end. In a step reads come first, so it is a chain of accesses, too. No
//! two of these race: that race would be earlier. So each link is enforced, and then the order of both accesses is.
//! *What is kept is an execution:* each task reads the same values, as the steps that wrote them are kept, in the same order. It
//! ends where both tasks stand before their accesses. Other tasks may decide which element an access is to, but such a name of an
//! element is not used here: names count only if they are made of the task's locals alone. Which of the accesses of a step are
//! made may depend on more, so all of them count.
//!
//! What no two tasks touch at once is left out ([`super::accesses`]).

use solver::z3::ast::{Ast, Bool, Dynamic};

use base::source::Span;
use ir::ErrorKind;

use super::accesses::{Access, Part};
use super::code::Pc;
use super::counted::Two;
use super::expr::{Env, Eval};
use super::system::{Builder, Head, Wrong};
use super::value::{int, same};

/// An access of a task that rests somewhere, and where it is made.
struct Coming<'t> {
    /// The number of the location.
    at: usize,
    /// The instruction that makes it.
    pc: Pc,
    access: &'t Access,
}

impl Builder<'_> {
    /// Adds clauses that exclude that two tasks race.
    pub(super) fn races(&mut self) {
        let tasks = self.tasks;
        let mut coming: Vec<Coming<'_>> = Vec::new();
        for (number, task) in tasks.all.iter().enumerate() {
            for &(from, pc) in &task.segments.racing {
                // Where the first task begins, there is no other task.
                if self.is_first(number, from) {
                    continue;
                }
                let at = self.location(number, from);
                let accesses = task.code.lines[pc].shares.races.iter();
                coming.extend(accesses.map(|access| Coming { at, pc, access }));
            }
        }
        for (i, a) in coming.iter().enumerate() {
            for b in &coming[i..] {
                let task = self.locations[a.at].task;
                let alone = task == self.locations[b.at].task && tasks.all[task].once;
                if !alone && a.access.may_race(b.access) {
                    self.race(a, b);
                }
            }
        }
    }

    fn race(&mut self, a: &Coming<'_>, b: &Coming<'_>) {
        let span = self.span(a).max(self.span(b));
        let head = Head::Wrong(Wrong {
            kind: ErrorKind::Race,
            span,
        });
        let (from, to) = (&self.locations[a.at].name, &self.locations[b.at].name);
        let says = format!("a race of {from} with {to}");
        let both = self.both_rest(a.at, b.at);
        for Two { body, known, envs } in self.two(a.at, b.at) {
            let [one, other] = &envs;
            let same = self.same_element((a, one), (b, other));
            let guard = [&both[..], &known, &same].concat();
            self.clause(body, guard, head.clone(), says.clone());
        }
    }

    fn span(&self, coming: &Coming<'_>) -> Span {
        self.tasks.all[self.locations[coming.at].task].code.lines[coming.pc].span
    }

    /// The condition that two tasks rest at the two locations.
    fn both_rest(&self, a: usize, b: usize) -> Vec<Bool> {
        let mut guard: Vec<Bool> = match a == b {
            true => self.at_least(a, 2).into_iter().collect(),
            false => [a, b]
                .iter()
                .filter_map(|&at| self.at_least(at, 1))
                .collect(),
        };
        guard.extend(self.is_busy(0));
        guard
    }

    /// When both accesses are to the same element, as far as locals say.
    fn same_element(
        &self,
        (a, one): (&Coming<'_>, &Env),
        (b, other): (&Coming<'_>, &Env),
    ) -> Vec<Bool> {
        let pairs = a.access.path.iter().zip(&b.access.path);
        let equal = pairs.filter_map(|(x, y)| {
            let (x, y) = (self.element(a, one, *x)?, self.element(b, other, *y)?);
            (x.get_sort() == y.get_sort()).then(|| same(&x, &y))
        });
        equal.collect()
    }

    /// The number of an element, if the task knows it where it rests.
    fn element(&self, coming: &Coming<'_>, env: &Env, part: Part) -> Option<Dynamic> {
        let location = &self.locations[coming.at];
        let code = &self.tasks.all[location.task].code;
        let e = match part {
            Part::At(number) => return Some(int(number)),
            Part::Named(e) if coming.pc == location.pc => e,
            Part::Named(_) | Part::Field(_) | Part::Any => return None,
        };
        let eval = Eval {
            program: self.program,
            code,
            env,
            frame: code.lines[coming.pc].frame,
            finished: &|_| Bool::from_bool(false),
            chosen: &|_| {},
            stays: None,
        };
        let row = eval.row(e).ok()?;
        row.into_iter().next()
    }
}
