//! The declarations of a file, as an outline.

use lsp_types::{DocumentSymbol, DocumentSymbolParams, Location, SymbolInformation, SymbolKind};

use base::source::Span;

use super::client::Answered;
use super::server::{Server, write};
use super::text::Text;
use names::{Decl, DeclId, Kind, Module, Ty};

/// Everything that stands outside of bodies.
pub fn symbols(server: &mut Server, params: DocumentSymbolParams) -> Answered {
    let nested = server.can.nested_symbols;
    let document = server.document(&params.text_document.uri)?;
    let (text, uri) = (document.text.clone(), document.uri.clone());
    let module = document.module();
    let tree = outline(&module, &text);
    if nested {
        return write(tree);
    }
    let mut flat = Vec::new();
    for symbol in tree {
        let children = symbol.children.clone().unwrap_or_default();
        let container = symbol.name.clone();
        flat.push(information(symbol, None, &uri));
        let inner = children.into_iter();
        flat.extend(inner.map(|s| information(s, Some(container.clone()), &uri)));
    }
    write(flat)
}

#[allow(
    deprecated,
    reason = "the field is required by the type and replaced by tags that we do not use"
)]
fn information(
    symbol: DocumentSymbol,
    container_name: Option<String>,
    uri: &lsp_types::Uri,
) -> SymbolInformation {
    SymbolInformation {
        name: symbol.name,
        kind: symbol.kind,
        tags: None,
        deprecated: None,
        location: Location::new(uri.clone(), symbol.selection_range),
        container_name,
    }
}

fn outline(module: &Module, text: &Text) -> Vec<DocumentSymbol> {
    let decls = || module.index.decls.iter().zip(0..);
    let mut children: Vec<Vec<DocumentSymbol>> = Vec::new();
    children.resize_with(module.index.decls.len(), Vec::new);
    let shown = |decl: &Decl| symbol_kind(decl.kind).is_some() && module.is_own(decl.whole);
    for (decl, id) in decls().filter(|(d, _)| d.owner.is_some() && shown(d)) {
        if let Some(owner) = decl.owner {
            children[owner.0 as usize].extend(symbol(module, text, DeclId(id), Vec::new()));
        }
    }
    let tops: Vec<DeclId> = decls()
        .filter(|(d, _)| d.owner.is_none() && shown(d) && d.scope.is_some())
        .map(|(_, id)| DeclId(id))
        .collect();
    let own = tops.into_iter().filter_map(|id| {
        let inner = std::mem::take(&mut children[id.0 as usize]);
        symbol(module, text, id, inner)
    });
    let mut all: Vec<DocumentSymbol> = own.collect();
    all.sort_by_key(|s| s.selection_range.start);
    all
}

fn symbol_kind(kind: Kind) -> Option<SymbolKind> {
    Some(match kind {
        Kind::Const => SymbolKind::CONSTANT,
        Kind::Type => SymbolKind::STRUCT,
        Kind::Field | Kind::State => SymbolKind::FIELD,
        Kind::Member => SymbolKind::ENUM_MEMBER,
        Kind::Global => SymbolKind::VARIABLE,
        Kind::Proc => SymbolKind::FUNCTION,
        Kind::Object => SymbolKind::CLASS,
        Kind::ObjectParam => SymbolKind::PROPERTY,
        Kind::TypeParam => SymbolKind::TYPE_PARAMETER,
        Kind::Op => SymbolKind::METHOD,
        Kind::Param | Kind::Var | Kind::Let | Kind::For | Kind::ClaimArg => return None,
    })
}

#[allow(
    deprecated,
    reason = "the field is required by the type and replaced by tags that we do not use"
)]
fn symbol(
    module: &Module,
    text: &Text,
    id: DeclId,
    children: Vec<DocumentSymbol>,
) -> Option<DocumentSymbol> {
    let decl = module.index.decl(id);
    let typed = matches!(
        decl.kind,
        Kind::Global | Kind::State | Kind::Field | Kind::ObjectParam | Kind::Proc | Kind::Op
    );
    let ty = Some(&decl.ty).filter(|ty| typed && **ty != Ty::Unknown);
    // `var x, y: T;` is one declaration of two symbols.
    let whole: Span = decl.whole.to(decl.name);
    Some(DocumentSymbol {
        name: module.name(id).to_owned(),
        detail: ty.and_then(|ty| module.view().show(ty)),
        kind: symbol_kind(decl.kind)?,
        tags: None,
        deprecated: None,
        range: text.range(whole),
        selection_range: text.range(decl.name),
        children: (!children.is_empty()).then_some(children),
    })
}
