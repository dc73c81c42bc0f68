//! RC11 by its axioms (Lahav, Vafeiadis, Kang, Hur and Dreyer, PLDI 2017, Figure 1 and Definition 1), with program order and reads-from
//! acyclic. Executions are enumerated: what each read reads from, and the order of the stores of each variable.

use std::collections::BTreeSet;

use Order::{Acquire, Plain, Relaxed, Release, SeqCst};
use fastrand::Rng;
use testing::litmus::{Loc, Op, Order, Outcome, PLACES, registers};

/// Programs in the shapes in which views and `seq_cst` matter: a message that is passed on, and stores before loads.
pub fn shaped(seed: u64) -> Vec<Vec<Op>> {
    let mut rng = Rng::with_seed(seed);
    let any = |rng: &mut Rng, orders: &[Order]| orders[rng.usize(..orders.len())];
    let write =
        |rng: &mut Rng, x, v| Op::Write(Loc::Var(x), v, any(rng, &[Relaxed, Release, SeqCst]));
    let read =
        |rng: &mut Rng, r, x| Op::Read(r, Loc::Var(x), any(rng, &[Relaxed, Acquire, SeqCst]));
    let update = |rng: &mut Rng, x, v| {
        let order = any(rng, &[Relaxed, Acquire, Release, Order::AcqRel, SeqCst]);
        Op::Exchange(0, Loc::Var(x), v, order)
    };
    let fence = |rng: &mut Rng, to: &mut Vec<Op>| {
        if rng.u8(..4) == 0 {
            to.push(Op::Fence(any(rng, &[Acquire, Release, SeqCst])));
        }
    };
    let mut all = vec![Vec::new(), Vec::new()];
    if rng.bool() {
        all[0].push(Op::Write(Loc::Var(0), 1, Relaxed));
        fence(&mut rng, &mut all[0]);
        all[0].push(write(&mut rng, 1, 2));
        if rng.bool() {
            all[0].push(write(&mut rng, 1, 3));
        }
        all[1].push(match rng.u8(..3) {
            0 => update(&mut rng, 1, 4),
            _ => read(&mut rng, 0, 1),
        });
        fence(&mut rng, &mut all[1]);
        all[1].push(Op::Read(1, Loc::Var(0), Relaxed));
        if rng.u8(..3) > 0 {
            all.push(vec![update(&mut rng, 1, 5)]);
        }
        return all;
    }
    for (t, ops) in (0_u8..).zip(&mut all) {
        ops.push(match rng.u8(..4) {
            0 => update(&mut rng, t, 1),
            _ => write(&mut rng, t, 1),
        });
        fence(&mut rng, ops);
        let register = usize::from(ops[0].reads().is_some());
        ops.push(read(&mut rng, register, 1 - t));
    }
    if rng.bool() {
        let mut other = Vec::new();
        let x = rng.u8(..2);
        other.push(match rng.u8(..3) {
            0 => update(&mut rng, x, 2),
            1 => write(&mut rng, x, 2),
            _ => read(&mut rng, 0, x),
        });
        if rng.bool() {
            fence(&mut rng, &mut other);
            let register = usize::from(other[0].reads().is_some());
            other.push(read(&mut rng, register, 1 - x));
        }
        all.push(other);
    }
    all
}

/// An event. The first ones are the stores with which variables begin.
#[derive(Clone, Copy, Debug)]
struct Event {
    thread: Option<usize>,
    of: Option<usize>,
    read: Option<u8>,
    written: Option<u8>,
    order: Order,
    from: usize,
}

impl Event {
    fn fence(&self) -> bool {
        self.of.is_none()
    }
    fn sc(&self) -> bool {
        self.order == SeqCst
    }
}

type Relation = Vec<u32>;

fn none(n: usize) -> Relation {
    vec![0; n]
}
fn union(a: &Relation, b: &Relation) -> Relation {
    a.iter().zip(b).map(|(a, b)| a | b).collect()
}
fn then(a: &Relation, b: &Relation) -> Relation {
    let of = |row: &u32| {
        (0..b.len())
            .filter(|i| row >> i & 1 == 1)
            .fold(0, |all, i| all | b[i])
    };
    a.iter().map(of).collect()
}
fn maybe(a: &Relation) -> Relation {
    a.iter().enumerate().map(|(i, row)| row | 1 << i).collect()
}
fn closure(a: &Relation) -> Relation {
    let mut all = a.clone();
    for k in 0..all.len() {
        for i in 0..all.len() {
            if all[i] >> k & 1 == 1 {
                all[i] |= all[k];
            }
        }
    }
    all
}
fn inverse(a: &Relation) -> Relation {
    let mut all = none(a.len());
    for (i, row) in a.iter().enumerate() {
        (0..a.len())
            .filter(|j| row >> j & 1 == 1)
            .for_each(|j| all[j] |= 1 << i);
    }
    all
}
fn irreflexive(a: &Relation) -> bool {
    a.iter().enumerate().all(|(i, row)| row >> i & 1 == 0)
}
fn acyclic(a: &Relation) -> bool {
    irreflexive(&closure(a))
}
fn only(events: &[Event], is: impl Fn(&Event) -> bool) -> Relation {
    events
        .iter()
        .enumerate()
        .map(|(i, e)| u32::from(is(e)) << i)
        .collect()
}
fn filter(a: &Relation, is: impl Fn(usize, usize) -> bool) -> Relation {
    let row = |(i, row): (usize, &u32)| {
        (0..a.len())
            .filter(|&j| row >> j & 1 == 1 && is(i, j))
            .fold(0, |all, j| all | 1 << j)
    };
    a.iter().enumerate().map(row).collect()
}

/// What consistent executions come to.
#[derive(Default)]
pub struct Found {
    pub outcomes: BTreeSet<Outcome>,
    /// Whether two accesses race in one of them.
    pub races: bool,
}

/// All executions that are consistent.
pub fn executions(threads: &[Vec<Op>]) -> Found {
    let mut found = Found::default();
    let begin: Vec<Event> = (0..PLACES)
        .map(|x| Event {
            thread: None,
            of: Some(x),
            read: None,
            written: Some(0),
            order: Relaxed,
            from: 0,
        })
        .collect();
    let at = vec![0; threads.len()];
    execute(threads, &at, &begin, &mut found, &mut BTreeSet::new());
    found
}

/// A key that is the same for all orders of the same events: which event reads from which, named by thread and place.
fn key(threads: usize, events: &[Event]) -> Vec<Vec<(usize, usize)>> {
    let name = |e: usize| match events[e].thread {
        None => (9, e),
        Some(t) => {
            let own = events[..e].iter().filter(|o| o.thread == Some(t));
            (t, own.count())
        }
    };
    let mut key: Vec<Vec<(usize, usize)>> = vec![Vec::new(); threads];
    for event in events {
        if let Some(t) = event.thread {
            key[t].push(match event.read {
                Some(_) => name(event.from),
                None => (8, 0),
            });
        }
    }
    key
}

/// The values of the reads of a thread, in its order. Each read has a register of its own.
fn registers_of(t: usize, events: &[Event]) -> Vec<u8> {
    let own = events.iter().filter(|e| e.thread == Some(t));
    own.filter_map(|e| e.read).collect()
}

/// Where threads are after they have taken the steps that are no events.
fn behind_stops(threads: &[Vec<Op>], at: &[usize], events: &[Event]) -> Vec<usize> {
    let mut at = at.to_vec();
    for (t, ops) in threads.iter().enumerate() {
        while let Some(Op::Stop(r)) = ops.get(at[t]) {
            let mut own = events
                .iter()
                .filter(|e| e.thread == Some(t) && e.read.is_some());
            let stops = own.nth(*r).and_then(|e| e.read) == Some(0);
            at[t] = if stops { ops.len() } else { at[t] + 1 };
        }
    }
    at
}

/// Runs threads one event after the other, in an order of program order and reads-from: each read reads from an event before it.
fn execute(
    threads: &[Vec<Op>],
    at: &[usize],
    events: &[Event],
    found: &mut Found,
    seen: &mut BTreeSet<Vec<Vec<(usize, usize)>>>,
) {
    let at = behind_stops(threads, at, events);
    if !seen.insert(key(threads.len(), events)) {
        return;
    }
    let mut ended = true;
    for (t, ops) in threads.iter().enumerate() {
        let Some(&op) = ops.get(at[t]) else { continue };
        ended = false;
        let mut next = at.clone();
        next[t] += 1;
        let event = |of, read, written, order, from| Event {
            thread: Some(t),
            of,
            read,
            written,
            order,
            from,
        };
        let writes = |x: usize| {
            let of = move |(_, e): &(usize, &Event)| e.of == Some(x) && e.written.is_some();
            events
                .iter()
                .enumerate()
                .filter(of)
                .map(|(i, e)| (i, e.written.unwrap_or(0)))
        };
        let registers = registers_of(t, events);
        let options: Vec<Event> = match op {
            Op::Write(to, value, order) => {
                vec![event(
                    Some(to.slot(&registers)),
                    None,
                    Some(value),
                    order,
                    0,
                )]
            }
            Op::Fence(order) => vec![event(None, None, None, order, 0)],
            Op::Stop(_) => unreachable!("no event"),
            Op::Read(_, x, order) => writes(x.slot(&registers))
                .map(|(i, v)| event(Some(x.slot(&registers)), Some(v), None, order, i))
                .collect(),
            Op::Exchange(_, x, value, order) => writes(x.slot(&registers))
                .map(|(i, v)| event(Some(x.slot(&registers)), Some(v), Some(value), order, i))
                .collect(),
            Op::Compare(_, x, [expected, value], [order, failed]) => writes(x.slot(&registers))
                .map(|(i, v)| match v == expected {
                    true => event(Some(x.slot(&registers)), Some(v), Some(value), order, i),
                    false => event(Some(x.slot(&registers)), Some(v), None, failed, i),
                })
                .collect(),
        };
        for option in options {
            let all = [events, &[option]].concat();
            execute(threads, &next, &all, found, seen);
        }
    }
    if ended {
        orders(threads, events, found);
    }
}

/// All orders of stores.
fn orders(threads: &[Vec<Op>], events: &[Event], found: &mut Found) {
    let mut all: Vec<Vec<Vec<usize>>> = vec![vec![]];
    for x in 0..PLACES {
        let of = |i: &usize| events[*i].of == Some(x) && events[*i].written.is_some() && *i != x;
        let stores: Vec<usize> = (0..events.len()).filter(of).collect();
        let mut permuted = vec![vec![x]];
        for (done, _) in stores.iter().enumerate() {
            let mut longer = Vec::new();
            for order in &permuted {
                debug_assert_eq!(order.len(), done + 1);
                for &store in stores.iter().filter(|s| !order.contains(s)) {
                    longer.push([&order[..], &[store]].concat());
                }
            }
            permuted = longer;
        }
        let with = |own: &Vec<Vec<usize>>| {
            let own = own.clone();
            permuted
                .clone()
                .into_iter()
                .map(move |p| [own.clone(), vec![p]].concat())
        };
        all = all.iter().flat_map(with).collect();
    }
    for order in all {
        if let Some(races) = consistent(events, &order) {
            found.races |= races;
            let last = |of: &Vec<usize>| events[of[of.len() - 1]].written.unwrap_or(0);
            let read = threads.iter().enumerate().map(|(t, ops)| {
                let own = events.iter().filter(|e| e.thread == Some(t));
                let mut own: Vec<u8> = own.filter_map(|e| e.read).collect();
                own.resize(registers(ops), 0);
                own
            });
            found
                .outcomes
                .insert((order.iter().map(last).collect(), read.collect()));
        }
    }
}

/// Whether two accesses race, if the execution is consistent.
fn consistent(events: &[Event], order: &[Vec<usize>]) -> Option<bool> {
    let n = events.len();
    let (mut sb, mut rf, mut mo) = (none(n), none(n), none(n));
    for i in 0..n {
        for j in i + 1..n {
            let (a, b) = (&events[i], &events[j]);
            let before = a.thread.is_none() && b.thread.is_some();
            if before || a.thread.is_some() && a.thread == b.thread {
                sb[i] |= 1 << j;
            }
        }
        if events[i].read.is_some() {
            rf[events[i].from] |= 1 << i;
        }
    }
    for stores in order {
        for (at, &i) in stores.iter().enumerate() {
            stores[at + 1..].iter().for_each(|&j| mo[i] |= 1 << j);
        }
    }
    // An update reads from the store directly before its own.
    let mut rb = then(&inverse(&rf), &mo);
    for (i, row) in rb.iter_mut().enumerate() {
        *row &= !(1 << i);
    }
    let update = |i: usize| events[i].read.is_some() && events[i].written.is_some();
    for i in (0..n).filter(|&i| update(i)) {
        let between = |w: usize| rb[i] >> w & 1 == 1 && mo[w] >> i & 1 == 1;
        if mo[events[i].from] >> i & 1 == 0 || (0..n).any(between) {
            return None;
        }
    }
    let eco = closure(&union(&union(&rf, &mo), &rb));
    let is = |f: &dyn Fn(&Event) -> bool| only(events, f);
    let same = |i: usize, j: usize| events[i].of.is_some() && events[i].of == events[j].of;
    let write = is(&|e| e.written.is_some());
    let atomic = is(&|e| e.written.is_some() && e.order != Plain);
    let read = is(&|e| e.read.is_some() && e.order != Plain);
    // Release sequences. Updates are one event, so reads-from into an update is a step of one.
    let into_update = filter(&rf, |_, j| update(j));
    let own = union(&only(events, |_| true), &filter(&sb, same));
    let more = union(&only(events, |_| true), &closure(&into_update));
    let sequence = then(&then(&then(&write, &own), &atomic), &more);
    let fence = is(&|e| e.fence());
    let every = only(events, |_| true);
    let released = is(&|e| e.order.releases());
    let acquired = is(&|e| e.order.acquires());
    let from = then(&released, &union(&every, &then(&fence, &sb)));
    let to = then(&union(&every, &then(&sb, &fence)), &acquired);
    let sw = then(&then(&then(&then(&from, &sequence), &rf), &read), &to);
    let hb = closure(&union(&sb, &sw));
    if !irreflexive(&hb) || !irreflexive(&then(&hb, &eco)) {
        return None;
    }
    let fine = acyclic(&psc(events, (&sb, &hb), (&mo, &rb, &eco))) && acyclic(&union(&sb, &rf));
    fine.then(|| race(events, &hb))
}

/// Whether two accesses conflict of which neither happens before the other.
fn race(events: &[Event], hb: &Relation) -> bool {
    let n = events.len();
    let conflict = |i: usize, j: usize| {
        let (a, b) = (&events[i], &events[j]);
        let apart = a.thread.is_some() && b.thread.is_some() && a.thread != b.thread;
        let writes = a.written.is_some() || b.written.is_some();
        let same = a.of.is_some() && a.of == b.of;
        apart && same && writes && (a.order == Plain || b.order == Plain)
    };
    let free = |i: usize, j: usize| hb[i] >> j & 1 == 0 && hb[j] >> i & 1 == 0;
    (0..n).any(|i| (i + 1..n).any(|j| conflict(i, j) && free(i, j)))
}

/// What the order of `seq_cst` has to respect.
fn psc(
    events: &[Event],
    (sb, hb): (&Relation, &Relation),
    (mo, rb, eco): (&Relation, &Relation, &Relation),
) -> Relation {
    let is = |f: &dyn Fn(&Event) -> bool| only(events, f);
    let same = |i: usize, j: usize| events[i].of.is_some() && events[i].of == events[j].of;
    let apart = filter(sb, |i, j| !same(i, j));
    let mut scb = union(sb, &then(&then(&apart, hb), &apart));
    scb = union(&scb, &filter(hb, same));
    scb = union(&scb, &union(mo, rb));
    let sc = is(&|e| e.sc());
    let sc_fence = is(&|e| e.sc() && e.fence());
    let left = union(&sc, &then(&sc_fence, &maybe(hb)));
    let right = union(&sc, &then(&maybe(hb), &sc_fence));
    let base = then(&then(&left, &scb), &right);
    let between = union(hb, &then(&then(hb, eco), hb));
    let fences = then(&then(&sc_fence, &between), &sc_fence);
    union(&base, &fences)
}
