//! A schedule as what a program counts by itself: who runs, and for how many steps until another one does.

use super::lines::{Lines, Place};
use super::log::{Kind, Op, Record};
use super::process::Execution;
use super::search::{Bug, What};

/// A part of the order.
pub(super) struct Segment {
    /// The thread, by the order in which threads are created.
    pub thread: usize,
    /// Up to the end, if there are none.
    pub steps: u64,
    /// Before what the thread stops.
    pub before: Option<(Option<Place>, &'static str)>,
}

pub(super) struct Order {
    pub segments: Vec<Segment>,
    /// What comes from outside.
    pub given: Vec<u64>,
    /// A thread wakes up without a signal.
    pub spurious: bool,
}

/// What is known of a thread.
#[derive(Clone, Default)]
struct Counted {
    calls: u64,
    /// Of these, what is in segments.
    told: u64,
    pending: Option<Op>,
}

struct Telling<'a> {
    lines: &'a Lines,
    threads: Vec<u8>,
    counted: Vec<Counted>,
    segments: Vec<Segment>,
}

impl Telling<'_> {
    fn close(&mut self, slot: u8) {
        let counted = &mut self.counted[usize::from(slot & 63)];
        let before = counted.pending.as_ref().map(|op| {
            let mut addresses = vec![op.pc];
            addresses.extend(op.callers);
            (self.lines.place(&addresses), op.kind.words())
        });
        let steps = counted.calls - counted.told;
        counted.told = counted.calls;
        let thread = self.threads.iter().position(|t| *t == slot).unwrap_or(0);
        self.segments.push(Segment {
            thread,
            steps,
            before,
        });
    }
}

/// The order of an execution up to its error.
pub(super) fn of(execution: &Execution, bug: &Bug, lines: &Lines) -> Result<Order, String> {
    let mut telling = Telling {
        lines,
        threads: vec![0],
        counted: vec![Counted::default(); 64],
        segments: Vec::new(),
    };
    let (mut given, mut spurious) = (Vec::new(), false);
    let mut running = 0;
    let mut events = 0;
    let race = match &bug.what {
        What::Race(race) => Some(race.second),
        What::Ending(_) => None,
    };
    for record in &execution.log {
        let at = |slot: u8| usize::from(slot & 63);
        match record {
            Record::Event {
                thread,
                kind,
                value,
                ..
            } => {
                let op = telling.counted[at(*thread)].pending.take();
                let waits = op.is_some_and(|op| op.guard.len() == 1);
                spurious |= *kind == Kind::WAKE && *value != 0 && waits;
                if *thread != running {
                    telling.close(running);
                    running = *thread;
                }
                events += 1;
                if race.is_some_and(|(step, access)| step + 1 == events && access.pc == 0) {
                    break;
                }
            }
            Record::Pending(thread, op) => {
                telling.counted[at(*thread)].pending = Some(op.clone());
            }
            Record::Spawn(thread) => telling.threads.push(*thread),
            Record::Calls(thread, calls) => telling.counted[at(*thread)].calls = *calls,
            Record::Given(value) => given.push(*value),
            Record::Access { cell, write, pc } => {
                let is = |step: usize, a: super::model::Silent| {
                    step + 1 == events && (a.cell, a.write, a.pc) == (*cell, *write, *pc)
                };
                if race.is_some_and(|(step, access)| is(step, access)) {
                    break;
                }
            }
            Record::Ended(_) | Record::Value(..) => {}
        }
    }
    telling.close(running);
    let failing = telling.segments.len() - 1;
    let alone = matches!(&bug.what, What::Ending(ending) if ending.needs_no_words());
    let mut joined: Vec<Segment> = Vec::new();
    for (index, segment) in telling.segments.into_iter().enumerate() {
        let fails = alone && index == failing;
        match joined.last_mut() {
            // A thread that had its turn for no step of its own did nothing.
            _ if segment.steps == 0 && !fails => {}
            Some(last) if last.thread == segment.thread => {
                last.steps += segment.steps;
                last.before = segment.before;
            }
            _ => joined.push(segment),
        }
    }
    let last = joined
        .last_mut()
        .ok_or("the error comes before the first step")?;
    if alone {
        last.steps = 0;
        last.before = None;
    }
    Ok(Order {
        segments: joined,
        given,
        spurious,
    })
}
