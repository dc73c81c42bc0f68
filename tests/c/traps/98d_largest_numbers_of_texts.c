// verdict: safe
#include <assert.h>
#include <errno.h>
#include <inttypes.h>
int main(void) {
  errno = 0;
  assert(strtoimax("9223372036854775808", 0, 10) == INTMAX_MAX && errno == ERANGE);
  errno = 0;
  assert(strtoumax("18446744073709551616", 0, 10) == UINTMAX_MAX && errno == ERANGE);
  return 0;
}
