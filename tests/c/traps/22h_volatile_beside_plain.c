// verdict: bug race
// options: --races --volatile atomic
#include <pthread.h>
volatile int flag;
void *set(void *arg) {
  *(int *)&flag = 1;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, set, 0);
  flag = 2;
  pthread_join(t, 0);
}
