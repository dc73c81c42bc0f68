//! What is known, at each statement, about the segment that runs it.
//!
//! Three questions, answered by data flow over the [graphs](super::graph) of all
//! procedures together. Has the segment posted a task? Has it done anything
//! visible? (An implicit preemption point lets a task pass that was just
//! dispatched and has done nothing visible.) And which globals may it still
//! write? What is not known is decided while the program runs, by a flag.

use ir::Program;

use super::effects::{Effects, Touch};
use super::fields::Fields;
use super::graph::{self, At, Graph, Kind, Node};
use super::versions::{Role, Versions};
use super::vocabulary::Own;

/// The answer to a yes-or-no question, as far as data flow knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Certainty {
    /// No, whenever this statement runs.
    Never,
    /// Yes, whenever this statement runs.
    Always,
    /// It depends on the path.
    Maybe,
}

/// The facts before a statement.
#[derive(Clone, Debug)]
pub struct Point {
    /// Whether the running segment has posted (or announced its end).
    pub posted: Certainty,
    /// Whether it has done anything visible.
    pub visible: Certainty,
    /// The fields that it may still write before it ends.
    pub later: Fields,
    /// Whether its end has to be announced here, if that has not happened.
    pub announces: bool,
    /// Whether the segment may end here.
    pub ends: bool,
    /// Whether this is an implicit preemption point.
    pub implicit: bool,
}

/// The facts in one version of a procedure.
#[derive(Clone, Debug)]
pub struct Facts {
    /// Before each statement, in the order of [`super::walk`].
    pub before: Vec<Point>,
    /// Before the test of a loop; of other statements the same as `before`.
    pub test: Vec<Certainty>,
    /// For the first procedure of a task: whether the last segment has posted when the procedure returns.
    pub posted_at_end: Certainty,
}

/// A set of answers: yes, no, as at the procedure's entry.
type Set = u8;
const NO: Set = 1;
const YES: Set = 2;
const AS_AT_ENTRY: Set = 4;

/// The two yes-or-no questions at a point.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
struct State {
    posted: Set,
    visible: Set,
}

impl State {
    fn join(self, other: Self) -> Self {
        Self {
            posted: self.posted | other.posted,
            visible: self.visible | other.visible,
        }
    }
}

/// Replaces "as at entry" in `set` by `entry`.
fn at_entry(set: Set, entry: Set) -> Set {
    if set & AS_AT_ENTRY == 0 {
        set
    } else {
        set & !AS_AT_ENTRY | entry
    }
}

fn known(set: Set) -> Certainty {
    match set {
        YES => Certainty::Always,
        0 | NO => Certainty::Never,
        _ => Certainty::Maybe,
    }
}

/// The fields that may be written before the segment ends, and whether the procedure may return before that.
#[derive(Clone, Default, PartialEq, Eq)]
struct Later {
    fields: Fields,
    returns: bool,
}

/// Finds the facts in every version; `None` for those of `finally`, which has no segments. `own` has the fields that the end of a
/// task and a failing check write.
pub fn facts(
    program: &Program,
    effects: &Effects,
    versions: &Versions,
    own: Own,
) -> Vec<Option<Facts>> {
    let does = graph::what_versions_do(program, versions);
    let build = |&v| graph::build(program, effects, versions, &does, v, own.failed);
    let mut analysis = Analysis {
        graphs: versions.list.iter().map(build).collect(),
        ..Analysis::default()
    };
    let roots = roots(program, versions);
    analysis.forward();
    analysis.entries(&roots);
    analysis.backward();
    analysis.after_return(&roots, own.done);
    let of = |(i, v): (usize, &super::versions::Version)| {
        (v.role != Role::Final).then(|| analysis.facts(i))
    };
    versions.list.iter().enumerate().map(of).collect()
}

/// The versions that tasks begin with.
fn roots(program: &Program, versions: &Versions) -> Vec<usize> {
    let main = versions.index(super::versions::Version {
        proc: program.main,
        role: Role::Task,
    });
    std::iter::once(main)
        .chain(versions.posted.iter().map(|&p| versions.entry(program, p)))
        .collect()
}

#[derive(Default)]
struct Analysis {
    graphs: Vec<Graph>,
    /// For each version: what is known before each node.
    states: Vec<Vec<State>>,
    /// For each version: what its callers know when they call it.
    entry: Vec<State>,
    /// For each version: what may be written from each node on.
    later: Vec<Vec<Later>>,
    /// For each version: what its callers may write after it has returned, before the segment ends.
    after: Vec<Fields>,
}

impl Analysis {
    /// Repeats a step, which says whether it has changed anything, for every version until nothing changes.
    fn until_stable(&mut self, step: fn(&mut Self, usize) -> bool) {
        loop {
            let mut changed = false;
            for version in 0..self.graphs.len() {
                changed |= step(self, version);
            }
            if !changed {
                return;
            }
        }
    }

    /// Computes the states before all nodes, relative to the entry.
    fn forward(&mut self) {
        let begin = State {
            posted: AS_AT_ENTRY,
            visible: AS_AT_ENTRY,
        };
        for graph in &self.graphs {
            let mut states = vec![State::default(); graph.nodes.len()];
            states[0] = begin;
            self.states.push(states);
        }
        self.until_stable(Self::forward_once);
    }

    fn forward_once(&mut self, version: usize) -> bool {
        let mut changed = false;
        for (id, node) in self.graphs[version].nodes.iter().enumerate() {
            let after = self.transfer(node, self.states[version][id]);
            for &next in &node.next {
                let old = self.states[version][next as usize];
                self.states[version][next as usize] = old.join(after);
                changed |= self.states[version][next as usize] != old;
            }
        }
        changed
    }

    fn transfer(&self, node: &Node, before: State) -> State {
        if before == State::default() {
            return before; // not reached
        }
        let visible = match node.touch {
            Touch::No => before.visible,
            Touch::Maybe => before.visible | YES,
            Touch::Yes => YES,
        };
        match node.kind {
            Kind::Plain | Kind::Check => State { visible, ..before },
            Kind::Announce => State {
                posted: YES,
                visible,
            },
            Kind::Post => State {
                posted: YES,
                visible: YES,
            },
            // A segment that passes an implicit point has done nothing visible, so it has not posted either.
            Kind::Yield | Kind::Implicit => State {
                posted: NO,
                visible: NO,
            },
            Kind::Await => State {
                posted: NO,
                visible: YES,
            },
            Kind::Call(callee) => {
                let exit = self.states[callee][self.graphs[callee].exit as usize];
                State {
                    posted: at_entry(exit.posted, before.posted),
                    visible: at_entry(exit.visible, visible),
                }
            }
        }
    }

    /// Computes what the callers of each version know at its entry.
    fn entries(&mut self, roots: &[usize]) {
        self.entry = vec![State::default(); self.graphs.len()];
        for &root in roots {
            self.entry[root] = State {
                posted: NO,
                visible: NO,
            };
        }
        self.until_stable(Self::entries_once);
    }

    fn entries_once(&mut self, version: usize) -> bool {
        let mut changed = false;
        for (id, node) in self.graphs[version].nodes.iter().enumerate() {
            let Kind::Call(callee) = node.kind else {
                continue;
            };
            let joined = self.entry[callee].join(self.resolved(version, id));
            changed |= joined != self.entry[callee];
            self.entry[callee] = joined;
        }
        changed
    }

    fn resolved(&self, version: usize, node: usize) -> State {
        let (state, entry) = (self.states[version][node], self.entry[version]);
        State {
            posted: at_entry(state.posted, entry.posted),
            visible: at_entry(state.visible, entry.visible),
        }
    }

    /// Computes which fields may be written from each node on, up to the procedure's return.
    fn backward(&mut self) {
        self.later = self
            .graphs
            .iter()
            .map(|g| vec![Later::default(); g.nodes.len()])
            .collect();
        for (later, graph) in self.later.iter_mut().zip(&self.graphs) {
            later[graph.exit as usize].returns = true;
        }
        self.until_stable(Self::backward_once);
    }

    fn backward_once(&mut self, version: usize) -> bool {
        let mut changed = false;
        for id in (0..self.graphs[version].nodes.len()).rev() {
            if id as u32 == self.graphs[version].exit {
                continue;
            }
            let later = self.before(version, id);
            changed |= later != self.later[version][id];
            self.later[version][id] = later;
        }
        changed
    }

    fn before(&self, version: usize, id: usize) -> Later {
        let node = &self.graphs[version].nodes[id];
        let passes = known(self.resolved(version, id).visible) != Certainty::Always;
        let mut later = match node.kind {
            Kind::Yield | Kind::Await => Later::default(),
            Kind::Implicit if !passes => Later::default(),
            _ => self.joined(version, node),
        };
        if let Kind::Call(callee) = node.kind {
            let inside = &self.later[callee][0];
            if !inside.returns {
                later = Later::default();
            }
            later.fields.extend(&inside.fields);
        }
        later.fields.extend(&node.write.into_iter().collect());
        later
    }

    fn joined(&self, version: usize, node: &Node) -> Later {
        let mut later = Later::default();
        for &next in &node.next {
            let other = &self.later[version][next as usize];
            later.fields.extend(&other.fields);
            later.returns |= other.returns;
        }
        later
    }

    /// Computes what callers may still write in the segment after a version has returned.
    fn after_return(&mut self, roots: &[usize], last_write: Option<u32>) {
        self.after = vec![Fields::default(); self.graphs.len()];
        for &root in roots {
            self.after[root].extend(&last_write.into_iter().collect());
        }
        self.until_stable(Self::after_once);
    }

    fn after_once(&mut self, version: usize) -> bool {
        let mut changed = false;
        for id in 0..self.graphs[version].nodes.len() {
            let node = &self.graphs[version].nodes[id];
            let Kind::Call(callee) = node.kind else {
                continue;
            };
            let after = self.fields(version, self.joined(version, node));
            changed |= self.after[callee].extend(&after);
        }
        changed
    }

    /// Returns all fields that may be written, also by callers.
    fn fields(&self, version: usize, later: Later) -> Fields {
        let mut fields = later.fields;
        if later.returns {
            fields.extend(&self.after[version]);
        }
        fields
    }

    fn facts(&self, version: usize) -> Facts {
        let graph = &self.graphs[version];
        let point = |at: &At| {
            let state = self.resolved(version, at.start as usize);
            let later = self.fields(version, self.later[version][at.start as usize].clone());
            let kind = graph.nodes[at.start as usize].kind;
            Point {
                posted: known(state.posted),
                visible: known(state.visible),
                later,
                announces: matches!(kind, Kind::Post | Kind::Announce),
                ends: matches!(
                    kind,
                    Kind::Yield | Kind::Implicit | Kind::Await | Kind::Check
                ),
                implicit: kind == Kind::Implicit,
            }
        };
        // A task's entry is a new segment.
        let end = at_entry(self.states[version][graph.exit as usize].posted, NO);
        Facts {
            before: graph.at.iter().map(point).collect(),
            test: graph
                .at
                .iter()
                .map(|at| known(self.resolved(version, at.test as usize).visible))
                .collect(),
            posted_at_end: known(end),
        }
    }
}
