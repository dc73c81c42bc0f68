//! Few terms of a large table: the terms below them, a copy in a small table, and a copy with other variables.

use rustc_hash::{FxHashMap, FxHashSet};

use super::{CasesId, ConstId, Node, RangeId, Term, Terms, Var};

/// The new term for each old one, by the old one's place in the table.
pub type Renaming = FxHashMap<usize, Term>;

/// The new term for an old one.
fn now(new: &Renaming, term: Term) -> Term {
    let made = new[&term.index()];
    if term.negated() { !made } else { made }
}

impl Terms {
    /// The places of everything that terms need, operands first.
    #[must_use]
    pub fn below(&self, roots: &[Term]) -> Vec<usize> {
        self.below_unless(roots, |_| false)
    }

    /// The same without the places that are known, and without what only those need.
    fn below_unless(&self, roots: &[Term], known: impl Fn(usize) -> bool) -> Vec<usize> {
        /// Up to this many places, a search through `all` costs less than a hash table.
        const FEW: usize = 24;
        let mut seen = FxHashSet::default();
        let mut open: Vec<Term> = roots.to_vec();
        let mut all = Vec::with_capacity(roots.len());
        while let Some(term) = open.pop() {
            let index = term.index();
            if known(index) {
                continue;
            }
            if all.len() == FEW && seen.is_empty() {
                seen.extend(all.iter().copied());
            }
            let new = if all.len() < FEW {
                !all.contains(&index)
            } else {
                seen.insert(index)
            };
            if new {
                all.push(index);
                self.operands(term, |o| open.push(o));
            }
        }
        all.sort_unstable();
        all
    }

    /// Copies some terms into a table of their own: the same nodes in the same order. Returns the new table, the roots there, and
    /// the old variable of each new one, by the number of the new one.
    #[must_use]
    pub fn part(&self, roots: &[Term]) -> (Self, Vec<Term>, Vec<Var>) {
        let mut part = Self::new();
        let mut new = Renaming::default();
        let mut vars = Vec::new();
        for index in self.below(roots) {
            let old = self.at(index);
            let made = match self.get(old) {
                Node::True => Term::TRUE,
                Node::Var(var) => {
                    vars.push(var);
                    let info = self.var(var);
                    part.fresh(info.name.clone(), info.sort, info.interval)
                }
                node => {
                    let node = self.copied(node, &new, &mut part);
                    part.node(node, self.sort(old), self.interval(old))
                }
            };
            new.insert(index, made);
        }
        let roots = roots.iter().map(|&r| now(&new, r)).collect();
        (part, roots, vars)
    }

    /// A node with its operands and data in another table.
    fn copied(&self, node: Node, new: &Renaming, table: &mut Self) -> Node {
        let to = |term: Term| now(new, term);
        match node {
            Node::True | Node::Var(_) => node,
            Node::And(a, b) => Node::And(to(a), to(b)),
            Node::Ite(c, a, b) => Node::Ite(to(c), to(a), to(b)),
            Node::Eq(a, b) => Node::Eq(to(a), to(b)),
            Node::Le(a, b) => Node::Le(to(a), to(b)),
            Node::SameMap(a, b) => Node::SameMap(to(a), to(b)),
            Node::Const(id) => Node::Const(ConstId(table.consts.intern(self.number(id)))),
            Node::Cases(id) => {
                let cases = self.cases(id).iter().map(|&(n, guard)| (n, to(guard)));
                Node::Cases(CasesId(table.cases.intern(cases.collect())))
            }
            Node::Op(op, a, b) => Node::Op(op, to(a), to(b)),
            Node::Wrap(bits, a) => Node::Wrap(bits, to(a)),
            Node::Narrow(id, a) => {
                Node::Narrow(RangeId(table.ranges.intern(self.range(id))), to(a))
            }
            Node::Fill(a) => Node::Fill(to(a)),
            Node::Store(map, index, value) => Node::Store(to(map), to(index), to(value)),
            Node::Select(map, index) => Node::Select(to(map), to(index)),
        }
    }

    /// Replaces variables in terms. `new` holds what the variables become; what all other terms become is added to it.
    pub fn renamed(&mut self, roots: &[Term], new: &mut Renaming) -> Vec<Term> {
        let direct = |root: &Term| new.contains_key(&root.index());
        if roots.iter().all(direct) {
            return roots.iter().map(|&root| now(new, root)).collect();
        }
        for index in self.below_unless(roots, |index| new.contains_key(&index)) {
            let old = self.at(index);
            let to = |term: Term| now(new, term);
            let made = match self.get(old) {
                Node::True | Node::Var(_) | Node::Const(_) => old,
                Node::And(a, b) => self.and(to(a), to(b)),
                Node::Ite(c, a, b) => self.ite(to(c), to(a), to(b)),
                Node::Eq(a, b) => self.eq(to(a), to(b)),
                Node::Le(a, b) => self.le(to(a), to(b)),
                Node::SameMap(a, b) => self.same_map(to(a), to(b)),
                Node::Cases(id) => {
                    let cases = self.cases(id).iter().map(|&(n, guard)| (n, to(guard)));
                    self.one_of(cases.collect())
                }
                Node::Op(op, a, b) => self.op(op, to(a), to(b)),
                Node::Wrap(bits, a) => self.wrap(bits, to(a)),
                Node::Narrow(id, a) => self.narrow(self.range(id), to(a)),
                Node::Fill(a) => self.fill(to(a)),
                Node::Store(map, index, value) => self.store(to(map), to(index), to(value)),
                Node::Select(map, index) => self.select(to(map), to(index)),
            };
            new.insert(index, made);
        }
        roots.iter().map(|&root| now(new, root)).collect()
    }

    /// The variables that terms look at, in the order in which they were made.
    #[must_use]
    pub fn vars_of(&self, roots: &[Term]) -> Vec<Var> {
        let vars = self.below(roots).into_iter();
        let vars = vars.filter_map(|index| match self.get(self.at(index)) {
            Node::Var(var) => Some(var),
            _ => None,
        });
        vars.collect()
    }
}
