// With a limit of time no file need be ready.
// verdict: bug assertion
#include <assert.h>
#include <sys/select.h>
int main(void) {
  fd_set reads;
  FD_ZERO(&reads);
  FD_SET(0, &reads);
  struct timeval soon = {0, 1};
  assert(select(1, &reads, 0, 0, &soon));
  return 0;
}
