//! How fields of a format of `printf` are spelled out.

use c::types::IntKind;

use super::format::{Amount, Field as Written, Part, fields, parts};

/// A part of a text that a format makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Piece {
    /// A character of the format itself.
    Plain(u32),
    /// A field, which arguments fill.
    Field(Field),
}

/// A field of a format, which takes arguments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    pub what: What,
    /// The least number of characters.
    pub width: Amount,
    /// Whether the text comes before the characters that fill the field.
    pub left: bool,
    /// Whether zeros fill the field, unless an argument says how many digits there are.
    pub zeros: bool,
    /// The least number of digits, or the greatest number of characters of a text.
    pub precision: Option<Amount>,
    /// The sign before a number that is not negative.
    pub plus: Option<char>,
    /// `0x` before a number in base 16, `0b` before one in base 2, and a zero as the first digit in base 8.
    pub marked: bool,
}

/// How an argument is spelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    Number {
        kind: IntKind,
        base: u32,
        capitals: bool,
        signed: bool,
    },
    Char,
    Text,
    /// Nothing (`%n`): the argument says where to store the number of characters so far.
    Count,
}

/// Wider fields are not spelled out.
const MOST_WIDE: u32 = 1 << 12;

/// The pieces of a format; none if it has something else than integers, characters and texts.
#[must_use]
pub fn pieces(format: &[u32]) -> Option<Vec<Piece>> {
    let piece = |part| match part {
        Part::Plain(char) => Some(Piece::Plain(char)),
        Part::Field(written) => field(&written).map(Piece::Field),
        Part::Open => None,
    };
    parts(format).map(piece).collect()
}

/// Whether a format that is not spelled out may contain `%n`.
#[must_use]
pub fn may_count(format: &[u32]) -> bool {
    fields(format).any(|field| field.letter == 'n')
}

fn field(written: &Written) -> Option<Field> {
    let &Written {
        width, precision, ..
    } = written;
    let flags = &written.flags;
    let wide = |amount| matches!(amount, Amount::Known(number) if number > MOST_WIDE);
    if flags.contains('\'') || wide(width) || precision.is_some_and(wide) {
        return None;
    }
    let what = match (written.letter, &*written.size) {
        ('s', "") => What::Text,
        ('c', "") if precision.is_none() => What::Char,
        ('c', "") => return None,
        ('n', "" | "hh" | "h" | "l" | "ll" | "j" | "z" | "t") => What::Count,
        (letter, size) => integer(letter, size)?,
    };
    let (left, zeros, marked) = (
        flags.contains('-'),
        flags.contains('0'),
        flags.contains('#'),
    );
    // With other fields, these flags have no meaning in C.
    let meant = match what {
        What::Number { base, .. } => !marked || base != 10,
        What::Char | What::Text => !zeros && !marked,
        What::Count => flags.is_empty() && width == Amount::Known(0) && precision.is_none(),
    };
    let plus = match what {
        What::Number { signed: true, .. } if flags.contains('+') => Some('+'),
        What::Number { signed: true, .. } if flags.contains(' ') => Some(' '),
        _ => None,
    };
    meant.then_some(Field {
        what,
        width,
        left,
        zeros: zeros && !left && !matches!(precision, Some(Amount::Known(_))),
        precision,
        plus,
        marked,
    })
}

fn integer(char: char, size: &str) -> Option<What> {
    let (signed, unsigned) = match size {
        "hh" => (IntKind::SChar, IntKind::UChar),
        "h" => (IntKind::Short, IntKind::UShort),
        "" => (IntKind::Int, IntKind::UInt),
        "l" | "z" | "t" => (IntKind::Long, IntKind::ULong),
        "ll" | "j" => (IntKind::LongLong, IntKind::ULongLong),
        _ => return None,
    };
    let (kind, base) = match char {
        'd' | 'i' => (signed, 10),
        'u' => (unsigned, 10),
        'x' | 'X' => (unsigned, 16),
        'o' => (unsigned, 8),
        'b' => (unsigned, 2),
        _ => return None,
    };
    Some(What::Number {
        kind,
        base,
        capitals: char == 'X',
        signed: base == 10 && char != 'u',
    })
}
