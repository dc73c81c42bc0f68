//! The tool's output for programs fits the schemas in `docs/schema`.
//!
//! The schemas use a small part of JSON Schema, and so does the validator here: it refuses a keyword
//! that it does not know. SARIF is checked by the parts of its schema that are used.

use std::path::Path;
use std::process::Command;

use serde_json::{Value, json};

use crate::native::{can, compiled, dbverify, said};

const EXAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/async-programs");

fn schema_named(name: &str) -> Value {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/schema");
    let text = std::fs::read_to_string(format!("{folder}/{name}.json")).unwrap();
    serde_json::from_str(&text).unwrap()
}

fn run(args: &[&str]) -> Value {
    let mut command = Command::new(env!("CARGO_BIN_EXE_dbverify"));
    let output = command.current_dir(EXAMPLES).args(args).output().unwrap();
    serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{args:?}: {e}"))
}

fn has_type(value: &Value, name: &str) -> bool {
    match name {
        "object" => value.is_object(),
        "array" => value.is_array(),
        "string" => value.is_string(),
        "boolean" => value.is_boolean(),
        "null" => value.is_null(),
        "number" => value.is_number(),
        "integer" => value.is_i64() || value.is_u64(),
        other => panic!("type {other}"),
    }
}

#[test]
fn each_schema_has_a_name_of_its_own() {
    let name = |schema_name| {
        schema_named(schema_name)["$id"]
            .as_str()
            .unwrap()
            .to_owned()
    };
    let names = ["answer", "diagnostics", "execution", "run", "test", "trace"].map(name);
    let all = std::collections::BTreeSet::from(names.clone());
    assert_eq!(all.len(), names.len());
    assert!(
        names
            .iter()
            .all(|name| name.starts_with("urn:dbverify:schema:"))
    );
}

/// Lists what is wrong with a value, by place.
fn problems(root: &Value, schema: &Value, value: &Value, at: &str, out: &mut Vec<String>) {
    for (keyword, rule) in schema.as_object().unwrap() {
        let holds = match keyword.as_str() {
            "$schema" | "$id" | "title" | "description" | "$defs" => true,
            "$ref" => {
                let (name, path) = rule.as_str().unwrap().split_once('#').unwrap();
                let other = (name.split(':').nth(3)).map(schema_named);
                let root = other.as_ref().unwrap_or(root);
                problems(root, root.pointer(path).unwrap(), value, at, out);
                true
            }
            "type" => match rule {
                Value::String(name) => has_type(value, name),
                names => {
                    (names.as_array().unwrap().iter()).any(|n| has_type(value, n.as_str().unwrap()))
                }
            },
            "const" => value == rule,
            "enum" => rule.as_array().unwrap().contains(value),
            "minimum" => value.as_i64().is_none_or(|n| n >= rule.as_i64().unwrap()),
            "required" => value.as_object().is_none_or(|o| {
                rule.as_array()
                    .unwrap()
                    .iter()
                    .all(|k| o.contains_key(k.as_str().unwrap()))
            }),
            "items" => {
                for (i, item) in value.as_array().into_iter().flatten().enumerate() {
                    problems(root, rule, item, &format!("{at}/{i}"), out);
                }
                true
            }
            "properties" => {
                for (key, inner) in value.as_object().into_iter().flatten() {
                    if let Some(rule) = rule.get(key) {
                        problems(root, rule, inner, &format!("{at}/{key}"), out);
                    }
                }
                true
            }
            "additionalProperties" => {
                let known = schema.get("properties");
                let more = value.as_object().into_iter().flatten();
                let mut more =
                    more.filter(|(k, _)| known.is_none_or(|p| p.get(k.as_str()).is_none()));
                if rule == false {
                    more.next().is_none()
                } else {
                    for (key, inner) in more {
                        problems(root, rule, inner, &format!("{at}/{key}"), out);
                    }
                    true
                }
            }
            other => panic!("keyword {other}"),
        };
        if !holds {
            out.push(format!("{at}: {keyword} {rule}"));
        }
    }
}

fn check(schema: &Value, value: &Value) -> Vec<String> {
    let mut out = Vec::new();
    problems(schema, schema, value, "", &mut out);
    out
}

const RUNS: [&[&str]; 7] = [
    &["explore", "lost_wakeup_bug.async"],
    &["explore", "bank_account_bug.async", "--all", "--finals"],
    &["explore", "spin_loop_cached_bug.async", "--fair"],
    &["explore", "bank_account.async", "--finals"],
    &["explore", "bank_account_bug.async", "--divergence"],
    &["explore", "bank_account_bug.async", "--races"],
    &["timer_cancel_bug.async", "--delays", "0..2"],
];

#[test]
fn answers_are_as_their_schema_says() {
    let schema = schema_named("answer");
    for args in RUNS {
        let answer = run(&[args, &["--format", "json"]].concat());
        assert_eq!(check(&schema, &answer), [""; 0], "{args:?}");
    }
    let stopped = [
        "explore",
        "bank_account.async",
        "--max-steps",
        "2",
        "--format",
        "json",
    ];
    let stopped = run(&stopped);
    assert_eq!(stopped["verdict"], "inconclusive");
    assert_eq!(check(&schema, &stopped), [""; 0]);
}

#[test]
fn executions_are_as_their_schema_says() {
    let schema = schema_named("execution");
    for (args, ended) in [
        (&["bank_account.async"][..], "finished"),
        (
            &["bank_account.async", "--seed", "3", "--max-steps", "1"],
            "stopped",
        ),
        (
            &["bank_account.async", "--to", "1", "--runs", "2"],
            "nowhere",
        ),
    ] {
        let execution = run(&[&["simulate"], args, &["--format", "json"]].concat());
        assert_eq!(check(&schema, &execution), [""; 0], "{args:?}");
        assert_eq!(execution["ended"], ended, "{execution}");
        let log = run(&[&["simulate"], args, &["--format", "sarif"]].concat());
        assert_eq!(log["runs"][0]["results"], json!([]), "{log}");
    }
    let folder = tempfile::tempdir().unwrap();
    let bug = folder.path().join("bug.async");
    std::fs::write(&bug, "var x: int := 1; proc main() { assert x == 2; }").unwrap();
    let args = ["simulate", bug.to_str().unwrap(), "--format"];
    let execution = run(&[&args[..], &["json"]].concat());
    assert_eq!(check(&schema, &execution), [""; 0]);
    assert_eq!(execution["error"]["message"], "x == 2 is false with x = 1");
    let log = run(&[&args[..], &["sarif"]].concat());
    let message = &log["runs"][0]["results"][0]["message"]["text"];
    assert_eq!(message, "x == 2 is false with x = 1");
}

/// One part of a search, and the answer of all of them.
#[test]
fn parts_of_a_search_are_as_the_schema_says() {
    let schema = schema_named("answer");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("1.json");
    let options = ["--strategy", "random", "--shard", "1/1", "--format", "json"];
    let part = run(&[&["explore", "bank_account.async"], &options[..]].concat());
    assert_eq!(check(&schema, &part), [""; 0], "{part}");
    std::fs::write(&path, part.to_string()).unwrap();
    let merged = run(&["merge", path.to_str().unwrap(), "--format", "json"]);
    assert_eq!(check(&schema, &merged), [""; 0], "{merged}");
}

/// A program that ran: one with a bug, one without, and one whose accesses are not seen.
#[test]
fn answers_of_runs_are_as_their_schema_says() {
    if !can("gcc") {
        return;
    }
    let (schema, folder) = (schema_named("run"), tempfile::tempdir().unwrap());
    let counter = |name: &str| Path::new(EXAMPLES).join("../native").join(name);
    let bug = compiled(folder.path(), &counter("counter.c"));
    let safe = compiled(folder.path(), &counter("counter_repaired.c"));
    let mut gcc = Command::new("gcc");
    gcc.args(["-w", "-o", "plain"]).arg(counter("counter.c"));
    assert!(gcc.current_dir(&folder).status().unwrap().success());
    for (program, verdict, key) in [
        (&*bug, "bug", "error"),
        (&*safe, "safe", "exhaustive"),
        ("./plain", "inconclusive", "reason"),
    ] {
        let line = ["run", "--delays", "any", "--format", "json", "--", program];
        let output = dbverify(folder.path(), &line);
        let answer: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(check(&schema, &answer), [""; 0], "{program}");
        assert_eq!(answer["verdict"], verdict, "{answer}");
        assert!(answer.get(key).is_some(), "{answer}");
        let mut other = answer;
        other["schema"] = json!("dbverify/1");
        assert!(!check(&schema, &other).is_empty());
    }
    // Without a schedule there is no verdict.
    let none = ["run", "--strategy", "random", "--runs", "0", "--", &bug];
    let none = dbverify(folder.path(), &none);
    assert_eq!(none.status.code(), Some(2), "{}", said(&none));
    assert!(said(&none).contains("it must be at least 1"));
}

/// A counterexample names its program as the command line did.
#[test]
fn a_counterexample_says_where_its_program_is() {
    if !can("gcc") {
        return;
    }
    let (folder, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let source = Path::new(EXAMPLES).join("../native/counter.c");
    let name = compiled(folder.path(), &source);
    let found = ["run", "--trace-out", "t.json", "--", &name];
    assert_eq!(dbverify(folder.path(), &found).status.code(), Some(1));
    let trace = folder.path().join("t.json");
    let again = ["replay", trace.to_str().unwrap()];
    assert_eq!(dbverify(folder.path(), &again).status.code(), Some(1));
    let away = dbverify(other.path(), &again);
    assert_eq!(away.status.code(), Some(2));
    assert!(said(&away).contains("replay it there"), "{}", said(&away));
}

#[test]
fn traces_are_as_their_schema_says() {
    let schema = schema_named("trace");
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("trace.json");
    for args in RUNS {
        drop(std::fs::remove_file(&path));
        run(&[
            args,
            &["--format", "json", "--trace-out", path.to_str().unwrap()],
        ]
        .concat());
        let Ok(text) = std::fs::read_to_string(&path) else {
            continue;
        };
        let trace: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(check(&schema, &trace), [""; 0], "{args:?}");
    }
}

#[test]
fn simulated_executions_are_traces_too() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("trace.json");
    let file = path.to_str().unwrap();
    run(&[
        "simulate",
        "bakery.async",
        "--format",
        "json",
        "--trace-out",
        file,
    ]);
    let text = std::fs::read_to_string(&path).unwrap();
    let trace: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(trace["error"], Value::Null);
    assert_eq!(check(&schema_named("trace"), &trace), [""; 0]);
}

#[test]
fn complaints_are_as_their_schema_says() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("wrong.async");
    std::fs::write(&path, "var x: int := true;\nproc main() { y := 1; }\n").unwrap();
    let answer = run(&["check", path.to_str().unwrap(), "--format", "json"]);
    assert!(!answer["diagnostics"].as_array().unwrap().is_empty());
    assert_eq!(check(&schema_named("diagnostics"), &answer), [""; 0]);
}

#[test]
fn the_schemas_refuse_what_is_wrong() {
    let schema = schema_named("answer");
    let right = run(&["explore", "lost_wakeup_bug.async", "--format", "json"]);
    for (place, wrong) in [
        ("/verdict", json!("maybe")),
        ("/schema", json!("dbverify/2")),
        ("/trace/0/task", json!(-1)),
        ("/trace/0/changed", json!({ "x": 1 })),
        ("/error/kind", json!("Deadlock")),
        ("/stats", json!([])),
    ] {
        let mut answer = right.clone();
        *answer.pointer_mut(place).unwrap() = wrong;
        assert!(!check(&schema, &answer).is_empty(), "{place}");
    }
    // Keys may be added in later versions.
    let mut answer = right;
    answer["surprise"] = json!(1);
    assert_eq!(check(&schema, &answer), [""; 0]);
}

/// The parts of the SARIF 2.1.0 schema that are used.
fn sarif() -> Value {
    let text = json!({ "type": "object", "required": ["text"], "additionalProperties": false, "properties": { "text": { "type": "string" } } });
    let location = json!({
        "type": "object", "additionalProperties": false,
        "properties": {
            "message": { "$ref": "#/$defs/text" },
            "physicalLocation": {
                "type": "object", "required": ["artifactLocation"], "additionalProperties": false,
                "properties": {
                    "artifactLocation": { "type": "object", "required": ["uri"], "additionalProperties": false, "properties": { "uri": { "type": "string" } } },
                    "region": { "type": "object", "additionalProperties": false, "properties": { "startLine": { "type": "integer", "minimum": 1 }, "startColumn": { "type": "integer", "minimum": 1 },
                        "endLine": { "type": "integer", "minimum": 1 }, "endColumn": { "type": "integer", "minimum": 1 } } }
                }
            }
        }
    });
    let list = |of: Value| json!({ "type": "array", "items": of });
    let flow = json!({ "type": "object", "required": ["locations"], "additionalProperties": false, "properties": {
        "locations": list(json!({ "type": "object", "additionalProperties": false, "properties": { "location": { "$ref": "#/$defs/location" } } })) } });
    let level = json!({ "enum": ["none", "note", "warning", "error"] });
    let result = json!({ "type": "object", "required": ["message"], "additionalProperties": false, "properties": {
        "ruleId": { "type": "string" }, "level": level, "message": { "$ref": "#/$defs/text" },
        "ruleIndex": { "type": "integer", "minimum": 0 }, "partialFingerprints": { "type": "object" },
        "locations": list(json!({ "$ref": "#/$defs/location" })),
        "codeFlows": list(json!({ "type": "object", "required": ["threadFlows"], "additionalProperties": false, "properties": { "threadFlows": list(flow) } })) } });
    let help = json!({ "type": "object", "required": ["text"], "additionalProperties": false, "properties": { "text": { "type": "string" }, "markdown": { "type": "string" } } });
    // Code scanning asks for all of these.
    let rule = json!({ "type": "object", "required": ["id", "shortDescription", "fullDescription", "help", "defaultConfiguration"], "additionalProperties": false, "properties": {
        "id": { "type": "string" }, "shortDescription": { "$ref": "#/$defs/text" }, "fullDescription": { "$ref": "#/$defs/text" }, "help": help,
        "defaultConfiguration": { "type": "object" }, "properties": { "type": "object" } } });
    let invocation = json!({ "type": "object", "required": ["executionSuccessful"], "additionalProperties": false, "properties": {
        "executionSuccessful": { "type": "boolean" },
        "toolExecutionNotifications": list(json!({ "type": "object", "required": ["message"], "additionalProperties": false, "properties": { "level": level, "message": { "$ref": "#/$defs/text" },
            "descriptor": { "type": "object", "required": ["id"], "additionalProperties": false, "properties": { "id": { "type": "string" } } } } })) } });
    let driver = json!({ "type": "object", "required": ["name", "informationUri"], "additionalProperties": false, "properties": { "name": { "type": "string" }, "version": { "type": "string" }, "informationUri": { "type": "string" }, "rules": list(rule) } });
    let run = json!({ "type": "object", "required": ["tool"], "additionalProperties": false, "properties": {
        "tool": { "type": "object", "required": ["driver"], "additionalProperties": false, "properties": { "driver": driver } },
        "automationDetails": { "type": "object", "required": ["id"], "properties": { "id": { "type": "string" } } }, "properties": { "type": "object" },
        "columnKind": { "enum": ["utf16CodeUnits", "unicodeCodePoints"] }, "invocations": list(invocation), "results": list(result) } });
    json!({
        "type": "object", "required": ["version", "runs"], "additionalProperties": false,
        "properties": { "$schema": { "type": "string" }, "version": { "const": "2.1.0" }, "runs": list(run) },
        "$defs": { "text": text, "location": location }
    })
}

#[test]
fn sarif_has_the_required_structure() {
    for args in RUNS {
        let log = run(&[args, &["--format", "sarif"]].concat());
        assert_eq!(check(&sarif(), &log), [""; 0], "{args:?}");
        every_result_has_its_rule(&log);
    }
}

/// The log of a run that failed says so, and why.
#[test]
fn a_log_says_whether_the_run_succeeded() {
    let folder = tempfile::tempdir().unwrap();
    let wrong = folder.path().join("wrong.async");
    std::fs::write(&wrong, "proc main() { y := 1; }\n").unwrap();
    let wrong = wrong.to_str().unwrap();
    for (args, results, told) in [
        (&["check", wrong][..], 1, ""),
        (&["explore", "bank_account.async"], 0, ""),
        (&["explore", "nofile.async"], 0, "cannot read nofile.async"),
        (&["explore", wrong], 1, "the program has errors"),
        (
            &["explore", "bank_account.async", "--nondet", "0..1"],
            0,
            "--nondet",
        ),
        (
            &[
                "explore",
                "bank_account.async",
                "--strategy",
                "random",
                "--runs",
                "1",
                "--require-exhaustive",
            ],
            0,
            "--require-exhaustive",
        ),
    ] {
        let log = run(&[args, &["--format", "sarif"]].concat());
        assert_eq!(check(&sarif(), &log), [""; 0], "{args:?}");
        let run = &log["runs"][0];
        let found = run["results"].as_array().unwrap();
        assert_eq!(found.len(), results, "{args:?}: {log}");
        let invocation = &run["invocations"][0];
        assert_eq!(invocation["executionSuccessful"], told.is_empty(), "{log}");
        let text = invocation["toolExecutionNotifications"].to_string();
        assert!(text.contains(told), "{args:?}: {text}");
        assert_eq!(
            text.contains("\"level\":\"error\""),
            !told.is_empty(),
            "{text}"
        );
    }
}

/// Every result names a rule that the log describes, is found again by a fingerprint, and marks a range.
fn every_result_has_its_rule(log: &Value) {
    let run = &log["runs"][0];
    for result in run["results"].as_array().unwrap() {
        let index = usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap();
        let rule = &run["tool"]["driver"]["rules"][index];
        assert_eq!(rule["id"], result["ruleId"]);
        if let Some(place) = result.pointer("/locations/0/physicalLocation/region") {
            assert!(place["endColumn"].is_u64(), "{result}");
            assert!(result["partialFingerprints"].is_object(), "{result}");
        }
    }
}

#[test]
fn complaints_are_results_with_rules_too() {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in [
        ("a.async", "var x: int := true;\nproc main() { y := 1; }\n"),
        ("b.async", "proc main() {\n"),
    ] {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    let folder = folder.path().to_str().unwrap();
    let log = run(&["check", folder, "--format", "sarif"]);
    assert_eq!(check(&sarif(), &log), [""; 0]);
    every_result_has_its_rule(&log);
    let results = log["runs"][0]["results"].as_array().unwrap();
    assert!(results.len() >= 3, "{log:#}");
    let list = run(&["check", folder, "--format", "json"]);
    assert_eq!(check(&schema_named("diagnostics"), &list), [""; 0]);
    assert_eq!(list["files"].as_array().unwrap().len(), 2);
    assert_eq!(list["diagnostics"].as_array().unwrap().len(), results.len());
}

#[test]
fn reports_of_tests_are_as_their_schema_says() {
    let report = run(&[
        "test",
        "bakery.async",
        "lost_wakeup_bug.async",
        "--format",
        "json",
    ]);
    assert_eq!(check(&schema_named("test"), &report), [""; 0]);
}
