//! Another solver checks the questions of a certificate.

use std::sync::Arc;

use base::clock::Instant;
use smt::smtlib::process;
use smt::solve::Unknown;

use super::certificate::Question;

/// Asks a solver each question; all are to be unsatisfiable.
///
/// # Errors
/// When one is not, or is not answered.
pub fn check(command: &str, questions: &[Question], deadline: Instant) -> Result<(), String> {
    for question in questions {
        let script = format!("(set-logic ALL)\n{question}(exit)\n");
        let output = process::ask(command, vec![Arc::new(script)], deadline);
        let output = output.map_err(|why| match why {
            Unknown::Incomplete(what) => what,
            _ => format!("the solver `{command}` did not answer in time"),
        })?;
        let answer = output.lines().map(str::trim).find(|l| !l.is_empty());
        if answer != Some("unsat") {
            let answer = answer.unwrap_or("nothing");
            return Err(format!(
                "the solver `{command}` says {answer} to a question: {}",
                question.says
            ));
        }
    }
    Ok(())
}
