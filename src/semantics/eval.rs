//! Expressions over whole values and exact integers.

use std::borrow::Cow;
use std::cell::{Cell, RefCell};

use ir::{
    BinaryOp, ExprId, ExprKind, GlobalId, Program, Step, Type, TypeId, UnaryOp, Value, arith,
};

/// Why an expression has no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoValue {
    /// It depends on a value that was never chosen.
    Unchosen,
    /// A number grows beyond 128 bits.
    TooLarge,
    /// The program is not well-formed here.
    Malformed,
}

type Eval<T> = Result<T, NoValue>;

/// What an expression may look at.
pub struct Scope<'a> {
    pub program: &'a Program,
    pub globals: &'a [Value],
    /// The running procedure's locals.
    pub locals: &'a [Value],
    pub me: u32,
    /// Whether a task has finished.
    pub finished: &'a dyn Fn(u32) -> bool,
    /// Set when a global is looked at.
    pub touched: &'a Cell<bool>,
    /// The list of looks so far; `None` if looks are not recorded.
    pub looks: Option<&'a RefCell<Vec<Look>>>,
}

/// Something that an expression looked at.
#[derive(Clone, Debug)]
pub enum Look {
    /// A global or a part of one.
    At(GlobalId, Vec<PathStep>),
    /// A task that an expression saw as finished.
    Finished(u32),
}

/// One step of the path to the part that an expression reads: an element if `key` is set, else a field.
struct Part<'u> {
    field: u32,
    key: Option<&'u Value>,
    /// The next step inwards.
    rest: Option<&'u Part<'u>>,
}

impl<'a> Scope<'a> {
    pub fn value(&self, id: ExprId) -> Eval<Value> {
        self.find(id).map(Cow::into_owned)
    }

    pub fn truth(&self, id: ExprId) -> Eval<bool> {
        match &*self.find(id)? {
            Value::Bool(b) => Ok(*b),
            Value::Any => Err(NoValue::Unchosen),
            _ => Err(NoValue::Malformed),
        }
    }

    pub fn number(&self, id: ExprId) -> Eval<i128> {
        match &*self.find(id)? {
            Value::Int(i) => Ok(*i),
            Value::Any => Err(NoValue::Unchosen),
            _ => Err(NoValue::Malformed),
        }
    }

    /// Returns the value of an expression, borrowed if a variable holds it.
    pub fn find(&self, id: ExprId) -> Eval<Cow<'a, Value>> {
        self.find_part(id, None)
    }

    /// Like `find`, where the caller reads only the part `rest` of the value.
    fn find_part(&self, id: ExprId, rest: Option<&Part<'_>>) -> Eval<Cow<'a, Value>> {
        let expr = self.program.expr(id);
        Ok(match &expr.kind {
            ExprKind::Local(l) => {
                Cow::Borrowed(self.locals.get(l.index()).ok_or(NoValue::Malformed)?)
            }
            ExprKind::Global(g) => {
                self.touched.set(true);
                self.looks_at(*g, rest);
                Cow::Borrowed(self.globals.get(g.index()).ok_or(NoValue::Malformed)?)
            }
            ExprKind::Index(base, index) => {
                let key = self.value(*index)?;
                let ty = self.program.types.get(self.program.ty(*base));
                let inner = Part {
                    field: 0,
                    key: Some(&key),
                    rest,
                };
                part(self.find_part(*base, Some(&inner))?, |v| {
                    element(v, ty, &key)
                })?
            }
            ExprKind::Field(base, field) => {
                let inner = Part {
                    field: *field,
                    key: None,
                    rest,
                };
                part(self.find_part(*base, Some(&inner))?, |v| {
                    self::field(v, *field)
                })?
            }
            _ => Cow::Owned(self.compute(&expr.kind, expr.ty)?),
        })
    }

    fn looks_at(&self, global: GlobalId, mut part: Option<&Part<'_>>) {
        let Some(looks) = self.looks else { return };
        let mut path = Vec::new();
        while let Some(inner) = part {
            path.push(match inner.key {
                Some(key) => PathStep::Key(key.clone()),
                None => PathStep::Field(inner.field),
            });
            part = inner.rest;
        }
        looks.borrow_mut().push(Look::At(global, path));
    }

    fn compute(&self, kind: &ExprKind, ty: TypeId) -> Eval<Value> {
        let types = &self.program.types;
        let values = |ids: &[ExprId]| ids.iter().map(|&e| self.value(e)).collect::<Eval<Vec<_>>>();
        Ok(match kind {
            ExprKind::Bool(b) => Value::Bool(*b),
            ExprKind::Int(i) => Value::Int(i.0),
            ExprKind::NoTask => Value::Task(None),
            ExprKind::SelfTask => Value::Task(Some(self.me)),
            ExprKind::Unary(op, e) => self.unary(*op, *e, ty)?,
            ExprKind::Binary(op, l, r) => self.binary(*op, *l, *r)?,
            ExprKind::Ite(c, t, e) => self.value(if self.truth(*c)? { *t } else { *e })?,
            ExprKind::Record(fields) => Value::Record(values(fields)?),
            ExprKind::Array(elements) => Value::Array(values(elements)?),
            ExprKind::Fill(e) => match types.get(ty) {
                Type::Array(n, _) => Value::Array(vec![self.value(*e)?; *n as usize]),
                _ => Value::Map(Box::new(self.value(*e)?), Vec::new()),
            },
            ExprKind::Convert(e) => Value::Int(arith::convert(types, ty, self.number(*e)?)),
            ExprKind::Finished(e) => match &*self.find(*e)? {
                Value::Task(t) => Value::Bool(t.is_some_and(|t| self.sees_finished(t))),
                _ => return Err(NoValue::Unchosen),
            },
            ExprKind::Local(_)
            | ExprKind::Global(_)
            | ExprKind::Index(..)
            | ExprKind::Field(..) => return Err(NoValue::Malformed),
        })
    }

    fn sees_finished(&self, task: u32) -> bool {
        let finished = (self.finished)(task);
        if let (true, Some(looks)) = (finished, self.looks) {
            looks.borrow_mut().push(Look::Finished(task));
        }
        finished
    }

    fn unary(&self, op: UnaryOp, e: ExprId, ty: TypeId) -> Eval<Value> {
        if op == UnaryOp::Not {
            return Ok(Value::Bool(!self.truth(e)?));
        }
        let result = arith::unary(&self.program.types, op, ty, self.number(e)?);
        result.map(Value::Int).ok_or(NoValue::TooLarge)
    }

    fn binary(&self, op: BinaryOp, l: ExprId, r: ExprId) -> Eval<Value> {
        Ok(match op {
            BinaryOp::And => Value::Bool(self.truth(l)? && self.truth(r)?),
            BinaryOp::Or => Value::Bool(self.truth(l)? || self.truth(r)?),
            BinaryOp::Implies => Value::Bool(!self.truth(l)? || self.truth(r)?),
            BinaryOp::Eq => {
                let (l, r) = (self.find(l)?, self.find(r)?);
                if unchosen(&l) || unchosen(&r) {
                    return Err(NoValue::Unchosen);
                }
                Value::Bool(l == r)
            }
            BinaryOp::Lt => Value::Bool(self.number(l)? < self.number(r)?),
            BinaryOp::Le => Value::Bool(self.number(l)? <= self.number(r)?),
            _ => {
                let (a, b) = (self.number(l)?, self.number(r)?);
                let ty = self.program.ty(l);
                let result = arith::binary(&self.program.types, op, ty, a, b);
                Value::Int(result.ok_or(NoValue::TooLarge)?)
            }
        })
    }

    /// Evaluates the indices of a path.
    pub fn path(&self, path: &[Step]) -> Eval<Vec<PathStep>> {
        path.iter()
            .map(|step| {
                Ok(match step {
                    Step::Field(f) => PathStep::Field(*f),
                    Step::Index(e) => match self.value(*e)? {
                        Value::Any => return Err(NoValue::Unchosen),
                        key => PathStep::Key(key),
                    },
                })
            })
            .collect()
    }
}

/// A step into a value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum PathStep {
    Field(u32),
    /// An array's or map's element.
    Key(Value),
}

/// Whether some part was never chosen.
fn unchosen(value: &Value) -> bool {
    match value {
        Value::Any => true,
        Value::Record(parts) | Value::Array(parts) => parts.iter().any(unchosen),
        Value::Map(rest, entries) => unchosen(rest) || entries.iter().any(|(_, v)| unchosen(v)),
        Value::Bool(_) | Value::Int(_) | Value::Task(_) => false,
    }
}

fn part<'a>(
    whole: Cow<'a, Value>,
    select: impl Fn(&Value) -> Option<&Value>,
) -> Eval<Cow<'a, Value>> {
    match whole {
        Cow::Borrowed(v) => select(v).map(Cow::Borrowed),
        Cow::Owned(v) => select(&v).cloned().map(Cow::Owned),
    }
    .ok_or(NoValue::Malformed)
}

/// Returns an element of an array or a map. Out of bounds any value would do: it returns the first one.
fn element<'v>(whole: &'v Value, ty: &Type, key: &Value) -> Option<&'v Value> {
    match (whole, key) {
        (Value::Any, _) => Some(&Value::Any),
        (Value::Array(values), Value::Int(i)) => usize::try_from(*i)
            .ok()
            .and_then(|i| values.get(i))
            .or_else(|| values.first()),
        (Value::Map(..), Value::Any) | (Value::Array(_), Value::Any) => Some(&Value::Any),
        (Value::Map(rest, entries), key) if matches!(ty, Type::Map(..)) => {
            let found = entries.binary_search_by(|(k, _)| k.cmp(key));
            Some(found.map_or(rest, |at| &entries[at].1))
        }
        _ => None,
    }
}

fn field(whole: &Value, field: u32) -> Option<&Value> {
    match whole {
        Value::Any => Some(&Value::Any),
        Value::Record(values) => values.get(field as usize),
        _ => None,
    }
}
