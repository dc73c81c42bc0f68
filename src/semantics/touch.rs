//! The touches of a segment, one by one: the input for questions about which accesses are ordered.

use std::cell::RefCell;

use base::source::Span;
use ir::{GlobalId, Loop, MemoryOrder, OpId, Order, walk};

use super::config::Task;
use super::eval::{Look, PathStep};
use super::exec::{Env, Machine, top};

/// Something that a task does to what tasks share.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Touch {
    pub task: u32,
    pub what: What,
    pub span: Span,
}

/// The kinds of touches.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum What {
    /// Reads or writes a global or a part of one.
    Access {
        global: GlobalId,
        /// From the global inwards.
        path: Vec<PathStep>,
        write: bool,
        sync: Sync,
    },
    /// Passes a fence of this order.
    Fence(MemoryOrder),
    /// Posts the task with a number.
    Posts(u32),
    /// Sees that the task with a number has finished.
    Joins(u32),
    /// Passes the guard of an operation. The flag says whether the guard could have blocked the task.
    Operates(OpId, bool),
}

/// How an access orders tasks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Sync {
    /// It does not.
    Plain,
    /// As a lock does: the access is inside `atomic`, an operation, or the condition or body of an await.
    Whole,
    /// By an atomic operation: its order, its order where it writes nothing, and its number. All accesses of one operation share
    /// the number.
    Named(MemoryOrder, MemoryOrder, u32),
}

/// The touches of a segment.
#[derive(Default)]
pub(super) struct Touches {
    list: Vec<Touch>,
    /// How many entries of the list come from initial values.
    initial: usize,
    /// The looks of expressions that are not in the list yet.
    pub looks: RefCell<Vec<Look>>,
    /// Where the outermost atomic part began: how many frames there were, and how long the last one's control was. Also how the
    /// part orders tasks. `None` outside of atomic parts.
    atomic_since: Option<(usize, usize, Sync)>,
    /// How many atomic operations there were.
    operations: u32,
}

impl Touches {
    fn sync(&self) -> Sync {
        self.atomic_since.map_or(Sync::Plain, |(.., sync)| sync)
    }
}

impl<'p, E: Env> Machine<'p, E> {
    /// Begins to record what segments touch.
    pub fn record_touches(&mut self) {
        self.touches = Some(Touches::default());
    }

    /// Notes that all touches so far come from initial values.
    pub(super) fn initial_touches(&mut self) {
        let initial = self.touched_so_far();
        if let Some(touches) = &mut self.touches {
            touches.initial = initial;
        }
    }

    /// How many touches come from initial values.
    pub fn initially_touched(&self) -> usize {
        self.touches.as_ref().map_or(0, |t| t.initial)
    }

    /// Returns the touches since the last call.
    pub fn touches(&mut self) -> Vec<Touch> {
        let touches = self.touches.as_mut();
        touches.map_or_else(Vec::new, |t| {
            (t.atomic_since, t.operations) = (None, 0);
            std::mem::take(&mut t.list)
        })
    }

    /// The looks of a pending task's condition.
    pub fn awaited(&mut self, number: u32) -> Vec<What> {
        self.forget_looks();
        // Only looks of the running task are recorded.
        let before = std::mem::replace(&mut self.me, number);
        // The result is known: the task waits.
        let _ = self.waiting(number);
        let from = self.touches.as_ref().map_or(0, |t| t.list.len());
        self.looked(Span::default());
        self.me = before;
        let touches = self.touches.as_mut();
        let looks = touches.map_or_else(Vec::new, |t| t.list.split_off(from));
        looks.into_iter().map(|touch| touch.what).collect()
    }

    /// How many touches there were since the last call of `touches`.
    pub(super) fn touched_so_far(&self) -> usize {
        let touches = self.touches.as_ref();
        touches.map_or(0, |t| t.list.len() + t.looks.borrow().len())
    }

    /// Drops the looks, which are no accesses of the task.
    pub(super) fn forget_looks(&mut self) {
        if let Some(touches) = &mut self.touches {
            touches.looks.get_mut().clear();
        }
    }

    /// Moves the looks to the list, with this place.
    pub(super) fn looked(&mut self, span: Span) {
        let task = self.me;
        if let Some(touches) = &mut self.touches {
            let sync = touches.sync();
            for look in touches.looks.get_mut().drain(..) {
                let what = match look {
                    Look::At(global, path) => What::Access {
                        global,
                        path,
                        write: false,
                        sync,
                    },
                    Look::Finished(task) => What::Joins(task),
                };
                touches.list.push(Touch { task, what, span });
            }
        }
    }

    /// Like `looked`, with the place of a loop.
    pub(super) fn looked_in_loop(&mut self, task: &Task<'p>, l: &Loop) {
        let touches = self.touches.as_ref();
        if touches.is_some_and(|t| !t.looks.borrow().is_empty()) {
            let proc = self.program.proc(top(task).proc);
            let span = walk::loop_span(&proc.body, l.id).unwrap_or(proc.span);
            self.looked(span);
        }
    }

    /// Records that a global or a part of one was written.
    pub(super) fn wrote(&mut self, global: GlobalId, path: &[PathStep], span: Span) {
        self.looked(span);
        let task = self.me;
        if let Some(touches) = &mut self.touches {
            let what = What::Access {
                global,
                path: path.to_vec(),
                write: true,
                sync: touches.sync(),
            };
            touches.list.push(Touch { task, what, span });
        }
    }

    /// Records something other than an access.
    pub(super) fn touches_also(&mut self, what: What, span: Span) {
        let task = self.me;
        if let Some(touches) = &mut self.touches {
            touches.list.push(Touch { task, what, span });
        }
    }

    /// Begins an atomic part. The caller then puts its statements on the task's control.
    pub(super) fn enter_atomic(&mut self, task: &Task<'p>, order: Order) {
        let Some(touches) = &mut self.touches else {
            return;
        };
        if touches.atomic_since.is_none() {
            let sync = match order {
                Order::Whole | Order::Foreign | Order::Volatile => Sync::Whole,
                Order::Named(order, failed) => {
                    touches.operations += 1;
                    Sync::Named(order, failed, touches.operations)
                }
            };
            let (frames, control) = (task.frames.len(), top(task).control.len());
            touches.atomic_since = Some((frames, control, sync));
        }
    }

    /// Records a fence: an atomic statement that only orders.
    pub(super) fn fence(&mut self, order: Order, span: Span) {
        let outermost = (self.touches.as_ref()).is_some_and(|t| t.atomic_since.is_none());
        if let Order::Named(order, _) = order
            && outermost
        {
            self.touches_also(What::Fence(order), span);
        }
    }

    /// Ends the atomic part if the task has left it.
    pub(super) fn leave_atomic_if_done(&mut self, task: &Task<'p>) {
        if let Some(touches) = &mut self.touches {
            let depth = (
                task.frames.len(),
                task.frames.last().map_or(0, |f| f.control.len()),
            );
            touches.atomic_since = touches
                .atomic_since
                .filter(|&(frames, control, _)| depth > (frames, control));
        }
    }
}
