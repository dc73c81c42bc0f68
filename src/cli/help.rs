//! Words of the help: headings of options, and examples below them.

/// How the answer is given.
pub const OUTPUT: &str = "Answer";
/// What a run may take.
pub const LIMITS: &str = "Limits";
/// Which executions are meant.
pub const BOUNDS: &str = "Bounds";
/// How executions are searched.
pub const SEARCH: &str = "Search";
pub const LOOK_FOR: &str = "What to look for";
pub const EMIT: &str = "Translations: print one and stop";

/// Options that `-h` leaves out, by their names as data.
#[rustfmt::skip] // It would write a line for each.
pub const RARE: &[&str] = &[
    "args", "certificate", "check", "checkpoint", "cluster", "color", "compact", "copies", "coverage", "cover", "cross_check",
    "data_model", "define", "depth", "emit_boogie", "emit_seq", "emit_smt", "engine", "error_label", "cc", "first", "heap",
    "compile_commands", "heap_reuse", "include", "malloc_may_fail", "max_steps", "modules_from", "no_reduction", "nondet", "process",
    "reproduce", "require_exhaustive", "resume", "rounds", "runs", "seed", "shard", "solver", "spurious", "strict", "stub", "switches",
    "trace_length", "undefine", "values", "volatile", "witness",
];

/// Stands below the help of `dbverify` itself.
pub const AFTER_HELP: &str = "\
`dbverify FILE` means `dbverify verify FILE`; the file - is standard input:

  dbverify driver.async --delays 2          look for a bug within two delays
  dbverify driver.async --delays 0..4       try one budget after the other
  dbverify driver.async --html bug.html     the answer as a page to step through
  dbverify explore driver.async --all       find every bug in every schedule
  dbverify driver.async --emit-boogie       print the sequential program for Boogie
  dbverify explain deadlock                 what an error means, with an example

`dbverify COMMAND -h` lists the frequent options of a command, `dbverify help COMMAND` all of them.

Exit status: 0 no bug within the stated bounds, 1 a bug, 2 wrong input or command line,
3 inconclusive (time, memory, or the solver gave up), 130 interrupted by Ctrl-C.";

/// Stands below the help of `verify`.
pub const VERIFY_EXAMPLES: &str = "\
Examples:
  dbverify driver.async                            at most two delays
  dbverify driver.async --delays 0..4 --unroll 8   try 0 to 4 delays; longer loops
  dbverify driver.async --trace-out bug.json       keep the counterexample for `dbverify replay`
  dbverify driver.async --format sarif             for code scanning
  dbverify driver.async --emit-seq | dbverify -    the sequential program is a program

docs/verdicts.md says what the bounds in an answer mean. `dbverify help explore` finds races and endless loops.";

/// Stands below the help of `explore`.
pub const EXPLORE_EXAMPLES: &str = "\
Examples:
  dbverify explore locks.async                     every schedule; deadlocks too
  dbverify explore locks.async --strategy dpor     the same, one execution of each trace
  dbverify explore locks.async --races             data races
  dbverify explore server.async --fair             endless executions
  dbverify explore big.async --preemptions 2       at most two preemptions
  dbverify explore big.async --strategy random --runs 100000 --seed 7

docs/explore.md says what each search covers.";

/// Stands below the help of `prove`.
pub const PROVE_EXAMPLES: &str = "\
Examples:
  dbverify prove driver.async                      for any number of tasks, in any schedule
  dbverify prove driver.async --invariant          and print what always holds
  dbverify prove driver.async --certificate c.smt2 and write the check for another solver

docs/prove.md says what a proof covers, and its limits.";

/// Stands below the help of `replay`.
pub const REPLAY_EXAMPLES: &str = "\
At a terminal, from a pipe or with --script, these commands walk through the trace; otherwise all of it is shown:

  step, back [N]      one step or N, forwards or backwards      goto N     to the moment after step N
  next, previous      to the next or last switch of task        where      say again where we are
  break LINE          break on a line                           watch X    break where X changes
  continue, reverse   to the next break, to the last one        delete N   forget a break
  print [NAME]        values: x, a[2], r.field, proc.local      globals, locals [TASK], tasks
  list [LINE]         the source                                trace, help, quit

Examples:
  dbverify driver.async --trace-out bug.json; dbverify replay driver.async bug.json
  printf 'watch count\\ncontinue\\nprint\\n' | dbverify replay driver.async bug.json
  dbverify replay driver.async bug.json --html bug.html

A changed program is refused, with a diff.";

/// Stands below the help of `check`.
pub const CHECK_EXAMPLES: &str = "\
Examples:
  dbverify check driver.async
  dbverify check models                         every .async, .c and .i file below the folder
  dbverify check driver.async --format json     diagnostics as data: docs/schema/diagnostics.json";

/// Stands below the help of `fmt`.
pub const FMT_EXAMPLES: &str = "\
Examples:
  dbverify fmt driver.async           print it
  dbverify fmt driver.async --write   rewrite it
  dbverify fmt driver.async --check   exit status 1 if it would change
  dbverify fmt models --write         rewrite every .async file below the folder";
