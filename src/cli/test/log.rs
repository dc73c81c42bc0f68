//! One SARIF log of what did not come out as expected: the bugs of runs that should have none, with their traces, and the
//! `// expect:` lines that are not met.

use serde_json::Value;

use report::sarif::{Log, expectation, hindrance};

use super::{Outcome, Report, Total};

pub fn report(total: &Total<'_>) -> String {
    let hindered = total.reports.iter().flat_map(hindrances);
    let interrupted = total.counts.interrupted();
    let log = Log {
        results: total.reports.iter().flat_map(results).collect(),
        notifications: hindered
            .chain(interrupted.as_deref().map(hindrance))
            .collect(),
        ..Log::default()
    };
    log.text() + "\n"
}

/// Why runs of a file did not do what they were to do.
fn hindrances(report: &Report<'_>) -> impl Iterator<Item = Value> {
    let complaints = report.complaints().into_iter();
    let hindered = complaints.filter(|(_, outcome, _)| outcome.is_hindered());
    hindered.map(|(line, _, text)| hindrance(&format!("{}:{line}: {text}", report.path)))
}

fn results(report: &Report<'_>) -> Vec<Value> {
    let surprises = report
        .done()
        .filter(|(_, ran)| ran.outcome != Outcome::Passed);
    let found = surprises.flat_map(|(_, ran)| ran.results.iter().cloned());
    let unmet = report
        .complaints()
        .into_iter()
        .map(|(line, outcome, text)| {
            let level = match outcome {
                Outcome::Undecided => "warning",
                _ => "error",
            };
            expectation(report.path, line, level, &text)
        });
    found.chain(unmet).collect()
}
