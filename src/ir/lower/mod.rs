//! What every front end lowers onto.
//!
//! [`Builder`](build::Builder) makes expressions: shared, folded, with the conditions that run-time checks ask. [`Lower`] makes
//! statements, in the order in which things happen: what has to be done for a value is emitted before the statement that needs
//! it, and a value that may change until it is needed is kept in a temporary. What a language means by its expressions is its
//! front end's.

pub mod build;

use std::borrow::Cow;

use crate::{Block, ChoiceKind, ExprId, Local, LocalId, Place, StmtKind, TypeId, Types};
use base::source::Span;

use build::Builder;

/// The procedure in the making.
pub struct Making<'a> {
    /// The program around it.
    pub build: &'a mut Builder,
    pub locals: &'a mut Vec<Local>,
    pub block: &'a mut Block,
    /// The statement of the source at hand.
    pub span: &'a mut Span,
}

/// A front end that is making a procedure.
pub trait Lower: Sized {
    /// What is being made.
    fn making(&mut self) -> Making<'_>;

    /// The locals so far.
    fn locals(&self) -> &[Local];

    /// A local for a value in between, which nobody else uses while the statement at hand is lowered.
    fn temporary(&mut self, ty: TypeId) -> LocalId;

    /// A statement, at the place in the source that is at hand.
    fn emit(&mut self, kind: StmtKind) {
        let making = self.making();
        making.block.push(kind.at(*making.span));
    }

    /// What `act` does, at another place in the source.
    fn at<T>(&mut self, span: Span, act: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(self.making().span, span);
        let done = act(self);
        *self.making().span = outer;
        done
    }

    /// What `fill` emits, as a block of its own.
    fn in_block<T>(&mut self, fill: impl FnOnce(&mut Self) -> T) -> (Block, T) {
        let outer = std::mem::take(self.making().block);
        let result = fill(self);
        let mut block = std::mem::replace(self.making().block, outer);
        block.shrink_to_fit();
        (block, result)
    }

    /// What `act` emits is run only where a condition holds.
    fn when<T>(&mut self, cond: ExprId, act: impl FnOnce(&mut Self) -> T) -> T {
        let (block, result) = self.in_block(act);
        self.emit(StmtKind::If(cond, block, Block::new()));
        result
    }

    /// What `act` emits is run only where a condition does not hold.
    fn unless<T>(&mut self, cond: ExprId, act: impl FnOnce(&mut Self) -> T) -> T {
        let (block, result) = self.in_block(act);
        self.emit(StmtKind::If(cond, Block::new(), block));
        result
    }

    fn local(&mut self, name: impl Into<Cow<'static, str>>, ty: TypeId, hidden: bool) -> LocalId {
        let name = name.into();
        Local { name, ty, hidden }.declared_in(self.making().locals)
    }

    fn local_place(&self, local: LocalId) -> Place {
        Place::local(local, self.locals()[local.index()].ty)
    }

    /// The value of a local.
    fn read_local(&mut self, local: LocalId) -> ExprId {
        let ty = self.locals()[local.index()].ty;
        self.making().build.local(local, ty)
    }

    /// Gives a local a value.
    fn assign_local(&mut self, local: LocalId, value: ExprId) {
        let place = self.local_place(local);
        self.emit(StmtKind::Assign(place, value));
    }

    /// A value as it is now, whatever is done later.
    fn keep(&mut self, value: ExprId) -> ExprId {
        let build = self.making().build;
        if build.is_constant(value) {
            return value;
        }
        let ty = build.ty(value);
        let local = self.temporary(ty);
        self.assign_local(local, value);
        self.read_local(local)
    }

    /// Any value of a type.
    fn any(&mut self, ty: TypeId) -> ExprId {
        let local = self.temporary(ty);
        self.any_of(local)
    }

    /// Whether something happens that nothing decides, under the name that a trace gives it.
    fn chance(&mut self, name: &'static str) -> ExprId {
        let local = self.local(name, Types::BOOL, false);
        self.any_of(local)
    }

    /// A local gets any value.
    fn any_of(&mut self, local: LocalId) -> ExprId {
        let place = self.local_place(local);
        self.emit(StmtKind::Havoc(place, ChoiceKind::User));
        self.read_local(local)
    }
}
