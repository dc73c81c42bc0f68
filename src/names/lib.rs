//! The meaning of names, for an editor: every name of a text, with its declaration and its type.
//!
//! This is no second checker. It reads the tree as far as there is one, complains about
//! nothing, and leaves open what it cannot tell, so that it works while a user types.
//! The rules of scope are those of `check::names`; a test compares both on every example.

mod body;
mod items;
pub mod language;
mod types;
pub mod unused;

use std::ops::Range;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};

use rustc_hash::FxHashMap;

use ast::parser::parse;
use ast::symbol::Symbol;
use ast::tree::{Ast, FieldList, TypeId};
use base::source::{SourceFile, SourceMap, Span};
use check::{LIBRARIES, uses};
use compile::modules;

use language::Origin;

pub use types::{Ty, View};

/// A declaration's number in its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DeclId(pub u32);

/// A declaration, in the program or in the library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// In the text at hand, or in a file that it uses.
    Here(DeclId),
    Library(DeclId),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Kind {
    Const,
    Type,
    Field,
    Member,
    Global,
    Proc,
    Object,
    ObjectParam,
    /// A parameter of an object type that is a type.
    TypeParam,
    State,
    Op,
    Param,
    Var,
    Let,
    For,
    ClaimArg,
}

impl Kind {
    /// Whether it is known in a block only.
    #[must_use]
    pub fn is_local(self) -> bool {
        matches!(
            self,
            Self::Param | Self::Var | Self::Let | Self::For | Self::ClaimArg
        )
    }
}

#[derive(Clone, Debug)]
pub struct Decl {
    pub kind: Kind,
    pub name: Span,
    pub whole: Span,
    /// The type of the value, of a procedure's result, or the type that is named.
    pub ty: Ty,
    /// The parameters of a procedure, operation or object type.
    pub params: FieldList,
    /// The object type, record or enum that it belongs to, as the number of its declaration.
    pub owner: Option<DeclId>,
    /// Where the name can stand alone; `None` for a name that can only stand behind a dot.
    pub scope: Option<Span>,
    /// A procedure or operation up to its body or the end of its guard; for other declarations the same as `whole`.
    pub head: Span,
}

/// A name where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Occurrence {
    pub span: Span,
    /// The declaration that it means, if that is known.
    pub target: Option<Target>,
}

/// All declarations and names of a text.
#[derive(Debug, Default)]
pub struct Index {
    pub decls: Vec<Decl>,
    /// The names, in the order of the text.
    pub occurrences: Vec<Occurrence>,
    types: FxHashMap<Symbol, DeclId>,
    values: FxHashMap<Symbol, DeclId>,
    procs: FxHashMap<Symbol, DeclId>,
    /// Parameters and state of object types: what their code can name.
    slots: FxHashMap<(DeclId, Symbol), DeclId>,
    /// Parameters of object types that are types, and where they are known.
    type_params: Vec<(Span, Symbol, DeclId)>,
    /// Operations and procedures of object types.
    members: FxHashMap<(DeclId, Symbol), DeclId>,
    /// Fields and members of written types, by where their names begin.
    parts: FxHashMap<u32, DeclId>,
    /// The types of values before dots, by where the name behind the dot begins.
    bases: FxHashMap<u32, Ty>,
    /// The types that `type T = …` names.
    aliases: FxHashMap<DeclId, TypeId>,
}

impl Index {
    #[must_use]
    pub fn decl(&self, id: DeclId) -> &Decl {
        &self.decls[id.0 as usize]
    }

    /// The type of the value before a dot, by where the name behind the dot begins.
    #[must_use]
    pub fn before_dot(&self, start: u32) -> Option<&Ty> {
        self.bases.get(&start)
    }

    /// The name at an offset, or the one that ends there.
    #[must_use]
    pub fn at(&self, offset: u32) -> Option<Occurrence> {
        let after = self.occurrences.partition_point(|o| o.span.start <= offset);
        let found = self.occurrences[..after].last()?;
        (offset <= found.span.end).then_some(*found)
    }
}

/// A text with everything that an editor asks about it.
#[derive(Debug)]
pub struct Module {
    /// The text, followed by the texts of the files that it uses.
    pub text: Arc<str>,
    /// The tree of all of them.
    pub ast: Ast,
    pub index: Index,
    /// The parts of the library that they use.
    library: Option<&'static Module>,
    /// The files: first that of the text itself.
    sources: SourceMap,
    /// Where the text comes from: other files are looked for from there.
    origin: Origin,
}

/// The parts of the library that a tree uses, as one text. Each combination is read once.
fn library_of(ast: &Ast) -> Option<&'static Module> {
    static READ: [OnceLock<Module>; 1 << LIBRARIES.len()] =
        [const { OnceLock::new() }; 1 << LIBRARIES.len()];
    let used = LIBRARIES.map(|library| uses(ast, &library));
    let parts = LIBRARIES.iter().zip(used).filter(|(_, used)| *used);
    let text: String = parts.map(|(library, _)| library.text).collect();
    let number = used.iter().fold(0, |n, &used| 2 * n + usize::from(used));
    let read = || Module::with(text.into(), &Origin::unnamed(), false);
    (number > 0).then(|| READ[number].get_or_init(read))
}

impl Module {
    /// Reads a text that uses no other file. Needs a big stack.
    #[must_use]
    pub fn read(text: Arc<str>) -> Self {
        Self::with(text, &Origin::unnamed(), true)
    }

    /// Reads a text and the files that it uses. Needs a big stack.
    #[must_use]
    pub fn read_from(origin: &Origin, text: Arc<str>) -> Self {
        Self::with(text, origin, true)
    }

    /// Reads another text in the place of this one.
    #[must_use]
    pub fn again(&self, text: &str) -> Self {
        Self::with(text.into(), &self.origin, true)
    }

    fn with(text: Arc<str>, origin: &Origin, may_import: bool) -> Self {
        let mut sources = SourceMap::new();
        // A text that is too large for the map is parsed, but no place in it counts as its own.
        let added = sources.add(origin.name.as_str(), text.clone());
        let ast = match (added, origin.folder()) {
            (Ok(start), Some(folder)) => modules::follow(start, Some(folder), &mut sources).ast,
            _ => parse(&text, 0).0,
        };
        let all = match sources.files() {
            [_, _, ..] => joined(sources.files()).into(),
            _ => text,
        };
        let library = library_of(&ast).filter(|_| may_import);
        let index = items::Reader::new(&ast, &all, library).read();
        Self {
            text: all,
            ast,
            index,
            library,
            sources,
            origin: origin.clone(),
        }
    }

    /// Where the text comes from.
    #[must_use]
    pub fn origin(&self) -> &Origin {
        &self.origin
    }

    /// The text at hand, without the files that it uses.
    #[must_use]
    pub fn own_text(&self) -> &str {
        self.sources.files().first().map_or("", |file| &file.text)
    }

    /// Whether a place is in the text at hand.
    #[must_use]
    pub fn is_own(&self, span: Span) -> bool {
        span.end as usize <= self.own_text().len()
    }

    /// The name of the procedure with which the program begins, if the text at hand has it.
    #[must_use]
    pub fn main(&self) -> Option<Span> {
        let mut decls = self.index.decls.iter();
        let is_main = |d: &&Decl| {
            let outside = d.kind == Kind::Proc && d.owner.is_none();
            outside && self.is_own(d.name) && self.slice(d.name) == "main"
        };
        decls.find(is_main).map(|d| d.name)
    }

    /// The other file in which a place is: the path of the file, its text, and the place as a range of its bytes.
    #[must_use]
    pub fn elsewhere(&self, span: Span) -> Option<(PathBuf, &str, Range<usize>)> {
        let file = self.sources.file_of(span.start)?;
        let local = |offset: u32| (offset.saturating_sub(file.start)) as usize;
        let path = PathBuf::from(&file.name);
        (!self.is_own(span)).then(|| (path, &*file.text, local(span.start)..local(span.end)))
    }

    /// The library, if the text imports it.
    #[must_use]
    pub fn library(&self) -> Option<&'static Self> {
        self.library
    }

    /// The view that answers questions about types.
    #[must_use]
    pub fn view(&self) -> View<'_> {
        View {
            ast: &self.ast,
            index: &self.index,
            text: &self.text,
            library: self.library(),
        }
    }

    /// A declaration and the text that it stands in.
    #[must_use]
    pub fn find(&self, target: Target) -> (&Self, DeclId) {
        match target {
            Target::Here(id) => (self, id),
            Target::Library(id) => (self.library.unwrap_or(self), id),
        }
    }

    /// The text under a span.
    #[must_use]
    pub fn slice(&self, span: Span) -> &str {
        slice(&self.text, span)
    }

    #[must_use]
    pub fn name(&self, id: DeclId) -> &str {
        self.slice(self.index.decl(id).name)
    }
}

/// The texts of files in one text, each at the offset at which its spans begin.
fn joined(files: &[SourceFile]) -> String {
    let mut all = String::new();
    for file in files {
        all.extend(std::iter::repeat_n('\n', file.start as usize - all.len()));
        all.push_str(&file.text);
    }
    all
}

/// The text under a span; empty if the span is not in the text.
fn slice(text: &str, span: Span) -> &str {
    text.get(span.start as usize..span.end as usize)
        .unwrap_or("")
}

#[cfg(test)]
mod tests;
