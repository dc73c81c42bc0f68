//! What refutes a declaration, for people: the state, the arguments, and what differs.

use ir::{
    ChoiceKind, DeclaredKind, DeclaredOp, ExprId, GlobalId, Program, Type, TypeId, Types, Value,
};
use options::Scheduler;
use semantics::{Config, Env, Machine, Stop, Variable, diff};
use seq::map::SeqEvent;
use trace::Bug;
use trace::{Change, Decision, Schedule};

use super::copy::{DROPPED, RAN};
use super::question::{BEGIN, Fault, Part, Question, STEPS};

/// The bug that an execution of the question shows.
///
/// # Errors
/// When the machine does not see it: a fault of ours.
pub(super) fn bug(
    program: &Program,
    question: &Question<'_>,
    events: &[SeqEvent],
) -> Result<Bug, String> {
    let fault = replayed(question, events)?;
    let mut case = Case::new(program, question, events)?;
    case.after.truncate(match fault {
        Fault::Together => 0,
        Fault::Disables(0) => 1,
        Fault::Disables(_) => 3,
        Fault::Ends(_) | Fault::Returns(_) | Fault::Leaves(_) => 4,
    });
    let message = format!("{}: {}", case.claim(), case.words(fault)?);
    let trace = case.trace(fault, schedule(events));
    Ok(Bug {
        kind: ir::ErrorKind::Object,
        message,
        span: Some(question.claim.span),
        trace,
    })
}

fn choices(events: &[SeqEvent]) -> impl Iterator<Item = Value> {
    events.iter().filter_map(|event| match event {
        SeqEvent::Choice { value, .. } => Some(value.clone()),
        SeqEvent::Mark { .. } => None,
    })
}

fn schedule(events: &[SeqEvent]) -> Schedule {
    Schedule {
        decisions: choices(events).map(Decision::Choose).collect(),
    }
}

/// The choices of a counterexample, and the check that fails with them.
struct Choices {
    values: std::vec::IntoIter<Value>,
    failed: Option<ExprId>,
}

impl Env for Choices {
    fn choose(&mut self, _: TypeId, _: ChoiceKind) -> Result<Value, String> {
        Ok(self.values.next().unwrap_or(Value::Any))
    }

    fn fails(&mut self, condition: ExprId) {
        self.failed = Some(condition);
    }
}

/// Which check fails when the machine runs it.
fn replayed(question: &Question<'_>, events: &[SeqEvent]) -> Result<Fault, String> {
    let choices = Choices {
        values: choices(events).collect::<Vec<_>>().into_iter(),
        failed: None,
    };
    let config = Config::new(&question.program, Scheduler::DepthFirst);
    let mut machine = Machine::new(&question.program, config, choices);
    let message = match machine.start() {
        Err(Stop::Error(_, message, _)) => message,
        Err(Stop::Refused(reason, _)) => {
            let message = format!("the counterexample of a declaration does not replay: {reason}");
            return Err(message);
        }
        Ok(_) | Err(Stop::Dropped) => {
            return Err("the counterexample of a declaration does not fail when replayed".into());
        }
    };
    let fault =
        (question.faults.iter()).find(|(condition, _)| machine.env.failed == Some(*condition));
    fault
        .map(|&(_, fault)| fault)
        .ok_or_else(|| format!("the counterexample of a declaration fails: {message}"))
}

/// Says how a step that did not run to its end has ended.
pub(super) fn how(ended: &Value) -> &'static str {
    if *ended == Value::Int(DROPPED) {
        "is dropped"
    } else {
        "fails"
    }
}

pub(super) struct After {
    pub(super) side: usize,
    pub(super) state: Vec<Value>,
    pub(super) ended: Value,
    pub(super) result: Option<Value>,
}

/// A state and what happens in it.
pub(super) struct Case<'a> {
    pub(super) program: &'a Program,
    pub(super) question: &'a Question<'a>,
    pub(super) args: [Vec<Value>; 2],
    pub(super) begin: Vec<Value>,
    pub(super) after: Vec<After>,
    /// The indices of the object in its array.
    element: Vec<usize>,
}

impl<'a> Case<'a> {
    fn new(
        program: &'a Program,
        question: &'a Question<'a>,
        events: &[SeqEvent],
    ) -> Result<Self, String> {
        let marks = |mark: u32| {
            events.iter().find_map(move |event| match event {
                SeqEvent::Mark { id, values } if *id == mark => Some(values.clone()),
                _ => None,
            })
        };
        let mut case = Self {
            program,
            question,
            args: [Vec::new(), Vec::new()],
            begin: Vec::new(),
            after: Vec::new(),
            element: Vec::new(),
        };
        let mut begin = marks(BEGIN)
            .ok_or("the counterexample does not begin")?
            .into_iter();
        for index in begin.by_ref().take(question.claim.indices as usize) {
            case.element.push(match index {
                Value::Int(i) => usize::try_from(i).unwrap_or(0),
                _ => 0,
            });
        }
        for side in [0, 1] {
            let types = case.params(side).map(|(_, ty)| ty).collect::<Vec<_>>();
            let args = types.into_iter().zip(begin.by_ref());
            case.args[side] = args.map(|(ty, v)| case.back(ty, v)).collect();
        }
        case.begin = case.state(begin);
        for (mark, side) in STEPS {
            let Some(values) = marks(mark) else { break };
            let mut values = values.into_iter();
            let state = case.state(values.by_ref().take(question.state.len()));
            let ended = values.next().ok_or("a step has not ended")?;
            let ty = program.proc(case.body(side)).result;
            let result = ty.zip(values.next()).map(|(ty, v)| case.back(ty, v));
            case.after.push(After {
                side,
                state,
                ended,
                result,
            });
        }
        Ok(case)
    }

    fn state(&self, values: impl Iterator<Item = Value>) -> Vec<Value> {
        let globals = self.question.state.iter().zip(values);
        globals
            .map(|(g, value)| {
                let whole = self.back(self.program.globals[g.index()].ty, value);
                self.own(*g, whole)
            })
            .collect()
    }

    /// The value in the original program, where tasks are tasks.
    fn back(&self, ty: TypeId, value: Value) -> Value {
        match (self.program.types.get(ty), value) {
            (Type::Task, Value::Int(0)) => Value::Task(None),
            // A task below zero is one that occurs nowhere else.
            (Type::Task, Value::Int(n)) => Value::Task(Some(u32::try_from(n).unwrap_or(u32::MAX))),
            (Type::Record(record), Value::Record(fields)) => {
                let fields = record.fields.iter().zip(fields);
                Value::Record(fields.map(|((_, ty), v)| self.back(*ty, v)).collect())
            }
            (Type::Array(_, ty), Value::Array(all)) => {
                Value::Array(all.into_iter().map(|v| self.back(*ty, v)).collect())
            }
            (Type::Map(key, ty), Value::Map(rest, entries)) => Value::Map(
                Box::new(self.back(*ty, *rest)),
                (entries.into_iter())
                    .map(|(k, v)| (self.back(*key, k), self.back(*ty, v)))
                    .collect(),
            ),
            (_, value) => value,
        }
    }

    pub(super) fn op(&self, side: usize) -> &DeclaredOp {
        [&self.question.claim.a, &self.question.claim.b][side]
    }

    pub(super) fn body(&self, side: usize) -> ir::ProcId {
        let op = self.op(side);
        match self.question.parts[side] {
            Part::Enqueue => op.enqueue.unwrap_or(op.body),
            Part::Guarded => op.body,
        }
    }

    /// Names and types of an operation's parameters.
    fn params(&self, side: usize) -> impl Iterator<Item = (&str, TypeId)> {
        let proc = self.program.proc(self.body(side));
        let all = proc.locals[..proc.params as usize].iter();
        all.skip(self.question.claim.indices as usize)
            .map(|l| (&*l.name, l.ty))
    }

    /// Whether a global belongs to the object. For an array of objects, whether a part of the global does.
    fn is_own(&self, global: GlobalId) -> bool {
        let claim = self.question.claim;
        let counters = [claim.a.spurious, claim.b.spurious];
        let mut counters = counters.iter().flatten();
        claim.state.contains(&global) || counters.any(|c| c.0 == global)
    }

    /// Where the object's part of a variable is.
    fn path(&self, global: GlobalId) -> &[usize] {
        if self.is_own(global) {
            &self.element
        } else {
            &[]
        }
    }

    /// The object's part of a variable.
    fn own(&self, global: GlobalId, mut value: Value) -> Value {
        for &index in self.path(global) {
            value = match value {
                Value::Array(all) => all.into_iter().nth(index).unwrap_or(Value::Any),
                other => other,
            };
        }
        value
    }

    pub(super) fn type_of(&self, global: GlobalId) -> TypeId {
        let mut ty = self.program.globals[global.index()].ty;
        for _ in self.path(global) {
            if let Type::Array(_, element) = self.program.types.get(ty) {
                ty = *element;
            }
        }
        ty
    }

    /// A variable's name inside the object.
    fn name(&self, global: GlobalId) -> &str {
        let variable = &self.program.globals[global.index()];
        let inside = variable.state_of.as_ref().filter(|_| self.is_own(global));
        inside.map_or(&variable.name, |state| &state.name)
    }

    fn op_name(&self, side: usize) -> &str {
        &self.program.ops[self.op(side).op.index()].name
    }

    /// `take(3)`
    pub(super) fn step(&self, side: usize) -> String {
        let types = &self.program.types;
        let args = self.params(side).zip(&self.args[side]);
        let args: Vec<String> = args.map(|((_, ty), v)| v.show(types, ty)).collect();
        let call = format!("{}({})", self.op_name(side), args.join(", "));
        match self.question.parts[side] {
            Part::Enqueue => format!("the enqueue part of {call}"),
            Part::Guarded => call,
        }
    }

    /// Says which declaration is false.
    fn claim(&self) -> String {
        let what = match self.question.claim.kind {
            DeclaredKind::Independent => "independent",
            DeclaredKind::Exclusive => "exclusive",
        };
        let (a, b) = (self.op_name(0), self.op_name(1));
        format!("`{a}` and `{b}` are not {what}")
    }

    fn words(&self, fault: Fault) -> Result<String, String> {
        let (types, within) = (&self.program.types, self.within());
        let what = match fault {
            Fault::Together => format!("{} and {} are both enabled", self.step(0), self.step(1)),
            Fault::Disables(side) => {
                format!("{} disables {}", self.step(side), self.step(1 - side))
            }
            Fault::Ends(side) => self.ends(side)?,
            Fault::Returns(side) => {
                let (first, second) = self.twice(side)?;
                let ty = self.program.proc(self.body(side)).result;
                let show = |after: &After| match (&after.result, ty) {
                    (Some(value), Some(ty)) => value.show(types, ty),
                    _ => "nothing".to_owned(),
                };
                format!(
                    "{} returns {} before {}, and {} after it",
                    self.step(side),
                    show(first),
                    self.step(1 - side),
                    show(second)
                )
            }
            Fault::Leaves(global) => self.leaves(global)?,
        };
        Ok(format!("{within}{what}"))
    }

    /// Writes the state; of a large one only a part.
    fn within(&self) -> String {
        const SHOWN: usize = 6;
        let all: Vec<String> = (self.shown(&self.begin).into_iter())
            .map(|(name, value)| format!("{name} = {value}"))
            .collect();
        match all.len() {
            0 => String::new(),
            1..=SHOWN => format!("with {}, ", all.join(", ")),
            _ => format!("with {}, …, ", all[..SHOWN].join(", ")),
        }
    }

    pub(super) fn shown(&self, state: &[Value]) -> Vec<(String, String)> {
        let globals = self.question.state.iter().zip(state);
        globals
            .map(|(&g, value)| {
                let value = value.show(&self.program.types, self.type_of(g));
                (self.name(g).to_owned(), value)
            })
            .collect()
    }

    /// A step when it comes first, and when it comes second.
    fn twice(&self, side: usize) -> Result<(&After, &After), String> {
        let mut both = self
            .after
            .iter()
            .enumerate()
            .filter(|(_, a)| a.side == side);
        let (one, other) = (both.next(), both.next());
        let (Some((at, one)), Some((_, other))) = (one, other) else {
            return Err("the counterexample does not show both orders".to_owned());
        };
        // In the first order side 0 comes first, in the second one side 1.
        Ok(if at == 0 { (one, other) } else { (other, one) })
    }

    fn ends(&self, side: usize) -> Result<String, String> {
        let (first, second) = self.twice(side)?;
        let (it, other) = (self.step(side), self.step(1 - side));
        let (before, after) = (how(&first.ended), how(&second.ended));
        Ok(if first.ended == Value::Int(RAN) {
            format!("{it} {after} after {other}, and not before it")
        } else if second.ended == Value::Int(RAN) {
            format!("{it} {before} before {other}, and not after it")
        } else {
            format!("{it} {before} in one place before {other}, and {after} in another after it")
        })
    }

    fn leaves(&self, global: GlobalId) -> Result<String, String> {
        let at = self.question.state.iter().position(|g| *g == global);
        let (Some(at), [_, one, _, other]) = (at, &self.after[..]) else {
            return Err("the counterexample does not show both orders".to_owned());
        };
        let (a, b) = (&one.state[at], &other.state[at]);
        let (name, a_value) = self.difference(global, b, a);
        let (_, b_value) = self.difference(global, a, b);
        Ok(format!(
            "{} and then {} leave {name} = {a_value}, in the other order {name} = {b_value}",
            self.step(0),
            self.step(1)
        ))
    }

    /// The first part of a variable that differs, with its new value.
    fn difference(&self, global: GlobalId, from: &Value, to: &Value) -> (String, String) {
        let mut changed = Vec::new();
        self.compare(global, from, to, &mut changed);
        let first = changed.into_iter().next();
        first.map_or_else(Default::default, |c| (c.name, c.value))
    }

    pub(super) fn compare(
        &self,
        global: GlobalId,
        from: &Value,
        to: &Value,
        changed: &mut Vec<Change>,
    ) {
        let types: &Types = &self.program.types;
        let mut variable = Variable::global(&self.program.globals[global.index()]);
        variable.name = self.name(global).to_owned();
        diff(types, self.type_of(global), &variable, (from, to), changed);
    }
}
