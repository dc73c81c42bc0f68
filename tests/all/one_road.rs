//! One road: a question has the same whole answer wherever it is asked: on the command line, with a checkpoint, by two
//! processes or two threads, on the playground's page, in the editor, and in the library.

use std::path::Path;
use std::process::Command;

use crate::editor::Editor;
use dbverify::c;
use dbverify::check::CheckOptions;
use dbverify::cli::embedded;
use dbverify::options::ProveOptions;
use dbverify::options::{ExploreOptions, Scheduler, Sought, VerifyOptions};
use dbverify::report::{self, Subject};
use dbverify::verify::road::{Target, ask};
use dbverify::{Compiled, Question, compile, compile_c, compile_cover};
use serde_json::Value;

/// Few of the inputs are tried, and none of these fails.
const NARROWED: &str = "int __VERIFIER_nondet_int(void);
void reach_error(void) {}
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n == 5) reach_error();
  return 0;
}
";

/// The answer names what its verdict leaves out.
const FREED: &str = "#include <stdlib.h>
int main(void) {
  int *p = malloc(4);
  *p = 1;
  free(p);
  int *q = malloc(4);
  *q = 2;
  free(q);
  return 0;
}
";

/// One claim of objects is false.
const FALSE_CLAIM: &str = "object Pool {
  var free: 0..4 := 4;
  op take(n: 1..2) when free >= n { free := free - n; }
  independent take, take;
}
var p: Pool;
proc main() { p.take(1); }
";

/// One claim of objects can be neither proved nor refuted, and one `cover` is never reached.
const UNPROVED: &str = "object O {
  var n: int := 0;
  op add(k: 0..20) { var i: 0..20 := 0; while i < k { n := n + 1; i := i + 1; } }
  independent add, add;
}
var o: O;
var x: 0..9 := 0;
proc one() { o.add(1); yield; cover x == 9; x := x + 1; }
proc main() { post one(); post one(); cover true; }
";

/// A handle of a task, and a value that the task leaves behind.
const HANDLE: &str = "var t: task;
var x: 0..4 := 0;
proc add() { x := x + 1; yield; x := x + 1; }
proc main() { t := post add(); post add(); }
";

/// An increment gets lost.
const LOST: &str = "var x: 0..9 := 0;
proc add() { let old = x; yield; x := old + 1; }
proc main() { post add(); post add(); }
finally { assert x == 2; }
";

/// Any number of tasks, of which one at a time is inside.
const PROVED: &str = "var held: bool := false;
var inside: int := 0;
proc work() {
  await !held { held := true; }
  inside := inside + 1;
  yield;
  assert inside == 1;
  inside := inside - 1;
  held := false;
}
proc main() { while * { post work(); } }
";

/// A program, the words of a command, and the question that they ask.
type Asked = (&'static str, &'static str, Question);

/// The same question, asked in every way that there is.
fn questions() -> Vec<Asked> {
    let states = ExploreOptions::default;
    let delays = VerifyOptions::default;
    let schedules = Question::Schedules;
    let mut all = Vec::new();
    for text in [NARROWED, FREED, FALSE_CLAIM, UNPROVED, HANDLE, LOST, PROVED] {
        if text != PROVED {
            all.push((text, "explore", schedules(states())));
            let strict = ExploreOptions {
                require_exhaustive: true,
                ..states()
            };
            all.push((text, "explore --require-exhaustive", schedules(strict)));
            let finals = ExploreOptions {
                finals: true,
                all: true,
                ..states()
            };
            all.push((text, "explore --finals --all", schedules(finals)));
            let budget = ExploreOptions {
                scheduler: Scheduler::DepthFirst,
                delays: Some(1),
                ..states()
            };
            all.push((text, "explore --delays 1", schedules(budget)));
            let races = ExploreOptions {
                sought: Sought::Races,
                ..states()
            };
            all.push((text, "explore --races", schedules(races)));
        }
        all.push((text, "verify", Question::Delays(delays())));
        let strict = VerifyOptions {
            require_exhaustive: true,
            ..delays()
        };
        let strict = Question::Delays(strict);
        all.push((text, "verify --require-exhaustive", strict));
        let every = VerifyOptions {
            any_delays: true,
            delays_from: 0,
            delays_to: 0,
            ..delays()
        };
        all.push((text, "verify --delays any", Question::Delays(every)));
        // The explicit engine sees only as many of these tasks as it has room for.
        if text != PROVED {
            let both = VerifyOptions {
                cross_check: true,
                ..delays()
            };
            all.push((text, "verify --cross-check", Question::Delays(both)));
        }
        if text != NARROWED {
            all.push((text, "prove", Question::Proof(ProveOptions::default())));
        }
    }
    all
}

fn is_c(text: &str) -> bool {
    text.contains("int main")
}

/// The name of a program and how it is read. (Several processes do not look for data races.)
fn read(text: &str) -> (&'static str, &'static [&'static str]) {
    match text {
        NARROWED => ("p.c", &["--no-races", "--nondet", "0..3"]),
        _ if is_c(text) => ("p.c", &["--no-races"]),
        _ => ("p.async", &[]),
    }
}

/// The parts of an answer that have to be the same: everything but times and counts.
fn whole(mut answer: Value) -> Value {
    let object = answer.as_object_mut().expect("an answer is an object");
    object.remove("stats");
    object.remove("shard");
    answer
}

fn on_the_command_line(folder: &Path, text: &str, command: &str, more: &[&str]) -> Value {
    let (name, reading) = read(text);
    let output = Command::new(env!("CARGO_BIN_EXE_dbverify"))
        .current_dir(folder)
        .args(command.split(' '))
        .args(
            reading
                .iter()
                .filter(|r| !(command.contains("--races") && **r == "--no-races")),
        )
        .args(more)
        .args([name, "--format", "json"])
        .output()
        .expect("the binary runs");
    let answer = serde_json::from_slice(&output.stdout);
    whole(answer.unwrap_or_else(|e| panic!("{command} {more:?}: {e}: {output:?}")))
}

fn on_the_page(text: &str, command: &str) -> Value {
    let (name, reading) = read(text);
    let said = embedded::ask(&embedded::Question {
        command: &[&[command], reading].concat().join(" "),
        name,
        text,
        width: 80,
        memory: 1 << 32,
    });
    whole(
        said.answer
            .unwrap_or_else(|| panic!("{command}: {}", said.text)),
    )
}

fn in_the_library(text: &str, question: &Question) -> Value {
    let (name, reading) = read(text);
    let options = CheckOptions::default();
    let compiled = if is_c(text) {
        let options = c::Options {
            nondet: reading.contains(&"--nondet").then_some((0, 3)),
            wanted: c::property::Wanted {
                no_races: true,
                ..c::property::Wanted::default()
            },
            ..c::Options::default()
        };
        compile_c(name, text, &options)
    } else {
        compile(name, text, &options)
    };
    let Compiled {
        sources,
        program: Some(program),
        ..
    } = compiled
    else {
        panic!("{text}");
    };
    let target = Target {
        program: &program,
        sources: &sources,
        covers: &|cover| compile_cover((None, name), text, &options, cover).program,
    };
    let answer = ask(question, &target);
    let subject = Subject {
        file: name,
        sources: &sources,
        program: &program,
        answer: &answer,
    };
    whole(serde_json::from_str(&report::json::answer(&subject)).unwrap())
}

const CHECKPOINT: &str = "with a checkpoint";
const PROCESSES: &str = "by two processes";

fn without_trace(answer: &Value) -> Value {
    let mut answer = answer.clone();
    let bugs = answer["bugs"].as_array_mut().into_iter().flatten();
    bugs.for_each(|bug| bug["trace"] = Value::Null);
    answer["trace"] = Value::Null;
    answer
}

#[test]
fn a_question_has_one_answer_wherever_it_is_asked() {
    let folder = tempfile::tempdir().unwrap();
    let here = folder.path();
    let mut different = String::new();
    for (text, command, question) in questions() {
        std::fs::write(here.join(read(text).0), text).unwrap();
        let said = on_the_command_line(here, text, command, &[]);
        let mut others = vec![
            ("on the page", on_the_page(text, command)),
            ("in the library", in_the_library(text, &question)),
        ];
        let explores = command.starts_with("explore");
        let mut also = |who, more: &[&str]| {
            others.push((who, on_the_command_line(here, text, command, more)));
        };
        if explores {
            also("by two threads", &["--jobs", "2"]);
        }
        if explores && !command.contains("--races") {
            std::fs::remove_dir_all(here.join("kept")).ok();
            also(CHECKPOINT, &["--checkpoint", "kept"]);
            also(PROCESSES, &["--cluster", "local:2"]);
        }
        let same = |(who, other): &(&str, Value)| {
            // Processes may find another trace of the same bug than a thread.
            let together = [CHECKPOINT, PROCESSES].contains(who);
            match together {
                true => without_trace(other) == without_trace(&said),
                false => *other == said,
            }
        };
        for (who, other) in others.into_iter().filter(|found| !same(found)) {
            different += &format!("{command}, {who}:\n{other}\nand not\n{said}\nof\n{text}\n");
        }
    }
    assert!(different.is_empty(), "{different}");
}

/// A trace is shown once more by the editor, which asks with its own folder and name; verdict and summary are the answer's.
#[test]
fn the_editor_says_what_the_command_line_says() {
    let folder = tempfile::tempdir().unwrap();
    for text in [UNPROVED, HANDLE, LOST, PROVED] {
        std::fs::write(folder.path().join("p.async"), text).unwrap();
        let mut editor = Editor::with(text);
        for command in ["verify", "explore", "prove"] {
            if (text, command) == (PROVED, "explore") {
                continue;
            }
            let said = on_the_command_line(folder.path(), text, command, &[]);
            let found = crate::editor::verify(&mut editor, &format!("dbverify.{command}")).unwrap();
            for field in ["verdict", "summary"] {
                assert_eq!(said[field], found[field], "{command} of\n{text}");
            }
            for note in said["notes"].as_array().into_iter().flatten() {
                let message = note["message"].as_str().unwrap();
                let text = found["text"].as_str().unwrap();
                assert!(text.contains(message), "{command}: {message}: {text}");
            }
        }
    }
}

/// A bound on inputs is a bound wherever the search runs.
#[test]
fn no_bound_on_inputs_is_forgotten() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("p.c"), NARROWED).unwrap();
    let command = "explore --require-exhaustive";
    for more in [
        &["--checkpoint", "kept"][..],
        &["--cluster", "local:2"],
        &["--jobs", "2"],
        &[],
    ] {
        let said = on_the_command_line(folder.path(), NARROWED, command, more);
        assert_eq!(said["verdict"], "inconclusive", "{more:?}: {said}");
        assert_eq!(said["bounds"]["cut_by"][0], "nondet", "{more:?}: {said}");
    }
}
