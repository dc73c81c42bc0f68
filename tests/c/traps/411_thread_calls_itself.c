// The function of a thread calls itself, and starts threads of itself, with addresses of its locals.
// verdict: safe
#include <assert.h>
#include <pthread.h>
static int reached[3];
static void *f(void *p) {
  int l = *(int *)p - 1;
  reached[l] = 1;
  if (l == 0) return 0;
  if (l == 1) {
    f(&l);
    return 0;
  }
  pthread_t t;
  pthread_create(&t, 0, f, &l);
  pthread_join(t, 0);
  assert(reached[0] && reached[1]);
  return 0;
}
int main(void) {
  int r = 3;
  pthread_t t;
  pthread_create(&t, 0, f, &r);
  pthread_join(t, 0);
  assert(reached[2]);
  return 0;
}
