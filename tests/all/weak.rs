//! Programs on memory that is not sequentially consistent: the table of litmus tests and algorithms, and random programs beside a
//! machine with buffers that follows the definition word by word.

use std::collections::{BTreeSet, HashSet};

use dbverify::answer::{Answer, Verdict};
use dbverify::ir::{ErrorKind, Value};
use dbverify::options::{
    Buffered, EngineChoice, ExploreOptions, Memory, Strategy, Values, VerifyOptions,
};
use dbverify::verify::road::{self, Question, Target};
use testing::litmus::{self, Op, Order, PLACES, thread};

fn ask_with(text: &str, asked: Buffered, options: ExploreOptions) -> Answer {
    question(text, asked, Question::Schedules(options))
}

fn question(text: &str, asked: Buffered, question: Question) -> Answer {
    let compiled = dbverify::compile_c("test.c", text, &c::Options::default());
    let compiled = compiled.under(asked);
    let program = compiled
        .program
        .unwrap_or_else(|| panic!("refused: {:?}\n{text}", compiled.diagnostics));
    let target = Target {
        program: &program,
        sources: &compiled.sources,
        covers: &|_| None,
    };
    road::ask(&question, &target)
}

fn ask(text: &str, memory: Memory, strategy: Strategy) -> Answer {
    let options = ExploreOptions {
        strategy,
        ..ExploreOptions::default()
    };
    ask_with(text, Buffered { memory, buffer: 4 }, options)
}

/// Name, threads, what is not sequentially consistent, whether it happens under TSO and under PSO.
type Litmus = (
    &'static str,
    &'static [&'static str],
    &'static str,
    bool,
    bool,
);

const LITMUS: &[Litmus] = &[
    (
        "SB",
        &["W x 1; R 0 y", "W y 1; R 0 x"],
        "o0[0] == 0 && o1[0] == 0",
        true,
        true,
    ),
    (
        "SB+fence",
        &["W x 1; F sc; R 0 y", "W y 1; R 0 x"],
        "o0[0] == 0 && o1[0] == 0",
        true,
        true,
    ),
    (
        "SB+rfi",
        &["W x 1; R 0 x; R 1 y", "W y 1; R 0 y; R 1 x"],
        "o0[0] == 1 && o0[1] == 0 && o1[0] == 1 && o1[1] == 0",
        true,
        true,
    ),
    (
        "R",
        &["W x 1; W y 1", "W y 2; R 0 x"],
        "y == 2 && o1[0] == 0",
        true,
        true,
    ),
    (
        "3.SB",
        &["W x 1; R 0 y", "W y 1; R 0 z", "W z 1; R 0 x"],
        "o0[0] + o1[0] + o2[0] == 0",
        true,
        true,
    ),
    (
        "4.SB",
        &[
            "W x 1; R 0 y",
            "W y 1; R 0 z",
            "W z 1; R 0 w",
            "W w 1; R 0 x",
        ],
        "o0[0] + o1[0] + o2[0] + o3[0] == 0",
        true,
        true,
    ),
    (
        "MP",
        &["W x 1; W y 1", "R 0 y; R 1 x"],
        "o1[0] == 1 && o1[1] == 0",
        false,
        true,
    ),
    (
        "S",
        &["W x 2; W y 1", "R 0 y; W x 1"],
        "o1[0] == 1 && x == 2",
        false,
        true,
    ),
    (
        "R+fence",
        &["W x 1; W y 1", "W y 2; F sc; R 0 x"],
        "y == 2 && o1[0] == 0",
        false,
        true,
    ),
    (
        "2+2W",
        &["W x 1; W y 2", "W y 1; W x 2"],
        "x == 1 && y == 1",
        false,
        true,
    ),
    (
        "ISA2",
        &["W x 1; W y 1", "R 0 y; W z 1", "R 0 z; R 1 x"],
        "o1[0] == 1 && o2[0] == 1 && o2[1] == 0",
        false,
        true,
    ),
    (
        "SB+xchg",
        &["X 1 x 1; R 0 y", "X 1 y 1; R 0 x"],
        "o0[0] == 0 && o1[0] == 0",
        false,
        false,
    ),
    (
        "MP+rel",
        &["W x 1; W y 1 rel", "R 0 y; R 1 x"],
        "o1[0] == 1 && o1[1] == 0",
        false,
        false,
    ),
    (
        "2+2W+rel",
        &["W x 1; W y 2 rel", "W y 1; W x 2 rel"],
        "x == 1 && y == 1",
        false,
        false,
    ),
    (
        "WRC",
        &["W x 1", "R 0 x; W y 1", "R 0 y; R 1 x"],
        "o1[0] == 1 && o2[0] == 1 && o2[1] == 0",
        false,
        false,
    ),
    (
        "IRIW",
        &["W x 1", "W y 1", "R 0 x; R 1 y", "R 0 y; R 1 x"],
        "o2[0] == 1 && o2[1] == 0 && o3[0] == 1 && o3[1] == 0",
        false,
        false,
    ),
    (
        "IRIW+rel+acq",
        &[
            "W x 1 rel",
            "W y 1 rel",
            "R 0 x acq; R 1 y acq",
            "R 0 y acq; R 1 x acq",
        ],
        "o2[0] == 1 && o2[1] == 0 && o3[0] == 1 && o3[1] == 0",
        false,
        false,
    ),
    (
        "SB+fences",
        &["W x 1; F sc; R 0 y", "W y 1; F sc; R 0 x"],
        "o0[0] == 0 && o1[0] == 0",
        false,
        false,
    ),
    (
        "SB+sc",
        &["W x 1 sc; R 0 y sc", "W y 1 sc; R 0 x sc"],
        "o0[0] == 0 && o1[0] == 0",
        false,
        false,
    ),
    (
        "MP+rel+acq",
        &["W x 1; W y 1 rel", "R 0 y acq; R 1 x"],
        "o1[0] == 1 && o1[1] == 0",
        false,
        false,
    ),
    (
        "MP+fences",
        &["W x 1; F rel; W y 1", "R 0 y; F acq; R 1 x"],
        "o1[0] == 1 && o1[1] == 0",
        false,
        false,
    ),
    (
        "LB",
        &["R 0 x; W y 1", "R 0 y; W x 1"],
        "o0[0] == 1 && o1[0] == 1",
        false,
        false,
    ),
    (
        "S+rel+acq",
        &["W x 2; W y 1 rel", "R 0 y acq; W x 1"],
        "o1[0] == 1 && x == 2",
        false,
        false,
    ),
    (
        "R+fences",
        &["W x 1; F sc; W y 1", "W y 2; F sc; R 0 x"],
        "y == 2 && o1[0] == 0",
        false,
        false,
    ),
    (
        "WRC+rel+acq",
        &["W x 1", "R 0 x acq; W y 1 rel", "R 0 y acq; R 1 x"],
        "o1[0] == 1 && o2[0] == 1 && o2[1] == 0",
        false,
        false,
    ),
    (
        "ISA2+rel+acq",
        &[
            "W x 1; W y 1 rel",
            "R 0 y acq; W z 1 rel",
            "R 0 z acq; R 1 x",
        ],
        "o1[0] == 1 && o2[0] == 1 && o2[1] == 0",
        false,
        false,
    ),
    (
        "IRIW+sc",
        &[
            "W x 1 sc",
            "W y 1 sc",
            "R 0 x sc; R 1 y sc",
            "R 0 y sc; R 1 x sc",
        ],
        "o2[0] == 1 && o2[1] == 0 && o3[0] == 1 && o3[1] == 0",
        false,
        false,
    ),
    (
        "CoRR",
        &["W x 1; W x 2", "R 0 x; R 1 x"],
        "o1[0] == 2 && o1[1] == 1",
        false,
        false,
    ),
    (
        "CoRR2",
        &["W x 1", "W x 2", "R 0 x; R 1 x", "R 0 x; R 1 x"],
        "o2[0] == 1 && o2[1] == 2 && o3[0] == 2 && o3[1] == 1",
        false,
        false,
    ),
    ("CoWW", &["W x 1; W x 2", "R 0 x"], "x == 1", false, false),
    (
        "RMW+RMW",
        &["X 0 x 1", "X 0 x 2"],
        "o0[0] == 0 && o1[0] == 0",
        false,
        false,
    ),
];

/// Tests that fail in C11's memory and on no machine with buffers.
const C11_ONLY: [&str; 7] = [
    "SB+xchg",
    "MP+rel",
    "2+2W+rel",
    "WRC",
    "IRIW",
    "IRIW+rel+acq",
    "peterson+ww+mf",
];

#[test]
fn litmus_tests() {
    let mut solved = 0;
    for (name, threads, fails, tso, pso) in LITMUS {
        let threads: Vec<Vec<Op>> = threads.iter().map(|t| thread(t)).collect();
        let text = litmus::program(&threads, fails);
        for (memory, bug) in [
            (Memory::Sc, false),
            (Memory::Tso, *tso),
            (Memory::Pso, *pso),
            (Memory::C11, *pso || C11_ONLY.contains(name)),
        ] {
            let expected = if bug { Verdict::Bug } else { Verdict::Safe };
            for strategy in [Strategy::Stateful, Strategy::Dpor] {
                let answer = ask(&text, memory, strategy);
                assert_eq!(
                    answer.verdict, expected,
                    "{name} {memory:?} {strategy:?}\n{text}"
                );
            }
            if memory == Memory::Sc {
                continue;
            }
            let asked = Buffered { memory, buffer: 4 };
            let terms = ExploreOptions {
                values: Values::Terms,
                ..ExploreOptions::default()
            };
            let terms = question(&text, asked, Question::Schedules(terms));
            assert_eq!(terms.verdict, expected, "{name} {memory:?}\n{text}");
            // The solver finds only bugs that need few delays.
            if threads.len() > 2 || memory == Memory::C11 {
                continue;
            }
            let solver = VerifyOptions {
                engine: EngineChoice::Smt,
                delays_from: 1,
                delays_to: 1,
                ..VerifyOptions::default()
            };
            let solver = question(&text, asked, Question::Delays(solver));
            solved += u32::from(solver.verdict == Verdict::Bug);
            assert!(
                bug || solver.verdict != Verdict::Bug,
                "{name} {memory:?}\n{text}"
            );
        }
    }
    eprintln!("the solver finds {solved} bugs");
    assert!(solved > 8);
}

/// Locks for two threads. `S` is a relaxed store, `L` a relaxed load, `F` a fence.
const LOCKS: &str = "#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
#define S(p, v) atomic_store_explicit(&p, v, memory_order_relaxed)
#define L(p) atomic_load_explicit(&p, memory_order_relaxed)
#define F atomic_thread_fence(memory_order_seq_cst)
atomic_int wants[2], turn, choosing[2], number[2], taken;
int inside;
static void inside_alone(void) { inside++; assert(inside == 1); inside--; }
static void enter(int me) {
  int other = 1 - me;
  BODY
}
void *one(void *u) { enter(0); return 0; }
void *two(void *u) { enter(1); return 0; }
int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, one, 0);
  pthread_create(&t, 0, two, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
}
";

/// Name, body, whether two threads come in at once under TSO and under PSO. `leave` is a release store.
type Lock = (&'static str, &'static str, bool, bool);

const BODIES: &[Lock] = &[
    (
        "dekker",
        "S(wants[me], 1); if (L(wants[other])) { leave(wants[me]); return; } inside_alone(); leave(wants[me]);",
        true,
        true,
    ),
    (
        "dekker+fence",
        "S(wants[me], 1); F; if (L(wants[other])) { leave(wants[me]); return; } inside_alone(); leave(wants[me]);",
        false,
        false,
    ),
    (
        "peterson",
        "S(wants[me], 1); S(turn, other); while (L(wants[other]) && L(turn) == other) {} inside_alone(); leave(wants[me]);",
        true,
        true,
    ),
    (
        "peterson+mf",
        "S(wants[me], 1); S(turn, other); F; while (L(wants[other]) && L(turn) == other) {} inside_alone(); leave(wants[me]);",
        false,
        true,
    ),
    (
        "peterson+ww+mf",
        "S(wants[me], 1); atomic_thread_fence(memory_order_release); S(turn, other); F; while (L(wants[other]) && L(turn) == other) {} inside_alone(); leave(wants[me]);",
        false,
        false,
    ),
    (
        "peterson+xchg",
        "S(wants[me], 1); atomic_exchange(&turn, other); while (L(wants[other]) && L(turn) == other) {} inside_alone(); leave(wants[me]);",
        false,
        false,
    ),
    (
        "bakery",
        "S(choosing[me], 1); S(number[me], 1 + L(number[other])); S(choosing[me], 0); while (L(choosing[other])) {} int n = L(number[me]); for (;;) { int m = L(number[other]); if (!m || n < m || n == m && me == 0) break; } inside_alone(); leave(number[me]);",
        true,
        true,
    ),
    (
        "bakery+fences",
        "S(choosing[me], 1); F; S(number[me], 1 + L(number[other])); F; S(choosing[me], 0); F; while (L(choosing[other])) {} int n = L(number[me]); for (;;) { int m = L(number[other]); if (!m || n < m || n == m && me == 0) break; } inside_alone(); leave(number[me]);",
        false,
        false,
    ),
    (
        "spinlock+rlx",
        "while (atomic_exchange_explicit(&taken, 1, memory_order_acquire)) {} inside_alone(); S(taken, 0);",
        false,
        true,
    ),
    (
        "spinlock+rel",
        "while (atomic_exchange_explicit(&taken, 1, memory_order_acquire)) {} inside_alone(); leave(taken);",
        false,
        false,
    ),
];

const RELAXED_LOAD: &str = "#define L(p) atomic_load_explicit(&p, memory_order_relaxed)";
const ACQUIRE_LOAD: &str = "#define L(p) atomic_load_explicit(&p, memory_order_acquire)";

#[test]
fn locks() {
    for (name, body, tso, pso) in BODIES {
        let leave = "#define leave(p) atomic_store_explicit(&p, 0, memory_order_release)\n";
        let text = format!("{leave}{}", LOCKS.replace("BODY", body));
        for (memory, bug) in [
            (Memory::Sc, false),
            (Memory::Tso, *tso),
            (Memory::Pso, *pso),
            (Memory::C11, *pso || C11_ONLY.contains(name)),
        ] {
            // In C11's memory, a thread that comes in by a relaxed load does not know what the other thread did inside.
            let text = match memory {
                Memory::C11 => text.replace(RELAXED_LOAD, ACQUIRE_LOAD),
                _ => text.clone(),
            };
            // Executions in which a thread waits for a lock are too long to be followed.
            let answer = ask(&text, memory, Strategy::Stateful);
            let first = answer.bugs.first().map(|bug| bug.kind);
            let found = match memory {
                Memory::C11 => matches!(first, Some(ErrorKind::Assertion | ErrorKind::Race)),
                _ => first == Some(ErrorKind::Assertion),
            };
            assert_eq!(found, bug, "{name} {memory:?}: {}", answer.summary);
        }
    }
}

#[test]
fn three_threads_at_a_spin_lock() {
    let more =
        "pthread_t r; pthread_create(&r, 0, one, 0); pthread_join(r, 0); pthread_join(s, 0);";
    for (name, body, _, pso) in BODIES.iter().filter(|lock| lock.0.starts_with("spinlock")) {
        let leave = "#define leave(p) atomic_store_explicit(&p, 0, memory_order_release)\n";
        let text = format!("{leave}{}", LOCKS.replace("BODY", body));
        let text = text.replace("pthread_join(s, 0);", more);
        for memory in [Memory::Tso, Memory::Pso, Memory::C11] {
            let answer = ask(&text, memory, Strategy::Stateful);
            let found = !answer.bugs.is_empty();
            let expected = *pso && memory != Memory::Tso;
            assert_eq!(found, expected, "{name} {memory:?}: {}", answer.summary);
        }
    }
}

/// Names of `examples/memory`, and whether they fail under TSO.
const PAIRS: [(&str, bool); 8] = [
    ("chase_lev", true),
    ("dekker", true),
    ("peterson", true),
    ("double_checked", false),
    ("publish", false),
    ("ring", false),
    ("seqlock", false),
    ("spin_lock", false),
];

/// The search of states is asked by their headers.
#[test]
fn executions_of_the_pairs_contradict_no_search_of_states() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/memory");
    let mut settled = 0;
    for (name, tso) in PAIRS {
        for (file, broken) in [
            (format!("{name}_bug.c"), true),
            (format!("{name}.c"), false),
        ] {
            let text = std::fs::read_to_string(folder.join(&file)).unwrap();
            for memory in [Memory::Tso, Memory::Pso, Memory::C11] {
                let options = ExploreOptions {
                    strategy: Strategy::Dpor,
                    work: Some(100_000),
                    ..ExploreOptions::default()
                };
                let answer = ask_with(&text, Buffered { memory, buffer: 4 }, options);
                let bug = broken && (tso || memory != Memory::Tso);
                let expected = if bug { Verdict::Bug } else { Verdict::Safe };
                if matches!(answer.verdict, Verdict::Bug | Verdict::Safe) {
                    settled += 1;
                    assert_eq!(answer.verdict, expected, "{file} {memory:?}");
                }
            }
        }
    }
    eprintln!("{settled} of 48 end");
    assert!(settled > 24);
}

/// A thread of the reference: its place, its registers, its buffer.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Runs {
    at: usize,
    registers: Vec<u8>,
    buffer: Vec<Entry>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Entry {
    Store {
        to: usize,
        value: u8,
        release: bool,
    },
    /// A fence that orders stores.
    Barrier,
}

type State = ([u8; PLACES], Vec<Runs>);

/// All outcomes, by the definition.
fn outcomes(threads: &[Vec<Op>], memory: Memory) -> BTreeSet<litmus::Outcome> {
    let begin = threads.iter().map(|ops| Runs {
        at: 0,
        registers: vec![0; litmus::registers(ops)],
        buffer: Vec::new(),
    });
    let mut open: Vec<State> = vec![([0; PLACES], begin.collect())];
    let (mut seen, mut found) = (HashSet::new(), BTreeSet::new());
    while let Some(state) = open.pop() {
        if !seen.insert(state.clone()) {
            continue;
        }
        let ended =
            |(t, runs): (usize, &Runs)| runs.at == threads[t].len() && runs.buffer.is_empty();
        if state.1.iter().enumerate().all(ended) {
            let registers = state.1.iter().map(|runs| runs.registers.clone()).collect();
            found.insert((state.0.to_vec(), registers));
        }
        for (t, thread) in threads.iter().enumerate() {
            for entry in leaving(&state.1[t].buffer, memory) {
                let mut next = state.clone();
                if let Entry::Store { to, value, .. } = next.1[t].buffer.remove(entry) {
                    next.0[to] = value;
                }
                open.push(next);
            }
            if let Some(&op) = thread.get(state.1[t].at)
                && let Some(next) = step(&state, (t, thread.len()), op, memory)
            {
                open.push(next);
            }
        }
    }
    found
}

/// The entries of a buffer that may leave it.
fn leaving(buffer: &[Entry], memory: Memory) -> Vec<usize> {
    let may = |&at: &usize| {
        let before = &buffer[..at];
        match buffer[at] {
            _ if memory == Memory::Tso => at == 0,
            Entry::Barrier => at == 0,
            Entry::Store { release: true, .. } => at == 0,
            Entry::Store { to, .. } => before.iter().all(|entry| match entry {
                Entry::Barrier => false,
                Entry::Store { to: other, .. } => *other != to,
            }),
        }
    };
    (0..buffer.len()).filter(may).collect()
}

fn step(state: &State, (t, end): (usize, usize), op: Op, memory: Memory) -> Option<State> {
    let mut next = state.clone();
    let (cells, runs) = (&mut next.0, &mut next.1[t]);
    runs.at += 1;
    match op {
        Op::Write(loc, value, order) => {
            let to = loc.slot(&runs.registers);
            if memory == Memory::Sc || order == Order::SeqCst {
                if !runs.buffer.is_empty() {
                    return None;
                }
                cells[to] = value;
            } else {
                let release = order == Order::Release;
                runs.buffer.push(Entry::Store { to, value, release });
            }
        }
        Op::Read(into, loc, _) => {
            let from = loc.slot(&runs.registers);
            let own = runs.buffer.iter().rev().find_map(|entry| match entry {
                Entry::Store { to, value, .. } if *to == from => Some(*value),
                _ => None,
            });
            runs.registers[into] = own.unwrap_or(cells[from]);
        }
        Op::Exchange(into, loc, value, _) => {
            if !runs.buffer.is_empty() {
                return None;
            }
            let at = loc.slot(&runs.registers);
            runs.registers[into] = std::mem::replace(&mut cells[at], value);
        }
        Op::Compare(into, loc, [expected, value], _) => {
            if !runs.buffer.is_empty() {
                return None;
            }
            let at = loc.slot(&runs.registers);
            runs.registers[into] = cells[at];
            if cells[at] == expected {
                cells[at] = value;
            }
        }
        Op::Fence(Order::SeqCst) => {
            if !runs.buffer.is_empty() {
                return None;
            }
        }
        Op::Fence(order) if memory == Memory::Pso && order.releases() => {
            runs.buffer.push(Entry::Barrier);
        }
        Op::Fence(_) => {}
        Op::Stop(r) if runs.registers[r] == 0 => runs.at = end,
        Op::Stop(_) => {}
    }
    Some(next)
}

/// A number within a final state.
fn numbers(value: &Value, out: &mut Vec<u8>) {
    match value {
        Value::Int(n) => out.push(u8::try_from(*n).expect("a small number")),
        Value::Array(all) => all.iter().for_each(|v| numbers(v, out)),
        Value::Record(all) => all.iter().for_each(|v| numbers(v, out)),
        other => panic!("a value {other:?}"),
    }
}

fn found(
    threads: &[Vec<Op>],
    asked: Buffered,
    strategy: Strategy,
    reduction: bool,
) -> BTreeSet<litmus::Outcome> {
    let text = &litmus::program(threads, "");
    let options = ExploreOptions {
        strategy,
        finals: true,
        reduction,
        ..ExploreOptions::default()
    };
    let answer = ask_with(text, asked, options);
    assert_eq!(answer.verdict, Verdict::Safe, "{text}");
    assert!(answer.exhaustive, "{}\n{text}", answer.summary);
    let finals = answer.finals.expect("final states");
    let flat = finals.iter().map(|state| {
        let mut all = Vec::new();
        state.iter().for_each(|v| numbers(v, &mut all));
        litmus::outcome(threads, &all)
    });
    flat.collect()
}

/// How many random programs are compared.
fn programs(ordinary: u64) -> u64 {
    std::env::var("PROGRAMS").map_or(ordinary, |n| n.parse().expect("a number"))
}

#[test]
fn random_programs_have_the_outcomes_of_the_definition() {
    for seed in 0..programs(40) {
        let threads = litmus::random(seed, true);
        for memory in [Memory::Sc, Memory::Tso, Memory::Pso] {
            let expected = outcomes(&threads, memory);
            let asked = Buffered { memory, buffer: 8 };
            for (strategy, reduction) in [
                (Strategy::Stateful, true),
                (Strategy::Stateful, seed % 4 != 0),
                (Strategy::Dpor, true),
            ] {
                let own = found(&threads, asked, strategy, reduction);
                let text = || litmus::program(&threads, "");
                assert_eq!(own, expected, "{seed} {memory:?} {strategy:?}\n{}", text());
            }
        }
    }
}

const SB: &str = "#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
atomic_int x, y; int a, b;
void *left(void *u) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  a = atomic_load_explicit(&y, memory_order_relaxed);
  return 0;
}
void *right(void *u) {
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  b = atomic_load_explicit(&x, memory_order_relaxed);
  return 0;
}
int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, left, 0);
  pthread_create(&t, 0, right, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  assert(a || b);
}
";

#[test]
fn a_verdict_says_that_races_were_not_looked_for() {
    let folder = folder();
    let said = |args: &[&str]| {
        let ran = dbverify(folder.path(), args);
        assert_eq!(ran.status, Some(0), "{args:?} {}{}", ran.out, ran.err);
        ran.out
            .contains("on x86 (TSO); data races were not looked for")
    };
    assert!(said(&["explore", "fenced.c", "--memory", "tso"]));
    assert!(!said(&[
        "explore",
        "fenced.c",
        "--memory",
        "tso",
        "--no-races"
    ]));
}

#[test]
fn a_test_takes_a_memory_and_a_limit() {
    let folder = folder();
    let up = "{ var i: int := 0; while (i < 3) { x := (x * 3 + k) % 31; yield; y := (y + x * k) % 31; yield; i := i + 1; } }";
    // One MiB is too little for its states.
    for (options, expected) in [
        ("--memory tso --memory 2000", "safe"),
        ("--memory tso", "inconclusive"),
    ] {
        let text = format!(
            "// run: explore {options}\n// expect: {expected}\nvar x: int := 0; var y: int := 0;\n\
             proc up(k: int) {up}\nproc main() {{ post up(1); post up(2); }}\n"
        );
        std::fs::write(folder.path().join("case.async"), text).unwrap();
        let ran = dbverify(folder.path(), &["test", "case.async", "--memory", "1"]);
        assert_eq!(ran.status, Some(0), "{}{}", ran.out, ran.err);
    }
}

/// A thread that stores three times before it reads.
const MANY: &str = "#include <pthread.h>
#include <stdatomic.h>
atomic_int x, y, z;
void *left(void *u) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  atomic_store_explicit(&x, 2, memory_order_relaxed);
  atomic_store_explicit(&x, 3, memory_order_relaxed);
  if (atomic_load_explicit(&y, memory_order_relaxed))
    z = 1;
  return 0;
}
int main(void) {
  pthread_t s;
  pthread_create(&s, 0, left, 0);
  y = x;
  pthread_join(s, 0);
}
";

const FENCED: &str = "#include <pthread.h>
#include <stdatomic.h>
atomic_int x, y;
void *left(void *u) { x = 1; y = 1; return 0; }
int main(void) {
  pthread_t s;
  pthread_create(&s, 0, left, 0);
  int r = y;
  pthread_join(s, 0);
  return r;
}
";

/// Any number of stores.
const WAITS: &str = "#include <pthread.h>
#include <stdatomic.h>
atomic_int x, y;
void *left(void *u) {
  while (!atomic_load_explicit(&y, memory_order_relaxed))
    atomic_store_explicit(&x, 1, memory_order_relaxed);
  return 0;
}
int main(void) {
  pthread_t s;
  pthread_create(&s, 0, left, 0);
  int r = atomic_load_explicit(&x, memory_order_relaxed);
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  pthread_join(s, 0);
  return r;
}
";

const CALLS: &str = "#include <pthread.h>
#include <stdatomic.h>
atomic_int x;
void f(int n) { if (n) f(n - 1); atomic_store_explicit(&x, n, memory_order_relaxed); }
void *left(void *u) { f(3); return 0; }
int main(void) {
  pthread_t s;
  pthread_create(&s, 0, left, 0);
  int r = atomic_load_explicit(&x, memory_order_relaxed);
  pthread_join(s, 0);
  return r;
}
";

struct Ran {
    status: Option<i32>,
    out: String,
    err: String,
}

fn dbverify(folder: &std::path::Path, args: &[&str]) -> Ran {
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_dbverify"))
        .current_dir(folder)
        .args(args)
        .output()
        .unwrap();
    Ran {
        status: output.status.code(),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    }
}

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [
        ("sb.c", SB),
        ("many.c", MANY),
        ("fenced.c", FENCED),
        ("calls.c", CALLS),
        ("waits.c", WAITS),
    ] {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

#[test]
fn a_trace_shows_the_buffers_and_says_its_memory() {
    let folder = folder();
    let ask = [
        "explore",
        "sb.c",
        "--memory",
        "tso",
        "--memory",
        "2000",
        "--trace-out",
        "t.json",
    ];
    let found = dbverify(folder.path(), &ask);
    assert_eq!(found.status, Some(1), "{}{}", found.out, found.err);
    for words in [
        " stays in the buffer of task ",
        " still in the buffer)",
        " reaches memory",
    ] {
        assert!(found.out.contains(words), "{words}\n{}", found.out);
    }
    let again = dbverify(folder.path(), &["replay", "sb.c", "t.json", "--print"]);
    assert_eq!(again.status, Some(1), "{}{}", again.out, again.err);
    assert!(
        again.out.contains(" stays in the buffer of task "),
        "{}",
        again.out
    );
    let other = dbverify(
        folder.path(),
        &["replay", "sb.c", "t.json", "--memory", "pso"],
    );
    assert_eq!(other.status, Some(2));
    assert!(other.err.contains("another memory"), "{}", other.err);
}

#[test]
fn one_execution_is_followed_whatever_a_search_leaves_out() {
    let folder = folder();
    let text = SB.replace("  assert(a || b);\n", "");
    std::fs::write(folder.path().join("either.c"), text).unwrap();
    // The store leaves the buffer behind a load that could come later.
    std::fs::write(folder.path().join("typed"), "1\n1\n1\n1\nfalse\n1\nrun\n").unwrap();
    let ran = std::process::Command::new(env!("CARGO_BIN_EXE_dbverify"))
        .current_dir(folder.path())
        .args([
            "simulate",
            "either.c",
            "--memory",
            "tso",
            "--by-hand",
            "--trace-out",
            "own.json",
        ])
        .stdin(std::fs::File::open(folder.path().join("typed")).unwrap())
        .output()
        .unwrap();
    let out = String::from_utf8_lossy(&ran.stdout);
    assert_eq!(ran.status.code(), Some(0), "{out}");
    assert!(
        out.contains("a store of task 2 reaches memory now (true or false) "),
        "{out}"
    );
    assert!(
        out.contains("reads y: 0 (x = 1 still in the buffer)"),
        "{out}"
    );
    let ran = dbverify(folder.path(), &["replay", "either.c", "own.json"]);
    assert_eq!(ran.status, Some(0), "{}{}", ran.out, ran.err);
    let words = "without an error, which says nothing about other executions";
    assert!(ran.out.contains(words), "{}", ran.out);
}

#[test]
fn an_answer_names_the_memory_and_the_buffer() {
    let folder = folder();
    let json = |args: &[&str]| {
        let ran = dbverify(folder.path(), args);
        let json: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
        (json, ran.status)
    };
    let ask = [
        "explore", "many.c", "--memory", "tso", "--buffer", "2", "--format", "json",
    ];
    let (cut, status) = json(&ask);
    assert_eq!((cut["verdict"].as_str(), status), (Some("safe"), Some(0)));
    assert_eq!(cut["bounds"]["memory"], "tso");
    assert_eq!(cut["bounds"]["buffer"], 2);
    assert_eq!(cut["bounds"]["cut_by"][0], "buffer");
    assert_eq!(cut["bounds"]["exhaustive"], false);
    let summary = cut["summary"].as_str().unwrap();
    assert!(
        summary.contains("on x86 (TSO), at most 2 stores in a buffer"),
        "{summary}"
    );
    let (whole, _) = json(&["explore", "many.c", "--memory", "tso", "--format", "json"]);
    assert_eq!(whole["bounds"]["exhaustive"], true, "{whole}");
    assert_eq!(whole["bounds"]["cut_by"].as_array().map(Vec::len), Some(0));
}

#[test]
fn beside_all_bugs_it_says_what_was_left_out() {
    let folder = folder();
    let two_stores = "preempt access;\nvar x, y, z, r, s, u: int := 0;\n\
                      proc one() { x := 1; z := 1; r := y; }\n\
                      proc two() { atomic { y := 1; } s := x; u := z; }\n\
                      proc main() { post one(); post two(); }\n\
                      finally { assert !(r == 0 && s == 0); assert s == 0 || r == 0; }\n";
    let waits = "preempt access;\nvar y, a: int := 0;\n\
                 proc one() { y := 1; a := 2; }\n\
                 proc two() { a := 1; await a == 1 { y := 2; } }\n\
                 proc main() { post one(); post two(); }\n\
                 finally { assert !(y == 1 && a == 1); }\n";
    for (text, options, cut) in [
        (two_stores, "--memory tso --buffer 1", "buffer"),
        (
            two_stores,
            "--memory pso --buffer 1 --strategy dpor",
            "buffer",
        ),
        (waits, "--memory c11", "memory"),
        (two_stores, "--memory tso --buffer 2", ""),
    ] {
        std::fs::write(folder.path().join("it.async"), text).unwrap();
        let all = "explore it.async --all --format json".split(' ');
        let ran = dbverify(
            folder.path(),
            &all.chain(options.split(' ')).collect::<Vec<_>>(),
        );
        let json: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
        let bounds = &json["bounds"];
        assert_eq!(json["verdict"], "bug", "{options}");
        assert_eq!(bounds["exhaustive"], cut.is_empty(), "{options}");
        let cut_by = bounds["cut_by"].as_array().unwrap();
        assert!(cut_by.iter().eq(Some(cut).filter(|by| !by.is_empty())));
    }
}

#[test]
fn where_no_store_can_be_overtaken_nothing_is_added() {
    let folder = folder();
    let states = |memory: &str| {
        let ask = [
            "explore",
            "fenced.c",
            "--memory",
            memory,
            "--no-races",
            "--format",
            "json",
        ];
        let ran = dbverify(folder.path(), &ask);
        let json: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
        assert_eq!(json["verdict"], "safe", "{json}");
        (json["stats"]["states"].clone(), ran.out)
    };
    let (sc, _) = states("sc");
    for memory in ["tso", "pso"] {
        let (weak, said) = states(memory);
        assert_eq!(weak, sc);
        let words = format!(
            "no store can be overtaken, so {} is SC here",
            memory.to_uppercase()
        );
        assert!(said.contains(&words), "{said}");
    }
}

#[test]
fn what_makes_no_sense_is_refused() {
    let folder = folder();
    let cases: &[(&[&str], &str)] = &[
        (
            &["explore", "sb.c", "--memory", "arm"],
            "sc, tso, pso or c11",
        ),
        (
            &["explore", "calls.c", "--memory", "c11"],
            "`f` calls itself",
        ),
        (
            &["explore", "sb.c", "--buffer", "2"],
            "--buffer belongs to --memory",
        ),
        (
            &["explore", "sb.c", "--memory", "tso", "--buffer", "0"],
            "at least 1",
        ),
        (
            &["explore", "sb.c", "--memory", "tso", "--memory", "pso"],
            "two memories",
        ),
        (
            &["explore", "sb.c", "--memory", "10", "--memory", "20"],
            "two limits",
        ),
        (
            &["explore", "sb.c", "--memory", "tso", "--races"],
            "leave out --memory",
        ),
        (
            &["explore", "sb.c", "--memory", "tso", "--fair"],
            "--fair does not go with",
        ),
        (
            &["prove", "sb.c", "--memory", "tso", "--races"],
            "leave out --memory",
        ),
    ];
    for (args, words) in cases {
        let ran = dbverify(folder.path(), args);
        assert_eq!(ran.status, Some(2), "{args:?} {}{}", ran.out, ran.err);
        assert!(ran.err.contains(words), "{args:?} {}", ran.err);
    }
}

#[test]
fn every_engine_finds_the_bug() {
    let folder = folder();
    for args in [
        &["sb.c"][..],
        &["sb.c", "--delays", "1", "--engine", "smt"],
        &["sb.c", "--delays", "any"],
        &["explore", "sb.c", "--strategy", "stateless"],
        &["explore", "sb.c", "--strategy", "random"],
        &["explore", "sb.c", "--values", "terms"],
        &["explore", "sb.c", "--cluster", "local:2"],
        &["explore", "sb.c", "--jobs", "2", "--no-reduction"],
        &["prove", "sb.c"],
    ] {
        for memory in ["tso", "c11"] {
            let more = ["--memory", memory, "--timeout", "60", "--no-races"];
            let args = [args, &more].concat();
            let ran = dbverify(folder.path(), &args);
            assert_eq!(ran.status, Some(1), "{args:?} {}{}", ran.out, ran.err);
        }
    }
}

const MODEL: &str = "preempt access;
var x: int := 0; var y: int := 0; var a: int := 0; var b: int := 0;
proc left() { x := 1; FENCE a := y; }
proc right() { y := 1; FENCE b := x; }
proc main() { post left(); post right(); }
finally { assert a + b > 0; }
";

#[test]
fn models_have_buffers_too() {
    let verdict = |fence: &str, memory| {
        let text = MODEL.replace("FENCE", fence);
        let verifier = dbverify::Verifier::new(text).all_schedules();
        verifier.memory(memory, 4).run().unwrap().verdict
    };
    assert_eq!(verdict("", Memory::Sc), Verdict::Safe);
    for memory in [Memory::Tso, Memory::Pso, Memory::C11] {
        assert_eq!(verdict("", memory), Verdict::Bug);
        assert_eq!(verdict("atomic { x := x; }", memory), Verdict::Safe);
        assert_eq!(verdict("await true; ", memory), Verdict::Bug);
    }
}

/// A procedure that is only called becomes part of its callers, with the tasks that it makes.
#[test]
fn a_procedure_that_is_called_may_make_tasks() {
    let text = "var x: 0..1 := 0;
        proc main() { call starts(); x := 1; }
        proc starts() { if x == 0 { post looks(); } }
        proc looks() { assert x == 0; }";
    for memory in [Memory::Tso, Memory::Pso, Memory::C11] {
        let verifier = dbverify::Verifier::new(text).all_schedules();
        let answer = verifier.memory(memory, 4).run().unwrap();
        assert_eq!(answer.verdict, Verdict::Bug, "{memory:?}");
    }
}

#[test]
fn c11_shows_old_values_and_says_what_it_follows() {
    let folder = folder();
    let ask = [
        "explore",
        "sb.c",
        "--memory",
        "c11",
        "--trace-out",
        "t.json",
    ];
    let found = dbverify(folder.path(), &ask);
    assert_eq!(found.status, Some(1), "{}{}", found.out, found.err);
    let words = "reads x: 0 (an older value: x is 1 by now)";
    assert!(found.out.contains(words), "{}", found.out);
    assert!(found.out.contains("runs left(NULL)"), "{}", found.out);
    let again = dbverify(folder.path(), &["replay", "sb.c", "t.json", "--print"]);
    assert_eq!(again.status, Some(1), "{}{}", again.out, again.err);
    assert!(again.out.contains(words), "{}", again.out);
    let json = |args: &[&str]| {
        let ran = dbverify(folder.path(), args);
        let json: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
        json
    };
    let cut = json(&[
        "explore", "waits.c", "--memory", "c11", "--format", "json", "--buffer", "2",
    ]);
    assert_eq!(cut["verdict"], "safe", "{cut}");
    assert_eq!(cut["bounds"]["memory"], "c11");
    assert_eq!(cut["bounds"]["cut_by"][0], "buffer");
    assert_eq!(cut["bounds"]["exhaustive"], false);
    let summary = cut["summary"].as_str().unwrap();
    assert!(
        summary.contains("at most 2 stores of a variable"),
        "{summary}"
    );
    // Where all that races is seq_cst nothing is added, and races are looked for.
    let fenced = json(&["explore", "fenced.c", "--memory", "c11", "--format", "json"]);
    assert_eq!(fenced["verdict"], "safe", "{fenced}");
    assert_eq!(fenced["bounds"]["c11"], true, "{fenced}");
    assert_eq!(fenced["bounds"]["exhaustive"], true, "{fenced}");
}

const PASSED_ON: &str = "#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
int data;
atomic_int ready;
void *writer(void *u) {
  data = 1;
  atomic_store_explicit(&ready, 1, WRITE);
  return 0;
}
void *reader(void *u) {
  if (atomic_load_explicit(&ready, READ))
    printf(\"%d\", data);
  return 0;
}
int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, writer, 0);
  pthread_create(&t, 0, reader, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
}
";

#[test]
fn races_are_looked_for_in_the_executions_of_c11() {
    let folder = folder();
    let ask = |write: &str, read: &str, more: &[&str]| {
        let text = PASSED_ON.replace("WRITE", &format!("memory_order_{write}"));
        let text = text.replace("READ", &format!("memory_order_{read}"));
        std::fs::write(folder.path().join("mp.c"), text).unwrap();
        let args = [
            &["explore", "mp.c", "--memory", "c11", "--format", "json"],
            more,
        ]
        .concat();
        let ran = dbverify(folder.path(), &args);
        serde_json::from_str::<serde_json::Value>(&ran.out).unwrap()
    };
    for (write, read, strategy) in [
        ("relaxed", "acquire", "stateful"),
        ("release", "relaxed", "dpor"),
    ] {
        let found = ask(write, read, &["--strategy", strategy]);
        assert_eq!(found["verdict"], "bug", "{found}");
        let text = found.to_string();
        let words = "`data` is read here and written at line 7 by another thread";
        assert!(text.contains(words), "{text}");
        let left_out = ask(write, read, &["--strategy", strategy, "--no-races"]);
        assert_eq!(left_out["verdict"], "safe", "{left_out}");
        assert_eq!(left_out["bounds"]["races"], false, "{left_out}");
    }
    let none = ask("release", "acquire", &[]);
    assert_eq!(none["verdict"], "safe", "{none}");
    assert_eq!(none["bounds"]["races"], true, "{none}");
    assert_eq!(none["bounds"]["exhaustive"], true, "{none}");
}

/// dbverify finds the race of this `free` without `--memory`. With `--memory c11` it does not look for it, and says so.
#[test]
fn races_of_free_are_not_claimed_on_c11() {
    let trap = "tests/c/traps/272_references_are_counted_relaxed.c";
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    let args = ["explore", trap, "--memory", "c11", "--format", "json"];
    let ran = dbverify(root, &args);
    let found: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(found["verdict"], "safe", "{found}");
    assert_eq!(found["bounds"]["races"], false, "{found}");
    let summary = found["summary"].as_str().unwrap();
    let words = "; nothing races there, but races with `free` were not looked for";
    assert!(summary.ends_with(words), "{found}");
}

#[test]
fn a_task_that_waits_lets_its_stores_go() {
    let text = "preempt access;
        var x: bool := false; var y: bool := false;
        proc other() { await x; y := true; }
        proc main() { post other(); x := true; await y; }
    ";
    for memory in Memory::ALL {
        let answer = dbverify::Verifier::new(text)
            .all_schedules()
            .memory(memory, 1)
            .run();
        assert_eq!(answer.unwrap().verdict, Verdict::Safe, "{memory:?}");
    }
}

/// An exchange that never succeeds is no assumption of the user's.
#[test]
fn an_exchange_that_always_fails_stops_no_execution() {
    let folder = folder();
    let text = "#include <pthread.h>\n#include <stdatomic.h>\natomic_int x;\n\
                void *t(void *a) {\n  atomic_store_explicit(&x, 1, memory_order_relaxed);\n  return 0;\n}\n\
                int main(void) {\n  pthread_t p;\n  pthread_create(&p, 0, t, 0);\n  int e = 5;\n\
                  atomic_compare_exchange_strong_explicit(&x, &e, 3, memory_order_relaxed, memory_order_relaxed);\n\
                  pthread_join(p, 0);\n  return 0;\n}\n";
    std::fs::write(folder.path().join("fails.c"), text).unwrap();
    for command in ["explore", "verify"] {
        let ran = dbverify(folder.path(), &[command, "fails.c", "--memory", "c11"]);
        assert_eq!(ran.status, Some(0), "{}{}", ran.out, ran.err);
        let said = ran.out + &ran.err;
        assert!(!said.contains("gets past"), "{said}");
    }
}

#[test]
fn one_thread_has_the_same_executions_in_every_memory() {
    let folder = folder();
    std::fs::write(
        folder.path().join("one.c"),
        "int main(void) { return 0; }\n",
    )
    .unwrap();
    for command in ["explore", "verify", "prove"] {
        let ran = dbverify(folder.path(), &[command, "one.c", "--format", "json"]);
        let json: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
        assert_eq!(json["bounds"]["c11"], true, "{json}");
        assert_eq!(json["notes"].as_array().map_or(0, Vec::len), 0, "{json}");
    }
}
