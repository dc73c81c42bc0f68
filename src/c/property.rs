//! The properties that are checked in a C program.

use ir::ErrorKind;

/// A property, by the name that competitions give it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Property {
    /// No assertion fails, and `reach_error` is never called.
    UnreachCall,
    /// No two threads touch the same place at once, one of them writing.
    NoDataRace,
    /// Some thread can go on until all have ended.
    Deadlock,
    /// No signed number leaves its type.
    NoOverflow,
    /// Every pointer and index leads to an object.
    ValidDeref,
    /// What is freed was allocated, and is freed once.
    ValidFree,
    /// What was allocated is freed when the program has ended.
    Memleak,
    /// The program uses threads and objects of the library only in permitted ways.
    Misuse,
}

impl Property {
    pub const ALL: [Self; 8] = [
        Self::UnreachCall,
        Self::NoDataRace,
        Self::Deadlock,
        Self::NoOverflow,
        Self::ValidDeref,
        Self::ValidFree,
        Self::Memleak,
        Self::Misuse,
    ];

    /// The properties that are checked only on request.
    pub const ASKED: [Self; 3] = [Self::Misuse, Self::NoOverflow, Self::Memleak];

    /// Its name on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::UnreachCall => "unreach-call",
            Self::NoDataRace => "no-data-race",
            Self::Deadlock => "deadlock",
            Self::NoOverflow => "no-overflow",
            Self::ValidDeref => "valid-deref",
            Self::ValidFree => "valid-free",
            Self::Memleak => "memleak",
            Self::Misuse => "misuse",
        }
    }

    /// The kinds of errors that break it.
    #[must_use]
    pub const fn kinds(self) -> &'static [ErrorKind] {
        match self {
            Self::UnreachCall => &[ErrorKind::Assertion],
            Self::NoDataRace => &[ErrorKind::Race],
            Self::Deadlock => &[ErrorKind::Deadlock, ErrorKind::Stuck],
            Self::NoOverflow => &[ErrorKind::Overflow],
            Self::ValidDeref => &[ErrorKind::Deref, ErrorKind::Index],
            Self::ValidFree => &[ErrorKind::Free],
            Self::Memleak => &[ErrorKind::Leak],
            Self::Misuse => &[ErrorKind::Misuse],
        }
    }
}

/// Which properties are checked.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Wanted {
    /// Only these properties are checked. If empty, all except [`Property::ASKED`] are.
    pub only: Vec<Property>,
    pub also: Vec<Property>,
    /// Data races are left out, unless `only` or `also` names them.
    pub no_races: bool,
}

impl Wanted {
    /// Whether an error of that kind breaks a property that is checked.
    #[must_use]
    pub fn has(&self, kind: ErrorKind) -> bool {
        let breaks = |all: &[Property]| all.iter().any(|p| p.kinds().contains(&kind));
        let left_out = self.no_races && kind == ErrorKind::Race;
        let ordinary = self.only.is_empty() && !breaks(&Property::ASKED) && !left_out;
        ordinary || breaks(&self.only) || breaks(&self.also)
    }
}
