//! Small programs for weak memory: the steps of threads, as a program in C and as a test that herd7 reads.

use std::fmt::Write as _;

use fastrand::Rng;

/// The order of an access. A plain access is not atomic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Order {
    Plain,
    Relaxed,
    Acquire,
    Release,
    AcqRel,
    SeqCst,
}
use Order::{AcqRel, Acquire, Plain, Relaxed, Release, SeqCst};

impl Order {
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Plain => "plain",
            Relaxed => "relaxed",
            Acquire => "acquire",
            Release => "release",
            AcqRel => "acq_rel",
            SeqCst => "seq_cst",
        }
    }

    #[must_use]
    pub fn acquires(self) -> bool {
        matches!(self, Acquire | AcqRel | SeqCst)
    }

    #[must_use]
    pub fn releases(self) -> bool {
        matches!(self, Release | AcqRel | SeqCst)
    }
}

/// A place: a variable, or an element of an array whose index is a constant or a register.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Loc {
    Var(u8),
    Element(u8),
    At(usize),
}

pub const NAMES: [&str; 4] = ["x", "y", "z", "w"];
pub const PLACES: usize = NAMES.len() + 2;

impl Loc {
    fn text(self) -> String {
        match self {
            Self::Var(n) => NAMES[n as usize].to_owned(),
            Self::Element(n) => format!("a[{n}]"),
            Self::At(register) => format!("a[r{register} & 1]"),
        }
    }

    /// Its number among the places.
    #[must_use]
    pub fn slot(self, registers: &[u8]) -> usize {
        match self {
            Self::Var(n) => n as usize,
            Self::Element(n) => NAMES.len() + n as usize,
            Self::At(register) => {
                NAMES.len() + usize::from(registers.get(register).is_some_and(|r| r & 1 == 1))
            }
        }
    }
}

/// A step of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Op {
    /// Where, which value.
    Write(Loc, u8, Order),
    /// Into which register of the thread.
    Read(usize, Loc, Order),
    Exchange(usize, Loc, u8, Order),
    /// Register, place, the expected and the new value; the orders of success and of failure.
    Compare(usize, Loc, [u8; 2], [Order; 2]),
    Fence(Order),
    /// The thread ends here if the register is 0.
    Stop(usize),
}

pub type Threads = Vec<Vec<Op>>;

impl Op {
    /// The register that it reads into.
    #[must_use]
    pub fn reads(self) -> Option<usize> {
        match self {
            Self::Read(r, ..) | Self::Exchange(r, ..) | Self::Compare(r, ..) => Some(r),
            Self::Write(..) | Self::Fence(_) | Self::Stop(_) => None,
        }
    }

    fn loc(self) -> Option<Loc> {
        match self {
            Self::Write(loc, ..)
            | Self::Read(_, loc, _)
            | Self::Exchange(_, loc, ..)
            | Self::Compare(_, loc, ..) => Some(loc),
            Self::Fence(_) | Self::Stop(_) => None,
        }
    }

    fn is_plain(self) -> bool {
        matches!(self, Self::Write(_, _, Plain) | Self::Read(_, _, Plain))
    }

    /// The step as a statement of C. Variables without an atomic type are accessed by builtins of the compiler.
    fn text(self, atomic: bool) -> String {
        let (store, load, swap) = match atomic {
            true => (
                "atomic_store_explicit",
                "atomic_load_explicit",
                "atomic_exchange_explicit",
            ),
            false => ("__atomic_store_n", "__atomic_load_n", "__atomic_exchange_n"),
        };
        let order = |o: Order| match atomic {
            true => format!("memory_order_{}", o.name()),
            false => format!("__ATOMIC_{}", o.name().to_uppercase()),
        };
        match self {
            Self::Write(to, value, Plain) => format!("{} = {value};", to.text()),
            Self::Read(r, from, Plain) => format!("r{r} = {};", from.text()),
            Self::Write(to, value, o) => format!("{store}(&{}, {value}, {});", to.text(), order(o)),
            Self::Read(r, from, o) => format!("r{r} = {load}(&{}, {});", from.text(), order(o)),
            Self::Exchange(r, at, value, o) => {
                format!("r{r} = {swap}(&{}, {value}, {});", at.text(), order(o))
            }
            Self::Compare(r, at, [expected, value], [done, failed]) => {
                let (at, done, failed) = (at.text(), order(done), order(failed));
                match atomic {
                    true => format!(
                        "r{r} = {expected}; atomic_compare_exchange_strong_explicit(&{at}, &r{r}, {value}, {done}, {failed});"
                    ),
                    false => format!(
                        "r{r} = {expected}; __atomic_compare_exchange_n(&{at}, &r{r}, {value}, 0, {done}, {failed});"
                    ),
                }
            }
            Self::Fence(order) => format!("atomic_thread_fence(memory_order_{});", order.name()),
            Self::Stop(r) => format!("if (r{r}) {{"),
        }
    }
}

/// Closes what [`Op::Stop`] has opened.
fn ends(ops: &[Op]) -> String {
    let stops = ops.iter().filter(|op| matches!(op, Op::Stop(_)));
    "  }\n".repeat(stops.count())
}

/// How many registers a thread has.
#[must_use]
pub fn registers(ops: &[Op]) -> usize {
    ops.iter()
        .filter_map(|op| op.reads())
        .map(|r| r + 1)
        .max()
        .unwrap_or(0)
}

/// Reads `W x 1 rel; R 0 y; S 0; F sc; X 1 z 2`.
///
/// # Panics
/// When it is something else.
#[must_use]
pub fn thread(text: &str) -> Vec<Op> {
    let order = |word: Option<&&str>| match word {
        None => Relaxed,
        Some(&"rel") => Release,
        Some(&"acq") => Acquire,
        Some(&"sc") => SeqCst,
        Some(&"plain") => Plain,
        Some(other) => panic!("an order {other}"),
    };
    let number = |word: &str| word.parse::<u8>().expect("a number");
    let place = |word: &str| {
        let at = NAMES.iter().position(|n| *n == word).expect("a name");
        Loc::Var(u8::try_from(at).expect("few names"))
    };
    let step = |step: &str| {
        let words: Vec<&str> = step.split_whitespace().collect();
        match words[0] {
            "W" => Op::Write(place(words[1]), number(words[2]), order(words.get(3))),
            "R" => Op::Read(
                number(words[1]).into(),
                place(words[2]),
                order(words.get(3)),
            ),
            "X" => Op::Exchange(
                number(words[1]).into(),
                place(words[2]),
                number(words[3]),
                order(words.get(4)),
            ),
            "F" => Op::Fence(order(words.get(1))),
            "S" => Op::Stop(number(words[1]).into()),
            other => panic!("a step {other}"),
        }
    };
    text.split(';').map(step).collect()
}

/// The program in C. Each thread leaves its registers behind. Unless `fails` is empty, the program asserts `!fails`.
#[must_use]
pub fn program(threads: &[Vec<Op>], fails: &str) -> String {
    let name = |loc: Loc| match loc {
        Loc::Var(n) => NAMES[n as usize],
        Loc::Element(_) | Loc::At(_) => "a",
    };
    let all = || threads.iter().flatten();
    let atomic = |own: &str| !all().any(|op| op.is_plain() && op.loc().map(name) == Some(own));
    let mut text =
        String::from("#include <pthread.h>\n#include <stdatomic.h>\n#include <assert.h>\n");
    for (own, array) in NAMES.into_iter().map(|n| (n, "")).chain([("a", "[2]")]) {
        let ty = if atomic(own) { "atomic_int" } else { "int" };
        let _ = writeln!(text, "{ty} {own}{array};");
    }
    for (t, ops) in threads.iter().enumerate() {
        let _ = write!(text, "int o{t}[8];\nvoid *t{t}(void *u) {{\n  int r0 = 0");
        for r in 1..registers(ops) {
            let _ = write!(text, ", r{r} = 0");
        }
        text += ";\n";
        for op in ops {
            let atomic = op.loc().is_none_or(|loc| atomic(name(loc)));
            let _ = writeln!(text, "  {}", op.text(atomic));
        }
        text += &ends(ops);
        for r in 0..registers(ops) {
            let _ = writeln!(text, "  o{t}[{r}] = r{r};");
        }
        text += "  return 0;\n}\n";
    }
    text += "int main(void) {\n";
    if fails.is_empty() {
        // Final states have the variables in the order in which the program comes to them.
        text += "  x = 0; y = 0; z = 0; w = 0; a[0] = 0; a[1] = 0;\n";
        for t in 0..threads.len() {
            let _ = writeln!(text, "  o{t}[0] = 0;");
        }
    }
    for t in 0..threads.len() {
        let _ = writeln!(text, "  pthread_t p{t}; pthread_create(&p{t}, 0, t{t}, 0);");
    }
    for t in 0..threads.len() {
        let _ = writeln!(text, "  pthread_join(p{t}, 0);");
    }
    if !fails.is_empty() {
        let _ = writeln!(text, "  assert(!({fails}));");
    }
    text + "}\n"
}

/// Final values of places and registers from a final state, as numbers in the order of [`program`].
#[must_use]
pub fn outcome(threads: &[Vec<Op>], state: &[u8]) -> Outcome {
    let (memory, read) = state.split_at(PLACES);
    let read = read.chunks(8).zip(threads);
    let read = read.map(|(own, ops)| own[..registers(ops)].to_vec());
    (memory.to_vec(), read.collect())
}

/// The final values of places, and the registers of each thread.
pub type Outcome = (Vec<u8>, Vec<Vec<u8>>);

/// The orders of stores, loads, exchanges and fences in one kind of program.
fn orders(kind: u8) -> [&'static [Order]; 4] {
    match kind {
        0 => [
            &[Relaxed, Relaxed, Release],
            &[Relaxed, Relaxed, Acquire],
            &[Relaxed, Acquire, Release, AcqRel],
            &[Acquire, Release],
        ],
        1 => [&[Relaxed], &[Relaxed], &[Relaxed], &[SeqCst]],
        2 => [
            &[Release, SeqCst],
            &[Acquire, SeqCst],
            &[AcqRel, SeqCst],
            &[AcqRel, SeqCst],
        ],
        _ => [
            &[Relaxed, Release, SeqCst],
            &[Relaxed, Acquire, SeqCst],
            &[Relaxed, Acquire, Release, AcqRel, SeqCst],
            &[Acquire, Release, AcqRel, SeqCst],
        ],
    }
}

/// Programs of up to four threads. Each read has a register of its own.
#[must_use]
pub fn random(seed: u64, larger: bool) -> Threads {
    let mut rng = Rng::with_seed(seed);
    let count = [2, 2, 3, 3, 4][rng.usize(..5)];
    let variables = rng.u8(1..4);
    let elements = rng.bool();
    let most = [5, 3, 2][count - 2] + usize::from(larger);
    // Half of the programs are of a special kind, about which more can be said.
    let kind = rng.u8(..6);
    let [writes, reads, updates, fences] = orders(kind);
    let any = |rng: &mut Rng, orders: &[Order]| orders[rng.usize(..orders.len())];
    let mut value = 0;
    let mut one = |rng: &mut Rng, register: &mut usize| {
        let loc = match rng.u8(..8) {
            0..=2 if elements => match rng.usize(..=*register) {
                0 => Loc::Element(rng.u8(..2)),
                r => Loc::At(r - 1),
            },
            _ => Loc::Var(rng.u8(..variables)),
        };
        value = value % 9 + 1;
        let mut into = || std::mem::replace(register, *register + 1);
        match rng.u8(..16) {
            0..=5 => Op::Write(loc, value, any(rng, writes)),
            6..=10 => Op::Read(into(), loc, any(rng, reads)),
            11 | 12 => Op::Exchange(into(), loc, value, any(rng, updates)),
            13 => {
                let order = any(rng, updates);
                let failed = match order {
                    AcqRel => [Relaxed, Acquire][rng.usize(..2)],
                    SeqCst => [Relaxed, SeqCst][rng.usize(..2)],
                    Acquire => Acquire,
                    _ => Relaxed,
                };
                Op::Compare(into(), loc, [rng.u8(..3), value], [order, failed])
            }
            _ => Op::Fence(any(rng, fences)),
        }
    };
    let thread = |_| {
        let mut register = 0;
        (0..rng.usize(1..=most))
            .map(|_| one(&mut rng, &mut register))
            .collect()
    };
    (0..count).map(thread).collect()
}

/// The orders of loads, stores and exchanges that guard plain accesses, more or less strong.
fn guards(strong: bool) -> [&'static [Order]; 3] {
    match strong {
        true => [
            &[Acquire, Acquire, SeqCst, Relaxed],
            &[Release, Release, SeqCst, Relaxed],
            &[AcqRel, AcqRel, SeqCst, Relaxed],
        ],
        false => [
            &[Relaxed, Acquire, SeqCst],
            &[Relaxed, Release, SeqCst],
            &[Relaxed, Acquire, Release, AcqRel],
        ],
    }
}

/// Programs whose flags may order the threads: plain accesses stand after the read of a flag and before the write of one.
#[must_use]
pub fn guarded(seed: u64) -> Threads {
    let mut rng = Rng::with_seed(seed);
    let any = |rng: &mut Rng, orders: &[Order]| orders[rng.usize(..orders.len())];
    let [reads, writes, updates] = guards(rng.bool());
    let mixed = rng.u8(..6) == 0;
    let mut value = 0;
    let mut thread = |rng: &mut Rng, first: bool| {
        let (mut ops, mut register) = (Vec::new(), 0);
        let fence = |rng: &mut Rng, ops: &mut Vec<Op>| {
            if rng.u8(..5) == 0 {
                ops.push(Op::Fence(any(rng, &[Acquire, Release, AcqRel, SeqCst])));
            }
        };
        if !first || rng.u8(..4) == 0 {
            let flag = Loc::Var(1 + rng.u8(..2));
            value = value % 9 + 1;
            ops.push(match rng.u8(..4) {
                0 => Op::Exchange(register, flag, value, any(rng, updates)),
                _ => Op::Read(register, flag, any(rng, reads)),
            });
            fence(rng, &mut ops);
            if rng.u8(..8) > 0 {
                ops.push(Op::Stop(register));
            }
            register += 1;
        }
        for _ in 0..rng.u8(1..3) {
            let data = Loc::Var(if rng.u8(..4) == 0 { 3 } else { 0 });
            let order = if mixed && rng.bool() { Relaxed } else { Plain };
            value = value % 9 + 1;
            if rng.bool() {
                ops.push(Op::Write(data, value, order));
            } else {
                ops.push(Op::Read(register, data, order));
                register += 1;
            }
        }
        if rng.u8(..5) > 0 {
            fence(rng, &mut ops);
            let flag = Loc::Var(1 + rng.u8(..2));
            value = value % 9 + 1;
            ops.push(match rng.u8(..4) {
                0 => Op::Exchange(register, flag, value, any(rng, updates)),
                _ => Op::Write(flag, value, any(rng, writes)),
            });
        }
        ops
    };
    let count = rng.usize(2..4);
    (0..count).map(|t| thread(&mut rng, t == 0)).collect()
}

/// The name of a place for herd7.
fn herd_place(slot: usize) -> String {
    match slot {
        n if n < NAMES.len() => NAMES[n].to_owned(),
        n => format!("a{}", n - NAMES.len()),
    }
}

/// A step for herd7.
fn herd_step(t: usize, op: Op, slot: usize, loads: bool) -> String {
    let at = herd_place(slot);
    let atomic = |o: Order| format!("memory_order_{}", o.name());
    match op {
        Op::Write(_, value, Plain) => format!("*{at} = {value};"),
        Op::Read(r, _, Plain) => format!("r{r} = *{at};"),
        Op::Write(_, value, o) => {
            format!("atomic_store_explicit({at}, {value}, {});", atomic(o))
        }
        Op::Read(r, _, o) => {
            let o = if loads { o } else { Relaxed };
            format!("r{r} = atomic_load_explicit({at}, {});", atomic(o))
        }
        Op::Exchange(r, _, value, o) => {
            format!(
                "r{r} = atomic_exchange_explicit({at}, {value}, {});",
                atomic(o)
            )
        }
        Op::Compare(r, _, [_, value], [done, failed]) => {
            let failed = if loads { failed } else { SeqCst };
            let orders = format!("{}, {}", atomic(done), atomic(failed));
            format!(
                "r{r} = atomic_compare_exchange_strong_explicit({at}, e{t}{r}, {value}, {orders}); r{r} = *e{t}{r};"
            )
        }
        Op::Fence(o) => format!("atomic_thread_fence({});", atomic(o)),
        Op::Stop(r) => format!("if (r{r} != 0) {{"),
    }
}

/// The program as a test for herd7. Without `loads`, loads are relaxed, and comparisons that fail read as `seq_cst`.
#[must_use]
pub fn herd(name: &str, threads: &[Vec<Op>], loads: bool) -> String {
    let (mut begin, mut shown, mut bodies) = (String::new(), String::new(), String::new());
    for slot in 0..PLACES {
        let _ = write!(begin, " [{}]=0;", herd_place(slot));
        let _ = write!(shown, " {};", herd_place(slot));
    }
    for (t, ops) in threads.iter().enumerate() {
        let params = (0..PLACES).map(|slot| format!("atomic_int* {}", herd_place(slot)));
        let mut params: Vec<String> = params.collect();
        let mut body = String::new();
        for r in 0..registers(ops) {
            let _ = write!(body, " int r{r} = 0;");
            let _ = write!(shown, " {t}:r{r};");
        }
        for &op in ops {
            if let Op::Compare(r, _, [expected, _], _) = op {
                params.push(format!("int* e{t}{r}"));
                let _ = write!(begin, " [e{t}{r}]={expected};");
            }
            let text = match op.loc() {
                Some(Loc::At(r)) => format!(
                    "if (r{r} & 1) {{ {} }} else {{ {} }}",
                    herd_step(t, op, NAMES.len() + 1, loads),
                    herd_step(t, op, NAMES.len(), loads)
                ),
                loc => herd_step(t, op, loc.map_or(0, |loc| loc.slot(&[])), loads),
            };
            let _ = write!(body, "\n  {text}");
        }
        body += "\n";
        body += &ends(ops);
        let _ = writeln!(bodies, "P{t}({}) {{{body}\n}}", params.join(", "));
    }
    format!("C {name}\n{{{begin} }}\n{bodies}locations [{shown} ]\nexists (x = 99)\n")
}

/// The outcome in a line of herd7, for example `0:r0=1; [x]=1;`.
///
/// # Panics
/// When it is something else.
#[must_use]
pub fn of_herd(threads: &[Vec<Op>], line: &str) -> Outcome {
    let mut memory = vec![0; PLACES];
    let mut read: Vec<Vec<u8>> = threads.iter().map(|ops| vec![0; registers(ops)]).collect();
    let number = |text: &str| text.parse::<u8>().expect("a small number");
    for part in line
        .split(';')
        .map(str::trim)
        .filter(|part| !part.is_empty())
    {
        let (name, value) = part.split_once('=').expect("a name and a value");
        let (name, value) = (name.trim_matches(['[', ']']), number(value));
        if let Some((t, r)) = name.split_once(":r") {
            read[usize::from(number(t))][usize::from(number(r))] = value;
        } else if let Some(at) = NAMES.iter().position(|n| *n == name) {
            memory[at] = value;
        } else {
            memory[NAMES.len() + usize::from(number(&name[1..]))] = value;
        }
    }
    (memory, read)
}
