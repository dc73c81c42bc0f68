// What computes a memory order may race.
// verdict: bug race
// options: --races
#include <pthread.h>
int x, c;
void *run(void *unused) {
  __atomic_store_n(&x, 1, c++);
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, run, 0);
  pthread_create(&b, 0, run, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
