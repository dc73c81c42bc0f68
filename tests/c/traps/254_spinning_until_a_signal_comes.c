// `pause` and `sigwait` wait for ever. A thread that waits so can be cancelled.
// verdict: safe
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>
static int woken;
static void *paused(void *arg) {
  pause();
  woken = 1;
  return 0;
}
static void *waits(void *arg) {
  sigset_t all;
  int which;
  sigfillset(&all);
  sigwait(&all, &which);
  woken = 2;
  return 0;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, paused, 0);
  pthread_create(&u, 0, waits, 0);
  pthread_cancel(t);
  pthread_join(t, 0);
  assert(woken == 0);
}
