//! `--cluster`: counts, verdict, trace and final states do not depend on how many processes there are, and whatever
//! happens to one of them, no wrong answer comes out. `--checkpoint` and `--resume`: what was stopped goes on.

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::Duration;

use serde_json::{Value, json};

/// An increment gets lost if a task is interrupted between its two steps.
const INCREMENTS: &str = "
    var x: 0..9 := 0;
    proc add() { for i in 1..2 { let t = x; yield; x := t + 1; yield; } }
    proc main() { for i in 1..3 { post add(); } }
    finally { assert x > LEAST; }";

/// What processes have to send each other by name: maps, large arrays, numbers beyond 32 bits, tasks' numbers; in
/// globals, in locals, and in what is posted.
const NAMES: &str = "
var m: [int]int := [0; _];
    var nested: [int][int]int := [[0; _]; _];
    var big: [2000]0..7 := [0; 2000];
    var wide: int := 5000000000;
    var last: task;
    proc put(k: 0..3, own: [int]int) {
        var mine: [int]int := own;
        mine[k] := 7000000000 + k;
        yield;
        m[k * 100000000000] := mine[k] + wide;
        nested[k][k] := k;
        yield;
        big[k * 600] := k;
        wide := wide + mine[k];
    }
    proc main() {
        last := post put(1, m);
        let other = post put(2, m);
        post put(3, m);
        join last;
        join other;
        assert wide > LEAST;
    }";

/// Two locks that two tasks take in different orders.
const LOCKS: &str = "
    var a: bool := false;
    var b: bool := false;
    proc one() { await !a; a := true; yield; await !b; b := true; yield; a := false; b := false; }
    proc two() { await !b; b := true; yield; await !a; a := true; yield; a := false; b := false; }
    proc main() { post one(); post two(); post one(); }";

/// Many states.
const MANY: &str = "
    var x: 0..99 := 0;
    proc add() { for i in 1..3 { let t = x; yield; x := t + 1; yield; } }
    proc main() { for i in 1..4 { post add(); } }
    finally { assert x > 0; }";

/// Tasks that differ in a number, which are turned: a state stands for four.
const RING: &str = "
    const N := 4;
    var taken: [N]bool := [false; _];
    var last: -1..N - 1 := -1;
    var meals: int := 5000000000;
    proc philosopher(i: 0..N - 1) {
        await !taken[i] TOGETHER { taken[i] := true; }
        await !taken[(i + 1) % N] { taken[(i + 1) % N] := true; last := i; }
        meals := meals + 1;
        yield;
        taken[i] := false;
        yield;
        taken[(i + 1) % N] := false;
    }
    proc main() { for i in 0..N - 1 { post philosopher(i); } }";

/// The same, until very late.
const LATE: &str = "
    const N := 3;
    var round: [N]0..30 := [0; _];
    var first: bool := false;
    proc runner(i: 0..N - 1) {
        for t in 1..30 { yield; round[i] := t; yield; }
        if i == 1 && round[0] + round[2] == 3 { first := true; }
    }
    proc main() { for i in 0..N - 1 { post runner(i); } }";

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let id = std::process::id();
        let path = std::env::temp_dir().join(format!("dbverify-cluster-{name}-{id}"));
        std::fs::create_dir_all(&path).expect("a folder can be made");
        Self(path)
    }

    fn file(&self, name: &str, text: &str) -> String {
        let path = self.0.join(name);
        std::fs::write(&path, text).expect("a file can be written");
        path.display().to_string()
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn dbverify(args: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_dbverify"));
    command.args(args.split_whitespace());
    command
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

fn run(args: &str) -> Output {
    dbverify(args).output().expect("dbverify runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The answer, without what depends on the clock and on who holds what.
fn answer(args: &str) -> Value {
    let output = run(&format!("{args} --format json"));
    let mut answer: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|e| {
        panic!(
            "{args}: {e}: {}{}",
            text(&output.stdout),
            text(&output.stderr)
        )
    });
    if let Some(stats) = answer["stats"].as_object_mut() {
        stats.retain(|name, _| {
            !["seconds", "memory_mib", "bytes_per_state"].contains(&name.as_str())
        });
    }
    answer["exit"] = json!(output.status.code());
    answer
}

/// The answers for one, two and four processes are equal; the first of them.
fn any_number(args: &str) -> Value {
    let one = answer(&format!("{args} --cluster local:1"));
    for size in [2, 4] {
        let more = answer(&format!("{args} --cluster local:{size}"));
        assert_eq!(more, one, "{args} with {size} processes");
    }
    one
}

/// Searches that visit everything visit the same, whoever searches.
fn as_alone(file: &str, options: &str) {
    let alone = answer(&format!("explore {file} --finals {options}"));
    let mut together = any_number(&format!("explore {file} --finals {options}"));
    // The search of one process need not go by distance.
    together["stats"]["depth"] = alone["stats"]["depth"].clone();
    assert_eq!(together, alone, "{options}");
    assert_eq!(alone["verdict"], "safe", "{alone}");
}

/// A bug is the same, on as short a way.
fn as_short(file: &str, options: &str) {
    let alone = answer(&format!("explore {file} --shortest {options}"));
    let together = any_number(&format!("explore {file} --shortest {options}"));
    assert_eq!(together["verdict"], "bug", "{together}");
    assert_eq!(together["error"], alone["error"]);
    let length = |answer: &Value| answer["trace"].as_array().map(Vec::len);
    assert_eq!(length(&together), length(&alone), "{options}");
    // Without --shortest too.
    any_number(&format!("explore {file} {options}"));
}

#[test]
fn counts_and_finals_are_those_of_one_process() {
    let folder = Folder::new("counts");
    let safe = folder.file("safe.async", &INCREMENTS.replace("LEAST", "0"));
    for options in [
        "",
        "--no-reduction",
        "--scheduler dfs --delays 2",
        "--scheduler rr",
        "--preemptions 1",
        "--scheduler bounded-bag",
    ] {
        as_alone(&safe, options);
    }
    let names = folder.file("names.async", &NAMES.replace("LEAST", "0"));
    as_alone(&names, "");
    as_alone(&names, "--no-reduction --preempt access");
}

#[test]
fn numbers_are_exchanged_alike() {
    let folder = Folder::new("numbers");
    let states = |args: &str| answer(args)["stats"]["states"].as_u64();
    let fewer = |file: &str| {
        let all = states(&format!("explore {file} --all --no-reduction"));
        states(&format!("explore {file} --all")) < all.map(|all| all / 2)
    };
    let text = RING.replace("TOGETHER", "&& !taken[(i + 1) % N]");
    let safe = folder.file("safe.async", &text);
    assert!(fewer(&safe));
    as_alone(&safe, "");
    let ring = folder.file("ring.async", &RING.replace("TOGETHER", ""));
    assert!(fewer(&ring));
    as_short(&ring, "");
    any_number(&format!("explore {ring} --all --finals"));
    // It is noticed that they cannot be.
    as_alone(&folder.file("late.async", LATE), "");
}

#[test]
fn bugs_are_the_same_for_any_number_of_processes() {
    let folder = Folder::new("bugs");
    let lost = folder.file("lost.async", &INCREMENTS.replace("LEAST", "5"));
    as_short(&lost, "");
    as_short(&lost, "--scheduler dfs --delays 3");
    let locks = folder.file("locks.async", LOCKS);
    as_short(&locks, "");
    let names = folder.file("names.async", &NAMES.replace("LEAST", "19000000004"));
    as_short(&names, "");
    let first = folder.file("first.async", "proc main() { assert false; }");
    as_short(&first, "");
    // All of them, each with its trace.
    let all = any_number(&format!("explore {lost} --all --finals"));
    assert_eq!(
        all["finals"],
        answer(&format!("explore {lost} --all --finals"))["finals"]
    );
}

#[test]
fn limits_are_told_and_conclude_nothing() {
    let folder = Folder::new("limits");
    let many = folder.file("many.async", MANY);
    let short = any_number(&format!("explore {many} --max-steps 3"));
    assert_eq!(
        (&short["verdict"], &short["exit"]),
        (&json!("inconclusive"), &json!(3))
    );
    let full = answer(&format!(
        "explore {many} --no-reduction --cluster local:2 --memory 1"
    ));
    assert_eq!(
        (&full["reason"], &full["exit"]),
        (&json!("memory ran out at 1 MiB"), &json!(3))
    );
    let late = answer(&format!(
        "explore {many} --no-reduction --cluster local:2 --timeout 0.01"
    ));
    assert_eq!(late["exit"], 3, "{late}");
}

#[test]
fn what_was_stopped_goes_on_with_any_number_of_processes() {
    let folder = Folder::new("resume");
    let many = folder.file("many.async", MANY);
    let explore = format!("explore {many} --no-reduction --finals");
    let whole = answer(&explore);
    for (first, then) in [("--cluster local:2", ""), ("", "--cluster local:3")] {
        let dir = folder.path("kept");
        let stopped = answer(&format!("{explore} {first} --memory 1 --checkpoint {dir}"));
        assert_eq!(stopped["verdict"], "inconclusive", "{stopped}");
        let mut resumed = answer(&format!("{explore} {then} --resume {dir}"));
        resumed["stats"]["depth"] = whole["stats"]["depth"].clone();
        assert_eq!(resumed, whole);
        // Into the same folder, and from there once more.
        let again = answer(&format!(
            "{explore} {then} --memory 2 --resume {dir} --checkpoint {dir}"
        ));
        assert_eq!(again["verdict"], "inconclusive", "{again}");
        let mut resumed = answer(&format!("{explore} {first} --resume {dir}"));
        resumed["stats"]["depth"] = whole["stats"]["depth"].clone();
        assert_eq!(resumed, whole);
    }
}

#[test]
fn a_checkpoint_of_something_else_or_a_damaged_one_is_refused() {
    let folder = Folder::new("damaged");
    let many = folder.file("many.async", MANY);
    let other = folder.file("other.async", &MANY.replace("x > 0", "x > 1"));
    let dir = folder.path("kept");
    let refused = |file: &str, options: &str, word: &str| {
        let output = run(&format!("explore {file} {options} --resume {dir}"));
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains(word), "{said}");
    };
    refused(&many, "", "there is no checkpoint");
    let stopped = run(&format!(
        "explore {many} --no-reduction --memory 1 --checkpoint {dir}"
    ));
    assert_eq!(stopped.status.code(), Some(3), "{}", text(&stopped.stderr));
    assert!(
        text(&stopped.stderr).contains("--resume"),
        "{}",
        text(&stopped.stderr)
    );
    refused(&other, "--no-reduction", "another program");
    refused(&many, "", "other options");
    let parts = || {
        let files = std::fs::read_dir(&dir).expect("there is a folder");
        let files = files.map(|file| file.expect("there is a file").path());
        files.filter(|file| file.to_string_lossy().contains("part-"))
    };
    let part = parts().next().expect("there is a part");
    let mut bytes = std::fs::read(&part).expect("it can be read");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&part, &bytes).expect("it can be written");
    refused(&many, "--no-reduction", "damaged");
    std::fs::write(&part, &bytes[..middle]).expect("it can be written");
    refused(&many, "--no-reduction --cluster local:2", "damaged");
    std::fs::remove_file(&part).expect("it can be removed");
    refused(&many, "--no-reduction", "damaged");
}

/// A disk that is full, as far as the process can tell: no file may become longer than some blocks.
#[cfg(unix)]
#[test]
fn a_full_disk_under_the_checkpoint_is_told() {
    let folder = Folder::new("full");
    let many = folder.file("many.async", MANY);
    let dir = folder.path("kept");
    let command = format!(
        "trap '' XFSZ; ulimit -f 8; exec {} explore {many} --no-reduction --memory 1 --checkpoint {dir} --cluster local:2",
        env!("CARGO_BIN_EXE_dbverify")
    );
    let output = Command::new("sh")
        .args(["-c", &command])
        .output()
        .expect("there is a shell");
    let said = text(&output.stdout);
    assert_eq!(
        output.status.code(),
        Some(3),
        "{said}{}",
        text(&output.stderr)
    );
    assert!(said.contains("cannot be written"), "{said}");
    let resumed = run(&format!("explore {many} --no-reduction --resume {dir}"));
    assert_eq!(resumed.status.code(), Some(2), "{}", text(&resumed.stderr));
    let nowhere = folder.file("a-file", "");
    let output = run(&format!("explore {many} --checkpoint {nowhere}"));
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
}

const SECRET: &str = "nobody else knows this secret";

/// A list of hosts: ports of this machine that nobody listens at.
fn hosts(folder: &Folder, count: usize) -> String {
    let listeners: Vec<_> = (0..count)
        .map(|_| TcpListener::bind("127.0.0.1:0").expect("a port is free"))
        .collect();
    let lines = listeners
        .iter()
        .map(|listener| format!("{}\n", listener.local_addr().expect("it has an address")));
    folder.file(
        "hosts",
        &format!("# where they are\n{}", lines.collect::<String>()),
    )
}

/// One of the processes of a list.
fn member(args: &str, hosts: &str, process: usize, secret: &str) -> Child {
    let mut command = dbverify(&format!("{args} --cluster {hosts} --process {process}"));
    command.env("DBVERIFY_CLUSTER_SECRET", secret);
    command.spawn().expect("dbverify runs")
}

fn outputs(members: Vec<Child>) -> Vec<Output> {
    let members = members.into_iter();
    members
        .map(|member| member.wait_with_output().expect("it ends"))
        .collect()
}

#[test]
fn processes_of_a_list_answer_once() {
    let folder = Folder::new("list");
    let safe = folder.file("safe.async", &INCREMENTS.replace("LEAST", "0"));
    let hosts = hosts(&folder, 3);
    // In any order.
    let members =
        [2, 0, 1].map(|process| member(&format!("explore {safe}"), &hosts, process, SECRET));
    let outputs = outputs(members.into());
    for output in &outputs {
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    }
    assert!(
        text(&outputs[1].stdout).contains("no bug"),
        "{}",
        text(&outputs[1].stdout)
    );
    assert!(outputs[0].stdout.is_empty() && outputs[2].stdout.is_empty());
    let lost = folder.file("lost.async", &INCREMENTS.replace("LEAST", "5"));
    let members = [0, 1].map(|process| {
        let hosts = folder.path("two");
        let lines = std::fs::read_to_string(folder.path("hosts")).expect("it can be read");
        let two: Vec<&str> = lines.lines().take(3).collect();
        std::fs::write(&hosts, two.join("\n")).expect("it can be written");
        member(&format!("explore {lost}"), &hosts, process, SECRET)
    });
    for output in self::outputs(members.into()) {
        assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
    }
}

#[test]
fn who_was_asked_something_else_ends_the_search() {
    let folder = Folder::new("different");
    let one = folder.file("one.async", &INCREMENTS.replace("LEAST", "0"));
    let two = folder.file("two.async", &INCREMENTS.replace("LEAST", "1"));
    for (asked, word) in [
        (
            [format!("explore {one}"), format!("explore {two}")],
            "another program",
        ),
        (
            [format!("explore {one}"), format!("explore {one} --finals")],
            "other options",
        ),
    ] {
        let hosts = hosts(&folder, 2);
        let members = [0, 1].map(|process| member(&asked[process], &hosts, process, SECRET));
        for output in outputs(members.into()) {
            let said = text(&output.stderr);
            assert_eq!(output.status.code(), Some(2), "{said}");
            assert!(said.contains(word), "{said}");
        }
    }
}

#[test]
fn strangers_are_turned_away() {
    let folder = Folder::new("strangers");
    let safe = folder.file("safe.async", &INCREMENTS.replace("LEAST", "0"));
    let explore = format!("explore {safe} --timeout 2");
    let hosts = hosts(&folder, 2);
    let members = vec![
        member(&explore, &hosts, 0, SECRET),
        member(&explore, &hosts, 1, "somebody else's secret"),
    ];
    let outputs = outputs(members);
    assert_eq!(
        outputs[0].status.code(),
        Some(3),
        "{}",
        text(&outputs[0].stderr)
    );
    assert!(
        text(&outputs[0].stderr).contains("another secret"),
        "{}",
        text(&outputs[0].stderr)
    );
    assert_eq!(
        outputs[1].status.code(),
        Some(2),
        "{}",
        text(&outputs[1].stderr)
    );
    for (secret, word) in [
        ("", "at least 16 characters"),
        ("short", "at least 16 characters"),
    ] {
        let output = self::outputs(vec![member(&explore, &hosts, 0, secret)]).remove(0);
        assert_eq!(output.status.code(), Some(2));
        assert!(
            text(&output.stderr).contains(word),
            "{}",
            text(&output.stderr)
        );
    }
    for (list, word) in [
        ("", "empty"),
        ("here", "host:port"),
        ("a:1\na:1", "twice"),
        ("192.0.2.1:7000", "no address of this machine"),
    ] {
        let list = folder.file("wrong", list);
        let output = self::outputs(vec![member(&explore, &list, 0, SECRET)]).remove(0);
        assert_eq!(output.status.code(), Some(2), "{list}");
        assert!(
            text(&output.stderr).contains(word),
            "{}",
            text(&output.stderr)
        );
    }
}

/// Whoever is killed, and whenever: the others name it, or the search was over before.
#[test]
fn a_process_that_is_killed_is_named_and_nothing_is_concluded() {
    let folder = Folder::new("killed");
    let many = folder.file("many.async", &MANY.replace("1..3", "1..4"));
    let explore = format!("explore {many} --no-reduction --timeout 60");
    let mut rng = fastrand::Rng::with_seed(u64::from(std::process::id()));
    let mut named = 0;
    for (turn, pause) in [0, 50, 200, 400, 700].into_iter().enumerate() {
        let dir = folder.path(&format!("kept-{turn}"));
        let list = hosts(&folder, 3);
        let asked = format!("{explore} --checkpoint {dir}");
        let mut members: Vec<Child> = (0..3)
            .map(|process| member(&asked, &list, process, SECRET))
            .collect();
        // Before all have met, the others would wait for it until time runs out.
        while !Path::new(&dir).exists() {
            std::thread::sleep(Duration::from_millis(5));
        }
        std::thread::sleep(Duration::from_millis(rng.u64(0..=pause)));
        let victim = rng.usize(0..3);
        members[victim].kill().expect("it can be killed");
        for (process, output) in outputs(members).into_iter().enumerate() {
            let said = text(&output.stdout) + &text(&output.stderr);
            match output.status.code() {
                Some(3) if process != victim => {
                    named += usize::from(said.contains(&format!("process {victim} (")));
                    assert!(said.contains(" is gone"), "{said}");
                }
                Some(0) => {}
                None if process == victim => {}
                other => panic!("process {process}: {other:?}: {said}"),
            }
        }
    }
    assert!(
        named > 0,
        "no process was killed before the search was over"
    );
}
