//! From names on the command line to programs: a file stands for itself, a folder for all programs below it.

use std::path::Path;

use walkdir::WalkDir;

/// A program, and how the user named it.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Found {
    /// Its path as it is shown.
    pub path: String,
    /// Whether the user named the file itself, and not only its folder.
    pub named: bool,
}

/// The programs behind these names, each once: files in the order given, those of a folder by name. A folder stands for
/// the files below it whose names have one of the endings; hidden ones are left out.
///
/// # Errors
/// When there is no such file or folder, or a folder cannot be read.
pub fn programs(names: &[String], endings: &[&str]) -> Result<Vec<Found>, String> {
    let mut found: Vec<Found> = Vec::new();
    let mut add = |path: String, named: bool| match found.iter_mut().find(|f| f.path == path) {
        Some(known) => known.named |= named,
        None => found.push(Found { path, named }),
    };
    for name in names {
        if name != "-" && Path::new(name).is_dir() {
            for path in below(name, endings)? {
                add(path, false);
            }
        } else {
            add(name.clone(), true);
        }
    }
    Ok(found)
}

/// The files below a folder with one of these endings.
fn below(folder: &str, endings: &[&str]) -> Result<Vec<String>, String> {
    let mut found = Vec::new();
    let walk = WalkDir::new(folder).sort_by_file_name().into_iter();
    let shown =
        |e: &walkdir::DirEntry| e.depth() == 0 || !e.file_name().to_string_lossy().starts_with('.');
    for entry in walk.filter_entry(shown) {
        let entry = entry.map_err(|error| format!("cannot read {folder}: {error}"))?;
        let path = entry.path();
        let ending = path.extension().and_then(|e| e.to_str());
        if path.is_file() && ending.is_some_and(|e| endings.contains(&e)) {
            let path = path.strip_prefix(".").unwrap_or(path);
            found.push(path.to_string_lossy().into_owned());
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_stand_for_what_is_below_them() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        std::fs::create_dir_all(root.join("b/.hidden")).unwrap();
        for name in ["z.async", "a.c", "b/x.async", "b/.hidden/no.async", "n.txt"] {
            std::fs::write(root.join(name), "").unwrap();
        }
        let name = |n: &str| root.join(n).to_string_lossy().into_owned();
        let asked = [name("z.async"), name("")];
        let found = programs(&asked, &["async", "c"]).unwrap();
        let found: Vec<(String, bool)> = found.into_iter().map(|f| (f.path, f.named)).collect();
        let expected = [
            (name("z.async"), true),
            (name("a.c"), false),
            (name("b/x.async"), false),
        ];
        assert_eq!(found, expected);
    }
}
