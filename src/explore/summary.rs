//! The verdict in a sentence: what was found, within which bounds.

use ir::Program;
use options::{ExploreOptions, Scheduler, Strategy};
use trace::{Bug, loses_a_task, preemptions};

use machine::space::LeftOut;

/// Whether only some executions were looked at.
pub(super) fn sampled(options: &ExploreOptions) -> bool {
    matches!(options.strategy, Strategy::Random | Strategy::Pct)
}

fn count(n: u64, one: &str, many: &str) -> String {
    format!("{n} {}", if n == 1 { one } else { many })
}

/// The bounds in words, if there are any.
pub fn budgets(options: &ExploreOptions) -> Option<String> {
    let budgets = [
        (options.delays, "delay", "delays"),
        (options.preemptions, "preemption", "preemptions"),
        (options.switches, "context switch", "context switches"),
    ];
    let mut parts: Vec<String> = budgets
        .into_iter()
        .filter_map(|(n, one, many)| Some(format!("at most {}", count(n?.into(), one, many))))
        .collect();
    if let Scheduler::BoundedBag(k) = options.scheduler {
        let copies = count(k.into(), "copy", "copies");
        parts.push(format!("at most {copies} of each pending task"));
    }
    (!parts.is_empty()).then(|| format!("with {}", parts.join(" and ")))
}

/// What budgets left out, in words. If another bound has cut executions, these may need a larger budget.
pub(super) fn left_out_words(
    options: &ExploreOptions,
    left_out: LeftOut,
    whole: bool,
) -> &'static str {
    match budgets(options) {
        None => "",
        _ if sampled(options) || left_out.is_empty() && !whole => "",
        Some(_) if left_out.is_empty() => "; no execution needs more",
        Some(_) if left_out.is_by_budget() => "; a larger budget may show more",
        Some(_) => "; executions that need more were left out",
    }
}

/// What a bug spends of each budget, in words, if there are budgets.
fn spent(program: &Program, options: &ExploreOptions, bug: &Bug) -> Option<String> {
    let schedule = &bug.trace.schedule;
    let preemptions = || preemptions(program, options.scheduler, schedule);
    let mut parts = Vec::new();
    if options.delays.is_some() {
        parts.push(count(schedule.delays().into(), "delay", "delays"));
    }
    if options.preemptions.is_some() {
        parts.push(count(preemptions(), "preemption", "preemptions"));
    }
    if options.switches.is_some() {
        let switches = trace::switches(&schedule.decisions) as u64;
        parts.push(count(switches, "context switch", "context switches"));
    }
    (!parts.is_empty()).then(|| parts.join(" and "))
}

/// The schedules that an answer is about, with words to add.
#[derive(Clone, Debug)]
pub enum Schedules {
    Every(String),
    /// Those that these words name.
    Those(String),
}

impl Schedules {
    pub fn and(mut self, more: &str) -> Self {
        let (Self::Every(words) | Self::Those(words)) = &mut self;
        words.push_str(more);
        self
    }

    /// Returns words that follow `no bug`.
    pub fn in_words(&self) -> String {
        match self {
            Self::Every(more) => format!("in any schedule{more}"),
            Self::Those(words) => words.clone(),
        }
    }
}

/// The schedules that an answer is about.
pub fn schedules(options: &ExploreOptions) -> Schedules {
    let walks = sampled(options).then(|| {
        let walks = count(options.runs, "random walk", "random walks");
        format!("in {walks} (seed {})", options.seed)
    });
    let parts: Vec<String> = walks.into_iter().chain(budgets(options)).collect();
    if parts.is_empty() {
        Schedules::Every(String::new())
    } else {
        Schedules::Those(parts.join(" "))
    }
}

/// More words about the schedules: compact states.
pub(super) fn beside(options: &ExploreOptions) -> String {
    let mut words = String::new();
    if let (Some(bits), Strategy::Stateful) = (options.compact, options.strategy) {
        words += &format!(
            "; states were told apart by {bits} bits only, so some may have been left out"
        );
    }
    words
}

/// The summary of bugs that were found in these schedules, by a search that came to its end or did not.
pub(super) fn bugs_in_words(
    program: &Program,
    options: &ExploreOptions,
    (schedules, ended): (&Schedules, bool),
    bugs: &[Bug],
) -> String {
    let spent = match bugs {
        [bug] => spent(program, options, bug),
        _ => None,
    };
    let all = if ended { "all schedules" } else { "schedules" };
    let words = match (bugs, spent, schedules) {
        (_, Some(spent), _) => format!("a bug with {spent}"),
        ([_], _, Schedules::Every(more)) => format!("found by exploring {all}{more}"),
        ([_], _, Schedules::Those(words)) => format!("a bug {words}"),
        (_, _, Schedules::Every(more)) => format!(
            "{} distinct bugs, found by exploring {all}{more}",
            bugs.len()
        ),
        (_, _, Schedules::Those(words)) => format!("{} distinct bugs {words}", bugs.len()),
    };
    if needs_a_lost_task(program, options, bugs) {
        return words + "; a post was dropped, and there may be a bug only because of that";
    }
    words
}

/// Whether the bounded bag has dropped a task in an execution that is shown.
pub(super) fn needs_a_lost_task(program: &Program, options: &ExploreOptions, bugs: &[Bug]) -> bool {
    matches!(options.scheduler, Scheduler::BoundedBag(_))
        && (bugs.iter()).any(|b| loses_a_task(program, options.scheduler, &b.trace.schedule))
}
