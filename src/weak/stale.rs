//! The rule of stale loads: the pass leaves out an execution if one of its loads could come after a store instead.
//!
//! A task loads a variable while a store waits in its buffer. Until the store reaches memory, the task does nothing else that
//! other tasks notice. If the variable then still has the loaded value, the same execution exists with the load after the
//! store, and the search follows only that one. docs/memory.md has the proof.

use std::collections::BTreeSet;

use ir::{ExprId, GlobalId, LocalId, PreemptKind, Program, Root, Stmt, StmtKind, walk};
use options::Memory;

use super::Part;
use super::flow::{Facts, Pending, Store, chain};

/// What of a global is loaded, and the local that gets its value.
pub(crate) type Load = (ExprId, LocalId);

/// What a statement is for the rule.
pub(crate) enum Effect {
    /// No other task notices the statement.
    None,
    /// Other tasks may notice the statement.
    Noticed,
    Load(Load),
}

/// What a statement is for the rule. `delayed` says whether its stores go into the buffer.
pub(crate) fn effect(
    (program, facts, stores, params): (&Program, &Facts, &[Store], usize),
    stmt: &Stmt,
    pending: &Pending,
    delayed: bool,
) -> Effect {
    if let Some(load) = load(program, facts, stmt)
        && load.1.1.index() >= params
        && !pending
            .sites
            .iter()
            .any(|&site| stores[site as usize - 1].shape.0 == load.0)
        && pending.most > 0
        && facts.reduced
    {
        return Effect::Load(load.1);
    }
    let loaded: BTreeSet<GlobalId> = (pending.last.iter())
        .filter_map(|load| Some(chain(program, load.0)?.0.0))
        .collect();
    let noticed = |stmt: &Stmt| {
        let writes = match walk::written(stmt).map(|place| place.root) {
            // Under PSO the store could leave the buffer before the stores that already waited at the load.
            Some(root @ Root::Global(global)) if facts.is_candidate(root) => {
                !delayed || facts.memory == Memory::Pso || loaded.contains(&global)
            }
            Some(Root::Global(global)) => facts.noticed[global.index()],
            Some(Root::Local(local)) => pending.last.iter().any(|load| load.1 == local),
            None => false,
        };
        let other = match stmt.kind {
            StmtKind::Call(..) | StmtKind::Post(..) | StmtKind::Await(_) => true,
            StmtKind::Preempt(kind) => kind != PreemptKind::Implicit,
            _ => false,
        };
        writes || other || walk::exprs(stmt).iter().any(|&e| facts.is_noticed(e))
    };
    match walk::any(std::slice::from_ref(stmt), noticed) {
        true if !crate::without(Part::Noticed) => Effect::Noticed,
        true | false => Effect::None,
    }
}

/// A statement that does nothing else than to load a variable, or a field, into a local.
fn load(program: &Program, facts: &Facts, stmt: &Stmt) -> Option<(GlobalId, Load)> {
    match &stmt.kind {
        StmtKind::Atomic(_, body) => {
            let (first, rest) = body.split_first()?;
            let load = load(program, facts, first)?;
            let copies = |stmt: &Stmt| match &stmt.kind {
                StmtKind::Assign(place, value) => {
                    matches!(place.root, Root::Local(local) if local != load.1.1)
                        && !facts.is_noticed(*value)
                        && walk::indices(place).all(|e| !facts.is_noticed(e))
                }
                _ => false,
            };
            rest.iter().all(copies).then_some(load)
        }
        StmtKind::Assign(place, value) if place.path.is_empty() => {
            let Root::Local(local) = place.root else {
                return None;
            };
            let (shape, indices) = chain(program, *value)?;
            (facts.candidate[shape.0.index()] && indices.is_empty())
                .then_some((shape.0, (*value, local)))
        }
        _ => None,
    }
}
