//! Describes a name in a line of the language: its declaration, its type, its comments.

use lsp_types::{Hover, HoverContents, HoverParams, MarkupContent, MarkupKind};
use serde_json::Value;

use check::LIBRARIES;

use super::client::Answered;
use super::comments;
use super::server::{Server, write};
use names::{DeclId, Kind, Module, Target, View};

/// The name under the cursor.
pub fn hover(server: &mut Server, params: HoverParams) -> Answered {
    let at = params.text_document_position_params;
    let document = server.document(&at.text_document.uri)?;
    let (text, module) = (document.text.clone(), document.module());
    let Some(name) = module.index.at(text.offset32(at.position)) else {
        return Ok(Value::Null);
    };
    let Some(target) = name.target else {
        return Ok(Value::Null);
    };
    write(Hover {
        contents: HoverContents::Markup(MarkupContent {
            kind: MarkupKind::Markdown,
            value: describe(&module, target),
        }),
        range: Some(text.range(name.span)),
    })
}

/// A declaration in Markdown.
#[must_use]
pub fn describe(module: &Module, target: Target) -> String {
    let (home, id) = module.find(target);
    let mut out = format!(
        "```async\n{}\n```\n",
        declaration(home, id, module.view(), target)
    );
    let owner = home.index.decl(id).owner.map(|owner| home.name(owner));
    let what = match home.index.decl(id).kind {
        Kind::Field => "field",
        Kind::Member => "member",
        Kind::State => "state",
        Kind::ObjectParam | Kind::TypeParam => "parameter",
        Kind::Op => "operation",
        Kind::Proc => "procedure",
        _ => "",
    };
    if let Some(owner) = owner.filter(|_| !what.is_empty()) {
        out.push_str(&format!("\n{what} of `{owner}`\n"));
    }
    let comment = comments::of(home, home.index.decl(id));
    if !comment.is_empty() {
        out.push_str(&format!("\n{comment}\n"));
    }
    if matches!(target, Target::Library(_)) {
        let object = home.index.decl(id).owner.unwrap_or(id);
        let text = home.slice(home.index.decl(object).whole);
        let part = LIBRARIES.iter().find(|part| part.text.contains(text));
        let part = part.map_or("", |part| part.name);
        out.push_str(&format!("\n*library `{part}`*\n"));
    }
    out
}

/// A declaration in a line of the language (or a few, for types).
#[must_use]
pub fn declaration(home: &Module, id: DeclId, view: View<'_>, target: Target) -> String {
    let decl = home.index.decl(id);
    let name = home.name(id);
    let ty = view
        .show(&view.type_of(target))
        .map_or(String::new(), |ty| format!(": {ty}"));
    match decl.kind {
        Kind::Const | Kind::Type => shortened(home.slice(decl.whole).trim_end_matches(';')),
        Kind::Proc | Kind::Op => one_line(home.slice(decl.head)),
        Kind::Object => object(home, id, view, target),
        Kind::Global | Kind::State | Kind::Var => format!("var {name}{ty}"),
        Kind::Let => format!("let {name}{ty}"),
        Kind::For => format!("for {name}{ty}"),
        Kind::Member
        | Kind::Field
        | Kind::Param
        | Kind::ObjectParam
        | Kind::TypeParam
        | Kind::ClaimArg => {
            format!("{name}{ty}")
        }
    }
}

/// An object type: its parameters and what can be asked of it.
fn object(home: &Module, id: DeclId, view: View<'_>, target: Target) -> String {
    let decl = home.index.decl(id);
    let text = home.slice(decl.whole);
    let head = text.split('{').next().unwrap_or_default();
    let mut lines = vec![format!("{} {{", one_line(head))];
    let members = view.behind_dot(&view.type_of(target));
    lines.extend(members.into_iter().map(|member| {
        let member = match member {
            Target::Here(id) | Target::Library(id) => home.index.decl(id),
        };
        format!("  {};", one_line(home.slice(member.head)))
    }));
    lines.push("}".to_owned());
    lines.join("\n")
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The most lines of a type or a constant that are shown.
const LINES: usize = 20;
/// The most characters of a type or a constant that are shown.
const CHARACTERS: usize = 2_000;

fn shortened(text: &str) -> String {
    let short: String = text.chars().take(CHARACTERS).collect();
    let lines: Vec<&str> = short.lines().collect();
    let cut = lines.len() > LINES || short.len() < text.len();
    let shown = lines[..lines.len().min(LINES)].join("\n");
    if cut { shown + "\n…" } else { shown }
}
