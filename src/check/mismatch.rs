//! Messages about types that do not go together.

use ast::symbol::Symbol;
use ast::{tree, tree::Name};
use base::diagnostic::Diagnostic;
use base::source::Span;
use ir::{Type, TypeId};

use super::Checker;
use super::assign::count;
use super::typed::{NodeId, Ty};
use base::suggest::closest;

impl Checker<'_> {
    pub(super) fn type_name(&self, ty: TypeId) -> String {
        self.build.types().name(ty)
    }

    fn ty_name(&self, ty: Ty) -> String {
        match ty {
            Ty::Value(ty) => format!("`{}`", self.type_name(ty)),
            Ty::Number => "a number".to_owned(),
            Ty::Literal => "an array or map".to_owned(),
            Ty::Any | Ty::Error => "unknown".to_owned(),
        }
    }

    /// Reports a value of one type where another is needed.
    pub(super) fn mismatch(&mut self, node: NodeId, found: TypeId, needed: TypeId) {
        let (found_name, needed_name) = (self.type_name(found), self.type_name(needed));
        let mut diagnostic = Diagnostic::error(
            "type-mismatch",
            self.span(node),
            format!("expected `{needed_name}`, found `{found_name}`"),
        )
        .label(format!("this is `{found_name}`"));
        if self.is_integer(found) && self.is_integer(needed) {
            let target = if self.build.types().is_int(needed) {
                "int".to_owned()
            } else {
                needed_name
            };
            diagnostic = diagnostic.note(format!("`{target}(…)` converts it"));
        }
        self.report(diagnostic);
    }

    /// Reports an open expression where another type is needed.
    pub(super) fn expected(&mut self, node: NodeId, found: &str, needed: TypeId) {
        let needed = self.type_name(needed);
        self.report(
            Diagnostic::error(
                "type-mismatch",
                self.span(node),
                format!("expected `{needed}`, found {found}"),
            )
            .label(format!("this is {found}")),
        );
    }

    /// Reports an operator of machine integers on literals where another type is needed.
    pub(super) fn expected_bits(&mut self, node: NodeId, needed: TypeId) {
        let needed = self.type_name(needed);
        let message = format!("expected `{needed}`, found a machine integer");
        let diagnostic = Diagnostic::error("type-mismatch", self.span(node), message)
            .label("this is a machine integer")
            .note("a conversion of a number says of which type it is, as in `u8(2) | 128` and `~u8(1)`");
        self.report(diagnostic);
    }

    pub(super) fn different_operands(
        &mut self,
        l: NodeId,
        a: TypeId,
        r: NodeId,
        b: TypeId,
        what: &str,
    ) {
        let (left, right) = (self.type_name(a), self.type_name(b));
        let what = if what == "if-then-else" {
            "the branches".to_owned()
        } else {
            format!("the operands of `{what}`")
        };
        let message = format!("{what} have different types: `{left}` and `{right}`");
        let mut diagnostic = Diagnostic::error("type-mismatch", self.span(r), message)
            .label(format!("this is `{right}`"))
            .related(self.span(l), format!("this is `{left}`"));
        if self.is_integer(a) && self.is_integer(b) {
            diagnostic = diagnostic.note(format!(
                "a conversion says what is meant: `{left}(…)` or `{right}(…)`"
            ));
        }
        self.report(diagnostic);
    }

    pub(super) fn wrong_operand(&mut self, found: Ty, op: &str, needed: &str, span: Span) {
        let found = self.ty_name(found);
        self.report(
            Diagnostic::error(
                "type-mismatch",
                span,
                format!("`{op}` needs {needed}, found {found}"),
            )
            .label(format!("this is {found}")),
        );
    }

    pub(super) fn expected_number(&mut self, found: Ty, span: Span) {
        let found = self.ty_name(found);
        self.report(
            Diagnostic::error(
                "type-mismatch",
                span,
                format!("expected a number, found {found}"),
            )
            .label(format!("this is {found}")),
        );
    }

    /// Refuses a settled expression that is no number.
    pub(super) fn require_number(&mut self, node: NodeId) {
        match self.ty(node) {
            Ty::Value(ty) if !self.is_integer(ty) => {
                self.expected_number(Ty::Value(ty), self.span(node));
            }
            _ => {}
        }
    }

    pub(super) fn no_elements(&mut self, base: NodeId, ty: TypeId) {
        let name = self.type_name(ty);
        self.report(
            Diagnostic::error(
                "type-mismatch",
                self.span(base),
                format!("`{name}` is no array and no map"),
            )
            .label("it has no elements"),
        );
    }

    pub(super) fn unknown_field(&mut self, ty: TypeId, name: Name) {
        let (text, type_name) = (self.text(name).to_owned(), self.type_name(ty));
        let mut diagnostic = Diagnostic::undeclared(
            "unknown-field",
            name.span,
            format!("`{type_name}` has no field `{text}`"),
        );
        let fields: Vec<String> = match self.build.types().get(ty) {
            Type::Record(r) => r.fields.iter().map(|(n, _)| n.clone()).collect(),
            _ => Vec::new(),
        };
        diagnostic = if fields.is_empty() {
            diagnostic.label("only records have fields")
        } else if let Some(near) = closest(&text, fields.iter().map(String::as_str)) {
            diagnostic.label("not found").did_you_mean(near)
        } else {
            let shown: Vec<_> = fields.iter().take(10).map(|f| format!("`{f}`")).collect();
            diagnostic
                .label("not found")
                .note(format!("its fields are {}", shown.join(", ")))
        };
        self.report(diagnostic);
    }

    /// Reports a wrong number of arguments.
    pub(super) fn wrong_count(
        &mut self,
        what: &str,
        span: Span,
        needed: usize,
        given: usize,
        declared: Span,
    ) {
        self.report(argument_count(what, span, needed, given, declared));
    }

    /// Reports an object where a value is needed.
    pub(super) fn object_as_value(&mut self, symbol: Symbol, span: Span) -> NodeId {
        let name = self.symbol(symbol).to_owned();
        self.report(
            Diagnostic::error(
                "object-as-value",
                span,
                format!("`{name}` is an object and no value"),
            )
            .label("cannot be copied, stored or compared")
            .note("an object can be operated on, and passed to procedures and operations"),
        );
        self.wrong(span)
    }

    /// Reports `o.f`, where `o` is an object.
    pub(super) fn private_state(&mut self, base: tree::ExprId, name: Name, span: Span) -> NodeId {
        let text = self.text(name).to_owned();
        let base = self.modules[self.names.module].ast.expr(base).span;
        self.report(
            Diagnostic::error(
                "private-state",
                name.span,
                format!("`{text}` is asked of an object, whose state is private"),
            )
            .label("only operations of the object can read it")
            .related(base, "this is an object"),
        );
        self.wrong(span)
    }
}

/// Makes the complaint about a wrong number of arguments.
pub(super) fn argument_count(
    what: &str,
    span: Span,
    needed: usize,
    given: usize,
    declared: Span,
) -> Diagnostic {
    let needed = count(needed, "argument");
    let message = format!("`{what}` takes {needed}, {given} given");
    Diagnostic::error("argument-count", span, message)
        .label(format!("expected {needed}"))
        .related(declared, "declared here")
}
