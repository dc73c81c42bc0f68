//! Proofs without bounds: any schedule, any number of tasks, nothing unrolled.
//!
//! Tasks are [automata](code) of the places where they rest, [split] by truth values that they keep there. The shared state is
//! the globals and a counter for each place. [Horn clauses](system) speak of it: `R(S)` for the reachable shared states; for a
//! kind of tasks whose locals matter, [`J(S, V, n)`](counted) for those in which `n` of them rest with locals V, for every V.
//! Guesses solve the clauses: the [affine hull](hull) of the reachable states, [what often holds](shapes) of tasks with equal
//! locals, what [excludes](exclusions) what; [Spacer](spacer) adds the rest. The guess is [checked](certificate).
//!
//! **Why a proof is one.** By induction over the steps of the bag scheduler, which has the executions of every other. In every
//! reachable state, with S its shared part: `R(S)` holds, each counter says how many tasks rest at its place, and `J(S, V, n)`
//! holds for all locals V, where `n` says at each place how many tasks rest there with these. *In the beginning* there is `main`,
//! and S is what the clause of the start says. *A step* is one of the [ways](segment) of one task. The task was at its place, so
//! its counter was at least 1; if locals matter there, so was the number of tasks with its own. The clauses of the way give `R`
//! of the new shared state, and `J` of it for every V: the task is taken away where it was, if V names its locals there, and
//! added where it rests now. So is each task that it has posted. All others have their locals still. A check that fails, or a
//! deadlock, would be the premise of a clause whose conclusion is false; the invariant excludes those. Only the automaton rests
//! at some places: that just adds steps, and so do conditions that are taken for possible.
//!
//! With a number of delays the [sequential] program takes the place of the automata: its executions are those [within](mod@within)
//! so many delays.
//!
//! A proof counts only after a fresh solver has decided each clause. What is not handled is refused, never left out.

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
