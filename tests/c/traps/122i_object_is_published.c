// An object whose address is released, and whose own atomic member is: both order.
// verdict: safe
// c11: race on
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct object {
  int value;
  atomic_int ready;
};
_Atomic(struct object *) shared;
void *writer(void *unused) {
  struct object *p = malloc(sizeof *p);
  atomic_store_explicit(&p->ready, 0, memory_order_release);
  atomic_store_explicit(&shared, p, memory_order_release);
  p->value = 1;
  atomic_store_explicit(&p->ready, 1, memory_order_release);
  return 0;
}
void *reader(void *unused) {
  struct object *p = atomic_load_explicit(&shared, memory_order_acquire);
  if (p && atomic_load_explicit(&p->ready, memory_order_acquire)) assert(p->value == 1);
  return 0;
}
int main(void) {
  pthread_t t[2];
  pthread_create(&t[0], 0, writer, 0);
  pthread_create(&t[1], 0, reader, 0);
  pthread_join(t[0], 0);
  pthread_join(t[1], 0);
}
