//! How fast text becomes a tree, a program and text again, and how much memory that takes.
//!
//! `cargo bench --bench parse`: throughput in bytes of source a second, and beside it what
//! the allocator saw (`max alloc` is the peak; divide it by the size of the source).

use std::fmt::Write;
use std::sync::LazyLock;

use dbverify::ast::lexer::Lexer;
use dbverify::ast::parser::parse;
use dbverify::ast::print::format;
use dbverify::check::{CheckOptions, check};
use dbverify::source::SourceMap;
use divan::counter::BytesCount;

#[global_allocator]
static ALLOC: divan::AllocProfiler = divan::AllocProfiler::system();

fn main() {
    divan::main();
}

/// One unit of the generated program: written as people write, with comments and long names.
const UNIT: &str = "
// Device number #: requests are counted in and out, and stop waits for the last one.
var pendingIo_#: int := 1;
var stopped_#, stopping_#: bool := false;
var queue_#: [8]Request := [Request { id: 0, done: false }; 8];

// Enters the driver; false when it is stopping.
proc enter_#(id: int): bool {
  atomic {
    if stopping_# {
      return false;
    }
    pendingIo_# := pendingIo_# + 1;
  }
  return true;
}

proc worker_#(id: int) {
  var ok: bool;
  ok := call enter_#(id);
  if ok && id >= 0 {
    /* The request is worked on here. */
    assert !stopped_#, \"the device has been stopped under a request\";
    queue_#[id % 8].done := true;
    while queue_#[(id + 1) % 8].id != 0 && !stopping_# {
      yield;
    }
  } else {
    queue_#[id % 8] := Request { id: id, done: false };
  }
  pendingIo_# := pendingIo_# - 1;
  if pendingIo_# == 0 || stopping_# {
    stopped_# := true;
  }
}
";

/// A program of about 10 MB.
static SOURCE: LazyLock<String> = LazyLock::new(|| {
    let mut text =
        String::from("type Request = record { id: int, done: bool };\n\nproc main() {\n}\n");
    for n in 0.. {
        let unit = UNIT.replace('#', &n.to_string());
        if text.len() + unit.len() > 10_000_000 {
            break;
        }
        text.push_str(&unit);
    }
    let _ = writeln!(text, "\nfinally {{\n  assert true;\n}}");
    text
});

#[divan::bench(sample_count = 10)]
fn lexing(bencher: divan::Bencher<'_, '_>) {
    let text = SOURCE.as_str();
    bencher
        .counter(BytesCount::of_str(text))
        .bench_local(|| Lexer::new(text, 0).count());
}

#[divan::bench(sample_count = 10)]
fn lexing_and_parsing(bencher: divan::Bencher<'_, '_>) {
    let text = SOURCE.as_str();
    assert!(parse(text, 0).1.is_empty());
    bencher
        .counter(BytesCount::of_str(text))
        .bench_local(|| parse(text, 0));
}

#[divan::bench(sample_count = 5)]
fn parsing_checking_and_lowering(bencher: divan::Bencher<'_, '_>) {
    let text = SOURCE.as_str();
    bencher.counter(BytesCount::of_str(text)).bench_local(|| {
        let (ast, _) = parse(text, 0);
        let made = check(&ast, &CheckOptions::default(), &mut SourceMap::new());
        assert!(made.0.is_some(), "{:?}", made.1.first());
        (ast, made)
    });
}

#[divan::bench(sample_count = 5)]
fn formatting(bencher: divan::Bencher<'_, '_>) {
    let text = SOURCE.as_str();
    assert!(format(text, 0).is_ok());
    bencher
        .counter(BytesCount::of_str(text))
        .bench_local(|| format(text, 0));
}
