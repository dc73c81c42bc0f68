//! Data races: what the reduction finds, against all executions, and against a definition written down as it is.

use std::collections::BTreeSet;

use super::compile;
use super::dpor::{features, seeds};
use crate::*;
use base::source::Span;
use ir::ErrorKind;
use machine::schedule;
use options::Sought;
use semantics::{Config, Env, Machine, PathStep, Stop, Touch, What};
use testing::generate::program;
use testing::objects;
use trace::race::{Act, Cells, Detector};

/// The places of the two accesses.
type Pair = (Span, Span);

struct NoChoices;

impl Env for NoChoices {
    fn choose(&mut self, _: ir::TypeId, _: ir::ChoiceKind) -> Result<Value, String> {
        Err("a choice".into())
    }
}

use ir::Value;

/// What the tasks touch in an execution, segment by segment, and who may run next.
type Ran = (Vec<(u32, Vec<Touch>)>, Vec<u32>);

/// Runs these tasks; nothing if the last step is dropped or cannot be followed.
fn run(program: &Program, order: &[u32]) -> Option<Ran> {
    let mut machine = Machine::new(program, Config::new(program, Scheduler::Bag), NoChoices);
    machine.record_touches();
    let mut end = machine.start();
    let mut segments = vec![(1, machine.touches())];
    for &task in order {
        end.ok()?;
        machine.config.queue.take(task);
        end = machine.dispatch(task);
        segments.push((task, machine.touches()));
    }
    match end {
        Ok(_) => {
            let pending: Vec<u32> = machine.config.tasks.keys().copied().collect();
            let free = |t: &u32| !machine.blocked(*t).unwrap_or(true);
            Some((segments, pending.into_iter().filter(free).collect()))
        }
        Err(Stop::Error(..)) => Some((segments, Vec::new())),
        Err(_) => None,
    }
}

/// All pairs that race, by the definition.
fn by_definition(cells: &mut Cells, segments: &[(u32, Vec<Touch>)]) -> BTreeSet<Pair> {
    let mut all: Vec<(u32, Act)> = Vec::new();
    let mut posted = 1;
    let mut children = Vec::new();
    // Where what one step does without interruption begins.
    let mut runs: Vec<usize> = Vec::new();
    for (task, touches) in segments {
        let acts = cells.acts(touches);
        for (number, &act) in acts.iter().enumerate() {
            let on = number > 0 && acts[number - 1].learns() && act.learns();
            runs.push(if on { runs[runs.len() - 1] } else { runs.len() });
            if let Act::Posts = act {
                posted += 1;
            }
            children.push(if let Act::Posts = act { posted } else { 0 });
            all.push((*task, act));
        }
    }
    let clash = |i: usize, j: usize| match (all[i].1, all[j].1) {
        (
            Act::Access {
                cell: a, write: w, ..
            },
            Act::Access {
                cell: b, write: v, ..
            },
        ) => (w || v) && cells.related(a).contains(&b),
        _ => false,
    };
    let sync = |i: usize| matches!(all[i].1, Act::Access { sync: true, .. });
    let mut before = vec![vec![false; all.len()]; all.len()];
    let mut races = BTreeSet::new();
    for j in 0..all.len() {
        for i in (0..j).rev() {
            let runs = &runs;
            let run = |of: usize| (runs[of]..runs.len()).take_while(move |&k| runs[k] == runs[of]);
            let learned = |k: usize| {
                matches!(all[k].1, Act::Joins(t) if t == all[i].0)
                    || all[i].1.learns() && run(i).any(|l| sync(l) && sync(k) && clash(l, k))
            };
            let direct = all[i].0 == all[j].0
                || children[i] == all[j].0
                || i < runs[j] && run(j).any(learned);
            if direct {
                let past: Vec<bool> = (0..all.len()).map(|k| k == i || before[i][k]).collect();
                for (k, known) in past.into_iter().enumerate() {
                    before[j][k] |= known;
                }
            }
        }
        for i in 0..j {
            let (Act::Access { span: a, .. }, Act::Access { span: b, .. }) = (all[i].1, all[j].1)
            else {
                continue;
            };
            if !before[j][i] && clash(i, j) && !(sync(i) && sync(j)) {
                races.insert((a.min(b), a.max(b)));
            }
        }
    }
    races
}

struct All<'p> {
    program: &'p Program,
    cells: Cells,
    detector: Detector,
    found: BTreeSet<Pair>,
    defined: BTreeSet<Pair>,
    left: u32,
}

impl All<'_> {
    /// Every execution that goes on like this; whether there were few enough.
    fn explore(&mut self, order: &mut Vec<u32>) -> bool {
        let Some((segments, next)) = run(self.program, order) else {
            return true;
        };
        if next.is_empty() {
            self.look(&segments);
            self.left = self.left.saturating_sub(1);
        }
        for task in next {
            order.push(task);
            let on = self.explore(order);
            order.pop();
            if !on {
                return false;
            }
        }
        self.look(&segments);
        self.left > 0
    }

    fn look(&mut self, segments: &[(u32, Vec<Touch>)]) {
        self.defined
            .extend(by_definition(&mut self.cells, segments));
        let mut now = Vec::new();
        self.detector.begin();
        for (task, touches) in segments {
            let acts = self.cells.acts(touches);
            self.detector.segment(&self.cells, *task, &acts, &mut now);
            let pair = |r: &trace::race::Race| (r.first.span, r.second.span);
            let pairs = now.iter().map(pair);
            self.found.extend(pairs.map(|(a, b)| (a.min(b), a.max(b))));
        }
    }
}

/// The races that a strategy finds, if it tells all of them; each is replayed.
fn reduced(program: &Program, strategy: Strategy) -> Option<BTreeSet<Pair>> {
    let options = ExploreOptions {
        strategy,
        sought: Sought::Races,
        all: true,
        ..ExploreOptions::default()
    };
    let shared = prepare_with(program, &options, false);
    let space = crate::reduced(program, Space::new(&shared, &options), &options);
    let found = search(program, space, &options);
    assert_eq!(found.internal, None);
    for (pair, trail) in &found.races {
        let schedule = schedule::schedule(program, space, trail);
        let (_, bug) = trace::replay(program, Scheduler::Bag, &schedule).unwrap();
        let bug = bug.expect("a race");
        let span = bug.span.unwrap();
        assert_eq!(bug.kind, ErrorKind::Race);
        assert!(span == pair.0 || span == pair.1);
    }
    (!found.doubtful).then(|| found.races.keys().copied().collect())
}

fn same_races(text: impl Fn(u64) -> String) {
    let (mut compared, mut racy, mut by_states) = (0, 0, 0);
    for seed in seeds(40) {
        let text = text(seed);
        let program = compile("random", &text);
        let mut all = All {
            program: &program,
            cells: Cells::new(&program),
            detector: Detector::default(),
            found: BTreeSet::new(),
            defined: BTreeSet::new(),
            left: 300,
        };
        if !all.explore(&mut Vec::new()) {
            continue;
        }
        assert!(all.found.is_subset(&all.defined), "{seed}\n{text}");
        assert_eq!(
            all.found.is_empty(),
            all.defined.is_empty(),
            "{seed}\n{text}"
        );
        assert_eq!(
            reduced(&program, Strategy::Dpor).as_ref(),
            Some(&all.found),
            "(reduced, all) {seed}\n{text}"
        );
        if let Some(found) = reduced(&program, Strategy::Stateful) {
            let none = found.is_empty();
            assert_eq!(none, all.found.is_empty(), "(states, all) {seed}\n{text}");
            by_states += 1;
        }
        compared += 1;
        racy += u32::from(!all.found.is_empty());
    }
    println!("{compared} programs, {racy} of them with races; {by_states} settled by states");
    assert!(by_states * 4 > compared);
}

#[test]
fn the_same_races() {
    same_races(|seed| program(seed, features(seed, false)));
}

#[test]
fn the_same_races_with_objects() {
    same_races(objects::program);
}

/// What an expression accesses is a part of a global.
#[test]
fn accesses_are_of_parts() {
    let text = "type R = record { a: int, b: bool }; var r: [2]R := [R { a: 0, b: true }; 2]; var i: int := 0;\n\
        proc main() { r[1].a := r[i].a; r[0] := r[1]; }";
    let program = compile("parts", text);
    let (segments, _) = run(&program, &[]).unwrap();
    let mut cells = Cells::new(&program);
    let all = segments[0].1.iter().filter_map(|t| match &t.what {
        What::Access {
            global,
            write,
            path,
            ..
        } if !matches!(path[..], [PathStep::Field(_)]) => {
            cells.acts(std::slice::from_ref(t));
            Some((global.0, path.len(), *write))
        }
        _ => None,
    });
    let all: Vec<_> = all.collect();
    // Bounds are checked, so indices are read more than once.
    let ours: Vec<_> = all.into_iter().filter(|a| a.0 == 0 && a.1 > 0).collect();
    assert_eq!(
        ours,
        [(0, 2, false), (0, 2, true), (0, 1, false), (0, 1, true)]
    );
}
