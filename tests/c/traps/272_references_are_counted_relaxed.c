// The last reference is dropped, but nothing orders the accesses of others before `free`.
// verdict: bug race
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct object { atomic_int references; int value; };
static struct object *o;
static void *drop(void *unused) {
  int value = o->value;
  if (atomic_fetch_sub_explicit(&o->references, 1, memory_order_relaxed) == 1)
    free(o);
  return (void *)(long)value;
}
int main(void) {
  o = malloc(sizeof *o);
  atomic_init(&o->references, 2);
  o->value = 7;
  pthread_t s, t;
  pthread_create(&s, 0, drop, 0);
  pthread_create(&t, 0, drop, 0);
  pthread_join(s, 0);
  pthread_join(t, 0);
  return 0;
}
