//! References to objects: which variable, and which of its elements.

use ast::{
    tree,
    tree::{ExprKind, Name},
};
use base::diagnostic::Diagnostic;
use ir::Types;

use super::Checker;
use super::names::{Bound, Found, ObjectRef};
use super::objects::{InstanceId, TypedObject};
use super::typed::{NodeId, Ty};
use super::types::{Arg, ObjectSort};

impl Checker<'_> {
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
        let dims = self.open_dims(object).iter().map(|d| format!("[{d}]"));
        dims.collect::<String>() + &self.instance_type(object.base.instance)
    }

    /// The type of an object with its arguments.
    pub(super) fn instance_type(&self, instance: InstanceId) -> String {
        let instance = &self.instances[instance.index()];
        self.object_name(instance.object).to_owned() + &self.args_name(&instance.args)
    }

    fn args_name(&self, args: &[Arg]) -> String {
        if args.is_empty() {
            return String::new();
        }
        let show = |arg: &Arg| match *arg {
            Arg::Type(ty) => self.type_name(ty),
            Arg::Value(value) => match self.build.literal(value) {
                Some(n) => n.to_string(),
                None => "…".to_owned(),
            },
            Arg::Unknown => "…".to_owned(),
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

    /// Whether a typed node is wrong, which is reported already.
    pub(super) fn is_error(&self, node: NodeId) -> bool {
        self.ty(node) == Ty::Error
    }
}
