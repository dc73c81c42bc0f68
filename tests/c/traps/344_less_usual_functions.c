// verdict: safe
#define _GNU_SOURCE
#include <assert.h>
#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>
int main(void) {
  char c[8];
  assert(bcmp("ab", "ab", 2) == 0 && bcmp("ab", "ac", 2) != 0 && toascii(0xe1) == 0x61);
  swab("abcde", c, 5); assert(!memcmp(c, "badc", 4));
  swab("abcde", c, -1);
  assert(a64l("zz") == 4095 && a64l("1.!2") == 3 && a64l("") == 0 && !strcmp(l64a(4095), "zz") && !strcmp(l64a(0), "") && !strcmp(l64a(-1), "zzzzz1"));
  char options[] = "ro,size=12,bad,=x", *sub = options, *value; char *const names[] = {"ro", "rw", "size", 0};
  assert(getsubopt(&sub, names, &value) == 0 && !value);
  assert(getsubopt(&sub, names, &value) == 2 && !strcmp(value, "12"));
  assert(getsubopt(&sub, names, &value) == -1 && !strcmp(value, "bad"));
  assert(getsubopt(&sub, names, &value) == -1 && !strcmp(value, "=x") && !*sub && getsubopt(&sub, names, &value) == -1);
  char *past; strtold("2.5e1z", &past); assert(*past == 'z');
  struct drand48_data d; long l; double r; struct random_data rd = {0}; char state[32]; int32_t n;
  assert(srand48_r(3, &d) == 0 && lrand48_r(&d, &l) == 0 && l >= 0 && mrand48_r(&d, &l) == 0 && l >= -2147483648L && l <= 2147483647L && drand48_r(&d, &r) == 0);
  assert(initstate_r(1, state, sizeof state, &rd) == 0 && random_r(&rd, &n) == 0 && n >= 0 && srandom_r(2, &rd) == 0);
  assert(WCHAR_MAX > 0 && WCHAR_MIN <= 0 && WINT_MAX > 0 && SIG_ATOMIC_MAX > 0);
  return 0;
}
