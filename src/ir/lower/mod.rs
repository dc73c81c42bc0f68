//! The builders of programs that every front end uses.
//!
//! [`Builder`] makes expressions: it shares leaves, folds constants, and makes the conditions of run-time checks.
//! [`Lower`] makes statements in the order of execution. It emits the
//! statements that a value needs before the statement that uses the value.
//! It keeps a value that may change in a temporary. Each front end decides what the expressions of its language mean.

pub mod build;

use std::borrow::Cow;

use crate::{Block, ChoiceKind, ExprId, Local, LocalId, Place, StmtKind, TypeId, Types};
use base::source::Span;

use build::Builder;

/// The procedure under construction.
pub struct Making<'a> {
    /// The program around it.
    pub build: &'a mut Builder,
    pub locals: &'a mut Vec<Local>,
    pub block: &'a mut Block,
    /// The source of the statement that is being lowered.
    pub span: &'a mut Span,
}

/// A front end that is making a procedure.
pub trait Lower: Sized {
    /// Access to the procedure under construction.
    fn making(&mut self) -> Making<'_>;

    /// The locals so far.
    fn locals(&self) -> &[Local];

    /// A local for an intermediate value. No other code uses it before the current statement is lowered.
    fn temporary(&mut self, ty: TypeId) -> LocalId;

    /// Appends a statement, with the current place in the source.
    fn emit(&mut self, kind: StmtKind) {
        let making = self.making();
        making.block.push(kind.at(*making.span));
    }

    /// Runs `act` with another current place in the source.
    fn at<T>(&mut self, span: Span, act: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(self.making().span, span);
        let done = act(self);
        *self.making().span = outer;
        done
    }

    /// Returns the statements that `fill` emits as a block of their own.
    fn in_block<T>(&mut self, fill: impl FnOnce(&mut Self) -> T) -> (Block, T) {
        let outer = std::mem::take(self.making().block);
        let result = fill(self);
        let mut block = std::mem::replace(self.making().block, outer);
        block.shrink_to_fit();
        (block, result)
    }

    /// Emits the statements of `act` under a condition.
    fn when<T>(&mut self, cond: ExprId, act: impl FnOnce(&mut Self) -> T) -> T {
        let (block, result) = self.in_block(act);
        self.emit(StmtKind::If(cond, block, Block::new()));
        result
    }

    /// Emits the statements of `act` under the negation of a condition.
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

    /// Keeps a value in a temporary, unless it is constant: later statements do not change it.
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

    /// Returns a temporary with any value of a type.
    fn any(&mut self, ty: TypeId) -> ExprId {
        let local = self.temporary(ty);
        self.any_of(local)
    }

    /// A truth value that is chosen freely; traces show the choice under `name`.
    fn chance(&mut self, name: &'static str) -> ExprId {
        let local = self.local(name, Types::BOOL, false);
        self.any_of(local)
    }

    /// Gives a local any value and reads it.
    fn any_of(&mut self, local: LocalId) -> ExprId {
        let place = self.local_place(local);
        self.emit(StmtKind::Havoc(place, ChoiceKind::User));
        self.read_local(local)
    }
}
