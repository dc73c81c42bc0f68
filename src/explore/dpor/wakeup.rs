//! Wakeup trees: for each configuration on the path, the beginnings of executions that are still to be explored.
//!
//! A node is a step of a task; its children are the steps that may come next, in order. A sequence is put into a tree
//! unless the tree already leads to an equivalent execution (optimal DPOR of Abdulla, Aronis, Jonsson and Sagonas,
//! "Source sets: a foundation for optimal dynamic partial order reduction", definition of *insert*).

use smallvec::SmallVec;

use super::footprint::{Shadow, SharedFootprint};
use super::history::{History, Label};

/// A node, or none.
pub(super) type NodeId = u32;
pub(super) const NONE: NodeId = u32::MAX;

/// A step that was taken, or is to be taken, from some configuration.
#[derive(Clone, Debug, Default)]
pub(super) struct Move {
    pub task: u32,
    pub label: Label,
    pub foot: SharedFootprint,
}

#[derive(Clone, Debug)]
struct Node {
    step: Move,
    child: NodeId,
    next: NodeId,
}

#[derive(Debug, Default)]
pub(super) struct Forest {
    nodes: Vec<Node>,
    free: Vec<NodeId>,
}

impl Forest {
    /// How many nodes there ever were at once.
    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Takes the first node of a list off: the step, and the list of what may come after it.
    pub(super) fn take(&mut self, list: &mut NodeId) -> Option<(Move, NodeId)> {
        let id = *list;
        let node = self.nodes.get(id as usize)?;
        *list = node.next;
        self.free.push(id);
        Some((node.step.clone(), node.child))
    }

    fn node(&mut self, step: Move) -> NodeId {
        let node = Node {
            step,
            child: NONE,
            next: NONE,
        };
        if let Some(id) = self.free.pop() {
            self.nodes[id as usize] = node;
            return id;
        }
        self.nodes.push(node);
        (self.nodes.len() - 1) as NodeId
    }

    /// Inserts a sequence into the tree whose roots are `list`. Returns the event that now begins, or began before,
    /// a branch for it, if it is one of the sequence's. `added` are the first and the last root that were added for
    /// the same events with other choices in the tail.
    pub(super) fn insert(
        &mut self,
        list: &mut NodeId,
        sequence: &mut Sequence<'_>,
        added: &mut Option<(NodeId, NodeId)>,
    ) -> Option<u32> {
        // The list that is searched hangs below `parent`, or is the roots' list.
        let (mut parent, mut at, mut last) = (NONE, *list, NONE);
        let mut first = None;
        while at != NONE {
            // Skips the roots that were added for other choices of this one step: there may be very many.
            if let Some((from, to)) = *added
                && (parent, at) == (NONE, from)
                && sequence.events.is_empty()
            {
                (last, at) = (to, self.nodes[to as usize].next);
                continue;
            }
            let node = &self.nodes[at as usize];
            let found = sequence.begins(&node.step);
            match found {
                Begins::No => {
                    last = at;
                    at = node.next;
                    continue;
                }
                Begins::With(place) => {
                    if parent == NONE {
                        first = sequence.seen(place);
                    }
                    sequence.remove(place);
                }
                Begins::Beside => {}
            }
            if node.child == NONE || sequence.is_empty() {
                return first;
            }
            (parent, last, at) = (at, NONE, node.child);
        }
        if parent == NONE {
            first = sequence.first();
        }
        let branch = self.chain(sequence);
        if parent == NONE {
            *added = Some((added.map_or(branch, |a| a.0), branch));
        }
        match (last, parent) {
            (NONE, NONE) => *list = branch,
            (NONE, _) => self.nodes[parent as usize].child = branch,
            _ => self.nodes[last as usize].next = branch,
        }
        first
    }

    /// What remains of a sequence as a branch.
    fn chain(&mut self, sequence: &Sequence<'_>) -> NodeId {
        let mut child = NONE;
        if sequence.ends {
            child = self.node(sequence.tail.clone());
        }
        for &event in sequence.events.iter().rev() {
            let event = sequence.history.event(event as usize);
            let id = self.node(Move {
                task: event.task,
                label: event.label,
                foot: event.foot.clone(),
            });
            self.nodes[id as usize].child = child;
            child = id;
        }
        child
    }
}

/// Whether a step can be put first in a sequence (is one of its weak initials).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Begins {
    No,
    /// The step is in the sequence at this place, and no event before the place has to come before it.
    With(usize),
    /// The step is not in the sequence and commutes with all of it.
    Beside,
}

/// Events of the execution, in its order, and one step more.
#[derive(Debug)]
pub(super) struct Sequence<'a> {
    pub history: &'a History,
    pub events: &'a mut Vec<u32>,
    /// The step after them, which is the next one of its task. If the sequence leaves out an event of a task, it leaves
    /// out all later events of that task.
    pub tail: &'a Move,
    /// Whether the tail is still there.
    pub ends: bool,
    /// What the events touch together, removed ones included.
    pub shadow: Shadow,
    /// The place of the first event of a task, for some tasks. A task without events has none.
    pub places: SmallVec<[(u32, Option<usize>); PLACES]>,
}

/// The most tasks whose first event is kept in `places`.
const PLACES: usize = 8;

impl Sequence<'_> {
    fn is_empty(&self) -> bool {
        !self.ends && self.events.is_empty()
    }

    /// The event at a place; none if that is the tail.
    fn seen(&self, place: usize) -> Option<u32> {
        self.events.get(place).copied()
    }

    fn first(&self) -> Option<u32> {
        self.seen(0)
    }

    fn remove(&mut self, place: usize) {
        if place < self.events.len() {
            let task = self.history.event(self.events.remove(place) as usize).task;
            self.places.retain(|known| known.0 != task);
            for (_, at) in &mut self.places {
                *at = at.map(|at| at - usize::from(at > place));
            }
        } else {
            self.ends = false;
        }
    }

    /// Where the first event of a task is.
    fn place(&mut self, task: u32) -> Option<usize> {
        if let Some(known) = self.places.iter().find(|known| known.0 == task) {
            return known.1;
        }
        let of_task = |&event: &u32| self.history.event(event as usize).task == task;
        let place = self.events.iter().position(of_task);
        if self.places.len() < PLACES {
            self.places.push((task, place));
        }
        place
    }

    /// Whether a step that can be taken before the sequence begins it.
    pub(super) fn begins(&mut self, step: &Move) -> Begins {
        if let Some(place) = self.place(step.task) {
            let here = self.events[place] as usize;
            let free = self.history.event(here).label == step.label
                && !self.events[..place]
                    .iter()
                    .any(|&e| self.history.ordered(e as usize, here));
            return if free {
                Begins::With(place)
            } else {
                Begins::No
            };
        }
        let of_tail = self.ends && self.tail.task == step.task;
        let stands = if of_tail {
            self.tail.label != step.label
        } else {
            self.ends && step.foot.conflicts(&self.tail.foot)
        };
        if stands || self.conflicts(step) {
            Begins::No
        } else if of_tail {
            Begins::With(self.events.len())
        } else {
            Begins::Beside
        }
    }

    /// Whether a step conflicts with one of the events.
    fn conflicts(&self, step: &Move) -> bool {
        step.foot.shadow().meets(self.shadow)
            && self
                .events
                .iter()
                .any(|&e| step.foot.conflicts(&self.history.event(e as usize).foot))
    }
}
