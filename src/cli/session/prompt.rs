//! The line at which a person types: it can be edited, earlier ones come back, and Tab completes names.

use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::MemHistory;
use rustyline::validate::Validator;
use rustyline::{CompletionType, Config, Context, Editor, Helper};

use super::command;

pub struct Prompt(Editor<Names, MemHistory>);

impl Prompt {
    /// A prompt that knows these variables.
    ///
    /// # Errors
    /// When the terminal cannot be used.
    pub fn new(variables: Vec<String>) -> Result<Self, ReadlineError> {
        let config = Config::builder()
            .completion_type(CompletionType::List)
            .build();
        let mut editor = Editor::with_history(config, MemHistory::new())?;
        editor.set_helper(Some(Names { variables }));
        Ok(Self(editor))
    }

    /// Returns the line that is typed, or `None` when there are no more. Ctrl-C empties the line.
    pub fn line(&mut self) -> Option<String> {
        loop {
            match self.0.readline("> ") {
                Ok(line) => {
                    // If the history does not keep the line, the user only has to type it again.
                    let _ = self.0.add_history_entry(&line);
                    return Some(line);
                }
                Err(ReadlineError::Interrupted) => {}
                Err(_) => return None,
            }
        }
    }
}

/// What Tab completes: a command, then the variables.
pub struct Names {
    variables: Vec<String>,
}

impl Completer for Names {
    type Candidate = String;

    fn complete(
        &self,
        line: &str,
        position: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<String>)> {
        Ok(completions(&line[..position], &self.variables))
    }
}

impl Hinter for Names {
    type Hint = String;
}
impl Highlighter for Names {}
impl Validator for Names {}
impl Helper for Names {}

/// Returns where the word at the cursor begins, and what it may become.
fn completions(typed: &str, variables: &[String]) -> (usize, Vec<String>) {
    let start = typed.rfind(char::is_whitespace).map_or(0, |at| at + 1);
    let word = &typed[start..];
    let fits = |name: &str| name.starts_with(word);
    let first = typed[..start].trim().is_empty();
    let found = if first {
        command::names()
            .filter(|n| fits(n))
            .map(str::to_owned)
            .collect()
    } else {
        variables.iter().filter(|n| fits(n)).cloned().collect()
    };
    (start, found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_come_first_and_then_variables() {
        let variables = ["count".to_owned(), "cell".to_owned()];
        assert_eq!(
            completions("co", &variables),
            (0, vec!["continue".to_owned()])
        );
        assert_eq!(
            completions("watch co", &variables),
            (6, vec!["count".to_owned()])
        );
        assert_eq!(completions("print ", &variables).1.len(), 2);
    }
}
