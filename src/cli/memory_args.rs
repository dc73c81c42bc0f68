//! `--memory`, which takes the memory limit and the memory of the machine, and `--buffer`.

use std::str::FromStr;

use clap::Args;
use compile::Compiled;

use options::{Buffered, Memory};

use super::help::{BOUNDS, LIMITS};
use super::number_args::{mebibytes, whole};

/// A value of `--memory`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemoryArg {
    /// The limit in MiB.
    Mib(u64),
    Model(Memory),
}

impl FromStr for MemoryArg {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if let Ok(memory) = text.parse() {
            return Ok(Self::Model(memory));
        }
        if text.starts_with(|c: char| c.is_ascii_alphabetic()) {
            return Err("write a limit in MiB or like 2G, or sc, tso, pso or c11".into());
        }
        mebibytes(text).map(Self::Mib)
    }
}

/// Memory: how much there is, and how it behaves.
#[derive(Clone, Debug, Default, PartialEq, Eq, Args)]
pub struct MemoryArgs {
    /// Memory limit in MiB, or like 2G [default: 4096], hitting it gives exit status 3; or how memory behaves: sc [default], tso (x86), pso, c11; may be given once for each
    #[arg(id = "memory", long = "memory", value_name = "MIB|MODEL", help_heading = LIMITS)]
    pub values: Vec<MemoryArg>,
    /// Most stores in the buffer of a task under --memory tso and pso, most stores of a variable under c11 [default: 4]
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1..=16), help_heading = BOUNDS)]
    pub buffer: Option<u32>,
    /// Whether the command follows one execution, which a search may leave out.
    #[arg(skip)]
    pub whole: bool,
}

impl MemoryArgs {
    /// The limit, if one is given.
    #[must_use]
    pub fn mib(&self) -> Option<u64> {
        self.values.iter().find_map(|value| match value {
            MemoryArg::Mib(mib) => Some(*mib),
            MemoryArg::Model(_) => None,
        })
    }

    /// Returns the model of memory, if one is given.
    #[must_use]
    pub fn model(&self) -> Option<Memory> {
        self.values.iter().find_map(|value| match value {
            MemoryArg::Model(memory) => Some(*memory),
            MemoryArg::Mib(_) => None,
        })
    }

    /// Returns the memory, as the pass takes it.
    #[must_use]
    pub fn buffered(&self) -> Buffered {
        let ordinary = Buffered::default();
        Buffered {
            memory: self.model().unwrap_or(ordinary.memory),
            buffer: self.buffer.unwrap_or(ordinary.buffer),
        }
    }

    /// Whether memory is not sequentially consistent.
    #[must_use]
    pub fn is_weak(&self) -> bool {
        self.buffered().memory != Memory::Sc
    }

    /// Makes the options that stand for the memory of a trace.
    #[must_use]
    pub fn of(made: Buffered) -> Self {
        let weak = made.memory != Memory::Sc;
        Self {
            values: weak
                .then_some(MemoryArg::Model(made.memory))
                .into_iter()
                .collect(),
            buffer: weak.then_some(made.buffer),
            whole: true,
        }
    }

    /// Puts a program on this memory.
    #[must_use]
    pub fn put(&self, compiled: Compiled) -> Compiled {
        match self.whole {
            true => compiled.whole_under(self.buffered()),
            false => compiled.under(self.buffered()),
        }
    }

    /// Says why the values do not go together, if they do not.
    #[must_use]
    pub fn wrong(&self) -> Option<String> {
        let limits = self
            .values
            .iter()
            .filter(|v| matches!(v, MemoryArg::Mib(_)));
        let limits = limits.count();
        if limits > 1 {
            return Some("--memory gives two limits".to_owned());
        }
        if self.values.len() - limits > 1 {
            return Some("--memory names two memories: ask twice".to_owned());
        }
        (self.buffer.is_some() && !self.is_weak()).then(|| {
            "--buffer belongs to --memory tso, pso or c11: add that, or leave out --buffer"
                .to_owned()
        })
    }
}
