//! Where labels and the jumps to them stand.

use crate::typed::{LabelId, StmtId, StmtKind as S, Unit};

/// The places of statements: numbers in the order of the text.
#[derive(Debug)]
pub struct Labels {
    /// By statement: its place, and the place behind all that stands in it.
    ranges: Vec<(u32, u32)>,
    /// By label: the places of the jumps to it.
    jumps: Vec<Vec<u32>>,
    /// The labels in the order of their places.
    all: Vec<(u32, LabelId)>,
    /// By label: its place.
    of_label: Vec<Option<u32>>,
}

impl Labels {
    #[must_use]
    pub fn new(unit: &Unit) -> Self {
        let count = unit.labels.len();
        let mut found = Self {
            ranges: vec![(0, 0); unit.stmts.len()],
            jumps: vec![Vec::new(); count],
            all: Vec::new(),
            of_label: vec![None; count],
        };
        if count > 0 {
            let all = (0..unit.stmts.len()).map(|s| StmtId(s as u32));
            let mut is_inner = vec![false; unit.stmts.len()];
            let nested = all.clone().flat_map(|s| statements_in(unit, s));
            nested.for_each(|s| is_inner[s.0 as usize] = true);
            let outer = all.filter(|s| !is_inner[s.0 as usize]);
            outer.fold(0, |place, s| found.walk(unit, s, place));
        }
        found
    }

    /// Numbers a statement and all in it. Returns the place behind.
    fn walk(&mut self, unit: &Unit, statement: StmtId, place: u32) -> u32 {
        match unit[statement].kind {
            S::Goto(label) => self.jumps[label.0 as usize].push(place),
            S::Label(label) => {
                self.of_label[label.0 as usize] = Some(place);
                self.all.push((place, label));
            }
            _ => {}
        }
        let nested = statements_in(unit, statement).into_iter();
        let behind = nested.fold(place + 1, |next, s| self.walk(unit, s, next));
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

    /// The labels in a statement.
    pub fn within(&self, statement: StmtId) -> impl Iterator<Item = LabelId> {
        let (from, to) = self.range(statement);
        let first = self.all.partition_point(|&(place, _)| place < from);
        let inside = self.all[first..]
            .iter()
            .take_while(move |&&(place, _)| place < to);
        inside.map(|&(_, label)| label)
    }
}

/// Returns the statements directly within a statement.
#[must_use]
pub fn statements_in(unit: &Unit, id: StmtId) -> Vec<StmtId> {
    match &unit[id].kind {
        S::Block(all) => all.to_vec(),
        S::If(_, yes, no) => [Some(*yes), *no].into_iter().flatten().collect(),
        S::While(_, body) | S::DoWhile(body, _) | S::Switch(_, body, _) => vec![*body],
        S::For(first, _, _, body) => first.iter().copied().chain([*body]).collect(),
        _ => Vec::new(),
    }
}
