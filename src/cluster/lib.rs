//! The stateful search on several processes, on one machine or on many.
//!
//! A hash of some leaves of a state says which worker owns it (see `sample`). The owner stores the state and expands it. The
//! search goes level by level: all states at one distance are expanded before any at the next. So counts, verdict, trace and
//! final states are the same for any number of processes.
//!
//! ```text
//! mesh, local -> stream -> timely -> link (rounds) -> search (levels) -> backward (a trace) -> found
//!     greeting                                        sample, owners (whose a state is), names, wire (states on the wire),
//!                                                     share (what all know), checkpoint
//! ```
//!
//! Each process numbers local states, trees and wide numbers in the order in which it meets them. So a number never travels
//! without what it names: see `wire`.

mod backward;
mod checkpoint;
mod greeting;
mod levels;
mod link;
mod local;
mod mesh;
mod names;
mod own;
mod owners;
mod resume;
mod sample;
mod search;
mod share;
mod stream;
mod wire;

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::path::PathBuf;
use std::thread;

use serde::{Deserialize, Serialize};

pub use greeting::Question;
pub use link::Crew;
use link::{Link, Seat};
pub use local::Local;
pub use mesh::Meeting;

use answer::Answer;
use base::clock::Instant;
use base::stack::on_big_stack;
use explore::{prepare, reduced, verdict};
use ir::Program;
use machine::space::Space;
use machine::symmetry::Symmetry;
use options::ExploreOptions;

/// Why the processes cannot go on together.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Broken {
    /// The processes were asked different things, or one of them cannot do what it was asked.
    Different(String),
    /// One of the processes is gone.
    Gone(String),
}

impl Broken {
    #[must_use]
    pub fn reason(&self) -> &str {
        match self {
            Self::Different(reason) | Self::Gone(reason) => reason,
        }
    }
}

/// Where a search is saved, and from where it is resumed.
#[derive(Clone, Debug, Default)]
pub struct Keeping {
    /// The folder in which checkpoints are written.
    pub checkpoint: Option<PathBuf>,
    /// The folder of the checkpoint with which the search begins.
    pub resume: Option<PathBuf>,
}

/// Searches by several processes, or with a checkpoint. Only the first process's answer is whole.
///
/// # Errors
/// When the processes cannot do this together.
pub fn explore_with(
    program: &Program,
    options: &ExploreOptions,
    crew: &mut Crew,
    (keeping, question): (&Keeping, &Question),
) -> Result<Answer, Broken> {
    on_big_stack(|| {
        let begin = Instant::now();
        let shared = prepare(program, options);
        let space = reduced(program, Space::new(&shared, options), options);
        let search = |seat: Seat| {
            let mut link = seat.link();
            let space = agreed(space, &mut link)?;
            let found = search::search(program, space, options, &mut link, (keeping, question))?;
            link.finish();
            Ok((found, space))
        };
        // A worker that panics tells the others, so that none waits for it.
        let (seats, peers) = (crew.seats(), &crew.peers);
        let work = |seat: Seat| {
            catch_unwind(AssertUnwindSafe(|| search(seat))).unwrap_or_else(|panic| {
                peers.give_up(&unreadable("this process"));
                resume_unwind(panic)
            })
        };
        let found = thread::scope(|scope| {
            let mut seats = seats.into_iter();
            let first = seats.next();
            for seat in seats {
                // If this worker fails, the first one hears why, so this result is not needed.
                scope.spawn(move || on_big_stack(|| work(seat).map(drop)));
            }
            first.map_or_else(|| Err(unreadable("this process")), work)
        });
        let (found, space) = found.inspect_err(|broken| crew.give_up(broken))?;
        crew.peers.flush();
        let time = begin.elapsed();
        Ok(verdict::answer(program, space, options, &found, time))
    })
}

/// The answer when the processes did not come together.
#[must_use]
pub fn not_together(options: &ExploreOptions, broken: &Broken) -> Answer {
    verdict::refused(options, broken.reason().to_owned())
}

/// Reduces the space only in the ways that all workers chose.
fn agreed<'s>(space: Space<'s>, link: &mut Link) -> Result<Space<'s>, Broken> {
    let mut reduction = space.reduction();
    let word = (reduction.multiset, space.symmetry.map(Symmetry::known));
    let all = link.agree(word.clone(), |_, _| Err(unreadable("a process")))?;
    let space = match all.iter().all(|(_, numbers)| *numbers == word.1) {
        true => space,
        false => space.with_all_numbers(),
    };
    reduction.multiset = all.iter().all(|&(multiset, _)| multiset);
    Ok(space.reduced(reduction))
}

/// Makes the error for a message that makes no sense.
fn unreadable(who: &str) -> Broken {
    Broken::Gone(format!("{who} sent an unreadable message"))
}

/// Makes the error for a failure of the network in this process.
fn own(error: io::Error) -> Broken {
    Broken::Gone(format!("the network fails here: {error}"))
}

/// Prints a remark for the user.
fn note(text: &str) {
    eprintln!("dbverify: {text}");
}
