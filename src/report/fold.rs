//! Makes a long trace short. Each of these becomes one line: tasks that run through one after the other; equal rounds of a
//! loop; a call that returns undisturbed; the steps of tasks that have no part in the failure.
//!
//! `--trace full` shows the lines that are left out here. All other lines are the same.

use std::collections::{BTreeMap, BTreeSet};

use base::source::SourceMap;
use trace::{Change, Ended, Happening, Segment, StepKind, Trace, TraceStep};

use super::lines::{Line, lines};
use super::words;

/// The least number of tasks in a row that become one line.
const TASKS: usize = 3;
/// The least number of rounds of a loop that are shortened.
const ROUNDS: usize = 4;
/// The least number of lines of a call that becomes one line.
const CALL: usize = 4;
/// A round of a loop has at most that many lines.
const PERIOD: usize = 6;

/// Returns the lines of a trace, and puts those together that need not be read.
pub(super) fn fold(lines: Vec<Line>, trace: &Trace) -> Vec<Line> {
    let segments = stretches(trace);
    let mut parts: Vec<Vec<Line>> = vec![Vec::new(); segments.len().max(1)];
    for line in lines {
        // Several segments may begin at the same step: then only the last one has steps.
        let starts = segments.iter().map(|s| s.first);
        let own = starts.take_while(|&first| first <= line.step).count();
        let own = own.max(1) - 1;
        let of_task = |i: &usize| segments.get(*i).is_some_and(|s| s.task == line.task);
        let near = |i: &usize| i + 1 >= own || segments[*i].first == line.step;
        let mut near = (0..=own).rev().take_while(near);
        let near = near.find(of_task).unwrap_or(own);
        parts[near].push(line);
    }
    let whole = whole(trace, &segments);
    let mut made = Vec::new();
    let mut at = 0;
    while at < parts.len() {
        let beside = (at..parts.len()).take_while(|&i| is_beside(trace, &segments, i, &parts[i]));
        let (count, steps) = beside.fold((0, 0), |(n, steps), i| {
            (n + 1, steps + range(trace, &segments, i).len())
        });
        if steps > 1 {
            let (segments, parts) = (&segments[at..at + count], &parts[at..at + count]);
            made.extend(left_out(segments, steps, parts));
            at += count;
            continue;
        }
        let tasks = whole.iter().find(|tasks| tasks.start == at);
        if let Some(tasks) = tasks.filter(|tasks| parts[tasks.start].iter().all(is_plain)) {
            made.extend(together(trace, &segments, tasks.clone(), &parts[at]));
            at = tasks.end;
        } else if parts[at].iter().any(|l| l.step >= trace.steps.len()) {
            // Segments behind the last step have lines, and no steps to look at.
            made.append(&mut parts[at]);
            at += 1;
        } else {
            let lines = std::mem::take(&mut parts[at]);
            made.extend(posting(&lines, trace).unwrap_or_else(|| {
                let lines = without_calls(lines, trace);
                without_rounds(lines, trace)
            }));
            at += 1;
        }
    }
    made
}

/// The rounds of loops that are left out: their first step, the step after them, and the words that stand for them.
pub(super) fn repeats(trace: &Trace, sources: &SourceMap) -> Vec<(usize, usize, String)> {
    let lines = fold(lines(trace, sources), trace);
    let left_out = lines.windows(2).filter(|pair| pair[0].rounds > 0);
    let left_out = left_out.map(|pair| (pair[0].first, pair[1].first, more(pair[0].rounds)));
    left_out.collect()
}

fn more(rounds: usize) -> String {
    format!("{rounds} more rounds of this")
}

/// Returns the segments, and joins those that one task runs without a break.
pub(super) fn stretches(trace: &Trace) -> Vec<Segment> {
    let mut made: Vec<Segment> = Vec::new();
    for segment in &trace.segments {
        // Another execution begins with the first task again.
        let begins = trace.starts.iter().any(|s| s.step == segment.first);
        match made.last_mut() {
            Some(before)
                if before.task == segment.task && before.round == segment.round && !begins =>
            {
                before.end.clone_from(&segment.end);
            }
            _ => made.push(segment.clone()),
        }
    }
    made
}

/// Neighbouring tasks that each run from begin to end without a break, as ranges of stretches.
pub(super) fn whole(trace: &Trace, segments: &[Segment]) -> Vec<std::ops::Range<usize>> {
    let mut times: BTreeMap<u32, usize> = BTreeMap::new();
    for segment in segments {
        *times.entry(segment.task).or_default() += 1;
    }
    let mut made: Vec<std::ops::Range<usize>> = Vec::new();
    for (index, segment) in segments.iter().enumerate() {
        if times[&segment.task] > 1 || !runs_through(trace, segments, index) {
            continue;
        }
        match made.last_mut() {
            Some(tasks) if tasks.end == index => tasks.end += 1,
            _ => made.push(index..index + 1),
        }
    }
    made.retain(|tasks| tasks.len() >= TASKS);
    made
}

/// Checks whether a stretch ends its task, posts no task, and has no step that needs a line of its own.
fn runs_through(trace: &Trace, segments: &[Segment], index: usize) -> bool {
    let segment = &segments[index];
    let steps = &trace.steps[range(trace, segments, index)];
    let told = [
        StepKind::Fails,
        StepKind::Delayed,
        StepKind::Title,
        StepKind::Posts,
    ];
    segment.task > 0
        && segment.end == Ended::Finished
        && !steps.is_empty()
        && steps.iter().all(|step| {
            let dropped = matches!(step.happening, Happening::Posted { .. });
            step.stale.is_none() && !dropped && !told.contains(&step.kind())
        })
}

/// Returns one line for a stretch in which a task only counts and posts the same procedure again and again.
fn posting(lines: &[Line], trace: &Trace) -> Option<Vec<Line>> {
    let mut posted: Vec<u32> = Vec::new();
    let (mut what, mut first) = ("", None);
    for line in lines {
        let step = &trace.steps[line.step];
        match &step.happening {
            Happening::Posted {
                task, proc, kept, ..
            } if *kept && (what.is_empty() || what == proc) => {
                what = proc;
                posted.push(*task);
                first.get_or_insert(line);
            }
            Happening::Assigned { .. } | Happening::Got { .. }
                if step.changed.iter().all(|c| c.proc.is_some()) => {}
            _ => return None,
        }
        if !is_plain(line) {
            return None;
        }
    }
    let (&from, &to) = (posted.first()?, posted.last()?);
    if posted.len() < ROUNDS || !posted.windows(2).all(|w| w[0] + 1 == w[1]) {
        return None;
    }
    let mut line = first?.clone();
    line.text = format!("posts tasks {from} to {to} ({what})");
    line.last = lines.iter().any(|l| l.last);
    Some(vec![line])
}

/// Checks whether a segment belongs to a task, and none of its steps has a part in the failure.
fn is_beside(trace: &Trace, segments: &[Segment], index: usize, lines: &[Line]) -> bool {
    let task = segments.get(index).map_or(0, |segment| segment.task);
    task > 0
        && trace.steps[range(trace, segments, index)]
            .iter()
            .all(|step| step.aside)
        && lines.iter().all(is_plain)
}

/// Makes the line for segments that have no part in the failure.
fn left_out(segments: &[Segment], steps: usize, parts: &[Vec<Line>]) -> Option<Line> {
    let mut line = parts.iter().flatten().next()?.clone();
    let tasks: BTreeSet<u32> = segments.iter().map(|s| s.task).collect();
    line.place.clear();
    line.text = match tasks.len() {
        1 => format!("{steps} steps without a part in this"),
        _ => format!("{}: {steps} steps without a part in this", who(segments)),
    };
    line.last = parts
        .iter()
        .flatten()
        .any(|l| l.last && l.task == line.task);
    Some(line)
}

/// Whether a line may be put together with others: it is no failure, no delay, no title, and acts on no stale value.
fn is_plain(line: &Line) -> bool {
    let told = [StepKind::Fails, StepKind::Delayed, StepKind::Title];
    line.stale.is_empty() && !told.contains(&line.kind)
}

/// The steps of a segment.
pub(super) fn range(trace: &Trace, segments: &[Segment], index: usize) -> std::ops::Range<usize> {
    let end = segments.get(index + 1);
    let end = end.map_or(trace.steps.len(), |s| s.first);
    segments[index].first.min(end)..end
}

/// Makes the line for tasks that run through one after the other: their numbers, and what is new when they are done.
fn together(
    trace: &Trace,
    segments: &[Segment],
    tasks: std::ops::Range<usize>,
    lines: &[Line],
) -> Option<Line> {
    let from = range(trace, segments, tasks.start).start;
    let to = range(trace, segments, tasks.end - 1).end;
    let new = left_behind(&trace.steps[from..to]);
    let mut line = lines.first()?.clone();
    line.place.clear();
    let who = who(&segments[tasks]);
    line.text = format!("{who} run to their end{}", words::bracket(&new));
    line.last = true;
    Some(line)
}

/// The last values of the globals that steps change, in the order in which they are changed first.
fn left_behind(steps: &[TraceStep]) -> Vec<String> {
    let mut new: BTreeMap<&str, (usize, &Change)> = BTreeMap::new();
    let changed = steps.iter().flat_map(|step| &step.changed);
    for change in changed.filter(|change| change.proc.is_none()) {
        let order = new.len();
        new.entry(&change.name).or_insert((order, change)).1 = change;
    }
    let mut new: Vec<(usize, &Change)> = new.into_values().collect();
    new.sort_by_key(|(order, _)| *order);
    let new: Vec<&Change> = new.into_iter().map(|(_, change)| change).collect();
    Change::told(&new, None)
}

/// Returns the lines of a segment. A call that returns within it becomes one line, with what is new then.
fn without_calls(lines: Vec<Line>, trace: &Trace) -> Vec<Line> {
    let mut made: Vec<Line> = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let count = called(&lines[at..], trace);
        let mut line = lines[at].clone();
        if count >= CALL {
            let steps = line.step..lines[at + count + 1].step;
            let new = left_behind(&trace.steps[steps.clone()]);
            let steps = steps.len() - 1;
            line.text = format!("{}: {steps} steps{}", line.text, words::bracket(&new));
            at += count;
        }
        made.push(line);
        at += 1;
    }
    made
}

/// Returns how many lines follow a call until it returns, or 0 if it does not return undisturbed.
fn called(lines: &[Line], trace: &Trace) -> usize {
    let step = |line: &Line| &trace.steps[line.step];
    let Some((call, rest)) = lines.split_first() else {
        return 0;
    };
    if !matches!(step(call).happening, Happening::Called { .. }) || !is_plain(call) {
        return 0;
    }
    let caller = &step(call).proc;
    let inside = |line: &&Line| {
        let posts = matches!(step(line).happening, Happening::Posted { .. });
        step(line).proc != *caller && is_plain(line) && !line.last && !posts
    };
    let count = rest.iter().take_while(inside).count();
    let back = rest
        .get(count)
        .is_some_and(|line| step(line).proc == *caller);
    if back { count } else { 0 }
}

/// `tasks 4 to 12 (worker)`
fn who(segments: &[Segment]) -> String {
    let mut all: Vec<u32> = segments.iter().map(|s| s.task).collect();
    all.sort_unstable();
    all.dedup();
    let numbers = match (all.first(), all.last()) {
        (Some(first), Some(last)) if all.windows(2).all(|w| w[0] + 1 == w[1]) => {
            format!("{first} to {last}")
        }
        _ => all
            .iter()
            .map(u32::to_string)
            .collect::<Vec<_>>()
            .join(", "),
    };
    let mut names: Vec<&str> = segments.iter().map(|s| s.proc.as_str()).collect();
    names.sort_unstable();
    names.dedup();
    format!("tasks {numbers} ({})", names.join(", "))
}

/// Returns the lines of a segment. Keeps only the first and the last round of a loop.
fn without_rounds(lines: Vec<Line>, trace: &Trace) -> Vec<Line> {
    let mut made: Vec<Line> = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let found = (1..=PERIOD).map(|period| (rounds(&lines[at..], period, trace), period));
        let mut long = found.filter(|(rounds, _)| *rounds >= ROUNDS);
        let Some((rounds, period)) = long.next() else {
            made.push(lines[at].clone());
            at += 1;
            continue;
        };
        let last = at + (rounds - 1) * period;
        made.extend_from_slice(&lines[at..at + period]);
        let mut between = lines[at + period].clone();
        between.place.clear();
        between.rounds = rounds - 2;
        between.text = format!("... {}", more(between.rounds));
        made.push(between);
        made.extend_from_slice(&lines[last..last + period]);
        at = last + period;
    }
    made
}

/// Counts how often the first `period` lines repeat: the same acts at the same places.
fn rounds(lines: &[Line], period: usize, trace: &Trace) -> usize {
    let plain = |line: &Line| is_plain(line) && !line.last && !line.place.is_empty();
    let Some(round) = lines.get(..period).filter(|round| round.iter().all(plain)) else {
        return 0;
    };
    let same = |other: &&[Line]| {
        other.len() == period
            && other
                .iter()
                .zip(round)
                .all(|(a, b)| a.place == b.place && plain(a) && same_act(a, b, trace))
    };
    lines.chunks(period).take_while(same).count()
}

/// Checks whether two lines show the same act: stores to the same variable, or other happenings of the same kind.
fn same_act(a: &Line, b: &Line, trace: &Trace) -> bool {
    let act = |line: &Line| &trace.steps[line.step].happening;
    match (act(a), act(b)) {
        (Happening::Assigned { place, .. }, Happening::Assigned { place: other, .. }) => {
            place == other
        }
        (a, b) => std::mem::discriminant(a) == std::mem::discriminant(b),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::source::Span;
    use ir::PreemptKind;

    #[test]
    fn rounds_that_are_left_out_are_known_by_their_steps() {
        let mut sources = SourceMap::new();
        sources.add("p.async", "x := 1;\nyield;\nnext").unwrap();
        let step = |at: u32, happening| {
            let span = Span {
                start: at,
                end: at + 1,
            };
            TraceStep::new(2, "p", Some(span), happening)
        };
        let mut trace = Trace::default();
        for round in 0..10 {
            let stores = Happening::Assigned {
                place: "x".into(),
                value: round.to_string(),
                same: None,
            };
            trace.steps.push(step(0, stores));
            let yields = Happening::Yielded(PreemptKind::Yield);
            trace.steps.push(step(8, yields));
        }
        let call = "p()".into();
        trace.steps.push(step(15, Happening::Called { call }));
        trace.segments.push(Segment {
            task: 2,
            proc: "p".into(),
            round: 0,
            first: 0,
            end: Ended::Finished,
        });
        let words = "8 more rounds of this".to_owned();
        assert_eq!(repeats(&trace, &sources), [(2, 18, words)]);
    }
}
