//! Guesses about a number by itself: bounds that the program names, and the remainder after division by the length of a step.
//!
//! A variable that counts in steps of two stays even, or odd. The affine hull cannot say that, and Spacer does not find it.
//! Spacer finds bounds, but it takes long where tasks are counted.

use solver::z3::ast::{Bool, Int};

use ir::{BinaryOp, ExprId, ExprKind, Program};

/// The longest step: there are as many guesses about each variable as the step is long.
const LONGEST: i128 = 8;

/// The most steps: with more of them there are too many guesses.
const STEPS: usize = 2;

/// The most bounds, for the same reason.
const BOUNDS: usize = 16;

/// The numbers of a program that may tell what holds of its variables.
#[derive(Debug, Default)]
pub struct Numbers {
    /// The lengths of the steps in which the program counts, if they are longer than 1.
    steps: Vec<i128>,
    /// The numbers that the program compares with, and their neighbours.
    bounds: Vec<i128>,
}

impl Numbers {
    #[must_use]
    pub fn of(program: &Program) -> Self {
        let mut found = Self {
            steps: Vec::new(),
            bounds: vec![0, 1],
        };
        for expr in &program.exprs {
            if let ExprKind::Binary(op, a, b) = expr.kind {
                let numbers = [a, b].map(|e| number(program, e));
                found.look(op, numbers);
            }
        }
        found
    }

    fn look(&mut self, op: BinaryOp, numbers: [Option<i128>; 2]) {
        match op {
            BinaryOp::Add | BinaryOp::Sub => {
                let steps = numbers.into_iter().flatten().map(i128::saturating_abs);
                for step in steps.filter(|step| (2..=LONGEST).contains(step)) {
                    if self.steps.len() < STEPS && !self.steps.contains(&step) {
                        self.steps.push(step);
                    }
                }
            }
            BinaryOp::Lt | BinaryOp::Le | BinaryOp::Eq => {
                numbers.into_iter().flatten().for_each(|n| self.bound(n));
            }
            _ => {}
        }
    }

    fn bound(&mut self, number: i128) {
        for n in [-1, 0, 1].map(|by| number.saturating_add(by)) {
            if self.bounds.len() < BOUNDS && !self.bounds.contains(&n) {
                self.bounds.push(n);
            }
        }
    }

    /// What may hold of a number.
    #[must_use]
    pub fn guesses(&self, of: &Int) -> Vec<Bool> {
        let remainders = self.steps.iter().flat_map(|&step| {
            let rest = of.modulo(Int::from_i128(step));
            (0..step).map(move |r| rest.eq(Int::from_i128(r)))
        });
        let bounds = self.bounds.iter().map(|&n| Int::from_i128(n));
        let bounds = bounds.flat_map(|n| [of.ge(&n), of.le(&n)]);
        remainders.chain(bounds).collect()
    }
}

/// The number that an expression is, whatever its type.
fn number(program: &Program, e: ExprId) -> Option<i128> {
    match program.expr(e).kind {
        ExprKind::Int(n) => Some(n.0),
        ExprKind::Convert(inner) => number(program, inner),
        _ => None,
    }
}
