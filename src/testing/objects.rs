//! Random programs of operations on the library's objects, as text.

use std::fmt::Write as _;

use fastrand::Rng;

/// Objects, and what a task may do with them: `X` stands for a statement, `B` for a variable of truth values.
const KINDS: [(&str, &[&str]); 13] = [
    (
        "Mutex",
        &[
            "o.lock(); X o.unlock();",
            "B := o.try_lock(); if B { X o.unlock(); }",
            "o.lock();",
        ],
    ),
    (
        "RecursiveMutex",
        &[
            "o.lock(); o.lock(); X o.unlock(); o.unlock();",
            "o.lock(); X o.unlock();",
        ],
    ),
    (
        "Semaphore(1)",
        &[
            "o.acquire(); X",
            "o.release();",
            "o.acquire(); X o.release();",
        ],
    ),
    (
        "FifoSemaphore(1)",
        &[
            "o.acquire(); X",
            "o.release();",
            "o.acquire(); X o.release();",
        ],
    ),
    (
        "LifoSemaphore(1)",
        &[
            "o.acquire(); X",
            "o.release();",
            "o.acquire(); X o.release();",
        ],
    ),
    (
        "Cond",
        &[
            "m.lock(); o.wait(m); X m.unlock();",
            "o.signal();",
            "o.broadcast();",
        ],
    ),
    (
        "StrictCond",
        &[
            "m.lock(); o.wait(m); X m.unlock();",
            "o.signal();",
            "o.broadcast();",
        ],
    ),
    (
        "FifoCond",
        &[
            "m.lock(); o.wait(m); X m.unlock();",
            "m.lock(); o.signal(); m.unlock();",
        ],
    ),
    (
        "LifoCond",
        &[
            "m.lock(); o.wait(m); X m.unlock();",
            "o.signal();",
            "o.broadcast();",
        ],
    ),
    (
        "RwLock",
        &[
            "o.read_lock(); X o.read_unlock();",
            "o.write_lock(); X o.write_unlock();",
        ],
    ),
    (
        "ReaderRwLock",
        &[
            "o.read_lock(); X o.read_unlock();",
            "o.write_lock(); X o.write_unlock();",
        ],
    ),
    (
        "WriterRwLock",
        &[
            "o.read_lock(); X o.read_unlock();",
            "o.write_lock(); X o.write_unlock();",
        ],
    ),
    ("Barrier(2)", &["o.wait(); X", "X o.wait();"]),
];

const STATEMENTS: [&str; 8] = [
    "x := 1;",
    "x := y;",
    "y := x;",
    "y := 2 - x;",
    "assert x != 1 || y != 2;",
    "await x <= y;",
    "b := x == y;",
    "if b { y := 1; }",
];

fn statement(rng: &mut Rng) -> &'static str {
    STATEMENTS[rng.usize(..STATEMENTS.len())]
}

fn task(rng: &mut Rng, uses: &[&str]) -> String {
    let mut body = String::new();
    for _ in 0..rng.usize(1..=2) {
        if rng.u8(..4) == 0 {
            body += statement(rng);
        }
        let inside = if rng.bool() { statement(rng) } else { "" };
        body += &uses[rng.usize(..uses.len())]
            .replace('X', inside)
            .replace('B', "b");
        body.push('\n');
    }
    body
}

pub fn program(seed: u64) -> String {
    let mut rng = Rng::with_seed(seed);
    let (kind, uses) = KINDS[rng.usize(..KINDS.len())];
    let mode = ["yield", "statement", "access"][rng.usize(..3)];
    let mut text = format!(
        "use sync;\npreempt {mode};\nvar m: Mutex;\nvar o: {kind};\n\
         var x: 0..2 := 0;\nvar y: 0..2 := 1;\nvar b: bool := false;\n"
    );
    let tasks = rng.usize(2..=3);
    for i in 0..tasks {
        let _ = writeln!(text, "proc t{i}() {{\n{}}}", task(&mut rng, uses));
    }
    let posts: String = (0..tasks).map(|i| format!("post t{i}();\n")).collect();
    let _ = writeln!(text, "proc main() {{\n{posts}}}");
    text
}
