//! Annotations in the log of a GitHub workflow.

use std::fmt::Write as _;

use super::{Outcome, Report};

/// What did not come out as expected in a file.
pub fn file(report: &Report<'_>) -> String {
    let mut out = String::new();
    for (line, outcome, text) in report.complaints() {
        let level = match outcome {
            Outcome::Undecided => "warning",
            _ => "error",
        };
        let _ = writeln!(
            out,
            "::{level} file={},line={line},title=dbverify test::{}",
            escaped(report.path, true),
            escaped(&text, false)
        );
    }
    out
}

/// Why nothing was run.
pub fn refusal(message: &str) -> String {
    let message = escaped(message, false);
    format!("::error title=dbverify test::{message}\n")
}

/// Text as the runner reads it; in a property two characters more have a meaning.
fn escaped(text: &str, property: bool) -> String {
    let mut out = text
        .replace('%', "%25")
        .replace('\r', "%0D")
        .replace('\n', "%0A");
    if property {
        out = out.replace(':', "%3A").replace(',', "%2C");
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_name_is_a_command() {
        assert_eq!(
            escaped("a,b:c%\n::error", true),
            "a%2Cb%3Ac%25%0A%3A%3Aerror"
        );
        assert_eq!(escaped("x: 1\r", false), "x: 1%0D");
    }
}
