// The destructors of keys that nobody has made are not called when a thread ends.
// verdict: safe
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static int ended;

static void end(void *value) {
  ended++;
  free(value);
}

static void init(void) { pthread_key_create(&key, end); }

static void *work(void *unused) {
  pthread_once(&once, init);
  pthread_setspecific(key, malloc(4));
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  pthread_join(t, 0);
  pthread_once(&once, init);
  assert(ended == 1);
  return 0;
}
