//! What atomic statements order: the memory orders of C11.

use std::fmt::{self, Display};

use base::source::Span;

use super::{Local, Place, Program, Root, Stmt, StmtKind, walk};

/// A memory order of C11.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum MemoryOrder {
    Relaxed,
    Consume,
    Acquire,
    Release,
    AcqRel,
    SeqCst,
}

impl MemoryOrder {
    /// Indexed by the numbers of the orders in C.
    pub const ALL: [Self; 6] = [
        Self::Relaxed,
        Self::Consume,
        Self::Acquire,
        Self::Release,
        Self::AcqRel,
        Self::SeqCst,
    ];

    /// Whether a read comes after everything before the write that it reads from. Compilers treat consume as acquire.
    #[must_use]
    pub fn acquires(self) -> bool {
        !matches!(self, Self::Relaxed | Self::Release)
    }

    /// Whether everything before a write with this order also comes before the reads of its value.
    #[must_use]
    pub fn releases(self) -> bool {
        matches!(self, Self::Release | Self::AcqRel | Self::SeqCst)
    }

    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Relaxed => "relaxed",
            Self::Consume => "consume",
            Self::Acquire => "acquire",
            Self::Release => "release",
            Self::AcqRel => "acq_rel",
            Self::SeqCst => "seq_cst",
        }
    }
}

/// How an atomic statement orders tasks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Order {
    /// Like a lock: the statement comes after all earlier ones that conflict with it.
    Whole,
    /// Like [`Order::Whole`], but C11 does not know it: an atomic section.
    Foreign,
    /// An access to a `volatile` variable, taken as atomic. It orders threads like [`Order::Foreign`], but no processor's stores.
    Volatile,
    /// The memory order of an operation, and its order where it writes nothing.
    Named(MemoryOrder, MemoryOrder),
}

impl Order {
    pub const SEQ_CST: Self = Self::Named(MemoryOrder::SeqCst, MemoryOrder::SeqCst);

    /// Whether executions need not be sequentially consistent where such statements race.
    #[must_use]
    pub fn is_weak(self) -> bool {
        self != Self::Whole && self != Self::SEQ_CST
    }

    /// Whether C11 does not know such statements.
    #[must_use]
    pub fn is_foreign(self) -> bool {
        matches!(self, Self::Foreign | Self::Volatile)
    }

    /// Where an operation of one step changes a local variable of the program, if it is a fence on processors: it also reads the
    /// variable, or is `seq_cst`.
    #[must_use]
    pub fn fence_on_local(
        self,
        program: &Program,
        locals: &[Local],
        block: &[Stmt],
    ) -> Option<Span> {
        let Self::Named(order, _) = self else {
            return None;
        };
        let mut own = None;
        walk::each(block, &mut |stmt| {
            if let Some(Root::Local(local)) = walk::written(stmt).map(|place| place.root)
                && !locals[local.index()].hidden
            {
                own = Some((Root::Local(local), stmt.span));
            }
        });
        let (own, at) = own?;
        let reads = walk::any(block, |stmt| {
            let is = &mut |root| root == own;
            (walk::exprs(stmt).iter()).any(|&e| walk::reads(program, e, is))
        });
        (reads || order == MemoryOrder::SeqCst).then_some(at)
    }

    /// In a word: the order where the statement writes. If that is `seq_cst`, the order where it writes nothing.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Whole => "whole",
            Self::Foreign | Self::Volatile => "none of C11",
            Self::Named(MemoryOrder::SeqCst, failed) => failed.name(),
            Self::Named(order, _) => order.name(),
        }
    }
}

impl Display for Order {
    /// Writes the order as it stands behind `atomic`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Whole => Ok(()),
            Self::Foreign => f.write_str(" foreign"),
            Self::Volatile => f.write_str(" volatile"),
            Self::Named(order, failed) if order == failed => write!(f, " {}", order.name()),
            Self::Named(order, failed) => write!(f, " {} or {}", order.name(), failed.name()),
        }
    }
}

/// The atomic statements of a program that are weaker than `seq_cst`.
#[derive(Clone, Debug, Default)]
pub struct WeakOrders {
    /// The statements that may race with others.
    pub all: Vec<(Span, Order)>,
    /// The statements through which a task may read a write of another task without coming after it.
    pub leaks: Vec<(Span, Order)>,
}

impl WeakOrders {
    #[must_use]
    pub fn of(program: &Program) -> Self {
        let mut weak = Self::default();
        let races = |root| matches!(root, Root::Global(global) if program.scope.may_race(global));
        let mut read = None;
        for proc in &program.procs {
            walk::each(&proc.body, &mut |stmt| {
                let StmtKind::Atomic(order, body) = &stmt.kind else {
                    return;
                };
                if !order.is_weak() {
                    return;
                }
                let read = read.get_or_insert_with(|| walk::all_reads(program, races));
                let of_place = |place: &Place| races(place.root);
                let writes = walk::any(body, |s| walk::written(s).is_some_and(of_place));
                let reads = walk::any(body, |s| walk::exprs(s).iter().any(|e| read[e.index()]));
                // The procedures that a section calls are not looked at.
                if reads || writes || *order == Order::Foreign {
                    weak.all.push((stmt.span, *order));
                }
                if let Order::Named(named, failed) = *order {
                    let acquires = named.acquires() && failed.acquires();
                    if reads && !acquires || writes && !named.releases() {
                        weak.leaks.push((stmt.span, *order));
                    }
                }
            });
        }
        for list in [&mut weak.all, &mut weak.leaks] {
            list.sort();
            list.dedup();
        }
        weak
    }
}
