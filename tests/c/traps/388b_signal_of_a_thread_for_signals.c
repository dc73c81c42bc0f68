// A thread waits for the signals that all threads block: it inherits what the one that made it blocks.
// verdict: bug assertion
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int quit;
static void *waits(void *arg) {
  int which;
  for (;;) {
    if (sigwait(arg, &which)) return 0;
    if (which == SIGTERM) break;
  }
  pthread_mutex_lock(&m);
  quit = 1;
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  static sigset_t set;
  pthread_t t;
  sigemptyset(&set);
  sigaddset(&set, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &set, NULL);
  pthread_create(&t, NULL, waits, &set);
  kill(getpid(), SIGTERM);
  pthread_join(t, NULL);
  assert(quit == 2);
}
