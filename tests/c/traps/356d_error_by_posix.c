// Without _GNU_SOURCE, `strerror_r` says whether the text fits.
// verdict: safe
#define _POSIX_C_SOURCE 200809L
#include <assert.h>
#include <errno.h>
#include <string.h>
int main(void) {
  char small[8], text[32];
  assert(strerror_r(EIO, small, sizeof small) == ERANGE && !strcmp(small, "Input/o"));
  assert(strerror_r(EIO, text, sizeof text) == 0 && !strcmp(text, "Input/output error"));
  assert(strerror_r(999, text, sizeof text) == EINVAL && !strcmp(text, "Unknown error 999"));
  assert(strerror_r(EIO, text, 18) == ERANGE && strerror_r(EIO, text, 19) == 0);
  return 0;
}
