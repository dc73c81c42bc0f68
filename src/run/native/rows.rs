//! A trace as rows: what each thread does, with its place, as data and in words.

use super::lines::Place;
use super::log::{Ending, Kind, Op, THREADS};
use super::model::{Next, steps};
use super::process::Execution;
use super::races::Race;
use super::search::{Bug, What};
use super::verdict::Report;

/// One row of a trace.
pub(super) struct Row {
    pub thread: usize,
    pub place: Option<Place>,
    pub text: String,
    pub told: Told,
}

/// What a row tells, as data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Told {
    Creates(usize),
    Joins(usize),
    /// Memory holds this value now. The thread has seen it or left it there.
    Holds {
        name: String,
        value: u64,
        write: bool,
    },
    /// One of two accesses that race.
    Races {
        name: String,
        write: bool,
    },
    /// It waits for ever: for the end of a thread, for a mutex, or for something else.
    WaitsFor {
        what: String,
        joins: Option<usize>,
        mutex: Option<u64>,
    },
    /// It polls for ever.
    Polls,
    Locks(u64),
    Unlocks(u64),
    /// It gives a lock back or takes it again while it waits for a condition.
    Waits,
    Ends,
    Other,
}

/// Where the thread of the last row has locked a lock that it still holds.
pub(super) fn still_locked(rows: &[Row]) -> Option<Place> {
    let thread = rows.last()?.thread;
    let own: Vec<&Row> = rows.iter().filter(|row| row.thread == thread).collect();
    let holds = |(at, row): &(usize, &&Row)| match row.told {
        Told::Locks(mutex) => own[*at..].iter().all(|r| r.told != Told::Unlocks(mutex)),
        _ => false,
    };
    let (_, row) = own.iter().enumerate().rfind(holds)?;
    row.place.clone()
}

/// The name of a thread.
pub(super) fn thread(number: usize) -> String {
    match number {
        0 => "main".to_owned(),
        n => format!("thread {n}"),
    }
}

/// The threads so far, by their slots, and what each is about to do.
struct Threads {
    slots: Vec<u8>,
    pending: Vec<Option<Op>>,
}

impl Threads {
    fn number(&self, slot: u8) -> Option<usize> {
        self.slots.iter().position(|s| *s == slot)
    }

    /// The thread that an operation joins.
    fn joined(&self, op: &Op) -> Option<usize> {
        let slot = u8::try_from(op.object).ok();
        slot.filter(|_| op.kind == Kind::JOIN)
            .and_then(|slot| self.number(slot))
    }
}

impl Report<'_> {
    /// The rows of a bug's schedule, and the number of its threads.
    pub(super) fn rows(&self, bug: &Bug, execution: &Execution) -> (Vec<Row>, usize) {
        let mut threads = Threads {
            slots: vec![0],
            pending: vec![None; THREADS],
        };
        let mut rows = Vec::new();
        let all = steps(execution);
        for (index, (slot, next)) in all.iter().take(bug.schedule.len()).enumerate() {
            let op = threads.pending[usize::from(*slot)].take();
            threads.slots.extend(&next.spawned);
            let number = threads.number(*slot).unwrap_or(0);
            if let Some(op) = op {
                let mut row = self.row(number, &op);
                (row.text, row.told) = self.step(&op, next, &threads);
                rows.push(row);
            }
            if let What::Race(race) = &bug.what {
                rows.extend(self.racing(race, index, number));
            }
            threads.pending[usize::from(*slot)] = next.pending.as_deref().cloned();
        }
        if matches!(bug.what, What::Ending(Ending::Deadlock | Ending::Livelock)) {
            for (number, slot) in threads.slots.iter().enumerate() {
                if let Some(op) = &threads.pending[usize::from(*slot)] {
                    rows.push(self.stuck(number, op, &threads));
                }
            }
        }
        (rows, threads.slots.len())
    }

    fn row(&self, thread: usize, op: &Op) -> Row {
        let mut addresses = vec![op.pc];
        addresses.extend(op.callers);
        Row {
            thread,
            place: self.lines.place(&addresses),
            text: String::new(),
            told: Told::Other,
        }
    }

    /// Makes rows for the accesses of a race that follow a step and are no steps themselves.
    fn racing(&self, race: &Race, index: usize, thread: usize) -> Vec<Row> {
        let name = self.lines.name(race.place & 0xff_ffff_ffff_ffff);
        let here = [&race.first, &race.second].into_iter();
        let here = here.filter(|(step, access)| *step == index && access.pc != 0);
        let row = |(_, access): &(usize, super::model::Silent)| Row {
            thread,
            place: self.lines.place(&[access.pc]),
            text: match access.write {
                true => format!("writes {name}"),
                false => format!("reads {name}"),
            },
            told: Told::Races {
                name: name.clone(),
                write: access.write,
            },
        };
        here.map(row).collect()
    }

    /// Makes the row of a thread that cannot go on.
    fn stuck(&self, number: usize, op: &Op, threads: &Threads) -> Row {
        let mut row = self.row(number, op);
        let object = self.object(op, threads);
        let words = self.words(op, threads);
        if op.polls.is_empty() {
            let of = threads.joined(op);
            let what = match of {
                Some(of) => thread(of),
                None if object.is_empty() => words.clone(),
                None => object,
            };
            row.told = Told::WaitsFor {
                what,
                joins: of,
                mutex: (op.kind == Kind::LOCK).then_some(op.object),
            };
            row.text = format!("waits: {words}");
        } else {
            row.told = Told::Polls;
            row.text = format!("polls: {words}");
        }
        row
    }

    fn object(&self, op: &Op, threads: &Threads) -> String {
        match op.object {
            _ if op.kind == Kind::JOIN => threads
                .joined(op)
                .map_or_else(String::new, |n| n.to_string()),
            0 => String::new(),
            _ if op.kind == Kind::EXIT => String::new(),
            address => self.lines.name(address),
        }
    }

    /// An operation and its object.
    fn words(&self, op: &Op, threads: &Threads) -> String {
        let words = format!("{} {}", op.kind.words(), self.object(op, threads));
        words.trim_end().to_owned()
    }

    /// What a step does, in words and as data.
    fn step(&self, op: &Op, next: &Next, threads: &Threads) -> (String, Told) {
        let words = self.words(op, threads);
        let told = match op.kind {
            Kind::CREATE => {
                let number = threads.slots.len() - 1;
                return (format!("{words} {number}"), Told::Creates(number));
            }
            Kind::EXIT => {
                return (format!("{words} with status {}", next.value), Told::Other);
            }
            kind if kind.is_memory() => {
                let plain = kind == Kind::WRITE;
                let Some(value) = (if plain {
                    next.written
                } else {
                    Some(next.value)
                }) else {
                    return (words, Told::Other);
                };
                let told = Told::Holds {
                    name: self.object(op, threads),
                    value,
                    write: kind != Kind::READ && kind != Kind::LOAD,
                };
                return (format!("{words}: {value}"), told);
            }
            Kind::JOIN => threads.joined(op).map_or(Told::Other, Told::Joins),
            Kind::LOCK => Told::Locks(op.object),
            Kind::UNLOCK => Told::Unlocks(op.object),
            Kind::WAKE if next.value != 0 => return (format!("{words}, timed out"), Told::Waits),
            Kind::FUTEX_WOKEN if next.value == 0 => {
                return (format!("{words}, timed out"), Told::Other);
            }
            Kind::WAIT | Kind::WAKE => Told::Waits,
            Kind::END => Told::Ends,
            _ => Told::Other,
        };
        (words, told)
    }
}
