//! Truth values: conjunction, negation on the edge, choice.
//!
//! The rules look one level into both operands, which is a usual way to keep and-inverter graphs small. Each rule returns an
//! existing term or a conjunction of older terms, so rewriting ends.

use super::{Interval, Node, Sort, Term, Terms};

impl Terms {
    pub fn and(&mut self, a: Term, b: Term) -> Term {
        let (a, b) = if a <= b { (a, b) } else { (b, a) };
        if a == Term::FALSE || a == !b {
            return Term::FALSE;
        }
        if a == Term::TRUE || a == b {
            return b;
        }
        if let Some(known) = self.absorb(a, b).or_else(|| self.absorb(b, a)) {
            return known;
        }
        if let Some((x, y)) = self.strengthen(a, b).or_else(|| self.strengthen(b, a)) {
            return self.and(x, y);
        }
        self.node(Node::And(a, b), Sort::Bool, Interval::ALL)
    }

    /// Makes "`a` or `b`".
    pub fn or(&mut self, a: Term, b: Term) -> Term {
        !self.and(!a, !b)
    }

    /// Makes "if `a`, then `b`".
    pub fn implies(&mut self, a: Term, b: Term) -> Term {
        !self.and(a, !b)
    }

    /// Makes "`a` if and only if `b`".
    pub fn iff(&mut self, a: Term, b: Term) -> Term {
        self.ite_bool(a, b, !b)
    }

    pub fn all(&mut self, terms: impl IntoIterator<Item = Term>) -> Term {
        terms
            .into_iter()
            .fold(Term::TRUE, |all, t| self.and(all, t))
    }

    /// Makes "at least one of these terms".
    pub fn any(&mut self, terms: impl IntoIterator<Item = Term>) -> Term {
        terms
            .into_iter()
            .fold(Term::FALSE, |any, t| self.or(any, t))
    }

    /// Makes `c ? a : b`.
    pub fn ite_bool(&mut self, c: Term, a: Term, b: Term) -> Term {
        if c.negated() {
            return self.ite_bool(!c, b, a);
        }
        if c == Term::TRUE || a == b {
            return a;
        }
        // c ? true : b = c or b, and so on. A branch that is the condition or its negation counts as a constant.
        if a == Term::TRUE || a == c {
            return self.or(c, b);
        }
        if a == Term::FALSE || a == !c {
            return self.and(!c, b);
        }
        if b == Term::TRUE || b == !c {
            return self.or(!c, a);
        }
        if b == Term::FALSE || b == c {
            return self.and(c, a);
        }
        if let Some(known) = self.ite_of_ite(c, a, b) {
            return known;
        }
        // One polarity: the first branch is positive.
        let flip = a.negated();
        let (a, b) = (a.negate_if(flip), b.negate_if(flip));
        self.node(Node::Ite(c, a, b), Sort::Bool, Interval::ALL)
            .negate_if(flip)
    }

    /// `c ? (c ? x : y) : b` is `c ? x : b`.
    fn ite_of_ite(&mut self, c: Term, a: Term, b: Term) -> Option<Term> {
        if let Node::Ite(d, x, _) = self.get(a)
            && d == c
        {
            return Some(self.ite_bool(c, x.negate_if(a.negated()), b));
        }
        if let Node::Ite(d, _, y) = self.get(b)
            && d == c
        {
            return Some(self.ite_bool(c, a, y.negate_if(b.negated())));
        }
        // A branch that is a conjunction with the condition.
        if let Some(a2) = self.under(c, a)
            && a2 != a
        {
            return Some(self.ite_bool(c, a2, b));
        }
        if let Some(b2) = self.under(!c, b)
            && b2 != b
        {
            return Some(self.ite_bool(c, a, b2));
        }
        None
    }

    /// Simplifies a conjunction, or its negation, where `fact` holds: `fact` or its negation must be an operand.
    fn under(&self, fact: Term, term: Term) -> Option<Term> {
        let Node::And(x, y) = self.get(term) else {
            return None;
        };
        let rest = if x == fact {
            y
        } else if y == fact {
            x
        } else if x == !fact || y == !fact {
            Term::FALSE
        } else {
            return None;
        };
        Some(rest.negate_if(term.negated()))
    }

    /// Returns `a and b` if that is a known term, such as `a`, `b` or false.
    fn absorb(&self, a: Term, b: Term) -> Option<Term> {
        if let Some(known) = self.exclusive(a, b) {
            return Some(known);
        }
        let Node::And(x, y) = self.get(a) else {
            return None;
        };
        if !a.negated() {
            // (x and y) and b
            if b == x || b == y {
                return Some(a);
            }
            if b == !x || b == !y {
                return Some(Term::FALSE);
            }
        } else if b == !x || b == !y {
            // not (x and y) and not x
            return Some(b);
        }
        let Node::And(u, v) = self.get(b) else {
            return None;
        };
        let clash = x == !u || x == !v || y == !u || y == !v;
        match (a.negated(), b.negated()) {
            (false, false) if clash => Some(Term::FALSE),
            (false, true) if clash => Some(a),
            (false, true) if (u == x || u == y) && (v == x || v == y) => Some(Term::FALSE),
            // not (x and y) and not (x and not y) is not x
            (true, true) if (x == u && y == !v) || (x == v && y == !u) => Some(!x),
            (true, true) if (y == u && x == !v) || (y == v && x == !u) => Some(!y),
            _ => None,
        }
    }

    /// `a and b` as a conjunction of older terms: `not (x and y) and x` is `x and not y`.
    fn strengthen(&self, a: Term, b: Term) -> Option<(Term, Term)> {
        if let Node::Ite(c, x, y) = self.get(a) {
            // (c ? x : y) and c
            return match b {
                _ if b == c => Some((b, x.negate_if(a.negated()))),
                _ if b == !c => Some((b, y.negate_if(a.negated()))),
                _ => None,
            };
        }
        let Node::And(x, y) = self.get(a) else {
            return None;
        };
        if !a.negated() {
            return None;
        }
        if b == x {
            return Some((b, !y));
        }
        if b == y {
            return Some((b, !x));
        }
        let Node::And(u, v) = self.get(b) else {
            return None;
        };
        if b.negated() {
            return None;
        }
        if x == u || x == v {
            return Some((b, !y));
        }
        if y == u || y == v {
            return Some((b, !x));
        }
        None
    }

    /// Returns `a and b` if both compare one term with different numbers: false, or `a` if `b` is negated.
    fn exclusive(&self, a: Term, b: Term) -> Option<Term> {
        let (Node::Eq(x, c), Node::Eq(y, d)) = (self.get(a), self.get(b)) else {
            return None;
        };
        if a.negated()
            || x != y
            || c == d
            || self.as_const(c).is_none()
            || self.as_const(d).is_none()
        {
            return None;
        }
        Some(if b.negated() { a } else { Term::FALSE })
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Assignment, Datum, evaluate};
    use super::*;

    fn vars(terms: &mut Terms, n: usize) -> Vec<Term> {
        (0..n)
            .map(|i| terms.fresh(format!("v{i}"), Sort::Bool, Interval::ALL))
            .collect()
    }

    #[test]
    fn what_is_decided_is_a_constant() {
        let t = &mut Terms::new();
        let v = vars(t, 3);
        let (a, b, c) = (v[0], v[1], v[2]);
        let ab = t.and(a, b);
        assert_eq!(t.and(ab, !a), Term::FALSE);
        assert_eq!(t.and(ab, b), ab);
        let a_not_b = t.and(a, !b);
        assert_eq!(t.or(ab, a_not_b), a);
        // The three ways to end a loop with a break in it.
        let after = t.or(!a, a_not_b);
        assert_eq!(t.or(after, ab), Term::TRUE);
        assert_eq!(t.and(after, a), a_not_b);
        let ite = t.ite_bool(c, ab, b);
        assert_eq!(t.ite_bool(c, ite, b), ite);
        assert_eq!(t.iff(a, a), Term::TRUE);
        assert_eq!(t.iff(a, !a), Term::FALSE);
    }

    /// Random terms mean what they would mean without any rule.
    #[test]
    fn rules_keep_the_meaning() {
        let mut rng = fastrand::Rng::with_seed(7);
        for _ in 0..300 {
            let t = &mut Terms::new();
            let vars = vars(t, 4);
            // Each term with its truth table over the four variables.
            let mut made: Vec<(Term, u16)> = vars
                .iter()
                .copied()
                .zip([0xaaaa, 0xcccc, 0xf0f0, 0xff00])
                .collect();
            for _ in 0..40 {
                let mut pick = || {
                    let (term, table) = made[rng.usize(..made.len())];
                    if rng.bool() {
                        (!term, !table)
                    } else {
                        (term, table)
                    }
                };
                let (a, b, c) = (pick(), pick(), pick());
                made.push(match rng.u8(..3) {
                    0 => (t.and(a.0, b.0), a.1 & b.1),
                    1 => (t.iff(a.0, b.0), !(a.1 ^ b.1)),
                    _ => (t.ite_bool(c.0, a.0, b.0), (c.1 & a.1) | (!c.1 & b.1)),
                });
            }
            let roots: Vec<_> = made.iter().map(|m| m.0).collect();
            for row in 0..16u16 {
                let mut values = Assignment::default();
                for (i, &v) in vars.iter().enumerate() {
                    let Node::Var(var) = t.get(v) else {
                        unreachable!()
                    };
                    values.set(var, Datum::Bool(row >> i & 1 == 1));
                }
                let got = evaluate(t, &values, &roots);
                for (i, &(term, table)) in made.iter().enumerate() {
                    assert_eq!(
                        got[i],
                        Datum::Bool(table >> row & 1 == 1),
                        "{:?}",
                        t.get(term)
                    );
                }
            }
        }
    }
}
