//! Advice about statements.

use super::advice::{Edit, Finding, complain, made, replace, skip};
use super::site::Site;
use crate::builder::word_hint;
use crate::token::Tok;
use base::diagnostic::Diagnostic;

/// `Mutex m;`
pub(super) fn object_before_name(site: &Site<'_>) -> Option<Finding> {
    let named =
        site.at == site.start + 1 && site.found()?.is_name() && site.before(1)? == Tok::Ident;
    let ends = matches!(site.after(1), Some(Tok::Semi | Tok::Assign | Tok::Equals));
    if !named || !ends || site.begins_line(site.at) || word_hint(site.word(site.start)).is_some() {
        return None;
    }
    let (ty, name) = (site.word(site.start), site.word(site.at));
    let diagnostic = Diagnostic::error(
        "syntax",
        site.span(site.start),
        "a declaration begins with `var`",
    )
    .label("the type comes after the name")
    .note(format!("write `var {name}: {ty}`"));
    let tokens = site.tokens();
    let at = site.behind(site.start);
    let colon = made(site.behind(site.at + 1), &[Tok::Colon]);
    let with = [
        made(at, &[Tok::Var]),
        vec![tokens[site.at]],
        colon,
        vec![tokens[site.start]],
    ]
    .concat();
    Some(Finding {
        diagnostic,
        edit: Edit {
            range: site.start..site.at + 1,
            with,
        },
    })
}

/// `elif x {`, `do { … }`, `switch x { … }`, `spawn p();`
pub(super) fn foreign_word(site: &Site<'_>) -> Option<Finding> {
    let first = site.start;
    if site.tok(first) != Some(Tok::Ident) || site.at == first || site.wants_statement() {
        return None;
    }
    let word = site.word(first);
    let after_block = first > 0 && site.tok(first - 1) == Some(Tok::RBrace);
    if matches!(word, "elif" | "elsif" | "elseif") && after_block {
        let diagnostic = Diagnostic::error(
            "syntax",
            site.span(first),
            format!("`{word}` is written `else if`"),
        );
        return Some(Finding {
            diagnostic,
            edit: replace(site, first..first + 1, &[Tok::Else, Tok::If]),
        });
    }
    let hint = word_hint(word)?;
    let message = format!("there is no statement `{word}`");
    let diagnostic = Diagnostic::error("syntax", site.span(first), message).note(hint);
    let body = site
        .block_in(first..site.statement_end(first, site.at))
        .filter(|_| word_is_loop(word));
    let edit = body.map_or_else(|| skip(site), |body| loop_instead(site, body));
    Some(Finding { diagnostic, edit })
}

/// Reads `do { … }` or `do { … } while e;` as a loop with the body that begins at an index.
fn loop_instead(site: &Site<'_>, body: usize) -> Edit {
    let end = site.statement_end(body, body).max(body);
    let behind = if site.tok(end) == Some(Tok::While) {
        site.statement_end(end + 1, end + 1)
    } else {
        end
    };
    let head = made(site.span(site.start), &[Tok::While, Tok::Invalid]);
    let with = [head, site.tokens()[body..end].to_vec()].concat();
    Edit {
        range: site.start..behind,
        with,
    }
}

fn word_is_loop(word: &str) -> bool {
    matches!(word, "do" | "forever" | "loop" | "repeat")
}

/// `assert(e, "…");`
pub(super) fn assert_in_parentheses(site: &Site<'_>) -> Option<Finding> {
    let opening = site.innermost()?;
    let in_assert = opening == site.start + 1 && site.tok(site.start)? == Tok::Assert;
    if !in_assert || site.found()? != Tok::Comma || site.after(1)? != Tok::Text {
        return None;
    }
    let diagnostic = complain(
        site,
        "the message of `assert` stands outside of parentheses",
    )
    .related(site.span(opening), "opened here")
    .note("write `assert e, \"…\";`");
    let with = site.tokens()[opening + 1..site.at + 2].to_vec();
    let end = site.at + 2 + usize::from(site.after(2) == Some(Tok::RParen));
    Some(Finding {
        diagnostic,
        edit: Edit {
            range: opening..end,
            with,
        },
    })
}

/// `for (i = 0; i < n; i++)`, `for i = 0 to 3`
pub(super) fn for_header(site: &Site<'_>) -> Option<Finding> {
    if site.tok(site.start)? != Tok::For || site.at > site.start + 2 {
        return None;
    }
    let diagnostic = complain(site, "this is not how `for` is written")
        .note("write `for i in 0..n - 1 { … }`; both ends are included");
    // `;` in a header in the style of C does not end the statement.
    let body = (site.at..site.tokens().len())
        .take_while(|&i| !site.begins_line(i))
        .find(|&i| site.tok(i) == Some(Tok::LBrace));
    let edit = body.map_or_else(
        || skip(site),
        |body| replace(site, site.start..body, &[Tok::While, Tok::Invalid]),
    );
    Some(Finding { diagnostic, edit })
}

/// `if x then {`, `while x do {`
pub(super) fn word_before_body(site: &Site<'_>) -> Option<Finding> {
    let word = site.word(site.at);
    if !site.wants("{") || !matches!(word, "then" | "do" | "begin" | "loop") {
        return None;
    }
    let diagnostic = complain(site, format!("expected `{{`, found `{word}`"))
        .label("the body stands in braces")
        .note(match word {
            "then" => {
                "`if c then a else b` is an expression; the statement is `if c { … } else { … }`"
            }
            _ => "write `while c { … }`",
        });
    let brace = site.after(1) == Some(Tok::LBrace);
    let edit = if brace {
        replace(site, site.at..site.at + 1, &[])
    } else {
        embrace(site, site.at + 1)
    };
    Some(Finding { diagnostic, edit })
}

/// `if x y := 1;`: the braces are missing.
pub(super) fn body_without_braces(site: &Site<'_>) -> Option<Finding> {
    let found = site.found()?;
    let header = if site.before(1) == Some(Tok::Else) {
        Tok::Else
    } else {
        site.tok(site.start)?
    };
    let begins = found.is_name()
        || found.begins_statement()
        || matches!(found, Tok::Call | Tok::Post | Tok::If);
    let known = matches!(
        header,
        Tok::If | Tok::Else | Tok::While | Tok::For | Tok::Atomic | Tok::Proc | Tok::Finally
    );
    if !known || !begins || !site.wants("{") {
        return None;
    }
    let word = if header == Tok::Else {
        "else"
    } else {
        site.word(site.start)
    };
    let diagnostic = Diagnostic::error("syntax", site.behind(site.at), "expected `{`")
        .label("`{` is missing here")
        .note(format!("the body of `{word}` always stands in braces"));
    Some(Finding {
        diagnostic,
        edit: embrace(site, site.at),
    })
}

/// Puts braces round the statement that begins at `from`, and removes the tokens between the error and that statement.
fn embrace(site: &Site<'_>, from: usize) -> Edit {
    let end = site.statement_end(from, from);
    let opening = made(site.behind(site.at), &[Tok::LBrace]);
    let closing = made(site.behind(end), &[Tok::RBrace]);
    let with = [opening, site.tokens()[from..end].to_vec(), closing].concat();
    Edit {
        range: site.at..end,
        with,
    }
}

/// `else` that belongs to no `if`.
pub(super) fn else_alone(site: &Site<'_>) -> Option<Finding> {
    if site.found()? != Tok::Else || !site.wants_statement() {
        return None;
    }
    let diagnostic = complain(site, "`else` without `if`")
        .label("no `if` ends right before this")
        .note("write `if e { … } else { … }`, with nothing between `}` and `else`");
    Some(Finding {
        diagnostic,
        edit: replace(site, site.at..site.at + 1, &[]),
    })
}

/// `x--;`, `x *= 2;`
pub(super) fn arithmetic_assignment(site: &Site<'_>) -> Option<Finding> {
    let x = site.word(site.start);
    let place = site.at == site.start + 1 && site.tok(site.start).is_some_and(Tok::is_name);
    let (sign, hint) = match site.found()? {
        Tok::Minus if site.after(1)? == Tok::Minus => {
            ("--".to_owned(), format!("write `{x} := {x} - 1;`"))
        }
        Tok::Star | Tok::Shl | Tok::Shr | Tok::And | Tok::Or if site.after(1)? == Tok::Equals => {
            let op = site.word(site.at);
            (format!("{op}="), format!("write `{x} := {x} {op} …;`"))
        }
        _ => return None,
    };
    if !site.touches(site.at + 1) {
        return None;
    }
    let mut diagnostic = complain(site, format!("there is no `{sign}`"));
    if place {
        diagnostic = diagnostic.note(hint);
    }
    Some(Finding {
        diagnostic,
        edit: skip(site),
    })
}

/// `return` without its `;` before `x := 1;`
pub(super) fn return_then_assignment(site: &Site<'_>) -> Option<Finding> {
    let alone = site.tok(site.start)? == Tok::Return && site.at > site.start + 1;
    let behind = site.start + 1;
    if !alone || !matches!(site.found()?, Tok::Assign | Tok::Equals) || !site.begins_line(behind) {
        return None;
    }
    let diagnostic = Diagnostic::error(
        "syntax",
        site.behind(behind),
        "expected `;` after this statement",
    )
    .label("`;` is missing here");
    Some(Finding {
        diagnostic,
        edit: super::advice::insert(site, behind, &[Tok::Semi]),
    })
}
