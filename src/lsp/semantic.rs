//! The kinds of names, for an editor's colours: a grammar cannot tell a constant from a variable.

use lsp_types::{
    SemanticToken, SemanticTokenModifier, SemanticTokenType, SemanticTokens,
    SemanticTokensFullOptions, SemanticTokensLegend, SemanticTokensOptions, SemanticTokensParams,
    SemanticTokensServerCapabilities,
};

use super::client::Answered;
use super::server::{Server, write};
use super::text::Text;
use names::{Kind, Module, Occurrence, Target};

const TYPES: [SemanticTokenType; 8] = [
    SemanticTokenType::VARIABLE,
    SemanticTokenType::TYPE,
    SemanticTokenType::PROPERTY,
    SemanticTokenType::ENUM_MEMBER,
    SemanticTokenType::FUNCTION,
    SemanticTokenType::CLASS,
    SemanticTokenType::METHOD,
    SemanticTokenType::PARAMETER,
];

const MODIFIERS: [SemanticTokenModifier; 3] = [
    SemanticTokenModifier::DECLARATION,
    SemanticTokenModifier::READONLY,
    SemanticTokenModifier::DEFAULT_LIBRARY,
];

/// Tells the client what the numbers in an answer mean.
#[must_use]
pub fn capability() -> SemanticTokensServerCapabilities {
    SemanticTokensServerCapabilities::SemanticTokensOptions(SemanticTokensOptions {
        legend: SemanticTokensLegend {
            token_types: TYPES.to_vec(),
            token_modifiers: MODIFIERS.to_vec(),
        },
        full: Some(SemanticTokensFullOptions::Bool(true)),
        ..SemanticTokensOptions::default()
    })
}

/// Returns a token for each name of a text whose meaning is known.
pub fn tokens(server: &mut Server, params: SemanticTokensParams) -> Answered {
    let document = server.document(&params.text_document.uri)?;
    let (text, module) = (document.text.clone(), document.module());
    write(SemanticTokens {
        result_id: None,
        data: encoded(&module, &text),
    })
}

/// Writes each token by its distance from the one before.
fn encoded(module: &Module, text: &Text) -> Vec<SemanticToken> {
    let mut last = text.place(0);
    let mut all = Vec::new();
    let own = module.index.occurrences.iter();
    for name in own.take_while(|name| module.is_own(name.span)) {
        let Some((token_type, token_modifiers_bitset)) = meaning(module, *name) else {
            continue;
        };
        let range = text.range(name.span);
        let (start, end) = (range.start, range.end);
        // Names do not overlap, except in a tree that the parser has mended.
        if start.line != end.line || start < last {
            continue;
        }
        let delta_line = start.line - last.line;
        let before = if delta_line == 0 { last.character } else { 0 };
        all.push(SemanticToken {
            delta_line,
            delta_start: start.character - before,
            length: end.character - start.character,
            token_type,
            token_modifiers_bitset,
        });
        last = start;
    }
    all
}

/// The type of a token, as a place in [`TYPES`], and its modifiers, a bit for each of [`MODIFIERS`].
fn meaning(module: &Module, name: Occurrence) -> Option<(u32, u32)> {
    let target = name.target?;
    let (home, id) = module.find(target);
    let decl = home.index.decl(id);
    let (kind, readonly) = match decl.kind {
        Kind::Global | Kind::Var => (0, false),
        Kind::Const | Kind::Let | Kind::For => (0, true),
        Kind::Type | Kind::TypeParam => (1, false),
        Kind::Field | Kind::State => (2, false),
        Kind::Member => (3, true),
        Kind::Proc if decl.owner.is_none() => (4, false),
        Kind::Object => (5, false),
        Kind::Proc | Kind::Op => (6, false),
        Kind::Param | Kind::ObjectParam | Kind::ClaimArg => (7, false),
    };
    let library = matches!(target, Target::Library(_));
    let declared = !library && decl.name == name.span;
    let bits = u32::from(declared) | u32::from(readonly) << 1 | u32::from(library) << 2;
    Some((kind, bits))
}
