//! Parameters of object types that are types, and `default(T)`.
//!
//! `object Queue(T: type, n: int)` is checked and made anew for each object, so `T` has a meaning wherever its code is
//! looked at: the type that the object was declared with. An object type of which there is no object is checked with
//! types that are not known: code that depends on them is left alone.

use ast::symbol::Symbol;
use ast::{
    tree,
    tree::{ExprKind, Field, Name, TypeKind},
};
use base::diagnostic::Diagnostic;
use base::source::Span;
use ir::TypeId;

use super::Checker;
use super::mismatch::argument_count;
use super::names::Names;
use super::objects::{InstanceId, ObjectId};
use super::typed::{Effects, Kind, NodeId, Ty};
use super::types::{Arg, Sort};
use ir::lower::build::read_as;

/// `default(T)` is a value of that type. A procedure of that name comes first.
pub(super) const DEFAULT: &str = "default";

impl Checker<'_> {
    /// Whether a parameter of an object type takes a type.
    pub(super) fn takes_type(&self, module: usize, ty: tree::TypeId) -> bool {
        self.modules[module].ast.ty(ty).kind == TypeKind::Type
    }

    /// The type of a type parameter of the current object. `Some(None)` is a type that is not known.
    pub(super) fn type_parameter(&self, symbol: Symbol) -> Option<Option<TypeId>> {
        let early = self.names.types.iter().find(|(name, _)| *name == symbol);
        let object = self.names.object.as_ref();
        let given = object.and_then(|o| self.instances[o.instance.index()].types.get(&symbol));
        early.map(|(_, ty)| *ty).or(given.copied())
    }

    /// Whether a name means a type.
    pub(super) fn is_type(&self, symbol: Symbol) -> bool {
        let declared = &self.modules[self.names.module].types;
        declared.contains_key(&symbol) || self.type_parameter(symbol).is_some()
    }

    pub(super) fn bind_type(&mut self, id: InstanceId, params: &[Field], name: Name, arg: Arg) {
        let ty = match arg {
            Arg::Type(ty) => Some(ty),
            _ => None,
        };
        let types = &mut self.instances[id.index()].types;
        if types.insert(name.symbol, ty).is_some() {
            let first = params.iter().find(|p| p.name.symbol == name.symbol);
            let first = first.map_or(name.span, |p| p.name.span);
            self.duplicate(name, first, "in the object");
        }
    }

    /// The argument for a parameter that is a type.
    pub(super) fn type_argument(
        &mut self,
        object: ObjectId,
        param: &Field,
        arg: tree::ExprId,
    ) -> Option<TypeId> {
        let tree::Expr { kind, span } = self.modules[self.names.module].ast.expr(arg);
        let sort = match kind {
            ExprKind::Paren(inner) => return self.type_argument(object, param, inner),
            ExprKind::Type(ty) => self.sort(ty),
            ExprKind::Name(symbol) if self.find(symbol).is_none() || self.is_type(symbol) => {
                self.named_sort(Name { symbol, span })
            }
            ExprKind::Apply(name, args) if self.is_type(name.symbol) => self.named(name, args),
            ExprKind::Error => {
                self.diagnostics.incomplete();
                Sort::Error
            }
            _ => {
                self.no_type(object, param, span, false);
                Sort::Error
            }
        };
        match sort {
            Sort::Value(ty) => Some(ty),
            Sort::Error => None,
            Sort::Object(_) => {
                self.no_type(object, param, span, true);
                None
            }
        }
    }

    /// Refuses a value or an object type for a parameter that is a type.
    fn no_type(&mut self, object: ObjectId, param: &Field, span: Span, is_object: bool) {
        let module = &self.modules[self.objects[object.0 as usize].module];
        let (name, text) = (self.object_name(object), module.ast.text(param.name.symbol));
        let diagnostic = if is_object {
            let message = format!("`{text}` of `{name}` cannot be an object type");
            Diagnostic::error("object-misplaced", span, message).label("this is an object type")
        } else {
            let message = format!("`{name}` needs a type for `{text}`");
            Diagnostic::error("not-a-type", span, message).label("this is a value")
        };
        self.report(diagnostic.related(param.name.span, "declared here"));
    }

    /// Reports `type` where only types of values can stand.
    pub(super) fn type_misplaced(&mut self, span: Span) {
        self.report(
            Diagnostic::error("type-misplaced", span, "`type` is no type of a value")
                .label("only a parameter of an object type can be a type")
                .note("`object Queue(T: type, n: int) { … }` takes a type and a number"),
        );
    }

    /// Reports `int` where a value is needed.
    pub(super) fn type_as_value(&mut self, span: Span) -> NodeId {
        self.report(
            Diagnostic::error("type-as-value", span, "a value is needed here")
                .label("this is a type"),
        );
        self.wrong(span)
    }

    /// Reports a wrong number of arguments of an object type.
    pub(super) fn wrong_arguments(
        &mut self,
        object: ObjectId,
        text: &str,
        span: Span,
        given: usize,
    ) {
        let decl = self.object_decl(object);
        let module = self.objects[object.0 as usize].module;
        let ast = self.modules[module].ast;
        let params = ast.fields(decl.params);
        let mut names = Names::of_params(module);
        let takes = |p: &&Field| ast.ty(p.ty).kind == TypeKind::Type;
        let types = params.iter().filter(takes);
        names.types = types.map(|p| (p.name.symbol, None)).collect();
        let outer = std::mem::replace(&mut self.names, names);
        let mut shown = Vec::with_capacity(params.len());
        for param in params {
            let name = ast.text(param.name.symbol);
            let ty = match ast.ty(param.ty).kind {
                TypeKind::Type => "type".to_owned(),
                _ => match self.sort(param.ty) {
                    Sort::Value(ty) => self.type_name(ty),
                    _ => "…".to_owned(),
                },
            };
            shown.push(format!("`{name}: {ty}`"));
        }
        self.names = outer;
        let diagnostic = argument_count(text, span, params.len(), given, decl.name.span);
        let note = format!("its parameters are {}", shown.join(", "));
        self.report(if shown.is_empty() {
            diagnostic
        } else {
            diagnostic.note(note)
        });
    }

    /// The object type with a type parameter of that name.
    pub(super) fn object_with_type(&self, name: Name) -> Option<String> {
        let ast = self.modules[self.names.module].ast;
        let mut items = ast.items.iter();
        items.find_map(|item| match &item.kind {
            tree::ItemKind::Object(object) => {
                let mut params = ast.fields(object.params).iter();
                let has =
                    |p: &Field| p.name.symbol == name.symbol && ast.ty(p.ty).kind == TypeKind::Type;
                params
                    .any(has)
                    .then(|| ast.text(object.name.symbol).to_owned())
            }
            _ => None,
        })
    }

    /// Adds to a complaint which object the code at hand belongs to, if the complaint names one of its types.
    pub(super) fn of_object(&self, mut diagnostic: Diagnostic) -> Diagnostic {
        if diagnostic.code == "duplicate-name" {
            return diagnostic;
        }
        for id in self.names.objects() {
            let instance = &self.instances[id.index()];
            let params = self.object_decl(instance.object).params;
            let ast = self.modules[self.objects[instance.object.0 as usize].module].ast;
            for (param, arg) in ast.fields(params).iter().zip(&instance.args) {
                let Arg::Type(ty) = *arg else { continue };
                let (text, name) = (ast.text(param.name.symbol), self.type_name(ty));
                let names = [format!("`{text}`"), format!("`{name}`")];
                let says =
                    |n: &String| diagnostic.message.contains(n) || diagnostic.label.contains(n);
                if names.iter().any(says) {
                    let object = format!("`{}: {}`", instance.name, self.instance_type(id));
                    let related = format!("`{text}` is `{name}` in {object}");
                    diagnostic = if instance.span == Span::default() {
                        diagnostic.note(related)
                    } else {
                        diagnostic.related(instance.span, related)
                    };
                    break;
                }
            }
        }
        diagnostic
    }

    /// `default(T)`
    pub(super) fn default_of(&mut self, name: Name, args: &[tree::ExprId], span: Span) -> NodeId {
        let ast = self.modules[self.names.module].ast;
        let [arg] = *args else {
            let message = "`default` takes one type";
            self.report(Diagnostic::error("argument-count", name.span, message));
            return self.wrong(span);
        };
        let tree::Expr { kind, span: place } = ast.expr(arg);
        let ty = match kind {
            ExprKind::Type(ty) => self.value_type(ty, "the type of a value"),
            ExprKind::Name(symbol) if self.find(symbol).is_none() || self.is_type(symbol) => {
                let written = Name {
                    symbol,
                    span: place,
                };
                match self.named_sort(written) {
                    Sort::Value(ty) => Some(ty),
                    Sort::Error => None,
                    Sort::Object(_) => return self.no_default(place, true),
                }
            }
            _ => return self.no_default(place, false),
        };
        let Some(ty) = ty else {
            return self.wrong(span);
        };
        let value = self.build.program.plain_value(ty);
        let ty = Ty::Value(read_as(self.build.types(), ty));
        self.node(Kind::Known(value, None), ty, Effects::NONE, span)
    }

    fn no_default(&mut self, span: Span, is_object: bool) -> NodeId {
        let (message, label) = if is_object {
            ("an object has no default value", "this is an object type")
        } else {
            ("`default` needs a type", "this is a value")
        };
        self.report(Diagnostic::error("not-a-type", span, message).label(label));
        self.wrong(span)
    }
}
