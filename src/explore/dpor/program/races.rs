//! Data races in the executions that the reduction follows.
//!
//! What orders tasks is the same in all executions of a trace, so one of each is enough. The interpreter tells what a
//! segment accesses, once for each local state, globals and way. Then executions only look it up.

use std::collections::BTreeMap;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use base::source::Span;
use ir::Program;
use options::Scheduler;
use trace::race::{Act, Cells, Detector, Race, Weak, WeakRace, touches};

use super::super::{Path, PathStep};
use super::model::ProgramModel;
use super::trail::trail;
use machine::found::Trail;
use machine::schedule::schedule;
use machine::space::Space;

/// How many segments are remembered before all are forgotten.
const SEGMENTS: usize = 1 << 18;

pub(super) struct Races<'s> {
    program: &'s Program,
    space: Space<'s>,
    cells: Cells,
    detector: Detector,
    /// What segments do: by local state, choices and globals.
    known: FxHashMap<Box<[u32]>, Rc<[Act]>>,
    key: Vec<u32>,
    now: Vec<Race>,
    /// Whether one race is enough.
    one: bool,
    /// Races by the places of both accesses, each with an execution.
    pub found: BTreeMap<(Span, Span), Trail>,
    /// Atomic operations that race and are not `seq_cst`, by their places.
    weak: BTreeMap<(Span, Span), Weak>,
    /// Whether the weak races of some cut step are not known.
    partial: bool,
    /// Why an execution could not be looked at.
    pub internal: Option<String>,
}

impl<'s> Races<'s> {
    /// The races before any execution was looked at.
    pub fn new(program: &'s Program, space: Space<'s>, one: bool) -> Self {
        Self {
            program,
            space,
            cells: Cells::new(program),
            detector: Detector::default(),
            known: FxHashMap::default(),
            key: Vec::new(),
            now: Vec::new(),
            one,
            found: BTreeMap::new(),
            weak: BTreeMap::new(),
            partial: false,
            internal: None,
        }
    }

    /// Roughly how many bytes are in use.
    pub fn bytes(&self) -> u64 {
        self.known.len() as u64 * (self.space.tasks as u64 * 4 + 200)
    }

    /// The atomic operations that race and are not `seq_cst`, if that is known.
    pub fn weak(&self) -> Option<Vec<WeakRace>> {
        let shown = self.weak.values().map(|weak| WeakRace {
            first: weak.first,
            second: weak.second,
            what: self.cells.name(self.program, weak.cell),
        });
        (!self.partial).then(|| shown.collect())
    }

    /// Looks at an execution without the steps that failed or were dropped, because no step sees what they did. Then takes these
    /// steps in: their races are noted as weak, not as bugs.
    pub fn look(&mut self, path: &Path<'_, ProgramModel<'s>>) {
        let Some(mut all) = self.acts(path, usize::MAX) else {
            return;
        };
        self.detect(path, &all, false);
        self.partial |= path.state.is_partial();
        let cut: Vec<usize> = (path.steps().enumerate())
            .filter_map(|(place, step)| path.state.is_stuck(step.task).then_some(place))
            .collect();
        if self.partial || cut.is_empty() || self.one && !self.found.is_empty() {
            return;
        }
        for &place in &cut {
            match self.acts(path, place) {
                Some(mut before) => all.extend(before.pop()),
                None => self.partial = true,
            }
        }
        all.sort_by_key(|&(place, _)| place);
        self.detect(path, &all, false);
    }

    /// Looks at an execution that ends with a step that fails: what it did before it failed happens in an execution, too.
    pub fn look_at_failure(&mut self, path: &Path<'_, ProgramModel<'s>>) {
        if let Some(all) = self.acts(path, path.steps().len().saturating_sub(1)) {
            self.detect(path, &all, true);
        }
    }

    /// What the steps before `end` do that were not cut, and what the step at `end` does: each with its place.
    fn acts(
        &mut self,
        path: &Path<'_, ProgramModel<'s>>,
        end: usize,
    ) -> Option<Vec<(usize, Rc<[Act]>)>> {
        let real = |(i, step): &(usize, PathStep<'_>)| *i == end || !step.cut && *i < end;
        let (places, steps): (Vec<usize>, Vec<_>) = path.steps().enumerate().filter(real).unzip();
        let mut all = Vec::with_capacity(steps.len());
        for (&place, &step) in places.iter().zip(&steps) {
            self.set_key(path, place, step);
            match self.known.get(self.key.as_slice()) {
                Some(acts) => all.push(acts.clone()),
                None => {
                    all = self.ask(path, &places, &steps)?;
                    break;
                }
            }
        }
        Some(places.into_iter().zip(all).collect())
    }

    fn set_key(&mut self, path: &Path<'_, ProgramModel<'s>>, place: usize, step: PathStep<'_>) {
        let state = path.before(place);
        self.key.clear();
        let local = state.tasks[step.task as usize];
        let choices = u32::try_from(step.choices.len()).unwrap_or(u32::MAX);
        self.key.extend([local, choices]);
        self.key.extend(step.choices.iter().map(|&(pick, _)| pick));
        self.key.extend_from_slice(&state.leaves);
    }

    /// Asks the interpreter what each segment does, and remembers it.
    fn ask(
        &mut self,
        path: &Path<'_, ProgramModel<'s>>,
        places: &[usize],
        steps: &[PathStep<'_>],
    ) -> Option<Vec<Rc<[Act]>>> {
        if self.known.len() > SEGMENTS {
            self.known.clear();
        }
        let trail = trail(self.space, steps.iter().copied());
        let schedule = schedule(self.program, self.space, &trail);
        let segments = touches(self.program, Scheduler::Bag, &schedule);
        let segments = match segments {
            Ok(segments) if segments.len() == steps.len() => segments,
            // A step that was cut may go on for ever in the interpreter.
            _ if steps.last().is_some_and(|step| step.cut) => return None,
            other => {
                let why = other.err().unwrap_or_else(|| "it is too short".to_owned());
                self.internal.get_or_insert(why);
                return None;
            }
        };
        let mut all = Vec::new();
        for ((&place, &step), touches) in places.iter().zip(steps).zip(&segments) {
            let acts: Rc<[Act]> = self.cells.acts(touches).into();
            self.set_key(path, place, step);
            self.known.insert(self.key.as_slice().into(), acts.clone());
            all.push(acts);
        }
        Some(all)
    }

    /// Finds the races of an execution. What races with a step that was cut is no bug, unless the last step fails.
    fn detect(
        &mut self,
        path: &Path<'_, ProgramModel<'s>>,
        all: &[(usize, Rc<[Act]>)],
        fails: bool,
    ) {
        self.detector.begin();
        let steps: Vec<PathStep<'_>> = path.steps().collect();
        let end = if fails {
            all.len().saturating_sub(1)
        } else {
            all.len()
        };
        let cut = |at: u32| steps[all[at as usize].0].cut && at as usize != end;
        for (i, (place, acts)) in all.iter().enumerate() {
            let mut now = std::mem::take(&mut self.now);
            let task = steps[*place].task + 1;
            self.detector.cut = steps[*place].cut;
            self.detector.segment(&self.cells, task, acts, &mut now);
            let unfit = |race: &&Race| cut(race.first.segment) || cut(race.second.segment);
            let dropped = now.iter().filter(unfit).map(Weak::of);
            for weak in self.detector.weak.iter().copied().chain(dropped) {
                let (a, b) = (weak.first.0, weak.second.0);
                self.weak.entry((a.min(b), a.max(b))).or_insert(weak);
            }
            let real = (0..).zip(&now).filter(|(_, race)| !unfit(race));
            let wanted = if self.one { 1 } else { now.len() };
            for (number, race) in real.take(wanted) {
                let (a, b) = (race.first.span, race.second.span);
                let (space, own) = (self.space, &all[..=i]);
                self.found
                    .entry((a.min(b), a.max(b)))
                    .or_insert_with(|| Trail {
                        race: Some(number),
                        ..trail(space, own.iter().map(|&(place, _)| steps[place]))
                    });
            }
            self.now = now;
            if self.one && !self.found.is_empty() {
                return;
            }
        }
    }
}
