//! The parser as a whole.

use super::parser::parse;

#[test]
fn every_form_parses() {
    let (ast, diagnostics) = parse(include_str!("everything.async"), 0);
    assert_eq!(diagnostics, []);
    assert_eq!(ast.items.len(), 24);
}
