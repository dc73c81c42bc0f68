//! Named types: resolved when first needed, each once.

use ast::parser::parse;
use ast::{
    tree,
    tree::{ExprList, ItemKind, Name},
};
use base::diagnostic::Diagnostic;
use base::source::Span;

use super::Checker;
use super::items::TypeName;
use super::names::Names;
use super::types::{DEPENDENCE, ObjectSort, Sort};
use base::suggest::closest;

impl Checker<'_> {
    pub(super) fn named(&mut self, name: Name, args: ExprList) -> Sort {
        let sort = self.named_sort(name);
        let ast = self.modules[self.names.module].ast;
        match sort {
            Sort::Object(object) if object.args.is_none() && !self.names.of_params => {
                let args = ast.expr_list(args);
                self.object_arguments(object, name, args)
            }
            sort @ Sort::Object(_) if self.names.of_params => sort,
            sort if args.is_empty() || sort == Sort::Error => sort,
            _ => {
                let message = format!("`{}` takes no arguments", ast.text(name.symbol));
                self.report(
                    Diagnostic::error("argument-count", name.span, message)
                        .label("only object types do"),
                );
                Sort::Error
            }
        }
    }

    /// The meaning of a named type. Names may need other names only to a limited depth, because of the stack.
    pub(super) fn named_sort(&mut self, name: Name) -> Sort {
        if let Some(given) = self.type_parameter(name.symbol) {
            return given.map_or(Sort::Error, Sort::Value);
        }
        let Some(entry) = self.modules[self.names.module].types.get_mut(&name.symbol) else {
            self.unknown_type(name);
            return Sort::Error;
        };
        let declared = entry.span;
        match &entry.what {
            TypeName::Object(object) => Sort::Object(ObjectSort {
                object: *object,
                args: None,
                dims: Vec::new(),
            }),
            TypeName::Done(sort) => sort.clone(),
            TypeName::Busy => {
                entry.what = TypeName::Done(Sort::Error);
                self.recursive_type(name, declared);
                Sort::Error
            }
            &TypeName::Waiting(ty) => {
                entry.what = TypeName::Busy;
                let sort = self.resolve_alias(name, ty);
                let entry = self.modules[self.names.module].types.get_mut(&name.symbol);
                let entry = entry.expect("entries are never removed");
                // A cycle through this type has put an error there, which stays.
                if let TypeName::Busy = entry.what {
                    entry.what = TypeName::Done(sort.clone());
                }
                sort
            }
        }
    }

    fn resolve_alias(&mut self, name: Name, ty: tree::TypeId) -> Sort {
        if self.too_deep(name) {
            return Sort::Error;
        }
        // The meaning of a named type does not depend on the block or the object that asks first.
        let alone = Names::new(self.names.module, None);
        let names = std::mem::replace(&mut self.names, alone);
        self.depth += 1;
        let ast = self.modules[self.names.module].ast;
        let text = ast.text(name.symbol).to_owned();
        let sort = self.sort_as(ty, ast.ty(ty), text);
        self.depth -= 1;
        self.names = names;
        sort
    }

    /// Refuses a declaration if too many others wait for it. Returns whether it is refused.
    pub(super) fn too_deep(&mut self, name: Name) -> bool {
        let deep = self.depth >= DEPENDENCE;
        if deep {
            let message = format!(
                "more than {DEPENDENCE} declarations depend on each other before `{}`",
                self.text(name)
            );
            self.report(
                Diagnostic::error("too-deep", name.span, message)
                    .note("declare first what others are made of"),
            );
        }
        deep
    }

    fn recursive_type(&mut self, name: Name, declared: Span) {
        let text = self.text(name).to_owned();
        self.report(
            Diagnostic::error(
                "recursive-type",
                name.span,
                format!("the type `{text}` contains itself"),
            )
            .label("used inside itself here")
            .related(declared, "declared here"),
        );
    }

    fn unknown_type(&mut self, name: Name) {
        let text = self.text(name).to_owned();
        let mut diagnostic = Diagnostic::undeclared(
            "unknown-type",
            name.span,
            format!("there is no type named `{text}`"),
        )
        .label("not found");
        if let Some(library) = in_library(&text) {
            diagnostic = diagnostic.note(format!("`use {library};` makes `{text}` known"));
        } else if let Some(object) = self.object_with_type(name) {
            diagnostic = diagnostic.note(format!("`{text}` is known only inside of `{object}`"));
        } else if let Some(hint) = of_other_languages(&text) {
            diagnostic = diagnostic.note(hint);
        } else if let Some(near) = self.similar_type(&text) {
            diagnostic = diagnostic.did_you_mean(&near);
        }
        self.report(diagnostic);
    }

    pub(super) fn similar_type(&mut self, text: &str) -> Option<String> {
        if !self.diagnostics.may_search() {
            return None;
        }
        let module = &self.modules[self.names.module];
        let basic = [
            "bool", "int", "task", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64",
        ];
        let imported = self.objects.iter().filter(|o| o.module != 0);
        let imported = imported.map(|o| self.modules[o.module].ast.text(o.name.symbol));
        let declared = module.types.keys().map(|&s| module.ast.text(s));
        closest(text, declared.chain(basic).chain(imported)).map(str::to_owned)
    }

    pub(super) fn neither_constant_nor_type(&mut self, name: Name) {
        let text = self.text(name).to_owned();
        let message = format!("there is no constant and no type named `{text}`");
        let mut diagnostic =
            Diagnostic::undeclared("unknown-name", name.span, message).label("not found");
        let near = self
            .similar_type(&text)
            .or_else(|| self.similar_value(&text));
        if let Some(near) = near {
            diagnostic = diagnostic.did_you_mean(&near);
        }
        self.report(diagnostic);
    }
}

/// The part of the library that has an object type of that name.
fn in_library(text: &str) -> Option<&'static str> {
    let has = |library: &&super::Library| {
        let (tree, _) = parse(library.text, 0);
        let mut items = tree.items.iter();
        items.any(
            |item| matches!(&item.kind, ItemKind::Object(o) if tree.text(o.name.symbol) == text),
        )
    };
    super::LIBRARIES
        .iter()
        .find(has)
        .map(|library| library.name)
}

/// What a person writes here for a type of other languages.
fn of_other_languages(name: &str) -> Option<&'static str> {
    Some(match name {
        "bit" | "boolean" | "Bool" | "Boolean" => "write `bool`",
        "byte" | "char" => "write `u8`, or a range such as `0..255`",
        "short" => "write `i16`",
        "long" | "integer" | "Integer" | "number" => {
            "write `int`, `i64`, or a range such as `0..100`"
        }
        "nat" | "Nat" | "unsigned" | "uint" => "write `u32`, or a range such as `0..100`",
        "double" | "float" | "f32" | "f64" | "real" => {
            "numbers are whole: write `int`, or a range such as `0..100` for parts of a hundred"
        }
        "str" | "string" | "String" | "text" => {
            "strings are only messages; names of states are members of an `enum { A, B }`"
        }
        "void" => "a procedure without a result is declared without a type: `proc p() { … }`",
        "mutex" | "lock" => "a lock is an object: `use sync;`, `var m: Mutex;`",
        "chan" | "channel" | "queue" => {
            "a queue is an object: `use sync;`, `var q: Queue(int, 8);`"
        }
        _ => return None,
    })
}
