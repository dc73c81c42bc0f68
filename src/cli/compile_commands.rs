//! `compile_commands.json`: how each file of a project is compiled, as CMake, Meson and Bear write it.

use std::path::{Path, PathBuf};

use c::Told;
use serde::Deserialize;

use super::args::CommonArgs;

/// What a list of compile commands says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompileCommands {
    /// The list as it was named.
    pub path: String,
    /// What the preprocessor is told, by file.
    pub files: Vec<(PathBuf, Vec<Told>)>,
}

#[derive(Deserialize)]
struct Entry {
    directory: PathBuf,
    file: PathBuf,
    command: Option<String>,
    arguments: Option<Vec<String>>,
}

/// Whether a file has the name of such a list.
pub fn is_list(file: &Path) -> bool {
    file.file_name()
        .is_some_and(|name| name == "compile_commands.json")
}

/// Reads a list.
///
/// # Errors
/// When the file cannot be read, or is no such list; in words.
pub fn read(path: &str) -> Result<CompileCommands, String> {
    let text = std::fs::read_to_string(path).map_err(|error| format!("cannot read it: {error}"))?;
    let entries: Vec<Entry> = serde_json::from_str(&text)
        .map_err(|error| format!("it is no list of commands to compile: {error}"))?;
    let around = Path::new(path).parent().unwrap_or(Path::new(""));
    let here = std::env::current_dir().unwrap_or_default().join(around);
    let mut files = Vec::new();
    for entry in entries {
        let words = match entry.arguments {
            Some(words) => Some(words),
            None => shlex::split(&entry.command.unwrap_or_default()),
        };
        let Some(words) = words else {
            let file = entry.file.display();
            return Err(format!("the command for {file} ends within quotes"));
        };
        let folder = here.join(entry.directory);
        let file = folder.join(entry.file);
        let file = file.canonicalize().unwrap_or(file);
        files.push((file, told(words, &folder)));
    }
    let path = path.to_owned();
    Ok(CompileCommands { path, files })
}

/// Replaces a list of commands by the files in it, and notes how they are read.
///
/// # Errors
/// When it is no list, or an empty one; in words.
pub fn resolve(common: &mut CommonArgs) -> Result<(), String> {
    let named = |name: &String| is_list(Path::new(name));
    let mut names = vec![common.file.clone()];
    names.extend_from_slice(&common.more);
    if !names.iter().any(named) {
        return Ok(());
    }
    let here = std::env::current_dir().unwrap_or_default();
    let mut found: Vec<String> = Vec::new();
    for name in names {
        let mut add = |file: String| {
            if !found.contains(&file) {
                found.push(file);
            }
        };
        if !named(&name) {
            add(name);
            continue;
        }
        let list = read(&name).map_err(|error| format!("{name}: {error}"))?;
        for (file, _) in &list.files {
            add(file
                .strip_prefix(&here)
                .unwrap_or(file)
                .display()
                .to_string());
        }
        common.c.compile_commands = Some(list);
    }
    let mut found = found.into_iter();
    let none = || "the list of commands names no file".to_owned();
    common.file = found.next().ok_or_else(none)?;
    common.more = found.collect();
    Ok(())
}

/// Returns what a command that runs in a folder tells the preprocessor.
fn told(words: Vec<String>, folder: &Path) -> Vec<Told> {
    const FLAGS: [&str; 8] = [
        "-D",
        "-U",
        "-I",
        "-isystem",
        "-iquote",
        "-idirafter",
        "-include",
        "-imacros",
    ];
    let mut told = Vec::new();
    let mut words = words.into_iter().skip(1);
    while let Some(word) = words.next() {
        let found = FLAGS
            .into_iter()
            .find_map(|flag| Some((flag, word.strip_prefix(flag)?)));
        let Some((flag, rest)) = found else { continue };
        let value = match rest {
            "" => words.next().unwrap_or_default(),
            _ => rest.to_owned(),
        };
        let path = folder.join(&value);
        // A file that is to be included may lie in any folder of headers.
        let is_name = matches!(flag, "-D" | "-U") || flag.starts_with("-i") && !path.exists();
        let value = match is_name {
            true => value,
            false => path.display().to_string(),
        };
        let flag = flag.to_owned();
        told.push(Told { flag, value });
    }
    told
}
