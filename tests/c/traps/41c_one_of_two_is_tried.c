// verdict: safe
// The pointer leads to one of two mutexes, one of them of a kind; each answers for itself.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>

int __VERIFIER_nondet_int(void);

pthread_mutex_t plain = PTHREAD_MUTEX_INITIALIZER;
pthread_mutex_t recursive = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;
pthread_once_t first, second;
int called;

static void call(void) { called++; }

int main(void) {
  int k = __VERIFIER_nondet_int() != 0;
  pthread_mutex_t *m = k ? &plain : &recursive;
  pthread_mutex_lock(m);
  assert(pthread_mutex_trylock(m) == (k ? EBUSY : 0));
  pthread_mutex_unlock(m);
  pthread_once_t *o = k ? &first : &second;
  pthread_once(o, call);
  pthread_once(&first, call);
  assert(called == 2 - k);
}
