//! One visit to the dispatcher after another: the only way in which an execution is driven.
//!
//! The caller decides at each visit which task runs or is delayed. This file says which decisions are allowed.

use std::cell::Cell;
use std::convert::Infallible;

use base::source::Span;
use ir::ErrorKind;

use super::eval::NoValue;
use super::exec::{End, Env, Machine, Stop};
use super::queue::Queue;

/// How an execution fails: the kind of error, the message and the place.
pub type Failure = (ErrorKind, String, Option<Span>);

/// A schedule that cannot be followed.
pub fn refuse(reason: String) -> Stop {
    Stop::Refused(reason, Span::default())
}

impl<'p, E: Env> Machine<'p, E> {
    /// Visits the dispatcher: the tasks that the last segment gave take their places in the queue.
    pub fn visit(&mut self) {
        let ended = self.config.queue.settle();
        self.env.rounds_ended(u32::from(ended));
    }

    /// Runs a task that the scheduler would run next, up to its next visit.
    pub fn turn(&mut self, task: u32) -> Result<End, Stop> {
        self.take(task, "dispatches")?;
        if self.blocked(task)? {
            return Err(refuse(format!("task {task} is blocked when dispatched")));
        }
        self.dispatch(task)
    }

    /// Delays a task that the scheduler would run next. The maker of the schedule may not have known whether the task is blocked.
    /// If it is blocked, the scheduler only passes over it.
    pub fn put_off(&mut self, task: u32) -> Result<(), Stop> {
        if self.config.queue.next() == Some(task) && self.known_blocked(task) == Some(true) {
            let once = Cell::new(true);
            let rounds = self
                .config
                .queue
                .pass_over(|_| Ok::<_, Stop>(once.take()))?;
            self.env.rounds_ended(rounds);
            return Ok(());
        }
        self.take(task, "delays")?;
        self.config.queue.delay(task);
        let proc = self.proc_name(task);
        self.env.delayed(task, proc);
        Ok(())
    }

    /// Takes a task that the scheduler would run next.
    fn take(&mut self, task: u32, verb: &str) -> Result<(), Stop> {
        self.pass_over();
        let takable = self.config.queue.schedulable();
        if takable.contains(&task) {
            self.config.queue.take(task);
            return Ok(());
        }
        let why = if self.config.tasks.contains_key(&task) {
            let first = takable.first().copied().unwrap_or_default();
            let waits = takable.first().map(|&first| self.waiting(first));
            if let Some(Err((NoValue::TooLarge, ..))) = waits {
                self.blocked(first)?;
            }
            format!("but the scheduler would run task {first}")
        } else {
            "which is not pending".to_owned()
        };
        Err(refuse(format!("the schedule {verb} task {task}, {why}")))
    }

    /// Lets the scheduler pass over blocked tasks.
    pub fn pass_over(&mut self) {
        // Conditions look at the tasks, not at their order.
        let nothing = Queue::Bag(Vec::new());
        let mut queue = std::mem::replace(&mut self.config.queue, nothing);
        // A task of which this is not known stays next: the schedule delays it, or it runs and is refused.
        let blocked = |task| Ok::<_, Infallible>(self.known_blocked(task) == Some(true));
        let Ok(rounds) = queue.pass_over(blocked);
        self.config.queue = queue;
        self.env.rounds_ended(rounds);
    }

    /// The procedure that a pending task is in.
    pub fn proc_name(&self, task: u32) -> &'p str {
        let pending = self.config.tasks.get(&task);
        let proc = pending.and_then(|t| t.frames.last()).map(|f| f.proc);
        proc.map_or("", |p| &self.program.proc(p).name)
    }

    /// Returns the deadlock, if every pending task is blocked. A task whose condition depends on a value that was never chosen
    /// may go on: then there is none.
    ///
    /// # Errors
    /// When the answer depends on a number that is too large.
    pub fn deadlock(&self) -> Result<Option<Failure>, Stop> {
        if !self.program.scope.deadlocks {
            return Ok(None);
        }
        let mut too_large = None;
        for &task in self.config.tasks.keys() {
            match self.waiting(task) {
                Ok(true) => {}
                Err((NoValue::TooLarge, ..)) => too_large = Some(task),
                _ => return Ok(None),
            }
        }
        if let Some(task) = too_large {
            self.blocked(task)?;
        }
        let waits: Vec<String> = self.config.tasks.keys().map(|&t| self.waits(t)).collect();
        let places = self.config.tasks.values().filter_map(|t| t.at);
        let span = places.map(|(_, span)| span).min();
        let message = format!("every pending task is blocked: {}", waits.join("; "));
        Ok(Some((ErrorKind::Deadlock, message, span)))
    }
}
