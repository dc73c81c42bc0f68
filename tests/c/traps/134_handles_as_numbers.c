// A lock that knows its owner by a number.
// verdict: safe
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_ulong owner;
static int depth, n;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void lock(void) {
  unsigned long me = (unsigned long)pthread_self();
  if (owner == me) {
    depth++;
    return;
  }
  pthread_mutex_lock(&m);
  owner = me;
  depth = 1;
}

static void unlock(void) {
  if (--depth == 0) {
    owner = 0;
    pthread_mutex_unlock(&m);
  }
}

static void *w(void *arg) {
  lock();
  lock();
  n++;
  unlock();
  unlock();
  return (void *)pthread_self();
}

int main(void) {
  pthread_t t[2];
  unsigned long handles[2];
  void *own[2];
  for (int i = 0; i < 2; i++) {
    pthread_create(&t[i], 0, w, 0);
    handles[i] = (unsigned long)t[i];
  }
  for (int i = 0; i < 2; i++) {
    pthread_join((pthread_t)handles[i], &own[i]);
    assert((unsigned long)own[i] == handles[i] && handles[i] != 0);
  }
  assert(n == 2 && handles[0] != handles[1]);
}
