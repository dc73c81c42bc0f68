// What is read as a `float` overflows also where only rounding makes it infinite, and `errno` says so.
// verdict: safe
#include <assert.h>
#include <errno.h>
#include <stdlib.h>

static void overflows(const char *text, int yes) {
  errno = 0;
  float f = strtof(text, 0);
  assert((f > 3.4028235e38f || f < -3.4028235e38f) == yes);
  assert((errno == ERANGE) == yes);
}

int main(void) {
  overflows("3.4028236e38", 1);
  overflows("3.40282357e38", 1);
  overflows("-3.4028236e38", 1);
  overflows("0x1.ffffffp127", 1);
  overflows("0x1.fffffffp127", 1);
  overflows("3.4028235e38", 0);
  overflows("3.40282356e38", 0);
  overflows("0x1.fffffep127", 0);
  overflows("0x1.fffffefffp127", 0);
  errno = 0;
  assert(strtod("3.4028236e38", 0) < 3.5e38 && errno == 0);
}
