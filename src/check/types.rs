//! Written types: their meaning, and the types that cannot be.

use rustc_hash::FxHashSet;

use ast::{
    tree,
    tree::{Field, Name, TypeKind},
};
use base::diagnostic::Diagnostic;
use base::source::Span;
use ir::{ExprId, RecordType, Type, TypeId, Types};

use super::Checker;
use super::objects::ObjectId;

/// The most elements of an array, and the most scalars of a value.
pub(super) const ELEMENTS: u64 = 1_000_000;
/// How deep declarations may depend on later ones.
pub(super) const DEPENDENCE: u32 = 1_000;

/// The meaning of a written type.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Sort {
    Error,
    Value(TypeId),
    /// An object or an array of objects.
    Object(ObjectSort),
}

/// An argument of an object type.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Arg {
    Value(ExprId),
    Type(TypeId),
    /// An argument of an object that is made up to check its type.
    Unknown,
}

/// The type of a variable or parameter that holds an object or an array of objects.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ObjectSort {
    pub object: ObjectId,
    /// The arguments of the object type; none when they are left open (for a parameter).
    pub args: Option<Vec<Arg>>,
    /// The lengths of the arrays around it, the outermost first.
    pub dims: Vec<u32>,
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

    /// The meaning of a written type. Errors in it are reported.
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

    pub(super) fn sort_as(&mut self, id: tree::TypeId, node: tree::TypeNode, name: String) -> Sort {
        let ty = match node.kind {
            TypeKind::Error => {
                self.diagnostics.incomplete();
                None
            }
            TypeKind::Bool => Some(Types::BOOL),
            TypeKind::Int => Some(Types::INT),
            TypeKind::Task => Some(Types::TASK),
            TypeKind::Type => {
                self.type_misplaced(node.span);
                None
            }
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
        let is_type = self.is_type(name.symbol);
        if is_type && self.find(name.symbol).is_none() {
            let key = self.named_sort(name);
            return self.bracket_map(key, name, element, span);
        }
        if !is_type && self.find(name.symbol).is_none() {
            self.neither_constant_nor_type(name);
            return Sort::Error;
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
}
