//! What the analysis has found, as others ask for it.

use super::{Flow, Node, Rule};
use crate::threads::Site;
use crate::{Object, Target};
use c::typed::{ExprId, FunctionId, Lifetime, VarId};
use std::collections::{BTreeMap, BTreeSet};

impl Flow<'_> {
    /// By function: where it is called, or where threads start with it.
    pub fn sites(&self, start: bool) -> BTreeMap<FunctionId, Vec<Site>> {
        let mut all: BTreeMap<FunctionId, Vec<Site>> = BTreeMap::new();
        for (node, site) in if start { &self.starts } else { &self.calls } {
            for function in self.functions(*node) {
                all.entry(function).or_default().push(*site);
            }
        }
        all
    }

    /// Whether a function that is called ends the thread.
    pub fn exits_in_functions(&self) -> bool {
        let called = self.sites(false);
        let anywhere = crate::forms::cancels_anywhere(self.unit) && !called.is_empty();
        anywhere || self.exits.iter().any(|f| called.contains_key(f))
    }

    /// What the values of expressions may point to.
    pub fn values(&self) -> BTreeMap<ExprId, BTreeSet<Target>> {
        let of = |(node, set): (&Node, &BTreeSet<Target>)| match node {
            Node::Value(e) => Some((*e, set.clone())),
            _ => None,
        };
        self.sets.iter().filter_map(of).collect()
    }

    /// The objects to which there may be a pointer.
    pub fn residents(&self) -> BTreeSet<Object> {
        let all = self.sets.values().flatten();
        all.filter_map(|target| target.object()).collect()
    }

    /// Variables to which only one thread ever has a pointer: in its locals, or under keys, where each thread has its own values.
    pub fn private(&self) -> BTreeSet<Object> {
        let residents = self.residents();
        let shared = self.shared(&residents, Some(Node::Keys));
        let own = |object: &Object| match *object {
            Object::Variable(v) => self.unit[v].lifetime != Lifetime::Static,
            _ => false,
        };
        let all = residents.iter().copied();
        all.filter(|o| own(o) && !shared.contains(o)).collect()
    }

    /// The objects to which something else than locals of one thread, and the node `also`, ever holds a pointer. `residents` are
    /// all objects to which there may be a pointer.
    pub(super) fn shared(
        &self,
        residents: &BTreeSet<Object>,
        also: Option<Node>,
    ) -> BTreeSet<Object> {
        let started: BTreeSet<FunctionId> = self.sites(true).into_keys().collect();
        let by_one = |node: &Node| match node {
            Node::Value(_) | Node::Result(_) | Node::Rest(_) => true,
            Node::Object(holder) => match holder {
                Object::Variable(h) => {
                    let h_ = &self.unit[*h];
                    let local = matches!(h_.lifetime, Lifetime::Local | Lifetime::Param);
                    let starts = h_.lifetime == Lifetime::Param
                        && h_.function.is_none_or(|f| started.contains(&f));
                    local && !starts && !residents.contains(holder)
                }
                _ => false,
            },
            Node::Threads | Node::Keys => false,
        };
        let sets = self.sets.iter();
        let others = sets.filter(|(node, _)| Some(**node) != also && !by_one(node));
        let held = others.flat_map(|(_, set)| set);
        held.filter_map(|target| target.object()).collect()
    }

    /// Local variables to which a pointer may lead after their function has returned, and those to which a pointer may lead after
    /// their block within the function has ended.
    pub fn outlived(&self) -> (BTreeSet<VarId>, BTreeSet<VarId>) {
        let main_ends = self.main_ends_early();
        let kept = self.kept();
        let by_block = self.outlived_by_function(kept.clone());
        let mut by_call = kept;
        by_call.retain(|&v| self.unit[v].function != self.unit.main || main_ends);
        by_call.extend(self.kept_of_threads());
        (by_call, by_block)
    }

    pub(super) fn outlived_by_function(&self, mut outlived: BTreeSet<VarId>) -> BTreeSet<VarId> {
        for (node, set) in &self.sets {
            let Node::Object(Object::Variable(holder)) = *node else {
                continue;
            };
            let targets = set.iter().filter_map(|target| match *target {
                Target::Object(Object::Variable(v)) => Some(v),
                _ => None,
            });
            let same = |v: &VarId| self.unit[*v].function == self.unit[holder].function;
            outlived.extend(targets.filter(|v| same(v) && self.blocks.outlasts(holder, *v)));
        }
        outlived.retain(|&v| self.blocks.ends_early(v));
        outlived
    }

    /// Local variables to which more may point than variables of the same call, and of calls that this call makes. A variable of
    /// another function counts among these only if no pointer leads to it, so that only its own function sets it.
    pub(super) fn kept(&self) -> BTreeSet<VarId> {
        let residents = self.residents();
        let shared = self.shared(&residents, None);
        let started: BTreeSet<FunctionId> = self.sites(true).into_keys().collect();
        let local = |v: VarId| {
            let lifetime = self.unit[v].lifetime;
            matches!(lifetime, Lifetime::Local | Lifetime::Param)
        };
        let mut outlived = BTreeSet::new();
        for (node, set) in &self.sets {
            for target in set {
                let Target::Object(Object::Variable(v)) = *target else {
                    continue;
                };
                let owner = self.unit[v].function;
                let kept = match *node {
                    Node::Value(_) | Node::Rest(_) => false,
                    Node::Result(function) => owner == Some(function),
                    Node::Threads
                    | Node::Keys
                    | Node::Object(Object::Text(_) | Object::Heap(_)) => true,
                    Node::Object(Object::Variable(holder)) => {
                        let own = self.unit[holder].function;
                        let given = self.unit[holder].lifetime == Lifetime::Param
                            && own.is_none_or(|f| started.contains(&f));
                        let reached = residents.contains(&Object::Variable(holder))
                            && (own != owner
                                || !local(holder)
                                || shared.contains(&Object::Variable(holder)));
                        !local(holder) || given || reached
                    }
                };
                if local(v) && kept {
                    outlived.insert(v);
                }
            }
        }
        outlived
    }

    /// Thread-local variables to which other threads may hold pointers.
    fn kept_of_threads(&self) -> Vec<VarId> {
        let residents = self.residents();
        let others = self.shared(&residents, Some(Node::Keys));
        let own = residents.iter().filter_map(|&object| match object {
            Object::Variable(v) if self.unit[v].lifetime == Lifetime::Thread => Some(v),
            _ => None,
        });
        own.filter(|&v| others.contains(&Object::Variable(v)))
            .collect()
    }

    /// Whether the first thread may end before the program does.
    pub(super) fn main_ends_early(&self) -> bool {
        let main = self.unit.main.is_some_and(|m| self.exits.contains(&m));
        main || self.exits_in_functions()
    }

    /// Functions that read arguments beyond the named ones, themselves or by a function to which they pass their list.
    pub fn reads_rest(&self) -> BTreeSet<FunctionId> {
        let mut reads = self.reads.clone();
        let passed = |rule: &Rule| match rule {
            Rule::Pass(from, called) => Some((*from, self.functions(*called))),
            _ => None,
        };
        let passed: Vec<_> = self.rules.iter().filter_map(passed).collect();
        loop {
            let before = reads.len();
            let more = passed
                .iter()
                .filter(|(_, to)| to.iter().any(|f| reads.contains(f)));
            let more: Vec<FunctionId> = more.map(|(from, _)| *from).collect();
            reads.extend(more);
            if reads.len() == before {
                return reads;
            }
        }
    }

    /// How many keys are made at most, if each place makes only one. The functions in `once` run at most once.
    pub fn keys(&self, once: &BTreeSet<FunctionId>) -> Option<u32> {
        let single = |at: &Site| !at.repeated && once.contains(&at.by);
        let known = self.keys_at.iter().all(single);
        known.then_some(self.keys_at.len() as u32)
    }

    /// The functions that are destructors of keys.
    pub fn destructors(&self) -> BTreeSet<FunctionId> {
        let of = |rule: &Rule| match rule {
            Rule::Destroy(node) => self.functions(*node),
            _ => Vec::new(),
        };
        self.rules.iter().flat_map(of).collect()
    }
}
