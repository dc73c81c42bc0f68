//! How a worker speaks with all others, through timely. It sends states while it works. In a round, each worker says something
//! to all.
//!
//! A round is a time of one dataflow. All that is sent in a round has come when timely says that its time is over
//! everywhere. A worker is at most one round ahead of another, so at most the packets of two rounds wait to be read.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::io::Write;
use std::mem::{ManuallyDrop, forget, take};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::Serialize;
use serde::de::DeserializeOwned;
use timely::bytes::arc::Bytes;
use timely::communication::allocator::zero_copy::allocator::TcpBuilder;
use timely::communication::allocator::zero_copy::initialize::initialize_networking_from_sockets;
use timely::communication::allocator::{Allocator, ProcessBuilder};
use timely::communication::{Hooks, Push};
use timely::container::NoopBuilder;
use timely::dataflow::channels::pact::DistributorPact;
use timely::dataflow::channels::pushers::exchange::Distributor;
use timely::dataflow::channels::{ContainerBytes, Message, Stamp};
use timely::dataflow::operators::{Operator, Probe};
use timely::dataflow::{InputHandle, ProbeHandle};
use timely::worker::Worker;
use timely::{Accountable, WorkerConfig};

use super::stream::Peers;
use super::{Broken, own, unreadable};

/// How often a waiting worker checks whether a process is lost.
const LOOK: Duration = Duration::from_millis(100);

/// The processes that have met.
pub struct Crew {
    pub me: usize,
    pub(super) peers: Arc<Peers>,
    builders: Vec<TcpBuilder>,
}

impl Crew {
    /// Begins a process that works alone, with `jobs` workers.
    ///
    /// # Errors
    /// When it cannot.
    pub fn alone(jobs: usize) -> Result<Self, Broken> {
        Self::begin(jobs, Arc::new(Peers::new(0, vec!["here".to_owned()])))
    }

    /// Hands the connections over to timely. Each process has `jobs` workers.
    pub(super) fn begin(jobs: usize, peers: Arc<Peers>) -> Result<Self, Broken> {
        let hooks = Hooks::default();
        let inner = ProcessBuilder::new_typed_vector(jobs, hooks.refill.clone(), None);
        let wires = peers.wires();
        let begun = wires.and_then(|wires| {
            initialize_networking_from_sockets(inner, wires, peers.me, jobs, hooks)
        });
        let (builders, threads) = begun.map_err(own)?;
        // Nobody joins timely's threads: some may rest until the process ends.
        forget(threads);
        Ok(Self {
            me: peers.me,
            peers,
            builders,
        })
    }

    /// What each worker of this process needs to speak with the others.
    pub(super) fn seats(&mut self) -> Vec<Seat> {
        let builders = take(&mut self.builders);
        let jobs = builders.len();
        let seat = |builder| Seat {
            peers: Arc::clone(&self.peers),
            jobs,
            builder,
        };
        builders.into_iter().map(seat).collect()
    }

    /// Tells all others why this process gives up.
    pub fn give_up(&self, why: &Broken) {
        self.peers.give_up(why);
    }

    /// The first process tells all others that the work is done, and how it went.
    pub fn farewell(&self, status: u8) {
        self.peers.farewell(status);
    }

    /// Waits until the first process says how the work went.
    ///
    /// # Errors
    /// When it did not end well.
    pub fn dismissed(&self) -> Result<u8, Broken> {
        self.peers.dismissed()
    }
}

/// What a worker needs to speak with the others, before it is on its own thread.
pub(super) struct Seat {
    peers: Arc<Peers>,
    jobs: usize,
    builder: TcpBuilder,
}

impl Seat {
    /// Makes the worker's link. The worker must call this on its own thread.
    pub fn link(self) -> Link {
        let size = self.peers.size() * self.jobs;
        let net = Net::new(self.builder, size);
        Link {
            me: net.worker.index(),
            size,
            jobs: self.jobs,
            peers: self.peers,
            net: ManuallyDrop::new(net),
        }
    }
}

/// What one worker uses to speak with the others. The numbers of workers run through all processes, the first process first.
pub(super) struct Link {
    pub me: usize,
    pub size: usize,
    /// How many workers each process has.
    pub jobs: usize,
    pub peers: Arc<Peers>,
    /// [`Self::finish`] drops it if all went well. In other cases timely's parts must not be dropped.
    net: ManuallyDrop<Net>,
}

impl Link {
    /// The process of a worker, in words.
    pub fn name(&self, worker: usize) -> String {
        self.peers.name(worker / self.jobs)
    }

    /// Whether a worker is one of this process.
    pub fn is_near(&self, worker: usize) -> bool {
        worker / self.jobs == self.me / self.jobs
    }

    /// Sends states to a worker.
    pub fn send(&mut self, worker: usize, rows: Body) {
        self.net.post(worker, false, rows);
    }

    /// Passes the states that have come to `rows`, without waiting for any.
    pub fn poll(
        &mut self,
        mut rows: impl FnMut(usize, &Body) -> Result<(), Broken>,
    ) -> Result<(), Broken> {
        self.peers.check()?;
        self.net.step(&self.peers, Duration::ZERO)?;
        self.net.read(&mut rows)
    }

    /// Holds a round: tells all workers `said`, and returns what each said, in their order. Passes states that come to `rows`.
    pub fn agree<T: Serialize + DeserializeOwned>(
        &mut self,
        said: T,
        mut rows: impl FnMut(usize, &Body) -> Result<(), Broken>,
    ) -> Result<Vec<T>, Broken> {
        let (peers, net) = (&self.peers, &mut *self.net);
        let bytes = postcard::to_stdvec(&said).map_err(|_| unreadable("this process"))?;
        for worker in (0..self.size).filter(|&worker| worker != self.me) {
            net.post(worker, true, Body::Made(bytes.clone()));
        }
        net.now += 1;
        let now = net.now;
        net.input.advance_to(now);
        while net.over.less_than(&now) {
            peers.check()?;
            net.step(peers, LOOK)?;
            net.read(&mut rows)?;
        }
        let mut mine = Some(said);
        let mut all = Vec::with_capacity(self.size);
        for worker in 0..self.size {
            if worker == self.me {
                all.extend(mine.take());
                continue;
            }
            let said = net.from[worker].packets.pop_front();
            let said = said.and_then(|packet| postcard::from_bytes(packet.body.bytes()).ok());
            all.push(said.ok_or_else(|| unreadable(&peers.name(worker / self.jobs)))?);
        }
        Ok(all)
    }

    /// Ends this worker's link: it has nothing more to say.
    pub fn finish(self) {
        if !self.peers.have_parted() {
            drop(ManuallyDrop::into_inner(self.net));
        }
    }
}

/// A worker of timely's with its one dataflow, which brings each packet to the inbox of its receiver.
struct Net {
    input: InputHandle<u64, NoopBuilder<Packet>>,
    inbox: Rc<RefCell<Vec<Packet>>>,
    /// Says which rounds are over everywhere.
    over: ProbeHandle<u64>,
    worker: Worker,
    /// The number of the current round.
    now: u64,
    /// How many packets this worker has sent, by receiver.
    sent: Vec<u64>,
    from: Vec<From>,
}

/// What one worker has sent.
#[derive(Default)]
struct From {
    /// The number of the next packet.
    next: u64,
    /// The packets that are not read yet.
    packets: VecDeque<Packet>,
}

impl Net {
    fn new(builder: TcpBuilder, size: usize) -> Self {
        let allocator = Allocator::Tcp(builder.build());
        // Without a clock the worker would never rest.
        let mut worker = Worker::new(WorkerConfig::default(), allocator, Some(Instant::now()));
        let mut input = InputHandle::new_with_builder();
        let inbox = Rc::<RefCell<Vec<Packet>>>::default();
        let come = Rc::clone(&inbox);
        let over = worker.dataflow(|scope| {
            let inbox = input
                .to_stream(scope)
                .unary::<NoopBuilder<Packet>, _, _, _>(
                    DistributorPact(|_| ToPeer),
                    "inbox",
                    |_, _| {
                        move |from, _| {
                            from.for_each(|_, packet| come.borrow_mut().push(take(packet)));
                        }
                    },
                );
            inbox.probe().0
        });
        Self {
            input,
            inbox,
            over,
            worker,
            now: 0,
            sent: vec![0; size],
            from: (0..size).map(|_| From::default()).collect(),
        }
    }

    fn post(&mut self, to: usize, said: bool, body: Body) {
        let mut packet = Packet {
            to,
            from: self.worker.index(),
            number: self.sent[to],
            said,
            body,
        };
        self.sent[to] += 1;
        self.input.send_batch(&mut packet);
    }

    /// Lets timely work, or rest until there is something to do.
    fn step(&mut self, peers: &Peers, rest: Duration) -> Result<(), Broken> {
        let worker = &mut self.worker;
        let stepped = catch_unwind(AssertUnwindSafe(|| worker.step_or_park(Some(rest))));
        stepped.map_err(|_| {
            peers
                .check()
                .err()
                .unwrap_or_else(|| unreadable("a process"))
        })?;
        for packet in self.inbox.borrow_mut().drain(..) {
            let from = self.from.get_mut(packet.from);
            // The order counts: a packet defines names that later packets use.
            let from = from.filter(|from| from.next == packet.number);
            let from = from.ok_or_else(|| unreadable("a process"))?;
            from.next += 1;
            from.packets.push_back(packet);
        }
        Ok(())
    }

    /// Passes the states that have come to `rows`, up to each sender's word at the end of the round.
    fn read(
        &mut self,
        rows: &mut impl FnMut(usize, &Body) -> Result<(), Broken>,
    ) -> Result<(), Broken> {
        for (peer, from) in self.from.iter_mut().enumerate() {
            while let Some(packet) = from.packets.front()
                && !packet.said
            {
                rows(peer, &packet.body)?;
                from.packets.pop_front();
            }
        }
        Ok(())
    }
}

/// What one worker sends to another at once.
#[derive(Clone, Default)]
struct Packet {
    to: usize,
    from: usize,
    /// How many packets the sender had sent to the receiver before.
    number: u64,
    /// Whether this is the sender's word in a round. Other packets have states.
    said: bool,
    body: Body,
}

/// What a packet holds.
#[derive(Clone)]
pub(super) enum Body {
    Made(Vec<u8>),
    Come(Bytes),
    /// Rows as [`wire`](super::wire) writes them, for a worker of the same process: they have the same names for everything.
    Rows(Vec<u32>),
}

impl Default for Body {
    fn default() -> Self {
        Self::Made(Vec::new())
    }
}

impl Body {
    pub fn bytes(&self) -> &[u8] {
        match self {
            Self::Made(bytes) => bytes,
            Self::Come(bytes) => bytes,
            // Rows never leave the process.
            Self::Rows(_) => &[],
        }
    }
}

impl Accountable for Packet {
    fn record_count(&self) -> i64 {
        1
    }
}

/// The bytes before a packet's own: its sender, its number, and its length, with `said` as the lowest bit of the third.
const HEAD: usize = 24;

impl ContainerBytes for Packet {
    fn from_bytes(mut bytes: Bytes) -> Self {
        let number = |at: usize| {
            let eight = bytes
                .get(at..at + 8)
                .and_then(|eight| eight.try_into().ok());
            eight.map_or(u64::MAX, u64::from_le_bytes)
        };
        let (from, sent, len) = (number(0), number(8), number(16));
        let said = len & 1 == 1;
        let len = usize::try_from(len >> 1).unwrap_or(usize::MAX);
        if bytes.len() < HEAD || bytes.len() - HEAD < len {
            // No worker has this number, so `Net::step` refuses the packet.
            return Self {
                from: usize::MAX,
                ..Self::default()
            };
        }
        drop(bytes.extract_to(HEAD));
        Self {
            to: 0,
            from: usize::try_from(from).unwrap_or(usize::MAX),
            number: sent,
            said,
            body: Body::Come(bytes.extract_to(len)),
        }
    }

    fn length_in_bytes(&self) -> usize {
        HEAD + self.body.bytes().len().next_multiple_of(8)
    }

    fn into_bytes<W: Write>(&self, writer: &mut W) {
        let len = (self.body.bytes().len() as u64) << 1 | u64::from(self.said);
        let pad = self.length_in_bytes() - HEAD - self.body.bytes().len();
        let head = [self.from as u64, self.number, len].map(u64::to_le_bytes);
        for part in [head.as_flattened(), self.body.bytes(), &[0; 8][..pad]] {
            writer.write_all(part).expect("timely asked how long it is");
        }
    }
}

/// Sends each packet to the worker that it names.
struct ToPeer;

impl Distributor<Packet> for ToPeer {
    fn partition<T: Clone, P: Push<Message<T, Packet>>>(
        &mut self,
        packet: &mut Packet,
        stamp: &Stamp<T>,
        pushers: &mut [P],
    ) {
        Message::push_at(packet, stamp.clone(), &mut pushers[packet.to]);
    }

    fn flush<T: Clone, P: Push<Message<T, Packet>>>(&mut self, _: &Stamp<T>, _: &mut [P]) {}
}

#[cfg(test)]
mod tests;
