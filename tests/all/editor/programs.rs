//! Programs that editors of the tests have open.

/// A program with everything.
pub const PROGRAM: &str = "\
use sync;
const LIMIT := 3; /* 😀 */ const AFTER := LIMIT;
type Mode = enum { Idle, Busy };
type Req = record { id: int, done: bool };
// How many had their turn.
var served: 0..LIMIT := 0; /* äöü 😀 */ var mode: Mode := Idle;
var log: [4]Req := [Req { id: 0, done: false }; 4];
var m: Mutex;
object Gate(n: int) {
  var inside: int := 0;
  // Waits for room.
  op enter(who: int): int when inside < n { inside := inside + 1; return who; }
  op leave() { inside := inside - 1; }
}
var gate: Gate(2);
// Serves a request.
proc serve(id: int): bool {
  let got = gate.enter(id);
  m.lock();
  log[0].id := got;
  served := served + 1;
  m.unlock();
  gate.leave();
  return log[0].done;
}
proc task_of(id: int) { call serve(id); }
proc main() {
  let t = post task_of(1);
  for i in 0..1 { yield; }
  join t;
  mode := Busy;
}
";

/// A program with a bug that one delay shows.
pub const BUGGY: &str = "\
/* 😀 */ var x: int := 0;

proc add(n: int) {
  var t: int := x;
  yield;
  x := t + n;
}

proc main() { post add(1); post add(2); }

finally { /* 😀 */ assert x == 3, \"an addition was lost\"; }
";

/// The same without it.
pub const SAFE: &str = "\
var x: int := 0;

proc add(n: int) {
  yield;
  var t: int := x;
  x := t + n;
}

proc main() { post add(1); post add(2); }

finally { assert x == 3, \"an addition was lost\"; }
";

/// Takes for ever: nothing bounds it but the number of its states, and few of its steps commute.
pub const ENDLESS: &str = "\
var x: [8]int := [0; 8];
proc up(k: int) { for i in 0..40 { x[k] := x[7 - k] + i; yield; } }
proc main() { for k in 0..7 { post up(k); } }
";
