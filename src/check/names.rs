//! The meaning of a name: the blocks of a body are searched first, then the object around it, then the program.

use rustc_hash::FxHashMap;

use ast::symbol::Symbol;
use ast::tree::Name;
use base::diagnostic::Diagnostic;
use base::source::Span;
use ir::{ExprId, GlobalId, LocalId, TypeId};

use super::Checker;
use super::items::{ConstIndex, Var};
use super::objects::{InstanceId, Slot};
use super::typed::Bounds;
use base::suggest::closest;

/// Why a local cannot be assigned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fixed {
    Let,
    For,
}

/// An object: the variable that holds it, and which element of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ObjectRef {
    pub instance: InstanceId,
    /// Indices into the arrays of objects; fewer than there are dimensions for an array of objects.
    pub indices: Vec<ExprId>,
}

/// The meaning of a name of a block.
#[derive(Clone, Debug)]
pub(super) enum Bound {
    /// A local variable or parameter.
    Local {
        id: LocalId,
        ty: TypeId,
        bounds: Bounds,
        fixed: Option<Fixed>,
    },
    /// An argument in the place of a parameter, an expression over locals.
    Known(ExprId, Bounds),
    /// An object that was passed.
    Object(ObjectRef),
    /// Declared wrongly, and reported.
    Bad,
}

/// A name of a block.
#[derive(Clone, Debug)]
struct Binding {
    name: Name,
    bound: Bound,
    /// The binding of the same name that it hides.
    hides: Option<u32>,
}

/// Where names are looked up.
#[derive(Clone, Debug, Default)]
pub(super) struct Names {
    pub module: usize,
    /// The object that the code at hand belongs to.
    pub object: Option<ObjectRef>,
    /// Whether `self` means something here.
    pub has_self: bool,
    /// Types that parameters of an object type stand for, before there is an object.
    pub types: Vec<(Symbol, Option<TypeId>)>,
    /// Whether the types of these parameters are read. None may be an object type, so arguments are not looked at.
    pub of_params: bool,
    bindings: Vec<Binding>,
    innermost: FxHashMap<Symbol, u32>,
    blocks: Vec<usize>,
}

impl Names {
    pub(super) fn new(module: usize, object: Option<ObjectRef>) -> Self {
        Self {
            module,
            object,
            ..Self::default()
        }
    }

    /// The names for the types of an object type's parameters.
    pub(super) fn of_params(module: usize) -> Self {
        Self {
            of_params: true,
            ..Self::new(module, None)
        }
    }

    pub(super) fn enter(&mut self) {
        self.blocks.push(self.bindings.len());
    }

    pub(super) fn leave(&mut self) {
        let start = self.blocks.pop().unwrap_or(0);
        for binding in self.bindings.drain(start..).rev() {
            match binding.hides {
                Some(outer) => self.innermost.insert(binding.name.symbol, outer),
                None => self.innermost.remove(&binding.name.symbol),
            };
        }
    }

    /// Binds a name in the current block. Returns where the block has it already.
    pub(super) fn bind(&mut self, name: Name, bound: Bound) -> Option<Span> {
        let block = self.blocks.last().copied().unwrap_or(0);
        let hides = self.innermost.get(&name.symbol).copied();
        let index =
            u32::try_from(self.bindings.len()).expect("fewer bindings than bytes of source");
        let twice = hides.filter(|&h| h as usize >= block);
        // It is unclear which of two declarations a use means, so no use is reported.
        let bound = if twice.is_some() { Bound::Bad } else { bound };
        self.bindings.push(Binding { name, bound, hides });
        self.innermost.insert(name.symbol, index);
        twice.map(|h| self.bindings[h as usize].name.span)
    }

    /// Where a name of a block is declared.
    pub(super) fn declared(&self, symbol: Symbol) -> Option<Span> {
        self.innermost
            .get(&symbol)
            .map(|&i| self.bindings[i as usize].name.span)
    }

    /// The object whose code is lowered, and the objects that names in it stand for.
    pub(super) fn objects(&self) -> impl Iterator<Item = InstanceId> {
        let passed = self.bindings.iter().filter_map(|b| match &b.bound {
            Bound::Object(object) => Some(object),
            _ => None,
        });
        self.object.iter().chain(passed).map(|o| o.instance)
    }

    fn get(&self, symbol: Symbol) -> Option<&Bound> {
        self.innermost
            .get(&symbol)
            .map(|&i| &self.bindings[i as usize].bound)
    }
}

/// The meaning of a name.
#[derive(Clone, Debug)]
pub(super) enum Found {
    Bound(Bound),
    /// A global, or the element of an object's state.
    Global(GlobalId, Vec<ExprId>),
    Object(ObjectRef),
    Const(ConstIndex),
    /// A constant of the object, or a member of an enum.
    Known(ExprId),
    /// A parameter of an object type that is checked without an object.
    Unknown(GlobalId),
    SelfTask,
    /// A global that was declared wrongly, and reported.
    Bad,
    /// A variable where only constants exist yet.
    NotYet,
}

impl Checker<'_> {
    pub(super) fn text(&self, name: Name) -> &str {
        self.symbol(name.symbol)
    }
    pub(super) fn symbol(&self, symbol: Symbol) -> &str {
        self.modules[self.names.module].ast.text(symbol)
    }

    /// Looks a value up, and reports nothing.
    pub(super) fn find(&self, symbol: Symbol) -> Option<Found> {
        if let Some(bound) = self.names.get(symbol) {
            return Some(Found::Bound(bound.clone()));
        }
        if let Some(object) = &self.names.object
            && let Some(slot) = self.instances[object.instance.index()].slots.get(&symbol)
        {
            return Some(match slot {
                Slot::State(global) => Found::Global(*global, object.indices.clone()),
                Slot::Object(instance) => Found::Object(ObjectRef {
                    instance: *instance,
                    indices: object.indices.clone(),
                }),
                Slot::Known(value) => Found::Known(*value),
                Slot::Unknown(global) => Found::Unknown(*global),
                Slot::Bad => Found::Bad,
            });
        }
        self.find_global(symbol)
            .or_else(|| (self.symbol(symbol) == "self").then_some(Found::SelfTask))
    }

    fn find_global(&self, symbol: Symbol) -> Option<Found> {
        let module = &self.modules[self.names.module];
        Some(match module.values.get(&symbol)?.what {
            super::items::Value::Const(index) => Found::Const(index),
            super::items::Value::Member(value) => Found::Known(value),
            super::items::Value::Var(index) => match self.vars[index.index()] {
                Var::Waiting => Found::NotYet,
                Var::Bad => Found::Bad,
                Var::Global(global) => Found::Global(global, Vec::new()),
                Var::Object(instance) => Found::Object(ObjectRef {
                    instance,
                    indices: Vec::new(),
                }),
            },
        })
    }

    /// Binds a name; two of the same in one block are an error.
    pub(super) fn bind(&mut self, name: Name, bound: Bound) {
        if self.text(name) == "self" {
            self.report(
                Diagnostic::error("duplicate-name", name.span, "`self` cannot be declared")
                    .label("`self` always is the running task"),
            );
        } else if let Some(before) = self.names.bind(name, bound) {
            self.duplicate(name, before, "in this block");
        }
    }

    /// Reports two declarations of one name.
    pub(super) fn duplicate(&mut self, name: Name, before: Span, place: &str) {
        let text = self.text(name).to_owned();
        self.report(
            Diagnostic::error(
                "duplicate-name",
                name.span,
                format!("`{text}` is declared twice {place}"),
            )
            .label("declared again here")
            .related(before, "declared first here"),
        );
    }

    /// Reports a value's name that nothing declares.
    pub(super) fn unknown_value(&mut self, symbol: Symbol, span: Span) {
        let name = self.symbol(symbol).to_owned();
        let is_type = self.is_type(symbol);
        let module = &self.modules[self.names.module];
        let mut diagnostic = Diagnostic::undeclared(
            "unknown-name",
            span,
            format!("nothing named `{name}` is declared here"),
        )
        .label("not found");
        if module.procs.contains_key(&symbol) {
            diagnostic =
                diagnostic.note(format!("`{name}` is a procedure: `call {name}(…)` runs it"));
        } else if is_type {
            diagnostic = diagnostic.note(format!("`{name}` is a type, and a value is needed here"));
        } else if let Some(near) = self.similar_value(&name) {
            diagnostic = diagnostic.did_you_mean(&near);
        }
        self.report(diagnostic);
    }

    pub(super) fn similar_value(&mut self, name: &str) -> Option<String> {
        if !self.diagnostics.may_search() {
            return None;
        }
        let ast = self.modules[self.names.module].ast;
        let locals = self.names.innermost.keys();
        let slots = self
            .names
            .object
            .iter()
            .flat_map(|o| self.instances[o.instance.index()].slots.keys());
        let globals = self.modules[self.names.module].values.keys();
        closest(
            name,
            locals
                .chain(slots)
                .chain(globals)
                .map(|&s| ast.text(s))
                .chain(["true", "false", "self"]),
        )
        .map(str::to_owned)
    }
}
