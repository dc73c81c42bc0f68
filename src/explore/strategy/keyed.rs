//! Steps taken on keys.
//!
//! Some keys hold the whole row. Then a remembered segment reads bits of the key and changes bits of the key. So the
//! trees of questions are written down a second time, in terms of bits, for each place of a task and each of its
//! local states. A state is expanded without its row if all of its steps are known like that. If some step is not
//! known, or does more than change bits (posts, fails, ends everything), the machine expands the whole state.

use rustc_hash::FxHashMap;

use machine::space::{Space, Standing, Summary, each_race};
use machine::store::{Format, Part, Tables, Whole};
use machine::watch::Act;
use machine::{End, Memo, Node, Way, Write};

/// A question about bits of a key, or an answer.
#[derive(Clone, Copy, Debug)]
enum Ask {
    /// Not written down yet: a node of the memory.
    Unknown(u32),
    /// Some bits; children in a row.
    Bits {
        shift: u8,
        mask: u32,
        first: u32,
    },
    /// Some bits; children by table.
    Table {
        shift: u8,
        mask: u32,
        node: u32,
    },
    /// Part of what a field holds; children in a row.
    Part {
        part: u32,
        first: u32,
    },
    /// Whether no task is there; children: no, yes.
    Gone {
        field: u32,
        first: u32,
    },
    /// A choice; children in a row.
    Choice {
        count: u32,
        first: u32,
    },
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
    /// The code of the task's own field, if the format has no room for it.
    wide: Option<u32>,
    /// The range in `Plan::acts` of the step's accesses that may race.
    acts: (u32, u32),
}

/// A local state at a place.
#[derive(Clone, Copy, Debug, Default)]
struct Root {
    /// Its first question; 0 if that is not known, `NOBODY` if no task is there.
    ask: u32,
    /// Whether its next segment concerns no other task, if that is known.
    lonely: Option<bool>,
    /// Whether all that is needed of it is known.
    known: bool,
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
    acts: Vec<Act>,
    /// Accesses of the state's tasks that may race.
    standing: Vec<Standing>,
    /// Parts that questions are about, each with its field.
    parts: Vec<(usize, Part)>,
    table: FxHashMap<(u32, u32), u32>,
    /// Choices whose children are still to be walked.
    walk: Vec<u32>,
}

/// The question of a place without a task.
const NOBODY: u32 = 1;

/// If a task's leaf has more bits than this, keys of its format are not expanded like this.
const WIDE: u32 = 16;

/// What is known of all formats.
#[derive(Debug, Default)]
pub(super) struct Keyed {
    /// By format: its plan. The inner `None` says that its keys are not expanded like this.
    plans: Vec<Option<Option<Plan>>>,
    /// How often the memory had forgotten everything when the plans were made.
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
    /// Gives `next` the keys of the states that follow, in their order. Returns what the steps are like; `None` if the machine
    /// has to take some of them.
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
            // Numbers 0 and 1 are no questions.
            asks: vec![Ask::Machine; 2],
            changes: Vec::new(),
            acts: Vec::new(),
            standing: Vec::new(),
            parts: Vec::new(),
            table: FxHashMap::default(),
            walk: Vec::new(),
        })
    }

    fn bytes(&self) -> usize {
        self.roots.len() * size_of::<Root>()
            + self.asks.len() * size_of::<Ask>()
            + self.changes.len() * size_of::<Change>()
            + self.acts.len() * size_of::<Act>()
            + self.table.len() * 20
    }

    fn expand(&mut self, at: At<'_, '_>, mut next: impl FnMut(u64)) -> Option<Summary> {
        let mut summary = Summary::default();
        self.standing.clear();
        let alone = match at.space.reduction().alone {
            true => self.lonely(at)?,
            false => None,
        };
        for place in 0..self.places.len() {
            let root = self.root(at, place)?;
            if root.ask == NOBODY {
                continue;
            }
            summary.pending += 1;
            if alone.is_some_and(|alone| alone != place) {
                summary.reduced = true;
                continue;
            }
            self.steps(at, place, root.ask, &mut summary, &mut next)?;
        }
        // Races are reported with rows, so the machine expands such a state.
        let mut races = false;
        each_race(&self.standing, |_, _| races = true);
        (summary.enabled && !races).then_some(summary)
    }

    /// The local state at a place.
    #[inline]
    fn root(&mut self, at: At<'_, '_>, place: usize) -> Option<Root> {
        let Place {
            shift, mask, roots, ..
        } = self.places[place];
        let code = at.bits >> shift & mask;
        let number = roots + usize::try_from(code).unwrap_or(0);
        let root = self.roots[number];
        match root.known {
            true => Some(root),
            false => self.ask_for_root(at, place, number),
        }
    }

    #[cold]
    fn ask_for_root(&mut self, at: At<'_, '_>, place: usize, number: usize) -> Option<Root> {
        let Place { leaf, roots, .. } = self.places[place];
        let root = self.roots[number];
        let root = match at.task(leaf, (number - roots) as u64) {
            0 => Root {
                ask: NOBODY,
                lonely: Some(false),
                known: true,
            },
            local => {
                let (node, lonely) = at.memo.root(local)?;
                let ask = match root.ask {
                    0 => self.unknown(node..node + 1)?,
                    ask => ask,
                };
                let known = lonely.is_some() || !at.space.reduction().alone;
                Root { ask, lonely, known }
            }
        };
        self.roots[number] = root;
        Some(root)
    }

    /// The first task that is to be run alone. The outer `None` says that this is not known of a task before it.
    fn lonely(&mut self, at: At<'_, '_>) -> Option<Option<usize>> {
        for place in 0..self.places.len() {
            if self.root(at, place)?.lonely? {
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
            let mut question = self.asks[ask as usize];
            // Most questions are of this kind: a loop of its own spares a jump by table.
            while let Ask::Bits { shift, mask, first } = question {
                ask = first + u32::try_from(bits(shift, mask)).ok()?;
                question = self.asks[ask as usize];
            }
            ask = match question {
                Ask::Bits { .. } => ask,
                Ask::Go(change) => {
                    self.go_to(at, place, change, next)?;
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
                Ask::Part { part, first } => {
                    let (field, part) = self.parts[part as usize];
                    first + part.of(at.value(field)?)
                }
                Ask::Gone { field, first } => {
                    first + u32::from(at.value(field as usize)? << 32 == 0)
                }
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

    #[inline]
    fn go_to(
        &mut self,
        at: At<'_, '_>,
        place: usize,
        change: u32,
        next: &mut impl FnMut(u64),
    ) -> Option<()> {
        let Change {
            keep,
            put,
            wide,
            acts,
        } = self.changes[change as usize];
        if acts.0 < acts.1 {
            self.stand(place, acts)?;
        }
        let changed = at.bits & keep | put;
        if wide.is_none() && at.whole.owns(changed) {
            next(at.whole.key(changed));
            return Some(());
        }
        let wide = wide.map(|code| (self.places[place].leaf, code));
        next(at.tables.rewritten(at.format, changed, wide)?);
        Some(())
    }

    /// Notes what the task at a place accesses that may race.
    #[cold]
    fn stand(&mut self, place: usize, (from, to): (u32, u32)) -> Option<()> {
        let (place, way) = (u32::try_from(place).ok()?, 0);
        let acts = self.acts[from as usize..to as usize].iter();
        let all = acts.map(|&act| Standing { place, way, act });
        self.standing.extend(all);
        Some(())
    }

    /// Adds nodes of the memory that are not written down yet, in a row. Returns the first one's number.
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
                let bits = mask >> mask.trailing_zeros();
                match at.place(leaf as usize, u32::from(shift), bits.count_ones()) {
                    Some(Found::Bits(shift)) if row => Ask::Bits {
                        shift: u8::try_from(shift).ok()?,
                        mask: bits,
                        first: self.unknown(first..first + bits + 1)?,
                    },
                    Some(Found::Bits(shift)) => Ask::Table {
                        shift: u8::try_from(shift).ok()?,
                        mask: bits,
                        node,
                    },
                    Some(Found::Part(field, part)) if row => {
                        self.parts.push((field, part));
                        Ask::Part {
                            part: u32::try_from(self.parts.len() - 1).ok()?,
                            first: self.unknown(first..first + bits + 1)?,
                        }
                    }
                    _ => Ask::Machine,
                }
            }
            Node::Finished { task, first } => match at.space.leaf_of(task) {
                Some(leaf) if leaf < at.format.leaves() => Ask::Gone {
                    field: u32::try_from(leaf).ok()?,
                    first: self.unknown(first..first + 2)?,
                },
                _ => Ask::Machine,
            },
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

    /// What a step does that leaves its task in a local state. `None` if that has no code yet; `Machine` if bits cannot tell.
    fn go(&mut self, at: At<'_, '_>, place: usize, local: u32, way: Way<'_>) -> Option<Ask> {
        let Place {
            shift, mask, leaf, ..
        } = self.places[place];
        // The field may hold variables beside the local state.
        let mut own = at.value(leaf)? >> 32 << 32 | u64::from(local);
        let mut change = Change {
            keep: !(mask << shift),
            put: 0,
            wide: None,
            acts: (0, 0),
        };
        for write in way.writes {
            if at.write(write, leaf, &mut own, &mut change).is_none() {
                return Some(Ask::Machine);
            }
        }
        let code = at.tables.known(leaf, own)?;
        match at.format.has_room(leaf, code) {
            true => change.put |= u64::from(code) << shift,
            false => change.wide = Some(code),
        }
        if way.acts.iter().any(|act| act.late) {
            return Some(Ask::Machine);
        }
        change.acts.0 = u32::try_from(self.acts.len()).ok()?;
        self.acts.extend_from_slice(way.acts);
        change.acts.1 = u32::try_from(self.acts.len()).ok()?;
        let number = u32::try_from(self.changes.len()).ok()?;
        self.changes.push(change);
        Some(Ask::Go(number))
    }
}

/// Where a variable is.
enum Found {
    /// From a bit of the key on.
    Bits(u32),
    /// In what a field holds.
    Part(usize, Part),
}

impl At<'_, '_> {
    /// The first bit of a leaf, if the leaf is written as it is.
    fn plain(&self, leaf: usize) -> Option<u32> {
        let (from, _) = self.format.bits(leaf)?;
        self.tables.is_plain(leaf).then_some(from)
    }

    /// What a field holds.
    fn value(&self, field: usize) -> Option<u64> {
        let (shift, width) = self.format.bits(field)?;
        let code = self.bits >> shift & ((1 << width) - 1);
        Some(self.tables.value(field, u32::try_from(code).ok()?))
    }

    /// The task in a field; 0 is none. Variables may stand behind it.
    fn task(&self, field: usize, code: u64) -> u32 {
        let value = self.tables.value(field, u32::try_from(code).unwrap_or(0));
        u32::try_from(value & u64::from(u32::MAX)).unwrap_or(0)
    }

    /// Where some bits of a leaf are.
    fn place(&self, leaf: usize, shift: u32, bits: u32) -> Option<Found> {
        let Some(mut parts) = self.tables.parts_of(leaf) else {
            return self.plain(leaf).map(|from| Found::Bits(from + shift));
        };
        let (field, part) = parts.find(|(_, part)| (part.shift, part.bits) == (shift, bits))?;
        Some(match self.plain(field) {
            Some(from) => Found::Bits(from + part.at),
            None => Found::Part(field, part),
        })
    }

    /// Adds a write to a change, or to what the task's own field holds. `None` if it changes another task's field.
    fn write(&self, write: &Write, leaf: usize, own: &mut u64, change: &mut Change) -> Option<()> {
        let cleared = !write.keep;
        let mut at = |from: u32, cleared: u32, put: u32| {
            change.keep &= !(u64::from(cleared) << from);
            change.put = change.put & !(u64::from(cleared) << from) | u64::from(put) << from;
        };
        let Some(parts) = self.tables.parts_of(write.leaf as usize) else {
            let from = self.plain(write.leaf as usize)?;
            let (_, width) = self.format.bits(write.leaf as usize)?;
            at(from, cleared & (u32::MAX >> (32 - width)), write.bits);
            return Some(());
        };
        for (field, part) in parts {
            let (cleared, put) = (part.among(cleared), part.among(write.bits));
            if cleared == 0 {
                continue;
            }
            match self.plain(field) {
                Some(from) => at(from + part.at, cleared, put),
                None if field == leaf => *own = part.put(*own, part.of(*own) & !cleared | put),
                None => return None,
            }
        }
        Some(())
    }
}
