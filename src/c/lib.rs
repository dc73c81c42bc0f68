//! Programs in C with threads: text → [`mod@tree`] → [`mod@typed`] → the program that engines read.
//!
//! | where | what it is |
//! |---|---|
//! | `preprocess` | `cc -E` with the headers in `include/c` |
//! | `token`, `lex`, `origin` | words with their places in the user's files |
//! | `parse` | recursive descent into the arena [`mod@tree`] |
//! | `types`, `sema` | names, types, conversions, constants, layouts |
//! | `typed` | the tree that lowering reads; its head says how |
//! | `added`, `parts`, `labels` | additions to the typed tree, the parts of statements and expressions, where jumps lead |
//! | `cleanup`, `computed_goto`, `cases` | passes that leave fewer forms of statements in the typed tree |
//! | `property` | the properties that are checked |
//! | rooms `c_memory`, `c_lower` | what pointers may point to, and the program that engines read |

mod added;
mod assembler;
pub mod cases;
pub mod cleanup;
pub mod complaints;
pub mod computed_goto;
pub mod headers;
pub mod labels;
pub mod lex;
mod literal;
pub mod origin;
mod parse;
pub mod parts;
mod pragma;
#[cfg_attr(not(feature = "cc"), path = "without_cc.rs")]
mod preprocess;
pub mod property;
pub mod sema;
pub mod token;
pub mod tree;
pub mod typed;
pub mod types;

use std::path::{Component, Path, PathBuf};

use base::diagnostic::Diagnostic;
use base::source::{Origin, SourceFile, SourceMap, Span};
use base::stack::on_big_stack;

/// A program that was read, and what is wrong with it.
#[derive(Debug)]
pub struct Checked {
    /// The typed tree, if nothing is wrong.
    pub unit: Option<typed::Unit>,
    /// What is wrong, in the order of the text.
    pub diagnostics: Vec<Diagnostic>,
}

/// Whether a name is that of a C file.
#[must_use]
pub fn is_c(name: &str) -> bool {
    let extension = Path::new(name).extension();
    extension.is_some_and(|e| e == "c" || e == "i")
}

/// Decodes any bytes, because C programs are older than UTF-8. Drops a byte order mark.
#[must_use]
pub fn decode(bytes: Vec<u8>) -> String {
    let text = String::from_utf8(bytes);
    let mut text = text.unwrap_or_else(|e| String::from_utf8_lossy(e.as_bytes()).into_owned());
    let mark = text.len() - text.trim_start_matches('\u{feff}').len();
    text.drain(..mark);
    text
}

/// Reads the files of the map as one program. A file whose name ends in `.i` is preprocessed already, all others are not.
/// Adds the headers that they include to the map. Checks types if all files can be parsed.
#[must_use]
pub fn read(sources: &mut SourceMap, options: &Options) -> Checked {
    let mut tree = tree::Tree::default();
    let mut diagnostics = Vec::new();
    let files = sources.files().to_vec();
    let mut included = Vec::new();
    for file in &files {
        if let Some(by) = includer(&files, file) {
            included.push(by);
            continue;
        }
        let found;
        (tree, found) = read_file(file, sources, options, tree);
        diagnostics.extend(found);
    }
    let ours = sources
        .files()
        .iter()
        .filter(|f| f.origin == Origin::Library);
    let ours = ours.map(|f| Span::new(f.start, f.end())).collect();
    let mut checked = typed(tree, diagnostics, options.model, ours);
    checked.diagnostics.extend(included);
    if let Some(unit) = &mut checked.unit {
        hide_inner(unit, sources);
    }
    checked
}

/// Hides internal variables of our headers, and those that a macro declares: the user's text does not show their names.
fn hide_inner(unit: &mut typed::Unit, sources: &SourceMap) {
    for at in 0..unit.variables.len() {
        let own = &unit.variables[at];
        let name = own.name.map_or("", |name| unit.name(name));
        let seen = sources.is_users(own.span) && sources.text(own.span) == name;
        unit.variables[at].hidden |= name.starts_with("__") && !seen;
    }
}

/// The warning that another file of the program includes this one, which is therefore read only there.
fn includer(files: &[SourceFile], file: &SourceFile) -> Option<Diagnostic> {
    let normal = |path: &Path| -> PathBuf {
        let mut short = PathBuf::new();
        for part in path.components() {
            match part {
                Component::CurDir => {}
                Component::ParentDir if short.file_name().is_some() => {
                    short.pop();
                }
                part => short.push(part),
            }
        }
        short
    };
    let own = normal(Path::new(&file.name));
    let includes = |by: &SourceFile, line: &str| {
        let name = included(line).filter(|_| line.contains('"'))?;
        let folder = Path::new(&by.name).parent()?;
        (is_c(name) && normal(&folder.join(name)) == own).then_some(())
    };
    let others = files.iter().filter(|by| by.start != file.start);
    others.into_iter().find_map(|by| {
        let at = (1..)
            .zip(by.text.lines())
            .find(|(_, line)| includes(by, line).is_some());
        let range = by.line_range(at?.0);
        let place = |offset: usize| by.start + u32::try_from(offset).unwrap_or(0);
        let span = Span::new(place(range.start), place(range.end));
        let message = format!("{} is read here, and not as a file of its own", file.name);
        Some(Diagnostic::warning("c-included", span, message))
    })
}

/// The file that a line of C includes.
#[must_use]
pub fn included(line: &str) -> Option<&str> {
    let rest = line.trim_start().strip_prefix('#')?.trim_start();
    let rest = rest.strip_prefix("include")?.trim_start();
    rest.strip_prefix(['"', '<'])?.split(['"', '>']).next()
}

/// Reads preprocessed text of less than 4 GiB as a program of one file.
#[must_use]
pub fn check(text: &str, origin: origin::Origin<'_>, model: types::DataModel) -> Checked {
    let (tree, diagnostics) = parsed(text, origin, tree::Tree::default());
    typed(tree, diagnostics, model, Vec::new())
}

/// Checks types, if nothing is wrong so far. `ours` is where our headers stand.
fn typed(
    tree: tree::Tree,
    diagnostics: Vec<Diagnostic>,
    model: types::DataModel,
    ours: Vec<Span>,
) -> Checked {
    if !diagnostics.is_empty() {
        return Checked {
            unit: None,
            diagnostics,
        };
    }
    let (unit, complaints) = on_big_stack(|| sema::check(tree, model, ours));
    Checked {
        unit: complaints.is_empty().then_some(unit),
        diagnostics: complaints.finish(),
    }
}

/// Reads one file of a program into its tree, and says what is wrong with it.
fn read_file(
    file: &SourceFile,
    sources: &mut SourceMap,
    options: &Options,
    tree: tree::Tree,
) -> (tree::Tree, Vec<Diagnostic>) {
    if Path::new(&file.name).extension().is_some_and(|e| e == "i") {
        return parsed(&file.text, origin::Origin::Itself(file.start), tree);
    }
    match preprocess::preprocess(file, options) {
        Ok(preprocessed) => {
            let load = |name: &str| preprocessed.load(name);
            let markers = origin::Markers::new(file, sources, &load);
            let origin = origin::Origin::Markers(Box::new(markers));
            parsed(&preprocessed.text, origin, tree)
        }
        Err(diagnostic) => (tree, vec![*diagnostic]),
    }
}

fn parsed(
    text: &str,
    origin: origin::Origin<'_>,
    tree: tree::Tree,
) -> (tree::Tree, Vec<Diagnostic>) {
    let (tree, complaints) = on_big_stack(|| parse::parse(text, origin, tree));
    (tree, complaints.finish())
}

/// Parses a text without a look at names and types; gives its tree and what is wrong with it.
#[must_use]
pub fn tree(text: &str) -> (tree::Tree, Vec<Diagnostic>) {
    parsed(text, origin::Origin::Itself(0), tree::Tree::default())
}

/// The options for reading a C program.
#[derive(Clone, Debug)]
pub struct Options {
    /// How wide `long` and pointers are.
    pub model: types::DataModel,
    /// The words after the program's name, with which it is run.
    pub args: Vec<String>,
    /// How many objects each allocation can make.
    pub heap: u32,
    /// Whether memory that was freed may be handed out again.
    pub heap_reuse: bool,
    /// Whether allocations may fail.
    pub malloc_may_fail: bool,
    /// Whether an array of one element at the end of a structure has one element, however much is allocated.
    pub strict: bool,
    /// Whether reading and writing what is `volatile` orders threads, as atomic operations do.
    pub volatile_orders: bool,
    /// How often a condition variable wakes a thread without a signal.
    pub spurious: u32,
    /// The least and the greatest value of inputs and other open values; without it, all values of their types.
    pub nondet: Option<(i64, i64)>,
    /// Labels of statements that are errors.
    pub error_labels: Vec<String>,
    /// Which properties are checked.
    pub wanted: property::Wanted,
    /// Functions that no file defines: they give any result and touch nothing.
    pub stubs: Vec<String>,
    /// The command of the compiler that preprocesses, with its first arguments; without it, what `CC` names, or `cc`.
    pub compiler: Option<String>,
    /// Options of the preprocessor: `-D`, `-U`, `-I` and `-include` with their values.
    pub preprocessor: Vec<String>,
    /// Options of the preprocessor for single files. They come before those of `preprocessor`.
    pub files: Vec<(PathBuf, Vec<Told>)>,
}

/// An option of the preprocessor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    /// `-D`, `-I`, `-include` and their like.
    pub flag: String,
    pub value: String,
}

impl Options {
    /// The preprocessor's options for one file. A file without options of its own gets the folders of all other files.
    #[must_use]
    pub fn told(&self, file: &str) -> Vec<&Told> {
        let path = Path::new(file).canonicalize().unwrap_or_default();
        let own = self.files.iter().find(|(known, _)| *known == path);
        let folders = || {
            let all = self.files.iter().flat_map(|(_, told)| told);
            let mut folders: Vec<&Told> = Vec::new();
            for told in all {
                let folder = ["-I", "-isystem", "-iquote", "-idirafter"].contains(&&*told.flag);
                if folder && !folders.contains(&told) {
                    folders.push(told);
                }
            }
            folders
        };
        own.map_or_else(folders, |(_, told)| told.iter().collect())
    }
}

impl Default for Options {
    fn default() -> Self {
        Self {
            model: types::DataModel::Lp64,
            args: Vec::new(),
            heap: 8,
            heap_reuse: false,
            malloc_may_fail: false,
            strict: false,
            volatile_orders: false,
            spurious: 1,
            nondet: None,
            error_labels: Vec::new(),
            wanted: property::Wanted::default(),
            stubs: Vec::new(),
            compiler: None,
            preprocessor: Vec::new(),
            files: Vec::new(),
        }
    }
}
