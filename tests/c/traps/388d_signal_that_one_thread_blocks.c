// The second thread does not block the signal.
// verdict: inconclusive
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static void *opens(void *arg) {
  pthread_sigmask(SIG_UNBLOCK, arg, NULL);
  return 0;
}
int main(void) {
  static sigset_t set;
  pthread_t t;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  pthread_create(&t, NULL, opens, &set);
  pthread_join(t, NULL);
  kill(getpid(), SIGUSR1);
}
