//! A loaded program on its way from the question to the answer.

use std::borrow::Cow;
use std::path::Path;

use serde_json::Value as Json;

use crate::answer::{Answer, Engine, NamedBound, Verdict};
use crate::c::{self, property::Property};
use crate::ir::{Dialect, Program};
use crate::options::{Limits, Scheduler};
use crate::report::style::Steps;
use crate::report::{self, Subject, witness};
use crate::seq;
use crate::seq::print::{About, Listing, list_seq};
use crate::source::{Origin, SourceMap};
use crate::trace::Trace;
use crate::trace::file::TraceFile;
use crate::verify::declarations::{Proofs, prove};
use crate::work;

use super::args::{CommonArgs, Format};
use super::c_args::Model;
use super::input::{self, Failed, Input};
use super::{covers, output, status, watchdog};

impl<'a> From<&'a CommonArgs> for Cow<'a, CommonArgs> {
    fn from(common: &'a CommonArgs) -> Self {
        Self::Borrowed(common)
    }
}

/// A loaded program and what belongs to it.
pub struct Job<'a> {
    /// What was asked.
    pub common: Cow<'a, CommonArgs>,
    /// The text and its name.
    pub input: Input,
    /// All texts.
    pub sources: SourceMap,
    /// The program.
    pub program: Program,
    /// What came of its declarations.
    pub proofs: Proofs,
}

impl<'a> Job<'a> {
    /// Reads, checks and proves.
    ///
    /// # Errors
    /// When there is no program; it has been said why.
    pub fn load(common: impl Into<Cow<'a, CommonArgs>>, limits: &Limits) -> Result<Self, Failed> {
        let common = common.into();
        let (input, sources, mut program) = input::load(&common)?;
        work::enter("proving what objects declare");
        let proofs = prove(&mut program, &sources, limits);
        Ok(Self {
            common,
            input,
            sources,
            program,
            proofs,
        })
    }

    /// The answer: that a declaration is false, or what an engine says.
    pub fn decide(&self, engine: Engine, all: bool, run: impl FnOnce() -> Answer) -> Answer {
        self.proofs.answer(engine, all).unwrap_or_else(|| {
            let mut answer = run();
            if let Some(line) = self.common.cover {
                covers::asks(&mut answer, line);
            }
            answer.notes.extend_from_slice(&self.proofs.unproved);
            let asked = self.common.c.wanted().0;
            if !asked.is_empty() {
                let names = asked.into_iter().map(Property::name).collect();
                answer.bounds.insert(0, NamedBound::Property(names));
            }
            answer
        })
    }

    /// Shows an answer, writes what is to be written of it, and gives the exit status.
    ///
    /// # Errors
    /// When a file cannot be written; it has been said, and the answer has been shown.
    pub fn finish(
        &self,
        answer: &Answer,
        scheduler: Scheduler,
        files: Files<'_>,
    ) -> Result<u8, Failed> {
        let (file, sources, program) = (self.input.name.as_str(), &self.sources, &self.program);
        let subject = Subject {
            file,
            sources,
            program,
            answer,
        };
        let trace = files
            .trace
            .map(|path| (path, self.trace(&subject, scheduler)));
        let witness = files
            .witness
            .map(|path| (path, self.witness(&subject, path)));
        let html = files.html.map(|path| {
            let sequential = self.sequential(answer, scheduler);
            let command = output::command_line();
            let page = report::html::Page {
                trace: answer.bugs.first().map(|b| &b.trace),
                scheduler,
                sequential: sequential.as_ref().map(|listing| report::html::Sequential {
                    text: &listing.text,
                    origins: &listing.origins,
                }),
                command: command.as_deref(),
                decided: true,
            };
            (path, report::html::page(&subject, &page))
        });
        let text = match self.common.format {
            Format::Text => {
                let mut look = output::look(self.common.color);
                look.steps = files.steps;
                report::text::answer(&subject, look)
            }
            Format::Json => report::json::answer(&subject) + "\n",
            Format::Sarif => report::sarif::answer(&subject) + "\n",
        };
        // Everything is ready: from here on nobody answers in our place.
        watchdog::answering();
        let trace = trace.map(|(path, trace)| write_trace(path, trace));
        let witness = witness.map(|(path, text)| write_trace(path, text));
        let html = html.map(|(path, page)| output::write_file(path, &page));
        output::print(&text);
        // The answer is not lost with a file, and stays the only thing on standard output.
        let failed = [trace, witness, html]
            .into_iter()
            .flatten()
            .filter_map(Result::err);
        let failed: String = failed
            .map(|message| format!("error: {message}\n"))
            .collect();
        if !failed.is_empty() {
            output::print_error(&failed);
            return Err(Failed);
        }
        Ok(match answer.verdict {
            Verdict::Safe | Verdict::Proved if answer.asks_cover => status::BUG,
            Verdict::Bug if answer.asks_cover => status::SAFE,
            Verdict::Safe | Verdict::Proved => status::SAFE,
            Verdict::Bug => status::BUG,
            Verdict::Inconclusive(_) if work::stopping() => status::INTERRUPTED,
            Verdict::Inconclusive(_) => status::INCONCLUSIVE,
        })
    }

    /// The sequential program of an answer about delays, as it is shown beside the original one.
    fn sequential(&self, answer: &Answer, scheduler: Scheduler) -> Option<Listing> {
        // A replayed trace has no bounds; the delays that it spends are the least that show it.
        let delays = answer.delays().or_else(|| spent(answer))?;
        let depth_first = matches!(
            scheduler,
            Scheduler::DepthFirst | Scheduler::ReverseDepthFirst
        );
        if !depth_first || delays > MOST_SHOWN {
            return None;
        }
        let sequential =
            seq::sequentialize(&self.program, seq::Budget::new(delays, None), scheduler);
        let about = About {
            file: &self.input.name,
            sources: &self.sources,
        };
        Some(list_seq(&sequential, about))
    }

    /// The counterexample as it is written to a file, if there is one.
    fn trace(&self, subject: &Subject<'_>, scheduler: Scheduler) -> Option<String> {
        let bug = subject.answer.bugs.first()?;
        Some(self.trace_text(subject, &bug.trace, scheduler))
    }

    /// The counterexample as a witness, if there is one.
    fn witness(&self, subject: &Subject<'_>, path: &Path) -> Option<String> {
        let bug = subject.answer.bugs.first()?;
        let about = witness::About {
            text: &self.input.text,
            is_32_bit: self.common.c.data_model == Model::Ilp32,
        };
        let format = witness::Format::of(path)?;
        Some(witness::witness(subject, bug, about, format))
    }

    /// The files that the program uses, by name, and their texts.
    #[must_use]
    pub fn modules(&self) -> Vec<(String, String)> {
        if self.program.types.dialect == Dialect::C {
            return Vec::new();
        }
        let others = self.sources.files().iter().skip(1);
        others
            .filter(|file| file.origin == Origin::User)
            .map(|file| (file.name.clone(), file.text.to_string()))
            .collect()
    }

    /// The whole text: of the program and of the files that it uses.
    #[must_use]
    pub fn texts(&self) -> String {
        let modules = self.modules().into_iter().map(|(_, text)| text);
        std::iter::once(self.input.text.clone())
            .chain(modules)
            .collect()
    }

    /// An execution as it is written to a file.
    pub fn trace_text(&self, subject: &Subject<'_>, trace: &Trace, scheduler: Scheduler) -> String {
        let file = TraceFile {
            source: self.input.text.clone(),
            modules: self.modules(),
            cover: self.common.cover,
            preempt: self.common.preempt.map(Into::into),
            reading: self.common.c.words(),
            scheduler,
            schedule: trace.schedule.clone(),
        };
        let steps = report::json::trace(trace, subject.sources);
        let bug = subject.answer.bugs.first();
        let error = bug.map_or(Json::Null, |bug| report::json::error(bug, subject));
        let json = file.to_json(subject.file, error, steps);
        format!("{json:#}\n")
    }
}

fn write_trace(path: &Path, trace: Option<String>) -> Result<(), String> {
    let Some(text) = trace else {
        let shown = path.display();
        output::print_error(&format!("no counterexample: {shown} is not written\n"));
        return Ok(());
    };
    output::write_file(path, &text)
}

/// The delays that a replayed counterexample spends.
fn spent(answer: &Answer) -> Option<u32> {
    let bug = answer.bugs.first().filter(|_| answer.bounds.is_empty())?;
    Some(bug.trace.schedule.delays())
}

/// With more delays nobody reads the sequential program.
const MOST_SHOWN: u32 = 16;

/// What is written beside the answer.
#[derive(Clone, Copy, Default)]
pub struct Files<'a> {
    /// The counterexample.
    pub trace: Option<&'a Path>,
    /// The counterexample as a witness of SV-COMP.
    pub witness: Option<&'a Path>,
    /// The page.
    pub html: Option<&'a Path>,
    /// How much of a counterexample is shown.
    pub steps: Steps,
}

impl Files<'_> {
    /// Looks before the work begins whether they can be written without harm to what is read or to each other.
    ///
    /// # Errors
    /// When one cannot; it has been said.
    pub fn check(&self, common: &CommonArgs, inputs: &[&Path]) -> Result<(), Failed> {
        if let Some(path) = self.witness {
            let refuse = |message: String| Err(input::refuse(common, &message));
            if witness::Format::of(path).is_none() {
                let shown = path.display();
                return refuse(format!(
                    "--witness {shown}: its name ends in .graphml or in .yml, which says what is written"
                ));
            }
            if !c::is_c(&common.file) {
                return refuse(
                    "--witness is for C programs; --trace-out keeps any counterexample".to_owned(),
                );
            }
        }
        let mut others: Vec<(&Path, &str)> = inputs.iter().map(|i| (*i, "the trace")).collect();
        if common.file != "-" {
            others.push((Path::new(&common.file), "the program"));
        }
        for (path, what) in [
            (self.trace, "the file of the trace"),
            (self.witness, "the witness"),
            (self.html, "the page"),
        ] {
            let Some(path) = path else { continue };
            output::check_target(path, &others).map_err(|m| input::refuse(common, &m))?;
            others.push((path, what));
        }
        Ok(())
    }
}
