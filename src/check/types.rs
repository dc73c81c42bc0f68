//! Written types: what they mean, and which of them cannot be.

use rustc_hash::FxHashSet;

use crate::ast::tree::{self, ExprList, Field, Name, TypeKind};
use crate::diagnostic::Diagnostic;
use crate::ir::{ExprId, RecordType, Type, TypeId, Types};
use crate::source::Span;

use super::Checker;
use super::items::TypeName;
use super::names::Names;
use super::objects::ObjectId;
use super::suggest::closest;

/// The most elements of an array, and the most scalars of a value.
pub(super) const ELEMENTS: u64 = 1_000_000;
/// How deep types may nest: engines walk over types and values recursively.
const NESTING: u32 = 64;
/// How deep declarations may depend on later ones.
pub(super) const DEPENDENCE: u32 = 1_000;

/// What a written type means.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Sort {
    /// Wrong, and reported.
    Error,
    /// A type of values.
    Value(TypeId),
    /// An object or an array of objects.
    Object(ObjectSort),
}

/// The type of a variable or parameter that holds an object or an array of objects.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ObjectSort {
    pub object: ObjectId,
    /// The arguments of the object type; none when they are left open (for a parameter).
    pub args: Option<Vec<Option<ExprId>>>,
    /// The lengths of the arrays around it, the outermost first.
    pub dims: Vec<u32>,
}

/// How large and how deep each type is, by id.
#[derive(Debug, Default)]
pub(super) struct Shapes {
    cells: Vec<u64>,
    depths: Vec<u32>,
    tasks: Vec<bool>,
}

impl Checker<'_> {
    /// Resolves all named types, also those that nothing uses.
    pub(super) fn resolve_types(&mut self) {
        for module in 0..self.modules.len() {
            self.names.module = module;
            let ast = self.modules[module].ast;
            for item in &ast.items {
                if let tree::ItemKind::Type(name, _) = item.kind {
                    self.named_sort(name);
                }
            }
        }
    }

    /// What a written type means. What is wrong with it is reported.
    pub(super) fn sort(&mut self, ty: tree::TypeId) -> Sort {
        let node = self.modules[self.names.module].ast.ty(ty);
        self.sort_as(ty, node, String::new())
    }

    /// The type of values that a written type means.
    pub(super) fn value_type(&mut self, ty: tree::TypeId, place: &str) -> Option<TypeId> {
        let span = self.modules[self.names.module].ast.ty(ty).span;
        match self.sort(ty) {
            Sort::Error => None,
            Sort::Value(ty) => Some(ty),
            Sort::Object(_) => {
                self.report(
                    Diagnostic::error("object-misplaced", span, format!("an object cannot be {place}"))
                        .label("this is an object type")
                        .note("objects are global variables, elements of arrays, state of other objects, or parameters"),
                );
                None
            }
        }
    }

    fn sort_as(&mut self, id: tree::TypeId, node: tree::TypeNode, name: String) -> Sort {
        let ty = match node.kind {
            TypeKind::Error => None,
            TypeKind::Bool => Some(Types::BOOL),
            TypeKind::Int => Some(Types::INT),
            TypeKind::Task => Some(Types::TASK),
            TypeKind::Bits(bits) => Some(self.intern(Type::Bits(bits))),
            TypeKind::Range(lo, hi) => self.range(lo, hi, node.span),
            TypeKind::Enum(_) => self.modules[self.names.module].enums.get(&id).copied(),
            TypeKind::Record(fields) => {
                let fields = self.modules[self.names.module].ast.fields(fields);
                self.record(fields, name, node.span)
            }
            TypeKind::Named(name, args) => return self.named(name, args),
            TypeKind::Array(len, element) => return self.array(len, element, node.span),
            TypeKind::Map(key, value) => self.map(key, value, node.span),
            TypeKind::Bracket(name, element) => return self.bracket(name, element, node.span),
        };
        ty.map_or(Sort::Error, Sort::Value)
    }

    fn range(&mut self, lo: tree::ExprId, hi: tree::ExprId, span: Span) -> Option<TypeId> {
        let (lo, hi) = (self.constant_int(lo), self.constant_int(hi));
        let (lo, hi) = (lo?, hi?);
        if hi < lo {
            self.report(
                Diagnostic::error(
                    "empty-range",
                    span,
                    format!("the range {lo}..{hi} holds no number"),
                )
                .label("the end is less than the start"),
            );
            return None;
        }
        Some(self.intern(Type::Range(lo, hi)))
    }

    fn record(&mut self, fields: &[Field], name: String, span: Span) -> Option<TypeId> {
        let mut seen = FxHashSet::default();
        let mut whole = Some(Vec::with_capacity(fields.len()));
        for field in fields {
            if !seen.insert(field.name.symbol) {
                let first = fields.iter().find(|f| f.name.symbol == field.name.symbol);
                self.duplicate(
                    field.name,
                    first.map_or(span, |f| f.name.span),
                    "in the record",
                );
                whole = None;
            }
            let text = self.text(field.name).to_owned();
            match (self.value_type(field.ty, "a field of a record"), &mut whole) {
                (Some(ty), Some(fields)) => fields.push((text, ty)),
                _ => whole = None,
            }
        }
        self.bounded(
            Type::Record(RecordType {
                name,
                fields: whole?,
            }),
            span,
        )
    }

    fn array(&mut self, len: tree::ExprId, element: tree::TypeId, span: Span) -> Sort {
        let len_span = self.modules[self.names.module].ast.expr(len).span;
        let len = self.constant_int(len);
        self.array_of(len, len_span, element, span)
    }

    fn array_of(
        &mut self,
        len: Option<i128>,
        len_span: Span,
        element: tree::TypeId,
        span: Span,
    ) -> Sort {
        let element = self.sort(element);
        let Some(len) = len.and_then(|n| self.array_length(n, len_span)) else {
            return Sort::Error;
        };
        match element {
            Sort::Error => Sort::Error,
            Sort::Value(ty) => self
                .bounded(Type::Array(len, ty), span)
                .map_or(Sort::Error, Sort::Value),
            Sort::Object(mut object) => {
                object.dims.insert(0, len);
                Sort::Object(object)
            }
        }
    }

    /// A length that an array may have.
    pub(super) fn array_length(&mut self, len: i128, span: Span) -> Option<u32> {
        if len >= 1 && len <= i128::from(ELEMENTS) {
            return u32::try_from(len).ok();
        }
        self.report(
            Diagnostic::error(
                "array-length",
                span,
                format!("an array cannot have {len} elements"),
            )
            .label(format!("must be from 1 to {ELEMENTS}")),
        );
        None
    }

    fn map(&mut self, key: tree::TypeId, value: tree::TypeId, span: Span) -> Option<TypeId> {
        let key_span = self.modules[self.names.module].ast.ty(key).span;
        let (key, value) = (
            self.value_type(key, "the key of a map"),
            self.value_type(value, "the value of a map"),
        );
        let (key, value) = (key?, value?);
        if !self.build.types().is_scalar(key) {
            self.report(
                Diagnostic::error(
                    "map-key",
                    key_span,
                    "a record, an array or a map cannot be the key of a map",
                )
                .label(format!("this is `{}`", self.build.types().name(key))),
            );
            return None;
        }
        self.bounded(Type::Map(key, value), span)
    }

    /// `[name] T`: an array if the name is a constant, a map if it is a type.
    fn bracket(&mut self, name: Name, element: tree::TypeId, span: Span) -> Sort {
        let is_type = self.modules[self.names.module]
            .types
            .contains_key(&name.symbol);
        if is_type && self.find(name.symbol).is_none() {
            let key = self.named_sort(name);
            return self.bracket_map(key, name, element, span);
        }
        let len = self.constant_named(name);
        self.array_of(len, name.span, element, span)
    }

    fn bracket_map(&mut self, key: Sort, name: Name, value: tree::TypeId, span: Span) -> Sort {
        let value = self.value_type(value, "the value of a map");
        let (Sort::Value(key), Some(value)) = (&key, value) else {
            if let Sort::Object(_) = key {
                let message = "an object cannot be the key of a map";
                self.report(
                    Diagnostic::error("object-misplaced", name.span, message)
                        .label("this is an object type"),
                );
            }
            return Sort::Error;
        };
        if !self.build.types().is_scalar(*key) {
            let message = "a record, an array or a map cannot be the key of a map";
            let label = format!("this is `{}`", self.build.types().name(*key));
            self.report(Diagnostic::error("map-key", name.span, message).label(label));
            return Sort::Error;
        }
        self.bounded(Type::Map(*key, value), span)
            .map_or(Sort::Error, Sort::Value)
    }

    fn named(&mut self, name: Name, args: ExprList) -> Sort {
        let sort = self.named_sort(name);
        let ast = self.modules[self.names.module].ast;
        match sort {
            Sort::Object(object) if object.args.is_none() => {
                let args = ast.expr_list(args);
                self.object_arguments(object, name, args)
            }
            sort if args.is_empty() || sort == Sort::Error => sort,
            _ => {
                let message = format!("`{}` takes no arguments", ast.text(name.symbol));
                self.report(
                    Diagnostic::error("argument-count", name.span, message)
                        .label("only object types do"),
                );
                Sort::Error
            }
        }
    }

    /// What a named type means. The depth of names that need names is bounded, for the sake of the stack.
    pub(super) fn named_sort(&mut self, name: Name) -> Sort {
        let Some(entry) = self.modules[self.names.module].types.get_mut(&name.symbol) else {
            self.unknown_type(name);
            return Sort::Error;
        };
        let declared = entry.span;
        match &entry.what {
            TypeName::Object(object) => Sort::Object(ObjectSort {
                object: *object,
                args: None,
                dims: Vec::new(),
            }),
            TypeName::Done(sort) => sort.clone(),
            TypeName::Busy => {
                entry.what = TypeName::Done(Sort::Error);
                self.recursive_type(name, declared);
                Sort::Error
            }
            &TypeName::Waiting(ty) => {
                entry.what = TypeName::Busy;
                let sort = self.resolve_alias(name, ty);
                let entry = self.modules[self.names.module].types.get_mut(&name.symbol);
                let entry = entry.expect("entries are never removed");
                // A cycle through this type has put an error there, which stays.
                if let TypeName::Busy = entry.what {
                    entry.what = TypeName::Done(sort.clone());
                }
                sort
            }
        }
    }

    fn resolve_alias(&mut self, name: Name, ty: tree::TypeId) -> Sort {
        if self.too_deep(name) {
            return Sort::Error;
        }
        // What a named type means does not depend on the block or the object that asks first.
        let alone = Names::new(self.names.module, None);
        let names = std::mem::replace(&mut self.names, alone);
        self.depth += 1;
        let ast = self.modules[self.names.module].ast;
        let text = ast.text(name.symbol).to_owned();
        let sort = self.sort_as(ty, ast.ty(ty), text);
        self.depth -= 1;
        self.names = names;
        sort
    }

    /// Refuses declarations that depend on later ones too deep.
    pub(super) fn too_deep(&mut self, name: Name) -> bool {
        let deep = self.depth >= DEPENDENCE;
        if deep {
            let message = format!(
                "more than {DEPENDENCE} declarations depend on each other before `{}`",
                self.text(name)
            );
            self.report(
                Diagnostic::error("too-deep", name.span, message)
                    .note("declare first what others are made of"),
            );
        }
        deep
    }

    fn recursive_type(&mut self, name: Name, declared: Span) {
        let text = self.text(name).to_owned();
        self.report(
            Diagnostic::error(
                "recursive-type",
                name.span,
                format!("the type `{text}` contains itself"),
            )
            .label("used inside itself here")
            .related(declared, "declared here"),
        );
    }

    fn unknown_type(&mut self, name: Name) {
        let text = self.text(name).to_owned();
        let mut diagnostic = Diagnostic::error(
            "unknown-type",
            name.span,
            format!("there is no type named `{text}`"),
        )
        .label("not found");
        if in_library(&text) {
            diagnostic = diagnostic.note(format!("`use sync;` makes `{text}` known"));
        } else if let Some(near) = self.similar_type(&text) {
            diagnostic = diagnostic.note(format!("did you mean `{near}`?"));
        }
        self.report(diagnostic);
    }

    fn similar_type(&mut self, text: &str) -> Option<String> {
        if !self.diagnostics.may_search() {
            return None;
        }
        let module = &self.modules[self.names.module];
        let basic = [
            "bool", "int", "task", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64",
        ];
        let imported = self.objects.iter().filter(|o| o.module != 0);
        let imported = imported.map(|o| self.modules[o.module].ast.text(o.name.symbol));
        let declared = module.types.keys().map(|&s| module.ast.text(s));
        closest(text, declared.chain(basic).chain(imported)).map(str::to_owned)
    }

    /// Interns a type; remembers its shape.
    pub(super) fn intern(&mut self, ty: Type) -> TypeId {
        let id = self.build.program.types.intern(ty);
        self.shape(id);
        id
    }

    /// Interns a type unless it is too large or too deep.
    fn bounded(&mut self, ty: Type, span: Span) -> Option<TypeId> {
        let id = self.intern(ty);
        let (cells, depth) = (
            self.shapes.cells[id.0 as usize],
            self.shapes.depths[id.0 as usize],
        );
        let problem = if cells > ELEMENTS {
            format!("a value of this type has more than {ELEMENTS} parts")
        } else if depth > NESTING {
            format!("types are nested deeper than {NESTING}")
        } else {
            return Some(id);
        };
        self.report(Diagnostic::error("type-size", span, problem).label("too large"));
        None
    }

    /// How many scalars a value of a type has.
    pub(super) fn cells(&mut self, id: TypeId) -> u64 {
        self.shape(id);
        self.shapes.cells[id.0 as usize]
    }

    /// Whether a value of a type holds a task's handle somewhere (keys of maps do not count).
    pub(super) fn has_tasks(&mut self, id: TypeId) -> bool {
        self.shape(id);
        self.shapes.tasks[id.0 as usize]
    }

    /// Computes the shapes of all types up to this one; parts come before wholes.
    fn shape(&mut self, id: TypeId) {
        let Shapes {
            cells,
            depths,
            tasks,
        } = &mut self.shapes;
        while cells.len() <= id.0 as usize {
            let of = |t: &TypeId| {
                (
                    cells[t.0 as usize],
                    depths[t.0 as usize],
                    tasks[t.0 as usize],
                )
            };
            let (count, depth, task) =
                match self.build.program.types.get(TypeId(cells.len() as u32)) {
                    Type::Array(len, t) => (
                        of(t).0.saturating_mul(u64::from(*len)),
                        of(t).1 + 1,
                        of(t).2,
                    ),
                    Type::Map(_, t) => (of(t).0, of(t).1 + 1, of(t).2),
                    Type::Record(r) => r.fields.iter().fold((0u64, 1, false), |all, (_, t)| {
                        (
                            all.0.saturating_add(of(t).0),
                            all.1.max(of(t).1 + 1),
                            all.2 | of(t).2,
                        )
                    }),
                    Type::Task => (1, 0, true),
                    _ => (1, 0, false),
                };
            cells.push(count);
            depths.push(depth);
            tasks.push(task);
        }
    }
}

/// Whether the library has an object type of that name.
fn in_library(text: &str) -> bool {
    super::LIBRARY.lines().any(|line| {
        let rest = line
            .strip_prefix("object ")
            .and_then(|l| l.strip_prefix(text));
        rest.is_some_and(|r| r.starts_with([' ', '(']))
    })
}
