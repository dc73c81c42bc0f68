//! A scripted editor: speaks to `dbverify lsp` over its standard input and output.
#![allow(dead_code, reason = "each test uses a part of it")]

pub mod programs;

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use serde_json::{Value, json};

/// Longer than anything that is waited for takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// An editor with one file.
pub struct Editor {
    child: Child,
    to: Option<ChildStdin>,
    from: Receiver<Value>,
    /// What came while something else was waited for.
    kept: Vec<Value>,
    next: i64,
    version: i64,
}

pub const URI: &str = "file:///work/an%20example.async";

impl Editor {
    /// A server before the first message.
    pub fn start() -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_dbverify"))
            .arg("lsp")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        let (sender, from) = channel();
        std::thread::spawn(move || {
            while let Some(message) = read(&mut out) {
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        Self {
            to: child.stdin.take(),
            child,
            from,
            kept: Vec::new(),
            next: 0,
            version: 0,
        }
    }

    /// A server that has been greeted by a client that can do much.
    pub fn ready(options: Value) -> Self {
        let mut editor = Self::start();
        let capabilities = json!({
            "textDocument": {
                "publishDiagnostics": { "relatedInformation": true },
                "documentSymbol": { "hierarchicalDocumentSymbolSupport": true },
                "codeAction": { "codeActionLiteralSupport": { "codeActionKind": { "valueSet": [] } } },
            },
            "window": { "workDoneProgress": true },
        });
        let params = json!({
            "processId": null, "rootUri": null,
            "capabilities": capabilities, "initializationOptions": options,
        });
        editor.ask("initialize", params).unwrap();
        editor.tell("initialized", json!({}));
        editor
    }

    /// A server with an open file.
    pub fn with(text: &str) -> Self {
        let mut editor = Self::ready(Value::Null);
        editor.open(text);
        editor
    }

    /// The number of the server's process.
    pub fn process(&self) -> u32 {
        self.child.id()
    }

    /// Ends the server without a word.
    pub fn kill(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    pub fn raw(&mut self, bytes: &[u8]) {
        // A server that has ended reads no more, which tests look at in other ways.
        if let Some(to) = &mut self.to {
            drop(to.write_all(bytes).and_then(|()| to.flush()));
        }
    }

    pub fn send(&mut self, message: &Value) {
        let body = message.to_string();
        self.raw(format!("Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes());
    }

    pub fn tell(&mut self, method: &str, params: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    /// Asks, and does not wait.
    pub fn begin(&mut self, method: &str, params: Value) -> i64 {
        self.next += 1;
        let id = self.next;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        id
    }

    /// The answer to a request.
    pub fn answer(&mut self, id: i64) -> Result<Value, Value> {
        let message = self.wait(|m| m["id"] == id && m.get("method").is_none());
        match message.get("error") {
            Some(error) => Err(error.clone()),
            None => Ok(message["result"].clone()),
        }
    }

    pub fn ask(&mut self, method: &str, params: Value) -> Result<Value, Value> {
        let id = self.begin(method, params);
        self.answer(id)
    }

    /// The words of a refusal.
    pub fn refused(&mut self, method: &str, params: Value) -> String {
        let error = self.ask(method, params).unwrap_err();
        error["message"].as_str().unwrap().to_owned()
    }

    /// The next message of a kind; what comes before it is kept.
    pub fn wait(&mut self, wanted: impl Fn(&Value) -> bool) -> Value {
        if let Some(at) = self.kept.iter().position(&wanted) {
            return self.kept.remove(at);
        }
        loop {
            let message = self.from.recv_timeout(PATIENCE).expect("a message");
            if wanted(&message) {
                return message;
            }
            self.kept.push(message);
        }
    }

    /// The parameters of the next notification of a method.
    pub fn told(&mut self, method: &str) -> Value {
        self.wait(|m| m["method"] == method)["params"].clone()
    }

    pub fn open(&mut self, text: &str) {
        self.version += 1;
        let document =
            json!({ "uri": URI, "languageId": "async", "version": self.version, "text": text });
        self.tell("textDocument/didOpen", json!({ "textDocument": document }));
    }

    /// Opens another file.
    pub fn open_as(&mut self, uri: &str, language: &str, text: &str) {
        let document = json!({ "uri": uri, "languageId": language, "version": 1, "text": text });
        self.tell("textDocument/didOpen", json!({ "textDocument": document }));
    }

    /// Replaces a range (start line and column, end line and column), or everything.
    pub fn change(&mut self, range: Option<[u32; 4]>, text: &str) {
        self.version += 1;
        let mut change = json!({ "text": text });
        if let Some([a, b, c, d]) = range {
            change["range"] = json!({
                "start": { "line": a, "character": b }, "end": { "line": c, "character": d },
            });
        }
        let params = json!({
            "textDocument": { "uri": URI, "version": self.version }, "contentChanges": [change],
        });
        self.tell("textDocument/didChange", params);
    }

    /// What is said about the last text.
    pub fn diagnostics(&mut self) -> Vec<Value> {
        let version = self.version;
        let message = self.wait(|m| {
            m["method"] == "textDocument/publishDiagnostics" && m["params"]["version"] == version
        });
        message["params"]["diagnostics"].as_array().unwrap().clone()
    }

    /// The exit status after the end.
    pub fn status(mut self) -> Option<i32> {
        self.to = None;
        self.child.wait().unwrap().code()
    }

    /// Leaves as the protocol says.
    pub fn leave(mut self) -> Option<i32> {
        self.ask("shutdown", Value::Null).unwrap();
        self.tell("exit", Value::Null);
        self.status()
    }
}

impl Drop for Editor {
    fn drop(&mut self) {
        // It may have ended by itself.
        drop(self.child.kill());
        drop(self.child.wait());
    }
}

fn read(out: &mut impl BufRead) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if out.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim().split_once(": ") {
            Some(("Content-Length", value)) => length = value.parse().unwrap(),
            Some(_) => {}
            None => break,
        }
    }
    let mut body = vec![0; length];
    out.read_exact(&mut body).ok()?;
    Some(serde_json::from_slice(&body).unwrap())
}

/// The place of the nth occurrence of a word, in UTF-16 units.
pub fn place(text: &str, word: &str, nth: usize) -> Value {
    let (at, _) = text.match_indices(word).nth(nth).unwrap();
    let line = text[..at].matches('\n').count();
    let start = text[..at].rfind('\n').map_or(0, |n| n + 1);
    let column = text[start..at].encode_utf16().count();
    json!({ "line": line, "character": column })
}

/// Parameters of a question about a place.
pub fn about(text: &str, word: &str, nth: usize) -> Value {
    json!({ "textDocument": { "uri": URI }, "position": place(text, word, nth) })
}

/// A text after edits (ranges in UTF-16 units, not overlapping).
pub fn edited(text: &str, edits: &Value) -> String {
    let offset = |p: &Value| {
        let (line, column) = (
            p["line"].as_u64().unwrap(),
            p["character"].as_u64().unwrap(),
        );
        let start: usize = text
            .split_inclusive('\n')
            .take(line as usize)
            .map(str::len)
            .sum();
        let mut units = 0;
        let rest = text[start..].char_indices();
        let mut ends = rest.take_while(|(_, c)| {
            let before = units < column;
            units += c.len_utf16() as u64;
            before
        });
        let bytes = ends
            .by_ref()
            .map(|(at, c)| at + c.len_utf8())
            .last()
            .unwrap_or(0);
        start + bytes
    };
    let mut edits: Vec<(usize, usize, &str)> = edits
        .as_array()
        .unwrap()
        .iter()
        .map(|e| {
            let (start, end) = (offset(&e["range"]["start"]), offset(&e["range"]["end"]));
            (start, end, e["newText"].as_str().unwrap())
        })
        .collect();
    edits.sort_unstable();
    let mut out = text.to_owned();
    for (start, end, new) in edits.into_iter().rev() {
        out.replace_range(start..end, new);
    }
    out
}

/// The one file.
pub fn file() -> Value {
    json!({ "textDocument": { "uri": URI } })
}

/// A text in which a name is another.
pub fn rename(editor: &mut Editor, text: &str, word: &str, nth: usize, new: &str) -> String {
    let mut params = about(text, word, nth);
    params["newName"] = new.into();
    let answer = editor.ask("textDocument/rename", params).unwrap();
    edited(text, &answer["changes"][URI])
}

pub fn verify(editor: &mut Editor, command: &str) -> Result<Value, Value> {
    let params = json!({ "command": command, "arguments": [URI] });
    editor.ask("workspace/executeCommand", params)
}

/// The commands that a client is offered for a file.
pub fn actions(editor: &mut Editor) -> Vec<Value> {
    let mut params = file();
    let start = json!({ "line": 0, "character": 0 });
    params["range"] = json!({ "start": start, "end": start });
    params["context"] = json!({ "diagnostics": [] });
    let answer = editor.ask("textDocument/codeAction", params).unwrap();
    answer.as_array().unwrap().clone()
}
