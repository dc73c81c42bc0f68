// verdict: safe
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int tries, depth;

static int put(int wanted) {
  int found = 0;
retry:
  pthread_mutex_lock(&m);
  tries++;
  if (tries == 1) {
    pthread_mutex_unlock(&m);
    goto retry;
  }
  if (wanted == 0) {
    found = 1;
    goto out;
  }
descend:
  depth++;
  if (depth == 5) goto out;
  if (depth < wanted) goto descend;
  found = 2;
out:
  pthread_mutex_unlock(&m);
  return found;
}

static void *w(void *arg) {
  assert(put(0) == 1);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, w, 0);
  assert(put(3) == 2);
  pthread_join(t, 0);
  assert(put(9) == 0);
  assert(depth == 5 && tries == 4);
}
