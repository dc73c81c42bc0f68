// A number that does not fit is the nearest one that does, and `errno` says so.
// verdict: safe
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
int main(void) {
  char *end;
  assert(strtol("9223372036854775807", 0, 10) == LONG_MAX && errno == 0);
  assert(strtol("9223372036854775808x", &end, 10) == LONG_MAX && errno == ERANGE && *end == 'x');
  errno = 0;
  assert(strtol("-9223372036854775808", 0, 10) == LONG_MIN && errno == 0);
  assert(strtol("-9223372036854775809", 0, 10) == LONG_MIN && errno == ERANGE);
  errno = 0;
  assert(strtoul("-1", 0, 10) == ULONG_MAX && errno == 0);
  assert(strtoul("99999999999999999999", 0, 10) == ULONG_MAX && errno == ERANGE);
  errno = 0;
  assert(strtoull("-18446744073709551616", 0, 0) == ULLONG_MAX && errno == ERANGE);
  errno = 0;
  assert(strtol("12", &end, 1) == 0 && errno == EINVAL);
  assert(strtol("7fffffffffffffff", 0, 16) == LONG_MAX);
}
