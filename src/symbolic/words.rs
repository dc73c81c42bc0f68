//! Terms as people write them.

use rustc_hash::FxHashMap;

use smt::term::{Node, Op, Term, Terms, Var};

/// The names of variables.
pub(super) type Names = FxHashMap<Var, String>;

/// How deep a term is written out.
const DEEPEST: u32 = 12;

/// A term with names for its variables.
pub(super) struct Words<'a> {
    pub terms: &'a Terms,
    pub names: &'a Names,
}

impl Words<'_> {
    pub fn of(&self, term: Term) -> String {
        self.term(term, DEEPEST)
    }

    fn term(&self, term: Term, depth: u32) -> String {
        if term.negated() {
            return self.negated(!term, depth);
        }
        let Some(deeper) = depth.checked_sub(1) else {
            return "…".to_owned();
        };
        let part = |t: Term| self.part(t, deeper);
        match self.terms.get(term) {
            Node::True => "true".to_owned(),
            Node::Var(var) => self.name(var),
            Node::And(a, b) => format!("{} && {}", part(a), part(b)),
            Node::Ite(c, a, b) => format!("if {} then {} else {}", part(c), part(a), part(b)),
            Node::Eq(a, b) => self.compared(a, "==", "==", b, deeper),
            Node::Le(a, b) => self.compared(a, "<=", ">=", b, deeper),
            Node::SameMap(a, b) => format!("{} == {}", part(a), part(b)),
            Node::Const(number) => self.terms.number(number).to_string(),
            Node::Cases(cases) => {
                let cases = self.terms.cases(cases).iter();
                let cases = cases.map(|&(n, when)| format!("{n} if {}", self.term(when, deeper)));
                Vec::from_iter(cases).join(", ")
            }
            Node::Op(op, a, b) => self.operation(op, a, b, deeper),
            Node::Wrap(bits, a) => {
                let sign = if bits.signed { 'i' } else { 'u' };
                format!("{sign}{}({})", bits.width, self.term(a, deeper))
            }
            Node::Narrow(_, a) => self.term(a, deeper),
            Node::Fill(a) => format!("[_: {}]", self.term(a, deeper)),
            Node::Store(..) => self.stores(term, deeper),
            Node::Select(map, index) => format!("{}[{}]", part(map), self.term(index, deeper)),
        }
    }

    fn name(&self, var: Var) -> String {
        self.names
            .get(&var)
            .cloned()
            .unwrap_or_else(|| "*".to_owned())
    }

    fn negated(&self, term: Term, depth: u32) -> String {
        let Some(deeper) = depth.checked_sub(1) else {
            return "…".to_owned();
        };
        match self.terms.get(term) {
            Node::True => "false".to_owned(),
            Node::Eq(a, b) => self.compared(a, "!=", "!=", b, deeper),
            Node::Le(a, b) => self.compared(a, ">", "<", b, deeper),
            Node::And(a, b) => format!("{} || {}", self.part(!a, deeper), self.part(!b, deeper)),
            _ => format!("!{}", self.part(term, deeper)),
        }
    }

    /// A term within another one.
    fn part(&self, term: Term, depth: u32) -> String {
        let words = self.term(term, depth);
        let alone = match self.terms.get(term) {
            Node::True | Node::Var(_) | Node::Wrap(..) | Node::Fill(_) | Node::Select(..) => true,
            Node::Const(number) => self.terms.number(number) >= 0,
            _ => false,
        };
        if alone { words } else { format!("({words})") }
    }

    /// A comparison with the number on the right.
    fn compared(&self, a: Term, sign: &str, turned: &str, b: Term, depth: u32) -> String {
        let (left, right) = (self.term(a, depth), self.term(b, depth));
        if self.terms.as_const(a).is_some() {
            format!("{right} {turned} {left}")
        } else {
            format!("{left} {sign} {right}")
        }
    }

    fn operation(&self, op: Op, a: Term, b: Term, depth: u32) -> String {
        let sign = match op {
            Op::Add => return self.sum(a, b, depth),
            Op::Neg => return format!("-{}", self.part(a, depth)),
            Op::Mul => "*",
            Op::Div | Op::TruncDiv => "/",
            Op::Rem | Op::TruncRem => "%",
            Op::BitAnd => "&",
            Op::BitOr => "|",
            Op::BitXor => "^",
            Op::Shl => "<<",
            Op::Shr => ">>",
        };
        format!("{} {sign} {}", self.part(a, depth), self.part(b, depth))
    }

    /// A sum, numbers and what is taken away last.
    fn sum(&self, a: Term, b: Term, depth: u32) -> String {
        let mut parts = Vec::new();
        let mut open = vec![b, a];
        while let Some(term) = open.pop() {
            match self.terms.get(term) {
                Node::Op(Op::Add, a, b) if parts.len() < 64 => open.extend([b, a]),
                _ => parts.push(term),
            }
        }
        let less = |t: Term| match self.terms.get(t) {
            Node::Op(Op::Neg, a, _) => Some(self.part(a, depth)),
            Node::Const(number) => {
                let number = self.terms.number(number);
                (number < 0).then(|| number.unsigned_abs().to_string())
            }
            _ => None,
        };
        let last = |t: &Term| (self.terms.as_const(*t).is_some(), less(*t).is_some());
        parts.sort_by_key(last);
        let mut words = String::new();
        for term in parts {
            match less(term) {
                Some(part) if words.is_empty() => words += &format!("-{part}"),
                Some(part) => words += &format!(" - {part}"),
                None if words.is_empty() => words = self.part(term, depth),
                None => words += &format!(" + {}", self.part(term, depth)),
            }
        }
        words
    }

    /// A map with its stores, the last first.
    fn stores(&self, map: Term, depth: u32) -> String {
        let (mut parts, mut rest) = (Vec::new(), map);
        while let Node::Store(inner, index, value) = self.terms.get(rest) {
            parts.push(format!(
                "{}: {}",
                self.term(index, depth),
                self.term(value, depth)
            ));
            rest = inner;
        }
        match self.terms.get(rest) {
            Node::Fill(value) => parts.push(format!("_: {}", self.term(value, depth))),
            _ => parts.push(format!("_: {}[_]", self.part(rest, depth))),
        }
        format!("[{}]", parts.join(", "))
    }
}
