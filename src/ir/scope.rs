//! The questions about a program, and the parts of it that are left out.

use std::collections::{BTreeMap, BTreeSet};

use base::source::Span;

use options::Buffered;

use super::{ExprId, GlobalId, LocalId, Place, ProcId};

/// A place beyond which the front end follows no execution: an empty loop without end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cut {
    pub span: Span,
    pub why: String,
    /// What lies behind the cut.
    pub behind: Behind,
    /// Whether an execution goes on here in a program with more memory.
    pub heap: bool,
    /// Whether every execution that comes here ends here, whatever its values.
    pub always: bool,
}

/// What lies behind a cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Behind {
    /// Nothing: the program has made an error that was not asked about, and its later steps have no meaning.
    Error,
    /// More memory than is modelled: [`Scope::unsteady`] says when such executions are followed.
    Memory,
    /// More threads than there are numbers for threads. Only a proof needs no such numbers.
    Threads,
    /// Something that is not modelled.
    Unknown,
}

/// The questions about a program, and the parts of it that are left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scope {
    /// Whether it is an error when every task waits; otherwise such an execution is one that has ended.
    pub deadlocks: bool,
    /// The range in which open values of many-valued types were looked for, if it was narrowed.
    pub nondet: Option<(i64, i64)>,
    /// The empty endless loops at which the front end stops to follow executions, each with its reason.
    pub cuts: Vec<Cut>,
    /// For each cut, loop and place of a note in the library: the places of the user's text that lead there.
    pub called: BTreeMap<Span, Vec<Span>>,
    /// The names of the properties that are asked about; empty for all.
    pub only: Vec<&'static str>,
    /// Whether data races are asked about by default.
    pub races: bool,
    /// The covers within this place are the only question, if there is one.
    pub cover: Option<Span>,
    /// The globals that may have another value at each read, where executions are followed past the cuts to
    /// [more memory](Behind::Memory). If there are none, the program says nothing about such executions.
    pub unsteady: Vec<GlobalId>,
    /// Endless loops in which no step would end. A yield in each lets others run, so the threads never all wait.
    pub endless: Vec<Span>,
    /// Loops with an exit in which perhaps no step ends. They may run for ever: a search notices that, a proof does not.
    pub ending: Vec<Span>,
    /// Whether the program looks at its arguments, and the user gave none.
    pub lacks_arguments: bool,
    /// What a verdict without a bug leaves out, each with its place.
    pub unsaid: Vec<(Span, String)>,
    /// Globals that two tasks never race for. Only one task touches them, no task writes them, or each task holds a certain lock.
    /// No points stand before accesses to them.
    pub apart: Vec<GlobalId>,
    /// The globals of [`Scope::apart`] that a certain lock guards.
    pub guarded: Vec<GlobalId>,
    /// Globals that say which objects were freed. A race for one becomes a failure in some order, and is reported as that failure.
    pub gone: Vec<GlobalId>,
    /// The global that an atomic operation writes to say that it is a fence on processors though its variable is a local one.
    pub fence: Option<GlobalId>,
    /// The global that is true when the program has ended: tasks that look at it then return, and do nothing else.
    pub ended: Option<GlobalId>,
    /// The global that counts the threads. A task that makes a thread raises it and passes its value as the first
    /// argument, in one step. That value is the number of the thread; no other thread has it. Every procedure but
    /// the first task's has the running thread's number as its first parameter; the first task has number 0.
    pub numbers: Option<GlobalId>,
    /// The globals that count the objects of allocations.
    pub counters: Vec<GlobalId>,
    /// The objects of each allocation of C, and the flags that say which of them were freed.
    pub freed: Vec<(GlobalId, GlobalId)>,
    /// The places of the invariants. Checks there belong to no task: their reads are no accesses of a task.
    pub invariants: Vec<Span>,
    /// The checks in lazy operands. An execution need not evaluate such an operand, so the check is no claim that one comes there.
    pub lazy: BTreeSet<Span>,
    /// The place where an exclusive section begins, if such a section is more than
    /// one statement. Then data races are not looked for, and weak memory is refused.
    pub exclusive: Option<Span>,
    /// The memory, if it is not sequentially consistent.
    pub weak: Option<Weak>,
}

/// The changes that a pass has made to a program for a memory that is not sequentially consistent.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Weak {
    pub asked: Buffered,
    /// Whether the user asked about data races.
    pub races: bool,
    /// Whether the program has checks that find each data race.
    pub looked: bool,
    /// Whether these checks miss races with `free`: nothing orders a `free` and an access of another task.
    pub frees: bool,
    /// The place where a task may delay more stores than a buffer holds, or, on C11's memory, a variable may get more stores.
    pub cut: Option<Span>,
    /// Whether the memory has executions that the engines do not follow for other reasons.
    pub partial: bool,
    /// The stores that are delayed. The first one has the number 1.
    pub sites: Vec<Site>,
    /// The buffers, by the procedure that has them as locals.
    pub buffers: Vec<(ProcId, Vec<Slot>)>,
    /// Whether executions on C11's memory that are not sequentially consistent are followed. If not, they matter only for races:
    /// engines find these as always, or there are none.
    pub followed: bool,
    /// The variables with messages.
    pub messages: Vec<Messages>,
}

/// A variable whose old values may be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Messages {
    /// The variable. It has the value of the last store in the order of its stores.
    pub place: Place,
    /// The array of all values that were stored, and the last one of them.
    pub values: GlobalId,
    pub stored: ExprId,
    /// The present value of the place, as an expression. A store that comes before another one assigns it, and so changes nothing.
    pub now: ExprId,
}

/// A store that is delayed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    /// Where it writes, without the values of indices.
    pub place: Place,
    pub span: Span,
}

/// One entry of a buffer, as locals.
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
            called: BTreeMap::new(),
            only: Vec::new(),
            races: false,
            cover: None,
            unsteady: Vec::new(),
            endless: Vec::new(),
            ending: Vec::new(),
            lacks_arguments: false,
            unsaid: Vec::new(),
            apart: Vec::new(),
            guarded: Vec::new(),
            gone: Vec::new(),
            fence: None,
            ended: None,
            numbers: None,
            counters: Vec::new(),
            freed: Vec::new(),
            invariants: Vec::new(),
            lazy: BTreeSet::new(),
            exclusive: None,
            weak: None,
        }
    }
}

impl Scope {
    /// Whether a check at a place belongs to an invariant.
    #[must_use]
    pub fn is_invariant(&self, span: Span) -> bool {
        self.invariants.contains(&span)
    }

    /// Whether accesses to a global may race.
    #[must_use]
    pub fn may_race(&self, global: GlobalId) -> bool {
        // A task that has seen the end of the program returns, so nothing comes after the end.
        let ends = self.ended == Some(global);
        !ends && !self.apart.contains(&global) && !self.gone.contains(&global)
    }

    /// Why executions are not followed beyond a place, if the front end says so.
    #[must_use]
    pub fn cut_at(&self, span: Span) -> Option<&str> {
        self.cut(span).map(|cut| cut.why.as_str())
    }

    /// Whether a cut or a loop stands in the library, and the user's text comes there.
    #[must_use]
    pub fn is_called(&self, span: Span) -> bool {
        self.called.contains_key(&span)
    }

    /// The place at which the user is told of such a cut or loop.
    #[must_use]
    pub fn told_at(&self, span: Span) -> Span {
        let from = self.called.get(&span);
        from.and_then(|from| from.first()).copied().unwrap_or(span)
    }

    /// What the user is told at a cut.
    #[must_use]
    pub fn told(&self, cut: &Cut) -> String {
        let said = "executions are followed as far as this place";
        match self.called.get(&cut.span).map_or(0, Vec::len) {
            0 | 1 => said.to_owned(),
            2 => format!("{said} or another one like it"),
            all => format!("{said} or {} others like it", all - 1),
        }
    }

    /// The empty loop without end that stands at a place.
    #[must_use]
    pub fn cut(&self, span: Span) -> Option<&Cut> {
        self.cuts.iter().find(|cut| cut.span == span)
    }
}
