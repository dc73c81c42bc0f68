//! Visits all interleavings, by the number of their steps. Those that come to the same state with equal progress
//! count as one.
//!
//! Interleavings with equal counters have equally many steps. So the search keeps only the interleavings of one
//! length: all that have to be compared are among them.

use std::collections::{BTreeMap, BTreeSet};

use rustc_hash::FxHashMap;

use base::source::Span;
use ir::{ErrorKind, Program, Value};
use options::ExploreOptions;
use semantics::{Config, End, Machine, Stop};
use trace::Schedule;

use super::links::{Link, Links};
use super::names::Names;
use super::node::{Counter, Node, Task};
use machine::found::{Counts, Limit};
use machine::limits::Halt;
use machine::script::Script;
use machine::space::LeftOut;

#[derive(Default)]
pub(super) struct Found {
    pub counts: Counts,
    /// Failing executions and pairs of divergent ones, by kind and place. The place of a divergence is that of its global.
    pub bugs: BTreeMap<(ErrorKind, Span), Schedule>,
    pub finals: BTreeSet<Vec<Value>>,
    /// Why some execution could not be followed.
    pub refused: Option<(String, Span)>,
    pub cut: bool,
    /// Whether an execution came to its end.
    pub ended: bool,
    /// The bounds that left something out.
    pub left_out: LeftOut,
    pub limit: Option<Limit>,
}

/// Everything that tells interleavings apart.
type Key<'p> = (Vec<Task>, Config<'p>);

/// The interleavings of a certain length.
#[derive(Default)]
struct Level<'p> {
    nodes: Vec<Node<'p>>,
    known: FxHashMap<Key<'p>, usize>,
    /// The first one with each combined counter.
    first: FxHashMap<Counter, usize>,
    bytes: u64,
}

/// Looks at all interleavings.
pub(super) fn search(program: &Program, options: &ExploreOptions) -> Found {
    let mut search = Search {
        program,
        options,
        names: Names::default(),
        links: Links::default(),
        found: Found {
            counts: Counts::from_zero(),
            ..Found::default()
        },
        halt: Halt::new(&options.limits, None),
    };
    search.run();
    search.found
}

struct Search<'p, 'o> {
    program: &'p Program,
    options: &'o ExploreOptions,
    names: Names,
    links: Links,
    found: Found,
    halt: Halt,
}

/// How a segment went.
struct SegmentResult<'p> {
    end: Result<End, Stop>,
    config: Config<'p>,
    chosen: Vec<Value>,
}

impl<'p> Search<'p, '_> {
    fn run(&mut self) {
        let start = Node::start(Config::new(self.program, self.options.scheduler));
        let mut level = Level::default();
        self.ways(&start.config, Machine::start, |search, went| {
            search.went(&start, 1, 0, went, &mut level);
        });
        let mut depth = 0;
        while !level.nodes.is_empty() && self.goes_on() {
            self.found.counts.depth = depth;
            depth += 1;
            level = self.next(level, depth);
        }
    }

    fn goes_on(&self) -> bool {
        self.found.limit.is_none() && (self.options.goes_on() || self.found.bugs.is_empty())
    }

    /// The interleavings that are one step longer.
    fn next(&mut self, level: Level<'p>, depth: u64) -> Level<'p> {
        let mut next = Level::default();
        for node in &level.nodes {
            if !self.goes_on() {
                break;
            }
            self.expand(node, depth, level.bytes, &mut next);
        }
        next
    }

    /// Whether a limit ends the search here. `bytes` are held beside names and links.
    fn is_limited(&mut self, bytes: u64) -> bool {
        let held = bytes + self.names.bytes() + self.links.bytes();
        let full = (held > self.options.limits.memory).then_some(Limit::Memory);
        self.found.limit = (self.found.limit.or(full)).or_else(|| self.halt.reached());
        self.found.limit.is_some()
    }

    /// Takes every way in which a segment can go, until a limit is reached.
    fn ways(
        &mut self,
        config: &Config<'p>,
        run: impl Fn(&mut Machine<'p, Script<'p>>) -> Result<End, Stop>,
        mut take: impl FnMut(&mut Self, SegmentResult<'p>),
    ) {
        let mut script = Script::new(&self.program.types);
        loop {
            let mut machine = Machine::new(self.program, config.clone(), script);
            let end = run(&mut machine);
            let chosen = machine.env.made.clone();
            let went = SegmentResult {
                end,
                config: machine.config,
                chosen,
            };
            take(self, went);
            script = machine.env;
            let more = script.advance();
            if more {
                self.found.limit = self.found.limit.or_else(|| self.halt.reached());
            }
            if !more || self.found.limit.is_some() {
                return;
            }
        }
    }

    /// Adds the interleavings that are one step longer than `node`. Those of its own length take `bytes` bytes.
    fn expand(&mut self, node: &Node<'p>, depth: u64, bytes: u64, next: &mut Level<'p>) {
        if node.config.tasks.is_empty() {
            return self.finish(node);
        }
        let script = Script::new(&self.program.types);
        let machine = Machine::new(self.program, node.config.clone(), script);
        // A condition that cannot be evaluated is reported when the task is run.
        let free = |n: &u32| !machine.blocked(*n).unwrap_or(false);
        let enabled: Vec<u32> = node.config.tasks.keys().copied().filter(free).collect();
        if enabled.is_empty() {
            if !self.program.scope.deadlocks {
                return;
            }
            let places = node.config.tasks.values().filter_map(|task| task.at);
            let span = places.map(|(_, span)| span).min().unwrap_or_default();
            return self.fails((ErrorKind::Deadlock, span), node, None, &[]);
        }
        if depth > self.options.max_steps {
            self.found.cut = true;
            return;
        }
        for number in enabled {
            if self.is_limited(bytes + next.bytes) {
                return;
            }
            let mut config = node.config.clone();
            config.queue.take(number);
            let dispatch = |m: &mut Machine<'p, Script<'p>>| m.dispatch(number);
            self.ways(&config, dispatch, |search, went| {
                search.went(node, number, 1, went, next);
            });
        }
    }

    /// Takes the outcome of a segment.
    fn went(
        &mut self,
        node: &Node<'p>,
        number: u32,
        steps: u32,
        went: SegmentResult<'p>,
        next: &mut Level<'p>,
    ) {
        if went.end != Err(Stop::Dropped) {
            self.found.counts.transitions += u64::from(steps);
        }
        match went.end {
            Ok(end) => {
                let posted = node.config.posted + 1..=went.config.posted;
                let rest = (end == End::Suspended).then_some(number);
                let mut given = posted.chain(rest);
                if given.any(|task| !went.config.tasks.contains_key(&task)) {
                    self.found.left_out.add(LeftOut::COPIES);
                }
                let (after, link) =
                    node.after(&mut self.names, number, steps, went.config, went.chosen);
                self.arrive(after, link, next);
            }
            Err(Stop::Error(kind, _, span)) => {
                // The first task's first segment needs no dispatch.
                let number = (steps > 0).then_some(number);
                self.fails((kind, span), node, number, &went.chosen);
            }
            Err(Stop::Dropped) => {}
            Err(Stop::Refused(reason, span)) => {
                self.found.refused.get_or_insert((reason, span));
            }
        }
    }

    /// Takes an interleaving: it is new, or it comes to the state of another one with the same progress.
    fn arrive(&mut self, mut node: Node<'p>, link: Link, level: &mut Level<'p>) {
        let key = (node.tasks.clone(), node.config.clone());
        if let Some(&known) = level.known.get(&key) {
            let ways = &mut level.nodes[known].ways;
            *ways = ways
                .zip(node.ways)
                .and_then(|(a, b): (u64, u64)| a.checked_add(b));
            return;
        }
        node.path = self.links.add(link);
        let place = level.nodes.len();
        let first = *level.first.entry(node.counter()).or_insert(place);
        if let Some(other) = level.nodes.get(first) {
            self.compare(other, &node);
        }
        *self.found.counts.states.get_or_insert(0) += 1;
        level.bytes += 2 * node.bytes();
        level.known.insert(key, place);
        level.nodes.push(node);
    }

    /// Notes a divergence, if two interleavings with equal progress leave different shared states.
    fn compare(&mut self, one: &Node<'p>, other: &Node<'p>) {
        let (a, b) = (one.shared(), other.shared());
        let mut globals = self.program.globals.iter().zip(a.iter().zip(&b));
        let differs = globals.find(|(g, (a, b))| !g.hidden && a != b);
        let Some((global, _)) = differs.filter(|_| self.goes_on()) else {
            return;
        };
        let key = (ErrorKind::Divergence, global.span);
        let bugs = &mut self.found.bugs;
        bugs.entry(key)
            .or_insert_with(|| self.links.pair(one.path, other.path));
    }

    fn fails(
        &mut self,
        key: (ErrorKind, Span),
        node: &Node<'p>,
        number: Option<u32>,
        chosen: &[Value],
    ) {
        self.ends(node);
        if self.goes_on() {
            let bugs = &mut self.found.bugs;
            bugs.entry(key)
                .or_insert_with(|| self.links.schedule_to(node, number, chosen));
        }
    }

    fn ends(&mut self, node: &Node<'p>) {
        self.found.ended = true;
        let executions = &mut self.found.counts.executions;
        *executions = executions
            .zip(node.ways)
            .and_then(|(a, b): (u64, u64)| a.checked_add(b));
    }

    fn finish(&mut self, node: &Node<'p>) {
        let finish = |m: &mut Machine<'p, Script<'p>>| m.finish().map(|()| End::Finished);
        self.ways(&node.config, finish, |search, went| match went.end {
            Ok(_) => {
                search.ends(node);
                let shown = search.program.globals.iter().zip(went.config.globals);
                let shown = shown.filter(|(g, _)| g.is_final()).map(|(_, v)| v);
                search.found.finals.insert(shown.collect());
            }
            Err(Stop::Error(kind, _, span)) => {
                search.fails((kind, span), node, None, &went.chosen);
            }
            Err(Stop::Dropped) => {}
            Err(Stop::Refused(reason, span)) => {
                search.found.refused.get_or_insert((reason, span));
            }
        });
    }
}
