//! Fair scheduling: livelocks and good-samaritan violations, after Musuvathi and Qadeer,
//! *Fair Stateless Model Checking* (PLDI 2008).
//!
//! ```text
//! model (states, who can run, steps) -> rules (Algorithm 1, bounds) -> stateful | stateless | random -> report
//!                                                                  graph -> cycles -> loops
//! ```
//!
//! A task yields, in the paper's word, with a step that ends at a `sleep`. The statement `yield` is
//! no yield in that sense: it is a point where a task can be interrupted, like every other.

mod cycles;
mod graph;
mod loops;
mod model;
mod priority;
mod report;
mod rules;
mod stateful;
mod stateless;
mod tasks;
#[cfg(test)]
mod tests;
