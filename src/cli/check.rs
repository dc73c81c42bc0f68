//! `dbverify check`: what is wrong with the text of programs, of one or of all in a folder.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustc_hash::FxHashSet;
use serde_json::Value;

use base::diagnostic::{Diagnostic, Severity};
use base::source::{Origin, SourceMap, Span};
use base::stack::on_big_stack;
use report::sarif;

use super::args::{CheckArgs, Format};
use super::asking::{Complaints as Checked, complaints};
use super::files::{self, Found};
use super::input;
use super::output;
use super::status::{SAFE, WRONG_INPUT};
use super::svcomp::{self, Task};

/// Checks programs and says what is wrong with them.
pub fn run(args: &CheckArgs) -> u8 {
    let checked: Vec<Checked> = match files::programs(&args.files, &["async", "c", "i"]) {
        Ok(files) if files.is_empty() => {
            vec![unreadable(
                &args.files.join(" "),
                format!("there is no program in {}", args.files.join(" ")),
            )]
        }
        Ok(files) => one_program(args, &files)
            .unwrap_or_else(|| programs(files.iter().map(|file| check(args, file)).collect())),
        Err(message) => vec![unreadable(&args.files.join(" "), message)],
    };
    show(args, &checked);
    let mut all = checked.iter().flat_map(|c| &c.diagnostics);
    if all.any(|d| d.severity == Severity::Error) {
        WRONG_INPUT
    } else {
        SAFE
    }
}

/// Checks several files in C as one program, if exactly one of them has a `main`.
fn one_program(args: &CheckArgs, files: &[Found]) -> Option<Vec<Checked>> {
    let (first, more) = files.split_first().filter(|(_, more)| !more.is_empty())?;
    if !files.iter().all(|f| c::is_c(&f.path)) {
        return None;
    }
    let more: Vec<String> = more.iter().map(|f| f.path.clone()).collect();
    let input = input::read_all(&first.path, &more).ok()?;
    let texts = input.more.iter().map(|(name, text)| (name, text));
    let texts = texts.chain([(&input.name, &input.text)]);
    let mut mains: Vec<_> = texts.filter(|(_, text)| seems_to_have_main(text)).collect();
    if mains.len() > 1 {
        mains.retain(|(name, text)| has_main(args, name, text));
    }
    (mains.len() == 1).then(|| vec![complaints(args, input)])
}

/// Whether a file in C defines `main` once it is preprocessed, or cannot be read.
fn has_main(args: &CheckArgs, name: &str, text: &Arc<str>) -> bool {
    let mut sources = SourceMap::new();
    if sources.add(name, Arc::clone(text)).is_err() {
        return true;
    }
    let unit = on_big_stack(|| c::read(&mut sources, &args.c.options()).unit);
    unit.is_none_or(|unit| unit.main.is_some())
}

/// Whether a text in C seems to define `main`.
fn seems_to_have_main(text: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices("main").any(|(at, word)| {
        let after = text[at + word.len()..].trim_start();
        !text[..at].ends_with(is_word) && after.starts_with('(')
    })
}

/// Leaves out files without a `main` that other files use: they are checked with these.
fn programs(checked: Vec<Checked>) -> Vec<Checked> {
    let same = |name: &str| Path::new(name).canonicalize().ok();
    let files = checked
        .iter()
        .flat_map(|c| c.sources.files().iter().skip(1));
    let own = files.filter(|file| file.origin == Origin::User);
    let used: FxHashSet<PathBuf> = own.filter_map(|file| same(&file.name)).collect();
    let is_module = |c: &Checked| {
        c.diagnostics.iter().any(|d| d.code == "no-main")
            && same(&c.name).is_some_and(|path| used.contains(&path))
    };
    checked.into_iter().filter(|c| !is_module(c)).collect()
}

fn check(args: &CheckArgs, file: &Found) -> Checked {
    if svcomp::is_task(&file.path) {
        let mut args = args.clone();
        return match svcomp::task(&file.path, &mut args.c) {
            Ok(Task { program: path, .. }) => check(
                &args,
                &Found {
                    path,
                    ..file.clone()
                },
            ),
            Err(message) => unreadable(&file.path, message),
        };
    }
    match input::read(&file.path) {
        Ok(input) => complaints(args, input),
        Err(message) => unreadable(&file.path, message),
    }
}

/// Complains about a file that has no text to check.
fn unreadable(name: &str, message: String) -> Checked {
    let problem = Diagnostic {
        span: None,
        ..Diagnostic::error("input", Span::default(), message)
    };
    Checked {
        name: name.to_owned(),
        sources: SourceMap::new(),
        diagnostics: vec![problem],
    }
}

fn show(args: &CheckArgs, checked: &[Checked]) {
    match (args.format, checked) {
        (_, [one]) => {
            if args.format != Format::Text || !one.diagnostics.is_empty() {
                let how = (args.format, args.color);
                input::show(how, &one.name, &one.sources, &one.diagnostics);
            }
        }
        (Format::Text, all) => {
            for one in all.iter().filter(|c| !c.diagnostics.is_empty()) {
                let how = (Format::Text, args.color);
                input::show(how, &one.name, &one.sources, &one.diagnostics);
            }
        }
        (Format::Json, all) => {
            let names = all.iter().map(|c| c.name.as_str()).collect::<Vec<_>>();
            let lists = all.iter().map(as_data).collect::<Vec<_>>();
            let text = report::json::diagnostics_of_several(&names, lists);
            output::print(&(text + "\n"));
        }
        (Format::Sarif, all) => {
            let log = all.iter().fold(sarif::Log::default(), |log, one| {
                log.complaining(&one.sources, &one.diagnostics)
            });
            output::print(&(log.text() + "\n"));
        }
    }
}

/// What is wrong with a file, as data that names it.
fn as_data(checked: &Checked) -> Value {
    let mut list = report::diagnostic::json(&checked.sources, &checked.diagnostics);
    for one in list.as_array_mut().into_iter().flatten() {
        if one.get("file").is_none() {
            one["file"] = checked.name.as_str().into();
        }
    }
    list
}
