//! The properties of the fuzzers, for a few seconds and with fixed seeds: on programs with something changed, and on
//! tokens in any order.
//!
//! Longer on demand: `TEXTS=100000 cargo test --release --test all random_texts::`.

use std::sync::LazyLock;

use dbverify::stack::on_big_stack;
use fastrand::Rng;

/// How many texts each test tries.
fn texts(ordinary: u64) -> u64 {
    std::env::var("TEXTS").map_or(ordinary, |n| n.parse().expect("a number"))
}

/// Programs that people would write.
static EXAMPLES: LazyLock<Vec<String>> = LazyLock::new(|| {
    let mut files: Vec<_> = ["examples/async-programs", "std", "src/ast/tests"]
        .iter()
        .flat_map(|directory| std::fs::read_dir(directory).expect("in the repository"))
        .map(|file| file.expect("in the repository").path())
        .filter(|path| path.extension().is_some_and(|e| e == "async"))
        .collect();
    files.sort();
    files
        .iter()
        .map(|path| std::fs::read_to_string(path).expect("a text"))
        .collect()
});

/// Words and signs, right and wrong ones.
const SOUP: &[&str] = &[
    "var",
    "proc",
    "object",
    "type",
    "const",
    "use",
    "finally",
    "preempt",
    "op",
    "when",
    "enqueue",
    "spurious",
    "independent",
    "exclusive",
    "if",
    "else",
    "then",
    "while",
    "for",
    "in",
    "await",
    "atomic",
    "call",
    "post",
    "join",
    "assert",
    "assume",
    "havoc",
    "skip",
    "yield",
    "sleep",
    "break",
    "continue",
    "return",
    "let",
    "int",
    "bool",
    "task",
    "u8",
    "enum",
    "record",
    "true",
    "false",
    "x",
    "y",
    "main",
    "T",
    "O",
    "sync",
    "0",
    "1",
    "0xff",
    "12ab",
    "\"text\"",
    "\"open",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    ",",
    ";",
    ":",
    ":=",
    "=",
    ".",
    "..",
    "+",
    "-",
    "*",
    "/",
    "%",
    "!",
    "~",
    "<",
    "<=",
    ">",
    ">=",
    "==",
    "!=",
    "&&",
    "||",
    "==>",
    "<==>",
    "&",
    "|",
    "^",
    "<<",
    ">>",
    "++",
    "+=",
    "->",
    "=>",
    "_",
    "// line\n",
    "/* block */",
    "/*",
    "@",
    "∧",
    "“",
    "é",
    "\u{a0}",
    "\0",
    "\r\n",
    "\n\n",
    "elif",
    "do",
    "and",
    "proc main() {",
    "x := 1;",
    "}\n",
    "var x: int;\n",
    "object O {",
    "op f() {",
    "if x {",
    "} else {",
    "call p(1);",
];

/// Tokens in any order.
fn soup(rng: &mut Rng) -> String {
    let words: Vec<&str> = (0..rng.usize(0..60))
        .map(|_| SOUP[rng.usize(0..SOUP.len())])
        .collect();
    words.join(if rng.bool() { " " } else { "\n" })
}

/// The nearest boundary of a character at or before an offset.
fn floor(text: &str, offset: usize) -> usize {
    (0..=offset.min(text.len()))
        .rev()
        .find(|&o| text.is_char_boundary(o))
        .unwrap_or(0)
}

/// A text with a few pieces removed, doubled, moved or replaced.
fn changed(rng: &mut Rng, text: &str) -> String {
    let mut text = text.to_owned();
    for _ in 0..rng.usize(1..5) {
        let from = floor(&text, rng.usize(0..=text.len()));
        let most = 1 << rng.usize(0..8);
        let to = floor(&text, from + rng.usize(0..most));
        let (from, to) = (from.min(to), to.max(from));
        let piece = text[from..to].to_owned();
        match rng.usize(0..4) {
            0 => text.replace_range(from..to, ""),
            1 => text.insert_str(from, &piece),
            2 => text.insert_str(from, SOUP[rng.usize(0..SOUP.len())]),
            _ => {
                text.replace_range(from..to, "");
                let elsewhere = floor(&text, rng.usize(0..=text.len()));
                text.insert_str(elsewhere, &piece);
            }
        }
    }
    text
}

/// An example with something changed.
fn changed_example(rng: &mut Rng) -> String {
    let example = &EXAMPLES[rng.usize(0..EXAMPLES.len())];
    changed(rng, example)
}

/// A random program with something changed.
fn changed_program(rng: &mut Rng) -> String {
    let tokens = crate::programs::program(rng, 60);
    let text = crate::programs::scatter(rng, &tokens);
    changed(rng, &text)
}

#[test]
fn every_text_is_parsed() {
    for seed in 0..texts(4000) {
        let mut rng = Rng::with_seed(seed);
        for text in [
            soup(&mut rng),
            changed_example(&mut rng),
            changed_program(&mut rng),
        ] {
            crate::properties::parse(&text);
        }
    }
}

#[test]
fn every_text_is_checked() {
    on_big_stack(|| {
        for seed in 0..texts(300) {
            let mut rng = Rng::with_seed(seed);
            for text in [
                soup(&mut rng),
                changed_example(&mut rng),
                changed_program(&mut rng),
            ] {
                crate::properties::check(&text);
            }
        }
    });
}
