//! Data races: compares what the reduction finds with all executions, and with the definition word by word.

use std::collections::BTreeSet;

use super::compile;
use super::dpor::{features, seeds};
use crate::*;
use base::source::Span;
use ir::{ErrorKind, MemoryOrder, StmtKind, WeakOrders};
use machine::schedule;
use options::Sought;
use semantics::{Config, Env, Machine, PathStep, Stop, Sync, Touch, What};
use testing::generate::program;
use testing::objects;
use trace::race::{Act, Cells, Detector};

/// The places of the two accesses.
type Pair = (Span, Span);

struct NoChoices;

impl Env for NoChoices {
    fn choose(&mut self, _: ir::TypeId, _: ir::ChoiceKind) -> Result<Value, String> {
        Err("a choice".into())
    }
}

use ir::Value;

/// What the tasks touch in an execution, segment by segment; which tasks may run next; and whether it fails.
type Ran = (Vec<(u32, Vec<Touch>)>, Vec<u32>, bool);

/// Runs these tasks. `None` if a step is dropped or cannot be followed, or if one before the last fails.
fn run(program: &Program, order: &[u32]) -> Option<Ran> {
    let mut machine = Machine::new(program, Config::new(program, Scheduler::Bag), NoChoices);
    machine.record_touches();
    let mut end = machine.start();
    let mut segments = vec![(1, machine.touches())];
    for &task in order {
        end.ok()?;
        machine.config.queue.take(task);
        end = machine.dispatch(task);
        segments.push((task, machine.touches()));
    }
    match end {
        Ok(_) => {
            let pending: Vec<u32> = machine.config.tasks.keys().copied().collect();
            let free = |t: &u32| !machine.blocked(*t).unwrap_or(true);
            Some((segments, pending.into_iter().filter(free).collect(), false))
        }
        Err(Stop::Error(..)) => Some((segments, Vec::new(), true)),
        Err(_) => None,
    }
}

/// What a task does in an execution.
struct Deed {
    task: u32,
    act: Act,
    /// The task that it posts; 0 for none.
    child: u32,
    /// The index of the first deed in its uninterrupted part of a step.
    run: usize,
}

/// An execution as the definition sees it.
struct Order<'c> {
    cells: &'c Cells,
    all: Vec<Deed>,
    /// By read: what comes before it because of the value that it reads.
    released: Vec<Vec<usize>>,
    /// By deed: which deeds come before it.
    before: Vec<Vec<bool>>,
}

impl<'c> Order<'c> {
    fn new(cells: &'c mut Cells, segments: &[(u32, Vec<Touch>)]) -> Self {
        let mut all: Vec<Deed> = Vec::new();
        let mut posted = 1;
        for (task, touches) in segments {
            let acts = cells.acts(touches);
            for (number, &act) in acts.iter().enumerate() {
                let on = number > 0 && acts[number - 1].learns() && act.learns();
                posted += u32::from(matches!(act, Act::Posts));
                all.push(Deed {
                    task: *task,
                    act,
                    child: if matches!(act, Act::Posts) { posted } else { 0 },
                    run: if on {
                        all[all.len() - 1].run
                    } else {
                        all.len()
                    },
                });
            }
        }
        let before = vec![vec![false; all.len()]; all.len()];
        let mut order = Self {
            cells,
            all,
            released: Vec::new(),
            before,
        };
        order.released = (0..order.all.len()).map(|k| order.heads(k)).collect();
        for j in 0..order.all.len() {
            for i in (0..j)
                .rev()
                .filter(|&i| order.directly(i, j))
                .collect::<Vec<_>>()
            {
                let past: Vec<bool> = (0..order.all.len())
                    .map(|k| k == i || order.before[i][k])
                    .collect();
                for (k, known) in past.into_iter().enumerate() {
                    order.before[j][k] |= known;
                }
            }
        }
        order
    }

    fn access(&self, i: usize) -> Option<(u32, bool, Sync)> {
        match self.all[i].act {
            Act::Access {
                cell, write, sync, ..
            } => Some((cell, write, sync)),
            _ => None,
        }
    }

    fn clash(&self, i: usize, j: usize) -> bool {
        match (self.access(i), self.access(j)) {
            (Some((a, w, _)), Some((b, v, _))) => (w || v) && self.cells.related(a).contains(&b),
            _ => false,
        }
    }

    fn is_whole(&self, i: usize) -> bool {
        self.access(i).is_some_and(|(.., sync)| sync == Sync::Whole)
    }

    fn run(&self, of: usize) -> impl Iterator<Item = usize> + '_ {
        (of..self.all.len()).take_while(move |&k| self.all[k].run == self.all[of].run)
    }

    /// What one operation does: the accesses around this one that have its number.
    fn operation(&self, i: usize) -> impl Iterator<Item = usize> + '_ {
        let own = move |&k: &usize| {
            self.all[k].task == self.all[i].task && self.all[k].act.sync() == self.all[i].act.sync()
        };
        let back = (0..i).rev().take_while(own);
        back.chain((i..self.all.len()).take_while(own))
    }

    /// The memory order of an access; none if it is plain.
    fn named(&self, i: usize) -> Option<MemoryOrder> {
        match self.access(i)?.2 {
            Sync::Plain => None,
            Sync::Whole => Some(MemoryOrder::SeqCst),
            Sync::Named(order, failed, _) => {
                let writes = self
                    .operation(i)
                    .any(|k| self.access(k).is_some_and(|(_, write, _)| write));
                Some(if writes { order } else { failed })
            }
        }
    }

    /// The last write before an access that overlaps with it.
    fn last_write(&self, i: usize) -> Option<usize> {
        let (cell, ..) = self.access(i)?;
        (0..i).rev().find(|&k| {
            self.access(k)
                .is_some_and(|(other, write, _)| write && self.cells.related(cell).contains(&other))
        })
    }

    /// What comes before an acquiring read because of the value that it reads: heads of release sequences and fences before them.
    fn heads(&self, read: usize) -> Vec<usize> {
        let (mut all, mut at) = (Vec::new(), self.last_write(read));
        let mut between: Vec<usize> = Vec::new();
        while let Some(head) = at {
            let same = self.access(head).map(|a| a.0) == self.access(read).map(|a| a.0);
            let Some(order) = self.named(head).filter(|_| same) else {
                break;
            };
            let task = self.all[head].task;
            if between
                .iter()
                .all(|&k| self.all[k].task == task || self.exchanges(k))
            {
                let fence = (0..head).rev().find(|&k| {
                    self.all[k].task == task
                        && matches!(self.all[k].act, Act::Fence(order) if order.releases())
                });
                all.extend(fence);
                all.extend(order.releases().then_some(head));
            }
            between.push(head);
            at = self.last_write(head);
        }
        all
    }

    fn exchanges(&self, write: usize) -> bool {
        let cell = self.access(write).map(|a| a.0);
        self.operation(write).take_while(|&k| k < write).any(|k| {
            self.access(k)
                .is_some_and(|(other, writes, _)| Some(other) == cell && !writes)
        })
    }

    fn directly(&self, i: usize, j: usize) -> bool {
        let (one, other) = (&self.all[i], &self.all[j]);
        if one.task == other.task || one.child == other.task {
            return true;
        }
        let by_value = |read: usize| self.released[read].contains(&i);
        let acquires = match other.act {
            Act::Access {
                write: false,
                sync: Sync::Named(..),
                ..
            } => self.named(j).is_some_and(MemoryOrder::acquires) && by_value(j),
            Act::Fence(order) if order.acquires() => (0..j).any(|k| {
                let named = self
                    .access(k)
                    .is_some_and(|(_, write, sync)| !write && matches!(sync, Sync::Named(..)));
                self.all[k].task == other.task && named && by_value(k)
            }),
            _ => false,
        };
        // An uninterrupted part of a step is one thing.
        let learned = |k: usize| {
            matches!(self.all[k].act, Act::Joins(t) if t == one.task)
                || self.is_whole(k) && self.access(k).is_some_and(|a| !a.1) && by_value(k)
                || one.act.learns()
                    && self
                        .run(i)
                        .any(|l| self.is_whole(l) && self.is_whole(k) && self.clash(l, k))
        };
        acquires || i < other.run && self.run(other.run).any(learned)
    }
}

/// All pairs that race, and those of atomic operations that are not both `seq_cst`, by the definition.
fn by_definition(cells: &mut Cells, segments: &[(u32, Vec<Touch>)]) -> [BTreeSet<Pair>; 2] {
    let order = Order::new(cells, segments);
    let mut found = [BTreeSet::new(), BTreeSet::new()];
    for j in 0..order.all.len() {
        for i in 0..j {
            let (Act::Access { span: a, .. }, Act::Access { span: b, .. }) =
                (order.all[i].act, order.all[j].act)
            else {
                continue;
            };
            if order.before[j][i] || !order.clash(i, j) {
                continue;
            }
            let pair = (a.min(b), a.max(b));
            match (order.named(i), order.named(j)) {
                (Some(MemoryOrder::SeqCst), Some(MemoryOrder::SeqCst)) => {}
                (Some(_), Some(_)) => _ = found[1].insert(pair),
                _ => _ = found[0].insert(pair),
            }
        }
    }
    found
}

struct All<'p> {
    program: &'p Program,
    cells: Cells,
    detector: Detector,
    found: [BTreeSet<Pair>; 2],
    defined: [BTreeSet<Pair>; 2],
    /// Whether a step fails or is dropped.
    cut: bool,
    left: u32,
}

impl All<'_> {
    /// Looks at every execution that begins with `order`. Returns whether there were few enough.
    fn explore(&mut self, order: &mut Vec<u32>) -> bool {
        let Some((segments, next, failed)) = run(self.program, order) else {
            self.cut = true;
            return true;
        };
        self.cut |= failed;
        if next.is_empty() {
            self.left = self.left.saturating_sub(1);
        }
        for task in next {
            order.push(task);
            let on = self.explore(order);
            order.pop();
            if !on {
                return false;
            }
        }
        self.look(&segments);
        self.left > 0
    }

    fn look(&mut self, segments: &[(u32, Vec<Touch>)]) {
        for (all, more) in self
            .defined
            .iter_mut()
            .zip(by_definition(&mut self.cells, segments))
        {
            all.extend(more);
        }
        let mut now = Vec::new();
        self.detector.begin();
        for (task, touches) in segments {
            let acts = self.cells.acts(touches);
            self.detector.segment(&self.cells, *task, &acts, &mut now);
            let pair = |r: &trace::race::Race| (r.first.span, r.second.span);
            let pairs = now.iter().map(pair);
            self.found[0].extend(pairs.map(|(a, b)| (a.min(b), a.max(b))));
            let weak = self.detector.weak.iter().map(|w| (w.first.0, w.second.0));
            self.found[1].extend(weak.map(|(a, b)| (a.min(b), a.max(b))));
        }
    }
}

/// The races that a strategy finds, if it finds all of them. Replays each.
fn reduced(program: &Program, strategy: Strategy) -> Option<[BTreeSet<Pair>; 2]> {
    let options = ExploreOptions {
        strategy,
        sought: Sought::Races,
        all: true,
        ..ExploreOptions::default()
    };
    let shared = prepare_with(program, &options, false);
    let space = crate::reduced(program, Space::new(&shared, &options), &options);
    let found = search(program, space, &options);
    assert_eq!(found.internal, None);
    for (pair, trail) in &found.races {
        let schedule = schedule::schedule(program, space, trail);
        let (_, bug) = trace::replay(program, Scheduler::Bag, &schedule).unwrap();
        let bug = bug.expect("a race");
        let span = bug.span.unwrap();
        assert_eq!(bug.kind, ErrorKind::Race);
        assert!(span == pair.0 || span == pair.1);
    }
    let weak = found.weak.iter().flatten().map(|w| (w.first.0, w.second.0));
    let weak = weak.map(|(a, b)| (a.min(b), a.max(b))).collect();
    (!found.doubtful).then(|| [found.races.keys().copied().collect(), weak])
}

fn same_races(count: u64, text: impl Fn(u64) -> String, orders: impl Fn(u64, &mut Program)) {
    let (mut compared, mut racy, mut by_states, mut beyond) = (0, 0, 0, 0);
    for seed in seeds(count) {
        let text = text(seed);
        let mut program = compile("random", &text);
        orders(seed, &mut program);
        let mut all = All {
            program: &program,
            cells: Cells::new(&program),
            detector: Detector::default(),
            found: [BTreeSet::new(), BTreeSet::new()],
            defined: [BTreeSet::new(), BTreeSet::new()],
            cut: false,
            left: 300,
        };
        if !all.explore(&mut Vec::new()) {
            continue;
        }
        for (found, defined) in all.found.iter().zip(&all.defined) {
            assert!(found.is_subset(defined), "{seed}\n{text}\n{program}");
            assert_eq!(
                found.is_empty(),
                defined.is_empty(),
                "{seed}\n{text}\n{program}"
            );
        }
        let [races, weak] = reduced(&program, Strategy::Dpor).unwrap();
        assert_eq!(
            races, all.found[0],
            "(reduced, all) {seed}\n{text}\n{program}"
        );
        // The executions here know nothing of steps that are cut.
        let unknown: Vec<&Pair> = weak.symmetric_difference(&all.found[1]).collect();
        let known = all.found[1].is_subset(&weak) && (all.cut || unknown.is_empty());
        assert!(
            known,
            "(reduced, all) {unknown:?} {seed}\n{text}\n{program}"
        );
        let none = all.found[0].is_empty();
        if let Some([found, _]) = reduced(&program, Strategy::Stateful) {
            // If values leak, nothing has to order the second of two accesses after the first, though it always comes after.
            let tells_all = WeakOrders::of(&program).leaks.is_empty();
            assert!(
                found.is_empty() || !none,
                "(states, all) {seed}\n{text}\n{program}"
            );
            if tells_all || none {
                assert_eq!(
                    found.is_empty(),
                    none,
                    "(states, all) {seed}\n{text}\n{program}"
                );
            }
            by_states += 1;
            beyond += u32::from(found.is_empty() && !none);
        }
        compared += 1;
        racy += u32::from(!none);
    }
    println!(
        "{compared} programs, {racy} of them with races; {by_states} settled by states, {beyond} wrongly for orders"
    );
    assert!(by_states * 4 > compared);
}

/// Gives the atomic statements of a program memory orders, and puts fences beside them.
fn weaken(seed: u64, program: &mut Program) {
    let mut rng = fastrand::Rng::with_seed(seed);
    let orders = match seed % 4 {
        // No value leaks.
        0 => &MemoryOrder::ALL[4..],
        _ => &MemoryOrder::ALL[..],
    };
    for proc in &mut program.procs {
        weaken_block(&mut rng, orders, &mut proc.body);
    }
}

fn weaken_block(rng: &mut fastrand::Rng, orders: &[MemoryOrder], block: &mut ir::Block) {
    for stmt in std::mem::take(block) {
        let mut stmt = stmt;
        let named = |rng: &mut fastrand::Rng| orders[rng.usize(..orders.len())];
        let fence = |rng: &mut fastrand::Rng| {
            let order = named(rng);
            StmtKind::Atomic(ir::Order::Named(order, order), ir::Block::new()).at(stmt.span)
        };
        let atomic = matches!(stmt.kind, StmtKind::Atomic(..));
        if atomic && rng.u8(..4) == 0 {
            block.push(fence(rng));
        }
        let behind = (atomic && rng.u8(..4) == 0).then(|| fence(rng));
        match &mut stmt.kind {
            StmtKind::Atomic(order, _) if rng.u8(..8) > 0 => {
                let both = named(rng);
                let failed = if rng.bool() { named(rng) } else { both };
                *order = ir::Order::Named(both, failed);
            }
            StmtKind::If(_, yes, no) => {
                weaken_block(rng, orders, yes);
                weaken_block(rng, orders, no);
            }
            StmtKind::Loop(l) => weaken_block(rng, orders, &mut l.body),
            _ => {}
        }
        block.push(stmt);
        block.extend(behind);
    }
}

/// A few tasks that pass data on by atomic variables, and may assume what they see.
fn message(seed: u64, assumes: bool) -> String {
    use std::fmt::Write as _;
    let mut rng = fastrand::Rng::with_seed(seed);
    let mut text = "preempt access;\nvar x, y, d, e: 0..3 := 0;\n".to_owned();
    let tasks = 2 + seed % 2;
    for task in 0..tasks {
        let _ = writeln!(text, "proc p{task}() {{\n  var r: 0..3 := 0;");
        for _ in 0..rng.u8(2..5 - u8::from(tasks == 3)) {
            let (at, data) = (
                rng.choice(["x", "x", "y"]).unwrap(),
                rng.choice(["d", "d", "e"]).unwrap(),
            );
            let (a, b) = (rng.u8(..3), 1 + rng.u8(..4) / 3);
            let _ = match rng.u8(..if assumes { 13 } else { 9 }) {
                0 => writeln!(text, "  atomic {{ {at} := {b}; }}"),
                1 => writeln!(text, "  atomic {{ r := {at}; }}"),
                2 => writeln!(
                    text,
                    "  atomic {{ r := {at}; if r == {a} {{ {at} := {b}; }} }}"
                ),
                3 => writeln!(text, "  atomic {{ r := {at}; {at} := {b}; }}"),
                4 => writeln!(text, "  {data} := {b};"),
                9 => writeln!(text, "  assume {data} == {b};"),
                10 => writeln!(text, "  r := {data}; assume r == {b};"),
                11 => writeln!(text, "  {data} := {b}; assume r == {a};"),
                12 => writeln!(
                    text,
                    "  atomic {{ r := {data}; assume r == {b}; {at} := {a}; }}"
                ),
                5..=7 => writeln!(text, "  if r == {b} {{ {data} := {a}; }}"),
                _ => writeln!(text, "  if r == {a} {{ r := {data}; }}"),
            };
        }
        text.push_str("}\n");
    }
    text.push_str("proc main() {\n");
    for task in 0..tasks {
        let _ = writeln!(text, "  post p{task}();");
    }
    text.push_str("}\n");
    text
}

/// An access behind one that orders tasks, in the same step, has no state directly before it.
#[test]
fn what_a_task_does_alone_is_not_late() {
    let settles = |main: &str| {
        let text = format!(
            "var go: bool := false; var d: int := 0;\n\
             proc p() {{ await go; yield; d := 2; }}\nproc main() {{ {main} }}"
        );
        reduced(&compile("late", &text), Strategy::Stateful).is_some()
    };
    let late = "await true { go := true; } d := 1;";
    // No other task has begun, or each has ended.
    assert!(settles(&format!("{late} yield; post p();")));
    let ends = "let t = post p(); yield; await true { go := true; } join t;";
    assert!(settles(&format!("{ends} {late}")));
    // Somebody may still be before an access, or the segment has made a task before.
    assert!(!settles(&format!("post p(); yield; {late}")));
    assert!(!settles(&format!("{late} post p();")));
}

#[test]
fn the_same_races() {
    same_races(40, |seed| program(seed, features(seed, false)), |_, _| {});
}

#[test]
fn the_same_races_with_memory_orders() {
    same_races(60, |seed| program(seed, features(seed, false)), weaken);
}

#[test]
fn the_same_races_of_messages() {
    same_races(400, |seed| message(seed, false), weaken);
}

/// An assumption may hold only after the other access.
#[test]
fn the_same_races_with_assumptions() {
    same_races(400, |seed| message(seed, true), |_, _| {});
}

#[test]
fn the_same_races_with_objects() {
    same_races(10, objects::program, |_, _| {});
}

/// What an expression accesses is a part of a global.
#[test]
fn accesses_are_of_parts() {
    let text = "type R = record { a: int, b: bool }; var r: [2]R := [R { a: 0, b: true }; 2]; var i: int := 0;\n\
        proc main() { r[1].a := r[i].a; r[0] := r[1]; }";
    let program = compile("parts", text);
    let (segments, ..) = run(&program, &[]).unwrap();
    let mut cells = Cells::new(&program);
    let all = segments[0].1.iter().filter_map(|t| match &t.what {
        What::Access {
            global,
            write,
            path,
            ..
        } if !matches!(path[..], [PathStep::Field(_)]) => {
            cells.acts(std::slice::from_ref(t));
            Some((global.0, path.len(), *write))
        }
        _ => None,
    });
    let all: Vec<_> = all.collect();
    // Bounds are checked, so indices are read more than once.
    let ours: Vec<_> = all.into_iter().filter(|a| a.0 == 0 && a.1 > 0).collect();
    assert_eq!(
        ours,
        [(0, 2, false), (0, 2, true), (0, 1, false), (0, 1, true)]
    );
}
