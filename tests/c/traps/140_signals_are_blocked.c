// verdict: safe
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

static void *w(void *arg) { return arg; }

int main(void) {
  pthread_t t;
  sigset_t all, before;
  sigfillset(&all);
  assert(pthread_sigmask(SIG_BLOCK, &all, &before) == 0);
  pthread_create(&t, 0, w, 0);
  assert(pthread_sigmask(SIG_SETMASK, &before, NULL) == 0);
  pthread_join(t, 0);
}
