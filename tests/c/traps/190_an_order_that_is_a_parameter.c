// A memory order that is passed on is the one that the operation has.
// verdict: safe
// c11: not said of C11's memory
#include <pthread.h>
#include <stdatomic.h>
static atomic_int flag;
static int data;
static int get(memory_order order) { return atomic_load_explicit(&flag, order); }
static void set(int value, memory_order order) { atomic_store_explicit(&flag, value, order); }
static void *work(void *unused) {
  data = 1;
  set(1, memory_order_release);
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  if (get(memory_order_acquire)) data = 2;
  pthread_join(t, 0);
  return 0;
}
