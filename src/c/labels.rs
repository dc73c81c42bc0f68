//! Where labels and the jumps to them stand.

use crate::parts::{blocks_in, statements_in};
use crate::typed::{LabelId, StmtId, StmtKind as S, Unit};

/// The places of statements: numbers in the order of the text.
#[derive(Debug)]
pub struct Labels {
    /// By statement: its place, and the place behind all that stands in it, also within its expressions.
    ranges: Vec<(u32, u32)>,
    /// By statement: in how many expressions it stands.
    depths: Vec<u16>,
    /// By label: the places of the jumps to it.
    jumps: Vec<Vec<u32>>,
    /// The labels in the order of their places, with the number of expressions around each.
    all: Vec<(u32, u16, LabelId)>,
    /// By label: its place.
    of_label: Vec<Option<u32>>,
}

impl Labels {
    #[must_use]
    pub fn new(unit: &Unit) -> Self {
        let count = unit.labels.len();
        let mut found = Self {
            ranges: vec![(0, 0); unit.stmts.len()],
            depths: vec![0; unit.stmts.len()],
            jumps: vec![Vec::new(); count],
            all: Vec::new(),
            of_label: vec![None; count],
        };
        if count > 0 {
            let all = (0..unit.stmts.len()).map(|s| StmtId(s as u32));
            let mut is_inner = vec![false; unit.stmts.len()];
            let nested = |s| [blocks_in(unit, s), statements_in(unit, s)].concat();
            let nested = all.clone().flat_map(nested);
            nested.for_each(|s| is_inner[s.0 as usize] = true);
            let outer = all.filter(|s| !is_inner[s.0 as usize]);
            outer.fold(0, |place, s| found.walk(unit, s, (place, 0)));
        }
        found
    }

    /// Numbers a statement and all in it. Returns the place behind.
    fn walk(&mut self, unit: &Unit, statement: StmtId, (place, depth): (u32, u16)) -> u32 {
        match unit[statement].kind {
            S::Goto(label) => self.jumps[label.0 as usize].push(place),
            S::Label(label) => {
                self.of_label[label.0 as usize] = Some(place);
                self.all.push((place, depth, label));
            }
            _ => {}
        }
        let blocks = blocks_in(unit, statement).into_iter();
        let within = blocks.fold(place + 1, |next, s| self.walk(unit, s, (next, depth + 1)));
        let nested = statements_in(unit, statement).into_iter();
        let behind = nested.fold(within, |next, s| self.walk(unit, s, (next, depth)));
        self.depths[statement.0 as usize] = depth;
        self.ranges[statement.0 as usize] = (place, behind);
        behind
    }

    fn range(&self, statement: StmtId) -> (u32, u32) {
        self.ranges[statement.0 as usize]
    }

    /// Whether a place is in one of these statements, which stand one behind the other.
    fn cover(&self, statements: &[StmtId], place: u32) -> bool {
        let behind = statements.partition_point(|&s| self.range(s).0 <= place);
        let last = statements[..behind].last();
        last.is_some_and(|&s| place < self.range(s).1)
    }

    /// Whether a label stands in statements.
    #[must_use]
    pub fn hold(&self, statements: &[StmtId], label: LabelId) -> bool {
        self.of_label[label.0 as usize].is_some_and(|place| self.cover(statements, place))
    }

    /// Whether a `goto` in statements leads to a label.
    #[must_use]
    pub fn jump(&self, statements: &[StmtId], label: LabelId) -> bool {
        let [first, ..] = statements else {
            return false;
        };
        let jumps = &self.jumps[label.0 as usize];
        let from = jumps.partition_point(|&place| place < self.range(*first).0);
        let last = statements.last().unwrap_or(first);
        let mut inside = jumps[from..]
            .iter()
            .take_while(|&&p| p < self.range(*last).1);
        inside.any(|&place| self.cover(statements, place))
    }

    /// Whether an expression of a statement itself has a jump to a label. `inner` are the statements directly within it.
    #[must_use]
    pub fn jump_beside(&self, statement: StmtId, inner: &[StmtId], label: LabelId) -> bool {
        let mut all = self.jumps[label.0 as usize].iter();
        all.any(|&place| self.cover(&[statement], place) && !self.cover(inner, place))
    }

    /// Whether a jump from outside of statements, which stand one behind the other, leads to a label in one of them.
    #[must_use]
    pub fn enter(&self, statements: &[StmtId]) -> bool {
        let outside = |&place: &u32| !self.cover(statements, place);
        let mut within = statements.iter().flat_map(|&s| self.within(s));
        within.any(|label| self.jumps[label.0 as usize].iter().any(outside))
    }

    /// The labels in a statement, but for those in its expressions: no jump leads into an expression.
    pub fn within(&self, statement: StmtId) -> impl Iterator<Item = LabelId> {
        let (from, to) = self.range(statement);
        let depth = self.depths[statement.0 as usize];
        let first = self.all.partition_point(|&(place, ..)| place < from);
        let inside = self.all[first..]
            .iter()
            .take_while(move |&&(place, ..)| place < to);
        let own = inside.filter(move |&&(_, around, _)| around == depth);
        own.map(|&(.., label)| label)
    }
}
