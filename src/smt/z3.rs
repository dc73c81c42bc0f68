//! Z3, in process.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use base::clock::Instant;
use base::{memory, work};
use solver::z3_version;

use rustc_hash::{FxHashMap, FxHashSet};
use solver::z3::ast::{Array, BV, Bool, Dynamic, Int};
use solver::z3::{Context, Params, SatResult, Solver, Sort, Symbol};

use super::encode::{Backend, Encoder, Fun, SmtSort};
use super::limit::late;
use super::model::Shape;
use super::smtlib;
use super::solve::{Outcome, Session, Unknown, answer};
use super::term::{Assignment, Datum, Node, Term, Terms};

#[derive(Clone, Debug)]
pub enum Z3Term {
    /// Of sort `Bool`.
    Truth(Bool),
    /// Of sort `Int`.
    Number(Int),
    Bits(BV),
    Map(Array),
}

/// Makes Z3's terms in the thread's context.
///
/// When Z3 gets nested conjunctions, it flattens them in quadratic time, and cannot be interrupted. So a conjunction of more than
/// a few operands gets a name, and the name counts as one operand.
#[derive(Debug, Default)]
pub struct Z3 {
    /// How many operands each conjunction has, nested ones included, if it has several.
    operands: FxHashMap<Bool, usize>,
    /// For each name that is not asserted yet, that it equals its conjunction.
    named: Vec<Bool>,
}

/// Conjunctions of more operands get a name.
const MOST_OPERANDS: usize = 64;

impl Z3 {
    fn conjunction(&mut self, args: &[Z3Term]) -> Bool {
        let args: Vec<Bool> = args.iter().map(|a| a.truth().clone()).collect();
        let operands = args
            .iter()
            .map(|a| self.operands.get(a).unwrap_or(&1))
            .sum();
        let whole = Bool::and(&args);
        if operands <= MOST_OPERANDS {
            self.operands.insert(whole.clone(), operands);
            return whole;
        }
        let name = Bool::fresh_const("part");
        self.named.push(name.eq(&whole));
        name
    }
}

fn sort(of: &SmtSort) -> Sort {
    match of {
        SmtSort::Bool => Sort::bool(),
        SmtSort::Int => Sort::int(),
        SmtSort::Bits(width) => Sort::bitvector(*width),
        SmtSort::Array(index, element) => Sort::array(&sort(index), &sort(element)),
    }
}

impl Z3Term {
    fn truth(&self) -> &Bool {
        match self {
            Self::Truth(t) => t,
            _ => unreachable!("terms are well-sorted"),
        }
    }

    fn number(&self) -> &Int {
        match self {
            Self::Number(t) => t,
            _ => unreachable!("terms are well-sorted"),
        }
    }

    fn bits(&self) -> &BV {
        match self {
            Self::Bits(t) => t,
            _ => unreachable!("terms are well-sorted"),
        }
    }

    fn map(&self) -> &Array {
        match self {
            Self::Map(t) => t,
            _ => unreachable!("terms are well-sorted"),
        }
    }

    fn of(term: Dynamic) -> Self {
        if let Some(t) = term.as_bool() {
            Self::Truth(t)
        } else if let Some(t) = term.as_bv() {
            Self::Bits(t)
        } else if let Some(t) = term.as_int() {
            Self::Number(t)
        } else {
            Self::Map(
                term.as_array()
                    .unwrap_or_else(|| unreachable!("there are no other sorts")),
            )
        }
    }

    fn dynamic(&self) -> Dynamic {
        match self {
            Self::Truth(t) => Dynamic::from_ast(t),
            Self::Number(t) => Dynamic::from_ast(t),
            Self::Bits(t) => Dynamic::from_ast(t),
            Self::Map(t) => Dynamic::from_ast(t),
        }
    }
}

impl Backend for Z3 {
    type Ast = Z3Term;

    fn declare(&mut self, name: &str, of: &SmtSort) -> Z3Term {
        let symbol = Symbol::String(name.to_owned());
        match of {
            SmtSort::Bool => Z3Term::Truth(Bool::new_const(symbol)),
            SmtSort::Int => Z3Term::Number(Int::new_const(symbol)),
            SmtSort::Bits(width) => Z3Term::Bits(BV::new_const(symbol, *width)),
            SmtSort::Array(index, element) => {
                Z3Term::Map(Array::new_const(symbol, &sort(index), &sort(element)))
            }
        }
    }

    fn truth(&mut self, value: bool) -> Z3Term {
        Z3Term::Truth(Bool::from_bool(value))
    }

    fn int(&mut self, value: i128) -> Z3Term {
        Z3Term::Number(i64::try_from(value).map_or_else(|_| Int::from_i128(value), Int::from_i64))
    }

    fn bits(&mut self, value: i128, width: u32) -> Z3Term {
        let low = if width >= 128 {
            value
        } else {
            value & ((1 << width) - 1)
        };
        let small = u64::try_from(low).ok().map(|low| BV::from_u64(low, width));
        let made = small.or_else(|| BV::from_str(width, &low.cast_unsigned().to_string()));
        Z3Term::Bits(made.unwrap_or_else(|| unreachable!("numerals are well-formed")))
    }

    fn apply(&mut self, fun: &Fun, args: &[Z3Term]) -> Z3Term {
        use Z3Term::{Bits, Number, Truth};
        match (fun, args) {
            (Fun::Not, [a]) => Truth(a.truth().not()),
            (Fun::And, _) => Truth(self.conjunction(args)),
            (Fun::Or, _) => Truth(Bool::or(
                &args.iter().map(|a| a.truth().clone()).collect::<Vec<_>>(),
            )),
            (Fun::Ite, [c, a, b]) => ite(c.truth(), a, b),
            (Fun::Eq, [a, b]) => Truth(equal(a, b)),
            (Fun::Neg, [a]) => Number(a.number().unary_minus()),
            (Fun::Add | Fun::Mul | Fun::Div | Fun::Mod, [a, b]) => {
                Number(integers(fun, a.number(), b.number()))
            }
            (Fun::Le, [a, b]) => Truth(a.number().le(b.number())),
            (Fun::Lt, [a, b]) => Truth(a.number().lt(b.number())),
            (Fun::BvNeg, [a]) => Bits(a.bits().bvneg()),
            (Fun::BvUle, [a, b]) => Truth(a.bits().bvule(b.bits())),
            (Fun::BvSle, [a, b]) => Truth(a.bits().bvsle(b.bits())),
            (Fun::BvSlt, [a, b]) => Truth(a.bits().bvslt(b.bits())),
            (Fun::Extract(high, low), [a]) => Bits(a.bits().extract(*high, *low)),
            (Fun::ZeroExtend(more), [a]) => Bits(a.bits().zero_ext(*more)),
            (Fun::SignExtend(more), [a]) => Bits(a.bits().sign_ext(*more)),
            (Fun::IntToBv(width), [a]) => Bits(BV::from_int(a.number(), *width)),
            (Fun::BvToInt, [a]) => Number(Int::from_bv(a.bits(), false)),
            (Fun::Select, [map, index]) => Z3Term::of(select(map.map(), index)),
            (Fun::Store, [map, index, value]) => Z3Term::Map(store(map.map(), index, value)),
            (Fun::ConstArray(SmtSort::Array(index, _)), [a]) => {
                Z3Term::Map(constant(&sort(index), a))
            }
            (_, [a, b]) => Bits(vectors(fun, a.bits(), b.bits())),
            _ => unreachable!("functions have their arguments"),
        }
    }
}

fn ite(c: &Bool, a: &Z3Term, b: &Z3Term) -> Z3Term {
    match (a, b) {
        (Z3Term::Truth(a), Z3Term::Truth(b)) => Z3Term::Truth(c.ite(a, b)),
        (Z3Term::Number(a), Z3Term::Number(b)) => Z3Term::Number(c.ite(a, b)),
        (Z3Term::Bits(a), Z3Term::Bits(b)) => Z3Term::Bits(c.ite(a, b)),
        (Z3Term::Map(a), Z3Term::Map(b)) => Z3Term::Map(c.ite(a, b)),
        _ => unreachable!("terms are well-sorted"),
    }
}

fn equal(a: &Z3Term, b: &Z3Term) -> Bool {
    match (a, b) {
        (Z3Term::Truth(a), Z3Term::Truth(b)) => a.eq(b),
        (Z3Term::Number(a), Z3Term::Number(b)) => a.eq(b),
        (Z3Term::Bits(a), Z3Term::Bits(b)) => a.eq(b),
        (Z3Term::Map(a), Z3Term::Map(b)) => a.eq(b),
        _ => unreachable!("terms are well-sorted"),
    }
}

fn integers(fun: &Fun, a: &Int, b: &Int) -> Int {
    match fun {
        Fun::Add => Int::add(&[a, b]),
        Fun::Mul => Int::mul(&[a, b]),
        Fun::Div => a.div(b),
        _ => a.modulo(b),
    }
}

fn vectors(fun: &Fun, a: &BV, b: &BV) -> BV {
    match fun {
        Fun::BvAdd => a.bvadd(b),
        Fun::BvMul => a.bvmul(b),
        Fun::BvUdiv => a.bvudiv(b),
        Fun::BvUrem => a.bvurem(b),
        Fun::BvSdiv => a.bvsdiv(b),
        Fun::BvSrem => a.bvsrem(b),
        Fun::BvAnd => a.bvand(b),
        Fun::BvOr => a.bvor(b),
        Fun::BvXor => a.bvxor(b),
        Fun::BvShl => a.bvshl(b),
        Fun::BvLshr => a.bvlshr(b),
        Fun::BvAshr => a.bvashr(b),
        _ => unreachable!("functions have their arguments"),
    }
}

fn select(map: &Array, index: &Z3Term) -> Dynamic {
    map.select(&index.dynamic())
}

fn store(map: &Array, index: &Z3Term, value: &Z3Term) -> Array {
    map.store(&index.dynamic(), &value.dynamic())
}

fn constant(index: &Sort, value: &Z3Term) -> Array {
    Array::const_array(index, &value.dynamic())
}

/// A session with Z3.
pub struct Z3Session<'t> {
    terms: &'t Terms,
    encoder: Encoder<'t, Z3>,
    solver: Solver,
    deadline: Instant,
    memory: u64,
    asserted: FxHashSet<Term>,
    /// The literals under which terms hold.
    literals: FxHashMap<Term, Bool>,
    effort: Effort,
}

/// The limits of a session's checks.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Effort {
    /// Its deadline and its memory.
    Own,
    /// The same, in a solver of many questions whose bound of time is set once.
    Lent,
    /// So few steps that time and memory need no watching.
    Few,
}

/// Z3 for many small questions, each about terms of its own. Solvers are reused, because one takes longer to make than to answer.
#[derive(Debug)]
pub struct Z3Again {
    /// For questions that take few steps. `None` after a question that had no answer: it may leave a solver that cannot go on.
    quick: Option<Solver>,
    patient: Option<Solver>,
    patience: Duration,
    memory: u64,
}

/// How many steps a question gets before a thread watches its time and its memory. Most questions need fewer, and the watching
/// costs more than they do.
const FEW_STEPS: u32 = 100_000;

impl Z3Again {
    /// Gives each question that much time and that many bytes.
    #[must_use]
    pub fn new(patience: Duration, memory: u64) -> Self {
        Self {
            quick: None,
            patient: None,
            patience,
            memory,
        }
    }

    /// Returns an assignment that makes a term true, if there is one.
    ///
    /// # Errors
    /// When Z3 does not say, with the reason.
    pub fn ask(
        &mut self,
        terms: &Terms,
        goal: Term,
        deadline: Instant,
    ) -> Result<Option<Assignment>, Unknown> {
        for effort in [Effort::Few, Effort::Lent] {
            let solver = match effort {
                Effort::Few => self.quick.take().unwrap_or_else(quick),
                _ => (self.patient.take()).unwrap_or_else(|| patient(self.patience)),
            };
            solver.push();
            let mut session = Z3Session::with(terms, &[goal], deadline, self.memory, |_| solver);
            session.effort = effort;
            session.assert(goal);
            let answered = answer(&mut session, &[], &[]);
            // After memory ran out, `pop` crashes in Z3.
            if answered.is_ok() {
                session.solver.pop(1);
                match effort {
                    Effort::Few => self.quick = Some(session.solver),
                    _ => self.patient = Some(session.solver),
                }
            }
            if answered.is_ok() || effort == Effort::Lent {
                return answered;
            }
        }
        Err(Unknown::Time)
    }
}

fn quick() -> Solver {
    let solver = Solver::new();
    let mut params = params();
    params.set_u32("rlimit", FEW_STEPS);
    solver.set_params(&params);
    solver
}

/// A solver whose questions take at most so long.
#[must_use]
pub fn patient(time: Duration) -> Solver {
    let solver = Solver::new();
    bound(&solver, time);
    solver
}

impl<'t> Z3Session<'t> {
    /// A session about terms that these roots need, until the deadline and within that many bytes.
    #[must_use]
    pub fn new(terms: &'t Terms, roots: &[Term], deadline: Instant, memory: u64) -> Self {
        Self::with(terms, roots, deadline, memory, |finite| {
            // Z3 hands purely finite domains to its SAT solver without a detour.
            if finite {
                Solver::new_for_logic("QF_FD").unwrap_or_default()
            } else {
                // Z3 would look for equations below disjunctions as well: for a minute sometimes, with little use.
                solver::z3::set_global_param("tactic.solve_eqs.context_solve", "false");
                Solver::new()
            }
        })
    }

    fn with(
        terms: &'t Terms,
        roots: &[Term],
        deadline: Instant,
        memory: u64,
        solver: impl FnOnce(bool) -> Solver,
    ) -> Self {
        // `present` looks for the library before the first call. Callers that can do without Z3 have asked it before.
        drop(z3_version::present());
        let encoder = Encoder::new(terms, roots, Z3::default()).until(deadline);
        let solver = solver(encoder.plan().is_finite(terms));
        Self {
            terms,
            encoder,
            solver,
            deadline,
            memory,
            asserted: FxHashSet::default(),
            literals: FxHashMap::default(),
            effort: Effort::Own,
        }
    }

    /// Asserts an encoded term with the names and axioms that it needs, unless it is too late.
    fn assert_encoded(&mut self, term: &Bool) {
        let mut open = std::mem::take(&mut self.encoder.backend.named);
        open.extend(self.encoder.take_axioms().iter().map(|a| a.truth().clone()));
        open.push(term.clone());
        for part in open {
            if self.is_late() {
                return;
            }
            self.solver.assert(&part);
        }
    }

    fn is_late(&self) -> bool {
        self.encoder.is_late() || late(self.deadline).is_some()
    }

    /// A literal under which a term holds.
    fn literal(&mut self, term: Term) -> Bool {
        if let Some(known) = self.literals.get(&term) {
            return known.clone();
        }
        let encoded = self.encoder.term(term);
        let literal = Bool::fresh_const("assumed");
        self.assert_encoded(&literal.implies(encoded.truth()));
        self.literals.insert(term, literal.clone());
        literal
    }

    /// A literal under which one of these terms holds.
    fn one_of(&mut self, terms: &[Term]) -> Bool {
        let literals: Vec<Bool> = terms.iter().map(|&term| self.literal(term)).collect();
        let chosen = Bool::fresh_const("chosen");
        self.assert_encoded(&chosen.implies(Bool::or(&literals)));
        chosen
    }

    fn value(&self, model: &solver::z3::Model, var: &Z3Term, shape: &Shape) -> Option<Datum> {
        Some(match var {
            Z3Term::Truth(t) => Datum::Bool(model.eval(t, true)?.as_bool()?),
            Z3Term::Number(t) => {
                let number = model.eval(t, true)?.as_i128();
                number.map_or(Datum::Unknown, Datum::Int)
            }
            Z3Term::Bits(t) => Datum::Int(shape.element(unsigned(&model.eval(t, true)?)?)),
            Z3Term::Map(t) => smtlib::datum(&model.eval(t, true)?.to_string(), shape)?,
        })
    }
}

/// Bounds the time of a solver's checks.
fn bound(solver: &Solver, time: Duration) {
    let mut params = params();
    let millis = u32::try_from(time.as_millis());
    params.set_u32("timeout", millis.unwrap_or(u32::MAX));
    solver.set_params(&params);
}

/// Parameters that leave Ctrl-C to the program: Z3 would take it for itself and end the check as if by a limit.
#[must_use]
pub fn params() -> Params {
    let mut params = Params::new();
    params.set_bool("ctrl_c", !work::listening());
    params
}

/// A numeral's value, read as unsigned.
fn unsigned(numeral: &BV) -> Option<i128> {
    if let Some(small) = numeral.as_u64() {
        return Some(i128::from(small));
    }
    let text = numeral.to_string();
    let digits = text
        .strip_prefix("#x")
        .map(|d| (d, 16))
        .or_else(|| text.strip_prefix("#b").map(|d| (d, 2)))?;
    i128::from_str_radix(digits.0, digits.1).ok()
}

impl Session for Z3Session<'_> {
    fn assert(&mut self, term: Term) {
        let mut open = vec![term];
        while let Some(top) = open.pop() {
            if !self.asserted.insert(top) || top == Term::TRUE {
                continue;
            }
            if let Node::And(a, b) = self.terms.get(top)
                && !top.negated()
            {
                open.extend([a, b]);
                continue;
            }
            let encoded = self.encoder.term(top);
            self.assert_encoded(encoded.truth());
        }
    }

    fn check(&mut self, all: &[Term], any: &[Term]) -> Outcome {
        let mut literals: Vec<Bool> = all.iter().map(|&term| self.literal(term)).collect();
        if !any.is_empty() {
            literals.push(self.one_of(any));
        }
        if let Some(problem) = self.encoder.problem() {
            return Outcome::Unknown(Unknown::Incomplete(format!(
                "{problem} is beyond this encoding"
            )));
        }
        let left = self.deadline.saturating_duration_since(Instant::now());
        if left < Duration::from_millis(1) || self.is_late() {
            return Outcome::Unknown(Unknown::Time);
        }
        if self.effort == Effort::Own {
            bound(&self.solver, left);
        }
        let check = || match literals.is_empty() {
            true => self.solver.check(),
            false => self.solver.check_assumptions(&literals),
        };
        let (result, grown) = match self.effort {
            Effort::Few => (check(), false),
            Effort::Lent => watched(self.deadline, self.memory, check),
            Effort::Own => (within(self.memory, self.deadline, check), false),
        };
        match result {
            SatResult::Unknown if grown => Outcome::Unknown(Unknown::Memory),
            SatResult::Unsat => Outcome::Unsat,
            SatResult::Sat => Outcome::Sat,
            SatResult::Unknown => Outcome::Unknown(reason(&self.solver, self.deadline)),
        }
    }

    fn model(&mut self) -> Option<Assignment> {
        let model = self.solver.get_model()?;
        let mut assignment = Assignment::default();
        for (var, ast) in &self.encoder.vars {
            let shape = Shape::of(self.terms, self.encoder.plan(), self.terms.var(*var).term);
            let value = self.value(&model, ast, &shape)?;
            assignment.set(*var, value);
        }
        Some(assignment)
    }

    fn exclude(&mut self, values: &[(Term, Datum)]) {
        let mut others = Vec::new();
        for (term, datum) in values {
            let known = self.encoder.constant(*term, datum);
            if let Some(known) = known {
                let encoded = self.encoder.term(*term);
                // After the deadline, the encoder returns anything, even of another sort.
                if self.encoder.is_late() {
                    return;
                }
                others.push(equal(&encoded, &known).not());
            }
        }
        self.assert_encoded(&Bool::or(&others));
    }
}

/// Z3 sometimes notices its own time limit late. It is interrupted this long after the deadline.
const GRACE: Duration = Duration::from_millis(200);

/// Runs a check. Interrupts Z3 at the deadline, on a request to stop, or when the process has grown by more than `growth` bytes.
/// The second result says whether it has grown so much. Z3's own limit of memory can leave a solver that crashes when it is used
/// again or dropped; an interrupted solver is sound.
pub fn watched<T>(deadline: Instant, growth: u64, check: impl FnOnce() -> T) -> (T, bool) {
    let context = Context::thread_local();
    let (handle, done, grown) = (
        context.handle(),
        AtomicBool::new(false),
        AtomicBool::new(false),
    );
    let most = memory::resident().map(|bytes| bytes.saturating_add(growth));
    std::thread::scope(|scope| {
        let watcher = scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                let too_large = most.is_some_and(|most| memory::resident() > Some(most));
                grown.fetch_or(too_large, Ordering::Relaxed);
                if too_large || work::stopping() || Instant::now() >= deadline + GRACE {
                    handle.interrupt();
                }
                std::thread::park_timeout(work::PULSE);
            }
        });
        let result = check();
        done.store(true, Ordering::Relaxed);
        watcher.thread().unpark();
        (result, grown.load(Ordering::Relaxed))
    })
}

/// Bounds Z3's memory during a check. No bound may hold outside of checks: making a term cannot fail.
fn within<T>(bytes: u64, deadline: Instant, check: impl FnOnce() -> T) -> T {
    const PARAMETER: &str = "memory_max_size";
    solver::z3::set_global_param(PARAMETER, &(bytes >> 20).max(1).to_string());
    let (result, _) = watched(deadline, u64::MAX, check);
    solver::z3::set_global_param(PARAMETER, "0");
    result
}

fn reason(solver: &Solver, deadline: Instant) -> Unknown {
    let reason = solver.get_reason_unknown().unwrap_or_default();
    let time = ["timeout", "canceled", "interrupted"]
        .iter()
        .any(|w| reason.contains(w));
    if time || Instant::now() >= deadline {
        Unknown::Time
    } else if ["memory", "memout", "no reason given"]
        .iter()
        .any(|w| reason.contains(w))
        || reason.is_empty()
    {
        // Z3 gives a reason for everything else. Where it runs out of memory, it is interrupted before it can say so.
        Unknown::Memory
    } else {
        Unknown::Incomplete(format!("Z3 gave up: {reason}"))
    }
}
