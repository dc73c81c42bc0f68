//! Steps taken on keys.
//!
//! Where a row is its own key, what a remembered segment asks are bits of the key, and what it does is to
//! change some of them. So the trees of questions are written down a second time, in terms of bits, for each
//! place of a task and each of its local states. A state all of whose steps are known like that is expanded
//! without its row. What is not known, or does more than change bits (posts, fails, ends everything), is left
//! to the machine: then the whole state is.

use rustc_hash::FxHashMap;

use super::super::machine::{End, Memo, Node, Way};
use super::super::space::{Space, Summary};
use super::super::store::{Format, Tables, Whole};

/// A question about bits of a key, or an answer.
#[derive(Clone, Copy, Debug)]
enum Ask {
    /// Not written down yet: a node of the memory.
    Unknown(u32),
    /// Some bits; children in a row.
    Bits { shift: u8, mask: u32, first: u32 },
    /// Some bits; children by table.
    Table { shift: u8, mask: u32, node: u32 },
    /// Whether some bits are 0; children: no, yes.
    Zero { shift: u8, mask: u32, first: u32 },
    /// A choice; children in a row.
    Choice { count: u32, first: u32 },
    /// A step.
    Go(u32),
    /// The task is blocked.
    Blocked,
    /// The machine has to do it.
    Machine,
}

/// What a step does to a key.
#[derive(Clone, Copy, Debug)]
struct Change {
    keep: u64,
    put: u64,
}

/// A local state at a place.
#[derive(Clone, Copy, Debug, Default)]
struct Root {
    /// Its first question; 0 if that is not known.
    ask: u32,
    /// Whether it concerns no other task.
    lonely: Option<bool>,
}

/// A task's leaf in the key, and where the roots of its local states begin.
#[derive(Clone, Copy, Debug)]
struct Place {
    shift: u32,
    mask: u64,
    roots: usize,
    leaf: usize,
}

/// What is known of the keys of one format.
#[derive(Debug)]
struct Plan {
    places: Vec<Place>,
    roots: Vec<Root>,
    asks: Vec<Ask>,
    changes: Vec<Change>,
    table: FxHashMap<(u32, u32), u32>,
    /// Choices whose children are still to be walked.
    walk: Vec<u32>,
}

/// A leaf of a task with more bits than this is not looked up in a row.
const WIDE: u32 = 16;

/// What is known of all formats.
#[derive(Debug, Default)]
pub(super) struct Keyed {
    /// By format; nothing where its keys are not expanded like this.
    plans: Vec<Option<Option<Plan>>>,
    /// How often the memory had forgotten everything.
    forgotten: u64,
}

/// All that does not change while a state is expanded.
#[derive(Clone, Copy)]
struct At<'a, 's> {
    space: Space<'s>,
    memo: &'a Memo<'s>,
    tables: &'a Tables,
    format: &'a Format,
    whole: &'a Whole,
    bits: u64,
}

impl Keyed {
    /// Tells the keys of the states that follow, in their order; what the steps are like. Nothing if the machine has to
    /// take some of them.
    pub fn expand(
        &mut self,
        space: Space<'_>,
        memo: &Memo<'_>,
        tables: &Tables,
        key: u64,
        next: impl FnMut(u64),
    ) -> Option<Summary> {
        let (number, format, whole, bits) = tables.whole(key)?;
        if self.forgotten != memo.forgotten() {
            self.plans.clear();
            self.forgotten = memo.forgotten();
        }
        if number >= self.plans.len() {
            self.plans.resize_with(number + 1, || None);
        }
        let plan = self.plans[number].get_or_insert_with(|| Plan::new(format, space.tasks));
        let at = At {
            space,
            memo,
            tables,
            format,
            whole,
            bits,
        };
        plan.as_mut()?.expand(at, next)
    }

    /// Roughly how much memory is used.
    pub fn bytes(&self) -> usize {
        let plans = self.plans.iter().flatten().flatten();
        plans.map(Plan::bytes).sum()
    }
}

impl Plan {
    fn new(format: &Format, tasks: usize) -> Option<Self> {
        let (mut places, mut roots) = (Vec::new(), 0);
        for leaf in tasks..format.leaves() {
            let (shift, width) = format.bits(leaf)?;
            if width > WIDE {
                return None;
            }
            places.push(Place {
                shift,
                mask: (1 << width) - 1,
                roots,
                leaf,
            });
            roots += 1 << width;
        }
        Some(Self {
            places,
            roots: vec![Root::default(); roots],
            // Number 0 is no question.
            asks: vec![Ask::Machine],
            changes: Vec::new(),
            table: FxHashMap::default(),
            walk: Vec::new(),
        })
    }

    fn bytes(&self) -> usize {
        self.roots.len() * size_of::<Root>()
            + self.asks.len() * size_of::<Ask>()
            + self.changes.len() * size_of::<Change>()
            + self.table.len() * 20
    }

    fn expand(&mut self, at: At<'_, '_>, mut next: impl FnMut(u64)) -> Option<Summary> {
        let mut summary = Summary::default();
        let alone = match at.space.reduction().alone {
            true => self.lonely(at)?,
            false => None,
        };
        for place in 0..self.places.len() {
            let (root, code) = self.root(at, place)?;
            if code == 0 {
                continue;
            }
            summary.pending += 1;
            if alone.is_some_and(|alone| alone != place) {
                summary.reduced = true;
                continue;
            }
            self.steps(at, place, root.ask, &mut summary, &mut next)?;
        }
        summary.enabled.then_some(summary)
    }

    /// The local state at a place, and its code.
    fn root(&mut self, at: At<'_, '_>, place: usize) -> Option<(Root, u64)> {
        let Place {
            shift,
            mask,
            roots,
            leaf,
        } = self.places[place];
        let code = at.bits >> shift & mask;
        let number = roots + usize::try_from(code).ok()?;
        let root = self.roots[number];
        let asked = root.lonely.is_some() || !at.space.reduction().alone;
        if code == 0 || root.ask != 0 && asked {
            return Some((root, code));
        }
        let local = at.tables.value(leaf, u32::try_from(code).ok()?);
        let (node, lonely) = at.memo.root(local)?;
        let ask = match root.ask {
            0 => self.unknown(node..node + 1)?,
            ask => ask,
        };
        self.roots[number] = Root { ask, lonely };
        Some((self.roots[number], code))
    }

    /// The first task that is to be run alone. Nothing at all if that has never been asked of one before it.
    fn lonely(&mut self, at: At<'_, '_>) -> Option<Option<usize>> {
        for place in 0..self.places.len() {
            let (root, code) = self.root(at, place)?;
            if code != 0 && root.lonely? {
                return Some(Some(place));
            }
        }
        Some(None)
    }

    /// The steps of one task.
    fn steps(
        &mut self,
        at: At<'_, '_>,
        place: usize,
        root: u32,
        summary: &mut Summary,
        next: &mut impl FnMut(u64),
    ) -> Option<()> {
        self.walk.clear();
        let mut ask = root;
        loop {
            let bits = |shift: u8, mask: u32| (at.bits >> shift) & u64::from(mask);
            ask = match self.asks[ask as usize] {
                Ask::Bits { shift, mask, first } => {
                    first + u32::try_from(bits(shift, mask)).ok()?
                }
                Ask::Go(change) => {
                    let Change { keep, put } = self.changes[change as usize];
                    let changed = at.bits & keep | put;
                    if !at.whole.owns(changed) {
                        return None;
                    }
                    next(at.whole.key(changed));
                    summary.transitions += 1;
                    summary.enabled = true;
                    match self.walk.pop() {
                        Some(next) => next,
                        None => return Some(()),
                    }
                }
                Ask::Blocked => match self.walk.pop() {
                    Some(next) => next,
                    None => return Some(()),
                },
                Ask::Zero { shift, mask, first } => first + u32::from(bits(shift, mask) == 0),
                Ask::Choice { count, first } => {
                    self.walk.extend((first + 1..first + count).rev());
                    first
                }
                Ask::Table { shift, mask, node } => {
                    let code = u32::try_from(bits(shift, mask)).ok()?;
                    match self.table.get(&(ask, code)) {
                        Some(&child) => child,
                        None => {
                            let child = at.memo.child(node, code)?;
                            let child = self.unknown(child..child + 1)?;
                            self.table.insert((ask, code), child);
                            child
                        }
                    }
                }
                Ask::Unknown(node) => {
                    self.asks[ask as usize] = self.write_down(at, place, node)?;
                    ask
                }
                Ask::Machine => return None,
            };
        }
    }

    /// Nodes of the memory in a row, not written down yet.
    fn unknown(&mut self, nodes: std::ops::Range<u32>) -> Option<u32> {
        let first = u32::try_from(self.asks.len()).ok()?;
        self.asks.extend(nodes.map(Ask::Unknown));
        Some(first)
    }

    /// A node of the memory in terms of bits, if it is known.
    fn write_down(&mut self, at: At<'_, '_>, place: usize, node: u32) -> Option<Ask> {
        Some(match at.memo.node(node) {
            Node::Unknown => return None,
            Node::Ask => Ask::Machine,
            Node::Read {
                leaf,
                mask,
                shift,
                row,
                first,
            } => {
                let Some((from, width)) = at.plain(leaf as usize) else {
                    return Some(Ask::Machine);
                };
                let shift = u8::try_from(from + u32::from(shift)).ok()?;
                let mask = mask >> mask.trailing_zeros();
                debug_assert!(mask.count_ones() <= width);
                match row {
                    true => Ask::Bits {
                        shift,
                        mask,
                        first: self.unknown(first..first + mask + 1)?,
                    },
                    false => Ask::Table { shift, mask, node },
                }
            }
            Node::Finished { task, first } => {
                let leaf = at.space.leaf_of(task);
                let Some((shift, width)) = leaf.and_then(|leaf| at.format.bits(leaf)) else {
                    return Some(Ask::Machine);
                };
                Ask::Zero {
                    shift: u8::try_from(shift).ok()?,
                    mask: u32::try_from((1u64 << width) - 1).ok()?,
                    first: self.unknown(first..first + 2)?,
                }
            }
            Node::Choice { count, first } => Ask::Choice {
                count,
                first: self.unknown(first..first + count)?,
            },
            Node::Way(way) => {
                let way = at.memo.way(way);
                match way.end {
                    End::Blocked => Ask::Blocked,
                    End::Rests(local) if way.posts.is_empty() => self.go(at, place, local, way)?,
                    End::Finished if way.posts.is_empty() => self.go(at, place, 0, way)?,
                    _ => Ask::Machine,
                }
            }
        })
    }

    /// What a step does that leaves its task in a local state. Nothing if that has no code yet.
    fn go(&mut self, at: At<'_, '_>, place: usize, local: u32, way: Way<'_>) -> Option<Ask> {
        let leaf = self.places[place].leaf;
        let code = at.tables.known(leaf, local)?;
        if !at.format.has_room(leaf, code) {
            return Some(Ask::Machine);
        }
        let Place { shift, mask, .. } = self.places[place];
        let mut change = Change {
            keep: !(mask << shift),
            put: u64::from(code) << shift,
        };
        for write in way.writes {
            let Some((from, width)) = at.plain(write.leaf as usize) else {
                return Some(Ask::Machine);
            };
            let used = (1u64 << width) - 1;
            let cleared = (u64::from(!write.keep) & used) << from;
            change.keep &= !cleared;
            change.put = change.put & !cleared | u64::from(write.bits) << from;
        }
        let number = u32::try_from(self.changes.len()).ok()?;
        self.changes.push(change);
        Some(Ask::Go(number))
    }
}

impl At<'_, '_> {
    /// Where a leaf is that is written as it is.
    fn plain(&self, leaf: usize) -> Option<(u32, u32)> {
        let bits = self.format.bits(leaf)?;
        self.tables.is_plain(leaf).then_some(bits)
    }
}
