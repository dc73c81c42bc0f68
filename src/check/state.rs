//! The private state of objects: globals, and their initial values.

use ast::{
    tree,
    tree::{Name, VarDecl},
};
use base::diagnostic::Diagnostic;
use base::source::Span;
use ir::lower::Lower;
use ir::{
    ExprId, ExprKind as Ir, Global, GlobalId, Place as Target, Root, StateOf, StmtKind, Type,
    TypeId, Types,
};

use super::Checker;
use super::objects::{InstanceId, ObjectId, Slot};
use super::typed::{Effects, Kind, NodeId};
use super::types::{ELEMENTS, Sort};

impl Checker<'_> {
    /// Makes the variables of an object's state: globals, or objects of their own.
    pub(super) fn state(&mut self, id: InstanceId, var: &VarDecl, within: &[ObjectId]) {
        let names = self.modules[self.names.module].ast.names(var.names);
        let span = self.modules[self.names.module].ast.ty(var.ty).span;
        let sort = self.sort(var.ty);
        for &name in names {
            let own = self.text(name).to_owned();
            let slot = match &sort {
                Sort::Error => Slot::Bad,
                Sort::Object(sort) => {
                    let dims = self.instances[id.index()].dims.clone();
                    self.refuse_object_value(var.init);
                    self.instantiate(sort, own, within, &dims, span)
                        .map_or(Slot::Bad, Slot::Object)
                }
                Sort::Value(ty) => self
                    .state_variable(id, own, *ty, var.init, name.span)
                    .map_or(Slot::Bad, Slot::State),
            };
            self.add_slot(id, name, slot);
        }
    }

    /// Refuses an initial value of an object.
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
        let global = self.new_state(id, name, whole, false, span);
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

    /// A global that is private state of an object, with its name inside the object.
    fn new_state(
        &mut self,
        id: InstanceId,
        name: String,
        ty: TypeId,
        hidden: bool,
        span: Span,
    ) -> GlobalId {
        let full = format!("{}.{name}", self.instances[id.index()].name);
        let object = id.object();
        self.new_global(full, Some(StateOf { object, name }), ty, hidden, span)
    }

    pub(super) fn new_global(
        &mut self,
        name: String,
        state_of: Option<StateOf>,
        ty: TypeId,
        hidden: bool,
        span: Span,
    ) -> GlobalId {
        let id = GlobalId::from_index(self.build.program.globals.len());
        self.build.program.globals.push(Global {
            name,
            ty,
            hidden,
            state_of,
            named: true,
            span,
        });
        id
    }

    /// Gives a global its initial value. For the state of an array of objects, gives it to each element.
    pub(super) fn initial_state(
        &mut self,
        global: GlobalId,
        ty: TypeId,
        dims: &[u32],
        init: Option<tree::ExprId>,
    ) {
        let whole = self.build.program.globals[global.index()].ty;
        let place = Target::whole(Root::Global(global), whole);
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

    /// Makes the global that counts how often an operation was enabled without its guard.
    pub(super) fn spurious_counter(
        &mut self,
        id: InstanceId,
        member: usize,
        name: Name,
        times: tree::ExprId,
    ) {
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
        let name = format!("{}.spurious", self.text(name));
        let global = self.new_state(id, name, whole, true, span);
        let mut value = self.build.int(0, Types::INT);
        for depth in (0..dims.len()).rev() {
            let whole = self.wrap(ty, &dims[depth..]);
            value = self.build.add(Ir::Fill(value), whole);
        }
        let place = Target::whole(Root::Global(global), whole);
        self.emit(StmtKind::Assign(place, value));
        self.instances[id.index()]
            .spurious
            .insert(member, (global, times));
    }
}
