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
//! [`decide`] is the pipeline, every stage by its name. A program ([`ir::Program`]) is made by a front end and read by
//! engines; the passes between are these, and each must leave a valid program:
//!
//! | pass | why it stands there |
//! |---|---|
//! | preemption points (`check`, `c`) | engines see statements, not modes: so the front end ends with them |
//! | claims of objects (`verify::declarations`) | each engine may rely on what is proved: so before all of them |
//! | probes (`verify::probe`) | a bound of unrolling is one more check of the program: so before it becomes sequential |
//! | sequentialization ([`seq`]) | the solver knows no tasks: so last before it |
//! | plain loops (`seq::print`) | what is printed has no jumps that the target lacks: only for printing |

pub mod answer;
pub mod ast;
pub mod c;
pub mod check;
pub mod cli;
mod compile;
pub mod diagnostic;
pub mod explore;
pub mod ir;
pub mod lsp;
pub mod memory;
pub mod options;
pub mod prove;
pub mod report;
mod semantics;
pub mod seq;
pub mod smt;
pub mod source;
pub mod stack;
mod suggest;
pub mod trace;
mod verifier;
pub mod verify;
pub mod work;
pub mod z3_version;

pub use compile::{Compiled, compile, compile_c};
pub use verifier::{Rejected, Verifier};

use answer::{Answer, Engine};
use check::CheckOptions;
use options::{ExploreOptions, VerifyOptions};
use verify::declarations::prove;

/// What is asked of a program.
#[derive(Clone, Debug)]
pub enum Question {
    /// Whether it fails with so many delays.
    Delays(VerifyOptions),
    /// Whether it fails under a scheduler.
    Schedules(ExploreOptions),
}

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
    // Text, tree, names and types, the program: `ast` and `check`, or `c`.
    let mut compiled = compile(name, text, options);
    let Some(mut program) = compiled.program.take() else {
        return Err(Box::new(compiled));
    };
    let sources = &compiled.sources;
    // What objects declare is proved or refuted before anything relies on it: `verify::declarations`.
    let (engine, limits, all) = match question {
        Question::Delays(options) => (Engine::Smt, &options.limits, false),
        Question::Schedules(options) => (Engine::Explicit, &options.limits, options.all),
    };
    let proofs = prove(&mut program, sources, limits);
    if let Some(refuted) = proofs.answer(engine, all) {
        return Ok(refuted);
    }
    // An engine finds a schedule that fails, or that there is none. A schedule becomes a trace when `semantics` has
    // replayed it (`trace`), and the answer names its bounds.
    let mut answer = stack::on_big_stack(|| match question {
        // Program, sequential program (`seq`), terms and their solver (`smt`); or the explicit engine, where it fits.
        Question::Delays(options) => verify::engines::answer(&program, sources, options),
        Question::Schedules(options) => explore::explore(&program, options),
    });
    answer.notes.extend(proofs.unproved);
    Ok(answer)
}
