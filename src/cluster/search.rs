//! The search, level by level.
//!
//! A worker expands its states of a level in rounds, and meanwhile sends the states that others own. At the end of a round all
//! workers wait for each other, so that none is flooded. When no worker has states of the level left, each tells what it
//! found, and all come to the same conclusions.

use std::collections::BTreeMap;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};

use base::source::Span;
use base::work;
use ir::{ErrorKind, Program};
use options::ExploreOptions;

use super::checkpoint::{Checkpoint, Kept};
use super::levels::Levels;
use super::link::Link;
use super::own::{Own, owner, owner_of};
use super::share::{Fault, Share, Stop, Totals};
use super::wire::Writer;
use super::{Broken, Keeping, Question, sample, unreadable};
use explore::strategy::{Batch, NEAR, Output, Worker, executions};
use machine::found::{Counts, Found, Limit};
use machine::limits::Progress;
use machine::space::{Space, Step};
use machine::{Memo, Why};

/// How many states a worker expands before it looks at what has come.
const CHUNK: usize = 512;
/// How many chunks a round has at most.
const ROUND: usize = 256;
/// How long a round lasts at most, so that a worker that wants to stop is heard soon.
const LONGEST: Duration = Duration::from_secs(1);
/// How many recent keys a worker remembers, as a power of two, if it sends states to others. Sending a state costs more than
/// a look into memory.
const FAR: u32 = 20;
/// How many bytes the memo of the sample has.
const SAMPLE: usize = 1 << 24;
/// After how many chunks a worker checks its memory.
const LOOK: usize = 8;

/// What a worker says at the end of a round.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Word {
    /// Whether the worker has states of the level left.
    left: bool,
    stop: Option<Stop>,
}

/// A worker of the search.
pub(super) struct Member<'m, 's> {
    pub space: Space<'s>,
    pub options: &'m ExploreOptions,
    pub link: &'m mut Link,
    pub worker: Worker<'s>,
    batch: Batch,
    pub own: Own<'s>,
    writers: Vec<Writer>,
    /// The keys of this worker's states, by their distance.
    pub levels: Levels,
    /// What all workers together have found, up to the last level.
    pub totals: Totals,
    /// By landmark: whether this worker has told the others that an execution reached it.
    told: Vec<bool>,
    pub finals: FxHashSet<Box<[u32]>>,
    /// The failures that all workers know, by kind and place.
    pub bugs: BTreeMap<(ErrorKind, Span), Kept>,
    pub checkpoint: Option<Checkpoint>,
    /// The bytes of stored states and the bytes of memory, summed over all workers.
    held: (u64, u64),
    pub stop: Option<(usize, Stop)>,
    /// Whether a failure was found, and no time to find its trace.
    untraced: bool,
}

/// Searches a program's states with all workers. In the end only the first worker knows everything that was found.
///
/// # Errors
/// When the processes cannot do this together.
pub fn search(
    program: &Program,
    space: Space<'_>,
    options: &ExploreOptions,
    link: &mut Link,
    (keeping, question): (&Keeping, &Question),
) -> Result<Found, Broken> {
    let mut member = Member::new(program, space, options, link);
    let done = member.run(keeping, question);
    let broken = match done {
        Err(broken) => {
            member.link.peers.give_up(&broken);
            if matches!(broken, Broken::Different(_)) {
                return Err(broken);
            }
            Some(broken)
        }
        Ok(()) => None,
    };
    if broken.is_none() && member.totals.unlike {
        // The stored states are worth nothing, and neither is a checkpoint with such states.
        drop(member);
        space.shared.forget_reached();
        // The workers of a process share what they have reached: all forget it before one begins.
        link.agree((), |_, _| Err(unreadable("a process")))?;
        let keeping = Keeping {
            resume: None,
            ..keeping.clone()
        };
        let space = space.with_all_numbers();
        return search(program, space, options, link, (&keeping, question));
    }
    let mut found = member.into_found(broken, keeping);
    if let Some(symmetry) = space.symmetry {
        symmetry.close(space.shared, &mut found.finals);
    }
    Ok(found)
}

impl<'m, 's> Member<'m, 's> {
    fn new(
        program: &Program,
        space: Space<'s>,
        options: &'m ExploreOptions,
        link: &'m mut Link,
    ) -> Self {
        let room = usize::try_from(options.limits.memory / 8).unwrap_or(usize::MAX);
        let memo = Memo::new(space.shared, room / link.jobs);
        let recent = if link.size > 1 { FAR } else { NEAR };
        Self {
            space,
            options,
            worker: Worker::new(space, memo, options.finals, recent),
            batch: Batch::default(),
            own: Own::new(program, space, link.size),
            writers: (0..link.size)
                .map(|worker| Writer::new(link.is_near(worker)))
                .collect(),
            link,
            levels: Levels::default(),
            totals: Totals::default(),
            told: vec![false; space.shared.reached.len()],
            finals: FxHashSet::default(),
            bugs: BTreeMap::new(),
            checkpoint: None,
            held: (0, 0),
            stop: None,
            untraced: false,
        }
    }

    fn run(&mut self, keeping: &Keeping, question: &Question) -> Result<(), Broken> {
        if !self.own.names.are_known() {
            return Err(Broken::Different(
                "--cluster and --checkpoint cannot send what a task of this program holds while it rests".to_owned(),
            ));
        }
        if let Some(dir) = &keeping.checkpoint {
            let checkpoint = Checkpoint::new(dir, question, self.link);
            self.checkpoint = Some(checkpoint?);
        }
        self.choose()?;
        let mut progress = Progress::new(self.options.progress && self.link.me == 0);
        let mut goes_on = match &keeping.resume {
            Some(dir) => {
                self.resume(dir, question)?;
                true
            }
            None => self.begin()?,
        };
        while goes_on {
            let share = self.expand(&mut progress)?;
            goes_on = self.conclude(share)?;
        }
        self.collect_finals()
    }

    /// Lets the first worker choose the leaves that decide who owns a state.
    fn choose(&mut self) -> Result<(), Broken> {
        if self.link.size == 1 {
            return Ok(());
        }
        let mut chosen = Vec::new();
        if self.link.me == 0 {
            let (space, max_steps) = (self.space, self.options.max_steps);
            // A separate worker, dropped afterwards: the search has not seen the states of the sample.
            let mut worker = Worker::new(space, Memo::new(space.shared, SAMPLE), false, 0);
            chosen = sample::choose(&mut worker, max_steps, self.link.size);
            self.space.shared.forget_reached();
        }
        let all = (self.link).agree(chosen, |_, _| Err(unreadable("a process")))?;
        self.own.names.chosen = all.into_iter().next().unwrap_or_default();
        Ok(())
    }

    /// Begins with the states after the first segment: every worker finds all of them, and keeps its own.
    fn begin(&mut self) -> Result<bool, Broken> {
        let mut output = Output::default();
        let mut rows: Vec<Box<[u32]>> = Vec::new();
        (self.worker.expander).begin(&mut output, |_: Step, row: &[u32], _: Option<&[u32]>| {
            rows.push(row.into());
        });
        for row in rows {
            if self.own.owner(&row, self.link.size) == self.link.me {
                self.own.put(&row);
            }
        }
        self.own.add();
        let halted = (output.refusal).is_some_and(|refusal| refusal.why == Why::Halted);
        let stop = halted.then(|| self.wants_to_stop(true)).flatten();
        let mut share = Share::default();
        if self.link.me == 0 {
            share.found.take(&output);
            let faults = output.failures.iter().map(|&(_, failure)| Fault {
                failure,
                hash: None,
            });
            share.faults = faults.collect();
        }
        let share = self.complete(share, stop);
        self.conclude(share)
    }

    /// Expands this worker's states of the last level, in rounds with all others.
    fn expand(&mut self, progress: &mut Progress) -> Result<Share, Broken> {
        let level = self.levels.take();
        let mut faults = BTreeMap::new();
        let mut share = Share::default();
        let (mut chunks, mut stop) = (level.chunks(CHUNK), None);
        loop {
            let begin = Instant::now();
            for number in 0..ROUND {
                if stop.is_some() || begin.elapsed() > LONGEST {
                    break;
                }
                let Some(chunk) = chunks.next() else {
                    break;
                };
                self.expand_chunk(chunk, &mut share.found, &mut faults);
                let own = &mut self.own;
                self.link.poll(|peer, rows| own.receive(peer, rows))?;
                stop = self.wants_to_stop(number % LOOK == 0);
                let states = self.totals.states + (self.own.next.len() * self.link.size) as u64;
                progress.show(states, "states", || self.status());
            }
            self.flush();
            let left = chunks.len() > 0;
            let own = &mut self.own;
            let words = self
                .link
                .agree(Word { left, stop }, |peer, rows| own.receive(peer, rows))?;
            let stops = words.iter().any(|word| word.stop.is_some());
            if stops || !words.iter().any(|word| word.left) {
                break;
            }
        }
        share.faults = faults.into_values().collect();
        self.levels.put(level);
        Ok(self.complete(share, stop))
    }

    /// Expands some states. Keeps the least failure of each kind and place in `faults`.
    fn expand_chunk(
        &mut self,
        chunk: &[u64],
        found: &mut Totals,
        faults: &mut BTreeMap<(ErrorKind, Span), Fault>,
    ) {
        let depth = (self.levels.len() - 1) as u64;
        let steps = (depth, self.options.max_steps);
        self.batch.clear(1);
        for (number, &key) in (0..).zip(chunk) {
            self.expand_state(number, key, steps);
        }
        self.worker.divide(0, &mut self.batch);
        self.divide(chunk);
        let (output, shared) = (&mut self.batch.output, self.space.shared);
        for &(number, failure) in &output.failures {
            let (own, mut row) = (&mut self.own, Vec::new());
            let key = chunk[number as usize];
            own.store.load(key, &mut row, &mut own.fold);
            let hash = Some(own.names.hash(&row));
            let fault = Fault { failure, hash };
            let known = faults.entry(fault.error(shared)).or_insert(fault);
            if fault.rank(shared) < known.rank(shared) {
                *known = fault;
            }
        }
        self.finals.extend(output.finals.drain(..));
        found.take(output);
    }

    /// Expands a state: by its key alone if all of its steps are known.
    fn expand_state(&mut self, number: u32, key: u64, steps: (u64, u64)) {
        let Own {
            names,
            store,
            fold,
            row,
            ..
        } = &mut self.own;
        let mut reader = store.reader();
        let (worker, batch) = (&mut self.worker, &mut self.batch);
        if !worker.expand_key(key, (number, steps), &mut reader, batch) {
            let (me, size) = (self.link.me, self.link.size);
            let (writers, link) = (&mut self.writers, &mut self.link);
            let Worker { expander, keys, .. } = worker;
            reader.load(key, row, fold);
            let next = |_: Step, next: &[u32], changed: Option<&[u32]>| {
                let owner = owner(names, next, size);
                if owner == me {
                    keys.push(reader.key(next, changed, fold));
                } else {
                    writers[owner].send(names, next, owner, link);
                }
            };
            expander.expand(row, number, steps, &mut batch.output, next);
            worker.take(number);
        }
    }

    /// Hands over the states that steps from a chunk's states lead to, each to its owner.
    fn divide(&mut self, chunk: &[u64]) {
        let Own {
            names,
            owners,
            store,
            fold,
            row,
            keys,
            ..
        } = &mut self.own;
        let (me, size) = (self.link.me, self.link.size);
        let mut reader = store.reader();
        for next in &self.batch.next[0] {
            let key = next.key();
            if size > 1 {
                let tables = reader.tables();
                owners.come_from(names, tables, chunk[next.from as usize]);
                let hash = owners.hash(names, tables, key);
                debug_assert!(hash.is_none_or(|hash| {
                    reader.load(key, row, fold);
                    names.owner_hash(row) == hash
                }));
                let owner = hash.map(|hash| owner_of(hash, size));
                if owner != Some(me) {
                    reader.load(key, row, fold);
                }
                let owner = owner.unwrap_or_else(|| self::owner(names, row, size));
                if owner != me {
                    self.writers[owner].send(names, row, owner, self.link);
                    continue;
                }
            }
            keys.push(key);
        }
        drop(reader);
        self.own.add();
    }

    /// Returns why this worker wants to stop, if it does.
    pub fn wants_to_stop(&self, thoroughly: bool) -> Option<Stop> {
        let halt = &self.space.shared.halt;
        if work::stopping() {
            Some(Stop::Interrupted)
        } else if halt.now() {
            // A long step asks for itself whether the memory is full.
            Some(match halt.which() {
                Limit::Memory => Stop::Memory,
                Limit::Time | Limit::Work => Stop::Time,
            })
        } else {
            // Each worker has its part of the memory of its process.
            let most = halt.memory / self.link.jobs as u64;
            let full = || self.own.store.exhausted() || self.memory() > most;
            (thoroughly && full()).then_some(Stop::Memory)
        }
    }

    /// Completes a share with this worker's new states, its new landmarks, its memory and its reason to stop.
    fn complete(&mut self, mut share: Share, stop: Option<Stop>) -> Share {
        let shared = self.space.shared;
        for (number, (reached, told)) in (0u32..).zip(shared.reached.iter().zip(&mut self.told)) {
            if !*told && reached.load(Ordering::Relaxed) {
                *told = true;
                share.found.reached.insert(number);
            }
        }
        share.found.pruned = shared.pruned.load(Ordering::Relaxed);
        share.found.unlike = self.space.is_broken();
        share.found.states = self.own.next.len() as u64;
        share.stored = self.own.store.bytes();
        share.memory = self.memory();
        share.stop = stop;
        share.commit = self.checkpoint.as_ref().is_some_and(Checkpoint::is_due);
        share
    }

    /// Lets every worker tell what it found in a level. Returns whether the search goes on with another level.
    fn conclude(&mut self, share: Share) -> Result<bool, Broken> {
        let shares = self
            .link
            .agree(share, |_, _| Err(unreadable("a process")))?;
        self.held = shares.iter().fold((0, 0), |(stored, memory), share| {
            (stored + share.stored, memory + share.memory)
        });
        self.stop = first_stop(shares.iter().map(|share| share.stop));
        let unlike = shares.iter().any(|share| share.found.unlike);
        if self.stop.is_none() && !unlike {
            self.untraced = !self.take_faults(&shares)?;
        }
        if self.stop.is_some() || self.untraced {
            // The checkpoint has the complete levels only. The figures count the incomplete level too.
            if self.levels.len() > 0 {
                self.commit()?;
            }
            shares
                .iter()
                .for_each(|share| self.totals.add(&share.found));
            return Ok(false);
        }
        let new: u64 = shares.iter().map(|share| share.found.states).sum();
        shares
            .iter()
            .for_each(|share| self.totals.add(&share.found));
        if self.totals.unlike {
            return Ok(false);
        }
        let mut next = std::mem::take(&mut self.own.next);
        if new > 0 {
            next.shrink_to_fit();
            self.levels.push(next);
        }
        if self.own.regroup(self.space, &mut self.levels) {
            self.worker.forget_keys();
        }
        let over = new == 0 || !self.options.goes_on() && !self.bugs.is_empty();
        if !over && shares[0].commit {
            self.commit()?;
        }
        Ok(!over)
    }

    /// Records the least failure of a level or, if the search goes on after a failure, the least of each new kind and place.
    /// Returns whether there was time for that.
    fn take_faults(&mut self, shares: &[Share]) -> Result<bool, Broken> {
        let shared = self.space.shared;
        let mut least: BTreeMap<(ErrorKind, Span), Fault> = BTreeMap::new();
        for &fault in shares.iter().flat_map(|share| &share.faults) {
            let key = fault.error(shared);
            if self.bugs.contains_key(&key) {
                continue;
            }
            let known = least.entry(key).or_insert(fault);
            if fault.rank(shared) < known.rank(shared) {
                *known = fault;
            }
        }
        let mut wanted: Vec<Fault> = least.into_values().collect();
        wanted.sort_by_key(|fault| fault.rank(shared));
        if !self.options.goes_on() {
            wanted.truncate(1);
        }
        for fault in wanted {
            let Some(trail) = self.trail(&fault)? else {
                return Ok(false);
            };
            let failure = fault.failure;
            self.bugs
                .insert(fault.error(shared), Kept { failure, trail });
        }
        Ok(true)
    }

    /// Sends the final states to the first worker.
    fn collect_finals(&mut self) -> Result<(), Broken> {
        if self.link.me != 0 {
            // The order in which they are sent makes no difference.
            #[allow(clippy::iter_over_hash_type, reason = "a set is made of them")]
            for globals in &self.finals {
                self.writers[0].send(&self.own.names, globals, 0, self.link);
            }
        }
        self.flush();
        let (own, finals) = (&mut self.own, &mut self.finals);
        self.link.agree((), |peer, rows| {
            own.read(peer, rows, |row| {
                finals.insert(row.into());
            })
        })?;
        Ok(())
    }

    fn memory(&self) -> u64 {
        // The table of recent keys takes memory from the system only as it is used.
        let places = if self.link.size > 1 { FAR } else { NEAR };
        let recent = (self.levels.states() * 8).min(8 << places);
        let keys = self.own.next.capacity() * 8 + self.levels.bytes() + recent;
        self.own.store.bytes()
            + self.own.names.bytes()
            + (keys + self.worker.bytes()) as u64
            + self.space.shared.bytes() / self.link.jobs as u64
    }

    fn status(&self) -> String {
        let processes = self.link.size / self.link.jobs;
        format!(
            "distance {}, {processes} processes, {} MiB in one worker",
            self.levels.len() - 1,
            self.memory() >> 20
        )
    }

    /// Why the search stopped before its end: in words, or by a limit.
    fn stopped(&self) -> (Option<String>, Option<Limit>) {
        if self.untraced {
            let why = match self.stop {
                Some((_, Stop::Interrupted)) => "the search was interrupted",
                Some((_, Stop::Memory)) => "memory was full",
                _ => "time ran out",
            };
            let what = format!("an error was found, and {why} before the way to it was");
            return (Some(what), None);
        }
        match self.stop {
            Some((_, Stop::Memory)) => (None, Some(Limit::Memory)),
            Some((who, Stop::Interrupted)) if !self.link.is_near(who) && !work::stopping() => (
                Some(format!("{} was interrupted", self.link.name(who))),
                None,
            ),
            Some(_) => (None, Some(Limit::Time)),
            None => (None, None),
        }
    }

    fn into_found(self, broken: Option<Broken>, keeping: &Keeping) -> Found {
        let (why, limit) = self.stopped();
        let Self { totals, bugs, .. } = self;
        for &number in &totals.reached {
            self.space.shared.reached[number as usize].store(true, Ordering::Relaxed);
        }
        self.space
            .shared
            .pruned
            .fetch_or(totals.pruned, Ordering::Relaxed);
        let mut found = Found {
            counts: Counts {
                states: Some(totals.states),
                transitions: totals.transitions,
                depth: self.levels.len().saturating_sub(1) as u64,
                stored: self.held.0,
                memory: self.held.1,
                ..Counts::default()
            },
            bugs: bugs
                .into_iter()
                .map(|(key, kept)| (key, kept.trail))
                .collect(),
            finals: self.finals,
            refusal: totals.refusal,
            cut: totals.cut,
            left_out: totals.left_out,
            reduced: totals.reduced,
            ended: totals.ended,
            broken: why.or_else(|| broken.map(|broken| broken.reason().to_owned())),
            limit,
            ..Found::default()
        };
        found.is_halted_by(&self.space.shared.halt);
        let whole = found.broken.is_none() && found.limit.is_none();
        let kept = self.checkpoint.as_ref().is_some_and(Checkpoint::is_written);
        if let (false, 0, Some(dir)) = (whole, self.link.me, &keeping.checkpoint) {
            let dir = dir.display();
            super::note(&match kept {
                true => format!("`--resume {dir}` goes on from the last checkpoint"),
                false => {
                    format!(
                        "there is no checkpoint in {dir}: the search ended before its first one"
                    )
                }
            });
        }
        let complete = whole && (self.options.goes_on() || found.bugs.is_empty());
        if complete && self.link.me == 0 {
            found.counts.executions = executions(self.space, self.options, &found);
        }
        found
    }
}

impl Member<'_, '_> {
    /// Sends a row to all others.
    pub fn broadcast(&mut self, row: &[u32]) {
        let me = self.link.me;
        for peer in (0..self.link.size).filter(|&peer| peer != me) {
            self.writers[peer].send(&self.own.names, row, peer, self.link);
        }
        self.flush();
    }

    /// Sends all that is written.
    fn flush(&mut self) {
        for (peer, writer) in self.writers.iter_mut().enumerate() {
            if let Some(rows) = writer.take() {
                self.link.send(peer, rows);
            }
        }
    }
}

/// Returns the first worker that wants to stop, and why.
pub(super) fn first_stop(stops: impl Iterator<Item = Option<Stop>>) -> Option<(usize, Stop)> {
    stops.enumerate().find_map(|(who, stop)| Some((who, stop?)))
}
