//! The rules of depth-first order: sections 5.2 and 5.3 of the paper.
//!
//! In this order a segment is followed by the tasks that it posted, the first
//! posted first, each with all its descendants, and at last by its own rest if
//! it yielded. A task that is *called* where it was posted runs too early in
//! one respect only: what its poster does after the post comes before it. So the
//! state at the end of the poster's segment is guessed, put into `Gbar`, and
//! checked when the segment ends.
//!
//! ```text
//! Gbar[k]: the state in which the next dispatch of round k starts
//!
//! [[post p e]]   Gbar[k_round] := the state at the end of this segment, guessed
//!                g_tmp := g; choose k >= k_round; g := Gbar[k];
//!                call p(e), in round k;  Gbar[k] := g;  g := g_tmp
//! [[yield]]      Gbar[k_round] := g; choose k >= k_round; g := Gbar[k]
//! ```
//!
//! The paper guesses at every dispatch. Here the guess is put off to the first post of the segment: without one, nothing looks at
//! `Gbar[k_round]` before the segment ends. Only what the segment may still write is guessed. So a task that posts nothing, and
//! one whose posts come after its writes, needs no guess at all. A segment that *has* guessed owes `assume g == g_guess`.
//!
//! The round and the guess belong to the running segment. The paper hands them to
//! every call and takes them back; here they are globals that a post saves and restores.
//!
//! A check that fails stops the execution. The state says so, in a field `failed` of the globals that only a failing check
//! writes. A segment that is dispatched in such a state is skipped, and leaves the state as it is. So everything that comes later
//! in time sees the failure, in this round and in all others, whether it comes earlier or later in the sequential program. The
//! state in which the last round ends shows it, and the one assertion of the sequential program stands there.

use ir::{BinaryOp, Block, Local, Place, Proc, Step, Stmt, Type};
use thin_vec::thin_vec;

use super::context::Context;
use super::flow::{Certainty, Point};
use super::map::MarkKind;
use super::waiting;

/// Before the first post of a segment: `Gbar[k_round] :=` the state at its end.
pub fn announce(cx: &mut Context, point: &Point) -> Block {
    if point.posted == Certainty::Always {
        return Block::new();
    }
    let block = announced(cx, point);
    match cx.vars.posted {
        Some(flag) if point.posted == Certainty::Maybe => {
            let flag = cx.out.global(flag);
            let not_yet = cx.out.not(flag);
            thin_vec![cx.out.when(not_yet, block)]
        }
        _ => block,
    }
}

fn announced(cx: &mut Context, point: &Point) -> Block {
    let mut block = Block::new();
    if let (Some(g), Some(guess)) = (cx.vars.g, cx.vars.guess) {
        block.push(if point.later.is_empty() {
            cx.note("what this segment has written stays: this is the state at its end")
        } else {
            cx.note("guess the state at the end of this segment")
        });
        block.push(cx.out.copy(guess, g));
        block.extend(
            point
                .later
                .iter()
                .map(|f| guess_field(cx, f))
                .collect::<Vec<_>>(),
        );
        block.extend(put(cx, guess));
    } else if let Some(g) = cx.vars.g {
        block.push(cx.note("what this segment has written stays: this is the state at its end"));
        block.extend(put(cx, g));
    }
    if let Some(flag) = cx.vars.posted {
        block.push(cx.out.set_bool(flag, true));
    }
    block
}

/// `Gbar[k_round] := value`
fn put(cx: &mut Context, value: ir::GlobalId) -> Option<Stmt> {
    let gbar = cx.vars.gbar_now(&mut cx.out)?;
    let value = cx.out.global(value);
    Some(cx.out.assign(gbar, value))
}

/// Guesses a field. Of `done` it guesses the task's own element, because the task writes no other.
fn guess_field(cx: &mut Context, field: u32) -> Stmt {
    let guess = cx
        .vars
        .guess
        .expect("there is a guess where something is guessed");
    let mut place = cx.out.part(cx.out.place(guess), Step::Field(field));
    if let Some(own) = cx
        .vars
        .own_handle
        .filter(|_| cx.vars.own.done == Some(field))
    {
        let own = cx.out.global(own);
        place = cx.out.part(place, Step::Index(own));
    }
    cx.out.guess(place)
}

/// Ends a segment: checks the guess of its last state, or, without a guess, puts that state into `Gbar`.
pub fn end(cx: &mut Context, posted: Certainty) -> Block {
    let Some(g) = cx.vars.g else {
        return Block::new();
    };
    let known: Block = put(cx, g).into_iter().collect();
    let checked: Block = cx
        .vars
        .guess
        .map(|guess| check(cx, g, guess))
        .into_iter()
        .collect();
    match (posted, cx.vars.posted) {
        (Certainty::Never, _) => known,
        (Certainty::Maybe, Some(flag)) => {
            let flag = cx.out.global(flag);
            if checked.is_empty() {
                let flag = cx.out.not(flag);
                return thin_vec![cx.out.when(flag, known)];
            }
            thin_vec![cx.out.stmt(ir::StmtKind::If(flag, checked, known))]
        }
        _ => checked,
    }
}

/// `assume g == g_guess`
fn check(cx: &mut Context, g: ir::GlobalId, guess: ir::GlobalId) -> Stmt {
    let (g, guess) = (cx.out.global(g), cx.out.global(guess));
    let equal = cx.out.eq(g, guess);
    cx.out.assume(equal)
}

/// A yield: the segment ends, the next starts.
pub fn suspend(cx: &mut Context, point: &Point) -> Block {
    let mut block = suspended(cx, point);
    block.extend(start(cx));
    block
}

/// The segment ends at a preemption point.
pub fn suspended(cx: &mut Context, point: &Point) -> Block {
    let mut block = thin_vec![cx.note("the segment ends, and the rest of the task is dispatched")];
    block.extend(end(cx, point.posted));
    block
}

/// The start of a segment.
pub fn start(cx: &mut Context) -> Block {
    match cx.procs.dispatch {
        Some(dispatch) => thin_vec![cx.out.call(dispatch, Vec::new())],
        None => starts(cx),
    }
}

/// `proc dispatch()`
pub fn dispatch(cx: &mut Context) {
    let doc = "A segment is dispatched, maybe after some delays: its round is known, and in which state it starts.";
    declare_dispatch(cx, starts, doc);
}

/// A procedure that chooses the round of a segment that cannot be blocked, and lets it start.
pub fn declare_dispatch(cx: &mut Context, starts: fn(&mut Context) -> Block, doc: &str) {
    let mut locals = Vec::new();
    let mut body = delay(cx, &mut locals);
    match cx.procs.start {
        Some(start) => body.push(cx.out.call(start, Vec::new())),
        None => body.extend(starts(cx)),
    }
    cx.push(helper("dispatch", locals, body), doc);
}

/// `while * && k_delay > 0 { k_delay := k_delay - 1; k_round := k_round + 1 }`, without the loop.
pub fn delay(cx: &mut Context, locals: &mut Vec<Local>) -> Block {
    let (Some(k_delay), Some(k_round)) = (cx.vars.k_delay, cx.vars.k_round) else {
        return Block::new();
    };
    let ty = cx
        .out
        .program
        .types
        .intern(Type::Range(0, i128::from(cx.delays)));
    let id = Local::hidden("delays", ty).declared_in(locals);
    let (delays, left, round) = (
        cx.out.local(id, ty),
        cx.out.global(k_delay),
        cx.out.global(k_round),
    );
    let mut possible = cx.out.binary(BinaryOp::Le, delays, left);
    let (fewer, later) = (
        cx.out.binary(BinaryOp::Sub, left, delays),
        cx.out.binary(BinaryOp::Add, round, delays),
    );
    let mut block = thin_vec![cx.out.guess(Place::local(id, ty))];
    if cx.vars.waiting.is_some() {
        let all = cx.out.int(cx.rounds);
        let no_further = cx.out.binary(BinaryOp::Le, later, all);
        possible = cx.out.and(possible, no_further);
        block.push(cx.mark(MarkKind::Delays, vec![round, delays]));
    }
    block.extend([
        cx.out.assume(possible),
        cx.out.set(k_delay, fewer),
        cx.out.set(k_round, later),
    ]);
    // The task was in a round before. If it is beyond the last round, it was delayed in the last round.
    block.extend(waiting::moves(cx, cx.rounds));
    block
}

/// `g := Gbar[k_round]`, and nothing has happened yet.
pub fn starts(cx: &mut Context) -> Block {
    let mut block = Block::new();
    if let (Some(g), Some(gbar)) = (cx.vars.g, cx.vars.gbar_now(&mut cx.out)) {
        let value = cx.out.read(&gbar, &[]);
        block.push(cx.out.set(g, value));
    }
    for flag in [cx.vars.posted, cx.vars.visible].into_iter().flatten() {
        block.push(cx.out.set_bool(flag, false));
    }
    block
}

/// A procedure of the translation's own.
pub fn helper(name: &str, locals: Vec<Local>, body: Block) -> Proc {
    let span = base::source::Span::default();
    Proc {
        name: name.to_owned(),
        locals,
        body,
        span,
        ..Proc::default()
    }
}
