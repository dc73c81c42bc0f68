// Results and errors of calls on an `eventfd`.
// verdict: safe
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>
int main(void) {
  uint64_t n = 7;
  int e = eventfd(2, EFD_NONBLOCK);
  if (e < 0) return 1;
  assert(write(e, &n, sizeof n) == 8);
  n = 0;
  assert(read(e, &n, sizeof n) == 8 && n == 9);
  assert(read(e, &n, sizeof n) == -1 && errno == EAGAIN);
  assert(read(e, &n, 4) == -1 && errno == EINVAL);
  n = UINT64_MAX;
  assert(write(e, &n, 8) == -1 && errno == EINVAL);
  n--;
  assert(write(e, &n, 8) == 8);
  n = 1;
  assert(write(e, &n, 8) == -1 && errno == EAGAIN);
  assert(fcntl(e, F_GETFL) == (O_RDWR | O_NONBLOCK));
  assert(close(e) == 0);
  assert(read(e, &n, 8) == -1 && errno == EBADF);
  int s = eventfd(2, EFD_SEMAPHORE | EFD_NONBLOCK);
  if (s < 0) return 1;
  eventfd_t v;
  assert(eventfd_read(s, &v) == 0 && v == 1);
  assert(eventfd_read(s, &v) == 0 && v == 1);
  assert(eventfd_read(s, &v) == -1);
  assert(eventfd_write(s, 3) == 0);
  assert(fcntl(s, F_SETFL, 0) == 0);
  assert(eventfd_read(s, &v) == 0 && v == 1);
  assert(eventfd(0, 8) == -1);
  return 0;
}
