//! The rooms stand as house.toml says: none knows one behind it, none has outgrown its budget.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;

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

/// The lines of Rust in a folder, without tests.
fn lines(folder: &Path) -> usize {
    let entries = fs::read_dir(folder).unwrap();
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let counted = paths.iter().map(|path| match path.file_name() {
        Some(name) if name == "tests" || name == "tests.rs" => 0,
        _ if path.is_dir() => lines(path),
        _ if path.extension().is_some_and(|e| e == "rs") => {
            fs::read_to_string(path).unwrap().lines().count()
        }
        _ => 0,
    });
    counted.sum()
}
