//! Finds the trace of a failure, from its end to the beginning. Each worker looks in the level before for its states that
//! lead to the state at hand. The one with the least hash, over all workers, is the next state at hand. So the trace does not
//! depend on which worker found a state first, and the search stores nothing but the states.

use serde::{Deserialize, Serialize};

use super::Broken;
use super::search::{Member, first_stop};
use super::share::{Fault, Stop};
use explore::strategy::{Failure, Output, retrace};
use machine::found::Trail;
use machine::space::Step;

/// What a worker says about one level.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
struct Word {
    /// The least hash of the states that it found, if it found any.
    least: Option<u64>,
    /// Why it wants to stop, if it does.
    stop: Option<Stop>,
}

/// How many states a worker looks at between two looks at the clock.
const CHUNK: usize = 1024;

impl Member<'_, '_> {
    /// Returns the execution that ends in this failure, or `None` if there was no time to find it.
    pub(super) fn trail(&mut self, fault: &Fault) -> Result<Option<Trail>, Broken> {
        let Some(hash) = fault.hash else {
            let Failure::Step(step, _) = fault.failure else {
                return Ok(Some(Trail::default()));
            };
            return Ok(Some(Trail {
                begin: step.way,
                ..Trail::default()
            }));
        };
        let mut rows: Vec<Vec<u32>> = Vec::new();
        for distance in (0..self.levels.len()).rev() {
            let found = match rows.last() {
                None => self.with_hash(distance, hash),
                Some(row) => self.leading_to(distance, row),
            };
            match self.least(found)? {
                Some(row) => rows.push(row),
                None => return Ok(None),
            }
        }
        rows.reverse();
        Ok(Some(retrace(self.space, &rows, fault.failure)))
    }

    /// Returns this worker's state with this hash at this distance, if it has one.
    fn with_hash(&mut self, distance: usize, hash: u64) -> Option<(u64, Vec<u32>)> {
        let mut row = Vec::new();
        let own = &mut self.own;
        for key in self.levels.level(distance) {
            own.store.load(key, &mut row, &mut own.fold);
            if own.names.hash(&row) == hash {
                return Some((hash, row));
            }
        }
        None
    }

    /// Returns the state with the least hash among this worker's states at this distance that have a step to `target`.
    fn leading_to(&mut self, distance: usize, target: &[u32]) -> Option<(u64, Vec<u32>)> {
        let mut least: Option<(u64, Vec<u32>)> = None;
        let (mut row, mut output) = (Vec::new(), Output::default());
        let steps = (distance as u64, u64::MAX);
        for (number, key) in self.levels.level(distance).enumerate() {
            if number % CHUNK == 0 && self.space.shared.halt.now() {
                break;
            }
            self.own.store.load(key, &mut row, &mut self.own.fold);
            let mut leads = false;
            (self.worker.expander).expand(
                &row,
                0,
                steps,
                &mut output,
                |_: Step, next: &[u32], _: Option<&[u32]>| {
                    leads |= next == target;
                },
            );
            output.clear();
            if leads {
                let hash = self.own.names.hash(&row);
                if least.as_ref().is_none_or(|known| hash < known.0) {
                    least = Some((hash, row.clone()));
                }
            }
        }
        least
    }

    /// Returns the state with the least hash that a worker has found. Returns `None` if a worker wants to stop.
    fn least(&mut self, found: Option<(u64, Vec<u32>)>) -> Result<Option<Vec<u32>>, Broken> {
        if let Some((_, row)) = &found {
            self.broadcast(row);
        }
        let word = Word {
            least: found.as_ref().map(|(hash, _)| *hash),
            stop: self.wants_to_stop(false),
        };
        let mut rows = vec![None; self.link.size];
        rows[self.link.me] = found.map(|(_, row)| row);
        let own = &mut self.own;
        let words = self.link.agree(word, |peer, bytes| {
            own.read(peer, bytes, |row| rows[peer] = Some(row.to_vec()))
        })?;
        self.stop = first_stop(words.iter().map(|word| word.stop));
        if self.stop.is_some() {
            return Ok(None);
        }
        let who = (0..words.len()).filter(|&who| words[who].least.is_some());
        let who = who.min_by_key(|&who| words[who].least);
        Ok(who.and_then(|who| rows[who].take()))
    }
}
