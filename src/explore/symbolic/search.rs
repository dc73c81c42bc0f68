//! All schedules, state by state, breadth first.

use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::explore::found::Limit;
use crate::ir::ErrorKind;
use crate::options::ExploreOptions;
use crate::smt::term::Term;
use crate::source::Span;

use super::canon::{Key, covers};
use super::machine::Machine;
use super::races::{CHOSEN, Coming, is_real};
use super::run::{End, Run};
use super::state::State;

/// How a state is reached: from which, by which task, in which of its ways.
#[derive(Clone, Copy, Debug)]
pub(super) struct Origin {
    /// The state before; the first one has none.
    pub before: Option<u32>,
    /// The position of the task that runs.
    pub task: u32,
    /// Which of the ways of its segment.
    pub way: u32,
    depth: u32,
}

/// What happens in the state with which an execution ends.
#[derive(Clone, Copy, Debug)]
pub(super) enum Last {
    /// A task fails, in that way.
    Task(u32, u32),
    /// `finally` fails, in that way.
    Finally(u32),
    /// Nobody can run, for some values.
    Deadlock,
    /// The first segment fails, in that way.
    First(u32),
    /// Two tasks, each in one of its ways, come next to accesses that nothing orders.
    Race([(u32, u32); 2]),
}

/// What was found.
#[derive(Default)]
pub(super) struct Found {
    /// How each state was reached.
    pub origins: Vec<Origin>,
    /// Each error with the state before it and what happens there.
    pub bugs: BTreeMap<(ErrorKind, Span), (u32, Last)>,
    /// Why something could not be followed, and where.
    pub refusal: Option<(String, Span)>,
    /// Loops and recursions that go on beyond the bound.
    pub cuts: Vec<Span>,
    /// The limit that ended the search.
    pub limit: Option<Limit>,
    /// Whether an execution was longer than is followed.
    pub too_long: bool,
    /// Whether an execution came to its end.
    pub ended: bool,
    /// Whether an assumption was false.
    pub dropped: bool,
    pub transitions: u64,
    pub depth: u64,
}

/// A search under way.
pub(super) struct Search<'p, 'o> {
    pub machine: Machine<'p>,
    options: &'o ExploreOptions,
    pub found: Found,
    /// The states by their forms, with the turns of open loops after which each was followed.
    seen: FxHashMap<Key, Vec<Vec<u32>>>,
    queue: VecDeque<(u32, State<'p>)>,
}

impl<'p, 'o> Search<'p, 'o> {
    pub fn new(machine: Machine<'p>, options: &'o ExploreOptions) -> Self {
        Self {
            machine,
            options,
            found: Found::default(),
            seen: FxHashMap::default(),
            queue: VecDeque::new(),
        }
    }

    /// Follows everything that can be followed.
    pub fn run(&mut self) {
        let first = self.machine.start();
        for (way, end, run) in self.ways(first) {
            self.begun(way, end, run);
        }
        while let Some((id, state)) = self.queue.pop_front() {
            if self.is_over() {
                return;
            }
            self.machine.halt.spend(1 + state.tasks.len() as u64);
            self.expand(id, &state);
        }
    }

    /// How many states there are.
    pub fn states(&self) -> u64 {
        self.found.origins.len() as u64
    }

    fn is_over(&mut self) -> bool {
        if self.found.limit.is_none() {
            self.found.limit = self.machine.halt.reached();
        }
        let found = !self.found.bugs.is_empty() && !self.options.goes_on();
        found || self.found.limit.is_some()
    }

    /// The ways of a segment, in order.
    fn ways(&mut self, run: Run<'p>) -> Vec<(u32, End, Run<'p>)> {
        let mut ways = Vec::new();
        self.machine.segment(run, |_, end, run| {
            let way = u32::try_from(ways.len()).unwrap_or(u32::MAX);
            ways.push((way, end, run));
        });
        ways
    }

    fn begun(&mut self, way: u32, end: End, run: Run<'p>) {
        let origin = Origin {
            before: None,
            task: 0,
            way,
            depth: 0,
        };
        self.arrive(origin, end, run, Last::First(way));
    }

    fn expand(&mut self, id: u32, state: &State<'p>) {
        if state.tasks.is_empty() {
            return self.finish(id, state);
        }
        if u64::from(self.found.origins[id as usize].depth) >= self.options.max_steps {
            self.found.too_long = true;
            return;
        }
        let mut blocked = Vec::with_capacity(state.tasks.len());
        for position in 0..state.tasks.len() {
            match self.machine.blocked(state, position) {
                Ok(term) => blocked.push(term),
                Err(refusal) => {
                    self.found.refusal.get_or_insert(refusal);
                    return;
                }
            }
        }
        self.look_for_deadlock(id, state, &blocked);
        let mut next = Vec::new();
        for (position, blocked) in (0u32..).zip(blocked) {
            if blocked != Term::TRUE && !self.is_over() {
                self.dispatch(id, state, position, &mut next);
            }
        }
        self.look_for_races(id, state, &next);
    }

    /// Whether two tasks come next to accesses that nothing orders.
    fn look_for_races(&mut self, id: u32, state: &State<'p>, next: &[Coming]) {
        for (at, one) in next.iter().enumerate() {
            for other in next[at + 1..].iter().filter(|o| o.task != one.task) {
                match self.machine.race(state, one, other) {
                    Ok(None) => {}
                    Ok(Some(span)) => {
                        let both = [(one.task, one.way), (other.task, other.way)];
                        self.bug(ErrorKind::Race, span, id, Last::Race(both));
                    }
                    Err((reason, span)) => {
                        self.found.refusal.get_or_insert((reason, span));
                    }
                }
            }
        }
    }

    /// Whether every pending task is blocked, for some values.
    fn look_for_deadlock(&mut self, id: u32, state: &State<'p>, blocked: &[Term]) {
        let machine = &mut self.machine;
        let all = machine.terms.all(blocked.iter().copied());
        match machine.oracle.holds(&machine.terms, &state.path, all) {
            Ok(None) => {}
            // Nobody asks whether every task can wait.
            Ok(Some(_)) if !machine.program.scope.deadlocks => self.found.ended = true,
            Ok(Some(_)) => {
                let places = state.tasks.iter().filter_map(|t| t.at);
                let span = places.map(|(_, span)| span).min().unwrap_or_default();
                self.bug(ErrorKind::Deadlock, span, id, Last::Deadlock);
            }
            Err(reason) => {
                let places = state.tasks.iter().filter_map(|t| t.at);
                let span = places.map(|(_, span)| span).min().unwrap_or_default();
                self.found.refusal.get_or_insert((reason, span));
            }
        }
    }

    fn bug(&mut self, kind: ErrorKind, span: Span, id: u32, last: Last) {
        self.found.bugs.entry((kind, span)).or_insert((id, last));
    }

    fn dispatch(&mut self, id: u32, state: &State<'p>, position: u32, next: &mut Vec<Coming>) {
        let mut run = Machine::dispatch(state, position as usize);
        self.machine.apart(&mut run, position);
        let first = run.state.next;
        let depth = self.found.origins[id as usize].depth + 1;
        for (way, end, run) in self.ways(run) {
            if !run.accesses.is_empty() && is_real(&end) {
                if run.state.next - first > CHOSEN {
                    let reason = "too many values are chosen in one step".to_owned();
                    self.found.refusal.get_or_insert((reason, Span::default()));
                }
                next.push(Coming {
                    task: position,
                    way,
                    accesses: run.accesses.clone(),
                    literals: run.state.path.literals.clone(),
                });
            }
            let origin = Origin {
                before: Some(id),
                task: position,
                way,
                depth,
            };
            self.arrive(origin, end, run, Last::Task(position, way));
        }
    }

    /// A segment has ended.
    fn arrive(&mut self, origin: Origin, end: End, run: Run<'p>, last: Last) {
        let moved = matches!(end, End::Finished | End::Suspended | End::Fails(..));
        if moved && origin.before.is_some() {
            self.found.transitions += 1;
            self.found.depth = self.found.depth.max(origin.depth.into());
        }
        match end {
            End::Finished => self.reach(origin, run.state),
            End::Suspended => {
                let mut state = run.state;
                state.tasks.push(Rc::new(run.task));
                self.reach(origin, state);
            }
            End::Fails(kind, span) => {
                self.found.ended = true;
                self.bug(kind, span, origin.before.unwrap_or(0), last);
            }
            other => self.left(other),
        }
    }

    /// A way that comes to no state.
    fn left(&mut self, end: End) {
        match end {
            End::Dropped => self.found.dropped = true,
            End::Cut(span) => {
                if !self.found.cuts.contains(&span) {
                    self.found.cuts.push(span);
                }
            }
            End::Refused(reason, span) => {
                self.found.refusal.get_or_insert((reason, span));
            }
            End::Halted => self.found.limit = self.machine.halt.reached(),
            End::Blocked | End::Met | End::Finished | End::Suspended | End::Fails(..) => {}
        }
    }

    fn reach(&mut self, origin: Origin, state: State<'p>) {
        let turns: Vec<u32> = state.tasks.iter().flat_map(|t| t.turns()).collect();
        let canonical = self.machine.canonical(state);
        let known = self.seen.entry(canonical.key).or_default();
        // The turns are those of the tasks in their old order; tasks that are sorted have them in the new one.
        let turns = if turns.iter().all(|&t| t == 0) {
            turns
        } else {
            let tasks = canonical.state.tasks.iter();
            tasks.flat_map(|t| t.turns()).collect()
        };
        if known.iter().any(|k| covers(k, &turns)) {
            return;
        }
        known.push(turns);
        let id = u32::try_from(self.found.origins.len()).unwrap_or(u32::MAX);
        self.found.origins.push(origin);
        self.queue.push_back((id, canonical.state));
    }

    /// No task is pending.
    fn finish(&mut self, id: u32, state: &State<'p>) {
        let Some(run) = self.machine.finish(state) else {
            self.found.ended = true;
            return;
        };
        for (way, end, _) in self.ways(run) {
            match end {
                End::Finished => self.found.ended = true,
                End::Fails(kind, span) => {
                    self.found.ended = true;
                    self.bug(kind, span, id, Last::Finally(way));
                }
                other => self.left(other),
            }
        }
    }
}

/// The steps to a state, from the first on.
pub(super) fn steps(origins: &[Origin], id: u32) -> Vec<Origin> {
    let mut steps = Vec::new();
    let mut next = Some(id);
    while let Some(id) = next {
        let origin = origins[id as usize];
        steps.push(origin);
        next = origin.before;
    }
    steps.reverse();
    steps
}
