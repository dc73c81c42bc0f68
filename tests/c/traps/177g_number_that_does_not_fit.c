// Numbers of 64 bits and more that `sscanf` reads are those that `strtol` gives.
// verdict: safe
#include <assert.h>
#include <limits.h>
#include <stdio.h>
int main(void) {
  long l;
  unsigned long u;
  assert(sscanf("99999999999999999999 -99999999999999999999", "%ld %*d", &l) == 1 && l == LONG_MAX);
  assert(sscanf("-9223372036854775809", "%ld", &l) == 1 && l == LONG_MIN);
  assert(sscanf("18446744073709551616", "%lu", &u) == 1 && u == ULONG_MAX);
  assert(sscanf("9223372036854775807", "%ld", &l) == 1 && l == LONG_MAX);
  return 0;
}
