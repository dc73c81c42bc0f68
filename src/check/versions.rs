//! Procedures of the program: one version for each use that needs code of its own.
//!
//! A procedure of the text has several versions if it is called both from
//! atomic code and from elsewhere (only the latter has preemption points), and
//! if it works on different objects. Versions are made on demand, from `main`
//! on; procedures that nothing calls are made last.

use std::collections::VecDeque;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::ast::tree::{self, Block, Field, FieldList, ItemKind, MemberKind, Name};
use crate::diagnostic::Diagnostic;
use crate::ir::{Proc, ProcId, StmtKind, TypeId, Types};
use crate::source::Span;

use super::Checker;
use super::atomicity::Notes;
use super::body::{Atomic, Body, Place};
use super::names::{Bound, Names, ObjectRef};
use super::objects::{InstanceId, ObjectId, Part};
use super::ranges;
use super::types::{ObjectSort, Sort};

/// The most versions of all procedures together.
const VERSIONS: usize = 1_000_000;
/// The most versions that objects may ask for.
const OBJECT_VERSIONS: usize = 50_000;

/// A parameter.
#[derive(Clone, Debug)]
pub(super) struct Param {
    /// A claim may leave it open.
    pub name: Option<Name>,
    pub sort: Sort,
}

/// What a call must know.
#[derive(Clone, Debug)]
pub(super) struct Signature {
    pub name: String,
    pub params: Vec<Param>,
    pub result: Option<TypeId>,
    /// Where the name is declared.
    pub span: Span,
    /// Declared wrongly, and reported.
    pub bad: bool,
}

/// A piece of code of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Code {
    Proc {
        module: u32,
        item: u32,
    },
    Member {
        object: ObjectId,
        member: u32,
        part: Part,
    },
    Finally,
}

/// A version.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Key {
    pub code: Code,
    /// The object whose operation or procedure it is.
    pub receiver: Option<InstanceId>,
    /// The objects that are passed.
    pub objects: Vec<InstanceId>,
    /// Called from atomic code.
    pub atomic: bool,
}

/// All versions.
#[derive(Debug, Default)]
pub(super) struct Versions {
    ids: FxHashMap<Key, ProcId>,
    queue: VecDeque<(Key, ProcId, Rc<Signature>)>,
    codes: FxHashSet<Code>,
    members: FxHashMap<(InstanceId, usize), Rc<Signature>>,
    /// By procedure.
    pub notes: Vec<Notes>,
    /// The procedure under construction.
    pub current: Option<ProcId>,
    for_objects: usize,
    full: bool,
}

impl Versions {
    /// Whether there is a version of a piece of code.
    pub(super) fn made(&self, code: Code) -> bool {
        self.codes.contains(&code)
    }

    /// Makes room for the notes of a procedure.
    pub(super) fn note_proc(&mut self, id: ProcId) {
        self.notes.resize(id.index() + 1, Notes::default());
    }
}

impl<'a> Checker<'a> {
    fn proc_decl(&self, module: usize, item: usize) -> &'a tree::ProcDecl {
        match &self.modules[module].ast.items[item].kind {
            ItemKind::Proc(proc) => proc,
            other => unreachable!("{other:?} is no procedure"),
        }
    }

    fn member_kind(&self, object: ObjectId, member: usize) -> &'a MemberKind {
        &self.object_decl(object).members[member].kind
    }
}

impl Checker<'_> {
    /// Lowers everything that `main` and `finally` use, then what nothing uses.
    pub(super) fn lower_bodies(&mut self) {
        self.names = Names::new(0, None);
        self.lower_main();
        if let Some(item) = self.modules[0].finally {
            let span = self.modules[0].ast.items[item].span;
            let span = Span::new(span.start, span.start + "finally".len() as u32);
            let signature = Rc::new(Signature {
                name: "finally".into(),
                params: Vec::new(),
                result: None,
                span,
                bad: false,
            });
            let key = Key {
                code: Code::Finally,
                receiver: None,
                objects: Vec::new(),
                atomic: false,
            };
            let id = self.version(key, &signature);
            self.build.program.finally = Some(id);
        }
        self.drain();
        let ast = self.modules[0].ast;
        for (item, _) in ast.items.iter().enumerate() {
            self.lower_unused(item);
        }
    }

    fn lower_main(&mut self) {
        let ast = self.modules[0].ast;
        let entry = ast
            .symbols
            .get("main")
            .and_then(|s| Some((s, self.modules[0].procs.get(&s)?.what.item)));
        let Some((symbol, item)) = entry else {
            let span = ast.items.last().map_or(Span::default(), |i| {
                Span::new(i.span.end.saturating_sub(1), i.span.end)
            });
            self.report(
                Diagnostic::error("no-main", span, "the program has no procedure `main`")
                    .note("`proc main() { … }` is the first task"),
            );
            return;
        };
        let span = self.modules[0].procs[&symbol].span;
        let signature = self.signature(Name { symbol, span });
        if !signature.params.is_empty() {
            self.report(
                Diagnostic::error("main-parameters", span, "`main` has parameters")
                    .label("nothing could pass arguments")
                    .note("`main` is the first task; a variable `var x: T;` without a value can be anything"),
            );
            return;
        }
        let key = Key {
            code: Code::Proc {
                module: 0,
                item: item as u32,
            },
            receiver: None,
            objects: Vec::new(),
            atomic: false,
        };
        self.build.program.main = self.version(key, &signature);
    }

    /// Lowers a procedure that nothing uses and that needs no objects.
    fn lower_unused(&mut self, item: usize) {
        let ItemKind::Proc(proc) = &self.modules[0].ast.items[item].kind else {
            return;
        };
        self.names = Names::new(0, None);
        let code = Code::Proc {
            module: 0,
            item: item as u32,
        };
        let mut key = Key {
            code,
            receiver: None,
            objects: Vec::new(),
            atomic: true,
        };
        if self.versions.ids.contains_key(&key) {
            return;
        }
        key.atomic = false;
        let signature = self.signature_of(proc, item);
        if !signature
            .params
            .iter()
            .any(|p| matches!(p.sort, Sort::Object(_)))
        {
            self.version(key, &signature);
            self.drain();
        }
    }

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

    pub(super) fn member_code(&self, instance: InstanceId, member: usize, part: Part) -> Code {
        Code::Member {
            object: self.instances[instance.index()].object,
            member: member as u32,
            part,
        }
    }

    /// The procedure of a version; it is lowered later.
    pub(super) fn version(&mut self, key: Key, signature: &Rc<Signature>) -> ProcId {
        if let Some(&id) = self.versions.ids.get(&key) {
            return id;
        }
        let for_objects = key.receiver.is_some() || !key.objects.is_empty();
        self.versions.for_objects += usize::from(for_objects);
        let id = ProcId(self.build.program.procs.len() as u32);
        if id.index() >= VERSIONS || self.versions.for_objects > OBJECT_VERSIONS {
            self.too_many_versions(signature);
            return ProcId(0);
        }
        self.build.program.procs.push(Proc {
            name: self.version_name(&key, signature),
            params: 0,
            locals: Vec::new(),
            result: signature.result,
            body: Vec::new(),
            loops: 0,
            span: signature.span,
        });
        self.versions.note_proc(id);
        self.versions.codes.insert(key.code);
        self.versions.ids.insert(key.clone(), id);
        self.versions.queue.push_back((key, id, signature.clone()));
        id
    }

    /// `lock` of a `Mutex` is `Mutex.lock`.
    fn version_name(&self, key: &Key, signature: &Signature) -> String {
        match key.code {
            Code::Member { object, part, .. } => {
                let suffix = match part {
                    Part::Body | Part::Claim => "",
                    Part::Enqueue => ".enqueue",
                    Part::Guard => ".when",
                };
                format!("{}.{}{suffix}", self.object_name(object), signature.name)
            }
            _ => signature.name.clone(),
        }
    }

    fn too_many_versions(&mut self, signature: &Signature) {
        if std::mem::replace(&mut self.versions.full, true) {
            return;
        }
        let message = format!(
            "`{}` and others are needed for more than {OBJECT_VERSIONS} sets of objects",
            signature.name
        );
        self.report(
            Diagnostic::error("too-many-versions", signature.span, message)
                .note("a procedure is made once for each set of objects that is passed to it"),
        );
    }

    /// Lowers all versions that are waited for, and those that they ask for.
    pub(super) fn drain(&mut self) {
        while let Some((key, id, signature)) = self.versions.queue.pop_front() {
            if self.versions.full {
                return;
            }
            self.lower_version(&key, id, &signature);
        }
    }

    fn lower_version(&mut self, key: &Key, id: ProcId, signature: &Signature) {
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

    /// The object whose code it is: its indices are hidden parameters.
    fn bind_receiver(&mut self, receiver: Option<InstanceId>) {
        self.names.object = receiver.map(|instance| self.hidden_reference(instance, 0));
    }

    /// A reference whose indices are hidden parameters, all but the last `open` ones.
    fn hidden_reference(&mut self, instance: InstanceId, open: usize) -> ObjectRef {
        let dims = self.instances[instance.index()]
            .dims
            .len()
            .saturating_sub(open);
        let indices = (0..dims)
            .map(|_| {
                let local = self.body.local(String::new(), Types::INT, true);
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
                    self.lower_claim(a, b, *condition)
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
        let errors = self.diagnostics.count();
        // The body is a block inside that of the parameters: `var x` may hide a parameter `x`.
        let falls = self.block(block);
        if !falls || !self.body.has_result_type {
            return;
        }
        if self.diagnostics.count() == errors {
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
            None => Some((Vec::new(), self.build.bool(true))),
        };
        self.nodes.clear();
        if let Some((checks, value)) = value {
            self.body.block.extend(checks);
            self.emit(StmtKind::Return(Some(value)));
        }
    }
}
