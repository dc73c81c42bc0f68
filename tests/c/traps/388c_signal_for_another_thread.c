// A signal for a thread waits for that thread only.
// verdict: safe
#include <assert.h>
#include <pthread.h>
#include <signal.h>

static void *waits(void *arg) {
  int which = 0;
  sigwait(arg, &which);
  assert(which == SIGUSR2);
  return arg;
}
int main(void) {
  static sigset_t set;
  sigset_t now;
  pthread_t t;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR2);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  pthread_create(&t, NULL, waits, &set);
  assert(!pthread_kill(t, SIGUSR2));
  sigpending(&now);
  assert(!sigismember(&now, SIGUSR2));
  pthread_join(t, NULL);
}
