//! From a file's name to a checked program, or to what is wrong with it.

use std::path::Path;

use base::diagnostic::{Diagnostic, Severity};
use base::{source, source::SourceMap, work};
use compile::Compiled;
use ir::Program;
use report::sarif;

use super::args::{Color, CommonArgs, Format};
pub use super::asking::Input;
use super::asking::check;
use super::{compile_commands, output, watchdog};

/// Reads the text of a model or a program in C.
///
/// # Errors
/// What cannot be read, in words.
pub fn read(file: &str) -> Result<Input, String> {
    let input = read_any(file)?;
    match foreign(&input.name) {
        Some(why) => Err(format!("{}: {why}", input.name)),
        None => Ok(input),
    }
}

/// Reads a text in any language.
///
/// # Errors
/// What cannot be read, in words.
pub fn read_any(file: &str) -> Result<Input, String> {
    let name = if file == "-" { "<stdin>" } else { file };
    let bytes = match file {
        "-" if work::has_parent() => {
            return Err("standard input is not for programs here".to_owned());
        }
        "-" => source::read_from(std::io::stdin().lock()),
        path => source::read(Path::new(path)),
    };
    let bytes = bytes.map_err(|error| format!("cannot read {name}: {error}"))?;
    if c::is_c(name) {
        let text = c::decode(bytes).into();
        let name = name.to_owned();
        let more = Vec::new();
        return Ok(Input { name, text, more });
    }
    let text = source::decode(bytes).map_err(|error| format!("{name}: {}", error.message))?;
    Ok(Input {
        name: name.to_owned(),
        text: text.into(),
        more: Vec::new(),
    })
}

/// Why a file is no model and no program in C, as far as its name tells.
fn foreign(name: &str) -> Option<&'static str> {
    if compile_commands::is_list(Path::new(name)) {
        return Some(
            "it says how files are read: name the files, and this one with `--compile-commands FILE`",
        );
    }
    let ending = Path::new(name).extension()?.to_str()?;
    match ending {
        "h" => Some("a header is no program: name the `.c` files that include it"),
        "cpp" | "cc" | "cxx" | "hpp" => {
            Some("C++ is not read: `dbverify cc g++ FILE` compiles it for `dbverify run`")
        }
        "rs" | "py" | "go" | "java" | "js" | "pml" | "tla" => {
            Some("models (.async) and C (.c, .i) are read, and nothing else")
        }
        _ => None,
    }
}

/// Reads a program of one file, or of several in C.
///
/// # Errors
/// What cannot be read, in words.
pub fn read_all(file: &str, more: &[String]) -> Result<Input, String> {
    let mut input = read(file)?;
    for file in more {
        let Input { name, text, .. } = read(file)?;
        if let Some(other) = [&name, &input.name].into_iter().find(|n| !c::is_c(n)) {
            return Err(format!(
                "`{other}` is no C, and only a C program has several files here"
            ));
        }
        input.more.push((name, text));
    }
    Ok(input)
}

/// Reads the files of a program.
///
/// # Errors
/// When one cannot be read; the user has been told why.
pub fn of_program(common: &CommonArgs) -> Result<Input, Failed> {
    read_all(&common.file, &common.more).map_err(|message| refuse(common, &message))
}

/// Checks a program; shows what is wrong with it in the format asked for.
///
/// # Errors
/// When there is no program; the user has been told why.
pub fn checked(common: &CommonArgs, input: &Input) -> Result<(SourceMap, Program), Failed> {
    let checked = check(common, input).map_err(|message| refuse(common, &message))?;
    let warnings_only = checked
        .diagnostics
        .iter()
        .all(|d| d.severity == Severity::Warning);
    match checked.program {
        Some(program) => {
            if common.format == Format::Text && warnings_only {
                show_text(&checked.sources, &checked.diagnostics, common.color);
            }
            Ok((checked.sources, program))
        }
        None => {
            // The compiler that preprocesses was ended: its complaint means nothing.
            if work::stopping() {
                watchdog::leave_the_answer();
            }
            show_no_program(common, &input.name, &checked);
            Err(Failed)
        }
    }
}

/// Shows why there is no program. A SARIF log also says that nothing was run.
fn show_no_program(common: &CommonArgs, name: &str, checked: &Compiled) {
    if common.format != Format::Sarif {
        let look = (common.format, common.color);
        return show(look, name, &checked.sources, &checked.diagnostics);
    }
    watchdog::answering();
    let mut log = log(name, &checked.sources, &checked.diagnostics);
    if log.notifications.is_empty() {
        let reason = "the program has errors: nothing was run";
        log.notifications.push(sarif::hindrance(reason));
    }
    output::print(&format!("{}\n", log.text()));
}

/// The input was wrong, and the user has been told.
pub struct Failed;

/// Says that something beside the program's text is wrong.
pub fn refuse(common: &CommonArgs, message: &str) -> Failed {
    refuse_about(&common.file, (common.format, common.color), message)
}

/// Says that something is wrong with a file, or with how it is to be used.
pub fn refuse_about(file: &str, how: (Format, Color), message: &str) -> Failed {
    complain("input", file, how, message)
}

/// The code of complaints about a command line that cannot be read.
pub const COMMAND_LINE: &str = "command-line";

/// Says what is wrong with an unreadable command line, which names no file.
pub fn refuse_words(format: Format, message: &str) -> Failed {
    complain(COMMAND_LINE, "", (format, Color::Auto), message)
}

fn complain(code: &'static str, file: &str, how: (Format, Color), message: &str) -> Failed {
    let diagnostic = Diagnostic {
        span: None,
        ..Diagnostic::error(code, source::Span::default(), message)
    };
    show(how, file, &SourceMap::new(), &[diagnostic]);
    Failed
}

/// Shows what is wrong: as text on standard error, as data on standard output.
pub fn show(
    (format, color): (Format, Color),
    name: &str,
    sources: &SourceMap,
    diagnostics: &[Diagnostic],
) {
    watchdog::answering();
    match format {
        Format::Text => show_text(sources, diagnostics, color),
        Format::Json => output::print(&format!(
            "{}\n",
            report::json::diagnostics(name, sources, diagnostics)
        )),
        Format::Sarif => {
            output::print(&format!("{}\n", log(name, sources, diagnostics).text()));
        }
    }
}

fn log(name: &str, sources: &SourceMap, diagnostics: &[Diagnostic]) -> sarif::Log {
    let log = sarif::Log {
        about: name.to_owned(),
        ..sarif::Log::default()
    };
    log.complaining(sources, diagnostics)
}

/// How many complaints are shown at most.
const MOST_SHOWN: usize = 50;

fn show_text(sources: &SourceMap, diagnostics: &[Diagnostic], color: Color) {
    let shown = &diagnostics[..diagnostics.len().min(MOST_SHOWN)];
    output::print_error(&report::diagnostic::text(
        sources,
        shown,
        output::colors(color),
    ));
    match diagnostics.len() - shown.len() {
        0 => {}
        1 => output::print_error("… and 1 more\n"),
        more => output::print_error(&format!("… and {more} more\n")),
    }
}
