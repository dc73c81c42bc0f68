//! Globals that are declared without a value and get one before any other task runs: `var fork: [N]bool;`, and `main` sets
//! all of them first. They are like globals with an initial value: no code has to ask whether they have one.
//!
//! The machine does not read this off the text: it runs the first segment, which must have exactly one way, without choices.

use std::ops::ControlFlow;

use ir::{Program, Root, StmtKind, walk};

use super::code::{Domain, First, UNDEF};
use crate::{End, Machine, Shared, Start, Way, World, lock};

/// Marks as `Needed` the globals that only the start leaves without a value: their values can wait. `None` if there are none.
pub fn open_at_the_start(program: &Program) -> Option<Vec<First>> {
    let mut first = vec![First::Chosen; program.globals.len()];
    let mut note = |proc: usize, what| {
        walk::each(&program.procs[proc].body, &mut |stmt| {
            if let StmtKind::Havoc(to, _) = &stmt.kind
                && let Root::Global(global) = to.root
            {
                first[global.index()] = what;
            }
        });
    };
    let init = program.init.index();
    note(init, First::Needed);
    let others = (0..program.procs.len()).filter(|&proc| proc != init);
    others.for_each(|proc| note(proc, First::Chosen));
    first.contains(&First::Needed).then_some(first)
}

/// Finds which of these globals the first segment sets before their values are needed. `shared` was compiled with `open`.
pub fn set_first(shared: &Shared, open: &[First]) -> Option<Vec<First>> {
    let leaves = vec![0; shared.packing.leaves as usize];
    let world = World {
        leaves: &leaves,
        pending: &|_| false,
    };
    let mut first = None;
    Machine::new(shared).rehearse(Start::Main, world, &mut |way| {
        let goes_on = matches!(way.end, End::Rests(_) | End::Finished);
        if first.is_some() || !way.picks.is_empty() || !goes_on {
            first = None;
            return ControlFlow::Break(());
        }
        let of = |(global, &open): (usize, &First)| match open {
            First::Needed if has_value(shared, global, &way) => First::Given,
            _ => First::Chosen,
        };
        first = Some(open.iter().enumerate().map(of).collect());
        ControlFlow::Continue(())
    });
    first.filter(|first: &Vec<First>| first.contains(&First::Given))
}

/// Whether all slots of a global have values at the end of a way.
fn has_value(shared: &Shared, global: usize, way: &Way<'_>) -> bool {
    let firsts = &shared.code.globals;
    let mut slots = firsts[global] as usize..firsts[global + 1] as usize;
    slots.all(|slot| {
        let place = shared.packing.slots[slot];
        let write = way.writes.iter().find(|write| write.leaf == place.leaf);
        let code = place.code(write.map_or(0, |write| write.bits));
        let is_tree = shared.code.slots[slot].domain == Domain::Tree;
        !is_tree && place.decode(code, &lock(&shared.tables)) != UNDEF
    })
}
