// verdict: bug assertion
#include <assert.h>
#include <pthread.h>
int x;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *arg) {
  for (unsigned char j = 0;; j++) {
    pthread_mutex_lock(&m);
    x = 1 - x;
    pthread_mutex_unlock(&m);
    assert(j != 5);
  }
}
int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, work, NULL);
  pthread_join(t, NULL);
}
