//! The facts about procedures and operations that a call needs: parameters and result.

use std::rc::Rc;

use ast::{
    tree,
    tree::{Field, FieldList, MemberKind, Name},
};

use super::Checker;
use super::names::{Names, ObjectRef};
use super::objects::InstanceId;
use super::versions::{Param, Signature};

impl Checker<'_> {
    /// The signature of a procedure of the file at hand.
    pub(super) fn signature(&mut self, name: Name) -> Rc<Signature> {
        let module = self.names.module;
        let item = self.modules[module].procs[&name.symbol].what.item;
        let decl = self.proc_decl(module, item);
        self.signature_of(decl, item)
    }

    pub(super) fn signature_of(&mut self, decl: &tree::ProcDecl, item: usize) -> Rc<Signature> {
        let module = self.names.module;
        let entry = self.modules[module]
            .procs
            .get(&decl.name.symbol)
            .filter(|e| e.what.item == item);
        if let Some(signature) = entry.and_then(|e| e.what.signature.clone()) {
            return signature;
        }
        let names = std::mem::replace(&mut self.names, Names::new(module, None));
        let signature = Rc::new(self.make_signature(decl.name, decl.params, decl.result));
        self.names = names;
        if let Some(entry) = self.modules[module]
            .procs
            .get_mut(&decl.name.symbol)
            .filter(|e| e.what.item == item)
        {
            entry.what.signature = Some(signature.clone());
        }
        signature
    }

    fn make_signature(
        &mut self,
        name: Name,
        params: FieldList,
        result: Option<tree::TypeId>,
    ) -> Signature {
        let ast = self.modules[self.names.module].ast;
        let list = ast.fields(params).iter().map(|&Field { name, ty }| Param {
            name: Some(name),
            sort: self.sort(ty),
        });
        let params: Vec<Param> = list.collect();
        let (result, bad) = match result.map(|ty| self.value_type(ty, "returned")) {
            None => (None, false),
            Some(ty) => (ty, ty.is_none()),
        };
        Signature {
            name: ast.text(name.symbol).to_owned(),
            params,
            result,
            span: name.span,
            bad,
        }
    }

    /// The signature of an operation or procedure of an object. It may depend on the object's constants.
    pub(super) fn member_signature(
        &mut self,
        instance: InstanceId,
        member: usize,
    ) -> Rc<Signature> {
        if let Some(signature) = self.versions.members.get(&(instance, member)) {
            return signature.clone();
        }
        let object = self.instances[instance.index()].object;
        let module = self.objects[object.0 as usize].module;
        let within = ObjectRef {
            instance,
            indices: Vec::new(),
        };
        let names = std::mem::replace(&mut self.names, Names::new(module, Some(within)));
        let signature = Rc::new(match self.member_kind(object, member) {
            MemberKind::Op(op) => self.make_signature(op.name, op.params, op.result),
            MemberKind::Proc(proc) => self.make_signature(proc.name, proc.params, proc.result),
            other => unreachable!("{other:?} has no signature"),
        });
        self.names = names;
        self.versions
            .members
            .insert((instance, member), signature.clone());
        signature
    }
}
