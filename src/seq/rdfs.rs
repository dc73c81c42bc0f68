//! The rules of reverse depth-first order.
//!
//! Here a segment that yielded is followed by its own rest, then by the tasks that it
//! posted, the last posted first, each with all its descendants. The calls of the
//! sequential program come in the order of posting, so seen from them time runs backwards: of two
//! posted tasks, the one that is called first is dispatched last, and a
//! segment precedes all that it has posted.
//!
//! *Claim.* Read a round's dispatches from the last to the first. That is the
//! order in which the sequential program *finishes* them, where a yield
//! that is not delayed does not count as an end. *Proof* by induction over the tree of segments: reversed,
//! "a segment, its rest's subtree, its children's subtrees from the last to the
//! first" reads "its children's subtrees from the first to the last, its rest's subtree, the segment",
//! each subtree reversed in itself. The program calls the children while the segment
//! runs, each returning before the next is called. If the segment yields and its rest stays in the round, the rest directly
//! follows it. So the two are one run without an interruption, and its children are those of both parts in order. If the rest is
//! delayed, none of its subtree is in this round, and the segment has finished at the yield. Tasks that were delayed into a round
//! are dispatched in the order of the round before, which is this order again: a delay moves a subtree to a later round and
//! leaves it in its place.
//!
//! So the chain of states is built from its end, with guessed *starts*:
//!
//! ```text
//! Gbar[k]: the state in which the part of round k that is known already starts
//!
//! [[post p e]]   g_tmp := g; choose k >= k_round; guess g_start; g := g_start;
//!                call p(e), in round k;
//!                assume g == Gbar[k]; Gbar[k] := g_start;  g := g_tmp
//! [[yield]]      nothing, or, delayed to round k > k_round:
//!                assume g == Gbar[k_round]; Gbar[k_round] := g_start;
//!                guess g_start; g := g_start
//! ```
//!
//! At first `Gbar[k]` is the guessed end of round k, and at last its start, which must be
//! the end of the round before.
//!
//! As in [`super::dfs`], everything that comes later in time sees a failing check. A run that starts in a state in which a check
//! has failed is skipped, and so ends in that state.

use ir::{Block, ExprId, Local, LocalId, Place, StmtKind, Types};
use thin_vec::thin_vec;

use super::context::Context;
use super::dfs::{declare_dispatch, helper};
use super::flow::Point;
use super::waiting::{self, find_round};

pub fn suspend(cx: &mut Context, _: &Point) -> Block {
    let mut block =
        thin_vec![cx.note("the rest of the task follows at once, unless it is delayed")];
    match cx.procs.resume {
        Some(resume) => block.push(cx.out.call(resume, Vec::new())),
        None => block.extend(nothing_visible(cx)),
    }
    block
}

fn nothing_visible(cx: &mut Context) -> Block {
    cx.vars
        .visible
        .map(|flag| cx.out.set_bool(flag, false))
        .into_iter()
        .collect()
}

/// `proc resume()`
pub fn resume(cx: &mut Context) {
    let Some(some_left) = waiting::some_left(cx) else {
        return;
    };
    let (retire, dispatch) = (
        cx.procs.retire.expect("rdfs has it"),
        cx.procs.dispatch.expect("rdfs has it"),
    );
    let delayed = LocalId(0);
    let condition = cx.out.local(delayed, Types::BOOL);
    let mut then = thin_vec![cx.out.assume(some_left), cx.out.call(retire, Vec::new())];
    then.extend(waiting::delay(cx));
    then.push(cx.out.call(dispatch, Vec::new()));
    let mut body = thin_vec![
        cx.out.guess(Place::local(delayed, Types::BOOL)),
        cx.out.when(condition, then),
    ];
    body.extend(nothing_visible(cx));
    let doc = "A yield: the rest follows at once, or the run ends here and the rest is dispatched in a later round.";
    cx.push(
        helper("resume", vec![Local::hidden("delayed", Types::BOOL)], body),
        doc,
    );
}

/// An await: the rest follows at once, unless it is delayed or blocked.
pub fn wait(cx: &mut Context, locals: &mut Vec<Local>, blocked: ExprId) -> Block {
    let mut block =
        thin_vec![cx.note("the rest of the task follows at once, unless it is blocked or delayed")];
    let mut put_off = blocked;
    if let Some(left) = waiting::some_left(cx) {
        let later = Local::hidden("delayed", Types::BOOL).declared_in(locals);
        block.push(cx.out.guess(Place::local(later, Types::BOOL)));
        let chosen = cx.out.local(later, Types::BOOL);
        let delayed = cx.out.and(chosen, left);
        put_off = cx.out.or(blocked, delayed);
    }
    let mut then = leaves_round(cx, blocked);
    then.extend(find_round(cx, blocked));
    block.push(cx.out.when(put_off, then));
    block
}

/// Ends the run. Its rest is passed over if it is blocked, and delayed if not.
fn leaves_round(cx: &mut Context, blocked: ExprId) -> Block {
    let retire = cx.procs.retire.expect("rdfs has it");
    let passed_over = waiting::next_round(cx);
    let delayed = waiting::delay(cx);
    thin_vec![
        cx.out.call(retire, Vec::new()),
        cx.out.stmt(StmtKind::If(blocked, passed_over, delayed)),
    ]
}

/// The end of a run, if it is in a round.
pub fn retired(cx: &mut Context) -> Block {
    let Some(retire) = cx.procs.retire else {
        return Block::new();
    };
    let call = cx.out.call(retire, Vec::new());
    if cx.vars.waiting.is_none() {
        return thin_vec![call];
    }
    let (round, all) = (cx.vars.round(&mut cx.out), cx.out.int(cx.rounds));
    let in_a_round = cx.out.binary(ir::BinaryOp::Lt, round, all);
    thin_vec![cx.out.when(in_a_round, thin_vec![call])]
}

/// `proc dispatch()`
pub fn dispatch(cx: &mut Context) {
    let doc = "A run is dispatched, maybe after some delays: its round is known, the state in which it starts is guessed.";
    declare_dispatch(cx, starts, doc);
}

/// `g_start := *; g := g_start`
pub fn starts(cx: &mut Context) -> Block {
    let mut block = Block::new();
    if let (Some(g), Some(start)) = (cx.vars.g, cx.vars.guess) {
        block.push(cx.out.guess(cx.out.place(start)));
        block.push(cx.out.copy(g, start));
    }
    block.extend(nothing_visible(cx));
    block
}

/// `proc retire()`
pub fn retire(cx: &mut Context) {
    let mut body = Block::new();
    if let (Some(g), Some(gbar)) = (cx.vars.g, cx.vars.gbar_now(&mut cx.out)) {
        let (now, next) = (cx.out.global(g), cx.out.read(&gbar, &[]));
        let follows = cx.out.eq(now, next);
        body.push(cx.out.assume(follows));
        body.extend(begin(cx));
    }
    let doc =
        "A run has finished: what is known of its round must start in the state in which it ends.";
    cx.push(helper("retire", Vec::new(), body), doc);
}

/// `Gbar[k_round] := g_start`
pub fn begin(cx: &mut Context) -> Block {
    let (Some(start), Some(gbar)) = (cx.vars.guess, cx.vars.gbar_now(&mut cx.out)) else {
        return Block::new();
    };
    let start = cx.out.global(start);
    thin_vec![cx.out.assign(gbar, start)]
}
