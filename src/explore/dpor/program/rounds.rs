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

use ir::ProcId;
use ir::calls::Calls;
use machine::code::{Code, Instr, target};

/// A row of steps with more rests than this is not taken for a part of a round.
const MOST: u32 = 1024;

/// A rest of a task: where it rests, and what it has changed since its row of steps began.
#[derive(Debug, Default)]
pub(super) struct Rest {
    local: u32,
    /// Slots that differ from the beginning of the row, each with what it held there and what it holds now.
    changed: Changed,
    before: Option<Rests>,
    /// How many rests there were before.
    length: u32,
}

type Changed = SmallVec<[(u32, u32, u32); 2]>;

/// The rests of a task, the last first.
pub(super) type Rests = Rc<Rest>;

/// What becomes of a task's row of steps.
pub(super) enum Row {
    /// The next step begins a row.
    Ends,
    GoesOn(Rests),
    IsRound,
}

/// By instruction: whether a task may come there a second time with the same frames. Only there can a round end.
pub(super) fn come_again(code: &Code) -> Vec<bool> {
    let mut again = vec![false; code.instrs.len()];
    let mut marked = again.len();
    for (pc, instr) in code.instrs.iter().enumerate().rev() {
        if let Some(to) = target(instr).filter(|&to| to as usize <= pc) {
            let to = to as usize;
            again[to..marked.clamp(to, pc + 1)].fill(true);
            marked = marked.min(to);
        }
    }
    let mut callees = vec![Vec::new(); code.procs.len()];
    let mut repeated = vec![false; code.procs.len()];
    for (pc, instr) in code.instrs.iter().enumerate() {
        if let Instr::Call { proc, .. } = *instr {
            callees[code.proc_of[pc] as usize].push(ProcId(proc));
            repeated[proc as usize] |= again[pc];
        }
    }
    let repeated = Calls::known(callees).to_callees(repeated);
    for (again, &proc) in again.iter_mut().zip(&code.proc_of) {
        *again |= repeated[proc as usize];
    }
    again
}

/// Whether a step touches what a task has changed and may put back.
pub(super) fn disturbs<'a>(rests: &Rests, mut touched: impl Iterator<Item = &'a u32>) -> bool {
    let changed = |t: &u32| rests.changed.iter().any(|&(slot, ..)| slot == t >> 1);
    !rests.changed.is_empty() && touched.any(changed)
}

/// Adds a task's step from one rest to another. `written` are slots, each with what it held before and what it holds now.
pub(super) fn goes_on(
    before: Option<Rests>,
    (from, to): (u32, u32),
    written: impl Iterator<Item = (u32, u32, u32)>,
) -> Row {
    let before = before.unwrap_or_else(|| {
        Rc::new(Rest {
            local: from,
            ..Rest::default()
        })
    });
    if before.length == MOST {
        return Row::Ends;
    }
    let mut changed = before.changed.clone();
    for (slot, was, is) in written {
        match changed.iter().position(|&(s, ..)| s == slot) {
            Some(at) if changed[at].1 == is => drop(changed.remove(at)),
            Some(at) => changed[at].2 = is,
            None if was != is => changed.push((slot, was, is)),
            None => {}
        }
    }
    // What differs must have differed all the time since the earlier rest: then no other task has met it.
    let differs = |earlier: &Rests| {
        let mut slots = changed.iter().map(|c| c.0);
        slots.all(|slot| earlier.changed.iter().any(|c| c.0 == slot))
    };
    let mut rest = Some(&before);
    while let Some(earlier) = rest.filter(|r| differs(r)) {
        let same = earlier.changed.iter().all(|c| changed.contains(c));
        if earlier.local == to && same {
            return Row::IsRound;
        }
        rest = earlier.before.as_ref();
    }
    Row::GoesOn(Rc::new(Rest {
        local: to,
        changed,
        length: before.length + 1,
        before: Some(before),
    }))
}
