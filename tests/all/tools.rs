//! The commands around verification: help, completions, manual pages, doctor, translations in a folder.

use std::path::Path;
use std::process::{Command, Output, Stdio};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

fn dbverify(args: &[&str], folder: &Path) -> Output {
    Command::new(env!("CARGO_BIN_EXE_dbverify"))
        .current_dir(folder)
        .args(args)
        .env("COLUMNS", "100")
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn run(args: &[&str]) -> String {
    let output = dbverify(args, Path::new(ROOT));
    assert_eq!(output.status.code(), Some(0), "{args:?}: {output:?}");
    stdout(&output)
}

/// The commands, as the help lists them.
fn commands() -> Vec<String> {
    let help = run(&["--help"]);
    let (_, list) = help.split_once("Commands:\n").unwrap();
    list.lines()
        .take_while(|l| l.starts_with("  "))
        .filter(|l| !l.starts_with("   "))
        .filter_map(|l| l.split_whitespace().next())
        .filter(|name| *name != "help")
        .map(str::to_owned)
        .collect()
}

#[test]
fn the_help_is_as_it_was() {
    let mut page =
        "# The help\n\n<!-- Generated: UPDATE_HELP=1 cargo test --test all tools:: -->\n\n\
                    What `dbverify --help` and `dbverify help COMMAND` say.\n"
            .to_owned();
    let mut section = |title: &str, args: &[&str]| {
        let text = run(args);
        let lines: Vec<&str> = text.trim_end().lines().map(str::trim_end).collect();
        page.push_str(&format!(
            "\n## {title}\n\n```text\n{}\n```\n",
            lines.join("\n")
        ));
    };
    section("dbverify", &["--help"]);
    for command in commands() {
        section(&format!("dbverify {command}"), &["help", &command]);
    }
    let path = Path::new(ROOT).join("tests/all/snapshots/help.txt");
    if std::env::var_os("UPDATE_HELP").is_some() {
        std::fs::write(&path, &page).unwrap();
    }
    let written = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        written == page,
        "tests/all/snapshots/help.txt is out of step: run UPDATE_HELP=1 cargo test --test all tools::"
    );
}

/// `-h` shows the frequent options, `--help` all.
#[test]
fn the_short_help_is_short() {
    for command in ["verify", "explore", "prove"] {
        let (short, long) = (run(&[command, "-h"]), run(&[command, "--help"]));
        assert!(short.lines().count() < 64, "{short}");
        assert!(short.contains("--html") && !short.contains("--heap-reuse"));
        assert!(long.contains("--heap-reuse"));
        assert!(short.contains("see more with '--help'"));
    }
}

#[test]
fn every_option_stands_under_a_heading_and_every_command_has_examples() {
    for command in ["verify", "explore"] {
        let help = run(&["help", command]);
        for heading in [
            "Bounds:",
            "Search:",
            "What to look for:",
            "Answer:",
            "Limits:",
            "Examples:",
        ] {
            assert!(help.contains(heading), "{command}: {heading}\n{help}");
        }
        assert!(help.lines().all(|l| l.chars().count() <= 130), "{help}");
    }
    for command in commands() {
        let help = run(&["help", &command]);
        let plain = ["lsp", "dap", "doctor"].contains(&command.as_str());
        assert!(plain || help.contains("Examples:\n"), "{command}: {help}");
    }
}

#[test]
fn a_misspelt_command_is_no_file() {
    let output = dbverify(&["exlpore", "x.async"], Path::new(ROOT));
    assert_eq!(output.status.code(), Some(2));
    let message = stderr(&output);
    assert!(message.contains("did you mean `explore`?"), "{message}");
}

#[test]
fn completions_are_scripts_of_their_shells() {
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = run(&["completions", shell]);
        for word in ["explore", "strategy", "emit-boogie", "doctor"] {
            assert!(script.contains(word), "{shell}: {word}");
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("dbverify.bash");
    std::fs::write(&path, run(&["completions", "bash"])).unwrap();
    let complete = |words: &str| {
        let all: Vec<&str> = words.split(' ').collect();
        let (last, current, before) = (all.len() - 1, all[all.len() - 1], all[all.len() - 2]);
        let script = format!(
            "source {}; COMP_WORDS=({words}); COMP_CWORD={last}; _dbverify dbverify {current} {before}; printf '%s\\n' \"${{COMPREPLY[@]}}\"",
            path.display()
        );
        let shell = Command::new("bash").args(["-c", &script]).output();
        shell.ok().map(|output| {
            assert!(output.status.success(), "{output:?}");
            stdout(&output)
        })
    };
    if let Some(found) = complete("dbverify expl") {
        assert_eq!(found, "explore\nexplain\n");
    }
    if let Some(found) = complete("dbverify explore x.async --strategy d") {
        assert_eq!(found, "dpor\n");
    }
    if let Some(found) = complete("dbverify --emit-b") {
        assert_eq!(found, "--emit-boogie\n");
    }
}

/// The completions that fish offers.
fn offered(line: &str) -> Option<Vec<String>> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("dbverify.fish");
    std::fs::write(&path, run(&["completions", "fish"])).unwrap();
    let script = format!("source {}; complete -C '{line}'", path.display());
    let fish = Command::new("fish")
        .args(["--no-config", "-c", &script])
        .current_dir(folder.path())
        .env("HOME", folder.path())
        .output();
    let text = stdout(&fish.ok()?);
    let word = |l: &str| l.split('\t').next().unwrap().to_owned();
    Some(text.lines().map(word).collect())
}

#[test]
fn fish_completes_commands_options_and_operands() {
    for (line, word) in [
        ("dbverify expl", "explore"),
        ("dbverify --emit-b", "--emit-boogie"),
        ("dbverify x.async --sched", "--scheduler"),
        ("dbverify explore x.async --strategy d", "dpor"),
        ("dbverify explain dead", "deadlock"),
        ("dbverify completions z", "zsh"),
        ("dbverify man expl", "explore"),
    ] {
        if let Some(words) = offered(line) {
            assert!(words.iter().any(|w| w == word), "{line}: {words:?}");
        }
    }
}

#[test]
fn in_zsh_no_operand_hides_the_commands() {
    let script = run(&["completions", "zsh"]);
    let (top, _) = script.split_once("case $state in").unwrap();
    assert!(!top.contains("':file"), "{top}");
    assert!(top.contains(":_dbverify_first"), "{top}");
    for text in [
        "case $line[1] in\n            (verify|*.async|-)",
        "\n_dbverify_first() {",
    ] {
        assert!(script.contains(text), "{text}");
    }
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("_dbverify"), &script).unwrap();
    let mut zsh = Command::new("zsh");
    let zsh = zsh.args(["-fn", "_dbverify"]).current_dir(folder.path());
    if let Ok(output) = zsh.output() {
        assert!(output.status.success(), "{output:?}");
    }
}

#[test]
fn manual_pages_can_be_read() {
    let page = run(&["man"]);
    assert!(page.contains(".TH dbverify 1"), "{page}");
    assert!(page.contains("EXIT STATUS"), "{page}");
    let folder = tempfile::tempdir().unwrap();
    let output = dbverify(&["man", "--dir", "pages"], folder.path());
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let written = std::fs::read_dir(folder.path().join("pages"))
        .unwrap()
        .count();
    assert_eq!(written, commands().len() + 1);
    for command in commands() {
        assert!(run(&["man", &command]).contains("EXIT STATUS"), "{command}");
    }
    let output = dbverify(&["man", "nothing"], folder.path());
    assert_eq!(output.status.code(), Some(2));
    let formatted = Command::new("man")
        .args(["-l", "--warnings", "pages/dbverify-explore.1"])
        .env("MANWIDTH", "100")
        .env("LC_ALL", "C.UTF-8")
        .current_dir(folder.path())
        .output();
    if let Ok(formatted) = formatted {
        let text = stdout(&formatted);
        assert!(
            text.contains("EXAMPLES") && text.contains("--strategy"),
            "{text}"
        );
        assert_eq!(stderr(&formatted), "");
    }
}

#[test]
fn doctor_finds_what_is_needed() {
    let findings = run(&["doctor"]);
    for word in [
        "ok    the solver Z3",
        "ok    verification",
        "ok    exploration",
        "boogie",
        "everything that is needed was found",
    ] {
        assert!(findings.contains(word), "{word}: {findings}");
    }
    let alone = Command::new(env!("CARGO_BIN_EXE_dbverify"))
        .arg("doctor")
        .env("PATH", "/nowhere")
        .output()
        .unwrap();
    let findings = stdout(&alone);
    assert!(
        findings.contains("-     boogie: not found (dotnet"),
        "{findings}"
    );
    assert_eq!(alone.status.code(), Some(0));
}

const MODEL: &str = "var x: int := 0;\nproc a() { x := x + 1; }\nproc main() { post a(); }\nfinally { assert x == 1; }\n";

/// A folder with a model and its translations.
fn translated() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("models")).unwrap();
    std::fs::write(folder.path().join("models/m.async"), MODEL).unwrap();
    let args = ["emit", "--write", "out", "--seq", "models/m.async"];
    let output = dbverify(&args, folder.path());
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert_eq!(stdout(&output), "wrote out/m.bpl\nwrote out/m.seq.async\n");
    folder
}

#[test]
fn translations_that_are_up_to_date() {
    let folder = translated();
    let check = dbverify(&["emit", "--check", "out", "models/m.async"], folder.path());
    assert_eq!(check.status.code(), Some(0), "{check:?}");
    assert_eq!(
        stdout(&check),
        "1 program: the translations are up to date\n"
    );
    let again = dbverify(&["emit", "--write", "out", "models/m.async"], folder.path());
    assert_eq!(
        (again.status.code(), stdout(&again).as_str()),
        (Some(0), "")
    );
    // Whether CI has another folder does not matter.
    let program = folder.path().join("models/m.async");
    let elsewhere = dbverify(
        &[
            "emit",
            "--check",
            folder.path().join("out").to_str().unwrap(),
            program.to_str().unwrap(),
        ],
        Path::new(ROOT),
    );
    assert_eq!(elsewhere.status.code(), Some(0), "{elsewhere:?}");
    // Side by side.
    std::fs::copy(&program, folder.path().join("out/m.async")).unwrap();
    let beside = dbverify(&["emit", "--check", "out"], folder.path());
    assert_eq!(beside.status.code(), Some(0), "{beside:?}");
    // The translations can be read back as programs.
    let read = dbverify(&["check", "out/m.seq.async"], folder.path());
    assert_eq!(read.status.code(), Some(0), "{read:?}");
}

#[test]
fn translations_of_c_are_read_as_check_reads_them() {
    let folder = tempfile::tempdir().unwrap();
    let text = "#include <assert.h>\n#include \"n.h\"\nint main(void) { assert(N + MORE == 5); return 0; }\n";
    std::fs::write(folder.path().join("o.c"), text).unwrap();
    std::fs::create_dir(folder.path().join("inc")).unwrap();
    std::fs::write(folder.path().join("inc/n.h"), "#define MORE 2\n").unwrap();
    for (how, said) in [
        ("--write", "wrote out/o.c.bpl\n"),
        ("--check", "1 program: the translations are up to date\n"),
    ] {
        let args = [
            "emit",
            how,
            "out",
            "o.c",
            "-D",
            "N=3",
            "-I",
            "inc",
            "--check-for",
            "misuse",
        ];
        let output = dbverify(&args, folder.path());
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        assert_eq!(stdout(&output), said);
    }
    let model = folder.path().join("m.async");
    std::fs::write(model, MODEL).unwrap();
    let wrong = dbverify(
        &["emit", "--write", "out", "m.async", "-DN=3"],
        folder.path(),
    );
    assert_eq!(wrong.status.code(), Some(2), "{wrong:?}");
    assert!(stderr(&wrong).contains("is for programs in C"), "{wrong:?}");
}

#[test]
fn translations_that_differ() {
    let folder = translated();
    let changed = MODEL.replace("x + 1", "x + 2");
    std::fs::write(folder.path().join("models/m.async"), changed).unwrap();
    std::fs::remove_file(folder.path().join("out/m.bpl")).unwrap();
    std::fs::write(folder.path().join("out/gone.bpl"), "").unwrap();
    let check = dbverify(&["emit", "--check", "out", "models/m.async"], folder.path());
    assert_eq!(check.status.code(), Some(1), "{check:?}");
    insta::assert_snapshot!(stdout(&check));
}

#[test]
fn what_emit_refuses() {
    let folder = translated();
    for args in [
        &["emit"][..],
        &["emit", "--check", "out", "--write", "out", "models/m.async"],
        &[
            "emit",
            "--check",
            "nowhere",
            "models/m.async",
            "missing.async",
        ],
        &["emit", "--check", "nowhere"],
        &["emit", "--check", "out"],
        &["emit", "--write", "out", "models/m.async", "models/m.async"],
    ] {
        let output = dbverify(args, folder.path());
        assert_eq!(output.status.code(), Some(2), "{args:?}: {output:?}");
        assert!(!stderr(&output).is_empty(), "{args:?}");
    }
}

#[test]
fn a_bundle_needs_no_other_folder() {
    let folder = tempfile::tempdir().unwrap();
    let output = dbverify(&["bundle", "one/deep"], folder.path());
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let moved = folder.path().join("moved");
    std::fs::rename(folder.path().join("one/deep"), &moved).unwrap();
    let program = moved.join("dbverify");
    // The library that the moved program runs with is the one beside it.
    let output = Command::new(&program)
        .current_dir(folder.path())
        .args(["bundle", "two"])
        .env_remove("LD_LIBRARY_PATH")
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let said = stdout(&output);
    let library = said.lines().nth(1).unwrap();
    let from = library.split(" from ").nth(1).unwrap();
    assert!(
        Path::new(from).starts_with(moved.canonicalize().unwrap()),
        "{said}"
    );
}
