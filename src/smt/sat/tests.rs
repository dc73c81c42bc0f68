//! Circuits against arithmetic: every function, on every two vectors of four bits.

use std::time::{Duration, Instant};

use batsat::{Lit, SolverInterface, lbool};

use super::Patience;
use super::circuit::{Circuit, Wire};
use crate::encode::{Backend, Fun, SmtSort};

const WIDTH: u32 = 4;
const ALL: i128 = 1 << WIDTH;

fn circuit() -> Circuit {
    let deadline = Instant::now() + Duration::from_secs(600);
    Circuit::new(Patience::new(deadline, u64::MAX))
}

/// The number that the bits are in two's complement.
fn signed(bits: i128) -> i128 {
    if bits >= ALL / 2 { bits - ALL } else { bits }
}

fn literals(wire: &Wire) -> &[Lit] {
    match wire {
        Wire::Bits(bits) => bits,
        Wire::Truth(lit) => std::slice::from_ref(lit),
    }
}

/// The literals that say that a wire has a value.
fn is(wire: &Wire, value: i128) -> Vec<Lit> {
    let bits = literals(wire).iter().zip(0..);
    bits.map(|(bit, i)| bit.apply_sign(value >> i & 1 == 1))
        .collect()
}

/// Checks that for all inputs the output has the expected value and can have no other.
fn computes(fun: &Fun, expected: impl Fn(i128, i128) -> i128) {
    let mut circuit = circuit();
    let vector = SmtSort::Bits(WIDTH);
    let (a, b) = (circuit.declare("a", &vector), circuit.declare("b", &vector));
    let unary = matches!(
        fun,
        Fun::BvNeg | Fun::Extract(..) | Fun::ZeroExtend(_) | Fun::SignExtend(_)
    );
    let args = if unary {
        vec![a.clone()]
    } else {
        vec![a.clone(), b.clone()]
    };
    let out = circuit.apply(fun, &args);
    assert!(!circuit.incomplete, "{fun:?} has a circuit");
    for (x, y) in (0..ALL).flat_map(|x| (0..ALL).map(move |y| (x, y))) {
        let inputs = [is(&a, x), is(&b, y)].concat();
        assert!(circuit.solver.solve_limited(&inputs) == lbool::TRUE);
        for bit in is(&out, expected(x, y)) {
            let otherwise = [&inputs[..], &[!bit]].concat();
            let answer = circuit.solver.solve_limited(&otherwise);
            assert!(answer == lbool::FALSE, "{fun:?} of {x} and {y}");
        }
    }
}

#[test]
fn functions_of_vectors_are_those_of_numbers() {
    computes(&Fun::BvAdd, |a, b| a + b);
    computes(&Fun::BvNeg, |a, _| -a);
    computes(&Fun::BvAnd, |a, b| a & b);
    computes(&Fun::BvOr, |a, b| a | b);
    computes(&Fun::BvXor, |a, b| a ^ b);
    computes(&Fun::BvShl, |a, b| a << b);
    computes(&Fun::BvLshr, |a, b| a >> b);
    computes(&Fun::BvAshr, |a, b| signed(a) >> b);
    computes(&Fun::BvUle, |a, b| i128::from(a <= b));
    computes(&Fun::BvSle, |a, b| i128::from(signed(a) <= signed(b)));
    computes(&Fun::BvSlt, |a, b| i128::from(signed(a) < signed(b)));
    computes(&Fun::Eq, |a, b| i128::from(a == b));
    computes(&Fun::Extract(2, 1), |a, _| a >> 1);
    computes(&Fun::ZeroExtend(3), |a, _| a);
    computes(&Fun::SignExtend(3), |a, _| signed(a));
}

#[test]
fn to_add_a_negative_number_is_to_subtract() {
    let vector = SmtSort::Bits(WIDTH);
    let mut circuit = circuit();
    let (a, b) = (circuit.declare("a", &vector), circuit.declare("b", &vector));
    let minus = circuit.apply(&Fun::BvNeg, std::slice::from_ref(&b));
    let sums = [[a.clone(), minus.clone()], [minus, a.clone()]];
    let sums = sums.map(|sum| circuit.apply(&Fun::BvAdd, &sum));
    for (x, y) in (0..ALL).flat_map(|x| (0..ALL).map(move |y| (x, y))) {
        let inputs = [is(&a, x), is(&b, y)].concat();
        for bit in sums.iter().flat_map(|sum| is(sum, x - y)) {
            let otherwise = [&inputs[..], &[!bit]].concat();
            assert!(circuit.solver.solve_limited(&otherwise) == lbool::FALSE);
        }
    }
}

#[test]
fn products_with_constants_are_products() {
    for factor in 0..ALL {
        let mut circuit = circuit();
        let a = circuit.declare("a", &SmtSort::Bits(WIDTH));
        let constant = circuit.bits(factor, WIDTH);
        for args in [[a.clone(), constant.clone()], [constant, a.clone()]] {
            let out = circuit.apply(&Fun::BvMul, &args);
            for x in 0..ALL {
                let wrong = circuit.bits(x * factor, WIDTH);
                let same = circuit.apply(&Fun::Eq, &[out.clone(), wrong]).truth();
                let otherwise = [is(&a, x), vec![!same]].concat();
                assert!(circuit.solver.solve_limited(&otherwise) == lbool::FALSE);
            }
        }
    }
}

#[test]
fn choices_take_a_branch() {
    let mut circuit = circuit();
    let input: Vec<Wire> = (0..3)
        .map(|_| circuit.declare("", &SmtSort::Bool))
        .collect();
    for signs in 0..64 {
        let mut args = Vec::new();
        for i in 0..input.len() {
            // Each argument is one of the inputs or its negation, so that equal and opposite ones meet.
            let picked = input[[i, 0][signs >> i & 1]].truth();
            args.push(Wire::Truth(if signs >> (3 + i) & 1 == 1 {
                !picked
            } else {
                picked
            }));
        }
        let out = circuit.apply(&Fun::Ite, &args).truth();
        for values in 0..8 {
            let given: Vec<Lit> = (0..3)
                .map(|i| input[i].truth().apply_sign(values >> i & 1 == 1))
                .collect();
            let value = |wire: &Wire| given.contains(&wire.truth());
            let expected = if value(&args[0]) {
                value(&args[1])
            } else {
                value(&args[2])
            };
            let otherwise = [&given[..], &[out.apply_sign(!expected)]].concat();
            assert!(
                circuit.solver.solve_limited(&otherwise) == lbool::FALSE,
                "{signs} {values}"
            );
        }
    }
}

#[test]
fn what_has_no_circuit_is_noted() {
    let vector = SmtSort::Bits(WIDTH);
    for fun in [Fun::BvMul, Fun::BvUdiv, Fun::BvSrem] {
        let mut circuit = circuit();
        let args = [circuit.declare("a", &vector), circuit.declare("b", &vector)];
        circuit.apply(&fun, &args);
        assert!(circuit.incomplete);
    }
    let mut circuit = circuit();
    circuit.declare("a", &SmtSort::Int);
    assert!(circuit.incomplete);
}
