//! Which names are types, here and now.

use ast::symbol::Symbol;

/// The scopes of names, as far as the parser needs them.
#[derive(Debug, Default)]
pub(super) struct Scopes {
    /// By symbol: whether the name is a type.
    is_type: Vec<bool>,
    /// The names that declarations in open scopes have changed, each with its meaning before.
    hidden: Vec<(Symbol, bool)>,
    /// How many changes there were when each open scope began.
    open: Vec<usize>,
}

impl Scopes {
    /// Whether a name is a type.
    pub fn is_type(&self, symbol: Symbol) -> bool {
        self.is_type
            .get(symbol.0 as usize)
            .copied()
            .unwrap_or(false)
    }

    /// Declares a name, as a type or as something else.
    pub fn declare(&mut self, symbol: Symbol, is_type: bool) {
        let before = self.is_type(symbol);
        if before == is_type {
            return;
        }
        if !self.open.is_empty() {
            self.hidden.push((symbol, before));
        }
        let index = symbol.0 as usize;
        if self.is_type.len() <= index {
            self.is_type.resize(index + 1, false);
        }
        self.is_type[index] = is_type;
    }

    pub fn open(&mut self) {
        self.open.push(self.hidden.len());
    }

    /// Ends the innermost scope.
    pub fn close(&mut self) {
        let Some(length) = self.open.pop() else {
            return;
        };
        while self.hidden.len() > length {
            let Some((symbol, before)) = self.hidden.pop() else {
                return;
            };
            self.is_type[symbol.0 as usize] = before;
        }
    }

    /// Ends all scopes but that of the file.
    pub fn close_all(&mut self) {
        self.close_to(0);
    }

    /// How many scopes are open.
    pub fn count(&self) -> usize {
        self.open.len()
    }

    /// Ends scopes until `count` are open.
    pub fn close_to(&mut self, count: usize) {
        while self.open.len() > count {
            self.close();
        }
    }
}
