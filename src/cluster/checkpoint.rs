//! A search on disk. Each worker has a file with its states, level by level, written as they travel between workers. A
//! manifest says how much of each file counts. It appears whole or not at all, so it is that of the last complete checkpoint.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::hash::Hasher;
use std::io::{BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use fnv::FnvHasher;
use rustc_hash::FxHashSet;
use serde::{Deserialize, Serialize};

use base::source::Span;
use ir::ErrorKind;

use super::levels::Levels;
use super::link::{Body, Link};
use super::own::Own;
use super::share::Totals;
use super::wire::{Reader, Writer};
use super::{Broken, Question, unreadable};
use explore::strategy::Failure;
use machine::found::Trail;

/// The name of the manifest.
const MANIFEST: &str = "dbverify-checkpoint.json";
/// The least time between two checkpoints.
const PAUSE: Duration = Duration::from_secs(1);
/// Writing checkpoints takes at most one part in `PART` of the time.
const PART: u32 = 20;
/// Stands in the place of a level's number before final states.
const FINALS: u32 = u32::MAX;

/// A failure, and an execution that shows it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Kept {
    pub failure: Failure,
    pub trail: Trail,
}

/// The part of a worker's file that counts.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Part {
    file: String,
    bytes: u64,
    /// The hash of these bytes.
    sum: u64,
}

/// What a checkpoint consists of.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Manifest {
    question: Question,
    parts: Vec<Part>,
    /// What was found up to the last level.
    pub totals: Totals,
    /// How many levels there are; the last is to be expanded.
    pub levels: usize,
    /// The failures so far.
    pub bugs: Vec<Kept>,
}

impl Manifest {
    /// Returns a text that no other checkpoint has.
    pub fn id(&self) -> String {
        let parts = self
            .parts
            .iter()
            .map(|part| format!("{}:{}", part.file, part.bytes));
        parts.collect::<Vec<_>>().join(" ")
    }
}

/// Where one worker writes.
pub(super) struct Checkpoint {
    dir: PathBuf,
    question: Question,
    /// Begins the names of all files of this run.
    run: String,
    part: Part,
    file: File,
    writer: Writer,
    /// How many levels are written, and below, which final states.
    levels: usize,
    finals: FxHashSet<Box<[u32]>>,
    last: Instant,
    begun: Instant,
    pause: Duration,
    written: bool,
    /// Whether the files of all workers were complete once, so that a manifest may name them.
    pub complete: bool,
}

/// A file that no manifest names is of no use to anybody.
impl Drop for Checkpoint {
    fn drop(&mut self) {
        if !self.complete {
            // A file that cannot be removed does no harm.
            let _ = fs::remove_file(self.dir.join(&self.part.file));
        }
    }
}

impl Checkpoint {
    /// Makes a file for this worker.
    pub fn new(dir: &Path, question: &Question, link: &mut Link) -> Result<Self, Broken> {
        let mut random = [0; 8];
        let filled = getrandom::fill(&mut random).map_err(|error| error.to_string());
        let made = filled.and_then(|()| fs::create_dir_all(dir).map_err(|error| error.to_string()));
        let run: String = random.iter().map(|byte| format!("{byte:02x}")).collect();
        let runs = link.agree(run, |_, _| Err(unreadable("a process")))?;
        let run = format!("part-{}", runs[0]);
        let file = format!("{run}-{}", link.me);
        let opened = made
            .and_then(|()| File::create_new(dir.join(&file)).map_err(|error| error.to_string()));
        let all = link.agree(opened.as_ref().err().cloned(), |_, _| {
            Err(unreadable("a process"))
        })?;
        let shown = dir.display();
        let refuse = |why: &String| {
            Broken::Different(format!("no checkpoint can be written to {shown}: {why}"))
        };
        if let Some(why) = all.iter().flatten().next() {
            return Err(refuse(why));
        }
        let now = Instant::now();
        Ok(Self {
            dir: dir.to_owned(),
            question: question.clone(),
            run,
            part: Part {
                file,
                bytes: 0,
                sum: 0,
            },
            file: opened.map_err(|why| refuse(&why))?,
            writer: Writer::default(),
            levels: 0,
            finals: FxHashSet::default(),
            last: now,
            begun: now,
            pause: PAUSE,
            written: false,
            complete: false,
        })
    }

    /// Checks whether it is time for the next checkpoint.
    pub fn is_due(&self) -> bool {
        self.last.elapsed() >= self.pause
    }

    /// Checks whether this run has written a checkpoint.
    pub fn is_written(&self) -> bool {
        self.written
    }

    /// Records that a checkpoint is written, and when the next one is due.
    pub fn done(&mut self) {
        self.written = true;
        self.last = Instant::now();
        self.pause = PAUSE.max(self.begun.elapsed() * PART);
    }

    /// Writes the levels and final states of this worker that its file does not have yet.
    pub fn write(
        &mut self,
        own: &mut Own<'_>,
        levels: &Levels,
        finals: &FxHashSet<Box<[u32]>>,
    ) -> Result<Part, String> {
        self.begun = Instant::now();
        let mut row = Vec::new();
        while self.levels < levels.len() {
            let number = u32::try_from(self.levels).unwrap_or(FINALS);
            for key in levels.level(self.levels) {
                own.store.load(key, &mut row, &mut own.fold);
                if self.writer.push(&own.names, &row) {
                    self.flush(number)?;
                }
            }
            self.flush(number)?;
            self.levels += 1;
        }
        // The order in which they are written makes no difference.
        #[allow(clippy::iter_over_hash_type, reason = "a set is made of them")]
        for globals in finals {
            if self.finals.insert(globals.clone()) && self.writer.push(&own.names, globals) {
                self.flush(FINALS)?;
            }
        }
        self.flush(FINALS)?;
        self.file.sync_data().map_err(|error| self.fails(&error))?;
        Ok(self.part.clone())
    }

    fn flush(&mut self, level: u32) -> Result<(), String> {
        let Some(body) = self.writer.take() else {
            return Ok(());
        };
        let bytes = body.bytes();
        let len = u32::try_from(bytes.len()).unwrap_or(u32::MAX);
        let head = [level, len].map(u32::to_le_bytes);
        let sum = hash(hash(self.part.sum, head.as_flattened()), bytes);
        let record = [head.as_flattened(), &sum.to_le_bytes(), bytes].concat();
        self.part.sum = sum;
        self.file
            .write_all(&record)
            .map_err(|error| self.fails(&error))?;
        self.part.bytes += record.len() as u64;
        Ok(())
    }

    fn fails(&self, error: &dyn std::fmt::Display) -> String {
        format!(
            "the checkpoint in {} cannot be written: {error}",
            self.dir.display()
        )
    }

    /// Writes the manifest, after all workers have written their files. That makes this the valid checkpoint.
    pub fn commit(
        &self,
        parts: Vec<Part>,
        totals: &Totals,
        levels: usize,
        bugs: &BTreeMap<(ErrorKind, Span), Kept>,
    ) -> Result<(), String> {
        let manifest = Manifest {
            question: self.question.clone(),
            parts,
            totals: totals.clone(),
            levels,
            bugs: bugs.values().cloned().collect(),
        };
        let text = serde_json::to_string_pretty(&manifest).map_err(|error| self.fails(&error))?;
        let text = format!("{text}\n{:016x}\n", hash(0, text.as_bytes()));
        let mut file =
            tempfile::NamedTempFile::new_in(&self.dir).map_err(|error| self.fails(&error))?;
        let written = file
            .write_all(text.as_bytes())
            .and_then(|()| file.as_file().sync_data());
        written.map_err(|error| self.fails(&error))?;
        file.persist(self.dir.join(MANIFEST))
            .map_err(|error| self.fails(&error.error))?;
        self.clear();
        Ok(())
    }

    /// Removes the files that other runs left in the folder.
    fn clear(&self) {
        let entries = fs::read_dir(&self.dir).into_iter().flatten().flatten();
        for entry in entries {
            let name = entry.file_name();
            let name = name.to_string_lossy();
            if name.starts_with("part-") && !name.starts_with(&self.run) {
                // A file that cannot be removed does no harm.
                let _ = fs::remove_file(entry.path());
            }
        }
    }
}

/// Reads a checkpoint. Calls `each` for every state, with the number of its level, or with `None` for a final state.
pub(super) fn load<'s>(
    dir: &Path,
    question: &Question,
    own: &mut Own<'s>,
    mut each: impl FnMut(&mut Own<'s>, Option<usize>, &[u32]),
) -> Result<Manifest, String> {
    let shown = dir.display();
    let text = fs::read_to_string(dir.join(MANIFEST));
    let text = text.map_err(|error| format!("there is no checkpoint in {shown}: {error}"))?;
    let who = format!("the checkpoint in {shown}");
    // The last line is the hash of the others.
    let whole = |(text, sum): &(&str, &str)| *sum == format!("{:016x}\n", hash(0, text.as_bytes()));
    let lines = text.trim_end_matches('\n').rfind('\n');
    let parts = lines.map(|at| (&text[..at], &text[at + 1..]));
    let (text, _) = parts
        .filter(whole)
        .ok_or_else(|| format!("{who} is damaged: {MANIFEST}"))?;
    let manifest: Manifest =
        serde_json::from_str(text).map_err(|error| format!("{who} cannot be read: {error}"))?;
    if let Some(difference) = question.difference(&who, &manifest.question) {
        return Err(difference);
    }
    for part in &manifest.parts {
        load_part(dir, part, manifest.levels, own, &mut each)
            .map_err(|why| format!("{who} is damaged: {}: {why}", part.file))?;
    }
    Ok(manifest)
}

/// Reads the part of one file that counts.
fn load_part<'s>(
    dir: &Path,
    part: &Part,
    levels: usize,
    own: &mut Own<'s>,
    each: &mut impl FnMut(&mut Own<'s>, Option<usize>, &[u32]),
) -> Result<(), String> {
    // Anybody may have written the manifest, so the name must not lead out of the folder.
    if Path::new(&part.file).components().count() != 1 {
        return Err("that is no file of it".to_owned());
    }
    let file = File::open(dir.join(&part.file)).map_err(|error| error.to_string())?;
    let mut file = BufReader::new(file);
    let (mut left, mut reader, mut rows) = (part.bytes, Reader::default(), Vec::new());
    let mut sum = 0;
    while left > 0 {
        let Record::Whole(level, bytes) = record(&mut file, &mut sum) else {
            return Err("it ends too early, or was changed".to_owned());
        };
        let read = HEAD as u64 + bytes.len() as u64;
        left = (left.checked_sub(read)).ok_or("it is not as long as it should be")?;
        let level = (level != FINALS).then_some(level as usize);
        if level.is_some_and(|level| level >= levels) {
            return Err("there are too many levels".to_owned());
        }
        let read = reader.read(&own.names, &Body::Made(bytes), |row, _| {
            rows.push(Box::<[u32]>::from(row));
        });
        read.map_err(|_| "it holds what is no state".to_owned())?;
        for row in rows.drain(..) {
            each(own, level, &row);
        }
    }
    if sum != part.sum {
        return Err("it is not what was written".to_owned());
    }
    match is_later(&mut file, levels, &mut sum) {
        true => Ok(()),
        false => Err("what stands at its end was not written there".to_owned()),
    }
}

/// How many bytes stand before a record's own: level, length, hash.
const HEAD: usize = 16;
/// No process writes more levels than this between two checkpoints.
const MOST_LATER: usize = 1 << 24;

/// Whether only later levels follow: the process went on, and ended while it wrote them. The last record may be cut.
fn is_later(file: &mut impl Read, levels: usize, sum: &mut u64) -> bool {
    loop {
        match record(file, sum) {
            Record::Whole(level, _) if is_level_from(levels, level) => {}
            Record::Cut(level) => return level.is_none_or(|level| is_level_from(levels, level)),
            Record::Whole(..) | Record::Changed => return false,
        }
    }
}

fn is_level_from(levels: usize, level: u32) -> bool {
    level == FINALS || (levels..levels.saturating_add(MOST_LATER)).contains(&(level as usize))
}

/// What stands in a file from a place on.
enum Record {
    /// A level, and the states in it.
    Whole(u32, Vec<u8>),
    /// The file ends in a record, or before one. The level, if that stands there.
    Cut(Option<u32>),
    /// Something else than what was written.
    Changed,
}

/// Reads the next record. Its hash covers everything in the file up to its end.
fn record(file: &mut impl Read, sum: &mut u64) -> Record {
    let (mut head, mut bytes) = (Vec::new(), Vec::new());
    if file
        .by_ref()
        .take(HEAD as u64)
        .read_to_end(&mut head)
        .is_err()
    {
        return Record::Changed;
    }
    let level = head.first_chunk().copied().map(u32::from_le_bytes);
    let Ok(head) = <[u8; HEAD]>::try_from(head) else {
        return Record::Cut(level);
    };
    let (numbers, known) = head.split_at(HEAD / 2);
    let len = numbers.last_chunk().copied().map_or(0, u32::from_le_bytes);
    let known = known.first_chunk().copied().map(u64::from_le_bytes);
    if file
        .by_ref()
        .take(len.into())
        .read_to_end(&mut bytes)
        .is_err()
    {
        return Record::Changed;
    }
    if bytes.len() < len as usize {
        return Record::Cut(level);
    }
    *sum = hash(hash(*sum, numbers), &bytes);
    match level {
        Some(level) if known == Some(*sum) => Record::Whole(level, bytes),
        _ => Record::Changed,
    }
}

/// Continues a hash: `before` is the hash of everything before these bytes.
fn hash(before: u64, bytes: &[u8]) -> u64 {
    let mut hasher = FnvHasher::with_key(before ^ FnvHasher::default().finish());
    hasher.write(bytes);
    hasher.finish()
}
