//! The top of the page: the verdict, what it is about, and what was covered.

use answer::{Given, NamedBound, Verdict};

use super::super::{Subject, text};
use super::Page;

/// Returns the verdict in a word, or nothing for an execution that has no verdict.
pub(super) fn verdict(subject: &Subject<'_>, page: &Page<'_>) -> &'static str {
    if page.decided || !subject.answer.bugs.is_empty() {
        subject.answer.word()
    } else {
        ""
    }
}

/// The summary as a sentence.
pub(super) fn headline(subject: &Subject<'_>) -> String {
    let summary = &subject.answer.summary;
    let mut letters = summary.chars();
    let first = letters
        .next()
        .map_or_else(String::new, |c| c.to_uppercase().collect());
    format!("{first}{}", letters.as_str())
}

/// The rest of the answer: the bounds that cut it, advice, remarks, final states, figures.
pub(super) fn facts(subject: &Subject<'_>) -> Vec<String> {
    let answer = subject.answer;
    let mut facts = Vec::new();
    if !answer.bounds.is_empty() && answer.verdict != Verdict::Bug {
        let bounds: Vec<String> = answer.bounds.iter().map(bound).collect();
        facts.push(format!("bounds: {}", bounds.join(", ")));
        let cut: Vec<&str> = answer.cut_by.iter().map(|by| by.name()).collect();
        let cut = cut.join(", ");
        if answer.exhaustive {
            facts.push("nothing within these bounds was left out".to_owned());
        } else if !cut.is_empty() {
            facts.push(format!("executions were left out by: {cut}"));
        }
    }
    facts.extend(answer.advice.iter().map(|a| format!("advice: {a}")));
    for note in &answer.notes {
        let at = note.span.and_then(|s| subject.sources.locate(s));
        let at = at.map_or_else(String::new, |at| format!("{}:{}: ", at.file, at.line));
        facts.push(format!("note: {at}{}", note.message));
    }
    if let Some(finals) = &answer.finals {
        facts.push(format!("{} final states", finals.len()));
        for state in finals.iter().take(MOST_FINALS) {
            let fields = subject.final_state(state).into_iter();
            let fields: Vec<String> = fields.map(|(n, v)| format!("{n} = {v}")).collect();
            facts.push(fields.join(", "));
        }
        let open = answer.open_finals.iter().take(MOST_FINALS);
        facts.extend(open.map(text::open_final));
    }
    let stats = text::statistics(&answer.stats);
    facts.extend((!stats.is_empty()).then_some(stats));
    facts
}

/// More final states than these are only counted.
const MOST_FINALS: usize = 50;

fn bound(bound: &NamedBound) -> String {
    let name = bound.name().replace('_', " ");
    match bound.given() {
        Given::Count(n) => format!("{name} {n}"),
        Given::Word(w) => format!("{name} {w}"),
        Given::Yes => format!("{name} true"),
        Given::None => format!("{name} any"),
    }
}
