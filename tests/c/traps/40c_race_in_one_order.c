// Only a thread that reads the flag early comes to the race.
// verdict: bug race
// options: --races --values terms
#include <pthread.h>
#include <stdatomic.h>
atomic_int flag;
int data;
void *run(void *arg) {
  data = 1;
  flag = 1;
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  if (!flag) data++;
  pthread_join(t, 0);
}
