//! Sizes that nobody would write by hand: answered in time, within the stack, and with bounds.

use super::said;
use crate::check::CheckOptions;
use crate::compile;

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
        for preempt in [None, Some(crate::ir::PreemptMode::Access)] {
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
