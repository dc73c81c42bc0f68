//! The questions about a program, as lenses above its `main`.

use lsp_types::{CodeLens, CodeLensParams};

use base::source::Span;

use super::actions::offers;
use super::client::Answered;
use super::server::{Server, write};

/// A lens for each question, where the program begins.
pub fn lenses(server: &mut Server, params: CodeLensParams) -> Answered {
    let uri = params.text_document.uri;
    let document = server.document(&uri)?;
    let text = document.text.clone();
    let main = if document.origin.is_c() {
        main_of_c(&text.text)
    } else {
        document.module().main()
    };
    let Some(main) = main else {
        return write(Vec::<CodeLens>::new());
    };
    let lens = |command| CodeLens {
        range: text.range(main),
        command: Some(command),
        data: None,
    };
    let all: Vec<CodeLens> = offers(server, &uri).into_iter().map(lens).collect();
    write(all)
}

/// The first word `main` before a parenthesis: the text need not be one that can be parsed.
fn main_of_c(text: &str) -> Option<Span> {
    let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let stands = |at: usize| {
        let (before, behind) = (&text[..at], &text[at + 4..]);
        !before.ends_with(word) && behind.trim_start().starts_with('(')
    };
    let (at, _) = text.match_indices("main").find(|&(at, _)| stands(at))?;
    let at = u32::try_from(at).ok()?;
    Some(Span::new(at, at + 4))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_main_of_c_is_a_word_before_a_parenthesis() {
        let found = |text: &str| main_of_c(text).map(|s| s.start);
        assert_eq!(found("int domain(void);\nint main (void) { }"), Some(22));
        assert_eq!(found("int main_loop(); int x = main;"), None);
        assert_eq!(found(""), None);
    }
}
