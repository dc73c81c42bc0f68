//! Messages between a working engine and the one who waits for its answer: "please stop", and "where are you?".
//!
//! A process has one of each, since one user presses Ctrl-C at one terminal. Neither changes a decision: an engine
//! that is asked to stop answers as if it had hit a limit.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

static STOP: AtomicBool = AtomicBool::new(false);
/// Whether a request to stop can come.
static LISTENING: AtomicBool = AtomicBool::new(false);
static STAGE: Mutex<(String, String)> = Mutex::new((String::new(), String::new()));

/// Why there is no verdict after a request to stop.
pub const INTERRUPTED: &str = "interrupted";

/// The environment variable that says: standard input is a pipe that closes when the parent process ends.
pub const PARENT: &str = "DBVERIFY_STDIN_IS_PARENT";

/// Whether standard input is a pipe of the dbverify that has started this process.
#[must_use]
pub fn has_parent() -> bool {
    std::env::var_os(PARENT).is_some()
}

/// Notes that a request to stop can come.
pub fn listen() {
    LISTENING.store(true, Ordering::Relaxed);
}

/// Asks all engines to stop. Returns whether they had been asked before.
pub fn stop() -> bool {
    STOP.swap(true, Ordering::Relaxed)
}

/// Whether the engines were asked to stop.
#[must_use]
pub fn stopping() -> bool {
    STOP.load(Ordering::Relaxed)
}

/// Whether a request to stop can come.
#[must_use]
pub fn listening() -> bool {
    LISTENING.load(Ordering::Relaxed)
}

/// Sets the stage in words: what is being done within the part that [`enter_part`] has set.
pub fn enter(stage: &str) {
    if let Ok(mut current) = STAGE.lock() {
        current.1 = stage.to_owned();
    }
}

/// Sets the part of the work in words, and clears the stage within it.
pub fn enter_part(part: &str) {
    if let Ok(mut current) = STAGE.lock() {
        *current = (part.to_owned(), String::new());
    }
}

/// Returns the part and the stage, for [`come_back_to`].
#[must_use]
pub fn stage_now() -> (String, String) {
    STAGE.lock().map(|stage| stage.clone()).unwrap_or_default()
}

/// Restores a part and a stage that [`stage_now`] has returned.
pub fn come_back_to(stage: (String, String)) {
    if let Ok(mut current) = STAGE.lock() {
        *current = stage;
    }
}

/// Returns the part and the stage in words. They are empty until an engine sets them.
#[must_use]
pub fn stage() -> String {
    match stage_now() {
        (part, stage) if part.is_empty() => stage,
        (part, stage) if stage.is_empty() => part,
        (part, stage) => format!("{part}: {stage}"),
    }
}

/// How often a thread that waits checks whether it was asked to stop.
pub const PULSE: Duration = Duration::from_millis(20);
