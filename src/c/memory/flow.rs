//! Which objects and functions a pointer may lead to: inclusion of sets, whatever the order of statements is.
//!
//! Each object is one node with all that its parts may hold, each expression one with what its value may be. A pointer
//! is followed through integers, too.

use std::collections::{BTreeMap, BTreeSet};

use super::blocks::Blocks;
use super::threads::Site;
use super::{Made, Object, Target, size_of};
use crate::c::sema::SPAWN;
use crate::c::typed::{
    AtomicOp, Builtin, Callee, Conversion, ExprId, ExprKind as C, FunctionId, Init, InitId,
    Lifetime, StmtId, StmtKind as S, Unit, Update, VarId,
};
use crate::c::types::{IntKind, Length, RecordId, Type, TypeId, Types};

/// What holds pointers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Node {
    /// All that an object holds.
    Object(Object),
    /// The value of an expression.
    Value(ExprId),
    /// What a function returns.
    Result(FunctionId),
    /// What a function is given beyond the arguments that it names.
    Rest(FunctionId),
    /// What threads give to those who join them.
    Threads,
    /// What threads store under keys.
    Keys,
}

/// What is known to be a part of what.
#[derive(Clone, Debug)]
enum Rule {
    Copy(Node, Node),
    /// What the objects hold to which the first may point.
    Load(Node, Node),
    /// Into the objects to which the second may point.
    Store(Node, Node),
    /// Between the objects to which both may point.
    Move(Node, Node),
    Call(Node, Vec<Node>, Node),
    /// A list of such arguments is given to a function.
    Pass(FunctionId, Node),
    /// A thread that begins, with its argument.
    Start(Node, Node),
    /// A function that is called with what keys hold.
    Destroy(Node),
}

/// A place: an object, or wherever a value points to.
enum Where {
    Object(Object),
    Via(Node),
    /// For a moment in no object: a structure that a function returned.
    Held(Node),
    Nowhere,
}

/// Functions of our headers that the library calls: what `atoi` does with a text, and what is done when the program ends.
pub(in crate::c) const READS_NUMBERS: &str = "__number_in_text";
pub(in crate::c) const RUNS_HANDLERS: &str = "__run_at_exit";

/// How those are called to which a pointer to a function of the library leads.
pub(in crate::c) const BY_POINTER: &str = "__by_pointer_";

/// A function of the program with that name.
pub(in crate::c) fn own_function(unit: &Unit, name: &str) -> Option<FunctionId> {
    let named = |f: &crate::c::typed::Function| f.body.is_some() && unit.name(f.name) == name;
    let at = unit.functions.iter().position(named)?;
    u32::try_from(at).ok().map(FunctionId)
}

/// What a pointer to a function leads to: of the library, to one of our headers that calls it.
pub(in crate::c) fn by_pointer(unit: &Unit, function: FunctionId) -> FunctionId {
    let own = &unit[function];
    let named = || own_function(unit, &format!("{BY_POINTER}{}", unit.name(own.name)));
    if own.body.is_some() {
        function
    } else {
        named().unwrap_or(function)
    }
}

/// Functions of the library that make objects, with the argument that says how large.
pub(in crate::c) fn allocates(name: &str) -> Option<&'static [usize]> {
    match name {
        "malloc" | "alloca" | "valloc" => Some(&[0]),
        "calloc" => Some(&[0, 1]),
        "aligned_alloc" | "memalign" => Some(&[1]),
        _ => None,
    }
}

/// The analysis and its result.
pub(super) struct Flow<'a> {
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
    /// Where allocations stand.
    pub made_at: BTreeMap<ExprId, Site>,
    /// Functions with `va_arg`.
    reads: BTreeSet<FunctionId>,
    /// Where memory is freed.
    pub freed_at: Vec<Site>,
    blocks: Blocks,
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
            numbered: false,
            cancels: cancels(unit),
            heap: BTreeMap::new(),
            made_at: BTreeMap::new(),
            freed_at: Vec::new(),
            reads: BTreeSet::new(),
            unions: BTreeMap::new(),
            bit_fields: BTreeMap::new(),
            blocks: Blocks::default(),
        };
        if let Some(main) = unit.main {
            flow.reach(main);
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
            S::Empty | S::Case | S::Label(_) | S::Goto(_) | S::Break | S::Continue | S::Asm(_) => {}
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
        self.blocks.declare(id);
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
                self.pointed(pointer)
            }
            C::Temporary(of) => {
                let value = self.value(of);
                Where::Held(value)
            }
            _ => Where::Nowhere,
        }
    }

    /// What a pointer leads to. An address that is used on the spot is not taken.
    fn pointed(&mut self, e: ExprId) -> Where {
        match self.unit[e].kind.clone() {
            C::AddressOf(place) => self.place(place),
            C::Decay(place) if is_decay(self.unit, e) => self.place(place),
            C::Offset { pointer, by, .. } if is_decay(self.unit, pointer) => {
                self.visit(by);
                self.pointed(pointer)
            }
            C::Convert(_, of) if direct(self.unit, of).is_some() => self.pointed(of),
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
            C::AddressOf(place) | C::Decay(place) => match self.place(place) {
                Where::Object(object) => self.add(own, Target::Object(object)),
                Where::Via(pointer) => self.rules.push(Rule::Copy(pointer, own)),
                Where::Held(_) | Where::Nowhere => {}
            },
            C::Function(function) => {
                let function = by_pointer(unit, function);
                self.reach(function);
                self.add(own, Target::Function(function));
            }
            C::Convert(_, of) | C::Unary(_, of) | C::Not(of) => self.from(&[of], own),
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
            C::Atomic(op, operands) => self.atomic(own, op, &self.unit[operands]),
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
        // How many of them say where a value is, and are none themselves.
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

    fn call(&mut self, e: ExprId, callee: Callee, args: &[ExprId]) {
        let unit = self.unit;
        let function = match callee {
            Callee::Direct(function) => Some(function),
            Callee::Pointer(pointer) => match unit[pointer].kind {
                C::Function(function) => Some(function),
                _ => None,
            },
        };
        let own = Node::Value(e);
        match (function, callee) {
            (Some(function), _) if unit[function].body.is_none() => {
                let name = unit.name(unit[function].name).to_owned();
                self.library(e, &name, args);
            }
            (Some(function), _) => {
                self.reach(function);
                self.passes(args, Node::Result(function));
                if unit.name(unit[function].name) == "atexit" {
                    self.runs_handlers(e);
                }
                let args = args.iter().map(|&a| self.value(a)).collect();
                let callee = Node::Result(function);
                self.rules.push(Rule::Copy(callee, own));
                self.parameters(function, args);
                let target = Node::Value(e);
                // A call of a known function is a site of that function alone.
                self.site(false, target, Some(function), e);
            }
            (None, Callee::Pointer(pointer)) => {
                let pointer = self.value(pointer);
                self.passes(args, pointer);
                let args = args.iter().map(|&a| self.value(a)).collect();
                self.rules.push(Rule::Call(pointer, args, own));
                self.site(false, pointer, None, e);
            }
            (None, Callee::Direct(_)) => {}
        }
    }

    /// A list of arguments among the arguments of a call.
    fn passes(&mut self, args: &[ExprId], called: Node) {
        let list = |&e: &ExprId| matches!(self.unit.types.shape(self.unit[e].ty.ty), Type::VaList);
        if let Some(function) = self.function.filter(|_| args.iter().any(list)) {
            self.rules.push(Rule::Pass(function, called));
        }
    }

    /// Functions of the library that call functions of our headers.
    fn helped(&mut self, e: ExprId, name: &str, args: &[ExprId]) -> bool {
        match (name, args) {
            ("exit", [status]) => {
                self.visit(*status);
                self.runs_handlers(e);
            }
            ("atoi" | "atol" | "atoll" | "strtol" | "strtoll" | "strtoul" | "strtoull", texts) => {
                let texts = texts.iter().map(|&arg| self.value(arg)).collect();
                if let Some(function) = own_function(self.unit, READS_NUMBERS) {
                    self.reach(function);
                    self.parameters(function, texts);
                    self.site(false, Node::Result(function), Some(function), e);
                }
            }
            ("snprintf" | "sprintf", args) => {
                for &arg in args {
                    self.text(arg);
                }
            }
            _ => return false,
        }
        true
    }

    /// An argument that is written or read as a text: a named array by its elements, others by their addresses.
    fn text(&mut self, arg: ExprId) {
        let is_pointer = self.unit.types.pointee(self.unit[arg].ty.ty).is_some();
        if is_pointer && array_of_text(self.unit, unconverted(self.unit, arg)).is_none() {
            self.value(arg);
        } else {
            self.argument(arg);
        }
    }

    /// What is done when the program ends, by whoever ends it.
    fn runs_handlers(&mut self, e: ExprId) {
        if let Some(function) = own_function(self.unit, RUNS_HANDLERS) {
            self.reach(function);
            self.site(false, Node::Result(function), Some(function), e);
        }
    }

    fn parameters(&mut self, function: FunctionId, args: Vec<Node>) {
        for (index, arg) in args.into_iter().enumerate() {
            let param = self.parameter(function, index);
            self.rules.push(Rule::Copy(arg, param));
        }
    }

    /// Where an argument of a function goes.
    fn parameter(&self, function: FunctionId, index: usize) -> Node {
        match self.unit[function].params.get(index) {
            Some(&param) => Node::Object(Object::Variable(param)),
            None => Node::Rest(function),
        }
    }

    /// Where the function is that is looked at, if control comes from somewhere.
    fn here(&self, at: ExprId) -> Option<Site> {
        let repeated = self.loops > 0;
        self.function.map(|by| Site { by, at, repeated })
    }

    fn site(&mut self, start: bool, node: Node, known: Option<FunctionId>, at: ExprId) {
        let Some(site) = self.here(at) else { return };
        let node = match known {
            Some(function) => Node::Result(function),
            None => node,
        };
        let sites = if start {
            &mut self.starts
        } else {
            &mut self.calls
        };
        sites.push((node, site));
    }

    fn library(&mut self, e: ExprId, name: &str, args: &[ExprId]) {
        let own = Node::Value(e);
        if self.cancels && may_end(name) {
            self.exits.extend(self.function);
        }
        match (name, args) {
            _ if self.helped(e, name, args) => {}
            ("pthread_create", &[thread, _, start, arg])
            | ("thrd_create", &[thread, start, arg]) => {
                self.pointed(thread);
                self.starts(start, arg);
            }
            ("__VERIFIER_spawn" | SPAWN, &[start, arg])
            | ("__VERIFIER_spawn_symmetric", &[start, arg, _]) => self.starts(start, arg),
            ("pthread_join" | "thrd_join", &[thread, result]) => {
                self.visit(thread);
                let to = self.pointed(result);
                self.write(to, Node::Threads);
            }
            ("pthread_exit" | "thrd_exit", &[result]) => {
                let value = self.value(result);
                self.rules.push(Rule::Copy(value, Node::Threads));
                self.exits.extend(self.function);
            }
            ("__pthread_cleanup_push", &[function, arg]) => {
                let arg = self.value(arg);
                self.runs(function, vec![arg], own);
            }
            ("pthread_setspecific" | "tss_set", &[key, value]) => {
                self.visit(key);
                let value = self.value(value);
                self.rules.push(Rule::Copy(value, Node::Keys));
            }
            ("pthread_getspecific" | "tss_get", &[key]) => {
                self.visit(key);
                self.rules.push(Rule::Copy(Node::Keys, own));
            }
            ("pthread_key_create" | "tss_create", &[key, function]) => {
                self.numbered = true;
                self.pointed(key);
                let destructor = self.value(function);
                self.rules.push(Rule::Destroy(destructor));
                self.site(false, destructor, None, function);
            }
            ("pthread_once" | "call_once", &[once, function]) => {
                self.pointed(once);
                self.runs(function, Vec::new(), own);
            }
            _ if self.bytes(own, name, args) => {}
            _ => {
                for &arg in args {
                    self.argument(arg);
                }
                self.allocation(e, name, args);
            }
        }
    }

    /// Objects as bytes: those that are not named there as a whole are reached by their addresses.
    fn bytes(&mut self, own: Node, name: &str, args: &[ExprId]) -> bool {
        match (name, args) {
            (
                "memcpy" | "memmove" | "__builtin_memcpy" | "__builtin_memmove",
                &[to, from, size],
            ) => {
                self.visit(size);
                let (to, from) = (self.value(to), self.value(from));
                self.rules.push(Rule::Move(from, to));
                self.rules.push(Rule::Copy(to, own));
            }
            ("memset" | "__builtin_memset" | "bzero", &[to, .., size])
                if !is_whole(self.unit, to, size) =>
            {
                args.iter().for_each(|&arg| self.visit(arg));
            }
            _ => return false,
        }
        true
    }

    /// A thread is made.
    fn starts(&mut self, start: ExprId, arg: ExprId) {
        let (routine, arg) = (self.value(start), self.value(arg));
        self.rules.push(Rule::Start(routine, arg));
        self.site(true, routine, None, start);
    }

    /// The library runs a function in the thread that calls it.
    fn runs(&mut self, function: ExprId, args: Vec<Node>, own: Node) {
        let called = self.value(function);
        self.rules.push(Rule::Call(called, args, own));
        self.site(false, called, None, function);
    }

    fn argument(&mut self, arg: ExprId) {
        if direct(self.unit, arg).is_some() {
            self.pointed(arg);
        } else {
            self.visit(arg);
        }
    }

    /// An object that is allocated, or freed. Its type is what `sizeof` says, found in the size.
    fn allocation(&mut self, e: ExprId, name: &str, args: &[ExprId]) {
        if name == "free" {
            self.freed_at.extend(self.here(e));
        }
        let Some(sizes) = allocates(name) else { return };
        let size = sizes.iter().try_fold(1_u64, |product, &index| {
            let size = self.unit.constant(*args.get(index)?)?;
            product.checked_mul(u64::try_from(size).ok()?)
        });
        self.add(Node::Value(e), Target::Object(Object::Heap(e)));
        let made = Made {
            ty: Types::int(IntKind::Char),
            len: size,
            tail: None,
        };
        self.heap.insert(e, made);
        if let Some(site) = self.here(e) {
            self.made_at.insert(e, site);
        }
    }

    fn set(&self, node: Node) -> BTreeSet<Target> {
        self.sets.get(&node).cloned().unwrap_or_default()
    }

    fn include(&mut self, from: Node, to: Node) -> bool {
        if from == to {
            return false;
        }
        let from = self.set(from);
        if from.is_empty() {
            return false;
        }
        let to = self.sets.entry(to).or_default();
        let before = to.len();
        to.extend(from);
        to.len() > before
    }

    fn solve(&mut self) {
        let rules = std::mem::take(&mut self.rules);
        loop {
            let mut changed = false;
            for rule in &rules {
                changed |= self.apply(rule);
            }
            if !changed {
                break;
            }
        }
        self.rules = rules;
        self.type_heap();
    }

    fn objects(&self, node: Node) -> Vec<Node> {
        let of = |t: &Target| match t {
            Target::Object(object) => Some(Node::Object(*object)),
            Target::Function(_) => None,
        };
        self.sets
            .get(&node)
            .into_iter()
            .flatten()
            .filter_map(of)
            .collect()
    }

    fn functions(&self, node: Node) -> Vec<FunctionId> {
        if let Node::Result(function) = node {
            return vec![function];
        }
        let of = |t: &Target| match t {
            Target::Function(function) => Some(*function),
            Target::Object(_) => None,
        };
        self.sets
            .get(&node)
            .into_iter()
            .flatten()
            .filter_map(of)
            .collect()
    }

    fn apply(&mut self, rule: &Rule) -> bool {
        let mut changed = false;
        match rule {
            Rule::Copy(from, to) => changed = self.include(*from, *to),
            Rule::Load(pointer, to) => {
                for object in self.objects(*pointer) {
                    changed |= self.include(object, *to);
                }
            }
            Rule::Store(from, pointer) => {
                for object in self.objects(*pointer) {
                    changed |= self.include(*from, object);
                }
            }
            Rule::Move(from, to) => {
                for from in self.objects(*from) {
                    for to in self.objects(*to) {
                        changed |= self.include(from, to);
                    }
                }
            }
            Rule::Call(pointer, args, result) => {
                for function in self.functions(*pointer) {
                    for (index, &arg) in args.iter().enumerate() {
                        changed |= self.include(arg, self.parameter(function, index));
                    }
                    changed |= self.include(Node::Result(function), *result);
                }
            }
            Rule::Pass(from, called) => {
                for function in self.functions(*called) {
                    changed |= self.include(Node::Rest(*from), Node::Rest(function));
                }
            }
            Rule::Start(start, arg) => {
                for function in self.functions(*start) {
                    for &param in &self.unit[function].params {
                        changed |= self.include(*arg, Node::Object(Object::Variable(param)));
                    }
                    changed |= self.include(Node::Result(function), Node::Threads);
                }
            }
            Rule::Destroy(pointer) => {
                for function in self.functions(*pointer) {
                    for &param in &self.unit[function].params {
                        changed |= self.include(Node::Keys, Node::Object(Object::Variable(param)));
                    }
                }
            }
        }
        changed
    }

    /// What each allocation makes: the type that pointers to it are converted to.
    fn type_heap(&mut self) {
        let unit = self.unit;
        let mut found: BTreeMap<ExprId, BTreeSet<TypeId>> = BTreeMap::new();
        for (node, set) in &self.sets {
            let Node::Value(e) = node else { continue };
            let Some(pointee) = unit.types.pointee(unit[*e].ty.ty) else {
                continue;
            };
            let ty = unit.types.canonical(pointee.ty);
            if unit.types.layout(ty).is_none() || unit.types.function(ty).is_some() {
                continue;
            }
            // The conversion of an allocation, not what lies within.
            if let C::Convert(_, of) = unit[*e].kind
                && unit
                    .types
                    .pointee(unit[of].ty.ty)
                    .is_some_and(|p| matches!(unit.types.shape(p.ty), Type::Void))
            {
                for target in set {
                    if let Target::Object(Object::Heap(site)) = target {
                        found.entry(*site).or_default().insert(pointee.ty);
                    }
                }
            }
        }
        for (site, types) in found {
            let Some(entry) = self.heap.get_mut(&site) else {
                continue;
            };
            let length = entry.len;
            // The largest type: others are those of its first members.
            let largest = types.into_iter().max_by_key(|&ty| size_of(unit, ty));
            if let Some(ty) = largest {
                let size = size_of(unit, ty);
                *entry = Made {
                    ty,
                    len: entry.len.map(|bytes| bytes / size),
                    tail: None,
                };
                if let Some((_, from, each)) = open_end(unit, ty) {
                    let bytes = length.map_or(0, |bytes| bytes.saturating_sub(from));
                    *entry = Made {
                        ty,
                        len: Some(1),
                        tail: Some(bytes.div_ceil(each.max(1))),
                    };
                }
            }
        }
    }

    /// Where functions are called, or made threads.
    pub fn sites(&self, start: bool) -> BTreeMap<FunctionId, Vec<Site>> {
        let mut all: BTreeMap<FunctionId, Vec<Site>> = BTreeMap::new();
        for (node, site) in if start { &self.starts } else { &self.calls } {
            for function in self.functions(*node) {
                all.entry(function).or_default().push(*site);
            }
        }
        all
    }

    /// Whether a function that is called ends the thread.
    pub fn exits_in_functions(&self) -> bool {
        let called = self.sites(false);
        self.exits.iter().any(|f| called.contains_key(f))
    }

    /// What the values of expressions may point to.
    pub fn values(&self) -> BTreeMap<ExprId, BTreeSet<Target>> {
        let of = |(node, set): (&Node, &BTreeSet<Target>)| match node {
            Node::Value(e) => Some((*e, set.clone())),
            _ => None,
        };
        self.sets.iter().filter_map(of).collect()
    }

    /// The objects to which there may be a pointer.
    pub fn residents(&self) -> BTreeSet<Object> {
        let of = |t: &Target| match t {
            Target::Object(object) => Some(*object),
            Target::Function(_) => None,
        };
        self.sets.values().flatten().filter_map(of).collect()
    }

    /// Whether only locals of one thread ever hold a pointer to an object.
    pub fn is_private(&self, unit: &Unit, object: Object) -> bool {
        let Object::Variable(v) = object else {
            return false;
        };
        if unit[v].lifetime == Lifetime::Static {
            return false;
        }
        let started = self.sites(true).into_keys().collect();
        self.is_kept_by_one(object, &self.residents(), &started)
    }

    /// The same of a local variable, where it is known to what pointers lead and which functions are started.
    fn is_kept_by_one(
        &self,
        object: Object,
        residents: &BTreeSet<Object>,
        started: &BTreeSet<FunctionId>,
    ) -> bool {
        let unit = self.unit;
        self.sets.iter().all(|(node, set)| {
            !set.contains(&Target::Object(object))
                || match node {
                    Node::Value(_) | Node::Result(_) | Node::Rest(_) => true,
                    Node::Object(holder) => match holder {
                        Object::Variable(h) => {
                            let h_ = &unit[*h];
                            let local = matches!(h_.lifetime, Lifetime::Local | Lifetime::Param);
                            let starts = h_.lifetime == Lifetime::Param
                                && h_.function.is_none_or(|f| started.contains(&f));
                            local && !starts && !residents.contains(holder)
                        }
                        _ => false,
                    },
                    Node::Threads | Node::Keys => false,
                }
        })
    }

    /// Local variables to which a pointer may lead when their function has returned, and those to which one may when their block
    /// within the function has ended.
    pub fn outlived(&self) -> (BTreeSet<VarId>, BTreeSet<VarId>) {
        let main_ends = self.main_ends_early();
        let kept = self.kept();
        let by_block = self.outlived_by_function(kept.clone());
        let mut by_call = kept;
        by_call.retain(|&v| self.unit[v].function != self.unit.main || main_ends);
        (by_call, by_block)
    }

    fn outlived_by_function(&self, mut outlived: BTreeSet<VarId>) -> BTreeSet<VarId> {
        for (node, set) in &self.sets {
            let Node::Object(Object::Variable(holder)) = *node else {
                continue;
            };
            let targets = set.iter().filter_map(|target| match *target {
                Target::Object(Object::Variable(v)) => Some(v),
                _ => None,
            });
            let same = |v: &VarId| self.unit[*v].function == self.unit[holder].function;
            outlived.extend(targets.filter(|v| same(v) && self.blocks.outlasts(holder, *v)));
        }
        outlived.retain(|&v| self.blocks.ends_early(v));
        outlived
    }

    /// Local variables to which others hold pointers than variables of the same call, and of those that it makes. Those are the ones
    /// to which no pointer leads themselves, so that only their own function sets them.
    fn kept(&self) -> BTreeSet<VarId> {
        let residents = self.residents();
        let started: BTreeSet<FunctionId> = self.sites(true).into_keys().collect();
        let local = |v: VarId| {
            let lifetime = self.unit[v].lifetime;
            matches!(lifetime, Lifetime::Local | Lifetime::Param)
        };
        let mut outlived = BTreeSet::new();
        for (node, set) in &self.sets {
            for target in set {
                let Target::Object(Object::Variable(v)) = *target else {
                    continue;
                };
                let owner = self.unit[v].function;
                let kept = match *node {
                    Node::Value(_) | Node::Rest(_) => false,
                    Node::Result(function) => owner == Some(function),
                    Node::Threads
                    | Node::Keys
                    | Node::Object(Object::Text(_) | Object::Heap(_)) => true,
                    Node::Object(Object::Variable(holder)) => {
                        let own = self.unit[holder].function;
                        let given = self.unit[holder].lifetime == Lifetime::Param
                            && own.is_none_or(|f| started.contains(&f));
                        let reached = residents.contains(&Object::Variable(holder))
                            && !(own == owner
                                && local(holder)
                                && self.is_kept_by_one(
                                    Object::Variable(holder),
                                    &residents,
                                    &started,
                                ));
                        !local(holder) || given || reached
                    }
                };
                if local(v) && kept {
                    outlived.insert(v);
                }
            }
        }
        outlived
    }

    /// Whether the first thread may end before the program does.
    fn main_ends_early(&self) -> bool {
        let main = self.unit.main.is_some_and(|m| self.exits.contains(&m));
        main || self.exits_in_functions()
    }

    /// Functions that read arguments beyond those that they name, themselves or by one to which they give a list of them.
    pub fn reads_rest(&self) -> BTreeSet<FunctionId> {
        let mut reads = self.reads.clone();
        let passed = |rule: &Rule| match rule {
            Rule::Pass(from, called) => Some((*from, self.functions(*called))),
            _ => None,
        };
        let passed: Vec<_> = self.rules.iter().filter_map(passed).collect();
        loop {
            let before = reads.len();
            let more = passed
                .iter()
                .filter(|(_, to)| to.iter().any(|f| reads.contains(f)));
            let more: Vec<FunctionId> = more.map(|(from, _)| *from).collect();
            reads.extend(more);
            if reads.len() == before {
                return reads;
            }
        }
    }

    /// The functions with which keys were created.
    pub fn destructors(&self) -> BTreeSet<FunctionId> {
        let of = |rule: &Rule| match rule {
            Rule::Destroy(node) => self.functions(*node),
            _ => Vec::new(),
        };
        self.rules.iter().flat_map(of).collect()
    }
}

/// Whether an initial value is one of zeros, whatever it is read as.
fn is_zero(unit: &Unit, init: InitId) -> bool {
    match &unit[init] {
        Init::Value(e) => match unit[*e].kind {
            C::Convert(_, of) if unit.constant(*e) == Some(0) => {
                matches!(unit[of].kind, C::Int(_))
            }
            C::Int(_) => unit.constant(*e) == Some(0),
            _ => false,
        },
        Init::Text(text) => unit[*text].values.iter().all(|&c| c == 0),
        Init::Parts(parts) => parts.iter().all(|p| is_zero(unit, p.init)),
    }
}

/// The array without a length at the end of a structure: the structure, where it begins, and the bytes of an element.
pub(in crate::c) fn open_end(unit: &Unit, ty: TypeId) -> Option<(RecordId, u64, u64)> {
    let id = unit
        .types
        .record(ty)
        .filter(|_| unit.types.library(ty).is_none())?;
    let record = &unit.types[id];
    let last = record
        .fields
        .as_deref()?
        .last()
        .filter(|_| !record.is_union)?;
    let element = unit.types.element(last.ty.ty)?;
    is_open(unit, last.ty.ty).then(|| (id, last.offset, size_of(unit, element.ty)))
}

/// Whether a program cancels threads.
fn cancels(unit: &Unit) -> bool {
    let named = |f: FunctionId| unit.name(unit[f].name) == "pthread_cancel";
    let mut exprs = unit.exprs.iter();
    exprs.any(|e| matches!(e.kind, C::Call(Callee::Direct(f), _) if named(f)))
}

/// Functions in which a thread that is cancelled ends.
fn may_end(name: &str) -> bool {
    matches!(
        name,
        "pthread_testcancel"
            | "pthread_join"
            | "pthread_cond_wait"
            | "pthread_cond_timedwait"
            | "sem_wait"
            | "sem_timedwait"
            | "sleep"
            | "usleep"
            | "nanosleep"
            | "clock_nanosleep"
    )
}

/// An array as its first element; one at the end of a structure is only known by its address.
fn is_decay(unit: &Unit, e: ExprId) -> bool {
    matches!(unit[e].kind, C::Decay(of) if !is_open_member(unit, of))
}

/// Whether a place is an array without a length at the end of a structure.
pub(in crate::c) fn is_open_member(unit: &Unit, place: ExprId) -> bool {
    matches!(unit[place].kind, C::Member(..)) && is_open(unit, unit[place].ty.ty)
}

/// Whether a type is that of an array at the end of a structure, with as many elements as were allocated.
pub(in crate::c) fn is_open(unit: &Unit, ty: TypeId) -> bool {
    matches!(
        unit.types.shape(ty),
        Type::Array(_, Length::Unknown | Length::Known(0))
    )
}

/// Whether so many bytes are known to be the object to which an argument points.
fn is_whole(unit: &Unit, to: ExprId, size: ExprId) -> bool {
    let whole = direct(unit, to).and_then(|place| unit.types.layout(unit[place].ty.ty));
    whole.is_some_and(|w| unit.constant(size) == Some(i128::from(w.size)))
}

/// The place whose address an expression is, if the address is written there: `&x`, `(T *)&x`, an array.
pub(in crate::c) fn direct(unit: &Unit, e: ExprId) -> Option<ExprId> {
    match unit[e].kind {
        C::AddressOf(place) => Some(place),
        C::Decay(place) if is_decay(unit, e) => Some(place),
        C::Convert(_, of) => direct(unit, of),
        C::Offset { pointer, .. } if is_decay(unit, pointer) => Some(pointer),
        _ => None,
    }
}

/// The array of characters that stands for its first one, if its length is known.
pub(in crate::c) fn array_of_text(unit: &Unit, e: ExprId) -> Option<ExprId> {
    let C::Decay(array) = unit[e].kind else {
        return None;
    };
    let ty = unit[array].ty.ty;
    let element = unit.types.element(ty).map(|q| q.ty);
    let known = unit.types.layout(ty).is_some() && !is_open_member(unit, array);
    (known && element.is_some_and(|e| is_character(unit, e))).then_some(array)
}

/// Whether a type is that of characters.
pub(in crate::c) fn is_character(unit: &Unit, ty: TypeId) -> bool {
    let kind = unit.types.int_kind(ty);
    kind.is_some_and(|k| matches!(k, IntKind::Char | IntKind::SChar | IntKind::UChar))
}

/// What a conversion of pointers stands for, without it.
pub(in crate::c) fn unconverted(unit: &Unit, e: ExprId) -> ExprId {
    match unit[e].kind {
        C::Convert(Conversion::Same | Conversion::Pointer, of) => unconverted(unit, of),
        _ => e,
    }
}
