// verdict: safe
#include <assert.h>
#include <pthread.h>
struct small { int n; };
struct large { struct small small; pthread_mutex_t lock; };
typedef union { struct small *s; struct large *l; } __attribute__((transparent_union)) either;
typedef union { int i; char *c; } number;
static struct large shared = {{0}, PTHREAD_MUTEX_INITIALIZER};

static int add(either to, int by) { return to.s ? to.s->n += by : -1; }
static int of(number n) { return n.i; }

static void *w(void *arg) {
  pthread_mutex_lock(&shared.lock);
  add(&shared, 1);
  pthread_mutex_unlock(&shared.lock);
  return arg;
}

int main(void) {
  pthread_t t;
  struct small own = {5};
  pthread_create(&t, 0, w, 0);
  w(0);
  pthread_join(t, 0);
  assert(add(&shared, 0) == 2);
  assert(add(&own, 2) == 7);
  assert(add(0, 1) == -1);
  assert(of((number)3) == 3);
}
