// verdict: bug index
// After `vprintf` nobody knows where the list stands: it takes a `va_copy`.
#include <stdarg.h>
#include <stdio.h>

static int logged(const char *format, ...) {
  va_list all;
  va_start(all, format);
  vprintf(format, all);
  int first = va_arg(all, int);
  va_end(all);
  return first;
}

int main(void) { return logged("%d\n", 7); }
