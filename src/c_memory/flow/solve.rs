//! Applies the rules until they add nothing more, then finds the types of allocated objects.

use super::{Flow, Node, Rule};
use crate::forms::{element, is_character, leads_to_characters, open_end};
use crate::{Made, Object, Target, size_of, unconverted};
use c::typed::{ExprId, ExprKind as C, FunctionId, Unit};
use c::types::{Type, TypeId};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};

/// How the type of an allocated object is known, the best way last.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Seen {
    /// A pointer of that type leads to the object.
    Led,
    /// A pointer to characters leads to the object: everything may be seen as characters.
    Bytes,
    /// The program copies objects of that type into the object or from it.
    Moved,
    /// The program converts a pointer to the object to that type.
    Converted,
    /// The program converts the pointer where it makes the object.
    Made,
}

/// What is left to do: what is new in the sets of nodes, and which nodes get it.
#[derive(Default)]
struct Work {
    /// By node: the nodes whose sets include its set.
    edges: FxHashMap<Node, FxHashSet<Node>>,
    /// By node: the rules that look up its targets.
    asked: FxHashMap<Node, Vec<usize>>,
    new: BTreeMap<Node, Vec<Target>>,
}

impl Flow<'_> {
    /// The set of a node gets more.
    fn include(&mut self, more: &[Target], to: Node, work: &mut Work) {
        if more.is_empty() {
            return;
        }
        let bytes = !matches!(to, Node::Value(e) if !leads_to_characters(self.unit, e));
        let all = self.sets.entry(to).or_default();
        let more = more.iter().copied();
        let more = more.filter(|&target| bytes || target != Target::AnyByte);
        let new = more.filter(|&target| all.insert(target));
        let new: Vec<Target> = new.collect();
        if !new.is_empty() {
            work.new.entry(to).or_default().extend(new);
        }
    }

    pub(super) fn solve(&mut self) {
        let rules = std::mem::take(&mut self.rules);
        let mut work = Work::default();
        for (index, rule) in rules.iter().enumerate() {
            for node in rule.asks() {
                work.asked.entry(node).or_default().push(index);
            }
        }
        for rule in &rules {
            self.apply(rule, &mut work);
        }
        while let Some((node, new)) = work.new.pop_first() {
            let next: Vec<Node> = work
                .edges
                .get(&node)
                .into_iter()
                .flatten()
                .copied()
                .collect();
            for to in next {
                self.include(&new, to, &mut work);
            }
            for index in work.asked.get(&node).cloned().unwrap_or_default() {
                self.apply(&rules[index], &mut work);
            }
        }
        self.rules = rules;
        self.type_heap();
    }

    /// From now on the set of a node includes that of another one.
    fn connect(&mut self, from: Node, to: Node, work: &mut Work) {
        if from != to && work.edges.entry(from).or_default().insert(to) {
            let all: Vec<Target> = self.targets(from).copied().collect();
            self.include(&all, to, work);
        }
    }

    fn targets(&self, node: Node) -> impl Iterator<Item = &Target> {
        self.sets.get(&node).into_iter().flatten()
    }

    fn objects(&self, node: Node) -> Vec<Node> {
        let objects = self.targets(node).filter_map(|target| target.object());
        objects.map(Node::Object).collect()
    }

    pub(super) fn functions(&self, node: Node) -> Vec<FunctionId> {
        if let Node::Result(function) = node {
            return vec![function];
        }
        let targets = self.targets(node);
        targets.filter_map(|target| target.function()).collect()
    }

    /// Connects the nodes that a rule means by now.
    fn apply(&mut self, rule: &Rule, work: &mut Work) {
        match rule {
            Rule::Copy(from, to) => self.connect(*from, *to, work),
            Rule::Load(pointer, to) => {
                for object in self.objects(*pointer) {
                    self.connect(object, *to, work);
                }
            }
            Rule::Store(from, pointer) => {
                for object in self.objects(*pointer) {
                    self.connect(*from, object, work);
                }
            }
            Rule::Move(from, to) => {
                for from in self.objects(*from) {
                    for to in self.objects(*to) {
                        self.connect(from, to, work);
                    }
                }
            }
            Rule::Call(pointer, args, result) => {
                for function in self.functions(*pointer) {
                    for (index, &arg) in args.iter().enumerate() {
                        self.connect(arg, self.parameter(function, index), work);
                    }
                    self.connect(Node::Result(function), *result, work);
                }
            }
            Rule::Pass(from, called) => {
                for function in self.functions(*called) {
                    self.connect(Node::Rest(*from), Node::Rest(function), work);
                }
            }
            Rule::Start(start, arg) => {
                for function in self.functions(*start) {
                    for &param in &self.unit[function].params {
                        self.connect(*arg, Node::Object(Object::Variable(param)), work);
                    }
                    self.connect(Node::Result(function), Node::Threads, work);
                }
            }
            Rule::Destroy(pointer) => {
                for function in self.functions(*pointer) {
                    for &param in &self.unit[function].params {
                        self.connect(Node::Keys, Node::Object(Object::Variable(param)), work);
                    }
                }
            }
        }
    }

    /// The types of the pointers that lead to what allocations make, and how that is known.
    fn types_of_heap(&self) -> BTreeMap<ExprId, BTreeSet<(Seen, TypeId)>> {
        let unit = self.unit;
        let mut found: BTreeMap<ExprId, BTreeSet<(Seen, TypeId)>> = BTreeMap::new();
        for (node, set) in &self.sets {
            let Node::Value(e) = node else { continue };
            let Some(pointee) = unit.types.pointee(unit[*e].ty.ty) else {
                continue;
            };
            let ty = match unit.types.is_variable(pointee.ty) {
                true => element(unit, pointee.ty).unwrap_or(pointee.ty),
                false => pointee.ty,
            };
            let own = unit.types.canonical(ty);
            if unit.types.layout(own).is_none() || unit.types.function(own).is_some() {
                continue;
            }
            let from = match unit[*e].kind {
                C::Convert(_, of) => unit.types.pointee(unit[of].ty.ty).map(|p| (of, p.ty)),
                _ => None,
            };
            for target in set {
                let &Target::Object(Object::Heap(site)) = target else {
                    continue;
                };
                let how = match from {
                    _ if is_character(unit, own) => Seen::Bytes,
                    // A conversion where the object is made says what it is.
                    Some((of, _)) if unconverted(unit, of) == site => Seen::Made,
                    // A conversion of the whole object, not of a part.
                    Some((_, before)) if matches!(unit.types.shape(before), Type::Void) => {
                        Seen::Converted
                    }
                    _ => Seen::Led,
                };
                found.entry(site).or_default().insert((how, ty));
            }
        }
        for &(node, ty) in &self.moved {
            for target in self.targets(node) {
                if let &Target::Object(Object::Heap(site)) = target {
                    found.entry(site).or_default().insert((Seen::Moved, ty));
                }
            }
        }
        found
    }

    /// What each allocation makes: the type that pointers to it are converted to.
    pub(super) fn type_heap(&mut self) {
        let unit = self.unit;
        let found = self.types_of_heap();
        for (site, types) in found {
            let Some(entry) = self.heap.get_mut(&site) else {
                continue;
            };
            let length = entry.len;
            // A type that is larger than the object is that of another object to which the same pointers may lead.
            // Numbers that do not fill the object lie among other bytes.
            let fits = |&&(_, ty): &&(Seen, TypeId)| {
                let size = size_of(unit, ty);
                let whole = |bytes: u64| bytes.is_multiple_of(size) || !unit.types.is_scalar(ty);
                length.is_none_or(|bytes| size <= bytes && whole(bytes))
                    || open_end(unit, ty).is_some()
            };
            // The best known type, then the largest: smaller types are those of its first members.
            let weight = |&&(how, ty): &&(Seen, TypeId)| (how, size_of(unit, ty));
            let best = types.iter().filter(fits).max_by_key(weight).map(|t| t.1);
            // A structure of exactly the allocated size counts instead, if it begins with that type.
            let longer = types.iter().map(|(_, ty)| *ty).find(|&ty| {
                Some(size_of(unit, ty)) == length && best.is_some_and(|b| begins_with(unit, ty, b))
            });
            let largest = longer.or(best);
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

/// Whether the first member of a structure, or its first member in turn, has a type or begins with the members of that type.
fn begins_with(unit: &Unit, ty: TypeId, first: TypeId) -> bool {
    let fields = |ty| {
        let record = unit
            .types
            .record(ty)
            .filter(|_| unit.types.library(ty).is_none())?;
        let record = &unit.types[record];
        record.fields.as_deref().filter(|_| !record.is_union)
    };
    let Some(own) = fields(ty).filter(|f| !f.is_empty()) else {
        return false;
    };
    let alike = fields(first).is_some_and(|first| {
        let same = own.iter().zip(first).all(|(a, b)| a.ty.ty == b.ty.ty);
        same && !first.is_empty() && first.len() < own.len()
    });
    alike || own[0].ty.ty == first || begins_with(unit, own[0].ty.ty, first)
}
