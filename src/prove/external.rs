//! Another solver checks the questions of a certificate.

use std::sync::Arc;
use std::time::Instant;

use crate::smt::smtlib::process;
use crate::smt::solve::Unknown;

/// Asks a solver each question; all are to be unsatisfiable.
///
/// # Errors
/// When one is not, or is not answered.
pub fn check(command: &str, questions: &[String], deadline: Instant) -> Result<(), String> {
    for question in questions {
        let script = format!("(set-logic ALL)\n{question}(exit)\n");
        let output = process::ask(command, vec![Arc::new(script)], deadline);
        let output = output.map_err(|why| match why {
            Unknown::Incomplete(what) => what,
            _ => format!("the solver `{command}` did not answer in time"),
        })?;
        let answer = output.lines().map(str::trim).find(|l| !l.is_empty());
        if answer != Some("unsat") {
            let says = question.lines().next().unwrap_or_default();
            let answer = answer.unwrap_or("nothing");
            return Err(format!(
                "the solver `{command}` says {answer} to a question{}",
                says.replacen(';', ":", 1)
            ));
        }
    }
    Ok(())
}
