//! The abilities of the server, and its offers for a file: to format it, to verify it.

use std::collections::HashMap;

use lsp_server::{ErrorCode, RequestId};
use lsp_types::{
    CodeAction, CodeActionKind, CodeActionOptions, CodeActionOrCommand, CodeActionParams,
    CodeActionProviderCapability, CodeLensOptions, Command, CompletionOptions,
    DocumentFormattingParams, ExecuteCommandOptions, ExecuteCommandParams,
    FoldingRangeProviderCapability, HoverProviderCapability, OneOf, Position, Range, RenameOptions,
    ServerCapabilities, SignatureHelpOptions, TextDocumentSyncCapability, TextDocumentSyncKind,
    TextDocumentSyncOptions, TextDocumentSyncSaveOptions, TextEdit, Uri, WorkspaceEdit,
};
use serde_json::{Value, json};

use ast::print;
use base::diagnostic::Fix;

use super::client::{Answered, Cancel, Refusal};
use super::semantic;
use super::server::{Document, Server, read, write};
use super::text::Text;
use super::verify::{self, Engine, Question};

/// Verifies within the delay budget.
pub const VERIFY: &str = "dbverify.verify";
pub const EXPLORE: &str = "dbverify.explore";
/// Proves without bounds.
pub const PROVE: &str = "dbverify.prove";
/// Gives the last answer for a file again.
pub const TRACE: &str = "dbverify.trace";

/// The abilities of the server.
#[must_use]
pub fn capabilities() -> ServerCapabilities {
    let sync = TextDocumentSyncOptions {
        open_close: Some(true),
        change: Some(TextDocumentSyncKind::INCREMENTAL),
        save: Some(TextDocumentSyncSaveOptions::Supported(true)),
        ..TextDocumentSyncOptions::default()
    };
    ServerCapabilities {
        text_document_sync: Some(TextDocumentSyncCapability::Options(sync)),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        definition_provider: Some(OneOf::Left(true)),
        references_provider: Some(OneOf::Left(true)),
        document_highlight_provider: Some(OneOf::Left(true)),
        document_symbol_provider: Some(OneOf::Left(true)),
        document_formatting_provider: Some(OneOf::Left(true)),
        rename_provider: Some(OneOf::Right(RenameOptions {
            prepare_provider: Some(true),
            work_done_progress_options: lsp_types::WorkDoneProgressOptions::default(),
        })),
        completion_provider: Some(CompletionOptions {
            trigger_characters: Some(vec![".".to_owned()]),
            ..CompletionOptions::default()
        }),
        code_action_provider: Some(CodeActionProviderCapability::Options(CodeActionOptions {
            code_action_kinds: Some(vec![CodeActionKind::QUICKFIX, CodeActionKind::SOURCE]),
            ..CodeActionOptions::default()
        })),
        code_lens_provider: Some(CodeLensOptions {
            resolve_provider: Some(false),
        }),
        folding_range_provider: Some(FoldingRangeProviderCapability::Simple(true)),
        semantic_tokens_provider: Some(semantic::capability()),
        signature_help_provider: Some(SignatureHelpOptions {
            trigger_characters: Some(vec!["(".to_owned(), ",".to_owned()]),
            ..SignatureHelpOptions::default()
        }),
        execute_command_provider: Some(ExecuteCommandOptions {
            commands: [VERIFY, EXPLORE, PROVE, TRACE].map(str::to_owned).to_vec(),
            work_done_progress_options: lsp_types::WorkDoneProgressOptions {
                work_done_progress: Some(true),
            },
        }),
        ..ServerCapabilities::default()
    }
}

/// Returns the fixes for a part of a file, and the offers to verify it, which are there everywhere.
pub fn code_actions(server: &mut Server, params: CodeActionParams) -> Answered {
    let uri = params.text_document.uri;
    let wanted = |kind: &CodeActionKind| {
        let only = params.context.only.as_ref();
        only.is_none_or(|only| only.iter().any(|o| is_part(kind.as_str(), o.as_str())))
    };
    let literal = server.can.action_literals;
    let document = server.document(&uri)?;
    let mut actions = Vec::new();
    if literal && wanted(&CodeActionKind::QUICKFIX) {
        actions.extend(fixes(document, params.range));
    }
    if wanted(&CodeActionKind::SOURCE) {
        let offers = offers(server, &uri).into_iter();
        actions.extend(offers.map(|command| offer(command, literal)));
    }
    write(actions)
}

/// The commands that ask something about a file.
pub fn offers(server: &Server, uri: &Uri) -> Vec<Command> {
    let delays = &server.settings.delays;
    let plural = if delays == "1" { "" } else { "s" };
    let offers = [
        (format!("Verify this file ({delays} delay{plural})"), VERIFY),
        ("Explore every schedule of this file".to_owned(), EXPLORE),
        ("Prove this file without bounds".to_owned(), PROVE),
    ];
    let command = |(title, command): (String, &str)| {
        Command::new(title, command.to_owned(), Some(vec![json!(uri.as_str())]))
    };
    offers.into_iter().map(command).collect()
}

/// The changes that mend what is wrong in a part of the text.
#[allow(
    clippy::mutable_key_type,
    reason = "the protocol's type has URIs as keys, and nobody changes one"
)]
fn fixes(document: &Document, part: Range) -> Vec<CodeActionOrCommand> {
    let text = &document.text;
    let touches = |fix: &Fix| {
        let range = text.range(fix.span);
        range.start <= part.end && part.start <= range.end
    };
    let near = document.fixes.iter().filter(|fix| touches(fix));
    let action = |fix: &Fix| {
        let edit = TextEdit {
            range: text.range(fix.span),
            new_text: fix.text.clone(),
        };
        let changes = HashMap::from([(document.uri.clone(), vec![edit])]);
        CodeActionOrCommand::CodeAction(CodeAction {
            title: format!("Change to `{}`", fix.text),
            kind: Some(CodeActionKind::QUICKFIX),
            is_preferred: Some(true),
            edit: Some(WorkspaceEdit::new(changes)),
            ..CodeAction::default()
        })
    };
    near.map(action).collect()
}

/// Whether a kind of action is another one or a part of it: `source.fixAll` of `source`.
fn is_part(kind: &str, of: &str) -> bool {
    let rest = kind.strip_prefix(of);
    of.is_empty() || rest.is_some_and(|r| r.is_empty() || r.starts_with('.'))
}

fn offer(command: Command, literal: bool) -> CodeActionOrCommand {
    if !literal {
        return CodeActionOrCommand::Command(command);
    }
    CodeActionOrCommand::CodeAction(CodeAction {
        title: command.title.clone(),
        kind: Some(CodeActionKind::SOURCE),
        command: Some(command),
        ..CodeAction::default()
    })
}

/// Runs a command. A verification answers its request itself, when it is done.
pub fn execute(
    server: &mut Server,
    id: &RequestId,
    params: Value,
    cancel: Cancel,
) -> Result<Option<Value>, Refusal> {
    let params: ExecuteCommandParams = read(params)?;
    let uri = || -> Result<Uri, Refusal> {
        let first = params.arguments.first();
        let text = first.and_then(|a| a.as_str().or_else(|| a["uri"].as_str()));
        text.and_then(|t| t.parse().ok()).ok_or_else(|| {
            let message = "the first argument of the command must be a file's URI";
            Refusal::new(ErrorCode::InvalidParams, message)
        })
    };
    let engine = match params.command.as_str() {
        VERIFY => Engine::Verify,
        EXPLORE => Engine::Explore,
        PROVE => Engine::Prove,
        TRACE => return server.last_answer(&uri()?).map(Some),
        other => {
            let message = format!("there is no command `{other}`");
            return Err(Refusal::new(ErrorCode::InvalidParams, message));
        }
    };
    let (uri, related) = (uri()?, server.can.related);
    let (text, revision) = {
        let document = server.document(&uri)?;
        if let Some(refusal) = &document.refusal {
            let message = format!("not verified: {}", refusal.message);
            return Err(Refusal::failed(message));
        }
        (document.text.clone(), document.revision)
    };
    let token = params.work_done_progress_params.work_done_token;
    let question = Question {
        id: id.clone(),
        uri,
        text,
        revision,
        related,
        engine,
        settings: server.settings_with(params.arguments.first().unwrap_or(&Value::Null)),
        token: token.and_then(|t| serde_json::to_value(t).ok()),
        cancel,
    };
    verify::start(server, question);
    Ok(None)
}

/// The standard format, as a change of what differs. A text with errors stays as it is.
pub fn format(server: &mut Server, params: DocumentFormattingParams) -> Answered {
    let document = server.document(&params.text_document.uri)?;
    let Some(old) = document.model() else {
        return Ok(Value::Null);
    };
    match print::format(&old.text, 0) {
        Ok(new) => write(difference(old, &new).map_or(Vec::new(), |edit| vec![edit])),
        Err(_) => Ok(Value::Null),
    }
}

/// The lines between the first and the last that differ, so that a cursor elsewhere stays where it is.
fn difference(old: &Text, new: &str) -> Option<TextEdit> {
    if *old.text == *new {
        return None;
    }
    let lines =
        |text: &str| -> Vec<String> { text.split_inclusive('\n').map(str::to_owned).collect() };
    let (before, after) = (lines(&old.text), lines(new));
    let same = |pairs: &mut dyn Iterator<Item = (&String, &String)>| {
        pairs.take_while(|(a, b)| a == b).count()
    };
    let head = same(&mut before.iter().zip(&after));
    let tail = same(&mut before[head..].iter().rev().zip(after[head..].iter().rev()));
    let offset = |lines: &[String]| lines.iter().map(String::len).sum::<usize>();
    let place = |count: usize| -> Position { old.place(offset(&before[..count])) };
    Some(TextEdit {
        range: Range::new(place(head), place(before.len() - tail)),
        new_text: after[head..after.len() - tail].concat(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_applied_is_the_new_text() {
        let texts = [
            "", "a", "a\n", "a\nb\n", "b\n", "a\nb\nc", "a\nx\nc", "a\na\n", "ä\r\nb",
        ];
        for old in texts {
            for new in texts {
                let text = Text::new(old);
                let Some(edit) = difference(&text, new) else {
                    assert_eq!(old, new);
                    continue;
                };
                let (start, end) = (text.offset(edit.range.start), text.offset(edit.range.end));
                let applied = [&old[..start], &edit.new_text, &old[end..]].concat();
                assert_eq!(applied, new, "{old:?}");
            }
        }
    }

    #[test]
    fn kinds_have_parts() {
        assert!(
            is_part("source", "source") && is_part("source.x", "source") && is_part("source", "")
        );
        assert!(!is_part("source", "quickfix") && !is_part("sourcery", "source"));
    }
}
