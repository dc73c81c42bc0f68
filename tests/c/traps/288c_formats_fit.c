// verdict: safe
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
static void log_it(const char *format, ...) {
  va_list list;
  va_start(list, format);
  vprintf("%s\n", list);
  va_end(list);
}
int main(void) {
  printf("%% %m %d %-*.*f %.*s %lc %5$s\n", 1, 3, 2, 1.5, 2, "ab", 'x');
  printf("%2$s %1$d\n", 1, "b");
  printf("100%");
  printf("%d\n", 1, 2);
  log_it("", "a");
  return 0;
}
