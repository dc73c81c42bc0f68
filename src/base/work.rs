//! What passes between an engine at work and the one who waits for it: "please stop", and "where are you?".
//!
//! There is one of each in a process, because there is one who presses Ctrl-C and one terminal. Nothing of it
//! changes what is decided: an engine that is asked to stop answers as if a limit had been hit.

use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

static STOP: AtomicBool = AtomicBool::new(false);
/// Whether anybody may ever ask to stop.
static LISTENING: AtomicBool = AtomicBool::new(false);
static STAGE: Mutex<(String, String)> = Mutex::new((String::new(), String::new()));

/// Why there is no verdict when somebody has asked to stop.
pub const INTERRUPTED: &str = "interrupted";

/// The variable of the environment that says: standard input is a pipe that ends with the one who asked.
pub const PARENT: &str = "DBVERIFY_STDIN_IS_PARENT";

/// From now on somebody may ask to stop.
pub fn listen() {
    LISTENING.store(true, Ordering::Relaxed);
}

/// Asks everybody at work to stop; answers whether that had been asked already.
pub fn stop() -> bool {
    STOP.swap(true, Ordering::Relaxed)
}

/// Whether somebody has asked to stop.
#[must_use]
pub fn stopping() -> bool {
    STOP.load(Ordering::Relaxed)
}

/// Whether somebody may ask.
#[must_use]
pub fn listening() -> bool {
    LISTENING.load(Ordering::Relaxed)
}

/// What is being done, in words. What a whole consists of comes last.
pub fn enter(stage: &str) {
    if let Ok(mut current) = STAGE.lock() {
        current.1 = stage.to_owned();
    }
}

/// Of which whole that is a part.
pub fn enter_part(part: &str) {
    if let Ok(mut current) = STAGE.lock() {
        *current = (part.to_owned(), String::new());
    }
}

/// What is being done, for who comes back to it.
#[must_use]
pub fn stage_now() -> (String, String) {
    STAGE.lock().map(|stage| stage.clone()).unwrap_or_default()
}

/// That is being done again.
pub fn come_back_to(stage: (String, String)) {
    if let Ok(mut current) = STAGE.lock() {
        *current = stage;
    }
}

/// What is being done; empty if nobody has said so.
#[must_use]
pub fn stage() -> String {
    match stage_now() {
        (part, stage) if part.is_empty() => stage,
        (part, stage) if stage.is_empty() => part,
        (part, stage) => format!("{part}: {stage}"),
    }
}

/// How soon a request to stop is noticed where it has to be looked for.
pub const PULSE: Duration = Duration::from_millis(20);
