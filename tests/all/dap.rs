//! A scripted debugger: speaks to `dbverify dap` over its standard input and output.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

const RACE: &str = "\
type Pair = record { x: int, seen: [2]bool };
var pair: Pair := Pair { x: 0, seen: [false; 2] };
proc add(n: 0..1) {
  let t = pair.x;
  yield;
  pair.x := t + 1;
  pair.seen[n] := true;
}
proc main() { post add(0); post add(1); }
finally {
  assert pair.x == 2, \"an addition was lost\";
}
";

struct Debugger {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    sent: u64,
    events: Vec<Value>,
}

impl Debugger {
    fn start() -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_dbverify"))
            .arg("dap")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let to = child.stdin.take().unwrap();
        let from = BufReader::new(child.stdout.take().unwrap());
        let mut debugger = Self {
            child,
            to,
            from,
            sent: 0,
            events: Vec::new(),
        };
        let can = debugger
            .ask("initialize", json!({ "adapterID": "dbverify" }))
            .unwrap();
        assert_eq!(can["supportsStepBack"], true);
        debugger
    }

    fn read(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut line = String::new();
            assert!(
                self.from.read_line(&mut line).unwrap() > 0,
                "the adapter has gone"
            );
            match line.trim().strip_prefix("Content-Length: ") {
                Some(number) => length = number.parse().unwrap(),
                None => break,
            }
        }
        let mut body = vec![0; length];
        self.from.read_exact(&mut body).unwrap();
        serde_json::from_slice(&body).unwrap()
    }

    fn ask(&mut self, command: &str, arguments: Value) -> Result<Value, String> {
        self.sent += 1;
        let request = json!({ "seq": self.sent, "type": "request", "command": command, "arguments": arguments });
        let body = request.to_string();
        write!(self.to, "Content-Length: {}\r\n\r\n{body}", body.len()).unwrap();
        loop {
            let message = self.read();
            if message["type"] == "event" {
                self.events.push(message);
                continue;
            }
            assert_eq!(message["request_seq"], self.sent);
            return match message["success"].as_bool() {
                Some(true) => Ok(message["body"].clone()),
                _ => Err(message["message"].as_str().unwrap().to_owned()),
            };
        }
    }

    /// The next event of that kind.
    fn event(&mut self, kind: &str) -> Value {
        loop {
            if let Some(at) = self.events.iter().position(|e| e["event"] == kind) {
                let event = self.events.remove(at);
                self.events.drain(..at);
                return event["body"].clone();
            }
            let message = self.read();
            self.events.push(message);
        }
    }

    /// Goes on; gives where it stops: the reason, the thread, and the line and name of its innermost frame.
    fn go(&mut self, command: &str) -> (String, u64, u64, String) {
        self.ask(command, json!({ "threadId": 2 })).unwrap();
        let stopped = self.event("stopped");
        let thread = stopped["threadId"].as_u64().unwrap();
        let stack = self
            .ask("stackTrace", json!({ "threadId": thread }))
            .unwrap();
        let top = &stack["stackFrames"][0];
        let text = |v: &Value| v.as_str().unwrap().to_owned();
        (
            text(&stopped["reason"]),
            thread,
            top["line"].as_u64().unwrap(),
            text(&top["name"]),
        )
    }

    /// The variables of a scope of the innermost frame of a thread.
    fn variables(&mut self, thread: u64, scope: usize) -> Value {
        let stack = self
            .ask("stackTrace", json!({ "threadId": thread }))
            .unwrap();
        let frame = stack["stackFrames"][0]["id"].clone();
        let scopes = self.ask("scopes", json!({ "frameId": frame })).unwrap();
        self.parts(&scopes["scopes"][scope]["variablesReference"])
    }

    fn parts(&mut self, reference: &Value) -> Value {
        let asked = json!({ "variablesReference": reference });
        self.ask("variables", asked).unwrap()["variables"].clone()
    }

    fn leave(mut self) -> Option<i32> {
        self.ask("disconnect", json!({})).unwrap();
        self.child.wait().unwrap().code()
    }
}

fn file(folder: &Path, text: &str) -> String {
    let path = folder.join("race.async");
    std::fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
#[allow(clippy::too_many_lines, reason = "one story")]
fn a_counterexample_is_stepped_through_forwards_and_backwards() {
    let folder = tempfile::tempdir().unwrap();
    let program = file(folder.path(), RACE);
    let mut debugger = Debugger::start();
    debugger
        .ask(
            "launch",
            json!({ "program": program, "args": ["--delays", "1"] }),
        )
        .unwrap();
    debugger.event("initialized");
    let breaks =
        json!({ "source": { "path": program }, "breakpoints": [{ "line": 6 }, { "line": 2 }] });
    let set = debugger.ask("setBreakpoints", breaks).unwrap();
    let verified: Vec<&Value> = set["breakpoints"]
        .as_array()
        .unwrap()
        .iter()
        .map(|b| &b["verified"])
        .collect();
    assert_eq!(verified, [true, false]);
    let at_start = debugger.go("configurationDone");
    assert_eq!(
        (at_start.0.as_str(), at_start.2, at_start.3.as_str()),
        ("entry", 9, "main")
    );
    let threads = debugger.ask("threads", json!({})).unwrap();
    assert_eq!(threads["threads"][0]["name"], "task 1 (main)");
    let step = debugger.go("stepIn");
    assert_eq!((step.0.as_str(), step.3.as_str()), ("step", "main"));
    // The debugger stops after the write.
    let hit = debugger.go("continue");
    assert_eq!(
        (hit.0.as_str(), hit.2, hit.3.as_str()),
        ("breakpoint", 7, "add")
    );
    let globals = debugger.variables(hit.1, 1);
    assert_eq!(globals[0]["name"], "pair");
    let parts = debugger.parts(&globals[0]["variablesReference"]);
    assert_eq!(
        (&parts[0]["name"], &parts[0]["value"]),
        (&json!("x"), &json!("1"))
    );
    let seen = debugger.parts(&parts[1]["variablesReference"]);
    assert_eq!(
        (&seen[1]["name"], &seen[1]["value"]),
        (&json!("[1]"), &json!("false"))
    );
    let locals = debugger.variables(hit.1, 0);
    let names: Vec<&Value> = locals
        .as_array()
        .unwrap()
        .iter()
        .map(|l| &l["name"])
        .collect();
    assert_eq!(names, ["n", "t"]);
    let asked = json!({ "expression": "pair.x", "context": "hover" });
    assert_eq!(debugger.ask("evaluate", asked).unwrap()["result"], "1");
    let asked = json!({ "expression": "tasks", "context": "repl" });
    let told = debugger.ask("evaluate", asked).unwrap();
    assert!(
        told["result"].as_str().unwrap().contains("task 2 (add)"),
        "{told}"
    );
    // Back before the write.
    debugger.go("stepBack");
    let asked = json!({ "expression": "pair.x", "context": "watch" });
    assert_eq!(debugger.ask("evaluate", asked).unwrap()["result"], "0");
    assert_eq!(debugger.go("continue").2, 7);
    assert_eq!(debugger.go("continue").2, 7);
    // The end is the failure.
    let end = debugger.go("continue");
    assert_eq!((end.0.as_str(), end.2), ("exception", 11));
    let back = debugger.go("reverseContinue");
    assert_eq!((back.0.as_str(), back.2), ("breakpoint", 7));
    assert_eq!(debugger.leave(), Some(0));
}

/// The console takes the commands that its greeting names, also those that go on, and breaks of both kinds.
#[test]
fn the_console_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let program = file(folder.path(), RACE);
    let mut debugger = Debugger::start();
    let launch = json!({ "program": program, "args": ["--delays", "1"] });
    debugger.ask("launch", launch).unwrap();
    debugger.go("configurationDone");
    let console = |debugger: &mut Debugger, text: &str| {
        let asked = json!({ "expression": text, "context": "repl" });
        debugger.ask("evaluate", asked).unwrap()["result"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    assert!(console(&mut debugger, "goto 3").starts_with("3/"));
    assert_eq!(debugger.event("stopped")["reason"], "step");
    assert!(console(&mut debugger, "back").starts_with("2/"));
    assert_eq!(debugger.event("stopped")["reason"], "step");
    assert!(console(&mut debugger, "step").starts_with("3/"));
    debugger.event("stopped");
    assert_eq!(
        console(&mut debugger, "watch pair.x"),
        "1: where pair.x changes"
    );
    // Breakpoints on lines leave those on variables as they are.
    let breaks = json!({ "source": { "path": program }, "breakpoints": [] });
    debugger.ask("setBreakpoints", breaks).unwrap();
    assert!(console(&mut debugger, "continue").contains("pair.x"));
    assert_eq!(debugger.event("stopped")["reason"], "breakpoint");
    assert_eq!(debugger.leave(), Some(0));
}

/// An editor may count from 0; threads and frames that are not there have no answer.
#[test]
fn editors_may_count_from_zero() {
    let folder = tempfile::tempdir().unwrap();
    let program = file(folder.path(), RACE);
    let mut debugger = Debugger::start();
    let counts = json!({ "linesStartAt1": false, "columnsStartAt1": false });
    debugger.ask("initialize", counts).unwrap();
    let launch = json!({ "program": program, "args": ["--delays", "1"] });
    debugger.ask("launch", launch).unwrap();
    let breaks = json!({ "source": { "path": program }, "breakpoints": [{ "line": 5 }] });
    let set = debugger.ask("setBreakpoints", breaks).unwrap();
    assert_eq!(
        set["breakpoints"][0],
        json!({ "verified": true, "line": 5 })
    );
    assert_eq!(debugger.go("configurationDone").2, 8);
    let stack = debugger.ask("stackTrace", json!({ "threadId": 2 }));
    assert_eq!(stack.unwrap()["stackFrames"][0]["column"], 14);
    for (command, asked, says) in [
        ("stackTrace", json!({ "threadId": 99 }), "no thread 99"),
        ("next", json!({ "threadId": 99 }), "no thread 99"),
        ("scopes", json!({ "frameId": 99 }), "no frame 99"),
        (
            "evaluate",
            json!({ "expression": "pair", "frameId": 99 }),
            "no frame 99",
        ),
    ] {
        let refused = debugger.ask(command, asked).unwrap_err();
        assert!(refused.contains(says), "{refused}");
    }
    assert_eq!(debugger.leave(), Some(0));
}

#[test]
fn data_breaks_and_moves_of_one_thread() {
    let folder = tempfile::tempdir().unwrap();
    let program = file(folder.path(), RACE);
    let trace = folder.path().join("trace.json");
    let found = Command::new(env!("CARGO_BIN_EXE_dbverify"))
        .args(["explore", &program, "--trace-out"])
        .arg(&trace)
        .output()
        .unwrap();
    assert_eq!(found.status.code(), Some(1));
    let mut debugger = Debugger::start();
    debugger
        .ask("launch", json!({ "program": program, "trace": trace }))
        .unwrap();
    let info = debugger
        .ask("dataBreakpointInfo", json!({ "name": "pair.x" }))
        .unwrap();
    let set = json!({ "breakpoints": [{ "dataId": info["dataId"] }] });
    let set = debugger.ask("setDataBreakpoints", set).unwrap();
    assert_eq!(set["breakpoints"], json!([{ "verified": true }]));
    debugger.go("configurationDone");
    assert_eq!(debugger.go("continue").2, 7);
    let thread = debugger.go("stepBack").1;
    debugger.ask("next", json!({ "threadId": thread })).unwrap();
    assert_eq!(debugger.event("stopped")["threadId"], thread);
    assert_eq!(debugger.leave(), Some(0));
}

#[test]
fn what_cannot_be_debugged_is_said() {
    let folder = tempfile::tempdir().unwrap();
    let program = file(folder.path(), &RACE.replace("  yield;\n", ""));
    let mut debugger = Debugger::start();
    let early = debugger.ask("threads", json!({})).unwrap_err();
    assert!(early.contains("before a program is launched"), "{early}");
    debugger
        .ask("launch", json!({ "program": program }))
        .unwrap();
    let told = debugger.event("output")["output"]
        .as_str()
        .unwrap()
        .to_owned();
    assert!(told.contains("safe: no bug"), "{told}");
    debugger.event("terminated");
    let claims = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/examples/async-programs/false_independence_bug.async"
    );
    debugger
        .ask("launch", json!({ "program": claims }))
        .unwrap();
    let told = debugger.event("output")["output"].to_string();
    assert!(told.contains("nothing was run"), "{told}");
    debugger.event("terminated");
    for (arguments, says) in [
        (json!({}), "`program` is to name a file"),
        (json!({ "program": "no.async" }), "cannot read no.async"),
        (
            json!({ "program": program, "command": "fmt" }),
            "and not `fmt`",
        ),
        (json!({ "program": program, "trace": "no.json" }), "no.json"),
        (
            json!({ "program": program, "args": "--delays 2" }),
            "`args` is to be a list of texts",
        ),
    ] {
        let reason = debugger.ask("launch", arguments).unwrap_err();
        assert!(reason.contains(says), "{reason}");
    }
    assert_eq!(debugger.leave(), Some(0));
}

#[test]
fn breaks_in_other_files_of_the_program() {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    let shared = root.join("shared.async");
    std::fs::write(
        &shared,
        "var x: int := 0;\nproc add() {\n  let t = x;\n  yield;\n  x := t + 1;\n}\n",
    )
    .unwrap();
    let program = file(
        &root,
        "use \"shared.async\";\nproc main() {\n  post add();\n  post add();\n}\nfinally {\n  assert x == 2;\n}\n",
    );
    let mut debugger = Debugger::start();
    let launch = json!({ "program": program, "args": ["--delays", "1"] });
    debugger.ask("launch", launch).unwrap();
    debugger.event("initialized");
    let breaks =
        json!({ "source": { "path": shared }, "breakpoints": [{ "line": 5 }, { "line": 1 }] });
    let set = debugger.ask("setBreakpoints", breaks).unwrap();
    assert_eq!(set["breakpoints"][0]["verified"], true, "{set}");
    assert_eq!(set["breakpoints"][1]["verified"], false, "{set}");
    debugger.go("configurationDone");
    let hit = debugger.go("continue");
    assert_eq!((hit.0.as_str(), hit.3.as_str()), ("breakpoint", "add"));
    let stack = debugger
        .ask("stackTrace", json!({ "threadId": hit.1 }))
        .unwrap();
    let source = &stack["stackFrames"][0]["source"];
    assert_eq!(source["path"], json!(shared), "{stack}");
}
