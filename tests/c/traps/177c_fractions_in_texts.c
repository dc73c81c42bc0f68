// What `strtod`, `strtof` and `atof` read is what the C library reads: rounded once.
// verdict: safe
#include <assert.h>
#include <errno.h>
#include <float.h>
#include <stdlib.h>
int main(void) {
  char *end;
  assert(atof(" -12.5e-1x") == -1.25);
  assert(strtod("9007199254740993", 0) == 9007199254740992.0);
  assert(strtod("9007199254740993.0000000000000000000001", 0) == 9007199254740994.0);
  assert(strtod("0x1.8p-2", &end) == 0.375 && !*end);
  assert(strtod("5.e+", &end) == 5 && *end == 'e');
  const char *none = "-.e5";
  assert(strtod(none, &end) == 0 && end == none);
  assert(strtod("infinity", &end) > DBL_MAX && !*end && !errno);
  assert(strtod("1.7976931348623157e308", 0) == DBL_MAX && !errno);
  assert(strtod("1e309", 0) > DBL_MAX && errno == ERANGE);
  /* Twice rounded it would be 1. */
  assert(strtof("1.00000005960464477540", 0) == 1 + FLT_EPSILON);
  assert(strtof("1.00000005960464477539", 0) == 1);
  return 0;
}
