//! Verifying from an editor: verdicts, diagnostics with traces, calling off.

use crate::editor::programs::{BUGGY, ENDLESS, SAFE};
use crate::editor::{Editor, URI, about, actions, place, rename, verify};
use serde_json::{Value, json};

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
    // Clients that jump along them get them with the answer.
    assert_eq!(result["steps"].as_array(), Some(steps));
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
    // The diagnostics go when the text changes.
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
        json!({ "settings": { "dbverify": { "delays": "1..0" } } }),
    );
    let wrong = "the setting `delays` is wrong and changes nothing: \"1..0\"";
    editor.wait(|m| m["params"]["message"] == wrong);
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
    let params =
        json!({ "command": "dbverify.verify", "arguments": [{ "uri": URI, "delays": "1..0" }] });
    let answer = editor.ask("workspace/executeCommand", params).unwrap();
    assert_eq!(answer["verdict"], "bug");
    editor.wait(|m| m["params"]["message"] == wrong);
}

/// An assertion without a message of its own says which values make it false.
#[test]
fn an_assertion_without_words_is_shown_with_its_values() {
    let mut editor = Editor::with("var x: int := 1;\nproc main() { assert x == 2; }\n");
    assert_eq!(editor.diagnostics(), Vec::<Value>::new());
    verify(&mut editor, "dbverify.verify").unwrap();
    let bug = editor.diagnostics().remove(0);
    assert_eq!(bug["message"], "assertion: x == 2 is false with x = 1");
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

#[test]
fn what_takes_too_long_can_be_called_off() {
    let mut editor = Editor::ready(json!({ "timeout": 100 }));
    editor.open(ENDLESS);
    let explore = json!({ "command": "dbverify.explore", "arguments": [URI] });
    let first = editor.begin("workspace/executeCommand", explore.clone());
    // Meanwhile the server answers other requests.
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

/// The processes that a process has started.
#[cfg(target_os = "linux")]
fn children(parent: u32) -> Vec<u32> {
    let all = std::fs::read_dir("/proc").unwrap().flatten();
    let numbers = all.filter_map(|e| e.file_name().to_str()?.parse::<u32>().ok());
    let of = |n: &u32| {
        let stat = std::fs::read_to_string(format!("/proc/{n}/stat")).unwrap_or_default();
        let behind = stat.rsplit(')').next().unwrap_or_default().to_owned();
        behind.split_whitespace().nth(1) == Some(&parent.to_string())
    };
    numbers.filter(of).collect()
}

#[cfg(target_os = "linux")]
#[test]
fn a_server_that_is_killed_leaves_nothing_running() {
    let mut editor = Editor::with(ENDLESS);
    editor.begin(
        "workspace/executeCommand",
        json!({ "command": "dbverify.explore", "arguments": [URI] }),
    );
    let soon = |done: &dyn Fn() -> bool| {
        (0..1200).any(|_| {
            std::thread::sleep(std::time::Duration::from_millis(50));
            done()
        })
    };
    let server = editor.process();
    assert!(soon(&|| !children(server).is_empty()), "an engine runs");
    let engines = children(server);
    editor.kill();
    let gone = |n: &u32| {
        let stat = std::fs::read_to_string(format!("/proc/{n}/stat"));
        stat.map_or(true, |s| s.contains(") Z "))
    };
    assert!(soon(&|| engines.iter().all(gone)), "it has ended too");
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

#[test]
fn a_document_may_use_the_files_beside_it() {
    let folder = tempfile::tempdir().unwrap();
    let module = folder.path().join("add.async");
    std::fs::write(
        &module,
        "var x: int := 0;\nproc add() { let t = x; yield; x := t + 1; }\n",
    )
    .unwrap();
    let uri = format!("file://{}/main.async", folder.path().display());
    let text =
        "use \"add.async\";\nproc main() { post add(); post add(); }\nfinally { assert x == 2; }\n";
    let mut editor = Editor::with(SAFE);
    editor.diagnostics();
    editor.open_as(&uri, "async", text);
    assert_eq!(editor.diagnostics(), Vec::<Value>::new());
    let command = json!({ "command": "dbverify.verify", "arguments": [uri] });
    let result = editor.ask("workspace/executeCommand", command).unwrap();
    assert_eq!(result["verdict"], "bug", "{result}");
    assert_eq!(editor.diagnostics().len(), 1);
    // An error in the other file is shown where the document uses that file.
    std::fs::write(&module, "var x: int := true;\n").unwrap();
    std::fs::write(folder.path().join("other.async"), "var y: int := 0;\n").unwrap();
    let text = format!("use \"other.async\";\n{text}");
    editor.open_as(&format!("{uri}2.async"), "async", &text);
    let wrong = editor.diagnostics();
    let told: Vec<&Value> = wrong
        .iter()
        .filter(|d| d["range"]["start"]["line"] == 1)
        .collect();
    let message = told[0]["message"].as_str().unwrap();
    assert!(
        message.contains("add.async:1: expected `int`, found `bool`"),
        "{wrong:?}"
    );
}
