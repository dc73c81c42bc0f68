//! The explicit engine: runs the program's executions, one after the other or state by state.

mod reference;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
mod verdict;

use std::time::Instant;

use crate::answer::Answer;
use crate::ir::Program;
use crate::options::ExploreOptions;
use crate::stack::on_big_stack;

/// Looks at the program's executions, as far as the options say.
#[must_use]
pub fn explore(program: &Program, options: &ExploreOptions) -> Answer {
    on_big_stack(|| {
        let begin = Instant::now();
        let found = reference::search(program, options);
        verdict::answer(program, options, &found, begin.elapsed())
    })
}
