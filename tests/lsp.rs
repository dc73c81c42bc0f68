//! The language server as an editor meets it, feature by feature.

mod editor;

use editor::{Editor, URI, about, edited, place};
use serde_json::{Value, json};

const PROGRAM: &str = "\
use sync;
const LIMIT := 3; /* 😀 */ const AFTER := LIMIT;
type Mode = enum { Idle, Busy };
type Req = record { id: int, done: bool };
// How many had their turn.
var served: 0..LIMIT := 0; /* äöü 😀 */ var mode: Mode := Idle;
var log: [4]Req := [Req { id: 0, done: false }; 4];
var m: Mutex;
object Gate(n: int) {
  var inside: int := 0;
  // Waits for room.
  op enter(who: int): int when inside < n { inside := inside + 1; return who; }
  op leave() { inside := inside - 1; }
}
var gate: Gate(2);
// Serves a request.
proc serve(id: int): bool {
  let got = gate.enter(id);
  m.lock();
  log[0].id := got;
  served := served + 1;
  m.unlock();
  gate.leave();
  return log[0].done;
}
proc task_of(id: int) { call serve(id); }
proc main() {
  let t = post task_of(1);
  for i in 0..1 { yield; }
  join t;
  mode := Busy;
}
";

/// All that can be asked about a document.
const QUESTIONS: [&str; 10] = [
    "textDocument/hover",
    "textDocument/definition",
    "textDocument/references",
    "textDocument/documentHighlight",
    "textDocument/prepareRename",
    "textDocument/rename",
    "textDocument/documentSymbol",
    "textDocument/completion",
    "textDocument/formatting",
    "textDocument/codeAction",
];

fn file() -> Value {
    json!({ "textDocument": { "uri": URI } })
}

// ---- Sessions ----

#[test]
fn a_session_ends_as_the_protocol_says() {
    assert_eq!(Editor::with(PROGRAM).leave(), Some(0));

    // Exit without shutdown, and an end of the input, are abnormal.
    let mut editor = Editor::ready(Value::Null);
    editor.tell("exit", Value::Null);
    assert_eq!(editor.status(), Some(1));
    assert_eq!(Editor::ready(Value::Null).status(), Some(1));
    assert_eq!(Editor::start().status(), Some(1));
}

#[test]
fn requests_out_of_order_are_refused() {
    let mut editor = Editor::start();
    let early = editor.ask("textDocument/hover", json!({})).unwrap_err();
    assert_eq!(early["code"], -32002);
    editor.tell("textDocument/didOpen", json!({}));
    let capabilities = editor.ask("initialize", json!({})).unwrap();
    assert_eq!(capabilities["serverInfo"]["name"], "dbverify");
    let twice = editor.ask("initialize", json!({})).unwrap_err();
    assert_eq!(twice["code"], -32600);
    editor.ask("shutdown", Value::Null).unwrap();
    let late = editor.ask("textDocument/hover", json!({})).unwrap_err();
    assert_eq!(late["code"], -32600);
    editor.tell("exit", Value::Null);
    assert_eq!(editor.status(), Some(0));
}

#[test]
fn nothing_that_is_asked_ends_a_session() {
    let mut editor = Editor::with(PROGRAM);
    let unknown = editor.ask("textDocument/fly", json!({})).unwrap_err();
    assert_eq!(unknown["code"], -32601);
    let far = json!({ "line": 4_000_000_000_u32, "character": 4_000_000_000_u32 });
    for method in QUESTIONS.into_iter().chain(["workspace/executeCommand"]) {
        for wrong in [
            Value::Null,
            json!([1]),
            json!({ "textDocument": 3 }),
            json!("x"),
        ] {
            let refusal = editor.ask(method, wrong).unwrap_err();
            assert_eq!(refusal["code"], -32602, "{method}");
        }
        // A document that is not open, and a place that is not there.
        for (uri, fits) in [("file:///no.async", false), (URI, true)] {
            let params = json!({
                "textDocument": { "uri": uri }, "position": far, "newName": "x",
                "range": { "start": far, "end": far }, "context": { "diagnostics": [], "includeDeclaration": true, "triggerKind": 1 },
                "options": { "tabSize": 2, "insertSpaces": true },
                "command": "dbverify.trace", "arguments": [uri],
            });
            let answered = editor.ask(method, params);
            assert!(fits || answered.is_err(), "{method}: {answered:?}");
        }
    }
    for method in [
        "textDocument/didOpen",
        "textDocument/didChange",
        "textDocument/didClose",
        "$/cancelRequest",
        "workspace/didChangeConfiguration",
        "no/such",
    ] {
        for wrong in [
            Value::Null,
            json!({ "textDocument": { "uri": "file:///no.async", "version": 1 }, "contentChanges": [{ "text": "x" }] }),
        ] {
            editor.tell(method, wrong);
        }
    }
    // No JSON, no message, no request; and the next one is answered.
    for body in ["{", "[]", "{\"id\": {}}", "\u{0}"] {
        editor.raw(format!("Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes());
        let refusal = editor.wait(|m| m["id"].is_null() && m["error"].is_object());
        assert!(refusal["error"]["message"].is_string());
    }
    assert!(
        editor
            .ask("textDocument/hover", about(PROGRAM, "serve(", 0))
            .unwrap()
            .is_object()
    );
    assert_eq!(editor.leave(), Some(0));
}

#[test]
fn no_prefix_of_a_program_is_a_fault_of_the_server() {
    let mut editor = Editor::with("");
    let ends = PROGRAM.char_indices().map(|(at, _)| at).step_by(13);
    for text in ends.map(|end| &PROGRAM[..end]) {
        editor.change(None, text);
        let line = text.matches('\n').count();
        let column = text
            .rsplit('\n')
            .next()
            .unwrap_or("")
            .encode_utf16()
            .count();
        let at = json!({ "line": line, "character": column });
        let params = json!({
            "textDocument": { "uri": URI }, "position": at, "newName": "x",
            "range": { "start": at, "end": at },
            "context": { "diagnostics": [], "includeDeclaration": true, "triggerKind": 1 },
            "options": { "tabSize": 2, "insertSpaces": true },
        });
        for method in QUESTIONS {
            if let Err(error) = editor.ask(method, params.clone()) {
                assert_eq!(error["code"], -32803, "{method}: {error}");
            }
        }
    }
}

// ---- Diagnostics ----

#[test]
fn diagnostics_follow_the_text() {
    let mut editor = Editor::with("var x: int;\nproc main() { /* 😀ä */ y := 1; }\n");
    let found = editor.diagnostics();
    assert_eq!(found.len(), 1);
    assert_eq!(found[0]["code"], "unknown-name");
    assert_eq!(found[0]["severity"], 1);
    assert_eq!(found[0]["source"], "dbverify");
    // Columns in UTF-16 units: the emoji counts twice.
    let range =
        json!({ "start": { "line": 1, "character": 24 }, "end": { "line": 1, "character": 25 } });
    assert_eq!(found[0]["range"], range);
    // Incremental: the wrong name becomes a right one, and then another wrong one.
    editor.change(Some([1, 24, 1, 25]), "x");
    assert_eq!(editor.diagnostics(), Vec::<Value>::new());
    editor.change(Some([1, 24, 1, 25]), "😀");
    assert_eq!(editor.diagnostics()[0]["code"], "unknown-character");
    // All of it.
    editor.change(None, "var x: int;\nvar x: bool;\nproc main() {}\n");
    let found = editor.diagnostics();
    let twice = found
        .iter()
        .find(|d| d["code"] == "duplicate-name")
        .unwrap();
    let other = &twice["relatedInformation"][0];
    assert_eq!(other["location"]["uri"], URI);
    assert_eq!(
        other["location"]["range"]["start"],
        json!({ "line": 0, "character": 4 })
    );
    // Closed.
    editor.tell("textDocument/didClose", file());
    let last = editor.wait(|m| {
        m["method"] == "textDocument/publishDiagnostics" && m["params"].get("version").is_none()
    });
    assert_eq!(last["params"]["diagnostics"], json!([]));
}

#[test]
fn the_library_is_understood() {
    let mut editor = Editor::with(PROGRAM);
    assert_eq!(editor.diagnostics(), Vec::<Value>::new());
}

#[test]
fn a_huge_file_does_not_keep_others_waiting() {
    let mut editor = Editor::with(PROGRAM);
    let line = "proc p() { x := x + 1; y[3] := if a then b else c; }\n";
    let huge = line.repeat(100_000);
    let document =
        json!({ "uri": "file:///huge.async", "languageId": "async", "version": 1, "text": huge });
    editor.tell("textDocument/didOpen", json!({ "textDocument": document }));
    for _ in 0..3 {
        assert!(
            editor
                .ask("textDocument/hover", about(PROGRAM, "serve(", 0))
                .unwrap()
                .is_object()
        );
    }
    let deep = format!("proc main() {{ x := {}1; }}", "(".repeat(200_000));
    editor.change(None, &deep);
    editor.ask("textDocument/documentSymbol", file()).unwrap();
    assert_eq!(editor.leave(), Some(0));
}

// ---- Names ----

fn hover(editor: &mut Editor, text: &str, word: &str, nth: usize) -> String {
    let answer = editor
        .ask("textDocument/hover", about(text, word, nth))
        .unwrap();
    answer["contents"]["value"]
        .as_str()
        .unwrap_or_default()
        .to_owned()
}

#[test]
fn hovering_tells_types_and_signatures() {
    let mut editor = Editor::with(PROGRAM);
    let shown: Vec<String> = [
        ("served", 0),
        ("serve(", 1),
        ("got", 1),
        ("t;", 1),
        ("id :=", 0),
        ("enter", 1),
        ("lock()", 0),
        ("Mutex", 0),
        ("Gate(2)", 0),
        ("Busy", 1),
        ("AFTER", 0),
        ("LIMIT", 1),
        ("Req {", 0),
        ("n {", 0),
        ("i in", 0),
        ("yield", 0),
    ]
    .into_iter()
    .map(|(word, nth)| format!("## {word}\n{}", hover(&mut editor, PROGRAM, word, nth)))
    .collect();
    insta::assert_snapshot!("lsp_hover", shown.join("\n"));
}

fn definition(editor: &mut Editor, text: &str, word: &str, nth: usize) -> Value {
    let answer = editor
        .ask("textDocument/definition", about(text, word, nth))
        .unwrap();
    assert!(answer.is_null() || answer["uri"] == URI);
    answer["range"]["start"].clone()
}

#[test]
fn definitions_are_found() {
    let mut editor = Editor::with(PROGRAM);
    for ((word, nth), (declared, which)) in [
        (("served", 1), ("served:", 0)),
        (("serve(", 1), ("serve(", 0)),
        (("LIMIT", 1), ("LIMIT", 0)),
        (("mode :=", 0), ("mode:", 0)),
        (("Busy", 1), ("Busy", 0)),
        (("enter", 1), ("enter", 0)),
        (("id :=", 0), ("id:", 0)),
        (("got;", 0), ("got", 0)),
        (("t;", 1), ("t = post", 0)),
        (("inside <", 0), ("inside:", 0)),
    ] {
        let to = definition(&mut editor, PROGRAM, word, nth);
        assert_eq!(to, place(PROGRAM, declared, which), "{word}");
    }
    // The library stands in no file; words of the language are declared nowhere.
    for word in ["lock()", "Mutex", "yield", "use"] {
        assert_eq!(definition(&mut editor, PROGRAM, word, 0), Value::Null);
    }
}

#[test]
fn errors_elsewhere_do_not_matter() {
    let broken = PROGRAM
        .replace("return log[0].done;", "return log[0].;")
        .replace("join t;", "join t t;")
        .replace("op leave()", "op leave(");
    let mut editor = Editor::with(&broken);
    assert!(!editor.diagnostics().is_empty());
    assert!(hover(&mut editor, &broken, "served", 0).contains("var served: 0..LIMIT"));
    let to = definition(&mut editor, &broken, "served", 1);
    assert_eq!(to, place(&broken, "served:", 0));
    let to = definition(&mut editor, &broken, "task_of", 1);
    assert_eq!(to, place(&broken, "task_of", 0));
}

#[test]
fn references_are_found_with_and_without_the_declaration() {
    let mut editor = Editor::with(PROGRAM);
    let mut lines = |word: &str, with: bool| -> Vec<u64> {
        let mut params = about(PROGRAM, word, 0);
        params["context"] = json!({ "includeDeclaration": with });
        let found = editor.ask("textDocument/references", params).unwrap();
        let found = found.as_array().unwrap().iter();
        found
            .map(|l| l["range"]["start"]["line"].as_u64().unwrap())
            .collect()
    };
    assert_eq!(lines("served", true), [5, 20, 20]);
    assert_eq!(lines("served", false), [20, 20]);
    assert_eq!(lines("Mutex", true), [7]);
    assert_eq!(lines("yield", true), Vec::<u64>::new());
    let params = about(PROGRAM, "got", 1);
    let marks = editor
        .ask("textDocument/documentHighlight", params)
        .unwrap();
    assert_eq!(marks.as_array().unwrap().len(), 2);
}

#[test]
fn the_outline_has_everything_that_is_declared() {
    let mut editor = Editor::with(PROGRAM);
    let symbols = editor.ask("textDocument/documentSymbol", file()).unwrap();
    let mut lines = Vec::new();
    for symbol in symbols.as_array().unwrap() {
        let show = |s: &Value| format!("{} {} {}", s["kind"], s["name"], s["detail"]);
        lines.push(show(symbol));
        let children = symbol["children"].as_array().into_iter().flatten();
        lines.extend(children.map(|c| format!("  {}", show(c))));
    }
    insta::assert_snapshot!("lsp_outline", lines.join("\n"));
}

#[test]
fn a_client_that_can_do_little_is_served_too() {
    let mut editor = Editor::start();
    editor.ask("initialize", json!({})).unwrap();
    editor.open(BUGGY);
    let symbols = editor.ask("textDocument/documentSymbol", file()).unwrap();
    assert_eq!(symbols[0]["name"], "x");
    assert_eq!(symbols[0]["location"]["uri"], URI);
    // A command instead of an action with one in it; no progress, no other places.
    assert_eq!(actions(&mut editor)[0]["command"], "dbverify.verify");
    assert_eq!(
        verify(&mut editor, "dbverify.verify").unwrap()["verdict"],
        "bug"
    );
    let bug = editor.wait(|m| m["params"]["diagnostics"][0].is_object());
    assert!(
        bug["params"]["diagnostics"][0]
            .get("relatedInformation")
            .is_none()
    );
    assert_eq!(editor.leave(), Some(0));
}

// ---- Renaming ----

fn rename(editor: &mut Editor, text: &str, word: &str, nth: usize, new: &str) -> String {
    let mut params = about(text, word, nth);
    params["newName"] = new.into();
    let answer = editor.ask("textDocument/rename", params).unwrap();
    edited(text, &answer["changes"][URI])
}

fn refusal(editor: &mut Editor, text: &str, word: &str, nth: usize, new: &str) -> String {
    let mut params = about(text, word, nth);
    params["newName"] = new.into();
    editor.refused("textDocument/rename", params)
}

#[test]
fn renaming_renames_everywhere() {
    let mut editor = Editor::with(PROGRAM);
    let mut text = PROGRAM.to_owned();
    for (word, new) in [
        ("LIMIT", "BOUND"),
        ("mode", "how"),
        ("id: int, done", "number"),
        ("inside", "within"),
        ("enter", "come"),
        ("serve(", "handle"),
        ("got", "had"),
        ("t =", "first"),
        ("Gate", "Door"),
        ("Busy", "Working"),
        ("n: int", "room"),
        ("Req", "Request"),
        ("i in", "turn"),
    ] {
        text = rename(&mut editor, &text, word, 0, new);
        editor.change(None, &text);
        assert_eq!(editor.diagnostics(), Vec::<Value>::new(), "{word}");
    }
    insta::assert_snapshot!("lsp_renamed", text);
}

#[test]
fn what_would_clash_is_refused() {
    let text = "\
var x: int := 0;
var y: int := 0;
type R = record { f: int };
var r: R;
proc p(a: int) {
  let b = a;
  { let c = y; x := b + c; }
  r.f := x;
}
proc q() { }
proc main() { call p(1); call q(); }
";
    let mut editor = Editor::with(text);
    let said: Vec<String> = [
        ("x", 0, "y"),
        ("x", 0, "c"),
        ("y:", 0, "b"),
        ("b =", 0, "c"),
        ("b =", 0, "x"),
        ("q()", 0, "p"),
        ("q()", 0, "main"),
        ("x", 0, "while"),
        ("x", 0, "when"),
        ("x", 0, "self"),
        ("x", 0, "ä"),
        ("x", 0, ""),
        ("x", 0, "a b"),
        ("x", 0, "1"),
        ("main", 0, "start"),
        ("call", 0, "x"),
    ]
    .into_iter()
    .map(|(word, nth, new)| {
        format!(
            "{word} to {new}: {}",
            refusal(&mut editor, text, word, nth, new)
        )
    })
    .collect();
    insta::assert_snapshot!("lsp_refused", said.join("\n"));
    // A field and a variable may share a name, an inner name may hide an outer one that nobody uses there.
    assert!(rename(&mut editor, text, "f: int", 0, "x").contains("r.x := x;"));
    assert!(rename(&mut editor, text, "b =", 0, "a").contains("let a = a;"));
    assert!(rename(&mut editor, text, "c =", 0, "r").contains("let r = y; x := b + r;"));

    let mut editor = Editor::with(PROGRAM);
    let words = refusal(&mut editor, PROGRAM, "lock()", 0, "take");
    assert_eq!(
        words,
        "`lock` is declared in the library `sync`, which cannot be changed"
    );
    assert_eq!(
        editor.refused("textDocument/prepareRename", about(PROGRAM, "Mutex", 0)),
        "`Mutex` is declared in the library `sync`, which cannot be changed"
    );
    let offered = editor
        .ask("textDocument/prepareRename", about(PROGRAM, "served", 1))
        .unwrap();
    assert_eq!(offered["placeholder"], "served");
    // Own names that hide the library's.
    assert!(refusal(&mut editor, PROGRAM, "Gate", 0, "Mutex").contains("Mutex"));
    editor.change(None, &PROGRAM.replace("join t;", "join ;"));
    let broken = PROGRAM.replace("join t;", "join ;");
    assert!(refusal(&mut editor, &broken, "served", 0, "x").contains("syntax errors"));
}

#[test]
fn a_renamed_program_has_the_same_verdict() {
    for (text, verdict) in [(BUGGY, "bug"), (SAFE, "safe")] {
        let mut editor = Editor::with(text);
        let mut renamed = text.to_owned();
        for (word, new) in [("x", "total"), ("add", "plus"), ("t:", "old"), ("n:", "by")] {
            renamed = rename(&mut editor, &renamed, word, 0, new);
            editor.change(None, &renamed);
        }
        assert!(renamed.contains("total := old + by;"), "{renamed}");
        assert_eq!(
            verify(&mut editor, "dbverify.verify").unwrap()["verdict"],
            verdict
        );
    }
}

// ---- Completion ----

/// What is offered at the `|` of a text.
fn offered(text: &str) -> Vec<String> {
    let at = about(text, "|", 0);
    let mut editor = Editor::with(&text.replace('|', ""));
    let answer = editor.ask("textDocument/completion", at).unwrap();
    let items = answer.as_array().unwrap().iter();
    items
        .map(|i| i["label"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn names_in_scope_and_words_are_offered() {
    let start = PROGRAM.replace("  served := served + 1;\n", "  \n");
    for (line, wanted, unwanted) in [
        (
            "se",
            "served serve got m Mutex while",
            "t main_ inside who dbverify_hole",
        ),
        ("let z = ", "served got id LIMIT Busy", "t enter"),
        ("m.", "lock unlock try_lock", "served while held"),
        ("m.lo", "lock", "served"),
        ("let e = gate.", "enter leave", "inside"),
        ("log[0].", "id done", "served while"),
        ("log[0].id := log[1].", "id done", "served"),
        ("if served == LI", "LIMIT", "t"),
        ("while mode == ", "Idle Busy", "t"),
        ("for j in 0..LI", "LIMIT", "t"),
    ] {
        let text = start.replace("  \n", &format!("  {line}|\n"));
        let names = offered(&text);
        for name in wanted.split(' ') {
            assert!(
                names.iter().any(|n| n == name),
                "{line}: {name} of {names:?}"
            );
        }
        for name in unwanted.split(' ') {
            assert!(!names.iter().any(|n| n == name), "{line}: {name}");
        }
    }
    let comment = PROGRAM.replace("// Serves a", "// S|erves a");
    assert_eq!(offered(&comment), Vec::<String>::new());
}

// ---- Formatting ----

#[test]
fn formatting_is_that_of_fmt() {
    let untidy = "var x:int;// 😀\nproc main(){x:=1;\n\n\n  x := 2 ;}\n";
    let mut editor = Editor::with(untidy);
    let mut params = file();
    params["options"] = json!({ "tabSize": 8, "insertSpaces": false });
    let edits = editor
        .ask("textDocument/formatting", params.clone())
        .unwrap();
    let tidy = edited(untidy, &edits);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("it.async");
    std::fs::write(&path, untidy).unwrap();
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_dbverify"))
        .args(["fmt".as_ref(), path.as_os_str()])
        .output()
        .unwrap();
    assert_eq!(tidy, String::from_utf8(output.stdout).unwrap());
    editor.change(None, &tidy);
    assert_eq!(
        editor
            .ask("textDocument/formatting", params.clone())
            .unwrap(),
        json!([])
    );
    // What does not parse stays as it is.
    editor.change(None, "proc main( {");
    assert_eq!(
        editor.ask("textDocument/formatting", params).unwrap(),
        Value::Null
    );
}

// ---- Verifying ----

const BUGGY: &str = "\
/* 😀 */ var x: int := 0;

proc add(n: int) {
  var t: int := x;
  yield;
  x := t + n;
}

proc main() { post add(1); post add(2); }

finally { /* 😀 */ assert x == 3, \"an addition was lost\"; }
";

const SAFE: &str = "\
var x: int := 0;

proc add(n: int) {
  yield;
  var t: int := x;
  x := t + n;
}

proc main() { post add(1); post add(2); }

finally { assert x == 3, \"an addition was lost\"; }
";

fn verify(editor: &mut Editor, command: &str) -> Result<Value, Value> {
    let params = json!({ "command": command, "arguments": [URI] });
    editor.ask("workspace/executeCommand", params)
}

/// The commands that a client is offered for a file.
fn actions(editor: &mut Editor) -> Vec<Value> {
    let mut params = file();
    let start = json!({ "line": 0, "character": 0 });
    params["range"] = json!({ "start": start, "end": start });
    params["context"] = json!({ "diagnostics": [] });
    let answer = editor.ask("textDocument/codeAction", params).unwrap();
    answer.as_array().unwrap().clone()
}

#[test]
fn a_buggy_file_is_verified_from_its_action() {
    let mut editor = Editor::with(BUGGY);
    assert_eq!(editor.diagnostics(), Vec::<Value>::new());
    let offers = actions(&mut editor);
    assert_eq!(offers[0]["title"], "Verify this file (2 delays)");
    let command = offers[0]["command"].clone();
    let result = editor.ask("workspace/executeCommand", command).unwrap();
    assert_eq!(result["verdict"], "bug");
    let text = result["text"].as_str().unwrap();
    assert!(
        text.contains("how it happens:") && text.contains("an example.async:11:"),
        "{text}"
    );
    // The failing line, with the steps that lead there.
    let bug = editor.diagnostics().remove(0);
    assert_eq!(bug["message"], "assertion: an addition was lost");
    assert_eq!(bug["range"]["start"], place(BUGGY, "assert", 0));
    let steps = bug["relatedInformation"].as_array().unwrap();
    assert!(steps.len() > 5, "{steps:?}");
    let words: Vec<&str> = steps
        .iter()
        .map(|s| s["message"].as_str().unwrap())
        .collect();
    assert!(words.iter().any(|w| w.contains("delayed")), "{words:?}");
    assert!(
        words.iter().any(|w| w.contains("x := t + n  [x = ")),
        "{words:?}"
    );
    assert!(steps.iter().all(|s| s["location"]["uri"] == URI));
    // A person is told, the log has everything, and the trace can be asked for again.
    let told = editor.told("window/showMessage");
    assert_eq!(told["type"], 1);
    assert_eq!(
        told["message"],
        "bug: assertion: an addition was lost (an example.async:11)"
    );
    assert_eq!(editor.told("window/logMessage")["message"], result["text"]);
    assert_eq!(verify(&mut editor, "dbverify.trace").unwrap(), result);
    // Progress was shown.
    let created = editor.wait(|m| m["method"] == "window/workDoneProgress/create");
    let began = editor.told("$/progress");
    assert_eq!(began["token"], created["params"]["token"]);
    assert_eq!(began["value"]["kind"], "begin");
    assert_eq!(editor.told("$/progress")["value"]["kind"], "end");
    // What was found is about that text and no other.
    editor.change(Some([0, 0, 0, 0]), " ");
    assert_eq!(editor.diagnostics(), Vec::<Value>::new());
    assert_eq!(verify(&mut editor, "dbverify.trace").unwrap(), Value::Null);
}

#[test]
fn a_safe_file_is_said_to_be_safe_within_its_bounds() {
    let mut editor = Editor::with(SAFE);
    let result = verify(&mut editor, "dbverify.verify").unwrap();
    assert_eq!(result["verdict"], "safe");
    assert!(
        result["text"]
            .as_str()
            .unwrap()
            .contains("no bug with at most 2 delays"),
        "{result}"
    );
    assert_eq!(editor.told("window/showMessage")["type"], 3);
    assert_eq!(
        verify(&mut editor, "dbverify.explore").unwrap()["verdict"],
        "safe"
    );
    for _ in 0..2 {
        assert_eq!(editor.diagnostics(), Vec::<Value>::new());
    }
}

#[test]
fn the_client_sets_the_bounds() {
    let mut editor = Editor::ready(json!({ "delays": 0 }));
    editor.open(BUGGY);
    assert_eq!(
        actions(&mut editor)[0]["title"],
        "Verify this file (0 delays)"
    );
    assert_eq!(
        verify(&mut editor, "dbverify.verify").unwrap()["verdict"],
        "safe"
    );
    editor.tell(
        "workspace/didChangeConfiguration",
        json!({ "settings": { "dbverify": { "delays": "0..1" } } }),
    );
    assert_eq!(
        verify(&mut editor, "dbverify.verify").unwrap()["verdict"],
        "bug"
    );
    let params =
        json!({ "command": "dbverify.verify", "arguments": [{ "uri": URI, "delays": 0 }] });
    assert_eq!(
        editor.ask("workspace/executeCommand", params).unwrap()["verdict"],
        "safe"
    );
}

#[test]
fn deadlocks_are_found_by_exploring_and_what_fails_in_the_library_is_shown_at_its_caller() {
    let text = "use sync;\nvar m: Mutex;\nproc main() {\n  m.lock();\n  m.lock();\n}\n";
    let mut editor = Editor::with(text);
    assert_eq!(editor.diagnostics(), Vec::<Value>::new());
    let result = verify(&mut editor, "dbverify.explore").unwrap();
    assert_eq!(result["verdict"], "bug");
    assert!(
        result["message"]
            .as_str()
            .unwrap()
            .starts_with("bug: deadlock"),
        "{result}"
    );
    assert_eq!(editor.diagnostics()[0]["code"], "deadlock");

    let text = "use sync;\nvar m: Mutex;\nproc main() {\n  m.unlock();\n}\n";
    editor.change(None, text);
    assert_eq!(editor.diagnostics(), Vec::<Value>::new());
    assert_eq!(
        verify(&mut editor, "dbverify.verify").unwrap()["verdict"],
        "bug"
    );
    let bug = editor.diagnostics().remove(0);
    assert_eq!(bug["range"]["start"], json!({ "line": 3, "character": 2 }));
}

#[test]
fn a_file_with_errors_is_not_verified() {
    let mut editor = Editor::with("proc main() {\n  x := 1;\n}\n");
    let error = verify(&mut editor, "dbverify.verify").unwrap_err();
    assert_eq!(
        error["message"],
        "not verified: line 2: nothing named `x` is declared here"
    );
    let params = json!({ "command": "dbverify.fly", "arguments": [URI] });
    assert_eq!(
        editor.refused("workspace/executeCommand", params),
        "there is no command `dbverify.fly`"
    );
}

/// Takes for ever: nothing bounds it but the number of its states.
const ENDLESS: &str = "\
var x: [8]int := [0; 8];
proc up(k: int) { for i in 0..40 { x[k] := i; yield; } }
proc main() { for k in 0..7 { post up(k); } }
";

#[test]
fn what_takes_too_long_can_be_called_off() {
    let mut editor = Editor::ready(json!({ "timeout": 100 }));
    editor.open(ENDLESS);
    let explore = json!({ "command": "dbverify.explore", "arguments": [URI] });
    let first = editor.begin("workspace/executeCommand", explore.clone());
    // Meanwhile others are answered.
    assert!(
        editor
            .ask("textDocument/hover", about(ENDLESS, "x", 1))
            .unwrap()
            .is_object()
    );
    editor.tell("$/cancelRequest", json!({ "id": first }));
    assert_eq!(editor.answer(first).unwrap_err()["code"], -32800);
    // From the progress that a person sees, too.
    let second = editor.begin("workspace/executeCommand", explore.clone());
    let tokens = |m: &Value| m["method"] == "window/workDoneProgress/create";
    editor.wait(tokens);
    let token = editor.wait(tokens)["params"]["token"].clone();
    editor.tell("window/workDoneProgress/cancel", json!({ "token": token }));
    assert_eq!(editor.answer(second).unwrap_err()["code"], -32800);
    // And by leaving.
    let third = editor.begin("workspace/executeCommand", explore);
    editor.wait(tokens);
    editor.ask("shutdown", Value::Null).unwrap();
    assert_eq!(editor.answer(third).unwrap_err()["code"], -32800);
    editor.tell("exit", Value::Null);
    assert_eq!(editor.status(), Some(0));
}

#[test]
fn the_timeout_of_the_client_counts() {
    let mut editor = Editor::ready(json!({ "timeout": 0.3 }));
    editor.open(ENDLESS);
    let result = verify(&mut editor, "dbverify.explore").unwrap();
    assert_eq!(result["verdict"], "inconclusive");
    assert!(
        result["text"].as_str().unwrap().contains("inconclusive"),
        "{result}"
    );
    assert_eq!(editor.told("window/showMessage")["type"], 2);
}
