//! The comments of a name: those above its declaration, and the one behind it in the same line.

use base::source::Span;
use names::{Decl, Module};

/// The most lines of comments that are shown.
const LINES: usize = 20;

/// The text of a declaration's comments: those above it, then the one behind it.
pub(super) fn of(home: &Module, decl: &Decl) -> String {
    // A comment above a local is about the statement, not about the local.
    let mut found = match decl.kind.is_local() {
        true => Vec::new(),
        false => above(home, decl),
    };
    found.extend(beside(home, decl));
    let lines = found.iter().flat_map(|&span| words(home.slice(span)));
    lines.take(LINES).collect::<Vec<_>>().join("\n")
}

/// The comments in the lines directly above a declaration, if the declaration begins its line.
fn above(home: &Module, decl: &Decl) -> Vec<Span> {
    let mut next = decl.whole.start;
    let mut found = Vec::new();
    for &span in before(home, next).iter().rev() {
        let gap = home.slice(Span::new(span.end, next));
        let adjacent = gap.trim().is_empty() && gap.matches('\n').count() == 1;
        if !adjacent || !is_first_in_line(home, span) {
            break;
        }
        found.push(span);
        next = span.start;
    }
    found.reverse();
    found
}

/// The comments that begin before an offset.
fn before(home: &Module, offset: u32) -> &[Span] {
    let all = &home.ast.comments;
    &all[..all.partition_point(|c| c.start < offset)]
}

fn is_first_in_line(home: &Module, span: Span) -> bool {
    let text = home.slice(Span::new(0, span.start));
    let line = text.rsplit('\n').next();
    line.is_some_and(|before| before.trim().is_empty())
}

/// The comment behind a declaration, if the rest of the line has nothing else.
fn beside(home: &Module, decl: &Decl) -> Option<Span> {
    let all = &home.ast.comments;
    let &span = all.get(before(home, decl.whole.end).len())?;
    let end = u32::try_from(home.text.len()).ok()?;
    let gap = home.slice(Span::new(decl.whole.end, span.start));
    let after = home.slice(Span::new(span.end, end)).lines().next();
    let closes = gap.trim().is_empty() || matches!(gap.trim(), ";" | ",");
    let one_line = !home.slice(decl.whole).contains('\n') && !gap.contains('\n');
    let last = after.is_none_or(|rest| rest.trim().is_empty());
    (closes && one_line && last).then_some(span)
}

/// The lines of a comment without its slashes and stars.
fn words(comment: &str) -> impl Iterator<Item = &str> {
    let block = comment.strip_prefix("/*");
    let inner = block.map_or(comment, |text| text.strip_suffix("*/").unwrap_or(text));
    let mark = if block.is_some() { '*' } else { '/' };
    let lines = inner.trim_matches(mark).trim().lines();
    lines.map(move |line| line.trim().trim_start_matches(mark).trim())
}
