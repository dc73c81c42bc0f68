// Bit-fields beside each other are one place in memory: two threads that write one each race.
// verdict: bug race
// options: --races
#include <pthread.h>
struct { unsigned a : 1; unsigned b : 1; } s;
void *run(void *arg) { s.a = 1; return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  s.b = 1;
  pthread_join(t, 0);
}
