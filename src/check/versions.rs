//! Procedures of the program: one version for each use that needs code of its own.
//!
//! A procedure of the text has several versions if it is called both from
//! atomic code and from elsewhere (only the latter has preemption points), and
//! if it works on different objects. Versions are made on demand, from `main`
//! on; procedures that nothing calls are made last.

use std::collections::VecDeque;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use ast::{
    tree,
    tree::{ItemKind, MemberKind, Name},
};
use base::diagnostic::Diagnostic;
use base::source::Span;
use ir::{Proc, ProcId, TypeId};

use super::Checker;
use super::atomicity::Notes;
use super::names::Names;
use super::objects::{InstanceId, ObjectId, Part};
use super::types::Sort;

/// The most versions of all procedures together.
const VERSIONS: usize = 1_000_000;
/// The most versions that are made for certain objects.
const OBJECT_VERSIONS: usize = 50_000;

#[derive(Clone, Debug)]
pub(super) struct Param {
    /// `None` where a claim does not name it.
    pub name: Option<Name>,
    pub sort: Sort,
}

/// The facts about a procedure that a call needs.
#[derive(Clone, Debug)]
pub(super) struct Signature {
    pub name: String,
    pub params: Vec<Param>,
    pub result: Option<TypeId>,
    /// Where the name is declared.
    pub span: Span,
    /// Whether it is declared wrongly, and reported.
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

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Key {
    pub code: Code,
    /// The object to which the operation or procedure belongs.
    pub receiver: Option<InstanceId>,
    /// The objects that are passed as arguments.
    pub objects: Vec<InstanceId>,
    /// Whether atomic code calls it.
    pub atomic: bool,
}

#[derive(Debug, Default)]
pub(super) struct Versions {
    ids: FxHashMap<Key, ProcId>,
    queue: VecDeque<(Key, ProcId, Rc<Signature>)>,
    codes: FxHashSet<Code>,
    pub members: FxHashMap<(InstanceId, usize), Rc<Signature>>,
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
    pub(super) fn proc_decl(&self, module: usize, item: usize) -> &'a tree::ProcDecl {
        match &self.modules[module].ast.items[item].kind {
            ItemKind::Proc(proc) => proc,
            other => unreachable!("{other:?} is no procedure"),
        }
    }

    pub(super) fn member_kind(&self, object: ObjectId, member: usize) -> &'a MemberKind {
        &self.object_decl(object).members[member].kind
    }
}

impl Checker<'_> {
    /// Lowers everything that `main` and `finally` use, then the unused procedures.
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
                    .note("`proc main() { … }` is the first task")
                    .note("a file without it is checked with a program that uses it: `use \"file.async\";`"),
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
        let id = ProcId::from_index(self.build.program.procs.len());
        if id.index() >= VERSIONS || self.versions.for_objects > OBJECT_VERSIONS {
            self.too_many_versions(signature);
            return ProcId(0);
        }
        self.build.program.procs.push(Proc {
            name: self.version_name(&key, signature),
            result: signature.result,
            span: signature.span,
            ..Proc::default()
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
}
