//! Formulas as a shared graph: every distinct term exists once.
//!
//! A [`Term`] is an index into a [`Terms`] table. Terms are simplified where they are made (see [`boolean`], [`integer`],
//! [`cases`], [`array`](mod@array)). So a condition that constants decide *is* [`Term::TRUE`] or [`Term::FALSE`], and unrolling
//! sees it without a solver.
//!
//! There are three sorts: truth values, mathematical integers and total maps from integers. Machine integers are integers that
//! are wrapped after each operation ([`Terms::wrap`]). Each integer term carries the interval in which its values lie.
//! [`Plan`](crate::encode::Plan) decides later how many bits that takes.
//!
//! Operands are always older than the terms that hold them, so a pass over
//! a table from front to back sees operands first: no recursion is needed.

mod array;
mod boolean;
mod cases;
mod eval;
mod integer;
mod interval;
mod part;

use base::interned::Interned;
use rustc_hash::FxHashMap;

pub use cases::MAX_CASES;
pub use eval::{Assignment, Datum, MapDatum, evaluate, evaluate_few};
pub use interval::Interval;
pub use part::Renaming;

/// A term of a [`Terms`] table. The lowest bit negates a truth value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Term(u32);

impl Term {
    /// True in every table.
    pub const TRUE: Self = Self(0);
    /// False in every table.
    pub const FALSE: Self = Self(1);

    /// The place in the table.
    #[must_use]
    pub const fn index(self) -> usize {
        (self.0 >> 1) as usize
    }

    /// Whether it is the negation of what stands in the table.
    #[must_use]
    pub const fn negated(self) -> bool {
        self.0 & 1 == 1
    }

    /// This term without its negation.
    #[must_use]
    pub const fn positive(self) -> Self {
        Self(self.0 & !1)
    }

    /// This truth value, or its negation.
    const fn negate_if(self, negate: bool) -> Self {
        Self(self.0 ^ negate as u32)
    }

    #[must_use]
    pub const fn of_bool(value: bool) -> Self {
        if value { Self::TRUE } else { Self::FALSE }
    }

    /// The truth value, if it is known.
    #[must_use]
    pub const fn known(self) -> Option<bool> {
        match self {
            Self::TRUE => Some(true),
            Self::FALSE => Some(false),
            _ => None,
        }
    }
}

impl std::ops::Not for Term {
    type Output = Self;

    fn not(self) -> Self {
        self.negate_if(true)
    }
}

/// A variable of a [`Terms`] table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Var(pub u32);

/// The sort of a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sort {
    Bool,
    Int,
    /// Maps from `depth` integers, one after the other, to truth values or integers.
    Map {
        /// How many indices lead to an element; at least one.
        depth: u8,
        /// Whether the elements are truth values.
        bools: bool,
    },
}

impl Sort {
    /// The sort of what a map holds.
    #[must_use]
    pub fn element(self) -> Self {
        match self {
            Self::Map {
                depth: 1,
                bools: true,
            } => Self::Bool,
            Self::Map { depth: 1, .. } => Self::Int,
            Self::Map { depth, bools } => Self::Map {
                depth: depth - 1,
                bools,
            },
            Self::Bool | Self::Int => self,
        }
    }

    /// The sort of a map to this sort.
    #[must_use]
    pub fn map_to(self) -> Self {
        match self {
            Self::Bool => Self::Map {
                depth: 1,
                bools: true,
            },
            Self::Int => Self::Map {
                depth: 1,
                bools: false,
            },
            Self::Map { depth, bools } => Self::Map {
                depth: depth + 1,
                bools,
            },
        }
    }
}

/// Operations on integers. None of them fails: a quotient or a remainder by zero is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    Add,
    /// Negation of the first operand; the second is the same.
    Neg,
    Mul,
    Div,
    Rem,
    /// Quotient rounded towards zero.
    TruncDiv,
    /// The remainder that belongs to [`Self::TruncDiv`].
    TruncRem,
    /// Bitwise and of two's complement numbers of any length.
    BitAnd,
    BitOr,
    /// Bitwise exclusive or.
    BitXor,
    /// The first operand times two to the power of the second, which lies in 0..=127.
    Shl,
    /// The first operand divided by two to the power of the second, which lies in 0..=127, rounded down.
    Shr,
}

/// An entry of the table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    True,
    /// A variable of any sort.
    Var(Var),
    And(Term, Term),
    /// A condition, the value if it holds, and the value if not, both of any sort.
    Ite(Term, Term, Term),
    /// Two integers are equal.
    Eq(Term, Term),
    /// An integer is at most another.
    Le(Term, Term),
    /// Two maps have equal elements everywhere.
    SameMap(Term, Term),
    Const(ConstId),
    /// One of several integers: the one whose condition holds.
    Cases(CasesId),
    Op(Op, Term, Term),
    /// The number of this width and sign that is equal modulo two to the power of the width.
    Wrap(Bits, Term),
    /// The same number with a narrower interval. Where the number lies outside of it, nothing depends on the number.
    Narrow(RangeId, Term),
    /// A map with the same element everywhere.
    Fill(Term),
    /// A map, an index, and another element there.
    Store(Term, Term, Term),
    /// A map, and an index: the element there.
    Select(Term, Term),
}

/// A width and a signedness.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Bits {
    /// How many bits, at most 64.
    pub width: u8,
    pub signed: bool,
}

impl Bits {
    /// The interval of the numbers of this width and sign.
    #[must_use]
    pub fn interval(self) -> Interval {
        let size = 1i128 << self.width;
        if self.signed {
            Interval::new(-size / 2, size / 2 - 1)
        } else {
            Interval::new(0, size - 1)
        }
    }

    /// A number modulo two to the power of the width.
    #[must_use]
    pub fn wrap(self, value: i128) -> i128 {
        let low = value & ((1i128 << self.width) - 1);
        if self.signed && low >> (self.width - 1) == 1 {
            low - (1i128 << self.width)
        } else {
            low
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ConstId(u32);
/// An interned list of cases.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct CasesId(u32);
impl Op {
    /// Where the results lie.
    #[must_use]
    pub fn interval(self, a: Interval, b: Interval) -> Interval {
        integer::interval(self, a, b)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct RangeId(u32);

/// The name, sort and interval of a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VarInfo {
    /// Its name, for people.
    pub name: String,
    pub sort: Sort,
    /// Where its values (a map's elements) lie.
    pub interval: Interval,
    /// The term that is this variable.
    pub term: Term,
}

/// One of several integers, each under its condition. The conditions exclude each
/// other and one of them always holds; the integers ascend.
pub type Cases = Box<[(i128, Term)]>;

/// A table of terms.
#[derive(Clone, Debug)]
pub struct Terms {
    nodes: Vec<Node>,
    sorts: Vec<Sort>,
    /// The interval of each integer, or of a map's elements.
    intervals: Vec<RangeId>,
    known: FxHashMap<Node, u32>,
    consts: Interned<i128>,
    cases: Interned<Cases>,
    ranges: Interned<Interval>,
    vars: Vec<VarInfo>,
}

impl Terms {
    /// A table with the truth values.
    #[must_use]
    pub fn new() -> Self {
        let mut terms = Self {
            nodes: Vec::new(),
            sorts: Vec::new(),
            intervals: Vec::new(),
            known: FxHashMap::default(),
            consts: Interned::default(),
            cases: Interned::default(),
            ranges: Interned::default(),
            vars: Vec::new(),
        };
        terms.node(Node::True, Sort::Bool, Interval::ALL);
        terms
    }

    /// How many terms there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Never: there are always the truth values.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The node of a term, without its negation.
    #[must_use]
    pub fn get(&self, term: Term) -> Node {
        self.nodes[term.index()]
    }

    /// The term at a place of the table, not negated.
    #[must_use]
    pub fn at(&self, index: usize) -> Term {
        // The cast is safe: `node` counts in 31 bits.
        #[allow(clippy::cast_possible_truncation, reason = "see above")]
        Term((index as u32) << 1)
    }

    #[must_use]
    pub fn sort(&self, term: Term) -> Sort {
        self.sorts[term.index()]
    }

    /// Where an integer's values (a map's elements) lie.
    #[must_use]
    pub fn interval(&self, term: Term) -> Interval {
        *self.ranges.get(self.intervals[term.index()].0)
    }

    /// The interval of a [`Node::Narrow`].
    #[must_use]
    pub fn range(&self, id: RangeId) -> Interval {
        *self.ranges.get(id.0)
    }

    /// The number of a [`Node::Const`].
    #[must_use]
    pub fn number(&self, id: ConstId) -> i128 {
        *self.consts.get(id.0)
    }

    /// The cases of a [`Node::Cases`].
    #[must_use]
    pub fn cases(&self, id: CasesId) -> &Cases {
        self.cases.get(id.0)
    }

    /// The name, sort and interval of a variable.
    #[must_use]
    pub fn var(&self, var: Var) -> &VarInfo {
        &self.vars[var.0 as usize]
    }

    /// All variables, in the order in which they were made.
    pub fn vars(&self) -> impl Iterator<Item = (Var, &VarInfo)> {
        (0u32..).map(Var).zip(&self.vars)
    }

    /// How many variables there are.
    #[must_use]
    pub fn var_count(&self) -> usize {
        self.vars.len()
    }

    pub fn fresh(&mut self, name: impl Into<String>, sort: Sort, interval: Interval) -> Term {
        let var = Var(u32::try_from(self.vars.len()).expect("fewer variables than 2^32"));
        let term = self.node(Node::Var(var), sort, interval);
        self.vars.push(VarInfo {
            name: name.into(),
            sort,
            interval,
            term,
        });
        term
    }

    /// The number that a term is.
    #[must_use]
    pub fn as_const(&self, term: Term) -> Option<i128> {
        match self.get(term) {
            Node::Const(id) => Some(self.number(id)),
            _ => None,
        }
    }

    /// The direct operands of a term, in order.
    pub fn operands(&self, term: Term, mut each: impl FnMut(Term)) {
        match self.get(term) {
            Node::True | Node::Var(_) | Node::Const(_) => {}
            Node::And(a, b) | Node::Eq(a, b) | Node::Le(a, b) | Node::SameMap(a, b) => {
                [a, b].into_iter().for_each(each);
            }
            Node::Op(_, a, b) | Node::Select(a, b) => [a, b].into_iter().for_each(each),
            Node::Ite(a, b, c) | Node::Store(a, b, c) => [a, b, c].into_iter().for_each(each),
            Node::Wrap(_, a) | Node::Narrow(_, a) | Node::Fill(a) => each(a),
            Node::Cases(id) => self.cases(id).iter().for_each(|&(_, guard)| each(guard)),
        }
    }

    /// The term of a node, new or known. Nothing is simplified here.
    fn node(&mut self, node: Node, sort: Sort, interval: Interval) -> Term {
        if let Some(&index) = self.known.get(&node) {
            return self.at(index as usize);
        }
        let index = u32::try_from(self.nodes.len())
            .ok()
            .filter(|&n| n < 1 << 31)
            .expect("fewer terms than 2^31");
        let range = self.ranges.intern(interval);
        self.nodes.push(node);
        self.sorts.push(sort);
        self.intervals.push(RangeId(range));
        self.known.insert(node, index);
        self.at(index as usize)
    }
}

impl Default for Terms {
    fn default() -> Self {
        Self::new()
    }
}
