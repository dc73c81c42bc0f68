//! Integers as bit-vectors: exact where they are bounded, where they are only compared and moved, and within a
//! width otherwise, against Z3 over integers, on random terms and on terms made to go wrong.
//!
//! `SMT_TERMS=N` tries N terms of each kind, `SMT_SEED=S` begins with seed S.

use std::time::{Duration, Instant};

use dbverify::answer::Verdict;
use dbverify::check::CheckOptions;
use dbverify::compile;
use dbverify::options::{Scheduler, VerifyOptions};
use dbverify::seq::{Budget, sequentialize};
use dbverify::smt::encode::Plan;
use dbverify::smt::sat::SatSession;
use dbverify::smt::solve::{Outcome, Session, Unknown, answer};
use dbverify::smt::term::{Datum, Interval, Op, Sort, Term, Terms, evaluate};
use dbverify::smt::z3::Z3Session;
use dbverify::smt::{exec, guess};
use dbverify::verify::verify;

const MEMORY: u64 = 1 << 32;

fn deadline() -> Instant {
    Instant::now() + Duration::from_secs(60)
}

fn number(name: &str, otherwise: u64) -> u64 {
    let set = std::env::var(name).ok();
    set.and_then(|n| n.parse().ok()).unwrap_or(otherwise)
}

/// The outcome of Z3 over integers: asking for values keeps a class from being made smaller.
fn over_integers(terms: &Terms, goal: Term) -> Outcome {
    let vars = terms.vars().map(|(_, info)| info.term);
    let roots: Vec<Term> = vars.chain([goal]).collect();
    let soon = Instant::now() + Duration::from_secs(2);
    let mut session = Z3Session::new(terms, &roots, soon, MEMORY);
    session.assert(goal);
    session.check(&[], &[])
}

/// The outcome of the SAT solver, with its model checked.
fn by_bits(terms: &Terms, goal: Term, session: Option<SatSession<'_>>) -> Outcome {
    let Some(mut session) = session else {
        return Outcome::Unknown(Unknown::Incomplete("not for it".to_owned()));
    };
    match answer(&mut session, &[goal], &[]) {
        Ok(None) => Outcome::Unsat,
        Err(unknown) => Outcome::Unknown(unknown),
        Ok(Some(model)) => {
            let value = evaluate(terms, &model, &[goal]);
            assert_eq!(value, [Datum::Bool(true)], "a model is real");
            Outcome::Sat
        }
    }
}

fn within(terms: &Terms, goal: Term, width: u32) -> Outcome {
    by_bits(
        terms,
        goal,
        SatSession::within(terms, &[goal], width, deadline(), MEMORY),
    )
}

fn exactly(terms: &Terms, goal: Term) -> Outcome {
    by_bits(
        terms,
        goal,
        SatSession::about(terms, &[goal], deadline(), MEMORY),
    )
}

struct Random {
    rng: fastrand::Rng,
    terms: Terms,
    numbers: Vec<Term>,
    truths: Vec<Term>,
}

impl Random {
    fn new(seed: u64) -> Self {
        let mut terms = Terms::new();
        let ends = [
            Interval::ALL,
            Interval::ALL,
            Interval::new(0, i128::MAX),
            Interval::new(-3, 5),
        ];
        let numbers = ends.map(|ends| terms.fresh("x", Sort::Int, ends)).to_vec();
        let truths = (0..2)
            .map(|_| terms.fresh("b", Sort::Bool, Interval::ALL))
            .collect();
        let rng = fastrand::Rng::with_seed(seed);
        Self {
            rng,
            terms,
            numbers,
            truths,
        }
    }

    fn number(&mut self) -> Term {
        self.numbers[self.rng.usize(..self.numbers.len())]
    }

    fn truth(&mut self) -> Term {
        let truth = self.truths[self.rng.usize(..self.truths.len())];
        if self.rng.bool() { !truth } else { truth }
    }

    fn constant(&mut self) -> Term {
        let most = if self.rng.u8(..8) == 0 { 127 } else { 4 };
        let value = self.rng.i128(-most..=most);
        self.terms.int(value)
    }

    /// One more number; sums of numbers and products if it need not be a difference.
    fn grow_number(&mut self, differences: bool) {
        let (a, b) = (self.number(), self.number());
        let made = match self.rng.u8(..if differences { 4 } else { 7 }) {
            0 | 1 => {
                let c = self.constant();
                self.terms.add(a, c)
            }
            2 | 3 => {
                let c = self.truth();
                self.terms.ite(c, a, b)
            }
            4 => self.terms.add(a, b),
            5 => self.terms.neg(a),
            _ => self.terms.op(Op::Mul, a, b),
        };
        self.numbers.push(made);
    }

    fn grow_truth(&mut self) {
        let a = self.number();
        let b = match self.rng.bool() {
            true => self.number(),
            false => self.constant(),
        };
        let made = match self.rng.u8(..4) {
            0 => self.terms.eq(a, b),
            1 => self.terms.le(a, b),
            2 => self.terms.lt(a, b),
            _ => {
                let (p, q) = (self.truth(), self.truth());
                self.terms.and(p, q)
            }
        };
        self.truths.push(made);
    }

    fn goal(&mut self, differences: bool) -> Term {
        for _ in 0..self.rng.usize(4..12) {
            self.grow_number(differences);
            self.grow_truth();
            self.grow_truth();
        }
        let parts = self.rng.usize(3..9);
        let parts: Vec<Term> = (0..parts).map(|_| self.truth()).collect();
        self.terms.all(parts)
    }
}

fn seeds() -> std::ops::Range<u64> {
    let (first, count) = (number("SMT_SEED", 1), number("SMT_TERMS", 300));
    first..first + count
}

#[test]
fn differences_are_exact_within_few_bits() {
    let (mut sat, mut unsat) = (0, 0);
    for seed in seeds() {
        let mut random = Random::new(seed);
        let goal = random.goal(true);
        if goal.known().is_some() {
            continue;
        }
        let expected = over_integers(&random.terms, goal);
        let found = exactly(&random.terms, goal);
        assert_eq!(found, expected, "seed {seed}");
        match found {
            Outcome::Sat => sat += 1,
            _ => unsat += 1,
        }
    }
    assert!(sat > 0 && unsat > 0, "{sat} with a model, {unsat} without");
}

#[test]
fn within_a_width_models_are_real_and_unsatisfiable_is_so_for_all_integers() {
    let (mut sat, mut unsat, mut open) = (0, 0, 0);
    for seed in seeds() {
        let mut random = Random::new(seed);
        let goal = random.goal(false);
        if goal.known().is_some() {
            continue;
        }
        for width in [8, 16] {
            match within(&random.terms, goal, width) {
                Outcome::Sat => sat += 1,
                Outcome::Unknown(_) => open += 1,
                Outcome::Unsat => {
                    unsat += 1;
                    let integers = over_integers(&random.terms, goal);
                    assert_ne!(integers, Outcome::Sat, "seed {seed}, {width} bits");
                }
            }
        }
    }
    let all = format!("{sat} with a model, {unsat} without, {open} open");
    assert!(sat > 0 && unsat > 0 && open > 0, "{all}");
}

/// A goal over two integers and a truth value.
fn goal(make: impl Fn(&mut Terms, Term, Term, Term) -> Term) -> (Terms, Term) {
    let mut terms = Terms::new();
    let x = terms.fresh("x", Sort::Int, Interval::ALL);
    let y = terms.fresh("y", Sort::Int, Interval::ALL);
    let b = terms.fresh("b", Sort::Bool, Interval::ALL);
    let goal = make(&mut terms, x, y, b);
    (terms, goal)
}

fn is_open(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Unknown(_))
}

#[test]
fn wrapping_makes_no_models() {
    // x + y < x where y is positive, squares that are negative, the least number whose negation would be itself.
    let (terms, sum) = goal(|t, x, y, _| {
        let (sum, zero) = (t.add(x, y), t.int(0));
        let (less, positive) = (t.lt(sum, x), t.lt(zero, y));
        t.and(less, positive)
    });
    assert!(is_open(&within(&terms, sum, 8)));
    let (terms, square) = goal(|t, x, _, _| {
        let (square, zero) = (t.op(Op::Mul, x, x), t.int(0));
        t.lt(square, zero)
    });
    for width in [8, 16] {
        assert!(is_open(&within(&terms, square, width)), "{width}");
    }
    let (terms, negation) = goal(|t, x, y, _| {
        let (minus, zero, sum) = (t.neg(x), t.int(0), t.add(x, y));
        let (a, b) = (t.lt(x, zero), t.lt(minus, zero));
        let (a, c) = (t.and(a, b), t.eq(sum, y));
        t.and(a, !c)
    });
    assert!(is_open(&within(&terms, negation, 8)));
}

#[test]
fn ends_of_a_width_are_reached_and_passed_by_the_next() {
    // A sum is needed, so that this is no matter of differences.
    let at_least = |least: i128| {
        goal(move |t, x, y, _| {
            let (sum, two, most) = (t.add(x, y), t.int(1), t.int(least));
            let (a, b) = (t.le(most, sum), t.le(y, two));
            t.and(a, b)
        })
    };
    for (least, width, found) in [
        (127, 8, true),
        (128, 8, false),
        (128, 16, true),
        (32767, 16, true),
        (32768, 16, false),
        (32768, 32, true),
    ] {
        let (terms, goal) = at_least(least);
        let outcome = within(&terms, goal, width);
        assert_eq!(
            outcome == Outcome::Sat,
            found,
            "{least} in {width}: {outcome:?}"
        );
        assert!(found || is_open(&outcome));
    }
}

#[test]
fn what_does_not_depend_on_integers_is_unsatisfiable_within_any_width() {
    let (terms, goal) = goal(|t, x, y, b| {
        let (sum, square) = (t.add(x, y), t.op(Op::Mul, x, y));
        let less = t.lt(sum, square);
        let (p, q, r) = (t.implies(less, b), t.implies(!less, b), !b);
        t.all([p, q, r])
    });
    // The simplifier may know it.
    if goal != Term::FALSE {
        assert_eq!(within(&terms, goal, 8), Outcome::Unsat);
    }
}

#[test]
fn differences_reach_as_far_as_they_add_up() {
    // x < x + 1000 < ... seven times: more than any single number says.
    let mut terms = Terms::new();
    let vars: Vec<Term> = (0..8)
        .map(|_| terms.fresh("x", Sort::Int, Interval::ALL))
        .collect();
    let mut all = Vec::new();
    for pair in vars.windows(2) {
        let thousand = terms.int(1000);
        let more = terms.add(pair[0], thousand);
        all.push(terms.le(more, pair[1]));
    }
    let chain = terms.all(all);
    assert_eq!(exactly(&terms, chain), Outcome::Sat);
    let bound = terms.int(6999);
    let far = terms.add(vars[0], bound);
    let near = terms.le(vars[7], far);
    let contradiction = terms.and(chain, near);
    assert_eq!(exactly(&terms, contradiction), Outcome::Unsat);
}

#[test]
fn a_deadline_may_pass_while_values_are_excluded() {
    let mut terms = Terms::new();
    let x = terms.fresh("x", Sort::Int, Interval::ALL);
    let mut sum = x;
    for _ in 0..2_000 {
        let y = terms.fresh("y", Sort::Int, Interval::ALL);
        sum = terms.add(sum, y);
    }
    let excluded = [(sum, Datum::Int(1))];
    let mut z3 = Z3Session::new(&terms, &[sum], Instant::now(), MEMORY);
    z3.exclude(&excluded);
    assert_eq!(z3.check(&[], &[]), Outcome::Unknown(Unknown::Time));
}

/// The verdict on a program without tasks that assumes something of two integers and then fails.
fn fails_where(assumed: &str) -> Verdict {
    let text = format!(
        "var x: int; var y: int; var b: bool; var u: u8; var r: -3..300;
         proc main() {{ if b {{ x := y * 2 - 1; }} assume {assumed}; assert false; }}"
    );
    let compiled = compile("test.async", &text, &CheckOptions::default());
    let program = compiled.program.expect("the program is right");
    let options = VerifyOptions {
        delays_from: 0,
        delays_to: 0,
        ..VerifyOptions::default()
    };
    let answer = verify(&program, &compiled.sources, &options);
    let nothing_left = answer.summary.contains("nothing was checked to its end");
    match answer.verdict {
        Verdict::Inconclusive(_) if nothing_left => Verdict::Safe,
        verdict => verdict,
    }
}

#[test]
fn verdicts_hold_at_the_ends_of_every_width() {
    for width in [7, 15, 31, 63, 64, 100] {
        for near in -1..=1 {
            let n = (1i128 << width) + near;
            for (assumed, possible) in [
                (format!("x > 0 && y > 0 && x + y == {n}"), true),
                (format!("x < 0 && y < 0 && x + y == -{n}"), true),
                (format!("!b && x > y && x + y <= {n} && y > {n} / 2"), false),
                (format!("!b && x + y < x && y > 0 && x < {n}"), false),
                (format!("-x == x && x != 0 || x + {n} <= x"), false),
                (format!("b && x == {n}"), near != 0),
                (format!("b && x % 2 == 0 && y < {n}"), false),
                (format!("!b && x == y + {n} && x < y"), false),
                (
                    format!("!b && x == y + {n} && u8(x % 256) == u && y == 0"),
                    true,
                ),
                (
                    format!("!b && x - y == {n} && r == x - {n} && r > y"),
                    false,
                ),
                (
                    format!("!b && x - y == {n} && r == x - {n} && r >= y"),
                    true,
                ),
            ] {
                let expected = if possible {
                    Verdict::Bug
                } else {
                    Verdict::Safe
                };
                assert_eq!(fails_where(&assumed), expected, "{assumed}");
            }
        }
    }
}

/// Whether everything about a program of tasks is finite once it is unrolled.
fn is_finite(text: &str, delays: u32) -> bool {
    let compiled = compile("test.async", text, &CheckOptions::default());
    let program = compiled.program.expect("the program is right");
    let budget = Budget::new(delays, None);
    let sequential = sequentialize(&program, budget, Scheduler::DepthFirst);
    let bounds = exec::Bounds {
        last_round: None,
        unroll: 4,
        deadline: deadline(),
        terms: 10_000_000,
    };
    let mut unrolled = exec::execute(&sequential.program, bounds).expect("it can be unrolled");
    assert_eq!(guess::define(&mut unrolled, bounds), None);
    let failures = unrolled.failures.iter().map(|f| f.condition);
    let roots: Vec<Term> = failures.chain([unrolled.feasible]).collect();
    // Asks for values, so that only the bounds decide, and not how far a class has to be looked at.
    let roots = [roots, unrolled.globals.clone()].concat();
    Plan::new(&unrolled.terms, &roots).is_finite(&unrolled.terms)
}

#[test]
fn values_that_go_round_are_bounded_in_the_order_of_time() {
    let text = "
        preempt yield;
        var pending: int := 1;
        var stopping: bool := false;
        var event: bool := false;
        var stopped: bool := false;
        proc leave() { pending := pending - 1; if pending == 0 { event := true; } }
        proc request() {
          yield;
          pending := pending + 1; yield; if stopping { call leave(); return; }
          yield; assert !stopped; yield;
          call leave();
        }
        proc stop() { yield; stopping := true; yield; call leave(); await event; stopped := true; }
        proc main() { for i in 1..3 { post request(); } post stop(); }";
    assert!(is_finite(text, 2));
    assert!(is_finite(text, 4));
    assert!(!is_finite(
        &text
            .replace(":= 1;", ":= 1; var any: int;")
            .replace("pending == 0", "pending == any"),
        2
    ));
}
