//! Compares the stateful search that exchanges numbers by which tasks are told apart with the one that does not: errors,
//! deadlocks and final states are the same.
//!
//! `REDUCE=N` compares N random programs, `REDUCE_SEED=S` begins with seed S.

use std::fmt::Write as _;
use std::path::Path;
use std::time::Duration;

use fastrand::Rng;

use super::wild::{contradiction, number, said_of, said_reduced};
use super::*;

/// Statements of a task with the number `i` that do the same for all numbers.
const ALIKE: [&str; 39] = [
    "flag[i] := true;",
    "flag[i] := false;",
    "await !flag[i] { flag[i] := true; }",
    "await !flag[(i + 1) % N];",
    "await !flag[(i + 1) % N] { flag[(i + 1) % N] := true; }",
    "await owner == -1 { owner := i; }",
    "assert owner == i || owner == -1;",
    "owner := -1;",
    "if owner == i { owner := -1; }",
    "level[i] := (level[i] + 1) % 3;",
    "assert level[i] < 2;",
    "turn := i;",
    "await turn == i;",
    "await turn != i;",
    "turn := (turn + 1) % N;",
    "turn := (i + N - 1) % N;",
    "count := count + 1;",
    "assert count < 3;",
    "yield;",
    "yield;",
    "yield;",
    "seen := turn;",
    "level[seen] := 2;",
    "assert !flag[seen] || seen == i;",
    "next[i] := seen;",
    "seen := next[i];",
    "next[seen] := i;",
    "pair[i][turn] := !pair[i][turn];",
    "for k in 0..N - 1 { if flag[k] { level[k] := 1; } }",
    "havoc seen;",
    "all := call all_flags(); if all { count := 0; }",
    "who.id := i; who.on := flag[i];",
    "await holder == 0 { holder := i + 1; }",
    "assert holder == i + 1 || holder == 0;",
    "if holder == i + 1 { holder := 0; }",
    "if holder > 0 { flag[holder - 1] := true; }",
    "await !place[i + 1] { place[i + 1] := true; }",
    "place[i + 1] := place[0];",
    "holder := 1 + turn;",
];

/// Statements that do not do the same for all numbers, or only by accident.
const UNLIKE: [&str; 9] = [
    "flag[0] := true;",
    "assert turn != 0;",
    "if i < turn { count := count + 1; }",
    "for k in 0..N - 1 { flag[k] := false; yield; }",
    "if i == N - 1 { level[i] := 0; }",
    "assert i != 1 || !flag[1];",
    "count := count + i;",
    "turn := 0;",
    "await flag[0] || level[1] == 2;",
];

/// Statements of a task that knows itself and others.
const KNOWN: [&str; 14] = [
    "await boss == nobody { boss := self; }",
    "assert boss == self || boss == nobody;",
    "if boss == self { boss := nobody; }",
    "boss := self;",
    "await boss != self;",
    "await boss == known[i];",
    "known[i] := self;",
    "known[(i + 1) % N] := known[i];",
    "if known[(i + 1) % N] == self { count := count + 1; }",
    "if known[(i + 1) % N] != nobody && known[(i + 1) % N] != self { join known[(i + 1) % N]; }",
    "friend := boss;",
    "boss := friend;",
    "if friend == self { level[i] := 2; }",
    "if friend != nobody && friend != self { join friend; flag[i] := true; }",
];

/// Statements that do not do the same for all tasks.
const UNKNOWN: [&str; 3] = [
    "if known[0] == self { count := count + 1; }",
    "friend := post last();",
    "known[0] := boss;",
];

/// What a task does. It may know itself and others.
fn lines(rng: &mut Rng, known: bool) -> String {
    let mut out = String::new();
    if known {
        out += "  var nobody: task;\n  var friend: task;\n";
    }
    for _ in 0..2 + rng.usize(..4) {
        let lines = match (rng.u8(..) < 14, known && rng.bool()) {
            (true, true) => &UNKNOWN[..],
            (false, true) => &KNOWN[..],
            (true, false) => &UNLIKE[..],
            (false, false) => &ALIKE[..],
        };
        let _ = writeln!(out, "  {}", lines[rng.usize(..lines.len())]);
    }
    out
}

/// A random program whose tasks are given numbers, and may know each other.
pub(super) fn program(seed: u64) -> String {
    let mut rng = Rng::with_seed(seed);
    let known = rng.bool();
    // All of them may be given the same number.
    let alike = known && rng.u8(..) < 80;
    let count = 2 + usize::from(rng.u8(..) < 130);
    let mut out = format!("const N := {count};\n");
    let turn = ["0", "0", "N - 1"][rng.usize(..3)];
    let _ = writeln!(
        out,
        "var flag: [N]bool := [false; _];\nvar level: [N]0..2 := [0; _];\nvar next: [N]0..N - 1 := [0; _];\n\
         var pair: [N][N]bool := [[false; _]; _];\nvar owner: -1..N - 1 := -1;\nvar turn: 0..N - 1 := {turn};\n\
         var holder: 0..N := 0;\nvar place: [N + 1]bool := [false; _];\nvar who: Who;\nvar count: int := 0;\ntype Who = record {{ id: 0..N - 1, on: bool }};"
    );
    if known {
        out += "var boss: task;\nvar known: [N]task;\nproc last() { level[0] := 1; }\n";
    }
    let all: Vec<String> = (0..count).map(|k| format!("flag[{k}]")).collect();
    let _ = writeln!(
        out,
        "proc all_flags(): bool {{ return {}; }}",
        all.join(" && ")
    );
    let procs = 1 + rng.usize(..2);
    for proc in 0..procs {
        let _ = writeln!(
            out,
            "proc p{proc}(i: 0..N - 1) {{\n  var seen: 0..N - 1 := i;\n  var all: bool := false;"
        );
        out += &lines(&mut rng, known);
        if proc + 1 < procs && rng.bool() {
            let _ = writeln!(out, "  post p{}(i);", proc + 1);
        }
        out += "}\n";
    }
    out += "proc main() {\n  who := Who { id: 0, on: false };\n";
    for task in 0..count {
        let number = if alike { 0 } else { task };
        let _ = match known && rng.bool() {
            true => writeln!(out, "  known[{task}] := post p0({number});"),
            false => writeln!(out, "  post p0({number});"),
        };
        if rng.u8(..) < 20 {
            out += "  yield;\n";
        }
    }
    match rng.usize(..4) {
        0 => {
            out += "  await count > 1;\n  var all: bool := false;\n  all := call all_flags();\n  assert all;\n";
        }
        1 => out += "  await flag[0];\n  level[0] := 1;\n",
        _ => {}
    }
    out += "}\n";
    match rng.usize(..4) {
        0 => out += "finally { assert count < 3; }\n",
        1 => out += "finally { assert level[0] < 2; }\n",
        _ => {}
    }
    out
}

fn options(finals: bool) -> ExploreOptions {
    let mut options = ExploreOptions {
        all: true,
        finals,
        work: Some(60_000),
        ..ExploreOptions::default()
    };
    options.limits.timeout = Duration::from_secs(5);
    options
}

/// How often numbers were exchanged, and how often the search noticed on the way that they cannot be.
#[derive(Debug, Default)]
struct Count {
    exchanged: u32,
    broken: u32,
    with_finals: u32,
}

/// What the exchange of numbers changes in the answer. Exchanges numbers wherever that seems possible, worth while or not.
fn difference(program: &Program, finals: bool, count: &mut Count) -> Option<String> {
    let options = options(finals);
    let whole = match said_reduced(program, &options, |_| Reduction::default()) {
        Ok(whole) => whole,
        Err(why) => return Some(why),
    };
    let shared = prepare(program, &options);
    let reduction = Reduction::allowed(&shared, &options);
    let space = Space::new(&shared, &options).reduced(reduction);
    if !space.may_exchange() {
        return None;
    }
    let pending = strategy::most_pending(space, 1 << 20);
    let guesses = Symmetry::guesses(program, &shared, &pending, finals);
    let symmetry = strategy::numbers_to_exchange(space, 1 << 20, guesses, 1)?;
    let space = space.exchanging(&symmetry);
    let answer = said_of(program, space, &options);
    count.exchanged += 1;
    count.broken += u32::from(space.is_broken());
    count.with_finals += u32::from(finals);
    match answer {
        Ok(answer) => contradiction(&whole, &answer),
        Err(why) => Some(why),
    }
}

#[test]
fn random_programs_have_the_same_answers() {
    let first = number("REDUCE_SEED").unwrap_or(1);
    let (mut count, programs) = (Count::default(), number("REDUCE").unwrap_or(250));
    for seed in first..first + programs {
        let text = program(seed);
        let compiled = compile("numbers", &text);
        for finals in [false, true] {
            let why = difference(&compiled, finals, &mut count);
            assert_eq!(why, None, "seed {seed}, finals {finals}\n{text}");
        }
    }
    println!("{programs} programs: {count:?}");
    assert!(u64::from(count.exchanged) > programs / 8, "{count:?}");
}

/// Segments do the same with all numbers in the first states, but not later on. Then the search begins again.
#[test]
fn what_differs_late_ends_the_exchange() {
    let text = "\
const N := 3;
var round: [N]0..30 := [0; _];
var first: bool := false;
proc runner(i: 0..N - 1) {
  for t in 1..30 { yield; round[i] := t; yield; }
  if i == 1 && round[0] + round[2] == 3 { first := true; }
}
proc main() { for i in 0..N - 1 { post runner(i); } }
finally { assert !first; }";
    let mut count = Count::default();
    let program = compile("late", text);
    for finals in [false, true] {
        assert_eq!(difference(&program, finals, &mut count), None);
    }
    assert_eq!((count.exchanged, count.broken), (2, 2));
}

/// If all philosophers take their forks in the same order, they can be turned. In the second program the last
/// philosopher takes them in another order.
#[test]
fn philosophers_are_turned_if_none_is_different() {
    let text = |second: &str| {
        format!(
            "const N := 5;
var taken: [N]bool := [false; _];
proc philosopher(i: 0..N - 1) {{
  let left = {second};
  let right = (left + 1) % N;
  await !taken[left] {{ taken[left] := true; }}
  await !taken[right] {{ taken[right] := true; }}
  yield;
  taken[left] := false;
  yield;
  taken[right] := false;
}}
proc main() {{ for i in 0..N - 1 {{ post philosopher(i); }} }}"
        )
    };
    let states = |text: &str, reduction| {
        let options = ExploreOptions {
            all: true,
            reduction,
            ..ExploreOptions::default()
        };
        let answer = explore(&compile("philosophers", text), &options);
        answer.count(answer::Counted::States).unwrap()
    };
    let (all, turned) = (states(&text("i"), false), states(&text("i"), true));
    assert!(turned * 5 < all + 5 * 5, "{turned} of {all}");
    let different = text("(if i == N - 1 then 0 else i)");
    let mut count = Count::default();
    assert_eq!(
        difference(&compile("philosophers", &different), true, &mut count),
        None
    );
    assert_eq!(count.exchanged, 0);
}

/// An owner can be -1 or 0 for nobody, and tasks can be given numbers from 1 on.
#[test]
fn numbers_are_known_where_something_is_added() {
    let states = |first: i32, owner: &str, this: &str, nobody: &str, at: &str| {
        let text = format!(
            "const N := 5;
var owner: {owner} := {nobody};
var wants: [N]bool := [false; _];
proc worker(i: {first}..N - 1 + {first}) {{
  wants[{at}] := true;
  yield;
  await owner == {nobody} {{ owner := {this}; wants[{at}] := false; }}
  yield;
  assert owner == {this};
  owner := {nobody};
}}
proc main() {{ for i in {first}..N - 1 + {first} {{ post worker(i); }} }}"
        );
        let options = ExploreOptions {
            all: true,
            ..ExploreOptions::default()
        };
        let answer = explore(&compile("owner", &text), &options);
        answer.count(answer::Counted::States).unwrap()
    };
    let as_they_are = states(0, "-1..N - 1", "i", "-1", "i");
    assert!(as_they_are < 200, "{as_they_are}");
    assert_eq!(states(0, "0..N", "i + 1", "0", "i"), as_they_are);
    assert_eq!(states(1, "0..N", "i", "0", "i - 1"), as_they_are);
    assert_eq!(
        states(0, "1..N + 1", "2 + i - 1", "N + 1", "i"),
        as_they_are
    );
}

/// Philosophers with mutexes that know their owners; and workers that differ only in whether they own the mutex.
#[test]
fn numbers_of_tasks_are_exchanged() {
    let states = |text: &str, reduction| {
        let options = ExploreOptions {
            all: true,
            reduction,
            ..ExploreOptions::default()
        };
        let answer = explore(&compile("owner", text), &options);
        answer.count(answer::Counted::States).unwrap()
    };
    let philosophers = "use sync;
const N := 5;
var fork: [N]Mutex;
proc eat(i: 0..N - 1) {
  fork[i].lock();
  fork[(i + 1) % N].lock();
  fork[(i + 1) % N].unlock();
  fork[i].unlock();
}
proc main() { for i in 0..N - 1 { post eat(i); } }";
    let workers = "use sync;
var m: Mutex;
var x: 0..5 := 0;
proc work() { m.lock(); x := x + 1; m.unlock(); yield; assert x <= 5; }
proc main() { for i in 0..4 { post work(); } }";
    for (text, times) in [(philosophers, 4), (workers, 10)] {
        let (all, exchanged) = (states(text, false), states(text, true));
        assert!(exchanged * times < all, "{exchanged} of {all}\n{text}");
        let mut count = Count::default();
        for finals in [false, true] {
            assert_eq!(
                difference(&compile("owner", text), finals, &mut count),
                None
            );
        }
        assert_eq!(count.exchanged, 2, "{text}");
    }
}

#[test]
fn examples_have_the_same_answers() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/async-programs");
    let mut count = Count::default();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        let name = path.display().to_string();
        let compiled = compile::compile(&name, &text, &CheckOptions::default());
        let Some(program) = compiled.program else {
            continue;
        };
        assert_eq!(difference(&program, true, &mut count), None, "{name}");
        assert_eq!(difference(&program, false, &mut count), None, "{name}");
    }
    println!("{count:?}");
    assert!(count.exchanged > 3, "{count:?}");
}
