//! Assignments: their targets, and the order of their steps.
//!
//! Right sides are evaluated from left to right, then the indices of the
//! targets, then the targets are stored to from left to right.

use rustc_hash::FxHashSet;

use ast::symbol::Symbol;
use ast::{
    tree,
    tree::{ExprKind, ExprList, Rhs},
};
use base::diagnostic::Diagnostic;
use base::source::Span;
use ir::lower::Lower;
use ir::{ChoiceKind, ExprId, LocalId, Place as Target, Root, Step, Stmt, StmtKind, Type, TypeId};

use super::Checker;
use super::calls::Destination;
use super::names::{Bound, Fixed, Found};
use super::typed::{Effects, Kind, NodeId, Ty};

impl Checker<'_> {
    pub(super) fn assignment(&mut self, targets: ExprList, rhs: Rhs, span: Span) {
        let ast = self.modules[self.names.module].ast;
        let targets = ast.expr_list(targets);
        match (rhs, targets) {
            (Rhs::Exprs(values), &[target]) if ast.expr_list(values).len() == 1 => {
                self.assign_one(target, ast.expr_list(values)[0]);
            }
            (Rhs::Exprs(values), _) => self.assign_many(targets, ast.expr_list(values), span),
            (Rhs::Call(name, args), &[target]) => {
                let target = self.target(target);
                self.call(Destination::Place(target), name, args, span);
            }
            (Rhs::Post(name, args), &[target]) => {
                let target = self.target(target);
                self.post(Destination::Place(target), name, args, span);
            }
            (Rhs::Call(..) | Rhs::Post(..), _) => self.report(
                Diagnostic::error(
                    "assignment-count",
                    span,
                    format!("{} for one value", count(targets.len(), "variable")),
                )
                .label("a call and a post give one value"),
            ),
        }
    }

    fn assign_one(&mut self, target: tree::ExprId, value: tree::ExprId) {
        let target = self.target(target);
        if let ExprKind::Method(object, name, args) = self.without_parens(value).kind {
            return self.operation(
                Destination::Place(target),
                object,
                name,
                args,
                self.body.span,
            );
        }
        let value = self.typed_for(target, value);
        self.touch(&[target, value]);
        if !self.broken {
            self.assign_node(target, value);
        }
    }

    /// An expression without the parentheses around it.
    pub(super) fn without_parens(&self, mut expr: tree::ExprId) -> tree::Expr {
        loop {
            match self.modules[self.names.module].ast.expr(expr) {
                tree::Expr {
                    kind: ExprKind::Paren(inner),
                    ..
                } => expr = inner,
                other => return other,
            }
        }
    }

    fn typed_for(&mut self, target: NodeId, value: tree::ExprId) -> NodeId {
        match self.ty(target) {
            Ty::Value(ty) => self.typed(value, Some(ty)),
            _ => self.synth(value),
        }
    }

    /// Emits the point of a statement with these parts.
    pub(super) fn touch(&mut self, nodes: &[NodeId]) {
        let touches = nodes.iter().any(|&n| self.effects(n).has(Effects::READS));
        self.statement_point(touches && !self.broken);
    }

    fn assign_node(&mut self, target: NodeId, value: NodeId) {
        if let Kind::Star = self.nodes[value.0 as usize].kind {
            return self.havoc_node(target);
        }
        let ty = self.known_type(target);
        let value = self.lower_into(value, ty);
        let place = self.lower_place(target);
        self.store(place, value);
    }

    /// Stores a value. A store to a global is an access.
    pub(super) fn store(&mut self, place: Target, value: ExprId) {
        if let Root::Local(local) = place.root
            && place.path.is_empty()
        {
            return self.store_local(local, value);
        }
        self.store_point(&place);
        self.emit(StmtKind::Assign(place, value));
    }

    /// Stores into a local. If the last statement put the value into a temporary, the store replaces that statement.
    pub(super) fn store_local(&mut self, local: LocalId, value: ExprId) {
        let value = match (self.build.kind(value), self.body.block.last()) {
            (
                &ir::ExprKind::Local(temp),
                Some(Stmt {
                    kind: StmtKind::Assign(place, inner),
                    ..
                }),
            ) if self.body.locals[temp.index()].hidden && *place == self.local_place(temp) => {
                let inner = *inner;
                self.body.block.pop();
                inner
            }
            _ => value,
        };
        self.assign_local(local, value);
    }

    fn assign_many(&mut self, targets: &[tree::ExprId], values: &[tree::ExprId], span: Span) {
        if targets.len() != values.len() {
            let message = format!(
                "{} for {}",
                count(values.len(), "value"),
                count(targets.len(), "variable")
            );
            self.report(
                Diagnostic::error("assignment-count", span, message).label("must be as many"),
            );
        }
        let targets: Vec<NodeId> = targets.iter().map(|&t| self.target(t)).collect();
        let values: Vec<NodeId> = values
            .iter()
            .enumerate()
            .map(|(i, &v)| match targets.get(i) {
                Some(&target) => self.typed_for(target, v),
                None => self.synth(v),
            })
            .collect();
        let all: Vec<NodeId> = targets.iter().chain(&values).copied().collect();
        self.touch(&all);
        if self.broken {
            return;
        }
        // Stores come last. A value is kept aside if an earlier store could change a variable that it reads.
        let mut stored = FxHashSet::default();
        let mut kept = Vec::with_capacity(values.len());
        for (&target, &value) in targets.iter().zip(&values) {
            let value = self.lower_into(value, self.known_type(target));
            kept.push(self.unless_stored(value, &stored));
            stored.insert(self.root_of(target));
        }
        stored.clear();
        let mut places = Vec::with_capacity(targets.len());
        for &target in &targets {
            let mut place = self.lower_place(target);
            for step in &mut place.path {
                if let Step::Index(index) = step {
                    *index = self.unless_stored(*index, &stored);
                }
            }
            stored.insert(place.root);
            places.push(place);
        }
        for (place, value) in places.into_iter().zip(kept) {
            self.store(place, value);
        }
    }

    /// The variable that a typed target is a part of.
    fn root_of(&self, node: NodeId) -> Root {
        match &self.nodes[node.0 as usize].kind {
            Kind::Local(local, _) => Root::Local(*local),
            Kind::Global(global, _) => Root::Global(*global),
            Kind::Index(base, _) | Kind::Field(base, _) => self.root_of(*base),
            other => unreachable!("{other:?} is no variable"),
        }
    }

    /// The value itself, or a temporary with it if it reads one of the variables `stored`.
    fn unless_stored(&mut self, value: ExprId, stored: &FxHashSet<Root>) -> ExprId {
        if stored.is_empty() || !self.build.reads(value, &|root| stored.contains(&root)) {
            return value;
        }
        self.keep(value)
    }

    /// The value itself if later stores cannot change it, else a temporary with it.
    pub(super) fn settled(&mut self, value: ExprId) -> ExprId {
        let fixed = match self.build.kind(value) {
            ir::ExprKind::Local(local) => self.body.locals[local.index()].hidden,
            _ => self.build.is_constant(value),
        };
        if fixed { value } else { self.keep(value) }
    }

    pub(super) fn havoc(&mut self, targets: ExprList) {
        let targets = self.modules[self.names.module].ast.expr_list(targets);
        let nodes: Vec<NodeId> = targets.iter().map(|&t| self.target(t)).collect();
        for &node in &nodes {
            if let Ty::Value(ty) = self.ty(node)
                && self.has_tasks(ty)
            {
                let name = self.type_name(ty);
                self.report(
                    Diagnostic::error(
                        "task-choice",
                        self.span(node),
                        "`havoc` cannot choose a task",
                    )
                    .label(format!("this is of type `{name}`")),
                );
            }
        }
        self.touch(&nodes);
        if !self.broken {
            for node in nodes {
                self.havoc_node(node);
            }
        }
    }

    fn havoc_node(&mut self, target: NodeId) {
        let place = self.lower_place(target);
        self.store_point(&place);
        self.emit(StmtKind::Havoc(place, ChoiceKind::User));
    }

    /// An expression that is assigned to: a variable, or a part of one, that may change.
    pub(super) fn target(&mut self, expr: tree::ExprId) -> NodeId {
        let span = self.modules[self.names.module].ast.expr(expr).span;
        match self.root_name(expr) {
            Some((symbol, name)) => self.require_variable(symbol, name),
            None => self.report(
                Diagnostic::error(
                    "not-assignable",
                    span,
                    "only variables and their parts can be assigned",
                )
                .label("this is a value"),
            ),
        }
        self.synth(expr)
    }

    /// The variable that an expression is a part of.
    fn root_name(&self, mut expr: tree::ExprId) -> Option<(Symbol, Span)> {
        loop {
            let tree::Expr { kind, span } = self.modules[self.names.module].ast.expr(expr);
            match kind {
                ExprKind::Name(symbol) => return Some((symbol, span)),
                ExprKind::Paren(inner) | ExprKind::Index(inner, _) | ExprKind::Field(inner, _) => {
                    expr = inner;
                }
                _ => return None,
            }
        }
    }

    fn require_variable(&mut self, symbol: Symbol, span: Span) {
        let (what, advice) = match self.find(symbol) {
            Some(Found::Bound(Bound::Local {
                fixed: Some(Fixed::Let),
                ..
            })) => ("declared with `let`", Some("`var` declares what changes")),
            Some(Found::Bound(Bound::Local {
                fixed: Some(Fixed::For),
                ..
            })) => ("the variable of a `for`", None),
            Some(Found::Const(_) | Found::Known(_) | Found::Unknown(_)) => ("a constant", None),
            Some(Found::SelfTask) => ("the running task", None),
            _ => return,
        };
        let name = self.symbol(symbol).to_owned();
        let mut diagnostic = Diagnostic::error(
            "not-assignable",
            span,
            format!("`{name}` cannot be assigned"),
        )
        .label(format!("`{name}` is {what}"));
        if let Some(declared) = self.names.declared(symbol) {
            diagnostic = diagnostic.related(declared, "declared here");
        }
        if let Some(advice) = advice {
            diagnostic = diagnostic.note(advice);
        }
        self.report(diagnostic);
    }

    /// A typed target as a place of the program; its indices are evaluated and checked.
    pub(super) fn lower_place(&mut self, node: NodeId) -> Target {
        match self.nodes[node.0 as usize].kind.clone() {
            Kind::Local(local, _) => self.local_place(local),
            Kind::Global(global, indices) => {
                let ty = self.known_type(node);
                let path = indices.iter().map(|&i| Step::Index(i)).collect();
                Target {
                    root: Root::Global(global),
                    path,
                    ty,
                }
            }
            Kind::Index(base, index) => {
                let mut place = self.lower_place(base);
                let index = self.lower_index(place.ty, index);
                place.path.push(Step::Index(index));
                place.ty = self.known_type(node);
                place
            }
            Kind::Field(base, field) => {
                let mut place = self.lower_place(base);
                place.path.push(Step::Field(field));
                place.ty = self.known_type(node);
                place
            }
            other => unreachable!("{other:?} is no variable"),
        }
    }

    /// Gives a place a value that nothing determines: any value, or no task.
    pub(super) fn any_value(&mut self, place: Target) {
        if self.only_tasks(place.ty) {
            let value = self.no_tasks(place.ty);
            self.emit(StmtKind::Assign(place, value));
        } else {
            self.emit(StmtKind::Havoc(place, ChoiceKind::User));
        }
    }

    /// A value of a type with no task everywhere.
    fn no_tasks(&mut self, ty: TypeId) -> ExprId {
        match *self.build.types().get(ty) {
            Type::Array(_, element) | Type::Map(_, element) => {
                let value = self.no_tasks(element);
                self.build.add(ir::ExprKind::Fill(value), ty)
            }
            _ => self.build.no_task(),
        }
    }
}

/// A number of things in words.
pub(super) fn count(n: usize, thing: &str) -> String {
    if n == 1 {
        format!("1 {thing}")
    } else {
        format!("{n} {thing}s")
    }
}
