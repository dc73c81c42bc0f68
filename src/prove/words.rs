//! The invariant in the program's words: infix, with its names.

use solver::z3::DeclKind;
use solver::z3::ast::{Ast, AstKind, Bool, Dynamic};

use super::certificate::Invariant;
use super::hull::Hulls;
use super::system::System;

/// Longer formulas are not shown.
const LONGEST: usize = 400;

/// The lines that tell an invariant: the equations first, then the rest.
#[must_use]
pub fn invariant(system: &System, hulls: &Hulls, invariant: &Invariant) -> Vec<String> {
    let (mut lines, mut always) = (Vec::new(), Vec::new());
    for (number, predicate) in system.predicates.iter().enumerate() {
        let about = &predicate.name;
        let args: Vec<Dynamic> = predicate.args.iter().map(|a| a.constant.clone()).collect();
        let equations = hulls.holds(number, &args);
        let plain = equations.iter().chain(&predicate.shapes);
        let mut parts: Vec<String> = plain.map(formula).collect();
        if let Some(found) = invariant.found.get(number) {
            let mut conjuncts = Vec::new();
            split(&Dynamic::from_ast(found), &mut conjuncts);
            parts.extend(conjuncts.iter().map(|c| text(c, 0)));
        }
        parts.retain(|p| p != "true" && !always.contains(p));
        if number == 0 {
            always.clone_from(&parts);
        }
        lines.extend(parts.into_iter().map(|p| format!("{about}: {}", cut(p))));
    }
    lines
}

fn cut(text: String) -> String {
    if text.chars().count() <= LONGEST {
        return text;
    }
    let head: String = text.chars().take(LONGEST).collect();
    format!("{head}…")
}

/// A formula in words.
#[must_use]
pub fn formula(formula: &Bool) -> String {
    text(&Dynamic::from_ast(formula), 0)
}

/// The conjuncts of a formula.
fn split(term: &Dynamic, out: &mut Vec<Dynamic>) {
    if kind(term) == Some(DeclKind::And) {
        for child in term.children() {
            split(&child, out);
        }
    } else {
        out.push(term.clone());
    }
}

fn kind(term: &Dynamic) -> Option<DeclKind> {
    (term.kind() == AstKind::App).then(|| term.decl().kind())
}

/// A term; in brackets where it binds less than its place.
fn text(term: &Dynamic, place: u8) -> String {
    let Some(kind) = kind(term) else {
        return term.to_string();
    };
    if is_number(term) {
        return plain(term);
    }
    let all = term.children();
    let (binds, made) = match (kind, &all[..]) {
        (DeclKind::And, _) => (2, infix(&all, " && ", 2)),
        (DeclKind::Or, _) => (1, infix(&all, " || ", 1)),
        (DeclKind::Implies, [a, b]) => (0, format!("{} ==> {}", text(a, 1), text(b, 0))),
        (DeclKind::Not, [a]) => match negated(a) {
            Some(made) => (3, made),
            None => (9, format!("!{}", text(a, 9))),
        },
        (DeclKind::Eq | DeclKind::Iff, [a, b]) => (3, infix(&[a.clone(), b.clone()], " == ", 4)),
        (DeclKind::Le, [_, _]) => (3, infix(&all, " <= ", 4)),
        (DeclKind::Lt, [_, _]) => (3, infix(&all, " < ", 4)),
        (DeclKind::Ge, [_, _]) => (3, infix(&all, " >= ", 4)),
        (DeclKind::Gt, [_, _]) => (3, infix(&all, " > ", 4)),
        (DeclKind::Add, _) => (5, sum(&all)),
        (DeclKind::Sub, _) => (5, infix(&all, " - ", 6)),
        (DeclKind::Mul, [factor, rest]) if is_minus_one(factor) => {
            (6, format!("-{}", text(rest, 7)))
        }
        (DeclKind::Mul, _) => (6, infix(&all, "*", 6)),
        (DeclKind::Uminus, [a]) => (7, format!("-{}", text(a, 7))),
        (DeclKind::Ite, [c, a, b]) => (
            0,
            format!("if {} then {} else {}", text(c, 0), text(a, 0), text(b, 0)),
        ),
        (DeclKind::Uninterpreted, []) => (9, term.decl().name()),
        _ => (9, plain(term)),
    };
    if binds < place {
        format!("({made})")
    } else {
        made
    }
}

/// What is not written in words here: a number, or what Z3 says.
fn plain(term: &Dynamic) -> String {
    if let Some(number) = term.as_int().and_then(|i| i.simplify().as_i128()) {
        return number.to_string();
    }
    if let Some(number) = term.as_bv().and_then(|v| v.as_u64()) {
        return number.to_string();
    }
    let text = term.to_string();
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn is_number(term: &Dynamic) -> bool {
    term.as_int()
        .is_some_and(|i| i.simplify().as_i128().is_some())
}

fn is_minus_one(term: &Dynamic) -> bool {
    plain(term) == "-1"
}

/// Writes the negation of a comparison as another comparison.
fn negated(term: &Dynamic) -> Option<String> {
    let operator = match kind(term)? {
        DeclKind::Le => " > ",
        DeclKind::Lt => " >= ",
        DeclKind::Ge => " < ",
        DeclKind::Gt => " <= ",
        DeclKind::Eq => " != ",
        _ => return None,
    };
    Some(infix(&term.children(), operator, 4))
}

fn infix(all: &[Dynamic], operator: &str, place: u8) -> String {
    let parts: Vec<String> = all.iter().map(|a| text(a, place)).collect();
    parts.join(operator)
}

/// A sum; what is subtracted has its minus before it.
fn sum(all: &[Dynamic]) -> String {
    let mut made = String::new();
    for part in all {
        let part = text(part, 5);
        match part.strip_prefix('-') {
            _ if made.is_empty() => made = part,
            Some(rest) => made = format!("{made} - {rest}"),
            None => made = format!("{made} + {part}"),
        }
    }
    made
}
