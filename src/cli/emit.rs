//! `dbverify emit`: translations in a folder, written or compared with what is there.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use clap::{ArgGroup, ArgMatches, Args, Command, FromArgMatches, ValueHint};

use ir::Program;

use ::seq::print::{About, emit_boogie, emit_seq};
use base::source::SourceMap;

use options::MOST_DELAYS;

use super::args::{Color, CommonArgs, Format, MOST_UNROLLED, Preempt, VerifyScheduler};
use super::c_args::CArgs;
use super::input::Failed;
use super::job::Job;
use super::memory_args::MemoryArgs;
use super::number_args::whole;
use super::{diff, output};

const EXAMPLES: &str = "\
Examples:
  dbverify emit --write translations models/*.async    write translations/NAME.bpl of each
  dbverify emit --check translations models/*.async    in CI: exit status 1 and a diff if one has changed
  dbverify emit --check models                         programs and translations side by side
  dbverify emit --write translations ring.c -D N=3     a program in C

Exit status: 0 all are up to date, 1 one differs, is missing or has no program, 2 wrong input or command line.";

/// Options of `emit`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
#[command(group = ArgGroup::new("what").required(true).args(["compared", "write"]))]
pub struct EmitArgs {
    /// The programs; without any, those in the folder
    #[arg(value_hint = ValueHint::FilePath)]
    pub programs: Vec<PathBuf>,
    /// Compare the translations in this folder with what would be written; show what differs
    #[arg(id = "compared", long = "check", value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub check: Option<PathBuf>,
    /// Write the translations into this folder
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub write: Option<PathBuf>,
    /// Also the sequential .async program, as NAME.seq.async; without it only where there is one
    #[arg(long)]
    pub seq: bool,
    /// Delay budget
    #[arg(long, value_name = "K", default_value_t = 2, value_parser = whole::<u32>(0..=MOST_DELAYS.into()))]
    pub delays: u32,
    /// How often loops, recursion and chains of tasks are unrolled
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = whole::<u32>(0..=MOST_UNROLLED))]
    pub unroll: u32,
    /// The deterministic scheduler that delays deviate from
    #[arg(long, value_enum, default_value_t = VerifyScheduler::Dfs)]
    pub scheduler: VerifyScheduler,
    /// Where tasks can be interrupted; wins over the programs' own `preempt`
    #[arg(long, value_enum, value_name = "MODE")]
    pub preempt: Option<Preempt>,
    /// How C programs are read
    #[command(flatten)]
    pub c: ReadC,
}

/// The options that say how C is read. Here `--check` compares. The `--check` of other commands is `--check-for`.
#[derive(Debug)]
pub struct ReadC(CArgs);

impl Args for ReadC {
    fn augment_args(command: Command) -> Command {
        CArgs::augment_args(command).mut_arg("check", |check| check.long("check-for"))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

impl FromArgMatches for ReadC {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        CArgs::from_arg_matches(matches).map(Self)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        self.0.update_from_arg_matches(matches)
    }
}

/// Ends of the names of translations.
const BOOGIE: &str = ".bpl";
const SEQ: &str = ".seq.async";
/// The end of the name of a program.
const PROGRAM: &str = ".async";

/// Writes translations or compares them. Returns whether everything is up to date.
pub fn run(args: &EmitArgs) -> Result<bool, Failed> {
    let folder = args.check.as_deref().or(args.write.as_deref());
    let folder = folder.unwrap_or(Path::new("."));
    emit(args, folder).map_err(|problem| {
        if let Some(message) = problem {
            output::print_error(&format!("error: {message}\n"));
        }
        Failed
    })
}

/// An error has its message, unless the user has seen it already.
fn emit(args: &EmitArgs, folder: &Path) -> Result<bool, Option<String>> {
    let programs = match args.programs.as_slice() {
        [] => programs_in(folder)?,
        given => given.to_vec(),
    };
    if args.check.is_some() {
        names_in(folder)?;
    }
    let mut names = BTreeSet::new();
    for program in &programs {
        let name = stem(program)?;
        if !names.insert(name.clone()) {
            return Err(Some(format!("two programs are called {name}")));
        }
    }
    // All are made before the first is written: an error in one program leaves the folder as it is.
    let mut made = Vec::new();
    for program in &programs {
        let name = stem(program)?;
        for (end, text) in translations(args, folder, program, &name)? {
            made.push((folder.join(format!("{name}{end}")), text));
        }
    }
    let mut same = true;
    for (path, text) in &made {
        same &= settle(args, path, text)?;
    }
    if args.check.is_some() {
        for left in leftovers(folder, &names)? {
            output::print(&format!("{}: no program makes it\n", left.display()));
            same = false;
        }
    }
    let count = programs.len();
    let programs = if count == 1 { "program" } else { "programs" };
    if same && args.check.is_some() {
        output::print(&format!(
            "{count} {programs}: the translations are up to date\n"
        ));
    }
    Ok(same)
}

/// Writes a translation, or compares it.
fn settle(args: &EmitArgs, path: &Path, text: &str) -> Result<bool, Option<String>> {
    let old = match std::fs::read(path) {
        Ok(bytes) => Some(String::from_utf8_lossy(&bytes).into_owned()),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
        Err(error) => return Err(Some(format!("cannot read {}: {error}", path.display()))),
    };
    if args.write.is_some() {
        if old.as_deref() != Some(text) {
            make_folder(path)?;
            output::write_file(path, text)?;
            output::print(&format!("wrote {}\n", path.display()));
        }
        return Ok(true);
    }
    let shown = path.display();
    match old {
        None => output::print(&format!("{shown}: missing\n")),
        Some(old) if old != text => {
            let names = (
                &*format!("{shown} (committed)"),
                &*format!("{shown} (emitted)"),
            );
            output::print(&diff::unified(&old, text, names));
        }
        Some(_) => return Ok(true),
    }
    Ok(false)
}

/// Makes the folder of a file, if it is not there yet.
fn make_folder(path: &Path) -> Result<(), String> {
    let Some(folder) = path.parent() else {
        return Ok(());
    };
    std::fs::create_dir_all(folder)
        .map_err(|error| format!("cannot make the folder {}: {error}", folder.display()))
}

/// The translations of a program that are wanted: the ends of their names, and their texts.
fn translations(
    args: &EmitArgs,
    folder: &Path,
    path: &Path,
    name: &str,
) -> Result<Vec<(&'static str, String)>, Option<String>> {
    let (sources, program) = load(args, path)?;
    let scheduler = args.scheduler.into();
    let sequential = seq::sequentialize(
        &program,
        seq::Budget::unrolled(&program, args.delays, None, args.unroll),
        scheduler,
    );
    // The name and not the path: the text does not depend on the folder in which it is made.
    let about = About {
        file: &format!("{name}{PROGRAM}"),
        sources: &sources,
    };
    let mut all = vec![(BOOGIE, emit_boogie(&sequential, about, args.unroll))];
    if args.seq || folder.join(format!("{name}{SEQ}")).exists() {
        all.push((SEQ, emit_seq(&sequential, about)));
    }
    Ok(all)
}

fn load(args: &EmitArgs, path: &Path) -> Result<(SourceMap, Program), Option<String>> {
    let common = CommonArgs {
        modules_from: None,
        file: path.to_string_lossy().into_owned(),
        more: Vec::new(),
        preempt: args.preempt,
        cover: None,
        format: Format::Text,
        color: Color::Auto,
        memory: MemoryArgs::default(),
        c: args.c.0.clone(),
        read: Vec::new(),
    };
    // `load` has shown what is wrong with the program.
    let mut job = Job::load(&common).map_err(|Failed| None)?;
    job.refuse_false_claims().map_err(|Failed| None)?;
    Ok((job.sources, job.program))
}

/// `driver` of `models/driver.async`.
fn stem(program: &Path) -> Result<String, String> {
    let name = program.file_name().map(|n| n.to_string_lossy());
    let name = name.ok_or_else(|| format!("{} is no program", program.display()))?;
    let stem = name.strip_suffix(PROGRAM).unwrap_or(&name);
    Ok(stem.to_owned())
}

/// The names in a folder, in order.
fn names_in(folder: &Path) -> Result<Vec<String>, String> {
    let explain = |error: std::io::Error| format!("cannot read {}: {error}", folder.display());
    let entries = std::fs::read_dir(folder).map_err(explain)?;
    let mut names = entries
        .map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned()))
        .collect::<Result<Vec<_>, _>>()
        .map_err(explain)?;
    names.sort();
    Ok(names)
}

fn programs_in(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let names = names_in(folder)?.into_iter();
    let own = |n: &String| n.ends_with(PROGRAM) && !n.ends_with(SEQ);
    let programs: Vec<PathBuf> = names.filter(own).map(|n| folder.join(n)).collect();
    if programs.is_empty() {
        return Err(format!(
            "there is no program in {}: name some",
            folder.display()
        ));
    }
    Ok(programs)
}

/// Translations of programs that are not there.
fn leftovers(folder: &Path, programs: &BTreeSet<String>) -> Result<Vec<PathBuf>, String> {
    let orphan = |name: &String| {
        let stem = name.strip_suffix(BOOGIE).or_else(|| name.strip_suffix(SEQ));
        stem.is_some_and(|s| !programs.contains(s))
    };
    let names = names_in(folder)?.into_iter().filter(orphan);
    Ok(names.map(|n| folder.join(n)).collect())
}
