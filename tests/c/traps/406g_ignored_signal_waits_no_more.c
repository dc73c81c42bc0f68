// verdict: safe
#include <assert.h>
#include <signal.h>
#include <unistd.h>
static void handle(int n) { assert(0); }
int main(void) {
  sigset_t set, now;
  sigfillset(&set);
  sigprocmask(SIG_BLOCK, &set, 0);
  signal(SIGUSR1, handle);
  signal(SIGCHLD, handle);
  raise(SIGUSR1);
  kill(getpid(), SIGUSR1);
  raise(SIGCHLD);
  signal(SIGUSR1, SIG_IGN);
  signal(SIGCHLD, SIG_DFL);
  sigpending(&now);
  assert(!sigismember(&now, SIGUSR1) && !sigismember(&now, SIGCHLD));
  signal(SIGUSR1, handle);
  signal(SIGCHLD, handle);
  sigprocmask(SIG_UNBLOCK, &set, 0);
}
