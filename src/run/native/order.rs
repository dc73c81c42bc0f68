//! A schedule as what a program counts by itself: who runs, and for how many steps until another one does.

use super::lines::{Lines, Place};
use super::log::{Kind, Op, Record};
use super::model::Silent;
use super::process::Execution;
use super::search::{Bug, What};

/// A part of the order.
pub(super) struct Segment {
    /// The thread, by the order in which threads are created.
    pub thread: usize,
    /// Up to the end, if there are none.
    pub steps: u64,
    /// Before what the thread stops.
    pub before: Option<(Option<Place>, String)>,
}

pub(super) struct Order {
    pub segments: Vec<Segment>,
    /// What comes from outside.
    pub given: Vec<u64>,
    /// A thread wakes up without a signal.
    pub spurious: bool,
    /// The first of two accesses that race: of which thread, and which of its steps.
    pub first: Option<(usize, u64)>,
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
    /// The place of a thread, and the step in which it is.
    fn now(&self, slot: u8) -> (usize, u64) {
        let thread = self.threads.iter().position(|t| *t == slot).unwrap_or(0);
        (thread, self.counted[usize::from(slot & 63)].calls)
    }

    fn close(&mut self, slot: u8) {
        let counted = self.counted[usize::from(slot & 63)].clone();
        let before = counted.pending.as_ref().map(|op| {
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
        let steps = counted.calls - counted.told;
        self.counted[usize::from(slot & 63)].told = counted.calls;
        let thread = self.now(slot).0;
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
        What::Race(race) => Some((race.first, race.second)),
        What::Ending(_) => None,
    };
    let mut first = None;
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
                let is = |a: (usize, Silent)| a.0 + 1 == events && a.1.pc == 0;
                if race.is_some_and(|race| is(race.0)) {
                    first = Some(telling.now(*thread));
                }
                if race.is_some_and(|race| is(race.1)) {
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
                let is = |(step, a): (usize, Silent)| {
                    step + 1 == events && (a.cell, a.write, a.pc) == (*cell, *write, *pc)
                };
                if race.is_some_and(|race| is(race.0)) {
                    first = first.or(Some(telling.now(running)));
                }
                if race.is_some_and(|race| is(race.1)) {
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
        first,
    })
}
