// verdict: safe
// options: --no-races
// The handlers of a cancelled thread run to their end, also where they wait.
#include <assert.h>
#include <pthread.h>
#include <unistd.h>
int cleaned;

void clean(void *arg) {
  sleep(1);
  pthread_testcancel();
  cleaned = 1;
}

void *thread(void *arg) {
  pthread_cleanup_push(clean, 0);
  for (;;) sleep(1);
  pthread_cleanup_pop(0);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, thread, 0);
  pthread_cancel(t);
  pthread_join(t, 0);
  assert(cleaned);
}
