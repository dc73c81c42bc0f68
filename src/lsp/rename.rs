//! Renaming: everywhere or not at all.
//!
//! A new name may clash with another one, hide it or be hidden. The server does not guess whether it does: it renames the text
//! and reads it again, and every name in it must mean what it meant before.

use std::collections::HashMap;

use lsp_types::{
    PrepareRenameResponse, RenameParams, TextDocumentPositionParams, TextEdit, Uri, WorkspaceEdit,
};

use ast::token::Tok;
use base::diagnostic::{Diagnostic, Severity};
use base::source::{SourceMap, Span};

use super::checker;
use super::client::{Answered, Refusal};
use super::navigate::uses;
use super::server::{Server, write};
use names::{Decl, Kind, Module, Occurrence, Target};

/// Whether the name under the cursor can be renamed, and where it stands.
pub fn prepare(server: &mut Server, at: TextDocumentPositionParams) -> Answered {
    let document = server.document(&at.text_document.uri)?;
    let offset = document.text.offset32(at.position);
    let (text, module) = (document.text.clone(), document.module());
    let (name, _) = renamable(&module, offset)?;
    write(PrepareRenameResponse::RangeWithPlaceholder {
        range: text.range(name.span),
        placeholder: module.slice(name.span).to_owned(),
    })
}

/// Returns the changes that rename the name under the cursor.
#[allow(
    clippy::mutable_key_type,
    reason = "the protocol's own type; a URI's cell is a cache of its parts"
)]
pub fn rename(server: &mut Server, params: RenameParams) -> Answered {
    let at = params.text_document_position;
    let document = server.document(&at.text_document.uri)?;
    let offset = document.text.offset32(at.position);
    let (text, module) = (document.text.clone(), document.module());
    let spans = renamed(&module, offset, &params.new_name)?;
    let edit = |&span: &Span| TextEdit::new(text.range(span), params.new_name.clone());
    let edits = spans.iter().map(edit).collect();
    let changes: HashMap<Uri, Vec<TextEdit>> = HashMap::from([(document.uri.clone(), edits)]);
    write(WorkspaceEdit::new(changes))
}

fn renamable(module: &Module, offset: u32) -> Result<(Occurrence, Target), Refusal> {
    let nothing = || Refusal::failed("there is no name here");
    let name = module.index.at(offset).ok_or_else(nothing)?;
    match name.target {
        Some(target @ Target::Here(_)) => Ok((name, target)),
        Some(Target::Library(_)) => Err(Refusal::failed(format!(
            "`{}` is declared in the library, which cannot be changed",
            module.slice(name.span)
        ))),
        None => Err(Refusal::failed(format!(
            "nothing named `{}` is known here",
            module.slice(name.span)
        ))),
    }
}

/// The places of a name that can be renamed.
///
/// # Errors
/// When it cannot, with the reason in words.
pub fn renamed(module: &Module, offset: u32, new: &str) -> Result<Vec<Span>, Refusal> {
    let (name, target) = renamable(module, offset)?;
    let old = module.slice(name.span);
    is_name(new)?;
    if module.ast.broken {
        return Err(Refusal::failed(
            "the file has syntax errors: a use that cannot be read could be missed",
        ));
    }
    if old == new {
        return Ok(Vec::new());
    }
    refuse_unknown(module, target, old)?;
    let spans: Vec<Span> = uses(module, target).collect();
    refuse_other_files(module, target, &spans, old)?;
    let text = replaced(module.own_text(), &spans, new);
    let after = module.again(&text);
    compare(module, &after, new)?;
    refuse_new_errors(module, &text, new)?;
    Ok(spans)
}

/// Refuses a name that other files may share: it is not known which other files use a file.
fn refuse_other_files(
    module: &Module,
    target: Target,
    spans: &[Span],
    old: &str,
) -> Result<(), Refusal> {
    if let Some((path, ..)) = spans.iter().find_map(|&span| module.elsewhere(span)) {
        let file = path.display();
        let message = format!("`{old}` stands in `{file}` too, which other programs may use");
        return Err(Refusal::failed(message));
    }
    let (_, id) = module.find(target);
    if module.main().is_some() || module.index.decl(id).kind.is_local() {
        return Ok(());
    }
    Err(Refusal::failed(format!(
        "this file has no `main`: other files may use it, and `{old}`"
    )))
}

/// Refuses a new name that is no name, or that is a word of the language.
fn is_name(new: &str) -> Result<(), Refusal> {
    let short: String = new.chars().take(40).collect();
    if new == "self" || Tok::of(new).is_keyword() {
        let message = format!("`{short}` is a word of the language");
        return Err(Refusal::failed(message));
    }
    let letters = new.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_');
    let begins = new.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    if letters && begins && new != "_" {
        return Ok(());
    }
    Err(Refusal::failed(format!(
        "`{short}` is no name: names are made of the letters a to z, digits and `_`"
    )))
}

/// Refuses the name of a field or operation if a use of the same name has no known meaning: it could mean this one.
fn refuse_unknown(module: &Module, target: Target, old: &str) -> Result<(), Refusal> {
    let (_, id) = module.find(target);
    let behind_dot = |d: &Decl| matches!(d.kind, Kind::Field | Kind::Op | Kind::Proc);
    if !behind_dot(module.index.decl(id)) {
        return Ok(());
    }
    let mut names = module.index.occurrences.iter();
    match names.find(|o| o.target.is_none() && module.slice(o.span) == old) {
        None => Ok(()),
        Some(unknown) => Err(Refusal::failed(format!(
            "it is not known what `{old}` in line {} means",
            line(&module.text, unknown.span)
        ))),
    }
}

fn line(text: &str, span: Span) -> usize {
    line_at(text, span.start as usize)
}

fn line_at(text: &str, offset: usize) -> usize {
    let before = text.get(..offset).unwrap_or("");
    1 + before.matches('\n').count()
}

/// A line of the text or of another file, in words.
fn place(module: &Module, span: Span) -> String {
    match module.elsewhere(span) {
        Some((path, text, bytes)) => {
            let number = line_at(text, bytes.start);
            format!("line {number} of {}", path.display())
        }
        None => format!("line {}", line(&module.text, span)),
    }
}

fn replaced(text: &str, spans: &[Span], new: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut done = 0;
    for span in spans {
        out.push_str(&text[done..span.start as usize]);
        out.push_str(new);
        done = span.end as usize;
    }
    out + &text[done..]
}

/// Refuses if a name no longer means the same declaration, by its number.
fn compare(before: &Module, after: &Module, new: &str) -> Result<(), Refusal> {
    let (old, now) = (&before.index, &after.index);
    let pairs = old.occurrences.iter().zip(&now.occurrences);
    let mut changed = pairs.filter(|(a, b)| a.target != b.target);
    if let Some((was, is)) = changed.next() {
        let at = line(&before.text, was.span);
        return Err(Refusal::failed(match is.target {
            Some(Target::Here(id)) => format!(
                "`{new}` in line {at} would then mean what {} declares",
                place(after, now.decl(id).name)
            ),
            _ => format!("`{new}` in line {at} would then mean something else"),
        }));
    }
    if old.occurrences.len() != now.occurrences.len() || old.decls.len() != now.decls.len() {
        return Err(Refusal::failed(format!(
            "`{new}` would change how the file is read"
        )));
    }
    Ok(())
}

/// Refuses if the checker finds new errors: two equal names in one block, types that are no longer the same.
fn refuse_new_errors(module: &Module, text: &str, new: &str) -> Result<(), Refusal> {
    let errors = |text: &str| -> Vec<Diagnostic> {
        let all = checker::check(module.origin(), text).into_iter();
        all.filter(|d| d.severity == Severity::Error).collect()
    };
    let after = errors(text);
    if after.is_empty() {
        return Ok(());
    }
    let before = errors(module.own_text());
    if after.len() <= before.len() {
        return Ok(());
    }
    let codes: Vec<&str> = before.iter().map(|d| d.code).collect();
    let fresh = after
        .iter()
        .find(|d| !codes.contains(&d.code))
        .or(after.first());
    let mut sources = SourceMap::new();
    drop(sources.add(module.origin().name.as_str(), text));
    let place = fresh.and_then(|d| d.span).map_or(0, |s| sources.line(s));
    let said = fresh.map_or("", |d| d.message.as_str());
    Err(Refusal::failed(format!(
        "`{new}` cannot be used here: line {place}: {said}"
    )))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use check::CheckOptions;

    use base::stack::on_big_stack;
    use options::{ExploreOptions, Limits};
    use symbolic::explore;
    use testing::examples;

    /// Gives everything in a text a new name. Returns the text, and the old names by the numbers in the new ones.
    fn all_renamed(text: &str) -> (String, Vec<String>) {
        let mut text = text.to_owned();
        let mut old = Vec::new();
        loop {
            let module = Module::read(text.as_str().into());
            let mut names = module.index.decls.iter().map(|d| (d, module.slice(d.name)));
            let next = names.find(|(_, n)| !n.starts_with("zz_") && *n != "main");
            let Some((decl, name)) = next else {
                return (text, old);
            };
            let new = format!("zz_{}_", old.len());
            let spans = renamed(&module, decl.name.start, &new);
            let spans = spans.unwrap_or_else(|r| panic!("{name}: {}", r.message));
            old.push(name.to_owned());
            text = replaced(&module.text, &spans, &new);
        }
    }

    /// Removes the numbers that tell locals of one name apart.
    fn unnumbered(program: &str) -> String {
        let digits = |part: &str| {
            part.trim_start_matches(|c: char| c.is_ascii_digit())
                .to_owned()
        };
        program.split('#').map(digits).collect()
    }

    #[test]
    fn programs_in_which_everything_is_renamed_are_the_same_programs() {
        let program = |text: &str| {
            let compiled = compile::compile("it", text, &CheckOptions::default());
            let program = compiled
                .program
                .unwrap_or_else(|| panic!("{:?}", compiled.diagnostics));
            program.to_string()
        };
        for (file, text) in examples() {
            let (other, old) = on_big_stack(|| all_renamed(&text));
            let mut shown = program(&other);
            for (number, name) in old.iter().enumerate() {
                shown = shown.replace(&format!("zz_{number}_"), name);
            }
            assert_eq!(unnumbered(&shown), unnumbered(&program(&text)), "{file}");
        }
    }

    /// The answer of the explicit engine, figures included.
    fn explored(text: &str) -> Option<String> {
        let compiled = compile::compile("it", text, &CheckOptions::default());
        let options = ExploreOptions {
            max_steps: 2_000,
            limits: Limits {
                timeout: Duration::from_secs(5),
                ..Limits::default()
            },
            ..ExploreOptions::default()
        };
        let program = compiled.program.expect("what is renamed still checks");
        let mut answer = explore(&program, &options);
        if !answer.is_settled() {
            return None;
        }
        answer.took(Duration::ZERO);
        Some(format!("{:?} {:?}", answer.verdict, answer.stats))
    }

    #[test]
    fn names_that_exist_are_given_again_only_where_that_changes_nothing() {
        let mut random = fastrand::Rng::with_seed(3);
        let mut accepted = 0;
        for (file, text) in examples().into_iter().step_by(5) {
            let Some(found) = explored(&text) else {
                continue;
            };
            let module = on_big_stack(|| Module::read(text.as_str().into()));
            let decls = &module.index.decls;
            for _ in 0..12 {
                let one = &decls[random.usize(..decls.len())];
                let other = &decls[random.usize(..decls.len())];
                let (old, new) = (module.slice(one.name), module.slice(other.name));
                let spans = on_big_stack(|| renamed(&module, one.name.start, new));
                if let Ok(spans) = spans
                    && old != new
                {
                    let other = replaced(&text, &spans, new);
                    // A busy machine may find nothing in time.
                    let now = explored(&other).unwrap_or_else(|| found.clone());
                    assert_eq!(now, found, "{file}: {old} to {new}");
                    accepted += 1;
                }
            }
        }
        assert!(accepted > 20, "{accepted}");
    }
}
