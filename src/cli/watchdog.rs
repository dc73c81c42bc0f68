//! The watchdog of last resort: when a command has not answered well after its time is up, it answers in its place.
//!
//! Engines look at the clock themselves; the watchdog is for phases that do not. Only the one that takes the turn answers.
//! So there is one answer on standard output, and a file is written whole or not at all.

use std::process::exit;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use answer::{Answer, Engine, Figure, NamedBound};
use base::clock::processor_time;
use base::source::SourceMap;
use base::work;
use check::CheckOptions;
use report::Subject;

use super::args::{Color, CommonArgs, Format};
use super::{output, status};

/// The right to answer, which only one gets.
#[derive(Debug, Default)]
pub struct Turn(AtomicU8);

const FREE: u8 = 0;
const JOB: u8 = 1;
const WATCHDOG: u8 = 2;

impl Turn {
    /// Makes a turn that neither the job nor the watchdog has taken.
    pub const fn new() -> Self {
        Self(AtomicU8::new(FREE))
    }

    fn take(&self, who: u8) -> bool {
        let swapped = (self.0).compare_exchange(FREE, who, Ordering::AcqRel, Ordering::Acquire);
        swapped.map_or_else(|owner| owner == who, |_| true)
    }

    /// Takes the turn for the job, which may answer in several pieces. Returns whether the job has it.
    pub fn is_jobs(&self) -> bool {
        self.take(JOB)
    }

    /// Takes the turn for the watchdog. Returns whether the watchdog has it.
    fn is_watchdogs(&self) -> bool {
        self.take(WATCHDOG)
    }
}

/// The right to answer of this process.
static TURN: Turn = Turn::new();

/// Takes the turn for the command, before it answers in any way. Never returns if the watchdog has answered.
pub fn answering() {
    if !TURN.is_jobs() {
        leave_the_answer();
    }
}

/// Waits for the end of the process: the watchdog answers, or has answered.
pub fn leave_the_answer() -> ! {
    loop {
        thread::park();
    }
}

/// What is known of a command before it has an answer: enough to answer in its place.
#[derive(Clone, Debug)]
pub struct Promise {
    file: String,
    format: Format,
    color: Color,
    engine: Engine,
    bounds: Vec<NamedBound>,
    timeout: Duration,
    begin: Instant,
    /// Whether a translation is printed, or nothing at all.
    emits: bool,
}

static PROMISE: Mutex<Option<Promise>> = Mutex::new(None);

impl Promise {
    /// Makes the promise of a command that begins now.
    pub fn new(
        common: &CommonArgs,
        engine: Engine,
        bounds: Vec<NamedBound>,
        timeout: Duration,
    ) -> Self {
        let file = if common.file == "-" {
            "<stdin>"
        } else {
            &common.file
        };
        Self {
            file: file.to_owned(),
            format: common.format,
            color: common.color,
            engine,
            bounds,
            timeout,
            begin: Instant::now(),
            emits: false,
        }
    }

    /// Says whether the command prints a translation or nothing at all.
    pub fn emitting(self, emits: bool) -> Self {
        Self { emits, ..self }
    }

    /// Watches over the command until the process ends.
    pub fn watch(self) {
        let latest = self.begin.checked_add(grace(self.timeout));
        *PROMISE.lock().unwrap_or_else(PoisonError::into_inner) = Some(self);
        let Some(latest) = latest else { return };
        thread::spawn(move || {
            guard(&TURN, latest, || {
                let status = answer_instead(|promise| {
                    let seconds = promise.timeout.as_secs_f64();
                    format!("time ran out after {seconds} s{}", during())
                });
                leave(status);
            });
        });
    }

    /// Returns the answer in the command's place.
    fn answer(&self, reason: String) -> Answer {
        let twice = self.timeout.as_secs_f64() * 2.0;
        Answer {
            bounds: self.bounds.clone(),
            advice: (!work::stopping())
                .then(|| format!("try --timeout {twice}, or smaller bounds")),
            stats: vec![Figure::seconds(self.begin.elapsed())],
            ..Answer::inconclusive(self.engine, reason.into())
        }
    }

    /// Prints the answer in the command's place. Returns the exit status.
    fn say(&self, reason: String) -> u8 {
        if self.emits {
            output::print_error(&format!("{}: inconclusive: {reason}\n", self.file));
            return status::INCONCLUSIVE;
        }
        let answer = self.answer(reason);
        // The report needs a program only for the names of globals in final states, and there are no final states.
        let nothing = compile::compile("", "proc main() { }", &CheckOptions::default());
        let Some(program) = &nothing.program else {
            return status::INCONCLUSIVE;
        };
        let subject = Subject {
            file: &self.file,
            sources: &SourceMap::new(),
            program,
            answer: &answer,
        };
        output::print(&match self.format {
            Format::Text => report::text::answer(&subject, output::look(self.color)),
            Format::Json => report::json::answer(&subject) + "\n",
            Format::Sarif => report::sarif::answer(&subject) + "\n",
        });
        status::INCONCLUSIVE
    }
}

/// Returns how long a command with this timeout may take: engines need a moment to stop and to give back memory.
fn grace(timeout: Duration) -> Duration {
    let tenth = timeout / 10;
    timeout
        .saturating_add(tenth)
        .saturating_add(Duration::from_millis(500))
}

/// Says, in brackets, what was being done.
fn during() -> String {
    let stage = work::stage();
    if stage.is_empty() {
        stage
    } else {
        format!(" ({stage})")
    }
}

/// Waits until `latest`. Then answers, if nobody has taken the turn.
fn guard(turn: &Turn, latest: Instant, answer: impl FnOnce()) {
    loop {
        let left = latest.saturating_duration_since(Instant::now());
        if left.is_zero() {
            break;
        }
        thread::sleep(left);
    }
    if turn.is_watchdogs() {
        answer();
    }
}

/// Ends the process. Threads that wait for a process that they have started get a moment to end it.
pub fn leave(status: u8) -> ! {
    work::stop();
    thread::sleep(work::PULSE * 5);
    exit(status.into())
}

/// Answers in the command's place. Returns the exit status.
fn answer_instead(reason: impl FnOnce(&Promise) -> String) -> u8 {
    let promise = PROMISE.lock().unwrap_or_else(PoisonError::into_inner);
    match &*promise {
        Some(promise) => promise.say(reason(promise)),
        None => {
            output::print_error("interrupted; nothing has been settled\n");
            status::INTERRUPTED
        }
    }
}

/// How much processor time a command has to notice that it must stop, before the watchdog answers.
const PATIENCE: Duration = Duration::from_millis(450);

/// Waits as long as it takes to stop. Waits longer if the process gets only a part of the processor.
fn have_patience() {
    let (begin, before) = (Instant::now(), processor_time());
    let worked = || Some(processor_time()?.saturating_sub(before?));
    loop {
        thread::sleep(work::PULSE);
        let elapsed = begin.elapsed();
        // A process that does nothing waits for another one.
        let is_over = worked().is_none_or(|time| time >= PATIENCE || time < elapsed / 20);
        if elapsed >= PATIENCE * 10 || elapsed >= PATIENCE && is_over {
            return;
        }
    }
}

/// The first Ctrl-C asks the engines to stop and to say what is known; a second one ends the program at once.
pub fn listen() {
    let pressed = || {
        if work::stop() {
            exit(status::INTERRUPTED.into());
        }
        thread::spawn(|| {
            have_patience();
            guard(&TURN, Instant::now(), || {
                answer_instead(|_| work::INTERRUPTED.to_owned());
                exit(status::INTERRUPTED.into());
            });
        });
    };
    // Without a handler Ctrl-C ends the program, as it always does.
    if ctrlc::set_handler(pressed).is_ok() {
        work::listen();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::mpsc;

    use super::*;

    #[test]
    fn a_job_that_hangs_is_answered_for() {
        let turn = Turn::new();
        let (sender, answers) = mpsc::channel();
        guard(&turn, Instant::now(), || sender.send("watchdog").unwrap());
        assert_eq!(answers.try_recv(), Ok("watchdog"));
        // Too late for the job, however often it asks.
        assert!(!turn.is_jobs() && !turn.is_jobs());
    }

    #[test]
    fn a_job_that_answers_is_left_alone() {
        let turn = Turn::new();
        assert!(turn.is_jobs());
        guard(&turn, Instant::now(), || panic!("it has answered"));
        assert!(turn.is_jobs(), "it may say more");
    }

    #[test]
    fn of_two_at_the_same_time_one_answers() {
        for _ in 0..500 {
            let turn = Arc::new(Turn::new());
            let latest = Instant::now() + Duration::from_micros(50);
            let job = {
                let turn = Arc::clone(&turn);
                thread::spawn(move || {
                    while Instant::now() < latest {}
                    turn.is_jobs()
                })
            };
            let mut watchdog = false;
            guard(&turn, latest, || watchdog = true);
            assert_ne!(job.join().unwrap(), watchdog);
        }
    }

    #[test]
    fn the_time_that_is_granted() {
        let granted = |s| grace(Duration::from_secs(s));
        assert_eq!(granted(10), Duration::from_millis(11_500));
        assert_eq!(grace(Duration::MAX), Duration::MAX);
    }
}
