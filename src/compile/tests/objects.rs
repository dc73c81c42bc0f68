//! Objects become globals and awaits.

use super::{lowered, proc_of};
use insta::assert_snapshot;
use options::PreemptMode;

const LOCK: &str = "
    object Lock(n: int) {
      var held: bool := false;
      var count: 0..9 := n;
      op lock(k: int): int when !held && k < n { held := true; return k; }
      op unlock() { held := false; }
      op turn() enqueue { count := 0; } when count > 2 spurious 2 { count := 1; }
      proc twice(x: int) { let y = call lock(x); call unlock(); call twice(y); }
    }
";

#[test]
fn one_object() {
    let text = format!(
        "{LOCK} var o: Lock(3); var g: int := 0;
         proc main() {{ g := o.lock(g); let y = o.lock(1); o.unlock(); o.turn(); o.twice(2); var z: 0..2 := o.lock(0); }}"
    );
    assert_snapshot!(lowered(&text));
}

#[test]
fn arrays_of_objects_and_references() {
    let text = format!(
        "{LOCK} var o: [4]Lock(1); var grid: [2][3]Lock(2); var g: int := 0;
         proc both(a: Lock, n: int, b: Lock(2)) {{ a.unlock(); b.unlock(); call both(a, n + 1, b); }}
         proc row(r: [3]Lock) {{ r[g].turn(); }}
         proc main() {{ for i in 0..3 {{ o[i].unlock(); }} call both(o[g], 1, grid[0][g]); call row(grid[g]); post row(grid[1]); }}"
    );
    assert_snapshot!(lowered(&text));
}

#[test]
fn objects_in_objects() {
    assert_snapshot!(lowered(
        "object Cell { var v: int := 0; op get(): int { return v; } op put(n: int) { v := n; } }
         object Pair(k: int) {
           var left, right: Cell;
           var more: [2]Cell;
           var sum: int := k;
           op swap(other: Cell) { let t = left.get(); left.put(sum); other.put(t); call fix(); }
           proc fix() { sum := k; }
           proc both() { left.put(1); more[sum].put(2); }
         }
         var p: Pair(7); var ps: [2]Pair(8); var c: Cell;
         proc main() { p.swap(c); ps[1].both(); }"
    ));
}

#[test]
fn in_the_mode_access() {
    let text = format!(
        "{LOCK} var o: [4]Lock(1); var g: int := 0;
         proc other(i: int) {{ o[i].lock(i); o[0].turn(); }}
         proc main() {{ g := o[g].lock(g); o[1].unlock(); atomic {{ o[g].unlock(); }} }}"
    );
    let show = |name| proc_of(&text, name, PreemptMode::Access);
    assert_snapshot!(format!("{}\n\n{}", show("main"), show("other")));
}

#[test]
fn initial_states_may_differ_among_objects() {
    assert_snapshot!(lowered(
        "object O { var a: bool := *; var b: 0..3 := if * then 1 else 2; var c: int; var d: task; }
         var o: [2]O; proc main() {}"
    ));
}

#[test]
fn own_names_come_before_imported_ones() {
    let text =
        "use sync; object Mutex { op enter() { skip; } } var m: Mutex; proc main() { m.enter(); }";
    assert!(lowered(text).contains("op Mutex.enter of m"));
}
