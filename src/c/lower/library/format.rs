//! The formats of `printf` and its like.

use crate::c::types::IntKind;

/// A part of a text that a format makes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Piece {
    /// A character of the format itself.
    Plain(u32),
    /// What the next argument says.
    Field(Field),
}

/// What stands for an argument.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Field {
    pub(super) what: What,
    /// So many characters at least.
    pub(super) width: u32,
    /// The text comes before what fills it up.
    pub(super) left: bool,
    /// Zeros fill it up.
    pub(super) zeros: bool,
}

/// How an argument is spelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum What {
    Number {
        kind: IntKind,
        base: u32,
        capitals: bool,
    },
    Char,
    Text {
        /// So many characters at most.
        most: Option<u32>,
    },
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

/// What follows a `%`.
fn field(next: &mut dyn FnMut() -> Option<char>) -> Option<Field> {
    let mut char = next()?;
    let (mut left, mut zeros) = (false, false);
    while matches!(char, '-' | '0') {
        left |= char == '-';
        zeros |= char == '0';
        char = next()?;
    }
    let width = number(&mut char, next)?;
    let precision = match char {
        '.' => {
            char = next()?;
            Some(number(&mut char, next)?)
        }
        _ => None,
    };
    let mut size = String::new();
    while matches!(char, 'h' | 'l' | 'j' | 'z' | 't') {
        size.push(char);
        char = next()?;
    }
    let what = match (char, size.as_str(), precision) {
        ('s', "", most) => What::Text { most },
        ('c', "", None) => What::Char,
        (_, size, None) => integer(char, size)?,
        _ => return None,
    };
    let zeros = zeros && !left;
    if zeros && !matches!(what, What::Number { .. }) {
        return None;
    }
    Some(Field {
        what,
        width,
        left,
        zeros,
    })
}

/// The digits from here on, and what comes behind them.
fn number(char: &mut char, next: &mut dyn FnMut() -> Option<char>) -> Option<u32> {
    let mut number = 0;
    while let Some(digit) = char.to_digit(10) {
        number = number * 10 + digit;
        if number > MOST_WIDE {
            return None;
        }
        *char = next()?;
    }
    Some(number)
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
    })
}
