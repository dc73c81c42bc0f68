//! Copies functions for their calls: those that allocate for their callers, and those that copy what a `void *` leads to.
//!
//! An allocation in the text makes objects of one type, but `void *xmalloc(size_t n)` makes objects of its callers' types. So
//! each of these types gets a copy of the function, with allocations of its own. In a copy, `void *` parameters have the
//! types of the arguments, and sizes that are known are constants.

use crate::{allocates, unconverted};
use c::parts::{expressions_in, initial, operands, statements_in};
use c::typed::{
    Callee, Case, Conversion, Expr, ExprId, ExprKind as C, FunctionId, Init, InitId, LabelId,
    Lifetime, ListId, NumberId, Part, Stmt, StmtId, StmtKind as S, Unit, VarId,
};
use c::types::{FunctionType, IntKind, QualType, Type, TypeId, Types};
use rustc_hash::{FxHashMap, FxHashSet};

/// `realloc` of a `void *` in our header.
const REALLOCATED: &str = "__reallocated";

/// How many copies are made at most, and how many expressions they have together.
const MOST_COPIES: usize = 256;
const MOST_EXPRESSIONS: usize = 200_000;

/// What a call says of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Given {
    Anything,
    /// A pointer of this type is given as a `void *`.
    Pointer(TypeId),
    Number(NumberId),
}

/// What a copy is made for.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Use {
    function: FunctionId,
    params: Vec<Given>,
    /// What the result is converted to.
    result: Option<TypeId>,
}

/// What is known of a function before copies are made.
#[derive(Clone, Debug, Default)]
struct Known {
    /// The function makes objects of types that its callers know.
    allocates: bool,
    /// The function copies or fills what a parameter leads to.
    copies: bool,
    /// The function fills bytes, or copies to them, through a `void *`.
    fills: bool,
    /// Parameters that are only read.
    read_only: Vec<bool>,
}

struct Specialise<'a> {
    unit: &'a mut Unit,
    known: FxHashMap<FunctionId, Known>,
    made: FxHashMap<Use, FunctionId>,
    /// By call: the type to which its value is converted.
    converted: FxHashMap<ExprId, TypeId>,
    /// Calls that are to be looked at, and what the result of the function in which they stand is converted to.
    work: Vec<(ExprId, Option<TypeId>)>,
    before: usize,
}

/// Makes the copies, and calls them.
pub fn specialise(unit: &mut Unit) {
    let before = unit.exprs.len();
    let calls = calls_of(unit);
    let mut all = Specialise {
        known: FxHashMap::default(),
        made: FxHashMap::default(),
        converted: FxHashMap::default(),
        work: Vec::new(),
        before,
        unit,
    };
    all.look(&calls);
    if all.known.is_empty() {
        return;
    }
    all.conversions(0);
    let wanted: FxHashSet<FunctionId> = all.wanted(&calls);
    for (_, own) in calls {
        for call in own {
            if all.callee(call).is_some_and(|f| wanted.contains(&f)) {
                all.work.push((call, None));
            }
        }
    }
    while let Some((call, outer)) = all.work.pop() {
        all.replace(call, outer);
    }
}

/// The calls in each function.
fn calls_of(unit: &Unit) -> Vec<(FunctionId, Vec<ExprId>)> {
    let bodies = (0..unit.functions.len()).map(|f| FunctionId(f as u32));
    bodies
        .filter_map(|f| {
            let mut walk = Walk::default();
            walk.statement(unit, unit[f].body?);
            let is_call = |e: &ExprId| matches!(unit[*e].kind, C::Call(Callee::Direct(_), _));
            Some((f, walk.exprs.into_iter().filter(is_call).collect()))
        })
        .collect()
}

/// A walk through a function: its statements, expressions and results, and whether a copy of it would mean the same.
#[derive(Debug, Default)]
pub struct Walk {
    pub statements: Vec<StmtId>,
    pub exprs: Vec<ExprId>,
    /// What the function returns.
    results: Vec<ExprId>,
    /// Whether it cannot be copied, because it has arrays of variable length.
    fixed: bool,
}

impl Walk {
    pub fn statement(&mut self, unit: &Unit, id: StmtId) {
        self.statements.push(id);
        match unit[id].kind {
            S::Declare(v) => self.fixed |= unit.types.is_variable(unit[v].ty.ty),
            S::Return(e) => self.results.extend(e),
            _ => {}
        }
        (expressions_in(unit, id).into_iter()).for_each(|e| self.expr(unit, e));
        (statements_in(unit, id).into_iter()).for_each(|s| self.statement(unit, s));
    }

    pub fn expr(&mut self, unit: &Unit, e: ExprId) {
        match &unit[e].kind {
            C::Literal(v) => {
                self.fixed |= unit.types.is_variable(unit[*v].ty.ty);
                (initial(unit, *v).into_iter()).for_each(|e| self.expr(unit, e));
            }
            C::Block(body, last) => {
                self.statement(unit, *body);
                last.iter().for_each(|&e| self.expr(unit, e));
            }
            kind => operands(unit, kind, &mut |part| self.expr(unit, part)),
        }
        self.exprs.push(e);
    }
}

impl Specialise<'_> {
    fn is_generic(&self, ty: TypeId) -> bool {
        let pointee = self.unit.types.pointee(ty);
        pointee.is_some_and(|p| matches!(self.unit.types.shape(p.ty), Type::Void))
    }

    fn callee(&self, call: ExprId) -> Option<FunctionId> {
        match self.unit[call].kind {
            C::Call(Callee::Direct(f), _) => Some(f),
            _ => None,
        }
    }

    /// The index of the parameter that an argument is, apart from conversions.
    fn parameter(&self, function: FunctionId, e: ExprId) -> Option<usize> {
        match self.unit[unconverted(self.unit, e)].kind {
            C::Load(place) => match self.unit[place].kind {
                C::Var(v) => self.unit[function].params.iter().position(|&p| p == v),
                _ => None,
            },
            _ => None,
        }
    }

    /// Finds the functions that are worth a copy.
    fn look(&mut self, calls: &[(FunctionId, Vec<ExprId>)]) {
        loop {
            let before = self
                .known
                .values()
                .filter(|k| k.allocates || k.copies)
                .count();
            for (function, own) in calls {
                self.look_at(*function, own);
            }
            let after = self
                .known
                .values()
                .filter(|k| k.allocates || k.copies)
                .count();
            if after == before {
                break;
            }
        }
        let recursive = self.recursive(calls);
        self.known
            .retain(|f, k| (k.allocates || k.copies) && !recursive.contains(f));
    }

    fn look_at(&mut self, function: FunctionId, calls: &[ExprId]) {
        let unit = &*self.unit;
        let result = unit.types.function(unit[function].ty).map(|f| f.result);
        let pointer = result.is_some_and(|ty| self.is_generic(ty));
        let (mut makes, mut moves, mut fills) = (false, false, false);
        for &call in calls {
            let C::Call(Callee::Direct(callee), args) = unit[call].kind else {
                continue;
            };
            let name = unit.name(unit[callee].name);
            let known = self.known.get(&callee);
            makes |= pointer && (allocates(name).is_some() || known.is_some_and(|k| k.allocates));
            let plain = name.strip_prefix("__builtin_").unwrap_or(name);
            let bytes = matches!(plain, "memcpy" | "memmove" | "memset" | "bzero");
            let to = unit[args]
                .first()
                .map(|&to| unit[unconverted(unit, to)].ty.ty);
            fills |= bytes && to.is_some_and(|ty| self.is_generic(ty));
            if bytes || known.is_some_and(|k| k.copies) {
                let generic = |&e: &ExprId| {
                    let param = self
                        .parameter(function, e)
                        .map(|at| unit[function].params[at]);
                    param.is_some_and(|p| self.is_generic(unit[p].ty.ty))
                };
                moves |= unit[args].iter().any(generic);
            }
        }
        if makes || moves {
            let own = self.known.entry(function).or_default();
            own.allocates |= makes;
            own.copies |= moves;
            own.fills |= fills;
        }
    }

    /// The known functions that may call themselves.
    fn recursive(&self, calls: &[(FunctionId, Vec<ExprId>)]) -> FxHashSet<FunctionId> {
        let all: FxHashMap<FunctionId, &Vec<ExprId>> = calls.iter().map(|(f, c)| (*f, c)).collect();
        let reaches_itself = |start: FunctionId| {
            let (mut seen, mut work) = (FxHashSet::default(), vec![start]);
            while let Some(f) = work.pop() {
                for callee in all.get(&f).into_iter().flat_map(|c| c.iter()) {
                    let Some(callee) = self.callee(*callee) else {
                        continue;
                    };
                    if callee == start {
                        return true;
                    }
                    if seen.insert(callee) {
                        work.push(callee);
                    }
                }
            }
            false
        };
        self.known
            .keys()
            .copied()
            .filter(|&f| reaches_itself(f))
            .collect()
    }

    /// Notes the types to which the values of calls are converted, for the expressions from `from` on.
    fn conversions(&mut self, from: usize) {
        for at in from..self.unit.exprs.len() {
            let expr = &self.unit.exprs[at];
            let C::Convert(Conversion::Pointer, of) = expr.kind else {
                continue;
            };
            let call = unconverted(self.unit, of);
            let Some(pointee) = self.unit.types.pointee(expr.ty.ty) else {
                continue;
            };
            if self.callee(call).is_some()
                && !matches!(self.unit.types.shape(pointee.ty), Type::Void)
            {
                self.converted.insert(call, pointee.ty);
            }
        }
    }

    /// Functions that copy, and those that make objects of several types.
    fn wanted(&self, calls: &[(FunctionId, Vec<ExprId>)]) -> FxHashSet<FunctionId> {
        let mut types: FxHashMap<FunctionId, FxHashSet<TypeId>> = FxHashMap::default();
        for &call in calls.iter().flat_map(|(_, own)| own) {
            if let (Some(f), Some(&ty)) = (self.callee(call), self.converted.get(&call)) {
                types.entry(f).or_default().insert(ty);
            }
        }
        let count = |f: &FunctionId| types.get(f).map_or(0, FxHashSet::len);
        let alone = self
            .known
            .iter()
            .filter(|&(f, k)| k.copies || count(f) > 1 || k.fills && count(f) > 0);
        let mut wanted: FxHashSet<FunctionId> = alone.map(|(f, _)| *f).collect();
        loop {
            let calls_wanted = |own: &[ExprId]| {
                let mut callees = own.iter().filter_map(|&call| self.callee(call));
                callees.any(|f| wanted.contains(&f))
            };
            let more: Vec<FunctionId> = calls
                .iter()
                .filter(|(f, own)| self.known.contains_key(f) && count(f) > 0 && calls_wanted(own))
                .map(|(f, _)| *f)
                .filter(|f| !wanted.contains(f))
                .collect();
            if more.is_empty() {
                return wanted;
            }
            wanted.extend(more);
        }
    }

    /// Makes a call run a copy of its function, where a copy is of use.
    fn replace(&mut self, call: ExprId, outer: Option<TypeId>) {
        let C::Call(Callee::Direct(function), list) = self.unit[call].kind else {
            return;
        };
        let full = self.made.len() >= MOST_COPIES
            || self.unit.exprs.len() > self.before + MOST_EXPRESSIONS;
        let Some(known) = self.known.get(&function).filter(|_| !full) else {
            return;
        };
        let args = self.unit[list].to_vec();
        if self.unit[function].params.len() != args.len() {
            return;
        }
        let own = known.allocates.then(|| self.converted.get(&call).copied());
        let mut result = own.and_then(|own| own.or(outer));
        let read_only = self.read_only(function);
        let given = |(at, &arg): (usize, &ExprId)| {
            if read_only[at] {
                self.given(self.unit[function].params[at], arg)
            } else {
                Given::Anything
            }
        };
        let mut params: Vec<Given> = args.iter().enumerate().map(given).collect();
        if self.unit.name(self.unit[function].name) == REALLOCATED {
            self.of_one_type(&mut result, &mut params[0]);
            // A size that is known may be one of code that nothing reaches.
            params[1] = Given::Anything;
        }
        if result.is_none() && params.iter().all(|g| !matches!(g, Given::Pointer(_))) {
            return;
        }
        let used = Use {
            function,
            params,
            result,
        };
        let Some(copy) = self.copy_for(&used) else {
            return;
        };
        let args = args.iter().zip(&used.params);
        let args = args.map(|(&arg, given)| match *given {
            Given::Pointer(ty) => self.pointing(arg, ty),
            _ => arg,
        });
        let args: Vec<ExprId> = args.collect();
        let list = self.unit.add_list(args);
        self.unit[call].kind = C::Call(Callee::Direct(copy), list);
    }

    /// Gives the result and the argument of `realloc` one type: characters, if neither is known.
    fn of_one_type(&mut self, result: &mut Option<TypeId>, old: &mut Given) {
        let known = match *old {
            Given::Pointer(ty) => self.unit.types.pointee(ty).map(|p| p.ty),
            _ => None,
        };
        let ty = result.or(known).unwrap_or(Types::int(IntKind::Char));
        *result = Some(ty);
        if known.is_none() {
            *old = Given::Pointer(self.unit.types.pointer(QualType::plain(ty)));
        }
    }

    /// An argument as a pointer of a type.
    fn pointing(&mut self, arg: ExprId, ty: TypeId) -> ExprId {
        let plain = unconverted(self.unit, arg);
        if self.unit[plain].ty.ty == ty {
            return plain;
        }
        let (kind, span) = (C::Convert(Conversion::Pointer, arg), self.unit[arg].span);
        let ty = QualType::plain(ty);
        self.unit.add(kind, ty, span)
    }

    /// What a call says of a parameter.
    fn given(&self, param: VarId, arg: ExprId) -> Given {
        let unit = &*self.unit;
        let ty = unit[param].ty.ty;
        if self.is_generic(ty) {
            let own = unit[unconverted(unit, arg)].ty.ty;
            let pointee = unit.types.pointee(own);
            let known = pointee.is_some_and(|p| {
                unit.types.layout(p.ty).is_some() && !matches!(unit.types.shape(p.ty), Type::Void)
            });
            return if known {
                Given::Pointer(own)
            } else {
                Given::Anything
            };
        }
        if unit.types.canonical(ty) == unit.types.size_type()
            && let Some(value) = unit.constant(arg)
            && let Some(number) = unit.numbers.iter().position(|&n| n == value)
        {
            return Given::Number(NumberId(number as u32));
        }
        Given::Anything
    }

    /// Which parameters are only read.
    fn read_only(&mut self, function: FunctionId) -> Vec<bool> {
        let known = self.known.get(&function);
        if let Some(known) = known.filter(|k| !k.read_only.is_empty()) {
            return known.read_only.clone();
        }
        let unit = &*self.unit;
        let mut walk = Walk::default();
        if let Some(body) = unit[function].body {
            walk.statement(unit, body);
        }
        let params = unit[function].params.iter().map(|&param| {
            let named = |e: &&ExprId| unit[**e].kind == C::Var(param);
            let read = |e: &&ExprId| matches!(unit[**e].kind, C::Load(of) if unit[of].kind == C::Var(param));
            walk.exprs.iter().filter(named).count() == walk.exprs.iter().filter(read).count()
        });
        let own: Vec<bool> = params.collect();
        if let Some(known) = self.known.get_mut(&function) {
            known.read_only.clone_from(&own);
        }
        own
    }

    /// Variables that are `void *`, hold what is returned, and are only read and assigned.
    fn kept(&self, walk: &Walk) -> Vec<VarId> {
        let unit = &*self.unit;
        let returned = |&e: &ExprId| match unit[unconverted(unit, e)].kind {
            C::Load(place) => match unit[place].kind {
                C::Var(v) if unit[v].lifetime == Lifetime::Local => Some(v),
                _ => None,
            },
            _ => None,
        };
        let own = |v: &VarId| {
            let is_own = |e: ExprId| unit[e].kind == C::Var(*v);
            let named = walk.exprs.iter().filter(|e| is_own(**e)).count();
            let plain = walk.exprs.iter().filter(|e| match unit[**e].kind {
                C::Load(of) | C::Assign(of, _) => is_own(of),
                _ => false,
            });
            self.is_generic(unit[*v].ty.ty) && named == plain.count()
        };
        walk.results
            .iter()
            .filter_map(returned)
            .filter(own)
            .collect()
    }

    fn copy_for(&mut self, used: &Use) -> Option<FunctionId> {
        if let Some(&made) = self.made.get(used) {
            return Some(made);
        }
        let (function, body) = (used.function, self.unit[used.function].body?);
        let mut walk = Walk::default();
        walk.statement(self.unit, body);
        if walk.fixed {
            return None;
        }
        let first = self.unit.exprs.len();
        let kept = match used.result {
            Some(ty) => {
                let ty = self.unit.types.pointer(QualType::plain(ty));
                let kept = self.kept(&walk);
                kept.into_iter().map(|v| (v, Given::Pointer(ty))).collect()
            }
            None => FxHashMap::default(),
        };
        let copy = FunctionId(self.unit.functions.len() as u32);
        let mut own = self.unit[function].clone();
        (own.constructor, own.destructor) = (None, None);
        self.unit.functions.push(own);
        let mut copier = Copier {
            unit: self.unit,
            copy,
            variables: FxHashMap::default(),
            labels: FxHashMap::default(),
            statements: FxHashMap::default(),
            given: kept,
        };
        copier.function(used, body);
        self.made.insert(used.clone(), copy);
        self.conversions(first);
        for at in first..self.unit.exprs.len() {
            let call = ExprId(at as u32);
            if self
                .callee(call)
                .is_some_and(|f| self.known.contains_key(&f))
            {
                self.work.push((call, used.result));
            }
        }
        Some(copy)
    }
}

/// Copies the body of a function.
struct Copier<'a> {
    unit: &'a mut Unit,
    copy: FunctionId,
    variables: FxHashMap<VarId, VarId>,
    labels: FxHashMap<LabelId, LabelId>,
    statements: FxHashMap<StmtId, StmtId>,
    given: FxHashMap<VarId, Given>,
}

impl Copier<'_> {
    fn function(&mut self, used: &Use, body: StmtId) {
        let params = self.unit[self.copy].params.clone();
        self.given
            .extend(params.iter().copied().zip(used.params.iter().copied()));
        let body = self.statement(body);
        let params: Vec<VarId> = params.iter().map(|&p| self.variable(p)).collect();
        let types = params.iter().map(|&p| self.unit[p].ty).collect();
        if let Some(own) = self.unit.types.function(self.unit[self.copy].ty).cloned() {
            let own = FunctionType {
                params: types,
                ..own
            };
            self.unit[self.copy].ty = self.unit.types.intern(Type::Function(own));
        }
        self.unit[self.copy].params = params;
        self.unit[self.copy].body = Some(body);
    }

    /// The variable of the copy. A static or thread-local variable is shared with the original.
    fn variable(&mut self, old: VarId) -> VarId {
        let variable = &self.unit[old];
        if !matches!(variable.lifetime, Lifetime::Local | Lifetime::Param) {
            return old;
        }
        if let Some(&new) = self.variables.get(&old) {
            return new;
        }
        let mut variable = variable.clone();
        variable.function = Some(self.copy);
        if let Some(&Given::Pointer(ty)) = self.given.get(&old) {
            variable.ty.ty = ty;
        }
        let new = self.unit.add_variable(variable);
        self.variables.insert(old, new);
        new
    }

    /// A variable where it begins.
    fn declared(&mut self, old: VarId) -> VarId {
        let new = self.variable(old);
        if let Some(init) = self.unit[old].init.filter(|_| new != old) {
            let init = self.init(init);
            self.unit[new].init = Some(init);
            if let (Some(&Given::Pointer(ty)), &Init::Value(e)) =
                (self.given.get(&old), &self.unit[init])
            {
                let (ty, span) = (QualType::plain(ty), self.unit[e].span);
                let value = self.unit.add(C::Convert(Conversion::Pointer, e), ty, span);
                self.unit[init] = Init::Value(value);
            }
        }
        new
    }

    fn init(&mut self, init: InitId) -> InitId {
        let new = match self.unit[init].clone() {
            Init::Value(e) => Init::Value(self.expr(e)),
            Init::Text(text) => Init::Text(text),
            Init::Parts(parts) => {
                let part = |p: &Part| Part {
                    init: self.init(p.init),
                    ..*p
                };
                Init::Parts(parts.iter().map(part).collect())
            }
        };
        self.unit.add_init(new)
    }

    fn label(&mut self, old: LabelId) -> LabelId {
        if let Some(&new) = self.labels.get(&old) {
            return new;
        }
        let mut label = self.unit[old].clone();
        label.function = self.copy;
        let new = self.unit.add_label(label);
        self.labels.insert(old, new);
        new
    }

    fn statement(&mut self, old: StmtId) -> StmtId {
        let Stmt { kind, span } = self.unit[old].clone();
        let kind = match kind {
            S::Expr(e) => S::Expr(self.expr(e)),
            S::GotoValue(e) => S::GotoValue(self.expr(e)),
            S::Declare(v) => S::Declare(self.declared(v)),
            S::Block(all) => S::Block(all.iter().map(|&s| self.statement(s)).collect()),
            S::If(c, yes, no) => {
                let (c, yes) = (self.expr(c), self.statement(yes));
                S::If(c, yes, no.map(|s| self.statement(s)))
            }
            S::While(c, body) => S::While(self.expr(c), self.statement(body)),
            S::DoWhile(body, c) => S::DoWhile(self.statement(body), self.expr(c)),
            S::For(first, c, step, body) => {
                let first = first.iter().map(|&s| self.statement(s)).collect();
                let (c, step) = (c.map(|e| self.expr(e)), step.map(|e| self.expr(e)));
                S::For(first, c, step, self.statement(body))
            }
            S::Switch(value, body, cases) => {
                let (value, body) = (self.expr(value), self.statement(body));
                let case = |case: &Case| Case {
                    at: self.statements.get(&case.at).copied().unwrap_or(case.at),
                    ..*case
                };
                let cases = cases.iter().map(case).collect();
                S::Switch(value, body, cases)
            }
            S::Label(label) => S::Label(self.label(label)),
            S::Goto(label) => S::Goto(self.label(label)),
            S::Return(e) => S::Return(e.map(|e| self.expr(e))),
            other @ (S::Empty | S::Case | S::Break | S::Continue | S::Asm) => other,
        };
        let new = self.unit.add_statement(kind, span);
        self.statements.insert(old, new);
        new
    }

    fn list(&mut self, list: ListId) -> ListId {
        let all = self.unit[list].to_vec();
        let all: Vec<ExprId> = all.into_iter().map(|e| self.expr(e)).collect();
        self.unit.add_list(all)
    }

    fn expr(&mut self, old: ExprId) -> ExprId {
        let Expr { kind, ty, span } = self.unit[old].clone();
        if let C::Load(place) = kind
            && let C::Var(param) = self.unit[place].kind
        {
            match self.given.get(&param) {
                Some(&Given::Number(number)) => return self.unit.add(C::Int(number), ty, span),
                Some(&Given::Pointer(own)) => {
                    let own = QualType::plain(own);
                    let new = self.variable(param);
                    let place = self.unit.add(C::Var(new), own, span);
                    let value = self.unit.add(C::Load(place), own, span);
                    return self
                        .unit
                        .add(C::Convert(Conversion::Pointer, value), ty, span);
                }
                _ => {}
            }
        }
        if let C::Assign(place, value) = kind
            && let C::Var(kept) = self.unit[place].kind
            && let Some(&Given::Pointer(own)) = self.given.get(&kept)
        {
            let own = QualType::plain(own);
            let new = self.variable(kept);
            let place = self.unit.add(C::Var(new), own, span);
            let value = self.expr(value);
            let value = self
                .unit
                .add(C::Convert(Conversion::Pointer, value), own, span);
            let assigned = self.unit.add(C::Assign(place, value), own, span);
            return self
                .unit
                .add(C::Convert(Conversion::Pointer, assigned), ty, span);
        }
        let kind = self.kind(kind);
        self.unit.add(kind, ty, span)
    }

    fn kind(&mut self, kind: C) -> C {
        match kind {
            C::Var(v) => C::Var(self.variable(v)),
            C::Literal(v) => C::Literal(self.declared(v)),
            C::Deref(a) => C::Deref(self.expr(a)),
            C::Member(a, field) => C::Member(self.expr(a), field),
            C::Temporary(a) => C::Temporary(self.expr(a)),
            C::Load(a) => C::Load(self.expr(a)),
            C::AddressOf(a) => C::AddressOf(self.expr(a)),
            C::Decay(a) => C::Decay(self.expr(a)),
            C::Convert(how, a) => C::Convert(how, self.expr(a)),
            C::Unary(op, a) => C::Unary(op, self.expr(a)),
            C::Not(a) => C::Not(self.expr(a)),
            C::Index(a, b) => C::Index(self.expr(a), self.expr(b)),
            C::Binary(op, a, b) => C::Binary(op, self.expr(a), self.expr(b)),
            C::Compare(op, a, b) => C::Compare(op, self.expr(a), self.expr(b)),
            C::Difference(a, b) => C::Difference(self.expr(a), self.expr(b)),
            C::And(a, b) => C::And(self.expr(a), self.expr(b)),
            C::Or(a, b) => C::Or(self.expr(a), self.expr(b)),
            C::Elvis(a, b) => C::Elvis(self.expr(a), self.expr(b)),
            C::Comma(a, b) => C::Comma(self.expr(a), self.expr(b)),
            C::Assign(a, b) => C::Assign(self.expr(a), self.expr(b)),
            C::Offset { pointer, by, back } => C::Offset {
                pointer: self.expr(pointer),
                by: self.expr(by),
                back,
            },
            C::Conditional(a, b, c) => C::Conditional(self.expr(a), self.expr(b), self.expr(c)),
            C::Update(mut update) => {
                update.place = self.expr(update.place);
                update.value = self.expr(update.value);
                C::Update(update)
            }
            C::Call(callee, list) => {
                let callee = match callee {
                    Callee::Pointer(pointer) => Callee::Pointer(self.expr(pointer)),
                    direct @ Callee::Direct(_) => direct,
                };
                C::Call(callee, self.list(list))
            }
            C::Atomic(op, orders, list) => C::Atomic(op, orders, self.list(list)),
            C::Builtin(builtin, list) => C::Builtin(builtin, self.list(list)),
            C::Block(body, last) => C::Block(self.statement(body), last.map(|e| self.expr(e))),
            other => other,
        }
    }
}
