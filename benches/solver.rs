//! What a solver costs before it has done anything.

use solver::z3::{Solver, ast::Int};

fn main() {
    divan::main();
}

#[divan::bench]
fn smallest_query() {
    let x = Int::new_const("x");
    let solver = Solver::new();
    solver.assert(x.gt(1));
    divan::black_box(solver.check());
}
