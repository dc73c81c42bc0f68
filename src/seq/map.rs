//! The way back: from an execution of the sequential program to a schedule of the original one.
//!
//! What an engine saw ([`SeqEvent`]s, in the order of the sequential execution)
//! says how segments are nested, in which round each was dispatched, which
//! were skipped, and what the program chose in each. That is the tree of
//! segments; the scheduler, run on it, gives the order of dispatches and delays.

use base::source::Span;
use ir::{ChoiceKind, ProcId, Value};
use trace::{Decision, Schedule};

use super::context::Context;

/// An event that an engine saw in an execution of the sequential program.
#[derive(Clone, Debug, PartialEq)]
pub enum SeqEvent {
    /// A [`ir::StmtKind::Mark`] was executed.
    Mark {
        id: u32,
        /// The values of its expressions.
        values: Vec<Value>,
    },
    /// A [`ir::StmtKind::Havoc`] was executed.
    Choice {
        /// Whose choice it was.
        kind: ChoiceKind,
        value: Value,
    },
}

/// A statement of the original program, in a mark that says that it was reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reached {
    /// An assertion or another check.
    Check,
    /// An assumption, or the condition of an await.
    Assume,
    Post,
}

/// What a mark says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MarkKind {
    /// A task that begins with this procedure (of the original program) was posted. The values: the round in which it is
    /// dispatched, and whether it is skipped, because the execution stops before.
    Posted(ProcId),
    /// The running segment has ended, its rest is dispatched. The values are those of `Posted`.
    Resumed,
    /// The task that was posted last, among those that have not returned, returns.
    Returned,
    /// The running segment fails a check.
    Failed,
    /// All tasks have finished; what follows belongs to `finally`.
    Finally,
    /// A statement of the original program is about to be executed.
    Reached {
        what: Reached,
        span: Span,
    },
    /// Delays are paid for the segment that is dispatched next. The values: the first round that a delay makes it leave, and the
    /// number of delays. Only where tasks can wait; elsewhere every round that a segment leaves costs a delay.
    Delays,
    /// The task that waits here would have to be dispatched after the last round.
    Waits(Span),
    /// The execution neither fails nor deadlocks. The value: whether a task would have to be dispatched after the last round.
    Cut,
    Note(&'static str),
}

/// Where a global of the original program is found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FinalPlace {
    /// The variable of the sequential program that holds it at the end.
    pub global: ir::GlobalId,
    /// The field, if that variable is the record of globals.
    pub field: Option<u32>,
}

/// From executions of the sequential program to those of the original one.
#[derive(Clone, Debug)]
pub struct Map {
    /// What each mark says.
    pub marks: Vec<MarkKind>,
    /// What each procedure of the sequential program is for, in words; may be empty.
    pub docs: Vec<String>,
    /// What each global of the sequential program is for; may be empty.
    pub global_docs: Vec<String>,
    /// Where each global of the original program is found at the end of a complete execution. Handles of tasks are
    /// numbers there, given out in another order.
    pub finals: Vec<FinalPlace>,
    pub delays: u32,
    /// How many rounds there are.
    pub rounds: u32,
    /// Whether tasks can be blocked.
    pub waits: bool,
    /// Depth-first, children in reverse order.
    pub reverse: bool,
}

impl Map {
    pub(super) fn new(cx: &Context) -> Self {
        let place = |p: &ir::Place| {
            let ir::Root::Global(global) = p.root else {
                unreachable!("a global stays one")
            };
            let field = p.path.first().map(|step| match step {
                ir::Step::Field(field) => *field,
                ir::Step::Index(_) => unreachable!("a global is a field"),
            });
            FinalPlace { global, field }
        };
        Self {
            marks: cx.marks.clone(),
            docs: cx.docs.clone(),
            global_docs: cx.vars.docs.clone(),
            finals: cx.vars.places.iter().map(place).collect(),
            delays: cx.delays,
            rounds: cx.rounds,
            waits: cx.vars.waiting.is_some(),
            reverse: cx.reverse,
        }
    }

    /// The schedule of the original program that an execution of the sequential one stands for.
    ///
    /// # Errors
    /// When the events are not those of an execution that passed all assumptions.
    pub fn schedule(&self, events: &[SeqEvent]) -> Result<Schedule, String> {
        let mut tree = Tree::new();
        for event in events {
            tree.read(&self.marks, event)?;
        }
        Run {
            tree: &tree,
            reverse: self.reverse,
            waits: self.waits,
            ..Run::new(&tree)
        }
        .schedule()
    }
}

/// A child of a segment.
#[derive(Clone, Copy)]
struct Child {
    segment: usize,
    /// Whether it begins a new task; if not, it is the rest of the parent's task.
    posted: bool,
}

struct Segment {
    task: usize,
    round: u32,
    /// The rounds that it left because it was delayed.
    delays: Vec<u32>,
    skipped: bool,
    fails: bool,
    choices: Vec<Value>,
    /// In the order of posting; the rest of the task last.
    children: Vec<Child>,
}

/// The tree of segments.
struct Tree {
    segments: Vec<Segment>,
    tasks: usize,
    /// The running segment of each task that has not returned.
    running: Vec<usize>,
    /// The rounds that the segment to be dispatched next left because it was delayed.
    delays: Vec<u32>,
    /// The choices of `finally`.
    finally: Option<Vec<Value>>,
}

impl Tree {
    fn new() -> Self {
        let main = Segment {
            task: 0,
            round: 0,
            delays: Vec::new(),
            skipped: false,
            fails: false,
            choices: Vec::new(),
            children: Vec::new(),
        };
        Self {
            segments: vec![main],
            tasks: 1,
            running: vec![0],
            delays: Vec::new(),
            finally: None,
        }
    }

    fn read(&mut self, marks: &[MarkKind], event: &SeqEvent) -> Result<(), String> {
        match event {
            SeqEvent::Choice {
                kind: ChoiceKind::Guess | ChoiceKind::Probe,
                ..
            } => {}
            SeqEvent::Choice {
                kind: ChoiceKind::User | ChoiceKind::Memory,
                value,
            } => match &mut self.finally {
                Some(choices) => choices.push(value.clone()),
                None => self.current()?.choices.push(value.clone()),
            },
            SeqEvent::Mark { id, values } => {
                match marks.get(*id as usize).ok_or("an unknown mark")? {
                    MarkKind::Posted(_) => self.dispatched(values, true)?,
                    MarkKind::Resumed => self.dispatched(values, false)?,
                    MarkKind::Returned => drop(self.running.pop()),
                    MarkKind::Failed => self.current()?.fails = true,
                    MarkKind::Finally => self.finally = Some(Vec::new()),
                    MarkKind::Delays => {
                        let (from, paid) = (round(values.first())?, round(values.get(1))?);
                        self.delays.extend(from..from + paid);
                    }
                    MarkKind::Reached { .. } | MarkKind::Note(_) => {}
                    MarkKind::Waits(_) | MarkKind::Cut => {}
                }
            }
        }
        Ok(())
    }

    fn current(&mut self) -> Result<&mut Segment, String> {
        let current = *self
            .running
            .last()
            .ok_or("a task returned that had not been posted")?;
        Ok(&mut self.segments[current])
    }

    fn dispatched(&mut self, values: &[Value], posted: bool) -> Result<(), String> {
        let [_, Value::Bool(skipped)] = values else {
            return Err(format!("a dispatch in round and state {values:?}"));
        };
        let round = round(values.first())?;
        let delays = std::mem::take(&mut self.delays);
        let segment = self.segments.len();
        let parent = self.current()?;
        if round < parent.round {
            return Err("a segment is dispatched in a round before that of its parent".to_owned());
        }
        parent.children.push(Child { segment, posted });
        let mut task = parent.task;
        if posted {
            task = self.tasks;
            self.tasks += 1;
        } else {
            self.running.pop();
        }
        self.running.push(segment);
        self.segments.push(Segment {
            task,
            round,
            delays,
            skipped: *skipped,
            fails: false,
            choices: Vec::new(),
            children: Vec::new(),
        });
        Ok(())
    }
}

fn round(value: Option<&Value>) -> Result<u32, String> {
    let Some(Value::Int(round)) = value else {
        return Err(format!("{value:?} is no round"));
    };
    u32::try_from(*round).map_err(|_| "a round below zero".to_owned())
}

/// The scheduler (number 4 in the paper), run on the tree.
struct Run<'t> {
    tree: &'t Tree,
    reverse: bool,
    waits: bool,
    /// The number of each task in the order of posting, once it is posted.
    numbers: Vec<u32>,
    posted: u32,
    /// The paper's round stack; the next segment is the last.
    pending: Vec<usize>,
    /// The paper's delay stack.
    delayed: Vec<usize>,
    decisions: Vec<Decision>,
}

impl<'t> Run<'t> {
    fn new(tree: &'t Tree) -> Self {
        let mut numbers = vec![0; tree.tasks];
        numbers[0] = 1;
        Self {
            tree,
            reverse: false,
            waits: false,
            numbers,
            posted: 1,
            pending: Vec::new(),
            delayed: Vec::new(),
            decisions: Vec::new(),
        }
    }

    fn schedule(mut self) -> Result<Schedule, String> {
        let mut round = 0;
        let mut failed = self.segment(0);
        // Whether a task has run or was delayed in this round.
        let mut moved = true;
        while !failed {
            let Some(next) = self.pending.pop() else {
                // If all pending tasks were passed over, this is a deadlock.
                if self.delayed.is_empty() || !moved {
                    break;
                }
                // The first that was delayed is the first of the next round.
                self.pending.extend(self.delayed.drain(..).rev());
                round += 1;
                moved = false;
                continue;
            };
            let (segment, task) = (
                &self.tree.segments[next],
                self.numbers[self.tree.segments[next].task],
            );
            if segment.round > round {
                // A blocked task is passed over, which is no decision.
                if !self.waits || segment.delays.contains(&round) {
                    self.decisions.push(Decision::Delay(task));
                    moved = true;
                }
                self.delayed.push(next);
            } else if segment.skipped {
                return Err(format!("task {task} is skipped before the execution stops"));
            } else {
                self.decisions.push(Decision::Dispatch(task));
                moved = true;
                failed = self.segment(next);
            }
        }
        if let (false, Some(choices)) = (failed, &self.tree.finally) {
            self.choose(choices);
        }
        Ok(Schedule {
            decisions: self.decisions,
        })
    }

    /// Runs a segment; says whether it fails.
    fn segment(&mut self, id: usize) -> bool {
        let segment = &self.tree.segments[id];
        self.choose(&segment.choices);
        for child in segment.children.iter().filter(|c| c.posted) {
            self.posted += 1;
            self.numbers[self.tree.segments[child.segment].task] = self.posted;
        }
        let children = segment.children.iter().map(|c| c.segment);
        if self.reverse {
            self.pending.extend(children);
        } else {
            self.pending.extend(children.rev());
        }
        segment.fails
    }

    fn choose(&mut self, choices: &[Value]) {
        self.decisions
            .extend(choices.iter().cloned().map(Decision::Choose));
    }
}
