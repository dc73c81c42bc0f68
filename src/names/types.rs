//! Types as far as an editor needs them: which field or operation a name behind a dot means.

use ast::tree::{Ast, Bits, ExprKind, ExprList, Name, TypeId, TypeKind};
use base::source::Span;

use super::{DeclId, Index, Kind, Module, Target, slice};

/// Which text a written type stands in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Home {
    /// The text at hand.
    Here,
    Library,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ty {
    Unknown,
    /// `bool`, `int`, `task`.
    Basic(&'static str),
    /// A literal or arithmetic on literals: the other operand decides.
    Number,
    Written(Home, TypeId),
    /// A named type or an object type.
    Named(Target),
    /// The type of a literal array.
    Array(Box<Ty>, String),
}

/// How often a name of a type may stand for another name.
const ALIASES: u32 = 100;

/// A text and its names, for questions about types.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    pub ast: &'a Ast,
    /// The names, as far as they are known.
    pub index: &'a Index,
    pub text: &'a str,
    /// The library, if it is imported.
    pub library: Option<&'static Module>,
}

impl<'a> View<'a> {
    fn of(self, home: Home) -> (&'a Ast, &'a Index, &'a str) {
        match (home, self.library) {
            (Home::Library, Some(library)) => (&library.ast, &library.index, &library.text),
            _ => (self.ast, self.index, self.text),
        }
    }

    fn of_target(self, target: Target) -> (Home, DeclId) {
        match target {
            Target::Here(id) => (Home::Here, id),
            Target::Library(id) => (Home::Library, id),
        }
    }

    /// The type that a name stands for; the program's own names come first.
    #[must_use]
    pub fn type_named(self, home: Home, name: Name) -> Option<Target> {
        let symbol = name.symbol;
        let (ast, index, _) = self.of(home);
        let inside = |whole: Span| whole.start <= name.span.start && name.span.end <= whole.end;
        let mut params = index.type_params.iter();
        if let Some((.., id)) = params.find(|(whole, s, _)| *s == symbol && inside(*whole)) {
            return Some(self.at_home(home, *id));
        }
        if let Some(&id) = index.types.get(&symbol) {
            return Some(self.at_home(home, id));
        }
        let library = self.library.filter(|_| home == Home::Here)?;
        let known = library.ast.symbols.get(ast.text(symbol))?;
        let &id = library.index.types.get(&known)?;
        (library.index.decl(id).kind == Kind::Object).then_some(Target::Library(id))
    }

    fn at_home(self, home: Home, id: DeclId) -> Target {
        match home {
            Home::Here => Target::Here(id),
            Home::Library => Target::Library(id),
        }
    }

    /// A type with its aliases resolved: a written type or an object type.
    #[must_use]
    pub fn expand(self, ty: &Ty) -> Ty {
        let mut ty = ty.clone();
        for _ in 0..ALIASES {
            ty = match ty {
                Ty::Written(home, id) => match self.of(home).0.ty(id).kind {
                    TypeKind::Named(name, _) => match self.type_named(home, name) {
                        Some(target) => Ty::Named(target),
                        None => return Ty::Unknown,
                    },
                    _ => return Ty::Written(home, id),
                },
                Ty::Named(target) => {
                    let (home, id) = self.of_target(target);
                    match self.of(home).1.aliases.get(&id) {
                        Some(&written) => Ty::Written(home, written),
                        None => return ty,
                    }
                }
                _ => return ty,
            };
        }
        Ty::Unknown
    }

    fn kind(self, ty: &Ty) -> Option<(Home, TypeKind)> {
        match self.expand(ty) {
            Ty::Written(home, id) => Some((home, self.of(home).0.ty(id).kind)),
            _ => None,
        }
    }

    /// The type of a value when it is read: a number of a range is an `int`.
    #[must_use]
    pub fn read(self, ty: Ty) -> Ty {
        match self.kind(&ty) {
            Some((_, TypeKind::Range(..))) => Ty::Basic("int"),
            _ => ty,
        }
    }

    /// The type of an element of an array or a map.
    #[must_use]
    pub fn element(self, ty: &Ty) -> Ty {
        if let Ty::Array(element, _) = ty {
            return (**element).clone();
        }
        match self.kind(ty) {
            Some((home, TypeKind::Array(_, t) | TypeKind::Map(_, t) | TypeKind::Bracket(_, t))) => {
                Ty::Written(home, t)
            }
            _ => Ty::Unknown,
        }
    }

    /// A field of a record type.
    #[must_use]
    pub fn field(self, ty: &Ty, name: &str) -> Option<Target> {
        let (home, TypeKind::Record(fields)) = self.kind(ty)? else {
            return None;
        };
        let (ast, index, _) = self.of(home);
        let field = ast
            .fields(fields)
            .iter()
            .find(|f| ast.text(f.name.symbol) == name)?;
        let id = index.parts.get(&field.name.span.start)?;
        Some(self.at_home(home, *id))
    }

    /// An operation or procedure of an object type.
    #[must_use]
    pub fn member(self, ty: &Ty, name: &str) -> Option<Target> {
        let Ty::Named(target) = self.expand(ty) else {
            return None;
        };
        let (home, object) = self.of_target(target);
        let (ast, index, _) = self.of(home);
        let symbol = ast.symbols.get(name)?;
        let id = index.members.get(&(object, symbol))?;
        Some(self.at_home(home, *id))
    }

    /// The type of an operation's result. If it is a type parameter, it is the argument that the object gives for it.
    #[must_use]
    pub fn given(self, object: &Ty, result: Ty) -> Ty {
        self.argument(object, &result).unwrap_or(result)
    }

    fn argument(self, object: &Ty, result: &Ty) -> Option<Ty> {
        let Ty::Named(target) = self.expand(result) else {
            return None;
        };
        let (home, id) = self.of_target(target);
        let (ast, index, _) = self.of(home);
        let param = index.decl(id);
        if param.kind != Kind::TypeParam {
            return None;
        }
        let mut params = ast.fields(index.decl(param.owner?).params).iter();
        let place = params.position(|p| p.name.span == param.name)?;
        let (home, args) = self.arguments(object)?;
        let ast = self.of(home).0;
        let arg = ast.expr(*ast.expr_list(args).get(place)?);
        match arg.kind {
            ExprKind::Type(ty) => Some(Ty::Written(home, ty)),
            ExprKind::Name(symbol) => {
                let span = arg.span;
                let named = self.type_named(home, Name { symbol, span });
                named.map(Ty::Named)
            }
            _ => None,
        }
    }

    /// The arguments with which an object type is written.
    fn arguments(self, object: &Ty) -> Option<(Home, ExprList)> {
        let mut ty = object.clone();
        for _ in 0..ALIASES {
            ty = match ty {
                Ty::Written(home, id) => match self.of(home).0.ty(id).kind {
                    TypeKind::Named(_, args) if !args.is_empty() => return Some((home, args)),
                    TypeKind::Named(name, _) => Ty::Named(self.type_named(home, name)?),
                    _ => return None,
                },
                Ty::Named(target) => {
                    let (home, id) = self.of_target(target);
                    Ty::Written(home, *self.of(home).1.aliases.get(&id)?)
                }
                _ => return None,
            };
        }
        None
    }

    /// What may stand behind a dot after a value of a type.
    #[must_use]
    pub fn behind_dot(self, ty: &Ty) -> Vec<Target> {
        match self.expand(ty) {
            Ty::Named(target) => {
                let (home, object) = self.of_target(target);
                let decls = self.of(home).1.decls.iter().zip(0..);
                let own = decls.filter(|(d, _)| {
                    d.owner == Some(object) && matches!(d.kind, Kind::Op | Kind::Proc)
                });
                own.map(|(_, id)| self.at_home(home, DeclId(id))).collect()
            }
            Ty::Written(home, id) => {
                let (ast, index, _) = self.of(home);
                let TypeKind::Record(fields) = ast.ty(id).kind else {
                    return Vec::new();
                };
                let starts = ast.fields(fields).iter().map(|f| f.name.span.start);
                let ids = starts.filter_map(|start| index.parts.get(&start));
                ids.map(|&id| self.at_home(home, id)).collect()
            }
            _ => Vec::new(),
        }
    }

    /// The type of a declaration.
    #[must_use]
    pub fn type_of(self, target: Target) -> Ty {
        let (home, id) = self.of_target(target);
        let ty = self.of(home).1.decl(id).ty.clone();
        match home {
            Home::Here => ty,
            Home::Library => abroad(ty),
        }
    }

    /// For each parameter of an object type, whether it is a type.
    #[must_use]
    pub fn takes_types(self, object: Target) -> Vec<bool> {
        let (home, id) = self.of_target(object);
        let (ast, index, _) = self.of(home);
        let params = ast.fields(index.decl(id).params).iter();
        params
            .map(|p| ast.ty(p.ty).kind == TypeKind::Type)
            .collect()
    }

    /// A type as one would write it; nothing if it is not known.
    #[must_use]
    pub fn show(self, ty: &Ty) -> Option<String> {
        Some(match ty {
            Ty::Unknown => return None,
            Ty::Basic(name) => (*name).to_owned(),
            Ty::Number => "int".to_owned(),
            Ty::Written(home, id) => {
                let (ast, _, text) = self.of(*home);
                let words = slice(text, ast.ty(*id).span).split_whitespace();
                words.collect::<Vec<_>>().join(" ")
            }
            Ty::Named(target) => {
                let (home, id) = self.of_target(*target);
                let (_, index, text) = self.of(home);
                slice(text, index.decl(id).name).to_owned()
            }
            Ty::Array(element, length) => format!("[{length}]{}", self.show(element)?),
        })
    }

    /// The names and types of the parameters of an operation or procedure.
    #[must_use]
    pub fn parameters(self, target: Target) -> Vec<(Name, Ty)> {
        let (home, id) = self.of_target(target);
        let (ast, index, _) = self.of(home);
        let fields = ast.fields(index.decl(id).params).iter();
        fields.map(|f| (f.name, Ty::Written(home, f.ty))).collect()
    }
}

/// A type of the library, seen from a program: for the library, `Here` is the library.
fn abroad(ty: Ty) -> Ty {
    match ty {
        Ty::Written(_, id) => Ty::Written(Home::Library, id),
        Ty::Named(Target::Here(id)) => Ty::Named(Target::Library(id)),
        Ty::Array(element, length) => Ty::Array(Box::new(abroad(*element)), length),
        other => other,
    }
}

/// The name of a machine integer type.
pub(super) fn bits_name(bits: Bits) -> &'static str {
    match (bits.signed, bits.width) {
        (true, 8) => "i8",
        (true, 16) => "i16",
        (true, 32) => "i32",
        (true, _) => "i64",
        (false, 8) => "u8",
        (false, 16) => "u16",
        (false, 32) => "u32",
        (false, _) => "u64",
    }
}
