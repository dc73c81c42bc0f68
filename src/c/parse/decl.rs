//! Declarations: words, declarators, initialisers, functions.

use super::{Parsed, Parser, Stop, literal};
use crate::headers;
use crate::token::Tok;
use crate::tree::{
    Attributes, Base, DeclId, DeclKind, Declaration, DeclaratorId, Derivation, Designator, ExprId,
    ExprKind, Init, InitDeclarator, InitId, InitItem, InitKind, List, Name, Quals, SpecId,
    Specifiers, Storage, UnaryOp, Words,
};
use base::diagnostic::Diagnostic;
use base::source::Span;

/// Types of C23 that are named in a complaint.
const UNSUPPORTED: [&str; 5] = [
    "_BitInt",
    "_Decimal32",
    "_Decimal64",
    "_Decimal128",
    "_Imaginary",
];

impl Parser<'_> {
    /// A declaration; at the top it may be a function's definition.
    pub(super) fn declaration(&mut self, top: bool) -> Parsed<DeclId> {
        self.declaration_after(Attributes::default(), top)
    }

    /// Reads a declaration behind its attributes.
    pub(super) fn declaration_after(&mut self, before: Attributes, top: bool) -> Parsed<DeclId> {
        if self.tok() == Tok::StaticAssert {
            return self.static_assert();
        }
        let start = self.here();
        let specs = self.specifiers_after(before, top)?;
        if self.eat(Tok::Semi) {
            let kind = DeclKind::Plain(specs, List::default());
            return Ok(self.add(kind, start));
        }
        let declarator = self.declarator(true)?;
        let mut attributes = Attributes::default();
        self.attributes(&mut attributes)?;
        let is_function = matches!(
            self.tree[self.tree[declarator].steps].first(),
            Some(Derivation::Function { .. })
        );
        self.declare(specs, declarator);
        if is_function && (self.tok() == Tok::LBrace || top && self.begins_old_params()) {
            if !top {
                return Err(self.expected("`;`: a function cannot be defined in a function"));
            }
            return self.function(start, specs, declarator, attributes);
        }
        let declared = self.init_declarators(specs, declarator, attributes)?;
        self.semicolon("a declaration")?;
        let list = self.tree.list(declared);
        Ok(self.add(DeclKind::Plain(specs, list), start))
    }

    fn add(&mut self, kind: DeclKind, start: Span) -> DeclId {
        let span = self.since(start);
        self.tree.decls(Declaration { kind, span })
    }

    /// Declares the name of a declarator in the innermost scope.
    fn declare(&mut self, specs: SpecId, declarator: DeclaratorId) {
        let is_type = self.tree[specs].storage == Storage::Typedef;
        if let Some(name) = self.tree[declarator].name {
            self.scopes.declare(name.symbol, is_type);
        }
    }

    fn init_declarators(
        &mut self,
        specs: SpecId,
        first: DeclaratorId,
        mut attributes: Attributes,
    ) -> Parsed<Vec<InitDeclarator>> {
        let mut declared = Vec::new();
        let mut declarator = first;
        loop {
            let init = if self.eat(Tok::Assign) {
                Some(self.initializer()?)
            } else {
                None
            };
            let cleanup = (attributes.cleanup).or(self.tree[specs].attributes.cleanup);
            let cleanup = cleanup.zip(self.tree[declarator].name);
            let cleanup = cleanup.map(|(function, of)| self.call_with_address(function, of));
            declared.push(InitDeclarator {
                declarator,
                init,
                attributes,
                cleanup: cleanup.transpose()?,
            });
            if !self.eat(Tok::Comma) {
                return Ok(declared);
            }
            attributes = Attributes::default();
            self.attributes(&mut attributes)?;
            declarator = self.declarator(true)?;
            self.attributes(&mut attributes)?;
            self.declare(specs, declarator);
        }
    }

    /// `function(&variable)`
    fn call_with_address(&mut self, function: Name, variable: Name) -> Parsed<ExprId> {
        let [function_name, variable] = [function, variable].map(|n| ExprKind::Name(n.symbol));
        let at = function.span;
        let callee = self.expr(function_name, at)?;
        let place = self.expr(variable, at)?;
        let address = self.expr(ExprKind::Unary(UnaryOp::Address, place), at)?;
        let args = self.tree.list([address]);
        self.expr(ExprKind::Call(callee, args), at)
    }

    /// `_Static_assert(e, "…");`
    pub(super) fn static_assert(&mut self) -> Parsed<DeclId> {
        let start = self.here();
        self.advance();
        self.expect(Tok::LParen, "`(` after `_Static_assert`")?;
        let condition = self.conditional()?;
        if self.eat(Tok::Comma) {
            while self.tok() == Tok::Text {
                self.advance();
            }
        }
        self.expect(Tok::RParen, "`)`")?;
        self.semicolon("`_Static_assert`")?;
        Ok(self.add(DeclKind::Assert(condition), start))
    }

    /// Whether declarations of the parameters follow, as in old C.
    fn begins_old_params(&self) -> bool {
        self.tok().begins_type() || self.tok() == Tok::Register || self.is_type_name()
    }

    fn function(
        &mut self,
        start: Span,
        specs: SpecId,
        declarator: DeclaratorId,
        attributes: Attributes,
    ) -> Parsed<DeclId> {
        let mut old = Vec::new();
        while self.tok() != Tok::LBrace && self.begins_old_params() {
            old.push(self.declaration(false)?);
        }
        let old_params = self.tree.list(old);
        self.scopes.open();
        self.declare_params(declarator);
        let from = self.now.token.from;
        let body = self.block();
        let shape = self.lexer.shape(from, self.end);
        self.scopes.close();
        let kind = DeclKind::Function {
            specs,
            declarator,
            old_params,
            attributes,
            shape,
            body: body?,
        };
        Ok(self.add(kind, start))
    }

    /// Declares the names of the parameters: in the body they hide types of the same name.
    fn declare_params(&mut self, declarator: DeclaratorId) {
        let steps = self.tree[declarator].steps;
        if let Some(&Derivation::Function { params, .. }) = self.tree[steps].first() {
            for i in 0..params.len() {
                let declarator = self.tree[params][i].declarator;
                if let Some(name) = self.tree[declarator].name {
                    self.scopes.declare(name.symbol, false);
                }
            }
        }
    }

    /// `static const unsigned long`; without any word only where `int` may be meant.
    pub(super) fn specifiers(&mut self, may_be_missing: bool) -> Parsed<SpecId> {
        self.specifiers_after(Attributes::default(), may_be_missing)
    }

    fn specifiers_after(&mut self, attributes: Attributes, may_be_missing: bool) -> Parsed<SpecId> {
        let start = self.here();
        let mut specs = Specifiers {
            base: Base::Missing,
            quals: Quals::default(),
            storage: Storage::None,
            thread_local: false,
            inline: false,
            fixed: false,
            auto: false,
            attributes,
            span: start,
        };
        let from = self.now.token.from;
        while self.specifier(&mut specs)? {}
        let nothing = self.now.token.from == from;
        if nothing && !(may_be_missing && matches!(self.tok(), Tok::Ident | Tok::Star)) {
            return Err(self.no_type());
        }
        if specs.base == Base::Missing && self.is_unknown_type() {
            return Err(self.no_type());
        }
        // `auto x = e;`
        let begins = (self.tok(), self.next_tok()) == (Tok::Ident, Tok::Assign);
        if specs.base == Base::Missing && specs.auto && begins {
            specs.base = Base::Auto;
        }
        specs.span = self.since(start);
        Ok(self.tree.specs(specs))
    }

    /// Whether a name stands where only a type can: another name follows it.
    pub(super) fn is_unknown_type(&self) -> bool {
        self.tok() == Tok::Ident && self.next_tok() == Tok::Ident
    }

    fn no_type(&mut self) -> Stop {
        if self.tok() == Tok::Ident {
            let name = literal::name(self.text());
            let message = format!("unknown type {}", literal::short(&name));
            let complaint = Diagnostic::error("syntax", self.here(), message);
            self.complain_of(headers::advise(complaint, &name));
            Stop
        } else {
            self.expected("a type")
        }
    }

    /// Reads a specifier; says whether there was one.
    fn specifier(&mut self, specs: &mut Specifiers) -> Parsed<bool> {
        match self.tok() {
            Tok::Typedef => specs.storage = Storage::Typedef,
            Tok::Extern => specs.storage = Storage::Extern,
            Tok::Static => specs.storage = Storage::Static,
            Tok::Auto | Tok::Register => {
                specs.auto |= self.tok() == Tok::Auto;
                if specs.storage == Storage::None {
                    specs.storage = Storage::Auto;
                }
            }
            Tok::Inline => specs.inline = true,
            Tok::ThreadLocal => specs.thread_local = true,
            Tok::Const => specs.quals.constant = true,
            Tok::Constexpr => (specs.quals.constant, specs.fixed) = (true, true),
            Tok::Volatile => specs.quals.volatile = true,
            Tok::Atomic if self.next_tok() != Tok::LParen => specs.quals.atomic = true,
            Tok::Attribute | Tok::LBracket if self.begins_attributes() => {
                self.attributes(&mut specs.attributes)?;
                return Ok(true);
            }
            Tok::Alignas => {
                self.alignas(&mut specs.attributes)?;
                return Ok(true);
            }
            Tok::Ident if UNSUPPORTED.contains(&self.text()) => {
                let message = format!("the type `{}` is not supported", self.text());
                self.complain_of(Diagnostic::error("unsupported", self.here(), message));
                return Err(Stop);
            }
            Tok::Ident => return Ok(self.named_type(specs)),
            _ => return self.base(specs),
        }
        self.advance();
        Ok(true)
    }

    fn named_type(&mut self, specs: &mut Specifiers) -> bool {
        let found = specs.base == Base::Missing && self.is_type_name();
        if found && let Ok(name) = self.name("a type") {
            specs.base = Base::Named(name);
        }
        found
    }

    /// A type by itself, or one of the words of an arithmetic type.
    fn base(&mut self, specs: &mut Specifiers) -> Parsed<bool> {
        let here = self.here();
        let base = match self.tok() {
            Tok::Struct | Tok::Union => self.record()?,
            Tok::Enum => self.enumeration()?,
            Tok::Typeof | Tok::TypeofUnqual => self.type_of()?,
            Tok::Atomic => self.atomic_type()?,
            Tok::AutoType => {
                self.advance();
                Base::Auto
            }
            _ => return Ok(self.word(specs)),
        };
        if specs.base != Base::Missing {
            self.complain(here, "two types in one declaration");
        }
        specs.base = base;
        Ok(true)
    }

    fn word(&mut self, specs: &mut Specifiers) -> bool {
        let mut words = match specs.base {
            Base::Missing => Words::default(),
            Base::Words(words) => words,
            _ => return false,
        };
        let count = match self.tok() {
            Tok::Void => &mut words.void,
            Tok::Bool => &mut words.boolean,
            Tok::CharWord => &mut words.char,
            Tok::Short => &mut words.short,
            Tok::Int => &mut words.int,
            Tok::Int128 => &mut words.int128,
            Tok::Long => &mut words.long,
            Tok::Signed => &mut words.signed,
            Tok::Unsigned => &mut words.unsigned,
            Tok::Float => &mut words.float,
            Tok::Double => &mut words.double,
            Tok::Float128 => &mut words.float128,
            Tok::Complex => &mut words.complex,
            _ => return false,
        };
        *count = count.saturating_add(1);
        specs.base = Base::Words(words);
        self.advance();
        true
    }

    fn type_of(&mut self) -> Parsed<Base> {
        let qualified = self.tok() == Tok::Typeof;
        self.advance();
        let is_type = self.type_follows();
        self.expect(Tok::LParen, "`(` after `typeof`")?;
        let base = self.deeper(|p| {
            Ok(if is_type {
                Base::TypeofType(p.type_name()?, qualified)
            } else {
                Base::TypeofExpr(p.expression()?, qualified)
            })
        })?;
        self.expect(Tok::RParen, "`)`")?;
        Ok(base)
    }

    fn atomic_type(&mut self) -> Parsed<Base> {
        self.advance();
        self.expect(Tok::LParen, "`(`")?;
        let ty = self.deeper(Self::type_name)?;
        self.expect(Tok::RParen, "`)`")?;
        Ok(Base::Atomic(ty))
    }

    /// `e` or `{ … }`
    pub(super) fn initializer(&mut self) -> Parsed<InitId> {
        let start = self.here();
        let kind = if self.tok() == Tok::LBrace {
            InitKind::List(self.deeper(Self::init_list)?)
        } else {
            InitKind::Value(self.assignment()?)
        };
        let span = self.since(start);
        Ok(self.tree.inits(Init { kind, span }))
    }

    fn init_list(&mut self) -> Parsed<List<InitItem>> {
        self.advance();
        let mut items = Vec::new();
        while self.tok() != Tok::RBrace {
            let designators = self.designation()?;
            let init = self.initializer()?;
            items.push(InitItem { designators, init });
            if !self.eat(Tok::Comma) {
                break;
            }
        }
        self.expect(Tok::RBrace, "`,` or `}`")?;
        Ok(self.tree.list(items))
    }

    /// `.a[1] =`, or the old `a:`
    fn designation(&mut self) -> Parsed<List<Designator>> {
        if self.tok() == Tok::Ident && self.next_tok() == Tok::Colon {
            let name = self.name("a field")?;
            self.advance();
            return Ok(self.tree.list([Designator::Field(name)]));
        }
        let steps = self.designators()?;
        if steps.is_empty() {
            return Ok(List::default());
        }
        self.expect(Tok::Assign, "`=`")?;
        Ok(self.tree.list(steps))
    }

    /// `.a[1]`, as far as it goes
    pub(super) fn designators(&mut self) -> Parsed<Vec<Designator>> {
        let mut steps = Vec::new();
        loop {
            if self.eat(Tok::Dot) {
                steps.push(Designator::Field(self.name("a field")?));
            } else if self.eat(Tok::LBracket) {
                let first = self.conditional()?;
                steps.push(if self.eat(Tok::Ellipsis) {
                    Designator::Range(first, self.conditional()?)
                } else {
                    Designator::Index(first)
                });
                self.expect(Tok::RBracket, "`]`")?;
            } else {
                return Ok(steps);
            }
        }
    }
}
