//! The ranges that an editor can fold: braces, and comments of several lines.

use logos::Logos;
use lsp_types::{FoldingRange, FoldingRangeKind, FoldingRangeParams};

use ast::token::Tok;

use super::client::Answered;
use super::server::{Server, write};
use super::text::Text;

/// All that can be folded.
pub fn ranges(server: &mut Server, params: FoldingRangeParams) -> Answered {
    let document = server.document(&params.text_document.uri)?;
    write(document.model().map_or_else(Vec::new, folds))
}

fn folds(text: &Text) -> Vec<FoldingRange> {
    let line = |offset: usize| text.place(offset).line;
    let mut all = Vec::new();
    let mut open = Vec::new();
    // The first and the last line of a row of line comments.
    let mut row: Option<(u32, u32)> = None;
    for (token, range) in Tok::lexer(&text.text).spanned() {
        let (first, last) = (line(range.start), line(range.end));
        match token {
            Ok(Tok::LineComment) if text.begins_line(range.start) => {
                let goes_on = row.filter(|r| r.1 + 1 == first);
                if goes_on.is_none() {
                    all.extend(row.and_then(comment));
                }
                row = Some((goes_on.map_or(first, |r| r.0), first));
                continue;
            }
            Ok(Tok::BlockComment) => all.extend(comment((first, last))),
            Ok(Tok::LBrace) => open.push(first),
            // The line of the closing brace stays visible.
            Ok(Tok::RBrace) => all.extend(open.pop().and_then(|o| fold(o, last.saturating_sub(1)))),
            _ => {}
        }
        all.extend(row.take().and_then(comment));
    }
    all.extend(row.and_then(comment));
    all.sort_by_key(|f| (f.start_line, f.end_line));
    all
}

fn fold(start_line: u32, end_line: u32) -> Option<FoldingRange> {
    (start_line < end_line).then(|| FoldingRange {
        start_line,
        end_line,
        ..FoldingRange::default()
    })
}

fn comment((first, last): (u32, u32)) -> Option<FoldingRange> {
    let kind = Some(FoldingRangeKind::Comment);
    fold(first, last).map(|fold| FoldingRange { kind, ..fold })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_behind_code_do_not_fold() {
        let found = folds(&Text::new(
            "x := 1; // a\n  // b\ny := 1; // c\n// d\n// e\n",
        ));
        let lines: Vec<(u32, u32)> = found.iter().map(|f| (f.start_line, f.end_line)).collect();
        assert_eq!(lines, [(3, 4)]);
    }

    #[test]
    fn braces_and_rows_of_comments_fold() {
        let text = "// a\n// b\n\n// alone\nproc p() {\n  if x {\n    skip;\n  } else { skip; }\n}\n/* one\n two */\n}\n{";
        let found = folds(&Text::new(text));
        let lines: Vec<(u32, u32, bool)> = (found.iter())
            .map(|f| (f.start_line, f.end_line, f.kind.is_some()))
            .collect();
        assert_eq!(
            lines,
            [(0, 1, true), (4, 7, false), (5, 6, false), (9, 10, true)]
        );
    }
}
