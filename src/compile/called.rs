//! Cuts in functions of our headers: which places of the user's text come there.

use base::source::{SourceMap, Span};
use ir::{Program, StmtKind, walk};
use std::collections::{BTreeMap, BTreeSet};

/// A procedure, or a cut behind all procedures.
type Node = usize;

/// Notes for each cut in a header where the user's text comes there.
pub(super) fn note_where_cuts_come_from(program: &mut Program, sources: &SourceMap) {
    let hidden = |span: Span| !sources.is_users(span);
    if !program.scope.cuts.iter().any(|cut| hidden(cut.span)) {
        return;
    }
    let procs = program.procs.len();
    let mut from = vec![BTreeSet::new(); procs + program.scope.cuts.len()];
    let mut edges = Vec::new();
    let cuts = program.scope.cuts.iter().map(|cut| cut.span);
    let cuts: BTreeMap<Span, Node> = cuts.zip(procs..).collect();
    for caller in 0..procs {
        for (span, node) in reached(program, sources, &cuts, caller) {
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
    for (cut, spans) in program.scope.cuts.iter_mut().zip(from.drain(procs..)) {
        if hidden(cut.span) {
            cut.from = spans.into_iter().collect();
        }
    }
}

/// What a procedure calls, and the cuts in it, each with its place in the user's text if the procedure has such places.
fn reached(
    program: &Program,
    sources: &SourceMap,
    cuts: &BTreeMap<Span, Node>,
    caller: usize,
) -> Vec<(Option<Span>, Node)> {
    let (mut found, mut open, mut last) = (Vec::new(), Vec::new(), None);
    walk::each(&program.procs[caller].body, &mut |stmt| {
        match stmt.kind {
            StmtKind::Call(_, proc, _) | StmtKind::Post(_, proc, _) => open.push(proc.index()),
            StmtKind::Loop(_) => open.extend(cuts.get(&stmt.span)),
            _ => {}
        }
        // What a statement computes by functions of our headers stands before it.
        if sources.is_users(stmt.span) {
            last = Some(stmt.span);
            found.extend(open.drain(..).map(|node| (last, node)));
        }
    });
    found.extend(open.into_iter().map(|node| (last, node)));
    found
}
