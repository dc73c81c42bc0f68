//! A long trace made short: tasks that run through one after the other are one line, and so are rounds of a loop that are alike,
//! what is called and comes back undisturbed, and what tasks do that have no part in what fails.
//!
//! What was left out can be seen with `--trace full`; the lines that stay are the same.

use std::collections::{BTreeMap, BTreeSet};

use trace::{Ended, Happening, Segment, StepKind, Trace, TraceStep};

use super::lines::Line;
use super::words;

/// Fewer tasks than these are not put together.
const TASKS: usize = 3;
/// Fewer rounds than these are not.
const ROUNDS: usize = 4;
/// A call with fewer lines than these is shown with all of them.
const CALL: usize = 4;
/// A round of a loop has at most that many lines.
const PERIOD: usize = 6;

/// The lines of a trace, with what need not be read put together.
pub(super) fn fold(lines: Vec<Line>, trace: &Trace) -> Vec<Line> {
    let mut parts: Vec<Vec<Line>> = vec![Vec::new(); trace.segments.len().max(1)];
    for line in lines {
        // Two segments may begin at the same step: nothing was seen of the first one.
        let starts = trace.segments.iter().map(|s| s.first);
        let own = starts.take_while(|&first| first <= line.step).count();
        let own = own.max(1) - 1;
        let of_task = |i: &usize| trace.segments.get(*i).is_some_and(|s| s.task == line.task);
        let near = (0..=own).rev().take(2).find(of_task).unwrap_or(own);
        parts[near].push(line);
    }
    let mut made = Vec::new();
    let mut at = 0;
    while at < parts.len() {
        let beside = (at..parts.len()).take_while(|&i| is_beside(trace, i, &parts[i]));
        let (count, steps) = beside.fold((0, 0), |(n, steps), i| {
            (n + 1, steps + range(trace, i).len())
        });
        if steps > 1 {
            made.extend(left_out(
                &trace.segments[at..at + count],
                steps,
                &parts[at..at + count],
            ));
            at += count;
            continue;
        }
        let run = (at..parts.len()).take_while(|&i| runs_through(trace, i, &parts[i]));
        let count = run.count();
        if count >= TASKS {
            made.extend(together(trace, at, count, &parts[at]));
            at += count;
        } else {
            let lines = without_calls(std::mem::take(&mut parts[at]), trace);
            made.extend(without_rounds(lines, trace));
            at += 1;
        }
    }
    made
}

/// Whether a segment is one of a task that has no part in what fails.
fn is_beside(trace: &Trace, index: usize, lines: &[Line]) -> bool {
    let task = trace.segments.get(index).map_or(0, |segment| segment.task);
    task > 0
        && trace.steps[range(trace, index)]
            .iter()
            .all(|step| step.aside)
        && lines.iter().all(is_plain)
}

/// The line for segments without which the same fails.
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

/// Whether a segment is all that is seen of a task, and makes no other one.
fn runs_through(trace: &Trace, index: usize, lines: &[Line]) -> bool {
    let Some(segment) = trace.segments.get(index) else {
        return false;
    };
    let alone = trace.segments.iter().filter(|s| s.task == segment.task);
    let steps = &trace.steps[range(trace, index)];
    segment.task > 0
        && segment.end == Ended::Finished
        && alone.count() == 1
        && !lines.is_empty()
        && lines.iter().all(is_plain)
        && !(steps.iter()).any(|s| matches!(s.happening, Happening::Posted { .. }))
}

/// Whether a line may be put together with others: nothing fails, and nobody is delayed.
fn is_plain(line: &Line) -> bool {
    let told = [StepKind::Fails, StepKind::Delayed, StepKind::Title];
    line.stale.is_empty() && !told.contains(&line.kind)
}

/// The steps of a segment.
fn range(trace: &Trace, index: usize) -> std::ops::Range<usize> {
    let end = trace.segments.get(index + 1);
    let end = end.map_or(trace.steps.len(), |s| s.first);
    trace.segments[index].first.min(end)..end
}

/// The line for tasks that run through one after the other: who, and what is new when they are done.
fn together(trace: &Trace, first: usize, count: usize, lines: &[Line]) -> Option<Line> {
    let segments = &trace.segments[first..first + count];
    let steps = range(trace, first).start..range(trace, first + count - 1).end;
    let new = left_behind(&trace.steps[steps]);
    let mut line = lines.first()?.clone();
    line.place.clear();
    line.text = format!("{} run to their end{}", who(segments), words::bracket(&new));
    line.last = true;
    Some(line)
}

/// The last values of the globals that steps change, in the order in which they are changed first.
fn left_behind(steps: &[TraceStep]) -> Vec<String> {
    let mut new: BTreeMap<&str, (usize, &str)> = BTreeMap::new();
    let changed = steps.iter().flat_map(|step| &step.changed);
    for change in changed.filter(|change| change.proc.is_none()) {
        let order = new.len();
        new.entry(&change.name).or_insert((order, "")).1 = &change.value;
    }
    let mut new: Vec<(&str, (usize, &str))> = new.into_iter().collect();
    new.sort_by_key(|(_, (order, _))| *order);
    new.iter().map(|(n, (_, v))| format!("{n} = {v}")).collect()
}

/// The lines of a segment; what is called and comes back in it is one line, with what is new then.
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

/// How many lines follow a call until it is back, if it comes back undisturbed.
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

/// The lines of a segment, of the rounds of a loop the first and the last.
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
        between.text = format!("... {} more rounds of this", rounds - 2);
        made.push(between);
        made.extend_from_slice(&lines[last..last + period]);
        at = last + period;
    }
    made
}

/// How often the first lines come again: the same is done at the same places.
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

/// Whether two lines tell of the same act: of a store to the same variable, or of something else of a kind.
fn same_act(a: &Line, b: &Line, trace: &Trace) -> bool {
    let act = |line: &Line| &trace.steps[line.step].happening;
    match (act(a), act(b)) {
        (Happening::Assigned { place, .. }, Happening::Assigned { place: other, .. }) => {
            place == other
        }
        (a, b) => std::mem::discriminant(a) == std::mem::discriminant(b),
    }
}
