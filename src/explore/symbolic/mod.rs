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
//! What statements and schedules mean is what `semantics` says; each counterexample is replayed by it. A condition of which the solver
//! does not say whether it can hold leaves the question open: it is never taken for one or the other.

mod answer;
mod canon;
mod eliminate;
mod finals;
mod follow;
mod forget;
mod linear;
mod live;
mod machine;
mod mutants;
mod nearest;
mod needed;
mod oracle;
mod ordered;
mod path;
mod project;
mod races;
mod run;
mod search;
mod state;
mod sum;
mod touch;
mod traces;
mod truth;
mod turn;
mod values;
mod witness;
mod words;

pub(crate) use answer::{explore, unsupported};
