// verdict: safe
#include <assert.h>
#include <stdio.h>
#include <unistd.h>
static int write_all(int fd, const char *buf, size_t n) {
  while (n > 0) {
    ssize_t r = write(fd, buf, n);
    if (r <= 0) return -1;
    buf += r;
    n -= r;
  }
  return 0;
}
int main(void) {
  size_t n = 2;
  int pair[2] = {1, 2};
  assert(fwrite(pair, sizeof *pair, n, stdout) <= n);
  return write_all(1, "hello", 5);
}
