//! How the round of a dispatch is found where tasks can be blocked.
//!
//! A blocked task is passed over and goes to the next round, for free. Which round a task is dispatched in is then no
//! guess: when its turn in round j comes, `Gbar[j]` *is* the state in which it would be dispatched there.
//!
//! ```text
//! turn := 0
//! while turn < R {
//!   if k_round == turn {
//!     g := Gbar[k_round]
//!     if g.failed        { stopped := true }                        // nothing happens any more
//!     else if blocked(g) { waited[k_round] := true; k_round := k_round + 1 }
//!     else               { moved[k_round] := true;
//!                          if * && k_delay > 0 { k_delay := k_delay - 1; k_round := k_round + 1 } }
//!   }
//!   turn := turn + 1
//! }
//! if k_round == R { cut := true; stopped := true }
//! ```
//!
//! In reverse depth-first order `Gbar[j]` is the state in which the known part of round j starts. It is also the
//! state at the task's place in the round if the task does nothing there, so the same condition is looked at if the
//! task is passed over or delayed; if it runs, it is not blocked in the guessed state in which it starts.
//!
//! A round in which a task was passed over, and in which none ran and none was delayed, began and ended in one state, in which
//! all pending tasks are blocked: a deadlock. Tasks are passed over there until the rounds are used up, so `cut` is set
//! as well; a failure or a deadlock comes first. An execution with `cut` and neither of them was not followed to its end.

use base::source::Span;
use ir::{
    BinaryOp, Block, ErrorKind, ExprId, Local, LocalId, Loop, LoopId, Place, StmtKind, Types,
};
use thin_vec::thin_vec;

use super::context::Context;
use super::map::MarkKind;
use super::vocabulary::Waiting;
use super::{dfs, rdfs};

/// The procedure in which a round is looked for: it gets more locals and loops.
pub struct Room<'a> {
    pub locals: &'a mut Vec<Local>,
    /// How many loops it has.
    pub loops: &'a mut u32,
}

impl Room<'_> {
    /// A variable that only this search uses: so the turns of its loop can be counted.
    fn local(&mut self, name: &str, ty: ir::TypeId) -> LocalId {
        let of_that_name = |l: &&Local| l.hidden && l.name.starts_with(name);
        let others = self.locals.iter().filter(of_that_name).count();
        let name = match others {
            0 => name.to_owned(),
            n => format!("{name}_{n}"),
        };
        Local::hidden(name, ty).declared_in(self.locals)
    }
}

#[derive(Clone, Copy)]
pub struct Who {
    /// When it is blocked, in terms of `g`; `None` if it never is.
    pub blocked: Option<ExprId>,
    pub span: Span,
}

impl Who {
    /// A task that is not blocked.
    pub const FREE: Self = Self {
        blocked: None,
        span: Span { start: 0, end: 0 },
    };
}

/// Looks for the round, from `k_round` on, in which a task is dispatched.
pub fn find_round(cx: &mut Context, waiting: Waiting, mut room: Room<'_>, who: Who) -> Block {
    let k_round = cx.vars.k_round.expect("there are rounds where tasks wait");
    let turn = room.local("turn", Types::INT);
    let chosen = room.local("later", Types::BOOL);
    let here = if cx.reverse {
        in_reverse(cx, waiting, chosen, who)
    } else {
        in_order(cx, waiting, chosen, who)
    };
    let (now, number, one) = (
        cx.out.global(k_round),
        cx.out.local(turn, Types::INT),
        cx.out.int(1),
    );
    let (this, next) = (
        cx.out.eq(now, number),
        cx.out.binary(BinaryOp::Add, number, one),
    );
    let (zero, all) = (cx.out.int(0), cx.out.int(cx.rounds));
    let place = Place::local(turn, Types::INT);
    let search = Loop {
        id: LoopId(*room.loops),
        pre: Block::new(),
        cond: cx.out.binary(BinaryOp::Lt, number, all),
        body: thin_vec![cx.out.when(this, here)],
        step: thin_vec![cx.out.assign(place.clone(), next)],
    };
    *room.loops += 1;
    let after_all = cx.out.eq(now, all);
    let cut = thin_vec![
        cx.mark(MarkKind::Waits(who.span), Vec::new()),
        cx.out.set_bool(waiting.cut, true),
        cx.out.set_bool(waiting.stopped, true),
    ];
    thin_vec![
        cx.note("which round: a blocked task is passed over, another runs or is delayed"),
        cx.out.assign(place, zero),
        cx.out.stmt(StmtKind::Loop(Box::new(search))),
        cx.out.when(after_all, cut),
    ]
}

/// A turn in depth-first order.
fn in_order(cx: &mut Context, waiting: Waiting, chosen: LocalId, who: Who) -> Block {
    let mut runs = thin_vec![this_round(cx, waiting.moved)];
    runs.extend(maybe_delayed(cx, chosen));
    let goes = match who.blocked {
        None => runs,
        Some(blocked) => {
            let passed_over = passed_over(cx, waiting);
            thin_vec![cx.out.stmt(StmtKind::If(blocked, passed_over, runs))]
        }
    };
    let mut block = dfs::starts(cx);
    block.extend(unless_stopped(cx, waiting, goes));
    block
}

/// `if g.failed { stopped := true } else { … }`
fn unless_stopped(cx: &mut Context, waiting: Waiting, goes: Block) -> Block {
    if cx.vars.own.failed.is_none() {
        return goes;
    }
    let failed = cx.vars.failed(&mut cx.out);
    let stop = thin_vec![cx.out.set_bool(waiting.stopped, true)];
    thin_vec![cx.out.stmt(StmtKind::If(failed, stop, goes))]
}

/// A turn in reverse depth-first order.
fn in_reverse(cx: &mut Context, waiting: Waiting, chosen: LocalId, who: Who) -> Block {
    let mut runs = rdfs::starts(cx);
    let mut goes = Block::new();
    if let Some(blocked) = who.blocked {
        let free = cx.out.not(blocked);
        goes.push(cx.out.assume(free));
    }
    goes.push(this_round(cx, waiting.moved));
    runs.extend(unless_stopped(cx, waiting, goes));
    let later = not_in_this_round(cx, waiting, who);
    let condition = cx.out.local(chosen, Types::BOOL);
    thin_vec![
        cx.out.guess(Place::local(chosen, Types::BOOL)),
        cx.out.stmt(StmtKind::If(condition, later, runs)),
    ]
}

/// rdfs: the task does not run in this round.
fn not_in_this_round(cx: &mut Context, waiting: Waiting, who: Who) -> Block {
    let mut block = Block::new();
    if let (Some(g), Some(gbar)) = (cx.vars.g, cx.vars.gbar_now(&mut cx.out)) {
        let value = cx.out.read(&gbar, &[]);
        block.push(cx.out.set(g, value));
    }
    if cx.vars.own.failed.is_some() {
        let failed = cx.vars.failed(&mut cx.out);
        let none = cx.out.not(failed);
        block.push(cx.out.assume(none));
    }
    let mut delayed = match some_left(cx) {
        Some(left) => thin_vec![cx.out.assume(left), this_round(cx, waiting.moved)],
        None => {
            let never = cx.out.bool(false);
            thin_vec![cx.out.assume(never)]
        }
    };
    delayed.extend(delay(cx));
    match who.blocked {
        None => block.extend(delayed),
        Some(blocked) => {
            let passed_over = passed_over(cx, waiting);
            block.push(cx.out.stmt(StmtKind::If(blocked, passed_over, delayed)));
        }
    }
    block
}

/// `list[k_round] := true`
fn this_round(cx: &mut Context, list: ir::GlobalId) -> ir::Stmt {
    let place = cx.vars.of_this_round(list, &mut cx.out);
    let yes = cx.out.bool(true);
    cx.out.assign(place, yes)
}

/// The task is blocked in this round.
pub fn passed_over(cx: &mut Context, waiting: Waiting) -> Block {
    let mut block = thin_vec![this_round(cx, waiting.waited)];
    block.extend(next_round(cx));
    block
}

/// `if * && k_delay > 0 { … }`
fn maybe_delayed(cx: &mut Context, chosen: LocalId) -> Block {
    let Some(left) = some_left(cx) else {
        return Block::new();
    };
    let condition = cx.out.local(chosen, Types::BOOL);
    let condition = cx.out.and(condition, left);
    let delayed = delay(cx);
    thin_vec![
        cx.out.guess(Place::local(chosen, Types::BOOL)),
        cx.out.when(condition, delayed),
    ]
}

/// `k_delay > 0`, if there are delays at all.
pub fn some_left(cx: &mut Context) -> Option<ExprId> {
    let left = cx.out.global(cx.vars.k_delay?);
    let zero = cx.out.int(0);
    Some(cx.out.binary(BinaryOp::Lt, zero, left))
}

/// A delay is paid.
pub fn delay(cx: &mut Context) -> Block {
    let Some(k_delay) = cx.vars.k_delay else {
        return Block::new();
    };
    let (left, one) = (cx.out.global(k_delay), cx.out.int(1));
    let fewer = cx.out.binary(BinaryOp::Sub, left, one);
    let round = cx.vars.round(&mut cx.out);
    let mut block = thin_vec![
        cx.mark(MarkKind::Delays, vec![round]),
        cx.out.set(k_delay, fewer),
    ];
    block.extend(next_round(cx));
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

/// `main` runs in the first round.
pub fn main_moves(cx: &mut Context) -> Block {
    match cx.vars.waiting {
        Some(waiting) => thin_vec![this_round(cx, waiting.moved)],
        None => Block::new(),
    }
}

/// At the end, when every guess was right: no round was a deadlock, and no task needed more rounds.
pub fn verdict(cx: &mut Context, body: &mut Block) {
    let Some(waiting) = cx.vars.waiting else {
        return;
    };
    let mut stuck = cx.out.bool(false);
    for round in 0..cx.rounds {
        let waited = cx.vars.of_round(waiting.waited, round, &mut cx.out);
        let moved = cx.vars.of_round(waiting.moved, round, &mut cx.out);
        let still = cx.out.not(moved);
        let this = cx.out.and(waited, still);
        stuck = cx.out.or(stuck, this);
    }
    let goes_on = cx.out.not(stuck);
    if cx.program.scope.deadlocks {
        body.push(cx.note(
            "a round in which tasks were pending and none ran and none was delayed is a deadlock",
        ));
        let text = "every pending task is blocked".to_owned();
        let check = StmtKind::Check(ErrorKind::Deadlock, goes_on, text.into());
        body.push(cx.out.stmt(check));
    }
    body.push(
        cx.note("an execution in which a task needs more rounds was not followed to its end"),
    );
    let cut = cx.out.global(waiting.cut);
    body.push(cx.mark(MarkKind::Cut, vec![cut]));
    let whole = cx.out.not(cut);
    body.push(cx.out.assume(whole));
}
