//! Interned names: a name is compared, copied and hashed as a number.

use base::interned::Interned;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Symbol(pub u32);

/// The table of names.
#[derive(Clone, Debug, Default)]
pub struct Interner(Interned<Box<str>>);

impl Interner {
    /// The symbol of a text, new or known.
    pub fn intern(&mut self, text: &str) -> Symbol {
        Symbol(self.0.intern_copy(text))
    }

    /// The symbol of a text that is known.
    #[must_use]
    pub fn get(&self, text: &str) -> Option<Symbol> {
        self.0.known(text).map(Symbol)
    }

    #[must_use]
    pub fn resolve(&self, symbol: Symbol) -> &str {
        self.0.get(symbol.0)
    }
}
