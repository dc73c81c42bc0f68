// An assertion that ends the program where only races are asked for: that it has ended is no data.
// verdict: safe
// options: --races --property no-data-race
#include <pthread.h>
#include <assert.h>
int x;
void *run(void *arg) { assert(x == 1); return 0; }
void *idle(void *arg) { return 0; }
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, run, 0);
  pthread_create(&u, 0, idle, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
}
