//! A partial interleaving: where the program is, how far each task has come, and how it came there.

use ir::Value;
use semantics::{Config, Queue};
use trace::pair::renamed;

use super::links::{Link, Path};
use super::names::{Choices, Name, Names};

/// How far a task has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Task {
    pub name: Name,
    /// Its execution counter: how many steps it has made.
    pub steps: u32,
    pub choices: Choices,
    /// How many tasks it has posted.
    children: u32,
}

/// The combined execution counter: the tasks that have run, and how far they have come.
pub(super) type Counter = Vec<(Name, u32, Choices)>;

/// A partial interleaving. Tasks are numbered in the order of their names, which does not depend on the order
/// in which they were posted.
#[derive(Clone)]
pub(super) struct Node<'p> {
    pub config: Config<'p>,
    pub tasks: Vec<Task>,
    pub path: Path,
    /// How many interleavings have led here; `None` if they are too many to count.
    pub ways: Option<u64>,
}

impl<'p> Node<'p> {
    /// Before anything has run.
    pub fn start(config: Config<'p>) -> Self {
        let first = Task {
            name: 0,
            steps: 0,
            choices: 0,
            children: 0,
        };
        Self {
            config,
            tasks: vec![first],
            path: None,
            ways: Some(1),
        }
    }

    /// The node after a step of a task that led to `config`, and the step. The caller has to give the node its path.
    pub fn after(
        &self,
        names: &mut Names,
        number: u32,
        steps: u32,
        config: Config<'p>,
        chosen: Vec<Value>,
    ) -> (Self, Link) {
        let mut tasks = self.tasks.clone();
        let task = &mut tasks[number as usize - 1];
        task.steps += steps;
        task.choices = names.choose(task.choices, &chosen);
        let name = task.name;
        let count = config.posted - u32::try_from(self.tasks.len()).unwrap_or(0);
        let children = task.children..task.children + count;
        task.children = children.end;
        let posted: Vec<Name> = children.map(|i| names.child(name, i)).collect();
        tasks.extend(posted.iter().map(|&name| Task {
            name,
            steps: 0,
            choices: 0,
            children: 0,
        }));
        let link = Link {
            name,
            chosen,
            posted,
            before: self.path,
        };
        let mut node = Self {
            config,
            tasks,
            path: None,
            ways: self.ways,
        };
        node.renumber();
        (node, link)
    }

    /// Numbers the tasks in the order of their names.
    fn renumber(&mut self) {
        let ordered = self.tasks.is_sorted_by_key(|t| t.name);
        if ordered {
            return;
        }
        let old: Vec<Name> = self.tasks.iter().map(|t| t.name).collect();
        self.tasks.sort_unstable_by_key(|t| t.name);
        let place = |name: &Name| self.tasks.binary_search_by_key(name, |t| t.name);
        let new: Vec<u32> = (old.iter())
            .map(|name| place(name).map_or(0, |at| at as u32 + 1))
            .collect();
        let number = |old: u32| new[old as usize - 1];
        let value = |v: &Value| renamed(v, &|t| new.get(t as usize - 1).copied());
        let config = &mut self.config;
        config.globals.iter_mut().for_each(|v| *v = value(v));
        let tasks = std::mem::take(&mut config.tasks);
        for (n, mut task) in tasks {
            let locals = task.frames.iter_mut().flat_map(|f| &mut f.locals);
            locals.for_each(|v| *v = value(v));
            config.tasks.insert(number(n), task);
        }
        if let Queue::Bag(m) | Queue::Bounded(_, m) = &mut config.queue {
            *m = config.tasks.keys().copied().collect();
        }
    }

    /// The combined execution counter.
    pub fn counter(&self) -> Counter {
        let ran = |t: &&Task| t.steps > 0 || t.choices > 0;
        let far = self.tasks.iter().filter(ran);
        far.map(|t| (t.name, t.steps, t.choices)).collect()
    }

    /// The globals, with tasks by their names.
    pub fn shared(&self) -> Vec<Value> {
        let name = |t: u32| Some(self.tasks.get(t as usize - 1)?.name + 1);
        (self.config.globals.iter())
            .map(|v| renamed(v, &name))
            .collect()
    }

    pub fn bytes(&self) -> u64 {
        self.config.bytes() + self.tasks.len() as u64 * 64 + 256
    }
}
