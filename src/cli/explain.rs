//! `dbverify explain`: what a kind of error means, from the page that documents them all.

use std::fmt::Write as _;

use base::suggest::closest;
use report::kinds::{sections, summary};

/// All kinds, each with a sentence.
#[must_use]
pub fn list() -> String {
    let mut out = String::new();
    for (kind, section) in sections() {
        let _ = writeln!(out, "{kind}\n    {}", summary(section));
    }
    out.push_str("\n`dbverify explain KIND` says more.\n");
    out
}

fn section(kind: &str) -> Result<&'static str, String> {
    if let Some((_, section)) = sections().find(|(name, _)| *name == kind) {
        return Ok(section);
    }
    let near = closest(kind, sections().map(|(name, _)| name));
    let instead = match near {
        Some(near) => format!("did you mean `{near}`?"),
        None => {
            let all: Vec<&str> = sections().map(|(name, _)| name).collect();
            format!("there are {}", all.join(", "))
        }
    };
    Err(format!(
        "no execution ends in an error `{kind}`; {instead}\n\
         note: `error[{kind}]` or `warning[{kind}]` before a message is about the text of a program: the message says \
         what is wrong, and the hints below it what to do"
    ))
}

/// Returns what a kind of error means.
///
/// # Errors
/// When there is no such kind, with the nearest.
pub fn explain(kind: &str) -> Result<String, String> {
    let mut out = format!("{kind}\n\n");
    for line in section(kind)?.trim_end().lines() {
        match line {
            "```async" | "```c" | "```" => {}
            line => {
                let _ = writeln!(out, "{line}");
            }
        }
    }
    Ok(out)
}

/// Returns the program that shows a kind of error.
///
/// # Errors
/// When there is no such kind, with the nearest.
pub fn example(kind: &str) -> Result<String, String> {
    let section = section(kind)?;
    let program = (section.split_once("```async\n"))
        .or_else(|| section.split_once("```c\n"))
        .and_then(|(_, rest)| rest.split_once("```"));
    Ok(program.map_or_else(String::new, |(program, _)| program.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_kind_is_named() {
        assert!(
            explain("asertion")
                .unwrap_err()
                .contains("did you mean `assertion`?")
        );
        assert!(explain("xyz").unwrap_err().contains("good-samaritan"));
    }

    #[test]
    fn every_section_has_a_sentence_and_a_program() {
        for (kind, section) in sections() {
            assert!(summary(section).len() < 200, "{kind}: {}", summary(section));
            let program = example(kind).unwrap();
            assert!(
                program.contains("proc main()") || program.contains("int main("),
                "{kind}"
            );
            assert!(!explain(kind).unwrap().contains("```"), "{kind}");
        }
    }
}
