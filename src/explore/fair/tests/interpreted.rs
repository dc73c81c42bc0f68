//! Programs as fairness sees them, run by the interpreter of `trace`: what the fast machine is compared with.
//!
//! A task's number is the least that was free when it was posted, so that a program whose tasks come and
//! go has finitely many states; where the program itself can tell tasks apart (`self`, handles),
//! the numbers are those of the order of posting.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use crate::ir::{ErrorKind, ExprKind, Program, Types, Value};
use crate::options::Scheduler;
use crate::semantics::{Config, End, Machine, Queue, Stop};
use crate::source::Span;
use crate::trace::{Decision, Schedule};

use super::super::super::script::Script;
use super::super::model::{Endless, Failure, Finish, Model, Path, Step, To};
use super::super::tasks::Tasks;

/// A step: the task's number, and which of the ways that its choices open.
pub(crate) type Act = (u32, u32);

/// A program under a scheduler that leaves the order open.
pub(crate) struct Interpreted<'p> {
    program: &'p Program,
    scheduler: Scheduler,
    /// Whether the program can tell tasks apart.
    handles: bool,
    /// The final values of the visible globals, where executions are complete.
    pub finals: BTreeSet<Vec<Value>>,
    /// Why some execution cannot be followed, and where.
    pub refused: Option<(String, Span)>,
}

/// How a segment went.
struct SegmentResult<'p> {
    end: Result<End, Stop>,
    config: Config<'p>,
    made: Vec<Value>,
    slept: bool,
}

impl<'p> Interpreted<'p> {
    /// A program.
    pub fn new(program: &'p Program, scheduler: Scheduler) -> Self {
        let looks_at_itself = |e: &crate::ir::Expr| matches!(e.kind, ExprKind::SelfTask);
        let locals = || program.procs.iter().flat_map(|p| &p.locals);
        Self {
            program,
            scheduler,
            handles: program.exprs.iter().any(looks_at_itself)
                || locals().any(|l| l.ty == Types::TASK),
            finals: BTreeSet::new(),
            refused: None,
        }
    }

    /// Every way in which a segment can go.
    fn ways(
        &self,
        config: &Config<'p>,
        run: impl Fn(&mut Machine<'p, Script<'p>>) -> Result<End, Stop>,
    ) -> Vec<SegmentResult<'p>> {
        let mut script = Script::new(&self.program.types);
        let mut all = Vec::new();
        loop {
            let mut machine = Machine::new(self.program, config.clone(), script);
            let end = run(&mut machine);
            let (made, slept) = (machine.env.made.clone(), machine.env.slept);
            let config = machine.config;
            all.push(SegmentResult {
                end,
                config,
                made,
                slept,
            });
            script = machine.env;
            if !script.advance() {
                return all;
            }
        }
    }

    fn dispatched(&self, state: &Config<'p>, number: u32) -> Vec<SegmentResult<'p>> {
        let mut config = state.clone();
        config.queue.take(number);
        self.ways(&config, |m| m.dispatch(number))
    }

    /// The steps that are the ways of a task's segment.
    fn steps_of(
        &mut self,
        before: u32,
        number: u32,
        ways: Vec<SegmentResult<'p>>,
    ) -> Vec<MachineStep<'p>> {
        let mut steps = Vec::new();
        for (way, went) in (0u32..).zip(ways) {
            let to = match went.end {
                Ok(_) => {
                    let mut config = went.config;
                    self.settle(&mut config, before, number);
                    To::State {
                        slept: went.slept,
                        gone: !config.tasks.contains_key(&number),
                        state: Rc::new(config),
                    }
                }
                Err(Stop::Error(kind, _, span)) => To::Fails((kind, span)),
                Err(Stop::Dropped) => continue,
                Err(Stop::Refused(reason, span)) => {
                    self.refused.get_or_insert((reason, span));
                    continue;
                }
            };
            steps.push(Step {
                task: number - 1,
                act: (number - 1, way),
                to,
            });
        }
        steps
    }

    /// The execution as a schedule that any machine can follow.
    pub fn schedule(&self, path: &Path<Act>) -> Schedule {
        self.marked(path, None)
    }

    /// What repeats begins with that act.
    fn marked(&self, path: &Path<Act>, forever: Option<usize>) -> Schedule {
        let mut scribe = ScheduleWriter::default();
        let mut config = Config::new(self.program, self.scheduler);
        for (i, &(task, way)) in path.acts.iter().enumerate() {
            let (number, before) = (task + 1, config.posted);
            if forever == Some(i) {
                scribe.decisions.push(Decision::Forever);
            }
            let ways = if i == 0 {
                self.ways(&config, Machine::start)
            } else {
                scribe.dispatch(number);
                self.dispatched(&config, number)
            };
            let Some(went) = ways.into_iter().nth(way as usize) else {
                break;
            };
            scribe.choose(went.made);
            config = went.config;
            let posted = config.posted - before;
            let moves = self.settle(&mut config, before, number);
            scribe.posted(&moves, before, posted);
        }
        if let Some(way) = path.finish {
            let mut ways = self.finished(&config).into_iter();
            scribe.choose(ways.nth(way as usize).map_or(Vec::new(), |w| w.made));
        }
        Schedule {
            decisions: scribe.decisions,
        }
    }

    fn finished(&self, config: &Config<'p>) -> Vec<SegmentResult<'p>> {
        self.ways(config, |m| m.finish().map(|()| End::Finished))
    }

    /// Gives the tasks that a segment posted their numbers; answers from which number each has come.
    /// There were so many tasks before; the one that ran keeps its number meanwhile.
    fn settle(&self, config: &mut Config<'p>, before: u32, ran: u32) -> Vec<(u32, u32)> {
        let (old, fresh): (Vec<u32>, Vec<u32>) =
            config.tasks.keys().copied().partition(|&n| n <= before);
        if self.handles {
            return fresh.into_iter().map(|n| (n, n)).collect();
        }
        let mut taken: BTreeSet<u32> = old.into_iter().chain([ran]).collect();
        let mut moves = Vec::new();
        for number in fresh {
            let free = (1..).find(|n| !taken.contains(n)).unwrap_or(number);
            taken.insert(free);
            moves.push((number, free));
            if let Some(task) = config.tasks.remove(&number) {
                config.tasks.insert(free, task);
            }
        }
        config.posted = config.tasks.keys().next_back().copied().unwrap_or(0);
        if let Queue::Bag(m) | Queue::Bounded(_, m) = &mut config.queue {
            *m = config.tasks.keys().copied().collect();
        }
        moves
    }

    fn note_final(&mut self, globals: &[Value]) {
        let shown = self.program.globals.iter().zip(globals);
        let shown = shown.filter(|(g, _)| g.is_final());
        self.finals.insert(shown.map(|(_, v)| v.clone()).collect());
    }

    /// The endless execution as a schedule: the stem, that many turns in advance, and the turn that repeats.
    pub fn forever(&self, endless: &Endless<Act>, turns: usize) -> Schedule {
        let mut acts = endless.stem.clone();
        for _ in 0..turns {
            acts.extend(&endless.turn);
        }
        let at = acts.len();
        acts.extend(&endless.turn);
        self.marked(&Path { acts, finish: None }, Some(at))
    }
}

type MachineStep<'p> = Step<Rc<Config<'p>>, Act>;

/// Writes a schedule: knows which number in the order of posting each of the model's numbers stands for.
struct ScheduleWriter {
    decisions: Vec<Decision>,
    numbers: BTreeMap<u32, u32>,
    posted: u32,
}

impl Default for ScheduleWriter {
    fn default() -> Self {
        Self {
            decisions: Vec::new(),
            numbers: BTreeMap::from([(1, 1)]),
            posted: 1,
        }
    }
}

impl ScheduleWriter {
    fn dispatch(&mut self, number: u32) {
        let real = self.numbers.get(&number).copied().unwrap_or(number);
        self.decisions.push(Decision::Dispatch(real));
    }

    fn choose(&mut self, made: Vec<Value>) {
        self.decisions
            .extend(made.into_iter().map(Decision::Choose));
    }

    /// So many tasks were posted. Those that were kept had numbers after `before`, and have been given others.
    fn posted(&mut self, moves: &[(u32, u32)], before: u32, count: u32) {
        for &(from, to) in moves {
            self.numbers.insert(to, self.posted + from - before);
        }
        self.posted += count;
    }
}

impl<'p> Model for Interpreted<'p> {
    type State = Rc<Config<'p>>;
    type Act = Act;

    fn begin(&mut self) -> Vec<MachineStep<'p>> {
        let config = Config::new(self.program, self.scheduler);
        let ways = self.ways(&config, Machine::start);
        self.steps_of(1, 1, ways)
    }

    fn enabled(&mut self, state: &Self::State) -> Tasks {
        let script = Script::new(&self.program.types);
        let machine = Machine::new(self.program, Config::clone(state), script);
        // A condition that cannot be looked at shows when the task is run.
        let free = |n: &u32| !machine.blocked(*n).unwrap_or(false);
        let tasks = state.tasks.keys().copied().filter(free);
        tasks.map(|n| n - 1).collect()
    }

    fn is_final(&mut self, state: &Self::State) -> bool {
        state.tasks.is_empty()
    }

    fn deadlock(&mut self, state: &Self::State) -> Failure {
        let first = state.tasks.values().next().and_then(|t| t.at);
        let span = first.map_or_else(Span::default, |(_, span)| span);
        (ErrorKind::Deadlock, span)
    }

    fn steps(&mut self, state: &Self::State, of: &Tasks) -> Vec<MachineStep<'p>> {
        let mut steps = Vec::new();
        for task in of.iter() {
            let ways = self.dispatched(state, task + 1);
            steps.extend(self.steps_of(state.posted, task + 1, ways));
        }
        steps
    }

    fn finish(&mut self, state: &Self::State) -> Vec<Finish> {
        let mut ends = Vec::new();
        for went in self.finished(state) {
            ends.push(match went.end {
                Ok(_) => {
                    self.note_final(&went.config.globals);
                    Finish::Done
                }
                Err(Stop::Error(kind, _, span)) => Finish::Fails((kind, span)),
                Err(Stop::Dropped) => Finish::Void,
                Err(Stop::Refused(reason, span)) => {
                    self.refused.get_or_insert((reason, span));
                    Finish::Void
                }
            });
        }
        ends
    }

    fn bytes(&self) -> u64 {
        self.finals.len() as u64 * 64
    }

    fn size(&self, state: &Self::State) -> u64 {
        state.bytes()
    }
}
