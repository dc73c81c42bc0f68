//! Numbers on the command line: one way to read them, and to say what is wrong with them.

use std::ops::RangeInclusive;
use std::time::Duration;

use options::Shard;

/// Reads a whole number within bounds.
pub fn whole<T: TryFrom<u64>>(
    range: RangeInclusive<u64>,
) -> impl Fn(&str) -> Result<T, String> + Clone {
    move |text| {
        let number = integer(text)?;
        let (least, most) = (*range.start(), *range.end());
        if number < least.into() {
            return Err(format!("it must be at least {least}"));
        }
        let within = u64::try_from(number).ok().filter(|&n| n <= most);
        let fits = within.and_then(|n| T::try_from(n).ok());
        fits.ok_or_else(|| format!("it must be at most {most}"))
    }
}

/// The units of memory, and how many KiB each is.
const UNITS: [(char, i128); 4] = [('K', 1), ('M', 1 << 10), ('G', 1 << 20), ('T', 1 << 30)];

/// Reads a size of memory: a number of MiB, or one with its unit. Returns MiB.
///
/// # Errors
/// What is wrong with it.
pub fn mebibytes(text: &str) -> Result<u64, String> {
    let text = text.trim().to_ascii_uppercase();
    let short = text.strip_suffix("IB").or_else(|| text.strip_suffix('B'));
    let size = short.unwrap_or(&text);
    let with_unit = (UNITS.iter()).find_map(|&(unit, kib)| Some((size.strip_suffix(unit)?, kib)));
    let (number, kib) = with_unit.unwrap_or((&text, 1 << 10));
    let number = integer(number).map_err(|_| {
        "it is no size of memory; write MiB like 2048, or a size like 2G".to_owned()
    })?;
    let mib = number.saturating_mul(kib) / 1024;
    whole(1..=1 << 40)(&mib.to_string()).map_err(|wrong| format!("{wrong} MiB"))
}

/// Reads a number of 32 bits that is at least `least`.
pub fn at_least(least: u32) -> impl Fn(&str) -> Result<u32, String> + Clone {
    whole(least.into()..=u32::MAX.into())
}

/// A budget, or none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget(pub Option<u32>);

/// Reads the delay budget of `explore`, for which there is no deepening.
///
/// # Errors
/// What is wrong with it.
pub fn budget(text: &str) -> Result<Budget, String> {
    if text.contains("..") {
        return Err(
            "a range of budgets is for verification (`dbverify FILE --delays 0..2`); `explore` takes one number"
                .to_owned(),
        );
    }
    if text.trim() == "any" {
        return Ok(Budget(None));
    }
    at_least(0)(text).map(|most| Budget(Some(most)))
}

/// Reads which of how many parts: `2/8`.
///
/// # Errors
/// What is wrong with it.
pub fn shard(text: &str) -> Result<Shard, String> {
    let (index, of) = text
        .split_once('/')
        .ok_or("write which part of how many, like 2/8")?;
    let (index, of) = (at_least(1)(index)?, at_least(1)(of)?);
    if index > of {
        return Err(format!("there is no part {index} of {of}"));
    }
    Ok(Shard {
        index: index - 1,
        of,
    })
}

/// About a thousand years. A longer limit, or one without an end, counts as this.
const MOST_SECONDS: f64 = 3e10;

/// Reads a limit of time.
///
/// # Errors
/// What is wrong with it.
pub fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.trim().parse::<f64>().ok().filter(|s| !s.is_nan());
    let seconds = seconds
        .ok_or_else(|| "it is not a number of seconds; write one like 60 or 0.5".to_owned())?;
    Duration::try_from_secs_f64(seconds.min(MOST_SECONDS))
        .ok()
        .filter(|time| !time.is_zero())
        .ok_or_else(|| "it must be more than 0 seconds".to_owned())
}

/// Reads a whole number of any length. One that is too large counts as the largest.
pub fn integer(text: &str) -> Result<i128, String> {
    let text = text.trim();
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return Err("it is not a whole number; write one like 2".to_owned());
    }
    let size = digits.parse::<i128>().unwrap_or(i128::MAX);
    Ok(if text.starts_with('-') { -size } else { size })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_with_a_number_is_said() {
        let read = |text: &str| at_least(1)(text).unwrap_err();
        for small in [
            "0",
            "-0",
            "-1",
            "-99999999999999999999999999999999999999999",
        ] {
            assert_eq!(read(small), "it must be at least 1", "{small}");
        }
        for large in ["4294967296", "99999999999", &"9".repeat(100)] {
            assert_eq!(read(large), "it must be at most 4294967295", "{large}");
        }
        for wrong in ["", "-", "two", "1.5", "1e3", "0x10", "1_000", "٣"] {
            let message = "it is not a whole number; write one like 2";
            assert_eq!(read(wrong), message, "{wrong}");
        }
        assert_eq!(
            whole::<u32>(32..=64)("16"),
            Err("it must be at least 32".to_owned())
        );
        assert_eq!(at_least(1)("4294967295"), Ok(u32::MAX));
        assert_eq!(at_least(0)("+0"), Ok(0));
        assert_eq!(whole(0..=u64::MAX)("18446744073709551615"), Ok(u64::MAX));
        let byte = whole::<u8>(0..=1000)("300");
        assert_eq!(byte, Err("it must be at most 1000".to_owned()));
    }

    #[test]
    fn sizes_of_memory_may_have_a_unit() {
        for (text, mib) in [
            ("2048", 2048),
            ("2G", 2048),
            (" 1 GiB", 1024),
            ("512mb", 512),
            ("3000K", 2),
            ("1T", 1 << 20),
        ] {
            assert_eq!(mebibytes(text), Ok(mib), "{text}");
        }
        for wrong in ["2B", "G", "two", "1.5G", "2P", "2GG", ""] {
            let message = "it is no size of memory; write MiB like 2048, or a size like 2G";
            assert_eq!(mebibytes(wrong), Err(message.to_owned()), "{wrong}");
        }
        assert_eq!(mebibytes("1K"), Err("it must be at least 1 MiB".to_owned()));
        assert!(mebibytes("99999999999999999999T").is_err());
    }

    #[test]
    fn a_range_is_no_budget_of_explore() {
        assert!(budget("0..2").unwrap_err().contains("for verification"));
        assert_eq!(budget("2"), Ok(Budget(Some(2))));
        assert_eq!(budget("any"), Ok(Budget(None)));
        assert_eq!(budget("-2"), Err("it must be at least 0".to_owned()));
    }

    #[test]
    fn times() {
        assert_eq!(seconds("0.5"), Ok(Duration::from_millis(500)));
        for long in ["3e10", "inf", "1e999", "99999999999999999999999"] {
            assert_eq!(
                seconds(long),
                Ok(Duration::from_secs(30_000_000_000)),
                "{long}"
            );
        }
        for wrong in ["nan", "soon", "", "1s"] {
            assert!(seconds(wrong).unwrap_err().contains("60 or 0.5"), "{wrong}");
        }
        for short in ["0", "-1", "-inf", "1e-300"] {
            assert_eq!(
                seconds(short).unwrap_err(),
                "it must be more than 0 seconds",
                "{short}"
            );
        }
    }
}
