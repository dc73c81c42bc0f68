//! Reads the answers of other solvers.
//!
//! The parser takes one expression at a time and recurses. So an answer is first cut into responses. The depth of each response
//! decides about the stack that its parser gets.

use std::thread;

use rustc_hash::FxHashMap;
use smtlib_lowlevel::Storage;
use smtlib_lowlevel::ast::{SExpr, SpecConstant};
use smtlib_lowlevel::lexicon::Symbol;

use crate::model::Shape;
use crate::term::Datum;

use super::value::{Function, Reader};

/// One response in a text of many: a list, or the rest of a line where no list begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Response<'a> {
    text: &'a str,
    /// How many lists are open at once, at most.
    depth: usize,
    /// Whether all of them are closed.
    whole: bool,
}

/// The responses of a text, one after the other.
struct Responses<'a> {
    left: &'a str,
}

impl<'a> Iterator for Responses<'a> {
    type Item = Response<'a>;

    fn next(&mut self) -> Option<Response<'a>> {
        self.left = without_blanks(self.left);
        if self.left.is_empty() {
            return None;
        }
        if !self.left.starts_with('(') {
            let (line, left) = self.left.split_once('\n').unwrap_or((self.left, ""));
            self.left = left;
            return Some(Response {
                text: line.trim_end(),
                depth: 0,
                whole: true,
            });
        }
        let (mut at, mut open, mut depth) = (0, 0_usize, 0);
        while at == 0 || open > 0 && at < self.left.len() {
            let rest = &self.left[at..];
            match rest.as_bytes()[0] {
                b'(' => open += 1,
                b')' => open -= 1,
                _ => {}
            }
            depth = depth.max(open);
            at += token(rest);
        }
        let (text, left) = self.left.split_at(at);
        self.left = left;
        let whole = open == 0;
        Some(Response { text, depth, whole })
    }
}

/// The rest of a text behind blanks and comments.
fn without_blanks(mut text: &str) -> &str {
    loop {
        text = text.trim_start();
        if !text.starts_with(';') {
            return text;
        }
        text = text.find('\n').map_or("", |end| &text[end..]);
    }
}

/// How long the first token of a text is, where blanks are tokens too.
fn token(text: &str) -> usize {
    let end = |end: Option<usize>| end.map_or(text.len(), |at| at + 2);
    match text.as_bytes()[0] {
        b'(' | b')' => 1,
        b'|' => end(text[1..].find('|')),
        b'"' => end(text[1..].find('"')),
        b';' => end(text[1..].find('\n')),
        _ => text.find(['(', ')', '|', '"', ';']).unwrap_or(text.len()),
    }
}

/// Reads a solver's decision: `None` if unsatisfiable, else the responses after `sat`.
///
/// # Errors
/// When it is neither, with what the solver did.
pub fn verdict(output: &str) -> Result<Option<Vec<&str>>, String> {
    let told = |response: &Response| !matches!(response.text, "success" | "unsupported");
    let mut responses = Responses { left: output }.filter(told);
    let Some(first) = responses.next() else {
        return Err("says nothing".to_owned());
    };
    if !matches!(first.text, "sat" | "unsat") {
        return Err(refusal(&first));
    }
    let mut said = Vec::new();
    for response in responses {
        // After a verdict there are lists: values, or the complaint that there are none.
        if !response.text.starts_with('(') {
            let (first, then) = (first.text, short(response.text));
            return Err(format!("says `{first}` and then `{then}`"));
        }
        if !response.whole && first.text == "sat" {
            return Err(format!(
                "says sat, but its model ends in the middle: `{}`",
                short(response.text)
            ));
        }
        said.push(response.text);
    }
    Ok((first.text == "sat").then_some(said))
}

/// Says in words what a solver does that gives no verdict.
fn refusal(response: &Response) -> String {
    let mut storage = Storage::new();
    let lists = parse(&mut storage, response.text);
    let error = lists.and_then(|lists| complaint(lists.first()?));
    error.unwrap_or_else(|| format!("says `{}`", short(response.text)))
}

/// The text of `(error "...")`.
fn complaint(list: &SExpr) -> Option<String> {
    let [word, SExpr::SpecConstant(SpecConstant::String(text))] = items(list) else {
        return None;
    };
    let is_error = *word == SExpr::Symbol(Symbol("error"));
    is_error.then(|| format!("reports an error: {}", short(&unquoted(text))))
}

/// The text of a string literal.
fn unquoted(literal: &str) -> String {
    let inner = literal.strip_prefix('"').and_then(|s| s.strip_suffix('"'));
    inner.unwrap_or(literal).replace("\"\"", "\"")
}

/// The beginning of a text, on one line.
fn short(text: &str) -> String {
    const LONG: usize = 120;
    let text = text.trim();
    let line = text.lines().next().unwrap_or_default();
    let cut: String = line.chars().take(LONG).collect();
    if cut.len() < text.len() {
        format!("{cut}...")
    } else {
        cut
    }
}

/// Values of names, and the functions that arrays among them may be given as.
#[derive(Debug, Default)]
pub struct Answer<'a> {
    values: FxHashMap<&'a str, SExpr<'a>>,
    functions: FxHashMap<&'a str, Function<'a>>,
    /// Why something is missing, if the solver says so.
    complaint: Option<String>,
}

impl<'a> Answer<'a> {
    /// Reads responses to `get-value` and, if there is one, to `get-model`.
    ///
    /// # Errors
    /// When they cannot be parsed, with their beginning.
    pub fn read(storage: &'a mut Storage, said: &[&str]) -> Result<Self, String> {
        let text = said.join("\n");
        let lists = parse(storage, &text).ok_or_else(|| format!("`{}`", short(&text)))?;
        let mut answer = Self {
            complaint: lists.iter().find_map(complaint),
            ..Self::default()
        };
        for item in lists.iter().flat_map(items) {
            match *items(item) {
                [name, value] => answer.values.extend(word(&name).map(|name| (name, value))),
                [_, name, SExpr::Paren([parameter]), _, body] => {
                    let parameter = items(parameter).first().and_then(word);
                    if let (Some(name), Some(parameter)) = (word(&name), parameter) {
                        answer.functions.insert(name, Function { parameter, body });
                    }
                }
                _ => {}
            }
        }
        Ok(answer)
    }

    /// The value of a name.
    ///
    /// # Errors
    /// When there is no value, or it cannot be read, in words.
    pub fn value(&self, name: &str, shape: &Shape) -> Result<Datum, String> {
        let name = bare(name);
        let value = self.values.get(name);
        let value = value.ok_or_else(|| match &self.complaint {
            Some(complaint) => format!("the solver {complaint}"),
            None => format!("there is no value of `{name}`"),
        })?;
        Reader::new(&self.functions)
            .datum(*value, shape)
            .ok_or_else(|| format!("`{name}` is `{}`", short(&shallow(*value))))
    }
}

/// The value of a variable, from its text.
#[must_use]
pub fn datum(text: &str, shape: &Shape) -> Option<Datum> {
    let mut storage = Storage::new();
    let &[value] = parse(&mut storage, text)? else {
        return None;
    };
    Reader::new(&FxHashMap::default()).datum(value, shape)
}

pub fn items<'a>(expression: &SExpr<'a>) -> &'a [SExpr<'a>] {
    match expression {
        SExpr::Paren(items) => items,
        _ => &[],
    }
}

/// A word: a symbol without its bars, or what the language reserves.
pub fn word<'a>(expression: &SExpr<'a>) -> Option<&'a str> {
    match expression {
        SExpr::Symbol(symbol) => Some(bare(symbol.0)),
        SExpr::Reserved(word) => Some(word.0),
        _ => None,
    }
}

fn bare(symbol: &str) -> &str {
    let inner = symbol.strip_prefix('|').and_then(|s| s.strip_suffix('|'));
    inner.unwrap_or(symbol)
}

/// The text of an expression, with `(...)` for lists inside.
fn shallow(expression: SExpr) -> String {
    match expression {
        SExpr::Paren(items) => {
            let words = items.iter().map(|item| match item {
                SExpr::Paren(_) => "(...)".to_owned(),
                other => other.to_string(),
            });
            format!("({})", words.collect::<Vec<_>>().join(" "))
        }
        other => other.to_string(),
    }
}

/// How many levels are parsed on the thread's own stack.
const SHALLOW: usize = 200;

/// How many levels are parsed at all: no value has as many.
const DEEPEST: usize = 1 << 17;

/// How much of a stack a level takes, in bytes, with a good reserve.
const LEVEL: usize = 16 << 10;

/// Parses a text into expressions. A thread with a stack that is large enough parses deep ones.
fn parse<'a>(storage: &'a mut Storage, text: &str) -> Option<&'a [SExpr<'a>]> {
    // The parser stops at the end of an expression, whatever follows.
    let text = format!("({text})");
    let mut responses = Responses { left: &text };
    let list = responses.next()?;
    if !list.whole || list.depth > DEEPEST || responses.next().is_some() {
        return None;
    }
    let list = if list.depth <= SHALLOW {
        SExpr::parse(storage, &text).ok()?
    } else {
        thread::scope(|scope| {
            let stack = thread::Builder::new().stack_size(list.depth * LEVEL);
            let parser = stack.spawn_scoped(scope, || {
                let storage = storage;
                SExpr::parse(storage, &text).ok()
            });
            parser.ok()?.join().ok()?
        })?
    };
    Some(items(&list))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encode::Encoding;

    #[test]
    fn answers_are_cut_into_responses() {
        let text = " sat \n; (a comment\n((|a )| \"(\"\"\") ; )\n) |b| c\n(";
        let cut: Vec<_> = Responses { left: text }.collect();
        let texts: Vec<_> = cut.iter().map(|response| response.text).collect();
        assert_eq!(texts[0], "sat");
        assert_eq!(texts[1], "((|a )| \"(\"\"\") ; )\n)");
        assert_eq!(texts[2..], ["|b| c", "("]);
        let depths: Vec<_> = cut.iter().map(|response| response.depth).collect();
        assert_eq!(depths, [0, 2, 0, 1]);
        assert!(cut[1].whole && !cut[3].whole);
    }

    #[test]
    fn verdicts_are_told_from_everything_else() {
        assert_eq!(verdict("unsat\n(error \"no model\")\n"), Ok(None));
        let values = vec!["((x 1))", "()"];
        assert_eq!(verdict("success\nsat\n((x 1))\n()"), Ok(Some(values)));
        for (text, said) in [
            ("", "says nothing"),
            ("; a comment", "says nothing"),
            ("unknown\n", "says `unknown`"),
            ("uns", "says `uns`"),
            (")", "says `)`"),
            ("(((", "says `(((`"),
            ("unsat sat", "says `unsat sat`"),
            ("unsat\nsat", "says `unsat` and then `sat`"),
            ("{\"a\": [1]}\n", "says `{\"a\": [1]}`"),
            ("sat\n((x 1)) {", "says `sat` and then `{`"),
            (
                "sat\n((x 1)",
                "says sat, but its model ends in the middle: `((x 1)`",
            ),
            (
                "(error \"line 3: a \"\"b\"\"\")\nsat",
                "reports an error: line 3: a \"b\"",
            ),
        ] {
            assert_eq!(verdict(text), Err(said.to_owned()), "{text}");
        }
        let long = "é(".repeat(1000);
        assert!(verdict(&long).unwrap_err().len() < 300);
    }

    fn value(said: &[&str], indices: &[Encoding]) -> Result<Datum, String> {
        let shape = Shape {
            indices: indices.to_vec(),
            element: Encoding::Int,
        };
        let mut storage = Storage::new();
        Answer::read(&mut storage, said)?.value("|a 1|", &shape)
    }

    #[test]
    fn names_are_found_with_and_without_bars() {
        for text in ["((|b 0| 1) (|a 1| 2))", "((|b| 1)\n (|a 1| 2))"] {
            assert_eq!(value(&[text], &[]), Ok(Datum::Int(2)), "{text}");
        }
        let missing = Err("there is no value of `a 1`".to_owned());
        assert_eq!(value(&["((b 1))"], &[]), missing);
        assert_eq!(value(&[], &[]), missing);
        assert_eq!(
            value(&["((|a 1| (f 1 (g))))"], &[]),
            Err("`a 1` is `(f 1 (...))`".to_owned())
        );
        for garbage in ["{", "(((|a 1|", "((|a 1| 1)))", "\u{0}"] {
            assert!(value(&[garbage], &[]).is_err(), "{garbage}");
        }
    }

    #[test]
    fn arrays_may_be_functions_of_the_model() {
        for head in ["", "model "] {
            let model = format!(
                "({head}(define-fun p () Bool true)
                 (define-fun |k!0| ((x!0 Int)) Int (ite (= x!0 3) (- 5) (ite (= 7 x!0) 1 0))))"
            );
            let said = ["((|a 1| (store (_ as-array k!0) 3 4)))", &model];
            let Ok(Datum::Map(map)) = value(&said, &[Encoding::Int]) else {
                panic!("{model}");
            };
            let entries: Vec<_> = map.entries.iter().map(|(i, v)| (*i, v.int())).collect();
            assert_eq!(entries, [(3, Some(4)), (7, Some(1))]);
            assert_eq!(map.rest, Datum::Int(0));
        }
        assert!(value(&["((|a 1| (_ as-array k)))", "()"], &[Encoding::Int]).is_err());
    }

    #[test]
    fn deep_values_do_not_end_the_stack() {
        let depth = 100_000;
        let stores: String = (0..depth).map(|i| format!(" {i} 1)")).collect();
        let text = format!("{}((as const X) 0){stores}", "(store ".repeat(depth));
        let shape = Shape {
            indices: vec![Encoding::Int],
            element: Encoding::Int,
        };
        let Some(Datum::Map(map)) = datum(&text, &shape) else {
            panic!("it is read");
        };
        assert_eq!(map.entries.len(), depth);
        let deeper = "(".repeat(DEEPEST) + &")".repeat(DEEPEST);
        assert_eq!(datum(&deeper, &shape), None);
        let lets = format!("{}1{}", "(let ((a ".repeat(depth), ")) a)".repeat(depth));
        assert_eq!(datum(&lets, &shape), None);
    }
}
