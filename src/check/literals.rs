//! Typing literals of arrays, maps and records, conversions, and forms that look like calls.

use ast::{
    tree,
    tree::{ExprList, InitList, Name},
};
use base::diagnostic::Diagnostic;
use base::source::Span;
use ir::{Type, TypeId};

use super::Checker;
use super::type_params::DEFAULT;
use super::typed::{Effects, Kind, NodeId, Ty};
use super::types::Sort;
use base::suggest::closest;

impl Checker<'_> {
    pub(super) fn array_literal(&mut self, elements: ExprList, span: Span) -> NodeId {
        let ast = self.modules[self.names.module].ast;
        let nodes: Vec<NodeId> = ast
            .expr_list(elements)
            .iter()
            .map(|&e| self.synth(e))
            .collect();
        let effects = nodes
            .iter()
            .fold(Effects::NONE, |all, &n| all.and(self.effects(n)));
        if self.array_length(nodes.len() as i128, span).is_none() {
            return self.wrong(span);
        }
        self.node(Kind::Array(nodes), Ty::Literal, effects, span)
    }

    pub(super) fn repeat(&mut self, value: tree::ExprId, len: tree::ExprId, span: Span) -> NodeId {
        let value = self.synth(value);
        let len_span = self.modules[self.names.module].ast.expr(len).span;
        let len = self
            .constant_int(len)
            .and_then(|n| self.array_length(n, len_span));
        let Some(len) = len else {
            return self.wrong(span);
        };
        let effects = self.effects(value);
        self.node(Kind::Repeat(value, len), Ty::Literal, effects, span)
    }

    pub(super) fn fill(&mut self, value: tree::ExprId, span: Span) -> NodeId {
        let value = self.synth(value);
        let effects = self.effects(value);
        self.node(Kind::Fill(value), Ty::Literal, effects, span)
    }

    pub(super) fn record_literal(&mut self, name: Name, inits: InitList, span: Span) -> NodeId {
        let sort = self.named_sort(name);
        let ty = match sort {
            Sort::Value(ty) => ty,
            Sort::Error => return self.wrong(span),
            Sort::Object(_) => return self.not_a_record(name, span),
        };
        let Type::Record(record) = self.build.types().get(ty).clone() else {
            return self.not_a_record(name, span);
        };
        let mut values: Vec<Option<NodeId>> = vec![None; record.fields.len()];
        let mut order = Vec::with_capacity(values.len());
        let mut effects = Effects::NONE;
        for init in self.modules[self.names.module].ast.inits(inits) {
            let node = self.synth(init.value);
            effects = effects.and(self.effects(node));
            let field = self.init_field(ty, &record.fields, init.name, &values);
            if let Some(field) = field {
                self.check_against(node, record.fields[field].1);
                values[field] = Some(node);
                order.push(field as u32);
            }
        }
        self.missing_fields(&record.fields, &values, span);
        match values.into_iter().collect() {
            Some(values) => self.node(Kind::Record(values, order), Ty::Value(ty), effects, span),
            None => self.wrong(span),
        }
    }

    /// The field that a value in a record literal is for.
    fn init_field(
        &mut self,
        ty: TypeId,
        fields: &[(String, TypeId)],
        name: Name,
        values: &[Option<NodeId>],
    ) -> Option<usize> {
        let text = self.text(name);
        let Some(field) = fields.iter().position(|(n, _)| n == text) else {
            self.unknown_field(ty, name);
            return None;
        };
        if let Some(before) = values[field] {
            let before = self.span(before);
            self.duplicate(name, before, "in the record");
            return None;
        }
        Some(field)
    }

    fn missing_fields(
        &mut self,
        fields: &[(String, TypeId)],
        values: &[Option<NodeId>],
        span: Span,
    ) {
        let missing: Vec<_> = fields
            .iter()
            .zip(values)
            .filter(|(_, v)| v.is_none())
            .collect();
        if missing.is_empty() || self.broken {
            return;
        }
        let names: Vec<_> = missing.iter().map(|((n, _), _)| format!("`{n}`")).collect();
        let message = format!(
            "{} of the record {} no value",
            names.join(", "),
            if names.len() == 1 { "has" } else { "have" }
        );
        self.report(
            Diagnostic::error("missing-field", span, message).label("every field needs a value"),
        );
    }

    fn not_a_record(&mut self, name: Name, span: Span) -> NodeId {
        let message = format!("`{}` is no record", self.text(name));
        self.report(
            Diagnostic::error("type-mismatch", name.span, message)
                .label("only records have fields"),
        );
        self.wrong(span)
    }

    pub(super) fn conversion(
        &mut self,
        ty: tree::TypeId,
        operand: tree::ExprId,
        span: Span,
    ) -> NodeId {
        let ty = self.value_type(ty, "converted");
        self.convert_to(ty, operand, span)
    }

    fn convert_to(&mut self, ty: Option<TypeId>, operand: tree::ExprId, span: Span) -> NodeId {
        let node = self.synth(operand);
        self.settle(node);
        self.require_number(node);
        let effects = self.effects(node);
        match ty {
            Some(ty) => self.node(Kind::Convert(node), Ty::Value(ty), effects, span),
            None => self.wrong(span),
        }
    }

    /// `name(args)`: a conversion into an integer type, or `default(T)`; else an error, because calls are statements.
    pub(super) fn apply(&mut self, name: Name, args: ExprList, span: Span) -> NodeId {
        let module = &self.modules[self.names.module];
        let args = module.ast.expr_list(args);
        let is_proc = module.procs.contains_key(&name.symbol);
        if self.is_type(name.symbol) && !is_proc {
            return self.apply_type(name, args, span);
        }
        if self.text(name) == DEFAULT && !is_proc {
            return self.default_of(name, args, span);
        }
        let text = self.text(name).to_owned();
        let diagnostic = if is_proc {
            Diagnostic::error(
                "call-in-expression",
                span,
                format!("`{text}` is called inside an expression"),
            )
            .label("a call is a statement")
            .note(format!("`call x := {text}(…);` stores what it returns"))
        } else {
            let diagnostic = Diagnostic::undeclared(
                "unknown-procedure",
                name.span,
                format!("there is no procedure `{text}`"),
            );
            match self.similar_proc(&text) {
                Some(near) => diagnostic.label("not found").did_you_mean(&near),
                None => diagnostic.label("not found"),
            }
        };
        self.report(diagnostic);
        self.wrong(span)
    }

    fn apply_type(&mut self, name: Name, args: &[tree::ExprId], span: Span) -> NodeId {
        match (self.named_sort(name), args) {
            (Sort::Value(ty), &[operand]) if self.is_integer(ty) => {
                // A range is no type of its own when read: the conversion gives an `int`.
                let ty = ir::lower::build::read_as(self.build.types(), ty);
                self.convert_to(Some(ty), operand, span)
            }
            (Sort::Error, _) => self.wrong(span),
            _ => {
                let text = self.text(name).to_owned();
                self.report(
                    Diagnostic::error(
                        "not-a-procedure",
                        name.span,
                        format!("`{text}` is a type and no procedure"),
                    )
                    .label("only integer types convert one value"),
                );
                self.wrong(span)
            }
        }
    }

    pub(super) fn similar_proc(&mut self, text: &str) -> Option<String> {
        if !self.diagnostics.may_search() {
            return None;
        }
        let module = &self.modules[self.names.module];
        closest(text, module.procs.keys().map(|&s| module.ast.text(s))).map(str::to_owned)
    }

    /// An operation of an object inside an expression.
    pub(super) fn misplaced_operation(&mut self, span: Span) -> NodeId {
        self.report(
            Diagnostic::error(
                "operation-in-expression",
                span,
                "an operation of an object is a statement of its own",
            )
            .label("cannot stand inside an expression")
            .note("`x := o.op(…);` stores what it returns"),
        );
        self.wrong(span)
    }
}
