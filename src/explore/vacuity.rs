//! Finds places that no execution reaches. There "no bug" means nothing, and the answer gets a note beside the verdict.
//!
//! When the machine first runs a segment, it notes each landmark that the segment passes. A search of every execution has run
//! all their segments. So no execution passes a landmark without a note.

use std::collections::BTreeMap;
use std::sync::atomic::Ordering;

use answer::{Coverage, Looked, Note, Reach};
use base::source::Span;
use ir::Program;
use options::{ExploreOptions, Strategy};

use super::summary::budgets;
use machine::Shared;
use machine::{
    code,
    code::{Code, Instr, Landmark, Reached},
};

/// The most notes: people do not read more.
const MOST_NOTES: usize = 20;

/// Whether an execution was dropped at a false assumption.
pub(super) fn dropped(shared: &Shared) -> bool {
    landmarks(shared).any(|(landmark, reached)| landmark.what == Reached::Dropped && reached)
}

/// Where in the user's text executions were dropped.
pub(super) fn drops(program: &Program, shared: &Shared) -> Vec<Note> {
    let dropped = landmarks(shared)
        .filter(|(landmark, reached)| landmark.what == Reached::Dropped && *reached)
        .filter(|(landmark, _)| program.is_own(landmark.span));
    let places: BTreeMap<Span, ()> = dropped.map(|(landmark, _)| (landmark.span, ())).collect();
    let full = program.scope.weak.as_ref().and_then(|weak| weak.cut);
    let message = match full {
        Some(_) => "executions end here: there is no room for a store, or the assumption is false",
        None => "executions are dropped here: the assumption is false",
    };
    limited(places.into_keys().map(|span| (span, message.to_owned())))
}

/// Notes places that no execution reaches, in procedures that can run at all. `bounded`: executions beyond some budget may.
pub(super) fn unreached(shared: &Shared, bounded: bool) -> Vec<Note> {
    let mut roots = vec![shared.init, shared.main];
    roots.extend(shared.finally);
    never(&shared.code, roots, landmarks(shared), bounded)
}

/// Like `unreached`, for a search by another machine. `reached` says whether that search came to a landmark.
pub fn unreached_by(
    program: &Program,
    reached: impl Fn(&Landmark) -> bool,
    bounded: bool,
) -> Vec<Note> {
    let code = code::compile(program, false, false);
    let procs = [Some(program.init), Some(program.main), program.finally];
    let roots = procs.into_iter().flatten().map(|proc| proc.0);
    let landmarks = code.landmarks.iter().map(|l| (l, reached(l)));
    never(&code, roots.collect(), landmarks, bounded)
}

/// The statements, each with whether an execution comes to it.
pub(super) fn coverage(shared: &Shared, looked: Looked) -> Coverage {
    covered(landmarks(shared), looked)
}

/// Like `coverage`, for a search by another machine. `reached` says whether that search came to a landmark.
pub fn coverage_by(
    program: &Program,
    reached: impl Fn(&Landmark) -> bool,
    looked: Looked,
) -> Coverage {
    let code = code::compile(program, false, true);
    covered(code.landmarks.iter().map(|l| (l, reached(l))), looked)
}

fn covered<'c>(landmarks: impl Iterator<Item = (&'c Landmark, bool)>, looked: Looked) -> Coverage {
    let mut statements = BTreeMap::new();
    for (landmark, reached) in landmarks.filter(|(l, _)| l.what == Reached::Statement) {
        *statements.entry(landmark.span).or_insert(false) |= reached;
    }
    Coverage { statements, looked }
}

/// How much a search has looked at. `whole`: it left nothing out. `stopped`: it ended at a bug.
pub fn looked(options: &ExploreOptions, whole: bool, stopped: bool) -> Looked {
    match options.strategy {
        _ if stopped => Looked::UntilABug,
        Strategy::Stateful | Strategy::Stateless if whole => match budgets(options) {
            Some(_) => Looked::WithinBounds,
            None => Looked::Everywhere,
        },
        Strategy::Dpor if whole => Looked::OneOfEach,
        _ => Looked::InPart,
    }
}

fn never<'c>(
    code: &'c Code,
    roots: Vec<u32>,
    landmarks: impl Iterator<Item = (&'c Landmark, bool)>,
    bounded: bool,
) -> Vec<Note> {
    let mut places: BTreeMap<Span, (Reached, bool)> = BTreeMap::new();
    let used = used(code, roots);
    for (landmark, reached) in landmarks {
        let is_noted = !matches!(landmark.what, Reached::Dropped | Reached::Statement);
        if is_noted && used[landmark.proc as usize] {
            let place = (places.entry(landmark.span)).or_insert((landmark.what, false));
            place.1 |= reached;
        }
    }
    let never = places.into_iter().filter(|(_, (_, reached))| !reached);
    let never = never.map(|(span, (what, _))| (span, words(what, bounded)));
    let reached = if bounded { Reach::NotSeen } else { Reach::No };
    Vec::from_iter(limited(never).into_iter().map(|note| note.on(reached)))
}

fn landmarks(shared: &Shared) -> impl Iterator<Item = (&Landmark, bool)> {
    let reached = shared.reached.iter().map(|r| r.load(Ordering::Relaxed));
    shared.code.landmarks.iter().zip(reached)
}

/// Marks the given procedures, and all that they call or post, directly or not.
fn used(code: &Code, mut found: Vec<u32>) -> Vec<bool> {
    let mut used = vec![false; code.procs.len()];
    while let Some(proc) = found.pop() {
        if std::mem::replace(&mut used[proc as usize], true) {
            continue;
        }
        let own = code.instrs.iter().zip(&code.proc_of);
        let own = own.filter(|&(_, &of)| of == proc);
        found.extend(own.filter_map(|(instr, _)| match instr {
            Instr::Call { proc, .. } | Instr::Post { proc, .. } => Some(*proc),
            _ => None,
        }));
    }
    used
}

fn limited(notes: impl Iterator<Item = (Span, String)>) -> Vec<Note> {
    let mut notes: Vec<Note> = notes
        .map(|(span, message)| Note::new(message, span))
        .collect();
    if notes.len() > MOST_NOTES {
        let more = notes.len() - MOST_NOTES;
        notes.truncate(MOST_NOTES);
        notes.push(Note::new(format!("and {more} more such places"), None));
    }
    notes
}

fn words(what: Reached, bounded: bool) -> String {
    let within = if bounded { " within the bounds" } else { "" };
    match what {
        Reached::Check => {
            format!("no execution{within} reaches this check, so it proves nothing")
        }
        Reached::Post => format!("no execution{within} posts this task"),
        Reached::Past | Reached::Dropped | Reached::Statement => {
            format!("no execution{within} gets past this place")
        }
    }
}
