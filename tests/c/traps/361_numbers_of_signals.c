// Signals that there are not, and sets of signals.
// verdict: safe
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
int main(void) {
  struct sigaction now;
  sigset_t a, b, c;
  assert(pthread_kill(pthread_self(), 99) == EINVAL && pthread_kill(pthread_self(), -1) == EINVAL);
  errno = 0;
  assert(raise(99) == -1 && errno == EINVAL);
  assert(sigaction(SIGKILL, 0, &now) == 0 && now.sa_handler == SIG_DFL);
  now.sa_handler = SIG_IGN;
  assert(sigaction(SIGKILL, &now, 0) == -1);
  sigemptyset(&a);
  sigemptyset(&b);
  assert(sigisemptyset(&a));
  sigaddset(&a, SIGINT);
  sigaddset(&b, SIGHUP);
  assert(!sigisemptyset(&a) && sigandset(&c, &a, &b) == 0 && sigisemptyset(&c));
  assert(sigorset(&c, &a, &b) == 0 && sigismember(&c, SIGINT) && sigismember(&c, SIGHUP) && !sigismember(&c, SIGTERM));
  return 0;
}
