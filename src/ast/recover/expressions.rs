//! Advice about expressions.

use super::advice::{Edit, Finding, complain, insert, replace, skip};
use super::site::Site;
use crate::token::Tok;
use base::diagnostic::Diagnostic;

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

/// `forall i in 0..3: e`
pub(super) fn quantifier(site: &Site<'_>) -> Option<Finding> {
    let quantified = site.found()?.is_name() && site.before(1)? == Tok::Ident;
    let word = site.word(site.at.checked_sub(1)?);
    if !quantified || !matches!(word, "forall" | "exists" | "all" | "any" | "sum" | "count") {
        return None;
    }
    let diagnostic = Diagnostic::error(
        "syntax",
        site.span(site.at - 1),
        format!("there is no `{word}`"),
    )
    .note("write a loop: `for i in 0..3 { assert …; }`");
    Some(Finding {
        diagnostic,
        edit: skip(site),
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
            edit: insert(site, site.at, &[Tok::Comma]),
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

/// `R { a = 1 }`
pub(super) fn field_value(site: &Site<'_>) -> Option<Finding> {
    let value = site.found()? == Tok::LBrace && site.before(1)? == Tok::Ident && !site.wants("{");
    if !value || !site.after(1)?.is_name() || site.after(2)? != Tok::Equals {
        return None;
    }
    let (record, field) = (site.word(site.at - 1), site.word(site.at + 1));
    let diagnostic = Diagnostic::error("syntax", site.span(site.at + 2), "expected `:`, found `=`")
        .label("write `:`")
        .note(format!(
            "the value of a record is written `{record} {{ {field}: … }}`"
        ));
    let mut with = site.tokens()[site.at - 1..].to_vec();
    with[0].1 = Tok::RecordName;
    let mut depth = 0_usize;
    for (_, tok, _) in &mut with {
        match *tok {
            Tok::Equals if depth == 1 => *tok = Tok::Colon,
            t if t.opens() => depth += 1,
            t if t.closes() && depth == 1 => break,
            t if t.closes() => depth = depth.saturating_sub(1),
            _ => {}
        }
    }
    Some(Finding {
        diagnostic,
        edit: Edit {
            range: site.at - 1..site.tokens().len(),
            with,
        },
    })
}

/// `record { a: int; b: bool }`
pub(super) fn semicolon_in_list(site: &Site<'_>) -> Option<Finding> {
    let in_list =
        site.found()? == Tok::Semi && site.holds_data(site.innermost()?) && site.wants(",");
    let goes_on =
        site.after(1)?.is_name() && !site.begins_line(site.at + 1) || site.after(1)? == Tok::RBrace;
    let goes_on = goes_on || site.after(1)?.is_name() && site.after(2)? == Tok::Colon;
    if !in_list || !goes_on {
        return None;
    }
    let diagnostic = complain(site, "expected `,`, found `;`")
        .label("write `,`")
        .note("elements are separated by `,`");
    Some(Finding {
        diagnostic,
        edit: replace(site, site.at..site.at + 1, &[Tok::Comma]),
    })
}

/// `f(1 2)`, `[1 2]`, `enum { A B }`
pub(super) fn comma_missing(site: &Site<'_>) -> Option<Finding> {
    let found = site.found()?;
    let begins = matches!(
        found,
        Tok::Number | Tok::True | Tok::False | Tok::RecordName
    ) || found.is_name();
    let in_list = site.innermost().is_some_and(|i| {
        i >= site.start && (site.tok(i) != Some(Tok::LBrace) || site.holds_data(i))
    });
    // On a line of its own it may as well begin the next statement.
    let element = matches!(site.after(1), Some(Tok::Comma | Tok::Colon))
        || site.after(1).is_some_and(Tok::closes);
    if !begins || !in_list || !site.wants(",") || site.begins_line(site.at) && !element {
        return None;
    }
    let diagnostic = Diagnostic::error("syntax", site.behind(site.at), "expected `,`")
        .label("`,` is missing here");
    Some(Finding {
        diagnostic,
        edit: insert(site, site.at, &[Tok::Comma]),
    })
}
