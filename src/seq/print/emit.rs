//! A sequentialized program as a file, with a head that says what it is.

use base::source::SourceMap;

use super::super::Sequential;
use super::{Comments, Listing, Unroll, list_async, nested, print_boogie};
use ir::turns;

/// What the files say about themselves.
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
    let program = nested::written_out(&sequential.program);
    let turns = turns::together(&program, u64::from(unroll)).max(u64::from(unroll));
    let mut header = what_this_is(sequential, about.file);
    header.extend([
        String::new(),
        format!("    boogie /useArrayTheory /errorLimit:1 /z3opt:smt.relevancy=0 /loopUnroll:{} FILE.bpl", turns + 1),
        String::new(),
        "`1 verified, 0 errors`: no assertion fails. `0 verified, 1 error`: one does. Anything else is no verdict.".to_owned(),
        format!("Loops turn at most {turns} times, those inside others counted together; recursion and chains of tasks go {unroll} deep; what goes further is cut off."),
        "(A newer Boogie uses the array theory without being asked, and knows the third option as /proverOpt:O:smt.relevancy=0.)".to_owned(),
    ]);
    print_boogie(
        &program,
        Unroll(unroll.max(1)),
        comments(sequential, about, &header),
    )
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
