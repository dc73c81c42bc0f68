// A set has room for 1024 files.
// verdict: bug index
#include <sys/select.h>
int main(void) {
  fd_set reads;
  FD_ZERO(&reads);
  FD_SET(FD_SETSIZE, &reads);
  return 0;
}
