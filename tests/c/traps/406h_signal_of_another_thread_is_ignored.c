// What waits for another thread is not discarded here.
// verdict: inconclusive
#include <assert.h>
#include <pthread.h>
#include <signal.h>
static void handle(int n) {}
static void *ignores(void *arg) {
  signal(SIGUSR1, SIG_IGN);
  return 0;
}
int main(void) {
  pthread_t t;
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &set, 0);
  signal(SIGUSR1, handle);
  raise(SIGUSR1);
  pthread_create(&t, 0, ignores, 0);
  pthread_join(t, 0);
  sigpending(&set);
  assert(sigismember(&set, SIGUSR1));
}
