//! Declared independence and exclusiveness, in the form in which provers find it.

use super::{lowered, said};
use insta::assert_snapshot;

#[test]
fn claims_name_procedures() {
    assert_snapshot!(lowered(
        "object Bag(n: int) {
           var count: int := n;
           op take(k: int) when count >= k { count := count - k; }
           op put(k: int): int { count := count + k; return k; }
           op clear() when count > 0 { count := 0; }
           op idle() when count == 0 { skip; }
           independent put, put;
           independent take(a), put(b) when a > b || count > 9;
           exclusive clear, idle;
         }
         var one: Bag(1); var two, again: [3]Bag(2);
         proc main() { one.take(1); }"
    ));
}

#[test]
fn wrong_claims() {
    assert_snapshot!(said(
        "object Inner { op f() { skip; } }
         object O {
           op f(i: int) { skip; }
           op g(o: Inner) { o.f(); }
           independent f, h;
           independent f(x), f when x + y > 0;
           independent f(x), f(y) when x;
           independent f(x, y), f when true;
           exclusive f, g;
         }
         var o: O; proc main() {}"
    ));
}
