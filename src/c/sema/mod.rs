//! Tree to typed tree: names, types, conversions, constants, layouts.
//!
//! Errors are those that a C compiler has too. Code that could not be understood has the type [`Types::ERROR`], with which
//! everything is allowed, so that one mistake is one complaint.

mod assembler;
mod builtin;
mod bytes;
mod call;
mod compatible;
mod constant;
mod convert;
mod decl;
mod expr;
mod files;
mod init;
mod operator;
mod record;
mod scope;
mod show;
mod spawn;
mod specs;
mod stmt;

use rustc_hash::FxHashMap;

use super::complaints::Complaints;
use super::tree::{self, Tree};
use super::typed::{ExprId, ExprKind, FunctionId, NumberId, TextId, Unit, VarId};
use super::types::{DataModel, QualType, TypeId, Types};
use ast::symbol::Symbol;
use base::diagnostic::Diagnostic;
use base::memory::expect;
use base::source::Span;
use files::{Files, Functions};
use scope::{Binding, Scopes};
pub use spawn::SPAWN;

/// Gives a tree its meaning.
///
/// There is always a typed tree; it is whole if there are no complaints. `ours` is where our headers stand.
#[must_use]
pub fn check(mut tree: Tree, model: DataModel, ours: Vec<Span>) -> (Unit, Complaints) {
    let names = std::mem::take(&mut tree.names);
    let mut unit = Unit {
        names,
        types: Types::new(model),
        exprs: Vec::new(),
        stmts: Vec::new(),
        variables: Vec::new(),
        functions: Vec::new(),
        labels: Vec::new(),
        inits: Vec::new(),
        texts: Vec::new(),
        numbers: Vec::new(),
        lists: Vec::new(),
        main: None,
        stretched: std::collections::BTreeSet::new(),
        pushes_back: false,
        has_pipes: false,
        has_counters: false,
        watches: false,
        blocks_signals: false,
        open_after_jump: None,
    };
    // The typed tree adds conversions to the expressions of the user.
    expect(&mut unit.exprs, tree.exprs.len() * 2);
    expect(&mut unit.stmts, tree.stmts.len());
    let mut sema = Sema {
        tree: &tree,
        unit,
        complaints: Complaints::default(),
        scopes: Scopes::new(),
        linked: FxHashMap::default(),
        files: Files::new(&tree),
        functions: Functions::of(&tree, &ours),
        body: None,
        prototypes: 0,
        numbers: FxHashMap::default(),
        strings: FxHashMap::default(),
        ours,
        replaced: Vec::new(),
        aliases: Vec::new(),
        fixed: FxHashMap::default(),
    };
    sema.program();
    (sema.unit, sema.complaints)
}

/// The state of checking.
struct Sema<'t> {
    tree: &'t Tree,
    unit: Unit,
    complaints: Complaints,
    scopes: Scopes,
    /// The meaning of names with linkage in this file, wherever they are declared.
    linked: FxHashMap<Symbol, Binding>,
    /// The names and types that the files of the program share.
    files: Files,
    functions: Functions,
    /// The function whose body is read.
    body: Option<stmt::Body>,
    /// How many parameter lists of function types are being read. In them, no array length is computed.
    prototypes: usize,
    /// The id of each number that was met.
    numbers: FxHashMap<i128, NumberId>,
    /// The strings of the file.
    strings: FxHashMap<(TypeId, Box<[u32]>), TextId>,
    /// Where our headers stand.
    ours: Vec<Span>,
    /// Functions of our headers, each with the one of the program that takes its place.
    replaced: Vec<(FunctionId, FunctionId)>,
    /// Aliases of this file, each with the name of the function that a call reaches.
    aliases: Vec<(FunctionId, Symbol)>,
    /// The numbers that are declared with `constexpr`, each with its value.
    fixed: FxHashMap<VarId, ExprKind>,
}

impl Sema<'_> {
    fn program(&mut self) {
        let tree = self.tree;
        for (items, _) in tree.files() {
            self.begin_file();
            for &item in items {
                self.declaration(item);
                if self.complaints.is_full() {
                    return;
                }
            }
            self.replace_aliases();
        }
        self.replace_ours();
        self.complete_arrays();
        self.find_main();
    }

    /// Begins a file. The declarations of the file before are not visible in it.
    fn begin_file(&mut self) {
        self.scopes = Scopes::new();
        self.linked.clear();
        self.strings.clear();
        self.files.begin();
        let va_list = self.unit.names.intern("__builtin_va_list");
        let binding = Binding::Typedef(QualType::plain(Types::VA_LIST));
        self.scopes.declare(va_list, binding);
    }

    fn find_main(&mut self) {
        let Some(symbol) = self.unit.names.get("main") else {
            return;
        };
        if let Some(Binding::Function(main)) = self.files.external(symbol)
            && self.unit[main].body.is_some()
        {
            self.unit.main = Some(main);
        }
    }

    fn error(&mut self, code: &'static str, span: Span, message: impl Into<String>) {
        self.complaints.add(Diagnostic::error(code, span, message));
    }

    /// The text of a name.
    fn text(&self, symbol: Symbol) -> &str {
        self.unit.names.resolve(symbol)
    }

    /// The text of a name in quotes, for a message.
    fn quoted(&self, symbol: Symbol) -> String {
        super::literal::short(self.text(symbol))
    }

    /// The function whose body is read.
    fn function(&self) -> Option<FunctionId> {
        self.body.as_ref().map(|body| body.function)
    }

    fn add(&mut self, kind: ExprKind, ty: QualType, span: Span) -> ExprId {
        self.unit.add(kind, ty, span)
    }

    /// Adds a value of a type.
    fn make(&mut self, kind: ExprKind, ty: TypeId, span: Span) -> ExprId {
        self.add(kind, QualType::plain(ty), span)
    }

    /// Adds a number of a type.
    fn number(&mut self, value: i128, ty: TypeId, span: Span) -> ExprId {
        let numbers = &mut self.unit.numbers;
        let id = *self.numbers.entry(value).or_insert_with(|| {
            numbers.push(value);
            NumberId(u32::try_from(numbers.len() - 1).expect("fewer numbers than bytes"))
        });
        self.make(ExprKind::Int(id), ty, span)
    }

    /// An expression that could not be understood.
    fn failed(&mut self, span: Span) -> ExprId {
        self.make(ExprKind::Error, Types::ERROR, span)
    }

    /// Complains; gives an expression that could not be understood.
    fn fail(&mut self, code: &'static str, span: Span, message: impl Into<String>) -> ExprId {
        self.error(code, span, message);
        self.failed(span)
    }

    fn ty(&self, expr: ExprId) -> TypeId {
        self.unit[expr].ty.ty
    }

    fn span(&self, expr: ExprId) -> Span {
        self.unit[expr].span
    }

    /// Where an expression of the tree stands.
    fn at(&self, expr: tree::ExprId) -> Span {
        self.tree[expr].span
    }
}
