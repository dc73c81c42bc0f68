//! The data for the page's script: the trace by lanes, the sources, the sequential program line by line.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::{Map, Value, json};

use base::source::{Origin, SourceMap, Span};
use ir::Dialect;
use trace::state::activations;
use trace::{Decision, Ended, Happening, StepKind, Trace, TraceStep};

use super::super::lines::next_words;
use super::super::{Subject, fold, words};
use super::{Page, Sequential};

pub(super) fn data(subject: &Subject<'_>, page: &Page<'_>, files: &Files<'_>) -> Value {
    let none = Trace::default();
    let trace = page.trace.unwrap_or(&none);
    let lanes = Lanes::of(trace);
    let notes = notes(trace);
    let frames = frames(subject, page, trace);
    let steps = trace.steps.iter().enumerate();
    let steps: Value = steps
        .map(|(i, step)| lanes.step(i, step, files, notes.get(&i), frames.get(i)))
        .collect();
    let segments = trace.segments.iter().map(|s| {
        json!({ "lane": lanes.lane(s.first, s.task), "round": s.round, "first": s.first, "ended": ended(&s.end) })
    });
    let starts = trace.starts.iter();
    let starts = starts.map(|s| json!({ "step": s.step, "globals": s.globals }));
    json!({
        "files": files.shown(),
        // `Frame::page` fills it in.
        "about": null,
        "rounds": trace.steps.iter().any(|s| s.round > 0),
        "lanes": lanes.shown,
        "steps": steps,
        "segments": segments.collect::<Value>(),
        "starts": starts.collect::<Value>(),
        "seq": page.sequential.map(sequential_lines),
        "waiting": waiting(trace, &lanes),
        "wholes": wholes(trace, &lanes),
        "repeats": fold::repeats(trace, subject.sources),
        "coverage": coverage(subject, files),
    })
}

/// Who waits for whom at a deadlock.
fn waiting(trace: &Trace, lanes: &Lanes) -> Value {
    let end = trace.steps.len();
    let all = trace.waiting.iter().map(|waiting| {
        let on = waiting.on.map(
            |on| json!({ "lane": lanes.lane(end, on.task), "since": on.since, "holds": on.holds }),
        );
        json!({ "lane": lanes.lane(end, waiting.task), "what": waiting.what, "joins": waiting.joins, "on": on })
    });
    all.collect()
}

/// Groups of tasks that run from begin to end without a break, as the terminal puts them together: lane and steps of each.
fn wholes(trace: &Trace, lanes: &Lanes) -> Value {
    let segments = fold::stretches(trace);
    let all = fold::whole(trace, &segments).into_iter().map(|tasks| {
        let steps = tasks.map(|index| {
            let steps = fold::range(trace, &segments, index);
            let lane = lanes.lane(steps.start, segments[index].task);
            json!([lane, steps.start, steps.end])
        });
        steps.collect::<Value>()
    });
    all.collect()
}

/// For each file that is shown: its lines with statements, and whether they are reached.
fn coverage(subject: &Subject<'_>, files: &Files<'_>) -> Value {
    let Some(coverage) = &subject.answer.coverage else {
        return Value::Null;
    };
    let lines = coverage.lines(subject.sources);
    let lines: BTreeMap<_, _> = lines.into_iter().collect();
    let of_file = |start: &u32| {
        let file = subject.sources.file_of(*start);
        let lines = file.and_then(|file| lines.get(&file.name));
        json!(lines.map(|lines| lines.iter().collect::<Vec<_>>()))
    };
    files.shown.iter().map(of_file).collect()
}

/// Traces with more values are shown without locals, because the page would be too large. A step counts as a hundred at least.
const MOST_LOCALS: usize = 300_000;

/// A procedure that runs, with the names and values of its locals.
type Frame = (String, Vec<(String, String)>);

/// The locals of the task that acts, after each step: its procedures, the innermost first.
fn frames(subject: &Subject<'_>, page: &Page<'_>, trace: &Trace) -> Vec<Value> {
    let program = subject.program;
    // A race, or two executions that are compared, has steps that are not those of one schedule.
    let simple = |d: &Decision| !matches!(d, Decision::Again | Decision::Race(_));
    let steps = trace.steps.len();
    let locals = program.procs.iter().map(|proc| proc.locals.len()).max();
    let values = steps * locals.unwrap_or(0).max(100);
    if values > MOST_LOCALS || !trace.schedule.decisions.iter().all(simple) {
        return Vec::new();
    }
    let acting = activations(program, page.scheduler, &trace.schedule, steps);
    let mut known: BTreeMap<u32, Vec<Frame>> = BTreeMap::new();
    let mut all = Vec::with_capacity(steps);
    for (step, state) in trace.steps.iter().zip(acting) {
        if let Some(state) = state.filter(|s| s.number == step.task) {
            let stack = state.activations.iter().rev().map(|a| {
                let locals = a.locals.iter().filter(|l| l.value != ir::Value::Any);
                let locals = locals.map(|l| (l.name.clone(), l.value.show(&program.types, l.ty)));
                (a.proc.clone(), locals.collect())
            });
            known.insert(step.task, stack.collect());
        } else if let Some(stack) = known.get_mut(&step.task) {
            // After this step the task is gone or waits, so only the changes of the step are known.
            correct(stack, step);
        }
        all.push(json!(known.get(&step.task)));
    }
    all
}

/// Updates the known locals with the changes of a step.
fn correct(stack: &mut [Frame], step: &TraceStep) {
    for change in &step.changed {
        let own = (stack.iter_mut()).filter(|(proc, _)| change.proc.as_ref() == Some(proc));
        for (_, locals) in own {
            if let Some(known) = locals.iter_mut().find(|l| l.0 == change.name) {
                known.1.clone_from(&change.value);
            }
        }
    }
}

fn ended(end: &Ended) -> &'static str {
    match end {
        Ended::Finished => "finished",
        Ended::Yielded => "yielded",
        Ended::Interrupted => "interrupted",
        Ended::Waits { .. } => "waits",
        Ended::Failed => "failed",
        Ended::Cut => "cut",
    }
}

/// Returns how segments end, each in words, by the last step of the segment.
fn notes(trace: &Trace) -> BTreeMap<usize, String> {
    let mut notes = BTreeMap::new();
    for (index, segment) in trace.segments.iter().enumerate() {
        let next = trace.segments.get(index + 1);
        let end = next.map_or(trace.steps.len(), |s| s.first);
        let mine = |i: &usize| {
            let step = &trace.steps[*i];
            step.task == segment.task
                && !matches!(
                    step.kind(),
                    StepKind::Delayed | StepKind::Title | StepKind::Fails
                )
        };
        let note = match &segment.end {
            Ended::Interrupted if next.is_none_or(|n| n.task != segment.task) => {
                "interrupted".to_owned()
            }
            Ended::Waits { what, blocked } => next_words(what, *blocked),
            _ => continue,
        };
        if let Some(last) = (segment.first..end).rfind(mine) {
            notes.insert(last, note);
        }
    }
    notes
}

/// The files that are shown: the program, and the library if the trace goes there.
pub(super) struct Files<'a> {
    sources: &'a SourceMap,
    /// The offsets of the files' first bytes.
    shown: Vec<u32>,
}

impl<'a> Files<'a> {
    pub fn of(trace: &Trace, sources: &'a SourceMap) -> Self {
        let spans = trace.steps.iter().filter_map(|s| s.span);
        let starts = spans.filter_map(|s| Some(sources.file_of(s.start)?.start));
        let mut shown: BTreeSet<u32> = starts.collect();
        shown.insert(0);
        Self {
            sources,
            shown: shown.into_iter().collect(),
        }
    }

    /// Returns the file of a span, as an index into the files that are shown, and its line.
    pub fn place(&self, span: Option<Span>) -> Option<(usize, u32)> {
        let file = self.sources.file_of(span?.start)?;
        let index = self.shown.iter().position(|start| *start == file.start)?;
        Some((index, self.sources.line(span?)))
    }

    fn shown(&self) -> Value {
        let files = self.shown.iter().filter_map(|&s| self.sources.file_of(s));
        let shown = files.map(|f| {
            let lines: Vec<&str> = f.text.lines().collect();
            file(&f.name, &json!(lines), f.origin == Origin::Library)
        });
        shown.collect()
    }
}

/// A file that is shown.
pub(super) fn file(name: &str, lines: &Value, library: bool) -> Value {
    // The path by which an editor finds the file.
    let path = (!library)
        .then(|| std::fs::canonicalize(name).ok())
        .flatten();
    let path = path.as_ref().and_then(|path| path.to_str());
    json!({ "name": name, "lines": lines, "library": library, "path": path })
}

/// A lane for each task of each execution.
struct Lanes {
    shown: Vec<Value>,
    /// The indices of the lanes, by execution and task.
    numbers: BTreeMap<(usize, u32), usize>,
    /// The first step of each execution.
    starts: Vec<usize>,
    dialect: Dialect,
}

impl Lanes {
    fn of(trace: &Trace) -> Self {
        let mut lanes = Self {
            shown: Vec::new(),
            numbers: BTreeMap::new(),
            starts: trace.starts.iter().map(|s| s.step).collect(),
            dialect: trace.dialect,
        };
        let mut segments = trace.segments.iter().peekable();
        for (index, step) in trace.steps.iter().enumerate() {
            while let Some(segment) = segments.next_if(|s| s.first <= index) {
                lanes.add(segment.first, segment.task, &segment.proc, None);
            }
            lanes.add(index, step.task, &step.proc, None);
            if let Happening::Posted {
                task,
                proc,
                kept: true,
                ..
            } = &step.happening
            {
                let parent = lanes.lane(index, step.task);
                lanes.add(index, *task, proc, Some(parent));
            }
        }
        for segment in segments {
            lanes.add(segment.first, segment.task, &segment.proc, None);
        }
        lanes
    }

    fn run(&self, step: usize) -> usize {
        // A title stands before the execution that it announces.
        let begun = self.starts.partition_point(|&s| s <= step + 1);
        begun.saturating_sub(1)
    }

    fn add(&mut self, step: usize, task: u32, name: &str, parent: Option<usize>) {
        let run = self.run(step);
        let next = self.shown.len();
        if let std::collections::btree_map::Entry::Vacant(entry) = self.numbers.entry((run, task)) {
            entry.insert(next);
            let parent = parent.map_or(json!(-1), |p| json!(p));
            let lane = json!({ "n": task, "name": name, "parent": parent, "run": run });
            self.shown.push(lane);
        }
    }

    fn lane(&self, step: usize, task: u32) -> usize {
        let found = self.numbers.get(&(self.run(step), task));
        found.copied().unwrap_or_default()
    }

    fn step(
        &self,
        index: usize,
        step: &TraceStep,
        files: &Files<'_>,
        note: Option<&String>,
        frames: Option<&Value>,
    ) -> Value {
        let mut object = Map::new();
        object.insert("lane".into(), self.lane(index, step.task).into());
        object.insert("proc".into(), step.proc.as_str().into());
        object.insert("round".into(), step.round.into());
        if let Some((file, line)) = files.place(step.span) {
            object.insert("file".into(), file.into());
            object.insert("line".into(), line.into());
        }
        object.insert("action".into(), words::action(step, self.dialect).into());
        let changed = step.changed.iter().map(|c| json!([c.full_name(), c.value]));
        object.insert("changed".into(), changed.collect());
        let more = match &step.happening {
            &Happening::Posted {
                task, kept: true, ..
            } => Some(("child", self.lane(index, task).into())),
            Happening::Joined { .. } => Some(("joins", true.into())),
            Happening::Raced { what, write, .. } => Some(("raced", json!([what, write]))),
            Happening::Stays { .. } => Some(("weak", "stays".into())),
            Happening::Reaches { .. } => Some(("weak", "reaches".into())),
            Happening::Older { .. } | Happening::Behind { .. } => Some(("weak", "order".into())),
            Happening::Read { waiting, .. } if waiting.is_empty() => None,
            Happening::Read { .. } => Some(("weak", "order".into())),
            _ => None,
        };
        object.extend(more.map(|(key, value)| (key.to_owned(), value)));
        let kind = match step.kind() {
            StepKind::Does => "does",
            StepKind::Posts => "posts",
            StepKind::Yields => "yields",
            StepKind::Fails => "fails",
            StepKind::Delayed => "delayed",
            StepKind::Title => "title",
        };
        object.insert("kind".into(), kind.into());
        if !step.values.is_empty() {
            object.insert("values".into(), json!(step.values));
        }
        if let Some(stale) = &step.stale {
            object.insert("stale".into(), json!([stale.name, stale.read, stale.since]));
        }
        if let Some(note) = note {
            object.insert("note".into(), note.as_str().into());
        }
        if let Some(frames) = frames.filter(|f| !f.is_null()) {
            object.insert("frames".into(), frames.clone());
        }
        Value::Object(object)
    }
}

fn sequential_lines(program: Sequential<'_>) -> Value {
    let lines: Vec<&str> = program.text.lines().collect();
    json!({ "lines": lines, "from": program.origins })
}
