//! RC11 by its axioms (Lahav, Vafeiadis, Kang, Hur and Dreyer, PLDI 2017, Figure 1 and Definition 1), with program order and reads-from
//! acyclic. Executions are enumerated: what each read reads from, and the order of the stores of each variable.

use std::collections::BTreeSet;

use MemoryOrder::{AcqRel, Acquire, Relaxed, Release, SeqCst};
use fastrand::Rng;
use ir::MemoryOrder;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    Write(usize, u8, MemoryOrder),
    Read(usize, MemoryOrder),
    Exchange(usize, u8, MemoryOrder),
    /// Where, what is expected, what is written then, the orders.
    Compare(usize, u8, u8, MemoryOrder, MemoryOrder),
    Fence(MemoryOrder),
}

impl Op {
    pub fn reads(self) -> bool {
        matches!(
            self,
            Self::Read(..) | Self::Exchange(..) | Self::Compare(..)
        )
    }
}

/// Final values, and what the threads have read.
pub type Outcome = (Vec<u8>, Vec<Vec<u8>>);

pub fn random(seed: u64) -> Vec<Vec<Op>> {
    let mut rng = Rng::with_seed(seed);
    let count = rng.usize(2..4);
    let variables = rng.usize(1..4);
    let most = if count == 3 { 3 } else { 5 };
    // Many programs are of one kind: then more can be said of them.
    let kind = rng.u8(..6);
    let mut value = 0;
    let mut one = |rng: &mut Rng| {
        let x = rng.usize(..variables);
        let any = |rng: &mut Rng, orders: &[MemoryOrder]| orders[rng.usize(..orders.len())];
        value += 1;
        let writes: &[MemoryOrder] = match kind {
            0 | 1 => &[Relaxed, Relaxed, Release],
            2 => &[Release, SeqCst],
            3 => &[Relaxed],
            _ => &[Relaxed, Release, SeqCst],
        };
        let reads: &[MemoryOrder] = match kind {
            0 | 1 => &[Relaxed, Relaxed, Acquire],
            2 => &[Acquire, SeqCst],
            3 => &[Relaxed],
            _ => &[Relaxed, Acquire, SeqCst],
        };
        let updates: &[MemoryOrder] = match kind {
            0 | 1 => &[Relaxed, Acquire, Release, AcqRel],
            2 => &[AcqRel, SeqCst],
            3 => &[Relaxed],
            _ => &[Relaxed, Acquire, Release, AcqRel, SeqCst],
        };
        let fences: &[MemoryOrder] = match kind {
            0 => &[Acquire, Release],
            3 => &[SeqCst],
            _ => &[Acquire, Release, AcqRel, SeqCst],
        };
        match rng.u8(..16) {
            0..=4 => Op::Write(x, value, any(rng, writes)),
            5..=9 => Op::Read(x, any(rng, reads)),
            10 | 11 => Op::Exchange(x, value, any(rng, updates)),
            12 => {
                let order = any(rng, updates);
                let failed = match order {
                    Release | Relaxed => Relaxed,
                    AcqRel => [Relaxed, Acquire][rng.usize(..2)],
                    SeqCst => [Relaxed, SeqCst][rng.usize(..2)],
                    other => other,
                };
                Op::Compare(x, rng.u8(..3), value, order, failed)
            }
            _ => Op::Fence(any(rng, fences)),
        }
    };
    (0..count)
        .map(|_| (0..rng.usize(1..=most)).map(|_| one(&mut rng)).collect())
        .collect()
}

/// Programs in the shapes in which views and `seq_cst` matter: a message that is passed on, and stores before loads.
pub fn shaped(seed: u64) -> Vec<Vec<Op>> {
    let mut rng = Rng::with_seed(seed);
    let any = |rng: &mut Rng, orders: &[MemoryOrder]| orders[rng.usize(..orders.len())];
    let write = |rng: &mut Rng, x, v| Op::Write(x, v, any(rng, &[Relaxed, Release, SeqCst]));
    let read = |rng: &mut Rng, x| Op::Read(x, any(rng, &[Relaxed, Acquire, SeqCst]));
    let update = |rng: &mut Rng, x, v| {
        Op::Exchange(x, v, any(rng, &[Relaxed, Acquire, Release, AcqRel, SeqCst]))
    };
    let fence = |rng: &mut Rng, to: &mut Vec<Op>| {
        if rng.u8(..4) == 0 {
            to.push(Op::Fence(any(rng, &[Acquire, Release, SeqCst])));
        }
    };
    let mut all = vec![Vec::new(), Vec::new()];
    if rng.bool() {
        all[0].push(Op::Write(0, 1, Relaxed));
        fence(&mut rng, &mut all[0]);
        all[0].push(write(&mut rng, 1, 2));
        if rng.bool() {
            all[0].push(write(&mut rng, 1, 3));
        }
        all[1].push(match rng.u8(..3) {
            0 => update(&mut rng, 1, 4),
            _ => read(&mut rng, 1),
        });
        fence(&mut rng, &mut all[1]);
        all[1].push(Op::Read(0, Relaxed));
        if rng.u8(..3) > 0 {
            all.push(vec![update(&mut rng, 1, 5)]);
        }
        return all;
    }
    for (t, ops) in all.iter_mut().enumerate() {
        ops.push(match rng.u8(..4) {
            0 => update(&mut rng, t, 1),
            _ => write(&mut rng, t, 1),
        });
        fence(&mut rng, ops);
        ops.push(read(&mut rng, 1 - t));
    }
    if rng.bool() {
        let mut other = Vec::new();
        let x = rng.usize(..2);
        other.push(match rng.u8(..3) {
            0 => update(&mut rng, x, 2),
            1 => write(&mut rng, x, 2),
            _ => read(&mut rng, x),
        });
        if rng.bool() {
            fence(&mut rng, &mut other);
            other.push(read(&mut rng, 1 - x));
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
    order: MemoryOrder,
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

/// All outcomes of executions that are consistent.
pub fn outcomes(threads: &[Vec<Op>]) -> BTreeSet<Outcome> {
    let mut found = BTreeSet::new();
    let begin: Vec<Event> = (0..3)
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

/// The same events in another order are the same execution: who reads from whom, named by thread and place.
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

/// Runs threads one event after the other, in an order of program order and reads-from: each read reads from an event before it.
fn execute(
    threads: &[Vec<Op>],
    at: &[usize],
    events: &[Event],
    found: &mut BTreeSet<Outcome>,
    seen: &mut BTreeSet<Vec<Vec<(usize, usize)>>>,
) {
    let key = key(threads.len(), events);
    if !seen.insert(key) {
        return;
    }
    let mut ended = true;
    for (t, ops) in threads.iter().enumerate() {
        let Some(&op) = ops.get(at[t]) else { continue };
        ended = false;
        let mut next = at.to_vec();
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
        let options: Vec<Event> = match op {
            Op::Write(x, value, order) => vec![event(Some(x), None, Some(value), order, 0)],
            Op::Fence(order) => vec![event(None, None, None, order, 0)],
            Op::Read(x, order) => writes(x)
                .map(|(i, v)| event(Some(x), Some(v), None, order, i))
                .collect(),
            Op::Exchange(x, value, order) => writes(x)
                .map(|(i, v)| event(Some(x), Some(v), Some(value), order, i))
                .collect(),
            Op::Compare(x, expected, value, order, failed) => writes(x)
                .map(|(i, v)| match v == expected {
                    true => event(Some(x), Some(v), Some(value), order, i),
                    false => event(Some(x), Some(v), None, failed, i),
                })
                .collect(),
        };
        for option in options {
            let all = [events, &[option]].concat();
            execute(threads, &next, &all, found, seen);
        }
    }
    if ended {
        orders(threads.len(), events, found);
    }
}

/// All orders of stores.
fn orders(threads: usize, events: &[Event], found: &mut BTreeSet<Outcome>) {
    let mut all: Vec<Vec<Vec<usize>>> = vec![vec![]];
    for x in 0..3 {
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
        if consistent(events, &order) {
            let last = |of: &Vec<usize>| events[of[of.len() - 1]].written.unwrap_or(0);
            let read = (0..threads).map(|t| {
                let own = events.iter().filter(|e| e.thread == Some(t));
                own.filter_map(|e| e.read).collect()
            });
            found.insert((order.iter().map(last).collect(), read.collect()));
        }
    }
}

fn consistent(events: &[Event], order: &[Vec<usize>]) -> bool {
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
            return false;
        }
    }
    let eco = closure(&union(&union(&rf, &mo), &rb));
    let is = |f: &dyn Fn(&Event) -> bool| only(events, f);
    let same = |i: usize, j: usize| events[i].of.is_some() && events[i].of == events[j].of;
    let write = is(&|e| e.written.is_some());
    let atomic = is(&|e| e.written.is_some());
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
    let sw = then(&then(&then(&from, &sequence), &rf), &to);
    let hb = closure(&union(&sb, &sw));
    if !irreflexive(&hb) || !irreflexive(&then(&hb, &eco)) {
        return false;
    }
    acyclic(&psc(events, (&sb, &hb), (&mo, &rb, &eco))) && acyclic(&union(&sb, &rf))
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
