//! Executions beyond cuts: the places beyond which the front end follows none.
//!
//! A proof speaks of all executions, so it has to show that none comes to such a place ([`closed`]). Where only races are asked
//! about, it may do less ([`open`]):
//! - *Behind an error that was not asked about* there is nothing to prove: a program has no meaning there. The task stays, and
//!   the others go on, which only adds executions. The answer has a note that says so.
//! - *Behind a bound on memory* the program itself says how it goes on ([`Scope::unsteady`](ir::Scope::unsteady)): some globals
//!   have another value whenever they are read. The argument is in `c_lower/unbounded.rs`.

use std::borrow::Cow;
use std::collections::BTreeSet;

use base::source::Span;
use ir::{
    Behind, Block, ErrorKind, ExprId, ExprKind, GlobalId, PreemptKind, Program, Stmt, StmtKind,
    Types, walk,
};

/// A program whose cuts are opened, and what is to be known about it.
pub struct Opened {
    pub program: Program,
    /// The globals that have another value whenever they are read.
    pub unsteady: BTreeSet<GlobalId>,
    /// Where executions may end at errors that were not asked about.
    pub errors: Vec<Span>,
}

/// The program in which it is an error to come to a cut.
#[must_use]
pub fn closed(program: &Program) -> Cow<'_, Program> {
    if program.scope.cuts.is_empty() {
        return Cow::Borrowed(program);
    }
    Cow::Owned(with_cuts(program, &|_| Instead::Error))
}

/// Returns the program in which it is no error to come to a cut where an error or a bound on memory is the reason. `None` if
/// there is no such cut.
#[must_use]
pub fn open(program: &Program) -> Option<Opened> {
    let cuts = &program.scope.cuts;
    if (cuts.iter()).all(|cut| matches!(cut.behind, Behind::Unknown | Behind::Threads)) {
        return None;
    }
    let errors = cuts.iter().filter(|cut| cut.behind == Behind::Error);
    Some(Opened {
        errors: errors.map(|cut| cut.span).collect(),
        program: with_cuts(program, &|behind| match behind {
            Behind::Error => Instead::Rest,
            Behind::Memory => Instead::Nothing,
            Behind::Unknown | Behind::Threads => Instead::Error,
        }),
        unsteady: program.scope.unsteady.iter().copied().collect(),
    })
}

/// What stands in the place of a cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Instead {
    /// A check that fails.
    Error,
    /// The task stays there.
    Rest,
    /// The task goes on.
    Nothing,
}

fn with_cuts(program: &Program, instead: &impl Fn(Behind) -> Instead) -> Program {
    let mut made = program.clone();
    let never = made.add(ExprKind::Bool(false), Types::BOOL);
    for proc in &mut made.procs {
        in_block(program, &mut proc.body, never, instead);
    }
    made
}

fn in_block(
    program: &Program,
    block: &mut Block,
    never: ExprId,
    instead: &impl Fn(Behind) -> Instead,
) {
    let what = |stmt: &Stmt| -> Option<(Instead, &str)> {
        let cut = program.scope.cut(stmt.span)?;
        let is_cut = matches!(&stmt.kind, StmtKind::Loop(l) if l.body.is_empty());
        is_cut.then(|| (instead(cut.behind), cut.why.as_str()))
    };
    block.retain(|stmt| !matches!(what(stmt), Some((Instead::Nothing, _))));
    for stmt in block {
        let kind = match what(stmt) {
            Some((Instead::Error, why)) => StmtKind::Check(ErrorKind::Assertion, never, why.into()),
            Some((Instead::Rest, _)) => StmtKind::Preempt(PreemptKind::Yield),
            Some((Instead::Nothing, _)) | None => {
                for inner in walk::children_mut(stmt) {
                    in_block(program, inner, never, instead);
                }
                continue;
            }
        };
        let span = stmt.span;
        if let StmtKind::Loop(l) = &mut stmt.kind {
            l.body.push(Stmt { kind, span });
        }
    }
}
