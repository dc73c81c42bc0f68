//! Segments that were run before: what a segment does is found by looking at what it looked at.
//!
//! For each local state there is a tree of questions: the value of a global,
//! whether a task has finished, a choice. Walking it by the answers of the state
//! at hand leads to what the segment does there, without running it. A question
//! that was never answered like that before is put to the machine.

use std::ops::ControlFlow;

use rustc_hash::FxHashMap;

use super::watch::Act;
use super::{Awaited, End, Event, Logged, Machine, Shared, Start, Way, Why, World, Write};

/// A question, or an answer.
#[derive(Clone, Copy, Debug)]
pub enum Node {
    /// Not known yet.
    Unknown,
    /// Asks for the code of a slot, by its leaf, mask and shift. The child is `first + code` if `row`, else in a table.
    Read {
        leaf: u32,
        mask: u32,
        shift: u8,
        row: bool,
        first: u32,
    },
    /// Asks whether a task has finished. The children are `first` for no, `first + 1` for yes.
    Finished {
        task: u32,
        first: u32,
    },
    /// A choice; children in a row.
    Choice {
        count: u32,
        first: u32,
    },
    Way(u32),
    /// Too many ways to remember: the machine is asked every time.
    Ask,
}

/// A remembered way: ranges of the pools.
#[derive(Clone, Copy, Debug)]
struct RememberedWay {
    end: End,
    writes: (u32, u32),
    posts: (u32, u32),
    touched: (u32, u32),
    picks: (u32, u32),
    acts: (u32, u32),
    slept: bool,
}

/// Segments with more ways than this are not remembered.
const WAYS: usize = 4096;
/// Codes up to so many bits lead to children in a row.
const ROW: u32 = 3;

#[derive(Default)]
struct Pools {
    /// The root of each local state's tree; 0 is none.
    roots: Vec<u32>,
    /// By local state: whether its next segment concerns no other task; `None` if that was not asked.
    lonely: Vec<Option<bool>>,
    nodes: Vec<Node>,
    table: FxHashMap<(u32, u32), u32>,
    ways: Vec<RememberedWay>,
    writes: Vec<Write>,
    posts: Vec<u32>,
    touched: Vec<u32>,
    picks: Vec<(u32, u32)>,
    acts: Vec<Act>,
}

/// A machine with a memory; each worker has its own.
pub struct Memo<'s> {
    machine: Machine<'s>,
    shared: &'s Shared,
    pools: Pools,
    /// How many bytes are kept before everything is forgotten.
    room: usize,
    /// The ways of the segment at hand.
    found: Vec<u32>,
    /// Choices whose children are still to be walked.
    walk: Vec<u32>,
    /// How often everything was forgotten.
    forgotten: u64,
    /// How often a segment was run because what it does was not known.
    ran: u64,
}

impl<'s> Memo<'s> {
    /// A memory that knows nothing yet.
    pub fn new(shared: &'s Shared, room: usize) -> Self {
        Self {
            machine: Machine::new(shared),
            shared,
            pools: Pools::default(),
            room,
            found: Vec::new(),
            walk: Vec::new(),
            forgotten: 0,
            ran: 0,
        }
    }

    /// Makes a memory that replays an execution for display: limits do not apply.
    pub fn to_show(shared: &'s Shared, room: usize) -> Self {
        let mut memo = Self::new(shared, room);
        memo.machine.patient = true;
        memo
    }

    /// Returns how often everything was forgotten. A node is valid only until the next time.
    pub fn forgotten(&self) -> u64 {
        self.forgotten
    }

    /// How often a segment was run because what it does was not known.
    pub fn ran(&self) -> u64 {
        self.ran
    }

    /// Returns the question at a node, or the way to which the answers so far lead.
    pub fn node(&self, node: u32) -> Node {
        self.pools.nodes[node as usize]
    }

    /// Returns the child of a node for a code, if the node has its children in a table.
    pub fn child(&self, node: u32, code: u32) -> Option<u32> {
        self.pools.table.get(&(node, code)).copied()
    }

    /// Returns a remembered way.
    pub fn way(&self, way: u32) -> Way<'_> {
        self.pools.way(way)
    }

    /// Returns the root of a local state's tree, and whether its segment concerns no other task, if that is known.
    pub fn root(&self, local: u32) -> Option<(u32, Option<bool>)> {
        let at = local as usize;
        let root = self
            .pools
            .roots
            .get(at)
            .copied()
            .filter(|&root| root != 0)?;
        Some((root, self.pools.lonely.get(at).copied().flatten()))
    }

    /// Roughly how much memory is used.
    pub fn bytes(&self) -> usize {
        self.pools.bytes()
    }

    /// Every way in which a pending task's segment can go, in the order of its choices.
    pub fn ways(&mut self, local: u32, world: World<'_>, mut each: impl FnMut(Way<'_>)) {
        self.ways_until(local, world, |way| {
            each(way);
            ControlFlow::Continue(())
        });
    }

    /// Like [`Self::ways`], until `each` breaks off.
    pub fn ways_until(
        &mut self,
        local: u32,
        world: World<'_>,
        mut each: impl FnMut(Way<'_>) -> ControlFlow<()>,
    ) {
        if self.pools.bytes() > self.room {
            self.pools = Pools::default();
            self.forgotten += 1;
        }
        self.found.clear();
        let root = self.pools.root(local);
        if matches!(self.pools.nodes[root as usize], Node::Ask) {
            self.ran += 1;
            let start = Start::Task(local);
            self.machine.run(start, world, &mut |_, way| each(way));
        } else if self.walk(root, world) {
            for &way in &self.found {
                if each(self.pools.way(way)).is_break() {
                    return;
                }
            }
        } else {
            self.ran += 1;
            self.ask(root, local, world, &mut each);
        }
    }

    /// Whether a task's next segment concerns no other task: it looks at nothing shared, changes nothing shared and posts
    /// nothing, and in each of its ways it ends or goes on further down in the text.
    pub fn is_lonely(&mut self, local: u32, world: World<'_>) -> bool {
        let known = self.pools.lonely.get(local as usize).copied().flatten();
        known.unwrap_or_else(|| {
            self.ways(local, world, |_| {});
            let lonely = self.concerns_no_other(local);
            self.pools.note_lonely(local, lonely);
            lonely
        })
    }

    /// Computes [`Self::is_lonely`] from the remembered ways.
    fn concerns_no_other(&self, local: u32) -> bool {
        let (pools, shared) = (&self.pools, self.shared);
        let from = shared.resumes_at(local);
        let mut todo = vec![pools.roots[local as usize]];
        while let Some(node) = todo.pop() {
            let way = match pools.nodes[node as usize] {
                Node::Choice { count, first } => {
                    todo.extend(first..first + count);
                    continue;
                }
                Node::Way(way) => pools.way(way),
                Node::Unknown | Node::Ask | Node::Read { .. } | Node::Finished { .. } => {
                    return false;
                }
            };
            let goes_down = match way.end {
                End::Rests(local) => shared.resumes_at(local) > from,
                // Others may join it if there are handles.
                End::Finished => !shared.code.handles,
                _ => false,
            };
            let quiet = way.writes.is_empty() && way.posts.is_empty() && way.touched.is_empty();
            if !(goes_down && quiet) {
                return false;
            }
        }
        true
    }

    /// Runs a segment in every way, and does not remember it: the first one, or `finally`.
    pub fn once(&mut self, start: Start, world: World<'_>, mut each: impl FnMut(Way<'_>)) {
        self.machine.merging = self.machine.has_many_ways(start, world);
        self.machine.run(start, world, &mut |_, way| {
            each(way);
            ControlFlow::Continue(())
        });
        self.machine.merging = false;
    }

    /// The ways of a segment that differ in what they looked at and did, until `each` breaks off.
    pub fn distinct(
        &mut self,
        start: Start,
        world: World<'_>,
        mut each: impl FnMut(Way<'_>) -> ControlFlow<()>,
    ) {
        self.machine.merging = true;
        self.machine.run(start, world, &mut |_, way| each(way));
        self.machine.merging = false;
    }

    /// See [`Machine::has_many_ways`].
    pub fn has_many_ways(&mut self, start: Start, world: World<'_>) -> bool {
        self.machine.has_many_ways(start, world)
    }

    /// See [`Machine::awaited`].
    pub fn awaited(&mut self, local: u32, world: World<'_>, out: &mut Vec<Awaited>) -> bool {
        self.machine.awaited(local, world, out)
    }

    /// The way of a segment with this number, with what the way forgot and chose.
    pub fn logged(&mut self, start: Start, world: World<'_>, number: u32) -> Option<Logged> {
        let found = self.machine.logged(start, world, |n, _| n == number);
        found.map(|(_, logged)| logged)
    }

    /// The way with these choices, and its number.
    pub fn logged_by(
        &mut self,
        start: Start,
        world: World<'_>,
        picks: &[(u32, u32)],
    ) -> Option<(u32, Logged)> {
        self.machine.logged(start, world, |_, made| made == picks)
    }

    /// Collects the ways below a node. Answers false if a question was never answered like this.
    fn walk(&mut self, root: u32, world: World<'_>) -> bool {
        self.walk.clear();
        let mut node = root;
        loop {
            node = match self.pools.nodes[node as usize] {
                Node::Unknown | Node::Ask => return false,
                Node::Read {
                    leaf,
                    mask,
                    shift,
                    row,
                    first,
                } => {
                    let code = (world.leaves[leaf as usize] & mask) >> shift;
                    if row {
                        first + code
                    } else {
                        match self.pools.table.get(&(node, code)) {
                            Some(&child) => child,
                            None => return false,
                        }
                    }
                }
                Node::Finished { task, first } => first + u32::from(!(world.pending)(task)),
                Node::Choice { count, first } => {
                    self.walk.extend((first + 1..first + count).rev());
                    first
                }
                Node::Way(way) => {
                    self.found.push(way);
                    match self.walk.pop() {
                        Some(next) => next,
                        None => return true,
                    }
                }
            };
        }
    }

    /// Runs the segment and remembers what it does, unless there are too many ways.
    fn ask(
        &mut self,
        root: u32,
        local: u32,
        world: World<'_>,
        each: &mut impl FnMut(Way<'_>) -> ControlFlow<()>,
    ) {
        let (pools, found, shared) = (&mut self.pools, &mut self.found, self.shared);
        found.clear();
        let mut asking = false;
        self.machine
            .run(Start::Task(local), world, &mut |events, way| {
                let time = matches!(way.end, End::Refused(r) if r.why == Why::Halted);
                let forget = way.end == End::Pruned || time || found.len() >= WAYS;
                if forget && !asking {
                    asking = true;
                    for way in found.drain(..) {
                        each(pools.way(way))?;
                    }
                }
                if asking {
                    return each(way);
                }
                found.push(pools.insert(shared, root, events, way));
                ControlFlow::Continue(())
            });
        if asking {
            self.pools.nodes[root as usize] = Node::Ask;
            return;
        }
        for &way in &self.found {
            if each(self.pools.way(way)).is_break() {
                return;
            }
        }
    }
}

fn index(n: usize) -> u32 {
    u32::try_from(n).expect("the memory is emptied before it holds 2^32 of anything")
}

impl Pools {
    fn bytes(&self) -> usize {
        self.nodes.len() * size_of::<Node>()
            + self.table.len() * 20
            + self.ways.len() * size_of::<RememberedWay>()
            + self.writes.len() * size_of::<Write>()
            + (self.posts.len() + self.touched.len() + self.roots.len()) * 4
            + self.picks.len() * 8
            + self.acts.len() * size_of::<Act>()
            + self.lonely.len()
    }

    fn root(&mut self, local: u32) -> u32 {
        let at = local as usize;
        if self.nodes.is_empty() {
            // Node 0 is unused: in `roots`, 0 means none.
            self.nodes.push(Node::Unknown);
        }
        if at >= self.roots.len() {
            self.roots.resize(at + 1, 0);
        }
        if self.roots[at] == 0 {
            self.roots[at] = self.fresh(1);
        }
        self.roots[at]
    }

    fn note_lonely(&mut self, local: u32, lonely: bool) {
        let at = local as usize;
        if at >= self.lonely.len() {
            self.lonely.resize(at + 1, None);
        }
        self.lonely[at] = Some(lonely);
    }

    /// New nodes in a row.
    fn fresh(&mut self, count: u32) -> u32 {
        let first = index(self.nodes.len());
        let count = count as usize;
        self.nodes.resize(self.nodes.len() + count, Node::Unknown);
        first
    }

    fn way(&self, way: u32) -> Way<'_> {
        let known = &self.ways[way as usize];
        Way {
            end: known.end,
            writes: slice(&self.writes, known.writes),
            posts: slice(&self.posts, known.posts),
            touched: slice(&self.touched, known.touched),
            picks: slice(&self.picks, known.picks),
            acts: slice(&self.acts, known.acts),
            slept: known.slept,
        }
    }

    /// Remembers a way under the answers that lead to it.
    fn insert(&mut self, shared: &Shared, root: u32, events: &[Event], way: Way<'_>) -> u32 {
        let mut node = root;
        for &event in events {
            node = self.child(shared, node, event);
        }
        let known = RememberedWay {
            end: way.end,
            writes: extend(&mut self.writes, way.writes),
            posts: extend(&mut self.posts, way.posts),
            touched: extend(&mut self.touched, way.touched),
            picks: extend(&mut self.picks, way.picks),
            acts: extend(&mut self.acts, way.acts),
            slept: way.slept,
        };
        self.ways.push(known);
        let way = index(self.ways.len() - 1);
        self.nodes[node as usize] = Node::Way(way);
        way
    }

    /// Returns the child of a node for an answer. An unknown node becomes the question first.
    fn child(&mut self, shared: &Shared, node: u32, event: Event) -> u32 {
        if matches!(self.nodes[node as usize], Node::Unknown) {
            self.nodes[node as usize] = self.question(shared, event);
        }
        match (self.nodes[node as usize], event) {
            (
                Node::Read {
                    row: true, first, ..
                },
                Event::Read(_, code),
            ) => first + code,
            (Node::Read { .. }, Event::Read(_, code)) => {
                if let Some(&child) = self.table.get(&(node, code)) {
                    return child;
                }
                let child = self.fresh(1);
                self.table.insert((node, code), child);
                child
            }
            (Node::Finished { first, .. }, Event::Finished(_, yes)) => first + u32::from(yes),
            (Node::Choice { first, .. }, Event::Choice(_, pick)) => first + pick,
            _ => unreachable!("equal answers lead to equal questions"),
        }
    }

    fn question(&mut self, shared: &Shared, event: Event) -> Node {
        match event {
            Event::Read(slot, _) => {
                let place = shared.packing.slots[slot as usize];
                let row = u32::from(place.bits) <= ROW;
                Node::Read {
                    leaf: place.leaf,
                    mask: place.mask(),
                    shift: place.shift,
                    row,
                    first: if row { self.fresh(1 << place.bits) } else { 0 },
                }
            }
            Event::Finished(task, _) => Node::Finished {
                task,
                first: self.fresh(2),
            },
            Event::Choice(count, _) => Node::Choice {
                count,
                first: self.fresh(count),
            },
        }
    }
}

fn extend<T: Copy>(pool: &mut Vec<T>, items: &[T]) -> (u32, u32) {
    let from = index(pool.len());
    pool.extend_from_slice(items);
    (from, index(pool.len()))
}

fn slice<T>(pool: &[T], (from, to): (u32, u32)) -> &[T] {
    &pool[from as usize..to as usize]
}
