//! The declarations of a file: tables of names, and names that are declared twice.
//!
//! Types, procedures and values (variables, constants, members of enums) have a
//! table each: the syntax always tells which of them is meant.

use rustc_hash::FxHashMap;

use ast::symbol::Symbol;
use ast::{
    tree,
    tree::{Ast, ItemKind, Name, TypeKind},
};
use base::diagnostic::Diagnostic;
use base::source::Span;
use ir::{EnumType, ExprId, GlobalId, Type, TypeId};
use options::PreemptMode;

use super::Checker;
use super::LIBRARIES;
use super::constants::Const;
use super::objects::{InstanceId, ObjectId, ObjectType};
use super::types::Sort;
use super::versions::Signature;
use base::suggest::closest;

/// A constant of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ConstIndex(pub u32);

impl ConstIndex {
    pub(super) const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A variable of the program: a global or an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct VarIndex(pub u32);

impl VarIndex {
    pub(super) const fn index(self) -> usize {
        self.0 as usize
    }
}

/// What has become of a variable's declaration.
#[derive(Clone, Copy, Debug)]
pub(super) enum Var {
    Waiting,
    Global(GlobalId),
    Object(InstanceId),
    Bad,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Value {
    Const(ConstIndex),
    Member(ExprId),
    Var(VarIndex),
}

/// An entry of a table of names.
#[derive(Clone, Debug)]
pub(super) struct Entry<T> {
    pub span: Span,
    pub what: T,
}

#[derive(Clone, Debug)]
pub(super) enum TypeName {
    /// `type T = …`, not resolved yet.
    Waiting(tree::TypeId),
    Busy,
    Done(Sort),
    Object(ObjectId),
}

#[derive(Clone, Debug)]
pub(super) struct ProcItem {
    pub item: usize,
    pub signature: Option<std::rc::Rc<Signature>>,
}

pub(super) struct Module<'a> {
    pub ast: &'a Ast,
    pub types: FxHashMap<Symbol, Entry<TypeName>>,
    pub values: FxHashMap<Symbol, Entry<Value>>,
    pub procs: FxHashMap<Symbol, Entry<ProcItem>>,
    /// The type of every `enum { … }`.
    pub enums: FxHashMap<tree::TypeId, TypeId>,
    pub finally: Option<usize>,
}

impl<'a> Module<'a> {
    pub(super) fn new(ast: &'a Ast) -> Self {
        Self {
            ast,
            types: FxHashMap::default(),
            values: FxHashMap::default(),
            procs: FxHashMap::default(),
            enums: FxHashMap::default(),
            finally: None,
        }
    }
}

/// The mode that a program asks for; the first if there are several (which is reported elsewhere).
#[must_use]
pub fn preempt_mode(ast: &Ast) -> PreemptMode {
    let modes = ast.items.iter().filter_map(|item| match item.kind {
        ItemKind::Preempt(mode) => Some(mode),
        _ => None,
    });
    modes.take(1).next().unwrap_or_default()
}

impl Checker<'_> {
    /// Fills the tables of all files; the library first, because the program imports from it.
    pub(super) fn collect_items(&mut self) {
        for module in (0..self.modules.len()).rev() {
            self.names.module = module;
            self.collect_enums();
            self.collect_module();
        }
        self.import_library();
        self.check_once();
    }

    fn collect_module(&mut self) {
        let ast = self.modules[self.names.module].ast;
        for (index, item) in ast.items.iter().enumerate() {
            match &item.kind {
                ItemKind::Const(name, ty, value) => {
                    let constant = ConstIndex(self.consts.len() as u32);
                    self.consts
                        .push(Const::new(self.names.module, *name, *ty, *value));
                    self.add_value(*name, Value::Const(constant));
                }
                ItemKind::Type(name, ty) => self.add_type(*name, TypeName::Waiting(*ty)),
                ItemKind::Var(var) => self.collect_variables(ast.names(var.names)),
                ItemKind::Proc(proc) => self.add_proc(proc.name, index),
                ItemKind::Object(object) => {
                    let id = ObjectId(self.objects.len() as u32);
                    self.objects
                        .push(ObjectType::new(self.names.module, index, object));
                    self.add_type(object.name, TypeName::Object(id));
                }
                ItemKind::Finally(_) => {
                    _ = self.modules[self.names.module].finally.get_or_insert(index);
                }
                ItemKind::Error => self.diagnostics.incomplete(),
                ItemKind::Use(_) | ItemKind::UseFile(_) => {}
                ItemKind::Preempt(_) | ItemKind::Invariant(..) => {}
            }
        }
    }

    fn collect_variables(&mut self, names: &[Name]) {
        for &name in names {
            let var = VarIndex(self.vars.len() as u32);
            self.vars.push(Var::Waiting);
            self.add_value(name, Value::Var(var));
        }
    }

    fn add_value(&mut self, name: Name, what: Value) {
        let known = self.modules[self.names.module]
            .values
            .get(&name.symbol)
            .map(|e| e.span);
        if self.reserved(name) {
            return;
        }
        match known {
            Some(before) => self.duplicate(name, before, "in the program"),
            None => {
                let entry = Entry {
                    span: name.span,
                    what,
                };
                self.modules[self.names.module]
                    .values
                    .insert(name.symbol, entry);
            }
        }
    }

    fn add_type(&mut self, name: Name, what: TypeName) {
        match self.modules[self.names.module]
            .types
            .get(&name.symbol)
            .map(|e| e.span)
        {
            Some(before) => self.duplicate(name, before, "as a type"),
            None => {
                let entry = Entry {
                    span: name.span,
                    what,
                };
                self.modules[self.names.module]
                    .types
                    .insert(name.symbol, entry);
            }
        }
    }

    fn add_proc(&mut self, name: Name, item: usize) {
        match self.modules[self.names.module]
            .procs
            .get(&name.symbol)
            .map(|e| e.span)
        {
            Some(before) => self.duplicate(name, before, "as a procedure"),
            None => {
                let entry = Entry {
                    span: name.span,
                    what: ProcItem {
                        item,
                        signature: None,
                    },
                };
                self.modules[self.names.module]
                    .procs
                    .insert(name.symbol, entry);
            }
        }
    }

    /// `self` cannot be declared.
    fn reserved(&mut self, name: Name) -> bool {
        let reserved = self.text(name) == "self";
        if reserved {
            self.report(
                Diagnostic::error("duplicate-name", name.span, "`self` cannot be declared")
                    .label("`self` always is the running task"),
            );
        }
        reserved
    }

    /// Interns every enum of the file and declares its members.
    fn collect_enums(&mut self) {
        let ast = self.modules[self.names.module].ast;
        let named: FxHashMap<tree::TypeId, Name> = ast
            .items
            .iter()
            .filter_map(|item| match item.kind {
                ItemKind::Type(name, ty) => Some((ty, name)),
                _ => None,
            })
            .collect();
        for (index, node) in ast.types.iter().enumerate() {
            let TypeKind::Enum(members) = node.kind else {
                continue;
            };
            let id = tree::TypeId(index as u32);
            let name = named
                .get(&id)
                .map_or(String::new(), |n| ast.text(n.symbol).to_owned());
            self.collect_enum(id, name, ast.names(members));
        }
    }

    fn collect_enum(&mut self, id: tree::TypeId, name: String, members: &[Name]) {
        let texts = members.iter().map(|&m| self.text(m).to_owned()).collect();
        let ty = self.intern(Type::Enum(EnumType {
            name,
            members: texts,
        }));
        self.modules[self.names.module].enums.insert(id, ty);
        for (index, &member) in members.iter().enumerate() {
            let value = self.build.int(index as i128, ty);
            self.add_value(member, Value::Member(value));
        }
    }

    /// Makes the library's objects known to the program; the program's own names come first.
    fn import_library(&mut self) {
        for (index, object) in self
            .objects
            .iter()
            .enumerate()
            .filter(|(_, o)| o.module != 0)
        {
            let text = self.modules[object.module].ast.text(object.name.symbol);
            let Some(symbol) = self.modules[0].ast.symbols.get(text) else {
                continue;
            };
            let entry = Entry {
                span: object.name.span,
                what: TypeName::Object(ObjectId(index as u32)),
            };
            self.modules[0].types.entry(symbol).or_insert(entry);
        }
    }

    /// Refuses a second `preempt` or `finally`, and parts of the library that do not exist.
    fn check_once(&mut self) {
        self.names.module = 0;
        let ast = self.modules[0].ast;
        let mut first: [Option<Span>; 2] = [None; 2];
        for item in &ast.items {
            let (slot, what) = match item.kind {
                ItemKind::Preempt(_) => (0, "`preempt`"),
                ItemKind::Finally(_) => (1, "`finally`"),
                ItemKind::Use(name) => {
                    self.check_library(name);
                    continue;
                }
                _ => continue,
            };
            let Some(before) = first[slot] else {
                first[slot] = Some(item.span);
                continue;
            };
            self.report(
                Diagnostic::error("duplicate-item", item.span, format!("{what} is said twice"))
                    .related(before, "said first here"),
            );
        }
    }

    fn check_library(&mut self, name: Name) {
        let text = self.text(name);
        if LIBRARIES.iter().any(|library| library.name == text) {
            return;
        }
        let mut diagnostic = Diagnostic::error(
            "unknown-library",
            name.span,
            format!("there is no library named `{text}`"),
        )
        .label("not found");
        diagnostic = match closest(text, LIBRARIES.iter().map(|library| library.name)) {
            Some(near) => diagnostic.did_you_mean(near),
            None => diagnostic
                .note("the parts of the library are `sync`, `async` and `time`")
                .note(format!(
                    "a file is used by its name: `use \"{text}.async\";`"
                )),
        };
        self.report(diagnostic);
    }
}
