//! `independent` and `exclusive`: claims about operations, kept for a prover.

use ast::{
    tree,
    tree::{MemberKind, OpPattern},
};
use base::diagnostic::Diagnostic;
use ir::{Declared, DeclaredKind, DeclaredOp, GlobalId, OpId, ProcId, Types};

use super::Checker;
use super::names::Names;
use super::objects::{InstanceId, ObjectId, Part, Slot};
use super::types::{Arg, Sort};
use super::versions::{Code, Key, Param, Signature};
use base::suggest::closest;

impl Checker<'_> {
    /// Makes the claims of all objects; one set for all objects of a type with the same arguments.
    pub(super) fn declare_claims(&mut self) {
        let mut seen: Vec<(ObjectId, Vec<Arg>)> = Vec::new();
        let mut index = 0;
        while index < self.instances.len() {
            let instance = &self.instances[index];
            let kind = (instance.object, instance.args.clone());
            let has_claims = self
                .object_decl(kind.0)
                .members
                .iter()
                .any(|m| claim(&m.kind).is_some());
            if has_claims && !seen.contains(&kind) {
                seen.push(kind);
                self.claims_of(InstanceId(index as u32));
            }
            index += 1;
        }
        self.drain();
    }

    pub(super) fn claims_of(&mut self, instance: InstanceId) {
        let object = self.instances[instance.index()].object;
        let decl = self.object_decl(object);
        for (index, member) in decl.members.iter().enumerate() {
            if let Some((kind, a, b, condition)) = claim(&member.kind) {
                self.names = Names::new(self.objects[object.0 as usize].module, None);
                let claimed = (self.claimed_op(instance, a), self.claimed_op(instance, b));
                let (Some(first), Some(second)) = claimed else {
                    continue;
                };
                let condition = condition
                    .and_then(|_| self.claim_proc(instance, index, (a, first.1), (b, second.1)));
                let state = self.all_state(instance);
                let applies = self.like(instance, first.1, second.1);
                let indices = self.instances[instance.index()].dims.len() as u32;
                let span = member.span;
                self.build.program.declared.push(Declared {
                    kind,
                    a: first.0,
                    b: second.0,
                    condition,
                    indices,
                    applies,
                    state,
                    span,
                    proved: false,
                });
            }
        }
    }

    /// The ids of two operations, in each object of the same type with the same arguments.
    fn like(&mut self, instance: InstanceId, a: usize, b: usize) -> Vec<(OpId, OpId)> {
        let model = self.instances[instance.index()].clone();
        let all = (0..self.instances.len() as u32).map(InstanceId);
        let same = |i: &InstanceId| {
            let other = &self.instances[i.index()];
            other.object == model.object && other.args == model.args
        };
        let like: Vec<InstanceId> = all.filter(same).collect();
        like.into_iter()
            .map(|i| (self.op_id(i, a), self.op_id(i, b)))
            .collect()
    }

    /// The state of an object and of the objects in it.
    fn all_state(&self, instance: InstanceId) -> Vec<GlobalId> {
        let mut state = Vec::new();
        let mut work = vec![instance];
        while let Some(instance) = work.pop() {
            let instance = &self.instances[instance.index()];
            state.extend(&instance.state);
            work.extend(instance.slots.values().filter_map(|slot| match slot {
                Slot::Object(inner) => Some(*inner),
                _ => None,
            }));
        }
        state.sort_unstable();
        state
    }

    /// An operation that a claim names, with its member's index.
    fn claimed_op(
        &mut self,
        instance: InstanceId,
        pattern: &OpPattern,
    ) -> Option<(DeclaredOp, usize)> {
        let object = self.instances[instance.index()].object;
        let member = self.member(instance, pattern.name);
        let is_op =
            |&m: &usize| matches!(self.object_decl(object).members[m].kind, MemberKind::Op(_));
        let Some(member) = member.filter(is_op) else {
            self.unknown_op(object, pattern);
            return None;
        };
        let signature = self.member_signature(instance, member);
        if signature
            .params
            .iter()
            .any(|p| !matches!(p.sort, Sort::Value(_)))
            || signature.bad
        {
            let message = "nothing can be declared of an operation that takes objects";
            self.report(
                Diagnostic::error("claim-objects", pattern.name.span, message)
                    .related(signature.span, "declared here"),
            );
            return None;
        }
        let part = |c: &mut Self, part| {
            let code = c.member_code(instance, member, part);
            c.version(
                Key {
                    code,
                    receiver: Some(instance),
                    objects: Vec::new(),
                    atomic: false,
                },
                &signature,
            )
        };
        let (guard, body) = (part(self, Part::Guard), part(self, Part::Body));
        let queues = self
            .op_decl(instance, member)
            .is_some_and(|op| op.enqueue.is_some());
        let enqueue = queues.then(|| part(self, Part::Enqueue));
        let counters = &self.instances[instance.index()].spurious;
        let spurious = counters.get(&member).copied().filter(|c| c.1 > 0);
        Some((
            DeclaredOp {
                op: self.op_id(instance, member),
                guard,
                body,
                enqueue,
                spurious,
            },
            member,
        ))
    }

    fn unknown_op(&mut self, object: ObjectId, pattern: &OpPattern) {
        let text = self.text(pattern.name).to_owned();
        let message = format!("the object has no operation `{text}`");
        let mut diagnostic =
            Diagnostic::undeclared("unknown-operation", pattern.name.span, message)
                .label("not found");
        let module = &self.modules[self.names.module];
        let ops = self.objects[object.0 as usize]
            .members
            .keys()
            .map(|&s| module.ast.text(s));
        if let Some(near) = closest(&text, ops) {
            diagnostic = diagnostic.did_you_mean(near);
        }
        self.report(diagnostic);
    }

    /// The condition of a claim as a procedure of both operations' arguments.
    fn claim_proc(
        &mut self,
        instance: InstanceId,
        member: usize,
        a: (&OpPattern, usize),
        b: (&OpPattern, usize),
    ) -> Option<ProcId> {
        let mut params = Vec::new();
        for (pattern, op) in [a, b] {
            params.extend(self.claim_params(instance, pattern, op)?);
        }
        let span = self
            .object_decl(self.instances[instance.index()].object)
            .members[member]
            .span;
        let signature = Signature {
            name: "independent".into(),
            params,
            result: Some(Types::BOOL),
            span,
            bad: false,
        };
        let object = self.instances[instance.index()].object;
        let code = Code::Member {
            object,
            member: member as u32,
            part: Part::Claim,
        };
        let key = Key {
            code,
            receiver: Some(instance),
            objects: Vec::new(),
            atomic: false,
        };
        Some(self.version(key, &std::rc::Rc::new(signature)))
    }

    /// The arguments of an operation under the names that the claim gives them.
    fn claim_params(
        &mut self,
        instance: InstanceId,
        pattern: &OpPattern,
        op: usize,
    ) -> Option<Vec<Param>> {
        let signature = self.member_signature(instance, op);
        let names = self.modules[self.names.module].ast.names(pattern.args);
        if names.is_empty() {
            return Some(
                signature
                    .params
                    .iter()
                    .map(|p| Param {
                        name: None,
                        sort: p.sort.clone(),
                    })
                    .collect(),
            );
        }
        if names.len() != signature.params.len() {
            let text = self.text(pattern.name).to_owned();
            self.wrong_count(
                &text,
                pattern.name.span,
                signature.params.len(),
                names.len(),
                signature.span,
            );
            return None;
        }
        let named = names.iter().zip(&signature.params);
        Some(
            named
                .map(|(&name, p)| Param {
                    name: Some(name),
                    sort: p.sort.clone(),
                })
                .collect(),
        )
    }

    pub(super) fn lower_claim(&mut self, _: &OpPattern, _: &OpPattern, condition: tree::ExprId) {
        self.body.atomic = Some(super::body::Atomic::Operation);
        self.lower_guard(Some(condition));
    }
}

/// The claim of a member.
fn claim(
    kind: &MemberKind,
) -> Option<(DeclaredKind, &OpPattern, &OpPattern, Option<tree::ExprId>)> {
    match kind {
        MemberKind::Independent(a, b, condition) => {
            Some((DeclaredKind::Independent, a, b, *condition))
        }
        MemberKind::Exclusive(a, b) => Some((DeclaredKind::Exclusive, a, b, None)),
        _ => None,
    }
}
