//! How text looks on a screen: how wide it may be, and in which colours.

use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

/// The abilities of a terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// Characters in a line.
    pub width: usize,
    /// Whether colours are wanted.
    pub color: bool,
    /// How much of a trace is shown.
    pub steps: Steps,
}

/// How much of a trace is shown.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Steps {
    #[default]
    Full,
    /// Lines that need not be read are put together.
    Short,
    /// As [`Self::Short`] if there are many lines, else as [`Self::Full`].
    Fitting,
}

/// More lines than these are many.
const MANY: usize = 48;

impl Default for Look {
    fn default() -> Self {
        Self {
            width: 80,
            color: false,
            steps: Steps::Full,
        }
    }
}

/// The role of a piece of text, which decides how it looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Style {
    Plain,
    /// Beside the point: line numbers, bars.
    Faint,
    Strong,
    Bad,
    /// A delay, a switch, a round.
    Mark,
    /// Text in the column of a task.
    Task(usize),
}

/// The colours of tasks, in turn: those that can be read on dark and on light.
const TASKS: [&str; 5] = ["36", "35", "34", "32", "33"];

impl Look {
    /// Checks whether a trace with this many lines is made short.
    pub(super) fn shortens(self, lines: usize) -> bool {
        match self.steps {
            Steps::Full => false,
            Steps::Short => true,
            Steps::Fitting => lines > MANY,
        }
    }

    /// A piece of text in its style.
    #[must_use]
    pub fn paint(self, style: Style, text: &str) -> String {
        let code = match style {
            _ if !self.color || text.is_empty() => "",
            Style::Plain => "",
            Style::Faint => "2",
            Style::Strong => "1",
            Style::Bad => "1;31",
            Style::Mark => "1;33",
            Style::Task(n) => TASKS[n % TASKS.len()],
        };
        if code.is_empty() {
            return text.to_owned();
        }
        format!("\u{1b}[{code}m{text}\u{1b}[0m")
    }
}

/// Makes text safe for a terminal: replaces control characters, and writes tabs as spaces.
#[must_use]
pub fn clean(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\t' => out.push_str("  "),
            c if c.is_control() => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

/// How many columns of a terminal a text takes.
#[must_use]
pub fn width(text: &str) -> usize {
    UnicodeWidthStr::width(text)
}

fn cells(c: char) -> usize {
    UnicodeWidthChar::width(c).unwrap_or(0)
}

/// Breaks text at spaces into lines of at most `most` columns. Indents all lines but the first by two.
#[must_use]
pub fn wrap(text: &str, most: usize) -> Vec<String> {
    let most = most.max(8);
    let mut lines = Vec::new();
    let (mut line, mut length) = (String::new(), 0);
    for word in text.split(' ') {
        if length > 0 && !line.trim().is_empty() && length + 1 + width(word) > most {
            lines.push(std::mem::replace(&mut line, "  ".to_owned()));
            length = 2;
        } else if length > 0 {
            line.push(' ');
            length += 1;
        }
        for c in word.chars() {
            if length + cells(c) > most {
                lines.push(std::mem::replace(&mut line, "  ".to_owned()));
                length = 2;
            }
            length += cells(c);
            line.push(c);
        }
    }
    lines.push(line);
    lines.iter().map(|l| l.trim_end().to_owned()).collect()
}

/// Cuts text to at most `most` columns. The last is a `…` if something was left out.
#[must_use]
pub fn cut(text: &str, most: usize) -> String {
    if text.len() <= most || width(text) <= most {
        return text.to_owned();
    }
    let mut length = 0;
    let kept = |c: &char| {
        length += cells(*c);
        length < most
    };
    let mut out: String = text.chars().take_while(kept).collect();
    out.push('…');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_at_spaces_and_within_long_words() {
        assert_eq!(wrap("one two three", 9), ["one two", "  three"]);
        assert_eq!(wrap("abcdefghijklm", 8), ["abcdefgh", "  ijklm"]);
        assert_eq!(wrap("", 8), [""]);
        assert_eq!(wrap("a  b", 8), ["a  b"]);
        for width in 8..30 {
            let text = "post philosopher(0, some_long_argument_name) as task 12";
            assert!(wrap(text, width).iter().all(|l| l.chars().count() <= width));
            let wide = "名 = 「日本語の長い長い長い値」, e\u{301} = 🦀🦀🦀🦀🦀🦀🦀🦀";
            assert!(wrap(wide, width).iter().all(|l| super::width(l) <= width));
            assert!(super::width(&cut(wide, width)) <= width);
        }
    }

    #[test]
    fn nothing_controls_the_terminal() {
        assert_eq!(clean("a\u{1b}[31mb\tc"), "a\u{fffd}[31mb  c");
        assert_eq!(cut("abcdef", 4), "abc…");
    }
}
