//! Whether a condition can hold on a path: what is known, what the path's own values say, what was asked before, and last a
//! solver.

use std::collections::VecDeque;
use std::rc::Rc;
use std::time::Duration;

use rustc_hash::{FxHashMap, FxHashSet};

use base::clock::Instant;
use options::Limits;
use smt::sat::SatSession;
use smt::solve::{Session as _, Unknown, answer};
use smt::term::{Assignment, Datum, Interval, MapDatum, Node, Op, Term, Terms, Var, evaluate_few};
use smt::z3::{Z3Again, Z3Session};
use solver::z3_version;

use super::eliminate::{Settled, settle};
use super::mutants::{Mutant, nobody_answers};
use super::path::Path;

/// The most time for one question, if no other engine can answer.
const PATIENCE: Duration = Duration::from_secs(10);

/// The most time for one question, if another engine may answer.
const HASTE: Duration = Duration::from_secs(1);

/// How many of the last answers are tried before a solver is asked again.
const RECENT: usize = 8;

/// The widths in bits that are tried for integers without bounds where Z3 gives up.
const WIDTHS: [u32; 3] = [16, 32, 64];

/// The verdict on a condition on a path.
pub(super) enum Verdict {
    /// It holds, or it does not.
    Known(bool),
    /// It may hold, and it may not: the path on which it does, and the one on which it does not.
    Open(Path, Path),
    /// No solver decides it, for that reason.
    Unknown(String),
}

/// The answer to a question: values of the variables in it, if there are any.
#[derive(Clone)]
enum Reply {
    Never,
    When(Rc<Vec<(Var, Datum)>>),
    Unknown(String),
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Asked {
    /// Questions to a solver.
    pub questions: u64,
    /// Questions that had been asked before.
    pub known: u64,
    /// Conditions that the values at hand have settled on one side, and questions that needed no solver.
    pub seen: u64,
}

impl Asked {
    /// How many of a hundred questions needed no solver.
    pub fn saved(self) -> u64 {
        let saved = self.known + self.seen;
        saved * 100 / (saved + self.questions).max(1)
    }
}

pub(super) struct Oracle {
    replies: FxHashMap<(Box<[Term]>, Term), Reply>,
    /// The variables of each term, by the term's index.
    vars: Vec<Option<Rc<[Var]>>>,
    /// The last answers of solvers.
    recent: VecDeque<Rc<Vec<(Var, Datum)>>>,
    none: Rc<[Var]>,
    z3: Z3Again,
    deadline: Option<Instant>,
    patience: Duration,
    memory: u64,
    /// Whether a question was given up because the time of the whole search ran out.
    pub late: bool,
    pub asked: Asked,
}

impl Oracle {
    /// Asks solvers within some limits; `alone` if no other engine can answer.
    pub fn new(limits: &Limits, alone: bool) -> Self {
        let patience = if alone { PATIENCE } else { HASTE };
        Self {
            replies: FxHashMap::default(),
            vars: Vec::new(),
            recent: VecDeque::new(),
            none: Rc::new([]),
            z3: Z3Again::new(patience, limits.room()),
            deadline: limits.end(),
            patience,
            memory: limits.room(),
            late: false,
            asked: Asked::default(),
        }
    }

    /// The variables that a term looks at.
    pub fn vars(&mut self, terms: &Terms, term: Term) -> Rc<[Var]> {
        if terms.as_const(term).is_some() || term.known().is_some() {
            return self.none.clone();
        }
        if self.vars.len() <= term.index() {
            self.vars.resize(terms.len().max(term.index() + 1), None);
        }
        let known = &mut self.vars[term.index()];
        known
            .get_or_insert_with(|| terms.vars_of(&[term]).into())
            .clone()
    }

    /// Whether a condition holds on a path.
    pub fn decide(&mut self, terms: &Terms, path: &Path, condition: Term) -> Verdict {
        if let Some(known) = path.knows(terms, condition) {
            return Verdict::Known(known);
        }
        let value = value(terms, &path.model, condition);
        // Where a number of the path's values is too large, both sides are asked for.
        let Some(Datum::Bool(value)) = value else {
            return self.both(terms, path, condition);
        };
        self.asked.seen += 1;
        let literal = |side: bool| if side { condition } else { !condition };
        let own = path.with(terms, literal(value), path.model.clone());
        match self.ask(terms, path, literal(!value)) {
            Err(reason) => Verdict::Unknown(reason),
            Ok(None) => Verdict::Known(value),
            Ok(Some(other)) if value => Verdict::Open(own, other),
            Ok(Some(other)) => Verdict::Open(other, own),
        }
    }

    fn both(&mut self, terms: &Terms, path: &Path, condition: Term) -> Verdict {
        match (
            self.ask(terms, path, condition),
            self.ask(terms, path, !condition),
        ) {
            (Ok(Some(yes)), Ok(Some(no))) => Verdict::Open(yes, no),
            (Ok(Some(_)), Ok(None)) => Verdict::Known(true),
            (Ok(None), Ok(Some(_))) => Verdict::Known(false),
            (Ok(None), Ok(None)) => {
                Verdict::Unknown("internal error: a path cannot be taken".into())
            }
            (Err(reason), _) | (_, Err(reason)) => Verdict::Unknown(reason),
        }
    }

    /// The path on which a condition holds, if it can.
    pub fn holds(
        &mut self,
        terms: &Terms,
        path: &Path,
        condition: Term,
    ) -> Result<Option<Path>, String> {
        match path.knows(terms, condition) {
            Some(true) => return Ok(Some(path.clone())),
            Some(false) => return Ok(None),
            None => {}
        }
        let value = value(terms, &path.model, condition);
        if value.is_some_and(|v| v.holds()) {
            self.asked.seen += 1;
            return Ok(Some(path.with(terms, condition, path.model.clone())));
        }
        self.ask(terms, path, condition)
    }

    /// Asks for the path on which a condition holds, with new values for the variables that matter.
    fn ask(&mut self, terms: &Terms, path: &Path, condition: Term) -> Result<Option<Path>, String> {
        let matters = self.connected(terms, &path.literals, condition);
        let key = (matters.into_boxed_slice(), condition);
        let reply = match self.replies.get(&key) {
            Some(reply) => {
                self.asked.known += 1;
                reply.clone()
            }
            None => {
                let roots: Vec<Term> = key.0.iter().copied().chain([condition]).collect();
                let reply = self.reply(terms, path, &roots);
                self.replies.insert(key, reply.clone());
                reply
            }
        };
        match reply {
            Reply::Never => Ok(None),
            Reply::Unknown(reason) => Err(reason),
            Reply::When(values) => {
                let mut model = Assignment::clone(&path.model);
                for (var, value) in values.iter() {
                    model.set(*var, value.clone());
                }
                Ok(Some(path.with(terms, condition, Rc::new(model))))
            }
        }
    }

    /// The answer to a new question.
    fn reply(&mut self, terms: &Terms, path: &Path, roots: &[Term]) -> Reply {
        let settled = if nobody_answers() {
            None
        } else {
            settle(terms, roots)
        };
        match settled {
            Some(settled) => {
                self.asked.seen += 1;
                match settled {
                    Settled::Never => Reply::Never,
                    Settled::When(values) => Reply::When(Rc::new(values)),
                }
            }
            None => match self.tried(terms, path, roots) {
                Some(reply) => reply,
                None => self.answered(terms, roots),
            },
        }
    }

    /// Values that have answered another question and answer this one, too.
    fn tried(&mut self, terms: &Terms, path: &Path, roots: &[Term]) -> Option<Reply> {
        if self.recent.is_empty() {
            return None;
        }
        let vars = terms.vars_of(roots);
        let known = self.recent.iter().find_map(|values| {
            let mut model = Assignment::default();
            for &var in &vars {
                let recent = values.iter().find(|(v, _)| *v == var);
                let value = recent.map_or_else(|| path.model.get(terms, var), |r| r.1.clone());
                model.set(var, value);
            }
            let holds = evaluate_few(terms, &model, roots)?.iter().all(Datum::holds);
            holds.then_some(model)
        })?;
        self.asked.seen += 1;
        let values = vars.iter().map(|&var| (var, known.get(terms, var)));
        Some(Reply::When(Rc::new(values.collect())))
    }

    /// Asks a solver, and remembers the values in its answer.
    fn answered(&mut self, terms: &Terms, roots: &[Term]) -> Reply {
        self.asked.questions += 1;
        match self.solved(terms, roots) {
            Reply::Unknown(_) if Mutant::TheUnknownIsFalse.is_on() => Reply::Never,
            Reply::When(values) => {
                self.recent.truncate(RECENT - 1);
                self.recent.push_front(values.clone());
                Reply::When(values)
            }
            reply => reply,
        }
    }

    /// Returns the conditions that share variables with a condition, directly or through others. The rest is independent of it.
    fn connected(&mut self, terms: &Terms, literals: &[Term], condition: Term) -> Vec<Term> {
        let mut reached: FxHashSet<Var> = self.vars(terms, condition).iter().copied().collect();
        let mut rest: Vec<(Term, Rc<[Var]>)> = Vec::with_capacity(literals.len());
        for &literal in literals {
            rest.push((literal, self.vars(terms, literal)));
        }
        let mut matters = Vec::new();
        loop {
            let before = rest.len();
            rest.retain(|(literal, vars)| {
                let meets = vars.iter().any(|v| reached.contains(v));
                if meets {
                    reached.extend(vars.iter().copied());
                    matters.push(*literal);
                }
                !meets
            });
            if rest.len() == before {
                break;
            }
        }
        matters.sort_unstable();
        matters
    }

    /// Values for which all of some conditions hold, from a solver.
    fn solved(&mut self, terms: &Terms, roots: &[Term]) -> Reply {
        let (mut small, roots, vars) = terms.part(roots);
        let goal = small.all(roots);
        if goal == Term::FALSE {
            return Reply::Never;
        }
        if nobody_answers() {
            return Reply::Unknown("nobody answers".to_owned());
        }
        let model = match self.model(&small, goal) {
            Err(unknown) => return Reply::Unknown(reason(&unknown)),
            Ok(None) => return Reply::Never,
            Ok(Some(model)) => model,
        };
        let (mut checked, mut values) = (Assignment::default(), Vec::new());
        for ((own, info), var) in small.vars().zip(vars) {
            let value = within(info.interval, model.get(&small, own));
            checked.set(own, value.clone());
            values.push((var, value));
        }
        let holds = evaluate_few(&small, &checked, &[goal]);
        if holds.is_some_and(|v| v[0].holds()) {
            Reply::When(Rc::new(values))
        } else {
            Reply::Unknown("the solver's values take more than 128 bits".to_owned())
        }
    }

    /// A model within the time that is left, and within the time for one question.
    fn model(&mut self, terms: &Terms, goal: Term) -> Result<Option<Assignment>, Unknown> {
        let soon = Instant::now() + self.patience;
        let deadline = self.deadline.map_or(soon, |d| d.min(soon));
        let answered = self.model_until(terms, goal, deadline);
        self.late |= deadline < soon && matches!(answered, Err(Unknown::Time));
        answered
    }

    /// Asks the SAT solver if everything is finite, else Z3. Where Z3 gives up, asks the SAT solver within some widths.
    fn model_until(
        &mut self,
        terms: &Terms,
        goal: Term,
        deadline: Instant,
    ) -> Result<Option<Assignment>, Unknown> {
        let goals = [goal];
        if let Some(mut sat) = SatSession::about(terms, &goals, deadline, self.memory)
            && let Ok(answered) = answer(&mut sat, &goals, &[])
        {
            return Ok(answered);
        }
        let answered = self.by_z3(terms, goal, deadline);
        if !matches!(answered, Err(Unknown::Incomplete(_))) {
            return answered;
        }
        for width in WIDTHS {
            let trial = SatSession::within(terms, &goals, width, deadline, self.memory);
            if let Some(mut trial) = trial
                && let Ok(answered) = answer(&mut trial, &goals, &[])
            {
                return Ok(answered);
            }
        }
        answered
    }

    fn by_z3(
        &mut self,
        terms: &Terms,
        goal: Term,
        deadline: Instant,
    ) -> Result<Option<Assignment>, Unknown> {
        z3_version::present().map_err(|missing| Unknown::Incomplete(missing.to_string()))?;
        let answered = self.z3.ask(terms, goal, deadline);
        if !matches!(answered, Err(Unknown::Incomplete(_))) {
            return answered;
        }
        // A new solver for this question alone simplifies more.
        let mut session = Z3Session::new(terms, &[goal], deadline, self.memory);
        session.assert(goal);
        answer(&mut session, &[], &[])
    }
}

/// Evaluates a condition under some values. Quotients and remainders by zero are 0, as in the solver.
fn value(terms: &Terms, model: &Assignment, condition: Term) -> Option<Datum> {
    if Mutant::DivisionIsPartial.is_on() && divides_by_zero(terms, model, condition) {
        return Some(Datum::Bool(true));
    }
    let value = evaluate_few(terms, model, &[condition])?;
    value.into_iter().next()
}

/// Whether something in a condition is divided by zero under some values.
fn divides_by_zero(terms: &Terms, model: &Assignment, condition: Term) -> bool {
    let divisor = |node: Node| match node {
        Node::Op(Op::Div | Op::Rem | Op::TruncDiv | Op::TruncRem, _, by) => Some(by),
        _ => None,
    };
    let nodes = terms.below(&[condition]).into_iter();
    let mut divisors = nodes.filter_map(|index| divisor(terms.get(terms.at(index))));
    divisors.any(|by| {
        let value = evaluate_few(terms, model, &[by]);
        value.is_some_and(|v| v[0].int() == Some(0))
    })
}

/// Moves numbers into their interval: elements of maps that no condition looks at may be any number in the solver's answer.
fn within(interval: Interval, value: Datum) -> Datum {
    match value {
        Datum::Map(map) => {
            let entries = map.entries.iter();
            let entries = entries.map(|(&k, v)| (k, within(interval, v.clone())));
            Datum::Map(Rc::new(MapDatum {
                entries: entries.collect(),
                rest: within(interval, map.rest.clone()),
            }))
        }
        Datum::Int(number) => {
            let number = interval.lo().map_or(number, |lo| number.max(lo));
            Datum::Int(interval.hi().map_or(number, |hi| number.min(hi)))
        }
        other => other,
    }
}

fn reason(unknown: &Unknown) -> String {
    match unknown {
        Unknown::Time => "the solver does not decide a condition in time".to_owned(),
        Unknown::Memory => "the solver does not decide a condition within its memory".to_owned(),
        Unknown::Incomplete(reason) => format!("the solver does not decide a condition: {reason}"),
    }
}
