//! Advice about declarations: items, members, parameters.

use super::advice::{Edit, Finding, brace_complaint, complain, insert, made, replace, skip};
use super::site::Site;
use crate::builder::word_hint;
use crate::token::Tok;
use base::diagnostic::Diagnostic;

/// Text outside of all items that begins no item. All tokens up to the next item belong to it.
pub(super) fn stray_at_top_level(site: &Site<'_>) -> Option<Finding> {
    if !site.wants("use") {
        return None;
    }
    let (found, next) = (site.found()?, site.at + 1);
    let word = site.word(site.at);
    let diagnostic = if found == Tok::RBrace {
        complain(site, "this `}` closes nothing").note("the procedure before it was closed already")
    } else if let Some(hint) = item_hint(word).filter(|_| {
        let string = site.tok(next) == Some(Tok::Text);
        string || site.tok(next).is_some_and(names) || found != Tok::Ident
    }) {
        complain(site, format!("`{word}` begins no declaration")).note(hint)
    } else if found.is_simple_type() && site.tok(next).is_some_and(Tok::is_name) {
        let name = site.word(next);
        let call = site.tok(next + 1) == Some(Tok::LParen);
        let right = if call {
            format!("proc {name}(…): {word}")
        } else {
            format!("var {name}: {word}")
        };
        complain(site, "a declaration begins with `var` or `proc`").note(format!("write `{right}`"))
    } else if begins_statement(site, found) {
        statement_outside(site)
    } else {
        let advice = "there are `use`, `const`, `type`, `preempt`, `var`, `proc`, `object`, `invariant` and `finally`";
        complain(site, "expected a declaration")
            .label("begins no declaration")
            .note(advice)
    };
    Some(Finding {
        diagnostic,
        edit: replace(site, site.at..site.tokens().len(), &[Tok::Invalid]),
    })
}

/// `use queue.async;`: the file's name is a string.
pub(super) fn file_without_quotes(site: &Site<'_>) -> Option<Finding> {
    let after_use = site.before(2) == Some(Tok::Use) && site.found() == Some(Tok::Dot);
    if !after_use || !site.after(1).is_some_and(names) {
        return None;
    }
    let (name, ending) = (site.word(site.at - 1), site.word(site.at + 1));
    let diagnostic = complain(site, "the name of a file is a string")
        .note(format!("write `use \"{name}.{ending}\";`"));
    Some(Finding {
        diagnostic,
        edit: replace(site, 0..site.tokens().len(), &[Tok::Invalid]),
    })
}

fn statement_outside(site: &Site<'_>) -> Diagnostic {
    complain(site, "statements stand inside of procedures")
        .label("this is outside of every procedure")
        .note("the program begins with `proc main() { … }`; is there a `}` too many before this?")
}

/// Whether the tokens begin a statement.
fn begins_statement(site: &Site<'_>, found: Tok) -> bool {
    use Tok::{Assign, Comma, Dot, Equals, LBracket, LParen, OpAssign};
    let sign = matches!(
        site.tok(site.at + 1),
        Some(Assign | Equals | LParen | LBracket | Dot | Comma | OpAssign)
    );
    found.begins_statement()
        || matches!(found, Tok::If | Tok::Call | Tok::Post)
        || found.is_name() && sign
}

/// Whether a token is a name, also one that `{` follows.
fn names(tok: Tok) -> bool {
    tok.is_name() || tok == Tok::RecordName
}

/// How other languages begin declarations.
fn item_hint(word: &str) -> Option<&'static str> {
    Some(match word {
        "def" | "fn" | "fun" | "func" | "function" | "method" | "procedure" | "process"
        | "proctype" | "sub" | "thread" | "void" => {
            "a procedure is declared with `proc p(x: int): int { … }`"
        }
        "class" | "interface" | "monitor" => "an object type is declared with `object O { … }`",
        "enum" => "write `type T = enum { A, B };`",
        "record" | "struct" => "write `type T = record { f: int };`",
        "typedef" => "write `type T = …;`",
        "import" | "include" | "module" | "package" | "using" => {
            "the library is made known with `use sync;`, another file with `use \"file.async\";`"
        }
        "global" | "let" | "shared" | "static" | "volatile" => {
            "a global variable is declared with `var x: int := 0;`"
        }
        "init" => "the first task is `proc main() { … }`",
        "assert" => {
            "assertions stand in procedures, or in `finally { … }` for the final state; `invariant e;` holds always"
        }
        "always" => "what holds in every state is written `invariant e;`",
        "cover" => {
            "`cover e;` is a statement: it stands where the condition is to be true, in a procedure"
        }
        "op" => "operations stand inside of an `object O { … }`",
        _ => return word_hint(word),
    })
}

/// `proc` in a block: mostly a `}` is missing before it.
pub(super) fn nested_procedure(site: &Site<'_>) -> Option<Finding> {
    let after_op =
        site.before(1) == Some(Tok::Op) && site.found()?.is_name() && site.begins_line(site.at - 1);
    let index = if after_op { site.at - 1 } else { site.at };
    if !after_op && (site.found() != Some(Tok::Proc) || !site.wants_statement()) {
        return None;
    }
    let word = site.word(index);
    let diagnostic = Diagnostic::error(
        "syntax",
        site.span(index),
        format!("`{word}` cannot stand in a block"),
    );
    // The braces of an object stay open around its members. All other braces end here.
    let keep = usize::from(site.tok(0) == Some(Tok::Object));
    let fits = site.open().len() > keep && (keep == 1 || word == "proc");
    if !fits || site.is_balanced() {
        return Some(Finding {
            diagnostic: diagnostic.note("procedures do not nest"),
            edit: skip(site),
        });
    }
    let (brace, _) = brace_complaint(site)?;
    let diagnostic = diagnostic.related(brace.span?, "is the `}` for this missing?");
    let missing = vec![Tok::RBrace; site.open().len() - keep];
    Some(Finding {
        diagnostic,
        edit: insert(site, index, &missing),
    })
}

/// `const`, `type`, … in a block.
pub(super) fn item_in_block(site: &Site<'_>) -> Option<Finding> {
    let found = site.found()?;
    let names = site.before(1).is_some_and(Tok::names_next);
    if names || !found.begins_only_items() || !(site.wants_statement() || site.wants("independent"))
    {
        return None;
    }
    let word = site.word(site.at);
    let mut diagnostic = complain(
        site,
        format!("`{word}` stands outside of procedures and objects"),
    );
    if found == Tok::Const {
        diagnostic = diagnostic.note("a value that does not change is named with `let x = e;`");
    } else if let Some((brace, _)) = brace_complaint(site) {
        diagnostic.related.extend(
            brace
                .span
                .map(|s| (s, "is the `}` for this missing?".to_owned())),
        );
    }
    Some(Finding {
        diagnostic,
        edit: skip(site),
    })
}

/// `proc p {`: the parentheses are missing.
pub(super) fn no_parameters(site: &Site<'_>) -> Option<Finding> {
    let named = site.before(1)?.is_name() && matches!(site.before(2)?, Tok::Proc | Tok::Op);
    if !named || !site.wants("(") {
        return None;
    }
    let (word, name) = (site.word(site.at - 2), site.word(site.at - 1));
    let diagnostic = Diagnostic::error("syntax", site.behind(site.at), "expected `(`")
        .label("the parameters are missing")
        .note(format!("write `{word} {name}()`, even without parameters"));
    Some(Finding {
        diagnostic,
        edit: insert(site, site.at, &[Tok::LParen, Tok::RParen]),
    })
}

/// `var int x`, `proc p(int x)`
pub(super) fn type_before_name(site: &Site<'_>) -> Option<Finding> {
    let typed = site.found()?.is_simple_type() && site.after(1)?.is_name();
    if !typed || !site.wants("a name") || site.wants_expression() {
        return None;
    }
    let (ty, name) = (site.word(site.at), site.word(site.at + 1));
    let diagnostic =
        complain(site, "the type comes after the name").note(format!("write `{name}: {ty}`"));
    let tokens = site.tokens();
    let place = site.behind(site.at + 1);
    let with = [
        vec![tokens[site.at + 1]],
        made(place, &[Tok::Colon]),
        vec![tokens[site.at]],
    ]
    .concat();
    Some(Finding {
        diagnostic,
        edit: Edit {
            range: site.at..site.at + 2,
            with,
        },
    })
}

/// `int[4]`, `seq<int>`: the types of other languages
pub(super) fn foreign_type(site: &Site<'_>) -> Option<Finding> {
    let (found, named) = (site.found()?, site.before(1)?);
    // The grammar tries `lo..hi` where a type begins with a name, so it may have read the sign before already.
    let generic = found == Tok::Less || named == Tok::Less || site.before(2) == Some(Tok::Less);
    let array = found == Tok::LBracket && (named.is_simple_type() || named.is_name());
    if !(site.wants("(") || array && site.wants(":=")) || !(generic || array) {
        return None;
    }
    let sign = (site.start..site.at)
        .rev()
        .find(|&i| matches!(site.tok(i), Some(Tok::Colon | Tok::Equals)))?;
    if !matches!(
        site.tok(site.start)?,
        Tok::Var | Tok::Proc | Tok::Type | Tok::Op
    ) {
        return None;
    }
    let word = site.word(sign + 1);
    let diagnostic = if array {
        complain(site, "the length of an array stands before its type")
            .note(format!("write `[…]{word}`"))
    } else {
        Diagnostic::error(
            "syntax",
            site.span(sign + 1),
            format!("there is no type `{word}<…>`"),
        )
        .note("`[8]T` is an array, and `[K]T` a map from every value of the type `K`")
        .note("the arguments of an object type stand in parentheses: `Queue(int, 8)`")
    };
    Some(Finding {
        diagnostic,
        edit: skip(site),
    })
}

/// `object Q<T>`, `object Q(type T)`
pub(super) fn type_parameter(site: &Site<'_>) -> Option<Finding> {
    let (tokens, at) = (site.tokens(), site.at);
    if site.tok(site.start)? != Tok::Object {
        return None;
    }
    let (message, range, with) = match site.found()? {
        Tok::Less if at == site.start + 2 => {
            let end = tokens[at..].iter().position(|t| t.1 == Tok::Greater)?;
            let message = "the parameters of an object type stand in parentheses";
            (message, at..at + end + 1, Vec::new())
        }
        Tok::Type if site.tok(at + 1)?.is_name() => {
            let message = "the name of a parameter stands before its type";
            let mut with = made(site.span(at), &[Tok::Colon, Tok::Type]);
            with.insert(0, tokens[at + 1]);
            (message, at..at + 2, with)
        }
        _ => return None,
    };
    Some(Finding {
        diagnostic: complain(site, message).note("write `object Queue(T: type, n: int) { … }`"),
        edit: Edit { range, with },
    })
}

/// `var x := 3;` outside of procedures, `proc p(x)`, `record { f }`
pub(super) fn type_missing(site: &Site<'_>) -> Option<Finding> {
    let follows = matches!(
        site.found()?,
        Tok::Assign | Tok::Equals | Tok::Semi | Tok::Comma | Tok::RParen | Tok::RBrace
    );
    if !follows || !site.wants(":") || !site.before(1)?.is_name() {
        return None;
    }
    let name = site.word(site.at - 1);
    let diagnostic = Diagnostic::error(
        "syntax",
        site.span(site.at - 1),
        format!("`{name}` needs a type"),
    )
    .label("of which type?")
    .note(format!("write `{name}: int`"));
    Some(Finding {
        diagnostic,
        edit: insert(site, site.at, &[Tok::Colon, Tok::Invalid]),
    })
}

/// `let x;`
pub(super) fn let_without_value(site: &Site<'_>) -> Option<Finding> {
    if site.found()? != Tok::Semi || site.tok(site.start)? != Tok::Let || !site.wants("=") {
        return None;
    }
    let diagnostic = complain(site, "`let` needs a value")
        .label("expected `= e`")
        .note("a variable without an initial value is declared with `var x: int;`");
    Some(Finding {
        diagnostic,
        edit: insert(site, site.at, &[Tok::Equals, Tok::Invalid]),
    })
}

/// `var x int`
pub(super) fn colon_missing(site: &Site<'_>) -> Option<Finding> {
    let found = site.found()?;
    let ty = found.is_simple_type()
        || found.is_name()
        || matches!(found, Tok::Enum | Tok::Record | Tok::LBracket | Tok::Type);
    if !ty || !site.wants(":") || site.begins_line(site.at) || !site.before(1)?.is_name() {
        return None;
    }
    let diagnostic = Diagnostic::error(
        "syntax",
        site.behind(site.at),
        "expected `:` before the type",
    )
    .label("`:` is missing here");
    Some(Finding {
        diagnostic,
        edit: insert(site, site.at, &[Tok::Colon]),
    })
}

/// `proc p() returns (x: int) {`
pub(super) fn result_in_words(site: &Site<'_>) -> Option<Finding> {
    if !matches!(site.word(site.at), "return" | "returns")
        || !matches!(site.tok(site.start)?, Tok::Proc | Tok::Op)
    {
        return None;
    }
    let body = site.block_in(site.at..site.tokens().len())?;
    let diagnostic =
        complain(site, "the type of a result stands after `:`").note("write `proc p(): int { … }`");
    Some(Finding {
        diagnostic,
        edit: replace(site, site.at..body, &[Tok::Colon, Tok::Invalid]),
    })
}

/// `exclusive f;`
pub(super) fn one_operation(site: &Site<'_>) -> Option<Finding> {
    let word = site.word(site.start);
    if !matches!(word, "exclusive" | "independent") || !site.wants(",") || site.wants_expression() {
        return None;
    }
    let diagnostic = complain(site, format!("`{word}` is about two operations"))
        .note(format!("write `{word} f, g;`"));
    Some(Finding {
        diagnostic,
        edit: skip(site),
    })
}
