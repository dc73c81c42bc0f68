//! The language server as an editor meets it: sessions, diagnostics, formatting.

use crate::editor::programs::{BUGGY, PROGRAM};
use crate::editor::{Editor, URI, about, actions, edited, file, verify};
use serde_json::{Value, json};

/// All that can be asked about a document.
const QUESTIONS: [&str; 14] = [
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
    "textDocument/codeLens",
    "textDocument/foldingRange",
    "textDocument/semanticTokens/full",
    "textDocument/signatureHelp",
];

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
                "range": { "start": far, "end": far }, "context": { "diagnostics": [], "includeDeclaration": true, "triggerKind": 1, "isRetrigger": false },
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
    // After each of these, which are no JSON, no message or no request, the server answers the next request.
    for body in [
        "{",
        "[]",
        "{\"id\": {}}",
        "{\"id\": 7.5, \"method\": \"x\"}",
        "\u{0}",
    ] {
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
            "context": { "diagnostics": [], "includeDeclaration": true, "triggerKind": 1, "isRetrigger": false },
            "options": { "tabSize": 2, "insertSpaces": true },
        });
        for method in QUESTIONS {
            if let Err(error) = editor.ask(method, params.clone()) {
                assert_eq!(error["code"], -32803, "{method}: {error}");
            }
        }
    }
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

/// A text that is not read has one complaint, which says why, and nothing of the text before.
#[test]
fn a_text_that_is_not_read_says_so() {
    let mut editor = Editor::with("proc main() { x := 1; y := 1; }\n");
    assert_eq!(editor.diagnostics().len(), 2);
    editor.change(None, &format!("// {}\n", "a".repeat(17 << 20)));
    let found = editor.diagnostics();
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0]["code"], "too-large");
    assert!(
        found[0]["message"].as_str().unwrap().contains("16 MiB"),
        "{found:?}"
    );
    editor.change(None, "proc main() { skip; }\n// a\0b\n");
    let found = editor.diagnostics();
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(
        found[0]["message"],
        "the file is no text: a NUL byte in line 2, at byte 26"
    );
    assert_eq!(
        found[0]["range"]["start"],
        json!({ "line": 1, "character": 4 })
    );
    let params = json!({ "command": "dbverify.verify", "arguments": [{ "uri": URI }] });
    let said = editor.refused("workspace/executeCommand", params);
    assert!(said.contains("not verified: the file is no text"), "{said}");
    let params = json!({ "textDocument": { "uri": URI }, "options": { "tabSize": 2, "insertSpaces": true } });
    assert_eq!(
        editor.ask("textDocument/formatting", params).unwrap(),
        Value::Null
    );
    editor.change(None, "proc main() { skip; }\n");
    assert_eq!(editor.diagnostics(), Vec::<Value>::new());
}

#[test]
fn an_error_in_a_header_is_shown_at_its_include() {
    if !crate::native::can("gcc") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    std::fs::write(root.join("h.h"), "// one\nint f(void) { return zz; }\n").unwrap();
    let uri = format!("file://{}/c.c", root.display());
    let text = "#include <stdio.h>\n#include \"h.h\"\nint main(void) { return f(); }\n";
    let mut editor = Editor::ready(Value::Null);
    editor.open_as(&uri, "c", text);
    let message = editor.wait(|m| {
        m["method"] == "textDocument/publishDiagnostics" && m["params"]["uri"] == uri.as_str()
    });
    let found = &message["params"]["diagnostics"][0];
    assert_eq!(
        found["range"]["start"],
        json!({ "line": 1, "character": 0 })
    );
    let said = found["message"].as_str().unwrap();
    assert!(said.contains("h.h:2: `zz`"), "{said}");
}

fn place_of(text: &str, at: usize) -> [u32; 2] {
    let line = text[..at].matches('\n').count();
    let start = text[..at].rfind('\n').map_or(0, |n| n + 1);
    let column = text[start..at].encode_utf16().count();
    [line, column].map(|n| u32::try_from(n).unwrap())
}

#[test]
fn a_text_after_many_changes_is_that_text() {
    let mut editor = Editor::with(PROGRAM);
    let mut text = PROGRAM.to_owned();
    let mut random = fastrand::Rng::with_seed(11);
    let pieces = [
        "",
        "x",
        "😀",
        "ä",
        "\n",
        "served",
        " { ",
        "}",
        "proc q() {}\n",
        "€//",
    ];
    for round in 0..300 {
        let chars: Vec<usize> = text.char_indices().map(|(at, _)| at).collect();
        let from = random.usize(..chars.len());
        let to = (from + random.usize(..8)).min(chars.len() - 1);
        let (from, to) = (chars[from], chars[to]);
        let piece = pieces[random.usize(..pieces.len())];
        let ([a, b], [c, d]) = (place_of(&text, from), place_of(&text, to));
        editor.change(Some([a, b, c, d]), piece);
        text.replace_range(from..to, piece);
        if round % 20 == 0 {
            let questions = ["textDocument/documentSymbol", "textDocument/formatting"];
            let mut params = file();
            params["options"] = json!({ "tabSize": 2, "insertSpaces": true });
            let all = |editor: &mut Editor| {
                questions.map(|method| editor.ask(method, params.clone()).unwrap())
            };
            let after_changes = all(&mut editor);
            editor.change(None, &text);
            assert_eq!(after_changes, all(&mut editor), "{text}");
        }
    }
    let found = editor.diagnostics();
    editor.change(None, &text);
    assert_eq!(found, editor.diagnostics());
}

#[test]
fn the_library_is_understood() {
    let mut editor = Editor::with(PROGRAM);
    let errors = editor
        .diagnostics()
        .into_iter()
        .filter(|d| d["severity"] == 1);
    assert_eq!(errors.collect::<Vec<_>>(), Vec::<Value>::new());
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
    // A text that does not parse stays as it is.
    editor.change(None, "proc main( {");
    assert_eq!(
        editor.ask("textDocument/formatting", params).unwrap(),
        Value::Null
    );
}
