//! The tokens that the grammar expected, in words that people use.

use super::site::Site;
use crate::token::Tok;

/// "an expression", "`;` or `,`", …
#[must_use]
pub fn describe(site: &Site<'_>) -> String {
    let mut words: Vec<String> = kinds(site).iter().map(|&k| k.to_owned()).collect();
    words.extend(
        site.expected()
            .filter(|e| says_more(site, e))
            .map(|e| format!("`{e}`")),
    );
    match words.as_slice() {
        [] => "something else".to_owned(),
        [one] => one.clone(),
        [one, two] => format!("{one} or {two}"),
        [first @ .., last] if words.len() <= 5 => format!("{} or {last}", first.join(", ")),
        [first, ..] => format!("{first} or something that can stand here"),
    }
}

/// The names of the classes of tokens that would fit.
fn kinds(site: &Site<'_>) -> Vec<&'static str> {
    let mut kinds = Vec::new();
    if site.wants("use") {
        kinds.push("a declaration (`var`, `proc`, …)");
    } else if site.wants_statement() {
        kinds.push("a statement");
    } else if site.wants("independent") && site.wants("proc") {
        kinds.push("a member (`var`, `op`, `proc`, …)");
    } else if site.wants("enum") {
        kinds.push("a type");
    } else if site.wants_expression() {
        kinds.push("an expression");
    } else if site.wants("a name") {
        kinds.push("a name");
    }
    if site.wants("a string") {
        kinds.push("a string");
    }
    if site.wants("==>") && !ends(site) {
        kinds.push("an operator");
    }
    kinds
}

/// Whether something that ends an expression would fit.
fn ends(site: &Site<'_>) -> bool {
    [";", ")", "]", "{", ",", "}", "then", "else", ".."]
        .iter()
        .any(|e| site.wants(e))
}

/// Whether a token is worth naming beside its class.
fn says_more(site: &Site<'_>, token: &str) -> bool {
    match token {
        "}" => true,
        // These are part of a class, or fit nearly everywhere.
        "(" => !site.wants_expression() && !site.wants("==>"),
        "[" => !site.wants_expression() && !site.wants("==>") && !site.wants("enum"),
        "{" => !site.wants_statement(),
        ";" => !site.wants_statement() && !site.wants("use") && !site.wants("independent"),
        "." | "==" => false,
        ":=" => !set_with_equals(site),
        "=" => set_with_equals(site),
        ")" | "]" | "," | ":" | ".." | "in" | "then" | "_" => true,
        "else" => !site.wants_statement(),
        "when" | "enqueue" | "spurious" => !site.wants("a name"),
        "statement" | "access" | "yield" => site.wants("statement") && !site.wants("a name"),
        _ => false,
    }
}

/// Whether the declaration is one with `=`; the other sign is accepted only to be reported.
fn set_with_equals(site: &Site<'_>) -> bool {
    matches!(site.tok(site.start), Some(Tok::Let | Tok::Type))
}
