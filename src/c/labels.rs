//! Where labels and the jumps to them stand.

use crate::typed::{
    Callee, ExprId, ExprKind as E, Init, InitId, LabelId, StmtId, StmtKind as S, Unit, VarId,
};

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

/// Returns the expressions directly within a statement.
#[must_use]
pub fn expressions_in(unit: &Unit, id: StmtId) -> Vec<ExprId> {
    match &unit[id].kind {
        S::Expr(e) | S::GotoValue(e) => vec![*e],
        S::If(c, ..) | S::While(c, _) | S::DoWhile(_, c) | S::Switch(c, ..) => vec![*c],
        S::For(_, c, step, _) => c.iter().chain(step).copied().collect(),
        S::Return(e) => e.iter().copied().collect(),
        S::Declare(v) => initial(unit, *v),
        _ => Vec::new(),
    }
}

/// Returns the values that a variable begins with.
#[must_use]
pub fn initial(unit: &Unit, variable: VarId) -> Vec<ExprId> {
    fn values(unit: &Unit, init: InitId, all: &mut Vec<ExprId>) {
        match &unit[init] {
            Init::Value(e) => all.push(*e),
            Init::Text(_) => {}
            Init::Parts(parts) => parts.iter().for_each(|p| values(unit, p.init, all)),
        }
    }
    let mut all = Vec::new();
    unit[variable]
        .init
        .iter()
        .for_each(|&i| values(unit, i, &mut all));
    all
}

/// Visits the operands of an expression, but for those within statements and initialisers.
pub fn operands(unit: &Unit, kind: &E, act: &mut dyn FnMut(ExprId)) {
    match kind {
        E::Deref(a) | E::Member(a, _) | E::Temporary(a) | E::Load(a) | E::AddressOf(a) => act(*a),
        E::Decay(a) | E::Convert(_, a) | E::Unary(_, a) | E::Not(a) => act(*a),
        E::Index(a, b) | E::Binary(_, a, b) | E::Compare(_, a, b) | E::Difference(a, b) => {
            act(*a);
            act(*b);
        }
        E::And(a, b) | E::Or(a, b) | E::Elvis(a, b) | E::Comma(a, b) | E::Assign(a, b) => {
            act(*a);
            act(*b);
        }
        E::Offset { pointer, by, .. } => {
            act(*pointer);
            act(*by);
        }
        E::Conditional(a, b, c) => [a, b, c].into_iter().for_each(|&e| act(e)),
        E::Update(update) => {
            act(update.place);
            act(update.value);
        }
        E::Call(callee, list) => {
            if let Callee::Pointer(pointer) = callee {
                act(*pointer);
            }
            unit[*list].iter().for_each(|&e| act(e));
        }
        E::Atomic(_, _, list) | E::Builtin(_, list) => unit[*list].iter().for_each(|&e| act(e)),
        E::Error | E::Var(_) | E::Text(_) | E::Int(_) | E::Float(_) | E::Function(_) => {}
        E::Literal(_) | E::Block(..) | E::LabelAddress(_) => {}
    }
}

/// Returns the blocks in the expressions of a statement.
fn blocks_in(unit: &Unit, statement: StmtId) -> Vec<StmtId> {
    let (mut open, mut blocks) = (expressions_in(unit, statement), Vec::new());
    while let Some(e) = open.pop() {
        match &unit[e].kind {
            E::Block(block, last) => {
                blocks.push(*block);
                open.extend(*last);
            }
            E::Literal(v) => open.extend(initial(unit, *v)),
            kind => operands(unit, kind, &mut |part| open.push(part)),
        }
    }
    blocks
}
