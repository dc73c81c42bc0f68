//! From a program's text and the options of a command to the answer. Nothing is read here, and nothing shown.

use std::borrow::Cow;
use std::sync::Arc;

use answer::{Answer, Cause, Verdict};

use ::seq::print::{About, Listing, list_seq};
use base::clock::Instant;
use base::diagnostic::Diagnostic;
use base::source::SourceMap;
use base::work;
use check::CheckOptions;
use compile::Compiled;
use ir::{Behind, Cut, Dialect, Program};
use names::unused;
use options::{Limits, Scheduler, Store};
use report::Subject;
use report::style::Look;
use trace::Trace;
use trace::simulate::{Dice, Length, Outcome, simulate};
use verify::advice::from_the_start;
use verify::advice::larger_buffer;
use verify::declarations;
use verify::road::{Question, Search, Target, ask, ask_with};

use super::args::{CheckArgs, CommonArgs, Format};
use super::c_args::MOST_HEAP;
use super::covers;

/// How many visits to the dispatcher a sample execution has at most.
const MOST_VISITS: usize = 300;

/// A program's text and the name to show for it.
pub struct Input {
    /// The path as given, or `<stdin>`.
    pub name: String,
    /// The text.
    pub text: Arc<str>,
    /// The other files of a C program, as they were given, and their texts.
    pub more: Vec<(String, Arc<str>)>,
}

impl Input {
    /// Reads the input as a program in C.
    fn compile_c(&self, options: &c::Options) -> Compiled {
        let more = self.more.iter().map(|(n, text)| (n.as_str(), text));
        let all = std::iter::once((self.name.as_str(), &self.text)).chain(more);
        compile::compile_files(all.map(|(n, text)| (n, Arc::clone(text))), options)
    }
}

/// Checks a program. If the user asks about a `cover`, this question replaces all others.
///
/// # Errors
/// When there is no such `cover` (the message says where there are some), or an option is for C and the program is not.
pub fn check(common: &CommonArgs, input: &Input) -> Result<Compiled, String> {
    let options = CheckOptions {
        preempt: common.preempt.map(Into::into),
    };
    let is_c = c::is_c(&input.name);
    let for_models = [
        (
            options.preempt.is_some(),
            "`--preempt` is for models: threads of a C program are interrupted everywhere",
        ),
        (
            common.folder().is_some(),
            "`--modules-from` is for models: C finds its headers by `-I`",
        ),
    ];
    if let Some((_, why)) = for_models.iter().find(|(given, _)| is_c && *given) {
        return Err((*why).to_owned());
    }
    let checked = if is_c {
        input.compile_c(&common.c.options())
    } else if let Some(word) = common.c.words().first() {
        let name = &input.name;
        let instead = match common.c.asks_about_races() {
            true => ": `dbverify explore --races` looks for data races",
            false => "",
        };
        return Err(format!(
            "`{word}` is for programs in C, and {name} is a model{instead}"
        ));
    } else {
        compile::compile_in(common.folder(), &input.name, &input.text, &options)
    };
    let mut checked = common.memory.put(checked);
    if let (Some(line), Some(program)) = (common.cover, &checked.program) {
        let cover = covers::in_line(program, &checked.sources, line)?;
        checked.program = covers::asked(common, input, cover);
    }
    Ok(checked)
}

/// What is wrong with a program.
pub struct Complaints {
    /// The name of its text.
    pub name: String,
    /// The texts.
    pub sources: SourceMap,
    /// Errors and warnings.
    pub diagnostics: Vec<Diagnostic>,
}

/// The answer of `check` about one program.
#[must_use]
pub fn complaints(args: &CheckArgs, input: Input) -> Complaints {
    if c::is_c(&input.name) {
        let compiled = input.compile_c(&args.c.options());
        let mut compiled = compiled.under(args.memory.buffered());
        let ends = compiled.program.iter().flat_map(|p| &p.scope.cuts);
        let ends = ends.filter(|cut| {
            cut.always && cut.behind == Behind::Unknown && compiled.sources.is_users(cut.span)
        });
        let warnings: Vec<Diagnostic> = ends.map(not_followed).collect();
        compiled.diagnostics.extend(warnings);
        compiled.diagnostics.sort_by_key(|d| d.span);
        return Complaints {
            name: input.name,
            sources: compiled.sources,
            diagnostics: compiled.diagnostics,
        };
    }
    let options = CheckOptions {
        preempt: args.preempt.map(Into::into),
    };
    let folder = args.modules_from.as_deref();
    let checked = compile::compile_in(folder, &input.name, &input.text, &options);
    let mut checked = checked.under(args.memory.buffered());
    if let Some(program) = &mut checked.program {
        let proofs = declarations::prove(program, &checked.sources, &Limits::default());
        let others = unused::others(&checked.sources);
        checked
            .diagnostics
            .extend(unused::warnings(&input.text, &others));
        checked.diagnostics.extend(proofs.diagnostics());
        checked.diagnostics.sort_by_key(|d| d.span);
    }
    Complaints {
        name: input.name,
        sources: checked.sources,
        diagnostics: checked.diagnostics,
    }
}

/// Makes the warning about a place of a program in C beyond which no execution is followed.
fn not_followed(cut: &Cut) -> Diagnostic {
    let message = format!("no execution is followed beyond this place: {}", cut.why);
    let hint =
        "an answer is inconclusive if an execution comes here, unless there is a bug elsewhere";
    Diagnostic {
        notes: vec![hint.to_owned()],
        ..Diagnostic::warning("c-not-followed", cut.span, message)
    }
}

impl<'a> From<&'a CommonArgs> for Cow<'a, CommonArgs> {
    fn from(common: &'a CommonArgs) -> Self {
        Self::Borrowed(common)
    }
}

/// A program with more memory, and what it was made for and from.
type Larger<'a> = (Cow<'a, CommonArgs>, SourceMap, Program);

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
}

impl<'a> Job<'a> {
    /// A checked program.
    pub fn of(
        common: Cow<'a, CommonArgs>,
        input: Input,
        (sources, program): (SourceMap, Program),
    ) -> Self {
        Self {
            common,
            input,
            sources,
            program,
        }
    }

    /// Returns the answer, with advice where executions lack memory.
    #[must_use]
    pub fn ask(&mut self, question: &Question) -> Answer {
        let begin = Instant::now();
        let (mut answer, most) = self.ask_with_memory(question);
        answer.took(begin.elapsed());
        advise_heap(&mut answer, most, Store::Own);
        answer
    }

    /// Returns the answer of a search that keeps its memory, with advice where executions lack some.
    ///
    /// # Errors
    /// When the search has no answer.
    pub fn ask_with<E>(
        &self,
        question: &Question,
        search: &mut Search<'_, E>,
    ) -> Result<Answer, E> {
        let mut answer = self.target(|target| ask_with(question, target, Some(search)))?;
        if let Question::Schedules(options) = question {
            advise_heap(&mut answer, self.heap(), options.store);
        }
        Ok(answer)
    }

    /// How many objects of each kind an execution can make, and how many elements each can have.
    fn heap(&self) -> u32 {
        let ordinary = c::Options::default().heap;
        self.common.c.heap.unwrap_or(ordinary)
    }

    /// Returns the answer. A program whose executions lack memory gets more, unless the user said how much: a C program gets a
    /// larger heap, and weak memory a larger buffer. If that is never enough, or takes too long, the program gets its first memory
    /// back: other engines say more about the small program. Returns the largest heap that was tried, too.
    fn ask_with_memory(&mut self, question: &Question) -> (Answer, u32) {
        let mut question = question.clone();
        let (mut first, mut most) = (None, self.heap());
        question.limits_mut().more_heap = self.common.c.heap.is_none();
        let mut more_stores = self.common.memory.buffer.is_none();
        let others = !matches!(question, Question::Schedules(_));
        let end = question.limits().end();
        loop {
            let answer = self.target(|target| ask(&question, target));
            let late = end.is_some_and(|at| Instant::now() >= at);
            let grown = if question.limits().more_heap && answer.needs_heap() {
                Some(self.with_larger_heap())
            } else if more_stores {
                self.with_larger_buffer(&answer).map(Some)
            } else {
                None
            };
            let is_done = grown.is_none() && (answer.is_settled() || first.is_none());
            most = most.max(self.heap());
            if late || work::stopping() || is_done {
                return (answer, most);
            }
            let Some((common, sources, program)) = grown.flatten() else {
                question.limits_mut().more_heap = false;
                more_stores = false;
                question.limits_mut().latest = end;
                if let Some(first) = first.take() {
                    (self.common, self.sources, self.program) = first;
                    continue;
                }
                return (answer, most);
            };
            let before = (
                std::mem::replace(&mut self.common, common),
                std::mem::replace(&mut self.sources, sources),
                std::mem::replace(&mut self.program, program),
            );
            if others {
                first.get_or_insert(before);
                let left = end.map(|end| end.saturating_duration_since(Instant::now()));
                let latest = left.map(|left| Instant::now() + left / SHARES);
                question.limits_mut().latest = latest;
            }
        }
    }

    /// Returns the program with a larger heap, if it may have one.
    fn with_larger_heap(&self) -> Option<Larger<'a>> {
        let heap = self.heap() * GROWTH;
        let mut common = self.common.clone();
        common.to_mut().c.heap = Some(heap);
        if heap > LARGEST {
            return None;
        }
        self.with(common)
    }

    /// Returns the program with a larger buffer of stores, if no execution comes to its end without one.
    fn with_larger_buffer(&self, answer: &Answer) -> Option<Larger<'a>> {
        let Verdict::Inconclusive(why) = &answer.verdict else {
            return None;
        };
        let mut common = self.common.clone();
        common.to_mut().memory.buffer = Some(larger_buffer(&self.program, &why.cause)?);
        self.with(common)
    }

    fn with(&self, common: Cow<'a, CommonArgs>) -> Option<Larger<'a>> {
        let checked = check(&common, &self.input).ok()?;
        Some((common, checked.sources, checked.program?))
    }

    /// Gives the program more memory; says whether it may have more.
    pub fn grow(&mut self) -> bool {
        let Some((common, sources, program)) = self.with_larger_heap() else {
            return false;
        };
        (self.common, self.sources, self.program) = (common, sources, program);
        true
    }

    /// Passes the program to `asks`, in the form in which the road takes it.
    pub fn target<T>(&self, asks: impl FnOnce(&Target<'_>) -> T) -> T {
        asks(&Target {
            program: &self.program,
            sources: &self.sources,
            covers: &|cover| covers::asked(&self.common, &self.input, cover),
        })
    }

    /// The answer in the format that is asked for.
    #[must_use]
    pub fn text(&self, subject: &Subject<'_>, look: Look) -> String {
        match self.common.format {
            Format::Text => report::text::answer(subject, look),
            Format::Json => report::json::answer(subject) + "\n",
            Format::Sarif => report::sarif::answer(subject) + "\n",
        }
    }

    /// The answer as a page.
    #[must_use]
    pub fn page(
        &self,
        subject: &Subject<'_>,
        scheduler: Scheduler,
        command: Option<&str>,
    ) -> String {
        let sequential = self.sequential(subject.answer, scheduler);
        let sample = self.sample(subject.answer, scheduler);
        let page = report::html::Page {
            trace: subject.answer.bugs.first().map(|b| &b.trace),
            scheduler,
            sequential: sequential.as_ref().map(|listing| report::html::Sequential {
                text: &listing.text,
                origins: &listing.origins,
            }),
            command,
            decided: true,
            sample: sample.as_ref(),
        };
        report::html::page(subject, &page)
    }

    /// Some execution to its end, for the page of a program without a bug.
    fn sample(&self, answer: &Answer, scheduler: Scheduler) -> Option<Trace> {
        if answer.verdict == Verdict::Bug {
            return None;
        }
        let length = Length {
            visits: MOST_VISITS,
            end: None,
        };
        let made = simulate(&self.program, scheduler, &mut Dice::new(1), length);
        if made.outcome != Outcome::Ended {
            return None;
        }
        let (trace, bug) = trace::replay(&self.program, scheduler, &made.schedule?).ok()?;
        (bug.is_none() && !trace.steps.is_empty()).then_some(trace)
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

    /// The files that the program uses, by name, and their texts.
    #[must_use]
    pub fn modules(&self) -> Vec<(String, String)> {
        if self.program.types.dialect == Dialect::C {
            let more = self.input.more.iter();
            return more
                .map(|(name, text)| (name.clone(), text.to_string()))
                .collect();
        }
        let used = self.sources.used();
        used.map(|file| (file.name.clone(), file.text.to_string()))
            .collect()
    }
}

/// Advises more memory than `most`, where executions lack some.
fn advise_heap(answer: &mut Answer, most: u32, store: Store) {
    let more = (most * GROWTH).min(MOST_HEAP);
    let lacks = matches!(&answer.verdict, Verdict::Inconclusive(why) if why.cause == Cause::Heap);
    if lacks && more == most && !work::stopping() {
        let change = "let the program make fewer or smaller objects, or give them constant sizes";
        answer.advice = Some(format!("--heap is {most} at most: {change}"));
    } else if lacks && !work::stopping() {
        let more = format!("--heap {more}");
        let words = format!("{more} lets executions make more and larger objects");
        (answer.advice, answer.tries) = match store {
            Store::Resumed => (Some(from_the_start(&words)), Vec::new()),
            _ => (Some(words), vec![more]),
        };
    }
}

/// The delays that a replayed counterexample spends.
fn spent(answer: &Answer) -> Option<u32> {
    let bug = answer.bugs.first().filter(|_| answer.bounds.is_empty())?;
    Some(bug.trace.schedule.delays())
}

/// How many times as large the heap gets, and how large at most.
const GROWTH: u32 = 4;
const LARGEST: u32 = 512;
/// Each larger heap gets one of so many shares of the time that is left.
const SHARES: u32 = 8;

/// With more delays, a page has no sequential program: it would be too long to read.
const MOST_SHOWN: u32 = 16;
