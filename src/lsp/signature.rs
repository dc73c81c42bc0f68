//! The parameters of a call, shown while its arguments are written.

use logos::Logos;
use lsp_types::{
    ParameterInformation, ParameterLabel, SignatureHelp, SignatureHelpParams, SignatureInformation,
};
use serde_json::Value;

use ast::token::Tok;

use super::client::Answered;
use super::hover::declaration;
use super::server::{Server, write};
use names::{DeclId, Kind, Module, Target};

/// The signature of the innermost call around the cursor.
pub fn help(server: &mut Server, params: SignatureHelpParams) -> Answered {
    let at = params.text_document_position_params;
    let document = server.document(&at.text_document.uri)?;
    if document.model().is_none() {
        return Ok(Value::Null);
    }
    let (text, module) = (document.text.clone(), document.module());
    let Some(call) = call_around(&text.text[..text.offset(at.position)]) else {
        return Ok(Value::Null);
    };
    let Some(target) = called(&module, &call) else {
        return Ok(Value::Null);
    };
    write(signature(&module, target, call.argument))
}

/// A call that is being written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Call<'t> {
    name: &'t str,
    /// Where its name begins.
    start: usize,
    /// Which of its arguments is being written.
    argument: u32,
}

/// The innermost call whose parenthesis is open at the end of a text.
fn call_around(text: &str) -> Option<Call<'_>> {
    // For each open bracket: the call that it belongs to, if there is one.
    let mut open: Vec<Option<Call<'_>>> = Vec::new();
    let mut before: Option<(usize, &str)> = None;
    for (token, range) in Tok::lexer(text).spanned() {
        let Ok(token) = token else { continue };
        match token {
            Tok::LineComment | Tok::BlockComment => continue,
            Tok::LParen => open.push(before.map(|(start, name)| Call {
                name,
                start,
                argument: 0,
            })),
            Tok::Comma => {
                if let Some(Some(call)) = open.last_mut() {
                    call.argument += 1;
                }
            }
            // A call does not go on across the end of a statement.
            Tok::Semi => open.clear(),
            token if token.opens() => open.push(None),
            token if token.closes() => drop(open.pop()),
            _ => {}
        }
        before = token.is_name().then(|| (range.start, &text[range]));
    }
    open.into_iter().rev().flatten().next()
}

/// Returns what is called: what the name means, or, if that is not known, the first declaration with that name.
fn called(module: &Module, call: &Call<'_>) -> Option<Target> {
    let start = u32::try_from(call.start).ok()?;
    let known = module.index.at(start).filter(|o| o.span.start == start);
    let target = known.and_then(|o| o.target).or_else(|| {
        let mut all = (0..).zip(&module.index.decls);
        let found = all.find(|(_, decl)| has_name(module, decl, call.name));
        found.map(|(id, _)| Target::Here(DeclId(id)))
    })?;
    let (home, id) = module.find(target);
    let kind = home.index.decl(id).kind;
    matches!(kind, Kind::Proc | Kind::Op | Kind::Object).then_some(target)
}

fn has_name(module: &Module, decl: &names::Decl, name: &str) -> bool {
    matches!(decl.kind, Kind::Proc | Kind::Op) && module.slice(decl.name) == name
}

fn signature(module: &Module, target: Target, argument: u32) -> SignatureHelp {
    let (home, id) = module.find(target);
    let fields = home.ast.fields(home.index.decl(id).params).iter();
    let parameters = fields.map(|field| ParameterInformation {
        label: ParameterLabel::Simple(home.slice(field.name.span).to_owned()),
        documentation: None,
    });
    SignatureHelp {
        signatures: vec![SignatureInformation {
            label: declaration(home, id, module.view(), target),
            documentation: None,
            parameters: Some(parameters.collect()),
            active_parameter: Some(argument),
        }],
        active_signature: Some(0),
        active_parameter: Some(argument),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_innermost_open_call_is_found() {
        let found = |text: &'static str| call_around(text).map(|c| (c.name, c.argument));
        assert_eq!(found("post add("), Some(("add", 0)));
        assert_eq!(found("post add(1, f[2, 3], "), Some(("add", 2)));
        assert_eq!(
            found("call x := m.lock( /* , */ (1 + 2)"),
            Some(("lock", 0))
        );
        assert_eq!(found("post add(1);"), None);
        assert_eq!(found("post add(1"), Some(("add", 0)));
        assert_eq!(found("post add(1; x := ("), None);
        assert_eq!(found("x := (1 + "), None);
    }
}
