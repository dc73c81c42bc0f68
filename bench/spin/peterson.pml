/* Peterson's algorithm for N processes: a process waits at each of N - 1 levels until
   nobody is as far as it or somebody came after it. */

#define N @N@

byte level[N];
byte last[N];
byte inside;

proctype process(byte i) {
  byte l = 1;
  do
  :: d_step { l < N; level[i] = l };
     last[l] = i;
     d_step {
       (last[l] != i || @ALONE@);
       l++;
       inside = (l == N -> inside + 1 : inside)
     }
  :: d_step { l == N; assert(inside == 1); inside--; level[i] = 0; l = 1 }
  od
}

init {
  atomic {
    byte k;
    for (k : 0 .. N - 1) { run process(k) };
    k = 0
  }
}
