//! A line on standard error for work that takes its time, on a terminal and nowhere else.

use std::io::{IsTerminal, Write};
use std::sync::mpsc::{self, RecvTimeoutError, Sender};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use base::work;

/// How long nothing is shown at first.
const PATIENCE: Duration = Duration::from_secs(2);
/// How often the line is shown anew.
const PULSE: Duration = Duration::from_millis(500);

/// The line is shown as long as this lives.
pub struct Progress {
    shower: Option<(Sender<()>, JoinHandle<()>)>,
}

impl Progress {
    /// Shows what the engine says of itself, if there is a terminal.
    #[must_use]
    pub fn start(wanted: bool) -> Self {
        if !wanted || !std::io::stderr().is_terminal() {
            return Self { shower: None };
        }
        let (sender, receiver) = mpsc::channel::<()>();
        let begin = Instant::now();
        let thread = std::thread::spawn(move || {
            let (mut pause, mut shown) = (PATIENCE, false);
            while receiver.recv_timeout(pause) == Err(RecvTimeoutError::Timeout) {
                show(&format!(
                    "{:.0} s: {}",
                    begin.elapsed().as_secs_f64(),
                    work::stage()
                ));
                (pause, shown) = (PULSE, true);
            }
            if shown {
                show("");
            }
        });
        Self {
            shower: Some((sender, thread)),
        }
    }
}

/// Rewrites the line. A terminal that has gone away is no error.
fn show(text: &str) {
    let mut out = std::io::stderr().lock();
    let _ = write!(out, "\r\x1b[K{text}").and_then(|()| out.flush());
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some((sender, thread)) = self.shower.take() {
            drop(sender);
            let _ = thread.join();
        }
    }
}
