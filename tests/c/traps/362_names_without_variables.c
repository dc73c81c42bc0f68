// Names of variables that cannot be; texts of no characters; the time zone; limits.
// verdict: safe
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>
int main(void) {
  wchar_t to[4], w = 7;
  assert(setenv("", "x", 1) == -1 && errno == EINVAL && setenv("a=b", "x", 1) == -1);
  assert(unsetenv("") == -1 && unsetenv("a=b") == -1 && errno == EINVAL);
  assert(unsetenv("A") == 0 && !getenv("A"));
  if (putenv("A=b") == 0) assert(getenv("A"));
  assert(mblen("", 0) == 0 && mbtowc(&w, "", 0) == 0 && w == 0 && mblen("a", 0) == -1);
  assert(wcpncpy(to, L"ab", 4) == to + 2 && wcpcpy(to, L"abc") == to + 3);
  tzset();
  assert(timezone == 0 && daylight == 0 && strlen(tzname[0]) == 3);
  assert(sysconf(_SC_NPROCESSORS_ONLN) >= 1 && sysconf(_SC_PAGESIZE) == getpagesize() && sysconf(_SC_OPEN_MAX) >= -1);
  return 0;
}
