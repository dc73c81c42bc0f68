//! Expressions whose values are not used. Lowers their effects. Says which expressions have none.

use super::{Lowered, Lowerer, refuse};
use base::source::Span;
use c::typed::{Builtin, Callee, Conversion, ExprId as CExprId, ExprKind as C, Lifetime, shown};
use c::types::Library;
use c_memory::Object;
use ir::lower::Lower;
use ir::{Behind, StmtKind};

impl Lowerer<'_> {
    /// Lowers an expression for its effects, and drops its value.
    pub(super) fn effect(&mut self, e: CExprId) -> Lowered<()> {
        let unit = self.unit;
        let span = unit[e].span;
        let outer = self.body.span;
        if span != Span::default() {
            self.body.span = span;
        }
        match &unit[e].kind {
            C::Convert(Conversion::Void, of) => self.effect(*of)?,
            // A thread's handle becomes a number, which a program may print.
            C::Convert(_, of) if unit.types.library(unit[*of].ty.ty) == Some(Library::Thread) => {
                self.effect(*of)?;
            }
            // `assert(c)`
            C::Conditional(c, a, b) if !self.acts(*a) && self.fails(*b) => {
                self.claim_as(*c, self.said(*b))?;
            }
            C::Conditional(c, a, b) => {
                let cond = self.condition(*c)?;
                let (yes, ()) = self.apart(|l| l.effect(*a))?;
                let (no, ()) = self.apart(|l| l.effect(*b))?;
                self.emit(StmtKind::If(cond, yes, no));
            }
            C::Comma(l, r) => {
                self.effect(*l)?;
                self.effect(*r)?;
            }
            C::Call(callee, args) => {
                self.call(e, *callee, &unit[*args])?;
            }
            C::Atomic(op, orders, operands) => {
                self.atomic((*op, *orders), &unit[*operands], unit[e].ty.ty, span)?;
            }
            C::Block(statements, value) => {
                self.statement(*statements)?;
                if let Some(value) = value {
                    self.effect(*value)?;
                }
            }
            C::Assign(to, from) if self.unit.types.record(unit[e].ty.ty).is_some() => {
                self.copy(*to, *from, span)?;
            }
            C::Builtin(Builtin::Trap, _) => self.end_program(),
            C::Builtin(Builtin::Unreachable, _) => {
                let what = "`__builtin_unreachable` is reached, after which anything may happen";
                self.unknown(what.to_owned(), Behind::Error);
            }
            C::Builtin(builtin, operands) if *builtin != Builtin::VaArg => {
                self.change_list(*builtin, &unit[*operands], span)?;
            }
            _ if self.is_void(unit[e].ty.ty) => return refuse(span, "this expression is"),
            // The expression only reads, and the read cannot be observed.
            _ if !self.acts(e) && self.names_only(e) => {}
            _ => match self.place_without_address(e) {
                Some(place) => {
                    self.place(place)?;
                }
                None => {
                    self.value(e)?;
                }
            },
        }
        self.body.span = outer;
        Ok(())
    }

    /// Returns the place to which an unused value points, if the place has no address. Then only indices and initial values matter.
    fn place_without_address(&self, e: CExprId) -> Option<CExprId> {
        match self.unit[self.unconverted(e)].kind {
            C::Decay(of) | C::AddressOf(of) if self.has_no_address(of) => Some(of),
            _ => None,
        }
    }

    /// Whether a place is a part of a named variable that no pointer reaches.
    fn has_no_address(&self, place: CExprId) -> bool {
        match self.unit[place].kind {
            C::Var(id) | C::Literal(id) => self.memory.area(Object::Variable(id)).is_none(),
            C::Member(of, _) => self.has_no_address(of),
            C::Index(row, _) => match self.unit[row].kind {
                C::Decay(of) => self.has_no_address(of),
                _ => false,
            },
            _ => false,
        }
    }

    /// Whether an expression is a call of `__assert_fail`.
    fn fails(&self, e: CExprId) -> bool {
        match &self.unit[e].kind {
            C::Call(Callee::Direct(function), _) => {
                self.unit.name(self.unit[*function].name) == "__assert_fail"
            }
            C::Convert(Conversion::Void, of) => self.fails(*of),
            _ => false,
        }
    }

    /// Returns the condition that a call of `__assert_fail` names.
    fn said(&self, e: CExprId) -> Option<String> {
        match &self.unit[e].kind {
            C::Call(_, args) => {
                let text = self.literal(*self.unit[*args].first()?)?;
                Some(shown(&text))
            }
            C::Convert(Conversion::Void, of) => self.said(*of),
            _ => None,
        }
    }

    /// Whether other threads may see a named place. A variable that no file defines counts as unseen.
    fn is_shared(&self, place: CExprId) -> bool {
        match self.unit[place].kind {
            C::Var(id) => {
                let variable = &self.unit[id];
                let elsewhere = self.is_defined_nowhere(id);
                let local = matches!(variable.lifetime, Lifetime::Local | Lifetime::Param);
                !elsewhere && (!local || self.memory.area(Object::Variable(id)).is_some())
            }
            C::Member(of, _) => self.is_shared(of),
            _ => true,
        }
    }

    /// The index, if a place is an element of `argv`.
    pub(super) fn argument(&self, place: CExprId) -> Option<CExprId> {
        let (argv, index) = match self.unit[place].kind {
            C::Index(argv, index) => (argv, index),
            _ => return None,
        };
        let C::Load(variable) = self.unit[argv].kind else {
            return None;
        };
        let own =
            matches!(self.unit[variable].kind, C::Var(id) if self.arguments_of_main == Some(id));
        (own && !self.acts(index)).then_some(index)
    }

    /// Whether an expression only names a local variable, a text or an address: then reading it cannot be observed.
    pub(super) fn names_only(&self, e: CExprId) -> bool {
        match &self.unit[e].kind {
            C::Var(_) | C::Text(_) | C::Int(_) | C::Float(_) | C::Function(_) => true,
            C::Load(e) if self.argument(*e).is_some() => true,
            C::Load(e) => self.names_only(*e) && !self.is_shared(*e),
            C::AddressOf(e) | C::Decay(e) | C::Member(e, _) | C::Convert(_, e) => {
                self.names_only(*e)
            }
            _ => false,
        }
    }
}
