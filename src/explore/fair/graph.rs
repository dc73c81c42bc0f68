//! The reachable states and the steps between them.

use base::interned::Interned;

use super::tasks::Tasks;
use machine::found::{Endless, Trail};
use machine::space::Step;

/// A state, by the order in which it was found.
pub type Node = u32;

/// A step from one state to another.
#[derive(Clone, Copy, Debug)]
pub struct Edge {
    pub to: Node,
    pub step: Step,
    /// Whether the step ends at a `sleep`.
    pub slept: bool,
    /// Whether the task is gone after the step.
    pub gone: bool,
}

impl Edge {
    pub fn task(&self) -> u32 {
        self.step.place
    }
}

/// How a state was found first: from which state, and by which step. The first states come from a beginning.
#[derive(Clone, Copy, Debug)]
struct Origin {
    before: Option<Node>,
    depth: u32,
    step: Step,
}

/// States and steps. States are expanded in the order in which they were found.
#[derive(Debug, Default)]
pub struct Graph {
    origins: Vec<Origin>,
    /// Where the steps of each expanded state begin.
    first: Vec<usize>,
    edges: Vec<Edge>,
    /// How many executions end in each expanded state.
    ends: Vec<u64>,
    /// By expanded state: the number in `sets` of the tasks that are enabled.
    enabled: Vec<u32>,
    sets: Interned<Tasks>,
}

impl Graph {
    pub fn add(&mut self, before: Option<Node>, step: Step) -> Node {
        let depth = before.map_or(0, |b| self.depth(b) + 1);
        self.origins.push(Origin {
            before,
            depth,
            step,
        });
        u32::try_from(self.origins.len() - 1).expect("memory ends before 2^32 states")
    }

    /// Expands the next state, in which these tasks are enabled. The caller then adds its steps.
    pub fn expand(&mut self, enabled: Tasks) {
        self.first.push(self.edges.len());
        self.ends.push(0);
        let set = self.sets.intern(enabled);
        self.enabled.push(set);
    }

    /// Adds a step of the state that was expanded last.
    pub fn step(&mut self, edge: Edge) {
        self.edges.push(edge);
    }

    /// Adds executions that end in the state that was expanded last.
    pub fn end(&mut self, count: u64) {
        if let Some(ends) = self.ends.last_mut() {
            *ends += count;
        }
    }

    /// How many executions there are: each state has the sum of what follows it. Nothing if states lie on a
    /// circle, or there are more than 2^64.
    pub fn executions(&self) -> Option<u64> {
        let mut sums: Vec<Option<u64>> = vec![None; self.len()];
        let mut open = vec![false; self.len()];
        let roots = (0u32..)
            .zip(&self.origins)
            .filter(|(_, o)| o.before.is_none());
        let mut total = 0u64;
        for (root, _) in roots {
            let mut path = vec![(root, 0, self.ends_in(root))];
            open[root as usize] = true;
            while let Some((node, next, sum)) = path.last_mut() {
                let Some(edge) = self.steps(*node).get(*next) else {
                    let (node, sum) = (*node as usize, *sum);
                    (sums[node], open[node]) = (Some(sum), false);
                    path.pop();
                    if path.is_empty() {
                        total = total.checked_add(sum)?;
                    }
                    continue;
                };
                let to = edge.to as usize;
                if open[to] {
                    return None;
                }
                if let Some(known) = sums[to] {
                    *sum = sum.checked_add(known)?;
                    *next += 1;
                } else {
                    open[to] = true;
                    path.push((edge.to, 0, self.ends_in(edge.to)));
                }
            }
        }
        Some(total)
    }

    fn ends_in(&self, node: Node) -> u64 {
        self.ends.get(node as usize).copied().unwrap_or(0)
    }

    /// How many states were expanded.
    pub fn expanded(&self) -> usize {
        self.first.len()
    }

    /// How many states there are.
    pub fn len(&self) -> usize {
        self.origins.len()
    }

    /// The least number of steps that lead to a state.
    pub fn depth(&self, node: Node) -> u32 {
        self.origins[node as usize].depth
    }

    /// The steps of a state; none if it was not expanded.
    pub fn steps(&self, node: Node) -> &[Edge] {
        let at = node as usize;
        let Some(&from) = self.first.get(at) else {
            return &[];
        };
        let to = self.first.get(at + 1).copied();
        &self.edges[from..to.unwrap_or(self.edges.len())]
    }

    /// The tasks that can run in an expanded state.
    pub fn enabled(&self, node: Node) -> &Tasks {
        self.sets.get(self.enabled[node as usize])
    }

    /// How to come to a state.
    pub fn trail(&self, node: Node) -> Trail {
        let mut trail = Trail::default();
        let mut origin = &self.origins[node as usize];
        while let Some(before) = origin.before {
            trail.steps.push(origin.step);
            origin = &self.origins[before as usize];
        }
        trail.begin = origin.step.way;
        trail.steps.reverse();
        trail
    }

    /// The endless execution that goes to a state and then takes a turn again and again.
    pub fn endless(&self, start: Node, turn: &[Edge]) -> Endless {
        Endless {
            stem: self.trail(start),
            turn: turn.iter().map(|e| e.step).collect(),
        }
    }

    pub fn bytes(&self) -> u64 {
        let all = self.origins.capacity() * size_of::<Origin>()
            + self.first.capacity() * size_of::<usize>()
            + self.edges.capacity() * size_of::<Edge>()
            + self.ends.capacity() * 8
            + self.enabled.capacity() * 4
            + self.sets.len() * 128;
        all as u64
    }
}
