//! All schedules of programs whose values are open: control as it is, values as terms, and what is known of them on the way.
//!
//! ```text
//! machine, run, truth, values
//!                one segment of one task in every way that some values take (state, path)
//! oracle         whether a condition can hold: known, by the values at hand, asked before, a solver
//! eliminate      the same for comparisons of sums, without a solver
//! canon, forget, live, needed, project, linear, sum
//!                one form for what no execution can tell apart
//! turn           who may run next: schedulers and budgets
//! search         breadth first over the forms
//! races          accesses that two tasks come to next
//! ordered        accesses in the past, and who comes after them
//! traces, touch, follow
//!                one execution of each trace, by the reduction of `dpor`
//! witness, nearest
//!                an execution that was found, with values that are easy to read
//! finals, words  what executions end with, as people write it
//! answer         in words
//! mutants        wrong rules, for tests of the tests
//! ```
//!
//! `semantics` says what statements and schedules mean; it replays each counterexample. If the solver cannot decide a condition,
//! the question stays open: the condition counts neither as true nor as false.

pub mod answer;
pub mod canon;
pub mod eliminate;
pub mod ends;
pub mod finals;
pub mod fitting;
pub mod follow;
pub mod forget;
pub mod linear;
pub mod live;
pub mod machine;
pub mod mutants;
pub mod nearest;
pub mod needed;
pub mod oracle;
pub mod ordered;
pub mod path;
pub mod project;
pub mod races;
pub mod run;
pub mod search;
pub mod state;
pub mod sum;
pub mod touch;
pub mod traces;
pub mod truth;
pub mod turn;
pub mod values;
pub mod witness;
pub mod words;

pub use ends::{Ends, ends};
pub use fitting::OPEN_WORK;

use ::answer::Answer;
use base::stack::on_big_stack;
use ir::Program;
use options::ExploreOptions;

/// Looks at the program's executions, as far as the options say: with numbers where they fit, else with terms.
#[must_use]
pub fn explore(program: &Program, options: &ExploreOptions) -> Answer {
    on_big_stack(|| fitting::explore(program, options))
}
