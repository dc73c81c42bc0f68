//! Finds the places of the user's text that lead to cuts, loops, leaks and places of notes in functions of our headers.

use base::source::{SourceMap, Span};
use ir::{ErrorKind, Program, StmtKind, walk};
use std::collections::{BTreeMap, BTreeSet};

/// A procedure; or a place in a header, behind all procedures.
type Node = usize;

/// Notes for each cut, each loop and each place of a note in a header: the places of the user's text that lead there. A leak in a
/// header is shown at such a place, if all of them are on one line.
pub(super) fn note_where_places_come_from(program: &mut Program, sources: &SourceMap) {
    let scope = &program.scope;
    let mut places: BTreeSet<Span> = scope.cuts.iter().map(|cut| cut.span).collect();
    places.extend(scope.unsaid.iter().map(|(span, _)| *span));
    for proc in &program.procs {
        walk::each(&proc.body, &mut |stmt| {
            let looked_up = is_leak(&stmt.kind) || matches!(stmt.kind, StmtKind::Loop(_));
            places.extend(looked_up.then_some(stmt.span));
        });
    }
    places.retain(|&span| !sources.is_users(span));
    if places.is_empty() {
        return;
    }
    let procs = program.procs.len();
    let mut from = vec![BTreeSet::new(); procs + places.len()];
    let mut edges = Vec::new();
    let places: BTreeMap<Span, Node> = places.into_iter().zip(procs..).collect();
    for caller in 0..procs {
        for (span, node) in reached(program, sources, &places, caller) {
            match span {
                Some(span) => _ = from[node].insert(span),
                None => edges.push((caller, node)),
            }
        }
    }
    let mut grows = true;
    while grows {
        grows = false;
        for &(caller, node) in &edges {
            let all: Vec<Span> = from[caller].difference(&from[node]).copied().collect();
            grows |= !all.is_empty();
            from[node].extend(all);
        }
    }
    let all = from.drain(procs..).map(Vec::from_iter);
    let called = places.into_keys().zip(all);
    program.scope.called = called.filter(|(_, from)| !from.is_empty()).collect();
    let called = &program.scope.called;
    for proc in &mut program.procs {
        walk::each_mut(&mut proc.body, &mut |stmt| {
            let from = called.get(&stmt.span).filter(|_| is_leak(&stmt.kind));
            let line = |span: &Span| sources.line_in_words(*span);
            if let Some([first, rest @ ..]) = from.map(Vec::as_slice)
                && rest.iter().all(|span| line(span) == line(first))
            {
                stmt.span = *first;
            }
        });
    }
}

fn is_leak(kind: &StmtKind) -> bool {
    matches!(kind, StmtKind::Check(ErrorKind::Leak, ..))
}

/// What a procedure calls, and the places of headers in it, each with its place in the user's text if the procedure has such places.
fn reached(
    program: &Program,
    sources: &SourceMap,
    places: &BTreeMap<Span, Node>,
    caller: usize,
) -> Vec<(Option<Span>, Node)> {
    let (mut found, mut open, mut last) = (Vec::new(), Vec::new(), None);
    walk::each(&program.procs[caller].body, &mut |stmt| {
        if let StmtKind::Call(_, proc, _) | StmtKind::Post(_, proc, _) = stmt.kind {
            open.push(proc.index());
        }
        open.extend(places.get(&stmt.span).filter(|_| !is_leak(&stmt.kind)));
        // Calls of our headers' functions that compute a part of a statement stand before the statement.
        if sources.is_users(stmt.span) {
            last = Some(stmt.span);
            found.extend(open.drain(..).map(|node| (last, node)));
        }
    });
    found.extend(open.into_iter().map(|node| (last, node)));
    found
}
