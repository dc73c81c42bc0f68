// N threads count under a lock, or, with -DBUG, without one.
#include <assert.h>
#include <pthread.h>

static int count;
static pthread_mutex_t lock;

static void *counter(void *arg) {
#ifndef BUG
  pthread_mutex_lock(&lock);
#endif
  count++;
#ifndef BUG
  pthread_mutex_unlock(&lock);
#endif
  return 0;
}

int main(void) {
  pthread_t threads[N];
  pthread_mutex_init(&lock, 0);
  for (int i = 0; i < N; i++) pthread_create(&threads[i], 0, counter, 0);
  for (int i = 0; i < N; i++) pthread_join(threads[i], 0);
  assert(count == N);
  return 0;
}
