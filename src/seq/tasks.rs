//! The frame around tasks: what a post has become, and the new `main`.

use ir::{
    BinaryOp, Block, ErrorKind, ExprId, GlobalId, Local, LocalId, Place, Proc, ProcId, Step, Stmt,
    StmtKind, TypeId,
};
use thin_vec::thin_vec;

use super::context::Context;
use super::flow::{Certainty, Facts};
use super::map::MarkKind;
use super::needs::can_block;
use super::versions::Role;
use super::{dfs, rdfs, translate, waiting};

/// The locals of a procedure in the making.
struct Locals(Vec<Local>);

impl Locals {
    fn add(&mut self, name: &'static str, ty: TypeId) -> LocalId {
        Local::hidden(name, ty).declared_in(&mut self.0)
    }
}

/// `proc post_p(…)`: the paper's `[[post p e]]`, once for all posts of a procedure.
pub fn post(cx: &mut Context, proc: ProcId, facts: Option<&Facts>) {
    let original = cx.program.proc(proc);
    let tracked = cx.needs.tracked[proc.index()];
    let mut locals = Locals(cx.locals(original));
    locals.0.truncate(original.params as usize);
    let args: Vec<_> = (0..original.params)
        .map(|i| cx.out.local(LocalId(i), locals.0[i as usize].ty))
        .collect();
    cx.out.span = original.span;
    let mut body = Block::new();
    let handle = if tracked {
        number(cx, &mut locals, &mut body)
    } else {
        None
    };
    let saved = save(cx, &mut locals, &mut body);
    if let (Some(own), Some(handle)) = (cx.vars.own_handle, handle) {
        body.push(cx.out.set(own, handle));
    }
    let entry = cx.versions.entry(cx.program, proc);
    let run = cx.out.call(cx.procs.versions[entry], args);
    let run = whole(cx, run, proc, entry, facts);
    if original
        .first_await()
        .is_some_and(|a| can_block(cx.program, a))
    {
        // Whether the task is blocked depends on its arguments, so it looks for its round itself.
        body.extend(run);
    } else {
        body.extend(dfs::start(cx));
        body.push(cx.dispatched(MarkKind::Posted(proc)));
        body.extend(unless_stopped(cx, run, true));
    }
    body.extend(rdfs::retired(cx));
    body.push(cx.mark(MarkKind::Returned, Vec::new()));
    restore(cx, &saved, &locals.0, &mut body);
    if let Some(handle) = handle {
        body.push(cx.out.stmt(StmtKind::Return(Some(handle))));
    }
    let result = handle.and(cx.vars.handle);
    let doc = format!(
        "[[post {}]]: the task runs where it is posted, on the globals as they will be.",
        original.name
    );
    let name = format!("post_{}", original.name);
    cx.push(
        Proc {
            name,
            locals: locals.0,
            result,
            body,
            ..translate::proc_shell(original)
        },
        doc,
    );
}

/// Gives the task a handle.
fn number(cx: &mut Context, locals: &mut Locals, body: &mut Block) -> Option<ExprId> {
    let (last, ty) = (cx.vars.last_task?, cx.vars.handle?);
    let (value, one) = (cx.out.global(last), cx.out.int(1));
    let next = cx.out.binary(BinaryOp::Add, value, one);
    body.push(cx.out.set(last, next));
    let task = locals.add("handle", ty);
    body.push(cx.out.assign(Place::local(task, ty), value));
    Some(cx.out.local(task, ty))
}

/// Saves what belongs to the poster's segment.
fn save(cx: &mut Context, locals: &mut Locals, body: &mut Block) -> Vec<(GlobalId, LocalId)> {
    let v = &cx.vars;
    let names = [
        (v.g, "g_tmp"),
        (v.k_round, "k_tmp"),
        (v.guess, if cx.reverse { "start_tmp" } else { "guess_tmp" }),
        (v.own_handle, "self_tmp"),
    ];
    let mut saved = Vec::new();
    for (global, name) in names {
        let Some(global) = global else { continue };
        let ty = cx.out.program.globals[global.index()].ty;
        let local = locals.add(name, ty);
        let value = cx.out.global(global);
        body.push(cx.out.assign(Place::local(local, ty), value));
        saved.push((global, local));
    }
    saved
}

/// The poster goes on. It has posted, which is visible.
fn restore(cx: &mut Context, saved: &[(GlobalId, LocalId)], locals: &[Local], body: &mut Block) {
    for &(global, local) in saved {
        let value = cx.out.local(local, locals[local.index()].ty);
        body.push(cx.out.set(global, value));
    }
    for flag in [cx.vars.posted, cx.vars.visible].into_iter().flatten() {
        body.push(cx.out.set_bool(flag, true));
    }
}

/// The run of a task and the end of its last segment. A failing check has ended its segment itself in dfs; in rdfs
/// a run retires in any case.
fn whole(cx: &mut Context, run: Stmt, proc: ProcId, entry: usize, facts: Option<&Facts>) -> Block {
    let mut end = cx.finish(proc);
    if cx.procs.retire.is_none() {
        let posted = facts.map_or(Certainty::Maybe, |f| f.posted_at_end);
        end.extend(dfs::end(cx, posted));
    }
    let mut block = thin_vec![run];
    block.extend(unless_stopped(cx, end, cx.needs.may_stop[entry]));
    block
}

fn unless_stopped(cx: &mut Context, block: Block, may_stop: bool) -> Block {
    if !may_stop || block.is_empty() {
        return block;
    }
    let Some(stopped) = cx.stops() else {
        return block;
    };
    let runs = cx.out.not(stopped);
    thin_vec![cx.out.when(runs, block)]
}

/// The new `main`: guesses the rounds, runs the original one, joins the rounds together.
pub fn main(cx: &mut Context, facts: Option<&Facts>) {
    let mut locals = Locals(Vec::new());
    let mut body = Block::new();
    let guess = round_guesses(cx, &mut locals, &mut body);
    if let (true, Some(g), Some(start)) = (cx.reverse, cx.vars.g, cx.vars.guess) {
        body.push(cx.out.copy(start, g));
    }
    body.extend(waiting::moves(cx, cx.rounds - 1));
    let main = cx.version(cx.program.main, Role::Task);
    let run = cx.out.call(main, Vec::new());
    let entry = cx.versions.index(super::versions::Version {
        proc: cx.program.main,
        role: Role::Task,
    });
    body.extend(whole(cx, run, cx.program.main, entry, facts));
    body.extend(rdfs::retired(cx));
    if let Some(guess) = &guess {
        rounds_follow(cx, guess, &locals.0, &mut body);
    }
    final_state(cx, guess.as_ref(), &locals.0, &mut body);
    verdict(cx, &mut body);
    waiting::verdict(cx, &mut body);
    if let Some(finally) = cx.program.finally {
        body.push(cx.mark(MarkKind::Finally, Vec::new()));
        body.push(cx.out.call(cx.version(finally, Role::Final), Vec::new()));
    }
    let doc = "The initial configuration; the original `main` is `main_task`.";
    let span = cx.program.proc(cx.program.main).span;
    cx.push(
        Proc {
            span,
            ..dfs::helper("main", locals.0, body)
        },
        doc,
    );
}

/// `Gbar := Gbar_guess`. dfs: the state in which each round but the first starts; rdfs: in which each round ends.
fn round_guesses(cx: &mut Context, locals: &mut Locals, body: &mut Block) -> Option<Place> {
    let gbar = cx.vars.gbar?;
    let (first, note) = match (cx.reverse, cx.rounds) {
        (false, 1) => return None,
        (false, _) => (1, "guess the state in which each later round starts"),
        (true, _) => (0, "guess the state in which each round ends"),
    };
    let ty = cx.out.program.globals[gbar.index()].ty;
    let local = locals.add("Gbar_guess", ty);
    let place = Place::local(local, ty);
    body.push(cx.note(note));
    // An array that is guessed part by part gets a value first. The first round of dfs keeps that value.
    if cx.vars.k_round.is_some() {
        let initial = cx.out.global(gbar);
        body.push(cx.out.assign(place.clone(), initial));
    }
    for round in first..cx.rounds {
        let part = at_round(cx, place.clone(), round);
        body.push(cx.out.guess(part));
    }
    let value = cx.out.local(local, ty);
    body.push(cx.out.set(gbar, value));
    Some(place)
}

fn at_round(cx: &mut Context, place: Place, round: u32) -> Place {
    if cx.vars.k_round.is_none() {
        return place;
    }
    let round = cx.out.int(round);
    cx.out.part(place, Step::Index(round))
}

/// Each round starts in the state in which the one before it ends.
fn rounds_follow(cx: &mut Context, guess: &Place, locals: &[Local], body: &mut Block) {
    if cx.rounds > 1 {
        body.push(cx.note("each round starts in the state in which the one before it ends"));
    }
    for round in 1..cx.rounds {
        // dfs: the guess is the start of a round, and `Gbar` holds the end of the one before. rdfs: the other way round.
        let (guessed, accumulated) = if cx.reverse {
            (round - 1, round)
        } else {
            (round, round - 1)
        };
        let guessed = at_round(cx, guess.clone(), guessed);
        let guessed = cx.out.read(&guessed, locals);
        let Some(accumulated) = cx.vars.gbar_at(&mut cx.out, accumulated) else {
            return;
        };
        let accumulated = cx.out.read(&accumulated, locals);
        let follows = cx.out.eq(accumulated, guessed);
        body.push(cx.out.assume(follows));
    }
}

/// The one assertion of the sequential program.
fn verdict(cx: &mut Context, body: &mut Block) {
    if cx.vars.own.failed.is_none() {
        return;
    }
    let failed = cx.vars.failed(&mut cx.out);
    let none = cx.out.not(failed);
    body.push(cx.note("every guess was right: if an assertion has failed, it has failed indeed"));
    let text = "an assertion of the original program fails".to_owned();
    body.push(
        cx.out
            .stmt(StmtKind::Check(ErrorKind::Assertion, none, text.into())),
    );
}

/// `g :=` the end of the last round
fn final_state(cx: &mut Context, guess: Option<&Place>, locals: &[Local], body: &mut Block) {
    let Some(g) = cx.vars.g else { return };
    let end = match guess {
        Some(guess) if cx.reverse => Some(at_round(cx, guess.clone(), cx.rounds - 1)),
        _ => cx.vars.gbar_at(&mut cx.out, cx.rounds - 1),
    };
    if let Some(end) = end {
        let value = cx.out.read(&end, locals);
        let stmt: Stmt = cx.out.set(g, value);
        body.push(stmt);
    }
}
