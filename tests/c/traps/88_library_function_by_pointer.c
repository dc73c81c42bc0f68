// A pointer to a function of the library leads to it.
// verdict: safe
// options: --check memleak
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
struct list { void *data; void (*destroy)(void *); };
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_key_t key;
int x;
static void own(void *p) { free(p); }
static void *run(void *arg) {
  pthread_setspecific(key, malloc(4));
  void *p = malloc(4);
  pthread_cleanup_push(free, p);
  pthread_mutex_lock(&m);
  pthread_cleanup_push((void (*)(void *))pthread_mutex_unlock, &m);
  x++;
  pthread_cleanup_pop(1);
  pthread_cleanup_pop(1);
  return 0;
}
int main(void) {
  int (*f)(int) = abs;
  assert(f(-3) == 3);
  struct list a = { malloc(4), free }, b = { malloc(4), own };
  assert(a.destroy == free && b.destroy != free);
  a.destroy(a.data);
  b.destroy(b.data);
  pthread_t t;
  pthread_key_create(&key, free);
  pthread_create(&t, 0, run, 0);
  pthread_mutex_lock(&m);
  x++;
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  assert(x == 2);
}
