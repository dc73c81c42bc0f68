//! Decides the conditions of a segment, and notes what they look at.

use base::source::Span;
use ir::{BinaryOp, ErrorKind, ExprId, ExprKind, Place, text, walk};
use machine::code::Reached;
use smt::term::Term;

use super::machine::Machine;
use super::mutants::Mutant;
use super::oracle::Verdict;
use super::path::Path;
use super::run::{End, KNOWN, Run, Stop, refused};
use super::touch::Look;

/// The answer about a condition: whether it holds, or the paths on which it does and does not.
enum Answered {
    Known(bool),
    Open(Path, Path),
}

impl<'p> Machine<'p> {
    pub fn assume(&mut self, run: &mut Run<'p>, e: ExprId, span: Span) -> Result<(), Stop> {
        if run.script.is_none() {
            let holds = self.truth(run, e, span)?;
            return holds.then_some(()).ok_or(Stop::End(End::Dropped));
        }
        self.looked(run, e, span)?;
        let condition = self.term(run, e, span)?[0];
        match self.asked(run, condition, e, span)? {
            Answered::Known(true) => Ok(()),
            Answered::Known(false) => Err(Stop::End(End::Dropped)),
            Answered::Open(yes, _) => {
                run.learns(yes);
                Ok(())
            }
        }
    }

    pub fn check(
        &mut self,
        run: &mut Run<'p>,
        kind: ErrorKind,
        e: ExprId,
        span: Span,
    ) -> Result<(), Stop> {
        // A read by an invariant is no access.
        let orders = match self.program.scope.is_invariant(span) {
            true => self.orders.take(),
            false => None,
        };
        let holds = self.truth(run, e, span);
        self.orders = self.orders.take().or(orders);
        if holds? {
            return Ok(());
        }
        Err(Stop::End(End::Fails(kind, span)))
    }

    /// Whether a condition holds; the run stops where that is open.
    pub fn truth(&mut self, run: &mut Run<'p>, e: ExprId, span: Span) -> Result<bool, Stop> {
        self.looked(run, e, span)?;
        self.reads(run, e, span)?;
        let condition = self.term(run, e, span)?[0];
        self.decided(run, condition, e, span)
    }

    /// Whether a condition about an expression holds.
    fn decided(
        &mut self,
        run: &mut Run<'p>,
        condition: Term,
        about: ExprId,
        span: Span,
    ) -> Result<bool, Stop> {
        if let Some(given) = &mut run.given {
            let holds = given.pop().unwrap_or(true);
            let literal = if holds { condition } else { !condition };
            run.state.path = run.state.path.assuming(&self.terms, literal);
            return Ok(holds);
        }
        if run.script.is_some() {
            return self.chosen(run, condition, about, span);
        }
        match self.oracle.decide(&self.terms, &run.state.path, condition) {
            Verdict::Known(holds) => {
                run.tests.iter_mut().for_each(|tests| tests.push(holds));
                Ok(holds)
            }
            Verdict::Open(yes, no) => Err(Stop::Open(yes, no)),
            Verdict::Unknown(reason) => self.undecided(run, &reason, about, span),
        }
    }

    /// Decides an open condition as the script says.
    fn chosen(
        &mut self,
        run: &mut Run<'p>,
        condition: Term,
        about: ExprId,
        span: Span,
    ) -> Result<bool, Stop> {
        let (yes, no) = match self.asked(run, condition, about, span)? {
            Answered::Known(holds) => return Ok(holds),
            Answered::Open(yes, no) => (yes, no),
        };
        let script = run.script.as_mut();
        let holds = script.is_none_or(|s| s.choices.choose(2) == 0);
        run.finds_open();
        run.learns(if holds { yes } else { no });
        Ok(holds)
    }

    /// Returns what is known of a condition. To ask reads the cell of what is known ([`KNOWN`]).
    fn asked(
        &mut self,
        run: &mut Run<'p>,
        condition: Term,
        about: ExprId,
        span: Span,
    ) -> Result<Answered, Stop> {
        if let Some(known) = condition.known() {
            return Ok(Answered::Known(known));
        }
        if let Some(script) = &mut run.script
            && !Mutant::ChoicesCommute.is_on()
        {
            script.touched.push((KNOWN, false));
        }
        match self.oracle.decide(&self.terms, &run.state.path, condition) {
            Verdict::Known(holds) => Ok(Answered::Known(holds)),
            Verdict::Open(yes, no) => Ok(Answered::Open(yes, no)),
            Verdict::Unknown(reason) => self.undecided(run, &reason, about, span),
        }
    }

    /// Ends the segment: no solver says whether a condition can hold.
    fn undecided<T>(
        &self,
        run: &Run<'p>,
        reason: &str,
        about: ExprId,
        span: Span,
    ) -> Result<T, Stop> {
        let names = text::Names {
            program: self.program,
            proc: self.program.proc(run.top().proc),
            values: &[],
        };
        let words = text::expr(names, about);
        refused(format!("{reason}: `{words}`"), span)
    }

    /// Notes that an execution has come to a landmark.
    pub fn comes_to(&mut self, run: &Run<'p>, what: Reached, span: Span) {
        self.reached.insert((what, span, run.top().proc.0));
    }

    /// Notes that an expression is computed. Whether it looks at a global may depend on which parts of it are computed.
    pub fn looked(&mut self, run: &mut Run<'p>, e: ExprId, span: Span) -> Result<(), Stop> {
        self.note(run, |look| look.read(e));
        if run.touched || !self.interrupts || !self.looks.may(e) {
            return Ok(());
        }
        run.touched = self.looks.must(e) || {
            let looks = self.looking(run, e, span)?;
            self.decided(run, looks, e, span)?
        };
        Ok(())
    }

    /// The condition under which an expression looks at a global.
    fn looking(&mut self, run: &Run<'p>, e: ExprId, span: Span) -> Result<Term, Stop> {
        if self.looks.must(e) || !self.looks.may(e) {
            return Ok(Term::of_bool(self.looks.must(e)));
        }
        let program = self.program;
        Ok(match &program.expr(e).kind {
            ExprKind::Binary(op @ (BinaryOp::And | BinaryOp::Or | BinaryOp::Implies), a, b) => {
                let (first, second) = (self.looking(run, *a, span)?, self.looking(run, *b, span)?);
                let value = self.term(run, *a, span)?[0];
                let goes_on = if *op == BinaryOp::Or { !value } else { value };
                let later = self.terms.and(goes_on, second);
                self.terms.or(first, later)
            }
            ExprKind::Ite(c, a, b) => {
                let parts = [*c, *a, *b].map(|part| self.looking(run, part, span));
                let [first, yes, no] = parts;
                let value = self.term(run, *c, span)?[0];
                let later = self.terms.ite(value, yes?, no?);
                self.terms.or(first?, later)
            }
            _ => {
                let mut any = Term::FALSE;
                for part in walk::operands(program.expr(e)) {
                    let looks = self.looking(run, part, span)?;
                    any = self.terms.or(any, looks);
                }
                any
            }
        })
    }

    /// Notes the cells that `look_at` finds, if the run has a script; returns how many they are.
    fn note(&mut self, run: &mut Run<'p>, look_at: impl FnOnce(&mut Look<'_, 'p>)) -> usize {
        let Some(mut script) = run.script.take() else {
            return 0;
        };
        let mut look = Look {
            machine: self,
            state: &run.state,
            task: &run.task,
            lasting: false,
            cells: Vec::new(),
        };
        look_at(&mut look);
        let count = look.cells.len();
        let cells = look.cells.into_iter();
        script.touched.extend(cells.map(|cell| (cell, false)));
        run.script = Some(script);
        count
    }

    pub fn note_writes(&mut self, run: &mut Run<'p>, to: &Place) {
        let count = self.note(run, |look| look.write(to));
        if let Some(script) = &mut run.script {
            let written = script.touched.iter_mut().rev().take(count);
            written.for_each(|touched| touched.1 = true);
        }
    }
}
