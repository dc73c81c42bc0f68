//! Calls and posts: the callee, the arguments, and the place of the result.
//!
//! Arguments are evaluated from left to right; the place of the result is
//! evaluated after the call, as in `place := result`.

use ast::{
    tree,
    tree::{ExprList, Name},
};
use base::diagnostic::Diagnostic;
use base::source::Span;
use ir::lower::Lower;
use ir::{ExprId, LocalId, ProcId, StmtKind, TypeId, Types};

use super::Checker;
use super::names::ObjectRef;
use super::objects::{InstanceId, Part, TypedObject};
use super::typed::{Effects, Kind, NodeId, Ty};
use super::types::{ObjectSort, Sort};
use super::versions::{Code, Key, Signature};
use ir::lower::build::read_as;

/// Where a result goes.
#[derive(Clone, Copy, Debug)]
pub(super) enum Destination {
    Nowhere,
    Place(NodeId),
    /// A local with a type.
    Local(LocalId),
    /// A local that takes the result's type.
    NewLocal(LocalId),
}

#[derive(Clone, Debug)]
pub(super) enum Argument {
    Value(NodeId, TypeId),
    Object(TypedObject),
    Bad,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Arguments {
    /// The values that are passed, and indices of objects.
    pub values: Vec<ExprId>,
    /// The objects that a version is made for.
    pub objects: Vec<InstanceId>,
    /// The meaning of each parameter.
    pub params: Vec<Passed>,
}

/// The meaning of a parameter in a call.
#[derive(Clone, Debug)]
pub(super) enum Passed {
    Value(super::lower::Val),
    Object(ObjectRef),
}

impl Checker<'_> {
    pub(super) fn call(&mut self, to: Destination, name: Name, args: ExprList, span: Span) {
        if let Some((object, member)) = self.own_member(name) {
            return self.member_call(to, object, member, name, args, span);
        }
        let Some((code, signature)) = self.procedure(name) else {
            return self.check_loose(args);
        };
        let args = self.arguments(&signature, args, name);
        let result = self.result_type(&signature, to, span);
        self.call_point(to, &args);
        if let (false, Some(result)) = (self.broken, result) {
            let args = self.lower_arguments(&args);
            self.emit_call(to, code, None, &signature, args, result);
        }
    }

    /// Emits the call of a version for the objects that are passed.
    pub(super) fn emit_call(
        &mut self,
        to: Destination,
        code: Code,
        receiver: Option<ObjectRef>,
        signature: &std::rc::Rc<Signature>,
        args: Arguments,
        result: Option<TypeId>,
    ) {
        let span = self.body.span;
        let atomic = self.body.atomic.is_some() && !self.is_op(code);
        let (callee, values) = self.callee(code, receiver, signature, args, atomic);
        self.note_call(callee, span);
        self.receive(to, result, |local| {
            StmtKind::Call(local, callee, values.into())
        });
    }

    /// The version that a call or post runs, and the values that it gets.
    pub(super) fn callee(
        &mut self,
        code: Code,
        receiver: Option<ObjectRef>,
        signature: &std::rc::Rc<Signature>,
        args: Arguments,
        atomic: bool,
    ) -> (ProcId, Vec<ExprId>) {
        let (instance, mut values) =
            receiver.map_or((None, Vec::new()), |r| (Some(r.instance), r.indices));
        values.extend(args.values);
        let key = Key {
            code,
            receiver: instance,
            objects: args.objects,
            atomic,
        };
        (self.version(key, signature), values)
    }

    pub(super) fn post(&mut self, to: Destination, name: Name, args: ExprList, span: Span) {
        self.posts(span);
        let own = self.own_member(name);
        let found = match &own {
            Some((object, member)) => self.postable(object, *member, name),
            None => self.procedure(name),
        };
        let Some((code, signature)) = found else {
            return self.check_loose(args);
        };
        let args = self.arguments(&signature, args, name);
        self.expect_result(to, Types::TASK, span);
        self.call_point(to, &args);
        if self.broken {
            return;
        }
        let args = self.lower_arguments(&args);
        let receiver = own.map(|(object, _)| object);
        let (callee, values) = self.callee(code, receiver, &signature, args, false);
        let result = if let Destination::Nowhere = to {
            None
        } else {
            Some(Types::TASK)
        };
        self.receive(to, result, |local| {
            StmtKind::Post(local, callee, values.into())
        });
    }

    /// A procedure of the object at hand, to be posted.
    fn postable(
        &mut self,
        object: &ObjectRef,
        member: usize,
        name: Name,
    ) -> Option<(Code, std::rc::Rc<Signature>)> {
        if self.member_is_op(object.instance, member) {
            let message = format!(
                "`{}` is an operation, and only procedures can be posted",
                self.text(name)
            );
            self.report(
                Diagnostic::error("not-a-procedure", name.span, message).label("an operation"),
            );
            return None;
        }
        let code = self.member_code(object.instance, member, Part::Body);
        Some((code, self.member_signature(object.instance, member)))
    }

    /// The member of the object around the code at hand that a name means.
    fn own_member(&self, name: Name) -> Option<(ObjectRef, usize)> {
        let object = self.names.object.as_ref()?;
        let member = self.member(object.instance, name)?;
        Some((object.clone(), member))
    }

    /// The procedure that a name means.
    fn procedure(&mut self, name: Name) -> Option<(Code, std::rc::Rc<Signature>)> {
        let module = self.names.module;
        let Some(entry) = self.modules[module].procs.get(&name.symbol) else {
            self.unknown_procedure(name);
            return None;
        };
        let code = Code::Proc {
            module: module as u32,
            item: entry.what.item as u32,
        };
        Some((code, self.signature(name)))
    }

    fn unknown_procedure(&mut self, name: Name) {
        let text = self.text(name).to_owned();
        let module = &self.modules[self.names.module];
        let other = match self.find(name.symbol) {
            Some(super::names::Found::Object(_)) => {
                Some("an object: `o.op(…);` runs an operation of it")
            }
            Some(
                super::names::Found::Bound(super::names::Bound::Local { .. })
                | super::names::Found::Global(..),
            ) => Some("a variable"),
            Some(_) => Some("a constant"),
            None if module.types.contains_key(&name.symbol) => Some("a type"),
            None => None,
        };
        if let Some(other) = other {
            let message = format!("`{text}` is no procedure");
            self.report(
                Diagnostic::error("not-a-procedure", name.span, message)
                    .label(format!("`{text}` is {other}")),
            );
            return;
        }
        let mut diagnostic = Diagnostic::undeclared(
            "unknown-procedure",
            name.span,
            format!("there is no procedure `{text}`"),
        )
        .label("not found");
        if let Some(near) = self.similar_proc(&text) {
            diagnostic = diagnostic.did_you_mean(&near);
        }
        self.report(diagnostic);
    }

    /// Checks arguments whose callee is unknown: for unknown names, not for types.
    pub(super) fn check_loose(&mut self, args: ExprList) {
        self.broken = true;
        for &arg in self.modules[self.names.module].ast.expr_list(args) {
            if !self.names_object(arg) {
                self.synth(arg);
            }
        }
    }

    /// Types the arguments of a call.
    pub(super) fn arguments(
        &mut self,
        signature: &Signature,
        args: ExprList,
        name: Name,
    ) -> Vec<Argument> {
        let args = self.modules[self.names.module].ast.expr_list(args);
        if args.len() != signature.params.len() {
            let text = self.text(name).to_owned();
            self.wrong_count(
                &text,
                name.span,
                signature.params.len(),
                args.len(),
                signature.span,
            );
        }
        let mut typed = Vec::with_capacity(args.len());
        for (index, &arg) in args.iter().enumerate() {
            let sort = signature
                .params
                .get(index)
                .map_or(&Sort::Error, |p| &p.sort);
            typed.push(self.argument(arg, sort));
        }
        typed
    }

    fn argument(&mut self, arg: tree::ExprId, sort: &Sort) -> Argument {
        match sort {
            Sort::Value(ty) => Argument::Value(self.typed(arg, Some(*ty)), *ty),
            Sort::Object(sort) => self.object_argument(arg, sort),
            Sort::Error => {
                if !self.names_object(arg) {
                    self.synth(arg);
                }
                self.broken = true;
                Argument::Bad
            }
        }
    }

    fn object_argument(&mut self, arg: tree::ExprId, sort: &ObjectSort) -> Argument {
        let span = self.modules[self.names.module].ast.expr(arg).span;
        let needed = self.object_sort_name(sort);
        if !self.names_object(arg) {
            let node = self.synth(arg);
            if self.ty(node) != Ty::Error {
                self.report(
                    Diagnostic::error(
                        "type-mismatch",
                        span,
                        format!("expected an object of type `{needed}`"),
                    )
                    .label("this is a value"),
                );
            }
            return Argument::Bad;
        }
        let Some(object) = self.typed_object(arg) else {
            return Argument::Bad;
        };
        if self.object_fits(&object, sort) {
            return Argument::Object(object);
        }
        let found = self.typed_object_name(&object);
        self.report(
            Diagnostic::error(
                "type-mismatch",
                span,
                format!("expected an object of type `{needed}`, found `{found}`"),
            )
            .label(format!("this is `{found}`")),
        );
        Argument::Bad
    }

    /// Emits the point of a statement that calls or posts.
    fn call_point(&mut self, to: Destination, args: &[Argument]) {
        let mut nodes = argument_nodes(args);
        if let Destination::Place(node) = to {
            nodes.push(node);
        }
        self.touch(&nodes);
    }

    /// Evaluates arguments, in their order.
    pub(super) fn lower_arguments(&mut self, args: &[Argument]) -> Arguments {
        let mut lowered = Arguments::default();
        for arg in args {
            match arg {
                Argument::Value(node, ty) => {
                    let value = self.lower(*node);
                    self.fit(value, *ty, self.span(*node));
                    lowered.values.push(value.id);
                    lowered.params.push(Passed::Value(value));
                }
                Argument::Object(object) => {
                    let object = self.lower_object(object);
                    lowered.objects.push(object.instance);
                    lowered.values.extend(&object.indices);
                    lowered.params.push(Passed::Object(object));
                }
                Argument::Bad => unreachable!("a call with errors was lowered"),
            }
        }
        lowered
    }

    /// The type of a call's result. `None`, after a complaint, if the procedure is declared wrongly or lacks the wanted result.
    pub(super) fn result_type(
        &mut self,
        signature: &Signature,
        to: Destination,
        span: Span,
    ) -> Option<Option<TypeId>> {
        if signature.bad {
            self.broken = true;
            return None;
        }
        match (signature.result, to) {
            (result, Destination::Nowhere) => Some(result),
            (Some(result), to) => {
                self.expect_result(to, result, span);
                Some(Some(result))
            }
            (None, _) => {
                let name = &signature.name;
                self.report(
                    Diagnostic::error("no-result", span, format!("`{name}` returns nothing"))
                        .label("there is no value to store")
                        .related(signature.span, "declared here, without a type"),
                );
                None
            }
        }
    }

    /// Complains if a result of that type cannot go to a destination. A new local takes the type.
    fn expect_result(&mut self, to: Destination, result: TypeId, span: Span) {
        let target = match to {
            Destination::Nowhere => return,
            Destination::NewLocal(local) => {
                let ty = read_as(self.build.types(), result);
                self.body.locals[local.index()].ty = ty;
                return;
            }
            Destination::Place(node) => self.ty(node),
            Destination::Local(local) => Ty::Value(self.body.locals[local.index()].ty),
        };
        if let Ty::Value(target) = target
            && !self.compatible(result, target)
        {
            let (found, needed) = (self.type_name(result), self.type_name(target));
            self.report(
                Diagnostic::error(
                    "type-mismatch",
                    span,
                    format!("expected `{needed}`, found `{found}`"),
                )
                .label(format!("the result is `{found}`, the variable `{needed}`")),
            );
        }
    }

    /// Emits a statement that puts a result into a local, and stores it where it goes.
    pub(super) fn receive(
        &mut self,
        to: Destination,
        result: Option<TypeId>,
        make: impl FnOnce(Option<LocalId>) -> StmtKind,
    ) {
        let Some(result) = result else {
            return self.emit(make(None));
        };
        let direct = match to {
            Destination::Nowhere => return self.emit(make(None)),
            Destination::Local(local) | Destination::NewLocal(local) => Some(local),
            Destination::Place(node) => match self.nodes[node.0 as usize].kind {
                Kind::Local(local, _) => Some(local),
                _ => None,
            },
        };
        if let Some(local) = direct.filter(|l| self.body.locals[l.index()].ty == result) {
            return self.emit(make(Some(local)));
        }
        let temp = self.temporary(result);
        self.emit(make(Some(temp)));
        let value = self.read_local(temp);
        match (direct, to) {
            (Some(local), _) => {
                let ty = self.body.locals[local.index()].ty;
                self.fit(self.plain(value), ty, self.body.span);
                self.assign_local(local, value);
            }
            (None, Destination::Place(node)) => {
                let ty = self.known_type(node);
                self.fit(self.plain(value), ty, self.body.span);
                let place = self.lower_place(node);
                self.store(place, value);
            }
            _ => {}
        }
    }
}

/// The expressions of arguments.
pub(super) fn argument_nodes(args: &[Argument]) -> Vec<NodeId> {
    let mut nodes = Vec::with_capacity(args.len());
    for arg in args {
        match arg {
            Argument::Value(node, _) => nodes.push(*node),
            Argument::Object(object) => nodes.extend(&object.nodes),
            Argument::Bad => {}
        }
    }
    nodes
}

/// The effects of evaluating arguments.
pub(super) fn argument_effects(nodes: &[NodeId], checker: &Checker<'_>) -> Effects {
    nodes
        .iter()
        .fold(Effects::NONE, |all, &n| all.and(checker.effects(n)))
}
