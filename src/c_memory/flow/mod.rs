//! Which objects and functions a pointer may lead to. Rules include sets in sets; the order of statements does not matter.
//!
//! Each object is one node, with all that its parts may hold. Each expression is one node, with what its value may be.
//! The analysis follows a pointer through integers, too.

mod calls;
mod found;
mod solve;

use std::collections::{BTreeMap, BTreeSet};

use super::blocks::Blocks;
use super::forms::{
    by_pointer, called_by_themselves, cancels, direct, direct_as, float_functions, floats_decide,
    is_decay, is_zero, leads_to_characters,
};
use super::threads::{Site, numbers_of_handles};
use super::{Made, Object, Target, dropped};
use c::parts::innermost;
use c::typed::{
    AtomicOp, Builtin, ExprId, ExprKind as C, FunctionId, Init, InitId, Lifetime, StmtId,
    StmtKind as S, Unit, Update, VarId,
};
use c::types::{Field, RecordId, Type, TypeId, Types};
use rustc_hash::FxHashSet;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Node {
    /// All that an object holds.
    Object(Object),
    Value(ExprId),
    /// What a function returns.
    Result(FunctionId),
    /// What a function is given beyond the arguments that it names.
    Rest(FunctionId),
    /// What threads give to the threads that join them.
    Threads,
    /// What threads store under keys.
    Keys,
}

/// Which set is known to be a part of which set.
#[derive(Clone, Debug)]
enum Rule {
    Copy(Node, Node),
    /// The second node gets what the objects hold to which the first one may point.
    Load(Node, Node),
    /// The objects to which the second node may point get the targets of the first one.
    Store(Node, Node),
    /// The objects to which the second node may point get what the objects hold to which the first one may point.
    Move(Node, Node),
    Call(Node, Vec<Node>, Node),
    /// A function passes the list of its further arguments to a function.
    Pass(FunctionId, Node),
    /// A thread that begins, with its argument.
    Start(Node, Node),
    /// A function that is called with what keys hold.
    Destroy(Node),
}

impl Rule {
    /// The nodes whose targets a rule looks up.
    fn asks(&self) -> impl Iterator<Item = Node> {
        let (one, other) = match *self {
            Self::Copy(..) => (None, None),
            Self::Load(pointer, _)
            | Self::Store(_, pointer)
            | Self::Call(pointer, ..)
            | Self::Pass(_, pointer)
            | Self::Start(pointer, _)
            | Self::Destroy(pointer) => (Some(pointer), None),
            Self::Move(from, to) => (Some(from), Some(to)),
        };
        one.into_iter().chain(other)
    }
}

/// A place: an object, or wherever a value points to.
enum Where {
    Object(Object),
    Via(Node),
    /// For a moment in no object: a structure that a function returned.
    Held(Node),
    Nowhere,
}

/// The analysis and its result.
pub struct Flow<'a> {
    unit: &'a Unit,
    sets: BTreeMap<Node, BTreeSet<Target>>,
    rules: Vec<Rule>,
    pub reachable: BTreeSet<FunctionId>,
    work: Vec<FunctionId>,
    seen: BTreeSet<ExprId>,
    statics: BTreeSet<VarId>,
    function: Option<FunctionId>,
    loops: u32,
    calls: Vec<(Node, Site)>,
    starts: Vec<(Node, Site)>,
    /// Functions that end the thread in which they run.
    exits: BTreeSet<FunctionId>,
    pub numbered: bool,
    /// Whether threads are cancelled: they then end wherever they may wait.
    cancels: bool,
    pub heap: BTreeMap<ExprId, Made>,
    /// Which members of unions are used.
    pub unions: BTreeMap<RecordId, BTreeSet<u32>>,
    /// Which bit-fields of structures are used.
    pub bit_fields: BTreeMap<RecordId, BTreeSet<u32>>,
    pub made_at: BTreeMap<ExprId, Site>,
    /// Pointers through which elements of a type are copied.
    moved: Vec<(Node, TypeId)>,
    /// Functions with `va_arg`.
    reads: BTreeSet<FunctionId>,
    /// Where memory is freed.
    pub freed_at: Vec<Site>,
    /// Where keys are made.
    pub keys_at: Vec<Site>,
    blocks: Blocks,
    /// The calls whose results the program does not use.
    pub dropped: FxHashSet<ExprId>,
    pub floats_decide: bool,
}

impl<'a> Flow<'a> {
    pub fn of(unit: &'a Unit) -> Self {
        let mut flow = Self {
            unit,
            sets: BTreeMap::new(),
            rules: Vec::new(),
            reachable: BTreeSet::new(),
            work: Vec::new(),
            seen: BTreeSet::new(),
            statics: BTreeSet::new(),
            function: None,
            loops: 0,
            calls: Vec::new(),
            starts: Vec::new(),
            exits: BTreeSet::new(),
            numbered: numbers_of_handles(unit),
            cancels: cancels(unit),
            heap: BTreeMap::new(),
            made_at: BTreeMap::new(),
            moved: Vec::new(),
            freed_at: Vec::new(),
            keys_at: Vec::new(),
            reads: BTreeSet::new(),
            unions: BTreeMap::new(),
            bit_fields: BTreeMap::new(),
            blocks: Blocks::default(),
            dropped: dropped(unit),
            floats_decide: floats_decide(unit),
        };
        if let Some(main) = unit.main {
            flow.reach(main);
            for function in called_by_themselves(unit) {
                flow.reach(function);
                let site = Site {
                    by: main,
                    at: ExprId(if unit[function].destructor.is_some() {
                        u32::MAX
                    } else {
                        0
                    }),
                    repeated: false,
                };
                flow.calls.push((Node::Result(function), site));
            }
        }
        if flow.floats_decide {
            float_functions(unit).for_each(|function| flow.reach(function));
        }
        while let Some(function) = flow.work.pop() {
            flow.function = Some(function);
            if let Some(body) = unit[function].body {
                // A jump backwards is a loop, too.
                let labels = unit.labels.iter().any(|l| l.function == function);
                flow.loops = u32::from(labels);
                flow.statement(body);
            }
        }
        flow.solve();
        flow
    }

    fn reach(&mut self, function: FunctionId) {
        if self.unit[function].body.is_some() && self.reachable.insert(function) {
            self.work.push(function);
        }
    }

    fn statement(&mut self, id: StmtId) {
        let unit = self.unit;
        match &unit[id].kind {
            S::Empty | S::Case | S::Label(_) | S::Goto(_) | S::Break | S::Continue | S::Asm => {}
            S::Expr(e) | S::GotoValue(e) => self.visit(*e),
            S::Declare(variable) => self.declare(*variable),
            S::Block(all) => {
                let outer = self.blocks.enter();
                all.iter().for_each(|&s| self.statement(s));
                self.blocks.leave(outer);
            }
            S::If(cond, yes, no) => {
                self.visit(*cond);
                self.statement(*yes);
                no.iter().for_each(|&s| self.statement(s));
            }
            S::While(cond, body) | S::DoWhile(body, cond) => {
                self.loops += 1;
                self.visit(*cond);
                self.statement(*body);
                self.loops -= 1;
            }
            S::For(first, cond, step, body) => {
                let outer = self.blocks.enter();
                first.iter().for_each(|&s| self.statement(s));
                self.loops += 1;
                cond.iter().chain(step).for_each(|&e| self.visit(e));
                self.statement(*body);
                self.loops -= 1;
                self.blocks.leave(outer);
            }
            S::Switch(value, body, _) => {
                self.visit(*value);
                self.statement(*body);
            }
            S::Return(value) => {
                if let (Some(value), Some(function)) = (*value, self.function) {
                    let value = self.value(value);
                    self.rules.push(Rule::Copy(value, Node::Result(function)));
                }
            }
        }
    }

    fn declare(&mut self, id: VarId) {
        if matches!(self.unit[id].lifetime, Lifetime::Local | Lifetime::Param) {
            self.blocks.declare(id);
        }
        if let Some(init) = self.unit[id].init {
            self.initialise(init, self.unit[id].ty.ty, Object::Variable(id));
        }
    }

    fn initialise(&mut self, init: InitId, ty: TypeId, object: Object) {
        let unit = self.unit;
        let element = unit.types.element(ty).map(|q| q.ty);
        let record = unit.types.record(ty);
        let fields = record.and_then(|r| unit.types[r].fields.as_deref());
        match &unit[init] {
            Init::Value(e) => {
                let value = self.value(*e);
                self.rules.push(Rule::Copy(value, Node::Object(object)));
            }
            Init::Text(_) => {}
            Init::Parts(parts) => {
                for part in parts {
                    let field = usize::try_from(part.at).ok();
                    let field = fields.and_then(|f| f.get(field?)).map(|f| f.ty.ty);
                    let inner = element.or(field).unwrap_or(Types::ERROR);
                    if let Some(union) = record.filter(|&r| unit.types[r].is_union)
                        && !is_zero(unit, part.init)
                    {
                        let used = self.unions.entry(union).or_default();
                        used.extend(u32::try_from(part.at));
                    }
                    self.initialise(part.init, inner, object);
                }
            }
        }
    }

    fn variable(&mut self, id: VarId) -> Object {
        let variable = &self.unit[id];
        let lasting = matches!(variable.lifetime, Lifetime::Static | Lifetime::Thread);
        self.numbered |= variable.lifetime == Lifetime::Thread;
        if lasting && self.statics.insert(id) {
            self.declare(id);
        }
        Object::Variable(id)
    }

    fn visit(&mut self, e: ExprId) {
        if self.unit.is_place(e) {
            self.place(e);
        } else {
            self.value(e);
        }
    }

    fn place(&mut self, e: ExprId) -> Where {
        match self.unit[e].kind.clone() {
            C::Var(id) => Where::Object(self.variable(id)),
            C::Literal(id) => {
                self.declare(id);
                Where::Object(Object::Variable(id))
            }
            C::Text(id) => Where::Object(Object::Text(id)),
            C::Member(of, member) => {
                let unit = self.unit;
                if let Some(record) = unit.types.record(unit[of].ty.ty) {
                    let fields = unit.types[record].fields.as_deref().unwrap_or_default();
                    if unit.types[record].is_union {
                        self.unions.entry(record).or_default().insert(member);
                    } else if fields
                        .get(member as usize)
                        .is_some_and(|f| f.bits.is_some())
                    {
                        self.bit_fields.entry(record).or_default().insert(member);
                    }
                }
                self.place(of)
            }
            C::Deref(pointer) => self.pointed(pointer),
            C::Index(pointer, index) => {
                self.visit(index);
                if is_decay(self.unit, pointer) {
                    self.pointed(pointer)
                } else {
                    Where::Via(self.value(pointer))
                }
            }
            C::Temporary(of) => {
                let value = self.value(of);
                Where::Held(value)
            }
            _ => Where::Nowhere,
        }
    }

    /// What a pointer leads to. An address that is only followed on the spot (`*&x`) does not count as taken.
    fn pointed(&mut self, e: ExprId) -> Where {
        match self.unit[e].kind.clone() {
            C::AddressOf(place) => self.place(place),
            C::Decay(place) if is_decay(self.unit, e) => self.place(place),
            C::Offset { pointer, by, .. } if is_decay(self.unit, pointer) => {
                self.visit(by);
                self.pointed(pointer)
            }
            C::Convert(_, of) if direct_as(self.unit, e).is_some() => self.pointed(of),
            _ => Where::Via(self.value(e)),
        }
    }

    fn read(&mut self, from: Where, to: Node) {
        match from {
            Where::Object(object) => self.rules.push(Rule::Copy(Node::Object(object), to)),
            Where::Via(pointer) => self.rules.push(Rule::Load(pointer, to)),
            Where::Held(value) => self.rules.push(Rule::Copy(value, to)),
            Where::Nowhere => {}
        }
    }

    fn write(&mut self, to: Where, from: Node) {
        match to {
            Where::Object(object) => self.rules.push(Rule::Copy(from, Node::Object(object))),
            Where::Via(pointer) => self.rules.push(Rule::Store(from, pointer)),
            Where::Held(_) | Where::Nowhere => {}
        }
    }

    fn add(&mut self, node: Node, target: Target) {
        self.sets.entry(node).or_default().insert(target);
    }

    /// A value leads to a place.
    fn lead(&mut self, value: Node, to: Where) {
        match to {
            Where::Object(object) => self.add(value, Target::Object(object)),
            Where::Via(pointer) => self.rules.push(Rule::Copy(pointer, value)),
            Where::Held(_) | Where::Nowhere => {}
        }
    }

    /// Counts members as used that share bytes which the program may see: bit-fields, and numbers over floating ones.
    fn bytes_seen(&mut self, ty: TypeId) {
        let types = &self.unit.types;
        let Some(record) = types.record(innermost(self.unit, ty)) else {
            return;
        };
        let fields = types[record].fields.as_deref().unwrap_or_default();
        let number = |field: &Field| types.is_scalar(field.ty.ty);
        let floating = |field: &Field| matches!(types.shape(field.ty.ty), Type::Float(_));
        if fields.iter().any(|field| field.bits.is_some()) {
            let used = self.bit_fields.entry(record).or_default();
            used.extend(0..=fields.len() as u32);
        }
        if types[record].is_union && fields.iter().any(floating) {
            let used = self.unions.entry(record).or_default();
            used.extend(
                (0..)
                    .zip(fields)
                    .filter_map(|(at, f)| number(f).then_some(at)),
            );
        }
        fields.iter().for_each(|field| self.bytes_seen(field.ty.ty));
    }

    fn convert(&mut self, e: ExprId, of: ExprId) {
        let own = Node::Value(e);
        if leads_to_characters(self.unit, e) && !leads_to_characters(self.unit, of) {
            self.add(own, Target::AnyByte);
        }
        let unit = self.unit;
        let (to, from) = (
            unit.types.pointee(unit[e].ty.ty),
            unit.types.pointee(unit[of].ty.ty),
        );
        if let (Some(to), Some(from)) = (to, from)
            && unit.types.record(innermost(unit, to.ty))
                != unit.types.record(innermost(unit, from.ty))
        {
            self.bytes_seen(from.ty);
        }
        self.from(&[of], own);
    }

    fn value(&mut self, e: ExprId) -> Node {
        let own = Node::Value(e);
        if !self.seen.insert(e) {
            return own;
        }
        let unit = self.unit;
        match unit[e].kind.clone() {
            C::Load(place) => {
                let place = self.place(place);
                self.read(place, own);
            }
            C::AddressOf(place) | C::Decay(place) => {
                let place = self.place(place);
                self.lead(own, place);
            }
            C::Function(function) => {
                let function = by_pointer(unit, function);
                self.reach(function);
                self.add(own, Target::Function(function));
            }
            C::Convert(_, of) => self.convert(e, of),
            C::Unary(_, of) | C::Not(of) => self.from(&[of], own),
            C::Binary(_, l, r)
            | C::Compare(_, l, r)
            | C::And(l, r)
            | C::Or(l, r)
            | C::Elvis(l, r)
            | C::Difference(l, r) => self.from(&[l, r], own),
            C::Offset { pointer, by, .. } => {
                self.from(&[pointer], own);
                self.visit(by);
            }
            C::Comma(l, r) => {
                self.visit(l);
                self.from(&[r], own);
            }
            C::Conditional(c, a, b) => {
                self.visit(c);
                self.from(&[a, b], own);
            }
            C::Assign(place, from) => {
                let place = self.place(place);
                self.from(&[from], own);
                self.write(place, own);
            }
            C::Update(update) => self.update(*update, own),
            C::Block(statements, last) => {
                self.statement(statements);
                if let Some(last) = last {
                    self.from(&[last], own);
                }
            }
            C::Atomic(op, _, operands) => self.atomic(own, op, &self.unit[operands]),
            C::Builtin(builtin, operands) => self.builtin(builtin, &self.unit[operands], own),
            C::Call(callee, args) => self.call(e, callee, &self.unit[args]),
            _ => {
                self.place(e);
            }
        }
        own
    }

    fn builtin(&mut self, builtin: Builtin, operands: &[ExprId], own: Node) {
        operands.iter().for_each(|&o| self.visit(o));
        if let (Builtin::VaArg, Some(function)) = (builtin, self.function) {
            self.reads.insert(function);
            self.rules.push(Rule::Copy(Node::Rest(function), own));
        }
    }

    fn update(&mut self, update: Update, own: Node) {
        let place = self.place(update.place);
        let value = self.value(update.value);
        self.rules.push(Rule::Copy(value, own));
        self.write(place, own);
        let place = self.place(update.place);
        self.read(place, own);
    }

    fn from(&mut self, all: &[ExprId], to: Node) {
        for &e in all {
            if self.unit.is_place(e) {
                self.place(e);
            } else {
                let value = self.value(e);
                self.rules.push(Rule::Copy(value, to));
            }
        }
    }

    /// Whatever an operand holds may come into the object and out of it.
    fn atomic(&mut self, own: Node, op: AtomicOp, operands: &[ExprId]) {
        let Some((&object, rest)) = operands.split_first() else {
            return;
        };
        let to = self.pointed(object);
        self.read(to, own);
        // How many operands are pointers to values instead of values.
        let places = match op {
            AtomicOp::LoadInto | AtomicOp::StoreFrom | AtomicOp::CompareExchange => 1,
            AtomicOp::ExchangeThrough | AtomicOp::CompareExchangeThrough => 2,
            _ => 0,
        };
        for (at, &operand) in rest.iter().enumerate() {
            if at < places && self.unit.types.pointee(self.unit[operand].ty.ty).is_some() {
                let from = self.pointed(operand);
                self.read(from, own);
                let from = self.pointed(operand);
                self.write(from, own);
            }
            if at >= places || direct(self.unit, operand).is_none() {
                let value = self.value(operand);
                self.rules.push(Rule::Copy(value, own));
            }
        }
        let to = self.pointed(object);
        self.write(to, own);
    }
}
