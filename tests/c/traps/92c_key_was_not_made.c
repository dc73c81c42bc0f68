// verdict: bug index
// options: --verify --delays any
#include <assert.h>
#include <pthread.h>

// A thread looks under a key that nobody has made: what that gives, C does not say.
extern int __VERIFIER_nondet_int(void);
static pthread_key_t key;

static void *work(void *arg) {
  assert(pthread_getspecific(key) == 0);
  pthread_setspecific(key, (void *)3);
  key = 2;
  assert(pthread_getspecific(key) == (void *)3);
  return 0;
}

int main(void) {
  pthread_t thread;
  pthread_key_create(&key, 0);
  while (__VERIFIER_nondet_int()) pthread_create(&thread, 0, work, 0);
  return 0;
}
