//! Compiles texts in the background, one at a time. It skips all versions of a text but the last.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;

use ast::parser::parse;
use base::diagnostic::Diagnostic;
use base::source::{SourceMap, Span};
use compile::modules::uses;

use super::server::Job;
use super::text::Text;
use names::language::Origin;
use names::unused;

/// A text to be checked.
#[derive(Clone, Debug)]
pub struct Order {
    pub uri: String,
    pub origin: Origin,
    /// The number of this version of the text.
    pub revision: u64,
    pub text: Arc<Text>,
}

/// Starts a thread that checks the texts that it is sent, and sends what it finds to the server.
#[must_use]
pub fn start(jobs: Sender<Job>) -> Sender<Order> {
    let (orders, inbox) = mpsc::channel();
    thread::spawn(move || work(&inbox, &jobs));
    orders
}

fn work(inbox: &Receiver<Order>, jobs: &Sender<Job>) {
    let mut waiting: BTreeMap<String, Order> = BTreeMap::new();
    loop {
        if waiting.is_empty() {
            let Ok(order) = inbox.recv() else { return };
            waiting.insert(order.uri.clone(), order);
        }
        // If several versions of a text wait, the thread checks only the last.
        waiting.extend(inbox.try_iter().map(|o| (o.uri.clone(), o)));
        let Some((_, order)) = waiting.pop_first() else {
            continue;
        };
        let found = check(&order.origin, &order.text.text);
        let job = Job::Checked(order.uri, order.revision, found);
        if jobs.send(job).is_err() {
            return;
        }
    }
}

/// Everything that is wrong with a text.
#[must_use]
pub fn check(origin: &Origin, text: &str) -> Vec<Diagnostic> {
    let compile = || {
        let compiled = origin.compile(text);
        let mut found = compiled.diagnostics;
        if compiled.program.is_some() && !origin.is_c() {
            let others = unused::others(&compiled.sources);
            found.extend(unused::warnings(text, &others));
        }
        let uses = || match origin.is_c() {
            true => includes(text),
            false => uses(&parse(text, 0).0),
        };
        for diagnostic in &mut found {
            bring_home(diagnostic, uses, text, &compiled.sources);
        }
        found
    };
    catch_unwind(AssertUnwindSafe(compile)).unwrap_or_else(|_| {
        let message = "internal error: this is a fault of dbverify, not of your program; please report it with the program";
        vec![Diagnostic::error("internal", Span::new(0, 0), message)]
    })
}

/// The headers that a text in C includes, and where.
fn includes(text: &str) -> Vec<(String, Span)> {
    let mut start = 0;
    let lines = text.split_inclusive('\n').map(|line| {
        let from = start;
        start += u32::try_from(line.len()).unwrap_or(0);
        let to = from + u32::try_from(line.trim_end().len()).unwrap_or(0);
        Some((c::included(line)?.to_owned(), Span::new(from, to)))
    });
    lines.flatten().collect()
}

/// Shows a complaint about a used file where the document uses it. The first `use` stands for files that other files use.
fn bring_home(
    diagnostic: &mut Diagnostic,
    uses: impl Fn() -> Vec<(String, Span)>,
    text: &str,
    sources: &SourceMap,
) {
    let Some(at) = diagnostic.span.and_then(|span| sources.locate(span)) else {
        return;
    };
    let span = diagnostic.span.unwrap_or_default();
    if span.end as usize <= text.len() || !sources.is_users(span) {
        return;
    }
    let uses = uses();
    let using = (uses
        .iter()
        .find(|(file, _)| Path::new(&at.file).ends_with(file)))
    .or(uses.first());
    diagnostic.message = format!("{}:{}: {}", at.file, at.line, diagnostic.message);
    diagnostic.span = using.map(|&(_, span)| span);
    diagnostic.fix = None;
}
