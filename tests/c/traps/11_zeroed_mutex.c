// A mutex in static storage that nothing has initialised is one.
// verdict: safe
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m;
int x;
void *add(void *arg) { pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); return 0; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, add, 0);
  pthread_create(&b, 0, add, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(x == 2);
}
