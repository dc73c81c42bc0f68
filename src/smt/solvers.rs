//! Chooses the solver: the SAT solver where everything is finite, then Z3; or the user's own command instead of both.
//!
//! All questions about one program go to the same sessions, one after the other, so that a solver profits from what it has
//! learnt. Each question consists of assumptions, which leave nothing behind.

use rustc_hash::FxHashSet;

use super::decide::Question;
use super::sat::SatSession;
use super::smtlib;
use super::solve::{Session as _, Unknown, answer};
use super::term::{Assignment, Datum, Term, Terms, evaluate};
use super::z3::Z3Session;
use base::work;
use solver::z3_version;

/// The numbers of bits within which integers without bounds are tried.
const WIDTHS: [u32; 4] = [8, 16, 32, 64];

/// Terms and values: later models must not give all these terms these values.
type Excluded = Vec<(Term, Datum)>;

/// The sessions about one table of terms, begun when they are needed.
pub struct Solvers<'t> {
    terms: &'t Terms,
    question: &'t Question,
    /// Everything that may be asked about.
    roots: Vec<Term>,
    excluded: Vec<Excluded>,
    /// Terms that no assignment makes true.
    impossible: FxHashSet<Term>,
    sat: Option<SatSession<'t>>,
    /// Sessions that try integers without bounds within a width, the least width first.
    trials: Vec<SatSession<'t>>,
    /// The widths that have not been tried.
    widths: &'static [u32],
    z3: Option<Z3Session<'t>>,
}

impl<'t> Solvers<'t> {
    /// Makes solvers for questions about these roots. No session begins here.
    #[must_use]
    pub fn new(terms: &'t Terms, question: &'t Question, roots: Vec<Term>) -> Self {
        let Question {
            deadline, memory, ..
        } = *question;
        let sat = match question.solver {
            None => SatSession::about(terms, &roots, deadline, memory),
            Some(_) => None,
        };
        Self {
            terms,
            question,
            roots,
            excluded: Vec::new(),
            impossible: FxHashSet::default(),
            widths: if sat.is_none() && question.solver.is_none() {
                &WIDTHS
            } else {
                &[]
            },
            sat,
            trials: Vec::new(),
            z3: None,
        }
    }

    #[must_use]
    pub fn terms(&self) -> &'t Terms {
        self.terms
    }

    /// Returns an assignment that makes the goal true, if there is one. This is the main question: Z3 gets a session for it
    /// alone, in which it simplifies more.
    ///
    /// If there is none, the caller asks about the other terms next. The SAT solver needs hardly longer to show that all of them
    /// are impossible than to show it of one, so that is tried first.
    ///
    /// # Errors
    /// When no solver says, with the reason.
    pub fn decide(&mut self, goal: Term, others: &[Term]) -> Result<Option<Assignment>, Unknown> {
        if goal == Term::FALSE {
            return Ok(None);
        }
        if self.question.solver.is_some() {
            return self.by_command(&[goal], &[]);
        }
        if !others.is_empty() {
            let any: Vec<Term> = others.iter().copied().chain([goal]).collect();
            match self.by_sat(&[], &any) {
                Some(Ok(None)) => {
                    self.impossible.extend(any);
                    return Ok(None);
                }
                Some(Ok(Some(model))) if holds(self.terms, &model, goal) => return Ok(Some(model)),
                Some(Err(unknown)) => return Err(unknown),
                Some(Ok(Some(_))) | None => {}
            }
        }
        if let Some(answered) = self.by_sat(&[goal], &[]) {
            return answered;
        }
        let Question {
            deadline, memory, ..
        } = *self.question;
        // The other questions can be beyond the SAT solver even if this one is not.
        if self.sat.is_none()
            && let Some(mut sat) = SatSession::about(self.terms, &[goal], deadline, memory)
            && let Some(answered) = alone(&mut sat, &[goal], &[])
        {
            return answered;
        }
        if let Some(answered) = self.by_trial(&[goal], &[]) {
            return answered;
        }
        present()?;
        let mut session = Z3Session::new(self.terms, &[goal], deadline, memory);
        session.assert(goal);
        let answered = answer(&mut session, &[], &[]);
        if work::stopping() {
            // Z3 takes long to give back what it holds, and the process is about to end.
            std::mem::forget(session);
        }
        answered
    }

    /// Returns an assignment that makes all of `all` true and, unless `any` is empty, at least one of `any`.
    ///
    /// # Errors
    /// When no solver says, with the reason.
    pub fn ask(&mut self, all: &[Term], any: &[Term]) -> Result<Option<Assignment>, Unknown> {
        let never = |&term: &Term| term == Term::FALSE || self.impossible.contains(&term);
        if all.iter().any(never) || !any.is_empty() && any.iter().all(never) {
            return Ok(None);
        }
        if self.question.solver.is_some() {
            return self.by_command(all, any);
        }
        let answered = self.by_sat(all, any);
        match answered.or_else(|| self.by_trial(all, any)) {
            Some(answered) => answered,
            None => {
                present()?;
                answer(self.z3(), all, any)
            }
        }
    }

    /// Forbids later answers that give these terms all of these values.
    pub fn exclude(&mut self, values: Excluded) {
        if let Some(sat) = &mut self.sat {
            sat.exclude(&values);
        }
        if let Some(z3) = &mut self.z3 {
            z3.exclude(&values);
        }
        // An exclusion compares without an assumption, so it would make trials wrong.
        self.trials.clear();
        self.widths = &[];
        self.excluded.push(values);
    }

    /// Asks the SAT solver. `None` if it is not made for the question, or gives up.
    fn by_sat(
        &mut self,
        all: &[Term],
        any: &[Term],
    ) -> Option<Result<Option<Assignment>, Unknown>> {
        let answered = alone(self.sat.as_mut()?, all, any);
        if answered.is_none() {
            self.sat = None;
        }
        answered
    }

    /// Asks the SAT solver with integers within a width: the least width that settles the question.
    fn by_trial(
        &mut self,
        all: &[Term],
        any: &[Term],
    ) -> Option<Result<Option<Assignment>, Unknown>> {
        let Question {
            deadline, memory, ..
        } = *self.question;
        let mut next = 0;
        loop {
            if next == self.trials.len() {
                let (&width, others) = self.widths.split_first()?;
                self.widths = others;
                let trial = SatSession::within(self.terms, &self.roots, width, deadline, memory);
                match trial {
                    Some(trial) => self.trials.push(trial),
                    None => continue,
                }
            }
            if let Some(answered) = alone(&mut self.trials[next], all, any) {
                return Some(answered);
            }
            next += 1;
        }
    }

    fn z3(&mut self) -> &mut Z3Session<'t> {
        let Question {
            deadline, memory, ..
        } = *self.question;
        self.z3.get_or_insert_with(|| {
            let mut z3 = Z3Session::new(self.terms, &self.roots, deadline, memory);
            for values in &self.excluded {
                z3.exclude(values);
            }
            z3
        })
    }

    /// Asks another solver, with one term that says everything.
    fn by_command(&self, all: &[Term], any: &[Term]) -> Result<Option<Assignment>, Unknown> {
        let command = self.question.solver.as_deref().unwrap_or_default();
        let mut terms = self.terms.clone();
        let mut goal = terms.all(all.iter().copied());
        if !any.is_empty() {
            let any = terms.any(any.iter().copied());
            goal = terms.and(goal, any);
        }
        for values in &self.excluded {
            let same: Vec<Term> = values
                .iter()
                .map(|(term, datum)| is(&mut terms, *term, datum))
                .collect();
            let again = terms.all(same);
            goal = terms.and(goal, !again);
        }
        if goal == Term::FALSE {
            return Ok(None);
        }
        smtlib::script(&terms, goal, &[]).decide(command, self.question.deadline)
    }
}

/// Whether Z3 can be asked.
fn present() -> Result<(), Unknown> {
    z3_version::present().map_err(|missing| Unknown::Incomplete(missing.to_string()))
}

/// Asks a session of the SAT solver. `None` if another session or solver has to decide.
fn alone(
    sat: &mut SatSession<'_>,
    all: &[Term],
    any: &[Term],
) -> Option<Result<Option<Assignment>, Unknown>> {
    let answered = answer(sat, all, any);
    let passes_on = match &answered {
        Err(Unknown::Incomplete(_)) => true,
        Err(Unknown::Time) => sat.gives_up(),
        _ => false,
    };
    (!passes_on).then_some(answered)
}

/// Whether an assignment makes a term true.
fn holds(terms: &Terms, model: &Assignment, term: Term) -> bool {
    evaluate(terms, model, &[term]).iter().all(Datum::holds)
}

/// The condition that a term has a value: true if the value is a map or a number beyond 128 bits.
fn is(terms: &mut Terms, term: Term, datum: &Datum) -> Term {
    match datum {
        Datum::Bool(true) => term,
        Datum::Bool(false) => !term,
        Datum::Int(number) => {
            let number = terms.int(*number);
            terms.eq(term, number)
        }
        Datum::Low(_) | Datum::Unknown | Datum::Map(_) => Term::TRUE,
    }
}
