//! One run of a test: `dbverify` itself in a process of its own, and what its answer comes to.

use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::{Duration, Instant};

use serde_json::Value;

use base::work;
use ir::ErrorKind;

use super::super::input::COMMAND_LINE;
use super::header::{Case, Expected};
use super::{Outcome, Plan};

/// A bug of this kind may have no step: `main` waits at once.
const STUCK: &str = ErrorKind::Deadlock.name();

/// What came out of a run.
#[derive(Clone, Debug)]
pub struct Ran {
    /// How that compares with what was expected.
    pub outcome: Outcome,
    /// The verdict, in the words of an `// expect:` line; `None` if there was no answer.
    pub found: Option<Expected>,
    /// What the answer says about it, or why there is none.
    pub says: String,
    /// How long it took.
    pub time: Duration,
    /// Results of the log, if the answers are logs.
    pub results: Vec<Value>,
}

impl Ran {
    /// The verdict, and what the answer says about it.
    pub fn found(&self) -> Option<String> {
        let found = self.found.as_ref()?;
        Some(match self.says.as_str() {
            "" => found.to_string(),
            says => format!("{found}: {says}"),
        })
    }
}

pub fn run(plan: &Plan, file: &str, case: &Case) -> Ran {
    let begin = Instant::now();
    let answer = ask(plan, file, case).and_then(|said| Answer::read(&said, plan.logs));
    let time = begin.elapsed();
    match answer {
        Ok(answer) => Ran {
            outcome: answer.compared(&case.expected),
            says: answer.says + &places(&answer.found),
            found: Some(answer.found),
            time,
            results: answer.results,
        },
        Err(says) => Ran {
            outcome: Outcome::Broken,
            found: None,
            says,
            time,
            results: Vec::new(),
        },
    }
}

/// Says where the files of a line are looked for, if there is something wrong with them.
fn places(found: &Expected) -> String {
    let input = found.kind.as_deref().filter(|kind| *kind == "input");
    let here = input.and_then(|_| std::env::current_dir().ok());
    here.map_or(String::new(), |here| {
        let here = here.display();
        format!(" (`dbverify test` runs in {here}: from there the paths of this line count)")
    })
}

/// What a process has said.
struct Said {
    status: Option<i32>,
    output: Vec<u8>,
    errors: String,
}

/// Asks a process for its answer. The process ends with this one, however this one ends.
fn ask(plan: &Plan, file: &str, case: &Case) -> Result<Said, String> {
    let explain = |error: std::io::Error| format!("cannot run dbverify: {error}");
    let program = std::env::current_exe().map_err(explain)?;
    let format = if plan.logs { "sarif" } else { "json" };
    let folder = tempfile::tempdir().map_err(explain)?;
    let built = match case.command.as_str() {
        "run" => Some(compiled(&program, file, folder.path())?),
        _ => None,
    };
    let mut child = Command::new(program)
        .arg(&case.command)
        .arg(format!("--format={format}"))
        .args(&case.options)
        .args(plan.added(case))
        .arg("--")
        .arg(built.as_deref().unwrap_or(Path::new(file)))
        .env(work::PARENT, "1")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(explain)?;
    let (_ended, ends) = mpsc::channel::<()>();
    let input = child.stdin.take();
    std::thread::spawn(move || {
        while ends.recv_timeout(work::PULSE) == Err(RecvTimeoutError::Timeout) && !work::stopping()
        {
        }
        // The process ends when this pipe closes.
        drop(input);
    });
    let errors = child.stderr.take();
    let errors = std::thread::spawn(move || {
        let mut text = Vec::new();
        let read = errors.map_or(Ok(0), |mut pipe| pipe.read_to_end(&mut text));
        read.map(|_| String::from_utf8_lossy(&text).into_owned())
    });
    let mut output = Vec::new();
    if let Some(mut pipe) = child.stdout.take() {
        pipe.read_to_end(&mut output).map_err(explain)?;
    }
    let status = child.wait().map_err(explain)?.code();
    let errors = errors.join().map_or(Ok(String::new()), |text| text);
    Ok(Said {
        status,
        output,
        errors: errors.map_err(explain)?,
    })
}

/// Compiles a file in C or C++. Returns the program.
fn compiled(dbverify: &Path, file: &str, folder: &Path) -> Result<PathBuf, String> {
    let path = Path::new(file);
    let compiler = match path.extension().and_then(|e| e.to_str()) {
        Some("c") => "gcc",
        Some("cpp") => "g++",
        _ => return Err("`run` is for programs in C or C++".to_owned()),
    };
    let to = folder.join(path.file_stem().unwrap_or_default());
    let done = Command::new(dbverify)
        .args(["cc", "--", compiler, "-O1", "-w", file, "-o"])
        .args([to.as_os_str(), "-lm".as_ref()])
        .output()
        .map_err(|error| format!("cannot run dbverify: {error}"))?;
    if done.status.success() {
        return Ok(to);
    }
    Err(first_line(&String::from_utf8_lossy(&done.stderr)))
}

/// The answer of a run.
struct Answer {
    found: Expected,
    says: String,
    status: Option<i32>,
    /// Whether a bug comes with its trace, where it needs one.
    traced: bool,
    results: Vec<Value>,
}

impl Answer {
    fn read(said: &Said, log: bool) -> Result<Self, String> {
        let Ok(json) = serde_json::from_slice::<Value>(&said.output) else {
            return Err(first_line(&said.errors));
        };
        let mut answer = if log { of_log(json) } else { of_json(&json) }?;
        // The process could not read its command line. This is no answer, whatever the file expects.
        if answer.found.kind.as_deref() == Some(COMMAND_LINE) {
            return Err(first_line(&said.errors));
        }
        answer.status = said.status;
        Ok(answer)
    }

    /// How it compares with what was expected.
    fn compared(&self, expected: &Expected) -> Outcome {
        let status = match self.found.verdict.as_str() {
            "safe" | "proved" | "covered" | "ok" => 0,
            "bug" | "uncovered" => 1,
            "error" => 2,
            _ => 3,
        };
        let sound = self.status == Some(status) && self.traced;
        match self.found.verdict.as_str() {
            _ if !sound => Outcome::Broken,
            _ if expected.admits(&self.found) => Outcome::Passed,
            "inconclusive" => Outcome::Undecided,
            "error" if expected.verdict != "error" => Outcome::Broken,
            _ => Outcome::Differs,
        }
    }
}

/// Returns the first error that a process without an answer has named, or else the first line that it has said.
fn first_line(errors: &str) -> String {
    let named = errors.lines().find(|l| l.contains("error: "));
    let line = named.or_else(|| errors.lines().find(|l| !l.trim().is_empty()));
    line.map_or("there was no answer".to_owned(), |l| {
        l.trim_start_matches("error: ").to_owned()
    })
}

fn text(value: &Value) -> Option<String> {
    value.as_str().map(str::to_owned)
}

fn of_json(json: &Value) -> Result<Answer, String> {
    if let Some(verdict) = json["verdict"].as_str() {
        let error = &json["error"];
        return Ok(Answer {
            found: Expected {
                verdict: verdict.to_owned(),
                kind: text(&error["kind"]),
                line: error["line"].as_u64(),
            },
            says: text(error.get("message").unwrap_or(&json["summary"])).unwrap_or_default(),
            status: None,
            traced: verdict != "bug"
                || error["kind"] == STUCK
                || json["trace"].as_array().is_some_and(|t| !t.is_empty()),
            results: Vec::new(),
        });
    }
    let list = json["diagnostics"]
        .as_array()
        .ok_or("there is no verdict")?;
    let wrong = list.iter().find(|d| d["severity"] == "error");
    let code = wrong.and_then(|d| text(&d["code"]));
    let line = wrong.and_then(|d| d["line"].as_u64());
    let says = wrong.and_then(|d| text(&d["message"]));
    Ok(checked(code, line, says, Vec::new()))
}

/// Reads the answer from a SARIF log.
fn of_log(mut log: Value) -> Result<Answer, String> {
    let run = &mut log["runs"][0];
    let results = match run["results"].take() {
        Value::Array(results) => results,
        _ => return Err("there is no verdict".to_owned()),
    };
    let wrong = results.iter().find(|r| r["level"] == "error");
    let kind = wrong.and_then(|r| text(&r["ruleId"]));
    let place = "/locations/0/physicalLocation/region/startLine";
    let line = wrong.and_then(|r| r.pointer(place)?.as_u64());
    let says = wrong.and_then(|r| text(&r["message"]["text"]));
    let Some(verdict) = text(&run["properties"]["verdict"]) else {
        let told = run["invocations"][0]["toolExecutionNotifications"].as_array();
        let told = told.and_then(|told| told.iter().find(|t| t["level"] == "error"));
        let code = kind.or(told.and_then(|t| text(&t["descriptor"]["id"])));
        let says = says.or(told.and_then(|t| text(&t["message"]["text"])));
        return Ok(checked(code, line, says, results));
    };
    let summary = text(&run["properties"]["summary"]);
    let traced =
        kind.as_deref() == Some(STUCK) || wrong.is_none_or(|r| r.get("codeFlows").is_some());
    Ok(Answer {
        found: Expected {
            verdict,
            kind,
            line,
        },
        says: says.or(summary).unwrap_or_default(),
        status: None,
        traced,
        results,
    })
}

/// Makes the answer about a program that was only checked.
fn checked(
    code: Option<String>,
    line: Option<u64>,
    says: Option<String>,
    results: Vec<Value>,
) -> Answer {
    let verdict = if code.is_some() { "error" } else { "ok" };
    Answer {
        found: Expected {
            verdict: verdict.to_owned(),
            kind: code,
            line,
        },
        says: says.unwrap_or_default(),
        status: None,
        traced: true,
        results,
    }
}
