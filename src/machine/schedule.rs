//! An execution of this machine as a schedule that any machine can follow.
//!
//! The search names tasks by their places and makes choices when values are
//! needed. A schedule names tasks in the order of posting and makes choices where
//! the program leaves them open, so the execution is run once more, with a log.

use rustc_hash::FxHashMap;

use ir::{Program, TypeId, Value};
use trace::{Decision, Schedule};

use super::code::{Blank, Repr, UNDEF};
use super::found::Trail;
use super::space::{Numbers, Space, Step};
use super::values::Reader;
use crate::{Chosen, End, Logged, Memo, Place, Shared, Start, World};

/// A choice that is being put together.
struct Draft {
    decision: usize,
    ty: TypeId,
    slots: Vec<i64>,
    /// Parts of trees: slot, key, slot in the element, value.
    parts: Vec<(usize, i64, u32, i64)>,
}

struct ScheduleWriter<'a> {
    program: &'a Program,
    shared: &'a Shared,
    decisions: Vec<Decision>,
    drafts: Vec<Draft>,
    /// By task (0 for globals), depth and slot: the draft that the value belongs to, and the slot in that draft.
    open: FxHashMap<(u32, u32, u32), (usize, usize)>,
}

/// The schedule of an execution.
pub fn schedule<'s>(program: &Program, space: Space<'s>, trail: &Trail) -> Schedule {
    let mut memo = Memo::to_show(space.shared, 1 << 20);
    let mut scribe = ScheduleWriter {
        program,
        shared: space.shared,
        decisions: Vec::new(),
        drafts: Vec::new(),
        open: FxHashMap::default(),
    };
    let mut row = space.blank();
    let mut numbers = Numbers::default();
    if let Some(logged) = logged(&mut memo, &row, Start::Main, trail.begin) {
        scribe.write(1, &logged.log);
        space.begin_with(&mut row, &mut numbers, &logged);
    }
    for &step in &trail.steps {
        scribe.step(space, &mut memo, step, &mut row, &mut numbers);
    }
    if let (Some(way), Some(proc)) = (trail.finally, space.shared.finally)
        && let Some(logged) = logged(&mut memo, &row, Start::Finally(proc), way)
    {
        scribe.write(u32::MAX, &logged.log);
    }
    scribe.decisions.extend(trail.race.map(Decision::Race));
    scribe.finish()
}

fn logged(memo: &mut Memo<'_>, row: &[u32], start: Start, way: u32) -> Option<Logged> {
    let world = World {
        leaves: row,
        pending: &|_| false,
    };
    memo.logged(start, world, way)
}

impl ScheduleWriter<'_> {
    fn step<'s>(
        &mut self,
        space: Space<'s>,
        memo: &mut Memo<'s>,
        step: Step,
        row: &mut Vec<u32>,
        numbers: &mut Numbers,
    ) {
        let task = space.number_at(numbers, step.place);
        if step.delay {
            self.decisions.push(Decision::Delay(task));
            return space.delay_with(row, numbers, step);
        }
        self.decisions.push(Decision::Dispatch(task));
        let local = row[space.tasks + step.place as usize];
        let before = row.clone();
        let pending = |task: u32| space.is_pending(&before, task);
        let world = World {
            leaves: &before,
            pending: &pending,
        };
        if let Some(logged) = memo.logged(Start::Task(local), world, step.way) {
            self.write(task, &logged.log);
            if matches!(logged.end, End::Rests(_) | End::Finished) {
                space.step_with(row, numbers, step, &logged);
            }
        }
    }

    /// Writes down what a task forgot and chose.
    fn write(&mut self, task: u32, log: &[Chosen]) {
        for chosen in log {
            match *chosen {
                Chosen::Forgot(place, blanks) => self.forgot(task, place, blanks),
                Chosen::Slot(place, value) => {
                    if let Some(&(draft, slot)) = self.open.get(&key(task, place)) {
                        self.drafts[draft].slots[slot] = value;
                    }
                }
                Chosen::Part(place, tree_key, sub, value) => {
                    if let Some(&(draft, slot)) = self.open.get(&key(task, place)) {
                        self.drafts[draft].parts.push((slot, tree_key, sub, value));
                    }
                }
            }
        }
    }

    fn forgot(&mut self, task: u32, place: Place, blanks: u32) {
        let slots = &self.shared.code.blanks[blanks as usize];
        let draft = self.drafts.len();
        for slot in 0..slots.len() {
            let offset = u32::try_from(slot).unwrap_or(u32::MAX);
            let (task, depth, first) = key(task, place);
            self.open
                .insert((task, depth, first + offset), (draft, slot));
        }
        self.drafts.push(Draft {
            decision: self.decisions.len(),
            ty: self.shared.code.blank_types[blanks as usize],
            slots: vec![UNDEF; slots.len()],
            parts: Vec::new(),
        });
        self.decisions.push(Decision::Choose(Value::Any));
    }

    fn finish(mut self) -> Schedule {
        for draft in &self.drafts {
            let blanks = self.blanks_of(draft.ty);
            let value = self.draft_value(draft, &blanks);
            self.decisions[draft.decision] = Decision::Choose(value);
        }
        Schedule {
            decisions: self.decisions,
        }
    }

    fn blanks_of(&self, ty: TypeId) -> Vec<Blank> {
        let types = &self.shared.code.blank_types;
        let at = types.iter().position(|&t| t == ty);
        at.map_or_else(Vec::new, |at| self.shared.code.blanks[at].clone())
    }

    /// Returns the value of a draft. Makes its trees, and puts their parts in.
    fn draft_value(&self, draft: &Draft, blanks: &[Blank]) -> Value {
        let mut tables = crate::lock(&self.shared.tables);
        let trees = &mut tables.trees;
        let mut slots = draft.slots.clone();
        for (slot, blank) in slots.iter_mut().zip(blanks) {
            if let Blank::Tree(_) = blank {
                *slot = trees.blank(blank);
            }
        }
        let keys = self.keys_of(draft.ty);
        for &(slot, key, sub, value) in &draft.parts {
            let Some(&Some(keys)) = keys.get(slot) else {
                continue;
            };
            let tree = u32::try_from(slots[slot]).unwrap_or(0);
            let mut element = trees.get(tree, keys, key).to_vec();
            element[sub as usize] = value;
            slots[slot] = trees.set(tree, keys, key, &element).into();
        }
        let reader = Reader {
            types: &self.program.types,
            layout: &self.shared.code.layout,
            trees,
        };
        reader.value(draft.ty, &slots)
    }

    /// Returns for each slot of a type the keys of its tree, if the slot names one.
    fn keys_of(&self, ty: TypeId) -> Vec<Option<super::code::Keys>> {
        match self.shared.code.layout.repr(ty) {
            Repr::Scalar(_) => vec![None],
            Repr::Record(fields) => fields.iter().flat_map(|&(_, t)| self.keys_of(t)).collect(),
            Repr::Flat { elem, len, .. } => {
                let one = self.keys_of(*elem);
                (0..*len).flat_map(|_| one.iter().copied()).collect()
            }
            Repr::Tree { keys, .. } => vec![Some(*keys)],
        }
    }
}

fn key(task: u32, place: Place) -> (u32, u32, u32) {
    match place {
        Place::Global(slot) => (0, 0, slot),
        Place::Local(depth, reg) => (task, depth, reg),
    }
}
