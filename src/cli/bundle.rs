//! `dbverify bundle`: the program and its solver in one folder, which can be moved to any machine of the same kind.
//!
//! The program looks for the library in its own folder first, so nothing has to be changed in either.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use clap::{Args, ValueHint};

use super::output;
use solver::z3_version::{self, KEPT, NAME};

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
    let library = library(&program);
    if library.is_none() && !cfg!(feature = "vendored") {
        return Err(format!(
            "no library of Z3 was found to go with the program; {}",
            z3_version::help()
        ));
    }
    std::fs::create_dir_all(folder)
        .map_err(|error| format!("cannot make the folder {}: {error}", folder.display()))?;
    copy(&program, folder, program.file_name())?;
    // The program looks for the library under this name. A link of this name may lead to a file with another name.
    library.map_or(Ok(()), |library| {
        copy(&library, folder, NAME.map(OsStr::new))
    })
}

fn copy(from: &Path, folder: &Path, name: Option<&OsStr>) -> Result<(), String> {
    let name = name.ok_or_else(|| format!("{} is no file", from.display()))?;
    let to = folder.join(name);
    let same = |a: &Path, b: &Path| {
        a.canonicalize()
            .ok()
            .is_some_and(|a| b.canonicalize().ok() == Some(a))
    };
    if !same(from, &to) {
        // A file that runs cannot be written over, but it can be replaced.
        let partial = folder.join(".dbverify-partial");
        std::fs::copy(from, &partial)
            .and_then(|_| std::fs::rename(&partial, &to))
            .map_err(|error| {
                // The rest of a failed copy has no use, and may fill the disk.
                let _ = std::fs::remove_file(&partial);
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
        let built = KEPT.map(PathBuf::from);
        let places = [
            Some(folder.join(NAME?)),
            Some(folder.join("..").join(NAME?)),
            built,
        ];
        places.into_iter().flatten().find(|path| path.is_file())
    })
}

/// Looks for the library, then finds its path in what the system says of the memory of this process.
fn loaded() -> Option<PathBuf> {
    z3_version::present().ok()?;
    let maps = std::fs::read_to_string("/proc/self/maps").ok()?;
    let path = maps.lines().find_map(|line| {
        let path = &line[line.find('/')?..];
        let name = path.rsplit('/').next()?;
        name.starts_with("libz3").then(|| PathBuf::from(path))
    })?;
    path.is_file().then_some(path)
}
