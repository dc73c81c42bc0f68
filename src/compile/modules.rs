//! The files of a program: `use "file.async";` is followed, each file is read once, and all become one tree.
//!
//! A file is looked for from the folder of the file that names it. Its declarations are known everywhere in the program, as if they
//! stood in one text; a span says in which file something stands.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustc_hash::FxHashSet;

use ast::parser::{parse, parse_files};
use ast::tree::{Ast, ItemKind};

use base::diagnostic::{Diagnostic, Fix};
use base::{
    source,
    source::{SourceMap, Span},
};

/// The most files of a chain in which each names the next: to follow it takes stack.
const LONGEST_CHAIN: usize = 200;

/// The tree of a program, and the complaints about its texts.
pub struct Followed {
    /// The declarations of all files.
    pub ast: Ast,
    /// The complaints about the texts.
    pub diagnostics: Vec<Diagnostic>,
    /// Whether a file is missing or cannot be read. Then a name may be unknown although the program is right.
    pub incomplete: bool,
}

/// Parses a program whose first file is in the map already, with all files that it uses, which are added to the map.
#[must_use]
pub fn follow(start: u32, folder: Option<&Path>, sources: &mut SourceMap) -> Followed {
    let Some(first) = sources.file_of(start).cloned() else {
        let (ast, diagnostics) = parse("", start);
        return Followed {
            ast,
            diagnostics,
            incomplete: false,
        };
    };
    let (ast, diagnostics) = parse(&first.text, start);
    let named = uses(&ast);
    if named.is_empty() {
        return Followed {
            ast,
            diagnostics,
            incomplete: false,
        };
    }
    let own = Path::new(&first.name).parent();
    let folder = folder.or(own).unwrap_or(Path::new("")).to_owned();
    let mut reader = Reader {
        sources,
        done: FxHashSet::default(),
        chain: vec![Link {
            file: same(&folder.join(Path::new(&first.name).file_name().unwrap_or_default())),
            name: first.name.clone(),
        }],
        texts: Vec::new(),
        problems: Vec::new(),
    };
    reader.visit(&folder, named);
    let Reader {
        mut texts,
        problems,
        ..
    } = reader;
    // Used files come first, so the end of the tree is the end of the program.
    texts.push((first.text, start));
    let texts: Vec<(&str, u32)> = texts
        .iter()
        .map(|(text, start)| (&**text, *start))
        .collect();
    let (ast, mut diagnostics) = parse_files(&texts);
    let incomplete = !problems.is_empty();
    diagnostics.extend(problems);
    Followed {
        ast,
        diagnostics,
        incomplete,
    }
}

/// The files that a file names, with the places where it does.
#[must_use]
pub fn uses(ast: &Ast) -> Vec<(String, Span)> {
    let files = ast.items.iter().filter_map(|item| match item.kind {
        ItemKind::UseFile(file) => Some((ast.strings[file.0 as usize].clone(), item.span)),
        _ => None,
    });
    files.collect()
}

/// A path in a form that is equal for all paths to one file.
fn same(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

/// A file whose uses are being followed.
struct Link {
    file: PathBuf,
    name: String,
}

struct Reader<'s> {
    sources: &'s mut SourceMap,
    /// The files that were read or could not be.
    done: FxHashSet<PathBuf>,
    /// From the program's first file to the one at hand.
    chain: Vec<Link>,
    /// The text and the start of each used file. A file comes after the files that it uses.
    texts: Vec<(Arc<str>, u32)>,
    problems: Vec<Diagnostic>,
}

impl Reader<'_> {
    fn visit(&mut self, folder: &Path, named: Vec<(String, Span)>) {
        for (file, span) in named {
            if let Err(problem) = self.one(folder, &file, span) {
                self.problems.push(*problem);
            }
        }
    }

    fn one(&mut self, folder: &Path, file: &str, span: Span) -> Result<(), Box<Diagnostic>> {
        let problem = |message: String| Box::new(Diagnostic::error("module", span, message));
        if file.is_empty() {
            return Err(problem("no file is named".to_owned()));
        }
        let path = folder.join(file.strip_prefix("./").unwrap_or(file));
        let link = Link {
            file: same(&path),
            name: path.display().to_string(),
        };
        if let Some(from) = self.chain.iter().position(|l| l.file == link.file) {
            return Err(self.circle(from, span).into());
        }
        if !self.done.insert(link.file.clone()) {
            return Ok(());
        }
        if self.chain.len() >= LONGEST_CHAIN {
            let message = format!("more than {LONGEST_CHAIN} files use each other in a row");
            return Err(problem(message));
        }
        let text = read(&path, file).map_err(|message| hinted(*problem(message), &path, file))?;
        let start = self.sources.add(link.name.as_str(), text.as_str());
        let start = start.map_err(problem)?;
        let (ast, _) = parse(&text, start);
        let named = uses(&ast);
        drop(ast);
        self.chain.push(link);
        self.visit(path.parent().unwrap_or(Path::new("")), named);
        self.chain.pop();
        self.texts.push((text.into(), start));
        Ok(())
    }

    /// Complains that a file names the file at the place `from` of the chain again.
    fn circle(&self, from: usize, span: Span) -> Diagnostic {
        let names: Vec<String> = self.chain[from..]
            .iter()
            .map(|link| format!("`{}`", link.name))
            .collect();
        match names.as_slice() {
            [one] => Diagnostic::error("module", span, format!("{one} uses itself")),
            [first, ..] => {
                let circle = names.join(" uses ");
                let message = format!("files use each other in a circle: {circle} uses {first}");
                Diagnostic::error("module", span, message)
            }
            [] => Diagnostic::error("module", span, "a file uses itself"),
        }
        .note("put what both need into a file of its own")
    }
}

/// The text of a file that is used.
fn read(path: &Path, file: &str) -> Result<String, String> {
    if c::is_c(file) {
        return Err(format!(
            "`{file}` is C, and a program of tasks cannot use it"
        ));
    }
    let shown = path.display();
    // To read a pipe means to wait, and a pipe gives its text only once.
    if path.exists() && !path.is_file() && !path.is_dir() {
        return Err(format!("cannot read `{shown}`: it is no file"));
    }
    let bytes = source::read(path).map_err(|error| format!("cannot read `{shown}`: {error}"))?;
    source::decode(bytes).map_err(|error| format!("cannot read `{shown}`: {}", error.message))
}

/// Adds the name that was probably meant to the complaint.
fn hinted(problem: Diagnostic, path: &Path, file: &str) -> Diagnostic {
    let name = file.strip_suffix(".async").unwrap_or(file);
    if check::LIBRARIES.iter().any(|library| library.name == name) {
        return problem.note(format!("the library is known after `use {name};`"));
    }
    let with_ending = format!("{}.async", path.display());
    if Path::new(&with_ending).is_file() {
        let mut problem = problem.note(format!("did you mean `use \"{file}.async\";`?"));
        problem.fix = problem.span.map(|span| Fix {
            span,
            text: format!("use \"{file}.async\";"),
        });
        return problem;
    }
    if path.exists() {
        return problem;
    }
    problem.note("a file is looked for from the folder of the file that names it")
}
