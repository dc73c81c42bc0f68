// verdict: inconclusive
#include <assert.h>
#include <poll.h>
#include <unistd.h>
int main(void) {
  int ends[2];
  if (pipe(ends)) return 1;
  struct pollfd ask = {ends[0], POLLIN, 0};
  poll(&ask, 1, -1);
  assert(ask.revents);
  return 0;
}
