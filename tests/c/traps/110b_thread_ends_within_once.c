// verdict: safe
#include <assert.h>
#include <pthread.h>
pthread_once_t once = PTHREAD_ONCE_INIT;
int begun;
void routine(void) {
  if (++begun == 1)
    pthread_exit(0);
}
void *run(void *unused) {
  pthread_once(&once, routine);
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, run, 0);
  pthread_create(&b, 0, run, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(begun == 2);
}
