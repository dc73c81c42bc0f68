//! All schedules, state by state, breadth first.

use std::collections::{BTreeMap, VecDeque};

use rustc_hash::FxHashMap;

use base::source::Span;
use ir::{ErrorKind, GlobalId};
use machine::found::Limit;
use machine::limits::Progress;
use machine::space::LeftOut;
use options::ExploreOptions;
use smt::term::{Node, Term};
use trace::Schedule;

use super::canon::{Followed, Form, Key};
use super::machine::Machine;
use super::mutants::Mutant;
use super::ordered::Raced;
use super::races::{Act, CHOSEN, Coming, Late, is_real};
use super::run::{End, Run};
use super::state::State;

/// What comes next in an execution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// The first segment of the first task.
    Begin,
    /// The task at that position runs.
    Run(u32),
    /// The task at that position is put off.
    Delay(u32),
}

/// A step, and in which case of the state before it is made, if there are cases.
#[derive(Clone, Copy, Debug)]
pub(super) struct Move {
    pub case: Option<u32>,
    pub step: Step,
    /// Which of the ways of the segment.
    pub way: u32,
    /// How the state to which it leads was brought into its form.
    pub form: Form,
}

/// How a state is reached.
#[derive(Clone, Copy, Debug)]
pub(super) struct Origin {
    /// The state before; none for a first one.
    pub before: Option<u32>,
    pub by: Move,
    depth: u32,
}

/// The last thing that happens in an execution.
#[derive(Clone, Copy, Debug)]
pub(super) enum Last {
    Move(Move),
    /// `finally` fails, in that way.
    Finally(u32),
    /// No task can run, for some values.
    Deadlock,
    /// Two tasks, each in one of its ways, come next to accesses that nothing orders.
    Race([(u32, u32); 2]),
    /// A task comes to an access, and nothing orders it after an earlier one.
    Raced(Move),
}

/// How an error is reached.
#[derive(Clone, Debug)]
pub(super) enum How {
    /// By `Last` in the state with that number, if there is one before.
    After(Option<u32>, Last),
    /// By this schedule, or the reason why the schedule is not known.
    Known(Result<Schedule, String>),
}

#[derive(Default)]
pub(super) struct Found<'p> {
    /// How each state was reached.
    pub origins: Vec<Origin>,
    /// Each error, and how it is reached.
    pub bugs: BTreeMap<(ErrorKind, Span), How>,
    /// The states at the ends of executions, if they are wanted.
    pub ends: Vec<State<'p>>,
    /// Why something could not be followed, and where.
    pub refusal: Option<(String, Span)>,
    /// Loops and recursions that go on beyond the bound.
    pub cuts: Vec<Span>,
    /// The bounds that left executions out.
    pub left_out: LeftOut,
    /// The limit that ended the search.
    pub limit: Option<Limit>,
    /// Whether an execution was longer than `max_steps`.
    pub too_long: bool,
    /// Whether an execution came to its end.
    pub ended: bool,
    /// Whether an assumption was false.
    pub dropped: bool,
    /// Ways that came to where another way of the same segment had been.
    pub met: u64,
    /// Whether there is a state from which no execution goes on.
    pub stuck: bool,
    pub transitions: u64,
    pub depth: u64,
}

impl Found<'_> {
    /// Whether some way has met another one since `met` was `before`, and no assumption was false: it may turn round for ever.
    fn turns_round(&self, before: u64) -> bool {
        self.met > before && !self.dropped
    }

    /// Notes how a way ends that comes to no state.
    pub fn left(&mut self, end: End, limit: impl FnOnce() -> Option<Limit>) {
        match end {
            End::Dropped => self.dropped = true,
            End::Cut(span) => {
                if !self.cuts.contains(&span) {
                    self.cuts.push(span);
                }
            }
            End::Refused(reason, span) => {
                self.refusal.get_or_insert((reason, span));
            }
            End::Halted => self.limit = limit().or(Some(Limit::Time)),
            End::Met => self.met += 1,
            End::Blocked => {}
            End::Finished | End::Suspended | End::Fails(..) => {}
        }
    }
}

/// A search under way.
pub(super) struct Search<'p, 'o> {
    pub machine: Machine<'p>,
    options: &'o ExploreOptions,
    pub found: Found<'p>,
    /// The states that were seen, by their forms.
    seen: FxHashMap<Box<[u32]>, Vec<Followed>>,
    /// How many states were seen, by a hash of the places of their tasks. Places that share a hash reach `MANY_VISITS` sooner.
    visits: FxHashMap<u64, usize>,
    late: Late,
    queue: VecDeque<(u32, State<'p>)>,
    /// The state at which the search was ended.
    last: Option<State<'p>>,
    progress: Progress,
    /// How many questions to the solver were counted as work.
    paid: u64,
    /// An empty buffer for the ways of a segment, kept to save allocations.
    room: Vec<Way<'p>>,
}

/// One of the ways of a segment, how it ends, and the run there.
type Way<'p> = (u32, End, Run<'p>);

/// How much work a question to a solver is.
const QUESTION: u64 = 16;

/// Another failure is reported before a race if the search finds it within so many states.
const OTHERS_FIRST: u64 = 500;

/// A program with so many inputs may be a server, which takes them for ever. Its states are looked at more closely, so that it
/// comes back to an earlier one: values that are as good as a variable become one, and a solver is asked whether a known state
/// covers the next. In a program that ends, this costs more than it saves, because the solver has to answer questions anew.
const MANY_INPUTS: u32 = 8;

/// States are also looked at more closely after so many with the tasks at the same places: a program may count up for ever.
const MANY_VISITS: usize = 512;

/// After so many states of one form a solver is asked whether one of the first covers the next: ever more may be known of a
/// server. It is asked again each time there are twice as many.
const OFTEN: usize = 8;

/// A map that has been written at more keys may be one that grows for ever.
const MANY_KEYS: usize = 16;

/// A state that is expanded, or a case of it.
struct Here<'s, 'p> {
    id: u32,
    state: &'s State<'p>,
    case: Option<u32>,
}

impl<'p, 'o> Search<'p, 'o> {
    pub fn new(machine: Machine<'p>, options: &'o ExploreOptions) -> Self {
        Self {
            machine,
            options,
            found: Found::default(),
            seen: FxHashMap::default(),
            visits: FxHashMap::default(),
            late: Late::default(),
            queue: VecDeque::new(),
            last: None,
            progress: Progress::new(options.progress),
            paid: 0,
            room: Vec::new(),
        }
    }

    /// Follows everything that can be followed.
    pub fn run(&mut self) {
        let first = self.machine.start();
        for (way, end, mut run) in self.ways(first) {
            if self.is_limited() {
                return;
            }
            self.late.note(&run);
            let by = Move {
                case: None,
                step: Step::Begin,
                way,
                form: Form::Plain,
            };
            self.order(None, by, &end, &mut run);
            self.arrive(None, by, end, run);
        }
        self.found.stuck = self.queue.is_empty() && !self.found.turns_round(0);
        while let Some((id, state)) = self.queue.pop_front() {
            self.pay(1 + state.tasks.len() as u64);
            let (moves, met) = (self.found.transitions, self.found.met);
            self.expand(id, &state);
            let stays = !state.tasks.is_empty() && self.found.transitions == moves;
            self.found.stuck |= stays && !self.found.turns_round(met);
            if self.is_over() {
                self.last = Some(state);
                return;
            }
        }
    }

    /// Searches a second time if single states cannot settle whether some accesses race.
    pub fn again(self) -> Self {
        let globals = self.late.unsettled();
        let enough = !self.found.bugs.is_empty() && !self.options.goes_on();
        if globals.is_empty()
            || enough
            || self.found.limit.is_some()
            || self.found.refusal.is_some()
        {
            return self;
        }
        let mut machine = self.machine;
        if let Some(orders) = &mut machine.orders {
            orders.tracked = globals;
        }
        let mut again = Self::new(machine, self.options);
        again.run();
        again
    }

    /// Notes what the accesses of a segment come after, and a race that they complete.
    fn order(&mut self, before: Option<u32>, by: Move, end: &End, run: &mut Run<'p>) {
        if !is_real(end) {
            return;
        }
        let task = run.task.number;
        match self.machine.orders(&mut run.state, task, &run.acts) {
            None => {}
            Some(Raced::Yes(span)) => self.bug(ErrorKind::Race, span, before, Last::Raced(by)),
            Some(Raced::Perhaps(span)) => {
                let reason = "whether this is a race depends on which element it is: with --values numbers that is seen";
                self.refused((reason.to_owned(), span));
            }
        }
    }

    /// Returns a global that was written at very many keys in the state where the search ended.
    pub fn growing(&self) -> Option<&'p str> {
        let state = self.last.as_ref()?;
        let machine = &self.machine;
        let grows = |&leaf: &Term| {
            let store = |map: Term| match machine.terms.get(map) {
                Node::Store(below, key, _) => Some((below, key)),
                _ => None,
            };
            let stores = std::iter::successors(store(leaf), |&(below, _)| store(below));
            let open = stores.filter(|&(_, key)| machine.terms.as_const(key).is_none());
            open.count() > MANY_KEYS
        };
        let mut globals = (0..).zip(&machine.program.globals);
        let global = globals.find(|&(id, _)| {
            let leaves = machine.rows.global(GlobalId(id));
            state.globals[leaves].iter().any(grows)
        });
        global.map(|(_, global)| global.name.as_str())
    }

    /// How many states there are.
    pub fn states(&self) -> u64 {
        self.found.origins.len() as u64
    }

    fn is_over(&mut self) -> bool {
        self.is_limited() || self.has_enough()
    }

    /// Whether a limit has ended the search.
    fn is_limited(&mut self) -> bool {
        if self.found.limit.is_none() {
            self.found.limit = self.machine.halt.reached();
        }
        self.found.limit.is_some()
    }

    /// Whether the search may stop at the bugs that it has. After a race alone it looks for other failures for a while.
    fn has_enough(&self) -> bool {
        let bugs = &self.found.bugs;
        let others = bugs.keys().any(|(kind, _)| *kind != ErrorKind::Race);
        let late = !bugs.is_empty() && self.states() > OTHERS_FIRST;
        !self.options.goes_on() && (others || late)
    }

    /// Counts the work for a state and for the questions since the last one, and reports progress.
    fn pay(&mut self, steps: u64) {
        let asked = self.machine.oracle.asked;
        let questions = asked.questions - self.paid;
        self.paid = asked.questions;
        self.machine.halt.spend(steps + QUESTION * questions);
        let waiting = self.queue.len();
        self.progress
            .show(self.found.origins.len() as u64, "states", || {
                format!(
                    "{waiting} waiting, {} questions to the solver, {} % answered without it",
                    asked.questions,
                    asked.saved()
                )
            });
    }

    /// The ways of a segment, in order.
    fn ways(&mut self, run: Run<'p>) -> Vec<Way<'p>> {
        let mut ways = std::mem::take(&mut self.room);
        ways.clear();
        self.machine.segment(run, |_, end, run| {
            let way = u32::try_from(ways.len()).unwrap_or(u32::MAX);
            ways.push((way, end, run));
        });
        ways
    }

    fn expand(&mut self, id: u32, state: &State<'p>) {
        if state.tasks.is_empty() {
            return self.finish(id, state);
        }
        if u64::from(self.found.origins[id as usize].depth) >= self.options.max_steps {
            self.found.too_long = true;
            return;
        }
        if state.turn.is_some() {
            return self.expand_cases(id, state);
        }
        let mut blocked = Vec::with_capacity(state.tasks.len());
        for position in 0..state.tasks.len() {
            match self.machine.blocked(state, position) {
                Ok(term) => blocked.push(term),
                Err(refusal) => return self.refused(refusal),
            }
        }
        self.look_for_deadlock(id, state, &blocked);
        let here = Here {
            id,
            state,
            case: None,
        };
        let mut next = Vec::new();
        for (position, blocked) in (0u32..).zip(blocked) {
            if blocked != Term::TRUE && !self.is_over() {
                self.dispatch(&here, position, &mut next);
            }
        }
        self.look_for_races(id, state, &next);
    }

    /// Notes a race if two tasks come next to accesses that nothing orders.
    fn look_for_races(&mut self, id: u32, state: &State<'p>, next: &[Coming]) {
        for (at, one) in next.iter().enumerate() {
            for other in next[at + 1..].iter().filter(|o| o.task != one.task) {
                if one.dropped || other.dropped {
                    // The assumption may hold after the other access.
                    let conflicts = self.machine.conflicts(&one.accesses, &other.accesses);
                    self.late.doubt(&conflicts);
                    continue;
                }
                match self.machine.race(state, one, other) {
                    Ok(None) => {}
                    Ok(Some(span)) => {
                        let both = [(one.task, one.way), (other.task, other.way)];
                        self.bug(ErrorKind::Race, span, Some(id), Last::Race(both));
                    }
                    Err(refusal) => self.refused(refusal),
                }
            }
        }
    }

    fn refused(&mut self, refusal: (String, Span)) {
        self.found.refusal.get_or_insert(refusal);
    }

    /// Notes a deadlock if every pending task is blocked for some values.
    fn look_for_deadlock(&mut self, id: u32, state: &State<'p>, blocked: &[Term]) {
        let machine = &mut self.machine;
        let all = machine.terms.all(blocked.iter().copied());
        if Mutant::DeadlocksAreClosed.is_on() && all != Term::TRUE {
            return;
        }
        match machine.oracle.holds(&machine.terms, &state.path, all) {
            Ok(None) => {}
            Ok(Some(_)) => self.deadlock(id, state),
            Err(reason) => self.refused((reason, state.first_wait())),
        }
    }

    fn deadlock(&mut self, id: u32, state: &State<'p>) {
        if self.machine.program.scope.deadlocks {
            self.bug(
                ErrorKind::Deadlock,
                state.first_wait(),
                Some(id),
                Last::Deadlock,
            );
        } else {
            // Here it is no bug that every task waits.
            self.found.ended = true;
        }
    }

    /// Makes the steps of a state in which it matters who is blocked.
    fn expand_cases(&mut self, id: u32, state: &State<'p>) {
        let cases = match self.machine.cases(state) {
            Ok(cases) => cases,
            Err(refusal) => return self.refused(refusal),
        };
        for (number, case) in (0u32..).zip(cases) {
            if self.is_over() {
                return;
            }
            if case.blocked.iter().all(|&b| b) {
                self.deadlock(id, state);
                continue;
            }
            let settled = Machine::settled(state, &case);
            let here = Here {
                id,
                state: &settled,
                case: Some(number),
            };
            self.steps(&here, &case.blocked);
        }
    }

    /// Makes the steps of a state whose scheduler says who may run.
    fn steps(&mut self, here: &Here<'_, 'p>, blocked: &[bool]) {
        let Some(turn) = &here.state.turn else { return };
        let position = |task: u32| here.state.tasks.iter().position(|t| t.number == task);
        for task in turn.queue.schedulable() {
            let Some(at) = position(task).filter(|&p| !blocked[p]) else {
                continue;
            };
            let missing = turn.missing(task);
            let step = u32::try_from(at).unwrap_or(u32::MAX);
            if missing.is_empty() {
                self.dispatch(here, step, &mut Vec::new());
            } else if !self.found.left_out.contains(missing) && self.goes_on(here, at) {
                self.found.left_out.add(missing);
            }
            if turn.delays() {
                self.delay(here, step, blocked);
            }
        }
    }

    /// Puts a task off, if another task can run then.
    fn delay(&mut self, here: &Here<'_, 'p>, position: u32, blocked: &[bool]) {
        let mut others = (0..blocked.len()).filter(|&p| p != position as usize && !blocked[p]);
        let Some(turn) = &here.state.turn else { return };
        if !turn.has_delays() {
            let known = self.found.left_out.contains(LeftOut::DELAYS);
            if !known && others.any(|p| self.goes_on(here, p)) {
                self.found.left_out.add(LeftOut::DELAYS);
            }
            return;
        }
        if others.next().is_none() {
            return;
        }
        let by = Move {
            case: here.case,
            step: Step::Delay(position),
            way: 0,
            form: Form::Plain,
        };
        let mut state = here.state.clone();
        let task = state.tasks[position as usize].number;
        state.turn.iter_mut().for_each(|turn| turn.delay(task));
        self.reach(Some(here.id), by, state);
    }

    /// Whether a task goes on if it runs: not all its ways come to a false assumption or find it blocked.
    fn goes_on(&mut self, here: &Here<'_, 'p>, position: usize) -> bool {
        let run = Machine::dispatch(here.state, position);
        let stays = |end: &End| matches!(end, End::Blocked | End::Dropped | End::Met);
        self.ways(run).iter().any(|(_, end, _)| !stays(end))
    }

    fn bug(&mut self, kind: ErrorKind, span: Span, id: Option<u32>, last: Last) {
        self.found
            .bugs
            .entry((kind, span))
            .or_insert(How::After(id, last));
    }

    /// Runs a task; adds its accesses to `next`, if races are looked for.
    fn dispatch(&mut self, here: &Here<'_, 'p>, position: u32, next: &mut Vec<Coming>) {
        let mut run = Machine::dispatch(here.state, position as usize);
        self.machine.apart(&mut run, position);
        let first = run.state.next;
        let mut ways = self.ways(run);
        for (way, end, mut run) in ways.drain(..) {
            // There may be very many ways, and each leads to a state that is brought into its form.
            if self.is_limited() {
                break;
            }
            let dropped = matches!(end, End::Dropped);
            if !run.acts.is_empty() && (is_real(&end) || dropped) {
                self.late.note(&run);
                if run.state.next - first > CHOSEN {
                    let reason = "too many values are chosen in one step".to_owned();
                    self.refused((reason, Span::default()));
                }
                next.push(Coming {
                    task: position,
                    way,
                    dropped,
                    accesses: run.acts.iter().filter_map(Act::access).cloned().collect(),
                    literals: run.state.path.literals.clone(),
                });
            }
            let by = Move {
                case: here.case,
                step: Step::Run(position),
                way,
                form: Form::Plain,
            };
            self.order(Some(here.id), by, &end, &mut run);
            self.arrive(Some(here.id), by, end, run);
        }
        self.room = ways;
    }

    /// Returns how many steps an execution has after this step in a state.
    fn depth(&self, before: Option<u32>, step: Step) -> u32 {
        let depth = before.map_or(0, |id| self.found.origins[id as usize].depth);
        depth + u32::from(matches!(step, Step::Run(_)))
    }

    /// Takes the end of a segment: the next state, a bug, or neither.
    fn arrive(&mut self, before: Option<u32>, by: Move, end: End, run: Run<'p>) {
        let moved = matches!(end, End::Finished | End::Suspended | End::Fails(..));
        if moved && before.is_some() {
            self.found.transitions += 1;
            let depth = self.depth(before, by.step);
            self.found.depth = self.found.depth.max(depth.into());
        }
        match end {
            End::Finished => self.reach(before, by, run.state.rested(None)),
            End::Suspended => self.reach(before, by, run.state.rested(Some(run.task))),
            End::Fails(kind, span) => {
                self.found.ended = true;
                self.bug(kind, span, before, Last::Move(by));
            }
            other => self.left(other),
        }
    }

    /// Notes how a way ends that comes to no state.
    fn left(&mut self, end: End) {
        let machine = &self.machine;
        self.found.left(end, || machine.halt.reached());
    }

    fn reach(&mut self, before: Option<u32>, mut by: Move, mut state: State<'p>) {
        if before.is_none() {
            state.inputs = 0;
        }
        let turns: Vec<u32> = state.tasks.iter().flat_map(|t| t.turns()).collect();
        self.machine.forget(&mut state);
        let places = self.machine.places(&state);
        let visits = self.visits.entry(places).or_default();
        let grows = state.inputs >= MANY_INPUTS || *visits >= MANY_VISITS;
        by.form = if grows { Form::Renamed } else { Form::Plain };
        let canonical = self.machine.remembered(state, by.form);
        let Key { form, known } = canonical.key;
        // `turns` follows the old order of the tasks; they may have been sorted.
        let turns = if turns.iter().all(|&t| t == 0) {
            turns
        } else {
            let tasks = canonical.state.tasks.iter();
            tasks.flat_map(|t| t.turns()).collect()
        };
        let path = canonical.state.path.clone();
        let followed = Followed::new(known, turns, path.literals.clone());
        if !self.seen.contains_key(&form[..]) {
            self.seen.insert(form.clone().into(), Vec::new());
        }
        let Some(seen) = self.seen.get_mut(&form[..]) else {
            return;
        };
        if seen.iter().any(|other| other.covers(&followed))
            || grows
                && seen.len() >= OFTEN
                && seen.len().is_power_of_two()
                && self.machine.follows(seen, &path, &followed)
        {
            return;
        }
        seen.push(followed);
        *self.visits.entry(places).or_default() += 1;
        let id = u32::try_from(self.found.origins.len()).unwrap_or(u32::MAX);
        let depth = self.depth(before, by.step);
        self.found.origins.push(Origin { before, by, depth });
        self.queue.push_back((id, canonical.state));
    }

    /// Ends the executions in a state without pending tasks: runs `finally`.
    fn finish(&mut self, id: u32, state: &State<'p>) {
        let Some(run) = self.machine.finish(state) else {
            return self.ended(state.clone());
        };
        for (way, end, run) in self.ways(run) {
            match end {
                End::Finished => self.ended(run.state),
                End::Fails(kind, span) => {
                    self.found.ended = true;
                    self.bug(kind, span, Some(id), Last::Finally(way));
                }
                other => self.left(other),
            }
        }
    }

    /// Notes that an execution has come to its end.
    fn ended(&mut self, state: State<'p>) {
        self.found.ended = true;
        if self.options.finals {
            self.found.ends.push(state);
        }
    }
}

/// The steps to a state, from the first on.
pub(super) fn steps(origins: &[Origin], id: Option<u32>) -> Vec<Move> {
    let mut steps = Vec::new();
    let mut next = id;
    while let Some(id) = next {
        let origin = origins[id as usize];
        steps.push(origin.by);
        next = origin.before;
    }
    steps.reverse();
    steps
}
