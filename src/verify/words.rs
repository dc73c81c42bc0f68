//! Verdicts and their bounds in sentences.

use crate::smt::decide::Place;
use crate::source::SourceMap;

/// `2 delays`
pub fn delays(n: u32) -> String {
    format!("{n} delay{}", if n == 1 { "" } else { "s" })
}

/// No bug, within which bounds, and where they cut.
pub fn safe(delays: u32, unroll: u32, cuts: &[Place], sources: &SourceMap) -> String {
    let within = format!("no bug with at most {}", self::delays(delays));
    if cuts.is_empty() {
        return format!("{within}; every loop fully unrolled");
    }
    let places: Vec<_> = cuts.iter().map(|&cut| place(cut, sources)).collect();
    let unrollings = format!("{unroll} unrolling{}", if unroll == 1 { "" } else { "s" });
    format!("{within}, up to {unrollings}: {}", places.join("; "))
}

fn place(cut: Place, sources: &SourceMap) -> String {
    let line = sources.line(cut.span);
    if cut.is_loop {
        format!("the loop at line {line} may run longer")
    } else {
        format!("the recursion at line {line} may go deeper")
    }
}

/// A remark at the place.
pub fn cut(cut: Place) -> String {
    if cut.is_loop {
        "this loop may run longer than it was unrolled".to_owned()
    } else {
        "this procedure may call or post itself more often than it was unrolled".to_owned()
    }
}
