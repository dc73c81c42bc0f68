//! Random executions of the slow machine, with any values of inputs, to find a bug or a data race. `trace::race` sees two accesses
//! race however far apart they are, so a few executions show many races.

use answer::{Answer, Counted, Engine, Figure, Verdict};
use base::clock::Instant;
use base::work;
use ir::Program;
use options::{Scheduler, Sought};
use trace::simulate::{Dice, Length, Outcome, Simulated, simulate};
use trace::{Bounds, Bug, race, replay, shrunk};

/// The most visits of the dispatcher in an execution.
const LONGEST: usize = 2_000;

/// Looks for a bug, or a race if one is sought, in random executions: until `end`, with `most` visits of the dispatcher in all.
pub(super) fn wander(
    program: &Program,
    sought: Sought,
    most: Option<u64>,
    end: Instant,
) -> Option<Answer> {
    let begin = Instant::now();
    // A turn of another length makes other executions: a longer one does not repeat a shorter one.
    let first = most.unwrap_or(0);
    let most = usize::try_from(most.unwrap_or(u64::MAX)).unwrap_or(usize::MAX);
    let (mut visits, mut executions) = (0, 0);
    while visits < most && Instant::now() < end && !work::stopping() {
        let length = Length {
            visits: LONGEST.min(most - visits),
            end: Some(end),
        };
        let mut dice = Dice::new(first.wrapping_add(executions));
        let made = simulate(program, Scheduler::Bag, &mut dice, length);
        executions += 1;
        visits += made
            .schedule
            .as_ref()
            .map_or(1, |schedule| 1 + schedule.decisions.len());
        if let Some(bug) = bug(program, sought, made) {
            let mut answer = Answer {
                bugs: vec![bug],
                ..Answer::new(
                    Engine::Explicit,
                    Verdict::Bug,
                    "found by executions at random",
                )
            };
            answer
                .stats
                .push(Figure::Count(Counted::Executions, executions));
            answer.took(begin.elapsed());
            return Some(answer);
        }
    }
    None
}

/// The bug or race of an execution, shown by a shorter execution if there is one.
fn bug(program: &Program, sought: Sought, made: Simulated) -> Option<Bug> {
    if made.outcome == Outcome::Dropped {
        return None;
    }
    let schedule = made.schedule?;
    let raced = (sought == Sought::Races)
        .then(|| race::first(program, &schedule))
        .flatten();
    let shown = match raced {
        Some(raced) => raced,
        None if made.outcome == Outcome::Failed => schedule,
        None => return None,
    };
    let (_, bug) = replay(program, Scheduler::Bag, &shown).ok()?;
    Some(shrunk(program, Scheduler::Bag, Bounds::default(), bug?))
}
