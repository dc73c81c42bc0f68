//! What the numbers in a row name, and a hash of a row's content that every process computes alike.
//!
//! A global's leaf holds values, the id of a wide number, or the name of a tree. A task's leaf holds the number of a local
//! state, whose bytes may hold names of trees. Processes number these things differently, so a hash uses what each number
//! names.

use std::hash::Hasher;

use fnv::FnvHasher;
use rustc_hash::FxHashMap;

use ir::{Program, TypeId};

use machine::code::{Code, Domain, Instr, Layout, Repr, UNDEF};
use machine::pack::{Named, SlotCode};
use machine::space::Space;
use machine::tables::{Tables, Tree, TreePart};
use machine::{Shared, lock};

/// What a leaf holds.
#[derive(Clone, Copy, Debug)]
pub(super) enum Leaf {
    Plain,
    /// A slot that may name something, and its type if it is a tree.
    Slot(SlotCode, Option<TypeId>),
    Task,
}

/// What is known of the numbers in rows.
pub(super) struct Names<'s> {
    pub shared: &'s Shared,
    leaves: Vec<Leaf>,
    /// By procedure and register: the type of the tree in the register, if it holds one. Later registers are left out.
    registers: Vec<Vec<Option<TypeId>>>,
    /// By number of a local state: the hash of its content, or 0 if it is not known yet.
    locals: Vec<u64>,
    trees: FxHashMap<(Tree, TypeId), u64>,
    /// For each leaf, whether it counts in [`Self::owner_hash`]. Leaves beyond the end of this list count.
    pub chosen: Vec<bool>,
}

impl<'s> Names<'s> {
    /// The names of a program's states.
    pub fn new(program: &Program, space: Space<'s>) -> Self {
        let (shared, layout) = (space.shared, &space.shared.code.layout);
        let globals = program.globals.iter().flat_map(|g| trees_in(layout, g.ty));
        let types: Vec<Option<TypeId>> = globals.collect();
        let mut leaves = vec![Leaf::Plain; space.tasks];
        for (slot, &code) in shared.packing.slots.iter().enumerate() {
            let ty = types.get(slot).copied().flatten();
            // Small slots share a leaf, and name nothing.
            if code.bits == 32 {
                leaves[code.leaf as usize] = Leaf::Slot(code, ty);
            }
        }
        let registers = (shared.code.procs.iter().zip(&program.procs))
            .map(|(code, proc)| {
                let locals = proc.locals.iter();
                let mut types: Vec<_> = locals.flat_map(|l| trees_in(layout, l.ty)).collect();
                types.resize(code.locals.len(), None);
                types
            })
            .collect();
        Self {
            shared,
            leaves,
            registers,
            locals: Vec::new(),
            trees: FxHashMap::default(),
            chosen: Vec::new(),
        }
    }

    /// Checks whether the types are known of all trees that a resting task may hold.
    pub fn are_known(&self) -> bool {
        let code = &self.shared.code;
        let same = |(proc, types): (usize, &Vec<Option<TypeId>>)| {
            let locals = code.procs[proc]
                .locals
                .iter()
                .map(|l| l.domain == Domain::Tree);
            locals.eq(types.iter().map(Option::is_some))
        };
        self.registers.iter().enumerate().all(same)
            && !(has_trees(code) && keeps_more_than_locals(code))
    }

    /// What a leaf holds.
    pub fn leaf(&self, leaf: usize) -> Leaf {
        self.leaves.get(leaf).copied().unwrap_or(Leaf::Task)
    }

    /// The type of the tree in a register of a procedure.
    pub fn register(&self, proc: u32, register: u32) -> Option<TypeId> {
        let registers = self.registers.get(proc as usize)?;
        registers.get(register as usize).copied().flatten()
    }

    /// For each slot of a tree's elements the type of the tree in it, if there is one.
    pub fn element(&self, tree: TypeId) -> Vec<Option<TypeId>> {
        let layout = &self.shared.code.layout;
        match layout.repr(tree) {
            Repr::Tree { elem, .. } => trees_in(layout, *elem),
            _ => Vec::new(),
        }
    }

    /// The hash of a row's content.
    pub fn hash(&mut self, row: &[u32]) -> u64 {
        let parts = row.iter().enumerate();
        mix(parts.fold(0, |sum, (leaf, &value)| sum ^ self.part(leaf, value)))
    }

    /// Returns the hash that decides which worker owns a row: that of the chosen leaves.
    pub fn owner_hash(&mut self, row: &[u32]) -> u64 {
        let parts = row.iter().enumerate();
        mix(parts.fold(0, |sum, (leaf, &value)| sum ^ self.owner_part(leaf, value)))
    }

    /// Returns what a leaf adds to the sum from which [`Self::owner_hash`] is made.
    pub fn owner_part(&mut self, leaf: usize, value: u32) -> u64 {
        match self.chosen.get(leaf) {
            Some(false) => 0,
            _ => self.part(leaf, value),
        }
    }

    /// Returns what a leaf adds to the sum from which [`Self::hash`] is made. Each bit of a plain leaf adds its own part, so
    /// the bits may also be added in several portions.
    fn part(&mut self, leaf: usize, value: u32) -> u64 {
        let place = (leaf as u64 + 1).wrapping_mul(0xD6E8_FEB8_6659_FD93);
        if matches!(self.leaf(leaf), Leaf::Plain) {
            let (mut sum, mut left) = (0, value);
            while left != 0 {
                sum ^= mix(place ^ u64::from(left.trailing_zeros() + 1));
                left &= left - 1;
            }
            return sum;
        }
        match value {
            0 => 0,
            _ => mix(self.content(leaf, value) ^ place),
        }
    }

    fn content(&mut self, leaf: usize, value: u32) -> u64 {
        match self.leaf(leaf) {
            Leaf::Plain => value.into(),
            Leaf::Task => match self.locals.get(value as usize) {
                Some(&hash) if hash != 0 => hash,
                _ => self.local(value),
            },
            Leaf::Slot(slot, ty) => match (slot.named(value), ty) {
                (Named::Wide(id), _) => mix(lock(&self.shared.tables).wide.get(id).cast_unsigned()),
                (Named::Tree(tree), Some(ty)) => self.tree(&lock(&self.shared.tables), tree, ty),
                _ => value.into(),
            },
        }
    }

    /// Computes the hash of a local state and remembers it.
    fn local(&mut self, local: u32) -> u64 {
        let shared = self.shared;
        let tables = lock(&shared.tables);
        let mut hasher = FnvHasher::default();
        let bytes = tables.locals.get(local);
        if shared.code.has_local_trees() {
            let mut held = Vec::new();
            // All names of trees become 0 here, so the bytes are equal if everything else is.
            let bytes = shared.with_trees(bytes, |proc, register, tree| {
                held.push((self.register(proc, register), tree));
                0
            });
            hasher.write(&bytes);
            for (ty, tree) in held {
                let tree = u32::try_from(tree).unwrap_or(0);
                let hash = ty.map_or(0, |ty| self.tree(&tables, tree, ty));
                hasher.write(&hash.to_le_bytes());
            }
        } else {
            hasher.write(bytes);
        }
        let hash = mix(hasher.finish()).max(1);
        let at = local as usize;
        if at >= self.locals.len() {
            self.locals.resize(at + 1, 0);
        }
        self.locals[at] = hash;
        hash
    }

    /// Returns the hash of a tree, and remembers it.
    fn tree(&mut self, tables: &Tables, tree: Tree, ty: TypeId) -> u64 {
        if tree == 0 {
            return 0;
        }
        if let Some(&hash) = self.trees.get(&(tree, ty)) {
            return hash;
        }
        let mut hasher = FnvHasher::default();
        match tables.trees.part(tree) {
            TreePart::Element(slots) => {
                hasher.write_u8(0);
                for (&slot, inner) in slots.iter().zip(self.element(ty)) {
                    let hash = match (inner, u32::try_from(slot)) {
                        (Some(inner), Ok(tree)) if slot != UNDEF => self.tree(tables, tree, inner),
                        _ => slot.cast_unsigned(),
                    };
                    hasher.write(&hash.to_le_bytes());
                }
            }
            TreePart::Node(children) => {
                hasher.write_u8(1);
                for child in children {
                    let hash = self.tree(tables, child, ty);
                    hasher.write(&hash.to_le_bytes());
                }
            }
        }
        let hash = mix(hasher.finish());
        self.trees.insert((tree, ty), hash);
        hash
    }

    /// Roughly how much memory this takes.
    pub fn bytes(&self) -> u64 {
        (self.locals.capacity() * 8 + self.trees.capacity() * 17) as u64
    }
}

/// Returns, for each slot of a type, the type of the tree that the slot names, if it names one.
fn trees_in(layout: &Layout, ty: TypeId) -> Vec<Option<TypeId>> {
    match layout.repr(ty) {
        Repr::Scalar(_) => vec![None],
        Repr::Record(fields) => fields
            .iter()
            .flat_map(|&(_, t)| trees_in(layout, t))
            .collect(),
        Repr::Flat { elem, len, .. } => {
            let one = trees_in(layout, *elem);
            (0..*len).flat_map(|_| one.iter().copied()).collect()
        }
        Repr::Tree { .. } => vec![Some(ty)],
    }
}

fn has_trees(code: &Code) -> bool {
    code.slots.iter().any(|slot| slot.domain == Domain::Tree) || code.has_local_trees()
}

/// Checks whether a resting task may hold values beside its locals. The types of such values are not known.
fn keeps_more_than_locals(code: &Code) -> bool {
    let rest = (0u32..)
        .zip(&code.instrs)
        .filter_map(|(pc, instr)| match instr {
            Instr::Await => Some(pc + 1),
            Instr::Preempt { .. } => Some(code.follow(pc + 1)),
            Instr::Call { .. } => Some(pc),
            _ => None,
        });
    let more = |pc: u32| {
        let proc = &code.procs[code.proc_of[pc as usize] as usize];
        let locals = proc.locals.len();
        code.live(pc).iter().any(|&reg| reg as usize >= locals)
    };
    rest.into_iter().any(more)
}

/// Mixes the bits of a number.
pub(super) fn mix(n: u64) -> u64 {
    let n = (n ^ n >> 32).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let n = (n ^ n >> 29).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    n ^ n >> 32
}
