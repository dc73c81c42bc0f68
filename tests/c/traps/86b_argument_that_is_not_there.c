// verdict: bug index
// The count says three, and two are given.
#include <stdarg.h>

static int sum(int count, ...) {
  va_list all;
  int sum = 0;
  va_start(all, count);
  while (count-- > 0)
    sum += va_arg(all, int);
  va_end(all);
  return sum;
}

int main(void) { return sum(3, 1, 2); }
