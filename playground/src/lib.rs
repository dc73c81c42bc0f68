//! dbverify for a page of a browser.
//!
//! The page's worker writes a question into the memory that [`reserve`] gives it, as JSON, calls [`answer`], and reads the
//! answer from where that points: four bytes that say how long it is, and so much JSON. `worker.js` is the other side.

use std::time::Duration;

use dbverify::cli::embedded::{Question, ask};
use serde_json::{Value, json};

/// A page may use more, but its memory is never given back.
const MEMORY: u64 = 1536 << 20;

// What the page knows and we do not.
#[link(wasm_import_module = "page")]
unsafe extern "C" {
    /// Milliseconds since some moment.
    safe fn now() -> f64;
    /// Takes the text of a fault of ours, after which nothing runs any more.
    fn fault(text: *const u8, length: usize);
}

/// What is asked, before and while it is.
static mut QUESTION: Vec<u8> = Vec::new();

/// Room for a question of so many bytes.
#[unsafe(no_mangle)]
pub extern "C" fn reserve(length: usize) -> *mut u8 {
    // SAFETY: a page's worker has one thread.
    let question = unsafe { &mut *(&raw mut QUESTION) };
    question.clear();
    question.resize(length, 0);
    question.as_mut_ptr()
}

/// Answers the question that was written. The answer stays where it is for good: a worker is asked once.
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> *const u8 {
    prepare();
    // SAFETY: a page's worker has one thread, and the question is whole.
    let question = unsafe { std::mem::take(&mut *(&raw mut QUESTION)) };
    let answer = answered(&question).to_string().into_bytes();
    let length = u32::try_from(answer.len()).unwrap_or(0);
    let framed = [&length.to_le_bytes()[..], &answer].concat();
    framed.leak().as_ptr()
}

/// Nothing tells the time here, and nobody reads standard error.
fn prepare() {
    dbverify::clock::set(|| Duration::from_secs_f64(now().max(0.0) / 1000.0));
    std::panic::set_hook(Box::new(|panic| {
        let text = panic.to_string();
        // SAFETY: the text is there until the page has taken it.
        unsafe { fault(text.as_ptr(), text.len()) }
    }));
}

fn answered(question: &[u8]) -> Value {
    let question: Value = match serde_json::from_slice(question) {
        Ok(question) => question,
        Err(error) => {
            return json!({ "status": 2, "text": format!("the page asks in a wrong way: {error}") });
        }
    };
    let field = |name: &str| question[name].as_str().unwrap_or_default();
    let width = question["width"].as_u64().unwrap_or(80).clamp(30, 400);
    let asked = Question {
        command: field("command"),
        name: field("name"),
        text: field("text"),
        width: usize::try_from(width).unwrap_or(80),
        memory: MEMORY,
    };
    ask(&asked).to_json()
}
