//! The procedure under construction: its locals, the block that statements go to, what surrounds it.

use rustc_hash::FxHashMap;

use crate::ir::{
    Block, ExprId, Local, LocalId, LoopId, PassedObject, Place as Target, StmtKind, Type, TypeId,
};
use crate::source::Span;

use super::Checker;

/// What kind of code is under construction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Place {
    /// A procedure.
    #[default]
    Procedure,
    /// A constant expression: nothing may be emitted.
    Constant,
    /// Initial values of globals: assignments and choices only.
    Initial,
}

/// Why no task can be interrupted here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Atomic {
    /// Inside `atomic { … }`.
    Block,
    /// In the part of an `await` that runs with its test.
    Await,
    /// In an operation.
    Operation,
    /// In `finally`.
    Finally,
    /// In a procedure that is called from one of the others.
    Called,
}

impl Atomic {
    /// Where that is, in words.
    pub(super) const fn place(self) -> &'static str {
        match self {
            Self::Block | Self::Called => "inside `atomic`",
            Self::Await => "inside the body of an `await`",
            Self::Operation => "inside an operation",
            Self::Finally => "inside `finally`",
        }
    }
}

/// A loop around the code at hand.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub id: LoopId,
    pub has_break: bool,
}

/// The procedure under construction.
#[derive(Debug, Default)]
pub(super) struct Body {
    pub place: Place,
    pub locals: Vec<Local>,
    /// The parameters that are indices of arrays of objects.
    pub objects: Vec<PassedObject>,
    pub block: Block,
    pub loops: Vec<Frame>,
    pub loop_count: u32,
    pub result: Option<TypeId>,
    pub has_result_type: bool,
    /// What the lazy operators around the expression at hand have made sure of.
    pub guard: Option<ExprId>,
    /// Inside the condition of an `await` or a `when`.
    pub in_condition: bool,
    pub atomic: Option<Atomic>,
    /// The statement at hand.
    pub span: Span,
    /// Temporaries that are not in use, by type.
    free: FxHashMap<TypeId, Vec<LocalId>>,
    /// Temporaries of the statement at hand.
    used: Vec<LocalId>,
}

impl Body {
    pub(super) fn new(place: Place) -> Self {
        Self {
            place,
            ..Self::default()
        }
    }

    pub(super) fn local(&mut self, name: String, ty: TypeId, hidden: bool) -> LocalId {
        let id = LocalId::from_index(self.locals.len());
        self.locals.push(Local { name, ty, hidden });
        id
    }

    pub(super) fn new_loop(&mut self) -> LoopId {
        let id = LoopId(self.loop_count);
        self.loop_count += 1;
        id
    }

    /// A temporary that lives to the end of the statement.
    fn temp(&mut self, ty: TypeId) -> LocalId {
        let free = self.free.get_mut(&ty).and_then(Vec::pop);
        let id = free.unwrap_or_else(|| self.local(String::new(), ty, true));
        self.used.push(id);
        id
    }

    /// Ends the life of the temporaries of a statement.
    pub(super) fn release_temps(&mut self) {
        for id in self.used.drain(..) {
            self.free
                .entry(self.locals[id.index()].ty)
                .or_default()
                .push(id);
        }
    }
}

impl Checker<'_> {
    pub(super) fn emit(&mut self, kind: StmtKind) {
        let span = self.body.span;
        self.body.block.push(kind.at(span));
    }

    /// What `fill` emits, as a block of its own.
    pub(super) fn in_block<T>(&mut self, fill: impl FnOnce(&mut Self) -> T) -> (Block, T) {
        let outer = std::mem::take(&mut self.body.block);
        let result = fill(self);
        (std::mem::replace(&mut self.body.block, outer), result)
    }

    /// A temporary that lives to the end of the statement.
    pub(super) fn temp(&mut self, ty: TypeId) -> LocalId {
        self.body.temp(ty)
    }

    /// A temporary with a value.
    pub(super) fn keep(&mut self, value: ExprId) -> ExprId {
        let ty = self.build.ty(value);
        let temp = self.temp(ty);
        self.assign_local(temp, value);
        self.build.local(temp, ty)
    }

    pub(super) fn assign_local(&mut self, local: LocalId, value: ExprId) {
        let place = self.local_place(local);
        self.emit(StmtKind::Assign(place, value));
    }

    pub(super) fn local_place(&self, local: LocalId) -> Target {
        Target::local(local, self.body.locals[local.index()].ty)
    }

    pub(super) fn read_local(&mut self, local: LocalId) -> ExprId {
        let ty = self.body.locals[local.index()].ty;
        self.build.local(local, ty)
    }

    /// Whether a value of that type can be made without a choice: no part is anything but a task.
    pub(super) fn only_tasks(&self, ty: TypeId) -> bool {
        match self.build.types().get(ty) {
            Type::Task => true,
            Type::Array(_, t) | Type::Map(_, t) => self.only_tasks(*t),
            _ => false,
        }
    }
}
