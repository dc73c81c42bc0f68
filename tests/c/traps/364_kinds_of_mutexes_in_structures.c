// A mutex within a structure or an array begins with its kind.
// verdict: safe
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
struct queue { int n; pthread_mutex_t all[2]; };
struct pair { struct queue q; int rest; };
int main(void) {
  struct queue r = {0, {PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP, PTHREAD_MUTEX_INITIALIZER}};
  static struct pair e = {{0, {[1] = PTHREAD_ERRORCHECK_MUTEX_INITIALIZER_NP}}, 3};
  assert(pthread_mutex_lock(&r.all[0]) == 0 && pthread_mutex_lock(&r.all[0]) == 0);
  assert(pthread_mutex_lock(&r.all[1]) == 0 && pthread_mutex_trylock(&r.all[1]) == EBUSY);
  assert(pthread_mutex_lock(&e.q.all[1]) == 0 && pthread_mutex_lock(&e.q.all[1]) == EDEADLK);
  return 0;
}
