//! One execution, made decision by decision. A [`Guide`] says at each visit of the dispatcher which task goes on, and gives a
//! value to each choice of the program. The result is a schedule, which [`mod@super::replay`] shows.

use base::clock::Instant;
use base::source::Span;
use ir::{ChoiceKind, Program, Type, TypeId, Types, Value};
use options::Scheduler;
use semantics::{Config, End, Env, Machine, Stop, refuse};

use super::{Decision, Schedule};

pub trait Guide {
    /// Picks an entry of `open` by its index; `None` ends the execution here.
    fn next(&mut self, made: &[Decision], open: &[Open]) -> Option<usize>;

    /// Picks a value of a type; `None` ends the execution here.
    fn value(
        &mut self,
        made: &[Decision],
        types: &Types,
        of: (TypeId, ChoiceKind),
    ) -> Option<Value>;
}

/// A decision that may come next.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Open {
    pub decision: Decision,
    /// The procedure that the task began with.
    pub proc: String,
}

/// How a simulated execution ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// All tasks are done.
    Ended,
    /// It failed, or no task can go on: the replay says how.
    Failed,
    /// An assumption of the program is false: this is no execution.
    Dropped,
    /// The guide ended it.
    Left,
    /// The dispatcher was visited as often as it may be.
    Long,
    /// A segment is longer than it may be, or the machine cannot follow it: its decisions are left out.
    Stopped,
    /// The time is up.
    Late,
}

/// The decisions of an execution, and how it ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Simulated {
    /// `None` if not even its first segment has an end: then there is nothing to show.
    pub schedule: Option<Schedule>,
    pub outcome: Outcome,
    /// Why and where it was stopped, if it was.
    pub stopped: Option<(String, Span)>,
}

/// How many statements a task may run in a simulated execution until it goes back to the scheduler.
const MOST_STATEMENTS: u64 = 200_000;

/// How long an execution may be.
#[derive(Clone, Copy, Debug)]
pub struct Length {
    /// The most visits of the dispatcher.
    pub visits: usize,
    pub end: Option<Instant>,
}

/// Runs a program as the guide decides, within the given length.
pub fn simulate(
    program: &Program,
    scheduler: Scheduler,
    guide: &mut dyn Guide,
    most: Length,
) -> Simulated {
    let env = Made {
        types: &program.types,
        decisions: Vec::new(),
        guide,
        left: false,
    };
    let mut machine = Machine::new(program, Config::new(program, scheduler), env);
    machine.end = most.end;
    let mut stopped = None;
    let outcome = run(&mut machine, most).unwrap_or_else(|stop| match stop {
        Stop::Error(..) => Outcome::Failed,
        Stop::Dropped => Outcome::Dropped,
        Stop::Refused(..) if machine.env.left => Outcome::Left,
        Stop::Refused(..) if machine.is_late() => Outcome::Late,
        Stop::Refused(why, at) => {
            let cut = program.scope.cut(at).map(|cut| cut.why.clone());
            stopped = Some((cut.unwrap_or(why), at));
            Outcome::Stopped
        }
    });
    let mut decisions = Some(machine.env.decisions);
    if matches!(outcome, Outcome::Stopped | Outcome::Late) || machine.env.left {
        // A segment without its end cannot be shown.
        let begin = |d: &Decision| matches!(d, Decision::Dispatch(_));
        decisions = decisions.and_then(|all| Some(all[..all.iter().rposition(begin)?].to_vec()));
    }
    Simulated {
        schedule: decisions.map(|decisions| Schedule { decisions }),
        outcome,
        stopped,
    }
}

fn run(machine: &mut Machine<'_, Made<'_>>, most: Length) -> Result<Outcome, Stop> {
    machine.fuel = MOST_STATEMENTS;
    let mut end = machine.start()?;
    for _ in 0..most.visits {
        machine.fuel = MOST_STATEMENTS;
        if machine.is_late() {
            return Ok(Outcome::Late);
        }
        machine.visit();
        if machine.config.tasks.is_empty() {
            if end == End::Finished {
                machine.finish()?;
            }
            return Ok(Outcome::Ended);
        }
        if machine.deadlock()?.is_some() {
            return Ok(Outcome::Failed);
        }
        machine.pass_over();
        let open = open(machine);
        if open.is_empty() {
            return Err(refuse("no task can go on".to_owned()));
        }
        let env = &mut machine.env;
        let Some(choice) = env.guide.next(&env.decisions, &open) else {
            return Ok(Outcome::Left);
        };
        let decision = open[choice.min(open.len() - 1)].decision.clone();
        machine.env.decisions.push(decision.clone());
        match decision {
            Decision::Delay(task) => {
                machine.put_off(task)?;
                end = End::Suspended;
            }
            Decision::Dispatch(task) => {
                end = machine.turn(task)?;
            }
            _ => return Ok(Outcome::Stopped),
        }
    }
    Ok(Outcome::Long)
}

/// The decisions that may come next: any task that can go on may run. A scheduler with one next task can also delay it.
fn open(machine: &Machine<'_, Made<'_>>) -> Vec<Open> {
    let takable = machine.config.queue.schedulable();
    let one = machine.config.queue.next().is_some();
    let ready = takable
        .iter()
        .filter(|&&t| machine.known_blocked(t) != Some(true));
    // If no other task is pending, a delay changes nothing.
    let delays = one && machine.config.tasks.len() > 1;
    let delayed = takable.iter().filter(|_| delays);
    let open = |task: u32, decision| {
        let pending = machine.config.tasks.get(&task);
        let root = pending.and_then(|t| t.frames.first());
        let proc = root.map(|f| machine.program.proc(f.proc).name.clone());
        let proc = proc.unwrap_or_default();
        Open { decision, proc }
    };
    let ready = ready.map(|&t| open(t, Decision::Dispatch(t)));
    let delayed = delayed.map(|&t| open(t, Decision::Delay(t)));
    ready.chain(delayed).collect()
}

/// The decisions so far, and who makes them.
struct Made<'a> {
    types: &'a Types,
    decisions: Vec<Decision>,
    guide: &'a mut dyn Guide,
    /// Whether the guide ended the execution at a choice.
    left: bool,
}

impl Env for Made<'_> {
    fn choose(&mut self, ty: TypeId, kind: ChoiceKind) -> Result<Value, String> {
        let Some(value) = (self.guide).value(&self.decisions, self.types, (ty, kind)) else {
            self.left = true;
            return Err("nobody wants to go on".to_owned());
        };
        self.decisions.push(Decision::Choose(value.clone()));
        Ok(value)
    }
}

/// Decides at random, and always the same for the same seed.
#[derive(Clone, Debug)]
pub struct Dice {
    rng: fastrand::Rng,
    /// One in so many truth values is the rare one.
    odds: u8,
    rare: bool,
}

impl Dice {
    /// Most seeds give truth values that are mostly alike: where each call may fail, all calls have to succeed for long.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        let mut rng = fastrand::Rng::with_seed(seed);
        let (mut odds, mut rare) = (2, true);
        if seed > 0 {
            odds = *rng.choice(&[2, 8, 32]).unwrap_or(&odds);
            rare = rng.u8(..4) > 0;
        }
        Self { rng, odds, rare }
    }

    /// A value of a type. Numbers without bounds are small: those are the ones that programs compare with.
    fn throw(&mut self, types: &Types, ty: TypeId) -> Value {
        match types.get(ty) {
            Type::Bool => Value::Bool((self.rng.u8(..self.odds) == 0) == self.rare),
            Type::Int => Value::Int(self.rng.i128(-2..=9)),
            Type::Task => Value::Task(None),
            Type::Range(..) | Type::Bits(_) | Type::Enum(_) => {
                let (lo, hi) = types.bounds(ty).unwrap_or((0, 0));
                let least = lo.max(-2).min(hi);
                let near = least..=hi.min(least.saturating_add(11));
                // In a wide range, every second throw is among the small values.
                let wide = near != (lo..=hi) && self.rng.bool();
                Value::Int(self.rng.i128(if wide { lo..=hi } else { near }))
            }
            Type::Record(record) => {
                let fields = record.fields.iter();
                Value::Record(fields.map(|f| self.throw(types, f.1)).collect())
            }
            &Type::Array(length, element) => {
                Value::Array((0..length).map(|_| self.throw(types, element)).collect())
            }
            &Type::Map(_, element) => Value::Map(Box::new(self.throw(types, element)), Vec::new()),
        }
    }
}

impl Guide for Dice {
    fn next(&mut self, _: &[Decision], open: &[Open]) -> Option<usize> {
        Some(self.rng.usize(..open.len()))
    }

    fn value(
        &mut self,
        _: &[Decision],
        types: &Types,
        (ty, _): (TypeId, ChoiceKind),
    ) -> Option<Value> {
        Some(self.throw(types, ty))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_second_number_is_small() {
        let mut types = Types::default();
        let ty = types.intern(Type::Range(i32::MIN.into(), i32::MAX.into()));
        let mut dice = Dice::new(1);
        let small = (0..1000).filter(|_| match dice.throw(&types, ty) {
            Value::Int(number) => (-2..=9).contains(&number),
            _ => false,
        });
        assert!((400..600).contains(&small.count()));
    }
}
