//! States travel with the sender's own numbers. Before the sender uses a number for the first time, it tells what that names.

use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};

use ir::TypeId;

use super::link::{Body, Link};
use super::names::{Leaf, Names};
use machine::code::UNDEF;
use machine::lock;
use machine::pack::Named;
use machine::tables::{Tables, Tree, TreePart};

/// What a number of the sender's names.
#[derive(Debug, Serialize, Deserialize)]
enum Define {
    /// A local state, with the sender's names of trees in it.
    Local(u32, Vec<u8>),
    Wide(u32, i64),
    /// A tree that has the same element everywhere: its type, its name, the slots of the element.
    Element(u32, u32, Vec<i64>),
    /// A tree that is made of other trees: its type, its name, the names of its parts.
    Node(u32, u32, [u32; 16]),
}

/// States, and what has to be known to read them.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Block {
    names: Vec<Define>,
    /// For each state: the number of its leaves, a bit for each leaf that differs from the state before, and these leaves.
    rows: Vec<u32>,
}

/// How many leaves have their bits in one number.
const WORD: usize = 32;

/// The writer sends a block when it has about this many numbers.
const FULL: usize = 1 << 16;

/// Writes states for one reader, which reads all that is written, in this order.
#[derive(Debug, Default)]
pub(super) struct Writer {
    locals: Vec<bool>,
    wide: FxHashSet<u32>,
    trees: FxHashSet<(Tree, TypeId)>,
    block: Block,
    size: usize,
    /// The row before.
    row: Vec<u32>,
    /// Whether the reader is in the same process, where all workers share the names.
    near: bool,
}

impl Writer {
    /// Makes a writer. `near` says whether its reader is in the same process.
    pub fn new(near: bool) -> Self {
        Self {
            near,
            ..Self::default()
        }
    }

    /// Adds a row. Returns whether the block is large enough to be sent.
    pub fn push(&mut self, names: &Names<'_>, row: &[u32]) -> bool {
        let begin = self.block.rows.len();
        let rows = &mut self.block.rows;
        rows.push(u32::try_from(row.len()).unwrap_or(u32::MAX));
        rows.resize(begin + 1 + row.len().div_ceil(WORD), 0);
        self.row.resize(row.len(), 0);
        for (leaf, &value) in row.iter().enumerate() {
            if self.row[leaf] == value {
                continue;
            }
            self.row[leaf] = value;
            self.block.rows[begin + 1 + leaf / WORD] |= 1 << (leaf % WORD);
            self.block.rows.push(value);
            if !self.near {
                self.tell(names, leaf, value);
            }
        }
        self.size += self.block.rows.len() - begin;
        self.size >= FULL
    }

    /// Tells what a leaf names, if the reader does not know it yet.
    fn tell(&mut self, names: &Names<'_>, leaf: usize, value: u32) {
        match names.leaf(leaf) {
            Leaf::Task if value != 0 => self.tell_local(names, value),
            Leaf::Slot(slot, ty) => match (slot.named(value), ty) {
                (Named::Wide(id), _) => self.tell_wide(names, id),
                (Named::Tree(tree), Some(ty)) => {
                    self.tell_tree(names, &lock(&names.shared.tables), tree, ty);
                }
                _ => {}
            },
            Leaf::Task | Leaf::Plain => {}
        }
    }

    /// Adds a row for a worker, and sends the block if it is large enough.
    pub fn send(&mut self, names: &Names<'_>, row: &[u32], to: usize, link: &mut Link) {
        if self.push(names, row)
            && let Some(rows) = self.take()
        {
            link.send(to, rows);
        }
    }

    /// Returns the rows that were added since the last call, if there are any.
    pub fn take(&mut self) -> Option<Body> {
        if self.block.rows.is_empty() {
            return None;
        }
        self.size = 0;
        let block = std::mem::take(&mut self.block);
        match self.near {
            true => Some(Body::Rows(block.rows)),
            false => postcard::to_stdvec(&block).ok().map(Body::Made),
        }
    }

    fn tell_local(&mut self, names: &Names<'_>, local: u32) {
        let at = local as usize;
        if self.locals.get(at) == Some(&true) {
            return;
        }
        if at >= self.locals.len() {
            self.locals.resize(at + 1, false);
        }
        self.locals[at] = true;
        let tables = lock(&names.shared.tables);
        let bytes = tables.locals.get(local).to_vec();
        if names.shared.code.has_local_trees() {
            let mut held = Vec::new();
            names.shared.with_trees(&bytes, |proc, register, tree| {
                held.extend(names.register(proc, register).map(|ty| (tree, ty)));
                tree
            });
            for (tree, ty) in held {
                self.tell_tree(names, &tables, u32::try_from(tree).unwrap_or(0), ty);
            }
        }
        self.define(bytes.len(), Define::Local(local, bytes));
    }

    fn tell_wide(&mut self, names: &Names<'_>, id: u32) {
        if self.wide.insert(id) {
            let value = lock(&names.shared.tables).wide.get(id);
            self.define(8, Define::Wide(id, value));
        }
    }

    fn tell_tree(&mut self, names: &Names<'_>, tables: &Tables, tree: Tree, ty: TypeId) {
        if tree == 0 || !self.trees.insert((tree, ty)) {
            return;
        }
        match tables.trees.part(tree) {
            TreePart::Element(slots) => {
                for (&slot, inner) in slots.iter().zip(names.element(ty)) {
                    if let (Some(inner), Ok(tree)) = (inner, u32::try_from(slot)) {
                        self.tell_tree(names, tables, tree, inner);
                    }
                }
                self.define(slots.len() * 4, Define::Element(ty.0, tree, slots.into()));
            }
            TreePart::Node(children) => {
                for child in children {
                    self.tell_tree(names, tables, child, ty);
                }
                self.define(64, Define::Node(ty.0, tree, children));
            }
        }
    }

    fn define(&mut self, bytes: usize, define: Define) {
        self.size += bytes / 4 + 1;
        self.block.names.push(define);
    }
}

/// The error for a block that cannot be read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Unreadable;

/// Reads what one writer has written.
#[derive(Debug, Default)]
pub(super) struct Reader {
    /// By the writer's number of a local state: the reader's own number, or 0 if the writer has not told it.
    locals: Vec<u32>,
    wide: FxHashMap<u32, u32>,
    trees: FxHashMap<(u32, Tree), Tree>,
    /// The last row, and below, the leaves in which it differs from the row before.
    row: Vec<u32>,
    changed: Vec<u32>,
}

/// Writers number local states in order, so a number that lies this far beyond all others is an error.
const GAP: usize = 1 << 26;

impl Reader {
    /// Calls `each` for the states of a block, in this process's numbers. Names the leaves that differ from the state before,
    /// if that state has as many leaves.
    pub fn read(
        &mut self,
        names: &Names<'_>,
        body: &Body,
        each: impl FnMut(&[u32], Option<&[u32]>),
    ) -> Result<(), Unreadable> {
        if let Body::Rows(rows) = body {
            return self.each_row(rows, each, |_, _, value| Ok(value));
        }
        let block: Block = postcard::from_bytes(body.bytes()).map_err(|_| Unreadable)?;
        for define in block.names {
            self.learn(names, define)?;
        }
        self.each_row(&block.rows, each, |reader, leaf, value| {
            reader.translate(names, leaf, value)
        })
    }

    fn each_row(
        &mut self,
        mut rows: &[u32],
        mut each: impl FnMut(&[u32], Option<&[u32]>),
        own: impl Fn(&Self, usize, u32) -> Result<u32, Unreadable>,
    ) -> Result<(), Unreadable> {
        while let Some((&len, after)) = rows.split_first() {
            let len = len as usize;
            let words = after.split_at_checked(len.div_ceil(WORD));
            let (words, after) = words.ok_or(Unreadable)?;
            rows = after;
            let same = len == self.row.len();
            self.row.resize(len, 0);
            self.changed.clear();
            for (first, &word) in (0u32..).step_by(WORD).zip(words) {
                let mut left = word;
                while left != 0 {
                    let leaf = first + left.trailing_zeros();
                    left &= left - 1;
                    let (&value, after) = rows.split_first().ok_or(Unreadable)?;
                    rows = after;
                    let value = own(self, leaf as usize, value)?;
                    *self.row.get_mut(leaf as usize).ok_or(Unreadable)? = value;
                    self.changed.push(leaf);
                }
            }
            each(&self.row, same.then_some(&self.changed));
        }
        Ok(())
    }

    /// Returns the value of a leaf in this process's numbers.
    fn translate(&self, names: &Names<'_>, leaf: usize, value: u32) -> Result<u32, Unreadable> {
        Ok(match names.leaf(leaf) {
            Leaf::Plain => value,
            Leaf::Task if value == 0 => 0,
            Leaf::Task => {
                let own = self.locals.get(value as usize).copied();
                own.filter(|&own| own != 0).ok_or(Unreadable)?
            }
            Leaf::Slot(slot, ty) => match (slot.named(value), ty) {
                (Named::Wide(id), _) => {
                    let value = self.wide.get(&id).ok_or(Unreadable)?;
                    slot.wide(*value)
                }
                (Named::Tree(tree), Some(ty)) => self.tree(ty.0, tree)?,
                _ => value,
            },
        })
    }

    fn tree(&self, ty: u32, tree: Tree) -> Result<Tree, Unreadable> {
        if tree == 0 {
            return Ok(0);
        }
        self.trees.get(&(ty, tree)).copied().ok_or(Unreadable)
    }

    fn learn(&mut self, names: &Names<'_>, define: Define) -> Result<(), Unreadable> {
        let mut tables = lock(&names.shared.tables);
        match define {
            Define::Local(id, bytes) => {
                let own = self.local(names, &mut tables, &bytes)?;
                let at = id as usize;
                if at > self.locals.len() + GAP {
                    return Err(Unreadable);
                }
                if at >= self.locals.len() {
                    self.locals.resize(at + 1, 0);
                }
                self.locals[at] = own;
            }
            Define::Wide(id, value) => {
                self.wide.insert(id, tables.wide.intern(value));
            }
            Define::Element(ty, id, slots) => {
                let inner = names.element(TypeId(ty));
                if inner.len() != slots.len() {
                    return Err(Unreadable);
                }
                let own = |(slot, inner): (i64, Option<TypeId>)| match (inner, u32::try_from(slot))
                {
                    (Some(inner), Ok(tree)) if slot != UNDEF => {
                        Ok(self.tree(inner.0, tree)?.into())
                    }
                    _ => Ok(slot),
                };
                let slots: Result<Box<[i64]>, Unreadable> =
                    slots.into_iter().zip(inner).map(own).collect();
                let own = tables.trees.join(TreePart::Element(slots?));
                self.trees.insert((ty, id), own);
            }
            Define::Node(ty, id, children) => {
                let mut own = [0; 16];
                for (own, child) in own.iter_mut().zip(children) {
                    *own = self.tree(ty, child)?;
                }
                let own = tables.trees.join(TreePart::Node(own));
                self.trees.insert((ty, id), own);
            }
        }
        Ok(())
    }

    fn local(
        &self,
        names: &Names<'_>,
        tables: &mut Tables,
        bytes: &[u8],
    ) -> Result<u32, Unreadable> {
        if !names.shared.code.has_local_trees() {
            return Ok(tables.locals.intern(bytes));
        }
        let mut known = true;
        let bytes = names.shared.with_trees(bytes, |proc, register, tree| {
            let ty = names.register(proc, register);
            let tree = u32::try_from(tree).ok();
            let own = ty
                .zip(tree)
                .and_then(|(ty, tree)| self.tree(ty.0, tree).ok());
            known &= own.is_some();
            own.unwrap_or(0).into()
        });
        if known {
            Ok(tables.locals.intern(&bytes))
        } else {
            Err(Unreadable)
        }
    }
}
