//! Things that an editor shows beside the text: lenses, folds, colours, parameters, mended names. And C files.

use crate::editor::programs::PROGRAM;
use crate::editor::{Editor, URI, about, actions, edited, file, place};
use serde_json::{Value, json};

#[test]
fn questions_stand_above_main() {
    let mut editor = Editor::with(PROGRAM);
    let lenses = editor.ask("textDocument/codeLens", file()).unwrap();
    let lenses = lenses.as_array().unwrap();
    let commands: Vec<&Value> = lenses.iter().map(|l| &l["command"]["command"]).collect();
    assert_eq!(
        commands,
        ["dbverify.verify", "dbverify.explore", "dbverify.prove"]
    );
    for lens in lenses {
        assert_eq!(lens["range"]["start"], place(PROGRAM, "main", 0));
    }
    let proof = lenses[2]["command"].clone();
    let result = editor.ask("workspace/executeCommand", proof).unwrap();
    assert!(result["verdict"].is_string(), "{result}");
    editor.change(None, "proc other() { }");
    let none = editor.ask("textDocument/codeLens", file()).unwrap();
    assert_eq!(none, json!([]));
}

#[test]
fn blocks_fold() {
    let mut editor = Editor::with(PROGRAM);
    let folds = editor.ask("textDocument/foldingRange", file()).unwrap();
    let main = place(PROGRAM, "main", 0)["line"].clone();
    let folds = folds.as_array().unwrap();
    assert!(folds.iter().any(|f| f["startLine"] == main), "{folds:?}");
}

#[test]
fn names_have_colours() {
    let mut editor = Editor::with(PROGRAM);
    let answer = editor
        .ask("textDocument/semanticTokens/full", file())
        .unwrap();
    let data: Vec<u64> = serde_json::from_value(answer["data"].clone()).unwrap();
    let (mut line, mut column) = (0, 0);
    let mut found = Vec::new();
    for token in data.chunks(5) {
        column = if token[0] == 0 { column } else { 0 } + token[1];
        line += token[0];
        found.push((line, column, token[2], token[3], token[4]));
    }
    let at = |word: &str, nth: usize| {
        let place = place(PROGRAM, word, nth);
        let (line, column) = (place["line"].as_u64(), place["character"].as_u64());
        let found = found
            .iter()
            .find(|t| (Some(t.0), Some(t.1)) == (line, column));
        found.map(|t| (t.2, t.3, t.4))
    };
    // Length, kind, modifiers: a declared constant; one that is used, behind an emoji; a type; a member; an operation.
    assert_eq!(at("LIMIT", 0), Some((5, 0, 0b011)));
    assert_eq!(at("LIMIT", 1), Some((5, 0, 0b010)));
    assert_eq!(at("Mode", 1), Some((4, 1, 0)));
    assert_eq!(at("Idle", 1), Some((4, 3, 0b010)));
    assert_eq!(at("lock()", 0), Some((4, 6, 0b100)));
    assert_eq!(at("serve(", 1), Some((5, 4, 0)));
}

#[test]
fn parameters_are_shown_while_a_call_is_written() {
    let text = PROGRAM.replace("call serve(id); }", "call serve( }");
    let mut editor = Editor::with(&text);
    let mut params = about(&text, "call serve(", 0);
    let column = params["position"]["character"].as_u64().unwrap() + 11;
    params["position"]["character"] = column.into();
    let help = editor.ask("textDocument/signatureHelp", params).unwrap();
    let signature = &help["signatures"][0];
    assert_eq!(signature["label"], "proc serve(id: int): bool", "{help}");
    assert_eq!(signature["parameters"][0]["label"], "id");
    let outside = editor
        .ask("textDocument/signatureHelp", about(&text, "use sync", 0))
        .unwrap();
    assert_eq!(outside, Value::Null);
}

#[test]
fn a_misspelt_name_is_mended() {
    let text = "var counter: int := 0;\nproc main() { countr := 1; }\n";
    let mut editor = Editor::with(text);
    while editor.diagnostics().is_empty() {}
    let wrong = place(text, "countr ", 0);
    let mut params = file();
    params["range"] = json!({ "start": wrong, "end": wrong });
    params["context"] = json!({ "diagnostics": [], "only": ["quickfix"] });
    let offers = editor.ask("textDocument/codeAction", params).unwrap();
    assert_eq!(offers[0]["title"], "Change to `counter`", "{offers}");
    let mended = edited(text, &offers[0]["edit"]["changes"][URI]);
    assert_eq!(mended, text.replace("countr ", "counter "));
    // Elsewhere there is nothing to mend.
    let kinds: Vec<Value> = actions(&mut editor)
        .iter()
        .map(|a| a["kind"].clone())
        .collect();
    assert_eq!(kinds, ["source", "source", "source"]);
}

#[test]
fn c_files_are_checked_and_verified_with_their_headers() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("shared.h"), "extern int x;\n").unwrap();
    let program = "#include <assert.h>\n#include <pthread.h>\n#include \"shared.h\"\nint x;\n\
        void *add(void *p) { int old = x; x = old + 1; return 0; }\n\
        int main(void) {\n  pthread_t t;\n  pthread_create(&t, 0, add, 0);\n  add(0);\n  \
        pthread_join(t, 0);\n  assert(x == 2);\n}\n";
    let uri = format!("file://{}/race.c", folder.path().display());
    let mut editor = Editor::ready(Value::Null);
    let diagnostics = |editor: &mut Editor| {
        let told = editor.told("textDocument/publishDiagnostics");
        told["diagnostics"].as_array().unwrap().clone()
    };
    editor.open_as(&uri, "c", program);
    assert_eq!(diagnostics(&mut editor), Vec::<Value>::new());
    let document = json!({ "textDocument": { "uri": uri } });
    let lenses = editor
        .ask("textDocument/codeLens", document.clone())
        .unwrap();
    assert_eq!(lenses[0]["range"]["start"]["line"], 5);
    let question = lenses[0]["command"].clone();
    let result = editor.ask("workspace/executeCommand", question).unwrap();
    assert_eq!(result["verdict"], "bug", "{result}");
    assert!(
        result["text"].as_str().unwrap().contains("race.c:11"),
        "{result}"
    );
    assert_eq!(diagnostics(&mut editor)[0]["range"]["start"]["line"], 10);
    let nothing = editor.ask("textDocument/formatting", {
        let mut params = document;
        params["options"] = json!({ "tabSize": 2, "insertSpaces": true });
        params
    });
    assert_eq!(nothing.unwrap(), Value::Null);
    editor.open_as(&uri, "c", "int main(void) { return y; }\n");
    let wrong = diagnostics(&mut editor);
    assert!(
        wrong[0]["message"].as_str().unwrap().contains("`y`"),
        "{wrong:?}"
    );
}
