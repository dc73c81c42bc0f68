//! Supplies libz3, in this order: the directory in `Z3_LIB_DIR`, the feature `vendored`,
//! the pinned library from PyPI.
//!
//! Pip fetches the pinned library and checks it against the hashes in `z3-requirements.txt`. The build keeps it in the user's
//! folder for the data of programs, so that a second target directory needs no network and an installed binary finds it. The
//! build also places it beside the binary, so that the two can be moved together.
//!
//! The program is not linked against the library itself, but against a [stub](super::z3_stub) that looks for it when the program
//! needs it.

use std::env;
use std::error::Error;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Command, id};

use super::z3_stub;

const REQUIREMENTS: &str = "build/z3-requirements.txt";

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// Tells cargo where libz3 is, fetching it if need be.
pub fn supply() -> Result<()> {
    for variable in [
        "Z3_LIB_DIR",
        "XDG_DATA_HOME",
        "Z3_NO_PKG_CONFIG",
        "PKG_CONFIG",
    ] {
        println!("cargo:rerun-if-env-changed={variable}");
    }
    for file in [REQUIREMENTS, "build/z3_stub.c"] {
        println!("cargo:rerun-if-changed={file}");
    }
    let vendored = env::var_os("CARGO_FEATURE_VENDORED").is_some();
    if !vendored && env::var_os("Z3_NO_PKG_CONFIG").is_none() && system_has_z3() {
        return Err(OTHER_CONFIG.into());
    }
    if let Some(dir) = env::var_os("Z3_LIB_DIR").filter(|dir| !dir.is_empty()) {
        return link_users_library(Path::new(&dir));
    }
    if vendored {
        link_cxx_runtime();
        return Ok(());
    }
    link_pinned_library()
}

/// `cargo install` from a repository or a registry does not read `.cargo/config.toml`. Then the Z3 that pkg-config knows would
/// be linked without a word.
const OTHER_CONFIG: &str = "dbverify: write `Z3_NO_PKG_CONFIG=1 Z3_SYS_Z3_VERSION=5.4.0 CXXSTDLIB= cargo install ...`, \
or build in a clone: without these settings the Z3 of the system, which pkg-config knows, would be linked.";

/// Whether z3-sys would find another library than ours.
fn system_has_z3() -> bool {
    let program = env::var_os("PKG_CONFIG").unwrap_or_else(|| "pkg-config".into());
    let asked = Command::new(program).args(["--exists", "z3"]).status();
    asked.is_ok_and(|status| status.success())
}

/// The names under which one platform knows the library.
struct Names {
    /// The name of the file in the wheel, for which the finished program asks.
    runtime: &'static str,
}

impl Names {
    fn of_target() -> Result<Names> {
        match target("OS")?.as_str() {
            "linux" => Ok(Names {
                runtime: "libz3.so.5.4",
            }),
            "macos" => Ok(Names {
                runtime: "libz3.dylib",
            }),
            other => Err(help(&format!("No Z3 is pinned for the platform `{other}`.")).into()),
        }
    }
}

fn link_users_library(dir: &Path) -> Result<()> {
    let dir = fs::canonicalize(dir)
        .map_err(|error| format!("Z3_LIB_DIR is `{}`: {error}", dir.display()))?;
    let mut names = ["libz3.so", "libz3.dylib"].into_iter();
    let Some(name) = names.find(|name| dir.join(name).exists()) else {
        return Err(format!(
            "Z3_LIB_DIR is `{}`, but there is no libz3.so (macOS: libz3.dylib) in it.\n\
             Name the directory that holds the library, or unset the variable.",
            dir.display()
        )
        .into());
    };
    link_stub(&dir.join(name), name)
}

/// Links a stub that looks for this library, under this name, when the program needs it.
fn link_stub(library: &Path, runtime: &str) -> Result<()> {
    println!("cargo:rustc-env=DBVERIFY_Z3_LIBRARY={}", library.display());
    println!("cargo:rustc-env=DBVERIFY_Z3_NAME={runtime}");
    let dir = PathBuf::from(env::var("OUT_DIR")?).join("z3-stub");
    fs::create_dir_all(&dir)?;
    z3_stub::make(library, runtime, &dir)?;
    println!("cargo:rustc-link-search=native={}", dir.display());
    Ok(())
}

/// `CXXSTDLIB = ""` keeps z3-sys from naming the C++ library, which only the static
/// Z3 needs. It is an argument, not a library, because it must follow Z3.
fn link_cxx_runtime() {
    let cxx = if target("VENDOR").is_ok_and(|vendor| vendor == "apple") {
        "c++"
    } else {
        "stdc++"
    };
    println!("cargo:rustc-link-arg=-l{cxx}");
}

fn link_pinned_library() -> Result<()> {
    let names = Names::of_target()?;
    if env::var("HOST")? != env::var("TARGET")? {
        return Err(help("pip fetches Z3 for this machine, and you build for another one.").into());
    }
    let out = PathBuf::from(env::var("OUT_DIR")?);
    let library = fetch(&names, &out)?;
    link_stub(&library, names.runtime)?;

    // OUT_DIR is <target>/<profile>/build/<package>/out. If cargo ever changes that, or
    // installs the binary elsewhere, the stub still finds the library where it is kept.
    if let Some(profile) = out.ancestors().nth(3) {
        place(&library, &profile.join(names.runtime))?;
    }
    Ok(())
}

/// The pinned library: where it is kept, or from PyPI.
fn fetch(names: &Names, out: &Path) -> Result<PathBuf> {
    let requirements = fs::read_to_string(REQUIREMENTS)?;
    let version = requirements
        .lines()
        .find_map(|line| line.strip_prefix("z3-solver=="))
        .and_then(|rest| rest.split_whitespace().next())
        .ok_or("no `z3-solver==` in the requirements file")?;
    let key = format!("z3-{version}-{}", env::var("TARGET")?);

    // The second place is for users whose own folder cannot be written to.
    let places: Vec<PathBuf> = [data_dir(), Some(out.to_path_buf())]
        .into_iter()
        .flatten()
        .map(|dir| dir.join(&key).join(names.runtime))
        .collect();
    if let Some(library) = places.iter().find(|library| library.exists()) {
        return Ok(library.clone());
    }

    let work = out.join("z3-fetch");
    let _ = fs::remove_dir_all(&work); // what an interrupted build left
    fs::create_dir_all(&work)?;
    let unpacked = download(names, &work)?;
    let kept = places
        .into_iter()
        .find(|library| keep(&unpacked, library).is_ok())
        .ok_or("the fetched Z3 could not be stored: is the disk full?")?;
    let _ = fs::remove_dir_all(&work); // 100 MB that nobody needs any more
    Ok(kept)
}

/// Lets pip fetch the wheel and unpacks it into `work`.
fn download(names: &Names, work: &Path) -> Result<PathBuf> {
    let wheel_dir = work.join("wheel");
    python(
        Command::new("python3")
            .args(["-m", "pip", "download", "--quiet"])
            .args(["--disable-pip-version-check", "--no-input"])
            .args(["--no-deps", "--only-binary=:all:", "--require-hashes"])
            .args(["--requirement", REQUIREMENTS, "--dest"])
            .arg(&wheel_dir),
    )?;
    let wheel = fs::read_dir(&wheel_dir)?
        .next()
        .ok_or("pip reported success, but fetched nothing")??
        .path();
    python(
        Command::new("python3")
            .args(["-m", "zipfile", "-e"])
            .args([&wheel, work]),
    )?;
    let library = work.join("z3/lib").join(names.runtime);
    if !library.exists() {
        return Err(help(&format!("{} holds no {}.", wheel.display(), names.runtime)).into());
    }
    Ok(library)
}

fn python(command: &mut Command) -> Result<()> {
    let output = command
        .output()
        .map_err(|error| help(&format!("python3 did not start: {error}.")))?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    let quoted: Vec<String> = said
        .trim()
        .lines()
        .map(|line| format!("  | {line}"))
        .collect();
    Err(help(&format!("{command:?} said:\n{}", quoted.join("\n"))).into())
}

/// The explanation that every failure to find a library ends with.
fn help(reason: &str) -> String {
    format!(
        "dbverify needs the library of the solver Z3, and the build could not get it.\n\
         {reason}\n\n\
         Do one of these, then build again:\n\
         1. Let the build fetch it: have python3 with pip (Debian: apt-get install python3-pip)\n   \
            and a way to PyPI (a mirror or proxy that pip knows will do). This works on Linux\n   \
            with glibc (x86_64, aarch64, riscv64) and on macOS 13 or later (x86_64, arm64).\n\
         2. Bring your own: Z3_LIB_DIR=/a/directory cargo build, where the directory holds\n   \
            libz3.so (macOS: libz3.dylib) of Z3 5.3.2 or later. Older versions link and\n   \
            then misbehave.\n\
         3. Build it from source: cargo build --features vendored. This takes about 50 minutes\n   \
            of CPU time, cmake 3.26 or later, and gcc 13 or a clang of that age."
    )
}

/// Where this user's programs keep what they need; unlike a cache, it is not cleared to gain room.
fn data_dir() -> Option<PathBuf> {
    let variable = |name| {
        env::var_os(name)
            .map(PathBuf::from)
            .filter(|path| path.is_absolute())
    };
    let base = variable("XDG_DATA_HOME").or_else(|| {
        let inside = if cfg!(target_os = "macos") {
            "Library/Application Support"
        } else {
            ".local/share"
        };
        variable("HOME").map(|home| home.join(inside))
    })?;
    Some(base.join("dbverify"))
}

/// Copies `from` to `to` so that no program, such as another build, ever sees half of it.
fn keep(from: &Path, to: &Path) -> io::Result<()> {
    if let Some(dir) = to.parent() {
        fs::create_dir_all(dir)?;
    }
    let partial = to.with_extension(format!("partial-{}", id()));
    fs::copy(from, &partial)?;
    fs::rename(&partial, to)
}

/// Makes `to` another name of `from`, or a copy where the file system has no such thing.
fn place(from: &Path, to: &Path) -> io::Result<()> {
    let fresh = to.with_extension(format!("partial-{}", id()));
    fs::hard_link(from, &fresh).or_else(|_| fs::copy(from, &fresh).map(drop))?;
    fs::rename(&fresh, to)?;
    // Renaming onto another name of the same file does nothing and leaves both.
    if fresh.exists() {
        fs::remove_file(&fresh)?;
    }
    Ok(())
}

fn target(what: &str) -> Result<String> {
    Ok(env::var(format!("CARGO_CFG_TARGET_{what}"))?)
}
