//! The same question as SMT-LIB 2 text, for people and for other solvers.
//!
//! Every term that the encoder makes gets a `define-fun` of its own, so that shared terms stay shared and
//! no printed term is deep.

use std::fmt::Write as _;
use std::time::Instant;

use super::encode::{Backend, Encoder, Fun, SmtSort};
use super::model::{Lists, Shape};
use super::process;
use super::solve::{Outcome, Unknown};
use super::term::{Assignment, Term, Terms, Var};

/// A term in the text: its name or numeral, and its sort.
#[derive(Clone, Debug)]
pub struct TextTerm {
    text: String,
    sort: SmtSort,
}

/// Writes declarations and definitions as terms are made.
#[derive(Debug, Default)]
pub struct Text {
    lines: String,
    definitions: usize,
    /// Whether something is a mathematical integer, and whether something is an array.
    ints: bool,
    arrays: bool,
}

/// A question in SMT-LIB 2.
#[derive(Clone, Debug)]
pub struct Script {
    /// The text, up to and with `(check-sat)`.
    pub text: String,
    /// What of the question cannot be said in SMT-LIB, if anything.
    pub problem: Option<String>,
    /// The variables with their names in the text and how their values are read.
    vars: Vec<(Var, String, Shape)>,
}

/// The script that asks whether a term can be true.
#[must_use]
pub fn script(terms: &Terms, goal: Term, comment: &[String]) -> Script {
    let mut encoder = Encoder::new(terms, &[goal], Text::default());
    let asked = encoder.term(goal);
    let axioms = encoder.take_axioms();
    let problem = encoder.problem().map(str::to_owned);
    let vars = encoder.vars.iter().map(|(var, ast)| {
        let shape = Shape::of(terms, encoder.plan(), terms.var(*var).term);
        (*var, ast.text.clone(), shape)
    });
    let vars = vars.collect();
    let Text {
        lines,
        ints,
        arrays,
        ..
    } = &encoder.backend;
    let mut text = String::new();
    for line in comment {
        let _ = writeln!(text, "; {line}");
    }
    let logic = match (arrays, ints) {
        (false, false) => "QF_BV",
        (true, false) => "QF_ABV",
        _ => "ALL",
    };
    let _ = writeln!(text, "(set-logic {logic})\n{lines}");
    for axiom in axioms {
        let _ = writeln!(text, "(assert {})", axiom.text);
    }
    let _ = writeln!(text, "(assert {})\n(check-sat)", asked.text);
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
    pub fn decide(&self, command: &str, deadline: Instant) -> Result<Option<Assignment>, Unknown> {
        if let Some(problem) = &self.problem {
            return Err(Unknown::Incomplete(format!(
                "{problem} is beyond this encoding"
            )));
        }
        let names: Vec<&str> = self.vars.iter().map(|var| var.1.as_str()).collect();
        let mut text = format!("(set-option :produce-models true)\n{}", self.text);
        if !names.is_empty() {
            let _ = writeln!(text, "(get-value ({}))", names.join(" "));
        }
        text.push_str("(exit)\n");
        let reply = process::ask(command, &text, deadline);
        match reply.outcome {
            Outcome::Unsat => Ok(None),
            Outcome::Unknown(unknown) => Err(unknown),
            Outcome::Sat => self
                .model(&Lists::new(&reply.rest))
                .map(Some)
                .ok_or_else(|| {
                    Unknown::Incomplete(format!(
                        "the solver `{command}` says sat, but its model cannot be read"
                    ))
                }),
        }
    }

    fn model(&self, answer: &Lists) -> Option<Assignment> {
        let values = answer.pairs();
        let mut assignment = Assignment::default();
        for (var, name, shape) in &self.vars {
            let value = *values.get(name.as_str())?;
            assignment.set(*var, answer.datum(value, shape)?);
        }
        Some(assignment)
    }
}

/// A symbol between bars, which may hold everything but bars and backslashes.
fn quoted(name: &str) -> String {
    format!("|{}|", name.replace(['|', '\\'], "_"))
}

fn sort_text(sort: &SmtSort) -> String {
    match sort {
        SmtSort::Bool => "Bool".to_owned(),
        SmtSort::Int => "Int".to_owned(),
        SmtSort::Bits(width) => format!("(_ BitVec {width})"),
        SmtSort::Array(index, element) => {
            format!("(Array {} {})", sort_text(index), sort_text(element))
        }
    }
}

impl Text {
    fn note(&mut self, sort: &SmtSort) {
        match sort {
            SmtSort::Int => self.ints = true,
            SmtSort::Array(index, element) => {
                self.arrays = true;
                self.note(index);
                self.note(element);
            }
            SmtSort::Bool | SmtSort::Bits(_) => {}
        }
    }

    fn define(&mut self, text: &str, sort: SmtSort) -> TextTerm {
        self.note(&sort);
        let name = format!("t{}", self.definitions);
        self.definitions += 1;
        let _ = writeln!(
            self.lines,
            "(define-fun {name} () {} {text})",
            sort_text(&sort)
        );
        TextTerm { text: name, sort }
    }
}

impl Backend for Text {
    type Ast = TextTerm;

    fn declare(&mut self, name: &str, sort: &SmtSort) -> TextTerm {
        self.note(sort);
        let text = quoted(name);
        let _ = writeln!(self.lines, "(declare-fun {text} () {})", sort_text(sort));
        TextTerm {
            text,
            sort: sort.clone(),
        }
    }

    fn truth(&mut self, value: bool) -> TextTerm {
        TextTerm {
            text: value.to_string(),
            sort: SmtSort::Bool,
        }
    }

    fn int(&mut self, value: i128) -> TextTerm {
        self.ints = true;
        let text = if value < 0 {
            format!("(- {})", value.unsigned_abs())
        } else {
            value.to_string()
        };
        TextTerm {
            text,
            sort: SmtSort::Int,
        }
    }

    fn bits(&mut self, value: i128, width: u32) -> TextTerm {
        let low = if width >= 128 {
            value
        } else {
            value & ((1 << width) - 1)
        };
        TextTerm {
            text: format!("(_ bv{} {width})", low.cast_unsigned()),
            sort: SmtSort::Bits(width),
        }
    }

    fn apply(&mut self, fun: &Fun, args: &[TextTerm]) -> TextTerm {
        let sorts: Vec<&SmtSort> = args.iter().map(|a| &a.sort).collect();
        let sort = result(fun, &sorts);
        // A conjunction of nothing or of one has no text of its own.
        match (fun, args) {
            (Fun::And, []) => return self.truth(true),
            (Fun::Or, []) => return self.truth(false),
            (Fun::And | Fun::Or, [one]) => return one.clone(),
            _ => {}
        }
        let mut text = format!("({}", name(fun));
        for arg in args {
            let _ = write!(text, " {}", arg.text);
        }
        text.push(')');
        self.define(&text, sort)
    }
}

/// The sort of an application.
fn result(fun: &Fun, args: &[&SmtSort]) -> SmtSort {
    let width = |sort: &SmtSort| {
        if let SmtSort::Bits(width) = sort {
            *width
        } else {
            0
        }
    };
    match fun {
        Fun::Not | Fun::And | Fun::Or | Fun::Eq | Fun::Le | Fun::Lt => SmtSort::Bool,
        Fun::BvUle | Fun::BvSle | Fun::BvSlt => SmtSort::Bool,
        Fun::Ite => args[1].clone(),
        Fun::Extract(high, low) => SmtSort::Bits(high - low + 1),
        Fun::ZeroExtend(more) | Fun::SignExtend(more) => SmtSort::Bits(width(args[0]) + more),
        Fun::IntToBv(width) => SmtSort::Bits(*width),
        Fun::BvToInt => SmtSort::Int,
        Fun::ConstArray(sort) => sort.clone(),
        Fun::Select => match args[0] {
            SmtSort::Array(_, element) => (**element).clone(),
            other => other.clone(),
        },
        _ => args[0].clone(),
    }
}

/// How a function is written.
fn name(fun: &Fun) -> String {
    let plain = match fun {
        Fun::Extract(high, low) => return format!("(_ extract {high} {low})"),
        Fun::ZeroExtend(more) => return format!("(_ zero_extend {more})"),
        Fun::SignExtend(more) => return format!("(_ sign_extend {more})"),
        Fun::IntToBv(width) => return format!("(_ int2bv {width})"),
        Fun::ConstArray(sort) => return format!("(as const {})", sort_text(sort)),
        Fun::Not => "not",
        Fun::And => "and",
        Fun::Or => "or",
        Fun::Ite => "ite",
        Fun::Eq => "=",
        Fun::Add => "+",
        Fun::Neg => "-",
        Fun::Mul => "*",
        Fun::Div => "div",
        Fun::Mod => "mod",
        Fun::Le => "<=",
        Fun::Lt => "<",
        Fun::BvAdd => "bvadd",
        Fun::BvNeg => "bvneg",
        Fun::BvMul => "bvmul",
        Fun::BvUdiv => "bvudiv",
        Fun::BvUrem => "bvurem",
        Fun::BvSdiv => "bvsdiv",
        Fun::BvSrem => "bvsrem",
        Fun::BvAnd => "bvand",
        Fun::BvOr => "bvor",
        Fun::BvXor => "bvxor",
        Fun::BvShl => "bvshl",
        Fun::BvLshr => "bvlshr",
        Fun::BvAshr => "bvashr",
        Fun::BvUle => "bvule",
        Fun::BvSle => "bvsle",
        Fun::BvSlt => "bvslt",
        Fun::BvToInt => "bv2nat",
        Fun::Select => "select",
        Fun::Store => "store",
    };
    plain.to_owned()
}
