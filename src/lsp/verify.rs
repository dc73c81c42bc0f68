//! Verifying a file for an editor: an engine in a process of its own, that can be stopped at any time.
//!
//! The process answers with a verdict and a schedule. The server replays the schedule, for the
//! places and the words of its steps. The memory and the crashes of engines stay in their process.

use std::fs::File;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use lsp_server::RequestId;
use lsp_types::{Diagnostic, MessageType, Uri};
use serde_json::{Value, json};

use base::diagnostic::Severity;
use base::stack::on_big_stack;
use base::work;
use compile::Compiled;
use report::{Subject, style::Look};
use trace::Bug;
use trace::file::TraceFile;
use trace::replay;

use super::client::{Answered, Cancel, Client, Refusal};
use super::complaints::Place;
use super::server::{Job, Server};
use super::settings::Settings;
use super::text::Text;
use names::language::Origin;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// The solver, within the delay budget.
    Verify,
    /// The explicit engine, every schedule.
    Explore,
    /// Proofs, without bounds.
    Prove,
}

/// A request to verify a text.
#[derive(Debug)]
pub struct Question {
    /// The request that is to be answered.
    pub id: RequestId,
    pub uri: Uri,
    pub text: Arc<Text>,
    /// The number of this version of the text.
    pub revision: u64,
    /// Whether the client shows other places of diagnostics.
    pub related: bool,
    pub engine: Engine,
    pub settings: Settings,
    /// The client's own token for progress.
    pub token: Option<Value>,
    pub cancel: Cancel,
}

/// The result of a verification.
#[derive(Debug)]
pub struct Verified {
    pub uri: Uri,
    /// The version of the text that was verified.
    pub revision: u64,
    /// The failing line, if there is one.
    pub diagnostics: Vec<Diagnostic>,
    /// The result for the client: `verdict`, `summary`, `text`.
    pub result: Value,
}

/// How many verifications can run at a time.
const AT_A_TIME: usize = 4;

pub fn start(server: &Server, question: Question) {
    // One copy is the session's, one the server's.
    if Arc::strong_count(&server.running) >= 2 + AT_A_TIME {
        let message = format!("{AT_A_TIME} verifications are running already");
        let refusal = Refusal::failed(message);
        return server.client.answer(question.id, Err(refusal));
    }
    let (client, jobs) = (server.client.clone(), server.jobs.clone());
    let (running, progress) = (server.running.clone(), server.can.progress);
    thread::spawn(move || {
        let shown = progress || question.token.is_some();
        let title = format!("Verifying {}", Origin::of(question.uri.as_str()).name);
        let token = question.token.clone();
        let shown = shown.then(|| client.progress(token, &title, &question.cancel));
        let id = question.id.clone();
        let run = AssertUnwindSafe(|| ask(&question));
        let found = catch_unwind(run).unwrap_or_else(|_| Err(Refusal::failed(INTERNAL)));
        drop(shown);
        let answered = found.map(|verified| {
            let result = verified.result.clone();
            // Sent before the answer, so that a client that has the answer finds the diagnostics.
            drop(jobs.send(Job::Verified(Box::new(verified))));
            result
        });
        tell(&client, &answered);
        client.answer(id, answered);
        drop(running);
    });
}

const INTERNAL: &str = "internal error: this is a fault of dbverify, not of your program; please report it with the program";

/// A line for the person, and everything for the log.
fn tell(client: &Client, answered: &Answered) {
    match answered {
        Ok(result) => {
            let text = |key: &str| result[key].as_str().unwrap_or_default().to_owned();
            let kind = match result["verdict"].as_str() {
                Some("bug") => MessageType::ERROR,
                Some("safe" | "proved") => MessageType::INFO,
                _ => MessageType::WARNING,
            };
            client.log(&text("text"));
            client.show(kind, &text("message"));
        }
        Err(refusal) if *refusal == Refusal::cancelled() => {
            client.show(MessageType::INFO, "verification called off");
        }
        Err(refusal) => client.show(MessageType::WARNING, &refusal.message),
    }
}

fn ask(question: &Question) -> Result<Verified, Refusal> {
    let origin = Origin::of(question.uri.as_str());
    let file = origin.name.clone();
    let compiled = origin.compile(&question.text.text);
    refuse_errors(&compiled)?;
    let folder = tempfile::tempdir().map_err(|e| Refusal::failed(e.to_string()))?;
    let answer = run(question, &origin, folder.path())?;
    let verdict = answer["verdict"].as_str().unwrap_or_default().to_owned();
    let summary = answer["summary"].as_str().unwrap_or_default().to_owned();
    let mut verified = Verified {
        uri: question.uri.clone(),
        revision: question.revision,
        diagnostics: Vec::new(),
        result: Value::Null,
    };
    let mut steps = Vec::new();
    let (text, message) = if verdict == "bug" {
        let (bug, text) = retell(&compiled, &file, &folder.path().join(TRACE), &summary)?;
        let place = Place {
            uri: &question.uri,
            text: &question.text,
            related: question.related,
        };
        steps = place.steps(&bug);
        verified.diagnostics.push(place.bug(&bug, steps.clone()));
        let at = bug.span.and_then(|s| compiled.sources.locate(s));
        let at = at.map_or(String::new(), |at| format!(" ({}:{})", at.file, at.line));
        (
            text,
            format!("bug: {}: {}{at}", bug.kind.name(), report::message(&bug)),
        )
    } else {
        let line = format!("{file}: {verdict}: {summary}");
        let advice = answer["advice"].as_str();
        let advice = advice.map_or(String::new(), |advice| format!("advice: {advice}\n"));
        (remarks(&answer, &file) + &line + "\n" + &advice, line)
    };
    verified.result = json!({
        "uri": question.uri.as_str(),
        "verdict": verdict,
        "summary": summary,
        "message": message,
        "text": text,
        "steps": steps,
    });
    Ok(verified)
}

fn refuse_errors(compiled: &Compiled) -> Result<(), Refusal> {
    if compiled.program.is_some() {
        return Ok(());
    }
    let mut errors = compiled.diagnostics.iter();
    let error = errors.find(|d| d.severity == Severity::Error);
    let line = error
        .and_then(|e| e.span)
        .map_or(0, |s| compiled.sources.line(s));
    let message = error.map_or("", |e| e.message.as_str());
    Err(Refusal::failed(format!(
        "not verified: line {line}: {message}"
    )))
}

/// Remarks beside a verdict without a bug.
fn remarks(answer: &Value, file: &str) -> String {
    let notes = answer["notes"].as_array().into_iter().flatten();
    let lines = notes.map(|note| {
        let line = note["line"].as_u64();
        let at = line.map_or(String::new(), |line| format!("{file}:{line}: "));
        format!(
            "note: {at}{}\n",
            note["message"].as_str().unwrap_or_default()
        )
    });
    lines.collect()
}

/// Replays the counterexample in this process. Returns its bug, and the answer as text.
fn retell(
    compiled: &Compiled,
    file: &str,
    trace: &Path,
    summary: &str,
) -> Result<(Bug, String), Refusal> {
    let failed = |reason: String| Refusal::failed(format!("{INTERNAL}: {reason}"));
    let program = compiled.program.as_ref();
    let program = program.ok_or_else(|| failed("no program".to_owned()))?;
    let text = std::fs::read_to_string(trace).map_err(|e| failed(e.to_string()))?;
    let json = serde_json::from_str(&text).map_err(|e| failed(e.to_string()))?;
    let found = TraceFile::from_json(&json).map_err(failed)?;
    let again = on_big_stack(|| replay(program, found.scheduler, &found.schedule));
    let (steps, bug) = again.map_err(failed)?;
    let bug = bug.ok_or_else(|| failed("the counterexample does not replay".to_owned()))?;
    let mut answer = report::replayed(steps, Some(bug.clone()));
    summary.clone_into(&mut answer.summary);
    let subject = Subject {
        file,
        sources: &compiled.sources,
        program,
        answer: &answer,
    };
    Ok((bug, report::text::answer(&subject, Look::default())))
}

const TRACE: &str = "trace.json";

/// How often to check whether the process is done or called off.
const LOOK: Duration = Duration::from_millis(20);
/// How much longer than its limit a process may take.
const GRACE: Duration = Duration::from_secs(20);

/// Runs the engine on the text. Returns its answer.
fn run(question: &Question, origin: &Origin, folder: &Path) -> Result<Value, Refusal> {
    let failed = |e: std::io::Error| Refusal::failed(format!("cannot verify: {e}"));
    let path = |name: &str| -> PathBuf { folder.join(name) };
    std::fs::write(path(&origin.copy()), &*question.text.text).map_err(failed)?;
    let program = std::env::current_exe().map_err(failed)?;
    let create = |name: &str| File::create(path(name));
    let mut child = Command::new(program)
        .args(arguments(question, origin))
        .current_dir(folder)
        // The pipe stays open while we live: however we end, the process notices and ends too.
        .env(work::PARENT, "1")
        .stdin(Stdio::piped())
        .stdout(create("answer.json").map_err(failed)?)
        .stderr(create("errors.txt").map_err(failed)?)
        .spawn()
        .map_err(failed)?;
    let ended = wait(&mut child, question);
    // The process may have ended by itself, so these errors do not matter.
    drop(child.kill());
    drop(child.wait());
    ended?;
    let answer = std::fs::read_to_string(path("answer.json")).map_err(failed)?;
    match serde_json::from_str::<Value>(&answer) {
        Ok(answer) if answer["verdict"].is_string() => Ok(answer),
        _ => {
            let said = std::fs::read_to_string(path("errors.txt")).unwrap_or_default();
            let said = said.lines().next().unwrap_or("the engine said nothing");
            Err(Refusal::failed(format!("not verified: {said}")))
        }
    }
}

fn arguments(question: &Question, origin: &Origin) -> Vec<String> {
    let settings = &question.settings;
    let mut words = match question.engine {
        Engine::Verify => vec![
            "verify".to_owned(),
            format!("--delays={}", settings.delays),
            format!("--unroll={}", settings.unroll),
        ],
        Engine::Explore => vec!["explore".to_owned()],
        Engine::Prove => vec!["prove".to_owned()],
    };
    words.extend(origin.include());
    words.extend([
        origin.copy(),
        "--format=json".to_owned(),
        format!("--trace-out={TRACE}"),
        format!("--timeout={}", settings.timeout.as_secs_f64()),
        format!("--memory={}", settings.memory),
    ]);
    words
}

/// Waits for the process, unless it is called off or takes far too long.
fn wait(child: &mut Child, question: &Question) -> Result<(), Refusal> {
    let latest = Instant::now() + question.settings.timeout + GRACE;
    loop {
        match child.try_wait() {
            Ok(Some(_)) => return Ok(()),
            Ok(None) if question.cancel.is_off() => return Err(Refusal::cancelled()),
            Ok(None) if Instant::now() > latest => {
                return Err(Refusal::failed("not verified: the time ran out"));
            }
            Ok(None) => thread::sleep(LOOK),
            Err(error) => return Err(Refusal::failed(format!("cannot verify: {error}"))),
        }
    }
}
