//! Tests the search against the definition, followed word by word: every interleaving from its beginning to its end,
//! and for each combined counter the shared states with which it was reached.

use std::collections::{BTreeMap, BTreeSet};

use crate::tests::compile;
use ir::{ErrorKind, Program, Value};
use machine::script::Script;
use options::{ExploreOptions, Scheduler, Sought};
use semantics::{Config, Machine, Stop};
use testing::generate::{Features, program};
use trace::pair::renamed;
use trace::{Decision, replay};

use super::search::search;

/// The descent of a task: each entry is a number among one parent's children. The last entry is the task's own number.
type Name = Vec<u32>;

/// By task that has run: its steps, and what was chosen for it.
type Counter = BTreeMap<Name, (u32, Vec<Value>)>;

#[derive(Debug, Default, PartialEq, Eq)]
struct Found {
    executions: u64,
    divergent: bool,
    errors: BTreeSet<ErrorKind>,
    finals: BTreeSet<Vec<Value>>,
}

struct Direct<'p> {
    program: &'p Program,
    found: Found,
    /// The visible globals with which each counter was reached first.
    shared: BTreeMap<Counter, Vec<Value>>,
    numbers: BTreeMap<Name, u32>,
    left: u32,
}

#[derive(Clone)]
struct Here<'p> {
    config: Config<'p>,
    names: Vec<Name>,
    counter: Counter,
    children: BTreeMap<Name, u32>,
}

/// More steps than these are not followed.
const MOST: u32 = 20_000;

fn direct(program: &Program) -> Option<Found> {
    let mut direct = Direct {
        program,
        found: Found::default(),
        shared: BTreeMap::new(),
        numbers: BTreeMap::new(),
        left: MOST,
    };
    let here = Here {
        config: Config::new(program, Scheduler::Bag),
        names: vec![Vec::new()],
        counter: Counter::new(),
        children: BTreeMap::new(),
    };
    direct.goes(&here, 1, 0)?;
    Some(direct.found)
}

impl<'p> Direct<'p> {
    /// Lets a task make a step, in every way; `None` if there is too much to follow.
    fn goes(&mut self, here: &Here<'p>, number: u32, steps: u32) -> Option<()> {
        let mut script = Script::new(&self.program.types);
        loop {
            self.left = self.left.checked_sub(1)?;
            let mut machine = Machine::new(self.program, here.config.clone(), script);
            let end = if steps == 0 {
                machine.start()
            } else {
                machine.config.queue.take(number);
                machine.dispatch(number)
            };
            match end {
                Ok(_) => {
                    let next = self.after(here, number, steps, &machine);
                    self.arrives(&next)?;
                }
                Err(stop) => self.stops(stop)?,
            }
            script = machine.env;
            if !script.advance() {
                return Some(());
            }
        }
    }

    fn stops(&mut self, stop: Stop) -> Option<()> {
        match stop {
            Stop::Error(kind, _, _) => {
                self.found.errors.insert(kind);
                self.found.executions += 1;
            }
            Stop::Dropped => {}
            Stop::Refused(..) => return None,
        }
        Some(())
    }

    fn after(
        &mut self,
        here: &Here<'p>,
        number: u32,
        steps: u32,
        machine: &Machine<'p, Script<'p>>,
    ) -> Here<'p> {
        let mut next = here.clone();
        next.config = machine.config.clone();
        let name = here.names[number as usize - 1].clone();
        while next.names.len() < machine.config.posted as usize {
            let child = next.children.entry(name.clone()).or_default();
            *child += 1;
            next.names.push([name.as_slice(), &[*child]].concat());
        }
        let progress = next.counter.entry(name).or_default();
        progress.0 += steps;
        progress.1.extend(machine.env.made.iter().cloned());
        next
    }

    fn arrives(&mut self, here: &Here<'p>) -> Option<()> {
        let counter = here.counter.clone().into_iter();
        let counter: Counter = counter.filter(|(_, p)| *p != (0, Vec::new())).collect();
        let shared = self.shared_state(here);
        let before = self.shared.entry(counter).or_insert_with(|| shared.clone());
        self.found.divergent |= *before != shared;
        if here.config.tasks.is_empty() {
            return self.finishes(here);
        }
        let machine = Machine::new(
            self.program,
            here.config.clone(),
            Script::new(&self.program.types),
        );
        let tasks = here.config.tasks.keys().copied();
        let enabled: Vec<u32> = tasks.filter(|&t| machine.blocked(t) != Ok(true)).collect();
        if enabled.is_empty() {
            self.found.errors.insert(ErrorKind::Deadlock);
            self.found.executions += 1;
        }
        enabled.iter().try_for_each(|&t| self.goes(here, t, 1))
    }

    /// The visible globals, with tasks by numbers that depend on their descent only.
    fn shared_state(&mut self, here: &Here<'p>) -> Vec<Value> {
        for name in &here.names {
            let fresh = self.numbers.len() as u32 + 1;
            self.numbers.entry(name.clone()).or_insert(fresh);
        }
        let same = |t: u32| Some(self.numbers[&here.names[t as usize - 1]]);
        let globals = self.program.globals.iter().zip(&here.config.globals);
        let visible = globals.filter(|(g, _)| !g.hidden);
        visible.map(|(_, v)| renamed(v, &same)).collect()
    }

    fn finishes(&mut self, here: &Here<'p>) -> Option<()> {
        let mut script = Script::new(&self.program.types);
        loop {
            self.left = self.left.checked_sub(1)?;
            let mut machine = Machine::new(self.program, here.config.clone(), script);
            match machine.finish() {
                Ok(()) => {
                    let globals = self.program.globals.iter().zip(machine.config.globals);
                    let shown = globals.filter(|(g, _)| g.is_final()).map(|(_, v)| v);
                    self.found.finals.insert(shown.collect());
                    self.found.executions += 1;
                }
                Err(stop) => self.stops(stop)?,
            }
            script = machine.env;
            if !script.advance() {
                return Some(());
            }
        }
    }
}

/// What the search finds. Replays each bug.
fn searched(program: &Program, text: &str) -> Option<Found> {
    let options = ExploreOptions {
        all: true,
        sought: Sought::Divergences,
        ..ExploreOptions::default()
    };
    let found = search(program, &options);
    if found.cut || found.limit.is_some() || found.refused.is_some() {
        return None;
    }
    for ((kind, _), schedule) in &found.bugs {
        match replay(program, Scheduler::Bag, schedule) {
            Ok((_, Some(bug))) => assert_eq!(bug.kind, *kind, "{text}"),
            other => panic!("{other:?}\n{text}"),
        }
    }
    let kinds: BTreeSet<ErrorKind> = found.bugs.keys().map(|k| k.0).collect();
    let is_divergence = |k: &ErrorKind| *k == ErrorKind::Divergence;
    Some(Found {
        executions: found.counts.executions.unwrap_or(0),
        divergent: kinds.iter().any(is_divergence),
        errors: kinds.into_iter().filter(|k| !is_divergence(k)).collect(),
        finals: found.finals,
    })
}

fn agree(text: &str) -> Option<Found> {
    let program = compile("divergence", text);
    let direct = direct(&program)?;
    let found = searched(&program, text)?;
    assert_eq!(found, direct, "(searched, direct)\n{text}");
    Some(found)
}

/// Fixed seeds; `SEED` and `PROGRAMS` in the environment ask for others.
fn seeds() -> std::ops::Range<u64> {
    let given = |name: &str| std::env::var(name).ok().and_then(|n| n.parse::<u64>().ok());
    let first = given("SEED").unwrap_or(0);
    first..first + given("PROGRAMS").unwrap_or(1000)
}

#[test]
fn random_programs_diverge_by_the_definition() {
    let (mut divergent, mut convergent) = (0, 0);
    for seed in seeds() {
        let features = Features {
            handles: seed % 3 == 0,
            choices: seed % 4 == 1,
            mode: [None, Some("statement"), Some("access")][seed as usize % 3],
            parts: seed % 5 == 2,
            waits: false,
        };
        let found = agree(&program(seed, features));
        match found.map(|f| f.divergent) {
            Some(true) => divergent += 1,
            Some(false) => convergent += 1,
            None => {}
        }
    }
    assert!(
        divergent > 20 && convergent > 20,
        "{divergent} {convergent}"
    );
}

/// Tasks that are posted in different orders, and choices, are told apart by their descent and their order.
#[test]
fn tasks_are_compared_by_their_descent() {
    let posting = "var sum: 0..40 := 0;
        proc leaf(n: 0..9) { sum := sum + n; }
        proc mid(n: 0..9) { post leaf(n); yield; post leaf(n + 1); }
        proc main() { post mid(1); post mid(5); }";
    let found = agree(posting).unwrap();
    assert!(!found.divergent, "{found:?}");
    let last = posting.replace("sum + n", "n");
    assert!(agree(&last).unwrap().divergent);
    let chosen = "var x: 0..3 := 0; proc p() { var n: 0..1; x := x + n; }
        proc main() { post p(); post p(); }";
    assert!(!agree(chosen).unwrap().divergent);
    let held = "var t: task; proc p() { skip; }
        proc q() { t := post p(); }
        proc main() { t := self; post p(); post q(); }";
    assert!(!agree(held).unwrap().divergent);
}

/// Both interleavings are in the schedule, one behind the other.
#[test]
fn a_divergence_is_two_schedules() {
    let text = "var x: int := 0; proc p(n: int) { x := n; } proc main() { post p(1); post p(2); }";
    let program = compile("two", text);
    let options = ExploreOptions {
        sought: Sought::Divergences,
        ..ExploreOptions::default()
    };
    let found = search(&program, &options);
    let schedule = found.bugs.values().next().unwrap();
    use Decision::{Again, Dispatch};
    let expected = [2, 3]
        .map(Dispatch)
        .into_iter()
        .chain([Again])
        .chain([3, 2].map(Dispatch));
    assert_eq!(schedule.decisions, expected.collect::<Vec<_>>());
}

/// The paper's table counts calls of `hook()`: 2n² for two threads of n statements. There is one call where a thread
/// begins, and one behind each of its statements but the last.
#[test]
fn the_table_of_the_paper() {
    for (n, hooks) in [(3, 18), (4, 32), (5, 50), (6, 72), (7, 98), (8, 128)] {
        let text = format!(
            "var c: [2]int := [0; 2];
             proc p(i: int) {{ for k in 2..{n} {{ c[i] := k; yield; }} c[i] := 0; }}
             proc main() {{ post p(0); post p(1); }}"
        );
        let program = compile("table", &text);
        let options = ExploreOptions {
            sought: Sought::Divergences,
            ..ExploreOptions::default()
        };
        let found = search(&program, &options);
        assert_eq!(found.counts.states, Some((n + 1) * (n + 1)));
        let last = 2 * (n + 1);
        assert_eq!(found.counts.transitions - last + 2, hooks);
    }
}
