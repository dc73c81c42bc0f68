//! Jumps: a `goto` continues a loop, leaves a block, or enters a block in its middle.

use super::{Lowered, Lowerer};
use c::parts::statements_in;
use c::typed::{ExprId as CExprId, ExprKind as C, LabelId, StmtId, StmtKind as S};
use ir::lower::Lower;
use ir::{BinaryOp, Block, ErrorKind, ExprId, LocalId, LoopId, StmtKind, Types};
use rustc_hash::FxHashSet;

/// What a jump to a label does.
#[derive(Clone, Copy, Debug)]
pub(super) struct Target {
    label: LabelId,
    id: LoopId,
    /// Whether the label stands at the begin of the loop, so that a jump continues the loop. Otherwise a jump leaves it.
    back: bool,
    /// If the label stands within a statement: the local that says that a jump enters the statement there.
    entered: Option<LocalId>,
}

impl Target {
    fn back(label: LabelId, id: LoopId) -> Self {
        Self {
            label,
            id,
            back: true,
            entered: None,
        }
    }

    fn on(label: LabelId, id: LoopId) -> Self {
        Self {
            label,
            id,
            back: false,
            entered: None,
        }
    }
}

impl Lowerer<'_> {
    pub(super) fn jump(&mut self, label: LabelId) -> Lowered<()> {
        let found = self.body.targets.labels.iter().find(|l| l.label == label);
        let Some(&target) = found else {
            let span = self.body.span;
            return self.in_turn(span, "a `goto` to this place is");
        };
        if let Some(entered) = target.entered {
            let place = self.local_place(entered);
            self.set(&place, 1);
        }
        self.emit(if target.back {
            StmtKind::Continue(target.id)
        } else {
            StmtKind::Break(target.id)
        });
        Ok(())
    }

    /// Lowers a block with its atomic sections and labels. Statements behind a label to which a jump leads back become a loop.
    /// Statements before a label to which a jump leads forwards become a block that the jump leaves.
    pub(super) fn sequence(&mut self, statements: &[StmtId]) -> Lowered<()> {
        if !self.entries(statements).is_empty() {
            return match self.targets_in(statements).is_empty() {
                true => self.entered_at(statements),
                false => self.entered_anywhere(statements),
            };
        }
        // A label within a section belongs to the step of the section.
        let inside = self.in_sections(statements);
        let known: FxHashSet<LabelId> = self.body.targets.labels.iter().map(|l| l.label).collect();
        let label_at = |l: &Self, at: usize| match l.unit[statements[at]].kind {
            S::Label(label) if !inside[at] => (!known.contains(&label)).then_some(label),
            _ => None,
        };
        let all: Vec<(usize, LabelId)> = (0..statements.len())
            .filter_map(|at| Some((at, label_at(self, at)?)))
            .collect();
        if self.is_tangled(statements, &all, &inside) {
            return self.entered_anywhere(statements);
        }
        // Whether no jump from behind this label leads back to it or before it: then no loop of this block reaches past it. Jumps
        // past it come to labels that are lowered first.
        let closed = |(at, _): &&(usize, LabelId)| {
            let (before, after) = all.split_at(all.partition_point(|(other, _)| other <= at));
            let leads = |from: &[StmtId], to: &[(usize, LabelId)]| {
                to.iter().any(|&(_, label)| self.jumps(from, label))
            };
            !leads(&statements[at + 1..], before) && !leads(&statements[..*at], after)
        };
        if let Some(&(at, label)) = all.iter().rev().find(closed) {
            self.before_label(label, &statements[..at])?;
            self.at_label(label);
            return self.sequence(&statements[at + 1..]);
        }
        let mut back = all.iter();
        let back = back.find(|(at, label)| self.jumps(&statements[at + 1..], *label));
        let Some(&(at, label)) = back else {
            return self.nested(statements);
        };
        self.before_label(label, &statements[..at])?;
        let id = self.new_loop();
        self.body.targets.labels.push(Target::back(label, id));
        let done = self.apart(|l| {
            l.at_label(label);
            l.sequence(&statements[at + 1..])
        });
        self.body.targets.labels.pop();
        let (mut block, ()) = done?;
        self.once(id, &mut block);
        Ok(())
    }

    /// Whether a jump leads past a label of the block into one of its statements, or into a loop that begins at one of its labels.
    fn is_tangled(&self, statements: &[StmtId], all: &[(usize, LabelId)], inside: &[bool]) -> bool {
        let into_loop = |&(at, label): &(usize, LabelId)| {
            let mut after = all.iter().filter(|(other, _)| *other > at);
            let goes_back = self.jumps(&statements[at + 1..], label);
            goes_back
                && after.any(|&(other, entered)| {
                    let behind = &statements[other + 1..];
                    self.jumps(&statements[..at], entered)
                        && [label, entered].iter().any(|&l| self.jumps(behind, l))
                })
        };
        let into_statement = |at: usize| {
            let is_label = matches!(self.unit[statements[at]].kind, S::Label(_));
            let (before, after) = (&statements[..at], &statements[at + 1..]);
            let into = |l| self.jumps(before, l) || self.jumps(after, l);
            !is_label && !inside[at] && self.labels_in(statements[at]).into_iter().any(into)
        };
        !all.is_empty() && (all.iter().any(into_loop) || (0..statements.len()).any(into_statement))
    }

    /// Lowers a label. It is a failed assertion if `--error-label` names it.
    pub(super) fn at_label(&mut self, label: LabelId) {
        let (unit, options) = (self.unit, self.options);
        let name = unit.name(unit[label].name);
        let wrong = options.error_labels.iter().any(|l| l == name);
        if wrong && options.wanted.has(ErrorKind::Assertion) {
            let what = format!("`{name}` is reached");
            self.at(unit[label].span, |l| {
                l.never(ErrorKind::Assertion, what);
            });
        }
    }

    /// Lowers the statements before a label. Jumps may lead out of them to the label.
    fn before_label(&mut self, label: LabelId, statements: &[StmtId]) -> Lowered<()> {
        if statements.is_empty() {
            return Ok(());
        }
        let id = self.new_loop();
        self.body.targets.labels.push(Target::on(label, id));
        let begun = self.body.locals.len();
        let done = self.apart(|l| l.sequence(statements));
        self.body.targets.labels.pop();
        let (mut block, ()) = done?;
        if leaves(&block, id) {
            if self.names_what_is_passed(label, statements) {
                self.begin_passed(begun);
            }
            self.once(id, &mut block);
        } else {
            self.body.block.append(&mut block);
        }
        Ok(())
    }

    /// Whether the text behind a label names an array or a structure that these statements declare. What is stored there is a part.
    fn names_what_is_passed(&self, label: LabelId, statements: &[StmtId]) -> bool {
        let (unit, at) = (self.unit, self.unit[label].span.start);
        let is_named = |v| {
            let mut exprs = unit.exprs.iter();
            exprs.any(|e| e.kind == C::Var(v) && e.span.start > at)
        };
        statements.iter().any(|s| match unit[*s].kind {
            S::Declare(v) => !unit.types.is_scalar(unit[v].ty.ty) && is_named(v),
            _ => false,
        })
    }

    /// Whether a `goto` in statements leads to a label.
    fn jumps(&self, statements: &[StmtId], label: LabelId) -> bool {
        self.labels.jump(statements, label)
    }

    /// Lowers statements that have no labels themselves. A statement may hold a label to which earlier statements jump.
    fn nested(&mut self, statements: &[StmtId]) -> Lowered<()> {
        let inside = self.in_sections(statements);
        let outside: Vec<usize> = (0..statements.len()).filter(|&at| !inside[at]).collect();
        let back = |&at: &usize| {
            let labels = self.labels_in(statements[at]);
            let (own, after) = (statements[at], &statements[at + 1..]);
            let from_both = |l| self.jumps(&statements[..at], l) && self.jumps(&[own], l);
            labels
                .iter()
                .any(|&l| self.jumps(after, l) || self.jumps_across(own, l) || from_both(l))
        };
        if outside.iter().any(back) {
            return self.entered_anywhere(statements);
        }
        let found = outside.iter().rev().find_map(|&at| {
            let mut all = self.labels_in(statements[at]);
            all.retain(|&l| self.jumps(&statements[..at], l));
            (!all.is_empty()).then_some((at, all))
        });
        let Some((at, labels)) = found else {
            return self.straight(statements);
        };
        let id = self.new_loop();
        let (targets, entries) = (self.body.targets.labels.len(), self.body.entries.len());
        self.enter_at(labels, |label| Target::on(label, id));
        let own = self.body.entries.split_off(entries);
        let done = self.apart(|l| l.nested(&statements[..at]));
        self.body.targets.labels.truncate(targets);
        let (mut block, ()) = done?;
        self.once(id, &mut block);
        self.body.entries.extend(own);
        let begun = self.body.locals.len();
        let done = self.apart(|l| l.straight(&statements[at..=at]));
        self.body.entries.truncate(entries);
        let (mut block, ()) = done?;
        self.begin_passed(begun);
        self.body.block.append(&mut block);
        self.straight(&statements[at + 1..])
    }

    /// Adds targets for labels. A jump sets a local of its label and goes where `target` says. From there it comes to the label.
    fn enter_at(&mut self, labels: Vec<LabelId>, target: impl Fn(LabelId) -> Target) {
        for label in labels {
            let entered = self.local("entered", Types::BOOL, true);
            let place = self.local_place(entered);
            self.set(&place, 0);
            self.body.entries.push((label, entered));
            let entered = Some(entered);
            let target = target(label);
            self.body.targets.labels.push(Target { entered, ..target });
        }
    }

    /// The labels in a statement that are no targets of jumps yet.
    fn labels_in(&self, statement: StmtId) -> Vec<LabelId> {
        let wanted = |&l: &LabelId| {
            let known = self.body.targets.labels.iter().any(|k| k.label == l);
            !known && self.unit[l].function == self.body.function
        };
        let mut labels: Vec<LabelId> = self.labels.within(statement).filter(wanted).collect();
        labels.sort_unstable_by_key(|label| label.0);
        labels
    }

    /// Returns the labels in these statements to which jumps in these statements lead.
    fn targets_in(&self, statements: &[StmtId]) -> Vec<LabelId> {
        let mut labels: Vec<LabelId> = (statements.iter())
            .flat_map(|&s| self.labels_in(s))
            .collect();
        labels.retain(|&l| self.jumps(statements, l));
        labels
    }

    /// Whether a `goto` leads from one branch of an `if` into the other, or from a condition into a statement that it guards. Inner
    /// blocks handle their own jumps.
    fn jumps_across(&self, statement: StmtId, label: LabelId) -> bool {
        let inner = statements_in(self.unit, statement);
        if self.holds(&inner, label) && self.labels.jump_beside(statement, &inner, label) {
            return true;
        }
        match self.unit[statement].kind {
            S::If(_, yes, no) => {
                let across = no.is_some_and(|no| {
                    self.holds(&[yes], label) && self.jumps(&[no], label)
                        || self.holds(&[no], label) && self.jumps(&[yes], label)
                        || self.jumps_across(no, label)
                });
                across || self.jumps_across(yes, label)
            }
            S::While(_, body) | S::DoWhile(body, _) | S::Switch(_, body, _) | S::For(.., body) => {
                self.jumps_across(body, label)
            }
            _ => false,
        }
    }

    /// Lowers statements with inner labels to which jumps lead back or from beside. Such a jump begins the statements again, and
    /// skips all that stands before its label.
    fn entered_anywhere(&mut self, statements: &[StmtId]) -> Lowered<()> {
        let labels = self.targets_in(statements);
        let entered = !self.entries(statements).is_empty();
        let concerned = |s: &StmtId| {
            let mut all = labels.iter();
            entered || all.any(|&l| self.holds(&[*s], l) || self.jumps(&[*s], l))
        };
        let first = statements.iter().position(concerned).unwrap_or_default();
        let (before, statements) = statements.split_at(first);
        self.sequence(before)?;
        let id = self.new_loop();
        let (targets, entries) = (self.body.targets.labels.len(), self.body.entries.len());
        self.enter_at(labels, |label| Target::back(label, id));
        let begun = self.body.locals.len();
        let done = self.apart(|l| l.entered_at(statements));
        self.body.targets.labels.truncate(targets);
        self.body.entries.truncate(entries);
        let (mut block, ()) = done?;
        self.begin_passed(begun);
        self.once(id, &mut block);
        Ok(())
    }

    /// Gives any value to the locals from `begun` on, since a jump may pass over their declarations.
    fn begin_passed(&mut self, begun: usize) {
        for local in begun..self.body.locals.len() {
            let place = self.local_place(LocalId::from_index(local));
            self.havoc(place);
        }
    }

    /// The labels within statements that jumps from outside lead to.
    pub(super) fn entries(&self, statements: &[StmtId]) -> Vec<(LabelId, LocalId)> {
        let inside = |(label, _): &&(LabelId, LocalId)| self.holds(statements, *label);
        self.body.entries.iter().filter(inside).copied().collect()
    }

    /// Makes the condition that a jump to one of these labels is under way.
    fn entered(&mut self, entries: &[(LabelId, LocalId)]) -> ExprId {
        let none = self.build.bool(false);
        entries.iter().fold(none, |any, &(_, entered)| {
            let one = self.read_local(entered);
            self.build.binary(BinaryOp::Or, any, one)
        })
    }

    /// Lowers the statements of `act` so that jumps into `statements` skip them.
    pub(super) fn unless_entered(
        &mut self,
        statements: &[StmtId],
        act: impl FnOnce(&mut Self) -> Lowered<()>,
    ) -> Lowered<()> {
        let entries = self.entries(statements);
        if entries.is_empty() {
            return act(self);
        }
        let any = self.entered(&entries);
        self.unless(any, act)
    }

    /// Lowers statements that a jump may enter at labels. Such a jump skips what stands before its label.
    fn entered_at(&mut self, statements: &[StmtId]) -> Lowered<()> {
        let first = |s: &StmtId| !self.entries(&[*s]).is_empty();
        let Some(at) = statements.iter().position(first) else {
            let entries = std::mem::take(&mut self.body.entries);
            let done = self.sequence(statements);
            self.body.entries = entries;
            return done;
        };
        let (before, rest) = (&statements[..at], &statements[at + 1..]);
        if let S::Label(label) = self.unit[statements[at]].kind {
            self.unless_entered(statements, |l| l.before_label(label, before))?;
            let own = self.body.entries.iter().find(|(own, _)| *own == label);
            if let Some(&(_, entered)) = own {
                let place = self.local_place(entered);
                self.set(&place, 0);
            }
            self.at_label(label);
        } else {
            self.unless_entered(statements, |l| l.sequence(before))?;
            self.unless_entered(rest, |l| l.statement(statements[at]))?;
        }
        self.entered_at(rest)
    }

    /// Lowers the condition of an `if`. A jump into one of the branches skips the condition.
    pub(super) fn condition_past(
        &mut self,
        cond: CExprId,
        yes: StmtId,
        no: Option<StmtId>,
    ) -> Lowered<ExprId> {
        let into_yes = self.entries(&[yes]);
        let into_no = no.map_or_else(Vec::new, |no| self.entries(&[no]));
        if into_yes.is_empty() && into_no.is_empty() {
            return self.condition(cond);
        }
        let way = self.entered(&into_yes);
        let both = [into_yes, into_no].concat();
        let chosen = self.temporary(Types::BOOL);
        let place = self.local_place(chosen);
        let (yes, ()) = self.apart(|l| {
            l.store_place(place.clone(), way);
            Ok(())
        })?;
        let (no, ()) = self.apart(|l| {
            let cond = l.condition(cond)?;
            l.store_place(place.clone(), cond);
            Ok(())
        })?;
        let flag = self.entered(&both);
        self.emit(StmtKind::If(flag, yes, no));
        Ok(self.read_local(chosen))
    }

    /// Whether a label stands in statements.
    fn holds(&self, statements: &[StmtId], label: LabelId) -> bool {
        self.labels.hold(statements, label)
    }
}

/// Whether a block leaves a loop around it.
pub(super) fn leaves(block: &Block, id: LoopId) -> bool {
    block.iter().any(|stmt| match &stmt.kind {
        StmtKind::Break(own) => *own == id,
        StmtKind::If(_, yes, no) => leaves(yes, id) || leaves(no, id),
        StmtKind::Loop(l) => leaves(&l.body, id),
        StmtKind::Atomic(_, inner) => leaves(inner, id),
        _ => false,
    })
}
