//! A sequentialized program as a file, with a head that says what it is.

use base::source::SourceMap;

use super::super::Sequential;
use super::{Bounds, Comments, Listing, list_async, print_boogie};

/// The words in the head of an emitted file.
#[derive(Clone, Copy)]
pub struct About<'a> {
    /// The name of the program.
    pub file: &'a str,
    pub sources: &'a SourceMap,
}

/// The sequential program in the language itself (`--emit-seq`).
#[must_use]
pub fn emit_seq(sequential: &Sequential, about: About<'_>) -> String {
    list_seq(sequential, about).text
}

/// The same, line by line.
#[must_use]
pub fn list_seq(sequential: &Sequential, about: About<'_>) -> Listing {
    let mut header = what_this_is(sequential, about.file);
    header.push("It is a program like any other: `dbverify` verifies and explores it, with the same verdict.".to_owned());
    list_async(&sequential.program, comments(sequential, about, &header))
}

/// The sequential program in Boogie (`--emit-boogie`).
#[must_use]
pub fn emit_boogie(sequential: &Sequential, about: About<'_>, unroll: u32) -> String {
    let bounds = Bounds::of(&sequential.program, unroll);
    let mut header = what_this_is(sequential, about.file);
    header.extend(how_to_run(&bounds));
    print_boogie(
        &sequential.program,
        &bounds,
        comments(sequential, about, &header),
    )
}

/// Options for formulas without quantifiers. Boogie's own options for Z3 are made for formulas with them.
const SOLVER: [&str; 3] = ["relevancy=0", "arith.solver=2", "CASE_SPLIT=1"];

fn how_to_run(bounds: &Bounds) -> Vec<String> {
    let mut command = "boogie /useArrayTheory /errorLimit:1".to_owned();
    for option in SOLVER {
        command.push_str(&format!(" /proverOpt:O:smt.{option}"));
    }
    if let Some(turns) = bounds.turns {
        command.push_str(&format!(" /loopUnroll:{}", turns + 1));
    }
    vec![
        String::new(),
        format!("    {command} FILE.bpl"),
        String::new(),
        "`1 verified, 0 errors`: no assertion fails. `0 verified, 1 error`: one does. Anything else is no verdict.".to_owned(),
        bounds.sentence(),
        "(A newer Boogie uses the array theory without being asked.)".to_owned(),
    ]
}

fn comments<'a>(
    sequential: &'a Sequential,
    about: About<'a>,
    header: &'a [String],
) -> Comments<'a> {
    Comments {
        header,
        sources: Some(about.sources),
        map: Some(&sequential.map),
    }
}

fn what_this_is(sequential: &Sequential, file: &str) -> Vec<String> {
    let map = &sequential.map;
    let delays = match map.delays {
        0 => "without delays".to_owned(),
        1 => "with at most 1 delay".to_owned(),
        k => format!("with at most {k} delays"),
    };
    let rounds = if map.waits {
        format!(", in at most {} rounds", map.rounds)
    } else {
        String::new()
    };
    let order = if map.reverse {
        "reverse depth-first"
    } else {
        "depth-first"
    };
    vec![
        format!("{file}, {order}, {delays}{rounds}: a sequential program with the same final states and the same bugs."),
        "The names are those of section 5 of `Delay-Bounded Scheduling` (Emmi, Qadeer, Rakamaric, POPL 2011).".to_owned(),
        "Comments with a number quote the line of the original program.".to_owned(),
    ]
}
