//! From a text to a program, whatever its language.

use std::path::Path;
use std::sync::Arc;

use ::check::CheckOptions;
use base::diagnostic::{Diagnostic, Severity};
use base::source::Span;
use base::{source, stack};
use options::Buffered;

mod called;
pub mod modules;

/// A program and everything that was said about its text.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// The text, and that of the library.
    pub sources: source::SourceMap,
    /// The program, if nothing is wrong with it.
    pub program: Option<ir::Program>,
    /// The complaints about the text, errors and warnings, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
}

impl Compiled {
    /// The same program on another memory.
    #[must_use]
    pub fn under(self, memory: Buffered) -> Self {
        self.changed(|program| weak::run(program, memory))
    }

    /// As [`Self::under`], with all executions: see [`weak::run_whole`].
    #[must_use]
    pub fn whole_under(self, memory: Buffered) -> Self {
        self.changed(|program| weak::run_whole(program, memory))
    }

    fn changed(
        mut self,
        pass: impl FnOnce(&mut ir::Program) -> Result<(), (Span, String)> + Send,
    ) -> Self {
        if let Some(program) = &mut self.program
            && let Err((span, why)) = stack::on_big_stack(|| pass(program))
        {
            self.program = None;
            self.diagnostics
                .push(Diagnostic::error("memory", span, why));
        }
        self
    }
}

/// Reads, checks and lowers a program. The name is shown in diagnostics; with `.c` or `.i` at its end it is C.
#[must_use]
pub fn compile(name: &str, text: &str, options: &CheckOptions) -> Compiled {
    compile_in(None, name, text, options)
}

/// As [`compile`], for a text that is in another folder than its name says. Files that it uses are looked for in `folder`.
#[must_use]
pub fn compile_in(
    folder: Option<&Path>,
    name: &str,
    text: &str,
    options: &CheckOptions,
) -> Compiled {
    stack::on_big_stack(|| compile_here((folder, name), text, options, None))
}

/// Compiles a program in which nothing fails but the covers within the given place: each fails when an execution reaches it.
#[must_use]
pub fn compile_cover(
    (folder, name): (Option<&Path>, &str),
    text: &str,
    options: &CheckOptions,
    cover: Span,
) -> Compiled {
    stack::on_big_stack(|| compile_here((folder, name), text, options, Some(cover)))
}

/// Whether a complaint may only be due to text that could not be parsed. That text may use or declare the name.
fn is_consequence(
    diagnostic: &Diagnostic,
    ast: &ast::tree::Ast,
    sources: &source::SourceMap,
) -> bool {
    let is_lost = || {
        let text = diagnostic.span.map_or("", |span| sources.text(span));
        ast.symbols
            .get(text)
            .is_some_and(|symbol| ast.lost.binary_search(&symbol).is_ok())
    };
    let unseen = diagnostic.severity == Severity::Warning || diagnostic.code == "no-main";
    ast.broken && (unseen || diagnostic.undeclared && is_lost())
}

/// Reads, checks and lowers a C program of one file, whatever its name.
#[must_use]
pub fn compile_c(name: &str, text: impl Into<Arc<str>>, options: &c::Options) -> Compiled {
    compile_files([(name, text.into())], options)
}

/// Reads, checks and lowers a C program of several files, with their names.
#[must_use]
pub fn compile_files<'a>(
    files: impl IntoIterator<Item = (&'a str, Arc<str>)> + Send,
    options: &c::Options,
) -> Compiled {
    stack::on_big_stack(|| {
        let mut sources = source::SourceMap::new();
        for (name, text) in files {
            if let Err(message) = sources.add(name, text) {
                return too_large(sources, message);
            }
        }
        let (mut program, diagnostics) = c_lower::compile(&mut sources, options);
        if let Some(program) = &mut program {
            called::note_where_places_come_from(program, &sources);
        }
        Compiled {
            sources,
            program,
            diagnostics,
        }
    })
}

fn too_large(sources: source::SourceMap, message: String) -> Compiled {
    let problem = Diagnostic {
        span: None,
        ..Diagnostic::error("too-large", Span::default(), message)
    };
    Compiled {
        sources,
        program: None,
        diagnostics: vec![problem],
    }
}

fn compile_here(
    (folder, name): (Option<&Path>, &str),
    text: &str,
    options: &CheckOptions,
    cover: Option<Span>,
) -> Compiled {
    if c::is_c(name) {
        return compile_c(name, text, &c::Options::default());
    }
    let mut sources = source::SourceMap::new();
    let start = match sources.add(name, text) {
        Ok(start) => start,
        Err(message) => return too_large(sources, message),
    };
    let modules::Followed {
        ast,
        mut diagnostics,
        incomplete,
    } = modules::follow(start, folder, &mut sources);
    let (program, found) = check::check_asking(&ast, options, cover, &mut sources);
    diagnostics.extend(
        found
            .into_iter()
            .filter(|d| !(is_consequence(d, &ast, &sources) || incomplete && d.undeclared)),
    );
    diagnostics.sort_by_key(|d| d.span);
    let failed = diagnostics.iter().any(|d| d.severity == Severity::Error);
    Compiled {
        sources,
        program: program.filter(|_| !failed),
        diagnostics,
    }
}

#[cfg(test)]
mod tests;
