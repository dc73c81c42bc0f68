//! A schedule that a program can count by itself: which thread runs, and for how many steps until another one runs.

use super::lines::{Lines, Place};
use super::log::{Kind, Op, Record, THREADS};
use super::model::Silent;
use super::process::Execution;
use super::search::{Bug, What};

/// A part of the order.
pub(super) struct Segment {
    /// The thread, by the order in which threads are created.
    pub thread: usize,
    /// How many steps the thread takes. With 0 it runs to the end.
    pub steps: u64,
    /// The place and the words of the operation before which the thread stops.
    pub before: Option<(Option<Place>, String)>,
}

#[derive(Default)]
pub(super) struct Order {
    pub segments: Vec<Segment>,
    /// The values that come from outside, in their order.
    pub given: Vec<u64>,
    /// A thread wakes up without a signal.
    pub spurious: bool,
    /// Where the first of two racing accesses is: the thread, and the number of its step.
    pub first: Option<(usize, u64)>,
}

/// The counts of a thread.
#[derive(Clone, Default)]
struct Counted {
    calls: u64,
    /// How many of these calls are in segments already.
    told: u64,
    pending: Option<Op>,
}

struct Telling<'a> {
    lines: &'a Lines,
    /// The two accesses that race, if that is the error.
    race: Option<[(usize, Silent); 2]>,
    threads: Vec<u8>,
    counted: Vec<Counted>,
    running: u8,
    events: usize,
    order: Order,
}

impl Telling<'_> {
    /// Returns the number of a thread, and the number of the step in which it is.
    fn now(&self, slot: u8) -> (usize, u64) {
        let thread = self.threads.iter().position(|t| *t == slot).unwrap_or(0);
        (thread, self.counted[usize::from(slot)].calls)
    }

    /// Ends the segment of the running thread.
    fn close(&mut self) {
        let slot = self.running;
        let counted = self.counted[usize::from(slot)].clone();
        let before = counted.pending.map(|op| {
            let mut addresses = vec![op.pc];
            addresses.extend(op.callers);
            let words = match op.kind {
                Kind::JOIN => {
                    let other = self.threads.iter().position(|t| u64::from(*t) == op.object);
                    format!("joins thread {}", other.unwrap_or(0))
                }
                kind if op.object == 0 || kind == Kind::EXIT => kind.words().to_owned(),
                kind => format!("{} {}", kind.words(), self.lines.name(op.object)),
            };
            (self.lines.place(&addresses), words)
        });
        self.counted[usize::from(slot)].told = counted.calls;
        let thread = self.now(slot).0;
        self.order.segments.push(Segment {
            thread,
            steps: counted.calls - counted.told,
            before,
        });
    }

    /// Checks whether an access of the running thread completes the race that is the error. Notes where the first access is.
    fn races(&mut self, is: impl Fn(&Silent) -> bool) -> bool {
        let Some(race) = self.race else { return false };
        let [first, second] = race.map(|(step, access)| step + 1 == self.events && is(&access));
        if first && self.order.first.is_none() {
            self.order.first = Some(self.now(self.running));
        }
        second
    }

    /// Takes the next record of the log. Returns whether it completes the race that is the error.
    fn tell(&mut self, record: &Record) -> bool {
        match record {
            Record::Event {
                thread,
                kind,
                value,
                ..
            } => {
                let op = self.counted[usize::from(*thread)].pending.take();
                let waits = op.is_some_and(|op| op.guard.len() == 1);
                self.order.spurious |= *kind == Kind::WAKE && *value != 0 && waits;
                if *thread != self.running {
                    self.close();
                    self.running = *thread;
                }
                self.events += 1;
                return self.races(|access| access.pc == 0);
            }
            Record::Access { cell, write, pc } => {
                return self.races(|a| (a.cell, a.write, a.pc) == (*cell, *write, *pc));
            }
            Record::Pending(thread, op) => {
                self.counted[usize::from(*thread)].pending = Some(op.clone());
            }
            Record::Spawn(thread) => self.threads.push(*thread),
            Record::Calls(thread, calls) => self.counted[usize::from(*thread)].calls = *calls,
            Record::Given(value) => self.order.given.push(*value),
            Record::Ended(_) | Record::Value(..) => {}
        }
        false
    }
}

/// The order of an execution up to its error.
pub(super) fn of(execution: &Execution, bug: &Bug, lines: &Lines) -> Result<Order, String> {
    let mut telling = Telling {
        lines,
        race: match &bug.what {
            What::Race(race) => Some([race.first, race.second]),
            What::Ending(_) => None,
        },
        threads: vec![0],
        counted: vec![Counted::default(); THREADS],
        running: 0,
        events: 0,
        order: Order::default(),
    };
    let _ = execution.log.iter().any(|record| telling.tell(record));
    telling.close();
    let mut order = telling.order;
    let alone = matches!(&bug.what, What::Ending(ending) if ending.needs_no_words());
    order.segments = joined(order.segments, alone);
    let last = order.segments.last_mut();
    let last = last.ok_or("the error comes before the first step")?;
    if alone {
        last.steps = 0;
        last.before = None;
    }
    Ok(order)
}

/// Leaves out segments without steps and joins those of one thread. Keeps the last one of a program that fails by itself.
fn joined(segments: Vec<Segment>, alone: bool) -> Vec<Segment> {
    let failing = segments.len() - 1;
    let mut joined: Vec<Segment> = Vec::new();
    for (index, segment) in segments.into_iter().enumerate() {
        let fails = alone && index == failing;
        match joined.last_mut() {
            _ if segment.steps == 0 && !fails => {}
            Some(last) if last.thread == segment.thread => {
                last.steps += segment.steps;
                last.before = segment.before;
            }
            _ => joined.push(segment),
        }
    }
    joined
}
