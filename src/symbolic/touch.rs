//! What an expression or an assignment touches of the shared state, in the cells of the reduction.
//!
//! A leaf of a global is a cell. Where an index is open, the whole array is touched. Parts of an expression that may be left out
//! count as read. Cells that are not really touched do no harm: fewer segments commute then.

use std::ops::Range;

use explore::dpor::Cell;
use ir::{ExprId, ExprKind, Place, Root, Step, StmtKind, TypeId, walk};
use smt::expr::Eval;
use smt::layout::Elements;

use super::machine::Machine;
use super::mutants::Mutant;
use super::state::{State, Task, View};

/// A part of the globals: its leaves, and its type, if no open index leaves that unknown.
type Part = (Range<usize>, Option<TypeId>);

pub(super) struct Look<'a, 'p> {
    pub machine: &'a mut Machine<'p>,
    /// The globals and the pending tasks.
    pub state: &'a State<'p>,
    pub task: &'a Task<'p>,
    /// Whether the cells must be right whatever the globals hold.
    pub lasting: bool,
    pub cells: Vec<Cell>,
}

impl Look<'_, '_> {
    /// Adds the cells of the condition that the task waits for.
    pub fn guard(&mut self) {
        let Some((at, _)) = self.task.at else { return };
        if Mutant::GuardsAreNotRead.is_on() {
            return;
        }
        for check in &at.checks {
            if let StmtKind::Check(_, cond, _) = check.kind {
                self.read(cond);
            }
        }
        self.read(at.cond);
    }

    /// Adds the cells that are read to compute an expression.
    pub fn read(&mut self, e: ExprId) {
        if Mutant::ReadsAreNotTouched.is_on() {
            return;
        }
        let program = self.machine.program;
        if let Some((leaves, _)) = self.part(e) {
            self.touch(leaves);
        }
        match program.expr(e).kind {
            ExprKind::Global(_) => {}
            ExprKind::Finished(task) => {
                self.read(task);
                self.finished(task);
            }
            // The global has been touched above; the indices have not.
            ExprKind::Index(base, index) => {
                self.read_indices(base);
                self.read(index);
            }
            ExprKind::Field(base, _) => self.read_indices(base),
            _ => {
                for part in walk::operands(program.expr(e)) {
                    self.read(part);
                }
            }
        }
    }

    /// Adds what the indices of a part of a global read; or, for another expression, all that it reads.
    fn read_indices(&mut self, e: ExprId) {
        match self.machine.program.expr(e).kind {
            ExprKind::Global(_) => {}
            ExprKind::Index(base, index) => {
                self.read_indices(base);
                self.read(index);
            }
            ExprKind::Field(base, _) => self.read_indices(base),
            _ => self.read(e),
        }
    }

    fn touch(&mut self, leaves: Range<usize>) {
        self.cells
            .extend(leaves.map(|leaf| Cell::Memory(leaf as u64)));
    }

    /// Adds the cells that tell whether a task has finished.
    fn finished(&mut self, task: ExprId) {
        match self.number(task) {
            Some(0) => {}
            Some(number) if !self.is_moved(task) => {
                let number = u32::try_from(number - 1).unwrap_or(0);
                self.cells.push(Cell::Finished(number));
            }
            _ => self
                .cells
                .extend((0..self.state.posted).map(Cell::Finished)),
        }
    }

    /// Whether an expression may have another value when the cells are used.
    fn is_moved(&self, e: ExprId) -> bool {
        self.lasting && self.machine.looks.may(e)
    }

    /// Returns the leaves that an expression stands for, if it is a part of a global.
    fn part(&mut self, e: ExprId) -> Option<Part> {
        match self.machine.program.expr(e).kind {
            ExprKind::Global(global) => {
                let ty = self.machine.program.globals[global.index()].ty;
                Some((self.machine.rows.global(global), Some(ty)))
            }
            ExprKind::Field(base, field) => {
                let part = self.part(base)?;
                Some(self.field(part, field))
            }
            ExprKind::Index(base, index) => {
                let part = self.part(base)?;
                Some(self.element(part, index))
            }
            _ => None,
        }
    }

    fn field(&self, (leaves, ty): Part, field: u32) -> Part {
        let Some(ty) = ty else { return (leaves, None) };
        let (first, ty) = self.machine.layouts.field(ty, field);
        let first = leaves.start + first;
        (first..first + self.machine.layouts.len(ty), Some(ty))
    }

    fn element(&mut self, (leaves, ty): Part, index: ExprId) -> Part {
        let Some(ty) = ty else { return (leaves, None) };
        let (elements, element) = self.machine.layouts.elements(ty);
        let Elements::Spread { first, len } = elements else {
            return (leaves, Some(element));
        };
        let number = self.number(index).filter(|_| !self.is_moved(index));
        let place = number.and_then(|n| usize::try_from(n - first).ok());
        match place.filter(|&place| place < len) {
            Some(place) => {
                let width = self.machine.layouts.len(element);
                let first = leaves.start + place * width;
                (first..first + width, Some(element))
            }
            None if Mutant::OpenIndicesAreFirst.is_on() => (leaves.start..leaves.start + 1, None),
            None => (leaves, None),
        }
    }

    /// Returns the value of an expression as a number, if it is known.
    fn number(&mut self, e: ExprId) -> Option<i128> {
        let mut eval = Eval {
            program: self.machine.program,
            layouts: &self.machine.layouts,
            terms: &mut self.machine.terms,
            scope: View {
                rows: &self.machine.rows,
                state: self.state,
                frame: self.task.top(),
                me: self.task.number,
                running: 0,
                knows: self.machine.knows,
            },
        };
        let term = eval.eval(e).ok()?[0];
        let terms = &self.machine.terms;
        terms
            .as_const(term)
            .or_else(|| term.known().map(i128::from))
    }

    /// Adds the leaves that an assignment writes.
    pub fn write(&mut self, to: &Place) {
        let Root::Global(global) = to.root else {
            return;
        };
        let ty = self.machine.program.globals[global.index()].ty;
        let mut part = (self.machine.rows.global(global), Some(ty));
        for step in &to.path {
            part = match *step {
                Step::Field(field) => self.field(part, field),
                Step::Index(index) => self.element(part, index),
            };
        }
        self.touch(part.0);
    }
}
