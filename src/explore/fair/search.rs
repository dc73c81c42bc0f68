//! The search with a store of states: visits every state, and finds in the graph what can repeat for ever.
//!
//! Without bounds, the graph is the program's, and the search decides. If there is no fair cycle, every fair execution ends.
//! If there is no cycle in which some task runs and never sleeps, the good samaritan property holds of every execution,
//! fair or not. With a bound on preemptions or context switches a node is a state together with the memory of
//! Algorithm 1, so that a cycle, too, is within the bound. Then the executions are those that Algorithm 1 generates within
//! the bound. An endless one among them is a cycle (Theorem 1: it breaks the good samaritan property or is fair).

use std::collections::VecDeque;

use rustc_hash::{FxHashMap, FxHashSet};

use options::ExploreOptions;

use super::super::strategy::{Expansion, failing};
use super::cycles;
use super::graph::{Edge, Graph, Node};
use super::loops;
use super::system::Open;
use machine::found::{Counts, Endless, Found, Limit, Trail};
use machine::store::{Exact, Fold};

/// The graph is searched for cycles when this many states are expanded, and again whenever it is four times as large.
const FIRST_LOOK: usize = 1024;
/// More endless executions than this are not shown.
const ENDLESS: usize = 1000;

/// Visits every state, and looks for what can go on for ever.
pub fn search<S: Open>(system: &mut S, options: &ExploreOptions) -> Found {
    let mut search = Search {
        nodes: Nodes::new(system.widths()),
        system,
        options,
        graph: Graph::default(),
        at_once: 0,
        found: Found {
            counts: Counts::from_zero(),
            ..Found::default()
        },
    };
    search.run();
    search.found
}

/// The nodes of the graph by their rows.
struct Nodes {
    store: Exact,
    fold: Fold,
    numbers: FxHashMap<u64, Node>,
    /// Those that are not expanded yet.
    todo: VecDeque<u64>,
    /// The states of the program that the nodes contain.
    states: FxHashSet<u64>,
}

impl Nodes {
    fn new(widths: Vec<Option<u32>>) -> Self {
        Self {
            store: Exact::new(widths),
            fold: Fold::default(),
            numbers: FxHashMap::default(),
            todo: VecDeque::new(),
            states: FxHashSet::default(),
        }
    }

    /// The number of a row; a row that was not known gets one from `add`.
    fn number(&mut self, row: &[u32], state: &[u32], add: impl FnOnce() -> Node) -> Node {
        let key = self.store.key(row, None, &mut self.fold);
        *self.numbers.entry(key).or_insert_with(|| {
            self.states
                .insert(self.store.key(state, None, &mut self.fold));
            self.todo.push_back(key);
            add()
        })
    }

    /// Loads the row of the first node that is not expanded yet. Returns whether there is one.
    fn next(&mut self, row: &mut Vec<u32>) -> bool {
        let key = self.todo.pop_front();
        if let Some(key) = key {
            self.store.load(key, row, &mut self.fold);
        }
        key.is_some()
    }

    fn bytes(&self) -> u64 {
        let entries = self.numbers.capacity() * (size_of::<(u64, Node)>() + 1)
            + self.states.capacity() * (size_of::<u64>() + 1)
            + self.todo.capacity() * size_of::<u64>();
        self.store.bytes() + entries as u64
    }
}

struct Search<'o, S> {
    system: &'o mut S,
    options: &'o ExploreOptions,
    graph: Graph,
    nodes: Nodes,
    /// How many executions end in the first segment.
    at_once: u64,
    found: Found,
}

impl<S: Open> Search<'_, S> {
    fn run(&mut self) {
        let (mut row, mut out) = (Vec::new(), Expansion::default());
        self.system.begin(&mut out);
        self.at_once = out.executions();
        self.follow(None, &out);
        let mut next_look = FIRST_LOOK;
        while self.goes_on() && self.nodes.next(&mut row) {
            self.expand(&row, &mut out);
            if self.graph.expanded() == next_look && !self.options.goes_on() {
                next_look *= 4;
                self.look();
            }
        }
        if self.wants_more() {
            self.look();
        }
        let states = self.nodes.states.len() as u64;
        self.found.counts.states = Some(states);
        self.found.counts.executions = self.executions();
    }

    /// How many executions there are, if all are known.
    fn executions(&self) -> Option<u64> {
        let whole = self.nodes.todo.is_empty() && !self.found.cut && !self.system.merges();
        let sum = self.graph.executions().filter(|_| whole)?;
        sum.checked_add(self.at_once)
    }

    /// Whether there is anything left to look for.
    fn wants_more(&self) -> bool {
        let shown = !self.found.bugs.is_empty() || !self.found.endless.is_empty();
        self.options.goes_on() || !shown
    }

    fn goes_on(&mut self) -> bool {
        if self.nodes.bytes() + self.graph.bytes() + self.system.bytes()
            > self.options.limits.memory
        {
            self.found.limit = Some(Limit::Memory);
        } else if self.graph.expanded().is_multiple_of(64) && self.system.halt().now() {
            self.found.limit = Some(self.system.halt().which());
        }
        !self.found.ends(self.options)
    }

    fn expand(&mut self, row: &[u32], out: &mut Expansion) {
        let node = Node::try_from(self.graph.expanded()).unwrap_or(Node::MAX);
        self.graph.expand(self.system.enabled(row));
        let depth = self.graph.depth(node).into();
        self.found.counts.depth = self.found.counts.depth.max(depth);
        if depth >= self.options.max_steps && !self.system.is_final(row) {
            self.found.cut = true;
            return;
        }
        self.system.expand(row, out);
        self.graph.end(out.executions());
        self.follow(Some(node), out);
    }

    /// Takes up what follows a node, or what the first segment leads to.
    fn follow(&mut self, node: Option<Node>, out: &Expansion) {
        let trail = || node.map_or_else(Trail::default, |node| self.graph.trail(node));
        for failure in out.failures() {
            let (kind, span) = self.system.error(failure);
            (self.found).bug(kind, span, || failing(&trail(), failure, node.is_none()));
        }
        out.told.add_to(&mut self.found);
        if out.told.late {
            self.found.limit = Some(self.system.halt().which());
        }
        for (number, made) in out.moves.iter().enumerate() {
            if number % 64 == 63 && self.system.halt().reached().is_some() {
                self.found.limit = Some(self.system.halt().which());
                return;
            }
            let row = out.moves.row(number);
            let to = self.nodes.number(row, self.system.state(row), || {
                self.graph.add(node, made.step)
            });
            if node.is_some() {
                self.graph.step(Edge {
                    to,
                    step: made.step,
                    slept: made.slept,
                    gone: made.gone,
                });
            }
        }
    }

    /// Looks for what can go on for ever: first for fair cycles, then for those in which some task never sleeps.
    fn look(&mut self) {
        let graph = &self.graph;
        let fair = cycles::fair(graph);
        let ways = fair.iter().filter_map(|c| loops::fair(graph, c));
        let endless = self.shortest(ways.collect());
        self.found.endless.extend(endless);
        if !self.wants_more() {
            return;
        }
        let graph = &self.graph;
        let parts = cycles::sleepless(graph);
        let ways = parts
            .iter()
            .filter_map(|(t, c)| loops::sleepless(graph, c, *t));
        let endless = self.shortest(ways.collect());
        self.found.endless.extend(endless);
    }

    /// Keeps as many as are shown, the shortest first.
    fn shortest(&self, mut found: Vec<Endless>) -> Vec<Endless> {
        found.sort_by_key(|e| e.stem.steps.len() + e.turn.len());
        found.truncate(if self.options.goes_on() { ENDLESS } else { 1 });
        found
    }
}
