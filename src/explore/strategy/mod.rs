//! Which of the choices are explored, and what is remembered of them.
//!
//! A strategy asks the space for the steps of a state; it knows nothing of
//! statements and nothing of how a scheduler lies in a state.

mod arena;
mod count;
mod expand;
mod keyed;
mod order;
mod random;
mod ranks;
mod recent;
mod retrace;
mod rounds;
mod stateful;
mod stateless;
mod system;
mod team;
mod tree;
mod worker;
mod worth;

pub use count::of_search as executions;
pub use expand::{Expander, Failure, Finals, Output};
pub use random::search as random;
pub use recent::NEAR;
pub use retrace::retrace;
pub use stateful::{LAST_REGROUP, Pair, REGROUP, search as stateful};
pub use stateless::{failing, search as stateless};
pub use system::{Expansion, System};
pub use tree::TreeWorker;
pub use worker::{Batch, Worker};
pub use worth::{FOR_ONE, equal_tasks_meet, most_pending, numbers_to_exchange};
