//! A small evaluator of sequential programs, all executions of them.
//!
//! Sequential programs guess a lot and learn later what they should have
//! guessed. So a choice is a symbol here until somebody looks at it: an assumed
//! equality binds it, an operator that needs a number tries all of them. What
//! remains is little. (With [`Choices::AtOnce`] every choice is made where it
//! stands; that counts what an explicit engine would have to enumerate.)

use std::collections::BTreeSet;

use dbverify::ir::{
    BinaryOp, Block, ChoiceKind, ErrorKind, ExprId, ExprKind, LoopId, Place, ProcId, Program, Root,
    Step, Stmt, StmtKind, Type, TypeId, UnaryOp, Value,
};
use dbverify::seq::Sequential;
use dbverify::seq::map::{MarkKind, SeqEvent};

/// The longest execution, in statements.
const FUEL: u32 = 20_000;

/// When choices are made.
#[derive(Clone, Copy, PartialEq)]
pub enum Choices {
    /// When somebody looks.
    Late,
    /// Where they stand.
    AtOnce,
}

/// What all executions show.
#[derive(Debug, Default)]
pub struct Found {
    /// The final states of complete executions: the visible globals of the original program.
    pub finals: BTreeSet<Vec<Value>>,
    /// Events of an execution that reaches each final state.
    pub complete: Vec<Vec<SeqEvent>>,
    /// Events of executions that fail.
    pub failed: Vec<Vec<SeqEvent>>,
    /// Whether more of them do.
    pub more_failed: bool,
    /// Whether an execution needs more rounds.
    pub cut: bool,
}

/// Runs all executions; `None` if they take more than that many steps, or something here cannot be evaluated.
pub fn run_all(original: &Program, sequential: &Sequential, mut steps: u64) -> Option<Found> {
    let mut found = Found::default();
    let mut script = Script::default();
    loop {
        let mut run = Run::new(
            &sequential.program,
            std::mem::take(&mut script),
            Choices::Late,
        );
        let end = run.whole();
        steps = steps.checked_sub(u64::from(FUEL - run.fuel))?;
        match end {
            Ok(()) => {
                let state = run.final_state(original, sequential);
                let events = run.events();
                if found.finals.insert(state) {
                    found.complete.push(events);
                }
            }
            Err(Stop::Failed(_)) if found.failed.len() < 50 => found.failed.push(run.events()),
            Err(Stop::Failed(_)) => found.more_failed = true,
            Err(Stop::Dropped) => found.cut |= needs_rounds(sequential, &run.events()),
            Err(Stop::Unsupported) => return None,
        }
        script = run.script;
        if !script.advance() {
            return Some(found);
        }
    }
}

/// Whether the last that happened is that a task would have needed another round.
fn needs_rounds(sequential: &Sequential, events: &[SeqEvent]) -> bool {
    let Some(SeqEvent::Mark { id, values }) = events.last() else {
        return false;
    };
    sequential.map.marks[*id as usize] == MarkKind::Cut && values[..] == [Value::Bool(true)]
}

/// An estimate of how many executions an explicit engine enumerates: along a random one, the product of the numbers of
/// choices is right on average.
pub fn estimate(program: &Program, seed: u64) -> f64 {
    let probes = 30;
    let mut sum = 0.0;
    for i in 0..probes {
        let script = Script {
            random: Some(fastrand::Rng::with_seed(seed * 31 + i)),
            ..Script::default()
        };
        let mut run = Run::new(program, script, Choices::AtOnce);
        if let Err(Stop::Unsupported) = run.whole() {
            return f64::INFINITY;
        }
        sum += run.script.picks.iter().map(|p| p.1 as f64).product::<f64>();
    }
    sum / probes as f64
}

#[derive(Debug)]
enum Stop {
    Dropped,
    Failed(#[allow(dead_code, reason = "shown when something goes wrong")] ErrorKind),
    Unsupported,
}

type Eval<T> = Result<T, Stop>;

/// Which value each choice takes, of how many.
#[derive(Default)]
struct Script {
    picks: Vec<(u64, u64)>,
    next: usize,
    random: Option<fastrand::Rng>,
}

impl Script {
    fn pick(&mut self, count: u64) -> u64 {
        if self.next == self.picks.len() {
            let first = self.random.as_mut().map_or(0, |r| r.u64(..count));
            self.picks.push((first, count));
        }
        self.next += 1;
        self.picks[self.next - 1].0
    }

    fn advance(&mut self) -> bool {
        self.next = 0;
        while let Some((pick, count)) = self.picks.pop() {
            if pick + 1 < count {
                self.picks.push((pick + 1, count));
                return true;
            }
        }
        false
    }
}

#[derive(Clone, Debug)]
enum V {
    /// A number; truth values are 0 and 1.
    Int(i128),
    Symbol(usize),
    Parts(Vec<V>),
}

struct Symbol {
    lo: i128,
    hi: i128,
    bound: Option<V>,
}

enum Event {
    Mark(u32, Vec<(V, TypeId)>),
    Choice(ChoiceKind, V, TypeId),
}

enum Flow {
    On,
    Break(LoopId),
    Continue(LoopId),
    Return(Option<V>),
}

struct Run<'p> {
    program: &'p Program,
    script: Script,
    choices: Choices,
    symbols: Vec<Symbol>,
    globals: Vec<V>,
    seen: Vec<Event>,
    fuel: u32,
}

impl<'p> Run<'p> {
    fn new(program: &'p Program, script: Script, choices: Choices) -> Self {
        let globals = vec![V::Int(0); program.globals.len()];
        Self {
            program,
            script,
            choices,
            symbols: Vec::new(),
            globals,
            seen: Vec::new(),
            fuel: FUEL,
        }
    }

    fn whole(&mut self) -> Eval<()> {
        self.globals = (self.program.globals.iter())
            .map(|g| self.zero(g.ty))
            .collect::<Eval<_>>()?;
        self.call(self.program.init, Vec::new())?;
        self.call(self.program.main, Vec::new())?;
        self.program
            .finally
            .map_or(Ok(None), |f| self.call(f, Vec::new()))
            .map(drop)
    }

    fn zero(&self, ty: TypeId) -> Eval<V> {
        Ok(match self.program.types.get(ty) {
            Type::Record(r) => V::Parts(
                r.fields
                    .iter()
                    .map(|f| self.zero(f.1))
                    .collect::<Eval<_>>()?,
            ),
            Type::Array(n, t) => V::Parts(vec![self.zero(*t)?; *n as usize]),
            Type::Map(..) => return Err(Stop::Unsupported),
            _ => V::Int(0),
        })
    }

    fn symbol(&mut self, ty: TypeId) -> Eval<V> {
        let types = &self.program.types;
        Ok(match types.get(ty) {
            Type::Record(r) => {
                let parts = r.fields.iter().map(|f| f.1).collect::<Vec<_>>();
                V::Parts(
                    parts
                        .into_iter()
                        .map(|t| self.symbol(t))
                        .collect::<Eval<_>>()?,
                )
            }
            Type::Array(n, t) => V::Parts((0..*n).map(|_| self.symbol(*t)).collect::<Eval<_>>()?),
            _ => {
                let (lo, hi) = types.bounds(ty).ok_or(Stop::Unsupported)?;
                self.symbols.push(Symbol {
                    lo,
                    hi,
                    bound: None,
                });
                let symbol = V::Symbol(self.symbols.len() - 1);
                if self.choices == Choices::AtOnce {
                    V::Int(self.number(&symbol)?)
                } else {
                    symbol
                }
            }
        })
    }

    /// What a symbol stands for as far as is known.
    fn resolve(&self, v: &V) -> V {
        let mut v = v.clone();
        while let V::Symbol(s) = v {
            match &self.symbols[s].bound {
                Some(bound) => v = bound.clone(),
                None => break,
            }
        }
        v
    }

    /// A number: a symbol takes each value in turn.
    fn number(&mut self, v: &V) -> Eval<i128> {
        match self.resolve(v) {
            V::Int(i) => Ok(i),
            V::Symbol(s) => {
                let Symbol { lo, hi, .. } = self.symbols[s];
                let count = u64::try_from(hi - lo + 1)
                    .ok()
                    .filter(|&n| n < 1000)
                    .ok_or(Stop::Unsupported)?;
                let value = lo + i128::from(self.script.pick(count));
                self.symbols[s].bound = Some(V::Int(value));
                Ok(value)
            }
            V::Parts(_) => Err(Stop::Unsupported),
        }
    }

    /// Makes two values equal, or ends the execution.
    fn unify(&mut self, a: &V, b: &V) -> Eval<()> {
        match (self.resolve(a), self.resolve(b)) {
            (V::Int(a), V::Int(b)) => {
                if a == b {
                    Ok(())
                } else {
                    Err(Stop::Dropped)
                }
            }
            (V::Parts(a), V::Parts(b)) => a.iter().zip(&b).try_for_each(|(a, b)| self.unify(a, b)),
            (V::Symbol(a), V::Symbol(b)) if a == b => Ok(()),
            (V::Symbol(s), V::Int(i)) | (V::Int(i), V::Symbol(s)) => {
                let Symbol { lo, hi, .. } = self.symbols[s];
                if i < lo || i > hi {
                    return Err(Stop::Dropped);
                }
                self.symbols[s].bound = Some(V::Int(i));
                Ok(())
            }
            (V::Symbol(a), V::Symbol(b)) => {
                let (lo, hi) = (self.symbols[a].lo, self.symbols[a].hi);
                let kept = &mut self.symbols[b];
                (kept.lo, kept.hi) = (kept.lo.max(lo), kept.hi.min(hi));
                if kept.lo > kept.hi {
                    return Err(Stop::Dropped);
                }
                self.symbols[a].bound = Some(V::Symbol(b));
                Ok(())
            }
            _ => Err(Stop::Unsupported),
        }
    }

    fn equal(&mut self, a: &V, b: &V) -> Eval<bool> {
        match (self.resolve(a), self.resolve(b)) {
            (V::Symbol(a), V::Symbol(b)) if a == b => Ok(true),
            (V::Parts(a), V::Parts(b)) => {
                for (a, b) in a.iter().zip(&b) {
                    if !self.equal(a, b)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
            (a, b) => Ok(self.number(&a)? == self.number(&b)?),
        }
    }

    fn assume(&mut self, e: ExprId, locals: &[V]) -> Eval<()> {
        match self.program.expr(e).kind {
            ExprKind::Binary(BinaryOp::And, a, b) => {
                self.assume(a, locals)?;
                self.assume(b, locals)
            }
            ExprKind::Binary(BinaryOp::Eq, a, b) => {
                let (a, b) = (self.eval(a, locals)?, self.eval(b, locals)?);
                self.unify(&a, &b)
            }
            _ => {
                if self.truth(e, locals)? {
                    Ok(())
                } else {
                    Err(Stop::Dropped)
                }
            }
        }
    }

    fn truth(&mut self, e: ExprId, locals: &[V]) -> Eval<bool> {
        let v = self.eval(e, locals)?;
        Ok(self.number(&v)? != 0)
    }

    fn eval(&mut self, e: ExprId, locals: &[V]) -> Eval<V> {
        let expr = self.program.expr(e);
        let all = |run: &mut Self, es: &[ExprId]| {
            es.iter()
                .map(|&e| run.eval(e, locals))
                .collect::<Eval<Vec<V>>>()
        };
        Ok(match &expr.kind {
            ExprKind::Bool(b) => V::Int(i128::from(*b)),
            ExprKind::Int(i) => V::Int(i.0),
            ExprKind::Local(l) => locals[l.index()].clone(),
            ExprKind::Global(g) => self.globals[g.index()].clone(),
            ExprKind::Unary(UnaryOp::Not, a) => V::Int(i128::from(!self.truth(*a, locals)?)),
            ExprKind::Unary(UnaryOp::Neg, a) => {
                let a = self.eval(*a, locals)?;
                V::Int(-self.number(&a)?)
            }
            ExprKind::Binary(op, a, b) => self.binary(*op, *a, *b, locals)?,
            ExprKind::Ite(c, a, b) => {
                let branch = if self.truth(*c, locals)? { a } else { b };
                self.eval(*branch, locals)?
            }
            ExprKind::Index(a, i) => {
                let (a, i) = (self.eval(*a, locals)?, self.eval(*i, locals)?);
                let i = self.number(&i)?;
                part(&a, usize::try_from(i).map_err(|_| Stop::Unsupported)?)?
            }
            ExprKind::Field(a, f) => part(&self.eval(*a, locals)?, *f as usize)?,
            ExprKind::Record(es) | ExprKind::Array(es) => V::Parts(all(self, es)?),
            ExprKind::Fill(v) => {
                let v = self.eval(*v, locals)?;
                let Type::Array(n, _) = self.program.types.get(expr.ty) else {
                    return Err(Stop::Unsupported);
                };
                V::Parts(vec![v; *n as usize])
            }
            ExprKind::Convert(a) if self.program.types.is_int(expr.ty) => self.eval(*a, locals)?,
            _ => return Err(Stop::Unsupported),
        })
    }

    fn binary(&mut self, op: BinaryOp, a: ExprId, b: ExprId, locals: &[V]) -> Eval<V> {
        let truth = |b: bool| Ok(V::Int(i128::from(b)));
        match op {
            BinaryOp::And => return truth(self.truth(a, locals)? && self.truth(b, locals)?),
            BinaryOp::Or => return truth(self.truth(a, locals)? || self.truth(b, locals)?),
            BinaryOp::Implies => return truth(!self.truth(a, locals)? || self.truth(b, locals)?),
            _ => {}
        }
        let (a, b) = (self.eval(a, locals)?, self.eval(b, locals)?);
        if op == BinaryOp::Eq {
            return truth(self.equal(&a, &b)?);
        }
        let (a, b) = (self.number(&a)?, self.number(&b)?);
        Ok(V::Int(match op {
            BinaryOp::Add => a + b,
            BinaryOp::Sub => a - b,
            BinaryOp::Mul => a * b,
            BinaryOp::Div => a.checked_div_euclid(b).unwrap_or(0),
            BinaryOp::Rem => a.checked_rem_euclid(b).unwrap_or(0),
            BinaryOp::Lt => i128::from(a < b),
            BinaryOp::Le => i128::from(a <= b),
            _ => return Err(Stop::Unsupported),
        }))
    }

    fn call(&mut self, id: ProcId, mut locals: Vec<V>) -> Eval<Option<V>> {
        let proc = self.program.proc(id);
        for local in &proc.locals[locals.len()..] {
            let zero = self.zero(local.ty)?;
            locals.push(zero);
        }
        match self.block(&proc.body, &mut locals)? {
            Flow::Return(value) => Ok(value),
            _ => Ok(None),
        }
    }

    fn block(&mut self, block: &'p Block, locals: &mut Vec<V>) -> Eval<Flow> {
        for stmt in block {
            match self.stmt(stmt, locals)? {
                Flow::On => {}
                other => return Ok(other),
            }
        }
        Ok(Flow::On)
    }

    #[allow(
        clippy::too_many_lines,
        reason = "a few lines for each form of a statement"
    )]
    fn stmt(&mut self, stmt: &'p Stmt, locals: &mut Vec<V>) -> Eval<Flow> {
        self.fuel = self.fuel.checked_sub(1).ok_or(Stop::Unsupported)?;
        match &stmt.kind {
            StmtKind::Assign(place, e) => {
                let value = self.eval(*e, locals)?;
                self.store(place, value, locals)?;
            }
            StmtKind::Havoc(place, kind) => {
                let value = self.symbol(place.ty)?;
                self.seen
                    .push(Event::Choice(*kind, value.clone(), place.ty));
                self.store(place, value, locals)?;
            }
            StmtKind::Assume(e) => self.assume(*e, locals)?,
            StmtKind::Check(kind, e, _) => {
                if !self.truth(*e, locals)? {
                    return Err(Stop::Failed(*kind));
                }
            }
            StmtKind::If(c, a, b) => {
                let branch = if self.truth(*c, locals)? { a } else { b };
                return self.block(branch, locals);
            }
            StmtKind::Loop(l) => loop {
                match self.block(&l.pre, locals)? {
                    Flow::On => {}
                    Flow::Break(id) if id == l.id => break,
                    other => return Ok(other),
                }
                if !self.truth(l.cond, locals)? {
                    break;
                }
                match self.block(&l.body, locals)? {
                    Flow::On => {}
                    Flow::Continue(id) if id == l.id => {}
                    Flow::Break(id) if id == l.id => break,
                    other => return Ok(other),
                }
                match self.block(&l.step, locals)? {
                    Flow::On => {}
                    other => return Ok(other),
                }
            },
            StmtKind::Break(id) => return Ok(Flow::Break(*id)),
            StmtKind::Continue(id) => return Ok(Flow::Continue(*id)),
            StmtKind::Return(e) => {
                let value = e.map(|e| self.eval(e, locals)).transpose()?;
                return Ok(Flow::Return(value));
            }
            StmtKind::Call(to, proc, args) => {
                let args = args
                    .iter()
                    .map(|&e| self.eval(e, locals))
                    .collect::<Eval<Vec<_>>>()?;
                let result = self.call(*proc, args)?;
                if let (Some(to), Some(value)) = (to, result) {
                    locals[to.index()] = value;
                }
            }
            StmtKind::Mark(id, es) => {
                let value =
                    |run: &mut Self, e: ExprId| Ok((run.eval(e, locals)?, run.program.ty(e)));
                let values = es
                    .iter()
                    .map(|&e| value(self, e))
                    .collect::<Eval<Vec<_>>>()?;
                self.seen.push(Event::Mark(*id, values));
            }
            StmtKind::Post(..)
            | StmtKind::Preempt(_)
            | StmtKind::Await(_)
            | StmtKind::Atomic(..) => {
                panic!("not in a sequential program: {stmt:?}")
            }
        }
        Ok(Flow::On)
    }

    fn store(&mut self, place: &Place, value: V, locals: &mut [V]) -> Eval<()> {
        let mut path = Vec::new();
        for step in &place.path {
            path.push(match step {
                Step::Field(f) => *f as usize,
                Step::Index(e) => {
                    let index = self.eval(*e, locals)?;
                    usize::try_from(self.number(&index)?).map_err(|_| Stop::Unsupported)?
                }
            });
        }
        let mut slot = match place.root {
            Root::Global(g) => &mut self.globals[g.index()],
            Root::Local(l) => &mut locals[l.index()],
        };
        for index in path {
            let V::Parts(parts) = slot else {
                return Err(Stop::Unsupported);
            };
            slot = parts.get_mut(index).ok_or(Stop::Unsupported)?;
        }
        *slot = value;
        Ok(())
    }

    /// A value to show; what nobody has looked at is looked at now, if it has to be known.
    fn shown(&mut self, v: &V, ty: TypeId, exact: bool) -> Value {
        let types = &self.program.types;
        match (self.resolve(v), types.get(ty)) {
            (V::Parts(parts), Type::Record(r)) => {
                let tys: Vec<_> = r.fields.iter().map(|f| f.1).collect();
                Value::Record(
                    parts
                        .iter()
                        .zip(tys)
                        .map(|(v, t)| self.shown(v, t, exact))
                        .collect(),
                )
            }
            (V::Parts(parts), Type::Array(_, t)) => {
                Value::Array(parts.iter().map(|v| self.shown(v, *t, exact)).collect())
            }
            (V::Symbol(s), _) if !exact => number(self.symbols[s].lo, types.get(ty)),
            (v, scalar) => number(self.number(&v).expect("a small type"), scalar),
        }
    }

    /// The visible globals of the original program.
    fn final_state(&mut self, original: &Program, sequential: &Sequential) -> Vec<Value> {
        let mut state = Vec::new();
        for (global, place) in original.globals.iter().zip(&sequential.map.finals) {
            if !global.is_final() {
                continue;
            }
            let mut value = self.globals[place.global.index()].clone();
            let mut ty = self.program.globals[place.global.index()].ty;
            if let (Some(field), Type::Record(r)) = (place.field, self.program.types.get(ty)) {
                value = part(&value, field as usize).expect("a field");
                ty = r.fields[field as usize].1;
            }
            state.push(self.shown(&value, ty, true));
        }
        state
    }

    fn events(&mut self) -> Vec<SeqEvent> {
        let seen = std::mem::take(&mut self.seen);
        let event = |event: &Event| match event {
            Event::Mark(id, values) => {
                let values = values
                    .iter()
                    .map(|(v, ty)| self.shown(v, *ty, false))
                    .collect();
                SeqEvent::Mark { id: *id, values }
            }
            Event::Choice(kind, v, ty) => SeqEvent::Choice {
                kind: *kind,
                value: self.shown(v, *ty, false),
            },
        };
        seen.iter().map(event).collect()
    }
}

fn number(i: i128, ty: &Type) -> Value {
    if *ty == Type::Bool {
        Value::Bool(i != 0)
    } else {
        Value::Int(i)
    }
}

fn part(v: &V, index: usize) -> Eval<V> {
    match v {
        V::Parts(parts) => parts.get(index).cloned().ok_or(Stop::Unsupported),
        _ => Err(Stop::Unsupported),
    }
}
