//! The states of a small program as a graph, for people who learn. Equal states are one node, the steps of tasks are edges, and
//! the path of a bug is marked.

use rustc_hash::FxHashMap;

use base::source::Span;
use ir::{ErrorKind, Program, Value};
use machine::script::Script;
use options::Scheduler;
use semantics::{Config, End, Machine, Stop, Task};
use trace::graph::{Edge, Graph, Kind, Node};
use trace::state::{State, standing};
use trace::{Decision, Schedule};

/// Larger graphs are refused: no person reads them.
pub const MOST_STATES: usize = 150;
const MOST_EDGES: usize = 600;
/// The most statements that the machine executes for a graph.
const FUEL: u64 = 2_000_000;

/// What tells states apart: globals, tasks, the position in the queue, the number of posts, and the delays that are left.
type Key<'p> = (Vec<Value>, Vec<(u32, Task<'p>)>, usize, u32, Option<u32>);

struct Builder<'p> {
    program: &'p Program,
    graph: Graph,
    /// By node: the configuration and the delays that are left; `None` if the node is not followed.
    open: Vec<Option<(Config<'p>, Option<u32>)>>,
    numbers: FxHashMap<Key<'p>, usize>,
    /// By edge: the decisions that it stands for.
    decisions: Vec<Vec<Decision>>,
    fuel: u64,
}

/// The graph of a program's states under a scheduler, with the path of a schedule marked.
///
/// # Errors
/// The reason, if the graph is too large or the machine cannot follow some step.
pub fn graph(
    program: &Program,
    scheduler: Scheduler,
    delays: Option<u32>,
    path: Option<&Schedule>,
) -> Result<Graph, String> {
    let begin = Config::new(program, scheduler);
    let mut builder = Builder {
        program,
        graph: Graph::default(),
        open: Vec::new(),
        numbers: FxHashMap::default(),
        decisions: Vec::new(),
        fuel: FUEL,
    };
    builder.node(Kind::Start, standing(program, &begin));
    builder.ways(0, (1, None), (&begin, delays), Vec::new(), Machine::start)?;
    let mut at = 1;
    while at < builder.graph.nodes.len() {
        builder.follow(at)?;
        at += 1;
    }
    if let Some(path) = path {
        builder.mark(path);
    }
    Ok(builder.graph)
}

impl<'p> Builder<'p> {
    fn node(&mut self, kind: Kind, state: State) -> usize {
        let on_path = false;
        let node = Node {
            kind,
            state,
            on_path,
        };
        self.graph.nodes.push(node);
        self.open.push(None);
        self.graph.nodes.len() - 1
    }

    /// The node of a configuration.
    fn state(&mut self, config: Config<'p>, delays: Option<u32>) -> usize {
        let order = config.queue.order().into_iter();
        let mut tasks: Vec<(u32, Task<'p>)> =
            order.map(|t| (t, config.tasks[&t].clone())).collect();
        if config.queue.is_bag() {
            tasks.sort_unstable_by_key(|&(number, _)| number);
        }
        let key = (
            config.globals.clone(),
            tasks,
            config.queue.position(),
            config.posted,
            delays,
        );
        if let Some(&known) = self.numbers.get(&key) {
            return known;
        }
        let kind = match config.tasks.is_empty() {
            true => Kind::Final,
            false => Kind::Inner,
        };
        let number = self.node(kind, standing(self.program, &config));
        self.open[number] = Some((config, delays));
        self.numbers.insert(key, number);
        number
    }

    /// Adds every way of one step from a node.
    fn ways(
        &mut self,
        from: usize,
        (task, span): (u32, Option<Span>),
        (config, delays): (&Config<'p>, Option<u32>),
        decided: Vec<Decision>,
        run: impl Fn(&mut Machine<'p, Script<'p>>) -> Result<End, Stop>,
    ) -> Result<(), String> {
        let mut script = Script::new(&self.program.types);
        loop {
            let mut machine = Machine::new(self.program, config.clone(), script);
            machine.fuel = self.fuel;
            let end = run(&mut machine);
            self.fuel = machine.fuel;
            machine.config.queue.settle();
            let mut decisions = decided.clone();
            decisions.extend(machine.env.decisions());
            let to = match end {
                Ok(_) if task == 0 => None,
                Ok(_) => Some((self.state(machine.config, delays), span)),
                Err(Stop::Dropped) => None,
                Err(Stop::Error(kind, _, at)) => {
                    let before = standing(self.program, config);
                    Some((self.node(Kind::Error(kind), before), Some(at)))
                }
                Err(Stop::Refused(reason, _)) => return Err(reason),
            };
            if let Some((to, span)) = to {
                self.edge((from, to), (task, span, false), decisions)?;
            }
            script = machine.env;
            if !script.advance() {
                return Ok(());
            }
        }
    }

    fn edge(
        &mut self,
        (from, to): (usize, usize),
        (task, span, delay): (u32, Option<Span>, bool),
        decisions: Vec<Decision>,
    ) -> Result<(), String> {
        self.graph.edges.push(Edge {
            from,
            to,
            task,
            delay,
            span,
            on_path: false,
        });
        self.decisions.push(decisions);
        if self.graph.nodes.len() > MOST_STATES || self.graph.edges.len() > MOST_EDGES {
            return Err(format!(
                "the program has more than {MOST_STATES} states or {MOST_EDGES} steps; a graph shows a small program, so make it smaller"
            ));
        }
        Ok(())
    }

    /// Adds the steps from a state.
    fn follow(&mut self, at: usize) -> Result<(), String> {
        let Some((mut config, delays)) = self.open[at].clone() else {
            return Ok(());
        };
        if config.tasks.is_empty() {
            let finish = |m: &mut Machine<'p, Script<'p>>| m.finish().map(|()| End::Finished);
            return self.ways(at, (0, None), (&config, delays), Vec::new(), finish);
        }
        let script = Script::new(&self.program.types);
        let machine = Machine::new(self.program, config.clone(), script);
        let mut blocked = Vec::new();
        for &task in config.tasks.keys() {
            match machine.blocked(task) {
                Ok(true) => blocked.push(task),
                Ok(false) => {}
                Err(Stop::Refused(reason, _)) => return Err(reason),
                Err(_) => return Err("whether a task waits cannot be told".to_owned()),
            }
        }
        if blocked.len() == config.tasks.len() {
            if self.program.scope.deadlocks {
                self.graph.nodes[at].kind = Kind::Error(ErrorKind::Deadlock);
            }
            return Ok(());
        }
        let is_blocked = |task| Ok::<_, std::convert::Infallible>(blocked.contains(&task));
        let Ok(_) = config.queue.pass_over(is_blocked);
        let enabled = config.tasks.len() - blocked.len();
        for task in config.queue.schedulable() {
            if blocked.contains(&task) {
                continue;
            }
            let state = &self.graph.nodes[at].state;
            let own = state.tasks.iter().find(|t| t.number == task);
            let span = own.and_then(|t| t.activations.last()?.next);
            let mut next = config.clone();
            next.queue.take(task);
            let decided = vec![Decision::Dispatch(task)];
            self.ways(at, (task, span), (&next, delays), decided, |m| {
                m.dispatch(task)
            })?;
            let left = delays.map_or(Some(None), |d| d.checked_sub(1).map(Some));
            if let Some(left) = left.filter(|_| enabled > 1 && !config.queue.is_bag()) {
                let mut next = config.clone();
                next.queue.take(task);
                next.queue.delay(task);
                next.queue.settle();
                let to = self.state(next, left);
                self.edge((at, to), (task, span, true), vec![Decision::Delay(task)])?;
            }
        }
        Ok(())
    }

    /// Marks the nodes and edges that a schedule passes.
    fn mark(&mut self, path: &Schedule) {
        let mut left = path.decisions.as_slice();
        let mut at = 0;
        loop {
            self.graph.nodes[at].on_path = true;
            let taken = (0..self.graph.edges.len())
                .find(|&e| self.graph.edges[e].from == at && left.starts_with(&self.decisions[e]));
            let Some(taken) = taken else { return };
            self.graph.edges[taken].on_path = true;
            left = &left[self.decisions[taken].len()..];
            at = self.graph.edges[taken].to;
        }
    }
}
