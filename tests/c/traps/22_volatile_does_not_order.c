// A volatile variable that is polled orders nothing: both accesses race.
// verdict: bug race
// options: --races
#include <pthread.h>
volatile int flag;
void *set(void *arg) { flag = 1; return 0; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, set, 0);
  while (!flag) ;
  pthread_join(t, 0);
}
