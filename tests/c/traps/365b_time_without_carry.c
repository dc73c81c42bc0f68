// Half a second more is no time if nothing is carried.
// verdict: bug assertion
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <time.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int main(void) {
  struct timespec until = {1, 900000000};
  until.tv_nsec += 500000000;
  pthread_mutex_lock(&m);
  int why = pthread_cond_timedwait(&c, &m, &until);
  assert(why == 0 || why == ETIMEDOUT);
  pthread_mutex_unlock(&m);
  return 0;
}
