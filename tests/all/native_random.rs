//! Random small programs with threads, run and interpreted: the same verdict, the same final values, and where both mean the
//! same steps, the same count of traces.
//!
//! More on demand: `PROGRAMS=1000 SEED=7 cargo test --release --test all native_random`.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use dbverify::answer::{Counted, Verdict};
use dbverify::c::Options;
use dbverify::compile_c;
use dbverify::options::{ExploreOptions, Strategy};
use dbverify::symbolic::explore;
use fastrand::Rng;
use serde_json::Value;

use crate::native::{can, compiled_by, dbverify, said};

const HEAD: &str = "#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <time.h>
static pthread_mutex_t m0 = PTHREAD_MUTEX_INITIALIZER, m1 = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c0 = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t l0 = PTHREAD_RWLOCK_INITIALIZER;
static pthread_barrier_t b0;
static sem_t s0;
static atomic_int a0, a1;
static volatile int x0;
static int g0, g1;
static unsigned r[7];
static const struct timespec soon = {1, 0};
#if defined __SANITIZE_THREAD__ || defined __clang__
#include <fcntl.h>
#include <stdio.h>
static void written(void) {
  dprintf(open(\"FINALS\", O_WRONLY | O_APPEND | O_CREAT, 0600), \"{%u, %u, %u, %u, %u, %u, %u}\\n\", r[0], r[1], r[2], r[3], r[4], r[5], r[6]);
}
#else
static void written(void) {}
#endif
";

/// A program as it grows.
struct Text<'a> {
    rng: &'a mut Rng,
    text: String,
    /// The number of the thread, whose element of `r` takes what it sees.
    thread: usize,
    /// It is about one mutex and its condition.
    waits: bool,
    /// Mutexes that are held.
    held: Vec<usize>,
    /// The interpreter takes other steps than the program.
    other_steps: bool,
}

impl Text<'_> {
    fn log(&mut self, value: &str) {
        let own = self.thread;
        let _ = writeln!(self.text, "r[{own}] = r[{own}] * 3 + ({value});");
    }

    fn line(&mut self, line: &str) {
        let _ = writeln!(self.text, "{line}");
    }

    /// A step that looks at or changes a variable.
    fn variable(&mut self) {
        let k = self.rng.u32(0..3);
        let a = self.rng.u32(0..2);
        match self.rng.u32(0..11) {
            0 => self.log(&format!("atomic_load(&a{a})")),
            1 => self.line(&format!("atomic_store(&a{a}, {k});")),
            2 => self.log(&format!("atomic_fetch_add(&a{a}, 1)")),
            3 => self.log(&format!("atomic_exchange(&a{a}, {k})")),
            4 => {
                self.line(&format!("{{ int e = {k};"));
                self.log(&format!(
                    "atomic_compare_exchange_strong(&a{a}, &e, {})",
                    k + 1
                ));
                self.line("}");
            }
            5 => self.line(&format!("x0 = {k};")),
            6 => self.log("x0"),
            7 => self.line("x0++;"),
            // A variable that an atomic one orders, or does not.
            9 => self.line(&format!("g{a} = {k}; atomic_store(&a{a}, {k});")),
            10 => {
                self.line(&format!("if (a{a} == {k})"));
                self.log(&format!("g{a}"));
            }
            _ => self.line(&format!("assert(a{a} != {});", k + 2)),
        }
    }

    /// Steps with a mutex held: its own variable, conditions.
    fn inside(&mut self, mutex: usize, depth: u32) {
        for _ in 0..self.rng.usize(1..3) {
            let kinds = if self.waits { 2..7 } else { 0..9 };
            match self.rng.u32(kinds) {
                0 | 1 => self.line(&format!("g{mutex}++;")),
                2 => self.log(&format!("g{mutex}")),
                3 if mutex == 0 => {
                    self.other_steps = true;
                    self.line("while (!g0) pthread_cond_wait(&c0, &m0);");
                }
                4 if mutex == 0 => {
                    self.other_steps = true;
                    self.log("pthread_cond_timedwait(&c0, &m0, &soon) != 0");
                }
                5 if mutex == 0 => self.line("g0 = 1; pthread_cond_signal(&c0);"),
                6 if mutex == 0 => self.line("g0 = 1; pthread_cond_broadcast(&c0);"),
                _ => self.statement(depth + 1),
            }
        }
    }

    fn statement(&mut self, depth: u32) {
        let waits = self.waits && self.held.is_empty();
        match self.rng.u32(if waits { 0..3 } else { 0..16 }) {
            kind @ 0..=4 if depth < 2 => {
                let mutex = if waits { 0 } else { self.rng.usize(0..2) };
                // Now and then a thread locks a mutex that it holds.
                if self.held.contains(&mutex) && self.rng.u32(0..8) > 0 {
                    return self.variable();
                }
                self.held.push(mutex);
                if kind < 3 {
                    self.line(&format!("pthread_mutex_lock(&m{mutex});"));
                    self.inside(mutex, depth);
                    self.line(&format!("pthread_mutex_unlock(&m{mutex});"));
                } else {
                    self.line(&format!("if (!pthread_mutex_trylock(&m{mutex})) {{"));
                    self.inside(mutex, depth);
                    self.line(&format!("pthread_mutex_unlock(&m{mutex}); }} else {{"));
                    self.log("2");
                    self.line("}");
                }
                self.held.pop();
            }
            5 => self.line("sem_wait(&s0);"),
            6 => self.line("sem_post(&s0);"),
            7 => self.log("sem_trywait(&s0) != 0"),
            8 if depth < 2 => {
                self.other_steps = true;
                let kind = ["rdlock", "wrlock"][self.rng.usize(0..2)];
                self.line(&format!("pthread_rwlock_{kind}(&l0);"));
                self.statement(2);
                self.line("pthread_rwlock_unlock(&l0);");
            }
            9 if depth < 2 => {
                self.other_steps = true;
                let kind = ["rdlock", "wrlock"][self.rng.usize(0..2)];
                self.line(&format!("if (!pthread_rwlock_try{kind}(&l0)) {{"));
                self.statement(2);
                self.line("pthread_rwlock_unlock(&l0); } else {");
                self.log("1");
                self.line("}");
            }
            10 if self.rng.u32(0..3) == 0 => {
                self.other_steps = true;
                self.line("pthread_barrier_wait(&b0);");
            }
            11 if depth < 2 => {
                let k = self.rng.u32(0..3);
                self.line(&format!("if (a1 == {k}) {{"));
                self.statement(depth + 1);
                self.line("}");
            }
            12 if self.rng.bool() => self.line("pthread_cond_signal(&c0);"),
            _ => self.variable(),
        }
    }
}

/// A program, and whether the interpreter takes other steps than it does.
pub(crate) fn program(rng: &mut Rng) -> (String, bool) {
    let threads = rng.usize(1..4);
    let mut text = Text {
        rng,
        text: HEAD.to_owned(),
        thread: 0,
        waits: false,
        held: Vec::new(),
        other_steps: false,
    };
    text.waits = text.rng.u32(0..3) == 0;
    for thread in 1..=threads {
        text.thread = thread;
        text.line(&format!("static void *run{thread}(void *arg) {{"));
        for _ in 0..text.rng.usize(1..=4 - threads.min(3)) {
            text.statement(0);
        }
        text.line("return 0; }");
    }
    text.thread = 0;
    let tokens = text.rng.u32(0..2);
    text.line("int main(void) { pthread_t t[4]; pthread_barrier_init(&b0, 0, 2);");
    text.line(&format!("sem_init(&s0, 0, {tokens});"));
    for thread in 1..=threads {
        text.line(&format!("pthread_create(&t[{thread}], 0, run{thread}, 0);"));
        if text.rng.u32(0..4) == 0 {
            text.statement(0);
        }
    }
    let mut order: Vec<usize> = (1..=threads).collect();
    text.rng.shuffle(&mut order);
    for thread in order {
        text.line(&format!("pthread_join(t[{thread}], 0);"));
        if text.rng.u32(0..4) == 0 {
            text.statement(0);
        }
    }
    text.line("r[4] = a0 + 4 * a1; r[5] = x0; r[6] = g0 + 16 * g1; written(); return 0; }");
    (text.text, text.other_steps)
}

fn json(folder: &Path, args: &[&str]) -> Value {
    let output = dbverify(folder, args);
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{args:?}: {}", said(&output)))
}

/// The kinds of bugs and the final values that the interpreter finds.
fn interpreted(folder: &Path, file: &str) -> Option<(BTreeSet<String>, BTreeSet<String>)> {
    let asked = ["explore", file, "--all", "--finals", "--no-races"];
    let limits = ["--spurious", "0", "--timeout", "20", "--format", "json"];
    let answer = json(folder, &[&asked[..], &limits].concat());
    if answer["verdict"] == "inconclusive" {
        return None;
    }
    let bugs = answer["bugs"].as_array().into_iter().flatten();
    let bugs = bugs
        .chain([&answer])
        .filter_map(|bug| bug["error"]["kind"].as_str());
    let kinds = bugs.map(str::to_owned);
    let finals = answer["finals"].as_array().into_iter().flatten();
    let finals = finals.map(|values| values["r"].as_str().unwrap_or_default().to_owned());
    Some((kinds.collect(), finals.collect()))
}

fn executions(answer: &Value) -> u64 {
    answer["stats"]["executions"].as_u64().unwrap_or_default()
}

/// The kinds of bugs and the final values that a search of the interpreter finds; `None` if it does not come to its end.
fn searched(text: &str, strategy: Strategy) -> Option<(BTreeSet<String>, BTreeSet<String>)> {
    let options = Options {
        spurious: 0,
        ..Options::default()
    };
    let program = compile_c("it.c", text, &options).program.expect("it is C");
    let asked = ExploreOptions {
        strategy,
        all: true,
        finals: true,
        work: Some(400_000),
        ..ExploreOptions::default()
    };
    let answer = explore(&program, &asked);
    let blocked = answer.count(Counted::Blocked).unwrap_or(0);
    assert_eq!(blocked, 0, "begun in vain: {text}");
    if let Verdict::Inconclusive(_) = answer.verdict {
        return None;
    }
    let kinds = answer.bugs.iter().map(|bug| bug.kind.name().to_owned());
    let finals = answer.finals.iter().flatten().map(|f| format!("{f:?}"));
    Some((kinds.collect(), finals.collect()))
}

/// Executions, one of each trace, end in the same states as the search of states: semaphores, conditions, barriers, all locks.
#[test]
fn traces_end_as_states_do() {
    let number =
        |name, ordinary| std::env::var(name).map_or(ordinary, |n| n.parse().expect("a number"));
    let (from, count) = (number("SEED", 0), number("PROGRAMS", 40));
    let (mut compared, mut counted) = (0, 0);
    for seed in from..from + count {
        let (text, _) = program(&mut Rng::with_seed(seed));
        let Some(traces) = searched(&text, Strategy::Dpor) else {
            continue;
        };
        let Some(states) = searched(&text, Strategy::Stateful) else {
            continue;
        };
        assert_eq!(traces, states, "seed {seed}:\n{text}");
        compared += 1;
        counted += u64::from(text.matches("sem_wait").count() > 0);
    }
    println!("{compared} of {count}, {counted} with semaphores");
    assert!(compared * 3 > count && counted > 0, "{compared}, {counted}");
}

/// Compares one program; answers its verdict.
fn compare(folder: &Path, seed: u64) -> Option<bool> {
    let (text, other_steps) = program(&mut Rng::with_seed(seed));
    let finals = folder.join("finals");
    drop(std::fs::remove_file(&finals));
    let text = text.replace("FINALS", &finals.to_string_lossy());
    let source = folder.join("it.c");
    std::fs::write(&source, &text).unwrap();
    let (kinds, wanted) = interpreted(folder, "it.c")?;
    let compilers = ["gcc", if can("clang") { "clang" } else { "gcc" }];
    let name = compiled_by(compilers[seed as usize % 2], folder, &source, "-O1");
    let run = |delays| {
        let limits = ["--timeout", "20", "--format", "json", "--", &name];
        json(
            folder,
            &[&["run", "--delays", delays][..], &limits].concat(),
        )
    };
    let seen = || {
        let seen = std::fs::read_to_string(&finals).unwrap_or_default();
        drop(std::fs::remove_file(&finals));
        seen.lines().map(str::to_owned).collect::<BTreeSet<_>>()
    };
    let reduced = run("any");
    let what = format!("seed {seed}:\n{text}\n{reduced:#}");
    match reduced["verdict"].as_str() {
        Some("bug") => {
            let kind = reduced["error"]["kind"].as_str().unwrap_or_default();
            assert!(kinds.contains(kind), "{kinds:?}: {what}");
            return Some(false);
        }
        Some("safe") => assert!(kinds.is_empty(), "{kinds:?}: {what}"),
        _ if reduced["reason"].to_string().contains("within") => return None,
        _ => panic!("{what}"),
    }
    assert_eq!(seen(), wanted, "{what}");
    if executions(&reduced) < 300 {
        let all = run("1000..1000");
        assert_eq!(all["verdict"], "safe", "delays: {what}");
        assert_eq!(seen(), wanted, "delays: {what}");
        // Traces that end in one state, with threads that saw the same, are one here.
        assert!(executions(&all) <= executions(&reduced), "delays: {what}");
    }
    if !other_steps {
        let dpor = ["explore", "it.c", "--strategy", "dpor", "--no-races"];
        let dpor = json(folder, &[&dpor[..], &["--format", "json"]].concat());
        assert_eq!(executions(&dpor), executions(&reduced), "dpor: {what}");
    }
    Some(true)
}

#[test]
fn running_is_interpreting() {
    if !can("gcc") {
        return;
    }
    let number =
        |name, ordinary| std::env::var(name).map_or(ordinary, |n| n.parse().expect("a number"));
    let (from, count) = (number("SEED", 0), number("PROGRAMS", 12));
    let folder = tempfile::tempdir().unwrap();
    let (mut safe, mut bugs) = (0, 0);
    for seed in from..from + count {
        match compare(folder.path(), seed) {
            Some(true) => safe += 1,
            Some(false) => bugs += 1,
            None => {}
        }
    }
    println!("{safe} safe, {bugs} with bugs, of {count}");
    assert!(safe * 4 > count, "{safe} safe, {bugs} with bugs");
}
