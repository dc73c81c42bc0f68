//! Values in a segment: computed, stored, chosen, handed over to calls and posts.

use std::rc::Rc;

use base::source::Span;
use ir::{Dialect, ExprId, LocalId, Place, ProcId, Root, walk};
use smt::exec::{Leaves, Stop as NoTerm};
use smt::term::Term;

use machine::watch::Ordered;

use super::machine::Machine;
use super::races::Act;
use super::run::{End, Run, Stop, refused};
use super::state::{Frame, Task};

/// How deep calls may nest.
const DEPTH: usize = 100_000;

impl<'p> Machine<'p> {
    pub fn value(&mut self, run: &mut Run<'p>, e: ExprId, span: Span) -> Result<Leaves, Stop> {
        self.looked(run, e, span)?;
        self.reads(run, e, span)?;
        self.term(run, e, span)
    }

    pub fn term(&mut self, run: &Run<'p>, e: ExprId, span: Span) -> Result<Leaves, Stop> {
        let mut eval = self.eval(&run.state, &run.task, true);
        eval.eval(e).or_else(|stop| refused(words(stop), span))
    }

    pub fn havoc(&mut self, run: &mut Run<'p>, to: &'p Place, span: Span) -> Result<(), Stop> {
        let value = self.any(&mut run.state.next, to.ty);
        run.state.inputs += 1;
        self.set(run, to, &value, span)?;
        run.choices.push((to.ty, value));
        Ok(())
    }

    pub fn set(
        &mut self,
        run: &mut Run<'p>,
        to: &'p Place,
        value: &[Term],
        span: Span,
    ) -> Result<(), Stop> {
        let proc = run.top().proc;
        let ty = self.program.root_type(proc, to.root);
        for index in walk::indices(to) {
            self.looked(run, index, span)?;
            self.reads(run, index, span)?;
        }
        self.writes(run, to, span)?;
        let (at, row): (_, &[Term]) = match to.root {
            Root::Global(g) => (self.rows.global(g), &run.state.globals),
            Root::Local(l) => (self.rows.local(proc, l), &run.top().locals),
        };
        let mut leaves: Leaves = row[at.clone()].into();
        let mut eval = self.eval(&run.state, &run.task, true);
        let stored = eval.store(&mut leaves, ty, to, value);
        stored.or_else(|stop| refused(words(stop), span))?;
        self.note_writes(run, to);
        match to.root {
            Root::Global(_) => {
                run.touched = true;
                if run.state.globals[at.clone()] != leaves[..] {
                    Rc::make_mut(&mut run.state.globals)[at].copy_from_slice(&leaves);
                }
            }
            Root::Local(_) => run.top_mut().locals[at].copy_from_slice(&leaves),
        }
        Ok(())
    }

    pub fn ret(&mut self, run: &mut Run<'p>, e: Option<ExprId>, span: Span) -> Result<(), Stop> {
        let value = match e {
            Some(e) => Some(self.value(run, e, span)?),
            None => None,
        };
        let frame = run.task.frames.pop();
        if run.begins && run.task.frames.len() == 1 {
            (run.begins, run.touched) = (false, false);
        }
        if let (Some(value), Some(into)) = (value, frame.and_then(|f| f.into)) {
            self.set_local(run, into, &value);
        }
        Ok(())
    }

    fn set_local(&self, run: &mut Run<'p>, into: LocalId, value: &[Term]) {
        if let Some(frame) = run.task.frames.last_mut() {
            let at = self.rows.local(frame.proc, into);
            frame.locals[at].copy_from_slice(value);
        }
    }

    /// A fresh frame with arguments.
    fn frame(
        &mut self,
        run: &mut Run<'p>,
        proc: ProcId,
        args: &[ExprId],
        into: Option<LocalId>,
        span: Span,
    ) -> Result<Frame<'p>, Stop> {
        let mut locals = Vec::new();
        for &arg in args {
            locals.extend(self.value(run, arg, span)?);
        }
        locals.extend_from_slice(&self.blank_locals(proc)[locals.len()..]);
        Ok(Frame::new(self.program, proc, locals, into))
    }

    pub fn call(
        &mut self,
        run: &mut Run<'p>,
        into: Option<LocalId>,
        proc: ProcId,
        args: &[ExprId],
        span: Span,
    ) -> Result<(), Stop> {
        let frame = self.frame(run, proc, args, into, span)?;
        let again = run.task.frames.iter().filter(|f| f.proc == proc).count();
        if run.forks > 0 && run.given.is_none() && again > self.turns as usize {
            return Err(Stop::End(End::Cut(span)));
        }
        if run.task.frames.len() >= DEPTH {
            let name = &self.program.proc(proc).name;
            return refused(format!("`{name}` calls itself without end"), span);
        }
        Self::done(run);
        run.task.frames.push(frame);
        Ok(())
    }

    pub fn post(
        &mut self,
        run: &mut Run<'p>,
        into: Option<LocalId>,
        proc: ProcId,
        args: &[ExprId],
        span: Span,
    ) -> Result<(), Stop> {
        let frame = self.frame(run, proc, args, None, span)?;
        run.touched = true;
        // In C a thread begins when its handle has been stored: all of the step comes before it.
        if self.program.types.dialect != Dialect::C {
            run.ordered = Ordered::Before;
        }
        run.state.posted += 1;
        run.task.posts += 1;
        let number = run.state.posted;
        if self.orders.is_some() {
            run.acts.push(Act::Posts(number));
        }
        let descent: Vec<u32> = (run.task.descent.iter().copied())
            .chain([run.task.posts])
            .collect();
        let task = Task::posted(self.program, number, descent.into(), frame);
        run.state.tasks.push(Rc::new(task));
        if let Some(turn) = &mut run.state.turn {
            turn.queue.give(number, true, |_| false);
        }
        if let Some(into) = into {
            let handle = self.terms.int(number.into());
            self.set_local(run, into, &[handle]);
        }
        Ok(())
    }
}

fn words(stop: NoTerm) -> String {
    match stop {
        NoTerm::Unsupported(reason) => reason,
        NoTerm::Limit(_) => "a value is too large for this engine".to_owned(),
    }
}
