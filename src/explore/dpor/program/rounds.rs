//! Tasks that go round: what a task does again and again without a change need not be followed.
//!
//! A round is a row of steps of one task after which the task and all that it wrote are as before: a loop that polls, also
//! one that takes a lock for that and gives it back. If no other task has met a value that the round puts back later, an
//! execution without the round leads to the same state. So everything can be reached without rounds, and a task that has
//! made one goes no further. What it read races with later writes, and a reversal of such a race goes another way.
//!
//! What ends a round, or begins a new one, happens before the step that ends it. So all executions of a trace agree on it.

use std::rc::Rc;

use smallvec::SmallVec;

/// A row of steps with more rests than this is not taken for a part of a round.
const MOST: u32 = 1024;

/// A rest of a task: where it rests, and what it has changed since its row of steps began.
#[derive(Debug, Default)]
pub(super) struct Rest {
    local: u32,
    /// Slots that differ from the beginning of the row, each with what it held there.
    changed: Changed,
    before: Rests,
    /// How many rests there were before.
    length: u32,
}

type Changed = SmallVec<[(u32, u32); 2]>;

/// The rests of a task, the last first; none if its next step begins a row.
pub(super) type Rests = Option<Rc<Rest>>;

/// Whether a step touches what a task has changed and may put back.
pub(super) fn disturbs<'a>(rests: &Rests, mut touched: impl Iterator<Item = &'a u32>) -> bool {
    rests.as_ref().is_some_and(|rest| {
        let changed = |t: &u32| rest.changed.iter().any(|&(slot, _)| slot == t >> 1);
        !rest.changed.is_empty() && touched.any(changed)
    })
}

/// Adds a task's step from one rest to another. `written` are slots, each with what it held before and what it holds
/// now. Returns whether the step ends a round.
pub(super) fn goes_on(
    rests: &mut Rests,
    (from, to): (u32, u32),
    written: impl IntoIterator<Item = (u32, u32, u32)>,
) -> bool {
    let before = rests.take().unwrap_or_else(|| {
        Rc::new(Rest {
            local: from,
            ..Rest::default()
        })
    });
    if before.length == MOST {
        return false;
    }
    let mut changed = before.changed.clone();
    for (slot, was, is) in written {
        match changed.iter().position(|&(s, _)| s == slot) {
            Some(at) if changed[at].1 == is => drop(changed.remove(at)),
            None if was != is => changed.push((slot, was)),
            _ => {}
        }
    }
    let mut rest = Some(&before);
    while let Some(earlier) = rest.filter(|_| changed.is_empty()) {
        if earlier.local == to && earlier.changed.is_empty() {
            return true;
        }
        rest = earlier.before.as_ref();
    }
    *rests = Some(Rc::new(Rest {
        local: to,
        changed,
        length: before.length + 1,
        before: Some(before),
    }));
    false
}
