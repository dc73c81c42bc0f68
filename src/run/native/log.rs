//! The log of the runtime, as data.

use std::rc::Rc;

const KINDS: &str = include_str!("../runtime/kinds.h");

/// A kind of operation, by its place in `../runtime/kinds.h`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Kind(pub u8);

impl Kind {
    pub(super) const START: Self = Self(0);
    pub(super) const END: Self = Self(1);
    pub(super) const CREATE: Self = Self(2);
    pub(super) const JOIN: Self = Self(3);
    pub(super) const EXIT: Self = Self(4);
    pub(super) const YIELD: Self = Self(5);
    pub(super) const READ: Self = Self(6);
    pub(super) const WRITE: Self = Self(7);
    pub(super) const LOAD: Self = Self(8);
    pub(super) const STORE: Self = Self(9);
    pub(super) const CAS: Self = Self(11);
    pub(super) const LOCK: Self = Self(14);
    pub(super) const UNLOCK: Self = Self(17);
    pub(super) const WAIT: Self = Self(19);
    pub(super) const WAKE: Self = Self(20);
    pub(super) const FUTEX_WOKEN: Self = Self(40);
    const FREE: Self = Self(42);
    const REUSE: Self = Self(43);

    /// The operation in words.
    pub(super) fn words(self) -> &'static str {
        let mut lines = KINDS.lines().filter(|line| line.starts_with("KIND("));
        let line = lines.nth(self.0.into()).unwrap_or_default();
        line.split('"').nth(1).unwrap_or("does something")
    }

    /// Checks whether the operation depends on the value that it finds in memory.
    pub(super) fn looks(self) -> bool {
        self != Self::WRITE && self != Self::STORE
    }

    /// Checks whether the operation makes memory unusable or usable.
    pub(super) fn frees(self) -> bool {
        self == Self::FREE || self == Self::REUSE
    }

    pub(super) fn is_memory(self) -> bool {
        (Self::READ.0..=Self::CAS.0).contains(&self.0)
    }
}

/// How many threads a program may have: `THREADS` in `../runtime/runtime.h`.
pub(super) const THREADS: usize = 256;

/// The threads that a cell lets go on, for each class of waiters. A semaphore's cell of takes has the numbers for `model::unit`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Masks {
    /// The masks of the first 64 threads. All others may go on where all of these may.
    Few([u64; 2]),
    Many(Rc<[u64; THREADS / 32]>),
}

impl Masks {
    fn read(cell: u64, from: &mut impl Iterator<Item = u64>) -> Option<Self> {
        if cell & WIDE == 0 {
            return Some(Self::Few([from.next()?, from.next()?]));
        }
        let mut words = [0; THREADS / 32];
        for word in &mut words {
            *word = from.next()?;
        }
        Some(Self::Many(Rc::new(words)))
    }

    pub(super) fn allow(&self, class: u8, slot: u8) -> bool {
        let (class, word) = (usize::from(class & 1), usize::from(slot / 64));
        let mask = match self {
            Self::Few(first) if word == 0 => first[class],
            Self::Few(first) => return first[class] == u64::MAX,
            Self::Many(words) => words[class * THREADS / 64 + word],
        };
        mask >> (slot % 64) & 1 == 1
    }
}

/// An operation that a thread is about to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Op {
    pub kind: Kind,
    pub yields: bool,
    pub pc: u64,
    pub object: u64,
    /// From where the function was called, the innermost first.
    pub callers: [u64; 4],
    /// The cells on which it waits, the class of waiters, and what their masks are now.
    pub guard: Vec<(u64, u8, Masks)>,
    pub cells: Vec<(u64, bool)>,
    /// It waits until another thread has written one of these cells since it looked at them.
    pub polls: Vec<u64>,
}

/// A cell that an operation touched. If the operation wrote it, with the masks that the cell has then.
pub(super) type Touched = (u64, Option<Masks>);

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Record {
    Pending(u8, Op),
    Event {
        thread: u8,
        kind: Kind,
        value: u64,
        touched: Vec<Touched>,
    },
    Spawn(u8),
    Ended(u8),
    /// The value that the last write of a thread has left.
    Value(u8, u64),
    /// How many calls a thread has made, of those before which another thread may run.
    Calls(u8, u64),
    /// A value that came from outside the program.
    Given(u64),
    /// An access that is no step.
    Access {
        cell: u64,
        write: bool,
        pc: u64,
    },
}

impl Record {
    pub(super) fn words(&self) -> String {
        match self {
            Self::Pending(thread, op) if op.pc == 0 => {
                format!("thread {thread} {}", op.kind.words())
            }
            Self::Pending(thread, op) if op.object == 0 => {
                format!("thread {thread} {} at {:#x}", op.kind.words(), op.pc)
            }
            Self::Pending(thread, op) => format!(
                "thread {thread} {} {:#x} at {:#x}",
                op.kind.words(),
                op.object,
                op.pc
            ),
            Self::Event { thread, kind, .. } => format!("thread {thread} {}", kind.words()),
            Self::Spawn(thread) => format!("thread {thread} is created"),
            Self::Ended(thread) => format!("thread {thread} ends"),
            Self::Value(thread, value) => format!("thread {thread} has written {value}"),
            Self::Calls(thread, calls) => format!("thread {thread} has made {calls} calls"),
            Self::Given(value) => format!("{value} comes from outside"),
            Self::Access { cell, pc, .. } => format!("{cell:#x} is accessed at {pc:#x}"),
        }
    }
}

const WRITES: u64 = 1 << 63;
/// The bit of a cell that says that masks for all threads follow.
const WIDE: u64 = 1 << 61;
/// The position of the class of waiters in a cell.
const CLASS: u32 = 62;

/// Reads a log. Leaves out a record that is cut off at its end.
pub(super) fn parse(words: &[u64]) -> Vec<Record> {
    let mut from = words.iter().copied();
    let mut log = Vec::new();
    while let Some(record) = record(&mut from) {
        log.push(record);
    }
    log
}

fn record(from: &mut impl Iterator<Item = u64>) -> Option<Record> {
    let head = from.next()?;
    let byte = |at: u32| (head >> (at * 8)) as u8;
    let thread = byte(1);
    Some(match byte(0) {
        1 => Record::Pending(thread, op(byte, from)?),
        2 => {
            let value = from.next()?;
            let mut touched = Vec::new();
            for _ in 0..byte(4) {
                let cell = from.next()?;
                let masks = match cell & WRITES {
                    0 => None,
                    _ => Some(Masks::read(cell, from)?),
                };
                touched.push((cell & !(WRITES | WIDE), masks));
            }
            let kind = Kind(byte(2));
            Record::Event {
                thread,
                kind,
                value,
                touched,
            }
        }
        3 => Record::Spawn(thread),
        4 => Record::Ended(thread),
        5 => Record::Value(thread, from.next()?),
        6 => {
            let cell = from.next()?;
            Record::Access {
                cell: cell & !WRITES,
                write: cell & WRITES != 0,
                pc: from.next()?,
            }
        }
        7 => Record::Calls(thread, from.next()?),
        8 => Record::Given(from.next()?),
        _ => return None,
    })
}

fn op(byte: impl Fn(u32) -> u8, from: &mut impl Iterator<Item = u64>) -> Option<Op> {
    let (pc, object) = (from.next()?, from.next()?);
    let callers = [from.next()?, from.next()?, from.next()?, from.next()?];
    let mut guard = Vec::new();
    for _ in 0..byte(3) {
        let cell = from.next()?;
        let class = (cell >> CLASS) as u8;
        let masks = Masks::read(cell, from)?;
        guard.push((cell & !(3 << CLASS | WIDE), class, masks));
    }
    let mut cells = Vec::new();
    for _ in 0..byte(4) {
        let cell = from.next()?;
        cells.push((cell & !WRITES, cell & WRITES != 0));
    }
    let polls = (0..byte(6)).map(|_| from.next()).collect::<Option<_>>()?;
    Some(Op {
        kind: Kind(byte(2)),
        yields: byte(5) != 0,
        pc,
        object,
        callers,
        guard,
        cells,
        polls,
    })
}

/// Advice for a function that is not controlled.
fn instead(name: &str) -> &'static str {
    match name {
        "pthread_cancel" | "pthread_kill" => {
            ": check a build in which the thread ends by a flag that it looks at"
        }
        "pthread_timedjoin_np" | "pthread_tryjoin_np" | "pthread_clockjoin_np" => {
            ": check a build with `pthread_join`"
        }
        "OpenMP" => ": check a build that makes its threads by `pthread_create` or `std::thread`",
        "flockfile" => ": check a build with a mutex",
        "sem_open" => ": check a build with `sem_init`",
        "fork" | "vfork" | "clone" | "daemon" | "system" | "popen" | "posix_spawn"
        | "posix_spawnp" => ": check each process alone",
        _ => "",
    }
}

/// The signal that ends an execution that takes too long.
pub(super) const ALARM: u32 = 14;

/// How a process ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Ending {
    Exited(u8),
    Assertion {
        text: String,
        pc: u64,
        frames: Vec<u64>,
        /// The file and the line that the assertion names, or a line 0.
        at: (String, u32),
    },
    Signal {
        number: u64,
        pc: u64,
        frames: Vec<u64>,
        address: u64,
        /// The thread's stack has no room left.
        overflow: bool,
    },
    Deadlock,
    /// A deadlock in which a thread polls.
    Livelock,
    TooLong,
    /// The next thread of the prefix could not run, after this many steps.
    Left(u64),
    Misuse {
        text: String,
        pc: u64,
        frames: Vec<u64>,
    },
}

impl Ending {
    /// Checks whether the program itself shows this failure, without words of dbverify's.
    pub(super) const fn needs_no_words(&self) -> bool {
        matches!(self, Self::Assertion { .. } | Self::Signal { .. })
    }

    /// The ending in words, as what comes after the last record of a log.
    pub(super) fn words(&self) -> String {
        match self {
            Self::Assertion { text, .. } => format!("the assertion `{text}` fails"),
            Self::Signal { number, .. } => format!("signal {number} ends the program"),
            Self::Misuse { text, .. } => text.clone(),
            _ => "nothing".into(),
        }
    }

    /// Checks whether both ended with the same error at the same place.
    pub(super) fn resembles(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Assertion { pc: a, .. }, Self::Assertion { pc: b, .. }) => a == b,
            (
                Self::Signal { number: a, pc, .. },
                Self::Signal {
                    number: b, pc: at, ..
                },
            ) => (a, pc) == (b, at),
            (
                Self::Misuse { text: a, pc, .. },
                Self::Misuse {
                    text: b, pc: at, ..
                },
            ) => (a, pc) == (b, at),
            (a, b) => a == b,
        }
    }

    /// Reads from the head of the shared file how a process ended.
    pub(super) fn read(
        head: &[u64],
        (text, file): (String, String),
        waits: &str,
        status: u32,
    ) -> Result<Self, String> {
        let (code, pc) = (head[8], head[10]);
        let frames: Vec<u64> = head[25..33].iter().copied().filter(|&pc| pc != 0).collect();
        Ok(match head[7] {
            1 => Self::Exited(code as u8),
            2 => Self::Assertion {
                text,
                pc,
                frames,
                at: (file, code as u32),
            },
            3 => Self::Signal {
                number: code,
                pc,
                frames,
                address: head[11],
                overflow: text == "stack overflow",
            },
            4 if code != 0 => Self::Livelock,
            4 => Self::Deadlock,
            5 => Self::TooLong,
            6 => {
                let instead = instead(&text);
                return Err(format!(
                    "the program uses {text}, which is not controlled{instead}"
                ));
            }
            7 => Self::Left(code),
            8 => Self::Misuse { text, pc, frames },
            _ if status & 0x7f == ALARM && !waits.is_empty() => {
                return Err(format!(
                    "an execution took too long: a thread waits in `{waits}`, which is not controlled, and nobody else runs meanwhile"
                ));
            }
            _ if status & 0x7f == ALARM => {
                return Err("an execution took too long: a thread waits for something outside, or runs without an operation that is seen".into());
            }
            // A handler of the program's own has raised it again.
            _ if status & 0x7f != 0 && status & 0x7f != 9 => Self::Signal {
                number: u64::from(status & 0x7f),
                pc: 0,
                frames: Vec::new(),
                address: 0,
                overflow: false,
            },
            _ => {
                return Err(format!(
                    "a process ended outside of control, by a signal, exec or an exit of its own (status {status:#x})"
                ));
            }
        })
    }
}
