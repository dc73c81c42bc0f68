//! Options that say how a C program is read.

use std::collections::BTreeSet;
use std::fmt;

use clap::parser::ValueSource;
use clap::{ArgMatches, Args, Command, FromArgMatches, Parser, ValueEnum};

use base::suggest::closest;
use c::Options;
use c::property::{Property, Wanted};
use c::types::DataModel;

use super::compile_commands::{self, CompileCommands};
use super::number_args::{integer, whole};

/// The most objects and elements that a user can allow.
pub const MOST_HEAP: u32 = 1 << 12;

const C_PROGRAMS: &str = "C programs";

/// How a C program is read.
#[derive(Clone, Debug, PartialEq, Eq, Args)]
pub struct CArgs {
    /// The width of `long` and of pointers
    #[arg(long, value_enum, value_name = "MODEL", default_value_t = Model::Lp64, help_heading = C_PROGRAMS)]
    pub data_model: Model,
    /// The arguments of the program, separated by spaces
    #[arg(long, value_name = "WORDS", default_value = "", hide_default_value = true, allow_hyphen_values = true, help_heading = C_PROGRAMS)]
    pub args: String,
    /// Most objects that each call of `malloc` in the text makes [default: 8, and up to 512 where that is too few]
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1..=MOST_HEAP.into()), help_heading = C_PROGRAMS)]
    pub heap: Option<u32>,
    /// A later allocation may return freed memory of the same size and type
    #[arg(long, help_heading = C_PROGRAMS)]
    pub heap_reuse: bool,
    /// Each allocation may fail and return NULL
    #[arg(long, help_heading = C_PROGRAMS)]
    pub malloc_may_fail: bool,
    /// An array of one element at the end of a structure never has more
    #[arg(long, help_heading = C_PROGRAMS)]
    pub strict: bool,
    /// How `volatile` variables count for data races
    #[arg(long, value_enum, value_name = "KIND", default_value_t = Volatile::Plain, help_heading = C_PROGRAMS)]
    pub volatile: Volatile,
    /// How often a condition variable wakes a thread without a signal
    #[arg(long, value_name = "N", default_value_t = Options::default().spurious, value_parser = whole::<u32>(0..=1000), help_heading = C_PROGRAMS)]
    pub spurious: u32,
    /// Take inputs and other open numbers only from this range, like 0..3; the verdict says so
    #[arg(long, value_name = "LO..HI", value_parser = number_range, allow_hyphen_values = true, help_heading = C_PROGRAMS)]
    pub nondet: Option<(i64, i64)>,
    /// Look only for these, joined with commas: unreach-call, no-data-race, deadlock, no-overflow, valid-deref, valid-free, memleak, misuse, or a .prp file
    #[arg(long, value_name = "P", value_delimiter = ',', value_parser = asked, help_heading = C_PROGRAMS)]
    pub property: Vec<Asked>,
    /// Also look for these, joined with commas: misuse (of threads, mutexes and the like), no-overflow, memleak
    #[arg(long, value_name = "P", value_delimiter = ',', value_parser = asked_too, help_heading = C_PROGRAMS)]
    pub check: Vec<Property>,
    /// Do not look for data races
    #[arg(long, help_heading = C_PROGRAMS)]
    pub no_races: bool,
    /// A statement with this label is a failing assertion
    #[arg(long, value_name = "NAME", help_heading = C_PROGRAMS)]
    pub error_label: Vec<String>,
    /// What is defined and undefined.
    #[command(flatten)]
    pub macros: Macros,
    /// Look for headers in this folder
    #[arg(short = 'I', value_name = "FOLDER", help_heading = C_PROGRAMS)]
    pub include: Vec<String>,
    /// Include this header at the beginning of each file
    #[arg(long = "include", value_name = "FILE", help_heading = C_PROGRAMS)]
    pub first: Vec<String>,
    /// Read each file as this `compile_commands.json` says, and others with all folders of headers in it
    #[arg(long, value_name = "FILE", value_parser = compile_commands::read, help_heading = C_PROGRAMS)]
    pub compile_commands: Option<CompileCommands>,
    /// The C compiler that preprocesses [default: $CC, or cc]
    #[arg(long, value_name = "COMMAND", help_heading = C_PROGRAMS)]
    pub cc: Option<String>,
    /// A function without a definition returns any number and touches nothing; the verdict says so
    #[arg(long, value_name = "NAME", value_delimiter = ',', help_heading = C_PROGRAMS)]
    pub stub: Vec<String>,
    /// The options that stand on the command line with their defaults.
    #[arg(skip)]
    pub usual: Vec<Given>,
}

/// An option as it stands on a command line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Given {
    pub name: &'static str,
    value: Option<String>,
}

impl Given {
    fn new(name: &'static str, value: impl Into<Option<String>>) -> Self {
        let value = value.into();
        Self { name, value }
    }
}

impl fmt::Display for Given {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, value } = self;
        match value {
            None => f.write_str(name),
            Some(value) if name.starts_with("--") => write!(f, "{name}={value}"),
            Some(value) => write!(f, "{name}{value}"),
        }
    }
}

/// Options that have a value always, with their names in code and their defaults.
fn usual() -> [(&'static str, Given); 5] {
    [
        ("data_model", "--data-model", "LP64"),
        ("args", "--args", ""),
        ("heap", "--heap", "8"),
        ("volatile", "--volatile", "plain"),
        ("spurious", "--spurious", "1"),
    ]
    .map(|(id, name, value)| (id, Given::new(name, value.to_owned())))
}

/// Options that say where files are.
const PLACES: [&str; 4] = ["-I", "--include", "--compile-commands", "--cc"];

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

/// `--volatile`
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Volatile {
    /// Like other variables, as in C
    Plain,
    /// Like atomic variables: they do not race, and order threads
    Atomic,
}

impl Default for CArgs {
    fn default() -> Self {
        Words::parse_from::<_, &str>([]).c
    }
}

/// What one word after `--property` asks for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    pub properties: Vec<Property>,
    /// The file that names them, if one does.
    pub file: Option<String>,
}

impl Asked {
    /// Asks for these properties, which no file names.
    pub fn these(properties: Vec<Property>) -> Self {
        let file = None;
        Self { properties, file }
    }
}

/// Reads the name of a property, or of a file that says which.
fn asked(word: &str) -> Result<Asked, String> {
    if word.ends_with(".prp") {
        let text = std::fs::read_to_string(word)
            .map_err(|error| format!("cannot read {word}: {error}"))?;
        return properties(&text).map(|properties| Asked {
            properties,
            file: Some(word.to_owned()),
        });
    }
    let found = Property::ALL.into_iter().find(|p| p.name() == word);
    let found = found.map(|p| Asked::these(vec![p]));
    found.ok_or_else(|| {
        let all = Property::ALL.map(Property::name);
        match closest(word, all.into_iter()) {
            Some(near) => format!("there is no property `{word}`; did you mean `{near}`?"),
            None => format!(
                "there is no property `{word}`; there are {}",
                all.join(", ")
            ),
        }
    })
}

/// The properties that a file states: `CHECK( init(main()), LTL(G valid-free) )`, a line each.
///
/// # Errors
/// When it states one that is not decided here.
pub fn properties(text: &str) -> Result<Vec<Property>, String> {
    let mut found = Vec::new();
    for line in text.lines().map(str::trim).filter(|l| !l.is_empty()) {
        let formula: String = line.split_whitespace().collect();
        let own = match formula.as_str() {
            "CHECK(init(main()),LTL(G!call(reach_error())))"
            | "CHECK(init(main()),LTL(G!call(__VERIFIER_error())))"
            | "CHECK(init(main()),LTL(Gassert))" => Property::UnreachCall,
            "CHECK(init(main()),LTL(G!data-race))" => Property::NoDataRace,
            "CHECK(init(main()),LTL(G!deadlock))" => Property::Deadlock,
            "CHECK(init(main()),LTL(G!overflow))" => Property::NoOverflow,
            "CHECK(init(main()),LTL(Gvalid-deref))" => Property::ValidDeref,
            "CHECK(init(main()),LTL(Gvalid-free))" => Property::ValidFree,
            "CHECK(init(main()),LTL(Gvalid-memcleanup))" => Property::Memleak,
            // Left out: lost memory is not told apart from memory that is never freed. The answer names what it decides.
            "CHECK(init(main()),LTL(Gvalid-memtrack))" => continue,
            _ => return Err(format!("the property `{line}` is not decided")),
        };
        found.push(own);
    }
    if found.is_empty() {
        return Err("no property is stated that is decided here".to_owned());
    }
    Ok(found)
}

/// Reads the name of a property that is only looked for when it is asked about.
fn asked_too(word: &str) -> Result<Property, String> {
    let found = Property::ASKED.into_iter().find(|p| p.name() == word);
    let all = Property::ASKED.map(Property::name).join(", ");
    found.ok_or_else(|| format!("there are {all}; `--property` asks about one alone"))
}

/// Reads a range of numbers.
fn number_range(text: &str) -> Result<(i64, i64), String> {
    let (from, to) = text
        .split_once("..")
        .ok_or("write the least and the greatest number, like 0..3")?;
    let number = |t: &str| {
        let fits = integer(t).ok().and_then(|n| i64::try_from(n).ok());
        fits.ok_or_else(|| format!("`{t}` is no number of 64 bits"))
    };
    let (from, to) = (number(from)?, number(to)?);
    if from > to {
        return Err(format!("the range {from}..{to} is empty"));
    }
    Ok((from, to))
}

/// The options `-D` and `-U` with their values, in their order: the last one about a macro decides.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Macros(Vec<Given>);

#[derive(Args)]
struct MacroArgs {
    /// Define a macro: NAME or NAME=VALUE
    #[arg(short = 'D', value_name = "MACRO", help_heading = C_PROGRAMS)]
    define: Vec<String>,
    /// Undefine a macro
    #[arg(short = 'U', value_name = "MACRO", help_heading = C_PROGRAMS)]
    undefine: Vec<String>,
}

impl Args for Macros {
    fn augment_args(command: Command) -> Command {
        MacroArgs::augment_args(command)
    }

    fn augment_args_for_update(command: Command) -> Command {
        MacroArgs::augment_args_for_update(command)
    }
}

impl FromArgMatches for Macros {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let read = MacroArgs::from_arg_matches(matches)?;
        let mut found = Vec::new();
        for (id, flag, values) in [
            ("define", "-D", read.define),
            ("undefine", "-U", read.undefine),
        ] {
            let places = matches.indices_of(id).into_iter().flatten();
            found.extend(places.zip(values.into_iter().map(|v| Given::new(flag, v))));
        }
        found.sort_unstable_by_key(|(place, _)| *place);
        Ok(Self(found.into_iter().map(|(_, given)| given).collect()))
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// The options alone, as they stand in a trace file.
#[derive(Parser)]
#[command(no_binary_name = true, disable_help_flag = true)]
struct Words {
    #[command(flatten)]
    c: CArgs,
}

impl CArgs {
    /// Returns the options that differ from their defaults.
    #[must_use]
    pub fn given(&self) -> Vec<Given> {
        let ordinary = Self::default();
        let mut given = Vec::new();
        let mut put = |name, value: Option<String>| {
            given.extend(value.map(|value| Given::new(name, value)));
        };
        let ilp32 = self.data_model == Model::Ilp32;
        put("--data-model", ilp32.then(|| "ILP32".to_owned()));
        let args = (!self.args.is_empty()).then(|| self.args.clone());
        put("--args", args);
        put("--heap", self.heap.map(|heap| heap.to_string()));
        let atomic = self.volatile == Volatile::Atomic;
        put("--volatile", atomic.then(|| "atomic".to_owned()));
        let spurious = (self.spurious != ordinary.spurious).then(|| self.spurious.to_string());
        put("--spurious", spurious);
        let range = self.nondet.map(|(low, high)| format!("{low}..{high}"));
        put("--nondet", range);
        let wanted = self.wanted();
        for property in wanted.only {
            put("--property", Some(property.name().to_owned()));
        }
        for property in wanted.also {
            put("--check", Some(property.name().to_owned()));
        }
        for label in &self.error_label {
            put("--error-label", Some(label.clone()));
        }
        for (name, on) in [
            ("--heap-reuse", self.heap_reuse),
            ("--malloc-may-fail", self.malloc_may_fail),
            ("--strict", self.strict),
            ("--no-races", self.no_races),
        ] {
            given.extend(on.then(|| Given::new(name, None)));
        }
        given.extend(self.macros.0.iter().cloned());
        let list = self.compile_commands.iter().map(|list| list.path.clone());
        let places = PLACES.into_iter().zip([
            self.include.clone(),
            self.first.clone(),
            list.collect(),
            self.cc.iter().cloned().collect(),
        ]);
        for (name, values) in places.chain([("--stub", self.stub.clone())]) {
            given.extend(values.into_iter().map(|value| Given::new(name, value)));
        }
        given
    }

    /// Returns the options that differ from their defaults, as a person writes them.
    #[must_use]
    pub fn words(&self) -> Vec<String> {
        self.given().iter().map(ToString::to_string).collect()
    }

    /// Notes which options the user gave with their default values.
    pub fn note_usual(&mut self, matches: &ArgMatches) {
        let stated = |id| matches.value_source(id) == Some(ValueSource::CommandLine);
        let given = self.given();
        let says = |usual: &Given| given.iter().any(|other| other.name == usual.name);
        let usual = usual()
            .into_iter()
            .filter(|(id, usual)| stated(id) && !says(usual));
        self.usual = usual.map(|(_, usual)| usual).collect();
    }

    /// Takes the options under which a trace was made. Where files are may have changed since.
    ///
    /// # Errors
    /// When an option says something else. The error is this option.
    pub fn under(&self, made: Self) -> Result<Self, Given> {
        let then = made.given();
        let held = |own: &Given| {
            let is_usual = usual().iter().any(|(_, usual)| usual == own);
            then.contains(own) || is_usual && !then.iter().any(|other| other.name == own.name)
        };
        let mut all = self.given().into_iter().chain(self.usual.iter().cloned());
        if let Some(other) = all.find(|own| !PLACES.contains(&own.name) && !held(own)) {
            return Err(other);
        }
        let kept = |own: &Vec<String>, made| if own.is_empty() { made } else { own.clone() };
        Ok(Self {
            include: kept(&self.include, made.include),
            first: kept(&self.first, made.first),
            compile_commands: self.compile_commands.clone().or(made.compile_commands),
            cc: self.cc.clone().or(made.cc),
            ..made
        })
    }

    /// Reads the options from words of a command line.
    ///
    /// # Errors
    /// When the words are no options.
    pub fn of_words(words: &[String]) -> Result<Self, String> {
        let read = Words::try_parse_from(words);
        read.map(|w| w.c).map_err(|error| {
            error
                .to_string()
                .lines()
                .next()
                .unwrap_or_default()
                .to_owned()
        })
    }

    /// Returns the properties that are looked for.
    #[must_use]
    pub fn wanted(&self) -> Wanted {
        let sorted = |all: &mut dyn Iterator<Item = Property>| {
            let all: BTreeSet<Property> = all.collect();
            all.into_iter().collect()
        };
        Wanted {
            only: sorted(&mut self.property.iter().flat_map(|a| a.properties.clone())),
            also: sorted(&mut self.check.iter().copied()),
            no_races: self.no_races,
        }
    }

    /// Whether data races are looked for.
    #[must_use]
    pub fn asks_about_races(&self) -> bool {
        self.wanted().only.contains(&Property::NoDataRace)
    }

    /// Returns the options for the preprocessor. `path` says how paths are written.
    pub fn preprocessor(&self, path: impl Fn(&str) -> String) -> Vec<String> {
        let mut told: Vec<_> = self.macros.0.iter().map(Given::to_string).collect();
        told.extend(
            self.include
                .iter()
                .map(|folder| format!("-I{}", path(folder))),
        );
        for first in &self.first {
            told.extend(["-include".to_owned(), path(first)]);
        }
        told
    }

    /// Returns the options, as the front end takes them.
    #[must_use]
    pub fn options(&self) -> Options {
        let here = std::env::current_dir().unwrap_or_default();
        // The preprocessor runs in the folder of the program.
        let preprocessor = self.preprocessor(|path| here.join(path).display().to_string());
        Options {
            model: match self.data_model {
                Model::Lp64 => DataModel::Lp64,
                Model::Ilp32 => DataModel::Ilp32,
            },
            args: self.args.split_whitespace().map(str::to_owned).collect(),
            heap: self.heap.unwrap_or(Options::default().heap),
            heap_reuse: self.heap_reuse,
            malloc_may_fail: self.malloc_may_fail,
            strict: self.strict,
            volatile_orders: self.volatile == Volatile::Atomic,
            spurious: self.spurious,
            nondet: self.nondet,
            error_labels: self.error_label.clone(),
            wanted: self.wanted(),
            stubs: self.stub.clone(),
            compiler: self.cc.clone(),
            preprocessor,
            files: (self.compile_commands.as_ref())
                .map_or_else(Vec::new, |list| list.files.clone()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn macros_keep_their_order() {
        let words = ["-UX", "-DX=1", "-D", "Y", "-UY"].map(str::to_owned);
        let read = CArgs::of_words(&words).expect("they are options");
        let told = read.preprocessor(str::to_owned);
        assert_eq!(told, ["-UX", "-DX=1", "-DY", "-UY"]);
        assert_eq!(CArgs::of_words(&read.words()), Ok(read));
    }

    #[test]
    fn properties_are_read() {
        let read = |text: &str| properties(text);
        assert_eq!(
            read("CHECK( init(main()), LTL(G ! call(reach_error())) )\n"),
            Ok(vec![Property::UnreachCall])
        );
        let safety = "CHECK( init(main()), LTL(G valid-free) )\nCHECK( init(main()), LTL(G valid-deref) )\n\
                      CHECK( init(main()), LTL(G valid-memtrack) )";
        assert_eq!(
            read(safety),
            Ok(vec![Property::ValidFree, Property::ValidDeref])
        );
        assert!(read("CHECK( init(main()), LTL(F end) )").is_err());
        assert!(read("").is_err());
    }
}
