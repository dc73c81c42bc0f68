//! Programs of several files: `use "file.async";`.

use std::path::Path;
use std::process::{Command, Output, Stdio};

fn run(args: &[&str], folder: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_dbverify"))
        .current_dir(folder)
        .args(args)
        .env("COLUMNS", "100")
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

fn said(output: &Output) -> String {
    let both = [&output.stdout, &output.stderr];
    both.map(|bytes| String::from_utf8_lossy(bytes)).concat()
}

/// A folder with these files.
fn folder(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        let path = folder.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }
    folder
}

const MAIN: &str = "use \"lib/counter.async\";

proc main() {
  post add();
  post add();
}

finally {
  assert x == 2;
}
";

const COUNTER: &str = "use \"step.async\";

var x: int := 0;

proc add() {
  let t = x;
  yield;
  x := t + STEP;
}
";

const STEP: &str = "const STEP := 1;\n";

fn counter() -> tempfile::TempDir {
    folder(&[
        ("main.async", MAIN),
        ("lib/counter.async", COUNTER),
        ("lib/step.async", STEP),
    ])
}

#[test]
fn a_program_of_three_files() {
    let folder = counter();
    let path = folder.path();
    for args in [
        &["check", "main.async"][..],
        &["check", "."],
        &["fmt", "--check", "."],
        &["main.async", "--delays", "0"],
        &["main.async", "--delays", "0", "--emit-boogie"],
        &["main.async", "--delays", "0", "--emit-smt"],
    ] {
        let output = run(args, path);
        assert_eq!(output.status.code(), Some(0), "{args:?}: {output:?}");
        assert!(!said(&output).contains("warning"), "{args:?}: {output:?}");
    }
    // The step that loses the increment is told with its file.
    let output = run(&["explore", "main.async"], path);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(said(&output).contains("counter.async:8"), "{output:?}");
    assert!(said(&output).contains("--> main.async:9:3"), "{output:?}");

    let output = run(&["main.async", "--format", "json"], path);
    let answer: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(answer["error"]["file"], "main.async");
    let steps = answer["trace"].as_array().unwrap();
    let store = steps.iter().find(|s| s["line"] == 8).unwrap();
    assert_eq!(store["file"], "lib/counter.async");
    assert!(steps.iter().any(|s| s.get("file").is_none()));
}

#[test]
fn what_is_emitted_needs_no_other_file() {
    let folder = counter();
    let output = run(
        &["main.async", "--delays", "1", "--emit-seq"],
        folder.path(),
    );
    let text = String::from_utf8(output.stdout).unwrap();
    let alone = self::folder(&[("seq.async", &text)]);
    let output = run(&["seq.async"], alone.path());
    assert_eq!(output.status.code(), Some(1), "{output:?}");
}

#[test]
fn a_trace_belongs_to_all_files() {
    let folder = counter();
    let path = folder.path();
    run(&["explore", "main.async", "--trace-out", "t.json"], path);
    let output = run(&["replay", "main.async", "t.json"], path);
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    std::fs::write(path.join("lib/step.async"), "const STEP := 2;\n").unwrap();
    let output = run(&["replay", "main.async", "t.json"], path);
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let said = said(&output);
    assert!(
        said.contains("lib/step.async has changed since t.json was made"),
        "{said}"
    );
    assert!(said.contains("+const STEP := 2;"), "{said}");
}

#[test]
fn standard_input_uses_files_of_the_working_folder() {
    let folder = counter();
    let mut command = Command::new(env!("CARGO_BIN_EXE_dbverify"));
    let output = command
        .current_dir(folder.path())
        .args(["explore", "-"])
        .stdin(std::fs::File::open(folder.path().join("main.async")).unwrap())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(said(&output).contains("--> <stdin>:9:3"), "{output:?}");
}

#[test]
fn a_file_is_read_once_by_whatever_path() {
    let folder = folder(&[
        (
            "main.async",
            "use \"a.async\";\nuse \"./a.async\";\nuse \"lib/../a.async\";\nuse \"lib/b.async\";\n\
             proc main() { assert N == 1; }\n",
        ),
        ("a.async", "const N := 1;\n"),
        ("lib/b.async", "use \"../a.async\";\nuse sync;\n"),
    ]);
    let output = run(&["explore", "main.async"], folder.path());
    assert_eq!(output.status.code(), Some(0), "{output:?}");
}

#[test]
fn files_that_cannot_be_used() {
    let deep = "a/".repeat(300) + "x.async";
    for (used, expected) in [
        ("none.async", "cannot read `none.async`: No such file"),
        (
            "none.async",
            "looked for from the folder of the file that names it",
        ),
        ("lib", "cannot read `lib`: it is a directory"),
        (
            "binary.async",
            "cannot read `binary.async`: the file is no text: a NUL byte in line 1",
        ),
        ("latin.async", "the file is not UTF-8"),
        ("main.async", "`main.async` uses itself"),
        ("./main.async", "`main.async` uses itself"),
        (
            "circle.async",
            "files use each other in a circle: `main.async` uses `circle.async` uses `main.async`",
        ),
        (
            "prog.c",
            "`prog.c` is C, and a program of tasks cannot use it",
        ),
        ("", "no file is named"),
        ("sync", "the library is known after `use sync;`"),
        ("good", "did you mean `use \"good.async\";`?"),
        (&deep, "cannot read"),
        ("twice.async", "`main` is declared twice"),
        ("broken.async", "broken.async:2:8"),
    ] {
        let main = format!("use \"{used}\";\n\nproc main() {{\n  call helper();\n}}\n");
        let folder = folder(&[
            ("main.async", &main),
            ("lib/x.async", ""),
            ("binary.async", "a\0b"),
            ("circle.async", "use \"main.async\";\n"),
            ("prog.c", "int main() { return 0; }\n"),
            ("good.async", "proc helper() { skip; }\n"),
            (
                "twice.async",
                "proc helper() { skip; }\nproc main() { skip; }\n",
            ),
            ("broken.async", "proc helper() {\n  x := ;\n}\n"),
        ]);
        std::fs::write(folder.path().join("latin.async"), b"var \xe4: int;").unwrap();
        for command in ["check", "explore"] {
            let output = run(&[command, "main.async"], folder.path());
            assert_eq!(output.status.code(), Some(2), "{used}: {output:?}");
            let said = said(&output);
            assert!(said.contains(expected), "{used}: {said}");
            assert!(!said.contains("panicked"), "{said}");
        }
    }
}

/// Beside a missing file, errors are reported that its declarations could not mend, such as a missing library.
#[test]
fn a_missing_file_hides_no_missing_library() {
    let folder = folder(&[(
        "main.async",
        "use \"nope.async\";\nuse nolib;\nproc main() { x := 1; }\n",
    )]);
    let said = said(&run(&["check", "main.async"], folder.path()));
    assert!(said.contains("cannot read"), "{said}");
    assert!(said.contains("no library named `nolib`"), "{said}");
    assert!(!said.contains("nothing named `x`"), "{said}");
}

#[test]
fn other_ways_to_write_it_are_answered() {
    for line in [
        "use good.async;",
        "import \"good.async\";",
        "#include \"good.async\"",
    ] {
        let main = format!("{line}\nproc main() {{ skip; }}\n");
        let folder = folder(&[("main.async", &main), ("good.async", "const N := 1;\n")]);
        let output = run(&["check", "main.async"], folder.path());
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        let said = said(&output);
        assert!(said.contains(".async\";`"), "{line}: {said}");
        assert_eq!(said.matches("error[").count(), 1, "{line}: {said}");
    }
}

#[test]
fn a_missing_file_is_the_only_complaint() {
    let folder = folder(&[(
        "main.async",
        "use \"x.async\";\nproc main() { call p(N); }\n",
    )]);
    let output = run(&["check", "main.async"], folder.path());
    assert_eq!(said(&output).matches("error[").count(), 1, "{output:?}");
}

#[test]
fn long_chains_are_refused() {
    let files: Vec<(String, String)> = (0..300)
        .map(|i| {
            (
                format!("f{i}.async"),
                format!("use \"f{}.async\";\n", i + 1),
            )
        })
        .chain([("f300.async".to_owned(), "const N := 1;\n".to_owned())])
        .collect();
    let files: Vec<(&str, &str)> = files.iter().map(|(a, b)| (&**a, &**b)).collect();
    let folder = folder(&files);
    std::fs::write(
        folder.path().join("main.async"),
        "use \"f0.async\";\nproc main() { skip; }\n",
    )
    .unwrap();
    let output = run(&["check", "main.async"], folder.path());
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let said = said(&output);
    assert!(said.contains("more than 200 files use each other in a row"));
}

#[test]
fn the_examples_have_their_verdicts() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let output = run(&["test", "examples/modules"], root);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(said(&output).contains("2 runs in 2 files: 2 as expected"));
    let output = run(&["fmt", "--check", "examples/modules"], root);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
}

#[test]
fn the_prompt_breaks_in_the_files_that_are_named() {
    let folder = counter();
    let path = folder.path();
    let found = run(
        &["main.async", "--delays", "1", "--trace-out", "t.json"],
        path,
    );
    assert_eq!(found.status.code(), Some(1), "{found:?}");
    let commands =
        "break counter.async:8\ncontinue\nlist counter.async:3\nbreak counters.async:1\n";
    std::fs::write(path.join("commands"), commands).unwrap();
    let prompt = Command::new(env!("CARGO_BIN_EXE_dbverify"))
        .current_dir(path)
        .args(["replay", "main.async", "t.json"])
        .stdin(std::fs::File::open(path.join("commands")).unwrap())
        .output()
        .unwrap();
    let said = said(&prompt);
    for part in [
        "1: at counter.async:8",
        "counter.async:8",
        "    3 | var x: int := 0;",
        "the program has no file `counters.async`; did you mean `counter.async`?",
    ] {
        assert!(said.contains(part), "{part}: {said}");
    }
}

#[cfg(unix)]
#[test]
fn a_pipe_is_no_file_of_a_program() {
    let folder = folder(&[("main.async", "use \"pipe.async\";\nproc main() { }\n")]);
    let made = Command::new("mkfifo")
        .arg(folder.path().join("pipe.async"))
        .status();
    assert!(made.unwrap().success());
    let output = run(&["check", "main.async"], folder.path());
    assert_eq!(output.status.code(), Some(2));
    assert!(
        said(&output).contains("cannot read `pipe.async`: it is no file"),
        "{output:?}"
    );
}
