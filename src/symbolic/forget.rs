//! Blanks variables that are never read again. No execution can tell the difference, and more states meet.

use std::rc::Rc;

use smallvec::SmallVec;

use ir::{GlobalId, LocalId};
use smt::term::Term;

use super::machine::Machine;
use super::state::{Outlook, State, Task};

impl<'p> Machine<'p> {
    /// Blanks the locals and globals that are never read again.
    pub fn forget(&mut self, state: &mut State<'p>) {
        for task in &mut state.tasks {
            if task.rest.is_none() {
                self.forget_locals(Rc::make_mut(task));
            }
        }
        self.forget_globals(state);
    }

    /// Blanks the globals that no pending task reads, nor one that is still to be posted, nor `finally`.
    fn forget_globals(&mut self, state: &mut State<'p>) {
        let blank = self.blank_globals();
        let leaves: SmallVec<[bool; 8]> = (0..state.tasks.len())
            .map(|position| self.leaves_loop(state, position))
            .collect();
        let Some(needed) = &self.needed else {
            return;
        };
        let rests = state.tasks.iter().zip(leaves).filter_map(|(task, leaves)| {
            let rest = task.rest.as_ref()?;
            let leaving = rest.leaving.as_deref().filter(|_| leaves);
            Some(leaving.unwrap_or(&rest.reads))
        });
        let rests: SmallVec<[&[bool]; 8]> = rests.collect();
        for (global, &last) in (0..).zip(&needed.last) {
            if last || rests.iter().any(|reads| reads[global as usize]) {
                continue;
            }
            let at = self.rows.global(GlobalId(global));
            if state.globals[at.clone()] != blank[at.clone()] {
                Rc::make_mut(&mut state.globals)[at.clone()].copy_from_slice(&blank[at]);
            }
        }
    }

    /// Whether a task comes to the test of a loop next and leaves the loop there, whatever the others do before: the test is
    /// false, and no other task writes what it reads.
    ///
    /// Then the task reads nothing of what the loop reads, except for the test. Take any way in which the execution goes on, up
    /// to where the task runs. Until then the task writes nothing, so its locals stay. A global changes only if a pending task
    /// writes it, or a task that a pending one posts, directly or through others. What all these may write is counted, and the
    /// test's globals are not among it. What is known of the values only grows. So the test is false when the task comes to it.
    /// There is no other way to the loop's body, step or `pre` from its inside: an outer loop that comes back to this one is a
    /// part of its own in what is left to do, and counts as a whole. So does what the task calls or posts later. A test that asks
    /// whether tasks have ended depends on more than globals and locals: for it, `Outlook::leaving` is `None`.
    fn leaves_loop(&mut self, state: &State<'p>, position: usize) -> bool {
        let task = &state.tasks[position];
        let less = task.rest.as_ref().is_some_and(|r| r.leaving.is_some());
        let (true, Some(l), Some(needed)) = (less, task.tests(), &self.needed) else {
            return false;
        };
        let mut others = (state.tasks.iter().enumerate()).filter(|(other, _)| *other != position);
        if others.any(|(_, other)| needed.disturbs(other, l.cond)) {
            return false;
        }
        let test = self.eval(state, task, false).truth(l.cond);
        matches!(test, Ok(Term::FALSE))
    }

    /// Blanks the locals that are not read again, and notes in the task what follows from where it rests.
    fn forget_locals(&mut self, task: &mut Task<'p>) {
        let mut control = Vec::new();
        self.control_key(task, &mut control);
        let rest = match self.rests.get(&control[..]) {
            Some(known) => known.clone(),
            None => {
                let rest = Rc::new(self.rest(task, control.clone()));
                self.rests.insert(control.into(), rest.clone());
                rest
            }
        };
        for (depth, at) in &rest.dead {
            let frame = &mut task.frames[*depth];
            let blank = self.blank_locals(frame.proc);
            frame.locals[at.clone()].copy_from_slice(&blank[at.clone()]);
        }
        task.rest = Some(rest);
    }

    /// The outlook from where a task rests.
    fn rest(&self, task: &Task<'p>, control: Vec<u32>) -> Outlook {
        let (mut dead, mut result) = (Vec::new(), None);
        let last = task.frames.len().wrapping_sub(1);
        for (depth, frame) in task.frames.iter().enumerate().rev() {
            let at = task.at.filter(|_| depth == last).map(|(at, _)| at);
            let live = self.lives.of(frame, at, result);
            result = frame.into;
            for (local, _) in (0..).zip(live).filter(|(_, live)| !live) {
                dead.push((depth, self.rows.local(frame.proc, LocalId(local))));
            }
        }
        let (mut reads, mut leaving) = Default::default();
        if let Some(needed) = &self.needed {
            reads = needed.of(task);
            // Whether a task has finished may change before the test.
            let stays = !self.numbered;
            leaving = needed.leaving(task).filter(|l| stays && *l != reads);
        }
        Outlook {
            control: control.into(),
            dead,
            reads,
            leaving,
        }
    }
}
