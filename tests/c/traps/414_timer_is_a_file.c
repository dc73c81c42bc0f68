// A timer is over at any time after it was set.
// verdict: safe
#include <assert.h>
#include <errno.h>
#include <poll.h>
#include <stdint.h>
#include <sys/timerfd.h>
#include <unistd.h>
int main(void) {
  uint64_t n;
  int t = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
  if (t < 0) return 1;
  assert(read(t, &n, 8) == -1 && errno == EAGAIN);
  struct itimerspec s = {{0, 0}, {0, 1000}}, old;
  assert(timerfd_settime(t, 0, &s, 0) == 0);
  struct pollfd p = {t, POLLIN, 0};
  assert(poll(&p, 1, -1) == 1 && p.revents == POLLIN);
  assert(read(t, &n, 8) == 8 && n == 1);
  assert(read(t, &n, 8) == -1 && errno == EAGAIN);
  s.it_interval.tv_sec = 1;
  assert(timerfd_settime(t, 0, &s, &old) == 0 && old.it_value.tv_sec == 0);
  int all = read(t, &n, 8);
  assert(all == -1 || all == 8 && n >= 1);
  s.it_value.tv_nsec = 0;
  timerfd_settime(t, 0, &s, 0);
  assert(read(t, &n, 8) == -1);
  return 0;
}
