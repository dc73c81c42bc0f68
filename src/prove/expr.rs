//! Expressions and places as Z3's terms, with the meaning that `ir` gives them.

use solver::z3::Sort;
use solver::z3::ast::{Ast, BV, Bool, Dynamic, Int};

use ir::{BinaryOp, ExprId, ExprKind, Place, Program, Root, Step, Type, TypeId, UnaryOp};

use super::code::TaskCode;
use super::segment::all;
use super::value::{
    Elements, Row, as_array, as_bits, as_bool, as_int, bounds, constant, elements, fresh, int,
    is_array, ite, key_sort, leaves, len_of, number, same, truth,
};
use super::wrapping::Wrapping;

/// The values of all variables that an instruction can see.
#[derive(Clone, Debug)]
pub struct Env {
    pub globals: Vec<Row>,
    /// The locals of the running task.
    pub locals: Vec<Row>,
    /// The running task's handle.
    pub me: Dynamic,
}

/// What the evaluation of an expression needs beside the values.
pub struct Eval<'a> {
    pub program: &'a Program,
    /// The task's instructions: its locals, and what it has of its own of globals.
    pub code: &'a TaskCode,
    pub env: &'a Env,
    /// The first local of the frame.
    pub frame: usize,
    /// Whether the task with a handle has finished.
    pub finished: &'a dyn Fn(&Dynamic) -> Bool,
    /// Takes a condition that a chosen value fulfils.
    pub chosen: &'a dyn Fn(Bool),
    /// Takes the condition that an integer does not wrap, if none may.
    pub stays: Option<&'a dyn Fn(Bool)>,
}

/// A value, or why there is none.
pub type Valued<T> = Result<T, String>;

impl Eval<'_> {
    /// Evaluates an expression.
    ///
    /// # Errors
    /// What is not handled.
    pub fn row(&self, e: ExprId) -> Valued<Row> {
        let expr = self.program.expr(e);
        Ok(match &expr.kind {
            ExprKind::Bool(b) => vec![truth(&Bool::from_bool(*b))],
            ExprKind::Int(n) => vec![match self.wrapping(expr.ty) {
                Some(wraps) => Dynamic::from_ast(&wraps.constant(n.0)),
                None => number(self.program, expr.ty, n.0),
            }],
            ExprKind::NoTask => vec![int(0)],
            ExprKind::SelfTask => vec![self.env.me.clone()],
            ExprKind::Local(l) => self.env.locals[self.frame + l.index()].clone(),
            ExprKind::Global(g) if self.code.unsteady.contains(g) => {
                let row = self.env.globals[g.index()].iter();
                let row: Row = row.map(|v| fresh("any", &v.get_sort())).collect();
                bounds(self.program, expr.ty, &row).for_each(self.chosen);
                row
            }
            ExprKind::Global(g) => self.env.globals[g.index()].clone(),
            ExprKind::Unary(op, a) => vec![self.unary(expr.ty, *op, *a)?],
            ExprKind::Binary(op, a, b) => vec![self.binary(expr.ty, *op, *a, *b)?],
            ExprKind::Ite(c, a, b) => {
                let (c, a, b) = (self.truth(*c)?, self.row(*a)?, self.row(*b)?);
                choice(&c, &a, &b)
            }
            ExprKind::Index(array, _) if let Some(own) = self.own(*array) => {
                self.env.locals[own].clone()
            }
            ExprKind::Index(array, index) => {
                let (all, at) = (self.row(*array)?, self.scalar(*index)?);
                let at = self.key(self.program.ty(*array), &at, *index);
                self.element(self.program.ty(*array), &all, &at).1
            }
            ExprKind::Field(record, field) => {
                let all = self.row(*record)?;
                let (from, to) = self.field(self.program.ty(*record), *field);
                all[from..to].to_vec()
            }
            ExprKind::Record(all) => self.rows(all)?.concat(),
            ExprKind::Array(all) => self.array(expr.ty, all)?,
            ExprKind::Fill(a) => {
                let inner = self.row(*a)?;
                self.fill(expr.ty, &inner)
            }
            ExprKind::Convert(a) => vec![self.convert(*a, expr.ty)?],
            ExprKind::Finished(a) => {
                let handle = self.scalar(*a)?;
                vec![truth(&(self.finished)(&handle))]
            }
        })
    }

    fn rows(&self, all: &[ExprId]) -> Valued<Vec<Row>> {
        all.iter().map(|&e| self.row(e)).collect()
    }

    /// The only leaf of a scalar.
    ///
    /// # Errors
    /// What is not handled.
    pub fn scalar(&self, e: ExprId) -> Valued<Dynamic> {
        let row = self.row(e)?;
        row.into_iter()
            .next()
            .ok_or_else(|| "an empty value".into())
    }

    /// A truth value.
    ///
    /// # Errors
    /// What is not handled.
    pub fn truth(&self, e: ExprId) -> Valued<Bool> {
        Ok(as_bool(&self.scalar(e)?))
    }

    /// An index as the containers of a type want it.
    fn key(&self, container: TypeId, at: &Dynamic, index: ExprId) -> Dynamic {
        if key_sort(self.program, container) != Sort::int() {
            return at.clone();
        }
        at.as_bv().map_or_else(
            || at.clone(),
            |bits| Dynamic::from_ast(&Int::from_bv(&bits, self.signed(self.program.ty(index)))),
        )
    }

    /// How computed values of a range wrap: see [`super::wrapping`]. Nothing is computed in ranges that a program declares.
    fn wrapping(&self, ty: TypeId) -> Option<Wrapping<'_>> {
        let Type::Range(lo, hi) = *self.program.types.get(ty) else {
            return None;
        };
        Some(Wrapping {
            bounds: (lo, hi),
            chosen: self.chosen,
            stays: self.stays,
        })
    }

    fn signed(&self, ty: TypeId) -> bool {
        matches!(self.program.types.get(ty), Type::Bits(bits) if bits.signed)
    }

    /// The type and the leaves of an element. An index outside of an array gives the last one; a check of the index stands before.
    fn element(&self, ty: TypeId, all: &[Dynamic], at: &Dynamic) -> (TypeId, Row) {
        let (how, of) = elements(self.program, ty);
        let Elements::Spread(n) = how else {
            return (
                of,
                all.iter().map(|leaf| as_array(leaf).select(at)).collect(),
            );
        };
        let width = len_of(self.program, of);
        let part = |i: u32| &all[i as usize * width..(i as usize + 1) * width];
        let mut row = part(n - 1).to_vec();
        for i in (0..n - 1).rev() {
            row = choice(&same(at, &int(i.into())), part(i), &row);
        }
        (of, row)
    }

    /// A record's field: its first leaf, and the one behind the last.
    fn field(&self, ty: TypeId, field: u32) -> (usize, usize) {
        let Type::Record(record) = self.program.types.get(ty) else {
            return (0, 0);
        };
        let mut widths = record.fields.iter().map(|f| len_of(self.program, f.1));
        let from = widths.clone().take(field as usize).sum();
        (from, from + widths.nth(field as usize).unwrap_or(0))
    }

    fn field_type(&self, ty: TypeId, field: u32) -> TypeId {
        match self.program.types.get(ty) {
            Type::Record(record) => record.fields[field as usize].1,
            _ => ty,
        }
    }

    fn array(&self, ty: TypeId, all: &[ExprId]) -> Valued<Row> {
        let parts = self.rows(all)?;
        if matches!(elements(self.program, ty).0, Elements::Spread(_)) {
            return Ok(parts.concat());
        }
        let mut row = match parts.first() {
            Some(first) => self.fill(ty, first),
            None => Row::new(),
        };
        for (i, part) in parts.iter().enumerate() {
            let at = int(i as i128);
            for (leaf, value) in row.iter_mut().zip(part) {
                *leaf = Dynamic::from_ast(&as_array(leaf).store(&at, value));
            }
        }
        Ok(row)
    }

    fn fill(&self, ty: TypeId, inner: &[Dynamic]) -> Row {
        match elements(self.program, ty).0 {
            Elements::Spread(n) => vec![inner; n as usize].concat(),
            Elements::Folded => {
                let key = [key_sort(self.program, ty)];
                inner.iter().map(|leaf| constant(&key, leaf)).collect()
            }
        }
    }

    fn convert(&self, a: ExprId, to: TypeId) -> Valued<Dynamic> {
        let (from, value) = (self.program.ty(a), self.scalar(a)?);
        let signed = self.signed(from);
        if let (Some(wraps), Some(value)) = (self.wrapping(to), value.as_int()) {
            let known = self.program.types.bounds(from);
            return Ok(Dynamic::from_ast(&wraps.converted(&value, known)));
        }
        Ok(match (value.as_bv(), self.program.types.get(to)) {
            (None, Type::Bits(bits)) => {
                Dynamic::from_ast(&BV::from_int(&as_int(&value), bits.width.into()))
            }
            (None, _) => value,
            (Some(v), Type::Bits(bits)) => {
                Dynamic::from_ast(&resized(&v, bits.width.into(), signed))
            }
            (Some(v), _) => Dynamic::from_ast(&Int::from_bv(&v, signed)),
        })
    }

    fn unary(&self, ty: TypeId, op: UnaryOp, a: ExprId) -> Valued<Dynamic> {
        let a = self.scalar(a)?;
        if let (Some(wraps), Some(value)) = (self.wrapping(ty), a.as_int()) {
            return Ok(Dynamic::from_ast(&match op {
                UnaryOp::BitNot => wraps.complement(&value),
                UnaryOp::Neg | UnaryOp::Not => wraps.negated(&value),
            }));
        }
        Ok(match (op, a.as_bv()) {
            (UnaryOp::Not, _) => truth(&as_bool(&a).not()),
            (UnaryOp::Neg, Some(v)) => Dynamic::from_ast(&v.bvneg()),
            (UnaryOp::Neg, None) => Dynamic::from_ast(&as_int(&a).unary_minus()),
            (UnaryOp::BitNot, Some(v)) => Dynamic::from_ast(&v.bvnot()),
            (UnaryOp::BitNot, None) => {
                return Err("the complement of a number without a width".into());
            }
        })
    }

    fn binary(&self, ty: TypeId, op: BinaryOp, a: ExprId, b: ExprId) -> Valued<Dynamic> {
        if op == BinaryOp::Eq {
            let ty = self.program.ty(a);
            let (a, b) = (self.row(a)?, self.row(b)?);
            return Ok(truth(&self.equal(ty, &a, &b)?));
        }
        let signed = self.signed(self.program.ty(a));
        let (a, b) = (self.scalar(a)?, self.scalar(b)?);
        match op {
            BinaryOp::And => Ok(truth(&Bool::and(&[as_bool(&a), as_bool(&b)]))),
            BinaryOp::Or => Ok(truth(&Bool::or(&[as_bool(&a), as_bool(&b)]))),
            BinaryOp::Implies => Ok(truth(&as_bool(&a).implies(as_bool(&b)))),
            _ if a.as_bv().is_some() => Ok(machine(op, &as_bits(&a), &as_bits(&b), signed)),
            _ => match self.wrapping(ty) {
                Some(wraps) => Ok(wraps.binary(op, &as_int(&a), &as_int(&b))),
                None => mathematical(op, &as_int(&a), &as_int(&b)),
            },
        }
    }

    fn equal(&self, ty: TypeId, a: &[Dynamic], b: &[Dynamic]) -> Valued<Bool> {
        if a.iter().any(is_array) {
            let exact = leaves(self.program, ty).is_some_and(|all| {
                all.iter()
                    .all(|leaf| leaf.keys.iter().all(|k| *k != Sort::int()))
            });
            let keyed = matches!(self.program.types.get(ty), Type::Map(key, of)
                if matches!(self.program.types.get(*key), Type::Int) && self.program.types.is_scalar(*of));
            if !exact && !keyed {
                return Err("a comparison of whole arrays or maps".into());
            }
        }
        let parts: Vec<Bool> = a.iter().zip(b).map(|(x, y)| same(x, y)).collect();
        Ok(all(&parts))
    }

    /// The value of a variable after a part of it was replaced.
    ///
    /// # Errors
    /// What is not handled.
    pub fn stored(&self, place: &Place, whole: &[Dynamic], value: &[Dynamic]) -> Valued<Row> {
        let (ty, path) = match place.root {
            Root::Global(g) => match self.code.own.get(&g) {
                Some(&own) => (self.code.locals[own].ty, &place.path[1..]),
                None => (self.program.globals[g.index()].ty, &place.path[..]),
            },
            Root::Local(l) => {
                let local = self.frame + l.index();
                (self.code.locals[local].ty, &place.path[..])
            }
        };
        self.replaced(ty, path, whole, value)
    }

    /// The local that stands for the task's element of an array.
    fn own(&self, array: ExprId) -> Option<usize> {
        match self.program.expr(array).kind {
            ExprKind::Global(global) => self.code.own.get(&global).copied(),
            _ => None,
        }
    }

    fn replaced(
        &self,
        ty: TypeId,
        path: &[Step],
        whole: &[Dynamic],
        value: &[Dynamic],
    ) -> Valued<Row> {
        let Some((step, rest)) = path.split_first() else {
            return Ok(value.to_vec());
        };
        match step {
            Step::Field(field) => {
                let (from, to) = self.field(ty, *field);
                let inner = self.field_type(ty, *field);
                let part = self.replaced(inner, rest, &whole[from..to], value)?;
                Ok([&whole[..from], &part, &whole[to..]].concat())
            }
            Step::Index(index) => {
                let at = self.key(ty, &self.scalar(*index)?, *index);
                let (of, old) = self.element(ty, whole, &at);
                let new = self.replaced(of, rest, &old, value)?;
                Ok(self.with_element(ty, whole, &at, &new))
            }
        }
    }

    /// Replaces an element of an array or map. A check of the index stands before: an array of one element has no other.
    fn with_element(&self, ty: TypeId, whole: &[Dynamic], at: &Dynamic, new: &[Dynamic]) -> Row {
        let (how, of) = elements(self.program, ty);
        match how {
            Elements::Spread(1) => new.to_vec(),
            Elements::Spread(n) => {
                let width = len_of(self.program, of);
                (0..n)
                    .flat_map(|i| {
                        let here = same(at, &int(i.into()));
                        let old = &whole[i as usize * width..(i as usize + 1) * width];
                        choice(&here, new, old)
                    })
                    .collect()
            }
            Elements::Folded => whole
                .iter()
                .zip(new)
                .map(|(leaf, value)| Dynamic::from_ast(&as_array(leaf).store(at, value)))
                .collect(),
        }
    }
}

/// The row `yes` if the condition holds, else the row `no`.
#[must_use]
pub fn choice(cond: &Bool, yes: &[Dynamic], no: &[Dynamic]) -> Row {
    yes.iter().zip(no).map(|(a, b)| ite(cond, a, b)).collect()
}

/// A machine integer with another width.
fn resized(v: &BV, width: u32, signed: bool) -> BV {
    let own = v.get_size();
    if width <= own {
        return v.extract(width - 1, 0);
    }
    if signed {
        v.sign_ext(width - own)
    } else {
        v.zero_ext(width - own)
    }
}

/// Operations on `int`. Division is Euclidean, as in SMT-LIB; by zero it gives 0.
fn mathematical(op: BinaryOp, a: &Int, b: &Int) -> Valued<Dynamic> {
    let zero = Int::from_i64(0);
    let unless_zero = |value: Int| b.eq(&zero).ite(&zero, &value);
    Ok(match op {
        BinaryOp::Add => Dynamic::from_ast(&Int::add(&[a, b])),
        BinaryOp::Sub => Dynamic::from_ast(&Int::sub(&[a, b])),
        BinaryOp::Mul => Dynamic::from_ast(&Int::mul(&[a, b])),
        BinaryOp::Div => Dynamic::from_ast(&unless_zero(a.div(b))),
        BinaryOp::Rem => Dynamic::from_ast(&unless_zero(a.modulo(b))),
        BinaryOp::Lt => truth(&a.lt(b)),
        BinaryOp::Le => truth(&a.le(b)),
        _ => return Err("an operation on bits of numbers without a width".into()),
    })
}

/// Operations on machine integers. Division goes towards zero; by zero it gives 0.
fn machine(op: BinaryOp, a: &BV, b: &BV, signed: bool) -> Dynamic {
    let zero = BV::from_u64(0, a.get_size());
    let unless_zero = |value: BV| b.eq(&zero).ite(&zero, &value);
    let made = match (op, signed) {
        (BinaryOp::Lt, true) => return truth(&a.bvslt(b)),
        (BinaryOp::Lt, false) => return truth(&a.bvult(b)),
        (BinaryOp::Le, true) => return truth(&a.bvsle(b)),
        (BinaryOp::Le, false) => return truth(&a.bvule(b)),
        (BinaryOp::Add, _) => a.bvadd(b),
        (BinaryOp::Sub, _) => a.bvsub(b),
        (BinaryOp::Mul, _) => a.bvmul(b),
        (BinaryOp::Div, true) => unless_zero(a.bvsdiv(b)),
        (BinaryOp::Div, false) => unless_zero(a.bvudiv(b)),
        (BinaryOp::Rem, true) => unless_zero(a.bvsrem(b)),
        (BinaryOp::Rem, false) => unless_zero(a.bvurem(b)),
        (BinaryOp::BitAnd, _) => a.bvand(b),
        (BinaryOp::BitOr, _) => a.bvor(b),
        (BinaryOp::BitXor, _) => a.bvxor(b),
        (BinaryOp::Shl, _) => a.bvshl(b),
        (BinaryOp::Shr, true) => a.bvashr(b),
        (BinaryOp::Shr, false) => a.bvlshr(b),
        (BinaryOp::Eq | BinaryOp::And | BinaryOp::Or | BinaryOp::Implies, _) => {
            unreachable!("not arithmetic")
        }
    };
    Dynamic::from_ast(&made)
}
