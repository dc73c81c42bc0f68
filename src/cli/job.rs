//! What the command line does around a question: it loads the program, shows the answer, and writes files.

use std::borrow::Cow;
use std::path::Path;

use serde_json::Value as Json;

use answer::Answer;

use options::{Limits, Scheduler};
use report::style::Steps;
use report::{Subject, witness};
use trace::Trace;
use trace::file::TraceFile;
use verify::declarations;

use super::args::CommonArgs;
pub use super::asking::Job;
use super::c_args::Model;
use super::input::{self, Failed, Input};
use super::{output, reproduce, status, watchdog};

impl<'a> Job<'a> {
    /// Reads and checks a program.
    ///
    /// # Errors
    /// When there is no program; the user has been told why.
    pub fn load(common: impl Into<Cow<'a, CommonArgs>>) -> Result<Self, Failed> {
        let common = common.into();
        let input = input::of_program(&common)?;
        Self::checked(common, input)
    }

    /// Checks a program that has been read.
    ///
    /// # Errors
    /// When it is no program; the user has been told why.
    pub fn checked(common: Cow<'a, CommonArgs>, input: Input) -> Result<Self, Failed> {
        let checked = input::checked(&common, &input)?;
        Ok(Self::of(common, input, checked))
    }

    /// Shows which claims of objects are false. This is for commands that translate a program and decide nothing.
    ///
    /// # Errors
    /// When one is; the user has been told.
    pub fn refuse_false_claims(&mut self) -> Result<(), Failed> {
        let claims = declarations::prove(&mut self.program, &self.sources, &Limits::default());
        if claims.refuted.is_empty() {
            return Ok(());
        }
        let look = (self.common.format, self.common.color);
        input::show(look, &self.input.name, &self.sources, &claims.diagnostics());
        Err(Failed)
    }

    /// Shows an answer, writes its files, and returns the exit status.
    ///
    /// # Errors
    /// When a file cannot be written; the user has been told, and the answer has been shown.
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
            let command = output::command_line();
            (path, self.page(&subject, scheduler, command.as_deref()))
        });
        let graph = (files.graph).map(|asked| (asked.0, self.graph(&subject, scheduler, asked)));
        let mut look = output::look(self.common.color);
        look.steps = files.steps;
        let text = self.text(&subject, look);
        // Everything is ready: from here on the watchdog does not answer in our place.
        watchdog::answering();
        let trace = trace.map(|(path, trace)| write_trace(path, trace));
        let witness = witness.map(|(path, text)| write_trace(path, text));
        let html = html.map(|(path, page)| output::write_file(path, &page));
        let coverage = files.coverage.map(|path| write_coverage(path, &subject));
        let graph = graph.map(|(path, text)| output::write_file(path, &text?));
        output::print(&text);
        let reproduced = (files.reproduce).map(|asked| self.reproduce(&subject, asked));
        // A file that cannot be written does not cost the answer. The complaint is not on standard output.
        let failed = [trace, witness, html, coverage, graph, reproduced]
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
        Ok(status::of(answer))
    }

    /// The counterexample as it is written to a file, if there is one.
    fn trace(&self, subject: &Subject<'_>, scheduler: Scheduler) -> Option<String> {
        let bug = subject.answer.bugs.first()?;
        Some(self.trace_text(subject, &bug.trace, scheduler))
    }

    /// The states of the program as a picture.
    fn graph(
        &self,
        subject: &Subject<'_>,
        scheduler: Scheduler,
        (path, delays): (&Path, Option<u32>),
    ) -> Result<String, String> {
        let bug = subject.answer.bugs.first();
        let schedule = bug.map(|bug| &bug.trace.schedule);
        let graph = explore::graph::graph(&self.program, scheduler, delays, schedule);
        let graph =
            graph.map_err(|reason| format!("{} is not written: {reason}", path.display()))?;
        let format = report::graph::Format::of(path).unwrap_or(report::graph::Format::Dot);
        Ok(report::graph::text(&graph, subject, format))
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

    /// Writes the counterexample as a program that fails, if there is one.
    pub fn reproduce(
        &self,
        subject: &Subject<'_>,
        asked: reproduce::Asked<'_>,
    ) -> Result<(), String> {
        let text = match subject.answer.bugs.first() {
            Some(bug) => Some(reproduce::text(self, subject, bug, asked)?),
            None => None,
        };
        write_trace(asked.path, text)
    }

    /// An execution as it is written to a file.
    pub fn trace_text(&self, subject: &Subject<'_>, trace: &Trace, scheduler: Scheduler) -> String {
        let bug = subject.answer.bugs.first();
        let file = TraceFile {
            file: subject.file.to_owned(),
            source: self.input.text.to_string(),
            modules: self.modules(),
            cover: self.common.cover,
            preempt: self.common.preempt.map(Into::into),
            memory: self.common.memory.buffered(),
            reading: self.common.c.words(),
            scheduler,
            error: bug.map_or(Json::Null, |bug| report::json::error(bug, subject.sources)),
            schedule: trace.schedule.clone(),
        };
        let steps = report::json::trace(trace, subject.sources);
        let json = file.to_json(steps);
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

fn write_coverage(path: &Path, subject: &Subject<'_>) -> Result<(), String> {
    let Some(coverage) = &subject.answer.coverage else {
        let shown = path.display();
        output::print_error(&format!("nothing was run: {shown} is not written\n"));
        return Ok(());
    };
    output::write_file(path, &report::lcov::text(&coverage.lines(subject.sources)))
}

/// What is written beside the answer.
#[derive(Clone, Copy, Default)]
pub struct Files<'a> {
    /// The counterexample.
    pub trace: Option<&'a Path>,
    /// The counterexample as a witness of SV-COMP.
    pub witness: Option<&'a Path>,
    /// The counterexample as a program that fails.
    pub reproduce: Option<reproduce::Asked<'a>>,
    /// The page.
    pub html: Option<&'a Path>,
    /// The lines that are reached.
    pub coverage: Option<&'a Path>,
    /// The picture of the states, with the delays that are allowed.
    pub graph: Option<(&'a Path, Option<u32>)>,
    /// The check of the invariant, which `prove` writes.
    pub certificate: Option<&'a Path>,
    /// How much of a counterexample is shown.
    pub steps: Steps,
}

impl Files<'_> {
    /// Checks before the work begins whether the files can be written without harm to inputs or to each other.
    ///
    /// # Errors
    /// When one cannot; the user has been told.
    pub fn check(
        &self,
        common: &CommonArgs,
        inputs: &[(&Path, &'static str)],
    ) -> Result<(), Failed> {
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
        if let Some(message) =
            (self.reproduce).and_then(|asked| reproduce::refusal(asked.path, common))
        {
            return Err(input::refuse(common, &message));
        }
        if let Some((path, _)) = self.graph
            && report::graph::Format::of(path).is_none()
        {
            let shown = path.display();
            let message = format!(
                "--graph {shown}: its name ends in .dot, .svg or .html, which says what is written"
            );
            return Err(input::refuse(common, &message));
        }
        self.spare(common, common.inputs().chain(inputs.iter().copied()))
    }

    /// Checks whether an output is one of the files that a program has turned out to use.
    ///
    /// # Errors
    /// When one is; the user has been told.
    pub fn check_used(&self, job: &Job<'_>) -> Result<(), Failed> {
        let used = job
            .sources
            .used()
            .map(|file| (Path::new(&file.name), "a file of the program"));
        self.spare(&job.common, used)
    }

    fn spare<'b>(
        &'b self,
        common: &CommonArgs,
        inputs: impl Iterator<Item = (&'b Path, &'static str)>,
    ) -> Result<(), Failed> {
        let targets = [
            (self.trace, "the file of the trace"),
            (self.witness, "the witness"),
            (self.reproduce.map(|r| r.path), "the file of --reproduce"),
            (self.html, "the page"),
            (self.coverage, "the coverage"),
            (self.graph.map(|(path, _)| path), "the graph"),
            (self.certificate, "the certificate"),
        ];
        output::check_targets(&targets, inputs.collect()).map_err(|m| input::refuse(common, &m))
    }
}
