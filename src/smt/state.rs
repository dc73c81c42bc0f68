//! The values on a path of the symbolic execution.

use std::rc::Rc;

use super::path::{Families, Path};
use super::term::{Node, Sort, Term, Terms};

/// The values of all variables on a path. Copies are cheap until they are written to.
#[derive(Clone, Debug)]
pub struct State {
    /// The leaves of all globals.
    pub globals: Rc<Vec<Term>>,
    /// The leaves of the running procedure's locals.
    pub locals: Rc<Vec<Term>>,
    pub path: Path,
    /// The values of the variables that keep states apart (see [`super::exec`]); `None` where a variable is not one number.
    pub label: Rc<Vec<Option<i128>>>,
}

/// Stands for the values of variables that have not been assigned yet. Nothing depends on them, so where
/// such a value meets another one, the other one is taken.
#[derive(Clone, Copy, Debug)]
pub struct Unassigned {
    truth: Term,
    number: Term,
}

impl Unassigned {
    /// Makes the variables in a table.
    pub fn new(terms: &mut Terms) -> Self {
        let all = super::term::Interval::ALL;
        // The interval is a point, so a leftover variable does not disturb the choice of widths.
        let point = super::term::Interval::point(0);
        Self {
            truth: terms.fresh("unassigned", Sort::Bool, all),
            number: terms.fresh("unassigned", Sort::Int, point),
        }
    }

    pub fn of(self, terms: &mut Terms, sort: Sort) -> Term {
        match sort {
            Sort::Bool => self.truth,
            Sort::Int => self.number,
            Sort::Map { .. } => {
                let element = self.of(terms, sort.element());
                terms.fill(element)
            }
        }
    }

    fn is(self, terms: &Terms, term: Term) -> bool {
        term.positive() == self.truth
            || term == self.number
            || matches!(terms.get(term), Node::Fill(element) if self.is(terms, element))
    }
}

/// Merges states on paths that exclude each other.
///
/// # Panics
/// If there is no state.
pub fn merge(
    terms: &mut Terms,
    families: &Families,
    unassigned: Unassigned,
    states: Vec<State>,
) -> State {
    let paths: Vec<_> = states.iter().map(|s| s.path.clone()).collect();
    let (path, conditions) = Path::meet(terms, families, &paths);
    let merged = |terms: &mut Terms, rows: Vec<&Rc<Vec<Term>>>| {
        merge_rows(terms, unassigned, &conditions, &rows)
    };
    let globals = merged(terms, states.iter().map(|s| &s.globals).collect());
    let locals = merged(terms, states.iter().map(|s| &s.locals).collect());
    State {
        globals,
        locals,
        path,
        label: states[0].label.clone(),
    }
}

/// Merges rows of values. Their conditions exclude each other, and one of them holds.
pub fn merge_rows(
    terms: &mut Terms,
    unassigned: Unassigned,
    conditions: &[Term],
    rows: &[&Rc<Vec<Term>>],
) -> Rc<Vec<Term>> {
    let first = rows[0];
    if rows.iter().all(|row| Rc::ptr_eq(row, first)) {
        return first.clone();
    }
    let mut merged = Vec::with_capacity(first.len());
    let mut arms = Vec::with_capacity(rows.len());
    for leaf in 0..first.len() {
        let same = rows.iter().all(|row| row[leaf] == first[leaf]);
        if same {
            merged.push(first[leaf]);
            continue;
        }
        arms.clear();
        arms.extend(
            conditions
                .iter()
                .copied()
                .zip(rows.iter().map(|row| row[leaf])),
        );
        arms.retain(|arm| !unassigned.is(terms, arm.1));
        merged.push(if arms.is_empty() {
            first[leaf]
        } else {
            terms.switch(&arms)
        });
    }
    Rc::new(merged)
}
