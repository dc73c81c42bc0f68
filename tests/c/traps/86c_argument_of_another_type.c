// verdict: bug index
// A `long` is given where an `int` is read.
#include <stdarg.h>

static int first(const char *format, ...) {
  va_list all;
  va_start(all, format);
  int value = *format == 'd' ? va_arg(all, int) : 0;
  va_end(all);
  return value;
}

int main(void) { return first("d", 7L); }
