//! Objects: each becomes a set of globals, and a reference to one is known when the program is made.
//!
//! The state `held` of an object `m` is the global `m.held`; for an array of objects it is an array.
//! A reference is the variable that holds the object plus, for arrays, index expressions. The
//! program keeps a table of the objects: it has their names, and the object to which each part belongs.

use rustc_hash::FxHashMap;

use ast::symbol::Symbol;
use ast::{
    tree,
    tree::{Member, MemberKind, Name, ObjectDecl},
};
use base::diagnostic::Diagnostic;
use base::source::Span;
use ir::{ExprId, GlobalId, OpId, TypeId};
use options::PreemptMode;

use super::Checker;
use super::names::{Names, ObjectRef};
use super::typed::NodeId;
use super::types::{Arg, ObjectSort, Sort};

/// The library's object that says where tasks are interrupted.
const INTERRUPTED: &str = "Processor";

/// The most objects of a program, counting parts.
const OBJECTS: usize = 100_000;

/// An object type of the program or the library.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct ObjectId(pub u32);

/// A variable that holds an object or an array of objects.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct InstanceId(pub u32);

impl InstanceId {
    pub(super) const fn index(self) -> usize {
        self.0 as usize
    }

    /// The object in the program: it has the same number there.
    pub(super) const fn object(self) -> ir::ObjectId {
        ir::ObjectId(self.0)
    }
}

/// A part of an operation, as a procedure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Part {
    /// What it does; of a procedure, its body.
    Body,
    /// Its `enqueue` part.
    Enqueue,
    /// Whether it is enabled, as a procedure for provers.
    Guard,
    /// The condition of a declaration, as a procedure for provers.
    Claim,
}

#[derive(Clone, Debug)]
pub(super) struct ObjectType {
    pub module: usize,
    pub item: usize,
    pub name: Name,
    /// Operations and procedures by name.
    pub members: FxHashMap<Symbol, usize>,
    /// Whether there is an object of this type.
    pub used: bool,
}

impl ObjectType {
    pub(super) fn new(module: usize, item: usize, decl: &ObjectDecl) -> Self {
        let name_of = |m: &Member| match &m.kind {
            MemberKind::Op(op) => Some(op.name.symbol),
            MemberKind::Proc(proc) => Some(proc.name.symbol),
            _ => None,
        };
        let mut members = FxHashMap::default();
        for (index, member) in decl.members.iter().enumerate() {
            if let Some(name) = name_of(member) {
                members.entry(name).or_insert(index);
            }
        }
        Self {
            module,
            item,
            name: decl.name,
            members,
            used: false,
        }
    }
}

/// The meaning of a name inside an object.
#[derive(Clone, Copy, Debug)]
pub(super) enum Slot {
    State(GlobalId),
    Object(InstanceId),
    /// A parameter of the object type.
    Known(ExprId),
    /// A parameter, in an object type that is checked without an object.
    Unknown(GlobalId),
    Bad,
}

/// A variable that holds an object or an array of objects.
#[derive(Clone, Debug)]
pub(super) struct Instance {
    pub object: ObjectId,
    pub name: String,
    pub args: Vec<Arg>,
    /// The types that its parameters stand for; none in an object type that is checked without an object.
    pub types: FxHashMap<Symbol, Option<TypeId>>,
    /// Where its type is written.
    pub span: Span,
    /// The lengths of the arrays around it.
    pub dims: Vec<u32>,
    pub slots: FxHashMap<Symbol, Slot>,
    pub state: Vec<GlobalId>,
    /// By operation with `spurious`: the global that counts how often it was enabled without its guard, and the limit.
    pub spurious: FxHashMap<usize, (GlobalId, i128)>,
    /// By operation: the id by which awaits name it.
    pub ops: FxHashMap<usize, OpId>,
}

/// A typed reference to an object.
#[derive(Clone, Debug)]
pub(super) struct TypedObject {
    pub base: ObjectRef,
    /// Further indices, still to be evaluated.
    pub nodes: Vec<NodeId>,
}

impl<'a> Checker<'a> {
    pub(super) fn object_decl(&self, object: ObjectId) -> &'a ObjectDecl {
        let ObjectType { module, item, .. } = self.objects[object.0 as usize];
        match &self.modules[module].ast.items[item].kind {
            tree::ItemKind::Object(decl) => decl,
            other => unreachable!("{other:?} is no object type"),
        }
    }
}

impl Checker<'_> {
    pub(super) fn object_name(&self, object: ObjectId) -> &str {
        let ty = &self.objects[object.0 as usize];
        self.modules[ty.module].ast.text(ty.name.symbol)
    }

    /// The arguments of an object type: constants.
    pub(super) fn object_arguments(
        &mut self,
        mut sort: ObjectSort,
        name: Name,
        args: &[tree::ExprId],
    ) -> Sort {
        let decl = self.object_decl(sort.object);
        let module = self.objects[sort.object.0 as usize].module;
        let params = self.modules[module].ast.fields(decl.params);
        if args.is_empty() && !params.is_empty() {
            return Sort::Object(sort); // open: the place decides whether that is allowed
        }
        if args.len() != params.len() {
            let text = self.text(name).to_owned();
            self.wrong_arguments(sort.object, &text, name.span, args.len());
            return Sort::Error;
        }
        let mut names = Names::of_params(module);
        let mut values = Some(Vec::with_capacity(args.len()));
        for (param, &arg) in params.iter().zip(args) {
            let value = if self.takes_type(module, param.ty) {
                let ty = self.type_argument(sort.object, param, arg);
                names.types.push((param.name.symbol, ty));
                ty.map(Arg::Type)
            } else {
                let outer = std::mem::replace(&mut self.names, names);
                let ty = self.value_type(param.ty, "a parameter of an object type");
                names = std::mem::replace(&mut self.names, outer);
                ty.and_then(|ty| self.value_argument(arg, ty))
            };
            values = values.zip(value).map(|(mut values, value)| {
                values.push(value);
                values
            });
        }
        match values {
            Some(values) => {
                sort.args = Some(values);
                Sort::Object(sort)
            }
            None => Sort::Error,
        }
    }

    fn value_argument(&mut self, arg: tree::ExprId, ty: TypeId) -> Option<Arg> {
        let broken = std::mem::replace(&mut self.broken, false);
        let value = self.constant(arg, Some(ty));
        let failed = std::mem::replace(&mut self.broken, broken);
        self.broken |= failed;
        // An unknown value is a parameter of the object around this one, which is checked alone.
        let value = value.map_or(Arg::Unknown, Arg::Value);
        (!failed).then_some(value)
    }

    /// Makes the object or the objects of a variable. `within` holds the types of the objects that it is a part of.
    pub(super) fn instantiate(
        &mut self,
        sort: &ObjectSort,
        name: String,
        within: &[ObjectId],
        outer: &[u32],
        span: Span,
    ) -> Option<InstanceId> {
        let decl = self.object_decl(sort.object);
        let module = self.objects[sort.object.0 as usize].module;
        let params = self.modules[module].ast.fields(decl.params);
        let text = self.object_name(sort.object).to_owned();
        if within.contains(&sort.object) {
            self.report(
                Diagnostic::error(
                    "recursive-type",
                    span,
                    format!("an object of type `{text}` contains another one"),
                )
                .label("would be without end"),
            );
            return None;
        }
        if module != 0 && text == INTERRUPTED && self.mode != PreemptMode::Yield {
            self.refuse_mode(span);
            return None;
        }
        if self.instances.len() >= OBJECTS {
            let message = format!("the program has more than {OBJECTS} objects");
            self.report(Diagnostic::error("too-many-objects", span, message));
            return None;
        }
        let args = match &sort.args {
            Some(args) => args.clone(),
            None if params.is_empty() => Vec::new(),
            None => {
                self.wrong_arguments(sort.object, &text, span, 0);
                return None;
            }
        };
        let mut dims = outer.to_vec();
        dims.extend(&sort.dims);
        Some(self.make_instance(sort.object, args, dims, name, within, span))
    }

    /// Refuses a `Processor` in a mode with points: a point lets any task run, whatever level the processor is at.
    fn refuse_mode(&mut self, span: Span) {
        let mode = match self.mode {
            PreemptMode::Access => "access",
            _ => "statement",
        };
        self.report(
            Diagnostic::error(
                "processor-mode",
                span,
                format!("a `{INTERRUPTED}` does not go with `preempt {mode}`"),
            )
            .label("at a point of that mode the thread would go on inside of the interrupt")
            .note("leave the mode out, and write `cpu.point(level)` where what runs at a level can be interrupted"),
        );
    }

    /// Makes an object; the number of arguments is right. `name` is its name inside the object that it is a part of.
    pub(super) fn make_instance(
        &mut self,
        object: ObjectId,
        args: Vec<Arg>,
        dims: Vec<u32>,
        name: String,
        within: &[ObjectId],
        span: Span,
    ) -> InstanceId {
        self.objects[object.0 as usize].used = true;
        let decl = self.object_decl(object);
        let module = self.objects[object.0 as usize].module;
        let id = InstanceId(self.instances.len() as u32);
        // The object around this one is still being made, so it is the object at hand.
        let outer = self.names.object.as_ref().filter(|_| !within.is_empty());
        let outer = outer.map(|o| o.instance);
        let (around, prefix) = outer.map_or((0, String::new()), |o| {
            let outer = &self.instances[o.index()];
            (outer.dims.len(), format!("{}.", outer.name))
        });
        self.build.program.objects.push(ir::Object {
            within: outer.map(InstanceId::object),
            name: name.clone(),
            dims: (dims.len() - around) as u32,
        });
        self.instances.push(Instance {
            object,
            name: prefix + &name,
            args: args.clone(),
            types: FxHashMap::default(),
            span,
            dims,
            slots: FxHashMap::default(),
            state: Vec::new(),
            spurious: FxHashMap::default(),
            ops: FxHashMap::default(),
        });
        let names = Names::new(
            module,
            Some(ObjectRef {
                instance: id,
                indices: Vec::new(),
            }),
        );
        let outer = std::mem::replace(&mut self.names, names);
        self.bind_arguments(id, decl, &args);
        let mut within = within.to_vec();
        within.push(object);
        for (index, member) in decl.members.iter().enumerate() {
            match &member.kind {
                MemberKind::Var(var) => self.state(id, var, &within),
                MemberKind::Error => self.diagnostics.incomplete(),
                MemberKind::Op(op) => {
                    if let Some(times) = op.spurious {
                        self.spurious_counter(id, index, op.name, times);
                    }
                }
                _ => {}
            }
        }
        self.check_member_names(id, decl);
        self.names = outer;
        id
    }

    fn bind_arguments(&mut self, id: InstanceId, decl: &ObjectDecl, args: &[Arg]) {
        let params = self.modules[self.names.module].ast.fields(decl.params);
        for (param, &arg) in params.iter().zip(args) {
            if self.takes_type(self.names.module, param.ty) {
                self.bind_type(id, params, param.name, arg);
                continue;
            }
            let slot = match (
                arg,
                self.value_type(param.ty, "a parameter of an object type"),
            ) {
                (_, None) => Slot::Bad,
                (Arg::Value(value), _) => Slot::Known(value),
                (_, Some(ty)) => {
                    Slot::Unknown(self.new_global(String::new(), None, ty, true, param.name.span))
                }
            };
            self.add_slot(id, param.name, slot);
        }
    }

    pub(super) fn add_slot(&mut self, id: InstanceId, name: Name, slot: Slot) {
        if self.instances[id.index()]
            .slots
            .insert(name.symbol, slot)
            .is_some()
        {
            let decl = self.object_decl(self.instances[id.index()].object);
            let first = self.first_slot(decl, name);
            self.duplicate(name, first, "in the object");
        }
    }

    /// Where a parameter or a variable of an object type is first declared.
    fn first_slot(&self, decl: &ObjectDecl, name: Name) -> Span {
        let ast = self.modules[self.names.module].ast;
        let params = ast.fields(decl.params).iter();
        let params = params.filter(|p| !self.takes_type(self.names.module, p.ty));
        let params = params.map(|p| p.name);
        let state = decl.members.iter().flat_map(|m| match &m.kind {
            MemberKind::Var(var) => ast.names(var.names),
            _ => &[],
        });
        let first = params
            .chain(state.copied())
            .find(|n| n.symbol == name.symbol);
        first.map_or(name.span, |n| n.span)
    }

    /// Refuses operations and procedures that share a name, or have the name of a variable or parameter.
    fn check_member_names(&mut self, id: InstanceId, decl: &ObjectDecl) {
        let mut seen: FxHashMap<Symbol, Span> = FxHashMap::default();
        for member in &decl.members {
            let name = match &member.kind {
                MemberKind::Op(op) => op.name,
                MemberKind::Proc(proc) => proc.name,
                _ => continue,
            };
            if self.instances[id.index()].slots.contains_key(&name.symbol) {
                // A variable and an operation both give their names to globals.
                let before = self.first_slot(decl, name);
                self.duplicate(name, before, "in the object");
            }
            if let Some(before) = seen.insert(name.symbol, name.span) {
                self.duplicate(name, before, "in the object");
            }
        }
    }
}
