//! How interleavings came to where they are: a tree of steps.

use std::collections::BTreeMap;

use ir::Value;
use trace::{Decision, Schedule};

use super::names::Name;
use super::node::Node;

/// The index of an interleaving's last step in `Links`; `None` before anything has run.
pub(super) type Path = Option<u32>;

pub(super) struct Link {
    pub name: Name,
    pub chosen: Vec<Value>,
    pub posted: Vec<Name>,
    pub before: Path,
}

#[derive(Default)]
pub(super) struct Links {
    links: Vec<Link>,
    values: u64,
}

impl Links {
    /// Adds a step, and returns the path that ends with it.
    pub fn add(&mut self, link: Link) -> Path {
        self.values += (link.chosen.len() + link.posted.len()) as u64;
        self.links.push(link);
        let last = u32::try_from(self.links.len() - 1);
        Some(last.expect("memory ends before 2^32 steps"))
    }

    /// The steps of a path, in their order.
    fn way(&self, path: Path) -> Vec<&Link> {
        let last = path.map(|at| &self.links[at as usize]);
        let before = |link: &&Link| link.before.map(|at| &self.links[at as usize]);
        let mut way: Vec<&Link> = std::iter::successors(last, before).collect();
        way.reverse();
        way
    }

    pub fn bytes(&self) -> u64 {
        (self.links.capacity() * size_of::<Link>()) as u64 + self.values * 24
    }

    /// The interleaving as a schedule.
    pub fn schedule(&self, path: Path) -> Schedule {
        written(self.way(path))
    }

    /// The interleaving as a schedule, with one more step that leads to no state. Without a task, only its choices are added.
    pub fn schedule_to(&self, node: &Node<'_>, number: Option<u32>, chosen: &[Value]) -> Schedule {
        let Some(number) = number else {
            let mut schedule = self.schedule(node.path);
            let chosen = chosen.iter().cloned().map(Decision::Choose);
            schedule.decisions.extend(chosen);
            return schedule;
        };
        let last = Link {
            name: node.tasks[number as usize - 1].name,
            chosen: chosen.to_vec(),
            posted: Vec::new(),
            before: node.path,
        };
        let mut way = self.way(node.path);
        way.push(&last);
        written(way)
    }

    /// Both interleavings, to be compared.
    pub fn pair(&self, one: Path, other: Path) -> Schedule {
        let mut both = self.schedule(one);
        both.decisions.push(Decision::Again);
        both.decisions.extend(self.schedule(other).decisions);
        both
    }
}

/// Writes steps as a schedule. The first step needs no dispatch.
fn written(way: Vec<&Link>) -> Schedule {
    let (mut decisions, mut numbers) = (Vec::new(), BTreeMap::from([(0, 1u32)]));
    for (i, link) in way.into_iter().enumerate() {
        if i > 0 {
            decisions.push(Decision::Dispatch(numbers[&link.name]));
        }
        decisions.extend(link.chosen.iter().cloned().map(Decision::Choose));
        for (&name, number) in link.posted.iter().zip(numbers.len() as u32 + 1..) {
            numbers.insert(name, number);
        }
    }
    Schedule { decisions }
}
