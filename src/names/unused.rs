//! Names that a program declares and never uses, as warnings: often a slip, or a remnant of an older version.
//!
//! Globals that are only written are left alone: their final values can be looked at (`--finals`). So are names that
//! begin with `_`, and the variable of a `for`, which may only count.

use rustc_hash::{FxHashMap, FxHashSet};

use ast::tree::{Ast, ExprId, ExprKind, StmtKind};
use base::diagnostic::Diagnostic;
use base::source::{SourceMap, Span};
use base::stack::on_big_stack;

use super::{Decl, DeclId, Kind, Module, Target};

/// The code of these warnings.
pub const CODE: &str = "unused";

/// Warns of names that a text declares and that neither the text nor the other files of the program use. The text must have
/// no errors, or all names may look unused.
#[must_use]
pub fn warnings(text: &str, others: &[&str]) -> Vec<Diagnostic> {
    on_big_stack(|| warnings_here(text, others))
}

/// The texts of the files that a program uses.
#[must_use]
pub fn others(sources: &SourceMap) -> Vec<&str> {
    sources.used().map(|file| &*file.text).collect()
}

fn warnings_here(text: &str, others: &[&str]) -> Vec<Diagnostic> {
    let module = Module::read(text.into());
    let others: Vec<Module> = others
        .iter()
        .map(|&text| Module::read(text.into()))
        .collect();
    let mut uses = Uses::new(&module);
    for other in &others {
        let names = other.index.occurrences.iter();
        let foreign = names.filter(|name| name.target.is_none());
        uses.unknown
            .extend(foreign.map(|name| other.slice(name.span)));
    }
    let decls = (0..).zip(&module.index.decls);
    decls
        .filter_map(|(id, decl)| uses.complaint(DeclId(id), decl))
        .collect()
}

/// Where the names of a text are used.
struct Uses<'a> {
    module: &'a Module,
    /// By declaration: where its name is used. The place of the declaration itself is left out.
    places: FxHashMap<DeclId, Vec<Span>>,
    /// The uses that only write a variable.
    written: FxHashSet<Span>,
    /// Names whose meaning is not known.
    unknown: FxHashSet<&'a str>,
}

impl<'a> Uses<'a> {
    fn new(module: &'a Module) -> Self {
        let mut places: FxHashMap<DeclId, Vec<Span>> = FxHashMap::default();
        let mut unknown = FxHashSet::default();
        for name in &module.index.occurrences {
            match name.target {
                Some(Target::Here(id)) if module.index.decl(id).name != name.span => {
                    places.entry(id).or_default().push(name.span);
                }
                Some(_) => {}
                None => {
                    unknown.insert(module.slice(name.span));
                }
            }
        }
        Self {
            module,
            places,
            written: written(&module.ast),
            unknown,
        }
    }

    fn complaint(&self, id: DeclId, decl: &Decl) -> Option<Diagnostic> {
        let name = self.module.slice(decl.name);
        let what = title(decl)?;
        if name.starts_with('_') || name == "main" || self.unknown.contains(name) {
            return None;
        }
        let all = self.places.get(&id).into_iter().flatten();
        // A call of a procedure by itself is no use of it.
        let recursive = |span: Span| decl.kind == Kind::Proc && within(decl.whole, span);
        let mut uses = all.filter(|span| !recursive(**span)).peekable();
        let message = if uses.peek().is_none() {
            format!("the {what} `{name}` is never used")
        } else if decl.kind.is_local() && uses.all(|span| self.written.contains(span)) {
            format!("the {what} `{name}` is written, and never read")
        } else {
            return None;
        };
        let warning = Diagnostic::warning(CODE, decl.name, message);
        Some(warning.note("remove it, or let its name begin with `_`"))
    }
}

/// The word for a declaration in a warning; `None` if it may be unused.
fn title(decl: &Decl) -> Option<&'static str> {
    Some(match decl.kind {
        Kind::Const => "constant",
        Kind::Type => "type",
        Kind::Global => "variable",
        Kind::Proc if decl.owner.is_none() => "procedure",
        Kind::Object => "object type",
        Kind::Param => "parameter",
        Kind::Var | Kind::Let => "local variable",
        _ => return None,
    })
}

fn within(outer: Span, inner: Span) -> bool {
    outer.start <= inner.start && inner.end <= outer.end
}

/// The names that stand where a statement writes a variable.
fn written(ast: &Ast) -> FxHashSet<Span> {
    let mut spans = FxHashSet::default();
    let mut note = |target: ExprId| {
        let target = ast.expr(target);
        if matches!(target.kind, ExprKind::Name(_)) {
            spans.insert(target.span);
        }
    };
    for stmt in &ast.stmts {
        match stmt.kind {
            StmtKind::Assign(targets, _) | StmtKind::Havoc(targets) => {
                ast.expr_list(targets).iter().for_each(|&t| note(t));
            }
            StmtKind::Call(Some(target), ..) => note(target),
            _ => {}
        }
    }
    spans
}

#[cfg(test)]
mod tests {
    use super::*;

    fn messages(text: &str) -> Vec<String> {
        warnings(text, &[]).into_iter().map(|d| d.message).collect()
    }

    #[test]
    fn what_is_never_used() {
        let text = "use sync;\nconst N := 2;\ntype T = 0..3;\nvar x: int;\nvar y: int;\nobject O { op go() { skip; } }\n\
                    proc p(a: int, b: int, _c: int) {\n  var z: int := a;\n  let w = 1;\n  var v: int := 2;\n  z := v;\n\
                      for i in 0..1 { y := 1; }\n  call p(1, 2, 3);\n}\nproc main() { post r(); }\n\
                    proc r() { call q(1); }\nproc q(a: int) { assert a == 1; }\n";
        assert_eq!(
            messages(text),
            [
                "the constant `N` is never used",
                "the type `T` is never used",
                "the variable `x` is never used",
                "the object type `O` is never used",
                "the procedure `p` is never used",
                "the parameter `b` is never used",
                "the local variable `z` is written, and never read",
                "the local variable `w` is never used",
            ]
        );
    }

    #[test]
    fn objects_are_used_by_their_operations() {
        let text = "use sync;\nvar m: Mutex;\nvar a: [2]int := [0; 2];\nproc main() {\n  m.lock();\n  var i: int := 0;\n  a[i] := 1;\n  m.unlock();\n}\n";
        assert_eq!(messages(text), [""; 0]);
    }
}
