// verdict: safe
#include <assert.h>
#include <sys/time.h>
#include <time.h>
int main(void) {
  struct timespec t;
  struct timeval v;
  clock_gettime(CLOCK_REALTIME, &t);
  gettimeofday(&v, 0);
  assert(t.tv_nsec >= 0 && t.tv_nsec < 1000000000 && t.tv_sec >= 0);
  assert(v.tv_usec >= 0 && v.tv_usec < 1000000);
}
