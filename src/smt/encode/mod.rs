//! From terms to the language of SMT solvers.
//!
//! The encoding is written once, over a [`Backend`] that builds Z3's terms, prints text, or builds circuits for the SAT solver.

mod integer;
mod plan;
mod small;
mod trial;

use std::collections::BTreeMap;

use rustc_hash::FxHashMap;

use super::limit::late;
use super::term::{Node, Sort, Term, Terms, Var};
use base::clock::Instant;

use plan::free;
pub use plan::{Encoding, Plan};

/// A sort of SMT-LIB.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum SmtSort {
    Bool,
    Int,
    /// `(_ BitVec n)`
    Bits(u32),
    /// `(Array index element)`
    Array(Box<SmtSort>, Box<SmtSort>),
}

/// A function of SMT-LIB.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are those of SMT-LIB")]
pub enum Fun {
    Not,
    And,
    Or,
    Ite,
    Eq,
    Add,
    Neg,
    Mul,
    Div,
    Mod,
    Le,
    Lt,
    BvAdd,
    BvNeg,
    BvMul,
    BvUdiv,
    BvUrem,
    BvSdiv,
    BvSrem,
    BvAnd,
    BvOr,
    BvXor,
    BvShl,
    BvLshr,
    BvAshr,
    BvUle,
    BvSle,
    BvSlt,
    Extract(u32, u32),
    ZeroExtend(u32),
    SignExtend(u32),
    IntToBv(u32),
    BvToInt,
    Select,
    Store,
    ConstArray(SmtSort),
}

/// Makes the solver's terms.
pub trait Backend {
    type Ast: Clone;
    fn declare(&mut self, name: &str, sort: &SmtSort) -> Self::Ast;
    fn truth(&mut self, value: bool) -> Self::Ast;
    fn int(&mut self, value: i128) -> Self::Ast;
    fn bits(&mut self, value: i128, width: u32) -> Self::Ast;
    /// An application. Arguments have the right sorts.
    fn apply(&mut self, fun: &Fun, args: &[Self::Ast]) -> Self::Ast;
}

pub struct Encoder<'t, B: Backend> {
    terms: &'t Terms,
    plan: Plan,
    /// Where the solver's terms are made.
    pub backend: B,
    done: Vec<Option<B::Ast>>,
    numbers: FxHashMap<(Term, Encoding), B::Ast>,
    /// The variables that were declared.
    pub vars: Vec<(Var, B::Ast)>,
    axioms: Vec<B::Ast>,
    /// For each class that is being tried, the assumption that nothing leaves its width; and how many axioms depend on these.
    assumptions: BTreeMap<usize, B::Ast>,
    assumed: usize,
    problem: Option<String>,
    deadline: Option<Instant>,
    steps: usize,
    late: bool,
}

/// How many terms are encoded between two looks at the clock.
const STEPS: usize = 256;

impl<'t, B: Backend> Encoder<'t, B> {
    /// Makes an encoder for the terms that these roots need.
    #[must_use]
    pub fn new(terms: &'t Terms, roots: &[Term], backend: B) -> Self {
        Self::with(terms, Plan::new(terms, roots), backend)
    }

    #[must_use]
    pub fn with(terms: &'t Terms, plan: Plan, backend: B) -> Self {
        Self {
            terms,
            plan,
            backend,
            done: vec![None; terms.len()],
            numbers: FxHashMap::default(),
            vars: Vec::new(),
            axioms: Vec::new(),
            assumptions: BTreeMap::new(),
            assumed: 0,
            problem: None,
            deadline: None,
            steps: 0,
            late: false,
        }
    }

    /// Gives up at a deadline.
    #[must_use]
    pub fn until(mut self, deadline: Instant) -> Self {
        self.deadline = Some(deadline);
        self
    }

    /// Whether the deadline has passed. Then terms that were returned since mean nothing.
    #[must_use]
    pub fn is_late(&self) -> bool {
        self.late
    }

    fn goes_on(&mut self) -> bool {
        self.steps += 1;
        if let Some(deadline) = self.deadline
            && self.steps.is_multiple_of(STEPS)
        {
            self.late |= late(deadline).is_some();
        }
        !self.late
    }

    /// The encodings of variables, and of the indices and elements of maps.
    #[must_use]
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// Takes the axioms that were made since the last call: bounds of variables, and what follows from the assumptions of trials.
    pub fn take_axioms(&mut self) -> Vec<B::Ast> {
        std::mem::take(&mut self.axioms)
    }

    /// The part of the goal that cannot be encoded, if any.
    #[must_use]
    pub fn problem(&self) -> Option<&str> {
        self.problem.as_deref()
    }

    /// The solver's term of a root or a part of one.
    ///
    /// # Panics
    /// If it is neither.
    pub fn term(&mut self, term: Term) -> B::Ast {
        if self.terms.sort(term) == Sort::Int && free(self.terms, term) {
            let own = self.plan.encoding(term);
            return self.number(term, own);
        }
        let mut open = vec![term];
        while let Some(&top) = open.last() {
            if !self.goes_on() {
                return self.backend.truth(false);
            }
            if self.done[top.index()].is_some() {
                open.pop();
                continue;
            }
            let before = open.len();
            self.terms.operands(top, |o| {
                if self.done[o.index()].is_none() && !matches!(self.terms.get(o), Node::Const(_)) {
                    open.push(o);
                }
            });
            if open.len() == before {
                open.pop();
                let made = self.node(top.positive());
                self.done[top.index()] = made;
            }
        }
        self.truth(term)
    }

    /// The encoding of a term that is done; of a truth value, with its negation.
    fn truth(&mut self, term: Term) -> B::Ast {
        let done = self.done[term.index()]
            .clone()
            .expect("operands are encoded first");
        if term.negated() {
            self.backend.apply(&Fun::Not, &[done])
        } else {
            done
        }
    }

    /// An operand in the encoding of its class; a number, or a choice between numbers, in the given one.
    fn in_class(&mut self, term: Term, encoding: Encoding) -> B::Ast {
        if self.terms.sort(term) == Sort::Int && free(self.terms, term) {
            return self.number(term, encoding);
        }
        self.truth(term)
    }

    fn node(&mut self, term: Term) -> Option<B::Ast> {
        Some(match self.terms.get(term) {
            Node::True => self.backend.truth(true),
            Node::Var(var) => self.variable(term, var),
            Node::And(a, b) => {
                let args = [self.truth(a), self.truth(b)];
                self.backend.apply(&Fun::And, &args)
            }
            Node::Ite(c, a, b) => {
                let encoding = self.plan.encoding(term);
                let args = [
                    self.truth(c),
                    self.in_class(a, encoding),
                    self.in_class(b, encoding),
                ];
                self.backend.apply(&Fun::Ite, &args)
            }
            Node::Eq(a, b) => self.compare(a, b, true),
            Node::Le(a, b) => self.compare(a, b, false),
            Node::SameMap(a, b) => {
                let args = [self.truth(a), self.truth(b)];
                self.backend.apply(&Fun::Eq, &args)
            }
            // Each term that uses one of these encodes it.
            Node::Const(_) | Node::Cases(_) => self.backend.truth(true),
            Node::Op(op, a, b) => {
                let encoding = self.plan.encoding(term);
                let args = [self.in_class(a, encoding), self.in_class(b, encoding)];
                let result = self.operation(op, (a, b), args.clone(), encoding);
                self.watch(term, op, &args, &result);
                result
            }
            Node::Wrap(bits, a) => {
                let encoding = self.plan.encoding(term);
                let a = self.in_class(a, encoding);
                self.wrap(bits, a, encoding)
            }
            Node::Narrow(_, a) => {
                let encoding = self.plan.encoding(term);
                self.in_class(a, encoding)
            }
            Node::Fill(_) | Node::Store(..) | Node::Select(..) => self.map_node(term),
        })
    }

    /// A map, or what a map holds.
    fn map_node(&mut self, term: Term) -> B::Ast {
        match self.terms.get(term) {
            Node::Fill(a) => {
                let sort = self.sort(term);
                let encoding = self.plan.encoding(term);
                let a = self.in_class(a, encoding);
                self.backend.apply(&Fun::ConstArray(sort), &[a])
            }
            Node::Store(map, index, value) => {
                let (at, of) = (self.plan.index(map, 1), self.plan.encoding(map));
                let args = [
                    self.truth(map),
                    self.in_class(index, at),
                    self.in_class(value, of),
                ];
                self.backend.apply(&Fun::Store, &args)
            }
            Node::Select(map, index) => {
                let at = self.plan.index(map, 1);
                let args = [self.truth(map), self.in_class(index, at)];
                let selected = self.backend.apply(&Fun::Select, &args);
                self.bound(term, &selected);
                selected
            }
            _ => unreachable!("no other node is about maps"),
        }
    }

    fn variable(&mut self, term: Term, var: Var) -> B::Ast {
        let sort = self.sort(term);
        let name = format!("{} {}", self.terms.var(var).name, var.0);
        let declared = match (sort, self.own_width(term)) {
            (SmtSort::Bits(width), Some(own)) if own < width => {
                let narrow = self.backend.declare(&name, &SmtSort::Bits(own));
                let wider = Fun::SignExtend(width - own);
                self.backend.apply(&wider, &[narrow])
            }
            (sort, _) => self.backend.declare(&name, &sort),
        };
        self.bound(term, &declared);
        self.vars.push((var, declared.clone()));
        declared
    }

    /// How many bits an integer variable has, where that is less than its encoding has.
    fn own_width(&self, term: Term) -> Option<u32> {
        match self.terms.sort(term) {
            Sort::Int => self.plan.own_width(term),
            _ => None,
        }
    }

    /// The sort of a term's encoding.
    fn sort(&self, term: Term) -> SmtSort {
        let number = |encoding| match encoding {
            Encoding::Int => SmtSort::Int,
            Encoding::Bits { width, .. } => SmtSort::Bits(width),
        };
        match self.terms.sort(term) {
            Sort::Bool => SmtSort::Bool,
            Sort::Int => number(self.plan.encoding(term)),
            Sort::Map { depth, bools } => {
                let element = if bools {
                    SmtSort::Bool
                } else {
                    number(self.plan.encoding(term))
                };
                (1..=u32::from(depth)).rev().fold(element, |inner, d| {
                    SmtSort::Array(Box::new(number(self.plan.index(term, d))), Box::new(inner))
                })
            }
        }
    }
}
