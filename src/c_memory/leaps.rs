//! `setjmp` and `longjmp`, as returns and jumps within functions.
//!
//! Our `longjmp` writes down the goal of the jump and returns. Its caller reads the goal, and returns or goes on at its `setjmp`.
//! So does each function between the two.

use rustc_hash::{FxHashMap, FxHashSet};

use crate::own_function;
use crate::specialise::Walk;
use crate::written::written_name;
use base::source::Span;
use c::parts::{acts, expressions_in, operands};
use c::typed::{
    Callee, CompareOp, ExprId, ExprKind as C, Function, FunctionId, Init, LabelId, Lifetime,
    StmtId, StmtKind as S, Unit, VarId,
};
use c::types::{QualType, Type, TypeId, Types};

/// This function of our header begins a jump. A program that has it gets new numbers for calls.
pub const LEAPS: &str = "longjmp";
/// These functions mark the goal of jumps.
const MARKS: [&str; 2] = ["setjmp", "sigsetjmp"];

/// Rewrites the functions that call `setjmp`, and those that a jump may leave.
pub fn without_leaps(unit: &mut Unit) {
    let Some(ours) = Ours::of(unit) else { return };
    let walk = |f: u32| {
        let (f, mut walk) = (FunctionId(f), Walk::default());
        walk.statement(unit, unit[f].body?);
        Some((f, walk))
    };
    let walks = (0..unit.functions.len() as u32).filter_map(walk);
    let walks: Vec<(FunctionId, Walk)> = walks.collect();
    let leaping = leaping(unit, ours.leaps, &walks);
    let mut places = 0;
    for (function, walk) in &walks {
        let all = || walk.exprs.iter().copied();
        let calls: Vec<ExprId> = all().filter(|&e| leaping.call(unit, e)).collect();
        let marks: Vec<ExprId> = all().filter(|&e| is_mark(unit, e)).collect();
        if !calls.is_empty() || !marks.is_empty() {
            let mut rewrite = Rewrite {
                hidden: unit[ours.marks].span,
                unit,
                ours: &ours,
                function: *function,
                frame: None,
            };
            rewrite.function(walk, &calls, &marks, &mut places);
        }
    }
}

/// What our header declares.
struct Ours {
    /// `longjmp`
    leaps: FunctionId,
    begins: FunctionId,
    ends: FunctionId,
    marks: FunctionId,
    masks: FunctionId,
    lands: FunctionId,
    astray: FunctionId,
    /// The goal of the jump under way: the number of the function that goes on, and the number of its `setjmp`.
    depth: VarId,
    place: VarId,
}

impl Ours {
    fn of(unit: &Unit) -> Option<Self> {
        let function = |name: &str| own_function(unit, name);
        let variable = |name: &str| {
            let named = |v: &c::typed::Variable| v.name.is_some_and(|n| unit.name(n) == name);
            let at = unit.variables.iter().position(named)?;
            u32::try_from(at).ok().map(VarId)
        };
        Some(Self {
            leaps: function(LEAPS)?,
            begins: function("__leap_begins")?,
            ends: function("__leap_ends")?,
            marks: function("__leap_marks")?,
            masks: function("__leap_masks")?,
            lands: function("__leap_lands")?,
            astray: function("__leap_astray")?,
            depth: variable("__leap_depth")?,
            place: variable("__leap_place")?,
        })
    }
}

fn is_mark(unit: &Unit, e: ExprId) -> bool {
    match unit[e].kind {
        C::Call(Callee::Direct(f), args) => {
            unit[f].body.is_none()
                && MARKS.contains(&unit.name(unit[f].name))
                && !unit[args].is_empty()
        }
        _ => false,
    }
}

/// The functions that a jump may leave.
struct Leaping {
    functions: FxHashSet<FunctionId>,
    /// For functions of the library, those of our headers that may do their work. They may run handlers.
    written: FxHashMap<FunctionId, FunctionId>,
    /// Whether a pointer may lead to one.
    by_pointer: bool,
}

impl Leaping {
    /// Whether a jump may leave the function that a call calls. Functions of the library call what they get a pointer to.
    fn call(&self, unit: &Unit, e: ExprId) -> bool {
        let C::Call(callee, args) = unit[e].kind else {
            return false;
        };
        match callee {
            Callee::Pointer(_) => self.by_pointer,
            Callee::Direct(f) if unit[f].body.is_some() => self.functions.contains(&f),
            Callee::Direct(f) if self.written.contains_key(&f) => {
                self.functions.contains(&self.written[&f])
            }
            Callee::Direct(_) => {
                let types = &unit.types;
                let leads = |&a: &ExprId| {
                    let pointee = types.pointee(unit[a].ty.ty);
                    pointee.is_some_and(|p| matches!(types.shape(p.ty), Type::Function(_)))
                };
                self.by_pointer && unit[args].iter().any(leads)
            }
        }
    }
}

fn written(unit: &Unit) -> FxHashMap<FunctionId, FunctionId> {
    let named = |(at, f): (u32, &Function)| (unit.name(f.name).to_owned(), FunctionId(at));
    let bodies = (0..).zip(&unit.functions).filter(|(_, f)| f.body.is_some());
    let bodies: FxHashMap<String, FunctionId> = bodies.map(named).collect();
    let others = (0..).zip(&unit.functions).filter(|(_, f)| f.body.is_none());
    let found = others.filter_map(|(at, f)| {
        let body = bodies.get(&written_name(unit.name(f.name)))?;
        Some((FunctionId(at), *body))
    });
    found.collect()
}

fn leaping(unit: &Unit, leaps: FunctionId, walks: &[(FunctionId, Walk)]) -> Leaping {
    let named = |e: &c::typed::Expr| match e.kind {
        C::Function(f) => Some(f),
        _ => None,
    };
    let pointed: FxHashSet<FunctionId> = unit.exprs.iter().filter_map(named).collect();
    let mut all = Leaping {
        functions: FxHashSet::from_iter([leaps]),
        written: written(unit),
        by_pointer: false,
    };
    loop {
        let known = (all.functions.len(), all.by_pointer);
        for (function, walk) in walks {
            if walk.exprs.iter().any(|&e| all.call(unit, e)) {
                all.functions.insert(*function);
            }
        }
        all.by_pointer = all.functions.iter().any(|f| pointed.contains(f));
        if known == (all.functions.len(), all.by_pointer) {
            return all;
        }
    }
}

/// What a function with a `setjmp` keeps.
struct Frame {
    /// Its number.
    depth: VarId,
    marks: Vec<Mark>,
}

/// A `setjmp`.
#[derive(Clone, Copy)]
struct Mark {
    /// Its number in the program.
    place: i128,
    label: LabelId,
    /// Whether the function has called the `setjmp`.
    called: VarId,
    /// What the `setjmp` returns after a jump; zero otherwise.
    given: VarId,
}

struct Rewrite<'a> {
    unit: &'a mut Unit,
    ours: &'a Ours,
    /// A place in our header. Traces do not show what stands there.
    hidden: Span,
    function: FunctionId,
    frame: Option<Frame>,
}

impl Rewrite<'_> {
    fn function(&mut self, walk: &Walk, calls: &[ExprId], marks: &[ExprId], places: &mut i128) {
        let Some(body) = self.unit[self.function].body else {
            return;
        };
        let span = self.hidden;
        if !marks.is_empty() && self.unit.open_after_jump.is_none() {
            let mut changed = walk.exprs.iter().filter_map(|&e| self.changed(e, marks));
            self.unit.open_after_jump = changed.next();
        }
        for &mark in marks {
            let all = walk.statements.iter();
            let whole = all.copied().find(|&s| self.stands_in(s, mark));
            // Any other `setjmp` stays a call, which is refused.
            if let Some(whole) = whole {
                *places += 1;
                self.mark(walk, whole, mark, *places);
            }
        }
        let statement = |s: &StmtId| match self.unit[*s].kind {
            S::Expr(e) => Some(e),
            _ => None,
        };
        let statements: FxHashSet<ExprId> = walk.statements.iter().filter_map(statement).collect();
        for &call in calls {
            self.look_behind(call, statements.contains(&call));
        }
        let Some(frame) = self.frame.take() else {
            return;
        };
        for &statement in &walk.statements {
            self.end_at(statement, &frame);
        }
        let locals = frame.marks.iter().flat_map(|m| [m.called, m.given]);
        let locals: Vec<VarId> = [frame.depth].into_iter().chain(locals).collect();
        let mut all: Vec<StmtId> = (locals.into_iter())
            .map(|v| self.unit.add_statement(S::Declare(v), span))
            .collect();
        all.push(body);
        all.push(self.ends(frame.depth));
        self.unit[self.function].body = Some(self.unit.add_block(all, span));
    }

    /// The variable of the function that an expression changes, if that is not `volatile`. What a `setjmp` gives it is new.
    fn changed(&self, e: ExprId, marks: &[ExprId]) -> Option<VarId> {
        let place = match &self.unit[e].kind {
            C::Assign(place, value) => {
                let given = marks.iter().any(|&mark| self.comes_first(*value, mark));
                (!given).then_some(*place)?
            }
            C::Update(update) => update.place,
            _ => return None,
        };
        let C::Var(variable) = self.unit[place].kind else {
            return None;
        };
        let own = &self.unit[variable];
        // A variable that is declared behind each `setjmp` begins again.
        let begins = marks
            .iter()
            .all(|&mark| self.unit[mark].span.start < own.span.start);
        let lasting = matches!(own.lifetime, Lifetime::Static | Lifetime::Thread);
        let open = !lasting && !begins && !own.ty.quals.volatile;
        (open && own.name.is_some()).then_some(variable)
    }

    /// Whether a `setjmp` stands in a statement where C allows it: the statement may be run again from its begin.
    fn stands_in(&self, statement: StmtId, mark: ExprId) -> bool {
        let again = match &self.unit[statement].kind {
            S::DoWhile(..) => false,
            S::For(_, cond, ..) => cond.is_some_and(|cond| self.comes_first(cond, mark)),
            _ => true,
        };
        let all = expressions_in(self.unit, statement);
        again && all.len() <= 2 && all.first().is_some_and(|&e| self.comes_first(e, mark))
    }

    /// Whether nothing is done in an expression before a `setjmp`, and nothing decides whether it is called.
    fn comes_first(&self, e: ExprId, mark: ExprId) -> bool {
        if e == mark {
            return true;
        }
        match self.unit[e].kind {
            C::Not(of) | C::Convert(_, of) | C::Unary(_, of) => self.comes_first(of, mark),
            C::Compare(_, l, r) | C::Binary(_, l, r) => {
                self.comes_first(l, mark) && self.is_calm(r)
                    || self.comes_first(r, mark) && self.is_calm(l)
            }
            C::Assign(place, value) => self.comes_first(value, mark) && self.is_calm(place),
            C::And(first, _) | C::Or(first, _) | C::Conditional(first, ..) | C::Comma(first, _) => {
                self.comes_first(first, mark)
            }
            _ => false,
        }
    }

    /// Whether an expression only reads.
    fn is_calm(&self, e: ExprId) -> bool {
        let kind = &self.unit[e].kind;
        let mut calm = !acts(kind);
        operands(self.unit, kind, &mut |part| calm &= self.is_calm(part));
        calm
    }

    /// Makes a `setjmp` give zero when it is called, and puts a label before its statement, to which jumps lead.
    fn mark(&mut self, walk: &Walk, whole: StmtId, e: ExprId, place: i128) {
        let span = self.hidden;
        let int = QualType::plain(Types::INT);
        let zero = self.unit.add_number(0, int, span);
        let local = |unit: &mut Unit, f| unit.add_local(f, Types::INT, Init::Value(zero), span);
        let mark = Mark {
            place,
            label: (self.unit).add_own_label(self.function, MARKS[0], span),
            called: local(self.unit, self.function),
            given: local(self.unit, self.function),
        };
        self.before(walk, whole, mark.label);
        let depth = match &self.frame {
            Some(frame) => frame.depth,
            None => {
                let begins = self.call(self.ours.begins, Vec::new());
                let ty = self.unit[begins].ty.ty;
                self.unit
                    .add_local(self.function, ty, Init::Value(begins), span)
            }
        };
        let C::Call(_, args) = self.unit[e].kind else {
            return;
        };
        // `sigsetjmp` says whether the signals that are blocked are kept.
        let (to, keeps) = (self.unit[args][0], self.unit[args].get(1).copied());
        let number = self.unit[depth].ty;
        let marks = [
            to,
            self.unit.add_read(depth, span),
            self.unit.add_number(place, number, span),
        ];
        let marks = self.call(self.ours.marks, marks.to_vec());
        let mut marks = self.unit.add_statement(S::Expr(marks), span);
        if let Some(keeps) = keeps {
            let masks = self.call(self.ours.masks, vec![to, keeps]);
            let masks = self.unit.add_statement(S::Expr(masks), span);
            marks = self.unit.add_block([marks, masks], span);
        }
        let one = self.unit.add_number(1, int, span);
        let called = self.unit.add_assignment(mark.called, one, span);
        let given = self.unit.add_read(mark.given, span);
        let (given, begin) =
            (self.unit).add_begun(self.function, Types::INT, Init::Value(given), span);
        let again = self.unit.add_assignment(mark.given, zero, span);
        let lands = self.unit.add_read(given, span);
        let (lands, marks) = (
            self.unit.add_truth(C::Not(lands), span),
            self.unit.add_block([marks, called], span),
        );
        let marks = self.unit.add_statement(S::If(lands, marks, None), span);
        let all = self.unit.add_block([begin, again, marks], span);
        let value = self.unit.add_read(given, self.unit[e].span);
        self.unit[e].kind = C::Block(all, Some(value));
        let frame = self.frame.get_or_insert(Frame {
            depth,
            marks: Vec::new(),
        });
        frame.marks.push(mark);
    }

    /// Puts a label before a statement.
    fn before(&mut self, walk: &Walk, whole: StmtId, label: LabelId) {
        let span = self.hidden;
        let label = self.unit.add_statement(S::Label(label), span);
        let is_loop = matches!(self.unit[whole].kind, S::For(..));
        for &around in walk.statements.iter().filter(|_| !is_loop) {
            if let S::Block(all) = &mut self.unit[around].kind
                && let Some(at) = all.iter().position(|&s| s == whole)
            {
                all.insert(at, label);
                return;
            }
        }
        let mut kind = std::mem::replace(&mut self.unit[whole].kind, S::Empty);
        let mut all = Vec::new();
        if let S::For(first, ..) = &mut kind {
            all.extend(std::mem::take(first));
        }
        all.push(label);
        all.push(self.unit.add_statement(kind, span));
        self.unit[whole].kind = S::Block(all.into_iter().collect());
    }

    /// Looks behind a call whether a jump is under way. The program does not use the value of a call that is a statement.
    fn look_behind(&mut self, e: ExprId, is_statement: bool) {
        let (ty, span) = (self.unit[e].ty, self.unit[e].span);
        let kind = std::mem::replace(&mut self.unit[e].kind, C::Error);
        let call = self.unit.add(kind, ty, span);
        let (call, value) = match is_statement {
            true => (self.unit.add_statement(S::Expr(call), span), None),
            false => self.unit.add_kept(self.function, call, span),
        };
        if value.is_none() {
            self.unit[e].ty = QualType::plain(Types::VOID);
        }
        let away = self.away(span);
        let under_way = self.unit.add_read(self.ours.depth, self.hidden);
        let look = self
            .unit
            .add_statement(S::If(under_way, away, None), self.hidden);
        let all = self.unit.add_block([call, look], span);
        self.unit[e].kind = C::Block(all, value);
    }

    /// Follows the jump that is under way behind a call: to a `setjmp` of this function, or out of it.
    fn away(&mut self, call: Span) -> StmtId {
        let (out, span) = (self.out(), self.hidden);
        let Some(frame) = self.frame.take() else {
            return out;
        };
        let (depth, place) = (self.ours.depth, self.ours.place);
        let other = self.differ(depth, frame.depth);
        let ends = self.ends(frame.depth);
        let out = self.unit.add_block([ends, out], span);
        let mut all = vec![self.unit.add_statement(S::If(other, out, None), span)];
        for mark in &frame.marks {
            let own = self.unit.add_read(place, span);
            let ty = self.unit[place].ty;
            let number = self
                .unit
                .add_number(mark.place, QualType::plain(ty.ty), span);
            let own = self
                .unit
                .add_truth(C::Compare(CompareOp::Eq, own, number), span);
            let called = self.unit.add_read(mark.called, span);
            let here = self.unit.add_truth(C::And(own, called), span);
            let lands = self.call(self.ours.lands, Vec::new());
            let given = self.unit.add_assignment(mark.given, lands, span);
            let jump = self.unit.add_statement(S::Goto(mark.label), call);
            let jump = self.unit.add_block([given, jump], span);
            all.push(self.unit.add_statement(S::If(here, jump, None), span));
        }
        let astray = self.call(self.ours.astray, Vec::new());
        all.push(self.unit.add_statement(S::Expr(astray), call));
        self.frame = Some(frame);
        self.unit.add_block(all, span)
    }

    /// Returns with a value that no caller uses.
    fn out(&mut self) -> StmtId {
        let span = self.hidden;
        let Some(result) = self.result() else {
            return self.unit.add_statement(S::Return(None), span);
        };
        let zero = Init::Parts(Vec::new());
        let (nothing, begin) = (self.unit).add_begun(self.function, result, zero, span);
        let value = self.unit.add_read(nothing, span);
        let back = self.unit.add_statement(S::Return(Some(value)), span);
        self.unit.add_block([begin, back], span)
    }

    /// The type of the function's result.
    fn result(&self) -> Option<TypeId> {
        let types = &self.unit.types;
        let own = types.function(self.unit[self.function].ty)?;
        (!matches!(types.shape(own.result), Type::Void)).then_some(own.result)
    }

    /// At a `return`, one function less goes on.
    fn end_at(&mut self, statement: StmtId, frame: &Frame) {
        let S::Return(value) = self.unit[statement].kind else {
            return;
        };
        let span = self.unit[statement].span;
        let mut all = Vec::new();
        let value = value.and_then(|value| {
            let (kept, value) = self.unit.add_kept(self.function, value, span);
            all.push(kept);
            value
        });
        all.push(self.ends(frame.depth));
        all.push(self.unit.add_statement(S::Return(value), span));
        self.unit[statement].kind = S::Block(all.into_iter().collect());
    }

    fn ends(&mut self, depth: VarId) -> StmtId {
        let depth = self.unit.add_read(depth, self.hidden);
        let ends = self.call(self.ours.ends, vec![depth]);
        self.unit.add_statement(S::Expr(ends), self.hidden)
    }

    fn differ(&mut self, left: VarId, right: VarId) -> ExprId {
        let [left, right] = [left, right].map(|v| self.unit.add_read(v, self.hidden));
        let differ = C::Compare(CompareOp::Ne, left, right);
        self.unit.add_truth(differ, self.hidden)
    }

    fn call(&mut self, function: FunctionId, args: Vec<ExprId>) -> ExprId {
        let own = self.unit.types.function(self.unit[function].ty);
        let result = own.map_or(Types::VOID, |f| f.result);
        let args = self.unit.add_list(args);
        let call = C::Call(Callee::Direct(function), args);
        self.unit.add(call, QualType::plain(result), self.hidden)
    }
}
