//! Interned names: a name is compared, copied and hashed as a number.

use rustc_hash::FxHashMap;

/// An interned name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Symbol(pub u32);

/// The table of names.
#[derive(Clone, Debug, Default)]
pub struct Interner {
    ids: FxHashMap<Box<str>, Symbol>,
    texts: Vec<Box<str>>,
}

impl Interner {
    /// The symbol of a text, new or known.
    pub fn intern(&mut self, text: &str) -> Symbol {
        if let Some(&id) = self.ids.get(text) {
            return id;
        }
        let id = Symbol(u32::try_from(self.texts.len()).expect("fewer names than bytes of source"));
        self.texts.push(text.into());
        self.ids.insert(text.into(), id);
        id
    }

    /// The symbol of a text that is known.
    #[must_use]
    pub fn get(&self, text: &str) -> Option<Symbol> {
        self.ids.get(text).copied()
    }

    /// A symbol's text.
    #[must_use]
    pub fn resolve(&self, symbol: Symbol) -> &str {
        &self.texts[symbol.0 as usize]
    }
}
