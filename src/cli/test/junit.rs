//! JUnit XML: a suite for each file, a case for each run.

use quick_junit::{NonSuccessKind, Report as Suites, TestCase, TestCaseStatus, TestSuite};

use super::header::Case;
use super::runner::Ran;
use super::{Outcome, Report, Total, said};

/// Writes everything as XML.
///
/// # Errors
/// When it cannot be written as XML.
pub fn report(total: &Total<'_>) -> Result<String, String> {
    let mut suites = Suites::new(NAME);
    suites.set_time(total.time);
    suites.add_test_suites(total.reports.iter().map(suite));
    written(&suites)
}

/// Writes as XML why nothing was run.
///
/// # Errors
/// When it cannot be written as XML.
pub fn refusal(message: &str) -> Result<String, String> {
    let mut test = TestCase::new(
        "command line",
        failure(NonSuccessKind::Error, "wrong input", message),
    );
    test.set_classname(NAME);
    let mut suite = TestSuite::new(NAME);
    suite.add_test_case(test);
    let mut suites = Suites::new(NAME);
    suites.add_test_suite(suite);
    written(&suites)
}

const NAME: &str = "dbverify";

fn written(suites: &Suites) -> Result<String, String> {
    let text = suites.to_string();
    text.map_err(|error| format!("cannot write XML: {error}"))
}

fn suite(report: &Report<'_>) -> TestSuite {
    let mut suite = TestSuite::new(report.path);
    for (line, problem) in report.problems {
        let status = failure(NonSuccessKind::Error, "wrong line", problem);
        let mut test = TestCase::new(format!("line {line}"), status);
        test.set_classname(report.path);
        suite.add_test_case(test);
    }
    for (case, ran) in report.done() {
        suite.add_test_case(one(report.path, case, ran));
    }
    suite
}

fn one(path: &str, case: &Case, ran: &Ran) -> TestCase {
    let said = || said(case, ran);
    let status = match ran.outcome {
        Outcome::Passed => TestCaseStatus::success(),
        Outcome::Differs => failure(NonSuccessKind::Failure, "verdict", &said()),
        Outcome::Undecided => failure(NonSuccessKind::Error, "inconclusive", &said()),
        Outcome::Broken => failure(NonSuccessKind::Error, "wrong input", &said()),
    };
    let mut test = TestCase::new(format!("line {}: {}", case.line, case.shown()), status);
    test.set_classname(path);
    test.set_time(ran.time);
    test
}

fn failure(kind: NonSuccessKind, sort: &str, message: &str) -> TestCaseStatus {
    let mut status = TestCaseStatus::non_success(kind);
    status.set_type(sort).set_message(message);
    status
}
