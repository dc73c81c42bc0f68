//! No input breaks the C front end: depth, length, garbage.

use dbverify::ast::MAX_DEPTH;
use dbverify::c::origin::Origin;
use dbverify::c::types::DataModel;
use dbverify::c::{Checked, check, decode};
use dbverify::diagnostic::Diagnostic;

const MANY: usize = 100_000;

fn read(text: &str) -> Checked {
    check(text, Origin::Itself(0), DataModel::Lp64)
}

fn complaints(text: &str) -> Vec<Diagnostic> {
    let checked = read(text);
    assert_eq!(checked.unit.is_none(), !checked.diagnostics.is_empty());
    assert!(checked.diagnostics.len() <= 51);
    for said in &checked.diagnostics {
        assert!(said.message.len() < 1_000, "{}", said.message);
    }
    checked.diagnostics
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
        nested("- ", "x", "", n),
        nested("*&", "x", "", n),
        nested("(int)", "x", "", n),
        nested("sizeof ", "x", "", n),
        nested("a[", "0", "]", n),
        nested("f(", "0", ")", n),
        nested("", "x", " + 1", n),
        nested("", "x", ", 1", n),
        nested("x = ", "1", "", n),
        nested("x ? 1 : ", "1", "", n),
        nested("x ? ", "1", " : 1", n),
        nested("({ ", "1;", " })", n),
        nested("sizeof(int[", "1", "])", n),
        nested("(int[1]){", "1", "}", n),
    ];
    let statements = [
        nested("{ ", "", " }", n),
        nested("if (x) { ", "", " }", n),
        nested("while (x) ", ";", "", n),
        nested("if (x) ; else ", ";", "", n),
        nested("do ", ";", " while (x);", n),
        nested("switch (x) ", ";", "", n),
    ];
    let declarations = [
        format!("int {};", nested("(", "y", ")", n)),
        format!("int {}p;", "*".repeat(n)),
        format!("int a{};", "[1]".repeat(n)),
        format!("int f{};", "(int (*)".repeat(n) + &")".repeat(n)),
        nested("struct { ", "int x;", "} s;", n),
        format!("int z = {};", nested("{", "1", "}", n)),
        format!("int t[1] = {};", nested("{", "1", "}", n)),
        format!("{} x;", nested("__typeof__(", "int", ")", n)),
        format!("{} w;", nested("_Atomic(", "int", ")", n)),
    ];
    let in_main = |s: String| format!("int f(int); int main(void) {{ int x, a[3]; {s} }}");
    let expressions = expressions.into_iter().map(|e| in_main(format!("{e};")));
    let statements = statements.into_iter().map(in_main);
    expressions.chain(statements).chain(declarations).collect()
}

#[test]
fn what_is_nested_too_deeply_is_said_once() {
    for text in nestings(MANY) {
        let said = complaints(&text);
        let deep = said.iter().filter(|d| d.message.contains("deep"));
        assert_eq!(deep.count(), 1, "{}: {said:?}", &text[..80]);
    }
}

#[test]
fn what_is_nested_less_deeply_is_fine() {
    for text in nestings(MAX_DEPTH / 8) {
        let deep = complaints(&text)
            .into_iter()
            .find(|d| d.message.contains("deep"));
        assert_eq!(deep, None, "{}", &text[..80]);
    }
}

#[test]
fn types_that_grow_through_their_names_end_too() {
    let grow = |first: &str, next: fn(usize) -> String| {
        let lines: String = (1..MANY).map(next).collect();
        format!("{first}\n{lines}")
    };
    for text in [
        grow("typedef int T0;", |i| {
            format!("typedef T{} *T{i};\n", i - 1)
        }),
        grow("typedef int T0;", |i| {
            format!("typedef T{} T{i}[1];\n", i - 1)
        }),
        grow("typedef int T0;", |i| {
            format!("typedef T{} T{i}[2];\n", i - 1)
        }),
        grow("struct S0 { int x; };", |i| {
            format!("struct S{i} {{ struct S{} x; }};\n", i - 1)
        }),
        grow("typedef int T0(void);", |i| {
            format!("typedef void T{i}(T{} *);\n", i - 1)
        }),
    ] {
        assert!(!complaints(&text).is_empty(), "{}", &text[..60]);
    }
}

#[test]
fn unclosed_nesting_ends_too() {
    for word in [
        "(",
        "[",
        "{",
        "x = (",
        "if (x) { ",
        "if (",
        "!",
        "struct {",
        "enum {",
        "1 + ",
        "a, ",
        "a.",
        "int f(",
        "case 1: ",
        "x ? ",
        "({",
        "\"",
        "'",
        "/*",
        "#",
        "sizeof(",
        "_Generic(",
        "__attribute__((",
        "asm(",
        "for (",
        "do ",
        "switch (",
        "*",
        "__typeof__(",
        ".x = ",
        "[0] = ",
    ] {
        for around in [
            "",
            "int main(void) { ",
            "int main(void) { x = ",
            "int x = ",
            "int x = { ",
        ] {
            complaints(&format!("{around}{}", word.repeat(MANY)));
        }
    }
}

#[test]
fn long_is_not_deep() {
    let one = "x = a[i] + 1; ";
    let main = |s: &str| format!("int x, i, a[3]; int main(void) {{ {s} }}");
    assert_eq!(complaints(&main(&one.repeat(MANY))), []);
    assert_eq!(
        complaints(&format!("int a[] = {{ {} }};", "1, ".repeat(MANY))),
        []
    );
    assert_eq!(complaints(&"int x;".repeat(MANY)), []);
    assert_eq!(complaints(&"// a comment\n".repeat(MANY)), []);
    assert_eq!(complaints(&"\n".repeat(MANY)), []);
    assert_eq!(complaints(&"# 1 \"a\"\n".repeat(MANY)), []);
    assert_eq!(complaints(""), []);
    let cases: String = (0..MANY).map(|i| format!("case {i}: ")).collect();
    assert_eq!(
        complaints(&main(&format!("switch (x) {{ {cases} ; }}"))),
        []
    );
    let labels: String = (0..MANY).map(|i| format!("l{i}: ")).collect();
    assert_eq!(complaints(&main(&format!("{labels} ;"))), []);
    let strings = "\"ab\" ".repeat(MANY);
    assert_eq!(complaints(&format!("char s[] = {strings};")), []);
    let designators: String = (0..MANY).map(|i| format!("[{i}].x = {i}, ")).collect();
    let array = format!("struct p {{ int x, y; }} a[] = {{ {designators} }};");
    assert_eq!(complaints(&array), []);
}

#[test]
fn long_words_are_not_quoted_in_full() {
    let word = "w".repeat(1_000_000);
    assert!(!complaints(&format!("{word} {word} {word};")).is_empty());
    assert!(!complaints(&format!("int main(void) {{ {word}++; }}")).is_empty());
    assert!(!complaints(&format!("int x = {};", "9".repeat(1_000_000))).is_empty());
    assert!(!complaints(&format!("int x = 1.{};", "e".repeat(1_000_000))).is_empty());
}

#[test]
fn garbage_is_answered() {
    for piece in [
        "}", ")", "]", "@", "@ ", "\"", "/*", "x ", "int ", "int x ", "struct ", "f( ", "1 ", "= ",
        "é ", "\\", "'", "typedef ", "case ", "long ", "... ", "# x\n",
    ] {
        let many = piece.repeat(MANY);
        assert!(!complaints(&many).is_empty(), "{piece}");
        assert!(
            !complaints(&format!("int main(void) {{ {many} }}")).is_empty(),
            "{piece}"
        );
    }
}

#[test]
fn any_bytes_are_text() {
    let text = decode(b"int x; /* \xe4 */ char s[] = \"\xff\";".to_vec());
    assert_eq!(complaints(&text), []);
    assert!(!complaints(&decode(b"int \xff;".to_vec())).is_empty());
    assert!(!complaints("int \0 x;").is_empty());
    assert_eq!(complaints(&decode(b"\xef\xbb\xbfint x;".to_vec())), []);
}

#[test]
fn sizes_are_computed_without_overflow() {
    for text in [
        "int a[0x7fffffffffffffff];",
        "int a[1 << 20][1 << 20][1 << 20];",
        "struct s { int a[1ul << 44]; int b[1ul << 44]; struct { int c[1ul << 44]; } d; };",
        "int a[-9223372036854775807 - 1];",
        "int x[1 / 0];",
        "enum { A = 1 << 200 };",
        "struct s { int b : 99999999999; };",
        "int a[] = { [0xffffffffffffffff] = 1 };",
        "int x = -(-9223372036854775807LL - 1) % -1;",
        "_Static_assert((-9223372036854775807LL - 1) / -1, \"\");",
        "__int128 x = (__int128)1 << 127; unsigned __int128 y = ~(unsigned __int128)0 * 3;",
        "char a __attribute__((aligned(0x8000000000000000)));",
    ] {
        complaints(text);
    }
}

/// Each takes seconds at most; run with `--release --ignored` and a stopwatch.
#[test]
#[ignore = "20 MB each"]
fn twenty_megabytes() {
    for piece in [
        "(",
        "x = 1; ",
        "x\n",
        "x ",
        "int x;\n",
        "!",
        "@ ",
        "{",
        "}",
        "[3]",
        "int f() { x = 1; }\n",
    ] {
        for around in [
            "",
            "int main(void) { ",
            "int x; int main(void) { x = ",
            "int x ",
        ] {
            let text = format!("{around}{}", piece.repeat(20_000_000 / piece.len()));
            let clock = std::time::Instant::now();
            let said = complaints(&text).len();
            println!("{around:30}{piece:?} x many: {:?}, {said}", clock.elapsed());
        }
    }
}
