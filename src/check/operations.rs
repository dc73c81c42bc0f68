//! Operations of objects: an operation is an `await` of its guard with its body as the atomic step.
//!
//! An operation that is always enabled may also stand in atomic code and in
//! other operations: there it is part of their step.

use ast::{
    tree,
    tree::{ExprList, MemberKind, Name, OpDecl},
};
use base::diagnostic::Diagnostic;
use base::source::Span;
use ir::lower::Lower;
use ir::{
    Await, AwaitKind, BinaryOp, Block, ExprId, LocalId, Op, OpId, Place as Target, ProcId, Root,
    Step, Stmt, StmtKind, TypeId, Types,
};
use thin_vec::{ThinVec, thin_vec};

use super::Checker;
use super::calls::{Argument, Arguments, Destination, Passed, argument_effects, argument_nodes};
use super::names::{Bound, Names, ObjectRef};
use super::objects::{InstanceId, Part};
use super::ranges;
use super::typed::Effects;
use super::types::Sort;
use super::versions::{Code, Key, Signature};
use base::suggest::closest;

impl<'a> Checker<'a> {
    /// The declaration of an operation; `None` for a procedure.
    pub(super) fn op_decl(&self, instance: InstanceId, member: usize) -> Option<&'a OpDecl> {
        let object = self.instances[instance.index()].object;
        match &self.object_decl(object).members[member].kind {
            MemberKind::Op(op) => Some(op),
            _ => None,
        }
    }
}

impl Checker<'_> {
    pub(super) fn member_is_op(&self, instance: InstanceId, member: usize) -> bool {
        self.op_decl(instance, member).is_some()
    }

    /// Whether code is part of an operation, which is atomic wherever it is used.
    pub(super) fn is_op(&self, code: Code) -> bool {
        match code {
            Code::Member { object, member, .. } => {
                matches!(
                    self.object_decl(object).members[member as usize].kind,
                    MemberKind::Op(_)
                )
            }
            _ => false,
        }
    }

    /// `o.op(args)`, or a procedure of an object.
    pub(super) fn operation(
        &mut self,
        to: Destination,
        object: tree::ExprId,
        name: Name,
        args: ExprList,
        span: Span,
    ) {
        if !self.names_object(object) {
            self.not_an_object(object);
            return self.check_loose(args);
        }
        let Some(object) = self.typed_object(object) else {
            return self.check_loose(args);
        };
        if !self.open_dims(&object).is_empty() {
            let message = format!("`{}` is asked of a whole array of objects", self.text(name));
            self.report(
                Diagnostic::error("type-mismatch", span, message)
                    .label("an index says which of them is meant"),
            );
            return self.check_loose(args);
        }
        let Some(member) = self.member(object.base.instance, name) else {
            self.unknown_member(object.base.instance, name);
            return self.check_loose(args);
        };
        self.use_member(to, Argument::Object(object), member, name, args, span);
    }

    /// An operation or a procedure of the object whose code this is.
    pub(super) fn member_call(
        &mut self,
        to: Destination,
        object: ObjectRef,
        member: usize,
        name: Name,
        args: ExprList,
        span: Span,
    ) {
        let object = super::objects::TypedObject {
            base: object,
            nodes: Vec::new(),
        };
        self.use_member(to, Argument::Object(object), member, name, args, span);
    }

    fn use_member(
        &mut self,
        to: Destination,
        object: Argument,
        member: usize,
        name: Name,
        args: ExprList,
        span: Span,
    ) {
        let Argument::Object(typed) = &object else {
            return;
        };
        let instance = typed.base.instance;
        let signature = self.member_signature(instance, member);
        let mut all = vec![object];
        all.extend(self.arguments(&signature, args, name));
        let result = self.result_type(&signature, to, span);
        let Some(result) = result.filter(|_| !self.broken) else {
            return;
        };
        match self.op_decl(instance, member) {
            Some(op) => self.use_op(to, member, op, &signature, &all, result, span),
            None => {
                let mut nodes = argument_nodes(&all);
                nodes.extend(if let Destination::Place(node) = to {
                    Some(node)
                } else {
                    None
                });
                self.touch(&nodes);
                let (object, args) = self.lower_with_object(&all);
                let code = self.member_code(instance, member, Part::Body);
                self.emit_call(to, code, Some(object), &signature, args, result);
            }
        }
    }

    /// Evaluates the object and the arguments of an operation.
    fn lower_with_object(&mut self, all: &[Argument]) -> (ObjectRef, Arguments) {
        let mut args = self.lower_arguments(all);
        let Passed::Object(object) = args.params.remove(0) else {
            unreachable!("the object comes first")
        };
        args.objects.remove(0);
        args.values.drain(..object.indices.len());
        (object, args)
    }

    #[allow(
        clippy::too_many_arguments,
        reason = "everything that a use of an operation consists of"
    )]
    fn use_op(
        &mut self,
        to: Destination,
        member: usize,
        op: &OpDecl,
        signature: &std::rc::Rc<Signature>,
        all: &[Argument],
        result: Option<TypeId>,
        span: Span,
    ) {
        let always = op.guard.is_none() && op.enqueue.is_none();
        if self.body.atomic.is_some() && always {
            let (object, args) = self.lower_with_object(all);
            let code = self.member_code(object.instance, member, Part::Body);
            return self.emit_call(to, code, Some(object), signature, args, result);
        }
        self.waits("an operation that may have to wait", span);
        let nodes = argument_nodes(all);
        self.touch(&nodes);
        let (mut checks, (object, args)) = self.in_block(|c| {
            let (object, args) = c.lower_with_object(all);
            c.settle_arguments(object, args, &nodes)
        });
        // If these are only checks, they become part of the operation: a task that begins with an operation is pending at it.
        if !checks.iter().all(|s| matches!(s.kind, StmtKind::Check(..))) {
            self.body.block.append(&mut checks);
        }
        let use_of = Use {
            object,
            args,
            member,
            signature: signature.clone(),
        };
        if op.enqueue.is_some() {
            let body = self.part_call(&use_of, Part::Enqueue, None);
            let id = self.op_id(use_of.object.instance, member);
            let cond = self.build.bool(true);
            let checks = std::mem::take(&mut checks);
            self.emit(StmtKind::Await(Box::new(Await {
                kind: AwaitKind::Enqueue(id),
                checks,
                cond,
                body,
            })));
        }
        self.guarded_step(to, &use_of, op, checks, result);
    }

    /// The await of an operation.
    fn guarded_step(
        &mut self,
        to: Destination,
        use_of: &Use,
        op: &OpDecl,
        mut checks: Block,
        result: Option<TypeId>,
    ) {
        let Some((more, guard)) = self.guard_of(use_of, op) else {
            return;
        };
        checks.extend(more);
        let (cond, count) = self.with_spurious(use_of, guard);
        let id = self.op_id(use_of.object.instance, use_of.member);
        // The step puts the result into a local. Statements after the step pass it on.
        let mut body = count;
        let (block, ()) = self.in_block(|c| {
            c.receive(to, result, |local| {
                // A placeholder that carries the local out of the closure.
                StmtKind::Call(local, ProcId(0), ThinVec::new())
            });
        });
        let mut rest = block.into_iter();
        if let Some(Stmt {
            kind: StmtKind::Call(local, ..),
            ..
        }) = rest.next()
        {
            body.extend(self.part_call(use_of, Part::Body, local));
        }
        self.emit(StmtKind::Await(Box::new(Await {
            kind: AwaitKind::Op(id),
            checks,
            cond,
            body,
        })));
        self.body.block.extend(rest);
    }

    /// Keeps arguments and indices where nothing can change them while the task is blocked.
    fn settle_arguments(
        &mut self,
        mut object: ObjectRef,
        mut args: Arguments,
        nodes: &[super::typed::NodeId],
    ) -> (ObjectRef, Arguments) {
        let effects = argument_effects(nodes, self);
        if !effects.has(Effects::READS) || self.splits() {
            return (object, args);
        }
        for index in &mut object.indices {
            *index = self.settled(*index);
        }
        let mut values = Vec::with_capacity(args.values.len());
        for passed in &mut args.params {
            match passed {
                Passed::Value(value) => {
                    value.id = self.settled(value.id);
                    values.push(value.id);
                }
                Passed::Object(object) => {
                    for index in &mut object.indices {
                        *index = self.settled(*index);
                    }
                    values.extend(&object.indices);
                }
            }
        }
        args.values = values;
        (object, args)
    }

    /// The call of a part of an operation.
    fn part_call(&mut self, use_of: &Use, part: Part, local: Option<LocalId>) -> Block {
        let instance = use_of.object.instance;
        let code = self.member_code(instance, use_of.member, part);
        let key = Key {
            code,
            receiver: Some(instance),
            objects: use_of.args.objects.clone(),
            atomic: false,
        };
        let callee = self.version(key, &use_of.signature);
        let mut values = use_of.object.indices.clone();
        values.extend(&use_of.args.values);
        thin_vec![StmtKind::Call(local, callee, values.into()).at(self.body.span)]
    }

    /// The guard of an operation, with arguments in the place of parameters: its checks and its value.
    fn guard_of(&mut self, use_of: &Use, op: &OpDecl) -> Option<(Block, ExprId)> {
        let Some(guard) = op.guard else {
            return Some((Block::new(), self.build.bool(true)));
        };
        let module =
            self.objects[self.instances[use_of.object.instance.index()].object.0 as usize].module;
        let mut names = Names::new(module, Some(use_of.object.clone()));
        names.has_self = true;
        let outer = std::mem::replace(&mut self.names, names);
        for (param, passed) in use_of.signature.params.iter().zip(&use_of.args.params) {
            let bound = match passed {
                Passed::Value(value) => {
                    // The value that was passed has been checked against the parameter's type.
                    let bounds = match &param.sort {
                        Sort::Value(ty) => ranges::of_type(self.build.types(), *ty),
                        _ => None,
                    };
                    Bound::Known(value.id, bounds.or(value.bounds))
                }
                Passed::Object(object) => Bound::Object(object.clone()),
            };
            if let Some(name) = param.name {
                self.names.bind(name, bound);
            }
        }
        let condition = self.blocking_condition(guard, "a `when`");
        self.names = outer;
        condition
    }

    /// Weakens a guard: it also holds while spurious times are left. Also returns the statement that counts such a time.
    fn with_spurious(&mut self, use_of: &Use, guard: ExprId) -> (ExprId, Block) {
        let counter = self.instances[use_of.object.instance.index()]
            .spurious
            .get(&use_of.member)
            .copied();
        let Some((global, times)) = counter.filter(|c| c.1 > 0 && !self.build.is_true(guard))
        else {
            return (guard, Block::new());
        };
        let mut count = self.build.global(global);
        let mut path = ThinVec::new();
        for &index in &use_of.object.indices {
            count = self.build.index(count, index);
            path.push(Step::Index(index));
        }
        let place = Target {
            root: Root::Global(global),
            path,
            ty: self.build.ty(count),
        };
        let times = self.build.int(times, Types::INT);
        let left = self.build.binary(BinaryOp::Lt, count, times);
        let cond = self.build.binary(BinaryOp::Or, guard, left);
        let one = self.build.int(1, Types::INT);
        let more = self.build.binary(BinaryOp::Add, count, one);
        let span = self.body.span;
        let unguarded = self.build.not(guard);
        let counted = thin_vec![StmtKind::Assign(place, more).at(span)];
        (
            cond,
            thin_vec![StmtKind::If(unguarded, counted, Block::new()).at(span)],
        )
    }

    /// The operation as awaits name it.
    pub(super) fn op_id(&mut self, instance: InstanceId, member: usize) -> OpId {
        if let Some(&id) = self.instances[instance.index()].ops.get(&member) {
            return id;
        }
        let object = self.instances[instance.index()].object;
        let module = self.objects[object.0 as usize].module;
        let op = match &self.object_decl(object).members[member].kind {
            MemberKind::Op(op) => self.modules[module].ast.text(op.name.symbol),
            other => unreachable!("{other:?} is no operation"),
        };
        let op = Op {
            ty: self.object_name(object).to_owned(),
            name: op.to_owned(),
            object: instance.object(),
        };
        let id = OpId::from_index(self.build.program.ops.len());
        self.build.program.ops.push(op);
        self.instances[instance.index()].ops.insert(member, id);
        id
    }

    fn not_an_object(&mut self, expr: tree::ExprId) {
        let span = self.modules[self.names.module].ast.expr(expr).span;
        let node = self.synth(expr);
        if self.is_error(node) {
            return;
        }
        self.report(
            Diagnostic::error("not-an-object", span, "only objects have operations")
                .label("this is a value"),
        );
    }

    fn unknown_member(&mut self, instance: InstanceId, name: Name) {
        let text = self.text(name).to_owned();
        let object = self.instances[instance.index()].object;
        let ty = self.object_name(object).to_owned();
        let module = &self.modules[self.objects[object.0 as usize].module];
        let members = self.objects[object.0 as usize]
            .members
            .keys()
            .map(|&s| module.ast.text(s));
        let near = closest(&text, members).map(str::to_owned);
        let mut all: Vec<String> = self.objects[object.0 as usize]
            .members
            .keys()
            .map(|&s| format!("`{}`", module.ast.text(s)))
            .collect();
        all.sort_unstable();
        all.truncate(10);
        let mut diagnostic = Diagnostic::undeclared(
            "unknown-operation",
            name.span,
            format!("`{ty}` has no operation `{text}`"),
        )
        .label("not found");
        if let Some(near) = near {
            diagnostic = diagnostic.did_you_mean(&near);
        } else if !all.is_empty() {
            diagnostic = diagnostic.note(format!("`{ty}` has {}", all.join(", ")));
        }
        self.report(diagnostic);
    }
}

/// A use of an operation.
struct Use {
    object: ObjectRef,
    args: Arguments,
    member: usize,
    signature: std::rc::Rc<Signature>,
}
