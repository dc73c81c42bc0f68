//! No input breaks the parser: depth, length, garbage.

use dbverify::ast::MAX_DEPTH;
use dbverify::ast::parser::parse;
use dbverify::diagnostic::Diagnostic;
use dbverify::report::diagnostic;
use dbverify::source::SourceMap;

const MANY: usize = 100_000;

/// The diagnostics of a text; they can be shown, and there are not too many.
fn complaints(text: &str) -> Vec<Diagnostic> {
    let mut sources = SourceMap::new();
    let start = sources.add("it.async", text).expect("small");
    let (_, diagnostics) = parse(text, start);
    assert!(diagnostics.len() <= 51);
    assert!(diagnostic::text(&sources, &diagnostics, false).len() < 100_000);
    diagnostics
}

fn in_main(statements: &str) -> Vec<Diagnostic> {
    complaints(&format!("proc main() {{ {statements} }}"))
}

/// `open` as often as `n` says, then `middle`, then `close` as often.
fn nested(open: &str, middle: &str, close: &str, n: usize) -> String {
    [&open.repeat(n), middle, &close.repeat(n)].concat()
}

/// Programs that nest one thing `n` times.
fn nestings(n: usize) -> Vec<String> {
    let expressions = [
        nested("(", "1", ")", n),
        nested("!", "x", "", n),
        nested("-", "x", "", n),
        nested("a[", "0", "]", n),
        nested("[", "0", "]", n),
        nested("R { f: ", "0", " }", n),
        nested("int(", "0", ")", n),
        nested("", "x", " + 1", n),
        nested("", "x", ".f", n),
        nested("", "x", "[0]", n),
        nested("a ==> ", "b", "", n),
        nested("if a then b else ", "c", "", n),
        nested("if ", "a", " then b else c", n),
        nested("1 + (", "1", ")", n),
    ];
    let statements = [
        nested("{ ", "", " }", n),
        nested("if a { ", "", " }", n),
        nested("while a { ", "", " }", n),
        nested("if a { } else ", "if b { }", "", n),
        nested("if a { } else { ", "", " }", n),
        nested("atomic { ", "", " }", n),
    ];
    let types = [
        nested("[3]", "int", "", n),
        nested("record { f: ", "int", " }", n),
        nested("[", "3]int", "]int", n),
    ];
    let in_main = |s: String| format!("proc main() {{ {s} }}");
    let expressions = expressions
        .into_iter()
        .map(|e| in_main(format!("x := {e};")));
    let statements = statements.into_iter().map(in_main);
    let types = types.into_iter().map(|t| format!("var x: {t};"));
    expressions.chain(statements).chain(types).collect()
}

#[test]
fn what_is_nested_too_deeply_is_said_once() {
    for text in nestings(MANY) {
        let said = complaints(&text);
        let deep: Vec<_> = said
            .iter()
            .filter(|d| d.message.starts_with("nested too deeply"))
            .collect();
        assert_eq!(deep.len(), 1, "{}: {said:?}", &text[..40]);
    }
}

#[test]
fn unclosed_nesting_ends_too() {
    for word in [
        "(",
        "[",
        "{",
        "x := (",
        "if a { ",
        "if a then ",
        "if ",
        "!",
        "[3]",
        "enum {",
        "1 + ",
        "a, ",
        "a.",
        "proc p(",
    ] {
        for around in ["", "proc main() { ", "proc main() { x := ", "var x: "] {
            assert!(
                !complaints(&format!("{around}{}", word.repeat(MANY))).is_empty(),
                "{around}{word}"
            );
        }
    }
}

#[test]
fn what_is_nested_less_deeply_is_fine() {
    for text in nestings(MAX_DEPTH / 2 - 2) {
        let said = complaints(&text);
        assert!(
            said.is_empty() || text.starts_with("var x: [[["),
            "{}: {said:?}",
            &text[..40]
        );
    }
}

#[test]
fn long_is_not_deep() {
    let one = "x := a[i] + 1; ";
    assert_eq!(in_main(&one.repeat(MANY)), []);
    assert_eq!(in_main(&format!("a := [{}];", "1, ".repeat(MANY))), []);
    assert_eq!(complaints(&"var x: int;".repeat(MANY)), []);
    assert_eq!(
        complaints(&format!("type T = enum {{ {} }};", "A, ".repeat(MANY))),
        []
    );
    assert_eq!(complaints(&"// a comment\n".repeat(MANY)), []);
    assert_eq!(complaints(&"\n".repeat(MANY)), []);
    assert_eq!(complaints(""), []);
}

#[test]
fn long_words_are_not_quoted_in_full() {
    let word = "w".repeat(1_000_000);
    assert!(!in_main(&format!("{word} {word} {word};")).is_empty());
    assert!(
        !in_main(&format!(
            "{word}++; {word} += {word}; call {word}; var {word};"
        ))
        .is_empty()
    );
    assert!(!in_main(&format!("assert \"{word}\\q\" {word};")).is_empty());
    let said = in_main(&format!("x := {};", "9".repeat(1_000_000)));
    assert!(
        said[0].message.contains("1000000 digits"),
        "{}",
        said[0].message
    );
}

#[test]
fn garbage_is_answered() {
    for piece in [
        "}", ")", "]", ";", "@", "@ ", "\"", "/*", "x ", "var ", "var x; ", "proc ", "proc p( ",
        "1 ", "= ", "é", "é ",
    ] {
        assert!(!complaints(&piece.repeat(MANY)).is_empty(), "{piece}");
        assert!(!in_main(&piece.repeat(MANY)).is_empty(), "{piece}");
    }
}

/// Each takes seconds at most; run with `--release --ignored` and a stopwatch.
#[test]
#[ignore = "20 MB each"]
fn twenty_megabytes() {
    for piece in [
        "(",
        "x := 1; ",
        "x\n",
        "x ",
        "var x: int;\n",
        "!",
        "@ ",
        "{",
        "}",
        "[3]",
        "proc p() { x = 1; }\n",
        "x = 1; ",
        "x := ; ",
    ] {
        for around in ["", "proc main() { ", "proc main() { x := ", "var x: "] {
            let text = format!("{around}{}", piece.repeat(20_000_000 / piece.len()));
            let clock = std::time::Instant::now();
            let said = complaints(&text).len();
            println!(
                "{around:20}{piece:?} x many: {:?}, {said} diagnostics",
                clock.elapsed()
            );
        }
    }
}
