// A negative precision is none, so that zeros fill up the number.
// verdict: safe
#include <assert.h>
#include <stdio.h>
#include <string.h>
int main(void) {
  char b[10];
  snprintf(b, 10, "%0+6.*d", -1, 7);
  assert(strcmp(b, "+00007") == 0);
  snprintf(b, 10, "%06.*d", 2, 7);
  assert(strcmp(b, "    07") == 0);
}
