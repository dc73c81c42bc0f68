//! Local variables: `var` and `let`, with or without values.

use ast::{
    tree,
    tree::{ExprKind, Name, NameList, Rhs},
};
use base::diagnostic::Diagnostic;
use base::source::Span;
use ir::lower::Lower;
use ir::{TypeId, Types};

use super::Checker;
use super::assign::count;
use super::calls::Destination;
use super::names::{Bound, Fixed};
use ir::lower::build::read_as;

impl Checker<'_> {
    pub(super) fn variables(
        &mut self,
        names: NameList,
        ty: Option<tree::TypeId>,
        value: Option<Rhs>,
        span: Span,
    ) {
        let ast = self.modules[self.names.module].ast;
        let names = ast.names(names);
        let declared = ty.map(|ty| self.value_type(ty, "a local variable"));
        match value {
            None => {
                for &name in names {
                    let bound = self.uninitialised(name, declared.flatten());
                    self.bind(name, bound);
                }
            }
            Some(Rhs::Exprs(values)) => {
                let values = ast.expr_list(values);
                if values.len() != 1 && values.len() != names.len() {
                    let message = format!(
                        "{} for {}",
                        count(values.len(), "value"),
                        count(names.len(), "variable")
                    );
                    self.report(
                        Diagnostic::error("assignment-count", span, message)
                            .label("must be one, or as many"),
                    );
                }
                let bounds: Vec<Bound> = names
                    .iter()
                    .enumerate()
                    .map(|(i, &name)| {
                        let value = values.get(i).or(values.first()).copied();
                        value.map_or(Bound::Bad, |v| self.initialised(name, declared, v, None))
                    })
                    .collect();
                for (&name, bound) in names.iter().zip(bounds) {
                    self.bind(name, bound);
                }
            }
            Some(rhs) => self.variable_from_call(names, declared, rhs, None, span),
        }
    }

    pub(super) fn let_variable(
        &mut self,
        name: Name,
        ty: Option<tree::TypeId>,
        value: Rhs,
        span: Span,
    ) {
        let declared = ty.map(|ty| self.value_type(ty, "a local variable"));
        match value {
            Rhs::Exprs(values) => {
                let values = self.modules[self.names.module].ast.expr_list(values);
                let bound = match values {
                    &[value] => self.initialised(name, declared, value, Some(Fixed::Let)),
                    _ => {
                        let message = format!("{} for one variable", count(values.len(), "value"));
                        self.report(Diagnostic::error("assignment-count", span, message));
                        Bound::Bad
                    }
                };
                self.bind(name, bound);
            }
            rhs => self.variable_from_call(&[name], declared, rhs, Some(Fixed::Let), span),
        }
    }

    fn uninitialised(&mut self, name: Name, ty: Option<TypeId>) -> Bound {
        let Some(ty) = ty else { return Bound::Bad };
        let text = self.text(name).to_owned();
        let id = self.body.local(text, ty, false);
        let place = self.local_place(id);
        self.any_value(place);
        Bound::Local {
            id,
            ty,
            bounds: None,
            fixed: None,
        }
    }

    /// A local with an initial value. The value is evaluated before the name means the local.
    fn initialised(
        &mut self,
        name: Name,
        declared: Option<Option<TypeId>>,
        value: tree::ExprId,
        fixed: Option<Fixed>,
    ) -> Bound {
        let declared = match declared {
            Some(None) => {
                self.synth(value);
                return Bound::Bad;
            }
            Some(ty) => ty,
            None => None,
        };
        if let ExprKind::Method(object, op, args) = self.without_parens(value).kind {
            return self.local_from(name, declared, fixed, |c, to| {
                c.operation(to, object, op, args, c.body.span);
            });
        }
        let node = self.typed(value, declared);
        self.touch(&[node]);
        if self.broken {
            return declared.map_or(Bound::Bad, |ty| self.placeholder(name, ty, fixed));
        }
        let ty = declared.unwrap_or_else(|| read_as(self.build.types(), self.known_type(node)));
        let value = self.lower(node);
        self.fit(value, ty, self.span(node));
        let text = self.text(name).to_owned();
        let id = self.body.local(text, ty, false);
        self.store_local(id, value.id);
        let bounds = if fixed.is_some() { value.bounds } else { None };
        Bound::Local {
            id,
            ty,
            bounds,
            fixed,
        }
    }

    /// A local whose initial value is wrong: its uses are not reported.
    fn placeholder(&mut self, name: Name, ty: TypeId, fixed: Option<Fixed>) -> Bound {
        let text = self.text(name).to_owned();
        let id = self.body.local(text, ty, false);
        Bound::Local {
            id,
            ty,
            bounds: None,
            fixed,
        }
    }

    fn variable_from_call(
        &mut self,
        names: &[Name],
        declared: Option<Option<TypeId>>,
        rhs: Rhs,
        fixed: Option<Fixed>,
        span: Span,
    ) {
        let &[name] = names else {
            let message = format!("{} for one value", count(names.len(), "variable"));
            self.report(
                Diagnostic::error("assignment-count", span, message)
                    .label("a call and a post give one value"),
            );
            names.iter().for_each(|&n| self.bind(n, Bound::Bad));
            return;
        };
        let bound = match declared {
            Some(None) => Bound::Bad,
            declared => self.local_from(name, declared.flatten(), fixed, |c, to| match rhs {
                Rhs::Call(callee, args) => c.call(to, callee, args, span),
                Rhs::Post(callee, args) => c.post(to, callee, args, span),
                Rhs::Exprs(_) => unreachable!("expressions are no calls"),
            }),
        };
        self.bind(name, bound);
    }

    /// A local that gets the result of a call, a post or an operation. Without a type of its own it takes that of the result.
    fn local_from(
        &mut self,
        name: Name,
        declared: Option<TypeId>,
        fixed: Option<Fixed>,
        fill: impl FnOnce(&mut Self, Destination),
    ) -> Bound {
        let text = self.text(name).to_owned();
        let id = self.body.local(text, declared.unwrap_or(Types::INT), false);
        let to = if declared.is_some() {
            Destination::Local(id)
        } else {
            Destination::NewLocal(id)
        };
        fill(self, to);
        if self.broken && declared.is_none() {
            return Bound::Bad;
        }
        Bound::Local {
            id,
            ty: self.body.locals[id.index()].ty,
            bounds: None,
            fixed,
        }
    }
}
