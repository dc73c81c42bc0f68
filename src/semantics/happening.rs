//! Happenings: the steps of a trace, as data. `report` has the words.
//!
//! Pieces of the program (a variable, a condition, a value) are texts in the program's own language. They are written when the
//! step is recorded, because their meaning may be gone when the trace is shown.

use ir::PreemptKind;

/// What happens in a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Happening {
    /// A variable or a part of one gets the value of an expression.
    Assigned {
        place: String,
        value: String,
        /// The variable with its value, if the assignment has not changed the value.
        same: Option<Change>,
    },
    /// A part of a global is read, in a step of its own.
    Read {
        what: String,
        value: String,
        /// The stores of the task that have not reached memory yet.
        waiting: Vec<String>,
    },
    /// Like `Read`, with an older value: the variable has the value `now` already.
    Older {
        what: String,
        value: String,
        now: String,
    },
    /// A store takes its place before stores that exist already, so the variable has the value `now` after it.
    Behind {
        place: String,
        value: String,
        now: String,
    },
    /// A store goes into the buffer of the task.
    Stays {
        store: String,
    },
    /// A store leaves the buffer of the task.
    Reaches {
        store: String,
        /// The line of the store in the source.
        line: Option<u32>,
    },
    /// Memory is given back.
    Freed {
        object: String,
    },
    /// A value is chosen.
    Chosen {
        /// The variable; `None` if the user did not write it.
        place: Option<String>,
        value: String,
    },
    /// A condition of a branch, a loop or an assumption is tested.
    Tested {
        condition: String,
        holds: bool,
    },
    Passed {
        condition: String,
    },
    Failed {
        /// The condition of the check; what is wrong, if the program does not contain that condition.
        what: String,
    },
    /// A procedure is called.
    Called {
        /// With its arguments: `p(1, true)`
        call: String,
    },
    /// A local gets the result of a call.
    Returned {
        value: String,
    },
    /// A local gets the handle of the task that was posted.
    Got {
        value: String,
    },
    /// A task is posted.
    Posted {
        task: u32,
        proc: String,
        /// The procedure with its arguments.
        call: String,
        /// In C, the function that makes the thread.
        maker: &'static str,
        /// Whether the scheduler has kept it.
        kept: bool,
    },
    /// The task lets others run.
    Yielded(PreemptKind),
    /// The task passes an `await`.
    Awaited {
        condition: String,
    },
    /// The task has waited for another to finish.
    Joined {
        /// Which, in the words of the program.
        task: String,
    },
    /// An operation of an object is done.
    Operated {
        /// The operation with its object: `m.lock`
        operation: String,
        /// Whether it is the part that joins the queue.
        enqueue: bool,
    },
    /// The dispatcher spends a delay on the task.
    Delayed,
    /// Nothing happens: a title for the steps that follow.
    Title(Title),
    /// One of two accesses that nothing orders.
    Raced {
        what: String,
        /// Whether it is written, or, if `frees` is set, freed.
        write: bool,
        frees: bool,
        /// The objects that the task holds.
        held: Vec<String>,
    },
    /// What an engine shows about a claim of objects, in the engine's words.
    Shown {
        text: String,
        /// Whether this step shows what is wrong.
        fails: bool,
    },
}

/// The title above a part of a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Title {
    Forever,
    /// Many steps of one task are left out.
    Later,
    /// The first of two executions that are compared.
    InOneOrder,
    /// The second of them.
    InAnotherOrder,
    /// The second of two orders of two operations.
    InTheOtherOrder,
    /// A state in which two operations exclude each other, or should.
    BothEnabled,
}

/// A variable or a part of one whose value changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The procedure, if the variable is a local.
    pub proc: Option<String>,
    /// Its name: `x`, `a[2]`, `req.done`
    pub name: String,
    pub value: String,
    /// The value as a number. `None` if it is none, if it is an address, or if the program has no such name for the variable.
    pub number: Option<i128>,
    /// In C: the whole text, if the variable is one of its characters.
    pub text: Option<Text>,
}

/// An array of characters. Some of them have changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    pub name: String,
    /// Its characters up to the end, in quotes; `None` if it has no end, or is no plain text.
    pub value: Option<String>,
}

impl Change {
    /// The variable's name, valid everywhere: `proc.name` for a local.
    #[must_use]
    pub fn full_name(&self) -> String {
        self.full(&self.name)
    }

    /// Its name inside a procedure.
    #[must_use]
    pub fn name_in(&self, proc: &str) -> String {
        if self.proc.as_deref() == Some(proc) {
            return self.name.clone();
        }
        self.full_name()
    }

    /// Like `full_name`, for another name of the same procedure.
    fn full(&self, name: &str) -> String {
        match &self.proc {
            Some(proc) => format!("{proc}.{name}"),
            None => name.to_owned(),
        }
    }

    /// Writes changes as `x = 1`, with names as inside a procedure, or everywhere. Changed characters give the whole text.
    #[must_use]
    pub fn told(changes: &[&Self], proc: Option<&str>) -> Vec<String> {
        let mut told: Vec<String> = Vec::new();
        for change in changes {
            let text = change.text.as_ref();
            let text = text.and_then(|t| Some((&t.name, t.value.as_ref()?)));
            let (name, value) = text.unwrap_or((&change.name, &change.value));
            let inside = proc.is_some() && change.proc.as_deref() == proc;
            let name = if inside {
                name.clone()
            } else {
                change.full(name)
            };
            let line = format!("{name} = {value}");
            if text.is_none() || !told.contains(&line) {
                told.push(line);
            }
        }
        told
    }

    /// Copies this change's text into all changes of the same text.
    pub fn note_text(&self, changes: &mut [Self]) {
        let Some(text) = &self.text else { return };
        for change in changes.iter_mut().filter(|c| c.proc == self.proc) {
            if let Some(own) = change.text.as_mut().filter(|own| own.name == text.name) {
                own.value.clone_from(&text.value);
            }
        }
    }
}

/// How a segment ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// The task is done.
    Finished,
    /// At a `yield` or `sleep`.
    Yielded,
    /// At an implicit preemption point.
    Interrupted,
    /// At an `await`, a `join` or an operation.
    Waits {
        /// The operation that comes next, or that the task waits for.
        what: String,
        /// Whether it has to wait, as things stand.
        blocked: bool,
    },
    /// With a check that fails.
    Failed,
    /// What follows is not shown.
    Cut,
}

/// The kind of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StepKind {
    Does,
    Posts,
    /// `yield` or `sleep`.
    Yields,
    /// A check that fails.
    Fails,
    /// The dispatcher spends a delay on the task.
    Delayed,
    /// Words about what follows.
    Title,
}

impl Happening {
    /// The kind of the line that it makes.
    #[must_use]
    pub fn kind(&self) -> StepKind {
        match self {
            Self::Posted { kept: true, .. } => StepKind::Posts,
            Self::Yielded(_) => StepKind::Yields,
            Self::Failed { .. } | Self::Raced { .. } | Self::Shown { fails: true, .. } => {
                StepKind::Fails
            }
            Self::Delayed => StepKind::Delayed,
            Self::Title(_) => StepKind::Title,
            _ => StepKind::Does,
        }
    }
}
