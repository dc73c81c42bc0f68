//! What tasks do when the program has ended.
//!
//! Tasks test wherever they go on whether the program has ended, and then return. No other task sees the return, and nothing
//! fails any more. But tasks that leave from anywhere break every equation about their number. So here they stay where they are.

use std::borrow::Cow;

use ir::{ExprKind, Program, StmtKind, Types, UnaryOp, walk};

/// Returns the program in which nothing happens after its end. One with `finally` stays as it is: `finally` waits for tasks.
#[must_use]
pub fn nothing_after_the_end(program: &Program) -> Cow<'_, Program> {
    let Some(ended) = program.scope.ended.filter(|_| program.finally.is_none()) else {
        return Cow::Borrowed(program);
    };
    let mut made = program.clone();
    let has_ended = made.add(ExprKind::Global(ended), Types::BOOL);
    let goes_on = made.add(ExprKind::Unary(UnaryOp::Not, has_ended), Types::BOOL);
    for proc in &mut made.procs {
        walk::each_mut(&mut proc.body, &mut |stmt| {
            if let StmtKind::If(cond, yes, no) = &stmt.kind
                && program
                    .exprs
                    .get(cond.index())
                    .is_some_and(|e| e.kind == ExprKind::Global(ended))
                && matches!(yes[..], [ref only] if matches!(only.kind, StmtKind::Return(_)))
                && no.is_empty()
            {
                stmt.kind = StmtKind::Assume(goes_on);
            }
        });
    }
    Cow::Owned(made)
}
