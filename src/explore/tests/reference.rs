//! The search that defines what every other one has to find: a list of states to look at, each with the way there.

use rustc_hash::FxHashSet;

use options::{ExploreOptions, Strategy};

use crate::strategy::{Expansion, System, failing};
use machine::found::{Counts, Found, Trail};

/// A state that is still to be looked at.
struct Todo {
    row: Box<[u32]>,
    trail: Trail,
    /// How many delays in a row led here.
    delays: u32,
}

struct Search<'a, S> {
    system: &'a mut S,
    options: &'a ExploreOptions,
    todo: Vec<Todo>,
    seen: FxHashSet<Box<[u32]>>,
    found: Found,
}

/// Searches all executions; every state once, if they are stored.
pub fn search<S: System>(system: &mut S, options: &ExploreOptions) -> Found {
    let mut search = Search {
        system,
        options,
        todo: Vec::new(),
        seen: FxHashSet::default(),
        found: Found {
            counts: Counts::from_zero(),
            ..Found::default()
        },
    };
    search.run();
    search.found.counts.states = Some(search.seen.len() as u64);
    search.found
}

impl<S: System> Search<'_, S> {
    fn run(&mut self) {
        let mut out = Expansion::default();
        self.system.begin(&mut out);
        self.follow(None, &out);
        while let Some(todo) = self.todo.pop() {
            if self.system.halt().now() {
                self.found.limit = Some(self.system.halt().which());
            }
            if self.found.ends(self.options) {
                return;
            }
            let dispatches = todo.trail.steps.iter().filter(|s| !s.delay).count() as u64;
            if dispatches >= self.options.max_steps && !self.system.is_final(&todo.row) {
                self.found.too_long(&todo.trail);
                continue;
            }
            self.system.expand(&todo.row, &mut out);
            self.follow(Some(&todo), &out);
        }
    }

    fn follow(&mut self, from: Option<&Todo>, out: &Expansion) {
        out.told.add_to(&mut self.found);
        let executions = self.found.counts.executions.get_or_insert(0);
        *executions += out.executions();
        let before = from.map_or_else(Trail::default, |todo| todo.trail.clone());
        for failure in out.failures() {
            let (kind, span) = self.system.error(failure);
            (self.found).bug(kind, span, || failing(&before, failure, from.is_none()));
        }
        for (number, made) in out.moves.iter().enumerate() {
            let row: Box<[u32]> = out.moves.row(number).into();
            let mut trail = before.clone();
            match from {
                None => trail.begin = made.step.way,
                Some(_) => trail.steps.push(made.step),
            }
            let delays = match made.step.delay {
                true => from.map_or(0, |todo| todo.delays) + 1,
                false => 0,
            };
            self.arrive(Todo { row, trail, delays });
        }
    }

    fn arrive(&mut self, todo: Todo) {
        let goes_on = match self.options.strategy {
            Strategy::Stateful => self.seen.insert(todo.row.clone()),
            // Without a budget, delays end when they have come back to the same state.
            _ if self.options.delays.is_none() => {
                todo.delays == 0 || todo.delays < self.system.circle(&todo.row)
            }
            _ => true,
        };
        if goes_on {
            self.todo.push(todo);
        }
    }
}
