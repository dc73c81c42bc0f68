//! How the round of a dispatch is found where tasks can be blocked.
//!
//! A blocked task is passed over and goes to the next round, for free. The round in which a task is dispatched is no guess: when
//! its turn in round j comes, `Gbar[j]` *is* the state in which it would be dispatched there.
//!
//! ```text
//! turn(j, blocked in Gbar[j]), for each round j in order:
//!   if k_round == j {
//!     if blocked                   { k_round := k_round + 1 }
//!     else if * && k_delay > 0     { k_delay := k_delay - 1; k_round := k_round + 1 }
//!   }
//! start():
//!   if k_round == R { cut := true }  else { g := Gbar[k_round] }
//! ```
//!
//! A task runs unless `k_round == R` or `g.failed`. In a state in which a check has failed it does not matter whether a
//! task is passed over: all later states are failed too, and it is skipped.
//!
//! In reverse depth-first order `Gbar[j]` is the state in which the known part of round j starts. If the task does nothing in
//! round j, it is also the state at the task's place there. So a task that is passed over or delayed looks at the same condition.
//! A task that runs is not blocked in the guessed state in which it starts.
//!
//! Suppose that a task is passed over in a round, and that no task runs or is delayed in it. Then the round begins and ends in
//! one state, in which all pending tasks are blocked: a deadlock. The rounds after it are like it, until a task is passed over in
//! the last one. So in a deadlock `cut` is true, and nothing has `moved` in the last round.
//!
//! Often it is known how many rounds suffice ([`super::needs::Needs::rounds`]). Then only a deadlock needs more, and `moved`
//! is not needed. Where fewer are allowed, an execution with `cut` and `moved` was not followed to its end.

use ir::{BinaryOp, Block, ErrorKind, ExprId, Local, Place, Proc, StmtKind, Types};
use thin_vec::thin_vec;

use super::context::Context;
use super::dfs::helper;
use super::map::MarkKind;
use super::{dfs, rdfs};

/// Looks for the round, from `k_round` on, in which a task that may be blocked is dispatched, and starts it there.
pub fn find_round(cx: &mut Context, blocked: ExprId) -> Block {
    let (Some(turn), Some(start)) = (cx.procs.turn, cx.procs.start) else {
        return Block::new();
    };
    let mut block = thin_vec![
        cx.note("which round: a blocked task is passed over, another runs or is delayed")
    ];
    for round in 0..cx.rounds {
        let args = vec![cx.out.int(round), cx.in_round(blocked, round)];
        block.push(cx.out.call(turn, args));
    }
    block.push(cx.out.call(start, Vec::new()));
    if let (true, Some(stops)) = (cx.reverse, cx.stops()) {
        let free = cx.out.not(blocked);
        let fits = cx.out.or(stops, free);
        block.push(cx.out.assume(fits));
    }
    block
}

/// `proc turn(round, blocked)`
pub fn turn(cx: &mut Context) {
    let mut locals = Vec::new();
    let round = Local::hidden("round", Types::INT).declared_in(&mut locals);
    let blocked = Local::hidden("blocked", Types::BOOL).declared_in(&mut locals);
    let later = Local::hidden("later", Types::BOOL).declared_in(&mut locals);
    let (now, round) = (cx.vars.round(&mut cx.out), cx.out.local(round, Types::INT));
    let this = cx.out.eq(now, round);
    let blocked = cx.out.local(blocked, Types::BOOL);
    let guess = cx.out.guess(Place::local(later, Types::BOOL));
    let later = cx.out.local(later, Types::BOOL);
    let (passed_over, delayed) = (next_round(cx), delay(cx));
    let here = match (cx.reverse, some_left(cx)) {
        (false, None) => thin_vec![cx.out.when(blocked, passed_over)],
        (false, Some(left)) => {
            let later = cx.out.and(later, left);
            let runs = thin_vec![guess, cx.out.when(later, delayed)];
            thin_vec![cx.out.stmt(StmtKind::If(blocked, passed_over, runs))]
        }
        (true, left) => {
            let mut put_off = Block::new();
            if let Some(left) = left {
                let possible = cx.out.or(blocked, left);
                put_off.push(cx.out.assume(possible));
                put_off.push(cx.out.stmt(StmtKind::If(blocked, passed_over, delayed)));
            } else {
                put_off.push(cx.out.assume(blocked));
                put_off.extend(passed_over);
            }
            thin_vec![guess, cx.out.when(later, put_off)]
        }
    };
    let body = thin_vec![cx.out.when(this, here)];
    let proc = Proc {
        params: 2,
        ..helper("turn", locals, body)
    };
    cx.push(
        proc,
        "The turn of a waiting task in a round, if it has come so far.",
    );
}

/// `proc start()`
pub fn start(cx: &mut Context) {
    let mut runs = if cx.reverse {
        rdfs::starts(cx)
    } else {
        dfs::starts(cx)
    };
    runs.extend(moves(cx, cx.rounds - 1));
    let now = cx.vars.round(&mut cx.out);
    let all = cx.out.int(cx.rounds);
    let none_left = cx.out.eq(now, all);
    let cut = cx
        .vars
        .waiting
        .map(|waiting| cx.out.set_bool(waiting.cut, true));
    let cut = cut.into_iter().collect();
    let body = thin_vec![cx.out.stmt(StmtKind::If(none_left, cut, runs))];
    cx.push(
        helper("start", Vec::new(), body),
        "A segment starts in the round that was found, if there is one.",
    );
}

/// `moved := moved || k_round == round`, if the program needs `moved`.
pub fn moves(cx: &mut Context, round: u32) -> Block {
    let Some(moved) = cx.vars.waiting.and_then(|waiting| waiting.moved) else {
        return Block::new();
    };
    let (before, now, round) = (
        cx.out.global(moved),
        cx.vars.round(&mut cx.out),
        cx.out.int(round),
    );
    let here = cx.out.eq(now, round);
    let moves = cx.out.or(before, here);
    thin_vec![cx.out.set(moved, moves)]
}

/// `k_delay > 0`, if there are delays at all.
pub fn some_left(cx: &mut Context) -> Option<ExprId> {
    let left = cx.out.global(cx.vars.k_delay?);
    let zero = cx.out.int(0);
    Some(cx.out.binary(BinaryOp::Lt, zero, left))
}

/// Pays for a delay, and goes on to the next round.
pub fn delay(cx: &mut Context) -> Block {
    let Some(k_delay) = cx.vars.k_delay else {
        return Block::new();
    };
    let (left, one) = (cx.out.global(k_delay), cx.out.int(1));
    let fewer = cx.out.binary(BinaryOp::Sub, left, one);
    let marked = vec![cx.vars.round(&mut cx.out), one];
    let mut block = thin_vec![
        cx.mark(MarkKind::Delays, marked),
        cx.out.set(k_delay, fewer),
    ];
    block.extend(next_round(cx));
    block.extend(moves(cx, cx.rounds));
    block
}

/// `k_round := k_round + 1`
pub fn next_round(cx: &mut Context) -> Block {
    let Some(k_round) = cx.vars.k_round else {
        return Block::new();
    };
    let (round, one) = (cx.out.global(k_round), cx.out.int(1));
    let next = cx.out.binary(BinaryOp::Add, round, one);
    thin_vec![cx.out.set(k_round, next)]
}

/// At the end, when every guess was right: the execution did not deadlock, and no task needed more rounds.
pub fn verdict(cx: &mut Context, body: &mut Block) {
    let Some(waiting) = cx.vars.waiting else {
        return;
    };
    let cut = cx.out.global(waiting.cut);
    let (stuck, goes_on) = match waiting.moved {
        None => (cut, cx.out.bool(false)),
        Some(moved) => {
            let moved = cx.out.global(moved);
            let still = cx.out.not(moved);
            (cx.out.and(cut, still), cx.out.and(cut, moved))
        }
    };
    if cx.program.scope.deadlocks {
        let note = "a task needs more rounds though nothing happened in the last one: a deadlock";
        body.push(cx.note(note));
        let fine = cx.out.not(stuck);
        let text = "every pending task is blocked".to_owned();
        let check = StmtKind::Check(ErrorKind::Deadlock, fine, text.into());
        body.push(cx.out.stmt(check));
    }
    let followed = cx.program.scope.deadlocks && waiting.moved.is_none();
    if !followed {
        let note = "an execution in which a task needs more rounds was not followed to its end";
        body.push(cx.note(note));
    }
    body.push(cx.mark(MarkKind::Cut, vec![goes_on]));
    if !followed {
        let whole = cx.out.not(cut);
        body.push(cx.out.assume(whole));
    }
}
