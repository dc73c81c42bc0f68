//! `cover e;`: which there are, and the programs that ask about those of a line.

use base::source::{SourceMap, Span};
use check::CheckOptions;
use ir::Program;

use super::args::CommonArgs;
use super::asking::Input;

/// The part of a line with all its covers.
///
/// # Errors
/// When there is none. The message says where there are some.
pub fn in_line(program: &Program, sources: &SourceMap, line: u32) -> Result<Span, String> {
    // A line is one of the program's first file.
    let first = |span: &Span| sources.file_of(span.start).is_some_and(|f| f.start == 0);
    let own = program.covers.iter().map(|(span, _)| *span).filter(first);
    let mut lines: Vec<u32> = own.clone().map(|span| sources.line(span)).collect();
    let found = own.filter(|&span| sources.line(span) == line);
    if let Some(all) = found.reduce(Span::to) {
        return Ok(all);
    }
    lines.sort_unstable();
    lines.dedup();
    let lines: Vec<String> = lines.iter().map(u32::to_string).collect();
    Err(match &lines[..] {
        [] => "the program has no `cover e;`".to_owned(),
        [one] => format!("no `cover` stands in line {line}; there is one in line {one}"),
        _ => format!(
            "no `cover` stands in line {line}; there are some in the lines {}",
            lines.join(", ")
        ),
    })
}

/// Returns the program with the question about the covers within a place.
#[must_use]
pub fn asked(common: &CommonArgs, input: &Input, cover: Span) -> Option<Program> {
    let options = CheckOptions {
        preempt: common.preempt.map(Into::into),
    };
    let compiled =
        compile::compile_cover((common.folder(), &input.name), &input.text, &options, cover);
    common.memory.put(compiled).program
}
