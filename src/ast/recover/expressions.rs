//! Advice about expressions.

use super::advice::{Finding, complain, replace, skip};
use super::site::Site;
use crate::ast::token::Tok;
use crate::diagnostic::Diagnostic;

/// `=`, `:=` or `=>` between operands.
pub(super) fn comparison(site: &Site<'_>) -> Option<Finding> {
    let found = site.found()?;
    if found == Tok::FatArrow {
        let diagnostic =
            complain(site, "there is no `=>`").note("implication is `==>`, \"at least\" is `>=`");
        return Some(Finding {
            diagnostic,
            edit: replace(site, site.at..site.at + 1, &[Tok::Implies]),
        });
    }
    if found == Tok::Greater && site.before(1)? == Tok::Less && site.touches(site.at) {
        let diagnostic = complain(site, "there is no `<>`").note("\"not equal\" is `!=`");
        return Some(Finding {
            diagnostic,
            edit: replace(site, site.at - 1..site.at + 1, &[Tok::NotEq]),
        });
    }
    if !matches!(found, Tok::Equals | Tok::Assign) || !site.in_expression() {
        return None;
    }
    let word = site.word(site.at);
    let hint = if found == Tok::Equals {
        "`==` compares"
    } else {
        "`==` compares; `:=` assigns, as a statement of its own"
    };
    let diagnostic = complain(site, format!("`{word}` cannot stand in an expression"))
        .label("write `==`")
        .note(hint);
    Some(Finding {
        diagnostic,
        edit: replace(site, site.at..site.at + 1, &[Tok::EqEq]),
    })
}

/// `a and b`, `not a`
pub(super) fn operator_in_words(site: &Site<'_>) -> Option<Finding> {
    let (index, right, tok) = match (site.word(site.at), site.in_expression()) {
        ("and" | "AND", true) => (site.at, "&&", Tok::AndAnd),
        ("or" | "OR", true) => (site.at, "||", Tok::OrOr),
        ("xor", true) => (site.at, "!=", Tok::NotEq),
        ("mod", true) => (site.at, "%", Tok::Percent),
        ("div", true) => (site.at, "/", Tok::Slash),
        ("implies", true) => (site.at, "==>", Tok::Implies),
        ("iff", true) => (site.at, "<==>", Tok::Iff),
        _ if site.at > 0
            && site.before(1) == Some(Tok::Ident)
            && site.word(site.at - 1) == "not" =>
        {
            (site.at - 1, "!", Tok::Not)
        }
        _ => return None,
    };
    let word = site.word(index);
    let diagnostic = Diagnostic::error(
        "syntax",
        site.span(index),
        format!("there is no operator `{word}`"),
    )
    .label(format!("write `{right}`"));
    Some(Finding {
        diagnostic,
        edit: replace(site, index..index + 1, &[tok]),
    })
}

/// `0..=3`, `0..<n`, `0 to 3`
pub(super) fn range_end(site: &Site<'_>) -> Option<Finding> {
    let found = site.found()?;
    let hint = "`lo..hi` includes both ends; without the last it is `lo..hi - 1`";
    if site.before(1)? == Tok::DotDot
        && matches!(found, Tok::Equals | Tok::Less | Tok::Dot | Tok::LessEq)
    {
        let message = format!("there is no `..{}`", site.word(site.at));
        let diagnostic = complain(site, message).note(hint);
        return Some(Finding {
            diagnostic,
            edit: replace(site, site.at..site.at + 1, &[]),
        });
    }
    let word = site.word(site.at);
    if site.wants("..") && (matches!(word, "to" | "until" | "upto") || found == Tok::Colon) {
        let diagnostic = complain(site, format!("expected `..`, found `{word}`")).note(hint);
        return Some(Finding {
            diagnostic,
            edit: replace(site, site.at..site.at + 1, &[Tok::DotDot]),
        });
    }
    None
}

/// `1.5`
pub(super) fn fraction(site: &Site<'_>) -> Option<Finding> {
    let whole = site.before(2)? == Tok::Number && site.before(1)? == Tok::Dot;
    if !whole || site.found()? != Tok::Number {
        return None;
    }
    let span = site.span(site.at - 2).to(site.span(site.at));
    let diagnostic = Diagnostic::error("syntax", span, "numbers are whole").label("a fraction");
    Some(Finding {
        diagnostic,
        edit: replace(site, site.at - 1..site.at + 1, &[]),
    })
}

/// A string where a value is needed.
pub(super) fn text_as_value(site: &Site<'_>) -> Option<Finding> {
    if site.found()? != Tok::Text {
        return None;
    }
    if site.wants(",") && site.tok(site.start)? == Tok::Assert {
        let diagnostic = Diagnostic::error(
            "syntax",
            site.behind(site.at),
            "expected `,` before the message",
        )
        .label("`,` is missing here");
        return Some(Finding {
            diagnostic,
            edit: super::advice::insert(site, site.at, &[Tok::Comma]),
        });
    }
    if !site.wants_expression() {
        return None;
    }
    let diagnostic = complain(site, "a string is not a value").note(
        "strings are only messages: `assert e, \"…\";`; names of states are members of an `enum`",
    );
    Some(Finding {
        diagnostic,
        edit: replace(site, site.at..site.at + 1, &[Tok::Invalid]),
    })
}

/// `x := if c { 1 } else { 2 };`
pub(super) fn conditional(site: &Site<'_>) -> Option<Finding> {
    let found = site.found()?;
    if !site.wants("then") || site.tok(site.start)? == Tok::If {
        if found == Tok::Semi && site.wants("else") && !site.wants_statement() {
            let diagnostic = complain(site, "expected `else`")
                .note("an expression `if c then a else b` has both parts");
            return Some(Finding {
                diagnostic,
                edit: skip(site),
            });
        }
        return None;
    }
    let diagnostic = complain(
        site,
        format!("expected `then`, found `{}`", site.word(site.at)),
    )
    .note("inside of an expression it is `if c then a else b`");
    Some(Finding {
        diagnostic,
        edit: skip(site),
    })
}
