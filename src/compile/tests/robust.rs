//! Programs larger than people write them: answered in time, within the stack, and with bounds.

use super::said;
use crate::compile;
use check::CheckOptions;

#[test]
fn long_chains_of_declarations() {
    let chain = |n: usize, item: &dyn Fn(usize) -> String| (0..n).map(item).collect::<String>();
    let forward = chain(20_000, &|i| format!("const c{} := c{i} + 1;\n", i + 1));
    let text = format!("const c0 := 0;\n{forward}proc main() {{ assert c20000 == 20000; }}");
    assert_eq!(said(&text), "");
    let backward = chain(20_000, &|i| format!("const c{i} := c{} + 1;\n", i + 1));
    assert!(said(&format!("{backward}const c20000 := 0; proc main() {{}}")).contains("too-deep"));
    let types = chain(20_000, &|i| format!("type t{i} = [2]t{};\n", i + 1));
    assert!(said(&format!("{types}type t20000 = int; proc main() {{}}")).contains("too-deep"));
    let wide = chain(100, &|i| {
        format!("type t{} = record {{ a: t{i}, b: t{i} }};\n", i + 1)
    });
    assert!(
        said(&format!(
            "type t0 = int; {wide} var x: t100; proc main() {{}}"
        ))
        .contains("type-size")
    );
}

#[test]
fn many_versions_and_many_objects_are_refused() {
    let params = |n: usize| {
        (0..n)
            .map(|i| format!("a{i}: O"))
            .collect::<Vec<_>>()
            .join(", ")
    };
    let names = |n: usize| (0..n).map(|i| format!("a{i}")).collect::<Vec<_>>();
    let (mut turned, mut swapped) = (names(9), names(9));
    turned.rotate_left(1);
    swapped.swap(0, 1);
    let objects = (0..9).map(|i| format!("var o{i}: O;")).collect::<String>();
    let call = (0..9)
        .map(|i| format!("o{i}"))
        .collect::<Vec<_>>()
        .join(", ");
    let text = format!(
        "object O {{ op f() {{ skip; }} }} {objects}
         proc p({}) {{ call p({}); call p({}); }} proc main() {{ call p({call}); }}",
        params(9),
        turned.join(", "),
        swapped.join(", ")
    );
    assert!(said(&text).contains("too-many-versions"));
    let nested = (0..40)
        .map(|i| format!("object O{} {{ var a, b: O{i}; }}\n", i + 1))
        .collect::<String>();
    assert!(
        said(&format!(
            "object O0 {{ var x: int; }} {nested} var o: O40; proc main() {{}}"
        ))
        .contains("too-many-objects")
    );
}

#[test]
fn many_errors_are_counted() {
    let text: String = (0..3000).map(|i| format!("x{i} := y{i};\n")).collect();
    let compiled = compile(
        "t",
        &format!("proc main() {{ {text} }}"),
        &CheckOptions::default(),
    );
    assert!(compiled.diagnostics.len() <= 1001);
    assert!(said(&format!("proc main() {{ {text} }}")).contains("further errors are not shown"));
}

#[test]
fn deep_nesting_is_checked_within_the_stack() {
    for (open, close) in [
        ("(", ")"),
        ("!(", ")"),
        ("true && (", ")"),
        ("if * then true else (", ")"),
    ] {
        let deep = format!("{}true{}", open.repeat(2000), close.repeat(2000));
        let text = format!("proc main() {{ var b: bool; b := {deep}; }}");
        for preempt in [None, Some(options::PreemptMode::Access)] {
            assert!(
                compile("t", &text, &CheckOptions { preempt })
                    .program
                    .is_some(),
                "{open}"
            );
        }
    }
    let blocks = format!(
        "proc main() {{ {}{} }}",
        "if * { ".repeat(2000),
        "}".repeat(2000)
    );
    assert!(
        compile("t", &blocks, &CheckOptions::default())
            .program
            .is_some()
    );
}

/// Words of the language and of programs, to be put where they do not belong.
const WORDS: &str = "self task int u8 i64 bool 0..3 { } ( ) [ ] ; , := = == .. . + - * / % ! ~ && || ==> <==> < & << if \
    else while for in true false 0 1 255 -1 300 x m main yield sleep await atomic join self post call return break let var \
    when enqueue spurious op proc object record enum type const havoc assume assert skip then _ a b n Mutex lock";

/// A program with a few words left out, doubled, moved or replaced.
fn mutated(random: &mut fastrand::Rng, text: &str, other: &str) -> String {
    fn words(text: &str) -> Vec<&str> {
        let is_name = |c: char| c.is_alphanumeric() || c == '_';
        let breaks = text.char_indices().zip(text.chars().skip(1));
        let cuts = breaks.filter(|((_, a), b)| is_name(*a) != is_name(*b) || a.is_whitespace());
        let mut ends: Vec<usize> = cuts.map(|((i, a), _)| i + a.len_utf8()).collect();
        ends.push(text.len());
        let starts = std::iter::once(0).chain(ends.iter().copied());
        starts.zip(&ends).map(|(a, &b)| &text[a..b]).collect()
    }
    let mut words_here = words(text);
    let (foreign, known) = (words(other), WORDS.split_whitespace().collect::<Vec<_>>());
    for _ in 0..random.usize(1..6) {
        let at = random.usize(0..words_here.len());
        match random.u8(0..6) {
            0 => _ = words_here.remove(at),
            1 => words_here.insert(at, known[random.usize(0..known.len())]),
            2 => words_here[at] = known[random.usize(0..known.len())],
            3 => words_here[at] = words_here[random.usize(0..words_here.len())],
            4 => {
                let to = random.usize(0..words_here.len());
                words_here.swap(at, to);
            }
            _ => words_here[at] = foreign[random.usize(0..foreign.len())],
        }
        if words_here.is_empty() {
            return String::new();
        }
    }
    words_here.concat()
}

/// No text makes the checker panic, and every program that it makes is valid (which it checks itself in tests).
fn survives(seed: u64, rounds: usize) {
    let mut random = fastrand::Rng::with_seed(seed);
    let folder =
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/async-programs");
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|f| f.unwrap().path())
        .collect();
    files.sort();
    let mut texts: Vec<String> = files
        .iter()
        .filter_map(|f| std::fs::read_to_string(f).ok())
        .collect();
    let libraries = check::LIBRARIES.map(|library| library.text);
    texts.push(libraries.concat() + "proc main() {}");
    texts.push(include_str!("../../ast/tests/everything.async").to_owned());
    for _ in 0..rounds {
        let (text, other) = (random.usize(0..texts.len()), random.usize(0..texts.len()));
        let text = mutated(&mut random, &texts[text], &texts[other]);
        let modes = [
            None,
            Some(options::PreemptMode::Statement),
            Some(options::PreemptMode::Access),
        ];
        let preempt = modes[random.usize(0..modes.len())];
        let result = std::panic::catch_unwind(|| compile("t", &text, &CheckOptions { preempt }));
        assert!(
            result.is_ok(),
            "this text breaks the checker in {preempt:?}:\n{text}"
        );
    }
}

#[test]
fn no_text_breaks_the_checker() {
    survives(7, 1_500);
}

#[test]
#[ignore = "the same for some minutes, on demand"]
fn no_text_breaks_the_checker_for_long() {
    for seed in 0..100 {
        survives(1_000 + seed, 2_000);
    }
}
