//! What the functions that print or write to files read: which of their arguments lead to texts and bytes.

use super::format::{Amount, Field, Part, parts};
use super::unconverted;
use c::typed::{Callee, ExprId, ExprKind as C, TextId, Unit};

/// An argument of a call, and what of the memory to which it leads is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Read {
    pub arg: ExprId,
    pub what: What,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// Characters up to a zero, or up to this many.
    Text(Option<Most>),
    /// Characters up to a zero, or nothing if the argument is the null pointer.
    TextOrNothing,
    /// Nothing, but the argument is a file and must not be the null pointer.
    Stream,
    /// As many bytes as one number says, or the product of two.
    Bytes(ExprId, Option<ExprId>),
    /// Nothing, but this format asks for an argument that the call does not have.
    NoArgument,
    /// Nothing, but a format takes this argument, which is no pointer, for a text.
    NoText,
}

impl What {
    /// Whether an argument says how much is read.
    pub fn counts_by(self, arg: ExprId) -> bool {
        match self {
            Self::Text(most) => most == Some(Most::Given(arg)),
            Self::TextOrNothing | Self::Stream | Self::NoArgument | Self::NoText => false,
            Self::Bytes(size, count) => size == arg || count == Some(arg),
        }
    }
}

/// How many characters are read at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Most {
    Known(u32),
    /// As many as the value of this argument; a negative value is no limit.
    Given(ExprId),
}

/// Our headers call these where a function of the library reads a text or bytes.
const READS: &str = "__library_reads";
const READS_BYTES: &str = "__library_reads_bytes";

/// Functions that print, with what they read.
enum Prints {
    /// The texts to which these arguments lead.
    Texts(&'static [usize]),
    /// The text of this argument, unless it is the null pointer.
    Perhaps(usize),
    /// What a format says. This argument is the format.
    Format(usize),
    /// The argument that leads to bytes, and one or two arguments whose product is their number.
    Bytes(usize, usize, Option<usize>),
    Nothing,
}

fn prints(name: &str) -> Option<Prints> {
    Some(match name {
        "printf" | "warn" | "warnx" | "printk" => Prints::Format(0),
        "fprintf" | "dprintf" | "syslog" => Prints::Format(1),
        "puts" | "fputs" | READS => Prints::Texts(&[0]),
        "perror" => Prints::Perhaps(0),
        "write" | "pwrite" => Prints::Bytes(1, 2, None),
        "fwrite" => Prints::Bytes(0, 1, Some(2)),
        READS_BYTES => Prints::Bytes(0, 1, None),
        "putchar" | "fflush" | "putc" | "fputc" | "setbuf" | "setvbuf" | "__VERIFIER_print" => {
            Prints::Nothing
        }
        _ => return None,
    })
}

/// Whether a function of the library prints what it is given, and does nothing else.
pub fn is_output(name: &str) -> bool {
    prints(name).is_some()
}

/// The format of a call that prints by a format, and the arguments for its fields.
pub fn printed_by_format<'a>(name: &str, args: &'a [ExprId]) -> Option<(ExprId, &'a [ExprId])> {
    let Prints::Format(at) = prints(name)? else {
        return None;
    };
    Some((*args.get(at)?, &args[at + 1..]))
}

/// What a call reads of the memory to which its arguments lead. A format that is known is not read.
pub fn reads(unit: &Unit, name: &str, args: &[ExprId]) -> Vec<Read> {
    let read = |at: usize, what: What| args.get(at).map(|&arg| Read { arg, what });
    let stream = match name {
        "fprintf" | "vfprintf" | "fscanf" => read(0, What::Stream),
        "fputs" | "fputc" | "putc" => read(1, What::Stream),
        "fwrite" => read(3, What::Stream),
        _ => None,
    };
    let mut all: Vec<Read> = stream.into_iter().collect();
    all.extend(own_reads(unit, name, args));
    all
}

/// As [`reads`], without the file.
fn own_reads(unit: &Unit, name: &str, args: &[ExprId]) -> Vec<Read> {
    let read = |at: usize, what: What| args.get(at).map(|&arg| Read { arg, what });
    match prints(name) {
        Some(Prints::Texts(all)) => all
            .iter()
            .filter_map(|&at| read(at, What::Text(None)))
            .collect(),
        Some(Prints::Perhaps(at)) => read(at, What::TextOrNothing).into_iter().collect(),
        Some(Prints::Bytes(at, size, count)) => {
            let count = count.and_then(|count| args.get(count).copied());
            let bytes = args
                .get(size)
                .and_then(|&size| read(at, What::Bytes(size, count)));
            bytes.into_iter().collect()
        }
        Some(Prints::Format(_)) => match printed_by_format(name, args) {
            Some((format, values)) => texts_of_format(unit, format, values),
            None => Vec::new(),
        },
        Some(Prints::Nothing) | None => Vec::new(),
    }
}

/// The format of a call, if it is only known when the program runs.
pub fn read_format(unit: &Unit, format: ExprId) -> Vec<Read> {
    let what = What::Text(None);
    match literal(unit, format) {
        Some(_) => Vec::new(),
        None => vec![Read { arg: format, what }],
    }
}

/// The texts that a format asks for, and the format itself if it is only known when the program runs.
pub fn texts_of_format(unit: &Unit, format: ExprId, values: &[ExprId]) -> Vec<Read> {
    match literal(unit, format) {
        Some(known) => texts_of(unit, &known, format, values),
        None => read_format(unit, format),
    }
}

/// Whether a literal, as a format, asks for a text or for an argument that is not there.
pub fn asks_for_more(unit: &Unit, literal: TextId, format: ExprId, values: &[ExprId]) -> bool {
    !texts_of(unit, &unit[literal].values, format, values).is_empty()
}

fn texts_of(unit: &Unit, known: &[u32], format: ExprId, values: &[ExprId]) -> Vec<Read> {
    let mut values = values.iter().copied();
    let mut all = Vec::new();
    for part in parts(known) {
        let field = match part {
            Part::Plain(_) => continue,
            Part::Field(field) if field.letter == '$' => break,
            Part::Field(field) => field,
            Part::Open => break,
        };
        match text_of_field(unit, &field, &mut values) {
            Some(read) => all.extend(read),
            None => {
                let what = What::NoArgument;
                all.push(Read { arg: format, what });
                break;
            }
        }
    }
    all
}

/// The text that a field asks for, if it asks for one. `None` if an argument is missing.
fn text_of_field(
    unit: &Unit,
    field: &Field,
    values: &mut dyn Iterator<Item = ExprId>,
) -> Option<Option<Read>> {
    if field.width == Amount::Given {
        values.next()?;
    }
    let most = match field.precision {
        Some(Amount::Given) => Some(Most::Given(values.next()?)),
        Some(Amount::Known(most)) => Some(Most::Known(most)),
        None => None,
    };
    if matches!(field.letter, '%' | 'm') {
        return Some(None);
    }
    let arg = values.next()?;
    let what = match unit.types.pointee(unit[arg].ty.ty) {
        Some(_) => What::Text(most),
        None => What::NoText,
    };
    let is_text = field.letter == 's' && field.size.is_empty() && !is_text_of_library(unit, arg);
    Some(is_text.then_some(Read { arg, what }))
}

/// Whether an argument is a text that the library keeps, which nothing can be wrong with.
fn is_text_of_library(unit: &Unit, arg: ExprId) -> bool {
    let C::Call(Callee::Direct(function), _) = unit[unconverted(unit, arg)].kind else {
        return false;
    };
    let own = &unit[function];
    let named = matches!(
        unit.name(own.name),
        "strerror" | "strsignal" | "gai_strerror" | "hstrerror"
    );
    let parameter = own.params.first().and_then(|&id| unit[id].name);
    // A program may have such a function itself, but no parameter with a name of the library.
    named && parameter.is_some_and(|name| unit.name(name).starts_with("__"))
}

/// The characters of a string literal, up to its first zero.
pub fn literal(unit: &Unit, text: ExprId) -> Option<Vec<u32>> {
    let C::Decay(of) = unit[unconverted(unit, text)].kind else {
        return None;
    };
    match unit[of].kind {
        C::Text(text) if super::is_character(unit, unit[text].element) => {
            let values = unit[text].values.iter().copied();
            Some(values.take_while(|&v| v != 0).collect())
        }
        _ => None,
    }
}
