//! Numbers and strings: from the text of a token to its value.

/// The value of a number: decimal, `0x…` or `0b…`, with `_` between digits.
///
/// # Errors
/// In words, when the text is no number, or the number does not fit.
pub fn number(text: &str) -> Result<i128, String> {
    let (digits, radix) = match text.as_bytes() {
        [b'0', b'x' | b'X', ..] => (&text[2..], 16),
        [b'0', b'b' | b'B', ..] => (&text[2..], 2),
        _ => (text, 10),
    };
    let mut value: Option<i128> = Some(0);
    let mut count = 0_usize;
    for c in digits.chars().filter(|&c| c != '_') {
        let digit = c
            .to_digit(radix)
            .ok_or_else(|| not_a_digit(text, c, radix))?;
        value = value.and_then(|v| {
            v.checked_mul(i128::from(radix))?
                .checked_add(i128::from(digit))
        });
        count += 1;
    }
    if count == 0 {
        return Err(format!("`{text}` has no digits"));
    }
    value.ok_or_else(|| {
        format!(
            "a number of {count} digits does not fit: the largest is {}",
            i128::MAX
        )
    })
}

fn not_a_digit(text: &str, found: char, radix: u32) -> String {
    let kind = match radix {
        16 => "a hexadecimal number",
        2 => "a binary number",
        _ => "a number",
    };
    if text.len() > 40 {
        format!("`{found}` in {kind}")
    } else {
        format!("`{found}` in {kind}: `{text}`")
    }
}

/// The text of a string literal, without its quotes and escapes.
///
/// # Errors
/// In words, when the text has an escape that does not exist.
pub fn string(literal: &str) -> Result<String, String> {
    let inner = literal.strip_prefix('"').unwrap_or(literal);
    let mut chars = inner.strip_suffix('"').unwrap_or(inner).chars();
    let mut text = String::new();
    while let Some(c) = chars.next() {
        if c != '\\' {
            text.push(c);
            continue;
        }
        text.push(match chars.next() {
            Some('n') => '\n',
            Some('t') => '\t',
            Some('"') => '"',
            Some('\\') => '\\',
            Some(other) => {
                return Err(format!(
                    "`\\{other}` is no escape: there are \\\" \\\\ \\n \\t"
                ));
            }
            None => break,
        });
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        assert_eq!(number("1_000"), Ok(1000));
        assert_eq!(number("0xff"), Ok(255));
        assert_eq!(number("0b1010"), Ok(10));
        assert_eq!(
            number("170141183460469231731687303715884105727"),
            Ok(i128::MAX)
        );
        assert!(
            number("170141183460469231731687303715884105728")
                .unwrap_err()
                .contains("39 digits")
        );
        assert!(
            number(&"9".repeat(1_000_000))
                .unwrap_err()
                .contains("1000000 digits")
        );
        assert!(number("0x").is_err());
        assert!(number("12ab").is_err());
    }

    #[test]
    fn strings() {
        assert_eq!(string(r#""a\n\t\"\\""#).as_deref(), Ok("a\n\t\"\\"));
        assert!(string(r#""\q""#).is_err());
    }
}
