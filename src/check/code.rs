//! Lowering the code of one version: the meaning of its names, and its body.

use ast::{
    tree,
    tree::{Block, ItemKind, MemberKind},
};
use base::diagnostic::Diagnostic;
use base::source::Span;
use ir::lower::Lower;
use ir::{LocalId, PassedObject, ProcId, StmtKind, Types};

use super::Checker;
use super::body::{Atomic, Body, Place};
use super::names::{Bound, Names, ObjectRef};
use super::objects::{InstanceId, Part};
use super::ranges;
use super::types::{ObjectSort, Sort};
use super::versions::{Code, Key, Signature};

impl Checker<'_> {
    pub(super) fn lower_version(&mut self, key: &Key, id: ProcId, signature: &Signature) {
        self.versions.current = Some(id);
        self.build.forget_locals();
        self.body = Body::new(Place::Procedure);
        self.body.result = signature.result;
        self.body.has_result_type = signature.result.is_some() || signature.bad;
        self.names = Names::new(self.module_of(key.code), None);
        self.names.has_self = key.code != Code::Finally;
        self.bind_receiver(key.receiver);
        self.names.enter();
        self.bind_parameters(signature, &key.objects);
        let params = self.body.locals.len() as u32;
        self.lower_code(key, signature);
        self.names.leave();
        let body = std::mem::take(&mut self.body);
        let proc = &mut self.build.program.procs[id.index()];
        proc.params = params;
        proc.objects = body.objects;
        proc.locals = body.locals;
        proc.result = body.result;
        proc.body = body.block;
        proc.loops = body.loop_count;
    }

    fn module_of(&self, code: Code) -> usize {
        match code {
            Code::Proc { module, .. } => module as usize,
            Code::Member { object, .. } => self.objects[object.0 as usize].module,
            Code::Finally => 0,
        }
    }

    /// Binds the object whose code is lowered: its indices are hidden parameters.
    fn bind_receiver(&mut self, receiver: Option<InstanceId>) {
        self.names.object = receiver.map(|instance| self.hidden_reference(instance, 0));
    }

    /// A reference to an object: all its indices but the last `open` ones are hidden parameters.
    fn hidden_reference(&mut self, instance: InstanceId, open: usize) -> ObjectRef {
        let count = self.instances[instance.index()].dims.len();
        let count = count.saturating_sub(open) as u32;
        let first = LocalId::from_index(self.body.locals.len());
        if count > 0 {
            self.body.objects.push(PassedObject {
                object: instance.object(),
                first,
                indices: count,
            });
        }
        let indices = (0..count)
            .map(|nth| {
                let name = match nth {
                    // The places are for people who read a dump of the program.
                    0 => {
                        let places = vec![String::new(); count as usize];
                        let program = &self.build.program;
                        program.object_name(instance.object(), &places)
                    }
                    _ => "[]".to_owned(),
                };
                let local = self.body.local(name, Types::INT, true);
                self.build.local(local, Types::INT)
            })
            .collect();
        ObjectRef { instance, indices }
    }

    fn bind_parameters(&mut self, signature: &Signature, objects: &[InstanceId]) {
        let mut objects = objects.iter();
        for param in &signature.params {
            let bound = match &param.sort {
                Sort::Error => Bound::Bad,
                Sort::Value(ty) => {
                    let text = param
                        .name
                        .map_or(String::new(), |n| self.text(n).to_owned());
                    let id = self.body.local(text, *ty, false);
                    let bounds = ranges::of_type(self.build.types(), *ty);
                    Bound::Local {
                        id,
                        ty: *ty,
                        bounds,
                        fixed: None,
                    }
                }
                Sort::Object(ObjectSort { dims, .. }) => match objects.next() {
                    Some(&instance) => Bound::Object(self.hidden_reference(instance, dims.len())),
                    None => Bound::Bad,
                },
            };
            if let Some(name) = param.name {
                self.bind(name, bound);
            }
        }
    }

    fn lower_code(&mut self, key: &Key, signature: &Signature) {
        if key.atomic {
            self.body.atomic = Some(Atomic::Called);
        }
        match key.code {
            Code::Finally => {
                let Some(item) = self.modules[0].finally else {
                    return;
                };
                let ItemKind::Finally(block) = self.modules[0].ast.items[item].kind else {
                    return;
                };
                self.body.atomic = Some(Atomic::Finally);
                self.lower_body(block, signature);
            }
            Code::Proc { module, item } => {
                let decl = self.proc_decl(module as usize, item as usize);
                self.lower_body(decl.body, signature);
            }
            Code::Member {
                object,
                member,
                part,
            } => match self.member_kind(object, member as usize) {
                MemberKind::Proc(proc) => self.lower_body(proc.body, signature),
                MemberKind::Op(op) => self.lower_op_part(op, part, signature),
                MemberKind::Independent(a, b, Some(condition)) => {
                    self.lower_claim(a, b, *condition);
                }
                other => unreachable!("{other:?} has no code"),
            },
        }
    }

    fn lower_op_part(&mut self, op: &tree::OpDecl, part: Part, signature: &Signature) {
        self.body.atomic = Some(Atomic::Operation);
        match (part, op.enqueue) {
            (Part::Body, _) => self.lower_body(op.body, signature),
            (Part::Enqueue, Some(block)) => {
                self.body.result = None;
                self.body.has_result_type = false;
                self.lower_body(block, signature);
            }
            (Part::Guard, _) => self.lower_guard(op.guard),
            (Part::Enqueue, None) | (Part::Claim, _) => {}
        }
    }

    /// Lowers a body; a procedure with a result must not fall off its end.
    pub(super) fn lower_body(&mut self, block: Block, signature: &Signature) {
        let errors = self.diagnostics.errors();
        // The body is a block inside that of the parameters: `var x` may hide a parameter `x`.
        let falls = self.block(block);
        if !falls || !self.body.has_result_type {
            return;
        }
        if self.diagnostics.errors() == errors {
            let end = Span::new(block.span.end.saturating_sub(1), block.span.end);
            self.report(
                Diagnostic::error(
                    "missing-return",
                    end,
                    format!("`{}` may end without a result", signature.name),
                )
                .label("this end can be reached")
                .related(signature.span, "declared here, with a type"),
            );
        }
    }

    /// Lowers a condition as a procedure that returns it.
    pub(super) fn lower_guard(&mut self, guard: Option<tree::ExprId>) {
        self.body.result = Some(Types::BOOL);
        self.broken = false;
        let value = match guard {
            Some(guard) => self.blocking_condition(guard, "a `when`"),
            None => Some((ir::Block::new(), self.build.bool(true))),
        };
        self.nodes.clear();
        if let Some((checks, value)) = value {
            self.body.block.extend(checks);
            self.emit(StmtKind::Return(Some(value)));
        }
    }
}
