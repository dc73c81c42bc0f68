//! Numbers, characters and strings: from the text of a token to its value.

use std::borrow::Cow;

/// The meaning of an integer's suffix.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Suffix {
    /// `u`
    pub unsigned: bool,
    /// How many `l`: 0, 1 or 2
    pub longs: u8,
    /// Whether the number is not decimal: its type may then be unsigned, even without a `u`.
    pub radix: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Number {
    Int(u64, Suffix),
    /// A floating number: its value, and the suffix `f` (4), none (8) or `l` (16).
    Float(f64, u8),
}

/// The value of a number.
///
/// # Errors
/// Says in words that the text is no number, or that the number is too large.
pub fn number(text: &str) -> Result<Number, String> {
    let lower = text.to_ascii_lowercase().replace('\'', "");
    let (digits, radix) = if let Some(rest) = lower.strip_prefix("0x") {
        (rest, 16)
    } else if let Some(rest) = lower.strip_prefix("0b") {
        (rest, 2)
    } else {
        (lower.as_str(), 10)
    };
    let is_float = match radix {
        16 => digits.contains(['.', 'p']),
        10 => digits.contains(['.', 'e']),
        _ => false,
    };
    if is_float {
        return float(digits, radix).ok_or_else(|| no_number(text));
    }
    let end = digits.trim_end_matches(['u', 'l']).len();
    let (digits, suffix) = digits.split_at(end);
    let radix = if radix == 10 && digits.len() > 1 && digits.starts_with('0') {
        8
    } else {
        radix
    };
    let suffix = read_suffix(suffix, radix != 10).ok_or_else(|| no_number(text))?;
    if digits.is_empty() || !digits.chars().all(|c| c.is_digit(radix)) {
        return Err(no_number(text));
    }
    let value = u64::from_str_radix(digits, radix)
        .map_err(|_| format!("the number {} is too large for any type", short(text)))?;
    Ok(Number::Int(value, suffix))
}

fn read_suffix(text: &str, radix: bool) -> Option<Suffix> {
    let (unsigned, longs) = match text {
        "" => (false, 0),
        "u" => (true, 0),
        "l" => (false, 1),
        "ll" => (false, 2),
        "ul" | "lu" => (true, 1),
        "ull" | "llu" => (true, 2),
        _ => return None,
    };
    Some(Suffix {
        unsigned,
        longs,
        radix,
    })
}

fn float(digits: &str, radix: u32) -> Option<Number> {
    // `f` is a digit of a hexadecimal number. But such a number must have an exponent, and after that `f` is a suffix.
    let body = digits.trim_end_matches(['f', 'l', 'q', 'd', 'x']);
    let size = match &digits[body.len()..] {
        "" => 8,
        "f" => 4,
        _ => 16,
    };
    let value = if radix == 16 {
        hex_float(body)?
    } else {
        body.parse().ok()?
    };
    Some(Number::Float(value, size))
}

fn hex_float(body: &str) -> Option<f64> {
    let (mantissa, exponent) = body.split_once('p')?;
    let (whole, part) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let exponent: i32 = exponent.parse().ok()?;
    let mut shift = exponent.saturating_sub(i32::try_from(part.len()).ok()?.saturating_mul(4));
    // Digits that do not fit count only as zero or not zero: the lowest bit says which.
    let mut digits = 0_u64;
    for c in whole.chars().chain(part.chars()) {
        let digit = u64::from(c.to_digit(16)?);
        if digits >> 58 == 0 {
            digits = digits << 4 | digit;
        } else {
            digits |= u64::from(digit > 0);
            shift = shift.saturating_add(4);
        }
    }
    if digits == 0 {
        return Some(0.0);
    }
    // Below the least exponent there are fewer bits; each number is rounded once.
    let length = 64 - i32::try_from(digits.leading_zeros()).ok()?;
    let lost = (-1074_i32).saturating_sub(shift).clamp(0, length + 1);
    if lost > 0 && shift.saturating_add(length) <= -1022 {
        let (kept, rest) = match lost {
            64.. => (0, u128::from(digits)),
            _ => (digits >> lost, u128::from(digits & ((1 << lost) - 1))),
        };
        let half = 1_u128 << (lost - 1);
        let up = rest > half || rest == half && kept & 1 == 1;
        return Some(f64::from_bits(kept + u64::from(up)));
    }
    let value = digits as f64;
    let near = shift.clamp(-1000, 1000);
    Some(value * f64::from(near).exp2() * f64::from(shift.saturating_sub(near)).exp2())
}

fn no_number(text: &str) -> String {
    format!("{} is no number", short(text))
}

/// A name as people write it: preprocessors write `\u00e9` for `é`, and C says that both are the same.
pub fn name(text: &str) -> Cow<'_, str> {
    if !text.contains('\\') {
        return text.into();
    }
    let mut parts = text.split('\\');
    let mut name = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let digits = if part.starts_with('u') { 4 } else { 8 };
        let code = part.get(1..=digits);
        let char = code.and_then(|code| char::from_u32(u32::from_str_radix(code, 16).ok()?));
        match char {
            Some(char) => name.extend(std::iter::once(char).chain(part[1 + digits..].chars())),
            None => name.extend(["\\", part]),
        }
    }
    name.into()
}

/// A text in quotes for a message, not longer than a line.
pub fn short(text: &str) -> String {
    if text.chars().count() > 40 {
        format!("`{}…`", text.chars().take(40).collect::<String>())
    } else {
        format!("`{text}`")
    }
}

/// How wide the characters of a constant are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Width {
    /// `'a'`, `"a"`, `u8"a"`
    #[default]
    Char,
    /// `u8'a'`
    Char8,
    /// `u'a'`
    Char16,
    /// `U'a'`
    Char32,
    /// `L'a'`
    Wide,
}

/// The characters of a constant or a string: their width and values, without the quotes and the final zero.
#[must_use]
pub fn characters(token: &str) -> (Width, Vec<u32>) {
    let (width, rest) = if let Some(rest) = token.strip_prefix("u8") {
        let one = rest.starts_with('\'');
        (if one { Width::Char8 } else { Width::Char }, rest)
    } else {
        match token.as_bytes().first() {
            Some(b'L') => (Width::Wide, &token[1..]),
            Some(b'u') => (Width::Char16, &token[1..]),
            Some(b'U') => (Width::Char32, &token[1..]),
            _ => (Width::Char, token),
        }
    };
    let rest = &rest[1..];
    let inner = rest.strip_suffix(['"', '\'']).unwrap_or(rest);
    let mut values = Vec::with_capacity(inner.len());
    let mut chars = inner.chars().peekable();
    while let Some(c) = chars.next() {
        if c == '\\' {
            escape(&mut chars, width, &mut values);
        } else {
            push_char(c, width, &mut values);
        }
    }
    (width, values)
}

fn push_char(c: char, width: Width, values: &mut Vec<u32>) {
    match width {
        Width::Char | Width::Char8 => {
            let mut bytes = [0; 4];
            values.extend(c.encode_utf8(&mut bytes).bytes().map(u32::from));
        }
        Width::Char16 => {
            let mut units = [0; 2];
            values.extend(
                c.encode_utf16(&mut units)
                    .iter()
                    .map(|&unit| u32::from(unit)),
            );
        }
        Width::Char32 | Width::Wide => values.push(u32::from(c)),
    }
}

fn escape(
    chars: &mut std::iter::Peekable<std::str::Chars<'_>>,
    width: Width,
    values: &mut Vec<u32>,
) {
    let Some(c) = chars.next() else {
        return;
    };
    let value = match c {
        'n' => 10,
        't' => 9,
        'r' => 13,
        'a' => 7,
        'b' => 8,
        'f' => 12,
        'v' => 11,
        'e' | 'E' => 27,
        '\\' | '\'' | '"' | '?' => u32::from(c),
        '0'..='7' => digits(chars, 8, 2, c.to_digit(8).unwrap_or(0)),
        'x' => digits(chars, 16, usize::MAX, 0),
        'u' | 'U' => {
            let most = if c == 'u' { 4 } else { 8 };
            let value = digits(chars, 16, most, 0);
            push_char(char::from_u32(value).unwrap_or('\u{fffd}'), width, values);
            return;
        }
        // Compilers warn, and take the character.
        other => {
            push_char(other, width, values);
            return;
        }
    };
    values.push(if matches!(width, Width::Char | Width::Char8) {
        value & 0xff
    } else {
        value
    });
}

fn digits(
    chars: &mut std::iter::Peekable<std::str::Chars<'_>>,
    radix: u32,
    most: usize,
    first: u32,
) -> u32 {
    let mut value = first;
    let mut count = 0;
    while count < most
        && let Some(digit) = chars.peek().and_then(|c| c.to_digit(radix))
    {
        value = value.wrapping_mul(radix).wrapping_add(digit);
        chars.next();
        count += 1;
    }
    value
}

/// The value of a character constant of several characters (as gcc has it) or of one.
#[must_use]
pub fn char_value(width: Width, values: &[u32]) -> i64 {
    match (width, values) {
        #[allow(
            clippy::cast_possible_truncation,
            reason = "a `char` is signed and has 8 bits"
        )]
        (Width::Char, [one]) => i64::from(*one as u8 as i8),
        (Width::Char, many) => {
            let joined = many.iter().fold(0u32, |all, v| all << 8 | (v & 0xff));
            i64::from(joined.cast_signed())
        }
        (Width::Char8, many) => many.last().map_or(0, |v| i64::from(v & 0xff)),
        (_, many) => many.last().map_or(0, |&v| i64::from(v)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn int(text: &str) -> Option<u64> {
        match number(text) {
            Ok(Number::Int(value, _)) => Some(value),
            _ => None,
        }
    }

    fn real(text: &str) -> Option<f64> {
        match number(text) {
            Ok(Number::Float(value, _)) => Some(value),
            _ => None,
        }
    }

    #[test]
    fn characters_of_sixteen_bits() {
        let text = characters(r#"u"a\u20ac\U0001f600""#);
        assert_eq!(text, (Width::Char16, vec![97, 0x20ac, 0xd83d, 0xde00]));
        assert_eq!(characters("U'\u{1f600}'").1, [0x1f600]);
    }

    #[test]
    fn integers() {
        assert_eq!(int("0"), Some(0));
        assert_eq!(int("017"), Some(15));
        assert_eq!(int("0xFFul"), Some(255));
        assert_eq!(int("0b101"), Some(5));
        assert_eq!(int("18446744073709551615ULL"), Some(u64::MAX));
        assert_eq!(int("08"), None);
        assert_eq!(int("1lul"), None);
        assert_eq!(int("0x"), None);
        assert!(
            number("18446744073709551616")
                .unwrap_err()
                .contains("too large")
        );
        assert!(number(&"9".repeat(100_000)).unwrap_err().len() < 200);
    }

    #[test]
    fn floats() {
        assert_eq!(real("1.5e3"), Some(1500.0));
        assert_eq!(number(".5f"), Ok(Number::Float(0.5, 4)));
        assert_eq!(real("0x1.8p1"), Some(3.0));
        assert_eq!(real("1e"), None);
        assert_eq!(real("0x1p99999999999"), None);
        assert_eq!(real("0x0p99999"), Some(0.0));
        assert_eq!(real("0x1p1023"), Some(f64::from_bits(2046 << 52)));
        assert_eq!(real("0x1p1024"), Some(f64::INFINITY));
        assert_eq!(real("0x1.00000000000008p0"), Some(1.0));
        assert_eq!(real("0x1.000000000000080001p0"), Some(1.0 + f64::EPSILON));
        assert_eq!(real("0x10000000000000000000001p-88"), Some(1.0));
    }

    #[test]
    fn floats_near_zero() {
        let bits = |text| real(text).map(f64::to_bits);
        assert_eq!(bits("0x1p-1074"), Some(1));
        assert_eq!(bits("0x1p-1075"), Some(0));
        assert_eq!(bits("0x1.8p-1075"), Some(1));
        assert_eq!(bits("0x1p-99999"), Some(0));
        assert_eq!(bits("0x1a6941e2220a7fp-1080"), Some(116_157_516_908_586));
        assert_eq!(bits("0x16aa1b4c4e32b4p-1075"), Some(3_189_741_854_333_274));
        assert_eq!(bits("0x1fffffffffffffp-1075"), Some(1 << 52));
        assert_eq!(bits("0x1fffffffffffff8p-1079"), Some(1 << 52));
    }

    #[test]
    fn strings() {
        let text = |t| characters(t).1;
        assert_eq!(text(r#""a\n\x41\101""#), [97, 10, 65, 65]);
        assert_eq!(text("\"ä\""), [0xc3, 0xa4]);
        assert_eq!(text("L\"ä\""), [0xe4]);
        assert_eq!(char_value(Width::Char, &text("'\\xff'")), -1);
        assert_eq!(char_value(Width::Char, &text("'ab'")), 0x6162);
        assert_eq!(text(r#""\q""#), [113]);
    }
}
