// verdict: bug assertion
#include <assert.h>
#include <poll.h>

int main(void) {
  struct pollfd file = {.fd = 0, .events = POLLIN | POLLOUT};
  if (poll(&file, 1, 10) == 1) assert(file.revents != POLLOUT);
}
