// A timer that was set need not be over.
// verdict: bug assertion
#include <assert.h>
#include <stdint.h>
#include <sys/timerfd.h>
#include <unistd.h>
int main(void) {
  uint64_t n;
  int t = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
  if (t < 0) return 1;
  struct itimerspec s = {{1, 0}, {1, 0}};
  if (timerfd_settime(t, 0, &s, 0)) return 1;
  assert(read(t, &n, sizeof n) == sizeof n);
  return 0;
}
