// What a mutex guards is not late, also where races are not looked for.
// verdict: safe
// options: --memory c11 --no-races
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int data, ready;
static void *writer(void *unused) {
  pthread_mutex_lock(&lock);
  data = 1;
  ready = 1;
  pthread_mutex_unlock(&lock);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, writer, 0);
  pthread_mutex_lock(&lock);
  if (ready)
    assert(data == 1);
  pthread_mutex_unlock(&lock);
  pthread_join(t, 0);
  return 0;
}
