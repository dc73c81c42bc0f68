//! Where commands lead: a place in the trace, the breaks, and what is asked there.

use std::fmt::Write as _;

use base::suggest::closest;
use ir::Program;
use report::lines::tasks;
use report::style::Look;
use report::text;
use trace::state::{State, state_at};
use trace::{Change, TraceStep};

use super::command::{Command, Place, help};
use super::{Replayed, show};

#[derive(Clone, Debug, PartialEq, Eq)]
enum Break {
    /// The file, by its first offset, as it is shown, and the line.
    Line(u32, String, u32),
    Change(String),
}

/// A walk through a trace.
pub struct Walk<'a> {
    pub(crate) replayed: Replayed<'a>,
    pub(super) look: Look,
    /// How many steps are done.
    pub(crate) done: usize,
    breaks: Vec<Break>,
}

impl<'a> Walk<'a> {
    pub fn new(replayed: Replayed<'a>, look: Look) -> Self {
        Self {
            replayed,
            look,
            done: 0,
            breaks: Vec::new(),
        }
    }

    pub(crate) fn steps(&self) -> &'a [TraceStep] {
        &self.replayed.trace.steps
    }

    pub(crate) fn program(&self) -> &'a Program {
        self.replayed.subject.program
    }

    /// The last step done.
    pub(crate) fn step(&self) -> Option<&'a TraceStep> {
        self.steps().get(self.done.checked_sub(1)?)
    }

    /// The task that acts here.
    pub(crate) fn task(&self) -> u32 {
        self.step().map_or(1, |s| s.task)
    }

    pub(crate) fn state(&self) -> State {
        let Replayed {
            scheduler, trace, ..
        } = self.replayed;
        let place = (self.done, trace.steps.len());
        state_at(self.program(), scheduler, &trace.schedule, place)
    }

    /// The first words to the user.
    pub fn greeting(&self) -> String {
        let what = match self.replayed.bug {
            Some(bug) => format!("{}: {}", bug.kind.name(), report::message(bug)),
            None => "no error at the end".to_owned(),
        };
        let names = tasks(self.replayed.trace);
        format!(
            "{} steps, {} tasks; {what}\n`step` goes forwards, `back` backwards, `help` lists the commands.\n",
            self.steps().len(),
            names.keys().filter(|t| **t > 0).count(),
        )
    }

    /// Does what is asked and says what there is to say.
    ///
    /// # Errors
    /// When it cannot be done, in words.
    pub fn perform(&mut self, command: &Command) -> Result<String, String> {
        let most = self.steps().len();
        match command {
            Command::Step(0) | Command::Back(0) => Ok(show::place(self)),
            Command::Step(n) => self.go(self.done.saturating_add(*n).min(most), "the end"),
            Command::Back(n) => self.go(self.done.saturating_sub(*n), "the start"),
            Command::Goto(n) if *n > most => Err(format!("there are {most} steps")),
            Command::Goto(n) => self.go(*n, ""),
            Command::Next => self.go(self.next_switch(), "the end"),
            Command::Previous => self.go(self.last_switch(), "the start"),
            Command::Continue => self.go(self.next_break(), "the end"),
            Command::Reverse => self.go(self.last_break(), "the start"),
            Command::Break(None) => Ok(self.show_breaks()),
            Command::Break(Some(place)) => self.break_at(place),
            Command::Watch(name) => self.watch(name),
            Command::Delete(number) => self.delete(*number),
            Command::Print(None) => Ok(show::everything(self)),
            Command::Print(Some(name)) => show::value(self, name),
            Command::Globals => Ok(show::globals(&self.state(), self.program())),
            Command::Locals(task) => show::locals(self, task.unwrap_or_else(|| self.task())),
            Command::Tasks => Ok(show::tasks(self)),
            Command::List(place) => show::source(self, place.as_ref()),
            Command::Where => Ok(show::place(self)),
            Command::Trace => Ok(text::bugs(self.replayed.subject, self.look)),
            Command::Help(name) => help(name.as_deref()),
            Command::Quit => Ok(String::new()),
        }
    }

    /// The variables that can be named.
    pub fn names(&self) -> Vec<String> {
        let program = self.program();
        let globals = program.globals.iter().filter(|g| !g.hidden);
        let locals = program.procs.iter().flat_map(|p| {
            let own = p.locals.iter().filter(|l| !l.hidden);
            own.map(|l| format!("{}.{}", p.name, l.name))
        });
        globals.map(|g| g.name.clone()).chain(locals).collect()
    }

    /// Goes to a place and shows it. If the walk is there already, says so.
    fn go(&mut self, to: usize, end: &str) -> Result<String, String> {
        if to == self.done && !end.is_empty() {
            return Ok(format!("this is {end}\n"));
        }
        self.done = to;
        Ok(show::place(self))
    }

    /// Whether another task acts in a step than in the one before.
    fn switches(&self, index: usize) -> bool {
        let steps = self.steps();
        let before = index.checked_sub(1).map(|i| &steps[i]);
        before.is_none_or(|b| b.task != steps[index].task || b.round != steps[index].round)
    }

    fn next_switch(&self) -> usize {
        let mut after = self.done..self.steps().len();
        after
            .find(|&i| self.switches(i))
            .map_or(self.steps().len(), |i| i + 1)
    }

    fn last_switch(&self) -> usize {
        let mut before = (1..self.done).rev();
        before.find(|&i| self.switches(i - 1)).unwrap_or(0)
    }

    fn next_break(&self) -> usize {
        let mut after = self.done..self.steps().len();
        after
            .find(|&i| self.breaks_at(i))
            .map_or(self.steps().len(), |i| i + 1)
    }

    fn last_break(&self) -> usize {
        let mut before = (1..self.done).rev();
        before.find(|&i| self.breaks_at(i - 1)).unwrap_or(0)
    }

    fn breaks_at(&self, index: usize) -> bool {
        let step = &self.steps()[index];
        self.breaks.iter().any(|b| match b {
            Break::Line(start, _, line) => {
                let file = self.replayed.subject.sources.file_of(*start);
                file.and_then(|file| show::line(self, file, step)) == Some(*line)
            }
            Break::Change(name) => step.changed.iter().any(|c| concerns(step, c, name)),
        })
    }

    /// Whether the last step done is one at which to break.
    pub(crate) fn is_at_break(&self) -> bool {
        self.done.checked_sub(1).is_some_and(|i| self.breaks_at(i))
    }

    /// Forgets the breaks on lines of a file.
    pub(crate) fn forget_lines(&mut self, file: Option<String>) {
        if let Ok(file) = show::named(self, &Place { file, line: 0 }) {
            let own = |b: &Break| matches!(b, Break::Line(start, ..) if *start == file.start);
            self.breaks.retain(|b| !own(b));
        }
    }

    /// Forgets the breaks on changes.
    pub(crate) fn forget_changes(&mut self) {
        self.breaks.retain(|b| !matches!(b, Break::Change(_)));
    }

    fn break_at(&mut self, place: &Place) -> Result<String, String> {
        let file = show::named(self, place)?;
        let wanted = place.line;
        let steps = self.steps().iter();
        let mut lines: Vec<u32> = steps.filter_map(|s| show::line(self, file, s)).collect();
        lines.sort_by_key(|l| (l.abs_diff(wanted), *l));
        let shown = match file.start {
            0 => format!("line {wanted}"),
            _ => format!("{}:{wanted}", file.short_name()),
        };
        match lines.first() {
            Some(near) if *near == wanted => Ok(self.add(Break::Line(file.start, shown, wanted))),
            Some(near) => Err(format!(
                "no step of this trace is on {shown}; one is on line {near}"
            )),
            None => Err(format!("no step of this trace is on {shown}")),
        }
    }

    fn watch(&mut self, name: &str) -> Result<String, String> {
        let name = show::without_blanks(name);
        let program = self.program();
        let globals = program.globals.iter().filter(|g| !g.hidden);
        let globals = globals.map(|g| g.name.clone());
        let locals = program.procs.iter().flat_map(|p| {
            let own = p.locals.iter().filter(|l| !l.hidden);
            own.flat_map(|l| [l.name.to_string(), format!("{}.{}", p.name, l.name)])
        });
        let known: Vec<String> = globals.chain(locals).collect();
        if !known.iter().any(|k| *k == name || begins(&name, k)) {
            let near = closest(&name, known.iter().map(String::as_str));
            return Err(show::unknown(&name, near));
        }
        // Whether a global has such a part can be seen at once; a local may not be there yet.
        let state = self.state();
        let mut globals = state.globals.iter().filter(|g| begins(&name, &g.name));
        if let Some(whole) = globals.next()
            && let path = &name[whole.name.len()..]
            && whole.part(program, path).is_none()
        {
            return Err(format!("`{}` has no part `{path}`", whole.name));
        }
        Ok(self.add(Break::Change(name)))
    }

    fn add(&mut self, new: Break) -> String {
        if !self.breaks.contains(&new) {
            self.breaks.push(new);
        }
        self.show_breaks()
    }

    fn delete(&mut self, number: Option<usize>) -> Result<String, String> {
        match number {
            None => self.breaks.clear(),
            Some(n) if (1..=self.breaks.len()).contains(&n) => {
                self.breaks.remove(n - 1);
            }
            Some(n) => return Err(format!("there is no break {n}")),
        }
        Ok(self.show_breaks())
    }

    fn show_breaks(&self) -> String {
        let mut out = String::new();
        for (number, b) in (1..).zip(&self.breaks) {
            let _ = match b {
                Break::Line(_, shown, _) => writeln!(out, "{number}: at {shown}"),
                Break::Change(name) => writeln!(out, "{number}: where {name} changes"),
            };
        }
        if out.is_empty() {
            out.push_str("no breaks\n");
        }
        out
    }
}

/// Checks whether a changed variable is the meant one, a part of it, or a variable with the meant one as a part.
fn concerns(step: &TraceStep, changed: &Change, meant: &str) -> bool {
    let same = |name: &str| {
        let name = show::without_blanks(name);
        name == meant || begins(&name, meant) || begins(meant, &name)
    };
    same(&changed.full_name()) || same(&changed.name_in(&step.proc))
}

/// Whether a name is a part of a variable: `a[1]` or `a.f` of `a`.
fn begins(name: &str, variable: &str) -> bool {
    let rest = name.strip_prefix(variable);
    rest.is_some_and(|r| r.starts_with(['[', '.']))
}
