//! The standard format: what it looks like, and that it loses nothing.

mod programs;

use dbverify::ast::parser::parse;
use dbverify::ast::print::format;
use dbverify::ast::same::same_tree;
use dbverify::ast::tree::Ast;
use dbverify::stack::on_big_stack;
use fastrand::Rng;

/// The comments of a text, without the space around their lines.
fn comments(ast: &Ast, text: &str) -> Vec<String> {
    let tidy = |c: &str| c.lines().map(str::trim_end).collect::<Vec<_>>().join("\n");
    ast.comments
        .iter()
        .map(|c| tidy(&text[c.start as usize..c.end as usize]))
        .collect()
}

/// Formats a program; the output has the same tree and comments, and stays as it is when formatted again.
fn formatted(text: &str) -> String {
    let (ast, diagnostics) = parse(text, 0);
    assert_eq!(diagnostics, [], "{text}");
    let out = format(text, 0).expect("parsed before");
    let (again, diagnostics) = parse(&out, 0);
    assert_eq!(diagnostics, [], "{text}\n--- became\n{out}");
    assert!(
        same_tree(&ast, &again),
        "another tree:\n{text}\n--- became\n{out}"
    );
    assert_eq!(
        comments(&ast, text),
        comments(&again, &out),
        "{text}\n--- became\n{out}"
    );
    let twice = format(&out, 0).expect("parsed before");
    assert!(
        out == twice,
        "changed again:\n{text}\n--- became\n{out}\n--- and then\n{twice}"
    );
    out
}

#[test]
fn every_form() {
    insta::assert_snapshot!(formatted(include_str!("../src/ast/tests/everything.async")));
}

#[test]
fn comments_stay_in_their_place() {
    insta::assert_snapshot!(formatted(include_str!("format/comments.async")));
}

#[test]
fn long_lines_are_broken() {
    insta::assert_snapshot!(formatted(include_str!("format/long.async")));
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
    // More of them on demand: `PROGRAMS=1000000 cargo test --release --test format random`
    let programs = std::env::var("PROGRAMS").map_or(3000, |n| n.parse().expect("a number"));
    for seed in 0..programs {
        let mut rng = Rng::with_seed(seed);
        let fuel = rng.usize(5..120);
        let tokens = programs::program(&mut rng, fuel);
        formatted(&programs::scatter(&mut rng, &tokens));
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
