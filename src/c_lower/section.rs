//! Atomic sections: the statements between their begin and their end are one step.
//!
//! A section begins and ends in one block. A branch within it may end it early, if the branch never comes to the end below.
//! The statements behind such an early end run when the step is over.
//!
//! A program with a section of another form is lowered again, with [sections](ir::passes::points::exclusive) of several steps.

use super::jump::leaves;
use super::{Lowered, Lowerer, refuse};
use base::source::Span;
use c::typed::{Callee, ExprKind as C, StmtId, StmtKind as S};
use ir::edit::Editor;
use ir::lower::Lower;
use ir::passes::points::exclusive::Section;
use ir::{ErrorKind, ExprKind, LocalId, LoopId, Order, Program, StmtKind, Types};

/// The functions that begin an atomic section. `ENDS` are those that end one.
pub(super) const BEGINS: [&str; 3] = [
    "__VERIFIER_atomic_begin",
    "__ESBMC_atomic_begin",
    "__CPROVER_atomic_begin",
];
pub(super) const ENDS: [&str; 3] = [
    "__VERIFIER_atomic_end",
    "__ESBMC_atomic_end",
    "__CPROVER_atomic_end",
];
/// Functions that never return.
const LAST: [&str; 4] = ["abort", "exit", "_exit", "pthread_exit"];

/// The section that is being lowered.
#[derive(Debug)]
pub(super) struct OneStep {
    /// The loop that an early end leaves.
    id: LoopId,
    /// For each early end: the local that says that it happened, and the statements that run then.
    early: Vec<(LocalId, Vec<StmtId>)>,
}

impl Lowerer<'_> {
    pub(super) fn straight(&mut self, statements: &[StmtId]) -> Lowered<()> {
        let mut rest = statements;
        while let Some((&first, after)) = rest.split_first() {
            rest = after;
            if self.exclusive.is_none() && self.calls_named(first, &BEGINS) {
                let end = after.iter().position(|&s| self.calls_named(s, &ENDS));
                let Some(end) = end else {
                    let span = self.unit[first].span;
                    return self
                        .in_turn(span, "an atomic section that does not end in its block is");
                };
                let done = self.section(first, &after[..end]);
                self.go_on(done)?;
                rest = &after[end + 1..];
            } else if self.calls_named(first, &ENDS) && self.ends_early(after) {
                return Ok(());
            } else {
                let span = self.body.span;
                let done = self.statement(first);
                self.body.span = span;
                self.go_on(done)?;
                if after.first().is_some_and(|&next| self.fills(first, next)) {
                    rest = &after[1..];
                }
            }
        }
        Ok(())
    }

    /// `__VERIFIER_atomic_begin(); … __VERIFIER_atomic_end();`
    fn section(&mut self, first: StmtId, statements: &[StmtId]) -> Lowered<()> {
        let span = self.unit[first].span;
        if self.body.atomic {
            return self.in_turn(span, "an atomic section within another is");
        }
        let targets = std::mem::take(&mut self.body.targets);
        let id = self.new_loop();
        let early = Vec::new();
        self.body.section = Some(OneStep { id, early });
        let step = self.at(span, |l| {
            l.apart(|l| l.in_order(Order::Foreign, |l| l.within(id, statements)))
        });
        let section = self.body.section.take();
        self.body.targets = targets;
        let (mut step, ()) = step?;
        let early = section.map_or_else(Vec::new, |s| s.early);
        for (ended, _) in &early {
            let place = self.local_place(*ended);
            self.set(&place, 0);
        }
        self.body.block.append(&mut step);
        for (ended, after) in early {
            let ended = self.read_local(ended);
            self.when(ended, |l| l.sequence(&after))?;
        }
        Ok(())
    }

    fn within(&mut self, id: LoopId, statements: &[StmtId]) -> Lowered<()> {
        let (mut block, ()) = self.apart(|l| l.sequence(statements))?;
        if leaves(&block, id) {
            self.once(id, &mut block);
        } else {
            self.body.block.append(&mut block);
        }
        Ok(())
    }

    /// Ends the section in a branch, if the statements behind never come to the end below. Returns whether it did.
    fn ends_early(&mut self, after: &[StmtId]) -> bool {
        let last = after.last().is_some_and(|&last| {
            matches!(self.unit[last].kind, S::Return(_) | S::Goto(_))
                || self.calls_named(last, &LAST)
        });
        if !last || self.body.section.is_none() {
            return false;
        }
        let ended = self.local("ended", Types::BOOL, true);
        let place = self.local_place(ended);
        self.set(&place, 1);
        let Some(section) = &mut self.body.section else {
            return false;
        };
        section.early.push((ended, after.to_vec()));
        let id = section.id;
        self.emit(StmtKind::Break(id));
        true
    }

    /// By statement of a block: whether it stands in a section that begins and ends in the block.
    pub(super) fn in_sections(&self, statements: &[StmtId]) -> Vec<bool> {
        if self.exclusive.is_some() {
            return vec![false; statements.len()];
        }
        let mut inside = false;
        let within = |&s: &StmtId| {
            if self.calls_named(s, &BEGINS) {
                inside = true;
            } else if self.calls_named(s, &ENDS) {
                inside = false;
            }
            inside
        };
        let mut within: Vec<bool> = statements.iter().map(within).collect();
        if inside {
            within.fill(false);
        }
        within
    }

    /// Refuses a form that a single step cannot have. Notes that the program needs sections that are no single steps.
    pub(super) fn in_turn<T>(&mut self, span: Span, what: &str) -> Lowered<T> {
        self.wants_exclusive.get_or_insert(span);
        refuse(span, what)
    }

    /// Lets sections be more than single steps.
    pub(super) fn with_exclusive_sections(&mut self, at: Span) {
        let none = self.build.add(ExprKind::NoTask, Types::TASK);
        let holder = self.made_global("section.", Types::TASK, none, true);
        let depth = self.hidden_global("sections.", Types::INT);
        self.exclusive = Some(Section { holder, depth });
        let scope = &mut self.build.program.scope;
        scope.exclusive = Some(at);
        if self.options.wanted.has(ErrorKind::Race) {
            let what = "data races are not looked for: this atomic section waits, or is no block";
            scope.unsaid.push((at, what.to_owned()));
        }
    }

    /// Begins an atomic section that is no single step, or ends one.
    pub(super) fn begins_or_ends(&mut self, section: Section, begins: bool) {
        let program = std::mem::replace(&mut self.build.program, Program::empty());
        let span = self.body.span;
        let mut edit = Editor { program, span };
        let block = match begins {
            true => section.begin(&mut edit),
            false => section.end(&mut edit),
        };
        self.build.program = edit.program;
        self.emit(StmtKind::Atomic(Order::Foreign, block));
    }

    fn calls_named(&self, id: StmtId, names: &[&str]) -> bool {
        let S::Expr(e) = self.unit[id].kind else {
            return false;
        };
        let C::Call(Callee::Direct(function), _) = self.unit[e].kind else {
            return false;
        };
        names.contains(&self.unit.name(self.unit[function].name))
    }
}
