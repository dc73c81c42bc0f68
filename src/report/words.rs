//! The words of a step, in the language of the program.

use ir::{Dialect, PreemptKind};
use trace::{Change, Happening, Stale, Title, Trace, TraceStep};

/// Says what happens in a step.
#[must_use]
#[allow(clippy::too_many_lines, reason = "a few lines for each happening")]
pub fn action(step: &TraceStep, dialect: Dialect) -> String {
    match &step.happening {
        Happening::Assigned { place, value, .. } => match dialect {
            Dialect::Async => format!("{place} := {value}"),
            Dialect::C => format!("{place} = {value}"),
        },
        Happening::Read {
            what,
            value,
            waiting,
        } => format!("reads {what}: {value}{}", passed_over(waiting)),
        Happening::Older { what, value, now } => {
            format!("reads {what}: {value} (an older value: {what} is {now} by now)")
        }
        Happening::Behind { place, value, now } => {
            let is = if dialect == Dialect::C { "=" } else { ":=" };
            format!("{place} {is} {value} comes before {place} {is} {now}")
        }
        Happening::Stays { store } => {
            format!("{store} stays in the buffer of task {}", step.task)
        }
        Happening::Reaches { store, line } => {
            let line = line.map_or_else(String::new, |line| format!(" (line {line})"));
            format!("{store}{line} reaches memory")
        }
        Happening::Freed { object } => format!("frees {object}"),
        Happening::Chosen { place: None, value } => match dialect {
            Dialect::Async => format!("* is {value}"),
            Dialect::C => format!("chosen: {value}"),
        },
        Happening::Chosen {
            place: Some(place), ..
        } => match dialect {
            Dialect::Async => format!("{place} := *"),
            Dialect::C => format!("{place} is chosen"),
        },
        Happening::Tested { condition, holds } => format!("{condition} is {holds}"),
        Happening::Passed { condition } => format!("{condition} holds"),
        Happening::Failed { what } => format!("fails: {what}"),
        Happening::Called { call } => format!("call {call}"),
        Happening::Returned { value } => format!("returned {value}"),
        Happening::Got { value } => format!("gets {value}"),
        Happening::Posted {
            task, call, maker, ..
        } if dialect == Dialect::C => format!("{maker}: task {task} runs {call}"),
        Happening::Posted {
            task, call, kept, ..
        } => match kept {
            true => format!("post {call} as task {task}"),
            false => format!("post {call} dropped: it would be task {task}"),
        },
        Happening::Yielded(PreemptKind::Sleep) => "sleep".to_owned(),
        Happening::Yielded(_) if dialect == Dialect::C => "the loop goes on".to_owned(),
        Happening::Yielded(_) => "yield".to_owned(),
        // The condition is the call that waits.
        Happening::Awaited { condition } if dialect == Dialect::C => condition.clone(),
        Happening::Awaited { condition } => format!("await {condition}"),
        Happening::Joined { task } => task.clone(),
        Happening::Operated { operation, enqueue } => match enqueue {
            true => format!("{operation} (enqueue)"),
            false => operation.clone(),
        },
        Happening::Delayed => "delayed".to_owned(),
        Happening::Title(which) => format!("{}:", title(*which)),
        Happening::Raced {
            what,
            write,
            frees,
            held,
        } => {
            let verb = match (frees, write) {
                (true, true) => "frees",
                (true, false) => "accesses",
                (false, true) => "writes",
                (false, false) => "reads",
            };
            match dialect {
                Dialect::Async => format!("race: {verb} {what}, {}", trace::holding(held)),
                // We do not follow which mutexes a thread of C holds.
                Dialect::C => format!("race: {verb} {what}"),
            }
        }
        Happening::Shown { text, .. } => text.clone(),
    }
}

/// Names, in brackets, the stores that are still in the buffer when a read takes its value from memory.
fn passed_over(waiting: &[String]) -> String {
    match waiting {
        [] => String::new(),
        _ => format!(" ({} still in the buffer)", waiting.join(", ")),
    }
}

/// The title above a part of a trace.
#[must_use]
pub fn title(which: Title) -> &'static str {
    match which {
        Title::Forever => "from here on for ever",
        Title::Later => "many steps later",
        Title::InOneOrder => "in one order",
        Title::InAnotherOrder => "in another order",
        Title::InTheOtherOrder => "in the other order",
        Title::BothEnabled => "in this state both are enabled",
    }
}

/// The changes by a step, and by other steps that are shown with it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct News {
    /// The procedure of the step.
    proc: String,
    /// The words for a variable that an assignment leaves as it was.
    same: Option<String>,
    changes: Vec<Change>,
}

impl News {
    /// The changes by a step that its action does not name already: `x = 1`, `y = 2`.
    #[must_use]
    pub fn of(step: &TraceStep) -> Self {
        let said = |name: &str, value: &str| matches!(&step.happening, Happening::Assigned { place, value: v, .. } if place == name && v == value);
        let mut news = Self {
            proc: step.proc.clone(),
            ..Self::default()
        };
        if let Happening::Assigned {
            same: Some(same), ..
        } = &step.happening
            && step.changed.is_empty()
        {
            let name = same.name_in(&step.proc);
            news.same = Some(match said(&name, &same.value) {
                true => "as before".to_owned(),
                false => format!("{name} = {}, as before", same.value),
            });
            return news;
        }
        // The action says what changes, also under a parted name.
        if !matches!(step.happening, Happening::Reaches { .. }) {
            let changed = step.changed.iter();
            let new = changed.filter(|c| !said(&c.name_in(&step.proc), &c.value));
            new.for_each(|change| news.add(change));
        }
        news
    }

    /// Adds another change.
    pub fn add(&mut self, change: &Change) {
        change.note_text(&mut self.changes);
        self.changes.push(change.clone());
    }

    /// Leaves out the variable that has kept its value.
    pub fn without_same(&mut self) {
        self.same = None;
    }

    /// `  [x = 1, y = 2]`
    #[must_use]
    pub fn bracket(&self) -> String {
        let mut all: Vec<String> = self.same.iter().cloned().collect();
        let changes: Vec<&Change> = self.changes.iter().collect();
        all.extend(Change::told(&changes, Some(&self.proc)));
        bracket(&all)
    }
}

/// `  [x = 1, y = 2]`
pub(super) fn bracket(news: &[String]) -> String {
    if news.is_empty() {
        return String::new();
    }
    format!("  [{}]", news.join(", "))
}

/// `(x: read in line 8, stale since line 11 of task 3)`
#[must_use]
pub fn stale(trace: &Trace, stale: &Stale, place: impl Fn(&TraceStep) -> String) -> String {
    let (read, since) = (&trace.steps[stale.read], &trace.steps[stale.since]);
    let (name, task) = (&stale.name, since.task);
    format!(
        "({name}: read in line {}, stale since line {} of task {task})",
        place(read),
        place(since)
    )
}
