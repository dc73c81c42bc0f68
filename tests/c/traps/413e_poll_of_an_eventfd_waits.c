// The number was read before: `poll` waits for ever.
// verdict: bug deadlock
#include <poll.h>
#include <sys/eventfd.h>
int main(void) {
  eventfd_t n;
  int e = eventfd(1, 0);
  if (e < 0) return 1;
  struct pollfd p = {e, POLLIN, 0};
  poll(&p, 1, -1);
  eventfd_read(e, &n);
  poll(&p, 1, -1);
  return 0;
}
