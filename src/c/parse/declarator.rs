//! The parts around a declared name, and names of types.

use super::{Parsed, Parser};
use crate::token::Tok;
use crate::tree::{
    Attributes, Base, Declarator, DeclaratorId, Derivation, List, Name, Param, Quals, SpecId,
    Specifiers, TypeName, TypeNameId,
};
use ast::MAX_DEPTH;
use base::source::Span;

/// A declarator that is being read.
#[derive(Default)]
struct Draft {
    name: Option<Name>,
    steps: Vec<Derivation>,
}

impl Parser<'_> {
    /// `*name[3]`, `(*name)(int)`; the name may be missing unless `needs_name` is set.
    pub(super) fn declarator(&mut self, needs_name: bool) -> Parsed<DeclaratorId> {
        let start = self.here();
        let mut draft = Draft::default();
        self.declarator_into(&mut draft, needs_name)?;
        if draft.steps.len() > MAX_DEPTH {
            return Err(self.too_deep(start));
        }
        let span = self.since(start);
        let steps = self.tree.list(draft.steps);
        Ok(self.tree.declarators(Declarator {
            name: draft.name,
            steps,
            span,
        }))
    }

    fn declarator_into(&mut self, draft: &mut Draft, needs_name: bool) -> Parsed<()> {
        let mut pointers = Vec::new();
        loop {
            self.attributes(&mut Attributes::default())?;
            if !self.eat(Tok::Star) {
                break;
            }
            pointers.push(Derivation::Pointer(self.qualifiers()?));
        }
        // After the specifiers a name is the declared name, even if it is the name of a type elsewhere.
        if self.tok() == Tok::Ident {
            draft.name = Some(self.name("a name")?);
        } else if self.tok() == Tok::LParen && (needs_name || !self.params_follow()) {
            self.advance();
            self.deeper(|p| p.declarator_into(draft, needs_name))?;
            self.expect(Tok::RParen, "`)`")?;
        } else if needs_name {
            return Err(self.expected("a name"));
        }
        self.suffixes(draft)?;
        draft.steps.extend(pointers.into_iter().rev());
        Ok(())
    }

    /// Whether the `(` to be read begins parameters, not a declarator in brackets.
    fn params_follow(&self) -> bool {
        self.next_tok() == Tok::RParen || self.type_follows() || self.next_tok() == Tok::Register
    }

    fn qualifiers(&mut self) -> Parsed<Quals> {
        let mut quals = Quals::default();
        loop {
            match self.tok() {
                Tok::Const => quals.constant = true,
                Tok::Volatile => quals.volatile = true,
                Tok::Atomic => quals.atomic = true,
                Tok::Attribute => {
                    self.attributes(&mut Attributes::default())?;
                    continue;
                }
                _ => return Ok(quals),
            }
            self.advance();
        }
    }

    /// `[3]`, `(int x)` after a name.
    fn suffixes(&mut self, draft: &mut Draft) -> Parsed<()> {
        loop {
            match self.tok() {
                Tok::LBracket => {
                    let step = self.deeper(Self::array)?;
                    draft.steps.push(step);
                }
                Tok::LParen => {
                    let step = self.deeper(Self::params)?;
                    draft.steps.push(step);
                }
                // The program declares a function whose name is a macro of our headers.
                Tok::ByTypes => {
                    self.advance();
                    self.skip_brackets();
                }
                _ => return Ok(()),
            }
        }
    }

    fn array(&mut self) -> Parsed<Derivation> {
        let start = self.here();
        self.advance();
        // `static` and qualifiers speak of parameters only, and change nothing.
        while matches!(self.tok(), Tok::Static | Tok::Const | Tok::Volatile) {
            self.advance();
        }
        if self.tok() == Tok::Star && self.next_tok() == Tok::RBracket {
            self.advance();
            self.advance();
            return Ok(Derivation::AnyLength(self.since(start)));
        }
        let length = if self.tok() == Tok::RBracket {
            None
        } else {
            Some(self.assignment()?)
        };
        self.expect(Tok::RBracket, "`]`")?;
        Ok(Derivation::Array(length, self.since(start)))
    }

    /// `(int x, char *y, ...)`
    fn params(&mut self) -> Parsed<Derivation> {
        self.advance();
        if self.eat(Tok::RParen) {
            return Ok(Derivation::Function {
                params: List::default(),
                variadic: false,
                prototype: false,
            });
        }
        let names_only = self.tok() == Tok::Ident
            && !self.is_type_name()
            && matches!(self.next_tok(), Tok::Comma | Tok::RParen);
        self.scopes.open();
        let list = if names_only {
            self.bare_names()
        } else {
            self.typed_params()
        };
        self.scopes.close();
        let (params, variadic) = list?;
        let params = self.tree.list(params);
        Ok(Derivation::Function {
            params,
            variadic,
            prototype: !names_only,
        })
    }

    fn typed_params(&mut self) -> Parsed<(Vec<Param>, bool)> {
        let mut params = Vec::new();
        loop {
            if self.eat(Tok::Ellipsis) {
                self.expect(Tok::RParen, "`)` after `...`")?;
                return Ok((params, true));
            }
            let specs = self.specifiers(false)?;
            let declarator = self.declarator(false)?;
            self.attributes(&mut Attributes::default())?;
            if let Some(name) = self.tree[declarator].name {
                self.scopes.declare(name.symbol, false);
            }
            params.push(Param { specs, declarator });
            if !self.eat(Tok::Comma) {
                self.expect(Tok::RParen, "`,` or `)`")?;
                return Ok((params, false));
            }
        }
    }

    /// `(a, b)` of old C: types come later, or `int` is meant.
    fn bare_names(&mut self) -> Parsed<(Vec<Param>, bool)> {
        let mut params = Vec::new();
        loop {
            let name = self.name("a parameter")?;
            params.push(self.bare_param(name));
            if !self.eat(Tok::Comma) {
                self.expect(Tok::RParen, "`,` or `)`")?;
                return Ok((params, false));
            }
        }
    }

    fn bare_param(&mut self, name: Name) -> Param {
        let specs = self.no_words(name.span);
        let declarator = self.tree.declarators(Declarator {
            name: Some(name),
            steps: List::default(),
            span: name.span,
        });
        Param { specs, declarator }
    }

    fn no_words(&mut self, span: Span) -> SpecId {
        self.tree.specs(Specifiers {
            base: Base::Missing,
            quals: Quals::default(),
            storage: crate::tree::Storage::None,
            thread_local: false,
            inline: false,
            fixed: false,
            auto: false,
            attributes: Attributes::default(),
            span,
        })
    }

    /// `const char *[3]`
    pub(super) fn type_name(&mut self) -> Parsed<TypeNameId> {
        let start = self.here();
        let specs = self.specifiers(false)?;
        let declarator = self.declarator(false)?;
        let span = self.since(start);
        if let Some(name) = self.tree[declarator].name {
            self.complain(name.span, "expected a type without a name");
            return Err(super::Stop);
        }
        Ok(self.tree.type_names(TypeName {
            specs,
            declarator,
            span,
        }))
    }
}
