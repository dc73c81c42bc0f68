// `typeof` keeps `_Atomic`: what it declares does not race.
// verdict: safe
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static typeof(x) y;
static void *set(void *unused) {
  typeof(x) *p = &x;
  *p = 1;
  y = 1;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, set, 0);
  int seen = x + y;
  pthread_join(t, 0);
  return seen > 2;
}
