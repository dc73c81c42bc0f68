//! The rooms are as house.toml says: no room knows a later one, and no room exceeds its budget.

use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use walkdir::WalkDir;

#[derive(Deserialize)]
struct House {
    largest: usize,
    room: Vec<Room>,
}

#[derive(Deserialize)]
struct Room {
    name: String,
    purpose: String,
    lines: usize,
}

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn house() -> House {
    let text = fs::read_to_string(root().join("house.toml")).unwrap();
    toml::from_str(&text).unwrap()
}

fn manifest(room: &str) -> toml::Table {
    let path = root().join("src").join(room).join("Cargo.toml");
    let text = fs::read_to_string(&path).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
    text.parse().unwrap()
}

#[test]
fn every_crate_is_a_room_with_one_purpose() {
    let folders: BTreeSet<_> = fs::read_dir(root().join("src"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.join("Cargo.toml").exists())
        .map(|path| path.file_name().unwrap().to_string_lossy().into_owned())
        .collect();
    let rooms = house().room;
    let named: BTreeSet<_> = rooms.iter().map(|room| room.name.clone()).collect();
    assert_eq!(
        folders, named,
        "the folders of src/, and the rooms of house.toml"
    );
    for room in rooms {
        let package = manifest(&room.name)["package"].clone();
        assert_eq!(package["description"].as_str(), Some(&*room.purpose));
    }
}

#[test]
fn the_table_of_rooms_has_all_of_them() {
    let text = fs::read_to_string(root().join("ARCHITECTURE.md")).unwrap();
    let table = text.split("\n\n").find(|part| part.starts_with("| room |"));
    let rows = table
        .unwrap()
        .lines()
        .filter_map(|row| row.split('`').nth(1));
    // `ir` has rows for its folders, too.
    let shown: BTreeSet<&str> = rows.filter(|name| !name.contains('/')).collect();
    let rooms = house().room;
    let named: BTreeSet<&str> = rooms.iter().map(|room| &*room.name).collect();
    assert_eq!(shown, named, "the table of ARCHITECTURE.md, and house.toml");
}

#[test]
fn a_room_knows_only_rooms_before_it() {
    let rooms = house().room;
    let mut before = BTreeSet::new();
    let all: BTreeSet<_> = rooms.iter().map(|room| &room.name).collect();
    for room in &rooms {
        let manifest = manifest(&room.name);
        let known = manifest.get("dependencies").and_then(toml::Value::as_table);
        for other in known.into_iter().flat_map(toml::Table::keys) {
            assert!(
                !all.contains(other) || before.contains(other),
                "`{}` knows `{other}`, which stands behind it in house.toml",
                room.name
            );
        }
        before.insert(&room.name);
    }
}

#[test]
fn no_room_has_outgrown_its_budget() {
    let house = house();
    for room in &house.room {
        let lines = lines(&root().join("src").join(&room.name));
        assert!(
            room.lines <= house.largest,
            "`{}` may have {} lines: split it, no room has more than {}",
            room.name,
            room.lines,
            house.largest
        );
        assert!(
            lines <= room.lines,
            "`{}` has {lines} lines, and house.toml allows {}: make it smaller, or raise the budget and say why",
            room.name,
            room.lines
        );
    }
}

/// Cargo builds a room a second time for its tests. Where it does not, tests would never run.
#[test]
fn a_room_is_built_for_tests_if_it_has_some() {
    for room in house().room {
        let built = manifest(&room.name)["lib"].get("test") != Some(&toml::Value::Boolean(false));
        let sources = sources(&root().join("src").join(&room.name));
        let has_tests = sources.iter().any(|path| {
            let text = fs::read_to_string(path).unwrap();
            text.lines().any(|line| line.trim() == "#[test]")
        });
        assert_eq!(
            built, has_tests,
            "`test` in the manifest of `{}`",
            room.name
        );
    }
}

/// The lines of Rust in a folder, without tests.
fn lines(folder: &Path) -> usize {
    let is_test = |part: &OsStr| part == "tests" || part == "tests.rs";
    let sources = sources(folder).into_iter();
    let counted = sources.filter(|path| !path.strip_prefix(folder).unwrap().iter().any(is_test));
    counted
        .map(|path| lines_without_tests(&fs::read_to_string(path).unwrap()))
        .sum()
}

/// The lines of a file without its modules of tests.
fn lines_without_tests(text: &str) -> usize {
    let (mut count, mut attribute, mut in_tests) = (0, false, false);
    for line in text.lines() {
        let begins = attribute && line.starts_with("mod ") && line.ends_with('{');
        count -= usize::from(begins);
        in_tests |= begins;
        count += usize::from(!in_tests);
        in_tests &= line != "}";
        attribute = line == "#[cfg(test)]";
    }
    count
}

/// The files of Rust in a folder and those below it.
fn sources(folder: &Path) -> Vec<PathBuf> {
    let files = WalkDir::new(folder).into_iter().map(|entry| entry.unwrap());
    files
        .map(walkdir::DirEntry::into_path)
        .filter(|path| path.extension().is_some_and(|e| e == "rs"))
        .collect()
}

/// Nothing else in a test run builds with the profiles of the page and of the benchmarks.
#[test]
fn the_profiles_that_scripts_name_are_there() {
    let text = fs::read_to_string(root().join("Cargo.toml")).unwrap();
    let manifest: toml::Table = text.parse().unwrap();
    for (script, profile) in [
        ("playground/build.py", "web"),
        ("bench/families/run.py", "fast"),
    ] {
        let text = fs::read_to_string(root().join(script)).unwrap();
        assert!(text.contains(profile), "{script}");
        let base = manifest["profile"].get(profile).map(|p| &p["inherits"]);
        assert_eq!(base, Some(&"release".into()), "{profile}");
    }
}
