// verdict: safe
// options: --no-races
// A destructor that ends its thread once more ends nothing: the other destructors are called.
#include <assert.h>
#include <pthread.h>
pthread_key_t one, two;
int x, called;

void leave(void *arg) {
  called++;
  pthread_exit(0);
}

void *thread(void *arg) {
  pthread_setspecific(one, &x);
  pthread_setspecific(two, &x);
  return 0;
}

int main(void) {
  pthread_t t;
  pthread_key_create(&one, leave);
  pthread_key_create(&two, leave);
  pthread_create(&t, 0, thread, 0);
  pthread_join(t, 0);
  assert(called == 2);
}
