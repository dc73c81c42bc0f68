//! The questions of the command line, for a program without a terminal and without files: text in, data out.

use std::borrow::Cow;

use clap::{CommandFactory, Parser};
use serde_json::{Value, json};

use answer::Answer;
use ast::print::format;

use base::diagnostic::{Diagnostic, Severity};
use base::source::SourceMap;
use options::{Limits, Scheduler};
use report::Subject;
use report::style::{Look, Steps};
use verify::{
    road,
    road::Question::{Delays, Proof, Schedules},
};

use super::args::{CheckArgs, CommonArgs, FmtArgs, ProveArgs, VerifyArgs};
use super::asking::{Input, Job, check, complaints};
use super::explore_args::ExploreArgs;
use super::status::{BUG, SAFE, WRONG_INPUT};
use super::{belonging, option_rules, status};

/// A program, and what is asked of it.
#[derive(Clone, Copy, Debug)]
pub struct Question<'a> {
    /// The command and its options as they are typed, without the file: `explore --fair`.
    pub command: &'a str,
    /// What the program's text is called; C programs end in `.c` or `.i`.
    pub name: &'a str,
    /// The program.
    pub text: &'a str,
    /// How many characters a line of the answer has.
    pub width: usize,
    /// The most memory to use, in bytes.
    pub memory: u64,
}

/// What the command line would say.
#[derive(Clone, Debug, Default)]
pub struct Said {
    /// Its exit status.
    pub status: u8,
    /// What the command would print.
    pub text: String,
    /// What is wrong with the program, or looks wrong, with places.
    pub diagnostics: Vec<Value>,
    /// The answer as data.
    pub answer: Option<Value>,
    /// The answer as a page.
    pub page: Option<String>,
    /// The program in the standard format.
    pub formatted: Option<String>,
}

impl Said {
    /// Returns this as data, for another language.
    #[must_use]
    pub fn to_json(&self) -> Value {
        json!({
            "status": self.status,
            "text": self.text,
            "diagnostics": self.diagnostics,
            "answer": self.answer,
            "page": self.page,
            "formatted": self.formatted,
        })
    }
}

/// The commands that need nothing but the program.
#[derive(Debug, Parser)]
#[command(name = "dbverify", version, disable_help_subcommand = true)]
enum Command {
    /// Look for bugs within a budget of delays, for all inputs (the default command)
    Verify(VerifyArgs),
    /// Look for bugs in every schedule
    Explore(ExploreArgs),
    /// Prove that there is no bug, for any number of tasks
    Prove(ProveArgs),
    /// Parse and type-check
    Check(CheckArgs),
    /// Print in the standard format
    Fmt(FmtArgs),
}

/// Answers a question.
#[must_use]
pub fn ask(question: &Question<'_>) -> Said {
    answered(question).unwrap_or_else(|said| *said)
}

fn answered(question: &Question<'_>) -> Result<Said, Box<Said>> {
    let command = read(question)?;
    if let Some(reason) = beyond(&command) {
        return Err(wrong(reason));
    }
    let input = Input {
        name: question.name.to_owned(),
        text: question.text.into(),
        more: Vec::new(),
    };
    match &command {
        Command::Verify(args) => {
            if let Some(reason) = option_rules::verification(args) {
                return Err(wrong(reason));
            }
            let shown = (&args.common, args.shown.steps());
            asked(question, input, shown, Delays(args.options()))
        }
        Command::Explore(args) => {
            let shown = (&args.common, args.shown.steps());
            let options = args.options(false).map_err(wrong)?;
            asked(question, input, shown, Schedules(options))
        }
        Command::Prove(args) => {
            let shown = (&args.common, args.shown.steps());
            asked(question, input, shown, Proof(args.options()))
        }
        Command::Check(args) => Ok(checked(complaints(args, input))),
        Command::Fmt(args) => formatted(&input, args.check),
    }
}

/// The command line as the program's user would have typed it.
fn line(question: &Question<'_>) -> Result<Vec<String>, Box<Said>> {
    let words = shlex::split(question.command);
    let mut words = words.ok_or_else(|| wrong("a quotation mark is not closed".to_owned()))?;
    if words.first().is_some_and(|word| word == "dbverify") {
        words.remove(0);
    }
    words.retain(|word| word != question.name);
    if words.first().is_none_or(|word| word.starts_with('-')) {
        words.insert(0, "verify".to_owned());
    }
    // A name may look like an option.
    words.push("--".to_owned());
    words.push(question.name.to_owned());
    words.insert(0, "dbverify".to_owned());
    Ok(words)
}

fn read(question: &Question<'_>) -> Result<Command, Box<Said>> {
    let words = line(question)?;
    let asked = words[1].clone();
    Command::try_parse_from(words).map_err(|error| {
        let error = belonging::explained(error, Some(&asked), Command::command());
        Box::new(Said {
            status: if error.use_stderr() {
                WRONG_INPUT
            } else {
                SAFE
            },
            text: error.to_string(),
            ..Said::default()
        })
    })
}

/// Says which part of a command needs files, processes or threads, if one does.
fn beyond(command: &Command) -> Option<String> {
    let common = match command {
        Command::Verify(args) => Some(&args.common),
        Command::Explore(args) => Some(&args.common),
        Command::Prove(args) => Some(&args.common),
        Command::Check(_) | Command::Fmt(_) => None,
    };
    if let Some(common) = common.filter(|common| !common.more.is_empty()) {
        return Some(format!(
            "unexpected argument `{}`: a page has one file",
            common.file
        ));
    }
    let given = match command {
        Command::Verify(args) => [
            (args.solver.is_some(), "--solver"),
            (args.trace_out.is_some(), "--trace-out"),
            (args.witness.is_some(), "--witness"),
            (args.reproduce.is_some(), "--reproduce"),
            (args.html.is_some(), "--html"),
            (args.emit_seq, "--emit-seq"),
            (args.emit_boogie, "--emit-boogie"),
            (args.emit_smt, "--emit-smt"),
        ]
        .to_vec(),
        Command::Explore(args) => [
            (args.jobs > 1, "--jobs"),
            (args.cluster.cluster.is_some(), "--cluster"),
            (args.cluster.checkpoint.is_some(), "--checkpoint"),
            (args.cluster.resume.is_some(), "--resume"),
            (args.trace_out.is_some(), "--trace-out"),
            (args.witness.is_some(), "--witness"),
            (args.reproduce.is_some(), "--reproduce"),
            (args.html.is_some(), "--html"),
            (args.coverage.is_some(), "--coverage"),
            (args.graph.is_some(), "--graph"),
        ]
        .to_vec(),
        Command::Prove(args) => [
            (args.solver.is_some(), "--solver"),
            (args.certificate.is_some(), "--certificate"),
            (args.trace_out.is_some(), "--trace-out"),
            (args.html.is_some(), "--html"),
        ]
        .to_vec(),
        Command::Fmt(args) => vec![(args.write, "--write")],
        Command::Check(_) => Vec::new(),
    };
    let first = given.into_iter().find(|(given, _)| *given);
    first.map(|(_, name)| {
        format!("{name} is for the command line of dbverify: it is not there here")
    })
}

/// Complains about something beside the program's text.
fn wrong(message: String) -> Box<Said> {
    let problem = Diagnostic {
        span: None,
        ..Diagnostic::error("input", base::source::Span::default(), message)
    };
    Box::new(complained(&SourceMap::new(), &[problem]))
}

fn complained(sources: &SourceMap, diagnostics: &[Diagnostic]) -> Said {
    let errors = diagnostics.iter().any(|d| d.severity == Severity::Error);
    let data = report::diagnostic::json(sources, diagnostics);
    Said {
        status: if errors { WRONG_INPUT } else { SAFE },
        text: report::diagnostic::text(sources, diagnostics, false),
        diagnostics: data.as_array().cloned().unwrap_or_default(),
        ..Said::default()
    }
}

fn checked(found: super::asking::Complaints) -> Said {
    complained(&found.sources, &found.diagnostics)
}

fn formatted(input: &Input, compare: bool) -> Result<Said, Box<Said>> {
    if c::is_c(&input.name) {
        return Err(wrong("C programs are not formatted".to_owned()));
    }
    let text = format(&input.text, 0).map_err(|diagnostics| {
        let mut sources = SourceMap::new();
        match sources.add(input.name.as_str(), &*input.text) {
            Ok(_) => Box::new(complained(&sources, &diagnostics)),
            Err(message) => wrong(message),
        }
    })?;
    if compare && text != *input.text {
        return Ok(Said {
            status: BUG,
            text: format!("{} is not in the standard format\n", input.name),
            ..Said::default()
        });
    }
    Ok(Said {
        formatted: (!compare).then_some(text),
        ..Said::default()
    })
}

/// Compiles a program. Returns it, and what looks wrong with it.
fn loaded<'a>(common: &'a CommonArgs, input: Input) -> Result<(Job<'a>, Said), Box<Said>> {
    let found = check(common, &input).map_err(wrong)?;
    let said = complained(&found.sources, &found.diagnostics);
    let Some(program) = found.program else {
        return Err(Box::new(said));
    };
    let job = Job::of(Cow::Borrowed(common), input, (found.sources, program));
    Ok((job, said))
}

/// The answer to what a command asks.
fn asked(
    question: &Question<'_>,
    input: Input,
    (common, steps): (&CommonArgs, Steps),
    mut what: road::Question,
) -> Result<Said, Box<Said>> {
    let limits = question.within(what.limits());
    *what.limits_mut() = limits;
    let (mut job, said) = loaded(common, input)?;
    let answer = job.ask(&what);
    let look = (what.scheduler_of(&answer), steps);
    Ok(question.shown(&job, &answer, look, said))
}

impl Question<'_> {
    fn within(&self, limits: Limits) -> Limits {
        Limits {
            memory: limits.memory.min(self.memory),
            latest: limits.end(),
            ..limits
        }
    }

    /// Shows an answer, behind what has been said before.
    fn shown(
        &self,
        job: &Job<'_>,
        answer: &Answer,
        (scheduler, steps): (Scheduler, Steps),
        said: Said,
    ) -> Said {
        let subject = Subject {
            file: self.name,
            sources: &job.sources,
            program: &job.program,
            answer,
        };
        let look = Look {
            width: self.width,
            steps,
            ..Look::default()
        };
        let command = format!("dbverify {} {}", self.command.trim(), self.name);
        Said {
            status: status::of(answer),
            text: said.text + &job.text(&subject, look),
            answer: serde_json::from_str(&report::json::answer(&subject)).ok(),
            page: Some(job.page(&subject, scheduler, Some(&command))),
            ..said
        }
    }
}
