//! Globals that get their values in the first segment are like globals that begin with these values.
//!
//! `GIVEN=N` compares N random programs of each kind, `GIVEN_SEED=S` begins with seed S.

use std::time::Duration;

use super::wild::{contradiction, number, said_reduced};
use super::*;
use answer::Counted;
use ir::{Block, ChoiceKind, ExprId, ExprKind, Root, StmtKind, walk};
use machine::given;
use testing::generate::{Features, program as random};
use testing::random_program::{shrink, wild_program};

fn options() -> ExploreOptions {
    let mut options = ExploreOptions {
        all: true,
        finals: true,
        work: Some(20_000),
        ..ExploreOptions::default()
    };
    options.limits.timeout = Duration::from_secs(5);
    options
}

/// The same program, whose globals have no values until `main` gives them those with which they began.
fn given_by_main(mut program: Program) -> Program {
    let (init, main) = (program.init.index(), program.main.index());
    let mut begin = std::mem::take(&mut program.procs[init].body);
    let mut given = Block::new();
    for stmt in &mut begin {
        if let StmtKind::Assign(place, value) = &stmt.kind
            && matches!(place.root, Root::Global(_))
            && is_literal(&program, *value)
        {
            given.push(stmt.clone());
            stmt.kind = StmtKind::Havoc(place.clone(), ChoiceKind::User);
        }
    }
    program.procs[init].body = begin;
    program.procs[main].body.splice(..0, given);
    assert_eq!(ir::validate(&program), Ok(()));
    program
}

fn is_literal(program: &Program, value: ExprId) -> bool {
    let expr = program.expr(value);
    let mut parts = walk::operands(expr).into_iter();
    let is_leaf = matches!(expr.kind, ExprKind::Int(_) | ExprKind::Bool(_));
    let is_whole = matches!(
        expr.kind,
        ExprKind::Fill(_) | ExprKind::Array(_) | ExprKind::Record(_) | ExprKind::Convert(_)
    );
    is_leaf || is_whole && parts.all(|part| is_literal(program, part))
}

/// Which globals are known to be set before they are needed.
fn known(program: &Program) -> Vec<bool> {
    let first = given::open_at_the_start(program).and_then(|open| {
        let code = code::compile_with(program, false, false, &open);
        given::set_first(&shared(program, &options(), code), &open)
    });
    let given = |global| {
        let first = first.as_ref();
        first.is_some_and(|first| first[global] == First::Given)
    };
    (0..program.globals.len()).map(given).collect()
}

/// How the answers differ if globals have no values at first, and for how many it is known that this does not matter.
fn difference(text: &str) -> (Option<String>, usize) {
    let compiled = compile::compile("random", text, &CheckOptions::default());
    let Some(program) = compiled.program else {
        return (None, 0);
    };
    let later = given_by_main(program.clone());
    let count = known(&later).iter().filter(|&&known| known).count();
    let said = |program: &Program| {
        said_reduced(program, &options(), |shared| {
            Reduction::allowed(shared, &options())
        })
    };
    let why = match (said(&program), said(&later)) {
        (Ok(one), Ok(other)) => contradiction(&one, &other),
        (Err(why), _) => Some(why),
        (_, Err(why)) => Some(format!("set by main: {why}")),
    };
    (why, count)
}

#[test]
fn it_makes_no_difference_who_gives_the_first_values() {
    let first = number("GIVEN_SEED").unwrap_or(1);
    let mut known = 0;
    for seed in first..first + number("GIVEN").unwrap_or(150) {
        let features = Features {
            handles: seed % 5 == 1,
            choices: seed % 3 == 1,
            mode: [None, Some("statement"), Some("access")][usize::try_from(seed % 3).unwrap()],
            parts: seed % 2 == 1,
            waits: seed % 2 == 0,
        };
        let (why, count) = difference(&random(seed, features));
        assert_eq!(why, None, "seed {seed}\n{}", random(seed, features));
        known += count;
        let wild = wild_program(seed);
        let (why, count) = difference(&wild.text());
        if why.is_some() {
            let small = shrink(&wild, |p| difference(&p.text()).0.is_some()).text();
            panic!("seed {seed}\n{small}\n{:?}", difference(&small).0);
        }
        known += count;
    }
    println!("{known} globals");
    assert!(known > 50, "{known}");
}

#[test]
fn only_what_is_set_first_and_never_forgotten_is_given() {
    let main = |body: &str| {
        let text = format!(
            "var all: [3]bool; var some: [3]0..9; var wide: int; var late: [2]bool := [false; _];
             proc other() {{ havoc late; assert all[1] || some[1] < 9 || wide > 0; }}
             proc main() {{ {body} post other(); }}"
        );
        known(&compile("given", &text))
    };
    let all = "for i in 0..2 { all[i] := true; } wide := 7;";
    assert_eq!(
        main(&format!("{all} some[0] := 1;")),
        [true, false, true, false]
    );
    assert_eq!(
        main(&format!("{all} some := [1; _];")),
        [true, true, true, false]
    );
    // Another task may come first, a value is needed, there are several ways, the execution ends.
    for first in [
        "yield;",
        "if some[0] == 1 { skip; }",
        "if * { wide := 8; }",
        "assert false;",
    ] {
        assert_eq!(
            main(&format!("{first} {all} some := [1; _];")),
            [false; 4],
            "{first}"
        );
    }
}

#[test]
fn states_are_as_many_as_if_globals_began_with_their_values() {
    let ring = |declared: &str, first: &str| {
        let text = format!(
            "const N := 5;
             var fork: [N]bool{declared};
             proc philosopher(i: 0..N - 1) {{
               while true {{
                 await !fork[i] {{ fork[i] := true; }}
                 await !fork[(i + 1) % N] {{ fork[(i + 1) % N] := true; }}
                 yield;
                 fork[i] := false;
                 yield;
                 fork[(i + 1) % N] := false;
               }}
             }}
             proc main() {{ {first} for i in 0..N - 1 {{ post philosopher(i); }} }}"
        );
        explore(&compile("ring", &text), &options()).count(Counted::States)
    };
    let at_once = ring(" := [false; _]", "");
    assert!(at_once.is_some());
    assert_eq!(ring("", "for i in 0..N - 1 { fork[i] := false; }"), at_once);
}
