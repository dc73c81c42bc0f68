// No destructor is called for a key that was deleted.
// verdict: safe
#include <assert.h>
#include <pthread.h>
pthread_key_t key;
int value;
void destroy(void *unused) { assert(0); }
void *run(void *unused) {
  pthread_setspecific(key, &value);
  pthread_key_delete(key);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_key_create(&key, destroy);
  pthread_create(&t, 0, run, 0);
  pthread_join(t, 0);
}
