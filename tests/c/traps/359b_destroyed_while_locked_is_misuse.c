// That it is refused does not make it right.
// verdict: bug misuse
// options: --check misuse
#include <pthread.h>
int main(void) {
  pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
  pthread_mutex_lock(&m);
  pthread_mutex_destroy(&m);
  return 0;
}
