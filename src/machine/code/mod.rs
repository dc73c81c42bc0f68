//! Procedures as compact code for a register machine, and where values lie.
//!
//! Everything is flattened: a record is its fields, an array its elements, each
//! a 64-bit slot; what is large or has infinitely many parts is one slot that
//! names a tree (see `tables`). Knows the intermediate program; knows no tasks,
//! no scheduler and no search.

mod compile;
mod counting;
mod expr;
mod instr;
mod layout;
mod live;
mod place;

pub use compile::{compile, compile_with, is_written};
pub use counting::Counting;
pub use instr::{Base, Blank, Home, Instr, MapInfo, Num, OffsetInfo, Operand, Reg};
pub use layout::{Domain, Keys, Layout, Repr};
use live::Live;
pub use live::{defines, target};

use rustc_hash::FxHashMap;

use base::source::Span;
use ir::{ErrorKind, OpId, Program, TypeId};

/// The mark of a value that was never chosen. No computed number equals it: the machine refuses first.
pub const UNDEF: i64 = i64::MIN + 0x005E_EDED;

/// Types of more values are not enumerated.
pub const CHOICES: u64 = 1 << 16;

/// Types of more values than this are wide: a search tries few of their values before it turns to terms.
const WIDE: u128 = 64;

/// Checks whether a type is wide: it has more than 64 values.
pub fn is_wide(program: &Program, ty: TypeId) -> bool {
    program.types.size(ty).is_none_or(|size| size > WIDE)
}

/// When a global gets a value that is left without one at the start, and only there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum First {
    /// At once, or when it is needed, as for any other choice.
    Chosen,
    /// When it is needed.
    Needed,
    /// The program assigns one before it is needed.
    Given,
}

#[derive(Debug)]
pub struct Code {
    pub instrs: Vec<Instr>,
    /// The source of each.
    pub spans: Vec<Span>,
    pub procs: Vec<ProcCode>,
    /// The procedure of each instruction.
    pub proc_of: Vec<u32>,
    /// By instruction: whether it may stand in a step that no other task interrupts, and whether it may stand in none.
    pub within: Vec<Within>,
    pub consts: Vec<i64>,
    /// What can fail, and why.
    pub sites: Vec<Site>,
    /// Where it is noted that an execution has come there.
    pub landmarks: Vec<Landmark>,
    /// How indices become offsets.
    pub offsets: Vec<OffsetInfo>,
    /// How maps are looked into.
    pub maps: Vec<MapInfo>,
    /// What slots hold after their values were forgotten, by the index in the instruction.
    pub blanks: Vec<Vec<Blank>>,
    /// By the same index: the type of what is forgotten.
    pub blank_types: Vec<TypeId>,
    /// Where types' values lie.
    pub layout: Layout,
    /// The first slot of each global, and behind the last the number of slots.
    pub globals: Vec<u32>,
    /// What each global slot can hold.
    pub slots: Vec<SlotInfo>,
    live: Live,
    /// Whether states keep locals that no longer matter. Then tasks are equal only if all their locals are.
    pub keep: bool,
    /// Whether the machine reports an error when every task waits.
    pub deadlocks: bool,
    /// Whether tasks can be told apart by the program: handles or `self`.
    pub handles: bool,
    /// Whether a value may be missing when it is needed.
    pub undefined: bool,
    /// The operations of objects, by the place where a task rests before a step of one.
    pub operations: FxHashMap<u32, OpId>,
}

impl Code {
    /// The registers that still matter where a task rests, chooses, or waits for a call to return.
    pub fn live(&self, pc: u32) -> &[Reg] {
        self.live.at(self, pc)
    }

    /// The domains of what is forgotten.
    pub fn domains(&self, blanks: u32) -> Vec<Domain> {
        compile::domains(&self.layout, self.blank_types[blanks as usize])
    }

    /// Whether there may be a task beside the first.
    pub fn posts(&self) -> bool {
        self.instrs.iter().any(|i| matches!(i, Instr::Post { .. }))
    }

    /// Whether a local variable may hold the name of a tree.
    pub fn has_local_trees(&self) -> bool {
        let mut locals = self.procs.iter().flat_map(|proc| &proc.locals);
        locals.any(|local| local.domain == Domain::Tree)
    }

    /// What registers hold before they are written.
    pub fn blank(&self) -> i64 {
        if self.keep { UNDEF } else { 0 }
    }

    /// Follows jumps from an instruction at which a task rests, so that each place in the program has one number.
    pub fn follow(&self, mut pc: u32) -> u32 {
        for _ in 0..64 {
            match self.instrs[pc as usize] {
                Instr::Jump { to } => pc = to,
                _ => break,
            }
        }
        pc
    }
}

/// Where an instruction may stand, as far as that matters for data races.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Within {
    /// In a step that no other task interrupts; `open`: in none.
    pub whole: bool,
    pub open: bool,
    /// The instruction fetches or stores the name of a tree. Another instruction accesses a part of that tree.
    pub name: bool,
}

#[derive(Clone, Debug)]
pub struct ProcCode {
    /// Where a call enters.
    pub entry: u32,
    /// Where a posted task is pending: its first await, or the entry.
    pub start: u32,
    /// How many registers it has: locals, then temporaries.
    pub frame: u32,
    /// How many of the first registers are its parameters.
    pub params: u32,
    /// How many registers its result has.
    pub result: u32,
    /// What each local register can hold.
    pub locals: Vec<SlotInfo>,
}

/// What a slot can hold.
#[derive(Clone, Copy, Debug)]
pub struct SlotInfo {
    pub domain: Domain,
    /// Whether the slot may be without a value.
    pub undefined: bool,
    /// Whether its variable's type [is wide](is_wide).
    pub wide: bool,
    /// The variable that it belongs to, by number among globals or the procedure's locals.
    pub variable: u32,
}

/// A place in the program for which the search tells whether some execution comes there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Landmark {
    pub what: Reached,
    pub span: Span,
    pub proc: u32,
}

/// What an execution comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Reached {
    Check,
    /// What follows an assumption or a condition that is waited for.
    Past,
    Post,
    /// A false assumption: the execution is dropped.
    Dropped,
    /// A statement of the user's text, where those are noted.
    Statement,
}

/// A place in the program that can fail.
#[derive(Clone, Debug)]
pub struct Site {
    pub kind: ErrorKind,
    pub span: Span,
}
