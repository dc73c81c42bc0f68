//! Turns values in a solver's text into data.
//!
//! Numbers and truth values are literals; an array is a chain of `store` over a constant array, or a function that
//! compares its argument with literals: a `lambda`, or one that `as-array` names.

use std::collections::BTreeMap;
use std::rc::Rc;

use rustc_hash::FxHashMap;
use smtlib_lowlevel::ast::{SExpr, SpecConstant};

use crate::encode::Encoding;
use crate::model::{Shape, signed};
use crate::term::{Datum, MapDatum};

use super::answer::{items, word};

/// A function of one parameter.
#[derive(Clone, Copy, Debug)]
pub struct Function<'a> {
    pub parameter: &'a str,
    pub body: SExpr<'a>,
}

pub struct Reader<'a, 'f> {
    functions: &'f FxHashMap<&'a str, Function<'a>>,
    /// The meaning of names inside a value.
    names: FxHashMap<&'a str, SExpr<'a>>,
}

/// How a map's value is read.
#[derive(Clone, Copy)]
struct Of<'s> {
    index: Encoding,
    inner: &'s [Encoding],
    element: Encoding,
}

/// The values at some indices; the first one at an index counts.
type Stores = Vec<(i128, Datum)>;

/// How deep a `let` may stand in a binding of another: solvers write at most one level.
const LETS: usize = 100;

impl<'a, 'f> Reader<'a, 'f> {
    /// Makes a reader that knows the functions that `as-array` names.
    pub fn new(functions: &'f FxHashMap<&'a str, Function<'a>>) -> Self {
        Self {
            functions,
            names: FxHashMap::default(),
        }
    }

    /// The value of a variable.
    pub fn datum(&mut self, value: SExpr<'a>, shape: &Shape) -> Option<Datum> {
        self.value(value, &shape.indices, shape.element)
    }

    fn value(
        &mut self,
        value: SExpr<'a>,
        indices: &[Encoding],
        element: Encoding,
    ) -> Option<Datum> {
        match *indices {
            [] => self.scalar(value, element),
            [index, ref inner @ ..] => self.map(
                value,
                Of {
                    index,
                    inner,
                    element,
                },
            ),
        }
    }

    fn map(&mut self, mut value: SExpr<'a>, of: Of) -> Option<Datum> {
        let mut stores = Stores::new();
        let rest = loop {
            value = self.behind(value, 0)?;
            let parts = items(&value);
            match (parts.first().and_then(word), parts) {
                (Some("store"), &[_, map, index, stored]) => {
                    let index = self.index(index, of)?;
                    stores.push((index, self.value(stored, of.inner, of.element)?));
                    value = map;
                }
                (Some("lambda"), &[_, parameters, body]) => {
                    let [parameter] = items(&parameters) else {
                        return None;
                    };
                    let parameter = items(parameter).first().and_then(word)?;
                    break self.cases(Function { parameter, body }, of, &mut stores)?;
                }
                (Some("_"), [_, as_array, name]) if word(as_array) == Some("as-array") => {
                    let function = *self.functions.get(word(name)?)?;
                    break self.cases(function, of, &mut stores)?;
                }
                (None, [constant, rest])
                    if items(constant).first().and_then(word) == Some("as") =>
                {
                    break self.value(*rest, of.inner, of.element)?;
                }
                _ => return None,
            }
        };
        let entries: BTreeMap<i128, Datum> = stores.into_iter().rev().collect();
        Some(Datum::Map(Rc::new(MapDatum { entries, rest })))
    }

    /// Reads a function. Adds its value at each number that it compares its argument with; returns its value at all others.
    fn cases(&mut self, function: Function<'a>, of: Of, stores: &mut Stores) -> Option<Datum> {
        let mut body = function.body;
        loop {
            body = self.behind(body, 0)?;
            let &[ite, condition, value, rest] = items(&body) else {
                return self.value(body, of.inner, of.element);
            };
            if word(&ite) != Some("ite") {
                return None;
            }
            let number = self.compared(condition, function.parameter, of)?;
            stores.push((number, self.value(value, of.inner, of.element)?));
            body = rest;
        }
    }

    /// The number that a condition compares a parameter with.
    fn compared(&mut self, condition: SExpr<'a>, parameter: &str, of: Of) -> Option<i128> {
        let condition = self.behind(condition, 0)?;
        let &[equal, a, b] = items(&condition) else {
            return None;
        };
        if word(&equal) != Some("=") {
            return None;
        }
        let is_parameter = |side: &SExpr<'a>| word(side) == Some(parameter);
        let number = match (is_parameter(&a), is_parameter(&b)) {
            (true, false) => b,
            (false, true) => a,
            _ => return None,
        };
        self.index(number, of)
    }

    fn index(&mut self, number: SExpr<'a>, of: Of) -> Option<i128> {
        self.scalar(number, of.index)?.int()
    }

    fn scalar(&mut self, value: SExpr<'a>, encoding: Encoding) -> Option<Datum> {
        let value = self.behind(value, 0)?;
        match word(&value) {
            Some("true") => return Some(Datum::Bool(true)),
            Some("false") => return Some(Datum::Bool(false)),
            _ => {}
        }
        let number = signed(number(&value)?, encoding);
        Some(Datum::Int(number))
    }

    /// What a name or a `let` stands for.
    fn behind(&mut self, mut value: SExpr<'a>, depth: usize) -> Option<SExpr<'a>> {
        loop {
            if let Some(meant) = word(&value).and_then(|name| self.names.get(name)) {
                value = *meant;
                continue;
            }
            match *items(&value) {
                [binder, bindings, body] if word(&binder) == Some("let") && depth < LETS => {
                    let mut bound = Vec::new();
                    for binding in items(&bindings) {
                        let &[name, value] = items(binding) else {
                            return None;
                        };
                        bound.push((word(&name)?, self.behind(value, depth + 1)?));
                    }
                    self.names.extend(bound);
                    value = body;
                }
                _ => return Some(value),
            }
        }
    }
}

/// A number as it is written: `5`, `-5`, `(- 5)`, `#b101`, `#x5` or `(_ bv5 8)`.
fn number(value: &SExpr) -> Option<i128> {
    match value {
        SExpr::SpecConstant(SpecConstant::Numeral(digits)) => {
            digits.into_u128().ok()?.try_into().ok()
        }
        SExpr::SpecConstant(SpecConstant::Binary(bits)) => {
            i128::from_str_radix(&bits.0[2..], 2).ok()
        }
        SExpr::SpecConstant(SpecConstant::Hexadecimal(digits)) => {
            i128::from_str_radix(&digits.0[2..], 16).ok()
        }
        SExpr::Symbol(word) => word.0.parse().ok(),
        SExpr::Paren([minus, size @ SExpr::SpecConstant(_)]) if word(minus) == Some("-") => {
            number(size)?.checked_neg()
        }
        SExpr::Paren([underscore, vector, _]) if word(underscore) == Some("_") => {
            word(vector)?.strip_prefix("bv")?.parse().ok()
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::smtlib::datum;

    const BYTE: Encoding = Encoding::Bits {
        width: 8,
        signed: true,
    };

    fn read(text: &str, indices: &[Encoding], element: Encoding) -> Option<Datum> {
        let shape = Shape {
            indices: indices.to_vec(),
            element,
        };
        datum(text, &shape)
    }

    fn map(entries: &[(i128, Datum)], rest: Datum) -> Option<Datum> {
        let entries = entries.iter().cloned().collect();
        Some(Datum::Map(Rc::new(MapDatum { entries, rest })))
    }

    fn int(number: i128) -> Datum {
        Datum::Int(number)
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
            ("(_ bv255 8)", BYTE, -1),
            ("-3", Encoding::Int, -3),
            (
                "(let ((a 1) (b 2)) (let ((a b) (b a)) b))",
                Encoding::Int,
                1,
            ),
        ] {
            assert_eq!(read(text, &[], encoding), Some(int(value)), "{text}");
        }
        assert_eq!(read("true", &[], Encoding::Int), Some(Datum::Bool(true)));
        for text in [
            "",
            "x",
            "(f 1)",
            "(_ as-array k)",
            "1e3",
            "#b",
            "(- -)",
            "1 2",
            "(- (- 1))",
        ] {
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
}
