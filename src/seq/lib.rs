//! Sequentialization: a program with tasks becomes one without.
//!
//! This is section 5 of *Delay-Bounded Scheduling* (Emmi, Qadeer, Rakamarić), with what it leaves to the reader. The executions
//! of the sequential program are those of the original one under a depth-first scheduler with at most K delays. The sequential
//! program is an ordinary program, without posts, preemption points, awaits and atomic blocks. An engine that verifies it knows
//! nothing of tasks.
//!
//! The way: find out which [versions] of procedures there are, what they [do to globals](effects), what is
//! [known about segments](flow), and what the program [needs]. Then declare the [vocabulary] and [translate] the
//! statements by the rules of [dfs] or [rdfs], inside the frame that [tasks] makes. The [map] leads back.

pub mod context;
pub mod dfs;
pub mod effects;
pub mod fields;
pub mod flow;
pub mod graph;
pub mod map;
pub mod needs;
pub mod print;
pub mod rdfs;
pub mod tasks;
pub mod translate;
pub mod versions;
pub mod vocabulary;
pub mod waiting;

use base::source::Span;
use ir::walk;
use ir::{Dialect, ExprKind, Program, Types};
use options::Scheduler;

use context::{Context, ProcTable};
use effects::Effects;
use flow::{Certainty, Facts};
use ir::edit::Editor;
use map::Map;
use needs::Needs;
use versions::{Role, Versions};
use vocabulary::{Flags, Own, Plan};

/// A sequential program, and the way back.
#[derive(Clone, Debug)]
pub struct Sequential {
    /// Without posts, preemption points, awaits and atomic blocks.
    pub program: Program,
    /// From its executions to those of the original program.
    pub map: Map,
}

/// Which executions the sequential program has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// K: how many delays may be spent.
    pub delays: u32,
    /// How many rounds there are where tasks may wait; at least K + 1. Every other program has K + 1 rounds.
    pub rounds: u32,
}

/// By default there are this many rounds more than delays, where tasks wait.
const ROUNDS_FOR_WAITING: u32 = 8;

impl Budget {
    /// Like `new`, for loops that turn `unroll` times: the default has no more rounds than the awaits that are reached can need.
    #[must_use]
    pub fn unrolled(program: &Program, delays: u32, rounds: Option<u32>, unroll: u32) -> Self {
        let most = Self::new(delays, rounds);
        let reached = needs::awaits(program, &Versions::of(program), Some(unroll));
        let needed = reached
            .filter(|_| rounds.is_none())
            .map(|n| n.saturating_add(delays + 1));
        Self::new(
            delays,
            Some(needed.map_or(most.rounds, |n| n.min(most.rounds))),
        )
    }

    /// K delays, and that many rounds, or as many as waiting tasks get by default.
    #[must_use]
    pub fn new(delays: u32, rounds: Option<u32>) -> Self {
        let rounds = rounds.unwrap_or(delays.saturating_add(ROUNDS_FOR_WAITING));
        Self {
            delays,
            rounds: rounds.max(delays.saturating_add(1)),
        }
    }
}

/// Whether a task of the program can be blocked, so that the number of rounds matters.
#[must_use]
pub fn can_wait(program: &Program) -> bool {
    Needs::of(program, &Versions::of(program)).waits
}

/// The sequential program of the executions within a budget under a depth-first scheduler:
/// [`Scheduler::ReverseDepthFirst`], or [`Scheduler::DepthFirst`] for any other.
#[must_use]
pub fn sequentialize(program: &Program, budget: Budget, scheduler: Scheduler) -> Sequential {
    let delays = budget.delays;
    let reverse = scheduler == Scheduler::ReverseDepthFirst;
    let versions = Versions::of(program);
    let effects = Effects::of(program, &versions);
    let needs = Needs::of(program, &versions);
    let needed = needs.rounds(delays);
    let rounds = needed.map_or(budget.rounds, |needed| needed.min(budget.rounds));
    // After the fields of the program there may be two more.
    let mut field = u32::try_from(effects.shared.len()).expect("fewer globals than 2^32")..;
    let own = Own {
        done: needs.join.then(|| field.next()).flatten(),
        failed: needs.checks.then(|| field.next()).flatten(),
    };
    let facts = flow::facts(program, &effects, &versions, own);
    let (flags, guesses) = undecided(&facts, reverse);
    let plan = Plan {
        program,
        effects: &effects,
        needs: &needs,
        own,
        flags,
        delays,
        rounds,
        enough: needed == Some(rounds),
        reverse,
        guesses,
    };
    let mut out = Editor {
        program: empty(program),
        span: Span::default(),
    };
    let (v, translated) = vocabulary::declare(&plan, &mut out);
    let procs = ProcTable::new(program, &versions, &needs, delays, reverse);
    let mut cx = Context {
        program,
        effects: &effects,
        versions: &versions,
        needs: &needs,
        delays,
        rounds,
        reverse,
        vars: v,
        translated,
        procs,
        marks: Vec::new(),
        docs: Vec::new(),
        out,
    };
    procedures(&mut cx, &facts);
    let map = Map::new(&cx);
    Sequential {
        program: ir::checked(cx.out.program, "sequentialization"),
        map,
    }
}

/// A program with the types of the original one and nothing else.
fn empty(program: &Program) -> Program {
    let mut types = program.types.clone();
    // The new program is in our language, whatever the language of the original.
    types.dialect = Dialect::Async;
    types.addresses = Vec::new();
    Program {
        types,
        exprs: Vec::with_capacity(program.exprs.len() * 2),
        init: program.init,
        main: program.main,
        own_end: program.own_end,
        scope: program.scope.clone(),
        ..Program::empty()
    }
}

/// The flags that data flow could not decide, and whether anything is guessed beside the rounds.
fn undecided(facts: &[Option<Facts>], reverse: bool) -> (Flags, bool) {
    let points = || facts.iter().flatten().flat_map(|f| &f.before);
    let visible = points().any(|p| p.implicit && p.visible == Certainty::Maybe);
    if reverse {
        return (
            Flags {
                posted: false,
                visible,
            },
            true,
        );
    }
    let announced = points().any(|p| p.posted == Certainty::Maybe && (p.announces || p.ends));
    let at_end = facts
        .iter()
        .flatten()
        .any(|f| f.posted_at_end == Certainty::Maybe);
    let guesses =
        points().any(|p| p.announces && p.posted != Certainty::Always && !p.later.is_empty());
    (
        Flags {
            posted: announced || at_end,
            visible,
        },
        guesses,
    )
}

/// Adds all procedures, in the order of their table.
fn procedures(cx: &mut Context, facts: &[Option<Facts>]) {
    let main = cx.versions.index(versions::Version {
        proc: cx.program.main,
        role: Role::Task,
    });
    tasks::main(cx, facts[main].as_ref());
    cx.out.span = Span::default();
    if cx.procs.start.is_some() {
        waiting::start(cx);
    }
    if cx.procs.dispatch.is_some() && cx.procs.dispatch != cx.procs.start {
        if cx.reverse {
            rdfs::dispatch(cx);
        } else {
            dfs::dispatch(cx);
        }
    }
    if cx.procs.turn.is_some() {
        waiting::turn(cx);
    }
    if cx.procs.retire.is_some() {
        rdfs::retire(cx);
    }
    if cx.procs.resume.is_some() {
        rdfs::resume(cx);
    }
    let mut posts = cx.procs.posts.clone();
    for (i, &version) in cx.versions.list.iter().enumerate() {
        if posts[version.proc.index()].take().is_some() {
            let entry = cx.versions.entry(cx.program, version.proc);
            tasks::post(cx, version.proc, facts[entry].as_ref());
        }
        translate::version(cx, version, facts[i].as_ref());
    }
    init(cx);
}

/// Initial values: the program's own, then those of our variables.
fn init(cx: &mut Context) {
    let original = cx.program.proc(cx.program.init);
    let mut body = translate::init(cx);
    cx.out.span = Span::default();
    for field in [cx.vars.own.done, cx.vars.own.failed].into_iter().flatten() {
        let g = cx.out.place(cx.vars.state());
        let place = cx.out.part(g, ir::Step::Field(field));
        let nothing = cx.out.program.plain_value(place.ty);
        body.push(cx.out.assign(place, nothing));
    }
    let v = &cx.vars;
    let (k, tracked) = (cx.delays, cx.needs.tracked[cx.program.main.index()]);
    let numbers = [
        (v.k_delay, k),
        (v.own_handle, u32::from(tracked)),
        (v.last_task, 1),
    ];
    let waiting = v
        .waiting
        .map(vocabulary::Waiting::all)
        .into_iter()
        .flatten();
    let others = [v.gbar, v.guess, v.k_round, v.posted, v.visible];
    let others: Vec<_> = others.into_iter().flatten().chain(waiting).collect();
    for (global, value) in numbers {
        let Some(global) = global else { continue };
        let value = cx
            .out
            .program
            .add(ExprKind::int(i128::from(value)), Types::INT);
        body.push(cx.out.set(global, value));
    }
    for global in others {
        let value = cx
            .out
            .program
            .plain_value(cx.out.program.globals[global.index()].ty);
        body.push(cx.out.set(global, value));
    }
    cx.out.program.init = cx.procs.init;
    cx.out.program.main = cx.procs.main;
    let (locals, name) = (cx.locals(original), original.name.clone());
    cx.push(
        ir::Proc {
            name,
            locals,
            body,
            ..translate::proc_shell(original)
        },
        "Initial values.",
    );
}
