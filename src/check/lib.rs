//! Names and types: from the tree to the program that engines read.
//!
//! Everything that can be wrong with the meaning of a text is found here, in one
//! run; everything implicit becomes explicit here. The stages, in their order:
//!
//! 1. `items`: the declarations, also names that are declared twice; members of enums.
//! 2. `types`, `constants`: written types and constants, each when it is first needed.
//! 3. `globals`, `objects`, `state`: variables, one set of state for each object, initial values.
//! 4. `versions`: bodies, one version for each set of objects that a procedure works on, and for atomic callers or others.
//!    A body goes statement by statement (`stmt`) through `expr` and `check_against` (names and types) to `lower`
//!    (expressions of the program and run-time checks). `preempt` alone decides where tasks can be interrupted.
//!    `operations` makes awaits of operations of objects.
//! 5. `atomicity`: atomic code may not wait, also not in the procedures that it calls.
//!
//! Knows the tree and the program, and no engine.

mod assign;
mod atomicity;
mod body;
mod calls;
mod check_against;
mod code;
mod constants;
mod cover;
mod declared;
mod diagnostics;
mod expr;
mod globals;
mod invariants;
mod items;
mod literals;
mod locals;
mod loops;
mod lower;
mod mismatch;
mod names;
mod objects;
mod operations;
mod preempt;
mod ranges;
mod references;
mod shapes;
mod signatures;
mod state;
mod stmt;

mod type_names;
mod type_params;
mod typed;
mod types;
mod unused;
mod versions;
mod waits;

pub use items::preempt_mode;

use ast::parser;
use ast::tree::{Ast, ItemKind};
use base::diagnostic::{Diagnostic, Severity};
use base::source::{Origin, SourceFile, SourceMap, Span};
use ir::lower::build::Builder;
use ir::passes;
use ir::{Program, checked};
use options::PreemptMode;

/// A part of the library: `use NAME;` makes its objects known.
#[derive(Clone, Copy, Debug)]
pub struct Library {
    pub name: &'static str,
    /// Where its text is, in messages.
    pub file: &'static str,
    pub text: &'static str,
}

/// The parts of the library. No two of them declare the same name.
pub const LIBRARIES: [Library; 3] = [
    Library {
        name: "sync",
        file: "std/sync.async",
        text: include_str!("std/sync.async"),
    },
    Library {
        name: "async",
        file: "std/async.async",
        text: include_str!("std/async.async"),
    },
    Library {
        name: "time",
        file: "std/time.async",
        text: include_str!("std/time.async"),
    },
];

/// The caller's decisions about a program's meaning.
#[derive(Clone, Copy, Debug, Default)]
pub struct CheckOptions {
    /// Where tasks can be interrupted; overrides the program's own mode.
    pub preempt: Option<PreemptMode>,
}

/// Finds everything wrong with a program's meaning, and makes the program if nothing is.
pub fn check(
    ast: &Ast,
    options: &CheckOptions,
    sources: &mut SourceMap,
) -> (Option<Program>, Vec<Diagnostic>) {
    check_asking(ast, options, None, sources)
}

/// Like [`check()`]. If the question is about covers, makes the program in which only the covers within that place fail.
pub fn check_asking(
    ast: &Ast,
    options: &CheckOptions,
    asked: Option<Span>,
    sources: &mut SourceMap,
) -> (Option<Program>, Vec<Diagnostic>) {
    let own_end = sources.files().last().map_or(0, SourceFile::end);
    let mut diagnostics = Vec::new();
    let mut libraries = Vec::new();
    for library in LIBRARIES.iter().filter(|l| uses(ast, l)) {
        if let Ok(start) = sources.add_of(Origin::Library, library.file, library.text) {
            let (tree, problems) = parser::parse(library.text, start);
            libraries.push(tree);
            diagnostics.extend(problems);
        }
    }
    let modules: Vec<&Ast> = std::iter::once(ast).chain(&libraries).collect();
    let mut checker = Checker::new(&modules, *options);
    checker.asked = asked;
    let (program, found) = checker.run();
    let program = program.map(|mut program| {
        program.own_end = own_end;
        program.quotes.set_sources(sources);
        program
    });
    diagnostics.extend(found);
    (program, diagnostics)
}

/// Whether the program asks for a part of the library.
#[must_use]
pub fn uses(ast: &Ast, library: &Library) -> bool {
    ast.items.iter().any(
        |item| matches!(item.kind, ItemKind::Use(name) if ast.text(name.symbol) == library.name),
    )
}

/// The state of one run.
struct Checker<'a> {
    /// The user's file, then the parts of the library that it uses.
    modules: Vec<items::Module<'a>>,
    consts: Vec<constants::Const>,
    vars: Vec<items::Var>,
    objects: Vec<objects::ObjectType>,
    instances: Vec<objects::Instance>,
    shapes: shapes::Shapes,
    build: Builder,
    diagnostics: diagnostics::Diagnostics,
    mode: PreemptMode,
    /// The place whose covers are asked about.
    asked: Option<Span>,
    versions: versions::Versions,
    /// The checks of the invariants.
    invariants: ir::Block,
    /// Where names of the code at hand are looked up.
    names: names::Names,
    /// The procedure under construction.
    body: body::Body,
    /// The expressions of the statement at hand.
    nodes: Vec<typed::Node>,
    /// Whether something in the expressions at hand is wrong, so that they cannot be lowered.
    broken: bool,
    /// How many declarations are being resolved because others need them.
    depth: u32,
}

impl<'a> Checker<'a> {
    fn new(asts: &[&'a Ast], options: CheckOptions) -> Self {
        Self {
            modules: asts.iter().map(|&ast| items::Module::new(ast)).collect(),
            consts: Vec::new(),
            vars: Vec::new(),
            objects: Vec::new(),
            instances: Vec::new(),
            shapes: shapes::Shapes::default(),
            build: Builder::new(Program::empty()),
            diagnostics: diagnostics::Diagnostics::new(),
            mode: options.preempt.unwrap_or_else(|| preempt_mode(asts[0])),
            asked: None,
            versions: versions::Versions::default(),
            invariants: ir::Block::new(),
            names: names::Names::default(),
            body: body::Body::default(),
            nodes: Vec::new(),
            broken: false,
            depth: 0,
        }
    }

    fn run(mut self) -> (Option<Program>, Vec<Diagnostic>) {
        self.collect_items();
        self.resolve_types();
        self.evaluate_constants();
        self.declare_globals();
        self.lower_bodies();
        self.lower_invariants();
        self.declare_claims();
        let end = self.mark();
        self.check_unused();
        self.check_atomicity();
        self.reset(end);
        self.prune_points();
        self.place_invariants();
        // A tree with holes is checked, but makes no program.
        let failed = self.diagnostics.failed() || self.modules.iter().any(|m| m.ast.broken);
        let program = Some(self.build.program).filter(|_| !failed);
        let mut program = program.map(|program| checked(program, "the checker"));
        if let (Some(program), Some(_)) = (&mut program, self.asked) {
            program.scope.cover = self.asked;
            passes::run("cover", program, passes::cover::only);
        }
        (program, self.diagnostics.finish())
    }

    fn report(&mut self, diagnostic: Diagnostic) {
        self.broken |= diagnostic.severity == Severity::Error;
        let diagnostic = self.of_object(diagnostic);
        self.diagnostics.push(diagnostic);
    }
}
