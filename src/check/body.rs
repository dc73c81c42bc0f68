//! The procedure under construction: its locals, the block that statements go to, and the code around it.

use std::borrow::Cow;

use rustc_hash::FxHashMap;

use base::source::Span;
use ir::lower::{Lower, Making};
use ir::{Block, ExprId, Local, LocalId, LoopId, PassedObject, Type, TypeId};

use super::Checker;

/// The kind of code that is under construction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Place {
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
    Operation,
    Finally,
    /// In a procedure that atomic code calls.
    Called,
}

impl Atomic {
    /// The place of the atomic code, in words.
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
    /// The condition that the lazy operators around the current expression guarantee.
    pub guard: Option<ExprId>,
    /// Whether the code at hand is the condition of an `await` or a `when`.
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

    pub(super) fn local(
        &mut self,
        name: impl Into<Cow<'static, str>>,
        ty: TypeId,
        hidden: bool,
    ) -> LocalId {
        let id = LocalId::from_index(self.locals.len());
        let name = name.into();
        self.locals.push(Local { name, ty, hidden });
        id
    }

    pub(super) fn new_loop(&mut self) -> LoopId {
        let id = LoopId(self.loop_count);
        self.loop_count += 1;
        id
    }

    /// A temporary that lives to the end of the statement.
    fn temporary(&mut self, ty: TypeId) -> LocalId {
        let free = self.free.get_mut(&ty).and_then(Vec::pop);
        let id = free.unwrap_or_else(|| self.local("", ty, true));
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

impl Lower for Checker<'_> {
    fn making(&mut self) -> Making<'_> {
        Making {
            build: &mut self.build,
            locals: &mut self.body.locals,
            block: &mut self.body.block,
            span: &mut self.body.span,
        }
    }

    fn locals(&self) -> &[Local] {
        &self.body.locals
    }

    /// The temporary lives to the end of the statement.
    fn temporary(&mut self, ty: TypeId) -> LocalId {
        self.body.temporary(ty)
    }
}

impl Checker<'_> {
    /// Whether a value of that type can be made without a choice: all its parts are tasks.
    pub(super) fn only_tasks(&self, ty: TypeId) -> bool {
        match self.build.types().get(ty) {
            Type::Task => true,
            Type::Array(_, t) | Type::Map(_, t) => self.only_tasks(*t),
            _ => false,
        }
    }
}
