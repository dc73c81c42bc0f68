//! Code that no execution reaches is checked too, and then thrown away.
//!
//! A procedure with object parameters that nothing calls, and an object type
//! of which there is no object, are tried with objects made up for the purpose.

use ast::tree::{ItemKind, MemberKind};
use base::source::Span;

use super::Checker;
use super::body::{Body, Place};
use super::names::Names;
use super::objects::{InstanceId, ObjectId, Part};
use super::types::{Arg, ObjectSort, Sort};
use super::versions::{Code, Key, Signature};

/// The sizes of the program's tables at some time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    exprs: usize,
    globals: usize,
    procs: usize,
    objects: usize,
    ops: usize,
    declared: usize,
}

impl Checker<'_> {
    pub(super) fn mark(&self) -> Mark {
        let p = &self.build.program;
        Mark {
            exprs: p.exprs.len(),
            globals: p.globals.len(),
            procs: p.procs.len(),
            objects: p.objects.len(),
            ops: p.ops.len(),
            declared: p.declared.len(),
        }
    }

    /// Forgets what was made since `mark`. The checker may make nothing after that.
    pub(super) fn reset(&mut self, mark: Mark) {
        let p = &mut self.build.program;
        p.exprs.truncate(mark.exprs);
        p.globals.truncate(mark.globals);
        p.procs.truncate(mark.procs);
        p.objects.truncate(mark.objects);
        p.ops.truncate(mark.ops);
        p.declared.truncate(mark.declared);
    }

    /// Checks procedures and object types of the program that nothing uses.
    pub(super) fn check_unused(&mut self) {
        // Code that needs a type which is not known here is left out, and is no error.
        let complete = self.diagnostics.complete();
        for object in 0..self.objects.len() as u32 {
            if self.objects[object as usize].module == 0 {
                self.check_object(ObjectId(object));
            }
        }
        for item in 0..self.modules[0].ast.items.len() {
            let ItemKind::Proc(proc) = &self.modules[0].ast.items[item].kind else {
                continue;
            };
            let code = Code::Proc {
                module: 0,
                item: item as u32,
            };
            if !self.versions.made(code) {
                self.names = Names::new(0, None);
                let signature = self.signature_of(proc, item);
                self.try_version(code, None, &signature);
            }
        }
        self.diagnostics.restore(complete);
    }

    /// Checks all members of an object type: with one object for each list of types that it has been given.
    fn check_object(&mut self, object: ObjectId) {
        let mut kinds: Vec<(Vec<Arg>, InstanceId)> = Vec::new();
        let instances = self.instances.iter().enumerate();
        for (index, instance) in instances.filter(|(_, i)| i.object == object) {
            let types = instance.args.iter().copied();
            let types: Vec<Arg> = types.filter(|arg| matches!(arg, Arg::Type(_))).collect();
            if kinds.iter().all(|(known, _)| *known != types) {
                kinds.push((types, InstanceId(index as u32)));
            }
        }
        if kinds.is_empty() {
            let (args, dims) = (None, Vec::new());
            let instance = self.made_up(&ObjectSort { object, args, dims });
            self.claims_of(instance);
            self.check_members(object, instance);
        }
        for (_, instance) in kinds {
            self.check_members(object, instance);
        }
    }

    fn check_members(&mut self, object: ObjectId, instance: InstanceId) {
        for (index, member) in self.object_decl(object).members.iter().enumerate() {
            let parts: &[Part] = match &member.kind {
                MemberKind::Op(op) if op.enqueue.is_some() => {
                    &[Part::Guard, Part::Enqueue, Part::Body]
                }
                MemberKind::Op(_) => &[Part::Guard, Part::Body],
                MemberKind::Proc(_) => &[Part::Body],
                _ => continue,
            };
            let signature = self.member_signature(instance, index);
            for &part in parts {
                let code = self.member_code(instance, index, part);
                self.try_version(code, Some(instance), &signature);
            }
        }
    }

    /// Lowers code for objects made up for its parameters.
    fn try_version(
        &mut self,
        code: Code,
        receiver: Option<InstanceId>,
        signature: &std::rc::Rc<Signature>,
    ) {
        let mut objects = Vec::new();
        for param in &signature.params {
            if let Sort::Object(sort) = &param.sort {
                objects.push(self.made_up(sort));
            }
        }
        self.version(
            Key {
                code,
                receiver,
                objects,
                atomic: false,
            },
            signature,
        );
        self.drain();
    }

    /// An object of a type. Arguments that are left open are unknown constants.
    fn made_up(&mut self, sort: &ObjectSort) -> InstanceId {
        // The statements that give state its initial values are thrown away.
        self.body = Body::new(Place::Constant);
        self.versions.current = None;
        let params = self.object_decl(sort.object).params.len as usize;
        let unknown = || vec![Arg::Unknown; params];
        let args = sort.args.clone().unwrap_or_else(unknown);
        let name = self.object_name(sort.object).to_owned();
        let dims = sort.dims.clone();
        self.make_instance(sort.object, args, dims, name, &[], Span::default())
    }
}
