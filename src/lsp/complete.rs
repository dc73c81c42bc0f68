//! Completion: the words of the language, and the names in scope.
//!
//! While a person writes, the text seldom parses. So the tree is that of the text with a
//! name put in at the cursor, in the way that leaves the fewest errors.

use std::ops::Range;
use std::sync::Arc;

use lsp_types::{CompletionItem, CompletionItemKind, CompletionParams, Documentation};
use rustc_hash::FxHashSet;

use ast::token::Tok;
use base::source::Span;

use super::client::Answered;
use super::hover::declaration;
use super::server::{Server, write};
use names::language::Origin;
use names::{DeclId, Kind, Module, Target};

/// In larger texts no name is put in, because the server would read the whole text again at every key.
const MOST_BYTES: usize = 1 << 20;
/// The name that is put in. Programs do not use it.
const HOLE: &str = "dbverify_hole";

/// Returns the words and names that can stand at the cursor.
pub fn complete(server: &mut Server, params: CompletionParams) -> Answered {
    let at = params.text_document_position;
    let document = server.document(&at.text_document.uri)?;
    if document.model().is_none() {
        return write(Vec::<CompletionItem>::new());
    }
    let offset = document.text.offset(at.position);
    let text = document.text.text.clone();
    let start = word_start(&text, offset);
    if in_comment_or_string(&text, start) {
        return write(Vec::<CompletionItem>::new());
    }
    let behind_dot = text[..start].trim_end().ends_with('.') && !text[..start].ends_with("..");
    let module = if text.len() <= MOST_BYTES {
        Arc::new(with_hole(
            &document.origin,
            &text,
            start..offset,
            behind_dot,
        ))
    } else {
        document.module()
    };
    let at = u32::try_from(start).unwrap_or(u32::MAX);
    let typed = &text[start..offset];
    write(if behind_dot {
        members(&module, at, typed)
    } else {
        let mut items = names(&module, at, typed);
        items.extend(keywords());
        procedures_first(&text[..start], &mut items);
        items
    })
}

/// Puts procedures first behind `post` and `call`.
fn procedures_first(before: &str, items: &mut [CompletionItem]) {
    let word = &before[word_start(before, before.trim_end().len())..];
    if !matches!(word.trim_end(), "post" | "call") {
        return;
    }
    let rank = |item: &CompletionItem| u8::from(item.kind != Some(CompletionItemKind::FUNCTION));
    items.sort_by_key(rank);
    for item in items {
        item.sort_text = Some(format!("{}{}", rank(item), item.label));
    }
}

fn word_start(text: &str, offset: usize) -> usize {
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    text[..offset].trim_end_matches(word).len()
}

/// Checks whether an offset lies in a comment, or in a string that began in the same line.
fn in_comment_or_string(text: &str, offset: usize) -> bool {
    let line = text[..offset].rsplit('\n').next().unwrap_or("");
    let quotes = line.replace("\\\"", "").matches('"').count();
    let comment = line.contains("//") || {
        let before = &text[..offset];
        before
            .rfind("/*")
            .is_some_and(|open| !before[open..].contains("*/"))
    };
    comment || quotes % 2 == 1
}

/// Reads the text with a name at the cursor, in the form that leaves the fewest errors.
fn with_hole(origin: &Origin, text: &str, hidden: Range<usize>, behind_dot: bool) -> Module {
    let (before, behind) = (&text[..hidden.start], &text[hidden.end..]);
    let forms = if behind_dot {
        ["();", "", ";"]
    } else {
        ["", ";", " := 0;"]
    };
    let read = |form: &str| Module::read_from(origin, [before, HOLE, form, behind].concat().into());
    let mut best = read(forms[0]);
    for form in &forms[1..] {
        if !best.ast.broken {
            break;
        }
        let other = read(form);
        // A form that keeps the hole is better than one in which the hole is lost with its item.
        if !other.ast.broken || (hole(&best).is_none() && hole(&other).is_some()) {
            best = other;
        }
    }
    best
}

/// The hole, if the tree has it.
fn hole(module: &Module) -> Option<Span> {
    let mut names = module.index.occurrences.iter();
    let found = names.find(|o| module.slice(o.span) == HOLE)?;
    Some(found.span)
}

/// Fields or operations behind the dot before the hole.
fn members(module: &Module, start: u32, typed: &str) -> Vec<CompletionItem> {
    let Some(ty) = module.index.before_dot(start) else {
        return Vec::new();
    };
    let targets = module.view().behind_dot(ty);
    (targets.into_iter().map(|t| item(module, t, typed))).collect()
}

/// The names in scope; the inner ones hide the outer.
fn names(module: &Module, start: u32, typed: &str) -> Vec<CompletionItem> {
    let mut shown: FxHashSet<&str> = FxHashSet::default();
    let decls = module.index.decls.iter().zip(0..);
    let inside = |scope: Span| scope.start <= start && start <= scope.end;
    let mut known: Vec<(u32, DeclId)> = decls
        .filter_map(|(decl, id)| {
            let scope = decl.scope.filter(|&s| inside(s))?;
            Some((scope.end - scope.start, DeclId(id)))
        })
        .collect();
    known.sort_by_key(|&(size, id)| (size, std::cmp::Reverse(id)));
    let mut items = Vec::new();
    for (_, id) in known {
        let name = module.name(id);
        if name != HOLE && shown.insert(name) {
            items.push(item(module, Target::Here(id), typed));
        }
    }
    if let Some(library) = module.library() {
        let decls = library.index.decls.iter().zip(0..);
        let objects = decls.filter(|(d, _)| d.kind == Kind::Object);
        let ids = objects.map(|(_, id)| DeclId(id));
        let unhidden = ids.filter(|&id| !shown.contains(library.name(id)));
        items.extend(unhidden.map(|id| item(module, Target::Library(id), typed)));
    }
    items
}

/// A name with its declaration, in which the typed text stands for the hole.
fn item(module: &Module, target: Target, typed: &str) -> CompletionItem {
    let (home, id) = module.find(target);
    let kind = match home.index.decl(id).kind {
        Kind::Const => CompletionItemKind::CONSTANT,
        Kind::Type => CompletionItemKind::STRUCT,
        Kind::TypeParam => CompletionItemKind::TYPE_PARAMETER,
        Kind::Object => CompletionItemKind::CLASS,
        Kind::Field | Kind::State => CompletionItemKind::FIELD,
        Kind::Member => CompletionItemKind::ENUM_MEMBER,
        Kind::Proc => CompletionItemKind::FUNCTION,
        Kind::Op => CompletionItemKind::METHOD,
        Kind::Global
        | Kind::Param
        | Kind::ObjectParam
        | Kind::Var
        | Kind::Let
        | Kind::For
        | Kind::ClaimArg => CompletionItemKind::VARIABLE,
    };
    let text = declaration(home, id, module.view(), target).replace(HOLE, typed);
    let mut lines = text.lines();
    CompletionItem {
        label: home.name(id).to_owned(),
        kind: Some(kind),
        detail: lines.next().map(str::to_owned),
        documentation: lines.next().map(|_| Documentation::String(text.clone())),
        ..CompletionItem::default()
    }
}

fn keywords() -> impl Iterator<Item = CompletionItem> {
    Tok::words().map(|word| CompletionItem {
        label: word.to_owned(),
        kind: Some(CompletionItemKind::KEYWORD),
        ..CompletionItem::default()
    })
}
