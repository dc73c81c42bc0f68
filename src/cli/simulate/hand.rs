//! A person who decides: who goes on, and which values are chosen.

use std::fmt::Write as _;
use std::io::{self, BufRead, IsTerminal};

use base::source::SourceMap;
use ir::{ChoiceKind, Dialect, Program, Type, TypeId, Types, Value};
use options::Scheduler;
use report::words;
use trace::simulate::{Dice, Guide, Open};
use trace::{Decision, Schedule, StepKind, Trace, TraceStep, replay};

use super::super::job::Job;
use super::super::output;

const HELP: &str = "  N       the N-th of what may come next      r       one decision at random
  b       back to the decision before         run     all further decisions at random
  q       leave it here                       ?       this list
";

/// A person at a terminal, or commands from a pipe.
pub struct Hand<'a> {
    program: &'a Program,
    sources: &'a SourceMap,
    scheduler: Scheduler,
    dice: Dice,
    /// Decisions that were made before going back, to be made again.
    again: Vec<Decision>,
    /// Whether the last run ended because the user wants to go back.
    back: bool,
    /// Whether all further decisions are made at random.
    random: bool,
    /// The decisions before the random ones. Below, how often the random ones may be made anew.
    before: Vec<Decision>,
    tries: u64,
    /// How many steps have been shown.
    shown: usize,
    terminal: bool,
}

enum Typed {
    Text(String),
    Random,
    Back,
    Quit,
}

impl<'a> Hand<'a> {
    pub fn new(job: &'a Job<'_>, scheduler: Scheduler, tries: u64) -> Self {
        Self {
            program: &job.program,
            sources: &job.sources,
            scheduler,
            dice: Dice::new(0),
            again: Vec::new(),
            back: false,
            random: false,
            before: Vec::new(),
            tries,
            shown: 0,
            terminal: io::stdin().is_terminal(),
        }
    }

    /// Whether the execution is to be made once more, up to the decision before the last.
    pub fn goes_back(&mut self) -> bool {
        std::mem::take(&mut self.back)
    }

    /// Checks whether random decisions that came to no execution are made anew.
    pub fn tries_again(&mut self) -> bool {
        let again = self.random && self.tries > 0;
        if again {
            self.tries -= 1;
            self.again.clone_from(&self.before);
        }
        again
    }

    /// Returns the dice for a decision at random. If all that follow are random too, notes the decisions before it.
    fn at_random(&mut self, made: &[Decision]) -> &mut Dice {
        if self.random {
            self.before = made.to_vec();
        }
        &mut self.dice
    }

    /// Shows the steps that have not been shown yet.
    pub fn show(&mut self, trace: &Trace) {
        let mut out = String::new();
        for step in trace.steps.get(self.shown..).unwrap_or_default() {
            out.push_str(&self.line(step, trace.dialect));
        }
        self.shown = trace.steps.len();
        output::print(&out);
    }

    fn line(&self, step: &TraceStep, dialect: Dialect) -> String {
        let place = step
            .span
            .map(|span| report::lines::place(self.sources, span));
        let place = place.unwrap_or_default();
        let who = match step.task {
            0 => String::new(),
            task => format!("task {task} ({}): ", step.proc),
        };
        let fails = if step.kind() == StepKind::Fails {
            "  <-- fails"
        } else {
            ""
        };
        let action = words::action(step, dialect);
        let changes = words::News::of(step).bracket();
        format!("{place:>5}  {who}{action}{changes}{fails}\n")
    }

    /// Shows what has happened since the last question.
    fn catch_up(&mut self, made: &[Decision]) {
        let schedule = Schedule {
            decisions: made.to_vec(),
        };
        if let Ok((trace, _)) = replay(self.program, self.scheduler, &schedule) {
            self.show(&trace);
        }
    }

    /// Names the task that makes a choice after these decisions.
    fn who(&self, made: &[Decision]) -> String {
        let running = made.iter().rev().find_map(|d| match d {
            Decision::Dispatch(task) => Some(*task),
            _ => None,
        });
        match running {
            Some(task) => format!("task {task}"),
            None => format!("task 1 ({})", self.program.proc(self.program.main).name),
        }
    }

    /// Asks until the person types something that is no request for help.
    fn ask(&mut self, question: &str) -> Typed {
        loop {
            output::print(&format!("{question}> "));
            let mut line = String::new();
            let read = io::stdin().lock().read_line(&mut line);
            if !matches!(read, Ok(n) if n > 0) {
                output::print("\n");
                return Typed::Quit;
            }
            if !self.terminal {
                output::print(&line);
            }
            match line.trim() {
                "?" | "h" | "help" => output::print(HELP),
                "q" | "quit" => return Typed::Quit,
                "b" | "back" => return Typed::Back,
                "r" | "random" => return Typed::Random,
                "run" => {
                    self.random = true;
                    return Typed::Random;
                }
                text => return Typed::Text(text.to_owned()),
            }
        }
    }

    /// Prepares to make the execution once more without its last decision about a task.
    fn go_back(&mut self, made: &[Decision]) {
        let chosen = |d: &Decision| matches!(d, Decision::Dispatch(_) | Decision::Delay(_));
        let before = made.iter().rposition(chosen);
        self.again = made[..before.unwrap_or(0)].to_vec();
        self.back = true;
        self.shown = 0;
        output::print("back:\n");
    }
}

/// What may come next, numbered.
fn menu(open: &[Open]) -> String {
    let mut out = String::new();
    for (number, one) in (1..).zip(open) {
        let _ = match &one.decision {
            Decision::Delay(task) => writeln!(out, "{number}: delay task {task} ({})", one.proc),
            Decision::Dispatch(task) => writeln!(out, "{number}: task {task} ({})", one.proc),
            _ => Ok(()),
        };
    }
    out
}

impl Guide for Hand<'_> {
    fn next(&mut self, made: &[Decision], open: &[Open]) -> Option<usize> {
        if let Some(before) = self.again.get(made.len()) {
            return open.iter().position(|o| o.decision == *before);
        }
        if self.random {
            return self.dice.next(made, open);
        }
        self.catch_up(made);
        if let [_] = open {
            return Some(0);
        }
        let menu = menu(open);
        loop {
            match self.ask(&menu) {
                Typed::Text(text) => match text.parse::<usize>() {
                    Ok(number) if (1..=open.len()).contains(&number) => return Some(number - 1),
                    _ => output::print(&format!("write a number from 1 to {}, or ?\n", open.len())),
                },
                Typed::Random => return self.at_random(made).next(made, open),
                Typed::Back => {
                    self.go_back(made);
                    return None;
                }
                Typed::Quit => return None,
            }
        }
    }

    fn value(
        &mut self,
        made: &[Decision],
        types: &Types,
        of: (TypeId, ChoiceKind),
    ) -> Option<Value> {
        if let Some(Decision::Choose(value)) = self.again.get(made.len()) {
            return Some(value.clone());
        }
        self.part(made, types, of, "")
    }
}

impl Hand<'_> {
    /// Asks for a value, part by part. `path` says which part of the whole it is, and is empty for the whole.
    fn part(
        &mut self,
        made: &[Decision],
        types: &Types,
        of @ (ty, kind): (TypeId, ChoiceKind),
        path: &str,
    ) -> Option<Value> {
        match types.get(ty) {
            _ if self.random => return self.dice.value(made, types, of),
            Type::Map(..) | Type::Task => return self.dice.value(made, types, of),
            Type::Record(record) => {
                let fields = record.fields.iter();
                let fields = fields.map(|(name, ty)| {
                    self.part(made, types, (*ty, kind), &format!("{path}.{name}"))
                });
                return fields.collect::<Option<_>>().map(Value::Record);
            }
            &Type::Array(length, element) => {
                let elements = (0..length)
                    .map(|i| self.part(made, types, (element, kind), &format!("{path}[{i}]")));
                return elements.collect::<Option<_>>().map(Value::Array);
            }
            _ => {}
        }
        let question = self.question(made, types, of, path);
        loop {
            match self.ask(&question) {
                Typed::Text(text) => match read(types, ty, &text) {
                    Some(value) => return Some(value),
                    None => {
                        output::print("that is no value of this type; r chooses one at random\n");
                    }
                },
                Typed::Random => return self.at_random(made).value(made, types, of),
                Typed::Back => {
                    self.go_back(made);
                    return None;
                }
                Typed::Quit => return None,
            }
        }
    }

    fn question(
        &self,
        made: &[Decision],
        types: &Types,
        (ty, kind): (TypeId, ChoiceKind),
        path: &str,
    ) -> String {
        let (who, name) = (self.who(made), types.name(ty));
        match (kind, types.get(ty)) {
            (ChoiceKind::Memory, Type::Bool) => {
                format!("a store of {who} reaches memory now (true or false) ")
            }
            (ChoiceKind::Memory, _) => {
                format!("the memory chooses a value of type {name} for {who} ")
            }
            _ if path.is_empty() => format!("{who} chooses a value of type {name} "),
            _ => format!("{who} chooses a value of type {name} for {path} "),
        }
    }
}

/// Reads a value as it is written in the language.
fn read(types: &Types, ty: TypeId, text: &str) -> Option<Value> {
    match types.get(ty) {
        Type::Bool => text.parse().ok().map(Value::Bool),
        Type::Enum(e) => {
            let name = text.rsplit('.').next().unwrap_or(text);
            let member = e.members.iter().position(|m| m == name)?;
            Some(Value::Int(i128::try_from(member).ok()?))
        }
        _ => {
            let number: i128 = text.parse().ok()?;
            let (lo, hi) = types.bounds(ty).unwrap_or((i128::MIN, i128::MAX));
            (lo..=hi).contains(&number).then_some(Value::Int(number))
        }
    }
}
