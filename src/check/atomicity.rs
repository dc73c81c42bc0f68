//! Atomic code may not wait, neither itself nor in the procedures that it calls.
//!
//! A statement that waits inside `atomic` is refused at once. Calls from there are noted while versions are made.
//! When all versions are known, they are searched: the complaint shows the shortest path to the statement that waits.

use std::collections::VecDeque;

use base::diagnostic::Diagnostic;
use base::source::Span;
use ir::ProcId;

use super::Checker;
use super::body::{Atomic, Place};

/// The longest path that is shown.
const SHOWN: usize = 10;

/// Notes about a version that is made for atomic code.
#[derive(Clone, Debug, Default)]
pub(super) struct Notes {
    /// Its first statement that waits.
    waits: Option<(Span, &'static str)>,
    /// Its first post.
    posts: Option<(Span, &'static str)>,
    /// Its first use of `self`.
    selfs: Option<(Span, &'static str)>,
    /// What it calls, and where.
    calls: Vec<(ProcId, Span)>,
    /// The calls that stand in an atomic part of the version.
    atomic_calls: Vec<(ProcId, Span, Atomic)>,
}

impl Checker<'_> {
    /// Refuses a statement that waits, or lets others run, in atomic code. In a version for atomic code, only notes the statement.
    pub(super) fn waits(&mut self, what: &'static str, span: Span) {
        match (self.body.atomic, self.versions.current) {
            (Some(Atomic::Called), Some(current)) => {
                self.versions.notes[current.index()]
                    .waits
                    .get_or_insert((span, what));
            }
            (Some(atomic), _) => self.report(
                Diagnostic::error(
                    "atomic-wait",
                    span,
                    format!("{what} stands {}", atomic.place()),
                )
                .label("another task could run here"),
            ),
            (None, _) => {}
        }
    }

    /// Notes a call in atomic code. Its callee is searched when all versions are known.
    pub(super) fn note_call(&mut self, callee: ProcId, span: Span) {
        let (Some(current), Some(atomic)) = (self.versions.current, self.body.atomic) else {
            return;
        };
        if self.body.place != Place::Procedure {
            return;
        }
        let notes = &mut self.versions.notes[current.index()];
        notes.calls.push((callee, span));
        if atomic != Atomic::Called {
            notes.atomic_calls.push((callee, span, atomic));
        }
    }

    /// Refuses a post in `finally`, where the task would never run. In other atomic code, only notes the post.
    pub(super) fn posts(&mut self, span: Span) {
        match (self.body.atomic, self.versions.current) {
            (Some(Atomic::Finally), _) => self.report(
                Diagnostic::error("post-in-finally", span, "`post` stands inside `finally`")
                    .label("the task would never run"),
            ),
            (Some(_), Some(current)) => {
                self.versions.notes[current.index()]
                    .posts
                    .get_or_insert((span, "`post`"));
            }
            _ => {}
        }
    }

    /// Notes a use of `self` in atomic code: `finally` must not reach it, because no task runs there.
    pub(super) fn uses_self(&mut self, span: Span) {
        if let (Some(_), Some(current)) = (self.body.atomic, self.versions.current) {
            self.versions.notes[current.index()]
                .selfs
                .get_or_insert((span, "`self`"));
        }
    }

    /// Complains about calls from atomic code that may wait, and from `finally` that may post or use `self`.
    pub(super) fn check_atomicity(&mut self) {
        let notes = std::mem::take(&mut self.versions.notes);
        let (waits, posts) = (ways(&notes, |n| n.waits), ways(&notes, |n| n.posts));
        let selfs = ways(&notes, |n| n.selfs);
        for caller in &notes {
            for &(callee, span, atomic) in &caller.atomic_calls {
                self.check_call(callee, span, atomic, [&waits, &posts, &selfs]);
            }
        }
    }

    fn check_call(
        &mut self,
        callee: ProcId,
        span: Span,
        atomic: Atomic,
        ways: [&[Option<Way>]; 3],
    ) {
        let [waits, posts, selfs] = ways;
        let finally = atomic == Atomic::Finally;
        for (ways, applies, code, what, label) in [
            (
                waits,
                true,
                "atomic-wait",
                "may wait",
                "another task could run in it",
            ),
            (
                posts,
                finally,
                "post-in-finally",
                "may post",
                "the task would never run",
            ),
            (
                selfs,
                finally,
                "self-misplaced",
                "asks for the running task",
                "no task runs here",
            ),
        ] {
            if applies && ways[callee.index()].is_some() {
                let name = &self.build.program.procs[callee.index()].name;
                let message = format!("`{name}` is called {} and {what}", atomic.place());
                self.complain(
                    Diagnostic::error(code, span, message).label(label),
                    callee,
                    ways,
                );
                return;
            }
        }
    }

    /// Complains with the path from a procedure to the statement that is the reason.
    fn complain(&mut self, mut diagnostic: Diagnostic, callee: ProcId, ways: &[Option<Way>]) {
        let mut proc = callee.index();
        for _ in 0..SHOWN {
            let name = &self.build.program.procs[proc].name;
            match ways[proc] {
                Some(Way::Here(span, what)) => {
                    diagnostic = diagnostic.related(span, format!("{what} in `{name}`"));
                    break;
                }
                Some(Way::Call(callee, span)) => {
                    let called = &self.build.program.procs[callee].name;
                    diagnostic = diagnostic.related(span, format!("`{name}` calls `{called}`"));
                    proc = callee;
                }
                None => break,
            }
        }
        self.report(diagnostic);
    }
}

/// For each procedure from which such a statement can be reached, the step towards the nearest.
fn ways(
    notes: &[Notes],
    here: impl Fn(&Notes) -> Option<(Span, &'static str)>,
) -> Vec<Option<Way>> {
    let mut callers: Vec<Vec<(usize, Span)>> = vec![Vec::new(); notes.len()];
    for (caller, note) in notes.iter().enumerate() {
        for &(callee, span) in &note.calls {
            callers[callee.index()].push((caller, span));
        }
    }
    let mut next: Vec<Option<Way>> = notes
        .iter()
        .map(|n| here(n).map(|(span, what)| Way::Here(span, what)))
        .collect();
    let mut work: VecDeque<usize> = (0..notes.len()).filter(|&p| next[p].is_some()).collect();
    while let Some(proc) = work.pop_front() {
        for &(caller, span) in &callers[proc] {
            if next[caller].is_none() {
                next[caller] = Some(Way::Call(proc, span));
                work.push_back(caller);
            }
        }
    }
    next
}

/// A step towards a statement.
#[derive(Clone, Copy, Debug)]
enum Way {
    Here(Span, &'static str),
    Call(usize, Span),
}
