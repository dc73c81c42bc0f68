//! Other solvers: what `--emit-smt` prints and `--solver` runs is decided as in process, and a solver that misbehaves
//! ends in an answer. Where no `z3` is on the path, what needs one is skipped and says so.

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
            let script = dbverify(&["--delays", "1", "--emit-smt"], text);
            assert_eq!(script.status.code(), Some(0), "{name}");
            let said = run("z3", &["-in"], &String::from_utf8_lossy(&script.stdout));
            let said = String::from_utf8_lossy(&said.stdout).into_owned();
            let satisfiable = if expected == "bug" { "sat" } else { "unsat" };
            assert_eq!(said.lines().next(), Some(satisfiable), "{name}: {said}");
        }
    }
}

/// A parser that is not Z3's reads what is printed, and gives as many commands as there are lines of them.
#[test]
fn what_is_printed_is_smt_lib() {
    for (name, _, text) in PROGRAMS {
        let output = dbverify(&["--delays", "1", "--emit-smt"], text);
        let text = String::from_utf8_lossy(&output.stdout);
        let storage = smtlib_lowlevel::Storage::new();
        let script = smtlib_lowlevel::ast::Script::parse(&storage, &text)
            .unwrap_or_else(|error| panic!("{name}: {error:?}"));
        let commands = text.lines().filter(|line| line.starts_with('(')).count();
        assert_eq!(script.0.len(), commands, "{name}");
    }
}

#[test]
fn solvers_that_misbehave_end_in_an_answer() {
    let (_, _, text) = PROGRAMS[4];
    for (solver, said) in [
        ("no-such-solver-anywhere", "cannot be started"),
        ("true", "says nothing"),
        ("cat", "says `(set-"),
        ("echo sat", "its model cannot be read"),
        ("sleep 100", "time ran out"),
        ("yes", "says `y`"),
    ] {
        let options = ["--delays", "1", "--timeout", "1", "--solver", solver];
        let output = dbverify(&options, text);
        let answer = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(output.status.code(), Some(3), "{solver}: {answer}");
        assert!(answer.contains(said), "{solver}: {answer}");
    }
}
