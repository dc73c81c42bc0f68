//! What no execution within the bounds reaches: there "no bug" means nothing, and that is said beside the verdict.

use std::collections::{BTreeMap, BTreeSet};

use answer::{Note, Reach};
use base::source::{SourceMap, Span};
use seq::map::{Map, MarkKind, Reached};

/// The most remarks: nobody reads more.
const MOST_NOTES: usize = 20;

/// The marks of a sequential program that stand for statements of the user's file.
pub(super) fn wanted(map: &Map, sources: &SourceMap) -> Vec<u32> {
    // A pass adds statements without a place in the user's file, such as a probe.
    let own = |span: Span| sources.is_users(span);
    let marks = map.marks.iter().zip(0..);
    marks
        .filter(|(kind, _)| matches!(kind, MarkKind::Reached { span, .. } if own(*span)))
        .map(|(_, id)| id)
        .collect()
}

/// The marks of dispatches. If no execution passes one, delays change nothing.
pub(super) fn dispatches(map: &Map) -> Vec<u32> {
    let marks = map.marks.iter().zip(0..);
    marks
        .filter(|(kind, _)| matches!(kind, MarkKind::Posted(_) | MarkKind::Resumed))
        .map(|(_, id)| id)
        .collect()
}

/// The mark that says whether an execution goes no further for want of rounds.
pub(super) fn last_round(map: &Map) -> Option<u32> {
    let marks = map.marks.iter().zip(0..);
    let mut cut = marks.filter(|(kind, _)| matches!(kind, MarkKind::Cut));
    cut.next().map(|(_, id)| id)
}

/// The marks of places where tasks wait beyond the last round.
pub(super) fn waits(map: &Map) -> Vec<u32> {
    let marks = map.marks.iter().zip(0..);
    marks
        .filter(|(kind, _)| matches!(kind, MarkKind::Waits(_)))
        .map(|(_, id)| id)
        .collect()
}

/// Returns the places of the marks that stand in the user's file, in order.
pub(super) fn waiting(map: &Map, marks: &[u32], sources: &SourceMap) -> Vec<Span> {
    let spans = marks
        .iter()
        .filter_map(|&id| match map.marks.get(id as usize) {
            Some(&MarkKind::Waits(span)) if sources.is_users(span) => Some(span),
            _ => None,
        });
    let places: BTreeSet<Span> = spans.collect();
    places.into_iter().collect()
}

/// Returns remarks about the statements none of whose marks is reached.
pub(super) fn notes(map: &Map, wanted: &[u32], unreached: &[u32]) -> Vec<Note> {
    let mut places: BTreeMap<Span, (Reached, bool)> = BTreeMap::new();
    for id in wanted {
        let Some(MarkKind::Reached { what, span }) = map.marks.get(*id as usize) else {
            continue;
        };
        let never = unreached.contains(id);
        let place = places.entry(*span).or_insert((*what, true));
        place.1 &= never;
    }
    let never = places.into_iter().filter(|(_, (_, never))| *never);
    let mut notes: Vec<Note> = never
        .map(|(span, (what, _))| Note::new(words(what), span).on(Reach::NotSeen))
        .collect();
    if notes.len() > MOST_NOTES {
        let more = notes.len() - MOST_NOTES;
        notes.truncate(MOST_NOTES);
        notes.push(Note::new(
            format!("and {more} more places that no execution that ends within the bounds reaches"),
            None,
        ));
    }
    notes
}

fn words(what: Reached) -> &'static str {
    match what {
        Reached::Check => {
            "no execution that ends within the bounds reaches this check, so it proves nothing"
        }
        Reached::Assume => "no execution that ends within the bounds gets past this place",
        Reached::Post => "no execution that ends within the bounds posts this task",
    }
}
