//! How an answer gets out: standard output in one piece, files whole or not at all.

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use report::style::Look;

use super::args::Color;

/// Whether some text for standard output could not be written.
static LOST: AtomicBool = AtomicBool::new(false);

/// Writes to standard output. A reader that has gone away is no error; a full disk is one.
pub fn print(text: &str) {
    let mut out = io::stdout().lock();
    printed(out.write_all(text.as_bytes()).and_then(|()| out.flush()));
}

/// Notes whether a write to standard output has failed.
pub fn printed(result: io::Result<()>) {
    let Err(error) = result else { return };
    if error.kind() != io::ErrorKind::BrokenPipe && !LOST.swap(true, Ordering::Relaxed) {
        print_error(&format!("error: cannot write standard output: {error}\n"));
    }
}

/// Checks whether some output got lost: then the user did not get the answer.
pub fn is_lost() -> bool {
    LOST.load(Ordering::Relaxed)
}

/// Writes to standard error.
pub fn print_error(text: &str) {
    let mut out = io::stderr().lock();
    ignore_gone(out.write_all(text.as_bytes()));
}

/// Whether standard error is a terminal that wants colours (<https://no-color.org>).
#[must_use]
pub fn colors(choice: Color) -> bool {
    wanted(choice, io::stderr().is_terminal())
}

fn wanted(choice: Color, terminal: bool) -> bool {
    let dumb = std::env::var_os("TERM").is_some_and(|v| v == "dumb");
    let refused = std::env::var_os("NO_COLOR").is_some_and(|v| !v.is_empty());
    match choice {
        Color::Always => true,
        Color::Never => false,
        Color::Auto => terminal && !refused && !dumb,
    }
}

/// What standard output can show: as wide as `COLUMNS` says, or the terminal is, or 80 characters.
#[must_use]
pub fn look(choice: Color) -> Look {
    let terminal = io::stdout().is_terminal();
    let given = std::env::var("COLUMNS").ok();
    let given = given.and_then(|c| c.parse::<usize>().ok());
    let screen = || terminal_size::terminal_size_of(io::stdout()).map(|(w, _)| w.0.into());
    let plain = Look::default();
    Look {
        width: given
            .or_else(screen)
            .unwrap_or(plain.width)
            .clamp(NARROWEST, WIDEST),
        color: wanted(choice, terminal),
        ..plain
    }
}

/// No layout is made for narrower terminals than this.
const NARROWEST: usize = 30;
/// No layout is wider than this.
const WIDEST: usize = 400;

/// Ignores a write that failed: there is no other place for the text.
fn ignore_gone(result: io::Result<()>) {
    drop(result);
}

/// Checks whether a file can be an output, as far as can be seen before there is anything to write.
///
/// # Errors
/// When it is an input or another output, a directory, or in no folder; the text names the file.
pub fn check_target(path: &Path, others: &[(&Path, &str)]) -> Result<(), String> {
    let shown = path.display();
    if path == Path::new("-") {
        return Err(
            "the answer itself is on standard output; a file named - would be ./-".to_owned(),
        );
    }
    if path.is_dir() {
        return Err(format!("cannot write {shown}: it is a directory"));
    }
    let folder = folder(path);
    if !folder.is_dir() {
        return Err(format!(
            "cannot write {shown}: there is no folder {}",
            folder.display()
        ));
    }
    let device = path.exists() && !path.is_file();
    // A file in a folder that is an input belongs to that input.
    let own = place(path);
    let within =
        |o: &Path| place(o).is_some_and(|o| own.as_ref().is_some_and(|p| p.starts_with(o)));
    let clash = others.iter().find(|(other, _)| within(other));
    match clash.filter(|_| !device) {
        Some((_, what)) => Err(format!("{shown} is {what}: it would be overwritten")),
        None => Ok(()),
    }
}

/// Checks several files, which are outputs of one command.
///
/// # Errors
/// When one of them cannot be an output.
pub fn check_targets<'a>(
    targets: &[(Option<&'a Path>, &'a str)],
    mut others: Vec<(&'a Path, &'a str)>,
) -> Result<(), String> {
    for &(path, what) in targets {
        let Some(path) = path else { continue };
        check_target(path, &others)?;
        others.push((path, what));
    }
    Ok(())
}

/// Returns the command line as somebody else could type it, without the place of the page.
pub fn command_line() -> Option<String> {
    let mut words = vec!["dbverify".to_owned()];
    let mut args = std::env::args_os().skip(1);
    while let Some(arg) = args.next() {
        let word = arg.into_string().ok()?;
        if word == "--html" {
            args.next();
        } else if !word.starts_with("--html=") {
            words.push(word);
        }
    }
    // In a word that is no command, `=` means nothing to a shell.
    let plain = |word: &&str| {
        let safe = |c: char| c.is_ascii_alphanumeric() || "-_=./,:+@%".contains(c);
        !word.is_empty() && word.chars().all(safe)
    };
    let quoted = words
        .iter()
        .map(|word| match Some(word.as_str()).filter(plain) {
            Some(word) => Some(word.to_owned()),
            None => shlex::try_quote(word).ok().map(Into::into),
        });
    Some(quoted.collect::<Option<Vec<String>>>()?.join(" "))
}

/// The folder of a file.
fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if !parent.as_os_str().is_empty() => parent,
        _ => Path::new("."),
    }
}

/// Where a file is or will be, however it is named.
fn place(path: &Path) -> Option<PathBuf> {
    let known = path.canonicalize();
    let new = || Some(folder(path).canonicalize().ok()?.join(path.file_name()?));
    known.ok().or_else(new)
}

/// Writes a file whole or not at all: beside it first, then in its place.
///
/// # Errors
/// When the folder or the file cannot be written; the text names the file.
pub fn write_file(path: &Path, text: &str) -> Result<(), String> {
    let explain = |error: io::Error| format!("cannot write {}: {}", path.display(), cause(&error));
    if path.is_dir() {
        return Err(format!(
            "cannot write {}: it is a directory",
            path.display()
        ));
    }
    // A device or a pipe cannot be replaced by a file.
    if path.exists() && !path.is_file() {
        return std::fs::write(path, text).map_err(explain);
    }
    // Replaces the file that a link leads to, not the link.
    let target = path.canonicalize();
    let path = target.as_deref().unwrap_or(path);
    let mut file = tempfile::Builder::new()
        .prefix(".dbverify-")
        .tempfile_in(folder(path))
        .map_err(explain)?;
    file.write_all(text.as_bytes())
        .and_then(|()| file.as_file().sync_all())
        .map_err(explain)?;
    make_readable(file.as_file(), path).map_err(explain)?;
    file.persist(path)
        .map(drop)
        .map_err(|error| explain(error.error))
}

/// Returns what went wrong, without the name of the temporary file, which means nothing to the user.
fn cause(error: &io::Error) -> String {
    let inner = error.get_ref().and_then(|wrapper| wrapper.source());
    inner.map_or_else(|| error.to_string(), ToString::to_string)
}

/// Gives a finished file the mode of the old one, or the usual mode. Only its owner can read a temporary file.
#[cfg(unix)]
fn make_readable(file: &std::fs::File, path: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt;
    let mode = std::fs::metadata(path).map_or(0o644, |old| old.permissions().mode() & 0o777);
    file.set_permissions(std::fs::Permissions::from_mode(mode))
}

#[cfg(not(unix))]
fn make_readable(_: &std::fs::File, _: &Path) -> io::Result<()> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_replaced_and_nothing_is_left_beside_it() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("trace.json");
        write_file(&path, "one").unwrap();
        write_file(&path, "two").unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "two");
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
        assert!(write_file(folder.path(), "x").is_err());
        assert!(write_file(&folder.path().join("no/such"), "x").is_err());
    }

    #[cfg(unix)]
    #[test]
    fn what_a_link_leads_to_is_written() {
        let folder = tempfile::tempdir().unwrap();
        let (file, link) = (folder.path().join("a"), folder.path().join("b"));
        std::fs::write(&file, "old").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        write_file(&link, "new").unwrap();
        assert_eq!(std::fs::read_to_string(&file).unwrap(), "new");
        assert!(link.is_symlink());
        let others: &[(&Path, &str)] = &[(&file, "the program")];
        assert!(
            check_target(&link, others)
                .unwrap_err()
                .contains("the program")
        );
    }
}
