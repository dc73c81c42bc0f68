//! `dbverify cc -- gcc ...`: adds options to a compiler's command line that make accesses to memory visible.

use std::path::Path;

/// Checks whether a path is one of the compiler `stem`, of any version and for any machine.
fn is(name: &str, stem: &str) -> bool {
    let tool = Path::new(name).file_name().and_then(|n| n.to_str());
    let tool = tool.unwrap_or_default();
    let version = |v: &str| v.chars().all(|c| c.is_ascii_digit() || c == '.');
    let plain = tool.rsplit_once('-').filter(|(_, v)| version(v));
    let plain = plain.map_or(tool, |(plain, _)| plain);
    plain == stem || plain.ends_with(&format!("-{stem}"))
}

pub(crate) fn is_clang(name: &str) -> bool {
    is(name, "clang") || is(name, "clang++")
}

/// Finds the word of a command line that makes the compiler compile for another machine.
fn elsewhere(given: &[String]) -> Option<&str> {
    let machine = std::env::consts::ARCH;
    // The name of such a compiler begins with the machine: aarch64-linux-gnu-gcc.
    let tool = given[0].rsplit('/').next().unwrap_or_default();
    let named = tool.split_once("-linux-").map(|(triple, _)| triple);
    if named.is_some_and(|triple| triple.split('-').next() != Some(machine)) {
        return Some(tool);
    }
    let other = |a: &&String| match a.strip_prefix("--target=") {
        Some(target) => !target.starts_with(machine),
        None => matches!(a.as_str(), "-m32" | "-mx32"),
    };
    given.iter().find(other).map(String::as_str)
}

/// Sanitizers that the compiler does not take together with `-fsanitize=thread`.
const ALONE: [&str; 10] = [
    "address",
    "kernel-address",
    "hwaddress",
    "kernel-hwaddress",
    "leak",
    "memory",
    "kernel-memory",
    "dataflow",
    "pointer-compare",
    "pointer-subtract",
];

/// Refuses sanitizers that cannot stand beside the runtime. Others need libraries that clang does not link then.
fn sanitizers(given: &[String], clang: bool) -> Result<(), String> {
    let asked = given.iter().filter_map(|a| a.strip_prefix("-fsanitize="));
    let mut asked = asked.flat_map(|kinds| kinds.split(','));
    if let Some(alone) = asked.clone().find(|kind| ALONE.contains(kind)) {
        return Err(format!(
            "-fsanitize={alone} cannot stand beside the runtime: leave it out. `dbverify run` itself finds memory that is used after it was freed or beyond its end"
        ));
    }
    let traps = given.iter().any(|a| a.starts_with("-fsanitize-trap"));
    match asked.find(|kind| *kind != "thread") {
        Some(other) if clang && !traps => Err(format!(
            "clang has no library for -fsanitize={other} beside the runtime: add -fsanitize-trap=all, or leave it out"
        )),
        _ => Ok(()),
    }
}

/// Stop gcc from writing out calls: then no call would show the access. `seen.h` does the rest.
const CALLS: &str = include_str!("runtime/gcc.txt");

/// Let clang report the read of `x = x + 1`, and stop its warnings where it only links.
const CLANG: [&str; 3] = [
    "-mllvm",
    "-tsan-instrument-read-before-write=1",
    "-Wno-unused-command-line-argument",
];

/// Options with which nothing is linked.
const COMPILES: [&str; 5] = ["-c", "-S", "-E", "-M", "-MM"];

/// Why programs in Rust cannot be checked.
pub(crate) const OF_RUST: &str = "their locks are atomic operations, which stable Rust does not report. A nightly reports them (RUSTFLAGS=\"-Zsanitizer=thread\", -Zbuild-std), but such programs touch more shared memory than `dbverify run` can follow";

/// Returns the command line to run instead of a compiler's.
///
/// # Errors
/// When the compiler is not one whose options are known, or no folder for the runtime can be written.
pub fn command(given: &[String]) -> Result<Vec<String>, String> {
    let name = given
        .first()
        .ok_or("name a compiler: dbverify cc -- gcc -O1 prog.c -o prog")?;
    if is(name, "cargo") || is(name, "rustc") {
        return Err(format!("programs in Rust cannot be checked: {OF_RUST}"));
    }
    let clang = is_clang(name);
    if !clang && !["gcc", "g++", "cc", "c++"].iter().any(|c| is(name, c)) {
        return Err(format!(
            "{name} is no compiler whose options are known: gcc, g++, clang, clang++, cc, c++; the compiler comes first, as in `dbverify cc gcc -O1 prog.c -o prog`"
        ));
    }
    if let Some(what) = elsewhere(given) {
        return Err(format!(
            "{what} compiles for another machine: `dbverify run` runs programs for {} here",
            std::env::consts::ARCH
        ));
    }
    if let Some(static_) = given
        .iter()
        .find(|a| matches!(a.as_str(), "-static" | "-static-pie"))
    {
        return Err(format!(
            "a program that is linked with {static_} cannot be run under control"
        ));
    }
    sanitizers(given, clang)?;
    let input = |a: &String| {
        !a.starts_with('-') || a == "-" || a.starts_with("-l") || a.starts_with("-Wl,")
    };
    let asks = !given[1..].iter().any(input) || given.iter().any(|a| a == "-###");
    let mut line = given.to_vec();
    if asks {
        return Ok(line);
    }
    let library = super::library()?;
    let folder = library
        .parent()
        .ok_or("the runtime has no folder")?
        .display();
    line.push("-fsanitize=thread".into());
    if !given.iter().any(|a| a.starts_with("-g")) {
        line.push("-g".into());
    }
    if clang {
        line.extend(CLANG.map(String::from));
    } else {
        line.extend(CALLS.split_whitespace().map(String::from));
        line.extend(["-include".into(), format!("{folder}/seen.h")]);
    }
    line.extend(["-isystem".into(), folder.to_string()]);
    line.extend(linking(given, clang, &folder.to_string()));
    Ok(line)
}

/// The options that link the runtime, if the compiler links.
fn linking(given: &[String], clang: bool, folder: &str) -> Vec<String> {
    let mut line = Vec::new();
    if given.iter().any(|a| COMPILES.contains(&a.as_str())) {
        return line;
    }
    if clang {
        line.push("-fno-sanitize-link-runtime".into());
    }
    // An object that is linked again later gets the runtime then.
    if given.iter().any(|a| a == "-r") {
        return line;
    }
    if clang {
        line.push("-ldbverify_run".into());
    }
    // The compiler asks for its own `libtsan.so`; ours stands in this folder under the same name.
    line.push(format!("-L{folder}"));
    line.push(format!("-Wl,-rpath,{folder}"));
    line
}
