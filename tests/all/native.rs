//! Programs as they are: the examples with the verdict in their first line, where a compiler is installed.

use std::path::Path;
use std::process::{Command, Output};

use crate::html;

const ROOT: &str = env!("CARGO_MANIFEST_DIR");

pub(crate) fn dbverify(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_dbverify"))
        .args(args)
        .current_dir(folder)
        .env("XDG_CACHE_HOME", Path::new(env!("CARGO_TARGET_TMPDIR")))
        .output()
        .unwrap()
}

pub(crate) fn said(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr)
}

/// Whether these tests can run here; says so if not.
pub(crate) fn can(compiler: &str) -> bool {
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
pub(crate) fn compiled(folder: &Path, source: &Path) -> String {
    compiled_by("gcc", folder, source, "-O1")
}

/// Compiles a program with gcc or clang, or with their drivers for C++.
pub(crate) fn compiled_by(compiler: &str, folder: &Path, source: &Path, level: &str) -> String {
    let plus = source.extension().is_some_and(|e| e == "cpp");
    let compiler = match (compiler, plus) {
        ("gcc", true) => "g++",
        ("clang", true) => "clang++",
        (compiler, _) => compiler,
    };
    let name = format!("./{}", source.file_stem().unwrap().to_string_lossy());
    let source = source.to_string_lossy();
    let mut line = vec!["cc", "--", compiler, level, "-w", &source, "-o", &name];
    if plus {
        line.push("-std=c++17");
    }
    let built = dbverify(folder, &line);
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

/// With clang the examples have the same verdicts, and those that both can run have the same counts.
#[test]
fn clang_is_gcc() {
    if !can("gcc") || !can("g++") || !can("clang") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    for entry in std::fs::read_dir(Path::new(ROOT).join("examples/native")).unwrap() {
        let source = entry.unwrap().path();
        let text = std::fs::read_to_string(&source).unwrap();
        let after = |word| text.lines().find_map(|l| l.strip_prefix(word)).unwrap();
        let args = after("// run: ").split_whitespace().collect::<Vec<_>>();
        let [ours, theirs] = ["clang", "gcc"].map(|compiler| {
            let name = compiled_by(compiler, folder.path(), &source, "-O1");
            let rest = ["--format", "json", "--", &name];
            let output = dbverify(folder.path(), &[&args[..], &rest].concat());
            let answer: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
            let executions = answer["stats"]["executions"].clone();
            let safe = answer["verdict"] == "safe";
            let kind = answer["error"]["kind"].as_str();
            let said = kind.map_or(String::new(), |kind| format!("bug {kind}"));
            (
                if safe { "safe".into() } else { said },
                // clang has the first round of a loop elsewhere, with other registers: a thread that polls waits a round later.
                (safe && !args.contains(&"--fair")).then_some(executions),
            )
        });
        assert_eq!(ours, theirs, "{source:?}");
        assert_eq!(ours.0, after("// expect: "), "{source:?}");
    }
}

/// The runtime sees code that a compiler writes out instead of a call: short copies, and loops that copy.
#[test]
fn short_copies_are_seen() {
    let folder = tempfile::tempdir().unwrap();
    for (name, writes, reads) in [
        ("plain.c", "memset(from, 1, 64)", "memcpy(to, from, 64)"),
        (
            "named.c",
            "__builtin_memset(from, 1, 64)",
            "__builtin_memcpy(to, from, 64)",
        ),
        (
            "loop.c",
            "for (int i = 0; i < 4; i++) from[i] = 1",
            "for (int i = 0; i < 4; i++) to[i] = from[i]",
        ),
        (
            "moved.c",
            "memmove(from, \"1111\", 4)",
            "memmove(to, from, 4)",
        ),
        (
            "traits.cpp",
            "std::char_traits<char>::assign(from, 40, 'x')",
            "std::char_traits<char>::copy(to, from, 40)",
        ),
    ] {
        let library = if name.ends_with("cpp") {
            "#include <string>\n"
        } else {
            ""
        };
        let text = format!(
            "{library}#include <assert.h>\n#include <pthread.h>\n#include <string.h>\nchar from[64], to[64];\nvoid *w(void *p) {{ {writes}; return 0; }}\nint main(void) {{ pthread_t t; pthread_create(&t, 0, w, 0); {reads}; pthread_join(t, 0); assert(to[1] == 0); }}\n"
        );
        let source = folder.path().join(name);
        std::fs::write(&source, text).unwrap();
        for compiler in ["gcc", "clang"] {
            if !can(compiler) || !can("g++") {
                continue;
            }
            for level in ["-O0", "-O2"] {
                let name = compiled_by(compiler, folder.path(), &source, level);
                let output = dbverify(folder.path(), &["run", "--", &name]);
                let said = said(&output);
                assert_eq!(
                    output.status.code(),
                    Some(1),
                    "{compiler} {level} {name}: {said}"
                );
                assert!(said.contains("assertion"), "{said}");
            }
        }
    }
}

/// Writes to a text that is `zzzzzzz` before.
const WRITES: [&str; 16] = [
    "strcpy(b, \"1234567\")",
    "__builtin_strcpy(b, \"1\")",
    "strncpy(b, \"123\", 8)",
    "stpcpy(b, \"1234567\")",
    "mempcpy(b, \"1234567\", 7)",
    "memccpy(b, \"1234567\", '3', 7)",
    "bzero(b, 8)",
    "bcopy(\"1234567\", b, 7)",
    "b[0] = 0, strcat(b, \"12\")",
    "sprintf(b, \"1234567\")",
    "snprintf(b, 8, \"%d %s\", 12, \"ab\")",
    "strsep(&(char *){b}, \"z\")",
    "strtol(\"12\", (char **)b, 10)",
    "fgets(b, 8, fopen(\"/proc/self/status\", \"r\"))",
    "fread(b, 1, 8, fopen(\"/proc/self/status\", \"r\"))",
    "read(open(\"/proc/self/status\", 0), b, 4)",
];

/// The runtime sees writes by functions of the C library, also if gcc writes such a call out, or checks how much room
/// there is.
#[test]
fn writes_of_the_library_are_seen() {
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("writes.c");
    for write in WRITES {
        for (head, level) in [
            ("", "-O0"),
            ("", "-O2"),
            ("#define _FORTIFY_SOURCE 2\n", "-O2"),
        ] {
            let text = format!(
                "{head}#define _GNU_SOURCE\n#include <assert.h>\n#include <fcntl.h>\n#include <pthread.h>\n#include <sched.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <strings.h>\n#include <unistd.h>\nchar b[16] = \"zzzzzzz\";\nvoid *w(void *p) {{ {write}; return 0; }}\nint main(void) {{ pthread_t t; pthread_create(&t, 0, w, 0); char x = b[0]; sched_yield(); char y = b[0]; assert(x == y); pthread_join(t, 0); }}\n"
            );
            std::fs::write(&source, text).unwrap();
            for compiler in ["gcc", "clang"] {
                if !can(compiler) {
                    continue;
                }
                let name = compiled_by(compiler, folder.path(), &source, level);
                let output = dbverify(folder.path(), &["run", "--", &name]);
                let said = said(&output);
                let what = format!("{compiler} {level} {head}{write}: {said}");
                assert_eq!(output.status.code(), Some(1), "{what}");
                assert!(said.contains("assertion"), "{what}");
            }
        }
    }
}

/// Operations on eight bytes in the heap without a zero behind, and whether each goes beyond them.
const EDGES: [(&str, bool); 30] = [
    ("puts(p)", true),
    ("printf(\"%s\", p)", true),
    ("printf(\"%.8s\", p)", false),
    ("printf(\"%.*s\", 8, p)", false),
    ("sprintf(d, \"%5d %Lf %.9s\", 1, 2.0L, p)", true),
    ("fwrite(p, 1, 8, stdout)", false),
    ("fwrite(p, 3, 3, stdout)", true),
    ("strdup(p)", true),
    ("strndup(p, 8)", false),
    ("strcpy(p, \"1234567\")", false),
    ("strcpy(p, \"12345678\")", true),
    ("sprintf(p, \"%d\", 1234567)", false),
    ("sprintf(p, \"%d\", 12345678)", true),
    ("snprintf(p, 9, \"%s\", \"1234567\")", false),
    ("strncpy(p, \"1\", 9)", true),
    ("strncat(d, p, 8)", false),
    ("strchr(p, '8')", false),
    ("strchr(p, '9')", true),
    ("memchr(p, '8', 99)", false),
    ("memchr(p, '9', 9)", true),
    ("strnlen(p, 8)", false),
    ("atoi(p)", true),
    ("p[7] = 'x', atoi(p)", false),
    ("strtod(p, 0)", true),
    ("p[7] = ';', strcspn(p, \";\")", false),
    ("strspn(p, \"12345678\")", true),
    ("strncasecmp(p, \"12345678\", 8)", false),
    ("strcasecmp(p, \"12345678\")", true),
    ("strstr(p, \"9\")", true),
    ("write(1, p, 9)", true),
];

/// Functions of the C library read the bytes that they must, and no more.
#[test]
fn the_library_reads_what_it_must() {
    if !can("gcc") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let head = "#define _GNU_SOURCE\n#include <pthread.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <strings.h>\n#include <unistd.h>\n";
    for (what, beyond) in EDGES {
        let text = format!(
            "{head}int main(void) {{ char d[99] = \"\", *p = malloc(8); memcpy(p, \"12345678\", 8); volatile long kept = (long)({what}); return 0; }}\n"
        );
        let (code, said) = answer(folder.path(), "edge.c", &text, &["--delays", "any"]);
        assert_eq!(code, Some(i32::from(beyond)), "{what}: {said}");
        assert_eq!(
            said.contains("beyond what was allocated"),
            beyond,
            "{what}: {said}"
        );
    }
    // Memory that was freed, and accesses that are not seen: the answer names the functions.
    for (name, what, words) in [
        ("freed.c", "free(p); puts(p)", "used that was freed"),
        (
            "unseen.c",
            "int n; p[7] = 0; sscanf(p, \"%d\", &n)",
            "which is not seen: sscanf\n",
        ),
    ] {
        let text =
            format!("{head}int main(void) {{ char *p = calloc(8, 1); {what}; return 0; }}\n");
        let (_, said) = answer(folder.path(), name, &text, &[]);
        assert!(said.contains(words), "{name}: {said}");
    }
}

/// Strings of C++ are compiled into the program, so their races show. Streams are the library's. The length of a literal
/// is a constant.
#[test]
fn strings_race() {
    let folder = tempfile::tempdir().unwrap();
    let head = "#include <cstring>\n#include <iostream>\n#include <string>\n#include <string_view>\n#include <thread>\n";
    for (name, text, status, words) in [
        (
            "append.cpp",
            "std::string s; int main() { std::thread t([] { s += \"x\"; }); s += \"y\"; t.join(); }",
            1,
            "race",
        ),
        (
            "stream.cpp",
            "int main() { std::thread t([] { std::cout << \"a\" << 1 << std::string(\"b\") << 1.5 << std::endl; }); std::cout << std::string(\"c\") << 2 << '\\n'; t.join(); }",
            0,
            "any schedule",
        ),
        (
            "constant.cpp",
            "constexpr std::size_t n = strlen(\"abc\") + __builtin_strlen(\"de\"); constexpr std::string_view v = \"abcde\"; static_assert(v.size() == n && v == \"abcde\" && v.find('c') == 2); int main() { return std::string(v).size() - n; }",
            0,
            "any schedule",
        ),
    ] {
        let source = folder.path().join(name);
        for compiler in ["gcc", "clang"] {
            if !can(compiler) || !can("g++") {
                continue;
            }
            let text = match compiler {
                // For clang `strlen` of the C library is no constant.
                "clang" => text.replace("= strlen(", "= __builtin_strlen("),
                _ => text.to_owned(),
            };
            std::fs::write(&source, format!("{head}{text}\n")).unwrap();
            for level in ["-O0", "-O2"] {
                let name = compiled_by(compiler, folder.path(), &source, level);
                let options = ["run", "--races", "--delays", "any", "--", &name];
                let output = dbverify(folder.path(), &options);
                let said = said(&output);
                assert_eq!(output.status.code(), Some(status), "{level} {name}: {said}");
                assert!(said.contains(words), "{level} {name}: {said}");
            }
        }
    }
}

/// The answer assumes that accesses do not race that gcc does not report. clang reports them.
#[test]
fn gaps_of_gcc_are_said() {
    let folder = tempfile::tempdir().unwrap();
    let head = "#include <assert.h>\n#include <pthread.h>\n";
    let main = "int main(void) { pthread_t t; pthread_create(&t, 0, w, 0);";
    for (name, text) in [
        (
            "bits.c",
            format!(
                "{head}struct {{ unsigned a : 3, b : 5; }} g; void *w(void *p) {{ g.a = 3; return 0; }}\n{main} g.b = 4; pthread_join(t, 0); assert(g.a == 3); }}\n"
            ),
        ),
        (
            "returned.c",
            format!(
                "{head}struct s {{ long a[6]; }} g; __attribute__((noinline)) struct s f(long n) {{ struct s r = {{{{n, n, n, n, n, n}}}}; return r; }}\nvoid *w(void *p) {{ g = f(1); return 0; }}\n{main} long x = g.a[1]; pthread_join(t, 0); assert(x == 0); }}\n"
            ),
        ),
    ] {
        let source = folder.path().join(name);
        std::fs::write(&source, text).unwrap();
        for (compiler, words) in [("gcc", "gcc does not report"), ("clang", "assertion")] {
            if can(compiler) {
                let name = compiled_by(compiler, folder.path(), &source, "-O1");
                let said = said(&dbverify(folder.path(), &["run", "--", &name]));
                assert!(said.contains(words), "{compiler} {name}: {said}");
            }
        }
    }
}

/// The counterexample of each example shows its bug again, with the same first line.
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

/// `replay` says what a file is that is no counterexample of `run`, or that is given in the wrong place.
#[test]
fn other_files_are_not_replayed() {
    if !can("gcc") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let schema = |number| format!("{{ \"schema\": \"dbverify-run-trace/{number}\" }}");
    for (text, args, words) in [
        (String::new(), &["t.json"][..], "it is not JSON"),
        (schema(1)[..20].into(), &["t.json"], "only a part of it"),
        ("{}".into(), &["t.json"], "give the program first"),
        (schema(2), &["t.json"], "another version of dbverify"),
        (schema(1), &["t.json"], "missing field"),
        (schema(1), &["t", "t.json"], "`dbverify replay t.json`"),
        (schema(1), &["t"], "Usage: dbverify replay"),
    ] {
        std::fs::write(folder.path().join("t.json"), text).unwrap();
        let output = dbverify(folder.path(), &[&["replay"], args].concat());
        assert_eq!(output.status.code(), Some(2), "{}", said(&output));
        assert!(said(&output).contains(words), "{}", said(&output));
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

/// If all work is done under one mutex, traces are orders of critical sections. A signal chooses its thread when one wakes.
#[test]
fn traces_of_a_pool_are_orders_of_its_critical_sections() {
    if !can("gcc") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let source = Path::new(ROOT).join("examples/c-programs/thread_pool.c");
    let name = compiled(folder.path(), &source);
    let text = said(&dbverify(
        folder.path(),
        &["run", "--delays", "any", "--", &name],
    ));
    let wanted = orders(&Pool::default()).to_string();
    assert_eq!(executions(&text), Some(&*wanted), "{text}");
}

/// A producer and a consumer with a buffer: semaphores add no orders to those of the mutex.
#[test]
fn traces_of_a_buffer_are_orders_of_its_critical_sections() {
    if !can("gcc") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let text = "#include <pthread.h>\n#include <semaphore.h>\nsem_t room, full; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int n; void *put(void *a) { for (int i = 0; i < 5; i++) { sem_wait(&room); pthread_mutex_lock(&m); n++; pthread_mutex_unlock(&m); sem_post(&full); } return 0; } int main(void) { pthread_t t; sem_init(&room, 0, 5); sem_init(&full, 0, 0); pthread_create(&t, 0, put, 0); for (int i = 0; i < 5; i++) { sem_wait(&full); pthread_mutex_lock(&m); n--; pthread_mutex_unlock(&m); sem_post(&room); } pthread_join(t, 0); }\n";
    let (_, said_run) = answer(folder.path(), "buffer.c", text, &["--delays", "any"]);
    assert_eq!(executions(&said_run), Some("42"), "{said_run}");
    let line = ["explore", "buffer.c", "--strategy", "dpor", "--no-races"];
    let read = said(&dbverify(folder.path(), &line));
    assert!(read.contains(" 42 executions,"), "{read}");
}

/// The pool of `thread_pool.c`: two jobs, two workers, and the progress of the first thread.
#[derive(Clone, Default)]
struct Pool {
    submitted: u32,
    jobs: u32,
    closed: bool,
    waits: [bool; 2],
    gone: [bool; 2],
    /// Signals, each with those that it may wake, and those whom the broadcast wakes.
    signals: Vec<[bool; 2]>,
    freed: [bool; 2],
}

/// How many orders of critical sections there are.
fn orders(pool: &Pool) -> u64 {
    let mut nexts = Vec::new();
    if pool.submitted < 2 {
        let mut next = pool.clone();
        next.submitted += 1;
        next.jobs += 1;
        let waiting = next.waits.iter().filter(|w| **w).count();
        if next.signals.len() < waiting {
            next.signals.push(next.waits);
        }
        nexts.push(next);
    } else if !pool.closed {
        let mut next = pool.clone();
        next.closed = true;
        next.freed = next.waits;
        next.signals.clear();
        nexts.push(next);
    }
    for worker in 0..2 {
        let mut next = pool.clone();
        if pool.waits[worker] {
            let signal = pool.signals.iter().position(|s| s[worker]);
            if !pool.freed[worker] {
                let Some(signal) = signal else { continue };
                next.signals.remove(signal);
            }
            next.waits[worker] = false;
            next.freed[worker] = false;
            for signal in &mut next.signals {
                signal[worker] = false;
            }
            next.signals.retain(|s| s.contains(&true));
        } else if pool.gone[worker] {
            continue;
        }
        match (next.jobs, next.closed) {
            (1.., _) => next.jobs -= 1,
            (0, true) => next.gone[worker] = true,
            (0, false) => next.waits[worker] = true,
        }
        nexts.push(next);
    }
    if nexts.is_empty() {
        return 1;
    }
    nexts.iter().map(orders).sum()
}

/// A thread's past decides what it does next: four threads that count have 576 traces, and only 125 pasts.
#[test]
fn a_process_runs_for_what_is_not_known() {
    if !can("gcc") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let text = "#include <pthread.h>\nint x; void *w(void *a) { x = x + 1; return 0; } int main(void) { pthread_t t[4]; for (int i = 0; i < 4; i++) pthread_create(&t[i], 0, w, 0); for (int i = 0; i < 4; i++) pthread_join(t[i], 0); }\n";
    let options = ["--delays", "any", "--format", "json"];
    let (code, said) = answer(folder.path(), "counts.c", text, &options);
    assert_eq!(code, Some(0), "{said}");
    let said: serde_json::Value = serde_json::from_str(&said).unwrap();
    assert_eq!(said["stats"]["executions"], 576);
    assert!(said["stats"]["processes"].as_u64().unwrap() < 140, "{said}");
}

/// Threads behind the 64th have the same schedules as the first ones, with each kind of object that lets threads go on.
#[test]
fn many_threads() {
    if !can("gcc") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let head = "#include <assert.h>\n#include <pthread.h>\n#include <semaphore.h>\nint x, n; sem_t s; pthread_barrier_t b; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, r = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP; pthread_cond_t c = PTHREAD_COND_INITIALIZER; pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;\n";
    let main = "void *none(void *a) { return 0; }\nint main(void) { pthread_t t[3]; pthread_barrier_init(&b, 0, 2); sem_init(&s, 0, 1); for (int i = 0; i < BEFORE; i++) { pthread_create(t, 0, none, 0); pthread_join(*t, 0); }\nfor (int i = 0; i < BEFORE; i++) { pthread_create(t, 0, none, 0); pthread_join(*t, 0); }\nfor (int i = 0; i < 3; i++) pthread_create(&t[i], 0, w, i ? t : 0); for (int i = 0; i < 3; i++) pthread_join(t[i], 0); assert(n != 3); }\n";
    for (name, thread, status) in [
        ("counter.c", "x = x + 1; n += x == 4", 0),
        ("lost.c", "int y = x; x = y + 1; n = y == 0 ? n + 1 : 0", 1),
        (
            "locks.c",
            "pthread_mutex_lock(&m); pthread_mutex_lock(&r); pthread_mutex_lock(&r); pthread_mutex_unlock(&r); pthread_mutex_unlock(&r); pthread_mutex_unlock(&m)",
            0,
        ),
        (
            "waits.c",
            "pthread_mutex_lock(&m); if (a) pthread_cond_signal(&c); else while (!x) pthread_cond_wait(&c, &m); x = 1; pthread_mutex_unlock(&m)",
            0,
        ),
        (
            "sleeps.c",
            "pthread_mutex_lock(&m); if (a) x++, pthread_cond_signal(&c); else pthread_cond_wait(&c, &m); pthread_mutex_unlock(&m)",
            1,
        ),
        (
            "reads.c",
            "if (a) { pthread_rwlock_rdlock(&l); x == 9; pthread_rwlock_unlock(&l); } else { pthread_rwlock_wrlock(&l); x = 1; pthread_rwlock_unlock(&l); }",
            0,
        ),
        (
            "meets.c",
            "sem_wait(&s); x++; sem_post(&s); if (a) pthread_barrier_wait(&b)",
            0,
        ),
    ] {
        let text = format!(
            "#define _GNU_SOURCE\n{head}void *w(void *a) {{ {thread}; return 0; }}\n{main}"
        );
        let [few, many] = ["0", "35"].map(|before| {
            let text = text.replace("BEFORE", before);
            let (code, said) = answer(folder.path(), name, &text, &["--delays", "any"]);
            assert_eq!(code, Some(status), "{name} {before}: {said}");
            executions(&said).map(str::to_owned)
        });
        assert_eq!(few, many, "{name}");
    }
    let text = "#include <pthread.h>\nvoid *w(void *a) { return 0; } int main(void) { pthread_t t; for (int i = 0; i < 256; i++) pthread_create(&t, 0, w, 0); }\n";
    let (code, said) = answer(folder.path(), "crowd.c", text, &["--delays", "0"]);
    assert_eq!(code, Some(3), "{said}");
    assert!(said.contains("more than 256 threads"), "{said}");
}

/// The exit status and the answer about a source file's program.
fn answer(folder: &Path, name: &str, text: &str, options: &[&str]) -> (Option<i32>, String) {
    answer_by("gcc", folder, name, text, options)
}

fn answer_by(
    compiler: &str,
    folder: &Path,
    name: &str,
    text: &str,
    options: &[&str],
) -> (Option<i32>, String) {
    let source = folder.join(name);
    std::fs::write(&source, text).unwrap();
    let name = compiled_by(compiler, folder, &source, "-O1");
    let mut args = vec!["run"];
    args.extend(options);
    args.extend(["--", &name]);
    let output = dbverify(folder, &args);
    (output.status.code(), said(&output))
}

/// Programs that went wrong once, or might: a name, the program behind its headers, the exit status, words of the answer.
const TRAPS: [(&str, &str, i32, &str); 66] = [
    // A thread may begin and end before `main` does.
    (
        "early.c",
        "pthread_t t; int x; void *w(void *a) { x = 1; return 0; } __attribute__((constructor)) void c(void) { pthread_create(&t, 0, w, 0); usleep(100000); } int main(void) { pthread_join(t, 0); }",
        2,
        "starts threads before its `main` begins",
    ),
    // The end of a text is looked for when the text is read, and not before.
    (
        "text.c",
        "#include <string.h>\n_Alignas(8) char b[16], from[16] = \"123456789\"; void *w(void *a) { strcpy(b, from); return 0; } int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); size_t n = strlen(b); assert(n == 0 || n == 8 || n == 9); pthread_join(t, 0); }",
        0,
        "any schedule",
    ),
    (
        "part_of_text.c",
        "#include <string.h>\n_Alignas(8) char b[16], from[16] = \"123456789\"; void *w(void *a) { strcpy(b, from); return 0; } int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); assert(strlen(b) != 8); pthread_join(t, 0); }",
        1,
        "assertion",
    ),
    (
        "put_text.c",
        "#include <stdio.h>\n#include <string.h>\n_Alignas(8) char b[16], from[16] = \"123456789\"; void *w(void *a) { strcpy(b, from); return 0; } int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); puts(b); pthread_join(t, 0); }",
        0,
        "any schedule",
    ),
    // A thread that holds a lock for writing gets an error where it would wait for itself.
    (
        "writes.c",
        "#include <errno.h>\npthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER; int main(void) { struct timespec t = {0}; assert(pthread_rwlock_wrlock(&l) == 0); assert(pthread_rwlock_wrlock(&l) == EDEADLK); assert(pthread_rwlock_rdlock(&l) == EDEADLK); assert(pthread_rwlock_timedrdlock(&l, &t) == EDEADLK); assert(pthread_rwlock_tryrdlock(&l) == EBUSY); assert(pthread_rwlock_trywrlock(&l) == EBUSY); assert(pthread_rwlock_unlock(&l) == 0); assert(pthread_rwlock_rdlock(&l) == 0); }",
        0,
        "any schedule",
    ),
    (
        "reads.c",
        "pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER; int main(void) { pthread_rwlock_rdlock(&l); pthread_rwlock_wrlock(&l); }",
        1,
        "deadlock",
    ),
    (
        "unlocks.c",
        "#include <errno.h>\npthread_mutex_t m = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP; void *w(void *a) { assert(pthread_mutex_unlock(&m) == EPERM); return 0; } int main(void) { pthread_t t; w(0); pthread_mutex_lock(&m); pthread_create(&t, 0, w, 0); pthread_join(t, 0); assert(pthread_mutex_unlock(&m) == 0); }",
        0,
        "any schedule",
    ),
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
    // A wait times out. Before the thread has the mutex again, another one does what it waited for.
    (
        "late.c",
        "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER; int ready; void *w(void *a) { pthread_mutex_lock(&m); ready = 1; pthread_cond_signal(&c); pthread_mutex_unlock(&m); return 0; } int main(void) { pthread_t t; struct timespec s = {1, 0}; pthread_mutex_lock(&m); pthread_create(&t, 0, w, 0); if (pthread_cond_timedwait(&c, &m, &s)) assert(!ready); pthread_mutex_unlock(&m); pthread_join(t, 0); }",
        1,
        "assertion",
    ),
    // Memory that is used again holds another object.
    (
        "again.c",
        "void f(void) {} int main(void) { for (int i = 0; i < 2; i++) { pthread_once_t *o = calloc(1, sizeof *o); int n = 0; pthread_once(o, f); n = *o; free(o); if (!n) abort(); } }",
        0,
        "any schedule",
    ),
    // A lock lies in memory that another thread frees.
    (
        "freed_lock.c",
        "pthread_mutex_t *m; void *w(void *a) { pthread_mutex_lock(m); pthread_mutex_unlock(m); return 0; } int main(void) { pthread_t t; m = calloc(1, sizeof *m); pthread_create(&t, 0, w, 0); pthread_mutex_lock(m); pthread_mutex_unlock(m); free(m); pthread_join(t, 0); }",
        1,
        "deref",
    ),
    // A thread waits for a semaphore that another one frees.
    (
        "freed_semaphore.c",
        "#include <semaphore.h>\nsem_t *s, r; void *w(void *a) { sem_post(&r); sem_wait(s); return 0; } int main(void) { pthread_t t; s = calloc(1, sizeof *s); sem_init(s, 0, 0); pthread_create(&t, 0, w, 0); sem_wait(&r); free(s); return 0; }",
        1,
        "deref",
    ),
    // The signal of `abort` names a process, which is another one each time.
    ("aborts.c", "int main(void) { abort(); }", 1, "SIGABRT"),
    (
        "execs.c",
        "int main(void) { execl(\"/bin/true\", \"true\", (char *)0); return 0; }",
        3,
        "uses execl",
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
        0,
        "any schedule",
    ),
    (
        "long.c",
        "atomic_int x; int main(void) { for (int i = 0; i < 60; i++) x++; }",
        3,
        "longer than 50 steps",
    ),
    // A reader that polls does not end the search before the writer has written.
    (
        "torn.c",
        "atomic_uint s; atomic_int a, b; void *w(void *p) { s++; a++; b++; s++; return 0; } int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); while (s & 1) ; int x = a, y = b; pthread_join(t, 0); assert(x == y); }",
        1,
        "assertion",
    ),
    (
        "sequence.c",
        "atomic_uint s; atomic_int a, b; void *w(void *p) { s++; a++; b++; s++; return 0; } int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); unsigned k; int x, y; do { while ((k = s) & 1) ; x = a; y = b; } while (s != k); pthread_join(t, 0); assert(x == y); }",
        0,
        "assumed: with `--fair`",
    ),
    // A copy goes by words; a structure's copy reads and writes in one step.
    (
        "copy.c",
        "#include <string.h>\nchar from[64], to[64]; void *w(void *p) { memset(from, 1, 64); return 0; } int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); memcpy(to, from, 64); pthread_join(t, 0); assert(to[0] == to[63]); }",
        1,
        "assertion",
    ),
    (
        "text.c",
        "#include <string.h>\n_Alignas(8) char s[] = \"some long text\"; void *w(void *p) { s[0] = 'S'; s[10] = 'X'; return 0; } int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); int torn = strcmp(s, \"some long Xext\") == 0; pthread_join(t, 0); assert(!torn); }",
        1,
        "assertion",
    ),
    (
        "structure.c",
        "struct s { long a[6]; } g, h; void *w(void *p) { h = g; return 0; } void *v(void *p) { g = (struct s){{1, 1, 1, 1, 1, 1}}; return 0; } int main(void) { pthread_t t, u; pthread_create(&t, 0, w, 0); pthread_create(&u, 0, v, 0); struct s c = h; pthread_join(t, 0); pthread_join(u, 0); h = c; assert(c.a[0] == c.a[3]); }",
        1,
        "assertion",
    ),
    // Waking the waiters of a word does not look at the word, so the word may be freed.
    (
        "woken.c",
        "#include <linux/futex.h>\n#include <sys/syscall.h>\natomic_int *f; void *w(void *p) { atomic_int *g = f; *g = 1; syscall(SYS_futex, g, FUTEX_WAKE, 1, 0, 0, 0); return 0; } int main(void) { pthread_t t; f = calloc(1, sizeof *f); pthread_create(&t, 0, w, 0); while (!*f) syscall(SYS_futex, f, FUTEX_WAIT, 0, 0, 0, 0); free(f); pthread_join(t, 0); }",
        0,
        "any schedule",
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
    // A thread's next step depends on an access that races and is no step yet.
    (
        "changes.c",
        "atomic_int flag, done; int x; pthread_mutex_t m[3]; void *r(void *a) { flag = 1; int n = x; pthread_mutex_lock(&m[n]); pthread_mutex_unlock(&m[n]); done = 1; return 0; } void *w(void *a) { if (!flag) x = 2; else if (done) x = 1; return 0; } int main(void) { pthread_t s, t; for (int i = 0; i < 3; i++) pthread_mutex_init(&m[i], 0); pthread_create(&s, 0, r, 0); pthread_create(&t, 0, w, 0); pthread_join(s, 0); pthread_join(t, 0); }",
        0,
        "any schedule",
    ),
    // A wait times out, and the clock says so.
    (
        "clock.c",
        "#include <time.h>\nstatic long now(void) { struct timespec s; clock_gettime(CLOCK_REALTIME, &s); return s.tv_sec; } pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER; int ready; void *w(void *a) { pthread_mutex_lock(&m); ready = 1; pthread_cond_signal(&c); pthread_mutex_unlock(&m); return 0; } int main(void) { pthread_t t; struct timespec s = {now() + 3600, 0}; pthread_create(&t, 0, w, 0); pthread_mutex_lock(&m); while (!ready && now() < s.tv_sec) pthread_cond_timedwait(&c, &m, &s); assert(ready); pthread_mutex_unlock(&m); pthread_join(t, 0); }",
        1,
        "assertion",
    ),
    (
        "wakes.c",
        "#include <linux/futex.h>\n#include <sys/syscall.h>\nint f; int main(void) { syscall(SYS_futex, &f, FUTEX_WAKE, 1, 0, 0, 0); assert(f); }",
        1,
        "wakes who waits for the word f",
    ),
    // Before memory that was freed is used again, another thread may come.
    (
        "reused.c",
        "int *p; void *w(void *a) { *p = 3; return 0; } int main(void) { pthread_t t; p = malloc(4); *p = 1; pthread_create(&t, 0, w, 0); free(p); int *q = malloc(4); *q = 7; pthread_join(t, 0); return p != q; }",
        1,
        "deref",
    ),
    // Memory that is used again holds an old pointer's value, too.
    (
        "aba.c",
        "_Atomic(int *) top; int *n; void *w(void *a) { int *p = top; if (atomic_compare_exchange_strong(&top, &p, 0)) assert(!n); return 0; } int main(void) { pthread_t t; top = malloc(4); pthread_create(&t, 0, w, 0); int *p = atomic_exchange(&top, 0); if (p) { free(p); n = malloc(4); top = n; } pthread_join(t, 0); }",
        1,
        "assertion",
    ),
    (
        "timer.c",
        "#include <signal.h>\n#include <time.h>\nint n; void f(union sigval v) { n++; } int main(void) { timer_t t; struct sigevent e = {.sigev_notify = SIGEV_THREAD, .sigev_notify_function = f}; return timer_create(CLOCK_MONOTONIC, &e, &t); }",
        3,
        "uses timer_create",
    ),
    (
        "spawn.c",
        "#include <spawn.h>\nint main(void) { pid_t p; char *a[] = {\"true\", 0}; return posix_spawnp(&p, \"true\", 0, 0, a, environ); }",
        3,
        "uses posix_spawnp",
    ),
    // A thread hears of another one through the kernel.
    (
        "channel.c",
        "#include <sys/eventfd.h>\nint e; void *w(void *a) { eventfd_write(e, 1); return 0; } int main(void) { pthread_t t; eventfd_t v; e = eventfd(0, EFD_NONBLOCK); pthread_create(&t, 0, w, 0); int r = eventfd_read(e, &v); pthread_join(t, 0); assert(r == -1); }",
        3,
        "through `eventfd`",
    ),
    (
        "locked_file.c",
        "#include <fcntl.h>\n#include <sys/file.h>\nvoid *w(void *a) { flock(open(\"lock\", O_RDWR | O_CREAT, 0600), LOCK_EX); return 0; } int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); pthread_join(t, 0); }",
        3,
        "through `flock`",
    ),
    // A read from a pipe depends on which thread wrote first, and comes after all that this thread did before.
    (
        "pipe.c",
        "int p[2]; void *w(void *a) { write(p[1], a, 1); return 0; } int main(void) { pthread_t t, u; char c; pipe(p); pthread_create(&t, 0, w, \"a\"); pthread_create(&u, 0, w, \"b\"); read(p[0], &c, 1); assert(c == 'a'); }",
        1,
        "assertion",
    ),
    (
        "published.c",
        "int p[2], x; void *w(void *a) { x = 1; close(p[1]); return 0; } int main(void) { pthread_t t; char c; pipe(p); pthread_create(&t, 0, w, 0); int n = read(p[0], &c, 1); assert(n == 0 && x); pthread_join(t, 0); }",
        0,
        "no access to memory races",
    ),
    (
        "nobody.c",
        "int p[2]; void *w(void *a) { char c; read(p[0], &c, 1); return 0; } int main(void) { pthread_t t; pipe(p); pthread_create(&t, 0, w, 0); pthread_join(t, 0); }",
        1,
        "waits: reads from a pipe",
    ),
    (
        "empty.c",
        "#include <fcntl.h>\nint p[2]; void *w(void *a) { write(p[1], a, 1); return 0; } int main(void) { pthread_t t; char c; pipe2(p, O_NONBLOCK); pthread_create(&t, 0, w, \"a\"); assert(read(p[0], &c, 1) == 1); }",
        1,
        "assertion",
    ),
    // The kernel wrote the place into which another thread looks.
    (
        "into.c",
        "int p[2]; char b[8]; void *w(void *a) { read(p[0], b, 8); return 0; } int main(void) { pthread_t t; pipe(p); write(p[1], \"abcdefgh\", 8); pthread_create(&t, 0, w, 0); int before = b[3]; pthread_join(t, 0); assert(!before); }",
        1,
        "assertion",
    ),
    (
        "broken.c",
        "int p[2]; void *w(void *a) { close(p[0]); return 0; } int main(void) { pthread_t t; pipe(p); pthread_create(&t, 0, w, 0); write(p[1], \"x\", 1); pthread_join(t, 0); }",
        1,
        "SIGPIPE",
    ),
    // The runtime leaves a pipe that is used in other ways to the kernel, and lets no thread wait for it.
    (
        "gathers.c",
        "#include <sys/uio.h>\nint p[2]; void *w(void *a) { struct iovec v = {\"x\", 1}; writev(p[1], &v, 1); return 0; } int main(void) { pthread_t t; char c; pipe(p); pthread_create(&t, 0, w, 0); pthread_join(t, 0); read(p[0], &c, 1); }",
        3,
        "through `writev`",
    ),
    // A handler of the program's own lets it die of the same signal.
    (
        "raises.c",
        "#include <signal.h>\nvoid h(int s) { signal(s, SIG_DFL); raise(s); } int main(void) { signal(SIGSEGV, h); *(volatile int *)0 = 1; }",
        1,
        "SIGSEGV: memory that is not there\n",
    ),
    // Two reads of one thread, with a writer that waits between them.
    (
        "prefers.c",
        "pthread_rwlock_t l = PTHREAD_RWLOCK_WRITER_NONRECURSIVE_INITIALIZER_NP; int main(void) { pthread_rwlock_rdlock(&l); return 0; }",
        3,
        "a read-write lock that prefers writers",
    ),
    (
        "stack.c",
        "char s[1 << 20]; void *w(void *a) { int x; assert((char *)&x >= s && (char *)&x < s + sizeof s); return 0; } int main(void) { pthread_t t; pthread_attr_t a; pthread_attr_init(&a); pthread_attr_setstack(&a, s, sizeof s); pthread_create(&t, &a, w, 0); pthread_join(t, 0); }",
        0,
        "any schedule",
    ),
    (
        "cloned.c",
        "int f(void *a) { return 0; } int main(void) { char *s = malloc(65536); return clone(f, s + 65536, CLONE_VM, 0) < 0; }",
        3,
        "uses clone",
    ),
    (
        "by_number.c",
        "#include <sys/syscall.h>\nint main(void) { return syscall(SYS_clone, 0, 0, 0, 0, 0) < 0; }",
        3,
        "makes processes",
    ),
    // One place has two addresses.
    (
        "alias.c",
        "#include <sys/mman.h>\nint *a, *b; void *w(void *p) { *a = 1; return 0; } int main(void) { pthread_t t; int f = memfd_create(\"x\", 0); ftruncate(f, 4096); a = mmap(0, 4096, 3, MAP_SHARED, f, 0); b = mmap(0, 4096, 3, MAP_SHARED, f, 0); pthread_create(&t, 0, w, 0); int x = *b; pthread_join(t, 0); assert(!x); }",
        3,
        "through `mmap`",
    ),
    // Writes in assembly are not reported.
    (
        "assembly.c",
        "int x; void *w(void *a) { int n = 1; __asm__ volatile(\"lock xaddl %0, %1\" : \"+r\"(n), \"+m\"(x) : : \"memory\"); return 0; } int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); w(0); pthread_join(t, 0); }",
        3,
        "atomic operations in assembly are not seen",
    ),
    (
        "cancels.c",
        "void *w(void *a) { pause(); return 0; } int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); pthread_cancel(t); pthread_join(t, 0); }",
        3,
        "uses pthread_cancel, which is not controlled: check a build",
    ),
    // Each thread has pages of its own, where the kernel would use the same ones again.
    (
        "pages.c",
        "#include <sys/mman.h>\nvoid *w(void *a) { int *p = mmap(0, 4096, 3, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0); *p = 1; assert(*p == 1); munmap(p, 4096); return 0; } int main(void) { pthread_t t, u; pthread_create(&t, 0, w, 0); pthread_create(&u, 0, w, 0); pthread_join(t, 0); pthread_join(u, 0); }",
        0,
        "any schedule",
    ),
    // Two threads free the same.
    (
        "both.c",
        "int *p; void *w(void *a) { int *q = p; if (q) { p = 0; free(q); } return 0; } int main(void) { pthread_t t, u; p = malloc(4); pthread_create(&t, 0, w, 0); pthread_create(&u, 0, w, 0); pthread_join(t, 0); pthread_join(u, 0); }",
        1,
        "freed twice",
    ),
    (
        "twice.c",
        "int main(void) { char *volatile p = malloc(8); free(p); free(p); }",
        1,
        "freed twice",
    ),
    // The program may end before a thread has run, also if it did not end so in the first execution.
    (
        "ends_first.c",
        "int x; void *w(void *a) { x = 1; return 0; } int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); sleep(1); assert(x == 0); }",
        1,
        "assertion `x == 0`",
    ),
    // One thread's steps are known from an execution in which another thread came first and wrote what was no step yet.
    (
        "seen_before.c",
        "#include <semaphore.h>\n#include <time.h>\nsem_t s; int o = -1; atomic_int p; void *f(void *a) { o = 0; return 0; } void *g(void *a) { p = 1; return 0; } int main(void) { pthread_t t; sem_init(&s, 0, 0); pthread_create(&t, 0, f, 0); pthread_create(&t, 0, g, 0); struct timespec n = {2000000000}; sem_timedwait(&s, &n); int q = p; (void)q; assert(o == -1); }",
        1,
        "assertion `o == -1`",
    ),
    // A function for `exit` runs if a thread registers it before `exit` looks.
    (
        "at_exit.c",
        "int *p; void fin(void) { free(p); } void *w(void *a) { p = malloc(4); atexit(fin); *p = 1; return 0; } int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); }",
        1,
        "memory is used that was freed",
    ),
    (
        "at_exit_again.c",
        "pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int x; void late(void) { if (x) abort(); } void first(void) { pthread_mutex_lock(&m); x = 1; pthread_mutex_unlock(&m); } void *w(void *a) { pthread_mutex_lock(&m); int y = x; pthread_mutex_unlock(&m); if (y) atexit(late); return 0; } int main(void) { pthread_t t; atexit(first); pthread_create(&t, 0, w, 0); }",
        1,
        "SIGABRT",
    ),
    (
        "at_exit_safe.c",
        "int *p; void fin(void) { free(p); } void *w(void *a) { p = malloc(4); *p = 1; atexit(fin); return 0; } int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); }",
        0,
        "any schedule",
    ),
    // A function of the C library refuses an invalid time. Others have errors of their own.
    (
        "times.c",
        "#include <errno.h>\n#include <semaphore.h>\n#include <threads.h>\n#include <time.h>\npthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER; pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER; int main(void) { sem_t s; mtx_t n; struct timespec none[2] = {{0, -1}, {0, 1000000000}}, before = {-1}; sem_init(&s, 0, 1); mtx_init(&n, mtx_timed); for (int i = 0; i < 2; i++) { struct timespec *t = none + i; assert(pthread_mutex_timedlock(&m, t) == 0); assert(pthread_mutex_timedlock(&m, t) == EINVAL); assert(pthread_cond_timedwait(&c, &m, t) == EINVAL); assert(pthread_mutex_unlock(&m) == 0); assert(pthread_rwlock_timedrdlock(&l, t) == EINVAL && pthread_rwlock_timedwrlock(&l, t) == EINVAL); errno = 0; assert(sem_timedwait(&s, t) == -1 && errno == EINVAL); errno = 0; assert(nanosleep(t, 0) == -1 && errno == EINVAL); assert(clock_nanosleep(CLOCK_MONOTONIC, 0, t, 0) == EINVAL); assert(thrd_sleep(t, 0) == -2); assert(mtx_timedlock(&n, t) == thrd_success && mtx_timedlock(&n, t) == thrd_error && mtx_unlock(&n) == thrd_success); } errno = 0; assert(nanosleep(&before, 0) == -1 && errno == EINVAL); assert(pthread_mutex_clocklock(&m, CLOCK_PROCESS_CPUTIME_ID, none) == EINVAL); errno = 0; assert(clock_gettime(99, &before) == -1 && errno == EINVAL); }",
        0,
        "any schedule",
    ),
    (
        "errors.c",
        "#include <errno.h>\n#include <limits.h>\n#include <semaphore.h>\n#include <time.h>\nint main(void) { sem_t s; sem_init(&s, 0, SEM_VALUE_MAX); assert(sem_post(&s) == -1 && errno == EOVERFLOW); assert(sem_wait(&s) == 0 && sem_post(&s) == 0); char *volatile p = malloc(4); p = realloc(p, 0); assert(!p); pthread_mutex_t m = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP; pthread_cond_t c = PTHREAD_COND_INITIALIZER; struct timespec t = {0}; assert(pthread_cond_wait(&c, &m) == EPERM); pthread_mutex_lock(&m); assert(pthread_mutex_timedlock(&m, &t) == EDEADLK); }",
        0,
        "any schedule",
    ),
    // Until accesses that race are steps, executions may not fit together. That is not the program's fault.
    (
        "races_behind_a_yield.c",
        "int y; atomic_int f; void *w(void *a) { sched_yield(); f++; y = y + 1; return 0; } void *v(void *a) { y = 2; f++; return 0; } int main(void) { pthread_t a, c; pthread_create(&a, 0, w, 0); pthread_create(&c, 0, v, 0); pthread_join(a, 0); pthread_join(c, 0); assert(y != 2); }",
        1,
        "assertion",
    ),
    (
        "races_behind_a_time_out.c",
        "#include <time.h>\nint y; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER; void *w(void *a) { struct timespec t = {0}; if (!pthread_mutex_timedlock(&m, &t)) pthread_mutex_unlock(&m); pthread_mutex_lock(&m); if (y == 0) pthread_cond_wait(&c, &m); pthread_mutex_unlock(&m); return 0; } void *v(void *a) { y = 1; pthread_cond_broadcast(&c); return 0; } int main(void) { pthread_t a, b; pthread_create(&a, 0, w, 0); pthread_create(&b, 0, v, 0); pthread_join(a, 0); pthread_join(b, 0); }",
        1,
        "deadlock",
    ),
    // The loader's traces on the stack after the first call of a function are no change by the program.
    (
        "first_call.c",
        "atomic_int a, b; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER; void *u(void *p) { pthread_mutex_lock(&m); pthread_mutex_unlock(&m); return 0; } void *v(void *p) { pthread_mutex_lock(&n); while (!a) { pthread_mutex_unlock(&n); pthread_mutex_lock(&n); } pthread_mutex_unlock(&n); return 0; } void *w(void *p) { b = 1; a = 1; pthread_cond_signal(&c); u(0); return 0; } int main(void) { pthread_t t[3]; pthread_create(t, 0, u, 0); pthread_create(t + 1, 0, v, 0); pthread_create(t + 2, 0, w, 0); for (int i = 0; i < 3; i++) pthread_join(t[i], 0); }",
        0,
        "any schedule",
    ),
    // Devices give bytes that are the same each time.
    (
        "device.c",
        "#include <fcntl.h>\n#include <stdio.h>\n#include <sys/syscall.h>\nint main(void) { unsigned char a[16] = {0}; int d = open(\"/dev/urandom\", O_RDONLY); FILE *f = fopen(\"/dev/random\", \"r\"); assert(read(d, a, 4) == 4 && fread(a + 4, 4, 1, f) == 1 && syscall(SYS_getrandom, a + 8, 8, 0) == 8); assert(a[0] == 214 && a[5] == 243 && a[9] == 186); }",
        0,
        "any schedule",
    ),
];

#[test]
fn traps() {
    no_trap_catches("gcc");
}

#[test]
fn traps_by_clang() {
    no_trap_catches("clang");
}

fn no_trap_catches(compiler: &str) {
    if !can(compiler) {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let head = "#define _GNU_SOURCE\n#include <assert.h>\n#include <pthread.h>\n#include <sched.h>\n#include <stdatomic.h>\n#include <stdlib.h>\n#include <unistd.h>\n";
    for (name, text, status, words) in TRAPS {
        let options = ["--delays", "any", "--max-steps", "50"];
        let text = format!("{head}{text}\n");
        let (code, said) = answer_by(compiler, folder.path(), name, &text, &options);
        assert_eq!(code, Some(status), "{name}: {said}");
        assert!(said.contains(words), "{name}: {said}");
    }
}

/// Without `-mcx16` clang calls libatomic for 16 bytes, and gcc always calls a function of its own.
#[test]
fn atomics_of_sixteen_bytes() {
    let folder = tempfile::tempdir().unwrap();
    for (name, body, status) in [
        ("load.c", "P q = p; q.a++; p = q;", 1),
        (
            "exchange.c",
            "P q = p, r; do r = q, r.a++; while (!atomic_compare_exchange_weak(&p, &q, r));",
            0,
        ),
        ("add.c", "n += 1; P q = {2}; p = q;", 0),
    ] {
        for (compiler, options) in [
            ("clang", "-latomic"),
            ("clang", "-mcx16"),
            ("gcc", "-latomic"),
        ] {
            if !can(compiler) {
                continue;
            }
            let text = format!(
                "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\ntypedef struct {{ long a, b; }} P; _Atomic P p; _Atomic __int128 n;\nvoid *w(void *x) {{ {body} return 0; }}\nint main(void) {{ pthread_t t; pthread_create(&t, 0, w, 0); w(0); pthread_join(t, 0); P q = p; assert(q.a == 2 && (n == 0 || n == 2)); }}\n"
            );
            let source = folder.path().join(name);
            std::fs::write(&source, text).unwrap();
            let program = compiled_by(compiler, folder.path(), &source, options);
            let output = dbverify(folder.path(), &["run", "--delays", "any", "--", &program]);
            let said = said(&output);
            assert_eq!(
                output.status.code(),
                Some(status),
                "{compiler} {options} {name}: {said}"
            );
        }
    }
}

/// If an error is in a library, or the compiler has merged calls, the answer names the place in the program.
#[test]
fn errors_have_places() {
    let folder = tempfile::tempdir().unwrap();
    let head = "#include <assert.h>\n#include <stdlib.h>\n#include <string.h>\n";
    for (name, text, words) in [
        (
            "merged.c",
            "int main(int n, char **a) {\n if (n == 5) assert(0);\n if (n == 1) assert(0);\n}",
            "merged.c:6: error: assertion",
        ),
        (
            "deep.c",
            "int f(int n) { volatile char b[1000]; b[0] = n; return f(n + 1) + b[0]; }\nint main(void) { return f(0); }",
            "deep.c:4: error: signal: SIGSEGV: stack overflow",
        ),
        (
            "null.c",
            "int main(int n, char **a) {\n char *p = a[1];\n return strlen(p);\n}",
            "null.c:6: error: signal: SIGSEGV: memory that is not there",
        ),
        (
            "thrown.cpp",
            "#include <stdexcept>\n#include <thread>\nint main() {\n std::thread t([] {\n throw std::runtime_error(\"a\");\n });\n t.join(); }",
            "thrown.cpp:8: error: abort: SIGABRT",
        ),
    ] {
        for compiler in ["gcc", "clang"] {
            if !can(compiler) || !can("g++") {
                continue;
            }
            let source = folder.path().join(name);
            std::fs::write(&source, format!("{head}{text}\n")).unwrap();
            for level in ["-O1", "-O2"] {
                let name = compiled_by(compiler, folder.path(), &source, level);
                let said = said(&dbverify(folder.path(), &["run", "--", &name]));
                assert!(said.contains(words), "{compiler} {level} {name}: {said}");
            }
        }
    }
}

/// The first of two threads that call `exit` ends the program. `main` calls `exit` when it returns.
#[test]
fn exits_of_several_threads() {
    if !can("gcc") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let head = "#include <pthread.h>\n#include <stdlib.h>\nvoid *w(void *a) { exit(a != 0); }\nvoid ended(void) { static int n; if (n++) abort(); }\n";
    for (name, main, code) in [
        (
            "returns.c",
            "pthread_create(&t, 0, w, &t); return 0;",
            Some(1),
        ),
        (
            "both.c",
            "pthread_create(&t, 0, w, 0); pthread_create(&t, 0, w, 0); pthread_join(t, 0);",
            Some(0),
        ),
    ] {
        let text = format!("{head}int main(void) {{ pthread_t t; atexit(ended); {main} }}\n");
        let options = ["--exit-status", "--delays", "any"];
        let (status, said) = answer(folder.path(), name, &text, &options);
        assert_eq!(status, code, "{name}: {said}");
        let words = if code == Some(0) {
            "any schedule"
        } else {
            "ends with status 1"
        };
        assert!(said.contains(words), "{name}: {said}");
        let (status, said) = answer(folder.path(), name, &text, &options[1..]);
        assert_eq!(status, Some(0), "{name}: {said}");
    }
}

/// If the address space is limited, each thread gets less of it, and the answers are the same.
#[test]
fn the_address_space_may_be_limited() {
    if !can("gcc") || !can("g++") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let own = env!("CARGO_BIN_EXE_dbverify");
    let large =
        "#include <stdlib.h>\nint main(void) { char *p = malloc(3ul << 30); if (!p) abort(); }\n";
    std::fs::write(folder.path().join("large.c"), large).unwrap();
    let examples = Path::new(ROOT).join("examples/native");
    for (source, status, words) in [
        (examples.join("counter_repaired.c"), 0, "any schedule"),
        (examples.join("lazy_repaired.cpp"), 0, "any schedule"),
        (
            folder.path().join("large.c"),
            3,
            "the limit of its address space",
        ),
    ] {
        let name = compiled(folder.path(), &source);
        let line = format!("ulimit -v 6000000; exec {own} run --delays any -- {name}");
        let output = Command::new("sh")
            .args(["-c", &line])
            .current_dir(folder.path())
            .env("XDG_CACHE_HOME", Path::new(env!("CARGO_TARGET_TMPDIR")))
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(status), "{}", said(&output));
        assert!(said(&output).contains(words), "{}", said(&output));
    }
}

/// `--runs` counts the random schedules of the default search, too. Options without an effect are refused.
#[test]
fn options_of_random_schedules() {
    if !can("gcc") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let text = "#include <pthread.h>\n#include <stdatomic.h>\natomic_int n; void *w(void *a) { for (int i = 0; i < 5; i++) n++; return 0; } int main(void) { pthread_t t, u; pthread_create(&t, 0, w, 0); pthread_create(&u, 0, w, 0); pthread_join(t, 0); pthread_join(u, 0); }\n";
    for (options, status, words) in [
        (&["--runs", "5"][..], 0, "none in 5 random schedules"),
        (&["--delays", "1"], 0, "at most 1 delay for this input"),
        (&["--runs", "5", "--delays", "1"], 2, "--runs counts"),
        (&["--seed", "5", "--strategy", "dpor"], 2, "--seed belongs"),
        (&["--changes", "5"], 2, "--changes belongs"),
        (
            &["--changes", "5", "--strategy", "pct", "--runs", "3"],
            0,
            "in 3 random",
        ),
    ] {
        let (code, said) = answer(folder.path(), "runs.c", text, options);
        assert_eq!(code, Some(status), "{options:?}: {said}");
        assert!(said.contains(words), "{options:?}: {said}");
    }
}

/// Questions to a compiler are passed on, and files that are linked for later get no runtime.
#[test]
fn what_the_compiler_is_asked() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    std::fs::copy(
        Path::new(ROOT).join("examples/native/counter.c"),
        folder.join("counter.c"),
    )
    .unwrap();
    for compiler in ["gcc", "clang"] {
        if !can(compiler) {
            continue;
        }
        for line in [
            "-v",
            "-dumpmachine",
            "-c -w counter.c",
            "-r counter.o -o later.o",
            "later.o -o counter",
        ] {
            let line = line.split(' ');
            let line: Vec<&str> = ["cc", "--", compiler].into_iter().chain(line).collect();
            let output = dbverify(folder, &line);
            assert!(output.status.success(), "{line:?}: {}", said(&output));
        }
        let output = dbverify(folder, &["run", "--", "./counter"]);
        assert!(said(&output).contains("assertion"), "{}", said(&output));
    }
}

/// A bug is replayed also if the kernel keeps the program's pipes. The answer names the call in which a thread waits outside.
#[test]
fn what_the_kernel_keeps() {
    if !can("gcc") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let text = "#include <assert.h>\n#include <poll.h>\n#include <pthread.h>\n#include <unistd.h>\nint p[2]; void *w(void *a) { write(p[1], a, 1); return 0; } int main(void) { pthread_t t; pipe(p); pthread_create(&t, 0, w, \"a\"); struct pollfd f = {p[0], POLLIN}; assert(poll(&f, 1, WAIT) == 0); pthread_join(t, 0); }\n";
    let now = text.replace("WAIT", "0");
    let now = now.replace("struct pollfd", "pthread_join(t, 0); struct pollfd");
    let options = ["--trace-out", "bug.json"];
    let (code, first) = answer(folder.path(), "now.c", &now, &options);
    assert_eq!(code, Some(1), "{first}");
    let again = said(&dbverify(folder.path(), &["replay", "bug.json"]));
    assert_eq!(again.lines().next(), first.lines().next(), "{again}");
    let forever = text.replace("WAIT", "-1");
    let options = ["--timeout", "1"];
    let (code, said) = answer(folder.path(), "forever.c", &forever, &options);
    assert_eq!(code, Some(3), "{said}");
    assert!(said.contains("waits in `poll`"), "{said}");
}

/// The atomic counts of libstdc++ do not race, and random numbers come from no device.
#[test]
fn exceptions_are_shared() {
    if !can("g++") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let head = "#include <cassert>\n#include <future>\n#include <mutex>\n#include <random>\n#include <stdexcept>\n#include <string>\n#include <thread>\n";
    for (name, text, status, words) in [
        (
            "shared.cpp",
            "void look(std::exception_ptr e) { try { std::rethrow_exception(e); } catch (std::logic_error &x) { assert(x.what()[0] == 'a'); } } int main() { std::exception_ptr e; try { throw std::logic_error(\"abc\"); } catch (...) { e = std::current_exception(); } std::thread a(look, e); look(e); e = nullptr; a.join(); }",
            0,
            "any schedule",
        ),
        (
            "late.cpp",
            "int main() { std::promise<int> p; auto f = p.get_future(); std::thread t([&] { p.set_value_at_thread_exit(3); }); f.get(); t.join(); }",
            3,
            "uses set_value_at_thread_exit",
        ),
        (
            "device.cpp",
            "int main() { std::random_device d; std::mutex m; for (unsigned n = d() % 97; n; n--) { m.lock(); m.unlock(); } }",
            0,
            "any schedule",
        ),
    ] {
        let text = format!("{head}{text}\n");
        let options = ["--races", "--delays", "any"];
        let (code, said) = answer(folder.path(), name, &text, &options);
        assert_eq!(code, Some(status), "{name}: {said}");
        assert!(said.contains(words), "{name}: {said}");
    }
}

/// Where few delays show no bug, random schedules may.
#[test]
fn the_default_also_tries_random_schedules() {
    if !can("gcc") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let text = "#include <assert.h>\n#include <pthread.h>\nint a, b; void *set(void *x) { a = 1; b = -1; return 0; } void *check(void *x) { assert(a + b == 0); return 0; } int main(void) { pthread_t t[7]; for (int i = 0; i < 7; i++) pthread_create(&t[i], 0, i < 6 ? set : check, 0); for (int i = 0; i < 7; i++) pthread_join(t[i], 0); }\n";
    let (code, said) = answer(folder.path(), "reorder.c", text, &["--delays", "2"]);
    assert_eq!(code, Some(0), "{said}");
    let (code, said) = answer(folder.path(), "reorder.c", text, &[]);
    assert_eq!(code, Some(1), "{said}");
    let safe = text.replace("assert(a + b == 0)", "(void)(a + b)");
    let (code, said) = answer(folder.path(), "none.c", &safe, &[]);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("random schedules; a larger budget"), "{said}");
}

/// Where few delays show no bug, the first of all traces may. If there are no others, no schedule is left out.
#[test]
fn the_default_also_tries_traces() {
    if !can("gcc") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let text = "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\natomic_int a, b; int seen = -1; void *one(void *x) { a += 3; int r = a; seen = r * 4 + b; return 0; } void *two(void *x) { a = a + 1; b = 2; return 0; } int main(void) { pthread_t t, u; pthread_create(&t, 0, one, 0); pthread_create(&u, 0, two, 0); pthread_join(t, 0); pthread_join(u, 0); assert(a != 1 || b != 2 || seen != 4); }\n";
    let (code, said) = answer(folder.path(), "order.c", text, &["--delays", "2"]);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("a larger budget"), "{said}");
    let (code, said) = answer(folder.path(), "order.c", text, &["--runs", "1"]);
    assert_eq!(code, Some(1), "{said}");
    let safe = text.replace("seen != 4", "seen != 5");
    let options = ["--require-exhaustive"];
    let (code, said) = answer(folder.path(), "safe.c", &safe, &options);
    assert_eq!(code, Some(0), "{said}");
    assert!(
        said.contains("no bug in any schedule of this input"),
        "{said}"
    );
}

/// Libraries yield a few times before they wait. Random priorities also go on behind these yields.
#[test]
fn a_wait_behind_yields_is_reached() {
    if !can("gcc") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let text = "#define _GNU_SOURCE\n#include <linux/futex.h>\n#include <pthread.h>\n#include <sched.h>\n#include <stdatomic.h>\n#include <sys/syscall.h>\n#include <unistd.h>\natomic_int x; void *w(void *a) { for (int i = 0; i < 16; i++) { if (x) return 0; if (i >= 12) sched_yield(); } while (!x) syscall(SYS_futex, &x, FUTEX_WAIT_PRIVATE, 0, 0, 0, 0); return 0; }\nint main(void) { pthread_t t; pthread_create(&t, 0, w, 0); x = 1; pthread_join(t, 0); }\n";
    for options in [&[][..], &["--strategy", "pct"]] {
        let (code, said) = answer(folder.path(), "lost.c", text, options);
        assert_eq!(code, Some(1), "{said}");
        assert!(said.contains("deadlock"), "{said}");
    }
}

/// A time-out is no yield: where the time of a search runs out, an answer advises `--fair` to programs that yield.
#[test]
fn fair_is_advised_to_those_who_yield() {
    if !can("gcc") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let text = "#include <pthread.h>\n#include <sched.h>\n#include <stdatomic.h>\n#include <time.h>\npthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER; atomic_int v;\nvoid *w(void *a) { struct timespec t = {1}; pthread_mutex_lock(&m); pthread_cond_timedwait(&c, &m, &t); pthread_mutex_unlock(&m); for (int i = 0; i < 5; i++) v++; return 0; }\nint main(void) { pthread_t t[6]; for (int i = 0; i < 6; i++) pthread_create(t + i, 0, w, 0); for (int i = 0; i < 6; i++) pthread_join(t[i], 0); }\n";
    for (text, yields) in [
        (text.to_owned(), false),
        (text.replace("v++", "v++, sched_yield()"), true),
    ] {
        let options = ["--delays", "any", "--timeout", "1"];
        let (code, said) = answer(folder.path(), "late.c", &text, &options);
        assert_eq!(code, Some(3), "{said}");
        assert!(said.contains("within 1 s"), "{said}");
        assert_eq!(said.contains("threads yield"), yields, "{said}");
    }
}

/// A run that is killed leaves no file and no process.
#[test]
fn a_run_that_is_killed_leaves_nothing() {
    if !can("gcc") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let source = folder.path().join("runs_on.c");
    std::fs::write(
        &source,
        "int main(void) { volatile unsigned x = 0; for (;;) x++; }\n",
    )
    .unwrap();
    let name = compiled(folder.path(), &source);
    let rest = folder.path().join("rest");
    std::fs::create_dir(&rest).unwrap();
    let mut run = Command::new(env!("CARGO_BIN_EXE_dbverify"))
        .args(["run", "--", &name])
        .current_dir(folder.path())
        .env("TMPDIR", &rest)
        .spawn()
        .unwrap();
    let program = folder.path().join("runs_on").canonicalize().unwrap();
    let running = || {
        let processes = std::fs::read_dir("/proc").unwrap();
        let programs = processes
            .flatten()
            .map(|p| std::fs::read_link(p.path().join("exe")));
        programs.flatten().filter(|exe| *exe == program).count()
    };
    let becomes = |count| {
        (0..1000).any(|_| {
            std::thread::sleep(std::time::Duration::from_millis(10));
            running() == count
        })
    };
    assert!(becomes(2), "the server and an execution");
    run.kill().unwrap();
    run.wait().unwrap();
    assert!(becomes(0));
    assert_eq!(std::fs::read_dir(&rest).unwrap().count(), 0);
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
        ("-fsanitize=leak", 2, "the leak sanitizer"),
        ("-fsanitize=thread", 2, "own sanitizer"),
    ] {
        let mut gcc = Command::new("gcc");
        gcc.args([option, "-w", "-o"])
            .arg(folder.path().join("plain"));
        let built = gcc.arg(&source).status().unwrap();
        if !built.success() {
            println!("skipped: gcc cannot link with {option}");
            continue;
        }
        let output = dbverify(folder.path(), &["run", "--", "./plain"]);
        assert_eq!(output.status.code(), Some(status), "{}", said(&output));
        assert!(said(&output).contains(words), "{}", said(&output));
    }
    let plain = folder.path().join("plain");
    let rights = std::os::unix::fs::PermissionsExt::from_mode(0o4755);
    std::fs::set_permissions(plain, rights).unwrap();
    let output = dbverify(folder.path(), &["run", "--", "./plain"]);
    assert!(said(&output).contains("setuid"), "{}", said(&output));
    for (compiler, option, words) in [
        ("clang", "-fsanitize=undefined", "-fsanitize-trap=all"),
        ("clang", "-fsanitize=address", "leave it out"),
        ("clang", "-fsanitize=undefined,leak", "=leak cannot stand"),
        ("gcc", "-fsanitize=address", "leave it out"),
    ] {
        let output = dbverify(folder.path(), &["cc", compiler, option, "a.c"]);
        assert!(said(&output).contains(words), "{}", said(&output));
    }
    let output = dbverify(folder.path(), &["run", "--input", ".", "--", "/bin/true"]);
    assert!(said(&output).contains("is a folder"), "{}", said(&output));
    let script = dbverify(folder.path(), &["run", "--", "/etc/passwd"]);
    assert!(said(&script).contains("is no binary"), "{}", said(&script));
}

/// Findings of gcc's library for undefined behaviour are bugs. They are not seen if the program contains that library.
#[test]
fn undefined_behaviour_is_told() {
    if !can("gcc") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let text = "#include <pthread.h>\nint x = 2147483647; void *w(void *a) { x++; return 0; }\nint main(void) { pthread_t t; pthread_create(&t, 0, w, 0); pthread_join(t, 0); }\n";
    std::fs::write(folder.join("ub.c"), text).unwrap();
    for (link, status, words) in [
        (
            "-fsanitize=undefined",
            1,
            "ub.c:2: error: misuse: undefined behaviour",
        ),
        ("-static-libubsan", 2, "-fsanitize-trap=all"),
    ] {
        let line = [
            "cc",
            "gcc",
            "-fsanitize=undefined",
            link,
            "ub.c",
            "-o",
            "ub",
        ];
        let built = dbverify(folder, &line);
        if !built.status.success() {
            println!("skipped: gcc cannot link with {link}");
            continue;
        }
        let output = dbverify(folder, &["run", "--", "./ub"]);
        assert_eq!(output.status.code(), Some(status), "{}", said(&output));
        assert!(said(&output).contains(words), "{}", said(&output));
    }
}

/// The log of a few steps that access much is full. Then the execution was too long, and did not fail.
#[test]
fn a_log_may_be_full() {
    if !can("gcc") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let text = "#include <pthread.h>\npthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; char b[16384]; void *w(void *a) { for (int i = 0; i < 300; i++) { pthread_mutex_lock(&m); for (int j = 0; j < 16384; j++) b[j]++; pthread_mutex_unlock(&m); } return 0; }\nint main(void) { pthread_t t; pthread_create(&t, 0, w, 0); w(0); pthread_join(t, 0); }\n";
    let options = ["--delays", "0", "--timeout", "4"];
    let (code, said) = answer(folder.path(), "full.c", text, &options);
    assert_eq!(code, Some(3), "{said}");
    assert!(!said.contains("deterministic"), "{said}");
}

/// Where gcc reports the copy of a structure as a whole, an answer says so.
#[test]
fn copies_as_a_whole_are_said() {
    if !can("gcc") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let text = "#include <pthread.h>\nstruct s { long a, b, c, d; } s, z = {1, 1, 1, 1}; void *w(void *q) { s = z; return 0; }\nint main(void) { pthread_t t; pthread_create(&t, 0, w, 0); struct s u = s; if (u.a != u.d) __builtin_trap(); pthread_join(t, 0); }\n";
    std::fs::write(folder.join("copy.c"), text).unwrap();
    let name = compiled_by("gcc", folder, &folder.join("copy.c"), "-O0");
    let output = dbverify(folder, &["run", "--", &name]);
    let words = "no thread sees a part of a structure's copy";
    assert!(said(&output).contains(words), "{}", said(&output));
}

/// Atomic operations in Rust are not seen: there is no verdict without a bug, neither of a program nor with a part in Rust.
#[test]
fn rust_is_no_silent_verdict() {
    if !can("gcc") || !can("rustc") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    for tool in ["cargo", "rustc"] {
        let said = said(&dbverify(folder.path(), &["cc", "--", tool, "build"]));
        assert!(said.contains("Rust cannot be checked"), "{said}");
    }
    let part = "use std::sync::atomic::*; static X: AtomicI32 = AtomicI32::new(0); #[no_mangle] pub extern \"C\" fn step() -> i32 { let x = X.load(Ordering::SeqCst); X.store(x + 1, Ordering::SeqCst); x }";
    let main = "fn main() { let other = std::thread::spawn(step); step(); other.join().unwrap(); assert_eq!(step(), 2); }";
    let step = part.replace("extern \"C\" ", "");
    std::fs::write(folder.path().join("whole.rs"), step + main).unwrap();
    std::fs::write(folder.path().join("part.rs"), part).unwrap();
    std::fs::write(folder.path().join("first.c"), "#include <assert.h>\n#include <pthread.h>\nint step(void); void *w(void *a) { step(); return 0; } int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); step(); pthread_join(t, 0); assert(step() == 2); }\n").unwrap();
    std::fs::write(folder.path().join("third.c"), "#include <dlfcn.h>\n#include <pthread.h>\nvoid *w(void *a) { ((int (*)(void))a)(); return 0; } int main(void) { pthread_t t; void *step = dlsym(dlopen(\"./libshared.so\", RTLD_NOW), \"step\"); pthread_create(&t, 0, w, step); w(step); pthread_join(t, 0); }\n").unwrap();
    for line in [
        &["whole.rs"][..],
        &["--crate-type", "staticlib", "part.rs", "-o", "libpart.a"],
        &["--crate-type", "cdylib", "part.rs", "-o", "libshared.so"],
    ] {
        let mut rustc = Command::new("rustc");
        let built = rustc.current_dir(folder.path()).args(line).output();
        if !built.unwrap().status.success() {
            println!("skipped: rustc cannot build {line:?}");
            return;
        }
    }
    for linked in [
        "cc -- gcc -O1 -g -w first.c libpart.a -o first -ldl -lm",
        "cc -- gcc -O1 -g -w first.c ./libshared.so -o second",
        "cc -- gcc -O1 -g -w third.c -o third -ldl",
    ] {
        let linked: Vec<&str> = linked.split(' ').collect();
        assert!(dbverify(folder.path(), &linked).status.success());
    }
    for (name, status) in [
        ("./whole", 2),
        ("./first", 3),
        ("./second", 3),
        ("./third", 3),
    ] {
        let output = dbverify(folder.path(), &["run", "--delays", "any", "--", name]);
        assert_eq!(output.status.code(), Some(status), "{}", said(&output));
        assert!(said(&output).contains("not seen"), "{}", said(&output));
    }
    let refused = said(&dbverify(folder.path(), &["run", "--", "./whole"]));
    let advised = said(&dbverify(folder.path(), &["cc", "--", "rustc"]));
    for text in [refused, advised] {
        assert!(text.contains("touch more shared memory than"), "{text}");
    }
}

/// The answer names OpenMP as soon as it makes a thread. A team of one thread is fine.
#[test]
fn openmp_is_named() {
    if !can("gcc") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let text = "int main(void) { int n = 0;\n#pragma omp parallel num_threads(TEAM)\n{\n#pragma omp atomic\nn++;\n}\nreturn n != TEAM; }\n";
    std::fs::write(folder.path().join("team.c"), text).unwrap();
    for (team, status, word) in [
        ("-DTEAM=1", 0, "no bug in any schedule"),
        ("-DTEAM=2", 3, "uses OpenMP, which is not controlled"),
    ] {
        let line = "cc -- gcc -O1 -fopenmp team.c -o team";
        let line: Vec<&str> = line.split(' ').chain([team]).collect();
        if !dbverify(folder.path(), &line).status.success() {
            println!("skipped: gcc has no OpenMP");
            return;
        }
        let output = dbverify(folder.path(), &["run", "--exit-status", "--", "./team"]);
        let text = said(&output);
        assert_eq!(output.status.code(), Some(status), "{text}");
        assert!(text.contains(word), "{text}");
    }
}

/// A program of which one file is compiled without `dbverify cc`, or whose symbols are gone, or that is for another machine.
#[test]
fn files_that_are_not_seen_are_named() {
    if !can("gcc") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let main = "#include <pthread.h>\n#include <stdlib.h>\nvoid bump(void); void f(void) {}\nvoid *w(void *a) { bump(); return 0; }\nint main(void) { pthread_t t; atexit(f); pthread_create(&t, 0, w, 0); bump(); pthread_join(t, 0); }\n";
    std::fs::write(folder.join("main.c"), main).unwrap();
    std::fs::write(folder.join("part.c"), "int x; void bump(void) { x++; }\n").unwrap();
    let plain = Command::new("gcc")
        .args(["-c", "part.c", "-o", "plain.o"])
        .current_dir(folder)
        .status();
    assert!(plain.unwrap().success());
    for (rest, status, words) in [
        (&["part.c"][..], 0, "any schedule"),
        (&["plain.o"], 3, "in part.c are not seen"),
        (&["part.c", "-s"], 3, "symbols are stripped"),
    ] {
        let line = [&["cc", "--", "gcc", "-w", "main.c", "-o", "prog"], rest].concat();
        let built = dbverify(folder, &line);
        assert!(built.status.success(), "{}", said(&built));
        let output = dbverify(folder, &["run", "--delays", "any", "--", "./prog"]);
        let text = said(&output);
        assert_eq!(output.status.code(), Some(status), "{rest:?}: {text}");
        assert!(text.contains(words), "{rest:?}: {text}");
    }
    for line in [
        &["aarch64-linux-gnu-gcc"][..],
        &["gcc", "-m32"],
        &["clang", "--target=riscv64"],
    ] {
        let output = dbverify(folder, &[&["cc", "--"], line].concat());
        assert!(
            said(&output).contains("another machine"),
            "{}",
            said(&output)
        );
    }
    let mut foreign = std::fs::read(folder.join("prog")).unwrap();
    foreign[18] = 183;
    std::fs::write(folder.join("foreign"), foreign).unwrap();
    let output = dbverify(folder, &["run", "--", "./foreign"]);
    assert!(
        said(&output).contains("another machine (Aarch64)"),
        "{}",
        said(&output)
    );
}

/// Threads that poll: a name, the code of one thread, the code of `main`, the exit status, words of the answer.
const POLLS: [(&str, &str, &str, i32, &str); 11] = [
    (
        "both.c",
        "while (!a) ; b = 1;",
        "a = 1; while (!b) ;",
        0,
        "any schedule",
    ),
    (
        "never.c",
        "while (!a) ; b = 1;",
        "while (!b) ; a = 1;",
        1,
        "livelock",
    ),
    // A loop that gives up is no loop that polls for ever.
    (
        "few.c",
        "int i = 0; while (i < 3 && !a) i++; assert(i < 3);",
        "a = 1;",
        1,
        "assertion",
    ),
    (
        "flag.c",
        "while (atomic_flag_test_and_set(&f)) ; x++; atomic_flag_clear(&f);",
        "w(0); pthread_join(t, 0); assert(x == 2); return 0;",
        0,
        "any schedule",
    ),
    (
        "locked.c",
        "for (int go = 0; !go; sched_yield()) { pthread_mutex_lock(&m); go = x; pthread_mutex_unlock(&m); }",
        "pthread_mutex_lock(&m); x = 1; pthread_mutex_unlock(&m);",
        0,
        "any schedule",
    ),
    // A thread that polls may hold a lock, but none that it gives back on its round.
    (
        "holds.c",
        "pthread_mutex_lock(&m); while (!a) ; pthread_mutex_unlock(&m);",
        "a = 1;",
        0,
        "any schedule",
    ),
    (
        "holds_for_ever.c",
        "pthread_mutex_lock(&m); while (!a) ; pthread_mutex_unlock(&m);",
        "pthread_mutex_lock(&m); a = 1; pthread_mutex_unlock(&m);",
        1,
        "livelock",
    ),
    (
        "gives_back.c",
        "pthread_mutex_lock(&m); while (!x) { pthread_mutex_unlock(&m); pthread_mutex_lock(&m); } pthread_mutex_unlock(&m);",
        "pthread_mutex_lock(&m); x = 1; pthread_mutex_unlock(&m);",
        0,
        "any schedule",
    ),
    // A wait that times out changes nothing.
    (
        "timed.c",
        "pthread_mutex_lock(&m); while (!x) pthread_cond_timedwait(&c, &m, &now); pthread_mutex_unlock(&m);",
        "pthread_mutex_lock(&m); x = 1; pthread_mutex_unlock(&m);",
        0,
        "any schedule",
    ),
    (
        "timed_for_ever.c",
        "pthread_mutex_lock(&m); while (!x) pthread_cond_timedwait(&c, &m, &now); pthread_mutex_unlock(&m);",
        "pthread_cond_signal(&c);",
        1,
        "livelock",
    ),
    // A change by another thread in the middle of a round is seen in the next round.
    (
        "tries.c",
        "while (pthread_mutex_trylock(&m)) ; x++; pthread_mutex_unlock(&m);",
        "while (pthread_mutex_trylock(&m)) ; x++; pthread_mutex_unlock(&m);",
        0,
        "any schedule",
    ),
];

/// Loops that poll end with `--fair`; those that count go on.
#[test]
fn fair() {
    if !can("gcc") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let head = "#include <assert.h>\n#include <pthread.h>\n#include <sched.h>\n#include <stdatomic.h>\natomic_int a, b; atomic_flag f; int x; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER; struct timespec now;\n";
    let start = "int main(void) { pthread_t t; pthread_create(&t, 0, w, 0);";
    for (name, thread, main, status, words) in POLLS {
        let text = format!(
            "{head}void *w(void *p) {{ {thread} return 0; }}\n{start} {main} pthread_join(t, 0); }}\n"
        );
        let options = ["--fair", "--delays", "any", "--max-steps", "200"];
        let (code, said) = answer(folder.path(), name, &text, &options);
        assert_eq!(code, Some(status), "{name}: {said}");
        assert!(said.contains(words), "{name}: {said}");
        assert!(said.contains("assumed: with `--fair`"), "{name}: {said}");
    }
}

/// Without `--fair` a search that finds threads that poll begins again, and they wait.
#[test]
fn a_search_that_polls_without_end_is_fair() {
    if !can("gcc") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let text = "#include <pthread.h>\n#include <sched.h>\n#include <stdatomic.h>\natomic_int go; void *w(void *p) { while (!go) sched_yield(); return 0; }\nint main(void) { pthread_t t; pthread_create(&t, 0, w, 0); go = 1; pthread_join(t, 0); }\n";
    let options = ["--delays", "any"];
    let (code, said) = answer(folder.path(), "polls.c", text, &options);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("assumed: with `--fair`"), "{said}");
    let never = text
        .replace("go = 1", "go = 0")
        .replace(" sched_yield()", "");
    let (code, said) = answer(folder.path(), "never.c", &never, &[]);
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("livelock"), "{said}");
    let bug = text.replace("return 0; }\n", "assert(go == 2); return 0; }\n");
    let bug = bug.replace(
        "#include <pthread.h>",
        "#include <assert.h>\n#include <pthread.h>",
    );
    let (code, said) = answer(folder.path(), "bug.c", &bug, &options);
    assert_eq!(code, Some(1), "{said}");
}

#[test]
fn determinism_is_asked_for() {
    if !can("gcc") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let outside = "#include <sched.h>\n#include <x86intrin.h>\nint main(void) { for (unsigned long c = __rdtsc() >> 4 & 1023; c--;) sched_yield(); }\n";
    let inside = "#include <stdlib.h>\n#include <sched.h>\nint main(void) { for (int c = rand() & 7; c--;) sched_yield(); }\n";
    let fails = "#include <stdlib.h>\nint main(void) { abort(); }\n";
    let races = "#include <pthread.h>\nint x;\nvoid *f(void *a) { x++; return a; }\nint main(void) { pthread_t t; pthread_create(&t, 0, f, 0); x++; pthread_join(t, 0); }\n";
    for (name, text, status, words) in [
        ("outside.c", outside, 3, "not deterministic"),
        ("inside.c", inside, 0, "the same twice"),
        ("fails.c", fails, 1, "the program aborts"),
        ("races.c", races, 0, "accesses to x"),
    ] {
        let (code, said) = answer(folder.path(), name, text, &["--check-determinism"]);
        assert_eq!(code, Some(status), "{name}: {said}");
        assert!(said.contains(words), "{name}: {said}");
    }
    for option in [
        "--races",
        "--delays=any",
        "--max-steps=3",
        "--trace-out=t",
        "--strategy=dpor",
    ] {
        let args = ["run", "--check-determinism", option, "--", "./fails"];
        let output = dbverify(folder.path(), &args);
        assert_eq!(output.status.code(), Some(2), "{option}: {output:?}");
        assert!(said(&output).contains("leave out"), "{option}: {output:?}");
    }
}

#[test]
fn what_is_for_other_programs_is_refused() {
    if !can("gcc") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let source = Path::new(ROOT).join("examples/native/counter.c");
    let name = compiled(folder.path(), &source);
    let found = dbverify(
        folder.path(),
        &["run", "--trace-out", "t.json", "--", &name],
    );
    assert_eq!(found.status.code(), Some(1), "{found:?}");
    for option in [
        "--preempt=access",
        "--heap=3",
        "--memory=tso",
        "--property=deadlock",
    ] {
        let output = dbverify(folder.path(), &["replay", "t.json", option]);
        assert_eq!(output.status.code(), Some(2), "{option}: {output:?}");
    }
    let object = Command::new("gcc")
        .arg("-c")
        .arg(&source)
        .current_dir(folder.path())
        .status();
    assert!(object.unwrap().success());
    let output = dbverify(folder.path(), &["run", "--", "./counter.o"]);
    assert!(said(&output).contains("is an object file"), "{output:?}");
}

/// The answer for programs, and the debugger at the failing step where it is installed.
#[test]
fn for_programs_and_debuggers() {
    if !can("gcc") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let source = Path::new(ROOT).join("examples/native/philosophers.c");
    let name = compiled(folder.path(), &source);
    let args = [
        "run",
        "--format",
        "sarif",
        "--trace-out",
        "t.json",
        "--",
        &name,
    ];
    let log = dbverify(folder.path(), &args);
    let log: serde_json::Value = serde_json::from_slice(&log.stdout).unwrap();
    let result = &log["runs"][0]["results"][0];
    assert_eq!(result["ruleId"], "deadlock");
    let steps = &result["codeFlows"][0]["threadFlows"][0]["locations"];
    assert!(steps.as_array().is_some_and(|s| s.len() > 5), "{log}");
    let script = dbverify(folder.path(), &["replay", "t.json", "--script", "s"]);
    let script = said(&script);
    assert!(script.contains("was read, not run"), "{script}");
    let both = dbverify(folder.path(), &["replay", "--gdb", "x.async", "t.json"]);
    assert_eq!(both.status.code(), Some(2), "{}", said(&both));
    if Command::new("gdb").arg("--version").output().is_ok() {
        let gdb = said(&dbverify(folder.path(), &["replay", "--gdb", "t.json"]));
        assert!(gdb.contains("pthread_mutex_lock"), "{gdb}");
    }
}

/// The page of an example, and the replay of the counterexample that was written beside it.
fn page_of(name: &str, options: &[&str]) -> (String, String) {
    let folder = tempfile::tempdir().unwrap();
    let source = Path::new(ROOT).join("examples/native").join(name);
    let program = compiled(folder.path(), &source);
    let own = ["--html", "p.html", "--trace-out", "t.json", "--", &program];
    let found = dbverify(folder.path(), &[&["run"], options, &own].concat());
    assert_eq!(found.status.code(), Some(1), "{}", said(&found));
    let again = dbverify(folder.path(), &["replay", "t.json", "--html", "r.html"]);
    assert_eq!(again.status.code(), Some(1), "{}", said(&again));
    let read = |name| std::fs::read_to_string(folder.path().join(name)).unwrap();
    (read("p.html"), read("r.html"))
}

#[test]
fn a_page_has_threads_as_lanes() {
    if !can("gcc") {
        return;
    }
    let (page, again) = page_of("philosophers.c", &[]);
    let (found, replayed) = (html::data(&page), html::data(&again));
    assert_eq!(found["steps"], replayed["steps"]);
    assert_eq!(found["waiting"][1]["on"]["holds"], true, "{found}");
    html::assert_in_browser(
        &page,
        "
        want('title: ' + $('title').textContent, /Deadlock: main, thread 1, thread 2 and thread 3 wait/.test($('title').textContent));
        want('a ring', /thread 1 → thread 2 → thread 3 → thread 1/.test($('why').textContent));
        want('the source', /pthread_mutex_lock/.test(document.querySelector('#code .here').textContent));
        ",
    );
    let (page, _) = page_of("counter.c", &[]);
    html::assert_in_browser(
        &page,
        "
        want('title: ' + $('title').textContent, /fails at line \\d+, in main/.test($('title').textContent));
        want('why: ' + $('why').textContent, /count is 2: written by thread/.test($('why').textContent));
        want('the value now', now('count') === '2');
        key('Home'); want('the value at first', now('count') === '0');
        ",
    );
    let (page, _) = page_of("race.c", &["--races"]);
    html::assert_in_browser(
        &page,
        "want('title: ' + $('title').textContent, /^bugRace: a thread/i.test($('title').textContent.replace(' ', '')));
        want('two accesses', document.querySelectorAll('#why a').length === 2);",
    );
}

#[test]
fn what_a_run_writes_harms_nothing() {
    if !can("gcc") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let source = Path::new(ROOT).join("examples/native/counter.c");
    let name = compiled(folder.path(), &source);
    for (options, why) in [
        (["--html", &name], "is the program"),
        (["--trace-out", &name], "is the program"),
        (["--html", "none/x.html"], "there is no folder"),
    ] {
        let said = said(&dbverify(
            folder.path(),
            &[&["run"], &options[..], &["--", &name]].concat(),
        ));
        assert!(said.contains(why), "{said}");
    }
}

/// A library that the program opens is named if it is not seen; else its variables and lines are known. Folders may have blanks.
#[test]
fn libraries_are_opened() {
    if !can("gcc") {
        return;
    }
    let folder = tempfile::Builder::new().prefix("a b").tempdir().unwrap();
    let folder = folder.path();
    let main = "#include <assert.h>\n#include <dlfcn.h>\n#include <pthread.h>\nint main(int n, char **a) { void *l = dlopen(a[1], RTLD_NOW); int (*bump)(void) = dlsym(l, \"bump\"); pthread_t t;\n pthread_create(&t, 0, (void *(*)(void *))bump, 0); bump(); pthread_join(t, 0);\n int sum = bump(); dlclose(l); assert(sum == 3); }\n";
    std::fs::write(folder.join("main.c"), main).unwrap();
    let part = "int cnt;\nint bump(void) {\n int t = cnt;\n cnt = t + 1;\n return cnt;\n}\n";
    std::fs::write(folder.join("part.c"), part).unwrap();
    let build = "-O1 -g -shared -fPIC part.c -o";
    let build: Vec<&str> = build.split(' ').collect();
    let mut plain = Command::new("gcc");
    plain.args(&build).arg("plain.mod").current_dir(folder);
    assert!(plain.status().unwrap().success());
    let line = [&["cc", "--", "gcc"], &build[..], &["seen.mod"]].concat();
    assert!(dbverify(folder, &line).status.success());
    let name = compiled(folder, &folder.join("main.c"));
    for (library, status, words) in [
        ("./plain.mod", 0, &["libgcc_s.so.1, plain.mod"][..]),
        (
            "./seen.mod",
            1,
            &[
                "part.c:4  writes cnt: 1",
                "main.c:5  creates",
                "accesses to cnt\n",
            ],
        ),
    ] {
        let output = dbverify(folder, &["run", "--delays", "any", "--", &name, library]);
        let text = said(&output);
        assert_eq!(output.status.code(), Some(status), "{text}");
        for words in words {
            assert!(text.contains(words), "{words}: {text}");
        }
    }
}

/// Threads that read standard input have an order, or the answer says that it has not looked at all of them.
#[test]
fn standard_input_is_shared() {
    if !can("gcc") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("in"), "12").unwrap();
    let head = "#include <assert.h>\n#include <pthread.h>\n#include <stdio.h>\n#include <unistd.h>\nint a, b; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n";
    let main = "int main(void) { pthread_t t, u; BEFORE pthread_create(&t, 0, w, &a); pthread_create(&u, 0, w, &b); pthread_join(t, 0); pthread_join(u, 0); assert(a < 2); }\n";
    for (name, reads, before, input, status) in [
        ("one.c", "*(int *)p = getchar() == 'x';", "", true, 3),
        (
            "two.c",
            "char c; *(int *)p = read(0, &c, 1) > 1;",
            "",
            true,
            3,
        ),
        (
            "end.c",
            "*(int *)p = getchar() == 'x';",
            "getchar(); getchar();",
            true,
            0,
        ),
        ("none.c", "*(int *)p = getchar() == 'x';", "", false, 0),
        (
            "locked.c",
            "pthread_mutex_lock(&m); *(int *)p = getchar() == 'x'; pthread_mutex_unlock(&m);",
            "",
            true,
            0,
        ),
        (
            "bug.c",
            "pthread_mutex_lock(&m); *(int *)p = getchar() - '0'; pthread_mutex_unlock(&m);",
            "",
            true,
            1,
        ),
    ] {
        let text = head.to_owned()
            + &format!("void *w(void *p) {{ {reads} return 0; }} ")
            + &main.replace("BEFORE", before);
        let input = if input { "in" } else { "/dev/null" };
        let options = ["--delays", "any", "--input", input];
        let (code, said) = answer(folder.path(), name, &text, &options);
        assert_eq!(code, Some(status), "{name}: {said}");
        assert_eq!(said.contains("through `stdin`"), status == 3, "{said}");
    }
}

/// Nothing that a program does to signals keeps a run from its end.
#[test]
fn alarms_may_be_blocked() {
    if !can("gcc") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let text = "#include <signal.h>\nint main(void) { sigset_t s; sigfillset(&s); sigprocmask(SIG_BLOCK, &s, 0); for (;;) __asm__ volatile(\"\"); }\n";
    let begin = std::time::Instant::now();
    let (code, said) = answer(folder.path(), "blocks.c", text, &["--timeout", "1"]);
    assert_eq!(code, Some(3), "{said}");
    assert!(said.contains("an execution took too long"), "{said}");
    assert!(begin.elapsed().as_secs() < 30, "{said}");
}

/// A trace tells of locks that are kept, of waits that time out, and of an array.
#[test]
fn traces_say_what_happens() {
    if !can("gcc") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let head = "#include <assert.h>\n#include <pthread.h>\npthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER; long g[2];\n";
    for (name, text, words) in [
        (
            "kept.c",
            "void *w(void *a) {\n pthread_mutex_lock(&m);\n return 0; } int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); pthread_join(t, 0); }\n",
            "kept.c:5: error: misuse: the thread ends and holds a lock",
        ),
        (
            "late.c",
            "int main(void) { struct timespec s = {1, 0}; pthread_mutex_lock(&m); assert(!pthread_cond_timedwait(&c, &m, &s)); }\n",
            "wakes up from c, timed out\n",
        ),
        (
            "array.c",
            "void *w(void *a) { g[0]++; g[1]++; return 0; } int main(void) { pthread_t t; pthread_create(&t, 0, w, 0); w(0); pthread_join(t, 0); assert(g[0] + g[1] < 5); }\n",
            "accesses to g\n",
        ),
    ] {
        let text = head.to_owned() + text;
        let options = ["--delays", "any", "--held-locks"];
        let (_, said) = answer(folder.path(), name, &text, &options);
        assert!(said.contains(words), "{name}: {said}");
    }
}

/// Each execution reads the file from its beginning, and a counterexample is of this file.
#[test]
fn standard_input_is_a_file() {
    if !can("gcc") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let program = "#include <assert.h>\n#include <pthread.h>\n#include <stdio.h>\nint n;\n\
        void *one(void *p) { n = n + 1; return p; }\n\
        int main(void) {\n  int count = 0;\n  pthread_t t[4];\n  if (scanf(\"%d\", &count) != 1) return 0;\n\
        for (int i = 0; i < count; i++) pthread_create(&t[i], 0, one, 0);\n\
        for (int i = 0; i < count; i++) pthread_join(t[i], 0);\n  assert(n == count);\n}\n";
    let source = folder.path().join("in.c");
    std::fs::write(&source, program).unwrap();
    let name = compiled(folder.path(), &source);
    let run = |args: &[&str]| {
        let output = dbverify(folder.path(), args);
        (output.status.code(), said(&output))
    };
    let (code, text) = run(&["run", "--delays", "any", "--", &name]);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("standard input is empty"), "{text}");
    for (count, expected) in [("1", Some(0)), ("2", Some(1))] {
        std::fs::write(folder.path().join("count"), count).unwrap();
        let options = ["run", "--input", "count", "--trace-out", "t.json"];
        let (code, text) = run(&[&options[..], &["--", &name]].concat());
        assert_eq!(code, expected, "{text}");
        assert!(text.contains("standard input is count"), "{text}");
    }
    assert_eq!(run(&["replay", "t.json"]).0, Some(1));
    std::fs::write(folder.path().join("count"), "1").unwrap();
    let (code, text) = run(&["replay", "t.json"]);
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains("count has changed"), "{text}");
    let (code, text) = run(&["run", "--input", "nothing", "--", &name]);
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains("cannot read nothing"), "{text}");
    let (code, text) = run(&["run", "--format", "json", "--", "./nothing"]);
    assert_eq!(code, Some(2), "{text}");
    let told: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert_eq!(told["diagnostics"][0]["severity"], "error", "{text}");
}
