//! Writes checkpoints of a search, and resumes a search from one.

use std::path::Path;
use std::sync::atomic::Ordering;

use super::checkpoint::load;
use super::search::Member;
use super::{Broken, Question, unreadable};

impl Member<'_, '_> {
    /// Writes a checkpoint, if the user wants any: all complete levels, and the level that is to be expanded next.
    pub(super) fn commit(&mut self) -> Result<(), Broken> {
        let Some(checkpoint) = &mut self.checkpoint else {
            return Ok(());
        };
        let written = checkpoint.write(&mut self.own, &self.levels, &self.finals);
        let parts = self
            .link
            .agree(written, |_, _| Err(unreadable("a process")))?;
        let parts: Result<Vec<_>, String> = parts.into_iter().collect();
        checkpoint.complete |= parts.is_ok();
        let committed = parts.and_then(|parts| match self.link.me {
            0 => checkpoint.commit(parts, &self.totals, self.levels.len(), &self.bugs),
            _ => Ok(()),
        });
        let committed = self
            .link
            .agree(committed, |_, _| Err(unreadable("a process")))?;
        let committed: Result<Vec<()>, String> = committed.into_iter().collect();
        committed.map_err(Broken::Gone)?;
        checkpoint.done();
        Ok(())
    }

    /// Resumes a search from the checkpoint in `dir`.
    pub(super) fn resume(&mut self, dir: &Path, question: &Question) -> Result<(), Broken> {
        let (me, size) = (self.link.me, self.link.size);
        let mut levels = Vec::new();
        let finals = &mut self.finals;
        let loaded = load(
            dir,
            question,
            &mut self.own,
            |own, level, row| match level {
                None if me == 0 => {
                    finals.insert(row.into());
                }
                Some(level) if own.owner(row, size) == me => {
                    if level >= levels.len() {
                        levels.resize_with(level + 1, Vec::new);
                    }
                    let key = own.store.key(row, None, &mut own.fold);
                    if own.store.roots.add(key) {
                        levels[level].push(key);
                    }
                }
                _ => {}
            },
        );
        let (mine, manifest) = match loaded {
            Ok(manifest) => (Ok(manifest.id()), Some(manifest)),
            Err(why) => (Err(why), None),
        };
        let count = levels.iter().map(Vec::len).sum::<usize>() as u64;
        let all = self
            .link
            .agree((mine, count), |_, _| Err(unreadable("a process")))?;
        let known: u64 = all.iter().map(|(_, count)| count).sum();
        let ids: Result<Vec<String>, String> = all.into_iter().map(|(id, _)| id).collect();
        let ids = ids.map_err(Broken::Different)?;
        let dir = dir.display();
        let Some(manifest) = manifest.filter(|_| ids.windows(2).all(|pair| pair[0] == pair[1]))
        else {
            return Err(Broken::Different(format!(
                "the processes see different checkpoints in {dir}: the folder must be the same for all"
            )));
        };
        if known != manifest.totals.states {
            let states = manifest.totals.states;
            return Err(Broken::Different(format!(
                "the checkpoint in {dir} is damaged: {known} of {states} states can be read"
            )));
        }
        levels.resize_with(manifest.levels, Vec::new);
        self.levels = levels.into();
        for kept in manifest.bugs {
            self.bugs
                .insert(kept.failure.error(self.space.shared), kept);
        }
        for &number in &manifest.totals.reached {
            if let Some(reached) = self.space.shared.reached.get(number as usize) {
                reached.store(true, Ordering::Relaxed);
            }
        }
        self.totals = manifest.totals;
        Ok(())
    }
}
