//! Files that are written: never over a file that is read, complete or not at all, and never lost in silence.

use std::path::Path;
use std::process::{Command, Output, Stdio};

fn dbverify(args: &[&str], folder: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_dbverify"))
        .current_dir(folder)
        .args(args)
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

const LOST: &str = "var x: int := 0;
proc add() { x := x + 1; }
proc main() { post add(); post add(); }
finally { assert x == 2, \"lost\"; }
";

/// A folder with a program.
fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("p.async"), LOST).unwrap();
    folder
}

fn names(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).unwrap();
    let mut names: Vec<String> = entries
        .map(|e| e.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

const EXPLORE: [&str; 4] = ["explore", "p.async", "--preempt", "access"];

#[test]
fn nothing_is_written_over_what_is_read() {
    let folder = folder();
    for (more, said) in [
        (&["--trace-out", "p.async"][..], "is the program"),
        (&["--html", "./p.async"], "is the program"),
        (
            &["--trace-out", "t", "--html", "./t"],
            "is the file of the trace",
        ),
        (&["--html", "-"], "standard output"),
        (&["--trace-out", "no/t"], "there is no folder no"),
        (&["--html", "."], "it is a directory"),
    ] {
        let output = dbverify(&[&EXPLORE, more].concat(), folder.path());
        assert_eq!(output.status.code(), Some(2), "{more:?}: {output:?}");
        assert!(stderr(&output).contains(said), "{more:?}: {output:?}");
        assert!(output.stdout.is_empty(), "{more:?}: {output:?}");
        assert_eq!(names(folder.path()), ["p.async"], "{more:?}");
        let text = std::fs::read_to_string(folder.path().join("p.async")).unwrap();
        assert_eq!(text, LOST, "{more:?}");
    }
    dbverify(
        &[&EXPLORE[..], &["--trace-out", "t"]].concat(),
        folder.path(),
    );
    for target in ["t", "p.async"] {
        let output = dbverify(&["replay", "p.async", "t", "--html", target], folder.path());
        assert_eq!(output.status.code(), Some(2), "{output:?}");
    }
}

/// A program in C that fails, of several files.
fn c_folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let compiled = r#"[{"directory": ".", "file": "h.c", "command": "cc -c h.c"}]"#;
    for (name, text) in [
        (
            "h.c",
            "#include <assert.h>\n#include \"q.h\"\nint x;\nint main() { assert(Q); }\n",
        ),
        ("q.h", "#define Q 0\n"),
        ("u.async", "use \"m.async\";\nproc main() { call q(); }\n"),
        ("m.async", "proc q() { assert false; }\n"),
        (
            "p.prp",
            "CHECK( init(main()), LTL(G ! call(reach_error())) )\n",
        ),
        (
            "t.yml",
            "input_files: h.c\nproperties:\n  - property_file: p.prp\n",
        ),
        ("compile_commands.json", compiled),
    ] {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    folder
}

#[test]
fn nothing_is_written_over_what_a_program_uses() {
    let folder = c_folder();
    let before = names(folder.path());
    for (command, target) in [
        ("explore u.async --trace-out", "m.async"),
        ("u.async --html", "./m.async"),
        ("prove u.async --certificate", "m.async"),
        ("simulate u.async --html", "m.async"),
        ("explore h.c --trace-out", "q.h"),
        ("explore h.c --property p.prp --trace-out", "p.prp"),
        ("explore t.yml --trace-out", "t.yml"),
        ("explore t.yml --trace-out", "p.prp"),
        (
            "explore h.c --compile-commands compile_commands.json --html",
            "compile_commands.json",
        ),
        (
            "explore compile_commands.json --html",
            "compile_commands.json",
        ),
    ] {
        let old = std::fs::read(folder.path().join(target)).unwrap();
        let args: Vec<&str> = command.split(' ').chain([target]).collect();
        let output = dbverify(&args, folder.path());
        assert_eq!(output.status.code(), Some(2), "{command}: {output:?}");
        let said = stderr(&output);
        assert!(
            said.contains("it would be overwritten"),
            "{command}: {said}"
        );
        let new = std::fs::read(folder.path().join(target)).unwrap();
        assert_eq!(
            (new, names(folder.path())),
            (old, before.clone()),
            "{command}"
        );
    }
}

#[test]
fn a_task_is_checked_and_its_traces_are_replayed() {
    let folder = c_folder();
    let race = "#include <pthread.h>\nint x;\nvoid *f(void *a) { x = 1; return a; }\nint main() { pthread_t t; pthread_create(&t, 0, f, 0); x = 2; pthread_join(t, 0); }\n";
    std::fs::write(folder.path().join("h.c"), race).unwrap();
    std::fs::write(
        folder.path().join("p.prp"),
        "CHECK( init(main()), LTL(G ! data-race) )\n",
    )
    .unwrap();
    for (command, status) in [
        ("check t.yml", 0),
        ("explore t.yml --trace-out t.json", 1),
        ("replay t.yml t.json --print", 1),
        ("replay h.c t.json --property no-data-race", 1),
        ("replay h.c t.json --property deadlock", 2),
        ("simulate t.yml --trace t.json", 1),
        ("simulate h.c --property no-data-race", 2),
    ] {
        let args: Vec<&str> = command.split(' ').collect();
        let output = dbverify(&args, folder.path());
        assert_eq!(output.status.code(), Some(status), "{command}: {output:?}");
    }
}

/// A trace remembers how the program was read. The same options again are allowed; other ones are refused.
#[test]
fn a_trace_is_replayed_under_its_own_options_for_c() {
    let folder = tempfile::tempdir().unwrap();
    let text =
        "#include <assert.h>\nint main(int c, char **v) { assert(sizeof(long) == 4 && c < X); }\n";
    std::fs::write(folder.path().join("n.c"), text).unwrap();
    let run = |line: &str| dbverify(&line.split(' ').collect::<Vec<_>>(), folder.path());
    let found = run("explore n.c -DX=1 --data-model ILP32 --args a --trace-out t");
    assert_eq!(found.status.code(), Some(1), "{found:?}");
    for same in [
        "-DX=1",
        "--data-model ILP32",
        "--heap 8",
        "--args a --spurious 1",
    ] {
        for command in ["replay n.c t", "simulate n.c --trace t"] {
            let output = run(&format!("{command} {same}"));
            assert_eq!(output.status.code(), Some(1), "{same}: {output:?}");
        }
    }
    for other in [
        "-DX=3",
        "-DY",
        "--data-model LP64",
        "--heap 9",
        "--args b",
        "--strict",
    ] {
        for command in ["replay n.c t", "simulate n.c --trace t"] {
            let output = run(&format!("{command} {other}"));
            assert_eq!(output.status.code(), Some(2), "{other}: {output:?}");
            let said = stderr(&output);
            assert!(
                said.contains("under other options for C"),
                "{other}: {said}"
            );
        }
    }
}

#[test]
fn options_without_an_effect_are_refused() {
    let folder = folder();
    let found = dbverify(
        &[&EXPLORE[..], &["--trace-out", "t"]].concat(),
        folder.path(),
    );
    assert_eq!(found.status.code(), Some(1));
    std::fs::write(folder.path().join("s"), "next\n").unwrap();
    for line in [
        "simulate p.async --by-hand --to 2",
        "simulate p.async --trace t --max-steps 3",
        "simulate p.async --trace t --runs 3",
        "replay p.async t --script s --html h.html",
        "replay p.async t --script s --format json",
        "replay - t --script -",
        "p.async --emit-seq --require-exhaustive",
        "p.async --emit-seq --trace full",
    ] {
        let output = dbverify(&line.split(' ').collect::<Vec<_>>(), folder.path());
        assert_eq!(output.status.code(), Some(2), "{line}: {output:?}");
        assert!(!folder.path().join("h.html").exists(), "{line}");
    }
    std::fs::rename(folder.path().join("t"), folder.path().join("t.json")).unwrap();
    for (more, status) in [("", 1), (" --format json", 2), (" --script s", 2)] {
        let line = format!("replay p.async t.json t.json{more} --html h.html");
        let line = if more == " --script s" {
            line.replace(" --html h.html", "")
        } else {
            line
        };
        let output = dbverify(&line.split(' ').collect::<Vec<_>>(), folder.path());
        assert_eq!(output.status.code(), Some(status), "{line}: {output:?}");
    }
}

/// One of two executions fails, so the command fails.
#[test]
fn the_exit_status_is_that_of_both_traces() {
    let folder = folder();
    dbverify(
        &[&EXPLORE[..], &["--trace-out", "bad.json"]].concat(),
        folder.path(),
    );
    let line = "simulate p.async --preempt access --scheduler dfs --trace-out good.json";
    let good = dbverify(&line.split(' ').collect::<Vec<_>>(), folder.path());
    assert_eq!(good.status.code(), Some(0), "{good:?}");
    for (one, other) in [("bad.json", "good.json"), ("good.json", "bad.json")] {
        let output = dbverify(
            &["replay", "p.async", one, other, "--html", "h"],
            folder.path(),
        );
        assert_eq!(output.status.code(), Some(1), "{output:?}");
    }
}

#[test]
fn what_is_wrong_with_the_input_is_data_if_so_asked() {
    let folder = c_folder();
    std::fs::create_dir(folder.path().join("empty")).unwrap();
    for line in [
        "explore nosuch.yml",
        "explore empty",
        "explore h.c --no-races --races",
        "prove h.c --nondet 0..3",
        "explore u.async --buffer 3",
        "simulate h.c --property no-data-race",
        "test nosuch",
        "merge nosuch",
    ] {
        let args: Vec<&str> = line.split(' ').chain(["--format", "json"]).collect();
        let output = dbverify(&args, folder.path());
        assert_eq!(output.status.code(), Some(2), "{line}: {output:?}");
        let said: serde_json::Value = serde_json::from_slice(&output.stdout).expect(line);
        assert_eq!(said["diagnostics"][0]["code"], "input", "{line}: {said}");
        assert!(output.stderr.is_empty(), "{line}: {output:?}");
    }
}

#[test]
fn a_wrong_command_line_is_data_too_if_so_asked() {
    let folder = folder();
    for line in [
        "p.async --nope",
        "p.async --delays -1",
        "explore p.async --timeout nan",
        "p.async --engine smt --all",
        "test . --jobs 0",
        "check p.async --nope",
        "merge",
        "run --nope -- ./p",
    ] {
        let (command, rest) = line.split_once(" -- ").unwrap_or((line, ""));
        let said = |format: &str| {
            let words = command.split(' ').chain(format.split(' '));
            let args: Vec<&str> = words.chain(["--", rest]).collect();
            let output = dbverify(&args, folder.path());
            assert_eq!(output.status.code(), Some(2), "{line}: {output:?}");
            assert!(stderr(&output).starts_with("error: "), "{line}: {output:?}");
            output.stdout
        };
        for format in ["--format json", "--format=json"] {
            let json: serde_json::Value = serde_json::from_slice(&said(format)).expect(line);
            let told = &json["diagnostics"][0];
            assert_eq!(told["code"], "command-line", "{line}: {json}");
            let message = told["message"].as_str().expect(line);
            assert!(!message.starts_with("error"), "{line}: {message}");
        }
        let log: serde_json::Value = serde_json::from_slice(&said("--format sarif")).expect(line);
        let run = &log["runs"][0]["invocations"][0];
        assert_eq!(run["executionSuccessful"], false, "{line}: {log}");
        assert!(said("--format text").is_empty(), "{line}");
    }
    // Behind `--` stand no options of ours.
    let output = dbverify(
        &["run", "--nope", "--", "p", "--format=json"],
        folder.path(),
    );
    assert!(output.stdout.is_empty(), "{output:?}");
}

#[test]
fn a_copy_that_fails_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let name = Path::new(env!("CARGO_BIN_EXE_dbverify"))
        .file_name()
        .unwrap();
    std::fs::create_dir_all(folder.path().join(name)).unwrap();
    let output = dbverify(&["bundle", "."], folder.path());
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    assert_eq!(names(folder.path()), [name.to_str().unwrap()]);
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_no_success() {
    let folder = folder();
    let full = || std::fs::File::create("/dev/full").unwrap();
    for args in [
        &["p.async", "--emit-boogie"][..],
        &["fmt", "p.async"],
        &["p.async", "--format", "json"],
        &["--help"],
        &["explain", "race"],
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_dbverify"));
        let command = command.current_dir(folder.path()).args(args);
        let output = command.stdout(full()).stderr(Stdio::piped()).spawn();
        let output = output.unwrap().wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        let said = stderr(&output);
        assert!(said.contains("cannot write standard output"), "{said}");
    }
    // The answer is shown although the page cannot be written.
    let output = dbverify(
        &[&EXPLORE[..], &["--html", "/dev/full"]].concat(),
        folder.path(),
    );
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stdout).contains("bug: assertion: lost"));
    assert!(stderr(&output).contains("cannot write /dev/full"));
}

#[test]
fn without_a_counterexample_that_is_said() {
    let folder = folder();
    let output = dbverify(&["explore", "p.async", "--trace-out", "t"], folder.path());
    assert_eq!(output.status.code(), Some(0));
    assert!(stderr(&output).contains("no counterexample: t is not written"));
}

#[test]
fn a_trace_is_replayed_under_its_own_preemption_mode() {
    let folder = folder();
    dbverify(
        &[&EXPLORE[..], &["--trace-out", "t"]].concat(),
        folder.path(),
    );
    let replayed =
        |more: &[&str]| dbverify(&[&["replay", "p.async", "t"], more].concat(), folder.path());
    assert_eq!(replayed(&[]).status.code(), Some(1));
    assert_eq!(replayed(&["--preempt", "access"]).status.code(), Some(1));
    let other = replayed(&["--preempt", "yield"]);
    assert_eq!(other.status.code(), Some(2));
    assert!(stderr(&other).contains("another preemption mode"));
}

/// Without the option, the mode under which a trace is made is the program's own.
#[test]
fn a_trace_made_without_a_mode_is_not_replayed_under_another() {
    let folder = folder();
    let text = "var x: int := 0;\nproc p() { x := x + 1; assert x < 2; }\nproc main() { post p(); post p(); }\n";
    let replayed = |text: &str, mode: &str| {
        std::fs::write(folder.path().join("two.async"), text).unwrap();
        dbverify(&["two.async", "--trace-out", "t"], folder.path());
        dbverify(
            &["replay", "two.async", "t", "--preempt", mode],
            folder.path(),
        )
    };
    let stated = format!("preempt access;\n{text}");
    for (text, own, other) in [(text, "yield", "access"), (&*stated, "access", "yield")] {
        assert_eq!(replayed(text, own).status.code(), Some(1), "{text}");
        let other = replayed(text, other);
        assert_eq!(other.status.code(), Some(2), "{text}");
        assert!(stderr(&other).contains("another preemption mode"));
    }
}

#[test]
fn emit_says_what_it_wants_and_writes_all_or_nothing() {
    let folder = folder();
    std::fs::write(folder.path().join("bad.async"), "proc").unwrap();
    let emit = |args: &[&str]| dbverify(&[&["emit"], args].concat(), folder.path());
    for args in [
        &["p.async"][..],
        &["--seq"],
        &["--check", "no", "p.async"],
        &["--write", "out", "p.async", "./p.async"],
        &["--write", "out", "p.async", "bad.async"],
    ] {
        let output = emit(args);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {output:?}");
        assert!(output.stdout.is_empty(), "{args:?}: {output:?}");
        assert_eq!(names(folder.path()), ["bad.async", "p.async"], "{args:?}");
    }
    let usage = stderr(&emit(&["p.async"]));
    assert!(usage.contains("<--check <DIR>|--write <DIR>>"), "{usage}");
    assert_eq!(emit(&["--write", "out", "p.async"]).status.code(), Some(0));
}

#[test]
fn numbers_below_zero_are_numbers() {
    let folder = folder();
    for option in ["--delays", "--unroll", "--timeout", "--memory"] {
        let output = dbverify(&["p.async", option, "-1"], folder.path());
        assert_eq!(output.status.code(), Some(2));
        let said = stderr(&output);
        assert!(said.contains("invalid value '-1'"), "{option}: {said}");
    }
    let output = dbverify(&["p.async", "--emit-seq", "--html", "x"], folder.path());
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("cannot be used with"));
}
