//! Writes terms as they are made.
//!
//! Every application gets a `define-fun` of its own, so that shared terms stay shared and no term that is
//! printed is deep: the printer recurses. Only names and numbers are kept.

use std::fmt::Write as _;

use rustc_hash::FxHashMap;
use smallvec::SmallVec;
use smtlib_lowlevel::Storage;
use smtlib_lowlevel::ast::{
    Command, FunctionDef, Identifier, Index, QualIdentifier, Sort, SpecConstant, Term,
};
use smtlib_lowlevel::lexicon::{Numeral, Symbol};

use crate::encode::{Backend, Fun, SmtSort};

/// A term in the text: a name or a number, and its sort.
#[derive(Clone, Copy, Debug)]
pub struct TextTerm<'st> {
    pub term: &'st Term<'st>,
    sort: &'st Sort<'st>,
}

/// Writes declarations and definitions.
#[derive(Debug)]
pub struct Text<'st> {
    storage: &'st Storage,
    /// The lines so far.
    pub lines: String,
    definitions: usize,
    vectors: FxHashMap<u32, &'st Sort<'st>>,
    /// Whether something is a mathematical integer, and whether something is an array.
    ints: bool,
    arrays: bool,
}

const BOOL: Sort<'static> = Sort::new_simple("Bool");
const INT: Sort<'static> = Sort::new_simple("Int");
const TRUE: Term<'static> = constant("true");
const FALSE: Term<'static> = constant("false");

/// Makes the term of a name without arguments.
pub const fn constant(name: &str) -> Term<'_> {
    Term::Identifier(plain(name))
}

const fn plain(name: &str) -> QualIdentifier<'_> {
    QualIdentifier::Identifier(Identifier::simple(name))
}

impl<'st> Text<'st> {
    /// Begins an empty text. All names, sorts and numbers are kept in the storage.
    pub fn new(storage: &'st Storage) -> Self {
        Self {
            storage,
            lines: String::new(),
            definitions: 0,
            vectors: FxHashMap::default(),
            ints: false,
            arrays: false,
        }
    }

    /// The smallest logic that has everything that is written.
    pub fn logic(&self) -> &'static str {
        match (self.arrays, self.ints) {
            (false, false) => "QF_BV",
            (true, false) => "QF_ABV",
            _ => "ALL",
        }
    }

    fn write(&mut self, command: &Command) {
        let _ = writeln!(self.lines, "{command}");
    }

    fn indices(&self, numbers: &[u32]) -> &'st [Index<'st>] {
        let index = |&number| Index::Numeral(Numeral::from_u128(u128::from(number)));
        let indices: SmallVec<[Index<'st>; 2]> = numbers.iter().map(index).collect();
        self.storage.alloc_slice(&indices)
    }

    fn indexed(&self, name: &'st str, numbers: &[u32]) -> QualIdentifier<'st> {
        QualIdentifier::Identifier(Identifier::indexed(name, self.indices(numbers)))
    }

    fn integers(&mut self) -> &'st Sort<'st> {
        self.ints = true;
        &INT
    }

    fn vectors(&mut self, width: u32) -> &'st Sort<'st> {
        if let Some(known) = self.vectors.get(&width) {
            return known;
        }
        let sort = Sort::new_indexed("BitVec", self.indices(&[width]));
        let sort: &'st Sort<'st> = self.storage.alloc(sort);
        self.vectors.insert(width, sort);
        sort
    }

    fn sort(&mut self, sort: &SmtSort) -> &'st Sort<'st> {
        match sort {
            SmtSort::Bool => &BOOL,
            SmtSort::Int => self.integers(),
            SmtSort::Bits(width) => self.vectors(*width),
            SmtSort::Array(index, element) => {
                self.arrays = true;
                let parts = [*self.sort(index), *self.sort(element)];
                let parts = self.storage.alloc_slice(&parts);
                self.storage
                    .alloc(Sort::new_simple_parametric("Array", parts))
            }
        }
    }

    /// The sort of an application.
    fn result(&mut self, fun: &Fun, args: &[TextTerm<'st>]) -> &'st Sort<'st> {
        match fun {
            Fun::Not | Fun::And | Fun::Or | Fun::Eq | Fun::Le | Fun::Lt => &BOOL,
            Fun::BvUle | Fun::BvSle | Fun::BvSlt => &BOOL,
            Fun::Ite => args[1].sort,
            Fun::Extract(high, low) => self.vectors(high - low + 1),
            Fun::ZeroExtend(more) | Fun::SignExtend(more) => {
                self.vectors(width(args[0].sort) + more)
            }
            Fun::IntToBv(width) => self.vectors(*width),
            Fun::BvToInt => self.integers(),
            Fun::ConstArray(sort) => self.sort(sort),
            Fun::Select => match args[0].sort {
                Sort::Parametric(_, [_, element]) => element,
                other => other,
            },
            _ => args[0].sort,
        }
    }

    /// How a function is written.
    fn function(&mut self, fun: &Fun) -> QualIdentifier<'st> {
        let name = name(fun);
        match fun {
            Fun::ConstArray(sort) => {
                QualIdentifier::Sorted(Identifier::simple(name), *self.sort(sort))
            }
            Fun::Extract(high, low) => self.indexed(name, &[*high, *low]),
            Fun::ZeroExtend(index) | Fun::SignExtend(index) | Fun::IntToBv(index) => {
                self.indexed(name, &[*index])
            }
            _ => plain(name),
        }
    }
}

impl<'st> Backend for Text<'st> {
    type Ast = TextTerm<'st>;

    fn declare(&mut self, name: &str, sort: &SmtSort) -> TextTerm<'st> {
        let sort = self.sort(sort);
        let name = self.storage.alloc_str(&quoted(name));
        self.write(&Command::DeclareFun(Symbol(name), &[], *sort));
        let term = self.storage.alloc(constant(name));
        TextTerm { term, sort }
    }

    fn truth(&mut self, value: bool) -> TextTerm<'st> {
        let term = if value { &TRUE } else { &FALSE };
        TextTerm { term, sort: &BOOL }
    }

    fn int(&mut self, value: i128) -> TextTerm<'st> {
        let sort = self.integers();
        let size = Numeral::from_u128(value.unsigned_abs());
        let mut term: &Term = self
            .storage
            .alloc(Term::SpecConstant(SpecConstant::Numeral(size)));
        if value < 0 {
            let args = self.storage.alloc_slice(&[term]);
            term = self.storage.alloc(Term::Application(plain("-"), args));
        }
        TextTerm { term, sort }
    }

    fn bits(&mut self, value: i128, width: u32) -> TextTerm<'st> {
        let low = if width >= 128 {
            value
        } else {
            value & ((1 << width) - 1)
        };
        let name = self
            .storage
            .alloc_str(&format!("bv{}", low.cast_unsigned()));
        let term = Term::Identifier(self.indexed(name, &[width]));
        TextTerm {
            term: self.storage.alloc(term),
            sort: self.vectors(width),
        }
    }

    fn apply(&mut self, fun: &Fun, args: &[TextTerm<'st>]) -> TextTerm<'st> {
        // A connective of one operand or none has no text of its own.
        match (fun, args) {
            (Fun::And, []) => return self.truth(true),
            (Fun::Or, []) => return self.truth(false),
            (Fun::And | Fun::Or, [one]) => return *one,
            _ => {}
        }
        let sort = self.result(fun, args);
        let function = self.function(fun);
        let args: SmallVec<[&Term; 3]> = args.iter().map(|arg| arg.term).collect();
        let name = self.storage.alloc_str(&format!("t{}", self.definitions));
        self.definitions += 1;
        let application = Term::Application(function, &args);
        let definition = FunctionDef(Symbol(name), &[], *sort, &application);
        self.write(&Command::DefineFun(definition));
        let term = self.storage.alloc(constant(name));
        TextTerm { term, sort }
    }
}

/// Puts a symbol between bars, which may hold everything but bars and backslashes. The name of a variable in a script has a blank
/// in it, so it differs from all other names there.
fn quoted(name: &str) -> String {
    format!("|{}|", name.replace(['|', '\\'], "_"))
}

/// How many bits a bit-vector has.
fn width(sort: &Sort) -> u32 {
    match sort {
        Sort::Sort(Identifier::Indexed(_, [Index::Numeral(width)])) => {
            let width = width.into_u128().ok();
            width.and_then(|w| u32::try_from(w).ok()).unwrap_or(0)
        }
        _ => 0,
    }
}

/// The name of a function in SMT-LIB.
fn name(fun: &Fun) -> &'static str {
    match fun {
        Fun::Not => "not",
        Fun::And => "and",
        Fun::Or => "or",
        Fun::Ite => "ite",
        Fun::Eq => "=",
        Fun::Add => "+",
        Fun::Neg => "-",
        Fun::Mul => "*",
        Fun::Div => "div",
        Fun::Mod => "mod",
        Fun::Le => "<=",
        Fun::Lt => "<",
        Fun::BvAdd => "bvadd",
        Fun::BvNeg => "bvneg",
        Fun::BvMul => "bvmul",
        Fun::BvUdiv => "bvudiv",
        Fun::BvUrem => "bvurem",
        Fun::BvSdiv => "bvsdiv",
        Fun::BvSrem => "bvsrem",
        Fun::BvAnd => "bvand",
        Fun::BvOr => "bvor",
        Fun::BvXor => "bvxor",
        Fun::BvShl => "bvshl",
        Fun::BvLshr => "bvlshr",
        Fun::BvAshr => "bvashr",
        Fun::BvUle => "bvule",
        Fun::BvSle => "bvsle",
        Fun::BvSlt => "bvslt",
        Fun::Extract(..) => "extract",
        Fun::ZeroExtend(_) => "zero_extend",
        Fun::SignExtend(_) => "sign_extend",
        Fun::IntToBv(_) => "int2bv",
        Fun::BvToInt => "bv2nat",
        Fun::Select => "select",
        Fun::Store => "store",
        Fun::ConstArray(_) => "const",
    }
}
