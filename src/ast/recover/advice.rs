//! The answer to a syntax error, and the way to read on behind it.
//!
//! A rule looks at the [`Site`] and, if it knows the mistake, gives a diagnostic and an edit of
//! the tokens after which the grammar can go on. Rules are tried in order; the last one always
//! has an answer.

use std::ops::Range;

use super::site::Site;
use crate::lexer::Spanned;
use crate::token::Tok;
use base::diagnostic::Diagnostic;
use base::source::Span;

/// Tokens in the place of others.
#[derive(Debug)]
pub struct Edit {
    pub range: Range<usize>,
    /// The tokens that come in their place.
    pub with: Vec<Spanned>,
}

/// A mistake that was understood.
#[derive(Debug)]
pub struct Finding {
    pub diagnostic: Diagnostic,
    /// How to read on.
    pub edit: Edit,
}

type Rule = fn(&Site<'_>) -> Option<Finding>;

/// The rules, the most specific first.
const RULES: &[Rule] = &[
    super::items::type_parameter,
    super::items::stray_at_top_level,
    super::items::file_without_quotes,
    super::items::nested_procedure,
    super::items::item_in_block,
    super::items::no_parameters,
    super::items::type_before_name,
    super::items::let_without_value,
    super::items::foreign_type,
    super::items::type_missing,
    super::items::colon_missing,
    super::items::result_in_words,
    super::items::one_operation,
    keyword_as_name,
    super::statements::object_before_name,
    super::statements::foreign_word,
    super::statements::assert_in_parentheses,
    super::statements::for_header,
    super::expressions::operator_in_words,
    super::statements::word_before_body,
    super::statements::body_without_braces,
    super::statements::else_alone,
    super::statements::return_then_assignment,
    super::statements::arithmetic_assignment,
    super::expressions::comparison,
    super::expressions::quantifier,
    super::expressions::range_end,
    super::expressions::fraction,
    super::expressions::text_as_value,
    super::expressions::conditional,
    super::expressions::field_value,
    super::expressions::semicolon_in_list,
    super::expressions::comma_missing,
    unclosed_bracket,
    unmatched_bracket,
    missing_semicolon,
    unclosed_brace,
];

/// The answer of the first rule that has one, or else the answer from the grammar alone.
#[must_use]
pub fn advise(site: &Site<'_>) -> Finding {
    RULES
        .iter()
        .find_map(|rule| rule(site))
        .unwrap_or_else(|| general(site))
}

// ---- Building blocks --------------------------------------------------------------------

/// A complaint about the token that does not fit.
pub(super) fn complain(site: &Site<'_>, message: impl Into<String>) -> Diagnostic {
    Diagnostic::error("syntax", site.span(site.at), message)
}

/// Makes tokens that are not in the text. Each of them has the place `place`.
pub(super) fn made(place: Span, tokens: &[Tok]) -> Vec<Spanned> {
    tokens
        .iter()
        .map(|&t| (place.start, t, place.end))
        .collect()
}

/// Inserts tokens before an index.
pub(super) fn insert(site: &Site<'_>, index: usize, tokens: &[Tok]) -> Edit {
    Edit {
        range: index..index,
        with: made(site.behind(index), tokens),
    }
}

/// Replaces the tokens of a range by others with the span of the range.
pub(super) fn replace(site: &Site<'_>, range: Range<usize>, tokens: &[Tok]) -> Edit {
    let place = if range.is_empty() {
        site.behind(range.start)
    } else {
        site.span(range.start).to(site.span(range.end - 1))
    };
    Edit {
        range,
        with: made(place, tokens),
    }
}

/// Gives up the smallest part round the error that the grammar can do without.
#[must_use]
pub fn skip(site: &Site<'_>) -> Edit {
    let start = site.start;
    let keyword = if site.tok(start) == Some(Tok::Else) {
        start + 1
    } else {
        start
    };
    let end = site.statement_end(start, site.at.max(start));
    match site.tok(keyword) {
        Some(Tok::If | Tok::While | Tok::Await | Tok::For) => {
            if let Some(body) = site.block_in(keyword + 1..end)
                && body >= site.at
            {
                return header(site, keyword, body);
            }
        }
        Some(Tok::Op) => {
            if let (Some(guard), Some(body)) =
                (site.guard_in(start..site.at), site.block_in(site.at..end))
            {
                return replace(site, guard + 1..body, &[Tok::Invalid]);
            }
        }
        Some(Tok::Var | Tok::Let | Tok::Const | Tok::Type) => {
            if let Some(value) = site.value_in(start..site.at)
                && site.tok(value) != site.found()
            {
                return declared_value(site, value, end);
            }
        }
        _ => {}
    }
    let end = end
        .max(site.at)
        .max(start + 1)
        .min(site.tokens().len().max(start));
    replace(site, start..end, &[Tok::Invalid])
}

/// Reads the header of a compound statement as one error, and keeps its body.
fn header(site: &Site<'_>, keyword: usize, body: usize) -> Edit {
    if site.tok(keyword) != Some(Tok::For) {
        return replace(site, keyword + 1..body, &[Tok::Invalid]);
    }
    let named = site.tok(keyword + 1).is_some_and(Tok::is_name) && keyword + 1 < body;
    if !named {
        return replace(site, keyword..body, &[Tok::While, Tok::Invalid]);
    }
    replace(
        site,
        keyword + 2..body,
        &[Tok::In, Tok::Invalid, Tok::DotDot, Tok::Invalid],
    )
}

/// Reads the value of a declaration as one error, and keeps the declaration.
fn declared_value(site: &Site<'_>, value: usize, end: usize) -> Edit {
    let closed = site.tok(end - 1) == Some(Tok::Semi);
    let last = if closed { end - 1 } else { end };
    let tokens: &[Tok] = if closed {
        &[Tok::Invalid]
    } else {
        &[Tok::Invalid, Tok::Semi]
    };
    replace(site, value + 1..last.max(value + 1), tokens)
}

// ---- General rules ----------------------------------------------------------------------

/// A keyword where a name is needed.
fn keyword_as_name(site: &Site<'_>) -> Option<Finding> {
    if !site.wants("a name") || site.wants_expression() || site.wants_statement() {
        return None;
    }
    // `task := 1;` begins like `task t;`.
    let in_front = site.at == site.start + 1 && site.before(1).is_some_and(Tok::is_simple_type);
    let index = if in_front { site.start } else { site.at };
    let keyword = site.tok(index).filter(|t| t.is_keyword())?;
    // A keyword on the next line begins something else: the name is missing.
    if site.begins_line(index) && (keyword.begins_statement() || keyword.begins_item()) {
        return None;
    }
    let word = site.word(index);
    let message = format!("`{word}` is a keyword and cannot be a name");
    let diagnostic = Diagnostic::error("syntax", site.span(index), message)
        .label("expected a name")
        .note(format!("`{word}_` would do"));
    Some(Finding {
        diagnostic,
        edit: replace(site, index..index + 1, &[Tok::Ident]),
    })
}

/// `(` or `[` that is not closed before the statement goes on or ends.
fn unclosed_bracket(site: &Site<'_>) -> Option<Finding> {
    let opening = site.innermost()?;
    let closing = site.tok(opening)?.closing();
    let sign = match closing {
        Tok::RParen => ")",
        Tok::RBracket => "]",
        _ if site.holds_data(opening) => "}",
        _ => return None,
    };
    let found = site.found();
    let ends = found.is_none_or(|t| {
        matches!(
            t,
            Tok::Semi | Tok::LBrace | Tok::Assign | Tok::Then | Tok::Else
        ) || t.closes()
            || t.begins_statement()
            || t.begins_item()
            || t.is_simple_type()
    });
    if !site.wants(sign) || !(ends || site.begins_line(site.at)) {
        return None;
    }
    let wrong = found.is_some_and(|t| t.closes() && t != Tok::RBrace);
    let place = if wrong {
        site.span(site.at)
    } else {
        site.behind(site.at)
    };
    let diagnostic = Diagnostic::error("syntax", place, format!("expected `{sign}`"))
        .label(format!("`{sign}` is missing here"))
        .related(site.span(opening), "to close this");
    let edit = if wrong {
        replace(site, site.at..site.at + 1, &[closing])
    } else {
        insert(site, site.at, &[closing])
    };
    Some(Finding { diagnostic, edit })
}

/// `)` or `]` that closes nothing.
fn unmatched_bracket(site: &Site<'_>) -> Option<Finding> {
    let opening = match site.found()? {
        Tok::RParen => Tok::LParen,
        Tok::RBracket => Tok::LBracket,
        _ => return None,
    };
    if site
        .open()
        .iter()
        .any(|&i| i >= site.start && site.tok(i) == Some(opening))
    {
        return None;
    }
    let word = site.word(site.at);
    let diagnostic = complain(site, format!("`{word}` closes nothing")).label("remove it");
    Some(Finding {
        diagnostic,
        edit: replace(site, site.at..site.at + 1, &[]),
    })
}

/// A statement or declaration whose `;` is missing.
fn missing_semicolon(site: &Site<'_>) -> Option<Finding> {
    let found = site.found();
    let before = site.before(1)?;
    let next_begins = match found {
        None | Some(Tok::RBrace) => true,
        Some(t) if t.begins_statement() || t.begins_item() => true,
        Some(Tok::If | Tok::Call | Tok::Post) => true,
        Some(t) if t.is_name() => {
            site.begins_line(site.at)
                || matches!(
                    site.after(1),
                    Some(Tok::Assign | Tok::Dot | Tok::LParen | Tok::LBracket | Tok::Comma)
                )
        }
        Some(_) => site.begins_line(site.at),
    };
    if !site.wants(";") || !next_begins || before.opens() || site.at == site.start {
        return None;
    }
    let first = site.tok(site.start);
    let after = match first {
        Some(t) if t.begins_only_items() || matches!(t, Tok::Var | Tok::Let) => "declaration",
        _ => "statement",
    };
    let diagnostic = Diagnostic::error(
        "syntax",
        site.behind(site.at),
        format!("expected `;` after this {after}"),
    )
    .label("`;` is missing here");
    Some(Finding {
        diagnostic,
        edit: insert(site, site.at, &[Tok::Semi]),
    })
}

/// `{` without its `}` at the end of an item.
fn unclosed_brace(site: &Site<'_>) -> Option<Finding> {
    if site.found().is_some() || !site.wants("}") {
        return None;
    }
    let (diagnostic, _) = brace_complaint(site)?;
    let missing: Vec<Tok> = site
        .open()
        .iter()
        .rev()
        .filter_map(|&i| Some(site.tok(i)?.closing()))
        .collect();
    Some(Finding {
        diagnostic,
        edit: insert(site, site.at, &missing),
    })
}

/// The complaint about a brace that is not closed, and its index.
pub(super) fn brace_complaint(site: &Site<'_>) -> Option<(Diagnostic, usize)> {
    let opening = site.suspicious_brace().or_else(|| site.innermost())?;
    let diagnostic = Diagnostic::error("syntax", site.span(opening), "this `{` is never closed")
        .label("expected a `}` for this")
        .related(site.span(site.at), "it is missing here at the latest");
    Some((diagnostic, opening))
}

/// The answer from the grammar alone.
fn general(site: &Site<'_>) -> Finding {
    let found = found(site);
    let expected = super::expected::describe(site);
    let message = format!("expected {expected}, found {found}");
    let diagnostic = complain(site, message).label(format!("expected {expected}"));
    Finding {
        diagnostic,
        edit: skip(site),
    }
}

/// The token that does not fit, in words.
fn found(site: &Site<'_>) -> String {
    match site.found() {
        None => "the end".to_owned(),
        Some(Tok::Text) => "a string".to_owned(),
        Some(t) if t.is_keyword() => format!("the keyword `{}`", site.word(site.at)),
        Some(_) => match site.word(site.at) {
            "" => "what stands here".to_owned(),
            word if word.len() > 40 => "a very long word".to_owned(),
            word => format!("`{word}`"),
        },
    }
}
