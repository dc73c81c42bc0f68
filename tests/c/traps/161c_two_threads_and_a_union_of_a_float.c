// The member that is read is not the one that is written: the same bytes race.
// verdict: bug race
// options: --races
#include <pthread.h>
union { float f; int i; } x;
static void *writes(void *unused) {
  x.f = 2;
  return unused;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, writes, 0);
  int seen = x.i;
  pthread_join(t, 0);
  return seen != 0 && seen != 0x40000000;
}
