// The test of a pointer belongs to the access: the pointer is read once.
// verdict: safe
// options: --no-races
// `p` races.
#include <pthread.h>
int x;
int *p = &x;
void *clear(void *arg) { p = 0; return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, clear, 0);
  int *own = p;
  if (own) *own = 1;
  pthread_join(t, 0);
}
