//! The language server and names: hovers, places, renaming, completion.

use crate::editor::programs::PROGRAM;
use crate::editor::{Editor, URI, about, file, place, rename};
use serde_json::{Value, json};

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

#[test]
fn a_comment_is_about_what_stands_first_in_a_line() {
    let text =
        "/// The first.\nvar a: int := 0; /* no */ var b: int := 0;\nproc main() { a := b; }\n";
    let mut editor = Editor::with(text);
    assert!(hover(&mut editor, text, "a:", 0).contains("\nThe first."));
    assert!(!hover(&mut editor, text, "b:", 0).contains("The first."));
}

#[test]
fn comments_of_both_kinds_above_and_behind_are_those_of_a_name() {
    let text = "var a: int := 0; // what a is\n/* First of p.\n * Second of p. */\n// Third of p.\nproc p() { a := 1; }\n\
                // of nothing\n\nproc q() {\n  var l: int := 2; /* what l is */\n  a := l;\n}\n\
                type R = record {\n  x: int, // what x is\n  y: int // what y is\n};\n\
                type E = enum { A, // what A is\n  // what B is\n  B };\nvar r: R;\nvar e: E;\n\
                proc main() { call p(); call q(); r.x := 1; r.y := 2; e := B; }\n";
    let mut editor = Editor::with(text);
    for (word, said) in [
        ("a:", "\nwhat a is\n"),
        ("p()", "\nFirst of p.\nSecond of p.\nThird of p.\n"),
        ("l:", "\nwhat l is\n"),
        ("x:", "\nwhat x is\n"),
        ("y:", "\nwhat y is\n"),
        ("A,", "\nwhat A is\n"),
        ("B }", "\nwhat B is\n"),
    ] {
        let shown = hover(&mut editor, text, word, 0);
        assert!(shown.ends_with(said), "{word}: {shown}");
    }
    for word in ["q()", "r:"] {
        let shown = hover(&mut editor, text, word, 0);
        assert!(shown.ends_with("```\n"), "{word}: {shown}");
    }
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

/// An object type that takes a type.
const TYPED: &str = "\
use sync;
use async;
type Req = record { id: int, done: bool };
object Latest(T: type, n: int) {
  var value: T := default(T);
  op publish(given: T) when n > 0 { value := given; }
  op read(): T { return value; }
}
var latest: Latest(Req, 2);
var queue: Queue([2]Req, 3);
var replies: Channel(Req, 1);
proc main() {
  let seen = latest.read();
  let two = queue.take();
  let last = replies.receive(seen);
  assert seen.id == two[0].id && last.done;
}
";

#[test]
fn types_that_objects_take_are_names_like_others() {
    let mut editor = Editor::with(TYPED);
    assert_eq!(editor.diagnostics(), Vec::<Value>::new());
    let shown: Vec<String> = [
        ("T: type", 0),
        ("T := default", 0),
        ("T);", 0),
        ("Latest(Req", 0),
        ("Req, 2", 0),
        ("read();", 0),
        ("seen =", 0),
        ("two =", 0),
        ("id ==", 0),
        ("id &&", 0),
        ("Queue", 0),
        ("Channel", 0),
    ]
    .into_iter()
    .map(|(word, nth)| format!("## {word}\n{}", hover(&mut editor, TYPED, word, nth)))
    .collect();
    insta::assert_snapshot!("lsp_hover_types", shown.join("\n"));
    let to = definition(&mut editor, TYPED, "T { return", 0);
    assert_eq!(to, place(TYPED, "T: type", 0));
    let mut text = TYPED.to_owned();
    for (word, new) in [("T: type", "Value"), ("Req", "Request"), ("id", "number")] {
        text = rename(&mut editor, &text, word, 0, new);
        editor.change(None, &text);
        assert_eq!(editor.diagnostics(), Vec::<Value>::new(), "{word}");
    }
    insta::assert_snapshot!("lsp_renamed_types", text);
    let inside = text.replace("return value; }", "return value; } op more(x: ) {}");
    let outside = text.replace("assert seen.number", "assert seen.");
    for (text, behind, wanted, unwanted) in [
        (&inside, "op more(x: ", "Value Request Latest default", ""),
        (&outside, "assert seen.", "number done", "Value value"),
    ] {
        editor.change(None, text);
        let mut at = about(text, behind, 0);
        let column = at["position"]["character"].as_u64().unwrap() + behind.len() as u64;
        at["position"]["character"] = column.into();
        let answer = editor.ask("textDocument/completion", at).unwrap();
        let items = answer.as_array().unwrap().iter();
        let labels: Vec<&str> = items.filter_map(|i| i["label"].as_str()).collect();
        assert!(wanted.split(' ').all(|w| labels.contains(&w)), "{labels:?}");
        let none = unwanted.split(' ').filter(|w| labels.contains(w)).count();
        assert_eq!(none, 0, "{labels:?}");
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

// ---- Renaming ----

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
        let errors = editor
            .diagnostics()
            .into_iter()
            .filter(|d| d["severity"] == 1);
        assert_eq!(errors.collect::<Vec<_>>(), Vec::<Value>::new(), "{word}");
    }
    insta::assert_snapshot!("lsp_renamed", text);
}

#[test]
#[allow(clippy::too_many_lines, reason = "one story")]
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
    // A field and a variable may share a name. An inner name may hide an outer one that is not used there.
    assert!(rename(&mut editor, text, "f: int", 0, "x").contains("r.x := x;"));
    assert!(rename(&mut editor, text, "b =", 0, "a").contains("let a = a;"));
    assert!(rename(&mut editor, text, "c =", 0, "r").contains("let r = y; x := b + r;"));
    // A word that means something in one place is a name elsewhere.
    assert!(rename(&mut editor, text, "f: int", 0, "when").contains("r.when := x;"));

    let mut editor = Editor::with(PROGRAM);
    let words = refusal(&mut editor, PROGRAM, "lock()", 0, "take");
    assert_eq!(
        words,
        "`lock` is declared in the library, which cannot be changed"
    );
    assert_eq!(
        editor.refused("textDocument/prepareRename", about(PROGRAM, "Mutex", 0)),
        "`Mutex` is declared in the library, which cannot be changed"
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

// ---- Completion ----

/// The items that are offered at the `|` of a text.
fn items(text: &str) -> Vec<Value> {
    let at = about(text, "|", 0);
    let mut editor = Editor::with(&text.replace('|', ""));
    let answer = editor.ask("textDocument/completion", at).unwrap();
    answer.as_array().unwrap().clone()
}

/// The names that are offered at the `|` of a text.
fn offered(text: &str) -> Vec<String> {
    let items = items(text);
    let labels = items.iter().map(|i| i["label"].as_str().unwrap());
    labels.map(str::to_owned).collect()
}

#[test]
fn a_declaration_is_shown_as_it_was_typed() {
    let text = "type P = record { a: int };\nvar p: P|;\nproc main() { p.a := 1; }\n";
    let items = items(text);
    let p = items.iter().find(|i| i["label"] == "p").unwrap();
    assert_eq!(p["detail"], "var p: P");
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
    for line in ["post ", "call se"] {
        let first = offered(&start.replace("  \n", &format!("  {line}|\n")));
        assert!(["main", "serve"].contains(&&*first[0]), "{line}: {first:?}");
    }
    let comment = PROGRAM.replace("// Serves a", "// S|erves a");
    assert_eq!(offered(&comment), Vec::<String>::new());
}

// ---- Several files ----

/// A folder with two files, and the URI of a file of it.
fn two_files() -> (tempfile::TempDir, impl Fn(&str) -> String) {
    let folder = tempfile::tempdir().unwrap();
    let root = folder.path().canonicalize().unwrap();
    std::fs::create_dir(root.join("my lib")).unwrap();
    std::fs::write(root.join("my lib/shared.async"), SHARED).unwrap();
    let root = root.display().to_string();
    let uri = move |name: &str| format!("file://{root}/{}", name.replace(' ', "%20"));
    (folder, uri)
}

const SHARED: &str = "// How many there are.\nvar count: int := 0;\n\n// Makes one more.\nproc more(by: int) {\n  count := count + by;\n}\n";
const USER: &str =
    "use \"my lib/shared.async\";\n\nproc main() {\n  post more(1);\n  count := 2;\n}\n";

#[test]
fn names_of_other_files_are_known() {
    let (_folder, uri) = two_files();
    let mut editor = Editor::ready(Value::Null);
    let main = uri("main.async");
    editor.open_as(&main, "async", USER);
    let at = |word: &str, nth| json!({ "textDocument": { "uri": main }, "position": place(USER, word, nth) });
    let defined = editor
        .ask("textDocument/definition", at("more", 0))
        .unwrap();
    assert_eq!(defined["uri"], uri("my lib/shared.async"));
    assert_eq!(defined["range"]["start"], place(SHARED, "more", 1));
    let hover = editor.ask("textDocument/hover", at("more", 0)).unwrap();
    let hover = hover["contents"]["value"].as_str().unwrap();
    assert!(
        hover.contains("proc more(by: int)") && hover.contains("Makes one more."),
        "{hover}"
    );
    let mut params = at("count", 0);
    params["context"] = json!({ "includeDeclaration": true });
    let all = editor.ask("textDocument/references", params).unwrap();
    let mut all: Vec<(String, u64)> = all
        .as_array()
        .unwrap()
        .iter()
        .map(|l| {
            (
                l["uri"].as_str().unwrap().to_owned(),
                l["range"]["start"]["line"].as_u64().unwrap(),
            )
        })
        .collect();
    all.sort();
    let shared = uri("my lib/shared.async");
    let expected = [
        (main.clone(), 4),
        (shared.clone(), 1),
        (shared.clone(), 5),
        (shared, 5),
    ];
    assert_eq!(all, expected);
}

#[test]
fn names_of_other_files_are_offered_and_no_part_of_this_one() {
    let (_folder, uri) = two_files();
    let mut editor = Editor::ready(Value::Null);
    let main = uri("main.async");
    editor.open_as(&main, "async", USER);
    let at = |word: &str, nth| json!({ "textDocument": { "uri": main }, "position": place(USER, word, nth) });
    let marks = editor
        .ask("textDocument/documentHighlight", at("count", 0))
        .unwrap();
    assert_eq!(marks.as_array().unwrap().len(), 1);
    let offers = editor
        .ask("textDocument/completion", at("count", 0))
        .unwrap();
    let labels: Vec<&str> = offers
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|o| o["label"].as_str())
        .collect();
    assert!(
        labels.contains(&"more") && labels.contains(&"count"),
        "{labels:?}"
    );
    let outline = editor
        .ask(
            "textDocument/documentSymbol",
            json!({ "textDocument": { "uri": main } }),
        )
        .unwrap();
    assert_eq!(outline.as_array().unwrap().len(), 1, "{outline}");
    let help = editor
        .ask("textDocument/signatureHelp", at("1)", 0))
        .unwrap();
    assert!(
        help["signatures"][0]["label"]
            .as_str()
            .unwrap()
            .contains("by: int"),
        "{help}"
    );
}

#[test]
fn names_that_files_share_are_not_renamed() {
    let (_folder, uri) = two_files();
    let mut editor = Editor::ready(Value::Null);
    let (main, shared) = (uri("main.async"), uri("my lib/shared.async"));
    editor.open_as(&main, "async", USER);
    editor.open_as(&shared, "async", SHARED);
    let mut rename = |uri: &str, text: &str, word: &str, nth| {
        let position = place(text, word, nth);
        let params =
            json!({ "textDocument": { "uri": uri }, "position": position, "newName": "other" });
        editor.ask("textDocument/rename", params)
    };
    let said = rename(&main, USER, "count", 0).unwrap_err()["message"].to_string();
    assert!(said.contains("shared.async` too"), "{said}");
    let said = rename(&shared, SHARED, "count", 0).unwrap_err()["message"].to_string();
    assert!(said.contains("no `main`"), "{said}");
    assert!(rename(&shared, SHARED, "by", 0).is_ok());
}

/// A line of another file is told with its file.
#[test]
fn a_name_of_another_file_is_in_the_way() {
    let (_folder, uri) = two_files();
    let mut editor = Editor::ready(Value::Null);
    let main = uri("main.async");
    let text =
        "use \"my lib/shared.async\";\nvar x: int := 0;\nproc main() { x := 1; call more(x); }\n";
    editor.open_as(&main, "async", text);
    let position = place(text, "x", 0);
    let params =
        json!({ "textDocument": { "uri": main }, "position": position, "newName": "count" });
    let refused = editor.ask("textDocument/rename", params).unwrap_err();
    let said = refused["message"].to_string();
    assert!(
        said.contains("declares") && said.contains("line 2 of "),
        "{said}"
    );
    assert!(said.contains("shared.async"), "{said}");
}

#[test]
fn what_a_file_uses_is_read_again_when_it_is_saved() {
    let (folder, uri) = two_files();
    let mut editor = Editor::ready(Value::Null);
    let (main, shared) = (uri("main.async"), uri("my lib/shared.async"));
    editor.open_as(&main, "async", USER);
    let problems = |editor: &mut Editor| {
        let message = editor.wait(|m| {
            m["method"] == "textDocument/publishDiagnostics" && m["params"]["uri"] == main.as_str()
        });
        message["params"]["diagnostics"].as_array().unwrap().len()
    };
    assert_eq!(problems(&mut editor), 0);
    let without = SHARED.replace("proc more", "proc less");
    std::fs::write(folder.path().join("my lib/shared.async"), without).unwrap();
    editor.tell(
        "textDocument/didSave",
        json!({ "textDocument": { "uri": shared } }),
    );
    assert_eq!(problems(&mut editor), 1);
}
