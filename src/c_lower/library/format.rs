//! The formats of `printf` and its like.

use c::types::IntKind;

/// A part of a text that a format makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    /// A character of the format itself.
    Plain(u32),
    /// A field, which arguments fill.
    Field(Field),
}

/// What stands for an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Field {
    pub(super) what: What,
    /// The least number of characters.
    pub(super) width: Amount,
    /// The text comes before what fills it up.
    pub(super) left: bool,
    /// Zeros fill it up, unless an argument says how many digits there are.
    pub(super) zeros: bool,
    /// The least number of digits, or the greatest number of characters of a text.
    pub(super) precision: Option<Amount>,
    /// What stands before a number that is not negative.
    pub(super) plus: Option<char>,
    /// `0x` before a number in base 16, and a zero as the first digit in base 8.
    pub(super) marked: bool,
}

/// A number within a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Amount {
    Known(u32),
    /// `*`: an argument of its own.
    Given,
}

/// How an argument is spelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum What {
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
pub(super) fn pieces(format: &[u32]) -> Option<Vec<Piece>> {
    let mut rest = format.iter().copied().map(char::from_u32).peekable();
    let mut pieces = Vec::new();
    while let Some(next) = rest.next() {
        let char = next?;
        if char != '%' {
            pieces.push(Piece::Plain(char.into()));
        } else if rest.peek() == Some(&Some('%')) {
            rest.next();
            pieces.push(Piece::Plain('%'.into()));
        } else {
            pieces.push(Piece::Field(field(&mut || rest.next().flatten())?));
        }
    }
    Some(pieces)
}

/// Whether a format that is not spelled out may contain `%n`.
pub(super) fn may_count(format: &[u32]) -> bool {
    c_memory::converts(format, "hljztqL", "n")
}

/// What follows a `%`.
fn field(next: &mut dyn FnMut() -> Option<char>) -> Option<Field> {
    let mut char = next()?;
    let mut flags = String::new();
    while matches!(char, '-' | '0' | '+' | ' ' | '#') {
        flags.push(char);
        char = next()?;
    }
    let width = amount(&mut char, next)?;
    let precision = match char {
        '.' => {
            char = next()?;
            Some(amount(&mut char, next)?)
        }
        _ => None,
    };
    let mut size = String::new();
    while matches!(char, 'h' | 'l' | 'j' | 'z' | 't') {
        size.push(char);
        char = next()?;
    }
    let what = match (char, size.as_str()) {
        ('s', "") => What::Text,
        ('c', "") if precision.is_none() => What::Char,
        ('c', "") => return None,
        ('n', "" | "hh" | "h" | "l" | "ll" | "j" | "z" | "t") => What::Count,
        (_, size) => integer(char, size)?,
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

/// Reads a number or a `*`, and leaves the character behind it in `char`.
fn amount(char: &mut char, next: &mut dyn FnMut() -> Option<char>) -> Option<Amount> {
    if *char == '*' {
        *char = next()?;
        return Some(Amount::Given);
    }
    let mut number = 0;
    while let Some(digit) = char.to_digit(10) {
        number = number * 10 + digit;
        if number > MOST_WIDE {
            return None;
        }
        *char = next()?;
    }
    Some(Amount::Known(number))
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
        _ => return None,
    };
    Some(What::Number {
        kind,
        base,
        capitals: char == 'X',
        signed: base == 10 && char != 'u',
    })
}
