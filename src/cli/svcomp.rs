//! What competitions write beside a program: task definitions (`.yml`) and properties (`.prp`).

use std::path::{Path, PathBuf};

use yaml_rust2::{Yaml, YamlLoader};

use c::property::Property;
use options::Memory;

use super::args::CommonArgs;
use super::c_args::{Asked, CArgs, Model, properties};
use super::commands::Command;
use super::{compile_commands, files};

/// Replaces a task definition by its program, and settles what properties mean for a command.
///
/// # Errors
/// What cannot be read, or is not asked of this command, in words.
pub fn resolve(command: &mut Command) -> Result<(), String> {
    let Some(common) = command.common() else {
        return Ok(());
    };
    compile_commands::resolve(common)?;
    several(common)?;
    if is_task(&common.file) {
        let task = task(&common.file, &mut common.c)?;
        common.file = task.program;
        common.read = task.read;
    }
    if let Some(wrong) = common.memory.wrong() {
        return Err(wrong);
    }
    let (asked, weak) = (common.c.asks_about_races(), common.memory.is_weak());
    let (no_races, memory) = (common.c.no_races, common.memory.buffered().memory);
    let asks = match command {
        Command::Explore(args) => {
            args.races |= asked;
            args.races
        }
        Command::Prove(args) => {
            args.races |= asked;
            args.races
        }
        // A trace says what was asked about.
        Command::Simulate(args) if asked && args.trace.is_none() && c::is_c(&args.common.file) => {
            return Err(
                "data races are looked for by `dbverify explore --property no-data-race`"
                    .to_owned(),
            );
        }
        _ => asked,
    };
    if asks && no_races {
        return Err("data races are asked about: leave out --no-races".to_owned());
    }
    if asks && weak {
        let why = match memory {
            Memory::C11 => {
                "--memory c11 looks for data races beside other bugs: leave out the question about races"
            }
            _ => {
                "data races are those of sequentially consistent executions: leave out --memory, and they are looked for by C11's rules"
            }
        };
        return Err(why.to_owned());
    }
    if matches!(command, Command::Prove(args) if args.common.c.nondet.is_some()) {
        return Err(
            "a proof is about all inputs: leave out --nondet, or ask `dbverify explore`".to_owned(),
        );
    }
    Ok(())
}

/// Replaces folders by the files below them, if a program is given by more than one name or by a folder.
fn several(common: &mut CommonArgs) -> Result<(), String> {
    if common.more.is_empty() && !Path::new(&common.file).is_dir() {
        return Ok(());
    }
    let mut names = vec![common.file.clone()];
    names.append(&mut common.more);
    let found = files::programs(&names, &["c", "i"])?;
    let mut found = found.into_iter().map(|f| f.path);
    let none = || {
        let models = files::programs(&names, &["async"]).is_ok_and(|models| !models.is_empty());
        let what = match models {
            true => "; a model is one file, and `dbverify test` and `dbverify check` take folders",
            false => "",
        };
        format!("there is no C program in {}{what}", names.join(" "))
    };
    common.file = found.next().ok_or_else(none)?;
    common.more = found.collect();
    Ok(())
}

/// Whether a file is called like a task definition.
pub fn is_task(file: &str) -> bool {
    (Path::new(file).extension()).is_some_and(|e| e == "yml" || e == "yaml")
}

/// What a task definition names.
pub struct Task {
    pub program: String,
    /// The files that were read, and what they are.
    pub read: Vec<(PathBuf, &'static str)>,
}

/// Reads a task definition, which also says the data model and, unless others are asked for, the properties.
///
/// # Errors
/// What cannot be read, or is not asked of this command, in words.
pub fn task(file: &str, c: &mut CArgs) -> Result<Task, String> {
    let complain = |what: &str| format!("{file}: {what}");
    let text =
        std::fs::read_to_string(file).map_err(|error| format!("cannot read {file}: {error}"))?;
    let read = YamlLoader::load_from_str(&text).map_err(|error| complain(&error.to_string()))?;
    let task = read.first().unwrap_or(&Yaml::Null);
    let program = match &task["input_files"] {
        Yaml::String(one) => one,
        Yaml::Array(all) => match all.as_slice() {
            [Yaml::String(one)] => one,
            _ => return Err(complain("a task with several input files is not supported")),
        },
        _ => {
            return Err(complain(
                "this is no task definition: `input_files` is missing",
            ));
        }
    };
    let folder = Path::new(file).parent().unwrap_or(Path::new(""));
    match task["options"]["data_model"].as_str() {
        Some("ILP32") => c.data_model = Model::Ilp32,
        Some("LP64") => c.data_model = Model::Lp64,
        None => {}
        Some(other) => return Err(complain(&format!("there is no data model `{other}`"))),
    }
    let mut read = vec![(PathBuf::from(file), "the task")];
    if c.property.is_empty() {
        let found = asked_by(task, folder, &mut read).map_err(|m| complain(&m))?;
        c.property = vec![Asked::these(found)];
    }
    Ok(Task {
        program: folder.join(program).display().to_string(),
        read,
    })
}

/// Returns the properties of a task. Leaves out races if there are others: they are a question of their own.
fn asked_by(
    task: &Yaml,
    folder: &Path,
    read: &mut Vec<(PathBuf, &'static str)>,
) -> Result<Vec<Property>, String> {
    let mut found = Vec::new();
    let mut others = Vec::new();
    for entry in task["properties"].as_vec().into_iter().flatten() {
        let Some(name) = entry["property_file"].as_str() else {
            continue;
        };
        let file = folder.join(name);
        let these = match std::fs::read_to_string(&file) {
            Ok(text) => {
                read.push((file, "the property"));
                properties(&text)
            }
            Err(_) => by_name(name).ok_or_else(|| format!("the property `{name}` is not decided")),
        };
        match these {
            Ok(these) => found.extend(these),
            Err(message) => others.push(message),
        }
    }
    if found.is_empty() {
        return Err(others
            .into_iter()
            .next()
            .unwrap_or_else(|| "it asks about no property: say which with --property".to_owned()));
    }
    if found.iter().any(|&p| p != Property::NoDataRace) {
        found.retain(|&p| p != Property::NoDataRace);
    }
    Ok(found)
}

/// Returns the properties that the name of a file stands for, if the file does not lie beside the task.
fn by_name(file: &str) -> Option<Vec<Property>> {
    let name = Path::new(file).file_stem()?.to_str()?;
    Some(match name {
        "valid-memsafety" => vec![Property::ValidDeref, Property::ValidFree],
        "valid-memcleanup" => vec![Property::Memleak],
        _ => vec![Property::ALL.into_iter().find(|p| p.name() == name)?],
    })
}
