//! Proofs without bounds: any schedule, any number of tasks, nothing unrolled.
//!
//! A program's tasks are [automata](code) of the places where tasks rest. The shared state is the globals with a counter for each
//! place, and the program becomes [Horn clauses](system) over it: `R(S)` for the reachable shared states, and `I_p(S, L)` for
//! those in which a task rests at `p` with locals `L` that still matter. The clauses are solved by guessing the
//! [affine hull](hull) of the reachable states and asking [Spacer](spacer) for the rest, and the guess is [checked](certificate).
//!
//! **Why a proof is one.** By induction over the steps of the bag scheduler, which has the executions of every other: in
//! every reachable state, with S its shared part, `R(S)` holds, each counter says how many tasks rest at its place, and
//! `I_p(S, L)` holds for every task at `p` with locals `L`. *In the beginning* there is `main`, and S is what the clause of the
//! start says. *A step* is one of the [ways](segment) of one task: it was at its place, so its counter was at least 1 and its
//! `I` (or `R`) held; the clauses of the way give `R` of the new shared state, `I` of the task where it rests now, and `I` of
//! each task that it has posted. *Every other task* has its locals still, and the clause that sets its `I` beside the step
//! gives its `I` of the new shared state; there were two tasks at the place if both were at the same one. A check that
//! fails, or a deadlock, would be the premise of a clause whose conclusion is false, and the invariant excludes those. Places where the
//! automaton rests and the program does not only add steps, and so do conditions that are taken for possible.
//!
//! What follows a proof is said only after each clause was decided by a fresh solver. What is not handled is refused, never left out.

mod answer;
mod attempt;
mod certificate;
mod code;
mod expr;
mod external;
mod hull;
mod instance;
mod linear;
mod live;
mod refusal;
mod search;
mod segment;
mod sequential;
mod spacer;
mod system;
mod tasks;
mod value;
mod within;
mod words;
mod z3run;

pub use answer::{ProveOptions, Proved, answer};
pub use search::some_end;
pub use within::{Holds, Within, within};
