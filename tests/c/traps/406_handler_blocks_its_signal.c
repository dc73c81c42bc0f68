// While a handler runs, its own signal waits, and so do those of `sa_mask`.
// verdict: safe
#include <assert.h>
#include <signal.h>
static int inside, calls;
static void handle(int n) {
  assert(!inside);
  inside = 1;
  calls++;
  if (calls == 1) raise(SIGUSR1);
  if (calls == 2) raise(SIGUSR2);
  assert(calls <= 3);
  inside = 0;
}
int main(void) {
  struct sigaction action = {.sa_handler = handle}, old;
  sigaddset(&action.sa_mask, SIGUSR2);
  sigaction(SIGUSR1, &action, 0);
  sigaction(SIGUSR2, &action, 0);
  raise(SIGUSR1);
  assert(calls == 3);
  sigaction(SIGUSR1, 0, &old);
  assert(sigismember(&old.sa_mask, SIGUSR2) && !sigismember(&old.sa_mask, SIGUSR1));
}
