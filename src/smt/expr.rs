//! Expressions as rows of leaves, and assignments to parts of variables.
//!
//! A [`Scope`] says what variables hold, and what is known where the expression stands.

use ir::{BinaryOp, ExprId, ExprKind, GlobalId, LocalId, Program, Type, TypeId, UnaryOp};

use super::exec::{Leaves, Stop};
use super::layout::{Elements, Layouts, machine};
use super::term::{Bits, Interval, Node, Op, Sort, Term, Terms};

/// What an expression may look at.
pub trait Scope {
    /// The leaves of a global.
    fn global(&self, global: GlobalId) -> &[Term];
    /// The leaves of a local of the running procedure.
    fn local(&self, local: LocalId) -> &[Term];
    /// What is known of a truth value without asking a solver.
    fn knows(&self, terms: &Terms, term: Term) -> Option<bool>;
    /// The running task, where there are tasks.
    fn me(&self) -> Option<u32> {
        None
    }
    /// The tasks that have finished, where there are tasks.
    fn finished(&self) -> Option<Vec<u32>> {
        None
    }
}

/// Makes the terms of expressions.
pub struct Eval<'a, 'p, S> {
    pub program: &'p Program,
    /// How the program's values are laid out.
    pub layouts: &'a Layouts<'p>,
    /// The table in which terms are made.
    pub terms: &'a mut Terms,
    pub scope: S,
}

/// The largest array or map whose equality is written out element by element.
const MOST_COMPARED: i128 = 4096;

impl<S: Scope> Eval<'_, '_, S> {
    /// A truth value, decided by what the path knows if possible.
    pub fn truth(&mut self, expr: ExprId) -> Result<Term, Stop> {
        let term = self.scalar(expr)?;
        Ok(self
            .scope
            .knows(self.terms, term)
            .map_or(term, Term::of_bool))
    }

    /// A value with one leaf.
    pub fn scalar(&mut self, expr: ExprId) -> Result<Term, Stop> {
        Ok(self.eval(expr)?[0])
    }

    pub fn eval(&mut self, expr: ExprId) -> Result<Leaves, Stop> {
        let program = self.program;
        let e = program.expr(expr);
        Ok(match &e.kind {
            ExprKind::Bool(value) => one(Term::of_bool(*value)),
            ExprKind::Int(value) => one(self.terms.int(value.0)),
            ExprKind::NoTask => one(self.terms.int(0)),
            ExprKind::Local(local) => self.read(self.scope.local(*local)),
            ExprKind::Global(global) => self.read(self.scope.global(*global)),
            ExprKind::Unary(op, a) => {
                let a_ty = program.ty(*a);
                let a = self.scalar(*a)?;
                one(self.unary(*op, a, a_ty))
            }
            ExprKind::Binary(op, a, b) => one(self.binary(*op, *a, *b)?),
            ExprKind::Ite(c, a, b) => self.choice(*c, *a, *b)?,
            ExprKind::Index(a, i) => self.index(*a, *i)?,
            ExprKind::Field(a, field) => {
                let (at, ty) = self.layouts.field(program.ty(*a), *field);
                let len = self.layouts.len(ty);
                self.leaves_of(*a, at, len)?
            }
            ExprKind::Record(parts) => self.row(parts)?,
            ExprKind::Array(parts) => match self.layouts.elements(e.ty).0 {
                Elements::Spread { .. } => self.row(parts)?,
                Elements::Folded => self.folded(e.ty, parts)?,
            },
            ExprKind::Fill(a) => self.fill(e.ty, *a)?,
            ExprKind::Convert(a) => {
                let a = self.scalar(*a)?;
                one(match self.layouts.ty(e.ty) {
                    Type::Bits(bits) => self.terms.wrap(machine(*bits), a),
                    _ => a,
                })
            }
            ExprKind::SelfTask => {
                let me = self.scope.me().ok_or_else(about_tasks)?;
                one(self.terms.int(me.into()))
            }
            ExprKind::Finished(task) => one(self.finished(*task)?),
        })
    }

    /// Leaves of a variable, simplified by what the path knows.
    fn read(&self, leaves: &[Term]) -> Leaves {
        leaves.iter().map(|&leaf| self.resolve(leaf)).collect()
    }

    /// Replaces a choice that the path has made by the branch taken.
    pub fn resolve(&self, mut leaf: Term) -> Term {
        for _ in 0..16 {
            let Node::Ite(c, a, b) = self.terms.get(leaf) else {
                break;
            };
            let Some(known) = self.scope.knows(self.terms, c) else {
                break;
            };
            let taken = if known { a } else { b };
            leaf = if leaf.negated() { !taken } else { taken };
        }
        leaf
    }

    /// Some leaves of a value. For a variable, this reads only these leaves.
    fn leaves_of(&mut self, whole: ExprId, at: usize, len: usize) -> Result<Leaves, Stop> {
        let e = self.program.expr(whole);
        match &e.kind {
            ExprKind::Local(local) => Ok(self.read(&self.scope.local(*local)[at..at + len])),
            ExprKind::Global(global) => Ok(self.read(&self.scope.global(*global)[at..at + len])),
            ExprKind::Field(outer, field) => {
                let before = self.layouts.field(self.program.ty(*outer), *field).0;
                self.leaves_of(*outer, before + at, len)
            }
            _ => Ok(self.eval(whole)?[at..at + len].into()),
        }
    }

    /// Whether a handle is that of a task that has finished.
    fn finished(&mut self, task: ExprId) -> Result<Term, Stop> {
        let finished = self.scope.finished().ok_or_else(about_tasks)?;
        let handle = self.scalar(task)?;
        let mut any = Term::FALSE;
        for task in finished {
            let number = self.terms.int(task.into());
            let this = self.terms.eq(handle, number);
            any = self.terms.or(any, this);
        }
        Ok(any)
    }

    fn row(&mut self, parts: &[ExprId]) -> Result<Leaves, Stop> {
        let mut row = Leaves::new();
        for &part in parts {
            row.extend(self.eval(part)?);
        }
        Ok(row)
    }

    fn folded(&mut self, ty: TypeId, parts: &[ExprId]) -> Result<Leaves, Stop> {
        let Some(&first) = parts.first() else {
            return Err(Stop::Unsupported("an array without elements".to_owned()));
        };
        let mut row = self.fill(ty, first)?;
        for (i, &part) in parts.iter().enumerate().skip(1) {
            let index = self.terms.int(i as i128);
            for (leaf, value) in row.iter_mut().zip(self.eval(part)?) {
                *leaf = self.terms.store(*leaf, index, value);
            }
        }
        Ok(row)
    }

    fn fill(&mut self, ty: TypeId, element: ExprId) -> Result<Leaves, Stop> {
        let element = self.eval(element)?;
        Ok(match self.layouts.elements(ty).0 {
            Elements::Spread { len, .. } => std::iter::repeat_n(element, len).flatten().collect(),
            Elements::Folded => element
                .into_iter()
                .map(|leaf| self.terms.fill(leaf))
                .collect(),
        })
    }

    fn choice(&mut self, c: ExprId, a: ExprId, b: ExprId) -> Result<Leaves, Stop> {
        let c = self.truth(c)?;
        if let Some(known) = c.known() {
            return self.eval(if known { a } else { b });
        }
        let (a, b) = (self.eval(a)?, self.eval(b)?);
        Ok(a.into_iter()
            .zip(b)
            .map(|(a, b)| self.terms.ite(c, a, b))
            .collect())
    }

    fn index(&mut self, array: ExprId, index: ExprId) -> Result<Leaves, Stop> {
        let index_ty = self.program.ty(index);
        let index = self.scalar(index)?;
        let index = self.as_index(index, index_ty);
        let (elements, element) = self.layouts.elements(self.program.ty(array));
        let width = self.layouts.len(element);
        match elements {
            Elements::Spread { first, len } => {
                if let Some(at) = self.terms.as_const(index) {
                    // Out of bounds: any element; a check stands before it.
                    let at = usize::try_from(at - first).map_or(0, |at| at.min(len - 1));
                    return self.leaves_of(array, at * width, width);
                }
                let guards = self.guards(index, first, len);
                let all = self.eval(array)?;
                Ok((0..width)
                    .map(|leaf| self.pick(&guards, &all, width, leaf))
                    .collect())
            }
            Elements::Folded => {
                let maps = self.eval(array)?;
                Ok(maps
                    .into_iter()
                    .map(|map| self.terms.select(map, index))
                    .collect())
            }
        }
    }

    fn pick(&mut self, guards: &[(usize, Term)], all: &[Term], width: usize, leaf: usize) -> Term {
        let arms: Vec<_> = guards
            .iter()
            .map(|&(at, guard)| (guard, all[at * width + leaf]))
            .collect();
        self.terms.switch(&arms)
    }

    /// A key as a number: truth values are 0 and 1.
    pub fn as_index(&mut self, index: Term, ty: TypeId) -> Term {
        if !matches!(self.layouts.ty(ty), Type::Bool) {
            return index;
        }
        let (zero, one) = (self.terms.int(0), self.terms.int(1));
        self.terms.ite(index, one, zero)
    }

    /// For each element that an index may mean: its position, and the condition that the index means it. The conditions exclude
    /// each other, and one holds: an index outside means the last element.
    pub fn guards(&mut self, index: Term, first: i128, len: usize) -> Vec<(usize, Term)> {
        let mut guards = Vec::new();
        let mut rest = Term::TRUE;
        for at in 0..len - 1 {
            let value = self.terms.int(first + at as i128);
            let guard = self.terms.eq(index, value);
            if guard != Term::FALSE {
                guards.push((at, guard));
                rest = self.terms.and(rest, !guard);
            }
        }
        if rest != Term::FALSE {
            guards.push((len - 1, rest));
        }
        guards
    }

    fn unary(&mut self, op: UnaryOp, a: Term, ty: TypeId) -> Term {
        let value = match op {
            UnaryOp::Not => return !a,
            UnaryOp::Neg => self.terms.neg(a),
            // not x = -x - 1
            UnaryOp::BitNot => {
                let (negated, minus_one) = (self.terms.neg(a), self.terms.int(-1));
                self.terms.add(negated, minus_one)
            }
        };
        self.wrapped(value, ty)
    }

    /// The result of an operation on machine integers.
    fn wrapped(&mut self, value: Term, ty: TypeId) -> Term {
        match self.layouts.ty(ty) {
            Type::Bits(bits) => self.terms.wrap(machine(*bits), value),
            _ => value,
        }
    }

    fn binary(&mut self, op: BinaryOp, a: ExprId, b: ExprId) -> Result<Term, Stop> {
        match op {
            BinaryOp::And | BinaryOp::Or | BinaryOp::Implies => self.connective(op, a, b),
            BinaryOp::Eq => {
                let ty = self.program.ty(a);
                let (a, b) = (self.eval(a)?, self.eval(b)?);
                self.equal(ty, &a, &b)
            }
            _ => {
                let ty = self.program.ty(a);
                let (a, b) = (self.scalar(a)?, self.scalar(b)?);
                Ok(self.arithmetic(op, a, b, ty))
            }
        }
    }

    fn connective(&mut self, op: BinaryOp, a: ExprId, b: ExprId) -> Result<Term, Stop> {
        let a = self.truth(a)?;
        let decided = match (op, a) {
            (BinaryOp::And, Term::FALSE) => Some(Term::FALSE),
            (BinaryOp::Or, Term::TRUE) | (BinaryOp::Implies, Term::FALSE) => Some(Term::TRUE),
            _ => None,
        };
        if let Some(decided) = decided {
            return Ok(decided);
        }
        let b = self.truth(b)?;
        Ok(match op {
            BinaryOp::And => self.terms.and(a, b),
            BinaryOp::Or => self.terms.or(a, b),
            _ => self.terms.implies(a, b),
        })
    }

    /// Makes the condition that two values of a type are equal.
    pub fn equal(&mut self, ty: TypeId, a: &[Term], b: &[Term]) -> Result<Term, Stop> {
        if a == b {
            return Ok(Term::TRUE);
        }
        if self.has_map(ty) {
            return self.equal_parts(ty, a, b);
        }
        let mut all = Term::TRUE;
        for (&x, &y) in a.iter().zip(b) {
            let same = self.terms.same(x, y);
            all = self.terms.and(all, same);
        }
        Ok(all)
    }

    /// The same where leaves are maps. The map of a long array has elements outside of the array: they do not count.
    fn equal_parts(&mut self, ty: TypeId, a: &[Term], b: &[Term]) -> Result<Term, Stop> {
        let parts = match self.layouts.ty(ty) {
            Type::Record(record) => record.fields.iter().map(|f| f.1).collect(),
            Type::Array(..) | Type::Map(..) => match self.layouts.elements(ty) {
                (Elements::Spread { len, .. }, element) => vec![element; len],
                (Elements::Folded, element) => return self.equal_maps(ty, element, a, b),
            },
            _ => unreachable!("no other value has maps"),
        };
        let (mut all, mut at) = (Term::TRUE, 0);
        for part in parts {
            let end = at + self.layouts.len(part);
            let same = self.equal(part, &a[at..end], &b[at..end])?;
            all = self.terms.and(all, same);
            at = end;
        }
        Ok(all)
    }

    fn equal_maps(
        &mut self,
        ty: TypeId,
        element: TypeId,
        a: &[Term],
        b: &[Term],
    ) -> Result<Term, Stop> {
        let indices = match self.layouts.ty(ty) {
            Type::Array(len, _) => 0..i128::from(*len),
            Type::Map(key, _) => match self.program.types.bounds(*key) {
                Some((lo, hi)) if hi - lo < MOST_COMPARED => lo..hi + 1,
                // There are too many keys to compare each, so whole maps are compared.
                _ => {
                    let pairs: Vec<_> = a.iter().copied().zip(b.iter().copied()).collect();
                    let same: Vec<_> = pairs
                        .into_iter()
                        .map(|(x, y)| self.terms.same(x, y))
                        .collect();
                    return Ok(self.terms.all(same));
                }
            },
            _ => unreachable!("only arrays and maps are folded"),
        };
        if indices.end - indices.start > MOST_COMPARED {
            return Err(Stop::Unsupported(format!(
                "a comparison of arrays of {} elements",
                indices.end
            )));
        }
        let mut all = Term::TRUE;
        for i in indices {
            let index = self.terms.int(i);
            let x: Leaves = a.iter().map(|&map| self.terms.select(map, index)).collect();
            let y: Leaves = b.iter().map(|&map| self.terms.select(map, index)).collect();
            let same = self.equal(element, &x, &y)?;
            all = self.terms.and(all, same);
        }
        Ok(all)
    }

    pub fn has_map(&self, ty: TypeId) -> bool {
        self.layouts
            .leaves(ty)
            .iter()
            .any(|leaf| matches!(leaf.sort, Sort::Map { .. }))
    }

    fn arithmetic(&mut self, op: BinaryOp, a: Term, b: Term, ty: TypeId) -> Term {
        let bits = match self.layouts.ty(ty) {
            Type::Bits(bits) => Some(machine(*bits)),
            _ => None,
        };
        let value = match op {
            BinaryOp::Lt => return self.terms.lt(a, b),
            BinaryOp::Le => return self.terms.le(a, b),
            BinaryOp::Add => self.terms.add(a, b),
            BinaryOp::Sub => self.terms.sub(a, b),
            BinaryOp::Mul => self.terms.op(Op::Mul, a, b),
            BinaryOp::Div => self.terms.op(
                if bits.is_some() {
                    Op::TruncDiv
                } else {
                    Op::Div
                },
                a,
                b,
            ),
            BinaryOp::Rem => self.terms.op(
                if bits.is_some() {
                    Op::TruncRem
                } else {
                    Op::Rem
                },
                a,
                b,
            ),
            BinaryOp::BitAnd => self.terms.op(Op::BitAnd, a, b),
            BinaryOp::BitOr => self.terms.op(Op::BitOr, a, b),
            BinaryOp::BitXor => self.terms.op(Op::BitXor, a, b),
            BinaryOp::Shl | BinaryOp::Shr => self.shift(
                op,
                a,
                b,
                bits.unwrap_or(Bits {
                    width: 64,
                    signed: true,
                }),
            ),
            BinaryOp::Eq | BinaryOp::And | BinaryOp::Or | BinaryOp::Implies => {
                unreachable!("not arithmetic")
            }
        };
        bits.map_or(value, |bits| self.terms.wrap(bits, value))
    }

    /// The amount is read as unsigned; at the width and beyond all bits are gone.
    fn shift(&mut self, op: BinaryOp, a: Term, amount: Term, bits: Bits) -> Term {
        let amount = self.terms.wrap(
            Bits {
                signed: false,
                ..bits
            },
            amount,
        );
        let width = self.terms.int(i128::from(bits.width));
        let within = self.terms.lt(amount, width);
        let zero = self.terms.int(0);
        let small = self.terms.ite(within, amount, zero);
        let small = self
            .terms
            .narrow(Interval::new(0, i128::from(bits.width) - 1), small);
        let (shifted, gone) = if op == BinaryOp::Shl {
            (self.terms.op(Op::Shl, a, small), zero)
        } else {
            let (minus_one, negative) = (self.terms.int(-1), self.terms.lt(a, zero));
            (
                self.terms.op(Op::Shr, a, small),
                self.terms.ite(negative, minus_one, zero),
            )
        };
        self.terms.ite(within, shifted, gone)
    }
}

fn one(term: Term) -> Leaves {
    smallvec::smallvec![term]
}

fn about_tasks() -> Stop {
    Stop::Unsupported("an expression about tasks is left in the sequential program".to_owned())
}
