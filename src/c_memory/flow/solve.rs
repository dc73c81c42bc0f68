//! The rules are applied until nothing is added any more; what is then known of the types of allocated objects.

use super::{Flow, Node, Rule};
use crate::forms::open_end;
use crate::{Made, Object, Target, size_of};
use c::typed::{ExprId, ExprKind as C, FunctionId};
use c::types::{Type, TypeId};
use std::collections::{BTreeMap, BTreeSet};

impl Flow<'_> {
    pub(super) fn set(&self, node: Node) -> BTreeSet<Target> {
        self.sets.get(&node).cloned().unwrap_or_default()
    }

    pub(super) fn include(&mut self, from: Node, to: Node) -> bool {
        if from == to {
            return false;
        }
        let from = self.set(from);
        if from.is_empty() {
            return false;
        }
        let to = self.sets.entry(to).or_default();
        let before = to.len();
        to.extend(from);
        to.len() > before
    }

    pub(super) fn solve(&mut self) {
        let rules = std::mem::take(&mut self.rules);
        loop {
            let mut changed = false;
            for rule in &rules {
                changed |= self.apply(rule);
            }
            if !changed {
                break;
            }
        }
        self.rules = rules;
        self.type_heap();
    }

    fn targets(&self, node: Node) -> impl Iterator<Item = &Target> {
        self.sets.get(&node).into_iter().flatten()
    }

    pub(super) fn objects(&self, node: Node) -> Vec<Node> {
        let of = |t: &Target| match t {
            Target::Object(object) => Some(Node::Object(*object)),
            Target::Function(_) => None,
        };
        self.targets(node).filter_map(of).collect()
    }

    pub(super) fn functions(&self, node: Node) -> Vec<FunctionId> {
        if let Node::Result(function) = node {
            return vec![function];
        }
        let of = |t: &Target| match t {
            Target::Function(function) => Some(*function),
            Target::Object(_) => None,
        };
        self.targets(node).filter_map(of).collect()
    }

    pub(super) fn apply(&mut self, rule: &Rule) -> bool {
        let mut changed = false;
        match rule {
            Rule::Copy(from, to) => changed = self.include(*from, *to),
            Rule::Load(pointer, to) => {
                for object in self.objects(*pointer) {
                    changed |= self.include(object, *to);
                }
            }
            Rule::Store(from, pointer) => {
                for object in self.objects(*pointer) {
                    changed |= self.include(*from, object);
                }
            }
            Rule::Move(from, to) => {
                for from in self.objects(*from) {
                    for to in self.objects(*to) {
                        changed |= self.include(from, to);
                    }
                }
            }
            Rule::Call(pointer, args, result) => {
                for function in self.functions(*pointer) {
                    for (index, &arg) in args.iter().enumerate() {
                        changed |= self.include(arg, self.parameter(function, index));
                    }
                    changed |= self.include(Node::Result(function), *result);
                }
            }
            Rule::Pass(from, called) => {
                for function in self.functions(*called) {
                    changed |= self.include(Node::Rest(*from), Node::Rest(function));
                }
            }
            Rule::Start(start, arg) => {
                for function in self.functions(*start) {
                    for &param in &self.unit[function].params {
                        changed |= self.include(*arg, Node::Object(Object::Variable(param)));
                    }
                    changed |= self.include(Node::Result(function), Node::Threads);
                }
            }
            Rule::Destroy(pointer) => {
                for function in self.functions(*pointer) {
                    for &param in &self.unit[function].params {
                        changed |= self.include(Node::Keys, Node::Object(Object::Variable(param)));
                    }
                }
            }
        }
        changed
    }

    /// What each allocation makes: the type that pointers to it are converted to.
    pub(super) fn type_heap(&mut self) {
        let unit = self.unit;
        let mut found: BTreeMap<ExprId, BTreeSet<TypeId>> = BTreeMap::new();
        for (node, set) in &self.sets {
            let Node::Value(e) = node else { continue };
            let Some(pointee) = unit.types.pointee(unit[*e].ty.ty) else {
                continue;
            };
            let ty = unit.types.canonical(pointee.ty);
            if unit.types.layout(ty).is_none() || unit.types.function(ty).is_some() {
                continue;
            }
            // The conversion of an allocation, not what lies within.
            if let C::Convert(_, of) = unit[*e].kind
                && unit
                    .types
                    .pointee(unit[of].ty.ty)
                    .is_some_and(|p| matches!(unit.types.shape(p.ty), Type::Void))
            {
                for target in set {
                    if let Target::Object(Object::Heap(site)) = target {
                        found.entry(*site).or_default().insert(pointee.ty);
                    }
                }
            }
        }
        for (site, types) in found {
            let Some(entry) = self.heap.get_mut(&site) else {
                continue;
            };
            let length = entry.len;
            // The largest type: others are those of its first members.
            let largest = types.into_iter().max_by_key(|&ty| size_of(unit, ty));
            if let Some(ty) = largest {
                let size = size_of(unit, ty);
                *entry = Made {
                    ty,
                    len: entry.len.map(|bytes| bytes / size),
                    tail: None,
                };
                if let Some((_, from, each)) = open_end(unit, ty) {
                    let bytes = length.map_or(0, |bytes| bytes.saturating_sub(from));
                    *entry = Made {
                        ty,
                        len: Some(1),
                        tail: Some(bytes.div_ceil(each.max(1))),
                    };
                }
            }
        }
    }
}
