//! `--reproduce`: a counterexample of a program in C as a file with which the program fails each time it runs.

use std::os::unix::process::ExitStatusExt as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use fastrand::Rng;

use super::native::{can, dbverify, said};
use super::native_random::program;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

fn shell(folder: &Path, line: &str) -> Output {
    let mut command = Command::new("sh");
    command.args(["-c", line]).current_dir(folder);
    command.stdin(Stdio::null()).output().unwrap()
}

/// Builds the program as the file's first comment says, and runs it five times. Returns the signal and the output.
fn fails(folder: &Path) -> (i32, String) {
    let text = std::fs::read_to_string(folder.join("bug.c")).unwrap();
    let command = text.lines().find(|l| l.starts_with("       ")).unwrap();
    let (build, run) = command.trim().rsplit_once(" && ").unwrap();
    let built = shell(folder, build);
    assert!(built.status.success(), "{build}: {}", said(&built));
    let mut seen = None;
    for _ in 0..5 {
        let output = shell(folder, &format!("exec {run}"));
        let now = (output.status.signal().unwrap_or(0), said(&output));
        assert!(now.0 != 0, "it does not fail: {}", now.1);
        assert_eq!(seen.get_or_insert_with(|| now.clone()).0, now.0);
        let last = |text: &str| text.lines().last().map(str::to_owned);
        assert_eq!(last(&seen.as_ref().unwrap().1), last(&now.1));
    }
    seen.unwrap()
}

/// Writes a program, and the file that makes it fail.
fn reproduced(folder: &Path, text: &str, options: &[&str]) -> Output {
    std::fs::write(folder.join("prog.c"), text).unwrap();
    let mut line = vec!["explore", "prog.c", "--reproduce", "bug.c"];
    line.extend(options);
    dbverify(folder, &line)
}

/// The program fails each time, says this, and the file does, too.
fn check(text: &str, options: &[&str], signal: i32, words: &str) -> String {
    let folder = tempfile::tempdir().unwrap();
    let output = reproduced(folder.path(), text, options);
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    let (number, text) = fails(folder.path());
    assert_eq!(number, signal, "{text}");
    assert!(text.contains(words), "{words}: {text}");
    std::fs::read_to_string(folder.path().join("bug.c")).unwrap()
}

#[test]
fn broken_examples_fail_each_time() {
    if !can("cc") {
        return;
    }
    for (path, words) in [
        (
            "c-programs/bounded_queue_bug.c",
            "Assertion `get(&queue) == i' failed",
        ),
        (
            "c-programs/cache_bug.c",
            "Assertion `value == compute(key)' failed",
        ),
        ("c-programs/counter_race.c", "race: a thread writes counter"),
        ("c-programs/driver_bug.c", "Assertion `!stopped' failed"),
        (
            "c-programs/indexer_bug.c",
            "Assertion `table[i] != 0' failed",
        ),
        (
            "c-programs/lock_free_stack_bug.c",
            "deref: memory is used that was freed",
        ),
        ("c-programs/philosophers_bug.c", "deadlock: every thread"),
        ("c-programs/shutdown_bug.c", "deadlock: every thread"),
        ("c-programs/thread_pool_bug.c", "deadlock: every thread"),
        ("course/count.c", "Assertion"),
        ("native/counter.c", "Assertion `count == 3' failed"),
        ("native/crash.c", ""),
        ("native/philosophers.c", "deadlock: every thread"),
        ("native/race.c", "race: a thread writes ready"),
        ("native/wakeup.c", "deadlock: every thread"),
    ] {
        let text = std::fs::read_to_string(Path::new(ROOT).join("examples").join(path)).unwrap();
        let signal = if path.ends_with("crash.c") { 11 } else { 6 };
        let file = check(&text, &[], signal, words);
        assert!(!file.contains(env!("CARGO_TARGET_TMPDIR")), "{path}");
    }
}

/// Inputs have the values of the counterexample, those of each thread its own.
const INPUTS: &str = "
#include <assert.h>
#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void __VERIFIER_assume(int);
int g;
void *w(void *a) { int k = __VERIFIER_nondet_int(); if (__VERIFIER_nondet_uchar() > 3) g = k; return 0; }
int main(void) {
  pthread_t t; int x = __VERIFIER_nondet_int();
  __VERIFIER_assume(x > 5);
  pthread_create(&t, 0, w, 0);
  int a = g;
  assert(!(x == 77 && a == -5));
  pthread_join(t, 0);
}";

/// An atomic section is one step: the error comes before `b = 2` or behind it.
const ATOMIC: &str = "
#include <pthread.h>
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void), reach_error(void);
int a, b;
void *w(void *p) { __VERIFIER_atomic_begin(); a = 1; b = 1; __VERIFIER_atomic_end(); b = LATER; return 0; }
int main(void) {
  pthread_t t; pthread_create(&t, 0, w, 0);
  __VERIFIER_atomic_begin(); int x = a, y = b; __VERIFIER_atomic_end();
  if (x != y) reach_error();
  pthread_join(t, 0);
}";

/// Nearly all that POSIX has.
const OBJECTS: &str = "
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER; pthread_barrier_t bar; sem_t sem; pthread_once_t once = PTHREAD_ONCE_INIT;
pthread_spinlock_t spin; pthread_key_t key; int made, n; char text[8];
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER;
void mk(void) { made++; }
void gone(void *p) { free(p); }
void *w(void *p) {
  pthread_once(&once, mk);
  pthread_setspecific(key, malloc(4));
  pthread_barrier_wait(&bar);
  pthread_rwlock_wrlock(&rw); n++; pthread_rwlock_unlock(&rw);
  sem_wait(&sem);
  pthread_spin_lock(&spin); strcpy(text, \"ab\"); pthread_spin_unlock(&spin);
  sem_post(&sem);
  pthread_mutex_lock(&m);
  struct timespec t = {0};
  int late = pthread_cond_timedwait(&c, &m, &t);
  pthread_mutex_unlock(&m);
  if (late == 0) pthread_exit((void *)1);
  return 0;
}
int main(void) {
  pthread_t t[2]; void *r[2];
  pthread_key_create(&key, gone);
  pthread_barrier_init(&bar, 0, 2); sem_init(&sem, 0, 1); pthread_spin_init(&spin, 0);
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, w, 0);
  pthread_mutex_lock(&m); pthread_cond_signal(&c); pthread_mutex_unlock(&m);
  for (int i = 0; i < 2; i++) pthread_join(t[i], &r[i]);
  assert(made == 1);
  assert(!(r[0] && !r[1]));
}";

const C11: &str = "
#include <assert.h>
#include <stdatomic.h>
#include <threads.h>
mtx_t m; atomic_int n; int x; cnd_t c; once_flag f = ONCE_FLAG_INIT;
void init(void) { mtx_init(&m, mtx_plain); cnd_init(&c); }
int w(void *a) { call_once(&f, init); mtx_lock(&m); x++; cnd_signal(&c); mtx_unlock(&m); int o = atomic_load(&n); atomic_store(&n, o + 1); return 3; }
int main(void) {
  thrd_t t[2]; int r;
  for (int i = 0; i < 2; i++) thrd_create(&t[i], w, 0);
  for (int i = 0; i < 2; i++) thrd_join(t[i], &r);
  mtx_lock(&m); while (x < 2) cnd_wait(&c, &m); mtx_unlock(&m);
  assert(r == 3 && atomic_load(&n) == 2);
}";

/// Values from outside, and a `main` that ends before its threads do.
const OUTSIDE: &str = "
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
int x; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *w(void *a) {
  time_t t = time(0); usleep(10);
  pthread_mutex_lock(&m); int y = x; pthread_mutex_unlock(&m); sched_yield();
  pthread_mutex_lock(&m); x = y + (t > 0); pthread_mutex_unlock(&m); return 0;
}
void *last(void *t) {
  for (int i = 0; i < 2; i++) pthread_join(((pthread_t *)t)[i], 0);
  assert(rand() < 0 || x == 2); return 0;
}
int main(void) {
  static pthread_t t[3];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, w, 0);
  pthread_create(&t[2], 0, last, t);
  pthread_exit(0);
}";

const LEAK: &str = "
#include <pthread.h>
#include <stdlib.h>
int *p;
void *w(void *a) { if (!p) p = malloc(4); return 0; }
int main(void) {
  pthread_t t; pthread_create(&t, 0, w, 0);
  if (!p) p = malloc(4);
  pthread_join(t, 0);
  free(p);
}";

const BEYOND: &str = "
#include <pthread.h>
#include <stdlib.h>
int n; int *p;
void *w(void *a) { n++; return 0; }
int main(void) {
  pthread_t t[2]; p = malloc(2 * sizeof *p);
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, w, 0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  p[3 - n] = 1;
  free(p);
}";

/// A loop that reads without a lock ends when another thread has its turn.
const POLLS: &str = "
#include <assert.h>
#include <pthread.h>
volatile int ready; int x;
void *w(void *a) { x = 1; ready = 1; x = 2; return 0; }
int main(void) {
  pthread_t t; pthread_create(&t, 0, w, 0);
  while (!ready) ;
  assert(x == 2);
  pthread_join(t, 0);
}";

#[test]
fn all_that_threads_have_is_followed() {
    if !can("cc") {
        return;
    }
    check(
        INPUTS,
        &["--no-races"],
        6,
        "Assertion `!(x == 77 && a == -5)' failed",
    );
    check(
        &ATOMIC.replace("LATER", "2"),
        &["--no-races"],
        6,
        "reach_error is called",
    );
    check(
        OBJECTS,
        &["--no-races"],
        6,
        "Assertion `!(r[0] && !r[1])' failed",
    );
    check(
        C11,
        &["--no-races"],
        6,
        "Assertion `r == 3 && atomic_load(&n) == 2' failed",
    );
    check(
        OUTSIDE,
        &["--no-races"],
        6,
        "Assertion `rand() < 0 || x == 2' failed",
    );
    check(
        LEAK,
        &["--check", "memleak", "--no-races"],
        6,
        "leak: memory is kept",
    );
    check(BEYOND, &["--no-races"], 6, "deref: memory is used beyond");
    check(POLLS, &["--no-races"], 6, "Assertion `x == 2' failed");
    let registers = "#include <assert.h>\n#include <pthread.h>\n#include <stdlib.h>\nint x; void fin(void) { assert(x == 1); } void *w(void *a) { atexit(fin); x = 1; return 0; } int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); return 0; }";
    check(registers, &["--no-races"], 6, "Assertion `x == 1' failed");
    let index = "int a[2]; int n = 2; int main(void) { a[n] = 1; }";
    check(index, &[], 4, "");
}

/// Random programs, more on demand: `PROGRAMS=1000 SEED=7`.
#[test]
fn random_programs_fail_each_time() {
    if !can("cc") {
        return;
    }
    let number =
        |name, ordinary| std::env::var(name).map_or(ordinary, |n| n.parse().expect("a number"));
    let (from, count): (u64, u64) = (number("SEED", 0), number("PROGRAMS", 24));
    let (mut written, mut bugs) = (0, 0);
    for seed in from..from + count {
        let (text, _) = program(&mut Rng::with_seed(seed));
        let folder = tempfile::tempdir().unwrap();
        let text = text.replace("FINALS", "/dev/null");
        let options: &[&str] = if seed % 3 == 0 { &[] } else { &["--no-races"] };
        let output = reproduced(folder.path(), &text, options);
        let said = said(&output);
        match output.status.code() {
            Some(1) => {
                bugs += 1;
                written += 1;
                println!("seed {seed}");
                fails(folder.path());
            }
            Some(2) => {
                bugs += 1;
                println!(
                    "seed {seed}:\n{text}\n{}",
                    said.lines().last().unwrap_or_default()
                );
            }
            _ => {}
        }
    }
    println!("{written} of {bugs}");
    assert!(bugs > 2 && written * 10 >= bugs * 9, "{written} of {bugs}");
}

/// Before memory that was freed is allocated again another thread may come: the program counts `malloc`, too.
#[test]
fn allocations_are_counted() {
    if !can("cc") {
        return;
    }
    let text = "#include <pthread.h>\n#include <stdlib.h>\nint *p;\nvoid *w(void *a) { int x = *p; return 0; }\nint main(void) { pthread_t t; p = malloc(4); *p = 1; pthread_create(&t, 0, w, 0); free(p); int *q = malloc(4); if (q) *q = 7; pthread_join(t, 0); free(q); }\n";
    let file = check(text, &["--no-races"], 6, "freed");
    // Of main: malloc, `p =`, `p`, `*p =`, pthread_create, `p`, free, malloc.
    assert!(file.contains("{0, 8}, /* main stops"), "{file}");
}

/// Several files and options; from a trace; and in another folder, without the first one.
#[test]
fn files_can_be_moved() {
    if !can("cc") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    std::fs::create_dir_all(at("src")).unwrap();
    std::fs::create_dir_all(at("inc")).unwrap();
    std::fs::write(at("inc/n.h"), "extern int n; void *w(void *);").unwrap();
    std::fs::write(
        at("src/w.c"),
        "#include <n.h>\nint n; void *w(void *a) { n = n + BY; return 0; }",
    )
    .unwrap();
    std::fs::write(
        at("prog.c"),
        "#include <assert.h>\n#include <pthread.h>\n#include <n.h>\nint main(int argc, char **argv) { pthread_t t[2]; for (int i = 0; i < argc; i++) pthread_create(t + i, 0, w, 0);
         for (int i = 0; i < argc; i++) pthread_join(t[i], 0); assert(n == 2 * BY); }",
    )
    .unwrap();
    let files = ["prog.c", "src/w.c"];
    let options = ["-DBY=3", "-I", "inc", "--args", "x", "--no-races"];
    let mut line = vec!["explore"];
    line.extend(files);
    line.extend(options);
    line.extend(["--trace-out", "bug.json"]);
    let output = dbverify(folder.path(), &line);
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    let line = [
        "replay",
        "prog.c",
        "src/w.c",
        "bug.json",
        "--print",
        "--reproduce",
        "bug.c",
    ];
    let output = dbverify(folder.path(), &line);
    assert_eq!(output.status.code(), Some(1), "{}", said(&output));
    let elsewhere = tempfile::tempdir().unwrap();
    let moved = elsewhere.path().join("there");
    std::fs::rename(folder.path(), &moved).unwrap();
    assert!(fails(&moved).1.contains("Assertion `n == 2 * BY' failed"));
    let text = std::fs::read_to_string(moved.join("bug.c")).unwrap();
    assert!(
        text.contains("-DBY=3 -Iinc -c prog.c src/w.c && cc prog.o w.o bug.c"),
        "{text}"
    );
    assert!(text.contains("&& ./bug x\n"), "{text}");
}

const ONE: &str = "#include <assert.h>\nint main(void) { assert(0); }";

/// Command lines that write nothing, with their exit status and message.
const REFUSED: &[(&str, i32, &str)] = &[
    (
        "explore m.async --reproduce bug.c",
        2,
        "--reproduce is for programs in C",
    ),
    (
        "explore one.c --reproduce bug.txt",
        2,
        "whose name ends in .c",
    ),
    (
        "explore one.c --reproduce one.c",
        2,
        "it would be overwritten",
    ),
    (
        "explore one.c --reproduce bug.c --memory tso",
        2,
        "leave out --memory",
    ),
    (
        "explore one.c --reproduce bug.c --data-model ILP32",
        2,
        "leave out --data-model",
    ),
    (
        "explore two.i --reproduce bug.c --cc ./nobody",
        2,
        "there is no C compiler `./nobody`",
    ),
    (
        "explore cancel.c --reproduce bug.c",
        2,
        "uses pthread_cancel",
    ),
    (
        "explore steps.c --reproduce bug.c",
        2,
        "__VERIFIER_atomic_set is one step for dbverify",
    ),
    (
        "explore value.c --reproduce bug.c",
        2,
        "the compiled program does not show the error",
    ),
    (
        "explore misuse.c --reproduce bug.c",
        2,
        "some of them end with another error: a mutex is unlocked that is not locked",
    ),
    (
        "explore read.c --reproduce bug.c",
        2,
        "are not the values that the counterexample chooses",
    ),
    ("one.c --emit-seq --reproduce bug.c", 2, "cannot be used"),
    (
        "one.c --property deadlock --reproduce bug.c",
        0,
        "no counterexample: bug.c is not written",
    ),
];

/// Programs of which none can be shown to fail so.
fn write_programs(folder: &Path) {
    let at = |name: &str| folder.join(name);
    let model = "var x: int;\nproc main() { x = 1; assert(x == 2); }";
    std::fs::write(at("m.async"), model).unwrap();
    std::fs::write(at("one.c"), ONE).unwrap();
    std::fs::write(
        at("two.i"),
        "extern void reach_error(void); int main(void) { reach_error(); }",
    )
    .unwrap();
    let cancel = "#include <pthread.h>\nvoid *w(void *a) { return 0; }\nint main(void) { pthread_t t; pthread_create(&t, 0, w, 0); pthread_cancel(t); pthread_join(t, 0); __builtin_unreachable(); }";
    std::fs::write(
        at("cancel.c"),
        cancel.replace("__builtin_unreachable()", "*(volatile int *)0 = 1"),
    )
    .unwrap();
    let steps = "#include <assert.h>\nint x; void __VERIFIER_atomic_set(void) { x = 1; }\nint main(void) { __VERIFIER_atomic_set(); assert(x == 2); }";
    std::fs::write(at("steps.c"), steps).unwrap();
    let value = "#include <assert.h>\nint main(void) { int x; assert(x != 12345); }";
    std::fs::write(at("value.c"), value).unwrap();
    let misuse = "#include <pthread.h>\npthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER;\nint main(void) { pthread_cond_wait(&c, &m); }";
    std::fs::write(at("misuse.c"), misuse).unwrap();
    let read =
        "#include <assert.h>\n#include <stdio.h>\nint main(void) { assert(getchar() != 'x'); }";
    std::fs::write(at("read.c"), read).unwrap();
}

/// If no file can be made, the answer says why, and nothing is written.
#[test]
fn nothing_is_written_that_was_not_seen() {
    if !can("cc") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    write_programs(folder.path());
    for (line, status, words) in REFUSED {
        let words_of: Vec<&str> = line.split(' ').collect();
        let output = dbverify(folder.path(), &words_of);
        let text = said(&output);
        assert_eq!(output.status.code(), Some(*status), "{line}: {text}");
        assert!(text.contains(words), "{line}: {text}");
        assert!(!at("bug.c").exists() && !at("bug.txt").exists(), "{line}");
    }
    assert_eq!(std::fs::read_to_string(at("one.c")).unwrap(), ONE);
}

/// With clang as the compiler, too.
#[test]
fn clang_reproduces() {
    if !can("clang") {
        return;
    }
    let path = Path::new(ROOT).join("examples/native/counter.c");
    let text = std::fs::read_to_string(path).unwrap();
    check(&text, &["--cc", "clang", "--no-races"], 6, "count == 3");
}
