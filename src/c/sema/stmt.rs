//! Statements: control, labels, cases.

use rustc_hash::{FxHashMap, FxHashSet};

use super::Sema;
use crate::typed::{
    Case, ExprId, ExprKind, FunctionId, Label, LabelId, Lifetime, StmtId, StmtKind, VarId,
};
use crate::types::{QualType, TypeId, Types};
use crate::{
    tree,
    tree::{Name, StmtKind as K},
};
use ast::symbol::Symbol;
use base::source::Span;

/// The function whose body is read.
#[derive(Debug)]
pub(super) struct Body {
    pub function: FunctionId,
    result: TypeId,
    /// Variables that begin before the next statement.
    pub pending: Vec<StmtId>,
    /// How many loops are around; `breaks` also counts switches.
    loops: usize,
    breaks: usize,
    switches: Vec<Switch>,
    labels: FxHashMap<Symbol, LabelId>,
    /// Labels of blocks, declared by `__label__`, innermost last.
    local_labels: Vec<(Symbol, LabelId)>,
    /// The labels whose places have been read.
    placed: FxHashSet<LabelId>,
}

/// A `switch` that is read.
#[derive(Debug)]
struct Switch {
    ty: TypeId,
    cases: Vec<Case>,
}

impl Body {
    pub fn new(function: FunctionId, result: TypeId) -> Self {
        Self {
            function,
            result,
            pending: Vec::new(),
            loops: 0,
            breaks: 0,
            switches: Vec::new(),
            labels: FxHashMap::default(),
            local_labels: Vec::new(),
            placed: FxHashSet::default(),
        }
    }
}

impl Sema<'_> {
    pub(super) fn add_stmt(&mut self, kind: StmtKind, span: Span) -> StmtId {
        self.unit.add_statement(kind, span)
    }

    fn body(&mut self) -> &mut Body {
        self.body.as_mut().expect("statements stand in functions")
    }

    pub(super) fn function_body(
        &mut self,
        function: FunctionId,
        params: Vec<VarId>,
        body: tree::StmtId,
    ) {
        self.unit[function].params = params;
        let tree::Stmt { kind, span } = self.tree[body];
        let K::Block(list) = kind else {
            return;
        };
        let tree = self.tree;
        // The lengths of parameters come first.
        let mut stmts = std::mem::take(&mut self.body().pending);
        stmts.extend(self.statements(&tree[list]));
        let block = self.add_stmt(StmtKind::Block(stmts.into()), span);
        self.unit[function].body = Some(block);
        self.check_labels();
    }

    pub(super) fn check_labels(&mut self) {
        let Some(body) = &self.body else {
            return;
        };
        let mut missing: Vec<LabelId> = body.labels.values().copied().collect();
        missing.retain(|label| !body.placed.contains(label));
        missing.sort_unstable();
        for label in missing {
            let Label { name, span, .. } = self.unit[label];
            let message = format!("there is no label {}", self.quoted(name));
            self.error("unknown-label", span, message);
        }
    }

    fn statements(&mut self, stmts: &[tree::StmtId]) -> Vec<StmtId> {
        let mut out = Vec::new();
        let mut rest = stmts.iter();
        while let Some(&stmt) = rest.next() {
            match self.makes_thread(stmt).zip(rest.as_slice().first()) {
                Some((label, &after)) => {
                    rest.next();
                    out.push(self.spawned(label, after));
                }
                None => self.statement_into(stmt, &mut out),
            }
        }
        out
    }

    /// Opens a scope of names and labels, and closes it.
    fn in_scope<T>(&mut self, act: impl FnOnce(&mut Self) -> T) -> T {
        let labels = self.body().local_labels.len();
        self.scopes.open();
        let done = act(self);
        self.scopes.close();
        self.body().local_labels.truncate(labels);
        done
    }

    /// A statement, after the variables that begin before it.
    fn statement_into(&mut self, stmt: tree::StmtId, out: &mut Vec<StmtId>) {
        let before = std::mem::take(&mut self.body().pending);
        let typed = self.statement_kind(stmt);
        out.append(&mut self.body().pending);
        self.body().pending = before;
        out.extend(typed);
    }

    /// A statement that is a part of another.
    pub(super) fn statement(&mut self, stmt: tree::StmtId) -> StmtId {
        let span = self.tree[stmt].span;
        let mut out = Vec::new();
        self.statement_into(stmt, &mut out);
        match out[..] {
            [only] => only,
            _ => self.add_stmt(StmtKind::Block(out.into()), span),
        }
    }

    /// A statement; none if it only declares.
    fn statement_kind(&mut self, stmt: tree::StmtId) -> Option<StmtId> {
        let tree::Stmt { kind, span } = self.tree[stmt];
        let tree = self.tree;
        let kind = match kind {
            K::Error | K::Empty => StmtKind::Empty,
            K::Decl(decl) => {
                self.declaration(decl);
                return None;
            }
            K::LocalLabels(names) => {
                self.local_labels(&tree[names]);
                return None;
            }
            K::Expr(e) => StmtKind::Expr(self.effect(e)),
            K::Block(list) => {
                let stmts = self.in_scope(|s| s.statements(&tree[list]));
                StmtKind::Block(stmts.into())
            }
            K::If(condition, then, other) => {
                let condition = self.condition(condition);
                let then = self.statement(then);
                let other = other.map(|s| self.statement(s));
                StmtKind::If(condition, then, other)
            }
            K::While(condition, body) => {
                let condition = self.condition(condition);
                StmtKind::While(condition, self.loop_body(body))
            }
            K::DoWhile(body, condition) => {
                let body = self.loop_body(body);
                StmtKind::DoWhile(body, self.condition(condition))
            }
            K::For(first, condition, step, body) => self.for_loop(first, condition, step, body),
            K::Switch(value, body) => self.switch(value, body),
            K::Case(..) | K::Default => return Some(self.case(kind, span)),
            K::Label(name) => StmtKind::Label(self.place_label(name)),
            K::Goto(name) => StmtKind::Goto(self.label(name.symbol, name.span)),
            K::GotoValue(e) => StmtKind::GotoValue(self.value(e)),
            K::Break => self.jump(self.body.as_ref().is_some_and(|b| b.breaks > 0), true, span),
            K::Continue => self.jump(self.body.as_ref().is_some_and(|b| b.loops > 0), false, span),
            K::Return(value) => self.return_value(value),
            K::Asm(asm) => self.assembler(&self.tree[asm], span),
        };
        Some(self.add_stmt(kind, span))
    }

    /// An expression whose value is not used. A place becomes its value; lowering leaves out a read that does nothing.
    pub(super) fn effect(&mut self, e: tree::ExprId) -> ExprId {
        let typed = self.expr(e);
        let is_void = self.ty(typed) == Types::VOID;
        if is_void || !self.unit.is_place(typed) {
            return typed;
        }
        self.rvalue(typed)
    }

    fn loop_body(&mut self, body: tree::StmtId) -> StmtId {
        self.body().loops += 1;
        self.body().breaks += 1;
        let body = self.statement(body);
        self.body().loops -= 1;
        self.body().breaks -= 1;
        body
    }

    fn for_loop(
        &mut self,
        first: tree::StmtId,
        condition: Option<tree::ExprId>,
        step: Option<tree::ExprId>,
        body: tree::StmtId,
    ) -> StmtKind {
        self.scopes.open();
        let mut begin = Vec::new();
        self.statement_into(first, &mut begin);
        let condition = condition.map(|c| self.condition(c));
        let step = step.map(|s| self.effect(s));
        let body = self.loop_body(body);
        self.scopes.close();
        begin.retain(|&s| self.unit[s].kind != StmtKind::Empty);
        StmtKind::For(begin.into(), condition, step, body)
    }

    fn switch(&mut self, value: tree::ExprId, body: tree::StmtId) -> StmtKind {
        let value = self.value(value);
        let mut value = value;
        let ty = self.ty(value);
        if ty != Types::ERROR && !self.unit.types.is_integer(ty) {
            let message = format!("`switch` wants an integer, not {}", self.show(ty));
            let span = self.span(value);
            value = self.fail("type-mismatch", span, message);
        }
        let value = self.promoted(value);
        let ty = self.ty(value);
        self.body().switches.push(Switch {
            ty,
            cases: Vec::new(),
        });
        self.body().breaks += 1;
        let body = self.statement(body);
        self.body().breaks -= 1;
        let cases = self
            .body()
            .switches
            .pop()
            .map_or_else(Vec::new, |s| s.cases);
        self.check_cases(&cases);
        StmtKind::Switch(value, body, cases.into())
    }

    fn case(&mut self, kind: K, span: Span) -> StmtId {
        let at = self.add_stmt(StmtKind::Case, span);
        let values = match kind {
            K::Case(first, last) => {
                let first = self.case_value(first);
                let last = last.map_or(first, |l| self.case_value(l));
                let (Some(first), Some(last)) = (first, last) else {
                    return at;
                };
                Some((first, last))
            }
            _ => None,
        };
        match self.body().switches.last_mut() {
            Some(switch) => switch.cases.push(Case { values, at }),
            None => self.error("misplaced", span, "a case outside of a `switch`"),
        }
        at
    }

    fn case_value(&mut self, e: tree::ExprId) -> Option<i128> {
        let value = self.value(e);
        let ty = self.body().switches.last().map_or(Types::INT, |s| s.ty);
        let value = self.assigned(value, ty);
        let constant = self.unit.constant(value);
        if constant.is_none() && self.ty(value) != Types::ERROR {
            let span = self.span(value);
            self.error("not-constant", span, "the value of a case is not constant");
        }
        constant
    }

    /// Complains of two cases for the same value.
    fn check_cases(&mut self, cases: &[Case]) {
        let mut ranges: Vec<_> = cases
            .iter()
            .filter_map(|c| c.values.map(|(lo, hi)| (lo, hi, c.at)))
            .filter(|(lo, hi, _)| lo <= hi)
            .collect();
        ranges.sort_unstable_by_key(|r| (r.0, r.2));
        let mut twice: Vec<StmtId> = ranges
            .windows(2)
            .filter(|pair| pair[1].0 <= pair[0].1)
            .map(|pair| pair[1].2)
            .collect();
        let defaults = cases.iter().filter(|c| c.values.is_none());
        twice.extend(defaults.skip(1).map(|c| c.at));
        for at in twice {
            let span = self.unit[at].span;
            self.error("redefined", span, "there are two cases for this value");
        }
    }

    fn jump(&mut self, allowed: bool, is_break: bool, span: Span) -> StmtKind {
        if !allowed {
            let message = if is_break {
                "`break` outside of a loop and a `switch`"
            } else {
                "`continue` outside of a loop"
            };
            self.error("misplaced", span, message);
        }
        if is_break {
            StmtKind::Break
        } else {
            StmtKind::Continue
        }
    }

    /// Accepts a missing value, and a value in a `void` function: compilers only warn of them.
    fn return_value(&mut self, value: Option<tree::ExprId>) -> StmtKind {
        let result = self.body().result;
        let Some(value) = value else {
            return StmtKind::Return(None);
        };
        let value = self.value(value);
        if result == Types::VOID {
            let value = self.converted(value, Types::VOID);
            return StmtKind::Return(Some(value));
        }
        StmtKind::Return(Some(self.assigned(value, result)))
    }

    fn new_label(&mut self, name: Symbol, span: Span) -> LabelId {
        let function = self.body().function;
        self.unit.add_label(Label {
            name,
            function,
            address: None,
            span,
        })
    }

    /// The label that a name stands for, here or later.
    fn label(&mut self, name: Symbol, span: Span) -> LabelId {
        let body = self.body();
        let local = body.local_labels.iter().rev().find(|(own, _)| *own == name);
        if let Some(&(_, label)) = local {
            return label;
        }
        if let Some(&label) = body.labels.get(&name) {
            return label;
        }
        let label = self.new_label(name, span);
        self.body().labels.insert(name, label);
        label
    }

    fn place_label(&mut self, name: Name) -> LabelId {
        let label = self.label(name.symbol, name.span);
        if self.body().placed.contains(&label) {
            let message = format!("there are two labels {}", self.quoted(name.symbol));
            self.error("redefined", name.span, message);
        }
        self.body().placed.insert(label);
        self.unit[label].span = name.span;
        label
    }

    fn local_labels(&mut self, names: &[Name]) {
        for name in names {
            let label = self.new_label(name.symbol, name.span);
            self.body().local_labels.push((name.symbol, label));
        }
    }

    pub(super) fn label_address(&mut self, name: Symbol, span: Span) -> ExprId {
        if self.body.is_none() {
            return self.fail("misplaced", span, "a label outside of a function");
        }
        let label = self.label(name, span);
        if self.unit[label].address.is_none() {
            let place = QualType::plain(Types::INT);
            let variable = self.new_variable(Some(name), place, Lifetime::Static, span);
            self.unit[variable].hidden = true;
            self.unit[label].address = Some(variable);
        }
        self.unit.add_label_address(label, span)
    }

    /// `({ … })`
    pub(super) fn block_value(&mut self, block: tree::StmtId, span: Span) -> ExprId {
        if self.body.is_none() {
            return self.fail("misplaced", span, "statements outside of a function");
        }
        let K::Block(list) = self.tree[block].kind else {
            return self.failed(span);
        };
        let tree = self.tree;
        let stmts = &tree[list];
        let before = std::mem::take(&mut self.body().pending);
        let last = stmts
            .last()
            .filter(|&&s| matches!(tree[s].kind, K::Expr(_)));
        let count = stmts.len() - usize::from(last.is_some());
        let (mut typed, value) = self.in_scope(|s| {
            let typed = s.statements(&stmts[..count]);
            let value = match last.map(|&s| tree[s].kind) {
                Some(K::Expr(e)) => Some(s.value(e)),
                _ => None,
            };
            (typed, value)
        });
        typed.append(&mut self.body().pending);
        self.body().pending = before;
        let ty = value.map_or(Types::VOID, |v| self.ty(v));
        let block = self.add_stmt(StmtKind::Block(typed.into()), span);
        self.make(ExprKind::Block(block, value), ty, span)
    }
}
