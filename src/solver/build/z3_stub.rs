//! Makes a library that the linker takes for libz3. Each function of Z3 is a jump through a table. The table is filled when the
//! program first asks whether the real library is there.
//!
//! So a program without the library starts, and a program that needs no solver does not load it. The names are those that the
//! real library exports: the linker, not a user, finds a function that it lacks.

use std::error::Error;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use object::Object as _;

type Result<T> = std::result::Result<T, Box<dyn Error>>;

/// The C source of the jumps. `make` puts `NAMES`, `JUMPS`, `COUNT`, `RUNTIME` and `KEPT` before it.
const LOADER: &str = include_str!("z3_stub.c");

/// Makes `libz3.a` in `dir`, for the functions of `library`, which programs look for as `runtime`.
pub fn make(library: &Path, runtime: &str, dir: &Path) -> Result<()> {
    let names = exported(library)?;
    let kept = library.display().to_string();
    let mut source =
        format!("#define RUNTIME \"{runtime}\"\n#define KEPT {kept:?}\n#define NAMES \\\n");
    for name in &names {
        let _ = writeln!(source, "  \"{name}\", \\");
    }
    source.push_str("\n#define JUMPS \\\n");
    for (place, name) in names.iter().enumerate() {
        let _ = writeln!(source, "  JUMP(\"{name}\", \"{place}\") \\");
    }
    let _ = write!(source, "\n#define COUNT {}\n\n{LOADER}", names.len());
    let path = dir.join("z3_stub.c");
    fs::write(&path, source)?;
    cc::Build::new()
        .file(&path)
        .cargo_metadata(false)
        .out_dir(dir)
        .try_compile("z3")
        .map_err(|error| format!("dbverify: the C compiler made no library: {error}").into())
}

/// The functions of Z3 that a library has.
fn exported(library: &Path) -> Result<Vec<String>> {
    let data = fs::read(library)?;
    let file = object::File::parse(&*data)
        .map_err(|error| format!("{} cannot be read: {error}", library.display()))?;
    let mut names = Vec::new();
    for export in file.exports()? {
        let export = export?;
        let name = export.name();
        let name = name.name().and_then(|name| std::str::from_utf8(name).ok());
        let name = name.map(|name| name.strip_prefix('_').unwrap_or(name));
        names.extend(
            name.filter(|name| name.starts_with("Z3_"))
                .map(str::to_owned),
        );
    }
    names.sort_unstable();
    names.dedup();
    if names.is_empty() {
        return Err(format!("{} has no functions of Z3", library.display()).into());
    }
    Ok(names)
}
