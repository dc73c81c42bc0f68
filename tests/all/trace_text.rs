//! How a counterexample looks at a terminal. Every program here is decided by the explicit engine, whose answers
//! have no figures but those of time and memory; these are cut off.

use std::process::Command;

fn run(args: &[&str], columns: u32) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_dbverify"));
    let command = command
        .current_dir(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/examples/async-programs"
        ))
        .env("COLUMNS", columns.to_string())
        .env_remove("NO_COLOR")
        .args(args);
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{args:?}");
    let text = String::from_utf8(output.stdout).unwrap();
    let (text, _) = text.trim_end().rsplit_once('\n').unwrap();
    text.to_owned()
}

/// A program in a file of its own, explored under the bag.
fn explored(program: &str, columns: u32, more: &[&str]) -> String {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("p.async");
    std::fs::write(&path, program).unwrap();
    let path = path.to_str().unwrap();
    run(&[&["explore", path], more].concat(), columns).replace(path, "p.async")
}

/// All rows of the trace fit.
fn assert_fits(shown: &str, columns: usize) {
    let trace = shown.split("how it happens:\n").nth(1).unwrap();
    let (trace, _) = trace.rsplit_once('\n').unwrap();
    for row in trace.lines() {
        assert!(row.chars().count() <= columns, "{row}");
    }
}

#[test]
fn a_column_for_each_task() {
    insta::assert_snapshot!(run(&["explore", "lost_wakeup_bug.async"], 80));
}

#[test]
fn operations_of_the_library_are_one_line() {
    insta::assert_snapshot!(run(&["explore", "philosophers_mutex_bug.async"], 100));
}

#[test]
fn elements_of_nested_arrays_of_objects_are_named() {
    let nested = "use sync;
        object Pool { var locks: [2]Mutex; proc both(other: Mutex) { locks[0].lock(); other.lock(); locks[1].lock(); } }
        var pools: [2]Pool;
        var own: [3]Mutex;
        proc work(k: 0..1, p: Pool) { p.both(own[k + 1]); p.both(own[k]); }
        proc main() { post work(1, pools[1]); }";
    let shown = explored(nested, 100, &[]);
    for text in [
        "post work(1, pools[1]) as task 2",
        "call Pool.both(pools[1], own[2])",
        "pools[1].locks[1].lock",
        "task 2 (work) waits for pools[1].locks[0].lock",
    ] {
        assert!(shown.contains(text), "{text}\n{shown}");
    }
}

#[test]
fn a_choice_is_shown_by_its_value() {
    let shown = explored(
        "proc p(b: bool) { assert b; } proc main() { call p(*); }",
        80,
        &[],
    );
    assert!(shown.contains("* is false"), "{shown}");
}

#[test]
fn keys_have_their_names() {
    let text = "type Q = enum { A, B };\nvar m: [Q] int := [0; _];\nproc main() { m[B] := 3; assert m[B] == 4; }\n";
    let shown = explored(text, 80, &[]);
    assert!(shown.contains(" m[B] := 3\n"), "{shown}");
}

#[test]
fn the_end_of_all_tasks() {
    insta::assert_snapshot!(run(&["explore", "bank_account_bug.async"], 80));
}

#[test]
fn rounds_and_delays() {
    let args = ["explore", "timer_cancel_bug.async", "--delays", "1"];
    insta::assert_snapshot!(run(&args, 80));
}

#[test]
fn a_loop() {
    insta::assert_snapshot!(run(
        &["explore", "spin_loop_cached_bug.async", "--fair"],
        80
    ));
}

const RACE: &str = "var x: int := 0;
proc add() { x := x + 1; }
proc double() { x := x * 2; }
proc main() { x := 1; post add(); post double(); }
";

#[test]
fn two_executions_that_are_compared() {
    insta::assert_snapshot!(explored(RACE, 80, &["--divergence"]));
}

#[test]
fn two_accesses_that_nothing_orders() {
    insta::assert_snapshot!(explored(RACE, 80, &["--races"]));
}

/// So many tasks that each adds one, and an assertion that fails after the last.
fn adders(n: usize) -> String {
    format!(
        "var total: int := 0; // Σ über alle\nproc add_one_more(amount: int) {{ total := total + amount; }}\n\
         proc main() {{ for i in 1..{n} {{ post add_one_more(i); }} }}\n\
         finally {{ assert total < {n}, \"too much — überall\"; }}\n"
    )
}

#[test]
fn more_tasks_than_columns() {
    insta::assert_snapshot!(explored(&adders(8), 60, &[]));
}

#[test]
fn every_width_and_number_of_tasks_fits() {
    for (tasks, columns) in [(1, 40), (2, 40), (2, 200), (8, 40), (8, 200), (12, 80)] {
        assert_fits(&explored(&adders(tasks), columns, &[]), columns as usize);
    }
}

#[test]
fn colours_only_when_they_are_wanted() {
    let plain = explored(RACE, 80, &["--divergence"]);
    assert!(!plain.contains('\u{1b}'));
    let painted = explored(RACE, 80, &["--divergence", "--color", "always"]);
    assert!(painted.contains("\u{1b}[1;31mbug"), "{painted}");
    let mut bare = String::new();
    for (i, part) in painted.split('\u{1b}').enumerate() {
        bare.push_str(if i == 0 {
            part
        } else {
            part.split_once('m').unwrap().1
        });
    }
    assert_eq!(bare, plain);
}

#[test]
fn the_same_input_gives_the_same_bytes() {
    let args = ["explore", "bluetooth_stop_bug.async", "--format", "text"];
    assert_eq!(run(&args, 80), run(&args, 80));
}

/// The text on a terminal of this width, if `script` can make one.
fn at_a_terminal(columns: u32, command: &str) -> Option<String> {
    let program = env!("CARGO_BIN_EXE_dbverify");
    let output = Command::new("script")
        .args([
            "-qec",
            &format!("stty cols {columns} rows 30; {program} {command}"),
            "/dev/null",
        ])
        .current_dir(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/examples/async-programs"
        ))
        .env("TERM", "xterm")
        .env_remove("COLUMNS")
        .env_remove("NO_COLOR")
        .stdin(std::process::Stdio::null())
        .output()
        .ok()?;
    Some(String::from_utf8_lossy(&output.stdout).replace('\r', ""))
}

#[test]
fn a_terminal_gives_its_own_width() {
    for columns in [40, 60, 120] {
        let command = "explore lost_wakeup_bug.async";
        let Some(plain) = at_a_terminal(columns, &format!("{command} --color never")) else {
            return;
        };
        let (plain, _) = plain.trim_end().rsplit_once('\n').unwrap();
        assert_fits(plain, columns as usize);
        assert_eq!(plain, run(&["explore", "lost_wakeup_bug.async"], columns));
        let colored = at_a_terminal(columns, command).unwrap();
        assert!(colored.contains("\u{1b}["), "{colored}");
    }
}

#[test]
fn a_trace_speaks_in_the_users_terms() {
    let shown = explored(
        "const LIMIT := 2;
type Entry = record { refs: int, live: bool };
var x: int := 13;
var free: bool := false;
var e: Entry;
proc main() {
  assert !free;
  e := Entry { refs: LIMIT, live: true };
  x := 13;
  assert x < LIMIT && e.live;
}
",
        100,
        &[],
    );
    for words in [
        "    7  !free holds\n",
        "    8  e := Entry { refs: LIMIT, live: true }  [e.refs = 2, e.live = true]\n",
        "    9  x := 13  [as before]\n",
        "   10  fails: x < LIMIT && e.live\n",
    ] {
        assert!(shown.contains(words), "{words}: {shown}");
    }
}

#[test]
fn a_task_waits_only_for_what_is_taken() {
    let program = "use sync;
var m: Mutex;
var x: int := 0;
proc late() { x := 1; m.lock(); assert x == 0; m.unlock(); }
proc main() { post late(); }
";
    let shown = explored(program, 100, &["--preempt", "statement"]);
    assert!(!shown.contains("then waits for"), "{shown}");
}

#[test]
fn a_c_program_is_told_in_c() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("p.c");
    let text = "#include <assert.h>
int x;
int main(void) {
  x = 1;
  if (x > 0 && x != 7)
    x = x + 1;
  assert(x == 1);
  return 0;
}
";
    std::fs::write(&path, text).unwrap();
    let shown = run(&["explore", path.to_str().unwrap()], 100);
    let trace = shown.split("how it happens:\n").nth(1).unwrap();
    assert!(trace.contains("    4  x = 1"), "{trace}");
    assert!(!trace.contains(":="), "{trace}");
    assert!(!trace.contains("exited"), "{trace}");
}

#[test]
fn threads_are_made_by_the_function_of_the_program() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("p.c");
    let text = "#include <assert.h>\n#include <threads.h>\nint f(void *a) { return 1; }\nint main(void) {\n  \
                thrd_t t; int r;\n  thrd_create(&t, f, 0);\n  thrd_join(t, &r);\n  assert(r == 0);\n}\n";
    std::fs::write(&path, text).unwrap();
    let shown = run(&["explore", path.to_str().unwrap()], 100);
    assert!(
        shown.contains("    6  thrd_create: task 2 runs f(NULL)\n"),
        "{shown}"
    );
    assert!(!shown.contains("pthread_create"), "{shown}");
}

/// If each read is a step, a failing condition is shown with the values that it read, whatever other tasks write later.
#[test]
fn a_condition_that_fails_has_the_values_that_it_read() {
    let folder = tempfile::tempdir().unwrap();
    let shown = |name: &str, text: &str, more: &[&str]| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        run(&[&["explore", path.to_str().unwrap()], more].concat(), 100)
    };
    let c = "#include <assert.h>
#include <pthread.h>
int x = 3, a[2] = {1, 2};
void *other(void *unused) { x = 5; return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, other, 0);
  assert(x + a[1] != 5);
  return 0;
}
";
    let text = shown("p.c", c, &["--no-races"]);
    let headline = "bug: assertion: x + a[1] != 5 is false with x = 3, a[1] = 2\n";
    assert!(text.starts_with(headline), "{text}");
    // The other task changes `x` between the two reads.
    let model = "preempt access; var x: int := 3; var y: int := 0;\nproc set() { x := 0; y := 1; }\n\
                 proc main() { post set(); assert x + y != 4; }\n";
    let text = shown("p.async", model, &[]);
    assert!(text.contains("^ x = 3, y = 1\n"), "{text}");
}

#[test]
fn characters_of_a_text_are_told_as_the_text() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("p.c");
    let text = r#"#include <assert.h>
#include <stdio.h>
#include <string.h>
char name[16];
int main(void) {
  char text[32], other[4];
  snprintf(text, sizeof text, "%.1f of %d", 0.5, 3);
  strcpy(name, "spin");
  name[1] = 'h';
  memset(other, 'x', sizeof other);
  assert(strlen(text) == strlen(name));
  return other[0];
}
"#;
    std::fs::write(&path, text).unwrap();
    let shown = run(&["explore", path.to_str().unwrap()], 100);
    for words in [
        r#"    7  call snprintf(&main.text[0], 32, "%.1f of %d", 0.5, 3)  [main.text = "0.5 of 3"]"#,
        r#"    8  call strcpy(&name[0], "spin")  [name = "spin"]"#,
        "    9  name[1] = 'h'\n",
        "   10  other[0] = 'x'\n",
    ] {
        assert!(shown.contains(words), "{words}: {shown}");
    }
    // Nothing happens where a local has no value yet.
    assert!(!shown.contains("    6  "), "{shown}");
}
