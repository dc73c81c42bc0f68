// Two threads add to an atomic floating number; one of them does not look whether it was changed.
// verdict: bug assertion
#include <stdatomic.h>
#include <pthread.h>
#include <assert.h>
_Atomic double total;
_Atomic float f;
void *add(void *u) {
  double old = atomic_load(&total);
  atomic_store(&total, old + 1.5);
  return 0;
}
int main(void) {
  pthread_t a, b;
  atomic_store(&f, 2.5f);
  assert(atomic_load(&f) == 2.5f);
  assert(atomic_exchange(&f, 3.f) == 2.5f);
  pthread_create(&a,0,add,0);
  pthread_create(&b,0,add,0);
  pthread_join(a,0); pthread_join(b,0);
  assert(atomic_load_explicit(&total, memory_order_relaxed) == 3.0);
  return 0;
}
