//! The diagnostics of programs that are not well-formed, one broken program after the other.
//!
//! After a change of messages: `INSTA_UPDATE=always cargo test --test all syntax_errors::`, and read the difference.

use dbverify::ast::parser::parse;
use dbverify::check::CheckOptions;
use dbverify::report::diagnostic;
use dbverify::source::SourceMap;

/// The diagnostics of one program.
fn complaints(text: &str) -> String {
    let mut sources = SourceMap::new();
    let start = sources.add("it.async", text).expect("small");
    let (_, diagnostics) = parse(text, start);
    diagnostic::text(&sources, &diagnostics, false)
}

/// The programs of a theme, each with its diagnostics.
fn show(programs: &[&str]) -> String {
    let mut shown = String::new();
    for text in programs {
        let said = complaints(text);
        assert!(!said.is_empty(), "nothing is wrong with {text}");
        shown += &format!("{}\n{text}\n{}\n{said}", "=".repeat(60), "-".repeat(60));
    }
    shown
}

/// Statements in a procedure.
fn in_main(statements: &[&str]) -> String {
    let programs: Vec<String> = statements
        .iter()
        .map(|s| format!("proc main() {{\n  {s}\n}}"))
        .collect();
    show(&programs.iter().map(String::as_str).collect::<Vec<_>>())
}

#[test]
fn parameters_that_are_types() {
    insta::assert_snapshot!(show(&[
        "object Q(T type, n: int) { var x: T; }",
        "object Q<T>(n: int) { var x: T; }",
        "object Q<T, U> { var x: T; }",
        "object Q(type T, n: int) { var x: T; }",
        "object Q(n: int, type T) { var x T; }",
        "object Q(n: int\ntype T = int;",
        "object Q(T: type, n: int) { var x: T y; }",
        "var q: Q<int>;",
        "var q: Q([2], int 3);",
        "var q: Q([2] int, [3] [4] 0..9, [int bool);",
    ]));
}

/// `..` tells a type among arguments from a value that begins like it.
#[test]
fn arrays_of_ranges_are_types_among_arguments() {
    let said = |text: &str| {
        let compiled = dbverify::compile("it.async", text, &CheckOptions::default());
        let all = compiled.diagnostics.into_iter();
        all.filter(|d| d.code != "unused")
            .map(|d| d.message)
            .collect::<Vec<_>>()
    };
    for text in [
        "type K = enum { A, B };\nobject Cell(T: type) { var v: T := default(T); op get(): T { return v; } }\n\
         var l: Cell([K]-1..1);\nproc main() { let z = l.get(); assert z[B] == 0; }\n",
        "var y: [bool]-1..1 := [0; _];\nproc main() { y := default([bool]-1..1); }\n",
        "var y: [2][bool](-1)..(1) := [[0; _]; 2];\nproc main() { y := default([2][bool](-1)..(1)); }\n",
        "proc p(_a: int, _b: int) { skip; }\n\
         proc main() { call p([1, 2][0] - 1, [3][0]); call p(-[1][0], ([4, 5][1])); }\n",
    ] {
        assert_eq!(said(text), [""; 0], "{text}");
    }
}

/// A part that was complete before the rest of its item was mended is declared once.
#[test]
fn what_is_mended_is_not_declared_twice() {
    for text in [
        "var x i\nu}",
        "package main\nvar x int\nfunc main() { x++; }\n",
    ] {
        let compiled = dbverify::compile("it.async", text, &CheckOptions::default());
        assert!(compiled.diagnostics.len() > 2);
        let twice = compiled
            .diagnostics
            .iter()
            .find(|d| d.code == "duplicate-name");
        assert!(twice.is_none(), "{twice:?}");
    }
}

#[test]
fn words_of_other_languages_have_advice() {
    for (text, words) in [
        ("var x int\nfunc main() { skip; }", "declared with `proc p"),
        ("proc main() { if a and b { skip; } }", "write `&&`"),
        ("proc main() { if not b { skip; } }", "write `!`"),
        ("var b: boolean;", "write `bool`"),
        ("var f: float;", "numbers are whole"),
        ("var s: string;", "strings are only messages"),
        ("var q: chan;", "`var q: Queue(int, 8);`"),
    ] {
        let compiled = dbverify::compile("it.async", text, &CheckOptions::default());
        let said = diagnostic::text(&compiled.sources, &compiled.diagnostics, false);
        assert!(said.contains(words), "{said}");
    }
}

#[test]
fn words_are_suggested() {
    for (text, words) in [
        ("proc main() { sikp; }", "did you mean `skip;`?"),
        (
            "proc main() { assert true, }",
            "expected a string, found `}`",
        ),
        ("#include <stdio.h>\n", "a program in C is read from a file"),
        ("# a remark\n", "a comment begins with `//`"),
    ] {
        let said = complaints(text);
        assert!(said.contains(words), "{said}");
    }
}

#[test]
fn semicolons() {
    insta::assert_snapshot!(in_main(&[
        "x := 1\n  y := 2;",
        "x := 1",
        "x := 1 y := 2;",
        "yield\n  if x { skip }",
        "var t: task := post p()\n  join t;",
        "return\n  x := 1;",
        "x := 1;;",
        "if x { skip; };",
    ]));
}

#[test]
fn signs() {
    insta::assert_snapshot!(in_main(&[
        "x = 1;",
        "x == 1;",
        "let y := 1;",
        "var y = 1;",
        "call x = p();",
        "if x = 1 { skip; }",
        "while x := 1 { skip; }",
        "assert x => y;",
        "assert x <> y;",
        "assert 0 < x < 10;",
        "x++;",
        "x--;",
        "x += 2 * y;",
        "x *= 2;",
        "assert x and not y or z;",
        "x := 1.5;",
        "x := c ? 1 : 2;",
    ]));
}

#[test]
fn statements() {
    insta::assert_snapshot!(in_main(&[
        "p();",
        "lock(m);",
        "x;",
        "a[3];",
        "call p;",
        "call m.lock();",
        "post m.lock();",
        "int x;",
        "int x = 3;\n  bool b;",
        "Mutex m;\n  m.lock();",
        "var int x;",
        "var x;",
        "let x;",
        "if x y := 1;\n  z := 2;",
        "if (x) y := 1; else y := 2;\n  z := 2;",
        "if x then y := 1;",
        "if x { skip; } elif y { skip; } else { z = 1; }",
        "else { skip; }",
        "while x do { skip; }",
        "do { x := 1; } while x;",
        "for (int i = 0; i < 3; i++) { x = i; }",
        "for i := 0 to 3 { skip; }",
        "for i in 0..=3 { skip; }",
        "for i in 0..<n { skip; }",
        "for i in 0 to n { skip; }",
        "switch x { case 1: skip; }",
        "spawn p();",
        "assert(x == 1, \"x is one\");",
        "assert x \"x is one\";",
        "x := \"one\";",
        "x := if c { 1 } else { 2 };",
        "x := if c then 1;",
        "var while: int;",
        "var task: int;\n  task := 1;",
        "const n := 3;",
        "proc inner() { skip; }",
        "x := +;\n  y = 2;",
        "x := ;",
        "if { skip; }",
        "await;",
        "var i: int := * +;\n  i = 3;",
        "m.lock;",
        "x := call p 3;",
        "let r = R { a = 1, b: [2, 3] };",
    ]));
}

#[test]
fn brackets() {
    insta::assert_snapshot!(show(&[
        "proc main() {\n  x := (1 + 2;\n}",
        "proc main() {\n  x := a[1 + 2;\n  y = 1;\n}",
        "proc main() {\n  x := f(1, 2];\n}",
        "proc main() {\n  x := 1 + 2);\n}",
        "proc main() {\n  if (x && y {\n    skip;\n  }\n}",
        "proc main() {\n  while x {\n    if y {\n      skip;\n  }\n}\n\nproc p() {\n  skip\n}\n",
        "proc main() {\n  while x {\n    skip;\n}\n",
        "proc main() {\n  skip;\n}\n}\nproc p() {\n  skip\n}\n",
        "proc main() {\n  skip;\n  }\n  x := 1;\n}\nvar x: int;\nproc p() {\n  skip\n}\n",
        "object O {\n  op f() {\n    skip;\n  op g() { skip; }\n}\n",
        "object O {\n  proc f() {\n    skip;\n  proc g() { skip; }\n}\nproc main() { x = 1; }\n",
        "proc p() {\n  skip;\nproc main() {\n  skip;\n}\n",
        "type T = enum { A, B;\nvar x: T;\n",
        "type T = enum { A B, C };\ntype R = record { a: int; b: bool; };\n",
        "type T = enum {\n  A\n  B\n};\ntype R = record {\n  a: int\n  b: bool\n};\n",
        "proc main() {\n  x := f(1 2);\n  y := [1 2 3];\n}",
        "proc main() {\n  call p(1, 2\n  y := 3;\n}",
    ]));
}

#[test]
fn items() {
    insta::assert_snapshot!(show(&[
        "int x;\nvar y: int = 3;",
        "var x;",
        "var x := 3;",
        "var x: int := 3\nvar y: int;",
        "const N = 3;",
        "type T := int;",
        "type T: int;",
        "enum Mode { A, B }",
        "struct S { int x; }\nvar s: S;",
        "import sync;",
        "#include <pthread.h>",
        "void main() { skip; }",
        "fn main() { skip; }\nproc p() { skip }",
        "int f(int x) { return x; }",
        "proc main { skip; }",
        "proc f(int x) { skip; }",
        "proc f(x) { skip; }",
        "proc f(x int) { skip; }",
        "proc f(x: int,) -> int { return x; }",
        "proc f() returns (x: int) { skip; }",
        "x := 1;\nproc main() { skip; }",
        "preempt always;",
        "use sync",
        "proc int() { skip; }",
        "finally assert x;",
        "object O {\n  var x;\n  op f { skip; }\n  op g() when { skip; }\n  exclusive f;\n  x := 1;\n}",
        "object O {\n  op f() when a when b { skip; }\n}",
        "var r: record { a, b: int };",
        "var a: [3 int;",
        "var a: [];",
        "var a: 0..;",
        "proc use() { skip; }",
        "proc type(x: int) { skip; }\nproc main() { skip; }",
        "proc\nconst N := 1;",
        "struct P { x: int }",
        "var a: int[4];",
        "proc p(a: seq<int>) { skip; }\nproc main() { assert forall i in 0..3: i < 4; }",
        "type Q = queue<int>;",
        "hello",
        "op f() { skip; }",
    ]));
}

#[test]
fn characters() {
    insta::assert_snapshot!(in_main(&[
        "x := 1 @ 2;",
        "x := y ∧ ¬z ∨ a ≤ b;",
        "x\u{a0}:= 1;",
        "assert x, “quoted”;",
        "assert x, \"open;",
        "assert x, \"bad \\q escape\";",
        "größe := 1;",
        "x := 'a';",
        "x := 12ab;",
        "x := 0b12 + 0x;",
        "x := 99999999999999999999999999999999999999999999;",
        "x := 1; /* never\n  closed",
        "\u{0}\u{1}\u{2}",
    ]));
}

#[test]
fn many_at_once() {
    insta::assert_snapshot!(show(&[
        "var x int;\nproc p( { x := 1; }\nproc q() {\n  x = 1\n  y := ;\n  if x > { z := (3; }\n}\ntype = int;\nproc main() { call q() }\n",
    ]));
}

#[test]
fn too_many_are_counted() {
    let said = complaints(&format!("proc main() {{\n{}}}", "  x := ;\n".repeat(60)));
    assert!(said.contains("more syntax errors"), "{said}");
    assert_eq!(said.matches("error[syntax]").count(), 51);
    let said = complaints(&"var x;\n".repeat(60));
    assert_eq!(said.matches("error[syntax]").count(), 51);
}

#[test]
fn what_is_right_around_an_error_is_kept() {
    let (ast, diagnostics) = parse("var a: int;\nproc p() { x := ; y := 1; }\nvar b: int;\n", 0);
    assert_eq!((ast.items.len(), diagnostics.len()), (3, 1));
    let (ast, _) = parse("var a: int;\nproc p(1) { let c = 1; }\nvar b: int;\n", 0);
    assert_eq!(ast.items.len(), 3);
    let lost: Vec<&str> = ast.lost.iter().map(|&s| ast.text(s)).collect();
    assert_eq!(lost, ["p", "c"]);
}

#[test]
fn what_a_syntax_error_hides_is_not_missed() {
    let text = "proc p(1) { skip; }\nvar x: int;\nproc main() { let y = ;; call p(); call q(); x := y; z := y; }\n";
    let compiled = dbverify::compile("it.async", text, &CheckOptions::default());
    let said: Vec<_> = compiled
        .diagnostics
        .iter()
        .map(|d| (d.code, compiled.sources.text(d.span.unwrap())))
        .collect();
    assert_eq!(
        said,
        [
            ("syntax", "1"),
            ("syntax", ";"),
            ("syntax", ";"),
            ("unknown-procedure", "q"),
            ("unknown-name", "z")
        ]
    );
}
