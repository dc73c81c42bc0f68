//! What a binary is: whether it can be run under control, and whether its accesses to memory are seen.

use std::path::{Path, PathBuf};

use object::{Object as _, ObjectSection as _, ObjectSymbol as _};

/// The program's file, as the shell would find it.
pub(super) fn find(name: &str) -> Result<PathBuf, String> {
    if name.contains('/') {
        return Ok(PathBuf::from(name));
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    (std::env::split_paths(&path).map(|folder| folder.join(name)))
        .find(|file| file.is_file())
        .ok_or_else(|| format!("there is no program {name}: a program here is ./{name}"))
}

/// Whether a file's accesses to memory are reported.
pub(super) fn instrumented(path: &Path) -> bool {
    let Ok(bytes) = std::fs::read(path) else {
        return false;
    };
    let Ok(file) = object::File::parse(&*bytes) else {
        return false;
    };
    file.dynamic_symbols()
        .any(|s| s.is_undefined() && s.name() == Ok("__tsan_init"))
}

/// Refuses what cannot be controlled. Answers whether accesses to memory are reported.
pub(super) fn check(path: &Path) -> Result<bool, String> {
    let name = path.display();
    let bytes = std::fs::read(path).map_err(|error| format!("cannot read {name}: {error}"))?;
    let file = object::File::parse(&*bytes).map_err(|_| {
        format!("{name} is no binary: `run` needs the program itself, not a script that starts it")
    })?;
    let has = |section| file.section_by_name(section).is_some();
    if has(".go.buildinfo") || has(".note.go.buildid") {
        return Err(format!(
            "{name} is a program in Go: its threads do not use POSIX threads, and cannot be controlled"
        ));
    }
    if !has(".interp") {
        return Err(format!(
            "{name} is linked statically: link it dynamically, nothing can be loaded into it otherwise"
        ));
    }
    let defined = |s: &str| {
        file.symbols()
            .chain(file.dynamic_symbols())
            .any(|x| x.is_definition() && x.name() == Ok(s))
    };
    let seen = instrumented(path);
    if defined("__tsan_init") || needs(&file, b"libtsan.so.") {
        return Err(format!(
            "{name} is linked with the compiler's own sanitizer: link it with `dbverify cc`, too"
        ));
    }
    if needs(&file, b"libasan") || defined("__asan_init") {
        return Err(format!(
            "{name} is built with the address sanitizer, which cannot be loaded together with the runtime"
        ));
    }
    let comment = file.section_by_name(".comment").and_then(|s| s.data().ok());
    let rust = comment.is_some_and(|c| c.windows(5).any(|w| w == b"rustc"));
    if rust && !seen {
        return Err(format!(
            "{name} is a program in Rust whose atomics and locks are not seen: build it on a nightly with -Zbuild-std and -Zsanitizer=thread, and link it with the runtime"
        ));
    }
    Ok(seen)
}

/// Whether the file names a library whose name begins like this.
fn needs(file: &object::File<'_>, library: &[u8]) -> bool {
    let strings = file.section_by_name(".dynstr").and_then(|s| s.data().ok());
    strings.is_some_and(|s| s.windows(library.len()).any(|w| w == library))
}
