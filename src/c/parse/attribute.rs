//! `__attribute__`, `[[…]]`, `asm` after declarators, `_Alignas`: what changes types is kept, the rest skipped.

use super::{Parsed, Parser};
use crate::token::Tok;
use crate::tree::{Alignment, Attributes, Priority};
use base::diagnostic::Diagnostic;

impl Parser<'_> {
    /// All attributes and names for the assembler that stand here.
    pub(super) fn attributes(&mut self, into: &mut Attributes) -> Parsed<()> {
        loop {
            match self.tok() {
                Tok::Attribute => self.attribute(into)?,
                Tok::LBracket if self.begins_attributes() => self.standard_attributes(into)?,
                Tok::Asm => {
                    self.advance();
                    self.asm_brackets()?;
                }
                _ => return Ok(()),
            }
        }
    }

    /// Whether `__attribute__` or `[[` stands here.
    pub(super) fn begins_attributes(&self) -> bool {
        let both = (self.tok(), self.next_tok());
        both.0 == Tok::Attribute || both == (Tok::LBracket, Tok::LBracket)
    }

    /// `[[a, b::c(d)]]`
    fn standard_attributes(&mut self, into: &mut Attributes) -> Parsed<()> {
        self.advance();
        self.advance();
        while !matches!(self.tok(), Tok::RBracket | Tok::End) {
            if !self.eat(Tok::Comma) && !self.eat(Tok::Colon) {
                self.one_attribute(into)?;
            }
        }
        self.expect(Tok::RBracket, "`]]`")?;
        self.expect(Tok::RBracket, "`]]`")
    }

    /// `asm("name")` after a declarator, `asm` and its text at the top.
    fn asm_brackets(&mut self) -> Parsed<()> {
        if self.tok() != Tok::LParen {
            return Err(self.expected("`(` after `asm`"));
        }
        self.skip_brackets();
        Ok(())
    }

    /// `asm("…");` at the top; says whether there was one.
    pub(super) fn top_asm(&mut self) -> bool {
        if self.tok() != Tok::Asm {
            return false;
        }
        self.advance();
        if self.asm_brackets().is_err() || self.semicolon("`asm`").is_err() {
            self.skip_statement();
        }
        true
    }

    /// `__attribute__((a, b(c)))`
    fn attribute(&mut self, into: &mut Attributes) -> Parsed<()> {
        self.advance();
        self.expect(Tok::LParen, "`((` after `__attribute__`")?;
        self.expect(Tok::LParen, "`((` after `__attribute__`")?;
        while !matches!(self.tok(), Tok::RParen | Tok::End) {
            if !self.eat(Tok::Comma) {
                self.one_attribute(into)?;
            }
        }
        self.expect(Tok::RParen, "`)`")?;
        self.expect(Tok::RParen, "`)`")
    }

    /// The number in brackets behind `constructor` or `destructor`, if there is one.
    fn priority(&mut self) -> Parsed<Priority> {
        if !self.eat(Tok::LParen) || self.eat(Tok::RParen) {
            return Ok(Priority::Any);
        }
        let (number, _) = self.measured(Self::conditional)?;
        self.expect(Tok::RParen, "`)`")?;
        Ok(Priority::Numbered(number))
    }

    fn one_attribute(&mut self, into: &mut Attributes) -> Parsed<()> {
        let word = self.text().trim_matches('_');
        if self.tok().opens() {
            return Err(self.expected("the name of an attribute"));
        }
        self.advance();
        let has_value = self.tok() == Tok::LParen;
        match word {
            "packed" => into.packed = true,
            "cleanup" if has_value => {
                self.advance();
                into.cleanup = Some(self.name("a function")?);
                return self.expect(Tok::RParen, "`)`");
            }
            "ms_struct" | "scalar_storage_order" => {
                let message = format!("`{word}` is not supported");
                let refused = Diagnostic::error("unsupported", self.last, message);
                self.complaints.add(refused);
            }
            "transparent_union" => into.transparent = true,
            "weak" => into.weak = true,
            "alias" if has_value => {
                self.advance();
                into.alias = Some(self.tree.names.intern(self.text().trim_matches('"')));
                self.advance();
                return self.expect(Tok::RParen, "`)`");
            }
            "constructor" | "destructor" => {
                let priority = Some(self.priority()?);
                match word {
                    "constructor" => into.constructor = priority,
                    _ => into.destructor = priority,
                }
                return Ok(());
            }
            "aligned" if !has_value => into.aligned = Some(Alignment::Largest),
            "aligned" => {
                self.advance();
                let (value, _) = self.measured(Self::conditional)?;
                into.aligned = Some(Alignment::Bytes(value));
                return self.expect(Tok::RParen, "`)`");
            }
            "vector_size" if has_value => {
                self.advance();
                let (value, _) = self.measured(Self::conditional)?;
                into.vector = Some(value);
                return self.expect(Tok::RParen, "`)`");
            }
            "mode" if has_value => {
                self.advance();
                into.mode = Some(self.name("a mode")?.symbol);
                return self.expect(Tok::RParen, "`)`");
            }
            _ => {}
        }
        if has_value {
            self.skip_brackets();
        }
        Ok(())
    }

    pub(super) fn alignas(&mut self, into: &mut Attributes) -> Parsed<()> {
        self.advance();
        let is_type = self.type_follows();
        self.expect(Tok::LParen, "`(` after `_Alignas`")?;
        into.aligned = Some(if is_type {
            Alignment::Type(self.type_name()?)
        } else {
            Alignment::Bytes(self.conditional()?)
        });
        self.expect(Tok::RParen, "`)`")
    }
}
