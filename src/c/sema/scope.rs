//! What names and tags mean, here and now.

use crate::typed::{FunctionId, VarId};
use crate::types::{EnumId, QualType, RecordId, TypeId};
use ast::symbol::Symbol;

/// The meaning of a name.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Binding {
    Variable(VarId),
    Function(FunctionId),
    Typedef(QualType),
    /// A member of an enum: its value and type.
    Constant(i128, TypeId),
}

/// The meaning of a tag.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Tag {
    Record(RecordId),
    Enum(EnumId),
}

/// Something with the level of the scope that declared it; 0 is the file's.
type Leveled<T> = Option<(T, usize)>;

/// One sort of names.
#[derive(Debug)]
struct Space<T> {
    now: Vec<Leveled<T>>,
    hidden: Vec<(Symbol, Leveled<T>)>,
    open: Vec<usize>,
}

impl<T: Copy> Space<T> {
    fn new() -> Self {
        Self {
            now: Vec::new(),
            hidden: Vec::new(),
            open: Vec::new(),
        }
    }

    fn get(&self, symbol: Symbol) -> Leveled<T> {
        self.now.get(symbol.0 as usize).copied().flatten()
    }

    fn set(&mut self, symbol: Symbol, value: T) {
        let index = symbol.0 as usize;
        if self.now.len() <= index {
            self.now.resize(index + 1, None);
        }
        let level = self.open.len();
        let before = self.now[index].replace((value, level));
        if level > 0 && before.is_none_or(|(_, l)| l < level) {
            self.hidden.push((symbol, before));
        }
    }

    fn close(&mut self) {
        let length = self.open.pop().unwrap_or(0);
        for (symbol, before) in self.hidden.drain(length..).rev() {
            self.now[symbol.0 as usize] = before;
        }
    }
}

/// All scopes that are open.
#[derive(Debug)]
pub(super) struct Scopes {
    names: Space<Binding>,
    tags: Space<Tag>,
}

impl Scopes {
    pub fn new() -> Self {
        Self {
            names: Space::new(),
            tags: Space::new(),
        }
    }

    pub fn open(&mut self) {
        self.names.open.push(self.names.hidden.len());
        self.tags.open.push(self.tags.hidden.len());
    }

    pub fn close(&mut self) {
        self.names.close();
        self.tags.close();
    }

    /// Whether the innermost scope is the file's.
    pub fn at_top(&self) -> bool {
        self.names.open.is_empty()
    }

    pub fn name(&self, symbol: Symbol) -> Option<Binding> {
        self.names.get(symbol).map(|(binding, _)| binding)
    }

    /// The meaning that the innermost scope itself gives to a name.
    pub fn own_name(&self, symbol: Symbol) -> Option<Binding> {
        let (binding, level) = self.names.get(symbol)?;
        (level == self.names.open.len()).then_some(binding)
    }

    pub fn declare(&mut self, symbol: Symbol, binding: Binding) {
        self.names.set(symbol, binding);
    }

    pub fn tag(&self, symbol: Symbol) -> Option<Tag> {
        self.tags.get(symbol).map(|(tag, _)| tag)
    }

    pub fn own_tag(&self, symbol: Symbol) -> Option<Tag> {
        let (tag, level) = self.tags.get(symbol)?;
        (level == self.tags.open.len()).then_some(tag)
    }

    pub fn declare_tag(&mut self, symbol: Symbol, tag: Tag) {
        self.tags.set(symbol, tag);
    }

    /// All names that mean something here, with their meaning.
    pub fn visible(&self) -> impl Iterator<Item = (Symbol, Binding)> {
        let all = (0..).map(Symbol).zip(&self.names.now);
        all.filter_map(|(symbol, meaning)| Some((symbol, meaning.as_ref()?.0)))
    }
}
