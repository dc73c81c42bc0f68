//! One JSON object: `docs/schema/test.json`.

use serde_json::{Value, json};

use super::header::Case;
use super::runner::Ran;
use super::{Report, Total};

const SCHEMA: &str = "dbverify-test/1";

pub fn report(total: &Total<'_>) -> String {
    let counts = &total.counts;
    let files: Vec<Value> = total.reports.iter().map(file).collect();
    let object = json!({
        "schema": SCHEMA,
        "version": env!("CARGO_PKG_VERSION"),
        "runs": counts.runs,
        "passed": counts.passed,
        "failed": counts.failed,
        "undecided": counts.undecided,
        "broken": counts.broken,
        "interrupted": counts.left,
        "untested_files": total.silent,
        "seconds": total.time.as_secs_f64(),
        "files": files
    });
    format!("{object}\n")
}

fn file(report: &Report<'_>) -> Value {
    let problems = report.problems.iter();
    let problems: Vec<Value> = problems
        .map(|(line, message)| json!({ "line": line, "message": message }))
        .collect();
    let runs: Vec<Value> = report.done().map(|(case, ran)| run(case, ran)).collect();
    json!({ "file": report.path, "problems": problems, "runs": runs })
}

fn run(case: &Case, ran: &Ran) -> Value {
    json!({
        "line": case.line,
        "run": case.shown(),
        "expected": case.expected.to_string(),
        "found": ran.found.as_ref().map(ToString::to_string),
        "outcome": ran.outcome.word(),
        "message": ran.says,
        "seconds": ran.time.as_secs_f64()
    })
}
