//! Certificates of proofs and the output of `--emit-smt` are SMT-LIB to the letter: another solver reads every question and says what
//! ours says. A test that needs `z3` or `cvc5` is skipped without it, and says so.

use std::io::Write as _;
use std::process::{Command, Stdio};

use dbverify::check::CheckOptions;
use dbverify::compile;
use dbverify::options::ProveOptions;
use dbverify::verify::proofs::answer;

/// Programs whose proofs once had something in them that only Z3 reads, and some with names that SMT-LIB has itself.
const PROGRAMS: [(&str, &str); 9] = [
    (
        "a disjunction of nothing",
        "preempt access; var g0: int := 1; proc p0() { var l: int := g0; g0 := g0 + 1; } \
         proc main() { while * { post p0(); } }",
    ),
    (
        "two names for one",
        "preempt access; var g: int := 0; var u: u8 := 0; proc p(a: int) { assume g >= int(u); } \
         proc main() { var n: int := 0; while * { n := n + 1; post p(n); } }",
    ),
    (
        "names of functions",
        "var mod: 0..9 := 1; var div: int := 5; var select: bool := true; var ite: int := 1; var or: bool := false; \
         var abs: int := 7; var store: [3]int := [1; 3]; \
         proc p() { if select && !or { div := div * ite % 7; } yield; mod := (mod + 1) % 10; abs := abs + div / 2; store[1] := mod; } \
         proc main() { while * { post p(); } } finally { assert div == 5 || div != 5; }",
    ),
    (
        "names of sorts and values",
        "var Int: int := 1; var Bool: bool := true; var Array: int := 2; var Real: int := 2; var as: int := 1; var exists: int := 1; \
         proc p() { Int := Int + as; Array := Array + Real * exists; assert Bool && Int > 0; } \
         proc main() { while * { post p(); } }",
    ),
    (
        "objects, with dots in their names",
        "object O { var len: int := 0; op at() when len < 3 { len := len + 1; } op replace() { len := 0; } } var str: O; var seq: O; \
         proc p() { str.at(); seq.replace(); str.replace(); } proc main() { while * { post p(); } }",
    ),
    (
        "machine integers",
        "var a: u8 := 3; var b: i16 := -3; proc p() { a := a + 7; b := b * 5 / 2; assert int(a) <= 255; } \
         proc main() { while * { post p(); } }",
    ),
    (
        "tasks that are joined",
        "var x: int := 0; proc p() { x := x + 1; } proc main() { var t: task; t := post p(); join t; assert x >= 1; }",
    ),
    (
        "maps",
        "var seen: [int]bool := [false; _]; proc p(i: int) { seen[i] := true; assert seen[i]; } \
         proc main() { var i: int := 0; while * { i := i + 1; post p(i); } }",
    ),
    (
        "records and enums",
        "type R = record { on: bool, n: 0..3 }; var r: R := R { on: false, n: 0 }; var m: enum { A, B } := A; \
         proc p() { if m == A { m := B; } else { m := A; } r.on := !r.on; assert r.n <= 3; } \
         proc main() { while * { post p(); } }",
    ),
];

fn certificate(name: &str, text: &str) -> String {
    let compiled = compile("test", text, &CheckOptions::default());
    let program = compiled
        .program
        .unwrap_or_else(|| panic!("{name}: {:?}", compiled.diagnostics));
    let proved = answer(&program, &compiled.sources, &ProveOptions::default());
    let summary = proved.summary;
    proved
        .certificate
        .unwrap_or_else(|| panic!("{name}: {summary}"))
}

/// A solver's answers to a script, if it is there.
fn asked(command: &[&str], script: &str) -> Option<String> {
    let child = Command::new(command[0])
        .args(&command[1..])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn();
    let Ok(mut child) = child else {
        eprintln!("skipped: there is no {} on the path", command[0]);
        return None;
    };
    drop(
        child
            .stdin
            .take()
            .map(|mut input| input.write_all(script.as_bytes())),
    );
    let output = child.wait_with_output().expect("it ends");
    Some(String::from_utf8_lossy(&output.stdout).into_owned())
}

const SOLVERS: [&[&str]; 2] = [
    &["z3", "-in", "-T:60"],
    &[
        "cvc5",
        "--incremental",
        "--lang=smt2",
        "--tlimit-per=5000",
        "-",
    ],
];

#[test]
fn other_solvers_agree_with_each_question() {
    for (name, text) in PROGRAMS {
        let script = certificate(name, text);
        let questions = script.matches("(check-sat)").count();
        for solver in SOLVERS {
            let Some(said) = asked(solver, &script) else {
                continue;
            };
            // A solver may give up; it may not contradict, nor stumble over what is written.
            let answers: Vec<&str> = said.lines().collect();
            assert!(
                answers
                    .iter()
                    .all(|a| a.starts_with("unsat") || a.starts_with("unknown")),
                "{name}: {solver:?}: {said}"
            );
            assert_eq!(answers.len(), questions, "{name}: {solver:?}: {said}");
        }
    }
}

/// The tokens of a script, each with whether it follows a bracket. Text between bars is one name.
fn tokens(script: &str) -> Vec<(String, bool)> {
    let (mut all, mut behind) = (Vec::new(), false);
    let lines = script.lines().filter(|line| !line.starts_with(';'));
    let text: Vec<&str> = lines.collect();
    for (number, part) in text.join("\n").split('|').enumerate() {
        if number % 2 == 1 {
            all.push(("name".to_owned(), behind));
            behind = false;
            continue;
        }
        for word in part
            .replace('(', " ( ")
            .replace(')', " ) ")
            .split_whitespace()
        {
            all.push((word.to_owned(), behind));
            behind = word == "(";
        }
    }
    all
}

/// Whether a sum, a product or a connective has one part.
fn joins_one(script: &str) -> bool {
    let mut open: Vec<(String, usize)> = Vec::new();
    let mut found = false;
    for (token, behind) in tokens(script) {
        match token.as_str() {
            "(" => {
                open.last_mut().into_iter().for_each(|list| list.1 += 1);
                open.push((String::new(), 0));
            }
            ")" => {
                let (function, parts) = open.pop().unwrap_or_default();
                found |= parts == 1 && ["and", "or", "+", "*"].contains(&function.as_str());
            }
            _ if behind => open
                .last_mut()
                .into_iter()
                .for_each(|list| list.0.clone_from(&token)),
            _ => open.last_mut().into_iter().for_each(|list| list.1 += 1),
        }
    }
    found
}

/// Needs no solver: the program's names stand between bars, and no connective stands alone.
#[test]
fn what_is_written_is_smt_lib() {
    for (name, text) in PROGRAMS {
        let script = certificate(name, text);
        assert!(!joins_one(&script), "{name}: {script}");
        for (token, behind) in tokens(&script) {
            let alone = [
                "and", "or", "not", "+", "-", "*", "mod", "div", "ite", "select", "store",
            ];
            assert!(
                behind || !alone.contains(&token.as_str()),
                "{name}: {token} stands alone"
            );
            let plain = |c: char| c.is_ascii_alphanumeric() || "~!@$%^&*_-+=<>.?/:()".contains(c);
            assert!(token.chars().all(plain), "{name}: {token} is no symbol");
        }
    }
}

#[test]
fn what_is_emitted_is_read_elsewhere() {
    let text = "var a: u8 := *; var n: int := *; var mod: [int]int; \
        proc p(i: int) { yield; mod[i] := int(a) * n; } \
        proc main() { assume n > 3; post p(n); yield; assert (a ^ 7) != 9 || mod[n] < 40 || n / 2 == 4; }";
    let ours = [
        env!("CARGO_BIN_EXE_dbverify"),
        "-",
        "--delays",
        "1",
        "--emit-smt",
    ];
    let script = asked(&ours, text).unwrap();
    for solver in SOLVERS {
        if let Some(said) = asked(solver, &script) {
            assert_eq!(said.lines().next(), Some("sat"), "{solver:?}: {said}");
        }
    }
}
