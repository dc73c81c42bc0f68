// verdict: safe
#define _GNU_SOURCE
#include <assert.h>
#include <signal.h>
static int n;
static void handle(int signal) { n++; }
int main(void) {
  assert(sigset(SIGUSR1, handle) == SIG_DFL && sigset(SIGUSR1, SIG_HOLD) == handle);
  raise(SIGUSR1);
  assert(n == 0 && sigset(SIGUSR1, handle) == SIG_HOLD && n == 1);
  sighold(SIGUSR1);
  raise(SIGUSR1);
  assert(n == 1 && sigrelse(SIGUSR1) == 0 && n == 2 && sighold(99) == -1);
}
