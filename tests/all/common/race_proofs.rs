//! Proofs that nothing races, for tests.

use std::time::Duration;

use dbverify::answer::Answer;
use dbverify::c;
use dbverify::ir::Program;
use dbverify::options::Limits;
use dbverify::options::ProveOptions;
use dbverify::source::SourceMap;
use dbverify::verify::proofs::answer;
use dbverify::{Compiled, compile_c};

const C_HEAD: &str = "#include <pthread.h>\n#include <stdlib.h>\n#include <stdatomic.h>\n\
    extern int __VERIFIER_nondet_int(void);\n\
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;\n";

/// Makes any number of threads `worker`.
const MANY: &str = "int n = __VERIFIER_nondet_int(); for (int i = 0; i < n; i++) \
    { pthread_t t; pthread_create(&t, 0, worker, 0); }";

/// So many seconds.
pub fn limits(seconds: u64) -> Limits {
    Limits {
        timeout: Duration::from_secs(seconds),
        ..Limits::default()
    }
}

/// What comes of a proof alone, within some seconds.
pub fn proof(program: &Program, sources: &SourceMap, seconds: u64) -> Answer {
    let options = ProveOptions {
        races: true,
        limits: limits(seconds),
        ..ProveOptions::default()
    };
    answer(program, sources, &options)
}

/// What comes of a proof alone for a C program in which `MANY` makes any number of threads.
pub fn proof_for_many(text: &str, seconds: u64) -> Answer {
    let (program, sources) = c_program(&text.replace("MANY", MANY));
    proof(&program, &sources, seconds)
}

/// A program that compiles.
pub fn compiled(compiled: Compiled, text: &str) -> (Program, SourceMap) {
    let what = format!("{:?}\n{text}", compiled.diagnostics);
    (compiled.program.expect(&what), compiled.sources)
}

/// A C program of which only races are asked.
pub fn c_program(text: &str) -> (Program, SourceMap) {
    let options = c::Options {
        wanted: c::property::Wanted {
            only: vec![c::property::Property::NoDataRace],
            ..c::property::Wanted::default()
        },
        ..c::Options::default()
    };
    let text = format!("{C_HEAD}{text}");
    compiled(compile_c("test.c", text.clone(), &options), &text)
}
