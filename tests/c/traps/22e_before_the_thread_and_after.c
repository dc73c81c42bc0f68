// What is done after a thread was made is not ordered before what it does.
// verdict: bug race
// options: --races
#include <pthread.h>
int shared;
void *work(void *arg) { return (void *)(long)shared; }
int main(void) {
  pthread_t worker;
  pthread_create(&worker, 0, work, 0);
  shared = 1;
  pthread_join(worker, 0);
  return 0;
}
