//! Options that say how a C program is read.

use clap::{Args, ValueEnum};

use crate::c::Options;
use crate::c::types::DataModel;

use super::numbers::whole;

const C_PROGRAMS: &str = "C programs";

/// How a C program is read.
#[derive(Clone, Debug, Args)]
pub struct CArgs {
    /// How wide `long` and pointers are
    #[arg(long, value_enum, value_name = "MODEL", default_value_t = Model::Lp64, help_heading = C_PROGRAMS)]
    pub data_model: Model,
    /// The words after the program's name, with which it is run
    #[arg(long, value_name = "WORDS", default_value = "", hide_default_value = true, allow_hyphen_values = true, help_heading = C_PROGRAMS)]
    pub args: String,
    /// How many objects each allocation, like `malloc`, can make
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = whole::<u32>(1..=1 << 12), help_heading = C_PROGRAMS)]
    pub heap: u32,
    /// How often a condition variable wakes a thread without a signal
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole::<u32>(0..=1000), help_heading = C_PROGRAMS)]
    pub spurious: u32,
    /// A macro for the preprocessor: NAME or NAME=VALUE
    #[arg(short = 'D', value_name = "MACRO", help_heading = C_PROGRAMS)]
    pub define: Vec<String>,
    /// A folder in which headers are looked for
    #[arg(short = 'I', value_name = "FOLDER", help_heading = C_PROGRAMS)]
    pub include: Vec<String>,
}

/// `--data-model`
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Model {
    /// 64 bits
    #[value(name = "LP64")]
    Lp64,
    /// 32 bits
    #[value(name = "ILP32")]
    Ilp32,
}

impl Default for CArgs {
    fn default() -> Self {
        let Options { heap, spurious, .. } = Options::default();
        Self {
            data_model: Model::Lp64,
            args: String::new(),
            heap,
            spurious,
            define: Vec::new(),
            include: Vec::new(),
        }
    }
}

impl CArgs {
    /// As the front end takes them.
    #[must_use]
    pub fn options(&self) -> Options {
        let here = std::env::current_dir().unwrap_or_default();
        let mut preprocessor: Vec<String> = self.define.iter().map(|d| format!("-D{d}")).collect();
        // The preprocessor runs in the folder of the program.
        let folder = |f: &String| format!("-I{}", here.join(f).display());
        preprocessor.extend(self.include.iter().map(folder));
        Options {
            model: match self.data_model {
                Model::Lp64 => DataModel::Lp64,
                Model::Ilp32 => DataModel::Ilp32,
            },
            args: self.args.split_whitespace().map(str::to_owned).collect(),
            heap: self.heap,
            spurious: self.spurious,
            preprocessor,
        }
    }
}
