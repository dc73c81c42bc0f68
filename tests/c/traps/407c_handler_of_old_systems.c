// verdict: safe
#define _GNU_SOURCE
#include <assert.h>
#include <signal.h>
static int n;
static void handle(int signal) {
  n++;
  sysv_signal(SIGUSR1, handle);
  if (n == 1) {
    raise(SIGUSR1);
    assert(n == 2);
  }
}
int main(void) {
  assert(sysv_signal(SIGUSR1, handle) == SIG_DFL);
  raise(SIGUSR1);
  assert(n == 2 && signal(SIGUSR1, SIG_DFL) == handle);
  sysv_signal(SIGUSR2, SIG_DFL);
  raise(SIGUSR2);
  assert(0);
}
