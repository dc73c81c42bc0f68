//! Programs as they are: the examples with the verdict in their first line, where a compiler is installed.

use std::path::Path;
use std::process::{Command, Output};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

fn dbverify(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_dbverify"))
        .args(args)
        .current_dir(folder)
        .env("XDG_CACHE_HOME", Path::new(env!("CARGO_TARGET_TMPDIR")))
        .output()
        .unwrap()
}

fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

/// Whether these tests can run here; says so if not.
fn can(compiler: &str) -> bool {
    let system = cfg!(all(
        target_os = "linux",
        target_env = "gnu",
        target_arch = "x86_64"
    ));
    let there = system && Command::new(compiler).arg("--version").output().is_ok();
    if !there {
        println!("skipped: this needs {compiler} on Linux");
    }
    there
}

/// Compiles a program; answers where it is.
fn compiled(folder: &Path, source: &Path) -> String {
    let compiler = if source.extension().is_some_and(|e| e == "cpp") {
        "g++"
    } else {
        "gcc"
    };
    let name = format!("./{}", source.file_stem().unwrap().to_string_lossy());
    let source = source.to_string_lossy();
    let built = dbverify(
        folder,
        &["cc", "--", compiler, "-O1", "-w", &source, "-o", &name],
    );
    assert!(built.status.success(), "{source}: {}", said(&built));
    name
}

fn executions(text: &str) -> Option<&str> {
    text.lines()
        .find_map(|l| l.trim().split_once(" executions,").map(|(n, _)| n))
}

/// The lines of the examples, as `dbverify test` runs them.
#[test]
fn the_examples_say_what_comes_out() {
    if !can("gcc") || !can("g++") {
        return;
    }
    let examples = Path::new(ROOT).join("examples/native");
    let output = dbverify(&examples, &["test", "."]);
    assert_eq!(output.status.code(), Some(0), "{}", said(&output));
}

/// Each bug of the examples is shown again by its counterexample, with the same first line.
#[test]
fn counterexamples_are_replayed() {
    if !can("gcc") || !can("g++") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    for (name, options) in [
        ("counter.c", &["--delays", "any"][..]),
        ("crash.c", &["--strategy", "random"]),
        ("lazy.cpp", &["--strategy", "pct"]),
        ("queue.cpp", &[]),
        ("race.c", &["--races", "--delays", "any"]),
    ] {
        let source = Path::new(ROOT).join("examples/native").join(name);
        let name = compiled(folder.path(), &source);
        let trace = format!("{name}.json");
        let mut args = vec!["run", "--trace-out", &trace];
        args.extend(options);
        args.extend(["--", &name]);
        let output = dbverify(folder.path(), &args);
        assert_eq!(output.status.code(), Some(1), "{name}: {}", said(&output));
        let text = said(&output);
        for _ in 0..5 {
            let again = said(&dbverify(folder.path(), &["replay", &trace]));
            assert_eq!(again.lines().next(), text.lines().next(), "{name}");
        }
    }
}

/// One program, three ways: the interpreter's reduction, the same one over processes, and delays without a bound.
#[test]
fn counts_are_the_interpreters() {
    if !can("gcc") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    for name in [
        "bounded_queue",
        "cache",
        "driver",
        "indexer",
        "lock_free_stack",
        "philosophers",
        "shutdown",
    ] {
        let source = Path::new(ROOT).join(format!("examples/c-programs/{name}.c"));
        let file = source.to_string_lossy();
        let read = dbverify(
            folder.path(),
            &[
                "explore",
                &file,
                "--strategy",
                "dpor",
                "--no-races",
                "--spurious",
                "0",
                "--format",
                "json",
            ],
        );
        let json: serde_json::Value = serde_json::from_slice(&read.stdout).unwrap();
        let wanted = json["stats"]["executions"].to_string();
        let name = compiled(folder.path(), &source);
        for delays in ["any", "1000..1000"] {
            let text = said(&dbverify(
                folder.path(),
                &["run", "--delays", delays, "--", &name],
            ));
            assert_eq!(
                executions(&text),
                Some(&*wanted),
                "{name} with {delays}: {text}"
            );
        }
    }
}

/// What a source file's program answers.
fn answer(folder: &Path, name: &str, text: &str, options: &[&str]) -> (Option<i32>, String) {
    let source = folder.join(name);
    std::fs::write(&source, text).unwrap();
    let name = compiled(folder, &source);
    let mut args = vec!["run"];
    args.extend(options);
    args.extend(["--", &name]);
    let output = dbverify(folder, &args);
    (output.status.code(), said(&output))
}

#[test]
fn traps() {
    if !can("gcc") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let head = "#include <assert.h>\n#include <pthread.h>\n#include <sched.h>\n#include <stdatomic.h>\n#include <stdlib.h>\n#include <unistd.h>\n";
    let cases = [
        // The program may end before or after a thread that is not joined fails.
        (
            "detached.c",
            "atomic_int x; void *w(void *a) { x = 1; assert(x == 0); return 0; } int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); pthread_detach(t); return 0; }",
            1,
            "assertion",
        ),
        (
            "detached_safe.c",
            "atomic_int x; void *w(void *a) { x = 1; return 0; } int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); return x > 1; }",
            0,
            "any schedule",
        ),
        // The first thread ends before the others.
        (
            "leaves.c",
            "atomic_int x; void *w(void *a) { x++; return 0; } int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); pthread_create(&t, 0, w, 0); pthread_exit(0); }",
            0,
            "any schedule",
        ),
        // The access behind an unlock is not ordered by it.
        (
            "behind.c",
            "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int x; void *w(void *a) { pthread_mutex_lock(&m); pthread_mutex_unlock(&m); x = 1; return 0; } int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); pthread_mutex_lock(&m); pthread_mutex_unlock(&m); int y = x; pthread_join(t, 0); assert(y == 0); }",
            1,
            "assertion",
        ),
        (
            "fork.c",
            "int main(void) { return fork() < 0; }",
            3,
            "uses fork",
        ),
        (
            "spins.c",
            "atomic_int x; void *w(void *a) { x = 1; return 0; } int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); while (!x) ; pthread_join(t, 0); }",
            3,
            "longer than 50 steps",
        ),
        (
            "recursive.c",
            "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int main(void) { pthread_mutex_lock(&m); pthread_mutex_lock(&m); }",
            1,
            "deadlock",
        ),
        (
            "foreign.c",
            "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int main(void) { pthread_mutex_unlock(&m); }",
            1,
            "not locked",
        ),
        (
            "twice.c",
            "int main(void) { char *volatile p = malloc(8); free(p); free(p); }",
            1,
            "freed twice",
        ),
    ];
    for (name, text, status, words) in cases {
        let options = ["--delays", "any", "--max-steps", "50"];
        let (code, said) = answer(folder.path(), name, &format!("{head}{text}\n"), &options);
        assert_eq!(code, Some(status), "{name}: {said}");
        assert!(said.contains(words), "{name}: {said}");
    }
}

#[test]
fn what_is_not_seen_is_said() {
    if !can("gcc") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let source = Path::new(ROOT).join("examples/native/counter.c");
    for (option, status, words) in [
        ("-O1", 3, "not built with `dbverify cc`"),
        ("-static", 2, "statically"),
    ] {
        let mut gcc = Command::new("gcc");
        gcc.args([option, "-w", "-o"]).arg(folder.path().join("plain"));
        let built = gcc.arg(&source).status().unwrap();
        if !built.success() {
            println!("skipped: gcc cannot link with {option}");
            continue;
        }
        let output = dbverify(folder.path(), &["run", "--", "./plain"]);
        assert_eq!(output.status.code(), Some(status), "{}", said(&output));
        assert!(said(&output).contains(words), "{}", said(&output));
    }
    let script = dbverify(folder.path(), &["run", "--", "/etc/passwd"]);
    assert!(said(&script).contains("is no binary"), "{}", said(&script));
}
