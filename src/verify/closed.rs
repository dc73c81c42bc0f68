//! How much a program leaves open: choices of the user's that have more values than can be tried one by one.

use std::collections::BTreeSet;

use ir::calls::Calls;
use ir::silent::Way;
use ir::turns::endless_makers;
use ir::{Block, ChoiceKind, Program, Root, Stmt, StmtKind, TypeId, walk};

use super::plan::Shape;

/// The explicit engine tries the values of a choice one by one if there are at most so many.
const FEW: u128 = 256;

/// A variable that the user leaves open.
#[derive(Debug)]
pub(super) struct Open {
    pub name: String,
    pub ty: TypeId,
}

/// What the plan of a question depends on.
pub(super) fn shape(program: &Program, all_schedules: bool, finals: bool, races: bool) -> Shape {
    let endless = has_endless_step(program);
    let many_ways = endless || may_choose_endlessly(program);
    let makes_any = posts_without_bound(program);
    Shape {
        posts: walk::posts(program),
        endless,
        many_ways,
        makes_any,
        any_number: makes_any && (all_schedules || many_ways),
        open: is_open(program) && !floods(program),
        all_schedules,
        finals,
        races,
        has_cuts: !program.scope.cuts.is_empty(),
    }
}

/// Whether the program has choices that the explicit engine cannot try one by one: a choice among many values, or a loop that
/// chooses in each turn whether it goes on, all in one step.
pub(super) fn is_open(program: &Program) -> bool {
    wide_choice(program).is_some() || has_endless_step(program)
}

/// Whether a choice says in each turn of some loop whether it goes on, and no step can end in the loop.
pub(super) fn has_endless_step(program: &Program) -> bool {
    program
        .procs
        .iter()
        .any(|proc| chooses_endlessly(&proc.body))
}

/// Whether a step of the first task makes as many tasks as a choice says: such a step has endlessly many outcomes.
pub(super) fn floods(program: &Program) -> bool {
    let main = &program.proc(program.main).body;
    chooses_endlessly(main) && posts_without_bound(program)
}

fn chooses_endlessly(block: &Block) -> bool {
    let mut found = false;
    walk::each(block, &mut |stmt| {
        if let StmtKind::Loop(l) = &stmt.kind {
            let chooses = |s: &Stmt| matches!(s.kind, StmtKind::Havoc(_, ChoiceKind::User));
            let ends = |s: &Stmt| matches!(s.kind, StmtKind::Preempt(_) | StmtKind::Await(_));
            found |=
                l.pre.iter().any(chooses) && !walk::any(&l.pre, ends) && !walk::any(&l.body, ends);
        }
    });
    found
}

/// Whether some loop contains a choice and has a way around on which no step need end.
pub(super) fn may_choose_endlessly(program: &Program) -> bool {
    let chooses = |s: &Stmt| matches!(s.kind, StmtKind::Havoc(_, ChoiceKind::User));
    walk::anywhere(program, |stmt| {
        let StmtKind::Loop(l) = &stmt.kind else {
            return false;
        };
        // This does not look into calls: a step may end there.
        (walk::any(&l.pre, chooses) || walk::any(&l.body, chooses)) && Way::default().around(l)
    })
}

/// Whether some loop makes tasks and no constant bounds its turns. Then there may be any number of tasks.
pub(super) fn posts_without_bound(program: &Program) -> bool {
    !endless_makers(program).is_empty()
}

/// Whether tasks run two procedures that share nothing which one of them writes: steps of these tasks commute.
pub(super) fn has_tasks_apart(program: &Program) -> bool {
    let calls = Calls::of(program);
    let own = program.procs.iter().map(|proc| {
        let mut own = BTreeSet::new();
        walk::each(&proc.body, &mut |stmt| {
            for e in walk::exprs(stmt) {
                walk::reads(program, e, &mut |root| {
                    if let Root::Global(global) = root {
                        own.insert(global);
                    }
                    false
                });
            }
        });
        own
    });
    let (read, written) = (calls.united(own.collect()), calls.written(program));
    let mut posted = BTreeSet::new();
    for proc in &program.procs {
        walk::each(&proc.body, &mut |stmt| {
            if let StmtKind::Post(_, posts, _) = stmt.kind {
                posted.insert(posts.index());
            }
        });
    }
    let keeps = |a: usize, b: usize| {
        written[a].is_disjoint(&read[b]) && written[a].is_disjoint(&written[b])
    };
    let apart = |a, b| keeps(a, b) && keeps(b, a);
    (posted.iter()).any(|&a| posted.range(a + 1..).any(|&b| apart(a, b)))
}

/// A variable that the user leaves open and that has many values.
pub(super) fn wide_choice(program: &Program) -> Option<Open> {
    let mut found = None;
    for proc in &program.procs {
        walk::each(&proc.body, &mut |stmt| {
            if let StmtKind::Havoc(place, ChoiceKind::User) = &stmt.kind
                && program.types.size(place.ty).is_none_or(|n| n > FEW)
            {
                let (name, ty) = match place.root {
                    Root::Global(g) => {
                        let global = &program.globals[g.index()];
                        (global.name.clone(), global.ty)
                    }
                    Root::Local(l) => {
                        let local = &proc.locals[l.index()];
                        (local.name.to_string(), local.ty)
                    }
                };
                found.get_or_insert(Open { name, ty });
            }
        });
    }
    found
}

#[cfg(test)]
mod tests {
    use check::CheckOptions;
    use compile::compile;

    use super::posts_without_bound;

    fn makes_any_number(main: &str) -> bool {
        let text = format!("proc p() {{ }} proc main() {{ var i: int := 0; {main} }}");
        let compiled = compile("test", &text, &CheckOptions::default());
        posts_without_bound(&compiled.program.expect(&text))
    }

    /// A loop from C tests in its body, and counts by way of other variables.
    #[test]
    fn loops_that_count_to_a_constant_make_a_known_number_of_tasks() {
        let test = "if i < 2 { } else { break; }";
        assert!(!makes_any_number("while i < 2 { post p(); i := i + 1; }"));
        let next = "let old = i; let next = old + 1; i := next;";
        assert!(!makes_any_number(&format!(
            "while true {{ {test} post p(); {next} }}"
        )));
        for turn in [
            format!("{test} if * {{ continue; }} post p(); i := i + 1;"),
            format!("{test} post p(); if * {{ i := i + 1; }}"),
            format!("{test} post p(); i := i + 0;"),
            format!("{test} post p(); i := i + 1; i := 0;"),
            format!("post p(); {test} i := i + 1;"),
            "if i < 2 { } post p(); i := i + 1;".to_owned(),
        ] {
            assert!(
                makes_any_number(&format!("while true {{ {turn} }}")),
                "{turn}"
            );
        }
        let least = "var k: u8 := 0; while k <= 255 { post p(); k := k + 1; }";
        assert!(makes_any_number(least));
        assert!(makes_any_number(
            "var n: int; while i < n { post p(); i := i + 1; }"
        ));
    }
}
