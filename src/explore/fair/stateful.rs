//! With a store of states: every state is visited, and what can repeat for ever is seen in the graph.
//!
//! Without bounds, the graph is the program's, and the search decides: no fair cycle means that every
//! fair execution ends; no cycle in which somebody runs and never sleeps means that the
//! good samaritan property holds of every execution, fair or not. With a bound on preemptions or context
//! switches a node is a state together with what Algorithm 1 remembers, so that the way round, too, is
//! within the bound; then the executions looked at are those that Algorithm 1 generates within it, and an
//! endless one among them is a way round (Theorem 1: it breaks the good samaritan property or is fair).

use std::collections::VecDeque;
use std::hash::Hash;

use rustc_hash::{FxHashMap, FxHashSet};

use super::cycles;
use super::graph::{Edge, Graph, Node};
use super::loops;
use crate::interned::Interned;

use super::model::{Finish, Model, Path, Step, To};
use super::report::Report;
use super::rules::{Made, Memory, Rules};
use super::tasks::Tasks;

/// The graph is looked at when it has so many states, and again whenever it is four times as large.
const FIRST_LOOK: usize = 1024;

/// Visits every state, and looks for what can go on for ever.
pub(crate) fn search<M: Model>(
    model: &mut M,
    rules: Rules,
    report: &mut Report<M::Act>,
    visit: &mut dyn FnMut(&M::State),
) {
    let mut search = Search {
        model,
        rules,
        report,
        visit,
        graph: Graph::new(),
        nodes: Nodes::default(),
        stored: 0,
    };
    search.begin();
    let mut next_look = FIRST_LOOK;
    while search.go_on() {
        search.expand();
        if search.graph.expanded() == next_look && search.report.stops_at_first() {
            next_look *= 4;
            search.look();
        }
    }
    if search.report.wants_more() {
        search.look();
    }
    search.report.nodes = search.graph.len() as u64;
    search.report.counts.states = Some(search.nodes.states());
    search.report.counts.executions = search.executions();
}

/// The nodes of the graph by what they are.
struct Nodes<S> {
    numbers: FxHashMap<(S, u32), Node>,
    /// Those that are not expanded yet.
    todo: VecDeque<(S, u32)>,
    memories: Interned<Memory>,
}

impl<S> Default for Nodes<S> {
    fn default() -> Self {
        Self {
            numbers: FxHashMap::default(),
            todo: VecDeque::new(),
            memories: Interned::default(),
        }
    }
}

impl<S: Clone + Eq + Hash> Nodes<S> {
    /// How many states of the program there are among the nodes.
    fn states(&self) -> u64 {
        if self.memories.len() <= 1 {
            return self.numbers.len() as u64;
        }
        let states: FxHashSet<&S> = self.numbers.keys().map(|(state, _)| state).collect();
        states.len() as u64
    }
}

struct Search<'a, M: Model> {
    model: &'a mut M,
    rules: Rules,
    report: &'a mut Report<M::Act>,
    /// Told every state, also more than once.
    visit: &'a mut dyn FnMut(&M::State),
    graph: Graph<M::Act>,
    nodes: Nodes<M::State>,
    /// Bytes of the states.
    stored: u64,
}

impl<M: Model> Search<'_, M> {
    fn begin(&mut self) {
        for step in self.model.begin() {
            match step.to {
                To::State { state, gone, .. } => {
                    let memory = self.rules.begin(gone);
                    self.arrive(state, memory, None, step.act);
                }
                To::Fails(failure) => {
                    self.report.failed_at_once += 1;
                    let path = || Path {
                        acts: vec![step.act],
                        finish: None,
                    };
                    self.report.fails(failure, path);
                }
            }
        }
    }

    /// How many executions there are, if all are known.
    fn executions(&self) -> Option<u64> {
        let whole = self.nodes.todo.is_empty() && !self.report.cut;
        let at_once = self.report.failed_at_once;
        let sum = self
            .graph
            .executions()
            .filter(|_| whole && !self.model.merges())?;
        sum.checked_add(at_once)
    }

    fn go_on(&mut self) -> bool {
        let bytes = self.bytes();
        !self.nodes.todo.is_empty() && self.report.go_on(bytes)
    }

    /// A node was reached.
    fn arrive(
        &mut self,
        state: M::State,
        memory: Memory,
        before: Option<Node>,
        act: M::Act,
    ) -> Node {
        let memory = self.nodes.memories.intern(memory);
        let key = (state, memory);
        if let Some(&node) = self.nodes.numbers.get(&key) {
            return node;
        }
        (self.visit)(&key.0);
        let node = self.graph.add(before, act);
        self.stored += self.model.size(&key.0);
        self.nodes.todo.push_back(key.clone());
        self.nodes.numbers.insert(key, node);
        node
    }

    fn expand(&mut self) {
        let Some((state, memory)) = self.nodes.todo.pop_front() else {
            return;
        };
        let node = u32::try_from(self.graph.expanded()).unwrap_or(Node::MAX);
        let enabled = self.model.enabled(&state);
        self.graph.expand(enabled.clone());
        self.report.depth(self.graph.depth(node));
        if self.model.is_final(&state) {
            return self.finish(node, &state);
        }
        if enabled.is_empty() {
            let failure = self.model.deadlock(&state);
            self.graph.end(1);
            let graph = &self.graph;
            return self.report.fails(failure, || path(graph, node, None));
        }
        if self.report.too_deep(self.graph.depth(node)) {
            return;
        }
        let memory = self.nodes.memories.get(memory).clone();
        let choices = self.rules.choices(&memory, &enabled);
        self.report.withheld |= self.rules.withholds(&memory, &enabled);
        let left_out = self.rules.leaves_out(&memory, &enabled);
        self.report.left_out.add(left_out);
        for step in self.model.steps(&state, &choices) {
            self.step(node, &memory, &enabled, step);
        }
    }

    fn step(&mut self, node: Node, memory: &Memory, enabled: &Tasks, step: Step<M::State, M::Act>) {
        self.report.counts.transitions += 1;
        let (task, act) = (step.task, step.act);
        match step.to {
            To::State { state, slept, gone } => {
                let after = self.rules.looks_ahead().then(|| self.model.enabled(&state));
                let made = Made {
                    task,
                    before: enabled,
                    after: after.as_ref().unwrap_or(enabled),
                    slept,
                    gone,
                };
                let memory = self.rules.after(memory, made);
                let to = self.arrive(state, memory, Some(node), act);
                self.graph.step(Edge {
                    to,
                    task,
                    slept,
                    gone,
                    act,
                });
            }
            To::Fails(failure) => {
                self.graph.end(1);
                let graph = &self.graph;
                self.report.fails(failure, || path(graph, node, Some(act)));
            }
        }
    }

    fn finish(&mut self, node: Node, state: &M::State) {
        let ends = self.model.finish(state);
        let count = ends.iter().filter(|&&end| end != Finish::Void).count();
        self.graph.end(count as u64);
        let graph = &self.graph;
        self.report.finish(&ends, || graph.path(node));
    }

    /// Looks for what can go on for ever: fair ways round first, then those in which somebody never sleeps.
    fn look(&mut self) {
        let graph = &self.graph;
        let fair = cycles::fair(graph);
        let fair = fair.iter().filter_map(|c| loops::fair(graph, c)).collect();
        if !self.report.endless(fair) {
            return;
        }
        let parts = cycles::sleepless(graph);
        let ways = parts.iter().map(|(t, c)| loops::sleepless(graph, c, *t));
        self.report.endless(ways.flatten().collect());
    }

    fn bytes(&self) -> u64 {
        let entry = size_of::<(M::State, u32)>() as u64;
        self.graph.bytes()
            + self.model.bytes()
            + self.stored
            + self.nodes.numbers.capacity() as u64 * (entry + 5)
            + self.nodes.todo.capacity() as u64 * entry
            + self.nodes.memories.len() as u64 * 512
    }
}

fn path<A: Copy>(graph: &Graph<A>, node: Node, last: Option<A>) -> Path<A> {
    let mut acts = graph.path(node);
    acts.extend(last);
    Path { acts, finish: None }
}
