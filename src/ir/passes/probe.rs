//! Probes: where unrolling may stop, the program asks whether it does.
//!
//! An execution that is cut off after N turns of a loop exists whatever later tasks do. A failed
//! assertion behaves like that, and so a bound becomes an assertion. It stands at the head of
//! each loop without a known number of turns, and of each procedure that may call or post itself,
//!
//! ```text
//! havoc limit;  assert !limit;
//! ```
//!
//! where `limit` is true when the engine unrolls no further. Everything after the bound is cut off
//! by this assertion like by any other, and "is the bound ever reached" is one more question about failures.

use crate::calls::Calls;
use crate::turns::Turns;
use crate::walk;
use crate::{
    Block, ChoiceKind, ErrorKind, ExprKind, Local, LoopId, Place, Proc, Program, Stmt, StmtKind,
    Types, UnaryOp, checked,
};
use base::source::Span;

/// The program with probes at loops and at procedures that may call or post themselves.
pub fn with_limits(program: &Program) -> Program {
    let recursive = Calls::and_posts(program).recursive();
    let mut probed = program.clone();
    for (index, recursive) in recursive.into_iter().enumerate() {
        let mut proc = std::mem::take(&mut probed.procs[index]);
        let turns = Turns::new(&probed, &proc);
        if recursive || (0..proc.loops).any(|l| turns.of(LoopId(l)).is_none()) {
            insert(&mut probed, &mut proc, &turns, recursive);
        }
        probed.procs[index] = proc;
    }
    checked(probed, "probing")
}

fn insert(program: &mut Program, proc: &mut Proc, turns: &Turns, recursive: bool) {
    let local = Local::hidden("limit", Types::BOOL).declared_in(&mut proc.locals);
    let limit = program.add(ExprKind::Local(local), Types::BOOL);
    let goes_on = program.add(ExprKind::Unary(UnaryOp::Not, limit), Types::BOOL);
    let probe = |span: Span| {
        let place = Place::local(local, Types::BOOL);
        let check = StmtKind::Check(ErrorKind::Assertion, goes_on, "unrolled no further".into());
        [
            StmtKind::Havoc(place, ChoiceKind::Probe).at(span),
            // The user wrote no such check, so it has no place.
            check.at(Span::default()),
        ]
    };
    in_loops(&mut proc.body, turns, &probe);
    if recursive {
        // A task that begins with an await is pending there: a statement before the await would be a step of its own.
        let at = usize::from(proc.first_await().is_some());
        proc.body.splice(at..at, probe(proc.span));
    }
}

/// Puts a probe at the head of every loop without a known number of turns.
fn in_loops(block: &mut Block, turns: &Turns, probe: &impl Fn(Span) -> [Stmt; 2]) {
    walk::each_mut(block, &mut |stmt| {
        let span = stmt.span;
        if let StmtKind::Loop(l) = &mut stmt.kind
            && turns.of(l.id).is_none()
        {
            l.body.splice(0..0, probe(span));
        }
    });
}
