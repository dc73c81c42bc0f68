//! A short way round in a part of the state graph where an execution can stay for ever.

use std::collections::VecDeque;

use rustc_hash::FxHashMap;

use super::cycles::{Component, inside, rests};
use super::graph::{Edge, Graph, Node};
use super::tasks::Tasks;
use machine::found::Endless;

/// How many states or steps of a component are tried, to find a short way.
const TRIED: usize = 64;

/// The shortest way from a state, over steps that count, that ends with a wanted step.
fn nearest(
    graph: &Graph,
    component: &Component,
    from: Node,
    counts: &impl Fn(&Edge) -> bool,
    wanted: &impl Fn(&Edge) -> bool,
) -> Option<Vec<Edge>> {
    let mut before: FxHashMap<Node, (Node, Edge)> = FxHashMap::default();
    let mut todo = VecDeque::from([from]);
    while let Some(node) = todo.pop_front() {
        for &edge in inside(graph, component, node).filter(|e| counts(e)) {
            if wanted(&edge) {
                return Some(way(&before, from, node, edge));
            }
            if edge.to != from && !before.contains_key(&edge.to) {
                before.insert(edge.to, (node, edge));
                todo.push_back(edge.to);
            }
        }
    }
    None
}

/// The way to a state, and a last step.
fn way(
    before: &FxHashMap<Node, (Node, Edge)>,
    from: Node,
    mut node: Node,
    last: Edge,
) -> Vec<Edge> {
    let mut edges = vec![last];
    while node != from {
        let (previous, edge) = before[&node];
        edges.push(edge);
        node = previous;
    }
    edges.reverse();
    edges
}

/// What has happened in a loop so far. This shows what the loop still lacks.
#[derive(Default)]
struct Missing {
    enabled: Tasks,
    ran: Tasks,
    slept: Tasks,
}

impl Missing {
    fn pass(&mut self, graph: &Graph, edges: &[Edge]) {
        for edge in edges {
            self.enabled.add(graph.enabled(edge.to));
            self.ran.insert(edge.task());
            if edge.slept {
                self.slept.insert(edge.task());
            }
        }
    }
}

/// A fair loop in a fair component: each task that is enabled in it runs in it. And each task that runs in it also
/// sleeps in it, if it ever sleeps in the component.
pub fn fair(graph: &Graph, component: &Component) -> Option<Endless> {
    let sleepers: Tasks = (component.nodes.iter())
        .flat_map(|&n| inside(graph, component, n))
        .filter(|e| e.slept)
        .map(Edge::task)
        .collect();
    let starts = component.nodes.iter().take(TRIED);
    let ways = starts.filter_map(|&start| {
        let turn = round(graph, component, &sleepers, start)?;
        Some((start, turn))
    });
    shortest(graph, ways)
}

fn shortest(graph: &Graph, ways: impl Iterator<Item = (Node, Vec<Edge>)>) -> Option<Endless> {
    let length = |(start, turn): &(Node, Vec<Edge>)| graph.depth(*start) as usize + turn.len();
    let (start, turn) = ways.min_by_key(length)?;
    Some(graph.endless(start, &turn))
}

fn round(graph: &Graph, component: &Component, sleepers: &Tasks, start: Node) -> Option<Vec<Edge>> {
    let mut turn: Vec<Edge> = Vec::new();
    let mut lack = Missing::default();
    lack.enabled.add(graph.enabled(start));
    loop {
        let run = lack.enabled.minus(&lack.ran);
        let mut sleep = lack.ran.clone();
        sleep.keep(&sleepers.minus(&lack.slept));
        let here = turn.last().map_or(start, |e| e.to);
        let done = run.is_empty() && sleep.is_empty();
        if done && here == start && !turn.is_empty() {
            return Some(turn);
        }
        let wanted = |e: &Edge| {
            if done {
                e.to == start
            } else {
                run.contains(e.task()) || e.slept && sleep.contains(e.task())
            }
        };
        let part = nearest(graph, component, here, &|_| true, &wanted)?;
        lack.pass(graph, &part);
        turn.extend(part);
    }
}

/// A loop in which a task runs and neither sleeps nor ends, in a component where it can.
pub fn sleepless(graph: &Graph, component: &Component, task: u32) -> Option<Endless> {
    let counts = |e: &Edge| !rests(e, task);
    let steps = component.nodes.iter().flat_map(|&node| {
        let own = inside(graph, component, node).filter(|e| e.task() == task && !rests(e, task));
        own.map(move |e| (node, *e))
    });
    let ways = steps.take(TRIED).filter_map(|(node, edge)| {
        let mut turn = vec![edge];
        if edge.to != node {
            turn.extend(nearest(graph, component, edge.to, &counts, &|e| {
                e.to == node
            })?);
        }
        Some((node, turn))
    });
    shortest(graph, ways)
}
