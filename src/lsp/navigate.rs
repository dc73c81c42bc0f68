//! From a name to its declaration, and to everywhere else where it stands.

use lsp_types::{
    DocumentHighlight, DocumentHighlightKind, DocumentHighlightParams, GotoDefinitionParams,
    Location, ReferenceParams, TextDocumentPositionParams,
};
use serde_json::{Value, json};

use crate::source::Span;

use super::client::{Answered, Refusal};
use super::names::{Module, Target};
use super::server::{Server, write};

/// Where a name is declared. What the library declares stands in no file.
pub fn definition(server: &mut Server, params: GotoDefinitionParams) -> Answered {
    let at = params.text_document_position_params;
    let Some((module, Target::Here(id))) = under(server, &at)? else {
        return Ok(Value::Null);
    };
    let span = module.index.decl(id).name;
    let document = server.document(&at.text_document.uri)?;
    write(Location::new(
        document.uri.clone(),
        document.text.range(span),
    ))
}

/// Everywhere where a name stands.
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
    let found = spans.map(|s| Location::new(document.uri.clone(), document.text.range(s)));
    write(found.collect::<Vec<_>>())
}

/// The same in the file at hand, to be marked.
pub fn highlight(server: &mut Server, params: DocumentHighlightParams) -> Answered {
    let at = params.text_document_position_params;
    let Some((module, target)) = under(server, &at)? else {
        return Ok(json!([]));
    };
    let text = server.document(&at.text_document.uri)?.text.clone();
    let found = uses(&module, target).map(|span| DocumentHighlight {
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

/// Where a declaration's name stands, itself included.
pub fn uses(module: &Module, target: Target) -> impl Iterator<Item = Span> {
    let all = module.index.occurrences.iter();
    all.filter(move |o| o.target == Some(target))
        .map(|o| o.span)
}
