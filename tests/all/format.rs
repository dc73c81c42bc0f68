//! The standard format: how it looks, and that it loses nothing.

use dbverify::ast::parser::parse;
use dbverify::ast::print::format;
use dbverify::stack::on_big_stack;
use fastrand::Rng;

/// Formats a program; the output says the same, and stays as it is when formatted again.
fn formatted(text: &str) -> String {
    let (ast, diagnostics) = parse(text, 0);
    assert_eq!(diagnostics, [], "{text}");
    crate::properties::formatted(&ast, text, 0)
}

#[test]
fn every_form() {
    insta::assert_snapshot!(formatted(include_str!(
        "../../src/ast/tests/everything.async"
    )));
}

#[test]
fn comments_stay_in_their_place() {
    insta::assert_snapshot!(formatted(include_str!("../format/comments.async")));
}

#[test]
fn long_lines_are_broken() {
    insta::assert_snapshot!(formatted(include_str!("../format/long.async")));
}

#[test]
fn examples_are_in_standard_format() {
    for directory in ["examples/async-programs", "std"] {
        let mut files: Vec<_> = std::fs::read_dir(directory)
            .unwrap()
            .map(|f| f.unwrap().path())
            .collect();
        files.sort();
        for file in files
            .iter()
            .filter(|f| f.extension().is_some_and(|e| e == "async"))
        {
            let text = std::fs::read_to_string(file).unwrap();
            let out = formatted(&text);
            assert!(
                out == text,
                "{} is not in standard format:\n{out}",
                file.display()
            );
        }
    }
}

#[test]
fn files_without_anything() {
    assert_eq!(formatted(""), "");
    assert_eq!(formatted("\n\n\n"), "");
    assert_eq!(formatted("\n\n// a comment\n\n\n"), "// a comment\n");
    assert_eq!(formatted("/* one */ /* two */"), "/* one */ /* two */\n");
    assert_eq!(
        formatted("var x: int;\r\n\r\n// c\r\n"),
        "var x: int;\n\n// c\n"
    );
}

#[test]
fn what_does_not_parse_is_not_formatted() {
    assert_eq!(format("var x int;", 0).unwrap_err().len(), 1);
}

#[test]
fn random_programs_keep_their_tree_and_their_comments() {
    // More of them on demand: `PROGRAMS=1000000 cargo test --release --test all format::random`
    let programs = std::env::var("PROGRAMS").map_or(3000, |n| n.parse().expect("a number"));
    for seed in 0..programs {
        let mut rng = Rng::with_seed(seed);
        let fuel = rng.usize(5..120);
        let tokens = crate::programs::program(&mut rng, fuel);
        formatted(&crate::programs::scatter(&mut rng, &tokens));
    }
}

#[test]
fn deep_programs_are_formatted() {
    on_big_stack(|| {
        for (open, middle, close) in [
            ("(", "1", ")"),
            ("!", "x", ""),
            ("f[", "0", "]"),
            ("[", "1", "]"),
            ("", "x", " + 1"),
        ] {
            let expr = [&open.repeat(2000), middle, &close.repeat(2000)].concat();
            formatted(&format!("proc main() {{ x := {expr}; }}"));
        }
        let blocks = ["if a { ".repeat(1000), "}".repeat(1000)].concat();
        formatted(&format!("proc main() {{ {blocks} }}"));
    });
}
