//! Violation witnesses of SV-COMP: a counterexample of a C program for other tools. GraphML 1.0 tells threads and lines.
//! YAML 2.0 tells the place of the error and the values that were chosen.
//!
//! `semantics` has replayed the execution, as it replays every trace. A witness has no times: equal answers give equal bytes.

use std::fmt::Write as _;

use sha2::{Digest, Sha256};

use base::source::Location;
use ir::ErrorKind;
use trace::Bug;
use trace::{Happening, TraceStep};

use super::Subject;
use super::html::escape;

/// The facts that a witness names beside the execution.
#[derive(Clone, Copy, Debug)]
pub struct About<'a> {
    pub text: &'a str,
    /// Whether `long` and pointers have 32 bits.
    pub is_32_bit: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    GraphMl,
    Yaml,
}

impl Format {
    /// The format that a file's name asks for.
    #[must_use]
    pub fn of(name: &std::path::Path) -> Option<Self> {
        match name.extension()?.to_str()? {
            "graphml" | "xml" => Some(Self::GraphMl),
            "yml" | "yaml" => Some(Self::Yaml),
            _ => None,
        }
    }
}

#[must_use]
pub fn witness(subject: &Subject<'_>, bug: &Bug, about: About<'_>, format: Format) -> String {
    match format {
        Format::GraphMl => graphml(subject, bug, about),
        Format::Yaml => yaml(subject, bug, about),
    }
}

/// The violated property, as the competition writes it.
fn specification(kind: ErrorKind) -> String {
    let formula = match kind {
        ErrorKind::Race => "G ! data-race",
        ErrorKind::Overflow => "G ! overflow",
        ErrorKind::Deref | ErrorKind::Index => "G valid-deref",
        ErrorKind::Free => "G valid-free",
        ErrorKind::Leak => "G valid-memtrack",
        ErrorKind::Deadlock | ErrorKind::Stuck => "G ! deadlock",
        _ => "G ! call(reach_error())",
    };
    format!("CHECK( init(main()), LTL({formula}) )")
}

fn hash(text: &str) -> String {
    Sha256::digest(text)
        .iter()
        .fold(String::new(), |mut all, byte| {
            let _ = write!(all, "{byte:02x}");
            all
        })
}

/// Returns the steps that are in the user's files, with their places.
fn steps<'s>(
    subject: &'s Subject<'_>,
    bug: &'s Bug,
) -> impl Iterator<Item = (&'s TraceStep, Location)> {
    let places = |step: &'s TraceStep| {
        let span = step.span.filter(|&span| subject.sources.is_users(span))?;
        Some((step, subject.sources.locate(span)?))
    };
    bug.trace.steps.iter().filter_map(places)
}

const KEYS: [(&str, &str, &str); 17] = [
    ("witness-type", "string", "graph"),
    ("sourcecodelang", "string", "graph"),
    ("producer", "string", "graph"),
    ("specification", "string", "graph"),
    ("programfile", "string", "graph"),
    ("programhash", "string", "graph"),
    ("architecture", "string", "graph"),
    ("creationtime", "string", "graph"),
    ("entry", "boolean", "node"),
    ("violation", "boolean", "node"),
    ("startline", "int", "edge"),
    ("startoffset", "int", "edge"),
    ("threadId", "string", "edge"),
    ("createThread", "string", "edge"),
    ("enterFunction", "string", "edge"),
    ("assumption", "string", "edge"),
    ("assumption.scope", "string", "edge"),
];

fn graphml(subject: &Subject<'_>, bug: &Bug, about: About<'_>) -> String {
    let mut out = String::from(
        "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"no\"?>\n\
         <graphml xmlns=\"http://graphml.graphdrawing.org/xmlns\" xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\">\n",
    );
    for (name, ty, of) in KEYS {
        let _ = writeln!(
            out,
            " <key id=\"{name}\" attr.name=\"{name}\" attr.type=\"{ty}\" for=\"{of}\"/>"
        );
    }
    out += " <graph edgedefault=\"directed\">\n";
    let bits = if about.is_32_bit { "32bit" } else { "64bit" };
    let version = concat!("dbverify ", env!("CARGO_PKG_VERSION"));
    let head = [
        ("witness-type", "violation_witness"),
        ("sourcecodelang", "C"),
        ("producer", version),
        ("specification", &specification(bug.kind)),
        ("programfile", subject.file),
        ("programhash", &hash(about.text)),
        ("architecture", bits),
        ("creationtime", CREATED),
    ];
    for (key, value) in head {
        data(&mut out, "  ", key, value);
    }
    let all: Vec<_> = steps(subject, bug).collect();
    for node in 0..=all.len() {
        let key = match node {
            0 => "entry",
            n if n == all.len() => "violation",
            _ => {
                let _ = writeln!(out, "  <node id=\"n{node}\"/>");
                continue;
            }
        };
        let _ = writeln!(out, "  <node id=\"n{node}\">");
        data(&mut out, "   ", key, "true");
        out += "  </node>\n";
    }
    for (node, (step, place)) in all.iter().enumerate() {
        edge(&mut out, node, step, place.line);
    }
    out + " </graph>\n</graphml>\n"
}

/// A step, from one node to the next.
fn edge(out: &mut String, node: usize, step: &TraceStep, line: u32) {
    let next = node + 1;
    let _ = writeln!(out, "  <edge source=\"n{node}\" target=\"n{next}\">");
    let mut entry = |key: &str, value: &str| data(out, "   ", key, value);
    // Witnesses number threads from 0.
    let thread = |task: u32| task.saturating_sub(1).to_string();
    entry("startline", &line.to_string());
    entry("threadId", &thread(step.task));
    if node == 0 {
        entry("enterFunction", "main");
    }
    if let Happening::Posted { task, .. } = &step.happening {
        entry("createThread", &thread(*task));
    }
    if let Some((assumption, scope)) = assumption(step) {
        entry("assumption", &format!("{assumption};"));
        if let Some(scope) = scope {
            entry("assumption.scope", scope);
        }
    }
    *out += "  </edge>\n";
}

/// No clock is read, so that the same answer gives the same bytes.
const CREATED: &str = "1970-01-01T00:00:00Z";

fn data(out: &mut String, indent: &str, key: &str, value: &str) {
    let _ = writeln!(out, "{indent}<data key=\"{key}\">{}</data>", escape(value));
}

/// Returns what holds after a step that has changed a variable, and the function of the variable if it is a local.
fn assumption(step: &TraceStep) -> Option<(String, Option<&str>)> {
    let change = step.changed.first()?;
    let number = change.number?;
    Some((
        format!("{} == {number}", change.name),
        change.proc.as_deref(),
    ))
}

fn yaml(subject: &Subject<'_>, bug: &Bug, about: About<'_>) -> String {
    let model = if about.is_32_bit { "ILP32" } else { "LP64" };
    let (file, hash) = (quoted(subject.file), hash(about.text));
    // The name comes from the text of the program: the same answer gives the same bytes.
    let id = &hash;
    let uuid = format!(
        "{}-{}-4{}-8{}-{}",
        &id[..8],
        &id[8..12],
        &id[13..16],
        &id[17..20],
        &id[20..32]
    );
    let mut out = format!(
        "- entry_type: violation_sequence\n  metadata:\n    format_version: \"2.0\"\n    uuid: \"{uuid}\"\n    \
         creation_time: \"{CREATED}\"\n    producer:\n      name: dbverify\n      version: \"{}\"\n    task:\n      \
         input_files:\n        - {file}\n      input_file_hashes:\n        {file}: \"{hash}\"\n      \
         specification: {}\n      data_model: {model}\n      language: C\n  content:\n",
        env!("CARGO_PKG_VERSION"),
        quoted(&specification(bug.kind)),
    );
    let mut last = None;
    for (step, place) in steps(subject, bug) {
        if let (Happening::Chosen { .. }, Some((assumption, _))) =
            (&step.happening, assumption(step))
        {
            let constraint = format!(
                "        constraint:\n          value: {}\n          format: c_expression\n",
                quoted(&assumption)
            );
            waypoint(&mut out, "assumption", &file, (step, &place), &constraint);
        }
        last = Some((step, place));
    }
    if let Some((step, place)) = last {
        waypoint(&mut out, "target", &file, (step, &place), "");
    }
    out
}

fn waypoint(
    out: &mut String,
    kind: &str,
    file: &str,
    (step, place): (&TraceStep, &Location),
    more: &str,
) {
    let _ = write!(
        out,
        "  - segment:\n    - waypoint:\n        type: {kind}\n        action: follow\n{more}        location:\n          \
         file_name: {file}\n          line: {}\n          column: {}\n          function: {}\n",
        place.line, place.column, step.proc
    );
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
