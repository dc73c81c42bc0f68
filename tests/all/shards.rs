//! `--shard I/N` and `merge`: the merged parts of a search give the answer of the whole search. So do the commands of
//! docs/scale.md, if the programs that they use are installed.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

/// An increment gets lost if a task is interrupted between its two steps: `LEAST` increments are never lost.
const INCREMENTS: &str = "
    const LEAST := 0;
    var x: 0..9 := 0;
    proc add() { let t = x; yield; x := t + 1; }
    proc main() { for i in 1..3 { post add(); } }
    finally { assert x > LEAST; cover x == 1, \"lost\"; cover x == 7; if x == 8 { assert x > LEAST; } }";

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let id = std::process::id();
        let path = std::env::temp_dir().join(format!("dbverify-shards-{name}-{id}"));
        std::fs::create_dir_all(&path).expect("a folder can be made");
        Self(path)
    }

    fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.0.join(name);
        std::fs::write(&path, text).expect("a file can be written");
        path
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn run<'a>(args: impl IntoIterator<Item = &'a str>) -> Output {
    let output = Command::new(env!("CARGO_BIN_EXE_dbverify"))
        .args(args)
        .output();
    output.expect("dbverify runs")
}

fn json(output: &Output) -> Value {
    let text = String::from_utf8_lossy(&output.stdout);
    serde_json::from_str(&text).unwrap_or_else(|e| {
        panic!("{e}: {text}{}", String::from_utf8_lossy(&output.stderr));
    })
}

/// The answers of all parts, in files.
fn parts(folder: &Folder, program: &Path, of: u32, options: &str) -> Vec<String> {
    let program = program.to_str().expect("a name in UTF-8");
    (1..=of)
        .map(|index| {
            let shard = format!("{index}/{of}");
            let args = ["explore", program, "--shard", &shard, "--format", "json"];
            let output = run(args.into_iter().chain(options.split_whitespace()));
            let answer = json(&output);
            assert_eq!(answer["shard"]["index"], index, "{answer}");
            assert_eq!(answer["shard"]["of"], of, "{answer}");
            let name = format!("{index}.json");
            let path = folder.file(&name, &String::from_utf8_lossy(&output.stdout));
            path.display().to_string()
        })
        .collect()
}

fn merged(parts: &[String]) -> (Option<i32>, Value) {
    let files = parts.iter().map(String::as_str);
    let output = run(["merge", "--format", "json"].into_iter().chain(files));
    (output.status.code(), json(&output))
}

#[test]
fn parts_put_together_are_the_search() {
    let folder = Folder::new("whole");
    let program = folder.file("p.async", INCREMENTS);
    let name = program.to_str().expect("a name in UTF-8");
    for options in [
        "--strategy stateless --finals",
        "--strategy stateless --scheduler dfs --delays 2",
        "--strategy stateless --preemptions 0",
        "--strategy stateless --switches 9",
        "--strategy random --runs 50 --seed 3 --finals",
        "--strategy pct --runs 20",
    ] {
        let args = ["explore", name, "--format", "json"];
        let whole = json(&run(args.into_iter().chain(options.split_whitespace())));
        for of in [1, 2, 5, 300] {
            if of == 300 && !options.contains("--finals") {
                continue;
            }
            let (status, all) = merged(&parts(&folder, &program, of, options));
            assert_eq!(status, Some(0), "{options}: {all}");
            for key in ["executions", "transitions", "walks", "depth"] {
                assert_eq!(
                    all["stats"][key], whole["stats"][key],
                    "{options} {of} {key}"
                );
            }
            for key in ["verdict", "finals", "bounds", "notes"] {
                assert_eq!(all[key], whole[key], "{options} {of} {key}");
            }
            let summary = whole["summary"].as_str().expect("there is one");
            let parts = if of == 1 { "part" } else { "parts" };
            let searched = format!("{summary}; searched in {of} {parts}");
            assert_eq!(all["summary"], searched);
        }
    }
}

/// The text of a program counts, and not where its file lies.
#[test]
fn parts_may_be_of_copies() {
    let folder = Folder::new("copies");
    for (name, text) in [
        ("p.async", INCREMENTS),
        ("p.c", "int main(void) { return 0; }\n"),
    ] {
        let program = folder.file(name, text);
        let copy = folder.file(&format!("copy-{name}"), text);
        let options = "--strategy random --runs 4";
        let own = std::fs::read_to_string(&parts(&folder, &program, 2, options)[0]);
        let own = folder.file("own.json", &own.expect("it was written"));
        let other = parts(&folder, &copy, 2, options).pop();
        let (status, answer) = merged(&[own.display().to_string(), other.unwrap_or_default()]);
        assert_eq!(status, Some(0), "{answer}");
    }
}

/// The merged answer also names what its verdict leaves out: here data races, and memory that is freed.
#[test]
fn what_was_not_looked_for_is_said_of_all_parts() {
    let folder = Folder::new("races");
    let text = "#include <pthread.h>
#include <stdlib.h>
int x;
static void *f(void *p) { x++; int *q = malloc(4); *q = 1; free(q); return p; }
int main(void) { pthread_t t, u; pthread_create(&t, 0, f, 0); pthread_create(&u, 0, f, 0); pthread_join(t, 0); pthread_join(u, 0); return x > 2; }
";
    let program = folder.file("p.c", text);
    let parts = parts(&folder, &program, 2, "--strategy stateless");
    let files = parts.iter().map(String::as_str);
    let output = run(std::iter::once("merge").chain(files));
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(said.contains("data races were not looked for"), "{said}");
    assert!(
        said.contains("note: ") && said.contains("--heap-reuse"),
        "{said}"
    );
}

/// A part that has nothing to do settles nothing, and the others settle the rest.
#[test]
fn a_part_without_walks_is_not_safe() {
    let folder = Folder::new("empty");
    let program = folder.file("p.async", INCREMENTS);
    let parts = parts(&folder, &program, 3, "--strategy random --runs 2");
    let last = std::fs::read_to_string(&parts[2]).expect("it was written");
    let last: Value = serde_json::from_str(&last).expect("it is JSON");
    assert_eq!(last["verdict"], "inconclusive");
    assert!(
        last["reason"]
            .as_str()
            .is_some_and(|r| r.contains("has no walk"))
    );
    let (status, answer) = merged(&parts);
    assert_eq!(status, Some(0), "{answer}");
    let wrong = folder.file("wrong.async", "proc main() { x := 1; }");
    let wrong = run([
        "explore",
        wrong.to_str().unwrap_or_default(),
        "--format",
        "json",
    ]);
    let wrong = folder.file("wrong.json", &String::from_utf8_lossy(&wrong.stdout));
    let output = run(["merge", wrong.to_str().unwrap_or_default()]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("the input was wrong: "), "{said}");
}

#[test]
fn one_part_alone_is_not_the_search() {
    let folder = Folder::new("missing");
    let program = folder.file("p.async", INCREMENTS);
    let parts = parts(&folder, &program, 3, "--strategy stateless");
    let (status, answer) = merged(&parts[..2]);
    assert_eq!(status, Some(3), "{answer}");
    assert_eq!(answer["verdict"], "inconclusive");
    assert_eq!(answer["reason"], "of 3 parts these are missing: 3");
    let text = std::fs::read_to_string(&parts[0]).expect("it was written");
    assert!(text.contains("\"cut_by\":[\"shard\"]"), "{text}");
}

#[test]
fn a_bug_of_one_part_is_a_bug() {
    let folder = Folder::new("bug");
    let text = INCREMENTS.replace("LEAST := 0", "LEAST := 2");
    let program = folder.file("p.async", &text);
    let parts = parts(&folder, &program, 4, "--strategy stateless --all");
    let (status, answer) = merged(&parts);
    assert_eq!(status, Some(1), "{answer}");
    assert_eq!(answer["error"]["kind"], "assertion");
    assert_eq!(answer["bounds"]["exhaustive"], true);
    assert!(answer["trace"].as_array().is_some_and(|t| !t.is_empty()));
    let files = parts.iter().map(String::as_str);
    let output = run(std::iter::once("merge").chain(files));
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(said.starts_with("bug: assertion:"), "{said}");
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn what_does_not_belong_together_is_refused() {
    let folder = Folder::new("wrong");
    let program = folder.file("p.async", INCREMENTS);
    let name = program.to_str().expect("a name in UTF-8");
    let mut answers = parts(&folder, &program, 2, "--strategy random");
    let refused = |answers: &[&str], why: &str| {
        let output = run(std::iter::once("merge").chain(answers.iter().copied()));
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(why), "{said}");
    };
    refused(&[&answers[0], &answers[0]], "are both part 1");
    refused(&["nowhere.json"], "cannot read nowhere.json");
    refused(&[name], "no answer of dbverify");
    let whole = run(["explore", name, "--format", "json"]);
    let whole = folder.file("whole.json", &String::from_utf8_lossy(&whole.stdout));
    refused(&[whole.to_str().unwrap_or_default()], "--shard I/N");
    let kept = folder.file("kept.json", &std::fs::read_to_string(&answers[0]).unwrap());
    answers = parts(&folder, &program, 2, "--strategy random --seed 4");
    let kept = kept.to_str().unwrap_or_default();
    refused(&[kept, &answers[1]], "not parts of one search");
    // An option that changes the program makes it another one.
    let text = "int x;\nint __VERIFIER_nondet_int(void);\nint main(void) { x = __VERIFIER_nondet_int(); return 0; }\n";
    let c = folder.file("p.c", text);
    let part = |shard, options: &[&str]| {
        let c = c.to_str().unwrap_or_default();
        let search = ["explore", c, "--strategy", "random", "--format", "json"];
        let all = search.into_iter().chain(["--shard", shard]);
        let output = run(all.chain(options.iter().copied()));
        let name = format!("{}.json", &shard[..1]);
        folder.file(&name, &String::from_utf8_lossy(&output.stdout))
    };
    let [one, two] = [part("1/2", &[]), part("2/2", &["--nondet", "0..3"])];
    refused(
        &[
            one.to_str().unwrap_or_default(),
            two.to_str().unwrap_or_default(),
        ],
        "not parts of one search",
    );
    for shard in ["0/2", "3/2", "1", "a/b", "1/0"] {
        let output = run(["explore", name, "--strategy", "random", "--shard", shard]);
        assert_eq!(output.status.code(), Some(2), "{shard}");
    }
    let output = run(["explore", name, "--shard", "1/2"]);
    assert_eq!(output.status.code(), Some(2));
}

/// Whether another tool is installed here.
fn is_there(program: &str, args: &[&str]) -> bool {
    let there = Command::new(program).args(args).output();
    let there = there.is_ok_and(|output| output.status.success());
    if !there {
        eprintln!("skipped: {program} {} does not run here", args.join(" "));
    }
    there
}

/// Runs a block of docs/scale.md that contains a word, with few walks, in a folder with its program; answers what was
/// merged.
fn as_documented(folder: &Folder, word: &str, shell: &[&str]) -> Value {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/scale.md");
    let page = std::fs::read_to_string(page).expect("the page can be read");
    let mut blocks = page.split("```").skip(1).step_by(2);
    let block = blocks
        .find(|block| block.contains(word))
        .expect("the page shows it");
    let (_, text) = block.split_once('\n').expect("a block has lines");
    assert!(text.contains("100000"), "{text}");
    let text = text
        .replace("100000", "200")
        .replace("/32", "/8")
        .replace("$(seq 32)", "$(seq 8)");
    let text = text.replace("range(1, 33)", "range(1, 9)");
    folder.file("driver.async", INCREMENTS);
    let script = folder.file("script", &text);
    let binary = Path::new(env!("CARGO_BIN_EXE_dbverify"));
    let path = std::env::var("PATH").unwrap_or_default();
    let path = format!(
        "{}:{path}",
        binary.parent().expect("it is in a folder").display()
    );
    let mut command = Command::new(shell[0]);
    command
        .args(&shell[1..])
        .arg(&script)
        .current_dir(&folder.0)
        .env("PATH", path);
    let output = command.output().expect("it was there before");
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let parts: Vec<String> = (1..=8)
        .map(|i| folder.0.join(format!("{i}.json")).display().to_string())
        .collect();
    merged(&parts).1
}

/// The answer of one process with as many walks.
fn as_a_whole(folder: &Folder) -> Value {
    let program = folder
        .file("driver.async", INCREMENTS)
        .display()
        .to_string();
    let args = [
        "explore",
        &program,
        "--strategy",
        "random",
        "--runs",
        "200",
        "--format",
        "json",
    ];
    json(&run(args))
}

#[test]
fn gnu_parallel_runs_the_parts() {
    if !is_there("parallel", &["--version"]) {
        return;
    }
    let folder = Folder::new("parallel");
    let merged = as_documented(&folder, "parallel -j2", &["sh"]);
    let whole = as_a_whole(&folder);
    assert_eq!(merged["verdict"], whole["verdict"]);
    assert_eq!(
        merged["stats"]["transitions"],
        whole["stats"]["transitions"]
    );
}

#[test]
fn dask_runs_the_parts() {
    if !is_there("python3", &["-c", "import dask.distributed"]) {
        return;
    }
    let folder = Folder::new("dask");
    let merged = as_documented(&folder, "dask.distributed", &["python3"]);
    let whole = as_a_whole(&folder);
    assert_eq!(merged["verdict"], whole["verdict"]);
    assert_eq!(
        merged["stats"]["transitions"],
        whole["stats"]["transitions"]
    );
}
