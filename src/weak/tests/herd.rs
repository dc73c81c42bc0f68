//! Compares random programs with herd7, if it is there. `HERD7` names its program, and `HERD7_LIB` the folder of its models.

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use super::{first, found, programs};
use options::{Memory, Strategy};
use testing::litmus::{self, Outcome, Threads};

/// What both machines with buffers have in common. The only `seq_cst` reads are those of exchanges that fail.
const BUFFERS: &str = "include \"cos.cat\"
let update = RMW | (R & SC)
let whole = update | (W & SC) | (F & SC)
let fenced = (po; [whole]) | ([whole]; po)
acyclic (po & loc) | rf | co | fr as coherent
empty ([RMW] & (fr; co)) as atomic
";
const TSO: &str = "let kept = po \\ (W * R)
acyclic kept | fenced | (rf & ext) | co | fr as tso
";
const PSO: &str = "let releases = REL | ACQ_REL
let kept = (po & (R * M)) | (po; [W & releases]) & (W * W) | ([W]; po; [F & releases]; po; [W])
acyclic kept | fenced | (rf & ext) | co | fr as pso
";

/// The command of herd7, and the arguments that come first.
fn herd() -> Option<(String, Vec<String>)> {
    let program = std::env::var("HERD7").unwrap_or_else(|_| "herd7".to_owned());
    let library = std::env::var("HERD7_LIB").map(|folder| vec!["-set-libdir".to_owned(), folder]);
    let ran = Command::new(&program).arg("-version").output();
    ran.is_ok().then(|| (program, library.unwrap_or_default()))
}

/// By the seed of a program: the outcomes that herd7 finds.
fn outcomes(
    (program, before): &(String, Vec<String>),
    memory: Memory,
    all: &[(u64, Threads)],
) -> BTreeMap<u64, BTreeSet<Outcome>> {
    let folder = tempfile::tempdir().expect("a folder");
    let (name, rest) = match memory {
        Memory::Tso => ("TSO", TSO),
        _ => ("PSO", PSO),
    };
    let own = folder.path().join("own.cat");
    std::fs::write(&own, format!("C {name}\n{BUFFERS}{rest}")).expect("a model");
    let mut command = Command::new(program);
    command.args(before).args(["-timeout", "4", "-model"]);
    match memory {
        Memory::C11 => command.arg("rc11.cat"),
        _ => command.arg(&own),
    };
    for (seed, threads) in all {
        let path = folder.path().join(format!("p{seed}.litmus"));
        let text = litmus::herd(&format!("p{seed}"), threads, memory == Memory::C11);
        std::fs::write(&path, text).expect("a test");
        command.arg(path);
    }
    let ran = command.output().expect("herd7 runs");
    let text = String::from_utf8_lossy(&ran.stdout);
    let mut found = BTreeMap::new();
    for part in text.split("Test p").skip(1) {
        let mut lines = part.lines();
        let seed = lines
            .next()
            .and_then(|line| line.split(' ').next()?.parse().ok());
        let seed: u64 = seed.expect("a number");
        let threads = &all
            .iter()
            .find(|(own, _)| *own == seed)
            .expect("a program")
            .1;
        let states = lines.skip(1).take_while(|line| line.contains('='));
        found.insert(
            seed,
            states.map(|line| litmus::of_herd(threads, line)).collect(),
        );
    }
    let said = String::from_utf8_lossy(&ran.stderr);
    assert!(!said.contains("Warning"), "{said}");
    found
}

#[test]
fn random_programs_on_tso() {
    compare(Memory::Tso);
}

#[test]
fn random_programs_on_pso() {
    compare(Memory::Pso);
}

#[test]
fn random_programs_on_c11() {
    compare(Memory::C11);
}

/// Checks that the final states are those of herd7. If the answer says that it lacks executions, some of them are enough.
fn compare(memory: Memory) {
    let Some(herd) = herd() else {
        eprintln!("not compared: herd7 is not installed, and HERD7 does not name it");
        return;
    };
    let seeds: Vec<u64> = (first()..first() + programs(20)).collect();
    let mut wrong = 0;
    let (mut compared, mut equal, mut said, mut less) = (0, 0, 0, 0);
    for some in seeds.chunks(50) {
        let all: Vec<(u64, Threads)> = some
            .iter()
            .map(|&seed| (seed, litmus::random(seed, seed % 4 == 0)))
            .collect();
        let expected = outcomes(&herd, memory, &all);
        for (seed, threads) in &all {
            // For a few programs herd7 runs out of time.
            let Some(expected) = expected.get(seed) else {
                continue;
            };
            compared += 1;
            let (own, whole) = found(threads, memory, Strategy::Stateful);
            let right = if whole {
                own == *expected
            } else {
                own.is_subset(expected)
            };
            if !right {
                wrong += 1;
                eprintln!(
                    "{seed} {memory:?}: only here {:?}, only there {:?}\n{}",
                    own.difference(expected).collect::<Vec<_>>(),
                    expected.difference(&own).collect::<Vec<_>>(),
                    litmus::program(threads, "")
                );
            }
            equal += u32::from(own == *expected);
            said += u32::from(!whole);
            less += u32::from(own != *expected && right);
        }
    }
    eprintln!(
        "{memory:?}: {equal} of {compared} equal; {said} with a remark, of which {less} have fewer outcomes"
    );
    assert_eq!(wrong, 0);
}
