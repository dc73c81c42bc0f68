// `read` may fail because of a signal, and `errno` says so.
// verdict: bug assertion
#include <assert.h>
#include <errno.h>
#include <unistd.h>

int main(void) {
  char c;
  ssize_t n = read(0, &c, 1);
  assert(n >= 0 || errno != EINTR);
  return 0;
}
