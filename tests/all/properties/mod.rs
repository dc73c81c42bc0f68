//! What has to hold of every text: for the fuzzers, and for a bounded run in the ordinary tests.
#![allow(dead_code, reason = "each user takes what it needs")]

use dbverify::ast::parser;
use dbverify::ast::print::format;
use dbverify::ast::tree::Ast;
use dbverify::check::CheckOptions;
use dbverify::diagnostic::{Diagnostic, Severity};
use dbverify::ir::validate;
use dbverify::options::PreemptMode;
use dbverify::report::diagnostic;
use dbverify::source::{SourceMap, Span};

mod same;

use same::same_tree;

/// The parser answers with spans inside of the text; what parses is formatted without loss.
pub fn parse(text: &str) {
    let mut sources = SourceMap::new();
    // Another file first, so that offsets do not begin at 0.
    sources.add("other.async", "// nothing\n").expect("small");
    let start = sources.add("it.async", text).expect("small");
    let (ast, diagnostics) = parser::parse(text, start);
    for span in spans(&ast).chain(diagnostics.iter().flat_map(places)) {
        assert!(start <= span.start && span.start <= span.end, "{span:?}");
        let range = (span.start - start) as usize..(span.end - start) as usize;
        assert!(text.get(range).is_some(), "{span:?} in {text:?}");
    }
    assert!(diagnostics.len() <= 51);
    assert_eq!(
        diagnostics.is_empty(),
        diagnostic::text(&sources, &diagnostics, true).is_empty()
    );
    assert_eq!(
        diagnostic::json(&sources, &diagnostics)
            .as_array()
            .map(Vec::len),
        Some(diagnostics.len())
    );
    if diagnostics.is_empty() {
        formatted(&ast, text, start);
    }
}

/// Formatting a text that begins at an offset keeps its tree and its comments, and formatting again changes nothing.
pub fn formatted(ast: &Ast, text: &str, start: u32) -> String {
    let out = format(text, start).expect("it parses");
    let (again, diagnostics) = parser::parse(&out, 0);
    assert_eq!(diagnostics, [], "{text}\n--- became\n{out}");
    assert!(
        same_tree(ast, &again),
        "another tree:\n{text}\n--- became\n{out}"
    );
    assert_eq!(
        comments(ast, text, start),
        comments(&again, &out, 0),
        "{text}\n--- became\n{out}"
    );
    let twice = format(&out, 0).expect("it parses");
    assert!(
        out == twice,
        "changed again:\n{text}\n--- became\n{out}\n--- and then\n{twice}"
    );
    out
}

/// The comments of a text, without the space around their lines.
fn comments(ast: &Ast, text: &str, start: u32) -> Vec<String> {
    let tidy = |c: &str| c.lines().map(str::trim_end).collect::<Vec<_>>().join("\n");
    ast.comments
        .iter()
        .map(|c| tidy(&text[(c.start - start) as usize..(c.end - start) as usize]))
        .collect()
}

/// Where the tree's nodes stand.
fn spans(ast: &Ast) -> impl Iterator<Item = Span> {
    let items = ast.items.iter().map(|i| i.span);
    let exprs = ast.exprs.iter().map(|e| e.span);
    let stmts = ast.stmts.iter().map(|s| s.span);
    let types = ast.types.iter().map(|t| t.span);
    let names = ast.name_pool.iter().map(|n| n.span);
    let fields = ast.field_pool.iter().map(|f| f.name.span);
    let inits = ast.init_pool.iter().map(|i| i.name.span);
    let comments = ast.comments.iter().copied();
    items
        .chain(exprs)
        .chain(stmts)
        .chain(types)
        .chain(names)
        .chain(fields)
        .chain(inits)
        .chain(comments)
}

/// The places that a diagnostic speaks of.
fn places(diagnostic: &Diagnostic) -> impl Iterator<Item = Span> {
    diagnostic
        .span
        .into_iter()
        .chain(diagnostic.related.iter().map(|r| r.0))
}

/// Checking a text gives a valid program or a reason why not, in every mode.
pub fn check(text: &str) {
    for preempt in [
        None,
        Some(PreemptMode::Statement),
        Some(PreemptMode::Access),
    ] {
        let compiled = dbverify::compile("it.async", text, &CheckOptions { preempt });
        let failed = compiled
            .diagnostics
            .iter()
            .any(|d| d.severity == Severity::Error);
        assert_eq!(compiled.program.is_none(), failed, "{text}");
        for span in compiled.diagnostics.iter().flat_map(places) {
            assert!(compiled.sources.locate(span).is_some(), "{span:?}");
        }
        assert_eq!(
            failed,
            diagnostic::text(&compiled.sources, &compiled.diagnostics, false).contains("error[")
        );
        if let Some(program) = compiled.program {
            assert_eq!(validate(&program), Ok(()), "{text}");
        }
    }
}

/// The C front end answers with spans inside of the text, and with a typed tree if and only if nothing is wrong.
pub fn c(text: &str) {
    use dbverify::c::check;
    use dbverify::c::origin::Origin;
    use dbverify::c::types::DataModel;
    let mut sources = SourceMap::new();
    sources.add("other.i", "int other;\n").expect("small");
    let start = sources.add("it.i", text).expect("small");
    for model in [DataModel::Lp64, DataModel::Ilp32] {
        let checked = check(text, Origin::Itself(start), model);
        assert_eq!(checked.unit.is_none(), !checked.diagnostics.is_empty());
        assert!(checked.diagnostics.len() <= 51);
        let exprs = checked
            .unit
            .iter()
            .flat_map(|u| u.exprs.iter().map(|e| e.span));
        let places = checked.diagnostics.iter().flat_map(places);
        for span in exprs.chain(places) {
            assert!(start <= span.start && span.start <= span.end, "{span:?}");
            let range = (span.start - start) as usize..(span.end - start) as usize;
            assert!(text.get(range).is_some(), "{span:?} in {text:?}");
        }
        let shown = diagnostic::text(&sources, &checked.diagnostics, false);
        assert_eq!(checked.diagnostics.is_empty(), shown.is_empty());
    }
}
