//! Rows into keys and back.

use super::dict::Dict;
use super::format::{Format, KEY, Whole};
use super::layout::{Layout, Part};
use super::pairs::{BITS, Full, Pairs, Spare};
use super::shape::Child;

/// What keys are made of.
#[derive(Debug)]
pub struct Tables {
    pairs: Pairs,
    layout: Layout,
    /// By field: its values; `None` for fields that are written as they are.
    dicts: Vec<Option<Dict>>,
    /// The widths of the fields that are written as they are.
    widths: Vec<Option<u32>>,
    formats: Vec<Format>,
    /// The least length of a row.
    least: usize,
}

/// What has to be added before a row can be written.
#[derive(Clone, Copy, Debug)]
pub(super) enum Missing {
    Pair,
    /// A value of a leaf.
    Value,
    /// A format for rows of that length.
    Length(usize),
}

impl From<Full> for Missing {
    fn from(_: Full) -> Self {
        Self::Pair
    }
}

/// So many formats can be told apart in a key.
const FORMATS: usize = 62;
/// A field gets at most so many bits more than it needs.
const MORE: u32 = 2;
/// From so many formats on, new ones have room for every code.
const WIDE: usize = 40;

/// What a worker needs to fold: the row at hand, in pieces.
#[derive(Debug, Default)]
pub struct Fold {
    spare: Spare,
    /// The row at hand: its format, what its key holds (`top`), its pieces, and the numbers of the nodes over them (`ids`).
    /// A row that is its own key has no pieces.
    format: usize,
    top: u64,
    /// The first format with room for as many leaves as the row at hand has.
    base: usize,
    pieces: Vec<u32>,
    ids: Vec<u32>,
    /// For each leaf, the first format that has room for it.
    needs: Vec<u8>,
    /// The pieces and the numbers of nodes of the row that is written.
    other_pieces: Vec<u32>,
    other_ids: Vec<u32>,
    /// Nodes to be numbered anew, as bits.
    dirty: Vec<u64>,
}

impl Tables {
    /// No values and no rows yet. `widths` are the leaves that are written as they are.
    pub fn new(mut widths: Vec<Option<u32>>, layout: Layout) -> Self {
        for (field, width) in widths.iter_mut().enumerate() {
            if let Some(parts) = layout.parts(field) {
                *width = Some(parts.iter().map(|part| part.bits).sum());
            }
        }
        Self {
            pairs: Pairs::new(),
            layout,
            dicts: Vec::new(),
            least: widths.len(),
            widths,
            formats: Vec::new(),
        }
    }

    pub fn bytes(&self) -> u64 {
        let dicts = self.dicts.iter().flatten().map(Dict::bytes).sum::<u64>();
        self.pairs.bytes() + dicts
    }

    pub fn exhausted(&self) -> bool {
        let full = |d: &Dict| d.len() >> BITS != 0;
        self.pairs.exhausted()
            || self.formats.len() >= FORMATS
            || self.dicts.iter().flatten().any(full)
    }

    /// The same values, and a format with room for all of them, if rows are their own keys now, in several formats.
    pub(super) fn in_one_format(&self) -> Option<Self> {
        let last = self.formats.last().filter(|_| self.formats.len() > 1)?;
        last.whole.as_ref()?;
        let numbered = |leaf: &usize| self.dicts[*leaf].is_some();
        let mut widths: Vec<u32> = (0..last.leaves()).map(|leaf| last.width(leaf)).collect();
        let free = KEY - widths.iter().sum::<u32>();
        let fields = u32::try_from((0..widths.len()).filter(numbered).count()).unwrap_or(u32::MAX);
        // Other values will come: half of the free bits are for them.
        let more = (free / 2 / fields.max(1)).min(MORE);
        for leaf in (0..widths.len()).filter(numbered) {
            widths[leaf] = (widths[leaf] + more).min(BITS);
        }
        let all = |dict: &Option<Dict>| dict.as_ref().map(Dict::with_room);
        Some(Self {
            pairs: Pairs::new(),
            layout: self.layout.clone(),
            dicts: self.dicts.iter().map(all).collect(),
            widths: self.widths.clone(),
            formats: vec![Format::new(&widths, &[], self.least)],
            least: self.least,
        })
    }

    /// Returns the new key of a row that is its own key in the tables from which [`Self::in_one_format`] made these.
    pub(super) fn moved(&self, old: &Self, key: u64) -> Option<u64> {
        let [format] = &self.formats[..] else {
            return None;
        };
        let (_, before, _, bits) = old.whole(key)?;
        let put = |row, field| format.put_whole(row, field, before.get_whole(bits, field));
        let whole = format.whole.as_ref()?;
        Some(whole.key((0..before.leaves()).fold(0, put)))
    }

    pub(super) fn load(&self, key: u64, row: &mut Vec<u32>, fold: &mut Fold) {
        let (format, top) = split(key);
        (fold.format, fold.top) = (format, top);
        let format = &self.formats[format];
        row.clear();
        if format.whole.is_some() {
            row.resize(format.leaves(), 0);
            for field in 0..format.leaves() {
                let value = self.value(field, format.get_whole(top, field));
                self.layout.spread(field, value, row);
            }
        } else {
            self.unfold(format, row, fold);
        }
        while row.len() > self.least && row.last() == Some(&0) {
            row.pop();
        }
        fold.base = self.first(row.len());
    }

    /// Makes the row of a key with so many leaves the row at hand, if it is its own key. Answers whether it is.
    pub fn hold(&self, key: u64, leaves: usize, fold: &mut Fold) -> bool {
        let (format, top) = split(key);
        (fold.format, fold.top, fold.base) = (format, top, self.first(leaves));
        self.formats[format].whole.is_some()
    }

    /// Returns the format of a row that is its own key, with the format's number before it, and the row's bits behind.
    pub fn whole(&self, key: u64) -> Option<(usize, &Format, &Whole, u64)> {
        let (number, bits) = split(key);
        let format = self.formats.get(number)?;
        Some((number, format, format.whole.as_ref()?, bits))
    }

    /// The code of a field's value, if it has one; plain fields have their values as codes.
    pub fn known(&self, field: usize, value: u64) -> Option<u32> {
        self.code(field, value).ok().map(|(code, _)| code)
    }

    /// Whether a field is written as it is.
    pub fn is_plain(&self, field: usize) -> bool {
        matches!(self.dicts.get(field), Some(None))
    }

    pub fn value(&self, field: usize, code: u32) -> u64 {
        match &self.dicts[field] {
            Some(dict) => dict.value(code),
            None => code.into(),
        }
    }

    /// Returns the key of a row that has to be written in another format than the given one. `bits` are its bits in the given
    /// one; `other` is a field whose code has no room there. `None` if the row is not its own key.
    pub fn rewritten(
        &self,
        format: &Format,
        bits: u64,
        other: Option<(usize, u32)>,
    ) -> Option<u64> {
        let code = |field: usize| match other {
            Some((other, code)) if other == field => code,
            _ => format.get_whole(bits, field),
        };
        let (mut need, mut len) = (0, self.least);
        for field in 0..format.leaves() {
            let code = code(field);
            if code != 0 {
                len = len.max(field + 1);
                let dict = self.dicts[field].as_ref();
                need = need.max(dict.map_or(0, |dict| usize::from(dict.need(code))));
            }
        }
        let format = &self.formats[need.max(self.first(len))];
        let whole = format.whole.as_ref()?;
        let put = |bits, field| format.put_whole(bits, field, code(field));
        Some(whole.key((0..len).fold(0, put)))
    }

    /// The parts of a field, if it is not its own leaf.
    pub fn parts(&self, field: usize) -> Option<&[Part]> {
        self.layout.parts(field)
    }

    /// Returns the fields with bits of a leaf, each with its part of the leaf. `None` if the leaf is a field by itself.
    pub fn parts_of(&self, leaf: usize) -> Option<impl Iterator<Item = (usize, Part)>> {
        let holders = self.layout.holders(leaf)?.iter();
        Some(holders.flat_map(move |&field| {
            let parts = self.layout.parts(field).unwrap_or_default();
            let mine = parts.iter().filter(move |part| part.leaf as usize == leaf);
            mine.map(move |&part| (field, part))
        }))
    }

    /// Whether some rows do not fit into a key.
    pub fn is_folded(&self) -> bool {
        self.formats.last().is_some_and(|f| f.whole.is_none())
    }

    /// Reads the pieces of the row at hand.
    fn unfold(&self, format: &Format, row: &mut Vec<u32>, fold: &mut Fold) {
        let shape = &format.shape;
        fold.ids.clear();
        fold.ids.resize(shape.nodes.len(), 0);
        fold.pieces.clear();
        fold.pieces.resize(shape.leaves as usize, 0);
        let Fold { ids, pieces, .. } = fold;
        let mut set = |ids: &mut Vec<u32>, children: [Child; 2], pair: u64| {
            for (child, value) in children.into_iter().zip([high(pair), low(pair)]) {
                match child {
                    Child::Leaf(leaf) => pieces[leaf as usize] = value,
                    Child::Inner(inner) => ids[inner as usize] = value,
                }
            }
        };
        set(ids, shape.root, fold.top);
        for node in (0..shape.nodes.len()).rev() {
            let pair = self.pairs.get(ids[node]);
            set(ids, shape.nodes[node], pair);
        }
        fold.needs.clear();
        row.resize(format.leaves(), 0);
        for field in 0..format.leaves() {
            let code = format.get(&fold.pieces, field);
            let (value, need) = match &self.dicts[field] {
                Some(dict) => (dict.value(code), dict.need(code)),
                None => (code.into(), 0),
            };
            self.layout.spread(field, value, row);
            fold.needs.push(need);
        }
    }

    /// The first format with room for so many leaves.
    fn first(&self, len: usize) -> usize {
        self.formats.partition_point(|f| f.leaves() < len)
    }

    /// The code of a field's value, and the first format that has room for it.
    fn code(&self, field: usize, value: u64) -> Result<(u32, u8), Missing> {
        match self.dicts.get(field) {
            Some(None) => Ok((u32::try_from(value).unwrap_or(u32::MAX), 0)),
            Some(Some(dict)) => {
                let code = dict.code(value).ok_or(Missing::Value)?;
                Ok((code, dict.need(code)))
            }
            None => Err(Missing::Value),
        }
    }

    pub(super) fn key(
        &self,
        row: &[u32],
        changed: Option<&[u32]>,
        fold: &mut Fold,
    ) -> Result<u64, Missing> {
        let Some(changed) = changed else {
            return self.write(row, fold);
        };
        if self.formats[fold.format].whole.is_some() {
            if let Some(key) = self.change_whole(row, changed, fold)? {
                return Ok(key);
            }
        } else if self.change(row, changed, fold)? {
            return self.number(fold.format, fold);
        }
        self.write(row, fold)
    }

    /// The key of a row that differs from the row at hand in some leaves, if both are their own keys in the same format.
    fn change_whole(
        &self,
        row: &[u32],
        changed: &[u32],
        fold: &Fold,
    ) -> Result<Option<u64>, Missing> {
        let format = &self.formats[fold.format];
        let mut bits = fold.top;
        let mut put = |field: usize| {
            let (code, _) = self.code(field, self.layout.value(row, field))?;
            let room = format.has_room(field, code);
            if room {
                bits = format.put_whole(bits, field, code);
            }
            Ok::<_, Missing>(room)
        };
        for &leaf in changed {
            let at = leaf as usize;
            for &field in self.layout.holders(at).unwrap_or(&[at]) {
                if !put(field)? {
                    return Ok(None);
                }
            }
        }
        let whole = format.whole.as_ref().filter(|whole| whole.owns(bits));
        Ok(whole.map(|whole| whole.key(bits)))
    }

    /// Writes the changed leaves over a copy of the row at hand, if the new row stays in its format.
    fn change(&self, row: &[u32], changed: &[u32], fold: &mut Fold) -> Result<bool, Missing> {
        if !self.layout.is_simple() {
            return Ok(false);
        }
        let current = fold.format;
        let (mut need, mut lost) = (fold.base, false);
        for &leaf in changed {
            let at = leaf as usize;
            need = need.max(self.code(at, row[at].into())?.1 as usize);
            lost |= fold.needs[at] as usize == current;
        }
        let kept = || {
            let others = (0u32..)
                .zip(&fold.needs)
                .filter(|(leaf, _)| !changed.contains(leaf));
            others
                .map(|(_, &need)| need as usize)
                .any(|need| need == current)
        };
        if need > current || need < current && lost && !kept() {
            return Ok(false);
        }
        let format = &self.formats[current];
        let shape = &format.shape;
        fold.other_pieces.clone_from(&fold.pieces);
        fold.other_ids.clone_from(&fold.ids);
        let nodes = shape.nodes.len();
        fold.dirty.clear();
        fold.dirty.resize(nodes.div_ceil(64), 0);
        let Fold {
            other_pieces,
            dirty,
            ..
        } = fold;
        for &leaf in changed {
            let at = leaf as usize;
            let (code, _) = self.code(at, row[at].into())?;
            format.put(other_pieces, at, code, |piece| {
                let mut node = shape.above_leaf[piece as usize] as usize;
                while node < nodes && dirty[node / 64] >> (node % 64) & 1 == 0 {
                    dirty[node / 64] |= 1 << (node % 64);
                    node = shape.above[node] as usize;
                }
            });
        }
        Ok(true)
    }

    /// Writes a whole row in the first format that has room for it.
    fn write(&self, row: &[u32], fold: &mut Fold) -> Result<u64, Missing> {
        let len = self.layout.len(row);
        let first = self.first(len);
        if first == self.formats.len() {
            return Err(Missing::Length(len));
        }
        let code = |field: usize| self.code(field, self.layout.value(row, field));
        let mut need = first;
        for field in 0..len {
            need = need.max(code(field)?.1 as usize);
        }
        let format = &self.formats[need];
        if let Some(whole) = &format.whole {
            let mut bits = 0;
            for field in 0..len {
                bits = format.put_whole(bits, field, code(field)?.0);
            }
            return Ok(whole.key(bits));
        }
        fold.other_pieces.clear();
        fold.other_pieces.resize(format.shape.leaves as usize, 0);
        for field in 0..len {
            format.put(&mut fold.other_pieces, field, code(field)?.0, |_| {});
        }
        let nodes = format.shape.nodes.len();
        fold.other_ids.clear();
        fold.other_ids.resize(nodes, 0);
        fold.dirty.clear();
        fold.dirty.resize(nodes.div_ceil(64), u64::MAX);
        if let (Some(last), true) = (fold.dirty.last_mut(), !nodes.is_multiple_of(64)) {
            *last = (1 << (nodes % 64)) - 1;
        }
        self.number(need, fold)
    }

    /// Numbers the dirty nodes over the other row's pieces. Returns that row's key.
    fn number(&self, number: usize, fold: &mut Fold) -> Result<u64, Missing> {
        let shape = &self.formats[number].shape;
        let Fold {
            other_pieces,
            other_ids,
            dirty,
            spare,
            ..
        } = fold;
        for (word, bits) in dirty.iter_mut().enumerate() {
            while *bits != 0 {
                let node = word * 64 + bits.trailing_zeros() as usize;
                *bits &= *bits - 1;
                let pair = pair(shape.nodes[node], other_pieces, other_ids);
                other_ids[node] = self.pairs.intern(pair, spare)?;
            }
        }
        let top = pair(shape.root, other_pieces, other_ids);
        Ok((number as u64 + 1) << KEY | top)
    }

    /// Adds what is missing. If that is a value, adds all values of the row that are missing.
    pub(super) fn add(&mut self, missing: Missing, row: &[u32]) {
        match missing {
            Missing::Pair => self.pairs.grow(),
            Missing::Length(len) => self.add_format(len),
            Missing::Value => {
                for field in 0..self.layout.len(row) {
                    self.add_value(field, self.layout.value(row, field));
                }
            }
        }
    }

    fn add_value(&mut self, leaf: usize, value: u64) {
        while self.dicts.len() <= leaf {
            let plain = self
                .widths
                .get(self.dicts.len())
                .is_some_and(Option::is_some);
            self.dicts.push((!plain).then(Dict::new));
        }
        let Some(dict) = &mut self.dicts[leaf] else {
            return;
        };
        if dict.code(value).is_some() {
            return;
        }
        let code = dict.len();
        let need = self.formats.iter().position(|f| f.has_room(leaf, code));
        let need = need.unwrap_or(self.formats.len());
        dict.add(value, u8::try_from(need).unwrap_or(u8::MAX));
        if need == self.formats.len() {
            self.add_format(leaf + 1);
        }
    }

    /// A format that has room for all values so far, and some more.
    fn add_format(&mut self, len: usize) {
        let old = self.formats.last();
        let before = old.map_or(0, Format::leaves);
        let wide = self.formats.len() >= WIDE;
        let leaves = match len.max(self.least) {
            len if len <= before => before,
            len if before == 0 => len,
            // The last formats double, so that there are enough of them for any length.
            len if wide => len.max(before * 2),
            len => len.max(before + before / 4),
        };
        while self.dicts.len() < leaves {
            let plain = self
                .widths
                .get(self.dicts.len())
                .is_some_and(Option::is_some);
            self.dicts.push((!plain).then(Dict::new));
        }
        let width = |leaf: usize| {
            let dict = match &self.dicts[leaf] {
                None => return self.widths[leaf].unwrap_or(BITS),
                Some(_) if wide => return BITS,
                Some(dict) => dict,
            };
            let room = dict.len() + dict.len() / 4;
            let bits = 32 - (room - 1).leading_zeros();
            let old = old
                .filter(|f| leaf < f.leaves())
                .map_or(0, |f| f.width(leaf));
            bits.max(old).min(BITS)
        };
        let widths: Vec<u32> = (0..leaves).map(width).collect();
        let format = Format::new(&widths, &self.formats, self.least);
        self.formats.push(format);
    }
}

fn pair(children: [Child; 2], pieces: &[u32], ids: &[u32]) -> u64 {
    let [a, b] = children.map(|child| match child {
        Child::Leaf(leaf) => pieces[leaf as usize],
        Child::Inner(inner) => ids[inner as usize],
    });
    u64::from(a) << BITS | u64::from(b)
}

fn low(pair: u64) -> u32 {
    u32::try_from(pair & ((1 << BITS) - 1)).unwrap_or(0)
}

fn high(pair: u64) -> u32 {
    low(pair >> BITS)
}

/// A key's format and its root's pair.
fn split(key: u64) -> (usize, u64) {
    let format = usize::try_from(key >> KEY).unwrap_or(1);
    (format.saturating_sub(1), key & ((1 << KEY) - 1))
}
