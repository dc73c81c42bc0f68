//! `dbverify dap`: an editor's debugger on a counterexample, forwards and backwards, by the debug adapter protocol.
//!
//! `launch` finds the counterexample, `adapter` answers what is asked of it, `values` shows variables. The walk itself is that of
//! `replay`'s prompt.

mod adapter;
mod launch;
mod values;

use std::io::{self, BufRead, BufReader, Stdin, Write};

use serde_json::{Value, json};

use lsp::wire::{framed, read_body};

use launch::Launch;

/// A request of the editor.
struct Request {
    number: Value,
    command: String,
    arguments: Value,
}

/// The conversation: requests in, answers and events out.
struct Editor {
    input: BufReader<Stdin>,
    /// The number of the last message.
    sent: u64,
    /// The numbers of the first line and column for this editor.
    first: (u32, u32),
}

impl Editor {
    /// Returns the next request, or `None` when the editor has gone. Passes over messages that are no requests.
    fn next(&mut self) -> Option<Request> {
        loop {
            let Ok(body) = read_body(&mut self.input).ok()?? else {
                continue;
            };
            let Ok(value) = serde_json::from_slice::<Value>(&body) else {
                continue;
            };
            if let (Some("request"), Some(command)) =
                (value["type"].as_str(), value["command"].as_str())
            {
                return Some(Request {
                    number: value["seq"].clone(),
                    command: command.to_owned(),
                    arguments: value["arguments"].clone(),
                });
            }
        }
    }

    fn send(&mut self, mut message: Value) {
        self.sent += 1;
        message["seq"] = self.sent.into();
        let mut out = io::stdout().lock();
        // An editor that has gone needs no answer. Then there is no next request.
        drop(out.write_all(framed(&message).as_bytes()));
        drop(out.flush());
    }

    fn answer(&mut self, request: &Request, answer: Result<Value, String>) {
        let mut message = json!({
            "type": "response",
            "request_seq": request.number,
            "command": request.command,
            "success": answer.is_ok(),
        });
        match answer {
            Ok(body) => message["body"] = body,
            Err(reason) => {
                message["message"] = reason.as_str().into();
                message["body"] =
                    json!({ "error": { "id": 1, "format": reason, "showUser": true } });
            }
        }
        self.send(message);
    }

    fn event(&mut self, event: &str, body: Value) {
        self.send(json!({ "type": "event", "event": event, "body": body }));
    }

    /// Says something in the debugger's console.
    fn say(&mut self, text: &str) {
        self.event("output", json!({ "category": "console", "output": text }));
    }

    /// Ends a launch that has nothing to step through.
    fn end_with(&mut self, text: &str) {
        self.say(text);
        self.event("terminated", Value::Null);
    }
}

/// What the debugger can do.
fn capabilities() -> Value {
    json!({
        "supportsConfigurationDoneRequest": true,
        "supportsStepBack": true,
        "supportsEvaluateForHovers": true,
        "supportsDataBreakpoints": true,
        "supportsTerminateRequest": true,
        "supportTerminateDebuggee": false,
    })
}

/// Serves an editor until it leaves. Returns the exit status.
#[must_use]
pub fn run() -> u8 {
    let mut editor = Editor {
        input: BufReader::new(io::stdin()),
        sent: 0,
        first: (1, 1),
    };
    while let Some(request) = editor.next() {
        match request.command.as_str() {
            "initialize" => {
                let first = |key: &str| u32::from(request.arguments[key] != false);
                editor.first = (first("linesStartAt1"), first("columnsStartAt1"));
                editor.answer(&request, Ok(capabilities()));
            }
            "launch" => match Launch::found(&request.arguments) {
                Ok(Launch::Bug(found)) => {
                    editor.answer(&request, Ok(Value::Null));
                    if adapter::serve(&mut editor, &found) {
                        return 0;
                    }
                }
                Ok(Launch::Nothing(text)) => {
                    editor.answer(&request, Ok(Value::Null));
                    editor.end_with(&text);
                }
                Err(reason) => editor.answer(&request, Err(reason)),
            },
            "disconnect" | "terminate" => {
                editor.answer(&request, Ok(Value::Null));
                return 0;
            }
            other => {
                let reason = format!("`{other}` is not possible before a program is launched");
                editor.answer(&request, Err(reason));
            }
        }
    }
    u8::from(editor.input.fill_buf().is_err())
}
