// A floating number has old values on C11, as others have: here its race is found.
// verdict: bug race
// options: --memory c11
#include <pthread.h>
#include <stdatomic.h>
static double data;
static atomic_int ready;
static void *writer(void *unused) {
  data = 1.5;
  atomic_store_explicit(&ready, 1, memory_order_relaxed);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, writer, 0);
  if (atomic_load_explicit(&ready, memory_order_acquire) && data == 0)
    return 1;
  pthread_join(t, 0);
  return 0;
}
