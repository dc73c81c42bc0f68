//! Sessions of `dbverify replay` from end to end: scripts and their output.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

const EXAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/async-programs");

/// A program with a counterexample that was written for it.
struct Case {
    folder: tempfile::TempDir,
    program: PathBuf,
    trace: PathBuf,
}

impl Case {
    fn new(text: &str, args: &[&str]) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("p.async");
        let trace = folder.path().join("t.json");
        std::fs::write(&program, text).unwrap();
        let output = Command::new(env!("CARGO_BIN_EXE_dbverify"))
            .args(args)
            .arg(&program)
            .arg("--trace-out")
            .arg(&trace)
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        Self {
            folder,
            program,
            trace,
        }
    }

    fn example(name: &str, args: &[&str]) -> Self {
        let text = std::fs::read_to_string(Path::new(EXAMPLES).join(name)).unwrap();
        Self::new(&text, args)
    }

    fn replay(&self, more: &[&str], input: Option<&str>) -> Output {
        let mut child = Command::new(env!("CARGO_BIN_EXE_dbverify"))
            .current_dir(self.folder.path())
            .args(["replay", "p.async", "t.json"])
            .args(more)
            .env("COLUMNS", "100")
            .stdin(if input.is_some() {
                Stdio::piped()
            } else {
                Stdio::null()
            })
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        if let Some(text) = input {
            drop(child.stdin.take().unwrap().write_all(text.as_bytes()));
        }
        child.wait_with_output().unwrap()
    }

    /// The output of a script.
    fn script(&self, commands: &str) -> String {
        let output = self.replay(&[], Some(commands));
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    }
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn timer() -> Case {
    let args = ["explore", "--delays", "1"];
    Case::example("timer_cancel_bug.async", &args)
}

#[test]
fn forwards_and_backwards() {
    let script =
        "where\ntasks\nstep\nstep 2\nback\nnext\nnext\nprevious\ngoto 11\nstep\ngoto 0\nback\n";
    insta::assert_snapshot!(timer().script(script));
}

#[test]
fn values_source_and_tasks() {
    let script = "print\ngoto 8\nlist\nlist 5\ntasks\nlocals\nprint how\nprint complete.how\n\
                  print outcome\nlocals 2\nglobals\nback 3\nprint";
    insta::assert_snapshot!(timer().script(script));
}

#[test]
fn breaks_in_both_directions() {
    let script = "break 26\nwatch outcome\ncontinue\nprint outcome\ncontinue\ncontinue\ncontinue\n\
                  reverse\nreverse\nreverse\nreverse\nbreak\ndelete 1\ndelete\ncontinue";
    insta::assert_snapshot!(timer().script(script));
}

#[test]
fn comments_and_quit() {
    let shown = timer().script("# from the start\n\n  step\nquit\nstep\n");
    assert_eq!(shown.matches("> ").count(), 2, "{shown}");
}

/// The library changes a lock after the step that names the call.
#[test]
fn values_are_those_after_what_the_library_did() {
    let folder = tempfile::tempdir().unwrap();
    let program = "#include <assert.h>\n#include <pthread.h>\nstatic pthread_mutex_t m;\n\
                   int main(void) { pthread_mutex_lock(&m); assert(0); }\n";
    std::fs::write(folder.path().join("p.c"), program).unwrap();
    let run = |args: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_dbverify"));
        command.current_dir(folder.path()).args(args);
        String::from_utf8(command.output().unwrap().stdout).unwrap()
    };
    run(&["explore", "p.c", "--trace-out", "t.json"]);
    let script = "watch m\ncontinue\nprint m\nstep\nprint m\n";
    std::fs::write(folder.path().join("s"), script).unwrap();
    let shown = run(&["replay", "p.c", "t.json", "--script", "s"]);
    assert_eq!(shown.matches("  m = locked").count(), 2, "{shown}");
    assert!(!shown.contains("unlocked"), "{shown}");
}

#[test]
fn keys_of_maps_are_those_of_their_types() {
    let text = "type E = enum { A, B };
        object O { var seen: [task] int := [0; _]; op enter() { seen[self] := 1; } }
        var o: O;
        var by: [E] int := [0; _];
        var low: [0..3] bool := [false; _];
        proc w() { o.enter(); by[B] := 7; low[2] := true; yield; assert false; }
        proc main() { post w(); }";
    let case = Case::new(text, &["explore"]);
    let shown = case.script(
        "watch o.seen[task 2]\nwatch low[2]\ncontinue\nprint o.seen[task 2]\ncontinue\nprint by[B]\n\
         print low[ 2 ]\nprint low[3]\nprint o.seen[no task]\n",
    );
    for value in [
        "o.seen[task 2] = 1",
        "by[B] = 7",
        "low[ 2 ] = true",
        "low[3] = false",
        "o.seen[no task] = 0",
    ] {
        assert!(shown.contains(value), "{value}: {shown}");
    }
    for wrong in ["low[4]", "low[B]", "low[]", "by[C]", "by[0]", "o.seen[2]"] {
        let output = case.replay(&[], Some(&format!("step 99\nprint {wrong}\n")));
        assert_eq!(output.status.code(), Some(2), "{wrong}");
        assert!(stderr(&output).contains("has no part"), "{wrong}");
    }
}

#[test]
fn no_step_leads_to_where_one_is() {
    let shown = timer().script("step 0\nstep\nback 0\n");
    assert_eq!(shown.matches("at the start").count(), 1, "{shown}");
    assert_eq!(shown.matches("\n1/").count(), 2, "{shown}");
    assert!(!shown.contains("this is"), "{shown}");
}

#[test]
fn parts_of_values() {
    let program = "\
type P = record { x: int, y: [2]int };
var p: P := P { x: 0, y: [0; 2] };
var m: [int]int := [0; _];
proc work(k: int) {
  var q: P := p;
  q.y[1] := k;
  m[k] := 5;
  p := q;
  assert p.y[1] == 0;
}
proc main() { post work(7); }
";
    let case = Case::new(program, &["explore"]);
    let script = "watch p.y[1]\ncontinue\nprint p.y[1]\nprint p.y\nprint m[7]\nprint m[8]\nprint q.x\n\
                  print work.q.y[1]\nprint k\nprint p\nlocals\nback\nprint p.y[1]\nprint m\n";
    insta::assert_snapshot!(case.script(script));
    for (wrong, message) in [
        ("print p.z", "`p` has no part `.z`"),
        ("print p.y[2]", "has no part `.y[2]`"),
        ("print p.y[", "has no part"),
        ("print pp", "there is no variable `pp`"),
    ] {
        let output = case.replay(&[], Some(&format!("goto 3\n{wrong}\n")));
        assert_eq!(output.status.code(), Some(2), "{wrong}");
        assert!(stderr(&output).contains(message), "{}", stderr(&output));
    }
}

#[test]
fn two_executions_and_endless_ones() {
    let case = Case::example("posting_order_bug.async", &["explore"]);
    case.script("continue\nprint\nreverse\nprint\ntasks");
    let pair = "var x: int := 0;\nproc a() { x := 1; }\nproc b() { x := 2; }\nproc main() { post a(); post b(); }\n";
    let case = Case::new(pair, &["explore", "--divergence"]);
    insta::assert_snapshot!(
        case.script("step\nwatch x\ncontinue\nprint x\ncontinue\ncontinue\nprint x\ncontinue\n")
    );
    let spin =
        "var x: bool := false;\nproc a() { while !x { yield; } }\nproc main() { post a(); }\n";
    let case = Case::new(spin, &["explore", "--fair"]);
    insta::assert_snapshot!(case.script("trace\ncontinue\ntasks\nreverse\n"));
}

#[test]
fn races_and_operations() {
    let race = "preempt access;\nvar x: int := 0;\nproc a() { x := x + 1; }\nproc main() { post a(); post a(); }\n";
    let case = Case::new(race, &["explore", "--races"]);
    insta::assert_snapshot!(case.script("continue\nprint\ntasks\n"));
    let case = Case::example("lock_order_bug.async", &["explore"]);
    insta::assert_snapshot!(case.script("continue\ntasks\nlist\nprint\n"));
}

#[test]
fn wrong_commands_name_the_nearest() {
    let case = timer();
    for (script, message) in [
        (
            "stpe",
            "<stdin>:1: there is no command `stpe`; did you mean `step`?",
        ),
        (
            "step\n\nprint outcom",
            "<stdin>:3: there is no variable `outcom` here; did you mean `outcome`?",
        ),
        ("watch outcom", "did you mean `outcome`?"),
        (
            "break 1",
            "no step of this trace is on line 1; one is on line 19",
        ),
        ("goto 99", "there are 12 steps"),
        ("delete 3", "there is no break 3"),
        ("locals 9", "there is no task 9"),
        ("locals 3", "task 3 has not begun"),
        ("list 1000", "has 45 lines"),
        ("help stpe", "did you mean `step`?"),
    ] {
        let output = case.replay(&[], Some(script));
        assert_eq!(output.status.code(), Some(2), "{script}");
        assert!(
            stderr(&output).contains(message),
            "{script}: {}",
            stderr(&output)
        );
    }
}

#[test]
fn a_part_that_is_not_there_cannot_be_watched() {
    let text = "var a: [2]int := [0; 2];
        proc main() { a[1] := 1; assert false; }";
    let case = Case::new(text, &["explore"]);
    for (name, ok) in [("a[1]", true), ("a", true), ("a[2]", false), ("a.f", false)] {
        let output = case.replay(&[], Some(&format!("watch {name}\n")));
        let said = stderr(&output);
        assert_eq!(
            output.status.code(),
            Some(if ok { 1 } else { 2 }),
            "{name}: {said}"
        );
        assert!(ok || said.contains("`a` has no part"), "{said}");
    }
}

#[test]
fn scripts_from_files_and_no_script() {
    let case = timer();
    std::fs::write(case.folder.path().join("s.txt"), "help\nhelp next\nstep\n").unwrap();
    let output = case.replay(&["--script", "s.txt"], None);
    assert_eq!(output.status.code(), Some(1));
    insta::assert_snapshot!(String::from_utf8(output.stdout).unwrap());
    let output = case.replay(&["--script", "missing"], None);
    assert_eq!(output.status.code(), Some(2));
    let whole = |output: Output| {
        assert_eq!(output.status.code(), Some(1));
        String::from_utf8(output.stdout).unwrap()
    };
    let plain = whole(case.replay(&[], None));
    assert!(plain.contains("how it happens:"), "{plain}");
    assert_eq!(whole(case.replay(&[], Some(""))), plain);
    assert_eq!(whole(case.replay(&["--print"], Some("step\n"))), plain);
}

#[test]
fn a_changed_program_is_refused_with_what_changed() {
    let case = timer();
    let text = std::fs::read_to_string(&case.program).unwrap();
    let changed = text.replace("timer_armed := false;", "timer_armed := true;");
    assert_ne!(text, changed);
    std::fs::write(&case.program, changed).unwrap();
    let output = case.replay(&[], None);
    assert_eq!(output.status.code(), Some(2));
    assert!(output.stdout.is_empty());
    insta::assert_snapshot!(stderr(&output));
    assert!(case.trace.exists());
}

/// A trace whose recorded error does not occur is no other verdict.
#[test]
fn an_error_that_does_not_occur_is_refused() {
    let case = timer();
    let text = std::fs::read_to_string(&case.trace).unwrap();
    let mut trace: serde_json::Value = serde_json::from_str(&text).unwrap();
    trace["schedule"].as_array_mut().unwrap().pop();
    std::fs::write(&case.trace, trace.to_string()).unwrap();
    let output = case.replay(&["--print"], None);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let said = stderr(&output);
    assert!(said.contains("which it records, does not occur"), "{said}");
    let output = case.replay(&["--cover", "3"], None);
    let said = stderr(&output);
    assert!(said.contains("made without --cover"), "{said}");
}

/// One execution says nothing about others.
#[test]
fn an_execution_without_an_error_is_no_verdict() {
    let folder = tempfile::tempdir().unwrap();
    let text = "var x: int := 0;\nproc add() { x := x + 1; yield; x := x + 1; }\n\
        proc main() { post add(); post add(); yield; cover x == 9; }\n";
    std::fs::write(folder.path().join("p.async"), text).unwrap();
    let fails = format!("{text}finally {{ assert x == 0; }}\n");
    std::fs::write(folder.path().join("fails.async"), fails).unwrap();
    let run = |args: &str| {
        let output = Command::new(env!("CARGO_BIN_EXE_dbverify"))
            .current_dir(folder.path())
            .args(args.split(' '))
            .output()
            .unwrap();
        let said = String::from_utf8(output.stdout).unwrap();
        (output.status.code(), said)
    };
    run("simulate p.async --cover 3 --trace-out cover.json");
    let (code, said) = run("replay p.async cover.json --print");
    assert_eq!(code, Some(1), "{said}");
    let words = "which says nothing about other executions";
    assert!(said.contains(words), "{said}");
    let (_, said) = run("replay p.async cover.json --format json");
    let answer: serde_json::Value = serde_json::from_str(&said).unwrap();
    assert_eq!(answer["verdict"], serde_json::Value::Null, "{said}");
    // The file has the steps that --to does not show.
    let (code, _) = run("simulate fails.async --to 2 --trace-out to.json");
    assert_eq!(code, Some(0));
    let (code, said) = run("replay fails.async to.json --print");
    assert_eq!(code, Some(1), "{said}");
    let text = std::fs::read_to_string(folder.path().join("to.json")).unwrap();
    let trace: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(trace["error"]["kind"], "assertion", "{text}");
}

#[test]
fn files_in_the_wrong_order_and_answers_are_no_traces() {
    let case = timer();
    let run = |args: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_dbverify"))
            .current_dir(case.folder.path())
            .args(args)
            .stdin(Stdio::null())
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        stderr(&output)
    };
    let swapped = run(&["replay", "t.json", "p.async"]);
    assert!(swapped.contains("the program comes first"), "{swapped}");
    std::fs::write(
        case.folder.path().join("a.json"),
        "{\"schema\": \"dbverify/1\"}",
    )
    .unwrap();
    let answer = run(&["replay", "p.async", "a.json"]);
    assert!(answer.contains("which --trace-out writes"), "{answer}");
}

#[test]
fn a_page_of_a_replay_has_the_sequential_program() {
    let case = timer();
    let output = case.replay(&["--html", "p.html"], Some("step\n"));
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let page = std::fs::read_to_string(case.folder.path().join("p.html")).unwrap();
    assert!(
        page.contains("proc post_timer_fires()"),
        "no sequential program"
    );
}

#[test]
fn a_person_has_a_prompt() {
    let case = timer();
    let program = env!("CARGO_BIN_EXE_dbverify");
    let child = Command::new("script")
        .args([
            "-qec",
            &format!("{program} replay p.async t.json"),
            "/dev/null",
        ])
        .current_dir(case.folder.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn();
    let Ok(mut child) = child else { return };
    let typed = "step\n\nstpe\nprint outcom\nquit\n";
    // A person types a line when the prompt is there.
    let mut keys = child.stdin.take().unwrap();
    for line in typed.split_inclusive('\n') {
        std::thread::sleep(std::time::Duration::from_millis(700));
        drop(keys.write_all(line.as_bytes()));
    }
    drop(keys);
    let output = child.wait_with_output().unwrap();
    let shown = String::from_utf8_lossy(&output.stdout).into_owned();
    for words in [
        "12 steps, 3 tasks; assertion: the request is completed twice",
        "1/12  ",
        "2/12  ",
        "did you mean `step`?",
        "did you mean `outcome`?",
    ] {
        assert!(shown.contains(words), "{words}: {shown}");
    }
}
