//! Objects: each becomes a set of globals, and a reference to one is known when the program is made.
//!
//! The state `held` of an object `m` is the global `m.held`; for an array of
//! objects it is an array. A reference is the variable that holds the object
//! plus, for arrays, index expressions. Nothing of objects is left in the program.

use rustc_hash::FxHashMap;

use crate::ast::symbol::Symbol;
use crate::ast::tree::{self, ExprKind, Member, MemberKind, Name, ObjectDecl, VarDecl};
use crate::diagnostic::Diagnostic;
use crate::ir::{
    ExprId, ExprKind as Ir, Global, GlobalId, OpId, Place as Target, Root, StmtKind, Type, TypeId,
    Types,
};
use crate::source::Span;

use super::Checker;
use super::names::{Bound, Found, Names, ObjectRef};
use super::typed::{Effects, Kind, NodeId, Ty};
use super::types::{ELEMENTS, ObjectSort, Sort};

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

/// An object type.
#[derive(Clone, Debug)]
pub(super) struct ObjectType {
    pub module: usize,
    pub item: usize,
    pub name: Name,
    /// Operations and procedures by name.
    pub members: FxHashMap<Symbol, usize>,
    /// Whether there is an object of it.
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

/// What a name inside an object means.
#[derive(Clone, Copy, Debug)]
pub(super) enum Slot {
    State(GlobalId),
    Object(InstanceId),
    /// A parameter of the object type.
    Known(ExprId),
    /// The same, in an object type that is checked without an object.
    Unknown(GlobalId),
    Bad,
}

/// A variable that holds an object or an array of objects.
#[derive(Clone, Debug)]
pub(super) struct Instance {
    pub object: ObjectId,
    pub name: String,
    pub args: Vec<Option<ExprId>>,
    /// The lengths of the arrays around it.
    pub dims: Vec<u32>,
    pub slots: FxHashMap<Symbol, Slot>,
    /// The private state.
    pub state: Vec<GlobalId>,
    /// How often each operation was enabled without its guard.
    pub spurious: FxHashMap<usize, (GlobalId, i128)>,
    /// The operations that awaits name.
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
            return Sort::Object(sort); // open: whether that may be is decided by the place
        }
        if args.len() != params.len() {
            let text = self.text(name).to_owned();
            self.wrong_count(&text, name.span, params.len(), args.len(), decl.name.span);
            return Sort::Error;
        }
        let mut values = Vec::with_capacity(args.len());
        for (param, &arg) in params.iter().zip(args) {
            let names = std::mem::replace(&mut self.names, Names::new(module, None));
            let ty = self.value_type(param.ty, "a parameter of an object type");
            self.names = names;
            let Some(ty) = ty else { return Sort::Error };
            let broken = std::mem::replace(&mut self.broken, false);
            let value = self.constant(arg, Some(ty));
            let failed = std::mem::replace(&mut self.broken, broken);
            if failed {
                self.broken = true;
                return Sort::Error;
            }
            values.push(value);
        }
        sort.args = Some(values);
        Sort::Object(sort)
    }

    /// Makes the object or the objects of a variable. `within` holds those that it is a part of.
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
        if self.instances.len() >= OBJECTS {
            let message = format!("the program has more than {OBJECTS} objects");
            self.report(Diagnostic::error("too-many-objects", span, message));
            return None;
        }
        let args = match &sort.args {
            Some(args) => args.clone(),
            None if params.is_empty() => Vec::new(),
            None => {
                self.wrong_count(&text, span, params.len(), 0, decl.name.span);
                return None;
            }
        };
        let mut dims = outer.to_vec();
        dims.extend(&sort.dims);
        Some(self.make_instance(sort.object, args, dims, name, within))
    }

    /// Makes an object with arguments of the right number.
    pub(super) fn make_instance(
        &mut self,
        object: ObjectId,
        args: Vec<Option<ExprId>>,
        dims: Vec<u32>,
        name: String,
        within: &[ObjectId],
    ) -> InstanceId {
        self.objects[object.0 as usize].used = true;
        let decl = self.object_decl(object);
        let module = self.objects[object.0 as usize].module;
        let id = InstanceId(self.instances.len() as u32);
        self.instances.push(Instance {
            object,
            name,
            args: args.clone(),
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
                MemberKind::Op(op) => {
                    if let Some(times) = op.spurious {
                        self.spurious_counter(id, index, op.name, times);
                    }
                }
                _ => {}
            }
        }
        self.check_member_names(decl);
        self.names = outer;
        id
    }

    fn bind_arguments(&mut self, id: InstanceId, decl: &ObjectDecl, args: &[Option<ExprId>]) {
        let params = self.modules[self.names.module].ast.fields(decl.params);
        for (param, arg) in params.iter().zip(args) {
            let slot = match (
                arg,
                self.value_type(param.ty, "a parameter of an object type"),
            ) {
                (_, None) => Slot::Bad,
                (Some(value), _) => Slot::Known(*value),
                (None, Some(ty)) => {
                    Slot::Unknown(self.new_global(String::new(), ty, true, param.name.span))
                }
            };
            self.add_slot(id, param.name, slot);
        }
    }

    fn add_slot(&mut self, id: InstanceId, name: Name, slot: Slot) {
        if self.instances[id.index()]
            .slots
            .insert(name.symbol, slot)
            .is_some()
        {
            let text = self.text(name).to_owned();
            let message = format!("`{text}` is declared twice in the object");
            self.report(
                Diagnostic::error("duplicate-name", name.span, message)
                    .label("declared again here"),
            );
        }
    }

    /// State of an object: globals, or objects of their own.
    fn state(&mut self, id: InstanceId, var: &VarDecl, within: &[ObjectId]) {
        let names = self.modules[self.names.module].ast.names(var.names);
        let span = self.modules[self.names.module].ast.ty(var.ty).span;
        let sort = self.sort(var.ty);
        for &name in names {
            let full = format!("{}.{}", self.instances[id.index()].name, self.text(name));
            let slot = match &sort {
                Sort::Error => Slot::Bad,
                Sort::Object(sort) => {
                    let dims = self.instances[id.index()].dims.clone();
                    self.refuse_object_value(var.init);
                    self.instantiate(sort, full, within, &dims, span)
                        .map_or(Slot::Bad, Slot::Object)
                }
                Sort::Value(ty) => self
                    .state_variable(id, full, *ty, var.init, name.span)
                    .map_or(Slot::Bad, Slot::State),
            };
            self.add_slot(id, name, slot);
        }
    }

    /// An object has no initial value.
    pub(super) fn refuse_object_value(&mut self, init: Option<tree::ExprId>) {
        if let Some(init) = init {
            let span = self.modules[self.names.module].ast.expr(init).span;
            self.report(
                Diagnostic::error("object-as-value", span, "an object has no initial value")
                    .label("its type says how its state begins"),
            );
        }
    }

    fn state_variable(
        &mut self,
        id: InstanceId,
        name: String,
        ty: TypeId,
        init: Option<tree::ExprId>,
        span: Span,
    ) -> Option<GlobalId> {
        let dims = self.instances[id.index()].dims.clone();
        let whole = self.wrap(ty, &dims);
        if self.cells(whole) > ELEMENTS {
            let message = format!("the objects have more than {ELEMENTS} parts");
            self.report(Diagnostic::error("type-size", span, message).label("too large"));
            return None;
        }
        let global = self.new_global(name, whole, false, span);
        self.instances[id.index()].state.push(global);
        self.initial_state(global, ty, &dims, init);
        Some(global)
    }

    /// Arrays of those lengths around a type, the first outermost.
    fn wrap(&mut self, ty: TypeId, dims: &[u32]) -> TypeId {
        dims.iter()
            .rev()
            .fold(ty, |ty, &len| self.intern(Type::Array(len, ty)))
    }

    pub(super) fn new_global(
        &mut self,
        name: String,
        ty: TypeId,
        hidden: bool,
        span: Span,
    ) -> GlobalId {
        let id = GlobalId(self.build.program.globals.len() as u32);
        self.build.program.globals.push(Global {
            name,
            ty,
            hidden,
            span,
        });
        id
    }

    /// Gives a global its initial value; one of an array of objects, in each element.
    pub(super) fn initial_state(
        &mut self,
        global: GlobalId,
        ty: TypeId,
        dims: &[u32],
        init: Option<tree::ExprId>,
    ) {
        let whole = self.build.program.globals[global.index()].ty;
        let place = Target {
            root: Root::Global(global),
            path: Vec::new(),
            ty: whole,
        };
        let Some(init) = init else {
            return self.any_value(place);
        };
        self.broken = false;
        let mark = self.nodes.len();
        let node = self.typed(init, Some(ty));
        if self.effects(node).has(Effects::READS) && !self.broken {
            let span = self.span(node);
            self.report(
                Diagnostic::error(
                    "not-constant",
                    span,
                    "an initial value cannot read variables",
                )
                .label("a constant expression is needed, or `*`")
                .note("`main` can give the variable its first value"),
            );
        }
        if !self.broken {
            match self.nodes[node.0 as usize].kind {
                Kind::Star => self.any_value(place),
                _ => {
                    let value = self.initial_elements(node, ty, dims);
                    self.emit(StmtKind::Assign(place, value));
                }
            }
        }
        self.nodes.truncate(mark);
        self.body.release_temps();
    }

    /// The value of an array of objects' state: the same everywhere, unless `*` makes them differ.
    fn initial_elements(&mut self, node: NodeId, ty: TypeId, dims: &[u32]) -> ExprId {
        let Some((&len, inner)) = dims.split_first() else {
            return self.lower_into(node, ty);
        };
        let whole = self.wrap(ty, dims);
        let kind = if self.effects(node).has(Effects::CHOOSES) {
            Ir::Array(
                (0..len)
                    .map(|_| self.initial_elements(node, ty, inner))
                    .collect(),
            )
        } else {
            Ir::Fill(self.initial_elements(node, ty, inner))
        };
        self.build.add(kind, whole)
    }

    /// Counts how often an operation was enabled without its guard.
    fn spurious_counter(&mut self, id: InstanceId, member: usize, name: Name, times: tree::ExprId) {
        let span = self.modules[self.names.module].ast.expr(times).span;
        let Some(times) = self.constant_int(times) else {
            return;
        };
        if times < 0 {
            let message = "an operation cannot be enabled a negative number of times";
            self.report(
                Diagnostic::error("constant-error", span, message)
                    .label(format!("this is {times}")),
            );
            return;
        }
        let ty = self.intern(Type::Range(0, times));
        let dims = self.instances[id.index()].dims.clone();
        let whole = self.wrap(ty, &dims);
        let full = format!(
            "{}.{}.spurious",
            self.instances[id.index()].name,
            self.text(name)
        );
        let global = self.new_global(full, whole, true, span);
        let mut value = self.build.int(0, Types::INT);
        for depth in (0..dims.len()).rev() {
            let whole = self.wrap(ty, &dims[depth..]);
            value = self.build.add(Ir::Fill(value), whole);
        }
        let place = Target {
            root: Root::Global(global),
            path: Vec::new(),
            ty: whole,
        };
        self.emit(StmtKind::Assign(place, value));
        self.instances[id.index()]
            .spurious
            .insert(member, (global, times));
    }

    /// Operations and procedures of one object have different names.
    fn check_member_names(&mut self, decl: &ObjectDecl) {
        let mut seen: FxHashMap<Symbol, Span> = FxHashMap::default();
        for member in &decl.members {
            let name = match &member.kind {
                MemberKind::Op(op) => op.name,
                MemberKind::Proc(proc) => proc.name,
                _ => continue,
            };
            if let Some(before) = seen.insert(name.symbol, name.span) {
                self.duplicate(name, before, "in the object");
            }
        }
    }

    /// Whether an expression names an object or an element of an array of objects.
    pub(super) fn names_object(&self, expr: tree::ExprId) -> bool {
        match self.modules[self.names.module].ast.expr(expr).kind {
            ExprKind::Name(symbol) => {
                matches!(
                    self.find(symbol),
                    Some(Found::Object(_) | Found::Bound(Bound::Object(_)))
                )
            }
            ExprKind::Paren(inner) | ExprKind::Index(inner, _) => self.names_object(inner),
            _ => false,
        }
    }

    /// Types a reference to an object.
    pub(super) fn typed_object(&mut self, expr: tree::ExprId) -> Option<TypedObject> {
        let tree::Expr { kind, span } = self.modules[self.names.module].ast.expr(expr);
        match kind {
            ExprKind::Paren(inner) => self.typed_object(inner),
            ExprKind::Name(symbol) => match self.find(symbol) {
                Some(Found::Object(base) | Found::Bound(Bound::Object(base))) => {
                    Some(TypedObject {
                        base,
                        nodes: Vec::new(),
                    })
                }
                _ => None,
            },
            ExprKind::Index(inner, index) => {
                let mut object = self.typed_object(inner);
                let node = self.typed(index, None);
                self.require_number(node);
                let o = object.as_mut()?;
                if self.open_dims(o).is_empty() {
                    let message = "this object is no array of objects";
                    self.report(
                        Diagnostic::error("type-mismatch", span, message)
                            .label("it has no elements"),
                    );
                    return None;
                }
                o.nodes.push(node);
                object
            }
            _ => None,
        }
    }

    /// The lengths of the arrays that a reference has no index for yet.
    pub(super) fn open_dims(&self, object: &TypedObject) -> &[u32] {
        let dims = &self.instances[object.base.instance.index()].dims;
        &dims[(object.base.indices.len() + object.nodes.len()).min(dims.len())..]
    }

    /// Whether an object can be passed for a parameter.
    pub(super) fn object_fits(&self, object: &TypedObject, sort: &ObjectSort) -> bool {
        let instance = &self.instances[object.base.instance.index()];
        instance.object == sort.object
            && sort.args.as_ref().is_none_or(|args| *args == instance.args)
            && self.open_dims(object) == sort.dims
    }

    /// Evaluates the indices of a reference, and checks them.
    pub(super) fn lower_object(&mut self, object: &TypedObject) -> ObjectRef {
        let mut result = object.base.clone();
        let dims = self.instances[result.instance.index()].dims.clone();
        for &node in &object.nodes {
            let len = dims[result.indices.len()];
            let value = self.lower(node);
            let span = self.span(node);
            self.check_index(value, len, span);
            let index = self.build.convert(value.id, Types::INT);
            result.indices.push(index);
        }
        result
    }

    pub(super) fn object_sort_name(&self, sort: &ObjectSort) -> String {
        let dims: String = sort.dims.iter().map(|d| format!("[{d}]")).collect();
        format!(
            "{dims}{}{}",
            self.object_name(sort.object),
            self.args_name(sort.args.as_deref().unwrap_or(&[]))
        )
    }

    pub(super) fn typed_object_name(&self, object: &TypedObject) -> String {
        let instance = &self.instances[object.base.instance.index()];
        let dims: String = self
            .open_dims(object)
            .iter()
            .map(|d| format!("[{d}]"))
            .collect();
        format!(
            "{dims}{}{}",
            self.object_name(instance.object),
            self.args_name(&instance.args)
        )
    }

    fn args_name(&self, args: &[Option<ExprId>]) -> String {
        if args.is_empty() {
            return String::new();
        }
        let show = |a: &Option<ExprId>| match a.and_then(|a| self.build.literal(a)) {
            Some(n) => n.to_string(),
            None => "…".to_owned(),
        };
        format!("({})", args.iter().map(show).collect::<Vec<_>>().join(", "))
    }

    /// The member of an object's type that a name of the code at hand means.
    pub(super) fn member(&self, instance: InstanceId, name: Name) -> Option<usize> {
        let object = &self.objects[self.instances[instance.index()].object.0 as usize];
        let symbol = if object.module == self.names.module {
            name.symbol
        } else {
            self.modules[object.module]
                .ast
                .symbols
                .get(self.text(name))?
        };
        object.members.get(&symbol).copied()
    }

    /// A typed node that is an object's by mistake, so that nothing is lowered.
    pub(super) fn is_error(&self, node: NodeId) -> bool {
        self.ty(node) == Ty::Error
    }
}
