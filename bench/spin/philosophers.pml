/* N philosophers eat again and again; the last one takes the forks in the other order. */

#define N @N@

bool taken[N];
bool eating[N];

proctype philosopher(byte i) {
  byte left, right;
  /* A step of its own that touches nothing shared: the reduction lives on it. */
  d_step {
    left = (i == N - 1 -> 0 : i);
    right = (i == N - 1 -> N - 1 : i + 1)
  };
  do
  :: d_step { !taken[left]; taken[left] = true }
     d_step { !taken[right]; taken[right] = true; eating[i] = true }
     d_step {
       assert(!eating[(i + 1) % N] && !eating[(i + N - 1) % N]);
       eating[i] = false; taken[left] = false
     }
     taken[right] = false
  od
}

init {
  atomic {
    byte k;
    for (k : 0 .. N - 1) { run philosopher(k) };
    k = 0
  }
}
