// Arguments that a function does not name are computed, and printed.
// verdict: bug assertion
#include <stdarg.h>
#include <stdio.h>
#include <assert.h>
int n;
static void note(const char *format, ...) {
  va_list all;
  va_start(all, format);
  vprintf(format, all);
  va_end(all);
}
int main(void) {
  note("one\n");
  note("%d %s\n", ++n, "two");
  assert(n == 0);
}
