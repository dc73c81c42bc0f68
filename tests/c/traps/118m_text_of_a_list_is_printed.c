// verdict: bug deref
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
static void say(const char *format, ...) {
  va_list list;
  va_start(list, format);
  vfprintf(stderr, format, list);
  va_end(list);
}
int main(void) {
  char *p = calloc(2, 1);
  say("%d %5.1f %s %p\n", 1, 2.5, p, p);
  free(p);
  say("%d %s\n", 1, p);
}
