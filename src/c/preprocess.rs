//! From the text of a `.c` file to preprocessed text: the host's compiler does it, with our headers.

use std::io::{self, Write};
use std::path::{Component, Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::sync::mpsc::{self, RecvTimeoutError};

use tempfile::TempDir;

use super::origin::Loaded;
use super::types::DataModel;
use super::{Options, headers};
use base::diagnostic::Diagnostic;
use base::source::{Origin, SourceFile, Span};
use base::{child, work};

/// Preprocessed text, and what is needed to find the files that its line markers name.
#[derive(Debug)]
pub struct Preprocessed {
    pub text: String,
    headers: TempDir,
    folder: PathBuf,
}

impl Preprocessed {
    /// The file that a line marker names.
    #[must_use]
    pub fn load(&self, name: &str) -> Option<Loaded> {
        if name.starts_with('<') {
            return None;
        }
        let path = Path::new(name);
        if let Ok(own) = path.strip_prefix(self.headers.path()) {
            let own = own.to_str()?;
            return Some(Loaded {
                owner: Origin::Library,
                name: format!("<{own}>"),
                text: headers::text(own)?.to_owned(),
            });
        }
        let bytes = std::fs::read(self.folder.join(path)).ok()?;
        Some(Loaded {
            owner: Origin::User,
            name: shown(&self.folder.join(path)),
            text: String::from_utf8_lossy(&bytes).into_owned(),
        })
    }
}

/// A path without detours, relative to the current folder unless they share only the root: all files have one name for a header.
fn shown(path: &Path) -> String {
    let here = std::env::current_dir().unwrap_or_default();
    let mut short = PathBuf::new();
    for part in here.join(path).components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir
                if matches!(short.components().next_back(), Some(Component::Normal(_))) =>
            {
                short.pop();
            }
            part => short.push(part),
        }
    }
    let both = here.components().zip(short.components());
    let shared = both.take_while(|(a, b)| a == b).count();
    if shared > 1 {
        let up = here.components().skip(shared).map(|_| Component::ParentDir);
        short = up.chain(short.components().skip(shared)).collect();
    }
    short.display().to_string()
}

/// Makes a folder with our headers, in memory if possible: some disks need a tenth of a second for so many files.
fn unpacked() -> io::Result<TempDir> {
    let full = |folder: TempDir| headers::unpack(folder.path()).map(|()| folder);
    let chosen = std::env::var_os("TMPDIR").is_some();
    let in_memory = (!chosen).then(|| TempDir::new_in("/dev/shm").and_then(full));
    match in_memory {
        Some(Ok(folder)) => Ok(folder),
        _ => TempDir::new().and_then(full),
    }
}

/// Preprocesses a file. Its `#include "…"` are looked for in the folder of its name.
///
/// # Errors
/// When there is no compiler, or it finds the text wrong.
pub fn preprocess(file: &SourceFile, options: &Options) -> Result<Preprocessed, Box<Diagnostic>> {
    let headers = unpacked().map_err(|e| Box::new(no_folder(&e)))?;
    let folder = Path::new(&file.name).parent().unwrap_or(Path::new(""));
    let folder = if folder.is_dir() {
        folder.to_path_buf()
    } else {
        PathBuf::from(".")
    };
    let output = run(file, headers.path(), &folder, options)?;
    if !output.status.success() {
        let said = String::from_utf8_lossy(&output.stderr);
        return Err(Box::new(refused(file, &said)));
    }
    Ok(Preprocessed {
        text: String::from_utf8_lossy(&output.stdout).into_owned(),
        headers,
        folder,
    })
}

/// An error that is about no place in the text.
fn general(message: String) -> Diagnostic {
    Diagnostic {
        span: None,
        ..Diagnostic::error("preprocessor", Span::default(), message)
    }
}

fn no_folder(error: &io::Error) -> Diagnostic {
    general(format!(
        "the headers cannot be written to a temporary folder: {error}"
    ))
}

/// Runs the compiler on the text, which it reads from its standard input.
fn run(
    file: &SourceFile,
    headers: &Path,
    folder: &Path,
    options: &Options,
) -> Result<Output, Box<Diagnostic>> {
    let told = || std::env::var("CC").unwrap_or_default();
    let words = options.compiler.clone().unwrap_or_else(told);
    let mut words = words.split_whitespace();
    let compiler = words.next().unwrap_or("cc");
    let mut command = limited(compiler);
    let names_standard = |word: &str| word == "-ansi" || word.starts_with("-std=");
    if !words.clone().any(names_standard) {
        command.arg("-std=gnu11");
    }
    command.args(words);
    command.args(["-E", "-w", "-nostdinc", "-isystem"]);
    command
        .arg(headers)
        .args(["-I", ".", "-include", "__builtins.h"]);
    if options.model == DataModel::Ilp32 {
        command.arg("-m32");
    }
    if !options.preprocessor.is_empty() || may_compute_floats(&file.text) {
        command.args(["-include", "__floats.h"]);
    }
    if file.text.contains("_overflow") {
        command.args(["-include", "__overflow.h"]);
    }
    for told in options.told(&file.name) {
        command.args([&told.flag, &told.value]);
    }
    command.args(&options.preprocessor);
    command.args(["-x", "c", "-"]).current_dir(folder);
    command.env("LC_ALL", "C");
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    let name = file.name.replace('\\', "\\\\").replace('"', "\\\"");
    let text = format!("#line 1 \"{name}\"\n{}", file.text);
    let output = command.spawn().and_then(|child| ended(child, text));
    let output = output.and_then(|output| unstarted(&output).map_or(Ok(output), Err));
    output.map_err(|e| Box::new(no_compiler(compiler, &e)))
}

/// Whether a text may have floating numbers: by a word, a constant, or a header of the program.
fn may_compute_floats(text: &str) -> bool {
    let words = ["float", "double", "difftime", "include \"", "include\""];
    let is_number = |two: &[u8]| match two {
        [digit, b'.' | b'e' | b'E' | b'p' | b'P'] | [b'.', digit] => digit.is_ascii_digit(),
        _ => false,
    };
    words.iter().any(|word| text.contains(word)) || text.as_bytes().windows(2).any(is_number)
}

/// The compiler with a limit of memory, because what it includes may have no end. Processes that it starts have the limit, too.
#[cfg(unix)]
fn limited(compiler: &str) -> Command {
    use std::os::unix::process::CommandExt;
    const KIB: u32 = 4 << 20;
    let mut command = child::command("sh");
    let script = format!("ulimit -v {KIB} 2>/dev/null; exec \"$0\" \"$@\"");
    command.args(["-c", &script, compiler]);
    // We can end all processes of a group of its own. In our group, a terminal's Ctrl-C ends the compiler.
    if work::listening() {
        command.process_group(0);
    }
    command
}

/// Why the shell did not find the compiler, or could not start it.
#[cfg(unix)]
fn unstarted(output: &Output) -> Option<io::Error> {
    const NO_FILE: i32 = 2;
    const NO_RIGHT: i32 = 13;
    match output.status.code() {
        Some(127) => Some(io::Error::from_raw_os_error(NO_FILE)),
        Some(126) => Some(io::Error::from_raw_os_error(NO_RIGHT)),
        _ => None,
    }
}

#[cfg(not(unix))]
fn limited(compiler: &str) -> Command {
    child::command(compiler)
}

#[cfg(not(unix))]
fn unstarted(_: &Output) -> Option<io::Error> {
    None
}

/// Gives a compiler its input, and waits for its end. Ends the compiler if somebody asks to stop.
fn ended(mut child: Child, text: String) -> io::Result<Output> {
    let (group, mut input) = (child.id(), child.stdin.take());
    // A compiler that stops early closes its input. That is no error here: what the compiler prints counts.
    let writer = std::thread::spawn(move || {
        if let Some(input) = &mut input {
            let _ = input.write_all(text.as_bytes());
        }
    });
    let (sender, output) = mpsc::channel();
    std::thread::spawn(move || sender.send(child.wait_with_output()));
    let gone = |_| io::Error::other("it has gone");
    let output = loop {
        match output.recv_timeout(work::PULSE) {
            Ok(output) => break output,
            Err(RecvTimeoutError::Timeout) if !work::stopping() => {}
            Err(_) => {
                let end = format!("kill -KILL -{group}");
                let _ = Command::new("sh").args(["-c", &end]).status();
                break output.recv().map_err(gone)?;
            }
        }
    };
    let _ = writer.join();
    output
}

fn no_compiler(compiler: &str, error: &io::Error) -> Diagnostic {
    general(format!(
        "the C compiler `{compiler}` cannot be run: {error}"
    ))
    .note("it is needed to preprocess `.c` files: install gcc or clang, or name one by `--cc`")
    .note("a file that is preprocessed already (`.i`) needs none")
}

/// The complaint of the compiler, at its line if that is in the file.
fn refused(file: &SourceFile, said: &str) -> Diagnostic {
    let line = said.lines().find(|l| l.contains("error:"));
    let Some(line) = line else {
        let first = said.lines().find(|l| !l.trim().is_empty());
        return general("the C compiler cannot preprocess the file".to_owned())
            .note(first.unwrap_or("it says nothing").to_owned());
    };
    let (place, message) = line.split_once("error:").unwrap_or(("", line));
    let place = place.trim_end().trim_end_matches("fatal").trim_end();
    let lacks_header = message.contains("No such file") || message.contains("not found");
    let message = format!("the preprocessor says: {}", message.trim());
    let line_of = |place: &str| {
        let behind = place.strip_prefix(file.name.as_str())?.strip_prefix(':')?;
        let digits = behind.split(|c: char| !c.is_ascii_digit()).next()?;
        digits.parse().ok()
    };
    // Before a complaint about a header, the compiler names the lines that include the header.
    let included = || said.lines().find_map(|l| line_of(l.split_once("from ")?.1));
    let own = line_of(place);
    let elsewhere = format!("it says so of {}", place.trim_end_matches(':'));
    let Some(line) = own.or_else(included) else {
        return general(message).note(elsewhere);
    };
    let range = file.line_range(line);
    let text = file.line_text(line);
    let skipped = text.len() - text.trim_start().len();
    let at = |offset: usize| file.start + u32::try_from(offset).unwrap_or(0);
    let span = Span::new(at(range.start + skipped), at(range.start + text.len()));
    let mut complaint = Diagnostic::error("preprocessor", span, message);
    if own.is_none() {
        complaint = complaint.note(elsewhere);
    }
    if lacks_header {
        complaint = complaint.note(
            "headers are looked for in the folder of the file, in those of `-I FOLDER`, and among the built-in ones of the C library; those of the machine are not read",
        );
    }
    complaint
}
