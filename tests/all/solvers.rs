//! Other solvers: they decide the output of `--emit-smt` and the questions of `--solver` as the built-in ones do. If one
//! misbehaves, there is still an answer. Tests that need `z3` are skipped without it, and say so.

use std::io::Write as _;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

/// Programs over everything that terms are made of, with the verdict within one delay.
const PROGRAMS: [(&str, &str, &str); 8] = [
    (
        "unbounded integers",
        "safe",
        "var n: int := *; var sum: int := 0;
         proc add(i: int) { sum := sum + i; }
         proc main() { assume n > 0; post add(n); post add(n + 1); }
         finally { assert sum == 2 * n + 1 && sum % 2 == 1; }",
    ),
    (
        "division",
        "bug",
        "var n: int := *; var d: int := 4;
         proc less() { d := d - 1; }
         proc main() { assume n < 0 && n > -9; post less(); yield; assert n / d == -2 - (if n < -8 then 1 else 0); }",
    ),
    (
        "machine integers",
        "bug",
        "var a: u8 := *; var b: i16 := *;
         proc twist() { a := (a << 3) ^ (a >> 5); b := b * b; }
         proc main() { post twist(); yield; assert a != 0x5a || b >= 0; }",
    ),
    (
        "machine integers that hold",
        "safe",
        "var a: u32 := *; var b: u32 := 0;
         proc swap() { a, b := b, a; }
         proc main() { b := a; post swap(); yield; assert (a ^ b) == 0 && a / 2 <= a; }",
    ),
    (
        "maps",
        "bug",
        "var table: [int]int; var k: int := *;
         proc put(i: int, v: int) { yield; table[i] := v; }
         proc look(i: int) { yield; assert table[i] >= 0; }
         proc main() { assume k > 10; table[k] := 1; post put(k, 10 - k); post look(k); }",
    ),
    (
        "maps that hold",
        "safe",
        "var table: [int]bool := [false; _]; var k: int := *;
         proc put(i: int) { table[i] := true; }
         proc main() { post put(k); yield; assert !table[k + 1]; }",
    ),
    (
        "arrays and records",
        "bug",
        "type Slot = record { used: bool, size: 0..7 };
         var slots: [3]Slot := [Slot { used: false, size: 0 }; 3]; var i: 0..2 := *;
         proc take(s: 0..7) { slots[i] := Slot { used: true, size: s }; }
         proc main() { post take(5); yield; assert !slots[1].used || slots[1].size < 5; }",
    ),
    (
        "maps of records",
        "safe",
        "type Slot = record { used: bool, size: 0..7 };
         var slots: [int]Slot := [Slot { used: false, size: 0 }; _]; var i: int := *;
         proc take(s: 0..7) { slots[i] := Slot { used: true, size: s }; }
         proc main() { post take(5); yield; assert slots[i].used ==> slots[i].size == 5; }",
    ),
];

fn dbverify(options: &[&str], text: &str) -> Output {
    run(
        env!("CARGO_BIN_EXE_dbverify"),
        &[&["-"], options].concat(),
        text,
    )
}

fn run(command: &str, options: &[&str], text: &str) -> Output {
    let mut child = Command::new(command)
        .args(options)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it starts");
    // A command may answer before it has read everything.
    drop(
        child
            .stdin
            .take()
            .map(|mut input| input.write_all(text.as_bytes())),
    );
    child.wait_with_output().expect("it ends")
}

fn verdict(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stdout);
    let json: Value = serde_json::from_str(&text)
        .unwrap_or_else(|_| panic!("{text}{}", String::from_utf8_lossy(&output.stderr)));
    json["verdict"].as_str().expect("there is one").to_owned()
}

fn z3() -> bool {
    let found = Command::new("z3").arg("-version").output().is_ok();
    if !found {
        eprintln!("skipped: there is no z3 on the path");
    }
    found
}

const ASKED: [&str; 6] = ["--delays", "1", "--engine", "smt", "--format", "json"];

#[test]
fn in_process() {
    for (name, expected, text) in PROGRAMS {
        assert_eq!(verdict(&dbverify(&ASKED, text)), expected, "{name}");
    }
}

#[test]
fn by_a_command() {
    if z3() {
        for (name, expected, text) in PROGRAMS {
            let options = [&ASKED[..], &["--solver", "z3 -in"]].concat();
            assert_eq!(verdict(&dbverify(&options, text)), expected, "{name}");
        }
    }
}

#[test]
fn what_is_printed_is_decided_elsewhere() {
    if z3() {
        for (name, expected, text) in PROGRAMS {
            let said = run("z3", &["-in"], &emitted(text));
            let said = String::from_utf8_lossy(&said.stdout).into_owned();
            let satisfiable = if expected == "bug" { "sat" } else { "unsat" };
            assert_eq!(said.lines().next(), Some(satisfiable), "{name}: {said}");
        }
    }
}

/// A parser that is not Z3's reads the output, and finds as many commands as the output has.
#[test]
fn what_is_printed_is_smt_lib() {
    for (name, _, text) in PROGRAMS {
        let text = emitted(text);
        let storage = smtlib_lowlevel::Storage::new();
        let script = smtlib_lowlevel::ast::Script::parse(&storage, &text)
            .unwrap_or_else(|error| panic!("{name}: {error:?}"));
        let commands = text.lines().filter(|line| line.starts_with('(')).count();
        assert_eq!(script.0.len(), commands, "{name}");
    }
}

const MAPS: usize = 4;

#[test]
fn solvers_that_misbehave_end_in_an_answer() {
    let (_, _, text) = PROGRAMS[MAPS];
    for (solver, said) in [
        ("/no-such-solver-anywhere", "cannot be started"),
        ("true", "says nothing"),
        ("false", "says nothing and ends with exit status: 1"),
        ("cat", "says `(set-"),
        ("echo sat", "its model cannot be read"),
        ("echo unknown", "says `unknown`"),
        ("sleep 100", "time ran out"),
        ("yes", "says more than 32 MiB"),
        ("cat /dev/zero", "says more than 32 MiB"),
    ] {
        misbehaves(solver, text, said);
    }
}

/// A solver that is missing is noticed, even if another engine could answer.
#[test]
fn a_solver_that_has_nothing_to_say_is_noticed() {
    let text = "proc main() { assert true; }";
    for before in [&[][..], &["--engine", "smt"], &["prove"]] {
        let line = [before, &["--solver", "no-such-solver-anywhere"]].concat();
        let output = dbverify(&line, text);
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.contains("there is no solver `no-such-solver-anywhere`"));
    }
    let output = dbverify(&["--solver", "sh -c false"], text);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(said.contains("`sh -c false` was not asked"), "{said}");
}

/// Solvers that are scripts, and print what no solver should.
#[test]
#[cfg(unix)]
fn answers_that_are_none_are_told_apart() {
    let (_, _, text) = PROGRAMS[MAPS];
    for (script, said) in [
        // Errors, before the verdict and after it.
        (
            r#"echo '(error "line 1: ""what"" is that?")'; echo sat"#,
            r#"reports an error: line 1: "what" is that?"#,
        ),
        (
            r#"echo sat; echo '(error "no model")'"#,
            "its model cannot be read: the solver reports an error: no model",
        ),
        // Garbage.
        (r#"echo '{"sat": true}'"#, r#"says `{"sat": true}`"#),
        ("echo unsat; echo sat", "says `unsat` and then `sat`"),
        (r"echo sat; printf '\377\001(('", "says `sat` and then"),
        ("echo sat; echo '((({} 1)))'", "its model cannot be read"),
        ("echo sat; echo '((x 1)'", "its model ends in the middle"),
        (r"printf '((((((((((%.0s' $(seq 100000)", "says `(((((("),
        (
            r"echo sat; printf '(((((((((('; printf '(%.0s' $(seq 100000)",
            "its model ends in the middle",
        ),
        // Death.
        ("kill -9 $$", "says nothing and ends with signal: 9"),
        ("echo uns; kill -9 $$", "says `uns`"),
        // Floods, and silence.
        ("echo sat; yes '((x 1))'", "says more than 32 MiB"),
        ("echo sat; exec sleep 100", "time ran out"),
        ("exec 1>&-; exec sleep 100", "says nothing"),
        ("exec 0<&-; echo unknown", "says `unknown`"),
    ] {
        let file = tempfile::NamedTempFile::new().expect("a file");
        std::fs::write(&file, script).expect("it is written");
        let solver = format!("sh {}", file.path().display());
        misbehaves(&solver, text, said);
    }
}

fn misbehaves(solver: &str, text: &str, said: &str) {
    let options = [&ASKED[..4], &["--timeout", "3", "--solver", solver]].concat();
    let output = dbverify(&options, text);
    let answer = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(3), "{solver}: {answer}");
    assert!(answer.contains(said), "{solver}, {said}: {answer}");
}

/// Answers in the words of many solvers become the same counterexample, which is replayed.
#[test]
fn models_in_other_words_are_read() {
    let text = "var table: [int]int := *; var k: int := *;
         proc main() { assume k > 10; assert table[k] < 5; }";
    let script = emitted(text);
    let name = |start| {
        let declared = script.lines().find_map(|line| {
            let name = line.strip_prefix("(declare-fun |")?.split('|').next()?;
            name.starts_with(start).then(|| name.to_owned())
        });
        declared.expect("it is declared")
    };
    let (k, table) = (name("k"), name("table"));
    let array = "(Array Int Int)";
    for (map, functions) in [
        (format!("((as const {array}) 7)"), "()"),
        (
            format!("(store (store ((as const {array}) 0) 12 7) (- 3) (- 1))"),
            "()",
        ),
        (
            format!("(let ((a!1 (store ((as const {array}) 0) 12 7))) (store a!1 3 4))"),
            "()",
        ),
        ("(lambda ((x!1 Int)) (ite (= x!1 12) 7 0))".to_owned(), "()"),
        (
            "(_ as-array k!0)".to_owned(),
            "(model (define-fun k!0 ((x!0 Int)) Int (ite (= x!0 (- 1)) 0 (ite (= x!0 12) 7 0))))",
        ),
    ] {
        let answer = format!("sat\n((|{k}| 12)\n (|{table}| {map}))\n{functions}\n");
        let file = tempfile::NamedTempFile::new().expect("a file");
        std::fs::write(&file, &answer).expect("it is written");
        let solver = format!("cat {}", file.path().display());
        let output = dbverify(&[&ASKED[..], &["--solver", &solver]].concat(), text);
        assert_eq!(verdict(&output), "bug", "{answer}");
        let shown = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(shown.contains("12") && shown.contains('7'), "{shown}");
    }
}

/// The printer recurses, so nothing that it prints is deep; and equal programs print equal bytes.
#[test]
fn what_is_printed_is_shallow_and_always_the_same() {
    for (name, _, text) in PROGRAMS {
        let script = emitted(text);
        assert_eq!(script, emitted(text), "{name}");
        for line in script.lines().filter(|line| line.starts_with('(')) {
            let depths = line.chars().scan(0, |depth, c| {
                *depth += i32::from(c == '(') - i32::from(c == ')');
                Some(*depth)
            });
            assert!(depths.max() <= Some(8), "{name}: {line}");
        }
    }
}

fn emitted(text: &str) -> String {
    let output = dbverify(&["--delays", "1", "--emit-smt"], text);
    assert_eq!(output.status.code(), Some(0));
    String::from_utf8_lossy(&output.stdout).into_owned()
}
