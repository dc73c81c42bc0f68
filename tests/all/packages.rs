//! The packages that `packaging/make.py` makes from the program at hand, tried in folders with nothing else.
//!
//! A test whose tools are missing is skipped and says so. Tests that take minutes run with `DBVERIFY_PACKAGES=1`.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

const ROOT: &str = env!("CARGO_MANIFEST_DIR");
const PROGRAM: &str = env!("CARGO_BIN_EXE_dbverify");
const PROOF: &str = "examples/proofs/counter.async";

/// The output of a command; `None`, with a note, if it cannot be started.
fn said(command: &mut Command) -> Option<Output> {
    let name = command.get_program().to_string_lossy().into_owned();
    let output = command.current_dir(ROOT).output();
    output.map_or_else(
        |error| {
            eprintln!("note: {name}: {error}; a package was not tried");
            None
        },
        Some,
    )
}

/// Runs `make.py`. Returns the file that it makes, the only one of the folder.
fn made(what: &str, folder: &Path, more: &[&str]) -> Option<PathBuf> {
    let mut python = Command::new("python3");
    python
        .args(["packaging/make.py", what, "--out"])
        .arg(folder);
    // `tomllib` is there since Python 3.11.
    let old = "import sys; sys.exit(sys.version_info < (3, 11))";
    let fits = said(Command::new("python3").args(["-c", old]))?
        .status
        .success();
    if !fits {
        eprintln!("note: make.py needs Python 3.11; a package was not tried");
        return None;
    }
    let output = said(python.args(more))?;
    assert!(output.status.success(), "{output:?}");
    let mut files = std::fs::read_dir(folder).unwrap();
    Some(files.next().unwrap().unwrap().path())
}

/// Tries a program that was installed in a folder, with nothing on the path but that.
fn works_alone(program: &Path, folder: &Path) {
    let run = |args: &[&str]| {
        let mut command = Command::new(program);
        command.env_clear().env("PATH", program.parent().unwrap());
        command.current_dir(folder).args(args).output().unwrap()
    };
    let output = run(&["doctor"]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(text.contains("ok    the solver Z3"), "{text}");
    // The solver is the one of the package, and none that the build has left on this machine.
    let output = run(&["bundle", "copied"]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let from = text.lines().nth(1).and_then(|l| l.split(" from ").nth(1));
    let inside = from.is_some_and(|f| Path::new(f).starts_with(folder));
    assert!(inside, "{text}{output:?}");
}

#[test]
fn the_wheel_works_in_a_fresh_environment() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().canonicalize().unwrap();
    let Some(wheel) = made("wheel", &folder.join("made"), &["--program", PROGRAM]) else {
        return;
    };
    let home = folder.join("home");
    let mut python = Command::new("python3");
    let Some(output) = said(python.args(["-m", "venv", "--without-pip"]).arg(&home)) else {
        return;
    };
    let mut pip = Command::new("python3");
    pip.args(["-m", "pip", "--python"])
        .arg(home.join("bin/python"));
    let installed = said(pip.args(["install", "--quiet"]).arg(&wheel));
    let installed = installed.filter(|i| i.status.success() && output.status.success());
    if installed.is_none() {
        eprintln!("note: pip cannot install z3-solver here; the wheel was not tried");
        return;
    }
    works_alone(&home.join("bin/dbverify"), &folder);
}

#[test]
fn the_archive_works_in_an_empty_folder() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path().canonicalize().unwrap();
    let Some(archive) = made("archive", &folder.join("made"), &["--program", PROGRAM]) else {
        return;
    };
    let mut tar = Command::new("tar");
    let Some(output) = said(tar.arg("-xzf").arg(&archive).arg("-C").arg(&folder)) else {
        return;
    };
    assert!(output.status.success(), "{output:?}");
    let name = archive.file_name().unwrap().to_str().unwrap();
    let unpacked = folder.join(name.strip_suffix(".tar.gz").unwrap());
    works_alone(&unpacked.join("dbverify"), &folder);
    assert!(unpacked.join("examples/bakery.async").is_file());
}

/// A package has the files of its room only.
#[test]
fn no_room_reads_files_outside_of_it() {
    for entry in walkdir::WalkDir::new(Path::new(ROOT).join("src")) {
        let path = entry.unwrap().into_path();
        let is_test = path.components().any(|c| c.as_os_str() == "tests");
        if is_test || path.extension().is_none_or(|e| e != "rs") {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let code = text.split("#[cfg(test)]").next().unwrap();
        let outside = code.contains("include_str!(\"../../") || code.contains("concat!(\"../../");
        assert!(!outside, "{}", path.display());
    }
}

fn minutes_are_there(what: &str) -> bool {
    let there = std::env::var_os("DBVERIFY_PACKAGES").is_some();
    if !there {
        eprintln!("note: DBVERIFY_PACKAGES is not set; {what} was not tried");
    }
    there
}

#[test]
fn cargo_packages_every_room() {
    if !minutes_are_there("`make.py crate`") {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    made("crate", folder.path(), &["--allow-dirty"]);
}

#[test]
fn the_container_proves() {
    let docker = || Command::new("docker");
    if !minutes_are_there("the container") {
        return;
    }
    if !said(docker().arg("info")).is_some_and(|o| o.status.success()) {
        eprintln!("note: docker does not run here; the container was not tried");
        return;
    }
    let output = said(Command::new("python3").args(["packaging/make.py", "container"])).unwrap();
    assert!(output.status.success(), "{output:?}");
    let place = format!("{ROOT}:/work");
    let output = said(docker().args(["run", "--rm", "-v", &place, "dbverify", "prove", PROOF]));
    assert_eq!(output.unwrap().status.code(), Some(0));
}

#[test]
fn the_extension_of_vs_code_works_and_is_packed_without_a_warning() {
    let folder = Path::new(ROOT).join("editors/vscode");
    if !folder.join("node_modules").is_dir() {
        eprintln!("note: `npm ci` was not run in editors/vscode; the extension was not tried");
        return;
    }
    let run = |args: &[&str]| {
        let mut npm = Command::new("npm");
        npm.current_dir(&folder).args(args).env("DBVERIFY", PROGRAM);
        npm.output().unwrap()
    };
    // The second one skips itself where there is no VS Code.
    for tests in [&["test"][..], &["run", "test:server"]] {
        let output = run(tests);
        assert!(output.status.success(), "{output:?}");
    }
    let place = tempfile::tempdir().unwrap();
    let package = place.path().join("dbverify.vsix");
    let output = run(&[
        "exec",
        "vsce",
        "package",
        "--",
        "--out",
        package.to_str().unwrap(),
    ]);
    let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && package.is_file(), "{text}");
    assert!(!text.contains("WARNING"), "{text}");
}
