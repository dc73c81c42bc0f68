//! Integers: arithmetic, comparison, wrapping.

use super::{Bits, Interval, Node, Op, RangeId, Sort, Term, Terms};

/// How deep a comparison with a number is pushed into choices.
const PUSH_DEPTH: u32 = 4;
/// A choice between two values of a counter becomes a sum if the counter moves by at most this many different numbers.
const MOST_MOVES: usize = 5;
/// The most sums that are taken apart to find the value from which both branches move a counter.
const MOST_SUMS: usize = 8;

impl Terms {
    pub fn int(&mut self, value: i128) -> Term {
        let id = super::ConstId(self.consts.intern(value));
        self.node(Node::Const(id), Sort::Int, Interval::point(value))
    }

    /// Makes `c ? a : b`, of any sort.
    pub fn ite(&mut self, c: Term, a: Term, b: Term) -> Term {
        if a == b || c == Term::TRUE {
            return a;
        }
        match self.sort(a) {
            _ if c == Term::FALSE => b,
            Sort::Bool => self.ite_bool(c, a, b),
            _ if c.negated() => self.ite(!c, b, a),
            Sort::Int => self.ite_int(c, a, b),
            Sort::Map { .. } => self.ite_map(c, a, b),
        }
    }

    fn ite_int(&mut self, c: Term, a: Term, b: Term) -> Term {
        if let Node::Ite(d, x, _) = self.get(a)
            && d == c
        {
            return self.ite(c, x, b);
        }
        if let Node::Ite(d, _, y) = self.get(b)
            && d == c
        {
            return self.ite(c, a, y);
        }
        // c ? a : (d ? a : y) is (c or d) ? a : y
        if let Node::Ite(d, x, y) = self.get(b)
            && (x == a || y == a)
        {
            let (d, y) = if x == a { (d, y) } else { (!d, x) };
            let either = self.or(c, d);
            return self.ite(either, a, y);
        }
        if let Some(known) = self.ite_cases(c, a, b).or_else(|| self.ite_moved(c, a, b)) {
            return known;
        }
        let interval = self.interval(a).hull(self.interval(b));
        self.node(Node::Ite(c, a, b), Sort::Int, interval)
    }

    /// `c ? p + 1 : p` is `p + (c ? 1 : 0)`: a counter that two paths move differently is its old value plus a choice between two
    /// moves. That costs one adder instead of a choice between the bits at each joint.
    fn ite_moved(&mut self, c: Term, a: Term, b: Term) -> Option<Term> {
        let zero = self.int(0);
        let (mut a, mut b) = ((a, zero), (b, zero));
        for _ in 0..MOST_SUMS {
            if a.0 == b.0 {
                let moved = self.ite_cases(c, a.1, b.1)?;
                let few = self.as_cases(moved)?.len() <= MOST_MOVES;
                return few.then(|| self.add(a.0, moved));
            }
            // Operands are older than their sum. So only the younger of the two can be a sum over the older one.
            let younger = if a.0 > b.0 { &mut a } else { &mut b };
            *younger = self.taken_apart(*younger)?;
        }
        None
    }

    /// `(p + n) + moved` as `p + (n + moved)`, if `n` is a number or one of few.
    fn taken_apart(&mut self, (sum, moved): (Term, Term)) -> Option<(Term, Term)> {
        let Node::Op(Op::Add, p, n) = self.get(sum) else {
            return None;
        };
        let both = self.map_cases(n, moved, i128::checked_add)?;
        Some((p, both))
    }

    pub fn add(&mut self, a: Term, b: Term) -> Term {
        self.op(Op::Add, a, b)
    }

    pub fn sub(&mut self, a: Term, b: Term) -> Term {
        let negated = self.neg(b);
        self.add(a, negated)
    }

    pub fn neg(&mut self, a: Term) -> Term {
        self.op(Op::Neg, a, a)
    }

    /// Makes an operation. Shifts need a second operand in 0..=127.
    pub fn op(&mut self, op: Op, a: Term, b: Term) -> Term {
        let folded = if op == Op::Neg {
            self.map_neg(a)
        } else {
            self.map_cases(a, b, |x, y| apply(op, x, y))
        };
        if let Some(folded) = folded.or_else(|| self.simplify(op, a, b)) {
            return folded;
        }
        let interval = interval(op, self.interval(a), self.interval(b));
        self.node(Node::Op(op, a, b), Sort::Int, interval)
    }

    fn map_neg(&mut self, a: Term) -> Option<Term> {
        if self.interval(a).lo().is_none() && self.as_cases(a).is_some() {
            return None;
        }
        self.map_case(a, |v| -v)
    }

    fn simplify(&mut self, op: Op, a: Term, b: Term) -> Option<Term> {
        let (x, y) = (self.as_const(a), self.as_const(b));
        match op {
            // Numbers, and choices between few, stand on the right, older terms on the left.
            Op::Add | Op::Mul | Op::BitAnd | Op::BitOr | Op::BitXor if self.out_of_order(a, b) => {
                Some(self.op(op, b, a))
            }
            Op::Add => self.simplify_add(a, b, y),
            Op::Neg => self.simplify_neg(a),
            Op::Mul if y == Some(0) => Some(b),
            Op::Mul | Op::Div | Op::TruncDiv if y == Some(1) => Some(a),
            Op::Mul if y == Some(-1) => Some(self.neg(a)),
            Op::Div | Op::TruncDiv | Op::Rem | Op::TruncRem if y == Some(0) => Some(b),
            Op::Div | Op::TruncDiv | Op::Rem | Op::TruncRem if x == Some(0) => Some(a),
            Op::Rem if self.small_for(a, b) => Some(a),
            Op::BitAnd | Op::BitOr if a == b => Some(a),
            Op::BitAnd if y == Some(0) => Some(b),
            Op::BitOr | Op::BitXor | Op::Shl | Op::Shr if y == Some(0) => Some(a),
            Op::BitXor if a == b => Some(self.int(0)),
            _ => None,
        }
    }

    fn out_of_order(&self, a: Term, b: Term) -> bool {
        let place = |t: Term| match self.get(t) {
            Node::Const(_) => 2,
            Node::Cases(_) => 1,
            _ => 0,
        };
        (place(a), a) > (place(b), b)
    }

    /// Turns a relation between `p + n` and `y` into relations between `p` and numbers: one for each number that `n` may be,
    /// under its condition. `relation` should not look further into `p`, or sums of sums become all their combinations.
    fn any_move(
        &mut self,
        n: Term,
        y: i128,
        relation: impl Fn(&mut Self, Term) -> Term,
    ) -> Option<Term> {
        let Node::Cases(cases) = self.get(n) else {
            return None;
        };
        let cases = self.cases(cases).clone();
        if cases.len() > MOST_MOVES {
            return None;
        }
        let mut any = Term::FALSE;
        for &(moved, guard) in &cases {
            let rest = self.int(y.checked_sub(moved)?);
            let related = relation(self, rest);
            let both = self.and(guard, related);
            any = self.or(any, both);
        }
        Some(any)
    }

    fn simplify_add(&mut self, a: Term, b: Term, y: Option<i128>) -> Option<Term> {
        if y == Some(0) {
            return Some(a);
        }
        // (p + n) + y = p + (n + y)
        if let Node::Op(Op::Add, p, n) = self.get(a)
            && let (Some(n), Some(y)) = (self.as_const(n), y)
        {
            let sum = n.checked_add(y)?;
            let sum = self.int(sum);
            return Some(self.add(p, sum));
        }
        // p + -p = 0
        let cancels = |p: Term, q: Term| matches!(self.get(p), Node::Op(Op::Neg, r, _) if r == q);
        (cancels(a, b) || cancels(b, a)).then(|| self.int(0))
    }

    fn simplify_neg(&mut self, a: Term) -> Option<Term> {
        match self.get(a) {
            Node::Op(Op::Neg, b, _) => Some(b),
            // -(p + n) = -p + -n
            Node::Op(Op::Add, p, n) => {
                let n = self.as_const(n)?.checked_neg()?;
                let (p, n) = (self.neg(p), self.int(n));
                Some(self.add(p, n))
            }
            _ => None,
        }
    }

    /// Whether `0 <= a < b`: then `a` is its own remainder.
    fn small_for(&self, a: Term, b: Term) -> bool {
        self.interval(a).lo().is_some_and(|lo| lo >= 0) && self.interval(a).below(self.interval(b))
    }

    /// Makes `a == b`.
    pub fn eq(&mut self, a: Term, b: Term) -> Term {
        self.eq_within(a, b, PUSH_DEPTH)
    }

    fn eq_within(&mut self, a: Term, b: Term, depth: u32) -> Term {
        if a == b {
            return Term::TRUE;
        }
        if self.out_of_order(a, b) {
            return self.eq_within(b, a, depth);
        }
        let (i, j) = (self.interval(a), self.interval(b));
        if i.below(j) || j.below(i) {
            return Term::FALSE;
        }
        if let Some(known) = self.relate_cases(a, b, |x, y| x == y) {
            return known;
        }
        if let (Node::Op(Op::Add, p, n), Some(y)) = (self.get(a), self.as_const(b))
            && depth > 0
            && let Some(known) = self.any_move(n, y, |terms, rest| terms.eq_within(p, rest, 0))
        {
            return known;
        }
        match (self.get(a), self.as_const(b)) {
            // p + n = y is p = y - n
            (Node::Op(Op::Add, p, n), Some(y))
                if self.as_const(n).and_then(|n| y.checked_sub(n)).is_some() =>
            {
                let rest = self
                    .as_const(n)
                    .and_then(|n| y.checked_sub(n))
                    .unwrap_or_default();
                let rest = self.int(rest);
                self.eq_within(p, rest, depth)
            }
            (Node::Ite(c, p, q), Some(_))
                if depth > 0 && (self.as_cases(p).is_some() || self.as_cases(q).is_some()) =>
            {
                let (p, q) = (
                    self.eq_within(p, b, depth - 1),
                    self.eq_within(q, b, depth - 1),
                );
                self.ite_bool(c, p, q)
            }
            _ => self.node(Node::Eq(a, b), Sort::Bool, Interval::ALL),
        }
    }

    /// Makes `a <= b`.
    pub fn le(&mut self, a: Term, b: Term) -> Term {
        self.le_within(a, b, PUSH_DEPTH)
    }

    /// Makes `a < b`.
    pub fn lt(&mut self, a: Term, b: Term) -> Term {
        !self.le(b, a)
    }

    fn le_within(&mut self, a: Term, b: Term, depth: u32) -> Term {
        let (i, j) = (self.interval(a), self.interval(b));
        if a == b || i.at_most(j) {
            return Term::TRUE;
        }
        if j.below(i) {
            return Term::FALSE;
        }
        if let Some(known) = self.relate_cases(a, b, |x, y| x <= y) {
            return known;
        }
        if let Some(known) = self.le_moved(a, b, depth) {
            return known;
        }
        match (self.get(a), self.as_const(a), self.get(b), self.as_const(b)) {
            (Node::Op(Op::Add, p, n), _, _, Some(y)) => {
                match self.as_const(n).and_then(|n| y.checked_sub(n)) {
                    Some(rest) => {
                        let rest = self.int(rest);
                        self.le_within(p, rest, depth)
                    }
                    None => self.node(Node::Le(a, b), Sort::Bool, Interval::ALL),
                }
            }
            (_, Some(x), Node::Op(Op::Add, p, n), _) => {
                match self.as_const(n).and_then(|n| x.checked_sub(n)) {
                    Some(rest) => {
                        let rest = self.int(rest);
                        self.le_within(rest, p, depth)
                    }
                    None => self.node(Node::Le(a, b), Sort::Bool, Interval::ALL),
                }
            }
            (Node::Ite(c, p, q), _, _, Some(_))
                if depth > 0 && (self.as_cases(p).is_some() || self.as_cases(q).is_some()) =>
            {
                let (p, q) = (
                    self.le_within(p, b, depth - 1),
                    self.le_within(q, b, depth - 1),
                );
                self.ite_bool(c, p, q)
            }
            (_, Some(_), Node::Ite(c, p, q), _)
                if depth > 0 && (self.as_cases(p).is_some() || self.as_cases(q).is_some()) =>
            {
                let (p, q) = (
                    self.le_within(a, p, depth - 1),
                    self.le_within(a, q, depth - 1),
                );
                self.ite_bool(c, p, q)
            }
            _ => self.node(Node::Le(a, b), Sort::Bool, Interval::ALL),
        }
    }

    /// `p + n <= y` or `y <= p + n`, where `n` is one of few and `y` a number.
    fn le_moved(&mut self, a: Term, b: Term, depth: u32) -> Option<Term> {
        if depth == 0 {
            return None;
        }
        match (self.get(a), self.as_const(a), self.get(b), self.as_const(b)) {
            (Node::Op(Op::Add, p, n), _, _, Some(y)) => {
                self.any_move(n, y, |terms, rest| terms.le_within(p, rest, 0))
            }
            (_, Some(x), Node::Op(Op::Add, p, n), _) => {
                self.any_move(n, x, |terms, rest| terms.le_within(rest, p, 0))
            }
            _ => None,
        }
    }

    /// The number of this width and sign that is equal to `a` modulo two to the power of the width.
    pub fn wrap(&mut self, bits: Bits, a: Term) -> Term {
        if bits.interval().contains(self.interval(a)) {
            return a;
        }
        if let Some(cases) = self.map_case(a, |v| bits.wrap(v)) {
            return cases;
        }
        match self.get(a) {
            // The last bits of a product are known, however many it has.
            Node::Op(Op::Mul, p, q) if self.as_const(p).is_some() && self.as_const(q).is_some() => {
                self.map_cases(p, q, |p, q| Some(bits.wrap(p.wrapping_mul(q))))
                    .unwrap_or(a)
            }
            // Wrapping to fewer bits forgets what wrapping to more did.
            Node::Wrap(inner, b) if inner.width >= bits.width => self.wrap(bits, b),
            _ => self.node(Node::Wrap(bits, a), Sort::Int, bits.interval()),
        }
    }

    /// The same number with a narrower interval. Where the number lies outside of it, nothing may depend on the number.
    pub fn narrow(&mut self, interval: Interval, a: Term) -> Term {
        let own = self.interval(a);
        if interval.contains(own) || self.as_cases(a).is_some() {
            return a;
        }
        let met = interval.meet(own);
        let id = RangeId(self.ranges.intern(met));
        self.node(Node::Narrow(id, a), Sort::Int, met)
    }
}

/// Where the results of an operation lie.
pub(super) fn interval(op: Op, a: Interval, b: Interval) -> Interval {
    match op {
        Op::Add => a.plus(b),
        Op::Neg => a.minus(),
        Op::Mul => a.times(b),
        Op::Div | Op::TruncDiv => a.quotient(b),
        Op::Rem => a.euclidean_remainder(b),
        Op::TruncRem => a.truncated_remainder(b),
        Op::BitAnd | Op::BitOr | Op::BitXor => a.bitwise(b),
        Op::Shl => a.shifted_left(b),
        Op::Shr => a.shifted_right(),
    }
}

/// The result of an operation, unless it takes more than 128 bits.
pub(super) fn apply(op: Op, a: i128, b: i128) -> Option<i128> {
    match op {
        Op::Add => a.checked_add(b),
        Op::Neg => a.checked_neg(),
        Op::Mul => a.checked_mul(b),
        Op::Div | Op::Rem | Op::TruncDiv | Op::TruncRem if b == 0 => Some(0),
        Op::Div => a.checked_div_euclid(b),
        Op::Rem => a.checked_rem_euclid(b),
        Op::TruncDiv => a.checked_div(b),
        Op::TruncRem => a.checked_rem(b),
        Op::BitAnd => Some(a & b),
        Op::BitOr => Some(a | b),
        Op::BitXor => Some(a ^ b),
        Op::Shl => u32::try_from(b)
            .ok()
            .and_then(|n| 1i128.checked_shl(n))
            .and_then(|f| a.checked_mul(f)),
        Op::Shr => Some(a >> b.clamp(0, 127)),
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Assignment, Datum, evaluate};
    use super::*;
    use std::rc::Rc;

    /// The value of a counter, from the values of the conditions and its first value.
    type Value = Rc<dyn Fn(&[bool], i128) -> i128>;

    /// Counters that are moved and joined on random paths have the values that they would have without any rule.
    #[test]
    fn moves_keep_the_meaning() {
        let mut rng = fastrand::Rng::with_seed(11);
        for _ in 0..200 {
            let t = &mut Terms::new();
            let conditions: Vec<Term> = (0..4)
                .map(|i| t.fresh(format!("c{i}"), Sort::Bool, Interval::ALL))
                .collect();
            let counter = t.fresh("n", Sort::Int, Interval::ALL);
            let mut terms = vec![counter];
            let mut values: Vec<Value> = vec![Rc::new(|_, n| n)];
            for _ in 0..30 {
                let (i, j) = (rng.usize(..terms.len()), rng.usize(..terms.len()));
                let (f, g) = (values[i].clone(), values[j].clone());
                if rng.bool() {
                    let by = rng.i128(-2..=2);
                    let number = t.int(by);
                    terms.push(t.add(terms[i], number));
                    values.push(Rc::new(move |c, n| f(c, n) + by));
                } else {
                    let (which, not) = (rng.usize(..4), rng.bool());
                    let condition = conditions[which].negate_if(not);
                    terms.push(t.ite(condition, terms[i], terms[j]));
                    values.push(Rc::new(
                        move |c, n| {
                            if c[which] != not { f(c, n) } else { g(c, n) }
                        },
                    ));
                }
            }
            let limit = t.int(rng.i128(-4..=4));
            let roots: Vec<Term> = terms
                .iter()
                .flat_map(|&x| [x, t.eq(x, limit), t.le(x, limit), t.le(limit, x)])
                .collect();
            let limit = t.as_const(limit).unwrap();
            for row in 0..16u32 {
                for n in -5..=5 {
                    let bools: Vec<bool> = (0..4).map(|i| row >> i & 1 == 1).collect();
                    let mut assignment = Assignment::default();
                    for (&condition, &holds) in conditions.iter().zip(&bools) {
                        assignment.set(var(t, condition), Datum::Bool(holds));
                    }
                    assignment.set(var(t, counter), Datum::Int(n));
                    let data = evaluate(t, &assignment, &roots);
                    for (value, data) in values.iter().zip(data.chunks(4)) {
                        let value = value(&bools, n);
                        assert_eq!(data[0], Datum::Int(value));
                        let related = [value == limit, value <= limit, limit <= value];
                        assert_eq!(data[1..], related.map(Datum::Bool));
                    }
                }
            }
        }
    }

    fn var(terms: &Terms, term: Term) -> super::super::Var {
        match terms.get(term) {
            Node::Var(var) => var,
            _ => unreachable!(),
        }
    }

    #[test]
    fn a_counter_that_is_moved_on_some_paths_is_a_sum() {
        let t = &mut Terms::new();
        let c = t.fresh("c", Sort::Bool, Interval::ALL);
        let n = t.fresh("n", Sort::Int, Interval::ALL);
        let one = t.int(1);
        let more = t.add(n, one);
        let joined = t.ite(c, more, n);
        assert!(matches!(t.get(joined), Node::Op(Op::Add, p, _) if p == n));
        // Both branches move on from the joined value.
        let again = t.add(joined, one);
        let twice = t.ite(c, joined, again);
        assert!(matches!(t.get(twice), Node::Op(Op::Add, p, _) if p == joined));
    }
}
