// `select` leaves those files in a set that are ready, and gives how many. Without a limit of time there is one.
// verdict: safe
#include <assert.h>
#include <sys/select.h>
int main(void) {
  fd_set reads, writes;
  FD_ZERO(&reads);
  FD_ZERO(&writes);
  FD_SET(0, &reads);
  FD_SET(1, &writes);
  FD_SET(2, &writes);
  FD_CLR(2, &writes);
  assert(FD_ISSET(1, &writes) && !FD_ISSET(2, &writes) && !FD_ISSET(1, &reads));
  int ready = select(2, &reads, &writes, 0, 0);
  if (ready < 0) return 1;
  assert(ready >= 1 && ready == FD_ISSET(0, &reads) + FD_ISSET(1, &writes));
  return 0;
}
