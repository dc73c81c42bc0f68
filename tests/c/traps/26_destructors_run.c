// The destructor of a key runs when a thread ends that has a value for it.
// verdict: bug assertion
#include <assert.h>
#include <pthread.h>
pthread_key_t key;
int value, destroyed;
void destroy(void *v) { destroyed = 1; }
void *work(void *arg) { pthread_setspecific(key, &value); return 0; }
int main(void) {
  pthread_t t;
  pthread_key_create(&key, destroy);
  pthread_create(&t, 0, work, 0);
  pthread_join(t, 0);
  assert(!destroyed);
}
