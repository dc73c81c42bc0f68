//! Declarations of objects from the outside: random objects, whose declarations are decided here by trying every state
//! and every argument; the use that the reduction makes of true ones; and how the commands report a false one.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::Write as _;
use std::process::{Command, Stdio};

use dbverify::answer::{Counted, Verdict};
use dbverify::check::CheckOptions;
use dbverify::diagnostic::Severity;
use dbverify::ir::Program;
use dbverify::options::{ExploreOptions, Limits, PreemptMode, Strategy};
use dbverify::symbolic::explore;
use dbverify::verify::declarations::{Proofs, prove};
use fastrand::Rng;
use serde_json::Value;

/// Numbers of the objects here are 0, 1, 2.
const VALUES: u8 = 3;

/// The state of an object: two numbers.
type State = [u8; 2];

/// `x`, `y`, the parameter, or a constant.
#[derive(Clone, Copy, Debug)]
enum Operand {
    Part(usize),
    Argument,
    Number(u8),
}

/// A statement of an operation.
#[derive(Clone, Copy, Debug)]
enum Action {
    Set(usize, Operand),
    Add(usize, Operand),
    SetIf(usize, Operand, u8),
    Check(Operand, u8),
    Assume(Operand, u8),
    Return(Operand),
}

#[derive(Clone, Debug)]
struct Operation {
    enqueue: Option<Vec<Action>>,
    guard: Option<(Operand, bool, u8)>,
    actions: Vec<Action>,
}

/// How an operation went: its result, or that it ended at that action.
type Went = Result<u8, usize>;

impl Operand {
    fn random(rng: &mut Rng) -> Self {
        match rng.u8(0..4) {
            part @ 0..=1 => Self::Part(part.into()),
            2 => Self::Argument,
            _ => Self::Number(rng.u8(0..VALUES)),
        }
    }

    fn text(self) -> String {
        match self {
            Self::Part(part) => ["x", "y"][part].to_owned(),
            Self::Argument => "n".to_owned(),
            Self::Number(n) => n.to_string(),
        }
    }

    fn value(self, state: State, argument: u8) -> u8 {
        match self {
            Self::Part(part) => state[part],
            Self::Argument => argument,
            Self::Number(n) => n,
        }
    }
}

impl Action {
    fn random(rng: &mut Rng) -> Self {
        let (part, operand) = (rng.usize(0..2), Operand::random(rng));
        match rng.u8(0..10) {
            0..=2 => Self::Set(part, operand),
            3..=6 => Self::Add(part, operand),
            7 => Self::SetIf(part, operand, rng.u8(0..VALUES)),
            8 if rng.bool() => Self::Assume(operand, rng.u8(0..VALUES)),
            8 => Self::Check(operand, rng.u8(0..VALUES)),
            _ => Self::Return(operand),
        }
    }

    fn text(self) -> String {
        let name = |part: usize| ["x", "y"][part];
        match self {
            Self::Set(part, e) => format!("{} := {};", name(part), e.text()),
            Self::Add(part, e) => {
                format!("{0} := ({0} + {1}) % {VALUES};", name(part), e.text())
            }
            Self::SetIf(part, e, n) => {
                format!("if {} == {n} {{ {} := 0; }}", e.text(), name(part))
            }
            Self::Check(e, n) => format!("assert {} != {n};", e.text()),
            Self::Assume(e, n) => format!("assume {} != {n};", e.text()),
            Self::Return(e) => format!("return {};", e.text()),
        }
    }
}

impl Operation {
    fn random(rng: &mut Rng) -> Self {
        let guard =
            (rng.u8(0..3) == 0).then(|| (Operand::random(rng), rng.bool(), rng.u8(0..VALUES)));
        let actions = (0..rng.usize(1..3)).map(|_| Action::random(rng)).collect();
        let enqueue = (rng.u8(0..5) == 0).then(|| {
            let all = (0..rng.usize(1..3)).map(|_| Action::random(rng));
            all.filter(|a| !matches!(a, Action::Return(_))).collect()
        });
        Self {
            enqueue,
            guard,
            actions,
        }
    }

    /// It can be part of a step.
    fn always(&self) -> bool {
        self.guard.is_none() && self.enqueue.is_none()
    }

    /// Its steps as operations of one step.
    fn steps(&self) -> Vec<Self> {
        let step = |guard, actions: &[Action]| Self {
            enqueue: None,
            guard,
            actions: actions.to_vec(),
        };
        let first = self.enqueue.iter().map(|actions| step(None, actions));
        first.chain([step(self.guard, &self.actions)]).collect()
    }

    fn text(&self, name: &str) -> String {
        let guard = self.guard.map_or(String::new(), |(e, equal, n)| {
            format!(
                " when {} {} {n}",
                e.text(),
                ["!=", "=="][usize::from(equal)]
            )
        });
        let all = |actions: &[Action]| actions.iter().map(|a| a.text() + " ").collect::<String>();
        let enqueue = self.enqueue.as_ref();
        let enqueue = enqueue.map_or(String::new(), |e| format!(" enqueue {{ {} }}", all(e)));
        let body = all(&self.actions);
        format!("op {name}(n: 0..2): int{enqueue}{guard} {{ {body} return 0; }}")
    }

    fn enabled(&self, state: State, argument: u8) -> bool {
        (self.guard).is_none_or(|(e, equal, n)| (e.value(state, argument) == n) == equal)
    }

    /// Runs the operation. If it does not end well, the state stays as it was.
    fn run(&self, state: &mut State, argument: u8) -> Went {
        let before = *state;
        for (at, action) in self.actions.iter().enumerate() {
            match *action {
                Action::Set(part, e) => state[part] = e.value(*state, argument),
                Action::Add(part, e) => {
                    state[part] = (state[part] + e.value(*state, argument)) % VALUES;
                }
                Action::SetIf(part, e, n) if e.value(*state, argument) == n => state[part] = 0,
                Action::SetIf(..) => {}
                Action::Check(e, n) | Action::Assume(e, n) => {
                    if e.value(*state, argument) == n {
                        *state = before;
                        return Err(at);
                    }
                }
                Action::Return(e) => return Ok(e.value(*state, argument)),
            }
        }
        Ok(0)
    }
}

/// All states with all pairs of arguments.
fn cases() -> impl Iterator<Item = (State, u8, u8)> {
    (0..81u8).map(|n| ([n % 3, n / 3 % 3], n / 9 % 3, n / 27))
}

fn exclusive(a: &Operation, b: &Operation) -> bool {
    cases().all(|(s, m, n)| !(a.enabled(s, m) && b.enabled(s, n)))
}

fn independent(a: &Operation, b: &Operation) -> bool {
    let others = b.steps();
    let commutes = |a: &Operation| others.iter().all(|b| commute(a, b));
    a.steps().iter().all(commutes)
}

fn commute(a: &Operation, b: &Operation) -> bool {
    cases().all(|(s, m, n)| {
        if !(a.enabled(s, m) && b.enabled(s, n)) {
            return true;
        }
        let (mut one, mut other) = (s, s);
        let first = a.run(&mut one, m);
        let both = b.enabled(one, n);
        let second = b.run(&mut one, n);
        let second_first = b.run(&mut other, n);
        let both = both && a.enabled(other, m);
        let first_second = a.run(&mut other, m);
        both && one == other && first == first_second && second == second_first
    })
}

/// A program with the object; nothing is declared that is false.
fn program(ops: &[Operation], declared: &[String], rng: &mut Rng) -> String {
    let mut text = "object O {\n  var x, y: 0..2 := 0;\n".to_owned();
    for (number, op) in ops.iter().enumerate() {
        let _ = writeln!(text, "  {}", op.text(&format!("f{number}")));
    }
    for one in declared {
        let _ = writeln!(text, "  {one}");
    }
    text.push_str("}\nvar o: O; var g: int := 0;\n");
    let mut posts = String::new();
    for task in 0..rng.usize(2..5) {
        let _ = write!(text, "proc t{task}() {{ var r: int := 0; ");
        for _ in 0..rng.usize(1..3) {
            let (op, n) = (rng.usize(0..ops.len()), rng.u8(0..VALUES));
            let _ = match rng.u8(0..6) {
                0 => write!(text, "g := g + 1; "),
                1 => write!(text, "r := o.f{op}({n}); g := g + r; "),
                2 if ops[op].always() => write!(text, "atomic {{ o.f{op}({n}); }} "),
                _ => write!(text, "o.f{op}({n}); "),
            };
        }
        text.push_str("}\n");
        let _ = write!(posts, "post t{task}(); ");
    }
    let preempt = ["", "preempt access;\n"][rng.usize(0..2)];
    // The final state of the object shows.
    let last = ops.iter().position(Operation::always);
    let last = last.map_or(String::new(), |op| {
        format!("finally {{ let r = o.f{op}(0); g := 9 * g + r; }}")
    });
    format!("{preempt}{text}proc main() {{ {posts}}}\n{last}\n")
}

fn compile(text: &str) -> (Program, Proofs) {
    let compiled = dbverify::compile("test.async", text, &CheckOptions::default());
    let mut program =
        (compiled.program).unwrap_or_else(|| panic!("{:?}\n{text}", compiled.diagnostics));
    let proofs = prove(&mut program, &compiled.sources, &Limits::default());
    (program, proofs)
}

/// The seeds of the random objects looked at: 150 from 0 on, or as many as `OBJECTS` says.
fn seeds() -> std::ops::Range<u64> {
    let wanted = std::env::var("OBJECTS").ok();
    0..wanted.and_then(|n| n.parse().ok()).unwrap_or(150)
}

#[test]
fn random_declarations_are_decided_as_trying_every_state_does() {
    let mut counts = [0; 4];
    for seed in seeds() {
        let mut rng = Rng::with_seed(seed);
        let (a, b) = (Operation::random(&mut rng), Operation::random(&mut rng));
        for (number, (kind, expected)) in [
            ("independent", independent(&a, &b)),
            ("exclusive", exclusive(&a, &b)),
        ]
        .into_iter()
        .enumerate()
        {
            let (f, g) = (a.text("f"), b.text("g"));
            let text = format!(
                "object O {{ var x, y: 0..2 := 0; {f} {g} {kind} f, g; }} var o: O; proc main() {{}}"
            );
            let (program, proofs) = compile(&text);
            assert!(proofs.unproved.is_empty(), "{:?} {text}", proofs.unproved);
            let proved = program.declared[0].proved;
            assert_eq!(proved, expected, "{seed}: {text} {:?}", proofs.refuted);
            assert_eq!(proofs.refuted.len(), usize::from(!proved), "{text}");
            counts[number * 2 + usize::from(proved)] += 1;
        }
    }
    assert!(counts.iter().all(|n| *n > 5), "{counts:?}");
}

/// Verdict, final states and errors.
fn finds(program: &Program, strategy: Strategy) -> (impl PartialEq + std::fmt::Debug + use<>, u64) {
    let options = ExploreOptions {
        strategy,
        all: true,
        finals: true,
        ..ExploreOptions::default()
    };
    let answer = explore(program, &options);
    assert_ne!(
        strategy == Strategy::Dpor,
        answer.count(Counted::Blocked) != Some(0)
    );
    let errors = answer.bugs.iter().map(|b| (b.kind, b.span));
    let errors: BTreeSet<_> = errors.collect();
    let executions = answer.count(Counted::Executions).unwrap_or(0);
    ((answer.verdict, answer.finals, errors), executions)
}

#[test]
fn proved_declarations_change_no_answer() {
    let (mut fewer, mut more) = (0, 0);
    for seed in seeds() {
        let mut rng = Rng::with_seed(seed);
        let ops: Vec<Operation> = (0..3).map(|_| Operation::random(&mut rng)).collect();
        let mut declared = Vec::new();
        for i in 0..3 {
            for j in i..3 {
                if independent(&ops[i], &ops[j]) {
                    declared.push(format!("independent f{i}, f{j};"));
                }
            }
        }
        let text = program(&ops, &declared, &mut rng);
        let (mut program, proofs) = compile(&text);
        assert_eq!(proofs.refuted, [], "{text}");
        let (reduced, with) = finds(&program, Strategy::Dpor);
        let (all, _) = finds(&program, Strategy::Stateful);
        assert_eq!(reduced, all, "(reduced, all states) {seed}\n{text}");
        program.declared.clear();
        let (_, without) = finds(&program, Strategy::Dpor);
        assert!(with <= without, "{with} > {without} {text}");
        fewer += usize::from(with < without);
        more += usize::from(!declared.is_empty());
    }
    assert!(fewer > 10, "{fewer} of {more}");
}

/// The output of a command about a text on its standard input, and its exit status.
fn ask(command: &[&str], text: &str) -> (String, Option<i32>) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_dbverify"))
        .args(command)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(text.as_bytes()).unwrap();
    drop(input);
    let output = child.wait_with_output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned()
        + &String::from_utf8_lossy(&output.stderr);
    (said, output.status.code())
}

const FALSE: &str = "object Pool {
  var free: 0..4 := 4;
  op take(n: 1..2) when free >= n { free := free - n; }
  op give(n: 1..2) when free + n <= 4 { free := free + n; }
  independent take(m), give(n) when m == n;
  independent take, take;
}
var p: Pool;
proc main() { p.take(1); p.give(1); }
";

/// The points that a mode adds do not respect interrupt levels, so the two cannot be combined.
#[test]
fn interrupt_levels_go_with_no_mode() {
    let text = "use sync; object Machine { var cpu: Processor; op at() {} } var one: Machine; var two: [2]Processor; proc main() { one.at(); }";
    let codes = |text: &str, preempt| {
        let compiled = dbverify::compile("test", text, &CheckOptions { preempt });
        let codes = compiled
            .diagnostics
            .iter()
            .filter(|d| d.severity == Severity::Error);
        codes.map(|d| d.code.to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(codes(text, None), [""; 0]);
    let refused = ["processor-mode"; 2];
    assert_eq!(codes(&format!("preempt statement; {text}"), None), refused);
    assert_eq!(codes(&format!("preempt access; {text}"), None), refused);
    assert_eq!(codes(text, Some(PreemptMode::Statement)), refused);
    let own = "preempt statement; object Processor { op enter() {} } var cpu: Processor; proc main() { cpu.enter(); }";
    assert_eq!(codes(own, None), [""; 0]);
}

#[test]
fn every_command_refuses_a_false_declaration() {
    for (command, status) in [
        (&["-"][..], 1),
        (&["explore", "-"], 1),
        (&["explore", "-", "--strategy", "dpor", "--races"], 1),
        (&["explore", "-", "--fair"], 1),
        (&["explore", "-", "--divergence"], 1),
        (&["-", "--engine", "explicit"], 1),
        (&["check", "-"], 2),
        (&["-", "--emit-seq"], 2),
        (&["-", "--emit-boogie"], 2),
    ] {
        let (said, found) = ask(command, FALSE);
        assert_eq!(found, Some(status), "{command:?}: {said}");
        assert!(
            said.contains("`take` and `take` are not independent"),
            "{command:?}: {said}"
        );
        assert!(said.contains(":6:3"), "{command:?}: {said}");
    }
}

#[test]
fn a_false_declaration_for_people() {
    let (said, _) = ask(&["explore", "-"], FALSE);
    let lines: Vec<&str> = said.lines().filter(|l| !l.contains("seconds")).collect();
    insta::assert_snapshot!(lines.join("\n"));
    let (said, _) = ask(&["check", "-"], FALSE);
    insta::assert_snapshot!(said);
}

#[test]
fn a_false_declaration_for_programs() {
    let (said, _) = ask(&["explore", "-", "--format", "json"], FALSE);
    let answer: Value = serde_json::from_str(&said).unwrap();
    assert_eq!(answer["verdict"], "bug");
    assert_eq!(answer["error"]["kind"], "object");
    assert_eq!(answer["error"]["line"], 6);
    assert!(answer["trace"].as_array().is_some_and(|t| t.len() > 3));
}

#[test]
fn a_trace_of_a_false_declaration_is_found_again() {
    let folder = tempfile::tempdir().unwrap();
    let (program, trace) = (folder.path().join("p.async"), folder.path().join("t.json"));
    std::fs::write(&program, FALSE).unwrap();
    let (program, trace) = (program.to_str().unwrap(), trace.to_str().unwrap());
    let (_, status) = ask(&["explore", program, "--trace-out", trace], "");
    assert_eq!(status, Some(1));
    let (said, status) = ask(&["replay", program, trace], "");
    assert_eq!(status, Some(1), "{said}");
    assert!(said.contains("are not independent"), "{said}");
}

#[test]
fn what_is_not_proved_is_said_and_not_used() {
    let text = "object O { var n: int := 0;
        op add(k: int) { for i in 1..k { n := n + 1; } }
        independent add, add; }
        var o: O; proc add(k: int) { o.add(k); } proc main() { post add(1); post add(2); }";
    let (said, status) = ask(&["explore", "-", "--strategy", "dpor"], text);
    assert_eq!(status, Some(0), "{said}");
    assert!(
        said.contains("could not be proved and is not used: the loop at line 2"),
        "{said}"
    );
    assert!(said.contains("2 executions"), "{said}");
    let (said, status) = ask(&["check", "-"], text);
    assert_eq!(status, Some(0), "{said}");
    assert!(said.contains("warning"), "{said}");
}

/// `n` tasks that add to a sum; executions of the reduction.
fn adders(n: usize, between: &str, declared: &str) -> u64 {
    let text = format!(
        "object Sum {{ var sum: int := 0; op add(n: int) {{ sum := sum + n; }} op get(): int {{ return sum; }} {declared} }}
         var s: Sum; var seen: int := 0;
         proc add(n: int) {{ s.add(n); {between} }}
         proc main() {{ for i in 1..{n} {{ post add(i); }} }}"
    );
    let (program, proofs) = compile(&text);
    assert_eq!(proofs.refuted, []);
    let options = ExploreOptions {
        strategy: Strategy::Dpor,
        ..ExploreOptions::default()
    };
    let answer = explore(&program, &options);
    assert_eq!(answer.verdict, Verdict::Safe);
    answer.count(Counted::Executions).unwrap()
}

#[test]
fn operations_that_commute_make_one_trace() {
    assert_eq!(adders(5, "", ""), 120);
    assert_eq!(adders(5, "", "independent add, add;"), 1);
    // With a condition, the declaration depends on the arguments, and the reduction does not use it.
    assert_eq!(
        adders(5, "", "independent add(i), add(j) when i != j;"),
        120
    );
    // A read behind the operation, in the same step.
    let read = "var r: int; atomic { r := s.get(); } seen := r;";
    assert_eq!(adders(4, read, "independent add, add;"), 24);
}

/// The programs of the page compile.
#[test]
fn the_page_is_true() {
    let page = include_str!("../../docs/objects.md");
    let blocks = page.split("```async\n").skip(1);
    let programs: Vec<&str> = blocks.filter_map(|b| b.split("```").next()).collect();
    assert!(!programs.is_empty());
    for text in programs {
        let (program, proofs) = compile(text);
        assert!(proofs.refuted.is_empty() && proofs.unproved.is_empty());
        let answer = explore(&program, &ExploreOptions::default());
        assert_eq!(answer.verdict, Verdict::Safe, "{text}");
    }
}

/// A program of `bench/objects/`, with a text replaced: executions of the reduction.
fn traces(name: &str, old: &str, new: &str) -> u64 {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/bench/objects");
    let text = std::fs::read_to_string(format!("{folder}/{name}.async")).unwrap();
    assert!(text.contains(old), "{name}: {old}");
    let (program, proofs) = compile(&text.replace(old, new));
    assert_eq!(proofs.refuted, []);
    let options = ExploreOptions {
        strategy: Strategy::Dpor,
        ..ExploreOptions::default()
    };
    let answer = explore(&program, &options);
    assert_eq!(answer.verdict, Verdict::Safe);
    answer.count(Counted::Executions).unwrap()
}

#[test]
fn locks_as_objects_have_far_fewer_executions_than_on_a_condition_variable() {
    for (lock, preference, cond) in [
        (": RwLock", "Nobody", 98),
        (": ReaderRwLock", "Readers", 98),
        (": WriterRwLock", "Writers", 96),
    ] {
        assert_eq!(traces("readers_writers", ": RwLock", lock), 4);
        let prefer = format!("PREFER := {preference}");
        assert_eq!(
            traces("readers_writers_cond", "PREFER := Nobody", &prefer),
            cond
        );
    }
    assert_eq!(traces("two_writers", "READERS := 1", "READERS := 1"), 6);
}

#[test]
fn policies_of_semaphores() {
    for (semaphore, executions) in [("", 6), ("Fifo", 34), ("Lifo", 34)] {
        let new = format!("]{semaphore}Semaphore");
        assert_eq!(
            traces("philosophers_semaphore", "]Semaphore", &new),
            executions
        );
    }
}

/// An operation that names another object of its kind: a claim about the one object is no claim about the other.
#[test]
fn operations_that_name_objects() {
    let text = "object O {
           var n: int := 0;
           op add() { n := n + 1; }
           op set() { n := 5; }
           op get(): int { return n; }
           op both() { p.set(); }
           independent add, both;
         }
         var o, p: O; var seen: int := 0;
         proc a() { p.add(); } proc b() { p.both(); }
         proc main() { post a(); post b(); }
         finally { seen := p.get(); }";
    let (program, _) = compile(text);
    let (reduced, _) = finds(&program, Strategy::Dpor);
    let (all, _) = finds(&program, Strategy::Stateful);
    assert_eq!(reduced, all);
    let text = "var z: int := 0;
         object O { var n: int := 0; var m: int := 0;
           op init(k: int) { n := k; }
           op f() { if n == 0 { z.add(); } else { z.set(); } }
           independent f, f; }
         object Z { var v: int := 0; op add() { v := v + 1; } op set() { v := 5; } op get(): int { return v; }
           independent add, add; }
         var o: [2]O; var z: Z; var seen: int := 0;
         proc a(i: int) { o[i].f(); }
         proc main() { o[1].init(1); post a(0); post a(1); }
         finally { seen := z.get(); }"
        .replacen("var z: int := 0;", "", 1);
    let (program, proofs) = compile(&text);
    assert_eq!(proofs.unproved.len(), 1);
    let (reduced, _) = finds(&program, Strategy::Dpor);
    let (all, _) = finds(&program, Strategy::Stateful);
    assert_eq!(reduced, all);
}
