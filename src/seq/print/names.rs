//! Names for everything in a program, unique and no keywords.
//!
//! A program may have two procedures of one name (versions of the same), two
//! locals of one name (in different blocks), and fields with names that no
//! lexer would take (`m.held`). Text may not.

use rustc_hash::{FxHashMap, FxHashSet};

use ir::{ExprKind, Proc, Program, Type, TypeId, Types};

/// The words that may not be names in a language.
#[derive(Clone, Copy)]
pub struct Language {
    /// Words with a meaning, with blanks between them.
    pub keywords: &'static str,
}

/// The names of a program's parts.
pub struct Names {
    pub globals: Vec<String>,
    pub procs: Vec<String>,
    /// The names of records and enums in use.
    pub types: FxHashMap<TypeId, String>,
    /// The parts of each type in use: fields of a record, members of an enum.
    pub parts: FxHashMap<TypeId, Vec<String>>,
    /// The types in use, in their order.
    pub used: Vec<TypeId>,
    language: Language,
    taken: FxHashSet<String>,
}

impl Names {
    /// Names everything but locals.
    pub fn new(program: &Program, language: Language) -> Self {
        let mut names = Self {
            globals: Vec::new(),
            procs: Vec::new(),
            types: FxHashMap::default(),
            parts: FxHashMap::default(),
            used: used_types(program),
            language,
            taken: FxHashSet::default(),
        };
        names.globals = program
            .globals
            .iter()
            .map(|g| names.fresh(&g.name))
            .collect();
        for ty in names.used.clone() {
            names.ty(&program.types, ty);
        }
        names.procs = program.procs.iter().map(|p| names.fresh(&p.name)).collect();
        names
    }

    /// A name that nothing else has.
    pub fn fresh(&mut self, wish: &str) -> String {
        let name = free(wish, self.language, |n| self.taken.contains(n));
        self.taken.insert(name.clone());
        name
    }

    fn ty(&mut self, types: &Types, ty: TypeId) {
        match types.get(ty) {
            Type::Enum(e) => {
                let name = self.fresh(if e.name.is_empty() { "Enum" } else { &e.name });
                self.types.insert(ty, name);
                let members = e.members.iter().map(|m| self.fresh(m)).collect();
                self.parts.insert(ty, members);
            }
            Type::Record(r) => {
                let name = self.fresh(if r.name.is_empty() { "Record" } else { &r.name });
                self.types.insert(ty, name);
                let mut fields: Vec<String> = Vec::new();
                for (field, _) in &r.fields {
                    let field = free(field, self.language, |n| fields.iter().any(|f| f == n));
                    fields.push(field);
                }
                self.parts.insert(ty, fields);
            }
            _ => {}
        }
    }

    /// The names of a procedure's locals: no two alike, none that of a global thing.
    pub fn locals(&self, proc: &Proc) -> Vec<String> {
        let mut own: FxHashSet<String> = FxHashSet::default();
        let mut names = Vec::with_capacity(proc.locals.len());
        for local in &proc.locals {
            let name = free(&local.name, self.language, |n| {
                self.taken.contains(n) || own.contains(n)
            });
            own.insert(name.clone());
            names.push(name);
        }
        names
    }
}

/// The wish, made a word, with a number behind it if it is taken.
fn free(wish: &str, language: Language, taken: impl Fn(&str) -> bool) -> String {
    let mut word: String = wish
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
        .collect();
    if word.is_empty()
        || word.starts_with(|c: char| c.is_ascii_digit())
        || word.chars().all(|c| c == '_')
    {
        word.insert(0, 'v');
    }
    let mut keywords = language.keywords.split(' ');
    if keywords.all(|keyword| keyword != word) && !taken(&word) {
        return word;
    }
    let numbered = (1u64..).map(|i| format!("{word}_{i}"));
    numbered
        .into_iter()
        .find(|n| !taken(n))
        .expect("there are more names than any program has")
}

/// The types of globals, locals, results, records and numbers in expressions, and the types that these are made of.
fn used_types(program: &Program) -> Vec<TypeId> {
    let mut used = vec![false; program.types.iter().count()];
    let mut open: Vec<TypeId> = program.globals.iter().map(|g| g.ty).collect();
    for proc in &program.procs {
        open.extend(proc.locals.iter().map(|l| l.ty).chain(proc.result));
    }
    let literals = program
        .exprs
        .iter()
        .filter(|e| matches!(e.kind, ExprKind::Record(_) | ExprKind::Int(_)));
    open.extend(literals.map(|e| e.ty));
    while let Some(ty) = open.pop() {
        if std::mem::replace(&mut used[ty.0 as usize], true) {
            continue;
        }
        match program.types.get(ty) {
            Type::Record(r) => open.extend(r.fields.iter().map(|f| f.1)),
            Type::Array(_, element) => open.push(*element),
            Type::Map(key, element) => open.extend([*key, *element]),
            _ => {}
        }
    }
    (0u32..)
        .map(TypeId)
        .zip(used)
        .filter(|&(_, used)| used)
        .map(|(ty, _)| ty)
        .collect()
}
