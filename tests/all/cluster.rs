//! `--cluster`: counts, verdict, trace and final states do not depend on the number of processes. Whatever happens to
//! one of them, the answer is not wrong. `--checkpoint` and `--resume`: a search that was stopped goes on.

use std::io::Write;
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use testing::random_program::{random_program, rich_program, wild_program};

/// An increment gets lost if a task is interrupted between its two steps.
const INCREMENTS: &str = "
    var x: 0..9 := 0;
    proc add() { for i in 1..2 { let t = x; yield; x := t + 1; yield; } }
    proc main() { for i in 1..3 { post add(); } }
    finally { assert x > LEAST; }";

/// Values that processes have to send by name: maps, large arrays, numbers beyond 32 bits, tasks' numbers. They are in
/// globals, in locals and in arguments of posts.
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

/// Equal tasks in a ring. Their numbers can be turned, so a state stands for four.
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

/// Tasks whose numbers can be exchanged until very late.
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

/// The answer without the figures that depend on the clock and on which process holds a state.
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

/// Checks that the answers for any number of processes and workers are equal. Returns the first.
fn any_number(args: &str) -> Value {
    let one = answer(&format!("{args} --cluster local:1"));
    for several in ["local:4", "local:2 --jobs 2", "local:1 --jobs 3"] {
        let more = answer(&format!("{args} --cluster {several}"));
        assert_eq!(more, one, "{args} --cluster {several}");
    }
    one
}

/// Checks that several processes visit the same states as one, in searches that visit everything.
fn as_alone(file: &str, options: &str) {
    let alone = answer(&format!("explore {file} --finals {options}"));
    let mut together = any_number(&format!("explore {file} --finals {options}"));
    // The search of one process need not go by distance.
    together["stats"]["depth"] = alone["stats"]["depth"].clone();
    assert_eq!(together, alone, "{options}");
    assert_eq!(alone["verdict"], "safe", "{alone}");
}

/// Checks that several processes find the same bug as one, with a trace that is as short.
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

/// Several processes count each state once, in any program.
#[test]
fn random_programs_have_the_counts_of_one_process() {
    let folder = Folder::new("random");
    let mut compared = 0;
    for seed in 0..24 {
        let text = match seed % 3 {
            0 => random_program(seed).text(),
            1 => rich_program(seed).text(),
            _ => wild_program(seed).text(),
        };
        let file = folder.file("random.async", &text);
        let asked = format!("explore {file} --all --finals --max-steps 40 --timeout 20");
        let mut alone = answer(&asked);
        if alone["stats"]["states"]
            .as_u64()
            .is_none_or(|states| states > 20_000)
        {
            continue;
        }
        let several = ["local:3", "local:2 --jobs 2", "local:1 --jobs 2"][seed as usize % 3];
        let together = answer(&format!("{asked} --cluster {several}"));
        for part in ["verdict", "finals"] {
            assert_eq!(together[part], alone[part], "{seed}: {text}");
        }
        for figure in ["states", "transitions"] {
            let alone = alone["stats"][figure].take();
            assert_eq!(together["stats"][figure], alone, "{seed}: {text}");
        }
        compared += 1;
    }
    assert!(compared > 12, "only {compared} programs are small");
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
    // Here the processes find out late that numbers cannot be exchanged.
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
    assert_eq!(full["try"], json!(["--memory 2"]));
    let late = answer(&format!(
        "explore {many} --no-reduction --cluster local:2 --timeout 0.01"
    ));
    assert_eq!(late["exit"], 3, "{late}");
}

/// If memory runs out within one long step, the answer says so. A search that came to no level leaves no checkpoint.
#[test]
fn memory_that_a_long_step_needs_is_named() {
    let folder = Folder::new("long-step");
    let two = "proc other() { yield; } proc main() { while * { post other(); post other(); } }";
    let late = "proc many() { while * { post other(); } }
        proc other() { yield; } proc main() { yield; post many(); }";
    let (first, later) = (
        folder.file("first.async", two),
        folder.file("later.async", late),
    );
    for (file, kept) in [(&first, "there is no checkpoint"), (&later, "--resume")] {
        let kept_in = format!("--checkpoint {}", folder.path("kept"));
        for options in [&kept_in, "--cluster local:2"] {
            let asked = format!("explore {file} --memory 100 --timeout 50 {options}");
            let output = run(&format!("{asked} --format json"));
            let full: Value = serde_json::from_slice(&output.stdout).expect("it is JSON");
            assert_eq!(full["reason"], "memory ran out at 100 MiB", "{asked}");
            if options == kept_in {
                let said = text(&output.stderr);
                assert!(said.contains(kept), "{asked}: {said}");
            }
        }
        std::fs::remove_dir_all(folder.path("kept")).expect("it can be removed");
    }
}

/// A search that is kept does not begin again with more memory for its program: the answer says how to.
#[test]
fn more_memory_for_a_program_is_advice() {
    let folder = Folder::new("heap");
    let program = folder.file(
        "heap.c",
        "#include <stdlib.h>
int main(void) { for (int i = 0; i < 10; i++) free(malloc(4)); return 0; }
",
    );
    let kept = answer(&format!("explore {program} --cluster local:2"));
    assert_eq!(kept["try"], json!(["--heap 32"]), "{kept}");
}

#[test]
fn what_was_stopped_goes_on_with_any_number_of_processes() {
    let folder = Folder::new("resume");
    let many = folder.file("many.async", MANY);
    let explore = format!("explore {many} --no-reduction --finals");
    let whole = answer(&explore);
    for (first, then) in [
        ("--cluster local:2", ""),
        ("", "--cluster local:3 --jobs 2"),
        ("--jobs 3", "--cluster local:2 --jobs 2"),
    ] {
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
    refused(&many, "", "other options: --no-reduction");
    let parts = || {
        let files = std::fs::read_dir(&dir).expect("there is a folder");
        let files = files.map(|file| file.expect("there is a file").path());
        files.filter(|file| file.to_string_lossy().contains("part-"))
    };
    // A search that does not begin leaves nothing.
    let fresh = folder.path("fresh");
    refused(&many, &format!("--checkpoint {fresh}"), "other options");
    let left = std::fs::read_dir(&fresh).map_or(0, Iterator::count);
    assert_eq!(left, 0);
    let part = parts().next().expect("there is a part");
    let manifest = Path::new(&dir).join("dbverify-checkpoint.json");
    for file in [&part, &manifest] {
        let whole = std::fs::read(file).expect("it can be read");
        let with = |bytes: &[u8]| std::fs::write(file, bytes).expect("it can be written");
        for options in ["--no-reduction", "--no-reduction --cluster local:2"] {
            let [zeros, words] = [&[0; 8][..], b"more"].map(|more| [&whole[..], more].concat());
            for damaged in [&zeros[..], &words, &whole[..whole.len() / 2]] {
                with(damaged);
                refused(&many, options, "damaged");
            }
        }
        with(&whole);
    }
    // A checkpoint of another version is refused, too.
    let text = std::fs::read_to_string(&manifest).expect("it can be read");
    let (body, _) = text.trim_end().rsplit_once('\n').expect("it has lines");
    let older = body.replace(env!("CARGO_PKG_VERSION"), "0.0.1");
    let sum = older.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |sum, byte| {
        (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    std::fs::write(&manifest, format!("{older}\n{sum:016x}\n")).expect("it can be written");
    refused(&many, "--no-reduction", "is of dbverify 0.0.1, this is");
    std::fs::write(&manifest, &text).expect("it can be written");
    // A level that was not written completely when the process ended does not count.
    let whole = std::fs::read(&part).expect("it can be read");
    std::fs::write(&part, [&whole[..], &[0, 1, 0, 0, 9]].concat()).expect("it can be written");
    let resumed = answer(&format!("explore {many} --no-reduction --resume {dir}"));
    assert_eq!(resumed["verdict"], "safe", "{resumed}");
    std::fs::remove_file(&part).expect("it can be removed");
    refused(&many, "--no-reduction", "damaged");
}

/// A checkpoint of few states, of which every byte is changed in turn: in the list of files and in the states.
#[test]
fn every_byte_of_a_checkpoint_matters() {
    let folder = Folder::new("bytes");
    let few = folder.file(
        "few.async",
        "var x: 0..999 := 0;
        proc main() {
            while x < 999 {
                var t: 0..7 := 0;
                for i in 1..1000000 { t := (t + i) % 8; }
                x := x + 1;
                yield;
            }
        }",
    );
    let dir = folder.path("kept");
    let asked = format!("explore {few} --no-reduction");
    // A step takes some time, so that there are few until the time is over. A busy machine needs more of it for the first.
    let mut some = (1..60).map(|tenths| {
        let seconds = f64::from(tenths) / 10.0;
        let stopped = run(&format!("{asked} --timeout {seconds} --checkpoint {dir}"));
        let said = text(&stopped.stderr);
        assert_eq!(stopped.status.code(), Some(3), "{said}");
        assert_ne!(said.contains("no checkpoint"), said.contains("--resume"));
        said.contains("--resume")
    });
    assert!(some.any(|some| some), "no checkpoint");
    let files = std::fs::read_dir(&dir).expect("there is a folder");
    for file in files.map(|file| file.expect("there is a file").path()) {
        let whole = std::fs::read(&file).expect("it can be read");
        for at in 0..whole.len() {
            let mut bytes = whole.clone();
            bytes[at] ^= 1 << (at % 8);
            std::fs::write(&file, &bytes).expect("it can be written");
            let output = run(&format!("{asked} --resume {dir}"));
            let said = text(&output.stderr);
            assert_eq!(
                output.status.code(),
                Some(2),
                "byte {at} of {}: {said}",
                file.display()
            );
            assert!(said.contains("checkpoint in"), "{said}");
        }
        std::fs::write(&file, &whole).expect("it can be written");
    }
    let resumed = run(&format!("{asked} --resume {dir} --timeout 0.2"));
    assert_eq!(resumed.status.code(), Some(3), "{}", text(&resumed.stderr));
}

/// A disk that is full, as far as the process can tell: no file may become longer than some blocks.
#[cfg(unix)]
#[test]
fn a_full_disk_under_the_checkpoint_is_told() {
    let folder = Folder::new("full");
    let many = folder.file("many.async", MANY);
    for cluster in ["--cluster local:2", ""] {
        let dir = folder.path(&format!("kept{}", cluster.len()));
        let command = format!(
            "trap '' XFSZ; ulimit -f 8; exec {} explore {many} --no-reduction --memory 1 --checkpoint {dir} {cluster}",
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
        // Another process may end before it has removed its file.
        if cluster.is_empty() {
            let left = std::fs::read_dir(&dir).map_or(0, Iterator::count);
            assert_eq!(left, 0, "what is half written is of no use");
        }
    }
    let nowhere = folder.file("a-file", "");
    let output = run(&format!("explore {many} --checkpoint {nowhere}"));
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
}

const SECRET: &str = "nobody else knows this secret";

/// A list of hosts: free ports of this machine.
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
        let lines = std::fs::read_to_string(&hosts).expect("it can be read");
        for (other, output) in [1, 0].into_iter().zip(outputs(members.into())) {
            let said = text(&output.stderr);
            assert_eq!(output.status.code(), Some(2), "{said}");
            assert!(said.contains(word), "{said}");
            let host = lines.lines().nth(other + 1).expect("it has a line");
            let named = format!("process {other} ({host})");
            assert!(said.contains(&named), "{named}: {said}");
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

/// Connections without the greeting of a process: a silent one, and some with other bytes.
#[test]
fn a_silent_caller_and_hostile_bytes_change_nothing() {
    let folder = Folder::new("hostile");
    let safe = folder.file("safe.async", &INCREMENTS.replace("LEAST", "0"));
    let list = hosts(&folder, 2);
    let text = std::fs::read_to_string(&list).expect("it can be read");
    let address = text.lines().nth(1).expect("there is a first process");
    let first = member(&format!("explore {safe} --timeout 30"), &list, 0, SECRET);
    let call = || loop {
        if let Ok(stream) = TcpStream::connect(address) {
            return stream;
        }
        std::thread::sleep(Duration::from_millis(5));
    };
    let silent = call();
    let mut rng = fastrand::Rng::with_seed(7);
    let noise: Vec<u8> = (0..1 << 16).map(|_| rng.u8(..)).collect();
    let greeting = [&b"dbverify-cluster"[..], &[1, 0, 0, 0, 2, 0, 0, 0], &noise].concat();
    let frames = [&[4, 255, 255, 255, 255][..], &[1, 255, 255, 255, 127]].concat();
    for bytes in [
        &noise,
        &greeting,
        &frames,
        &b"GET / HTTP/1.1\r\n\r\n".to_vec(),
    ] {
        // It may hang up before it has heard everything.
        let _ = call().write_all(bytes);
    }
    let second = member(&format!("explore {safe} --timeout 30"), &list, 1, SECRET);
    for output in outputs(vec![first, second]) {
        assert_eq!(
            output.status.code(),
            Some(0),
            "{}",
            self::text(&output.stderr)
        );
    }
    drop(silent);
}

#[test]
fn a_port_that_is_in_use_is_told() {
    let folder = Folder::new("port");
    let safe = folder.file("safe.async", &INCREMENTS.replace("LEAST", "0"));
    let other = TcpListener::bind("127.0.0.1:0").expect("a port is free");
    let address = other.local_addr().expect("it has an address");
    let list = folder.file("hosts", &format!("{address}\n127.0.0.1:9\n"));
    let output = outputs(vec![member(&format!("explore {safe}"), &list, 0, SECRET)]).remove(0);
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.contains("another program listens there"), "{said}");
}

/// Three processes of a list that have met: they have made the folder of their checkpoint.
fn three(folder: &Folder, name: &str, options: &str) -> Vec<Child> {
    let many = folder.file("many.async", &MANY.replace("1..3", "1..4"));
    let dir = folder.path(name);
    let list = hosts(folder, 3);
    let asked = format!("explore {many} --no-reduction --checkpoint {dir} {options}");
    let members = (0..3).map(|process| member(&asked, &list, process, SECRET));
    let members = members.collect();
    while !Path::new(&dir).exists() {
        std::thread::sleep(Duration::from_millis(5));
    }
    members
}

/// Whether a process that ended with this output gives no verdict, and says that another one is gone.
fn names(output: &Output, victim: usize) -> bool {
    let said = text(&output.stdout) + &text(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{said}");
    assert!(said.contains(" is gone"), "{said}");
    assert!(!said.contains("panicked"), "{said}");
    said.contains(&format!("process {victim} ("))
}

/// Whichever process is killed, and whenever: the others name it, or the search was over before.
#[test]
fn a_process_that_is_killed_is_named_and_nothing_is_concluded() {
    let folder = Folder::new("killed");
    let mut rng = fastrand::Rng::with_seed(u64::from(std::process::id()));
    let mut named = 0;
    for turn in 0..20 {
        let mut members = three(&folder, &format!("kept-{turn}"), "--timeout 60");
        std::thread::sleep(Duration::from_millis(rng.u64(0..=turn * 20)));
        let victim = rng.usize(0..3);
        members[victim].kill().expect("it can be killed");
        for (process, output) in outputs(members).into_iter().enumerate() {
            match output.status.code() {
                Some(0) => {}
                None if process == victim => {}
                _ => {
                    assert!(names(&output, victim), "{victim}: {output:?}");
                    named += 1;
                }
            }
        }
    }
    assert!(named > 30, "only {named} processes saw one that was killed");
}

#[cfg(target_os = "linux")]
fn signal(name: &str, process: u32) {
    let sent = Command::new("kill")
        .args([name, &process.to_string()])
        .status();
    assert!(sent.expect("there is kill").success());
}

#[cfg(target_os = "linux")]
#[test]
fn a_process_that_is_stopped_for_some_time_changes_nothing() {
    let folder = Folder::new("stopped");
    let many = folder.file("some.async", MANY);
    let explore = format!("explore {many} --no-reduction --finals");
    let alone = answer(&explore);
    let list = hosts(&folder, 3);
    let asked = format!("{explore} --format json");
    let members: Vec<Child> = (0..3).map(|i| member(&asked, &list, i, SECRET)).collect();
    std::thread::sleep(Duration::from_millis(300));
    signal("-STOP", members[1].id());
    std::thread::sleep(Duration::from_secs(6));
    signal("-CONT", members[1].id());
    let outputs = outputs(members);
    let first: Value = serde_json::from_slice(&outputs[0].stdout).expect("it is an answer");
    for part in ["verdict", "finals"] {
        assert_eq!(first[part], alone[part]);
    }
    for figure in ["states", "transitions"] {
        assert_eq!(first["stats"][figure], alone["stats"][figure]);
    }
    for output in &outputs {
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    }
}

/// The others wait for a process that is stopped no longer than their time allows, and give no verdict.
#[cfg(target_os = "linux")]
#[test]
fn a_process_that_is_stopped_for_ever_is_not_waited_for() {
    let folder = Folder::new("halted");
    let mut members = three(&folder, "kept", "--timeout 2");
    signal("-STOP", members[1].id());
    let mut victim = members.remove(1);
    for output in outputs(members) {
        let said = text(&output.stdout) + &text(&output.stderr);
        assert_eq!(output.status.code(), Some(3), "{said}");
        assert!(!said.contains("safe"), "{said}");
    }
    victim.kill().expect("it can be killed");
    victim.wait().expect("it ends");
}

/// The processes that a process has started.
#[cfg(target_os = "linux")]
fn started_by(process: u32) -> Vec<u32> {
    let tasks = std::fs::read_dir(format!("/proc/{process}/task")).expect("it runs");
    let path = |task: std::io::Result<std::fs::DirEntry>| task.ok().map(|task| task.path());
    let texts = (tasks.filter_map(path))
        .filter_map(|task| std::fs::read_to_string(task.join("children")).ok());
    let texts = texts.collect::<Vec<_>>().concat();
    let ids = texts.split_whitespace().filter_map(|id| id.parse().ok());
    ids.collect()
}

/// Whichever process of one machine ends, no process stays behind.
#[cfg(target_os = "linux")]
#[test]
fn no_process_is_left_behind() {
    let folder = Folder::new("left");
    let many = folder.file("many.async", &MANY.replace("1..3", "1..4"));
    for killed in 0..3 {
        let dir = folder.path(&format!("kept-{killed}"));
        let asked = format!("explore {many} --no-reduction --cluster local:3 --checkpoint {dir}");
        let first = dbverify(&asked).spawn().expect("dbverify runs");
        while !Path::new(&dir).exists() {
            std::thread::sleep(Duration::from_millis(5));
        }
        let others = started_by(first.id());
        assert_eq!(others.len(), 2);
        let victim = [first.id(), others[0], others[1]][killed];
        signal("-KILL", victim);
        let output = outputs(vec![first]).remove(0);
        if killed > 0 {
            let children = [1, 2].map(|process| names(&output, process));
            assert!(children.contains(&true), "{output:?}");
        }
        let begin = Instant::now();
        for other in others {
            while Path::new(&format!("/proc/{other}")).exists() {
                assert!(
                    begin.elapsed() < Duration::from_secs(60),
                    "{other} still runs"
                );
                std::thread::sleep(Duration::from_millis(5));
            }
        }
    }
}
