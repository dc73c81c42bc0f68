//! What a binary is: whether it can be run under control, and whether its accesses to memory are seen.

use std::path::{Path, PathBuf};

use object::{
    Architecture, Object as _, ObjectKind, ObjectSection as _, ObjectSymbol as _, SymbolKind,
};

use super::super::cc::OF_RUST;

/// Whether the accesses to memory of a file are reported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Seen {
    All,
    /// Not all, for this reason.
    Part(String),
    None,
}

/// The program's file, as the shell would find it.
pub(super) fn find(name: &str) -> Result<PathBuf, String> {
    if name.contains('/') {
        return Ok(PathBuf::from(name));
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    (std::env::split_paths(&path).map(|folder| folder.join(name)))
        .find(|file| file.is_file())
        .ok_or_else(|| {
            source(Path::new(name)).unwrap_or_else(|| {
                format!("there is no program {name}: a program here is ./{name}")
            })
        })
}

/// Says what to do with a source file that the user names in the place of a program.
fn source(path: &Path) -> Option<String> {
    let compiler = match path.extension()?.to_str()? {
        "c" => "gcc",
        "cpp" | "cc" | "cxx" => "g++",
        _ => return None,
    };
    let name = path.display().to_string();
    let program = path.with_extension("").display().to_string();
    let here = if program.contains('/') { "" } else { "./" };
    Some(format!(
        "{name} is a source: `dbverify cc {compiler} {name} -o {program}`, then `dbverify run {here}{program}`"
    ))
}

/// Checks whether a file has accesses to memory that are not reported.
pub(super) fn hides_accesses(path: &Path) -> bool {
    is(path, |file| seen(file) != Seen::All)
}

/// Checks whether a file is a binary for which `what` holds.
fn is(path: &Path, what: impl FnOnce(&object::File<'_>) -> bool) -> bool {
    std::fs::read(path)
        .is_ok_and(|bytes| object::File::parse(&*bytes).is_ok_and(|file| what(&file)))
}

/// The name of the constructor that gcc adds to a file whose accesses are reported.
const GCC: &str = "_sub_I_00099_";

/// Whether gcc compiled some of a file.
pub(super) fn by_gcc(path: &Path) -> bool {
    is(path, |file| {
        let mut symbols = file.symbols();
        symbols.any(|symbol| symbol.name().is_ok_and(|name| name.starts_with(GCC)))
    })
}

/// Functions of the C library that access memory of the program where the runtime does not see it.
const UNSEEN: &str = include_str!("../runtime/unseen.txt");

/// Which of them a file calls. C99 and C23 have names of their own for some.
pub(super) fn unseen_calls(path: &Path) -> Vec<String> {
    let bytes = std::fs::read(path).unwrap_or_default();
    let Ok(file) = object::File::parse(&*bytes) else {
        return Vec::new();
    };
    let symbols = file.dynamic_symbols();
    let names = symbols.filter_map(|s| s.name().ok().filter(|_| s.is_undefined()));
    let names = names.map(|name| {
        name.trim_start_matches("__isoc99_")
            .trim_start_matches("__isoc23_")
    });
    let unseen = names.filter(|name| UNSEEN.split_whitespace().any(|unseen| unseen == *name));
    unseen.map(str::to_owned).collect()
}

fn seen(file: &object::File<'_>) -> Seen {
    let mut imports = file
        .dynamic_symbols()
        .filter(object::read::ObjectSymbol::is_undefined);
    if !imports.any(|s| s.name() == Ok("__tsan_init")) {
        return Seen::None;
    }
    let sources = sources(file);
    if !sources.iter().any(|(_, reports)| *reports) {
        let reason = "whether `dbverify cc` compiled all of it is not known, because its symbols are stripped";
        return Seen::Part(reason.into());
    }
    let silent = sources.into_iter().filter(|(_, reports)| !reports);
    let mut silent: Vec<String> = silent.map(|(name, _)| name).collect();
    silent.sort_unstable();
    silent.dedup();
    if silent.is_empty() && in_assembly(file) {
        return Seen::Part("atomic operations in assembly are not seen".into());
    }
    if silent.is_empty() {
        return Seen::All;
    }
    let names = super::show::some(&silent);
    Seen::Part(format!(
        "atomics and accesses to memory in {names} are not seen, because `dbverify cc` did not compile that"
    ))
}

/// Checks for an atomic addition or compare-and-exchange. Where all accesses are reported, only assembly has one. Other
/// atomic instructions look too much like parts of plain ones.
fn in_assembly(file: &object::File<'_>) -> bool {
    const LOCK: u8 = 0xf0;
    let text = file.section_by_name(".text").and_then(|s| s.data().ok());
    let atomic = |bytes: &[u8]| {
        let wide = usize::from(bytes[1] & 0xf0 == 0x40);
        bytes[0] == LOCK
            && bytes[1 + wide] == 0x0f
            && matches!(bytes[2 + wide], 0xb0 | 0xb1 | 0xc0 | 0xc1)
    };
    file.architecture() == Architecture::X86_64
        && text.is_some_and(|text| text.windows(4).any(atomic))
}

/// Returns the source files of the symbol table. The flag says whether a file reports accesses: then it has a constructor.
fn sources(file: &object::File<'_>) -> Vec<(String, bool)> {
    let mut sources: Vec<(String, bool)> = Vec::new();
    let mut started = false;
    for symbol in file.symbols() {
        let name = symbol.name().unwrap_or_default();
        if symbol.kind() == SymbolKind::File {
            // The C library's start is linked before this file.
            if name == "crtstuff.c" && !started {
                sources.retain(|(_, reports)| *reports);
                started = true;
            }
            sources.push((name.to_owned(), false));
        } else if symbol.is_global() {
            break;
        } else if name.starts_with(GCC) || name.starts_with("tsan.module_ctor") {
            sources
                .last_mut()
                .into_iter()
                .for_each(|last| last.1 = true);
        }
    }
    let linked = ["", "crtstuff.c", "elf-init.c", "offloadstuff.c"];
    sources.retain(|(name, reports)| {
        *reports || !linked.contains(&name.as_str()) && !name.starts_with("tsan_preinit.")
    });
    sources
}

/// Refuses a program that cannot be controlled. Returns whether its accesses to memory are reported.
pub(super) fn check(path: &Path) -> Result<Seen, String> {
    let name = path.display();
    let bytes = std::fs::read(path).map_err(|error| format!("cannot read {name}: {error}"))?;
    let file = object::File::parse(&*bytes).map_err(|_| {
        source(path).unwrap_or_else(|| {
            format!(
                "{name} is no binary: `run` needs the program itself, not a script that starts it"
            )
        })
    })?;
    let (machine, own) = (file.architecture(), std::env::consts::ARCH);
    let owned = match own {
        "aarch64" => Architecture::Aarch64,
        _ => Architecture::X86_64,
    };
    if machine != owned {
        return Err(format!(
            "{name} is a program for another machine ({machine:?}): this dbverify runs programs for {own}"
        ));
    }
    let has = |section| file.section_by_name(section).is_some();
    if has(".go.buildinfo") || has(".note.go.buildid") {
        return Err(format!(
            "{name} is a program in Go: its threads do not use POSIX threads, and cannot be controlled"
        ));
    }
    if file.kind() == ObjectKind::Relocatable {
        return Err(format!("{name} is an object file: link it to a program"));
    }
    if !has(".interp") {
        return Err(format!(
            "{name} is linked statically: link it dynamically, nothing can be loaded into it otherwise"
        ));
    }
    rights(path)?;
    sanitizers(path, &file)?;
    let seen = seen(&file);
    if in_rust(&file) && seen == Seen::None {
        return Err(format!(
            "{name} is a program in Rust whose atomics and locks are not seen. Programs in Rust cannot be checked: {OF_RUST}"
        ));
    }
    Ok(seen)
}

/// Refuses programs that run with other rights.
fn rights(path: &Path) -> Result<(), String> {
    let name = path.display();
    let mode = std::fs::metadata(path).map_or(0, |m| std::os::unix::fs::MetadataExt::mode(&m));
    if mode & 0o6000 != 0 {
        return Err(format!(
            "{name} runs with the rights of its owner (setuid): nothing can be loaded into it; run a copy that has not"
        ));
    }
    Ok(())
}

/// Refuses programs with sanitizers that cannot stand beside the runtime.
fn sanitizers(path: &Path, file: &object::File<'_>) -> Result<(), String> {
    let name = path.display();
    let defined = |s: &str| {
        file.symbols()
            .chain(file.dynamic_symbols())
            .any(|x| x.is_definition() && x.name() == Ok(s))
    };
    if defined("__tsan_init") || needs(file, b"libtsan.so.") {
        return Err(format!(
            "{name} is linked with the compiler's own sanitizer: link it with `dbverify cc`, too"
        ));
    }
    let sanitizers = [
        ("address", "libasan", "__asan_init"),
        ("leak", "liblsan", "__lsan_init"),
        ("memory", "libmsan", "__msan_init"),
        ("address", "libhwasan", "__hwasan_init"),
    ];
    let has_one = |(_, library, start): &&(&str, &str, &str)| {
        needs(file, library.as_bytes()) || defined(start)
    };
    if defined("__ubsan_on_report") {
        return Err(format!(
            "{name} contains the library of -fsanitize=undefined, whose errors are not seen: add -fsanitize-trap=all (gcc: -fsanitize-undefined-trap-on-error)"
        ));
    }
    if let Some((kind, ..)) = sanitizers.iter().find(has_one) {
        return Err(format!(
            "{name} is built with the {kind} sanitizer, which cannot be loaded together with the runtime"
        ));
    }
    Ok(())
}

/// Whether a compiler of Rust made some of a file.
fn in_rust(file: &object::File<'_>) -> bool {
    let comment = file.section_by_name(".comment").and_then(|s| s.data().ok());
    comment.is_some_and(|c| c.windows(5).any(|w| w == b"rustc"))
}

/// Checks whether a file has code in Rust that does not report its accesses. The runtime does not see the locks of such code.
pub(super) fn hides_locks(path: &Path) -> bool {
    is(path, |file| in_rust(file) && seen(file) != Seen::All)
}

/// Whether the file names a library whose name begins like this.
fn needs(file: &object::File<'_>, library: &[u8]) -> bool {
    let strings = file.section_by_name(".dynstr").and_then(|s| s.data().ok());
    strings.is_some_and(|s| s.windows(library.len()).any(|w| w == library))
}
