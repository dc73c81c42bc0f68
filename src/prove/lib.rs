//! Proofs without bounds: any schedule, any number of tasks, nothing unrolled.
//!
//! A program's tasks are [automata](code) of the places where tasks rest, [split] by truth values that tasks
//! keep there. The shared state is the globals with a counter for each place, and the program becomes [Horn clauses](system) over it: `R(S)` for the reachable shared states, and, for a kind of
//! tasks whose locals matter somewhere, [`J(S, V, n)`](counted) for those in which `n` tasks of it rest with the locals V, for every
//! V. The clauses are solved by guessing the [affine hull](hull) of the reachable states, and [what often holds](shapes) of tasks with
//! the same locals, what [excludes](exclusions) what, and asking [Spacer](spacer) for the rest; the guess is [checked](certificate).
//!
//! **Why a proof is one.** By induction over the steps of the bag scheduler, which has the executions of every other: in
//! every reachable state, with S its shared part, `R(S)` holds, each counter says how many tasks rest at its place, and `J(S, V, n)`
//! holds for all locals V, where `n` says at each place how many tasks rest there with these. *In the beginning* there is `main`, and S
//! is what the clause of the start says. *A step* is one of the [ways](segment) of one task: it was at its place, so its counter was at
//! least 1, and if locals matter there, so was the number of tasks with its own. The clauses of the way give `R` of the new shared
//! state, and `J` of it for every V: the task is taken away where it was, if V names its locals there, and added where it rests now,
//! and so is each task that it has posted. All others have their locals still. A check that
//! fails, or a deadlock, would be the premise of a clause whose conclusion is false, and the invariant excludes those. Places where the
//! automaton rests and the program does not only add steps, and so do conditions that are taken for possible.
//!
//! With a number of delays the [sequential] program takes the place of the automata: its executions are those [within](mod@within)
//! so many delays.
//!
//! What follows a proof is said only after each clause was decided by a fresh solver. What is not handled is refused, never left out.

mod accesses;
mod answer;
mod apart;
mod attempt;
mod beside;
mod certificate;
mod code;
mod constants;
mod counted;
mod ended;
mod exclusions;
mod expr;
mod external;
mod hull;
mod linear;
mod live;
mod matters;
mod numbers;
mod open;
mod own;
mod races;
mod refusal;
mod script;
mod segment;
mod sequential;
mod shapes;
mod spacer;
mod split;
mod system;
mod tasks;
mod value;
mod within;
mod words;
mod wrapping;
mod z3run;

pub use answer::answer;
pub use within::within;
