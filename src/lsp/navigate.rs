//! From a name to its declaration, and to everywhere else where it stands.

use std::path::Path;

use lsp_types::{
    DocumentHighlight, DocumentHighlightKind, DocumentHighlightParams, GotoDefinitionParams,
    Location, Range, ReferenceParams, TextDocumentPositionParams, Uri,
};
use serde_json::{Value, json};

use base::source::Span;

use super::client::{Answered, Refusal};
use super::server::{Document, Server, write};
use super::text::Text;
use names::{Module, Target};

/// Where a name is declared, in this file or one that it uses. The declarations of the library stand in no file.
pub fn definition(server: &mut Server, params: GotoDefinitionParams) -> Answered {
    let at = params.text_document_position_params;
    let Some((module, Target::Here(id))) = under(server, &at)? else {
        return Ok(Value::Null);
    };
    let document = server.document(&at.text_document.uri)?;
    write(location(document, &module, module.index.decl(id).name))
}

/// Writes a place of the program for the client. Returns `None` for a file that no URI can name.
fn location(document: &Document, module: &Module, span: Span) -> Option<Location> {
    let Some((path, text, bytes)) = module.elsewhere(span) else {
        return Some(Location::new(
            document.uri.clone(),
            document.text.range(span),
        ));
    };
    let text = Text::new(text.to_owned());
    let range = Range::new(text.place(bytes.start), text.place(bytes.end));
    Some(Location::new(uri(&path)?, range))
}

/// The URI of a file.
fn uri(path: &Path) -> Option<Uri> {
    let mut text = String::from("file://");
    for &byte in path.to_str()?.as_bytes() {
        match byte {
            b'/' | b'-' | b'.' | b'_' | b'~' => text.push(byte.into()),
            _ if byte.is_ascii_alphanumeric() => text.push(byte.into()),
            _ => text.push_str(&format!("%{byte:02X}")),
        }
    }
    text.parse().ok()
}

/// Everywhere where a name stands, in this file and those that it uses.
pub fn references(server: &mut Server, params: ReferenceParams) -> Answered {
    let at = params.text_document_position;
    let Some((module, target)) = under(server, &at)? else {
        return Ok(json!([]));
    };
    let declared = match target {
        Target::Here(id) if !params.context.include_declaration => Some(module.index.decl(id).name),
        _ => None,
    };
    let document = server.document(&at.text_document.uri)?;
    let spans = uses(&module, target).filter(|&span| Some(span) != declared);
    let found = spans.filter_map(|span| location(document, &module, span));
    write(found.collect::<Vec<_>>())
}

/// Everywhere where a name stands in this file, for the editor to mark.
pub fn highlight(server: &mut Server, params: DocumentHighlightParams) -> Answered {
    let at = params.text_document_position_params;
    let Some((module, target)) = under(server, &at)? else {
        return Ok(json!([]));
    };
    let text = server.document(&at.text_document.uri)?.text.clone();
    let here = uses(&module, target).filter(|&span| module.is_own(span));
    let found = here.map(|span| DocumentHighlight {
        range: text.range(span),
        kind: Some(DocumentHighlightKind::TEXT),
    });
    write(found.collect::<Vec<_>>())
}

/// What the name under the cursor means.
fn under(
    server: &mut Server,
    at: &TextDocumentPositionParams,
) -> Result<Option<(std::sync::Arc<Module>, Target)>, Refusal> {
    let document = server.document(&at.text_document.uri)?;
    let offset = document.text.offset32(at.position);
    let module = document.module();
    let target = module.index.at(offset).and_then(|name| name.target);
    Ok(target.map(|target| (module, target)))
}

/// Returns all places where a declaration's name stands, with the declaration itself.
pub fn uses(module: &Module, target: Target) -> impl Iterator<Item = Span> {
    let all = module.index.occurrences.iter();
    all.filter(move |o| o.target == Some(target))
        .map(|o| o.span)
}
