/* N processes increment a shared counter L times each, by a load and a store that others may come between. */

#define N @N@
#define L @L@

byte x;
byte done;

proctype increment() {
  byte i, v;
end:
  do
  :: d_step { i < L; v = x };
     d_step { x = v + 1; v = 0; i++; done = (i == L -> done + 1 : done) }
  od
}

init {
  atomic {
    byte k;
    for (k : 1 .. N) { run increment() }
    k = 0
  }
  d_step { done == N; assert(x >= @LEAST@) }
}
