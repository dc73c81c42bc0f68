//! Where executions can go round for ever: components of the state graph, and the fair ones among them.
//!
//! An endless execution of a finite graph ends up in a strongly connected component and visits some part of it
//! again and again. It is fair if each task that is enabled in that part also runs in it. Such a part exists in a
//! component unless some task is enabled in it and never runs there. Then no fair part contains a state in which this
//! task is enabled, so the rest of the component, without those states, is searched in the same way
//! (Emerson and Lei's and Lichtenstein and Pnueli's check of Streett conditions).

use super::graph::{Edge, Graph, Node};
use super::tasks::Tasks;

/// A strongly connected part of the graph, with at least one step inside.
#[derive(Clone, Debug)]
pub struct Component {
    /// Its states, the first found first.
    pub nodes: Vec<Node>,
}

/// A view of the graph: some states, and the steps between them that count.
struct View<'g, F> {
    graph: &'g Graph,
    /// By state: its region.
    region: &'g [u32],
    counts: F,
}

impl<'g, F: Fn(&Edge) -> bool> View<'g, F> {
    /// The steps from a state that stay in its region.
    fn inside(&self, node: Node) -> impl Iterator<Item = &'g Edge> {
        let home = self.region[node as usize];
        let stays = move |e: &&Edge| self.region[e.to as usize] == home && (self.counts)(e);
        self.graph.steps(node).iter().filter(stays)
    }
}

/// Tarjan's algorithm, without recursion.
struct Tarjan {
    /// By state: when it was met, from 1; 0 if it was not.
    met: Vec<u32>,
    low: Vec<u32>,
    clock: u32,
    /// Met, and not yet in a component.
    open: Vec<Node>,
    is_open: Vec<bool>,
}

impl Tarjan {
    fn new(states: usize) -> Self {
        Self {
            met: vec![0; states],
            low: vec![0; states],
            clock: 0,
            open: Vec::new(),
            is_open: vec![false; states],
        }
    }

    fn meet(&mut self, node: Node) {
        let at = node as usize;
        self.clock += 1;
        self.met[at] = self.clock;
        self.low[at] = self.clock;
        self.open.push(node);
        self.is_open[at] = true;
    }

    /// Finds the components of what can be reached from a state.
    fn walk<F: Fn(&Edge) -> bool>(
        &mut self,
        view: &View<'_, F>,
        root: Node,
        found: &mut impl FnMut(&[Node]),
    ) {
        self.meet(root);
        let mut stack = vec![(root, view.inside(root))];
        while let Some((node, steps)) = stack.last_mut() {
            let node = *node;
            let Some(edge) = steps.next() else {
                stack.pop();
                if let Some(&(before, _)) = stack.last() {
                    let low = self.low[node as usize];
                    let at = &mut self.low[before as usize];
                    *at = low.min(*at);
                }
                self.close(node, found);
                continue;
            };
            let to = edge.to as usize;
            if self.met[to] == 0 {
                self.meet(edge.to);
                stack.push((edge.to, view.inside(edge.to)));
            } else if self.is_open[to] {
                let at = &mut self.low[node as usize];
                *at = self.met[to].min(*at);
            }
        }
    }

    /// A state is done; if it is its component's first, the component is complete.
    fn close(&mut self, node: Node, found: &mut impl FnMut(&[Node])) {
        if self.low[node as usize] != self.met[node as usize] {
            return;
        }
        let from = self.open.iter().rposition(|&n| n == node).unwrap_or(0);
        for &n in &self.open[from..] {
            self.is_open[n as usize] = false;
        }
        found(&self.open[from..]);
        self.open.truncate(from);
    }
}

/// The components among some states that have steps inside.
fn components<F: Fn(&Edge) -> bool>(
    view: &View<'_, F>,
    tarjan: &mut Tarjan,
    nodes: &[Node],
) -> Vec<Component> {
    for &n in nodes {
        tarjan.met[n as usize] = 0;
    }
    tarjan.clock = 0;
    let mut all = Vec::new();
    for &root in nodes {
        if tarjan.met[root as usize] > 0 {
            continue;
        }
        tarjan.walk(view, root, &mut |nodes| {
            let own = |n: Node| view.inside(n).any(|e| e.to == n);
            if nodes.len() > 1 || own(nodes[0]) {
                let mut nodes = nodes.to_vec();
                nodes.sort_unstable();
                all.push(Component { nodes });
            }
        });
    }
    all.sort_unstable_by_key(|c| c.nodes[0]);
    all
}

/// The largest parts of the graph in which a fair execution can stay for ever.
pub fn fair(graph: &Graph) -> Vec<Component> {
    let mut tarjan = Tarjan::new(graph.len());
    let mut region = vec![0; graph.len()];
    let mut regions = 0;
    let mut result = Vec::new();
    let mut work: Vec<Vec<Node>> = vec![all(graph)];
    while let Some(nodes) = work.pop() {
        let view = View {
            graph,
            region: &region,
            counts: |_: &Edge| true,
        };
        for component in components(&view, &mut tarjan, &nodes) {
            let starved = starved(graph, &component);
            if starved.is_empty() {
                result.push(component);
                continue;
            }
            let rest = without(graph, component, &starved);
            regions += 1;
            for &node in &rest {
                region[node as usize] = regions;
            }
            work.push(rest);
        }
    }
    result.sort_unstable_by_key(|c| c.nodes[0]);
    result
}

fn all(graph: &Graph) -> Vec<Node> {
    (0u32..).take(graph.expanded()).collect()
}

/// The tasks that are enabled in a component and never run there.
fn starved(graph: &Graph, component: &Component) -> Tasks {
    let (mut enabled, mut ran) = (Tasks::new(), Tasks::new());
    for &node in &component.nodes {
        enabled.add(graph.enabled(node));
        for edge in inside(graph, component, node) {
            ran.insert(edge.task());
        }
    }
    enabled.minus(&ran)
}

/// The steps from a state of a component that stay in it.
pub fn inside<'g>(
    graph: &'g Graph,
    component: &Component,
    node: Node,
) -> impl Iterator<Item = &'g Edge> {
    let stays = |e: &&Edge| component.nodes.binary_search(&e.to).is_ok();
    graph.steps(node).iter().filter(stays)
}

fn without(graph: &Graph, component: Component, starved: &Tasks) -> Vec<Node> {
    let mut nodes = component.nodes;
    nodes.retain(|&n| !graph.enabled(n).meets(starved));
    nodes
}

/// Parts of the graph in which some task can run for ever without sleeping, each with that task.
///
/// Such a part lies in one component of the whole graph, so each component is searched on its own.
pub fn sleepless(graph: &Graph) -> Vec<(u32, Component)> {
    let mut tarjan = Tarjan::new(graph.len());
    let mut region = vec![0; graph.len()];
    let mut part = vec![0; graph.len()];
    let view = View {
        graph,
        region: &region,
        counts: |_: &Edge| true,
    };
    let whole = components(&view, &mut tarjan, &all(graph));
    let mut found = Vec::new();
    for (number, component) in (1..).zip(&whole) {
        for &node in &component.nodes {
            region[node as usize] = number;
        }
        for task in awake(graph, &region, component).iter() {
            let view = View {
                graph,
                region: &region,
                counts: |e: &Edge| !rests(e, task),
            };
            let mut parts = components(&view, &mut tarjan, &component.nodes);
            parts.retain(|c| runs(&view, &mut part, c, task));
            found.extend(parts.into_iter().map(|c| (task, c)));
        }
    }
    // Sorts by task. The parts of one task keep their order.
    found.sort_by_key(|f| f.0);
    found
}

/// The tasks that make a step inside of a component and neither sleep nor end with it.
fn awake(graph: &Graph, region: &[u32], component: &Component) -> Tasks {
    let mut tasks = Tasks::new();
    for &node in &component.nodes {
        for edge in graph.steps(node) {
            let inside = region[edge.to as usize] == region[node as usize];
            if inside && !rests(edge, edge.task()) {
                tasks.insert(edge.task());
            }
        }
    }
    tasks
}

/// Whether a task makes a step inside of a part. `part` is zero everywhere, before and after the call.
fn runs<F: Fn(&Edge) -> bool>(
    view: &View<'_, F>,
    part: &mut [u32],
    component: &Component,
    task: u32,
) -> bool {
    let mark = |part: &mut [u32], with| {
        for &node in &component.nodes {
            part[node as usize] = with;
        }
    };
    mark(part, 1);
    let runs = component.nodes.iter().any(|&node| {
        let mut own = view.inside(node).filter(|e| e.task() == task);
        own.any(|e| part[e.to as usize] == 1)
    });
    mark(part, 0);
    runs
}

/// Whether a task sleeps or ends with a step.
pub fn rests(edge: &Edge, task: u32) -> bool {
    edge.task() == task && (edge.slept || edge.gone)
}
