//! What is asked about a program, and what of it is not looked at.

use base::source::Span;

use options::Buffered;

use super::{ExprId, GlobalId, LocalId, Place, ProcId};

/// A place beyond which the front end follows no execution: an empty loop without end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cut {
    pub span: Span,
    pub why: String,
    /// What lies behind it.
    pub behind: Behind,
    /// Whether an execution goes on here in a program with more memory.
    pub heap: bool,
    /// Whether every execution that comes here ends here, whatever its values.
    pub always: bool,
}

/// What lies behind a cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Behind {
    /// Nothing: the program has made an error that was not asked about, and what it does then has no meaning.
    Error,
    /// More memory than is looked at: [`Scope::unsteady`] says how it can be.
    Memory,
    /// What is not modelled.
    Unknown,
}

/// What is asked about a program, and what of it is not looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scope {
    /// Whether it is an error when every task waits; otherwise such an execution is one that has ended.
    pub deadlocks: bool,
    /// The range in which open values of many-valued types were looked for, if it was narrowed.
    pub nondet: Option<(i64, i64)>,
    /// What it means when an execution comes to an empty loop without end: the front end has followed it no further.
    pub cuts: Vec<Cut>,
    /// What is looked for, if not everything: names of properties.
    pub only: Vec<&'static str>,
    /// Whether data races are asked about where nothing else is said.
    pub races: bool,
    /// The `cover` that is asked about, in the place of everything else.
    pub cover: Option<Span>,
    /// The globals that have any value, another one whenever they are read, if executions are followed past the cuts to
    /// [more memory](Behind::Memory). Without any the program says nothing of such executions.
    pub unsteady: Vec<GlobalId>,
    /// Loops without end in which no step would end. Others get a turn there, so the threads never all wait.
    pub endless: Vec<Span>,
    /// Loops that something leaves and in which perhaps no step ends. They may have no end: a search notices that, a proof does not.
    pub ending: Vec<Span>,
    /// What a verdict that finds no bug does not speak of.
    pub unsaid: Vec<(Span, String)>,
    /// Globals that two tasks never race for. Only one task touches them, no task writes them, or each task holds a certain lock.
    /// No points stand before accesses to them.
    pub apart: Vec<GlobalId>,
    /// Those of them that a certain lock guards.
    pub guarded: Vec<GlobalId>,
    /// Globals that say of objects that they are gone. What races there fails in some order, and is told as that failure.
    pub gone: Vec<GlobalId>,
    /// The global that is true when the program has ended: tasks that look at it then return, and do nothing else.
    pub ended: Option<GlobalId>,
    /// The global that counts the threads. Whoever makes one raises it and hands its value on as the first argument, in one step: the
    /// number of that thread, which no other one has. Every procedure but the first task has the running thread's number as its first
    /// parameter; that of the first task is 0.
    pub numbers: Option<GlobalId>,
    /// The globals that count the objects of allocations.
    pub counters: Vec<GlobalId>,
    /// The objects of each allocation of C, and the flags that say which of them were freed.
    pub freed: Vec<(GlobalId, GlobalId)>,
    /// Where the invariants stand. Checks there are part of no task: what they read is no access of anybody's.
    pub invariants: Vec<Span>,
    /// Where a section begins in which no other thread runs, if it is not one statement. What such sections order is no matter of data
    /// races, nor of other memories.
    pub exclusive: Option<Span>,
    /// The memory, if it is not sequentially consistent.
    pub weak: Option<Weak>,
}

/// What a pass has made of a program for a memory that is not sequentially consistent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Weak {
    pub asked: Buffered,
    /// Whether the user asked about data races.
    pub races: bool,
    /// Whether the program has checks that find each data race.
    pub looked: bool,
    /// Whether a task may want to delay more stores than a buffer holds, or a variable may get more stores on C11's memory, and where.
    pub cut: Option<Span>,
    /// Whether C11 has executions that are not followed for other reasons.
    pub partial: bool,
    /// The stores that are delayed. The first one has the number 1.
    pub sites: Vec<Site>,
    /// The buffers, by the procedure that has them as locals.
    pub buffers: Vec<(ProcId, Vec<Slot>)>,
    /// Whether executions that are not sequentially consistent are followed on C11's memory: without any there is nothing to follow
    /// but races.
    pub followed: bool,
    /// The variables with messages.
    pub messages: Vec<Messages>,
}

/// A variable whose old values may be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Messages {
    /// It has the value that comes last in the order of its stores.
    pub place: Place,
    /// All values that were stored, and the last one of them.
    pub values: GlobalId,
    pub stored: ExprId,
    /// What the place has now, as an expression. It is given this once more where a store comes before it.
    pub now: ExprId,
}

/// A store that is delayed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    /// Where it writes, without the values of indices.
    pub place: Place,
    pub span: Span,
}

/// A place of a buffer, as locals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slot {
    /// The number of the store; 0 for none.
    pub site: LocalId,
    /// The values of the indices.
    pub indices: Vec<LocalId>,
    /// The value that is written, a local for each type.
    pub values: Vec<LocalId>,
}

impl Weak {
    /// The buffer of a procedure; the oldest store stands first.
    #[must_use]
    pub fn slots(&self, proc: ProcId) -> &[Slot] {
        let found = self.buffers.iter().find(|(of, _)| *of == proc);
        found.map_or(&[], |(_, slots)| slots)
    }
}

impl Default for Scope {
    fn default() -> Self {
        Self {
            deadlocks: true,
            nondet: None,
            cuts: Vec::new(),
            only: Vec::new(),
            races: false,
            cover: None,
            unsteady: Vec::new(),
            endless: Vec::new(),
            ending: Vec::new(),
            unsaid: Vec::new(),
            apart: Vec::new(),
            guarded: Vec::new(),
            gone: Vec::new(),
            ended: None,
            numbers: None,
            counters: Vec::new(),
            freed: Vec::new(),
            invariants: Vec::new(),
            exclusive: None,
            weak: None,
        }
    }
}

impl Scope {
    /// Whether a check at a place is an invariant's.
    #[must_use]
    pub fn is_invariant(&self, span: Span) -> bool {
        self.invariants.contains(&span)
    }

    /// Whether accesses to a global may race.
    #[must_use]
    pub fn may_race(&self, global: GlobalId) -> bool {
        // Nothing comes after the end of the program: who has seen it returns.
        let ends = self.ended == Some(global);
        !ends && !self.apart.contains(&global) && !self.gone.contains(&global)
    }

    /// Why executions are not followed beyond a place, if the front end has said so.
    #[must_use]
    pub fn cut_at(&self, span: Span) -> Option<&str> {
        self.cut(span).map(|cut| cut.why.as_str())
    }

    /// The empty loop without end that stands at a place.
    #[must_use]
    pub fn cut(&self, span: Span) -> Option<&Cut> {
        self.cuts.iter().find(|cut| cut.span == span)
    }
}
