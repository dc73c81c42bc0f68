//! The formats of `printf` and its like, as they are written.

use std::fmt;
use std::iter::from_fn;

/// A part of a format.
#[derive(Clone, Debug)]
pub enum Part {
    /// A character of the format itself.
    Plain(u32),
    Field(Field),
    /// The format ends within a field.
    Open,
}

/// What follows a `%`.
#[derive(Clone, Debug)]
pub struct Field {
    pub flags: String,
    /// The least number of characters.
    pub width: Amount,
    /// The number behind a `.`.
    pub precision: Option<Amount>,
    /// The letters before the last one.
    pub size: String,
    pub letter: char,
}

/// A number within a format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Amount {
    Known(u32),
    /// `*`: an argument of its own.
    Given,
}

impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Known(number) => write!(f, "{number}"),
            Self::Given => f.write_str("*"),
        }
    }
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.flags)?;
        if self.width != Amount::Known(0) {
            write!(f, "{}", self.width)?;
        }
        if let Some(precision) = self.precision {
            write!(f, ".{precision}")?;
        }
        write!(f, "{}{}", self.size, self.letter)
    }
}

impl Field {
    /// Whether nothing stands between the `%` and the size.
    #[must_use]
    pub fn is_bare(&self) -> bool {
        self.flags.is_empty() && self.width == Amount::Known(0) && self.precision.is_none()
    }

    fn is_percent(&self) -> bool {
        self.letter == '%' && self.size.is_empty() && self.is_bare()
    }
}

/// The parts of a format, up to its first zero.
pub fn parts(format: &[u32]) -> impl Iterator<Item = Part> {
    let mut rest = format.iter().copied().take_while(|&c| c != 0);
    let percent = u32::from('%');
    from_fn(move || {
        let first = rest.next()?;
        if first != percent {
            return Some(Part::Plain(first));
        }
        let mut next = || rest.next().map(|c| char::from_u32(c).unwrap_or_default());
        Some(match field(&mut next) {
            None => Part::Open,
            Some(field) if field.is_percent() => Part::Plain(percent),
            Some(field) => Part::Field(field),
        })
    })
}

/// The fields of a format that end.
pub fn fields(format: &[u32]) -> impl Iterator<Item = Field> {
    parts(format).filter_map(|part| match part {
        Part::Field(field) => Some(field),
        Part::Plain(_) | Part::Open => None,
    })
}

fn field(next: &mut dyn FnMut() -> Option<char>) -> Option<Field> {
    let mut char = next()?;
    let flags = letters(&mut char, "-0+ #'", next)?;
    let width = amount(&mut char, next)?;
    let precision = match char {
        '.' => {
            char = next()?;
            Some(amount(&mut char, next)?)
        }
        _ => None,
    };
    Some(Field {
        flags,
        width,
        precision,
        size: letters(&mut char, "hlLqjzt", next)?,
        letter: char,
    })
}

/// Reads letters, and leaves the character behind them in `char`.
fn letters(char: &mut char, which: &str, next: &mut dyn FnMut() -> Option<char>) -> Option<String> {
    let mut all = String::new();
    while which.contains(*char) {
        all.push(*char);
        *char = next()?;
    }
    Some(all)
}

/// Reads a number or a `*`, as [`letters`] does.
fn amount(char: &mut char, next: &mut dyn FnMut() -> Option<char>) -> Option<Amount> {
    if *char == '*' {
        *char = next()?;
        return Some(Amount::Given);
    }
    let mut number: u32 = 0;
    while let Some(digit) = char.to_digit(10) {
        number = number.saturating_mul(10).saturating_add(digit);
        *char = next()?;
    }
    Some(Amount::Known(number))
}
