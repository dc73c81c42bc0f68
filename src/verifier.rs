//! The crate for programs that use it: a text, a question, an answer.

use std::fmt;
use std::time::Duration;

use crate::{Question, decide_under};
use answer::Answer;
use check::CheckOptions;
use compile::Compiled;
use options::ProveOptions;
use options::{Buffered, ExploreOptions, Memory, PreemptMode, VerifyOptions};
use report::diagnostic;

/// A text that is no program.
#[derive(Debug)]
pub struct Rejected(Box<Compiled>);

impl Rejected {
    /// What is wrong, with the texts that it is about.
    #[must_use]
    pub fn compiled(&self) -> &Compiled {
        &self.0
    }
}

impl fmt::Display for Rejected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&diagnostic::text(
            &self.0.sources,
            &self.0.diagnostics,
            false,
        ))
    }
}

impl std::error::Error for Rejected {}

/// A question about a program.
///
/// Without more it is what the command line asks: two delays, the engine that fits.
///
/// ```
/// use dbverify::Verifier;
/// use dbverify::answer::Verdict;
///
/// let text = "var done: bool := false; proc main() { done := true; } finally { assert done; }";
/// let answer = Verifier::new(text).all_schedules().run()?;
/// assert_eq!(answer.verdict, Verdict::Safe);
/// assert!(answer.exhaustive);
/// # Ok::<(), dbverify::Rejected>(())
/// ```
#[derive(Clone, Debug)]
pub struct Verifier {
    name: String,
    text: String,
    check: CheckOptions,
    memory: Buffered,
    question: Question,
}

impl Verifier {
    /// A question about this text.
    #[must_use]
    pub fn new(text: impl Into<String>) -> Self {
        Self {
            name: "<text>".to_owned(),
            text: text.into(),
            check: CheckOptions::default(),
            memory: Buffered::default(),
            question: Question::Delays(VerifyOptions::default()),
        }
    }

    /// The name of the text; one that ends in `.c` or `.i` is a C program's.
    #[must_use]
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.name = name.into();
        self
    }

    /// Where tasks can be interrupted, whatever the program says.
    #[must_use]
    pub fn preempt(mut self, mode: PreemptMode) -> Self {
        self.check.preempt = Some(mode);
        self
    }

    /// On this memory, with so many stores in the buffer of a task.
    ///
    /// ```
    /// use dbverify::Verifier;
    /// use dbverify::answer::Verdict;
    /// use dbverify::options::Memory;
    ///
    /// let text = "
    ///     preempt access;
    ///     var x: int := 0; var y: int := 0; var a: int := 0; var b: int := 0;
    ///     proc left() { x := 1; a := y; }
    ///     proc right() { y := 1; b := x; }
    ///     proc main() { post left(); post right(); }
    ///     finally { assert a + b > 0; }
    /// ";
    /// let ask = |memory| Verifier::new(text).all_schedules().memory(memory, 4).run();
    /// assert_eq!(ask(Memory::Sc)?.verdict, Verdict::Safe);
    /// assert_eq!(ask(Memory::Tso)?.verdict, Verdict::Bug);
    /// # Ok::<(), dbverify::Rejected>(())
    /// ```
    #[must_use]
    pub fn memory(mut self, memory: Memory, buffer: u32) -> Self {
        let (least, most) = (*Buffered::LENGTHS.start(), *Buffered::LENGTHS.end());
        self.memory = Buffered {
            memory,
            buffer: buffer.clamp(least, most),
        };
        self
    }

    /// With so many delays.
    #[must_use]
    pub fn delays(self, delays: u32) -> Self {
        self.verify(VerifyOptions {
            delays_from: delays,
            delays_to: delays,
            ..VerifyOptions::default()
        })
    }

    /// Under every schedule.
    #[must_use]
    pub fn all_schedules(self) -> Self {
        self.explore(ExploreOptions::default())
    }

    /// Without any bound: for any schedule, and as many tasks as the program may post.
    ///
    /// ```
    /// use dbverify::Verifier;
    /// use dbverify::answer::Verdict;
    ///
    /// let text = "
    ///     var held: bool := false; var inside: int := 0;
    ///     proc work() {
    ///         await !held { held := true; }
    ///         inside := inside + 1; yield; assert inside == 1; inside := inside - 1;
    ///         held := false;
    ///     }
    ///     proc main() { while * { post work(); } }
    /// ";
    /// let answer = Verifier::new(text).prove().run()?;
    /// assert_eq!(answer.verdict, Verdict::Proved);
    /// # Ok::<(), dbverify::Rejected>(())
    /// ```
    #[must_use]
    pub fn prove(mut self) -> Self {
        self.question = Question::Proof(ProveOptions::default());
        self
    }

    /// Everything that can be asked about delays.
    #[must_use]
    pub fn verify(mut self, options: VerifyOptions) -> Self {
        self.question = Question::Delays(options);
        self
    }

    /// Everything that can be asked about schedules.
    #[must_use]
    pub fn explore(mut self, options: ExploreOptions) -> Self {
        self.question = Question::Schedules(options);
        self
    }

    /// For at most so long. Said after what is asked.
    #[must_use]
    pub fn timeout(mut self, time: Duration) -> Self {
        self.question.limits_mut().timeout = time;
        self
    }

    /// The answer.
    ///
    /// # Errors
    /// When the text is no program.
    pub fn run(&self) -> Result<Answer, Rejected> {
        let asked = (&self.question, self.memory);
        decide_under(&self.name, &self.text, &self.check, asked).map_err(Rejected)
    }
}
