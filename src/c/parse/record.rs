//! `struct`, `union` and `enum`.

use super::{Parsed, Parser};
use crate::token::Tok;
use crate::tree::{Attributes, Base, EnumSpec, Enumerator, List, Member, Name, RecordSpec, SpecId};

impl Parser<'_> {
    /// `struct tag { … }`
    pub(super) fn record(&mut self) -> Parsed<Base> {
        let (start, from) = (self.here(), self.now.token.from);
        let is_union = self.tok() == Tok::Union;
        self.advance();
        let mut attributes = Attributes::default();
        self.attributes(&mut attributes)?;
        let tag = self.tag()?;
        let mut pack = 0;
        let members = if self.eat(Tok::LBrace) {
            let members = self.deeper(Self::members)?;
            // As in gcc, the `#pragma pack` at the end of a record counts for all its members.
            pack = self.now.token.pack;
            self.advance();
            self.attributes(&mut attributes)?;
            Some(members)
        } else {
            None
        };
        if tag.is_none() && members.is_none() {
            return Err(self.expected("a tag or `{`"));
        }
        let span = self.since(start);
        let at_top = members.is_some() && self.scopes.count() == 0;
        let shape = at_top.then(|| self.lexer.shape(from, self.end));
        let id = self.tree.records(RecordSpec {
            is_union,
            tag,
            members,
            attributes,
            pack,
            shape,
            span,
        });
        Ok(Base::Record(id))
    }

    fn tag(&mut self) -> Parsed<Option<Name>> {
        if self.tok() == Tok::Ident {
            self.name("a tag").map(Some)
        } else {
            Ok(None)
        }
    }

    fn members(&mut self) -> Parsed<List<Member>> {
        let mut members = Vec::new();
        while self.tok() != Tok::RBrace {
            if self.tok() == Tok::End {
                return Err(self.expected("`}`"));
            }
            if self.eat(Tok::Semi) {
                continue;
            }
            let scopes = self.scopes.count();
            if self.member(&mut members).is_err() {
                self.scopes.close_to(scopes);
                self.skip_statement();
            }
        }
        Ok(self.tree.list(members))
    }

    /// `int a, *b, c : 3;`
    fn member(&mut self, members: &mut Vec<Member>) -> Parsed<()> {
        if self.tok() == Tok::StaticAssert {
            self.static_assert()?;
            return Ok(());
        }
        let start = self.here();
        let specs = self.specifiers(false)?;
        if matches!(self.tok(), Tok::Semi | Tok::RBrace) {
            members.push(Member {
                specs,
                declarator: None,
                bits: None,
                attributes: Attributes::default(),
                span: self.since(start),
            });
        } else {
            self.member_declarators(specs, members)?;
        }
        // Compilers only warn of a missing `;` before `}`.
        if self.tok() == Tok::RBrace {
            return Ok(());
        }
        self.semicolon("a member")
    }

    fn member_declarators(&mut self, specs: SpecId, members: &mut Vec<Member>) -> Parsed<()> {
        loop {
            let start = self.here();
            let mut attributes = Attributes::default();
            self.attributes(&mut attributes)?;
            let declarator = if self.tok() == Tok::Colon {
                None
            } else {
                Some(self.declarator(true)?)
            };
            let bits = if self.eat(Tok::Colon) {
                Some(self.conditional()?)
            } else {
                None
            };
            self.attributes(&mut attributes)?;
            members.push(Member {
                specs,
                declarator,
                bits,
                attributes,
                span: self.since(start),
            });
            if !self.eat(Tok::Comma) {
                return Ok(());
            }
        }
    }

    /// `enum tag { A, B = 2 }`
    pub(super) fn enumeration(&mut self) -> Parsed<Base> {
        let start = self.here();
        self.advance();
        let mut attributes = Attributes::default();
        self.attributes(&mut attributes)?;
        let tag = self.tag()?;
        let mut underlying = None;
        // In a structure, a number behind the `:` is the width of a bit-field.
        if self.tok() == Tok::Colon && self.type_follows() {
            self.advance();
            underlying = Some(self.deeper(|p| p.specifiers(false))?);
        }
        let members = if self.eat(Tok::LBrace) {
            let members = self.enumerators()?;
            self.attributes(&mut attributes)?;
            Some(members)
        } else {
            None
        };
        if tag.is_none() && members.is_none() {
            return Err(self.expected("a tag or `{`"));
        }
        let span = self.since(start);
        let id = self.tree.enums(EnumSpec {
            tag,
            underlying,
            members,
            attributes,
            span,
        });
        Ok(Base::Enum(id))
    }

    fn enumerators(&mut self) -> Parsed<List<Enumerator>> {
        let mut members = Vec::new();
        while self.tok() != Tok::RBrace {
            let name = self.name("the name of an enumerator")?;
            self.attributes(&mut Attributes::default())?;
            let value = if self.eat(Tok::Assign) {
                Some(self.conditional()?)
            } else {
                None
            };
            self.scopes.declare(name.symbol, false);
            members.push(Enumerator { name, value });
            if !self.eat(Tok::Comma) {
                break;
            }
        }
        self.expect(Tok::RBrace, "`,` or `}`")?;
        Ok(self.tree.list(members))
    }
}
