//! The files in `editors/` fit the language and the server: the same words, the same commands.

use std::collections::BTreeSet;
use std::path::PathBuf;

use dbverify::ast::token::Tok;
use serde_json::Value;

fn path(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
        .join("editors")
        .join(name)
}

fn read(name: &str) -> String {
    std::fs::read_to_string(path(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
}

fn json(name: &str) -> Value {
    serde_json::from_str(&read(name)).unwrap_or_else(|e| panic!("{name}: {e}"))
}

fn words() -> BTreeSet<String> {
    Tok::words().map(str::to_owned).collect()
}

/// All strings at a key, anywhere in a document.
fn strings_at(value: &Value, wanted: &str, found: &mut Vec<String>) {
    match value {
        Value::Object(object) => {
            for (key, value) in object {
                match value {
                    Value::String(text) if key == wanted => found.push(text.clone()),
                    _ => strings_at(value, wanted, found),
                }
            }
        }
        Value::Array(list) => list.iter().for_each(|v| strings_at(v, wanted, found)),
        _ => {}
    }
}

#[test]
fn the_grammar_of_vs_code_has_the_words_of_the_language() {
    let grammar = json("vscode/syntaxes/async.tmLanguage.json");
    let mut patterns = Vec::new();
    strings_at(&grammar, "match", &mut patterns);
    let listed = patterns.iter().flat_map(|pattern| {
        let inner = pattern.split('(').filter_map(|part| part.split_once(')'));
        let lists = inner.map(|(list, _)| list).filter(|list| {
            let word = |w: &str| !w.is_empty() && w.bytes().all(|b| b.is_ascii_alphanumeric());
            list.split('|').all(word)
        });
        lists.flat_map(|list| list.split('|').map(str::to_owned).collect::<Vec<_>>())
    });
    assert_eq!(listed.collect::<BTreeSet<_>>(), words());
}

#[test]
fn every_rule_of_the_grammar_exists() {
    let grammar = json("vscode/syntaxes/async.tmLanguage.json");
    let mut included = Vec::new();
    strings_at(&grammar, "include", &mut included);
    assert!(!included.is_empty());
    for name in included {
        assert!(
            grammar["repository"][name.trim_start_matches('#')].is_object(),
            "{name}"
        );
    }
}

#[test]
fn the_syntax_of_vim_has_the_words_of_the_language() {
    let text = read("neovim/syntax/async.vim");
    let lines = text.lines().filter_map(|l| l.strip_prefix("syn keyword "));
    let listed = lines.flat_map(|l| l.split(' ').skip(1)).map(str::to_owned);
    let mut expected = words();
    expected.insert("self".to_owned());
    assert_eq!(listed.collect::<BTreeSet<_>>(), expected);
}

#[test]
fn the_extension_names_files_that_exist_and_commands_that_it_has() {
    let package = json("vscode/package.json");
    assert_eq!(package["version"], env!("CARGO_PKG_VERSION"));
    let contributes = &package["contributes"];
    // It is made of this file, with all that it needs.
    assert_eq!(package["main"], "./dist/extension.js");
    assert!(
        package["scripts"]["build"]
            .as_str()
            .unwrap()
            .starts_with("esbuild extension.js ")
    );
    let address = package["repository"]["url"].as_str();
    assert_eq!(address, Some(env!("CARGO_PKG_REPOSITORY")));
    let files = [
        &package["icon"],
        &contributes["languages"][0]["configuration"],
        &contributes["grammars"][0]["path"],
    ];
    for file in files {
        let name = file.as_str().unwrap();
        assert!(path("vscode").join(name).is_file(), "{name}");
    }
    let configuration = json("vscode/language-configuration.json");
    assert_eq!(configuration["comments"]["lineComment"], "//");
    let code = read("vscode/extension.js");
    for command in contributes["commands"].as_array().unwrap() {
        let name = command["command"].as_str().unwrap();
        assert!(code.contains(&format!("\"{name}\"")), "{name}");
    }
    let properties = contributes["configuration"]["properties"]
        .as_object()
        .unwrap();
    for name in properties.keys() {
        let name = name.strip_prefix("dbverify.").unwrap();
        assert!(code.contains(name), "{name}");
    }
}

#[test]
fn settings_are_documented_with_their_defaults() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/editor.md");
    let page = std::fs::read_to_string(page).unwrap();
    let package = json("vscode/package.json");
    let properties = package["contributes"]["configuration"]["properties"]
        .as_object()
        .unwrap();
    for (name, property) in properties.iter().filter(|(n, _)| *n != "dbverify.path") {
        let name = name.strip_prefix("dbverify.").unwrap();
        let mut lines = page.lines();
        let row = lines.find(|l| l.starts_with(&format!("| `{name}` |")));
        let end = format!("| {} |", property["default"]);
        assert!(row.is_some_and(|r| r.ends_with(&end)), "{name}: {row:?}");
    }
}

#[test]
fn clients_ask_for_commands_that_the_server_has() {
    let server = [
        "dbverify.verify",
        "dbverify.explore",
        "dbverify.prove",
        "dbverify.trace",
    ];
    for client in ["vscode/extension.js", "neovim/ftplugin/async.lua"] {
        let code = read(client);
        for command in server {
            assert!(
                code.contains(&format!("\"{command}\"")),
                "{client}: {command}"
            );
        }
    }
    let helix = read("helix/languages.toml");
    assert!(helix.contains("args = [\"lsp\"]") && helix.contains("file-types = [\"async\"]"));
}

#[test]
fn the_queries_of_helix_have_the_words_of_the_language() {
    let text = read("helix/runtime/queries/async/highlights.scm");
    let lists = text.split("\"^(").skip(1);
    let listed = lists.flat_map(|rest| rest.split(')').next().unwrap().split('|'));
    let listed: BTreeSet<String> = listed.map(str::to_owned).collect();
    assert_eq!(listed, words());
    assert!(read("helix/languages.toml").contains("grammar = \"rust\""));
}

/// Neovim itself is asked for the colour of each word.
#[test]
fn neovim_highlights_a_program() {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("p.async");
    let said = folder.path().join("said");
    std::fs::write(&program, "proc main() { assert 1 == 1; } // why\n").unwrap();
    let groups = "map([1, 6, 15, 22, 32], 'synIDattr(synID(1, v:val, 1), \"name\")')";
    let output = std::process::Command::new("nvim")
        .args(["--headless", "-u", "NONE", "-i", "NONE", "--cmd"])
        .arg(format!("set runtimepath^={}", path("neovim").display()))
        .args(["-c", "filetype on", "-c", "syntax on", "-c"])
        .arg(format!("edit {}", program.display()))
        .args([
            "-c",
            &format!("call writefile({groups}, '{}')", said.display()),
        ])
        .args(["-c", "qa!"])
        .output();
    if let Err(error) = &output {
        eprintln!("note: nvim: {error}; the highlighting was not tried in it");
        return;
    }
    let said = std::fs::read_to_string(said).unwrap_or_else(|e| panic!("{e}: {output:?}"));
    let expected = "asyncDeclaration asyncFunction asyncAssertion asyncNumber asyncComment";
    assert_eq!(
        said.split_whitespace().collect::<Vec<_>>().join(" "),
        expected
    );
}
