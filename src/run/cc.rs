//! `dbverify cc -- gcc ...`: a compiler's command line with what makes accesses to memory visible.

use std::path::Path;

/// The command line for a compiler's, with the runtime's folder.
///
/// # Errors
/// When the compiler is not one whose options are known.
pub fn command(given: &[String], folder: &Path) -> Result<Vec<String>, String> {
    let name = given
        .first()
        .ok_or("name a compiler: dbverify cc -- gcc -O1 prog.c -o prog")?;
    let tool = Path::new(name)
        .file_name()
        .and_then(|n| n.to_str())
        .unwrap_or_default();
    let is = |stem: &str| {
        let plain = tool
            .rsplit_once('-')
            .filter(|(_, v)| v.chars().all(|c| c.is_ascii_digit() || c == '.'));
        let plain = plain.map_or(tool, |(stem, _)| stem);
        plain == stem || plain.ends_with(&format!("-{stem}"))
    };
    if is("cargo") || is("rustc") {
        return Err("programs in Rust are not built by `cc`: build them on a nightly with RUSTFLAGS=\"-Zsanitizer=thread\" and -Zbuild-std, and link them with the runtime".into());
    }
    let clang = is("clang") || is("clang++");
    if !clang && !["gcc", "g++", "cc", "c++"].iter().any(|c| is(c)) {
        return Err(format!(
            "{name} is no compiler whose options are known: gcc, g++, clang, clang++, cc, c++"
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
    let asks = given.len() == 2 && given[1].starts_with("--") || given.iter().any(|a| a == "-###");
    let mut line = given.to_vec();
    if asks {
        return Ok(line);
    }
    let folder = folder.display();
    line.push("-fsanitize=thread".into());
    if !given.iter().any(|a| a.starts_with("-g")) {
        line.push("-g".into());
    }
    if clang {
        for option in ["-mllvm", "-tsan-instrument-read-before-write=1"] {
            line.push(option.into());
        }
    }
    if !given
        .iter()
        .any(|a| matches!(a.as_str(), "-c" | "-S" | "-E" | "-M" | "-MM"))
    {
        if clang {
            line.push("-fno-sanitize-link-runtime".into());
            line.push("-ldbverify_run".into());
        }
        // The compiler asks for its own `libtsan.so`; ours stands in this folder under the same name.
        line.push(format!("-L{folder}"));
        line.push(format!("-Wl,-rpath,{folder}"));
    }
    Ok(line)
}
