//! Limits of the explicit engine hold, whatever the program does. Progress lines show how far it is.

use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;

use crate::explore_common::answer;
use dbverify::answer::{Answer, Counted, Verdict};
use dbverify::options::{ExploreOptions, Limits, Scheduler, Sought, Strategy, Values};

fn reason(answer: &Answer) -> &str {
    match &answer.verdict {
        Verdict::Inconclusive(reason) => reason.words(),
        other => panic!("{other:?}"),
    }
}

fn in_a_second() -> ExploreOptions {
    ExploreOptions {
        limits: Limits {
            timeout: Duration::from_secs(1),
            ..Limits::default()
        },
        max_steps: u64::MAX,
        ..ExploreOptions::default()
    }
}

/// Each choice keeps all calls around it, so it takes more room than its instructions.
#[test]
fn what_choices_copy_is_work() {
    let asked = |depth: u32| {
        let text = format!(
            "proc f(n: int) {{ var r: 0..1; assume r == 0; if n > 0 {{ call f(n - 1); }} }} proc main() {{ call f({depth}); }}"
        );
        let options = ExploreOptions {
            work: Some(1_000_000),
            ..ExploreOptions::default()
        };
        answer(&text, &options)
    };
    assert_eq!(asked(30).verdict, Verdict::Safe);
    assert_eq!(reason(&asked(3000)), "the steps that it was given ran out");
}

/// Tasks that are all pending at once.
const CROWD: &str = "
    var n: int := 0;
    proc p() { n := n + 1; }
    proc main() { for i in 1..100000 { post p(); } }";

#[test]
fn time_runs_out_within_one_state_of_a_hundred_thousand_tasks() {
    for jobs in [1, 2] {
        let options = ExploreOptions {
            jobs,
            ..in_a_second()
        };
        let answer = answer(CROWD, &options);
        assert_eq!(reason(&answer), "time ran out after 1 s");
        // Tasks that were not looked at are not blocked.
        assert!(answer.bugs.is_empty());
    }
}

/// Each configuration of a path has all tasks.
#[test]
fn a_path_of_many_tasks_stays_within_the_memory() {
    for values in [Values::Numbers, Values::Terms] {
        let options = ExploreOptions {
            strategy: Strategy::Dpor,
            values,
            limits: Limits {
                timeout: Duration::from_secs(300),
                memory: 60 << 20,
                ..Limits::default()
            },
            ..ExploreOptions::default()
        };
        let answer = answer(&CROWD.replace("100000", "5000"), &options);
        assert_eq!(reason(&answer), "memory ran out at 60 MiB", "{values:?}");
    }
}

/// The search for races in a step without end stops when the time is up.
#[test]
fn time_runs_out_where_races_are_looked_for_beside_a_step_without_end() {
    let text = "var x: 0..3 := 0;
        proc p() { x := 1; }
        proc main() { post p(); while x < 3 { if * { x := 0; } else { x := 1; } } }";
    for strategy in [Strategy::Stateful, Strategy::Dpor] {
        let options = ExploreOptions {
            sought: Sought::Races,
            strategy,
            ..in_a_second()
        };
        let answer = answer(text, &options);
        assert!(!answer.is_settled(), "{strategy:?}");
    }
}

#[test]
fn a_path_of_wide_states_stays_within_the_memory() {
    let locks = "use sync; var m: [300]Mutex;
        proc p(i: int) { m[i].lock(); yield; m[i].unlock(); }
        proc main() { for i in 0..299 { post p(i); } }";
    let mut options = in_a_second();
    options.strategy = Strategy::Stateless;
    options.limits.timeout = Duration::from_secs(60);
    options.limits.memory = 40 << 20;
    let answer = answer(locks, &options);
    assert_eq!(reason(&answer), "memory ran out at 40 MiB");
    assert!(answer.count(Counted::Depth) < Some(600));
}

#[test]
fn walks_that_end_at_once_come_to_an_end() {
    let open = "var n: u64; proc main() { assert n * n != 7; }";
    for strategy in [Strategy::Random, Strategy::Pct] {
        let options = ExploreOptions {
            strategy,
            runs: u64::MAX,
            values: Values::Numbers,
            ..in_a_second()
        };
        assert_eq!(reason(&answer(open, &options)), "time ran out after 1 s");
        let options = ExploreOptions {
            work: Some(1000),
            ..options
        };
        let given = answer(open, &options);
        assert_eq!(reason(&given), "the steps that it was given ran out");
        assert!(given.count(Counted::Walks) <= Some(1001));
    }
}

/// A choice among many values, and a step that takes long for each of them.
const WIDE: &str = "
    var s: int := 0;
    proc main() {
      var c: u8 := *;
      if c == 5 { s := 1; }
      for i in 1..20000 { s := s + i % 4; }
      assert s >= 0;
    }";

#[test]
fn a_limit_of_steps_is_none_of_time() {
    for strategy in [Strategy::Stateful, Strategy::Stateless, Strategy::Dpor] {
        let options = ExploreOptions {
            strategy,
            values: Values::Numbers,
            work: Some(1000),
            ..ExploreOptions::default()
        };
        let answer = answer(WIDE, &options);
        assert_eq!(reason(&answer), "the steps that it was given ran out");
    }
}

/// The trial with numbers gives up within the first step.
#[test]
fn where_a_step_takes_too_long_for_numbers_terms_are_tried() {
    let answer = answer(WIDE, &ExploreOptions::default());
    assert_eq!(answer.verdict, Verdict::Safe, "{}", answer.summary);
}

#[test]
fn a_crowd_can_be_run_in_order_until_time_runs_out() {
    for scheduler in [Scheduler::DepthFirst, Scheduler::RoundRobin] {
        let mut options = ExploreOptions {
            scheduler,
            delays: Some(0),
            ..in_a_second()
        };
        // A slow machine needs more than a second for the first segment.
        options.limits.timeout = Duration::from_secs(5);
        let answer = answer(CROWD, &options);
        assert_eq!(reason(&answer), "time ran out after 5 s");
        assert!(answer.count(Counted::States) > Some(1));
    }
}

#[test]
fn tasks_that_follow_each_other_have_no_limit() {
    let chain = "
        var n: int := 0;
        proc p() { n := n + 1; if n < 120000 { post p(); } }
        proc main() { post p(); }
        finally { assert n == 120000; }";
    let short = answer(chain, &ExploreOptions::default());
    assert_eq!(reason(&short), "an execution is longer than 100000 steps");
    let options = ExploreOptions {
        max_steps: 120_000,
        ..ExploreOptions::default()
    };
    let long = answer(chain, &options);
    assert_eq!(long.verdict, Verdict::Safe);
    assert_eq!(long.count(Counted::States), Some(120_001));
}

#[test]
fn calls_without_variables_do_not_nest_without_end() {
    let text = "proc p() { call p(); } proc main() { post p(); }";
    let answer = answer(text, &ExploreOptions::default());
    assert_eq!(reason(&answer), "calls nest without end");
}

/// Two to the power of 32 ways lead out of the first segment: no machine walks them in a second.
#[test]
fn time_runs_out_within_one_segment_of_the_reduced_search() {
    let text = "var a: u16; var b: u16; proc main() { assert a >= 0 && b >= 0; }";
    let options = ExploreOptions {
        strategy: Strategy::Dpor,
        values: Values::Numbers,
        ..in_a_second()
    };
    assert!(reason(&answer(text, &options)).contains("time"));
}

#[test]
fn what_was_found_before_the_work_was_done_is_shown() {
    // The first segment has thousands of ways: they are run again to find the one that is shown.
    let program = "var a: u8; var b: 0..3; var d: [2]0..2;
        proc main() { await a < 255 || b < 3 || d[1] != 1; }";
    let mut shown = 0;
    for work in (500..20_000).step_by(250) {
        let options = ExploreOptions {
            all: true,
            finals: true,
            values: Values::Numbers,
            work: Some(work),
            ..ExploreOptions::default()
        };
        let answer = answer(program, &options);
        match answer.verdict {
            Verdict::Bug => {
                shown += 1;
                let more = answer
                    .notes
                    .iter()
                    .any(|n| n.message.starts_with("there may be more"));
                assert_ne!(answer.summary.contains("all schedules"), more, "{answer:?}");
            }
            _ => assert!(reason(&answer).contains("steps"), "{answer:?}"),
        }
    }
    assert!(shown > 1, "{shown}");
}

#[test]
fn states_that_do_not_fit_into_a_key_are_few_in_memory() {
    // Twelve tasks of five local states each beside twelve globals: more than 58 bits.
    let text = "
        var a: [12]0..63 := [0; 12];
        proc p(i: 0..11) { a[i] := 21 + i; yield; a[i] := 42 + i; }
        proc main() { for i in 0..11 { post p(i); } }";
    let answer = answer(text, &ExploreOptions::default());
    assert_eq!(answer.verdict, Verdict::Safe);
    assert_eq!(answer.count(Counted::States), Some(531_441));
}

/// A search that goes on until it is stopped.
const ENDLESS: &str = "
    var n: int := 0;
    proc p() { while true { n := n + 1; yield; } }
    proc main() { post p(); }";

/// The output of a search of some seconds, in a terminal or not.
fn watched(strategy: Strategy, terminal: bool) -> (String, String) {
    let name = format!(
        "dbverify-progress-{}-{strategy:?}-{terminal}.async",
        std::process::id()
    );
    let path = std::env::temp_dir().join(name);
    std::fs::write(&path, ENDLESS).expect("a file can be written");
    let binary = env!("CARGO_BIN_EXE_dbverify");
    let strategy = format!("{strategy:?}").to_lowercase();
    let line = format!(
        "{binary} explore {} --strategy {strategy} --max-steps 1000000000 --timeout 5 --color never",
        path.display()
    );
    let mut command = if terminal {
        let mut command = Command::new("script");
        command.args(["-qec", &line, "/dev/null"]);
        command
    } else {
        let mut command = Command::new("sh");
        command.args(["-c", &line]);
        command
    };
    let output = command
        .stdin(Stdio::null())
        .output()
        .expect("`script` of util-linux");
    std::fs::remove_file(&path).ok();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr))
}

/// Whether the text has a line of progress: seconds, how many, how fast, how deep, how large.
fn has_progress(text: &str, what: &str) -> bool {
    text.split("\r\x1b[K").any(|line| {
        let parts = [
            " s: ",
            &format!(" {what} ("),
            " per second), ",
            "depth ",
            " MiB",
        ];
        let mut rest = line;
        parts.iter().all(|part| {
            let at = rest.find(part);
            at.is_some_and(|at| {
                rest = &rest[at + part.len()..];
                true
            })
        })
    })
}

#[test]
#[cfg(target_os = "linux")]
fn a_terminal_shows_how_far_it_is() {
    let (shown, _) = watched(Strategy::Stateful, true);
    assert!(has_progress(&shown, "states"), "{shown:?}");
    // The line is gone before the answer comes.
    let answer = shown.rsplit("\r\x1b[K").next().unwrap_or_default();
    assert!(
        answer.contains("inconclusive: time ran out after 5 s"),
        "{shown:?}"
    );
    let (shown, _) = watched(Strategy::Stateless, true);
    assert!(has_progress(&shown, "visits"), "{shown:?}");
}

#[test]
#[cfg(target_os = "linux")]
fn a_pipe_shows_nothing_but_the_answer() {
    let (answer, progress) = watched(Strategy::Stateful, false);
    assert!(
        answer.contains("inconclusive: time ran out after 5 s"),
        "{answer:?}"
    );
    assert_eq!(progress, "");
}

/// Each task posts two, so that a search that stores nothing holds ever longer lists of pending tasks.
#[test]
fn memory_ends_every_strategy() {
    const GROWING: &str = "
        var n: int := 0;
        proc p(i: int) { n := n + i; post p(i + 1); post p(i + 2); }
        proc main() { post p(1); }";
    for strategy in [Strategy::Stateful, Strategy::Stateless, Strategy::Dpor] {
        let options = ExploreOptions {
            strategy,
            limits: Limits {
                latest: None,
                held: None,
                memory: 12 << 20,
                more_heap: false,
                timeout: Duration::from_mins(5),
            },
            max_steps: u64::MAX,
            ..ExploreOptions::default()
        };
        let answer = answer(GROWING, &options);
        assert_eq!(reason(&answer), "memory ran out at 12 MiB", "{strategy:?}");
    }
}

/// Tasks of 119 procedures, any number of each. None of them race.
fn many_procs() -> String {
    let procs: Vec<String> = (0..119)
        .map(|i| {
            format!(
                "proc p{i}() {{ atomic {{ g[{i}] := g[{i} + 1] + g[{i}]; }} yield; atomic {{ g[{i} + 1] := g[{i}] * 2; }} }}"
            )
        })
        .collect();
    let posts: Vec<String> = (0..119)
        .map(|i| format!("while * {{ post p{i}(); }}"))
        .collect();
    format!(
        "var g: [120]int; {} proc main() {{ {} }}",
        procs.join("\n"),
        posts.join("\n")
    )
}

/// One step may choose so often that what it remembers fills the memory, or have 60,001 ways, each to a state as wide as there are
/// tasks. A proof prepares a solver for each step of a task.
#[test]
#[cfg(target_os = "linux")]
fn what_one_step_remembers_stays_within_the_memory() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    let endless = "proc p() { yield; } proc main() { while * { post p(); } }";
    write("endless.async", endless);
    let ways = "var x: 0..60000;
        proc p() { x := x + 1 - 1; yield; }
        proc main() { for i in 1..5000 { post p(); } }";
    write("ways.async", ways);
    write("wide.async", &many_procs());
    let full = "inconclusive: memory ran out at 8 MiB";
    let wide = "explore ways.async --values numbers --timeout 3";
    for (question, why) in [
        ("explore endless.async --memory 64", "inconclusive: "),
        (
            "explore endless.async --strategy dpor --memory 64",
            "inconclusive: ",
        ),
        (
            "explore endless.async --strategy random --memory 64",
            "inconclusive: ",
        ),
        (
            "explore endless.async --divergence --memory 64",
            "inconclusive: ",
        ),
        (&format!("{wide} --memory 64"), "inconclusive: "),
        (&format!("{wide} --fair --memory 8"), full),
        (&format!("{wide} --divergence --memory 8"), full),
        (
            "prove wide.async --races --timeout 3 --memory 64",
            "inconclusive: ",
        ),
    ] {
        // Without the limit of ours these ask for more than the limit of the shell.
        let output = below("ulimit -v 1200000", folder.path(), question);
        let said = String::from_utf8_lossy(&output.stdout);
        assert!(said.contains(why), "{question}: {output:?}");
        assert_eq!(output.status.code(), Some(3), "{question}: {output:?}");
        // A search that stops by itself tells how far it came.
        assert!(
            said.contains(" states, ") || !question.contains(wide),
            "{output:?}"
        );
    }
}

/// A step that makes any number of tasks has endlessly many ways. Each option leads to another search, and none gets beyond that step.
#[test]
#[cfg(target_os = "linux")]
fn every_search_that_many_tasks_fill_looks_at_few() {
    let folder = tempfile::tempdir().unwrap();
    let text = "var y: int := 0; proc p0() { assert y != 2; } proc p1() { yield; y := 2; }
        proc main() { while * { post p0(); post p1(); } }";
    std::fs::write(folder.path().join("few.async"), text).unwrap();
    for (options, more) in [
        ("--all", true),
        ("--finals", true),
        ("--strategy random", false),
        ("--strategy dpor", false),
        ("--compact 40", false),
        ("--checkpoint kept", false),
    ] {
        let question = format!("explore few.async {options} --memory 64");
        let output = below("ulimit -v 4000000", folder.path(), &question);
        let said = String::from_utf8_lossy(&output.stdout);
        assert_eq!(output.status.code(), Some(1), "{question}: {output:?}");
        assert!(said.contains("found with few tasks"), "{question}: {said}");
        let told = said.contains("there may be more bugs");
        assert_eq!(told, more, "{question}: {said}");
    }
    // The lines of this bug are reached.
    let question = "explore few.async --coverage lines --memory 64 --format json";
    let output = below("ulimit -v 4000000", folder.path(), question);
    let said = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{said}");
    let lines = std::fs::read_to_string(folder.path().join("lines")).unwrap();
    assert!(lines.contains("DA:1,1") && !lines.contains(",0"), "{lines}");
}

/// Asks a question below limits of the shell.
fn below(limits: &str, folder: &Path, question: &str) -> Output {
    let program = env!("CARGO_BIN_EXE_dbverify");
    Command::new("sh")
        .args(["-c", &format!("{limits}; {program} {question}")])
        .current_dir(folder)
        .output()
        .unwrap()
}

/// Limits of the shell: without them the machine would decide whether a program is too long.
#[test]
fn a_long_program_takes_no_more_than_its_length() {
    let lines = |n: usize, line: &dyn Fn(usize) -> String| -> String { (0..n).map(line).collect() };
    let moved = |n| lines(n, &|i| format!("v{i} := v{};\n", i * 7 % n));
    let locals = lines(60_000, &|i| format!("var v{i}: int := {i};\n"));
    let globals = lines(20_000, &|i| format!("var v{i}: int := {i};\n"));
    let jumps = lines(1000, &|i| {
        format!("if (x == {i}) goto l{};\nl{i}: x++;\n", i + 1)
    });
    let folder = tempfile::tempdir().unwrap();
    for (name, text, command) in [
        (
            "locals.async",
            format!("proc main() {{ {locals}{} }}", moved(60_000)),
            "explore",
        ),
        (
            "globals.async",
            format!("{globals}proc main() {{ {} }}", moved(20_000)),
            "explore",
        ),
        (
            "jumps.c",
            format!("int main(void) {{ int x = 0; {jumps} l1000: return 0; }}"),
            "check",
        ),
        (
            "tasks.async",
            format!(
                "var x: int := 0; proc p() {{ x := x + 1; }} proc main() {{ {} }}",
                "post p(); ".repeat(1000)
            ),
            "explore",
        ),
    ] {
        std::fs::write(folder.path().join(name), text).unwrap();
        let limits = "ulimit -v 1200000; ulimit -t 60";
        let output = below(limits, folder.path(), &format!("{command} {name}"));
        assert_eq!(output.status.code(), Some(0), "{name}: {output:?}");
    }
}

/// The exit status and the output of a command about a program.
fn told(args: &[&str], text: &str) -> (Option<i32>, String) {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("p.async"), text).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_dbverify"))
        .args(args)
        .arg("p.async")
        .current_dir(&folder)
        .output()
        .unwrap();
    let said = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8(said).unwrap())
}

/// Comparing ten threads under exchanged numbers takes minutes; the search without that takes a moment.
#[test]
fn an_exchange_that_costs_more_than_it_saves_is_given_up() {
    let text = "#include <assert.h>
        #include <pthread.h>
        int a, b;
        void *writes(void *unused) { a = 1; b = -1; return NULL; }
        void *looks(void *unused) { assert(a == 0 && b == 0 || a == 1 && b == -1); return NULL; }
        int main(void) {
            pthread_t writers[9], reader;
            for (int i = 0; i < 9; i++) pthread_create(&writers[i], NULL, writes, NULL);
            pthread_create(&reader, NULL, looks, NULL);
            for (int i = 0; i < 9; i++) pthread_join(writers[i], NULL);
            pthread_join(reader, NULL);
            return 0;
        }";
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("ten.c"), text).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_dbverify"))
        .args(["explore", "ten.c", "--timeout", "30"])
        .current_dir(&folder)
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(said.starts_with("bug: race: `a` is written"), "{output:?}");
    assert_eq!(output.status.code(), Some(1), "{output:?}");
}

#[test]
fn a_step_that_makes_any_number_of_tasks_is_not_searched_until_memory_runs_out() {
    let program = |mutual: &str| {
        format!(
            "use sync; var m: Mutex; var n: int := 0;
             proc p() {{ {mutual} n := n + 1; yield; assert n == 1; n := n - 1; }}
             proc main() {{ while * {{ post p(); }} }}"
        )
    };
    let (code, said) = told(&["explore"], &program("m.lock();"));
    assert_eq!(code, Some(1), "{said}");
    assert!(
        said.contains("bug: deadlock") && said.contains("found with few tasks"),
        "{said}"
    );
    let (code, said) = told(&["explore"], &program(""));
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("bug: assertion"), "{said}");
    let right = program("m.lock();").replace("n - 1;", "n - 1; m.unlock();");
    let (code, said) = told(&["explore"], &right);
    assert_eq!(code, Some(3), "{said}");
    assert!(
        said.contains("makes any number of tasks") && said.contains("dbverify prove"),
        "{said}"
    );
}

#[test]
fn a_deadlock_is_told_without_a_limit_that_nobody_set() {
    // After a deadlock the search goes on for a check that fails, and here that takes long.
    let text = "var n: int := 0; proc main() { if * { await false; }
        while n < 10000000 { n := n + 1; yield; } }";
    let (code, said) = told(&["--delays", "0"], text);
    assert_eq!(code, Some(1), "{said}");
    assert!(
        said.contains("bug: deadlock") && !said.contains("there may be more bugs"),
        "{said}"
    );
}
