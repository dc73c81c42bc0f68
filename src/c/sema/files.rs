//! What the files of a program have in common: names with external linkage, and types that are declared alike.

use rustc_hash::{FxHashMap, FxHashSet};

use super::Sema;
use super::scope::Binding;
use crate::tree::{self, DeclKind, Derivation, Name, RecordSpec, Tree};
use crate::typed::{Callee, ExprKind, FunctionId, VarId};
use crate::types::{EnumId, Field, IntKind, Record, RecordId, TypeId};
use ast::symbol::Symbol;
use base::diagnostic::Diagnostic;
use base::source::Span;

/// The key by which a record at the top of one file is found again in another file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Key {
    /// With a tag: the tag, whether it is a union, and its shape. The shape is missing where no single definition is known.
    Tagged(Symbol, bool, Option<u64>),
    /// Without a tag, in a `typedef` or a record with a tag: its number there, and its shape. Its place may differ by file.
    Named(Around, usize, u64),
    /// Any other without a tag: its place, its shape, and its number there, because a macro may define several at one place.
    Untagged(Span, u64, usize),
}

/// The surroundings of a record without a tag: the name that a `typedef` makes, or the tag and the shape of a record.
type Around = (Symbol, Option<u64>);

/// The tag, the members and the type of an enum.
type EnumKey = (Option<Symbol>, Vec<(Symbol, i128)>, IntKind);

/// The files of a program.
#[derive(Debug, Default)]
pub(super) struct Files {
    external: FxHashMap<Symbol, Binding>,
    /// The file that is read, from 1.
    now: usize,
    /// Names of this file alone.
    internal: FxHashSet<Symbol>,
    /// For each file: how it writes the records that have tags.
    shapes: Vec<FxHashMap<Symbol, u64>>,
    records: FxHashMap<Key, RecordId>,
    /// By record: the file that defined it last. By function: the file that defined it first, and the shape of its body.
    defined: FxHashMap<RecordId, usize>,
    bodies: FxHashMap<FunctionId, (usize, u64)>,
    /// Variables whose initialiser comes from a weak definition. `weak_functions` are those whose body does.
    pub weak: FxHashSet<VarId>,
    weak_functions: FxHashSet<FunctionId>,
    /// The `typedef` or the record that is read, and how many records without a tag it has so far.
    pub around: Option<(Around, usize)>,
    /// How many records without a tag this file has so far, by place and shape.
    untagged: FxHashMap<(Span, u64), usize>,
    enums: FxHashMap<EnumKey, EnumId>,
}

impl Files {
    pub fn new(tree: &Tree) -> Self {
        let tagged = |r: &RecordSpec| Some((r.tag?.symbol, r.shape?));
        let shapes = tree.files().map(|(_, records)| {
            let all = records.iter().filter_map(tagged);
            all.collect()
        });
        Self {
            shapes: shapes.collect(),
            ..Self::default()
        }
    }

    pub fn begin(&mut self) {
        self.now += 1;
        self.internal.clear();
        self.untagged.clear();
    }

    /// Notes that a name does not belong to this file alone.
    pub fn is_shared(&mut self, symbol: Symbol) {
        self.internal.remove(&symbol);
    }

    /// The meaning in all files of a name with external linkage.
    pub fn external(&self, symbol: Symbol) -> Option<Binding> {
        self.external.get(&symbol).copied()
    }

    fn key(&mut self, spec: &RecordSpec) -> Option<Key> {
        let Some(tag) = spec.tag else {
            let shape = spec.shape?;
            if let Some((around, nth)) = &mut self.around {
                *nth += 1;
                return Some(Key::Named(*around, *nth, shape));
            }
            let nth = self.untagged.entry((spec.span, shape)).or_default();
            *nth += 1;
            return Some(Key::Untagged(spec.span, shape, *nth));
        };
        let own = self.shapes[self.now - 1].get(&tag.symbol);
        let mut all = self.shapes.iter().filter_map(|s| s.get(&tag.symbol));
        let shape = own.copied().or_else(|| {
            // A file that does not define the record means the definition of the others, if they agree.
            let one = *all.next()?;
            all.all(|&other| other == one).then_some(one)
        });
        Some(Key::Tagged(tag.symbol, spec.is_union, shape))
    }
}

/// Whether a place lies in one of these texts.
fn lies_in(texts: &[Span], place: Span) -> bool {
    let within = |text: &Span| (text.start..text.end).contains(&place.start);
    texts.iter().any(within)
}

/// The names of functions, all over the program.
#[derive(Debug)]
pub(super) struct Functions {
    /// Functions that the program defines, and not only our headers.
    own: FxHashSet<Symbol>,
    /// Functions that are declared or called, and that neither the program nor our headers define.
    undefined: FxHashSet<Symbol>,
}

impl Functions {
    pub fn of(tree: &Tree, ours: &[Span]) -> Self {
        let declared = tree.declarators.iter().filter_map(|d| {
            let is_function = matches!(tree[d.steps].first(), Some(Derivation::Function { .. }));
            d.name.filter(|_| is_function)
        });
        let called = tree.exprs.iter().filter_map(|e| match e.kind {
            tree::ExprKind::Call(callee, _) => match tree[callee].kind {
                tree::ExprKind::Name(symbol) => Some(symbol),
                _ => None,
            },
            _ => None,
        });
        let defined = tree.items.iter().filter_map(|&item| match tree[item].kind {
            DeclKind::Function { declarator, .. } => tree[declarator].name,
            _ => None,
        });
        let defined: Vec<Name> = defined.collect();
        let own = defined.iter().filter(|name| !lies_in(ours, name.span));
        let own = own.map(|name| name.symbol).collect();
        let defined: FxHashSet<Symbol> = defined.iter().map(|name| name.symbol).collect();
        let all = declared.map(|name| name.symbol).chain(called);
        let undefined = all.filter(|symbol| !defined.contains(symbol)).collect();
        Self { own, undefined }
    }
}

impl Sema<'_> {
    fn is_ours(&self, span: Span) -> bool {
        lies_in(&self.ours, span)
    }

    /// Whether the program declares or calls a function whose name begins so, and does not define it.
    pub(super) fn uses_library(&self, prefix: &str) -> bool {
        let mut all = self.functions.undefined.iter();
        all.any(|&symbol| self.text(symbol).starts_with(prefix))
    }

    /// Whether a function of our headers is called by its name, which the program defines nowhere.
    pub(super) fn calls_ours(&self, call: tree::ExprId) -> bool {
        let tree = self.tree;
        let tree::ExprKind::Call(callee, _) = tree[call].kind else {
            return false;
        };
        let tree::ExprKind::Name(symbol) = tree[callee].kind else {
            return false;
        };
        let Some(Binding::Function(function)) = self.scopes.name(symbol) else {
            return false;
        };
        self.is_our_function(function)
    }

    /// Whether a function is one of our headers, and the program defines none of its name.
    pub(super) fn is_our_function(&self, function: FunctionId) -> bool {
        let own = &self.unit[function];
        self.is_ours(own.span) && !self.functions.own.contains(&own.name)
    }

    /// Whether a function of our headers gives way to one of the program: to a definition, or to a declaration with another type.
    pub(super) fn gives_way(
        &self,
        known: Binding,
        (name, ty): (Name, TypeId),
        defines: bool,
    ) -> bool {
        let Binding::Function(before) = known else {
            return false;
        };
        let before = &self.unit[before];
        let replaces = defines && before.body.is_some() || !self.same(before.ty, ty);
        replaces && !before.implicit && self.is_ours(before.span) && !self.is_ours(name.span)
    }

    /// Lets calls of an alias of this file reach the function that the alias names.
    pub(super) fn replace_aliases(&mut self) {
        for (alias, name) in std::mem::take(&mut self.aliases) {
            match self.known(name, false) {
                Some(Binding::Function(own))
                    if self.same(self.unit[own].ty, self.unit[alias].ty) =>
                {
                    self.replaced.push((alias, own));
                }
                _ => {
                    let message = format!("{} is no function of this type", self.quoted(name));
                    self.error("alias", self.unit[alias].span, message);
                }
            }
        }
    }

    /// Makes calls reach the program's functions that replace ours, also before they are defined and in other files.
    pub(super) fn replace_ours(&mut self) {
        let mut all = std::mem::take(&mut self.replaced);
        for (_, own) in all.clone() {
            let (name, ty) = (self.unit[own].name, self.unit[own].ty);
            if self.files.external(name) != Some(Binding::Function(own)) {
                continue;
            }
            let others = (0..).zip(&self.unit.functions);
            let others = others.filter(|(_, f)| f.name == name && self.is_ours(f.span));
            let others = others.filter(|(_, f)| self.same(f.ty, ty));
            all.extend(others.map(|(at, _)| (FunctionId(at), own)));
        }
        if all.is_empty() {
            return;
        }
        let all: FxHashMap<FunctionId, FunctionId> = all.into_iter().collect();
        for e in &mut self.unit.exprs {
            if let ExprKind::Call(Callee::Direct(called), _) | ExprKind::Function(called) =
                &mut e.kind
                && let Some(&own) = all.get(called)
                && !lies_in(&self.ours, e.span)
            {
                *called = own;
            }
        }
    }

    /// The meaning that a name with linkage already has, unless it is declared for this file alone.
    pub(super) fn known(&self, symbol: Symbol, is_static: bool) -> Option<Binding> {
        let elsewhere = || self.files.external(symbol).filter(|_| !is_static);
        self.linked.get(&symbol).copied().or_else(elsewhere)
    }

    /// Declares a name with linkage.
    pub(super) fn link(&mut self, symbol: Symbol, binding: Binding, is_static: bool) {
        self.linked.insert(symbol, binding);
        if is_static {
            self.files.internal.insert(symbol);
        }
        if !self.files.internal.contains(&symbol) {
            self.files.external.insert(symbol, binding);
        }
    }

    /// Returns the record that another file declares alike, or else `new`.
    pub(super) fn shared_record(&mut self, spec: &RecordSpec, new: RecordId) -> RecordId {
        if self.files.shapes.len() == 1 || !self.scopes.at_top() {
            return new;
        }
        let key = self.files.key(spec);
        key.map_or(new, |key| *self.files.records.entry(key).or_insert(new))
    }

    /// Begins the members of a record; returns the surroundings of the record.
    pub(super) fn within(&mut self, spec: &RecordSpec) -> Option<(Around, usize)> {
        let around = self.files.around;
        if let (Some(tag), true) = (spec.tag, self.scopes.at_top()) {
            self.files.around = Some(((tag.symbol, spec.shape), 0));
        }
        around
    }

    /// Returns the enum that another file declares alike, or else `id`.
    pub(super) fn shared_enum(&mut self, id: EnumId) -> EnumId {
        let own = &self.unit.types[id];
        let Some(members) = own.members.clone().filter(|_| self.scopes.at_top()) else {
            return id;
        };
        let key = (own.tag, members, own.kind);
        *self.files.enums.entry(key).or_insert(id)
    }

    /// Notes that this file defines a record; says whether it has defined the record before.
    pub(super) fn is_defined_again(&mut self, record: RecordId) -> bool {
        let now = self.files.now;
        self.files.defined.insert(record, now) == Some(now)
    }

    /// The first members in which two records differ.
    fn differ<'r>(&self, old: &'r Record, new: &'r Record) -> Option<(&'r Field, &'r Field)> {
        let fields = |r: &'r Record| r.fields.as_deref().unwrap_or_default();
        fields(old).iter().zip(fields(new)).find(|(a, b)| {
            let same = self.same(a.ty.ty, b.ty.ty) && a.ty.quals == b.ty.quals;
            let name = |n: Option<Name>| n.map(|n| n.symbol);
            !same || name(a.name) != name(b.name) || (a.offset, a.bits) != (b.offset, b.bits)
        })
    }

    /// Whether two records have the same members in the same places.
    pub(super) fn agree(&self, old: &Record, new: &Record) -> bool {
        let count = |r: &Record| r.fields.as_ref().map_or(0, |fields| fields.len());
        let whole = |r: &Record| (r.size, r.align, r.is_union, count(r));
        whole(old) == whole(new) && self.differ(old, new).is_none()
    }

    /// Complains if a record differs from the one of another file, `before`. Keeps that one, with its places in the text.
    pub(super) fn must_agree(&mut self, id: RecordId, before: Record) {
        let now = self.unit.types[id].clone();
        if self.agree(&before, &now) {
            self.unit.types.records[id.0 as usize] = before;
            return;
        }
        let differs = self.differ(&before, &now);
        let message = "a type is not in this file what it is in another one";
        let complaint = Diagnostic::error("redefined", now.span, message);
        let mut complaint = complaint.note("its text is the same; what it names is not");
        if let Some((old, new)) = differs {
            for field in [new, old] {
                let said = format!("has the type {} here", self.show_qualified(field.ty));
                complaint.related.push((field.span, said));
            }
            self.tell_apart(&mut complaint, old.ty, new.ty);
        }
        self.complaints.add(complaint);
    }

    /// Whether the body of a function is to be read. A body from a header counts once: it is `inline` or stands at the same
    /// place, and has the same text. (Preprocessed text may not say what stood in a header.)
    pub(super) fn is_new_body(
        &mut self,
        function: FunctionId,
        name: Name,
        (shape, inline, weak): (u64, bool, bool),
    ) -> bool {
        let now = self.files.now;
        let replaces = self.files.weak_functions.contains(&function) && !weak;
        if self.unit[function].body.is_none() || replaces {
            self.files.bodies.insert(function, (now, shape));
            match weak {
                true => self.files.weak_functions.insert(function),
                false => self.files.weak_functions.remove(&function),
            };
            return true;
        }
        if weak {
            return false;
        }
        let first = self.unit[function].span;
        let before = self.files.bodies.get(&function);
        let elsewhere = before.is_some_and(|&(file, _)| file != now);
        if elsewhere && (inline || first == name.span) && before.is_some_and(|&(_, b)| b == shape) {
            return false;
        }
        let message = format!("{} is defined twice", self.quoted(name.symbol));
        let mut complaint = Diagnostic::error("redefined", name.span, message);
        if elsewhere {
            complaint = complaint.note("what only one file uses is `static` there");
        }
        complaint.related.push((first, "first here".to_owned()));
        self.complaints.add(complaint);
        false
    }
}
