// The declaration of a structure is no store that keeps those to its members from being late.
// verdict: bug assertion
// options: --memory tso
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
struct flags { atomic_int x, y; };
static struct flags *f;
static int a, b;
static void *left(void *unused) {
  atomic_store_explicit(&f->x, 1, memory_order_relaxed);
  a = atomic_load_explicit(&f->y, memory_order_relaxed);
  return 0;
}
static void *right(void *unused) {
  atomic_store_explicit(&f->y, 1, memory_order_relaxed);
  b = atomic_load_explicit(&f->x, memory_order_relaxed);
  return 0;
}
int main(void) {
  struct flags here;
  atomic_init(&here.x, 0);
  atomic_init(&here.y, 0);
  f = &here;
  pthread_t s, t;
  pthread_create(&s, 0, left, 0);
  pthread_create(&t, 0, right, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  assert(a || b);
  return 0;
}
