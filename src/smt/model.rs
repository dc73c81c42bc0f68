//! Models as text: from SMT-LIB values to data.
//!
//! Numbers and truth values are literals; an array is a chain of `store` over a constant array, or a
//! function `lambda` that compares its argument with literals.

use std::collections::BTreeMap;
use std::rc::Rc;

use rustc_hash::FxHashMap;

use super::encode::{Encoding, Plan};
use super::term::{Datum, MapDatum, Sort, Term, Terms};

/// How the value of a variable is read: the encodings of a map's indices, from the first inwards, and of the element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    indices: Vec<Encoding>,
    element: Encoding,
}

impl Shape {
    /// Of a variable.
    #[must_use]
    pub fn of(terms: &Terms, plan: &Plan, term: Term) -> Self {
        let depth = match terms.sort(term) {
            Sort::Map { depth, .. } => u32::from(depth),
            _ => 0,
        };
        Self {
            indices: (1..=depth).map(|d| plan.index(term, d)).collect(),
            element: plan.encoding(term),
        }
    }

    /// What an unsigned number means as an element.
    #[must_use]
    pub fn element(&self, number: i128) -> i128 {
        signed(number, self.element)
    }
}

/// Two's complement where the encoding is signed.
fn signed(number: i128, encoding: Encoding) -> i128 {
    match encoding {
        Encoding::Bits {
            width,
            signed: true,
        } if number >> (width - 1) & 1 == 1 => number - (1 << width),
        _ => number,
    }
}

/// A text of nested lists, taken apart. Every list comes after what it holds.
#[derive(Debug)]
pub struct Lists {
    nodes: Vec<Node>,
    /// What stands in no list.
    top: Vec<usize>,
}

#[derive(Debug)]
enum Node {
    Word(String),
    List(Vec<usize>),
}

/// What names stand for inside a value.
type Names = FxHashMap<String, usize>;

impl Lists {
    /// Takes a text apart. Brackets that do not match end it.
    #[must_use]
    pub fn new(text: &str) -> Self {
        let (mut nodes, mut open) = (Vec::new(), vec![Vec::new()]);
        for token in tokens(text) {
            match token.as_str() {
                "(" => open.push(Vec::new()),
                ")" if open.len() > 1 => {
                    nodes.push(Node::List(open.pop().unwrap_or_default()));
                    add(&mut open, nodes.len() - 1);
                }
                ")" => break,
                _ => {
                    nodes.push(Node::Word(token));
                    add(&mut open, nodes.len() - 1);
                }
            }
        }
        Self {
            nodes,
            top: open.swap_remove(0),
        }
    }

    /// The pairs of a name and a value in an answer to `get-value`.
    #[must_use]
    pub fn pairs(&self) -> FxHashMap<&str, usize> {
        let answer = self.top.iter().flat_map(|&at| self.list(at));
        let pair = |&at: &usize| match self.list(at) {
            &[name, value] => Some((self.word(name)?, value)),
            _ => None,
        };
        answer.filter_map(pair).collect()
    }

    /// The first of what stands in no list.
    #[must_use]
    pub fn first(&self) -> Option<usize> {
        self.top.first().copied()
    }

    fn list(&self, at: usize) -> &[usize] {
        match &self.nodes[at] {
            Node::List(items) => items,
            Node::Word(_) => &[],
        }
    }

    fn word(&self, at: usize) -> Option<&str> {
        match &self.nodes[at] {
            Node::Word(word) => Some(word),
            Node::List(_) => None,
        }
    }

    /// The words of a list of words.
    fn words(&self, at: usize) -> Vec<&str> {
        self.list(at)
            .iter()
            .map(|&i| self.word(i).unwrap_or("("))
            .collect()
    }

    /// The value of a variable.
    #[must_use]
    pub fn datum(&self, at: usize, shape: &Shape) -> Option<Datum> {
        self.value(at, &mut Names::default(), &shape.indices, shape.element)
    }

    fn value(
        &self,
        at: usize,
        names: &mut Names,
        indices: &[Encoding],
        element: Encoding,
    ) -> Option<Datum> {
        match indices {
            [] => self.literal(self.behind(at, names), element),
            [index, inner @ ..] => {
                let (mut stores, mut at) = (Vec::new(), at);
                // The last store counts, and it is the outermost.
                let rest = loop {
                    at = self.behind(at, names);
                    match *self.list(at) {
                        [store, map, i, value] if self.word(store) == Some("store") => {
                            let i = self.literal(self.behind(i, names), *index)?.int()?;
                            stores.push((i, self.value(value, names, inner, element)?));
                            at = map;
                        }
                        [constant, value] if self.words(constant).first() == Some(&"as") => {
                            break self.value(value, names, inner, element)?;
                        }
                        [lambda, bound, body] if self.word(lambda) == Some("lambda") => {
                            let bound =
                                self.word(*self.list(*self.list(bound).first()?).first()?)?;
                            break self.cases(
                                bound,
                                body,
                                names,
                                (*index, inner, element),
                                &mut stores,
                            )?;
                        }
                        _ => return None,
                    }
                };
                let entries: BTreeMap<i128, Datum> = stores.into_iter().rev().collect();
                Some(Datum::Map(Rc::new(MapDatum { entries, rest })))
            }
        }
    }

    /// `(ite (= bound literal) value rest)`, some of them inside each other: adds the values, gives the last rest.
    fn cases(
        &self,
        bound: &str,
        mut body: usize,
        names: &mut Names,
        (index, inner, element): (Encoding, &[Encoding], Encoding),
        stores: &mut Vec<(i128, Datum)>,
    ) -> Option<Datum> {
        loop {
            body = self.behind(body, names);
            let &[ite, condition, value, rest] = self.list(body) else {
                return self.value(body, names, inner, element);
            };
            let &[equal, a, b] = self.list(self.behind(condition, names)) else {
                return None;
            };
            if self.word(ite) != Some("ite") || self.word(equal) != Some("=") {
                return None;
            }
            let (a, b) = (self.behind(a, names), self.behind(b, names));
            let number = if self.word(a) == Some(bound) { b } else { a };
            let number = self.literal(number, index)?.int()?;
            stores.push((number, self.value(value, names, inner, element)?));
            body = rest;
        }
    }

    /// What a name or a `let` stands for.
    fn behind(&self, mut at: usize, names: &mut Names) -> usize {
        loop {
            if let Some(&value) = self.word(at).and_then(|name| names.get(name)) {
                at = value;
                continue;
            }
            match *self.list(at) {
                [word, bindings, body] if self.word(word) == Some("let") => {
                    for &binding in self.list(bindings) {
                        if let &[name, value] = self.list(binding)
                            && let Some(name) = self.word(name)
                        {
                            let value = self.behind(value, names);
                            names.insert(name.to_owned(), value);
                        }
                    }
                    at = body;
                }
                _ => return at,
            }
        }
    }

    fn literal(&self, at: usize, encoding: Encoding) -> Option<Datum> {
        let number = match self.word(at) {
            Some("true") => return Some(Datum::Bool(true)),
            Some("false") => return Some(Datum::Bool(false)),
            Some(word) => numeral(word)?,
            None => match self.words(at)[..] {
                ["-", digits] => -numeral(digits)?,
                ["_", vector, _] => vector.strip_prefix("bv")?.parse().ok()?,
                _ => return None,
            },
        };
        Some(Datum::Int(Some(signed(number, encoding))))
    }
}

fn add(open: &mut [Vec<usize>], node: usize) {
    if let Some(list) = open.last_mut() {
        list.push(node);
    }
}

fn numeral(word: &str) -> Option<i128> {
    let radix = |prefix: &str, base| {
        let digits = word.strip_prefix(prefix)?;
        Some(i128::from_str_radix(digits, base).ok())
    };
    radix("#b", 2)
        .or_else(|| radix("#x", 16))
        .unwrap_or_else(|| word.parse().ok())
}

fn tokens(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '(' | ')' => found.push(c.to_string()),
            '|' => {
                let name: String = chars.by_ref().take_while(|&c| c != '|').collect();
                found.push(format!("|{name}|"));
            }
            c if c.is_whitespace() => {}
            c => {
                let mut word = c.to_string();
                while let Some(&next) = chars.peek() {
                    if next.is_whitespace() || matches!(next, '(' | ')' | '|') {
                        break;
                    }
                    word.push(next);
                    chars.next();
                }
                found.push(word);
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    const BYTE: Encoding = Encoding::Bits {
        width: 8,
        signed: true,
    };

    fn read(text: &str, indices: &[Encoding], element: Encoding) -> Option<Datum> {
        let lists = Lists::new(text);
        let shape = Shape {
            indices: indices.to_vec(),
            element,
        };
        lists.datum(lists.first()?, &shape)
    }

    fn map(entries: &[(i128, Datum)], rest: Datum) -> Option<Datum> {
        let entries = entries.iter().cloned().collect();
        Some(Datum::Map(Rc::new(MapDatum { entries, rest })))
    }

    fn int(number: i128) -> Datum {
        Datum::Int(Some(number))
    }

    #[test]
    fn literals_of_all_forms_are_read() {
        for (text, encoding, value) in [
            ("#b101", Encoding::Int, 5),
            ("#xff", Encoding::Int, 255),
            ("#xff", BYTE, -1),
            ("(- 7)", Encoding::Int, -7),
            ("12", Encoding::Int, 12),
            ("(_ bv9 64)", Encoding::Int, 9),
        ] {
            assert_eq!(read(text, &[], encoding), Some(int(value)), "{text}");
        }
        assert_eq!(read("true", &[], Encoding::Int), Some(Datum::Bool(true)));
        for text in ["", "x", "(f 1)", "(_ as-array k)", "1e3", "#b"] {
            assert_eq!(read(text, &[], Encoding::Int), None, "{text}");
        }
    }

    #[test]
    fn arrays_of_all_forms_are_read() {
        let constant = "((as const (Array Int Int)) 4)";
        let stores = format!("(store (store {constant} (- 1) 5) (- 1) 6)");
        let expected = map(&[(-1, int(6))], int(4));
        assert_eq!(read(&stores, &[Encoding::Int], Encoding::Int), expected);
        let shared = format!(
            "(let ((a!1 (store {constant} (- 1) 3))) (let ((b!1 6)) (store a!1 (- 1) b!1)))"
        );
        assert_eq!(read(&shared, &[Encoding::Int], Encoding::Int), expected);
        let function = "(lambda ((x!1 Int)) (ite (= x!1 (- 1)) 6 (ite (= 2 x!1) 4 4)))";
        let longer = map(&[(-1, int(6)), (2, int(4))], int(4));
        assert_eq!(read(function, &[Encoding::Int], Encoding::Int), longer);
        assert_eq!(
            read(
                "(lambda ((x Int)) (ite (<= x 1) 1 2))",
                &[Encoding::Int],
                BYTE
            ),
            None
        );
    }

    #[test]
    fn maps_of_maps_are_read() {
        let inner = "((as const (Array (_ BitVec 8) Bool)) false)";
        let text = format!(
            "(store ((as const (Array Int (Array (_ BitVec 8) Bool))) {inner}) 3 (store {inner} #xfe true))"
        );
        let rest = map(&[], Datum::Bool(false)).unwrap();
        let three = map(&[(-2, Datum::Bool(true))], Datum::Bool(false)).unwrap();
        let shape = [Encoding::Int, BYTE];
        assert_eq!(read(&text, &shape, Encoding::Int), map(&[(3, three)], rest));
    }

    #[test]
    fn pairs_are_found() {
        let lists = Lists::new("((|a b| true)\n (|x| #b101))");
        let pairs = lists.pairs();
        assert_eq!(pairs.len(), 2);
        assert!(pairs.contains_key("|a b|") && pairs.contains_key("|x|"));
        assert!(Lists::new(")(").pairs().is_empty());
    }
}
