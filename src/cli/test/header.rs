//! What the comments of a program say about it: how it is run, and what must come out.
//!
//! ```text
//! // run: explore --scheduler dfs --delays 1
//! // expect: bug assertion line 17
//! ```

use std::fmt;

use base::suggest::closest;
use ir::ErrorKind;

/// What a file says about itself.
#[derive(Debug, Default)]
pub struct Header {
    /// What is to be run.
    pub cases: Vec<Case>,
    /// Lines that cannot be read: their numbers, and the reasons.
    pub problems: Vec<(u32, String)>,
}

impl Header {
    /// The header of an unreadable file: the message stands where the file's first line would be.
    pub fn unreadable(message: String) -> Self {
        Self {
            cases: Vec::new(),
            problems: vec![(1, message)],
        }
    }
}

/// One pair of `run` and `expect`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// The line of `run`.
    pub line: u32,
    /// The line of `expect`.
    pub expected_at: u32,
    /// `verify`, `explore`, …
    pub command: String,
    pub options: Vec<String>,
    /// What must come out.
    pub expected: Expected,
}

impl Case {
    /// The command and its options, as they were written.
    pub fn shown(&self) -> String {
        let words = std::iter::once(&self.command).chain(&self.options);
        let words: Vec<&str> = words.map(String::as_str).collect();
        shlex::try_join(words.iter().copied()).unwrap_or_else(|_| words.join(" "))
    }

    /// Whether the case has this option already.
    pub fn has(&self, option: &str) -> bool {
        let with_value = format!("{option}=");
        (self.options.iter()).any(|o| o == option || o.starts_with(&with_value))
    }

    /// Whether `--memory` gives a limit, and not only the name of a memory.
    #[must_use]
    pub fn has_limit(&self) -> bool {
        let is_limit = |value: &str| value.starts_with(|c: char| c.is_ascii_digit());
        (self.options.iter().zip(self.options.iter().skip(1)))
            .any(|(option, value)| option == "--memory" && is_limit(value))
            || (self.options.iter()).any(|o| o.strip_prefix("--memory=").is_some_and(is_limit))
    }
}

/// What came out or must come out: `safe`, `bug assertion line 17`, `error syntax`, …
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Expected {
    /// `safe`, `proved`, `bug`, `inconclusive`; `ok` and `error` of what is only checked.
    pub verdict: String,
    /// The kind of a bug, or the code of an error.
    pub kind: Option<String>,
    /// The line of a bug or an error.
    pub line: Option<u64>,
}

/// The verdicts, and whether there is more to say about them.
const VERDICTS: [(&str, bool); 8] = [
    ("safe", false),
    ("proved", false),
    ("bug", true),
    ("covered", false),
    ("uncovered", false),
    ("inconclusive", false),
    ("ok", false),
    ("error", true),
];

/// The commands that answer with a verdict.
pub const COMMANDS: [&str; 5] = ["verify", "explore", "prove", "check", "run"];

/// The kinds of errors that only a program that runs has.
const RUN: [&str; 3] = ["abort", "exit", "signal"];

/// Checks that a bug can have this kind.
fn known(kind: &str) -> Result<(), String> {
    let all = ErrorKind::ALL.map(ErrorKind::name);
    if all.iter().chain(&RUN).any(|known| *known == kind) {
        return Ok(());
    }
    Err(match closest(kind, all.into_iter().chain(RUN)) {
        Some(near) => format!("there is no kind `{kind}` of bugs; did you mean `{near}`?"),
        None => format!("there is no kind `{kind}` of bugs: `dbverify explain` lists them"),
    })
}

impl Expected {
    /// Reads what stands behind `expect:`.
    ///
    /// # Errors
    /// When it is no verdict. The message says what could stand there.
    pub fn parse(text: &str) -> Result<Self, String> {
        let wrong = || {
            format!(
                "`{text}` is no verdict: write safe, proved, covered, uncovered, inconclusive, ok, bug KIND line N, or error CODE line N"
            )
        };
        let mut words = text.split_whitespace().peekable();
        let verdict = words.next().ok_or_else(wrong)?;
        let more = (VERDICTS.iter()).find_map(|(v, more)| (*v == verdict).then_some(*more));
        let more = more.ok_or_else(wrong)?;
        let kind = words.next_if(|w| more && *w != "line").map(str::to_owned);
        let line = match words.next_if(|w| more && *w == "line") {
            Some(_) => {
                let number = words.next().and_then(|n| n.parse().ok());
                Some(number.ok_or_else(wrong)?)
            }
            None => None,
        };
        if words.next().is_some() {
            return Err(wrong());
        }
        if let Some(kind) = kind.as_deref().filter(|_| verdict == "bug") {
            known(kind)?;
        }
        Ok(Self {
            verdict: verdict.to_owned(),
            kind,
            line,
        })
    }

    /// Checks whether this came out. A kind or a line that is not given may be any.
    pub fn admits(&self, found: &Self) -> bool {
        // A program that is proved is safe within any bounds.
        let verdict =
            self.verdict == found.verdict || (self.verdict == "safe" && found.verdict == "proved");
        verdict
            && (self.kind.is_none() || self.kind == found.kind)
            && (self.line.is_none() || self.line == found.line)
    }
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.verdict)?;
        if let Some(kind) = &self.kind {
            write!(f, " {kind}")?;
        }
        if let Some(line) = self.line {
            write!(f, " line {line}")?;
        }
        Ok(())
    }
}

/// Reads the comments of a program.
pub fn read(text: &str) -> Header {
    let mut header = Header::default();
    let mut run: Option<(u32, &str)> = None;
    for (line, text) in (1..).zip(text.lines()) {
        let Some(comment) = text.trim_start().strip_prefix("//") else {
            continue;
        };
        let comment = comment.trim_start();
        if let Some(options) = comment.strip_prefix("run:") {
            if let Some((before, _)) = run.replace((line, options)) {
                header.problems.push((before, unanswered()));
            }
        } else if let Some(expected) = comment.strip_prefix("expect:") {
            match run.take() {
                Some(run) => match case(run, line, expected.trim()) {
                    Ok(case) => header.cases.push(case),
                    Err(problem) => header.problems.push(problem),
                },
                None => {
                    let message = "`expect:` without a `run:` above it";
                    header.problems.push((line, message.to_owned()));
                }
            }
        }
    }
    if let Some((line, _)) = run {
        header.problems.push((line, unanswered()));
    }
    header
}

fn unanswered() -> String {
    "`run:` without an `expect:` below it".to_owned()
}

/// Reads a pair of lines. Fails with the number of the wrong one, and the reason.
fn case((line, run): (u32, &str), expected_at: u32, expected: &str) -> Result<Case, (u32, String)> {
    let words = shlex::split(run).ok_or_else(|| (line, "a quote is not closed".to_owned()))?;
    let mut options = words.into_iter().peekable();
    let command = match options.next_if(|w| !w.starts_with('-')) {
        None => "verify".to_owned(),
        Some(command) if COMMANDS.contains(&command.as_str()) => command,
        Some(other) => {
            let advice = closest(&other, COMMANDS.into_iter()).map_or_else(
                || format!(": write {}", COMMANDS.join(", ")),
                |near| format!("; did you mean `{near}`?"),
            );
            return Err((line, format!("`{other}` gives no verdict{advice}")));
        }
    };
    let options = Vec::from_iter(options);
    if options.iter().any(|word| word == "-") {
        let message = "`-` is standard input, and this file is what is run: leave it out";
        return Err((line, message.to_owned()));
    }
    Ok(Case {
        line,
        expected_at,
        command,
        options,
        expected: Expected::parse(expected).map_err(|message| (expected_at, message))?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_read_wherever_they_stand() {
        let text = "// words\n// run: verify --delays 1\n// expect: safe\nvar x: int;\n  //run: --solver \"a b\"\n  //expect:  bug assertion line 3\n";
        let header = read(text);
        assert_eq!(header.problems, []);
        let [first, second] = header.cases.as_slice() else {
            panic!("{header:?}")
        };
        assert_eq!((first.line, first.expected_at), (2, 3));
        assert_eq!(first.options, ["--delays", "1"]);
        assert_eq!(second.command, "verify");
        assert_eq!(second.options, ["--solver", "a b"]);
        assert_eq!(second.shown(), "verify --solver 'a b'");
        assert_eq!(second.expected.to_string(), "bug assertion line 3");
        assert!(first.has("--delays") && !first.has("--delay"));
    }

    #[test]
    fn wrong_lines_are_named() {
        for (text, line, words) in [
            ("// run: verify\n", 1, "without an `expect:`"),
            ("// run: a\n// run: verify\n// expect: safe", 1, "without"),
            ("\n// expect: safe", 2, "without a `run:`"),
            (
                "// run: fmt\n// expect: ok",
                1,
                "`fmt` gives no verdict: write",
            ),
            (
                "// run: explor\n// expect: ok",
                1,
                "did you mean `explore`?",
            ),
            ("// run: verify 'x\n// expect: ok", 1, "quote"),
            ("// run: explore -\n// expect: ok", 1, "leave it out"),
            ("// run: verify\n// expect: fine", 2, "`fine` is no verdict"),
            ("// run: verify\n// expect: bug x line", 2, "no verdict"),
            ("// run: verify\n// expect: bug foo", 2, "no kind `foo`"),
            ("// run: verify\n// expect: bug races", 2, "`race`?"),
            ("// run: verify\n// expect: safe line 1", 2, "no verdict"),
        ] {
            let problems = read(text).problems;
            assert_eq!(problems.len(), 1, "{text}");
            assert_eq!(problems[0].0, line, "{text}");
            assert!(problems[0].1.contains(words), "{}", problems[0].1);
        }
    }

    #[test]
    fn what_is_not_said_may_be_anything() {
        let found = Expected::parse("bug assertion line 3").unwrap();
        for (expected, admitted) in [
            ("bug", true),
            ("bug assertion", true),
            ("bug line 3", true),
            ("bug line 4", false),
            ("bug range", false),
            ("safe", false),
        ] {
            let expected = Expected::parse(expected).unwrap();
            assert_eq!(expected.admits(&found), admitted, "{expected}");
        }
        let (safe, proved) = (Expected::parse("safe"), Expected::parse("proved"));
        let (safe, proved) = (safe.unwrap(), proved.unwrap());
        assert!(safe.admits(&proved) && !proved.admits(&safe));
    }
}
