//! Writes a question as SMT-LIB 2 text, for people and for other solvers, and reads what those answer.

mod answer;
pub mod process;
mod text;
mod value;

use std::fmt::Write as _;
use std::sync::Arc;

use smtlib_lowlevel::Storage;
use smtlib_lowlevel::ast::{self, Command};
use smtlib_lowlevel::lexicon::Symbol;

use super::encode::Encoder;
use super::model::Shape;
use super::solve::Unknown;
use super::term::{Assignment, Term, Terms, Var};
use answer::Answer;
use base::clock::Instant;
use text::Text;

pub use answer::datum;

/// A question in SMT-LIB 2.
#[derive(Clone, Debug)]
pub struct Script {
    /// The text, up to and with `(check-sat)`.
    pub text: String,
    /// The part of the question that SMT-LIB cannot express, if any.
    pub problem: Option<String>,
    /// The variables with their names in the text and how their values are read.
    vars: Vec<(Var, String, Shape)>,
}

/// The script that asks whether a term can be true.
#[must_use]
pub fn script(terms: &Terms, goal: Term, comment: &[String]) -> Script {
    let storage = Storage::new();
    let mut encoder = Encoder::new(terms, &[goal], Text::new(&storage));
    let asked = encoder.term(goal);
    let axioms = encoder.take_axioms();
    let problem = encoder.problem().map(str::to_owned);
    let vars = encoder.vars.iter().map(|(var, named)| {
        let shape = Shape::of(terms, encoder.plan(), terms.var(*var).term);
        (*var, named.term.to_string(), shape)
    });
    let vars = vars.collect();
    let mut head: String = comment.iter().map(|line| format!("; {line}\n")).collect();
    let logic = Command::SetLogic(Symbol(encoder.backend.logic()));
    let _ = writeln!(head, "{logic}");
    let mut text = encoder.backend.lines;
    // The logic is known last and said first.
    text.insert_str(0, &head);
    text.push('\n');
    for required in axioms.iter().chain([&asked]) {
        let _ = writeln!(text, "{}", Command::Assert(required.term));
    }
    let _ = writeln!(text, "{}", Command::CheckSat);
    Script {
        text,
        problem,
        vars,
    }
}

impl Script {
    /// Lets another solver decide.
    ///
    /// # Errors
    /// When it does not, with the reason.
    pub fn decide(self, command: &str, deadline: Instant) -> Result<Option<Assignment>, Unknown> {
        if let Some(problem) = &self.problem {
            return Err(Unknown::Incomplete(format!(
                "{problem} is beyond this encoding"
            )));
        }
        let question = Arc::new(self.text);
        let ask = |functions| {
            let first = Arc::new(options());
            let last = Arc::new(wishes(&self.vars, functions));
            process::ask(command, vec![first, question.clone(), last], deadline)
        };
        let mut output = ask(false)?;
        // Asks for functions only where an answer names one: the model that has them spells every term out.
        if output.contains("as-array") {
            output = ask(true)?;
        }
        let complain = |what| Unknown::Incomplete(format!("the solver `{command}` {what}"));
        match answer::verdict(&output).map_err(complain)? {
            None => Ok(None),
            Some(said) => model(&said, &self.vars).map(Some).map_err(|what| {
                complain(format!("says sat, but its model cannot be read: {what}"))
            }),
        }
    }
}

/// The commands that another solver gets first. By the standard, solvers report each success unless told not to.
fn options() -> String {
    let quiet = Command::SetOption(ast::Option::PrintSuccess(false));
    let models = Command::SetOption(ast::Option::ProduceModels(true));
    format!("{quiet}\n{models}\n")
}

/// The commands that another solver gets last. They ask for values of variables, and perhaps for functions that arrays name.
fn wishes(vars: &[(Var, String, Shape)], functions: bool) -> String {
    let names: Vec<ast::Term> = vars.iter().map(|var| text::constant(&var.1)).collect();
    let names: Vec<&ast::Term> = names.iter().collect();
    let values = (!names.is_empty()).then(|| Command::GetValue(&names));
    let functions = functions.then_some(Command::GetModel);
    let wishes = values.into_iter().chain(functions).chain([Command::Exit]);
    wishes.map(|command| format!("{command}\n")).collect()
}

/// The values of all variables.
fn model(said: &[&str], vars: &[(Var, String, Shape)]) -> Result<Assignment, String> {
    let mut storage = Storage::new();
    let answer = Answer::read(&mut storage, said)?;
    let mut assignment = Assignment::default();
    for (var, name, shape) in vars {
        assignment.set(*var, answer.value(name, shape)?);
    }
    Ok(assignment)
}
