// Where any error may come, its text is only printed: nobody asks which one it is.
// verdict: safe
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static void die(const char *format, ...) {
  va_list list;
  va_start(list, format);
  vfprintf(stderr, format, list);
  va_end(list);
  exit(1);
}
int main(void) {
  int file = open("x", O_RDONLY);
  if (file < 0) die("no %s\n", strerror(errno));
  assert(file > 2);
  file = open("y", O_RDONLY);
  if (file < 0) printf("no %s\n", strerror(errno));
  return 0;
}
