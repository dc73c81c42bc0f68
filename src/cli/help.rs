//! Words of the help: headings of options, and examples below them.

/// How the answer is given.
pub const OUTPUT: &str = "Answer";
/// What a run may take.
pub const LIMITS: &str = "Limits";
/// Which executions are meant.
pub const BOUNDS: &str = "Bounds";
/// How they are searched.
pub const SEARCH: &str = "Search";
pub const LOOK_FOR: &str = "What to look for";
pub const EMIT: &str = "Translations: print one and stop";

/// Below the help of the whole.
pub const AFTER_HELP: &str = "\
A file where a command could stand is verified; a file named - is standard input:

  dbverify driver.async --delays 2          is there a bug within two delays?
  dbverify driver.async --delays 0..4       deepen until there is one, or until none can be left
  dbverify driver.async --html bug.html     the same, as a page to step through
  dbverify explore driver.async --all       run every schedule, and find every bug
  dbverify driver.async --emit-boogie       what is decided, as Boogie
  dbverify explain deadlock                 what an error means, with a program that has it

`dbverify help COMMAND` lists the options of a command, those of `dbverify FILE` under `verify`.

Exit status: 0 no bug within the stated bounds, 1 a bug, 2 wrong input or command line,
3 inconclusive (time, memory, or the solver gave up), 130 interrupted by Ctrl-C.";

/// Below that of `verify`.
pub const VERIFY_EXAMPLES: &str = "\
Examples:
  dbverify driver.async                            two delays, four unrollings
  dbverify driver.async --delays 0..4 --unroll 8   deepen; longer loops
  dbverify driver.async --trace-out bug.json       keep the counterexample for `dbverify replay`
  dbverify driver.async --format sarif             for code scanning
  dbverify driver.async --emit-seq | dbverify -    the sequential program is a program

What the bounds in an answer mean: docs/verdicts.md. How deadlocks, races and endless loops are found: `dbverify help explore`.";

/// Below that of `explore`.
pub const EXPLORE_EXAMPLES: &str = "\
Examples:
  dbverify explore locks.async                     every schedule; deadlocks too
  dbverify explore locks.async --strategy dpor     the same, one execution of each trace
  dbverify explore locks.async --races             data races
  dbverify explore server.async --fair             endless executions
  dbverify explore big.async --preemptions 2       at most two preemptions
  dbverify explore big.async --strategy random --runs 100000 --seed 7

Values that the program leaves open (`*`) are tried one by one where they are few, and followed as terms where they are many: --values.";

/// Below that of `prove`.
pub const PROVE_EXAMPLES: &str = "\
Examples:
  dbverify prove driver.async                      for any number of tasks, in any schedule
  dbverify prove driver.async --invariant          with what always holds, in the program's names
  dbverify prove driver.async --certificate c.smt2 with its check, for any solver

What a proof says and what it cannot: docs/prove.md.";

/// Below that of `replay`.
pub const REPLAY_EXAMPLES: &str = "\
Without a prompt the whole trace is shown. At a terminal, or with commands from a pipe or --script, it is walked through:

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

A program that has changed since the trace was written is refused, with what has changed.";

/// Below that of `check`.
pub const CHECK_EXAMPLES: &str = "\
Examples:
  dbverify check driver.async
  dbverify check models                         every .async, .c and .i file below the folder
  dbverify check driver.async --format json     diagnostics as data: docs/schema/diagnostics.json";

/// Below that of `fmt`.
pub const FMT_EXAMPLES: &str = "\
Examples:
  dbverify fmt driver.async           print it
  dbverify fmt driver.async --write   rewrite it
  dbverify fmt driver.async --check   exit status 1 if it would change
  dbverify fmt models --write         rewrite every .async file below the folder";
