//! A verifier for asynchronous programs.
//!
//! A program posts tasks, tasks run until they yield or are interrupted, and the bugs hide
//! in the orders that nobody thought of. This crate looks for them.
//!
//! ```
//! use dbverify::Verifier;
//! use dbverify::answer::Verdict;
//!
//! let text = "
//!     var x: int := 0;
//!     proc add() { let old = x; yield; x := old + 1; }
//!     proc main() { post add(); post add(); }
//!     finally { assert x == 2; }
//! ";
//! let answer = Verifier::new(text).delays(1).run()?;
//! assert_eq!(answer.verdict, Verdict::Bug);
//! # Ok::<(), dbverify::Rejected>(())
//! ```
//!
//! # The whole way
//!
//! [`decide`] is the pipeline: [`fn@compile`], then [`verify::road`]. A program ([`ir::Program`]) is made by a front end and read by
//! engines; the passes between are these, and each must leave a valid program:
//!
//! | pass | why it stands there |
//! |---|---|
//! | preemption points (`passes::points`) | engines see statements, not modes or languages: so each front end ends with them; those of a mode of `.async` are made with the statements (`check::preempt`), here those go that nobody needs |
//! | buffers ([`weak`](compile::Compiled::under)) | an engine knows one memory: so when the points are settled, and before any engine |
//! | unset variables (`passes::unset`) | a choice that nobody reads costs like any other: behind the points, which look at all writes |
//! | sections (`passes::points::exclusive`) | every point becomes a wait until no other thread is in one: so behind the points |
//! | few inputs (`passes::inputs`) | a bound on open values is part of the program and of its scope: so before any engine sees either |
//! | invariants (`passes::invariants`) | they hold wherever a task stops: so when it is settled where that is |
//! | one cover (`passes::cover`) | nothing else may fail then: so behind all that adds checks |
//! | claims of objects (`verify::declarations`) | each engine may rely on what is proved: so before all of them |
//! | probes (`passes::probe`) | a bound of unrolling is one more check of the program: so before it becomes sequential |
//! | sequentialization ([`seq`]) | the solver knows no tasks: so last before it |
//! | plain loops (`passes::plain_loops`) | what is printed has no jumps that the target lacks: only for printing |

#![warn(missing_docs)]

mod verifier;

pub use base::{diagnostic, source};
pub use compile::{Compiled, compile, compile_c, compile_cover, compile_in};
pub use verifier::{Rejected, Verifier};
pub use verify::road::Question;
pub use {answer, check, ir, options, trace};

// Rooms that the tests enter: no part of the library, and changed without notice.
#[doc(hidden)]
pub use base::{clock, memory, stack, work};
#[cfg(feature = "args")]
#[doc(hidden)]
pub use cli;
#[doc(hidden)]
pub use solver::z3_version;
#[doc(hidden)]
pub use {ast, c, explore, machine, report, seq, smt, symbolic, verify};

use answer::Answer;
use check::CheckOptions;
use options::Buffered;
use verify::road::{self, Target};

/// The whole way from a text to an answer.
///
/// # Errors
/// When the text is no program: then what is wrong with it.
pub fn decide(
    name: &str,
    text: &str,
    options: &CheckOptions,
    question: &Question,
) -> Result<Answer, Box<Compiled>> {
    decide_under(name, text, options, (question, Buffered::default()))
}

/// The same on another memory.
pub(crate) fn decide_under(
    name: &str,
    text: &str,
    options: &CheckOptions,
    (question, memory): (&Question, Buffered),
) -> Result<Answer, Box<Compiled>> {
    // Text, tree, names and types, the program: `ast` and `check`, or `c`.
    let compiled = compile(name, text, options).under(memory);
    let Some(program) = &compiled.program else {
        return Err(Box::new(compiled));
    };
    // An engine finds a schedule that fails, or that there is none; or it proves the program. A schedule becomes a trace when
    // `semantics` has replayed it (`trace`), and the answer names its bounds.
    let target = Target {
        program,
        sources: &compiled.sources,
        covers: &|cover| {
            let compiled = compile_cover((None, name), text, options, cover);
            compiled.under(memory).program
        },
    };
    Ok(road::ask(question, &target))
}
