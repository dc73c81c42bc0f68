// What POSIX says of pipes; numbers of other files are none of theirs.
// verdict: safe
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>
int main(void) {
  int one[2], two[2];
  char text[8] = "";
  if (pipe(one) || pipe2(two, O_NONBLOCK)) return 1;
  assert(one[0] != one[1] && one[0] != two[0] && one[1] != two[1]);
  assert(write(one[1], "abcde", 5) == 5 && write(one[1], "", 0) == 0);
  assert(read(one[0], text, 2) == 2 && !strcmp(text, "ab"));
  assert(read(one[0], text, 8) == 3 && !memcmp(text, "cde", 3));
  assert(read(two[0], text, 1) == -1 && errno == EAGAIN);
  assert(fcntl(one[0], F_GETFL) == O_RDONLY && fcntl(two[1], F_GETFL) == (O_WRONLY | O_NONBLOCK));
  assert(fcntl(one[0], F_SETFL, O_NONBLOCK) == 0 && read(one[0], text, 1) == -1 && errno == EAGAIN);
  errno = 0;
  assert(write(one[0], "a", 1) == -1 && errno == EBADF && read(one[1], text, 1) == -1);
  assert(write(one[1], "f", 1) == 1 && close(one[1]) == 0 && close(one[1]) == -1 && write(one[1], "a", 1) == -1);
  assert(read(one[0], text, 8) == 1 && text[0] == 'f' && read(one[0], text, 8) == 0 && read(one[0], text, 8) == 0);
  assert(close(one[0]) == 0 && read(one[0], text, 8) == -1);
  int file = open("x", O_RDONLY);
  return file >= 0 && read(file, text, 8) > 8;
}
