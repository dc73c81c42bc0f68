//! Path conditions.
//!
//! A path is a list of literals, the newest first, shared with the paths that it
//! grew from. Where execution splits into parts that cover everything, the parts are
//! a *family*; when all members of a family meet again, the path is the one before
//! the split, however complicated their conditions are.
//!
//! A path need not be exact for executions that violate a constraint: whatever is
//! claimed under a path is claimed together with the constraints.

use std::rc::Rc;

use super::term::{Node, Term, Terms};

/// How many links of a path are searched for a known literal.
const MEMORY: usize = 64;

#[derive(Clone, Debug)]
pub struct Path(Option<Rc<Link>>);

#[derive(Debug)]
struct Link {
    before: Path,
    literal: Term,
    term: Term,
    depth: usize,
    family: Option<usize>,
    /// Known to hold in executions that meet the constraints, but not part of the condition.
    fact: bool,
}

/// All families of an execution.
#[derive(Clone, Debug, Default)]
pub struct Families {
    /// How many members of each are alive.
    alive: Vec<usize>,
}

impl Path {
    pub const START: Self = Self(None);

    #[must_use]
    pub fn term(&self) -> Term {
        self.0.as_ref().map_or(Term::TRUE, |link| link.term)
    }

    fn depth(&self) -> usize {
        self.0.as_ref().map_or(0, |link| link.depth)
    }

    fn is(&self, other: &Self) -> bool {
        match (&self.0, &other.0) {
            (None, None) => true,
            (Some(a), Some(b)) => Rc::ptr_eq(a, b),
            _ => false,
        }
    }

    fn link(&self, terms: &mut Terms, literal: Term, family: Option<usize>, fact: bool) -> Self {
        let term = if fact {
            self.term()
        } else {
            terms.and(self.term(), literal)
        };
        Self(Some(Rc::new(Link {
            before: self.clone(),
            literal,
            term,
            depth: self.depth() + 1,
            family,
            fact,
        })))
    }

    /// This path, where a literal holds.
    #[must_use]
    pub fn and(&self, terms: &mut Terms, literal: Term) -> Self {
        self.link(terms, literal, None, false)
    }

    /// This path, where a literal is known to hold in executions that meet the constraints.
    #[must_use]
    pub fn knowing(&self, terms: &mut Terms, literal: Term) -> Self {
        if literal == Term::TRUE {
            self.clone()
        } else {
            self.link(terms, literal, None, true)
        }
    }

    /// The parts of this path. The literals must exclude each other and cover the path.
    #[must_use]
    pub fn split(
        &self,
        terms: &mut Terms,
        families: &mut Families,
        literals: &[Term],
    ) -> Vec<Self> {
        families.alive.push(literals.len());
        let family = Some(families.alive.len() - 1);
        literals
            .iter()
            .map(|&literal| self.link(terms, literal, family, false))
            .collect()
    }

    /// Says that no execution on this path meets the constraints: its family is complete without it.
    pub fn kill(&self, families: &mut Families) {
        let mut path = self;
        while let Some(link) = &path.0 {
            if let Some(family) = link.family {
                families.alive[family] -= 1;
                if families.alive[family] > 0 {
                    return;
                }
            } else if !link.fact {
                return;
            }
            path = &link.before;
        }
    }

    /// What is known of a truth value: newest literals are looked at first.
    #[must_use]
    pub fn knows(&self, terms: &Terms, term: Term) -> Option<bool> {
        if let Some(known) = term.known() {
            return Some(known);
        }
        let mut path = self;
        for _ in 0..MEMORY {
            let link = path.0.as_ref()?;
            if let Some(known) = follows(terms, link.literal, term, 3) {
                return Some(known);
            }
            path = &link.before;
        }
        None
    }

    /// The conjunction of the literals since an older path; all of them if this path did not grow from it.
    #[must_use]
    pub fn since(&self, terms: &mut Terms, older: &Self) -> Term {
        let mut literals = Vec::new();
        let mut path = self;
        while !path.is(older) {
            let Some(link) = &path.0 else { break };
            if !link.fact {
                literals.push(link.literal);
            }
            path = &link.before;
        }
        terms.all(literals.into_iter().rev())
    }

    /// The newest path that both grew from.
    fn fork(&self, other: &Self) -> Self {
        let (mut a, mut b) = (self.clone(), other.clone());
        while !a.is(&b) {
            let older = if a.depth() >= b.depth() {
                &mut a
            } else {
                &mut b
            };
            let Some(link) = older.0.clone() else {
                return Self::START;
            };
            *older = link.before.clone();
        }
        a
    }

    /// Joins paths that exclude each other. Returns the path from there on, and for each path the condition that led to it since
    /// all of them parted.
    #[must_use]
    pub fn meet(terms: &mut Terms, families: &Families, paths: &[Self]) -> (Self, Vec<Term>) {
        let Some(first) = paths.first() else {
            return (Self::START, Vec::new());
        };
        let fork = paths
            .iter()
            .skip(1)
            .fold(first.clone(), |fork, path| fork.fork(path));
        let conditions: Vec<_> = paths.iter().map(|p| p.since(terms, &fork)).collect();
        if collapse(families, paths).is_some_and(|whole| whole.is(&fork) || fork.grew_from(&whole))
        {
            return (fork, conditions);
        }
        let any = terms.any(conditions.iter().copied());
        let path = if any == Term::TRUE {
            fork
        } else {
            fork.and(terms, any)
        };
        (path, conditions)
    }

    fn grew_from(&self, older: &Self) -> bool {
        let mut path = self;
        loop {
            if path.is(older) {
                return true;
            }
            match &path.0 {
                Some(link) => path = &link.before,
                None => return false,
            }
        }
    }
}

/// Whether a literal decides a truth value.
fn follows(terms: &Terms, literal: Term, term: Term, depth: u32) -> Option<bool> {
    if literal == term {
        return Some(true);
    }
    if literal == !term {
        return Some(false);
    }
    if depth > 0
        && !literal.negated()
        && let Node::And(a, b) = terms.get(literal)
    {
        return follows(terms, a, term, depth - 1).or_else(|| follows(terms, b, term, depth - 1));
    }
    None
}

/// The path that splits into exactly the given ones, if families show it.
fn collapse(families: &Families, paths: &[Path]) -> Option<Path> {
    let mut left: Vec<Path> = paths.to_vec();
    while left.len() > 1 {
        // The deepest path comes first. If all its siblings are here, they are as deep, apart from facts that were added.
        let deepest = (0..left.len()).max_by_key(|&i| (left[i].depth(), left.len() - i))?;
        let link = left[deepest].0.clone()?;
        if link.fact {
            left[deepest] = link.before.clone();
            continue;
        }
        let family = link.family?;
        let of_family = |p: &Path| p.0.as_ref().is_some_and(|l| l.family == Some(family));
        let members = left.iter().filter(|p| of_family(p)).count();
        if members < families.alive[family] {
            return None;
        }
        left.retain(|p| !of_family(p));
        left.push(link.before.clone());
    }
    left.pop()
}

#[cfg(test)]
mod tests {
    use super::super::term::{Interval, Sort};
    use super::*;

    #[test]
    fn families_meet_where_they_parted() {
        let (terms, families) = (&mut Terms::new(), &mut Families::default());
        let v: Vec<_> = (0..3)
            .map(|i| terms.fresh(format!("v{i}"), Sort::Bool, Interval::ALL))
            .collect();
        let start = Path::START.and(terms, v[0]);
        let halves = start.split(terms, families, &[v[1], !v[1]]);
        let quarters = halves[0].split(terms, families, &[v[2], !v[2]]);
        let all = [
            quarters[0].clone(),
            halves[1].clone(),
            quarters[1].knowing(terms, v[2]),
        ];
        let (path, conditions) = Path::meet(terms, families, &all);
        assert_eq!(path.term(), v[0]);
        assert_eq!(terms.any(conditions), Term::TRUE);
        let (path, _) = Path::meet(terms, families, &all[..2]);
        let alive = terms.and(v[1], !v[2]);
        assert_eq!(path.term(), terms.and(v[0], !alive));
        assert_eq!(quarters[0].knows(terms, !v[1]), Some(false));
    }
}
