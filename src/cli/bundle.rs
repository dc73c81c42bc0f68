//! `dbverify bundle`: the program and its solver in one folder, which can be moved to any machine of the same kind.
//!
//! The program looks for the library in its own folder first, so nothing has to be changed in either.

use std::path::{Path, PathBuf};

use clap::{Args, ValueHint};

use super::output;

const EXAMPLES: &str = "\
Examples:
  dbverify bundle /opt/dbverify                 /opt/dbverify/dbverify, and the library beside it
  dbverify bundle out && tar -czf out.tgz out   to be unpacked anywhere";

/// Options of `bundle`.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct BundleArgs {
    /// The folder; it is made if it is not there
    #[arg(value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub folder: PathBuf,
}

/// Copies the program and the library that it runs with.
///
/// # Errors
/// What cannot be read or written, in words.
pub fn run(args: &BundleArgs) -> Result<(), String> {
    let folder = &args.folder;
    let program = std::env::current_exe()
        .map_err(|error| format!("cannot find the program itself: {error}"))?;
    std::fs::create_dir_all(folder)
        .map_err(|error| format!("cannot make the folder {}: {error}", folder.display()))?;
    copy(&program, folder)?;
    match library(&program) {
        Some(library) => copy(&library, folder),
        None if cfg!(feature = "vendored") => Ok(()),
        None => Err("cannot find the library of Z3 that this program runs with".to_owned()),
    }
}

fn copy(from: &Path, folder: &Path) -> Result<(), String> {
    let Some(name) = from.file_name() else {
        return Err(format!("{} is no file", from.display()));
    };
    let to = folder.join(name);
    let same = |a: &Path, b: &Path| {
        a.canonicalize()
            .ok()
            .is_some_and(|a| b.canonicalize().ok() == Some(a))
    };
    if !same(from, &to) {
        // What runs cannot be written over, but it can be replaced.
        let partial = folder.join(".dbverify-partial");
        std::fs::copy(from, &partial)
            .and_then(|_| std::fs::rename(&partial, &to))
            .map_err(|error| {
                format!(
                    "cannot copy {} to {}: {error}",
                    from.display(),
                    to.display()
                )
            })?;
    }
    output::print(&format!("{} from {}\n", to.display(), from.display()));
    Ok(())
}

/// The library that is loaded, or where the loader would look for it.
fn library(program: &Path) -> Option<PathBuf> {
    loaded().or_else(|| {
        let folder = program.parent()?;
        let built = option_env!("DBVERIFY_Z3_LIBRARY").map(PathBuf::from);
        let name = built.as_ref()?.file_name()?.to_owned();
        let places = [
            Some(folder.join(&name)),
            Some(folder.join("..").join(&name)),
            built,
        ];
        places.into_iter().flatten().find(|path| path.is_file())
    })
}

/// What the system says of the memory of this process.
fn loaded() -> Option<PathBuf> {
    let maps = std::fs::read_to_string("/proc/self/maps").ok()?;
    let path = maps.lines().find_map(|line| {
        let path = &line[line.find('/')?..];
        let name = path.rsplit('/').next()?;
        name.starts_with("libz3.").then(|| PathBuf::from(path))
    })?;
    path.is_file().then_some(path)
}
