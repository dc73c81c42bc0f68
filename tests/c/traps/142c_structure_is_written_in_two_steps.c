// verdict: bug assertion
// What is loaded at once is not stored at once.
#include <assert.h>
#include <pthread.h>
struct pair { int a, b; };
static struct pair shared;

static void *w(void *arg) {
  __atomic_store_n(&shared.a, 1, __ATOMIC_SEQ_CST);
  __atomic_store_n(&shared.b, 1, __ATOMIC_SEQ_CST);
  return arg;
}

int main(void) {
  pthread_t t;
  struct pair seen;
  pthread_create(&t, 0, w, 0);
  __atomic_load(&shared, &seen, __ATOMIC_SEQ_CST);
  pthread_join(t, 0);
  assert(seen.a == seen.b);
}
